package forms

import (
	"encoding/json"
	"strings"
	"testing"
)

// kindsSchema has every kind of the restricted schema, with a default each.
const kindsSchema = `{"type":"object","properties":{
	"text":{"type":"string","minLength":1,"maxLength":9,"default":"x"},
	"email":{"type":"string","format":"email","default":"a@b.cn"},
	"uri":{"type":"string","format":"uri","default":"https://b.cn"},
	"date":{"type":"string","format":"date","default":"2026-03-04"},
	"time":{"type":"string","format":"date-time","default":"2026-03-04T10:00:00Z"},
	"integer":{"type":"integer","minimum":1,"maximum":9,"default":5},
	"number":{"type":"number","minimum":0,"maximum":1,"default":0.5},
	"boolean":{"type":"boolean","default":false},
	"enum":{"type":"string","enum":["p","q"],"default":"q"},
	"titled":{"type":"string","oneOf":[{"const":"p","title":"P"},{"const":"q","title":"Q"}],"default":"p"},
	"legacy":{"type":"string","enum":["p","q"],"enumNames":["P","Q"],"default":"q"},
	"multi":{"type":"array","minItems":1,"items":{"type":"string","enum":["p","q"]},"default":["q"]},
	"titledMulti":{"type":"array","maxItems":2,"items":{"anyOf":[{"const":"p","title":"P"},{"const":"q","title":"Q"}]},"default":["p","q"]}
}}`

const kindsDefaults = `{"text":"x","email":"a@b.cn","uri":"https://b.cn","date":"2026-03-04","time":"2026-03-04T10:00:00Z",` +
	`"integer":5,"number":0.5,"boolean":false,"enum":"q","titled":"p","legacy":"q","multi":["q"],"titledMulti":["p","q"]}`

// TestC3_ReviewAndChangeBeforeSending: what will be sent can be read, an
// answer can be changed any number of times, and what is sent is what was read.
func TestC3_ReviewAndChangeBeforeSending(t *testing.T) {
	d := parseForm(t, kindsSchema).NewDraft()
	for _, step := range []struct {
		change func()
		want   string // in the content
	}{
		{func() { d.SetText("/text", "one") }, `"text":"one"`},
		{func() { d.SetText("/text", "two") }, `"text":"two"`},
		{func() { d.Reset("/text") }, `"text":"x"`},
		{func() { d.Pick("/enum", 0) }, `"enum":"p"`},
		{func() { d.Pick("/enum", 1) }, `"enum":"q"`},
		{func() { d.Tick("/multi", 0, true) }, `"multi":["p","q"]`},
		{func() { d.Tick("/multi", 1, false) }, `"multi":["p"]`},
		{func() { d.SetBool("/boolean", true) }, `"boolean":true`},
		{func() { d.Clear("/boolean") }, `"legacy":"q"`},
	} {
		step.change()
		content, errors := d.Content(Submit{})
		if !strings.Contains(string(content), step.want) {
			t.Fatalf("content %s, want in it %s; errors %s", content, step.want, sentences(errors))
		}
		preview, _ := d.Preview()
		if string(compact(json.RawMessage(preview))) != string(content) {
			t.Errorf("read before sending:\n%s\nsent:\n%s", preview, content)
		}
	}
	if content, _ := d.Content(Submit{}); strings.Contains(string(content), "boolean") {
		t.Errorf("taken back, and still sent: %s", content)
	}
}

// TestC8_EveryKindOfTheRestrictedSchema has its control.
func TestC8_EveryKindOfTheRestrictedSchema(t *testing.T) {
	f := parseForm(t, kindsSchema)
	want := []Kind{Text, Email, URI, Date, DateTime, Integer, Number, Boolean, Choice, Choice, Choice, Checklist, Checklist}
	for i, field := range f.Fields {
		if field.Kind != want[i] || len(field.Problems) > 0 {
			t.Errorf("%s: kind %s, problems %v; want %s", field.Name, field.Kind, field.Problems, want[i])
		}
		if hasOptions := len(field.Options) == 2; hasOptions != (field.Kind == Choice || field.Kind == Checklist) {
			t.Errorf("%s has options %+v", field.Name, field.Options)
		}
	}
	if l := f.Field("/text").Limits; l.MinLength != 1 || l.MaxLength != 9 {
		t.Errorf("lengths %+v", l)
	}
	if l := f.Field("/number").Limits; l.Minimum != "0" || l.Maximum != "1" {
		t.Errorf("limits %+v", l)
	}
}

