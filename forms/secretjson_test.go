package forms

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestC27_SecretsInJSON: raw JSON with members that are named like secrets
// needs the second yes, and only they are masked in the preview.
func TestC27_SecretsInJSON(t *testing.T) {
	const canary = "s3cr3t-canary"
	for _, c := range []struct {
		text, preview string
		secret        bool
	}{
		{`{"user":"li","password":"` + canary + `"}`, `{"user":"li","password":"` + Mask + `"}`, true},
		{`{"headers":{"Authorization":"x","apiKey":"` + canary + `"},"n":1.50}`, `{"headers":{"Authorization":"` + Mask + `","apiKey":"` + Mask + `"},"n":1.50}`, true},
		{`[{"client_secret":["` + canary + `"]},[],{},{"a":null,"b":[true,false]}]`, `[{"client_secret":"` + Mask + `"},[],{},{"a":null,"b":[true,false]}]`, true},
		{`{"env":[{"name":"API_KEY","value":"` + canary + `"},{"name":"HOME","value":"/"}]}`, `{"env":[{"name":"API_KEY","value":"` + Mask + `"},{"name":"HOME","value":"/"}]}`, true},
		{`{"PIN":1234}`, `{"PIN":"` + Mask + `"}`, true},
		{`{"密码":"` + canary + `"}`, `{"密码":"` + Mask + `"}`, true},
		{`{"password":"","token":null,"secret":true,"pin":[]}`, `{"password":"","token":null,"secret":true,"pin":[]}`, false},
		{`{"max_tokens":5,"keyboard":"us","author":"x"}`, `{"max_tokens":5,"keyboard":"us","author":"x"}`, false},
		{`"password"`, `"password"`, false},
	} {
		for _, schema := range []string{`{}`, `{"type":["array","object","string"],"not":{"type":"null"}}`} {
			d := argument(t, schema, false).NewDraft()
			d.SetText("/p", c.text)
			if got := len(d.SecretsTyped()) == 1; got != c.secret {
				t.Errorf("%s: secret = %t", c.text, got)
			}
			content, errors := d.Content(Submit{})
			if (content == nil) != c.secret || c.secret && (len(errors) != 1 || errors[0].Code != SecretUnconfirmed) {
				t.Errorf("%s: sent %s without a second yes, %s", c.text, content, sentences(errors))
			}
			if content, _ := d.Content(Submit{ConfirmSecrets: true}); string(content) != `{"p":`+c.text+`}` {
				t.Errorf("%s: sent %s", c.text, content)
			}
			preview, _ := d.Preview()
			if strings.Contains(preview, canary) || string(compact(json.RawMessage(preview))) != `{"p":`+c.preview+`}` {
				t.Errorf("%s: preview %s", c.text, preview)
			}
			if preview, _ := d.Preview("/p"); string(compact(json.RawMessage(preview))) != `{"p":`+c.text+`}` {
				t.Errorf("%s revealed: %s", c.text, preview)
			}
			said := false
			for _, n := range d.Notes("/p") {
				said = said || n.ID == "forms.note.secretWithin"
			}
			if said != c.secret {
				t.Errorf("%s: notes %v", c.text, d.Notes("/p"))
			}
		}
	}
}

// TestC27_SecretKeys: an entry of a map is a secret by the key that the person
// gives it, and ceases to be one with another.
func TestC27_SecretKeys(t *testing.T) {
	d := argument(t, `{"type":"object","additionalProperties":{"type":"string"}}`, false).NewDraft()
	p := d.Add("/p")
	d.SetText(p, "canary")
	d.SetKey(p, "GITHUB_TOKEN")
	if preview, _ := d.Preview(); !d.Field(p).Secret || len(d.SecretsTyped()) != 1 || strings.Contains(preview, "canary") {
		t.Errorf("secret %t, preview %s", d.Field(p).Secret, preview)
	}
	d.SetKey(p, "colour")
	if content, errors := d.Content(Submit{}); d.Field(p).Secret || string(content) != `{"p":{"colour":"canary"}}` {
		t.Errorf("sent %s %s", content, sentences(errors))
	}
	rows := argument(t, `{"type":"array","items":{"type":"object","properties":{"login":{"type":"string"},"password":{"type":"string"}}}}`, false).NewDraft()
	if errors := rows.Apply(json.RawMessage(`{"p":[{"login":"li","password":"canary"}]}`)); len(errors) > 0 {
		t.Fatal(sentences(errors))
	}
	secrets := rows.SecretsTyped()
	preview, _ := rows.Preview()
	if len(secrets) != 1 || secrets[0].Path != rows.Rows("/p")[0]+"/password" || strings.Contains(preview, "canary") {
		t.Errorf("secrets %v, preview %s", secrets, preview)
	}
	named := argument(t, `{"type":"array","title":"x","items":{"type":"array","items":{"type":"string","title":"API key"}}}`, false)
	if f := named.Fields[0].Entry; f.Kind != List || !f.Secret {
		t.Errorf("a list of keys in rows: %+v", f)
	}
}

// TestC27_RawJSONKnowsWhatItsFieldsSay: writing as JSON what fields could hold
// is no way around the second yes.
func TestC27_RawJSONKnowsWhatItsFieldsSay(t *testing.T) {
	const k = `{"type":"string","description":"Your API key"}`
	for _, c := range []struct{ schema, text, preview string }{
		{`{"type":"object","properties":{"k":` + k + `,"n":{"type":"string"}}}`, `{"k":"s3cr3t","n":"x"}`, `{"k":"` + Mask + `","n":"x"}`},
		{`{"type":"array","items":{"type":"object","properties":{"k":` + k + `}}}`, `[{"k":"s3cr3t"},{}]`, `[{"k":"` + Mask + `"},{}]`},
		{`{"type":"object","additionalProperties":{"type":"object","properties":{"k":` + k + `}}}`, `{"a":{"k":"s3cr3t"}}`, `{"a":{"k":"` + Mask + `"}}`},
		{`{"type":"object","additionalProperties":` + k + `}`, `{"a":"s3cr3t"}`, `"` + Mask + `"`},
		{`{"anyOf":[{"type":"object","properties":{"k":` + k + `}},{"type":"boolean"}]}`, `{"k":"s3cr3t"}`, `{"k":"` + Mask + `"}`},
		{`{"anyOf":[` + k + `,{"type":"boolean"}]}`, `"s3cr3t"`, `"` + Mask + `"`},
	} {
		d := parseArguments(t, `{"type":"object","properties":{"x":`+c.schema+`}}`).NewDraft()
		d.SetText("/x", c.text)
		if !d.Raw("/x") {
			t.Fatalf("%s does not take raw JSON", c.schema)
		}
		preview, _ := d.Preview()
		content, errors := d.Content(Submit{})
		if got := string(compact(json.RawMessage(preview))); got != `{"x":`+c.preview+`}` || content != nil || len(errors) != 1 || errors[0].Code != SecretUnconfirmed {
			t.Errorf("%s: shown %s, sent %s, %s", c.schema, got, content, sentences(errors))
		}
		if content, _ := d.Content(Submit{ConfirmSecrets: true}); string(content) != `{"x":`+c.text+`}` {
			t.Errorf("after the yes: %s", content)
		}
	}
}
