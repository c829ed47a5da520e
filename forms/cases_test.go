package forms

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestFieldCases runs the faults that people met in other clients, by the ids
// of the collection they were reported in: what each schema becomes, what is
// said of it, and what an answer sends.
func TestFieldCases(t *testing.T) {
	rows := readLines[struct {
		ID, Note  string
		Schema    json.RawMessage
		Acts      json.RawMessage
		Want      string
		Errors    map[string]string
		Kinds     map[string]string
		Problems  map[string]string
		Arguments bool
	}](t, "cases.jsonl")
	for _, row := range rows {
		t.Run(row.ID+" "+row.Note, func(t *testing.T) {
			o := Options{Zone: madrid(t)}
			if row.Arguments {
				o.Purpose = Arguments
			}
			f := Parse(row.Schema, o)
			for name, want := range row.Kinds {
				if field := f.Field(Path("/" + name)); field == nil || string(field.Kind) != want {
					t.Errorf("field %s is %+v, want kind %s", name, field, want)
				}
			}
			for name, want := range row.Problems {
				if got := problemsOf(f, name); got != want {
					t.Errorf("problem of %q:\n%s, want\n%s", name, got, want)
				}
			}
			if row.ID == "B02" || row.ID == "B06" && row.Kinds["c"] != "unsupported" {
				if said := f.Sentences(english); len(said) > 0 {
					t.Errorf("a harmless schema is called a fault: %q", said)
				}
			}
			content, errors := answerWith(t, f, string(row.Acts))
			var want []string
			for name, sentence := range row.Errors {
				want = append(want, name+": "+sentence)
			}
			if content != row.Want || strings.Count(errors, "\n")+1 != max(1, len(want)) {
				t.Errorf("sent %s, want %s\n%s", content, row.Want, errors)
			}
			for _, line := range want {
				if !strings.Contains("\n"+errors+"\n", "\n"+line+"\n") {
					t.Errorf("errors\n%s\nwant among them\n%s", errors, line)
				}
			}
		})
	}
}

// TestFieldCases_NoneIsMissing: the cases about schemas (A), about what is sent
// (B) and those that our probe found (X), each by its id; docs/testing.md has
// the same.
func TestFieldCases_NoneIsMissing(t *testing.T) {
	rows := map[string]int{}
	for _, row := range readLines[struct{ ID string }](t, "cases.jsonl") {
		rows[row.ID]++
	}
	doc, err := os.ReadFile("../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range strings.Fields("B01 B02 B03 B05 B06 B08 B09 B10 B12 B13 B15 B16 B17 B19 B21 B22 B24 B25 X3 X4 X5") {
		if rows[id] < 2 {
			t.Errorf("%s has %d rows: its own inputs, and others of the kind", id, rows[id])
		}
		if !strings.Contains(string(doc), "| "+id+" |") {
			t.Errorf("docs/testing.md does not name %s", id)
		}
	}
}

// problemsOf are the sentences about one field, "" for those about the form.
func problemsOf(f *Form, name string) string {
	problems := f.Problems
	if field := f.Field(Path("/" + name)); field != nil {
		problems = field.Problems
	}
	var said []string
	for _, m := range problems {
		said = append(said, english.Text(m))
	}
	return strings.Join(said, " ")
}

// TestB06_ListAndChecklistLabels: the shapes of an enumeration differ, the
// labels a person sees do not.
func TestB06_ListAndChecklistLabels(t *testing.T) {
	for _, items := range []string{
		`{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`,
		`{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}`,
		`{"oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}`,
		`{"type":"string","oneOf":[{"enum":["a"],"title":"A"},{"const":"b","title":"B"}]}`,
	} {
		f := parseProperties(t, `"single":`+items+`,"many":{"type":"array","items":`+items+`}`)
		for i, kind := range []Kind{Choice, Checklist} {
			field := f.Fields[i]
			if field.Kind != kind || len(field.Options) != 2 || field.Options[0].Label != "A" || field.Options[1].Label != "B" {
				t.Errorf("%s as %s: %s %+v", items, kind, field.Kind, field.Options)
			}
		}
	}
}

// TestB08_LabelsFallBack: an option without a name shows its value, a field
// without a title its key.
func TestB08_LabelsFallBack(t *testing.T) {
	f := parseProperties(t, `"lang":{"enum":["ja","es"],"enumNames":["日本語"],"title":" "}`)
	field := f.Fields[0]
	if field.Label != "lang" || field.Options[0].Label != "日本語" || field.Options[1].Label != "es" {
		t.Errorf("label %q, options %+v", field.Label, field.Options)
	}
}

