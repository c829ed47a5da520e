package forms

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// parseArguments parses the schema of a tool's arguments.
func parseArguments(t testing.TB, schema string) *Form {
	t.Helper()
	return Parse(json.RawMessage(schema), Options{Purpose: Arguments, Zone: madrid(t)})
}

// argument parses a schema with the one property p.
func argument(t testing.TB, p string, required bool) *Form {
	t.Helper()
	names := ""
	if required {
		names = `"p"`
	}
	return parseArguments(t, `{"type":"object","properties":{"p":`+p+`},"required":[`+names+`]}`)
}

const (
	itemsSchema = `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"qty":{"type":"integer","default":1},"price":{"type":"number"}},"required":["name"]}}`
	shapeSchema = `{"oneOf":[
		{"title":"Circle","type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
		{"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"},"note":{"type":"string","default":"n"}},"required":["kind","side"]}]}`
	treeSchema = `{"type":"object","$defs":{"T":{"type":"object","properties":{"v":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/T"}},"next":{"$ref":"#/$defs/T"}}}},"properties":{"p":{"$ref":"#/$defs/T"}}}`
)

// TestStructuredKinds: what each schema becomes.
func TestStructuredKinds(t *testing.T) {
	for _, c := range []struct {
		rule, schema string
		want         Kind
	}{
		{"an array of objects", itemsSchema, Rows},
		{"an array of yes/no", `{"type":"array","items":{"type":"boolean"}}`, Rows},
		{"an array of arrays", `{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`, Rows},
		{"an array of one thing or another", `{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{"type":"string"}}}]}}`, Rows},
		{"an array of several types", `{"type":"array","items":{"type":["string","integer"]}}`, Rows},
		{"an array of maps", `{"type":"array","items":{"type":"object","additionalProperties":{"type":"string"}}}`, Rows},
		{"an array of texts", `{"type":"array","items":{"type":"string"}}`, List},
		{"an array of nullable texts", `{"type":"array","items":{"type":["string","null"]}}`, List},
		{"an array of options", `{"type":"array","items":{"enum":["a","b"]}}`, Checklist},
		{"an array of anything", `{"type":"array"}`, JSON},
		{"an array of any objects", `{"type":"array","items":{"type":"object"}}`, JSON},
		{"a tuple", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}`, JSON},
		{"a tuple of draft 7", `{"type":"array","items":[{"type":"string"},{"type":"integer"}]}`, JSON},
		{"alternatives", shapeSchema, Variant},
		{"alternatives by anyOf", `{"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{"type":"string"}}}]}`, Variant},
		{"several types", `{"type":["string","integer"]}`, Variant},
		{"several types, one null", `{"type":["string","integer","null"]}`, Variant},
		{"a nullable type", `{"type":["string","null"]}`, Text},
		{"a nullable union", `{"anyOf":[{"type":"integer"},{"type":"null"}]}`, Integer},
		{"a union of options", `{"anyOf":[{"const":"a","title":"A"},{"enum":["b","c"]}]}`, Choice},
		{"options or free text", `{"anyOf":[{"enum":["a","b"]},{"type":"string"}]}`, Variant},
		{"a union of integer and number", `{"anyOf":[{"type":"integer"},{"type":"number"}]}`, Number},
		{"a union that nothing can be made of", `{"oneOf":[{"type":"object"},{"$ref":"https://schemas.example/a"}]}`, JSON},
		{"keys and texts", `{"type":"object","additionalProperties":{"type":"string"}}`, Map},
		{"keys and objects", `{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"string"}}}}`, Map},
		{"keys with a pattern", `{"type":"object","patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false}`, Map},
		{"keys of two kinds", `{"type":"object","patternProperties":{"^x-":{"type":"integer"},"^y-":{"type":"string"}}}`, JSON},
		{"keys and anything", `{"type":"object","additionalProperties":true}`, JSON},
		{"any object", `{"type":"object"}`, JSON},
		{"an object without members", `{"type":"object","properties":{}}`, Group},
		{"an object of two", `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"integer"}}}]}`, Group},
		{"any value", `{}`, JSON},
		{"anything", `true`, JSON},
	} {
		t.Run(c.rule, func(t *testing.T) {
			f := argument(t, c.schema, true)
			if got := f.Fields[0].Kind; got != c.want {
				t.Errorf("%s is %s, want %s", c.schema, got, c.want)
			}
			if len(f.Sentences(english)) > 0 {
				t.Errorf("a valid schema is called a fault: %q", f.Sentences(english))
			}
			question := parseProperties(t, `"p":`+c.schema).Fields[0]
			if question.Kind.Structured() || question.Kind == JSON || question.Nullable {
				t.Errorf("%s is %s in a question", c.schema, question.Kind)
			}
		})
	}
}

// TestStructuredActs: acts on fields that hold others, and what is sent then,
// or the sentences that say why nothing is.
func TestStructuredActs(t *testing.T) {
	const mapSchema = `{"type":"object","additionalProperties":{"type":"integer","minimum":0},"propertyNames":{"pattern":"^[a-z]+$"},"minProperties":1,"maxProperties":2}`
	const further = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`
	for _, c := range []struct{ rule, schema, acts, want, errors string }{
		{"rows untouched are left out", itemsSchema, `{}`, `{}`, ""},
		{"rows keep order, members that of the schema", itemsSchema, `{"p":[{"price":1.50,"name":"pen"},{"name":"ink","qty":"3"}]}`,
			`{"p":[{"name":"pen","qty":1,"price":1.50},{"name":"ink","qty":3}]}`, ""},
		{"no rows are none", itemsSchema, `{"p":[]}`, `{}`, ""},
		{"an entry that is touched nowhere is sent", itemsSchema, `{"p":[{}]}`, `{"p":[{"name":"","qty":1}]}`, ""},
		{"what is wrong in a row is named by its place", itemsSchema, `{"p":[{"name":"a"},{"name":"b","qty":"x"}]}`, ``, "p/1/qty: This is not a whole number, for example 12."},
		{"what a row does not have", itemsSchema, `{"p":[{"colour":"red"}]}`, ``, "colour: The form has no field named “colour”."},
		{"rows take an array", itemsSchema, `{"p":{}}`, ``, `p: Entries are given as an array, for example [{"name":"Li"}].`},
		{"rows take raw JSON that is typed", itemsSchema, `{"p":"[{\"name\":\"x\", \"qty\":2}]"}`, `{"p":[{"name":"x","qty":2}]}`, ""},
		{"raw JSON is checked", itemsSchema, `{"p":"{}"}`, ``, `p: This is not a JSON array, for example [1, 2].`},
		{"null clears rows", itemsSchema, `{"p":null}`, `{}`, ""},
		{"yes/no in rows", `{"type":"array","items":{"type":"boolean"}}`, `{"p":[true,false]}`, `{"p":[true,false]}`, ""},
		{"an entry without a value is missing", `{"type":"array","items":{"type":"boolean"}}`, `{"p":[true,null]}`, ``, "p/1: This is required."},
		{"at least so many", `{"type":"array","minItems":2,"items":{"type":"boolean"}}`, `{"p":[true]}`, ``, "p: Give at least 2 entries (now 1)."},
		{"at most so many", `{"type":"array","maxItems":1,"items":{"type":"boolean"}}`, `{"p":[true,true]}`, ``, "p: Give at most 1 entry (now 2)."},
		{"each once", `{"type":"array","uniqueItems":true,"items":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"string"}}}}`,
			`{"p":[{"a":1,"b":"x"},{"a":2},{"b":"x","a":"1.0"}]}`, ``, "p/2: Entries 1 and 3 are the same; each may be given once."},
		{"arrays in arrays", `{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`, `{"p":[[1,2],[],[3]]}`, `{"p":[[1,2],[],[3]]}`, ""},

		{"a variant by what tells it apart", shapeSchema, `{"p":{"kind":"square","side":2}}`, `{"p":{"kind":"square","side":2,"note":"n"}}`, ""},
		{"and without it", shapeSchema, `{"p":{"side":"2"}}`, `{"p":{"kind":"square","side":2,"note":"n"}}`, ""},
		{"an alternative that is none", shapeSchema, `{"p":{"kind":"hexagon"}}`, ``, "p: This fits none of the kinds of value that the field can have."},
		{"an alternative that lacks something", shapeSchema, `{"p":{"kind":"square"}}`, ``, "p/side: This is required."},
		{"a variant of types", `{"type":["string","integer"]}`, `{"p":5}`, `{"p":5}`, ""},
		{"and as text", `{"type":["string","integer"]}`, `{"p":"5"}`, `{"p":"5"}`, ""},
		{"null clears a variant", `{"type":["string","integer","null"],"default":5}`, `{"p":null}`, `{}`, ""},
		{"an option beside an object", `{"anyOf":[{"const":"auto"},{"type":"object","properties":{"n":{"type":"integer"}}}]}`, `{"p":"auto"}`, `{"p":"auto"}`, ""},
		{"limits around a union hold in it", `{"minimum":3,"anyOf":[{"type":"integer"},{"type":"string"}]}`, `{"p":2}`, `{"p":"2"}`, ""},

		{"a map keeps the order of its keys", mapSchema, `{"p":{"b":1,"a":2}}`, `{"p":{"b":1,"a":2}}`, ""},
		{"a key that is not right", mapSchema, `{"p":{"B":1}}`, ``, "p/B: The key is not right. This does not have the form that the server asks for: ^[a-z]+$"},
		{"a value that is not right", mapSchema, `{"p":{"a":-1}}`, ``, "p/a: The number must be at least 0."},
		{"too many keys", mapSchema, `{"p":{"a":1,"b":2,"c":3}}`, ``, "p: Give 1 to 2 entries (now 3)."},
		{"a map takes an object", mapSchema, `{"p":[1]}`, ``, `p: Answers are given as a JSON object, for example {"name":"Li"}.`},
		{"no keys are none", mapSchema, `{"p":{}}`, `{}`, ""},
		{"odd keys go out as they came", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"p":{"":"a","a/b":"c","名":"d","\ud800":"e"}}`, `{"p":{"":"a","a/b":"c","名":"d","\ud800":"e"}}`, ""},
		{"keys from a list", `{"type":"object","additionalProperties":{"type":"string"},"propertyNames":{"enum":["x","y"]}}`, `{"p":{"z":"1"}}`, ``, "p/z: The key is not one of those that the server allows."},
		{"keys beyond the properties", further, `{"p":{"more":1,"a":"x"}}`, `{"p":{"a":"x","more":1}}`, ""},
		{"are checked too", further, `{"p":{"more":"x"}}`, ``, "p/more: This is not a whole number, for example 12."},
		{"and not there where none are declared", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"p":{"more":1}}`, ``, "more: The form has no field named “more”."},
		{"nor where they are forbidden", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"p":{"more":1}}`, ``, "more: The form has no field named “more”."},
		{"any keys beyond are JSON", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true}`, `{"p":{"more":[1, {"x":null}]}}`, `{"p":{"more":[1,{"x":null}]}}`, ""},

		{"an optional group is left out unless touched", `{"type":"object","properties":{"a":{"type":"string","default":"d"}}}`, `{}`, `{}`, ""},
		{"an empty object of acts opens it", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"p":{}}`, `{"p":{}}`, ""},
		{"with its defaults", `{"type":"object","properties":{"a":{"type":"string","default":"d"}}}`, `{"p":{}}`, `{"p":{"a":"d"}}`, ""},
		{"a field typed and cleared is untouched", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"p":null}`, `{}`, ""},
		{"allOf of two objects", `{"allOf":[{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"]},{"properties":{"b":{"type":"string"},"a":{"maximum":3}}}]}`, `{"p":{"a":4}}`, ``, "p/a: The number must be 1 to 3."},
	} {
		t.Run(c.rule, func(t *testing.T) {
			content, errors := answerWith(t, argument(t, c.schema, false), c.acts)
			if content != c.want || errors != c.errors {
				t.Errorf("%s\nsent %s, want %s\n%s\nwant %s", c.acts, content, c.want, errors, c.errors)
			}
		})
	}
}

// TestRequiredStructures: what an untouched field comes to when it is required.
func TestRequiredStructures(t *testing.T) {
	for _, c := range []struct{ schema, want, errors string }{
		{itemsSchema, `{"p":[]}`, ""},
		{`{"type":"array","minItems":1,"items":{"type":"boolean"}}`, ``, "p: Give at least 1 entry (now 0)."},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, `{"p":{}}`, ""},
		{`{"type":"object","additionalProperties":{"type":"string"},"minProperties":1}`, ``, "p: Give at least 1 entry (now 0)."},
		{shapeSchema, ``, "p: Choose one of the kinds of value."},
		{`{"type":"object","properties":{"a":{"type":"object","properties":{}}},"required":["a"]}`, `{"p":{"a":{}}}`, ""},
	} {
		if content, errors := answerWith(t, argument(t, c.schema, true), `{}`); content != c.want || errors != c.errors {
			t.Errorf("%s: sent %s, want %s\n%s", c.schema, content, c.want, errors)
		}
	}
}

