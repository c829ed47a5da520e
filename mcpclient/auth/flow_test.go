package auth

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
	"parley/mcpclient/wire"
)

var grants = authtest.Options{Login: authtest.Grant}

func TestASignInIsToldOfBeforeAnythingIsOpenedOrRegistered(t *testing.T) {
	r := newRig(t, authtest.Options{Login: authtest.Grant, Scopes: []string{"read", "write"}}, authtest.ResourceOptions{Scopes: []string{"read"}})
	done := r.started()
	s := r.state(NeedsConsent)
	if s.ServerName != "Travel desk" || s.Why != First || s.URL != "" || s.Redirect != "" || s.Host == "" ||
		s.Endpoint != r.as.Issuer()+"/authorize" || s.Issuer != r.as.Issuer() || strings.Join(s.Scopes, " ") != "read" {
		t.Errorf("asks for consent with %+v", s)
	}
	for _, q := range r.as.Log().Requests() {
		if q.Path == r.as.Endpoint("register") || q.Path == r.as.Endpoint("authorize") {
			t.Errorf("%s %s before the person agreed", q.Method, q.Path)
		}
	}
	s, err := r.a.Agree(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.a.Agree(t.Context(), s.ID); !errors.Is(err, ErrAgreed) {
		t.Errorf("agreed twice: %v", err)
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Get("redirect_uri") != s.Redirect || q.Get("code_challenge_method") != "S256" || q.Get("resource") != r.server.URL ||
		q.Get("response_type") != "code" || q.Get("scope") != "read" || len(q.Get("state")) < 22 {
		t.Errorf("opens %s", s.URL)
	}
	if host, _, _ := net.SplitHostPort(strings.TrimPrefix(s.Redirect, "http://")); host != "127.0.0.1" {
		t.Errorf("the browser is sent back to %s", s.Redirect)
	}
	visit(t, s.URL)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if s := r.a.SignIns(); len(s) != 0 {
		t.Errorf("still open: %v", s)
	}
}

// The scopes of several requests, the restart and who it is.
func TestWhoSignedInIsKnownAfterARestartWithoutASignIn(t *testing.T) {
	o := grants
	o.Scopes = []string{"openid", "read"}
	r := newRig(t, o, authtest.ResourceOptions{Scopes: []string{"openid", "read"}})
	r.signedIn()
	r.restart(Options{})
	if err := r.request(t.Context()); err != nil {
		t.Fatal(err)
	}
	who, err := r.a.Who(t.Context(), r.server)
	if err != nil || !who.SignedIn() || who.User == "" || who.Issuer != r.as.Issuer() || !who.Renews || who.Expires.IsZero() ||
		strings.Join(who.Scopes, " ") != "openid read" {
		t.Errorf("who: %+v, %v", who, err)
	}
	for _, e := range r.told() {
		t.Errorf("told of %+v", e)
	}
}

func TestManyRequestsShareOneSignIn(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	var waiting []<-chan error
	for range 8 {
		waiting = append(waiting, r.started())
	}
	visit(t, r.agreed().URL)
	for _, done := range waiting {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for path, want := range map[string]int{"authorize": 1, "register": 1, "token": 1} {
		if n := len(r.as.Log().Requests(r.as.Endpoint(path))); n != want {
			t.Errorf("%d requests at %s, want %d", n, path, want)
		}
	}
}

func TestARefusalIsRememberedAndExplainedUntilThePersonWishesOtherwise(t *testing.T) {
	for name, no := range map[string]func(r *rig){
		"cancelled before": func(r *rig) {
			if err := r.a.Cancel(r.state(NeedsConsent).ID); err != nil {
				r.t.Error(err)
			}
		},
		"cancelled in the browser": func(r *rig) {
			if err := r.a.Cancel(r.agreed().ID); err != nil {
				r.t.Error(err)
			}
		},
		"declined there": func(r *rig) {
			r.as.Set(func(o *authtest.Options) { o.Login = authtest.Deny })
			visit(r.t, r.agreed().URL)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, grants, authtest.ResourceOptions{})
			done := r.started()
			no(r)
			first := <-done
			key := sentenceOf(t, first)
			if again := r.request(t.Context()); sentenceOf(t, again) != key {
				t.Errorf("the second request: %v, want %v", again, first)
			}
			if s := r.state(Declined); s.Text.ID != key {
				t.Errorf("told %v, want %v", s.Text.ID, key)
			}
			r.as.Set(func(o *authtest.Options) { o.Login = authtest.Grant })
			r.a.Again(r.server.ID)
			r.signedIn()
		})
	}
}

// TestB93: servers that know one address to send the browser back to.
func TestB93_AFixedPortIsUsedAndABusyOneSaysSo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := taken.Addr().(*net.TCPAddr).Port
	r := newRig(t, authtest.Options{Login: authtest.Grant, Closed: true, Clients: []authtest.Client{
		{ID: "known", Redirects: []string{"http://127.0.0.1:" + strconv.Itoa(port) + "/back"}},
	}}, authtest.ResourceOptions{})
	r.server.SignIn = mcpclient.SignIn{ClientID: "known", Port: port, Path: "/back"}
	done := r.started()
	_, err = r.a.Agree(t.Context(), r.state(NeedsConsent).ID)
	if sentenceOf(t, err) != "auth.signin.port" || !strings.Contains(err.Error(), strconv.Itoa(port)) {
		t.Errorf("a busy port: %v", err)
	}
	if sentenceOf(t, <-done) != "auth.signin.port" {
		t.Error("the request does not say why")
	}
	if err := taken.Close(); err != nil {
		t.Fatal(err)
	}
	if s := r.signedIn(); s.Redirect != "http://127.0.0.1:"+strconv.Itoa(port)+"/back" {
		t.Errorf("sent back to %s", s.Redirect)
	}
}

