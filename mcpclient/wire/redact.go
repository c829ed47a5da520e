package wire

import "encoding/json"

// Mask stands in redacted messages where a value was.
const Mask = `"•••"`

// masked are the members whose values a log never shows: what a person
// answered, what the server keeps with the client between rounds, and results,
// which often repeat answers.
var masked = map[string]bool{
	`"content"`:           true,
	`"structuredContent"`: true,
	`"inputResponses"`:    true,
	`"requestState"`:      true,
}

// Redact returns raw with the values of all members named content,
// structuredContent, inputResponses and requestState replaced by Mask, at any
// depth. Inside "properties" these names are properties of a schema and stay,
// defaults included. What is not JSON becomes Mask as a whole. The result may
// share memory with raw.
func Redact(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) {
		return json.RawMessage(Mask)
	}
	r := redactor{in: raw}
	r.value(skipSpace(raw, 0), false)
	if r.done == 0 {
		return raw
	}
	return append(r.out, raw[r.done:]...)
}

// redactor copies in to out in pieces; in[:done] has been dealt with.
type redactor struct {
	in, out []byte
	done    int
}

// value walks over the value at i and returns its end. names says that the
// members of an object there are property names of a schema.
func (r *redactor) value(i int, names bool) int {
	switch r.in[i] {
	case '{':
		return r.object(i, names)
	case '[':
		for i = skipSpace(r.in, i+1); r.in[i] != ']'; {
			i = skipComma(r.in, r.value(i, false))
		}
		return i + 1
	default:
		return skipValue(r.in, i)
	}
}

func (r *redactor) object(i int, names bool) int {
	for i = skipSpace(r.in, i+1); r.in[i] != '}'; {
		keyEnd := skipString(r.in, i)
		key := string(plainKey(r.in[i:keyEnd]))
		start := skipSpace(r.in, skipSpace(r.in, keyEnd)+1) // past the colon
		var end int
		if masked[key] && !names {
			end = skipValue(r.in, start)
			r.out = append(append(r.out, r.in[r.done:start]...), Mask...)
			r.done = end
		} else {
			end = r.value(start, !names && key == `"properties"`)
		}
		i = skipComma(r.in, end)
	}
	return i + 1
}
