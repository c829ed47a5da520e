package forms

import (
	"os"
	"strings"
	"testing"
)

// TestC27_SecretWords runs the word lists of testdata: every line of the one
// asks for a secret, no line of the other does, as a key, as a title and as a
// description.
func TestC27_SecretWords(t *testing.T) {
	for file, want := range map[string]bool{"secret.txt": true, "harmless.txt": false} {
		raw, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if got := looksSecret(line, "", "", ""); got != want {
				t.Errorf("key %q: secret = %t", line, got)
			}
			if got := looksSecret("x", line, "", ""); got != want {
				t.Errorf("title %q: secret = %t", line, got)
			}
			if got := looksSecret("x", "", line, ""); got != want && (!want || !lone(line)) {
				t.Errorf("description %q: secret = %t", line, got)
			}
		}
	}
}

// lone reports whether a line is a secret only as a name: a token in a
// sentence may be anything.
func lone(line string) bool {
	words := splitWords(line)
	return contains(words, "token") && !saysSecret(line)
}

// TestC27_OnlyWhatCanBeTyped: a choice, a yes/no or a date holds no secret.
func TestC27_OnlyWhatCanBeTyped(t *testing.T) {
	f := parseProperties(t, `"password":{"type":"boolean"},"secret":{"enum":["a","b"]},"token":{"type":"string","format":"date"},
		"x":{"type":"string","format":"password"},"apiKeys":{"type":"array","items":{"type":"string"}}`)
	for _, field := range f.Fields {
		if want := field.Name == "x" || field.Name == "apiKeys"; field.Secret != want {
			t.Errorf("%s: secret = %t", field.Name, field.Secret)
		}
	}
}

// TestWordsAreCut: the ways to write several words in one name.
func TestWordsAreCut(t *testing.T) {
	for text, want := range map[string]string{
		"apiKey": "api key", "APIKey": "api key", "API_KEY": "api key", "api-key.2": "api key 2",
		"ＡＰＩ　ｋｅｙ": "api key", "": "", "--": "", "卡号 CVV": "卡号 cvv", "userID": "user id",
	} {
		if got := strings.Join(splitWords(text), " "); got != want {
			t.Errorf("%q is cut into %q, want %q", text, got, want)
		}
	}
}
