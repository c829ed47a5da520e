package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Fold is a heading that opens and closes what is below it. Space and Enter do
// the same as a click.
type Fold struct {
	focusBase
	title    string
	arrow    *Icon
	text     *Text
	content  fyne.CanvasObject
	open     bool
	onToggle func(open bool)
}

// NewFold returns a heading with content below it, open or closed. onToggle,
// which may be nil, is called when the person opens or closes it, so that a
// page can make the content only then.
func NewFold(env *Env, title string, content fyne.CanvasObject, open bool, onToggle func(open bool)) *Fold {
	f := &Fold{title: title, arrow: NewIcon(IconRight, ColorAccent, 13), text: NewText(), content: content, open: open, onToggle: onToggle}
	f.text.SetRuns(Own(title, Style{Bold: true, Color: ColorAccent}))
	f.init(env, f, radiusField)
	f.sync()
	return f
}

// SetTitle changes the heading.
func (f *Fold) SetTitle(title string) {
	if f.title == title {
		return
	}
	width := f.Size().Width
	was := f.head(width)
	f.title = title
	f.text.SetRuns(Own(title, Style{Bold: true, Color: ColorAccent}))
	f.Refresh()
	if f.head(width) != was {
		f.env.relayout()
	}
}

// IsOpen reports whether the content is in view.
func (f *Fold) IsOpen() bool { return f.open }

// SetOpen opens or closes without telling onToggle.
func (f *Fold) SetOpen(open bool) {
	if f.open == open {
		return
	}
	f.open = open
	f.sync()
	f.Refresh()
	f.env.relayout()
}

func (f *Fold) sync() {
	icon := IconRight
	if f.open {
		icon = IconDown
		f.content.Show()
	} else {
		f.content.Hide()
	}
	f.arrow.Set(icon, ColorAccent)
}

func (f *Fold) toggle() {
	f.SetOpen(!f.open)
	if f.onToggle != nil {
		f.onToggle(f.open)
	}
}

// Tapped is Fyne's.
func (f *Fold) Tapped(e *fyne.PointEvent) {
	if e == nil || e.Position.Y <= f.head(f.Size().Width) {
		f.grabFocus()
		f.toggle()
	}
}

// TypedKey is Fyne's.
func (f *Fold) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		f.toggle()
	default:
		f.env.pass(k)
	}
}

// foldGap is the room between the heading and the content.
const foldGap = 8

// textAt is how far right the words of the heading begin.
func (f *Fold) textAt() float32 { return f.arrow.MinSize().Width + 4 }

// textWidth is the width of the words at a width of the whole.
func (f *Fold) textWidth(width float32) float32 {
	return max(min(f.text.NaturalWidth(), width-f.textAt()), 1)
}

// head is the height of the heading at a width, all its lines counted.
func (f *Fold) head(width float32) float32 {
	return f.text.HeightFor(f.textWidth(width)) + 2*checkPad
}

// HeightFor is the height at a width.
func (f *Fold) HeightFor(width float32) float32 {
	if !f.open {
		return f.head(width)
	}
	return f.head(width) + foldGap + heightOf(f.content, width)
}

// NaturalWidth is the width the heading would like, and the content if open.
func (f *Fold) NaturalWidth() float32 {
	w := f.text.NaturalWidth() + f.textAt() + 2*checkPad
	if f.open {
		w = max(w, widthOf(f.content))
	}
	return w
}

// CreateRenderer is Fyne's.
func (f *Fold) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: append([]fyne.CanvasObject{f.arrow, f.text, f.content}, f.ring.objects()...)}
	r.layout = func(size fyne.Size) {
		a, h := f.arrow.MinSize(), f.head(size.Width)
		f.arrow.Resize(a)
		f.arrow.Move(fyne.NewPos(0, checkPad+(f.text.runsHeight()-a.Height)/2)) // beside the first line
		x, w := f.textAt(), f.textWidth(size.Width)
		f.text.Move(fyne.NewPos(x, checkPad))
		f.text.Resize(fyne.NewSize(w, h-2*checkPad))
		f.ring.around(fyne.NewPos(-checkPad, 0), fyne.NewSize(x+w+2*checkPad, h))
		f.content.Move(fyne.NewPos(0, h+foldGap))
		f.content.Resize(fyne.NewSize(size.Width, max(size.Height-h-foldGap, 0)))
	}
	r.min = func() fyne.Size {
		width := f.Size().Width
		if width <= 0 {
			width = f.NaturalWidth()
		}
		return fyne.NewSize(120, f.HeightFor(width))
	}
	r.refresh = func() {
		f.ring.paint(f.Theme())
		r.layout(f.Size())
		canvas.Refresh(f)
	}
	f.ring.paint(f.Theme())
	return r
}
