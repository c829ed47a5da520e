package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Answer is the answer to a yes/no question. The zero Answer is none.
type Answer int

// The answers.
const (
	Unanswered Answer = iota
	Yes
	No
)

// YesNoOptions describe a yes/no field.
type YesNoOptions struct {
	Env   *Env
	Value Answer
	// OnChanged is called with the answer after each change by the person.
	OnChanged func(Answer)
}

// YesNo is a yes/no question with its third state in view: Yes, No, Not
// answered. A tick box could not tell "no" from "never touched".
type YesNo struct {
	focusBase
	value     Answer
	onChanged func(Answer)
	back      *Surface
	parts     []*segment
}

// segment is one of the three fields.
type segment struct {
	answer Answer
	fill   *Surface
	text   *Text
	words  string
}

// NewYesNo returns a yes/no field.
func NewYesNo(o YesNoOptions) *YesNo {
	y := &YesNo{value: o.Value, onChanged: o.OnChanged, back: NewSurface(ColorCard, ColorFieldLine, radiusField)}
	for _, p := range []struct {
		answer Answer
		key    string
	}{{Yes, "kit.yes"}, {No, "kit.no"}, {Unanswered, "kit.not_answered"}} {
		s := &segment{answer: p.answer, words: o.Env.t(p.key), fill: NewSurface("", "", radiusField), text: NewText()}
		s.text.Align, s.text.MaxLines = fyne.TextAlignCenter, 1
		y.parts = append(y.parts, s)
	}
	y.init(o.Env, y, radiusField)
	y.ring.filled = true
	y.paint()
	return y
}

// Value is the answer chosen.
func (y *YesNo) Value() Answer { return y.value }

// SetValue chooses an answer without telling OnChanged.
func (y *YesNo) SetValue(a Answer) {
	y.value = a
	y.Refresh()
}

// choose is what a click or a key does.
func (y *YesNo) choose(a Answer) {
	if y.Disabled() || y.value == a {
		return
	}
	y.SetValue(a)
	if y.onChanged != nil {
		y.onChanged(a)
	}
}

// Tapped is Fyne's.
func (y *YesNo) Tapped(e *fyne.PointEvent) {
	y.grabFocus()
	i := int(e.Position.X / max(y.Size().Width/float32(len(y.parts)), 1))
	y.choose(y.parts[max(min(i, len(y.parts)-1), 0)].answer)
}

// TypedKey is Fyne's: the arrows choose the neighbour, Space goes round, Delete
// and Backspace take the answer away.
func (y *YesNo) TypedKey(k *fyne.KeyEvent) {
	at := 0
	for i, p := range y.parts {
		if p.answer == y.value {
			at = i
		}
	}
	last := len(y.parts) - 1
	switch k.Name {
	case fyne.KeyLeft, fyne.KeyUp:
		y.choose(y.parts[max(at-1, 0)].answer)
	case fyne.KeyRight, fyne.KeyDown:
		y.choose(y.parts[min(at+1, last)].answer)
	case fyne.KeyHome:
		y.choose(y.parts[0].answer)
	case fyne.KeyEnd:
		y.choose(y.parts[last].answer)
	case fyne.KeySpace:
		y.choose(y.parts[(at+1)%len(y.parts)].answer)
	case fyne.KeyDelete, fyne.KeyBackspace:
		y.choose(Unanswered)
	default:
		y.env.pass(k)
	}
}

func (y *YesNo) paint() {
	for _, s := range y.parts {
		on := s.answer == y.value
		style := Style{}
		s.fill.Fill = ""
		switch {
		case on && y.Disabled():
			s.fill.Fill, style.Color, style.Bold = ColorAccentSoft, ColorOnAccent, true
		case on:
			s.fill.Fill, style.Color, style.Bold = ColorAccent, ColorOnAccent, true
		case y.Disabled():
			style.Color = disabledColor
		}
		s.text.SetRuns(Own(s.words, style))
	}
}

// CreateRenderer is Fyne's.
func (y *YesNo) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{y.back}}
	var lines []*Surface
	for i, s := range y.parts {
		r.objects = append(r.objects, s.fill, s.text)
		if i > 0 {
			lines = append(lines, NewSurface(ColorFieldLine, "", 0))
		}
	}
	for _, l := range lines {
		r.objects = append(r.objects, l)
	}
	r.objects = append(r.objects, y.ring.objects()...)
	r.layout = func(size fyne.Size) {
		y.back.Resize(size)
		y.ring.around(fyne.Position{}, size)
		w := size.Width / float32(len(y.parts))
		for i, s := range y.parts {
			x := w * float32(i)
			s.fill.Move(fyne.NewPos(x, 0))
			s.fill.Resize(fyne.NewSize(w, size.Height))
			h := s.text.HeightFor(w)
			s.text.Move(fyne.NewPos(x, (size.Height-h)/2))
			s.text.Resize(fyne.NewSize(w, h))
			if i > 0 {
				lines[i-1].Move(fyne.NewPos(x, 1))
				lines[i-1].Resize(fyne.NewSize(1, max(size.Height-2, 0)))
			}
		}
	}
	r.min = func() fyne.Size {
		var w float32
		for _, s := range y.parts {
			w = max(w, s.text.NaturalWidth()+16)
		}
		return fyne.NewSize(w*float32(len(y.parts)), fieldHeight*scaleOf(y.Theme()))
	}
	r.refresh = func() {
		y.paint()
		y.ring.paint(y.Theme())
		for _, s := range y.parts {
			s.fill.Refresh()
		}
		r.layout(y.Size())
		canvas.Refresh(y)
	}
	y.ring.paint(y.Theme())
	return r
}
