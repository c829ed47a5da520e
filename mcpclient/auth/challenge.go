package auth

import (
	"slices"
	"strings"
)

// challenge is what a server says of the bearer tokens it wants (RFC 6750
// section 3, RFC 9728 section 5.1). All of it is untrusted.
type challenge struct {
	bearer   bool   // the server named the scheme at all
	metadata string // resource_metadata
	scopes   []string
	code     string // error
}

// bounds of what is read of a server's words.
const (
	maxChallenge = 16 << 10
	maxScopes    = 100
	maxScope     = 256
)

// readChallenge finds the bearer challenge in the values of WWW-Authenticate.
// There may be several challenges of several schemes, in one value or more (RFC
// 9110 section 11.6.1); what cannot be read of one does not spoil the others.
// Of two bearer challenges the first that says something of itself counts.
func readChallenge(header []string) challenge {
	var found challenge
	for _, value := range header {
		if len(value) > maxChallenge {
			continue
		}
		for _, c := range parseChallenges(value) {
			if !strings.EqualFold(c.scheme, "Bearer") || found.bearer && len(c.params) == 0 {
				continue
			}
			if found.bearer && (found.metadata != "" || found.code != "" || found.scopes != nil) {
				continue
			}
			found = challenge{bearer: true, metadata: c.params["resource_metadata"], code: c.params["error"]}
			if text, ok := c.params["scope"]; ok {
				found.scopes = splitScopes(text)
			}
		}
	}
	return found
}

// parsed is one challenge of any scheme.
type parsed struct {
	scheme string
	params map[string]string // names in lower case; of two of one name the first
}

// parseChallenges reads a value of WWW-Authenticate: challenges separated by
// commas, each a scheme with parameters separated by commas. Missing commas do
// no harm, and credentials in the form of a token68 come out as a parameter or
// a scheme that nobody asks for.
func parseChallenges(s string) []parsed {
	var out []parsed
	for {
		s = strings.TrimLeft(s, ", \t")
		if s == "" {
			return out
		}
		word := token(s)
		if word == "" { // nothing that may begin here
			s = s[1:]
			continue
		}
		s = s[len(word):]
		// A parameter has "=" behind its name, spaces aside; a scheme has not.
		value, isParam := strings.CutPrefix(strings.TrimLeft(s, " \t"), "=")
		if !isParam || len(out) == 0 {
			out = append(out, parsed{scheme: word, params: map[string]string{}})
			continue
		}
		value, s = paramValue(strings.TrimLeft(value, " \t"))
		name := strings.ToLower(word)
		if params := out[len(out)-1].params; !has(params, name) {
			params[name] = value
		}
	}
}

func has(m map[string]string, name string) bool {
	_, ok := m[name]
	return ok
}

// token is the token that s begins with (RFC 9110 section 5.6.2).
func token(s string) string {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return s[:i]
		}
	}
	return s
}

// paramValue reads a token or a quoted string, and returns what is behind it.
func paramValue(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		if end := strings.IndexAny(s, ", \t"); end >= 0 {
			return s[:end], s[end:]
		}
		return s, ""
	}
	var text strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return text.String(), s[i+1:]
		case '\\':
			if i++; i < len(s) {
				text.WriteByte(s[i])
			}
		default:
			text.WriteByte(s[i])
		}
	}
	return text.String(), "" // the quote never ends
}

// splitScopes reads a space-separated list of scopes (RFC 6749 section 3.3).
// What cannot be a scope, and what is beyond the bounds, is left out.
func splitScopes(s string) []string { return cleanScopes(strings.Fields(s)) }

// cleanScopes keeps what can be a scope, each once.
func cleanScopes(in []string) []string {
	out := []string{}
	for _, scope := range in {
		valid := scope != "" && len(scope) <= maxScope && !strings.ContainsFunc(scope, func(r rune) bool {
			return r <= ' ' || r > '~' || r == '"' || r == '\\'
		})
		if valid && !slices.Contains(out, scope) && len(out) < maxScopes {
			out = append(out, scope)
		}
	}
	return out
}

// unite is the union of two sets of scopes, in order.
func unite(a, b []string) []string {
	out := slices.Clone(a)
	for _, scope := range b {
		if !slices.Contains(out, scope) {
			out = append(out, scope)
		}
	}
	return out
}

// scopeKey names a set of scopes whatever their order.
func scopeKey(scopes []string) string {
	return strings.Join(slices.Sorted(slices.Values(scopes)), " ")
}
