package forms

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// The engine for patterns knows most of ECMA-262, and some of what other
// languages have. fromECMA closes the gap where it can: property escapes by
// script and by long names (ECMA-262 "UnicodePropertyValueExpression") become
// ranges of characters, and a group that ECMA-262 does not have makes the
// pattern one that cannot be checked, since the server means something else by
// it.

var (
	propertyEscape = regexp.MustCompile(`^\\([pP])\{([A-Za-z0-9_]+)(?:=([A-Za-z0-9_]+))?\}`)
	ecmaGroup      = regexp.MustCompile(`^\(\?(?:[:=!]|<[=!]|<[\p{L}_$][\p{L}\p{Nd}_$]*>|[ims]*(?:-[ims]*)?:)`)
)

// scriptCodes are the short names of scripts that patterns use.
var scriptCodes = map[string]string{
	"Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Cyrl": "Cyrillic", "Deva": "Devanagari", "Geor": "Georgian", "Grek": "Greek",
	"Hang": "Hangul", "Hani": "Han", "Hebr": "Hebrew", "Hira": "Hiragana", "Kana": "Katakana", "Latn": "Latin", "Taml": "Tamil", "Thai": "Thai",
}

// categories are the long names of general categories and the properties that
// are made of them.
var categories = map[string]string{
	"Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo",
	"Mark": "M", "Nonspacing_Mark": "Mn", "Number": "N", "Decimal_Number": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
	"Punctuation": "P", "Symbol": "S", "Currency_Symbol": "Sc", "Math_Symbol": "Sm", "Separator": "Z", "Space_Separator": "Zs", "Control": "Cc",
}

// fromECMA is source for the engine; ok is false where it has what ECMA-262 or
// the engine does not know.
func fromECMA(source string) (string, bool) {
	var b strings.Builder
	class := false
	for i := 0; i < len(source); {
		rest := source[i:]
		if m := propertyEscape.FindStringSubmatch(rest); m != nil {
			table, known := propertyTable(m[2], m[3])
			if !known {
				return "", false
			}
			if table != nil {
				ranges := classOf(table, m[1] == "P")
				if !class {
					ranges = "[" + ranges + "]"
				}
				b.WriteString(ranges)
				i += len(m[0])
				continue
			}
		}
		size := 1
		switch {
		case rest[0] == '\\':
			size = min(2, len(rest))
		case rest[0] == '[':
			class = true
		case rest[0] == ']':
			class = false
		case !class && strings.HasPrefix(rest, "(?") && !ecmaGroup.MatchString(rest):
			return "", false
		}
		b.WriteString(rest[:size])
		i += size
	}
	return b.String(), true
}

// propertyTable is the characters of a property; nil where the engine knows it
// by the same name.
func propertyTable(name, value string) (table *unicode.RangeTable, known bool) {
	switch name {
	case "Script", "sc", "Script_Extensions", "scx":
		if long, short := scriptCodes[value]; short {
			value = long
		}
		table, known = unicode.Scripts[value]
		return table, known
	case "General_Category", "gc":
		name = value
	default:
		if value != "" {
			return nil, false
		}
	}
	if short, long := categories[name]; long {
		return unicode.Categories[short], true
	}
	if name == "ASCII" {
		return &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0, Hi: 0x7F, Stride: 1}}}, true
	}
	if name == "White_Space" || name == "ASCII_Hex_Digit" || name == "Hex_Digit" || name == "Ideographic" {
		return unicode.Properties[name], true
	}
	table, known = unicode.Categories[name]
	return table, known
}

// classOf is a table, or all but it, as the inside of a character class.
func classOf(table *unicode.RangeTable, all bool) string {
	var ranges [][2]rune
	add := func(lo, hi, stride rune) {
		for r := lo; r <= hi; r += stride {
			end := r
			if stride == 1 {
				end = hi
			}
			if n := len(ranges); n > 0 && ranges[n-1][1]+1 == r {
				ranges[n-1][1] = end
			} else {
				ranges = append(ranges, [2]rune{r, end})
			}
			if stride == 1 {
				break
			}
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	if all {
		var others [][2]rune
		next := rune(0)
		for _, r := range ranges {
			if r[0] > next {
				others = append(others, [2]rune{next, r[0] - 1})
			}
			next = r[1] + 1
		}
		if next <= unicode.MaxRune {
			others = append(others, [2]rune{next, unicode.MaxRune})
		}
		ranges = others
	}
	var b strings.Builder
	for _, r := range ranges {
		b.WriteString(classRune(r[0]))
		if r[1] > r[0] {
			b.WriteString("-" + classRune(r[1]))
		}
	}
	return b.String()
}

// classRune is a character as it may stand in a class, whatever it is.
func classRune(r rune) string {
	if r <= 0xFFFF {
		return fmt.Sprintf(`\u%04X`, r)
	}
	return string(r)
}
