package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
	"parley/mcpclient/keychain/keychaintest"
)

// endpoint is a token endpoint with rotating refresh tokens in memory.
type endpoint struct {
	mu      sync.Mutex
	n       int
	used    map[string]bool
	reused  bool
	answer  func(w http.ResponseWriter, n int) bool // if true, it has answered
	forms   []string
	started chan struct{} // one for each request
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	e.n++
	n, refresh := e.n, r.PostForm.Get("refresh_token")
	e.reused = e.reused || e.used[refresh]
	if e.used == nil {
		e.used = map[string]bool{}
	}
	e.used[refresh] = true
	e.forms = append(e.forms, r.PostForm.Encode())
	e.mu.Unlock()
	if e.started != nil {
		e.started <- struct{}{}
	}
	if e.answer != nil && e.answer(w, n) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"access_token":"access-%d","token_type":"Bearer","expires_in":3600,"refresh_token":"refresh-%d"}`, n, n)
}

// renewing is a person who is signed in with the session s, in a bubble of
// synctest, whose clock is that of the tokens too.
func renewing(t *testing.T, e *endpoint, s session) (*Accounts, *authorizer, *keychaintest.Keychain) {
	t.Helper()
	vault := &keychaintest.Keychain{}
	a := New(Options{Secrets: vault, Transport: handled(e.serve)})
	server := mcpclient.Server{ID: "s", Kind: mcpclient.HTTP, URL: "https://mcp.example/mcp"}
	z := a.Authorizer(server).(*authorizer)
	s.Issuer, s.Resource, s.Token, s.Host = "https://as.example", "https://mcp.example/mcp", "https://as.example/token", "as.example"
	s.Revoke = "https://as.example/revoke"
	s.Client = client{ID: "app", Method: byNone}
	s.Got = time.Now()
	if err := a.write(t.Context(), sessionKey(z.key), s); err != nil {
		t.Fatal(err)
	}
	return a, z, vault
}

func stored(t *testing.T, vault *keychaintest.Keychain, z *authorizer) session {
	t.Helper()
	secret, err := vault.Get(t.Context(), sessionKey(z.key))
	if err != nil {
		t.Fatal(err)
	}
	var s session
	if err := json.Unmarshal([]byte(secret.Reveal()), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestATokenIsRenewedBeforeItEndsOnceForAllRequestsAndReplacedAsAWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{}
		e.answer = func(http.ResponseWriter, int) bool { time.Sleep(time.Second); return false } // of the bubble: nobody waits
		a, z, vault := renewing(t, e, session{Access: "old", Refresh: "once", Expiry: time.Now().Add(time.Hour)})
		defer a.Close()
		if got, err := z.Authorize(t.Context(), ""); got != "Bearer old" || err != nil {
			t.Errorf("an hour before: %q, %v", got, err)
		}
		time.Sleep(time.Hour - skew)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if got, err := z.Authorize(t.Context(), ""); got != "Bearer access-1" || err != nil {
					t.Errorf("about to end: %q, %v", got, err)
				}
			})
		}
		wg.Wait()
		if e.n != 1 || e.reused {
			t.Errorf("%d renewals, a token used twice: %v", e.n, e.reused)
		}
		if want := "client_id=app&grant_type=refresh_token&refresh_token=once&resource=https%3A%2F%2Fmcp.example%2Fmcp"; e.forms[0] != want {
			t.Errorf("asked with %s, want %s", e.forms[0], want)
		}
		if s := stored(t, vault, z); s.Access != "access-1" || s.Refresh != "refresh-1" {
			t.Error("the keychain has not got both new tokens")
		}
		time.Sleep(2 * time.Hour)
		if got, err := z.Authorize(t.Context(), ""); got != "Bearer access-2" || err != nil || e.reused {
			t.Errorf("the next time: %q, %v", got, err)
		}
	})
}

func TestARenewalGoesOnWhenTheRequestThatBeganItIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{started: make(chan struct{}, 1)}
		hold := make(chan struct{})
		e.answer = func(http.ResponseWriter, int) bool { <-hold; return false }
		a, z, vault := renewing(t, e, session{Access: "old", Refresh: "once", Expiry: time.Now()})
		defer a.Close()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { _, err := z.Authorize(ctx, ""); done <- err }()
		<-e.started
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
		close(hold)
		synctest.Wait()
		if s := stored(t, vault, z); s.Access != "access-1" || s.Refresh != "refresh-1" {
			t.Error("the new tokens are lost, and the old refresh token is used up")
		}
	})
}

// toRenew is the authorizer of a server whose stored token is over and can be renewed.
func toRenew(t *testing.T, a *Accounts) *authorizer {
	t.Helper()
	z := a.Authorizer(mcpclient.Server{ID: "s", Kind: mcpclient.HTTP, URL: "https://mcp.example/mcp"}).(*authorizer)
	err := a.write(t.Context(), sessionKey(z.key), session{
		Issuer: "https://as.example", Token: "https://as.example/token", Client: client{ID: "app", Method: byNone},
		Access: "old", Refresh: "once", Got: time.Now(), Expiry: time.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestARenewalUnderWayIsStoredWhenTheAppEnds(t *testing.T) {
	for took, want := range map[time.Duration]string{time.Second: "refresh-1", time.Minute: "once"} {
		synctest.Test(t, func(t *testing.T) {
			e := &endpoint{started: make(chan struct{}, 1)}
			vault := &keychaintest.Keychain{}
			a := New(Options{Secrets: vault, Transport: handledSlowly(e.serve, took)})
			z := toRenew(t, a)
			go z.Authorize(t.Context(), "")
			<-e.started
			a.Close()
			if s := stored(t, vault, z); s.Refresh != want {
				t.Errorf("an answer after %v: %q is stored, want %q", took, s.Refresh, want)
			}
		})
	}
}

// resumed are secrets that were kept for this run while the keychain was locked, and
// are stored when they are asked to be.
type resumed struct {
	keychaintest.Keychain
	stored map[keychain.Key]keychain.Secret
}

func (r *resumed) Resume(context.Context) error {
	r.stored = r.All()
	r.Back()
	return nil
}

// TestARenewalThatALockedKeychainDidNotTakeIsStoredWhenTheAppEnds, if it is unlocked by
// then: the refresh token that lies there is used up.
func TestARenewalThatALockedKeychainDidNotTakeIsStoredWhenTheAppEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{started: make(chan struct{}, 1)}
		vault := &resumed{}
		a := New(Options{Secrets: vault, Transport: handledSlowly(e.serve, time.Second)})
		z := toRenew(t, a)
		if err := z.load(t.Context()); err != nil {
			t.Fatal(err)
		}
		vault.Away(keychain.Locked)
		go z.Authorize(t.Context(), "")
		<-e.started
		a.Close() // which the renewal outlasts
		var s session
		if err := json.Unmarshal([]byte(vault.stored[sessionKey(z.key)].Reveal()), &s); err != nil || s.Refresh != "refresh-1" {
			t.Errorf("%v; stored is %q", err, s.Refresh)
		}
	})
}

// handledSlowly is handled, with an answer that takes its time to come.
func handledSlowly(h http.HandlerFunc, took time.Duration) http.RoundTripper {
	at := handled(h)
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := at.RoundTrip(r)
		select {
		case <-time.After(took): // of the bubble
			return resp, err
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	})
}

func TestARenewalThatCannotBeMadeNowLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		down.Store(true)
		e := &endpoint{}
		e.answer = func(w http.ResponseWriter, _ int) bool {
			if down.Load() {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return down.Load()
		}
		a, z, vault := renewing(t, e, session{Access: "old", Refresh: "once", Expiry: time.Now().Add(time.Minute)})
		defer a.Close()
		time.Sleep(time.Minute - 5*time.Second)
		if got, err := z.Authorize(t.Context(), ""); got != "Bearer old" || err != nil {
			t.Errorf("while the old one still does: %q, %v", got, err)
		}
		time.Sleep(time.Minute)
		if got, err := z.Authorize(t.Context(), ""); got != "" || err != nil {
			t.Errorf("after its end: %q, %v", got, err)
		}
		if s := stored(t, vault, z); s.Refresh != "once" {
			t.Error("the refresh token is lost")
		}
		down.Store(false)
		if got, err := z.Authorize(t.Context(), ""); got == "" || err != nil {
			t.Errorf("when it is back: %q, %v", got, err)
		}
	})
}

func TestARefusedRenewalEndsTheAccountAndKeepsWhatWasAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{}
		e.answer = func(w http.ResponseWriter, _ int) bool {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":"invalid_grant"}`)
			return true
		}
		a, z, vault := renewing(t, e, session{Access: "old", Refresh: "dead", Expiry: time.Now(), Asked: []string{"read", "write"}})
		defer a.Close()
		for range 3 {
			if got, err := z.Authorize(t.Context(), ""); got != "" || err != nil {
				t.Errorf("a dead refresh token: %q, %v", got, err)
			}
		}
		if e.n != 1 {
			t.Errorf("it was tried %d times", e.n)
		}
		if s := stored(t, vault, z); s.Access != "" || s.Refresh != "" || len(s.Asked) != 2 || s.account().SignedIn() {
			t.Errorf("what stays: %d scopes", len(s.Asked))
		}
	})
}

