package forms

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestDecimalGrammar: exactly the numbers of RFC 8259 section 6.
func TestDecimalGrammar(t *testing.T) {
	for _, s := range strings.Fields("0 -0 1 10 0.0 -1.5 1e3 1E+3 1e-3 0.10 123456789012345678901234567890.5 1e0009") {
		if !isJSONNumber(s) {
			t.Errorf("%s is refused", s)
		}
	}
	for _, s := range []string{"", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x1", "1,5", " 1", "1 ", "1.5.2", "--1", "NaN", "1e3.5", "１"} {
		if isJSONNumber(s) {
			t.Errorf("%q is accepted", s)
		}
	}
}

// TestDecimalComparesAsBigRat: against math/big on random numbers.
func TestDecimalComparesAsBigRat(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() string {
		s := strconv.Itoa(random.IntN(2000) - 1000)
		if random.IntN(2) == 0 {
			s += "." + strconv.Itoa(random.IntN(1000))
		}
		if random.IntN(2) == 0 {
			s += "e" + strconv.Itoa(random.IntN(9)-4)
		}
		return s
	}
	for range 20_000 {
		s, u := number(), number()
		d, ok := parseDecimal(s)
		e, ok2 := parseDecimal(u)
		a, ok3 := new(big.Rat).SetString(s)
		b, ok4 := new(big.Rat).SetString(u)
		if !ok || !ok2 || !ok3 || !ok4 {
			t.Fatalf("%s and %s are not read", s, u)
		}
		if got, want := d.compare(e), a.Cmp(b); got != want {
			t.Fatalf("%s compared with %s is %d, want %d", s, u, got, want)
		}
		if got, want := d.whole(), a.IsInt(); got != want {
			t.Fatalf("%s is whole: %t", s, got)
		}
		if plain, ok := d.plain(100); ok && plain != a.Num().String() {
			t.Fatalf("%s is %s in plain digits, want %s", s, plain, a.Num())
		}
		if back, ok := new(big.Rat).SetString(d.String()); !ok || back.Cmp(a) != 0 {
			t.Fatalf("%s is shown as %s", s, d)
		}
		if (d.key() == e.key()) != (a.Cmp(b) == 0) {
			t.Fatalf("keys of %s and %s: %s, %s", s, u, d.key(), e.key())
		}
		if b.Sign() > 0 {
			yes, known := d.multipleOf(e)
			if want := new(big.Rat).Quo(a, b).IsInt(); !known || yes != want {
				t.Fatalf("%s is a multiple of %s: %t (known %t)", s, u, yes, known)
			}
		}
	}
}

// TestDecimalBounds: exponents are compared without being written out, and
// those beyond all sense are refused.
func TestDecimalBounds(t *testing.T) {
	huge, ok := parseDecimal("1e1000000000000")
	if !ok {
		t.Fatal("1e1000000000000 is refused")
	}
	small, _ := parseDecimal("9e999999999999")
	if huge.compare(small) != 1 {
		t.Error("1e1000000000000 is not above 9e999999999999")
	}
	if _, ok := huge.plain(1000); ok {
		t.Error("1e1000000000000 was written out")
	}
	if _, known := huge.multipleOf(decimal{digits: "3", exp: 1}); known {
		t.Error("multipleOf wrote 1e1000000000000 out")
	}
	for _, s := range []string{"1e99999999999999999999", "1e-99999999999999999999", "1e2000000000000"} {
		if _, ok := parseDecimal(s); ok {
			t.Errorf("%s is accepted", s)
		}
	}
}
