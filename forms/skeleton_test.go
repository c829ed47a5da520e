package forms

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestSkeleton_NamesWhatIsAskedFor: the text to begin raw JSON with.
func TestSkeleton_NamesWhatIsAskedFor(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"a table", `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"qty":{"type":"integer","minimum":1},"price":{"type":"number"},"in":{"type":"boolean"}}}}`,
			`[{"name":"","qty":1,"price":0,"in":false}]`},
		{"the default before the first option before the type", `{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"enum":["p","q"]},"c":{"const":7},"d":{"oneOf":[{"const":"k","title":"K"}]}}}`,
			`{"a":"x","b":"p","c":7,"d":"k"}`},
		{"null is no default", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}}`, `{"a":""}`},
		{"numbers that cannot be 0", `{"type":"object","properties":{"a":{"type":"number","minimum":2.5},"b":{"type":"number","maximum":-1},"c":{"type":"number","minimum":-5},"d":{"type":"integer","exclusiveMinimum":3}}}`,
			`{"a":2.5,"b":-1,"c":0,"d":3}`},
		{"the first of the alternatives", `{"anyOf":[{"type":"object","properties":{"r":{"type":"number"}}},{"type":"object","properties":{"w":{"type":"number"}}}]}`, `{"r":0}`},
		{"alternatives among members", `{"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"properties":{"b":{"type":"string"}}},{"properties":{"c":{"type":"string"}}}]}`,
			`{"a":"","b":""}`},
		{"places", `{"type":"array","prefixItems":[{"type":"number"},{"type":"string"},{}]}`, `[0,"",null]`},
		{"places of draft 7", `{"type":"array","items":[{"type":"number"},{"type":"boolean"}]}`, `[0,false]`},
		{"a map of objects", `{"type":"object","additionalProperties":{"type":"object","properties":{"n":{"type":"integer"}}}}`, `{"":{"n":0}}`},
		{"a map with known keys", `{"type":"object","propertyNames":{"enum":["red","blue"]},"additionalProperties":{"type":"array","items":{"type":"array","items":{"type":"number"}}}}`, `{"red":[[]]}`},
		{"any object at all", `{"type":"object"}`, `{}`},
		{"a required member of which nothing is known", `{"type":"object","properties":{"a":{},"b":{}},"required":["b"]}`, `{"b":null}`},
		{"by reference", `{"$ref":"#/$defs/Q"}`, `{"limit":20}`},
		{"a tree, once", `{"$ref":"#/$defs/Tree"}`, `{"name":"","children":[]}`},
		{"the whole form within itself", `{"$ref":"#"}`, ""},
		{"keys as they are spelled", `{"type":"object","properties":{"a.b":{"type":"string"},"\u540d":{"type":"string"},"":{"type":"string"}}}`, `{"a.b":"","\u540d":"","":""}`},
		{"any value", `{}`, ""},
		{"another address", `{"$ref":"https://schemas.invalid/a"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse(json.RawMessage(`{"type":"object","$defs":{"Q":{"type":"object","properties":{"limit":{"type":"integer","default":20}}},`+
				`"Tree":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Tree"}}}}},"properties":{"x":`+c.schema+`}}`),
				Options{Purpose: Arguments}).NewDraft()
			got := d.Skeleton("/x")
			if got != "" && string(compact(json.RawMessage(got))) != c.want || got == "" && c.want != "" {
				t.Fatalf("skeleton %s, want %s", got, c.want)
			}
		})
	}
}

// TestSkeleton_IsIndented: it is there to be read.
func TestSkeleton_IsIndented(t *testing.T) {
	d := Parse(json.RawMessage(`{"properties":{"x":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}}}`), Options{Purpose: Arguments}).NewDraft()
	if got, want := d.Skeleton("/x"), "[\n  {\n    \"a\": \"\"\n  }\n]"; got != want {
		t.Errorf("got %s", got)
	}
	if got := d.Skeleton("/none"); got != "" {
		t.Errorf("of no field: %s", got)
	}
}

// TestSkeleton_IsOfInlineFieldsToo: members without a key of their own.
func TestSkeleton_IsOfInlineFieldsToo(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"object","properties":{"n":{"type":"integer"}}}}`:                   `{"":{"n":0}}`,
		`{"properties":{"a":{"type":"string"}},"additionalProperties":true}`:                                                                      `{}`,
		`{"properties":{"a":{"type":"string"}},"oneOf":[{"properties":{"b":{"type":"string"}}},{"properties":{"c":{"type":"string"}}}]}`:          `{"b":""}`,
		`{"properties":{"a":{"type":"string"}},"patternProperties":{"^x":{"type":"string"},"^y":{"type":"number"}},"additionalProperties":false}`: `{}`,
	} {
		d := Parse(json.RawMessage(schema), Options{Purpose: Arguments}).NewDraft()
		fields := d.Fields("")
		f := fields[len(fields)-1]
		if !f.Inline {
			t.Fatalf("%s: the last field is not inline", schema)
		}
		if got := string(compact(json.RawMessage(d.Skeleton(f.Path)))); got != want {
			t.Errorf("%s: skeleton %s, want %s", schema, got, want)
		}
	}
}

// TestSkeleton_IsBounded: a small schema can describe what is endless.
func TestSkeleton_IsBounded(t *testing.T) {
	wide := `{"type":"object","properties":{"a":{"$ref":"#/$defs/D"},"b":{"$ref":"#/$defs/D"}}}`
	defs := []string{`"D0":{"type":"object","properties":{"z":{"type":"string","default":"` + strings.Repeat("x", 4000) + `"}}}`}
	for i := 1; i < 20; i++ {
		refs := make([]string, 20)
		for j := range refs {
			refs[j] = fmt.Sprintf(`"p%d":{"$ref":"#/$defs/D%d"}`, j, i-1)
		}
		defs = append(defs, fmt.Sprintf(`"D%d":{"type":"object","properties":{%s}}`, i, strings.Join(refs, ",")))
	}
	for _, top := range []string{`{"$ref":"#/$defs/D3"}`, `{"$ref":"#/$defs/D19"}`, `{"type":"array","items":{"$ref":"#/$defs/D2"}}`, wide} {
		d := Parse(json.RawMessage(`{"$defs":{`+strings.Join(defs, ",")+`},"properties":{"x":`+top+`}}`), Options{Purpose: Arguments}).NewDraft()
		if got := d.Skeleton("/x"); len(got) > 4*maxSkeletonBytes || got != "" && !json.Valid([]byte(got)) {
			t.Errorf("%s: %d bytes", top, len(got))
		}
	}
}
