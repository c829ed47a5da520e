package mcpclient

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/wire"
)

// B60: the mode of a question is checked at our end too, on every road. What
// nobody can answer is refused; it is never a person's decline.

// modeCases are params of elicitation/create and what becomes of them.
var modeCases = []struct {
	name, params string
	mode         Mode // "": refused
	remoteID     string
}{
	{"an unknown mode", `{"mode":"voice","message":"m"}`, "", ""},
	{"an unknown mode with all of a form", `{"mode":"Form","message":"m","requestedSchema":{"type":"object","properties":{}}}`, "", ""},
	{"an unknown mode with all of a page", `{"mode":"uri","message":"m","url":"https://svc.example/"}`, "", ""},
	{"an empty mode", `{"mode":"","message":"m"}`, "", ""},
	{"a mode that is no text", `{"mode":{"form":{}},"message":"m"}`, "", ""},
	{"no mode is a form, url or not", `{"message":"m","url":"https://svc.example/"}`, ModeForm, ""},
	{"no mode and nothing else", `{"message":"m"}`, ModeForm, ""},
	{"a page with a schema is a page", `{"mode":"url","message":"m","url":"https://svc.example/","requestedSchema":{}}`, ModeURL, ""},
	{"a page without a url", `{"mode":"url","message":"m","requestedSchema":{}}`, "", ""},
	{"a page without an id", `{"mode":"url","message":"m","url":"https://svc.example/"}`, ModeURL, ""},
	{"a page whose id is null", `{"mode":"url","message":"m","url":"https://svc.example/","elicitationId":null}`, ModeURL, ""},
	{"a page with an id", `{"mode":"url","message":"m","url":"https://svc.example/","elicitationId":"e1"}`, ModeURL, "e1"},
	{"a form with a url is a form", `{"mode":"form","message":"m","url":"https://svc.example/","requestedSchema":{"type":"object","properties":{}}}`, ModeForm, ""},
}

// asModeSays checks a question of a mode case.
func asModeSays(t *testing.T, e Elicitation, mode Mode, remoteID string) {
	t.Helper()
	if e.Mode != mode || e.RemoteID != remoteID || (e.URL != "") != (mode == ModeURL) || mode == ModeURL && e.Schema != nil {
		t.Errorf("asked as %s with url %q, schema %s and id %q", e.Mode, e.URL, e.Schema, e.RemoteID)
	}
}

func TestB60_APushOfAnUnknownModeIsRefusedAndNoModeIsAForm(t *testing.T) {
	for _, c := range modeCases {
		t.Run(c.name, func(t *testing.T) {
			got := make(chan wire.Message, 100)
			b := connected(t, pushing(got, `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":`+c.params+`}`))
			id := b.call(CallRequest{})
			if c.mode == "" {
				r := untilResponse(got, "1")
				if r.Error == nil || r.Error.Code != wire.CodeInvalidParams || r.Result != nil {
					t.Errorf("answered with %s and error %+v", r.Result, r.Error)
				}
				b.until(func(e Event) bool { return e.Notice != nil && e.Notice.Text.ID == "core.notice.badpush" })
			} else {
				e := b.question()
				asModeSays(t, e, c.mode, c.remoteID)
				b.answer(e, Answer{Action: Decline})
				if r := untilResponse(got, "1"); string(r.Result) != `{"action":"decline"}` {
					t.Errorf("a decline went out as %s, %v", r.Result, r.Error)
				}
			}
			if call := b.ended(id); call.State != CallDone {
				t.Errorf("the call is %s: %v", call.State, call.Failure)
			}
		})
	}
}

func TestB60_ARoundWithAnUnknownModeIsNotAnsweredAndNoModeIsAForm(t *testing.T) {
	for _, c := range modeCases {
		t.Run(c.name, func(t *testing.T) {
			b := connected(t, sequence(needs(`{"ask":{"method":"elicitation/create","params":`+c.params+`}}`, `"s"`), doneResult))
			id := b.call(CallRequest{})
			if c.mode == "" {
				call := b.ended(id)
				if call.Failure == nil || call.Failure.Kind != FailInvalid || !strings.Contains(call.Failure.Error(), "ask") {
					t.Errorf("the call is %s: %v", call.State, call.Failure)
				}
				if n := len(b.peer().requests("tools/call")); n != 1 {
					t.Errorf("the round was answered (%d requests)", n)
				}
				return
			}
			e := b.question()
			asModeSays(t, e, c.mode, c.remoteID)
			b.answer(e, Answer{Action: Decline})
			if call := b.ended(id); call.State != CallDone {
				t.Errorf("the call is %s: %v", call.State, call.Failure)
			}
		})
	}
}

// All that a -32042 error asks for are pages: of them one may be without a
// mode, but none may be a form.
func TestB60_ARequiredPageMayLeaveItsModeOut(t *testing.T) {
	for _, c := range []struct {
		entry    string
		asked    bool
		remoteID string
	}{
		{`{"message":"m","url":"https://svc.example/","elicitationId":"e1"}`, true, "e1"},
		{`{"mode":"url","message":"m","url":"https://svc.example/"}`, true, ""},
		{`{"mode":"url","url":"https://svc.example/","requestedSchema":{}}`, true, ""},
		{`{"mode":"voice","message":"m"}`, false, ""},
		{`{"mode":"form","message":"m","url":"https://svc.example/"}`, false, ""},
		{`{"mode":"url","message":"m"}`, false, ""},
	} {
		b := connected(t, wanting(`{"code":-32042,"message":"more","data":{"elicitations":[`+c.entry+`]}}`))
		id := b.call(CallRequest{})
		if c.asked {
			e := b.question()
			asModeSays(t, e, ModeURL, c.remoteID)
			b.answer(e, Answer{Action: Decline})
		}
		call := b.ended(id)
		if want := map[bool]FailureKind{true: FailRPC, false: FailInvalid}[c.asked]; call.Failure == nil || call.Failure.Kind != want {
			t.Errorf("%s: the call is %s: %v", c.entry, call.State, call.Failure)
		}
	}
}

