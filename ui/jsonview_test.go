package ui

import (
	"strings"
	"testing"

	"parley/forms"
	"parley/ui/kit"
)

// jsonText is the text of the field at p, which is written as JSON.
func (p *runPage) jsonText(t *testing.T, at forms.Path) string {
	t.Helper()
	e, ok := p.form.byPath[at].control.(*kit.LongEntry)
	if !ok {
		t.Fatalf("%s is not written as JSON but with %T", at, p.form.byPath[at].control)
	}
	return e.Text()
}

// pressIn presses the button with these words of a field.
func (r *rig) pressIn(p *runPage, at forms.Path, words string) {
	r.t.Helper()
	for _, o := range objectsOf(p.form.byPath[at].box) {
		if b, ok := o.(*kit.Button); ok && b.Text() == words {
			b.Press()
			r.queue.Drain()
			return
		}
	}
	r.t.Fatalf("no button %q at %s", words, at)
}

// TestJSON_WhatStandsGoesThereAndBack: every kind that holds others is written
// as JSON with what was filled in, and goes back to its fields unchanged.
func TestJSON_WhatStandsGoesThereAndBack(t *testing.T) {
	r, p := argumentPage(t, everyArgument)
	d := p.sheet().draft
	row := d.Add("/people")
	d.SetText(row+"/name", "Ann")
	d.Choose("/pay", 0)
	d.SetText("/pay/0/holder", "A. Nyone")
	d.Choose("/pay", 1)
	d.SetText("/pay/1/to", "books@travel.example")
	row = d.Add("/labels")
	d.SetKey(row, "red")
	d.SetText(row, "1")
	d.Open("/address")
	d.SetText("/address/zip", "08002")
	r.s.show(r.s.at)
	p = r.s.page.(*runPage)
	r.wait(p.form.builder.Idle)
	before, _ := d.Preview()
	for at, want := range map[forms.Path]string{
		"/people":  "[\n  {\n    \"name\": \"Ann\"\n  }\n]",
		"/pay":     "{\n  \"by\": \"invoice\",\n  \"to\": \"books@travel.example\"\n}",
		"/labels":  "{\n  \"red\": 1\n}",
		"/address": "{\n  \"zip\": \"08002\"\n}",
	} {
		r.pressIn(p, at, "Write as JSON")
		if got := p.jsonText(t, at); got != want {
			t.Errorf("%s is written as %s, want %s", at, got, want)
		}
	}
	if now, _ := p.sheet().draft.Preview(); now != before {
		t.Errorf("as JSON it sends %s, before %s", now, before)
	}
	for _, at := range []forms.Path{"/people", "/pay", "/labels", "/address"} {
		r.pressIn(p, at, "Fill in as fields")
		if p.sheet().draft.Raw(at) {
			t.Errorf("%s does not go back: %q", at, p.form.byPath[at].row.Error())
		}
	}
	if now, _ := p.sheet().draft.Preview(); now != before {
		t.Errorf("as fields it sends %s, before %s", now, before)
	}
	d = p.sheet().draft
	if d.Choose("/pay", 0); d.Text("/pay/0/holder") != "A. Nyone" {
		t.Error("what was typed into the other alternative is gone")
	}
}

// TestJSON_AnOutlineStandsWhereNothingDoes, to be written on.
func TestJSON_AnOutlineStandsWhereNothingDoes(t *testing.T) {
	r, p := argumentPage(t, everyArgument)
	r.pressIn(p, "/people", "Write as JSON")
	if got := p.jsonText(t, "/people"); got != p.sheet().draft.Skeleton("/people") || !strings.Contains(got, `"seat"`) {
		t.Errorf("it begins with %s", got)
	}
	if r.fieldAt(p) != "/people" {
		t.Errorf("the keyboard is at %q", r.fieldAt(p))
	}
}

// TestJSON_WhatIsWrongIsNotDropped: a text that no JSON can hold stays in its
// field, which says why.
func TestJSON_WhatIsWrongIsNotDropped(t *testing.T) {
	r, p := argumentPage(t, everyArgument)
	r.press("Add Passenger")
	r.typing("A")
	r.pressIn(p, "/people", "Write as JSON")
	d := p.sheet().draft
	name := d.Rows("/people")[0] + "/name"
	if d.Raw("/people") || p.form.byPath[name].row.Error() == "" || r.fieldAt(p) != name {
		t.Errorf("raw %v; the field says %q, and the keyboard is at %s", d.Raw("/people"), p.form.byPath[name].row.Error(), r.fieldAt(p))
	}
}

// TestJSON_ABackAtOnceChangesNothing: what was typed is there again as it was
// typed, also where JSON says it otherwise or not at all; once the text was
// changed, the fields say what that says.
func TestJSON_ABackAtOnceChangesNothing(t *testing.T) {
	r, p := argumentPage(t, `{"type":"object","properties":{"stops":{"type":"array","items":{"type":"object","properties":{
		"note":{"type":["string","null"]},"nights":{"type":"number"},"city":{"type":"string"}},"required":["city"]}}}}`)
	d := p.sheet().draft
	row := d.Add("/stops")
	d.SetText(row+"/note", "by train")
	d.SetNull(row + "/note")
	d.SetText(row+"/nights", "+03.50")
	r.s.show(r.s.at)
	p = r.s.page.(*runPage)
	d = p.sheet().draft
	before := string(d.Save())
	r.pressIn(p, "/stops", "Write as JSON")
	r.pressIn(p, "/stops", "Fill in as fields")
	if now := string(d.Save()); now != before {
		t.Errorf("the draft is now %s, before %s", now, before)
	}
	if got := p.form.byPath[row+"/nights"]; got == nil || got.control.(*kit.LongEntry).Text() != "+03.50" {
		t.Error("the field does not show what was typed")
	}
	r.pressIn(p, "/stops", "Write as JSON")
	entry := p.form.byPath["/stops"].control.(*kit.LongEntry)
	entry.SetText(strings.Replace(entry.Text(), "3.50", "4", 1))
	r.pressIn(p, "/stops", "Fill in as fields")
	if got := p.form.byPath[d.Rows("/stops")[0]+"/nights"].control.(*kit.LongEntry).Text(); got != "4" {
		t.Errorf("after a change of the text the field says %q", got)
	}
}

// TestJSON_WhatNoFieldsCanHoldStays as text, with the reason, and can be sent
// where the schema takes it.
func TestJSON_WhatNoFieldsCanHoldStays(t *testing.T) {
	r, p := argumentPage(t, everyArgument)
	const more = `[{"name":"Ann","shoe":43}]`
	p.sheet().draft.SetText("/people", more)
	r.s.show(r.s.at)
	p = r.s.page.(*runPage)
	r.pressIn(p, "/people", "Fill in as fields")
	if got := p.jsonText(t, "/people"); got != more || !strings.Contains(p.form.byPath["/people"].row.Error(), "shoe") {
		t.Errorf("it reads %s and says %q", got, p.form.byPath["/people"].row.Error())
	}
	if got := r.sent(p); got != `{"people":`+more+`}` {
		t.Errorf("the server got %s", got)
	}
}