// TestRowsKeepTheirPaths: entries come, go and change places; what was typed
// into each stays with it.
func TestRowsKeepTheirPaths(t *testing.T) {
	d := argument(t, itemsSchema, false).NewDraft()
	var rows []Path
	for _, name := range []string{"a", "b", "c"} {
		p := d.Add("/p")
		d.SetText(p+"/name", name)
		rows = append(rows, p)
	}
	content := func() string {
		t.Helper()
		raw, errors := d.Content(Submit{})
		if len(errors) > 0 {
			t.Fatal(sentences(errors))
		}
		var got struct{ P []struct{ Name string } }
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, row := range got.P {
			names = append(names, row.Name)
		}
		return strings.Join(names, "")
	}
	d.Remove(rows[0])
	if got := content(); got != "bc" || d.Text(rows[1]+"/name") != "b" || d.Field(rows[0]) != nil || d.Field(rows[0]+"/name") != nil {
		t.Errorf("without the first: %s", got)
	}
	d.SetText(rows[0]+"/name", "late")
	d.Move(rows[2], 0)
	if got := content(); got != "cb" || !slices.Equal(d.Rows("/p"), []Path{rows[2], rows[1]}) {
		t.Errorf("moved: %s, rows %v", got, d.Rows("/p"))
	}
	d.Move(rows[2], 99)
	added := d.Add("/p")
	if slices.Contains(rows, added) {
		t.Errorf("the path of a removed entry is used again: %s", added)
	}
	if e := d.CheckField(added + "/name"); e != nil {
		t.Errorf("a required text may be empty: %+v", e)
	}
	if got := content(); got != "bc" {
		t.Errorf("at the end: %s", got)
	}
	for _, p := range d.Rows("/p") {
		d.Remove(p)
	}
	if raw, _ := d.Content(Submit{}); string(raw) != `{}` || d.State("/p") != Cleared {
		t.Errorf("without entries: %s", raw)
	}
	for _, p := range []Path{"", "/p/99", "/p/x", "/p/01", "/none", added, "/p"} {
		d.Remove(p)
		d.Move(p, 1)
		d.SetKey(p, "k")
	}
}

