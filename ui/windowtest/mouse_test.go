//go:build linux && window

package windowtest

import "testing"

// TestMouse does with the pointer what TestTour does by keyboard, as far as to
// see that every kind of control takes a click, wherever on it it lands. The
// places are those of the pictures of TestTour.
func TestMouse(t *testing.T) {
	v := startTour(t, "mouse", []string{"LANG=en_US.UTF-8", "FYNE_THEME=light"}, "en")
	d := v.d
	click := func(what string, x, y int) {
		t.Helper()
		before := d.Settle()
		d.Click(x, y)
		d.WaitChange(before)
		v.picture(what)
	}
	click("sidebar-row-by-its-text", 75, 765)
	click("another-by-its-edge", 200, 100)
	click("server-row", 70, 218)
	click("tool-row-by-its-title", 350, 238)
	click("entry", 1000, 260)
	click("first-entry", 500, 260)
	d.Type("Rome")
	click("button", 1190, 756)
	v.questions(1)
	click("yes-or-no-by-its-word", 371, 656)
	click("fold", 350, 756)
	wheel := func(what string, turns int) {
		t.Helper()
		before := d.Settle()
		d.Wheel(500, 225, turns) // over a text field
		d.WaitChange(before)
		v.picture(what)
	}
	wheel("wheel-down-over-a-field", 8)
	wheel("wheel-up-over-a-field", -8)
	click("fold-again", 350, 756)
	click("calendar", 741, 452)
	d.Key("Escape")
	d.Settle()
	click("decline", 1062, 756)
	v.same(v.answered(1), `{"traveller":{"action":"decline"}}`)
}
