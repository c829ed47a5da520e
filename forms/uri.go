package forms

import (
	"fmt"
	"net/netip"
	"strings"

	"parley/assets/i18n"
)

// parseURI checks an absolute URI (RFC 3986 section 3, "URI"): a scheme, and
// then only what the grammar allows. What it means is not our business here.
func parseURI(s string) i18n.Message {
	scheme, rest, found := strings.Cut(s, ":")
	if !found || !isScheme(scheme) {
		return i18n.M("forms.error.uri")
	}
	if i := strings.IndexFunc(rest, notURIChar); i >= 0 {
		const most = 300 // bytes; nobody reads off a longer one
		if len(s) > most {
			return i18n.M("forms.error.uri")
		}
		if strings.Contains(rest, `\`) {
			return i18n.M("forms.error.uriBackslash")
		}
		if authority, _, _ := splitAuthority(rest); isWeb(scheme) && strings.ContainsFunc(authority, func(r rune) bool { return r < 0x7F && notURIChar(r) }) {
			return i18n.M("forms.error.uriHost")
		}
		if right, ok := encodeURI(s); ok {
			if strings.ContainsFunc(rest, func(r rune) bool { return r > 0x7F }) {
				return i18n.M("forms.error.uriEncode", "Right", right)
			}
			return i18n.M("forms.error.uriSigns", "Right", right)
		}
		return i18n.M("forms.error.uri")
	}
	if !isURIRest(rest) || isWeb(scheme) && !hasHost(rest) {
		return i18n.M("forms.error.uri")
	}
	return i18n.Message{}
}

// isWeb reports whether a scheme is one whose URIs always name a host (RFC 9110
// section 4.2).
func isWeb(scheme string) bool {
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

func hasHost(rest string) bool {
	authority, _, _ := splitAuthority(rest)
	authority, _, _ = strings.Cut(authority, "?")
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	return host != "" && host[0] != ':' && host[0] != '#'
}

func isScheme(s string) bool {
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return s != ""
}

// notURIChar reports whether r can be nowhere in a URI (RFC 3986 section 2).
func notURIChar(r rune) bool {
	return r <= ' ' || r >= 0x7F || strings.ContainsRune("\"<>\\^`{|}", r)
}

// isURIRest checks what follows the scheme: escapes, brackets, authority.
func isURIRest(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])) {
			return false
		}
	}
	s, fragment, _ := strings.Cut(s, "#")
	s, query, _ := strings.Cut(s, "?")
	authority, path, has := splitAuthority(s)
	if strings.ContainsAny(fragment, "#[]") || strings.ContainsAny(query, "[]") || strings.ContainsAny(path, "[]") {
		return false
	}
	if !has {
		return s != "" || query != "" // "mailto:" alone says nothing
	}
	return isAuthority(authority)
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func splitAuthority(s string) (authority, path string, has bool) {
	rest, has := strings.CutPrefix(s, "//")
	if !has {
		return "", s, false
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[:i], rest[i:], true
	}
	return rest, "", true
}

// isAuthority checks userinfo, host and port (RFC 3986 section 3.2).
func isAuthority(s string) bool {
	user, host, found := strings.Cut(s, "@")
	if !found {
		user, host = "", s
	}
	if strings.ContainsAny(user, "[]@") || strings.Contains(host, "@") {
		return false
	}
	port := ""
	if strings.HasPrefix(host, "[") {
		end := strings.IndexByte(host, ']')
		if end < 0 || !isIPLiteral(host[1:end]) {
			return false
		}
		host, port = "", host[end+1:]
		if port != "" && port[0] != ':' {
			return false
		}
		port = strings.TrimPrefix(port, ":")
	} else {
		host, port, _ = strings.Cut(host, ":")
	}
	return !strings.ContainsAny(host, "[]:") && leadingDigits(port) == len(port)
}

// isIPLiteral checks the inside of [ ]; versions to come (IPvFuture) do not
// exist yet.
func isIPLiteral(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

// encodeURI is s with what a URI cannot hold percent-encoded and its host in
// ASCII, if that makes it a URI.
func encodeURI(s string) (string, bool) {
	scheme, rest, _ := strings.Cut(s, ":")
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		end := strings.IndexAny(after+"/", "/?#")
		if host, err := mailDomain.ToASCII(after[:end]); err == nil {
			rest = "//" + host + after[end:]
		}
	}
	var b strings.Builder
	for _, r := range rest {
		if !notURIChar(r) {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return scheme + ":" + b.String(), isURIRest(b.String())
}
