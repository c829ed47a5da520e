package forms

import (
	"bytes"
	"encoding/json"

	"parley/forms/rawjson"
)

// The bounds of a skeleton: it is read by a person and written on.
const (
	maxSkeletonValues = 200
	maxSkeletonBytes  = 16 << 10
	maxSkeletonDepth  = 6
)

// Skeleton is a JSON text to begin with where the field at p is answered as
// raw JSON: indented, with the members that its schema names, required or not,
// each holding its default, else its first option, else the emptiest value of
// its type. It need not be right: what still has to be written Check will say.
// It is "" where the schema says nothing that could be written down.
//
// It is drawn from the schema and not from the answer; Text gives that.
func (d *Draft) Skeleton(p Path) string {
	f := d.Field(p)
	if f == nil || f.Kind == Unsupported {
		return ""
	}
	s := &skeleton{p: newParser(d.form), values: maxSkeletonValues, bytes: maxSkeletonBytes}
	s.p.active[""]++ // "#" leads to the whole form
	value := s.field(f)
	switch string(value) {
	case "", "null", `""`:
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, value, "", "  ") != nil {
		return ""
	}
	return b.String()
}

// skeleton writes one skeleton and counts what it may still take.
type skeleton struct {
	p             *parser
	values, bytes int
}

// field is the skeleton of a field. Those that are Inline have no schema of
// their own.
func (s *skeleton) field(f *Field) json.RawMessage {
	switch {
	case f.source != nil:
		return s.value(f.source, 0)
	case f.Kind == Variant:
		return s.value(f.Variants[0].source, 0)
	case f.Kind == Map:
		return s.mapOf(f.KeyRule, f.Entry.source, 0)
	}
	return json.RawMessage("{}")
}

// value is the skeleton of what the schema raw asks for; nil where that is not
// known, lies within itself, or the bounds are reached.
func (s *skeleton) value(raw json.RawMessage, depth int) (value json.RawMessage) {
	if s.values--; s.values < 0 || depth > maxSkeletonDepth {
		return nil
	}
	s.p.followed = nil
	n, problem := s.p.resolve(raw, 0)
	if !problem.IsZero() || s.p.recursive() {
		return nil
	}
	s.p.within(func() { value = s.ofNode(n, depth) })
	return value
}

// ofNode is value for a schema that was read.
func (s *skeleton) ofNode(n node, depth int) json.RawMessage {
	if v := n.get("default"); v != nil && rawjson.Kind(v) != 'n' {
		return s.given(v)
	}
	if parts, ok := n.constants(); ok && len(parts) > 0 {
		return s.given(parts[0].raw)
	}
	if n.union() != "" && !n.describesObject() {
		if list, ok := s.p.alternatives(n); ok && len(list) > 0 {
			return s.value(list[0].raw, depth)
		}
		return nil
	}
	types := n.types()
	if len(types) == 0 {
		types = s.p.guessTypes(n)
	}
	if len(types) == 0 {
		return nil
	}
	switch types[0] {
	case "string":
		return s.given(json.RawMessage(`""`))
	case "integer", "number":
		return s.given(smallest(n))
	case "boolean":
		return s.given(json.RawMessage("false"))
	case "array":
		return s.array(n, depth)
	case "object":
		return s.object(n, depth)
	}
	return nil
}

// given is a value that stands in the schema, if there is room for it.
func (s *skeleton) given(raw json.RawMessage) json.RawMessage {
	if s.bytes -= len(raw); s.bytes < 0 {
		return nil
	}
	return compact(raw)
}

// smallest is 0, or the limit of a number that cannot be 0.
func smallest(n node) json.RawMessage {
	for _, limit := range []struct {
		keyword  string
		negative bool // limits that forbid 0 are
	}{{"minimum", false}, {"exclusiveMinimum", false}, {"maximum", true}, {"exclusiveMaximum", true}} {
		raw := n.get(limit.keyword)
		if rawjson.Kind(raw) == '0' && (raw[0] == '-') == limit.negative {
			return raw
		}
	}
	return json.RawMessage("0")
}

// array has one entry where that shows something: an object or an array.
func (s *skeleton) array(n node, depth int) json.RawMessage {
	s.bytes -= len("[]")
	items := n.get("items")
	if first, err := rawjson.Array(n.get("prefixItems")); err == nil && len(first) > 0 {
		return s.tuple(first, depth)
	}
	if first, err := rawjson.Array(items); err == nil && len(first) > 0 {
		return s.tuple(first, depth)
	}
	if items != nil {
		if entry := s.value(items, depth+1); len(entry) > 0 && (entry[0] == '{' || entry[0] == '[') {
			return joinArray([]json.RawMessage{entry})
		}
	}
	return json.RawMessage("[]")
}

// tuple has an entry for each of the places that a schema names.
func (s *skeleton) tuple(places []json.RawMessage, depth int) json.RawMessage {
	var entries []json.RawMessage
	for _, place := range places {
		entry := s.value(place, depth+1)
		if s.values < 0 {
			break
		}
		if entry == nil {
			entry = json.RawMessage("null")
		}
		entries = append(entries, entry)
	}
	return joinArray(entries)
}

// object has the members that are named. One whose value is not known is null
// where it is required, for a person to see, and else left out.
func (s *skeleton) object(n node, depth int) json.RawMessage {
	members, _ := n.properties()
	if list, _, ok := s.p.splitUnion(n); ok && len(list) > 0 {
		if inner, problem := s.p.resolve(list[0].raw, 0); problem.IsZero() {
			own, _ := inner.properties()
			members = append(members[:len(members):len(members)], own...)
		}
	}
	required, _ := n.required()
	var w objectWriter
	written := map[string]bool{}
	for _, m := range members {
		id, _ := rawjson.Decode(m.Raw)
		if written[id] {
			continue
		}
		written[id] = true
		value := s.value(m.Value, depth+1)
		if _, needed := required[id]; value == nil && needed && s.values >= 0 {
			value = json.RawMessage("null")
		}
		if s.bytes -= len(m.Raw); value == nil || s.bytes < 0 {
			continue
		}
		w.putRaw(m.Raw, value)
	}
	if keys := n.further(); len(members) == 0 && keys.values != nil {
		return s.mapOf(s.p.keyRule(n, keys.pattern), keys.values, depth)
	}
	return w.end()
}

// mapOf has one entry, under the first key that may be there, where that shows
// something.
func (s *skeleton) mapOf(keys *Field, entry json.RawMessage, depth int) json.RawMessage {
	s.bytes -= len("{}")
	value := s.value(entry, depth+1)
	if len(value) == 0 || value[0] != '{' && value[0] != '[' {
		return json.RawMessage("{}")
	}
	var w objectWriter
	key := json.RawMessage(`""`)
	if keys != nil && keys.Kind == Choice {
		key = keys.Options[0].Raw
	}
	w.putRaw(key, value)
	return w.end()
}
