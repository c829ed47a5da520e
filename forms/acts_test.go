package forms

import (
	"encoding/json"
	"testing"
)

// TestActs: one act a key, as a person would do it at the control. want is the
// content, or "" where the act itself is invalid.
func TestActs(t *testing.T) {
	f := parseProperties(t, `
		"t":{"type":"string","default":"d"},"n":{"type":"number"},"d":{"type":"string","format":"date"},
		"b":{"type":"boolean"},"c":{"oneOf":[{"const":"v","title":"Label"},{"const":2}]},
		"k":{"type":"array","items":{"enum":["x","y",3]},"default":["y"]},"l":{"type":"array","items":{"type":"string"}},"u":{"type":"object"}`)
	const t0 = `"t":"d","k":["y"]`
	for _, c := range []struct{ rule, acts, want string }{
		{"nothing is done", `{}`, `{` + t0 + `}`},
		{"a string is typed over what stood there", `{"t":"new"}`, `{"t":"new","k":["y"]}`},
		{"an empty string clears", `{"t":""}`, `{"k":["y"]}`},
		{"a number is typed as its own characters", `{"t":1.50}`, `{"t":"1.50","k":["y"]}`},
		{"a string into a number field", `{"n":"0010"}`, `{"t":"d","n":10,"k":["y"]}`},
		{"a number into a number field", `{"n":1.50}`, `{"t":"d","n":1.50,"k":["y"]}`},
		{"a string into a date field", `{"d":"2026年6月15日"}`, `{"t":"d","d":"2026-06-15","k":["y"]}`},
		{"a choice takes an option's value", `{"c":"v"}`, `{"t":"d","c":"v","k":["y"]}`},
		{"a choice takes a number value", `{"c":2.0}`, `{"t":"d","c":2,"k":["y"]}`},
		{"never its label", `{"c":"Label"}`, ""},
		{"never a value of another type", `{"c":"2"}`, ""},
		{"never the empty string where it is no option", `{"c":""}`, ""},
		{"yes/no takes true", `{"b":true}`, `{"t":"d","b":true,"k":["y"]}`},
		{"yes/no takes no string", `{"b":"true"}`, ""},
		{"yes/no takes no number", `{"b":1}`, ""},
		{"exactly the values of the array are ticked", `{"k":[3,"x"]}`, `{"t":"d","k":["x",3]}`},
		{"an empty array unticks all", `{"k":[]}`, `{"t":"d"}`},
		{"no such option", `{"k":["x","z"]}`, ""},
		{"a checklist takes no string", `{"k":"x"}`, ""},
		{"a list takes an array of texts", `{"l":["a","b c"]}`, `{"t":"d","k":["y"],"l":["a","b c"]}`},
		{"a list takes no array of numbers", `{"l":[1]}`, ""},
		{"a list takes no number", `{"l":1}`, ""},
		{"null clears", `{"t":null,"k":null,"n":null,"b":null,"c":null,"d":null,"l":null}`, `{}`},
		{"text takes no yes/no", `{"t":true}`, ""},
		{"text takes no object", `{"t":{}}`, ""},
		{"text takes no array", `{"t":["a"]}`, ""},
		{"an unknown key", `{"none":"x"}`, ""},
		{"null leaves out what cannot be shown", `{"u":null}`, `{` + t0 + `}`},
		{"a field that cannot be shown takes no value", `{"u":{}}`, ""},
		{"nor text", `{"u":""}`, ""},
		{"of a repeated key the last counts", `{"t":"one","t":"two"}`, `{"t":"two","k":["y"]}`},
		{"acts are an object", `["t"]`, ""},
		{"acts are JSON", `{t:1}`, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			content, errors := answerWith(t, f, c.acts)
			if content != c.want || (errors == "") != (c.want != "") {
				t.Errorf("%s: sent %s, want %s\n%s", c.acts, content, c.want, errors)
			}
		})
	}
}

