package signintest

import (
	"net/http"
	"sync/atomic"
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

// TestTwoProgramsThatRenewAtOnceLoseNothing: the slower is refused, and takes
// what the faster has stored instead of deleting it.
func TestTwoProgramsThatRenewAtOnceLoseNothing(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant, Forgiving: true}, authtest.ResourceOptions{})
	a, b := w.run(driven), w.run(driven)
	first := a.connect()
	if first.wait(); first.err != nil {
		t.Fatal(first.err)
	}
	second := b.connect()
	if second.wait(); second.err != nil {
		t.Fatal(second.err)
	}
	arrived, proceed := make(chan struct{}), make(chan struct{})
	var held atomic.Bool
	w.as.Set(func(o *authtest.Options) {
		o.Intercept = func(_ http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/token" && held.CompareAndSwap(false, true) {
				close(arrived) // the first to renew is held up until the other has
				<-proceed
			}
			return false
		}
	})
	signIns := w.asked("/authorize")
	w.pass(2 * time.Hour)
	slow := a.starts(first.conn, "whoami")
	<-arrived
	if got := b.call(second.conn, "whoami"); got != "Ann" {
		t.Errorf("the faster call ends with %q", got)
	}
	close(proceed)
	if got := a.ends(slow); got != "Ann" {
		t.Errorf("the slower call ends with %q", got)
	}
	a.end()
	b.end()
	w.run(driven).connect().works("Ann")
	if n := w.asked("/authorize") - signIns; n != 0 {
		t.Errorf("the browser was sent to sign in %d times", n)
	}
}
