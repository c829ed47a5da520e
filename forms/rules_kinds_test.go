package forms

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/assets/i18n"
)

// kindCase is one kind of field, for the rules that hold for all of them. The
// field is called x; for the rule about secrets it is called apiKey.
type kindCase struct {
	kind     Kind
	schema   string // of the property, without a default
	standard string // its default, as sent
	change   func(d *Draft, p Path)
	changed  string // what is sent then
	wrong    func(d *Draft, p Path)
	where    string // the path of the error, below the field's
	bad      string // a default that is not usable
	secret   bool   // called apiKey it is one
}

// everyKind has each kind once; further shapes of one follow it.
var everyKind = []kindCase{
	{kind: Text, schema: `{"type":"string","minLength":2,"maxLength":9}`, standard: `"ab"`, change: typing(" 陈🎉 "), changed: `" 陈🎉 "`, wrong: typing("x"), bad: `"x"`, secret: true},
	{kind: Text, schema: `{"type":"string","pattern":"^[a-z]+$"}`, standard: `"ab"`, change: typing("abc"), changed: `"abc"`, wrong: typing("ABC"), bad: `7`, secret: true},
	{kind: Email, schema: `{"type":"string","format":"email"}`, standard: `"a@b.cn"`, change: typing(" c@d.cn "), changed: `"c@d.cn"`, wrong: typing("c@d"), bad: `"nobody"`},
	{kind: URI, schema: `{"type":"string","format":"uri"}`, standard: `"https://b.cn"`, change: typing("urn:x:y"), changed: `"urn:x:y"`, wrong: typing("example.com"), bad: `"b"`, secret: true},
	{kind: Date, schema: `{"type":"string","format":"date"}`, standard: `"2026-03-04"`, change: typing("15 June 2026"), changed: `"2026-06-15"`, wrong: typing("2026-02-30"), bad: `"tomorrow"`},
	{kind: DateTime, schema: `{"type":"string","format":"date-time"}`, standard: `"2026-03-04T10:00:00Z"`, change: typing("2026-06-15 9:05"), changed: `"2026-06-15T09:05:00+02:00"`, wrong: typing("9:05"), bad: `"2026-03-04"`},
	{kind: Integer, schema: `{"type":"integer","minimum":1,"maximum":99999999999999999999}`, standard: `5`, change: typing("９007199254740993"), changed: `9007199254740993`, wrong: typing("1.5"), bad: `0`, secret: true},
	{kind: Number, schema: `{"type":"number","maximum":9}`, standard: `0.5`, change: typing("+2.50"), changed: `2.50`, wrong: typing("1,5"), bad: `"1"`, secret: true},
	{kind: Boolean, schema: `{"type":"boolean"}`, standard: `false`, change: func(d *Draft, p Path) { d.SetBool(p, true) }, changed: `true`, bad: `"true"`},
	{kind: Choice, schema: `{"type":"string","enum":["p","q",""]}`, standard: `"q"`, change: func(d *Draft, p Path) { d.Pick(p, 2) }, changed: `""`, bad: `"z"`},
	{kind: Choice, schema: `{"type":"string","oneOf":[{"const":"p","title":"P"},{"const":"q","title":"P"}]}`, standard: `"p"`, change: func(d *Draft, p Path) { d.Pick(p, 1) }, changed: `"q"`, bad: `"P"`},
	{kind: Choice, schema: `{"type":"string","enum":["p","q"],"enumNames":["P","Q"]}`, standard: `"p"`, change: func(d *Draft, p Path) { d.Pick(p, 1) }, changed: `"q"`, bad: `"Q"`},
	{kind: Checklist, schema: `{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["p","q","r"]}}`, standard: `["q"]`,
		change: func(d *Draft, p Path) { d.SetTicks(p, 2, 0) }, changed: `["p","r"]`, wrong: func(d *Draft, p Path) { d.SetTicks(p, 0, 1, 2) }, bad: `["z"]`},
	{kind: Checklist, schema: `{"type":"array","items":{"anyOf":[{"const":"p","title":"P"},{"const":"q","title":"Q"}]}}`, standard: `["p","q"]`,
		change: func(d *Draft, p Path) { d.SetTicks(p, 1) }, changed: `["q"]`, bad: `"p"`},
	{kind: List, schema: `{"type":"array","maxItems":2,"items":{"type":"string"}}`, standard: `["u"]`, change: typing("a\n b"), changed: `["a"," b"]`, wrong: typing("a\nb\nc"), bad: `[1]`, secret: true},
	{kind: Group, schema: `{"type":"object","properties":{"a":{"type":"integer"}}}`, standard: `{"a":1}`, change: typingIn("/a", "2"), changed: `{"a":2}`, wrong: typingIn("/a", "x"), where: "/a", bad: `{"a":"x"}`, secret: true},
	{kind: Rows, schema: `{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`, standard: `[{"n":1}]`,
		change: func(d *Draft, p Path) { d.SetText(d.Add(p)+"/n", "2") }, changed: `[{"n":1},{"n":2}]`, wrong: func(d *Draft, p Path) { d.Add(p) }, where: "/1/n", bad: `[{"n":"x"}]`, secret: true},
	{kind: Map, schema: `{"type":"object","additionalProperties":{"type":"integer"}}`, standard: `{"k":1}`, change: func(d *Draft, p Path) {
		e := d.Add(p)
		d.SetKey(e, "名")
		d.SetText(e, "2")
	}, changed: `{"k":1,"名":2}`, wrong: func(d *Draft, p Path) { d.SetText(d.Add(p), "2") }, where: "/1", bad: `{"k":"x"}`, secret: true},
	{kind: Variant, schema: `{"oneOf":[{"type":"object","properties":{"kind":{"const":"k"},"n":{"type":"integer"}},"required":["kind","n"]},{"type":"boolean"}]}`, standard: `true`,
		change: func(d *Draft, p Path) { d.Choose(p, 0); d.SetText(p+"/0/n", "3") }, changed: `{"kind":"k","n":3}`, wrong: func(d *Draft, p Path) { d.Choose(p, 0) }, where: "/0/n", bad: `"x"`, secret: true},
	{kind: JSON, schema: `{"type":"object"}`, standard: `{"y":[1.50]}`, change: typing(`{"z": null}`), changed: `{"z":null}`, wrong: typing("{"), bad: `7`, secret: true},
}

