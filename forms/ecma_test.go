package forms

import (
	"testing"
	"time"
)

// TestB13_PropertyEscapes: property escapes of ECMA-262 are checked, by script
// and by the long names of categories, in and out of classes.
func TestB13_PropertyEscapes(t *testing.T) {
	for _, c := range []struct{ pattern, good, bad string }{
		{`^\p{Script=Han}+$`, "汉字", "a"},
		{`^\p{sc=Greek}$`, "α", "a"},
		{`^\p{sc=Hira}+$`, "ひら", "カ"},
		{`^[\p{Script=Latin}\d]+$`, "aé9", "я"},
		{`^\P{Script=Han}$`, "a", "汉"},
		{`^[^\p{Script=Han}]$`, "a", "汉"},
		{`^\p{Letter}\p{Lowercase_Letter}$`, "汉a", "汉A"},
		{`^\p{gc=Nd}$`, "٣", "x"},
		{`^\p{L}\p{Lu}$`, "aA", "aa"},
		{`^\p{ASCII}$`, "]", "é"},
		{`^[\]\p{ASCII}]$`, "]", "é"},
		{`^(?<year>\d+)(?=x)(?:x)(?!y)$`, "1x", "1"},
		{`^\p{Script=Han}$`, "𠀀", "😀"},
	} {
		p := compilePattern(c.pattern, newPatternTime(time.Now))
		if p == nil {
			t.Errorf("%s does not compile", c.pattern)
			continue
		}
		if ok, checked := p.matches(c.good); !ok || !checked {
			t.Errorf("%s refuses %q", c.pattern, c.good)
		}
		if ok, checked := p.matches(c.bad); ok || !checked {
			t.Errorf("%s takes %q", c.pattern, c.bad)
		}
	}
}

// TestB13_PatternsThatAreNotECMA: what other languages have, and what the
// engine has not, is said not to be checked, in the window and by --check.
func TestB13_PatternsThatAreNotECMA(t *testing.T) {
	for _, pattern := range []string{`(?i)a`, `(?>a)`, `(?#x)a`, `\\p{Script=Nowhere}`, `\\p{Emoji}`, `[`, `(`, `a{2,1}`} {
		f := parseProperties(t, `"a":{"type":"string","pattern":"`+pattern+`"}`)
		faults := f.Fields[0].faults()
		if f.Fields[0].pattern != nil || len(faults) != 1 || faults[0].ID != "forms.hint.patternUnchecked" {
			t.Errorf("%s: says %v", pattern, faults)
		}
	}
}

// TestKeyTwice: JSON in which a key stands twice in one object is sent as it is
// and said.
func TestKeyTwice(t *testing.T) {
	for text, twice := range map[string]bool{
		`{"a":1,"a":2}`: true, `[{"k":"a","k":"b"}]`: true, `{"x":{"b":[{"c":1,"\u0063":2}]}}`: true,
		`{"a":{"a":1},"b":{"a":1}}`: false, `[{"a":"a"},{"a":"a"}]`: false, `{"a":"b","b":"a"}`: false, `"a"`: false, `[]`: false,
	} {
		d := argument(t, `{}`, false).NewDraft()
		d.SetText("/p", text)
		notes := d.Notes("/p")
		if (len(notes) == 1 && notes[0].ID == "forms.note.keyTwice") != twice {
			t.Errorf("%s: %v", text, notes)
		}
	}
}
