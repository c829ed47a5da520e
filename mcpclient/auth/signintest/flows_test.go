package signintest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// The ways in which signing in goes. Each is played here with a browser that has
// no screen, and by TestBrowser with a real one.

func TestASignInIsDoneOnce_AfterARestartNobodyIsAsked(t *testing.T) { signsIn(t, newPlain) }

func TestB97_ANoInTheBrowserEndsTheSignIn_ItsReasonIsText_NobodyIsAskedAgainUnasked(t *testing.T) {
	declines(t, newPlain)
}

func TestB95_AClosedTabHoldsNothingUp_CancelFreesThePortAtOnce_TheNextTryWorks(t *testing.T) {
	closesTheTab(t, newPlain)
}

func TestB97_AWrongStateSettlesNothing(t *testing.T) { bringsTheWrongState(t, newPlain) }

func TestB97_ACallbackThatComesTwiceIsAnsweredTwiceAndCountsOnce(t *testing.T) {
	comesBackTwice(t, newPlain)
}

func TestAnAccessTokenThatHasExpiredIsRenewedWithoutAPerson(t *testing.T) { renews(t, newPlain) }

func TestARefreshTokenThatHasExpiredLeadsToANewSignIn(t *testing.T) { signsInAgain(t, newPlain) }

func TestAToolThatNeedsMoreScopesAsksForThemAndForThoseThereWere(t *testing.T) { stepsUp(t, newPlain) }

// landing wants p to be a complete page of the app in English that gives no
// secret away.
func landing(t *testing.T, w *world, s auth.SignIn, p page) {
	t.Helper()
	if !p.is(s.Redirect) {
		t.Fatalf("the browser is at %s, want %s", p.address, s.Redirect)
	}
	if p.lang != "en" || p.title == "" || strings.TrimSpace(p.text) == "" || !strings.Contains(p.source, "</html>") {
		t.Errorf("no complete page: %+v", p)
	}
	for _, secret := range w.as.Log().Secrets() {
		if strings.Contains(p.source, secret.Value) {
			t.Errorf("the page holds the %s", secret.Kind)
		}
	}
}

func signsIn(t *testing.T, newBrowser func(*testing.T) browser) {
	w := newWorld(t, authtest.Options{Scopes: []string{"openid", "read"}}, authtest.ResourceOptions{Challenge: "openid read"})
	a, b := w.run(), newBrowser(t)
	attempt := a.connect()
	s := a.agrees()
	if s.ServerName != "Notes" || "http://"+s.Host != w.as.Issuer() || s.Origin+"/mcp" != w.server.URL || fmt.Sprint(s.Scopes) != "[openid read]" {
		t.Errorf("the person is asked about %+v", s)
	}
	b.open(t, s.URL)
	p := b.press(t, "accept")
	landing(t, w, s, p)
	if p.status != http.StatusOK {
		t.Errorf("the page has status %d", p.status)
	}
	conn := attempt.works("Ann")
	if user := conn.Info().Identity.User; user != "Ann" {
		t.Errorf("the app says that %q is signed in", user)
	}
	freePort(t, s.Redirect)
	a.end()

	a = w.run()
	a.connect().works("Ann")
	if n := w.asked("/authorize"); n != 1 {
		t.Errorf("the browser was sent to sign in %d times", n)
	}
	account, err := a.accounts.Who(t.Context(), w.server)
	if err != nil || !account.SignedIn() || account.User != "Ann" {
		t.Errorf("after a restart the account is %+v, %v", account, err)
	}
}

func declines(t *testing.T, newBrowser func(*testing.T) browser) {
	const reason = "<b>no</b> <script>document.title='x'</script>\u202eesrever\u0000\n"
	w := newWorld(t, authtest.Options{Reason: reason}, authtest.ResourceOptions{})
	a, b := w.run(), newBrowser(t)
	attempt := a.connect()
	s := a.agrees()
	b.open(t, s.URL)
	p := b.press(t, "decline")
	landing(t, w, s, p)
	if strings.Contains(p.source, "<b>no") || strings.Contains(p.source, "<script>document") || p.title == "x" {
		t.Errorf("the reason became a part of the page: %s", p.source)
	}
	said := attempt.fails()
	if !strings.Contains(said, "<b>no</b>") {
		t.Errorf("the sentence does not give the reason: %s", said)
	}
	if strings.ContainsAny(said+p.text, "\u202e\u0000") || strings.Contains(said, "\n") {
		t.Errorf("what cannot be seen is not made visible: %q, %q", said, p.text)
	}
	again := a.connect()
	again.fails()
	if n := w.asked("/authorize"); n != 1 {
		t.Errorf("after a no the browser was sent to sign in %d times", n)
	}

	a.accounts.Again(w.server.ID)
	attempt = a.connect()
	s = a.agrees()
	b.open(t, s.URL)
	landing(t, w, s, b.press(t, "accept"))
	attempt.works("Ann")
}

