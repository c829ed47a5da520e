package auth

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"parley/assets/i18n"
	"parley/mcpclient"
	nethttp "parley/mcpclient/http"
)

// target is the server that a token is for.
type target struct {
	url      *url.URL
	origin   nethttp.Origin
	resource string // its canonical URI (MCP authorization, "Canonical Server URI")
}

// targetOf reads the address of s. The canonical URI has scheme and host in
// lower case, no query, and no slash alone.
func targetOf(s mcpclient.Server) (target, error) {
	o, err := nethttp.ParseOrigin(s.URL)
	if err != nil {
		return target{}, err
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		return target{}, err
	}
	where := u.EscapedPath()
	if where == "/" {
		where = ""
	}
	return target{url: u, origin: o, resource: o.Origin + where}, nil
}

// covers reports whether metadata about resource are about the target: it names
// the same origin, and the target's path or one above it. RFC 9728 section 3.3
// wants it identical; servers in the field name their origin alone, which leads
// a token nowhere else.
func (t target) covers(resource string) bool {
	o, err := nethttp.ParseOrigin(resource)
	if err != nil || o.Origin != t.origin.Origin {
		return false
	}
	u, err := url.Parse(resource)
	if err != nil || u.RawQuery != "" && u.RawQuery != t.url.RawQuery {
		return false
	}
	above, own := path.Clean("/"+u.Path), path.Clean("/"+t.url.Path)
	return above == own || above == "/" || strings.HasPrefix(own, above+"/")
}

// wellKnown is the address of a well-known document (RFC 8615) with where, the
// path of what it is about, inserted behind it.
func wellKnown(origin, suffix, where string) string {
	return origin + "/.well-known/" + suffix + strings.TrimSuffix(where, "/")
}

// authority is the authorization server of a target, and what to ask it for.
type authority struct {
	issuer   string
	resource string // for which tokens are asked
	// authorize, token, register and revoke are its endpoints; "" if it has not
	// got one.
	authorize, token, register, revoke string
	// methods are how clients may authenticate; nil if it does not say.
	methods []string
	scopes  []string // that the resource supports; nil if it does not say
	offline bool     // it knows the scope offline_access
	byURL   bool     // it takes Client ID Metadata Documents
	names   bool     // it puts its issuer into its answers (RFC 9207)
	choice  string   // the prompt with which it lets a person choose who they are; "" if it knows none
}

// discover finds the authority of t, beginning with what a challenge said.
// prefer is the issuer to take where the server names several. The error is a
// *Refused.
func (g *guard) discover(ctx context.Context, t target, c challenge, prefer string) (authority, error) {
	ctx, cancel := context.WithTimeout(ctx, discoveryLimit)
	defer cancel()
	prm, err := g.resourceMetadata(ctx, t, c.metadata)
	if err != nil {
		return authority{}, err
	}
	at := authority{resource: t.resource}
	issuers := []string{t.origin.Origin} // 2025-03-26: the server is its own authority
	if prm != nil {
		at.resource = prm.Resource
		if prm.ScopesSupported != nil {
			at.scopes = cleanScopes(prm.ScopesSupported)
		}
		if len(prm.AuthorizationServers) > 0 {
			issuers = prm.AuthorizationServers
		}
	}
	if i := slices.IndexFunc(issuers, func(s string) bool { return sameIssuer(s, prefer) }); i > 0 {
		issuers = append([]string{issuers[i]}, slices.Delete(slices.Clone(issuers), i, i+1)...)
	}
	var first error
	for _, issuer := range issuers[:min(len(issuers), maxIssuers)] {
		meta, err := g.serverMetadata(ctx, issuer)
		if err == nil && meta != nil {
			err = at.take(g, meta)
		}
		if err == nil && meta != nil {
			return at, nil
		}
		if err == nil {
			err = refused("auth.signin.nometadata", "Host", hostOf(issuer))
		}
		if first == nil {
			first = err
		}
	}
	if prm == nil && isNoMetadata(first) {
		return g.fallback(ctx, t, at)
	}
	return authority{}, first
}

// maxIssuers is how many of the authorization servers that a server names are
// tried.
const maxIssuers = 5

func isNoMetadata(err error) bool {
	r, ok := errors.AsType[*Refused](err)
	return ok && r.text.ID == "auth.signin.nometadata"
}

