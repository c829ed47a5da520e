package forms

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"parley/forms/rawjson"
)

// ErrDraftMismatch is returned (wrapped) by Restore for a draft of another
// form: a field or an option that is not there, or a value of another kind.
var ErrDraftMismatch = errors.New("draft does not fit the form")

// A saved draft is an object with one member a touched field, path to state:
//
//	{"/name":{"text":"Li"},"/nick":{"cleared":true},"/agree":{"yes":false},
//	 "/pet":{"options":[1],"values":["p2"]},"/tags":{"lines":["a","b"]}}
//
// Options go by index, since two may be equal, and carry their values, so that
// a draft cannot pick something else in a form that has changed.

// Save writes everything the person did, for Restore. It holds answers in
// plain text, secrets among them: whoever stores it decides where.
func (d *Draft) Save() json.RawMessage {
	out := []byte{'{'}
	var walk func(fields []*Field)
	walk = func(fields []*Field) {
		for _, f := range fields {
			if a, ok := d.answers[f.Path]; ok {
				if len(out) > 1 {
					out = append(out, ',')
				}
				out = append(out, rawjson.Quote(string(f.Path))...)
				out = append(out, ':')
				out = a.append(out, f)
			}
			walk(f.Children)
		}
	}
	walk(d.form.Fields)
	return append(out, '}')
}

// append writes one answer.
func (a answer) append(out []byte, f *Field) []byte {
	switch {
	case a.state == Cleared:
		return append(out, `{"cleared":true}`...)
	case f.Kind == Boolean:
		return fmt.Appendf(out, `{"yes":%t}`, a.yes)
	case f.Kind == Choice || f.Kind == Checklist:
		var values, indexes []json.RawMessage
		for _, i := range a.picks {
			indexes = append(indexes, strconv.AppendInt(nil, int64(i), 10))
			values = append(values, f.Options[i].Raw)
		}
		return fmt.Appendf(out, `{"options":%s,"values":%s}`, joinArray(indexes), joinArray(values))
	case a.lines != nil:
		var lines []json.RawMessage
		for _, l := range a.lines {
			lines = append(lines, rawjson.Quote(l))
		}
		return fmt.Appendf(out, `{"lines":%s}`, joinArray(lines))
	}
	return fmt.Appendf(out, `{"text":%s}`, rawjson.Quote(a.text))
}

// Restore makes d what the draft was that Save wrote. With an error, which
// wraps ErrDraftMismatch or is of the JSON, d stays as it was.
func (d *Draft) Restore(saved json.RawMessage) error {
	members, err := rawjson.Object(saved)
	if err != nil {
		return fmt.Errorf("reading a saved draft: %w", err)
	}
	answers := map[Path]answer{}
	for _, m := range members {
		id, _ := rawjson.Decode(m.Raw)
		f := d.form.Field(Path(id))
		if f == nil {
			return fmt.Errorf("reading a saved draft: field %q: %w", m.Key, ErrDraftMismatch)
		}
		a, ok := f.readSaved(m.Value)
		if !ok {
			return fmt.Errorf("reading a saved draft: answer of field %q: %w", m.Key, ErrDraftMismatch)
		}
		answers[f.Path] = a
	}
	d.answers = answers
	return nil
}

// readSaved reads what append wrote for f.
func (f *Field) readSaved(raw json.RawMessage) (a answer, ok bool) {
	members, err := rawjson.Object(raw)
	if err != nil || len(members) == 0 || f.Kind == Unsupported || f.Kind == Group {
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
		return a, ok && f.Kind.Typed()
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
