package ui

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// signInPlace is an MCP server behind an authorization server, both on loopback.
type signInPlace struct {
	as     *authtest.Server
	mcp    *authtest.Resource
	server mcpclient.Server
}

// newPlace serves one until the test ends.
func newPlace(t *testing.T, o authtest.Options, ro authtest.ResourceOptions) *signInPlace {
	t.Helper()
	p := &signInPlace{}
	start := func(build func(origin string) http.Handler) {
		running, err := authtest.Start(build)
		must(t, err)
		t.Cleanup(func() { must(t, running.Close()) })
	}
	start(func(origin string) http.Handler {
		p.as = authtest.New(origin, o, nil)
		return p.as
	})
	start(func(origin string) http.Handler {
		p.mcp = authtest.NewResource(origin, p.as, ro)
		return p.mcp
	})
	p.server = mcpclient.Server{Name: "Notes", Kind: mcpclient.HTTP, URL: p.mcp.URL()}
	return p
}

// asked is how often a path of the authorization server was asked.
func (p *signInPlace) asked(path string) int { return len(p.as.Log().Requests(path)) }

// testBrowser is a browser without a screen: it goes where it is sent and follows
// redirects. While it is held it stays at the first page.
type testBrowser struct {
	recordingOpener
	held bool
	// slow, if there is one, is what starting it waits for after it went there.
	slow chan struct{}
	all  sync.WaitGroup
}

func (b *testBrowser) Open(ctx context.Context, url string) error {
	if err := b.recordingOpener.Open(ctx, url); err != nil || b.held {
		return err
	}
	b.all.Go(func() { b.visit(url) })
	if b.slow != nil {
		<-b.slow
	}
	return nil
}

// visit goes through the sign-in page; what it comes back with, the app tells.
func (b *testBrowser) visit(url string) {
	if r, err := http.Get(url); err == nil {
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
}

// signingIn waits until a sign-in has come up on the screen and can be decided
// about.
func (r *rig) signingIn() *signInSheet {
	r.t.Helper()
	r.wait(func() bool { return r.s.at.section == sectionSignIn })
	r.pass(deafTime)
	return r.s.signIn(r.s.at.id)
}

// signInButton is the words of the button that agrees.
func (r *rig) signInButton(sh *signInSheet) string {
	return r.s.t("ui.signin.open", "Site", shortSite(sh.link.Button))
}

// noSecret fails if a secret of p can be read anywhere in the window or in a
// file. The state is a part of the address that is shown.
func (r *rig) noSecret(p *signInPlace) {
	r.t.Helper()
	shown := r.text()
	for _, v := range r.s.desk.servers {
		shown += r.s.sideText(&v.said).String()
	}
	var all strings.Builder
	for _, c := range r.s.desk.calls {
		fmt.Fprintf(&all, "%+v", c)
	}
	r.heardMu.Lock()
	for _, e := range r.heard {
		if e.SignIn != nil {
			d := *e.SignIn
			d.URL = "" // which has the state and the client's name
			fmt.Fprintf(&all, "%+v", d)
		} else if e.Account != nil {
			fmt.Fprintf(&all, "%+v", *e.Account)
		}
	}
	r.heardMu.Unlock()
	for _, secret := range p.as.Log().Secrets() {
		if secret.Kind == "state" {
			continue
		}
		if strings.Contains(shown+all.String(), secret.Value) {
			r.t.Errorf("the %s can be read", secret.Kind)
		}
		r.notStored(secret.Value)
	}
}

func TestSignIn_FirstUseLeadsToThePage_TheBrowserBack_AndARestartNeedsNone(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant, Scopes: []string{"openid", "read"}}, authtest.ResourceOptions{Challenge: "openid read"})
	browser, secrets, dir := &testBrowser{}, &memorySecrets{}, t.TempDir()
	r := newRig(t, rigOptions{secrets: secrets, browser: browser, dir: dir, listed: &p.server})
	sh := r.signingIn()
	if n := p.asked("/register") + p.asked("/authorize"); n != 0 {
		t.Errorf("before anybody agreed the server was asked %d times for more than metadata", n)
	}
	if r.s.win.Title() != "(1) Parley" {
		t.Errorf("the window counts %q", r.s.win.Title())
	}
	said := r.text()
	for _, want := range []string{"Notes", "Needed to connect to the server", "wants to know who you are", "•  openid", "•  read", p.as.Issuer() + "/authorize", "Your password never passes through Parley"} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q:\n%s", want, said)
		}
	}
	r.press(r.signInButton(sh))
	v := r.connected()
	browser.all.Wait()
	r.wait(func() bool { return r.s.at == route{section: sectionServer, id: v.ID} && v.account.SignedIn() })
	r.queue.Drain()
	opened := browser.urls()
	if len(opened) != 1 || opened[0] != sh.URL || opened[0] != sh.link.Open {
		t.Errorf("the browser got %q, shown was %q of %q", opened, sh.link.Open, sh.URL)
	}
	said = r.text()
	if host := strings.TrimPrefix(p.as.Issuer(), "http://"); !strings.Contains(said, "signed in at "+host+" as “Ann”") || !strings.Contains(said, "renewed automatically") {
		t.Errorf("the page does not say who is signed in:\n%s", said)
	}
	if n := strings.Count(textOf(r.s.note.box)+said, "igned in at "); n != 1 {
		t.Errorf("where Ann is signed in is said %d times, the note reads %q and the page\n%s", n, textOf(r.s.note.box), said)
	}
	if len(r.s.signIns) != 0 || r.s.win.Title() != "Parley" {
		t.Errorf("%d sign-ins are left, the title is %q", len(r.s.signIns), r.s.win.Title())
	}
	r.noSecret(p)
	r.quit()

	r = newRig(t, rigOptions{secrets: secrets, browser: browser, dir: dir, listed: &p.server})
	v = r.connected()
	r.wait(func() bool { return v.account.SignedIn() })
	if len(browser.urls()) != 1 || p.asked("/authorize") != 1 || v.account.User != "Ann" {
		t.Errorf("after a restart: opened %q, signed in as %q", browser.urls(), v.account.User)
	}
	r.noSecret(p)
}

