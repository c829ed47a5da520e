package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// TestShots_Account draws the page of a server with each account there can be, and
// with what waits for one.
func TestShots_Account(t *testing.T) {
	for _, size := range []struct {
		tag   string
		of    fyne.Size
		scale float32
	}{{"", firstSize, 1}, {"-2x", fyne.NewSize(600, 360), 2}} {
		f := &fakeAccounts{agree: exact}
		shots(t, rigOptions{tools: askForm("Who?", nameForm), http: true, accounts: f}, func(s *shooter) {
			r := s.r
			s.tag = size.tag + s.tag
			r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(size.scale)
			defer r.s.win.Canvas().(interface{ SetScale(float32) }).SetScale(1)
			r.s.win.Resize(size.of)
			v := r.s.desk.servers[0]
			page := route{section: sectionServer, id: v.ID}
			ann := signedInAs(r)
			shoot := func(name string, a auth.Account) {
				v.account.is(a)
				r.s.show(page)
				s.shot(name)
			}
			shoot("120-account-renews", ann)
			passing := ann
			passing.Renews, passing.Expires = false, r.clock.Now().Add(time.Hour)
			shoot("120-account-until", passing)
			passing.Expires = r.clock.Now().Add(-time.Hour)
			shoot("120-account-expired", passing)
			passing.Expires = time.Time{}
			shoot("120-account-unknown", passing)
			service := ann
			service.Service, service.User = true, ""
			shoot("120-account-service", service)
			shoot("120-account-token", auth.Account{Entered: true})
			beside := ann
			beside.Entered = true
			shoot("120-account-beside", beside)
			shoot("120-account-back", ann)
			f.news.Tell(auth.Event{ServerID: v.ID, Renewal: &auth.Renewal{Host: "login.travel.example", Calls: []string{"book", ""}}})
			r.wait(func() bool { return v.renewal.Host != "" })
			s.shot("121-account-renewing")
			r.s.desk.calls = append(r.s.desk.calls, &callState{Call: mcpclient.Call{ID: "book", ServerID: v.ID, Identity: v.identity(), Round: 1, State: mcpclient.CallRunning,
				Started: r.clock.Now().Add(-12 * time.Second), CallRequest: mcpclient.CallRequest{Name: "book", Title: "Book a trip"}}})
			r.s.show(route{section: sectionRequest, id: "book"})
			s.shot("121-request-renewing")
			f.news.Tell(auth.Event{ServerID: v.ID, Renewal: &auth.Renewal{}})
			r.wait(func() bool { return v.renewal.Host == "" })
			r.s.show(page)
			r.press(r.s.t("ui.account.out_ask"))
			s.shot("122-account-out")
			r.press(r.s.t("ui.account.stay"))
			r.press(r.s.t("ui.account.other_ask"))
			s.shot("122-account-other")
			v.account.sure, v.account.other, v.account.busy = false, false, true
			r.s.show(page)
			s.shot("122-account-leaving")
			v.account = accountSheet{known: true, said: remark{text: i18n.M("ui.account.unrevoked", "Host", "login.travel.example"), level: kit.Caution}}
			r.s.touchServer(v.ID)
			s.shot("122-account-left")
			v.account = accountSheet{known: true, wanted: true}
			r.s.show(page)
			s.shot("123-account-nobody")
			for name, reason := range map[string]keychain.Reason{"keychain": keychain.Locked, "file": keychain.FileLocked} {
				v.account = accountSheet{known: true, unread: keychain.Sentence(&keychain.Unavailable{Reason: reason, Deed: keychain.Reading})}
				r.s.show(page)
				s.shot("123-account-unread-" + name)
			}
			v.account = accountSheet{known: true, wanted: true}
			status := func(st mcpclient.Status) {
				r.told(mcpclient.Event{ServerID: v.ID, Connection: &st})
				r.queue.Drain()
			}
			lost := mcpclient.Status{State: mcpclient.Reconnecting, Attempt: 2, Attempts: 5, Queued: true,
				Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.lost")}}
			status(lost)
			s.shot("124-queued")
			status(mcpclient.Status{State: mcpclient.Connecting})
			sh := f.ask(r, signInOf(v, "one", nil))
			r.s.show(page)
			s.shot("125-waits-sign-in")
			r.s.show(route{section: sectionTool, id: v.ID, name: "ask"})
			s.shot("125-waits-form")
			for _, state := range []auth.State{auth.Preparing, auth.InBrowser, auth.Exchanging} {
				sh.opened = state != auth.Preparing
				f.tell(signInOf(v, "one", func(d *auth.SignIn) { d.State = state }))
				r.wait(func() bool { return sh.State == state })
				r.s.show(page)
				s.shot("125-waits-" + string(state))
			}
			r.s.choose(route{section: sectionSettings})
			r.s.toSignIn(sh)
			f.news.Tell(auth.Event{ServerID: v.ID, Account: &ann})
			f.tell(signInOf(v, "one", func(d *auth.SignIn) { d.State = auth.Done }))
			r.wait(func() bool { return r.s.signIn("one") == nil })
			s.shot("126-signed-in-elsewhere")
		})
	}
}
