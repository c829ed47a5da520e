package signintest

import (
	"testing"
	"time"

	"parley/mcpclient/auth/authtest"
)

// TestTwoProgramsShareOneSignIn: the window and a command line have one keychain.
// What one renews the other takes from there, since a refresh token that is sent
// again looks like theft.
func TestTwoProgramsShareOneSignIn(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	a := w.run(driven)
	first := a.connect()
	if first.wait(); first.err != nil {
		t.Fatal(first.err)
	}
	b := w.run(driven)
	second := b.connect()
	if second.wait(); second.err != nil {
		t.Fatal(second.err)
	}
	for range 3 {
		w.pass(2 * time.Hour)
		for _, run := range []struct {
			a *app
			c *attempt
		}{{a, first}, {b, second}} {
			if got := run.a.call(run.c.conn, "whoami"); got != "Ann" {
				t.Errorf("a call ends with %q", got)
			}
		}
	}
	if n := w.asked("/authorize"); n != 1 {
		t.Errorf("the browser was sent to sign in %d times", n)
	}
}
