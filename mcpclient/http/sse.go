package http

import (
	"context"
	"errors"
	nethttp "net/http"
	"net/url"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
)

// endpointLimit is how long a server of the legacy SSE transport may take to
// name the address for messages.
const endpointLimit = 10 * time.Second

// endpoint is where a server of the legacy SSE transport wants messages, once
// it has said so.
type endpoint struct {
	named chan struct{} // closed when url or err is set
	url   *url.URL
	err   error
}

// NewSSE returns a Transport for a server that speaks HTTP with SSE, the
// transport of MCP 2024-11-05 (basic/transports, "HTTP with SSE"): everything
// from the server comes on one event stream, whose first event names the
// address that messages are posted to. That address must be of the same origin.
//
// The connection lives with its stream: when that ends, or none comes with an
// endpoint within 10 s, the transport ends with a *StreamLostError,
// *EndpointError, *StatusError, *RedirectError, *NetworkError or
// *AuthorizationError. The errors of NewSSE are those of New.
func NewSSE(e Endpoint, o Options) (*Transport, error) {
	t, err := New(e, o)
	if err != nil {
		return nil, err
	}
	t.sse = &endpoint{named: make(chan struct{})}
	return t, nil
}

// target returns where messages are posted to, and waits until that is known.
func (t *Transport) target(ctx context.Context) (*url.URL, error) {
	if t.sse == nil {
		return t.url, nil
	}
	select {
	case <-t.sse.named:
		return t.sse.url, t.sse.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// live reads the stream of a legacy SSE server from its start to its end, and
// ends the transport with it.
func (t *Transport) live() {
	ctx, cancel := context.WithCancelCause(t.requests)
	defer cancel(nil)
	late := time.AfterFunc(endpointLimit, func() { cancel(&EndpointError{Kind: EndpointMissing}) })
	defer late.Stop()
	err := t.readLive(ctx, late)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if !closed(t.sse.named) {
		t.sse.err = err
		close(t.sse.named)
	}
	t.end(err)
}

// readLive reads until the stream ends and says why it did. It stops late when
// the endpoint has been named.
func (t *Transport) readLive(ctx context.Context, late *time.Timer) error {
	c := call{method: nethttp.MethodGet, target: t.url, header: nethttp.Header{"Accept": {acceptStream}}}
	c.hold = func(held bool) {
		if held {
			late.Stop()
		} else {
			late.Reset(endpointLimit)
		}
	}
	resp, err := t.do(ctx, c)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 || mediaType(resp) != acceptStream {
		return t.refusal(resp, wire.ID{}, "")
	}
	body, err := plainBody(resp)
	if err != nil {
		return err
	}
	events := newEvents(body, t.options.MaxMessage, &cursor{})
	events.skipped = t.tellTooLarge
	for {
		e, err := events.next()
		if _, tooLarge := errors.AsType[*wire.TooLargeError](err); tooLarge {
			continue // events.skipped tells when it has been read past
		}
		switch {
		case err != nil:
			return &StreamLostError{Err: err}
		case e.name == "endpoint":
			if closed(t.sse.named) {
				continue
			}
			if t.sse.url, err = t.parseEndpoint(string(e.data)); err != nil {
				return err
			}
			late.Stop()
			close(t.sse.named)
		case e.name == "" || e.name == "message":
			t.eventMessages(e.data, wire.ID{})
		}
	}
}

// parseEndpoint reads the address that a server names for messages.
func (t *Transport) parseEndpoint(text string) (*url.URL, error) {
	u, err := t.url.Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, &EndpointError{Kind: EndpointInvalid}
	}
	u.Fragment, u.RawFragment = "", ""
	origin, u, err := parse(u.String())
	switch {
	case err != nil:
		return nil, &EndpointError{Kind: EndpointInvalid}
	case origin.Origin != t.origin.Origin:
		return nil, &EndpointError{Kind: EndpointElsewhere, To: origin.Origin}
	}
	return u, nil
}

// EndpointKind says what is wrong with the endpoint of a legacy SSE server.
type EndpointKind string

// The kinds of EndpointError.
const (
	EndpointMissing   EndpointKind = "missing"   // none was named in time
	EndpointInvalid   EndpointKind = "invalid"   // it is no address
	EndpointElsewhere EndpointKind = "elsewhere" // it is of another origin
)

// EndpointError says why a server cannot be reached over legacy SSE.
type EndpointError struct {
	Kind EndpointKind
	To   string // the other origin; untrusted
}

func (e *EndpointError) Error() string {
	return strings.TrimSpace("the address for messages is " + string(e.Kind) + " " + wire.Clip(e.To, 300))
}

// Sentence says so to a person.
func (e *EndpointError) Sentence() i18n.Message {
	return i18n.M("client.transport.endpoint."+string(e.Kind), "To", wire.Clip(e.To, 300))
}

// StreamLostError says that the stream ended that a legacy SSE connection lives
// on.
type StreamLostError struct{ Err error }

func (e *StreamLostError) Error() string { return "the event stream ended: " + e.Err.Error() }

func (e *StreamLostError) Unwrap() error { return e.Err }

// Sentence says so to a person.
func (e *StreamLostError) Sentence() i18n.Message { return i18n.M("client.transport.stream_lost") }

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
