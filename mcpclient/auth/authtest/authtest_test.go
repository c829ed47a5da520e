package authtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// site is an authorization server and an MCP server behind it, on one origin,
// and a client of them that keeps to what a test tells it.
type site struct {
	t      *testing.T
	auth   *Server
	mcp    *Resource
	origin string
	http   http.Client
}

func newSite(t *testing.T, o Options, ro ResourceOptions) *site {
	t.Helper()
	s := &site{t: t}
	s.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	running, err := Start(func(origin string) http.Handler {
		s.origin = origin
		s.auth = New(origin, o, nil)
		s.mcp = NewResource(origin, s.auth, ro)
		return s.mcp
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := running.Close(); err != nil {
			t.Error(err)
		}
		s.http.CloseIdleConnections()
	})
	return s
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	text   string
	json   map[string]any
}

func (s *site) do(r *http.Request, err error) answer {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := s.http.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := answer{status: resp.StatusCode, header: resp.Header, text: string(body)}
	_ = json.Unmarshal(body, &a.json) // what is no JSON leaves nothing
	return a
}

func (s *site) get(path string) answer {
	s.t.Helper()
	return s.do(http.NewRequest(http.MethodGet, s.origin+path, nil))
}

func (s *site) post(path, kind, body string) answer {
	s.t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.origin+path, strings.NewReader(body))
	if err == nil {
		r.Header.Set("Content-Type", kind)
	}
	return s.do(r, err)
}

func (s *site) form(path string, v url.Values) answer {
	s.t.Helper()
	return s.post(path, "application/x-www-form-urlencoded", v.Encode())
}

const (
	callback = "http://127.0.0.1:4711/callback"
	verifier = "0123456789012345678901234567890123456789-._~abc"
)

// app is a public client that is known from the start.
var app = Client{ID: "app", Redirects: []string{callback}}

func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// ask are the parameters of a request that is right.
func (s *site) ask() url.Values {
	return url.Values{
		"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {callback}, "state": {"st"},
		"code_challenge": {challengeOf(verifier)}, "code_challenge_method": {"S256"}, "resource": {s.mcp.URL()}, "scope": {"read"},
	}
}

// authorize asks, and returns what goes back to the client.
func (s *site) authorize(v url.Values) url.Values {
	s.t.Helper()
	a := s.get("/authorize?" + v.Encode())
	u, err := url.Parse(a.header.Get("Location"))
	if a.status != http.StatusFound || err != nil {
		s.t.Fatalf("/authorize answered %d %s", a.status, a.text)
	}
	return u.Query()
}

// exchange are the parameters for a code that are right.
func (s *site) exchange(code string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {code}, "code_verifier": {verifier},
		"redirect_uri": {callback}, "resource": {s.mcp.URL()},
	}
}

// tokens signs in.
func (s *site) tokens() (access, refresh string) {
	s.t.Helper()
	a := s.form("/token", s.exchange(s.authorize(s.ask()).Get("code")))
	access, _ = a.json["access_token"].(string)
	refresh, _ = a.json["refresh_token"].(string)
	if access == "" {
		s.t.Fatalf("no token: %d %s", a.status, a.text)
	}
	return access, refresh
}

func (s *site) refresh(token string) answer {
	s.t.Helper()
	return s.form("/token", url.Values{"grant_type": {"refresh_token"}, "client_id": {"app"}, "refresh_token": {token}, "resource": {s.mcp.URL()}})
}

// call calls a tool.
func (s *site) call(token, tool string) answer {
	s.t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.mcp.URL(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`"}}`))
	if err == nil && token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return s.do(r, err)
}

