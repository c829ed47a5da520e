package demo

import (
	"bytes"
	"encoding/json"
	"math"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"parley/assets/i18n"
)

// kind is one kind of field of the restricted schema (elicitation page,
// "Requested Schema"). The five forms of a choice are kinds of their own.
type kind int

const (
	text kind = iota
	email
	uri
	date
	dateTime
	integer
	number
	boolean
	plainChoice     // enum
	titledChoice    // oneOf of const and title
	namedChoice     // enum beside enumNames, the form of 2025-06-18
	plainChecklist  // array of enum
	titledChecklist // array of anyOf of const and title
)

// option is one entry of a choice or checklist. The plain kinds show the value.
type option struct{ value, title string }

// field is one field of a form: what the schema says and what is checked.
type field struct {
	name        string
	title       string
	description string
	kind        kind
	required    bool
	// min and max are characters (code points) for text, values for numbers
	// and counts for checklists; nil is no limit.
	min, max *int
	options  []option
	// fallback is the schema's default, nil for none.
	fallback any
}

// form is the fields of a question or of a tool's arguments, in the order shown.
type form []field

// property is a field as JSON Schema, keywords in the order people read them.
type property struct {
	Type        string        `json:"type"`
	Title       string        `json:"title,omitempty"`
	Description string        `json:"description,omitempty"`
	Format      string        `json:"format,omitempty"`
	MinLength   *int          `json:"minLength,omitempty"`
	MaxLength   *int          `json:"maxLength,omitempty"`
	Minimum     *int          `json:"minimum,omitempty"`
	Maximum     *int          `json:"maximum,omitempty"`
	MinItems    *int          `json:"minItems,omitempty"`
	MaxItems    *int          `json:"maxItems,omitempty"`
	Enum        []string      `json:"enum,omitempty"`
	EnumNames   []string      `json:"enumNames,omitempty"`
	OneOf       []titledConst `json:"oneOf,omitempty"`
	Items       *items        `json:"items,omitempty"`
	Default     any           `json:"default,omitempty"`
}

type titledConst struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

type items struct {
	Type  string        `json:"type,omitempty"`
	Enum  []string      `json:"enum,omitempty"`
	AnyOf []titledConst `json:"anyOf,omitempty"`
}

// formats are the format keywords of the string kinds.
var formats = map[kind]string{email: "email", uri: "uri", date: "date", dateTime: "date-time"}

func (f field) property() property {
	p := property{Title: f.title, Description: f.description, Default: f.fallback}
	switch f.kind {
	case text, email, uri, date, dateTime:
		p.Type, p.Format, p.MinLength, p.MaxLength = "string", formats[f.kind], f.min, f.max
	case integer:
		p.Type, p.Minimum, p.Maximum = "integer", f.min, f.max
	case number:
		p.Type, p.Minimum, p.Maximum = "number", f.min, f.max
	case boolean:
		p.Type = "boolean"
	case plainChoice:
		p.Type, p.Enum = "string", f.values()
	case titledChoice:
		p.Type, p.OneOf = "string", f.consts()
	case namedChoice:
		p.Type, p.Enum, p.EnumNames = "string", f.values(), f.titles()
	case plainChecklist:
		p.Type, p.MinItems, p.MaxItems = "array", f.min, f.max
		p.Items = &items{Type: "string", Enum: f.values()}
	case titledChecklist:
		p.Type, p.MinItems, p.MaxItems = "array", f.min, f.max
		p.Items = &items{AnyOf: f.consts()}
	}
	return p
}

func (f field) values() []string {
	var out []string
	for _, o := range f.options {
		out = append(out, o.value)
	}
	return out
}

func (f field) titles() []string {
	var out []string
	for _, o := range f.options {
		out = append(out, o.title)
	}
	return out
}

func (f field) consts() []titledConst {
	var out []titledConst
	for _, o := range f.options {
		out = append(out, titledConst{Const: o.value, Title: o.title})
	}
	return out
}

// schema is the form as JSON Schema, properties in the form's order. A form
// without fields is an object without properties, which is a yes-or-no question.
func (f form) schema() json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	required := []string{}
	for i, fl := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(mustJSON(fl.name))
		b.WriteByte(':')
		b.Write(mustJSON(fl.property()))
		if fl.required {
			required = append(required, fl.name)
		}
	}
	b.WriteByte('}')
	if len(required) > 0 {
		b.WriteString(`,"required":`)
		b.Write(mustJSON(required))
	}
	b.WriteByte('}')
	return b.Bytes()
}

