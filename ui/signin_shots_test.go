package ui

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
)

// signInOf is a sign-in at v as a server would ask for it.
func signInOf(v *serverState, id string, change func(*auth.SignIn)) auth.SignIn {
	d := auth.SignIn{ID: id, ServerID: v.ID, ServerName: v.Name, Origin: "https://mcp.travel.example", Issuer: "https://login.travel.example",
		Endpoint: "https://login.travel.example/oauth2/authorize", Host: "login.travel.example",
		Scopes: []string{"trips.read", "trips.write", "offline_access"}, Calls: []string{""}, Why: auth.First, State: auth.NeedsConsent,
		Began: time.Date(2026, 6, 1, 11, 59, 20, 0, time.UTC)}
	if change != nil {
		change(&d)
	}
	return d
}

// signedIn is who is signed in at the server of the pictures.
func signedInAs(r *rig) auth.Account {
	return auth.Account{Issuer: "https://login.travel.example", Host: "login.travel.example", User: "lin@travel.example",
		Scopes: []string{"trips.read", "offline_access"}, Since: r.clock.Now().Add(-time.Hour), Renews: true}
}

// exact gives a sign-in the address that its person is to open.
func exact(d auth.SignIn) (auth.SignIn, error) {
	d.State, d.Redirect = auth.InBrowser, "http://127.0.0.1:41234/callback"
	d.URL = d.Endpoint + "?client_id=parley-7291&code_challenge=Zr1cW3PVQ0pGJx1nMZ9QX2&code_challenge_method=S256&redirect_uri=http%3A%2F%2F127.0.0.1%3A41234%2Fcallback&response_type=code&scope=trips.read+trips.write&state=9f2c41"
	return d, nil
}

// ask puts a sign-in before the person, who waits at the page of its server.
func (f *fakeAccounts) ask(r *rig, d auth.SignIn) *signInSheet {
	r.t.Helper()
	r.s.show(route{section: sectionServer, id: d.ServerID})
	f.tell(d)
	r.wait(func() bool { return r.s.at == route{section: sectionSignIn, id: d.ID} })
	r.pass(deafTime)
	return r.s.signIn(d.ID)
}

// readOn goes through what does not fit into the window.
func (r *rig) readOn() {
	r.t.Helper()
	for r.button(r.s.t("ui.link.rest")) != nil {
		r.press(r.s.t("ui.link.rest"))
		r.pass(deafTime)
	}
}

// lose shows the page of a server that failed with a sentence.
func (r *rig) lose(v *serverState, m i18n.Message) {
	v.status = mcpclient.Status{State: mcpclient.Lost, Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: m}}
	v.tried = true
	r.s.show(route{section: sectionServer, id: v.ID})
	r.queue.Drain()
}