func TestMetadataAreAtTheWellKnownPlacesAndNowhereElse(t *testing.T) {
	all := []string{
		"/.well-known/oauth-authorization-server/tenant", "/.well-known/oauth-authorization-server",
		"/.well-known/openid-configuration/tenant", "/tenant/.well-known/openid-configuration",
	}
	for n, c := range [][]Place{{OAuth}, {OAuthRoot}, {OpenID}, {OpenIDAfter}, {}} {
		s := newSite(t, Options{Path: "/tenant", Places: c}, ResourceOptions{})
		for i, path := range all {
			a := s.get(path)
			if want := i == n; (a.status == http.StatusOK) != want {
				t.Errorf("%v: %s answers %d", c, path, a.status)
			} else if want && (a.json["issuer"] != s.origin+"/tenant" || a.json["token_endpoint"] != s.origin+"/tenant/token") {
				t.Errorf("%v: %s", c, a.text)
			}
		}
	}
}

func TestWhatMetadataAndRedirectSayOfTheIssuerIsAKnob(t *testing.T) {
	for how, want := range map[Value]string{Right: "", Missing: "-", Wrong: "https://somebody-else.example", Normalised: "/"} {
		s := newSite(t, Options{Clients: []Client{app}, Login: Grant, Issuer: how, Iss: how}, ResourceOptions{})
		switch want {
		case "", "/":
			want = s.origin + want
		case "-":
			want = ""
		}
		said, _ := s.get("/.well-known/oauth-authorization-server").json["issuer"].(string)
		if iss := s.authorize(s.ask()).Get("iss"); said != want || iss != want {
			t.Errorf("metadata say %q, the redirect %q; want %q", said, iss, want)
		}
	}
}

func TestAClientRegistersAndIsRefusedWhatItDidNotRegisterFor(t *testing.T) {
	s := newSite(t, Options{Native: true, Methods: []string{Post, None}}, ResourceOptions{})
	register := func(body string) answer { return s.post("/register", "application/json", body) }
	for body, want := range map[string]string{
		`{`:                             "invalid_client_metadata",
		`{"application_type":"native"}`: "invalid_redirect_uri",
		`{"redirect_uris":["http://127.0.0.1/"],"token_endpoint_auth_method":"none"}`:                                   "invalid_redirect_uri",
		`{"redirect_uris":["http://a.example/"],"application_type":"native","token_endpoint_auth_method":"none"}`:       "invalid_redirect_uri",
		`{"redirect_uris":["http://127.0.0.1/#a"],"application_type":"native","token_endpoint_auth_method":"none"}`:     "invalid_redirect_uri",
		`{"redirect_uris":["http://127.0.0.1/"],"application_type":"native"}`:                                           "invalid_client_metadata",
		`{"redirect_uris":["http://127.0.0.1/"],"application_type":"native","token_endpoint_auth_method":"some_other"}`: "invalid_client_metadata",
	} {
		if a := register(body); a.status != http.StatusBadRequest || a.json["error"] != want {
			t.Errorf("%s: %d %s; want %s", body, a.status, a.text, want)
		}
	}
	for method, secret := range map[string]bool{Post: true, None: false} {
		a := register(`{"redirect_uris":["` + callback + `"],"application_type":"native","token_endpoint_auth_method":"` + method + `"}`)
		if _, has := a.json["client_secret"]; a.status != http.StatusCreated || has != secret || a.json["client_id"] == "" {
			t.Errorf("%s: %d %s", method, a.status, a.text)
		}
	}
	s.auth.Set(func(o *Options) { o.Closed = true })
	if a := register(`{}`); a.status != http.StatusNotFound {
		t.Errorf("closed, it answers %d", a.status)
	}
}

func TestThePageNamesTheClientAsItNamedItself(t *testing.T) {
	s := newSite(t, Options{}, ResourceOptions{})
	a := s.post("/register", "application/json", `{"redirect_uris":["`+callback+`"],"token_endpoint_auth_method":"none","client_name":"An <app>"}`)
	v := s.ask()
	v.Set("client_id", a.json["client_id"].(string))
	if p := s.get("/authorize?" + v.Encode()); !strings.Contains(p.text, "An &lt;app&gt; would like") {
		t.Errorf("the page: %s", p.text)
	}
}

