package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Surface is a filled rectangle with a border, in colours of the theme.
type Surface struct {
	widget.BaseWidget
	// Fill and Stroke name the colours; "" draws none.
	Fill, Stroke fyne.ThemeColorName
	// Width is the width of the border.
	Width float32
	// Radius rounds the corners.
	Radius float32
	// Min is the smallest size.
	Min fyne.Size
}

// NewSurface returns a rectangle with a border one unit wide.
func NewSurface(fill, stroke fyne.ThemeColorName, radius float32) *Surface {
	s := &Surface{Fill: fill, Stroke: stroke, Width: 1, Radius: radius}
	s.ExtendBaseWidget(s)
	return s
}

// CreateRenderer is Fyne's.
func (s *Surface) CreateRenderer() fyne.WidgetRenderer {
	r := &surfaceRenderer{s: s, rect: canvas.NewRectangle(color.Transparent)}
	r.paint()
	return r
}

type surfaceRenderer struct {
	s    *Surface
	rect *canvas.Rectangle
}

func (r *surfaceRenderer) paint() {
	v, th := variant(), r.s.Theme()
	r.rect.FillColor, r.rect.StrokeColor, r.rect.StrokeWidth = color.Transparent, nil, 0
	if r.s.Fill != "" {
		r.rect.FillColor = th.Color(r.s.Fill, v)
	}
	if r.s.Stroke != "" {
		r.rect.StrokeColor, r.rect.StrokeWidth = th.Color(r.s.Stroke, v), r.s.Width
	}
	r.rect.CornerRadius = r.s.Radius
}

func (r *surfaceRenderer) Layout(size fyne.Size)        { r.rect.Resize(size) }
func (r *surfaceRenderer) MinSize() fyne.Size           { return r.s.Min }
func (r *surfaceRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }
func (r *surfaceRenderer) Destroy()                     {}

func (r *surfaceRenderer) Refresh() {
	r.paint()
	r.rect.Refresh()
}

// Card puts content on a white sheet with a border.
func Card(content fyne.CanvasObject) *fyne.Container {
	return Stack(NewSurface(ColorCard, ColorLine, radiusCard), Pad(14, 16, 14, 16, content))
}

// ServerArea frames what comes from a server, under a tag that says so: a dashed
// border, which nothing else in the app has. tag is the localised "From the
// server"; content holds the server's texts and the app's controls for them.
func ServerArea(tag string, content fyne.CanvasObject) *fyne.Container {
	return Stack(
		NewSurface(ColorArea, "", radiusCard),
		newDashes(radiusCard),
		Pad(11, 18, 17, 18, Column(11, Sentence(tag, Style{Size: SizeTag, Color: ColorMuted}), content)),
	)
}

// Line is a thin line from left to right.
func Line() fyne.CanvasObject {
	s := NewSurface(ColorLine, "", 0)
	s.Min = fyne.NewSize(1, 1)
	return s
}

// dashes is a dashed frame with round corners. Fyne has no dashed lines: each
// edge is a raster one unit thick, each corner one of the size of its radius.
type dashes struct {
	widget.BaseWidget
	radius float32
}

func newDashes(radius float32) *dashes {
	d := &dashes{radius: radius}
	d.ExtendBaseWidget(d)
	return d
}

func (d *dashes) CreateRenderer() fyne.WidgetRenderer {
	r := &dashesRenderer{d: d}
	for i := range 4 {
		r.objects = append(r.objects, canvas.NewRasterWithPixels(r.edge(i%2 == 0)), canvas.NewRasterWithPixels(r.corner(i)))
	}
	r.Refresh()
	return r
}

type dashesRenderer struct {
	d       *dashes
	objects []fyne.CanvasObject // edge and corner, clockwise from the top and its right end
	// color is the line's. Every pixel has to be of its type, or Fyne takes an
	// image type that drops the colour.
	color color.NRGBA
}

// dash and gap are the lengths of a dash and of the space after it.
const (
	dash    = 4
	dashGap = 3
)

// edge draws a line of dashes. The raster is one unit thick, so its pixels a
// unit are its shorter side.
func (r *dashesRenderer) edge(horizontal bool) func(x, y, w, h int) color.Color {
	return func(x, y, w, h int) color.Color {
		at, unit := x, h
		if !horizontal {
			at, unit = y, w
		}
		if unit = max(unit, 1); at%((dash+dashGap)*unit) < dash*unit {
			return r.color
		}
		return color.NRGBA{}
	}
}

// corner draws a quarter of a circle line; i counts clockwise from top right.
func (r *dashesRenderer) corner(i int) func(x, y, w, h int) color.Color {
	return func(x, y, w, h int) color.Color {
		fx, fy := (float32(x)+.5)/float32(w), (float32(y)+.5)/float32(h)
		if i == 2 || i == 3 {
			fx = 1 - fx
		}
		if i == 0 || i == 3 {
			fy = 1 - fy
		}
		unit := float32(w) / r.d.radius
		off := (1-sqrt(fx*fx+fy*fy))*float32(w)/unit - .5
		a := 1 - abs(off)
		if a <= 0 {
			return color.NRGBA{}
		}
		c := r.color
		c.A = uint8(float32(c.A) * min(a, 1))
		return c
	}
}

func (r *dashesRenderer) Layout(size fyne.Size) {
	rad := min(r.d.radius, size.Width/2, size.Height/2)
	w, h := size.Width, size.Height
	boxes := []struct{ x, y, w, h float32 }{
		{rad, 0, w - 2*rad, 1}, {w - rad, 0, rad, rad},
		{w - 1, rad, 1, h - 2*rad}, {w - rad, h - rad, rad, rad},
		{rad, h - 1, w - 2*rad, 1}, {0, h - rad, rad, rad},
		{0, rad, 1, h - 2*rad}, {0, 0, rad, rad},
	}
	for i, b := range boxes {
		r.objects[i].Move(fyne.NewPos(b.x, b.y))
		r.objects[i].Resize(fyne.NewSize(max(b.w, 0), max(b.h, 0)))
	}
}

func (r *dashesRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *dashesRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *dashesRenderer) Destroy()                     {}

func (r *dashesRenderer) Refresh() {
	r.color = color.NRGBAModel.Convert(r.d.Theme().Color(ColorLine, variant())).(color.NRGBA)
	for _, o := range r.objects {
		o.Refresh()
	}
}
