package ui

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/consent"
	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/ui/kit"
)

const (
	goodLink  = "https://connect.calendar.example/authorize?client_id=7291&state=9f2c41"
	evilLink  = "https://accounts.google.com.evil.example/o/oauth2/v2/auth?client_id=7291"
	blockLink = "javascript:alert(1)"
)

func askLink(url string) map[string]tool {
	return map[string]tool{"link": asking(`{"k":` + urlRequest("Please sign in to your calendar.", url) + `}`)}
}

// linkRig is a window that shows the consent page of a link.
func linkRig(t *testing.T, url string) (*rig, *sheet) {
	t.Helper()
	r := newRig(t, rigOptions{tools: askLink(url), http: true})
	r.run("link")
	return r, r.question()
}

// TestC1_C18_ALinkSaysWhoAsksAndWhy: the app's own words about the server, the
// request it belongs to, and the server's message marked as such.
func TestC1_C18_ALinkSaysWhoAsksAndWhy(t *testing.T) {
	r, _ := linkRig(t, goodLink)
	for _, want := range []string{"Travel desk", "https://mcp.travel.example", "You started Book a trip", "it asks you to open a page in your browser",
		"FROM THE SERVER\nPlease sign in to your calendar."} {
		if !strings.Contains(strings.ReplaceAll(r.text(), "From the server", "FROM THE SERVER"), want) {
			t.Errorf("the page lacks %q:\n%s", want, r.text())
		}
	}
}

func TestC4_C21_C23_TheWholeURLIsShownBeforeConsentWithItsSiteStrong(t *testing.T) {
	r, sh := linkRig(t, goodLink)
	var shown string
	for _, o := range objectsOf(r.s.page.object()) {
		if v, ok := o.(*kit.URLView); ok {
			shown = v.String()
		}
	}
	if shown != goodLink {
		t.Errorf("the page shows %q, not the whole URL", shown)
	}
	var strong []string
	for _, s := range segments(sh.link.Parts) {
		if s.Strong {
			strong = append(strong, s.Text)
		}
	}
	if !slices.Equal(strong, []string{"calendar.example"}) {
		t.Errorf("strong is %q; want the site alone", strong)
	}
	if r.button("Open calendar.example") == nil {
		t.Error("the button does not name the site")
	}
	if got := r.opener.urls(); len(got) != 0 {
		t.Errorf("opened %q before consent", got)
	}
}

func TestC14_C20_C22_AClickOpensExactlyWhatWasShownAndThenAccepts(t *testing.T) {
	r, sh := linkRig(t, goodLink)
	r.press("Open calendar.example")
	a := r.answered(sh)
	if got := r.opener.urls(); !slices.Equal(got, []string{goodLink}) {
		t.Errorf("the browser got %q; want exactly %q", got, goodLink)
	}
	if a.Action != mcpclient.Accept || a.Content != nil {
		t.Errorf("C11: sent %s %s; want accept without content", a.Action, a.Content)
	}
}

// TestC20_EnterNeverOpens, wherever the focus is, nor does Ctrl+Enter.
func TestC20_EnterNeverOpens(t *testing.T) {
	r, sh := linkRig(t, goodLink)
	seen := map[fyne.Focusable]bool{}
	for {
		r.tab()
		f := r.s.win.Canvas().Focused()
		if f == nil || seen[f] {
			break
		}
		seen[f] = true
		if b, ok := f.(*kit.Button); ok && (b.Text() == "Cancel" || b.Text() == "Decline") {
			continue // those answer, and open nothing
		}
		if _, ok := f.(*kit.SideItem); ok {
			continue // those go to other pages
		}
		r.key(fyne.KeyReturn)
		r.key(fyne.KeyEnter)
		r.ctrlEnter()
	}
	if len(seen) < 5 {
		t.Fatalf("Tab reached only %d controls", len(seen))
	}
	if got := r.opener.urls(); len(got) != 0 || !sh.open() || sh.busy() {
		t.Errorf("Enter opened %q; state %v", got, sh.q.State)
	}
}

