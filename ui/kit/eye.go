package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// eye is the button in a masked field that shows and hides what was typed. It
// takes no keyboard: after a passphrase and Tab the next one is typed, whose first
// space would press it. By keyboard [TextEntry] does the same with eyeKey.
type eye struct {
	widget.BaseWidget
	entry *TextEntry
	icon  *Icon
}

// eyeKey, with Ctrl (the Command key on a Mac), shows and hides what was typed.
const eyeKey = fyne.KeyE

func newEye(e *TextEntry) *eye {
	b := &eye{entry: e, icon: NewIcon(theme.VisibilityOffIcon(), "", 18)}
	b.ExtendBaseWidget(b)
	return b
}

// toggle shows what is hidden, and hides what is shown.
func (b *eye) toggle() {
	if b.entry.Disabled() {
		return
	}
	b.entry.Password = !b.entry.Password
	b.entry.Refresh()
	b.entry.watched()
}

// Tapped is Fyne's: a click goes on in the field.
func (b *eye) Tapped(*fyne.PointEvent) {
	b.toggle()
	b.entry.grabFocus()
}

// Cursor is Fyne's.
func (b *eye) Cursor() desktop.Cursor { return desktop.DefaultCursor }

func (b *eye) paint() {
	icon, color := theme.VisibilityIcon(), foreground
	if b.entry.Password {
		icon = theme.VisibilityOffIcon()
	}
	if b.entry.Disabled() {
		color = disabledColor
	}
	b.icon.Set(icon, color)
}

// eyePad is the room beside the picture.
const eyePad = 8

// CreateRenderer is Fyne's.
func (b *eye) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{b.icon}}
	r.layout = func(size fyne.Size) {
		m := b.icon.MinSize()
		b.icon.Resize(m)
		b.icon.Move(fyne.NewPos((size.Width-m.Width)/2, (size.Height-m.Height)/2))
	}
	r.min = func() fyne.Size { return b.icon.MinSize().AddWidthHeight(2*eyePad, 0) }
	r.refresh = func() {
		b.paint()
		canvas.Refresh(b)
	}
	b.paint()
	return r
}
