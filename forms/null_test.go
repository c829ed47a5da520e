package forms

import (
	"encoding/json"
	"testing"
)

const nullables = `{"type":"object","properties":{
	"text":{"type":["string","null"]},"def":{"type":["string","null"],"default":"d"},"n":{"type":["integer","null"]},"yes":{"type":["boolean","null"]},
	"pick":{"anyOf":[{"type":"string","enum":["p","q"]},{"type":"null"}]},"tick":{"type":["array","null"],"items":{"enum":["u","v"]}},
	"list":{"type":["array","null"],"items":{"type":"string"}},"json":{"type":["object","null"]},
	"when":{"type":["string","null"],"format":"date-time"},
	"group":{"type":["object","null"],"properties":{"a":{"type":"string"}}},
	"rows":{"type":["array","null"],"items":{"type":"object","properties":{"a":{"type":"string"}}}},
	"rowsdef":{"type":["array","null"],"items":{"type":"object","properties":{"a":{"type":"string"}}},"default":[{"a":"x"}]},
	"map":{"type":["object","null"],"additionalProperties":{"type":"integer"}},
	"shape":{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"boolean"},{"type":"null"}]}}}`

// TestB82_WhatStoodBeforeNullComesBack, of every kind, after the draft was
// stored and restored too.
func TestB82_WhatStoodBeforeNullComesBack(t *testing.T) {
	for _, c := range []struct {
		path Path
		do   func(d *Draft)
		kind Kind
	}{
		{"/text", func(d *Draft) { d.SetText("/text", " as typed ") }, Text},
		{"/text", func(d *Draft) {}, Text},
		{"/text", func(d *Draft) { d.Clear("/text") }, Text},
		{"/def", func(d *Draft) {}, Text},
		{"/def", func(d *Draft) { d.Clear("/def") }, Text},
		{"/n", func(d *Draft) { d.SetText("/n", "1,5") }, Integer},
		{"/yes", func(d *Draft) { d.SetBool("/yes", false) }, Boolean},
		{"/pick", func(d *Draft) { d.Pick("/pick", 1) }, Choice},
		{"/tick", func(d *Draft) { d.SetTicks("/tick", 0, 1) }, Checklist},
		{"/list", func(d *Draft) { d.SetLines("/list", "a\nb", "") }, List},
		{"/json", func(d *Draft) { d.SetText("/json", `{"half":`) }, JSON},
		{"/when", func(d *Draft) {
			d.SetText("/when", "2026-06-15 9:30")
			d.SetZone("/when", zoneNamed(t, "Asia/Tokyo"))
		}, DateTime},
		{"/group", func(d *Draft) { d.SetText("/group/a", "x") }, Group},
		{"/group", func(d *Draft) { d.Open("/group") }, Group},
		{"/group", func(d *Draft) { d.SetText("/group", `{"a":"raw"}`) }, Group},
		{"/rows", func(d *Draft) {
			d.SetText(d.Add("/rows")+"/a", "x")
			d.SetText(d.Add("/rows")+"/a", "y")
			d.Move("/rows/2", 0)
		}, Rows},
		{"/rowsdef", func(d *Draft) { d.SetText(d.Rows("/rowsdef")[0]+"/a", "changed") }, Rows},
		{"/map", func(d *Draft) {
			p := d.Add("/map")
			d.SetKey(p, "k")
			d.SetText(p, "7")
		}, Map},
		{"/map", func(d *Draft) { d.SetText("/map", `{"k":1}`) }, Map},
		{"/shape", func(d *Draft) {
			d.Choose("/shape", 1)
			d.SetBool("/shape/1", true)
			d.Choose("/shape", 0)
			d.SetText("/shape/0/a", "x")
		}, Variant},
	} {
		d := Parse(json.RawMessage(nullables), Options{Purpose: Arguments, Zone: zoneNamed(t, "UTC")}).NewDraft()
		if f := d.Field(c.path); f == nil || f.Kind != c.kind || !f.Nullable {
			t.Fatalf("%s is %v", c.path, f)
		}
		c.do(d)
		before, text, errs := d.Save(), d.Text(c.path), len(d.Check())
		d.SetNull(c.path)
		d.SetNull(c.path) // once more takes nothing away
		if !d.Null(c.path) || d.State(c.path) != Answered {
			t.Errorf("%s is not null", c.path)
		}
		if got, _ := d.Content(Submit{}); !json.Valid(got) || valueOf(got, c.path) != "null" {
			t.Errorf("%s: sent %s", c.path, got)
		}
		if !c.kind.Structured() && d.Text(c.path) != text {
			t.Errorf("%s: the control shows %q under null, %q before", c.path, d.Text(c.path), text)
		}
		if len(d.Fields(c.path)) != 0 && c.kind != Group || len(d.Rows(c.path)) != 0 {
			t.Errorf("%s: fields stand in what is null", c.path)
		}
		saved := d.Save()
		d = d.Form().NewDraft()
		if err := d.Restore(saved); err != nil {
			t.Errorf("%s: restoring %s: %v", c.path, saved, err)
			continue
		}
		if again := d.Save(); string(again) != string(saved) {
			t.Errorf("%s: saved %s, restored and saved %s", c.path, saved, again)
		}
		d.UnsetNull(c.path)
		if got := d.Save(); string(got) != string(before) || d.Null(c.path) || len(d.Check()) != errs {
			t.Errorf("%s: %s came back as %s", c.path, before, got)
		}
	}
}

// valueOf is the JSON text of a member of an object.
func valueOf(object json.RawMessage, p Path) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return ""
	}
	return string(members[string(p[1:])])
}

