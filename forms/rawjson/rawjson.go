// Package rawjson reads JSON objects and arrays without losing what
// encoding/json's maps lose: the order of the members, the digits of numbers
// and the spelling of strings. What comes from a server stays a
// json.RawMessage until the one reader that needs it; this package is how such
// readers look inside.
package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Member is one member of a JSON object.
type Member struct {
	Key   string          // decoded
	Value json.RawMessage // as it stood, without outer white space
}

// ErrNotObject and ErrNotArray are returned (wrapped) for JSON of another kind.
var (
	ErrNotObject = errors.New("not a JSON object")
	ErrNotArray  = errors.New("not a JSON array")
)

// Object returns the members of the JSON object raw in their order. Of several
// members with one key the last value counts and stands at the place of the
// first, as in JavaScript. The error is ErrNotObject for other JSON and a
// *json.SyntaxError for no JSON.
func Object(raw json.RawMessage) ([]Member, error) {
	dec, err := open(raw, '{', ErrNotObject)
	if err != nil {
		return nil, err
	}
	var members []Member
	at := map[string]int{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, ok := t.(string)
		if !ok {
			return nil, fmt.Errorf("object key %v: %w", t, ErrNotObject)
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, err
		}
		if i, seen := at[key]; seen {
			members[i].Value = v
			continue
		}
		at[key] = len(members)
		members = append(members, Member{Key: key, Value: v})
	}
	return members, finish(dec)
}

// Array returns the elements of the JSON array raw.
func Array(raw json.RawMessage) ([]json.RawMessage, error) {
	dec, err := open(raw, '[', ErrNotArray)
	if err != nil {
		return nil, err
	}
	var elements []json.RawMessage
	for dec.More() {
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, err
		}
		elements = append(elements, v)
	}
	return elements, finish(dec)
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

// String returns the string raw stands for; ok is false for any other JSON.
func String(raw json.RawMessage) (s string, ok bool) {
	if Kind(raw) != '"' {
		return "", false
	}
	return s, json.Unmarshal(raw, &s) == nil
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

// open starts reading raw and steps over its opening delimiter.
func open(raw json.RawMessage, delim json.Delim, other error) (*json.Decoder, error) {
	if !json.Valid(raw) {
		var v json.RawMessage
		if err := json.Unmarshal(raw, &v); err != nil {
			return nil, err
		}
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if t != delim {
		return nil, other
	}
	return dec, nil
}

// finish steps over the closing delimiter; what follows was ruled out by open.
func finish(dec *json.Decoder) error {
	_, err := dec.Token()
	return err
}
