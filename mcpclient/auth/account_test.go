package auth

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
	"parley/mcpclient/keychain/keychaintest"
	"parley/mcpclient/wire"
)

// SEP-2352: another authorization server is a stranger.
func TestAServerThatMovesToAnotherAuthorityIsSignedInToAnewThere(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	var other *authtest.Server
	running, err := authtest.Start(func(origin string) http.Handler {
		other = authtest.New(origin, grants, nil)
		return other
	})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	r.mcp.Trust(other)
	done := r.started()
	s := r.state(NeedsConsent)
	if s.Why != Moved || s.Issuer != other.Issuer() {
		t.Errorf("why %s, at %s", s.Why, s.Issuer)
	}
	if s, err = r.a.Agree(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	visit(t, s.URL)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	secrets := r.as.Log().Secrets()
	own := []string{other.Endpoint("register"), other.Endpoint("authorize"), other.Endpoint("token")}
	for _, q := range other.Log().Requests(own...) {
		for _, secret := range secrets {
			if strings.Contains(q.Query.Encode()+q.Form.Encode()+fmt.Sprint(q.Header)+string(q.Body), secret.Value) {
				t.Errorf("a %s of the old authority came to the new one", secret.Kind)
			}
		}
	}
	if n := len(other.Log().Requests(other.Endpoint("register"))); n != 1 {
		t.Errorf("registered there %d times", n)
	}
}

func TestAnAppSignsInAsItselfWithoutAPerson(t *testing.T) {
	for _, method := range []string{authtest.Basic, authtest.Post} {
		r := newRig(t, authtest.Options{Methods: []string{method}, Clients: []authtest.Client{{ID: "robot:1", Secret: "s&cret=%", Method: method}}}, authtest.ResourceOptions{})
		r.server.SignIn = mcpclient.SignIn{ClientID: "robot:1", Issuer: r.as.Issuer(), Service: true}
		if err := r.request(t.Context()); sentenceOf(t, err) != "auth.signin.nosecret" {
			t.Errorf("without its secret: %v", err)
		}
		if err := r.a.KeepClientSecret(t.Context(), r.server, "s&cret=%"); err != nil {
			t.Fatal(err)
		}
		if err := r.request(t.Context()); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		if who, err := r.a.Who(t.Context(), r.server); err != nil || !who.Service || !who.Renews {
			t.Errorf("who: %+v, %v", who, err)
		}
		if open := r.a.SignIns(); len(open) != 0 {
			t.Errorf("a person is asked: %+v", open)
		}
	}
}

func TestAClientSecretCanBeRemovedAlone(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	kept := func(want bool) {
		t.Helper()
		stored, err := r.a.ClientSecrets(t.Context(), r.server)
		if how, _ := stored.Fit(SetupOf(r.server.SignIn)); err != nil || (how != SecretNone) != want {
			t.Errorf("of a client secret is stored: %v, %v; want %v", stored, err, want)
		}
	}
	kept(false) // of no client id
	r.server.SignIn.ClientID = "app"
	kept(false)
	for _, do := range []func() error{
		func() error { return r.a.KeepClientSecret(t.Context(), r.server, "s3") },
		func() error { return r.a.Keep(t.Context(), r.server, "entered") },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	kept(true)
	r.server.SignIn.ClientID = "another"
	kept(false)
	r.server.SignIn.ClientID = "app"
	if err := r.a.KeepClientSecret(t.Context(), r.server, ""); err != nil {
		t.Fatal(err)
	}
	kept(false)
	if who, err := r.a.Who(t.Context(), r.server); err != nil || !who.Entered {
		t.Errorf("the access token went with it: %+v, %v", who, err)
	}
	r.vault.Fail(&keychain.Unavailable{Reason: keychain.FileLocked})
	if stored, err := r.a.ClientSecrets(t.Context(), r.server); stored != nil || err == nil {
		t.Errorf("in a locked file: %v, %v; nobody can tell", stored, err)
	}
}

// TestASignInBehindAnEnteredTokenIsTold, by Who and by what is told of each change; to
// sign out ends it alone.
func TestASignInBehindAnEnteredTokenIsTold(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	is := func(what string, entered, kept bool) {
		t.Helper()
		who, err := r.a.Who(t.Context(), r.server)
		if err != nil || who.Entered != entered || (who.Issuer != "") != kept {
			t.Errorf("%s: they are %+v, %v", what, who, err)
		}
		r.a.tell.wait()
		var last *Account
		for _, e := range r.told() {
			if e.Account != nil {
				last = e.Account
			}
		}
		if last == nil || last.Entered != entered || (last.Issuer != "") != kept {
			t.Errorf("%s: told is %+v", what, last)
		}
	}
	is("signed in", false, true)
	if err := r.a.Keep(t.Context(), r.server, "entered"); err != nil {
		t.Fatal(err)
	}
	is("with a token", true, true)
	if err := r.a.Drop(t.Context(), r.server); err != nil {
		t.Fatal(err)
	}
	is("without it", false, true)
	if err := r.a.Keep(t.Context(), r.server, "entered"); err != nil {
		t.Fatal(err)
	}
	if revoked, err := r.a.SignOut(t.Context(), r.server); !revoked || err != nil {
		t.Errorf("signing out: revoked %v, %v", revoked, err)
	}
	is("signed out behind it", true, false)
	if got, err := r.a.Authorizer(r.server).Authorize(t.Context(), ""); got != "Bearer entered" || err != nil {
		t.Errorf("the token went with it: %v", err)
	}
	if keys := r.sessions(); len(keys) > 0 {
		t.Errorf("%q stays", keys)
	}
}

func TestATokenThatThePersonEnteredGoesBeforeSigningIn(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	if err := r.a.Keep(t.Context(), r.server, "entered"); err != nil {
		t.Fatal(err)
	}
	if got, err := r.a.Authorizer(r.server).Authorize(t.Context(), ""); got != "Bearer entered" || err != nil {
		t.Errorf("%v", err)
	}
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.token.refused" {
		t.Errorf("refused: %v", err)
	}
	if err := r.a.Drop(t.Context(), r.server); err != nil {
		t.Fatal(err)
	}
	if err := r.request(t.Context()); err != nil {
		t.Errorf("without it: %v", err)
	}
	for _, header := range []mcpclient.Server{
		{Kind: mcpclient.HTTP, URL: r.server.URL, Headers: map[string]string{"authorization": "x"}},
		{Kind: mcpclient.HTTP, URL: r.server.URL, SecretHeaders: []string{"Authorization"}},
		{Kind: mcpclient.HTTP, URL: r.server.URL, BuiltIn: true},
	} {
		if r.a.Authorizer(header) != nil {
			t.Errorf("%+v gets credentials", header)
		}
	}
}

// The token belongs to the address, and not to the entry that is edited.
func TestAnEditedAddressHasAnotherAccount(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	for _, other := range []string{"https://mcp.example/mcp", r.server.URL + "/other"} {
		edited := r.server
		edited.URL = other
		if got, err := r.a.Authorizer(edited).Authorize(t.Context(), ""); got != "" || err != nil {
			t.Errorf("%s gets a token: %v", other, err)
		}
	}
}

// RFC 6750 section 5.3.
func TestNoTokenGoesOffEncryption(t *testing.T) {
	const address = "http://mcp.example/mcp"
	d := &documents{at: map[string]string{"https://mcp.example/prm": resource(address, "https://as.example")}}
	a := New(Options{Secrets: &keychaintest.Keychain{}, Transport: handled(d.serve)})
	defer a.Close()
	s := mcpclient.Server{ID: "s", Kind: mcpclient.HTTP, URL: address}
	z := a.Authorizer(s).(*authorizer)
	if err := a.write(t.Context(), sessionKey(z.key), session{Issuer: "https://as.example", Access: "canary"}); err != nil {
		t.Fatal(err)
	}
	if got, err := z.Authorize(t.Context(), ""); got != "" || err != nil {
		t.Errorf("a token goes out in the clear: %v", err)
	}
	err := z.Challenge(t.Context(), wire.Challenge{Status: 401, Header: []string{`Bearer resource_metadata="https://mcp.example/prm"`}})
	if sentenceOf(t, err) != "auth.signin.plain" || len(d.asked) != 0 {
		t.Errorf("%v, after %v", err, d.asked)
	}
	s.SignIn.Intranet = true
	if got, err := a.Authorizer(s).Authorize(t.Context(), ""); got != "Bearer canary" || err != nil {
		t.Errorf("with the person's exception: %v", err)
	}
	// The exception is for the person's own network, wherever a name leads.
	judge := a.Authorizer(s).(wire.PlainJudge)
	for address, near := range map[string]bool{
		"10.0.0.5": true, "192.168.1.7": true, "fd00::5": true, "127.0.0.1": true, "::ffff:10.0.0.5": true,
		"93.184.216.34": false, "2606:2800:220:1::1": false, "::ffff:93.184.216.34": false, "169.254.169.254": false,
	} {
		err := judge.Plain(netip.MustParseAddr(address))
		if near != (err == nil) || err != nil && sentenceOf(t, err) != "auth.signin.public" {
			t.Errorf("dialled at %s: %v", address, err)
		}
		numbered := s
		numbered.URL = "http://" + netip.AddrPortFrom(netip.MustParseAddr(address), 80).String() + "/mcp"
		z := a.Authorizer(numbered).(*authorizer)
		if err := a.write(t.Context(), sessionKey(z.key), session{Issuer: "https://as.example", Access: "canary"}); err != nil {
			t.Fatal(err)
		}
		if got, err := z.Authorize(t.Context(), ""); near != (got != "") || err != nil {
			t.Errorf("%s gets %q, %v", numbered.URL, got, err)
		}
		if err := z.Challenge(t.Context(), wire.Challenge{Status: 401}); !near && sentenceOf(t, err) != "auth.signin.public" {
			t.Errorf("%s is told %v", numbered.URL, err)
		}
	}
}

// What a token endpoint may answer.
func TestAnExchangeThatGoesWrongSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		text   string
		key    string
	}{
		"a page":                    {200, "<!DOCTYPE html>", "auth.signin.exchange"},
		"nothing":                   {200, "", "auth.signin.exchange"},
		"no token":                  {200, `{"token_type":"Bearer"}`, "auth.signin.exchange"},
		"a token for another proof": {200, `{"access_token":"x","token_type":"DPoP"}`, "auth.signin.exchange"},
		"a token that is no header": {200, `{"access_token":"x\r\nHost: evil","token_type":"Bearer"}`, "auth.signin.exchange"},
		"too much":                  {200, `{"access_token":"` + strings.Repeat("x", maxBody) + `"}`, "auth.signin.exchange"},
		"a reason":                  {400, `{"error":"invalid_grant","error_description":"too \u202elate"}`, "auth.signin.denied"},
		"an error without a reason": {500, "<h1>oops</h1>", "auth.signin.status"},
		"a redirect":                {307, "", "auth.signin.status"},
	} {
		r := newRig(t, grants, authtest.ResourceOptions{})
		r.as.Set(func(o *authtest.Options) {
			o.Intercept = func(w http.ResponseWriter, q *http.Request) bool {
				if q.URL.Path != r.as.Endpoint("token") {
					return false
				}
				w.Header().Set("Location", "https://evil.example/")
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.text)
				return true
			}
		})
		done := r.started()
		visit(t, r.agreed().URL)
		err := <-done
		if got := sentenceOf(t, err); got != c.key || strings.Contains(err.Error(), "\u202e") {
			t.Errorf("%s: %s: %v", name, got, err)
		}
		if told := r.state(Failed); told.Text.ID != c.key {
			t.Errorf("%s: told %s", name, told.Text.ID)
		}
		// It is no refusal: the next request may try again.
		r.as.Set(func(o *authtest.Options) { o.Intercept = nil })
		r.signedIn()
	}
}

