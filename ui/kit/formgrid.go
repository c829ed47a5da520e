package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// formColumn is the narrowest column for which a form has two of them, at text
// scale 1; with larger text or a narrower window it has one.
const formColumn = 300

// Rooms between the fields of a form.
const (
	formGapX = 20
	formGapY = 12
)

// FormGrid lays fields out in two columns, read from left to right and then
// down, or in one where there is no room for two.
type FormGrid struct {
	widget.BaseWidget
	env  *Env
	rows []*FieldRow
}

// NewFormGrid returns a form. With an Env that has a Reveal, the page is laid
// out again when a field grows.
func NewFormGrid(env *Env, rows ...*FieldRow) *FormGrid {
	g := &FormGrid{env: env}
	g.ExtendBaseWidget(g)
	g.Add(rows...)
	return g
}

// Add puts fields at the end of the form, for forms that are built in pieces.
func (g *FormGrid) Add(rows ...*FieldRow) {
	for _, r := range rows {
		r.grown = g.relayout
	}
	g.rows = append(g.rows, rows...)
	g.Refresh()
}

// WholeLines parts fields that are to be continued in another form below: those
// that fill their lines in two columns, and the one, if any, that would stand on
// its line alone.
func WholeLines(rows []*FieldRow) (whole, rest []*FieldRow) {
	alone := false
	for _, r := range rows {
		alone = !alone && !r.o.Wide
	}
	if !alone {
		return rows, nil
	}
	return rows[:len(rows)-1], rows[len(rows)-1:]
}

// Rows are the fields in order.
func (g *FormGrid) Rows() []*FieldRow { return g.rows }

func (g *FormGrid) relayout() {
	if g.env != nil && g.env.Reveal != nil {
		g.env.Reveal.Relayout()
		return
	}
	g.Resize(fyne.NewSize(g.Size().Width, g.HeightFor(g.Size().Width)))
	g.Refresh()
}

// columns is the number of columns at a width.
func (g *FormGrid) columns(width float32) int {
	if width < (2*formColumn+formGapX)*scaleOf(g.Theme()) {
		return 1
	}
	return 2
}

// arrange calls place for every field with its rectangle and returns the
// height.
func (g *FormGrid) arrange(width float32, place func(r *FieldRow, x, y, w, h float32)) float32 {
	two := g.columns(width) == 2
	half := (width - formGapX) / 2
	var y float32
	for i := 0; i < len(g.rows); {
		if i > 0 {
			y += formGapY
		}
		left := g.rows[i]
		if !two || left.o.Wide {
			h := left.HeightFor(width)
			place(left, 0, y, width, h)
			y += h
			i++
			continue
		}
		h := left.HeightFor(half)
		place(left, 0, y, half, h)
		i++
		if i < len(g.rows) && !g.rows[i].o.Wide {
			right := g.rows[i].HeightFor(half)
			place(g.rows[i], half+formGapX, y, half, right)
			h = max(h, right)
			i++
		}
		y += h
	}
	return y
}

// HeightFor is the height at a width.
func (g *FormGrid) HeightFor(width float32) float32 {
	return g.arrange(max(width, 1), func(*FieldRow, float32, float32, float32, float32) {})
}

// CreateRenderer is Fyne's.
func (g *FormGrid) CreateRenderer() fyne.WidgetRenderer { return &formRenderer{g} }

type formRenderer struct{ g *FormGrid }

func (r *formRenderer) Layout(size fyne.Size) {
	r.g.arrange(max(size.Width, 1), func(row *FieldRow, x, y, w, h float32) {
		row.Move(fyne.NewPos(x, y))
		row.Resize(fyne.NewSize(w, h))
	})
}

func (r *formRenderer) MinSize() fyne.Size {
	width := r.g.Size().Width
	if width <= 0 {
		width = 2*formColumn + formGapX
	}
	return fyne.NewSize(160, r.g.HeightFor(width))
}

func (r *formRenderer) Objects() []fyne.CanvasObject {
	out := make([]fyne.CanvasObject, len(r.g.rows))
	for i, row := range r.g.rows {
		out[i] = row
	}
	return out
}

func (r *formRenderer) Refresh() {
	r.Layout(r.g.Size())
	canvas.Refresh(r.g)
}

func (r *formRenderer) Destroy() {}
