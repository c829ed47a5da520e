package forms

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"parley/forms/rawjson"
)

// ErrDraftMismatch is returned (wrapped) by Restore for a draft of another
// form: a field or an option that is not there, or a value of another kind.
var ErrDraftMismatch = errors.New("draft does not fit the form")

// A saved draft is an object with one member a touched field, path to state:
//
//	{"/name":{"text":"Li"},"/nick":{"cleared":true},"/agree":{"yes":false},
//	 "/pet":{"options":[1],"values":["p2"]},"/tags":{"lines":["a","b"]},
//	 "/none":{"null":true},"/group":{"open":true},"/shape":{"chosen":1,"kind":"group"},
//	 "/rows":{"entries":[3,1]},"/rows/3/qty":{"text":"2"},
//	 "/map":{"entries":[2],"keys":["red"]},"/map/2":{"text":"#f00"},
//	 "/when":{"text":"2026-03-04 10:00","zone":"Europe/Madrid"},
//	 "/size":{"null":true,"before":{"text":"12"}}}
//
// Options go by index, since two may be equal, and carry their values, so that
// a draft cannot pick something else in a form that has changed. Entries go by
// their numbers; a field stands before what lies in it. A time zone is there
// where one was chosen, and wherever a time was typed: elsewhere and later the
// computer's may be another, and the text would mean another moment.

// Save writes everything the person did, for Restore. It holds answers in
// plain text, secrets among them: whoever stores it decides where.
func (d *Draft) Save() json.RawMessage {
	out := []byte{'{'}
	var walk func(fields []*Field)
	walk = func(fields []*Field) {
		for _, f := range fields {
			if state := d.saved(f); len(state) > 0 {
				if len(out) > 1 {
					out = append(out, ',')
				}
				out = append(out, rawjson.Quote(string(f.Path))...)
				out = append(out, ':', '{')
				out = append(out, state...)
				out = append(out, '}')
			}
			walk(d.kept(f))
		}
	}
	walk(d.inForm())
	return append(out, '}')
}

// kept are the fields in f that may hold answers: what is inside, what null or
// raw JSON took the place of, and the alternatives that are not chosen.
func (d *Draft) kept(f *Field) []*Field {
	switch f.Kind {
	case Group:
		return d.present(f.Children)
	case Rows, Map:
		return d.entriesOf(f, d.beneath(f))
	case Variant:
	default:
		return nil
	}
	var touched []*Field
	for i := range f.Variants {
		if v := d.fields[f.Path+"/"+Path(strconv.Itoa(i))]; v != nil {
			touched = append(touched, v)
		}
	}
	return touched
}

// saved are the members of the state of f, none for an untouched one.
func (d *Draft) saved(f *Field) []byte {
	var out []byte
	a, answered := d.answers[f.Path]
	if answered {
		out = a.append(out, f)
	}
	zone := d.zone(f)
	chosen := d.zones[f.Path] != nil
	typed := a.state == Answered && f.zoned() && zone != time.Local && databaseZone(zone.String()) != nil
	if !chosen && !typed {
		return out
	}
	if answered {
		out = append(out, ',')
	}
	return fmt.Appendf(out, `"zone":%s`, rawjson.Quote(zone.String()))
}

// append writes the members of one answer.
func (a answer) append(out []byte, f *Field) []byte {
	switch {
	case a.state == Cleared:
		return append(out, `"cleared":true`...)
	case a.null && a.before != nil:
		out = append(out, `"null":true,"before":{`...)
		return append(a.before.append(out, f), '}')
	case a.null:
		return append(out, `"null":true`...)
	case f.Kind == Group && a.text == "":
		return append(out, `"open":true`...)
	case f.Kind.Structured() && a.text == "":
		return a.appendStructure(out, f)
	case f.Kind == Boolean:
		return fmt.Appendf(out, `"yes":%t`, a.yes)
	case f.Kind == Choice || f.Kind == Checklist:
		var values, indexes []json.RawMessage
		for _, i := range a.picks {
			indexes = append(indexes, strconv.AppendInt(nil, int64(i), 10))
			values = append(values, f.Options[i].Raw)
		}
		return fmt.Appendf(out, `"options":%s,"values":%s`, joinArray(indexes), joinArray(values))
	case a.lines != nil:
		var lines []json.RawMessage
		for _, l := range a.lines {
			lines = append(lines, rawjson.Quote(l))
		}
		return fmt.Appendf(out, `"lines":%s`, joinArray(lines))
	}
	return fmt.Appendf(out, `"text":%s`, rawjson.Quote(a.text))
}