func TestALockedKeychainIsSaidAndNoSignInBegins(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	r.restart(Options{})
	locked := &keychain.Unavailable{Reason: keychain.Locked, Deed: keychain.Reading}
	r.vault.Fail(locked)
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.token.unread" || !strings.Contains(err.Error(), english.Text(keychain.Sentence(locked))) {
		t.Errorf("locked: %v", err)
	}
	r.vault.Fail(nil)
	if err := r.request(t.Context()); err != nil {
		t.Errorf("unlocked: %v", err)
	}
	// Whoever cannot unlock it may sign in for this run.
	r.restart(Options{})
	r.vault.Fail(locked)
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.token.unread" {
		t.Errorf("locked again: %v", err)
	}
	r.a.Again(r.server.ID)
	r.signedIn()
	if err := r.request(t.Context()); err != nil {
		t.Errorf("signed in for this run: %v", err)
	}
}

func TestWithoutAKeychainASignInHoldsForThisRun(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.vault.Away(keychain.Absent)
	r.signedIn()
	if err := r.request(t.Context()); err != nil {
		t.Error(err)
	}
}

// No secret is in what is told, said or printed.
func TestNoSecretIsInAnEventOrAnError(t *testing.T) {
	o := grants
	o.Methods = []string{authtest.Basic}
	r := newRig(t, o, authtest.ResourceOptions{})
	s := r.signedIn()
	var said []string
	r.as.Withdraw(true)
	done := r.started()
	r.agreed()
	r.as.Set(func(o *authtest.Options) {
		o.Intercept = func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != r.as.Endpoint("token") {
				return false
			}
			w.WriteHeader(http.StatusBadRequest)
			return true
		}
	})
	visit(t, r.a.SignIns()[0].URL)
	said = append(said, (<-done).Error())
	r.a.mu.Lock()
	for _, k := range r.a.accounts {
		said = append(said, fmt.Sprintf("%v %+v %#v %s", k.kept, k.kept, k.kept.Client, k.kept))
	}
	r.a.mu.Unlock()
	urls := map[string]bool{}
	for _, e := range r.told() {
		if e.SignIn != nil {
			urls[e.SignIn.URL] = true
			e.SignIn.URL = "" // holds the state, as it must to be opened
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, string(text))
	}
	if !urls[s.URL] {
		t.Fatal("the events do not hold what was opened: this test shows nothing")
	}
	secrets := r.as.Log().Secrets()
	if len(secrets) < 5 {
		t.Fatalf("only %d secrets were handed out", len(secrets))
	}
	for _, secret := range secrets {
		for _, text := range said {
			if strings.Contains(text, secret.Value) {
				t.Errorf("a %s is in %s", secret.Kind, strings.ReplaceAll(text, secret.Value, "…"))
			}
		}
		for address := range urls {
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			if secret.Kind != "state" && strings.Contains(u.RawQuery, secret.Value) {
				t.Errorf("a %s is in the address that is opened", secret.Kind)
			}
		}
	}
}

