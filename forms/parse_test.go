package forms

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestAnySchemaGivesAForm: whatever a server sends, there is a form, its
// problems can be said, and its draft can be checked.
func TestAnySchemaGivesAForm(t *testing.T) {
	deep := strings.Repeat(`{"allOf":[`, 5000) + `{}` + strings.Repeat(`]}`, 5000)
	for _, schema := range []string{
		`{"properties":{"a":` + deep + `}}`,
		strings.Repeat("[", 100_000),
		`{"properties":{"a":null,"b":[],"c":"x","d":1,"e":true,"f":false}}`,
		`{"type":7,"properties":{"a":{"type":7}}}`,
		`{"type":["object",null],"properties":{"a":{"type":[]}}}`,
		`{"required":7}`, `{"required":[7,"a"],"properties":{"a":{}}}`,
		`{"properties":{"a":{"enum":7},"b":{"oneOf":7},"c":{"anyOf":[]},"d":{"allOf":7},"e":{"$ref":7},"f":{"items":7,"type":"array"},"g":{"enum":[[],{}]}}}`,
		`{"properties":{"a":{"type":"string","minLength":1e30,"maxLength":1e40,"pattern":7,"title":7,"description":[]}}}`,
		`{"properties":{"a":{"type":"number","minimum":1e999999999999999999999,"multipleOf":0}}}`,
		"{\"properties\":{\"\xff\":{\"type\":\"string\"}}}",
		`{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}]}`,
	} {
		for _, purpose := range []Purpose{Elicitation, Arguments} {
			f := Parse(json.RawMessage(schema), Options{Purpose: purpose})
			f.Sentences(english)
			content, errors := f.NewDraft().Content(Submit{})
			if !json.Valid(f.DescribeCheck(english)) || (content == nil) == (len(errors) == 0) || content != nil && !json.Valid(content) {
				t.Errorf("%.60s: content %s, errors %s", schema, content, sentences(errors))
			}
		}
	}
}

// TestReferencesCannotExplode: a small schema whose references multiply is
// refused in words, in bounded work.
func TestReferencesCannotExplode(t *testing.T) {
	const levels = 12
	var defs []string
	for i := range levels {
		next := strings.TrimSuffix(strings.Repeat(fmt.Sprintf(`{"$ref":"#/$defs/d%d"},`, i+1), 30), ",")
		defs = append(defs, fmt.Sprintf(`"d%d":{"allOf":[%s]}`, i, next))
	}
	schema := fmt.Sprintf(`{"$defs":{%s,"d%d":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/d0"},"b":{"type":"string"}}}`,
		strings.Join(defs, ","), levels)
	f := parseForm(t, schema)
	if f.Fields[0].Kind != Unsupported || len(f.Fields[0].Problems) != 1 {
		t.Errorf("kind %s, problems %v", f.Fields[0].Kind, f.Fields[0].Problems)
	}
}

// TestBounds: what goes beyond the bounds is named, never cut off silently.
func TestBounds(t *testing.T) {
	var properties []string
	for i := range maxFields + 1 {
		properties = append(properties, `"f`+strconv.Itoa(i)+`":{"type":"string"}`)
	}
	f := parseProperties(t, strings.Join(properties, ","))
	if len(f.Fields) != maxFields || f.Answerable() || len(f.Problems) != 1 || f.Problems[0].ID != "forms.problem.tooManyFields" {
		t.Errorf("%d fields, answerable %t, problems %v", len(f.Fields), f.Answerable(), f.Problems)
	}
	f = parseProperties(t, `"o":{"enum":[`+strings.Repeat("1,", maxOptions)+`1]},"p":{"enum":["a"]}`)
	if f.Fields[0].Kind != Unsupported || f.Fields[1].Kind != Choice {
		t.Errorf("kinds %s, %s", f.Fields[0].Kind, f.Fields[1].Kind)
	}
	f = parseForm(t, `{"description":"`+strings.Repeat("x", maxSchemaBytes)+`"}`)
	if f.Answerable() || len(f.Problems) != 1 || f.Problems[0].ID != "forms.problem.tooLarge" {
		t.Errorf("problems %v", f.Problems)
	}
}

// TestManyUnknownRequired: the first are named, the others counted.
func TestManyUnknownRequired(t *testing.T) {
	var names []string
	for i := range 100 {
		names = append(names, "r"+strconv.Itoa(i))
	}
	f := parseProperties(t, `"r5":{"type":"string"}`, names...)
	said := f.Sentences(english)
	if len(said) != 11 || said[10] != "The server requires 89 more fields that it does not describe." {
		t.Errorf("says %q", said)
	}
}

// TestOrderIsKept: fields stand in the order of the schema, of a repeated key
// the last schema counts.
func TestOrderIsKept(t *testing.T) {
	f := parseProperties(t, `"zulu":{"type":"string"},"alpha":{"type":"string"},"mike":{"type":"string"},"zulu":{"type":"integer"}`)
	var names []string
	for _, field := range f.Fields {
		names = append(names, field.Name)
	}
	if got := strings.Join(names, " "); got != "zulu alpha mike" || f.Fields[0].Kind != Integer {
		t.Errorf("order %s, zulu is %s", got, f.Fields[0].Kind)
	}
}

