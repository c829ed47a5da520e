package kit

import (
	"strings"
	"unicode/utf8"

	"parley/consent/safetext"
)

// A text field holds its text as it is, for it goes out verbatim, and Fyne
// draws it so: U+202E reorders it, and zero-width characters are not seen at
// all. Where a text holds such characters, the line below its field shows them.

// How much of a text is shown around its first hidden character, in characters.
const (
	hiddenBefore = 16
	hiddenAll    = 80
)

// hidden returns the part of a text that holds its first hidden character, made
// safe to show; ok is false if there is none. A field of many lines shows line
// ends and tabs as what they are, one of a single line does not.
func hidden(text string, manyLines bool) (shown safetext.Text, ok bool) {
	plain := text
	limit := 10 * (len(text) + 1) // a byte reads ⟨U+10FFFF⟩ at the longest: nothing is cut
	var safe string
	if manyLines {
		plain = strings.NewReplacer("\r\n", "\n", "\t", " ").Replace(text)
		safe = safetext.Block(plain, limit).String()
	} else {
		safe = safetext.Line(strings.ReplaceAll(text, "\t", "⟨U+0009⟩"), limit).String()
	}
	if safe == plain {
		return safetext.Text{}, false
	}
	from := 0
	for from < len(plain) && from < len(safe) && plain[from] == safe[from] {
		from++
	}
	for n := 0; from > 0 && (n < hiddenBefore || !utf8.RuneStart(safe[from])); n++ {
		from--
	}
	part := []rune(safe[from:])
	end := ""
	if len(part) > hiddenAll {
		part, end = part[:hiddenAll], "…"
	}
	start := ""
	if from > 0 {
		start = "…"
	}
	return safetext.Line(start+string(part)+end, 2*hiddenAll), true
}
