package forms

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestB79_TreesOpenOneByOne: a schema that describes itself is opened as far as
// the person goes, and raw JSON beyond a depth.
func TestB79_TreesOpenOneByOne(t *testing.T) {
	d := parseArguments(t, treeSchema).NewDraft()
	if content, errors := d.Content(Submit{}); string(content) != `{}` {
		t.Errorf("untouched: %s %s", content, sentences(errors))
	}
	if f := d.Field("/p/next"); f.Kind != Group || !f.Closed || d.Opened("/p/next") || len(d.Fields("/p/next")) != 0 {
		t.Errorf("closed: %+v", f)
	}
	d.Open("/p/next")
	d.SetText("/p/next/v", "two")
	row := d.Add("/p/next/kids")
	d.SetText(row+"/v", "kid")
	if f := d.Field(row + "/next"); f == nil || !f.Closed {
		t.Errorf("in an entry: %+v", f)
	}
	if content, errors := d.Content(Submit{}); string(content) != `{"p":{"next":{"v":"two","kids":[{"v":"kid"}]}}}` {
		t.Errorf("sent %s %s", content, sentences(errors))
	}
	saved := d.Save()
	back := d.Form().NewDraft()
	if err := back.Restore(saved); err != nil || string(back.Save()) != string(saved) {
		t.Errorf("%v: restored %s, saved %s", err, back.Save(), saved)
	}
	d.Reset("/p/next")
	if f := d.Field("/p/next"); !f.Closed || d.Field("/p/next/v") != nil || d.Touched() {
		t.Errorf("closed again: %+v, draft %s", f, d.Save())
	}
	p := Path("/p")
	depth := 0
	for {
		p += "/next"
		d.Open(p)
		f := d.Field(p)
		if f.Kind == JSON {
			d.SetText(p, `{"v":"deep"}`)
			break
		}
		if depth++; depth > maxPathParts {
			t.Fatal("a tree has no end")
		}
	}
	content, errors := d.Content(Submit{})
	if len(errors) > 0 || !strings.Contains(string(content), `{"v":"deep"}`) || depth < 5 {
		t.Errorf("opened %d deep, sent %s %s", depth, content, sentences(errors))
	}
}

// TestB79_OtherWaysToBeEndless: through the root, through alternatives, through
// maps, through arrays of arrays.
func TestB79_OtherWaysToBeEndless(t *testing.T) {
	for _, c := range []struct{ schema, acts string }{
		{`{"type":"object","properties":{"v":{"type":"string"},"next":{"$ref":"#"}}}`, `{"v":"1","next":{"v":"2","next":{"v":"3"}}}`},
		{`{"type":"object","$defs":{"E":{"oneOf":[{"type":"integer"},{"type":"object","properties":{"op":{"const":"+"},"l":{"$ref":"#/$defs/E"},"r":{"$ref":"#/$defs/E"}},"required":["op","l","r"]}]}},"properties":{"e":{"$ref":"#/$defs/E"}}}`,
			`{"e":{"op":"+","l":1,"r":{"op":"+","l":2,"r":3}}}`},
		{`{"type":"object","$defs":{"M":{"type":"object","additionalProperties":{"$ref":"#/$defs/M"}}},"properties":{"m":{"$ref":"#/$defs/M"}}}`, `{"m":{"a":{"b":{"c":{}}}}}`},
		{`{"type":"object","$defs":{"A":{"type":"array","items":{"$ref":"#/$defs/A"}}},"properties":{"a":{"$ref":"#/$defs/A"}}}`, `{"a":[[],[[],[[]]]]}`},
		{`{"type":"object","$defs":{"J":{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/J"}},{"type":"object","additionalProperties":{"$ref":"#/$defs/J"}}]}},"properties":{"j":{"$ref":"#/$defs/J"}}}`,
			`{"j":{"a":["x",{"b":[["y"]]}]}}`},
	} {
		f := parseArguments(t, c.schema)
		d := f.NewDraft()
		if errors := d.SetValue("", json.RawMessage(c.acts)); len(errors) > 0 {
			t.Errorf("%s: %s", c.schema, sentences(errors))
			continue
		}
		if content, errors := d.Content(Submit{}); string(content) != c.acts {
			t.Errorf("%s:\nsent %s, want %s\n%s", c.schema, content, c.acts, sentences(errors))
		}
	}
}

// TestDraftBounds: what a draft can be made to hold has an end, beyond which
// there is raw JSON.
func TestDraftBounds(t *testing.T) {
	d := argument(t, `{"type":"array","items":{"type":"boolean"}}`, false).NewDraft()
	many := `[` + strings.Repeat(`true,`, maxFormEntries) + `false]`
	if errors := d.Apply(json.RawMessage(`{"p":` + many + `}`)); len(errors) > 0 {
		t.Fatal(sentences(errors))
	}
	if content, _ := d.Content(Submit{}); string(content) != `{"p":`+many+`}` || len(d.Rows("/p")) != 0 || d.Text("/p") != many || d.Text("/p/x") != "" {
		t.Errorf("%d bytes sent, %d rows", len(content), len(d.Rows("/p")))
	}
	d.Clear("/p")
	for range maxFormEntries {
		if d.Add("/p") == "" {
			t.Fatal("no more entries")
		}
	}
	if p := d.Add("/p"); p != "" {
		t.Errorf("one more: %s", p)
	}
	deep := d.Form().NewDraft()
	if f := deep.Field(Path(strings.Repeat("/1", 100_000))); f != nil {
		t.Errorf("found %+v", f)
	}
}

// TestManyAlternativesInOneAnother: a value that fits nothing is given up in
// bounded time.
func TestManyAlternativesInOneAnother(t *testing.T) {
	var parts []string
	for i := range 8 {
		parts = append(parts, fmt.Sprintf(`{"type":"object","properties":{"k%d":{"type":"string"},"n":{"$ref":"#/$defs/E"}}}`, i))
	}
	f := Parse(json.RawMessage(`{"type":"object","$defs":{"E":{"oneOf":[`+strings.Join(parts, ",")+`,{"type":"integer"}]}},"properties":{"p":{"$ref":"#/$defs/E"}}}`),
		Options{Purpose: Arguments, Zone: time.UTC})
	value := strings.Repeat(`{"n":`, 10) + `true` + strings.Repeat(`}`, 10)
	d := f.NewDraft()
	errors := d.Apply(json.RawMessage(`{"p":` + value + `}`))
	if content, _ := d.Content(Submit{}); len(errors) == 0 && content != nil && string(content) != `{"p":`+value+`}` {
		t.Errorf("sent %s", content)
	}
}
