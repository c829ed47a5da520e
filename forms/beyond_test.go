package forms

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestB24_RulesThatNoFieldShows: what a question's schema demands beyond its
// fields is said where it is, and the whole answer is held against it: an
// answer that breaks it is refused with a reason, one that keeps it is sent.
func TestB24_RulesThatNoFieldShows(t *testing.T) {
	const ab = `"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}`
	for _, c := range []struct{ name, schema, at, keywords, bad, refusal, good string }{
		{"dependentRequired", `{` + ab + `,"dependentRequired":{"a":["b"]}}`, "", "dependentRequired", `{"a":"x"}`, ": With “a” the server also requires this: b", `{"b":"x"}`},
		{"if and then", `{` + ab + `,"if":{"properties":{"a":{"const":"x"}},"required":["a"]},"then":{"required":["b"]}}`, "", "if", `{"a":"x"}`, "b: This is required.", `{"a":"y"}`},
		{"two conditions", `{` + ab + `,"allOf":[{"if":{"properties":{"a":{"const":"x"}},"required":["a"]},"then":{"required":["b"]}},{"if":{"properties":{"a":{"const":"y"}},"required":["a"]},"then":{"not":{"required":["b"]}}}]}`, "", "if", `{"a":"y","b":"z"}`, ": The server does not allow these values together.", `{"a":"z"}`},
		{"dependentSchemas", `{` + ab + `,"dependentSchemas":{"a":{"required":["b"]}}}`, "", "dependentSchemas", `{"a":"x"}`, "b: This is required.", `{"a":"x","b":"y"}`},
		{"draft 7 dependencies", `{"$schema":"http://json-schema.org/draft-07/schema#",` + ab + `,"dependencies":{"a":["b"]}}`, "", "dependencies", `{"a":"x"}`, ": With “a” the server also requires this: b", `{}`},
		{"one of two", `{` + ab + `,"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "", "anyOf", `{}`, ": The server needs at least one of these: a, b", `{"b":"x"}`},
		{"exactly one of two", `{` + ab + `,"oneOf":[{"required":["a"]},{"required":["b"]}]}`, "", "oneOf", `{"a":"x","b":"y"}`, ": This fits more than one of the kinds of value that the server describes, and it allows only one.", `{"a":"x"}`},
		{"not", `{` + ab + `,"not":{"required":["a","b"]}}`, "", "not", `{"a":"x","b":"y"}`, ": The server does not allow these values together.", `{"a":"x"}`},
		{"at least one", `{` + ab + `,"minProperties":1}`, "", "minProperties", `{}`, ": Fill in at least 1 field (now 0).", `{"a":"x"}`},
		{"at most one", `{` + ab + `,"maxProperties":1}`, "", "maxProperties", `{"a":"x","b":"y"}`, ": Fill in at most 1 field (now 2).", `{"a":"x"}`},
		{"patternProperties", `{` + ab + `,"patternProperties":{"^a$":{"maxLength":1}}}`, "", "patternProperties", `{"a":"xy"}`, "a: At most 1 character is allowed (now 2).", `{"a":"x"}`},
		{"propertyNames", `{` + ab + `,"propertyNames":{"pattern":"^a$"}}`, "", "propertyNames", `{"b":"x"}`, ": The server does not allow the key “b”.", `{"a":"x"}`},
		{"a value that is not allowed", `{"type":"object","properties":{"a":{"type":"string","not":{"const":"bad"}}}}`, "a", "not", `{"a":"bad"}`, "a: The server does not allow this value.", `{"a":"good"}`},
		{"behind a reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string","not":{"const":"bad"}}}}`, "a", "not", `{"a":"bad"}`, "a: The server does not allow this value.", `{"a":"good"}`},
		{"a list that must contain", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x","y"]},"contains":{"const":"x"}}}}`, "a", "contains", `{"a":["y"]}`, "a: The server asks for an entry here that is not there.", `{"a":["y","x"]}`},
		{"a name with a slash and a percent", `{"type":"object","properties":{"a/b%41":{"type":"string","not":{"const":"bad"}}}}`, "a~1b%41", "not", `{"a/b%41":"bad"}`, "a/b%41: The server does not allow this value.", `{"a/b%41":"x"}`},
		{"a field called if", `{"type":"object","properties":{"if":{"type":"string"},"not":{"type":"string"}},"minProperties":1}`, "", "minProperties", `{}`, ": Fill in at least 1 field (now 0).", `{"if":"x"}`},
	} {
		f := Parse(json.RawMessage(c.schema), Options{})
		want := "The server has rules that the fields do not show (" + c.keywords + "). The whole answer is checked against them when you submit."
		if got := problemsOf(f, c.at); got != want {
			t.Errorf("%s: said %q", c.name, got)
		}
		if sent, errors := answerWith(t, f, c.bad); sent != "" || errors != c.refusal {
			t.Errorf("%s: %s came to %s\n%s\nwant\n%s", c.name, c.bad, sent, errors, c.refusal)
		}
		if sent, errors := answerWith(t, f, c.good); errors != "" || !f.Answerable() {
			t.Errorf("%s: %s came to %s %s", c.name, c.good, sent, errors)
		}
	}
}

// TestB24_OnlyTheRulesCount: the check of the whole says nothing of what the
// fields decide themselves, so limits that were ignored stay ignored.
func TestB24_OnlyTheRulesCount(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{"type":"string","minLength":3,"maxLength":2}},"minProperties":1}`,
		`{"type":"object","properties":{"a":{"type":"string","pattern":"(?<x"}},"required":["b"],"minProperties":1}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string","minLength":3,"maxLength":2}},"not":{"required":["c"]}}`,
		`{"type":"object","properties":{"a":{"type":"string","format":"made-up"}},"if":{"required":["z"]},"then":false}`,
	} {
		f := Parse(json.RawMessage(schema), Options{})
		if sent, errors := answerWith(t, f, `{"a":"xyz"}`); sent != `{"a":"xyz"}` {
			t.Errorf("%s: %s %s", schema, sent, errors)
		}
	}
}

// TestB24_RulesThatCannotBeChecked: where the schema does not compile the
// sentence says so, and the form can be answered.
func TestB24_RulesThatCannotBeChecked(t *testing.T) {
	f := Parse(json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}},"not":{"$ref":"https://schemas.example/x"}}`), Options{})
	if got := problemsOf(f, ""); got != "The server has rules that cannot be checked here (not), so it may refuse the answer." {
		t.Errorf("said %q", got)
	}
	if sent, errors := answerWith(t, f, `{"a":"x"}`); sent != `{"a":"x"}` {
		t.Errorf("%s %s", sent, errors)
	}
	notes := f.NewDraft().Notes("")
	if len(notes) != 1 || !strings.Contains(english.Text(notes[0]), "could not be checked as a whole") {
		t.Errorf("notes %v", notes)
	}
}

// TestB24_ThePlainSubsetIsNotCheckedTwice: schemas within the specification
// have no check of the whole, so it can refuse nothing of theirs.
func TestB24_ThePlainSubsetIsNotCheckedTwice(t *testing.T) {
	f := Parse(json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{
		"a":{"type":"string","minLength":1,"pattern":"x"},"b":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]}},
		"c":{"oneOf":[{"const":"x","title":"X"},{"const":"y"}]},"d":{"anyOf":[{"type":"string"},{"type":"null"}]},"e":{"type":"string","enum":["a"]}}}`), Options{})
	if f.final != nil || len(f.Sentences(english)) > 0 {
		t.Errorf("final %v, said %q", f.final, f.Sentences(english))
	}
}
