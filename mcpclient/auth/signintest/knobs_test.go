package signintest

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// driven lets a run of the app sign in without a person: the browser goes to the
// address and follows redirects to their end.
func driven(o *auth.Options) {
	o.Drive = func(ctx context.Context, s auth.SignIn) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
		if err != nil {
			return err
		}
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Do(r)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if address, _, _ := strings.Cut(resp.Request.URL.String(), "?"); address != s.Redirect {
			return errors.New("the browser does not come back")
		}
		return nil
	}
}

// reason is the key of the sentence why a connection was not made.
func reason(err error) string {
	if f, ok := errors.AsType[*mcpclient.Failure](err); ok {
		return f.Text.ID
	}
	return ""
}

// namesTheResource wants each request of an authorization server that is about
// tokens to name the resource they are for (RFC 8707 section 2; MCP
// authorization, "Resource Parameter Implementation").
func namesTheResource(t *testing.T, w *world) {
	t.Helper()
	for _, r := range w.as.Log().Requests(w.as.Endpoint("authorize"), w.as.Endpoint("token")) {
		given := r.Query
		if r.Method == http.MethodPost {
			given = r.Form
		}
		if !slices.Equal(given["resource"], []string{w.mcp.URL()}) {
			t.Errorf("%s names the resource %q, want %q", r.Path, given["resource"], w.mcp.URL())
		}
	}
}

// proof is how the token endpoint was told who the client is.
func proof(r authtest.Request) string {
	_, _, basic := r.BasicAuth()
	switch {
	case basic && !r.Form.Has("client_secret"):
		return authtest.Basic
	case r.Form.Has("client_secret"):
		return authtest.Post
	}
	return authtest.None
}

// intercepting answers one path with a status and a body of a kind.
func intercepting(path string, status int, kind, body string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != path {
			return false
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body)) // a client that has left does not read it
		return true
	}
}

// TestEveryKindOfServerIsSignedInTo has the ways in which authorization servers
// and MCP servers may differ.
func TestEveryKindOfServerIsSignedInTo(t *testing.T) {
	type O = authtest.Options
	type R = authtest.ResourceOptions
	for _, c := range []struct {
		name  string
		o     authtest.Options
		ro    authtest.ResourceOptions
		check func(t *testing.T, w *world)
	}{
		{name: "all by the book"},
		{name: "an issuer with a path", o: O{Path: "/tenant/a"}},
		{name: "an issuer with a path, OpenID metadata before it", o: O{Path: "/tenant", Places: []authtest.Place{authtest.OpenID}}},
		{name: "an issuer with a path, OpenID metadata after it", o: O{Path: "/tenant", Places: []authtest.Place{authtest.OpenIDAfter}}},
		{name: "OpenID metadata alone", o: O{Places: []authtest.Place{authtest.OpenID}}},
		{name: "a web page where the first metadata could be", o: O{
			Places:    []authtest.Place{authtest.OpenID},
			Intercept: intercepting("/.well-known/oauth-authorization-server", http.StatusOK, "text/html", "<!doctype html>"),
		}},
		{name: "a challenge that does not say where the metadata are", ro: R{HideMetadata: true}},
		{name: "metadata of the resource at the root, and no word of them", ro: R{HideMetadata: true, RootMetadata: true}},
		{name: "a server at the root of its origin", ro: R{Path: "/", RootMetadata: true}},
		{name: "a path with a slash at its end", ro: R{Path: "/mcp/"}},
		{name: "no word of iss, and none sent", o: O{HideIss: true, Iss: authtest.Missing}},
		{name: "no word of iss, and the right one sent", o: O{HideIss: true}},
		{name: "the issuer with a slash at its end in the metadata", o: O{Issuer: authtest.Normalised, Iss: authtest.Normalised}},
		{name: "members of metadata that are not what they should be", o: O{Metadata: map[string]any{
			"scopes_supported": "read", "grant_types_supported": 7, "service_documentation": []int{1}, "client_id_metadata_document_supported": "no",
			"token_endpoint_auth_methods_supported": "none", "revocation_endpoint": nil, "jwks_uri": map[string]any{},
		}}, ro: R{Metadata: map[string]any{"scopes_supported": "read", "bearer_methods_supported": 7, "resource_name": []int{}}}},
		{name: "an answer whose members are not what they should be", o: O{
			Answer: map[string]any{"scope": []string{"read"}, "id_token": 7, "expires_in": []int{}, "refresh_token": map[string]any{}},
		}},
		{name: "a registration whose members are not what they should be", o: O{Methods: []string{authtest.Post}, Registration: map[string]any{
			"client_secret_expires_at": "never", "client_id_issued_at": "now", "redirect_uris": "x", "token_endpoint_auth_method": nil,
		}}},
		{name: "registration for native applications only", o: O{Native: true}, check: func(t *testing.T, w *world) {
			if body := string(w.as.Log().Requests("/register")[0].Body); !strings.Contains(body, `"application_type":"native"`) {
				t.Errorf("it registers as %s", body)
			}
		}},
		{name: "clients with a secret in the header", o: O{Methods: []string{authtest.Basic}}, check: proves(authtest.Basic)},
		{name: "clients with a secret in the form", o: O{Methods: []string{authtest.Post}}, check: proves(authtest.Post)},
		{name: "clients without a secret", o: O{Methods: []string{authtest.None}}, check: proves(authtest.None)},
		{name: "clients of any kind: no secret is asked for", check: proves(authtest.None)},
		{name: "no time of expiry", o: O{Answer: map[string]any{"expires_in": nil}}},
		{name: "no scopes in the answer", o: O{Answer: map[string]any{"scope": nil}}},
		{name: "no refresh token", o: O{NoRefresh: true}},
		{name: "no word of the resource needed", o: O{AnyResource: true}},
		{name: "no revocation", o: O{NoRevoke: true}},
		{name: "five redirects before the one to the app", o: O{Hops: 5}},
		{name: "the scopes of the challenge come first", o: O{Scopes: []string{"read", "write"}},
			ro: R{Challenge: "read", Scopes: []string{"read", "write"}}, check: asksFor("read")},
		{name: "the scopes of the resource come second", o: O{Scopes: []string{"read", "write"}},
			ro: R{Scopes: []string{"write", "read"}}, check: asksFor("write read")},
		{name: "without either the server decides", o: O{Scopes: []string{"read", "write"}}, check: asksFor("")},
		{name: "offline_access where there is such a scope", o: O{Scopes: []string{"read", "offline_access"}, OnlyOffline: true},
			ro: R{Challenge: "read"}, check: asksFor("read offline_access")},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Login = authtest.Grant
			w := newWorld(t, c.o, c.ro)
			a := w.run(driven)
			attempt := a.connect()
			attempt.wait()
			if attempt.err != nil {
				t.Fatalf("not connected: %v (%s)", attempt.err, reason(attempt.err))
			}
			namesTheResource(t, w)
			if n := w.asked(w.as.Endpoint("authorize")); n != 1 {
				t.Errorf("the browser was sent to sign in %d times", n)
			}
			if c.check != nil {
				c.check(t, w)
			}
		})
	}
}

