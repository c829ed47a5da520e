package forms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// constants are the options of an enumeration as single schemas, whichever of
// the forms it has: enum (with or without enumNames), const, or oneOf/anyOf of
// constants. ok is false for a schema that is no enumeration. Of more options than
// a form may have, one too many is enough to know. What stands in an enum and in
// a union counts if it stands in both.
func (n node) constants() (parts []option, ok bool) {
	union, ok := n.unionConstants()
	if !ok {
		return n.listed()
	}
	if listed, both := n.listed(); both {
		union = among(union, listed)
	}
	return union, true
}

// among are the options that stand in list too.
func among(parts, list []option) (both []option) {
	listed := make(map[string]bool, len(list))
	for _, o := range list {
		listed[valueKey(o.raw)] = true
	}
	for _, o := range parts {
		if listed[valueKey(o.raw)] {
			both = append(both, o)
		}
	}
	return both
}

// listed are the options under const or enum; of both, the const if the enum
// has it.
func (n node) listed() (parts []option, ok bool) {
	raw := n.get("enum")
	c := n.get("const")
	if raw == nil {
		return []option{{raw: c}}[:min(1, len(c))], c != nil
	}
	list, err := rawjson.Array(raw)
	if err != nil {
		return nil, true
	}
	names, _ := rawjson.Array(n.get("enumNames"))
	for i, v := range list[:min(len(list), maxOptions+1)] {
		o := option{raw: v}
		if i < len(names) {
			o.title, _ = rawjson.String(names[i])
		}
		parts = append(parts, o)
	}
	if c != nil {
		parts = among(parts, []option{{raw: c}})
	}
	return parts, true
}

// unionConstants are the options of a oneOf or anyOf of constants.
func (n node) unionConstants() (parts []option, ok bool) {
	for _, key := range []string{"oneOf", "anyOf"} {
		list, err := rawjson.Array(n.get(key))
		if err != nil || len(list) == 0 {
			continue
		}
		for _, part := range list[:min(len(list), maxOptions+1)] {
			more, ok := unionOptions(part)
			if !ok {
				return nil, false
			}
			parts = append(parts, more...)
		}
		return parts, true
	}
	return nil, false
}

// listsArrays reports whether n is an array of which the whole is one of the
// arrays in a list: a choice, not something to type.
func (n node) listsArrays(types []string) bool {
	return len(types) == 1 && (n.get("enum") != nil || n.get("const") != nil)
}

// option is one option before it is checked.
type option struct {
	raw                json.RawMessage
	title, description string
}

// told reports whether the server says more of the option than its value.
func (o option) told() bool { return o.title != "" || strings.TrimSpace(o.description) != "" }

// unionOptions reads one part of a oneOf or anyOf: a const with its title, or
// an enum of its own.
func unionOptions(part json.RawMessage) ([]option, bool) {
	members, err := rawjson.Object(part)
	if err != nil {
		return nil, false
	}
	title, _ := rawjson.String(rawjson.Get(members, "title"))
	description, _ := rawjson.String(rawjson.Get(members, "description"))
	if c := rawjson.Get(members, "const"); c != nil {
		return []option{{raw: c, title: title, description: description}}, true
	}
	list, err := rawjson.Array(rawjson.Get(members, "enum"))
	if err != nil {
		return nil, false
	}
	var parts []option
	for _, v := range list {
		o := option{raw: v}
		if len(list) == 1 {
			o.title, o.description = title, description
		}
		parts = append(parts, o)
	}
	return parts, true
}

// setChoice makes a Choice; one between true and false is a Boolean.
func (p *parser) setChoice(f *Field, n node, types []string, parts []option) {
	if isYesNo(types, parts) {
		f.Kind = Boolean
		return
	}
	f.Kind = Choice
	p.setOptions(f, n, types, parts)
}

func isYesNo(types []string, parts []option) bool {
	if len(types) > 1 || len(types) == 1 && types[0] != "boolean" || len(parts) != 2 {
		return false
	}
	a, b := rawjson.Kind(parts[0].raw), rawjson.Kind(parts[1].raw)
	return (a == 't' && b == 'f' || a == 'f' && b == 't') && !parts[0].told() && !parts[1].told()
}

