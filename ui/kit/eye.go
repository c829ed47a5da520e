package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
)

// eye is the button in a masked field that shows and hides what was typed. Fyne
// has one, which the keyboard cannot reach; this one comes after its field in
// the order of Tab, and Space and Enter press it.
type eye struct {
	focusBase
	entry *TextEntry
	icon  *Icon
}

func newEye(e *TextEntry) *eye {
	b := &eye{entry: e, icon: NewIcon(theme.VisibilityOffIcon(), "", 18)}
	b.init(e.o.Env, b, radiusField)
	return b
}

// toggle shows what is hidden, and hides what is shown.
func (b *eye) toggle() {
	if b.Disabled() {
		return
	}
	b.entry.Password = !b.entry.Password
	b.entry.Refresh()
	b.entry.watched()
}

// Disabled reports whether the field is.
func (b *eye) Disabled() bool { return b.entry.Disabled() }

// Tapped is Fyne's: a click goes on in the field.
func (b *eye) Tapped(*fyne.PointEvent) {
	b.toggle()
	b.entry.grabFocus()
}

// TypedKey is Fyne's.
func (b *eye) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.toggle()
	case fyne.KeyEscape:
		b.env.escape()
	}
}

// Cursor is Fyne's.
func (b *eye) Cursor() desktop.Cursor { return desktop.DefaultCursor }

func (b *eye) paint() {
	icon, color := theme.VisibilityIcon(), foreground
	if b.entry.Password {
		icon = theme.VisibilityOffIcon()
	}
	if b.Disabled() {
		color = disabledColor
	}
	b.icon.Set(icon, color)
	b.ring.paint(b.Theme())
}

// eyePad is the room beside the picture, and eyeEdge that between the ring of
// the button and that of its field.
const (
	eyePad  = 8
	eyeEdge = 3
)

// CreateRenderer is Fyne's.
func (b *eye) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: append([]fyne.CanvasObject{b.icon}, b.ring.objects()...)}
	r.layout = func(size fyne.Size) {
		m := b.icon.MinSize()
		b.icon.Resize(m)
		b.icon.Move(fyne.NewPos((size.Width-m.Width)/2, (size.Height-m.Height)/2))
		b.ring.around(fyne.NewPos(eyeEdge, eyeEdge), size.SubtractWidthHeight(2*eyeEdge, 2*eyeEdge))
	}
	r.min = func() fyne.Size { return b.icon.MinSize().AddWidthHeight(2*eyePad, 0) }
	r.refresh = func() {
		b.paint()
		canvas.Refresh(b)
	}
	b.paint()
	return r
}
