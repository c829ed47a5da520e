package mcpclient

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// The field cases of a person thinking (group E: B43, B44, B47), with the clock
// of a testing/synctest bubble: an hour passes at once.

// hasty is testServer with a bound of ten seconds.
func hasty() Server {
	s := testServer
	s.Silence = 10 * time.Second
	return s
}

// connectedTo is connected for a server of its own.
func connectedTo(t *testing.T, s Server, script func(*peer, wire.Message)) *bench {
	t.Helper()
	b := newBench(t, s, script)
	k, err := b.client.Connect(t.Context(), s)
	if err != nil {
		t.Fatalf("connecting: %v", err)
	}
	b.conn = k
	return b
}

// askThenWork is a server with one tool. It asks one question of the mode in
// the way of the era, and once it has the answer it works for a while.
func askThenWork(era Era, mode Mode, work time.Duration) func(*peer, wire.Message) {
	if era == Modern {
		question := formAsk("q")
		if mode == ModeURL {
			question = urlAsk("https://svc.example/pay")
		}
		return modern(func(p *peer, m wire.Message, params []rawjson.Member) {
			if rawjson.Get(params, "inputResponses") == nil {
				p.reply(m, needs(`{"q":`+question+`}`, `"s"`))
				return
			}
			time.Sleep(work) // the clock of the bubble
			p.reply(m, doneResult)
		})
	}
	question := pushForm("1", "q")
	if mode == ModeURL {
		question = pushURL("1", "e1", "https://svc.example/pay")
	}
	calls := make(chan wire.Message, 1)
	return legacy(func(p *peer, m wire.Message) {
		calls <- m
		p.say(m.ID, question)
	}, func(p *peer, m wire.Message) {
		if m.Kind() == wire.Response {
			time.Sleep(work)
			p.reply(<-calls, `{"content":[]}`)
		}
	})
}

func TestB43_AnOpenQuestionCostsNoTime(t *testing.T) {
	for _, era := range []Era{Modern, Legacy} {
		for _, mode := range []Mode{ModeForm, ModeURL} {
			for _, thinks := range []time.Duration{0, 30 * time.Second, 3 * time.Minute, 48 * time.Hour} {
				synctest.Test(t, func(t *testing.T) {
					b := connectedTo(t, hasty(), askThenWork(era, mode, 9*time.Second))
					id := b.call(CallRequest{})
					e := b.question()
					time.Sleep(thinks)
					a := Answer{Action: Accept}
					if mode == ModeForm {
						a = accepted(`{"f":"x"}`)
					}
					b.answer(e, a)
					if call := b.ended(id); call.State != CallDone {
						t.Errorf("%s %s, answered after %v: the call is %s: %v", era, mode, thinks, call.State, call.Failure)
					}
				})
			}
		}
	}
}

// The bound holds again from the answer on: all of it, and no more.
func TestB43_AfterTheAnswerTheClockRunsAgain(t *testing.T) {
	for _, era := range []Era{Modern, Legacy} {
		synctest.Test(t, func(t *testing.T) {
			b := connectedTo(t, hasty(), askThenWork(era, ModeForm, time.Hour))
			id := b.call(CallRequest{})
			e := b.question()
			time.Sleep(30 * time.Second)
			b.answer(e, accepted(`{}`))
			answered := time.Now()
			call := b.ended(id)
			if call.Failure == nil || call.Failure.Kind != FailTimeout {
				t.Fatalf("%s: the call is %s: %v", era, call.State, call.Failure)
			}
			if got := call.Ended.Sub(answered); got != 10*time.Second {
				t.Errorf("%s: given up %v after the answer, want 10s", era, got)
			}
			time.Sleep(time.Hour) // until the server is done, so that the bubble can end
		})
	}
}

// Cancel always works while a question is open, however long that is.
func TestB43_AThinkingPersonCanStillCancel(t *testing.T) {
	for _, era := range []Era{Modern, Legacy} {
		synctest.Test(t, func(t *testing.T) {
			b := connectedTo(t, hasty(), askThenWork(era, ModeForm, 0))
			id := b.call(CallRequest{})
			e := b.question()
			time.Sleep(time.Hour)
			b.client.Cancel(id)
			if call := b.ended(id); call.State != CallCancelled {
				t.Errorf("%s: the call is %s", era, call.State)
			}
			if dead, _ := b.client.Elicitation(e.ID); dead.State != ElicitationDead {
				t.Errorf("%s: its question is %s", era, dead.State)
			}
		})
	}
}

