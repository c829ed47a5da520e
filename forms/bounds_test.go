package forms

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTypesAreFew: of a list of made-up types only so many are kept as tell
// that no control fits.
func TestTypesAreFew(t *testing.T) {
	var names []string
	for i := range 200_000 {
		names = append(names, fmt.Sprintf(`"t%d"`, i))
	}
	raw := `"type":[` + strings.Join(names, ",") + `]`
	members := node{}
	members = with(members, "type", json.RawMessage(raw[len(`"type":`):]))
	if got := len(members.types()); got != maxTypes+1 {
		t.Errorf("%d types are kept, want %d", got, maxTypes+1)
	}
	if f := parseProperties(t, `"x":{`+raw+`}`); f.Fields[0].Kind != Unsupported {
		t.Errorf("kind %s", f.Fields[0].Kind)
	}
	all := `"x":{"type":["array","object","boolean","string","number","integer","null"]}`
	if f := parseProperties(t, all); f.Fields[0].Kind != Unsupported {
		t.Errorf("every type: kind %s", f.Fields[0].Kind)
	}
}

// TestItemLimitsBeyondTheOptions: more choices than there are different options
// cannot be asked for; the limit is named and does not apply.
func TestItemLimitsBeyondTheOptions(t *testing.T) {
	for _, c := range []struct {
		limits, problem string
		min             int
	}{
		{`"minItems":2`, "", 2},
		{`"minItems":3`, "The server asks for at least 3 choices, but offers 2 different options; the limit is ignored.", 0},
		{`"minItems":1e400`, "The server’s limit is more than anybody can enter and is ignored: minItems 1e400", 0},
		{`"minItems":1e99999999999999`, "The server gave a limit that cannot be used and is ignored: minItems 1e99999999999999", 0},
		{`"minItems":0e99999999999999`, "", 0},
		{`"maxItems":1e400`, "", 0},
		{`"maxItems":1e-400`, "The server gave a limit that cannot be used and is ignored: maxItems 1e-400", 0},
	} {
		f := parseProperties(t, `"k":{"type":"array","items":{"enum":["a","b","a"]},`+c.limits+`}`)
		if got := problemsOf(f, "k"); got != c.problem || f.Fields[0].Limits.MinItems != c.min {
			t.Errorf("%s: at least %d, says\n%s, want %d\n%s", c.limits, f.Fields[0].Limits.MinItems, got, c.min, c.problem)
		}
	}
}

// TestListsHaveAnEnd: a list of more entries than can be checked at every key
// is refused with the number allowed, as an answer and as a default.
func TestListsHaveAnEnd(t *testing.T) {
	f := parseProperties(t, `"l":{"type":"array","items":{"type":"string"},"default":[`+strings.Repeat(`"a",`, maxEntries)+`"a"]}`)
	if f.Fields[0].Default != nil || len(f.Fields[0].Problems) != 1 {
		t.Errorf("problems %v", f.Fields[0].Problems)
	}
	d := f.NewDraft()
	d.SetText("/l", strings.Repeat("a\n", maxEntries))
	if errors := d.Check(); len(errors) > 0 {
		t.Errorf("%d entries: %s", maxEntries, sentences(errors))
	}
	d.SetText("/l", strings.Repeat("a\n", maxEntries+1))
	if got := sentences(d.Check()); got != "l: Give at most 50000 entries (now 50001)." {
		t.Errorf("%d entries: %q", maxEntries+1, got)
	}
}

// TestListNotesAreFew: a thousand times in a list do not flood the window.
func TestListNotesAreFew(t *testing.T) {
	d := parseProperties(t, `"l":{"type":"array","items":{"type":"string","format":"date-time"}}`).NewDraft()
	d.SetText("/l", strings.Repeat("2026-07-04 10:00\n", 1000))
	if n := len(d.Notes("/l")); n != maxNotes {
		t.Errorf("%d notes, want %d", n, maxNotes)
	}
}

// TestEqualNumbersAreOneEntry: 1 and 1.0 are the same value, so a checklist
// sends one of them and a list of unique numbers holds one.
func TestEqualNumbersAreOneEntry(t *testing.T) {
	f := Parse(json.RawMessage(`{"type":"object","properties":{"k":{"type":"array","items":{"enum":[1,1.0,2]}},
		"l":{"type":"array","uniqueItems":true,"items":{"type":"number"}}}}`), Options{Purpose: Arguments})
	d := f.NewDraft()
	d.SetTicks("/k", 0, 1, 2)
	d.SetText("/l", "1\n10\n1.0")
	if got := sentences(d.Check()); got != "l: Lines 1 and 3 are the same; each may be given once." {
		t.Errorf("errors %q", got)
	}
	d.Clear("/l")
	if content, _ := d.Content(Submit{}); string(content) != `{"k":[1,2]}` {
		t.Errorf("sent %s", content)
	}
}

// TestReferencesThroughTheSame: references share what they pass, into arrays,
// through escapes and however deep.
func TestReferencesThroughTheSame(t *testing.T) {
	const deep = 2000
	schema := `{"type":"object","$defs":{"a/b":{"~":[{"type":"integer"},{"type":"boolean"}]},"deep":` +
		strings.Repeat(`{"d":`, deep) + `{"type":"string","format":"date"}` + strings.Repeat(`}`, deep) + `},"properties":{
		"i":{"$ref":"#/$defs/a~1b/~0/0"},"b":{"$ref":"#/%24defs/a~1b/~0/1"},"x":{"$ref":"#/$defs/a~1b/~0/2"},"y":{"$ref":"#/$defs/a~1b/~0/-"},
		"z":{"$ref":"#/$defs/none/0"},"d":{"$ref":"#/$defs/deep` + strings.Repeat("/d", deep) + `"}}}`
	want := []Kind{Integer, Boolean, Unsupported, Unsupported, Unsupported, Date}
	for i, field := range parseForm(t, schema).Fields {
		if field.Kind != want[i] {
			t.Errorf("%s is %s, want %s: %v", field.Name, field.Kind, want[i], field.Problems)
		}
	}
}

