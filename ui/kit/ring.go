package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// ring shows two things about a control, each two units wide: a red frame on its
// edge when its value is wrong, and a ring in the accent colour when it has the
// focus. The second lies on the edge of a plain control. Around a filled one and
// around the red frame, where it would drown, it lies outside, with a gap that
// shows what is behind the control.
type ring struct {
	frame, focus     *canvas.Rectangle
	radius           float32
	filled           bool // the control has a fill of its own
	focused, invalid bool

	pos  fyne.Position
	size fyne.Size
}

const (
	ringWidth = 2
	ringGap   = 2
)

func newRing(radius float32) ring {
	r := ring{frame: canvas.NewRectangle(color.Transparent), focus: canvas.NewRectangle(color.Transparent), radius: radius}
	r.frame.CornerRadius, r.frame.StrokeWidth, r.focus.StrokeWidth = radius, ringWidth, ringWidth
	r.frame.Hidden, r.focus.Hidden = true, true
	return r
}

// objects are what is drawn on top of the control.
func (r *ring) objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.frame, r.focus} }

// around lays the ring around the part of the control at pos.
func (r *ring) around(pos fyne.Position, size fyne.Size) {
	r.pos, r.size = pos, size
	r.frame.Move(pos)
	r.frame.Resize(size)
	out := float32(0)
	if r.filled || r.invalid {
		out = ringGap + ringWidth
	}
	r.focus.CornerRadius = r.radius + out
	r.focus.Move(pos.SubtractXY(out, out))
	r.focus.Resize(size.AddWidthHeight(2*out, 2*out))
}

func (r *ring) paint(th fyne.Theme) {
	r.frame.StrokeColor, r.focus.StrokeColor = th.Color(ColorDanger, variant()), th.Color(ColorAccent, variant())
	r.frame.Hidden, r.focus.Hidden = !r.invalid, !r.focused
	r.around(r.pos, r.size)
	r.frame.Refresh()
	r.focus.Refresh()
}
