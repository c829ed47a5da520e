package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// wheel lies over a scroller that stands in a page and takes the mouse wheel for
// both. Fyne gives a turn of the wheel to the innermost scroller under the pointer,
// whether that can move or not, and every text field has one inside: the page stood
// still as soon as a field came under the pointer. Here the scroller moves as long
// as it can in that direction, then the page does.
//
// It takes nothing but the wheel; clicks go through it.
type wheel struct {
	widget.BaseWidget
	env   *Env
	inner *container.Scroll
}

func newWheel(env *Env, inner *container.Scroll) *wheel {
	w := &wheel{env: env, inner: inner}
	w.ExtendBaseWidget(w)
	return w
}

// Scrolled is Fyne's.
func (w *wheel) Scrolled(ev *fyne.ScrollEvent) {
	if w.inner != nil && moves(w.inner, ev.Scrolled) {
		w.inner.Scrolled(ev)
		return
	}
	w.env.wheel(w, ev)
}

// moves reports whether a turn of the wheel moves s. Of one that is askew, as those
// of touchpads are, the longer part counts.
func moves(s *container.Scroll, by fyne.Delta) bool {
	if s.Content == nil || !s.Visible() {
		return false
	}
	if abs(by.DX) > abs(by.DY) {
		return s.Direction != container.ScrollVerticalOnly &&
			canGo(s.Offset.X, -by.DX, s.Content.MinSize().Width-s.Size().Width)
	}
	return s.Direction != container.ScrollHorizontalOnly &&
		canGo(s.Offset.Y, -by.DY, s.Content.MinSize().Height-s.Size().Height)
}

// canGo reports whether there is anything left to scroll from an offset of at most
// most. Sizes are sums, which are not exact to the last bit.
func canGo(offset, by, most float32) bool {
	const exact = .5
	return by > 0 && offset < most-exact || by < 0 && most > 0 && offset > exact
}

// wheel scrolls what o lies in: the page, or the list of a popup.
func (e *Env) wheel(o fyne.CanvasObject, ev *fyne.ScrollEvent) {
	switch {
	case e == nil:
	case e.beside != nil:
		e.beside.Scrolled(ev)
	case e.Reveal != nil:
		if _, within := topWithin(e.Reveal.content, o); within {
			e.Reveal.scroll.Scrolled(ev)
		}
	}
}

// CreateRenderer is Fyne's.
func (w *wheel) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(Spacer(0, 0))
}
