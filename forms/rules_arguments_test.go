package forms

import (
	"encoding/json"
	"strings"
	"testing"
)

// The rules of rules_test.go for the further kinds of a tool's arguments.

// argumentKindsSchema has every further kind, with a default each.
const argumentKindsSchema = `{"type":"object","properties":{
	"group":{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"default":{"a":1}},
	"rows":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"default":[{"n":1}]},
	"variant":{"oneOf":[{"type":"object","properties":{"kind":{"const":"k"},"n":{"type":"integer"}},"required":["kind","n"]},{"type":"boolean"}],"default":true},
	"map":{"type":"object","additionalProperties":{"type":"integer"},"default":{"k":1}},
	"json":{"type":"object","default":{"x":[1.50]}},
	"nullable":{"type":["integer","null"],"default":7},
	"list":{"type":"array","items":{"type":"integer"},"default":[1,2]}
},"additionalProperties":{"type":"string"}}`

const argumentKindsDefaults = `{"group":{"a":1},"rows":[{"n":1}],"variant":true,"map":{"k":1},"json":{"x":[1.50]},"nullable":7,"list":[1,2]}`

// TestC3_ArgumentsCanBeReviewedAndChanged: what is read before sending is what
// is sent, after every change.
func TestC3_ArgumentsCanBeReviewedAndChanged(t *testing.T) {
	d := parseArguments(t, argumentKindsSchema).NewDraft()
	row := d.Rows("/rows")[0]
	entry := d.Rows("/map")[0]
	var added, further Path
	for _, step := range []struct {
		change func()
		want   string
	}{
		{func() { d.SetText("/group/a", "2") }, `"group":{"a":2}`},
		{func() { d.Clear("/group") }, `{"rows"`},
		{func() { d.Open("/group") }, `"group":{"a":1}`},
		{func() { d.Reset("/group") }, `"group":{"a":1}`},
		{func() { d.SetText(row+"/n", "5") }, `"rows":[{"n":5}]`},
		{func() { added = d.Add("/rows"); d.SetText(added+"/n", "6") }, `"rows":[{"n":5},{"n":6}]`},
		{func() { d.Move(added, 0) }, `"rows":[{"n":6},{"n":5}]`},
		{func() { d.Remove(row) }, `"rows":[{"n":6}]`},
		{func() { d.SetText("/rows", `[{"n": 9}]`) }, `"rows":[{"n":9}]`},
		{func() { d.Reset("/rows") }, `"rows":[{"n":1}]`},
		{func() { d.Choose("/variant", 0); d.SetText("/variant/0/n", "3") }, `"variant":{"kind":"k","n":3}`},
		{func() { d.Choose("/variant", 1) }, `"variant":true`},
		{func() { d.Choose("/variant", 0) }, `"variant":{"kind":"k","n":3}`},
		{func() { d.Choose("/variant", -1) }, `"rows":[{"n":1}],"map"`},
		{func() { d.SetKey(entry, "renamed") }, `"map":{"renamed":1}`},
		{func() { d.SetText(entry, "2") }, `"map":{"renamed":2}`},
		{func() { d.SetText("/json", `{"y": null}`) }, `"json":{"y":null}`},
		{func() { d.SetNull("/nullable") }, `"nullable":null`},
		{func() { d.Reset("/nullable") }, `"nullable":7`},
		{func() { further = d.Add("/" + furtherSegment); d.SetKey(further, "more"); d.SetText(further, "x") }, `"list":[1,2],"more":"x"}`},
		{func() { d.Remove(further) }, `"list":[1,2]}`},
	} {
		step.change()
		content, errors := d.Content(Submit{})
		if !strings.Contains(string(content), step.want) {
			t.Fatalf("content %s, want in it %s; errors %s", content, step.want, sentences(errors))
		}
		preview, _ := d.Preview()
		if string(compact(json.RawMessage(preview))) != string(content) {
			t.Errorf("read before sending:\n%s\nsent:\n%s", preview, content)
		}
	}
}

// TestC9_EveryArgumentIsCheckedBeforeSending: for every kind there is an answer
// that is refused with a sentence at the field where it is.
func TestC9_EveryArgumentIsCheckedBeforeSending(t *testing.T) {
	for _, c := range []struct {
		path   Path
		change func(d *Draft)
	}{
		{"/group/a", func(d *Draft) { d.SetText("/group/a", "0") }},
		{"/rows/-1/n", func(d *Draft) { d.SetText("/rows/-1/n", "x") }},
		{"/rows/1/n", func(d *Draft) { d.Add("/rows") }},
		{"/rows", func(d *Draft) { d.SetText("/rows", "{}") }},
		{"/variant/0/n", func(d *Draft) { d.Choose("/variant", 0) }},
		{"/map/1", func(d *Draft) { d.SetText(d.Add("/map"), "1") }},
		{"/map/-1", func(d *Draft) { d.SetText("/map/-1", "1,5") }},
		{"/json", func(d *Draft) { d.SetText("/json", "[") }},
		{"/nullable", func(d *Draft) { d.SetText("/nullable", "none") }},
		{"/list", func(d *Draft) { d.SetText("/list", "1\nx") }},
	} {
		d := parseArguments(t, argumentKindsSchema).NewDraft()
		c.change(d)
		content, errors := d.Content(Submit{})
		if content != nil || len(errors) != 1 || errors[0].Path != c.path || english.Text(errors[0].Message) == "" {
			t.Errorf("%s: sent %s, errors %+v", c.path, content, errors)
		}
		if e := d.CheckField(c.path); c.path != "/map/1" && (e == nil || e.Path != c.path) {
			t.Errorf("%s: CheckField %v", c.path, e)
		}
	}
}

