package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// placedText is a text in a window with where it lies.
type placedText struct {
	*Text
	at fyne.Position
}

// textsIn are the texts that can be seen in o, whose upper left corner is at.
func textsIn(o fyne.CanvasObject, at fyne.Position) []placedText {
	if o == nil || !o.Visible() {
		return nil
	}
	at = at.Add(o.Position())
	var inner []fyne.CanvasObject
	switch o := o.(type) {
	case *Text:
		if o.IsEmpty() {
			return nil
		}
		return []placedText{{o, at}}
	case *fyne.Container:
		inner = o.Objects
	case fyne.Widget:
		inner = test.WidgetRenderer(o).Objects()
	}
	var out []placedText
	for _, c := range inner {
		out = append(out, textsIn(c, at)...)
	}
	return out
}

// Words that do not fit on one line take as many as they need, and what follows
// lies below all of them.
func TestWordsThatWrapLieUnderNothing(t *testing.T) {
	long := strings.Repeat("many words of an ordinary sentence ", 6)
	env := &Env{}
	for name, o := range map[string]fyne.CanvasObject{
		"an open fold":   NewFold(env, long, Column(0, Sentence("content", Style{})), true, nil),
		"a closed fold":  NewFold(env, long, Sentence("content", Style{}), false, nil),
		"a check":        NewCheck(env, long, true, nil),
		"a notice":       NewNotice(Danger, long, long),
		"a checklist":    NewChecklist(ChecklistOptions{Env: env, Options: []Option{{Label: safe(long), Detail: safe(long)}, {Label: safe(long)}}}),
		"a yes or no":    NewYesNo(YesNoOptions{Env: env}),
		"a server area":  ServerArea(long, Sentence(long, Style{})),
		"a refused link": NewRefusedURL(safe(long)),
		"an action bar":  ActionBar([]fyne.CanvasObject{NewButton(ButtonOptions{Env: env, Text: "a button of some width"})}, []fyne.CanvasObject{NewButton(ButtonOptions{Env: env, Text: "another button"})}),
	} {
		for _, width := range []float32{180, 320, 640} {
			below := Sentence("below", Style{})
			s := newScene(t, Column(0, o, below), width, 3000)
			if f, ok := o.(fyne.Focusable); ok {
				s.focus(f)
			}
			texts := textsIn(s.c.Content(), fyne.Position{})
			for i, a := range texts {
				if need := a.HeightFor(a.Size().Width); a.Size().Height < need-0.5 {
					t.Errorf("%s, %v wide: %q is %v high and needs %v", name, width, a.String(), a.Size().Height, need)
				}
				for _, b := range texts[i+1:] {
					if a.at.X < b.at.X+b.Size().Width && b.at.X < a.at.X+a.Size().Width &&
						a.at.Y < b.at.Y+b.Size().Height-0.5 && b.at.Y < a.at.Y+a.Size().Height-0.5 {
						t.Errorf("%s, %v wide: %q (%v %v) lies over %q (%v %v)", name, width, a.String(), a.at, a.Size(), b.String(), b.at, b.Size())
					}
				}
			}
		}
	}
}

// A heading that comes to need another line makes room for it.
func TestAFoldWhoseHeadingGrowsMakesRoom(t *testing.T) {
	env := &Env{}
	f := NewFold(env, "short", Sentence("content", Style{}), true, nil)
	below := Sentence("below", Style{})
	env.Reveal = NewReveal(Column(0, f, below))
	newScene(t, env.Reveal, 300, 600)
	f.SetTitle(strings.Repeat("long words ", 12))
	if below.Position().Y < f.Position().Y+f.HeightFor(300) {
		t.Errorf("what follows begins at %v, under the fold's end at %v", below.Position().Y, f.HeightFor(300))
	}
}
