package ui

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/forms"
	"parley/ui/kit"
)

// fieldView is one field on the page.
type fieldView struct {
	path  forms.Path
	field *forms.Field
	owner *fieldView // the field it stands in; nil at the top
	label safetext.Text
	// name is the field's key, where another beside it has the same label.
	name safetext.Text
	// row is the field itself, of one that holds others its head. An entry of a
	// Map is its value, with key beside it.
	row     *kit.FieldRow
	control kit.Control // nil for a field without one
	key     *keyView
	// box is all of a field that holds others, inside what stands in it; start
	// gets the keyboard if there is no control.
	box    *fyne.Container
	inside *part
	start  fyne.Focusable
	// tools are the buttons of an entry; nil for other fields.
	tools *entryTools
	// renew brings up to date what depends on the answers.
	renew func()
	// null answers a field that holds others with null; nil where it may not be.
	null *kit.Check
}

// focus is what gets the keyboard when the field is gone to, nil for nothing.
func (fv *fieldView) focus() fyne.Focusable {
	switch {
	case fv.key != nil && (fv.control == nil || fv.key.row.Error() != ""):
		return fv.key.control.FocusTarget()
	case fv.control != nil:
		return fv.control.FocusTarget()
	case fv.start != nil:
		return fv.start
	}
	return nil
}

// has reports whether the keyboard is in fv itself when it is in o.
func (fv *fieldView) has(o fyne.CanvasObject) bool {
	for _, c := range []kit.Control{fv.control, fv.keyControl()} {
		if c != nil && kit.Holds(c, o) {
			return true
		}
	}
	parts := []fyne.CanvasObject{}
	if fv.tools != nil {
		parts = append(parts, fv.tools.up, fv.tools.down, fv.tools.remove)
	}
	if fv.null != nil {
		parts = append(parts, fv.null)
	}
	if start, ok := fv.start.(fyne.CanvasObject); ok {
		parts = append(parts, start)
	}
	return slices.Contains(parts, o)
}

func (fv *fieldView) keyControl() kit.Control {
	if fv.key == nil {
		return nil
	}
	return fv.key.control
}

// entrance is what gets the keyboard when the person has just made the field.
func (fv *fieldView) entrance() fyne.Focusable {
	if fv.key != nil {
		return fv.key.control.FocusTarget()
	}
	if fv.control != nil {
		return fv.control.FocusTarget()
	}
	if fv.inside != nil {
		for _, c := range fv.inside.views {
			if f := c.entrance(); f != nil {
				return f
			}
		}
	}
	return fv.start
}

func (fv *fieldView) hasError() bool {
	return fv.row != nil && fv.row.Error() != "" || fv.key != nil && fv.key.row.Error() != ""
}

// setError shows what is wrong, nil for nothing: with the key of an entry beside
// that, with anything else beside the field.
func (fv *fieldView) setError(e *forms.FieldError, sentence string) {
	if fv.row == nil {
		return
	}
	ofKey := fv.key != nil && e != nil && strings.HasPrefix(e.Message.ID, "forms.error.key")
	if fv.key != nil {
		if ofKey {
			fv.key.row.SetError(sentence)
		} else {
			fv.key.row.SetError("")
		}
	}
	if ofKey {
		sentence = ""
	}
	fv.row.SetError(sentence)
}

// plain draws a field that is one value. action stands at the end of its label,
// nil for none.
func (v *formView) plain(fv *fieldView, action fyne.CanvasObject) {
	f := fv.field
	fv.control = v.control(fv)
	if action == nil {
		action = v.actionOf(fv)
	}
	fv.row = kit.NewFieldRow(kit.FieldRowOptions{
		Env:      v.env,
		Label:    fv.label,
		Name:     fv.name,
		Required: f.Required && f.Key != nil,
		Note:     v.note(f),
		Hint:     v.hint(f),
		Control:  fv.control,
		Action:   action,
		Wide:     f.Kind == forms.JSON || f.Kind.Structured() || f.Kind == forms.Unsupported || f.Multiline || fv.tools != nil && fv.key == nil,
	})
	if e := v.fill.fault(f.Path); e != nil {
		fv.setError(e, v.say(e.Message))
	}
}

