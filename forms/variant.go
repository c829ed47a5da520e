package forms

import (
	"encoding/json"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// maxVariants bounds the alternatives of one Variant.
const maxVariants = 64

// alternative is one part of a union on its way to being a field.
type alternative struct {
	raw     json.RawMessage
	name    string   // what it is called without a title
	through []string // the references that led to it
}

// union is the keyword under which n names alternatives, "" without any.
func (n node) union() string {
	for _, key := range []string{"oneOf", "anyOf"} {
		if n.get(key) != nil {
			return key
		}
	}
	return ""
}

// describesObject reports whether n is an object with properties of its own,
// beside whatever its alternatives add.
func (n node) describesObject() bool {
	types := n.types()
	return n.get("properties") != nil && (len(types) == 0 || len(types) == 1 && types[0] == "object")
}

// setVariant makes f one of the alternatives of n: of its union, else of its
// types. A question has no such thing.
func (p *parser) setVariant(f *Field, n node, depth int) {
	if p.purpose == Elicitation || depth >= maxDepth {
		p.unsupported(f, n, i18n.M("forms.problem.union"))
		return
	}
	if alternatives, ok := p.alternatives(n); ok {
		p.setAlternatives(f, alternatives, depth)
	}
	if f.Kind == "" {
		reason := i18n.M("forms.problem.union")
		if n.union() == "" && len(n.types()) == 0 {
			reason = i18n.Message{} // any value
		}
		p.unsupported(f, n, reason)
	}
}

// alternatives are the parts of n's union, each with the demands around it, or
// n once for each of its types.
func (p *parser) alternatives(n node) (list []alternative, ok bool) {
	rest := n.demands()
	if key := n.union(); key != "" {
		rest = without(rest, key)
		around := rest.raw()
		parts, err := rawjson.Array(n.get(key))
		if err != nil || len(parts) > maxVariants || !p.spend(len(parts)*len(around)) {
			return nil, false
		}
		for _, part := range parts {
			a := alternative{raw: part, name: refName(part)}
			if len(rest.members) > 0 {
				a.raw = both(part, around)
			}
			list = append(list, a)
		}
		return list, true
	}
	for _, t := range n.types() {
		list = append(list, alternative{raw: with(rest, "type", rawjson.Quote(t)).raw()})
	}
	return list, true
}

// demands is n without what only describes it.
func (n node) demands() node {
	out := node{}
	for _, m := range n.members {
		if !annotations[m.Key] {
			out.members = append(out.members, m)
		}
	}
	return out
}

// raw writes n as a schema again.
func (n node) raw() json.RawMessage {
	var w objectWriter
	for _, m := range n.members {
		w.putRaw(m.Raw, m.Value)
	}
	return w.end()
}

// both is the schema of what two schemas allow. The title of the first counts.
func both(first, second json.RawMessage) json.RawMessage {
	var w objectWriter
	w.put("allOf", joinArray([]json.RawMessage{second, first}))
	return w.end()
}

// refName is the name that a part has by what it refers to: "Circle" of
// "#/$defs/Circle".
func refName(part json.RawMessage) string {
	members, err := rawjson.Object(part)
	if err != nil {
		return ""
	}
	ref, _ := rawjson.String(rawjson.Get(members, "$ref"))
	_, name, found := cutLast(ref, "/")
	if !found {
		return ""
	}
	return pointerUnescaper.Replace(name)
}

// setAlternatives makes f a Variant, unless nothing but raw JSON would come of
// it: then it has no kind.
func (p *parser) setAlternatives(f *Field, list []alternative, depth int) {
	if len(list) < 2 || len(list) > maxVariants {
		return
	}
	var variants []*Field
	raw := 0
	for _, a := range list {
		if p.fields >= maxFields {
			return
		}
		p.fields++
		v := p.makeTemplate(f, a.raw, depth, a.through...)
		fixAlternative(v)
		if v.Label == "" {
			v.Label = v.told()
		}
		if v.Label == "" {
			v.Label = a.name
		}
		if v.Kind == JSON {
			raw++
		}
		variants = append(variants, v)
	}
	if raw == len(list) {
		return
	}
	f.Kind, f.Variants = Variant, variants
}

// fixAlternative makes the only value of an alternative, and of the members
// that tell it apart, what comes with choosing it.
func fixAlternative(v *Field) {
	fix := func(f *Field) {
		if f.Kind == Choice && len(f.Options) == 1 {
			f.Fixed = true
			f.usable = &answer{state: Answered, picks: []int{0}}
		}
	}
	fix(v)
	for _, c := range v.Children {
		fix(c)
	}
}

// told is the value of the member that tells an alternative apart, "" without
// one.
func (f *Field) told() string {
	if f.Fixed {
		return f.Options[0].Label
	}
	for _, c := range f.Children {
		if c.Fixed {
			return c.Options[0].Label
		}
	}
	return ""
}

// splitUnion gives the alternatives of an object that has properties of its
// own or is the whole form, as objects that hold what each adds. shared names
// the properties that are in them and so not in the object itself. A union
// that only says which properties are required in which cases has no
// alternatives to show; the check of the whole reads it. ok is false when an
// alternative cannot be read.
func (p *parser) splitUnion(n node) (list []alternative, shared map[string]bool, ok bool) {
	key := n.union()
	parts, err := rawjson.Array(n.get(key))
	if key == "" || err != nil {
		return nil, nil, true
	}
	if len(parts) > maxVariants || !p.spend(len(parts)*len(n.get("properties"))) {
		return []alternative{{raw: parts[0]}}, nil, false
	}
	followed := p.followed
	defer func() { p.followed = followed }()
	nodes, shared := make([]node, len(parts)), map[string]bool{}
	for i, part := range parts {
		p.followed = nil
		inner, problem := p.resolve(part, 0)
		if !problem.IsZero() {
			return []alternative{{raw: part}}, nil, false
		}
		nodes[i] = inner
		members, _ := inner.properties()
		for _, m := range members {
			id, _ := rawjson.Decode(m.Raw)
			shared[id] = true
		}
		list = append(list, alternative{name: refName(part), through: p.followed})
	}
	if len(shared) == 0 {
		return nil, nil, true
	}
	own, _ := n.properties()
	_, base := n.splitProperties(own, shared)
	required, _ := n.required()
	for i, inner := range nodes {
		list[i].raw = inner.around(base, required, shared)
	}
	return list, shared, true
}

// splitProperties parts the properties of an object in those that its
// alternatives leave alone and those that they name too.
func (n node) splitProperties(own []rawjson.Member, shared map[string]bool) (alone, both []rawjson.Member) {
	for _, m := range own {
		if id, _ := rawjson.Decode(m.Raw); shared[id] {
			both = append(both, m)
		} else {
			alone = append(alone, m)
		}
	}
	return alone, both
}

// around is the alternative n as an object with the shared properties of the
// object around it: those come first, under both schemas where n has one too,
// and are required where either says so.
func (n node) around(base []rawjson.Member, required map[string]struct{}, shared map[string]bool) json.RawMessage {
	members, _ := n.properties()
	var properties objectWriter
	inBase := map[string]bool{}
	for _, m := range base {
		id, _ := rawjson.Decode(m.Raw)
		inBase[id] = true
		value := m.Value
		for _, own := range members {
			if ownID, _ := rawjson.Decode(own.Raw); ownID == id {
				value = both(own.Value, m.Value)
			}
		}
		properties.putRaw(m.Raw, value)
	}
	for _, m := range members {
		if id, _ := rawjson.Decode(m.Raw); !inBase[id] {
			properties.putRaw(m.Raw, m.Value)
		}
	}
	var names []json.RawMessage
	own, _ := n.required()
	for _, name := range n.requiredNames() {
		if shared[name] {
			names = append(names, rawjson.Quote(name))
		}
	}
	for _, m := range base {
		id, _ := rawjson.Decode(m.Raw)
		_, outside := required[id]
		if _, inside := own[id]; outside && !inside {
			names = append(names, rawjson.Quote(id))
		}
	}
	var w objectWriter
	w.put("type", json.RawMessage(`"object"`))
	for _, key := range []string{"title", "description"} {
		if text := n.get(key); text != nil {
			w.put(key, text)
		}
	}
	w.put("properties", properties.end())
	if len(names) > 0 {
		w.put("required", joinArray(names))
	}
	return w.end()
}

// kindNames are what alternatives without a name are called, by their kind.
var kindNames = map[Kind]string{
	Text: "forms.kind.text", Email: "forms.kind.email", URI: "forms.kind.uri", Date: "forms.kind.date",
	DateTime: "forms.kind.dateTime", Integer: "forms.kind.integer", Number: "forms.kind.number",
	Boolean: "forms.kind.boolean", Choice: "forms.kind.choice", Checklist: "forms.kind.checklist",
	List: "forms.kind.list", Group: "forms.kind.group", Rows: "forms.kind.rows", Variant: "forms.kind.variant",
	Map: "forms.kind.map", JSON: "forms.kind.json", Unsupported: "forms.kind.unsupported",
}

// KindName is the kind of f in words, for an alternative or an entry that the
// server has no name for ("Text", "Whole number").
func (f *Field) KindName() i18n.Message { return i18n.M(kindNames[f.Kind]) }
