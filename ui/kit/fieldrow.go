package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"parley/consent/safetext"
)

// FieldRowOptions describe a field of a form.
type FieldRowOptions struct {
	Env *Env
	// Label is the server's name for the field; for one that draws nothing the
	// app says that there is none.
	Label safetext.Text
	// Name is a second, quieter name, for labels that are not enough to tell fields
	// apart; the zero Text for none.
	Name safetext.Text
	// Required adds "(required)" in words.
	Required bool
	// Note stands behind the label: "2 of at most 3".
	Note string
	// Hint is the line below the control: the server's description, the limits,
	// the date in words.
	Hint []Run
	// Control is what the value is entered with; nil for a field that can only
	// be read about.
	Control Control
	// Action stands at the end of the label's line, such as a quiet button; nil
	// for none.
	Action fyne.CanvasObject
	// Wide makes the field span both columns.
	Wide bool
}

// FieldRow is a field of a form: label, control, error, hint, and what cannot be
// seen in the control. All of them wrap. Fyne's form does not wrap: a long title
// made the window wider than the screen.
type FieldRow struct {
	widget.BaseWidget
	o     FieldRowOptions
	label *Text
	cross *Icon
	err   *Text
	sign  *Icon
	seen  *Text // what cannot be seen in the control
	hint  *Text

	grown func() // tells the form that the height has changed
	// action is the size of the action with actionTheme.
	action      fyne.Size
	actionTheme fyne.Theme
}

// NewFieldRow returns a field.
func NewFieldRow(o FieldRowOptions) *FieldRow {
	f := &FieldRow{o: o, label: NewText(), cross: NewIcon(IconCross, ColorDanger, 10), err: NewText(),
		sign: NewIcon(IconCaution, ColorCaution, 13), seen: NewText(), hint: NewText(o.Hint...)}
	f.cross.Hide()
	f.sign.Hide()
	f.label.SetRuns(f.labelRuns()...)
	f.ExtendBaseWidget(f)
	if c, ok := o.Control.(interface{ textField() *TextEntry }); ok {
		if entry := c.textField(); entry != nil {
			entry.watch = func() { f.showHidden(entry) }
			entry.watch()
		}
	}
	return f
}

func (f *FieldRow) labelRuns() []Run {
	bold := Style{Bold: true}
	runs := []Run{Server(f.o.Label, bold)}
	if blank(f.o.Label) {
		runs[0] = Own(f.o.Env.t("kit.no_name"), Style{Bold: true, Color: ColorMuted})
	}
	if !f.o.Name.IsZero() {
		runs = append(runs, Own("  ", bold), Server(f.o.Name, Style{Color: ColorMuted}))
	}
	if f.o.Required {
		runs = append(runs, Own(f.o.Env.t("kit.required"), bold))
	}
	if f.o.Note != "" {
		runs = append(runs, Own("  •  "+f.o.Note, bold))
	}
	return runs
}

// Control is the field's control, nil if it has none.
func (f *FieldRow) Control() Control { return f.o.Control }

// Error is the error shown, "" for none.
func (f *FieldRow) Error() string { return f.err.String() }

// SetError shows an error below the control and frames the control, or takes
// both away for "".
func (f *FieldRow) SetError(sentence string) {
	if sentence == f.err.String() {
		return
	}
	if f.o.Control != nil {
		f.o.Control.SetInvalid(sentence != "")
	}
	f.change(func() {
		f.cross.Hidden = sentence == ""
		f.err.SetRuns(Own(sentence, Style{Size: SizeHint, Color: ColorDanger, Bold: true}))
	})
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil && f.o.Control != nil {
		if o, ok := c.Focused().(fyne.CanvasObject); ok && Holds(f.o.Control, o) {
			f.RevealError()
		}
	}
}

// RevealError scrolls the error into view, if there is one: in a low window it may be
// below what is seen of the control.
func (f *FieldRow) RevealError() {
	if f.Error() != "" {
		f.o.Env.focused(f.err)
	}
}

// SetHint replaces the line below the control.
func (f *FieldRow) SetHint(runs ...Run) {
	if NewText(runs...).String() == f.hint.String() {
		return
	}
	f.change(func() { f.hint.SetRuns(runs...) })
}

// SetLabel replaces the name of the field.
func (f *FieldRow) SetLabel(label safetext.Text) {
	if label == f.o.Label {
		return
	}
	f.o.Label = label
	f.change(func() { f.label.SetRuns(f.labelRuns()...) })
}

// SetNote replaces the words behind the label.
func (f *FieldRow) SetNote(note string) {
	if note == f.o.Note {
		return
	}
	f.o.Note = note
	f.change(func() { f.label.SetRuns(f.labelRuns()...) })
}

