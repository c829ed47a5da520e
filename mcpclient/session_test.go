package mcpclient

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// restarted is a server of the 2025 era that loses its session when forget is
// called: what is sent in the old one fails, as over HTTP.
type restarted struct {
	mu     sync.Mutex
	lost   bool
	again  func(p *peer, m wire.Message) // answers initialize after the loss; nil: as before
	begins int
}

func (r *restarted) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lost = true
}

func (r *restarted) script(p *peer, m wire.Message) {
	r.mu.Lock()
	if m.Method == "initialize" {
		r.begins++
		again := r.again
		if r.lost && again != nil {
			r.mu.Unlock()
			again(p, m)
			return
		}
		r.lost = false
	}
	lost := r.lost
	r.mu.Unlock()
	switch {
	case lost && m.Kind() == wire.Request:
		p.fail(m, &http.SessionLostError{})
	case m.Method == "tools/list":
		p.reply(m, `{"tools":[{"name":"t"}]}`)
	case m.Method == "tools/call" && strings.Contains(string(m.Params), `"asks"`):
		p.say(m.ID, pushForm("1", "q"))
	default:
		legacy(func(p *peer, m wire.Message) { p.reply(m, doneResult) }, nil)(p, m)
	}
}

func TestB63_ALostSessionIsBegunAnewAndTheCallIsNotRepeated(t *testing.T) {
	r := &restarted{}
	b := connected(t, r.script)
	b.ended(b.call(CallRequest{}))
	r.forget()
	c := b.ended(b.call(CallRequest{}))
	if c.State != CallFailed || c.Failure.Kind != FailLost || c.Failure.Text.ID != "core.fail.unrepeated" {
		t.Fatalf("the call is %s: %v", c.State, c.Failure)
	}
	p := b.peer()
	if n := len(p.requests("tools/call")); n != 2 {
		t.Errorf("tools/call was sent %d times for two calls", n)
	}
	if c := b.ended(b.call(CallRequest{})); c.State != CallDone {
		t.Errorf("the next call is %s: %v", c.State, c.Failure)
	}
	if r.begins != 2 || b.dialled() != 2 {
		t.Errorf("%d sessions over %d transports, want 2 over the probe's and one more", r.begins, b.dialled())
	}
	if n := len(p.requests("notifications/initialized")); n != 2 {
		t.Errorf("initialized was sent %d times", n)
	}
}

func TestB63_TheLossIsToldAndEndsThePushedQuestions(t *testing.T) {
	r := &restarted{}
	b := connected(t, r.script)
	b.status(Connected)
	b.ended(b.call(CallRequest{}))
	b.peer().say(wire.ID{}, pushForm("1", "outside"))
	q := b.question()
	r.forget()
	b.call(CallRequest{})
	if s := b.status(Reconnecting); s.Failure == nil || s.Failure.Text.ID != "core.fail.session" || s.Attempt != 0 {
		t.Errorf("told %+v", s)
	}
	dead := *b.until(func(e Event) bool { return e.Elicitation != nil && e.Elicitation.ID == q.ID }).Elicitation
	if dead.State != ElicitationDead || dead.End.ID != "core.end.session" {
		t.Errorf("the question is %s: %s", dead.State, dead.End.ID)
	}
	if s := b.status(Connected); s.Info == nil {
		t.Errorf("told %+v", s)
	}
	if _, answered := b.peer().responses()["1"]; answered {
		t.Error("a question of the old session was answered in the new one")
	}
}

func TestAListIsAskedForAgainInTheNewSession(t *testing.T) {
	r := &restarted{}
	b := connected(t, r.script)
	r.forget()
	l, err := b.conn.List(t.Context())
	if err != nil || len(l.Tools) != 1 {
		t.Errorf("the list: %s, %v", l.Tools, err)
	}
}

func TestManyCallsThatFindTheSessionLostBeginOneNewOne(t *testing.T) {
	r := &restarted{}
	b := connected(t, r.script)
	b.ended(b.call(CallRequest{}))
	r.forget()
	left := map[string]bool{}
	for range 20 {
		left[b.call(CallRequest{})] = true
	}
	for len(left) > 0 {
		e := b.until(func(e Event) bool { return e.Call != nil && e.Call.State.Ended() && left[e.Call.ID] })
		delete(left, e.Call.ID)
	}
	if r.begins != 2 {
		t.Errorf("%d sessions were begun, want 2", r.begins)
	}
}

func TestASessionThatCannotBeBegunAnewEndsTheConnection(t *testing.T) {
	r := &restarted{again: func(p *peer, m wire.Message) { p.refuse(m, `{"code":-32601,"message":"no"}`) }}
	b := connected(t, r.script)
	r.forget()
	b.call(CallRequest{})
	if s := b.status(Lost); s.Failure == nil || s.Failure.Text.ID != "core.rpc.method" {
		t.Errorf("told %+v", s)
	}
	if b.client.Connection(testServer.ID) != nil {
		t.Error("the connection is still there")
	}
}

func TestALossToldByTheServersOwnStreamBeginsANewSession(t *testing.T) {
	r := &restarted{}
	b := connected(t, r.script)
	b.status(Connected)
	b.conn.SessionLost(&http.SessionLostError{})
	b.status(Connected)
	if c := b.ended(b.call(CallRequest{})); c.State != CallDone {
		t.Errorf("the next call is %s", c.State)
	}
}

func TestASessionThatIsHalfBegunIsFinishedBeforeTheClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &restarted{again: func(p *peer, m wire.Message) {
			time.Sleep(closeRenewal / 2)
			p.reply(m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}`)
		}}
		b := connected(t, r.script)
		r.forget()
		b.ended(b.call(CallRequest{}))
		if err := b.conn.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(b.peer().requests("notifications/initialized")); n != 2 {
			t.Errorf("initialized was sent %d times, want the new session to be told too", n)
		}
	})
}

func TestAServerThatLeftItsRevisionIsLost(t *testing.T) {
	var gone atomic.Bool
	b := connected(t, func(p *peer, m wire.Message) {
		if gone.Load() {
			p.refuse(m, `{"code":-32022,"message":"no","data":{"supported":["2025-11-25"]}}`)
			return
		}
		modern(nil)(p, m)
	})
	gone.Store(true)
	b.call(CallRequest{})
	if s := b.status(Lost); s.Failure == nil || s.Failure.Text.ID != "core.fail.era" {
		t.Errorf("told %+v", s)
	}
}