// resourceMetadata reads the Protected Resource Metadata of t: at the address
// that the challenge named, else below the well-known address with the path of t
// and without. Nil says that it has none: one that cannot tell now (see [unwell])
// is not taken for an old server, whose sign-ins are protected less.
func (g *guard) resourceMetadata(ctx context.Context, t target, named string) (*oauthex.ProtectedResourceMetadata, error) {
	const suffix = "oauth-protected-resource"
	places := []string{wellKnown(t.origin.Origin, suffix, t.url.EscapedPath()), wellKnown(t.origin.Origin, suffix, "")}
	if named != "" {
		places = append([]string{named}, places...)
	}
	var silent error
	for i, place := range slices.Compact(places) {
		var prm oauthex.ProtectedResourceMetadata
		found, err := g.document(ctx, place, &prm)
		if isUnwell(err) {
			silent = cmp.Or(silent, error(fetchFailure(place, err)))
			continue
		}
		if err != nil {
			if f, ok := errors.AsType[*forbidden](err); ok && f.reason == reasonPrivate && f.led == "" && named == "" {
				// It may as well want a token of its own as a sign-in.
				return nil, refused("auth.token.intranet", "Host", t.origin.Host).because(err)
			}
			if named != "" && i == 0 || isForbidden(err) {
				return nil, fetchFailure(place, err)
			}
			return nil, refused("auth.signin.unreachable", "Host", t.origin.Host).because(err)
		}
		if !found || prm.Resource == "" && prm.AuthorizationServers == nil {
			continue
		}
		if prm.Resource == "" {
			return nil, refused("auth.signin.resource.none", "Host", t.origin.Host)
		}
		if !t.covers(prm.Resource) {
			return nil, refused("auth.signin.resource", "Host", t.origin.Host, "Resource", show(prm.Resource))
		}
		return &prm, nil
	}
	return nil, silent
}

// serverMetadata reads the metadata of an issuer, in the order of MCP
// authorization, "Authorization Server Metadata Discovery". Nil says that there
// are none.
func (g *guard) serverMetadata(ctx context.Context, issuer string) (*serverMeta, error) {
	u, err := g.address(issuer)
	if err != nil || u.RawQuery != "" || u.ForceQuery {
		if err == nil {
			err = &forbidden{reason: reasonMalformed}
		}
		return nil, fetchFailure(issuer, err)
	}
	origin, where := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	places := []string{
		wellKnown(origin, "oauth-authorization-server", where),
		wellKnown(origin, "openid-configuration", where),
	}
	if where != "" {
		places = append(places, origin+where+"/.well-known/openid-configuration")
	}
	var broken error
	for _, place := range places {
		var meta serverMeta
		found, err := g.document(ctx, place, &meta)
		switch {
		case err != nil && broken == nil:
			broken = fetchFailure(place, err)
		case err != nil || !found || meta.isEmpty():
		case meta.Issuer == "":
			return nil, refused("auth.signin.issuer.none", "Host", hostOf(issuer))
		case !sameIssuer(meta.Issuer, issuer):
			return nil, refused("auth.signin.issuer", "Host", hostOf(issuer), "Issuer", show(meta.Issuer))
		default:
			return &meta, nil
		}
	}
	return nil, broken
}

// sameIssuer compares what a document calls itself with what it was asked for
// as (RFC 8414 section 3.3). They are compared as they stand, but for one slash
// at the end: it is dropped before the address of the document is made (section
// 3.1), so that both spellings name the same document, and widely used servers
// write one in one place and the other in the other.
func sameIssuer(a, b string) bool {
	return a != "" && strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
}

// apart names two issuers by what tells them apart: their hosts, or where those are
// the same all of them.
func apart(a, b string) (nameA, nameB string) {
	nameA, nameB = hostOf(a), hostOf(b)
	if nameA == nameB {
		nameA, nameB = a, b
	}
	return show(nameA), show(nameB)
}

// movedTo says that a client id belongs to another issuer than the one the server
// names now.
func movedTo(old, now string) *Refused {
	was, is := apart(old, now)
	return refused("auth.signin.moved", "Old", was, "New", is)
}

// serverMeta are the metadata of an issuer that are read.
type serverMeta struct {
	oauthex.AuthServerMeta
	// NamesIssuer is authorization_response_iss_parameter_supported as it stands.
	NamesIssuer json.RawMessage `json:"authorization_response_iss_parameter_supported"`
	// Prompts are those of OpenID "Initiating User Registration" section 3.
	Prompts []string `json:"prompt_values_supported"`
}

// isEmpty reports whether it is an object about something else, as gateways answer
// where there is nothing.
func (m *serverMeta) isEmpty() bool {
	return m.Issuer == "" && m.AuthorizationEndpoint == "" && m.TokenEndpoint == ""
}

// namesIssuer reports whether the authority says that it puts its issuer into its
// answers. Whatever is no plain no counts: an answer without it is refused then, as
// one of another authority would be (RFC 9207 section 2.4).
func (m *serverMeta) namesIssuer() bool {
	switch strings.ToLower(strings.Trim(string(m.NamesIssuer), `"`)) {
	case "", "null", "false", "0":
		return false
	}
	return true
}

