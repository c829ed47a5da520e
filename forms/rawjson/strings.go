package rawjson

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// String returns the string raw stands for, with U+FFFD for every lone
// surrogate and byte that is no UTF-8; ok is false for any other JSON.
func String(raw json.RawMessage) (s string, ok bool) {
	if Kind(raw) != '"' {
		return "", false
	}
	if s, ok := plain(raw); ok {
		return s, true
	}
	var unescaped string
	err := json.Unmarshal(raw, &unescaped)
	return unescaped, err == nil
}

// plain reads a literal without escapes, as nearly all are.
func plain(raw json.RawMessage) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	body := raw[1 : len(raw)-1]
	for _, c := range body {
		if c < ' ' || c == '"' || c == '\\' {
			return "", false
		}
	}
	if len(body) <= maxWord {
		if word, known := words[string(body)]; known {
			return word, true
		}
	}
	if !utf8.Valid(body) {
		return "", false
	}
	return string(body), true
}

// maxWord is the length of the longest of the words.
const maxWord = len("additionalProperties")

// words are those of MCP and JSON Schema that stand in nearly every message.
// They are given out again and again instead of being made anew.
var words = func() map[string]string {
	all := map[string]string{}
	for _, w := range strings.Fields(`
		action additionalProperties annotations arguments array blob boolean capabilities complete completed const
		content contents data default description destructiveHint elicitation/create elicitationId enum format
		idempotentHint inputRequests inputSchema input_required instructions integer isError items level limit logger
		maximum maxLength maxItems message messages method mimeType minimum minItems minLength mode name nextCursor
		number object oneOf openWorldHint params pattern progress progressToken prompts properties query readOnlyHint
		requestedSchema requestId requestState required resource resources resultType role string structuredContent
		supportedVersions text title tools total type uri url user _meta`) {
		all[w] = w
	}
	return all
}()

// Decode is String, but keeps a lone surrogate as the three bytes that UTF-8
// would give it if it could (WTF-8), so that two different keys stay different
// and [Quote] gives it back as it was.
func Decode(raw json.RawMessage) (s string, ok bool) {
	s, ok = String(raw)
	if !ok || !strings.ContainsRune(s, utf8.RuneError) {
		return s, ok
	}
	raw = raw[space(raw, 0):]
	body := raw[1 : skipString(raw, 0)-1]
	var b strings.Builder
	for i := 0; i < len(body); {
		switch c := body[i]; {
		case c == '\\' && body[i+1] == 'u':
			r := unit(body[i:])
			i += 6
			if utf16.IsSurrogate(r) && i+6 <= len(body) && body[i] == '\\' && body[i+1] == 'u' {
				if pair := utf16.DecodeRune(r, unit(body[i:])); pair != utf8.RuneError {
					r, i = pair, i+6
				}
			}
			writeRune(&b, r)
		case c == '\\':
			b.WriteByte(unescaped(body[i+1]))
			i += 2
		default:
			r, n := utf8.DecodeRune(body[i:])
			b.WriteRune(r)
			i += n
		}
	}
	return b.String(), true
}

// Quote returns the JSON literal of s with as few escapes as JSON allows. A
// lone surrogate in the form Decode gives becomes a \u escape, any other byte
// that is no UTF-8 becomes U+FFFD.
func Quote(s string) json.RawMessage { return AppendQuote(make([]byte, 0, len(s)+2), s) }

// AppendQuote is Quote into b.
func AppendQuote(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
			i++
		case c < 0x20:
			b = appendControl(b, c)
			i++
		case c < utf8.RuneSelf:
			b = append(b, c)
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if u, ok := loneSurrogate(s[i:]); ok {
				b = append(b, '\\', 'u')
				b = append(b, strconv.FormatUint(uint64(u), 16)...)
				i += 3
				continue
			}
			b = utf8.AppendRune(b, r)
			i += n
		}
	}
	return append(b, '"')
}

func appendControl(b []byte, c byte) []byte {
	if i := strings.IndexByte("\b\f\n\r\t", c); i >= 0 {
		return append(b, '\\', "bfnrt"[i])
	}
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// unit reads the code unit of the escape \uXXXX at the start of b.
func unit(b []byte) rune {
	n, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}

func unescaped(c byte) byte {
	if i := strings.IndexByte("bfnrt", c); i >= 0 {
		return "\b\f\n\r\t"[i]
	}
	return c
}

// writeRune writes r, a surrogate as WTF-8.
func writeRune(b *strings.Builder, r rune) {
	if utf16.IsSurrogate(r) {
		b.Write([]byte{0xE0 | byte(r>>12), 0x80 | byte(r>>6)&0x3F, 0x80 | byte(r)&0x3F})
		return
	}
	b.WriteRune(r)
}

// loneSurrogate reads the surrogate in WTF-8 at the start of s.
func loneSurrogate(s string) (unit rune, ok bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return rune(0xD000) | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}
