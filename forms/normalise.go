package forms

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// node is one schema with $ref, allOf and nullable unions worked in: a plain
// list of keywords.
type node struct {
	members  []rawjson.Member
	nullable bool // null was one of the alternatives
	said     bool // "nullable", which is not JSON Schema, says so too
}

func (n node) get(key string) json.RawMessage { return rawjson.Get(n.members, key) }

// text is the string under key, "" if there is none.
func (n node) text(key string) string {
	s, _ := rawjson.String(n.get(key))
	return s
}

// maxTypes is how many types there are (JSON Schema 2020-12 core, section
// 4.2.1, and "integer"), null not counted; of more than that in a list, some
// are made up and no control fits.
const maxTypes = 6

// types are the names under "type" without "null", one more than there are at
// most; "integer" beside "number" is covered by it.
func (n node) types() []string {
	var types []string
	add := func(raw json.RawMessage) {
		if s, ok := rawjson.String(raw); ok && s != "null" && !contains(types, s) {
			types = append(types, s)
		}
	}
	raw := n.get("type")
	add(raw)
	if list, err := rawjson.Array(raw); err == nil {
		for _, e := range list {
			if len(types) > maxTypes {
				break
			}
			add(e)
		}
	}
	if len(types) == 2 && contains(types, "integer") && contains(types, "number") {
		return []string{"number"}
	}
	return types
}

// required is the set of required keys, and what is wrong with the list.
func (n node) required() (set map[string]struct{}, problems []i18n.Message) {
	set = map[string]struct{}{}
	raw := n.get("required")
	if raw == nil {
		return set, nil
	}
	list, err := rawjson.Array(raw)
	if err != nil {
		return set, []i18n.Message{i18n.M("forms.problem.required")}
	}
	for _, e := range list {
		s, ok := rawjson.Decode(e)
		if !ok {
			problems = []i18n.Message{i18n.M("forms.problem.required")}
			continue
		}
		set[s] = struct{}{}
	}
	return set, problems
}

// requiredNames are the required keys in their order.
func (n node) requiredNames() []string {
	var names []string
	list, _ := rawjson.Array(n.get("required"))
	for _, e := range list {
		if s, ok := rawjson.Decode(e); ok {
			names = append(names, s)
		}
	}
	return names
}

// resolve works the harmless forms of indirection into one node: local $ref,
// allOf, and anyOf/oneOf whose only other alternative is null. The message
// says why a schema cannot be used, zero if it can. depth counts the levels of
// indirection.
func (p *parser) resolve(raw json.RawMessage, depth int) (node, i18n.Message) {
	switch rawjson.Kind(raw) {
	case '{':
	case 't': // true allows everything
		return node{}, i18n.Message{}
	case 'f':
		return node{}, i18n.M("forms.problem.nothingAllowed")
	default:
		return node{}, i18n.M("forms.problem.notSchema")
	}
	if depth > maxRefs || !p.spend(len(raw)) {
		if p.circles() {
			return node{}, i18n.M("forms.problem.endless")
		}
		return node{}, i18n.M("forms.problem.tooDeep")
	}
	members, err := rawjson.Object(raw)
	if err != nil {
		return node{}, i18n.M("forms.problem.notSchema")
	}
	n := node{members: members}
	n.nullable = isNullType(n.get("type")) && !n.namesNoNull()
	n.said = rawjson.Kind(n.get("nullable")) == 't'
	for _, step := range []func(*parser, node, int) (node, i18n.Message){
		(*parser).followRef, (*parser).mergeAllOf, (*parser).dropNull,
	} {
		var problem i18n.Message
		if n, problem = step(p, n, depth); !problem.IsZero() {
			return node{}, problem
		}
	}
	return n, i18n.Message{}
}

// namesNoNull reports whether n has a list of values that null is not in.
func (n node) namesNoNull() bool {
	values, err := rawjson.Array(n.get("enum"))
	if c := n.get("const"); c != nil {
		values, err = []json.RawMessage{c}, nil
	}
	if err != nil {
		return false
	}
	for _, v := range values {
		if rawjson.Kind(v) == 'n' {
			return false
		}
	}
	return true
}

// isNullType reports whether a type keyword allows null beside something else.
func isNullType(raw json.RawMessage) bool {
	list, err := rawjson.Array(raw)
	if err != nil {
		return false
	}
	for _, e := range list {
		if s, ok := rawjson.String(e); ok && s == "null" {
			return true
		}
	}
	return false
}

