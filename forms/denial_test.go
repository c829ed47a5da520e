package forms

import (
	"os"
	"strings"
	"testing"
)

// TestC27_Denials: a text that tells people to keep a secret out of the field
// asks for none; one that only sounds like it still does.
func TestC27_Denials(t *testing.T) {
	raw, err := os.ReadFile("testdata/denials.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := false
	lines := 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "# asks"):
			want = true
		case line == "" || strings.HasPrefix(line, "#"):
		default:
			lines++
			if got := looksSecret("x", "", line, ""); got != want {
				t.Errorf("%q: secret = %t, what is left: %q", line, got, withoutDenials(line))
			}
			if got := looksSecret("x", line, "", ""); got != want {
				t.Errorf("title %q: secret = %t", line, got)
			}
			if !looksSecret("password", "", line, "") {
				t.Errorf("%q makes a field named password harmless", line)
			}
		}
	}
	if lines < 60 {
		t.Errorf("only %d lines", lines)
	}
}
