package ui

import (
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
