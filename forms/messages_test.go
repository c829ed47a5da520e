package forms

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/assets/i18n"
)

// TestEverySentenceIsInEveryLanguage: each key that the code can say stands in
// the catalogues, and each key of this room there is said by the code.
func TestEverySentenceIsInEveryLanguage(t *testing.T) {
	said := map[string]bool{}
	for _, kind := range shapeNames {
		said["forms.hint."+kind], said["forms.error."+kind] = true, true
	}
	for _, key := range []string{"forms.hint.choose", "forms.hint.entries", "forms.error.choose", "forms.error.entries"} {
		for _, end := range []string{"Exactly", "Between", "AtLeast", "AtMost"} {
			said[key+end] = true
		}
	}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	literal := regexp.MustCompile(`"(forms\.[a-z]+\.[A-Za-z]+)"`)
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(raw), -1) {
			said[m[1]] = true
		}
	}
	delete(said, "forms.hint.choose") // the stems of itemRange
	delete(said, "forms.hint.entries")
	for _, lang := range i18n.Languages {
		keys, err := i18n.Keys(lang)
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, k := range keys {
			if strings.HasPrefix(k, "forms.") {
				known[k] = true
				if !said[k] {
					t.Errorf("%s: %s is never said", lang, k)
				}
			}
		}
		for k := range said {
			if !known[k] {
				t.Errorf("%s lacks %s", lang, k)
			}
		}
	}
}

// TestSentencesAreComplete: no sentence of the cases leaves a value unfilled,
// in any language.
func TestSentencesAreComplete(t *testing.T) {
	for _, lang := range i18n.Languages {
		l := i18n.New(lang)
		for _, row := range readLines[struct{ Schema, Acts json.RawMessage }](t, "answers.jsonl") {
			f := parseForm(t, string(row.Schema))
			d := f.NewDraft()
			faults := d.Apply(row.Acts)
			faults = append(faults, d.Check()...)
			all := f.Sentences(l)
			for _, fault := range faults {
				all = append(all, l.Text(fault.Message))
			}
			for _, field := range f.Fields {
				for _, m := range append(field.Hints, d.Notes(field.Path)...) {
					all = append(all, l.Text(m))
				}
			}
			for _, s := range all {
				if strings.Contains(s, "<no value>") || strings.Contains(s, "{{") || strings.HasPrefix(s, "forms.") {
					t.Errorf("%s: %s", lang, s)
				}
			}
		}
	}
}
