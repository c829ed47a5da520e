package mcpclient

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/forms/rawjson"
	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

func TestC5_C6_B33_EveryModernRequestDeclaresBothModes(t *testing.T) {
	b := connected(t, func(p *peer, m wire.Message) {
		switch m.Method {
		case "server/discover":
			p.reply(m, `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{}}}`)
		case "tools/list":
			p.reply(m, `{"tools":[]}`)
		case "prompts/list":
			p.reply(m, `{"prompts":[]}`)
		case "resources/list":
			p.reply(m, `{"resources":[]}`)
		case "resources/templates/list":
			p.reply(m, `{"resourceTemplates":[]}`)
		case "tools/call":
			if len(p.requests(m.Method)) == 1 {
				p.reply(m, needs(`{"a":`+formAsk("a")+`}`, `"s"`))
				return
			}
			p.reply(m, doneResult)
		}
	})
	if _, err := b.conn.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := b.call(CallRequest{})
	b.answer(b.question(), accepted(`{}`))
	b.ended(id)
	p := b.peer()
	if len(p.seen) != 7 {
		t.Fatalf("%d messages were sent, want 7", len(p.seen))
	}
	for _, s := range p.seen {
		meta, _ := rawjson.Object(json.RawMessage(param(s, "_meta")))
		if got := string(rawjson.Get(meta, metaCapabilities)); got != `{"elicitation":{"form":{},"url":{}}}` {
			t.Errorf("%s declares %s", s.Method, got)
		}
		if got := text(rawjson.Get(meta, metaProtocol)); got != "2026-07-28" || s.Protocol != got || !s.Modern {
			t.Errorf("%s is sent as %q (header %q)", s.Method, got, s.Protocol)
		}
		if got := string(rawjson.Get(meta, metaClientInfo)); got != `{"name":"Parley","version":"1.2.3"}` {
			t.Errorf("%s names the client %s", s.Method, got)
		}
	}
}

func TestC5_C6_ALegacyServerIsToldAtInitialize(t *testing.T) {
	b := connected(t, legacy(func(*peer, wire.Message) {}, nil))
	i := b.peer().requests("initialize")[0]
	if got := param(i, "capabilities"); got != `{"elicitation":{"form":{},"url":{}}}` {
		t.Errorf("initialize declares %s", got)
	}
	if got := param(i, "protocolVersion"); got != `"2025-11-25"` {
		t.Errorf("initialize asks for %s", got)
	}
	if n := b.peer().requests("notifications/initialized"); len(n) != 1 || n[0].Protocol != "2025-11-25" {
		t.Errorf("initialized was sent as %+v", n)
	}
	info := b.conn.Info()
	if info.Era != Legacy || info.Protocol != "2025-11-25" || string(info.ServerInfo) != `{"name":"old"}` {
		t.Errorf("info = %+v", info)
	}
	if len(b.peers) != 2 {
		t.Errorf("%d programs were started, want a fresh one for initialize", len(b.peers))
	}
}

func TestB56_B57_ALegacyProgramIsFoundWhateverItDoesOnDiscover(t *testing.T) {
	initialize := func(p *peer, m wire.Message) {
		if m.Method == "initialize" {
			p.reply(m, `{"protocolVersion":"2025-06-18","capabilities":{}}`)
		}
	}
	for name, discover := range map[string]func(*peer, wire.Message){
		"exits":             func(p *peer, _ wire.Message) { p.end(errBroken) },
		"is silent":         func(*peer, wire.Message) {},
		"refuses":           func(p *peer, m wire.Message) { p.refuse(m, `{"code":-32601,"message":"no"}`) },
		"is not ready":      func(p *peer, m wire.Message) { p.refuse(m, `{"code":-32002,"message":"initialize first"}`) },
		"answers anything":  func(p *peer, m wire.Message) { p.reply(m, `{}`) },
		"answers no object": func(p *peer, m wire.Message) { p.reply(m, `7`) },
		"offers only 2025":  func(p *peer, m wire.Message) { p.reply(m, `{"supportedVersions":["2025-11-25"]}`) },
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, testServer, func(p *peer, m wire.Message) {
				if m.Method == "server/discover" {
					discover(p, m)
					return
				}
				initialize(p, m)
			})
			start := time.Now()
			k, err := b.client.Connect(t.Context(), testServer)
			if err != nil {
				t.Fatalf("a server that %s on discover: %v", name, err)
			}
			if k.Info().Protocol != "2025-06-18" {
				t.Errorf("a server that %s on discover: speaks %s", name, k.Info().Protocol)
			}
			if spent := time.Since(start); spent > discoverSilence {
				t.Errorf("a server that %s on discover: found after %v", name, spent)
			}
		})
	}
}

