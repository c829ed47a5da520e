package ui

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

const nameForm = `{"type":"object","properties":{"name":{"type":"string","title":"Full name"}}}`

// pushing is a tool of the 2025 era that pushes a form and never returns by
// itself.
func pushing(schema string) tool {
	return func(s *memoryServer, _ []rawMember) json.RawMessage {
		s.say(`{"jsonrpc":"2.0","id":56,"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":` + schema + `}}`)
		return nil
	}
}

// TestB44_TheServerGivesUp: the question greys out, says why, and what was
// typed can be copied.
func TestB44_TheServerGivesUp(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": pushing(nameForm)}, legacy: true})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("李小龙")
	r.server.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":56,"reason":"timeout"}}`)
	r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead })
	r.queue.Drain()
	text := r.text()
	for _, want := range []string{"This question can no longer be answered.", "timeout", "李小龙"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if r.button("Submit") != nil || r.button("Decline") != nil {
		t.Error("a dead question still offers an answer")
	}
	r.press("Copy what you entered")
	if got := r.app.Clipboard().Content(); got != "Full name: 李小龙\n" {
		t.Errorf("copied %q", got)
	}
}

func TestB44_WhatIsTypedAfterTheEndGoesNowhere(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": pushing(nameForm)}, legacy: true})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	r.server.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":56}}`)
	r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead })
	r.queue.Drain()
	if f := r.s.win.Canvas().Focused(); f != nil {
		f.TypedRune('x')
	}
	if got := sh.draft.Text("/name"); got != "Lin" {
		t.Errorf("the draft holds %q", got)
	}
}

// TestB45_ADeadQuestionAlwaysCloses, by its button and by Esc.
func TestB45_ADeadQuestionAlwaysCloses(t *testing.T) {
	for name, act := range map[string]func(*rig){
		"Esc":   func(r *rig) { r.key(fyne.KeyEscape) },
		"Close": func(r *rig) { r.press("Close") },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
			r.run("ask")
			sh := r.question()
			r.server.die(errors.New("killed"))
			r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead })
			r.pass(deafTime)
			act(r)
			if r.s.at.section == sectionQuestion {
				t.Error("the page of a dead question does not close")
			}
		})
	}
}

// TestB46_AnAnswerToADeadQuestionLosesNothing: the server dies between the last
// key and Submit.
func TestB46_AnAnswerToADeadQuestionLosesNothing(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	r.server.die(errors.New("killed"))
	r.wait(func() bool { e, _ := r.client.Elicitation(sh.q.ID); return e.State == mcpclient.ElicitationDead })
	r.ctrlEnter()
	r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead && !sh.busy() })
	r.queue.Drain()
	if !strings.Contains(r.text(), "Lin") {
		t.Errorf("the typed text is gone:\n%s", r.text())
	}
}

// TestB49_ASecondQuestionCoversNothing: no overlay, no focus taken, no text lost.
func TestB49_ASecondQuestionCoversNothing(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": pushing(nameForm)}, legacy: true})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	focus := r.s.win.Canvas().Focused()
	r.server.say(`{"jsonrpc":"2.0","id":57,"method":"elicitation/create","params":{"message":"And who else?","requestedSchema":` + nameForm + `}}`)
	r.wait(func() bool { return len(r.s.sheets) == 2 })
	r.queue.Drain()
	if n := len(r.s.win.Canvas().Overlays().List()); n != 0 {
		t.Errorf("%d overlays; a question is never one", n)
	}
	if r.s.at.id != sh.q.ID || r.s.win.Canvas().Focused() != focus {
		t.Error("the second question took the page or the keyboard")
	}
	if sh.draft.Text("/name") != "Lin" {
		t.Errorf("the typed text is %q", sh.draft.Text("/name"))
	}
	if got := r.s.win.Title(); got != "(2) Parley" {
		t.Errorf("the title is %q", got)
	}
}

// TestB52_AQuestionIsSeenFromAnywhere: the count in the sidebar and the title.
func TestB52_AQuestionIsSeenFromAnywhere(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": pushing(nameForm)}, legacy: true})
	r.run("ask")
	r.s.choose(route{section: sectionSettings})
	r.wait(func() bool { return len(r.s.sheets) == 1 })
	r.queue.Drain()
	if r.s.at.section != sectionSettings {
		t.Errorf("the question took the page: %v", r.s.at)
	}
	if got := r.s.win.Title(); got != "(1) Parley" {
		t.Errorf("the title is %q", got)
	}
}

// TestNotification_SaysNothingOfTheServer, and comes only to a window that has
// not the keyboard.
func TestNotification_SaysNothingOfTheServer(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("$(reboot) `x` \"y\"", nameForm)})
	r.connected()
	var got []fyne.Notification
	r.s.notify = func(n *fyne.Notification) { got = append(got, *n) }
	r.run("ask")
	r.question()
	if len(got) != 0 {
		t.Errorf("a focused window got %+v", got)
	}
	r.press("Decline")
	r.ended()
	r.s.focused = false
	r.run("ask")
	r.wait(func() bool { return len(r.s.sheets) == 2 })
	want := fyne.Notification{Title: "Parley", Content: "A server has a question for you."}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %+v; want one %+v", got, want)
	}
}

// TestLanguageSwitch_KeepsDrafts, and speaks the other language at once.
func TestLanguageSwitch_KeepsDrafts(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	r.s.settings = config.Settings{Language: "zh-Hans", Theme: config.ThemeDark}
	r.s.apply()
	r.queue.Drain()
	if r.button("提交") == nil || r.button("Submit") != nil {
		t.Error("the page does not speak Chinese")
	}
	p := r.s.page.(*formPage)
	entry := p.form.byPath["/name"].focus().(*kit.TextEntry)
	if sh.draft.Text("/name") != "Lin" || entry.Text != "Lin" {
		t.Errorf("the draft is %q, on the screen %q", sh.draft.Text("/name"), entry.Text)
	}
	r.pass(deafTime)
	r.ctrlEnter()
	if a := r.answered(sh); string(a.Content) != `{"name":"Lin"}` {
		t.Errorf("sent %s", a.Content)
	}
}

// TestLanguageSwitch_TheDemoSpeaksItToo: it is started anew, but not under an
// open question.
func TestLanguageSwitch_TheDemoSpeaksItToo(t *testing.T) {
	r := newRig(t, rigOptions{demo: true})
	v := r.connected()
	before := v.URL
	english, was := v.offer.tools[0].DisplayTitle(), v.offered
	r.s.choose(route{section: sectionTool, id: demoID, name: "book_trip"})
	r.wait(func() bool { p, ok := r.s.page.(*runPage); return ok && p.ready() })
	r.typing("Barcelona")
	r.ctrlEnter()
	r.question()
	r.s.settings.Language = "zh-Hans"
	r.s.apply()
	r.queue.Drain()
	if v.URL != before || r.s.demo.starting || r.s.sheets[r.s.at.id] == nil || !r.s.sheets[r.s.at.id].open() {
		t.Fatal("the demo was ended under an open question")
	}
	r.pass(deafTime)
	r.press("拒绝")
	r.wait(func() bool { return v.URL != before && v.offered != was && v.status.State == mcpclient.Connected })
	if got := v.offer.tools[0].DisplayTitle(); got == english {
		t.Errorf("the demo still says %q", got)
	}
}

func TestSettings_ArePickedAndKept(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.s.choose(route{section: sectionSettings})
	r.key(fyne.KeyDown)
	r.key(fyne.KeyEnd)
	r.key(fyne.KeyReturn)
	r.wait(func() bool { return r.store.Settings().Language == "zh-Hans" })
	if !strings.Contains(r.text(), "设置") {
		t.Errorf("the page does not speak Chinese:\n%s", r.text())
	}
}

// TestC1_EveryQuestionSaysWhoAsks with what the app knows, in both modes; what
// the server says of itself is marked.
func TestC1_C18_EveryQuestionSaysWhoAsksAndWhy(t *testing.T) {
	tools := map[string]tool{
		"form": asking(`{"k":` + formRequest("Who?", nameForm) + `}`),
		"link": asking(`{"k":` + urlRequest("Sign in", goodLink) + `}`),
	}
	for name := range tools {
		r := newRig(t, rigOptions{tools: tools, http: true})
		r.run(name)
		r.question()
		text := r.text()
		for _, want := range []string{"Travel desk\n", "https://mcp.travel.example", "the server calls itself", "“TravelBot 2.1”", "You started Book a trip"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page lacks %q:\n%s", name, want, text)
			}
		}
		if first := strings.Index(text, "Travel desk"); first > strings.Index(text, "FROM THE SERVER") {
			t.Errorf("%s: the banner is not above the server's words", name)
		}
	}
}

// TestHostileText_CannotDrawOutsideItsArea: bidi controls and newlines in names.
func TestHostileText_IsMadeVisible(t *testing.T) {
	evil := "Pay\u202e\u200btxt"
	r := newRig(t, rigOptions{tools: askForm(evil, `{"type":"object","properties":{"a":{"type":"string","title":"`+evil+`","description":"`+evil+`"},"b":{"type":"string","enum":["`+evil+`"]}}}`)})
	r.run("ask")
	r.question()
	if text := r.text(); strings.ContainsAny(text, "\u202e\u200b") {
		t.Errorf("hidden characters reached the screen: %q", text)
	}
}

func TestRunAgain_IsFilledInAsItWas(t *testing.T) {
	r := newRig(t, rigOptions{demo: true})
	r.connected()
	at := route{section: sectionTool, id: demoID, name: "book_trip"}
	r.s.choose(at)
	r.wait(func() bool { p, ok := r.s.page.(*runPage); return ok && p.ready() })
	r.typing("Barcelona")
	r.ctrlEnter()
	r.question()
	r.press("Decline")
	r.wait(func() bool { p, ok := r.s.page.(*requestPage); return ok && p.ended })
	r.s.argument[at].draft.SetText("/destination", "Rome")
	r.pass(deafTime)
	r.press("Edit and run again")
	if got := r.s.argument[at].draft.Text(forms.Path("/destination")); r.s.at != at || got != "Barcelona" {
		t.Errorf("Run again leads to %v with %q", r.s.at, got)
	}
}