// TestShots_SignIn draws every state of a sign-in, and what comes before and
// after it.
func TestShots_SignIn(t *testing.T) {
	for _, size := range []struct {
		tag string
		of  fyne.Size
	}{{"", firstSize}, {"-twice", fyne.NewSize(600, 360)}} {
		f := &fakeAccounts{agree: exact}
		shots(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f}, func(s *shooter) {
			r := s.r
			s.tag = size.tag + s.tag
			r.s.win.Resize(size.of)
			v := r.s.desk.servers[0]
			r.s.desk.calls = append(r.s.desk.calls, &callState{Call: mcpclient.Call{ID: "book", ServerID: v.ID, Round: 1, Started: r.clock.Now().Add(-12 * time.Second),
				CallRequest: mcpclient.CallRequest{Name: "book", Title: "Book a trip"}}})
			shoot := func(name string, d auth.SignIn) *signInSheet {
				sh := f.ask(r, d)
				s.shot(name)
				return sh
			}
			end := func(d auth.SignIn) {
				f.tell(d)
				r.wait(func() bool { sh := r.s.signIn(d.ID); return sh == nil || sh.State.Settled() })
				r.pass(deafTime)
			}
			over := func(state auth.State, text i18n.Message) func(*auth.SignIn) {
				return func(d *auth.SignIn) { d.State, d.Text = state, text }
			}
			first := shoot("90-signin-first", signInOf(v, "first", nil))
			r.readOn()
			r.press(r.signInButton(first))
			r.wait(func() bool { return first.opened })
			r.pass(deafTime)
			s.shot("91-signin-waiting")
			f.news.Tell(auth.Event{ServerID: v.ID, Account: new(signedInAs(r))})
			end(signInOf(v, "first", over(auth.Done, i18n.Message{})))
			s.shot("92-signin-done")
			r.press(r.s.t("ui.account.out_ask"))
			s.shot("93-signin-out")
			r.key(fyne.KeyEscape)
			r.press(r.s.t("ui.account.other_ask"))
			s.shot("93-signin-switch")
			r.key(fyne.KeyEscape)
			shoot("94-signin-switch", signInOf(v, "switch", func(d *auth.SignIn) { d.Switch = auth.SwitchUnsure }))
			end(signInOf(v, "switch", over(auth.Failed, i18n.M("auth.signin.closed"))))

			shoot("94-signin-step-up", signInOf(v, "step-up", func(d *auth.SignIn) {
				d.Why, d.Granted, d.Calls = auth.StepUp, []string{"trips.read", "offline_access"}, []string{"book", "other"}
			}))
			end(signInOf(v, "step-up", over(auth.Failed, i18n.M("auth.signin.closed"))))
			shoot("95-signin-moved", signInOf(v, "moved", func(d *auth.SignIn) {
				d.Why, d.Issuer, d.Endpoint, d.Host = auth.Moved, "https://id.calendar.example", "https://id.calendar.example/authorize", "id.calendar.example"
			}))
			end(signInOf(v, "moved", over(auth.Failed, i18n.M("auth.signin.closed"))))
			shoot("95-signin-handed", signInOf(v, "handed", func(d *auth.SignIn) { d.TokenHost = "tokens.elsewhere.example" }))
			end(signInOf(v, "handed", over(auth.Failed, i18n.M("auth.signin.closed"))))
			danger := shoot("96-signin-danger", signInOf(v, "danger", func(d *auth.SignIn) {
				d.Endpoint, d.Host = "https://accounts.google.com.evil.example/o/oauth2/v2/auth", "accounts.google.com.evil.example"
				d.Scopes = strings.Fields(strings.Repeat("https://www.googleapis.example/auth/calendar.events.owned ", 12))
			}))
			danger.link.known = true
			r.s.show(r.s.at)
			r.pass(deafTime)
			r.opener.failWith(errNoBrowser)
			danger.link.seen = true // in the small window the rest is read first
			r.s.agree(danger)
			r.wait(func() bool { return danger.stage == stageFailed })
			s.shot("97-signin-not-opened")
			r.opener.failWith(nil)
			end(signInOf(v, "danger", over(auth.Declined, i18n.M("auth.signin.refused.reason", "Host", "login.travel.example", "Reason", "The user denied access"))))
			s.shot("98-signin-refused")
			shoot("99-signin-block", signInOf(v, "block", func(d *auth.SignIn) {
				d.Endpoint, d.Scopes = "https://lin:secret@login.travel.example/authorize", nil
			}))
			r.s.show(route{section: sectionQuestions})
			s.shot("100-signin-listed")
			end(signInOf(v, "block", over(auth.Failed, i18n.M("auth.signin.closed"))))
			r.lose(v, i18n.M("auth.signin.cancelled", "Server", v.Name))
			s.shot("101-signin-cancelled")
			r.lose(v, i18n.M("auth.signin.address.private", "Host", "login.corp.example"))
			s.shot("102-signin-private")
			r.press(r.s.t("ui.mend.intranet"))
			r.queue.Drain()
			s.shot("103-signin-setup")
			r.s.toSetup(v, auth.SetupPath)
			r.typing("oauth/done")
			r.queue.Drain()
			s.shot("103-signin-setup-path")
			r.s.toSetup(v, auth.SetupClientID)
			r.paste(strings.Repeat("parley-7291 ", 1000))
			s.shot("103-signin-setup-long")
			r.shortcut(&fyne.ShortcutUndo{})
			r.key(fyne.KeyEscape)
			s.shot("103-signin-setup-leave")
			r.press(r.s.t("ui.edit.discard"))
			f.news.Tell(auth.Event{ServerID: v.ID, Account: &auth.Account{}})
			r.wait(func() bool { return !v.account.SignedIn() })
			r.lose(v, i18n.M("auth.token.unread", "Reason", keychain.Sentence(&keychain.Unavailable{Reason: keychain.Absent, Deed: keychain.Reading})))
			s.shot("104-signin-no-keychain")
		})
	}
}
