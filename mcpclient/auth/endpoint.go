package auth

import (
	"net/url"
	"strings"

	"parley/consent"
)

// ours are the parameters of an authorization request that the client sets, and
// those that would replace all others (RFC 6749 section 4.1.1, RFC 7636 section
// 4.3, RFC 8707 section 2.1, RFC 9101 section 5). An endpoint may name those which
// have a value here, since it is the one that is sent.
var ours = map[string]string{
	"client_id": "", "redirect_uri": "", "state": "", "scope": "", "resource": "", "code_challenge": "",
	"response_type": "code", "response_mode": "query", "code_challenge_method": "S256",
	"request": "", "request_uri": "",
}

// fitting is where a person signs in as metadata name it, fit for what the client
// adds to it: a query of its own stays, and no parameter comes twice (RFC 6749
// section 3.1). ok is false for one that sets what is the client's. With a client
// id and an address to come back to before ours, whoever wrote the metadata would
// be given the person's consent at the very host that the person trusts.
func fitting(address string) (fit string, ok bool) {
	ok = true
	fit = without(address, func(name, value string) bool {
		want, own := ours[name]
		ok = ok && (!own || value == want && want != "")
		return own
	})
	return fit, ok
}

// without is an address without the parameters of its query that drop reports.
// Names come as loosely as any server may read them: in lower case, and without
// what makes them an array in PHP.
func without(address string, drop func(name, value string) bool) string {
	before, query, _ := strings.Cut(address, "?")
	var kept []string
	dropped := false
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		name, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), "[")
		if drop(name, value) {
			dropped = true
		} else {
			kept = append(kept, pair)
		}
	}
	switch {
	case !dropped:
		return address
	case kept == nil:
		return before
	}
	return before + "?" + strings.Join(kept, "&")
}

// elsewhere are the hosts that take part in a sign-in and are not of the site where
// the person signs in: the one that what they do there is handed to for the tokens,
// and the one that the server named. "" for what is of that site, or of the site of
// the first.
func (at authority) elsewhere() (token, issuer string) {
	page := site(at.authorize)
	if other := site(at.token); other != page {
		token = hostOf(at.token)
	}
	if other := site(at.issuer); other != page && (token == "" || other != site(at.token)) {
		issuer = hostOf(at.issuer)
	}
	return token, issuer
}

// site is the registrable domain of an address, or its host where that has none.
func site(address string) string {
	if found := consent.Assess(address, consent.Asker{}).Site; found != "" {
		return found
	}
	if u, err := url.Parse(address); err == nil {
		return strings.ToLower(u.Hostname())
	}
	return address
}
