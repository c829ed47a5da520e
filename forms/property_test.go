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

	"parley/forms/rawjson"
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
type generator struct {
	*rand.Rand
	plain bool // no formats and no patterns
}

// newGenerator gives the same schemas and answers for the same seed.
func newGenerator(seed uint64) generator { return generator{Rand: rand.New(rand.NewPCG(seed, 1))} }

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
	shape := g.IntN(11)
	if shape > 8 { // of which there are four kinds
		shape = 1
	}
	if g.plain && (shape == 1 || shape == 2) {
		shape = 0
	}
	switch shape {
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
		g.zone(d, f)
	}
}

// zone chooses another time zone for some date-times.
func (g generator) zone(d *Draft, f *Field) {
	if !f.zoned() || g.IntN(3) > 0 {
		return
	}
	zone, err := time.LoadLocation(g.of("UTC", "Asia/Tokyo", "America/New_York", "Europe/Madrid", "Pacific/Apia"))
	if err == nil {
		d.SetZone(f.Path, zone)
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

// tally counts the fields of each kind that were sent, and those that were
// refused, so that no property holds because nothing was tried.
type tally map[Kind]*struct{ sent, refused int }

func (c tally) of(k Kind) *struct{ sent, refused int } {
	if c[k] == nil {
		c[k] = &struct{ sent, refused int }{}
	}
	return c[k]
}

// add counts the fields of d by what came of them.
func (c tally) add(d *Draft, content json.RawMessage, errors []FieldError) {
	for _, e := range errors {
		if f := d.Field(e.Path); f != nil {
			c.of(f.Kind).refused++
		}
	}
	members, _ := rawjson.Object(content)
	for _, f := range d.Form().Fields {
		if rawjson.Get(members, f.Name) != nil {
			c.of(f.Kind).sent++
		}
	}
}

// enough fails where one of these kinds was sent or refused too rarely.
func (c tally) enough(t *testing.T, least int, kinds ...Kind) {
	t.Helper()
	for _, k := range kinds {
		if n := c.of(k); n.sent < least || n.refused < least {
			t.Errorf("%s: %d sent and %d refused, want %d each; the generator has lost its purpose", k, n.sent, n.refused, least)
		}
	}
}

// TestContentIsValid: whenever Check is silent, Content validates against the
// schema, as an independent implementation sees it; and a draft that was
// stored and restored gives the same bytes.
func TestContentIsValid(t *testing.T) {
	g := newGenerator(3)
	counts := tally{}
	for range 2500 {
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
			saved := d.Save()
			back := form.NewDraft()
			if err := back.Restore(saved); err != nil {
				t.Fatal(err)
			}
			if again, _ := back.Content(Submit{}); !bytes.Equal(again, content) || !bytes.Equal(back.Save(), saved) {
				t.Fatalf("sent %s, after restoring %s; saved %s, then %s", content, again, saved, back.Save())
			}
			counts.add(d, content, errors)
			if content == nil {
				continue
			}
			if err := reference.Validate(instance(t, content)); err != nil {
				t.Fatalf("%v\nschema %s\ndraft %s\ncontent %s", err, schema, saved, content)
			}
		}
	}
	counts.enough(t, 150, Text, Email, URI, Date, DateTime, Integer, Number, Boolean, Choice, Checklist)
}

// instance is a value as the reference reads it.
func instance(t *testing.T, value json.RawMessage) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return v
}

// TestNoValidDraftIsRefused: the reverse, for schemas without formats, patterns
// or secrets. Where Check speaks, the reference refuses what was entered as
// well: the fields that are right with what they send, the others as entered.
func TestNoValidDraftIsRefused(t *testing.T) {
	g := newGenerator(7)
	g.plain = true
	counts := tally{}
	silent := 0
	for range 1500 {
		schema := g.schema()
		form := parseStill(t, schema, Elicitation)
		reference := newReference(t, schema)
		for range 4 {
			d := form.NewDraft()
			g.fill(d)
			entered, ok := asEntered(d)
			if !ok {
				continue // what is no number at all has no value to ask about
			}
			errors := d.Check()
			valid := reference.Validate(instance(t, entered)) == nil
			if valid && len(errors) > 0 {
				t.Fatalf("refused, and valid: %s\nschema %s\ndraft %s\n%s", entered, schema, d.Save(), sentences(errors))
			}
			if valid {
				silent++
			}
			content, _ := d.Content(Submit{})
			counts.add(d, content, errors)
		}
	}
	if silent < 600 {
		t.Errorf("%d drafts were valid; the generator has lost its purpose", silent)
	}
	counts.enough(t, 150, Text, Integer, Number, Boolean, Choice, Checklist)
}

// asEntered is the object of what stands in the fields of d, right or wrong. ok
// is false where something that is no number is typed as one.
func asEntered(d *Draft) (object json.RawMessage, ok bool) {
	var w objectWriter
	for _, f := range d.Form().Fields {
		o, a := d.outcome(f), d.effective(f)
		switch {
		case len(o.errors) == 0 && o.value == nil, len(o.errors) > 0 && a.state != Answered && f.Kind != Text:
		case len(o.errors) == 0:
			w.putRaw(f.Key, o.value)
		case f.Kind == Checklist:
			var values []json.RawMessage
			for _, i := range a.picks {
				values = append(values, f.Options[i].Raw)
			}
			w.putRaw(f.Key, joinArray(values))
		case f.Kind == Text:
			w.putRaw(f.Key, rawjson.Quote(a.text))
		case json.Valid([]byte(a.text)):
			w.putRaw(f.Key, json.RawMessage(a.text))
		default:
			return nil, false
		}
	}
	return w.end(), true
}

// TestNoValidAnswerIsRefused: a value that the reference accepts, done by acts
// or put in as it is, is sent unchanged; one that it refuses is not sent.
func TestNoValidAnswerIsRefused(t *testing.T) {
	g := newGenerator(5)
	g.plain = true
	counts := tally{}
	for range 8000 {
		property := g.property()
		form := parseProperties(t, `"p":`+property, "p")
		reference := newReference(t, property)
		value := g.of(`""`, `"a"`, `"ab"`, `"abcd"`, `"陈🎉"`, `0`, `1`, `3`, `-7.5`, `2.5`, `true`, `false`, `[]`, `["a"]`, `["a","b"]`, `["b","c"]`)
		kind := form.Fields[0].Kind
		if reference.Validate(instance(t, json.RawMessage(value))) != nil {
			given := form.NewDraft()
			refused := len(given.SetValue("", json.RawMessage(`{"p":`+value+`}`))) > 0
			if content, _ := given.Content(Submit{}); !refused && content != nil {
				t.Fatalf("%s takes %s: sent %s", property, value, content)
			}
			counts.of(kind).refused++
			continue
		}
		counts.of(kind).sent++
		content, errors := answerWith(t, form, `{"p":`+value+`}`)
		if content != `{"p":`+value+`}` {
			t.Fatalf("%s refuses or changes %s: sent %s\n%s", property, value, content, errors)
		}
		given := form.NewDraft()
		if errors := given.SetValue("", json.RawMessage(content)); len(errors) > 0 {
			t.Fatalf("%s: as a value %s: %s", property, value, sentences(errors))
		}
		if again, errors := given.Content(Submit{}); string(again) != content {
			t.Fatalf("%s: as a value %s: sent %s %s", property, value, again, sentences(errors))
		}
	}
	counts.enough(t, 50, Text, Integer, Number, Boolean, Choice, Checklist)
}
