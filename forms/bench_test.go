package forms

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// manyFields is a schema of n properties of every kind of the specification.
func manyFields(n int) json.RawMessage {
	g := newGenerator(1)
	var properties []string
	for i := range n {
		properties = append(properties, fmt.Sprintf(`"p%d":%s`, i, g.property()))
	}
	return json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`)
}

// BenchmarkParse200Fields parses a form of 200 fields of every kind, as a
// question and as the arguments of a tool (whose schema is compiled too).
func BenchmarkParse200Fields(b *testing.B) {
	schema := manyFields(200)
	for name, purpose := range map[string]Purpose{"question": Elicitation, "arguments": Arguments} {
		b.Run(name, func(b *testing.B) {
			o := Options{Purpose: purpose, Zone: madrid(b)}
			if n := len(Parse(schema, o).Fields); n != 200 {
				b.Fatalf("%d fields", n)
			}
			b.SetBytes(int64(len(schema)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(schema, o)
			}
		})
	}
}

// BenchmarkKeystroke300Fields is what a key pressed in a form of 300 fields
// asks of the model: the text is set, its field checked, its notes read.
func BenchmarkKeystroke300Fields(b *testing.B) {
	f := Parse(manyFields(300), Options{Zone: madrid(b)})
	d := f.NewDraft()
	var typed *Field
	for _, field := range f.Fields {
		if field.Kind == Text {
			typed = field
		}
	}
	text := [2]string{"ab", "abc"}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		d.SetText(typed.Path, text[i%2])
		d.CheckField(typed.Path)
		d.Notes(typed.Path)
		i++
	}
}

// BenchmarkCheck300Fields reads the whole form, as on submit.
func BenchmarkCheck300Fields(b *testing.B) {
	for name, purpose := range map[string]Purpose{"question": Elicitation, "arguments": Arguments} {
		b.Run(name, func(b *testing.B) {
			d := Parse(manyFields(300), Options{Purpose: purpose, Zone: madrid(b)}).NewDraft()
			if errors := d.Check(); len(errors) > 0 {
				b.Fatal(sentences(errors))
			}
			b.ReportAllocs()
			for b.Loop() {
				d.Check()
			}
		})
	}
}

// BenchmarkKeystrokeInRows types into one of 200 rows.
func BenchmarkKeystrokeInRows(b *testing.B) {
	d := argument(b, itemsSchema, false).NewDraft()
	var row Path
	for range 200 {
		row = d.Add("/p")
	}
	b.ReportAllocs()
	for b.Loop() {
		d.SetText(row+"/name", "pen")
		d.CheckField(row + "/name")
		d.Notes(row + "/name")
	}
}