// appendStructure writes the answer of a field that holds others.
func (a answer) appendStructure(out []byte, f *Field) []byte {
	if f.Kind == Variant {
		return fmt.Appendf(out, `"chosen":%d,"kind":%q`, a.chosen, f.Variants[a.chosen].Kind)
	}
	var numbers, keys []json.RawMessage
	for _, e := range a.entries {
		numbers = append(numbers, strconv.AppendInt(nil, int64(e.id), 10))
		if e.named {
			keys = append(keys, rawjson.Quote(e.key))
		} else {
			keys = append(keys, json.RawMessage("null"))
		}
	}
	out = fmt.Appendf(out, `"entries":%s`, joinArray(numbers))
	if f.Kind == Map {
		out = fmt.Appendf(out, `,"keys":%s`, joinArray(keys))
	}
	return out
}

// Restore makes d what the draft was that Save wrote. With an error, which
// wraps ErrDraftMismatch or is of the JSON, d stays as it was.
func (d *Draft) Restore(saved json.RawMessage) error {
	fresh, lost, err := d.form.restore(saved)
	if err != nil {
		return fmt.Errorf("reading a saved draft: %w", err)
	}
	if lost != nil {
		return fmt.Errorf("reading a saved draft: %w", lost)
	}
	*d = *fresh
	return nil
}

// RestoreFitting is Restore for a draft of another form, such as an older one
// of the same tool: what fits is taken over. whole is false when something did
// not fit. The error is of the JSON.
func (d *Draft) RestoreFitting(saved json.RawMessage) (whole bool, err error) {
	fresh, lost, err := d.form.restore(saved)
	if err != nil {
		return false, fmt.Errorf("reading a saved draft: %w", err)
	}
	*d = *fresh
	return lost == nil, nil
}

// restore reads a saved draft of f. lost says what the first answer was that
// does not fit, which is left out.
func (f *Form) restore(saved json.RawMessage) (d *Draft, lost, err error) {
	members, err := rawjson.Object(saved)
	if err != nil {
		return nil, nil, err
	}
	d = f.NewDraft()
	for _, m := range members {
		id, _ := rawjson.Decode(m.Raw)
		field := d.Field(Path(id))
		if field != nil && d.take(field, m.Value) {
			continue
		}
		if lost == nil {
			lost = fmt.Errorf("answer of field %q: %w", m.Key, ErrDraftMismatch)
		}
	}
	return d, lost, nil
}

// take makes the state that raw holds the one of f and reports whether all of
// it fits.
func (d *Draft) take(f *Field, raw json.RawMessage) (whole bool) {
	members, err := rawjson.Object(raw)
	if err != nil || len(members) == 0 {
		return false
	}
	whole = true
	if name := rawjson.Get(members, "zone"); name != nil {
		s, _ := rawjson.String(name)
		zone := databaseZone(s)
		if whole = zone != nil && f.zoned(); whole && zone.String() != f.zone.String() {
			d.zones[f.Path] = zone
		}
		if members[0].Key == "zone" {
			return whole
		}
	}
	a, ok := d.readSaved(f, members)
	if ok {
		d.answers[f.Path] = a
	}
	return ok && whole
}

