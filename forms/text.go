package forms

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// checkText checks what is about to be sent as a string against lengths and
// pattern. Lengths count code points (JSON Schema 2020-12 validation, section
// 6.3), so that 龙 and 🎉 are one each.
func (f *Field) checkText(s string) (note, problem i18n.Message) {
	n := codePoints(s)
	l := f.Limits
	switch {
	case n < l.MinLength:
		return note, i18n.N("forms.error.tooShort", l.MinLength, "Now", n)
	case l.MaxLength >= 0 && n > l.MaxLength:
		return note, i18n.N("forms.error.tooLong", l.MaxLength, "Now", n)
	}
	if f.pattern == nil {
		return note, problem
	}
	ok, checked := f.pattern.matches(s)
	switch {
	case !checked:
		return i18n.M("forms.note.patternSlow", "Pattern", excerpt(l.Pattern)), problem
	case !ok:
		return note, i18n.M("forms.error.pattern", "Pattern", excerpt(l.Pattern))
	}
	return note, problem
}

// codePoints counts the code points of s, which may hold lone surrogates as
// rawjson.Decode gives them.
func codePoints(s string) int {
	if utf8.ValidString(s) {
		return utf8.RuneCountInString(s)
	}
	n := 0
	for i := 0; i < len(s); n++ {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			size = strayBytes(s[i:])
		}
		i += size
	}
	return n
}

// parseJSON checks the raw text of a JSON field: it is JSON, and of the kind
// its schema asks for. Only white space between tokens is lost on the way.
func (f *Field) parseJSON(text string) (json.RawMessage, i18n.Message) {
	raw := json.RawMessage(text)
	shape := f.shape
	switch f.Kind {
	case Rows:
		shape = '['
	case Map, Group:
		shape = '{'
	case Variant:
		if f.Inline {
			shape = '{'
		}
	}
	if !json.Valid(raw) || shape != 0 && rawjson.Kind(raw) != shape {
		return nil, i18n.M("forms.error." + shapeNames[shape])
	}
	return compact(json.RawMessage(wellFormed(text))), i18n.Message{}
}

// repeatedKey is the first key that stands twice in one object of raw. Programs
// do not agree on what that means (RFC 8259 section 4).
func repeatedKey(raw json.RawMessage) (key string, found bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	type level struct {
		keys map[string]bool // nil in an array
		name bool            // the next token is a key
	}
	var levels []level
	for {
		token, err := decoder.Token()
		if err != nil {
			return "", false
		}
		top := len(levels) - 1
		if name, ok := token.(string); ok && top >= 0 && levels[top].name {
			if levels[top].keys[name] {
				return name, true
			}
			levels[top].keys[name], levels[top].name = true, false
			continue
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{map[string]bool{}, true})
			continue
		case json.Delim('['):
			levels = append(levels, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:top]
			top--
		}
		if top >= 0 {
			levels[top].name = levels[top].keys != nil
		}
	}
}

// wellFormed is JSON text in UTF-8: a lone surrogate, which acts can hold as
// rawjson.Decode gives it, is escaped, any other stray byte is U+FFFD.
func wellFormed(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 {
			n = strayBytes(text[i:])
			quoted := rawjson.Quote(text[i : i+n])
			b.Write(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// strayBytes is how many bytes at the start of s, where no character is, belong
// together: the three of a lone surrogate, else one.
func strayBytes(s string) int {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return 3
	}
	return 1
}

// entries are the texts of a List: the lines that are not empty, or the array
// it came as.
func (a answer) texts() []string {
	if a.lines != nil {
		return a.lines
	}
	var entries []string
	for line := range strings.Lines(a.text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			entries = append(entries, line)
		}
	}
	return entries
}
