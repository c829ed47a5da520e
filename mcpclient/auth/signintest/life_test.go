package signintest

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

func localhost(port int) string { return net.JoinHostPort("localhost", strconv.Itoa(port)) }

func portOf(t *testing.T, u *url.URL) int {
	t.Helper()
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// TestManyRequestsShareOneSignIn: however many requests are refused at once, the
// person is asked one time, and so is the authorization server for a renewal.
func TestManyRequestsShareOneSignIn(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	a := w.run(driven)
	attempt := a.connected()
	for _, c := range []struct {
		name    string
		before  func()
		signIns int
	}{
		{"they have expired", func() { w.pass(2 * time.Hour) }, 0},
		{"they were withdrawn", func() { w.as.Withdraw(false) }, 0},
		{"all was withdrawn", func() { w.as.Withdraw(true) }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			signIns, tokens := w.asked("/authorize"), w.asked("/token")
			c.before()
			var ids []string
			for range 10 {
				ids = append(ids, a.starts(attempt.conn, "whoami"))
			}
			texts := a.endAll(ids)
			for _, text := range texts {
				if text != "Ann" {
					t.Errorf("a call ends with %q", text)
				}
			}
			if n := w.asked("/authorize") - signIns; n != c.signIns {
				t.Errorf("the browser was sent to sign in %d times, want %d", n, c.signIns)
			}
			if n := w.asked("/token") - tokens; n != 1+c.signIns {
				t.Errorf("the token endpoint was asked %d times, want %d", n, 1+c.signIns)
			}
		})
	}
	namesTheResource(t, w)
}

// TestARefreshTokenIsUsedOnceAndReplaced: with rotation each renewal uses the
// newest refresh token, across restarts too; without it the same is used on.
func TestARefreshTokenIsUsedOnceAndReplaced(t *testing.T) {
	for _, keep := range []bool{false, true} {
		w := newWorld(t, authtest.Options{Login: authtest.Grant, KeepRefresh: keep}, authtest.ResourceOptions{})
		for range 4 {
			a := w.run(driven)
			attempt := a.connect()
			if attempt.wait(); attempt.err != nil {
				t.Fatal(attempt.err)
			}
			w.pass(2 * time.Hour)
			if got := a.call(attempt.conn, "whoami"); got != "Ann" {
				t.Errorf("a call ends with %q", got)
			}
			a.end()
			w.pass(2 * time.Hour)
		}
		var used []string
		for _, r := range w.as.Log().Requests("/token") {
			if token := r.Form.Get("refresh_token"); token != "" {
				used = append(used, token)
			}
		}
		want := len(used)
		if keep {
			want = 1
		}
		slices.Sort(used)
		if distinct := len(slices.Compact(used)); distinct != want || w.asked("/authorize") != 1 {
			t.Errorf("keep %t: %d refresh tokens were used, want %d; %d sign-ins", keep, distinct, want, w.asked("/authorize"))
		}
	}
}

