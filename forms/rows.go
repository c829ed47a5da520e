package forms

import (
	"encoding/json"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// setRows makes an array of things that have no line of their own. Where an
// entry could only be raw JSON, the array is.
func (p *parser) setRows(f *Field, n node, items json.RawMessage, depth int) {
	switch {
	case p.purpose == Elicitation:
		p.unsupported(f, n, i18n.M("forms.problem.array"))
		return
	case depth >= maxDepth:
		p.unsupported(f, n, i18n.Message{})
		return
	}
	entry := p.makeTemplate(f, items, depth)
	if entry.Kind == JSON {
		p.unsupported(f, n, i18n.Message{})
		return
	}
	f.Kind, f.Entry = Rows, entry
}

// makeTemplate makes what the entries of f or one of its alternatives look
// like. It has no place in the form, and what it is called by is its title.
func (p *parser) makeTemplate(f *Field, raw json.RawMessage, depth int, through ...string) *Field {
	t := &Field{about: f.about, zone: f.zone, Required: true}
	if f.Name != "" {
		t.about = f.Name
	}
	p.template++
	p.within(func() { p.build(t, raw, depth+1, through...) })
	p.template--
	return t
}

// setMap makes a Map of an object without known properties if it says what its
// values are; any object at all is raw JSON.
func (p *parser) setMap(f *Field, n node, depth int) {
	keys := n.further()
	if keys.values == nil || depth >= maxDepth {
		p.unsupported(f, n, i18n.Message{})
		return
	}
	entry := p.makeTemplate(f, keys.values, depth)
	if entry.Kind == JSON {
		p.unsupported(f, n, i18n.Message{})
		return
	}
	f.Kind, f.Entry, f.KeyRule = Map, entry, p.keyRule(n, keys.pattern)
	f.Limits.MinItems, f.Limits.MaxItems = f.count(n, "minProperties", 0), f.count(n, "maxProperties", -1)
}

// further is what an object says of the keys that are not among its properties.
type further struct {
	declared bool            // it says that there may be some
	mixed    bool            // what their values are depends on the key
	values   json.RawMessage // the schema of their values, nil for any value
	pattern  string          // that they must have, "" for none
}

func (n node) further() further {
	rest := n.get("additionalProperties")
	open := rawjson.Kind(rest) == '{' || rawjson.Kind(rest) == 't'
	patterns, err := rawjson.Object(n.get("patternProperties"))
	switch {
	case err != nil || len(patterns) == 0:
		return further{declared: open, values: anyAsNothing(rest)}
	case len(patterns) > 1 || open:
		return further{declared: true, mixed: true}
	}
	return further{declared: true, values: anyAsNothing(patterns[0].Value), pattern: patterns[0].Key}
}

// anyAsNothing is nothing for a schema that allows any value.
func anyAsNothing(schema json.RawMessage) json.RawMessage {
	if members, err := rawjson.Object(schema); err != nil || len(members) == 0 {
		return nil
	}
	return schema
}

// keyRule reads what the keys of a Map must be like, from propertyNames and the
// pattern of patternProperties.
func (p *parser) keyRule(n node, pattern string) *Field {
	raw := n.get("propertyNames")
	if rawjson.Kind(raw) != '{' && pattern == "" {
		return nil
	}
	rule, problem := node{}, i18n.Message{}
	followed := p.followed
	if rawjson.Kind(raw) == '{' {
		rule, problem = p.resolve(raw, 0)
	}
	p.followed = followed
	if !problem.IsZero() {
		return nil
	}
	if pattern != "" && rule.get("pattern") == nil {
		rule = with(rule, "pattern", rawjson.Quote(pattern))
	}
	k := &Field{Kind: Text, zone: p.form.zone, Required: true}
	k.Limits.MaxLength, k.Limits.MaxItems = -1, -1
	if parts, ok := rule.constants(); ok {
		p.setOptions(k, rule, []string{"string"}, parts)
		if len(k.Options) > 0 {
			k.Kind = Choice
			return k
		}
		return nil
	}
	k.setLengths(rule)
	p.setPattern(k, rule)
	k.Hints = append(k.limitHints(), k.Hints...)
	return k
}

// object makes the fields of an object: its properties, and for a tool's
// arguments the alternatives of what else may be in it and the keys beyond.
func (p *parser) object(n node, owner *Field, depth int) (fields []*Field, problems []i18n.Message) {
	if p.purpose == Elicitation {
		return p.properties(n, owner, depth, nil)
	}
	parts, shared, unionOK := p.splitUnion(n)
	fields, problems = p.properties(n, owner, depth, shared)
	add := func(segment string, make func(f *Field)) {
		if p.fields >= maxFields {
			return
		}
		p.fields++
		f := p.newField(owner, segment)
		f.Inline = true
		f.Limits.MaxLength, f.Limits.MaxItems = -1, -1
		if owner != nil {
			f.about = owner.Name
		}
		p.within(func() { make(f) })
		if f.Kind == "" {
			if p.template == 0 { // in a template, the path may be another field's
				delete(p.form.byPath, f.Path)
			}
			return
		}
		f.Multiline = f.wantsLines()
		fields = append(fields, f)
	}
	if len(parts) > 0 {
		add(unionSegment, func(f *Field) {
			f.Required = true
			if unionOK && depth < maxDepth {
				p.setAlternatives(f, parts, depth)
			}
			if f.Kind == "" {
				p.unsupported(f, objectNode, i18n.M("forms.problem.union"))
				f.Required = false
			}
		})
	}
	add(furtherSegment, func(f *Field) { p.setFurther(f, n, depth) })
	return fields, problems
}

// The parts of the paths of Inline fields. No key is escaped to them.
const (
	unionSegment   = "~?"
	furtherSegment = "~*"
)

// objectNode is a schema that asks for an object.
var objectNode = node{members: []rawjson.Member{{Key: "type", Value: json.RawMessage(`"object"`)}}}

// setFurther makes f the Map of the keys beyond the properties, where the
// object declares that there may be any; raw JSON where one Map cannot be made
// of them.
func (p *parser) setFurther(f *Field, n node, depth int) {
	keys := n.further()
	switch {
	case !keys.declared:
		return
	case keys.mixed:
		p.unsupported(f, objectNode, i18n.M("forms.hint.further"))
		return
	case keys.values == nil:
		keys.values = json.RawMessage("{}")
	}
	f.Entry = p.makeTemplate(f, keys.values, depth)
	f.Kind, f.KeyRule = Map, p.keyRule(n, keys.pattern)
	f.Hints = append(f.limitHints(), f.Hints...)
}