func typing(text string) func(*Draft, Path) { return func(d *Draft, p Path) { d.SetText(p, text) } }

func typingIn(below Path, text string) func(*Draft, Path) {
	return func(d *Draft, p Path) { d.SetText(p+below, text) }
}

// question reports whether a question can have the kind; the others are of
// tools only.
func (c kindCase) question() bool { return !c.kind.Structured() && c.kind != JSON }

// eachKind runs a rule for all kinds, as questions and as arguments, which of
// the two being told.
func eachKind(t *testing.T, rule func(t *testing.T, c kindCase, p Purpose)) {
	seen := map[Kind]bool{Unsupported: true}
	for _, c := range everyKind {
		seen[c.kind] = true
		if c.question() {
			t.Run("question/"+string(c.kind)+" "+c.schema, func(t *testing.T) { rule(t, c, Elicitation) })
		}
		t.Run("arguments/"+string(c.kind)+" "+c.schema, func(t *testing.T) { rule(t, c, Arguments) })
	}
	for k := range kindNames {
		if !seen[k] {
			t.Errorf("the table has no field of kind %s", k)
		}
	}
}

// form is the form of one such field, with a default where one is given.
func (c kindCase) form(t *testing.T, name, standard string, required bool, p Purpose) *Form {
	schema := c.schema
	if standard != "" {
		schema = strings.TrimSuffix(schema, "}") + `,"default":` + standard + `}`
	}
	text := `{"type":"object","properties":{"` + name + `":` + schema + `}`
	if required {
		text += `,"required":["` + name + `"]`
	}
	f := parseStill(t, text+"}", p)
	if field := f.Field(Path("/" + name)); field == nil || field.Kind != c.kind {
		t.Fatalf("%s is not of kind %s", schema, c.kind)
	}
	return f
}

