package auth

import (
	"net/url"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
)

func TestAnAddressForSigningInSetsNothingThatIsTheClients(t *testing.T) {
	for query, want := range map[string]string{
		"":                                  "",
		"?tenant=a&policy=b%20c":            "?tenant=a&policy=b%20c",
		"?a=1;b=2&&c":                       "?a=1;b=2&&c",
		"?response_type=code&audience=x":    "?audience=x",
		"?response_mode=query":              "",
		"?code_challenge_method=S256&p=q":   "?p=q",
		"?prompt=consent":                   "?prompt=consent",
		"?client_idea=1":                    "?client_idea=1",
		"?client_id=evil":                   "no",
		"?a=b&redirect_uri=https://evil/":   "no",
		"?state=1":                          "no",
		"?scope=all":                        "no",
		"?resource=https://other.example":   "no",
		"?code_challenge=x":                 "no",
		"?code_challenge_method=plain":      "no",
		"?response_type=token":              "no",
		"?response_mode=fragment":           "no",
		"?request=e30":                      "no",
		"?request_uri=https://evil/request": "no",
		"?Client_ID=evil":                   "no",
		"?client%5Fid=evil":                 "no",
		"?client_id[]=evil":                 "no",
		"?+client_id=evil":                  "no",
		"?a=b;client_id=evil":               "no",
		"?client_id":                        "no",
		"?response_type":                    "no",
	} {
		const page = "https://login.example/authorize"
		fit, ok := fitting(page + query)
		if refused := want == "no"; ok == refused || ok && fit != page+want {
			t.Errorf("%s: %s, %v; want %s", query, fit, ok, want)
		}
	}
}

// RFC 6749 section 3.1: no parameter more than once, and a query of the endpoint's
// own stays.
func TestNoParameterIsSentTwiceToWhereOneSignsIn(t *testing.T) {
	o := grants
	o.Scopes = []string{"read", "offline_access"}
	r := newRig(t, o, authtest.ResourceOptions{Challenge: "read"})
	authority := r.as.Issuer()
	r.as.Set(func(o *authtest.Options) {
		o.Metadata = map[string]any{"authorization_endpoint": authority + "/authorize?tenant=a&response_type=code&prompt=login"}
	})
	s := r.signedIn()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range u.Query() {
		if len(values) != 1 {
			t.Errorf("%s is sent as %q", name, values)
		}
	}
	if q := u.Query(); q.Get("tenant") != "a" || q.Get("prompt") != "consent" {
		t.Errorf("opened is %s", s.URL)
	}
	r.as.Set(func(o *authtest.Options) {
		o.Metadata = map[string]any{"authorization_endpoint": authority + "/authorize?client_id=evil"}
	})
	if _, err := r.a.SignOut(t.Context(), r.server); err != nil {
		t.Fatal(err)
	}
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.signin.endpoint" || len(r.a.SignIns()) != 0 {
		t.Errorf("one that says who asks: %v", err)
	}
}

