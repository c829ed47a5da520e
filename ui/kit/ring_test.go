package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// TestFocusIsSeenBesideAFillAndARedFrame: a ring on the edge of something in a
// strong colour is not seen, so it lies outside of it, with a gap.
func TestFocusIsSeenBesideAFillAndARedFrame(t *testing.T) {
	wrong := func(c Control) fyne.CanvasObject { c.SetInvalid(true); return c }
	button := func(i Importance) *Button { return NewButton(ButtonOptions{Text: "x", Importance: i}) }
	entry, picker := NewTextEntry(TextEntryOptions{}), NewPicker(PickerOptions{Options: optionsOf("a")})
	badEntry, badPicker := NewTextEntry(TextEntryOptions{}), NewPicker(PickerOptions{Options: optionsOf("a")})
	list, date := NewChecklist(ChecklistOptions{Options: optionsOf("a")}), NewDateField(DateFieldOptions{})
	primary, grave, plain, quiet, yesno := button(Primary), button(Grave), button(Plain), button(Quiet), NewYesNo(YesNoOptions{})
	for _, c := range []struct {
		name   string
		o      fyne.CanvasObject
		focus  fyne.Focusable
		ring   *ring
		beside bool
	}{
		{"primary button", primary, primary, &primary.ring, true},
		{"grave button", grave, grave, &grave.ring, true},
		{"plain button", plain, plain, &plain.ring, true},
		{"link", quiet, quiet, &quiet.ring, false},
		{"yes or no", yesno, yesno, &yesno.ring, true},
		{"entry", entry, entry, &entry.ring, false},
		{"picker", picker, picker, &picker.ring, false},
		{"wrong entry", wrong(badEntry), badEntry, &badEntry.ring, true},
		{"wrong picker", wrong(badPicker), badPicker, &badPicker.ring, true},
		{"wrong checklist", wrong(list), list, &list.ring, true},
		{"wrong date", wrong(date), date.entry, &date.entry.ring, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, Pad(20, 20, 20, 20, c.o), 300, 120)
			expect(t, "ring before the focus", c.ring.focus.Visible(), false)
			s.focus(c.focus)
			out := float32(0)
			if c.beside {
				out = ringGap + ringWidth
			}
			expect(t, "ring with the focus", c.ring.focus.Visible(), true)
			expect(t, "its place", c.ring.focus.Position(), fyne.NewPos(-out, -out))
			expect(t, "its size", c.ring.focus.Size(), c.focus.(fyne.CanvasObject).Size().AddWidthHeight(2*out, 2*out))
		})
	}
}

// TestFocusContrasts with whatever a control can stand on by 3 to 1, and so do
// the red frame and what both lie around (WCAG 2.2, 1.4.11 and 2.4.13).
func TestFocusContrasts(t *testing.T) {
	for _, mode := range []Mode{Light, Dark} {
		th := NewTheme(mode, 1)
		for _, fill := range []fyne.ThemeColorName{theme.ColorNameBackground, ColorCard, ColorArea, ColorSidebar,
			ColorHighlight, ColorDangerFill, ColorCautionFill, theme.ColorNameOverlayBackground} {
			for _, line := range []fyne.ThemeColorName{ColorAccent, ColorDanger} {
				if got := contrast(th.Color(line, 0), th.Color(fill, 0)); got < 3 {
					t.Errorf("mode %d: %s on %s has a contrast of %.2f, want 3", mode, line, fill, got)
				}
			}
		}
	}
}
