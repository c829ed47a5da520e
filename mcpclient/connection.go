package mcpclient

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// Era is the kind of conversation a server holds.
type Era string

// Modern servers speak 2026-07-28 or later, legacy ones 2025-11-25,
// 2025-06-18 or 2025-03-26.
const (
	Modern Era = "modern"
	Legacy Era = "legacy"
)

// Info is what was learnt when the connection was made.
type Info struct {
	Identity     Identity
	ServerInfo   json.RawMessage // what the server says of itself; nil if nothing
	Protocol     string
	Era          Era
	Capabilities json.RawMessage // an object
	Instructions string          // server text
	// Plain tells that the server refused to be told of the modes of
	// elicitation: it may ask with forms, and cannot ask to open a page.
	Plain bool
}

// Connection is one live connection to a server. Its methods may be called
// from any goroutine.
type Connection struct {
	client    *Client
	server    Server      // as it is reached
	wanted    Server      // as the person set it up: HTTP where server may be SSE
	plain     atomic.Bool // the server is not told of the modes of elicitation
	transport wire.Transport
	user      wire.User // tells whom the credentials stand for; nil where nobody knows
	cache     cache
	done      chan struct{}   // closed when the connection has ended
	life      context.Context // ends when the connection is closed or has ended
	stop      context.CancelFunc

	// unreached is why nothing gets through to the server; nil while it does.
	unreached atomic.Pointer[Failure]

	askedAgain bool // discover was repeated for a revision; only while connecting

	mu      sync.Mutex
	info    Info
	headers map[string][]paramHeader // by tool: its parameters that go out as headers; nil before any list
	refused map[string]i18n.Message  // tools that may not be called, and why
	lastID  int64
	pending map[wire.ID]*pending
	clock   *time.Timer       // calls ring; nil before the first request
	rings   time.Time         // when it will; zero: nobody waits for it
	pushes  map[wire.ID]*push // open questions pushed by the server
	asked   int               // questions pushed outside any call so far
	since   time.Time         // when it was made; zero before
	session session
	closing bool     // by the person
	failure *Failure // why it ended by itself
	calls   sync.WaitGroup
}

// newConnection makes a connection that is about to be negotiated over t.
func (c *Client) newConnection(s Server, id Identity, t wire.Transport) *Connection {
	k := &Connection{
		client:    c,
		server:    s,
		wanted:    s,
		transport: t,
		info:      Info{Identity: id},
		done:      make(chan struct{}),
		pending:   map[wire.ID]*pending{},
		pushes:    map[wire.ID]*push{},
	}
	k.life, k.stop = context.WithCancel(context.Background())
	return k
}

// settleIn begins what belongs to a connection that stands.
func (k *Connection) settleIn() {
	if filter := k.listenFilter(); filter != nil {
		k.begin(func() { k.listen(k.life, filter) })
	}
}

// Info returns what was learnt when the connection was made, and who the person
// is signed in as now.
func (k *Connection) Info() Info {
	k.mu.Lock()
	info := k.info
	k.mu.Unlock()
	if k.user != nil {
		info.Identity.User, info.Identity.Host = k.user.User()
	}
	return info
}

// learn keeps what the server said in its first reply.
func (k *Connection) learn(i Info) {
	k.mu.Lock()
	defer k.mu.Unlock()
	i.Identity, i.Plain = k.info.Identity, k.plain.Load()
	k.info = i
}

// Done is closed when the connection has ended.
func (k *Connection) Done() <-chan struct{} { return k.done }

// Close cancels the calls of the connection, lets its questions die, and ends
// it in order, within the bounds of the transport or until ctx ends.
func (k *Connection) Close(ctx context.Context) error {
	k.mu.Lock()
	k.closing = true
	renewing := k.session.renewing
	k.mu.Unlock()
	if renewing != nil {
		// A session that is half begun would be left with the server.
		hurry := time.NewTimer(closeRenewal)
		select {
		case <-renewing:
		case <-hurry.C:
		case <-ctx.Done():
		}
		hurry.Stop()
	}
	k.stop()
	k.client.mu.Lock()
	var runs []*callRun
	for _, r := range k.client.running {
		if r.conn == k {
			runs = append(runs, r)
		}
	}
	k.client.mu.Unlock()
	for _, r := range runs {
		r.cancel(errClosing)
	}
	k.endPushes(endClosed)
	finished := make(chan struct{})
	go func() {
		k.calls.Wait()
		close(finished)
	}()
	select {
	case <-finished:
	case <-ctx.Done():
	}
	return k.transport.Close(ctx)
}

// isDone reports whether the connection has ended.
func (k *Connection) isDone() bool {
	select {
	case <-k.done:
		return true
	default:
		return false
	}
}

// ended returns why the connection ended by itself; nil if it was closed.
func (k *Connection) ended() *Failure {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failure
}

// declares reports whether the server declares a capability.
func (k *Connection) declares(capability string) bool {
	declared, _ := rawjson.Lookup(k.Info().Capabilities, capability)
	return !isNull(declared)
}

// options are the options of an ordinary request on k.
func (k *Connection) options(callID string) requestOptions {
	info := k.Info()
	return requestOptions{
		protocol: info.Protocol,
		modern:   info.Era == Modern,
		callID:   callID,
		silence:  k.server.silence(),
	}
}

