package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// peer is a server in memory: a wire.Transport whose other end is script. The
// bytes that would go over a wire are what it sees and says.
type peer struct {
	script func(p *peer, m wire.Message)
	kind   TransportKind // it was dialled as

	mu     sync.Mutex
	h      wire.Handler
	seen   []sent
	closed bool
	forgot []wire.ID
	lose   error // what becomes of responses; nil: they arrive
}

// sent is one message that reached the server, with how it was to be sent.
type sent struct {
	wire.Message
	wire.SendOptions
}

func (p *peer) Start(_ context.Context, h wire.Handler) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.h = h
	return nil
}

func (p *peer) Send(m wire.Message, o wire.SendOptions) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return wire.ErrClosed
	}
	if p.lose != nil && m.Kind() == wire.Response {
		lost := p.lose
		p.mu.Unlock()
		go o.Undelivered(lost)
		return nil
	}
	p.seen = append(p.seen, sent{m, o})
	p.mu.Unlock()
	go p.script(p, m)
	return nil
}

func (p *peer) Forget(id wire.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgot = append(p.forgot, id)
}

func (p *peer) Close(context.Context) error { p.end(nil); return nil }

// end is the end of the transport; err nil is one in order.
func (p *peer) end(err error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.closed = true
	h := p.h
	p.mu.Unlock()
	h.Closed(err)
}

// say sends one message to the client, as JSON text; over is the request whose
// reply stream it comes on.
func (p *peer) say(over wire.ID, text string) {
	m, err := wire.Decode([]byte(text))
	if err != nil {
		panic(err)
	}
	p.h.Receive(m, over)
}

// reply answers a request with a result.
func (p *peer) reply(m wire.Message, result string) {
	p.say(m.ID, `{"jsonrpc":"2.0","id":`+m.ID.String()+`,"result":`+result+`}`)
}

// refuse answers a request with an error object.
func (p *peer) refuse(m wire.Message, e string) {
	p.say(m.ID, `{"jsonrpc":"2.0","id":`+m.ID.String()+`,"error":`+e+`}`)
}

// fail lets a request fail in the transport.
func (p *peer) fail(m wire.Message, err error) { p.h.Failed(m.ID, err) }

// refuseResponses makes the server take no response any more.
func (p *peer) refuseResponses(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lose = err
}

// requests returns what was sent with the method.
func (p *peer) requests(method string) []sent {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.seen), func(s sent) bool { return s.Method != method })
}

// responses returns the responses the client sent, by the id's JSON text.
func (p *peer) responses() map[string]sent {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[string]sent{}
	for _, s := range p.seen {
		if s.Kind() == wire.Response {
			out[s.ID.String()] = s
		}
	}
	return out
}

const discovered = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake"}}}`

// modern is the script of a 2026-07-28 server whose calls go to call.
func modern(call func(p *peer, m wire.Message, params []rawjson.Member)) func(*peer, wire.Message) {
	return func(p *peer, m wire.Message) {
		params, _ := rawjson.Object(m.Params)
		switch m.Method {
		case "server/discover":
			p.reply(m, discovered)
		case "tools/call", "prompts/get", "resources/read":
			call(p, m, params)
		}
	}
}