func TestAClientSaysWhoItIsInTheWayItIsKnownFor(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{
		{ID: "b", Secret: "se cret:%", Method: Basic}, {ID: "p", Secret: "pw", Method: Post}, {ID: "n"},
	}}, ResourceOptions{})
	for _, c := range []struct {
		name, user, password string
		form                 url.Values
		status               int
	}{
		{"basic", "b", "se+cret%3A%25", nil, http.StatusOK},
		{"basic, not encoded", "b", "se cret:%", nil, http.StatusBadRequest},
		{"basic, a wrong secret", "b", "other", nil, http.StatusUnauthorized},
		{"basic instead of post", "p", "pw", nil, http.StatusUnauthorized},
		{"post", "", "", url.Values{"client_id": {"p"}, "client_secret": {"pw"}}, http.StatusOK},
		{"post instead of basic", "", "", url.Values{"client_id": {"b"}, "client_secret": {"se cret:%"}}, http.StatusUnauthorized},
		{"both", "b", "se+cret%3A%25", url.Values{"client_secret": {"se cret:%"}}, http.StatusBadRequest},
		{"two ids", "b", "se+cret%3A%25", url.Values{"client_id": {"p"}}, http.StatusBadRequest},
		{"nobody", "", "", nil, http.StatusUnauthorized},
		{"a client without a secret", "", "", url.Values{"client_id": {"n"}}, http.StatusBadRequest},
	} {
		t.Run(c.name, func(t *testing.T) {
			form := url.Values{"grant_type": {"client_credentials"}, "resource": {s.mcp.URL()}}
			for name, v := range c.form {
				form[name] = v
			}
			r, err := http.NewRequest(http.MethodPost, s.origin+"/token", strings.NewReader(form.Encode()))
			if err == nil {
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				if c.user != "" {
					r.SetBasicAuth(c.user, c.password)
				}
			}
			if a := s.do(r, err); a.status != c.status {
				t.Errorf("%d %s; want %d", a.status, a.text, c.status)
			}
		})
	}
}

func TestAuthorizeSendsNobodyToAnAddressThatWasNotNamed(t *testing.T) {
	for _, c := range []struct {
		name, client, redirect string
		anyPort                bool
		status                 int
	}{
		{"the very one", "app", callback, false, http.StatusFound},
		{"another port", "app", "http://127.0.0.1:4712/callback", false, http.StatusBadRequest},
		{"another port, where every one is taken", "app", "http://127.0.0.1:4712/callback", true, http.StatusFound},
		{"another host, where every port is taken", "app", "http://localhost:4711/callback", true, http.StatusBadRequest},
		{"another path, where every port is taken", "app", "http://127.0.0.1:4711/other", true, http.StatusBadRequest},
		{"a slash more", "app", callback + "/", false, http.StatusBadRequest},
		{"somebody else", "other", callback, false, http.StatusBadRequest},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, Options{Clients: []Client{app}, Login: Grant, AnyPort: c.anyPort}, ResourceOptions{})
			v := s.ask()
			v.Set("client_id", c.client)
			v.Set("redirect_uri", c.redirect)
			if a := s.get("/authorize?" + v.Encode()); a.status != c.status {
				t.Errorf("%d %s; want %d", a.status, a.text, c.status)
			}
		})
	}
}

func TestAuthorizeWantsPKCEAndTheResource(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{app}, Login: Grant, Scopes: []string{"read"}}, ResourceOptions{})
	for _, c := range []struct{ name, value, want string }{
		{"response_type", "token", "unsupported_response_type"},
		{"code_challenge_method", "plain", "invalid_request"},
		{"code_challenge", "", "invalid_request"},
		{"resource", "", "invalid_target"},
		{"scope", "read everything", "invalid_scope"},
		{"scope", "", ""},
	} {
		v := s.ask()
		v.Set(c.name, c.value)
		got := s.authorize(v)
		if got.Get("error") != c.want || got.Has("code") != (c.want == "") || got.Get("state") != "st" {
			t.Errorf("%s=%s: %v; want %q", c.name, c.value, got, c.want)
		}
	}
}

