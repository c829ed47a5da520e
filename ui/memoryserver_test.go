package ui

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// tool is what a server in memory does when it is called: it gets the params
// and returns a result, or nil to stay silent.
type tool func(s *memoryServer, params []rawMember) json.RawMessage

type rawMember = rawjson.Member

// memoryServer is an MCP server in memory, behind the client's real transport
// contract.
type memoryServer struct {
	tools  map[string]tool
	legacy bool
	fails  string // a method
	mute   bool   // nothing is answered
	says   string // further members of serverInfo
	heard  func() // called for everything that came

	mu      sync.Mutex
	conn    *memoryConn    // the newest
	sent    []wire.Message // by the client
	calling wire.ID        // the newest tools/call
	schema  string         // of all tools; "" takes anything
	held    chan struct{}  // what tools/list waits for; nil for nothing
}

// memoryConn is one connection to a memoryServer: a wire.Transport.
type memoryConn struct {
	s      *memoryServer
	h      wire.Handler // guarded by s.mu, as closed
	closed bool
}

func (s *memoryServer) dial() wire.Transport {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = &memoryConn{s: s}
	return s.conn
}

func (c *memoryConn) Start(_ context.Context, h wire.Handler) error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.h = h
	return nil
}

func (c *memoryConn) Send(m wire.Message, _ wire.SendOptions) error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.closed {
		return wire.ErrClosed
	}
	c.s.sent = append(c.s.sent, m)
	c.s.heard()
	go c.s.serve(c, m)
	return nil
}

func (c *memoryConn) Forget(wire.ID) {}

func (c *memoryConn) Close(context.Context) error { c.end(nil); return nil }

func (c *memoryConn) end(err error) {
	c.s.mu.Lock()
	if c.closed || c.h == nil {
		c.s.mu.Unlock()
		return
	}
	c.closed = true
	h := c.h
	c.s.mu.Unlock()
	h.Closed(err)
}

// die ends the newest connection; err is why.
func (s *memoryServer) die(err error) {
	s.mu.Lock()
	c := s.conn
	s.mu.Unlock()
	c.end(err)
}

func (s *memoryServer) serve(c *memoryConn, m wire.Message) {
	reply := func(result string) {
		c.say(`{"jsonrpc":"2.0","id":` + m.ID.String() + `,"result":` + result + `}`)
	}
	if m.Method == s.fails {
		c.say(`{"jsonrpc":"2.0","id":` + m.ID.String() + `,"error":{"code":-32000,"message":"Say the ` + "\\u202e" + `magic word.","data":{"seats":0}}}`)
		return
	}
	if s.mute {
		return
	}
	says := ""
	if s.says != "" {
		says = "," + s.says
	}
	switch m.Method {
	case "server/discover":
		if s.legacy {
			c.say(`{"jsonrpc":"2.0","id":` + m.ID.String() + `,"error":{"code":-32601,"message":"unknown"}}`)
			return
		}
		reply(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"TravelBot","version":"2.1"` + says + `}}}`)
	case "initialize":
		reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"TravelBot","version":"2.1"` + says + `}}`)
	case "tools/list":
		list, held := s.list()
		if held != nil {
			<-held
		}
		reply(list)
	case "tools/call":
		s.mu.Lock()
		s.calling = m.ID
		s.mu.Unlock()
		params, _ := rawjson.Object(m.Params)
		name, _ := rawjson.String(rawjson.Get(params, "name"))
		s.mu.Lock()
		do := s.tools[name]
		s.mu.Unlock()
		if result := do(s, params); result != nil {
			reply(string(result))
		}
	}
}

// list is the answer to tools/list, and what it waits for.
func (s *memoryServer) list() (result string, held chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	schema := s.schema
	if schema == "" {
		schema = `{"type":"object"}`
	}
	names := make([]string, 0, len(s.tools))
	for name := range s.tools {
		names = append(names, `{"name":"`+name+`","title":"Book a trip","inputSchema":`+schema+`}`)
	}
	slices.Sort(names)
	return `{"resultType":"complete","tools":[` + strings.Join(names, ",") + `]}`, s.held
}

// change changes what the server offers and tells of it.
func (s *memoryServer) change(f func()) {
	s.mu.Lock()
	f()
	s.mu.Unlock()
	s.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
}

// say sends one message to the client on the newest connection, as JSON text.
func (s *memoryServer) say(text string) {
	s.mu.Lock()
	c := s.conn
	s.mu.Unlock()
	c.say(text)
}

func (c *memoryConn) say(text string) {
	m, err := wire.Decode([]byte(text))
	if err != nil {
		panic(err)
	}
	c.s.mu.Lock()
	h, over := c.h, c.s.calling
	c.s.mu.Unlock()
	h.Receive(m, over)
}

// id is the id of the newest tools/call, as JSON.
func (s *memoryServer) id() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calling.String()
}

// requests returns what the client sent with the method.
func (s *memoryServer) requests(method string) []wire.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []wire.Message
	for _, m := range s.sent {
		if m.Method == method {
			out = append(out, m)
		}
	}
	return out
}

// asking is a tool that asks with the given inputRequests and, once it has
// answers, returns them as its result.
func asking(inputRequests string) tool {
	return func(_ *memoryServer, params []rawMember) json.RawMessage {
		if got := rawjson.Get(params, "inputResponses"); got != nil {
			text, _ := json.Marshal(string(got))
			return json.RawMessage(`{"resultType":"complete","content":[{"type":"text","text":` + string(text) + `}]}`)
		}
		return json.RawMessage(`{"resultType":"input_required","requestState":"s1","inputRequests":` + inputRequests + `}`)
	}
}

// formRequest is an inputRequests entry in form mode.
func formRequest(message, schema string) string {
	text, _ := json.Marshal(message)
	return `{"method":"elicitation/create","params":{"mode":"form","message":` + string(text) + `,"requestedSchema":` + schema + `}}`
}

// urlRequest is an inputRequests entry in URL mode.
func urlRequest(message, url string) string {
	text, _ := json.Marshal(message)
	address, _ := json.Marshal(url)
	return `{"method":"elicitation/create","params":{"mode":"url","message":` + string(text) + `,"url":` + string(address) + `}}`
}
