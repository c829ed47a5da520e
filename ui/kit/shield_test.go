package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

// TestAClickBesideThePageTicksNothing: the rows of a checklist that is half
// scrolled out of the page lie, unseen, below what is next to the page.
func TestAClickBesideThePageTicksNothing(t *testing.T) {
	for name, bars := range map[string]func(fyne.CanvasObject) fyne.CanvasObject{
		"bars that take no click": func(bar fyne.CanvasObject) fyne.CanvasObject { return bar },
		"shielded bars":           func(bar fyne.CanvasObject) fyne.CanvasObject { return Shielded(bar) },
	} {
		t.Run(name, func(t *testing.T) {
			env := &Env{}
			ticks := 0
			list := NewChecklist(ChecklistOptions{Env: env, Options: manyOptions(60), OnChanged: func([]int) { ticks++ }})
			env.Reveal = NewReveal(Column(0, Spacer(10, 100), list, Spacer(10, 900)))
			above, below := bars(Spacer(400, 80)), bars(Spacer(400, 80))
			page := container.NewWithoutLayout(above, env.Reveal, below)
			s := newScene(t, page, 400, 340)
			place(above, 0, 0, 400, 80)
			place(env.Reveal, 0, 80, 400, 180)
			place(below, 0, 260, 400, 80)
			for offset := float32(0); offset < 340; offset += 12 {
				env.Reveal.ScrollTo(offset)
				for y := float32(2); y < 80; y += 6 {
					test.TapCanvas(s.c, fyne.NewPos(100, y))
					test.TapCanvas(s.c, fyne.NewPos(100, 260+y))
				}
			}
			expect(t, "ticks", ticks, 0)
			env.Reveal.ScrollTo(120)
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(list.rows.scroll)
			test.TapCanvas(s.c, fyne.NewPos(100, max(at.Y, 80)+20))
			expect(t, "ticks by a click in the page", ticks, 1)
		})
	}
}

// TestAShieldedBarLetsNothingThrough: no scroller of the page that lies, unseen,
// under it moves by the wheel, and its buttons work.
func TestAShieldedBarLetsNothingThrough(t *testing.T) {
	env := &Env{}
	pressed := 0
	entry := NewTextEntry(TextEntryOptions{Env: env, Lines: 4, Text: strings.Repeat("a line\n", 12)})
	env.Reveal = NewReveal(Column(0, Spacer(10, 250), entry, Spacer(10, 900)))
	b := NewButton(ButtonOptions{Env: env, Text: "Submit", OnTapped: func() { pressed++ }})
	s := newScene(t, Frame(nil, nil, nil, nil, nil), 400, 340)
	bar := Shielded(Row(0, b))
	page := container.NewWithoutLayout(env.Reveal, bar)
	s.w.SetContent(page)
	place(env.Reveal, 0, 0, 400, 260)
	place(bar, 0, 260, 400, 80)
	inner := test.WidgetRenderer(entry).(*entryRenderer).wheel.inner
	test.Scroll(s.c, fyne.NewPos(300, 300), 0, -40)
	if inner.Offset.Y != 0 || env.Reveal.Offset() != 0 {
		t.Errorf("the text is at %v, the page at %v", inner.Offset.Y, env.Reveal.Offset())
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
	test.TapCanvas(s.c, at.AddXY(5, 5))
	expect(t, "presses", pressed, 1)
	test.Scroll(s.c, fyne.NewPos(300, 257), 0, -40)
	if inner.Offset.Y == 0 {
		t.Error("in view, the text does not scroll")
	}
}