func TestHostsOfOtherSitesThatTakePartAreNamed(t *testing.T) {
	for _, c := range []struct{ page, token, issuer, tokenHost, issuerHost string }{
		{"https://login.bank.example/a", "https://login.bank.example/t", "https://login.bank.example", "", ""},
		{"https://www.bank.example/a", "https://api.bank.example/t", "https://bank.example/tenant", "", ""},
		{"https://www.bank.example/a", "https://www.bank.example:8443/t", "https://www.bank.example", "", ""},
		{"https://www.bank.example/a", "https://evil.test/t", "https://evil.test", "evil.test", ""},
		{"https://www.bank.example/a", "https://api.evil.test:8443/t", "https://evil.test", "api.evil.test:8443", ""},
		{"https://www.bank.example/a", "https://evil.test/t", "https://bank.example", "evil.test", ""},
		{"https://www.bank.example/a", "https://bank.example/t", "https://evil.test", "", "evil.test"},
		{"https://www.bank.example/a", "https://evil.test/t", "https://other.test", "evil.test", "other.test"},
		{"https://a.github.io/a", "https://b.github.io/t", "https://a.github.io", "b.github.io", ""}, // a public suffix
		{"https://a.co.uk/a", "https://b.co.uk/t", "https://a.co.uk", "b.co.uk", ""},
		{"http://127.0.0.1:1/a", "http://127.0.0.1:2/t", "http://127.0.0.1:3", "", ""},
		{"http://127.0.0.1:1/a", "http://localhost:2/t", "http://127.0.0.1:1", "localhost:2", ""},
		{"https://10.0.0.1/a", "https://10.0.0.2/t", "https://10.0.0.1", "10.0.0.2", ""},
		{"https://login.corp/a", "https://LOGIN.corp/t", "https://login.corp", "", ""},
		{"https://xn--mnchen-3ya.example/a", "https://münchen.example/t", "https://münchen.example", "", ""},
	} {
		token, issuer := authority{authorize: c.page, token: c.token, issuer: c.issuer}.elsewhere()
		if token != c.tokenHost || issuer != c.issuerHost {
			t.Errorf("%s with %s of %s: %q and %q, want %q and %q", c.page, c.token, c.issuer, token, issuer, c.tokenHost, c.issuerHost)
		}
	}
}

// TestThePersonIsToldWhoElseTakesPartBeforeTheyAgree: a server that names metadata
// of its own with the page of somebody else would be handed what the person does
// there (RFC 9700 section 4.4, "Mix-Up Attacks").
func TestThePersonIsToldWhoElseTakesPartBeforeTheyAgree(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	other := strings.Replace(r.as.Issuer(), "127.0.0.1", "localhost", 1)
	r.as.Set(func(o *authtest.Options) { o.Metadata = map[string]any{"authorization_endpoint": other + "/authorize"} })
	r.started()
	s := r.state(NeedsConsent)
	if s.Host != strings.TrimPrefix(other, "http://") || s.TokenHost != strings.TrimPrefix(r.as.Issuer(), "http://") || s.IssuerHost != "" {
		t.Errorf("asks for consent with %+v", s)
	}
}

// TestAClientSecretGoesToNobodyWhomOnlyTheServerNamed, whether a person signs in or
// the app, and though the id was used there before.
func TestAClientSecretGoesToNobodyWhomOnlyTheServerNamed(t *testing.T) {
	for name, service := range map[string]bool{"a person": false, "the app": true} {
		for _, used := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				o := grants
				o.AnyPort = true
				o.Clients = []authtest.Client{{ID: "known", Secret: "s3", Redirects: []string{"http://127.0.0.1/callback"}}}
				r := newRig(t, o, authtest.ResourceOptions{})
				r.server.SignIn = mcpclient.SignIn{ClientID: "known", Service: service}
				if err := r.a.KeepClientSecret(t.Context(), r.server, "s3"); err != nil {
					t.Fatal(err)
				}
				if used {
					if err := r.a.write(t.Context(), boundKey(r.server.ID, "known"), r.as.Issuer()); err != nil {
						t.Fatal(err)
					}
				}
				done := r.started()
				if !service {
					_, err := r.a.Agree(t.Context(), r.state(NeedsConsent).ID)
					if sentenceOf(t, err) != "auth.signin.issuer.unknown" {
						t.Errorf("agreed: %v", err)
					}
				}
				err := <-done
				if sentenceOf(t, err) != "auth.signin.issuer.unknown" || !strings.Contains(err.Error(), r.as.Issuer()) {
					t.Errorf("the request ends with %v", err)
				}
				if n := len(r.as.Log().Requests(r.as.Endpoint("token"), r.as.Endpoint("authorize"))); n != 0 {
					t.Errorf("%d requests all the same", n)
				}
				r.server.SignIn.Issuer = r.as.Issuer() // the person enters it
				if !service {
					r.signedIn()
				} else if err := r.request(t.Context()); err != nil {
					t.Errorf("with it entered: %v", err)
				}
			})
		}
	}
}
