package forms

import (
	"encoding/json"
	"strconv"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// Describe is the form's fields as the command line prints them: a JSON array
// of {name, label, kind, required, secret, default, options: [{value, label}],
// problem}, groups with their fields. required and secret are always there; of
// the others a key without a value is left out. Values are raw, sentences are
// in l's language.
func (f *Form) Describe(l *i18n.Localizer) json.RawMessage {
	return describeFields(f.Fields, l)
}

// DescribeCheck is what "parley form --check" prints: {fields, problems,
// answerable}.
func (f *Form) DescribeCheck(l *i18n.Localizer) json.RawMessage {
	var problems []json.RawMessage
	for _, s := range f.Sentences(l) {
		problems = append(problems, rawjson.Quote(s))
	}
	var w objectWriter
	w.put("fields", f.Describe(l))
	w.put("problems", joinArray(problems))
	w.put("answerable", strconv.AppendBool(nil, f.Answerable()))
	return w.end()
}

// Sentences are all problems in l's language, the form's first, then those of
// the fields with their names in front. They may hold server text.
func (f *Form) Sentences(l *i18n.Localizer) []string {
	var sentences []string
	for _, m := range f.Problems {
		sentences = append(sentences, l.Text(m))
	}
	var walk func(fields []*Field)
	walk = func(fields []*Field) {
		for _, f := range fields {
			for _, m := range f.Problems {
				sentences = append(sentences, l.T("forms.problem.inField", "Name", f.shownName(), "Problem", m))
			}
			walk(f.Children)
		}
	}
	walk(f.Fields)
	return sentences
}

func describeFields(fields []*Field, l *i18n.Localizer) json.RawMessage {
	var list []json.RawMessage
	for _, f := range fields {
		list = append(list, f.describe(l))
	}
	return joinArray(list)
}

func (f *Field) describe(l *i18n.Localizer) json.RawMessage {
	var w objectWriter
	w.put("name", nameLiteral(f.Key))
	w.put("label", rawjson.Quote(f.Label))
	w.put("kind", rawjson.Quote(string(f.Kind)))
	w.put("required", strconv.AppendBool(nil, f.Required))
	w.put("secret", strconv.AppendBool(nil, f.Secret))
	if f.Default != nil {
		w.put("default", compact(f.Default))
	}
	if len(f.Options) > 0 {
		var options []json.RawMessage
		for _, o := range f.Options {
			var ow objectWriter
			ow.put("value", o.Raw)
			ow.put("label", rawjson.Quote(o.Label))
			options = append(options, ow.end())
		}
		w.put("options", joinArray(options))
	}
	if len(f.Problems) > 0 {
		var sentences []string
		for _, m := range f.Problems {
			sentences = append(sentences, l.Text(m))
		}
		w.put("problem", rawjson.Quote(strings.Join(sentences, " ")))
	}
	if f.Kind == Group {
		w.put("fields", describeFields(f.Children, l))
	}
	return w.end()
}

// nameLiteral spells a key in the one way of [rawjson.Quote].
func nameLiteral(key json.RawMessage) json.RawMessage {
	s, _ := rawjson.Decode(key)
	return rawjson.Quote(s)
}

// objectWriter writes a JSON object member by member.
type objectWriter struct{ out []byte }

func (w *objectWriter) put(key string, value json.RawMessage) {
	if len(w.out) == 0 {
		w.out = append(w.out, '{')
	} else {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, rawjson.Quote(key)...)
	w.out = append(w.out, ':')
	w.out = append(w.out, value...)
}

func (w *objectWriter) end() json.RawMessage {
	if len(w.out) == 0 {
		return json.RawMessage("{}")
	}
	return append(w.out, '}')
}