func TestASilentServerIsGivenUpWithinItsBoundConnectingIncluded(t *testing.T) {
	for _, bound := range []time.Duration{3 * time.Second, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			s := testServer
			s.Silence = bound
			b := newBench(t, s, func(*peer, wire.Message) {})
			start := time.Now()
			_, err := b.client.Connect(t.Context(), s)
			if f, ok := err.(*Failure); !ok || f.Kind != FailTimeout {
				t.Fatalf("connecting: %v", err)
			}
			if got := time.Since(start); got != bound {
				t.Errorf("given up after %v, want %v", got, bound)
			}
		})
	}
}

func TestAServerThatNamesItsRevisionsIsAskedInOneOfThem(t *testing.T) {
	refusal := func(supported string) string {
		return `{"code":-32022,"message":"no","data":{"requested":"2026-07-28","supported":` + supported + `}}`
	}
	b := newBench(t, testServer, func(p *peer, m wire.Message) {
		if m.Method == "server/discover" {
			p.refuse(m, refusal(`["2025-06-18","2030-01-01"]`))
			return
		}
		if m.Method == "initialize" {
			p.reply(m, `{"protocolVersion":"2025-06-18","capabilities":{}}`)
		}
	})
	if k, err := b.client.Connect(t.Context(), testServer); err != nil || k.Info().Era != Legacy {
		t.Errorf("a server that also speaks 2025-06-18: %v", err)
	}
	b = newBench(t, testServer, func(p *peer, m wire.Message) { p.refuse(m, refusal(`["2030-01-01"]`)) })
	_, err := b.client.Connect(t.Context(), testServer)
	if err == nil || !strings.Contains(err.Error(), "2030-01-01") {
		t.Errorf("a server of the future: %v", err)
	}
	if len(b.peers) != 1 {
		t.Error("a server that shares no revision was sent initialize")
	}
}

func TestARevisionRefusedAndOfferedIsAskedForOnceMore(t *testing.T) {
	refusal := `{"code":-32022,"message":"no","data":{"requested":"2026-07-28","supported":["2026-07-28"]}}`
	for times, ok := range map[int]bool{1: true, 1000: false} {
		b := newBench(t, testServer, func(p *peer, m wire.Message) {
			if len(p.requests(m.Method)) <= times {
				p.refuse(m, refusal)
				return
			}
			p.reply(m, discovered)
		})
		k, err := b.client.Connect(t.Context(), testServer)
		if ok && (err != nil || k.Info().Era != Modern) || !ok && err == nil {
			t.Errorf("refused %d times: %v", times, err)
		}
		if got := len(b.peer().requests("server/discover")); got != 2 {
			t.Errorf("refused %d times: asked %d times, want 2", times, got)
		}
	}
}

func TestAPinnedRevisionIsTheOnlyOneAskedFor(t *testing.T) {
	s := testServer
	s.Protocol = "2025-03-26"
	b := newBench(t, s, legacy(func(*peer, wire.Message) {}, nil))
	if _, err := b.client.Connect(t.Context(), s); err == nil {
		t.Error("a server that answers 2025-11-25 to the pin 2025-03-26 was taken")
	}
	if got := param(b.peers[0].requests("initialize")[0], "protocolVersion"); got != `"2025-03-26"` {
		t.Errorf("asked for %s", got)
	}
	s.Protocol = "2026-07-28"
	b = newBench(t, s, legacy(func(*peer, wire.Message) {}, nil))
	if _, err := b.client.Connect(t.Context(), s); err == nil || len(b.peers) != 1 {
		t.Errorf("a legacy server pinned to 2026-07-28: %v, %d attempts", err, len(b.peers))
	}
	s.Protocol = "1999-01-01"
	if _, err := b.client.Connect(t.Context(), s); err == nil || !strings.Contains(err.Error(), "1999-01-01") {
		t.Errorf("a revision nobody knows: %v", err)
	}
}