// TestB93: two servers whose owners know the same address.
func TestB93_AFixedPortThatAnotherSignInHasSaysWhichOne(t *testing.T) {
	r := newRig(t, authtest.Options{Login: authtest.Grant, AnyPort: true, Closed: true, Clients: []authtest.Client{
		{ID: "known", Redirects: []string{"http://127.0.0.1/callback"}},
	}}, authtest.ResourceOptions{})
	r.server.SignIn = mcpclient.SignIn{ClientID: "known", Port: freePort(t)}
	firstDone := r.started()
	first := r.agreed()
	r.server.ID, r.server.Name = "other", "Ticket desk"
	done := r.started()
	if _, err := r.a.Agree(t.Context(), r.state(NeedsConsent).ID); sentenceOf(t, err) != "auth.signin.port.own" || !strings.Contains(err.Error(), "“Travel desk”") {
		t.Errorf("while the other waits: %v", err)
	}
	if sentenceOf(t, <-done) != "auth.signin.port.own" {
		t.Error("the request does not say why")
	}
	visit(t, first.URL)
	if err := <-firstDone; err != nil {
		t.Fatal(err)
	}
	r.signedIn() // it is free
}

func TestB93_TheVeryAddressThatIsUsedIsRegistered(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	first := r.signedIn()
	if _, err := r.a.SignOut(t.Context(), r.server); err != nil {
		t.Fatal(err)
	}
	// Again: the same address, so nothing is to be registered.
	if again := r.signedIn(); again.Redirect != first.Redirect {
		t.Errorf("sent back to %s, registered was %s", again.Redirect, first.Redirect)
	}
	if n := len(r.as.Log().Requests(r.as.Endpoint("register"))); n != 1 {
		t.Errorf("registered %d times", n)
	}
	// Its port is taken: another address, and another registration.
	if _, err := r.a.SignOut(t.Context(), r.server); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", strings.TrimSuffix(strings.TrimPrefix(first.Redirect, "http://"), "/callback"))
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if other := r.signedIn(); other.Redirect == first.Redirect {
		t.Error("sent back to a port that another program has")
	}
	if n := len(r.as.Log().Requests(r.as.Endpoint("register"))); n != 2 {
		t.Errorf("registered %d times", n)
	}
}

func TestB93_LocalhostByNameIsServedOnBothAddresses(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.server.SignIn.Host = "localhost"
	if s := r.signedIn(); !strings.HasPrefix(s.Redirect, "http://localhost:") {
		t.Errorf("sent back to %s", s.Redirect)
	}
}

func TestTheBrowserIsSentBackToThisComputerOnly(t *testing.T) {
	for _, host := range []string{"0.0.0.0", "192.168.1.2", "example.com", "::", "127.0.0.1.example.com"} {
		if d, err := openDoor(mcpclient.SignIn{Host: host}, 0); err == nil {
			d.close()
			t.Errorf("listens on %s", host)
		}
	}
}

