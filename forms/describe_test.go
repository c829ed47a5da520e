package forms

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/assets/i18n"
)

// TestDescribe: the fields as the command line prints them. A key without a
// value is left out, never null; values are raw.
func TestDescribe(t *testing.T) {
	f := parseProperties(t, `
		"name":{"type":"string","title":"Full <name>"},
		"\u540d":{"type":"integer","default":5.0},
		"pw":{"type":"string","format":"password"},
		"c":{"enum":[1.0,"\u0041"],"enumNames":["One"],"default":"A"},
		"e":{"type":"string","default":""},
		"u":{"type":"object"},
		"d":{"enum":["a"],"default":"z"}`, "name")
	want := `{"fields":[` +
		`{"name":"name","label":"Full <name>","kind":"text","required":true,"secret":false},` +
		`{"name":"名","label":"名","kind":"integer","required":false,"secret":false,"default":5.0},` +
		`{"name":"pw","label":"pw","kind":"text","required":false,"secret":true},` +
		`{"name":"c","label":"c","kind":"choice","required":false,"secret":false,"default":"A","options":[{"value":1.0,"label":"One"},{"value":"\u0041","label":"A"}]},` +
		`{"name":"e","label":"e","kind":"text","required":false,"secret":false,"default":""},` +
		`{"name":"u","label":"u","kind":"unsupported","required":false,"secret":false,"problem":"The server asks for an object within the form, which a question cannot show."},` +
		`{"name":"d","label":"d","kind":"choice","required":false,"secret":false,"options":[{"value":"a","label":"a"}],"problem":"The server suggested \"z\", which is not among its own options, so nothing is preselected."}` +
		`],"problems":["“u”: The server asks for an object within the form, which a question cannot show.",` +
		`"“d”: The server suggested \"z\", which is not among its own options, so nothing is preselected."],"answerable":true}`
	if got := f.DescribeCheck(english); string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDescribeNothing: no fields and no problems are empty arrays.
func TestDescribeNothing(t *testing.T) {
	if got := parseForm(t, "{}").DescribeCheck(english); string(got) != `{"fields":[],"problems":[],"answerable":true}` {
		t.Errorf("got %s", got)
	}
}

// TestDescribeGroups: a group carries its fields.
func TestDescribeGroups(t *testing.T) {
	f := Parse(json.RawMessage(`{"type":"object","properties":{"g":{"type":"object","properties":{"a":{"type":"boolean"}}}}}`), Options{Purpose: Arguments})
	want := `[{"name":"g","label":"g","kind":"group","required":false,"secret":false,"fields":[{"name":"a","label":"a","kind":"boolean","required":false,"secret":false}]}]`
	if got := f.Describe(i18n.New("zh-Hans")); string(got) != want {
		t.Errorf("got %s", got)
	}
}

// TestAnswerable: accepting is impossible while a required field cannot be
// shown or the schema cannot be read.
func TestAnswerable(t *testing.T) {
	for schema, want := range map[string]bool{
		`{}`: true,
		`{"type":"object","properties":{"a":{"type":"object"}}}`:                  true,
		`{"type":"object","properties":{"a":{"type":"object"}},"required":["a"]}`: false,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`: true,
		`[]`: false, `7`: false, `"x"`: false, `true`: false, `{`: false, `{"type":"array"}`: false, `{"properties":[]}`: false,
		`{"$ref":"https://evil.example/s"}`: false,
	} {
		f := parseForm(t, schema)
		if f.Answerable() != want {
			t.Errorf("%s is answerable: %t", schema, f.Answerable())
		}
		if content, errors := f.NewDraft().Content(Submit{}); (content != nil) != want || (len(errors) == 0) != want {
			t.Errorf("%s sends %s, errors %s", schema, content, sentences(errors))
		}
		if !want && len(f.Sentences(english)) == 0 {
			t.Errorf("%s cannot be answered, and nothing says why", schema)
		}
	}
}

// TestDescribe_SentencesAreSafeToShow: what a server writes into its schema can
// turn no sentence around, whether it is a value, a type, a key or a pattern.
func TestDescribe_SentencesAreSafeToShow(t *testing.T) {
	const evil = "\u202E\u0007\u200b\u009b31m"
	for _, schema := range []string{
		`{"properties":{"a":{"type":"integer","default":"` + evil + `"}}}`,
		`{"properties":{"a":{"type":"` + evil + `"}}}`,
		`{"properties":{"a":{"enum":["x"],"default":"` + evil + `"}}}`,
		`{"properties":{"a":{"type":"string","pattern":"(` + evil + `"}}}`,
		`{"properties":{"a":{"$ref":"https://` + evil + `"}}}`,
		`{"properties":{"a":{"$ref":"#/` + evil + `"}}}`,
		`{"properties":{"` + evil + `":{"type":"object"}}}`,
		`{"properties":{"a":{"type":"string","minLength":"` + evil + `"}}}`,
		`{"properties":{},"required":["` + evil + `"]}`,
	} {
		f := Parse(json.RawMessage(schema), Options{})
		said := f.Sentences(english)
		var described []struct{ Problem string }
		if err := json.Unmarshal(f.Describe(english), &described); err != nil {
			t.Fatal(err)
		}
		for _, d := range described {
			said = append(said, d.Problem)
		}
		if len(said) == 0 {
			t.Errorf("nothing is said of %s", schema)
		}
		for _, s := range said {
			if strings.ContainsAny(s, "\u202E\u0007\u200b\u009b") {
				t.Errorf("%s: %q", schema, s)
			}
		}
	}
}
