package forms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The reference for what is valid is an implementation of JSON Schema that is
// not ours, with our engine for patterns, since the default one of Go is not
// ECMAScript.

type referenceRegexp struct{ *regexp2.Regexp }

func (r referenceRegexp) MatchString(s string) bool {
	ok, err := r.Regexp.MatchString(s)
	return ok && err == nil
}

func newReference(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) {
		re, err := regexp2.Compile(s, regexp2.ECMAScript|regexp2.Unicode)
		return referenceRegexp{re}, err
	})
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	return s
}

// generator makes random schemas of the specification and random answers.
type generator struct{ *rand.Rand }

func (g generator) of(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g generator) maybe(s string) string {
	if g.IntN(2) == 0 {
		return ""
	}
	return s
}

// pair is a lower and a higher small number.
func (g generator) pair() (low, high int) {
	low = g.IntN(5)
	return low, low + g.IntN(5)
}

// property is one random property of the restricted schema.
func (g generator) property() string {
	low, high := g.pair()
	title := g.maybe(`,"title":"T"`) + g.maybe(`,"description":"D"`)
	switch g.IntN(9) {
	case 0:
		return `{"type":"string"` + title + g.maybe(fmt.Sprintf(`,"minLength":%d`, low)) + g.maybe(fmt.Sprintf(`,"maxLength":%d`, high)) +
			g.maybe(`,"default":`+g.of(`""`, `"ab"`, `"陈🎉"`, `"long enough"`, `5`)) + `}`
	case 1:
		return `{"type":"string"` + title + `,"format":"` + g.of("email", "uri", "date", "date-time") + `"` +
			g.maybe(`,"default":`+g.of(`"a@b.cn"`, `"https://b.cn/"`, `"2026-03-04"`, `"2026-03-04T10:00:00Z"`, `""`)) + `}`
	case 2:
		return `{"type":"string"` + title + `,"pattern":"` + g.of(`^[a-z]+$`, `^(?=.*[0-9]).{2,}$`, `b`, `^\\p{L}*$`) + `"}`
	case 3, 4:
		return `{"type":"` + g.of("integer", "number") + `"` + title + g.maybe(fmt.Sprintf(`,"minimum":%s`, g.of(strconv.Itoa(low), "-7.5", "0.1"))) +
			g.maybe(fmt.Sprintf(`,"maximum":%d`, high+1)) + g.maybe(`,"default":`+g.of("0", "3", "1.0", "2.5", "1e1", `"3"`)) + `}`
	case 5:
		return `{"type":"boolean"` + title + g.maybe(`,"default":`+g.of("true", "false", `"true"`)) + `}`
	case 6:
		return `{"type":"string"` + title + `,"enum":["a","b",""]` + g.maybe(`,"enumNames":["A","B"]`) + g.maybe(`,"default":`+g.of(`"a"`, `""`, `"z"`)) + `}`
	case 7:
		return `{"type":"string"` + title + `,"oneOf":[{"const":"a","title":"A"},{"const":"b","title":"A"}]` + g.maybe(`,"default":`+g.of(`"a"`, `"z"`)) + `}`
	}
	return `{"type":"array"` + title + g.maybe(fmt.Sprintf(`,"minItems":%d`, low%3)) + g.maybe(fmt.Sprintf(`,"maxItems":%d`, low%3+1)) +
		`,"items":` + g.of(`{"type":"string","enum":["a","b","c"]}`, `{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}`) +
		g.maybe(`,"default":`+g.of(`[]`, `["b"]`, `["b","a"]`, `["z"]`, `"a"`)) + `}`
}

