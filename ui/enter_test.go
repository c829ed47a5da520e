package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/ui/kit"
)

// Who writes Chinese, Japanese or Korean takes what an input method offers with
// Enter, and a key that the method did not want reaches the field. So Enter
// submits nowhere: only Ctrl+Enter does (docs/testing.md, "Input methods").

// enterKeys are the two Enter keys.
var enterKeys = []fyne.KeyName{fyne.KeyReturn, fyne.KeyEnter}

// pressEnterIn types text and both Enter keys in every control of a form, and
// calls still after each.
func pressEnterIn(c fyne.Canvas, v *formView, still func(fv *fieldView)) {
	v.each(func(fv *fieldView) bool {
		if fv.control == nil {
			return true
		}
		c.Focus(fv.control.FocusTarget())
		for _, r := range "中文" {
			c.Focused().TypedRune(r)
		}
		for _, k := range enterKeys {
			c.Focused().TypedKey(&fyne.KeyEvent{Name: k})
			still(fv)
		}
		v.env.ClosePopup()
		return true
	})
}

// TestEnter_NeverSubmits in a field of any kind, on any page with a form.
func TestEnter_NeverSubmits(t *testing.T) {
	t.Run("a question", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: askForm("Everything, please", everyKind)})
		r.run("ask")
		sh := r.question()
		p := r.s.page.(*formPage)
		sh.draft.SetText("/name", "Lin")
		sh.draft.SetText("/mail", "lin@travel.example")
		pressEnterIn(r.s.win.Canvas(), p.form, func(fv *fieldView) {
			r.queue.Drain()
			if !sh.open() || sh.busy() || p.sh.tried {
				t.Errorf("Enter in a field of kind %s submits", fv.field.Kind)
			}
		})
	})
	t.Run("the arguments of a tool", func(t *testing.T) {
		r, p := argumentPage(t, everyArgument)
		d := p.sheet().draft
		d.Add("/people")
		d.SetKey(d.Add("/labels"), "red")
		d.Open("/address")
		r.s.show(r.s.at)
		p = r.s.page.(*runPage)
		r.wait(p.form.builder.Idle)
		pressEnterIn(r.s.win.Canvas(), p.form, func(fv *fieldView) {
			r.queue.Drain()
			if len(r.server.requests("tools/call")) > 0 || p.sheet().tried {
				t.Errorf("Enter in %s runs the tool", fv.path)
			}
		})
	})
	t.Run("a form in a window of its own", func(t *testing.T) {
		f := drawForm(t, everyKind)
		pressEnterIn(f.w.win.Canvas(), f.w.form, func(fv *fieldView) {
			if *f.closed || f.w.fill.tried {
				t.Errorf("Enter in a field of kind %s submits", fv.field.Kind)
			}
		})
	})
}

// TestEscape_OfAnInputMethodCancelsNothing: it gives up what is being composed in
// an untouched question.
func TestEscape_OfAnInputMethodCancelsNothing(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.key(fyne.KeyN)
	r.key(fyne.KeyI)
	r.key(fyne.KeyEscape)
	if !sh.open() || sh.busy() {
		t.Fatal("the question was cancelled")
	}
	r.key(fyne.KeyEscape)
	if a := r.answered(sh); a.Action != mcpclient.Cancel {
		t.Errorf("Esc sent %s", a.Action)
	}
}

// TestEnter_CtrlEnterSubmits with either Enter key, wherever the keyboard is.
func TestEnter_CtrlEnterSubmits(t *testing.T) {
	for _, at := range []string{"a text", "a button", "nothing"} {
		f := drawForm(t, `{"type":"object","properties":{"name":{"type":"string","default":"Lin"}}}`)
		switch at {
		case "a text":
			f.in("name")
		case "a button":
			f.w.win.Canvas().Focus(f.w.prev.toggle)
		case "nothing":
			f.w.win.Canvas().Unfocus()
		}
		f.submit()
		if !*f.closed || f.w.answer.Action != mcpclient.Accept {
			t.Errorf("with the keyboard in %s nothing was sent", at)
		}
	}
	for _, k := range enterKeys {
		if !kit.IsSubmit(kit.SubmitWith(k)) {
			t.Errorf("Ctrl+%s submits nothing", k)
		}
	}
}
