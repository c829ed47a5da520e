package mcpclient

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFieldCases_TheTableInTheDocsIsTrue: every file that docs/testing.md names
// for a field case has a test, a script or a data row with the case's id, and
// no file of this kind is left out.
func TestFieldCases_TheTableInTheDocsIsTrue(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "testing.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| ([BX][0-9]+) \| .+ \| (.+) \|$`)
	file := regexp.MustCompile("`([^`]+)`")
	rows := row.FindAllStringSubmatch(string(doc), -1)
	if len(rows) < 30 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	listed := map[string]string{} // by file: the ids
	for _, r := range rows {
		for _, f := range file.FindAllStringSubmatch(r[2], -1) {
			text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(f[1])))
			if err != nil {
				t.Errorf("%s: %v", r[1], err)
				continue
			}
			if !regexp.MustCompile(`(_|Test|"|\b)` + r[1] + `(_|"|\b)`).Match(text) {
				t.Errorf("%s: nothing in %s carries the id", r[1], f[1])
			}
			listed[f[1]] += " " + r[1] + " "
		}
	}
	files, err := filepath.Glob("cases_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`[BX][0-9]+`)
	test := regexp.MustCompile(`(?m)^func Test((?:[BX][0-9]+_)+)`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range test.FindAllStringSubmatch(string(text), -1) {
			for _, i := range id.FindAllString(name[1], -1) {
				if !strings.Contains(listed["mcpclient/"+f], " "+i+" ") {
					t.Errorf("the row of %s leaves out %s", i, f)
				}
			}
		}
	}
}