// setOptions gives f the options that its types allow and names the others as
// the server's fault. null is no option, so it is left out silently; in a
// tool's arguments it makes the field Nullable.
func (p *parser) setOptions(f *Field, n node, types []string, parts []option) {
	if len(parts) > p.options {
		p.unsupported(f, n, i18n.M("forms.problem.tooManyOptions"))
		return
	}
	p.options -= len(parts)
	f.byValue = make(map[string]int, len(parts))
	wrong, objects, null := 0, 0, false
	for _, part := range parts {
		switch {
		case rawjson.Kind(part.raw) == 'n':
			null = true
			continue
		case !p.allowed(part.raw, types):
			if kind := rawjson.Kind(part.raw); len(types) == 0 && (kind == '{' || kind == '[') {
				objects++
			} else {
				wrong++
			}
			continue
		}
		o := Option{Raw: compact(part.raw), Value: valueText(part.raw), Description: part.description}
		o.Label = part.title
		if strings.TrimSpace(o.Label) == "" {
			o.Label = o.Value
		}
		if key := valueKey(o.Raw); f.index(o.Raw) < 0 {
			f.byValue[key] = len(f.Options)
		}
		f.Options = append(f.Options, o)
	}
	if n.get("enum") != nil {
		f.Nullable = p.purpose == Arguments && (n.nullable || null && n.get("type") == nil)
	}
	if len(f.Options) == 0 {
		p.unsupported(f, n, i18n.M("forms.problem.noOptions"))
		return
	}
	if wrong > 0 {
		f.Problems = append(f.Problems, i18n.N("forms.problem.wrongOptions", wrong))
	}
	if objects > 0 {
		f.Problems = append(f.Problems, i18n.N("forms.problem.objectOptions", objects))
	}
}

// allowed reports whether an option can be valid: it is of one of the types,
// and in a question no object, and no array but of texts.
func (p *parser) allowed(raw json.RawMessage, types []string) bool {
	kind := rawjson.Kind(raw)
	if p.purpose == Elicitation && (kind == '{' || kind == '[' && !(contains(types, "array") && isTexts(raw))) {
		return false
	}
	if len(types) == 0 {
		return true
	}
	for _, t := range types {
		if hasType(raw, t) {
			return true
		}
	}
	return false
}

// isTexts reports whether raw is an array of strings, which an answer may hold.
func isTexts(raw json.RawMessage) bool {
	list, err := rawjson.Array(raw)
	for _, e := range list {
		if rawjson.Kind(e) != '"' {
			return false
		}
	}
	return err == nil
}

// hasType reports whether a value is of the JSON Schema type t; an integer is
// any number without a fraction, however it is written.
func hasType(raw json.RawMessage, t string) bool {
	switch kind := rawjson.Kind(raw); t {
	case "string":
		return kind == '"'
	case "boolean":
		return kind == 't' || kind == 'f'
	case "number":
		return kind == '0'
	case "integer":
		d, ok := parseDecimal(string(bytes.TrimSpace(raw)))
		return ok && d.whole()
	case "object":
		return kind == '{'
	case "array":
		return kind == '['
	}
	return false
}

// valueText is a value as a person reads it: a string without its quotes,
// anything else as written.
func valueText(raw json.RawMessage) string {
	if s, ok := rawjson.String(raw); ok {
		return s
	}
	return string(compact(raw))
}

// index finds the first option whose value equals raw, -1 if there is none.
func (f *Field) index(raw json.RawMessage) int {
	if i, ok := f.byValue[valueKey(raw)]; ok {
		return i
	}
	return -1
}

// valueKey is the same for two values that JSON Schema calls equal: strings
// with the same characters, numbers of the same value.
func valueKey(raw json.RawMessage) string {
	raw = compact(raw)
	switch rawjson.Kind(raw) {
	case '"':
		s, _ := rawjson.Decode(raw)
		return `"` + s
	case '0':
		if d, ok := parseDecimal(string(raw)); ok {
			return d.key()
		}
	case '[':
		return listKey(raw)
	case '{':
		return objectKey(raw)
	}
	return string(raw)
}

// listKey is valueKey for an array. Lengths keep the keys of its elements
// apart.
func listKey(raw json.RawMessage) string {
	elements, _ := rawjson.Array(raw)
	var b strings.Builder
	b.WriteByte('[')
	for _, e := range elements {
		key := valueKey(e)
		fmt.Fprintf(&b, "%d:%s", len(key), key)
	}
	return b.String()
}

// objectKey is valueKey for an object, whose members have no order.
func objectKey(raw json.RawMessage) string {
	members, _ := rawjson.Object(raw)
	keys := make([]string, len(members))
	for i, m := range members {
		id, _ := rawjson.Decode(m.Raw)
		value := valueKey(m.Value)
		keys[i] = fmt.Sprintf("%d:%s%d:%s", len(id), id, len(value), value)
	}
	slices.Sort(keys)
	return "{" + strings.Join(keys, "")
}

// compact is valid JSON without white space between its tokens.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return raw
	}
	return b.Bytes()
}
