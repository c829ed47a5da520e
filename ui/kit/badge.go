package kit

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Badge is a small count on a coloured field; a count of 0 hides it.
type Badge struct {
	widget.BaseWidget
	text *Text
	back *Surface
}

// badgeMost is the greatest count shown as it is.
const badgeMost = 99

// NewBadge returns a badge.
func NewBadge(count int) *Badge {
	b := &Badge{text: NewText(), back: NewSurface(ColorAccent, "", 9)}
	b.text.Align = fyne.TextAlignCenter
	b.ExtendBaseWidget(b)
	b.SetCount(count)
	return b
}

// SetCount changes the count.
func (b *Badge) SetCount(count int) {
	words := strconv.Itoa(count)
	if count > badgeMost {
		words = strconv.Itoa(badgeMost) + "+"
	}
	b.Hidden = count <= 0
	b.text.SetRuns(Own(words, Style{Size: SizeHint, Bold: true, Color: ColorOnAccent}))
	b.Refresh()
}

// CreateRenderer is Fyne's.
func (b *Badge) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{b.back, b.text}}
	r.layout = func(size fyne.Size) {
		b.back.Radius = size.Height / 2
		b.back.Resize(size)
		b.back.Refresh()
		h := b.text.HeightFor(size.Width)
		b.text.Move(fyne.NewPos(0, (size.Height-h)/2))
		b.text.Resize(fyne.NewSize(size.Width, h))
	}
	r.min = func() fyne.Size {
		h := 18 * scaleOf(b.Theme())
		return fyne.NewSize(max(b.text.NaturalWidth()+14, h), h)
	}
	r.refresh = func() {
		r.layout(b.Size())
		canvas.Refresh(b)
	}
	return r
}

// Dot is the state of a connection as a dot.
type Dot int

// The states. They differ in shape as well as in colour.
const (
	// DotOff is a ring: not connected.
	DotOff Dot = iota
	// DotOn is a filled disc: connected.
	DotOn
	// DotBusy is a ring in the accent colour: connecting or working.
	DotBusy
	// DotTrouble is a filled square: something is wrong.
	DotTrouble
)

// StatusDot shows a Dot.
type StatusDot struct {
	widget.BaseWidget
	dot  Dot
	back *Surface
}

// dotSize is the side of a dot at text scale 1.
const dotSize = 9

// NewDot returns a dot.
func NewDot(dot Dot) *StatusDot {
	d := &StatusDot{back: NewSurface("", "", 0)}
	d.ExtendBaseWidget(d)
	d.Set(dot)
	return d
}

// Set changes the state.
func (d *StatusDot) Set(dot Dot) {
	d.dot = dot
	d.back.Fill, d.back.Stroke, d.back.Width, d.back.Radius = "", "", 2, dotSize/2.
	switch dot {
	case DotOn:
		d.back.Fill = ColorOK
	case DotBusy:
		d.back.Stroke = ColorAccent
	case DotTrouble:
		d.back.Fill, d.back.Radius = ColorDanger, 1
	default:
		d.back.Stroke = ColorMuted
	}
	d.Refresh()
}

// CreateRenderer is Fyne's.
func (d *StatusDot) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{d.back}}
	r.layout = func(size fyne.Size) { d.back.Resize(size) }
	r.min = func() fyne.Size { return fyne.NewSquareSize(dotSize) }
	r.refresh = func() {
		d.back.Refresh()
		canvas.Refresh(d)
	}
	return r
}