// TestVariantKeepsWhatIsTyped: choosing another alternative and coming back
// loses nothing, and only the chosen one is sent.
func TestVariantKeepsWhatIsTyped(t *testing.T) {
	d := argument(t, shapeSchema, true).NewDraft()
	f := d.Field("/p")
	if f.Variants[0].Label != "Circle" || f.Variants[1].Label != "square" {
		t.Errorf("labels %q, %q", f.Variants[0].Label, f.Variants[1].Label)
	}
	if d.Chosen("/p") != -1 || len(d.Fields("/p")) != 0 {
		t.Error("an alternative is preselected")
	}
	d.Choose("/p", 0)
	d.SetText("/p/0/r", "1.5")
	d.Choose("/p", 1)
	d.SetText("/p/1/side", "2")
	if content, errors := d.Content(Submit{}); string(content) != `{"p":{"kind":"square","side":2,"note":"n"}}` {
		t.Errorf("sent %s, %s", content, sentences(errors))
	}
	d.Choose("/p", -1)
	if e := d.CheckField("/p"); e == nil || e.Code != Missing {
		t.Errorf("nothing is chosen: %+v", e)
	}
	d.Choose("/p", 7)
	d.Choose("/p", 0)
	if content, errors := d.Content(Submit{}); string(content) != `{"p":{"kind":"circle","r":1.5}}` {
		t.Errorf("sent %s, %s", content, sentences(errors))
	}
	if fixed := d.Field("/p/0/kind"); !fixed.Fixed || d.Fields("/p")[0].Path != "/p/0" {
		t.Errorf("what tells it apart: %+v", fixed)
	}
}