func TestSignIn_ANoIsExplainedAndIsNotAskedAgainUntilWished(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	first := r.signingIn()
	r.key(fyne.KeyEscape)
	v := r.s.desk.servers[0]
	r.wait(func() bool { return v.status.State == mcpclient.Lost && r.s.at.section == sectionServer })
	r.queue.Drain()
	if !strings.Contains(r.text(), "You cancelled signing in to “Notes”") || r.button("Connect again") != nil {
		t.Errorf("the page reads\n%s", r.text())
	}
	r.press("Sign in")
	second := r.signingIn()
	if second.ID == first.ID {
		t.Error("it is the same sign-in")
	}
	r.press(r.signInButton(second))
	r.connected()
	if p.asked("/authorize") != 1 {
		t.Errorf("the sign-in page was asked for %d times", p.asked("/authorize"))
	}
}

// TestSignIn_IsRememberedWhenItIsOverBeforeTheBrowserHasStarted: a browser that was
// not running stays in the foreground, and who is signed in there already is back at
// once.
func TestSignIn_IsRememberedWhenItIsOverBeforeTheBrowserHasStarted(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	browser := &testBrowser{slow: make(chan struct{})}
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: browser, listed: &p.server})
	sh := r.signingIn()
	r.press(r.signInButton(sh))
	v := r.connected()
	if !sh.State.Settled() || len(r.store.Opened(v.Server)) != 0 {
		t.Fatal("the browser was not slower")
	}
	close(browser.slow)
	r.wait(func() bool { return len(r.store.Opened(v.Server)) == 1 })
}

