package auth

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
)

// clock is a clock that is put forward.
type clock struct {
	mu  sync.Mutex
	off time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.off)
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off += d
}

// asks waits for what a request comes to: a sign-in that asks the person, or a
// failure without one.
func (r *rig) asks(done <-chan error) (SignIn, error) {
	r.t.Helper()
	s, err := r.asksOrGoes(done)
	if s.ID == "" && err == nil {
		r.t.Fatal("the request went through")
	}
	return s, err
}

// asksOrGoes is asks for a request that may go through: the zero SignIn.
func (r *rig) asksOrGoes(done <-chan error) (SignIn, error) {
	r.t.Helper()
	for {
		select {
		case e := <-r.events:
			if e.SignIn != nil && e.SignIn.State == NeedsConsent {
				return *e.SignIn, nil
			}
		case err := <-done:
			return SignIn{}, err
		case <-r.t.Context().Done():
			r.t.Fatal("it comes to nothing")
		}
	}
}

// agrees goes through a sign-in that asks, and waits for the request.
func (r *rig) agrees(s SignIn, done <-chan error) {
	r.t.Helper()
	s, err := r.a.Agree(r.t.Context(), s.ID)
	if err != nil {
		r.t.Fatal(err)
	}
	visit(r.t, s.URL)
	if err := <-done; err != nil {
		r.t.Errorf("after signing in: %v", err)
	}
}

// MCP authorization, "Refresh Tokens": a client must not assume that there will be
// one. When the access token ends, the person signs in again.
func TestATokenThatEndsAndCannotBeRenewedLeadsToASignIn(t *testing.T) {
	for name, how := range map[string]struct{ restart, unattended bool }{
		"in the same run":     {},
		"in the next run":     {restart: true},
		"on the command line": {restart: true, unattended: true},
	} {
		c := &clock{}
		o := grants
		o.NoRefresh, o.Now = true, c.now
		r := newRig(t, o, authtest.ResourceOptions{})
		r.restart(Options{Now: c.now})
		r.signedIn()
		if how.restart {
			r.restart(Options{Now: c.now, Unattended: how.unattended})
		}
		if err := r.request(t.Context()); err != nil {
			t.Fatalf("%s: while it lasts: %v", name, err)
		}
		c.pass(2 * time.Hour)
		before := len(r.as.Log().Requests(r.as.Endpoint("token")))
		done := r.started()
		s, err := r.asks(done)
		switch {
		case how.unattended:
			if sentenceOf(t, err) != "auth.signin.unattended" {
				t.Errorf("%s: %v", name, err)
			}
			continue
		case err != nil:
			t.Errorf("%s: %v", name, err)
			continue
		case s.Why != Expired:
			t.Errorf("%s: why: %s", name, s.Why)
		}
		r.agrees(s, done)
		if n := len(r.as.Log().Requests(r.as.Endpoint("token"))) - before; n != 1 {
			t.Errorf("%s: %d requests for tokens", name, n)
		}
	}
}

// down makes the token endpoint answer as it pleases from now on.
func (r *rig) down(answer http.HandlerFunc) {
	r.as.Set(func(o *authtest.Options) {
		o.Intercept = func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != r.as.Endpoint("token") {
				return false
			}
			answer(w, q)
			return true
		}
	})
}

func saying(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}
}

// broken ends the connection without an answer.
func broken(w http.ResponseWriter, _ *http.Request) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		c.Close()
	}
}

// A refresh token that is refused in whichever way leads to a sign-in; what passes
// does not cost it.
func TestWhatAnAnswerToARenewalMeans(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		final  bool
	}{
		"invalid_grant":               {saying(400, `{"error":"invalid_grant"}`), true},
		"a page":                      {saying(400, "<h1>Bad Request</h1>"), true},
		"an error of their own":       {saying(401, `{"message":"refresh token expired"}`), true},
		"forbidden":                   {saying(403, ""), true},
		"not found":                   {saying(404, ""), true},
		"gone":                        {saying(410, ""), true},
		"no token, but success":       {saying(200, `{}`), true},
		"a timeout":                   {saying(408, ""), false},
		"a proxy that wants to know":  {saying(407, ""), false},
		"too many":                    {saying(429, `{"error":"rate_limited"}`), false},
		"not now":                     {saying(400, `{"error":"temporarily_unavailable"}`), false},
		"a fault":                     {saying(500, `{"error":"server_error"}`), false},
		"maintenance":                 {saying(503, ""), false},
		"a page instead of an answer": {saying(200, "<!DOCTYPE html>"), false},
		"sent elsewhere":              {saying(307, ""), false},
		"nothing":                     {broken, false},
	} {
		k := &clock{}
		o := grants
		o.Now = k.now
		r := newRig(t, o, authtest.ResourceOptions{})
		r.restart(Options{Now: k.now})
		r.signedIn()
		r.down(c.answer)
		k.pass(2 * time.Hour)
		done := r.started()
		s, err := r.asks(done)
		switch {
		case c.final && err != nil:
			t.Errorf("%s: no sign-in: %v", name, err)
		case c.final && s.Why != Expired:
			t.Errorf("%s: why: %s", name, s.Why)
		case !c.final && err == nil:
			t.Errorf("%s: the person is asked to sign in", name)
		case !c.final && sentenceOf(t, err) != "auth.signin.renewal":
			t.Errorf("%s: %v", name, err)
		}
		r.as.Set(func(o *authtest.Options) { o.Intercept = nil })
		if c.final {
			if err == nil {
				r.agrees(s, done)
			}
			continue
		}
		if err := r.request(t.Context()); err != nil {
			t.Errorf("%s: when it is over: %v", name, err)
		}
	}
}

