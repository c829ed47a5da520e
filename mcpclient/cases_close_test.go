package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/wire"
)

// The field cases of ends (group E: B45, B55, and X9): a server that dies and a
// person who leaves, both with questions open.

// ends are the ways in which a connection with open questions ends.
var ends = map[string]struct {
	end   func(*bench) error
	state CallState
}{
	"the server exits":       {func(b *bench) error { b.peer().end(errBroken); return nil }, CallFailed},
	"the server ends":        {func(b *bench) error { b.peer().end(nil); return nil }, CallFailed},
	"the person disconnects": {func(b *bench) error { return b.conn.Close(context.Background()) }, CallCancelled},
	"the app quits":          {func(b *bench) error { return b.client.Close(context.Background()) }, CallCancelled},
}

func TestB45_B55_X9_NothingWaitsForThePersonAtAnEnd(t *testing.T) {
	for name, c := range ends {
		for _, era := range []Era{Modern, Legacy} {
			t.Run(fmt.Sprint(name, ", ", era), func(t *testing.T) {
				script := sequence(needs(`{"a":`+formAsk("form")+`,"b":`+urlAsk("https://svc.example/")+`}`, ""))
				if era == Legacy {
					script = legacy(func(p *peer, m wire.Message) {
						p.say(m.ID, pushForm("1", "form"))
						p.say(m.ID, pushURL("2", "e1", "https://svc.example/"))
					}, nil)
				}
				b := connected(t, script)
				id := b.call(CallRequest{})
				form, link := b.question(), b.question()
				if err := b.client.SaveDraft(form.ID, []byte(`"half a sen"`)); err != nil {
					t.Fatal(err)
				}
				if err := c.end(b); err != nil {
					t.Errorf("ending: %v", err)
				}
				if call := b.ended(id); call.State != c.state {
					t.Errorf("the call is %s (%v), want %s", call.State, call.Failure, c.state)
				}
				for _, e := range []Elicitation{form, link} {
					dead, _ := b.client.Elicitation(e.ID)
					if dead.State != ElicitationDead || english.Text(dead.End) == dead.End.ID || dead.Answer != nil {
						t.Errorf("the question %q is %s: %s", e.Message, dead.State, english.Text(dead.End))
					}
					for _, a := range []Answer{{Action: Decline}, {Action: Cancel}, accepted(`{}`)} {
						if err := b.client.Answer(e.ID, a); !errors.Is(err, ErrNotOpen) {
							t.Errorf("%s on the dead question %q: %v", a.Action, e.Message, err)
						}
					}
				}
				if dead, _ := b.client.Elicitation(form.ID); string(dead.Draft) != `"half a sen"` {
					t.Errorf("what was typed became %s", dead.Draft)
				}
				for id, r := range b.peer().responses() {
					if string(r.Result) != `{"action":"cancel"}` {
						t.Errorf("leaving answered request %s with %s; only a person declines", id, r.Result)
					}
				}
				if n := len(b.client.Open()); n != 0 {
					t.Errorf("%d questions are still open", n)
				}
			})
		}
	}
}

// A person who has a page open in the browser, or whose call pauses, does not
// hold up an end either.
func TestB55_X9_ACallThatWaitsEndsWithItsConnection(t *testing.T) {
	again := needs(`{"u":`+urlAsk("https://svc.example/")+`}`, "")
	for name, c := range ends {
		b := connected(t, sequence(again))
		id := b.call(CallRequest{})
		b.answer(b.question(), Answer{Action: Accept})
		b.state(id, CallBrowser)
		if err := c.end(b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if call := b.ended(id); call.State != c.state {
			t.Errorf("%s: the call is %s (%v), want %s", name, call.State, call.Failure, c.state)
		}
	}
}

// stubborn is a server whose transport does not close before it is made to.
type stubborn struct{ peer }

func (s *stubborn) Close(ctx context.Context) error {
	<-ctx.Done()
	s.end(nil)
	return ctx.Err()
}

// Closing ends within the bound that its caller sets, whatever the transport
// does, with a form open.
func TestB55_ClosingIsBoundedWhateverTheTransportDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Options{Dial: func(Server, DialOptions) (wire.Transport, error) {
			return &stubborn{peer{script: sequence(needs(`{"a":`+formAsk("a")+`}`, ""))}}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		asked := make(chan Elicitation, 10)
		c.Watch(func(e Event) {
			if e.Elicitation != nil {
				asked <- *e.Elicitation
			}
		})
		k, err := c.Connect(t.Context(), testServer)
		if err != nil {
			t.Fatal(err)
		}
		id := k.Start(CallRequest{Kind: CallTool, Name: "t"})
		e := <-asked
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		start := time.Now()
		if err := c.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("closing told %v", err)
		}
		if got := time.Since(start); got != 3*time.Second {
			t.Errorf("closing took %v, want the 3 s it was given", got)
		}
		if dead, _ := c.Elicitation(e.ID); dead.State != ElicitationDead {
			t.Errorf("the question is %s", dead.State)
		}
		if call, _ := c.Call(id); call.State != CallCancelled {
			t.Errorf("the call is %s", call.State)
		}
	})
}