// proves wants the token endpoint to be told in one way who the client is.
func proves(method string) func(*testing.T, *world) {
	return func(t *testing.T, w *world) {
		for _, r := range w.as.Log().Requests("/token") {
			if got := proof(r); got != method {
				t.Errorf("the client says who it is by %s, want %s", got, method)
			}
		}
	}
}

// asksFor wants scopes to be asked for.
func asksFor(scopes string) func(*testing.T, *world) {
	return func(t *testing.T, w *world) {
		for _, r := range w.as.Log().Requests("/authorize") {
			if got := r.Query.Get("scope"); got != scopes {
				t.Errorf("it asks for the scopes %q, want %q", got, scopes)
			}
		}
	}
}

// TestWhatIsWrongIsRefusedInWords has the ways in which servers are wrong, or
// somebody else than they say. No code or token goes anywhere then.
func TestWhatIsWrongIsRefusedInWords(t *testing.T) {
	type O = authtest.Options
	type R = authtest.ResourceOptions
	for _, c := range []struct {
		name string
		o    authtest.Options
		ro   authtest.ResourceOptions
		want string // the key of the sentence
		far  bool   // it is found out only after the token endpoint was asked
	}{
		{name: "metadata of another issuer", o: O{Issuer: authtest.Wrong}, want: "auth.signin.issuer"},
		{name: "metadata of no issuer", o: O{Issuer: authtest.Missing}, want: "auth.signin.issuer.none"},
		{name: "metadata of another resource", ro: R{Resource: authtest.Wrong}, want: "auth.signin.resource"},
		{name: "metadata of no resource", ro: R{Resource: authtest.Missing}, want: "auth.signin.resource.none"},
		{name: "no metadata of the authorization server", o: O{Places: []authtest.Place{}}, want: "auth.signin.nometadata"},
		{name: "no PKCE", o: O{HidePKCE: true}, want: "auth.signin.pkce"},
		{name: "nowhere to register", o: O{Closed: true}, want: "auth.signin.noclient"},
		{name: "a registration that is refused", want: "auth.signin.register.reason",
			o: O{Intercept: intercepting("/register", http.StatusBadRequest, "application/json", `{"error":"invalid_redirect_uri"}`)}},
		{name: "a registration that is forbidden", want: "auth.signin.register.status",
			o: O{Intercept: intercepting("/register", http.StatusForbidden, "text/html", `<p>no`)}},
		{name: "a registration without an id", want: "auth.signin.unreachable",
			o: O{Intercept: intercepting("/register", http.StatusCreated, "application/json", `{}`)}},
		{name: "an answer of another issuer", o: O{Iss: authtest.Wrong}, want: "auth.signin.mixup"},
		{name: "an answer of another issuer, though nothing was said of iss", o: O{HideIss: true, Iss: authtest.Wrong}, want: "auth.signin.mixup"},
		{name: "an answer without the issuer that was promised", o: O{Iss: authtest.Missing}, want: "auth.signin.mixup"},
		{name: "an answer of the issuer spelt another way", o: O{Iss: authtest.Normalised}, want: "auth.signin.mixup"},
		{name: "a no of another issuer", o: O{Login: authtest.Deny, Reason: "x", Iss: authtest.Wrong}, want: "auth.signin.mixup"},
		{name: "a no", o: O{Login: authtest.Deny}, want: "auth.signin.refused"},
		{name: "a no with a reason", o: O{Login: authtest.Deny, Reason: "closed today"}, want: "auth.signin.refused.reason"},
		{name: "a token endpoint that refuses", want: "auth.signin.denied", far: true,
			o: O{Intercept: intercepting("/token", http.StatusBadRequest, "application/json", `{"error":"invalid_grant"}`)}},
		{name: "a token endpoint that refuses with a status of success", want: "auth.signin.denied", far: true,
			o: O{Intercept: intercepting("/token", http.StatusOK, "application/json", `{"error":"bad_verification_code","error_description":"The code is incorrect."}`)}},
		{name: "a token endpoint that fails", want: "auth.signin.status", far: true,
			o: O{Intercept: intercepting("/token", http.StatusBadGateway, "text/html", `<p>bad gateway`)}},
		{name: "a token endpoint that answers with a page", want: "auth.signin.exchange", far: true,
			o: O{Intercept: intercepting("/token", http.StatusOK, "text/html", `<p>welcome`)}},
		{name: "a token endpoint that gives no token", want: "auth.signin.exchange", far: true,
			o: O{Intercept: intercepting("/token", http.StatusOK, "application/json", `{"token_type":"Bearer"}`)}},
		{name: "a token endpoint that gives a token of another kind", want: "auth.signin.exchange", far: true,
			o: O{Intercept: intercepting("/token", http.StatusOK, "application/json", `{"access_token":"x","token_type":"DPoP"}`)}},
		{name: "a token that the server does not take", want: "auth.signin.rejected", far: true,
			o: O{Intercept: intercepting("/token", http.StatusOK, "application/json", `{"access_token":"x","token_type":"Bearer"}`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.o.Login == authtest.Ask {
				c.o.Login = authtest.Grant
			}
			w := newWorld(t, c.o, c.ro)
			a := w.run(driven)
			attempt := a.connect()
			attempt.fails()
			if got := reason(attempt.err); got != c.want {
				t.Errorf("it says %q (%v), want %s", got, attempt.err, c.want)
			}
			if n := w.asked("/token"); (n > 0) != c.far {
				t.Errorf("the token endpoint was asked %d times", n)
			}
			if n := w.asked("/authorize"); n > 1 {
				t.Errorf("the browser was sent to sign in %d times", n)
			}
		})
	}
}

// TestAClientThatIsKnownAlreadyDoesNotRegister: what the person entered goes
// first (MCP authorization, "Client Registration Approaches").
func TestAClientThatIsKnownAlreadyDoesNotRegister(t *testing.T) {
	for _, c := range []struct{ name, secret, method string }{
		{"with a secret in the header", "pass word:%", authtest.Basic},
		{"with a secret in the form", "pass word:%", authtest.Post},
		{"without a secret", "", authtest.None},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, authtest.Options{
				Login: authtest.Grant, AnyPort: true, Methods: []string{c.method},
				Clients: []authtest.Client{{ID: "app id", Secret: c.secret, Method: c.method, Redirects: []string{"http://127.0.0.1/callback"}}},
			}, authtest.ResourceOptions{})
			w.server.SignIn.ClientID = "app id"
			if c.secret != "" { // which goes to nobody else
				w.server.SignIn.Issuer = w.as.Issuer()
			}
			a := w.run(driven)
			if c.secret != "" {
				if err := a.accounts.KeepClientSecret(t.Context(), w.server, c.secret); err != nil {
					t.Fatal(err)
				}
			}
			attempt := a.connect()
			if attempt.wait(); attempt.err != nil {
				t.Fatal(attempt.err)
			}
			namesTheResource(t, w)
			proves(c.method)(t, w)
			if w.asked("/register") != 0 {
				t.Error("it registers")
			}
		})
	}
}

