package signintest

import (
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// question returns a function that waits for the next question of a server.
func question(t *testing.T, a *app) (next func() mcpclient.Elicitation) {
	t.Helper()
	questions := make(chan mcpclient.Elicitation)
	a.client.Watch(func(e mcpclient.Event) {
		if e.Elicitation == nil || e.Elicitation.State != mcpclient.ElicitationOpen {
			return
		}
		select {
		case questions <- *e.Elicitation:
		case <-a.quit:
		}
	})
	return func() mcpclient.Elicitation {
		t.Helper()
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case q := <-questions:
			return q
		case <-timer.C:
			t.Fatal("no question comes")
			return mcpclient.Elicitation{}
		}
	}
}

// TestAnAnswerSurvivesASignInThatEndsMeanwhile: a person may think for longer
// than a token lives. The answer they then give is sent, after a renewal or a new
// sign-in, and is not asked for again.
func TestAnAnswerSurvivesASignInThatEndsMeanwhile(t *testing.T) {
	for _, c := range []struct {
		name  string
		ends  func(w *world)
		asked bool // a person has to sign in again
	}{
		{"the token expired", func(w *world) { w.pass(2 * time.Hour) }, false},
		{"the token was withdrawn", func(w *world) { w.as.Withdraw(false) }, false},
		{"all was withdrawn", func(w *world) { w.as.Withdraw(true) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, authtest.Options{}, authtest.ResourceOptions{Behind: asking("X", "")})
			a, b := w.run(), newPlain(t)
			next := question(t, a)
			attempt := a.connect()
			b.open(t, a.agrees().URL)
			b.press(t, "accept")
			if attempt.wait(); attempt.err != nil {
				t.Fatal(attempt.err)
			}
			call := a.starts(attempt.conn, "ask")
			q := next()
			c.ends(w)
			if err := a.client.Answer(q.ID, mcpclient.Answer{Action: mcpclient.Accept, Content: json.RawMessage(`{"note":"thought about it"}`)}); err != nil {
				t.Fatal(err)
			}
			if c.asked {
				b.open(t, a.agrees().URL)
				b.press(t, "accept")
			}
			if got := a.ends(call); !strings.Contains(got, "thought about it") {
				t.Errorf("the call ends with %q", got)
			}
		})
	}
}

// TestACallThatIsCancelledWaitsForNoSignIn, and the sign-in stays for others.
func TestACallThatIsCancelledWaitsForNoSignIn(t *testing.T) {
	w, a, b, conn := signedIn(t, newPlain, authtest.Options{}, authtest.ResourceOptions{})
	w.as.Withdraw(true)
	call := a.starts(conn, "whoami")
	s := a.agrees()
	a.client.Cancel(call)
	a.ends(call)
	if open := a.accounts.SignIns(); len(open) != 1 || open[0].ID != s.ID {
		t.Errorf("open are %v", open)
	}
	other := a.starts(conn, "whoami")
	b.open(t, s.URL)
	b.press(t, "accept")
	if got := a.ends(other); got != "Ann" {
		t.Errorf("the other call ends with %q", got)
	}
}

// TestQuittingEndsASignInAndFreesItsPort: the app may be closed at any point.
func TestQuittingEndsASignInAndFreesItsPort(t *testing.T) {
	for name, agree := range map[string]bool{"before the person agreed": false, "in the browser": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, authtest.Options{}, authtest.ResourceOptions{})
			a := w.run()
			attempt := a.connect()
			redirect := ""
			if agree {
				redirect = a.agrees().Redirect
			} else {
				a.asks()
			}
			a.end()
			<-attempt.done
			if attempt.err == nil {
				t.Error("connected")
			}
			if agree {
				freePort(t, redirect)
			}
			if open := a.accounts.SignIns(); len(open) != 0 {
				t.Errorf("still open: %v", open)
			}
		})
	}
}

