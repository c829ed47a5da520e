package forms

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"parley/assets/i18n"
)

// TestEverySentenceIsInEveryLanguage: each key that the code can say stands in
// the catalogues, and each key of this room there is said by the code.
func TestEverySentenceIsInEveryLanguage(t *testing.T) {
	said := map[string]bool{}
	for _, shape := range shapeNames {
		said["forms.hint."+shape], said["forms.error."+shape] = true, true
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

// TestKindsHaveNames: in every language, each its own.
func TestKindsHaveNames(t *testing.T) {
	for _, lang := range i18n.Languages {
		l, seen := i18n.New(lang), map[string]Kind{}
		for k := range kindNames {
			name := l.Text((&Field{Kind: k}).KindName())
			if other, taken := seen[name]; taken || name == "" || strings.HasPrefix(name, "forms.") {
				t.Errorf("%s: kind %s is called %q, as is %s", lang, k, name, other)
			}
			seen[name] = k
		}
	}
}

// TestSentencesOfTheCheckOfTheWhole: whatever the library finds is said in
// words, in every language.
func TestSentencesOfTheCheckOfTheWhole(t *testing.T) {
	for _, lang := range i18n.Languages {
		l := i18n.New(lang)
		for _, k := range []jsonschema.ErrorKind{
			&kind.Type{Want: []string{"a"}}, &kind.Enum{}, &kind.Const{}, &kind.Required{Missing: strings.Split("abcdefgh", "")},
			&kind.DependentRequired{Prop: "a", Missing: []string{"b"}}, &kind.Dependency{Prop: "a", Missing: []string{"b"}},
			&kind.AdditionalProperties{Properties: []string{"a"}}, &kind.PropertyNames{Property: "a"}, &kind.MinLength{Want: 1}, &kind.MaxLength{Want: 2},
			&kind.Pattern{Want: "a", Got: "canary"}, &kind.Format{Want: "uuid", Got: "canary"}, &kind.Minimum{Want: big.NewRat(1, 2)}, &kind.Maximum{Want: big.NewRat(1, 3)},
			&kind.ExclusiveMinimum{Want: big.NewRat(1, 1)}, &kind.ExclusiveMaximum{Want: big.NewRat(5, 1)}, &kind.MultipleOf{Want: big.NewRat(1, 4)},
			&kind.MinItems{Want: 1}, &kind.MaxItems{Want: 2}, &kind.MinProperties{Want: 1}, &kind.MaxProperties{Want: 2}, &kind.UniqueItems{},
			&kind.OneOf{}, &kind.OneOf{Subschemas: []int{0, 1}}, &kind.AnyOf{}, &kind.Not{}, &kind.FalseSchema{}, &kind.Contains{}, &kind.MaxContains{}, &kind.RefCycle{},
		} {
			s := l.Text(finalSentence(k))
			if s == "" || strings.Contains(s, "<no value>") || strings.HasPrefix(s, "forms.") || strings.Contains(s, "canary") {
				t.Errorf("%s: %T is said as %q", lang, k, s)
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
