package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"parley/forms"
	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/ui/kit"
	"parley/ui/kit/kittest"
)

// formLook is what is to be seen of a field case.
type formLook struct {
	id, note string
	see      func(t *testing.T)
}

// reads wants words in a text.
func reads(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("it does not read %q:\n%s", w, text)
		}
	}
}

// errorAt is what the field with this name says is wrong.
func (f *filler) errorAt(name string) string { return f.w.form.byPath[pathOf(name)].row.Error() }

// sends submits and wants these bytes.
func (f *filler) sends(want string) {
	f.t.Helper()
	f.submit()
	if a := f.w.answer; !*f.closed || a.Action != mcpclient.Accept || string(a.Content) != want {
		f.t.Errorf("closed %v with %s %s; want accept %s\n%s", *f.closed, a.Action, a.Content, want, f.text())
	}
}

// refuses submits and wants a sentence beside the field.
func (f *filler) refuses(name, want string) {
	f.t.Helper()
	f.submit()
	if got := f.errorAt(name); *f.closed || got != want {
		f.t.Errorf("closed %v; the field %q says %q, want %q", *f.closed, name, got, want)
	}
}

var formLooks = []formLook{
	{"B01", "title and description of the root are shown", func(t *testing.T) {
		f := drawForm(t, `{"$schema":"http://json-schema.org/draft-07/schema#","title":"Choice","description":"Pick one","additionalProperties":false,"type":"object","properties":{"v":{"type":"string","title":"V"}},"required":["v"]}`)
		reads(t, f.text(), "Choice", "Pick one", "V (required)")
	}},
	{"B02", "no null can be ticked in a question", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"nick":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}},"required":["nick"]}`)
		if text := f.text(); strings.Contains(text, "null") {
			t.Errorf("it reads\n%s", text)
		}
		reads(t, f.text(), "nick (required)", "Will be sent empty")
		f.sends(`{"nick":""}`)
	}},
	{"B03", "an enum behind $ref is a list to pick from", func(t *testing.T) {
		f := drawForm(t, `{"$defs":{"P":{"type":"string","enum":["low","high"]}},"type":"object","properties":{"p":{"$ref":"#/$defs/P"}},"required":["p"]}`)
		f.in("p")
		f.keys(fyne.KeyDown)
		reads(t, f.popup(), "low", "high")
		f.keys(fyne.KeyDown, fyne.KeyReturn)
		f.sends(`{"p":"high"}`)
	}},
	{"B05", "the count stands beside the label and follows", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"c":{"type":"array","title":"Colours","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"},{"const":"b","title":"Blue"}]},"default":["r"]}}}`)
		reads(t, f.text(), "Colours  •  1 of at most 2", "Red", "Green", "Select none")
		f.in("c")
		f.keys(fyne.KeyDown, fyne.KeySpace, fyne.KeyDown, fyne.KeySpace)
		reads(t, f.text(), "Colours  •  3 of at most 2")
		f.refuses("c", "Choose 1 to 2 (now 3).")
		f.keys(fyne.KeySpace)
		f.sends(`{"c":["r","g"]}`)
	}},
	{"B06", "every shape of a multi-select is the same box", func(t *testing.T) {
		for _, items := range []string{`{"enum":["A"]}`, `{"oneOf":[{"const":"a","title":"A"}]}`, `{"type":"string","anyOf":[{"const":"a","title":"A"}]}`} {
			f := drawForm(t, `{"type":"object","properties":{"c":{"type":"array","items":`+items+`}}}`)
			reads(t, f.text(), "c  •  0 ticked", "A\n")
		}
		f := drawForm(t, `{"type":"object","properties":{"c":{"type":"array","items":{"type":"string"}}}}`)
		reads(t, f.text(), "One entry a line")
	}},
	{"B08", "labels stand in their own script", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"l":{"type":"string","enum":["ja","es"],"enumNames":["日本語","Español"],"x-ui":{"w":1},"examples":["ja"],"readOnly":true}}}`)
		f.in("l")
		f.keys(fyne.KeyDown)
		reads(t, f.popup(), "日本語", "Español")
	}},
	{"B09", "yes, no and not answered are three states in view", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"ok":{"type":"boolean","title":"Delete them?"}},"required":["ok"]}`)
		reads(t, f.text(), "Delete them? (required)", "Yes", "No", "Not answered")
		f.refuses("ok", "This is required.")
		f.in("ok")
		f.keys(fyne.KeyEnd, fyne.KeyLeft)
		f.sends(`{"ok":false}`)
	}},
	{"B10", "a number has an entry with its range, in a round too", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: askForm("How many?", `{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":3}},"required":["n"]}`)})
		r.run("ask")
		sh := r.question()
		reads(t, r.text(), "n (required)", "Whole number, 1 to 3")
		r.ctrlEnter()
		if e := r.s.page.(*formPage).form.byPath["/n"].row.Error(); !sh.open() || e != "This is required." {
			t.Errorf("without a number the question is %s and says %q", sh.q.State, e)
		}
		r.typing("2")
		r.ctrlEnter()
		if a := r.answered(sh); string(a.Content) != `{"n":2}` {
			t.Errorf("sent %s", a.Content)
		}
	}},
	{"B12", "the same form in both eras, over a program and an address", func(t *testing.T) {
		all := `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string","minLength":2},"c":{"type":"string","format":"email"},"d":{"type":"string","enum":["x","y"]},
			"e":{"type":"string","oneOf":[{"const":"x","title":"X"}]},"f":{"type":"integer"},"g":{"type":"integer","minimum":1,"maximum":9,"default":3},"h":{"type":"number"},
			"i":{"type":"boolean","default":true},"j":{"type":"array","items":{"type":"string","enum":["u","v"]},"default":["v"]}}}`
		first := ""
		for _, o := range []rigOptions{{}, {http: true}, {legacy: true}, {legacy: true, http: true}} {
			o.tools = map[string]tool{"ask": asking(`{"k":` + formRequest("Who?", all) + `}`)}
			if o.legacy {
				o.tools = map[string]tool{"ask": pushing(all)}
			}
			r := newRig(t, o)
			r.run("ask")
			sh := r.question()
			p := r.s.page.(*formPage)
			seen := textOf(p.heading()) + textOf(p.form.box)
			r.ctrlEnter()
			seen += string(r.answered(sh).Content)
			if first == "" {
				first = seen
			}
			if seen != first {
				t.Errorf("legacy %v, http %v:\n%s\nwant\n%s", o.legacy, o.http, seen, first)
			}
		}
		reads(t, first, "Whole number, 1 to 9", "j  •  1 ticked", `{"g":3,"i":true,"j":["v"]}`)
	}},
	{"B13", "a pattern is checked; one that is none is a hint, and the text stays", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"p":{"type":"string","pattern":"^(?=.*[0-9]).{2,}$"},"q":{"type":"string","pattern":"("}}}`)
		f.types(f.in("p"), "ab")
		f.types(f.in("q"), "x")
		if e := f.errorAt("p"); !strings.Contains(e, "^(?=.*[0-9]).{2,}$") {
			t.Errorf("the field that was left says %q", e)
		}
		f.types(f.in("p"), "a1")
		if e := f.errorAt("p") + f.errorAt("q"); e != "" {
			t.Errorf("it says %q", e)
		}
		f.sends(`{"p":"a1","q":"x"}`)
	}},
	{"B15", "all cleared is an object without members", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"boolean","default":true}}}`)
		f.in("b")
		f.keys(fyne.KeyDelete)
		f.press("▸ What will be sent")
		reads(t, f.text(), "{}")
		f.sends(`{}`)
	}},
	{"B16", "decline and cancel go out without content", func(t *testing.T) {
		for button, action := range map[string]string{"Decline": "decline", "Cancel": "cancel"} {
			r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
			r.run("ask")
			sh := r.question()
			r.press(button)
			r.answered(sh)
			r.wait(func() bool { return len(r.server.requests("tools/call")) == 2 })
			params, err := rawjson.Object(r.server.requests("tools/call")[1].Params)
			must(t, err)
			if got, want := string(rawjson.Get(params, "inputResponses")), `{"k":{"action":"`+action+`"}}`; got != want {
				t.Errorf("a round: the server got %s, want %s", got, want)
			}
			r = newRig(t, rigOptions{tools: map[string]tool{"ask": pushing(nameForm)}, legacy: true})
			r.run("ask")
			sh = r.question()
			r.press(button)
			r.answered(sh)
			r.wait(func() bool { return len(r.server.responses()) == 1 })
			if got, want := string(r.server.responses()[0].Result), `{"action":"`+action+`"}`; got != want {
				t.Errorf("pushed: the server got %s, want %s", got, want)
			}
		}
	}},
	{"B17", "a mere confirmation has its message and all three buttons", func(t *testing.T) {
		for _, schema := range []string{`,"requestedSchema":{"type":"object","properties":{}}`, ``} {
			for button, want := range map[string]string{"Submit": `{"action":"accept","content":{}}`, "Decline": `{"action":"decline"}`, "Cancel": `{"action":"cancel"}`} {
				r := newRig(t, rigOptions{tools: map[string]tool{"ask": asking(`{"k":{"method":"elicitation/create","params":{"mode":"form","message":"Buy 1 loaf?"` + schema + `}}}`)}})
				r.run("ask")
				sh := r.question()
				reads(t, r.text(), "Buy 1 loaf?")
				r.press(button)
				r.answered(sh)
				r.wait(func() bool { return len(r.server.requests("tools/call")) == 2 })
				params, err := rawjson.Object(r.server.requests("tools/call")[1].Params)
				must(t, err)
				if got := string(rawjson.Get(params, "inputResponses")); got != `{"k":`+want+`}` {
					t.Errorf("%s: the server got %s", button, got)
				}
			}
		}
	}},
	{"B19", "typed and emptied again is not answered, and no error", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"price":{"type":"integer"},"due":{"type":"string","format":"date"}}}`)
		for _, name := range []string{"price", "due"} {
			fv := f.in(name)
			f.types(fv, "1")
			f.types(fv, "")
		}
		f.in("price")
		if e := f.errorAt("price") + f.errorAt("due"); e != "" {
			t.Errorf("it says %q", e)
		}
		f.sends(`{}`)
	}},
	{"B21", "defaults stand in their controls, and what is cleared stays empty", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"s":{"type":"string","default":"ex"},"i":{"type":"integer","default":5.0},"b":{"type":"boolean","default":true},"e":{"type":"string","enum":["p","q"],"default":"q"},"m":{"type":"array","items":{"type":"string","enum":["u","v"]},"default":["v"]}}}`)
		reads(t, f.text(), "ex\n", "5\n", "q\n", "m  •  1 ticked")
		if y := f.w.form.byPath["/b"].control.(*kit.YesNo); y.Value() != kit.Yes {
			t.Errorf("yes/no shows %v", y.Value())
		}
		f.types(f.in("s"), "")
		f.in("i")
		if e := f.w.form.byPath["/s"].control.(*kit.LongEntry); e.Text() != "" {
			t.Errorf("the cleared field shows %q", e.Text())
		}
		f.sends(`{"i":5,"b":true,"e":"q","m":["v"]}`)
	}},
	{"B22", "what cannot be sent as a whole number says so, and the text stays", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
		f.types(f.in("n"), "1,5")
		f.refuses("n", "“1,5” is not a whole number. Write one without decimals, for example 12.")
		if e := f.w.form.byPath["/n"].control.(*kit.LongEntry); e.Text() != "1,5" {
			t.Errorf("the field shows %q", e.Text())
		}
		f.types(f.in("n"), "９")
		f.sends(`{"n":9}`)
	}},
	{"B24", "each error stands beside its field, and submitting leads to the first", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"name":{"type":"string","minLength":2},"age":{"type":"integer","minimum":0},"mail":{"type":"string","format":"email"}},"required":["name"]}`)
		f.types(f.in("mail"), "not an email")
		f.types(f.in("age"), "-5")
		if f.in("mail"); f.errorAt("age") == "" || f.errorAt("name") != "" {
			t.Errorf("the field that was left says %q, the one nobody was in %q", f.errorAt("age"), f.errorAt("name"))
		}
		f.refuses("name", "This is required.")
		if f.errorAt("age") == "" || f.errorAt("mail") == "" {
			t.Error("not all errors are shown")
		}
		if f.w.win.Canvas().Focused() != f.w.form.byPath["/name"].control.FocusTarget() {
			t.Error("the keyboard is not in the first field with an error")
		}
	}},
	{"B25", "the zone is in view, and what will be sent", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"t":{"type":"string","format":"date-time"}}}`)
		f.types(f.in("t"), "2026-03-04 10:00")
		reads(t, f.text(), forms.LocalZone().String(), "Will be sent as 2026-03-04T10:00:00")
	}},
	{"B98", "a question whose neighbour is cancelled stays, with its text", func(t *testing.T) {
		r := newRig(t, rigOptions{legacy: true, tools: map[string]tool{"ask": func(s *memoryServer, _ []rawMember) json.RawMessage {
			for _, id := range []int{56, 57} {
				s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"Question %d","requestedSchema":%s}}`, id, id, nameForm))
			}
			return nil
		}}})
		r.run("ask")
		first := r.question()
		r.wait(func() bool { return len(r.s.sheets) == 2 })
		for _, sh := range r.s.sheets {
			if sh != first {
				r.s.choose(route{section: sectionQuestion, id: sh.q.ID})
			}
		}
		second := r.s.sheets[r.s.at.id]
		r.pass(deafTime)
		r.typing("Lin")
		r.server.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":56}}`)
		r.wait(func() bool { return first.q.State == mcpclient.ElicitationDead })
		r.queue.Drain()
		r.typing(" Bo")
		if n := len(r.s.win.Canvas().Overlays().List()); n != 0 || r.s.at.id != second.q.ID {
			t.Errorf("%d overlays, at %v", n, r.s.at)
		}
		r.ctrlEnter()
		if a := r.answered(second); string(a.Content) != `{"name":"Lin Bo"}` {
			t.Errorf("sent %s", a.Content)
		}
	}},
	{"B99", "a date is read in words, typed in either form, and goes out as ISO", func(t *testing.T) {
		for language, words := range map[string]string{"en": "Wednesday 4 March 2026", "zh-Hans": "2026年3月4日 星期三"} {
			for _, typed := range []string{"", "2026-03-04", words} {
				f := drawFormIn(t, language, `{"type":"object","properties":{"d":{"type":"string","format":"date","default":"2026-03-04"}}}`)
				if fv := f.in("d"); typed != "" {
					f.types(fv, typed)
				}
				reads(t, f.text(), words)
				f.sends(`{"d":"2026-03-04"}`)
			}
		}
		f := drawForm(t, `{"type":"object","properties":{"d":{"type":"string","format":"date"}}}`)
		f.types(f.in("d"), "03/04/2026")
		f.submit()
		if *f.closed || f.errorAt("d") == "" || strings.Contains(f.text(), "Wednesday") {
			t.Errorf("a date that can be read in two ways was taken:\n%s", f.text())
		}
	}},
	{"B100", "thousands of options can be searched, and equal labels told apart", func(t *testing.T) {
		long := strings.Repeat("A label of three hundred characters and more. ", 7)
		options := make([]string, 2000)
		for i := range options {
			options[i] = fmt.Sprintf(`{"const":"v%d","title":"City %d"}`, i, i)
		}
		options[700] = `{"const":"one","title":"Springfield"}`
		options[1500] = `{"const":"two","title":"Springfield"}`
		options[1999] = `{"const":"long","title":"` + long + `"}`
		schema := `{"type":"object","properties":{"c":{"type":"string","oneOf":[` + strings.Join(options, ",") + `]}}}`
		f := drawForm(t, schema)
		f.in("c")
		f.keys(fyne.KeyDown)
		if n := len(objectsOf(f.w.win.Canvas().Overlays().Top())); n > 500 {
			t.Errorf("the open list is made of %d objects", n)
		}
		for _, c := range "spring" {
			kittest.Type(f.w.win.Canvas(), c)
		}
		reads(t, f.popup(), "Springfield\none", "Springfield\ntwo") // the value stands below
		f.keys(fyne.KeyDown, fyne.KeyReturn)
		if got := f.draft().Picked("/c"); got != 1500 {
			t.Errorf("option %d is picked", got)
		}
		f.w.win.Canvas().Focused().TypedRune('3')
		for _, c := range "\b three hundred" {
			if c == '\b' {
				f.keys(fyne.KeyBackspace)
				continue
			}
			kittest.Type(f.w.win.Canvas(), c)
		}
		reads(t, f.popup(), strings.TrimSpace(long))
		f.keys(fyne.KeyReturn)
		f.sends(`{"c":"long"}`)
	}},
	{"B102", "a line of 5,000 characters is broken, and wide pictures of text are not made", func(t *testing.T) {
		line := strings.Repeat("x", 5000)
		f := drawForm(t, `{"type":"object","description":"`+line+`","properties":{"a":{"type":"string","title":"A","description":"`+line+`","default":"`+line+`"}}}`)
		for _, o := range objectsOf(f.w.whole) {
			text, ok := o.(*kit.Text)
			if !ok {
				continue
			}
			for _, drawn := range test.WidgetRenderer(text).Objects() {
				if c, ok := drawn.(*canvas.Text); ok && c.MinSize().Width > formWindowSize.Width {
					t.Errorf("a text is drawn %v wide", c.MinSize().Width)
				}
			}
		}
		f.sends(`{"a":"` + line + `"}`)
	}},
	{"B103", "a megabyte is shown in part and can be copied; 16 KiB can be a default", func(t *testing.T) {
		for name, text := range map[string]string{
			"lines": strings.Repeat("The quick brown fox jumps over the lazy dog\\n", 1<<20/44),
			"JSON":  strings.Repeat(`{\"a\":[1,2,3]},`, 1<<20/16),
		} {
			r := newRig(t, rigOptions{tools: map[string]tool{"big": func(*memoryServer, []rawMember) json.RawMessage {
				return json.RawMessage(`{"resultType":"complete","content":[{"type":"text","text":"` + text + `"}]}`)
			}}})
			r.run("big")
			r.ended()
			r.wait(func() bool { p, ok := r.s.page.(*requestPage); return ok && p.copied != "" })
			r.queue.Drain()
			if n := len(objectsOf(r.s.page.object())); n > 1000 {
				t.Errorf("%s: the page is made of %d objects", name, n)
			}
			r.press(r.s.t("ui.result.copy"))
			var whole string
			must(t, json.Unmarshal([]byte(`"`+text+`"`), &whole))
			reads(t, r.text(), whole[:10])
			if got := r.app.Clipboard().Content(); strings.TrimSpace(got) != strings.TrimSpace(whole) {
				t.Errorf("%s: %d of %d bytes were copied", name, len(got), len(whole))
			}
		}
		value := strings.Repeat("y", 16<<10)
		drawForm(t, `{"type":"object","properties":{"a":{"type":"string","default":"`+value+`"}}}`).sends(`{"a":"` + value + `"}`)
	}},
	{"B104", "scripts of the world are shown, what cannot be seen is made visible, and the same string goes back", func(t *testing.T) {
		const words = "陈致逸 日本語 한국어 العربية हिन्दी 👩‍👩‍👧"
		const sent = words + ` \u202e\u0000`
		f := drawForm(t, `{"type":"object","title":"`+sent+`","description":"`+sent+`","properties":{"a":{"type":"string","title":"`+sent+`","enum":["`+sent+`"]},"b":{"type":"string","title":"B"}}}`)
		text := f.text()
		reads(t, text, "陈致逸 日本語 한국어 العربية हिन्दी", "⟨U+202E⟩", "⟨U+0000⟩")
		if strings.ContainsAny(text, "\u202e\x00") {
			t.Error("what cannot be seen is drawn as it is")
		}
		f.in("a")
		f.keys(fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)
		f.types(f.in("b"), words+"\u202e")
		reads(t, f.text(), "Contains hidden characters, shown here as")
		var got struct{ A, B string }
		f.submit()
		must(t, json.Unmarshal(f.w.answer.Content, &got))
		if got.A != words+" \u202e\x00" || got.B != words+"\u202e" {
			t.Errorf("sent %s", f.w.answer.Content)
		}
	}},
	{"X3", "a password is masked, a time and a uuid are text", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"a":{"type":"string","format":"password"},"b":{"type":"string","format":"time"},"c":{"type":"string","format":"uuid"}}}`)
		for name, masked := range map[string]bool{"a": true, "b": false, "c": false} {
			if e := f.w.form.byPath[pathOf(name)].focus().(*kit.TextEntry); e.Password != masked {
				t.Errorf("%s: masked is %v", name, e.Password)
			}
		}
	}},
	{"X4", "odd options can be picked, and odd defaults are called the server's fault", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":""},{"const":"b"}]},"i":{"type":"integer","default":"5"}}}`)
		reads(t, f.text(), f.faults()...)
		if e := f.w.form.byPath["/i"].control.(*kit.LongEntry); e.Text() != "" {
			t.Errorf("the default of the wrong type stands there: %q", e.Text())
		}
		f.in("a")
		f.keys(fyne.KeyDown)
		reads(t, f.popup(), "(empty)", "b\n")
		f.keys(fyne.KeyDown, fyne.KeyReturn)
		f.sends(`{"a":""}`)
	}},
	{"X5", "what is required and not there is said, and the form can be sent", func(t *testing.T) {
		f := drawForm(t, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","ghost"]}`)
		reads(t, f.text(), "The server made mistakes in this form.", "ghost")
		f.types(f.in("a"), "x")
		f.sends(`{"a":"x"}`)
	}},
}

// TestFieldCaseLooks draws what is to be seen of each field case.
func TestFieldCaseLooks(t *testing.T) {
	for _, l := range formLooks {
		t.Run(l.id+" "+l.note, l.see)
	}
}