func TestSigningOutWhileATokenIsRenewedStaysSignedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{started: make(chan struct{}, 10)}
		hold := make(chan struct{})
		e.answer = func(_ http.ResponseWriter, n int) bool {
			if n == 1 {
				<-hold
			}
			return false
		}
		a, z, vault := renewing(t, e, session{Access: "old", Refresh: "once", Expiry: time.Now()})
		defer a.Close()
		done := make(chan string, 1)
		go func() { got, _ := z.Authorize(t.Context(), ""); done <- got }()
		<-e.started
		if _, err := a.SignOut(t.Context(), z.server); err != nil {
			t.Fatal(err)
		}
		close(hold)
		if got := <-done; got != "" {
			t.Error("a request went out signed in")
		}
		synctest.Wait()
		if last := e.forms[len(e.forms)-1]; last != "client_id=app&token=access-1&token_type_hint=access_token" {
			t.Errorf("what came too late is not given back: %s", last)
		}
		if _, err := vault.Get(t.Context(), sessionKey(z.key)); !errors.Is(err, keychain.ErrNotFound) {
			t.Errorf("the keychain: %v", err)
		}
	})
}

func TestHowSoonATokenIsRenewed(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for _, c := range []struct {
		life, left time.Duration
		due        bool
	}{
		{time.Hour, time.Minute, false}, {time.Hour, 30 * time.Second, true}, {time.Hour, -time.Second, true},
		{8 * time.Second, 3 * time.Second, false}, {8 * time.Second, 2 * time.Second, true},
	} {
		s := session{Expiry: now.Add(c.left), Got: now.Add(c.left - c.life)}
		if s.due(now) != c.due {
			t.Errorf("a token of %v with %v left: due is %v", c.life, c.left, !c.due)
		}
	}
	if (session{Access: "x"}).due(now) {
		t.Error("a token whose end nobody knows is due")
	}
}