// TestC9_EveryAnswerIsCheckedBeforeSending: for every kind there is an answer
// that is refused with a sentence at its field, and nothing is sent.
func TestC9_EveryAnswerIsCheckedBeforeSending(t *testing.T) {
	for path, typed := range map[Path]string{
		"/text": "0123456789", "/email": "lin@travel", "/uri": "example.com", "/date": "03/04/2026",
		"/time": "10:00", "/integer": "10", "/number": "1,5",
	} {
		d := parseForm(t, kindsSchema).NewDraft()
		d.SetText(path, typed)
		content, errors := d.Content(Submit{})
		if content != nil || len(errors) != 1 || errors[0].Path != path || english.Text(errors[0].Message) == "" {
			t.Errorf("%s: sent %s, errors %s", path, content, sentences(errors))
		}
		if e := d.CheckField(path); e == nil || e.Code != Invalid {
			t.Errorf("%s: CheckField %v", path, e)
		}
	}
	d := parseProperties(t, `"b":{"type":"boolean"},"c":{"enum":["a"]},"k":{"type":"array","minItems":2,"items":{"enum":["a","b"]}}`, "b", "c", "k").NewDraft()
	d.Tick("/k", 0, true)
	if content, errors := d.Content(Submit{}); content != nil || len(errors) != 3 {
		t.Errorf("sent %s, errors %s", content, sentences(errors))
	}
}

// TestC10_DefaultsAreFilledIn: every control shows its default before anything
// is done, and an untouched form sends them all.
func TestC10_DefaultsAreFilledIn(t *testing.T) {
	d := parseForm(t, kindsSchema).NewDraft()
	for path, want := range map[Path]string{
		"/text": "x", "/email": "a@b.cn", "/uri": "https://b.cn", "/date": "2026-03-04",
		"/time": "2026-03-04T10:00:00Z", "/integer": "5", "/number": "0.5",
	} {
		if got := d.Text(path); got != want {
			t.Errorf("%s shows %q, want %q", path, got, want)
		}
	}
	if yes, ok := d.Bool("/boolean"); yes || !ok {
		t.Errorf("boolean shows %t, %t", yes, ok)
	}
	if got := d.Picked("/enum"); got != 1 {
		t.Errorf("enum shows option %d", got)
	}
	if got := d.Ticked("/titledMulti"); len(got) != 2 {
		t.Errorf("checklist shows %v", got)
	}
	if content, errors := d.Content(Submit{}); string(content) != kindsDefaults {
		t.Errorf("sent %s, errors %s\nwant %s", content, sentences(errors), kindsDefaults)
	}
	if d.Touched() {
		t.Error("filling in defaults counts as touching")
	}
}

// TestC11_AcceptCarriesMatchingContent: the object goes out in schema order,
// and {} where there is nothing to say.
func TestC11_AcceptCarriesMatchingContent(t *testing.T) {
	d := parseForm(t, kindsSchema).NewDraft()
	for _, f := range d.Form().Fields {
		d.Clear(f.Path)
	}
	if content, errors := d.Content(Submit{}); string(content) != "{}" {
		t.Errorf("all cleared: sent %s, errors %s", content, sentences(errors))
	}
}

