package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// The ways in which the bytes of a fuzz run become a reply.
const (
	asWhole  = iota // the whole message, or a batch, ids included
	asResult        // the result of a proper reply
	asError         // the error of a proper reply
	asText          // every text of a reply that is otherwise in order
	asStatus        // over HTTP, the error in the body of a refusal; a program ends
	wayCount
)

// promptPeer is a peer that answers on the goroutine that sends: a fuzz run then
// takes the same path every time.
type promptPeer struct{ peer }

func (p *promptPeer) Send(m wire.Message, o wire.SendOptions) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return wire.ErrClosed
	}
	p.seen = append(p.seen, sent{m, o})
	p.mu.Unlock()
	p.script(&p.peer, m)
	return nil
}

// maxGreetings bounds the transports of one attempt to connect: what is
// remembered, server/discover, and initialize over two transports, the latter
// three with the modes of elicitation and without.
const maxGreetings = 7

// fuzzedHello is a server whose replies to the two greetings are any bytes.
// One that has been heard and has answered nothing ends or fails at once, so
// that no run waits for a clock.
type fuzzedHello struct {
	kind                 TransportKind
	discover, initialize []byte
	discoverWay          int
	initializeWay        int
}

// script answers m. Everything but the greetings is refused.
func (f fuzzedHello) script(p *peer, m wire.Message) {
	switch m.Method {
	case "server/discover":
		f.answer(p, m, f.discover, f.discoverWay)
	case "initialize":
		f.answer(p, m, f.initialize, f.initializeWay)
	default:
		if m.Kind() == wire.Request {
			p.refuse(m, `{"code":-32601,"message":"no"}`)
		}
	}
}

func (f fuzzedHello) answer(p *peer, m wire.Message, data []byte, way int) {
	head := `{"jsonrpc":"2.0","id":` + m.ID.String() + `,`
	switch way {
	case asResult:
		data = []byte(head + `"result":` + string(data) + `}`)
	case asError:
		data = []byte(head + `"error":` + string(data) + `}`)
	case asText:
		text := string(quote(string(data)))
		data = []byte(head + `"result":{"supportedVersions":["2026-07-28",` + text + `],"protocolVersion":"2025-11-25","instructions":` + text +
			`,"capabilities":{` + text + `:` + text + `},"serverInfo":{"name":` + text + `},"_meta":{"` + metaServerInfo + `":` + text + `}}}`)
	case asStatus:
		f.refuse(p, m, data)
		return
	}
	for reply, err := range wire.DecodeAll(data) {
		if err != nil {
			f.fail(p, m, err)
			return
		}
		p.h.Receive(reply, m.ID)
		if reply.Kind() == wire.Response && reply.ID == m.ID {
			return
		}
	}
	f.fail(p, m, &http.ReplyError{Kind: http.ReplyMissing})
}

// refuse is what becomes of a greeting that the transport refuses.
func (f fuzzedHello) refuse(p *peer, m wire.Message, data []byte) {
	statuses := []int{400, 401, 403, 404, 405, 415, 500, 200}
	refusal := &http.StatusError{Status: statuses[len(data)%len(statuses)], HTML: len(data)%3 == 0}
	if reply, err := wire.Decode(data); err == nil {
		refusal.RPC = reply.Error
	}
	f.fail(p, m, refusal)
}

// fail ends the wait for the reply to m, as the transport of the kind does.
func (f fuzzedHello) fail(p *peer, m wire.Message, err error) {
	if f.kind == Stdio {
		p.end(err)
		return
	}
	p.h.Failed(m.ID, err)
}

// recalled is a Memory that knows one thing of every server, and keeps the last
// thing learnt.
type recalled struct {
	known Learnt
	kept  []Learnt
}

func (r *recalled) Recall(Server) Learnt        { return r.known }
func (r *recalled) Remember(_ Server, l Learnt) { r.kept = append(r.kept, l) }