func TestB95_CancelWhileInTheBrowserFreesThePortAndSaysSo(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	browser := &testBrowser{held: true}
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: browser, listed: &p.server})
	sh := r.signingIn()
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened })
	r.pass(deafTime)
	if !strings.Contains(r.text(), "Waiting for you in the browser.") || r.s.asked("") != 0 {
		t.Errorf("%d questions are counted, the page reads\n%s", r.s.asked(""), r.text())
	}
	r.key(fyne.KeyEscape)
	if sh.dropped {
		t.Error("Esc ended what the person does in the browser")
	}
	r.press("Open again")
	r.wait(func() bool { return len(browser.urls()) == 2 && sh.stage == stageAsking })
	if u := browser.urls(); u[0] != u[1] {
		t.Errorf("Open again opens another address: %q", u)
	}
	r.pass(deafTime)
	r.press("Cancel")
	r.wait(func() bool { return sh.State == auth.Declined })
	if _, err := http.Get(sh.Redirect); err == nil {
		t.Error("the port is still open")
	}
	r.wait(func() bool {
		return r.s.at.section == sectionServer && r.s.desk.servers[0].status.State == mcpclient.Lost
	})
}

func TestSignIn_ABrowserThatDoesNotStartIsSaid_AndThePersonMayOpenItThemselves(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	browser := &testBrowser{}
	browser.failWith(errNoBrowser)
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: browser, listed: &p.server})
	sh := r.signingIn()
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.stage == stageFailed })
	r.pass(deafTime)
	if !strings.Contains(r.text(), errNoBrowser.Error()) || r.button("Try again") == nil || r.button("I opened it myself") == nil {
		t.Errorf("the page reads\n%s", r.text())
	}
	r.press("Copy link")
	if got := r.app.Clipboard().Content(); got != sh.URL {
		t.Errorf("copied is %q, want %q", got, sh.URL)
	}
	r.press("I opened it myself")
	if !strings.Contains(r.text(), "Waiting for you in the browser.") {
		t.Errorf("the page reads\n%s", r.text())
	}
	browser.visit(sh.URL)
	r.connected()
}

func TestSignIn_ANoInTheBrowserStaysOnThePageWithTheWayBack(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Deny, Reason: "not <b>you</b>"}, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	sh := r.signingIn()
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.State == auth.Declined })
	r.wait(func() bool { return r.s.desk.servers[0].status.State == mcpclient.Lost })
	r.pass(deafTime)
	if r.s.at.section != sectionSignIn || !strings.Contains(r.text(), "not <b>you</b>") {
		t.Errorf("the page reads\n%s", r.text())
	}
	p.as.Set(func(o *authtest.Options) { o.Login = authtest.Grant })
	r.press("Sign in")
	r.wait(func() bool { return r.s.at.section == sectionSignIn && r.s.at.id != sh.ID })
	r.pass(deafTime)
	r.press(r.signInButton(r.s.signIn(r.s.at.id)))
	r.connected()
}

func TestSignIn_AStepUpWithinARequestShowsWhatIsNew_AndTheRequestGoesOn(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant, Scopes: []string{"read", "write"}},
		authtest.ResourceOptions{Challenge: "read", Tools: map[string][]string{"save": {"write"}}})
	browser := &testBrowser{}
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: browser, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	r.connected()
	r.run("save")
	r.wait(func() bool { return r.s.at.section == sectionSignIn })
	r.pass(deafTime)
	sh := r.s.signIn(r.s.at.id)
	said := r.text()
	if sh.Why != auth.StepUp || !strings.Contains(said, "You gave it before: read") || !strings.Contains(said, "•  write") || strings.Contains(said, "•  read") {
		t.Errorf("because of %s the page reads\n%s", sh.Why, said)
	}
	if !strings.Contains(said, "You started save ") || strings.Contains(said, "waits for this") {
		t.Errorf("the page does not say for which request:\n%s", said)
	}
	r.pass(7 * time.Second)
	if !strings.Contains(r.text(), "You started save 7 seconds ago") {
		t.Errorf("the time does not go on:\n%s", r.text())
	}
	r.press(r.signInButton(sh))
	if call := r.ended(); call.State != mcpclient.CallDone || call.IsError {
		t.Errorf("the request ended as %+v", call)
	}
	r.wait(func() bool { return r.s.at.section == sectionRequest })
	if len(r.s.desk.calls) != 1 || p.asked("/authorize") != 2 {
		t.Errorf("%d requests, %d visits to the sign-in page", len(r.s.desk.calls), p.asked("/authorize"))
	}
	r.noSecret(p)
}

