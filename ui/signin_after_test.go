package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// TestSignIn_TheButtonOfOneThatFailedDoesAgainWhatWaitedForIt, though the server is
// connected: the request that waited, or asking what the server offers.
func TestSignIn_TheButtonOfOneThatFailedDoesAgainWhatWaitedForIt(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant, Scopes: []string{"read", "write"}},
		authtest.ResourceOptions{Challenge: "read", Tools: map[string][]string{"save": {"write"}}})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	r.connected()
	p.as.Set(func(o *authtest.Options) { o.Login = authtest.Deny })
	r.run("save")
	sh := r.signingIn()
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.State == auth.Declined })
	if call := r.ended(); call.State != mcpclient.CallFailed {
		t.Fatalf("the request ended as %+v", call)
	}
	r.pass(deafTime)
	p.as.Set(func(o *authtest.Options) { o.Login = authtest.Grant })
	r.press("Sign in and run again")
	r.runs++
	again := r.signingIn()
	if again.ID == sh.ID {
		t.Fatal("it is the same sign-in")
	}
	r.press(r.signInButton(again))
	if call := r.ended(); call.State != mcpclient.CallDone || call.IsError {
		t.Errorf("run again it ended as %+v", call)
	}
}

// TestSignIn_AConnectedServerWhoseSignInEndedHasTheButtonOnItsPage, and says so.
func TestSignIn_AConnectedServerWhoseSignInEndedHasTheButtonOnItsPage(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionServer })
	p.as.Withdraw(true)
	r.press("Refresh")
	r.signingIn()
	r.key(fyne.KeyEscape)
	r.wait(func() bool { return r.s.at.section == sectionServer && !v.account.SignedIn() })
	r.queue.Drain()
	if !strings.Contains(r.text(), "You are not signed in to this server.") || v.status.State != mcpclient.Connected {
		t.Fatalf("the server is %s, its page reads\n%s", v.status.State, r.text())
	}
	r.press("Sign in")
	r.press(r.signInButton(r.signingIn()))
	r.wait(func() bool { return v.account.SignedIn() })
	r.queue.Drain()
	if strings.Contains(r.text(), "You are not signed in") {
		t.Errorf("the page reads\n%s", r.text())
	}
}

// TestSignIn_ABrowserThatDidNotStartLeavesTheDecisionOpen: it is counted and listed,
// and Esc is a no, as long as nobody was in the browser.
func TestSignIn_ABrowserThatDidNotStartLeavesTheDecisionOpen(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, nil)
	r.opener.failWith(errNoBrowser)
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.stage == stageFailed })
	if r.s.asked("") != 1 || r.s.win.Title() != "(1) Parley" {
		t.Errorf("%d are counted, the title is %q", r.s.asked(""), r.s.win.Title())
	}
	r.s.show(route{section: sectionServer, id: sh.ServerID})
	if said := r.text(); strings.Contains(said, "Waiting for you in the browser") || !strings.Contains(said, "wants you to sign in before it goes on") {
		t.Errorf("the page of the server reads\n%s", said)
	}
	r.s.goToQuestions()
	if r.s.at != (route{section: sectionSignIn, id: sh.ID}) {
		t.Fatalf("Ctrl+1 leads to %v", r.s.at)
	}
	r.pass(deafTime)
	r.key(fyne.KeyEscape)
	r.wait(func() bool { return sh.State == auth.Declined })
	if len(f.dropped) != 1 {
		t.Errorf("dropped %q", f.dropped)
	}
}

// TestSignIn_NoKeyActsByAButtonThatIsNoLongerThere: once the browser was started the
// keyboard is nowhere, and Space opens nothing more.
func TestSignIn_NoKeyActsByAButtonThatIsNoLongerThere(t *testing.T) {
	r, _, sh := askingToSignIn(t, exact, nil)
	r.s.win.Canvas().Focus(r.button(r.signInButton(sh)))
	r.key(fyne.KeySpace)
	r.wait(func() bool { return sh.opened })
	r.queue.Drain()
	if f := r.s.win.Canvas().Focused(); f != nil {
		t.Errorf("the keyboard is on %T", f)
	}
	for range 5 {
		r.pass(deafTime)
		r.key(fyne.KeySpace)
	}
	if urls := r.opener.urls(); len(urls) != 1 {
		t.Errorf("opened %q", urls)
	}
}

