package forms

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// decimal is an exact decimal number: 0.DIGITS × 10^exp, with DIGITS free of
// zeros at both ends; zero has no digits. No float is involved anywhere, so
// that 9007199254740993 and 0.1 are what they say.
type decimal struct {
	neg    bool
	digits string
	exp    int64
}

// maxExponent bounds the written exponent of a number, so that place values
// fit an int64 with room for the digits themselves.
const maxExponent = 1_000_000_000_000

// parseDecimal reads a JSON number (RFC 8259 section 6). ok is false for
// anything else and for an exponent beyond maxExponent, unless the number is
// zero, which it is with any exponent.
func parseDecimal(s string) (d decimal, ok bool) {
	if !isJSONNumber(s) {
		return decimal{}, false
	}
	s, d.neg = strings.CutPrefix(s, "-")
	exponent := "0"
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s, exponent = s[:i], s[i+1:]
	}
	whole, frac, _ := strings.Cut(s, ".")
	digits := whole + frac
	trimmed := strings.TrimLeft(digits, "0")
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	exp, ok := parseExponent(exponent)
	d.exp = exp + int64(len(whole)) - int64(len(digits)-len(trimmed))
	return d, ok
}

// parseExponent reads the part after the e.
func parseExponent(s string) (int64, bool) {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimLeft(strings.TrimLeft(s, "+-"), "0")
	if len(s) > 13 {
		return 0, false
	}
	var n int64
	for _, c := range []byte(s) {
		n = n*10 + int64(c-'0')
	}
	if n > maxExponent {
		return 0, false
	}
	if neg {
		n = -n
	}
	return n, true
}

// isJSONNumber reports whether s is a number as JSON spells it.
func isJSONNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := leadingDigits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if rest, found := strings.CutPrefix(s, "."); found {
		n := leadingDigits(rest)
		if n == 0 {
			return false
		}
		s = rest[n:]
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return s != "" && leadingDigits(s) == len(s)
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// compare is -1, 0 or 1 as d is less than, equal to or greater than o.
func (d decimal) compare(o decimal) int {
	if s, t := d.sign(), o.sign(); s != t {
		if s < t {
			return -1
		}
		return 1
	}
	c := d.compareMagnitude(o)
	if d.neg {
		return -c
	}
	return c
}

func (d decimal) compareMagnitude(o decimal) int {
	switch {
	case d.digits == "" || d.exp == o.exp:
		return strings.Compare(d.digits, o.digits)
	case d.exp < o.exp:
		return -1
	}
	return 1
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

// key is the same for equal numbers and for no others.
func (d decimal) key() string {
	if d.digits == "" {
		return "0"
	}
	sign := '+'
	if d.neg {
		sign = '-'
	}
	return fmt.Sprintf("%c%se%d", sign, d.digits, d.exp)
}

// whole reports whether d is an integer.
func (d decimal) whole() bool { return d.digits == "" || int64(len(d.digits)) <= d.exp }

// plain spells an integer as plain digits. ok is false when d is no integer or
// has more than limit digits.
func (d decimal) plain(limit int) (s string, ok bool) {
	switch {
	case d.digits == "":
		return "0", true
	case !d.whole() || d.exp > int64(limit):
		return "", false
	}
	s = d.digits + strings.Repeat("0", int(d.exp)-len(d.digits))
	if d.neg {
		s = "-" + s
	}
	return s, true
}

// multipleOf reports whether d is a whole multiple of step. known is false
// when the two lie so far apart that the answer would take long.
func (d decimal) multipleOf(step decimal) (yes, known bool) {
	if d.digits == "" {
		return true, true
	}
	low := min(d.lowest(), step.lowest())
	a, ok := d.scaled(low)
	b, ok2 := step.scaled(low)
	if !ok || !ok2 || b.Sign() == 0 {
		return false, false
	}
	return new(big.Int).Rem(a, b).Sign() == 0, true
}

// lowest is the power of ten of the last digit.
func (d decimal) lowest() int64 { return d.exp - int64(len(d.digits)) }

// scaled is d in units of 10^low, which must not be above d's lowest place.
func (d decimal) scaled(low int64) (*big.Int, bool) {
	const most = 5000 // digits
	zeros := d.lowest() - low
	if zeros > most || len(d.digits) > most {
		return nil, false
	}
	return new(big.Int).SetString(d.digits+strings.Repeat("0", int(zeros)), 10)
}

// String spells d for a sentence: plainly where that is short, else with an
// exponent.
func (d decimal) String() string {
	sign := ""
	if d.neg {
		sign = "-"
	}
	n := int64(len(d.digits))
	switch {
	case d.digits == "":
		return "0"
	case d.exp > 30 || d.exp < -10:
		return sign + "0." + d.digits + "e" + strconv.FormatInt(d.exp, 10)
	case d.exp <= 0:
		return sign + "0." + strings.Repeat("0", int(-d.exp)) + d.digits
	case d.exp >= n:
		return sign + d.digits + strings.Repeat("0", int(d.exp-n))
	}
	return sign + d.digits[:d.exp] + "." + d.digits[d.exp:]
}
