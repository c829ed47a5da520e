package kit

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// The character of the key that moved the keyboard is not typed into what has got
// it: the search of a long list began with a space, in which the pick was lost.
func TestSpaceThatOpensSomethingIsNotTypedIntoIt(t *testing.T) {
	t.Run("a long list opens at its pick", func(t *testing.T) {
		s, p, picked := pickerScene(t, PickerOptions{Options: manyOptions(40), Selected: 30, Clearable: true})
		s.typed(" ")
		if !p.IsOpen() {
			t.Fatal("Space does not open the list")
		}
		expect(t, "searched for", p.list.search.Text(), "")
		expect(t, "rows, with Not answered", len(p.list.shown), 41)
		s.keys(fyne.KeyDown, fyne.KeyReturn)
		if !slices.Equal(*picked, []int{31}) {
			t.Errorf("picked %v, want the one after the pick, 31", *picked)
		}
	})
	t.Run("a short list opens and picks", func(t *testing.T) {
		s, p, picked := pickerScene(t, PickerOptions{Options: manyOptions(5), Selected: 2})
		s.typed(" ")
		s.keys(fyne.KeyDown)
		s.typed(" ")
		if !slices.Equal(*picked, []int{3}) || p.IsOpen() {
			t.Errorf("picked %v, open %v", *picked, p.IsOpen())
		}
	})
	t.Run("a day picked in the calendar", func(t *testing.T) {
		f := NewDateField(DateFieldOptions{Env: &Env{}, Text: "2026-06-01"})
		s := newScene(t, Column(0, f), 400, 600)
		s.focus(f.entry)
		s.keys(fyne.KeyF4)
		s.typed(" ")
		expect(t, "open", f.IsOpen(), false)
		expect(t, "text", f.Text(), strings.TrimSpace(f.Text()))
	})
	t.Run("a field that a button made", func(t *testing.T) {
		e := NewTextEntry(TextEntryOptions{Env: &Env{}})
		var s *scene
		b := NewButton(ButtonOptions{Env: &Env{}, Text: "Add", OnTapped: func() { s.focus(e) }})
		s = newScene(t, Column(0, b, e), 400, 600)
		s.focus(b)
		s.typed(" ")
		expect(t, "text", e.Text, "")
		s.typed(" ")
		s.typed("x")
		expect(t, "typed afterwards", e.Text, " x")
	})
}

func TestPickerSearchOfSpacesIsNone(t *testing.T) {
	s, p, picked := pickerScene(t, PickerOptions{Options: manyOptions(40), Selected: 30, Clearable: true})
	s.keys(fyne.KeyDown)
	s.typed(" ")
	s.typed(" ")
	expect(t, "searched for", p.list.search.Text(), "  ")
	expect(t, "rows, with Not answered", len(p.list.shown), 41)
	s.keys(fyne.KeyReturn)
	expect(t, "changes", len(*picked), 0)
	expect(t, "picked", p.Selected(), 30)
}