// followRef replaces a $ref by what it points to, with the keywords beside it
// added. Only pointers are followed: what an anchor or a $dynamicRef means
// depends on the way that led there (JSON Schema 2020-12 core, section 8.2).
func (p *parser) followRef(n node, depth int) (node, i18n.Message) {
	for _, key := range []string{"$dynamicRef", "$recursiveRef"} {
		if raw := n.get(key); raw != nil {
			return node{}, i18n.M("forms.problem.refNotFollowed", "Ref", excerpt(valueText(raw)))
		}
	}
	raw := n.get("$ref")
	if raw == nil {
		return n, i18n.Message{}
	}
	ref, ok := rawjson.String(raw)
	if !ok {
		return node{}, i18n.M("forms.problem.badRef", "Ref", excerpt(string(raw)))
	}
	pointer, local := strings.CutPrefix(ref, "#")
	switch {
	case ref == "": // the schema itself (RFC 3986 section 4.4)
		local = true
	case local && pointer != "" && !strings.HasPrefix(pointer, "/") && !strings.HasPrefix(pointer, "%"), !local && p.isWithin(ref):
		return node{}, i18n.M("forms.problem.refNotFollowed", "Ref", excerpt(ref))
	}
	if !local {
		return node{}, i18n.M("forms.problem.networkRef", "Ref", excerpt(ref))
	}
	p.followed = append(p.followed, pointer)
	target, ok := p.lookup(pointer)
	if !ok {
		return node{}, i18n.M("forms.problem.badRef", "Ref", excerpt(ref))
	}
	p.chain = append(p.chain, pointer)
	base, problem := p.resolve(target, depth+1)
	p.chain = p.chain[:len(p.chain)-1]
	if !problem.IsZero() {
		return node{}, problem
	}
	return merge(base, without(n, "$ref"))
}

// circles reports whether one of the references that led here leads to itself.
func (p *parser) circles() bool {
	seen := map[string]bool{}
	for _, pointer := range p.chain {
		if seen[pointer] {
			return true
		}
		seen[pointer] = true
	}
	return false
}

// isWithin reports whether a reference leads to this schema or a part of it by
// a name and not by a place: relative, or by an "$id" that is in it.
func (p *parser) isWithin(ref string) bool {
	base, _, _ := strings.Cut(ref, "#")
	if u, err := url.Parse(base); err == nil && !u.IsAbs() && u.Host == "" {
		return true
	}
	root := describe(p.schema)
	if root.text("$id") == base {
		return true
	}
	for _, key := range []string{"$defs", "definitions"} {
		for _, m := range describe(root.get(key)).members {
			if describe(m.Value).text("$id") == base {
				return true
			}
		}
	}
	return false
}

// spend takes n bytes of reading from what is left for one schema and reports
// whether there was enough. References can make a small schema endless to read.
func (p *parser) spend(n int) bool {
	const step = 1024 // what a step costs however little there is to read
	if n+step > p.work {
		return false
	}
	p.work -= n + step
	return true
}

// mergeAllOf works the parts of an allOf into their owner where they do not
// contradict each other.
func (p *parser) mergeAllOf(n node, depth int) (node, i18n.Message) {
	raw := n.get("allOf")
	if raw == nil {
		return n, i18n.Message{}
	}
	parts, err := rawjson.Array(raw)
	if err != nil {
		return node{}, i18n.M("forms.problem.notSchema")
	}
	if len(parts) > maxRefs {
		return node{}, i18n.M("forms.problem.combined")
	}
	var base node
	for _, part := range parts {
		next, problem := p.resolve(part, depth+1)
		if !problem.IsZero() {
			return node{}, problem
		}
		if base, problem = merge(base, next); !problem.IsZero() {
			return node{}, problem
		}
	}
	return merge(base, without(n, "allOf"))
}

// dropNull takes null out of an anyOf or oneOf and replaces a union of one by
// its only part, one of bare types by a list of types. A union of constants
// stays: it is a choice.
func (p *parser) dropNull(n node, depth int) (node, i18n.Message) {
	for _, key := range []string{"anyOf", "oneOf"} {
		raw := n.get(key)
		if raw == nil {
			continue
		}
		parts, err := rawjson.Array(raw)
		if err != nil || len(parts) == 0 {
			return node{}, i18n.M("forms.problem.notSchema")
		}
		if referred, ok := p.referredConstants(parts, depth); ok {
			parts, n = referred, with(n, key, joinArray(referred))
		}
		var left []json.RawMessage
		for _, part := range parts {
			if isNull(part) {
				n.nullable = true
				continue
			}
			left = append(left, part)
		}
		switch {
		case len(left) == 0:
			return node{}, i18n.M("forms.problem.nothingAllowed")
		case len(left) == 1 && !isConstant(left[0]):
			inner, problem := p.resolve(left[0], depth+1)
			if !problem.IsZero() {
				return node{}, problem
			}
			return merge(inner, without(n, key))
		case len(left) < len(parts):
			n = with(n, key, joinArray(left))
		}
		if types, ok := p.bareTypes(left); ok && key == "anyOf" && n.get("type") == nil {
			n = with(without(n, key), "type", joinArray(types))
		}
	}
	return n, i18n.Message{}
}

