package authtest

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/assets/i18n"
)

const (
	codeLife   = time.Minute
	ticketLife = 10 * time.Minute

	// person is who signs in where nobody is asked.
	person = "Ann"
)

var (
	//go:embed page.html
	pageSource string
	//go:embed page.css
	pageStyle    string
	pageTemplate = template.Must(template.New("page").Parse(pageSource))
	pagePolicy   = func() string {
		style := sha256.Sum256([]byte(pageStyle))
		return "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; style-src 'sha256-" +
			base64.StdEncoding.EncodeToString(style[:]) + "'"
	}()
)

// request is what a client asked /authorize for, checked.
type request struct {
	client    string
	redirect  string
	state     string
	hasState  bool
	challenge string
	resource  string
	scopes    []string
	until     time.Time
}

// authorize is the authorization endpoint (RFC 6749 section 4.1.1).
func (s *Server) authorize(w http.ResponseWriter, r *http.Request, o Options) {
	q := r.URL.Query()
	s.log.secret("state", q.Get("state"))
	ask := request{
		client: q.Get("client_id"), redirect: q.Get("redirect_uri"), challenge: q.Get("code_challenge"),
		state: q.Get("state"), hasState: q.Has("state"), resource: q.Get("resource"),
		scopes: strings.Fields(q.Get("scope")), until: o.now().Add(ticketLife),
	}
	// Whoever is not known is not sent anywhere (RFC 6749 section 4.1.2.1).
	c, err := s.client(r.Context(), ask.client, o)
	if err != nil {
		http.Error(w, "authtest: "+err.Error(), http.StatusBadRequest)
		return
	}
	if !c.redirects(ask.redirect, o.AnyPort) {
		http.Error(w, "authtest: the client did not name this redirect URI before", http.StatusBadRequest)
		return
	}
	if code, why := ask.wrong(q, o); code != "" {
		s.back(w, r, o, ask, url.Values{"error": {code}, "error_description": {why}})
		return
	}
	switch o.Login {
	case Grant:
		who := person
		if prompts := strings.Fields(q.Get("prompt")); o.Other != "" && (slices.Contains(prompts, "login") || slices.Contains(prompts, "select_account")) {
			who = o.Other
		}
		s.grant(w, r, o, ask, who)
	case Deny:
		s.deny(w, r, o, ask)
	default:
		s.page(w, o, ask, cmp.Or(c.Name, c.ID))
	}
}

// wrong is the error code and description for what a request lacks.
func (ask request) wrong(q url.Values, o Options) (code, why string) {
	unknown := slices.IndexFunc(ask.scopes, func(scope string) bool { return !slices.Contains(o.Scopes, scope) })
	switch challenge, err := base64.RawURLEncoding.DecodeString(ask.challenge); {
	case q.Get("response_type") != "code":
		return "unsupported_response_type", "the response type must be code"
	case q.Get("code_challenge_method") != "S256" || err != nil || len(challenge) != sha256.Size:
		return "invalid_request", "PKCE with S256 is needed"
	case !o.AnyResource && ask.resource == "":
		return "invalid_target", "the resource is missing"
	case o.Scopes != nil && unknown >= 0:
		return "invalid_scope", "there is no such scope"
	}
	return "", ""
}

// page puts the question to the person, with the name of the client.
func (s *Server) page(w http.ResponseWriter, o Options, ask request, client string) {
	ticket := rand.Text()
	s.mu.Lock()
	s.pages[ticket] = ask
	s.mu.Unlock()
	say := i18n.New(o.Language)
	v := map[string]any{
		"Lang": say.Tag(), "Style": template.CSS(pageStyle), "Action": o.Path + "/decide", "Ticket": ticket, "Person": person,
		"Title": say.T("authtest.title"), "Text": say.T("authtest.text", "Client", client, "Resource", ask.resource),
		"Scopes": ask.scopes, "ScopesLabel": say.T("authtest.scopes"), "NameLabel": say.T("authtest.name"),
		"Accept": say.T("authtest.accept"), "Decline": say.T("authtest.decline"),
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	// What fails here is the connection, and there is nobody left to tell.
	_ = pageTemplate.Execute(w, v)
}

// decide takes the button that was pressed on the page, once.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, o Options) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	ticket := r.PostForm.Get("ticket")
	s.mu.Lock()
	ask, known := s.pages[ticket]
	delete(s.pages, ticket)
	s.mu.Unlock()
	if !known || o.now().After(ask.until) {
		http.Error(w, i18n.New(o.Language).T("authtest.stale"), http.StatusBadRequest)
		return
	}
	if r.PostForm.Get("choice") != "accept" {
		s.deny(w, r, o, ask)
		return
	}
	s.grant(w, r, o, ask, r.PostForm.Get("name"))
}

// code is an authorization code that was handed out.
type code struct {
	request
	person string
	until  time.Time
	used   bool
	family *family // what it gave, once used
}

func (s *Server) grant(w http.ResponseWriter, r *http.Request, o Options, ask request, who string) {
	value := s.log.secret("code", "code-"+rand.Text())
	s.mu.Lock()
	s.codes[value] = &code{request: ask, person: who, until: o.now().Add(codeLife)}
	s.mu.Unlock()
	s.back(w, r, o, ask, url.Values{"code": {value}})
}

func (s *Server) deny(w http.ResponseWriter, r *http.Request, o Options, ask request) {
	answer := url.Values{"error": {"access_denied"}}
	if o.Reason != "" {
		answer.Set("error_description", o.Reason)
	}
	s.back(w, r, o, ask, answer)
}

// back sends the browser back to the client, over as many hops as are asked
// for.
func (s *Server) back(w http.ResponseWriter, r *http.Request, o Options, ask request, answer url.Values) {
	if iss, ok := spelt(s.origin+o.Path, o.Iss); ok {
		answer.Set("iss", iss)
	}
	if ask.hasState && o.State != Missing {
		answer.Set("state", ask.state)
		if o.State == Wrong {
			answer.Set("state", rand.Text())
		}
	}
	to, err := url.Parse(ask.redirect)
	if err != nil {
		http.Error(w, "authtest: the redirect URI cannot be read", http.StatusBadRequest)
		return
	}
	q := to.Query()
	for name, values := range answer {
		q[name] = values
	}
	to.RawQuery = q.Encode()
	target := to.String()
	for hop := range o.Hops {
		target = o.Path + "/hop?" + url.Values{"n": {strconv.Itoa(hop)}, "to": {target}}.Encode()
	}
	redirect(w, target)
}

// hop sends the browser on to where an earlier redirect said. It goes to
// loopback only: anything else would be an open redirect.
func (s *Server) hop(w http.ResponseWriter, r *http.Request, o Options) {
	target := r.URL.Query().Get("to")
	u, err := url.Parse(target)
	if err != nil || u.Host != "" && !isLoopback(u.Hostname()) || u.Host == "" && !strings.HasPrefix(target, o.Path+"/hop?") {
		http.NotFound(w, r)
		return
	}
	redirect(w, target)
}

// redirect is http.Redirect without its page, whose link would repeat the code.
func redirect(w http.ResponseWriter, target string) {
	w.Header().Set("Location", target)
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(http.StatusFound)
}
