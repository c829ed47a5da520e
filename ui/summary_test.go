package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/assets/i18n"
	"parley/forms"
)

// toldOf is what is told of a form that is filled in with value.
func toldOf(t *testing.T, schema, value string) string {
	t.Helper()
	f := forms.Parse(json.RawMessage(schema), forms.Options{Purpose: forms.Arguments})
	d := f.NewDraft()
	if errs := d.SetValue("", json.RawMessage(value)); len(errs) > 0 {
		t.Fatalf("%s does not fit: %v", value, errs)
	}
	v := &surroundings{loc: i18n.New("en")}
	return copyText(v.entries(d), nil)
}

// TestEntries_NameTheKindThatWasChosen of alternatives, also where nothing is
// filled in below it: that is all there is to say then.
func TestEntries_NameTheKindThatWasChosen(t *testing.T) {
	const pay = `{"type":"object","properties":{"pay":{"title":"Payment","oneOf":[
		{"title":"Card","type":"object","properties":{"number":{"type":"string","title":"Number"}},"required":["number"]},
		{"title":"In cash","type":"object","properties":{"by":{"const":"cash"}},"required":["by"]}]}}}`
	for name, c := range map[string]struct{ schema, value, want string }{
		"with fields":    {pay, `{"pay":{"number":"7"}}`, "Payment (kind chosen): Card\nPayment › Number: 7\n"},
		"without any":    {pay, `{"pay":{"by":"cash"}}`, "Payment (kind chosen): In cash\n"},
		"none is chosen": {pay, `{}`, ""},
		"in rows": {`{"type":"object","properties":{"all":{"title":"All","type":"array","items":{"anyOf":[{"title":"Length","type":"integer"},{"title":"Name","type":"string"}]}}}}`,
			`{"all":["a",2]}`, "All › 1 (kind chosen): Name\nAll › 1: a\nAll › 2 (kind chosen): Length\nAll › 2: 2\n"},
		"of the whole": {`{"type":"object","oneOf":[{"title":"By name","properties":{"name":{"type":"string","title":"Name"}},"required":["name"]},
			{"title":"By number","properties":{"n":{"type":"integer","title":"Number"}},"required":["n"]}]}`, `{"n":2}`, "Kind: By number\nNumber: 2\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := toldOf(t, c.schema, c.value); got != c.want {
				t.Errorf("told as\n%swant\n%s", got, c.want)
			}
		})
	}
}

// TestNames_EqualTitlesAreToldApart in what was entered, in what is not right yet
// and in what looks like a secret, by the key that the form shows too.
func TestNames_EqualTitlesAreToldApart(t *testing.T) {
	const twice = `{"type":"object","properties":{"from":{"type":"string","title":"Seat","minLength":3},"to":{"type":"string","title":"Seat"},
		"of":{"type":"object","title":"Trip","properties":{"a":{"type":"string","title":"Day"},"b":{"type":"string","title":"Day"},"c":{"type":"string","title":"Place"}}}}}`
	want := "Seat (from): 12A\nSeat (to): 14C\nTrip › Day (a): Mon\nTrip › Day (b): Tue\nTrip › Place: Rome\n"
	if got := toldOf(t, twice, `{"from":"12A","to":"14C","of":{"a":"Mon","b":"Tue","c":"Rome"}}`); got != want {
		t.Errorf("told as\n%swant\n%s", got, want)
	}
	t.Run("in what is not right yet", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: askForm("Which?", `{"type":"object","properties":{"from":{"type":"string","title":"Seat"},"to":{"type":"string","title":"Seat","minLength":3}},"required":["to"]}`)})
		r.run("ask")
		sh := r.question()
		sh.draft.SetText("/to", "1")
		r.s.page.(*formPage).preview.toggle.Press()
		r.queue.Drain()
		r.reads("Seat (to): ")
	})
	t.Run("in what looks like a secret", func(t *testing.T) {
		const secrets = `{"type":"object","properties":{"a":{"type":"string","title":"Password"},"b":{"type":"string","title":"Password"}}}`
		r := newRig(t, rigOptions{tools: askForm("Sign in", secrets)})
		r.run("ask")
		sh := r.question()
		r.reads("Password (a), Password (b)")
		sh.draft.SetText("/b", "hunter2")
		r.ctrlEnter()
		if text := r.text(); sh.stage != stageSecret || !strings.Contains(text, "Password (b)") {
			t.Errorf("the second question does not say which password:\n%s", text)
		}
	})
}
