package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// OrNull is a control with a box to tick below it that answers null on purpose,
// which is something else than no answer. What the control holds stays in it
// meanwhile.
type OrNull struct {
	widget.BaseWidget
	inner Control
	null  *Check
}

// NewOrNull puts the box below inner. onNull is called with what the person
// makes of it.
func NewOrNull(env *Env, inner Control, null bool, onNull func(null bool)) *OrNull {
	o := &OrNull{inner: inner}
	o.null = NewNullCheck(env, null, func(null bool) {
		o.sync()
		onNull(null)
	})
	o.ExtendBaseWidget(o)
	o.sync()
	return o
}

// NewNullCheck returns the box alone, for what has no control.
func NewNullCheck(env *Env, null bool, onNull func(null bool)) *Check {
	c := NewCheck(env, env.t("kit.null"), null, onNull)
	c.text.SetRuns(Own(env.t("kit.null"), Style{Size: SizeHint}))
	return c
}

func (o *OrNull) sync() {
	if o.null.Checked() {
		o.inner.Disable()
	} else {
		o.inner.Enable()
	}
}

// Inner is the control itself.
func (o *OrNull) Inner() Control { return o.inner }

// Check is the box.
func (o *OrNull) Check() *Check { return o.null }

func (o *OrNull) parts() []Control { return []Control{o.inner, o.null} }

// FocusTarget is the control, and the box while null is the answer.
func (o *OrNull) FocusTarget() fyne.Focusable {
	if o.null.Checked() {
		return o.null
	}
	return o.inner.FocusTarget()
}

// SetInvalid is the control's.
func (o *OrNull) SetInvalid(invalid bool) { o.inner.SetInvalid(invalid) }

// Enable is Fyne's.
func (o *OrNull) Enable() {
	o.null.Enable()
	o.sync()
}

// Disable is Fyne's.
func (o *OrNull) Disable() {
	o.null.Disable()
	o.inner.Disable()
}

// Disabled is Fyne's.
func (o *OrNull) Disabled() bool { return o.null.Disabled() }

// textField is the control's.
func (o *OrNull) textField() *TextEntry {
	if c, ok := o.inner.(interface{ textField() *TextEntry }); ok {
		return c.textField()
	}
	return nil
}

// orNullGap is the room between the control and the box.
const orNullGap = 2

// HeightFor is the height at a width.
func (o *OrNull) HeightFor(width float32) float32 {
	return heightOf(o.inner, width) + orNullGap + o.null.HeightFor(width)
}

// CreateRenderer is Fyne's.
func (o *OrNull) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{o.inner, o.null}}
	r.layout = func(size fyne.Size) {
		h := heightOf(o.inner, size.Width)
		place(o.inner, 0, 0, size.Width, h)
		place(o.null, 0, h+orNullGap, min(o.null.NaturalWidth(), size.Width), o.null.HeightFor(size.Width))
	}
	r.min = func() fyne.Size {
		m := o.inner.MinSize()
		return fyne.NewSize(m.Width, m.Height+orNullGap+o.null.MinSize().Height)
	}
	r.refresh = func() {
		o.inner.Refresh()
		o.null.Refresh()
		canvas.Refresh(o)
	}
	return r
}
