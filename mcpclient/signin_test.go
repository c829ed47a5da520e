package mcpclient

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// A request that waits for credentials is not the server's silence: whoever
// signs in may take hours.
func TestSigningInCostsNoTime(t *testing.T) {
	for name, c := range map[string]struct {
		over   func(m wire.Message) wire.ID
		work   time.Duration // after the sign-in
		failed bool
	}{
		"of the request":          {func(m wire.Message) wire.ID { return m.ID }, 9 * time.Second, false},
		"of all requests":         {func(wire.Message) wire.ID { return wire.ID{} }, 9 * time.Second, false},
		"of another request":      {func(wire.Message) wire.ID { return wire.NumberID(4711) }, 0, true},
		"and then the clock runs": {func(m wire.Message) wire.ID { return m.ID }, 11 * time.Second, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := connectedTo(t, hasty(), modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
				w := p.h.(wire.HoldWatcher)
				w.Held(c.over(m), true)
				time.Sleep(3 * time.Hour)
				w.Held(c.over(m), false)
				time.Sleep(c.work)
				p.reply(m, doneResult)
			}))
			call := b.ended(b.call(CallRequest{}))
			if failed := call.Failure != nil && call.Failure.Kind == FailTimeout; failed != c.failed {
				t.Errorf("the clock stands because %s: the call is %s: %v", name, call.State, call.Failure)
			}
			time.Sleep(4 * time.Hour) // until the server is done, so that the bubble can end
		})
	}
}

// signedIn is an Authorizer that knows whom it stands for.
type signedIn struct {
	mu   sync.Mutex
	user string
}

func (s *signedIn) Authorize(context.Context, string) (string, error) { return "", nil }
func (s *signedIn) Challenge(context.Context, wire.Challenge) error   { return nil }
func (s *signedIn) User() (name, host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.user, "login.example"
}

func (s *signedIn) set(user string) { s.mu.Lock(); defer s.mu.Unlock(); s.user = user }

func TestTheIdentityOfAServerSaysWhoThePersonIsThereNow(t *testing.T) {
	who := &signedIn{user: "ann"}
	b := newBenchWith(t, Options{Authorizer: func(Server) wire.Authorizer { return who }}, modern(func(p *peer, m wire.Message, params []rawjson.Member) {
		if rawjson.Get(params, "inputResponses") == nil {
			p.reply(m, needs(`{"q":`+formAsk("q")+`}`, `"s"`))
			return
		}
		p.reply(m, doneResult)
	}))
	k, err := b.client.Connect(t.Context(), testServer)
	if err != nil {
		t.Fatal(err)
	}
	b.conn = k
	if info := b.status(Connected).Info; info == nil || info.Identity.User != "ann" {
		t.Errorf("connected as %+v", info)
	}
	who.set("bob")
	if user := k.Info().Identity.User; user != "bob" {
		t.Errorf("after another sign-in: %q", user)
	}
	id := b.call(CallRequest{})
	e := b.question()
	if e.Identity.User != "bob" {
		t.Errorf("the question is to %q", e.Identity.User)
	}
	b.answer(e, accepted(`{}`))
	b.ended(id)
}
