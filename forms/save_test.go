package forms

import (
	"encoding/json"
	"errors"
	"testing"
)

// TestSavedDraftsComeBackExactly: every kind and state, half-typed and wrong
// text included.
func TestSavedDraftsComeBackExactly(t *testing.T) {
	f := parseProperties(t, `
		"t":{"type":"string","default":"x"},"u":{"type":"string"},"n":{"type":"number"},"d":{"type":"string","format":"date"},
		"b":{"type":"boolean"},"c":{"enum":["","a","a"]},"k":{"type":"array","items":{"enum":["a","b","c"]}},
		"l":{"type":"array","items":{"type":"string"}},"m":{"type":"array","items":{"type":"string"}},"é/~":{"type":"string"}`)
	d := f.NewDraft()
	d.Clear("/t")
	d.SetText("/u", " \"<&>\u2028\n陈🎉 ")
	d.SetText("/n", "1,5")
	d.SetText("/d", "2026-0")
	d.SetBool("/b", false)
	d.Pick("/c", 2)
	d.SetTicks("/k", 2, 0)
	d.SetLines("/l", "a", "", "b\nc")
	d.SetText("/m", "a\n\nb")
	d.SetText(f.Fields[9].Path, "y")
	saved := d.Save()
	back := f.NewDraft()
	if err := back.Restore(saved); err != nil {
		t.Fatal(err)
	}
	if again := back.Save(); string(again) != string(saved) {
		t.Errorf("saved\n%s\nrestored and saved\n%s", saved, again)
	}
	for _, field := range f.Fields {
		if back.State(field.Path) != d.State(field.Path) || back.Text(field.Path) != d.Text(field.Path) {
			t.Errorf("%s is %q, was %q", field.Name, back.Text(field.Path), d.Text(field.Path))
		}
	}
	if back.Picked("/c") != 2 {
		t.Errorf("of two equal options %d is picked, was 2", back.Picked("/c"))
	}
	d.SetText("/n", "1.5")
	back.SetText("/n", "1.5")
	d.Clear("/d")
	back.Clear("/d")
	want, _ := d.Content(Submit{})
	if got, _ := back.Content(Submit{}); string(got) != string(want) || want == nil {
		t.Errorf("restored sends %s, want %s", got, want)
	}
}

// TestRestoreRefusesAnotherForm: what does not fit is an error, and the draft
// stays as it was.
func TestRestoreRefusesAnotherForm(t *testing.T) {
	f := parseProperties(t, `"t":{"type":"string"},"c":{"enum":["a","b"]},"k":{"type":"array","items":{"enum":["a","b"]}},"b":{"type":"boolean"},"u":{"type":"object"}`)
	d := f.NewDraft()
	d.SetText("/t", "kept")
	for _, saved := range []string{
		`{"/none":{"text":"x"}}`, `{"/t":{"yes":true}}`, `{"/t":{"lines":["a"]}}`, `{"/t":{}}`, `{"/t":7}`, `{"/t":{"text":7}}`, `{"/t":{"odd":1}}`,
		`{"/c":{"options":[0],"values":["b"]}}`, `{"/c":{"options":[5],"values":["a"]}}`, `{"/c":{"options":[0,1],"values":["a","b"]}}`,
		`{"/c":{"options":[],"values":[]}}`, `{"/c":{"options":[0]}}`, `{"/k":{"options":[1,0],"values":["b","a"]}}`, `{"/k":{"options":["x"],"values":["b"]}}`,
		`{"/b":{"text":"x"}}`, `{"/u":{"text":"x"}}`, `{"/t":{"cleared":false}}`,
	} {
		if err := d.Restore(json.RawMessage(saved)); !errors.Is(err, ErrDraftMismatch) {
			t.Errorf("%s: error %v", saved, err)
		}
	}
	for _, saved := range []string{"", "[]", "{", "nul"} {
		if err := d.Restore(json.RawMessage(saved)); err == nil {
			t.Errorf("%q is restored", saved)
		}
	}
	if d.Text("/t") != "kept" {
		t.Errorf("draft is now %s", d.Save())
	}
}
