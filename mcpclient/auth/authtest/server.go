package authtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Server is an authorization server. It is a handler for its whole origin; what
// is not its own is not found.
type Server struct {
	origin string
	log    *Log

	mu      sync.Mutex
	options Options
	clients map[string]*Client
	pages   map[string]request // questions that were put, by their ticket
	codes   map[string]*code
	access  map[string]*Token
	refresh map[string]*renewal
}

// New makes an authorization server for an origin, "http://127.0.0.1:8080".
// Its requests and secrets go to log; nil is a log of its own.
func New(origin string, o Options, log *Log) *Server {
	if log == nil {
		log = &Log{}
	}
	s := &Server{
		origin: origin, log: log,
		clients: map[string]*Client{}, pages: map[string]request{}, codes: map[string]*code{},
		access: map[string]*Token{}, refresh: map[string]*renewal{},
	}
	s.Set(func(was *Options) { *was = o })
	return s
}

// Set turns knobs while the server runs. change must not call a method of it.
func (s *Server) Set(change func(*Options)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.options)
	for _, c := range s.options.Clients {
		if c.Method == "" {
			c.Method = Basic
			if c.Secret == "" {
				c.Method = None
			}
		}
		s.clients[c.ID] = &c
		s.log.secret("client secret", c.Secret)
	}
}

func (s *Server) knobs() Options {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options
}

// Log is what happened here.
func (s *Server) Log() *Log { return s.log }

// Issuer is the issuer identifier.
func (s *Server) Issuer() string { return s.origin + s.knobs().Path }

// Endpoint is the path of the endpoint with the name: authorize, token,
// register or revoke.
func (s *Server) Endpoint(name string) string { return s.knobs().Path + "/" + name }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.log.recorded(http.HandlerFunc(s.serve)).ServeHTTP(w, r)
}

// Owns says whether r is for the authorization server, on an origin it shares.
func (s *Server) Owns(r *http.Request) bool {
	o := s.knobs()
	if s.endpoint(r, o) != nil {
		return true
	}
	return slices.Contains(o.metadataPaths(), r.URL.Path)
}

// endpoint is what serves r; nil if there is nothing.
func (s *Server) endpoint(r *http.Request, o Options) func(http.ResponseWriter, *http.Request, Options) {
	name, ok := strings.CutPrefix(r.URL.Path, o.Path+"/")
	switch {
	case !ok:
	case name == "authorize":
		return s.authorize
	case name == "decide":
		return s.decide
	case name == "hop":
		return s.hop
	case name == "token":
		return s.token
	case name == "register" && !o.Closed:
		return s.register
	case name == "revoke" && !o.NoRevoke:
		return s.revoke
	}
	return nil
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	o := s.knobs()
	if o.Intercept != nil && o.Intercept(w, r) {
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if endpoint := s.endpoint(r, o); endpoint != nil {
		endpoint(w, r, o)
		return
	}
	if slices.Contains(o.metadataPaths(), r.URL.Path) {
		reply(w, http.StatusOK, s.metadata(o))
		return
	}
	http.NotFound(w, r)
}

// metadataPaths are where the metadata are.
func (o *Options) metadataPaths() []string {
	var paths []string
	for _, p := range o.places() {
		switch p {
		case OAuth:
			paths = append(paths, "/.well-known/oauth-authorization-server"+o.Path)
		case OAuthRoot:
			paths = append(paths, "/.well-known/oauth-authorization-server")
		case OpenID:
			paths = append(paths, "/.well-known/openid-configuration"+o.Path)
		case OpenIDAfter:
			paths = append(paths, o.Path+"/.well-known/openid-configuration")
		}
	}
	return paths
}

// metadata are those of RFC 8414 section 2.
func (s *Server) metadata(o Options) map[string]any {
	base := s.origin + o.Path
	m := map[string]any{
		"authorization_endpoint":                         base + "/authorize",
		"token_endpoint":                                 base + "/token",
		"response_types_supported":                       []string{"code"},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token", "client_credentials"},
		"token_endpoint_auth_methods_supported":          o.methods(),
		"authorization_response_iss_parameter_supported": !o.HideIss,
	}
	spell(m, "issuer", base, o.Issuer)
	if o.HideIss {
		delete(m, "authorization_response_iss_parameter_supported")
	}
	if !o.HidePKCE {
		m["code_challenge_methods_supported"] = []string{"S256"}
	}
	if !o.Closed {
		m["registration_endpoint"] = base + "/register"
	}
	if !o.NoRevoke {
		m["revocation_endpoint"] = base + "/revoke"
	}
	if o.Document != nil {
		m["client_id_metadata_document_supported"] = true
	}
	if o.Scopes != nil {
		m["scopes_supported"] = o.Scopes
	}
	replace(m, o.Metadata)
	return m
}

// replace sets members of m to those of others; nil leaves one out.
func replace(m, others map[string]any) {
	for name, v := range others {
		if m[name] = v; v == nil {
			delete(m, name)
		}
	}
}

// spelt is value as how says; ok is false if there is to be none.
func spelt(value string, how Value) (_ string, ok bool) {
	switch how {
	case Missing:
		return "", false
	case Wrong:
		return "https://somebody-else.example", true
	case Normalised:
		return value + "/", true
	}
	return value, true
}

// spell sets m[name] to value, as how says.
func spell(m map[string]any, name, value string, how Value) {
	if v, ok := spelt(value, how); ok {
		m[name] = v
	}
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// What fails here is the connection, and there is nobody left to tell.
	_ = json.NewEncoder(w).Encode(v)
}

// refuse answers with an error of RFC 6749 section 5.2.
func refuse(w http.ResponseWriter, status int, code, why string) {
	reply(w, status, map[string]string{"error": code, "error_description": why})
}
