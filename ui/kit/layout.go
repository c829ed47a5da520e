package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// heighter is what knows the height it needs at a width.
type heighter interface{ HeightFor(width float32) float32 }

// naturaler is what knows the width it would like.
type naturaler interface{ NaturalWidth() float32 }

// layouter is a layout of this package.
type layouter interface {
	fyne.Layout
	heightFor(objects []fyne.CanvasObject, width float32) float32
	naturalWidth(objects []fyne.CanvasObject) float32
}

// heightOf returns the height o needs at a width.
func heightOf(o fyne.CanvasObject, width float32) float32 {
	switch o := o.(type) {
	case heighter:
		return o.HeightFor(width)
	case *fyne.Container:
		if l, ok := o.Layout.(layouter); ok {
			return l.heightFor(o.Objects, width)
		}
	}
	return o.MinSize().Height
}

// widthOf returns the width o would like.
func widthOf(o fyne.CanvasObject) float32 {
	switch o := o.(type) {
	case naturaler:
		return o.NaturalWidth()
	case *fyne.Container:
		if l, ok := o.Layout.(layouter); ok {
			return l.naturalWidth(o.Objects)
		}
	}
	return o.MinSize().Width
}

// shown reports whether o takes part in a layout.
func shown(o fyne.CanvasObject) bool {
	if t, ok := o.(*Text); ok && t.IsEmpty() {
		return false
	}
	return o.Visible()
}

// Column puts objects under each other, each as wide as the column and as high
// as it needs at that width, gap apart.
func Column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&columnLayout{gap: gap, fill: -1}, objects...)
}

// ColumnFill is Column where the object with the index fill takes the height that is
// left, a LongText as much as it has text for.
func ColumnFill(gap float32, fill int, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&columnLayout{gap: gap, fill: fill}, objects...)
}

type columnLayout struct {
	gap   float32
	width float32
	fill  int // -1 for none
}

func (l *columnLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	var h float32
	n := 0
	for _, o := range objects {
		if shown(o) {
			h += heightOf(o, width)
			n++
		}
	}
	return h + l.gap*float32(max(n-1, 0))
}

func (l *columnLayout) naturalWidth(objects []fyne.CanvasObject) float32 {
	var w float32
	for _, o := range objects {
		if shown(o) {
			w = max(w, widthOf(o))
		}
	}
	return w
}

func (l *columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w float32
	for _, o := range objects {
		if shown(o) {
			w = max(w, o.MinSize().Width)
		}
	}
	at := l.width
	if at <= 0 {
		at = l.naturalWidth(objects)
	}
	return fyne.NewSize(w, l.heightFor(objects, at))
}

func (l *columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	left := float32(0)
	if l.fill >= 0 {
		left = max(size.Height-l.heightFor(objects, size.Width), 0)
	}
	var y float32
	for i, o := range objects {
		if !shown(o) {
			continue
		}
		h := heightOf(o, size.Width)
		if i == l.fill {
			h += left
			if long, ok := o.(*LongText); ok {
				h = min(h, long.wholeHeight())
			}
		}
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, h))
		y += h + l.gap
	}
}

// Row puts objects beside each other, gap apart, each as wide as it likes and
// centred in height. What does not fit is taken from the widest.
func Row(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&rowLayout{gap: gap, fill: -1}, objects...)
}

// RowFill is Row where the object with the index fill takes the space that is
// left.
func RowFill(gap float32, fill int, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&rowLayout{gap: gap, fill: fill}, objects...)
}

// RowTop is RowFill with the objects at the top instead of the middle.
func RowTop(gap float32, fill int, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&rowLayout{gap: gap, fill: fill, top: true}, objects...)
}

type rowLayout struct {
	gap   float32
	fill  int
	top   bool
	width float32
}

// widths shares out the width of the row.
func (l *rowLayout) widths(objects []fyne.CanvasObject, width float32) []float32 {
	w := make([]float32, len(objects))
	var used float32
	n, widest := 0, -1
	for i, o := range objects {
		if !shown(o) {
			continue
		}
		n++
		w[i] = widthOf(o)
		used += w[i]
		if widest < 0 || w[i] > w[widest] {
			widest = i
		}
	}
	if n == 0 {
		return w
	}
	left := width - used - l.gap*float32(n-1)
	give := l.fill
	if give < 0 || give >= len(objects) || !shown(objects[give]) {
		if left >= 0 {
			return w
		}
		give = widest
	}
	w[give] = max(w[give]+left, min(objects[give].MinSize().Width, w[give]))
	return w
}

func (l *rowLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	var h float32
	for i, w := range l.widths(objects, width) {
		if shown(objects[i]) {
			h = max(h, heightOf(objects[i], w))
		}
	}
	return h
}

