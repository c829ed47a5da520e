package forms

import (
	"net/netip"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"parley/assets/i18n"
)

// parseEmail checks a mailbox address: RFC 5321 section 4.1.2, with the
// internationalised names and domains of RFC 6531. A domain needs a dot: the
// grammar would do without, but "only resolvable, fully-qualified domain names
// are permitted" (RFC 5321 section 2.3.5), so root@intranet and a@localhost are
// none, and "lin@travel" is what people type before they are done.
func parseEmail(s string) i18n.Message {
	local, domain, found := cutLast(s, "@")
	switch {
	case !found && strings.Contains(s, "＠"):
		return i18n.M("forms.error.emailWide")
	case !found || len(s) > 254 || !isLocalPart(local) || !isMailDomain(domain) && !isAddressLiteral(domain):
		return i18n.M("forms.error.email")
	}
	return i18n.Message{}
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// isLocalPart reports whether s is a dot-string or a quoted string of at most
// 64 octets.
func isLocalPart(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return isQuotedText(s[1 : len(s)-1])
	}
	for _, atom := range strings.Split(s, ".") {
		if atom == "" || strings.ContainsFunc(atom, notAtomText) {
			return false
		}
	}
	return true
}

// isQuotedText reports whether s can stand between quotes: printable, with "
// and \ behind a \ (RFC 5321 section 4.1.2, quoted-pairSMTP).
func isQuotedText(s string) bool {
	escaped := false
	for _, r := range s {
		switch {
		case r < ' ' || r == 0x7F || r == '"' && !escaped || escaped && r > '~':
			return false
		}
		escaped = r == '\\' && !escaped
	}
	return !escaped
}

func notAtomText(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	case r < 0x80:
		return !strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r)
	}
	return r == unicode.ReplacementChar || !unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// isAddressLiteral reports whether s is an address in brackets, [192.0.2.1] or
// [IPv6:2001:db8::1] (RFC 5321 section 4.1.3).
func isAddressLiteral(s string) bool {
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return false
	}
	inside, v6 := strings.CutPrefix(s[1:len(s)-1], "IPv6:")
	a, err := netip.ParseAddr(inside)
	return err == nil && a.Is6() == v6 && a.Zone() == ""
}

// mailDomain is IDNA as look-ups use it, with the DNS limits on lengths.
var mailDomain = idna.New(idna.MapForLookup(), idna.StrictDomainName(true), idna.VerifyDNSLength(true), idna.BidiRule())

func isMailDomain(s string) bool {
	a, err := mailDomain.ToASCII(s)
	if u, _ := mailDomain.ToUnicode(s); u != strings.ToLower(s) && a != strings.ToLower(s) {
		return false // it would only be a domain after folding full-width letters and the like
	}
	if err != nil || !strings.Contains(a, ".") || strings.HasSuffix(a, ".") {
		return false
	}
	last := a[strings.LastIndexByte(a, '.')+1:]
	return strings.ContainsFunc(last, func(r rune) bool { return r < '0' || r > '9' })
}