// TestC10_DefaultsOfArgumentsAreFilledIn: an untouched form shows and sends
// them all.
func TestC10_DefaultsOfArgumentsAreFilledIn(t *testing.T) {
	d := parseArguments(t, argumentKindsSchema).NewDraft()
	if content, errors := d.Content(Submit{}); string(content) != argumentKindsDefaults || d.Touched() {
		t.Errorf("sent %s, errors %s", content, sentences(errors))
	}
	if d.Text("/group/a") != "1" || len(d.Rows("/rows")) != 1 || d.Chosen("/variant") != 1 || d.Key(d.Rows("/map")[0]) != "k" {
		t.Errorf("shown: %q, %v, %d, %v", d.Text("/group/a"), d.Rows("/rows"), d.Chosen("/variant"), d.Rows("/map"))
	}
}

// TestC11_ClearedArgumentsAreAnEmptyObject.
func TestC11_ClearedArgumentsAreAnEmptyObject(t *testing.T) {
	d := parseArguments(t, argumentKindsSchema).NewDraft()
	for _, f := range d.Fields("") {
		d.Clear(f.Path)
	}
	if content, errors := d.Content(Submit{}); string(content) != `{}` {
		t.Errorf("sent %s, errors %s", content, sentences(errors))
	}
	back := d.Form().NewDraft()
	if err := back.Restore(d.Save()); err != nil {
		t.Fatal(err)
	}
	if content, _ := back.Content(Submit{}); string(content) != `{}` {
		t.Errorf("restored: sent %s", content)
	}
}

// TestDescribeOfArguments: the command line prints what the fields are like
// before there are any.
func TestDescribeOfArguments(t *testing.T) {
	f := parseArguments(t, `{"type":"object","properties":{
		"rows":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}},
		"variant":{"oneOf":[{"type":"object","properties":{"kind":{"const":"k"}},"required":["kind"]},{"type":["boolean","null"]}]},
		"map":{"type":"object","additionalProperties":{"type":"string"},"propertyNames":{"enum":["a"]}}}}`)
	want := `[{"name":"rows","label":"rows","kind":"rows","required":false,"secret":false,"entry":` +
		`{"label":"Several fields","kind":"group","secret":false,"fields":[{"name":"n","label":"n","kind":"integer","required":true,"secret":false}]}},` +
		`{"name":"variant","label":"variant","kind":"variant","required":false,"secret":false,"variants":[` +
		`{"label":"k","kind":"group","secret":false,"fields":[{"name":"kind","label":"kind","kind":"choice","required":true,"secret":false,"fixed":true,"options":[{"value":"k","label":"k"}]}]},` +
		`{"label":"Yes or no","kind":"boolean","secret":false,"nullable":true}]},` +
		`{"name":"map","label":"map","kind":"map","required":false,"secret":false,"entry":{"label":"Text","kind":"text","secret":false},` +
		`"keys":{"label":"Choice","kind":"choice","secret":false,"options":[{"value":"a","label":"a"}]}}]`
	if got := string(f.Describe(english)); got != want {
		t.Errorf("described as\n%s\nwant\n%s", got, want)
	}
	tree := string(parseArguments(t, treeSchema).Describe(english))
	if !strings.Contains(tree, `"name":"next","label":"next","kind":"group","required":false,"secret":false,"closed":true`) {
		t.Errorf("a tree is described as %s", tree)
	}
	bad := parseArguments(t, `{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer","default":"x"}}}}}}`)
	if said := bad.Sentences(english); len(said) != 1 || !strings.HasPrefix(said[0], "“rows/n”: ") {
		t.Errorf("problems of entries: %q", said)
	}
}

// TestRestoreFitting: of a draft of an older form, what fits is taken over.
func TestRestoreFitting(t *testing.T) {
	old := parseArguments(t, `{"type":"object","properties":{"a":{"type":"string"},"gone":{"type":"string"},"rows":{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}}}}}}`).NewDraft()
	if errors := old.Apply(json.RawMessage(`{"a":"1","gone":"2","rows":[{"x":"3","y":"4"}]}`)); len(errors) > 0 {
		t.Fatal(sentences(errors))
	}
	d := parseArguments(t, `{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"}}}},"a":{"type":"string"}}}`).NewDraft()
	if err := d.Restore(old.Save()); err == nil || d.Touched() {
		t.Errorf("restored another form's: %v", err)
	}
	whole, err := d.RestoreFitting(old.Save())
	content, _ := d.Content(Submit{})
	if whole || err != nil || string(content) != `{"rows":[{"x":"3"}],"a":"1"}` {
		t.Errorf("whole %t, %v, content %s", whole, err, content)
	}
	if _, err := d.RestoreFitting(json.RawMessage(`[]`)); err == nil {
		t.Error("an array is no draft")
	}
	for _, saved := range []string{
		`{"/rows":{"entries":[]}}`, `{"/rows":{"entries":[1,1]}}`, `{"/rows":{"entries":[-1]}}`, `{"/rows":{"entries":["1"]}}`, `{"/rows":{"open":true}}`,
		`{"/rows":{"text":""}}`, `{"/a":{"entries":[1]}}`, `{"/a":{"null":true}}`, `{"/rows/1/x":{"text":"3"}}`, `{"/a":{"chosen":0}}`,
	} {
		if err := d.Form().NewDraft().Restore(json.RawMessage(saved)); err == nil {
			t.Errorf("%s is restored", saved)
		}
	}
}
