package http

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	nethttp "net/http"
	"net/url"
	"time"

	"parley/mcpclient/wire"
)

// maxRedirects is how many redirects one exchange follows.
const maxRedirects = 5

// dialLimit bounds each step of making a connection.
const dialLimit = 30 * time.Second

// newClient returns the RoundTripper of one Transport. Setting up a connection
// is bounded; the wait for an answer is not, since a tool may work for long and
// the connection above keeps its own clock.
func newClient(dialer *net.Dialer) *nethttp.Transport {
	return &nethttp.Transport{
		Proxy:                  nethttp.ProxyFromEnvironment, // goes past the proxy for loopback
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    dialLimit,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    32,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	}
}

// call is one HTTP request before it has an address and credentials.
type call struct {
	method string // of HTTP
	target *url.URL
	body   []byte // nil for GET and DELETE
	header nethttp.Header
	id     wire.ID // of the JSON-RPC request in it; zero for none
	of     string  // the person's call that it belongs to; "" for none
	// hold, if not nil, is called when the call begins to wait for credentials,
	// and with false when it does not any more.
	hold func(held bool)
	// late, if not nil, is called when an answer does not come within
	// noteLimit. It ends the context that do was given.
	late func()
}

// maxChallenges is how many answers of 401 and 403 to one request are put to
// the Authorizer: renewing, signing in and a few step-ups.
const maxChallenges = 5

// do sends c with the person's headers and credentials. An answer of 401 or 403
// is put to the Authorizer, and c sent again when that has other credentials.
// The error is a *NetworkError, *RedirectError, *AuthorizationError, or the
// cause why ctx ended.
func (t *Transport) do(ctx context.Context, c call) (*nethttp.Response, error) {
	var challenge wire.Challenge // the last one
	for attempt, forbidden := 0, 0; ; attempt++ {
		credentials, err := t.authorize(ctx, c)
		if err != nil {
			return nil, err
		}
		resp, err := t.follow(ctx, c, credentials)
		if err != nil {
			return nil, err
		}
		status := resp.StatusCode
		if status != nethttp.StatusUnauthorized && status != nethttp.StatusForbidden ||
			t.options.Authorizer == nil || attempt == maxChallenges {
			if w, ok := t.options.Authorizer.(wire.Acceptor); ok && attempt > 0 && isAccepted(status) {
				w.Accepted(challenge)
			}
			return resp, nil
		}
		challenge = wire.Challenge{
			Status: status, Header: t.maskedHeader(resp.Header, "WWW-Authenticate"), Sent: credentials,
			Attempt: attempt, Forbidden: forbidden, Call: c.of,
		}
		if status == nethttp.StatusForbidden {
			forbidden++
		}
		resp.Body.Close()
		err = t.held(c, func() error { return t.options.Authorizer.Challenge(ctx, challenge) })
		if err != nil {
			return nil, &AuthorizationError{Status: status, Err: err}
		}
	}
}

// isAccepted reports whether an answer says that the credentials did. What goes
// wrong on the server's side says nothing of them.
func isAccepted(status int) bool {
	return status < 500 && status != nethttp.StatusUnauthorized && status != nethttp.StatusForbidden
}

// held runs f while c counts as held up on this side. Of the legacy SSE
// transport, every request waits for its one stream.
func (t *Transport) held(c call, f func() error) error {
	if w, ok := t.handler.(wire.HoldWatcher); ok && (!c.id.IsZero() || c.hold != nil) {
		w.Held(c.id, true)
		defer w.Held(c.id, false)
	}
	if c.hold != nil {
		c.hold(true)
		defer c.hold(false)
	}
	return f()
}

// authorize returns the value of the Authorization header, "" for none.
func (t *Transport) authorize(ctx context.Context, c call) (value string, err error) {
	if t.options.Authorizer == nil {
		return "", nil
	}
	err = t.held(c, func() error {
		value, err = t.options.Authorizer.Authorize(ctx, c.of)
		return err
	})
	if err != nil {
		return "", &AuthorizationError{Err: err}
	}
	t.mu.Lock()
	changed := t.authorization != "" && t.authorization != value
	t.authorization = value
	t.remember(value)
	t.mu.Unlock()
	if w, ok := t.handler.(wire.CredentialsWatcher); ok {
		if changed {
			w.CredentialsChanged()
		}
		if c.of != "" {
			w.Carries(c.of)
		}
	}
	return value, nil
}