func TestSignIn_ANoToAStepUpLeavesTheSession_AndItCanBeRunAgain(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant, Scopes: []string{"read", "write"}},
		authtest.ResourceOptions{Challenge: "read", Tools: map[string][]string{"save": {"write"}}})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	r.run("save")
	r.signingIn()
	r.press("Cancel")
	if call := r.ended(); call.State != mcpclient.CallFailed {
		t.Fatalf("the request ended as %+v", call)
	}
	r.wait(func() bool { return r.s.at.section == sectionRequest })
	r.pass(deafTime)
	if v.status.State != mcpclient.Connected {
		t.Error("the connection was lost with it")
	}
	r.press("Sign in and run again")
	r.runs++
	r.press(r.signInButton(r.signingIn()))
	if call := r.ended(); call.State != mcpclient.CallDone || call.IsError {
		t.Errorf("run again it ended as %+v", call)
	}
}

func TestSignIn_TwoRequestsShareOne_AndWhatWasTypedStays(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant, Scopes: []string{"read", "write"}},
		authtest.ResourceOptions{Challenge: "read", Tools: map[string][]string{"save": {"write"}}})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	r.s.show(route{section: sectionAdd})
	r.s.adding.draft.URL = "https://typed.example"
	for range 2 {
		r.client.Connection(v.ID).Start(mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: "save", By: mcpclient.ByWindow})
	}
	r.wait(func() bool { return r.s.asked("") == 1 })
	if r.s.at.section != sectionAdd {
		t.Errorf("the page with what was typed was left for %v", r.s.at)
	}
	r.s.goToQuestions()
	sh := r.signingIn()
	r.wait(func() bool {
		return strings.Contains(r.text(), "You started save") && strings.Contains(r.text(), "1 more request waits for this")
	})
	r.press(r.signInButton(sh))
	r.wait(func() bool {
		ended := 0
		for _, c := range r.s.desk.calls {
			if c.State == mcpclient.CallDone {
				ended++
			}
		}
		return ended == 2
	})
	r.wait(func() bool { return r.s.at.section == sectionAdd })
	if p.asked("/authorize") != 2 || r.s.adding.draft.URL != "https://typed.example" {
		t.Errorf("%d visits to the sign-in page, typed is %q", p.asked("/authorize"), r.s.adding.draft.URL)
	}
}

func TestSignOut_IsAskedFirst_RevokesAndSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		o    authtest.Options
		says string
	}{
		"where there is a way":  {authtest.Options{Login: authtest.Grant}, "has confirmed that the access has ended"},
		"where there is no way": {authtest.Options{Login: authtest.Grant, NoRevoke: true}, "did not confirm that the access has ended"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, c.o, authtest.ResourceOptions{})
			secrets := &memorySecrets{}
			r := newRig(t, rigOptions{secrets: secrets, browser: &testBrowser{}, listed: &p.server})
			r.press(r.signInButton(r.signingIn()))
			v := r.connected()
			r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionServer })
			r.queue.Drain()
			r.press("Sign out…")
			if !strings.Contains(r.text(), "Sign out? Parley tells") || p.asked("/revoke") != 0 {
				t.Errorf("the page reads\n%s", r.text())
			}
			r.key(fyne.KeyEscape)
			if !v.account.SignedIn() || v.account.sure {
				t.Error("Esc does not take the question back")
			}
			r.press("Sign out…")
			r.press("Sign out")
			r.wait(func() bool {
				return !v.account.busy && !v.account.SignedIn() && v.status.State == mcpclient.Closed
			})
			r.queue.Drain()
			if v.account.SignedIn() || !strings.Contains(r.text(), c.says) {
				t.Errorf("the page reads\n%s", r.text())
			}
			for _, secret := range p.as.Log().Secrets() {
				for _, kept := range secrets.values() {
					if strings.HasSuffix(secret.Kind, "token") && strings.Contains(kept, secret.Value) {
						t.Errorf("the %s is still kept", secret.Kind)
					}
				}
			}
		})
	}
}

