package ui

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/ui/kit"
)

// resultRig is a window at a result with these content blocks.
func resultRig(t *testing.T, content, says string) *rig {
	t.Helper()
	result := `{"resultType":"complete","content":[` + content + `]}`
	tools := map[string]tool{"run": func(*memoryServer, []rawMember) json.RawMessage { return json.RawMessage(result) }}
	r := newRig(t, rigOptions{tools: tools, http: true, says: says})
	r.run("run")
	r.ended()
	r.wait(func() bool {
		p, ok := r.s.page.(*requestPage)
		return ok && p.result != nil && !strings.Contains(r.text(), r.s.t("ui.result.preparing"))
	})
	return r
}

// buttons are all buttons on the page with these words.
func (r *rig) buttons(words string) []*kit.Button {
	var out []*kit.Button
	for _, o := range objectsOf(r.s.page.object()) {
		if b, ok := o.(*kit.Button); ok && b.Text() == words {
			out = append(out, b)
		}
	}
	return out
}

// lookAt presses the nth "Open link…" and waits for the page of the link.
func (r *rig) lookAt(n int) *outsideLink {
	r.t.Helper()
	r.wait(func() bool { return len(r.buttons("Open link…")) > n })
	r.buttons("Open link…")[n].Press()
	r.wait(func() bool { return r.s.at.section == sectionLink })
	r.pass(deafTime)
	return r.s.outside
}

// TestLinksElsewhere_GetTheSamePage as that of a question: judged, shown whole,
// opened by a button that names the site, and never by Enter.
func TestLinksElsewhere_GetTheSamePage(t *testing.T) {
	r := resultRig(t, `{"type":"text","text":"Sign in first: `+goodLink+`."},
		{"type":"resource_link","uri":"`+evilLink+`","name":"A link"},
		{"type":"resource","resource":{"uri":"https://user@evil.example/","text":"x"}},
		{"type":"resource","resource":{"uri":"file:///etc/passwd","text":"root"}}`, `"websiteUrl":"https://www.travel.example/about"`)
	if n := len(r.buttons("Open link…")); n != 3 {
		t.Fatalf("%d of 3 links can be opened:\n%s", n, r.text())
	}

	good := r.lookAt(0)
	if good.Open != goodLink || !strings.Contains(r.text(), "calendar.example is not the site of this server (travel.example). You have never opened it from here.") {
		t.Errorf("%q; the page reads:\n%s", good.Open, r.text())
	}
	if !strings.Contains(r.text(), "This link is in a result of Book a trip.") {
		t.Errorf("the page does not say where the link stands:\n%s", r.text())
	}
	r.press("Copy link")
	if got := r.app.Clipboard().Content(); got != goodLink {
		t.Errorf("copied %q", got)
	}
	open := r.button("Open calendar.example")
	r.s.win.Canvas().Focus(open)
	r.key(fyne.KeyReturn)
	r.ctrlEnter()
	if len(r.opener.urls()) != 0 {
		t.Fatal("Enter opened the link")
	}
	r.opener.failWith(errNoBrowser)
	r.press("Open calendar.example")
	r.wait(func() bool { return strings.Contains(r.text(), "no browser here") })
	r.opener.failWith(nil)
	r.pass(deafTime)
	r.press("Open calendar.example")
	r.wait(func() bool { return good.opened })
	if got := r.opener.urls(); !slices.Equal(got, []string{goodLink, goodLink}) {
		t.Errorf("opened %q", got)
	}
	if !strings.Contains(r.text(), "The page was opened in your browser.") {
		t.Errorf("the page reads:\n%s", r.text())
	}
	r.pass(deafTime)
	r.key(fyne.KeyEscape)
	if r.s.at.section != sectionRequest {
		t.Fatalf("Esc leads to %v", r.s.at)
	}

	evil := r.lookAt(1)
	if open := r.button("Open evil.example"); open == nil || !open.Disabled() {
		t.Error("a dangerous link can be opened without the tick")
	}
	r.s.openOutside(evil)
	if len(r.opener.urls()) != 2 {
		t.Error("opened without the tick")
	}
	for _, o := range objectsOf(r.s.page.object()) {
		if c, ok := o.(*kit.Check); ok {
			c.Tapped(&fyne.PointEvent{})
		}
	}
	r.pass(deafTime)
	r.press("Open evil.example")
	r.wait(func() bool { return evil.opened })
	r.pass(deafTime)
	r.press("Back")

	r.lookAt(2)
	for _, o := range objectsOf(r.s.page.object()) {
		if b, ok := o.(*kit.Button); ok && (strings.HasPrefix(b.Text(), "Open") || b.Text() == "Copy link") {
			t.Errorf("a blocked link has the button %q", b.Text())
		}
	}
	if !strings.Contains(r.text(), "This link hides its real site behind an @ sign.") {
		t.Errorf("the page reads:\n%s", r.text())
	}

	r.s.choose(route{section: sectionServer, id: r.s.desk.servers[0].ID})
	website := r.lookAt(0)
	if website.Open != "https://www.travel.example/about" || !strings.Contains(r.text(), "travel.example is the site of this server.") {
		t.Errorf("%q; the page reads:\n%s", website.Open, r.text())
	}
	if n := len(r.opener.urls()); n != 3 {
		t.Errorf("%d openings; want 3", n)
	}
}

