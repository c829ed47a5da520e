package forms

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestCheckWithin_SaysWhatIsWrongInAFieldWhenItIsLeft: all of it, and nothing
// of other fields.
func TestCheckWithin_SaysWhatIsWrongInAFieldWhenItIsLeft(t *testing.T) {
	const schema = `{"type":"object","required":["other"],"properties":{"other":{"type":"string","minLength":1},
		"rows":{"type":"array","uniqueItems":true,"items":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}},"required":["n"]}},
		"map":{"type":"object","additionalProperties":{"type":"object","properties":{"n":{"type":"integer"}}}},
		"group":{"type":"object","properties":{"n":{"type":"integer"},"m":{"type":"integer"}},"required":["n"]},
		"shape":{"anyOf":[{"type":"object","properties":{"r":{"type":"integer"}}},{"type":"boolean"}]}}}`
	type wrong struct {
		path Path
		id   string
	}
	for _, c := range []struct {
		name string
		do   func(d *Draft) Path // returns what to check
		want []wrong
	}{
		{"nothing", func(d *Draft) Path { return "/rows" }, nil},
		{"a row without what it needs", func(d *Draft) Path { return d.Add("/rows") },
			[]wrong{{"/rows/1/n", "forms.error.required"}}},
		{"a row that equals another", func(d *Draft) Path {
			a, b := d.Add("/rows"), d.Add("/rows")
			d.SetText(a+"/n", "1")
			d.SetText(b+"/n", "1.0")
			return b
		}, []wrong{{"/rows/2", "forms.error.rowTwice"}}},
		{"the first of two equal rows", func(d *Draft) Path {
			a, b := d.Add("/rows"), d.Add("/rows")
			d.SetText(a+"/n", "1")
			d.SetText(b+"/n", "1")
			return a
		}, nil},
		{"all rows", func(d *Draft) Path {
			d.SetText(d.Add("/rows")+"/n", "x")
			d.SetText(d.Add("/rows")+"/n", "1.5")
			return "/rows"
		}, []wrong{{"/rows/1/n", "forms.error.integer"}, {"/rows/2/n", "forms.error.notWhole"}}},
		{"an entry without a key", func(d *Draft) Path { return d.Add("/map") }, []wrong{{"/map/1", "forms.error.keyMissing"}}},
		{"an entry with the key of another, and a wrong number", func(d *Draft) Path {
			a, b := d.Add("/map"), d.Add("/map")
			d.SetKey(a, "k")
			d.SetKey(b, "k")
			d.SetText(b+"/n", "x")
			return b
		}, []wrong{{"/map/2/n", "forms.error.integer"}, {"/map/2", "forms.error.keyTwice"}}},
		{"a group that is left out", func(d *Draft) Path { return "/group" }, nil},
		{"a group that was opened", func(d *Draft) Path { d.Open("/group"); return "/group" }, []wrong{{"/group/n", "forms.error.required"}}},
		{"a field of a group", func(d *Draft) Path { d.SetText("/group/m", "x"); return "/group/m" }, []wrong{{"/group/m", "forms.error.integer"}}},
		{"the alternative that is chosen", func(d *Draft) Path {
			d.Choose("/shape", 0)
			d.SetText("/shape/0/r", "x")
			return "/shape"
		}, []wrong{{"/shape/0/r", "forms.error.integer"}}},
		{"one that is not", func(d *Draft) Path {
			d.Choose("/shape", 0)
			d.SetText("/shape/0/r", "x")
			d.Choose("/shape", 1)
			d.SetBool("/shape/1", true)
			return "/shape"
		}, nil},
		{"the whole form", func(d *Draft) Path { d.SetText("/group/n", "x"); return "" },
			[]wrong{{"/other", "forms.error.required"}, {"/group/n", "forms.error.integer"}}},
		{"no field", func(d *Draft) Path { return "/none" }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse(json.RawMessage(schema), Options{Purpose: Arguments}).NewDraft()
			p := c.do(d)
			var got []wrong
			for _, e := range d.CheckWithin(p) {
				got = append(got, wrong{e.Path, e.Message.ID})
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestCheckWithin_HoldsWhatCheckRefusedUntilSomethingChanges: as CheckField.
func TestCheckWithin_HoldsWhatCheckRefusedUntilSomethingChanges(t *testing.T) {
	d := Parse(json.RawMessage(`{"type":"object","properties":{"g":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentRequired":{"a":["b"]}}}}`),
		Options{Purpose: Arguments}).NewDraft()
	d.SetText("/g/a", "x")
	if errs := d.CheckWithin("/g"); len(errs) > 0 {
		t.Fatalf("before Check: %v", errs)
	}
	if len(d.Check()) == 0 {
		t.Fatal("the schema as a whole accepts it")
	}
	if errs := d.CheckWithin("/g"); len(errs) != 1 || errs[0].Code != Refused {
		t.Errorf("after Check: %v", errs)
	}
	d.SetText("/g/b", "y")
	if errs := d.CheckWithin("/g"); len(errs) > 0 {
		t.Errorf("after the change: %v", errs)
	}
}