// legacy is the script of a 2025-11-25 server: calls go to call, everything
// else the client sends to other, which may be nil.
func legacy(call func(p *peer, m wire.Message), other func(p *peer, m wire.Message)) func(*peer, wire.Message) {
	return func(p *peer, m wire.Message) {
		switch {
		case m.Method == "server/discover":
			p.refuse(m, `{"code":-32601,"message":"what?"}`)
		case m.Method == "initialize":
			p.reply(m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old"}}`)
		case m.Method == "tools/call", m.Method == "prompts/get", m.Method == "resources/read":
			call(p, m)
		case other != nil:
			other(p, m)
		}
	}
}

// bench is a client with one server, its peers (one a connection attempt) and
// the events so far.
type bench struct {
	t      *testing.T
	client *Client
	conn   *Connection
	events chan Event

	mu    sync.Mutex
	peers []*peer
}

var testServer = Server{ID: "s1", Name: "Travel desk", Kind: Stdio, Command: "travel", Args: []string{"--stdio"}}

// newBench makes a client whose server s follows script; it is not connected
// yet.
func newBench(t *testing.T, s Server, script func(*peer, wire.Message)) *bench {
	t.Helper()
	return newBenchWith(t, Options{}, script)
}

// newBenchWith is newBench for a client with options of its own.
func newBenchWith(t *testing.T, o Options, script func(*peer, wire.Message)) *bench {
	t.Helper()
	b := &bench{t: t, events: make(chan Event, 10_000)}
	o.Version = "1.2.3"
	o.Dial = func(s Server, _ DialOptions) (wire.Transport, error) {
		p := &peer{script: script, kind: s.Kind}
		b.mu.Lock()
		b.peers = append(b.peers, p)
		b.mu.Unlock()
		return p, nil
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	b.client = c
	c.Watch(func(e Event) { b.events <- e })
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return b
}

// connected is newBench with the connection made.
func connected(t *testing.T, script func(*peer, wire.Message)) *bench {
	t.Helper()
	b := newBench(t, testServer, script)
	k, err := b.client.Connect(t.Context(), testServer)
	if err != nil {
		t.Fatalf("connecting: %v", err)
	}
	b.conn = k
	return b
}

// peer is the server's end of the connection that stands.
func (b *bench) peer() *peer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.peers[len(b.peers)-1]
}

// dialled returns how often a transport was made.
func (b *bench) dialled() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.peers)
}

// status waits for the next event of a connection that has the state.
func (b *bench) status(s ConnectionState) Status {
	b.t.Helper()
	return *b.until(func(e Event) bool { return e.Connection != nil && e.Connection.State == s }).Connection
}

// notice waits for a notice.
func (b *bench) notice(id string) Notice {
	b.t.Helper()
	return *b.until(func(e Event) bool { return e.Notice != nil && e.Notice.Text.ID == id }).Notice
}

// call starts a tools/call and returns its id.
func (b *bench) call(r CallRequest) string {
	if r.Kind == "" {
		r.Kind = CallTool
	}
	if r.Name == "" {
		r.Name = "tool"
	}
	return b.conn.Start(r)
}

// until waits for the first event that want accepts.
func (b *bench) until(want func(Event) bool) Event {
	b.t.Helper()
	for {
		select {
		case e := <-b.events:
			if want(e) {
				return e
			}
		case <-b.t.Context().Done():
			b.t.Fatal("the event did not come")
		}
	}
}

// question waits for the next question that opens.
func (b *bench) question() Elicitation {
	b.t.Helper()
	return *b.until(func(e Event) bool {
		return e.Elicitation != nil && e.Elicitation.State == ElicitationOpen && e.Elicitation.Draft == nil
	}).Elicitation
}

// ended waits for a call to end.
func (b *bench) ended(id string) Call {
	b.t.Helper()
	return *b.until(func(e Event) bool { return e.Call != nil && e.Call.ID == id && e.Call.State.Ended() }).Call
}

// state waits for a call to reach a state.
func (b *bench) state(id string, s CallState) Call {
	b.t.Helper()
	return *b.until(func(e Event) bool { return e.Call != nil && e.Call.ID == id && e.Call.State == s }).Call
}

// answer answers a question and fails the test if that is refused.
func (b *bench) answer(e Elicitation, a Answer) {
	b.t.Helper()
	if err := b.client.Answer(e.ID, a); err != nil {
		b.t.Fatalf("answering %q: %v", e.Key, err)
	}
}

func accepted(content string) Answer {
	return Answer{Action: Accept, Content: json.RawMessage(content)}
}

// param returns a member of a message's params.
func param(s sent, key string) string {
	m, _ := rawjson.Object(s.Params)
	return string(rawjson.Get(m, key))
}

var errBroken = errors.New("the pipe broke")