// TestB95: the wait for the browser is over when the person says so.
func TestB95_CancelFreesThePortAtOnceAndTheLateAnswerOfTheFirstIsIgnored(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.server.SignIn.Port = freePort(t)
	done := r.started()
	first := r.agreed()
	if err := r.a.Cancel(first.ID); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", strings.TrimSuffix(strings.TrimPrefix(first.Redirect, "http://"), "/callback"))
	if err != nil {
		t.Fatalf("the port is not free: %v", err)
	}
	l.Close()
	if sentenceOf(t, <-done) != "auth.signin.cancelled" {
		t.Error("the request does not say that the person cancelled")
	}
	if err := r.a.Cancel(first.ID); !errors.Is(err, ErrNoSignIn) {
		t.Errorf("cancelled twice: %v", err)
	}
	r.a.Again(r.server.ID)
	done = r.started()
	second := r.agreed()
	if second.Redirect != first.Redirect {
		t.Fatalf("this test needs one port: %s and %s", first.Redirect, second.Redirect)
	}
	if late := visit(t, first.URL); late.status != http.StatusBadRequest {
		t.Errorf("the tab of the first sign-in got %d", late.status)
	}
	visit(t, second.URL)
	if err := <-done; err != nil {
		t.Errorf("the second sign-in: %v", err)
	}
}

func TestARegistrationThatTheAuthorityForgotIsNotUsedForEver(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	if _, err := r.a.SignOut(t.Context(), r.server); err != nil {
		t.Fatal(err)
	}
	r.as.Forget("")
	done := r.started()
	s := r.agreed()
	visit(t, s.URL) // an error page there; nobody is sent back
	if err := r.a.Cancel(s.ID); err != nil {
		t.Fatal(err)
	}
	<-done
	r.a.work.Wait() // the registration is dropped behind the person's back
	r.a.Again(r.server.ID)
	r.signedIn()
}

// The issuer that the person entered is held to, with a client id of theirs and
// without: nobody is asked to sign in elsewhere, and the app signs in nowhere else.
func TestASignInElsewhereThanThePersonEnteredIsRefused(t *testing.T) {
	const trusted = "https://the-one-i-trust.example"
	for name, c := range map[string]struct {
		setup mcpclient.SignIn
		want  string
	}{
		"with a client id":      {mcpclient.SignIn{ClientID: "known", Issuer: trusted}, "auth.signin.moved"},
		"without":               {mcpclient.SignIn{Issuer: trusted}, "auth.signin.elsewhere"},
		"the app in its name":   {mcpclient.SignIn{ClientID: "known", Service: true, Issuer: trusted}, "auth.signin.moved"},
		"somebody is signed in": {mcpclient.SignIn{Issuer: trusted}, "auth.signin.elsewhere"},
	} {
		r := newRig(t, grants, authtest.ResourceOptions{})
		before := 0
		if name == "somebody is signed in" {
			r.signedIn()
			before = len(r.as.Log().Requests(r.as.Endpoint("authorize"), r.as.Endpoint("token")))
		}
		r.server.SignIn = c.setup
		done := r.started()
		if _, err := r.asks(done); err == nil {
			t.Errorf("%s: the person is asked to sign in", name)
		} else if got := sentenceOf(t, err); got != c.want || !strings.Contains(err.Error(), "the-one-i-trust.example") {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(r.as.Log().Requests(r.as.Endpoint("authorize"), r.as.Endpoint("token"))) - before; n != 0 {
			t.Errorf("%s: the client id was used", name)
		}
		r.server.SignIn = mcpclient.SignIn{Issuer: r.as.Issuer() + "/"} // one slash does not count
		done = r.started()
		if s, err := r.asksOrGoes(done); err != nil || (s.ID == "") != (name == "somebody is signed in") {
			t.Errorf("%s: at the right one: %+v, %v", name, s, err)
		}
	}
}

func TestARequestThatIsGivenUpLeavesTheSignInToThePerson(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.request(ctx) }()
	s := r.agreed()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	visit(t, s.URL)
	r.state(Done)
	if err := r.request(t.Context()); err != nil {
		t.Errorf("after it: %v", err)
	}
}

func TestASignInThatNobodyAgreedToAndNobodyWaitsForIsWithdrawn(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	first, giveUp := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.request(first) }()
	s := r.state(NeedsConsent)
	second, giveUpToo := context.WithCancel(t.Context())
	joined := make(chan error, 1)
	go func() { joined <- r.request(second) }()
	for r.wanted(s.ID) < 2 { // until the second waits, too
		runtime.Gosched()
	}
	giveUp()
	<-done
	if len(r.a.SignIns()) != 1 {
		t.Fatal("withdrawn, though a request waits for it")
	}
	giveUpToo()
	<-joined
	if told := r.state(Failed); told.Text.ID != "auth.signin.closed" || len(r.a.SignIns()) != 0 {
		t.Errorf("told %+v", told)
	}
	r.signedIn() // it was no refusal
}

// wanted is how many requests wait for a sign-in.
func (r *rig) wanted(id string) int {
	r.a.mu.Lock()
	defer r.a.mu.Unlock()
	return len(r.a.open[id].data.Calls)
}

