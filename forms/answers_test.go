package forms

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
	_ "time/tzdata"
)

var english = i18n.New("en")

// madrid is a zone with clock changes, so that tests do not depend on the
// computer's.
func madrid(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// parseForm parses a schema in Madrid.
func parseForm(t testing.TB, schema string) *Form {
	t.Helper()
	return Parse(json.RawMessage(schema), Options{Zone: madrid(t)})
}

// parseProperties parses the schema of an object with these properties.
func parseProperties(t testing.TB, properties string, required ...string) *Form {
	t.Helper()
	list, err := json.Marshal(required)
	if err != nil {
		t.Fatal(err)
	}
	if required == nil {
		list = []byte("[]")
	}
	return parseForm(t, fmt.Sprintf(`{"type":"object","properties":{%s},"required":%s}`, properties, list))
}

// answer fills the form with acts and returns the content, or the errors as
// "name: sentence" lines.
func answerWith(t testing.TB, f *Form, acts string) (content, errors string) {
	t.Helper()
	d := f.NewDraft()
	if faults := d.Apply(json.RawMessage(acts)); len(faults) > 0 {
		return "", sentences(faults)
	}
	raw, faults := d.Content(Submit{})
	return string(raw), sentences(faults)
}

func sentences(faults []FieldError) string {
	var lines []string
	for _, f := range faults {
		lines = append(lines, f.Name+": "+english.Text(f.Message))
	}
	return strings.Join(lines, "\n")
}

// readLines reads a JSON-lines file of testdata.
func readLines[T any](t testing.TB, name string) []T {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []T
	scanner := bufio.NewScanner(bytes.NewReader(raw))
	scanner.Buffer(nil, 1<<20)
	for line := 1; scanner.Scan(); line++ {
		var row T
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", name, line, err)
		}
		rows = append(rows, row)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestAnswers runs the table of answers: what the person did, and the bytes
// that go out or the sentences that say why none do.
func TestAnswers(t *testing.T) {
	rows := readLines[struct {
		Rule   string
		Schema json.RawMessage
		Acts   json.RawMessage
		Want   string
		Errors map[string]string
	}](t, "answers.jsonl")
	for _, row := range rows {
		t.Run(row.Rule, func(t *testing.T) {
			f := Parse(row.Schema, Options{Zone: madrid(t)})
			d := f.NewDraft()
			if faults := d.Apply(row.Acts); len(faults) > 0 {
				t.Fatalf("acts %s: %s", row.Acts, sentences(faults))
			}
			content, faults := d.Content(Submit{})
			if string(content) != row.Want {
				t.Errorf("acts %s:\nsent %s\nwant %s\n%s", row.Acts, content, row.Want, sentences(faults))
			}
			got := map[string]string{}
			for _, fault := range faults {
				got[fault.Name] = english.Text(fault.Message)
			}
			if len(got) != len(row.Errors) {
				t.Errorf("acts %s: errors %q, want %q", row.Acts, got, row.Errors)
			}
			for name, want := range row.Errors {
				if got[name] != want {
					t.Errorf("acts %s: field %s says\n%q, want\n%q", row.Acts, name, got[name], want)
				}
			}
		})
	}
}
