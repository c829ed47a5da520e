package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/forms"
	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/ui/kit"
)

// everyKind is a form with a field of every kind of the specification.
const everyKind = `{"type":"object","properties":{
	"name":{"type":"string","title":"Full name","minLength":2,"maxLength":40},
	"mail":{"type":"string","format":"email","title":"E-mail"},
	"site":{"type":"string","format":"uri","title":"Web site"},
	"day":{"type":"string","format":"date","title":"Departure"},
	"when":{"type":"string","format":"date-time","title":"Pick-up"},
	"count":{"type":"integer","title":"Travellers","minimum":1,"maximum":9},
	"price":{"type":"number","title":"Price"},
	"agree":{"type":"boolean","title":"Insurance"},
	"seat":{"type":"string","title":"Seat","enum":["window","aisle"]},
	"meal":{"type":"string","title":"Meal","oneOf":[{"const":"v","title":"Vegetarian"},{"const":"h","title":"Halal"}]},
	"pet":{"type":"string","title":"Pet","enum":["c","d"],"enumNames":["Cat","Dog"]},
	"extras":{"type":"array","title":"Extras","items":{"type":"string","enum":["Wi-Fi","Spa"]}},
	"fish":{"type":"array","title":"Fish","items":{"anyOf":[{"const":"f1","title":"Tuna"},{"const":"f2","title":"Trout"}]}}
},"required":["name","mail"]}`

func askForm(message, schema string) map[string]tool {
	return map[string]tool{"ask": asking(`{"k":` + formRequest(message, schema) + `}`)}
}

// TestC8_EveryKindIsAnsweredByKeyboardAlone goes through a form with Tab and
// the keys of each control, and looks at the bytes that reach the server.
func TestC8_EveryKindIsAnsweredByKeyboardAlone(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Everything, please", everyKind)})
	r.run("ask")
	sh := r.question()
	if f := r.s.win.Canvas().Focused(); f != nil {
		t.Fatalf("a question took the keyboard: %T has it", f)
	}
	enter := func(text string) func() { return func() { r.typing(text) } }
	keys := func(names ...fyne.KeyName) func() {
		return func() {
			for _, k := range names {
				r.key(k)
			}
		}
	}
	// Down opens a list, then goes from row to row; Enter takes the row.
	second := keys(fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)
	for _, act := range []func(){
		enter("李小龙"), enter("lin@travel.example"), enter("https://travel.example/"), enter("2026-06-15"),
		enter("2026-06-15T09:30:00+02:00"),
		enter("2"), enter("1200.50"), keys(fyne.KeyHome), second, second, second,
		keys(fyne.KeySpace), keys(fyne.KeyDown, fyne.KeySpace),
	} {
		r.tab()
		if p, ok := r.s.win.Canvas().Focused().(*kit.Picker); ok && p.Selected() == 0 {
			r.tab() // past the time zone, which is the computer's
		}
		act()
	}
	r.ctrlEnter()
	a := r.answered(sh)
	want := `{"name":"李小龙","mail":"lin@travel.example","site":"https://travel.example/","day":"2026-06-15",` +
		`"when":"2026-06-15T09:30:00+02:00","count":2,"price":1200.50,"agree":true,"seat":"aisle","meal":"h","pet":"d",` +
		`"extras":["Wi-Fi"],"fish":["f2"]}`
	if a.Action != mcpclient.Accept || string(a.Content) != want {
		t.Errorf("answer is %s %s\nwant accept %s", a.Action, a.Content, want)
	}
	r.ended()
	calls := r.server.requests("tools/call")
	params, err := rawjson.Object(calls[len(calls)-1].Params)
	must(t, err)
	if got, want := string(rawjson.Get(params, "inputResponses")), `{"k":{"action":"accept","content":`+want+`}}`; got != want {
		t.Errorf("the server got %s\nwant %s", got, want)
	}
}

func TestC3_AnswersCanBeReviewedAndChangedBeforeSending(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", `{"type":"object","properties":{"name":{"type":"string"},"mail":{"type":"string","format":"email"}},"required":["mail"]}`)})
	r.run("ask")
	sh := r.question()
	p := r.s.page.(*formPage)
	r.tab()
	r.typing("Lin")
	r.tab()
	r.typing("lin@travel")
	r.ctrlEnter()
	if sh.q.State != mcpclient.ElicitationOpen || !strings.Contains(p.form.byPath["/mail"].row.Error(), "name@example.com") {
		t.Fatalf("a wrong address was not refused beside its field: %q", p.form.byPath["/mail"].row.Error())
	}
	if got := r.s.win.Canvas().Focused(); got != p.form.byPath["/mail"].control.FocusTarget() {
		t.Errorf("submitting leads to %T, not to the first field with an error", got)
	}
	r.typing(".example")
	if e := p.form.byPath["/mail"].row.Error(); e != "" {
		t.Errorf("a mended field still says %q", e)
	}
	p.preview.toggle.Press()
	r.queue.Drain()
	if text := r.text(); !strings.Contains(text, "What will be sent") && !p.sh.preview {
		t.Errorf("what will be sent cannot be read:\n%s", text)
	}
	r.ctrlEnter()
	if a := r.answered(sh); string(a.Content) != `{"name":"Lin","mail":"lin@travel.example"}` {
		t.Errorf("sent %s", a.Content)
	}
}

