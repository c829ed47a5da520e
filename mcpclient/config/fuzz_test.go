package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzReadText reads whatever a person may paste: it never breaks, offers only
// what could be added, and prints nothing of a value.
func FuzzReadText(f *testing.F) {
	files, _ := filepath.Glob("testdata/import/*.json")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw))
	}
	for _, text := range []string{`npx -y "a b" $X ${Y:-z} ~/x \'`, "claude mcp add n -e A=b --header 'C: d' -t http https://a.example/", "vscode:mcp/install?%7B%7D",
		"cursor://a/mcp/install?name=x&config=e30=", "```json\n{}\n```", `"a": {"command": ["b", "c"]},`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src, err := ReadText(text)
		if err != nil {
			if english.Text(err.(*ReadError).Sentence()) == "" {
				t.Error("no sentence says why")
			}
			return
		}
		answers := map[string]string{}
		for _, in := range src.Inputs {
			answers[in.ID] = "answer"
		}
		for _, o := range src.Offers {
			f := o.With(answers)
			if o.Server.Name == "" || f.Server.Name != o.Server.Name || f.Server.Kind != o.Server.Kind {
				t.Errorf("offered as %q %q, added as %q %q", o.Server.Name, o.Server.Kind, f.Server.Name, f.Server.Kind)
			}
			for name := range f.Typed.Env {
				if _, plain := f.Server.Env[name]; plain {
					t.Errorf("%q is a secret and stands in the list", name)
				}
			}
			if !strings.HasPrefix(o.String(), "[offer ") {
				t.Error("an offer prints more than its name")
			}
		}
	})
}