func TestThePageTakesOneButtonOnce(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{app}, Reason: "<b>no</b>", Hops: 2}, ResourceOptions{})
	ticket := func() string {
		a := s.get("/authorize?" + s.ask().Encode())
		_, after, ok := strings.Cut(a.text, `name="ticket" value="`)
		if !ok || !strings.Contains(a.text, `id="accept"`) || !strings.Contains(a.text, `id="decline"`) {
			t.Fatalf("no page: %d %s", a.status, a.text)
		}
		ticket, _, _ := strings.Cut(after, `"`)
		return ticket
	}
	press := func(ticket, choice string) answer {
		return s.form("/decide", url.Values{"ticket": {ticket}, "choice": {choice}, "name": {"Zoë"}})
	}
	follow := func(a answer) url.Values {
		for hop := range 3 {
			to := a.header.Get("Location")
			if strings.HasPrefix(to, callback) {
				if hop != 2 {
					t.Errorf("%d hops came before the client, want 2", hop)
				}
				u, err := url.Parse(to)
				if err != nil {
					t.Fatal(err)
				}
				return u.Query()
			}
			a = s.get(to)
		}
		t.Fatalf("the redirects do not end: %d %s", a.status, a.text)
		return nil
	}
	first := ticket()
	got := follow(press(first, "accept"))
	if a := s.form("/token", s.exchange(got.Get("code"))); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.text)
	} else if text := s.call(a.json["access_token"].(string), "whoami").text; !strings.Contains(text, "Zoë read") {
		t.Errorf("whoami says %s", text)
	}
	if a := press(first, "accept"); a.status != http.StatusBadRequest {
		t.Errorf("a second press is answered with %d", a.status)
	}
	got = follow(press(ticket(), "decline"))
	if got.Get("error") != "access_denied" || got.Get("error_description") != "<b>no</b>" || got.Has("code") {
		t.Errorf("declined: %v", got)
	}
	if a := s.get("/hop?to=" + url.QueryEscape("https://a.example/")); a.status != http.StatusNotFound {
		t.Error("it sends a browser anywhere")
	}
}

func TestACodeWorksOnceAndOnlyForWhomItWasGivenTo(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{app, {ID: "other", Redirects: app.Redirects}}, Login: Grant}, ResourceOptions{})
	for _, c := range []struct{ name, value, want string }{
		{"client_id", "other", "invalid_grant"},
		{"code", "guess", "invalid_grant"},
		{"code_verifier", strings.Repeat("a", 43), "invalid_grant"},
		{"code_verifier", "", "invalid_grant"},
		{"redirect_uri", callback + "?", "invalid_grant"},
		{"resource", "https://mcp.example/", "invalid_target"},
		{"grant_type", "password", "unsupported_grant_type"},
	} {
		v := s.exchange(s.authorize(s.ask()).Get("code"))
		v.Set(c.name, c.value)
		if a := s.form("/token", v); a.json["error"] != c.want {
			t.Errorf("%s=%s: %d %s; want %s", c.name, c.value, a.status, a.text, c.want)
		}
	}
	v := s.exchange(s.authorize(s.ask()).Get("code"))
	token := s.form("/token", v).json["access_token"].(string)
	if a := s.call(token, "whoami"); a.status != http.StatusOK {
		t.Errorf("the token is not taken: %d", a.status)
	}
	if a := s.form("/token", v); a.json["error"] != "invalid_grant" {
		t.Errorf("a second use: %s", a.text)
	}
	if a := s.call(token, "whoami"); a.status != http.StatusUnauthorized {
		t.Errorf("after a second use the first token is answered with %d", a.status)
	}
}

