package forms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// argument is a random property of a tool's arguments.
func (g generator) argument(depth int) string {
	if depth == 0 || g.IntN(3) == 0 {
		p := g.property()
		if g.IntN(5) == 0 {
			return `{"anyOf":[` + p + `,{"type":"null"}]}`
		}
		return p
	}
	low, high := g.pair()
	items := g.maybe(fmt.Sprintf(`,"minItems":%d`, low%3)) + g.maybe(fmt.Sprintf(`,"maxItems":%d`, high%3+2)) + g.maybe(`,"uniqueItems":true`)
	switch g.IntN(7) {
	case 0:
		return g.object(depth-1, "")
	case 1:
		return `{"type":"array","items":` + g.argument(depth-1) + items + `}`
	case 2:
		return `{"type":"object","additionalProperties":` + g.argument(depth-1) + g.maybe(fmt.Sprintf(`,"minProperties":%d`, low%2)) +
			g.maybe(`,"propertyNames":{"maxLength":2}`) + `}`
	case 3:
		return `{"oneOf":[` + g.object(depth-1, `"kind":{"const":"a"}`) + `,` + g.object(depth-1, `"kind":{"const":"b"}`) + `,{"type":"integer"}]}`
	case 4:
		return `{"anyOf":[` + g.argument(depth-1) + `,` + g.argument(depth-1) + `]}`
	case 5:
		return g.of(`{"$ref":"#/$defs/T"}`, `{"type":["string","integer","null"]}`, `{}`, `{"type":"array","items":{"type":"boolean"}}`)
	}
	// In allOf, "additionalProperties" would not know of the other part.
	return `{"allOf":[` + strings.ReplaceAll(g.object(depth-1, ""), `,"additionalProperties":{"type":"integer"}`, "") + `,{"properties":{"extra":{"type":"string"}}}]}`
}