// memories are what a fuzz run may have been told of a server, true or not.
var memories = []Learnt{
	{},
	{Protocol: "2025-06-18", Version: "1"},
	{Protocol: "2025-11-25", Plain: true},
	{Protocol: "2025-03-26", Transport: SSE},
	{Protocol: "2026-07-28"},
	{Protocol: "1999-01-01", Transport: "pigeon"},
}

// FuzzHandshake: whatever a server answers to server/discover and initialize,
// over either transport, with or without a pinned revision, and whatever is
// remembered of it, comes to a connection that says sane things of itself or to
// a failure in words.
func FuzzHandshake(f *testing.F) {
	greeting := []byte(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"hi","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"n"}}}`)
	agreed := []byte(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old"}}`)
	old := []byte(`{"code":-32601,"message":"what?"}`)
	for _, discover := range []string{
		`{}`, `null`, `7`, `[]`, `"2026-07-28"`, `{"supportedVersions":null}`, `{"supportedVersions":["2025-11-25"]}`,
		`{"supportedVersions":["2030-01-01",null,7,{}]}`, `{"supportedVersions":["2026-07-28"],"capabilities":null,"_meta":7}`,
		`{"resultType":"input_required","inputRequests":{"k":null}}`, `{"resultType":"weird","supportedVersions":["2026-07-28"]}`,
		`{"supportedVersions":["2026-07-28"],"instructions":"\ud800\u202e\u0000"}`,
	} {
		f.Add([]byte(discover), agreed, byte(asResult), byte(asResult), byte(0))
	}
	for _, refusal := range []string{
		`{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}`, `{"code":-32022,"data":{"supported":["2025-06-18","x"]}}`,
		`{"code":-32022,"data":7}`, `{"code":-32021,"message":"x","data":{"requiredCapabilities":{"sampling":{}}}}`,
		`{"code":-32602,"message":"initialize first"}`, `{"code":"x"}`, `"no"`, `{"code":9007199254740993}`, `{"code":-32042,"data":{"elicitations":[null]}}`,
	} {
		f.Add([]byte(refusal), agreed, byte(asError), byte(asResult), byte(1))
		f.Add([]byte(`{"jsonrpc":"2.0","id":1,"error":`+refusal+`}`), agreed, byte(asStatus), byte(asResult), byte(3))
	}
	for _, initialize := range []string{
		`{}`, `null`, `7`, `{"protocolVersion":7}`, `{"protocolVersion":"2024-11-05"}`, `{"protocolVersion":"2026-07-28"}`,
		`{"protocolVersion":"2025-06-18","capabilities":[],"serverInfo":null,"instructions":{}}`,
	} {
		f.Add(old, []byte(initialize), byte(asError), byte(asResult), byte(0))
	}
	for _, whole := range []string{
		"", "Server v1 started\n", "<!doctype html><title>Sign in</title>", "\xEF\xBB\xBF{}", `[]`, `[{"jsonrpc":"2.0","id":1,"result":{}},null]`,
		`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`[{"jsonrpc":"2.0","id":"p","method":"ping"},{"jsonrpc":"2.0","id":1,"result":` + string(greeting) + `}]`,
		`{"jsonrpc":"2.0","id":"1","result":{}}`, `{"jsonrpc":"2.0","id":1.0,"result":` + string(agreed) + `}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`,
	} {
		f.Add([]byte(whole), []byte(whole), byte(asWhole), byte(asWhole), byte(0))
		f.Add([]byte(whole), agreed, byte(asWhole), byte(asResult), byte(1))
	}
	f.Add([]byte("\xff\u202e\u0000"), []byte("\xff\u202e"), byte(asText), byte(asText), byte(0))
	f.Add(greeting, agreed, byte(asResult), byte(asResult), byte(2))
	f.Add(old, agreed, byte(asError), byte(asText), byte(4))
	for how := range byte(6 * len(memories)) {
		f.Add(old, agreed, byte(asError), byte(asResult), how)
		f.Add(greeting, old, byte(asResult), byte(asError), how)
		f.Add([]byte(`{"code":-32602,"message":"capabilities.elicitation"}`), []byte(`{"code":-32602,"message":"elicitation.form"}`), byte(asError), byte(asError), how)
	}

	pins := []string{"", "2026-07-28", "2025-06-18"}
	f.Fuzz(func(t *testing.T, discover, initialize []byte, discoverWay, initializeWay, how byte) {
		s := testServer
		s.Silence = time.Minute // what is never answered shows as a time-out
		if how%2 == 1 {
			s.Kind, s.URL = HTTP, "https://mcp.travel.example/mcp"
		}
		s.Protocol = pins[int(how/2)%len(pins)]
		memory := &recalled{known: memories[int(how/6)%len(memories)]}
		hello := fuzzedHello{kind: s.Kind, discover: discover, initialize: initialize,
			discoverWay: int(discoverWay) % wayCount, initializeWay: int(initializeWay) % wayCount}
		var peers []*promptPeer
		c, err := New(Options{Memory: memory, Dial: func(Server, DialOptions) (wire.Transport, error) {
			p := &promptPeer{peer{script: hello.script}}
			peers = append(peers, p)
			return p, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		k, err := c.Connect(t.Context(), s)
		if err != nil {
			checkNoConnection(t, c, s, err)
		} else {
			checkInfo(t, s, k.Info())
		}
		for _, l := range memory.kept {
			if l != (Learnt{}) && !slices.Contains(modernRevisions, l.Protocol) && !slices.Contains(legacyRevisions, l.Protocol) {
				t.Errorf("what was learnt is %+v", l)
			}
		}
		if len(peers) > maxGreetings {
			t.Errorf("%d connections were tried for one", len(peers))
		}
		for _, p := range peers {
			if n := len(p.requests("server/discover")) + len(p.requests("initialize")); n > 2 {
				t.Errorf("the server was greeted %d times", n)
			}
		}
		if err := c.Close(context.Background()); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
}

// checkNoConnection holds what is true of every attempt that came to nothing.
func checkNoConnection(t *testing.T, c *Client, s Server, err error) {
	t.Helper()
	f, ok := errors.AsType[*Failure](err)
	if !ok {
		t.Fatalf("the error is a %T", err)
	}
	if f.Kind != FailLost {
		t.Errorf("a server that answered at once failed as %q: %v", f.Kind, f)
	}
	if words := f.Error(); words == "" || words == f.Text.ID || !utf8.ValidString(words) {
		t.Errorf("%q is no sentence", words)
	}
	if c.Connection(s.ID) != nil || len(c.Elicitations()) > 0 {
		t.Error("something is left of a connection that was not made")
	}
}

// checkInfo holds what is true of every connection, whatever the server said.
func checkInfo(t *testing.T, s Server, i Info) {
	t.Helper()
	revisions := map[Era][]string{Modern: modernRevisions, Legacy: legacyRevisions}[i.Era]
	if !slices.Contains(revisions, i.Protocol) {
		t.Errorf("era %q speaks %q", i.Era, i.Protocol)
	}
	if s.Protocol != "" && i.Protocol != s.Protocol {
		t.Errorf("pinned to %s, it speaks %s", s.Protocol, i.Protocol)
	}
	if i.Identity.Name != s.Name {
		t.Errorf("the server is called %q, not as the person calls it", i.Identity.Name)
	}
	if !json.Valid(i.Capabilities) || !isObject(i.Capabilities) {
		t.Errorf("the capabilities are %q", i.Capabilities)
	}
	if i.ServerInfo != nil && (!json.Valid(i.ServerInfo) || isNull(i.ServerInfo)) {
		t.Errorf("the server info is %q", i.ServerInfo)
	}
	if !utf8.ValidString(i.Instructions) {
		t.Errorf("the instructions %q are no text", i.Instructions)
	}
}
