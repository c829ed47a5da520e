package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// What a server may be told of a pushed question that died.
const (
	toldNothing = "nothing"
	toldCancel  = "cancel"
	toldError   = "an error"
)

// told is what the server was told of the question that it pushed as "1".
func told(b *bench) string {
	r, answered := b.peer().responses()["1"]
	switch {
	case !answered:
		return toldNothing
	case r.Error != nil:
		return toldError
	case string(r.Result) == `{"action":"cancel"}`:
		return toldCancel
	}
	return string(r.Result)
}

// callEnds are the ways in which a call with an open question ends.
var callEnds = []struct {
	name string
	end  func(b *bench, call wire.Message)
	why  string
	told string
}{
	{"a result", func(b *bench, c wire.Message) { b.peer().reply(c, doneResult) }, "core.end.returned", toldError},
	{"an error reply", func(b *bench, c wire.Message) { b.peer().refuse(c, `{"code":-32000,"message":"no"}`) }, "core.end.returned", toldError},
	{"a reply that is no result", func(b *bench, c wire.Message) { b.peer().reply(c, `[]`) }, "core.end.failed", toldError},
	{"a reply that is no message", failing(&http.ReplyError{Kind: http.ReplyInvalid}), "core.end.failed", toldError},
	{"a reply that is too large", failing(&wire.TooLargeError{Limit: 1}), "core.end.failed", toldError},
	{"an HTTP status", failing(&http.StatusError{Status: 500}), "core.end.failed", toldError},
	{"a time-out", failing(errSilent{time.Minute}), "core.end.failed", toldError},
	{"a reply stream that breaks off", failing(&http.ReplyError{Kind: http.ReplyCut}), "core.end.broken", toldNothing},
	{"a reply stream that just ends", failing(&http.ReplyError{Kind: http.ReplyMissing}), "core.end.broken", toldNothing},
	{"a resumption that is refused", failing(&http.ReplyError{Kind: http.ReplyCut, Err: &http.StatusError{Status: 405}}), "core.end.broken", toldNothing},
	{"a server that is not reached", failing(&http.NetworkError{Kind: http.NetworkRefused}), "core.end.broken", toldNothing},
	{"a lost session", failing(&http.SessionLostError{}), "core.end.session", toldNothing},
	{"a lost connection", func(b *bench, _ wire.Message) { b.peer().end(errBroken) }, "core.end.lost", toldNothing},
	{"a connection that just ends", func(b *bench, _ wire.Message) { b.peer().end(nil) }, "core.end.lost", toldNothing},
	{"the person cancels", func(b *bench, _ wire.Message) { b.client.Cancel(b.client.Calls()[0].ID) }, "core.end.cancelled", toldCancel},
	{"the person disconnects", func(b *bench, _ wire.Message) { b.conn.Close(context.Background()) }, "core.end.closed", toldCancel},
	{"the app quits", func(b *bench, _ wire.Message) { b.client.Close(context.Background()) }, "core.end.closed", toldCancel},
}

func failing(err error) func(*bench, wire.Message) {
	return func(b *bench, c wire.Message) { b.peer().fail(c, err) }
}

// Nothing is answered for the person (C13): cancel goes out only where they
// dismissed the question, and what they read is what happened.
func TestC13_HoweverACallEndsItsPushedQuestionIsNotAnsweredForThePerson(t *testing.T) {
	for _, c := range callEnds {
		for _, stream := range []string{"its reply stream", "a stream of no request"} {
			t.Run(c.name+", pushed on "+stream, func(t *testing.T) {
				calls := make(chan wire.Message, 1)
				b := connected(t, legacy(func(p *peer, m wire.Message) {
					over := m.ID
					if stream != "its reply stream" {
						over = wire.ID{}
					}
					p.say(over, pushForm("1", "q"))
					calls <- m
				}, nil))
				id := b.call(CallRequest{})
				e := b.question()
				if e.CallID != id {
					t.Fatalf("the question belongs to %q, want the call", e.CallID)
				}
				if err := b.client.SaveDraft(e.ID, []byte(`"typed"`)); err != nil {
					t.Fatal(err)
				}
				c.end(b, <-calls)
				if call := b.ended(id); !call.State.Ended() {
					t.Errorf("the call is %s", call.State)
				}
				dead, _ := b.client.Elicitation(e.ID)
				if dead.State != ElicitationDead || dead.End.ID != c.why || dead.Answer != nil || string(dead.Draft) != `"typed"` {
					t.Errorf("the question is %s (%s), with %s; want dead (%s) with what was typed", dead.State, dead.End.ID, dead.Draft, c.why)
				}
				if got := told(b); got != c.told {
					t.Errorf("the server was told %s, want %s", got, c.told)
				}
			})
		}
	}
}

