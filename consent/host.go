package consent

import (
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"
)

// maxRawHost is the length in bytes beyond which no text can become a name of
// 253 characters, whatever its normalization; it bounds the work on a host.
const maxRawHost = 1024

// maxMapped is twice the number of characters of the longest name. Each
// character of a mapped name takes at least one of its ASCII form, so a text
// that normalizes to more is none; some characters become up to 18, which is
// found out before the mapping takes its time.
const maxMapped = 2 * 253

// profile is UTS #46 as browsers apply it: non-transitional, with the Bidi and
// joiner rules. Hyphens and underscores stay free, since real names such as
// r3---sn-x.googlevideo.com and my_bucket.… have them; the characters of each
// mapped label are therefore checked by isName, because this profile lets
// "example.com/evil" through. Its result is never used after an error.
var profile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false),
	idna.CheckHyphens(false), idna.CheckJoiners(true), idna.BidiRule(), idna.VerifyDNSLength(true))

// setHost is step 4. It returns the code of the fault, or "".
func (l *link) setHost(raw string) (code string) {
	if strings.HasPrefix(raw, "[") {
		return l.setIPv6(raw[1 : len(raw)-1])
	}
	if strings.ContainsFunc(raw, ignorable) {
		return "hidden-character"
	}
	name, code := l.setName(raw)
	if code != "" {
		return code
	}
	if isNumeric(name[strings.LastIndexByte(name, '.')+1:]) {
		addr, err := netip.ParseAddr(name)
		if err != nil || addr.String() != raw {
			return "disguised-ip"
		}
		l.host, l.addr, l.labels = raw, addr, nil
		return ""
	}
	l.setSite(name)
	return ""
}

// setIPv6 takes what stands between brackets.
func (l *link) setIPv6(text string) (code string) {
	addr, err := netip.ParseAddr(text)
	switch {
	case err != nil || !addr.Is6():
		return "malformed-host"
	case addr.Zone() != "":
		return "ipv6-zone"
	case addr.Is4In6():
		return "disguised-ip"
	}
	l.host, l.addr = "["+addr.String()+"]", addr
	return ""
}

// setName maps raw to host and labels and returns the name without its trailing
// dot.
func (l *link) setName(raw string) (name, code string) {
	if len(raw) > maxRawHost {
		return "", "invalid-name"
	}
	var rawLabels []string
	if !isASCII(raw) {
		rawLabels = strings.FieldsFunc(raw, isDot)
	}
	if longer(raw, maxMapped) {
		return "", "invalid-name"
	}
	for _, text := range rawLabels {
		if !isASCII(text) && hasCodePrefix(text) {
			// "xn--" with letters outside ASCII: implementations differ.
			return "", "invalid-name"
		}
	}
	trimmed, dot := raw, ""
	if r := lastRune(raw); isDot(r) {
		trimmed, dot = strings.TrimSuffix(raw, string(r)), "."
	}
	name, ok := mapName(trimmed)
	if !ok {
		return "", "invalid-name"
	}
	l.labels = make([]label, 0, 1+strings.Count(name, "."))
	for text := range strings.SplitSeq(name, ".") {
		lab, ok := decode(text)
		if !ok {
			return "", "invalid-name"
		}
		l.labels = append(l.labels, lab)
	}
	if tooYoung(l.labels) {
		return "", "invalid-name"
	}
	l.host = name + dot
	l.disguised = disguised(raw, rawLabels, l.labels)
	return name, ""
}

// longer reports whether the normalized text has more than most characters.
func longer(text string, most int) bool {
	if len(text) <= most/18 {
		return false
	}
	var it norm.Iter
	it.InitString(norm.NFKC, text)
	for n := 0; !it.Done(); {
		if n += utf8.RuneCount(it.Next()); n > most {
			return true
		}
	}
	return false
}

// bidiAge is the Unicode version up to which everybody's Bidi tables agree.
var bidiAge = rangetable.Assigned("13.0.0")