// TestB12_EveryKindInOneForm: the form of the twelve-probe table has a control
// of its own for every field.
func TestB12_EveryKindInOneForm(t *testing.T) {
	f := parseProperties(t, `
		"string":{"type":"string"},"minLength":{"type":"string","minLength":2},
		"email":{"type":"string","format":"email"},"enum":{"type":"string","enum":["a"]},
		"titled":{"type":"string","oneOf":[{"const":"a","title":"A"}]},
		"integer":{"type":"integer"},"bounded":{"type":"integer","minimum":1,"maximum":3},
		"number":{"type":"number"},"boolean":{"type":"boolean"},
		"multi":{"type":"array","items":{"type":"string","enum":["a"]}}`)
	want := []Kind{Text, Text, Email, Choice, Choice, Integer, Integer, Number, Boolean, Checklist}
	for i, field := range f.Fields {
		if field.Kind != want[i] {
			t.Errorf("%s is %s, want %s", field.Name, field.Kind, want[i])
		}
	}
	if len(f.Fields) != len(want) || len(f.Problems) > 0 {
		t.Errorf("%d fields, problems %v", len(f.Fields), f.Problems)
	}
}

// TestB13_PatternThatRunsAway: a pattern made to run for ever refuses nothing;
// the person is told that it could not be checked.
func TestB13_PatternThatRunsAway(t *testing.T) {
	f := parseProperties(t, `"p":{"type":"string","pattern":"^(a+)+$"}`)
	d := f.NewDraft()
	typed := strings.Repeat("a", 40) + "!"
	d.SetText("/p", typed)
	content, errors := d.Content(Submit{})
	if string(content) != `{"p":"`+typed+`"}` {
		t.Errorf("sent %s, errors %s", content, sentences(errors))
	}
	notes := d.Notes("/p")
	if len(notes) != 1 || notes[0].ID != "forms.note.patternSlow" {
		t.Errorf("notes %v", notes)
	}
}

// TestB13_PatternThatDoesNotCompile is a hint on the field, not an error.
func TestB13_PatternThatDoesNotCompile(t *testing.T) {
	f := parseProperties(t, `"p":{"type":"string","pattern":"(["}`)
	if h := f.Fields[0].Hints; len(h) != 1 || h[0].ID != "forms.hint.patternUnchecked" || len(f.Fields[0].Problems) > 0 {
		t.Errorf("hints %v, problems %v", h, f.Fields[0].Problems)
	}
}

// TestB17_NoSchema: nothing asked is a form that can be accepted.
func TestB17_NoSchema(t *testing.T) {
	for _, schema := range []string{"", "null", " null ", "{}", `{"type":"object"}`, `{"type":"object","properties":{}}`} {
		f := parseForm(t, schema)
		content, errors := f.NewDraft().Content(Submit{})
		if string(content) != "{}" || len(errors) > 0 || !f.Answerable() || len(f.Problems) > 0 {
			t.Errorf("schema %q: content %s, answerable %t, problems %v", schema, content, f.Answerable(), f.Problems)
		}
	}
}

// TestB25_ZoneIsNamed: the note says what is sent and in which zone.
func TestB25_ZoneIsNamed(t *testing.T) {
	d := parseProperties(t, `"t":{"type":"string","format":"date-time"}`).NewDraft()
	d.SetText("/t", "2026-07-04 10:00")
	notes := d.Notes("/t")
	if len(notes) != 1 || english.Text(notes[0]) != "Will be sent as 2026-07-04T10:00:00+02:00 (Europe/Madrid +02:00)" {
		t.Errorf("notes %v", notes)
	}
}

// TestB100_ManyOptions: two thousand options, two with one title, each of
// which can be picked by its index.
func TestB100_ManyOptions(t *testing.T) {
	var options []json.RawMessage
	for i := range 2000 {
		value, err := json.Marshal(map[string]any{"const": "v" + strings.Repeat("x", i%300), "title": "Same"})
		if err != nil {
			t.Fatal(err)
		}
		options = append(options, value)
	}
	options = append(options, json.RawMessage(`{"const":"last","title":"Same"}`))
	f := parseProperties(t, `"o":{"oneOf":`+string(joinArray(options))+`}`)
	d := f.NewDraft()
	d.Pick("/o", 2000)
	if content, _ := d.Content(Submit{}); string(content) != `{"o":"last"}` {
		t.Errorf("sent %s", content)
	}
}