// sends fails unless d sends x as want ("" is not at all) and says so before.
func sends(t *testing.T, d *Draft, want string) {
	t.Helper()
	if want != "" {
		want = `"x":` + want
	}
	content, errors := d.Content(Submit{})
	if string(content) != "{"+want+"}" {
		t.Errorf("sent %s, want {%s}; %s", content, want, sentences(errors))
	}
	if preview, _ := d.Preview(); string(compact(json.RawMessage(preview))) != string(content) {
		t.Errorf("read before sending:\n%s\nsent:\n%s", preview, content)
	}
}

// TestC3_EveryKindIsReviewedAndChangedBeforeSending.
func TestC3_EveryKindIsReviewedAndChangedBeforeSending(t *testing.T) {
	eachKind(t, func(t *testing.T, c kindCase, p Purpose) {
		d := c.form(t, "x", c.standard, false, p).NewDraft()
		sends(t, d, c.standard)
		c.change(d, "/x")
		sends(t, d, c.changed)
		d.Clear("/x")
		sends(t, d, "")
		d.Reset("/x")
		sends(t, d, c.standard)
	})
}

// TestC8_EveryKindHasItsControl, and nothing in it is called a fault.
func TestC8_EveryKindHasItsControl(t *testing.T) {
	eachKind(t, func(t *testing.T, c kindCase, p Purpose) {
		f := c.form(t, "x", c.standard, true, p)
		if said := f.Sentences(english); len(said) > 0 || !f.Answerable() {
			t.Errorf("answerable %t, problems %q", f.Answerable(), said)
		}
		if string(f.Field("/x").Default) != c.standard {
			t.Errorf("the default is %s", f.Field("/x").Default)
		}
	})
}

// TestC9_EveryKindIsCheckedBeforeSending, with a sentence in either language at
// the field, and nothing is sent.
func TestC9_EveryKindIsCheckedBeforeSending(t *testing.T) {
	chinese := i18n.New("zh-Hans")
	eachKind(t, func(t *testing.T, c kindCase, p Purpose) {
		type attempt struct {
			do func(d *Draft, p Path)
			at Path
		}
		attempts := []attempt{{func(d *Draft, p Path) { d.Clear(p) }, "/x"}}
		if c.wrong != nil {
			attempts = append(attempts, attempt{c.wrong, Path("/x" + c.where)})
		}
		for _, a := range attempts {
			d := c.form(t, "x", "", true, p).NewDraft()
			a.do(d, "/x")
			content, errors := d.Content(Submit{})
			if len(errors) == 0 {
				// Some kinds can be empty; then that is said.
				if notes := d.Notes("/x"); string(content) != `{"x":""}` && string(content) != `{"x":[]}` && string(content) != `{"x":{}}` || len(notes) == 0 && c.kind != Group {
					t.Errorf("sent %s, notes %v", content, notes)
				}
				continue
			}
			if content != nil || len(errors) != 1 || errors[0].Path != a.at {
				t.Errorf("sent %s, errors %+v", content, errors)
				continue
			}
			if en, zh := english.Text(errors[0].Message), chinese.Text(errors[0].Message); en == "" || zh == "" || en == zh {
				t.Errorf("said %q and %q", en, zh)
			}
			if within := d.CheckWithin("/x"); len(within) != 1 || within[0].Path != a.at {
				t.Errorf("when it is left: %+v", within)
			}
		}
	})
}

// TestC10_EveryKindIsFilledInBeforehand: a usable default stands there without
// a touch; without one, or with one that is not usable, nothing does.
func TestC10_EveryKindIsFilledInBeforehand(t *testing.T) {
	eachKind(t, func(t *testing.T, c kindCase, p Purpose) {
		d := c.form(t, "x", c.standard, false, p).NewDraft()
		sends(t, d, c.standard)
		if d.Touched() || d.State("/x") != Untouched {
			t.Error("a default counts as touching")
		}
		sends(t, c.form(t, "x", "", false, p).NewDraft(), "")
		bad := c.form(t, "x", c.bad, false, p)
		if c.kind == JSON { // whose default may be anything; the schema has the last word
			return
		}
		sends(t, bad.NewDraft(), "")
		if said := bad.Sentences(english); len(said) == 0 || bad.Field("/x").Default != nil {
			t.Errorf("the default %s is not called a fault: %q", c.bad, said)
		}
	})
}

