package signintest

import (
	"slices"
	"testing"
	"time"

	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// waiting waits until a sign-in is told of for which these calls wait, in whatever
// order.
func (a *app) waiting(calls ...string) {
	a.t.Helper()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	slices.Sort(calls)
	var last []string
	for {
		select {
		case s := <-a.signIns:
			last = slices.Sorted(slices.Values(s.Calls))
			if s.State == auth.NeedsConsent && slices.Equal(last, calls) {
				return
			}
		case <-timer.C:
			a.t.Fatalf("the sign-in tells of %q last, want %q", last, calls)
		}
	}
}

// TestASignInNamesTheRequestsThatWaitForIt: a person is told for what they are
// asked, as long as that waits.
func TestASignInNamesTheRequestsThatWaitForIt(t *testing.T) {
	w := newWorld(t, authtest.Options{Scopes: []string{"read", "write"}},
		authtest.ResourceOptions{Challenge: "read", Tools: map[string][]string{"save": {"write"}}})
	a, b := w.run(), newPlain(t)
	attempt := a.connect()
	a.waiting("") // to connect is no call
	s, err := a.accounts.Agree(t.Context(), a.accounts.SignIns()[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	b.open(t, s.URL)
	b.press(t, "accept")
	if attempt.wait(); attempt.err != nil {
		t.Fatal(attempt.err)
	}
	first := a.starts(attempt.conn, "save")
	a.waiting(first)
	second := a.starts(attempt.conn, "save")
	a.waiting(first, second)
	a.client.Cancel(first)
	a.waiting(second)
	a.ends(first)
	if err := a.accounts.Cancel(a.accounts.SignIns()[0].ID); err != nil {
		t.Fatal(err)
	}
	a.ends(second)
}