// TestANoToMoreScopesLeavesWhatThereIs: it is remembered for those scopes alone.
func TestANoToMoreScopesLeavesWhatThereIs(t *testing.T) {
	_, a, _, conn := signedIn(t, newPlain, authtest.Options{}, authtest.ResourceOptions{
		Challenge: "read", Tools: map[string][]string{"write": {"write"}, "delete": {"delete"}},
	})
	refuse := func(tool string) string {
		call := a.starts(conn, tool)
		if err := a.accounts.Cancel(a.asks().ID); err != nil {
			t.Fatal(err)
		}
		return a.ends(call)
	}
	if got := refuse("write"); got == "done" {
		t.Error("the tool ran")
	}
	if got := a.call(conn, "write"); got == "done" {
		t.Error("the tool ran")
	}
	if got := a.call(conn, "whoami"); got != "Ann read" {
		t.Errorf("after a no the server says %q", got)
	}
	refuse("delete") // is asked for
}

// TestAServerOfEveryEraIsSignedInTo over every transport that has credentials.
func TestAServerOfEveryEraIsSignedInTo(t *testing.T) {
	for _, revision := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"} {
		t.Run(revision, func(t *testing.T) {
			w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{Protocol: revision})
			a := w.run(driven)
			attempt := a.connect()
			if attempt.wait(); attempt.err != nil {
				t.Fatal(attempt.err)
			}
			if got := attempt.conn.Info().Protocol; got != revision {
				t.Errorf("it speaks %s", got)
			}
			w.as.Withdraw(true)
			if got := a.endAll([]string{a.starts(attempt.conn, "whoami")}); got[0] != "Ann" {
				t.Errorf("the call ends with %q", got[0])
			}
		})
	}
}

// TestCredentialsAreNotSentOn: a token endpoint that sends the request on gets
// no second one, and what is told of metadata stays with the origin that was
// asked.
func TestCredentialsAreNotSentOn(t *testing.T) {
	thief := start(t, func(string) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s %s was sent on", r.Method, r.URL.Path) })
	})
	for _, path := range []string{"/token", "/register", "/mcp"} {
		for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
			w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
			send := func(rw http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != path || path == "/mcp" && r.Header.Get("Authorization") == "" {
					return false
				}
				http.Redirect(rw, r, thief+path, status)
				return true
			}
			w.as.Set(func(o *authtest.Options) { o.Intercept = send })
			w.mcp.Set(func(o *authtest.ResourceOptions) { o.Intercept = send })
			w.run(driven).connect().fails()
		}
	}
}

// TestThePageSpeaksThePersonsLanguage.
func TestThePageSpeaksThePersonsLanguage(t *testing.T) {
	w := newWorld(t, authtest.Options{}, authtest.ResourceOptions{})
	chinese := func(o *auth.Options) { o.Localizer = func() *i18n.Localizer { return i18n.New("zh-Hans") } }
	a, b := w.run(chinese), newPlain(t)
	attempt := a.connect()
	s := a.agrees()
	b.open(t, s.URL)
	p := b.press(t, "accept")
	if !p.is(s.Redirect) || p.lang != "zh-Hans" || !strings.ContainsAny(p.text, "您你回") {
		t.Errorf("the page: %+v", p)
	}
	attempt.works("Ann")
}

// TestTheDoorIsForThisComputerAlone: it listens on loopback, and a name that
// somebody let lead here is not let in.
func TestTheDoorIsForThisComputerAlone(t *testing.T) {
	w := newWorld(t, authtest.Options{}, authtest.ResourceOptions{})
	a := w.run()
	attempt := a.connect()
	s := a.agrees()
	r, err := http.NewRequest(http.MethodGet, s.Redirect+"?state=x&code=y", nil)
	if err != nil {
		t.Fatal(err)
	}
	if host, _, err := net.SplitHostPort(r.URL.Host); err != nil || !net.ParseIP(host).IsLoopback() {
		t.Errorf("it listens on %s", r.URL.Host)
	}
	r.Host = "evil.example"
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("a stranger's name is answered with %d", resp.StatusCode)
	}
	if err := a.accounts.Cancel(s.ID); err != nil {
		t.Fatal(err)
	}
	if got := attempt.fails(); got == "" {
		t.Error("nothing is said")
	}
}

