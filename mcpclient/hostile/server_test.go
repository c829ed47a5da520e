package hostile

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"parley/mcpclient"
)

// server is what a peer knows whichever way it is reached: a good server but
// for one behaviour.
type server struct {
	behaviour
	place

	mu      sync.Mutex
	waiting map[string]chan message // by the id of a request of the server's
	over    chan struct{}           // closed when the peer ends
	notes   []string                // what the server remembers from one request to the next
	trap    string                  // another address, where nothing may arrive; "" for none
}

func newServer(b behaviour, p place) *server {
	return &server{behaviour: b, place: p, waiting: map[string]chan message{}, over: make(chan struct{})}
}

// message is one message of the client.
type message struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// tool is the name of the tool that is called, or of whatever else is named.
func (m message) tool() string {
	var params struct{ Name, URI string }
	json.Unmarshal(m.Params, &params)
	return params.Name + params.URI
}

// attacked reports whether this message is where the behaviour begins.
func (s *server) attacked(m message) bool {
	switch {
	case s.on != "":
		return m.Method == s.on
	default:
		return m.Method == "tools/call" && m.tool() == attack
	}
}

// The two tools: a call of the first meets the behaviour, one of the other is
// an ordinary call.
const (
	attack   = "attack"
	ordinary = "ordinary"
)

// talk is one message of the client, and where to say something about it.
type talk struct {
	*server
	message
	out func(raw string) // sends one message, or what is to pass for one
}

// say sends the texts; $id in them stands for the id of the client's request.
func (t *talk) say(texts ...string) {
	for _, text := range texts {
		t.out(strings.ReplaceAll(text, "$id", string(t.ID)))
	}
}

// result replies with a result.
func (t *talk) result(result string) { t.say(`{"jsonrpc":"2.0","id":$id,"result":` + result + `}`) }

// fine replies as a good server does to a call.
func (t *talk) fine() { t.result(fineResult) }

const fineResult = `{"content":[{"type":"text","text":"fine"}]}`

// retried reports whether the client's request answers a round, and with what.
func (t *talk) retried() (responses, state string) {
	var params struct {
		InputResponses, RequestState json.RawMessage
	}
	json.Unmarshal(t.Params, &params)
	return string(params.InputResponses), string(params.RequestState)
}

// token is the progress token of the client's request, as JSON.
func (t *talk) token() string {
	var params struct {
		Meta struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	json.Unmarshal(t.Params, &params)
	return string(params.Meta.Token)
}

// expect gets ready for the client's reply to a request of the server's, whose
// id is given as JSON; the function returned waits for it.
func (s *server) expect(id string) (await func() message) {
	replied := make(chan message, 16)
	s.mu.Lock()
	s.waiting[id] = replied
	s.mu.Unlock()
	return func() message {
		select {
		case m := <-replied:
			return m
		case <-s.over:
			return message{}
		}
	}
}

// ask sends a request of the server's and waits for the client's reply.
func (t *talk) ask(id, method, params string) message {
	await := t.expect(id)
	t.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return await()
}

// note remembers something and reports whether that is new.
func (s *server) note(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.notes {
		if n == text {
			return false
		}
	}
	s.notes = append(s.notes, text)
	return true
}

// heard takes a reply of the client's.
func (s *server) heard(m message) {
	s.mu.Lock()
	replied := s.waiting[string(m.ID)]
	s.mu.Unlock()
	if replied != nil {
		select {
		case replied <- m:
		default: // more than anybody asked for
		}
	}
}

// serve answers a message of the client, which is no reply.
func (s *server) serve(m message, out func(string)) {
	t := &talk{server: s, message: m, out: out}
	if s.attacked(m) && s.say != nil {
		s.say(t)
		return
	}
	if m.ID == nil {
		return
	}
	modern := s.era == mcpclient.Modern
	switch {
	case m.Method == "server/discover" && modern:
		t.result(discovered)
	case m.Method == "initialize" && (!modern || s.on == "server/discover"):
		t.result(initialized)
	case m.Method == "tools/list":
		t.result(`{"tools":[{"name":"attack","inputSchema":{"type":"object"}},{"name":"ordinary","inputSchema":{"type":"object"}}]}`)
	case m.Method == "ping":
		t.result(`{}`)
	case m.Method == "tools/call":
		t.fine()
	default:
		t.say(`{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"no such method"}}`)
	}
}

const (
	discovered  = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"hostile","version":"1"}}}`
	initialized = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1"}}`
)

// verdict ends the call well, or with a failure of the tool if the client did
// not do what it should have.
func (t *talk) verdict(right bool) {
	if right {
		t.fine()
		return
	}
	t.result(`{"content":[],"isError":true}`)
}

// begin sends a line of the server's log.
func (t *talk) begin() {
	t.say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"begun"}}`)
}

// storm sends text n times; $n in it stands for the number.
func (t *talk) storm(n int, text string) {
	for i := range n {
		t.say(strings.ReplaceAll(text, "$n", strconv.Itoa(i)))
	}
}

// says is a behaviour that sends the texts.
func says(texts ...string) func(*talk) { return func(t *talk) { t.say(texts...) } }

// replies with a result that is given.
func results(result string) func(*talk) { return func(t *talk) { t.result(result) } }

// later makes a behaviour when it is played, for those whose texts are long:
// each program of the peer would else make the texts of all.
func later(behaviour func() func(*talk)) func(*talk) { return func(t *talk) { behaviour()(t) } }

// first is says, followed by a good reply.
func first(texts ...string) func(*talk) {
	return func(t *talk) {
		t.say(texts...)
		t.fine()
	}
}
