package auth

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"parley/mcpclient/keychain"
)

// appName is what authorization servers are told of the app.
const appName = "Parley"

// introduce finds the client id under which s signs in, and opens the door that
// the browser comes back to, which is s's own from then on. The order is that of MCP
// authorization, "Client Registration": the id that the person entered, the document
// that describes the app where the authority takes one, registration. The error is a
// *Refused.
func (s *signIn) introduce(ctx context.Context) (c client, d *door, err error) {
	a, at, setup := s.a, s.at, s.server.SignIn
	document := cmp.Or(setup.ClientMetadata, a.o.ClientMetadata)
	switch {
	case setup.ClientID != "":
		if c, err = s.given(ctx); err != nil {
			return c, nil, err
		}
	case setup.ClientMetadata != "" && !isMetadata(setup.ClientMetadata):
		return c, nil, refused("auth.signin.metadata")
	case document != "" && at.byURL:
		c = client{ID: document, Method: byNone}
	case at.register != "":
		return s.registered(ctx)
	default:
		return c, nil, refused("auth.signin.noclient", "Host", hostOf(at.issuer))
	}
	d, err = s.opens(func() (*door, error) { return openDoor(setup, setup.Port) })
	return c, d, err
}

// opens makes a door that listen opens the one of s, which settling s closes. Both
// happen in one step: a person's no comes before it, and no port is opened, or
// after it, and the port is free when Cancel returns. No door and no error say that
// listen found none.
func (s *signIn) opens(listen func() (*door, error)) (*door, error) {
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	if s.data.State.Settled() {
		return nil, refused("auth.signin.closed")
	}
	d, err := listen() // which waits for nothing
	if d != nil {
		s.door = d
	}
	if isBusy(err) {
		for _, other := range s.a.open {
			if other.door != nil && other.door.port() == s.server.SignIn.Port {
				return nil, refused("auth.signin.port.own", "Port", strconv.Itoa(other.door.port()), "Server", other.server.Name).because(err)
			}
		}
	}
	return d, err
}

// registered is the client that the app registered with the authority before, if
// the browser can still come back to the very address that was registered; else
// one that is registered now, for the address that is used.
func (s *signIn) registered(ctx context.Context) (client, *door, error) {
	a, setup := s.a, s.server.SignIn
	key := clientKey(s.server.ID, s.at.issuer)
	var c client
	found, err := a.read(ctx, key, &c)
	if found && err == nil && c.ID != "" && !expired(c.Expires, a.o.Now()) {
		d, err := s.opens(func() (*door, error) { return reopen(setup, c.Redirect), nil })
		if d != nil || err != nil {
			s.known = d != nil
			return c, d, err
		}
	}
	d, err := s.opens(func() (*door, error) { return openDoor(setup, setup.Port) })
	if err != nil {
		return c, nil, err
	}
	if c, err = s.register(ctx, d.redirect); err == nil {
		err = s.note(ctx, key, c)
	}
	return c, d, err
}

// note puts v into the keychain. A server that is removed before that has come to
// its end leaves nothing there.
func (s *signIn) note(ctx context.Context, key keychain.Key, v any) error {
	err := s.a.write(ctx, key, v)
	if s.isGone() {
		ctx, cancel := s.a.lasting(dropLimit)
		defer cancel()
		return s.a.o.Secrets.Delete(ctx, key)
	}
	return err
}

// isGone reports whether the server of s was removed meanwhile.
func (s *signIn) isGone() bool {
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	return s.account.gone
}

// expired reports whether a time that may be unknown is over.
func expired(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// register registers the app with the authority (RFC 7591) for the one address
// that the browser comes back to.
func (s *signIn) register(ctx context.Context, redirect string) (client, error) {
	ask := oauthex.ClientRegistrationMetadata{
		RedirectURIs:            []string{redirect},
		ClientName:              appName,
		GrantTypes:              []string{"authorization_code", "refresh_token"},
		ResponseTypes:           []string{"code"},
		ApplicationType:         "native",
		TokenEndpointAuthMethod: preferred(s.at.methods),
	}
	host := hostOf(s.at.register)
	body, err := json.Marshal(ask)
	if err != nil {
		return client{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.at.register, bytes.NewReader(body))
	if err != nil {
		return client{}, fetchFailure(s.at.register, &forbidden{reason: reasonMalformed})
	}
	r.Header.Set("Content-Type", "application/json")
	a, err := s.account.guard().ask(r)
	if err == nil && (a.status < 200 || a.status > 299) {
		err = a.denial()
	}
	if err != nil {
		return client{}, unregistered(host, err)
	}
	var got struct {
		ID      string `json:"client_id"`
		Secret  string `json:"client_secret"`
		Expires int64  `json:"client_secret_expires_at"` // seconds; 0 is never
		Method  string `json:"token_endpoint_auth_method"`
	}
	err = json.Unmarshal(a.body, &got)
	// A member of the wrong type counts as absent.
	if _, mistyped := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !mistyped || got.ID == "" {
		return client{}, unregistered(host, errors.New("the answer to the registration has no client id"))
	}
	c := client{ID: got.ID, Secret: got.Secret, Redirect: redirect, Method: method(s.at, got.Secret)}
	if got.Expires > 0 && got.Secret != "" {
		c.Expires = time.Unix(got.Expires, 0)
	}
	if got.Method == byNone || got.Secret != "" && (got.Method == byBasic || got.Method == byPost) {
		c.Method = got.Method
	}
	return c, nil
}

// preferred is how the app would prove who it is. A program on a person's
// computer can keep no secret from them (RFC 8252 section 8.5), so none is asked
// for where the authority takes that.
func preferred(methods []string) string {
	for _, m := range []string{byNone, byBasic, byPost} {
		if slices.Contains(methods, m) {
			return m
		}
	}
	return byBasic
}

// unregistered puts a failed registration into words. A server that gives no
// reason in the way of RFC 7591 does not take apps that it does not know.
func unregistered(host string, err error) *Refused {
	d, ok := errors.AsType[*denial](err)
	switch {
	case !ok && isForbidden(err):
		return fetchFailure("https://"+host, err)
	case !ok:
		return refused("auth.signin.unreachable", "Host", show(host)).because(err)
	case d.text != "" || d.code != "":
		return refused("auth.signin.register.reason", "Host", show(host), "Reason", show(cmp.Or(d.text, d.code))).because(err)
	}
	return refused("auth.signin.register.status", "Host", show(host), "Status", d.status).because(err)
}
