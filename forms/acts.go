package forms

import (
	"encoding/json"
	"maps"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// Apply does to d what a person would do at the controls, one act a key of the
// JSON object acts (the OBJECT of "accept:OBJECT" on the command line):
//
//   - a string is typed over what stood there, "" clears; a number is typed as
//     its own characters;
//   - a choice takes the value of an option, never its label;
//   - yes/no takes true or false;
//   - a checklist takes an array of values: exactly those are ticked;
//   - a list takes an array of texts;
//   - raw JSON takes any value as its text, a string as what is typed;
//   - a group takes an object of acts;
//   - null clears; an optional group it leaves out;
//   - a field that cannot be shown takes null only, which changes nothing.
//
// Anything else is an error of its key. With errors nothing is done at all.
// What was typed may still be refused by Check.
func (d *Draft) Apply(acts json.RawMessage) []FieldError {
	work := &Draft{form: d.form, answers: maps.Clone(d.answers)}
	if errors := work.applyObject(acts, ""); len(errors) > 0 {
		return errors
	}
	d.answers = work.answers
	return nil
}

// applyObject does the acts for the fields below parent.
func (d *Draft) applyObject(acts json.RawMessage, parent Path) []FieldError {
	members, err := rawjson.Object(acts)
	if err != nil {
		return []FieldError{{Path: parent, Name: d.nameAt(parent), Code: BadAct, Message: i18n.M("forms.act.object")}}
	}
	var errors []FieldError
	for _, m := range members {
		id, _ := rawjson.Decode(m.Raw)
		path := parent + "/" + Path(pointerEscaper.Replace(id))
		f := d.form.Field(path)
		if f == nil {
			errors = append(errors, FieldError{Path: path, Name: m.Key, Code: BadAct, Message: i18n.M("forms.act.unknown", "Name", m.Key)})
			continue
		}
		if f.Kind == Group && rawjson.Kind(m.Value) != 'n' {
			errors = append(errors, d.applyObject(m.Value, path)...)
			continue
		}
		if problem := d.act(f, m.Value); !problem.IsZero() {
			errors = append(errors, f.fault(BadAct, problem))
		}
	}
	return errors
}

// nameAt is the name that an error at p goes by.
func (d *Draft) nameAt(p Path) string {
	if f := d.form.Field(p); f != nil {
		return f.shownName()
	}
	return ""
}

// act does one act.
func (d *Draft) act(f *Field, value json.RawMessage) i18n.Message {
	kind := rawjson.Kind(value)
	if kind == 'n' {
		d.empty(f)
		return i18n.Message{}
	}
	if f.Kind == Unsupported {
		return i18n.M("forms.act.unsupported")
	}
	switch f.Kind {
	case Boolean:
		if kind != 't' && kind != 'f' {
			return i18n.M("forms.act.boolean")
		}
		d.SetBool(f.Path, kind == 't')
		return i18n.Message{}
	case Choice:
		i := f.index(value)
		if i < 0 {
			return i18n.M("forms.act.option")
		}
		d.Pick(f.Path, i)
		return i18n.Message{}
	case Checklist:
		picks, ok := f.indexes(value)
		if !ok {
			return i18n.M("forms.act.options")
		}
		d.SetTicks(f.Path, picks...)
		return i18n.Message{}
	}
	return d.actTyped(f, value)
}

// empty clears f. What lies in a required group is cleared one by one; an
// optional group is left out when nothing in it is touched.
func (d *Draft) empty(f *Field) {
	if f.Kind != Group {
		d.Clear(f.Path)
		return
	}
	for _, c := range f.Children {
		if f.Required {
			d.empty(c)
		} else {
			d.untouch(c)
		}
	}
}

// untouch resets f and all that lies in it.
func (d *Draft) untouch(f *Field) {
	d.Reset(f.Path)
	for _, c := range f.Children {
		d.untouch(c)
	}
}

// actTyped types a value into a field.
func (d *Draft) actTyped(f *Field, value json.RawMessage) i18n.Message {
	kind := rawjson.Kind(value)
	switch {
	case kind == '"':
		s, _ := rawjson.Decode(value)
		d.typeText(f, s)
	case f.Kind == List && kind == '[':
		lines, ok := f.item.texts(value)
		if !ok {
			return i18n.M("forms.act.list")
		}
		d.SetLines(f.Path, lines...)
	case f.Kind == List:
		return i18n.M("forms.act.list")
	case kind == '0', f.Kind == JSON:
		d.typeText(f, string(value))
	default:
		return i18n.M("forms.act.typed")
	}
	return i18n.Message{}
}

// typeText is SetText for text that may hold lone surrogates, as JSON can.
func (d *Draft) typeText(f *Field, s string) {
	if s == "" {
		d.Clear(f.Path)
		return
	}
	d.answers[f.Path] = answer{state: Answered, text: s}
}
