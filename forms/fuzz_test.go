package forms

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
	"unicode/utf8"

	"parley/forms/rawjson"
)

// seedSchemas gives a fuzz target the schemas of testdata.
func seedSchemas(f *testing.F, add func(schema, acts []byte)) {
	for _, name := range []string{"answers.jsonl", "cases.jsonl"} {
		for _, row := range readLines[struct{ Schema, Acts json.RawMessage }](f, name) {
			add(row.Schema, row.Acts)
		}
	}
	add([]byte(kindsSchema), []byte(`{}`))
	for _, p := range []struct{ schema, value string }{
		{itemsSchema, `[{"name":"a","qty":2},{}]`}, {shapeSchema, `{"kind":"square","side":2}`},
		{`{"type":"object","additionalProperties":{"type":["integer","null"]},"minProperties":1}`, `{"a":1,"b":null,"":2}`},
		{`{"type":"object","properties":{"a":{}},"patternProperties":{"^x":{"type":"boolean"}},"anyOf":[{"properties":{"b":{"const":1}}},{"properties":{"c":{"type":"string"}}}]}`, `{"x1":true,"b":1,"a":{"token":"t"}}`},
		{`{"type":["array","string"],"items":{"type":"boolean"},"uniqueItems":true,"default":[true]}`, `[false,true]`},
	} {
		add([]byte(`{"type":"object","properties":{"p":`+p.schema+`}}`), []byte(`{"p":`+p.value+`}`))
	}
	add([]byte(treeSchema), []byte(`{"p":{"v":"x","next":{"kids":[{"v":"y"}]}}}`))
}

// FuzzParse: any bytes give a form whose problems can be said and whose
// untouched draft is either sent as a JSON object or refused with a reason.
func FuzzParse(f *testing.F) {
	seedSchemas(f, func(schema, _ []byte) { f.Add(schema, false); f.Add(schema, true) })
	f.Fuzz(func(t *testing.T, schema []byte, arguments bool) {
		o := Options{Zone: time.UTC}
		if arguments {
			o.Purpose = Arguments
		}
		form := Parse(schema, o)
		if !json.Valid(form.DescribeCheck(english)) {
			t.Fatalf("description is no JSON: %s", form.DescribeCheck(english))
		}
		for _, field := range form.Fields {
			if form.Field(field.Path) != field {
				t.Fatalf("path %q leads elsewhere", field.Path)
			}
			if field.Kind == "" || field.Kind == Unsupported && len(field.Problems) == 0 {
				t.Fatalf("field %q is %q and nothing says why", field.Name, field.Kind)
			}
		}
		checkContent(t, form.NewDraft())
		if !form.Answerable() && len(form.Sentences(english)) == 0 {
			t.Fatal("cannot be answered, and nothing says why")
		}
	})
}

// checkContent holds what is true of every draft.
func checkContent(t *testing.T, d *Draft) {
	t.Helper()
	content, errors := d.Content(Submit{ConfirmSecrets: true})
	if (content == nil) != (len(errors) > 0) || (len(d.Check()) > 0) != (len(errors) > 0) {
		t.Fatalf("content %s, errors %s, check %s", content, sentences(errors), sentences(d.Check()))
	}
	for _, e := range errors {
		if e.Message.IsZero() || e.Code == "" {
			t.Fatalf("error without words: %+v", e)
		}
	}
	if content == nil {
		return
	}
	if preview, _ := d.Preview(); !json.Valid([]byte(preview)) {
		t.Fatalf("preview is no JSON: %s", preview)
	}
	if !bytes.Equal(compact(content), content) || !utf8.Valid(content) {
		t.Fatalf("content has white space or is no UTF-8: %q", content)
	}
	members, err := rawjson.Object(content)
	if err != nil {
		t.Fatalf("content %s: %v", content, err)
	}
	if d.form.purpose == Arguments {
		checkArguments(t, d, members)
		return
	}
	next := 0
	for _, m := range members {
		for next < len(d.form.Fields) && !bytes.Equal(d.form.Fields[next].Key, m.Raw) {
			next++
		}
		if next == len(d.form.Fields) {
			t.Fatalf("key %s is out of order or not of the form: %s", m.Raw, content)
		}
		if rawjson.Kind(m.Value) == 'n' {
			t.Fatalf("null is sent: %s", content)
		}
	}
}