// TestAServerThatIsNeverSatisfiedIsGivenUp: the same scopes are asked for three
// times at most.
func TestAServerThatIsNeverSatisfiedIsGivenUp(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{Challenge: "read", Tools: map[string][]string{"write": {"write"}}})
	w.mcp.Set(func(o *authtest.ResourceOptions) {
		o.Intercept = func(rw http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") == "" || r.URL.Path != "/mcp" || r.Header.Get("Mcp-Name") != "write" {
				return false
			}
			rw.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="write"`)
			rw.WriteHeader(http.StatusForbidden)
			return true
		}
	})
	a := w.run(driven)
	attempt := a.connected()
	for range 3 {
		a.endAll([]string{a.starts(attempt.conn, "write")})
	}
	if n := w.asked("/authorize") - 1; n < 1 || n > 3 {
		t.Errorf("the same scopes were asked for %d times", n)
	}
}

// TestAServerThatMovesToAnotherAuthorizationServerIsAStrangerThere: the app
// registers anew, and nothing the old one gave is shown to the new one.
func TestAServerThatMovesToAnotherAuthorizationServerIsAStrangerThere(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant, Methods: []string{authtest.Post}}, authtest.ResourceOptions{})
	a := w.run(driven)
	attempt := a.connected()
	var moved *authtest.Server
	start(t, func(origin string) http.Handler {
		moved = authtest.New(origin, authtest.Options{Login: authtest.Grant, Methods: []string{authtest.Post}, Now: w.clock}, nil)
		return moved
	})
	w.mcp.Trust(moved)
	if got := a.endAll([]string{a.starts(attempt.conn, "whoami")}); got[0] != "Ann" {
		t.Errorf("the call ends with %q", got)
	}
	if len(moved.Log().Requests("/register")) != 1 || len(moved.Log().Requests("/token")) != 1 {
		t.Errorf("the new server was asked %v", moved.Log().Requests())
	}
	old := w.as.Log().Secrets()
	for _, r := range moved.Log().Requests("/register", "/authorize", "/token", "/revoke") {
		text := string(r.Body) + r.Query.Encode() + r.Header.Get("Authorization")
		for _, secret := range old {
			if strings.Contains(text, secret.Value) {
				t.Errorf("%s of the new server got the old one's %s", r.Path, secret.Kind)
			}
		}
	}
}

// TestSigningOutRevokesAndForgets: tokens are revoked where that can be done,
// and are gone here in any case.
func TestSigningOutRevokesAndForgets(t *testing.T) {
	for name, o := range map[string]authtest.Options{
		"where it can be done": {},
		"where it cannot":      {NoRevoke: true},
		"where it fails":       {Intercept: intercepting("/revoke", http.StatusServiceUnavailable, "text/plain", "later")},
	} {
		t.Run(name, func(t *testing.T) {
			o.Login = authtest.Grant
			w := newWorld(t, o, authtest.ResourceOptions{})
			a := w.run(driven)
			attempt := a.connect()
			if attempt.wait(); attempt.err != nil {
				t.Fatal(attempt.err)
			}
			_, err := a.accounts.SignOut(t.Context(), w.server)
			if err != nil {
				t.Errorf("signing out: %v", err)
			}
			account, err := a.accounts.Who(t.Context(), w.server)
			if err != nil || account.SignedIn() {
				t.Errorf("after it the account is %+v, %v", account, err)
			}
			if name == "where it can be done" {
				for _, secret := range w.as.Log().Secrets() {
					if _, valid := w.as.Token(secret.Value); valid {
						t.Errorf("the %s still works", secret.Kind)
					}
				}
			}
			a.end()
			a = w.run()
			again := a.connect()
			s := a.asks()
			if err := a.accounts.Cancel(s.ID); err != nil {
				t.Fatal(err)
			}
			again.fails()
		})
	}
}

// TestARemovedServerLeavesNothing in the keychain.
func TestARemovedServerLeavesNothing(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	a := w.run(driven)
	a.connected()
	if len(w.vault.Keys()) == 0 {
		t.Error("nothing was stored")
	}
	if err := a.accounts.Forget(t.Context(), w.server.ID); err != nil {
		t.Fatal(err)
	}
	if keys := w.vault.Keys(); len(keys) > 0 {
		t.Errorf("the keychain still has %v", keys)
	}
}

// TestTheAppSignsInAsItself: with client credentials no person is asked.
func TestTheAppSignsInAsItself(t *testing.T) {
	w := newWorld(t, authtest.Options{Clients: []authtest.Client{{ID: "app", Secret: "pw"}}}, authtest.ResourceOptions{})
	w.server.SignIn = mcpclient.SignIn{ClientID: "app", Issuer: w.as.Issuer(), Service: true}
	a := w.run()
	if err := a.accounts.KeepClientSecret(t.Context(), w.server, "pw"); err != nil {
		t.Fatal(err)
	}
	conn := a.connect().works("")
	w.pass(2 * time.Hour)
	if got := a.call(conn, "whoami"); got != "" {
		t.Errorf("the call ends with %q", got)
	}
	namesTheResource(t, w)
	if w.asked("/authorize") != 0 || w.asked("/token") != 2 {
		t.Errorf("%d sign-ins, %d requests for tokens", w.asked("/authorize"), w.asked("/token"))
	}
}

// TestTheCommandLineAsksNobody: an unattended run uses and renews what is
// stored, and says so where a person is needed.
func TestTheCommandLineAsksNobody(t *testing.T) {
	unattended := func(o *auth.Options) { o.Unattended = true }
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	attempt := w.run(unattended).connect()
	attempt.fails()
	if got := reason(attempt.err); got != "auth.signin.unattended" {
		t.Errorf("it says %q (%v)", got, attempt.err)
	}
	a := w.run(driven)
	a.connected()
	a.end()
	w.pass(2 * time.Hour)
	w.run(unattended).connect().works("Ann")
}
