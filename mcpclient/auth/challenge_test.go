package auth

import (
	"reflect"
	"strings"
	"testing"
)

func TestTheBearerChallengeIsFoundAmongOthers(t *testing.T) {
	const at = "https://mcp.example/.well-known/oauth-protected-resource"
	for name, c := range map[string]struct {
		header []string
		want   challenge
	}{
		"nothing":      {nil, challenge{}},
		"another":      {[]string{`Basic realm="x", charset="UTF-8"`}, challenge{}},
		"bare":         {[]string{`Bearer`}, challenge{bearer: true}},
		"of RFC 9728":  {[]string{`Bearer resource_metadata="` + at + `"`}, challenge{bearer: true, metadata: at}},
		"in any case":  {[]string{`bEARER Resource_Metadata="` + at + `"`}, challenge{bearer: true, metadata: at}},
		"with a scope": {[]string{`Bearer error="insufficient_scope", scope="a b  a", resource_metadata="` + at + `"`}, challenge{bearer: true, metadata: at, code: "insufficient_scope", scopes: []string{"a", "b"}}},
		"over lines":   {[]string{"Bearer error=\"invalid_token\",\t error_description=\"a, \\\"quoted\\\" b=c, Bearer scope=d\""}, challenge{bearer: true, code: "invalid_token"}},
		"as a token":   {[]string{`Bearer scope=read,error=invalid_token`}, challenge{bearer: true, code: "invalid_token", scopes: []string{"read"}}},
		"with spaces":  {[]string{`Bearer scope = "read" , error = "x"`}, challenge{bearer: true, code: "x", scopes: []string{"read"}}},
		"the second of one value": {[]string{`Negotiate a87421000492aa==, Basic realm="", Bearer scope="read"`},
			challenge{bearer: true, scopes: []string{"read"}}},
		"the first of one value":   {[]string{`Bearer scope="read", Basic realm="scope"`}, challenge{bearer: true, scopes: []string{"read"}}},
		"of two values":            {[]string{`Basic realm="x"`, `Bearer scope="read"`}, challenge{bearer: true, scopes: []string{"read"}}},
		"of two that tell":         {[]string{`Bearer realm="x"`, `Bearer scope="read"`, `Bearer scope="write"`}, challenge{bearer: true, scopes: []string{"read"}}},
		"twice the same parameter": {[]string{`Bearer scope="read", scope="admin"`}, challenge{bearer: true, scopes: []string{"read"}}},
		"without commas":           {[]string{`Bearer error="x" scope="read"`}, challenge{bearer: true, code: "x", scopes: []string{"read"}}},
		"an empty scope":           {[]string{`Bearer scope=""`}, challenge{bearer: true, scopes: []string{}}},
		"a quote without end":      {[]string{`Bearer scope="read write`}, challenge{bearer: true, scopes: []string{"read", "write"}}},
		"garbage":                  {[]string{"=,=\"\\", "\x00\xff", `,,,;;`, `Bearer , ; scope="read"`}, challenge{bearer: true, scopes: []string{"read"}}},
		"too long":                 {[]string{"Bearer scope=" + strings.Repeat("x", maxChallenge)}, challenge{}},
		"what is no scope":         {[]string{"Bearer scope=\"a \x01 b\x7f ok " + strings.Repeat("y", maxScope+1) + `"`}, challenge{bearer: true, scopes: []string{"a", "ok"}}},
	} {
		if got := readChallenge(c.header); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func FuzzTheChallengeOfAServerIsReadToItsEnd(f *testing.F) {
	f.Add(`Bearer error="insufficient_scope", scope="a b", resource_metadata="https://x/"`)
	f.Add(`Negotiate a==, Basic realm="`)
	f.Fuzz(func(t *testing.T, header string) {
		c := readChallenge([]string{header})
		if !c.bearer && (c.metadata != "" || c.code != "" || c.scopes != nil) {
			t.Errorf("%q: %+v of no challenge", header, c)
		}
		if len(c.scopes) > maxScopes {
			t.Errorf("%d scopes", len(c.scopes))
		}
	})
}

func TestScopesAreUnitedAndNamedWhateverTheirOrder(t *testing.T) {
	old := []string{"read", "write"}
	if got := unite(old, []string{"write", "admin"}); strings.Join(got, " ") != "read write admin" || len(old) != 2 {
		t.Errorf("the union: %v", got)
	}
	if scopeKey([]string{"b", "a"}) != scopeKey([]string{"a", "b"}) || scopeKey(nil) != "" {
		t.Error("a set of scopes has two names")
	}
}