func TestARefreshTokenIsReplacedAndItsReuseWithdrawsAll(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{app}, Login: Grant}, ResourceOptions{})
	_, first := s.tokens()
	second := s.refresh(first)
	access, _ := second.json["access_token"].(string)
	next, _ := second.json["refresh_token"].(string)
	if next == "" || next == first || s.call(access, "whoami").status != http.StatusOK {
		t.Fatalf("refreshed: %s", second.text)
	}
	if a := s.refresh(first); a.json["error"] != "invalid_grant" {
		t.Errorf("the old one again: %s", a.text)
	}
	if a := s.refresh(next); a.json["error"] != "invalid_grant" || s.call(access, "whoami").status != http.StatusUnauthorized {
		t.Errorf("the family lives on: %s", a.text)
	}
}

func TestAForgivingServerWithdrawsNothing(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{app}, Login: Grant, Forgiving: true}, ResourceOptions{})
	_, first := s.tokens()
	next, _ := s.refresh(first).json["refresh_token"].(string)
	if a := s.refresh(first); a.json["error"] != "invalid_grant" {
		t.Errorf("the old one again: %s", a.text)
	}
	if a := s.refresh(next); a.status != http.StatusOK {
		t.Errorf("the new one: %s", a.text)
	}
}

func TestRefreshTokensAreAKnob(t *testing.T) {
	for _, c := range []struct {
		name         string
		o            Options
		given        bool
		sameOnceMore bool
	}{
		{"the same for good", Options{KeepRefresh: true}, true, true},
		{"none", Options{NoRefresh: true}, false, false},
		{"none without offline_access", Options{OnlyOffline: true}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Clients, c.o.Login = []Client{app}, Grant
			s := newSite(t, c.o, ResourceOptions{})
			_, refresh := s.tokens()
			if (refresh != "") != c.given {
				t.Fatalf("given: %t", refresh != "")
			}
			if c.sameOnceMore {
				if a := s.refresh(refresh); a.json["refresh_token"] != refresh || s.refresh(refresh).status != http.StatusOK {
					t.Errorf("%s", a.text)
				}
			}
		})
	}
}

func TestTokensAndCodesGrowOld(t *testing.T) {
	now := time.Now()
	s := newSite(t, Options{Clients: []Client{app}, Login: Grant, RefreshLife: 2 * time.Hour}, ResourceOptions{})
	at := func(d time.Duration) { s.auth.Set(func(o *Options) { o.Now = func() time.Time { return now.Add(d) } }) }
	at(0)
	code := s.authorize(s.ask()).Get("code")
	access, refresh := s.tokens()
	at(codeLife)
	if a := s.form("/token", s.exchange(code)); a.json["error"] != "invalid_grant" {
		t.Errorf("an old code: %s", a.text)
	}
	at(time.Hour)
	if a := s.call(access, "whoami"); a.status != http.StatusUnauthorized || !strings.Contains(a.header.Get("WWW-Authenticate"), `error="invalid_token"`) {
		t.Errorf("an old token: %d %q", a.status, a.header)
	}
	at(2 * time.Hour)
	if a := s.refresh(refresh); a.json["error"] != "invalid_grant" {
		t.Errorf("an old refresh token: %s", a.text)
	}
}

func TestRevokedTokensAreVoid(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{app}, Login: Grant}, ResourceOptions{})
	access, refresh := s.tokens()
	for _, token := range []string{"unknown", refresh} {
		if a := s.form("/revoke", url.Values{"client_id": {"app"}, "token": {token}}); a.status != http.StatusOK {
			t.Errorf("%s: %d", token, a.status)
		}
	}
	if s.call(access, "whoami").status != http.StatusUnauthorized || s.refresh(refresh).status != http.StatusBadRequest {
		t.Error("a refresh token that was revoked did not take its family with it")
	}
}