// TestMapKeys: entries are named, renamed and without a name; two of one name
// are an error, and what was typed stays through all of it.
func TestMapKeys(t *testing.T) {
	d := argument(t, `{"type":"object","properties":{"own":{"type":"string"}},"additionalProperties":{"type":"string"}}`, true).NewDraft()
	const further = "/p/" + furtherSegment
	one, two := d.Add(further), d.Add(further)
	d.SetText(one, "1")
	d.SetText(two, "2")
	for _, c := range []struct{ one, two, want, errors string }{
		{"", "b", ``, "p/: Give this entry a key."},
		{"a", "a", ``, "p/a: The key “a” is there twice; each may be given once."},
		{"own", "b", ``, "p/own: “own” is a field of its own above; fill it in there."},
		{"x", "b", `{"p":{"x":"1","b":"2"}}`, ""},
	} {
		d.SetKey(one, c.one)
		d.SetKey(two, c.two)
		content, errors := d.Content(Submit{})
		if string(content) != c.want || sentences(errors) != c.errors {
			t.Errorf("%q and %q: sent %s\n%s", c.one, c.two, content, sentences(errors))
		}
		if d.Key(one) != c.one || d.Field(one).Label != c.one || d.Text(one) != "1" {
			t.Errorf("the entry is %q, %+v", d.Key(one), d.Field(one))
		}
	}
}

