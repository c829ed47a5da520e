package forms

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// node is one schema with $ref, allOf and nullable unions worked in: a plain
// list of keywords.
type node struct {
	members  []rawjson.Member
	nullable bool // null was one of the alternatives; it is never sent
}

func (n node) get(key string) json.RawMessage { return rawjson.Get(n.members, key) }

// text is the string under key, "" if there is none.
func (n node) text(key string) string {
	s, _ := rawjson.String(n.get(key))
	return s
}

// types are the names under "type" without "null"; "integer" beside "number"
// is covered by it.
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
		return node{}, i18n.M("forms.problem.endless")
	}
	members, err := rawjson.Object(raw)
	if err != nil {
		return node{}, i18n.M("forms.problem.notSchema")
	}
	n := node{members: members}
	if isNullType(n.get("type")) || rawjson.Kind(n.get("nullable")) == 't' {
		n.nullable = true
	}
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

// isNullType reports whether a type keyword allows null beside something else.
// (OpenAPI 3.0 says the same as "nullable": true.)
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
// added.
func (p *parser) followRef(n node, depth int) (node, i18n.Message) {
	raw := n.get("$ref")
	if raw == nil {
		return n, i18n.Message{}
	}
	ref, ok := rawjson.String(raw)
	if !ok {
		return node{}, i18n.M("forms.problem.badRef", "Ref", string(raw))
	}
	pointer, local := strings.CutPrefix(ref, "#")
	if !local {
		return node{}, i18n.M("forms.problem.networkRef", "Ref", ref)
	}
	if pointer == "" {
		return node{}, i18n.M("forms.problem.endless")
	}
	p.followed = append(p.followed, pointer)
	target, ok := p.lookup(pointer)
	if !ok {
		return node{}, i18n.M("forms.problem.badRef", "Ref", ref)
	}
	base, problem := p.resolve(target, depth+1)
	if !problem.IsZero() {
		return node{}, problem
	}
	return merge(base, without(n, "$ref"))
}

// lookup finds the target of a local reference by its JSON Pointer (RFC 6901,
// in a URI fragment). "#name" is an anchor, which the restricted subset does
// not have.
func (p *parser) lookup(pointer string) (json.RawMessage, bool) {
	decoded, err := url.PathUnescape(pointer)
	if err != nil || decoded == "" || decoded[0] != '/' {
		return nil, false
	}
	at := p.schema
	for i := 0; i < len(decoded); {
		end := len(decoded)
		if n := strings.IndexByte(decoded[i+1:], '/'); n >= 0 {
			end = i + 1 + n
		}
		token := strings.NewReplacer("~1", "/", "~0", "~").Replace(decoded[i+1 : end])
		at = rawjson.Get(p.container(decoded[:i], at), token)
		if at == nil {
			return nil, false
		}
		i = end
	}
	return at, true
}

// container is what the object or array at a pointer holds, read once however
// many references lead through it.
func (p *parser) container(pointer string, raw json.RawMessage) []rawjson.Member {
	if members, ok := p.containers[pointer]; ok {
		return members
	}
	var members []rawjson.Member
	if p.spend(len(raw)) {
		members, _ = rawjson.Object(raw)
		if list, err := rawjson.Array(raw); err == nil {
			for i, e := range list {
				members = append(members, rawjson.Member{Key: strconv.Itoa(i), Value: e})
			}
		}
	}
	p.containers[pointer] = members
	return members
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
		if types, ok := bareTypes(left); ok && key == "anyOf" && n.get("type") == nil {
			n = with(without(n, key), "type", joinArray(types))
		}
	}
	return n, i18n.Message{}
}

// bareTypes are the types of a union whose parts say nothing but a type, such
// as the int | float of a Python model.
func bareTypes(parts []json.RawMessage) (types []json.RawMessage, ok bool) {
	for _, part := range parts {
		members, err := rawjson.Object(part)
		if err != nil {
			return nil, false
		}
		for _, m := range members {
			if m.Key != "type" && !annotations[m.Key] {
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
// under one keyword cannot be shown by one control.
func merge(base, over node) (node, i18n.Message) {
	out := node{members: append([]rawjson.Member(nil), base.members...), nullable: base.nullable || over.nullable}
	if len(base.members) > maxKeywords || len(over.members) > maxKeywords {
		return node{}, i18n.M("forms.problem.combined")
	}
	for _, m := range over.members {
		old := out.get(m.Key)
		switch {
		case old == nil:
			out.members = append(out.members, m)
		case annotations[m.Key]:
			out = with(out, m.Key, m.Value)
		case m.Key == "type" && sameTypes(old, m.Value):
		case !bytes.Equal(old, m.Value):
			return node{}, i18n.M("forms.problem.combined")
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
	out := node{nullable: n.nullable}
	for _, m := range n.members {
		if m.Key != key {
			out.members = append(out.members, m)
		}
	}
	return out
}

// with is n with value under key, in its place or at the end.
func with(n node, key string, value json.RawMessage) node {
	out := node{members: append([]rawjson.Member(nil), n.members...), nullable: n.nullable}
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
