package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"parley/consent/safetext"
)

// Segment is a part of a URL.
type Segment struct {
	// Text is the part, in the characters of the URL.
	Text string
	// Strong marks the part that says whose page it is: the site, else the host.
	Strong bool
}

// URLView shows a whole URL in fixed width, the site in bold on a tinted field.
// It breaks anywhere rather than scroll sideways, so that nothing of it is ever
// out of sight, but in the site only where that is wider than a line. Nothing in
// it can be clicked.
type URLView struct {
	widget.BaseWidget
	text *Text
	back *Surface
}

// NewURLView shows the segments of a URL, one after the other.
func NewURLView(segments []Segment) *URLView {
	return newURLView(urlRuns(segments))
}

// NewRefusedURL shows a URL that may not be opened, as safe text, with nothing
// in it brought out.
func NewRefusedURL(shown safetext.Text) *URLView {
	return newURLView([]Run{Server(shown, urlStyle)})
}

// NewURLText shows segments of a URL as text among other text, without a frame.
func NewURLText(segments []Segment) *Text {
	runs := urlRuns(segments)
	for i := range runs {
		runs[i].style.Size, runs[i].fill = SizeHint, ""
	}
	t := NewText(runs...)
	t.anywhere = true
	return t
}

var (
	urlStyle  = Style{Mono: true, Color: ColorMuted}
	siteStyle = Style{Mono: true, Bold: true, Size: SizeMessage}
)

func urlRuns(segments []Segment) []Run {
	var runs []Run
	for _, s := range segments {
		// The segments are ASCII by contract; one that is not still cannot
		// hide or reorder anything.
		r := Server(safetext.Make(s.Text, len(s.Text)+1), urlStyle)
		if s.Strong {
			r.style, r.fill = siteStyle, ColorSiteFill
		}
		runs = append(runs, r)
	}
	return runs
}

func newURLView(runs []Run) *URLView {
	v := &URLView{text: NewText(runs...), back: NewSurface(ColorCard, ColorLine, radiusCard)}
	v.text.anywhere, v.text.pad, v.text.lead = true, 3, 4
	v.ExtendBaseWidget(v)
	return v
}

// String is the URL as it is shown.
func (v *URLView) String() string { return v.text.String() }

// Rooms around the URL.
const (
	urlPadX = 16
	urlPadY = 15
)

// HeightFor is the height at a width.
func (v *URLView) HeightFor(width float32) float32 {
	return v.text.HeightFor(max(width-2*urlPadX, 1)) + 2*urlPadY
}

// CreateRenderer is Fyne's.
func (v *URLView) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{v.back, v.text}}
	r.layout = func(size fyne.Size) {
		v.back.Resize(size)
		w := max(size.Width-2*urlPadX, 1)
		v.text.Move(fyne.NewPos(urlPadX, urlPadY))
		v.text.Resize(fyne.NewSize(w, v.text.HeightFor(w)))
	}
	r.min = func() fyne.Size {
		width := v.Size().Width
		if width <= 0 {
			width = v.text.NaturalWidth() + 2*urlPadX
		}
		return fyne.NewSize(minTextWidth+2*urlPadX, v.HeightFor(width))
	}
	r.refresh = func() {
		v.back.Refresh()
		v.text.Refresh()
		canvas.Refresh(v)
	}
	return r
}