// TestB82_NullOnPurpose: null is sent when somebody says so and never else, and
// never in an answer to a question.
func TestB82_NullOnPurpose(t *testing.T) {
	const nullable = `{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}`
	d := argument(t, nullable, false).NewDraft()
	if content, _ := d.Content(Submit{}); string(content) != `{}` || !d.Field("/p").Nullable {
		t.Errorf("never touched: %s", content)
	}
	d.SetNull("/p")
	if content, _ := d.Content(Submit{}); string(content) != `{"p":null}` || !d.Null("/p") || d.Text("/p") != "" {
		t.Errorf("null on purpose: %s", content)
	}
	back := d.Form().NewDraft()
	if err := back.Restore(d.Save()); err != nil || !back.Null("/p") {
		t.Errorf("restored: %v, %s", err, back.Save())
	}
	d.SetText("/p", "x")
	if content, _ := d.Content(Submit{}); string(content) != `{"p":"x"}` || d.Null("/p") {
		t.Errorf("edited: %s", content)
	}
	d.SetText("/p", "")
	if content, _ := d.Content(Submit{}); string(content) != `{}` {
		t.Errorf("cleared: %s", content)
	}
	for _, c := range []struct {
		schema string
		want   bool
	}{
		{`{"type":["object","null"],"properties":{"a":{"type":"string"}}}`, true},
		{`{"type":["integer","null"]}`, true},
		{`{"anyOf":[{"type":"array","items":{"type":"boolean"}},{"type":"null"}]}`, true},
		{`{"enum":["a",null]}`, true},
		{`{"type":["string","null"],"enum":["a","b"]}`, false},
		{`{"type":"string","nullable":true}`, false},
		{`{"type":"string"}`, false},
	} {
		d := argument(t, c.schema, true).NewDraft()
		d.SetNull("/p")
		content, errors := d.Content(Submit{})
		if (string(content) == `{"p":null}`) != c.want {
			t.Errorf("%s: sent %s %s", c.schema, content, sentences(errors))
		}
	}
	q := parseProperties(t, `"p":`+nullable).NewDraft()
	q.SetNull("/p")
	if content, _ := q.Content(Submit{}); string(content) != `{}` || q.Touched() {
		t.Errorf("a question: %s", content)
	}
	g := argument(t, `{"type":["object","null"],"properties":{"a":{"type":"string"}}}`, false).NewDraft()
	g.SetNull("/p")
	g.SetText("/p/a", "x")
	if content, _ := g.Content(Submit{}); string(content) != `{"p":{"a":"x"}}` {
		t.Errorf("typing into a group that was null: %s", content)
	}
}

