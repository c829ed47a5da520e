package consent

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkRaw is step 1: what is refused whatever it means. Every class that
// applies is named once.
func checkRaw(raw string) []Finding {
	switch {
	case raw == "":
		return []Finding{find("empty")}
	case len(raw) > maxURL:
		return []Finding{find("too-long")}
	case !utf8.ValidString(raw), strings.ContainsRune(raw, utf8.RuneError):
		// U+FFFD stands where a decoder met something that it could not read
		// (a lone surrogate in JSON): this is not what the server wrote.
		return []Finding{find("bad-encoding")}
	}
	var control, space, bidi bool
	for _, r := range raw {
		switch {
		case r > ' ' && r < 0x7F:
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			control = true
		case unicode.IsSpace(r):
			space = true
		case unicode.Is(unicode.Bidi_Control, r):
			bidi = true
		}
	}
	var out []Finding
	if control {
		out = append(out, find("control-character"))
	}
	if bidi {
		out = append(out, find("bidi-control"))
	}
	if space {
		out = append(out, find("whitespace"))
	}
	return out
}

// cutScheme is step 2. It returns the scheme in lower case and what follows
// "://", or the finding that ends it.
func cutScheme(raw string) (scheme, rest string, bad []Finding) {
	name, after, ok := strings.Cut(raw, ":")
	switch {
	case !ok || !isScheme(name):
		return "", "", []Finding{find("not-a-web-address")}
	case !strings.EqualFold(name, "http") && !strings.EqualFold(name, "https"):
		return "", "", []Finding{find("scheme")}
	}
	if i := strings.IndexByte(after, '\\'); i >= 0 && !strings.ContainsAny(after[:i], "?#") {
		// Browsers take it for a slash, in the path as well.
		bad = append(bad, find("backslash"))
	}
	rest, ok = strings.CutPrefix(after, "//")
	if !ok || rest == "" || strings.ContainsRune("/?#", rune(rest[0])) {
		bad = append(bad, find("malformed-slashes"))
	}
	return strings.ToLower(name), rest, bad
}

// isScheme reports whether s can be a scheme (RFC 3986, section 3.1). One letter
// is a drive, not a scheme.
func isScheme(s string) bool {
	if len(s) < 2 || !isLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !isDigit(c) && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// cutAtTail splits at the first / ? #, which stays with the tail.
func cutAtTail(s string) (authority, tail string) {
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isHex(c byte) bool    { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
