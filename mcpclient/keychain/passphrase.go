package keychain

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Strength is how hard a passphrase is to guess.
type Strength int

// The strengths.
const (
	Weak Strength = iota // refused: a computer finds it
	Fair                 // takes a thief with many computers a long time
	Good                 // is out of reach
)

// What counts of a passphrase, see Judge. With scrypt's second a guess, ten
// unforeseeable letters keep a thousand computers busy for a thousand years if
// chosen by chance, and far less if chosen by a person, hence the margin.
const (
	fairCount = 10
	goodCount = 16
)

// judged is how many bytes of a passphrase are looked at.
const judged = 4 << 10

// common are beginnings of most lists of guesses. Each counts as one letter.
var common = []string{
	"passphrase", "password", "passwort", "letmein", "welcome", "qwertyuiop", "qwertz", "qwerty", "azerty",
	"asdfghjkl", "asdfgh", "zxcvbnm", "zxcvbn", "iloveyou", "admin", "secret", "parley", "1q2w3e4r", "密码", "口令", "我爱你",
}

// Judge says how hard a passphrase is to guess. It counts letters of any script
// that do not follow from those before: not a repeated letter, not the next of a
// row such as abc or 321, not a pair of letters that came before; a word of the
// common ones counts as one. A Han character counts as two, being one of
// thousands. Under 10 is Weak, from 16 on Good. What stands beyond the first 4 KiB makes
// a passphrase no stronger: it is judged at every key.
func Judge(passphrase Secret) Strength {
	s := strings.TrimSpace(passphrase.Reveal())
	s = strings.ToLower(norm.NFKC.String(s[:min(len(s), judged)]))
	for _, word := range common {
		s = strings.ReplaceAll(s, word, "\x00")
	}
	count := 0
	var before, step rune
	seen := map[[2]rune]bool{}
	for i, r := range []rune(s) {
		pair := [2]rune{before, r}
		follows := i > 0 && (r == before || seen[pair] || (r-before == 1 || r-before == -1) && r-before == step)
		if i > 0 {
			seen[pair], step = true, r-before
		}
		before = r
		switch {
		case follows:
		case unicode.Is(unicode.Han, r):
			count += 2
		default:
			count++
		}
	}
	switch {
	case count < fairCount:
		return Weak
	case count < goodCount:
		return Fair
	}
	return Good
}
