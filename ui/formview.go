package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/forms"
	"parley/ui/kit"
)

// atOnce is how many fields are drawn in one go; longer forms come in pieces,
// so that the window stays alive.
const atOnce = 12

// formView draws a form being filled in, each field with the control of its
// kind, and carries what the person does into the draft. It decides nothing:
// the draft says what an answer is and what is wrong with it.
type formView struct {
	*surroundings
	env  *kit.Env
	fill *fill
	// changed is called after the person changed anything.
	changed func()

	box    *fyne.Container
	rows   []*fieldView
	byPath map[forms.Path]*fieldView
	stop   func() // ends a drawing that is still going on
	// at is the control that the keyboard was in last, nil before.
	at kit.Control
}

// fieldView is one field on the page.
type fieldView struct {
	field   *forms.Field
	row     *kit.FieldRow
	control kit.Control // nil for a field that cannot be shown
}

// newFormView begins to draw f; ready is called, later or at once, when all
// fields stand.
func newFormView(v *surroundings, env *kit.Env, f *fill, changed, ready func()) *formView {
	view := &formView{surroundings: v, env: env, fill: f, changed: changed,
		box: kit.Column(gap), byPath: map[forms.Path]*fieldView{}}
	env.OnLeave = view.left
	steps := view.steps(f.form.Fields)
	if len(leaves(f.form.Fields)) <= atOnce {
		for _, step := range steps {
			step()
		}
		ready()
		return view
	}
	view.stop = kit.Build(v.do, steps, func() {
		view.stop = nil
		ready()
	})
	return view
}

// close ends a drawing that is still going on.
func (v *formView) close() {
	if v.stop != nil {
		v.stop()
		v.stop = nil
	}
}

// steps is the drawing of fields in pieces: runs of plain fields become grids
// of two columns, groups stand on their own.
func (v *formView) steps(fields []*forms.Field) []func() {
	var steps []func()
	var run []*forms.Field
	flush := func() {
		if len(run) == 0 {
			return
		}
		part := run
		run = nil
		steps = append(steps, func() {
			var rows []*kit.FieldRow
			for _, f := range part {
				rows = append(rows, v.add(f).row)
			}
			v.box.Add(kit.NewFormGrid(v.env, rows...))
		})
	}
	for _, f := range fields {
		if f.Kind == forms.Group {
			flush()
			steps = append(steps, func() { v.box.Add(v.groupHead(f)) })
			steps = append(steps, v.steps(f.Children)...)
			continue
		}
		run = append(run, f)
		if len(run) == atOnce {
			flush()
		}
	}
	flush()
	return steps
}

// groupHead is the title of a group of fields.
func (v *formView) groupHead(f *forms.Field) fyne.CanvasObject {
	objects := []fyne.CanvasObject{kit.Sentence(v.nameOf(f), titleText)}
	if f.Description != "" {
		objects = append(objects, words(v.env, f.Description, hintText, maxMessage))
	}
	return kit.Pad(gap, 0, 0, 0, kit.Column(gapSmall, objects...))
}

func (v *formView) add(f *forms.Field) *fieldView {
	fv := &fieldView{field: f}
	fv.control = v.control(f)
	o := kit.FieldRowOptions{
		Env:      v.env,
		Label:    line(f.Label),
		Required: f.Required,
		Note:     v.note(f),
		Hint:     v.hint(f),
		Control:  fv.control,
		Wide:     f.Kind == forms.JSON || f.Kind.Structured() || f.Kind == forms.Unsupported || f.Multiline,
	}
	fv.row = kit.NewFieldRow(o)
	v.rows = append(v.rows, fv)
	v.byPath[f.Path] = fv
	if e := v.fill.fault(f.Path); e != nil {
		fv.row.SetError(v.say(e.Message))
	}
	return fv
}