func TestWhatAnIDTokenCallsThePerson(t *testing.T) {
	make := func(claims string) string {
		return "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".sig"
	}
	for token, want := range map[string]string{
		make(`{"iss":"i","aud":"c","preferred_username":"ada","email":"a@x","sub":"1"}`): "ada",
		make(`{"iss":"i","aud":["b","c"],"email":"a@x","sub":"1"}`):                      "a@x",
		make(`{"iss":"i","aud":"c","sub":"1"}`):                                          "1",
		make(`{"iss":"other","aud":"c","sub":"1"}`):                                      "",
		make(`{"iss":"i","aud":"other","sub":"1"}`):                                      "",
		make(`{"iss":"i","aud":7,"sub":"1"}`):                                            "",
		make(`{"iss":"i","aud":"c","name":"` + strings.Repeat("名", 200) + `"}`):          strings.Repeat("名", maxUser/3),
		make(`[]`): "", "": "", "a.b": "", "a.!.c": "",
	} {
		if got := userOf(token, "i", "c"); got != want {
			t.Errorf("%s: %q, want %q", token, got, want)
		}
	}
}

func TestHowAClientProvesWhoItIs(t *testing.T) {
	for _, c := range []struct {
		methods []string
		secret  string
		asked   string // of a registration
		used    string
	}{
		{nil, "s", byBasic, byBasic}, {nil, "", byBasic, byNone},
		{[]string{byPost, byBasic}, "s", byBasic, byBasic}, {[]string{byPost}, "s", byPost, byPost},
		{[]string{byPost, byNone}, "s", byNone, byPost}, {[]string{"private_key_jwt"}, "s", byBasic, byBasic},
		{[]string{byNone}, "", byNone, byNone},
	} {
		if got := preferred(c.methods); got != c.asked {
			t.Errorf("%v: registers for %s, want %s", c.methods, got, c.asked)
		}
		if got := method(authority{methods: c.methods}, c.secret); got != c.used {
			t.Errorf("%v with the secret %q: %s, want %s", c.methods, c.secret, got, c.used)
		}
	}
}