// The clock of a call stops for its own questions and until the last of them
// is answered; another call's goes on.
func TestB43_OneCallsQuestionStopsNoOtherCallsClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := connectedTo(t, hasty(), legacy(func(p *peer, m wire.Message) {
			if params, _ := rawjson.Object(m.Params); text(rawjson.Get(params, "name")) == "asks" {
				p.say(m.ID, pushForm("1", "one"))
				p.say(m.ID, pushForm("2", "two"))
			}
		}, nil))
		start := time.Now()
		asks := b.call(CallRequest{Name: "asks"})
		one, two := b.question(), b.question()
		silent := b.ended(b.call(CallRequest{Name: "is silent"}))
		if silent.Failure == nil || silent.Failure.Kind != FailTimeout || silent.Ended.Sub(start) != 10*time.Second {
			t.Fatalf("the silent call is %s after %v", silent.State, silent.Ended.Sub(start))
		}
		time.Sleep(20 * time.Second)
		b.answer(one, accepted(`{}`))
		time.Sleep(30 * time.Second)
		if e, _ := b.client.Elicitation(two.ID); e.State != ElicitationOpen {
			t.Fatalf("the second question is %s", e.State)
		}
		b.answer(two, accepted(`{}`))
		if call := b.ended(asks); call.Failure == nil || call.Failure.Kind != FailTimeout || call.Ended.Sub(start) != 70*time.Second {
			t.Errorf("the asking call is %s after %v, want given up at 70s", call.State, call.Ended.Sub(start))
		}
	})
}

func TestB44_AtSixtySecondsTheServerGivesUpAndNothingTypedIsLost(t *testing.T) {
	for name, c := range map[string]struct {
		id, requestID, reason string
		want                  string // in the sentence
	}{
		"as reported":         {`56`, `56`, `,"reason":"timeout"`, "timeout"},
		"a text id":           {`"56"`, `"56"`, `,"reason":"timeout"`, "timeout"},
		"spelt otherwise":     {`56`, `56.0`, `,"reason":"timeout"`, "timeout"},
		"no reason":           {`56`, `56`, ``, ""},
		"the reason no text":  {`56`, `56`, `,"reason":{"code":1}`, ""},
		"a very long reason":  {`56`, `56`, `,"reason":"` + strings.Repeat("late ", 10_000) + `"`, "late"},
		"a reason that hides": {`56`, `56`, ",\"reason\":\"\u202etuoemit\"", "tuoemit"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := connected(t, legacy(func(p *peer, m wire.Message) {
					p.say(m.ID, pushForm(c.id, "quick"))
					time.Sleep(time.Minute)
					p.say(m.ID, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+c.requestID+c.reason+`}}`)
					time.Sleep(time.Second)
					p.reply(m, `{"content":[{"type":"text","text":"went on without"}]}`)
				}, nil))
				id := b.call(CallRequest{})
				e := b.question()
				draft := json.RawMessage(`"what was typed"`)
				if err := b.client.SaveDraft(e.ID, draft); err != nil {
					t.Fatal(err)
				}
				dead := *b.until(func(ev Event) bool { return ev.Elicitation != nil && ev.Elicitation.State == ElicitationDead }).Elicitation
				if got := dead.Asked.Add(time.Minute); dead.ID != e.ID || !got.Equal(time.Now()) || string(dead.Draft) != string(draft) {
					t.Errorf("the question died as %+v", dead)
				}
				words := english.Text(dead.End)
				if words == dead.End.ID || len(words) < 20 || len(words) > 1000 || !strings.Contains(words, c.want) {
					t.Errorf("the sentence is %.200q", words)
				}
				if err := b.client.Answer(e.ID, accepted(`{}`)); err != ErrNotOpen {
					t.Errorf("answering it: %v", err)
				}
				if call := b.ended(id); call.State != CallDone {
					t.Errorf("the call is %s: %v", call.State, call.Failure)
				}
				if r := b.peer().responses(); len(r) != 0 {
					t.Errorf("what was taken back was answered: %v", r)
				}
			})
		})
	}
}

