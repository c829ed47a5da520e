package safetext

import "unicode"

// invalid stands for a byte that is no part of UTF-8.
const invalid rune = -1

// surrogate decodes the three bytes of a lone surrogate (WTF-8), which Go calls
// invalid. It returns invalid and 1 for anything else.
func surrogate(s string) (rune, int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return invalid, 1
}

func isLineEnd(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029'
}

// seen are the characters of category Cf that are drawn: signs that enclose
// the digits after them (Unicode, "Prepended_Concatenation_Mark").
var seen = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0600, Hi: 0x0605, Stride: 1}, {Lo: 0x06DD, Hi: 0x06DD, Stride: 1},
		{Lo: 0x070F, Hi: 0x070F, Stride: 1}, {Lo: 0x0890, Hi: 0x0891, Stride: 1}, {Lo: 0x08E2, Hi: 0x08E2, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x110BD, Hi: 0x110BD, Stride: 1}, {Lo: 0x110CD, Hi: 0x110CD, Stride: 1}},
}

// blank are letters and marks that draw nothing (Unicode,
// "Default_Ignorable_Code_Point" outside Cf, and the Braille blank, a symbol).
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x034F, Hi: 0x034F, Stride: 1}, {Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, {Lo: 0x180B, Hi: 0x180F, Stride: 1}, {Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, {Lo: 0xFE00, Hi: 0xFE0F, Stride: 1}, {Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0xE0100, Hi: 0xE01EF, Stride: 1}},
}

// drawn are the categories whose characters can be seen; everything outside
// them (Cc, Cf, Co, Cs, unassigned) cannot.
var drawn = []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs}

// hidden reports whether r has to be spelled out where it has no leave to stay.
// Unassigned is what the Unicode version of the Go release does not know.
func hidden(r rune) bool {
	if r >= 0x20 && r < 0x7F {
		return false
	}
	if r < 0 || unicode.Is(blank, r) {
		return true
	}
	return !unicode.In(r, drawn...) && !unicode.Is(seen, r)
}

// continues reports whether r belongs to the character before it.
func continues(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || r == zwj || r == zwnj || isModifier(r))
}

// pictograph reports whether r can be part of an emoji sequence: the symbols
// and the arrows, enclosed letters and marks that have a coloured form. It is a
// superset of Extended_Pictographic among the characters that are drawn, which
// is enough here: what stays invisible between two symbols hides nothing.
func pictograph(r rune) bool {
	return r >= 0xA9 && r != unicode.ReplacementChar && (unicode.Is(unicode.So, r) || r == '‼' || r == '⁉' || r == '〰' || r == '〽' ||
		unicode.Is(unicode.Sm, r) && r >= 0x2190 || isModifier(r))
}

// isModifier reports whether r is a skin tone (UTS #51).
func isModifier(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

// isEmojiEnd reports whether r can stand between a pictograph and a joiner.
func isEmojiEnd(r rune) bool { return r == '\uFE0F' || isModifier(r) }

// joining are the scripts in which U+200C and U+200D change the shape of the
// letters beside them.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
	unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
}

// joiningScript returns the script of r if it is one of joining, else nil.
func joiningScript(r rune) *unicode.RangeTable {
	if r < 0x600 {
		return nil
	}
	for _, s := range joining {
		if unicode.Is(s, r) {
			return s
		}
	}
	return nil
}
