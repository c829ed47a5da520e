package forms

import (
	"encoding/json"
	"strconv"
	"strings"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/forms/rawjson"
)

// Describe is the form's fields as the command line prints them: a JSON array
// of {name, label, kind, required, secret, default, options: [{value, label}],
// problem}, groups with their fields, rows and maps with what an entry is like
// (entry, and keys for the rule of a map's keys), variants with their
// alternatives (variants). nullable, fixed, inline and closed are there where
// they are true. Entries and alternatives have no name and no required; else
// required and secret are always there. Of the others a key without a value is
// left out. Names, labels and values are raw; sentences (problem) are in l's
// language and safe to show, whatever the server put into them.
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
// the fields with their names in front, each safe to show.
func (f *Form) Sentences(l *i18n.Localizer) []string {
	var sentences []string
	for _, m := range f.Problems {
		sentences = append(sentences, sentence(l, m))
	}
	var walk func(f *Field, owner string)
	walk = func(f *Field, owner string) {
		name := f.nameBelow(owner)
		for _, m := range f.Problems {
			sentences = append(sentences, sentence(l, i18n.M("forms.problem.inField", "Name", name, "Problem", m)))
		}
		for _, c := range f.Children {
			walk(c, name)
		}
		if f.Entry != nil {
			walk(f.Entry, name)
		}
		for _, v := range f.Variants {
			walk(v, name)
		}
	}
	for _, f := range f.Fields {
		walk(f, "")
	}
	return sentences
}

// maxSentence bounds a sentence, in characters: server text in it may be any
// length.
const maxSentence = 4096

// sentence is m in l's language with the server text in it made safe.
func sentence(l *i18n.Localizer, m i18n.Message) string {
	return safetext.Line(l.Text(m), maxSentence).String()
}

// nameBelow is what f goes by in a sentence about the schema: its key, below
// others a path of keys, in which entries and alternatives have no part.
func (f *Field) nameBelow(owner string) string {
	switch {
	case f.Key == nil:
		return owner
	case owner == "" && f.parent == nil:
		return f.Name
	}
	return owner + "/" + printable(f.segment)
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
	name := f.Label
	if f.Key != nil {
		w.put("name", nameLiteral(f.Key))
	} else if name == "" {
		name = l.Text(f.KindName())
	}
	w.put("label", rawjson.Quote(name))
	w.put("kind", rawjson.Quote(string(f.Kind)))
	if f.Key != nil || f.Inline {
		w.put("required", strconv.AppendBool(nil, f.Required))
	}
	w.put("secret", strconv.AppendBool(nil, f.Secret))
	for _, mark := range []struct {
		name string
		is   bool
	}{{"nullable", f.Nullable}, {"fixed", f.Fixed}, {"inline", f.Inline}, {"closed", f.Closed}} {
		if mark.is {
			w.put(mark.name, json.RawMessage("true"))
		}
	}
	if f.Default != nil {
		w.put("default", compact(f.Default))
	}
	if len(f.Options) > 0 {
		w.put("options", describeOptions(f.Options))
	}
	if problems := f.faults(); len(problems) > 0 {
		var sentences []string
		for _, m := range problems {
			sentences = append(sentences, sentence(l, m))
		}
		w.put("problem", rawjson.Quote(strings.Join(sentences, " ")))
	}
	switch {
	case f.Kind == Group && !f.Closed:
		w.put("fields", describeFields(f.Children, l))
	case f.Entry != nil:
		w.put("entry", f.Entry.describe(l))
		if f.KeyRule != nil {
			w.put("keys", f.KeyRule.describe(l))
		}
	case len(f.Variants) > 0:
		w.put("variants", describeFields(f.Variants, l))
	}
	return w.end()
}

// faults are the problems of f and, which its hints tell in the window, that
// its pattern cannot be checked.
func (f *Field) faults() []i18n.Message {
	problems := f.Problems
	for _, h := range f.Hints {
		if h.ID == "forms.hint.patternUnchecked" {
			problems = append(problems[:len(problems):len(problems)], h)
		}
	}
	return problems
}

func describeOptions(list []Option) json.RawMessage {
	var options []json.RawMessage
	for _, o := range list {
		var w objectWriter
		w.put("value", o.Raw)
		w.put("label", rawjson.Quote(o.Label))
		options = append(options, w.end())
	}
	return joinArray(options)
}

// nameLiteral spells a key in the one way of [rawjson.Quote].
func nameLiteral(key json.RawMessage) json.RawMessage {
	s, _ := rawjson.Decode(key)
	return rawjson.Quote(s)
}

// objectWriter writes a JSON object member by member.
type objectWriter struct{ out []byte }

func (w *objectWriter) put(key string, value json.RawMessage) {
	w.putRaw(rawjson.Quote(key), value)
}

// putRaw is put with a key as it is spelled.
func (w *objectWriter) putRaw(key, value json.RawMessage) {
	if len(w.out) == 0 {
		w.out = append(w.out, '{')
	} else {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, key...)
	w.out = append(w.out, ':')
	w.out = append(w.out, value...)
}

func (w *objectWriter) end() json.RawMessage {
	if len(w.out) == 0 {
		return json.RawMessage("{}")
	}
	return append(w.out, '}')
}
