package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHeaders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "value")
	for content, want := range map[string]string{
		"Bearer x":       "Bearer x",
		"Bearer x\n":     "Bearer x",
		"Bearer x\r\n":   "Bearer x",
		" Bearer x \t\n": "Bearer x",
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if name, got, err := parseHeader("Authorization: @" + file); err != nil || name != "Authorization" || got != want {
			t.Errorf("a file with %q: %q %q (%v), want %q", content, name, got, err, want)
		}
	}
	for text, want := range map[string][2]string{
		"K: V":         {"K", "V"},
		"K:V":          {"K", "V"},
		"X-a_b.1:  V ": {"X-a_b.1", "V"},
		"K: a:b":       {"K", "a:b"},
		"K:":           {"K", ""},
		"K: é 张":       {"K", "é 张"},
		"K: a\tb":      {"K", "a\tb"},
		"K: a @b":      {"K", "a @b"},
	} {
		if name, got, err := parseHeader(text); err != nil || name != want[0] || got != want[1] {
			t.Errorf("%q: %q %q (%v), want %q", text, name, got, err, want)
		}
	}
	for _, text := range []string{
		"", "canary", ": canary", "a b: canary", "ключ: canary", "K : canary", "K: canary\nX: y", "K: canary\x00", "K: @" + file + ".missing",
	} {
		_, _, err := parseHeader(text)
		if err == nil {
			t.Errorf("%q is taken", text)
		} else if strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: its error repeats the value: %v", text, err)
		}
	}
}
