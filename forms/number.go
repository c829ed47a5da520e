package forms

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"parley/assets/i18n"
)

// maxDigits bounds an integer written out in plain digits.
const maxDigits = 1000

// maxNumber bounds the text of a number in bytes.
const maxNumber = 4096

// parseNumber reads what was typed into an Integer or Number: full-width
// characters become ASCII, a leading plus and leading zeros go, and the rest
// must be a number as JSON spells it. An integer is sent as plain digits, a
// number with exactly the digits typed.
func (f *Field) parseNumber(typed string) (json.RawMessage, i18n.Message) {
	s := tidyNumber(typed)
	d, ok := parseDecimal(s)
	switch {
	case !isJSONNumber(s):
		return nil, f.misspelt(s)
	case len(s) > maxNumber:
		return nil, i18n.M("forms.error.tooManyDigits", "Most", f.mostDigits())
	case !ok:
		return nil, f.beyond(s)
	}
	if f.Kind == Integer {
		if !d.whole() {
			return nil, i18n.M("forms.error.notWhole", "Typed", excerpt(s))
		}
		if s, ok = d.plain(maxDigits); !ok {
			return nil, i18n.M("forms.error.tooManyDigits", "Most", f.mostDigits())
		}
	}
	if problem := f.outOfBounds(d); !problem.IsZero() {
		return nil, problem
	}
	return json.RawMessage(s), i18n.Message{}
}

// mostDigits is how many digits a number may have.
func (f *Field) mostDigits() int {
	if f.Kind == Integer {
		return maxDigits
	}
	return maxNumber
}

// beyond is the error for a number whose exponent is further from zero than
// maxExponent. As an integer it is endless, or all decimals.
func (f *Field) beyond(s string) i18n.Message {
	switch {
	case f.Kind != Integer:
		return i18n.M("forms.error.exponent", "Typed", excerpt(s), "Most", int64(maxExponent))
	case strings.ContainsAny(s, "eE") && strings.Contains(s[strings.IndexAny(s, "eE"):], "-"):
		return i18n.M("forms.error.notWhole", "Typed", excerpt(s))
	}
	return i18n.M("forms.error.tooManyDigits", "Most", f.mostDigits())
}

// outOfBounds says which limit d breaks, zero if none.
func (f *Field) outOfBounds(d decimal) i18n.Message {
	l := f.Limits
	if f.bounds.min != nil {
		if c := d.compare(*f.bounds.min); c < 0 || c == 0 && l.ExclusiveMinimum {
			return i18n.M("forms.error.range", "Range", numberRange(l))
		}
	}
	if f.bounds.max != nil {
		if c := d.compare(*f.bounds.max); c > 0 || c == 0 && l.ExclusiveMaximum {
			return i18n.M("forms.error.range", "Range", numberRange(l))
		}
	}
	if f.multiple != nil {
		if yes, known := d.multipleOf(*f.multiple); known && !yes {
			return i18n.M("forms.error.multipleOf", "Step", f.multiple.String())
		}
	}
	return i18n.Message{}
}

// tidyNumber takes away what is not a matter of spelling.
func tidyNumber(typed string) string {
	s := strings.TrimSpace(ascii(typed))
	sign := ""
	switch {
	case strings.HasPrefix(s, "+") && !strings.HasPrefix(s, "+-"):
		s = s[1:]
	case strings.HasPrefix(s, "-"):
		sign, s = "-", s[1:]
	}
	for len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
		s = s[1:]
	}
	return sign + s
}

// ascii replaces the full-width forms of ASCII (U+FF01 to U+FF5E, typed with
// an East Asian input method) by what they stand for.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			return r - 0xFEE0
		case r == 0x3000:
			return ' '
		}
		return r
	}, s)
}

// misspelt is the error for text that is no JSON number, with the right
// spelling where there is exactly one to think of.
func (f *Field) misspelt(s string) i18n.Message {
	if thousandsOrDecimals.MatchString(s) {
		whole := tidyNumber(strings.Replace(s, ",", "", 1))
		if f.Kind == Integer {
			return i18n.M("forms.error.comma", "Right", whole)
		}
		return i18n.M("forms.error.thousands", "Typed", s, "Whole", whole, "Decimal", tidyNumber(strings.Replace(s, ",", ".", 1)))
	}
	if right, ok := spell(s); ok {
		d, ok := parseDecimal(right)
		switch {
		case !ok:
			return f.beyond(right)
		case f.Kind == Integer && !d.whole():
			return i18n.M("forms.error.notWhole", "Typed", excerpt(s))
		case right == excerpt(right): // else it is too long to be read off
			return i18n.M("forms.error.spelling", "Typed", excerpt(s), "Right", right)
		}
	}
	if f.Kind == Integer {
		return i18n.M("forms.error.integer")
	}
	return i18n.M("forms.error.number")
}

var (
	// thousandsOrDecimals is one thousand to some people and one to others.
	thousandsOrDecimals = regexp.MustCompile(`^-?[0-9]{1,3},[0-9]{3}$`)

	commaGroups  = regexp.MustCompile(`^-?[0-9]{1,3}(,[0-9]{3})+(,[0-9]{3}|\.[0-9]+)$`)
	dotGroups    = regexp.MustCompile(`^-?[0-9]{1,3}(\.[0-9]{3})+(\.[0-9]{3}|,[0-9]+)$`)
	commaDecimal = regexp.MustCompile(`^(-?[0-9]+),([0-9]+)$`)
	grouped      = regexp.MustCompile(`^-?[0-9]{1,3}([ '_\x{2019}\x{a0}\x{202f}][0-9]{3})+(\.[0-9]+)?$`)
	hexadecimal  = regexp.MustCompile(`^(-?)0[xX]([0-9a-fA-F]{1,15})$`)
)

// spell is the JSON spelling of a number that was written in another way: a
// decimal comma, a missing zero, grouped digits, a typographic minus, a
// hexadecimal number.
func spell(s string) (string, bool) {
	s = strings.ReplaceAll(s, "\u2212", "-")
	switch {
	case thousandsOrDecimals.MatchString(s):
		return "", false
	case commaGroups.MatchString(s):
		s = strings.ReplaceAll(s, ",", "")
	case dotGroups.MatchString(s):
		s = strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1)
	case commaDecimal.MatchString(s):
		s = strings.Replace(s, ",", ".", 1)
	case grouped.MatchString(s):
		s = strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) || r == '-' || r == '.' {
				return r
			}
			return -1
		}, s)
	case hexadecimal.MatchString(s):
		return fromHex(hexadecimal.FindStringSubmatch(s)), true
	}
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = "-", strings.TrimSpace(rest)
	}
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	s = strings.TrimSuffix(s, ".")
	s = tidyNumber(sign + s)
	return s, isJSONNumber(s)
}

// fromHex is the decimal spelling of a match of hexadecimal.
func fromHex(match []string) string {
	n, err := strconv.ParseUint(match[2], 16, 64)
	if err != nil {
		return ""
	}
	return match[1] + strconv.FormatUint(n, 10)
}
