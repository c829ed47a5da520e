package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Heighter is what knows the height it needs at a width.
type Heighter interface {
	fyne.CanvasObject
	HeightFor(width float32) float32
}

// Bounded shows its content as high as it is up to a limit, and lets it scroll
// beyond.
type Bounded struct {
	widget.BaseWidget
	content fyne.CanvasObject
	scroll  fyne.CanvasObject // scrolls content; content itself if that does
	limit   float32
	natural float32 // the content's height at the width last asked for
}

// noLimit is higher than any window.
const noLimit = 1 << 24

// NewBounded returns content without a limit as yet.
func NewBounded(content fyne.CanvasObject) *Bounded {
	b := &Bounded{content: content, scroll: content, limit: noLimit}
	if _, ok := content.(*LongText); !ok { // which scrolls by itself
		b.scroll = NewReveal(content)
	}
	b.ExtendBaseWidget(b)
	return b
}

// HeightFor is the height at a width.
func (b *Bounded) HeightFor(width float32) float32 {
	b.natural = heightOf(b.content, width)
	return min(b.natural, b.limit)
}

// Unbound lifts the limit.
func (b *Bounded) Unbound() { b.limit = noLimit }

// Shrink sets the limit so that b becomes lower by over, but no lower than
// least, and returns what of over is left. It counts from the height that
// HeightFor returned last.
func (b *Bounded) Shrink(over, least float32) (left float32) {
	now := min(b.natural, b.limit)
	by := min(max(over, 0), max(now-least, 0))
	if by > 0 {
		b.limit = now - by
	}
	return over - by
}

// view is what is drawn: a scroller cuts at its edges, so there is none while
// the content fits.
func (b *Bounded) view() fyne.CanvasObject {
	if b.limit < b.natural {
		return b.scroll
	}
	return b.content
}

// CreateRenderer is Fyne's.
func (b *Bounded) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{b.view()}}
	r.layout = func(size fyne.Size) {
		view := b.view()
		r.objects[0] = view
		view.Move(fyne.Position{})
		view.Resize(size)
	}
	r.min = func() fyne.Size {
		least := b.content.MinSize()
		if width := b.Size().Width; width > 0 {
			return fyne.NewSize(least.Width, b.HeightFor(width))
		}
		return fyne.NewSize(least.Width, min(least.Height, b.limit))
	}
	r.refresh = func() {
		r.layout(b.Size())
		b.view().Refresh()
		canvas.Refresh(b)
	}
	return r
}