func (l *rowLayout) naturalWidth(objects []fyne.CanvasObject) float32 {
	var w float32
	n := 0
	for _, o := range objects {
		if shown(o) {
			w += widthOf(o)
			n++
		}
	}
	return w + l.gap*float32(max(n-1, 0))
}

func (l *rowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w float32
	n := 0
	for _, o := range objects {
		if shown(o) {
			w += o.MinSize().Width
			n++
		}
	}
	at := l.width
	if at <= 0 {
		at = l.naturalWidth(objects)
	}
	return fyne.NewSize(w+l.gap*float32(max(n-1, 0)), l.heightFor(objects, at))
}

func (l *rowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	widths := l.widths(objects, size.Width)
	var x float32
	for i, o := range objects {
		if !shown(o) {
			continue
		}
		h := min(heightOf(o, widths[i]), max(size.Height, 0))
		y := (size.Height - h) / 2
		if l.top {
			y = 0
		}
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(widths[i], h))
		x += widths[i] + l.gap
	}
}

// Pad puts space around an object.
func Pad(top, right, bottom, left float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(&padLayout{top, right, bottom, left}, o)
}

type padLayout struct{ top, right, bottom, left float32 }

func (l *padLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	var h float32
	for _, o := range objects {
		if shown(o) {
			h = max(h, heightOf(o, max(width-l.left-l.right, 0)))
		}
	}
	return h + l.top + l.bottom
}

func (l *padLayout) naturalWidth(objects []fyne.CanvasObject) float32 {
	var w float32
	for _, o := range objects {
		if shown(o) {
			w = max(w, widthOf(o))
		}
	}
	return w + l.left + l.right
}

func (l *padLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var s fyne.Size
	for _, o := range objects {
		if shown(o) {
			s = s.Max(o.MinSize())
		}
	}
	return s.AddWidthHeight(l.left+l.right, l.top+l.bottom)
}

func (l *padLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	inner := fyne.NewSize(max(size.Width-l.left-l.right, 0), max(size.Height-l.top-l.bottom, 0))
	for _, o := range objects {
		o.Move(fyne.NewPos(l.left, l.top))
		o.Resize(inner)
	}
}

// Frame gives top and bottom the height they need at the full width, left and
// right the width they like of what is left, and the rest to centre. Any of
// them may be nil. Unlike Fyne's border it leaves no gaps.
func Frame(top, bottom, left, right, centre fyne.CanvasObject) *fyne.Container {
	l := &frameLayout{top, bottom, left, right, centre}
	c := container.New(l)
	for _, o := range []fyne.CanvasObject{top, bottom, left, right, centre} {
		if o != nil {
			c.Objects = append(c.Objects, o)
		}
	}
	return c
}

type frameLayout struct{ top, bottom, left, right, centre fyne.CanvasObject }

func (l *frameLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	var up, down, before, after float32
	if l.top != nil && shown(l.top) {
		up = heightOf(l.top, size.Width)
		place(l.top, 0, 0, size.Width, up)
	}
	if l.bottom != nil && shown(l.bottom) {
		down = heightOf(l.bottom, size.Width)
		place(l.bottom, 0, size.Height-down, size.Width, down)
	}
	height := max(size.Height-up-down, 0)
	if l.left != nil && shown(l.left) {
		before = widthOf(l.left)
		place(l.left, 0, up, before, height)
	}
	if l.right != nil && shown(l.right) {
		after = widthOf(l.right)
		place(l.right, size.Width-after, up, after, height)
	}
	if l.centre != nil {
		place(l.centre, before, up, max(size.Width-before-after, 0), height)
	}
}

// place moves and resizes.
func place(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}

func (l *frameLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	var s fyne.Size
	for _, o := range []fyne.CanvasObject{l.left, l.centre, l.right} {
		if o != nil && shown(o) {
			m := o.MinSize()
			s = fyne.NewSize(s.Width+m.Width, max(s.Height, m.Height))
		}
	}
	for _, o := range []fyne.CanvasObject{l.top, l.bottom} {
		if o != nil && shown(o) {
			m := o.MinSize()
			s = fyne.NewSize(max(s.Width, m.Width), s.Height+m.Height)
		}
	}
	return s
}

// Stack puts objects on top of each other, all of the same size.
func Stack(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&padLayout{}, objects...)
}

// Spacer is an invisible object of a size, to hold room.
func Spacer(width, height float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(width, height))
	return r
}

// newMiddle keeps a text in the middle of its height.
func newMiddle(o fyne.CanvasObject) *fyne.Container { return container.New(middleLayout{}, o) }

type middleLayout struct{}

func (middleLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return heightOf(objects[0], width)
}

func (middleLayout) naturalWidth(objects []fyne.CanvasObject) float32 { return widthOf(objects[0]) }

func (middleLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

func (middleLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := min(heightOf(objects[0], size.Width), size.Height)
	objects[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	objects[0].Resize(fyne.NewSize(size.Width, h))
}
