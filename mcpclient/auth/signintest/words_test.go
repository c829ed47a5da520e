package signintest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"parley/mcpclient/auth/authtest"
)

// TestAChallengeIsUnderstoodHoweverItIsWritten (RFC 9110 section 11.6.1): in any
// case, beside others, in one line or more, or not at all.
func TestAChallengeIsUnderstoodHoweverItIsWritten(t *testing.T) {
	for name, lines := range map[string][]string{
		"none":                    nil,
		"without parameters":      {"Bearer"},
		"in small letters":        {`bearer scope="read"`},
		"beside another":          {`Basic realm="a, b", Bearer scope="read"`},
		"before another":          {`Bearer scope="read", Basic realm="Bearer scope=\"x\""`},
		"in a line of its own":    {`Negotiate`, `Bearer scope="read"`},
		"with odd spaces":         {`Bearer   scope = "read" ,  error="invalid_token"`},
		"as a token":              {`Bearer scope=read`},
		"with escapes":            {`Bearer realm="a \"quoted\" one", scope="re\ad"`},
		"with parameters unknown": {`Bearer x-1="a", scope="read", dpop_algs="ES256"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
			w.mcp.Set(func(o *authtest.ResourceOptions) {
				o.Intercept = func(rw http.ResponseWriter, r *http.Request) bool {
					if r.URL.Path != "/mcp" || r.Header.Get("Authorization") != "" {
						return false
					}
					rw.Header()["Www-Authenticate"] = lines
					rw.WriteHeader(http.StatusUnauthorized)
					return true
				}
			})
			attempt := w.run(driven).connect()
			if attempt.wait(); attempt.err != nil {
				t.Fatal(attempt.err)
			}
			want := ""
			if strings.Contains(strings.Join(lines, ""), "scope") {
				want = "read"
			}
			asksFor(want)(t, w)
		})
	}
}

// TestARefusalThatNamesNoScopeIsSaid and begins no sign-in.
func TestARefusalThatNamesNoScopeIsSaid(t *testing.T) {
	for _, challenge := range []string{"", "Bearer", `Bearer error="invalid_token"`, `Basic realm="x"`} {
		w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
		w.mcp.Set(func(o *authtest.ResourceOptions) {
			o.Intercept = func(rw http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != "/mcp" || r.Header.Get("Authorization") == "" {
					return false
				}
				if challenge != "" {
					rw.Header().Set("WWW-Authenticate", challenge)
				}
				rw.WriteHeader(http.StatusForbidden)
				return true
			}
		})
		attempt := w.run(driven).connect()
		attempt.fails()
		if got := reason(attempt.err); got != "auth.signin.forbidden" || w.asked("/authorize") != 1 {
			t.Errorf("%q: it says %q (%v) after %d sign-ins", challenge, got, attempt.err, w.asked("/authorize"))
		}
	}
}

// TestAddressesInMetadataAreStrangersWords: what cannot be an address of an
// authorization server, or leads where only this computer reaches, is refused
// before anything is sent there or opened.
func TestAddressesInMetadataAreStrangersWords(t *testing.T) {
	bad := map[string]string{
		"no address":         "authorize",
		"another scheme":     "javascript:alert(1)",
		"a file":             "file:///etc/passwd",
		"not encrypted":      "http://login.example/x",
		"a private network":  "https://192.168.1.1/x",
		"a cloud's metadata": "http://169.254.169.254/latest/meta-data",
		"with a password":    "https://user:pass@login.example/x",
		"with a fragment":    "https://login.example/x#y",
	}
	for _, member := range []string{"authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"} {
		for name, address := range bad {
			t.Run(member+"/"+name, func(t *testing.T) {
				w := newWorld(t, authtest.Options{Login: authtest.Grant, Metadata: map[string]any{member: address}}, authtest.ResourceOptions{})
				attempt := w.run(driven).connect()
				attempt.fails()
				if got := reason(attempt.err); !strings.HasPrefix(got, "auth.signin.") {
					t.Errorf("it says %q (%v)", got, attempt.err)
				}
				if w.asked("/authorize")+w.asked("/token")+w.asked("/register") != 0 {
					t.Error("it goes on all the same")
				}
			})
		}
	}
	for name, address := range bad {
		t.Run("authorization_servers/"+name, func(t *testing.T) {
			w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{Servers: []string{address}})
			attempt := w.run(driven).connect()
			attempt.fails()
			if got := reason(attempt.err); !strings.HasPrefix(got, "auth.signin.") {
				t.Errorf("it says %q (%v)", got, attempt.err)
			}
		})
	}
}

// TestTheFirstAuthorizationServerThatCanBeUsedIs, of those a server names.
func TestTheFirstAuthorizationServerThatCanBeUsedIs(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	gone := start(t, func(string) http.Handler { return http.NotFoundHandler() })
	w.mcp.Set(func(o *authtest.ResourceOptions) { o.Servers = []string{gone, "https://10.0.0.1/", w.as.Issuer()} })
	w.run(driven).connected()
}

// TestTheAddressToOpenKeepsWhatItHad: a query of the endpoint stays (RFC 6749
// section 3.1), and all that is added is escaped.
func TestTheAddressToOpenKeepsWhatItHad(t *testing.T) {
	w := newWorld(t, authtest.Options{}, authtest.ResourceOptions{Challenge: "a:b c+d"})
	endpoint := w.as.Issuer() + "/authorize?tenant=a%26b&x"
	w.as.Set(func(o *authtest.Options) { o.Metadata = map[string]any{"authorization_endpoint": endpoint} })
	a := w.run()
	attempt := a.connect()
	s := a.agrees()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Get("tenant") != "a&b" || !q.Has("x") || q.Get("scope") != "a:b c+d" || q.Get("resource") != w.mcp.URL() || q.Get("redirect_uri") != s.Redirect {
		t.Errorf("opened is %v", q)
	}
	if q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 || len(q.Get("state")) < 22 {
		t.Errorf("opened is %v", q)
	}
	if err := a.accounts.Cancel(s.ID); err != nil {
		t.Fatal(err)
	}
	attempt.fails()
}

// TestTheMetadataThatAChallengeNamesAreAboutTheServer, wherever they lie: those
// of a stranger sign nobody in.
func TestTheMetadataThatAChallengeNamesAreAboutTheServer(t *testing.T) {
	other := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	for _, address := range []string{
		strings.TrimSuffix(other.mcp.URL(), "/mcp") + "/.well-known/oauth-protected-resource/mcp",
		"https://192.168.1.1/.well-known/oauth-protected-resource",
		"file:///etc/hosts",
	} {
		w.mcp.Set(func(o *authtest.ResourceOptions) {
			o.Intercept = func(rw http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != "/mcp" {
					return false
				}
				rw.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+address+`"`)
				rw.WriteHeader(http.StatusUnauthorized)
				return true
			}
		})
		a := w.run(driven)
		attempt := a.connect()
		attempt.fails()
		if got := reason(attempt.err); !strings.HasPrefix(got, "auth.signin.") || w.asked("/authorize")+other.asked("/authorize") != 0 {
			t.Errorf("%s: it says %q (%v)", address, got, attempt.err)
		}
		a.end()
	}
}