// TestADocumentStandsForARegistration: an app with a Client ID Metadata Document
// does not register where such ids are taken.
func TestADocumentStandsForARegistration(t *testing.T) {
	const id = "https://app.example/client.json"
	for _, taken := range []bool{true, false} {
		o := authtest.Options{Login: authtest.Grant, AnyPort: true}
		if taken {
			o.Document = func(context.Context, string) ([]byte, error) {
				return []byte(`{"client_id":"` + id + `","redirect_uris":["http://127.0.0.1/callback"]}`), nil
			}
		}
		w := newWorld(t, o, authtest.ResourceOptions{})
		a := w.run(driven, func(o *auth.Options) { o.ClientMetadata = id })
		attempt := a.connect()
		if attempt.wait(); attempt.err != nil {
			t.Fatal(attempt.err)
		}
		if got := w.as.Log().Requests("/authorize")[0].Query.Get("client_id"); (got == id) != taken {
			t.Errorf("taken: %t, but the client id is %q", taken, got)
		}
	}
}

// TestB93_AServerThatKnowsOneAddressIsComeBackToAtThatAddress: a port, a host
// name and a path that the person fixed are those that are used and registered;
// a port that is taken is said.
func TestB93_AServerThatKnowsOneAddressIsComeBackToAtThatAddress(t *testing.T) {
	for _, known := range []bool{true, false} {
		port := freeNow(t)
		redirect := (&url.URL{Scheme: "http", Host: localhost(port), Path: "/oauth/done"}).String()
		o := authtest.Options{Login: authtest.Grant}
		w := newWorld(t, o, authtest.ResourceOptions{})
		w.server.SignIn = mcpclient.SignIn{Port: port, Host: "localhost", Path: "/oauth/done"}
		if known {
			w.as.Set(func(o *authtest.Options) { o.Clients = []authtest.Client{{ID: "app", Redirects: []string{redirect}}} })
			w.server.SignIn.ClientID = "app"
		}
		a := w.run(driven)
		attempt := a.connect()
		if attempt.wait(); attempt.err != nil {
			t.Fatal(attempt.err)
		}
		for _, r := range w.as.Log().Requests("/authorize") {
			if got := r.Query.Get("redirect_uri"); got != redirect {
				t.Errorf("it comes back to %s, want %s", got, redirect)
			}
		}
		for _, r := range w.as.Log().Requests("/register") {
			if !strings.Contains(string(r.Body), `"redirect_uris":["`+redirect+`"]`) {
				t.Errorf("it registers %s", r.Body)
			}
		}
	}
}