// checkArguments holds what is true of every draft of a tool's arguments: no
// key is there twice, and each field that stands in it is found by its path.
func checkArguments(t *testing.T, d *Draft, members []rawjson.Member) {
	t.Helper()
	seen := map[string]bool{}
	for _, m := range members {
		id, _ := rawjson.Decode(m.Raw)
		if seen[id] {
			t.Fatalf("key %s is sent twice", m.Raw)
		}
		seen[id] = true
	}
	var walk func(fields []*Field)
	walk = func(fields []*Field) {
		for _, f := range fields {
			if d.Field(f.Path) != f {
				t.Fatalf("path %q leads elsewhere", f.Path)
			}
			d.Notes(f.Path)
			walk(d.Fields(f.Path))
		}
	}
	walk(d.Fields(""))
}

// checkValue: a value is put into a fresh draft exactly or not at all, and any
// bytes are read as a saved draft or refused.
func checkValue(t *testing.T, d *Draft, value []byte) {
	t.Helper()
	given := d.form.NewDraft()
	if errors := given.SetValue("", value); len(errors) > 0 && given.Touched() {
		t.Fatalf("a refused value was put in: %s", given.Save())
	}
	checkContent(t, given)
	other := d.form.NewDraft()
	if _, err := other.RestoreFitting(value); err != nil && other.Touched() {
		t.Fatalf("a refused draft was read: %s", other.Save())
	}
	checkContent(t, other)
}

// checkControls: what null took the place of comes back byte for byte, and the
// text to begin raw JSON with is JSON. A few fields are enough at a time.
func checkControls(t *testing.T, d *Draft) {
	t.Helper()
	const most = 6
	fields := d.Fields("")
	for _, f := range fields[:min(most, len(fields))] {
		before, null := d.Save(), d.Null(f.Path)
		d.SetNull(f.Path)
		checkContent(t, d)
		d.UnsetNull(f.Path)
		if null {
			continue
		}
		if after := d.Save(); !bytes.Equal(after, before) {
			t.Fatalf("null at %s made %s of %s", f.Path, after, before)
		}
		if s := d.Skeleton(f.Path); s != "" && !json.Valid([]byte(s)) {
			t.Fatalf("skeleton of %s is no JSON: %s", f.Path, s)
		}
		for _, e := range d.CheckWithin(f.Path) {
			if !lies(e.Path, f.Path) {
				t.Fatalf("error of %s within %s", e.Path, f.Path)
			}
		}
	}
}

// FuzzContent: any acts on any form either do nothing and say why, or lead to
// a draft that keeps the rules of every draft, before and after being stored.
func FuzzContent(f *testing.F) {
	seedSchemas(f, func(schema, acts []byte) { f.Add(schema, acts, false); f.Add(schema, acts, true) })
	f.Fuzz(func(t *testing.T, schema, acts []byte, arguments bool) {
		o := Options{Zone: time.UTC}
		if arguments {
			o.Purpose = Arguments
		}
		o.now = func() time.Time { return time.Unix(0, 0) }
		d := Parse(schema, o).NewDraft()
		if errors := d.Apply(acts); len(errors) > 0 && d.Touched() {
			t.Fatalf("refused acts were done: %s", d.Save())
		}
		checkContent(t, d)
		checkValue(t, d, acts)
		saved := d.Save()
		back := d.Form().NewDraft()
		if err := back.Restore(saved); err != nil {
			t.Fatalf("restoring %s: %v", saved, err)
		}
		if again := back.Save(); !bytes.Equal(again, saved) {
			t.Fatalf("saved %s, after restoring %s", saved, again)
		}
		want, _ := d.Content(Submit{ConfirmSecrets: true})
		got, _ := back.Content(Submit{ConfirmSecrets: true})
		if !bytes.Equal(want, got) {
			t.Fatalf("sent %s, after restoring %s", want, got)
		}
		checkControls(t, back)
	})
}