func TestTheQuestionsOfARoundSayHowTheyEnded(t *testing.T) {
	for _, c := range callEnds {
		if !strings.HasPrefix(c.why, "core.end.c") && c.why != "core.end.lost" {
			continue // no request is under way that could end so
		}
		b := connected(t, sequence(needs(`{"a":`+formAsk("a")+`}`, "")))
		id := b.call(CallRequest{})
		e := b.question()
		c.end(b, wire.Message{})
		b.ended(id)
		if dead, _ := b.client.Elicitation(e.ID); dead.State != ElicitationDead || dead.End.ID != c.why {
			t.Errorf("%s: the question is %s (%s), want %s", c.name, dead.State, dead.End.ID, c.why)
		}
	}
}

// A question that opens while its call ends dies with it.
func TestAQuestionThatComesAsItsCallEndsDies(t *testing.T) {
	b := connected(t, legacy(func(p *peer, m wire.Message) { p.say(m.ID, pushForm("1", "q")) }, nil))
	id := b.call(CallRequest{})
	b.answer(b.question(), Answer{Action: Decline})
	b.client.mu.Lock()
	run := b.client.running[id]
	b.client.mu.Unlock()
	run.mu.Lock()
	run.over, run.err = true, errCancelled // its end has begun, and it still runs
	run.mu.Unlock()
	b.peer().say(wire.ID{}, pushForm("2", "late"))
	e := *b.until(func(ev Event) bool {
		return ev.Elicitation != nil && ev.Elicitation.Key == "2" && ev.Elicitation.State == ElicitationDead
	}).Elicitation
	if e.End.ID != "core.end.cancelled" {
		t.Errorf("it died as %s", e.End.ID)
	}
}

// A reply that Parley itself gives and that does not arrive is nothing that the
// person has to know of: they have answered nothing.
func TestOnlyAPersonsAnswerIsMissedWhenItDoesNotArrive(t *testing.T) {
	calls := make(chan wire.Message, 1)
	b := connected(t, legacy(func(p *peer, m wire.Message) {
		p.refuseResponses(errBroken)
		p.say(m.ID, `{"jsonrpc":"2.0","id":8,"method":"ping"}`)
		p.say(m.ID, pushForm("1", "q"))
		calls <- m
	}, nil))
	id := b.call(CallRequest{})
	b.question()
	b.peer().reply(<-calls, doneResult)
	b.ended(id)
	b.peer().say(wire.ID{}, pushForm("2", "outside"))
	e := b.question()
	b.answer(e, Answer{Action: Decline})
	b.notice("core.notice.unanswered")
	for len(b.events) > 0 {
		if ev := <-b.events; ev.Notice != nil {
			t.Errorf("told %s", ev.Notice.Text.ID)
		}
	}
}

// dropping is a server of the 2025 era over HTTP that pushes a question on the
// stream that answers tools/call, and lets go of that stream when dropped. What
// it is sent as a response goes to answers.
type dropping struct {
	t       *testing.T
	id      bool                                           // the events have ids
	resumed func(nethttp.ResponseWriter, *nethttp.Request) // answers the GETs with Last-Event-ID; nil refuses
	drop    chan struct{}
	answers chan wire.Message

	mu   sync.Mutex
	call wire.ID
}