// TestWhatIsSentIsUTF8: bytes that are none in a schema or in acts, and lone
// surrogates within typed JSON, go out as JSON that everybody can read.
func TestWhatIsSentIsUTF8(t *testing.T) {
	f := Parse(json.RawMessage("{\"type\":\"object\",\"properties\":{\"\xff\":{\"enum\":[\"o\xfe\"],\"default\":\"o\xfe\"},\"j\":{\"default\":{\"\xff\":1}}}}"),
		Options{Purpose: Arguments})
	for acts, want := range map[string]string{
		`{}`:                           `{"\uFFFD":"o\uFFFD","j":{"\uFFFD":1}}`,
		"{\"j\":{\"a\":\"\xff\xfe\"}}": `{"\uFFFD":"o\uFFFD","j":{"a":"\uFFFD\uFFFD"}}`,
		`{"j":"[\"\ud800\"]"}`:         `{"\uFFFD":"o\uFFFD","j":["\ud800"]}`,
		`{"j":["\ud800"]}`:             `{"\uFFFD":"o\uFFFD","j":["\ud800"]}`,
	} {
		want = strings.ReplaceAll(want, `\uFFFD`, "\uFFFD")
		if content, errors := answerWith(t, f, acts); content != want {
			t.Errorf("%q: sent %q, want %q\n%s", acts, content, want, errors)
		}
	}
}

// TestHostileArguments: schemas made to cost much, as arguments of a tool: they
// are read, described and answered with what the bounds leave.
func TestHostileArguments(t *testing.T) {
	var parts, fields []string
	for i := range 60 {
		parts = append(parts, fmt.Sprintf(`{"type":"object","properties":{"a%d":{"$ref":"#/$defs/E"},"n":{"$ref":"#/$defs/E"}}}`, i))
	}
	deep := strings.Repeat(`{"n":`, 11) + `true` + strings.Repeat(`}`, 11)
	for i := range 100 {
		fields = append(fields, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/E","default":%s}`, i, deep))
	}
	var doubling []string
	for i := range 40 {
		doubling = append(doubling, fmt.Sprintf(`"d%d":{"oneOf":[{"$ref":"#/$defs/d%d"},{"type":"array","items":{"$ref":"#/$defs/d%d"}},{"type":"object","additionalProperties":{"$ref":"#/$defs/d%d"}}]}`, i, i+1, i+1, i+1))
	}
	rows := strings.TrimSuffix(strings.Repeat(`{"n":1},`, 3000), ",")
	base := `"k` + strings.Repeat("x", 1000) + `":{},"n":{}`
	for name, schema := range map[string]string{
		"alternatives in alternatives, with defaults that fit none": `{"type":"object","$defs":{"E":{"oneOf":[` + strings.Join(parts, ",") + `,{"type":"integer"}]}},"properties":{` + strings.Join(fields, ",") + `}}`,
		"references that double":                                    `{"type":"object","$defs":{` + strings.Join(doubling, ",") + `,"d40":{"type":"string"}},"properties":{"p":{"$ref":"#/$defs/d0"}}}`,
		"a default of very many rows":                               `{"type":"object","properties":{"p":{"type":"array","items":{"oneOf":[{"type":"boolean"},{"type":"object","properties":{"n":{"type":"integer"}}}]},"default":[` + rows + `]}}}`,
		"a thousand alternatives of a whole form":                   `{"type":"object","properties":{` + base + `},"oneOf":[` + strings.TrimSuffix(strings.Repeat(`{"properties":{"n":{"type":"string"}}},`, 1000), ",") + `]}`,
		"a thousand alternatives of one field":                      `{"type":"object","properties":{"p":{"oneOf":[` + strings.TrimSuffix(strings.Repeat(`{"type":"string"},{"type":"boolean"},`, 500), ",") + `]}}}`,
		"objects of very many members in a row":                     `{"type":"object","properties":{"p":{"type":"array","items":{"type":"object","properties":{` + manyProperties(1900) + `}}}}}`,
		"more members than a form may have fields":                  `{"type":"object","properties":{"q":{"type":"string"},"p":{"type":"object","properties":{` + manyProperties(maxFields+1) + `}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := Parse(json.RawMessage(schema), Options{Purpose: Arguments, Zone: time.UTC})
			if !f.Answerable() || !json.Valid(f.Describe(english)) {
				t.Errorf("answerable %t, problems %q", f.Answerable(), f.Sentences(english))
			}
			d := f.NewDraft()
			for range 20 {
				if d.Add("/p") == "" {
					break
				}
			}
			if content, errors := d.Content(Submit{}); content == nil {
				for _, e := range errors {
					if e.Code == Unanswerable {
						t.Errorf("errors %s", sentences(errors))
					}
				}
			}
		})
	}
}

func manyProperties(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"m%d":{"type":"integer"}`, i))
	}
	return strings.Join(list, ",")
}