// readSaved reads what append wrote for f, and makes the entries that are named
// in it.
func (d *Draft) readSaved(f *Field, members []rawjson.Member) (a answer, ok bool) {
	a.state = Answered
	switch value := members[0].Value; members[0].Key {
	case "null":
		a.null = (f.Nullable || f.Kind == JSON) && rawjson.Kind(value) == 't'
		if raw := rawjson.Get(members, "before"); raw != nil {
			inner, err := rawjson.Object(raw)
			if err != nil || len(inner) == 0 || inner[0].Key == "null" {
				return a, false
			}
			before, ok := d.readSaved(f, inner)
			a.before = &before
			return a, ok && a.null
		}
		return a, a.null
	case "open":
		if f.Kind != Group {
			return a, false
		}
		return a, d.unfold(f).Kind == Group
	case "chosen":
		chosen, err := strconv.Atoi(string(value))
		a.chosen = chosen
		kind, _ := rawjson.String(rawjson.Get(members, "kind"))
		return a, err == nil && f.Kind == Variant && a.chosen >= 0 && a.chosen < len(f.Variants) &&
			string(f.Variants[a.chosen].Kind) == kind
	case "entries":
		a.entries, ok = d.readEntries(f, value, rawjson.Get(members, "keys"))
		return a, ok
	}
	return f.readSaved(members)
}

// readEntries reads the numbers of entries and the keys of those of a Map.
// Numbers below 0 must be those of the default.
func (d *Draft) readEntries(f *Field, numbers, keys json.RawMessage) (entries []entry, ok bool) {
	list, err := rawjson.Array(numbers)
	if err != nil || len(list) == 0 || len(list) > maxFormEntries || f.Kind != Rows && f.Kind != Map {
		return nil, false
	}
	names, err := rawjson.Array(keys)
	if f.Kind == Map && (err != nil || len(names) != len(list)) {
		return nil, false
	}
	known := map[int]bool{}
	for _, e := range d.standing(f).entries {
		known[e.id] = true
	}
	for i, raw := range list {
		id, err := strconv.Atoi(string(raw))
		if err != nil || id <= 0 && !known[id] || id > 0 && known[id] || d.made > maxEntryFields {
			return nil, false
		}
		known[id] = id > 0 // each once
		d.last = max(d.last, id)
		e := entry{id: id}
		if f.Kind == Map {
			e.key, e.named = rawjson.Decode(names[i])
		}
		entries = append(entries, e)
		d.entryField(f, e)
	}
	return entries, true
}

// readSaved reads what append wrote for f without the fields in it.
func (f *Field) readSaved(members []rawjson.Member) (a answer, ok bool) {
	if f.Kind == Unsupported {
		return a, false
	}
	a.state = Answered
	switch value := members[0].Value; members[0].Key {
	case "cleared":
		a.state = Cleared
		return a, rawjson.Kind(value) == 't'
	case "yes":
		a.yes = rawjson.Kind(value) == 't'
		return a, f.Kind == Boolean
	case "options":
		a.picks, ok = f.readPicks(value, rawjson.Get(members, "values"))
		return a, ok
	case "lines":
		a.lines, ok = (&Field{Kind: Text}).texts(value)
		return a, ok && f.Kind == List
	case "text":
		a.text, ok = rawjson.Decode(value)
		return a, ok && (f.Kind.Typed() || f.Kind.Structured() && a.text != "")
	}
	return a, false
}

// readPicks reads option indexes and checks that they still name the values.
func (f *Field) readPicks(indexes, values json.RawMessage) (picks []int, ok bool) {
	list, err := rawjson.Array(indexes)
	raws, err2 := rawjson.Array(values)
	single := f.Kind == Choice && len(list) == 1
	if err != nil || err2 != nil || len(list) != len(raws) || len(list) == 0 || !single && f.Kind != Checklist {
		return nil, false
	}
	last := -1
	for n, raw := range list {
		i, err := strconv.Atoi(string(raw))
		if err != nil || i <= last || !f.has(i) || !bytes.Equal(f.Options[i].Raw, compact(raws[n])) {
			return nil, false
		}
		picks, last = append(picks, i), i
	}
	return picks, true
}
