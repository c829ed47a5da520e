package auth

import (
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
)

// hangs makes the authority stop once at an address, until whoever asked has gone or
// the test ends.
func (r *rig) hangs(path string) (reached <-chan struct{}) {
	asked, ends := make(chan struct{}), make(chan struct{})
	r.t.Cleanup(func() { close(ends) })
	var once atomic.Bool
	r.as.Set(func(o *authtest.Options) {
		o.Intercept = func(_ http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != r.as.Endpoint(path) || !once.CompareAndSwap(false, true) {
				return false
			}
			io.Copy(io.Discard, q.Body) // else nobody notices that the other side has gone
			close(asked)
			select {
			case <-q.Context().Done():
			case <-ends:
			}
			return true
		}
	})
	return asked
}

// sessions are the names of what the keychain has of a sign-in.
func (r *rig) sessions() (names []string) {
	for _, k := range r.vault.Keys() {
		if strings.HasPrefix(k.Name, "oauth session") {
			names = append(names, k.Name)
		}
	}
	return names
}

// TestB95: wherever a sign-in is when the person cancels it, the request says so at
// once, the port is free at once, and the next sign-in works though what the first
// had begun still hangs.
func TestB95_CancelEndsASignInWhereverItIs(t *testing.T) {
	known := mcpclient.SignIn{ClientID: "known"}
	begins := func(r *rig) { go r.a.Agree(r.t.Context(), r.state(NeedsConsent).ID) }
	keychainAsks := func(deed keychain.Deed, name string) func(r *rig) (<-chan struct{}, func()) {
		return func(r *rig) (<-chan struct{}, func()) { return r.vault.Stop(deed, name) }
	}
	authorityHangs := func(path string) func(r *rig) (<-chan struct{}, func()) {
		return func(r *rig) (<-chan struct{}, func()) { return r.hangs(path), func() {} }
	}
	for name, c := range map[string]struct {
		setup mcpclient.SignIn
		hangs func(r *rig) (there <-chan struct{}, goesOn func()) // nil for a person who thinks
		gets  func(r *rig)                                        // there
		state State
	}{
		"asked for consent":                          {gets: func(*rig) {}, state: NeedsConsent},
		"preparing, the keychain looks it up":        {hangs: keychainAsks(keychain.Reading, "oauth client"), gets: begins, state: Preparing},
		"preparing, the app is registered":           {hangs: authorityHangs("register"), gets: begins, state: Preparing},
		"preparing, the keychain keeps it":           {hangs: keychainAsks(keychain.Saving, "oauth client"), gets: begins, state: Preparing},
		"preparing, the keychain looks for a secret": {setup: known, hangs: keychainAsks(keychain.Reading, "oauth secret"), gets: begins, state: Preparing},
		"preparing, the keychain looks for its owner": {
			setup: known, hangs: keychainAsks(keychain.Reading, "oauth issuer"), gets: begins, state: Preparing},
		"preparing, the keychain keeps its owner": {setup: known, hangs: keychainAsks(keychain.Saving, "oauth issuer"), gets: begins, state: Preparing},
		"in the browser": {gets: func(r *rig) { r.agreed() }, state: InBrowser},
		"exchanging":     {hangs: authorityHangs("token"), gets: func(r *rig) { visit(r.t, r.agreed().URL) }, state: Exchanging},
	} {
		t.Run(name, func(t *testing.T) {
			o := grants
			o.AnyPort = true
			o.Clients = []authtest.Client{{ID: "known", Redirects: []string{"http://127.0.0.1/callback"}}}
			r := newRig(t, o, authtest.ResourceOptions{})
			r.server.SignIn = c.setup
			r.server.SignIn.Port = freePort(t)
			var there <-chan struct{}
			if c.hangs != nil {
				var goesOn func()
				there, goesOn = c.hangs(r)
				defer goesOn()
			}
			done := r.started()
			if c.state == NeedsConsent {
				r.state(NeedsConsent)
			}
			c.gets(r)
			if there != nil {
				<-there
			}
			open := r.a.SignIns()
			if len(open) != 1 || open[0].State != c.state {
				t.Fatalf("the sign-ins are %+v, want one that is %s", open, c.state)
			}
			if err := r.a.Cancel(open[0].ID); err != nil {
				t.Fatal(err)
			}
			l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(r.server.SignIn.Port)))
			if err != nil {
				t.Fatalf("the port is not free: %v", err)
			}
			l.Close()
			if key := sentenceOf(t, <-done); key != "auth.signin.cancelled" {
				t.Errorf("the request ends with %s", key)
			}
			if told := r.state(Declined); told.Text.ID != "auth.signin.cancelled" {
				t.Errorf("told %+v", told)
			}
			if who, err := r.a.Who(t.Context(), r.server); err != nil || who.SignedIn() || len(r.sessions()) != 0 {
				t.Errorf("signed in as %+v, %v; stored are %q", who, err, r.sessions())
			}
			r.a.Again(r.server.ID)
			r.signedIn()
		})
	}
}