// Cancellations that are of no open question change nothing.
func TestB44_OtherCancellationsTouchNoQuestion(t *testing.T) {
	got := make(chan wire.Message, 100)
	b := connected(t, pushing(got, pushForm("56", "one"), pushForm("57", "two")))
	id := b.call(CallRequest{})
	one, two := b.question(), b.question()
	b.answer(one, accepted(`{"f":"1"}`))
	for _, params := range []string{
		`,"params":{"requestId":56}`, `,"params":{"requestId":999}`, `,"params":{"requestId":"57"}`, `,"params":{"requestId":null}`,
		`,"params":{"requestId":{}}`, `,"params":{}`, `,"params":[57]`, `,"params":null`, ``,
	} {
		b.peer().say(wire.ID{}, `{"jsonrpc":"2.0","method":"notifications/cancelled"`+params+`}`)
	}
	for _, e := range []Elicitation{one, two} {
		want := ElicitationOpen
		if e.ID == one.ID {
			want = ElicitationAnswered
		}
		if now, _ := b.client.Elicitation(e.ID); now.State != want {
			t.Errorf("question %q is %s, want %s", e.Message, now.State, want)
		}
	}
	b.answer(two, accepted(`{"f":"2"}`))
	if call := b.ended(id); call.State != CallDone {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
}

// A server that gives up by answering the call, in order or with an error, has
// stopped waiting for the question as well.
func TestB44_AnAnsweredCallTakesItsQuestionsWithIt(t *testing.T) {
	for name, c := range map[string]struct {
		give func(*peer, wire.Message)
		want CallState
	}{
		"a result":          {func(p *peer, m wire.Message) { p.reply(m, `{"isError":true,"content":[]}`) }, CallDone},
		"an error":          {func(p *peer, m wire.Message) { p.refuse(m, `{"code":-32001,"message":"Request timed out"}`) }, CallFailed},
		"an invalid result": {func(p *peer, m wire.Message) { p.reply(m, `7`) }, CallFailed},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := connected(t, legacy(func(p *peer, m wire.Message) {
				p.say(m.ID, pushForm("56", "quick"))
				time.Sleep(time.Minute)
				c.give(p, m)
			}, nil))
			id := b.call(CallRequest{})
			e := b.question()
			if err := b.client.SaveDraft(e.ID, []byte(`"typed"`)); err != nil {
				t.Fatal(err)
			}
			if call := b.ended(id); call.State != c.want {
				t.Errorf("%s: the call is %s: %v", name, call.State, call.Failure)
			}
			dead, _ := b.client.Elicitation(e.ID)
			if dead.State != ElicitationDead || string(dead.Draft) != `"typed"` || english.Text(dead.End) == dead.End.ID {
				t.Errorf("%s: the question is %+v", name, dead)
			}
		})
	}
}

// A question is there at the moment it comes: receiving waits neither for the
// call nor for whoever looks on.
func TestB47_AQuestionIsThereAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looking := make(chan struct{})
		// The server asks before it has answered anything, and again in the call.
		b := newBench(t, testServer, legacy(func(p *peer, m wire.Message) {
			p.say(m.ID, pushForm("2", "first act of the tool"))
		}, func(p *peer, m wire.Message) {
			if m.Method == "notifications/initialized" {
				p.say(wire.ID{}, pushForm("1", "first act of the server"))
			}
		}))
		stop := b.client.Watch(func(Event) { <-looking }) // a window that hangs
		start := time.Now()
		var err error
		if b.conn, err = b.client.Connect(t.Context(), testServer); err != nil {
			t.Fatal(err)
		}
		if e := b.question(); e.Message != "first act of the server" {
			t.Errorf("asked %q", e.Message)
		}
		id := b.call(CallRequest{})
		e := b.question()
		if e.Message != "first act of the tool" || e.CallID != id {
			t.Errorf("asked %q of call %q", e.Message, e.CallID)
		}
		if got := time.Since(start); got != 0 {
			t.Errorf("the questions took %v", got)
		}
		b.client.Cancel(id)
		b.ended(id)
		stop()
		close(looking)
	})
}