// Receive implements wire.Handler. It routes one message and never waits.
func (k *Connection) Receive(m wire.Message, over wire.ID) {
	k.touch(over)
	switch m.Kind() {
	case wire.Response:
		k.settle(m.ID, reply{message: m})
	case wire.Request:
		k.serve(m, over)
	case wire.Notification:
		k.hear(m, over)
	}
}

// Alive implements wire.Pulse.
func (k *Connection) Alive(over wire.ID) { k.touch(over) }

// touch restarts the clocks that a sign of life over the stream of a request
// concerns: that request's, or all of them on a stream of no request. For the
// handshake nothing but its answer counts: a server of the 2025 era may write
// to its log all day and know no server/discover.
func (k *Connection) touch(over wire.ID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	if p, ok := k.pending[over]; ok {
		if !p.hello {
			k.watch(p, now)
		}
		return
	}
	for _, p := range k.pending {
		if !p.hello {
			k.watch(p, now)
		}
	}
}

// settle hands a reply to the request that waits for it. A late one, of a
// request that was given up, is dropped; one that was never made is shown.
func (k *Connection) settle(id wire.ID, r reply) {
	k.mu.Lock()
	stray := r.err == nil && !k.isMade(id)
	k.end(id, r)
	k.mu.Unlock()
	switch {
	case !stray:
	case id.IsZero() && r.message.Error != nil:
		k.notice(i18n.M("core.notice.noid"), clip(r.message.Error.Message))
	default:
		k.notice(i18n.M("core.notice.unknownid"), clip(id.String()))
	}
}

// isMade reports whether a request with the id was ever sent. k.mu is held.
func (k *Connection) isMade(id wire.ID) bool {
	n, err := strconv.ParseInt(id.String(), 10, 64)
	return err == nil && n > 0 && n <= k.lastID
}

// serve answers a request of the server.
func (k *Connection) serve(m wire.Message, over wire.ID) {
	switch {
	case m.Method == "ping":
		k.respond(m.ID, json.RawMessage("{}"), nil)
	case m.Method == "elicitation/create" && k.Info().Era == Legacy:
		k.pushed(m, over)
	default:
		// Sampling and roots are not offered, and a modern server has no
		// requests to make; asked for anyway, they are refused and shown.
		k.notice(i18n.M("core.notice.unoffered", "Method", clip(m.Method)), "")
		k.respond(m.ID, nil, &wire.Error{Code: wire.CodeMethodNotFound, Message: "Parley does not offer " + clip(m.Method)})
	}
}

// respond sends the reply to a request of the server that no person is asked
// for; one that does not arrive is dropped.
func (k *Connection) respond(id wire.ID, result json.RawMessage, failure *wire.Error) {
	k.send(wire.Message{ID: id, Result: result, Error: failure}, func(error) {})
}

// send sends a response; undelivered is called when the server does not get it.
func (k *Connection) send(m wire.Message, undelivered func(error)) {
	o := k.options("")
	if err := k.transport.Send(m, wire.SendOptions{Protocol: o.protocol, Modern: o.modern, Undelivered: undelivered}); err != nil {
		undelivered(err)
	}
}

// Failed implements wire.Handler.
func (k *Connection) Failed(id wire.ID, err error) {
	k.settle(id, reply{err: err})
}

// Noticed implements wire.Handler.
func (k *Connection) Noticed(n wire.Notice) {
	k.client.announce(Event{ServerID: k.server.ID, Notice: &Notice{
		Text: transportNotices[n.Kind], Detail: n.Text, Kind: n.Kind, Count: n.Count}})
}

// transportNotices puts the transports' notices into words.
var transportNotices = map[wire.NoticeKind]i18n.Message{
	wire.NoticeStderr: i18n.M("core.notice.stderr"),
	wire.NoticeStray:  i18n.M("core.notice.stray"),
	wire.NoticeStream: i18n.M("core.notice.stream"),
}

// notice tells of something odd that ended nothing.
func (k *Connection) notice(text i18n.Message, detail string) {
	k.client.announce(Event{ServerID: k.server.ID, Notice: &Notice{Text: text, Detail: detail}})
}

// fail ends the connection for a reason of its own.
func (k *Connection) fail(f *Failure) {
	k.mu.Lock()
	if k.failure == nil && !k.isDone() {
		k.failure = f
	}
	k.mu.Unlock()
	k.client.leave(func() { k.transport.Close(context.Background()) })
}

// Closed implements wire.Handler.
func (k *Connection) Closed(err error) {
	k.mu.Lock()
	if k.isDone() {
		k.mu.Unlock()
		return
	}
	state := Closed
	if !k.closing {
		state = Lost
		if k.failure == nil {
			k.failure = lost(err)
		}
	}
	failure, info, since := k.failure, k.info, k.since
	close(k.done)
	if k.clock != nil {
		k.clock.Stop()
	}
	k.mu.Unlock()
	k.stop()

	k.endPushes(endingOf(errGone{failure}))

	c := k.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.connections[k.server.ID] != k {
		return // it never got as far as being a connection
	}
	delete(c.connections, k.server.ID)
	if state == Lost && c.revive(k.wanted, failure, c.now().Sub(since)) {
		return
	}
	c.tell(Event{ServerID: k.server.ID, Connection: &Status{State: state, Info: &info, Failure: failure}})
}
