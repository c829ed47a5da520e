package forms

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// readStructure adds a field that holds others to r and gives its value, nil
// if it is left out. A group is sent when it is required, opened or touched.
func (d *Draft) readStructure(r *reading, f *Field, a answer) json.RawMessage {
	if f.Kind == Group {
		switch {
		case !d.sends(f):
			return nil
		case f.Closed:
			return d.ofItself(r, f, f.blank())
		}
		return d.readObject(r, d.inside(f))
	}
	if a.state != Answered {
		return d.ofItself(r, f, f.blank())
	}
	switch f.Kind {
	case Rows:
		return d.readRows(r, f)
	case Map:
		return d.readMap(r, f, a.entries)
	}
	return d.readField(r, d.alternative(f, a.chosen))
}

// ofItself adds what f comes to without a look at what is in it.
func (d *Draft) ofItself(r *reading, f *Field, o outcome) json.RawMessage {
	for _, e := range o.errors {
		e.Name = d.nameOf(f)
		r.errors = append(r.errors, e)
	}
	return o.value
}

// fault is an error at f, called by its name in this draft.
func (d *Draft) fault(f *Field, code Code, m i18n.Message) FieldError {
	return FieldError{Path: f.Path, Name: d.nameOf(f), Code: code, Message: m}
}

// readRows reads the entries of Rows in their order.
func (d *Draft) readRows(r *reading, f *Field) json.RawMessage {
	var values []json.RawMessage
	seen := map[string]int{}
	wrong := len(r.errors)
	for i, row := range d.inside(f) {
		before := len(r.errors)
		value := d.readField(r, row)
		if value == nil {
			continue // its errors say why
		}
		values = append(values, value)
		if len(r.errors) > before || !f.unique || r.hide != nil {
			continue // what is wrong in it is not in value
		}
		if key := valueKey(value); key != "" {
			if first, again := seen[key]; again {
				r.errors = append(r.errors, d.fault(row, Invalid, i18n.M("forms.error.rowTwice", "First", first, "Second", i+1)))
			}
			seen[key] = i + 1
		}
	}
	if problem := f.itemsError(len(values)); !problem.IsZero() && wrong == len(r.errors) {
		r.errors = append(r.errors, d.fault(f, Invalid, problem))
	}
	return joinArray(values)
}

// readMap reads the entries of a Map. Each must have a key, a right one, and
// no other entry or property the same.
func (d *Draft) readMap(r *reading, f *Field, entries []entry) json.RawMessage {
	var w objectWriter
	taken := map[string]i18n.Message{}
	for _, key := range d.siblingKeys(f) {
		taken[key] = i18n.M("forms.error.keyKnown", "Key", excerpt(printable(key)))
	}
	wrong := len(r.errors)
	for _, e := range entries {
		row := d.entryField(f, e)
		value := d.readField(r, row)
		switch problem := taken[e.key]; {
		case !e.named:
			r.errors = append(r.errors, d.fault(row, Missing, i18n.M("forms.error.keyMissing")))
		case !problem.IsZero():
			r.errors = append(r.errors, d.fault(row, Invalid, problem))
		default:
			if problem := f.keyError(e.key); !problem.IsZero() {
				r.errors = append(r.errors, d.fault(row, Invalid, problem))
			}
			taken[e.key] = i18n.M("forms.error.keyTwice", "Key", excerpt(printable(e.key)))
		}
		if value != nil && e.named {
			w.put(e.key, value)
		}
	}
	if problem := f.itemsError(len(entries)); !problem.IsZero() && wrong == len(r.errors) {
		r.errors = append(r.errors, d.fault(f, Invalid, problem))
	}
	return w.end()
}

// keyError says what is wrong with a key of the Map f.
func (f *Field) keyError(key string) i18n.Message {
	k := f.KeyRule
	switch {
	case k == nil:
		return i18n.Message{}
	case k.Kind == Choice && k.index(rawjson.Quote(key)) < 0:
		return i18n.M("forms.error.keyOption")
	case k.Kind == Choice:
		return i18n.Message{}
	}
	if o := k.parseTyped(key); len(o.errors) > 0 {
		return i18n.M("forms.error.key", "Reason", o.errors[0].Message)
	}
	return i18n.Message{}
}

// siblingKeys are the keys that the object around the Inline field f has
// without it.
func (d *Draft) siblingKeys(f *Field) []string {
	if !f.Inline {
		return nil
	}
	var keys []string
	siblings := d.inForm()
	if f.parent != nil {
		siblings = d.inside(f.parent)
	}
	for _, s := range siblings {
		switch {
		case s == f:
		case !s.Inline:
			key, _ := rawjson.Decode(s.Key)
			keys = append(keys, key)
		case s.Kind == Variant:
			keys = append(keys, d.keysIn(s)...)
		}
	}
	return keys
}

// keysIn are the keys that the members in f have: of a group, or of the object
// that is the chosen alternative.
func (d *Draft) keysIn(f *Field) (keys []string) {
	if d.raw(f) {
		members, _ := rawjson.Object(json.RawMessage(d.effective(f).text))
		for _, m := range members {
			key, _ := rawjson.Decode(m.Raw)
			keys = append(keys, key)
		}
		return keys
	}
	for _, c := range d.inside(f) {
		if f.Kind == Variant {
			keys = append(keys, d.keysIn(c)...)
			continue
		}
		if key, ok := rawjson.Decode(c.Key); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// among is the Inline field whose members those of f are; nil where f has a
// place of its own.
func (f *Field) among() *Field {
	for q := f; q != nil; q = q.parent {
		if q.Inline {
			return q
		}
		if q.parent == nil || q.parent.Kind != Variant {
			return nil
		}
	}
	return nil
}

// repeats finds a key that the raw JSON of the Inline field f, or of its
// alternative, has and the object around it too.
func (d *Draft) repeats(f *Field, object json.RawMessage) (key string, known bool) {
	siblings := d.siblingKeys(f)
	members, _ := rawjson.Object(object)
	for _, m := range members {
		if id, _ := rawjson.Decode(m.Raw); slices.Contains(siblings, id) {
			return id, true
		}
	}
	return "", false
}

// nameOf is what f goes by in messages: its key at the top, and within others
// its place in what is sent, a JSON Pointer without the first slash.
func (d *Draft) nameOf(f *Field) string {
	if f.parent == nil && !f.Inline {
		return f.Name
	}
	var parts []string
	for q := f; q != nil; q = q.parent {
		switch {
		case q.Inline || q.parent != nil && q.parent.Kind == Variant:
		case q.parent != nil && (q.parent.Kind == Rows || q.parent.Kind == Map):
			parts = append(parts, d.placeName(q))
		default:
			parts = append(parts, q.segment)
		}
	}
	slices.Reverse(parts)
	return printable(strings.Join(parts, "/"))
}

// placeName is the key of an entry of a Map, and the place of one of Rows.
func (d *Draft) placeName(f *Field) string {
	if f.parent.Kind == Map {
		return pointerEscaper.Replace(f.Name)
	}
	i := slices.IndexFunc(d.effective(f.parent).entries, func(e entry) bool { return strconv.Itoa(e.id) == f.segment })
	return strconv.Itoa(max(i, 0))
}