func TestB75_AConnectionThatCannotBeMadeIsAFailureInWords(t *testing.T) {
	for _, s := range []Server{
		{ID: "a", Name: "a", Kind: Stdio},
		{ID: "b", Name: "b", Kind: "pigeon"},
		{ID: "c", Name: "c", Kind: HTTP, URL: "ftp://x.example"},
		{ID: "d", Name: "d", Kind: Stdio, Command: "no-such-program-anywhere"},
	} {
		c, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Connect(t.Context(), s)
		f, ok := err.(*Failure)
		if !ok || f.Kind != FailLost || len(f.Error()) < 20 {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

func TestConnectionEventsTellTheStory(t *testing.T) {
	b := connected(t, sequence(doneResult))
	var states []ConnectionState
	next := func() Status {
		return *b.until(func(e Event) bool { return e.Connection != nil }).Connection
	}
	for range 2 {
		states = append(states, next().State)
	}
	b.peer().end(errBroken)
	lost := next()
	states = append(states, lost.State)
	if !slices.Equal(states, []ConnectionState{Connecting, Connected, Lost}) || lost.Failure == nil {
		t.Errorf("states = %v, failure %v", states, lost.Failure)
	}
	k, err := b.client.Connect(t.Context(), testServer)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := b.client.Connect(t.Context(), testServer); err != nil || again != k {
		t.Errorf("connecting twice made two connections (%v)", err)
	}
	if err := k.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	next()
	next()
	if s := next(); s.State != Closed || s.Failure != nil {
		t.Errorf("closing told %+v", s)
	}
	call := b.ended(k.Start(CallRequest{Kind: CallTool, Name: "late"}))
	if call.Failure == nil || call.Failure.Kind != FailLost {
		t.Errorf("a call on a closed connection is %s: %v", call.State, call.Failure)
	}
}

func TestCloseTellsEverythingThatHappened(t *testing.T) {
	c, err := New(Options{Dial: func(Server, DialOptions) (wire.Transport, error) {
		return &peer{script: legacy(func(p *peer, m wire.Message) { p.say(m.ID, pushForm("1", "q")) }, nil)}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{})
	var last Event
	c.Watch(func(e Event) {
		if e.Elicitation != nil && e.Elicitation.State == ElicitationOpen {
			close(asked)
		}
		last = e
	})
	k, err := c.Connect(t.Context(), testServer)
	if err != nil {
		t.Fatal(err)
	}
	id := k.Start(CallRequest{Kind: CallTool, Name: "t"})
	<-asked
	if err := c.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if last.Connection == nil || last.Connection.State != Closed {
		t.Errorf("the last event is %+v", last)
	}
	if call, _ := c.Call(id); call.State != CallCancelled {
		t.Errorf("the call is %s", call.State)
	}
}

func TestB57_NoiseIsNoAnswerToTheHandshake(t *testing.T) {
	for name, noise := range map[string]func(*peer){
		"messages": func(p *peer) {
			p.say(wire.ID{}, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
		},
		"signs of bytes": func(p *peer) { p.h.(wire.Pulse).Alive(wire.ID{}) },
	} {
		for _, answers := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				s := testServer
				s.Silence = 20 * time.Second
				b := newBench(t, s, func(p *peer, m wire.Message) {
					if m.Method == "initialize" && answers {
						p.reply(m, `{"protocolVersion":"2025-06-18","capabilities":{}}`)
						return
					}
					for range 100 {
						time.Sleep(time.Second)
						noise(p)
					}
				})
				start := time.Now()
				_, err := b.client.Connect(t.Context(), s)
				spent := time.Since(start)
				switch {
				case answers && (err != nil || spent != discoverSilence):
					t.Errorf("%s: %v after %v", name, err, spent)
				case !answers && (err == nil || spent != s.Silence):
					t.Errorf("%s without an answer: %v after %v", name, err, spent)
				}
				time.Sleep(time.Hour) // the peers' noise ends
			})
		}
	}
}

func TestARefusalIsSaidAsWhatItIs(t *testing.T) {
	pinned := func(revision string) Server { s := testServer; s.Protocol = revision; return s }
	for name, c := range map[string]struct {
		server Server
		script func(*peer, wire.Message)
		want   string
		code   int
	}{
		"another revision than the pinned one": {pinned("2025-06-18"), legacy(nil, nil), "core.connect.otherpin", 0},
		"a modern pin on a legacy server":      {pinned("2026-07-28"), legacy(nil, nil), "core.connect.pin", -32601},
		"it offers what it refuses": {testServer, func(p *peer, m wire.Message) {
			p.refuse(m, `{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}`)
		}, "core.connect.contradicts", -32022},
		"it offers nothing": {testServer, func(p *peer, m wire.Message) {
			p.refuse(m, `{"code":-32022,"message":"no"}`)
		}, "core.connect.nonoffered", -32022},
		"it offers the future": {testServer, func(p *peer, m wire.Message) {
			p.refuse(m, `{"code":-32022,"message":"no","data":{"supported":["2030-01-01"]}}`)
		}, "core.connect.nocommon", -32022},
		"a sign-in with a JSON-RPC error": {testServer, func(p *peer, m wire.Message) {
			p.fail(m, &http.StatusError{Status: 401, RPC: &wire.Error{Code: -32601, Message: "who?"}})
		}, "client.transport.status.unauthorized", -32601},
		"a result of an unknown type": {testServer, func(p *peer, m wire.Message) {
			p.reply(m, `{"resultType":"weird","supportedVersions":["2026-07-28"]}`)
		}, "core.invalid.discover", 0},
		"a result that asks": {testServer, func(p *peer, m wire.Message) {
			p.reply(m, `{"resultType":"input_required","requestState":"s"}`)
		}, "core.invalid.discover", 0},
	} {
		b := newBench(t, c.server, c.script)
		_, err := b.client.Connect(t.Context(), c.server)
		f, ok := err.(*Failure)
		if !ok || f.Text.ID != c.want || f.Code != c.code || f.Kind != FailLost {
			t.Errorf("%s: %+v", name, err)
		}
	}
}

func TestAReplyToARequestThatNobodyMadeIsShown(t *testing.T) {
	b := connected(t, modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
		p.say(m.ID, `{"jsonrpc":"2.0","id":"1","result":{}}`)
		p.say(m.ID, `{"jsonrpc":"2.0","id":999,"result":{}}`)
		p.reply(m, doneResult)
		p.reply(m, doneResult) // late, but once made
	}))
	id := b.call(CallRequest{})
	for _, want := range []string{`"1"`, "999"} {
		if n := b.notice("core.notice.unknownid"); n.Detail != want {
			t.Errorf("shown as %q, want %s", n.Detail, want)
		}
	}
	if c := b.ended(id); c.State != CallDone {
		t.Errorf("the call is %s", c.State)
	}
}

func TestC6_AServerThatRefusesTheModesAtACallIsToldOfNoneFromThenOn(t *testing.T) {
	for _, words := range []string{
		`"message":"clientCapabilities.elicitation: unexpected property form"`,
		`"message":"invalid params","data":{"path":"_meta.io.modelcontextprotocol/clientCapabilities"}`,
	} {
		b := connected(t, modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
			if strings.Contains(string(m.Params), `"form"`) {
				p.refuse(m, `{"code":-32602,`+words+`}`)
				return
			}
			p.reply(m, doneResult)
		}))
		for range 2 {
			if c := b.ended(b.call(CallRequest{})); c.State != CallDone {
				t.Errorf("%s: the call is %s: %v", words, c.State, c.Failure)
			}
		}
		if n := len(b.peer().requests("tools/call")); n != 3 {
			t.Errorf("%d requests for two calls, want one repeated", n)
		}
		if !b.conn.Info().Plain {
			t.Error("what was learnt is not told")
		}
	}
	b := connected(t, modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
		p.refuse(m, `{"code":-32602,"message":"no such city"}`)
	}))
	b.ended(b.call(CallRequest{}))
	if n := len(b.peer().requests("tools/call")); n != 1 {
		t.Errorf("a call with wrong arguments was sent %d times", n)
	}
}
