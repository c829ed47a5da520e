package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/ui/kit"
)

// TestPageKeys_ScrollEveryPage, whatever has the keyboard but a text: Page Down to the
// end, Home to the beginning, End, and Page Up all the way back.
func TestPageKeys_ScrollEveryPage(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", manyFields(20)), http: true, accounts: &fakeAccounts{}, secrets: &memorySecrets{}})
	r.s.win.Resize(fyne.NewSize(600, 360))
	v := r.connected()
	r.run("ask")
	q := r.question()
	for _, at := range []route{
		{section: sectionSettings}, {section: sectionAdd}, {section: sectionEdit, id: v.ID}, {section: sectionSetup, id: v.ID},
		{section: sectionServer, id: v.ID}, {section: sectionImport}, {section: sectionExport}, {section: sectionQuestion, id: q.q.ID},
	} {
		r.s.show(at)
		for r.queue.Step() {
		}
		env := r.s.pageEnv
		page := env.Reveal
		page.Relayout()
		if page.ContentHeight(page.Size().Width) <= page.Size().Height {
			t.Errorf("%v does not fill the window", at.section)
			continue
		}
		for name, focus := range map[string]func(){
			"nothing":     r.s.win.Canvas().Unfocus,
			"the sidebar": func() { r.s.win.Canvas().Focus(r.s.side.items[0].item) },
			"a button":    func() { r.s.win.Canvas().Focus(kit.NewButton(kit.ButtonOptions{Env: env, Text: "x"})) },
			"a tick":      func() { r.s.win.Canvas().Focus(kit.NewCheck(env, "x", false, nil)) },
			"a choice":    func() { r.s.win.Canvas().Focus(kit.NewPicker(kit.PickerOptions{Env: env})) },
			"a fold":      func() { r.s.win.Canvas().Focus(kit.NewFold(env, "x", kit.Spacer(1, 1), false, nil)) },
		} {
			focus()
			page.ScrollToTop()
			for steps := 0; !page.AtEnd(); steps++ {
				was := page.Offset()
				if r.key(fyne.KeyPageDown); page.Offset() <= was {
					t.Fatalf("%v: Page Down does not scroll while %s has the keyboard", at.section, name)
				}
			}
			if r.key(fyne.KeyHome); page.Offset() != 0 {
				t.Errorf("%v: Home leads to %v while %s has the keyboard", at.section, page.Offset(), name)
			}
			if r.key(fyne.KeyEnd); !page.AtEnd() {
				t.Errorf("%v: End leads to %v while %s has the keyboard", at.section, page.Offset(), name)
			}
			for page.Offset() > 0 {
				was := page.Offset()
				if r.key(fyne.KeyPageUp); page.Offset() >= was {
					t.Fatalf("%v: Page Up does not scroll while %s has the keyboard", at.section, name)
				}
			}
		}
	}
}

// TestPageKeys_ALinkIsReadByThem: the part of a page of a link that says who asks for
// it and the warnings scroll one after the other.
func TestPageKeys_ALinkIsReadByThem(t *testing.T) {
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, accounts: f})
	r.s.win.Resize(fyne.NewSize(600, 360))
	d := signInOf(r.s.desk.servers[0], "s1", nil)
	d.Endpoint, d.Host = "http://login.travel.example:8080/"+strings.Repeat("path/", 40), "login.travel.example"
	f.ask(r, d)
	link := r.s.page.(*signInPage).link
	r.s.win.Canvas().Unfocus()
	r.key(fyne.KeyHome)
	if link.link.seen {
		t.Fatal("the whole page is in view")
	}
	for range 20 {
		r.key(fyne.KeyPageDown)
	}
	if !link.link.seen {
		t.Error("Page Down leads through no more than a part of the page")
	}
	for range 20 {
		r.key(fyne.KeyPageUp)
	}
	if link.reveal.Offset() != 0 || link.list.Offset() != 0 {
		t.Errorf("Page Up leads to %v and %v", link.reveal.Offset(), link.list.Offset())
	}
}

// TestPageKeys_AreTheTextsWhileOneIsWritten.
func TestPageKeys_AreTheTextsWhileOneIsWritten(t *testing.T) {
	r, _ := settingUp(t, "client")
	r.s.win.Resize(fyne.NewSize(600, 360))
	page := r.s.pageEnv.Reveal
	page.Relayout()
	r.typing("ab")
	was := page.Offset()
	r.key(fyne.KeyHome)
	r.typing("c")
	r.key(fyne.KeyEnd)
	r.key(fyne.KeyPageDown)
	r.typing("d")
	if got := r.s.win.Canvas().Focused().(*kit.TextEntry).Text; got != "cabd" || page.Offset() != was {
		t.Errorf("the text is %q, and the page went from %v to %v", got, was, page.Offset())
	}
}
