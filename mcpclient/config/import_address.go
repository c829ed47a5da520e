package config

import (
	"net/netip"
	"regexp"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// Addresses that READMEs show where that of the reader's own server belongs, and the
// parts of addresses that are the reader's.

// authority is the host of an address with what belongs to it (RFC 3986, section 3.2).
var authority = regexp.MustCompile(`(?i)^\s*(?:https?://)?([^/?#\\]*)`)

var (
	// exampleName is a host that is set aside for examples (RFC 2606, sections 2 and 3),
	// or is called like one.
	exampleName = regexp.MustCompile(`(?i)(^|\.)(example(\.(com|net|org))?|invalid|tld)$` +
		`|(^|[.-])(your([-_.].*|[-_]?(domain|server|host|company|org|organi[sz]ation|site|app|name|instance|tenant|workspace|project|url|ip|mcp|api)[^.]*)|my[-_]?(domain|site|company))(\.|:|$)` +
		`|^(server[-_]?)?(hostname|host|url|ip|ip[-_]address|address|domain)$|^x{2,}$|^x+(\.x+)+$`)
	// webPage is the address of a page that tells of servers, or of a file.
	webPage = regexp.MustCompile(`(?i)^https?://((www\.)?(github|gitlab|bitbucket)\.(com|org)/|[^/?#]+/package/|[^?#]*\.(html?|mdx?|svg|png|pdf|zip|json)([?#]|$))`)
	// opens is what no host has in it, but stand-ins have: brackets, signs of ellipsis,
	// and the capitals of variables.
	opens = regexp.MustCompile(`[<>{}…*]|\.\.|[A-Z]_[A-Z]|\bYOUR`)
	// addressPiece is a part of a path, or of a query with its name. openPiece is one
	// that stands for another, its name in a group.
	addressPiece = regexp.MustCompile(`([^/?&=#]+=)?([^/?&=#]+)`)
	openPiece    = regexp.MustCompile(`^(?:\{([A-Za-z][\w-]*)\}|:([a-z][A-Za-z0-9_]*)|(your[-_][a-z0-9_-]+)|([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)|(\*{3,}|x{4,}|X{4,}|\.{3}|…))$`)
)

// exampleAddress reports whether an address only shows how one looks.
func exampleAddress(address string) bool {
	host := authority.FindStringSubmatch(placeholder.ReplaceAllString(address, "open"))[1]
	if host == "" {
		return false
	}
	if inner, isBracketed := strings.CutPrefix(host, "["); isBracketed {
		inner, _, _ = strings.Cut(inner, "]")
		_, err := netip.ParseAddr(inner)
		return err != nil
	}
	name, port, _ := strings.Cut(host, ":")
	return opens.MatchString(host) || exampleName.MatchString(name) || strings.EqualFold(port, "port")
}

// openAddress asks for the address if it only shows how one looks, else for what
// stands open in it.
func (e *foundEntry) openAddress() {
	v := &e.server
	if v.Kind == mcpclient.Stdio || v.URL == "" {
		return
	}
	if exampleAddress(v.URL) {
		e.doubts = append(e.doubts, i18n.M("cli.import_address_example"))
		v.URL = e.ask("url", i18n.M("cli.import_ask_address"), v.URL, false)
		return
	}
	if webPage.MatchString(v.URL) {
		e.doubts = append(e.doubts, i18n.M("cli.import_web_page"))
	}
	host := authority.FindString(v.URL)
	v.URL = e.openMarks(host+addressPiece.ReplaceAllStringFunc(v.URL[len(host):], e.openPiece), secretAddress)
}

// openPiece is a piece of an address, or the placeholder for what it stands for.
func (e *foundEntry) openPiece(piece string) string {
	m := addressPiece.FindStringSubmatch(piece)
	of := strings.TrimSuffix(m[1], "=")
	name := namedIn(openPiece, m[2])
	secret := of != "" && secretUnder(of, sampleSecret) || standInHidden.MatchString(m[2])
	switch {
	case of != "" && standsFor(of, m[2], secret):
		name = of
	case name != "":
	default:
		return piece
	}
	return m[1] + e.ask(name, i18n.M("cli.import_ask_input", "Name", name), m[2], secret || secretName(name))
}