// object is a random object with a fixed member, if one is given.
func (g generator) object(depth int, fixed string) string {
	var properties, required []string
	if fixed != "" {
		properties, required = append(properties, fixed), append(required, `"kind"`)
	}
	for i := range g.IntN(4) {
		name := strconv.Quote(fmt.Sprintf("p%d", i))
		properties = append(properties, name+":"+g.argument(depth))
		if g.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	further := g.of(``, `,"additionalProperties":false`, `,"additionalProperties":{"type":"integer"}`)
	if fixed != "" || strings.Contains(further, "false") {
		further = `` // what allOf makes of it is another matter
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]` + further + `}`
}

// arguments is the random schema of a tool.
func (g generator) arguments() string {
	object := g.object(3, "")
	return `{"$defs":{"T":{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/T"}},"next":{"$ref":"#/$defs/T"}},"required":["v"]}},` + object[1:]
}

// act does something random to the fields below p.
func (g generator) act(d *Draft, fields []*Field, depth int) {
	for _, f := range fields {
		p := f.Path
		switch g.IntN(6) {
		case 0:
			continue
		case 1:
			d.Clear(p)
			continue
		case 2:
			d.SetNull(p)
			if d.Null(p) && g.IntN(2) == 0 {
				continue
			}
			d.UnsetNull(p)
		}
		g.zone(d, f)
		switch f.Kind {
		case Group:
			switch {
			case g.IntN(5) == 0:
				d.SetText(p, g.of(`{}`, `{"v":1}`, `{"p0":"a","kind":"a"}`, `{"v":`))
				continue
			case depth > 0 && g.IntN(3) > 0:
				d.Open(p)
			}
		case Rows, Map:
			for range g.IntN(3) {
				if e := d.Add(p); f.Kind == Map && g.IntN(4) > 0 {
					d.SetKey(e, g.of("a", "b", "cd", "名", "", "long"))
				}
			}
			if rows := d.Rows(p); len(rows) > 1 && g.IntN(2) == 0 {
				d.Move(rows[0], g.IntN(3))
				d.Remove(rows[g.IntN(len(rows))])
			}
		case Variant:
			for i := range f.Variants {
				d.Choose(p, i)
				g.act(d, d.Fields(p), depth-1)
			}
			d.Choose(p, g.IntN(len(f.Variants)+1)-1)
		case JSON:
			d.SetText(p, g.of(`{}`, `[1, 2]`, `"x"`, `{"v":1}`, `null`, `{"password":"x"}`))
		case Boolean:
			d.SetBool(p, g.IntN(2) == 0)
		case Choice:
			d.Pick(p, g.IntN(len(f.Options)))
		case Checklist:
			d.SetTicks(p, g.IntN(len(f.Options)), g.IntN(len(f.Options)))
		default:
			if f.Kind.Typed() {
				d.SetText(p, g.typed(f.Kind))
			}
		}
		if depth > 0 {
			g.act(d, d.Fields(p), depth-1)
		}
	}
}

// TestArgumentsAreValid: whatever is done to whatever form, the arguments that
// are sent validate as an independent implementation sees them, are the same
// from a draft that was stored and from one that was given them as a value, and
// field by field there was nothing that only the check of the whole found.
func TestArgumentsAreValid(t *testing.T) {
	g := newGenerator(11)
	sent, raw, kinds := 0, 0, map[Kind]int{}
	for range 800 {
		schema := g.arguments()
		form := parseStill(t, schema, Arguments)
		reference := newReference(t, schema)
		for range 3 {
			d := form.NewDraft()
			g.act(d, d.Fields(""), 6)
			content, errors := d.Content(Submit{ConfirmSecrets: true})
			for _, e := range errors {
				f := d.Field(e.Path)
				if e.Code == Refused && !strings.Contains(schema, `"oneOf"`) && !strings.Contains(schema, `"anyOf"`) && (f == nil || f.Kind != JSON && !d.Raw(f.Path)) {
					t.Fatalf("only the whole is refused: %s\nschema %s\ndraft %s", sentences(errors), schema, d.Save())
				}
				if e.Path != "" && f == nil {
					t.Fatalf("error at a field that is not there: %+v", e)
				}
			}
			saved := d.Save()
			back := form.NewDraft()
			if err := back.Restore(saved); err != nil {
				t.Fatalf("%v\nschema %s\nsaved %s", err, schema, saved)
			}
			if again, _ := back.Content(Submit{ConfirmSecrets: true}); !bytes.Equal(again, content) || !bytes.Equal(back.Save(), saved) {
				t.Fatalf("sent %s, after restoring %s\nschema %s\nsaved %s\nagain %s", content, again, schema, saved, back.Save())
			}
			if content == nil {
				continue
			}
			sent++
			countKinds(d, d.Fields(""), kinds)
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
			if err != nil {
				t.Fatalf("content %s: %v", content, err)
			}
			if err := reference.Validate(value); err != nil && len(d.Notes("")) == 0 {
				t.Fatalf("%v\nschema %s\ndraft %s\ncontent %s", err, schema, saved, content)
			}
			if n := anyRaw(d, d.Fields("")); n > 0 {
				raw += n
				continue // which may have members that no field is for
			}
			given := form.NewDraft()
			if errors := given.SetValue("", content); len(errors) > 0 {
				t.Fatalf("as a value: %s\nschema %s\ncontent %s", sentences(errors), schema, content)
			}
			if again, errors := given.Content(Submit{ConfirmSecrets: true}); valueKey(again) != valueKey(content) {
				t.Fatalf("sent %s, as a value %s %s\nschema %s", content, again, sentences(errors), schema)
			}
			preview, _ := d.Preview()
			if !json.Valid([]byte(preview)) {
				t.Fatalf("preview %s", preview)
			}
		}
	}
	for _, k := range []Kind{Group, Rows, Map, Variant, JSON} {
		if kinds[k] < 10 {
			t.Errorf("%d fields of kind %s in %d answers; the generator has lost its purpose", kinds[k], k, sent)
		}
	}
	if raw < 10 {
		t.Errorf("%d groups as raw JSON; the generator has lost its purpose", raw)
	}
	if sent < 350 {
		t.Errorf("only %d of 2400 drafts were sent; the generator has lost its purpose", sent)
	}
}

// anyRaw counts the groups that are answered with raw JSON.
func anyRaw(d *Draft, fields []*Field) (n int) {
	for _, f := range fields {
		if f.Kind == Group && d.Raw(f.Path) {
			n++
		}
		n += anyRaw(d, d.Fields(f.Path))
	}
	return n
}

func countKinds(d *Draft, fields []*Field, kinds map[Kind]int) {
	for _, f := range fields {
		kinds[f.Kind]++
		countKinds(d, d.Fields(f.Path), kinds)
	}
}