func TestAnExpiredRefreshTokenLeadsToANewSignIn(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	r.as.Withdraw(true)
	done := r.started()
	s := r.state(NeedsConsent)
	if s.Why != Expired {
		t.Errorf("why: %s", s.Why)
	}
	s, err := r.a.Agree(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	visit(t, s.URL)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestARenewalThatTakesLongIsTold: where, and what waits for it, until it is over or
// given up; one that does not is nobody's concern.
func TestARenewalThatTakesLongIsTold(t *testing.T) {
	for name, end := range map[string]func(a *Accounts, hold chan struct{}){
		"answered":     func(_ *Accounts, hold chan struct{}) { close(hold) },
		"the app ends": func(a *Accounts, _ chan struct{}) { a.Close() },
		"no answer":    func(*Accounts, chan struct{}) { time.Sleep(tokenLimit) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, hold := &endpoint{}, make(chan struct{})
				a, z, _ := renewing(t, e, session{Access: "old", Refresh: "once", Expiry: time.Now()})
				defer a.Close()
				all := make(chan Renewal, 10)
				a.tell.f = func(e Event) {
					if e.Renewal != nil {
						all <- *e.Renewal
					}
				}
				a.o.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
					select {
					case <-hold:
						return handled(e.serve).RoundTrip(r)
					case <-r.Context().Done():
						return nil, r.Context().Err()
					}
				})
				first, giveUp := context.WithCancel(t.Context())
				for ctx, call := range map[context.Context]string{first: "book", t.Context(): ""} {
					go z.Authorize(ctx, call)
					synctest.Wait()
				}
				if len(all) != 0 {
					t.Errorf("at once is told %q", <-all)
				}
				time.Sleep(patience)
				synctest.Wait()
				giveUp()
				synctest.Wait()
				end(a, hold)
				synctest.Wait()
				var told []Renewal
				for len(all) > 0 {
					told = append(told, <-all)
				}
				calls := func(i int) []string { return slices.Sorted(slices.Values(told[i].Calls)) }
				if len(told) != 3 || told[0].Host != "as.example" || !slices.Equal(calls(0), []string{"", "book"}) || !slices.Equal(calls(1), []string{""}) || told[2].Host != "" {
					t.Errorf("told is %q", told)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{answer: func(http.ResponseWriter, int) bool { time.Sleep(patience / 2); return false }}
		a, z, _ := renewing(t, e, session{Access: "old", Refresh: "once", Expiry: time.Now()})
		defer a.Close()
		a.tell.f = func(e Event) {
			if e.Renewal != nil {
				t.Errorf("of one that is quick is told %q", *e.Renewal)
			}
		}
		if got, err := z.Authorize(t.Context(), ""); got != "Bearer access-1" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		time.Sleep(2 * patience)
	})
}

// TestAProgramThatNeverFinishesARenewalIsWaitedForWithinABound: then a sentence says
// what is the matter, and nothing is sent that could cost the sign-in.
func TestAProgramThatNeverFinishesARenewalIsWaitedForWithinABound(t *testing.T) {
	locks := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{}
		a, z, _ := renewing(t, e, session{Access: "old", Refresh: "once", Expiry: time.Now().Add(10 * time.Minute)})
		defer a.Close()
		a.o.Locks = locks
		free, err := z.alone(t.Context(), lockLimit) // as another program does
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10*time.Minute - skew)
		if got, err := z.Authorize(t.Context(), ""); got != "" || err == nil || err.(*Refused).text.ID != "auth.signin.busy" {
			t.Errorf("while another program has it: %q, %v", got, err)
		}
		if e.n != 0 {
			t.Errorf("it was renewed %d times in spite of that", e.n)
		}
		free()
		if got, err := z.Authorize(t.Context(), ""); got != "Bearer access-1" || err != nil {
			t.Errorf("after it: %q, %v", got, err)
		}
		free, err = z.alone(t.Context(), lockLimit)
		if err != nil {
			t.Fatal(err)
		}
		defer free()
		time.Sleep(2 * time.Hour)
		closed := make(chan error)
		go func() { _, err := z.Authorize(t.Context(), ""); closed <- err }()
		synctest.Wait()
		began := time.Now()
		a.Close()
		if err := <-closed; err == nil || time.Since(began) > time.Second {
			t.Errorf("the end of the app waits for another program: %v after %v", err, time.Since(began))
		}
	})
}
