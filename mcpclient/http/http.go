// Package http talks to an MCP server over Streamable HTTP, the transport of
// MCP 2025-03-26 and later (basic/transports). Every message is a POST of its
// own; a request is answered by a JSON body or by a stream of server-sent
// events on the same exchange.
//
// # Two eras
//
// Messages of 2026-07-28 and later (wire.SendOptions.Modern) carry the headers
// Mcp-Method and Mcp-Name, know no session and cannot be resumed: a reply
// stream that breaks off has failed.
//
// For older revisions the transport keeps the session id that the reply to
// initialize came with and sends it with everything after; a 404 from then on
// is a [SessionLostError], and a wire.SessionWatcher is told. A reply stream
// that broke off after an event with an id is asked for again by GET with
// Last-Event-ID, after the pause that the server named in "retry".
// [Transport.OpenStream] keeps a GET stream for what the server sends outside
// requests. Close gives the session back by DELETE.
//
// # What fails, and how much
//
// Nothing that goes wrong in one exchange ends the transport: the request
// fails (Handler.Failed) with an error that names the status, a JSON-RPC error
// in the body if there is one, and whether a web page came instead. Statuses
// of 400 and above are always a [StatusError], also with a JSON-RPC error in
// the body, for the connection decides by both. Only Close ends the transport.
//
// [NewSSE] is the transport of MCP 2024-11-05, which differs in this: its one
// stream is the connection.
//
// # What is never done
//
// Credentials, session ids and headers never go to another origin than the
// one that was configured: a redirect is followed within the origin only, and
// for a POST only when it keeps method and body (307, 308). Nothing is sent
// twice without a word except the one retry after a sign-in. There are no
// cookies. What a server says back of headers, credentials and session ids stands
// in no error, notification or log (mask.go). Compression is not asked for, and the size limit counts what comes
// out of it. The proxy is the environment's, never for loopback addresses.
package http

import (
	"context"
	"errors"
	nethttp "net/http"
	"net/url"
	"sync"
	"time"

	"parley/mcpclient/wire"
)

// Endpoint is the address of a server.
type Endpoint struct {
	URL string // http or https, without userinfo and fragment
	// Header are the person's own headers of every request, which may hold
	// secrets. They do not replace headers of the protocol.
	Header map[string]string
}

// Options change how a Transport works. The zero Options are the usual ones.
type Options struct {
	Authorizer wire.Authorizer      // nil: no sign-in
	Tap        wire.Tap             // sees the traffic, redacted; may be nil
	Client     nethttp.RoundTripper // nil: one of the transport's own
	// MaxMessage is the size limit of one received message in bytes; 0 is
	// wire.DefaultMaxMessage.
	MaxMessage int64
}

// Bounds of time.
const (
	gateLimit     = 5 * time.Second  // for the answer to notifications/initialized
	noteLimit     = 30 * time.Second // for the answer to any notification or response
	farewellLimit = time.Second      // for notifications and responses under way at Close
	deleteLimit   = 2 * time.Second  // for the DELETE at Close
)

// maxActive is how many messages may be under way at once.
const maxActive = 4096

// Transport is a wire.Transport over Streamable HTTP.
type Transport struct {
	url     *url.URL
	origin  Origin
	header  nethttp.Header
	host    string // replaces the host of the address in the Host header, if not ""
	options Options
	client  nethttp.RoundTripper
	judged  *nethttp.Transport // of requests with credentials; nil if that is client

	sse *endpoint // of the legacy SSE transport; nil for Streamable HTTP

	handler wire.Handler
	reach   wire.ReachWatcher // the handler, if it is one
	notices *wire.Notices

	requests, notes       context.Context // of what is under way
	endRequests, endNotes context.CancelCauseFunc
	peace                 context.Context // ends when a Close may not wait any longer
	endPeace              context.CancelFunc
	work                  sync.WaitGroup // all goroutines but the one of Close
	notesUnderWay         sync.WaitGroup

	mu            sync.Mutex
	started       bool
	closing       bool
	done          chan struct{} // closed after Handler.Closed
	active        int
	waiting       map[wire.ID]*exchange
	gate          chan struct{} // closed when what is sent now may go out; nil is open
	session       string        // secret
	protocol      string        // of the last legacy message that named one
	authorization string        // the last one used; secret
	sent          []string      // the last credentials and session ids, oldest first; secret
	endStream     context.CancelFunc
}

// New returns a Transport for the server at e. Nothing is sent yet. The error
// is an *AddressError or a *HeaderError.
func New(e Endpoint, o Options) (*Transport, error) {
	origin, u, err := parse(e.URL)
	if err != nil {
		return nil, err
	}
	header, host, err := ownHeader(e.Header)
	if err != nil {
		return nil, err
	}
	if o.MaxMessage == 0 {
		o.MaxMessage = wire.DefaultMaxMessage
	}
	t := &Transport{
		url: u, origin: origin, header: header, host: host, options: o, client: o.Client,
		done:    make(chan struct{}),
		waiting: map[wire.ID]*exchange{},
	}
	if t.client == nil {
		t.client = newClient(newDialer())
	}
	t.judged = judged(origin, o)
	t.options.Tap = t.maskedTap(o.Tap)
	t.requests, t.endRequests = context.WithCancelCause(context.Background())
	t.notes, t.endNotes = context.WithCancelCause(context.Background())
	t.peace, t.endPeace = context.WithCancel(context.Background())
	return t, nil
}

