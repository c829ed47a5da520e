package ui

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// TestWait_AServerThatWaitsForASignInIsNotSaidToConnect: neither in the sidebar nor on
// its pages, wherever the sign-in is; and a request that waits for it is not with the
// server.
func TestWait_AServerThatWaitsForASignInIsNotSaidToConnect(t *testing.T) {
	p := newPlace(t, authtest.Options{}, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{held: true}, listed: &p.server})
	sh := r.signingIn()
	v := r.s.desk.servers[0]
	works := func(when string) {
		t.Helper()
		r.queue.Drain()
		for _, words := range []string{"onnecting…", "Asking what", "is connecting"} {
			if side := textOf(r.s.side.object); strings.Contains(r.text(), words) || strings.Contains(side, words) {
				t.Errorf("%s the page reads\n%s\nand the sidebar\n%s", when, r.text(), side)
			}
		}
	}
	row := func(want string, dot kit.Dot) {
		t.Helper()
		if got := r.s.side.said[v.ID].state; got != want || r.s.dotOf(v) != dot {
			t.Errorf("in the sidebar stands %q with dot %v, want %q with %v", got, r.s.dotOf(v), want, dot)
		}
	}
	if v.status.State != mcpclient.Connecting {
		t.Fatalf("the server is %s", v.status.State)
	}
	works("asked to sign in,")
	row("waits for you to sign in", kit.DotOff)
	r.press("Decide later")
	works("put off,")
	if !strings.Contains(r.text(), "The server wants you to sign in before it goes on.") {
		t.Errorf("the page of the server reads\n%s", r.text())
	}
	r.s.toSignIn(sh)
	r.pass(deafTime)
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened && sh.State == auth.InBrowser })
	works("in the browser,")
	row("waits for you in the browser", kit.DotOff)
	r.s.choose(route{section: sectionServer, id: v.ID})
	works("in the browser, on the page of the server,")
	must(t, r.s.o.Accounts.Cancel(sh.ID))
	r.wait(func() bool { return v.status.State == mcpclient.Lost })
	row("not connected", kit.DotTrouble)
}

// TestWait_WhatParleyDoesForASignInIsNotWaitingForThePerson, and what waits for another
// sign-in than it does is none of its.
func TestWait_WhatParleyDoesForASignInIsNotWaitingForThePerson(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, func(d *auth.SignIn) { d.Calls = []string{"", "book"} })
	v := r.s.desk.servers[0]
	r.s.desk.calls = append(r.s.desk.calls, &callState{Call: mcpclient.Call{ID: "book", ServerID: v.ID, State: mcpclient.CallRunning}},
		&callState{Call: mcpclient.Call{ID: "other", ServerID: v.ID, State: mcpclient.CallRunning}})
	v.status = mcpclient.Status{State: mcpclient.Connecting}
	for _, c := range []struct {
		state     auth.State
		row, page string
		dot       kit.Dot
	}{
		{auth.NeedsConsent, "waits for you to sign in", "The server wants you to sign in before it goes on.", kit.DotOff},
		{auth.Preparing, "signing in…", "Parley is preparing the sign-in…", kit.DotBusy},
		{auth.InBrowser, "waits for you in the browser", "Waiting for you in the browser.", kit.DotOff},
		{auth.Exchanging, "signing in…", "You are back. Parley is completing the sign-in…", kit.DotBusy},
	} {
		sh.opened = c.state == auth.InBrowser
		f.tell(signInOf(v, "one", func(d *auth.SignIn) { d.State, d.Calls = c.state, []string{"", "book"} }))
		r.wait(func() bool { return sh.State == c.state })
		if got := r.s.side.said[v.ID].state; got != c.row || r.s.dotOf(v) != c.dot {
			t.Errorf("%s: the sidebar says %q with dot %v", c.state, got, r.s.dotOf(v))
		}
		if got := r.s.say(r.s.stateOf(&r.s.desk.call("book").Call)); got != c.row {
			t.Errorf("%s: the request %q", c.state, got)
		}
		if got := r.s.say(r.s.stateOf(&r.s.desk.call("other").Call)); got != "the server is working" {
			t.Errorf("%s: a request that does not wait for it %q", c.state, got)
		}
		for _, at := range []route{{section: sectionServer, id: v.ID}, {section: sectionRequest, id: "book"}} {
			r.s.show(at)
			if !strings.Contains(r.text(), c.page) || strings.Contains(r.text(), "Connecting…") {
				t.Errorf("%s: the page reads\n%s", c.state, r.text())
			}
		}
	}
}

