package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
	"parley/ui/kit/kittest"
)

func formWindowFor(t *testing.T, schema string) (*formWindow, *bool) {
	t.Helper()
	return formWindowIn(t, "en", schema)
}

func formWindowIn(t *testing.T, language, schema string) (*formWindow, *bool) {
	t.Helper()
	wear(testApp(), config.ThemeLight)
	w := newFormWindow(testApp(), []byte(schema), surroundings{loc: i18n.New(language),
		do: &kittest.Queue{}, clock: &testClock{now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}})
	closed := new(bool)
	w.win.SetOnClosed(func() { *closed = true })
	w.win.Show()
	return w, closed
}

func TestFormWindow_GivesTheAnswerAndCloses(t *testing.T) {
	typed := func(w *formWindow) {
		w.win.Canvas().Focus(w.form.first())
		for _, c := range "Lin" {
			w.win.Canvas().Focused().TypedRune(c)
		}
	}
	submit := func(w *formWindow) { w.shortcut(kit.SubmitShortcut()) }
	for name, c := range map[string]struct {
		acts    []func(*formWindow)
		closed  bool
		action  mcpclient.Action
		content string
	}{
		"submitted":       {[]func(*formWindow){typed, submit}, true, mcpclient.Accept, `{"name":"Lin"}`},
		"missing":         {[]func(*formWindow){submit}, false, mcpclient.Cancel, ""},
		"Esc untouched":   {[]func(*formWindow){(*formWindow).escape}, true, mcpclient.Cancel, ""},
		"Esc typed asks":  {[]func(*formWindow){typed, (*formWindow).escape}, false, mcpclient.Cancel, ""},
		"kept, submitted": {[]func(*formWindow){typed, (*formWindow).escape, (*formWindow).escape, submit}, true, mcpclient.Accept, `{"name":"Lin"}`},
	} {
		t.Run(name, func(t *testing.T) {
			w, closed := formWindowFor(t, `{"type":"object","properties":{"name":{"type":"string","minLength":1}},"required":["name"]}`)
			for _, act := range c.acts {
				act(w)
			}
			if *closed != c.closed || w.answer.Action != c.action || string(w.answer.Content) != c.content {
				t.Errorf("closed %v with %s %s; want %v with %s %s", *closed, w.answer.Action, w.answer.Content, c.closed, c.action, c.content)
			}
		})
	}
}

func TestFormWindow_ASecretNeedsASecondYes(t *testing.T) {
	w, closed := formWindowFor(t, `{"type":"object","properties":{"password":{"type":"string"}}}`)
	w.win.Canvas().Focus(w.form.first())
	w.win.Canvas().Focused().TypedRune('x')
	w.shortcut(kit.SubmitShortcut())
	if *closed || w.stage != stageSecret {
		t.Fatal("the secret was sent at once")
	}
	if words := w.wordsOf(); !strings.Contains(words, "\npassword\n") {
		t.Errorf("the question does not name the field: %s", words)
	}
	for _, o := range objectsOf(w.whole) {
		if b, ok := o.(*kit.Button); ok && b.Text() == "Send it anyway" {
			b.Press()
		}
	}
	if !*closed || string(w.answer.Content) != `{"password":"x"}` {
		t.Errorf("closed %v with %s", *closed, w.answer.Content)
	}
}

func TestFormWindow_AFormThatCannotBeAnsweredSaysSo(t *testing.T) {
	w, _ := formWindowFor(t, `{"type":"object","properties":{"a":{"type":"object"}},"required":["a"]}`)
	var text strings.Builder
	for _, o := range objectsOf(w.whole) {
		switch o := o.(type) {
		case *kit.Text:
			text.WriteString(o.String())
		case *kit.Button:
			if o.Text() == "Submit" && !o.Disabled() {
				t.Error("Submit can be pressed")
			}
		}
	}
	if !strings.Contains(text.String(), "This form cannot be submitted.") {
		t.Errorf("the window says %s", text.String())
	}
	w.shortcut(kit.SubmitShortcut())
	if w.answer.Action != mcpclient.Cancel {
		t.Errorf("answered %s", w.answer.Action)
	}
}

// wordsOf is all text of a form's window, a line a text.
func (w *formWindow) wordsOf() string {
	var b strings.Builder
	for _, o := range objectsOf(w.whole) {
		if t, ok := o.(*kit.Text); ok {
			b.WriteString(t.String() + "\n")
		}
	}
	return b.String()
}

