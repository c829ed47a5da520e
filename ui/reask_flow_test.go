package ui

import (
	"context"
	"strings"
	"testing"

	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
	"parley/ui/kit"
)

// TestSetup_SavedWhileASignInIsOpenItIsAskedForAnew, by the settings of now, and the page
// says so: whether the person has agreed to the old one or not, and whether they were
// saved here or in the file.
func TestSetup_SavedWhileASignInIsOpenItIsAskedForAnew(t *testing.T) {
	for name, c := range map[string]struct {
		agreed  bool
		outside bool
		says    string
	}{
		"a question":             {says: "The sign-in settings were changed, so you are asked anew."},
		"in the browser":         {agreed: true, says: "The page that was opened in your browser before no longer counts: close it."},
		"a question, the file":   {outside: true, says: "The sign-in settings were changed, so you are asked anew."},
		"in the browser, theirs": {agreed: true, outside: true, says: "The page that was opened in your browser before no longer counts: close it."},
	} {
		t.Run(name, func(t *testing.T) {
			o := authtest.Options{Login: authtest.Grant, AnyPort: true, Clients: []authtest.Client{{ID: "known", Redirects: []string{"http://127.0.0.1/callback"}}}}
			p := newPlace(t, o, authtest.ResourceOptions{})
			browser := &testBrowser{held: true}
			r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: browser, listed: &p.server})
			old := r.signingIn()
			if c.agreed {
				r.press(r.signInButton(old))
				r.wait(func() bool { return old.opened && old.State == auth.InBrowser })
			}
			v := r.s.desk.servers[0]
			if c.outside {
				now := r.s.readList()
				now.servers[0].SignIn.ClientID = "known"
				r.s.takeList(now)
			} else {
				r.s.toSetup(v, auth.SetupClientID)
				r.typing("known")
				r.ctrlEnter()
			}
			r.wait(func() bool {
				at := r.s.signIn(r.s.at.id)
				return r.s.at.section == sectionSignIn && at != nil && at.ID != old.ID
			})
			again := r.signingIn()
			if said := r.text(); !strings.Contains(said, c.says) || old.State != auth.Failed {
				t.Fatalf("the old one is %s; the page reads\n%s", old.State, said)
			} else if strings.Contains(said, "Nothing has been opened so far.") == c.agreed {
				t.Errorf("the page reads\n%s", said)
			}
			browser.held = false
			r.press(r.signInButton(again))
			r.connected()
			if id := last(p.as.Log().Requests("/authorize")).Query.Get("client_id"); id != "known" {
				t.Errorf("signed in as the client %q", id)
			}
			r.wait(func() bool { return v.account.SignedIn() })
			if who, err := r.s.o.Accounts.Who(context.Background(), v.Server); err != nil || !who.SignedIn() {
				t.Errorf("by the settings of now they are %+v, %v", who, err)
			}
		})
	}
}

// TestSetup_SavedWhileConnectedThePageSaysWhatItMeans: by another client id nobody is
// signed in any more, and the way to sign in is there.
func TestSetup_SavedWhileConnectedThePageSaysWhatItMeans(t *testing.T) {
	o := authtest.Options{Login: authtest.Grant, AnyPort: true, Clients: []authtest.Client{{ID: "known", Redirects: []string{"http://127.0.0.1/callback"}}}}
	p := newPlace(t, o, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, dir: t.TempDir(), listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionServer })
	v.account.wanted = false // as after a restart
	r.s.toSetup(v, auth.SetupClientID)
	r.typing("known")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer && !v.account.SignedIn() })
	r.queue.Drain()
	r.wantText("You are not signed in to this server.")
	r.press("Sign in")
	r.press(r.signInButton(r.signingIn()))
	r.wait(func() bool { return v.account.SignedIn() })
	if id := last(p.as.Log().Requests("/authorize")).Query.Get("client_id"); id != "known" {
		t.Errorf("signed in as the client %q", id)
	}
}

// TestSetup_WhatAConnectedServerCannotSignInForLeadsToTheSettings, and what was wrong
// with them is no longer said once they are mended.
func TestSetup_WhatAConnectedServerCannotSignInForLeadsToTheSettings(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, dir: t.TempDir(), listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionServer })
	r.s.toSetup(v, auth.SetupIssuer)
	r.typing("https://login.example")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer && !v.account.SignedIn() })
	r.queue.Drain()
	r.press("Sign in")
	wrong := "as the place to sign in for this server"
	r.wait(func() bool { return strings.Contains(r.text(), wrong) })
	r.press(r.s.t("ui.mend.issuer"))
	r.s.win.Canvas().Focused().(*kit.TextEntry).SetText("")
	r.ctrlEnter()
	r.wait(func() bool { return v.account.SignedIn() && v.listing.failure == nil })
	r.queue.Drain()
	if said := r.text(); r.s.at.section != sectionServer || strings.Contains(said, wrong) {
		t.Errorf("the page reads\n%s", said)
	}
}

// last is the last of some.
func last[T any](some []T) T { return some[len(some)-1] }