// TestEveryFieldIsFoundByItsPath: what is drawn must take what is entered, also
// where the entries of a map, or alternatives, have further keys to say no to.
func TestEveryFieldIsFoundByItsPath(t *testing.T) {
	const object = `{"type":"object","properties":{"n":{"type":"integer"}}}`
	for _, schema := range []string{
		`{"properties":{"a":{"type":"string"}},"additionalProperties":` + object + `}`,
		`{"additionalProperties":{"type":"array","items":` + object + `}}`,
		`{"properties":{"a":{"type":"string"}},"patternProperties":{"^x":` + object + `}}`,
		`{"properties":{"a":{"type":"string"}},"oneOf":[{"properties":{"b":` + object + `}},{"properties":{"c":` + object + `}}]}`,
		`{"properties":{"g":{"type":"object","properties":{"a":` + object + `},"additionalProperties":` + object + `}}}`,
		`{"properties":{"rows":{"type":"array","items":{"type":"object","properties":{"a":` + object + `},"additionalProperties":` + object + `}}}}`,
	} {
		d := Parse(json.RawMessage(schema), Options{Purpose: Arguments}).NewDraft()
		var walk func(fields []*Field, depth int)
		walk = func(fields []*Field, depth int) {
			for _, f := range fields {
				if d.Field(f.Path) != f {
					t.Errorf("%s: no field at %s (%s)", schema, f.Path, f.Kind)
				}
				if depth > 4 {
					continue
				}
				switch f.Kind {
				case Rows, Map:
					d.Add(f.Path)
				case Variant:
					d.Choose(f.Path, 0)
				}
				walk(d.Fields(f.Path), depth+1)
			}
		}
		walk(d.Fields(""), 0)
	}
}

