package forms

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFinalCheck: what no field shows is found at the end, and said at the
// field where it is.
func TestFinalCheck(t *testing.T) {
	const ab = `"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}`
	for _, c := range []struct{ rule, schema, value, errors string }{
		{"dependentRequired", `{` + ab + `,"dependentRequired":{"a":["b"]}}`, `{"a":"x"}`, ": With “a” the server also requires this: b"},
		{"if and then", `{` + ab + `,"if":{"properties":{"a":{"const":"x"}},"required":["a"]},"then":{"required":["b"]}}`, `{"a":"x"}`, "b: This is required."},
		{"not", `{` + ab + `,"not":{"required":["a","b"]}}`, `{"a":"x","b":1}`, ": The server does not allow these values together."},
		{"minProperties", `{` + ab + `,"minProperties":2}`, `{"a":"x"}`, ": Fill in at least 2 fields (now 1)."},
		{"contains", `{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"},"contains":{"const":1}}}}`, `{"l":[2]}`, "l: The server asks for an entry here that is not there."},
		{"a format that is text in the form", `{"type":"object","properties":{"a":{"type":"string","format":"uuid"}}}`, `{"a":"no uuid"}`, "a: This is not written in the way that the server asks for (uuid)."},
		{"an IDN address is one", `{"type":"object","properties":{"a":{"type":"string","format":"email"}}}`, `{"a":"李@例子.中国"}`, ""},
		{"a tuple", `{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string","minLength":2}]}}}`, `{"t":[1,"x"]}`, "t: At /1: At least 2 characters are needed (now 1)."},
		{"raw JSON, deep", `{"type":"object","properties":{"j":{"type":"object","properties":{},"patternProperties":{"^a":{"type":"integer"},"^b":{"type":"string"}}}}}`, `{"j":{"a1":"x"}}`, "j: At /a1: The server asks for another kind of value here: integer"},
		{"oneOf that two fit", `{"type":"object","properties":{"v":{"oneOf":[{"type":"integer"},{"type":"number","minimum":3}]}}}`, `{"v":4}`, "v: This fits more than one of the kinds of value that the server describes, and it allows only one."},
		{"in a row", `{"type":"object","properties":{"r":{"type":"array","items":{` + ab + `,"dependentRequired":{"a":["b"]}}}}}`, `{"r":[{"b":1},{"a":"x"}]}`, "r/1: With “a” the server also requires this: b"},
		{"a field of a row", `{"type":"object","properties":{"r":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","format":"ipv4"}}}}}}`, `{"r":[{"a":"127.0.0.1"},{"a":"x"}]}`, "r/1/a: This is not written in the way that the server asks for (ipv4)."},
		{"in a map", `{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string","format":"ipv4"}}}}`, `{"m":{"k":"x"}}`, "m/k: This is not written in the way that the server asks for (ipv4)."},
		{"in an alternative", `{"type":"object","properties":{"v":{"anyOf":[{"type":"object","properties":{"a":{"type":"string","format":"ipv4"}},"required":["a"]},{"type":"integer"}]}}}`, `{"v":{"a":"x"}}`, "v/a: This is not written in the way that the server asks for (ipv4)."},
		{"a draft 7 schema", `{"$schema":"http://json-schema.org/draft-07/schema#",` + ab + `,"dependencies":{"a":["b"]}}`, `{"a":"x"}`, ": With “a” the server also requires this: b"},
		{"a draft 7 tuple without a draft", `{"type":"object","properties":{"t":{"type":"array","items":[{"type":"integer"}],"additionalItems":false}}}`, `{"t":[1,2]}`, "t: The server’s rules refuse this (additionalItems)."},
		{"a draft nobody knows", `{"$schema":"https://schemas.example/own",` + ab + `,"dependentRequired":{"a":["b"]}}`, `{"a":"x"}`, ": With “a” the server also requires this: b"},
		{"numbers are exact", `{"type":"object","properties":{"n":{"anyOf":[{"type":"integer"},{"type":"boolean"}]}},"not":{"properties":{"n":{"const":9007199254740992}},"required":["n"]}}`, `{"n":9007199254740993}`, ""},
		{"an id of its own", `{"$id":"https://schemas.example/a","type":"object","$defs":{"x":{"type":"string","format":"ipv4"}},"properties":{"a":{"$ref":"https://schemas.example/a#/$defs/x"}}}`, `{"a":"x"}`, "a: This is not written in the way that the server asks for (ipv4)."},
	} {
		t.Run(c.rule, func(t *testing.T) {
			d := parseArguments(t, c.schema).NewDraft()
			if errors := d.SetValue("", json.RawMessage(c.value)); len(errors) > 0 {
				t.Fatal(sentences(errors))
			}
			if notes := d.Notes(""); len(notes) > 0 {
				t.Errorf("not checked: %s", english.Text(notes[0]))
			}
			errors := d.Check()
			if got := sentences(errors); got != c.errors {
				t.Fatalf("%s: errors\n%s, want\n%s", c.value, got, c.errors)
			}
			content, _ := d.Content(Submit{})
			if len(errors) == 0 {
				if string(content) != c.value {
					t.Errorf("sent %s, want %s", content, c.value)
				}
				return
			}
			if content != nil || errors[0].Code != Refused {
				t.Errorf("sent %s, errors %+v", content, errors)
			}
			if errors[0].Path == "" {
				return
			}
			if e := d.CheckField(errors[0].Path); e == nil || e.Code != Refused {
				t.Errorf("the field says %+v", e)
			}
			d.Reset("/none")
			d.Clear(d.Fields("")[0].Path)
			if e := d.CheckField(errors[0].Path); e != nil && e.Code == Refused {
				t.Errorf("after a change the field still says %+v", e)
			}
		})
	}
}

