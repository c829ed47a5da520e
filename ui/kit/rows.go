package kit

import (
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// rows draws many rows of differing heights under each other and makes objects
// only for those in view. The heights of all rows are computed, which for texts
// costs an addition a character; five thousand options take milliseconds.
type rows struct {
	widget.BaseWidget
	// count is the number of rows.
	count int
	// height is the height row i needs at a width.
	height func(i int, width float32) float32
	// equal, if set, is the height of all rows at a width, or 0 if they differ.
	equal func(width float32) float32
	// make makes an object for a row, update fills it with row i.
	make   func() fyne.CanvasObject
	update func(i int, o fyne.CanvasObject)
	// scroll is what the rows lie in; nil if they are all in view.
	scroll *container.Scroll
	// wheel lies over scroll.
	wheel *wheel

	width   float32
	theme   fyne.Theme
	every   float32   // the height of all rows, 0 if they differ
	tops    []float32 // of each row, and the end of the last, if they differ
	known   bool      // every and tops are those for width and theme
	visible map[int]fyne.CanvasObject
	pool    []fyne.CanvasObject
}

// newRows returns rows of a page with env; they scroll in a box if scrolls.
func newRows(env *Env, scrolls bool) *rows {
	r := &rows{visible: map[int]fyne.CanvasObject{}}
	r.ExtendBaseWidget(r)
	if scrolls {
		r.scroll = container.NewVScroll(r)
		r.scroll.OnScrolled = func(fyne.Position) { r.place() }
		r.wheel = newWheel(env, r.scroll)
	}
	return r
}

// box moves and resizes what the rows lie in.
func (r *rows) box(at fyne.Position, size fyne.Size) {
	r.scroll.Move(at)
	r.scroll.Resize(size)
	r.wheel.Move(at)
	r.wheel.Resize(size)
}

// reset lays the rows out anew after count or what the rows hold has changed.
func (r *rows) reset(count int) {
	r.count, r.known = count, false
	for i, o := range r.visible {
		r.pool = append(r.pool, o)
		delete(r.visible, i)
	}
	if r.scroll != nil {
		r.scroll.Offset = fyne.Position{}
		r.scroll.Refresh()
	}
	r.Refresh()
}

// measure computes the tops for a width.
func (r *rows) measure(width float32) {
	th := r.Theme()
	if r.known && r.width == width && r.theme == th {
		return
	}
	r.width, r.theme, r.known, r.every = width, th, true, 0
	if r.equal != nil {
		r.every = r.equal(width)
	}
	if r.every > 0 {
		return
	}
	r.tops = slices.Grow(r.tops[:0], r.count+1)[:r.count+1]
	r.tops[0] = 0
	for i := range r.count {
		r.tops[i+1] = r.tops[i] + r.height(i, width)
	}
}

// top is where row i begins and the row before it ends.
func (r *rows) top(i int) float32 {
	if r.every > 0 {
		return float32(i) * r.every
	}
	return r.tops[i]
}

// HeightFor is the height of all rows at a width.
func (r *rows) HeightFor(width float32) float32 {
	r.measure(width)
	return r.top(r.count)
}

// MinSize is Fyne's.
func (r *rows) MinSize() fyne.Size {
	width := r.Size().Width
	if r.scroll != nil {
		width = r.scroll.Size().Width
	}
	if width <= 0 {
		return fyne.NewSize(minTextWidth, 0)
	}
	return fyne.NewSize(minTextWidth, r.HeightFor(width))
}

// window is the part of the rows that is in view.
func (r *rows) window() (from, to float32) {
	if r.scroll == nil {
		return 0, r.top(r.count)
	}
	return r.scroll.Offset.Y, r.scroll.Offset.Y + r.scroll.Size().Height
}

// at is the row at a height.
func (r *rows) at(y float32) int {
	i := sort.Search(r.count, func(i int) bool { return r.top(i+1) > y })
	return min(i, r.count-1)
}

// rowAt is the row at p, a place in what the rows or their scroller lie in; ok is
// false where there is none.
func (r *rows) rowAt(p fyne.Position) (i int, ok bool) {
	box, offset := fyne.CanvasObject(r), fyne.Position{}
	if r.scroll != nil {
		box, offset = r.scroll, r.scroll.Offset
	}
	p = p.Subtract(box.Position())
	if p.X < 0 || p.Y < 0 || p.X >= box.Size().Width || p.Y >= box.Size().Height {
		return 0, false
	}
	r.measure(r.Size().Width)
	if y := p.Y + offset.Y; y < r.top(r.count) {
		return r.at(y), true
	}
	return 0, false
}

// place gives every row in view an object and takes it from the others.
func (r *rows) place() {
	if r.Size().Width <= 0 || r.scroll != nil && r.scroll.Size().Width <= 0 {
		return // a scroller without a size gives its content some width or other
	}
	r.measure(r.Size().Width)
	from, to := r.window()
	first, last := 0, -1
	if r.count > 0 && to > from {
		first, last = r.at(from), r.at(to)
	}
	for i, o := range r.visible {
		if i < first || i > last {
			r.pool = append(r.pool, o)
			delete(r.visible, i)
		}
	}
	for i := first; i <= last; i++ {
		o := r.visible[i]
		if o == nil {
			if n := len(r.pool); n > 0 {
				o, r.pool = r.pool[n-1], r.pool[:n-1]
			} else {
				o = r.make()
			}
			r.visible[i] = o
			r.update(i, o)
		}
		o.Move(fyne.NewPos(0, r.top(i)))
		o.Resize(fyne.NewSize(r.width, r.top(i+1)-r.top(i)))
	}
}

// refreshRow fills row i again if it is in view.
func (r *rows) refreshRow(i int) {
	if o := r.visible[i]; o != nil {
		r.update(i, o)
	}
}

// intoView scrolls so that row i is in view.
func (r *rows) intoView(i int) {
	if r.scroll == nil || i < 0 || i >= r.count || r.width <= 0 {
		return
	}
	r.measure(r.width)
	from, to := r.window()
	switch {
	case r.top(i) < from:
		r.scroll.ScrollToOffset(fyne.NewPos(0, r.top(i)))
	case r.top(i+1) > to:
		r.scroll.ScrollToOffset(fyne.NewPos(0, max(r.top(i+1)-(to-from), 0)))
	}
	r.place()
}

// pageRows is how many rows a page key moves.
const pageRows = 8

// CreateRenderer is Fyne's.
func (r *rows) CreateRenderer() fyne.WidgetRenderer { return &rowsRenderer{r} }

type rowsRenderer struct{ r *rows }

func (v *rowsRenderer) Layout(fyne.Size)   { v.r.place() }
func (v *rowsRenderer) MinSize() fyne.Size { return v.r.MinSize() }
func (v *rowsRenderer) Destroy()           {}
func (v *rowsRenderer) Objects() []fyne.CanvasObject {
	out := make([]fyne.CanvasObject, 0, len(v.r.visible))
	for _, i := range v.r.inOrder() {
		out = append(out, v.r.visible[i])
	}
	return out
}

// inOrder returns the rows in view from top to bottom.
func (r *rows) inOrder() []int {
	order := make([]int, 0, len(r.visible))
	for i := range r.visible {
		order = append(order, i)
	}
	sort.Ints(order)
	return order
}

func (v *rowsRenderer) Refresh() {
	v.r.place()
	for _, i := range v.r.inOrder() {
		v.r.update(i, v.r.visible[i])
	}
}