// showHidden shows the characters of an entry that cannot be seen in it. Of a
// masked text it says only that there are some.
func (f *FieldRow) showHidden(e *TextEntry) {
	sentence := ""
	part, ok := hidden(e.Text, e.MultiLine)
	if !ok && e.beyond != nil {
		part, ok = e.beyond()
	}
	if ok {
		sentence = f.o.Env.t("kit.hidden", "Text", part.String())
		if e.Password {
			sentence = f.o.Env.t("kit.hidden_masked")
		}
	}
	if sentence == f.seen.String() {
		return
	}
	f.change(func() {
		f.sign.Hidden = sentence == ""
		f.seen.SetRuns(Own(sentence, Style{Size: SizeHint, Color: ColorCaution, Bold: true}))
	})
}

// HiddenNote is what is said about characters that cannot be seen, "" for none.
func (f *FieldRow) HiddenNote() string { return f.seen.String() }

// change does something to the texts and, only if the height has changed, has
// the form laid out again.
func (f *FieldRow) change(do func()) {
	width := f.Size().Width
	before := f.HeightFor(width)
	do()
	f.Refresh()
	if width > 0 && f.HeightFor(width) != before && f.grown != nil {
		f.grown()
	}
}

// Focus gives the keyboard to the control.
func (f *FieldRow) Focus() {
	if f.o.Control == nil {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil {
		c.Focus(f.o.Control.FocusTarget())
	}
}

// Rooms between the parts of a field, and beside the sign of a line.
const (
	fieldGapLabel  = 5
	fieldGapHint   = 4
	fieldCrossGap  = 3
	fieldGapAction = 12
)

// parts calls place for every part with its rectangle and returns the height.
func (f *FieldRow) parts(width float32, place func(o fyne.CanvasObject, x, y, w, h float32)) float32 {
	named := width
	if a := f.o.Action; a != nil && a.Visible() {
		// The action may be higher than the line: the room above takes that.
		size := f.actionSize()
		w := min(size.Width, width)
		place(a, width-w, (f.label.runsHeight()-size.Height)/2, w, size.Height)
		named = max(width-w-fieldGapAction, 1)
	}
	y := f.label.HeightFor(named)
	place(f.label, 0, 0, named, y)
	if f.o.Control != nil {
		y += fieldGapLabel
		h := heightOf(f.o.Control, width)
		place(f.o.Control, 0, y, width, h)
		y += h
	}
	for _, l := range []struct {
		sign *Icon
		text *Text
	}{{f.cross, f.err}, {f.sign, f.seen}} {
		if l.text.IsEmpty() {
			continue
		}
		y += fieldGapHint
		c := l.sign.MinSize()
		x := c.Width + fieldCrossGap
		h := l.text.HeightFor(width - x)
		place(l.sign, 0, y+(l.text.lineHeight()-c.Height)/2+1, c.Width, c.Height)
		place(l.text, x, y, width-x, h)
		y += h
	}
	if !f.hint.IsEmpty() {
		y += fieldGapHint
		h := f.hint.HeightFor(width)
		place(f.hint, 0, y, width, h)
		y += h
	}
	return y
}

// actionSize is the size of the action, asked for once: it does not change.
func (f *FieldRow) actionSize() fyne.Size {
	if th := f.Theme(); f.actionTheme != th {
		a := f.o.Action
		f.action, f.actionTheme = a.MinSize(), th
		f.action.Width = max(f.action.Width, widthOf(a))
	}
	return f.action
}

// lineHeight is the height of the first line.
func (t *Text) lineHeight() float32 {
	if len(t.lines) == 0 {
		return t.runsHeight()
	}
	return t.lines[0].height
}

// HeightFor is the height at a width.
func (f *FieldRow) HeightFor(width float32) float32 {
	return f.parts(max(width, 1), func(fyne.CanvasObject, float32, float32, float32, float32) {})
}

// CreateRenderer is Fyne's.
func (f *FieldRow) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{objects: []fyne.CanvasObject{f.label, f.cross, f.err, f.sign, f.seen, f.hint}}
	if f.o.Control != nil {
		r.objects = append(r.objects, f.o.Control)
	}
	if f.o.Action != nil {
		r.objects = append(r.objects, f.o.Action)
	}
	r.layout = func(size fyne.Size) {
		f.parts(max(size.Width, 1), func(o fyne.CanvasObject, x, y, w, h float32) {
			o.Move(fyne.NewPos(x, y))
			o.Resize(fyne.NewSize(w, h))
		})
	}
	r.min = func() fyne.Size {
		width := f.Size().Width
		if width <= 0 {
			width = formColumn
		}
		return fyne.NewSize(160, f.HeightFor(width))
	}
	r.refresh = func() {
		r.layout(f.Size())
		canvas.Refresh(f)
	}
	return r
}
