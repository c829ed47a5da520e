// Package rawjson reads and writes JSON without losing what encoding/json's
// maps lose: the order of the members, the digits of numbers and the spelling
// of strings, lone surrogates included. What comes from a server stays a
// json.RawMessage until the one reader that needs it; this package is how such
// readers look inside.
package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// Member is one member of a JSON object.
type Member struct {
	Key   string          // decoded as String does
	Raw   json.RawMessage // the key's literal as it stood, quotes included
	Value json.RawMessage // as it stood, without outer white space
}

// ErrNotObject and ErrNotArray are returned (wrapped) for JSON of another kind.
var (
	ErrNotObject = errors.New("not a JSON object")
	ErrNotArray  = errors.New("not a JSON array")
)

// Object returns the members of the JSON object raw in their order. Of several
// members with one key the last value counts and stands at the place of the
// first, as in JavaScript; keys that differ only in lone surrogates are two
// keys. The error is ErrNotObject for other JSON and a *json.SyntaxError for no
// JSON. The results share raw's memory.
func Object(raw json.RawMessage) ([]Member, error) {
	var o object
	err := each(raw, func(key, value json.RawMessage) bool {
		name, _ := String(key)
		o.put(key, name, value)
		return true
	})
	return o.members, err
}

// ObjectUpTo is Object for at most max different keys; more tells that there
// are others. Objects of strangers may have millions, each of which costs many
// times its bytes.
func ObjectUpTo(raw json.RawMessage, max int) (members []Member, more bool, err error) {
	var o object
	err = each(raw, func(key, value json.RawMessage) bool {
		name, _ := String(key)
		if len(o.members) == max && place(o.members, o.at, key, name) < 0 {
			more = true
			return false
		}
		o.put(key, name, value)
		return true
	})
	return o.members, more, err
}

// Only is Object for a reader that wants these keys alone: the others cost
// nothing. A key with U+FFFD, which may stand for different ones, is not found.
func Only(raw json.RawMessage, keys ...string) ([]Member, error) {
	var o object
	err := each(raw, func(key, value json.RawMessage) bool {
		for _, k := range keys {
			if isKey(key, k) {
				o.put(key, k, value)
				break
			}
		}
		return true
	})
	return o.members, err
}

// object gathers members, each key once.
type object struct {
	members []Member
	at      map[string]int // places by key; only of objects with many members
}

func (o *object) put(key json.RawMessage, name string, value json.RawMessage) {
	if n := place(o.members, o.at, key, name); n >= 0 {
		o.members[n].Value = value
		return
	}
	if o.members == nil {
		o.members = make([]Member, 0, few)
	}
	o.members = append(o.members, Member{Key: name, Raw: key, Value: value})
	switch {
	case o.at != nil:
		o.at[identity(key, name)] = len(o.members) - 1
	case len(o.members) == few:
		o.at = map[string]int{}
		for n, m := range o.members {
			o.at[identity(m.Raw, m.Key)] = n
		}
	}
}

// each gives the members of the object raw to f as they stand, until f returns
// false.
func each(raw json.RawMessage, f func(key, value json.RawMessage) bool) error {
	i, err := open(raw, '{', ErrNotObject)
	if err != nil {
		return err
	}
	for {
		i = space(raw, i)
		switch raw[i] {
		case '}':
			return nil
		case ',':
			i++
			continue
		}
		end := skip(raw, i)
		key := raw[i:end:end]
		i = space(raw, space(raw, end)+1) // over the colon
		end = skip(raw, i)
		if !f(key, raw[i:end:end]) {
			return nil
		}
		i = end
	}
}

// few is how many members are looked through one by one for a repeated key.
const few = 8

// place returns where the member with this key stands, -1 if nowhere.
func place(members []Member, at map[string]int, key json.RawMessage, name string) int {
	if at != nil {
		if n, seen := at[identity(key, name)]; seen {
			return n
		}
		return -1
	}
	for n, m := range members {
		if m.Key == name && identity(m.Raw, m.Key) == identity(key, name) {
			return n
		}
	}
	return -1
}

// identity is what tells the key apart from others: name, unless that hides
// what lone surrogates stood there.
func identity(key json.RawMessage, name string) string {
	if strings.ContainsRune(name, utf8.RuneError) {
		name, _ = Decode(key)
	}
	return name
}

// Lookup returns the value of key in the JSON object raw, nil if there is none:
// Get of Object, for a reader that wants no more than this. The errors are
// those of Object.
func Lookup(raw json.RawMessage, key string) (json.RawMessage, error) {
	if strings.ContainsRune(key, utf8.RuneError) { // which may stand for different keys
		members, err := Object(raw)
		return Get(members, key), err
	}
	var found json.RawMessage
	err := each(raw, func(name, value json.RawMessage) bool {
		if isKey(name, key) {
			found = value
		}
		return true
	})
	return found, err
}

// isKey reports whether the literal stands for key.
func isKey(literal json.RawMessage, key string) bool {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1:len(literal)-1]) == key
	}
	name, _ := String(literal)
	return name == key
}

// Array returns the elements of the JSON array raw; they share its memory.
func Array(raw json.RawMessage) ([]json.RawMessage, error) {
	elements, _, err := ArrayUpTo(raw, -1)
	return elements, err
}

// ArrayUpTo is Array for the first max elements, all of them if max is
// negative; more tells that there are others.
func ArrayUpTo(raw json.RawMessage, max int) (elements []json.RawMessage, more bool, err error) {
	i, err := open(raw, '[', ErrNotArray)
	if err != nil {
		return nil, false, err
	}
	for {
		i = space(raw, i)
		switch raw[i] {
		case ']':
			return elements, false, nil
		case ',':
			i++
			continue
		}
		if len(elements) == max {
			return elements, true, nil
		}
		end := skip(raw, i)
		elements = append(elements, raw[i:end:end])
		i = end
	}
}

// Get returns the value of key in the members, nil if there is none.
func Get(members []Member, key string) json.RawMessage {
	for i := range members {
		if members[i].Key == key {
			return members[i].Value
		}
	}
	return nil
}

// Kind tells what raw is by its first byte: '{' '[' '"' 't' 'f' 'n', '0' for
// any number, 0 for nothing.
func Kind(raw json.RawMessage) byte {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return 0
	}
	switch c := raw[0]; {
	case c == '-' || c >= '0' && c <= '9':
		return '0'
	default:
		return c
	}
}

// open checks that raw is JSON and returns the place after its opening
// delimiter. What follows may trust the grammar.
func open(raw json.RawMessage, delim byte, other error) (int, error) {
	if !json.Valid(raw) {
		var v json.RawMessage
		if err := json.Unmarshal(raw, &v); err != nil {
			return 0, err
		}
	}
	i := space(raw, 0)
	if raw[i] != delim {
		return 0, other
	}
	return i + 1, nil
}

// space returns the first place from i on that is no white space.
func space(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\t' || raw[i] == '\r' || raw[i] == '\n') {
		i++
	}
	return i
}

// skip returns the place after the value that starts at i of valid JSON.
func skip(raw []byte, i int) int {
	depth := 0
	for {
		switch raw[i] {
		case '"':
			i = skipString(raw, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ' ', '\t', '\r', '\n', ',', ':':
			i++
			continue
		default:
			i = skipWord(raw, i)
		}
		if depth == 0 {
			return i
		}
	}
}

func skipString(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// skipWord steps over a number, true, false or null.
func skipWord(raw []byte, i int) int {
	for i < len(raw) {
		switch raw[i] {
		case ' ', '\t', '\r', '\n', ',', ':', ']', '}':
			return i
		}
		i++
	}
	return i
}