func TestC24_DangerNeedsATickAndBlockCannotBeOpened(t *testing.T) {
	t.Run("danger", func(t *testing.T) {
		r, sh := linkRig(t, evilLink)
		if !strings.Contains(r.text(), "It begins with accounts.google.com, but the site is evil.example.") {
			t.Errorf("no warning in plain words:\n%s", r.text())
		}
		open := r.button("Open evil.example")
		if open == nil || !open.Disabled() {
			t.Fatal("a dangerous link can be opened without the tick")
		}
		r.s.openLink(sh, false)
		r.queue.Drain()
		if len(r.opener.urls()) != 0 {
			t.Fatal("opened without the tick")
		}
		for _, o := range objectsOf(r.s.page.object()) {
			if c, ok := o.(*kit.Check); ok {
				c.Tapped(&fyne.PointEvent{})
			}
		}
		r.queue.Drain()
		r.press("Open evil.example")
		if len(r.opener.urls()) != 0 {
			t.Error("the button just enabled takes a click at once")
		}
		r.pass(deafTime)
		r.press("Open evil.example")
		r.answered(sh)
		if got := r.opener.urls(); !slices.Equal(got, []string{evilLink}) {
			t.Errorf("opened %q", got)
		}
	})
	t.Run("block", func(t *testing.T) {
		r, sh := linkRig(t, blockLink)
		for _, o := range objectsOf(r.s.page.object()) {
			if b, ok := o.(*kit.Button); ok && (strings.HasPrefix(b.Text(), "Open") || b.Text() == "Copy link") {
				t.Errorf("a blocked link has the button %q", b.Text())
			}
		}
		if !strings.Contains(r.text(), blockLink) {
			t.Error("the refused text is not shown")
		}
		r.press("Decline")
		if a := r.answered(sh); a.Action != mcpclient.Decline {
			t.Errorf("sent %s", a.Action)
		}
	})
}

// TestC2_C13_C16_C17 has the three answers beside each other and sends each.
func TestC2_C13_C16_C17_ConsentHasAClearNo(t *testing.T) {
	for name, c := range map[string]struct {
		act  func(*rig)
		want mcpclient.Action
	}{
		"Decline": {func(r *rig) { r.press("Decline") }, mcpclient.Decline},
		"Cancel":  {func(r *rig) { r.press("Cancel") }, mcpclient.Cancel},
		"Esc":     {func(r *rig) { r.key(fyne.KeyEscape) }, mcpclient.Cancel},
	} {
		t.Run(name, func(t *testing.T) {
			r, sh := linkRig(t, goodLink)
			for _, words := range []string{"Copy link", "Cancel", "Decline", "Open calendar.example"} {
				if r.button(words) == nil {
					t.Errorf("no button %q", words)
				}
			}
			c.act(r)
			if a := r.answered(sh); a.Action != c.want || len(r.opener.urls()) != 0 {
				t.Errorf("sent %s and opened %q; want %s and nothing", a.Action, r.opener.urls(), c.want)
			}
		})
	}
}

func TestShortSite_KeepsTheEnd(t *testing.T) {
	for site, want := range map[string]string{
		"calendar.example": "calendar.example", strings.Repeat("w", 24) + ".example": strings.Repeat("w", 24) + ".example",
		"accounts.google.com" + strings.Repeat("x", 40) + ".evil.example": "accounts.…xxxxxxx.evil.example",
	} {
		if got := shortSite(site); got != want {
			t.Errorf("%s becomes %s, want %s", site, got, want)
		}
	}
}

func TestCopyLink_AnswersNothing(t *testing.T) {
	r, sh := linkRig(t, goodLink)
	r.press("Copy link")
	if got := r.app.Clipboard().Content(); got != goodLink {
		t.Errorf("copied %q", got)
	}
	if !sh.open() || sh.busy() {
		t.Error("copying answered the question")
	}
}

