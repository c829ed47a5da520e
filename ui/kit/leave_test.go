package kit_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"parley/ui/kit"
)

// TestOnLeave_IsToldWhenTheKeyboardGoes, and not while a popup of the control's
// own has it.
func TestOnLeave_IsToldWhenTheKeyboardGoes(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(kit.NewTheme(kit.Light, 1))
	var left []fyne.CanvasObject
	env := &kit.Env{OnLeave: func(o fyne.CanvasObject) { left = append(left, o) }}
	entry := kit.NewTextEntry(kit.TextEntryOptions{Env: env})
	yesNo := kit.NewYesNo(kit.YesNoOptions{Env: env})
	date := kit.NewDateField(kit.DateFieldOptions{Env: env})
	w := test.NewTempWindow(t, kit.Column(4, entry, yesNo, date))
	for _, c := range []kit.Control{entry, yesNo, date} {
		w.Canvas().Focus(c.FocusTarget())
	}
	date.FocusTarget().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if len(left) != 2 || left[0] != fyne.CanvasObject(entry) || left[1] != fyne.CanvasObject(yesNo) {
		t.Fatalf("left are %v; want the entry and the yes/no field", left)
	}
	w.Canvas().Overlays().Top().(interface{ Tapped(*fyne.PointEvent) }).Tapped(nil)
	w.Canvas().Unfocus()
	if len(left) != 3 || left[2] != date.FocusTarget().(fyne.CanvasObject) {
		t.Errorf("left are %v; want the date field last", left)
	}
}