// control makes the control for the kind of f, filled from the draft.
func (v *formView) control(f *forms.Field) kit.Control {
	d, p := v.fill.draft, f.Path
	typed := func(s string) { d.SetText(p, s); v.touched(p) }
	text := kit.TextEntryOptions{Env: v.env, Text: d.Text(p), Masked: f.Secret, OnChanged: typed}
	switch f.Kind {
	case forms.Text:
		if f.Multiline && !f.Secret {
			text.Lines = 4
		}
		return kit.NewTextEntry(text)
	case forms.Email, forms.URI:
		return kit.NewTextEntry(text)
	case forms.List:
		text.Lines, text.Masked = 4, false
		return kit.NewTextEntry(text)
	case forms.JSON, forms.Rows, forms.Map, forms.Variant: // which take raw JSON too
		text.Lines, text.Mono, text.Masked = 5, true, false
		return kit.NewTextEntry(text)
	case forms.Integer, forms.Number:
		return kit.NewNumberEntry(text)
	case forms.Date:
		return kit.NewDateField(kit.DateFieldOptions{Env: v.env, Text: d.Text(p), Day: day, OnChanged: typed})
	case forms.DateTime:
		// The zone of what is typed without one is named in the hint.
		return kit.NewDateField(kit.DateFieldOptions{Env: v.env, Text: d.Text(p), Placeholder: v.t("ui.form.date_time"),
			Day: day, WithDay: withDay, OnChanged: typed})
	case forms.Boolean:
		return kit.NewYesNo(kit.YesNoOptions{Env: v.env, Value: yesNo(d, p), OnChanged: func(a kit.Answer) {
			switch a {
			case kit.Yes, kit.No:
				d.SetBool(p, a == kit.Yes)
			default:
				d.Clear(p)
			}
			v.touched(p)
		}})
	case forms.Choice:
		return kit.NewPicker(kit.PickerOptions{Env: v.env, Options: options(f), Selected: d.Picked(p), Clearable: !f.Required,
			OnChanged: func(i int) {
				if i < 0 {
					d.Clear(p)
				} else {
					d.Pick(p, i)
				}
				v.touched(p)
			}})
	case forms.Checklist:
		return kit.NewChecklist(kit.ChecklistOptions{Env: v.env, Options: options(f), Ticked: d.Ticked(p),
			OnChanged: func(ticked []int) { d.SetTicks(p, ticked...); v.touched(p) }})
	}
	return nil
}

func yesNo(d *forms.Draft, p forms.Path) kit.Answer {
	yes, ok := d.Bool(p)
	switch {
	case !ok:
		return kit.Unanswered
	case yes:
		return kit.Yes
	}
	return kit.No
}

// nameOf names a field in a sentence: its label on one line, or the words for
// having none.
func (v *surroundings) nameOf(f *forms.Field) string {
	if name := line(f.Label).String(); strings.TrimSpace(name) != "" {
		return name
	}
	return v.t("kit.no_name")
}

// namesOf names fields one after the other.
func (v *surroundings) namesOf(fields []*forms.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = v.nameOf(f)
	}
	return strings.Join(names, ", ")
}

// options are the choices by their labels; the value stands below a label that
// another choice has too, or that is empty.
func options(f *forms.Field) []kit.Option {
	count := map[string]int{}
	for _, o := range f.Options {
		count[o.Label]++
	}
	out := make([]kit.Option, len(f.Options))
	for i, o := range f.Options {
		out[i].Label = line(o.Label)
		if count[o.Label] > 1 || strings.TrimSpace(o.Label) == "" {
			out[i].Detail = line(o.Value)
		}
	}
	return out
}

// day reads the date at the start of a typed text.
func day(text string) (int, time.Month, int, bool) {
	t, ok := forms.ParseDate(text)
	if !ok {
		if at := strings.IndexAny(text, "T "); at > 0 {
			t, ok = forms.ParseDate(text[:at])
		}
	}
	if !ok {
		return 0, 0, 0, false
	}
	y, m, d := t.Date()
	return y, m, d, true
}

// withDay puts a day picked in the calendar before the time that stands there.
func withDay(text, isoDay string) string {
	if at := strings.IndexAny(strings.TrimSpace(text), "T "); at > 0 {
		return isoDay + strings.TrimSpace(text)[at:]
	}
	return isoDay + " "
}

