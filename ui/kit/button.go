package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Importance says how a button looks.
type Importance int

// The looks of a button.
const (
	// Plain is a white button.
	Plain Importance = iota
	// Primary is the one button of a page that goes on.
	Primary
	// Grave is a button that does something that should be thought about.
	Grave
	// Quiet is a button that looks like a link.
	Quiet
)

// guardTime is how long buttons ignore input after what they act on appeared
// or changed, so that a click or key meant for something else hits nothing.
const guardTime = 500 * time.Millisecond

// Guard makes the buttons of a question ignore input for 500 ms after the
// question appeared, changed or replaced another.
type Guard struct {
	now   func() time.Time
	until time.Time
}

// NewGuard returns a guard that is not armed, with the clock of env.
func NewGuard(env *Env) *Guard { return &Guard{now: env.now} }

// Arm starts the time in which input is ignored.
func (g *Guard) Arm() { g.until = g.now().Add(guardTime) }

// Blocks reports whether input is to be ignored now. A nil Guard never blocks.
func (g *Guard) Blocks() bool { return g != nil && g.now().Before(g.until) }

// ButtonOptions describe a button.
type ButtonOptions struct {
	Env  *Env
	Text string
	// Room is what another button will say that takes the place of this one: it is
	// wide enough for that too, so that nothing moves then.
	Room string
	// Shortcut is the key that does the same, in words: "Esc", "Ctrl ↵".
	Shortcut string
	Icon     fyne.Resource
	// Name says what a button without Text does.
	Name       string
	Importance Importance
	// EnterTaps makes Enter press the button as Space does. It is never set on
	// a button that gives consent.
	EnterTaps bool
	// Guard, if set, can make the button ignore input for a moment.
	Guard *Guard
	// Firm makes input that the guard ignored start its time anew: whoever clicks
	// on, or holds a key, means what was there before.
	Firm     bool
	OnTapped func()
}

// Button is a button with a hint of its key.
type Button struct {
	focusBase
	o    ButtonOptions
	text *Text
	hint *Text
	icon *Icon
	back *Surface
	row  *fyne.Container
	// said stands in the place of the words for a moment; "" for none. least is
	// the width the button has meanwhile, so that nothing beside it moves.
	said  string
	least float32
}

// NewButton returns a button.
func NewButton(o ButtonOptions) *Button {
	b := &Button{o: o, text: NewText(), hint: NewText(), back: NewSurface("", "", radiusButton)}
	b.text.MaxLines, b.hint.MaxLines = 1, 1
	objects := []fyne.CanvasObject{b.text, b.hint}
	if o.Icon != nil {
		b.icon = NewIcon(o.Icon, "", 16)
		objects = append([]fyne.CanvasObject{b.icon}, objects...)
	}
	b.row = Row(6, objects...)
	b.init(o.Env, b, radiusButton)
	b.ring.filled = o.Importance != Quiet
	b.paint()
	return b
}

// SetText changes the words on the button.
func (b *Button) SetText(s string) {
	b.o.Text = s
	b.Refresh()
}

// Say shows words in the place of the button's own, with a tick in the place of
// its picture, for as long as it is to be known that the button has acted. The
// button becomes no narrower by it. "" brings back its own words.
func (b *Button) Say(words string) {
	b.least = 0
	if words != "" {
		b.said = ""
		b.paint()
		b.least = b.MinSize().Width
	}
	b.said = words
	b.Refresh()
}

// Text is what the button says, in words or with its picture.
func (b *Button) Text() string {
	if b.said != "" {
		return b.said
	}
	if b.o.Text == "" {
		return b.o.Name
	}
	return b.o.Text
}

// Tapped is Fyne's: a click.
func (b *Button) Tapped(*fyne.PointEvent) { b.Press() }

// Press does what a click does: nothing while the button is disabled or its
// guard blocks. It reports whether the button acted.
func (b *Button) Press() bool {
	if b.Disabled() {
		return false
	}
	if b.o.Guard.Blocks() {
		if b.o.Firm {
			b.o.Guard.Arm()
		}
		return false
	}
	if b.o.OnTapped != nil {
		b.o.OnTapped()
	}
	return true
}

// TypedKey is Fyne's: Space presses, Enter too if the button says so.
func (b *Button) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace:
		b.Press()
	case fyne.KeyReturn, fyne.KeyEnter:
		if b.o.EnterTaps {
			b.Press()
		}
	default:
		b.env.pass(k)
	}
}

// paint chooses the colours for the state the button is in.
func (b *Button) paint() {
	fill, stroke, text, hint := ColorCard, ColorLine, fyne.ThemeColorName(""), ColorMuted
	switch b.o.Importance {
	case Primary:
		fill, stroke, text, hint = ColorAccent, "", ColorOnAccent, ColorOnAccent
	case Grave:
		fill, stroke, text, hint = ColorDanger, "", ColorOnDanger, ColorOnDanger
	case Quiet:
		fill, stroke, text = "", "", ColorAccent
	}
	switch {
	case b.Disabled() && fill == ColorAccent:
		fill = ColorAccentSoft
	case b.Disabled():
		text, hint = disabledColor, disabledColor
		if fill == ColorDanger {
			fill = ColorDangerFill
		}
	case b.hovered && (fill == ColorCard || fill == ""):
		fill = ColorHighlight
	}
	b.back.Fill, b.back.Stroke = fill, stroke
	words, icon := b.o.Text, b.o.Icon
	if b.said != "" {
		words, icon = b.said, IconTick
	}
	b.text.SetRuns(Own(words, Style{Bold: true, Color: text}))
	b.hint.SetRuns(Own(b.o.Shortcut, Style{Size: SizeTag, Color: hint}))
	if b.icon != nil {
		c := text
		if c == "" {
			c = foreground
		}
		b.icon.Set(icon, c)
	}
}

// CreateRenderer is Fyne's.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	pad := float32(18)
	switch {
	case b.o.Importance == Quiet && b.o.Text == "":
		pad = 6
	case b.o.Importance == Quiet:
		pad = 2
	}
	r := &boxRenderer{objects: append([]fyne.CanvasObject{b.back, b.row}, b.ring.objects()...)}
	r.layout = func(size fyne.Size) {
		b.back.Resize(size)
		b.ring.around(fyne.Position{}, size)
		w := min(widthOf(b.row), max(size.Width-2*pad, 0))
		h := b.row.MinSize().Height
		b.row.Resize(fyne.NewSize(w, h))
		b.row.Move(fyne.NewPos((size.Width-w)/2, (size.Height-h)/2))
	}
	r.min = func() fyne.Size {
		h := 40 * scaleOf(b.Theme())
		if b.o.Importance == Quiet {
			h = 28 * scaleOf(b.Theme())
		}
		w := widthOf(b.row)
		if b.o.Room != "" {
			w = max(w, w-widthOf(b.text)+NewText(Own(b.o.Room, Style{Bold: true})).NaturalWidth())
		}
		return fyne.NewSize(max(min(w+2*pad, buttonMost*scaleOf(b.Theme())), b.least), h)
	}
	r.refresh = func() {
		b.paint()
		b.ring.paint(b.Theme())
		b.back.Refresh()
		r.layout(b.Size())
		canvas.Refresh(b)
	}
	b.ring.paint(b.Theme())
	return r
}

// buttonMost is the greatest width a button asks for at text scale 1; a longer
// text on it is cut, for a window can be no narrower than its buttons.
const buttonMost = 420