// freePort is a port that nobody has.
func freePort(t *testing.T) int {
	t.Helper()
	port, err := authtest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// nos are the ways in which a person says no to a sign-in under way.
var nos = map[string]func(r *rig, s SignIn) error{
	"cancelled":  func(r *rig, s SignIn) error { return r.a.Cancel(s.ID) },
	"signed out": func(r *rig, _ SignIn) error { _, err := r.a.SignOut(r.t.Context(), r.server); return err },
	"removed":    func(r *rig, _ SignIn) error { return r.a.Forget(r.t.Context(), r.server.ID) },
}

// TestTokensThatComeAfterThePersonsNoAreGivenBack, and nobody is signed in.
func TestTokensThatComeAfterThePersonsNoAreGivenBack(t *testing.T) {
	for name, no := range nos {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, grants, authtest.ResourceOptions{})
			came, goOn := make(chan struct{}), make(chan struct{})
			r.as.Set(func(o *authtest.Options) {
				o.Intercept = func(_ http.ResponseWriter, q *http.Request) bool {
					if q.URL.Path == r.as.Endpoint("token") {
						close(came)
						<-goOn
					}
					return false
				}
			})
			done := r.started()
			s := r.agreed()
			visit(t, s.URL)
			<-came
			if err := no(r, s); err != nil {
				t.Fatal(err)
			}
			if err := <-done; err == nil {
				t.Error("the request went through")
			}
			close(goOn)
			r.a.work.Wait()
			if who, err := r.a.Who(t.Context(), r.server); err != nil || who.SignedIn() || len(r.sessions()) != 0 {
				t.Errorf("signed in as %+v, %v; stored are %q", who, err, r.sessions())
			}
			var given []string
			for _, q := range r.as.Log().Requests(r.as.Endpoint("revoke")) {
				given = append(given, q.Form.Get("token_type_hint"))
			}
			if slices.Sort(given); !slices.Equal(given, []string{"access_token", "refresh_token"}) {
				t.Errorf("given back were %q", given)
			}
		})
	}
}

// TestB95: the keychain may ask the person for a password before it keeps a sign-in.
// Nobody waits for that: whoever is signed in is told so, and what they say then
// counts.
func TestB95_WhileTheKeychainAsksThePersonIsSignedInAndMaySignOut(t *testing.T) {
	for name, no := range nos {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, grants, authtest.ResourceOptions{})
			asks, answer := r.vault.Stop(keychain.Saving, "oauth session")
			s := r.signedIn()
			<-asks
			r.state(Done)
			err := no(r, s)
			if cancelled := name == "cancelled"; cancelled != errors.Is(err, ErrNoSignIn) || !cancelled && err != nil {
				t.Errorf("the no: %v", err)
			}
			answer()
			r.a.work.Wait()
			who, err := r.a.Who(t.Context(), r.server)
			if stays := name == "cancelled"; err != nil || who.SignedIn() != stays || len(r.sessions()) == 1 != stays {
				t.Errorf("signed in as %+v, %v; stored are %q", who, err, r.sessions())
			}
			if n := len(r.as.Log().Requests(r.as.Endpoint("revoke"))); name == "signed out" && n != 2 {
				t.Errorf("%d tokens were given back", n)
			}
			if keys := r.vault.Keys(); name == "removed" && len(keys) != 0 {
				t.Errorf("of a server that was removed the keychain has %v", keys)
			}
		})
	}
}

func TestARegistrationOfAServerThatWasRemovedMeanwhileIsNotKept(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	asks, answer := r.vault.Stop(keychain.Saving, "oauth client")
	done := r.started()
	go r.a.Agree(t.Context(), r.state(NeedsConsent).ID)
	<-asks
	if err := r.a.Forget(t.Context(), r.server.ID); err != nil {
		t.Fatal(err)
	}
	if key := sentenceOf(t, <-done); key != "auth.signin.closed" {
		t.Errorf("the request ends with %s", key)
	}
	answer()
	r.a.work.Wait()
	if keys := r.vault.Keys(); len(keys) != 0 {
		t.Errorf("the keychain has %v", keys)
	}
}

// TestAConnectionOfAServerThatWasRemovedBeginsNoSignIn: it may still send what it
// has.
func TestAConnectionOfAServerThatWasRemovedBeginsNoSignIn(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	z := r.a.Authorizer(r.server)
	if err := r.a.Forget(t.Context(), r.server.ID); err != nil {
		t.Fatal(err)
	}
	err := z.Challenge(t.Context(), weak("", 0, "more"))
	if key := sentenceOf(t, err); key != "auth.signin.gone" || len(r.a.SignIns()) != 0 {
		t.Errorf("challenged: %v; sign-ins: %+v", err, r.a.SignIns())
	}
}

// TestARenewalBeforeTheKeychainHasTheSignInDoesNotFallBackToTheOneBefore.
func TestARenewalBeforeTheKeychainHasTheSignInDoesNotFallBackToTheOneBefore(t *testing.T) {
	o := grants
	o.NoRefresh = true
	r := newRig(t, o, authtest.ResourceOptions{})
	r.signedIn()
	r.as.Withdraw(false)
	r.as.Set(func(o *authtest.Options) { o.NoRefresh = false })
	r.restart(Options{})
	asks, answer := r.vault.Stop(keychain.Saving, "oauth session")
	r.signedIn()
	<-asks
	defer answer()
	r.as.Withdraw(false) // the access tokens
	if err := r.request(t.Context()); err != nil {
		t.Error(err)
	}
	if n := len(r.as.Log().Requests(r.as.Endpoint("authorize"))); n != 2 {
		t.Errorf("the person was sent to sign in %d times", n)
	}
}