// TestC11_EveryKindIsSentAsTheSchemaAsks, as another implementation sees it, and
// in an object.
func TestC11_EveryKindIsSentAsTheSchemaAsks(t *testing.T) {
	eachKind(t, func(t *testing.T, c kindCase, p Purpose) {
		reference := newReference(t, `{"type":"object","additionalProperties":false,"properties":{"x":`+c.schema+`}}`)
		for _, do := range []func(d *Draft, p Path){func(*Draft, Path) {}, c.change, func(d *Draft, p Path) { d.Clear(p) }} {
			d := c.form(t, "x", c.standard, false, p).NewDraft()
			do(d, "/x")
			content, errors := d.Content(Submit{})
			if len(content) == 0 || content[0] != '{' {
				t.Fatalf("sent %s: %s", content, sentences(errors))
			}
			if err := reference.Validate(instance(t, content)); err != nil {
				t.Errorf("sent %s: %v", content, err)
			}
		}
	})
}

// TestC12_C13_EveryKindCanBeLeftUnanswered: whatever is wrong with a field, and
// however often it is looked at, nothing is sent of it and nothing typed is
// lost; saying no or going away asks nothing of the form.
func TestC12_C13_EveryKindCanBeLeftUnanswered(t *testing.T) {
	eachKind(t, func(t *testing.T, c kindCase, p Purpose) {
		if c.wrong == nil {
			return
		}
		d := c.form(t, "x", "", true, p).NewDraft()
		c.wrong(d, "/x")
		saved := d.Save()
		for range 2 {
			if content, errors := d.Content(Submit{ConfirmSecrets: true}); content != nil || len(errors) == 0 {
				t.Errorf("sent %s", content)
			}
			d.Check()
			d.Preview()
			d.CheckWithin("")
			d.Notes("/x")
		}
		if again := d.Save(); string(again) != string(saved) {
			t.Errorf("the draft was %s and is %s", saved, again)
		}
	})
}

// TestC27_EveryKindThatHoldsASecretNeedsTheSecondYes: its text is masked until
// revealed, sent after the yes only, and in no error.
func TestC27_EveryKindThatHoldsASecretNeedsTheSecondYes(t *testing.T) {
	eachKind(t, func(t *testing.T, c kindCase, p Purpose) {
		d := c.form(t, "apiKey", "", false, p).NewDraft()
		c.change(d, "/apiKey")
		typed := d.SecretsTyped()
		content, errors := d.Content(Submit{})
		preview, _ := d.Preview()
		if !c.secret {
			if len(typed) > 0 || len(errors) > 0 || strings.Contains(preview, Mask) {
				t.Errorf("sent %s, errors %s, preview %s", content, sentences(errors), preview)
			}
			return
		}
		if len(typed) == 0 || content != nil || len(errors) != len(typed) || errors[0].Code != SecretUnconfirmed {
			t.Fatalf("%d secrets, sent %s, errors %s", len(typed), content, sentences(errors))
		}
		if !strings.Contains(preview, Mask) {
			t.Errorf("read before sending: %s", preview)
		}
		content, errors = d.Content(Submit{ConfirmSecrets: true})
		if len(errors) > 0 {
			t.Fatalf("after the yes: %s", sentences(errors))
		}
		var reveal []Path
		for _, f := range typed {
			reveal = append(reveal, f.Path)
		}
		if shown, _ := d.Preview(reveal...); string(compact(json.RawMessage(shown))) != string(content) {
			t.Errorf("revealed: %s, sent %s", shown, content)
		}
		if c.wrong == nil {
			return
		}
		const secret = "hunter2hunter2"
		d = c.form(t, "apiKey", "", false, p).NewDraft()
		for _, f := range typed {
			d.SetText(f.Path, secret+"\n"+secret+"\n"+secret)
		}
		for _, e := range d.Check() {
			if said := english.Text(e.Message); strings.Contains(said, "hunter2") {
				t.Errorf("an error tells the secret: %s", said)
			}
		}
	})
}