// tooYoung reports whether a name with right-to-left letters has a character
// that Unicode gained after version 13: the Bidi rule (RFC 5893) then lets it
// pass or not depending on the age of the reader's tables, Node's among them.
func tooYoung(labels []label) bool {
	rtl, young := false, false
	for _, label := range labels {
		if !label.idn() {
			continue
		}
		for _, r := range label.unicode {
			if r < 0x590 {
				continue // older than that, and left-to-right or neutral
			}
			p, _ := bidi.LookupRune(r)
			rtl = rtl || p.Class() == bidi.R || p.Class() == bidi.AL || p.Class() == bidi.AN
			young = young || !unicode.Is(bidiAge, r)
		}
	}
	return rtl && young
}

// mapName maps a name without a trailing dot to ASCII (UTS #46). A plain ASCII
// name only loses its capitals, which is quicker done here.
func mapName(raw string) (string, bool) {
	lower := strings.ToLower(raw)
	if isASCII(raw) && !strings.Contains(lower, "xn--") {
		return lower, len(lower) <= 253
	}
	name, err := profile.ToASCII(raw)
	return name, err == nil
}

// decode checks a mapped label and adds its Unicode form, which has to lead back
// to the same Punycode.
func decode(ascii string) (label, bool) {
	lab := label{ascii, ascii}
	if !isName(ascii) {
		return lab, false
	}
	if !lab.idn() {
		return lab, true
	}
	u, err := profile.ToUnicode(ascii)
	if err != nil || isASCII(u) {
		return lab, false
	}
	back, err := profile.ToASCII(u)
	lab.unicode = u
	return lab, err == nil && back == ascii
}

// isName reports whether s is a label of lower-case letters, digits, hyphens and
// underscores.
func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && !isDigit(c) && c != '-' && c != '_' {
			return false
		}
	}
	return s != "" && len(s) <= 63
}

// disguised reports whether the mapping made ASCII letters, digits or dots out
// of characters that are none.
func disguised(raw string, rawLabels []string, labels []label) bool {
	for _, r := range raw {
		if r >= 0x80 && (isDot(r) || isASCII(strings.ToLower(norm.NFKC.String(string(r))))) {
			return true
		}
	}
	for i, text := range rawLabels {
		if i < len(labels) && !isASCII(text) && isASCII(labels[i].unicode) {
			return true
		}
	}
	return false
}

// setSite finds who owns the name.
func (l *link) setSite(name string) {
	suffix, icann := publicsuffix.PublicSuffix(name)
	l.suffix = suffix
	// Outside the list every top-level name is a suffix, which is neither.
	l.private = !icann && strings.Contains(suffix, ".")
	registry := suffix
	for l.private && !icann && strings.Contains(registry, ".") {
		registry = registry[strings.IndexByte(registry, '.')+1:]
		registry, icann = publicsuffix.PublicSuffix(registry)
	}
	l.icann = strings.Count(registry, ".") + 1
	switch {
	case l.loopback() || len(l.labels) == 1:
		return
	case name == suffix && l.private:
		l.site = name
	case name != suffix:
		cut := strings.LastIndexByte(strings.TrimSuffix(name, "."+suffix), '.')
		l.site = name[cut+1:]
	}
}

// isNumeric reports whether browsers take a name that ends in the label for an
// IPv4 address (URL Standard, "ends in a number").
func isNumeric(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// isDot reports whether UTS #46 takes r for the separator of labels.
func isDot(r rune) bool { return r == '.' || r == '。' || r == '．' || r == '｡' }

func hasCodePrefix(s string) bool {
	return strings.HasPrefix(strings.ToLower(norm.NFKC.String(s)), "xn--")
}

// ignorable reports whether browsers drop r from a host or draw nothing for it.
// The two joiners are left to the rules for names, which allow them in places.
func ignorable(r rune) bool {
	switch {
	case r < 0x80 || r == '\u200C' || r == '\u200D':
		return false
	case r == 0xAD, r == 0x2800, r >= 0xFFF0 && r <= 0xFFF8, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Cf, r)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func lastRune(s string) (last rune) {
	for _, r := range s[max(0, len(s)-4):] {
		last = r
	}
	return last
}
