package ui

import (
	"encoding/json"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/ui/kit"
)

// Fields that hold others are drawn under each other: a head with the label, and
// below it, beside a line, what stands in the field. Each level lies a little to
// the right of the one around it, but no more than maxIndent levels do: deeper
// ones keep the width and say above their head where they are.

// maxIndent is how many levels are indented.
const maxIndent = 3

// level is how many fields are around fv.
func (fv *fieldView) level() (n int) {
	for q := fv.owner; q != nil; q = q.owner {
		n++
	}
	return n
}

// indent puts what lies in fv in its place.
func (fv *fieldView) indent(o fyne.CanvasObject) fyne.CanvasObject {
	if fv.level() >= maxIndent {
		return o
	}
	return kit.Indent(o)
}

// whereabouts names the fields around fv, from the outside in: the outermost and
// the two next to it.
func (fv *fieldView) whereabouts() string {
	var names []string
	for q := fv.owner; q != nil; q = q.owner {
		names = append(names, q.label.String())
	}
	slices.Reverse(names)
	if n := len(names); n > 3 {
		names = []string{names[0], "…", names[n-2], names[n-1]}
	}
	return strings.Join(names, " › ")
}

// draw draws a field that holds others, or an entry, from what the draft says
// now.
func (v *formView) draw(fv *fieldView) {
	v.drop(fv)
	fv.control, fv.start, fv.renew = nil, nil, nil
	d := v.fill.draft
	if f := d.Field(fv.path); f != nil {
		fv.field = f
	}
	f := fv.field
	var objects []fyne.CanvasObject
	if fv.level() > maxIndent && f.Kind.Structured() {
		objects = append(objects, kit.Sentence(fv.whereabouts(), hintText))
	}
	switch {
	case !f.Kind.Structured():
		objects = append(objects, v.leaf(fv))
	case d.Null(f.Path):
		objects = append(objects, v.head(fv, nil))
	case d.Raw(f.Path):
		objects = append(objects, v.asJSON(fv))
	case f.Kind == forms.Group:
		objects = append(objects, v.group(fv)...)
	case f.Kind == forms.Variant:
		objects = append(objects, v.variant(fv)...)
	default:
		objects = append(objects, v.entries(fv)...)
	}
	if f.Kind.Structured() && f.Nullable {
		objects = append(objects, v.nullOf(fv))
	}
	fv.box.Objects = objects
	fv.box.Refresh()
	if fv.renew != nil {
		fv.renew()
	}
}

// leaf draws an entry that is one value; one of a Map with its key.
func (v *formView) leaf(fv *fieldView) fyne.CanvasObject {
	v.plain(fv, fv.actions())
	if fv.key == nil {
		return kit.NewFormGrid(v.env, fv.row)
	}
	return kit.NewFormGrid(v.env, fv.key.row, fv.row)
}

// head makes the row with the label of a field that holds others. It has an
// entry's buttons at the end unless the key has them.
func (v *formView) head(fv *fieldView, control kit.Control, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	fv.control = control
	fv.row = kit.NewFieldRow(kit.FieldRowOptions{
		Env:      v.env,
		Label:    fv.label,
		Name:     fv.name,
		Required: fv.field.Required && fv.field.Key != nil,
		Note:     v.note(fv.field),
		Hint:     v.hint(fv.field),
		Control:  control,
		Action:   fv.actions(buttons...),
		Wide:     control == nil || fv.tools != nil || v.fill.draft.Raw(fv.path),
	})
	if e := v.fill.fault(fv.path); e != nil {
		fv.setError(e, v.say(e.Message))
	}
	if fv.key != nil {
		return kit.Column(gap, kit.NewFormGrid(v.env, fv.key.row), kit.NewFormGrid(v.env, fv.row))
	}
	return kit.NewFormGrid(v.env, fv.row)
}