// Start begins to hand everything to h. It reaches nothing; an address nobody
// answers at shows at the first Send. The error is the context's, or
// wire.ErrClosed after Close or a second Start.
func (t *Transport) Start(ctx context.Context, h wire.Handler) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.started || t.closing {
		return wire.ErrClosed
	}
	t.started = true
	t.handler = h
	t.reach, _ = h.(wire.ReachWatcher)
	t.notices = wire.NewNotices(h)
	if t.sse != nil {
		t.work.Go(t.live)
	}
	return nil
}

// Send posts m. What is sent after notifications/initialized goes out when that
// has been answered, or after 5 s; apart from this, messages may overtake each
// other. The error is wire.ErrClosed, a *wire.BacklogError, a *HeaderError, or
// about a message that cannot be written as JSON.
func (t *Transport) Send(m wire.Message, o wire.SendOptions) error {
	body, err := wire.Encode(m)
	if err != nil {
		return err
	}
	header, err := messageHeader(m, o)
	if err != nil {
		return err
	}
	x := &exchange{
		method: m.Method, body: body, header: header,
		modern: o.Modern, call: o.Call, undelivered: o.Undelivered,
	}
	if m.Kind() == wire.Request {
		x.id = m.ID
	}
	if err := t.admit(x, o.Protocol); err != nil {
		return err
	}
	t.options.Tap.Show(true, body)
	go t.serve(x)
	return nil
}

// admit enters x into the books.
func (t *Transport) admit(x *exchange, protocol string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case !t.started || t.closing:
		return wire.ErrClosed
	case t.active >= maxActive:
		return &wire.BacklogError{}
	}
	t.active++
	t.work.Add(1)
	x.after = t.gate
	if x.isRequest() {
		x.ctx, x.cancel = context.WithCancelCause(t.requests)
		t.waiting[x.id] = x
	} else {
		t.notesUnderWay.Add(1)
		x.ctx, x.cancel = context.WithCancelCause(t.notes)
	}
	switch {
	case x.method == "initialize": // whatever session there was, this begins another
		t.session = ""
		if t.endStream != nil {
			t.endStream()
		}
	case x.method == "notifications/initialized":
		gate := make(chan struct{})
		x.opened = sync.OnceFunc(func() { close(gate) })
		t.gate = gate
	}
	if !x.modern && protocol != "" {
		t.protocol = protocol
	}
	return nil
}

// dismiss takes x out of the books.
func (t *Transport) dismiss(x *exchange) {
	x.cancel(nil)
	x.open()
	t.mu.Lock()
	t.active--
	if t.waiting[x.id] == x {
		delete(t.waiting, x.id)
	}
	t.mu.Unlock()
	if !x.isRequest() {
		t.notesUnderWay.Done()
	}
	t.work.Done()
}

// Forget ends the exchange of the request id by closing its stream, which in
// 2026-07-28 is how a request is cancelled.
func (t *Transport) Forget(id wire.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x := t.waiting[id]; x != nil {
		delete(t.waiting, id)
		x.cancel(nil)
	}
}

// Close ends all exchanges. Notifications and responses under way get 1 s, the
// DELETE of a session 2 s; when ctx ends, neither is waited for any longer. It
// must not be called from a method of the Handler. The error says that
// something did not end.
func (t *Transport) Close(ctx context.Context) error {
	t.end(nil)
	t.mu.Lock()
	started := t.started
	t.mu.Unlock()
	if !started {
		return nil
	}
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
	}
	t.endPeace()
	select {
	case <-t.done:
		return nil
	case <-time.After(time.Second):
		return errors.New("an exchange with the server did not end")
	}
}

// end begins to end everything, because of err or, if that is nil, because of
// Close. Only the first call does anything.
func (t *Transport) end(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.started && !t.closing {
		go t.shutDown(err)
	}
	t.closing = true
}

// shutDown ends everything in order; see Close.
func (t *Transport) shutDown(err error) {
	defer close(t.done)
	defer t.endPeace()
	t.endRequests(wire.ErrClosed)
	farewell := make(chan struct{})
	go func() {
		t.notesUnderWay.Wait()
		close(farewell)
	}()
	limit := time.NewTimer(farewellLimit)
	select {
	case <-farewell:
	case <-limit.C:
	case <-t.peace.Done():
	}
	limit.Stop()
	t.endNotes(wire.ErrClosed)
	t.work.Wait()
	t.endSession(t.peace)
	if c, ok := t.client.(interface{ CloseIdleConnections() }); ok && t.options.Client == nil {
		c.CloseIdleConnections()
	}
	if t.judged != nil {
		t.judged.CloseIdleConnections()
	}
	t.notices.Stop()
	t.handler.Closed(err)
}

func (t *Transport) notice(kind wire.NoticeKind, text string) { t.notices.Tell(kind, t.masked(text)) }

// maxNotice is how many bytes of a notice's text are kept.
const maxNotice = 4 << 10
