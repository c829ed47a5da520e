package ui

import (
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/config"
)

// goesTo edits the address of the only server here, while it is connected, which
// removes what was kept for the old one.
func (r *rig) goesTo(url string) *serverState {
	r.t.Helper()
	v := r.connected()
	before := v.Server
	after := before
	after.URL, after.SignIn = url, mcpclient.SignIn{}
	must(r.t, r.store.Update(after))
	r.s.edited(before, after, config.Typed{}, config.HasLeave)
	r.wait(func() bool { return !v.token.busy })
	r.queue.Drain()
	return v
}

// TestSignIn_WhatCannotSignInAnyMoreOffersToReconnect: once the address was edited a
// connection to the old one begins no sign-in, and neither its page nor a request has a
// button that does nothing; connected anew, both work, also where the edit was undone.
func TestSignIn_WhatCannotSignInAnyMoreOffersToReconnect(t *testing.T) {
	for name, undone := range map[string]bool{"edited": false, "edited and undone": true} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
			q := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
			r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
			r.press(r.signInButton(r.signingIn()))
			v := r.connected()
			r.wait(func() bool { return v.account.SignedIn() })
			r.goesTo(q.server.URL)
			if undone {
				r.goesTo(p.server.URL)
			}
			r.s.choose(route{section: sectionServer, id: v.ID})
			if r.button("Sign in") != nil || r.button("Reconnect") == nil {
				t.Errorf("the page of the server reads\n%s", r.text())
			}
			r.run("whoami")
			if call := r.ended(); call.State != mcpclient.CallFailed || call.Failure.Text.ID != "auth.signin.gone" {
				t.Fatalf("the request ended as %+v", call)
			}
			r.wait(func() bool { return r.s.at.section == sectionRequest })
			r.pass(deafTime)
			if said := r.text(); r.button("Sign in and run again") != nil || !strings.Contains(said, "Reconnect; then you can sign in.") {
				t.Errorf("the request reads\n%s", said)
			}
			failed := r.s.at
			r.press("Reconnect")
			r.s.show(route{section: sectionQuestions})
			r.wait(func() bool { return len(r.s.signIns) == 1 && r.s.signIns[0].link != nil })
			r.s.choose(route{section: sectionSignIn, id: r.s.signIns[0].ID})
			r.pass(deafTime)
			r.press(r.signInButton(r.s.signIns[0]))
			r.wait(func() bool { return isConnected(v.status) && v.account.SignedIn() && !v.emptied })
			r.s.choose(failed)
			if r.button("Reconnect") != nil {
				t.Errorf("connected anew, the request reads\n%s", r.text())
			}
			r.pass(deafTime)
			r.press("Sign in and run again")
			r.runs++
			if call := r.ended(); call.State != mcpclient.CallDone || call.IsError {
				t.Errorf("run again it ended as %+v", call)
			}
			if there := map[bool]*signInPlace{false: q, true: p}[undone]; there.asked("/token") == 0 {
				t.Error("it was signed in elsewhere")
			}
		})
	}
}

// TestSignIn_ButtonsThatStandDoWhatTheySay after each thing that changes what a
// connection is for and leaves it able to sign in.
func TestSignIn_ButtonsThatStandDoWhatTheySay(t *testing.T) {
	for name, change := range map[string]func(r *rig, v *serverState){
		"renamed": func(r *rig, v *serverState) {
			before, after := v.Server, v.Server
			after.Name = "Renamed"
			must(r.t, r.store.Update(after))
			r.s.edited(before, after, config.Typed{}, config.HasLeave)
		},
		"settings of signing in": func(r *rig, v *serverState) {
			r.s.toSetup(v, "path")
			r.typing("oauth")
			r.ctrlEnter()
			r.wait(func() bool { return r.s.at.section == sectionServer })
		},
		"another path in the file":  func(r *rig, v *serverState) { r.movedTo("Notes", strings.Replace(v.URL, "/mcp", "/other", 1)) },
		"another place in the file": func(r *rig, v *serverState) { r.movedTo("Notes", "http://127.0.0.1:9/mcp") },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
			r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
			r.press(r.signInButton(r.signingIn()))
			v := r.connected()
			r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionServer })
			change(r, v)
			p.as.Withdraw(true)
			r.run("whoami")
			first := r.signingIn()
			r.key("Escape")
			r.wait(func() bool { return first.State.Settled() })
			r.ended()
			r.wait(func() bool { return r.s.at.section == sectionRequest })
			r.pass(deafTime)
			r.press("Sign in and run again")
			r.runs++
			r.press(r.signInButton(r.signingIn()))
			if call := r.ended(); call.State != mcpclient.CallDone || call.IsError {
				t.Errorf("run again it ended as %+v", call)
			}
		})
	}
}

// TestSignIn_SignedOutAndBack: the button of a server that was signed out of works.
func TestSignIn_SignedOutAndBack(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionServer })
	r.s.signOut(v)
	r.wait(func() bool { return !v.account.busy && !isOpen(v.status) })
	r.queue.Drain()
	r.press("Connect")
	r.press(r.signInButton(r.signingIn()))
	r.wait(func() bool { return isConnected(v.status) && v.account.SignedIn() })
}
