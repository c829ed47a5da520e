package forms

import (
	"strings"
	"testing"
)

// TestStructuredDefaults: the default of a field that holds others stands in
// them, is what is sent, and can be changed piece by piece.
func TestStructuredDefaults(t *testing.T) {
	for _, c := range []struct{ schema, acts, want string }{
		{`{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"integer"}}},"default":[{"b":1},{"a":"y"}]}`, `{}`, `{"p":[{"b":1},{"a":"y"}]}`},
		{`{"type":"array","items":{"type":"boolean"},"default":[]}`, `{}`, `{"p":[]}`},
		{`{"type":"object","properties":{"a":{"type":"integer","default":7},"b":{"type":"string","default":"x"}},"default":{"a":1}}`, `{}`, `{"p":{"a":1}}`},
		{`{"type":"object","properties":{"a":{"type":"integer","default":7},"b":{"type":"string","default":"x"}},"default":{"a":1}}`, `{"p":{"b":"y"}}`, `{"p":{"a":1,"b":"y"}}`},
		{`{"type":"object","properties":{"a":{"type":"integer"}},"default":{"a":1}}`, `{"p":null}`, `{}`},
		{`{"type":"object","additionalProperties":{"type":"string"},"default":{"k":"v"}}`, `{}`, `{"p":{"k":"v"}}`},
		{strings.Replace(shapeSchema, `{"oneOf"`, `{"default":{"kind":"square","side":3},"oneOf"`, 1), `{}`, `{"p":{"kind":"square","side":3}}`},
		{`{"type":["string","integer"],"default":5}`, `{}`, `{"p":5}`},
		{`{"type":"array","items":{"type":"object","properties":{"a":{"type":["string","null"]}}},"default":[{"a":null}]}`, `{}`, `{"p":[{"a":null}]}`},
	} {
		f := argument(t, c.schema, false)
		if said := f.Sentences(english); len(said) > 0 || f.Fields[0].Default == nil {
			t.Errorf("%s: %q", c.schema, said)
		}
		if content, errors := answerWith(t, f, c.acts); content != c.want {
			t.Errorf("%s, %s: sent %s, want %s\n%s", c.schema, c.acts, content, c.want, errors)
		}
	}
	d := argument(t, `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer","default":9}}},"default":[{"a":"one"},{"a":"two"}]}`, false).NewDraft()
	if text := d.Text("/p"); text != `[{"a":"one"},{"a":"two"}]` {
		t.Errorf("as raw JSON: %s", text)
	}
	rows := d.Rows("/p")
	if len(rows) != 2 || d.Text(rows[1]+"/a") != "two" || d.Touched() {
		t.Fatalf("rows %v, draft %s", rows, d.Save())
	}
	d.SetText(rows[1]+"/a", "zwei")
	d.Remove(rows[0])
	added := d.Add("/p")
	want := `{"p":[{"a":"zwei"},{"n":9}]}`
	if content, errors := d.Content(Submit{}); string(content) != want || d.Text(added+"/n") != "9" {
		t.Errorf("sent %s, %s", content, sentences(errors))
	}
	back := d.Form().NewDraft()
	if err := back.Restore(d.Save()); err != nil {
		t.Fatal(err)
	}
	if content, _ := back.Content(Submit{}); string(content) != want {
		t.Errorf("restored %s", content)
	}
}

// TestBadStructuredDefaults are named and not filled in.
func TestBadStructuredDefaults(t *testing.T) {
	for _, schema := range []string{
		`{"type":"array","items":{"type":"boolean"},"default":["x"]}`,
		`{"type":"array","items":{"type":"boolean"},"default":{}}`,
		`{"type":"array","maxItems":1,"items":{"type":"boolean"},"default":[true,true]}`,
		`{"type":"object","properties":{"a":{"type":"integer"}},"default":{"a":"x"}}`,
		`{"type":"object","properties":{"a":{"type":"integer"}},"default":{"b":1}}`,
		`{"type":"object","additionalProperties":{"type":"integer"},"default":{"a":"x"}}`,
		`{"type":["string","integer"],"default":true}`,
	} {
		f := argument(t, schema, false)
		if f.Fields[0].Default != nil || len(f.Fields[0].Problems) != 1 {
			t.Errorf("%s: %+v", schema, f.Sentences(english))
		}
		if content, errors := answerWith(t, f, `{}`); content != `{}` {
			t.Errorf("%s: sent %s %s", schema, content, errors)
		}
	}
}

// TestUnionOfTheWholeForm: properties beside alternatives are there once, those
// that both name are in the alternatives, and all stand in one object.
func TestUnionOfTheWholeForm(t *testing.T) {
	f := parseArguments(t, `{"type":"object","properties":{"id":{"type":"string"},"mode":{"type":"string"}},"required":["id","mode"],
		"oneOf":[{"title":"Fast","properties":{"mode":{"const":"fast"},"level":{"type":"integer"}},"required":["level"]},
		{"properties":{"mode":{"const":"slow"},"why":{"type":"string"}}}]}`)
	if len(f.Sentences(english)) > 0 || len(f.Fields) != 2 || f.Fields[1].Kind != Variant || !f.Fields[1].Inline {
		t.Fatalf("fields %+v, %q", f.Fields, f.Sentences(english))
	}
	for _, c := range []struct{ acts, want, errors string }{
		{`{"id":"1","level":3,"mode":"fast"}`, `{"id":"1","mode":"fast","level":3}`, ""},
		{`{"id":"1","why":"x"}`, `{"id":"1","mode":"slow","why":"x"}`, ""},
		{`{"id":"1","mode":"slow"}`, `{"id":"1","mode":"slow"}`, ""},
		{`{"id":"1","mode":"fast"}`, ``, "level: This is required."},
		{`{"id":"1"}`, ``, ": Choose one of the kinds of value."},
	} {
		if content, errors := answerWith(t, f, c.acts); content != c.want || errors != c.errors {
			t.Errorf("%s: sent %s, want %s\n%s", c.acts, content, c.want, errors)
		}
	}
	only := parseArguments(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`)
	if len(only.Fields) != 2 || only.Fields[0].Required {
		t.Errorf("a union of what is required has fields %+v", only.Fields)
	}
	if content, errors := answerWith(t, only, `{}`); errors != ": The server needs at least one of these: a, b" {
		t.Errorf("sent %s, %s", content, errors)
	}
}
