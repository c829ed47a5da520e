package signintest

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/disk"
)

// TestTwoProgramsShareOneSignIn: the window and a command line have one keychain.
// What one renews the other takes from there, since a refresh token that is sent
// again looks like theft.
func TestTwoProgramsShareOneSignIn(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	a := w.run(driven)
	first := a.connected()
	b := w.run(driven)
	second := b.connected()
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

// TestTwoProgramsThatRenewAtTheVeryInstantTakeTurns: the authority is careful and
// withdraws everything when a refresh token comes twice. While one program is there
// the other waits, and then takes what the first has stored.
func TestTwoProgramsThatRenewAtTheVeryInstantTakeTurns(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	a, b := w.run(driven), w.run(driven)
	first := a.connected()
	second := b.connected()
	arrived, proceed := make(chan struct{}), make(chan struct{})
	var renewals atomic.Int32
	w.as.Set(func(o *authtest.Options) {
		o.Intercept = func(_ http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/token" && renewals.Add(1) == 1 {
				close(arrived)
				<-proceed
			}
			return false
		}
	})
	w.pass(2 * time.Hour)
	one := a.starts(first.conn, "whoami")
	<-arrived
	locks, err := filepath.Glob(filepath.Join(w.locks, "*.lock"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("while a program renews, the locks are %q, %v", locks, err)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := disk.LockWithin(late, strings.TrimSuffix(locks[0], ".lock")); err == nil {
		t.Fatal("another program could renew now")
	}
	two := b.starts(second.conn, "whoami")
	close(proceed)
	if x, y := a.ends(one), b.ends(two); x != "Ann" || y != "Ann" {
		t.Errorf("the calls end with %q and %q", x, y)
	}
	if n := renewals.Load(); n != 1 {
		t.Errorf("the authority was asked %d times to renew", n)
	}
	if n := w.asked("/authorize"); n != 1 {
		t.Errorf("the browser was sent to sign in %d times", n)
	}
}

// TestAProgramTakesTheSignOutOfAnother instead of renewing what was given up, and
// putting it back into the keychain.
func TestAProgramTakesTheSignOutOfAnother(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant, NoRevoke: true}, authtest.ResourceOptions{})
	a := w.run(driven)
	a.connected()
	b := w.run(func(o *auth.Options) { o.Unattended = true })
	second := b.connected()
	if _, err := a.accounts.SignOut(t.Context(), w.server); err != nil {
		t.Fatal(err)
	}
	w.pass(2 * time.Hour)
	if got := b.call(second.conn, "whoami"); !strings.Contains(got, "wants you to sign in") {
		t.Errorf("after the other signed out a call ends with %q", got)
	}
	if who, err := b.accounts.Who(t.Context(), w.server); err != nil || who.SignedIn() {
		t.Errorf("still signed in: %+v, %v", who, err)
	}
	for _, k := range w.vault.Keys() {
		if strings.Contains(k.Name, "session") {
			t.Errorf("the keychain has %q again", k.Name)
		}
	}
}

// TestAProgramTakesTheSignInOfAnother that was made since it looked.
func TestAProgramTakesTheSignInOfAnother(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	b := w.run(func(o *auth.Options) { o.Unattended = true })
	if said := b.connect().fails(); !strings.Contains(said, "wants you to sign in") {
		t.Fatalf("before anybody signed in: %s", said)
	}
	a := w.run(driven)
	a.connected()
	b.connect().works("Ann")
}

// TestTwoProgramsThatRenewAtOnceLoseNothing where no lock can be made: the slower is
// refused, and takes what the faster has stored instead of deleting it.
func TestTwoProgramsThatRenewAtOnceLoseNothing(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant, Forgiving: true}, authtest.ResourceOptions{})
	w.locks = filepath.Join(w.locks, "file")
	if err := os.WriteFile(w.locks, nil, 0o600); err != nil { // no folder
		t.Fatal(err)
	}
	a, b := w.run(driven), w.run(driven)
	first := a.connected()
	second := b.connected()
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