// TestTheResourceIsNamedAsItsMetadataNameIt, if that is the server or stands
// above it on the same origin, as servers in the field have it; what lies beside
// or below it is another one.
func TestTheResourceIsNamedAsItsMetadataNameIt(t *testing.T) {
	for path, fits := range map[string]bool{
		"": true, "/": true, "/a": true, "/a/": true, "/a/mcp": true, "/a/mcp/": true,
		"/b": false, "/a/mcp/deeper": false, "/a/mc": false, "/a/mcp?x=1": false,
	} {
		t.Run(path, func(t *testing.T) {
			w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{Path: "/a/mcp", AnyAudience: true})
			named := strings.TrimSuffix(w.mcp.URL(), "/a/mcp") + path
			w.mcp.Set(func(o *authtest.ResourceOptions) { o.Metadata = map[string]any{"resource": named} })
			attempt := w.run(driven).connect()
			attempt.wait()
			switch {
			case !fits && reason(attempt.err) != "auth.signin.resource":
				t.Errorf("it says %q (%v)", reason(attempt.err), attempt.err)
			case fits && attempt.err != nil:
				t.Errorf("not connected: %v", attempt.err)
			}
			for _, r := range w.as.Log().Requests("/authorize") {
				if got := r.Query.Get("resource"); got != named {
					t.Errorf("it names %q, want %q", got, named)
				}
			}
			for _, r := range w.as.Log().Requests("/token") {
				if got := r.Form.Get("resource"); got != named {
					t.Errorf("it names %q, want %q", got, named)
				}
			}
		})
	}
}

// TestATokenIsForTheServerAndNotForItsNeighbours: what metadata say above the
// server does not widen where the token is sent.
func TestATokenIsForTheServerAndNotForItsNeighbours(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{AnyAudience: true, RootMetadata: true})
	origin := strings.TrimSuffix(w.mcp.URL(), "/mcp")
	w.mcp.Set(func(o *authtest.ResourceOptions) { o.Metadata = map[string]any{"resource": origin} })
	a := w.run(driven)
	a.connected()
	neighbour := w.server
	neighbour.ID, neighbour.URL = "other", origin+"/neighbour"
	if _, err := a.client.Connect(t.Context(), neighbour); err == nil {
		t.Error("a neighbour was connected to")
	}
	for _, r := range w.as.Log().Requests("/neighbour") {
		if r.Header.Get("Authorization") != "" {
			t.Error("a neighbour got the token")
		}
	}
}