// TestB31_ALinkInAnErrorIsWholeAndCopied, and opened by nobody but the person.
func TestB31_ALinkInAnErrorIsWholeAndCopied(t *testing.T) {
	const text = "Sign in first: https://svc.example/a?x=1&y=2"
	r := newRig(t, rigOptions{tools: map[string]tool{"run": func(*memoryServer, []rawMember) json.RawMessage {
		return json.RawMessage(`{"resultType":"complete","isError":true,"content":[{"type":"text","text":"` + text + `"}]}`)
	}}, http: true})
	r.run("run")
	if c := r.ended(); !c.IsError {
		t.Error("the call counts as one that worked")
	}
	r.wait(func() bool { return r.button("Copy result") != nil })
	if page := r.text(); !strings.Contains(page, "The tool reports that it failed.") || !strings.Contains(page, text) {
		t.Errorf("the page reads:\n%s", page)
	}
	r.press("Copy result")
	if got := r.app.Clipboard().Content(); got != text {
		t.Errorf("copied %q", got)
	}
	if l := r.lookAt(0); l.Open != "https://svc.example/a?x=1&y=2" || len(r.opener.urls()) != 0 {
		t.Errorf("judged %q, opened %q", l.Open, r.opener.urls())
	}
}

// TestLinksElsewhere_AWebsiteThatIsNoneIsNotOffered.
func TestLinksElsewhere_AWebsiteThatIsNoneIsNotOffered(t *testing.T) {
	for _, says := range []string{`"websiteUrl":"javascript:alert(1)"`, `"websiteUrl":7`, `"websiteUrl":null`, `"websiteUrl":"https://a.example/` + strings.Repeat("a", 9000) + `"`} {
		r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, says: says})
		r.connected()
		r.s.choose(route{section: sectionServer, id: r.s.desk.servers[0].ID})
		if len(r.buttons("Open link…")) != 0 {
			t.Errorf("%.60s is offered", says)
		}
	}
}

// TestLinksElsewhere_APersonWhoWentOnIsNotCalledBack when a link was judged after
// they left, and a link outlives its page.
func TestLinksElsewhere_APersonWhoWentOnIsNotCalledBack(t *testing.T) {
	r := resultRig(t, `{"type":"text","text":"`+goodLink+`"}`, "")
	r.buttons("Open link…")[0].Press()
	r.s.choose(route{section: sectionQuestions})
	r.s.work.all.Wait() // until it was judged
	r.queue.Drain()
	if r.s.at.section != sectionQuestions {
		t.Errorf("the window went to %v", r.s.at)
	}
	r.s.choose(route{section: sectionRequest, id: r.s.desk.calls[0].ID})
	r.lookAt(0)
	r.s.redraw()
	if r.s.at.section != sectionLink || !strings.Contains(r.text(), "Book a trip") {
		t.Errorf("drawn anew the window is at %v", r.s.at)
	}
}

// TestLinksElsewhere_AreBounded: of a result with thousands of links some can be
// opened, and its text stays whole.
func TestLinksElsewhere_AreBounded(t *testing.T) {
	var text strings.Builder
	for range 500 {
		text.WriteString("https://a.example/" + strings.Repeat("x", text.Len()%97) + " ")
	}
	r := resultRig(t, `{"type":"text","text":"`+text.String()+`"}`, "")
	if n := len(r.buttons("Open link…")); n == 0 || n > maxLinks {
		t.Errorf("%d links can be opened", n)
	}
}
