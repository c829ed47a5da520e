package forms

import (
	"encoding/json"
	"maps"
	"strconv"

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
//   - a group takes an object of acts and is sent from then on;
//   - rows take an array of acts, exactly those entries are there then, none
//     for []; a map takes an object of acts in the same way, the keys being
//     its own; both take a string as raw JSON that is typed;
//   - of the alternatives of a variant the first is chosen that takes the
//     value as it stands and finds it right, else the first that it can be an
//     act for;
//   - null clears; an optional group it leaves out. Null on purpose is
//     [Draft.SetNull];
//   - a field that cannot be shown takes null only, which changes nothing.
//
// Keys beyond the properties of an object go to its alternatives and to the map
// of further keys, if it has them. Anything else is an error of its key. With
// errors nothing is done at all. What was typed may still be refused by Check.
func (d *Draft) Apply(acts json.RawMessage) []FieldError {
	return d.atOnce(func(work *Draft) []FieldError {
		f := newFilling(work, false)
		return f.object(nil, work.inForm(), acts)
	})
}

// SetValue makes the field at p, or the whole form for the empty path, hold
// exactly value, such as a value that was sent before: what value does not
// have is absent, defaults or not. With errors, where the form has no place for
// some of it, nothing is done. Whether the value is right is up to Check.
func (d *Draft) SetValue(p Path, value json.RawMessage) []FieldError {
	if !json.Valid(value) {
		return []FieldError{{Path: p, Code: BadAct, Message: i18n.M("forms.error.json")}}
	}
	return d.atOnce(func(work *Draft) []FieldError {
		f := newFilling(work, true)
		if p == "" {
			return f.object(nil, work.inForm(), value)
		}
		field := work.Field(p)
		if field == nil {
			return []FieldError{{Path: p, Code: BadAct, Message: i18n.M("forms.act.unknown", "Name", printable(string(p)))}}
		}
		return f.fill(field, value)
	})
}

// atOnce does something to d, or nothing if it fails.
func (d *Draft) atOnce(do func(work *Draft) []FieldError) []FieldError {
	work := *d
	work.answers, work.zones, work.fields = maps.Clone(d.answers), maps.Clone(d.zones), maps.Clone(d.fields)
	if errors := do(&work); len(errors) > 0 {
		return errors
	}
	work.refused = nil
	*d = work
	return nil
}

// filling puts a JSON value into the fields of a draft: exactly, or as acts.
type filling struct {
	d     *Draft
	exact bool
	steps int // values put so far
	begun int // what d had cost when it began
}

// newFilling begins to fill d.
func newFilling(d *Draft, exact bool) *filling {
	return &filling{d: d, exact: exact, begun: d.made + d.cost}
}

// maxSteps bounds the values that are put into fields and the fields that are
// made for them: alternatives within alternatives can make few of them many.
// Beyond it a variant is raw JSON.
const maxSteps = 40_000

// spent is what was taken of maxSteps.
func (w *filling) spent() int { return w.steps + w.d.made + w.d.cost - w.begun }

// fill puts value into f.
func (w *filling) fill(f *Field, value json.RawMessage) []FieldError {
	w.steps++
	f = w.d.at(f)
	kind := rawjson.Kind(value)
	switch {
	case kind == 'n':
		return w.null(f)
	case f.Fixed:
		if f.index(value) < 0 {
			return w.fault(f, i18n.M("forms.act.option"))
		}
		return nil
	case f.Kind == Group:
		if f = w.d.unfold(f); f.Kind == Group {
			w.d.put(f, answer{state: Answered})
			return w.object(f, w.d.inside(f), value)
		}
	case f.Kind.Structured() && kind == '"' && !w.exact && f.Kind != Variant:
		s, _ := rawjson.Decode(value)
		w.d.typeText(f, s)
		return nil
	case f.Kind == Rows:
		return w.rows(f, value)
	case f.Kind == Map:
		members, err := rawjson.Object(value)
		if err != nil {
			return w.fault(f, i18n.M("forms.act.object"))
		}
		return w.entries(f, members)
	case f.Kind == Variant:
		return w.variant(f, value)
	}
	if !w.exact {
		if problem := w.d.act(f, value); !problem.IsZero() {
			return w.fault(f, problem)
		}
		return nil
	}
	a, ok := f.readDefault(value)
	if !ok || f.Kind == Unsupported {
		return w.fault(f, i18n.M("forms.act.kind"))
	}
	a.state = Answered
	w.d.put(f, a)
	return nil
}

func (w *filling) fault(f *Field, m i18n.Message) []FieldError {
	return []FieldError{{Path: f.Path, Name: w.d.nameOf(f), Code: BadAct, Message: m}}
}

// null clears as an act; as a value it is one only where the schema has it.
func (w *filling) null(f *Field) []FieldError {
	switch {
	case !w.exact:
		w.d.clear(f)
	case f.Nullable || f.Kind == JSON:
		w.d.put(f, answer{state: Answered, null: true})
	case f.Kind == Variant: // an alternative may have it
		return w.variant(f, json.RawMessage("null"))
	default:
		return w.fault(f, i18n.M("forms.act.kind"))
	}
	return nil
}

// object puts the members of value into the fields of owner, nil being the
// form.
func (w *filling) object(owner *Field, fields []*Field, value json.RawMessage) (errors []FieldError) {
	members, err := rawjson.Object(value)
	if err != nil {
		at := FieldError{Code: BadAct, Message: i18n.M("forms.act.object")}
		if owner != nil {
			at.Path, at.Name = owner.Path, w.d.nameOf(owner)
		}
		return []FieldError{at}
	}
	own := map[string]*Field{}
	for _, f := range fields {
		if !f.Inline {
			own[f.segment] = f
		}
	}
	var left []rawjson.Member
	for _, m := range members {
		segment := memberSegment(m)
		f := own[segment]
		if f == nil {
			left = append(left, m)
			continue
		}
		delete(own, segment)
		errors = append(errors, w.fill(f, m.Value)...)
	}
	if w.exact {
		w.leaveOut(own)
	}
	for _, f := range fields {
		if f.Inline && len(errors) == 0 {
			left = w.inline(f, left)
		}
	}
	for _, m := range left {
		at := FieldError{Name: m.Key, Code: BadAct, Message: i18n.M("forms.act.unknown", "Name", m.Key)}
		if owner != nil {
			at.Path = owner.Path
		}
		at.Path += "/" + Path(memberSegment(m))
		errors = append(errors, at)
	}
	return errors
}

// memberSegment is the last part of the path of the property that a member
// stands for.
func memberSegment(m rawjson.Member) string {
	id, _ := rawjson.Decode(m.Raw)
	return pointerEscaper.Replace(id)
}

// leaveOut makes the fields absent that a default would fill in.
func (w *filling) leaveOut(fields map[string]*Field) {
	for _, f := range fields {
		switch {
		case f.Fixed:
		case w.d.standing(f).state == Answered:
			w.d.clear(f)
		default:
			w.d.reset(f)
		}
	}
}

// inline puts of the members what it can take into f and returns the others.
func (w *filling) inline(f *Field, members []rawjson.Member) (left []rawjson.Member) {
	if len(members) == 0 && (!w.exact || f.Kind != Variant) {
		return nil
	}
	if f.Kind == Variant {
		return w.inlineVariant(f, members)
	}
	if f.Kind == Map {
		if len(w.entries(f, members)) > 0 {
			return members
		}
		return nil
	}
	var all objectWriter
	for _, m := range members {
		all.putRaw(m.Raw, m.Value)
	}
	w.d.put(f, answer{state: Answered, text: string(all.end())})
	return nil
}

// inlineVariant chooses the alternative that the members are right for, else
// one that they can be put into; of several the one that takes most of them.
func (w *filling) inlineVariant(f *Field, members []rawjson.Member) (left []rawjson.Member) {
	best := -1
	for _, fits := range []func(*Field, int, json.RawMessage, bool) bool{w.try, w.choose} {
		for i := range f.Variants {
			take, rest := w.split(w.d.alternative(f, i), members)
			if (best < 0 || len(rest) < len(left)) && fits(f, i, take, w.exact) {
				best, left = i, rest
			}
		}
		if best >= 0 {
			break
		}
	}
	if best < 0 {
		w.d.reset(f)
		return members
	}
	take, _ := w.split(w.d.alternative(f, best), members)
	w.choose(f, best, take, w.exact)
	return left
}

// split parts members in those that the alternative v has fields for and the
// others.
func (w *filling) split(v *Field, members []rawjson.Member) (take json.RawMessage, rest []rawjson.Member) {
	own := map[string]bool{}
	for _, c := range w.d.inside(v) {
		own[c.segment] = true
	}
	var object objectWriter
	for _, m := range members {
		if own[memberSegment(m)] {
			object.putRaw(m.Raw, m.Value)
		} else {
			rest = append(rest, m)
		}
	}
	return object.end(), rest
}

// rows makes the elements of value the entries of f.
func (w *filling) rows(f *Field, value json.RawMessage) (errors []FieldError) {
	elements, err := rawjson.Array(value)
	if err != nil {
		return w.fault(f, i18n.M("forms.act.rows"))
	}
	if w.empty(f, value, len(elements)) {
		return nil
	}
	for _, e := range elements {
		if w.d.full(f) {
			w.asJSON(f, value)
			return nil
		}
		errors = append(errors, w.fill(w.d.add(f, entry{}), e)...)
	}
	return errors
}

// entries makes members the entries of the Map f.
func (w *filling) entries(f *Field, members []rawjson.Member) (errors []FieldError) {
	var all objectWriter
	for _, m := range members {
		all.putRaw(m.Raw, m.Value)
	}
	value := all.end()
	if w.empty(f, value, len(members)) {
		return nil
	}
	for _, m := range members {
		if w.d.full(f) {
			w.asJSON(f, value)
			return nil
		}
		id, _ := rawjson.Decode(m.Raw)
		errors = append(errors, w.fill(w.d.add(f, entry{key: id, named: true}), m.Value)...)
	}
	return errors
}

// empty begins to put n entries into f: those that were there are gone. No
// entries are an answer as a value, and none as an act.
func (w *filling) empty(f *Field, value json.RawMessage, n int) bool {
	w.d.clear(f)
	if n == 0 && w.exact {
		w.asJSON(f, value)
	}
	return n == 0
}

// asJSON answers a structured field with raw JSON.
func (w *filling) asJSON(f *Field, value json.RawMessage) {
	w.d.forgetBelow(f.Path)
	w.d.put(f, answer{state: Answered, text: string(value)})
}

// variant chooses an alternative for value.
func (w *filling) variant(f *Field, value json.RawMessage) []FieldError {
	for _, exact := range []bool{true, w.exact} {
		for i := range f.Variants {
			if w.spent() > maxSteps {
				w.asJSON(f, value)
				return nil
			}
			if !w.try(f, i, value, exact) {
				continue
			}
			// As acts, the defaults of what value does not have stand.
			if exact && !w.exact && !w.try(f, i, value, false) {
				w.choose(f, i, value, true)
			}
			return nil
		}
	}
	// Nothing is right for it: what it can be put into at least says why.
	for i := range f.Variants {
		if w.choose(f, i, value, w.exact) {
			return nil
		}
	}
	w.d.reset(f)
	return w.fault(f, i18n.M("forms.act.variant"))
}

// try chooses the alternative i for value and reports whether that is right:
// nothing is wrong with it, and as a value it is what is sent.
func (w *filling) try(f *Field, i int, value json.RawMessage, exact bool) bool {
	if !mayFit(f.Variants[i], value) || !w.choose(f, i, value, exact) {
		return false
	}
	o := w.d.outcome(f)
	return len(o.errors) == 0 && (!exact || valueKey(o.value) == valueKey(value))
}

// choose chooses the alternative i, puts value into it and reports whether
// that was possible.
func (w *filling) choose(f *Field, i int, value json.RawMessage, exact bool) bool {
	fresh := w.d.fields[f.Path+"/"+Path(strconv.Itoa(i))] == nil
	v := w.d.alternative(f, i)
	if !fresh { // what an earlier try left
		w.steps += len(w.d.answers) / 100
		w.d.reset(v)
	}
	w.d.put(f, answer{state: Answered, chosen: i})
	before := w.exact
	w.exact = exact
	errors := w.fill(v, value)
	w.exact = before
	return len(errors) == 0
}

// mayFit is a quick look at whether value can be right for the alternative v:
// it is an object where v is one, and nothing in it says that it is another.
func mayFit(v *Field, value json.RawMessage) bool {
	if v.Kind != Group || v.Closed {
		return true
	}
	members, err := rawjson.Object(value)
	if err != nil {
		return false
	}
	fixed := map[string]*Field{}
	for _, c := range v.Children {
		if c.Fixed {
			fixed[c.segment] = c
		}
	}
	for _, m := range members {
		if c := fixed[memberSegment(m)]; c != nil && c.index(m.Value) < 0 {
			return false
		}
	}
	return true
}

// act does one act at a field that holds no others.
func (d *Draft) act(f *Field, value json.RawMessage) i18n.Message {
	kind := rawjson.Kind(value)
	switch f.Kind {
	case Unsupported:
		return i18n.M("forms.act.unsupported")
	case Boolean:
		if kind != 't' && kind != 'f' {
			return i18n.M("forms.act.boolean")
		}
		d.put(f, answer{state: Answered, yes: kind == 't'})
		return i18n.Message{}
	case Choice:
		i := f.index(value)
		if i < 0 {
			return i18n.M("forms.act.option")
		}
		d.put(f, answer{state: Answered, picks: []int{i}})
		return i18n.Message{}
	case Checklist:
		picks, ok := f.indexes(value)
		if !ok {
			if kind == '[' {
				return i18n.M("forms.act.option")
			}
			return i18n.M("forms.act.options")
		}
		d.tick(f, picks)
		return i18n.Message{}
	}
	return d.actTyped(f, value)
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
		d.list(f, lines)
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
		d.clear(f)
		return
	}
	d.put(f, answer{state: Answered, text: s})
}
