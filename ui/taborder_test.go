package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient/auth"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// inSight checks that words of the page are in the part of it that is in view.
func (r *rig) inSight(words string) {
	r.t.Helper()
	page, d := r.s.pageEnv.Reveal, fyne.CurrentApp().Driver()
	top := d.AbsolutePositionForObject(page).Y
	for _, o := range objectsOf(r.s.page.object()) {
		if text, ok := o.(*kit.Text); ok && strings.Contains(text.String(), words) {
			if at := d.AbsolutePositionForObject(text).Y; at < top || at+text.Size().Height > top+page.Size().Height {
				r.t.Errorf("%q stands at %v, and the page is seen from %v to %v", words, at, top, top+page.Size().Height)
			}
			return
		}
	}
	r.t.Errorf("%q is not said", words)
}

// byTab checks, going through the page with Tab, that what has the keyboard is in view,
// as far as there is room for it, and that Tab leads to every button.
func byTab(t *testing.T, r *rig, what string) {
	t.Helper()
	c, d := r.s.win.Canvas(), fyne.CurrentApp().Driver()
	c.Unfocus()
	within := func(o fyne.CanvasObject, in fyne.CanvasObject) bool {
		at, from := d.AbsolutePositionForObject(o).Y, d.AbsolutePositionForObject(in).Y
		room := in.Size().Height
		return at >= from-1 && at+min(o.Size().Height, room-1) <= from+room+1
	}
	frame := r.s.page.object().(*fyne.Container).Objects
	parts := append([]fyne.CanvasObject{}, frame...)
	if p, ok := r.s.page.(*signInPage); ok {
		parts = append([]fyne.CanvasObject{frame[0], frame[2]}, p.link.object.(*fyne.Container).Objects...)
	}
	seen := map[fyne.Focusable]bool{}
	for range 100 {
		r.tab()
		f := c.Focused()
		if f == nil || seen[f] {
			break
		}
		seen[f] = true
		if slices.ContainsFunc(r.s.side.items, func(i sideItem) bool { return f == fyne.Focusable(i.item) }) {
			break
		}
		o := f.(fyne.CanvasObject)
		name := fmt.Sprintf("%T", o)
		if b, ok := o.(*kit.Button); ok {
			name = b.Text()
		}
		visible := false
		for _, part := range parts {
			visible = visible || within(o, part)
		}
		if !visible {
			t.Errorf("%s: %s has the keyboard, lies at %v and is %v high", what, name, d.AbsolutePositionForObject(o).Y, o.Size().Height)
		}
	}
	for _, o := range objectsOf(r.s.page.object()) {
		if b, ok := o.(*kit.Button); ok && b.Visible() && !b.Disabled() && !seen[b] {
			t.Errorf("%s: Tab does not lead to %q", what, b.Text())
		}
	}
}

// TestSignIn_ByTabAloneEverythingIsReachedAndInSight, in the smallest window and on each
// page of a sign-in.
func TestSignIn_ByTabAloneEverythingIsReachedAndInSight(t *testing.T) {
	for _, language := range i18n.Languages {
		f := &fakeAccounts{agree: exact}
		r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f, settings: config.Settings{Language: language}})
		r.s.win.Resize(fyne.NewSize(600, 360))
		v := r.connected()
		end := func(d auth.SignIn) {
			f.tell(d)
			r.wait(func() bool { sh := r.s.signIn(d.ID); return sh == nil || sh.State.Settled() })
			r.pass(deafTime)
		}
		over := func(state auth.State, text i18n.Message) func(*auth.SignIn) {
			return func(d *auth.SignIn) { d.State, d.Text = state, text }
		}
		first := f.ask(r, signInOf(v, "first", nil))
		byTab(t, r, "first")
		r.readOn()
		byTab(t, r, "first, read")
		r.press(r.signInButton(first))
		r.wait(func() bool { return first.opened })
		r.pass(deafTime)
		byTab(t, r, "waiting")
		f.news.Tell(auth.Event{ServerID: v.ID, Account: new(signedInAs(r))})
		end(signInOf(v, "first", over(auth.Done, i18n.Message{})))
		byTab(t, r, "done")
		r.press(r.s.t("ui.account.out_ask"))
		byTab(t, r, "out?")
		r.key(fyne.KeyEscape)
		danger := f.ask(r, signInOf(v, "danger", func(d *auth.SignIn) {
			d.Endpoint, d.Host = "https://accounts.google.com.evil.example/o/oauth2/v2/auth", "accounts.google.com.evil.example"
		}))
		byTab(t, r, "danger")
		r.readOn()
		byTab(t, r, "danger, read")
		r.opener.failWith(errNoBrowser)
		danger.link.known = true
		r.s.agree(danger)
		r.wait(func() bool { return danger.stage == stageFailed })
		byTab(t, r, "not opened")
		end(signInOf(v, "danger", over(auth.Declined, i18n.M("auth.signin.refused.reason", "Host", "login.travel.example", "Reason", "The user denied access"))))
		byTab(t, r, "refused")
		r.s.show(route{section: sectionSetup, id: v.ID})
		byTab(t, r, "settings")
		r.s.show(route{section: sectionServer, id: v.ID})
		r.press(r.s.t("ui.token.open"))
		byTab(t, r, "token")
		r.lose(v, i18n.M("auth.signin.address.private", "Host", "login.corp.example"))
		byTab(t, r, "failed")
	}
}
