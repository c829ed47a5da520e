package forms

import (
	"encoding/json"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// setDefault reads the default. It goes through the parser that every answer
// goes through; one that is refused is not filled in but named as the
// server's fault, and the field counts as having none. "", [] and false are
// defaults like any other.
func (p *parser) setDefault(f *Field, n node) {
	raw := n.get("default")
	if raw == nil || f.Kind == Unsupported {
		return
	}
	if rawjson.Kind(raw) == 'n' && (n.nullable || n.said || f.Kind == JSON) {
		return // null is how such schemas say that there is none
	}
	if f.Kind.Structured() {
		p.setLayer(f, raw)
		return
	}
	a, ok := f.readDefault(raw)
	if !ok {
		problem := i18n.M("forms.problem.defaultType", "Value", excerpt(string(compact(raw))))
		if len(f.Options) > 0 && (f.Kind == Choice || rawjson.Kind(raw) == '[') {
			problem.ID = "forms.problem.defaultOption"
		}
		f.Problems = append(f.Problems, problem)
		return
	}
	a.state = Answered
	o := f.parse(a)
	if len(o.errors) > 0 {
		f.Problems = append(f.Problems, i18n.M("forms.problem.defaultInvalid",
			"Value", excerpt(string(compact(raw))), "Reason", o.errors[0].Message))
		return
	}
	if o.value == nil {
		return
	}
	if f.Kind == Integer {
		a.text = string(o.value) // 5.0 is shown as the 5 that is sent
	}
	f.Default, f.usable = raw, &a
}

// setLayer reads the default of a structured field by filling it in as a person
// might. What then stands in each field in it is the default of that field.
func (p *parser) setLayer(f *Field, raw json.RawMessage) {
	d := p.form.NewDraft()
	d.step = -1
	w := newFilling(d, true)
	w.steps = p.filled // one budget for all defaults of a schema
	errors := w.fill(f, raw)
	p.filled = w.spent()
	if len(errors) > 0 {
		f.Problems = append(f.Problems, i18n.M("forms.problem.defaultType", "Value", excerpt(string(compact(raw)))))
		return
	}
	if o := d.outcome(f); len(o.errors) > 0 {
		f.Problems = append(f.Problems, i18n.M("forms.problem.defaultInvalid",
			"Value", excerpt(string(compact(raw))), "Reason", o.errors[0].Message))
		return
	}
	f.Default, f.layer = raw, map[Path]answer{}
	for path, a := range d.answers {
		f.layer[path[len(f.Path):]] = a
	}
}

// readDefault puts a default into the shape of an answer; ok is false when it
// is of the wrong type or names no option.
func (f *Field) readDefault(raw json.RawMessage) (a answer, ok bool) {
	switch f.Kind {
	case Boolean:
		kind := rawjson.Kind(raw)
		a.yes = kind == 't'
		return a, kind == 't' || kind == 'f'
	case Integer, Number:
		a.text = string(compact(raw))
		return a, rawjson.Kind(raw) == '0'
	case Choice:
		i := f.index(raw)
		a.picks = []int{i}
		return a, i >= 0
	case Checklist:
		a.picks, ok = f.indexes(raw)
		return a, ok
	case List:
		a.lines, ok = f.item.texts(raw)
		return a, ok
	case JSON:
		a.text = string(raw)
		return a, true
	}
	a.text, ok = rawjson.Decode(raw)
	return a, ok
}

// indexes finds the options that an array of values names, ascending and each
// once; ok is false when raw is no array or a value is no option.
func (f *Field) indexes(raw json.RawMessage) (picks []int, ok bool) {
	values, err := rawjson.Array(raw)
	if err != nil {
		return nil, false
	}
	named := make([]bool, len(f.Options))
	for _, v := range values {
		i := f.index(v)
		if i < 0 {
			return nil, false
		}
		named[i] = true
	}
	for i, yes := range named {
		if yes {
			picks = append(picks, i)
		}
	}
	return picks, true
}

// texts reads an array of strings (of numbers, where item is one) as the
// texts one would type.
func (item *Field) texts(raw json.RawMessage) (lines []string, ok bool) {
	values, err := rawjson.Array(raw)
	if err != nil {
		return nil, false
	}
	lines = []string{}
	for _, v := range values {
		s, ok := rawjson.Decode(v)
		if item.Kind == Integer || item.Kind == Number {
			s, ok = string(compact(v)), rawjson.Kind(v) == '0'
		}
		if !ok {
			return nil, false
		}
		lines = append(lines, s)
	}
	return lines, true
}
