package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"strconv"
	"unicode/utf8"
)

// MaxBatch is the most messages of one batch that are read. Only revision
// 2025-03-26 knows batches.
const MaxBatch = 1000

var (
	errNotJSON = errors.New("not JSON")
	bom        = []byte("\xEF\xBB\xBF")
)

// Decode reads one message. The Message keeps slices of raw, which the caller
// leaves unchanged from then on. The error is a *DecodeError.
func Decode(raw []byte) (Message, error) {
	raw = trim(raw)
	switch {
	case !json.Valid(raw):
		return Message{}, &DecodeError{Reason: whyUnread(raw)}
	case raw[0] != '{':
		return Message{}, &DecodeError{Reason: ReasonNotObject}
	}
	return decodeObject(raw)
}

// DecodeAll reads one message or a batch of them. Each message comes with a
// nil error, each entry that is none with a *DecodeError; entries past
// MaxBatch are one last error.
func DecodeAll(raw []byte) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		raw = trim(raw)
		if len(raw) == 0 || raw[0] != '[' || !json.Valid(raw) {
			yield(Decode(raw))
			return
		}
		n := 0
		for entry := range elements(raw) {
			if n++; n > MaxBatch {
				yield(Message{}, &DecodeError{Reason: ReasonBatchLong})
				return
			}
			if !yield(decodeEntry(entry)) {
				return
			}
		}
		if n == 0 {
			yield(Message{}, &DecodeError{Reason: ReasonBatchEmpty})
		}
	}
}

// maxDepth is how deep encoding/json reads arrays and objects within each other.
const maxDepth = 10_000

// whyUnread says why raw is no valid JSON: it is no JSON, or it goes deeper than
// is read.
func whyUnread(raw []byte) Reason {
	var fault *json.SyntaxError
	if err := json.Unmarshal(raw, new(json.RawMessage)); !errors.As(err, &fault) || fault.Offset > int64(len(raw)) {
		return ReasonNotJSON
	}
	deep, inString, escape := 0, false, false
	for _, c := range raw[:fault.Offset] {
		switch {
		case escape:
			escape = false
		case inString:
			escape = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			deep++
		case c == '}' || c == ']':
			deep--
		}
	}
	if deep > maxDepth {
		return ReasonNested
	}
	return ReasonNotJSON
}

func decodeEntry(raw []byte) (Message, error) {
	if raw[0] != '{' {
		return Message{}, &DecodeError{Reason: ReasonNotObject}
	}
	return decodeObject(raw)
}

// trim cuts white space and a byte order mark.
func trim(raw []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(raw), bom))
}

// parts are the members of a message as they stood; nil means absent.
type parts struct{ version, id, method, params, result, err []byte }

// decodeObject reads raw, a valid JSON object without outer white space.
func decodeObject(raw []byte) (Message, error) {
	var p parts
	for key, value := range members(raw) {
		switch string(plainKey(key)) {
		case `"jsonrpc"`:
			p.version = value
		case `"id"`:
			p.id = nullIsAbsent(value)
		case `"method"`:
			p.method = nullIsAbsent(value)
		case `"params"`:
			p.params = value
		case `"result"`:
			p.result = value
		case `"error"`:
			p.err = nullIsAbsent(value)
		}
	}
	if p.err != nil {
		p.result = nullIsAbsent(p.result)
	}
	var id ID
	if p.id != nil {
		var err error
		if id, err = ParseID(p.id); err != nil {
			return Message{}, &DecodeError{Reason: ReasonBadID}
		}
	}
	current := string(p.version) == `"2.0"`
	if p.method != nil {
		return decodeMethod(p, id, current)
	}
	return decodeResponse(p, id, current)
}

func decodeMethod(p parts, id ID, current bool) (Message, error) {
	if p.result != nil || p.err != nil {
		return Message{}, &DecodeError{Reason: ReasonAmbiguous}
	}
	var method string
	if p.method[0] != '"' || json.Unmarshal(p.method, &method) != nil || method == "" {
		return Message{}, &DecodeError{Reason: ReasonBadMethod}
	}
	if !current {
		return Message{}, &DecodeError{Reason: ReasonNoVersion}
	}
	return Message{ID: id, Method: method, Params: p.params}, nil
}

func decodeResponse(p parts, id ID, current bool) (Message, error) {
	switch {
	case p.result == nil && p.err == nil:
		return Message{}, &DecodeError{Reason: ReasonNothing, ID: id}
	case !current && id.IsZero():
		return Message{}, &DecodeError{Reason: ReasonNoVersion}
	case p.result != nil && p.err != nil:
		return Message{}, &DecodeError{Reason: ReasonAmbiguous, ID: id}
	case p.result != nil:
		return Message{ID: id, Result: p.result}, nil
	}
	e := decodeError(p.err)
	if e == nil {
		return Message{}, &DecodeError{Reason: ReasonBadError, ID: id}
	}
	return Message{ID: id, Error: e}, nil
}

// decodeError reads an error object, or the bare string that some servers send
// in its place. It returns nil when there is neither a code nor a message.
func decodeError(raw []byte) *Error {
	if raw[0] == '"' {
		text, ok := words(raw)
		if !ok {
			return nil
		}
		return &Error{Message: text}
	}
	if raw[0] != '{' {
		return nil
	}
	e := &Error{}
	found := false
	for key, value := range members(raw) {
		switch string(plainKey(key)) {
		case `"code"`:
			var ok bool
			e.Code, ok = integer(value)
			found = found || ok
		case `"message"`:
			if text, ok := words(value); ok {
				e.Message, found = text, true
			}
		case `"data"`:
			e.Data = value
		}
	}
	if !found {
		return nil
	}
	return e
}

// maxWords bounds, in bytes of JSON, what is kept of a server's words about an
// error: more than anybody reads.
const maxWords = 64 << 10

// words reads a JSON string, of a long one its beginning.
func words(raw []byte) (text string, ok bool) {
	if raw[0] != '"' {
		return "", false
	}
	if len(raw) > maxWords {
		raw = append(bytes.Clone(raw[:wholeUpTo(raw, maxWords-len(`…`))]), `…"`...)
	}
	ok = json.Unmarshal(raw, &text) == nil
	return text, ok
}

// wholeUpTo returns the last place up to max of the string literal raw, which is
// longer, that is within neither a character nor an escape.
func wholeUpTo(raw []byte, max int) int {
	for i := 1; ; {
		_, size := utf8.DecodeRune(raw[i:])
		next := i + size
		if raw[i] == '\\' {
			next = i + 2
			if raw[i+1] == 'u' {
				next = i + 6
			}
		}
		if next > max {
			return i
		}
		i = next
	}
}

// integer reads a JSON number that is whole and small, however it is spelled.
func integer(raw []byte) (int, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 32); err == nil {
		return int(n), true
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return 0, false
	}
	return int(f), true
}

func nullIsAbsent(value []byte) []byte {
	if string(value) == "null" {
		return nil
	}
	return value
}
