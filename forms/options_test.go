package forms

import (
	"slices"
	"testing"
)

func TestOptions_KeepWhatTheServerSaysOfThem(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		kind         Kind
		want         []Option
	}{
		{"oneOf", `{"type":"string","oneOf":[{"const":"a","title":"A","description":"the first"},{"const":"b"}]}`, Choice,
			[]Option{{Label: "A", Description: "the first"}, {Label: "b"}}},
		{"anyOf of a checklist", `{"type":"array","items":{"anyOf":[{"const":"a","description":"the first"},{"const":"b","title":"B","description":"x\ny"}]}}`, Checklist,
			[]Option{{Label: "a", Description: "the first"}, {Label: "B", Description: "x\ny"}}},
		{"an enum of one", `{"oneOf":[{"enum":["a"],"description":"the first"},{"enum":["b","c"],"description":"of both, so of none"}]}`, Choice,
			[]Option{{Label: "a", Description: "the first"}, {Label: "b"}, {Label: "c"}}},
		{"no text", `{"oneOf":[{"const":"a","description":5},{"const":"b","description":null}]}`, Choice,
			[]Option{{Label: "a"}, {Label: "b"}}},
		{"yes and no, with a word on each", `{"type":"boolean","oneOf":[{"const":true,"description":"now"},{"const":false,"description":"later"}]}`, Choice,
			[]Option{{Label: "true", Description: "now"}, {Label: "false", Description: "later"}}},
		{"yes and no alone", `{"type":"boolean","oneOf":[{"const":true},{"const":false}]}`, Boolean, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Parse([]byte(`{"type":"object","properties":{"x":`+c.schema+`}}`), Options{}).Fields[0]
			if f.Kind != c.kind {
				t.Errorf("the field is %s, want %s: %v", f.Kind, c.kind, f.Problems)
			}
			var got []Option
			for _, o := range f.Options {
				got = append(got, Option{Label: o.Label, Description: o.Description})
			}
			if !slices.EqualFunc(got, c.want, func(a, b Option) bool { return a.Label == b.Label && a.Description == b.Description }) {
				t.Errorf("options are %+v, want %+v", got, c.want)
			}
		})
	}
}