func TestB93_APortThatIsTakenIsSaid(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	taken, err := url.Parse(w.as.Issuer())
	if err != nil {
		t.Fatal(err)
	}
	w.server.SignIn.Port = portOf(t, taken)
	attempt := w.run(driven).connect()
	attempt.fails()
	if got := reason(attempt.err); got != "auth.signin.port" || !strings.Contains(attempt.err.Error(), taken.Port()) {
		t.Errorf("it says %q (%v)", got, attempt.err)
	}
	if w.asked("/register") != 0 {
		t.Error("it registers an address that it cannot listen on")
	}
}

// TestAClientThatWasForgottenRegistersAgain: an authorization server that does
// not know the app's registration any more is registered with anew.
func TestAClientThatWasForgottenRegistersAgain(t *testing.T) {
	w := newWorld(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	a := w.run(driven)
	first := a.connected()
	w.as.Forget("")
	w.pass(2 * time.Hour)
	if got := a.call(first.conn, "whoami"); got != "Ann" {
		t.Errorf("the call ends with %q", got)
	}
	if n := w.asked("/register"); n != 2 {
		t.Errorf("it registered %d times", n)
	}
}

// TestAServerOf2025_03_26IsItsOwnAuthorizationServer: without metadata of the
// resource those of the server's own origin count, and without them the fixed
// places.
func TestAServerOf2025_03_26IsItsOwnAuthorizationServer(t *testing.T) {
	for name, places := range map[string][]authtest.Place{
		"metadata at its root": {authtest.OAuthRoot},
		"no metadata at all":   {},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{t: t, now: time.Now()}
			start(t, func(origin string) http.Handler {
				w.as = authtest.New(origin, authtest.Options{
					Login: authtest.Grant, Places: places, HideIss: true, Iss: authtest.Missing, Now: w.clock,
				}, nil)
				w.mcp = authtest.NewResource(origin, w.as, authtest.ResourceOptions{NoMetadata: true})
				return w.mcp
			})
			w.server = mcpclient.Server{ID: "id", Name: "Notes", Kind: mcpclient.HTTP, URL: w.mcp.URL()}
			attempt := w.run(driven).connect()
			if attempt.wait(); attempt.err != nil {
				t.Fatalf("not connected: %v (%s)", attempt.err, reason(attempt.err))
			}
			namesTheResource(t, w)
		})
	}
}
