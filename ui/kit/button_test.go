package kit

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestButtonKeys(t *testing.T) {
	for _, c := range []struct {
		name      string
		enterTaps bool
		key       fyne.KeyName
		want      int
	}{
		{"Space presses", false, fyne.KeySpace, 1},
		{"Enter does not, as on Open", false, fyne.KeyReturn, 0},
		{"Enter does where it is harmless", true, fyne.KeyReturn, 1},
		{"the other Enter too", true, fyne.KeyEnter, 1},
		{"letters do not", true, fyne.KeyS, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			taps := 0
			b := NewButton(ButtonOptions{Text: "Open", EnterTaps: c.enterTaps, OnTapped: func() { taps++ }})
			s := newScene(t, Row(0, b), 200, 60)
			s.focus(b)
			s.keys(c.key)
			expect(t, "presses", taps, c.want)
		})
	}
}

func TestGuardIgnoresInputForHalfASecond(t *testing.T) {
	at := &clock{time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	env := &Env{Now: at.now}
	guard := NewGuard(env)
	taps := 0
	b := NewButton(ButtonOptions{Env: env, Text: "Submit", Guard: guard, EnterTaps: true, OnTapped: func() { taps++ }})
	s := newScene(t, Row(0, b), 200, 60)
	s.focus(b)
	for _, step := range []struct {
		what    string
		arm     bool
		forward time.Duration
		want    int
	}{
		{"a guard that was never armed", false, 0, 3},
		{"just armed", true, 0, 3},
		{"499 ms later", false, 499 * time.Millisecond, 3},
		{"500 ms after it was armed", false, time.Millisecond, 6},
		{"armed anew, when the question changed", true, 0, 6},
		{"armed again within the time", true, 400 * time.Millisecond, 6},
		{"500 ms after the last time", false, 500 * time.Millisecond, 9},
	} {
		at.at = at.at.Add(step.forward)
		if step.arm {
			guard.Arm()
		}
		test.Tap(b)
		s.focus(b)
		s.keys(fyne.KeySpace, fyne.KeyReturn)
		expect(t, "presses, "+step.what, taps, step.want)
	}
}

// Whoever clicks on, or holds a key, never reaches a firm button.
func TestFirmButtonWaitsForAPause(t *testing.T) {
	at := &clock{time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	env := &Env{Now: at.now}
	guard := NewGuard(env)
	taps := 0
	b := NewButton(ButtonOptions{Env: env, Text: "Open", Guard: guard, Firm: true, OnTapped: func() { taps++ }})
	newScene(t, Row(0, b), 200, 60)
	guard.Arm()
	for range 14 {
		at.at = at.at.Add(150 * time.Millisecond)
		test.Tap(b)
	}
	expect(t, "presses by one who clicks on", taps, 0)
	at.at = at.at.Add(500 * time.Millisecond)
	test.Tap(b)
	expect(t, "presses after a pause", taps, 1)
}

func TestDisabledButtonDoesNothing(t *testing.T) {
	taps := 0
	b := NewButton(ButtonOptions{Text: "Open", OnTapped: func() { taps++ }})
	newScene(t, Row(0, b), 200, 60)
	b.Disable()
	expect(t, "Press reports", b.Press(), false)
	b.Enable()
	expect(t, "Press reports", b.Press(), true)
	expect(t, "presses", taps, 1)
}

func TestButtonStateIsSeen(t *testing.T) {
	th := NewTheme(Light, 1)
	for _, c := range []struct {
		name       string
		importance Importance
		disabled   bool
		fill       fyne.ThemeColorName
		text       fyne.ThemeColorName
	}{
		{"plain", Plain, false, ColorCard, foreground},
		{"primary", Primary, false, ColorAccent, ColorOnAccent},
		{"primary, not yet", Primary, true, ColorAccentSoft, ColorOnAccent},
		{"grave", Grave, false, ColorDanger, ColorOnDanger},
		{"grave, not yet", Grave, true, ColorDangerFill, disabledColor},
		{"quiet", Quiet, false, "", ColorAccent},
		{"plain, not yet", Plain, true, ColorCard, disabledColor},
	} {
		b := NewButton(ButtonOptions{Text: "x", Importance: c.importance})
		newScene(t, Row(0, b), 100, 60)
		if c.disabled {
			b.Disable()
		}
		expect(t, c.name+" fill", b.back.Fill, c.fill)
		expect(t, c.name+" text", b.text.runs[0].style.color(), c.text)
	}
	b := NewButton(ButtonOptions{Text: "x"})
	s := newScene(t, Row(0, b), 100, 60)
	s.focus(b)
	expect(t, "ring of the focus", b.ring.focus.Visible() && b.ring.focus.StrokeColor == th.Color(ColorAccent, 0), true)
	s.c.Unfocus()
	expect(t, "ring without it", b.ring.focus.Visible(), false)
}

func TestEscapeOnAButtonReachesThePage(t *testing.T) {
	escapes := 0
	env := &Env{OnEscape: func() { escapes++ }}
	for _, o := range []fyne.Focusable{
		NewButton(ButtonOptions{Env: env}), NewSideItem(SideItemOptions{Env: env}),
		NewFold(env, "x", Spacer(1, 1), false, nil), NewLongText(safe("x"), LongTextOptions{Env: env}),
		NewYesNo(YesNoOptions{Env: env}), NewPicker(PickerOptions{Env: env}),
		NewChecklist(ChecklistOptions{Env: env, Options: manyOptions(2)}), NewDateField(DateFieldOptions{Env: env}).entry,
	} {
		escapes = 0
		o.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if escapes != 1 {
			t.Errorf("%T keeps Escape to itself", o)
		}
	}
}

// TestButton_SaysThatItHasActedAndTakesItBack with a tick for its picture, and
// no narrower: nothing beside it moves.
func TestButton_SaysThatItHasActedAndTakesItBack(t *testing.T) {
	for name, o := range map[string]ButtonOptions{
		"words": {Text: "Copy the whole text"}, "words and a picture": {Text: "Copy the whole text", Icon: IconCopy}, "a picture": {Icon: IconCopy, Name: "Copy"},
		"a short word": {Text: "OK"},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewButton(o)
			newScene(t, Row(0, b), 400, 60)
			was := b.MinSize().Width
			own := b.Text()
			for _, said := range []string{"Copied", "Copied again"} {
				b.Say(said)
				if b.Text() != said || b.MinSize().Width < was {
					t.Errorf("says %q, %v wide; it was %v", b.Text(), b.MinSize().Width, was)
				}
			}
			b.Say("")
			if b.Text() != own || b.MinSize().Width != was {
				t.Errorf("says %q in the end, %v wide; it was %v", b.Text(), b.MinSize().Width, was)
			}
		})
	}
}

// TestButton_HasRoomForWhatFollowsIt, and for its own words where those are longer.
func TestButton_HasRoomForWhatFollowsIt(t *testing.T) {
	width := func(o ButtonOptions) float32 { return NewButton(o).MinSize().Width }
	short, long := "Read on", "Open a site with a long name"
	expect(t, "with room for more", width(ButtonOptions{Text: short, Room: long}), width(ButtonOptions{Text: long}))
	expect(t, "with room for less", width(ButtonOptions{Text: long, Room: short}), width(ButtonOptions{Text: long}))
}