func TestTheRegistrationIsThatOfANativeApp(t *testing.T) {
	o := grants
	o.Native = true
	r := newRig(t, o, authtest.ResourceOptions{})
	s := r.signedIn()
	var said struct {
		Redirects []string `json:"redirect_uris"`
		Type      string   `json:"application_type"`
		Grants    []string `json:"grant_types"`
	}
	if err := json.Unmarshal(r.as.Log().Requests(r.as.Endpoint("register"))[0].Body, &said); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(said.Redirects, []string{s.Redirect}) || said.Type != "native" || !slices.Contains(said.Grants, "refresh_token") {
		t.Errorf("registered %+v", said)
	}
}

// "Client Registration": what the person entered, a document where the authority
// takes one, registration; and of two documents the one that was entered.
func TestADocumentIsUsedBehindAnEnteredClientAndBeforeRegistration(t *testing.T) {
	const own, entered = "https://app.example/client.json", "https://corp.example/parley.json"
	for name, c := range map[string]struct {
		setup mcpclient.SignIn
		taken bool // the authority takes documents
		id    string
		asks  int // registrations
	}{
		"one that was entered":            {mcpclient.SignIn{ClientMetadata: entered}, true, entered, 0},
		"none that was entered":           {mcpclient.SignIn{}, true, own, 0},
		"an authority that takes none":    {mcpclient.SignIn{ClientMetadata: entered}, false, "", 1},
		"with a client that was entered":  {mcpclient.SignIn{ClientID: "known", ClientMetadata: entered}, true, "known", 0},
		"an address that can be none":     {mcpclient.SignIn{ClientMetadata: "http://corp.example/parley.json"}, true, "", 0},
		"an address that is one's origin": {mcpclient.SignIn{ClientMetadata: "https://corp.example/"}, true, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			o := grants
			o.AnyPort = true
			o.Clients = []authtest.Client{{ID: "known", Redirects: []string{"http://127.0.0.1/callback"}}}
			if c.taken {
				o.Document = func(_ context.Context, id string) ([]byte, error) {
					return []byte(`{"client_id":"` + id + `","redirect_uris":["http://127.0.0.1/callback"]}`), nil
				}
			}
			r := newRig(t, o, authtest.ResourceOptions{})
			r.server.SignIn = c.setup
			r.restart(Options{ClientMetadata: own})
			if c.id == "" && c.asks == 0 {
				done := r.started()
				if _, err := r.a.Agree(t.Context(), r.state(NeedsConsent).ID); sentenceOf(t, err) != "auth.signin.metadata" {
					t.Errorf("agreed: %v", err)
				}
				<-done
				return
			}
			u, err := url.Parse(r.signedIn().URL)
			if err != nil {
				t.Fatal(err)
			}
			if got := u.Query().Get("client_id"); c.id != "" && got != c.id {
				t.Errorf("signed in as %q, want %q", got, c.id)
			}
			if n := len(r.as.Log().Requests(r.as.Endpoint("register"))); n != c.asks {
				t.Errorf("registered %d times, want %d", n, c.asks)
			}
		})
	}
}