// TestSignIn_InALowWindowItIsReadFromItsBeginningBeforeItIsAgreedTo, by the keyboard
// alone: why, for what, and where.
func TestSignIn_InALowWindowItIsReadFromItsBeginningBeforeItIsAgreedTo(t *testing.T) {
	f := &fakeAccounts{agree: exact}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f})
	r.s.win.Resize(fyne.NewSize(600, 360))
	sh := f.ask(r, signInOf(r.connected(), "one", nil))
	upper := r.s.page.(*signInPage).link.reveal
	if upper.Offset() != 0 || upper.Bottom() >= upper.ContentHeight(upper.Size().Width) {
		t.Fatalf("the page begins %v below its beginning and ends at %v", upper.Offset(), upper.Bottom())
	}
	if r.button(r.signInButton(sh)) != nil {
		t.Fatal("it can be agreed to before it was read")
	}
	seen := upper.Bottom() // without a gap from the beginning to the end
	for range 50 {
		b := r.button("Read the rest first")
		if b == nil {
			break
		}
		r.s.win.Canvas().Focus(b)
		r.key(fyne.KeySpace)
		if upper.Offset() > seen {
			t.Fatalf("what lies between %v and %v was never in view", seen, upper.Offset())
		}
		seen = max(seen, upper.Bottom())
		r.pass(deafTime)
	}
	if seen < upper.ContentHeight(upper.Size().Width)-1 {
		t.Errorf("only %v of %v was in view", seen, upper.ContentHeight(upper.Size().Width))
	}
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened })
}

// TestSignIn_WhatParleyAsksForByItselfIsNotTheServersWord: staying signed in is said in
// words of our own, and what is not passed on is said too.
func TestSignIn_WhatParleyAsksForByItselfIsNotTheServersWord(t *testing.T) {
	r, _, _ := askingToSignIn(t, exact, nil)
	if said := r.text(); !strings.Contains(said, "Parley also asks to stay signed in (offline_access)") || strings.Contains(said, "•  offline_access") || !strings.Contains(said, "•  trips.read") {
		t.Errorf("the page reads\n%s", said)
	}
	r, _, _ = askingToSignIn(t, exact, func(d *auth.SignIn) {
		d.Why, d.Scopes, d.Granted = auth.StepUp, []string{"a", "b", "offline_access"}, []string{"a", "offline_access"}
	})
	if said := r.text(); strings.Contains(said, "Parley also asks") || !strings.Contains(said, "•  b") {
		t.Errorf("what was granted before is asked for:\n%s", said)
	}
	r, _, _ = askingToSignIn(t, exact, func(d *auth.SignIn) { d.Scopes = []string{"offline_access"} })
	if said := r.text(); !strings.Contains(said, "does not say which permissions") {
		t.Errorf("without scopes of the server the page reads\n%s", said)
	}
	for n, want := range map[int]bool{99: false, 100: true} {
		r, _, _ = askingToSignIn(t, exact, func(d *auth.SignIn) { d.Scopes = strings.Fields(strings.Repeat("x ", n)) })
		if got := strings.Contains(r.text(), "passes on 100 permissions at most"); got != want {
			t.Errorf("of %d scopes it says that there may be more: %v", n, got)
		}
	}
}

// TestAccount_TheNameIsQuotedAndShort: it is a word of the sign-in page's, and cannot
// push away where that is.
func TestAccount_TheNameIsQuotedAndShort(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: &fakeAccounts{}})
	v := r.connected()
	v.account.is(auth.Account{Issuer: "i", Host: "login.evil.example", User: "Ann at accounts.google.com • encrypted " + strings.Repeat("x", 250), Renews: true, Since: r.clock.Now()})
	r.s.show(route{section: sectionServer, id: v.ID})
	said := r.text()
	if want := "signed in at login.evil.example as “Ann at accounts.google.com • encrypted x"; !strings.Contains(said, want) {
		t.Errorf("the page does not say %q:\n%s", want, said)
	}
	if strings.Contains(said, strings.Repeat("x", 41)) {
		t.Errorf("the whole name stands there:\n%s", said)
	}
}

// TestSignIn_ComesUpForARequestThatWasNotKnownYet: what a server asks for may be told
// before the request that it asks for has come up.
func TestSignIn_ComesUpForARequestThatWasNotKnownYet(t *testing.T) {
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f})
	v := r.connected()
	r.s.show(route{section: sectionTool, id: v.ID, name: "a"})
	r.s.following = following{call: "call", from: r.s.at}
	f.tell(signInOf(v, "one", func(d *auth.SignIn) { d.Calls = []string{"call"} }))
	r.wait(func() bool { sh := r.s.signIn("one"); return sh != nil && sh.link != nil })
	r.queue.Drain()
	if r.s.at.section != sectionTool {
		t.Fatalf("a page with what is filled in was left for %v", r.s.at)
	}
	r.s.desk.calls = append(r.s.desk.calls, &callState{Call: mcpclient.Call{ID: "call", ServerID: v.ID, Started: r.clock.Now(), State: mcpclient.CallRunning}})
	r.s.follow()
	if r.s.at != (route{section: sectionSignIn, id: "one"}) {
		t.Fatalf("the window is at %v", r.s.at)
	}
	if from := r.s.signIn("one").from; from != (route{section: sectionRequest, id: "call"}) {
		t.Errorf("it leads back to %v", from)
	}
}

// TestAccount_ATimeThatNobodyKnowsIsNotShown: zero is no date.
func TestAccount_ATimeThatNobodyKnowsIsNotShown(t *testing.T) {
	r := newRig(t, rigOptions{})
	a := accountSheet{Account: auth.Account{Issuer: "https://login.example", Host: "login.example", Renews: true}}
	if got := r.s.say(a.sentence(r.s)); got != "Signed in, renewed automatically." {
		t.Errorf("it says %q", got)
	}
}
