package kit

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
)

// sideScene is a list of count rows above a button, in a window of 400 units.
func sideScene(t *testing.T, count int) (*scene, *SideList, *Reveal, *Button, *int) {
	t.Helper()
	made := 0
	env := &Env{}
	l := NewSideList(count, func(i int) *SideItem {
		made++
		return NewSideItem(SideItemOptions{Env: env, Title: safe(fmt.Sprint("Server ", i)), Subtitle: safe("here")})
	})
	below := NewButton(ButtonOptions{Env: env, Text: "Add"})
	page := NewReveal(Column(0, l, below))
	env.Reveal = page
	l.PutOn(page)
	return newScene(t, page, 240, 400), l, page, below, &made
}

func rowsOf(l *SideList) (all []int) {
	l.Made(func(i int, _ *SideItem) { all = append(all, i) })
	return all
}

func TestSideList_MakesWhatIsInViewOnly(t *testing.T) {
	s, l, page, _, made := sideScene(t, 10_000)
	if *made > 60 {
		t.Errorf("%d rows were made for a window of 400 units", *made)
	}
	if h := l.rowHeight(); l.Size().Height != 10_000*h {
		t.Errorf("the list is %v high with rows of %v", l.Size().Height, h)
	}
	page.ScrollTo(5000 * l.rowHeight())
	for i := 5000; float32(i)*l.rowHeight() < page.Bottom(); i++ {
		if row := l.made[i]; row == nil || row.Position().Y != float32(i)*l.rowHeight() || row.Size().Width != l.Size().Width {
			t.Fatalf("row %d is in view and not drawn there", i)
		}
	}
	if n := len(l.made); n > 60 {
		t.Errorf("%d rows are there at once", n)
	}
	s.w.Resize(fyne.NewSize(240, 1600))
	for i := 5000; float32(i)*l.rowHeight() < page.Bottom(); i++ {
		if l.made[i] == nil {
			t.Fatalf("row %d came into view by a larger window and is not drawn", i)
		}
	}
	l.Select(7)
	if row := l.Selected(); row == nil || !row.selected {
		t.Error("a row out of view cannot be selected")
	}
	l.Reset(0)
	expect(t, "rows of none", len(l.made), 0)
	expect(t, "height of none", l.MinSize().Height, float32(0))
}

func TestSideList_TheKeyboardFindsEveryRow(t *testing.T) {
	const count = 300
	s, l, page, below, _ := sideScene(t, count)
	next := func() { s.c.(interface{ FocusNext() }).FocusNext() }
	next()
	for i := range count {
		if s.c.Focused() != fyne.Focusable(l.made[i]) {
			t.Fatalf("row %d is not next: rows %v", i, rowsOf(l))
		}
		if y := float32(i) * l.rowHeight(); y < page.Offset() || y > page.Bottom() {
			t.Fatalf("row %d has the keyboard out of view", i)
		}
		s.keys(fyne.KeyDown)
	}
	expect(t, "below the last row", s.c.Focused() == fyne.Focusable(below), true)
	s.c.(interface{ FocusPrevious() }).FocusPrevious()
	expect(t, "above the button", s.c.Focused() == fyne.Focusable(l.made[count-1]), true)
	page.ScrollToTop() // by the wheel
	s.keys(fyne.KeyUp)
	expect(t, "the row before, after the wheel", s.c.Focused() == fyne.Focusable(l.made[count-2]), true)
}