// referredConstants are the parts of a union of constants of which some lie
// under a $ref; ok is false for any other union.
func (p *parser) referredConstants(parts []json.RawMessage, depth int) (constants []json.RawMessage, ok bool) {
	through := p.followed
	defer func() { p.followed = through }()
	for _, part := range parts[:min(len(parts), maxOptions)] {
		pointer, refers := strings.CutPrefix(describe(part).text("$ref"), "#")
		if !refers {
			if _, constant := unionOptions(part); !constant && !isNull(part) {
				return nil, false
			}
			constants = append(constants, part)
			continue
		}
		target, found := p.lookup(pointer)
		if _, constant := unionOptions(target); !found || !constant {
			return nil, false
		}
		n, problem := p.resolve(part, depth+1)
		if !problem.IsZero() {
			return nil, false
		}
		constants, ok = append(constants, n.raw()), true
	}
	return constants, ok && len(parts) <= maxOptions
}

// bareTypes are the types of a union whose parts say nothing but a type, such
// as the int | float of a Python model. In a tool's arguments, where each part
// can be shown, one that describes itself is not bare.
func (p *parser) bareTypes(parts []json.RawMessage) (types []json.RawMessage, ok bool) {
	for _, part := range parts {
		members, err := rawjson.Object(part)
		if err != nil {
			return nil, false
		}
		for _, m := range members {
			told := p.purpose == Arguments && (m.Key == "title" || m.Key == "description")
			if m.Key != "type" && !annotations[m.Key] || told {
				return nil, false
			}
		}
		t := rawjson.Get(members, "type")
		if rawjson.Kind(t) != '"' {
			return nil, false
		}
		types = append(types, t)
	}
	return types, true
}

// isNull reports whether a schema allows nothing but null.
func isNull(raw json.RawMessage) bool {
	members, err := rawjson.Object(raw)
	if err != nil {
		return false
	}
	if s, ok := rawjson.String(rawjson.Get(members, "type")); ok {
		return s == "null"
	}
	return rawjson.Kind(rawjson.Get(members, "const")) == 'n'
}

// isConstant reports whether a schema names its only value.
func isConstant(raw json.RawMessage) bool {
	members, err := rawjson.Object(raw)
	return err == nil && rawjson.Get(members, "const") != nil
}

// annotations are the keywords that say nothing about what is valid; where two
// schemas meet, the outer one's count.
var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "examples": true, "deprecated": true,
	"readOnly": true, "writeOnly": true, "$comment": true, "$schema": true, "$id": true,
	"$defs": true, "definitions": true,
}

// merge adds the keywords of over to those of base. Two different demands
// under one keyword cannot be shown by one control, unless one control can keep
// both: see mergeKeyword.
func merge(base, over node) (node, i18n.Message) {
	out := node{members: append([]rawjson.Member(nil), base.members...), nullable: base.nullable || over.nullable, said: base.said || over.said}
	if len(base.members) > maxKeywords || len(over.members) > maxKeywords {
		return node{}, i18n.M("forms.problem.combined")
	}
	at := make(map[string]int, len(out.members))
	for i, m := range out.members {
		at[m.Key] = i
	}
	for _, m := range over.members {
		i, known := at[m.Key]
		if !known {
			at[m.Key] = len(out.members)
			out.members = append(out.members, m)
			continue
		}
		switch old := out.members[i].Value; {
		case annotations[m.Key]:
			out.members[i].Value = m.Value
		case m.Key == "type" && sameTypes(old, m.Value):
		case !bytes.Equal(old, m.Value):
			together, ok := mergeKeyword(m.Key, old, m.Value)
			if !ok {
				return node{}, i18n.M("forms.problem.combined")
			}
			out.members[i].Value = together
		}
	}
	return out, i18n.Message{}
}

// sameTypes reports whether two type keywords differ in null at most.
func sameTypes(a, b json.RawMessage) bool {
	of := func(raw json.RawMessage) string {
		return strings.Join(node{members: []rawjson.Member{{Key: "type", Value: raw}}}.types(), " ")
	}
	return of(a) == of(b)
}

func without(n node, key string) node {
	out := node{nullable: n.nullable, said: n.said}
	for _, m := range n.members {
		if m.Key != key {
			out.members = append(out.members, m)
		}
	}
	return out
}

// with is n with value under key, in its place or at the end.
func with(n node, key string, value json.RawMessage) node {
	out := node{members: append([]rawjson.Member(nil), n.members...), nullable: n.nullable, said: n.said}
	for i := range out.members {
		if out.members[i].Key == key {
			out.members[i].Value = value
			return out
		}
	}
	out.members = append(out.members, rawjson.Member{Key: key, Raw: rawjson.Quote(key), Value: value})
	return out
}

// joinArray writes the elements as one JSON array.
func joinArray(elements []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, e := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, e...)
	}
	return append(out, ']')
}
