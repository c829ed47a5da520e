package mcpclient

import (
	"encoding/json"

	"parley/forms/rawjson"
)

// member is one member of an object that the client writes. A nil value leaves
// the member out.
type member struct {
	key   string
	value json.RawMessage
}

// literal is a member whose key is written as a server spelt it.
type literal struct{ key, value json.RawMessage }

// encodeLiteral is encode for keys that came from a server.
func encodeLiteral(members []literal) json.RawMessage {
	size := len("{}")
	for _, m := range members {
		size += len(m.key) + len(m.value) + len(`:,`)
	}
	b := append(make([]byte, 0, size), '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, m.key...), ':'), m.value...)
	}
	return append(b, '}')
}

// encode writes an object with its members in the given order and their values
// byte for byte.
func encode(members ...member) json.RawMessage {
	size := len("{}")
	for _, m := range members {
		size += len(m.key) + len(m.value) + len(`"":,`)
	}
	b := append(make([]byte, 0, size), '{')
	for _, m := range members {
		if m.value == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(rawjson.AppendQuote(b, m.key), ':'), m.value...)
	}
	return append(b, '}')
}

// quote writes s as a JSON string.
func quote(s string) json.RawMessage { return rawjson.Quote(s) }

// isObject reports whether raw, which is valid JSON, is an object.
func isObject(raw json.RawMessage) bool { return rawjson.Kind(raw) == '{' }

// isNull reports whether raw is absent or null. Several SDKs write null for
// what they mean to leave out.
func isNull(raw json.RawMessage) bool {
	k := rawjson.Kind(raw)
	return k == 0 || k == 'n'
}

// text returns the string raw stands for, "" if it is none.
func text(raw json.RawMessage) string {
	s, _ := rawjson.String(raw)
	return s
}

// texts returns the strings of an array; whatever else is in it is left out.
func texts(raw json.RawMessage) []string {
	elements, _, err := rawjson.ArrayUpTo(raw, maxOffered)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range elements {
		if s, ok := rawjson.String(e); ok {
			out = append(out, s)
		}
	}
	return out
}

// object returns raw if it is an object, else an empty one.
func object(raw json.RawMessage) json.RawMessage {
	if isObject(raw) {
		return raw
	}
	return json.RawMessage("{}")
}

// optional returns raw, nil for null.
func optional(raw json.RawMessage) json.RawMessage {
	if isNull(raw) {
		return nil
	}
	return raw
}
