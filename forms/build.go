package forms

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// build fills in f from its schema. through names the references that led to
// it beside those in the schema itself.
func (p *parser) build(f *Field, raw json.RawMessage, depth int, through ...string) {
	p.followed = through
	f.source = raw
	n, problem := p.resolve(raw, 0)
	again := problem.IsZero() && p.recursive()
	if again && p.purpose == Elicitation {
		problem = i18n.M("forms.problem.endless")
	}
	f.Limits.MaxLength, f.Limits.MaxItems = -1, -1
	if !problem.IsZero() {
		own := describe(raw)
		f.Label, f.Description = label(own, f.Name), own.text("description")
		p.unsupported(f, n, problem)
		return
	}
	f.Label, f.Description = label(n, f.Name), n.text("description")
	f.Nullable = n.nullable && p.purpose == Arguments
	if again {
		f.Kind, f.Closed, f.recipe = n.outerKind(), true, &recipe{raw}
		return
	}
	p.setKind(f, n, depth)
	p.noteRules(f, n)
	f.Secret = f.Kind.holdsSecret() && (looksSecret(f.Name, n.text("title"), f.Description, n.text("format")) || saysSecret(f.about) || loneToken(f.about))
	if f.item != nil {
		f.Secret = f.Secret || f.item.Secret
		f.item.Secret = f.Secret
	}
	p.setDefault(f, n)
	f.Multiline = f.wantsLines()
	f.Hints = append(f.limitHints(), f.Hints...)
}

// outerKind is the kind of a structured field as far as n tells without a look
// at what is in it.
func (n node) outerKind() Kind {
	switch {
	case n.describesObject():
		return Group
	case n.union() != "":
		return Variant
	case n.get("items") != nil || contains(n.types(), "array"):
		return Rows
	}
	return Map
}

// recipe is what a field is made from that is made when it is needed.
type recipe struct{ raw json.RawMessage }

// recursive reports whether the current field lies within a group that its
// own schema describes: a tree, which has no end as a form.
func (p *parser) recursive() bool {
	for _, ref := range p.followed {
		if p.active[ref] > 0 {
			return true
		}
	}
	return false
}

// describe reads the keywords of a schema that could not be resolved, for its
// title.
func describe(raw json.RawMessage) node {
	members, _ := rawjson.Object(raw)
	return node{members: members}
}

// label is the title, or the name where there is none to see.
func label(n node, name string) string {
	if t := n.text("title"); strings.TrimSpace(t) != "" {
		return t
	}
	return name
}

// setKind decides which control answers the schema n.
func (p *parser) setKind(f *Field, n node, depth int) {
	types := n.types()
	if parts, ok := n.constants(); ok && !contains(types, "object") && (!contains(types, "array") || n.listsArrays(types)) {
		p.setChoice(f, n, types, parts)
		return
	}
	if n.union() != "" && !n.describesObject() {
		p.setVariant(f, n, depth)
		return
	}
	if len(types) == 0 {
		types = p.guessTypes(n)
	}
	if len(types) != 1 {
		p.setVariant(f, n, depth)
		return
	}
	switch types[0] {
	case "string":
		f.Kind = textKind(n.text("format"))
		f.setLengths(n)
		p.setPattern(f, n)
	case "integer":
		f.Kind = Integer
		f.setBounds(n)
	case "number":
		f.Kind = Number
		f.setBounds(n)
	case "boolean":
		f.Kind = Boolean
	case "array":
		p.setArray(f, n, depth)
	case "object":
		p.setObject(f, n, depth)
	case "null":
		p.unsupported(f, n, i18n.M("forms.problem.nothingAllowed"))
	default:
		p.unsupported(f, n, i18n.M("forms.problem.type", "Type", excerpt(types[0])))
	}
}

// guessTypes reads the type of a schema that names none from its other
// keywords. One that says nothing at all allows any value: text in a question,
// raw JSON in a tool's arguments.
func (p *parser) guessTypes(n node) []string {
	for _, guess := range []struct{ keyword, kind string }{
		{"properties", "object"}, {"items", "array"}, {"minItems", "array"}, {"maxItems", "array"},
		{"minLength", "string"}, {"maxLength", "string"}, {"pattern", "string"}, {"format", "string"},
		{"minimum", "number"}, {"maximum", "number"}, {"multipleOf", "number"},
		{"exclusiveMinimum", "number"}, {"exclusiveMaximum", "number"},
	} {
		if n.get(guess.keyword) != nil {
			return []string{guess.kind}
		}
	}
	if n.get("type") == nil && p.purpose == Elicitation {
		return []string{"string"}
	}
	return nil
}

// textKind is the kind of a string with this format. Formats that the
// specification does not have are free text: a format is an annotation, and
// one we do not know cannot be checked.
func textKind(format string) Kind {
	switch format {
	case "email", "idn-email":
		return Email
	case "uri":
		return URI
	case "date":
		return Date
	case "date-time":
		return DateTime
	}
	return Text
}