// TestGroup_CanBeAnsweredWithRawJSON, as Rows, Maps and Variants can.
func TestGroup_CanBeAnsweredWithRawJSON(t *testing.T) {
	const schema = `{"type":"object","required":["must"],"properties":{
		"g":{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}},"required":["a"]},
		"must":{"type":"object","properties":{"a":{"type":"string"}}},
		"rows":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}}}`
	type want struct {
		text    string // of /g
		raw     bool
		content string
	}
	for _, c := range []struct {
		name string
		do   func(d *Draft)
		want want
	}{
		{"nothing", func(d *Draft) {}, want{"", false, `{"must":{}}`}},
		{"written", func(d *Draft) { d.SetText("/g", `{"a":"x", "n":1.0}`) }, want{`{"a":"x", "n":1.0}`, true, `{"g":{"a":"x","n":1.0},"must":{}}`}},
		{"what stands, as JSON", func(d *Draft) { d.SetText("/g/a", "x"); d.SetText("/g", d.Text("/g")) }, want{`{"a":"x"}`, true, `{"g":{"a":"x"},"must":{}}`}},
		{"a field inside ends it", func(d *Draft) { d.SetText("/g", `{"a":"x"}`); d.SetText("/g/a", "y") }, want{`{"a":"y"}`, false, `{"g":{"a":"y"},"must":{}}`}},
		{"opening ends it", func(d *Draft) { d.SetText("/g/a", "y"); d.SetText("/g", `{"a":"x"}`); d.Open("/g") }, want{`{"a":"y"}`, false, `{"g":{"a":"y"},"must":{}}`}},
		{"clearing ends it", func(d *Draft) { d.SetText("/g", `{"a":"x"}`); d.SetText("/g", "") }, want{"", false, `{"must":{}}`}},
		{"resetting ends it", func(d *Draft) { d.SetText("/g", `{"a":"x"}`); d.Reset("/g") }, want{"", false, `{"must":{}}`}},
		{"back to fields", func(d *Draft) { d.SetText("/g", `{"a":"x","n":2}`); d.SetValue("/g", json.RawMessage(d.Text("/g"))) }, want{`{"a":"x","n":2}`, false, `{"g":{"a":"x","n":2},"must":{}}`}},
		{"a required one", func(d *Draft) { d.SetText("/must", `{"a":"x"}`) }, want{"", false, `{"must":{"a":"x"}}`}},
		{"an entry", func(d *Draft) { d.SetText(d.Add("/rows"), `{"a":"x"}`) }, want{"", false, `{"must":{},"rows":[{"a":"x"}]}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse(json.RawMessage(schema), Options{Purpose: Arguments}).NewDraft()
			c.do(d)
			content, errs := d.Content(Submit{})
			if got := (want{d.Text("/g"), d.Raw("/g"), string(content)}); got != c.want || len(errs) > 0 {
				t.Errorf("got %+v (%v), want %+v", got, errs, c.want)
			}
			if d.Raw("/g") && len(d.Fields("/g")) > 0 {
				t.Error("fields stand in raw JSON")
			}
			back := d.Form().NewDraft()
			if err := back.Restore(d.Save()); err != nil {
				t.Fatal(err)
			}
			if again, _ := back.Content(Submit{}); string(again) != string(content) || string(back.Save()) != string(d.Save()) {
				t.Errorf("restored it sends %s", again)
			}
		})
	}
	d := Parse(json.RawMessage(schema), Options{Purpose: Arguments}).NewDraft()
	for text, id := range map[string]string{`{"a":`: "forms.error.jsonObject", `[]`: "forms.error.jsonObject", `{"n":1}`: "forms.error.required"} {
		d.SetText("/g", text)
		if errs := d.Check(); len(errs) != 1 || errs[0].Path[:2] != "/g" {
			t.Errorf("%s: %v, want %s", text, errs, id)
		}
	}
}

// TestInlineJSON_RepeatsNoKey: members that are written as raw JSON stand among
// others, and the object must have each key once.
func TestInlineJSON_RepeatsNoKey(t *testing.T) {
	const schema = `{"type":"object","properties":{"own":{"type":"string"}},"additionalProperties":{"type":"string"},
		"oneOf":[{"properties":{"b":{"type":"string"}}},{"properties":{"c":{"type":"string"}}}]}`
	for _, c := range []struct {
		name string
		do   func(d *Draft)
		want []string // ids of errors
	}{
		{"an alternative and a property", func(d *Draft) { d.SetText("/~?/0", `{"own":"x"}`) }, []string{"forms.error.keyKnown"}},
		{"the union and a property", func(d *Draft) { d.SetText("/~?", `{"own":"x"}`) }, []string{"forms.error.keyKnown"}},
		{"an alternative and the map", func(d *Draft) {
			d.SetText("/~?/0", `{"b":"x","more":"y"}`)
			d.SetKey(d.Add("/~*"), "more")
		}, []string{"forms.error.keyKnown"}},
		{"the union and the map", func(d *Draft) {
			d.SetText("/~?", `{"more":"y"}`)
			d.SetKey(d.Add("/~*"), "more")
		}, []string{"forms.error.keyKnown"}},
		{"other keys", func(d *Draft) {
			d.SetText("/~?/0", `{"b":"x","more":"y"}`)
			d.SetText("/own", "z")
		}, []string{"forms.final.twoShapes"}}, // the second alternative asks for nothing

	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse(json.RawMessage(schema), Options{Purpose: Arguments}).NewDraft()
			d.Choose("/~?", 0)
			c.do(d)
			var got []string
			for _, e := range d.Check() {
				got = append(got, e.Message.ID)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
