package authtest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Token is what an access token stands for.
type Token struct {
	Client   string
	Person   string // "" for one of client credentials
	Resource string
	Scopes   []string
	Until    time.Time

	family *family
}

// family is all that came of one sign-in. It is withdrawn as a whole.
type family struct{ withdrawn bool }

// renewal is what a refresh token stands for.
type renewal struct {
	Token
	until time.Time // zero: for ever
	used  bool      // it was replaced
}

// Token finds what an access token stands for: false if it is not known, was
// withdrawn or is too old.
func (s *Server) Token(value string) (Token, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.access[value]
	if t == nil || t.family.withdrawn || !s.options.now().Before(t.Until) {
		return Token{}, false
	}
	return *t, true
}

// Withdraw makes every token that was handed out void, as an administrator may.
// With refresh false the refresh tokens stay.
func (s *Server) Withdraw(refresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
	if refresh {
		clear(s.refresh)
	}
}

// token is the token endpoint (RFC 6749 section 3.2).
func (s *Server) token(w http.ResponseWriter, r *http.Request, o Options) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	s.log.secret("verifier", r.PostForm.Get("code_verifier"))
	c := s.authenticate(w, r, o)
	if c == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		s.exchange(w, r, o, c)
	case "refresh_token":
		s.renew(w, r, o, c)
	case "client_credentials":
		s.credentials(w, r, o, c)
	default:
		refuse(w, http.StatusBadRequest, "unsupported_grant_type", "there is no such grant")
	}
}

// exchange gives tokens for a code (RFC 6749 section 4.1.3).
func (s *Server) exchange(w http.ResponseWriter, r *http.Request, o Options, c *Client) {
	form := r.PostForm
	ask := s.codes[form.Get("code")]
	invalid := func(why string) { refuse(w, http.StatusBadRequest, "invalid_grant", why) }
	if ask == nil || ask.client != c.ID {
		invalid("the code is not known")
		return
	}
	if ask.used {
		if ask.family != nil {
			ask.family.withdrawn = true
		}
		invalid("the code was used before")
		return
	}
	ask.used = true
	verifier := form.Get("code_verifier")
	sum := sha256.Sum256([]byte(verifier))
	switch {
	case !o.now().Before(ask.until):
		invalid("the code is too old")
	case ask.redirect != form.Get("redirect_uri"):
		invalid("the redirect URI is another one")
	case !isVerifier(verifier) || base64.RawURLEncoding.EncodeToString(sum[:]) != ask.challenge:
		invalid("the verifier is wrong")
	case !o.AnyResource && form.Get("resource") != ask.resource:
		refuse(w, http.StatusBadRequest, "invalid_target", "the resource is another one")
	default:
		ask.family = &family{}
		t := Token{Client: c.ID, Person: ask.person, Resource: ask.resource, Scopes: ask.scopes, family: ask.family}
		s.give(w, o, t, s.renewal(o, t, nil, ""))
	}
}

// isVerifier says whether v may be a PKCE verifier (RFC 7636 section 4.1).
func isVerifier(v string) bool {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	return len(v) >= 43 && len(v) <= 128 && strings.Trim(v, unreserved) == ""
}

// renew gives a new access token for a refresh token (RFC 6749 section 6).
func (s *Server) renew(w http.ResponseWriter, r *http.Request, o Options, c *Client) {
	form := r.PostForm
	value := form.Get("refresh_token")
	was := s.refresh[value]
	invalid := func(why string) { refuse(w, http.StatusBadRequest, "invalid_grant", why) }
	switch {
	case was == nil || was.Client != c.ID || was.family.withdrawn:
		invalid("the refresh token is not known")
		return
	case was.used:
		was.family.withdrawn = !o.Forgiving
		invalid("the refresh token was used before")
		return
	case !was.until.IsZero() && !o.now().Before(was.until):
		invalid("the refresh token is too old")
		return
	case !o.AnyResource && form.Get("resource") != was.Resource:
		refuse(w, http.StatusBadRequest, "invalid_target", "the resource is another one")
		return
	}
	t := was.Token
	for _, scope := range strings.Fields(form.Get("scope")) {
		if !slices.Contains(was.Scopes, scope) {
			refuse(w, http.StatusBadRequest, "invalid_scope", "a refresh cannot ask for more")
			return
		}
	}
	if narrower := strings.Fields(form.Get("scope")); len(narrower) > 0 {
		t.Scopes = narrower
	}
	s.give(w, o, t, s.renewal(o, was.Token, was, value))
}

