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
type ID struct {
	whole  bool // the id is the integer number, and text is ""
	number int64
	text   string // JSON: any other id
}

// NumberID returns the ID that is the integer n.
func NumberID(n int64) ID { return ID{whole: true, number: n} }

// StringID returns the ID that is the string s.
func StringID(s string) ID { return ID{text: string(rawjson.Quote(s))} }

// ParseID reads an id from JSON. JSON null is the zero ID. Integers keep every
// digit; the error is for any other kind of JSON and for what is no JSON.
func ParseID(raw []byte) (ID, error) {
	raw = bytes.TrimSpace(raw)
	if n, ok := smallInteger(raw); ok {
		return NumberID(n), nil
	}
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
		number := plainInteger(string(raw))
		if n, ok := smallInteger([]byte(number)); ok {
			return NumberID(n), nil
		}
		return ID{text: number}, nil
	default:
		return ID{}, fmt.Errorf("id is neither a number nor a string")
	}
}

// smallInteger reads an integer that is spelled as NumberID spells it: nearly
// every id there is.
func smallInteger(raw []byte) (n int64, ok bool) {
	digits := bytes.TrimPrefix(raw, []byte("-"))
	if len(digits) == 0 || digits[0] < '0' || digits[0] > '9' || digits[0] == '0' && len(raw) > 1 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil
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
func (id ID) IsZero() bool { return id == ID{} }

// String returns the id as JSON text: digits, or a string in quotes; "" for
// the zero ID. A server's string id is text from a stranger.
func (id ID) String() string {
	if id.whole {
		return strconv.FormatInt(id.number, 10)
	}
	return id.text
}

// append appends the id as JSON; the zero ID is null.
func (id ID) append(b []byte) []byte {
	switch {
	case id.whole:
		return strconv.AppendInt(b, id.number, 10)
	case id.IsZero():
		return append(b, "null"...)
	}
	return append(b, id.text...)
}

// MarshalJSON writes the id; the zero ID is null.
func (id ID) MarshalJSON() ([]byte, error) { return id.append(nil), nil }

// UnmarshalJSON is ParseID.
func (id *ID) UnmarshalJSON(raw []byte) error {
	parsed, err := ParseID(raw)
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}
