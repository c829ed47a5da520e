package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Reveal is a page that scrolls up and down and knows how to bring one of its
// objects into view. Fyne's Tab moves the focus to a control but leaves it off
// the screen (fyne-io/fyne#3029); the controls of this package call IntoView when
// they gain the focus.
type Reveal struct {
	widget.BaseWidget
	// OnScrolled, if set, is called after the page was scrolled.
	OnScrolled func()
	scroll     *container.Scroll
	content    fyne.CanvasObject
	// moved are called when another part of the page may be in view.
	moved []func()
}

// NewReveal returns a scrolling page with content.
func NewReveal(content fyne.CanvasObject) *Reveal {
	r := &Reveal{content: content, scroll: container.NewVScroll(content)}
	r.scroll.OnScrolled = func(fyne.Position) { r.scrolled() }
	r.ExtendBaseWidget(r)
	return r
}

// IntoView scrolls as little as needed to have o in view, with some room around it.
// An object that is higher than the page is shown from its top.
func (r *Reveal) IntoView(o fyne.CanvasObject) {
	top, ok := topWithin(r.content, o)
	if !ok {
		return // it stands beside the page, as a button below it does
	}
	r.bringIn(top, o.Size().Height)
}

// bringIn scrolls as little as needed to have in view what is top below the
// beginning of the page and so high, with some room around it.
func (r *Reveal) bringIn(top, height float32) {
	view := r.scroll.Size().Height
	room := float32(revealRoom)
	if height <= view { // which a low page shows all of
		room = min(room, (view-height)/2)
	}
	from, to := top-room, top+height+room
	offset := r.scroll.Offset.Y
	switch {
	case from < offset || to-from > view:
		offset = from
	case to > offset+view:
		offset = to - view
	default:
		return
	}
	r.scrollTo(max(offset, 0))
}

// scrollTo scrolls by the program, of which Fyne's scroller tells nobody.
func (r *Reveal) scrollTo(y float32) {
	r.scroll.ScrollToOffset(fyne.NewPos(0, y))
	r.scrolled()
}

func (r *Reveal) scrolled() {
	r.viewed()
	if r.OnScrolled != nil {
		r.OnScrolled()
	}
}

// viewed tells what draws only what is in view.
func (r *Reveal) viewed() {
	for _, f := range r.moved {
		f()
	}
}

// revealRoom is the room kept above and below what is revealed, where there is so much:
// a label above a control, a hint below it.
const revealRoom = 36

// ScrollToTop goes back to the beginning of the page.
func (r *Reveal) ScrollToTop() { r.scrollTo(0) }

// ScrollTo scrolls to what is y below the beginning of the page, or as far as
// the page goes.
func (r *Reveal) ScrollTo(y float32) {
	most := max(r.content.Size().Height-r.scroll.Size().Height, 0)
	r.scrollTo(max(min(y, most), 0))
}

// Offset is how far the page is scrolled, in Fyne's units.
func (r *Reveal) Offset() float32 { return r.scroll.Offset.Y }

// Bottom is how far down the page is in view, in Fyne's units.
func (r *Reveal) Bottom() float32 { return r.scroll.Offset.Y + r.scroll.Size().Height }

// AtEnd reports whether the end of the page is in view.
func (r *Reveal) AtEnd() bool {
	const slack = 1 // of sums of floats
	return r.Bottom() >= r.ContentHeight(r.Size().Width)-slack
}

// ScrollOn scrolls down by what fits into view, less a line or two.
func (r *Reveal) ScrollOn() { r.ScrollTo(r.scroll.Offset.Y + r.stride()) }

// ScrollBack scrolls up by as much.
func (r *Reveal) ScrollBack() { r.ScrollTo(r.scroll.Offset.Y - r.stride()) }

func (r *Reveal) stride() float32 {
	const again = 24 // of what was in view before
	height := r.scroll.Size().Height
	return max(height-again, height/2)
}

// ContentHeight is the height at which the page need not scroll.
func (r *Reveal) ContentHeight(width float32) float32 { return heightOf(r.content, width) }

// Relayout lays the page out again after something in it has grown or shrunk.
// A window does so by itself with its next frame; Relayout does it now.
func (r *Reveal) Relayout() {
	size := r.scroll.Size()
	want := fyne.NewSize(size.Width, max(heightOf(r.content, size.Width), size.Height))
	r.content.Resize(want)
	if c, ok := r.content.(*fyne.Container); ok && c.Layout != nil {
		c.Layout.Layout(c.Objects, want)
	}
	r.scroll.Refresh()
}

// CreateRenderer is Fyne's.
func (r *Reveal) CreateRenderer() fyne.WidgetRenderer { return &revealRenderer{r} }

type revealRenderer struct{ r *Reveal }

func (v *revealRenderer) Layout(size fyne.Size) {
	// The content learns its width before the scroller asks for its height.
	v.r.content.Resize(fyne.NewSize(size.Width, max(heightOf(v.r.content, size.Width), size.Height)))
	v.r.scroll.Resize(size)
	v.r.viewed()
}

func (v *revealRenderer) MinSize() fyne.Size           { return v.r.scroll.MinSize() }
func (v *revealRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{v.r.scroll} }
func (v *revealRenderer) Refresh()                     { v.r.scroll.Refresh() }
func (v *revealRenderer) Destroy()                     {}

// topWithin returns how far below the top of root the object o is; ok is false
// if it is not in root. Fyne does not tell what is in a widget, but it tells
// what moves with it.
func topWithin(root, o fyne.CanvasObject) (top float32, ok bool) {
	d := fyne.CurrentApp().Driver()
	if d.CanvasForObject(o) == nil {
		return 0, false
	}
	at, before := root.Position(), d.AbsolutePositionForObject(o).Y
	root.Move(at.AddXY(0, 1))
	after := d.AbsolutePositionForObject(o).Y
	root.Move(at)
	return before - d.AbsolutePositionForObject(root).Y, after != before
}
