package mcpclient

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestREADME_SaysWhatEveryDependencyIsFor: each module that go.mod requires for code of
// ours has its row in the table.
func TestREADME_SaysWhatEveryDependencyIsFor(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "\n## Dependencies\n")
	table, _, _ = strings.Cut(table, "\n## ")
	direct := regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1)
	if len(direct) == 0 {
		t.Fatal("go.mod requires nothing")
	}
	for _, m := range direct {
		if !strings.Contains(table, "`"+m[1]+"`") {
			t.Errorf("README.md does not say what %s is used for", m[1])
		}
	}
}