// TestC27_SecretsNeedASecondYes: what looks like a secret is marked, masked,
// and sent only after an explicit second yes.
func TestC27_SecretsNeedASecondYes(t *testing.T) {
	f := parseProperties(t, `"user":{"type":"string"},"apiKey":{"type":"string","title":"API key"},"pin":{"type":"integer"}`)
	if f.Field("/user").Secret || !f.Field("/apiKey").Secret || !f.Field("/pin").Secret {
		t.Fatalf("marked: %t %t %t", f.Field("/user").Secret, f.Field("/apiKey").Secret, f.Field("/pin").Secret)
	}
	d := f.NewDraft()
	d.SetText("/user", "li")
	if content, errors := d.Content(Submit{}); string(content) != `{"user":"li"}` {
		t.Errorf("no secret typed: sent %s, errors %s", content, sentences(errors))
	}
	d.SetText("/apiKey", "s3cr3t")
	content, errors := d.Content(Submit{})
	if content != nil || len(errors) != 1 || errors[0].Code != SecretUnconfirmed || errors[0].Path != "/apiKey" {
		t.Errorf("unconfirmed: sent %s, errors %+v", content, errors)
	}
	if typed := d.SecretsTyped(); len(typed) != 1 || typed[0].Name != "apiKey" {
		t.Errorf("secrets typed %+v", typed)
	}
	if errors := d.Check(); len(errors) > 0 {
		t.Errorf("Check asks for the second yes: %s", sentences(errors))
	}
	content, errors = d.Content(Submit{ConfirmSecrets: true})
	if string(content) != `{"user":"li","apiKey":"s3cr3t"}` {
		t.Errorf("confirmed: sent %s, errors %s", content, sentences(errors))
	}
}

// TestC27_EverySecretTextNeedsTheYes: also one the server suggested; an empty
// one does not.
func TestC27_EverySecretTextNeedsTheYes(t *testing.T) {
	d := parseProperties(t, `"password":{"type":"string","default":"suggested"}`, "password").NewDraft()
	if content, errors := d.Content(Submit{}); content != nil || len(errors) != 1 || errors[0].Code != SecretUnconfirmed {
		t.Errorf("suggested: sent %s, errors %+v", content, errors)
	}
	d.Clear("/password")
	if content, errors := d.Content(Submit{}); string(content) != `{"password":""}` {
		t.Errorf("empty: sent %s, errors %s", content, sentences(errors))
	}
}

// TestC27_SecretsStayMasked: in what will be sent, until revealed, and in
// every error, always.
func TestC27_SecretsStayMasked(t *testing.T) {
	f := parseProperties(t, `"apiKey":{"type":"string","default":"from-server"},"pin":{"type":"integer"},"password":{"type":"array","items":{"type":"string"}}`)
	d := f.NewDraft()
	d.SetText("/pin", "4711")
	d.SetText("/password", "hunter2")
	preview, _ := d.Preview("/pin")
	want := "{\n  \"apiKey\": \"" + Mask + "\",\n  \"pin\": 4711,\n  \"password\": \"" + Mask + "\"\n}"
	if preview != want {
		t.Errorf("preview\n%s\nwant\n%s", preview, want)
	}
	for _, typed := range []string{"4711.5", "4711,5", "0x4711", "4 711", "4711x"} {
		d.SetText("/pin", typed)
		_, errors := d.Content(Submit{ConfirmSecrets: true})
		if len(errors) != 1 || strings.Contains(sentences(errors), "711") {
			t.Errorf("typed %s: %s", typed, sentences(errors))
		}
	}
}

// TestC27_SecretsInListsStayOutOfErrors: the entries of a list of numbers too.
func TestC27_SecretsInListsStayOutOfErrors(t *testing.T) {
	f := Parse(json.RawMessage(`{"properties":{"backupCodes":{"type":"array","items":{"type":"integer"}}}}`), Options{Purpose: Arguments})
	if field := f.Fields[0]; field.Kind != List || !field.Secret {
		t.Fatalf("kind %s, secret %t", field.Kind, field.Secret)
	}
	d := f.NewDraft()
	d.SetText("/backupCodes", "4711,5")
	if errors := d.Check(); len(errors) != 1 || strings.Contains(sentences(errors), "711") {
		t.Errorf("errors %s", sentences(errors))
	}
}