func TestC13_ABrowserThatDoesNotStartSendsNothing(t *testing.T) {
	fail := func(t *testing.T) (*rig, *sheet) {
		r, sh := linkRig(t, goodLink)
		r.opener.failWith(errNoBrowser)
		r.press("Open calendar.example")
		r.wait(func() bool { return sh.stage == stageFailed })
		if e, _ := r.client.Elicitation(sh.q.ID); e.State != mcpclient.ElicitationOpen {
			t.Fatalf("the question is %s though nothing was opened", e.State)
		}
		if !strings.Contains(r.text(), "no browser here") {
			t.Errorf("the page does not say why:\n%s", r.text())
		}
		r.pass(deafTime)
		return r, sh
	}
	t.Run("the page says which program failed and how", func(t *testing.T) {
		r, sh := linkRig(t, goodLink)
		r.opener.failWith(&consent.OpenError{Reason: consent.Failed, Program: "xdg-open", Exit: 3, Detail: line("no method \u202eavailable")})
		r.press("Open calendar.example")
		r.wait(func() bool { return sh.stage == stageFailed })
		if text := r.text(); !strings.Contains(text, "(xdg-open ended with code 3: no method ") || strings.Contains(text, "\u202e") {
			t.Errorf("the page reads:\n%s", text)
		}
	})
	t.Run("Try again", func(t *testing.T) {
		r, sh := fail(t)
		r.opener.failWith(nil)
		r.press("Try again")
		if a := r.answered(sh); a.Action != mcpclient.Accept || len(r.opener.urls()) != 2 {
			t.Errorf("sent %s after %d openings", a.Action, len(r.opener.urls()))
		}
	})
	t.Run("I opened it myself", func(t *testing.T) {
		r, sh := fail(t)
		r.press("I opened it myself")
		if a := r.answered(sh); a.Action != mcpclient.Accept || len(r.opener.urls()) != 1 {
			t.Errorf("sent %s after %d openings", a.Action, len(r.opener.urls()))
		}
	})
	for words, want := range map[string]mcpclient.Action{"Cancel": mcpclient.Cancel, "Decline": mcpclient.Decline} {
		t.Run(words, func(t *testing.T) {
			r, sh := fail(t)
			r.press(words)
			if a := r.answered(sh); a.Action != want {
				t.Errorf("sent %s", a.Action)
			}
		})
	}
	t.Run("Copy link", func(t *testing.T) {
		r, sh := fail(t)
		r.press("Copy link")
		if got := r.app.Clipboard().Content(); got != goodLink || !sh.open() {
			t.Errorf("copied %q; the question is %s", got, sh.q.State)
		}
	})
}

// TestB29_C14_AcceptIsSentOnceTheBrowserWasStarted, not when the button is pressed:
// while it starts, nothing is sent and nothing is accepted, and the page no longer
// says that nothing was opened. Nor does it wait for the person to be done there.
func TestB29_C14_AcceptIsSentOnceTheBrowserWasStarted(t *testing.T) {
	started := make(chan error)
	r := newRig(t, rigOptions{tools: askLink(goodLink), http: true, browser: openerFunc(func(context.Context, string) error { return <-started })})
	r.run("link")
	sh := r.question()
	r.press("Open calendar.example")
	r.pass(deafTime)
	r.s.openLink(sh, false)
	r.s.answer(sh, mcpclient.Answer{Action: mcpclient.Accept})
	if text := r.text(); strings.Contains(text, "Nothing has been opened") || !strings.Contains(text, "it may already show the page") {
		t.Errorf("while the browser starts, the page reads:\n%s", text)
	}
	if n := len(r.server.requests("tools/call")); n != 1 || !sh.open() || !sh.busy() || r.button("Opening…") == nil {
		t.Fatalf("%d calls while the browser starts; open %v", n, sh.open())
	}
	started <- nil
	if a := r.answered(sh); a.Action != mcpclient.Accept {
		t.Errorf("sent %s", a.Action)
	}
}

// TestC13_ANoWinsWhileTheBrowserIsBeingStarted: what looks as if it could be
// pressed acts, and whatever then becomes of the browser accepts nothing.
func TestC13_ANoWinsWhileTheBrowserIsBeingStarted(t *testing.T) {
	for name, no := range map[string]struct {
		do   func(*rig)
		want mcpclient.Action
	}{
		"Cancel":  {func(r *rig) { r.press("Cancel") }, mcpclient.Cancel},
		"Decline": {func(r *rig) { r.press("Decline") }, mcpclient.Decline},
		"Esc":     {func(r *rig) { r.key(fyne.KeyEscape) }, mcpclient.Cancel},
	} {
		for _, ending := range []error{nil, errNoBrowser} {
			t.Run(name, func(t *testing.T) {
				started, over := make(chan error), make(chan struct{})
				r := newRig(t, rigOptions{tools: askLink(goodLink), http: true, browser: openerFunc(func(context.Context, string) error {
					defer close(over)
					return <-started
				})})
				r.run("link")
				sh := r.question()
				r.press("Open calendar.example")
				r.pass(deafTime)
				no.do(r)
				if a := r.answered(sh); a.Action != no.want {
					t.Fatalf("sent %s, want %s", a.Action, no.want)
				}
				started <- ending
				<-over
				r.wait(func() bool { return r.s.desk.call(sh.q.CallID).State.Ended() })
				if e, _ := r.client.Elicitation(sh.q.ID); e.Answer.Action != no.want || !sh.trouble.IsZero() || sh.stage != stageAsking {
					t.Errorf("in the end it is %s, at stage %d", e.Answer.Action, sh.stage)
				}
			})
		}
	}
}

