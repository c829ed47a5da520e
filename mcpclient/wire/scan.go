package wire

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"

	"parley/forms/rawjson"
)

// The functions of this file walk over bytes that json.Valid has accepted.
// They exist because encoding/json matches member names without regard to
// case, and because its Decoder copies every value it steps over.

// members yields the members of the object raw: the key with its quotes and
// escapes, and the value without outer white space.
func members(raw []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		for i := skipSpace(raw, 1); raw[i] != '}'; i = skipComma(raw, i) {
			keyEnd := skipValue(raw, i)
			start := skipSpace(raw, skipSpace(raw, keyEnd)+1) // past the colon
			end := skipValue(raw, start)
			if !yield(raw[i:keyEnd], raw[start:end:end]) {
				return
			}
			i = end
		}
	}
}

// elements yields the elements of the array raw without outer white space.
func elements(raw []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := skipSpace(raw, 1); raw[i] != ']'; i = skipComma(raw, i) {
			end := skipValue(raw, i)
			if !yield(raw[i:end:end]) {
				return
			}
			i = end
		}
	}
}

// skipComma steps from the end of an entry to the next one, or to the closing
// bracket.
func skipComma(b []byte, i int) int {
	i = skipSpace(b, i)
	if b[i] == ',' {
		return skipSpace(b, i+1)
	}
	return i
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns where the value that starts at i ends.
func skipValue(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		depth := 0
		for ; i < len(b); i++ {
			switch b[i] {
			case '"':
				i = skipString(b, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return i
	default:
		for i < len(b) && strings.IndexByte(",]} \t\r\n", b[i]) < 0 {
			i++
		}
		return i
	}
}

// skipString returns the index after the string that starts at i.
func skipString(b []byte, i int) int {
	for i++; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		end := i + n
		escapes := 0
		for end-1-escapes >= i && b[end-1-escapes] == '\\' {
			escapes++
		}
		i = end + 1
		if escapes%2 == 0 {
			return i
		}
	}
}

// plainKey returns the key with its quotes, freed of escapes that it need not
// have: "\u0069d" is "id".
func plainKey(key []byte) []byte {
	if bytes.IndexByte(key, '\\') < 0 {
		return key
	}
	var s string
	if json.Unmarshal(key, &s) != nil {
		return key
	}
	return rawjson.Quote(s)
}