// TestWait_AFormOfAServerThatWaitsForASignInDoesNotSayThatParleyConnects.
func TestWait_AFormOfAServerThatWaitsForASignInDoesNotSayThatParleyConnects(t *testing.T) {
	f := &fakeAccounts{agree: exact}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), http: true, accounts: f})
	v := r.connected()
	r.s.choose(route{section: sectionTool, id: v.ID, name: "ask"})
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connecting}})
	r.reads("Parley is connecting.")
	f.tell(signInOf(v, "one", nil))
	r.wait(func() bool { return r.s.signInAt(v.ID) != nil })
	r.reads("What you enter stays here. The server wants you to sign in before it goes on.")
	if strings.Contains(r.text(), "Parley is connecting") {
		t.Errorf("the page reads\n%s", r.text())
	}
}

// TestWait_AskingWhatAServerOffersIsNotSaidOfOneThatWaits.
func TestWait_AskingWhatAServerOffersIsNotSaidOfOneThatWaits(t *testing.T) {
	r, _, sh := askingToSignIn(t, exact, nil)
	v := r.s.desk.servers[0]
	r.s.choose(route{section: sectionServer, id: v.ID})
	for _, again := range []bool{false, true} { // for the first time, and once more
		if v.listing.awaited = again; !again {
			v.offer = nil
		} else {
			v.offer = &offer{problems: []i18n.Message{i18n.M("ui.server.nothing")}}
		}
		r.s.show(r.s.at)
		if strings.Contains(r.text(), "Asking what the server offers") {
			t.Errorf("again %v: the page reads\n%s", again, r.text())
		}
	}
	sh.Calls = []string{"book"}
	r.s.show(r.s.at)
	if !strings.Contains(r.text(), "Asking what the server offers") {
		t.Errorf("while only a request waits, the page reads\n%s", r.text())
	}
}

// TestWait_ARequestWhoseTokenIsRenewedIsNotWithTheServer, which has not been asked yet:
// it says where the sign-in is renewed, as does the page of the server, until that is
// over.
func TestWait_ARequestWhoseTokenIsRenewedIsNotWithTheServer(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant, Scopes: []string{"read"}},
		authtest.ResourceOptions{Challenge: "read", Tools: map[string][]string{"save": {"read"}}})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	hold := make(chan struct{})
	p.as.Set(func(o *authtest.Options) {
		o.Intercept = func(_ http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path == p.as.Endpoint("token") {
				<-hold
			}
			return false
		}
	})
	r.clock.advance(24 * time.Hour)
	r.run("save")
	r.wait(func() bool { return v.renewal.Host != "" })
	call := &r.s.desk.calls[0].Call
	said := "Renewing the sign-in at " + v.account.Host + "…"
	reads := func(want bool, when string) {
		t.Helper()
		for _, at := range []route{{section: sectionServer, id: v.ID}, {section: sectionRequest, id: call.ID}} {
			r.s.show(at)
			if strings.Contains(r.text(), said) != want {
				t.Errorf("%s page %d reads\n%s", when, at.section, r.text())
			}
		}
	}
	reads(true, "while it is renewed")
	if row := r.s.say(r.s.stateOf(call)); row != "renewing the sign-in…" || strings.Contains(r.text(), "the server is working") {
		t.Errorf("the request stands as %q; its page reads\n%s", row, r.text())
	}
	close(hold)
	if done := r.ended(); done.State != mcpclient.CallDone {
		t.Errorf("the request ended as %+v", done)
	}
	r.wait(func() bool { return v.renewal.Host == "" })
	reads(false, "after it")
}