// TestSwitch_SignsOutAndLetsThePersonChooseWhoTheyAre where the sign-in page can be
// asked for that, and says so where it cannot.
func TestSwitch_SignsOutAndLetsThePersonChooseWhoTheyAre(t *testing.T) {
	for name, c := range map[string]struct {
		meta map[string]any
		says string
		user string
	}{
		"where the page lists accounts":  {map[string]any{"prompt_values_supported": []string{"none", "login", "select_account"}}, "asks the page to let you choose", "Ben"},
		"where the page can ask":         {map[string]any{"prompt_values_supported": []string{"none", "login"}}, "asks the page to let you choose", "Ben"},
		"where it does not say it can":   {map[string]any{"prompt_values_supported": []string{"none"}}, "take you for the same person again", "Ann"},
		"where it is provider of OpenID": {nil, "asks the page to let you choose", "Ben"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, authtest.Options{Login: authtest.Grant, Other: "Ben", Scopes: []string{"openid"}, Metadata: c.meta}, authtest.ResourceOptions{Challenge: "openid"})
			browser := &testBrowser{}
			r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: browser, listed: &p.server})
			r.press(r.signInButton(r.signingIn()))
			v := r.connected()
			r.wait(func() bool { return v.account.User == "Ann" && r.s.at.section == sectionServer })
			r.queue.Drain()
			r.press("Sign in as somebody else…")
			if !strings.Contains(r.text(), "Parley signs you out") || p.asked("/revoke") != 0 || !r.onButton("Stay signed in") {
				t.Errorf("the page reads\n%s", r.text())
			}
			r.key(fyne.KeyEscape)
			if !v.account.SignedIn() || v.account.sure || !r.onButton("Sign in as somebody else…") {
				t.Error("Esc does not take the question back")
			}
			r.press("Sign in as somebody else…")
			r.press("Sign out and choose")
			sh := r.signingIn()
			if v.account.SignedIn() || p.asked("/revoke") == 0 || !strings.Contains(r.text(), c.says) {
				t.Errorf("%d tokens are revoked, the page reads\n%s", p.asked("/revoke"), r.text())
			}
			r.press(r.signInButton(sh))
			r.connected()
			r.wait(func() bool { return v.account.SignedIn() })
			if v.account.User != c.user {
				t.Errorf("signed in as %q, the browser was sent to %q", v.account.User, browser.urls())
			}
			first, err := url.Parse(browser.urls()[0])
			must(t, err)
			if first.Query().Has("prompt") {
				t.Errorf("without the wish the browser was sent to %s", first)
			}
			r.noSecret(p)
		})
	}
}

func TestSignIn_SaysUntilWhenWhereNothingRenewsIt(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant, NoRefresh: true, Life: 90 * time.Minute}, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionServer })
	r.queue.Drain()
	if want := "until " + r.clock.Now().Add(90*time.Minute).Local().Format("15:04"); !strings.Contains(r.text(), want) {
		t.Errorf("the page does not say %q:\n%s", want, r.text())
	}
}

func TestSignIn_TheAddressOfTheBrowserIsWhatWasShown(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	browser := &testBrowser{held: true}
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: browser, listed: &p.server})
	sh := r.signingIn()
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened })
	u, err := url.Parse(browser.urls()[0])
	must(t, err)
	if q := u.Query(); q.Get("code_challenge_method") != "S256" || q.Get("resource") != p.server.URL || q.Get("redirect_uri") != sh.Redirect {
		t.Errorf("the browser was sent to %s", u)
	}
	if !strings.Contains(strings.ReplaceAll(r.text(), "\n", ""), browser.urls()[0]) {
		t.Errorf("the page does not show it whole:\n%s", r.text())
	}
}
