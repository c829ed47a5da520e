package ui

import (
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
)

// signedInAt is a window of one server that the person has just signed in to, on
// its page.
func signedInAt(t *testing.T, secrets *memorySecrets, o authtest.Options) (r *rig, v *serverState) {
	t.Helper()
	o.Login = authtest.Grant
	p := newPlace(t, o, authtest.ResourceOptions{})
	r = newRig(t, rigOptions{secrets: secrets, browser: &testBrowser{}, listed: &p.server})
	v = r.s.desk.servers[0]
	r.s.choose(route{section: sectionServer, id: v.ID})
	r.press(r.signInButton(r.signingIn()))
	r.wait(func() bool {
		return v.account.SignedIn() && v.status.State == mcpclient.Connected && r.s.at.section == sectionServer
	})
	return r, v
}

// TestSignOut_WithoutAKeychainSaysFirstThatOneIsSignedOut, and whether the place has
// confirmed it; that there is no keychain is a remark, which ends with the next deed.
func TestSignOut_WithoutAKeychainSaysFirstThatOneIsSignedOut(t *testing.T) {
	secrets := &memorySecrets{}
	secrets.Away(keychain.Absent)
	r, v := signedInAt(t, secrets, authtest.Options{})
	r.press("Sign out…")
	r.press("Sign out")
	r.wait(func() bool { return !v.account.busy && v.status.State == mcpclient.Closed })
	said, remark := "You are signed out. "+v.account.said.text.Data["Host"].(string)+" has confirmed", r.s.say(v.account.said.more)
	switch text := r.text(); {
	case !strings.Contains(text, said):
		t.Errorf("the page reads\n%s", text)
	case remark == "" || strings.Index(text, remark) < strings.Index(text, said):
		t.Errorf("the remark is %q; the page reads\n%s", remark, text)
	}
	r.press("Connect")
	if text := r.text(); strings.Contains(text, "You are signed out") || strings.Contains(text, remark) {
		t.Errorf("after the next deed the page reads\n%s", text)
	}
}

// TestSaid_WhatWasDoneIsSaidUntilTheNextDeed: signed in, on a page without a banner
// that says so, until the connection ends; signed out, until the person goes on to
// another page.
func TestSaid_WhatWasDoneIsSaidUntilTheNextDeed(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	reads := func(in, out bool, when string) {
		t.Helper()
		r.queue.Drain()
		if text := textOf(r.s.note.box) + r.text(); strings.Contains(text, "Signed in to “Notes”") != in || strings.Contains(text, "You are signed out") != out {
			t.Errorf("%s the page reads\n%s", when, text)
		}
	}
	sh := r.signingIn()
	r.s.choose(route{section: sectionSettings})
	r.s.toSignIn(sh)
	r.pass(deafTime)
	r.press(r.signInButton(sh))
	v := r.connected()
	r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionSettings })
	reads(true, false, "signed in")
	r.s.disconnect(v)
	r.wait(func() bool { return v.status.State == mcpclient.Closed })
	reads(false, false, "disconnected")
	r.s.choose(route{section: sectionServer, id: v.ID})
	r.press("Connect")
	r.wait(func() bool { return v.status.State == mcpclient.Connected && v.account.SignedIn() })
	r.press("Sign out…")
	r.press("Sign out")
	r.wait(func() bool { return !v.account.busy && v.status.State == mcpclient.Closed })
	reads(false, true, "signed out")
	r.s.choose(route{section: sectionSettings})
	r.s.choose(route{section: sectionServer, id: v.ID})
	reads(false, false, "after another page")
}

// TestSwitch_ThatTheSignInBeforeMayLastIsSaidWhereTheWindowGoes: at the question who one
// is now.
func TestSwitch_ThatTheSignInBeforeMayLastIsSaidWhereTheWindowGoes(t *testing.T) {
	r, v := signedInAt(t, &memorySecrets{}, authtest.Options{NoRevoke: true})
	r.press("Sign in as somebody else…")
	r.press("Sign out and choose")
	sh := r.signingIn()
	r.wantText("did not confirm that the access has ended there")
	r.press(r.signInButton(sh))
	r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionServer })
	r.queue.Drain()
	if text := r.text(); strings.Contains(text, "did not confirm") {
		t.Errorf("signed in anew the page reads\n%s", text)
	}
}

// TestSignOut_TheQuestionHasTheKeyboardOnWhatChangesNothing, be it to sign out or to
// sign in as somebody else.
func TestSignOut_TheQuestionHasTheKeyboardOnWhatChangesNothing(t *testing.T) {
	r, _ := signedInAt(t, &memorySecrets{}, authtest.Options{})
	for _, ask := range []string{"Sign out…", "Sign in as somebody else…"} {
		r.press(ask)
		p := r.s.page.(*serverPage)
		if got := r.s.win.Canvas().Focused(); got != p.buttons["Stay signed in"] {
			t.Errorf("%s: the keyboard is on %v", ask, got)
		}
		r.s.touchServer(p.v.ID)
		r.queue.Drain()
		if got := r.s.win.Canvas().Focused(); got != p.buttons["Stay signed in"] {
			t.Errorf("%s, drawn anew: the keyboard is on %v", ask, got)
		}
		r.press("Stay signed in")
	}
}