func TestTheResourceChallenges(t *testing.T) {
	o := Options{Clients: []Client{app}, Login: Grant}
	s := newSite(t, o, ResourceOptions{Challenge: "read", Tools: map[string][]string{"write": {"write"}}})
	where := `resource_metadata="` + s.origin + `/.well-known/oauth-protected-resource/mcp"`
	access, _ := s.tokens()
	for _, c := range []struct {
		name, token, tool string
		status            int
		want              []string
	}{
		{"no token", "", "whoami", http.StatusUnauthorized, []string{"Bearer scope=\"read\", " + where}},
		{"a token of nobody", "x", "whoami", http.StatusUnauthorized, []string{`error="invalid_token"`, where}},
		{"a tool that needs more", access, "write", http.StatusForbidden, []string{`error="insufficient_scope"`, `scope="write"`, where}},
		{"a tool that does not", access, "whoami", http.StatusOK, []string{""}},
	} {
		a := s.call(c.token, c.tool)
		for _, want := range c.want {
			if got := a.header.Get("WWW-Authenticate"); a.status != c.status || !strings.Contains(got, want) {
				t.Errorf("%s: %d %s; want %d %s", c.name, a.status, got, c.status, want)
			}
		}
	}
	a := s.get("/.well-known/oauth-protected-resource/mcp")
	if a.json["resource"] != s.mcp.URL() || !slices.Equal(a.json["authorization_servers"].([]any), []any{s.origin}) {
		t.Errorf("the metadata: %s", a.text)
	}
}

func TestWhatIsFreeNeedsNoToken(t *testing.T) {
	s := newSite(t, Options{}, ResourceOptions{Free: []string{"tools/list"}})
	for method, want := range map[string]int{"tools/list": http.StatusOK, "tools/call": http.StatusUnauthorized} {
		if a := s.post("/mcp", "application/json", `{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`); a.status != want {
			t.Errorf("%s is answered with %d, want %d", method, a.status, want)
		}
	}
}

func TestATokenForAnotherResourceIsRefused(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{app}, Login: Grant}, ResourceOptions{})
	v := s.ask()
	v.Set("resource", "https://mcp.example/")
	x := s.exchange(s.authorize(v).Get("code"))
	x.Set("resource", "https://mcp.example/")
	token := s.form("/token", x).json["access_token"].(string)
	if a := s.call(token, "whoami"); a.status != http.StatusUnauthorized {
		t.Errorf("%d", a.status)
	}
}

func TestAnIDTokenSaysWhoSignedIn(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{app}, Login: Grant}, ResourceOptions{})
	v := s.ask()
	v.Set("scope", "openid read")
	token, _ := s.form("/token", s.exchange(s.authorize(v).Get("code"))).json["id_token"].(string)
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("the ID token is %q", token)
	}
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || !strings.Contains(string(claims), `"name":"Ann"`) || !strings.Contains(string(claims), `"aud":"app"`) {
		t.Errorf("it says %s (%v)", claims, err)
	}
}

func TestEverySecretIsWrittenDown(t *testing.T) {
	s := newSite(t, Options{Clients: []Client{app, {ID: "b", Secret: "pw"}}, Login: Grant}, ResourceOptions{})
	access, refresh := s.tokens()
	kinds := map[string]string{}
	for _, secret := range s.auth.Log().Secrets() {
		kinds[secret.Kind] = secret.Value
	}
	for kind, want := range map[string]string{"access token": access, "refresh token": refresh, "client secret": "pw", "verifier": verifier, "state": "st"} {
		if kinds[kind] != want {
			t.Errorf("%s: %q, want %q", kind, kinds[kind], want)
		}
	}
	if kinds["code"] == "" || len(kinds) != 6 {
		t.Errorf("%v", kinds)
	}
	if n := len(s.auth.Log().Requests("/token")); n != 1 {
		t.Errorf("%d requests of /token were written down", n)
	}
}
