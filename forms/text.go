package forms

import (
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
		_, size := utf8.DecodeRuneInString(s[i:])
		if size == 1 && s[i] == 0xED && i+2 < len(s) {
			size = 3
		}
		i += size
	}
	return n
}

// parseJSON checks the raw text of a JSON field: it is JSON, and of the kind
// its schema asks for. Only white space between tokens is lost on the way.
func (f *Field) parseJSON(text string) (json.RawMessage, i18n.Message) {
	raw := json.RawMessage(text)
	if !json.Valid(raw) || f.shape != 0 && rawjson.Kind(raw) != f.shape {
		return nil, i18n.M("forms.error." + shapeNames[f.shape])
	}
	return compact(raw), i18n.Message{}
}

// entries are the texts of a List: the lines that are not empty, or the array
// it came as.
func (a answer) entries() []string {
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