// TestActsAllOrNothing: with one bad act no act is done, and every bad one is
// named.
func TestActsAllOrNothing(t *testing.T) {
	d := parseProperties(t, `"t":{"type":"string"},"b":{"type":"boolean"}`).NewDraft()
	errors := d.Apply(json.RawMessage(`{"t":"x","b":"yes","none":1}`))
	if len(errors) != 2 || errors[0].Code != BadAct || errors[0].Name != "b" || errors[1].Name != "none" {
		t.Errorf("errors %+v", errors)
	}
	if d.Touched() {
		t.Errorf("draft %s", d.Save())
	}
}

// TestActsInGroups: nested acts reach nested fields, with their path as name.
func TestActsInGroups(t *testing.T) {
	f := Parse(json.RawMessage(`{"type":"object","properties":{"g":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["b"]},"j":{}}}`),
		Options{Purpose: Arguments})
	for _, c := range []struct{ acts, want, errors string }{
		{`{}`, `{}`, ""},
		{`{"g":{"a":1}}`, `{"g":{"a":1,"b":""}}`, ""},
		{`{"g":{"a":"x"}}`, ``, "g/a: This is not a whole number, for example 12."},
		{`{"g":{"c":1}}`, ``, "c: The form has no field named “c”."},
		{`{"g":1}`, ``, "g: Answers are given as a JSON object, for example {\"name\":\"Li\"}."},
		{`{"j":{"x":[1, 2]}}`, `{"j":{"x":[1,2]}}`, ""},
		{`{"j":"\"text\""}`, `{"j":"text"}`, ""},
		{`{"j":true}`, `{"j":true}`, ""},
		{`{"j":"{"}`, ``, "j: This is not JSON, for example \"text\", 12, true, [1, 2] or {\"key\": \"value\"}."},
	} {
		if content, errors := answerWith(t, f, c.acts); content != c.want || errors != c.errors {
			t.Errorf("%s: sent %s, want %s\n%s\nwant %s", c.acts, content, c.want, errors, c.errors)
		}
	}
}

// TestActsNullOnGroups: null leaves an optional group out, whatever was typed
// in it, and clears the fields of a required one.
func TestActsNullOnGroups(t *testing.T) {
	const group = `{"type":"object","properties":{"n":{"type":"integer","default":5},
		"in":{"type":"object","properties":{"s":{"type":"string","default":"x"}}}}}`
	for _, c := range []struct{ required, want string }{
		{`[]`, `{}`},
		{`["g"]`, `{"g":{}}`},
	} {
		d := Parse(json.RawMessage(`{"type":"object","properties":{"g":`+group+`},"required":`+c.required+`}`), Options{Purpose: Arguments}).NewDraft()
		for _, acts := range []string{`{"g":{"n":7,"in":{"s":"y"}}}`, `{"g":null}`} {
			if errors := d.Apply(json.RawMessage(acts)); len(errors) > 0 {
				t.Fatalf("%s: %s", acts, sentences(errors))
			}
		}
		if content, errors := d.Content(Submit{}); string(content) != c.want {
			t.Errorf("required %s: sent %s, want %s\n%s", c.required, content, c.want, sentences(errors))
		}
	}
}

// TestActsOnWhatCannotBeShown: the sentence says what is wrong with the act,
// and calls nothing required that is not; null is never wrong.
func TestActsOnWhatCannotBeShown(t *testing.T) {
	const value = "u: This field cannot be shown here, so nothing can be filled in; null leaves it out."
	const required = "u: This is required, but it cannot be shown here, so the form cannot be accepted. You can decline or cancel."
	for _, c := range []struct{ schema, acts, content, errors string }{
		{`[]`, `{"u":null}`, `{}`, ""},
		{`[]`, `{"u":1}`, "", value},
		{`["u"]`, `{"u":null}`, "", required},
		{`["u"]`, `{"u":{"a":1}}`, "", value},
		{`["u"]`, `{}`, "", required},
	} {
		f := parseForm(t, `{"type":"object","properties":{"u":{"type":"object"}},"required":`+c.schema+`}`)
		if content, errors := answerWith(t, f, c.acts); content != c.content || errors != c.errors {
			t.Errorf("required %s, %s: sent %s, errors\n%s, want %s\n%s", c.schema, c.acts, content, errors, c.content, c.errors)
		}
	}
}