// touched is called after the person changed the field at p.
func (v *formView) touched(p forms.Path) {
	if fv := v.byPath[p]; fv != nil {
		fv.row.SetNote(v.note(fv.field))
		fv.row.SetHint(v.hint(fv.field)...)
		// An error that shows goes as soon as it is mended, and comes only
		// when the field is left.
		if v.fill.fault(p) == nil {
			fv.row.SetError("")
		}
	}
	v.changed()
}

// left shows a field's error once the keyboard has left it.
func (v *formView) left(o fyne.CanvasObject) {
	for _, fv := range v.rows {
		if fv.control == nil || !holds(fv.control, o) {
			continue
		}
		v.at = fv.control
		if v.fill.draft.State(fv.field.Path) != forms.Untouched {
			v.fill.left[fv.field.Path] = true
		}
		v.showFault(fv)
		return
	}
}

// holds reports whether o is the control or what gets the keyboard in it.
func holds(c kit.Control, o fyne.CanvasObject) bool {
	target, ok := c.FocusTarget().(fyne.CanvasObject)
	return fyne.CanvasObject(c) == o || ok && target == o
}

func (v *formView) showFault(fv *fieldView) {
	if e := v.fill.fault(fv.field.Path); e != nil {
		fv.row.SetError(v.say(e.Message))
		return
	}
	fv.row.SetError("")
}

// showFaults shows all errors and returns the first field that has one.
func (v *formView) showFaults(errs []forms.FieldError) *fieldView {
	var first *fieldView
	for _, fv := range v.rows {
		v.showFault(fv)
	}
	for _, e := range errs {
		if fv := v.byPath[e.Path]; fv != nil && first == nil {
			first = fv
		}
	}
	return first
}

// note stands beside the label: how many of a checklist are ticked.
func (v *formView) note(f *forms.Field) string {
	if f.Kind != forms.Checklist {
		return ""
	}
	n := len(v.fill.draft.Ticked(f.Path))
	if f.Limits.MaxItems >= 0 {
		return v.t("ui.form.ticked_of", "N", n, "Max", f.Limits.MaxItems)
	}
	return v.t("ui.form.ticked", "N", n)
}

// hint stands below the control: the server's description, and the app's own
// words on the limits, on what becomes of the answer, and on what the server
// did wrong with the field.
func (v *formView) hint(f *forms.Field) []kit.Run {
	var own []string
	if f.Kind == forms.Date {
		if t, ok := forms.ParseDate(v.fill.draft.Text(f.Path)); ok {
			own = append(own, forms.FormatDate(t, v.loc.Tag()))
		}
	}
	for _, ms := range [][]i18n.Message{f.Hints, v.fill.draft.Notes(f.Path), f.Problems} {
		for _, m := range ms {
			own = append(own, v.say(m))
		}
	}
	if f.Secret {
		own = append(own, v.t("ui.form.secret_hint"))
	}
	var runs []kit.Run
	if f.Description != "" {
		runs = append(runs, kit.Server(block(f.Description, longText), hintText))
	}
	if len(own) == 0 {
		return runs
	}
	between := ""
	switch {
	case f.Description == "":
	case len(f.Description) > oneLineHint:
		between = "\n"
	default:
		between = "  •  "
	}
	return append(runs, kit.Own(between+strings.Join(own, "  •  "), hintText))
}

// oneLineHint is how long, in bytes, a description may be to share its line
// with the app's own words.
const oneLineHint = 60

// first is the control the keyboard goes to when the form comes up.
func (v *formView) first() fyne.Focusable {
	for _, fv := range v.rows {
		if fv.control != nil {
			return fv.control.FocusTarget()
		}
	}
	return nil
}

// last is the control the keyboard was in last, to go on there; before that it
// is the first.
func (v *formView) last() fyne.Focusable {
	if v == nil {
		return nil
	}
	if v.at != nil {
		return v.at.FocusTarget()
	}
	return v.first()
}