// TestHints: the limits in words.
func TestHints(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"string"}`: "",
		`{"type":"string","minLength":2,"maxLength":40}`:                    "2 to 40 characters",
		`{"type":"string","minLength":1}`:                                   "At least 1 character",
		`{"type":"string","maxLength":40}`:                                  "At most 40 characters",
		`{"type":"string","minLength":6,"maxLength":6}`:                     "Exactly 6 characters",
		`{"type":"string","pattern":"^[a-z]+$"}`:                            "Must have the form ^[a-z]+$",
		`{"type":"integer"}`:                                                "Whole number",
		`{"type":"integer","minimum":1,"maximum":9}`:                        "Whole number, 1 to 9",
		`{"type":"number","minimum":0.5}`:                                   "Number, at least 0.5",
		`{"type":"number","exclusiveMaximum":1e3}`:                          "Number, less than 1e3",
		`{"type":"number","exclusiveMinimum":0,"maximum":1}`:                "Number, more than 0 and at most 1",
		`{"type":"number","minimum":1,"exclusiveMinimum":0}`:                "Number, at least 1",
		`{"type":"number","minimum":1,"exclusiveMinimum":1}`:                "Number, more than 1",
		`{"type":"integer","multipleOf":5,"minimum":0}`:                     "Whole number, at least 0, a multiple of 5",
		`{"type":"string","format":"date"}`:                                 "Year-month-day, for example 2026-03-04",
		`{"type":"string","format":"date-time"}`:                            "For example 2026-03-04 10:00. Time zone unless you write one: Europe/Madrid",
		`{"type":"array","maxItems":3,"items":{"enum":["a"]}}`:              "Choose at most 3",
		`{"type":"array","minItems":1,"maxItems":2,"items":{"enum":["a"]}}`: "Choose 1 to 2",
		`{"type":"array","minItems":1,"items":{"type":"string"}}`:           "One entry a line · At least 1 entry",
		`{"type":"array","items":{"type":"string","maxLength":3}}`:          "One entry a line · Each line: At most 3 characters",
	} {
		var said []string
		for _, h := range parseProperties(t, `"f":`+schema).Fields[0].Hints {
			said = append(said, english.Text(h))
		}
		if got := strings.Join(said, " · "); got != want {
			t.Errorf("%s says\n%q, want\n%q", schema, got, want)
		}
	}
}

// TestMultiline: where the limit or the text asks for more than a line.
func TestMultiline(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"string"}`:                                                 false,
		`{"type":"string","maxLength":100}`:                                 false,
		`{"type":"string","maxLength":2000}`:                                true,
		`{"type":"string","minLength":100}`:                                 true,
		`{"type":"string","default":"a\nb"}`:                                true,
		`{"type":"string","default":"` + strings.Repeat("long ", 50) + `"}`: true,
		`{"type":"array","items":{"type":"string"}}`:                        true,
		`{"type":"string","format":"uri","maxLength":2000}`:                 false,
	} {
		if got := parseProperties(t, `"f":`+schema).Fields[0].Multiline; got != want {
			t.Errorf("%.60s: multi-line %t", schema, got)
		}
	}
}

// TestReferencesThatAreNotFollowedAreSaid: an anchor, a $dynamicRef. A question
// cannot show them; an argument is raw JSON, which the whole schema checks.
func TestReferencesThatAreNotFollowedAreSaid(t *testing.T) {
	for _, ref := range []string{`{"$ref":"#name"}`, `{"$dynamicRef":"#name"}`, `{"$recursiveRef":"#"}`} {
		schema := json.RawMessage(`{"type":"object","$defs":{"n":{"$anchor":"name","$dynamicAnchor":"name","type":"integer"}},"properties":{"x":` + ref + `}}`)
		if f := Parse(schema, Options{}); f.Field("/x").Kind != Unsupported || len(f.Sentences(english)) != 1 {
			t.Errorf("%s in a question: %s, %q", ref, f.Field("/x").Kind, f.Sentences(english))
		}
		f := Parse(schema, Options{Purpose: Arguments})
		if x := f.Field("/x"); x.Kind != JSON || len(x.Hints) < 2 {
			t.Errorf("%s in arguments: %s, hints %v", ref, x.Kind, x.Hints)
		}
		if strings.Contains(ref, "recursive") {
			continue // of draft 2019-09 only
		}
		d := f.NewDraft()
		d.SetText("/x", `"no number"`)
		if errors := d.Check(); len(errors) != 1 || errors[0].Code != Refused {
			t.Errorf("%s: the whole says %s", ref, sentences(errors))
		}
		d.SetText("/x", "7")
		if content, errors := d.Content(Submit{}); string(content) != `{"x":7}` {
			t.Errorf("%s: sent %s, %s", ref, content, sentences(errors))
		}
	}
}
