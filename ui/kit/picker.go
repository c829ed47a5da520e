package kit

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// PickerOptions describe a picker.
type PickerOptions struct {
	Env     *Env
	Options []Option
	// Selected is the index of the option picked, -1 for none.
	Selected int
	// Clearable offers "Not answered", which picks none.
	Clearable bool
	// Required asks to choose while nothing is picked; then there is nothing to
	// take back either.
	Required bool
	// OnChanged is called with the index, or -1, after each pick by the person.
	OnChanged func(index int)
}

// Picker shows the option picked and opens a list to pick another, with a
// search field from twelve options on. Options are known by index alone.
type Picker struct {
	focusBase
	o     PickerOptions
	back  *Surface
	text  *Text
	arrow *Icon
	list  *pickList
	// options are those of o, with what is known of their layout.
	options *optionList
}

// NewPicker returns a picker. A Selected outside the options picks none.
func NewPicker(o PickerOptions) *Picker {
	p := &Picker{o: o, options: newOptionList(o.Options), back: NewSurface(ColorCard, ColorFieldLine, radiusField), text: NewText(), arrow: NewIcon(IconDown, "", 14)}
	p.text.MaxLines = pickerLines
	p.o.Selected = p.within(o.Selected)
	p.init(o.Env, p, radiusField)
	p.paint()
	return p
}

func (p *Picker) within(i int) int {
	if i < 0 || i >= len(p.o.Options) {
		return -1
	}
	return i
}

// Selected is the index of the option picked, -1 for none.
func (p *Picker) Selected() int { return p.o.Selected }

// SetSelected picks without telling OnChanged.
func (p *Picker) SetSelected(i int) {
	before := p.HeightFor(p.Size().Width)
	p.o.Selected = p.within(i)
	p.Refresh()
	if p.HeightFor(p.Size().Width) != before {
		p.env.relayout()
	}
}

// pickerLines is how many lines of a long label are in view after the pick; in
// the list all of them are.
const pickerLines = 3

// textWidth is the room for the label.
func (p *Picker) textWidth(width float32) float32 {
	return max(width-p.arrow.MinSize().Width-3*fieldPadX, 1)
}

// HeightFor is the height at a width.
func (p *Picker) HeightFor(width float32) float32 {
	h := fieldHeight * scaleOf(p.Theme())
	if width <= 0 {
		return h
	}
	return max(h, p.text.HeightFor(p.textWidth(width))+2*fieldPadX)
}

// pick is what the person does.
func (p *Picker) pick(i int) {
	if p.Disabled() || i == p.o.Selected {
		return
	}
	p.SetSelected(i)
	if p.o.OnChanged != nil {
		p.o.OnChanged(p.o.Selected)
	}
}

// Tapped is Fyne's.
func (p *Picker) Tapped(*fyne.PointEvent) {
	p.grabFocus()
	p.open("")
}

// TypedKey is Fyne's: Down, Space and Enter open the list, Delete and
// Backspace take the pick away where that is possible.
func (p *Picker) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyDown, fyne.KeyUp, fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		p.open("")
	case fyne.KeyDelete, fyne.KeyBackspace:
		if p.o.Clearable {
			p.pick(-1)
		}
	default:
		p.env.pass(k)
	}
}

// TypedRune is Fyne's: a letter opens the list and searches for it.
func (p *Picker) TypedRune(r rune) {
	if unicode.IsSpace(r) {
		return // Space arrives as a key as well
	}
	p.open(string(r))
}

// IsOpen reports whether the list is open.
func (p *Picker) IsOpen() bool { return p.list != nil && p.list.popup.isOpen() }

// open shows the list, searching for query.
func (p *Picker) open(query string) {
	if p.Disabled() || p.IsOpen() {
		return
	}
	// Where something must be picked, "Not answered" only takes a pick back.
	clearable := p.o.Clearable && (!p.o.Required || p.o.Selected >= 0)
	list := newPickList(p.env, p.options, p.o.Selected, clearable)
	list.onPick = func(i int) {
		list.popup.close()
		p.pick(i)
	}
	list.onEscape = func() { list.popup.close() }
	p.list = list
	list.popup = openPopup(p.env, p, list.box(), 220, list.focus(), func() { p.list = nil })
	if list.popup == nil {
		p.list = nil
		return
	}
	list.opened(query)
}

func (p *Picker) paint() {
	run := Own(p.env.t("kit.choose"), Style{Color: ColorMuted})
	if p.o.Selected >= 0 {
		run = labelRun(p.env, p.o.Options[p.o.Selected])
	} else if p.o.Clearable && !p.o.Required {
		run = Own(p.env.t("kit.not_answered"), Style{Color: ColorMuted})
	}
	runs := []Run{run}
	if i := p.o.Selected; i >= 0 && p.options.ambiguous(i) {
		runs = append(runs, Server(p.o.Options[i].Detail, detailStyle))
		runs[1].text = "  " + runs[1].text
	}
	for i := range runs {
		if p.Disabled() {
			runs[i].style.Color = disabledColor
		}
		runs[i].text = strings.ReplaceAll(runs[i].text, "\n", " ")
	}
	p.back.Fill = groundOf(p.Disabled())
	p.text.SetRuns(runs...)
}

// CreateRenderer is Fyne's.
func (p *Picker) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: append([]fyne.CanvasObject{p.back, p.text, p.arrow}, p.ring.objects()...)}
	r.layout = func(size fyne.Size) {
		p.back.Resize(size)
		p.ring.around(fyne.Position{}, size)
		a := p.arrow.MinSize()
		p.arrow.Resize(a)
		p.arrow.Move(fyne.NewPos(size.Width-a.Width-fieldPadX, (size.Height-a.Height)/2))
		w := p.textWidth(size.Width)
		h := p.text.HeightFor(w)
		p.text.Move(fyne.NewPos(fieldPadX, (size.Height-h)/2))
		p.text.Resize(fyne.NewSize(w, h))
	}
	r.min = func() fyne.Size {
		return fyne.NewSize(120, p.HeightFor(p.Size().Width))
	}
	r.refresh = func() {
		p.paint()
		p.ring.paint(p.Theme())
		p.back.Refresh()
		r.layout(p.Size())
		canvas.Refresh(p)
	}
	p.ring.paint(p.Theme())
	return r
}