// TestASignInWaitsUntilItIsNeeded: a server that needs one for some requests
// alone is connected to without.
func TestASignInWaitsUntilItIsNeeded(t *testing.T) {
	w := newWorld(t, authtest.Options{}, authtest.ResourceOptions{Free: []string{"server/discover", "tools/list"}})
	a, b := w.run(), newPlain(t)
	attempt := a.connect()
	if asked := attempt.wait(); attempt.err != nil || asked != 0 {
		t.Fatalf("asked %d times, %v", asked, attempt.err)
	}
	call := a.starts(attempt.conn, "whoami")
	b.open(t, a.agrees().URL)
	b.press(t, "accept")
	if got := a.ends(call); got != "Ann" {
		t.Errorf("the call ends with %q", got)
	}
}

// TestAServerThatNeverTakesATokenIsGivenUp: neither the person nor the
// authorization server is asked for ever.
func TestAServerThatNeverTakesATokenIsGivenUp(t *testing.T) {
	w, a, _, _ := signedIn(t, newPlain, authtest.Options{}, authtest.ResourceOptions{})
	w.as.Set(func(o *authtest.Options) { o.Login = authtest.Grant })
	w.mcp.Set(func(o *authtest.ResourceOptions) {
		o.Intercept = func(rw http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/mcp" {
				return false
			}
			rw.WriteHeader(http.StatusUnauthorized)
			return true
		}
	})
	a.end()
	a = w.run(driven)
	attempt := a.connect()
	attempt.fails()
	if got := reason(attempt.err); got != "auth.signin.rejected" {
		t.Errorf("it says %q (%v)", got, attempt.err)
	}
	if n := w.asked("/authorize"); n > 2 {
		t.Errorf("the browser was sent to sign in %d times", n)
	}
	if n := w.asked("/token"); n > 4 {
		t.Errorf("the token endpoint was asked %d times", n)
	}
}

// TestAnOddTimeOfExpiryDoesNoHarm: tokens that end at once, never, or at no time
// that can be read are used all the same.
func TestAnOddTimeOfExpiryDoesNoHarm(t *testing.T) {
	for _, life := range []string{`0`, `-5`, `"3600"`, `"soon"`, `1e300`, `null`, `{}`, `0.5`} {
		t.Run(life, func(t *testing.T) {
			w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
			w.as.Set(func(o *authtest.Options) { o.Answer = map[string]any{"expires_in": json.RawMessage(life)} })
			a := w.run(driven)
			attempt := a.connect()
			if attempt.wait(); attempt.err != nil {
				t.Fatal(attempt.err)
			}
			for range 3 {
				if got := a.endAll([]string{a.starts(attempt.conn, "whoami")}); got[0] != "Ann" {
					t.Errorf("a call ends with %q", got[0])
				}
			}
			if n := w.asked("/authorize"); n != 1 {
				t.Errorf("the browser was sent to sign in %d times", n)
			}
		})
	}
}

// TestAServerWithAnotherAddressIsAnotherServer: the tokens stay with the address
// they were given for, and are there again when it is.
func TestAServerWithAnotherAddressIsAnotherServer(t *testing.T) {
	w, a, _, _ := signedIn(t, newPlain, authtest.Options{}, authtest.ResourceOptions{})
	a.end()
	other := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	old := w.server
	w.server.URL = other.mcp.URL()
	a = w.run(driven)
	attempt := a.connect()
	if asked := attempt.wait(); attempt.err != nil || asked != 1 {
		t.Fatalf("asked %d times, %v", asked, attempt.err)
	}
	for _, r := range other.as.Log().Requests() {
		for _, secret := range w.as.Log().Secrets() {
			if holds(r.Header.Get("Authorization")+string(r.Body)+r.Query.Encode(), secret.Value) {
				t.Errorf("%s of another server got the %s", r.Path, secret.Kind)
			}
		}
	}
	a.end()
	w.server = old
	w.run().connect().works("Ann")
}