// TestWait_AConnectionWhoseTokenIsRenewedIsNotSaidToConnect.
func TestWait_AConnectionWhoseTokenIsRenewedIsNotSaidToConnect(t *testing.T) {
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), http: true, accounts: f})
	v := r.atServer()
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connecting}})
	for _, c := range []struct {
		calls []string
		row   string
		page  bool // reads as connecting
	}{{[]string{"book", ""}, "renewing the sign-in…", false}, {[]string{"book"}, "connecting…", true}} {
		f.news.Tell(auth.Event{ServerID: v.ID, Renewal: &auth.Renewal{Host: "login.example", Calls: c.calls}})
		r.wait(func() bool { return len(v.renewal.Calls) == len(c.calls) })
		if got := r.s.side.said[v.ID].state; got != c.row || r.s.dotOf(v) != kit.DotBusy {
			t.Errorf("%q: the sidebar says %q", c.calls, got)
		}
		r.reads("Renewing the sign-in at login.example…")
		if strings.Contains(r.text(), "Connecting…") != c.page {
			t.Errorf("%q: the page reads\n%s", c.calls, r.text())
		}
	}
}

// TestReconnecting_AnAttemptThatWaitsForOthersSaysSo, and is no news of how the
// connection ended.
func TestReconnecting_AnAttemptThatWaitsForOthersSaysSo(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	lost := mcpclient.Status{State: mcpclient.Reconnecting, Attempt: 2, Attempts: 5, Next: r.clock.Now().Add(time.Second),
		Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.lost")}}
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &lost})
	r.pass(time.Second)
	lines := len(v.said.lines)
	queued := lost
	queued.Queued = true
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &queued})
	r.reads("Waits for its turn, after other servers (attempt 2 of 5).")
	if got := r.s.side.said[v.ID].state; got != "waits for its turn" || strings.Contains(r.text(), "Trying again") || len(v.said.lines) != lines {
		t.Errorf("the sidebar says %q, %d lines are remarked for %d; the page reads\n%s", got, len(v.said.lines), lines, r.text())
	}
}

// TestWait_AServerThatWaitsForTheKeychainIsNotSaidToConnect: that may have a window open
// for the person. Another server is not concerned.
func TestWait_AServerThatWaitsForTheKeychainIsNotSaidToConnect(t *testing.T) {
	place := &fakePlace{st: keychain.State{Mode: keychain.Available}}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), place: place})
	v := r.atServer()
	other := &serverState{Server: mcpclient.Server{ID: "other", Name: "Other", Kind: mcpclient.HTTP, URL: "https://other.example"}}
	other.status.State = mcpclient.Connecting
	r.s.desk.addServer(other)
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connecting}})
	r.reads("Connecting…")
	place.asked = []string{v.ID}
	place.be(place.st)
	r.queue.Drain()
	r.reads("Asking the system’s keychain. It may have a window open for you.")
	if got := r.s.side.said[v.ID].state; got != "waits for the keychain" || r.s.dotOf(v) != kit.DotOff || strings.Contains(r.text(), "Connecting…") {
		t.Errorf("the sidebar says %q with dot %v, the page reads\n%s", got, r.s.dotOf(v), r.text())
	}
	if got := r.s.side.said[other.ID].state; got != "connecting…" {
		t.Errorf("of another server the sidebar says %q", got)
	}
	r.s.choose(route{section: sectionTool, id: v.ID, name: "ask"})
	r.reads("What you enter stays here. Asking the system’s keychain.")
	place.asked = nil
	place.be(place.st)
	r.queue.Drain()
	r.reads("What you enter stays here. Parley is connecting.")
	if got := r.s.side.said[v.ID].state; got != "connecting…" || r.s.dotOf(v) != kit.DotBusy {
		t.Errorf("afterwards the sidebar says %q", got)
	}
}
