package consent

import (
	_ "embed"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed data/confusables.tsv
var confusablesFile string

// confusables maps characters to the ASCII letters that they look like, from the
// Unicode data; see data/NOTICE.
var confusables = func() map[rune]string {
	m := map[rune]string{}
	for _, line := range dataLines(confusablesFile) {
		f := strings.Split(line, "\t")
		code, err := strconv.ParseUint(f[0], 16, 32)
		if err != nil {
			panic("confusables.tsv: " + err.Error())
		}
		m[rune(code)] = f[2]
	}
	return m
}()

// extraFolds are resemblances that the Unicode data leaves out, because they hold
// in some fonts only or between a letter and one without its stroke. They serve
// to compare with known names, where a chance resemblance does no harm.
var extraFolds = func() map[rune]string {
	m := map[rune]string{}
	for ascii, twins := range map[string]string{
		"o": "øөоσ", "l": "łӏ", "d": "đԃძժ", "h": "ħнћңҥӈӊ", "t": "ŧтҭτ", "k": "ĸкκқҝҟҡ", "n": "ŋпηก", "r": "гґ",
		"b": "ьҍвƅв", "m": "мӎ", "w": "ωшщพฟ", "e": "єҿеɛəә", "f": "ғӻ", "c": "ҫ", "y": "ұ", "x": "χҳӽӿ乂", "s": "ร",
		"u": "บµμ", "p": "þҏϼ", "g": "ԍ", "j": "ʝ", "z": "ʐ", "3": "зҙӡვპउও", "2": "२২੨૨շ", "4": "丩੫", "6": "ճ",
		"8": "৪੪", "a": "ӑӓ", "ss": "ß", "ae": "æӕ", "oe": "œ",
	} {
		for _, r := range twins {
			m[r] = ascii
		}
	}
	return m
}()

// latinized is a lower-case name as it reads to someone who takes every letter
// for the ASCII one that it resembles; accents are dropped.
func latinized(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r) || r == '\u200C' || r == '\u200D':
		case confusables[r] != "":
			b.WriteString(confusables[r])
		case extraFolds[r] != "":
			b.WriteString(extraFolds[r])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// pairs folds what looks alike within ASCII.
var pairs = strings.NewReplacer("rn", "m", "vv", "w", "0", "o", "1", "l")

// skeleton is equal for names that look alike (UTS #39, section 4, on the small
// table).
func skeleton(s string) string {
	s = latinized(s)
	if strings.ContainsAny(s, "01") || strings.Contains(s, "rn") || strings.Contains(s, "vv") {
		return pairs.Replace(s)
	}
	return s
}

// LooksLike returns the first of others that a person could take name for: equal
// but for case, spaces, punctuation, accents and look-alike letters, or equal
// outright. It compares the names that people and servers give to servers, and
// what name imitates is not said to be wrong: two servers may share a name.
func LooksLike(name string, others []string) (string, bool) {
	s := nameSkeleton(name)
	for _, other := range others {
		if s == nameSkeleton(other) {
			return other, true
		}
	}
	return "", false
}

// nameSkeleton is skeleton for display names, in which I, l, 1 and | are one and
// only letters and digits count. A name of other characters only stays itself.
func nameSkeleton(name string) string {
	folded := strings.ToLower(norm.NFKC.String(strings.ReplaceAll(name, "|", "l")))
	kept := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) {
			return r
		}
		return -1
	}, folded)
	if kept == "" {
		return strings.Join(strings.Fields(folded), " ")
	}
	return strings.ReplaceAll(skeleton(kept), "i", "l")
}
