package forms

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"parley/forms/rawjson"
)

// secrecy is how much of a value is a secret.
type secrecy int

const (
	secretNone   secrecy = iota
	secretWithin         // members of raw JSON are
	secretWhole
)

// secretIn is how much of what f sends looks like a secret. Where f is answered
// with raw JSON, what its fields say counts too.
func (f *Field) secretIn(value json.RawMessage) secrecy {
	switch {
	case f.Secret, f.Kind.Structured() && f.holdsSecretsOnly():
		return secretWhole
	case f.Kind != JSON && !f.Kind.Structured():
		return secretNone
	}
	if _, found := f.maskMembers(value); found {
		return secretWithin
	}
	return secretNone
}

// holdsSecretsOnly reports whether all of f is a secret by its name, or what
// its entries or alternatives are.
func (f *Field) holdsSecretsOnly() bool {
	return f.secretMatter() != "" || f.Entry != nil && f.Entry.Secret ||
		slices.ContainsFunc(f.Variants, func(v *Field) bool { return v.Secret })
}

// secretNames adds to names those of the fields in f that are secrets, by
// whatever text.
func (f *Field) secretNames(names map[string]bool) {
	fields := append(slices.Clone(f.Children), f.Variants...)
	if f.Entry != nil {
		fields = append(fields, f.Entry)
	}
	for _, c := range fields {
		if c.Secret && c.Key != nil {
			name, _ := rawjson.Decode(c.Key)
			names[name] = true
		}
		c.secretNames(names)
	}
}

// maskWithin is value with a mask for what its members with the names of
// secrets hold.
func (f *Field) maskWithin(value json.RawMessage) json.RawMessage {
	masked, _ := f.maskMembers(value)
	return masked
}

// maskMembers writes JSON with a mask for the value of each member that is
// named like a secret and holds something, {"name":"apiKey","value":…} among
// them. found tells whether there was one. Only white space and the spelling
// of strings may differ otherwise.
func (f *Field) maskMembers(value json.RawMessage) (out json.RawMessage, found bool) {
	m := &masker{d: json.NewDecoder(bytes.NewReader(value)), known: map[string]bool{}}
	f.secretNames(m.known)
	m.d.UseNumber()
	for m.next() {
	}
	return m.out, m.found
}

// masker goes through JSON token by token, so that its cost is that of the
// length, however deep the JSON is.
type masker struct {
	d     *json.Decoder
	out   []byte
	stack []maskFrame
	known map[string]bool // keys looked at, and whether they name a secret
	found bool
}

// maskFrame is an object or array that the masker is in.
type maskFrame struct {
	object bool
	key    bool   // the next token is a key
	name   string // the key whose value comes next
	some   bool   // it has had a member
	tells  bool   // a member "name" or "key" holds the name of a secret
}

// next goes one token on.
func (m *masker) next() bool {
	if top := m.top(); top != nil && top.object && !top.key && m.secretMember(top) {
		return m.maskValue()
	}
	token, err := m.d.Token()
	if err != nil {
		return false
	}
	if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
		m.stack = m.stack[:len(m.stack)-1]
		m.out = append(m.out, byte(delim))
		m.valueDone()
		return true
	}
	top := m.top()
	if top != nil && top.object && top.key {
		m.comma()
		top.name, _ = token.(string)
		top.key = false
		m.out = append(append(m.out, rawjson.Quote(top.name)...), ':')
		return true
	}
	if top != nil && !top.object {
		m.comma()
	}
	switch t := token.(type) {
	case json.Delim:
		m.out = append(m.out, byte(t))
		m.stack = append(m.stack, maskFrame{object: t == '{', key: t == '{'})
		return true
	case string:
		if top != nil && top.object && (top.name == "name" || top.name == "key") {
			top.tells = top.tells || m.namesSecret(t)
		}
		m.out = append(m.out, rawjson.Quote(t)...)
	case json.Number:
		m.out = append(m.out, t...)
	case bool:
		if t {
			m.out = append(m.out, "true"...)
		} else {
			m.out = append(m.out, "false"...)
		}
	default:
		m.out = append(m.out, "null"...)
	}
	m.valueDone()
	return true
}

func (m *masker) top() *maskFrame {
	if len(m.stack) == 0 {
		return nil
	}
	return &m.stack[len(m.stack)-1]
}

// comma parts a member or element from the one before.
func (m *masker) comma() {
	if top := m.top(); top.some {
		m.out = append(m.out, ',')
	} else {
		top.some = true
	}
}

func (m *masker) valueDone() {
	if top := m.top(); top != nil {
		top.key = top.object
	}
}

// secretMember reports whether the value that comes next is a secret's.
func (m *masker) secretMember(top *maskFrame) bool {
	return top.tells && top.name == "value" || m.namesSecret(top.name)
}

func (m *masker) namesSecret(key string) bool {
	yes, seen := m.known[key]
	if !seen {
		yes = looksSecret(key, "", "", "")
		m.known[key] = yes
	}
	return yes
}

// maskValue writes a mask for the next value, if it holds anything.
func (m *masker) maskValue() bool {
	var value json.RawMessage
	if m.d.Decode(&value) != nil {
		return false
	}
	switch text := strings.Join(strings.Fields(string(value)), ""); text {
	case "null", "true", "false", `""`, "[]", "{}":
		m.out = append(m.out, text...)
	default:
		m.found = true
		m.out = append(m.out, masked()...)
	}
	m.valueDone()
	return true
}