// renewal makes a refresh token for what t stands for, in place of was, whose
// value is old; "" if there is none to be given.
func (s *Server) renewal(o Options, t Token, was *renewal, old string) string {
	switch {
	case o.NoRefresh, o.OnlyOffline && !slices.Contains(t.Scopes, "offline_access"):
		return ""
	case was != nil && o.KeepRefresh:
		return old
	case was != nil:
		was.used = true
	}
	next := &renewal{Token: t}
	if o.RefreshLife != 0 {
		next.until = o.now().Add(o.RefreshLife)
	}
	value := s.log.secret("refresh token", "refresh-"+rand.Text())
	s.refresh[value] = next
	return value
}

// credentials gives a token to the client itself (RFC 6749 section 4.4).
func (s *Server) credentials(w http.ResponseWriter, r *http.Request, o Options, c *Client) {
	form := r.PostForm
	switch {
	case c.Method == None:
		refuse(w, http.StatusBadRequest, "unauthorized_client", "this is for clients with a secret")
	case !o.AnyResource && form.Get("resource") == "":
		refuse(w, http.StatusBadRequest, "invalid_target", "the resource is missing")
	default:
		s.give(w, o, Token{
			Client: c.ID, Resource: form.Get("resource"), Scopes: strings.Fields(form.Get("scope")), family: &family{},
		}, "")
	}
}

// give answers with an access token for what t stands for, and with refresh.
func (s *Server) give(w http.ResponseWriter, o Options, t Token, refresh string) {
	t.Until = o.now().Add(o.life())
	value := s.log.secret("access token", "access-"+rand.Text())
	s.access[value] = &t
	answer := map[string]any{
		"access_token": value, "token_type": "Bearer",
		"expires_in": int(o.life().Seconds()), "scope": strings.Join(t.Scopes, " "),
	}
	if refresh != "" {
		answer["refresh_token"] = refresh
	}
	if slices.Contains(t.Scopes, "openid") && t.Person != "" {
		answer["id_token"] = s.log.secret("id token", s.identity(o, t))
	}
	replace(answer, o.Answer)
	reply(w, http.StatusOK, answer)
}

// identity says who signed in (OpenID Connect Core 1.0 section 2). Nobody signs
// it: it goes to the client and to nobody else, over the connection it asked on.
func (s *Server) identity(o Options, t Token) string {
	part := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			panic(err) // maps of text and numbers always can
		}
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	return part(map[string]any{"alg": "none", "typ": "JWT"}) + "." + part(map[string]any{
		"iss": s.origin + o.Path, "sub": "sub-" + t.Person, "aud": t.Client, "name": t.Person,
		"iat": o.now().Unix(), "exp": t.Until.Unix(),
	}) + "."
}

// revoke is the revocation endpoint (RFC 7009): a refresh token takes its
// family with it, and what is not known is as good as revoked.
func (s *Server) revoke(w http.ResponseWriter, r *http.Request, o Options) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	c := s.authenticate(w, r, o)
	if c == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	value := r.PostForm.Get("token")
	if t := s.access[value]; t != nil && t.Client == c.ID {
		delete(s.access, value)
	}
	if t := s.refresh[value]; t != nil && t.Client == c.ID {
		t.family.withdrawn = true
	}
	w.WriteHeader(http.StatusOK)
}
