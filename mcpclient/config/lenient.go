package config

import (
	"bytes"
	"encoding/json"
)

// lenient is raw as strict JSON: comments and a comma before a closing bracket
// become spaces, so that every place in the text stays where it was. JSON that is
// strict already is returned as it is, and what else is wrong stays wrong.
func lenient(raw []byte) []byte {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if json.Valid(raw) {
		return raw
	}
	out := bytes.Clone(raw)
	comma := -1 // the last thing that was no space, if that is a comma
	for i := 0; i < len(out); {
		switch end := commentEnd(out, i); {
		case end > i:
			blank(out[i:end])
			i = end
			continue
		case out[i] == '"':
			i = stringEnd(out, i)
			comma = -1
			continue
		}
		switch out[i] {
		case ',':
			comma = i
		case '}', ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case ' ', '\t', '\r', '\n':
		default:
			comma = -1
		}
		i++
	}
	return out
}

// commentEnd is where the comment that begins at i ends; i if none begins there.
func commentEnd(b []byte, i int) int {
	var mark string
	switch {
	case bytes.HasPrefix(b[i:], []byte("//")):
		mark = "\n"
	case bytes.HasPrefix(b[i:], []byte("/*")):
		mark = "*/"
	default:
		return i
	}
	n := bytes.Index(b[i+2:], []byte(mark))
	if n < 0 {
		return len(b)
	}
	return i + 2 + n + len(mark)
}

// stringEnd is where the string that begins at i ends.
func stringEnd[T string | []byte](b T, i int) int {
	for i++; i < len(b) && b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(b))
}

// blank makes spaces of all but the ends of lines.
func blank(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}
