package auth

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
)

// documents is a network of documents by address, which writes down what is asked. A
// text of three digits is the status of an answer without one.
type documents struct {
	mu    sync.Mutex
	at    map[string]string
	asked []string
}

func (d *documents) serve(w http.ResponseWriter, r *http.Request) {
	address := r.URL.String()
	if r.Method != http.MethodGet {
		address = r.Method + " " + address
	}
	d.mu.Lock()
	d.asked = append(d.asked, address)
	text, found := d.at[address]
	d.mu.Unlock()
	if !found {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if status, err := strconv.Atoi(text); err == nil {
		w.WriteHeader(status)
		return
	}
	fmt.Fprint(w, text)
}

func metadataOf(issuer string, change ...func(map[string]any)) string {
	m := map[string]any{
		"issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
		"code_challenge_methods_supported": []string{"plain", "S256"},
	}
	for _, c := range change {
		c(m)
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(text)
}

const mcpURL = "https://mcp.example/a/mcp"

func aim(t *testing.T, address string) target {
	t.Helper()
	at, err := targetOf(mcpclient.Server{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func resource(resource string, servers ...string) string {
	text, err := json.Marshal(map[string]any{"resource": resource, "authorization_servers": servers})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// MCP authorization, "Protected Resource Metadata Discovery Requirements" and
// "Authorization Server Metadata Discovery".
func TestMetadataAreLookedForInTheOrderOfTheSpecification(t *testing.T) {
	const (
		named    = "https://other.example/prm"
		inserted = "https://mcp.example/.well-known/oauth-protected-resource/a/mcp"
		root     = "https://mcp.example/.well-known/oauth-protected-resource"
		as       = "https://as.example/tenant"
	)
	all := []string{
		"https://as.example/.well-known/oauth-authorization-server/tenant",
		"https://as.example/.well-known/openid-configuration/tenant",
		"https://as.example/tenant/.well-known/openid-configuration",
	}
	for name, c := range map[string]struct {
		named string
		at    map[string]string
		want  []string
	}{
		"where the challenge says":     {named, map[string]string{named: resource(mcpURL, as), all[0]: metadataOf(as)}, []string{named, all[0]}},
		"with the path":                {"", map[string]string{inserted: resource(mcpURL, as), all[1]: metadataOf(as)}, []string{inserted, all[0], all[1]}},
		"at the root":                  {"", map[string]string{root: resource("https://mcp.example", as), all[2]: metadataOf(as)}, []string{inserted, root, all[0], all[1], all[2]}},
		"the challenge is wrong":       {named, map[string]string{inserted: resource(mcpURL, as), all[0]: metadataOf(as)}, []string{named, inserted, all[0]}},
		"something else instead of it": {"", map[string]string{inserted: `{"error":"not found"}`, root: resource(mcpURL, as), all[0]: `{"error":"not found"}`, all[1]: `{}`, all[2]: metadataOf(as)}, []string{inserted, root, all[0], all[1], all[2]}},
		"faults at the first places":   {named, map[string]string{named: "500", inserted: "503", root: resource(mcpURL, as), all[0]: "502", all[1]: "429", all[2]: metadataOf(as)}, []string{named, inserted, root, all[0], all[1], all[2]}},
		"no access to the others":      {named, map[string]string{named: "401", inserted: "403", root: resource(mcpURL, as), all[0]: "400", all[1]: "405", all[2]: metadataOf(as)}, []string{named, inserted, root, all[0], all[1], all[2]}},
		"a page instead of it":         {"", map[string]string{inserted: "<!DOCTYPE html>", root: resource(mcpURL, as), all[0]: "[]", all[1]: metadataOf(as)}, []string{inserted, root, all[0], all[1]}},
		"the server itself, as in 2025-03-26": {"", map[string]string{"https://mcp.example/.well-known/oauth-authorization-server": metadataOf("https://mcp.example")},
			[]string{inserted, root, "https://mcp.example/.well-known/oauth-authorization-server"}},
		"at fixed places, as in 2025-03-26": {"", map[string]string{"OPTIONS https://mcp.example/register": ""},
			[]string{inserted, root, "https://mcp.example/.well-known/oauth-authorization-server", "https://mcp.example/.well-known/openid-configuration", "OPTIONS https://mcp.example/register"}},
	} {
		d := &documents{at: c.at}
		at, err := newGuard(remote, false, handled(d.serve)).discover(t.Context(), aim(t, mcpURL), challenge{metadata: c.named}, "")
		if err != nil || at.authorize == "" || at.token == "" {
			t.Errorf("%s: %+v, %v", name, at, err)
		}
		if got := strings.Join(d.asked, "\n"); got != strings.Join(c.want, "\n") {
			t.Errorf("%s: asked\n%s\nwant\n%s", name, got, strings.Join(c.want, "\n"))
		}
	}
}

func TestWhyThereIsNoAuthority(t *testing.T) {
	const (
		prm = "https://mcp.example/.well-known/oauth-protected-resource/a/mcp"
		as  = "https://as.example"
		doc = as + "/.well-known/oauth-authorization-server"
	)
	set := func(name string, value any) func(map[string]any) {
		return func(m map[string]any) { m[name] = value }
	}
	for name, c := range map[string]struct {
		at   map[string]string
		want string
	}{
		"nothing there":              {map[string]string{}, "auth.token.needed"},
		"about another server":       {map[string]string{prm: resource("https://evil.example/a/mcp", as), doc: metadataOf(as)}, "auth.signin.resource"},
		"about another path":         {map[string]string{prm: resource("https://mcp.example/b", as), doc: metadataOf(as)}, "auth.signin.resource"},
		"about nothing":              {map[string]string{prm: `{"authorization_servers":["` + as + `"]}`, doc: metadataOf(as)}, "auth.signin.resource.none"},
		"of nobody":                  {map[string]string{prm: resource(mcpURL, as), doc: metadataOf("")}, "auth.signin.issuer.none"},
		"of another issuer":          {map[string]string{prm: resource(mcpURL, as), doc: metadataOf("https://honest.example")}, "auth.signin.issuer"},
		"an authority without any":   {map[string]string{prm: resource(mcpURL, as)}, "auth.signin.nometadata"},
		"the server itself without":  {map[string]string{prm: resource(mcpURL, "https://mcp.example"), "OPTIONS https://mcp.example/register": ""}, "auth.signin.nometadata"},
		"no authority named":         {map[string]string{prm: resource(mcpURL), "OPTIONS https://mcp.example/register": ""}, "auth.signin.nometadata"},
		"a fault for a moment":       {map[string]string{prm: "503", "https://mcp.example/.well-known/oauth-authorization-server": metadataOf("https://mcp.example")}, "auth.signin.unreachable"},
		"too many for a moment":      {map[string]string{prm: "429", "OPTIONS https://mcp.example/register": ""}, "auth.signin.unreachable"},
		"an authority with a fault":  {map[string]string{prm: resource(mcpURL, as), doc: "500"}, "auth.signin.unreachable"},
		"an old server with a fault": {map[string]string{"https://mcp.example/.well-known/oauth-authorization-server": "503", "OPTIONS https://mcp.example/register": ""}, "auth.signin.unreachable"},
		"an authority without PKCE":  {map[string]string{prm: resource(mcpURL, as), doc: metadataOf(as, set("code_challenge_methods_supported", nil))}, "auth.signin.pkce"},
		"PKCE in plain":              {map[string]string{prm: resource(mcpURL, as), doc: metadataOf(as, set("code_challenge_methods_supported", []string{"plain"}))}, "auth.signin.pkce"},
		"no token endpoint":          {map[string]string{prm: resource(mcpURL, as), doc: metadataOf(as, set("token_endpoint", ""))}, "auth.signin.endpoints"},
		"an authority here":          {map[string]string{prm: resource(mcpURL, "https://127.0.0.1:9")}, "auth.signin.address.private"},
		"an authority in the cloud":  {map[string]string{prm: resource(mcpURL, "https://169.254.169.254")}, "auth.signin.address.reserved"},
		"an authority off TLS":       {map[string]string{prm: resource(mcpURL, "http://as.example")}, "auth.signin.address.plain"},
		"a script for an authority":  {map[string]string{prm: resource(mcpURL, "javascript:alert(1)")}, "auth.signin.address.malformed"},
		"an authority with a query":  {map[string]string{prm: resource(mcpURL, as+"?x")}, "auth.signin.address.malformed"},
		"an endpoint in the cloud":   {map[string]string{prm: resource(mcpURL, as), doc: metadataOf(as, set("token_endpoint", "https://169.254.169.254/"))}, "auth.signin.address.reserved"},
		"a script to sign in with":   {map[string]string{prm: resource(mcpURL, as), doc: metadataOf(as, set("authorization_endpoint", "javascript:alert(1)"))}, "auth.signin.address.malformed"},
		"a sign-in page off TLS":     {map[string]string{prm: resource(mcpURL, as), doc: metadataOf(as, set("authorization_endpoint", "http://as.example/"))}, "auth.signin.address.plain"},
		"revocation on the router":   {map[string]string{prm: resource(mcpURL, as), doc: metadataOf(as, set("revocation_endpoint", "https://192.168.1.1/"))}, "auth.signin.address.private"},
		"registration with somebody": {map[string]string{prm: resource(mcpURL, as), doc: metadataOf(as, set("registration_endpoint", "https://u:p@as.example/"))}, "auth.signin.address.malformed"},
	} {
		d := &documents{at: c.at}
		_, err := newGuard(remote, false, handled(d.serve)).discover(t.Context(), aim(t, mcpURL), challenge{}, "")
		if err == nil {
			t.Errorf("%s: an authority was found", name)
		} else if got := sentenceOf(t, err); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestOfSeveralAuthoritiesTheKnownOneIsTakenElseTheFirstThatWorks(t *testing.T) {
	const first, second, third = "https://one.example", "https://two.example", "https://three.example"
	d := &documents{at: map[string]string{
		"https://mcp.example/.well-known/oauth-protected-resource/a/mcp": resource(mcpURL, first, second, third),
		second + "/.well-known/oauth-authorization-server":               metadataOf(second),
		third + "/.well-known/oauth-authorization-server":                metadataOf(third),
	}}
	for prefer, want := range map[string]string{"": second, third: third, "https://elsewhere.example": second, first: second} {
		at, err := newGuard(remote, false, handled(d.serve)).discover(t.Context(), aim(t, mcpURL), challenge{}, prefer)
		if err != nil || at.issuer != want {
			t.Errorf("with %q before: %q, %v; want %q", prefer, at.issuer, err, want)
		}
	}
}

// RFC 9728 section 3.3, as far as it keeps a token from going elsewhere.
func TestWhatMetadataMayBeAbout(t *testing.T) {
	for _, c := range []struct {
		server, resource string
		covers           bool
	}{
		{mcpURL, mcpURL, true}, {mcpURL, "https://MCP.example:443/a/mcp", true}, {mcpURL, "https://mcp.example", true},
		{mcpURL, "https://mcp.example/", true}, {mcpURL, "https://mcp.example/a", true}, {mcpURL, mcpURL + "/", true},
		{mcpURL, "https://mcp.example/a/mc", false}, {mcpURL, mcpURL + "/b", false}, {mcpURL, "https://mcp.example/a/../b", false},
		{mcpURL, "http://mcp.example/a/mcp", false}, {mcpURL, "https://mcp.example:444/a/mcp", false},
		{mcpURL, "https://mcp.example.evil.example/a/mcp", false}, {mcpURL, "https://evil.example/a/mcp", false},
		{mcpURL, "https://mcp.example@evil.example/a/mcp", false}, {mcpURL, "", false}, {mcpURL, "urn:x", false},
		{mcpURL, mcpURL + "?x=1", false}, {mcpURL + "?x=1", mcpURL + "?x=1", true}, {mcpURL + "?x=1", mcpURL, true},
		{"https://mcp.example", "https://mcp.example/", true},
	} {
		if got := aim(t, c.server).covers(c.resource); got != c.covers {
			t.Errorf("%s covers %s: %v", c.server, c.resource, got)
		}
	}
}

func TestAHostIsShownAsItIsReached(t *testing.T) {
	for address, want := range map[string]string{
		"https://As.Example:443/x": "as.example", "http://127.0.0.1:8080/x": "127.0.0.1:8080", "https://[::1]:8443": "[::1]:8443",
		"https://раураl.example/": "xn--l-7sba6dbr.example", "javascript:alert(1)": "", "https://a%zz/": "",
	} {
		if got := hostOf(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

func TestTheCanonicalURIOfAServer(t *testing.T) {
	for address, want := range map[string]string{
		"HTTPS://MCP.Example:443/Mcp?x=1": "https://mcp.example/Mcp",
		"https://mcp.example/":            "https://mcp.example",
		"https://mcp.example:8443":        "https://mcp.example:8443",
		"https://mcp.example/a%2Fb/":      "https://mcp.example/a%2Fb/",
	} {
		if got := aim(t, address).resource; got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// RFC 9207 section 3 has a boolean. What is no plain no does not let an answer
// through that says nothing of its issuer.
func TestWhetherAnAuthorityNamesItselfInItsAnswers(t *testing.T) {
	const as = "https://as.example"
	for value, names := range map[string]bool{
		`true`: true, `"true"`: true, `"TRUE"`: true, `1`: true, `"yes"`: true, `[true]`: true,
		`false`: false, `"false"`: false, `null`: false, `0`: false, `""`: false,
	} {
		d := &documents{at: map[string]string{
			"https://mcp.example/.well-known/oauth-protected-resource/a/mcp": resource(mcpURL, as),
			as + "/.well-known/oauth-authorization-server": metadataOf(as, func(m map[string]any) {
				m["authorization_response_iss_parameter_supported"] = json.RawMessage(value)
			}),
		}}
		at, err := newGuard(remote, false, handled(d.serve)).discover(t.Context(), aim(t, mcpURL), challenge{}, "")
		if err != nil || at.names != names {
			t.Errorf("%s: %v, %v", value, at.names, err)
		}
	}
}

// 2025-03-26, "Server Metadata Discovery": MCP-Protocol-Version goes along.
func TestHowTheAppIntroducesItselfWhereItAsks(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	metadata := 0
	for _, q := range r.as.Log().Requests() {
		if strings.HasPrefix(q.Path, "/.well-known/") {
			metadata++
			if got := q.Header.Get("MCP-Protocol-Version"); got != mcpclient.Revisions()[0] {
				t.Errorf("%s: revision %q", q.Path, got)
			}
		} else if q.Path != r.as.Endpoint("register") && q.Path != r.as.Endpoint("token") {
			continue
		}
		if got := q.Header.Get("User-Agent"); got != "Parley" {
			t.Errorf("%s: as %q", q.Path, got)
		}
	}
	if metadata == 0 {
		t.Error("no metadata were asked for: this test shows nothing")
	}
}