// Whoever would rather sign in than wait is not held up by an authority that does
// not renew.
func TestThePersonsWishToSignInDoesNotDependOnARenewal(t *testing.T) {
	k := &clock{}
	o := grants
	o.Now = k.now
	r := newRig(t, o, authtest.ResourceOptions{})
	r.restart(Options{Now: k.now})
	r.signedIn()
	k.pass(2 * time.Hour)
	r.down(saying(503, ""))
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.signin.renewal" {
		t.Fatalf("without it: %v", err)
	}
	r.a.Again("s")
	done := r.started()
	s, err := r.asks(done)
	if err != nil {
		t.Fatalf("no sign-in: %v", err)
	}
	r.as.Set(func(o *authtest.Options) { o.Intercept = nil })
	r.agrees(s, done)
	// The wish is fulfilled: the next token is renewed again.
	k.pass(2 * time.Hour)
	if err := r.request(t.Context()); err != nil {
		t.Errorf("the next renewal: %v", err)
	}
}

// "Authorization Server Binding": that a server has moved is found out though its old
// authority is gone.
func TestAServerIsFoundToHaveMovedThoughItsOldAuthorityIsGone(t *testing.T) {
	k := &clock{}
	o := grants
	o.Now = k.now
	r := newRig(t, o, authtest.ResourceOptions{})
	r.restart(Options{Now: k.now})
	r.signedIn()
	var other *authtest.Server
	running, err := authtest.Start(func(origin string) http.Handler {
		other = authtest.New(origin, o, nil)
		return other
	})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	r.mcp.Trust(other)
	k.pass(2 * time.Hour)
	r.down(broken)
	done := r.started()
	s, err := r.asks(done)
	if err != nil {
		t.Fatalf("no sign-in at the new one: %v", err)
	}
	if s.Why != Moved || s.Issuer != other.Issuer() {
		t.Errorf("why %s, at %s", s.Why, s.Issuer)
	}
	r.agrees(s, done)
}

// TestARenewalGoesOnThoughTheKeychainIsLocked meanwhile: this run has all it takes.
func TestARenewalGoesOnThoughTheKeychainIsLocked(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		o := Options{Locks: t.TempDir()}
		r := newRig(t, grants, authtest.ResourceOptions{})
		r.restart(o)
		r.signedIn()
		if restarted {
			r.restart(o)
			if err := r.request(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		r.vault.Away(keychain.Locked)
		r.as.Withdraw(false)
		if err := r.request(t.Context()); err != nil {
			t.Errorf("restarted %v: %v", restarted, err)
		}
		if open := r.a.SignIns(); len(open) != 0 {
			t.Errorf("restarted %v: the person is asked: %+v", restarted, open)
		}
	}
}

// TestWhoWantedToSignInForWantOfAKeychainIsNotAskedForWhatItHadAllAlong, once it is
// unlocked: neither then nor when the token is to be renewed.
func TestWhoWantedToSignInForWantOfAKeychainIsNotAskedForWhatItHadAllAlong(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	r.restart(Options{})
	r.vault.Fail(&keychain.Unavailable{Reason: keychain.Locked, Deed: keychain.Reading})
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.token.unread" {
		t.Errorf("locked: %v", err)
	}
	r.vault.Fail(nil)
	r.a.Again(r.server.ID)
	for _, when := range []string{"unlocked", "to be renewed"} {
		for done, went := r.started(), false; !went; {
			select {
			case err := <-done:
				if went = true; err != nil {
					t.Errorf("%s: %v", when, err)
				}
			case e := <-r.events:
				if e.SignIn != nil {
					t.Fatalf("%s: the person is asked, since %s", when, e.SignIn.Why)
				}
			}
		}
		r.as.Withdraw(false)
	}
}