// choice is the prompt with which the authority asks a person who they are instead
// of taking whom it remembers: that which lists accounts before that which asks for
// a password. Every provider of OpenID knows the second (OpenID Connect Core
// sections 3.1.2.1 and 15.1).
func (m *serverMeta) choice() string {
	for _, prompt := range []string{"select_account", "login"} {
		if slices.Contains(m.Prompts, prompt) {
			return prompt
		}
	}
	if m.Prompts == nil && slices.Contains(m.ScopesSupported, "openid") {
		return "login"
	}
	return ""
}

// take reads what at needs of meta. The error is a *Refused.
func (at *authority) take(g *guard, meta *serverMeta) error {
	host := hostOf(meta.Issuer)
	if !slices.Contains(meta.CodeChallengeMethodsSupported, "S256") {
		return refused("auth.signin.pkce", "Host", host)
	}
	at.issuer = meta.Issuer
	at.authorize, at.token = meta.AuthorizationEndpoint, meta.TokenEndpoint
	at.register, at.revoke = meta.RegistrationEndpoint, meta.RevocationEndpoint
	at.methods = meta.TokenEndpointAuthMethodsSupported
	at.choice = meta.choice()
	at.offline = slices.Contains(meta.ScopesSupported, "offline_access")
	at.byURL, at.names = meta.ClientIDMetadataDocumentSupported, meta.namesIssuer()
	if at.token == "" {
		return refused("auth.signin.endpoints", "Host", host)
	}
	for _, address := range []*string{&at.authorize, &at.token, &at.register, &at.revoke} {
		if *address == "" {
			continue
		}
		if _, err := g.address(*address); err != nil {
			return fetchFailure(*address, err)
		}
	}
	fit, ok := fitting(at.authorize)
	if !ok {
		return refused("auth.signin.endpoint", "Host", show(hostOf(at.authorize)))
	}
	at.authorize = fit
	return nil
}

// fallback is the authority of a server of 2025-03-26 without any metadata, which
// has its endpoints at fixed places below its origin. Later revisions have Protected
// Resource Metadata, and want sign-ins refused where no metadata say that they are
// protected (PKCE): a server that has the former is none of 2025-03-26. Most that come
// this far want a key of their own instead: whether there is a place to register
// at tells, and it is asked without registering.
func (g *guard) fallback(ctx context.Context, t target, at authority) (authority, error) {
	at.issuer = t.origin.Origin
	at.authorize, at.token, at.register = at.issuer+"/authorize", at.issuer+"/token", at.issuer+"/register"
	r, err := http.NewRequestWithContext(ctx, http.MethodOptions, at.register, nil)
	if err != nil {
		return authority{}, refused("auth.token.needed")
	}
	a, err := g.ask(r)
	if err != nil || a.status >= 300 && a.status != http.StatusMethodNotAllowed {
		return authority{}, refused("auth.token.needed").because(err)
	}
	return at, nil
}

// unwell is an answer that does not tell whether there is a document.
type unwell struct{ status int }

func (e *unwell) Error() string { return fmt.Sprintf("HTTP status %d", e.status) }

func isUnwell(err error) bool {
	_, ok := errors.AsType[*unwell](err)
	return ok
}

// document reads the JSON object at place into v; found is false where there is
// none. The error is *unwell where the server does not know at the moment, or that
// of guard.get.
func (g *guard) document(ctx context.Context, place string, v any) (found bool, err error) {
	a, err := g.get(ctx, place)
	if err != nil {
		return false, err
	}
	if a.status >= 500 && a.status != http.StatusNotImplemented || a.status == http.StatusTooManyRequests || a.status == http.StatusRequestTimeout {
		return false, &unwell{a.status}
	}
	if a.status != http.StatusOK || !bytes.HasPrefix(bytes.TrimSpace(a.body), []byte("{")) {
		return false, nil
	}
	// A web page where metadata were expected, as single-page apps serve it for
	// every address, is none. A member of the wrong type counts as absent.
	err = json.Unmarshal(a.body, v)
	_, mistyped := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || mistyped, nil
}

func isForbidden(err error) bool {
	_, ok := errors.AsType[*forbidden](err)
	return ok
}

// fetchFailure puts what went wrong at an address into words. Where a redirect led
// to one that is not allowed, that one is named: it is what the person would allow.
func fetchFailure(address string, err error) *Refused {
	if f, ok := errors.AsType[*forbidden](err); ok {
		where := hostOf(address)
		if where == "" {
			where = address
		}
		if f.led != "" && f.led != where {
			led := i18n.M("auth.signin.address.led", "Host", show(f.led), "From", show(where))
			return refused("auth.signin.address."+string(f.reason), "Host", led).because(err)
		}
		return refused("auth.signin.address."+string(f.reason), "Host", show(where)).because(err)
	}
	return refused("auth.signin.unreachable", "Host", show(hostOf(address))).because(err)
}
