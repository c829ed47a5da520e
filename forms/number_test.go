package forms

import (
	"strings"
	"testing"
)

// TestExponentsBeyondAllBounds: zero is zero with any exponent; of other
// numbers the sentence says what is wrong with them.
func TestExponentsBeyondAllBounds(t *testing.T) {
	const (
		up, down = "e99999999999999999999", "e-99999999999999999999"
		digits   = "The number is too long: at most 1000 digits."
		far      = "” is too large or too close to zero: the number after the e may lie between -1000000000000 and 1000000000000."
		decimals = "” is not a whole number. Write one without decimals, for example 12."
	)
	for _, c := range []struct{ typed, integer, number string }{
		{"0" + up, `0`, `0` + up},
		{"0" + down, `0`, `0` + down},
		{"-0.000" + up, `0`, `-0.000` + up},
		{"0e1000000000001", `0`, `0e1000000000001`},
		{"1" + up, digits, "“1" + up + far},
		{"1" + down, "“1" + down + decimals, "“1" + down + far},
		{"-1.5E+99999999999999999999", digits, "“-1.5E+99999999999999999999" + far},
		{"1e1000000000001", digits, "“1e1000000000001" + far},
		{".5" + up, digits, "“0.5" + up + far},
		{"1e1000000000000", digits, `1e1000000000000`},
		{"1e-1000000000000", "“1e-1000000000000" + decimals, `1e-1000000000000`},
		{strings.Repeat("1", 5000), digits, "The number is too long: at most 4096 digits."},
		{strings.Repeat("1", 1001), digits, strings.Repeat("1", 1001)},
		{strings.Repeat("1", 100) + ".", "This is not a whole number, for example 12.", "This is not a number, for example 12 or 3.5."},
		{"5.", "Write “5.” as 5.", "Write “5.” as 5."},
	} {
		for kind, want := range map[string]string{"integer": c.integer, "number": c.number} {
			d := parseProperties(t, `"n":{"type":"`+kind+`"}`).NewDraft()
			d.SetText("/n", c.typed)
			content, errors := d.Content(Submit{})
			if got := string(content); got != `{"n":`+want+`}` && sentences(errors) != "n: "+want {
				t.Errorf("%.40s as %s: sent %.80s, says %.200s, want %.200s", c.typed, kind, got, sentences(errors), want)
			}
		}
	}
}

// TestASuggestedSpellingIsAccepted: no sentence asks to write a number as it
// was written, or in a way that is refused itself.
func TestASuggestedSpellingIsAccepted(t *testing.T) {
	suggestions := 0
	for _, kind := range []string{"integer", "number"} {
		f := parseProperties(t, `"n":{"type":"`+kind+`"}`)
		for _, typed := range strings.Split("1,5|.5|5.|-.5|0x1f|-0xFF|1 000|1'000'000.5|\u22125|\u2212 5|0e99999999999999,|.0e99999999999999999|1.e5|"+
			".5e99999999999999|1_000|0x0|-0x0|00.5.|+,5|0,0|,|.|-|e5|1e|1e+|٣|１，５|"+strings.Repeat("9", 80)+".|"+strings.Repeat("1 ", 90), "|") {
			d := f.NewDraft()
			d.SetText("/n", typed)
			for _, fault := range d.Check() {
				if fault.Message.ID != "forms.error.spelling" {
					continue
				}
				suggestions++
				right, ok := fault.Message.Data["Right"].(string)
				if again := f.NewDraft(); !ok || right == typed || right == fault.Message.Data["Typed"] {
					t.Errorf("%s: %q is to be written as %q", kind, typed, right)
				} else if again.SetText("/n", right); len(again.Check()) > 0 {
					t.Errorf("%s: %q, suggested for %q, is refused: %s", kind, right, typed, sentences(again.Check()))
				}
			}
		}
	}
	if suggestions == 0 {
		t.Error("nothing was suggested")
	}
}
