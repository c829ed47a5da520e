package consent

import (
	"slices"
	"strings"
	"unicode"
)

// tldLetters are letters that one country writes and that elsewhere imitate
// another: schwa, dotless i, thorn and eth.
var tldLetters = map[rune][]string{
	'ə': {"az"},
	'ı': {"tr", "az"},
	'þ': {"is"},
	'ð': {"is", "fo"},
}

// everyday are the Latin letters outside Latin-1 and Latin Extended-A that living
// languages write: Vietnamese, Romanian, Skolt Sami, Hausa, Ewe, Yoruba, Welsh.
const everyday = "ơưșțǧǩǽǿȟȳɓɗƙƴɔɛɖẁẃẅṣ"

// unusual reports whether no living language needs the letter r in a name under
// the top-level name top: an approximation of Identifier_Status=Allowed (UTS
// #39), with the removals of Chromium. Letters of scripts without an entry here
// are all usual.
func unusual(r rune, top string) bool {
	if tlds, ok := tldLetters[r]; ok {
		return !slices.Contains(tlds, top)
	}
	switch {
	case r < 0x80:
		return false
	case unicode.Is(unicode.Mn, r) && scriptOf(r) == 0:
		// Combining marks of no script: the ones that European languages need.
		return r > 0x345 && r != '\u3099' && r != '\u309A'
	case unicode.Is(unicode.Lm, r) && r >= 0x2B0 && r < 0x370:
		return true
	}
	switch scriptOf(r) {
	case latin:
		return !everydayLatin(r)
	case greek:
		return r < 0x386 || r > 0x3CE
	case cyrillic:
		return r > 0x45F && r < 0x48A || r > 0x52F
	case georgian:
		return r < 0x10D0 || r > 0x10FF || r >= 0x10F1 && r <= 0x10F6
	case hangul:
		// Jamo that form no syllable.
		return r < 0xAC00 || r > 0xD7A3
	case hiragana, katakana:
		return r > 0x30FF
	}
	return false
}

func everydayLatin(r rune) bool {
	switch {
	case r < 0x100:
		return true
	case r < 0x180:
		return r != 'ĸ' && r != 'ŉ'
	case r >= 0x1EA0 && r <= 0x1EF9:
		return true
	}
	return strings.ContainsRune(everyday, r)
}