func TestFormWindow_ClosingItAsksFirstAndSaysWhatIsLost(t *testing.T) {
	for _, c := range []struct {
		name  string
		leave func(*formWindow)
	}{{"by Esc", (*formWindow).escape}, {"by the window's own button", (*formWindow).closing}} {
		t.Run(c.name, func(t *testing.T) {
			w, closed := formWindowFor(t, `{"type":"object","properties":{"name":{"type":"string"}}}`)
			w.win.Canvas().Focus(w.form.first())
			kittest.Type(w.win.Canvas(), 'x')
			c.leave(w)
			if *closed {
				t.Fatal("the window closed with what was typed")
			}
			if words := w.wordsOf(); !strings.Contains(words, "kept nowhere else") || strings.Contains(words, "page of its request") {
				t.Errorf("the window says %s", words)
			}
			if got := w.fill.draft.Text(w.form.top.views[0].path); got != "x" {
				t.Errorf("the field holds %q", got)
			}
			for _, o := range objectsOf(w.whole) {
				if b, ok := o.(*kit.Button); ok && b.Text() == "Close" {
					b.Press()
				}
			}
			if !*closed || w.answer.Action != mcpclient.Cancel {
				t.Errorf("closed %v with %s", *closed, w.answer.Action)
			}
		})
	}
	w, closed := formWindowFor(t, `{"type":"object","properties":{"name":{"type":"string"}}}`)
	w.closing()
	if !*closed {
		t.Error("a form nobody has touched does not close")
	}
}

func TestFormWindow_FieldsOfOneTitleAreToldApart(t *testing.T) {
	w, _ := formWindowFor(t, `{"type":"object","properties":{
		"a":{"type":"string","title":"Same"},"b":{"type":"string","title":"Same "},"c":{"type":"string","title":"Other"},"":{"type":"string"}," ":{"type":"string"}},"required":["b"]}`)
	words := w.wordsOf()
	for _, want := range []string{"Same  a\n", "Same   b (required)\n", "Other\n", "(no name)  \"\"\n", "(no name)  \" \"\n"} {
		if !strings.Contains(words, want) {
			t.Errorf("the window does not say %q: %q", want, words)
		}
	}
}

func TestOptions_AreToldApartAndSayWhatTheServerSays(t *testing.T) {
	w, _ := formWindowFor(t, `{"type":"object","properties":{"a":{"type":"string","oneOf":[
		{"const":"s","title":"Small","description":"Fits a bag"},{"const":"m","title":"Medium"},
		{"const":"1","title":"Same","description":"First\u202e"},{"const":"2","title":"Same "},{"const":""},{"const":" "}]}}}`)
	var got []string
	for _, o := range options(w.form.top.views[0].field) {
		got = append(got, o.Label.String()+"|"+o.Detail.String())
	}
	want := []string{"Small|Fits a bag", "Medium|", "Same|1  •\u00a0\u00a0First⟨U+202E⟩", "Same |2", "|", " |"}
	if !slices.Equal(got, want) {
		t.Errorf("options are %q, want %q", got, want)
	}
}

// TestB24_FormWindow_ARuleThatNoFieldShowsIsSaid: what breaks a rule between fields
// is said with the answer that was not sent, and sent once the rule is kept.
func TestB24_FormWindow_ARuleThatNoFieldShowsIsSaid(t *testing.T) {
	w, closed := formWindowFor(t, `{"type":"object","properties":{"card":{"type":"string"},"street":{"type":"string"}},"dependentRequired":{"card":["street"]}}`)
	typeIn := func(name string) {
		w.win.Canvas().Focus(w.form.first())
		if name == "street" {
			w.win.Canvas().FocusNext()
		}
		w.win.Canvas().Focused().TypedRune('x')
	}
	typeIn("card")
	w.shortcut(kit.SubmitShortcut())
	if words := w.wordsOf(); *closed || !strings.Contains(words, "This cannot be sent as it stands.") || !strings.Contains(words, "With “card” the server also requires this: street") {
		t.Fatalf("closed %v, the page reads: %s", *closed, words)
	}
	typeIn("street")
	w.shortcut(kit.SubmitShortcut())
	if !*closed || string(w.answer.Content) != `{"card":"x","street":"x"}` {
		t.Errorf("closed %v with %s", *closed, w.answer.Content)
	}
}
