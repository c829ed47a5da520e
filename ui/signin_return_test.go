package ui

import (
	"strings"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// TestSignIn_LeadsToItsOwnServerAndNotToAnother: whoever came to it from another
// server's page was about this one since.
func TestSignIn_LeadsToItsOwnServerAndNotToAnother(t *testing.T) {
	other := route{section: sectionServer, id: "other"}
	of := func(r *rig) route { return route{section: sectionServer, id: r.s.desk.servers[0].ID} }
	for name, c := range map[string]struct {
		from  route
		calls []string
		want  func(r *rig) route
	}{
		"from another server":               {other, nil, of},
		"a request waits for it":            {other, []string{"", "mine"}, func(*rig) route { return route{section: sectionRequest, id: "mine"} }},
		"from another's request":            {route{section: sectionRequest, id: "theirs"}, nil, of},
		"from the settings":                 {route{section: sectionSettings}, nil, func(*rig) route { return route{section: sectionSettings} }},
		"from a request of the same server": {route{section: sectionRequest, id: "mine"}, nil, func(*rig) route { return route{section: sectionRequest, id: "mine"} }},
	} {
		t.Run(name, func(t *testing.T) {
			r, f, sh := askingToSignIn(t, exact, nil)
			v := r.s.desk.servers[0]
			r.s.desk.addServer(&serverState{Server: mcpclient.Server{ID: "other", Name: "Other", Kind: mcpclient.HTTP, URL: "https://other.example"}})
			for id, server := range map[string]string{"mine": v.ID, "theirs": "other"} {
				r.s.desk.calls = append(r.s.desk.calls, &callState{Call: mcpclient.Call{ID: id, ServerID: server, State: mcpclient.CallRunning}})
			}
			r.s.choose(c.from)
			r.s.toSignIn(sh)
			f.tell(signInOf(v, sh.ID, func(d *auth.SignIn) { d.State, d.Calls = auth.Done, c.calls }))
			r.wait(func() bool { return r.s.at.section != sectionSignIn })
			if want := c.want(r); r.s.at != want {
				t.Errorf("led to %+v, want %+v", r.s.at, want)
			}
		})
	}
}

// TestRequest_ThatWaitsForASignInSaysSo, on its page and in the list.
func TestRequest_ThatWaitsForASignInSaysSo(t *testing.T) {
	r, f, sh := askingToSignIn(t, exact, nil)
	v := r.s.desk.servers[0]
	call := &callState{Call: mcpclient.Call{ID: "c", ServerID: v.ID, State: mcpclient.CallPausing, Round: 1, Started: r.clock.Now()}}
	call.patience = patience{since: r.clock.Now(), round: 1}
	r.s.desk.calls = append(r.s.desk.calls, call)
	f.tell(signInOf(v, sh.ID, func(d *auth.SignIn) { d.Calls = []string{"c"} }))
	r.wait(func() bool { return len(sh.Calls) == 1 })
	for _, at := range []route{{section: sectionRequests}, {section: sectionRequest, id: "c"}} {
		r.s.choose(at)
		if said := r.text(); !strings.Contains(said, "waits for you to sign in") || strings.Contains(said, "the server is") || strings.Contains(said, "still working") {
			t.Errorf("at %v the page reads\n%s", at, said)
		}
	}
	if r.button("Look at it") == nil && r.button(r.s.t("ui.signin.look")) == nil {
		t.Error("there is no way to the sign-in")
	}
	f.tell(signInOf(v, sh.ID, func(d *auth.SignIn) { d.State = auth.Done }))
	r.wait(func() bool { return r.s.signInAt(v.ID) == nil })
	r.queue.Drain()
	if said := r.text(); !strings.Contains(said, "the server is working") {
		t.Errorf("signed in, the page reads\n%s", said)
	}
}

// TestSignIn_TheNoteOfItGoesWithTheAccount, on the page where it stands.
func TestSignIn_TheNoteOfItGoesWithTheAccount(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{Challenge: "read"})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	sh := r.signingIn()
	r.s.choose(route{section: sectionSettings})
	r.s.toSignIn(sh)
	r.pass(deafTime)
	r.press(r.signInButton(sh))
	v := r.connected()
	r.wait(func() bool {
		return strings.Contains(textOf(r.s.note.box), "Signed in to “Notes” at "+v.account.Host)
	})
	r.s.signOut(v)
	r.wait(func() bool { return !v.account.busy && !v.account.SignedIn() })
	r.queue.Drain()
	if note := textOf(r.s.note.box); note != "" {
		t.Errorf("signed out, the note still reads %q", note)
	}
	r.s.noteSignedIn(sh)
	r.s.choose(route{section: sectionAdd})
	if note := textOf(r.s.note.box); note != "" {
		t.Errorf("on another page the note still reads %q", note)
	}
}

// TestTrial_OfAServerThatWantsASignInReachedIt, and says what is next.
func TestTrial_OfAServerThatWantsASignInReachedIt(t *testing.T) {
	for id, want := range map[string]bool{"auth.token.needed": true, "auth.signin.unattended": true, "auth.token.refused": false, "core.fail.lost": false} {
		r := newRig(t, rigOptions{})
		r.s.choose(route{section: sectionAdd})
		r.s.adding.trial.failure = &mcpclient.Failure{Text: i18n.Message{ID: id}}
		r.s.redrawSheet(&r.s.adding)
		said := r.text()
		if got := strings.Contains(said, "The server was reached, and wants you to sign in.") && strings.Contains(said, "Add it"); got != want || got == strings.Contains(said, "did not reach") {
			t.Errorf("%s is said as\n%s", id, said)
		}
	}
}

// TestSidebar_MarksTheServerWhosePageIsShown, and whose sub-page.
func TestSidebar_MarksTheServerWhosePageIsShown(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), http: true, accounts: &fakeAccounts{}})
	v := r.connected()
	for _, at := range []route{{section: sectionServer, id: v.ID}, {section: sectionTool, id: v.ID, name: "ask"}, {section: sectionEdit, id: v.ID}, {section: sectionSetup, id: v.ID}} {
		r.s.choose(route{section: sectionSettings})
		r.s.choose(at)
		if row := r.s.side.servers.Row(0); !row.Selected() {
			t.Errorf("at %v its row is not marked", at)
		}
	}
	r.s.choose(route{section: sectionSettings})
	if r.s.side.servers.Row(0).Selected() {
		t.Error("it is marked on another page")
	}
}
