package consent

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// link is a link that the grammar accepts.
type link struct {
	scheme string
	host   string     // ASCII; an IPv6 literal with its brackets, a name with its trailing dot
	addr   netip.Addr // if the host is an address
	labels []label    // if the host is a name; without the empty one of a trailing dot
	port   string     // "" if it is the default
	tail   string
	open   string // the whole, canonical

	disguised bool   // UTS #46 turned something else into ASCII letters or dots
	site      string // registrable domain, "" without one
	suffix    string // public suffix of a name, "" for an address
	private   bool   // suffix is from the list's private part: the owner of site is a customer
	icann     int    // labels of the part of suffix that registries run
}

// label is one part of a name.
type label struct {
	ascii   string
	unicode string // the same as ascii unless that is Punycode
}

// idn reports whether the label is Punycode.
func (l label) idn() bool { return strings.HasPrefix(l.ascii, "xn--") }

// parse is steps 2 to 6. The findings, if any, block.
func parse(raw string) (*link, []Finding) {
	scheme, rest, bad := cutScheme(raw)
	if bad != nil {
		return nil, bad
	}
	authority, tail := cutAtTail(rest)
	host, port, code := cutPort(authority)
	if code == "bad-port" && strings.Trim(port, "0123456789") == "" && (port == "" || isPort(strings.TrimLeft(port, "0"))) {
		return nil, []Finding{findWorse(code)}
	}
	if code != "" {
		return nil, []Finding{find(code)}
	}
	l := &link{scheme: scheme, port: port, tail: encodeTail(tail)}
	if scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		l.port = ""
	}
	if code := l.setHost(host); code != "" {
		return nil, []Finding{find(code)}
	}
	l.open = l.scheme + "://" + l.authority() + l.tail
	if len(l.open) > maxURL {
		return nil, []Finding{find("too-long")}
	}
	if !l.agrees() {
		return nil, []Finding{find("invalid-name")}
	}
	return l, nil
}

// cutPort is step 3. The port is "" when none is given. code names the fault; a bad
// port is returned with it.
func cutPort(authority string) (host, port, code string) {
	switch {
	case strings.Contains(authority, "@"):
		return "", "", "userinfo"
	case strings.HasPrefix(authority, "[") && strings.Contains(authority, "%"):
		return "", "", "ipv6-zone"
	case strings.Contains(authority, "%"):
		return "", "", "percent-host"
	}
	after := ""
	if strings.HasPrefix(authority, "[") {
		end := strings.IndexByte(authority, ']')
		if end < 0 {
			return "", "", "malformed-host"
		}
		host, after = authority[:end+1], authority[end+1:]
		if after != "" && after[0] != ':' {
			return "", "", "malformed-host"
		}
	} else if i := strings.IndexByte(authority, ':'); i >= 0 {
		host, after = authority[:i], authority[i:]
	} else {
		host = authority
	}
	if after == "" {
		return host, "", ""
	}
	port = after[1:]
	if !isPort(port) {
		return "", port, "bad-port"
	}
	if host == "" {
		return "", "", "malformed-host"
	}
	return host, port, ""
}

// isPort reports whether s is 1 to 65535 in plain digits.
func isPort(s string) bool {
	if s == "" || len(s) > 5 || s[0] == '0' {
		return false
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	n, err := strconv.Atoi(s)
	return err == nil && n <= 65535
}

// authority is the host with its port if that is not the default.
func (l *link) authority() string {
	if l.port == "" {
		return l.host
	}
	return l.host + ":" + l.port
}

// name is what the link is called: the site, else the host without its port.
func (l *link) name() string {
	if l.site != "" {
		return l.site
	}
	return l.host
}

// unicode is authority with its Punycode decoded.
func (l *link) unicode() string {
	var b strings.Builder
	for i, label := range l.labels {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(label.unicode)
	}
	if strings.HasSuffix(l.host, ".") {
		b.WriteByte('.')
	}
	if l.port != "" {
		b.WriteString(":" + l.port)
	}
	return b.String()
}

// parts cuts open around what the person has to look at.
func (l *link) parts() []Part {
	start := len(l.scheme) + len("://")
	end := start + len(l.host)
	if l.site != "" {
		end = start + len(strings.TrimSuffix(l.host, "."))
		start = end - len(l.site)
	}
	parts := []Part{{l.open[:start], Muted}, {l.open[start:end], Site}}
	if end < len(l.open) {
		parts = append(parts, Part{l.open[end:], Muted})
	}
	return parts
}

// agrees is step 6: net/url must see the same host and change nothing.
func (l *link) agrees() bool {
	u, err := url.Parse(l.open)
	return err == nil && u.User == nil && u.Opaque == "" && u.Host == l.authority() && u.String() == l.open
}

// encodeTail is the rest of step 5. Valid escapes stay as they are; every byte
// that RFC 3986 does not allow where it stands is percent-encoded, a % without
// two hex digits among them. Square brackets in path and query stay, as
// browsers and net/url leave them. An empty fragment is dropped: it leads
// nowhere, and net/url would drop it.
func encodeTail(tail string) string {
	var b strings.Builder
	fragment := false
	for i := range len(tail) {
		c := tail[i]
		switch {
		case c == '#' && !fragment:
			fragment = true
			if i == len(tail)-1 {
				continue
			}
			b.WriteByte(c)
		case c == '%' && i+2 < len(tail) && isHex(tail[i+1]) && isHex(tail[i+2]), inTail(c):
			b.WriteByte(c)
		default:
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// inTail reports whether c may stand unencoded in path, query and fragment.
func inTail(c byte) bool {
	return isLetter(c) || isDigit(c) || c != 0 && strings.IndexByte("-._~!$&'()*+,;=:@/?[]", c) >= 0
}
