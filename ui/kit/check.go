package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// tickBox is the small square that is ticked or not.
type tickBox struct {
	widget.BaseWidget
	ticked, disabled bool
	back             *Surface
	icon             *Icon
}

func newTickBox() *tickBox {
	t := &tickBox{back: NewSurface(ColorCard, foreground, 3), icon: NewIcon(IconTick, ColorOnAccent, 14)}
	t.back.Width = 1.5
	t.ExtendBaseWidget(t)
	return t
}

func (t *tickBox) set(ticked, disabled bool) {
	t.ticked, t.disabled = ticked, disabled
	t.Refresh()
}

// CreateRenderer is Fyne's.
func (t *tickBox) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{t.back, t.icon}}
	paint := func() {
		t.back.Fill, t.back.Stroke = ColorCard, foreground
		switch {
		case t.ticked && t.disabled:
			t.back.Fill, t.back.Stroke = disabledColor, disabledColor
		case t.ticked:
			t.back.Fill, t.back.Stroke = ColorAccent, ColorAccent
		case t.disabled:
			t.back.Stroke = disabledColor
		}
		t.icon.Hidden = !t.ticked
	}
	r.layout = func(size fyne.Size) {
		t.back.Resize(size)
		t.icon.Resize(size)
	}
	r.min = func() fyne.Size { return fyne.NewSquareSize(16 * scaleOf(t.Theme())) }
	r.refresh = func() {
		paint()
		t.back.Refresh()
		t.icon.Refresh()
		canvas.Refresh(t)
	}
	paint()
	return r
}

// Check is a box to tick, with a sentence of the app beside it.
type Check struct {
	focusBase
	text      *Text
	box       *tickBox
	checked   bool
	onChanged func(bool)
}

// NewCheck returns a box to tick. onChanged may be nil.
func NewCheck(env *Env, label string, checked bool, onChanged func(checked bool)) *Check {
	c := &Check{text: Sentence(label, Style{Bold: true}), box: newTickBox(), checked: checked, onChanged: onChanged}
	c.box.ticked = checked
	c.init(env, c, radiusField)
	return c
}

// SetLabel replaces the sentence beside the box.
func (c *Check) SetLabel(label string) {
	if label == c.text.String() {
		return
	}
	c.text.SetRuns(Own(label, Style{Bold: true}))
	c.Refresh()
}

// Checked reports whether the box is ticked.
func (c *Check) Checked() bool { return c.checked }

// SetChecked ticks or unticks without telling OnChanged.
func (c *Check) SetChecked(checked bool) {
	c.checked = checked
	c.Refresh()
}

func (c *Check) toggle() {
	if c.Disabled() {
		return
	}
	c.SetChecked(!c.checked)
	if c.onChanged != nil {
		c.onChanged(c.checked)
	}
}

// Tapped is Fyne's.
func (c *Check) Tapped(*fyne.PointEvent) {
	c.grabFocus()
	c.toggle()
}

// TypedKey is Fyne's: Space toggles. Enter does not, so that it never stands
// for consent.
func (c *Check) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace:
		c.toggle()
	default:
		c.env.pass(k)
	}
}

// HeightFor is the height at a width.
func (c *Check) HeightFor(width float32) float32 {
	return max(c.text.HeightFor(max(width-c.inset()-checkPad, 1)), c.box.MinSize().Height) + 2*checkPad
}

// NaturalWidth is the width at which the sentence fits on one line.
func (c *Check) NaturalWidth() float32 { return c.inset() + c.text.NaturalWidth() + checkPad }

func (c *Check) inset() float32 { return checkPad + c.box.MinSize().Width + optionGap }

// checkPad is the room between a check and its ring.
const checkPad = 4

// CreateRenderer is Fyne's.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: append([]fyne.CanvasObject{c.box, c.text}, c.ring.objects()...)}
	r.layout = func(size fyne.Size) {
		c.ring.around(fyne.Position{}, size)
		m := c.box.MinSize()
		c.box.Resize(m)
		c.box.Move(fyne.NewPos(checkPad, checkPad+(c.text.runsHeight()-m.Height)/2))
		w := max(size.Width-c.inset()-checkPad, 1)
		c.text.Move(fyne.NewPos(c.inset(), checkPad))
		c.text.Resize(fyne.NewSize(w, c.text.HeightFor(w)))
	}
	r.min = func() fyne.Size {
		width := c.Size().Width
		if width <= 0 {
			width = c.NaturalWidth()
		}
		return fyne.NewSize(c.inset()+minTextWidth, c.HeightFor(width))
	}
	r.refresh = func() {
		c.box.set(c.checked, c.Disabled())
		c.ring.paint(c.Theme())
		r.layout(c.Size())
		canvas.Refresh(c)
	}
	c.ring.paint(c.Theme())
	return r
}