// actionOf is what can be done with a field beside answering it, nil for
// nothing.
func (v *formView) actionOf(fv *fieldView) fyne.CanvasObject {
	switch fv.field.Kind {
	case forms.Checklist:
		return v.selectNone(fv)
	case forms.JSON:
		return v.skeleton(fv)
	}
	return nil
}

// selectNone takes all ticks away. It stands there while there are some.
func (v *formView) selectNone(fv *fieldView) fyne.CanvasObject {
	list := fv.list()
	button := kit.NewLink(v.t("ui.form.select_none"), func() {
		list.SelectNone()
		v.focus(list)
	})
	fv.renew = func() {
		if none := len(v.fill.draft.Ticked(fv.path)) == 0; button.Hidden != none {
			button.Hidden = none
			if fv.row != nil {
				fv.row.Refresh()
			}
		}
	}
	fv.renew()
	return button
}

// list is the checklist of fv.
func (fv *fieldView) list() *kit.Checklist {
	if o, ok := fv.control.(*kit.OrNull); ok {
		return o.Inner().(*kit.Checklist)
	}
	return fv.control.(*kit.Checklist)
}

// quiet is a button that looks like a link.
func (v *formView) quiet(text string, icon fyne.Resource, do func()) *kit.Button {
	return kit.NewButton(kit.ButtonOptions{Env: v.env, Text: text, Icon: icon, Importance: kit.Quiet, EnterTaps: true, OnTapped: do})
}

// control is the control for the kind of fv, with a box for null below it where
// null may be the answer. What null took the place of stays in the control.
func (v *formView) control(fv *fieldView) kit.Control {
	f := fv.field
	inner := v.answering(f)
	if inner == nil || !f.Nullable {
		return inner
	}
	return kit.NewOrNull(v.env, inner, v.fill.draft.Null(f.Path), func(null bool) {
		v.setNull(f.Path, null)
		v.touched(f.Path)
	})
}

// setNull answers the field at p with null, or again with what that took the
// place of.
func (v *formView) setNull(p forms.Path, null bool) {
	if null {
		v.fill.draft.SetNull(p)
	} else {
		v.fill.draft.UnsetNull(p)
	}
}

// answering makes the control for the kind of f, filled from the draft; nil for
// a kind without one.
func (v *formView) answering(f *forms.Field) kit.Control {
	p := f.Path
	text := kit.TextEntryOptions{Env: v.env, Text: v.fill.draft.Text(p), Masked: f.Secret, OnChanged: func(s string) {
		v.fill.draft.SetText(p, s)
		v.touched(p)
	}}
	switch f.Kind {
	case forms.Text:
		if f.Multiline && !f.Secret {
			text.Lines = 4
		}
	case forms.Email, forms.URI:
	case forms.List:
		text.Lines, text.Masked = 4, false
	case forms.JSON, forms.Group, forms.Rows, forms.Map, forms.Variant: // the latter as raw JSON
		text.Lines, text.Mono, text.Masked = 6, true, false
	case forms.Integer, forms.Number:
		text.Masked = false
	case forms.Date:
		return kit.NewDateField(kit.DateFieldOptions{Env: v.env, Text: text.Text, Day: day, OnChanged: text.OnChanged})
	case forms.DateTime:
		return v.dateTime(f)
	case forms.Boolean:
		return v.yesNo(f)
	case forms.Choice:
		return v.picker(f)
	case forms.Checklist:
		return kit.NewChecklist(kit.ChecklistOptions{Env: v.env, Options: options(f), Ticked: v.fill.draft.Ticked(p),
			OnChanged: func(ticked []int) {
				v.fill.draft.SetTicks(p, ticked...)
				v.touched(p)
			}})
	default:
		return nil
	}
	return kit.NewLongEntry(text)
}