// TestC24_DangerHasTheKeyboardOnCancel, where Return opens nothing and, right after
// the page has appeared, does nothing at all.
func TestC24_DangerHasTheKeyboardOnCancel(t *testing.T) {
	r, sh := linkRig(t, evilLink)
	r.s.show(r.s.at)
	onCancel := func() bool {
		b, ok := r.s.win.Canvas().Focused().(*kit.Button)
		return ok && b == r.button("Cancel")
	}
	if !onCancel() {
		t.Fatalf("the keyboard is on %T", r.s.win.Canvas().Focused())
	}
	for range 10 { // somebody who types on
		r.pass(deafTime / 2)
		r.key(fyne.KeyReturn)
	}
	if sh.busy() || !sh.open() {
		t.Fatal("a Return meant for something else answered")
	}
	r.s.redraw()
	if !onCancel() {
		t.Error("drawing the page anew takes the keyboard from Cancel")
	}
	r.pass(deafTime)
	r.key(fyne.KeyReturn)
	if a := r.answered(sh); a.Action != mcpclient.Cancel {
		t.Errorf("Return sent %s", a.Action)
	}
	r, _ = linkRig(t, goodLink)
	if f := r.s.win.Canvas().Focused(); f != nil {
		t.Errorf("a link like any other puts the keyboard on %T", f)
	}
}

// TestC20_AnotherLinkIsAnotherConsent, however little it differs, and comes with
// its own site on the button; the first one's tick does not hold for it.
func TestC20_AnotherLinkIsAnotherConsent(t *testing.T) {
	next := evilLink + "&step=2"
	r := newRig(t, rigOptions{tools: map[string]tool{"link": func(_ *memoryServer, params []rawMember) json.RawMessage {
		link := evilLink
		if rawjson.Get(params, "inputResponses") != nil {
			link = next
		}
		return json.RawMessage(`{"resultType":"input_required","requestState":"s","inputRequests":{"k":` + urlRequest("Sign in", link) + `}}`)
	}}, http: true})
	r.run("link")
	first := r.question()
	first.link.known = true
	r.s.redraw()
	r.pass(deafTime)
	r.press("Open evil.example")
	r.answered(first)
	r.wait(func() bool { return r.s.at.section == sectionQuestion && r.s.at.id != first.q.ID })
	r.pass(deafTime)
	second := r.s.sheets[r.s.at.id]
	if second.link.Open != next || second.mayOpen() || second.link.known {
		t.Errorf("asked for %q; may be opened: %v", second.link.Open, second.mayOpen())
	}
	if got := r.opener.urls(); !slices.Equal(got, []string{evilLink}) {
		t.Errorf("opened %q", got)
	}
	r.press("Cancel")
	r.answered(second)
}

const otherLink = "https://files.calendar.example/grant?id=2"

func TestC25_LinksInServerTextAreInert(t *testing.T) {
	text := "Visit https://evil.example/now or [click](https://evil.example)"
	r := newRig(t, rigOptions{tools: askForm(text, `{"type":"object","title":"https://evil.example/title","properties":{"a":{"type":"string","title":"https://evil.example/t","description":"`+text+`"}}}`)})
	r.run("ask")
	r.question()
	if !strings.Contains(r.text(), text) {
		t.Fatalf("the message is not shown as it is:\n%s", r.text())
	}
	for _, o := range objectsOf(r.s.page.object()) {
		switch o := o.(type) {
		case *kit.Text:
			if _, ok := fyne.CanvasObject(o).(fyne.Tappable); ok {
				t.Error("text can be tapped")
			}
		case *kit.Button:
			if strings.Contains(o.Text(), "evil") {
				t.Errorf("server text became the button %q", o.Text())
			}
		}
	}
	if len(r.opener.urls()) != 0 {
		t.Error("something was opened")
	}
}
