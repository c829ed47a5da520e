package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Control is what a FieldRow can hold: something with a value.
type Control interface {
	fyne.CanvasObject
	// FocusTarget is what gets the keyboard when the field is asked for.
	FocusTarget() fyne.Focusable
	// SetInvalid puts the red frame around the control, or takes it away.
	SetInvalid(bool)
	fyne.Disableable
}

// Holds reports whether o is c, or a part of it that the keyboard can be in.
func Holds(c Control, o fyne.CanvasObject) bool {
	if p, ok := c.(interface{ parts() []Control }); ok {
		for _, part := range p.parts() {
			if Holds(part, o) {
				return true
			}
		}
	}
	target, ok := c.FocusTarget().(fyne.CanvasObject)
	return fyne.CanvasObject(c) == o || ok && target == o
}

// groundOf is what a control lies on: one that takes nothing now is as flat as the
// page.
func groundOf(disabled bool) fyne.ThemeColorName {
	if disabled {
		return ColorArea
	}
	return ColorCard
}

// fieldHeight is the height of a one-line control at text scale 1.
const fieldHeight = 38

// fieldPadX is where the text in a control begins, as in Fyne's Entry.
const fieldPadX = 9

// focusBase is what the kit's own controls share: focus, ring, hover, disabling
// and the Escape that nobody else used.
type focusBase struct {
	widget.DisableableWidget
	env     *Env
	ring    ring
	hovered bool
	self    fyne.Widget
}

func (f *focusBase) init(env *Env, self fyne.Widget, radius float32) {
	f.env, f.self, f.ring = env, self, newRing(radius)
	f.ExtendBaseWidget(self)
}

// FocusGained is Fyne's.
func (f *focusBase) FocusGained() {
	f.ring.focused = true
	f.self.Refresh()
	f.env.focused(f.self)
}

// FocusLost is Fyne's.
func (f *focusBase) FocusLost() {
	f.ring.focused = false
	f.self.Refresh()
	f.env.left(f.self)
}

// TypedRune is Fyne's.
func (f *focusBase) TypedRune(rune) {}

// FocusTarget is the control itself.
func (f *focusBase) FocusTarget() fyne.Focusable { return f.self.(fyne.Focusable) }

// SetInvalid shows or hides the red frame.
func (f *focusBase) SetInvalid(invalid bool) {
	if f.ring.invalid != invalid {
		f.ring.invalid = invalid
		f.self.Refresh()
	}
}

// MouseIn is Fyne's.
func (f *focusBase) MouseIn(*desktop.MouseEvent) {
	f.hovered = true
	f.self.Refresh()
}

// MouseMoved is Fyne's.
func (f *focusBase) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is Fyne's.
func (f *focusBase) MouseOut() {
	f.hovered = false
	f.self.Refresh()
}

// grabFocus takes the keyboard after a click.
func (f *focusBase) grabFocus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f.self); c != nil {
		c.Focus(f.self.(fyne.Focusable))
	}
}

// boxRenderer draws a control: a background, its content, the ring on top.
type boxRenderer struct {
	objects []fyne.CanvasObject
	layout  func(size fyne.Size)
	min     func() fyne.Size
	refresh func()
}

func (r *boxRenderer) Layout(size fyne.Size)        { r.layout(size) }
func (r *boxRenderer) MinSize() fyne.Size           { return r.min() }
func (r *boxRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *boxRenderer) Refresh()                     { r.refresh() }
func (r *boxRenderer) Destroy()                     {}