// B90, as far as signing in goes: what cannot be stored is said, and holds for
// this run.
func TestB90_ASignInThatCannotBeStoredSaysSoAndHoldsForThisRun(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	done := r.started()
	s := r.agreed()
	r.vault.Fail(keychain.ErrTooLarge)
	visit(t, s.URL)
	if err := <-done; err != nil {
		t.Error(err)
	}
	r.state(Done)
	if told := r.state(Done); told.Text.IsZero() || told.ID != s.ID { // the second time it is said
		t.Errorf("told %+v", told)
	}
}

func TestCloseEndsSignInsAndFreesTheirPorts(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	done := r.started()
	s := r.agreed()
	r.a.Close()
	if sentenceOf(t, <-done) != "auth.signin.closed" {
		t.Error("the request does not say why")
	}
	l, err := net.Listen("tcp", strings.TrimSuffix(strings.TrimPrefix(s.Redirect, "http://"), "/callback"))
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.signin.closed" {
		t.Errorf("after Close: %v", err)
	}
}

func TestTheCommandLineSaysThatASignInIsNeeded(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.restart(Options{Unattended: true})
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.signin.unattended" {
		t.Errorf("without a sign-in: %v", err)
	}
	r.restart(Options{})
	r.signedIn()
	r.restart(Options{Unattended: true})
	if err := r.request(t.Context()); err != nil {
		t.Errorf("with what the app stored: %v", err)
	}
	r.as.Withdraw(false) // the access tokens; the refresh tokens do
	if err := r.request(t.Context()); err != nil {
		t.Errorf("with a renewal: %v", err)
	}
}

// What helps is what makes the server ask: connecting does not need the permission.
func TestTheCommandLineSaysThatMorePermissionsAreNeeded(t *testing.T) {
	r := newRig(t, authtest.Options{Login: authtest.Grant, Scopes: []string{"read", "write"}}, authtest.ResourceOptions{Challenge: "read"})
	r.signedIn()
	weak := func() wire.Challenge {
		sent, err := r.a.Authorizer(r.server).Authorize(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return wire.Challenge{Status: http.StatusForbidden, Sent: sent, Header: []string{`Bearer error="insufficient_scope", scope="write"`}}
	}
	r.restart(Options{Unattended: true})
	if err := r.a.Authorizer(r.server).Challenge(t.Context(), weak()); sentenceOf(t, err) != "auth.signin.unattended.more" || !strings.Contains(err.Error(), "Run the same") {
		t.Errorf("it says %v", err)
	}
	// The advice is followed: the app runs it, and is asked for them.
	r.restart(Options{})
	done := make(chan error, 1)
	challenge := weak()
	go func() { done <- r.a.Authorizer(r.server).Challenge(t.Context(), challenge) }()
	s := r.agreed()
	visit(t, s.URL)
	if err := <-done; err != nil || s.Why != StepUp {
		t.Fatalf("%s, %v", s.Why, err)
	}
	r.restart(Options{Unattended: true})
	if who, err := r.a.Who(t.Context(), r.server); err != nil || !slices.Contains(who.Scopes, "write") {
		t.Errorf("the command line has %v, %v", who.Scopes, err)
	}
}

// TestTheWishToBeSomebodyElseHoldsUntilASignInSucceedsOrIsRefused, and goes along
// with the consent that a refresh token needs.
func TestTheWishToBeSomebodyElseHoldsUntilASignInSucceedsOrIsRefused(t *testing.T) {
	o := grants
	o.Scopes = []string{"openid", "offline_access"}
	r := newRig(t, o, authtest.ResourceOptions{Challenge: "openid"})
	prompt := func(s SignIn) string {
		u, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		return u.Query().Get("prompt")
	}
	r.a.Authorizer(r.server) // the account is known
	r.a.Switch(r.server.ID)
	for _, c := range []struct {
		ends   func(s SignIn)
		prompt string
		wish   Switch
	}{
		{func(s SignIn) {
			r.a.mu.Lock()
			in := r.a.open[s.ID]
			r.a.mu.Unlock()
			in.settle(Failed, refused("auth.signin.timeout", "Host", "x"))
		}, "login consent", SwitchAsked},
		{func(s SignIn) { r.a.Cancel(s.ID) }, "login consent", SwitchAsked},
		{func(s SignIn) { r.a.Cancel(s.ID) }, "consent", ""},
	} {
		r.a.Again(r.server.ID)
		done := make(chan error, 1)
		go func() { done <- r.request(t.Context()) }()
		s := r.agreed()
		if prompt(s) != c.prompt || s.Switch != c.wish {
			t.Errorf("the prompt is %q of the wish %q, want %q of %q", prompt(s), s.Switch, c.prompt, c.wish)
		}
		c.ends(s)
		<-done
	}
}