// B56, B57: what an old program says or does before initialize costs nothing
// but a second start, and the question of the old way works.
func TestB56_B57_AnOldProgramIsUsedLikeAnyOther(t *testing.T) {
	for name, discover := range map[string]func(*peer, wire.Message){
		"exits 1 on any other first message": func(p *peer, _ wire.Message) { p.end(errBroken) },
		"ends in order":                      func(p *peer, _ wire.Message) { p.end(nil) },
		"replies to no one, then exits": func(p *peer, _ wire.Message) {
			p.say(wire.ID{}, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"expected initialize"}}`)
			p.end(errBroken)
		},
		"refuses and exits": func(p *peer, m wire.Message) {
			p.refuse(m, `{"code":-32600,"message":"expected initialize"}`)
			p.end(errBroken)
		},
	} {
		t.Run(name, func(t *testing.T) {
			old := legacy(func(p *peer, m wire.Message) { p.say(m.ID, pushForm("1", "q")) }, nil)
			b := connected(t, func(p *peer, m wire.Message) {
				if m.Method == "server/discover" {
					discover(p, m)
					return
				}
				old(p, m)
			})
			if info := b.conn.Info(); info.Era != Legacy {
				t.Fatalf("it is taken for one of era %s", info.Era)
			}
			b.call(CallRequest{})
			if e := b.question(); e.Via != ViaPush {
				t.Errorf("asked by %s", e.Via)
			}
			if first := b.peer().seen[0].Method; first != "initialize" {
				t.Errorf("the program that stays was greeted with %s", first)
			}
			if err := b.client.Close(t.Context()); err != nil {
				t.Errorf("closing: %v", err)
			}
			for i, p := range b.peers {
				p.mu.Lock()
				if !p.closed {
					t.Errorf("program %d of %d is left running", i+1, len(b.peers))
				}
				p.mu.Unlock()
			}
		})
	}
}

// Only a program that does not answer at all makes for a second greeting; what
// cannot be a server of 2025 does not.
func TestB56_WhatIsNoSignOfAnOldServerStartsNothingTwice(t *testing.T) {
	for _, refusal := range []string{
		`{"code":-32020,"message":"header mismatch"}`,
		`{"code":-32021,"message":"x","data":{"requiredCapabilities":{"sampling":{}}}}`,
		`{"code":-32022,"message":"x","data":{"supported":["2030-01-01"]}}`,
		`{"code":-32022,"message":"x"}`,
	} {
		b := newBench(t, testServer, func(p *peer, m wire.Message) { p.refuse(m, refusal) })
		_, err := b.client.Connect(t.Context(), testServer)
		if f, ok := err.(*Failure); !ok || f.Kind != FailLost {
			t.Errorf("%s: %v", refusal, err)
		}
		if len(b.peers) != 1 {
			t.Errorf("%s: %d programs were started", refusal, len(b.peers))
		}
	}
}

// The era is remembered: the next connection begins with initialize and waits
// for nothing, until that turns out to be wrong.
func TestB56_B57_TheEraIsRemembered(t *testing.T) {
	for name, discover := range map[string]func(*peer, wire.Message){
		"exits":     func(p *peer, _ wire.Message) { p.end(errBroken) },
		"is silent": func(*peer, wire.Message) {},
		"refuses":   func(p *peer, m wire.Message) { p.refuse(m, `{"code":-32601,"message":"what?"}`) },
	} {
		synctest.Test(t, func(t *testing.T) {
			var updated atomic.Bool
			b := connected(t, func(p *peer, m wire.Message) {
				switch {
				case updated.Load() && m.Method == "server/discover":
					p.reply(m, discovered)
				case updated.Load() && m.Method == "initialize":
					p.refuse(m, `{"code":-32601,"message":"not any more"}`)
				case m.Method == "server/discover":
					discover(p, m)
				default:
					legacy(nil, nil)(p, m)
				}
			})
			again := func() Info {
				if err := b.client.Connection(testServer.ID).Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				k, err := b.client.Connect(t.Context(), testServer)
				if err != nil {
					t.Fatalf("a server that %s on discover, again: %v", name, err)
				}
				return k.Info()
			}
			before, start := len(b.peers), time.Now()
			if info := again(); info.Era != Legacy || len(b.peers) != before+1 {
				t.Errorf("a server that %s on discover, again: era %s after %d more programs", name, info.Era, len(b.peers)-before)
			}
			if n := len(b.peer().requests("server/discover")); n != 0 || time.Since(start) != 0 {
				t.Errorf("a server that %s on discover was asked again, for %v", name, time.Since(start))
			}
			updated.Store(true)
			if info := again(); info.Era != Modern {
				t.Errorf("a server that %s on discover, updated to 2026: era %s", name, info.Era)
			}
		})
	}
}
