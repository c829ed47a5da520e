package authtest

import (
	"context"
	"net/http"
	"time"
)

// Place is where a server keeps its metadata. For an issuer without a path the
// last two are the same address.
type Place int

const (
	// OAuth is /.well-known/oauth-authorization-server, the issuer's path after
	// it (RFC 8414 section 3.1).
	OAuth Place = iota
	// OAuthRoot is that without the path, where MCP 2025-03-26 looks.
	OAuthRoot
	// OpenID is /.well-known/openid-configuration, the path after it (RFC 8414
	// section 5).
	OpenID
	// OpenIDAfter is the issuer with /.well-known/openid-configuration after it
	// (OpenID Connect Discovery 1.0 section 4).
	OpenIDAfter
)

// Value is how something that should be there, and right, is instead.
type Value int

const (
	Right Value = iota
	Missing
	// Wrong is somebody else's.
	Wrong
	// Normalised is the right one spelt another way: with a slash at its end.
	Normalised
)

// Login is what becomes of a person at /authorize.
type Login int

const (
	// Ask shows the page; a person, or a test, presses one of its buttons.
	Ask Login = iota
	// Grant sends back a code at once, as for somebody who is signed in.
	Grant
	// Deny sends back access_denied at once.
	Deny
)

// How a client says who it is at the token endpoint (RFC 7591 section 2).
const (
	Basic = "client_secret_basic"
	Post  = "client_secret_post"
	None  = "none"
)

// Client is one that is known without having registered.
type Client struct {
	ID     string
	Name   string // for people; "" if it has none
	Secret string // "" for a public client
	// Method is Basic, Post or None; "" is Basic with a secret, else None.
	Method string
	// Redirects are the redirect URIs it may use.
	Redirects []string
}

// Options are the knobs of a Server. The zero value is a server that does it
// all, and right.
type Options struct {
	// Path is that of the issuer, for example "/tenant".
	Path string
	// Places are where the metadata are; nil is OAuth, an empty slice nowhere.
	Places []Place
	// Issuer is what the metadata say the issuer is.
	Issuer Value
	// HideIss leaves authorization_response_iss_parameter_supported out of the
	// metadata, Iss is what comes back from /authorize.
	HideIss bool
	Iss     Value
	// State is the state that comes back.
	State Value
	// Metadata are members of the metadata that replace those there are; nil
	// leaves one out.
	Metadata map[string]any
	// HidePKCE leaves code_challenge_methods_supported out of the metadata.
	HidePKCE bool

	// Closed has no registration endpoint.
	Closed bool
	// Registration are members of the answer to a registration that replace those
	// there are; nil leaves one out.
	Registration map[string]any
	// Native refuses to register a loopback redirect URI for anything but a
	// native application (OpenID Connect Registration 1.0 section 2).
	Native bool
	// Clients are those that are known from the start.
	Clients []Client
	// Document fetches the metadata document that a client id which is an
	// address stands for; nil does not support such ids.
	Document func(ctx context.Context, id string) ([]byte, error)
	// Methods are the ways in which clients may say who they are; nil is Basic,
	// Post and None.
	Methods []string
	// AnyPort takes a registered loopback redirect URI with every port.
	AnyPort bool

	// Scopes are those there are; nil says and checks nothing of them.
	Scopes []string
	// AnyResource does not ask for a resource, as servers older than RFC 8707.
	AnyResource bool

	// Login is what becomes of a person.
	Login Login
	// Other signs in, with Grant, where the client asks to let a person choose
	// (prompt login or select_account, OpenID Connect Core 1.0 section 3.1.2.1);
	// "" is the person who signs in always.
	Other string
	// Reason is the error_description of a refusal.
	Reason string
	// Hops is how many redirects come before that to the client.
	Hops int
	// Language is that of the page: BCP 47, English if it is not known.
	Language string

	// Life is how long an access token is valid, 0 an hour.
	Life time.Duration
	// RefreshLife is how long a refresh token is valid, 0 for ever.
	RefreshLife time.Duration
	// NoRefresh hands out none, KeepRefresh the same one for good.
	NoRefresh, KeepRefresh bool
	// Forgiving refuses a refresh token that was replaced, and withdraws nothing.
	Forgiving bool
	// OnlyOffline hands out a refresh token only with the scope offline_access
	// (OpenID Connect Core 1.0 section 11).
	OnlyOffline bool
	// Answer are members of the answer with tokens that replace those there are;
	// nil leaves one out.
	Answer map[string]any
	// NoRevoke has no revocation endpoint.
	NoRevoke bool

	// Now is the time; nil is time.Now.
	Now func() time.Time
	// Intercept, if it returns true, has answered the request instead.
	Intercept func(w http.ResponseWriter, r *http.Request) bool
}

func (o *Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

func (o *Options) life() time.Duration {
	if o.Life != 0 {
		return o.Life
	}
	return time.Hour
}

func (o *Options) places() []Place {
	if o.Places == nil {
		return []Place{OAuth}
	}
	return o.Places
}

func (o *Options) methods() []string {
	if o.Methods == nil {
		return []string{Basic, Post, None}
	}
	return o.Methods
}