// TestB82_AnyAnswerTakesNullBack.
func TestB82_AnyAnswerTakesNullBack(t *testing.T) {
	for name, c := range map[string]struct {
		path Path
		do   func(d *Draft)
		want string
	}{
		"typing":          {"/text", func(d *Draft) { d.SetText("/text", "x") }, `"x"`},
		"clearing":        {"/text", func(d *Draft) { d.Clear("/text") }, ""},
		"resetting":       {"/def", func(d *Draft) { d.Reset("/def") }, `"d"`},
		"taking it back":  {"/def", func(d *Draft) { d.UnsetNull("/def") }, `"d"`},
		"picking":         {"/pick", func(d *Draft) { d.Pick("/pick", 0) }, `"p"`},
		"ticking":         {"/tick", func(d *Draft) { d.Tick("/tick", 0, true) }, `["u"]`},
		"a field inside":  {"/group", func(d *Draft) { d.SetText("/group/a", "x") }, `{"a":"x"}`},
		"an entry":        {"/rows", func(d *Draft) { d.SetText(d.Add("/rows")+"/a", "z") }, `[{"a":"first"},{"a":"z"}]`},
		"an alternative":  {"/shape", func(d *Draft) { d.Choose("/shape", 1); d.SetBool("/shape/1", true) }, `true`},
		"an exact value":  {"/n", func(d *Draft) { d.SetValue("/n", json.RawMessage("5")) }, `5`},
		"an act of yours": {"/yes", func(d *Draft) { d.Apply(json.RawMessage(`{"yes":true}`)) }, `true`},
	} {
		t.Run(name, func(t *testing.T) {
			d := Parse(json.RawMessage(nullables), Options{Purpose: Arguments}).NewDraft()
			d.SetText(d.Add("/rows")+"/a", "first")
			d.SetNull(c.path)
			c.do(d)
			if got, errs := d.Content(Submit{}); valueOf(got, c.path) != c.want || d.Null(c.path) {
				t.Errorf("sent %s (%v), want %s", got, errs, c.want)
			}
		})
	}
}

// TestB82_ANullThatTheDefaultSaysCanBeTakenBack.
func TestB82_ANullThatTheDefaultSaysCanBeTakenBack(t *testing.T) {
	d := Parse(json.RawMessage(`{"type":"object","properties":{"g":{"type":"object","properties":{"a":{"type":["string","null"]}},"default":{"a":null}}}}`),
		Options{Purpose: Arguments}).NewDraft()
	if !d.Null("/g/a") {
		t.Fatal("the default is not there")
	}
	d.UnsetNull("/g/a")
	if got, errs := d.Content(Submit{}); string(got) != `{"g":{}}` || len(errs) > 0 {
		t.Errorf("sent %s (%v)", got, errs)
	}
	d.SetNull("/g/a")
	d.UnsetNull("/g/a")
	if d.Null("/g/a") {
		t.Error("null came back")
	}
}

// TestNull_SavedDraftsThatLie are refused and change nothing.
func TestNull_SavedDraftsThatLie(t *testing.T) {
	d := Parse(json.RawMessage(nullables), Options{Purpose: Arguments}).NewDraft()
	for _, saved := range []string{
		`{"/text":{"null":false}}`, `{"/text":{"null":true,"before":{}}}`, `{"/text":{"null":true,"before":7}}`,
		`{"/text":{"null":true,"before":{"null":true}}}`, `{"/text":{"null":true,"before":{"yes":true}}}`,
		`{"/rows":{"null":true,"before":{"entries":[1,1]}}}`, `{"/group/a":{"null":true}}`,
	} {
		if err := d.Restore(json.RawMessage(saved)); err == nil {
			t.Errorf("%s was taken", saved)
		}
	}
	if d.Touched() {
		t.Error("the draft was changed")
	}
}

// TestNullable_WhereTheSchemaHasNull, and nowhere else.
func TestNullable_WhereTheSchemaHasNull(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":["string","null"]}`:                                    true,
		`{"anyOf":[{"type":"string"},{"type":"null"}]}`:                 true,
		`{"anyOf":[{"enum":["p"]},{"type":"null"}]}`:                    true,
		`{"oneOf":[{"const":"p","title":"P"},{"const":null}]}`:          true,
		`{"enum":["p",null]}`:                                           true,
		`{"type":["string","null"],"enum":["p",null]}`:                  true,
		`{"type":["string","null"],"enum":["p","q"]}`:                   false,
		`{"type":"string","enum":["p",null]}`:                           false,
		`{"type":["string","null"],"const":"p"}`:                        false,
		`{"type":"string"}`:                                             false,
		`{"type":"string","default":null}`:                              false,
		`{"type":["array","null"],"items":{"enum":["a"]}}`:              true,
		`{"type":"array","items":{"enum":["a",null]}}`:                  false,
		`{"$ref":"#/$defs/n"}`:                                          true,
		`{"allOf":[{"$ref":"#/$defs/n"}],"title":"T"}`:                  true,
		`{"anyOf":[{"type":"object","properties":{}},{"type":"null"}]}`: true,
	} {
		d := Parse(json.RawMessage(`{"type":"object","$defs":{"n":{"type":["integer","null"]}},"required":["x"],"properties":{"x":`+schema+`}}`), Options{Purpose: Arguments}).NewDraft()
		d.SetNull("/x")
		got, _ := d.Content(Submit{})
		if d.Field("/x").Nullable != want || want != (string(got) == `{"x":null}`) {
			t.Errorf("%s: nullable %t, sent %s", schema, d.Field("/x").Nullable, got)
		}
	}
}