func closesTheTab(t *testing.T, newBrowser func(*testing.T) browser) {
	w := newWorld(t, authtest.Options{}, authtest.ResourceOptions{})
	port := freeNow(t)
	w.server.SignIn.Port = port
	a, b := w.run(), newBrowser(t)
	attempt := a.connect()
	first := a.agrees()
	b.open(t, first.URL)
	b.closeTab(t)
	if err := a.accounts.Cancel(first.ID); err != nil {
		t.Fatal(err)
	}
	freePort(t, first.Redirect)
	attempt.fails()

	a.accounts.Again(w.server.ID)
	attempt = a.connect()
	second := a.agrees()
	if second.Redirect != first.Redirect {
		t.Errorf("the second try comes back to %s, the first to %s", second.Redirect, first.Redirect)
	}
	// The first tab is there after all, and comes back late.
	b.open(t, first.URL)
	late := b.press(t, "accept")
	landing(t, w, second, late)
	if late.status == http.StatusOK {
		t.Errorf("the callback of the first try is taken: %s", late.text)
	}
	if n := w.asked("/token"); n != 0 {
		t.Error("the code of the first try was used")
	}
	b.open(t, second.URL)
	landing(t, w, second, b.press(t, "accept"))
	attempt.works("Ann")
}

func bringsTheWrongState(t *testing.T, newBrowser func(*testing.T) browser) {
	for _, how := range []authtest.Value{authtest.Wrong, authtest.Missing} {
		w := newWorld(t, authtest.Options{State: how}, authtest.ResourceOptions{})
		a, b := w.run(), newBrowser(t)
		attempt := a.connect()
		s := a.agrees()
		b.open(t, s.URL)
		p := b.press(t, "accept")
		landing(t, w, s, p)
		if p.status == http.StatusOK || w.asked("/token") != 0 {
			t.Errorf("it is taken: %d %s", p.status, p.text)
		}
		// The sign-in stands: the right state settles it.
		w.as.Set(func(o *authtest.Options) { o.State = authtest.Right })
		b.open(t, s.URL)
		landing(t, w, s, b.press(t, "accept"))
		attempt.works("Ann")
	}
}

func comesBackTwice(t *testing.T, newBrowser func(*testing.T) browser) {
	w := newWorld(t, authtest.Options{Hops: 2}, authtest.ResourceOptions{})
	exchange, proceed := make(chan struct{}), make(chan struct{})
	w.as.Set(func(o *authtest.Options) {
		o.Intercept = func(_ http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/token" { // the app is held there, with its door open
				exchange <- struct{}{}
				<-proceed
			}
			return false
		}
	})
	a, b := w.run(), newBrowser(t)
	attempt := a.connect()
	s := a.agrees()
	origin, err := url.Parse(s.Redirect)
	if err != nil {
		t.Fatal(err)
	}
	origin.Path = "/favicon.ico" // what browsers ask for by themselves
	if p := b.open(t, origin.String()); p.status != http.StatusNotFound {
		t.Errorf("/favicon.ico is answered with %d", p.status)
	}
	b.open(t, s.URL)
	p := b.press(t, "accept")
	landing(t, w, s, p)
	<-exchange
	again := b.open(t, p.address)
	landing(t, w, s, again)
	close(proceed)
	attempt.works("Ann")
	if n := w.asked("/token"); n != 1 {
		t.Errorf("the code was used %d times", n)
	}
}

// signedIn is a world in which the person has signed in, and the run of the app
// in which they did.
func signedIn(t *testing.T, newBrowser func(*testing.T) browser, o authtest.Options, ro authtest.ResourceOptions) (*world, *app, browser, *mcpclient.Connection) {
	t.Helper()
	w := newWorld(t, o, ro)
	a, b := w.run(), newBrowser(t)
	attempt := a.connect()
	b.open(t, a.agrees().URL)
	b.press(t, "accept")
	return w, a, b, attempt.works("Ann")
}

func renews(t *testing.T, newBrowser func(*testing.T) browser) {
	w, a, _, conn := signedIn(t, newBrowser, authtest.Options{}, authtest.ResourceOptions{})
	w.pass(2 * time.Hour)
	if got := a.call(conn, "whoami"); got != "Ann" {
		t.Errorf("the call ends with %q", got)
	}
	a.end()
	w.pass(2 * time.Hour)
	w.run().connect().works("Ann")
	if n := w.asked("/authorize"); n != 1 {
		t.Errorf("the browser was sent to sign in %d times", n)
	}
}

func signsInAgain(t *testing.T, newBrowser func(*testing.T) browser) {
	w, a, b, conn := signedIn(t, newBrowser, authtest.Options{RefreshLife: 3 * time.Hour}, authtest.ResourceOptions{})
	w.pass(4 * time.Hour)
	call := a.starts(conn, "whoami")
	s := a.agrees()
	if s.Why != auth.Expired {
		t.Errorf("the reason is %q, want %q", s.Why, auth.Expired)
	}
	b.open(t, s.URL)
	landing(t, w, s, b.press(t, "accept"))
	if got := a.ends(call); got != "Ann" {
		t.Errorf("the call ends with %q", got)
	}
}

func stepsUp(t *testing.T, newBrowser func(*testing.T) browser) {
	w, a, b, conn := signedIn(t, newBrowser, authtest.Options{Scopes: []string{"read", "write"}},
		authtest.ResourceOptions{Challenge: "read", Tools: map[string][]string{"write": {"write"}}})
	call := a.starts(conn, "write")
	s := a.agrees()
	if s.Why != auth.StepUp || fmt.Sprint(s.Scopes) != "[read write]" || fmt.Sprint(s.Granted) != "[read]" {
		t.Errorf("asked for %v on top of %v, because: %s", s.Scopes, s.Granted, s.Why)
	}
	b.open(t, s.URL)
	landing(t, w, s, b.press(t, "accept"))
	if got := a.ends(call); got != "done" {
		t.Errorf("the call ends with %q", got)
	}
}
