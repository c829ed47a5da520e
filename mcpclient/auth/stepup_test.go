package auth

import (
	"strings"
	"testing"

	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/wire"
)

// weak is an answer of 403 that asks for scopes.
func weak(sent string, attempt int, scopes string) wire.Challenge {
	return wire.Challenge{Status: 403, Sent: sent, Attempt: attempt, Forbidden: attempt, Header: []string{`Bearer error="insufficient_scope", scope="` + scopes + `"`}}
}

// holding goes through a sign-in, and returns what a request is then sent with.
func (r *rig) holding() (z wire.Authorizer, sent string) {
	r.t.Helper()
	r.signedIn()
	z = r.a.Authorizer(r.server)
	sent, err := z.Authorize(r.t.Context(), "")
	if err != nil {
		r.t.Fatal(err)
	}
	return z, sent
}

// "Step-Up Authorization Flow": the union of what was asked for and what is
// wanted now.
func TestMoreScopesAreAskedForTogetherWithThoseThereAre(t *testing.T) {
	o := grants
	o.Scopes = []string{"read", "write", "admin"}
	r := newRig(t, o, authtest.ResourceOptions{Scopes: []string{"read"}})
	z, sent := r.holding()
	done := make(chan error, 1)
	go func() { done <- z.Challenge(t.Context(), weak(sent, 0, "write")) }()
	s := r.state(NeedsConsent)
	if s.Why != StepUp || strings.Join(s.Scopes, " ") != "read write" || strings.Join(s.Granted, " ") != "read" {
		t.Errorf("asks for %v, of which %v are granted, because of %s", s.Scopes, s.Granted, s.Why)
	}
	s, err := r.a.Agree(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	visit(t, s.URL)
	if err := <-done; err != nil {
		t.Error(err)
	}
	again, err := z.Authorize(t.Context(), "")
	if err != nil || again == sent {
		t.Errorf("the same token goes out: %v", err)
	}
	// A request that went out before is told to try again, and nobody is asked.
	if err := z.Challenge(t.Context(), weak(sent, 0, "write")); err != nil {
		t.Error(err)
	}
	if open := r.a.SignIns(); len(open) != 0 {
		t.Errorf("asked once more: %+v", open)
	}
}

func TestANoToMoreScopesLeavesTheAccount(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	z, sent := r.holding()
	done := make(chan error, 1)
	go func() { done <- z.Challenge(t.Context(), weak(sent, 0, "admin")) }()
	if err := r.a.Cancel(r.state(NeedsConsent).ID); err != nil {
		t.Fatal(err)
	}
	if sentenceOf(t, <-done) != "auth.signin.cancelled" || sentenceOf(t, z.Challenge(t.Context(), weak(sent, 0, "admin"))) != "auth.signin.cancelled" {
		t.Error("the refusal is not remembered")
	}
	if err := r.request(t.Context()); err != nil {
		t.Errorf("other requests: %v", err)
	}
	go func() { done <- z.Challenge(t.Context(), weak(sent, 0, "write")) }()
	if s := r.state(NeedsConsent); strings.Join(s.Scopes, " ") != "write" {
		t.Errorf("other scopes: %v", s.Scopes)
	}
}

func TestWhatA403SaysToAPerson(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	z := r.a.Authorizer(r.server)
	if got := sentenceOf(t, z.Challenge(t.Context(), wire.Challenge{Status: 403})); got != "auth.signin.locked" {
		t.Errorf("before anybody signed in: %s", got)
	}
	r.signedIn()
	sent, err := z.Authorize(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if got := sentenceOf(t, z.Challenge(t.Context(), wire.Challenge{Status: 403, Sent: sent, Header: []string{"Bearer"}})); got != "auth.signin.forbidden" {
		t.Errorf("after it: %s", got)
	}
	fresh := wire.Challenge{Status: 401, Sent: sent, Attempt: 1, Header: []string{"Bearer"}}
	if got := sentenceOf(t, z.Challenge(t.Context(), fresh)); got != "auth.signin.rejected" {
		t.Errorf("a token that was just got: %s", got)
	}
}

// TestARenewalDoesNotWaitForAStepUp: while the person thinks about more scopes, or has
// put that off, what they may already do goes on, also when the token needs renewing.
func TestARenewalDoesNotWaitForAStepUp(t *testing.T) {
	for name, wished := range map[string]bool{"at first": false, "wished for after a no": true} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, grants, authtest.ResourceOptions{})
			z, sent := r.holding()
			more := make(chan error, 1)
			if wished {
				go func() { more <- z.Challenge(t.Context(), weak(sent, 0, "admin")) }()
				if err := r.a.Cancel(r.state(NeedsConsent).ID); err != nil {
					t.Fatal(err)
				}
				<-more
				r.a.Again(r.server.ID)
			}
			go func() { more <- z.Challenge(t.Context(), weak(sent, 0, "admin")) }()
			asked := r.state(NeedsConsent)
			r.as.Withdraw(false)
			if err := r.request(t.Context()); err != nil {
				t.Errorf("what needs no more: %v", err)
			}
			if open := r.a.SignIns(); len(open) != 1 || open[0].ID != asked.ID || len(open[0].Calls) != len(asked.Calls) {
				t.Errorf("open are %+v", open)
			}
			// Where it cannot be renewed, the sign-in that is open answers that too.
			r.as.Withdraw(true)
			waits := r.started()
			for len(r.state(NeedsConsent).Calls) != 2 {
			}
			s, err := r.a.Agree(t.Context(), asked.ID)
			if err != nil {
				t.Fatal(err)
			}
			visit(t, s.URL)
			if err := <-more; err != nil {
				t.Errorf("what wanted more: %v", err)
			}
			if err := <-waits; err != nil {
				t.Errorf("what could not be renewed: %v", err)
			}
		})
	}
}
