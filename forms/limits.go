package forms

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// numberBounds are the limits of a number as exact decimals, nil without one.
type numberBounds struct{ min, max *decimal }

// setLengths reads minLength and maxLength.
func (f *Field) setLengths(n node) {
	f.Limits.MinLength, f.Limits.MaxLength = f.count(n, "minLength", 0), f.count(n, "maxLength", -1)
	if f.Limits.MaxLength >= 0 && f.Limits.MinLength > f.Limits.MaxLength {
		f.contradiction("minLength", strconv.Itoa(f.Limits.MinLength), "maxLength", strconv.Itoa(f.Limits.MaxLength))
		f.Limits.MinLength, f.Limits.MaxLength = 0, -1
	}
}

// setItemLimits reads minItems, maxItems and uniqueItems.
func (f *Field) setItemLimits(n node) {
	f.Limits.MinItems, f.Limits.MaxItems = f.count(n, "minItems", 0), f.count(n, "maxItems", -1)
	f.unique = rawjson.Kind(n.get("uniqueItems")) == 't'
	if f.Limits.MaxItems >= 0 && f.Limits.MinItems > f.Limits.MaxItems {
		f.contradiction("minItems", strconv.Itoa(f.Limits.MinItems), "maxItems", strconv.Itoa(f.Limits.MaxItems))
		f.Limits.MinItems, f.Limits.MaxItems = 0, -1
	}
}

// dropExcess drops a minItems above the number of different options: each can
// be ticked once.
func (f *Field) dropExcess() {
	if most := len(f.byValue); f.Kind == Checklist && f.Limits.MinItems > most {
		f.Problems = append(f.Problems, i18n.N("forms.problem.tooFewOptions", most, "MinItems", f.Limits.MinItems))
		f.Limits.MinItems = 0
	}
}

// contradiction names two limits that no value can keep. Both are dropped, so
// that the form stays usable.
func (f *Field) contradiction(low, lowValue, high, highValue string) {
	f.Problems = append(f.Problems, i18n.M("forms.problem.contradiction",
		"Low", low, "LowValue", lowValue, "High", high, "HighValue", highValue))
}

// count reads a keyword that counts something. A broken one, or a
// minimum that nobody can reach, is named and does not apply.
func (f *Field) count(n node, keyword string, without int) int {
	raw := n.get(keyword)
	if raw == nil {
		return without
	}
	d, ok := decimalOf(raw)
	if !ok || d.sign() < 0 || !d.whole() {
		f.badLimit(keyword, raw)
		return without
	}
	s, _ := d.plain(18)
	i, err := strconv.Atoi(s)
	switch {
	case err == nil && i <= maxCount:
		return i
	case strings.HasPrefix(keyword, "min"):
		f.Problems = append(f.Problems, i18n.M("forms.problem.limitTooHigh", "Keyword", keyword, "Value", excerpt(string(compact(raw)))))
	}
	return without
}

// maxCount bounds what is counted: nobody enters more characters or entries, so
// a higher maximum is none and a higher minimum cannot be kept.
const maxCount = 10_000_000

func (f *Field) badLimit(keyword string, raw json.RawMessage) {
	f.Problems = append(f.Problems, i18n.M("forms.problem.badLimit", "Keyword", keyword, "Value", excerpt(string(compact(raw)))))
}

// decimalOf reads a raw JSON number.
func decimalOf(raw json.RawMessage) (decimal, bool) {
	return parseDecimal(string(compact(raw)))
}

// setBounds reads the limits of a number. Of minimum and exclusiveMinimum the
// stricter one counts; the boolean exclusiveMinimum of draft 4 makes minimum
// exclusive.
func (f *Field) setBounds(n node) {
	low, lowOpen := f.bound(n, "minimum", "exclusiveMinimum", 1)
	high, highOpen := f.bound(n, "maximum", "exclusiveMaximum", -1)
	if raw := n.get("multipleOf"); raw != nil {
		if d, ok := decimalOf(raw); ok && d.sign() > 0 {
			f.multiple = &d
		} else {
			f.badLimit("multipleOf", raw)
		}
	}
	if low != "" && high != "" {
		a, _ := parseDecimal(low)
		b, _ := parseDecimal(high)
		if c := a.compare(b); c > 0 || c == 0 && (lowOpen || highOpen) {
			f.contradiction(boundName("Minimum", lowOpen), low, boundName("Maximum", highOpen), high)
			return
		}
		one := decimal{digits: "1", exp: 1}
		switch {
		case f.Kind == Integer && !multipleBetween(one, a, lowOpen, b, highOpen):
			f.contradiction(boundName("Minimum", lowOpen), low, boundName("Maximum", highOpen), high)
			return
		case f.multiple != nil && !multipleBetween(*f.multiple, a, lowOpen, b, highOpen):
			f.Problems = append(f.Problems, i18n.M("forms.problem.noMultiple", "Step", excerpt(f.multiple.String()), "Low", excerpt(low), "High", excerpt(high)))
			f.multiple = nil
		}
	}
	f.Limits.Minimum, f.Limits.ExclusiveMinimum = low, lowOpen
	f.Limits.Maximum, f.Limits.ExclusiveMaximum = high, highOpen
	if d, ok := parseDecimal(low); ok {
		f.bounds.min = &d
	}
	if d, ok := parseDecimal(high); ok {
		f.bounds.max = &d
	}
}

// boundName is the keyword of a limit.
func boundName(name string, open bool) string {
	if open {
		return "exclusive" + name
	}
	return strings.ToLower(name)
}

// multipleBetween reports whether a multiple of step lies between two limits;
// it does too where that would be too much to compute.
func multipleBetween(step, low decimal, lowOpen bool, high decimal, highOpen bool) bool {
	var r [3]*big.Rat
	for i, d := range []decimal{step, low, high} {
		s := d.String()
		if !plainNumber(s) {
			return true
		}
		r[i], _ = new(big.Rat).SetString(s)
		if r[i] == nil {
			return true
		}
	}
	// The first multiple that is not below low: the quotient rounded up.
	quotient := new(big.Rat).Quo(r[1], r[0])
	n := new(big.Int).Div(quotient.Num(), quotient.Denom()) // rounded down
	first := new(big.Rat).Mul(new(big.Rat).SetInt(n), r[0])
	if c := first.Cmp(r[1]); c < 0 || c == 0 && lowOpen {
		first.Add(first, r[0])
	}
	c := first.Cmp(r[2])
	return c < 0 || c == 0 && !highOpen
}

// bound reads one end of a number's range. stricter is the sign of the
// comparison that makes the exclusive limit the one that counts.
func (f *Field) bound(n node, closed, open string, stricter int) (value string, exclusive bool) {
	number := func(keyword string) (string, decimal, bool) {
		raw := n.get(keyword)
		if raw == nil {
			return "", decimal{}, false
		}
		d, ok := decimalOf(raw)
		if !ok {
			f.badLimit(keyword, raw)
			return "", decimal{}, false
		}
		return string(compact(raw)), d, true
	}
	value, a, ok := number(closed)
	switch rawjson.Kind(n.get(open)) {
	case 't':
		return value, ok
	case 'f':
		return value, false
	}
	other, b, ok2 := number(open)
	if ok2 && (!ok || b.compare(a) != -stricter) {
		return other, true
	}
	return value, false
}

// excerpt is the start of a text that is quoted within a sentence.
func excerpt(s string) string {
	const most = 60 // characters
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