// TestErrors_AppearWhenAFieldIsLeft, not while it is typed into, and not in
// fields nobody has been to.
func TestErrors_AppearWhenAFieldIsLeft(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", `{"type":"object","properties":{"mail":{"type":"string","format":"email"},"name":{"type":"string"}},"required":["mail","name"]}`)})
	r.run("ask")
	r.question()
	p := r.s.page.(*formPage)
	says := func(path forms.Path) string { return p.form.byPath[path].row.Error() }
	r.tab()
	r.typing("lin@travel")
	if e := says("/mail"); e != "" {
		t.Errorf("while it is typed the field says %q", e)
	}
	r.tab()
	if says("/mail") == "" {
		t.Error("the field that was left says nothing")
	}
	r.tab()
	if e := says("/name"); e != "" {
		t.Errorf("a field that was only passed says %q", e)
	}
}

func TestEscape_AsksFirstOnceSomethingWasTyped(t *testing.T) {
	schema := `{"type":"object","properties":{"name":{"type":"string"}}}`
	t.Run("untouched cancels", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: askForm("Who?", schema)})
		r.run("ask")
		sh := r.question()
		r.key(fyne.KeyEscape)
		if a := r.answered(sh); a.Action != mcpclient.Cancel {
			t.Errorf("Esc sent %s; want cancel", a.Action)
		}
	})
	t.Run("typed asks in the page, Esc again keeps", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: askForm("Who?", schema)})
		r.run("ask")
		sh := r.question()
		r.tab()
		r.typing("Lin")
		r.key(fyne.KeyEscape)
		if sh.stage != stageLeave || r.button("Keep") == nil {
			t.Fatalf("Esc on a typed question did not ask: stage %v", sh.stage)
		}
		if n := len(r.s.win.Canvas().Overlays().List()); n != 0 {
			t.Errorf("the page asked with %d overlays; want none", n)
		}
		r.key(fyne.KeyEscape)
		if sh.stage != stageAsking || !sh.open() || sh.draft.Text("/name") != "Lin" {
			t.Errorf("Esc on Keep lost the question: stage %v, state %v", sh.stage, sh.q.State)
		}
	})
	t.Run("kept: the keyboard goes on where it was", func(t *testing.T) {
		for name, keep := range map[string]func(*rig){
			"by Esc":    func(r *rig) { r.key(fyne.KeyEscape) },
			"by button": func(r *rig) { r.press("Keep") },
		} {
			r := newRig(t, rigOptions{tools: askForm("Who?", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}}`)})
			r.run("ask")
			r.question()
			r.tab()
			r.tab()
			r.typing("Lin")
			r.key(fyne.KeyEscape)
			keep(r)
			p := r.s.page.(*formPage)
			if got := r.s.win.Canvas().Focused(); got != p.form.byPath["/b"].control.FocusTarget() {
				t.Errorf("%s: the keyboard is not in the field it was in", name)
			}
		}
	})
	t.Run("typed and cancelled: the text stays readable on the request's page", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: askForm("Who?", schema)})
		r.run("ask")
		sh := r.question()
		r.tab()
		r.typing("Lin Example")
		r.key(fyne.KeyEscape)
		r.pass(deafTime)
		r.press("Cancel the question")
		if a := r.answered(sh); a.Action != mcpclient.Cancel {
			t.Errorf("sent %s; want cancel", a.Action)
		}
		r.wait(func() bool { return r.s.at.section == sectionRequest })
		if !strings.Contains(r.text(), "Lin Example") {
			t.Errorf("the typed text is gone from the request's page:\n%s", r.text())
		}
	})
}

func TestGuard_ANewQuestionTakesNoAnswerForHalfASecond(t *testing.T) {
	for name, act := range map[string]func(*rig){
		"Esc":        func(r *rig) { r.key(fyne.KeyEscape) },
		"Ctrl+Enter": func(r *rig) { r.ctrlEnter() },
		"Submit":     func(r *rig) { r.press("Submit") },
		"Decline":    func(r *rig) { r.press("Decline") },
		"Cancel":     func(r *rig) { r.press("Cancel") },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: askForm("Delete 3 files?", `{"type":"object","properties":{}}`)})
			r.run("ask")
			r.wait(func() bool { return r.s.at.section == sectionQuestion })
			sh := r.s.sheets[r.s.at.id]
			act(r)
			if sh.busy() || !sh.open() {
				t.Fatal("the question was answered by a key or click meant for something else")
			}
			r.pass(deafTime)
			act(r)
			r.answered(sh)
		})
	}
}

// TestC17_DecliningWorksWhateverTheForm: also for a form nobody can fill in.
func TestC2_C12_C13_C17_DecliningAndCancellingAlwaysWork(t *testing.T) {
	impossible := `{"type":"object","properties":{"a":{"type":"object"}},"required":["a"]}`
	for _, schema := range []string{everyKind, impossible} {
		for button, want := range map[string]mcpclient.Action{"Decline": mcpclient.Decline, "Cancel": mcpclient.Cancel} {
			r := newRig(t, rigOptions{tools: askForm("?", schema)})
			r.run("ask")
			sh := r.question()
			r.press(button)
			if a := r.answered(sh); a.Action != want || a.Content != nil {
				t.Errorf("%s sent %s %s; want %s without content", button, a.Action, a.Content, want)
			}
		}
	}
	t.Run("accept is impossible while a required field cannot be shown", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: askForm("?", impossible)})
		r.run("ask")
		sh := r.question()
		if b := r.button("Submit"); b == nil || !b.Disabled() {
			t.Error("Submit can be pressed")
		}
		r.ctrlEnter()
		if !sh.open() || sh.busy() {
			t.Error("the form was sent")
		}
	})
}

// TestLeavingAPageAnswersNothing, and what was typed is there afterwards.
func TestLeavingAPageAnswersNothing(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", `{"type":"object","properties":{"name":{"type":"string"}}}`)})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	for _, to := range []route{{section: sectionRequests}, {section: sectionSettings}, {section: sectionServer, id: r.s.desk.servers[0].ID}} {
		r.s.choose(to)
		r.queue.Drain()
	}
	if e, _ := r.client.Elicitation(sh.q.ID); e.State != mcpclient.ElicitationOpen {
		t.Fatalf("the question is %s after its page was left", e.State)
	}
	r.s.goToQuestions()
	if r.s.at.id != sh.q.ID || sh.draft.Text("/name") != "Lin" {
		t.Errorf("back at the question: page %v, text %q", r.s.at, sh.draft.Text("/name"))
	}
	r.wait(func() bool { e, _ := r.client.Elicitation(sh.q.ID); return strings.Contains(string(e.Draft), "Lin") })
}

func TestDraft_IsKeptAMomentAfterTyping(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", `{"type":"object","properties":{"name":{"type":"string"}}}`)})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	if e, _ := r.client.Elicitation(sh.q.ID); e.Draft != nil {
		t.Errorf("the draft was handed over per key: %s", e.Draft)
	}
	r.pass(saveAfter)
	r.wait(func() bool { e, _ := r.client.Elicitation(sh.q.ID); return strings.Contains(string(e.Draft), "Lin") })
}

func TestSecret_NeedsASecondYesInThePage(t *testing.T) {
	schema := `{"type":"object","properties":{"password":{"type":"string","title":"Password"}},"required":["password"]}`
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": func(_ *memoryServer, params []rawMember) json.RawMessage {
		if rawjson.Get(params, "inputResponses") != nil {
			return json.RawMessage(`{"resultType":"complete","content":[{"type":"text","text":"signed in"}]}`)
		}
		return json.RawMessage(`{"resultType":"input_required","inputRequests":{"k":` + formRequest("Sign in", schema) + `}}`)
	}}})
	r.run("ask")
	sh := r.question()
	if !strings.Contains(r.text(), "looks like a secret") {
		t.Error("C27: no warning that servers must not ask for secrets in a form")
	}
	r.tab()
	r.typing("canary-7291")
	p := r.s.page.(*formPage)
	p.preview.toggle.Press()
	r.queue.Drain()
	if strings.Contains(r.text(), "canary") {
		t.Error("the secret is in the clear before it was revealed")
	}
	r.ctrlEnter()
	if sh.stage != stageSecret || sh.busy() {
		t.Fatalf("the secret needed no second yes: stage %v", sh.stage)
	}
	r.ctrlEnter()
	r.press("Send it anyway")
	if sh.busy() {
		t.Fatal("a key pressed twice sent the secret")
	}
	r.pass(deafTime)
	r.press("Send it anyway")
	if a := r.answered(sh); string(a.Content) != `{"password":"canary-7291"}` {
		t.Errorf("sent %s", a.Content)
	}
	r.ended()
	r.wait(func() bool { p, ok := r.s.page.(*requestPage); return ok && p.ended })
	if text := r.text(); strings.Contains(text, "canary-7291") || !strings.Contains(text, forms.Mask) {
		t.Errorf("the secret is not masked on the request's page:\n%s", text)
	}
	r.press("Show secrets")
	if !strings.Contains(r.text(), "canary-7291") {
		t.Error("the person cannot reveal what they sent")
	}
}

// TestAfterAnAnswer_TheFocusIsOnTheList, never on the next question's buttons.
func TestAfterAnAnswer_TheFocusIsOnTheList(t *testing.T) {
	schema := `{"type":"object","properties":{"x":{"type":"string"}}}`
	r := newRig(t, rigOptions{tools: map[string]tool{"two": asking(`{"a":` + formRequest("First?", schema) + `,"b":` + formRequest("Second?", schema) + `}`)}})
	r.run("two")
	first := r.question()
	r.wait(func() bool { return len(r.s.sheets) == 2 })
	if !strings.Contains(r.text(), "question 1 of 2") {
		t.Errorf("the count is missing:\n%s", r.text())
	}
	r.ctrlEnter()
	r.answered(first)
	r.wait(func() bool { return r.s.at.section == sectionQuestions })
	p := r.s.page.(*listPage)
	if len(p.rows) != 1 || r.s.win.Canvas().Focused() != fyne.Focusable(p.list.Row(0)) {
		t.Errorf("the focus is on %T, not on the list of %d", r.s.win.Canvas().Focused(), len(p.rows))
	}
	r.key(fyne.KeyReturn)
	if r.s.at.section != sectionQuestion || r.s.at.id == first.q.ID {
		t.Errorf("Enter on the list leads to %v", r.s.at)
	}
}

// TestPreview_NamesWhatIsMissing and offers to show secrets only beside them.
func TestPreview_NamesWhatIsMissing(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", `{"type":"object","properties":{"n":{"type":"string","title":"Full name","minLength":1},"":{"type":"integer"},
		"password":{"type":"string"}},"required":["n",""]}`)})
	r.run("ask")
	r.question()
	p := r.s.page.(*formPage)
	p.preview.toggle.Press()
	r.queue.Drain()
	for _, want := range []string{"Nothing can be sent yet.", "Full name: This is required.", "(no name): This is required."} {
		if !strings.Contains(r.text(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	fill := func(p forms.Path, text string) { r.s.page.(*formPage).sh.draft.SetText(p, text) }
	fill("/password", "canary")
	p.preview.draw()
	if r.button("Show secrets") != nil {
		t.Error("it offers to show secrets while it shows nothing")
	}
	fill("/n", "Lin")
	fill("/", "7")
	p.preview.draw()
	if r.button("Show secrets") == nil || strings.Contains(r.text(), "canary") {
		t.Error("the secret is not masked, with a way to show it")
	}
	fill("/password", "")
	p.preview.draw()
	if r.button("Show secrets") != nil {
		t.Error("it offers to show secrets where there are none")
	}
}

// TestB24_Question_ARuleThatNoFieldShowsIsSaid above the buttons: what breaks a
// rule between fields is not sent, the sentence goes when something is changed, and
// the answer is sent once the rule is kept.
func TestB24_Question_ARuleThatNoFieldShowsIsSaid(t *testing.T) {
	const rule = "With “card” the server also requires this: street"
	r := newRig(t, rigOptions{tools: askForm("How do you pay?", `{"type":"object","properties":{"card":{"type":"string"},"street":{"type":"string"}},"dependentRequired":{"card":["street"]}}`)})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("x")
	r.ctrlEnter()
	r.reads("This cannot be sent as it stands.", rule)
	if !sh.open() || sh.busy() {
		t.Fatal("an answer that breaks a rule of the server's is sent")
	}
	r.tab()
	r.typing("x")
	r.lacks("This cannot be sent as it stands.", rule)
	r.pass(deafTime)
	r.ctrlEnter()
	if a := r.answered(sh); string(a.Content) != `{"card":"x","street":"x"}` {
		t.Errorf("sent %s", a.Content)
	}
}

// TestNoName_IsSaidInWords wherever a field is named, and a name cannot break
// out of its line.
func TestNoName_IsSaidInWords(t *testing.T) {
	v := &surroundings{loc: i18n.New("zh-Hans")}
	if got := v.namesOf([]*forms.Field{{Label: ""}, {Label: " \n"}, {Label: "a\nb"}, {Label: "   "}}, nil); got != "（无名称）,  ⏎, a⏎b, （无名称）" {
		t.Errorf("got %q", got)
	}
}