// actions are these buttons and those of an entry, nil for none.
func (fv *fieldView) actions(buttons ...fyne.CanvasObject) fyne.CanvasObject {
	if fv.tools != nil {
		buttons = append(buttons, fv.tools.row)
	}
	if len(buttons) == 0 {
		return nil
	}
	return kit.Row(gap, buttons...)
}

// group draws a group: its fields, or the button that adds them where it may be
// left out, as a tree's next branch always can.
func (v *formView) group(fv *fieldView) []fyne.CanvasObject {
	d, f := v.fill.draft, fv.field
	if !d.Opened(f.Path) || f.Closed {
		add := v.quiet(v.t("ui.form.add", "Name", fv.label.String()), kit.IconPlus, func() {
			d.Open(f.Path)
			v.made(fv)
		})
		fv.start = add
		return []fyne.CanvasObject{v.head(fv, nil, add)}
	}
	buttons := v.toJSON(fv)
	if !f.Required {
		buttons = append(buttons, v.quiet(v.t("ui.form.remove"), nil, func() { v.takeAway(fv, func() { d.Clear(f.Path) }) }))
	}
	fv.inside = &part{owner: fv, box: kit.Column(gap)}
	objects := []fyne.CanvasObject{v.head(fv, nil, buttons...)}
	fields := d.Fields(f.Path)
	if len(fields) > 0 {
		inside := fyne.CanvasObject(fv.inside.box)
		if fv.tools == nil { // an entry lies beside a line already
			inside = fv.indent(inside)
		}
		objects = append(objects, inside)
	}
	v.build(len(fields), v.steps(fv.inside, fields)...)
	return objects
}

// made draws what the person has just opened or added and gives it the
// keyboard.
func (v *formView) made(fv *fieldView) {
	v.draw(fv)
	v.touched(fv.path)
	v.enterInto(fv)
}

// enterInto gives the keyboard to the first control of fv.
func (v *formView) enterInto(fv *fieldView) {
	if f := fv.entrance(); f != nil {
		v.bring(f)
	}
}

// nullOf is the box that answers a field that holds others with null.
func (v *formView) nullOf(fv *fieldView) fyne.CanvasObject {
	d, p := v.fill.draft, fv.path
	check := kit.NewNullCheck(v.env, d.Null(p), func(null bool) {
		v.setNull(p, null)
		v.draw(fv)
		v.touched(p)
		v.bring(fv.null)
	})
	fv.null = check
	return kit.Row(0, check)
}

// undo is the way back from the last thing that was taken away.
type undo struct {
	saved json.RawMessage // the draft before
	of    *fieldView      // what is drawn anew
	line  fyne.CanvasObject
	// json tells that of was written as JSON; the way back is to its fields.
	json bool
}

// takeAway does what takes something away in fv, draws that anew and offers the
// way back until something else is done.
func (v *formView) takeAway(fv *fieldView, do func()) {
	saved := v.fill.draft.Save()
	do()
	v.draw(fv)
	v.taken(fv, saved)
	if f := fv.focus(); f != nil {
		v.bring(f)
	}
}

// taken offers the way back to what was saved.
func (v *formView) taken(fv *fieldView, saved json.RawMessage) {
	v.touched(fv.path)
	back := v.quiet(v.t("ui.form.undo"), nil, v.takeBack)
	u := &undo{saved: saved, of: fv, line: kit.Row(gapSmall*2, kit.Sentence(v.t("ui.form.removed"), hintText), back)}
	fv.box.Add(u.line)
	v.undo = u
}

// takeBack puts back what was taken away.
func (v *formView) takeBack() {
	u := v.undo
	if u == nil {
		return
	}
	v.undo = nil
	// What Save gives, Restore takes.
	_ = v.fill.draft.Restore(u.saved)
	v.draw(u.of)
	v.touched(u.of.path)
	if f := u.of.focus(); f != nil {
		v.bring(f)
	}
}

func (v *formView) forgetUndo() {
	u := v.undo
	v.undo = nil
	u.of.box.Remove(u.line)
}