// mustJSON is v as JSON without HTML escapes. It is for values made of strings
// and numbers only, which always have one.
func mustJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// check looks at what was sent for the form (S19). It returns the values that
// are right, by name, and a sentence for each that is not. Keys the form does
// not have are left out; absent optional fields stay absent.
func (f form) check(sent map[string]any) (good map[string]any, wrong []i18n.Message) {
	good = map[string]any{}
	for _, fl := range f {
		v, ok := sent[fl.name]
		if !ok {
			if fl.required {
				wrong = append(wrong, i18n.M("demo.wrong.missing", "Field", fl.title))
			}
			continue
		}
		if m := fl.check(v); !m.IsZero() {
			wrong = append(wrong, m)
			continue
		}
		good[fl.name] = v
	}
	return good, wrong
}

// check returns what is wrong with v as the value of the field, or no message.
func (f field) check(v any) i18n.Message {
	switch f.kind {
	case text, email, uri, date, dateTime:
		return f.checkText(v)
	case integer, number:
		return f.checkNumber(v)
	case boolean:
		if _, ok := v.(bool); !ok {
			return i18n.M("demo.wrong.boolean", "Field", f.title)
		}
	case plainChoice, titledChoice, namedChoice:
		if s, ok := v.(string); !ok || !slices.Contains(f.values(), s) {
			return i18n.M("demo.wrong.choice", "Field", f.title)
		}
	case plainChecklist, titledChecklist:
		return f.checkList(v)
	}
	return i18n.Message{}
}

func (f field) checkText(v any) i18n.Message {
	s, ok := v.(string)
	if !ok {
		return i18n.M("demo.wrong.text", "Field", f.title)
	}
	if n := utf8.RuneCountInString(s); f.min != nil && n < *f.min || f.max != nil && n > *f.max {
		return f.outside("demo.wrong.length")
	}
	switch f.kind {
	case email:
		if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
			return i18n.M("demo.wrong.email", "Field", f.title)
		}
	case uri:
		if u, err := url.Parse(s); err != nil || !u.IsAbs() {
			return i18n.M("demo.wrong.uri", "Field", f.title)
		}
	case date:
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return i18n.M("demo.wrong.date", "Field", f.title)
		}
	case dateTime:
		if _, err := time.Parse(time.RFC3339, s); err != nil {
			return i18n.M("demo.wrong.date_time", "Field", f.title)
		}
	}
	return i18n.Message{}
}

func (f field) checkNumber(v any) i18n.Message {
	n, ok := v.(float64)
	if !ok {
		return i18n.M("demo.wrong.number", "Field", f.title)
	}
	if f.kind == integer && n != math.Trunc(n) {
		return i18n.M("demo.wrong.integer", "Field", f.title)
	}
	if f.min != nil && n < float64(*f.min) || f.max != nil && n > float64(*f.max) {
		return f.outside("demo.wrong.range")
	}
	return i18n.Message{}
}

func (f field) checkList(v any) i18n.Message {
	list, ok := v.([]any)
	if !ok {
		return i18n.M("demo.wrong.choice", "Field", f.title)
	}
	seen := map[string]bool{}
	for _, e := range list {
		s, ok := e.(string)
		if !ok || seen[s] || !slices.Contains(f.values(), s) {
			return i18n.M("demo.wrong.choice", "Field", f.title)
		}
		seen[s] = true
	}
	if f.min != nil && len(list) < *f.min || f.max != nil && len(list) > *f.max {
		return f.outside("demo.wrong.count")
	}
	return i18n.Message{}
}

// outside is the sentence for a value outside the field's limits. Every field
// of the demo that has a limit has an upper one.
func (f field) outside(id string) i18n.Message {
	low := 0
	if f.min != nil {
		low = *f.min
	}
	return i18n.M(id, "Field", f.title, "Min", strconv.Itoa(low), "Max", strconv.Itoa(*f.max))
}

// refilled is the form with the person's good values as its defaults, so that
// asking again costs them only what was wrong.
func (f form) refilled(good map[string]any) form {
	out := slices.Clone(f)
	for i := range out {
		out[i].fallback = good[out[i].name]
	}
	return out
}

// completed is sent with the form's defaults where a key is absent. It is for
// tool arguments, where absent means default; in an answer absent means absent.
func (f form) completed(sent map[string]any) map[string]any {
	out := map[string]any{}
	for _, fl := range f {
		if fl.fallback != nil {
			out[fl.name] = fl.fallback
		}
	}
	for k, v := range sent {
		out[k] = v
	}
	return out
}