func (d *dropping) ServeHTTP(w nethttp.ResponseWriter, r *nethttp.Request) {
	if r.Method != nethttp.MethodPost {
		if d.resumed != nil && r.Header.Get("Last-Event-ID") != "" {
			d.resumed(w, r)
			return
		}
		w.WriteHeader(nethttp.StatusMethodNotAllowed)
		return
	}
	var raw json.RawMessage
	json.NewDecoder(r.Body).Decode(&raw)
	m, err := wire.Decode(raw)
	if err != nil {
		d.t.Errorf("the client posted %s: %v", raw, err)
	}
	switch {
	case m.Kind() == wire.Response:
		d.answers <- m
		w.WriteHeader(nethttp.StatusAccepted)
	case m.Kind() == wire.Notification:
		w.WriteHeader(nethttp.StatusAccepted)
	case m.Method == "initialize":
		give(w, posted{Message: m}, 200, `"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"drop"}}`)
	case m.Method == "tools/call":
		d.mu.Lock()
		d.call = m.ID
		d.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		id := ""
		if d.id {
			id = "id: 1\nretry: 1\n"
		}
		fmt.Fprintf(w, "%sdata: %s\n\n", id, pushForm("1", "q"))
		nethttp.NewResponseController(w).Flush()
		<-d.drop
	default:
		give(w, posted{Message: m}, 400, `"error":{"code":-32601,"message":"what?"}`)
	}
}

func (d *dropping) reach() *bench {
	d.t.Helper()
	d.drop, d.answers = make(chan struct{}), make(chan wire.Message, 10)
	srv := httptest.NewServer(d)
	d.t.Cleanup(srv.Close)
	b, err := overHTTP(d.t, Server{ID: "h1", Name: "Over there", Kind: HTTP, URL: srv.URL + "/mcp"})
	if err != nil {
		d.t.Fatal(err)
	}
	return b
}

func TestADroppedReplyStreamIsNoAnswerOfThePerson(t *testing.T) {
	d := &dropping{t: t}
	b := d.reach()
	id := b.call(CallRequest{})
	e := b.question()
	close(d.drop)
	if c := b.ended(id); c.Failure == nil || c.Failure.Kind != FailLost {
		t.Errorf("the call is %s: %v", c.State, c.Failure)
	}
	if dead, _ := b.client.Elicitation(e.ID); dead.End.ID != "core.end.broken" {
		t.Errorf("the question is %s (%s)", dead.State, dead.End.ID)
	}
	b.conn.Close(context.Background()) // which waits for what is under way
	if len(d.answers) > 0 {
		t.Errorf("the server was answered %s", (<-d.answers).Result)
	}
}

// A dropped reply stream whose events had ids is asked for again ("Resumability
// and Redelivery"): the question stays, and its answer brings the result.
func TestAQuestionOutlivesAReplyStreamThatIsResumed(t *testing.T) {
	answered := make(chan struct{})
	d := &dropping{t: t, id: true}
	resumed := make(chan struct{}, 10)
	d.resumed = func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		nethttp.NewResponseController(w).Flush()
		resumed <- struct{}{}
		<-answered
		d.mu.Lock()
		defer d.mu.Unlock()
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", d.call, doneResult)
	}
	b := d.reach()
	id := b.call(CallRequest{})
	e := b.question()
	close(d.drop)
	<-resumed
	if open, _ := b.client.Elicitation(e.ID); open.State != ElicitationOpen {
		t.Fatalf("the question is %s (%s)", open.State, open.End.ID)
	}
	b.answer(e, accepted(`{"f":"x"}`))
	if m := <-d.answers; string(m.Result) != `{"action":"accept","content":{"f":"x"}}` {
		t.Errorf("the server was answered %s", m.Result)
	}
	close(answered)
	if c := b.ended(id); c.State != CallDone {
		t.Errorf("the call is %s: %v", c.State, c.Failure)
	}
}

// A program that ends at the first question is started a second time, which
// stands between what it wrote both times.
func TestTheSecondStartOfAProgramIsTold(t *testing.T) {
	b := newBench(t, testServer, func(p *peer, m wire.Message) { p.end(errBroken) })
	if _, err := b.client.Connect(t.Context(), testServer); err == nil {
		t.Fatal("connected")
	}
	b.notice("core.notice.startedagain")
	if n := b.dialled(); n != 2 {
		t.Errorf("it was started %d times", n)
	}
}