// follow sends c and follows redirects within the origin.
func (t *Transport) follow(ctx context.Context, c call, credentials string) (*nethttp.Response, error) {
	target := c.target
	for range maxRedirects + 1 {
		resp, err := t.roundTrip(ctx, c, target, credentials)
		if err != nil {
			return nil, err
		}
		next, err := t.redirect(c, target, resp)
		if next == nil && err == nil {
			return resp, nil
		}
		resp.Body.Close()
		if err != nil {
			return nil, err
		}
		target = next
	}
	return nil, &RedirectError{Loop: true}
}

func (t *Transport) roundTrip(ctx context.Context, c call, target *url.URL, credentials string) (*nethttp.Response, error) {
	req := newRequest(ctx, c.method, target, c.body)
	req.Header = make(nethttp.Header, len(t.header)+len(c.header)+1)
	maps.Copy(req.Header, t.header)
	maps.Copy(req.Header, c.header)
	req.Header["Accept-Encoding"] = one("identity")
	if credentials != "" {
		req.Header.Set("Authorization", credentials)
	}
	req.Host = t.host
	if c.late != nil {
		timer := time.AfterFunc(noteLimit, c.late)
		defer timer.Stop()
	}
	resp, err := t.way(req, credentials).RoundTrip(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if m, ok := errors.AsType[*misplaced](err); ok {
			return nil, &AuthorizationError{Err: m.err}
		}
		unreached := newNetworkError(t.url.Host, err)
		if t.reach != nil {
			t.reach.Unreached(unreached)
		}
		return nil, unreached
	}
	if t.reach != nil {
		t.reach.Reached()
	}
	if resp.StatusCode == nethttp.StatusSwitchingProtocols {
		// Nobody asked for another protocol. What follows is no body: reading
		// it would not even end with ctx.
		resp.Body.Close()
		resp.Body = nethttp.NoBody
	}
	return resp, nil
}

// blank is a request of nothing to nowhere.
var blank = &nethttp.Request{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}

// newRequest is http.NewRequestWithContext without parsing the address again
// for every message. body may be nil.
func newRequest(ctx context.Context, method string, target *url.URL, body []byte) *nethttp.Request {
	req := blank.WithContext(ctx)
	req.Method, req.URL = method, target
	if len(body) == 0 {
		return req
	}
	// Readers of these types go out in one write with the header.
	reader := func() io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
	req.Body, req.ContentLength = reader(), int64(len(body))
	// With this net/http sends again what it did not send at all, because the
	// server had closed the idle connection.
	req.GetBody = func() (io.ReadCloser, error) { return reader(), nil }
	return req
}

// redirect returns where resp sends c on to, nil if it does not. The error is
// a *RedirectError for a redirect that is not followed.
func (t *Transport) redirect(c call, from *url.URL, resp *nethttp.Response) (*url.URL, error) {
	keepsMethod := false
	switch resp.StatusCode {
	case nethttp.StatusTemporaryRedirect, nethttp.StatusPermanentRedirect:
		keepsMethod = true
	case nethttp.StatusMovedPermanently, nethttp.StatusFound, nethttp.StatusSeeOther:
		keepsMethod = c.method == nethttp.MethodGet
	default:
		return nil, nil
	}
	location := resp.Header.Get("Location")
	to, err := from.Parse(location)
	if location == "" || err != nil {
		return nil, &RedirectError{Status: resp.StatusCode}
	}
	to.Fragment, to.RawFragment = "", ""
	origin, to, err := parse(to.String())
	if err != nil {
		return nil, &RedirectError{Status: resp.StatusCode}
	}
	if !keepsMethod || origin.Origin != t.origin.Origin {
		return nil, &RedirectError{Status: resp.StatusCode, To: t.maskedAddress(from, location)}
	}
	return to, nil
}

// sessionHeader adds the headers of a legacy session to header.
func (t *Transport) sessionHeader(header nethttp.Header) (session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session != "" {
		header[headerSession] = []string{t.session}
	}
	if t.protocol != "" && header.Get(headerVersion) == "" {
		header[headerVersion] = one(t.protocol)
	}
	return t.session
}

// endSession gives the session back, if there is one. Nobody waits for the
// outcome: a server need not know DELETE.
func (t *Transport) endSession(ctx context.Context) {
	header := nethttp.Header{}
	if t.sessionHeader(header) == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, deleteLimit)
	defer cancel()
	credentials, err := t.authorize(ctx, call{})
	if err != nil {
		return
	}
	if resp, err := t.roundTrip(ctx, call{method: nethttp.MethodDelete, header: header}, t.url, credentials); err == nil {
		resp.Body.Close()
	}
}