// setArray makes a Checklist, a List or Rows.
func (p *parser) setArray(f *Field, n node, depth int) {
	f.setItemLimits(n)
	raw := n.get("items")
	if p.purpose == Arguments && (raw == nil || rawjson.Kind(raw) == '[' || n.get("prefixItems") != nil) {
		p.unsupported(f, n, i18n.Message{})
		return
	}
	if rawjson.Kind(raw) == '[' || n.get("prefixItems") != nil {
		p.unsupported(f, n, i18n.M("forms.problem.array")) // a tuple
		return
	}
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	through := p.followed
	items, problem := p.resolve(raw, 0)
	again := p.recursive()
	p.followed = through
	if !problem.IsZero() {
		p.unsupported(f, n, problem)
		return
	}
	if parts, ok := items.constants(); ok && !contains(items.types(), "array") && !contains(items.types(), "object") {
		f.Kind = Checklist
		nullable := f.Nullable
		p.setOptions(f, items, items.types(), parts)
		f.Nullable = nullable // null among the options says nothing of the array
		f.dropExcess()
		return
	}
	if again || items.nests() || len(items.types()) > 1 || contains(items.types(), "boolean") || items.union() != "" {
		p.setRows(f, n, raw, depth)
		return
	}
	item := &Field{Name: f.Name, Label: f.Label, zone: f.zone, Required: true}
	item.Limits.MaxLength, item.Limits.MaxItems = -1, -1
	p.setKind(item, items, depth+1)
	f.Problems = append(f.Problems, item.Problems...)
	item.Secret = item.Kind.holdsSecret() && looksSecret("", items.text("title"), items.text("description"), items.text("format"))
	switch item.Kind {
	case Text, Email, URI, Date, DateTime:
		f.Kind, f.item = List, item
	case Integer, Number:
		if p.purpose == Arguments {
			f.Kind, f.item = List, item
			return
		}
		p.unsupported(f, n, i18n.M("forms.problem.array"))
	default:
		f.Problems = nil
		p.unsupported(f, n, i18n.M("forms.problem.array"))
	}
}

// nests reports whether n asks for objects or arrays.
func (n node) nests() bool {
	types := n.types()
	return contains(types, "object") || contains(types, "array") || n.get("properties") != nil || n.get("items") != nil
}

// setObject makes a Group or a Map of a tool's nested object; a question must
// be flat.
func (p *parser) setObject(f *Field, n node, depth int) {
	switch {
	case p.purpose == Elicitation:
		p.unsupported(f, n, i18n.M("forms.problem.nested"))
		return
	case depth >= maxDepth:
		p.unsupported(f, n, i18n.Message{})
		return
	case n.get("properties") == nil && n.union() == "":
		p.setMap(f, n, depth)
		return
	}
	if members, _ := n.properties(); p.fields+len(members) > maxFields {
		p.unsupported(f, n, i18n.Message{})
		return
	}
	f.Kind = Group
	p.within(func() {
		var problems []i18n.Message
		f.Children, problems = p.object(n, f, depth+1)
		f.Problems = append(f.Problems, problems...)
	})
}

// within does what reads a schema that lies in the current one, whose
// references lead back from there.
func (p *parser) within(read func()) {
	through := p.followed
	for _, ref := range through {
		p.active[ref]++
	}
	read()
	for _, ref := range through {
		p.active[ref]--
	}
	p.followed = through
}

// unsupported makes f a field that cannot be answered, for the reason given;
// in a tool's arguments it is answered as raw JSON instead.
func (p *parser) unsupported(f *Field, n node, reason i18n.Message) {
	if p.purpose == Elicitation {
		f.Kind = Unsupported
		f.Options = nil
		f.Problems = append(f.Problems, reason)
		return
	}
	f.Kind = JSON
	f.Options = nil
	f.shape = shapeOf(n.types())
	f.Hints = append(f.Hints, i18n.M("forms.hint."+shapeNames[f.shape]))
	if !reason.IsZero() {
		f.Hints = append(f.Hints, reason)
	}
}

// shapeOf is the first byte of JSON that one of the types asks for; 0 where
// any JSON will do.
func shapeOf(types []string) byte {
	if len(types) != 1 {
		return 0
	}
	switch types[0] {
	case "object":
		return '{'
	case "array":
		return '['
	}
	return 0
}

// shapeNames end the keys of the sentences about raw JSON.
var shapeNames = map[byte]string{0: "json", '{': "jsonObject", '[': "jsonArray"}

// wantsLines guesses whether the text may be longer than a line of the window.
func (f *Field) wantsLines() bool {
	switch f.Kind {
	case List, JSON:
		return true
	case Text:
	default:
		return false
	}
	const line = 120 // characters
	if f.Limits.MaxLength > line || f.Limits.MinLength > line/2 {
		return true
	}
	if f.usable == nil {
		return false
	}
	text := f.usable.text
	return strings.Contains(text, "\n") || utf8.RuneCountInString(text) > line
}
