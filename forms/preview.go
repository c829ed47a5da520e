package forms

import (
	"bytes"
	"encoding/json"
	"slices"

	"parley/forms/rawjson"
)

// Mask stands where a secret's text would. Its length says nothing about the
// text's.
const Mask = "••••••••"

// Preview is what will be sent, as indented JSON to read (rule C3): the very
// values of Content, except that secret ones are masked unless their path is
// among reveal; of raw JSON only the members that are named like secrets.
// Fields with an error are left out; the errors say which.
func (d *Draft) Preview(reveal ...Path) (string, []FieldError) {
	r := d.read(func(f *Field) bool { return !slices.Contains(reveal, f.Path) })
	var b bytes.Buffer
	if err := json.Indent(&b, r.content, "", "  "); err != nil {
		return string(r.content), r.errors
	}
	return b.String(), r.errors
}

// masked is the JSON that stands for a masked value.
func masked() json.RawMessage { return rawjson.Quote(Mask) }
