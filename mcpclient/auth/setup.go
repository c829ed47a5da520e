package auth

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/http"
)

// Setup is what a person enters about signing in to a server, as they typed it.
type Setup struct {
	ClientID string
	Secret   string // of ClientID; "" leaves what is stored
	Issuer   string
	Port     string
	Host     string // "" for 127.0.0.1, or "localhost"
	Path     string // of where the browser comes back to; "" for /callback
	// ClientMetadata is the address of a Client ID Metadata Document.
	ClientMetadata string
	Intranet       bool
	Service        bool
}

// SetupOf is the setup that s has. Its secret is not read.
func SetupOf(s mcpclient.SignIn) Setup {
	out := Setup{ClientID: s.ClientID, Issuer: s.Issuer, Host: s.Host, Path: s.Path,
		ClientMetadata: s.ClientMetadata, Intranet: s.Intranet, Service: s.Service}
	if s.Port != 0 {
		out.Port = strconv.Itoa(s.Port)
	}
	return out
}

// The fields of a Setup that can be wrong.
const (
	SetupClientID = "client"
	SetupSecret   = "secret"
	SetupIssuer   = "issuer"
	SetupPort     = "port"
	SetupPath     = "path"
	SetupMetadata = "metadata"
)

// SetupFault is what is wrong with one field of a Setup. Its sentence tells.
type SetupFault struct {
	Field string
	*Refused
}

// longestSetup is how many characters a field may have: more than any client id or
// secret has, and what leaves room for all else in the address of a sign-in page, which
// is not opened beyond 8,192 (package consent).
const longestSetup = 2000

// TooLong are the fields with more than 2,000 characters, which none of them can need.
func (e Setup) TooLong() []*SetupFault {
	var faults []*SetupFault
	for _, f := range []struct{ field, words, text string }{
		{SetupClientID, "auth.setup.long_client", e.ClientID},
		{SetupSecret, "auth.setup.long_secret", e.Secret},
		{SetupIssuer, "auth.setup.long_address", e.Issuer},
		{SetupMetadata, "auth.setup.long_address", e.ClientMetadata},
		{SetupPath, "auth.setup.long_path", e.Path},
	} {
		if len(f.text) <= longestSetup { // bytes, which are no fewer
			continue
		}
		if n := utf8.RuneCountInString(f.text); n > longestSetup {
			faults = append(faults, &SetupFault{f.field, refused("auth.setup.long", "Field", i18n.M(f.words), "Has", i18n.Grouped(n), "Most", i18n.Grouped(longestSetup))})
		}
	}
	return faults
}

// Apply returns the setup of server with what was entered, or the first fault. Outer spaces,
// which come along with what is copied, are dropped.
//
// An issuer is an https address without a query or fragment (RFC 8414 section
// 2), and one that signing in to server may reach: on this computer for a server there,
// in a private network or by http with Intranet (see [guard]). It is needed where there
// is a secret: a server that names another authorization server would be given it.
func (e Setup) Apply(server mcpclient.Server) (mcpclient.SignIn, *SetupFault) {
	before := server.SignIn
	if faults := e.TooLong(); faults != nil {
		return before, faults[0]
	}
	s := before
	s.ClientID, s.Issuer, s.ClientMetadata = strings.TrimSpace(e.ClientID), strings.TrimSpace(e.Issuer), strings.TrimSpace(e.ClientMetadata)
	s.Intranet, s.Service = e.Intranet, e.Service
	switch {
	case s.ClientID == "" && s.Service:
		return before, &SetupFault{SetupClientID, refused("auth.setup.service")}
	case s.ClientID == "" && e.Secret != "":
		return before, &SetupFault{SetupClientID, refused("auth.setup.client")}
	case strings.ContainsFunc(e.Secret, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return before, &SetupFault{SetupSecret, refused("auth.setup.secret")} // RFC 6749 appendix A.2
	}
	if s.Issuer == "" && (s.Service || e.Secret != "") {
		return before, &SetupFault{SetupIssuer, refused("auth.setup.issuer.needed")}
	}
	if s.ClientMetadata != "" && !isMetadata(s.ClientMetadata) {
		return before, &SetupFault{SetupMetadata, refused("auth.setup.metadata")}
	}
	if why := unfit(server, s); why != nil {
		return before, &SetupFault{SetupIssuer, why}
	}
	return e.door(before, s)
}

// unfit says what is wrong with the issuer of s, entered for server; nil for nothing.
func unfit(server mcpclient.Server, s mcpclient.SignIn) *Refused {
	if s.Issuer == "" {
		return nil
	}
	if strings.ContainsAny(s.Issuer, "?# ") {
		return refused("auth.setup.issuer")
	}
	origin, _ := http.ParseOrigin(server.URL) // one that is none is on no computer
	_, err := newGuard(origin, s.Intranet, nil).address(s.Issuer)
	f, ok := errors.AsType[*forbidden](err)
	tick := i18n.M("auth.setup.intranet")
	switch {
	case !ok:
		return nil
	case f.reason == reasonPrivate:
		return refused("auth.setup.issuer.private", "Host", show(hostOf(s.Issuer)), "Tick", tick)
	case f.reason == reasonPlain && !s.Intranet:
		return refused("auth.setup.issuer.plain", "Tick", tick)
	case f.reason == reasonReserved:
		return fetchFailure(s.Issuer, err)
	}
	return refused("auth.setup.issuer")
}

// door takes over where the browser comes back to.
func (e Setup) door(before, s mcpclient.SignIn) (mcpclient.SignIn, *SetupFault) {
	s.Host, s.Port, s.Path = e.Host, 0, strings.TrimSpace(e.Path)
	if typed := strings.TrimSpace(e.Port); typed != "" {
		port, err := strconv.ParseUint(typed, 10, 16)
		if err != nil || port == 0 {
			return before, &SetupFault{SetupPort, refused("auth.setup.port")}
		}
		s.Port = int(port)
	}
	if s.Path != "" && !strings.HasPrefix(s.Path, "/") {
		s.Path = "/" + s.Path
	}
	if !isPath(s.Path) {
		return before, &SetupFault{SetupPath, refused("auth.setup.path")}
	}
	return s, nil
}

// Redirect is the address that the browser would be sent back to with what was
// entered, as [Redirect] gives it; ok is false while that is no address, or one that is
// too long.
func (e Setup) Redirect() (address string, ok bool) {
	if len(e.Path) > longestSetup { // of the letters that a path has
		return "", false
	}
	s, fault := e.door(mcpclient.SignIn{}, mcpclient.SignIn{})
	if fault != nil {
		return "", false
	}
	return Redirect(s), true
}

// isMetadata reports whether an address may be that of a Client ID Metadata Document:
// https with a path that nobody resolves to another, without user and fragment
// (draft-ietf-oauth-client-id-metadata-document-00 section 3).
func isMetadata(address string) bool {
	u, err := url.Parse(address)
	dots := func(part string) bool { return part == "." || part == ".." }
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && !strings.Contains(address, "#") &&
		strings.TrimLeft(u.Path, "/") != "" && !slices.ContainsFunc(strings.Split(u.Path, "/"), dots) &&
		!strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' })
}

// isPath reports whether a browser asks for the path s as it stands there, so that
// what is registered, what is sent and what comes back are the same text: no
// escapes, nothing that ends a path, and no segment that a browser resolves (RFC
// 3986 sections 3.3 and 5.2.4).
func isPath(s string) bool {
	plain := func(r rune) bool {
		return r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/-._~!$&'()*+,;=:@", r))
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(s, "/"), func(part string) bool { return part == "." || part == ".." })
}
