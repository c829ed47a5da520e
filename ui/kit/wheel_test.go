package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// wheelPage is a page that is twice as high as its window, with o at its top.
func wheelPage(t *testing.T, env *Env, o fyne.CanvasObject) *scene {
	t.Helper()
	env.Reveal = NewReveal(Column(0, o, Spacer(10, 900)))
	return newScene(t, env.Reveal, 400, 500)
}

// turn turns the mouse wheel over the middle of o, down or up.
func (s *scene) turn(o fyne.CanvasObject, down bool) {
	by := float32(-10)
	if !down {
		by = 10
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	test.Scroll(s.c, at.AddXY(o.Size().Width/2, o.Size().Height/2), 0, by)
}

// TestWheel_OverWhatCannotMoveScrollsThePage: Fyne gives the wheel to the
// innermost scroller, and every text field has one.
func TestWheel_OverWhatCannotMoveScrollsThePage(t *testing.T) {
	lines := safe(strings.Repeat("a line\n", 3))
	for name, control := range map[string]func(*Env) fyne.CanvasObject{
		"text": func(e *Env) fyne.CanvasObject { return NewTextEntry(TextEntryOptions{Env: e, Text: "Rome"}) },
		"text that is long": func(e *Env) fyne.CanvasObject {
			return NewTextEntry(TextEntryOptions{Env: e, Text: strings.Repeat("Rome ", 90)})
		},
		"masked text": func(e *Env) fyne.CanvasObject { return NewTextEntry(TextEntryOptions{Env: e, Masked: true}) },
		"number":      func(e *Env) fyne.CanvasObject { return NewLongEntry(TextEntryOptions{Env: e}) },
		"empty lines": func(e *Env) fyne.CanvasObject { return NewTextEntry(TextEntryOptions{Env: e, Lines: 4}) },
		"lines that fit": func(e *Env) fyne.CanvasObject {
			return NewTextEntry(TextEntryOptions{Env: e, Lines: 4, Text: "a\nb\nc\nd"})
		},
		"one endless line": func(e *Env) fyne.CanvasObject {
			return NewTextEntry(TextEntryOptions{Env: e, Lines: 4, Text: strings.Repeat("x", 9000)})
		},
		"disabled": func(e *Env) fyne.CanvasObject {
			o := NewTextEntry(TextEntryOptions{Env: e})
			o.Disable()
			return o
		},
		"date":            func(e *Env) fyne.CanvasObject { return NewDateField(DateFieldOptions{Env: e}) },
		"picker":          func(e *Env) fyne.CanvasObject { return NewPicker(PickerOptions{Env: e, Options: manyOptions(40)}) },
		"short checklist": func(e *Env) fyne.CanvasObject { return NewChecklist(ChecklistOptions{Env: e, Options: manyOptions(5)}) },
		"yes or no":       func(e *Env) fyne.CanvasObject { return NewYesNo(YesNoOptions{Env: e}) },
		"short text":      func(e *Env) fyne.CanvasObject { return NewLongText(lines, LongTextOptions{Env: e}) },
	} {
		t.Run(name, func(t *testing.T) {
			env := &Env{}
			o := control(env)
			s := wheelPage(t, env, o)
			s.turn(o, true)
			if got := env.Reveal.Offset(); got != 10 {
				t.Errorf("after a turn down the page is at %v", got)
			}
			s.turn(o, false)
			if got := env.Reveal.Offset(); got != 0 {
				t.Errorf("after a turn up the page is at %v", got)
			}
		})
	}
}

// TestWheel_WhatCanMoveGoesFirst, to its end, then the page does; up again too.
func TestWheel_WhatCanMoveGoesFirst(t *testing.T) {
	for name, control := range map[string]func(*Env) fyne.CanvasObject{
		"lines": func(e *Env) fyne.CanvasObject {
			return NewTextEntry(TextEntryOptions{Env: e, Lines: 4, Text: strings.Repeat("a line\n", 12)})
		},
		"lines too long to be wrapped": func(e *Env) fyne.CanvasObject {
			return NewTextEntry(TextEntryOptions{Env: e, Lines: 4, Text: strings.Repeat(strings.Repeat("x", 5000)+"\n", 12)})
		},
		"long text": func(e *Env) fyne.CanvasObject {
			return NewLongText(safe(strings.Repeat("a line\n", 30)), LongTextOptions{Env: e, Lines: 6})
		},
		"long checklist": func(e *Env) fyne.CanvasObject {
			return NewChecklist(ChecklistOptions{Env: e, Options: manyOptions(20)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			env := &Env{}
			o := control(env)
			s := wheelPage(t, env, o)
			n := 0
			for ; env.Reveal.Offset() == 0 && n < 100; n++ {
				s.turn(o, true)
			}
			if n < 3 || n == 100 {
				t.Fatalf("the page moved with turn %d", n)
			}
			page := env.Reveal.Offset()
			for n = 0; env.Reveal.Offset() == page && n < 100; n++ {
				s.turn(o, false)
			}
			if n < 3 || n == 100 {
				t.Errorf("upwards the page moved with turn %d", n)
			}
		})
	}
}

// TestWheel_ATouchpadMovesALineSideways and leaves the page alone.
func TestWheel_ATouchpadMovesALineSideways(t *testing.T) {
	env := &Env{}
	o := NewTextEntry(TextEntryOptions{Env: env, Text: strings.Repeat("Rome ", 90)})
	s := wheelPage(t, env, o)
	wheel := test.WidgetRenderer(o).(*entryRenderer).wheel
	wheel.inner.ScrollToOffset(fyne.Position{})
	test.Scroll(s.c, fyne.NewPos(50, 10), -40, -3)
	if got := wheel.inner.Offset.X; got != 40 || env.Reveal.Offset() != 0 {
		t.Errorf("the text is at %v, the page at %v", got, env.Reveal.Offset())
	}
}

// TestWheel_OverTheSearchOfAListScrollsTheList, and the page behind stays.
func TestWheel_OverTheSearchOfAListScrollsTheList(t *testing.T) {
	env := &Env{}
	p := NewPicker(PickerOptions{Env: env, Options: manyOptions(40), Selected: -1})
	s := wheelPage(t, env, p)
	test.Tap(p)
	s.turn(p.list.search, true)
	if got := p.list.rows.scroll.Offset.Y; got != 10 || env.Reveal.Offset() != 0 {
		t.Errorf("the list is at %v, the page at %v", got, env.Reveal.Offset())
	}
}

// TestWheel_OverABoxBesideThePageLeavesThePageAlone, such as what will be sent,
// which stands at the buttons.
func TestWheel_OverABoxBesideThePageLeavesThePageAlone(t *testing.T) {
	env := &Env{}
	env.Reveal = NewReveal(Spacer(10, 900))
	box := NewLongText(safe("{}"), LongTextOptions{Env: env})
	s := newScene(t, Frame(nil, box, nil, nil, env.Reveal), 400, 500)
	s.turn(box, true)
	if got := env.Reveal.Offset(); got != 0 {
		t.Errorf("the page is at %v", got)
	}
}
