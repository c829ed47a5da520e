package main

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/forms"
)

// object is the schema of an object with one property x.
func object(required bool, x string) json.RawMessage {
	names := "[]"
	if required {
		names = `["x"]`
	}
	return json.RawMessage(`{"type":"object","properties":{"x":` + x + `},"required":` + names + `}`)
}

func TestFillEntersTheLeastThatIsAllowed(t *testing.T) {
	for _, c := range []struct{ name, x, want string }{
		{"text", `{"type":"string"}`, `""`},
		{"text with a shortest length", `{"type":"string","minLength":3}`, `"aaa"`},
		{"text of digits", `{"type":"string","minLength":4,"pattern":"^[0-9]+$"}`, `"1111"`},
		{"text of capitals", `{"type":"string","minLength":2,"pattern":"^[A-Z]+$"}`, `"AA"`},
		{"email", `{"type":"string","format":"email"}`, `"a@example.com"`},
		{"address", `{"type":"string","format":"uri"}`, `"https://example.com/"`},
		{"date", `{"type":"string","format":"date"}`, `"2026-07-28"`},
		{"date and time", `{"type":"string","format":"date-time"}`, `"2026-07-28T00:00:00Z"`},
		{"integer", `{"type":"integer"}`, `0`},
		{"number", `{"type":"number"}`, `0`},
		{"number from", `{"type":"number","minimum":1.5}`, `1.5`},
		{"number above", `{"type":"number","exclusiveMinimum":1.5}`, `2`},
		{"integer from a fraction", `{"type":"integer","minimum":1.5}`, `2`},
		{"integer above zero", `{"type":"integer","exclusiveMinimum":0}`, `1`},
		{"integer to", `{"type":"integer","maximum":-7}`, `-7`},
		{"integer below", `{"type":"integer","exclusiveMaximum":-7}`, `-8`},
		{"integer to a fraction", `{"type":"integer","maximum":-7.5}`, `-8`},
		{"number between neighbours", `{"type":"number","exclusiveMinimum":0.25,"exclusiveMaximum":0.5}`, `0.375`},
		{"integer beyond a float", `{"type":"integer","minimum":9007199254740993}`, `9007199254740993`},
		{"yes or no", `{"type":"boolean"}`, `false`},
		{"choice", `{"type":"string","enum":["b","a"]}`, `"b"`},
		{"titled choice", `{"type":"string","oneOf":[{"const":"b","title":"B"},{"const":"a","title":"A"}]}`, `"b"`},
		{"checklist", `{"type":"array","items":{"type":"string","enum":["a","b"]}}`, `[]`},
		{"checklist with a least number", `{"type":"array","minItems":2,"items":{"type":"string","enum":["a","b","c"]}}`, `["a","b"]`},
		{"free list", `{"type":"array","minItems":2,"uniqueItems":true,"items":{"type":"string"}}`, `["1","2"]`},
		{"secret", `{"type":"string","title":"Password","minLength":2}`, `"aa"`},
		{"default", `{"type":"string","default":"d"}`, `"d"`},
		{"empty default", `{"type":"string","default":""}`, `""`},
		{"default that is not allowed", `{"type":"integer","minimum":3,"default":1}`, `3`},
	} {
		for _, p := range []struct {
			name    string
			purpose forms.Purpose
		}{{"question", forms.Elicitation}, {"arguments", forms.Arguments}} {
			t.Run(c.name+", "+p.name, func(t *testing.T) {
				got, err := fill(forms.Parse(object(true, c.x), forms.Options{Purpose: p.purpose}))
				if want := `{"x":` + c.want + `}`; err != nil || string(got) != want {
					t.Errorf("%s is filled with %s, %v; want %s", c.x, got, err, want)
				}
			})
		}
	}
}

func TestFillLeavesOutWhatIsOptionalAndKeepsItsDefault(t *testing.T) {
	for _, c := range []struct{ x, want string }{
		{`{"type":"string","minLength":3}`, `{}`},
		{`{"type":"boolean"}`, `{}`},
		{`{"type":"boolean","default":false}`, `{"x":false}`},
		{`{"type":"number","default":95.50}`, `{"x":95.50}`},
	} {
		got, err := fill(forms.Parse(object(false, c.x), forms.Options{}))
		if err != nil || string(got) != c.want {
			t.Errorf("optional %s is filled with %s, %v; want %s", c.x, got, err, c.want)
		}
	}
}

func TestFillGivesArgumentsOfAnyShape(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"no schema", ``, `{}`},
		{"no properties", `{"type":"object"}`, `{}`},
		{"any object", string(object(true, `{"type":"object"}`)), `{"x":{}}`},
		{"any value", string(object(true, `{}`)), `{"x":{}}`},
		{"a union", string(object(true, `{"anyOf":[{"type":"string"},{"type":"number"}]}`)), `{"x":""}`},
		{"alternatives", string(object(true, `{"oneOf":[{"type":"string","pattern":"^zebra$"},{"type":"object","properties":{"kind":{"const":"k"},"n":{"type":"integer","minimum":3}},"required":["kind","n"]}]}`)), `{"x":{"kind":"k","n":3}}`},
		{"rows", string(object(true, `{"type":"array","minItems":2,"items":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`)), `{"x":[{"n":0},{"n":0}]}`},
		{"keys and values", string(object(true, `{"type":"object","minProperties":1,"additionalProperties":{"type":"boolean"}}`)), `{"x":{"1":false}}`},
		{"a group", string(object(true, `{"type":"object","properties":{"a":{"type":"integer","minimum":2},"b":{"type":"string"}},"required":["a"]}`)), `{"x":{"a":2}}`},
		{"a list of numbers", string(object(true, `{"type":"array","minItems":1,"items":{"type":"integer"}}`)), `{"x":[1]}`},
		{"a reference", `{"type":"object","$defs":{"n":{"type":"integer"}},"properties":{"x":{"$ref":"#/$defs/n"}},"required":["x"]}`, `{"x":0}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := fill(forms.Parse(json.RawMessage(c.schema), forms.Options{Purpose: forms.Arguments}))
			if err != nil || string(got) != c.want {
				t.Errorf("filled with %s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestFillNamesTheFieldsThatNothingFits(t *testing.T) {
	content, err := fill(forms.Parse(object(true, `{"type":"string","pattern":"^zebra$"}`), forms.Options{}))
	if err == nil || content != nil || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("got %s, %v; want no content and an error that names x", content, err)
	}
}
