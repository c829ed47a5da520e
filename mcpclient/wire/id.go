package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"parley/forms/rawjson"
)

// ID is the id of a request: a JSON number or string. Two IDs are equal (==)
// when they stand for the same number or the same string, so an ID can be a
// map key. The zero ID means there is none.
type ID struct{ raw string }

// NumberID returns the ID that is the integer n.
func NumberID(n int64) ID { return ID{strconv.FormatInt(n, 10)} }

// StringID returns the ID that is the string s.
func StringID(s string) ID { return ID{string(rawjson.Quote(s))} }

// ParseID reads an id from JSON. JSON null is the zero ID. Integers keep every
// digit; the error is for any other kind of JSON and for what is no JSON.
func ParseID(raw []byte) (ID, error) {
	raw = bytes.TrimSpace(raw)
	if !json.Valid(raw) {
		return ID{}, fmt.Errorf("id is not JSON")
	}
	switch c := raw[0]; {
	case c == 'n':
		return ID{}, nil
	case c == '"':
		s, ok := rawjson.Decode(raw)
		if !ok {
			return ID{}, fmt.Errorf("reading an id: not a string")
		}
		return StringID(s), nil
	case c == '-' || c >= '0' && c <= '9':
		return ID{plainInteger(string(raw))}, nil
	default:
		return ID{}, fmt.Errorf("id is neither a number nor a string")
	}
}

// plainInteger drops a fraction that is all zeros: serialisers that know only
// floating point write the id 1 as 1.0.
func plainInteger(number string) string {
	whole, fraction, found := strings.Cut(number, ".")
	if found && strings.Trim(fraction, "0") == "" {
		return whole
	}
	return number
}

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return id.raw == "" }

// String returns the id as JSON text: digits, or a string in quotes; "" for
// the zero ID. A server's string id is text from a stranger.
func (id ID) String() string { return id.raw }

// MarshalJSON writes the id; the zero ID is null.
func (id ID) MarshalJSON() ([]byte, error) {
	if id.IsZero() {
		return []byte("null"), nil
	}
	return []byte(id.raw), nil
}

// UnmarshalJSON is ParseID.
func (id *ID) UnmarshalJSON(raw []byte) error {
	parsed, err := ParseID(raw)
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}