func (v *formView) yesNo(f *forms.Field) kit.Control {
	p := f.Path
	return kit.NewYesNo(kit.YesNoOptions{Env: v.env, Value: yesNo(v.fill.draft, p), OnChanged: func(a kit.Answer) {
		if a == kit.Unanswered {
			v.fill.draft.Clear(p)
		} else {
			v.fill.draft.SetBool(p, a == kit.Yes)
		}
		v.touched(p)
	}})
}

// picker picks one option. A pick can be taken back, of a required field too.
func (v *formView) picker(f *forms.Field) kit.Control {
	p := f.Path
	return kit.NewPicker(kit.PickerOptions{Env: v.env, Options: options(f), Selected: v.fill.draft.Picked(p), Clearable: true, Required: f.Required,
		OnChanged: func(i int) {
			if i < 0 {
				v.fill.draft.Clear(p)
			} else {
				v.fill.draft.Pick(p, i)
			}
			v.touched(p)
		}})
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

// options are the choices by their labels. Below stands the value, if another choice
// looks the same or the label is empty, and what the server says of the choice.
func options(f *forms.Field) []kit.Option {
	count := map[string]int{}
	out := make([]kit.Option, len(f.Options))
	for i, o := range f.Options {
		out[i].Label = label(o.Label)
		count[shown(out[i].Label)]++
	}
	for i, o := range f.Options {
		var below []string
		if count[shown(out[i].Label)] > 1 && strings.TrimSpace(o.Value) != "" {
			below = append(below, o.Value)
		}
		if strings.TrimSpace(o.Description) != "" {
			below = append(below, o.Description)
		}
		if below != nil {
			out[i].Detail = label(strings.Join(below, dot))
		}
	}
	return out
}

// shown is what a person sees of a name: two that differ only in the spaces around
// them look the same.
func shown(name safetext.Text) string { return strings.TrimSpace(name.String()) }

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

// note stands beside the label: how many of a checklist are ticked, and how many
// entries there are.
func (v *formView) note(f *forms.Field) string {
	d := v.fill.draft
	switch f.Kind {
	case forms.Checklist:
		n := len(d.Ticked(f.Path))
		if f.Limits.MaxItems >= 0 {
			return v.t("ui.form.ticked_of", "N", n, "Max", f.Limits.MaxItems)
		}
		return v.t("ui.form.ticked", "N", n)
	case forms.Rows, forms.Map:
		n := len(d.Rows(f.Path))
		switch {
		case n == 0:
		case f.Limits.MaxItems >= 0:
			return v.t("ui.form.entries_of", "N", n, "Max", f.Limits.MaxItems)
		default:
			return v.say(i18n.N("ui.form.entries", n))
		}
	}
	return ""
}

// hint stands below the control: the server's description, and the app's own
// words on the limits, on what becomes of the answer, and on what the server
// did wrong with the field.
func (v *formView) hint(f *forms.Field) []kit.Run {
	var own []string
	hints, notes := v.fill.draft.Hints(f.Path), v.fill.draft.Notes(f.Path)
	// What was read out of the text takes the place of how to write it.
	switch {
	case f.Kind == forms.Date:
		if t, ok := forms.ParseDate(v.fill.draft.Text(f.Path)); ok {
			own = append(own, forms.FormatDate(t, v.loc.Tag()))
			hints = without(hints, "forms.hint.date")
		}
	case f.Kind == forms.DateTime && len(notes) > 0:
		hints = without(hints, "forms.hint.dateTime")
	}
	for _, ms := range [][]i18n.Message{hints, notes, f.Problems} {
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
		between = dot
	}
	return append(runs, kit.Own(between+strings.Join(own, dot), hintText))
}

// dot stands between sentences. It goes to the next line with the one after it.
const dot = "  •\u00a0\u00a0"

// without are the messages but the one with this id.
func without(ms []i18n.Message, id string) []i18n.Message {
	return slices.DeleteFunc(slices.Clone(ms), func(m i18n.Message) bool { return m.ID == id })
}

// oneLineHint is how long, in bytes, a description may be to share its line
// with the app's own words.
const oneLineHint = 60