// schema is a random requestedSchema.
func (g generator) schema() string {
	var properties, required []string
	for i := range g.IntN(6) {
		name := strconv.Quote(fmt.Sprintf("p%d", i))
		properties = append(properties, name+":"+g.property())
		if g.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]}`
}

// fill does something random to some fields.
func (g generator) fill(d *Draft) {
	for _, f := range d.Form().Fields {
		switch p := f.Path; g.IntN(4) {
		case 0:
		case 1:
			d.Clear(p)
		default:
			switch f.Kind {
			case Boolean:
				d.SetBool(p, g.IntN(2) == 0)
			case Choice:
				d.Pick(p, g.IntN(len(f.Options)))
			case Checklist:
				for i := range f.Options {
					d.Tick(p, i, g.IntN(2) == 0)
				}
			default:
				d.SetText(p, g.typed(f.Kind))
			}
		}
	}
}

func (g generator) typed(k Kind) string {
	switch {
	case g.IntN(5) == 0:
		return g.of("", " ", "x", "1,5", "ab1", "陈", "https://a b")
	case k == Email:
		return g.of("name@example.com", " a@b.cn ", "a@b", "o'neil+x@a-b.example")
	case k == URI:
		return g.of("https://example.com/a?b=c#d", "mailto:a@b.cn", "urn:x:y", "example.com", "http://[::1]:80/")
	case k == Date:
		return g.of("2026-02-28", "2026-02-29", "2024-02-29", "15 June 2026", "2026年6月15日", "0001-01-01")
	case k == DateTime:
		return g.of("2026-03-04 10:00", "2026-03-29 02:30", "2026-10-25 02:30", "2026-03-04T10:00:00.5Z", "1850-01-01 00:00", "2016-12-31T23:59:60Z")
	case k == Integer || k == Number:
		return g.of("0", "-0", "3", "+5", "007", "９", "1.0", "1e1", "2.5", "-7.5", ".5", "0.1", "1e3", "9007199254740993")
	}
	return g.of("a", "ab", "abc1", "a1", "陈🎉", "0123456789", "\u2028\"\\")
}

// parseStill parses a schema under a clock that stands still, so that no
// pattern runs out of its time because the machine has other things to do.
func parseStill(t testing.TB, schema string, purpose Purpose) *Form {
	t.Helper()
	return Parse(json.RawMessage(schema), Options{Purpose: purpose, Zone: madrid(t), now: func() time.Time { return time.Unix(0, 0) }})
}

// TestContentIsValid: whenever Check is silent, Content validates against the
// schema, as an independent implementation sees it; and a draft that was
// stored and restored gives the same bytes.
func TestContentIsValid(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	sent := 0
	for range 2000 {
		schema := g.schema()
		form := parseStill(t, schema, Elicitation)
		reference := newReference(t, schema)
		for range 4 {
			d := form.NewDraft()
			g.fill(d)
			content, errors := d.Content(Submit{})
			if (len(d.Check()) == 0) != (content != nil) {
				t.Fatalf("check %s, content %s, errors %s", sentences(d.Check()), content, sentences(errors))
			}
			back := form.NewDraft()
			if err := back.Restore(d.Save()); err != nil {
				t.Fatal(err)
			}
			if again, _ := back.Content(Submit{}); !bytes.Equal(again, content) {
				t.Fatalf("sent %s, after restoring %s", content, again)
			}
			if content == nil {
				continue
			}
			sent++
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
			if err != nil {
				t.Fatalf("content %s: %v", content, err)
			}
			if err := reference.Validate(value); err != nil {
				t.Fatalf("%v\nschema %s\ndraft %s\ncontent %s", err, schema, d.Save(), content)
			}
		}
	}
	if sent < 2000 {
		t.Errorf("only %d of 8000 drafts were sent; the generator has lost its purpose", sent)
	}
}

// TestNoValidAnswerIsRefused: the reverse, for schemas without formats,
// patterns or secrets. A value that the reference accepts, done by acts, is
// sent unchanged.
func TestNoValidAnswerIsRefused(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(5, 6))}
	accepted := 0
	for range 8000 {
		property := g.property()
		if strings.Contains(property, `"format"`) || strings.Contains(property, `"pattern"`) {
			continue
		}
		form := parseProperties(t, `"p":`+property, "p")
		reference := newReference(t, property)
		value := g.of(`""`, `"a"`, `"ab"`, `"abcd"`, `"陈🎉"`, `0`, `1`, `3`, `-7.5`, `2.5`, `true`, `false`, `[]`, `["a"]`, `["a","b"]`, `["b","c"]`)
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
		if err != nil {
			t.Fatal(err)
		}
		if reference.Validate(instance) != nil {
			continue
		}
		accepted++
		content, errors := answerWith(t, form, `{"p":`+value+`}`)
		if content != `{"p":`+value+`}` {
			t.Fatalf("%s refuses or changes %s: sent %s\n%s", property, value, content, errors)
		}
	}
	if accepted < 500 {
		t.Errorf("only %d values were valid; the generator has lost its purpose", accepted)
	}
}
