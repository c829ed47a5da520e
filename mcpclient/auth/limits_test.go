package auth

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/wire"
)

// browser drives sign-ins without a person, and counts them.
type browser struct{ opened int }

func (b *browser) drive(t *testing.T) func(context.Context, SignIn) error {
	return func(_ context.Context, s SignIn) error {
		b.opened++
		visit(t, s.URL)
		return nil
	}
}

// refusing is a request that a server goes on answering with 403, each time for
// want of the next of scopes, until sign-ins have helped helps times.
func refusing(r *rig, z *authorizer, helps int, scopes func(n int) string) error {
	for attempt := 0; ; attempt++ {
		sent, err := z.Authorize(r.t.Context(), "")
		if err != nil {
			return err
		}
		c := weak(sent, attempt, scopes(attempt))
		if attempt == helps {
			c.Attempt, c.Forbidden = attempt-1, attempt-1
			z.Accepted(c)
			return nil
		}
		if err := z.Challenge(r.t.Context(), c); err != nil {
			return err
		}
		if attempt > 20 {
			r.t.Fatal("it never ends")
		}
	}
}

// Issue 6: step-up with at most three tries. "Step-Up Authorization Flow": clients
// track attempts.
func TestAServerThatVariesWhatItWantsGetsThreeSignInsUntilOneHelpsOrThePersonWishes(t *testing.T) {
	b := &browser{}
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.restart(Options{Drive: b.drive(t)})
	if err := r.request(t.Context()); err != nil {
		t.Fatal(err)
	}
	z := r.a.Authorizer(r.server).(*authorizer)
	n := 0
	varied := func(int) string { n++; return fmt.Sprint("scope", n) }
	same := func(int) string { return "scope" }
	none := func() {}
	for _, c := range []struct {
		name   string
		before func()
		helps  int
		scopes func(int) string
		want   int // sign-ins
		fails  bool
	}{
		{"more scopes at each try", none, 99, varied, maxTries, true},
		{"the next request", none, 99, varied, 0, true},
		{"after the person's wish", func() { r.a.Again("s") }, 99, varied, maxTries, true},
		{"one that is satisfied by two", func() { r.a.Again("s") }, 2, varied, 2, false},
		{"the next one that is", none, 2, varied, 2, false},
		{"and the next", none, 3, varied, 3, false},
		{"the same scopes", none, 99, same, 1, true},
		{"the same scopes once more", none, 99, same, 0, true},
	} {
		c.before()
		before := b.opened
		err := refusing(r, z, c.helps, c.scopes)
		if failed := err != nil; failed != c.fails || failed && sentenceOf(t, err) != "auth.signin.enough" {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := b.opened - before; got != c.want {
			t.Errorf("%s: %d sign-ins, want %d", c.name, got, c.want)
		}
	}
}

// A 401 before, or another request whose credentials did, is no try.
func TestWhatCountsAsATry(t *testing.T) {
	for name, c := range map[string]struct {
		widened int
		wire.Challenge
		want bool
	}{
		"the first":                     {0, wire.Challenge{Status: 403}, false},
		"after two of 401":              {0, wire.Challenge{Status: 403, Attempt: 4, Forbidden: 2}, false},
		"the fourth of one request":     {0, wire.Challenge{Status: 403, Attempt: 3, Forbidden: 3}, true},
		"after three of other requests": {3, wire.Challenge{Status: 403}, true},
		"a 401 after them":              {3, wire.Challenge{Status: 401, Forbidden: 3}, false},
	} {
		l := limits{widened: c.widened}
		if got := l.enough(c.Challenge); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	l := limits{widened: 2, tries: map[string]int{"a": 1}}
	if l.helped(wire.Challenge{Status: 401}); l.widened != 2 {
		t.Error("a renewal ends the series")
	}
	if l.helped(wire.Challenge{Status: 403}); l.widened != 0 || len(l.tries) != 0 {
		t.Error("a sign-in that helped does not end the series")
	}
}

func TestThreeRefusalsOfVaryingScopesAreRemembered(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	z := r.a.Authorizer(r.server)
	for i := range 10 {
		sent, err := z.Authorize(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- z.Challenge(t.Context(), weak(sent, 0, fmt.Sprint("x", i))) }()
		if i < maxTries {
			if err := r.a.Cancel(r.state(NeedsConsent).ID); err != nil {
				t.Fatal(err)
			}
		}
		want := "auth.signin.cancelled"
		if i >= maxTries {
			want = "auth.signin.enough"
		}
		if got := sentenceOf(t, <-done); got != want {
			t.Errorf("refusal %d: %s", i, got)
		}
	}
	if err := r.request(t.Context()); err != nil {
		t.Errorf("what needs no more: %v", err)
	}
}

// A server that answers everything with 401 costs one sign-in, and not one for each
// request.
func TestASignInThatTheServerRefusesIsNotAskedForAgainUntilThePersonWishes(t *testing.T) {
	for name, noRefresh := range map[string]bool{"with renewals": false, "without": true} {
		b := &browser{}
		o := grants
		o.NoRefresh = noRefresh
		refuses := false
		r := newRig(t, o, authtest.ResourceOptions{Intercept: func(w http.ResponseWriter, q *http.Request) bool {
			if !refuses || q.URL.Path != "/mcp" {
				return false
			}
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}})
		r.restart(Options{Drive: b.drive(t)})
		if err := r.request(t.Context()); err != nil {
			t.Fatal(err)
		}
		refuses = true
		for i, want := range []int{1, 0, 0, 1, 0} {
			if i == 3 {
				r.a.Again("s")
			}
			before := b.opened
			if err := r.request(t.Context()); sentenceOf(t, err) != "auth.signin.rejected" {
				t.Errorf("%s: request %d: %v", name, i, err)
			}
			if got := b.opened - before; got != want {
				t.Errorf("%s: request %d: %d sign-ins, want %d", name, i, got, want)
			}
		}
		refuses = false
		if err := r.request(t.Context()); err != nil {
			t.Errorf("%s: when it takes what there is: %v", name, err)
		}
	}
}

// A token that another program signed in for, and that is not good any more, is not
// one that the person has just signed in for.
func TestATokenFromTheKeychainIsNotTakenForASignInOfThisRequest(t *testing.T) {
	o := grants
	o.NoRefresh = true
	r := newRig(t, o, authtest.ResourceOptions{})
	r.signedIn()
	r.as.Withdraw(true)
	r.restart(Options{})
	z := r.a.Authorizer(r.server).(*authorizer)
	done := make(chan error, 1)
	go func() { // the keychain gave nothing when it went out, and now it does
		err := z.Challenge(t.Context(), wire.Challenge{Status: 401})
		if err != nil {
			done <- err
			return
		}
		sent, _ := z.Authorize(t.Context(), "")
		done <- z.Challenge(t.Context(), wire.Challenge{Status: 401, Sent: sent, Attempt: 1})
	}()
	s := r.state(NeedsConsent)
	if s.Why != Expired {
		t.Errorf("why: %s", s.Why)
	}
	if s, err := r.a.Agree(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	} else {
		visit(t, s.URL)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// "Scope Selection Strategy": what the resource supports is for the initial
// handshake.
func TestSigningInAgainAsksForNoMoreThanBefore(t *testing.T) {
	o := grants
	o.Scopes = []string{"read", "write", "admin"}
	r := newRig(t, o, authtest.ResourceOptions{Scopes: []string{"read", "write", "admin"}, Challenge: "read"})
	if s := r.signedIn(); strings.Join(s.Scopes, " ") != "read" {
		t.Errorf("at first: %v", s.Scopes)
	}
	r.as.Withdraw(true)
	r.mcp.Set(func(o *authtest.ResourceOptions) { o.Challenge = "" })
	if s := r.signedIn(); strings.Join(s.Scopes, " ") != "read" {
		t.Errorf("again, with a challenge that names none: %v", s.Scopes)
	}
	// For want of scopes that the server does not name, all that it supports are
	// the only ones that can help.
	z := r.a.Authorizer(r.server)
	sent, err := z.Authorize(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	go z.Challenge(t.Context(), wire.Challenge{Status: 403, Sent: sent, Header: []string{`Bearer error="insufficient_scope"`}})
	if s := r.state(NeedsConsent); s.Why != StepUp || strings.Join(s.Scopes, " ") != "read write admin" {
		t.Errorf("for want of what is not named: %v", s.Scopes)
	}
}
