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
	// make makes an object for a row, update fills it with row i.
	make   func() fyne.CanvasObject
	update func(i int, o fyne.CanvasObject)
	// scroll is what the rows lie in; nil if they are all in view.
	scroll *container.Scroll

	width   float32
	theme   fyne.Theme
	tops    []float32 // of each row, and the end of the last
	visible map[int]fyne.CanvasObject
	pool    []fyne.CanvasObject
}

// newRows returns rows that scroll in a box.
func newRows(scrolls bool) *rows {
	r := &rows{visible: map[int]fyne.CanvasObject{}}
	r.ExtendBaseWidget(r)
	if scrolls {
		r.scroll = container.NewVScroll(r)
		r.scroll.OnScrolled = func(fyne.Position) { r.place() }
	}
	return r
}

// reset lays the rows out anew after count or what the rows hold has changed.
func (r *rows) reset(count int) {
	r.count, r.tops = count, r.tops[:0]
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
	if len(r.tops) == r.count+1 && r.width == width && r.theme == th {
		return
	}
	r.width, r.theme = width, th
	r.tops = slices.Grow(r.tops[:0], r.count+1)[:r.count+1]
	r.tops[0] = 0
	for i := range r.count {
		r.tops[i+1] = r.tops[i] + r.height(i, width)
	}
}

// HeightFor is the height of all rows at a width.
func (r *rows) HeightFor(width float32) float32 {
	r.measure(width)
	return r.tops[r.count]
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
		return 0, r.tops[r.count]
	}
	return r.scroll.Offset.Y, r.scroll.Offset.Y + r.scroll.Size().Height
}

// at is the row at a height.
func (r *rows) at(y float32) int {
	i := sort.Search(r.count, func(i int) bool { return r.tops[i+1] > y })
	return min(i, r.count-1)
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
		o.Move(fyne.NewPos(0, r.tops[i]))
		o.Resize(fyne.NewSize(r.width, r.tops[i+1]-r.tops[i]))
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
	case r.tops[i] < from:
		r.scroll.ScrollToOffset(fyne.NewPos(0, r.tops[i]))
	case r.tops[i+1] > to:
		r.scroll.ScrollToOffset(fyne.NewPos(0, max(r.tops[i+1]-(to-from), 0)))
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
