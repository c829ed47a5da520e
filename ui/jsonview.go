package ui

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/ui/kit"
)

// A field that holds others can be answered with JSON text instead, for who has
// it in the clipboard, and for what no fields can say. The way there and back is
// open only where nothing typed would be lost on it.

// toJSON is the button that goes on with fv as JSON text; entries, and groups in
// others, go with what they stand in.
func (v *formView) toJSON(fv *fieldView) []fyne.CanvasObject {
	if fv.tools != nil || fv.owner != nil && fv.field.Kind == forms.Group {
		return nil
	}
	return []fyne.CanvasObject{v.quiet(v.t("ui.form.as_json"), nil, func() { v.writeJSON(fv) })}
}

// writeJSON makes JSON text of what stands in fv, an outline of what is asked
// for if that is nothing. What is wrong in it has no JSON: it is shown instead.
func (v *formView) writeJSON(fv *fieldView) {
	d := v.fill.draft
	if wrong := slices.DeleteFunc(d.CheckWithin(fv.path), func(e forms.FieldError) bool { return !v.typed(fv, e) }); len(wrong) > 0 {
		v.lead(wrong)
		return
	}
	saved := d.Save()
	text := indented(d.Text(fv.path))
	if empty := strings.TrimSpace(text); empty == "" || empty == "{}" || empty == "[]" || empty == "null" {
		text = d.Skeleton(fv.path)
	}
	if text == "" {
		text = map[bool]string{true: "[\n  \n]", false: "{\n  \n}"}[fv.field.Kind == forms.Rows]
	}
	d.SetText(fv.path, text)
	v.made(fv)
	v.undo = &undo{saved: saved, of: fv, line: kit.Row(0), json: true}
}

// typed reports whether an error in fv is about something that was typed, a key
// included, and not about what is missing.
func (v *formView) typed(fv *fieldView, e forms.FieldError) bool {
	if e.Path == fv.path {
		return false
	}
	owner := v.fill.draft.Field(outside(e.Path))
	return e.Code != forms.Missing || owner != nil && owner.Kind == forms.Map
}

// indented is JSON text laid out to be read; what is no JSON stays.
func indented(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return text
	}
	return b.String()
}

// asJSON draws a field that is answered with JSON text, with a way to its
// fields.
func (v *formView) asJSON(fv *fieldView) fyne.CanvasObject {
	return v.head(fv, v.answering(fv.field), v.quiet(v.t("ui.form.as_fields"), nil, func() { v.writeFields(fv) }))
}

// writeFields goes on with the fields of fv if they can say what the text does;
// else the text stays, with the reason. As long as nothing else was done, they are
// as they were, also where JSON cannot say that: a date in words, a text under null.
func (v *formView) writeFields(fv *fieldView) {
	if u := v.undo; u != nil && u.json && u.of == fv {
		v.takeBack()
		return
	}
	d := v.fill.draft
	text := d.Text(fv.path)
	if strings.TrimSpace(text) == "" {
		d.Reset(fv.path)
	} else if errs := d.SetValue(fv.path, json.RawMessage(text)); len(errs) > 0 {
		fv.row.SetError(v.t("ui.form.no_fields", "Why", v.say(errs[0].Message)))
		v.bring(fv.focus())
		return
	}
	v.made(fv)
}

// skeleton is the button that begins raw JSON with an outline of what is asked
// for, while nothing is written yet. nil where nothing is known of it.
func (v *formView) skeleton(fv *fieldView) fyne.CanvasObject {
	outline := v.fill.draft.Skeleton(fv.path)
	entry, ok := fv.control.(*kit.LongEntry)
	if o, null := fv.control.(*kit.OrNull); null {
		entry, ok = o.Inner().(*kit.LongEntry)
	}
	if outline == "" || !ok {
		return nil
	}
	button := v.quiet(v.t("ui.form.outline"), nil, func() {
		entry.SetText(outline)
		v.focus(entry.FocusTarget())
	})
	fv.renew = func() {
		if written := strings.TrimSpace(v.fill.draft.Text(fv.path)) != ""; button.Hidden != written {
			button.Hidden = written
			if fv.row != nil {
				fv.row.Refresh()
			}
		}
	}
	fv.renew()
	return button
}