// TestFinalCheckIsNoObstacle: what cannot be compiled or is too much to check is
// a note, and the arguments go out.
func TestFinalCheckIsNoObstacle(t *testing.T) {
	deep := strings.Repeat(`[`, 2*maxFinalDepth) + strings.Repeat(`]`, 2*maxFinalDepth)
	endless := `{"type":"object","$defs":{"T":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/T"}},{"type":"array","items":{"$ref":"#/$defs/T"}},{"type":"array","items":{"$ref":"#/$defs/T"},"minItems":0}]}},"properties":{"j":{"allOf":[{"$ref":"#/$defs/T"},{"type":"array"}]}}}`
	many := make([]string, 50_000)
	for i := range many {
		many[i] = `"option number ` + strings.Repeat("x", i%7) + `"`
	}
	for _, c := range []struct{ rule, schema, value string }{
		{"a schema that is none", `{"type":"object","properties":{"j":{"minLength":"three"}}}`, `{"j":"x"}`},
		{"a $ref to the network", `{"type":"object","properties":{"j":{"$ref":"https://schemas.example/a.json"}}}`, `{"j":{"x":1}}`},
		{"a $ref to a file", `{"type":"object","properties":{"j":{"$ref":"file:///etc/passwd"}}}`, `{"j":{"x":1}}`},
		{"a $ref to nowhere", `{"type":"object","properties":{"j":{"$ref":"#/$defs/none"}}}`, `{"j":{"x":1}}`},
		{"numbers that cannot be computed with", `{"type":"object","properties":{"j":{"multipleOf":1e-999999999}}}`, `{"j":1}`},
		{"numbers that cannot be computed with, typed", `{"type":"object","properties":{"j":{}}}`, `{"j":1e999999999}`},
		{"JSON that is too deep", `{"type":"object","properties":{"j":{}}}`, `{"j":` + deep + `}`},
		{"a large schema", `{"type":"object","description":"` + strings.Repeat("x", maxFinalBytes) + `","properties":{"j":{}}}`, `{"j":1}`},
		{"a large value", `{"type":"object","properties":{"j":{}}}`, `{"j":"` + strings.Repeat("x", maxFinalBytes) + `"}`},
		{"a schema without end", endless, `{"j":` + strings.Repeat(`[`, 20) + `1` + strings.Repeat(`]`, 20) + `}`},
		{"very many options", `{"type":"object","properties":{"j":{"type":"array","items":{"not":{"enum":[` + strings.Join(many, ",") + `]}}}}}`, `{"j":[` + strings.Repeat(`0,`, 1000) + `0]}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			d := parseArguments(t, c.schema).NewDraft()
			if errors := d.SetValue("", json.RawMessage(c.value)); len(errors) > 0 {
				d.SetText("/j", c.value[5:len(c.value)-1])
			}
			content, errors := d.Content(Submit{})
			if string(content) != c.value {
				t.Errorf("sent %d bytes, %s", len(content), sentences(errors))
			}
			if notes := d.Notes(""); len(notes) != 1 || notes[0].ID != "forms.note.unchecked" {
				t.Errorf("notes %v", notes)
			}
		})
	}
}

// TestFinalCheckOfPatterns: those that cannot be checked or run away refuse
// nothing, in the whole as in a field.
func TestFinalCheckOfPatterns(t *testing.T) {
	d := parseArguments(t, `{"type":"object","properties":{"j":{"not":{"type":"integer"},"pattern":"(["},"k":{"patternProperties":{"^(a+)+$":{"type":"string"},"b":{"type":"string"}},"type":"object"}}}`).NewDraft()
	value := `{"j":"x","k":{"` + strings.Repeat("a", 40) + `!":"y"}}`
	if errors := d.SetValue("", json.RawMessage(value)); len(errors) > 0 {
		t.Fatal(sentences(errors))
	}
	if content, errors := d.Content(Submit{}); string(content) != value {
		t.Errorf("sent %s %s", content, sentences(errors))
	}
}

// TestNoReferenceIsFetched: neither at the form nor at the check does a
// schema make a request or read a file, whichever keyword names the address.
func TestNoReferenceIsFetched(t *testing.T) {
	asked := make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(file, []byte(`{"type":"integer"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{server.URL + "/a.json", server.URL + "/a.json#/x", "file://" + file, file} {
		raw, err := json.Marshal(address)
		if err != nil {
			t.Fatal(err)
		}
		for _, keyword := range []string{"$ref", "$schema", "$dynamicRef", "$recursiveRef", "$id"} {
			for _, schema := range []string{
				`{"type":"object","properties":{"a":{"` + keyword + `":` + string(raw) + `}}}`,
				`{"` + keyword + `":` + string(raw) + `,"type":"object","properties":{"a":{"$ref":"b.json"}}}`,
			} {
				for _, purpose := range []Purpose{Elicitation, Arguments} {
					d := Parse(json.RawMessage(schema), Options{Purpose: purpose, Zone: time.UTC}).NewDraft()
					d.SetText("/a", `"text"`)
					if content, errors := d.Content(Submit{}); purpose == Arguments && string(content) != `{"a":"text"}` && d.Form().Answerable() {
						t.Errorf("%s: sent %s %s", schema, content, sentences(errors))
					}
				}
			}
		}
	}
	select {
	case path := <-asked:
		t.Errorf("a reference was fetched: %s", path)
	default:
	}
}
