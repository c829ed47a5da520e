package authtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// ResourceOptions are the knobs of a Resource. The zero value is a server that
// does it all, and right.
type ResourceOptions struct {
	// Path is where MCP is spoken, "" for "/mcp".
	Path string
	// Behind is what is protected; nil is a small MCP server of both eras with a
	// tool for each entry of Tools, and one, whoami, that says who is signed in.
	Behind http.Handler
	// Protocol is the one revision that the small MCP server speaks; "" is
	// 2026-07-28 and 2025-11-25.
	Protocol string
	// Servers are the issuers that the metadata name; nil is the one that is
	// trusted.
	Servers []string
	// Resource is what the metadata say the resource is.
	Resource Value
	// Metadata are members of the metadata that replace those there are; nil
	// leaves one out.
	Metadata map[string]any
	// NoMetadata has none (MCP 2025-03-26), HideMetadata has them and does not
	// say in a challenge where, RootMetadata has them at the well-known address
	// without the path.
	NoMetadata, HideMetadata, RootMetadata bool
	// Scopes are the scopes_supported of the metadata; nil says nothing of them.
	Scopes []string
	// Challenge is the scope of a challenge with 401; "" says nothing of it.
	Challenge string
	// Free are the methods that need no token, as where only some tools do.
	Free []string
	// Needs are the scopes that every request needs.
	Needs []string
	// Tools are the tools and the scopes each needs beside that.
	Tools map[string][]string
	// HideNeed does not say in a challenge with 403 which scopes are lacking.
	HideNeed bool
	// AnyAudience takes tokens that are for another resource.
	AnyAudience bool
	// Intercept, if it returns true, has answered the request instead.
	Intercept func(w http.ResponseWriter, r *http.Request) bool
}

// Resource is an MCP server that takes the tokens of one authorization server.
// It is a handler for its whole origin; what is not its own is put to the
// authorization server if they share it, else not found.
type Resource struct {
	origin string
	server *Server

	mu      sync.Mutex
	options ResourceOptions
}

// NewResource makes an MCP server at origin for the tokens of s, whose Log it
// shares.
func NewResource(origin string, s *Server, o ResourceOptions) *Resource {
	return &Resource{origin: origin, server: s, options: o}
}

// Set turns knobs while the server runs. change must not call a method of it.
func (m *Resource) Set(change func(*ResourceOptions)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.options)
}

// Trust makes m take the tokens of another authorization server, and of that
// one alone, as after a move.
func (m *Resource) Trust(s *Server) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.server = s
}

func (m *Resource) knobs() (ResourceOptions, *Server) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.options, m.server
}

func (o *ResourceOptions) path() string {
	if o.Path != "" {
		return o.Path
	}
	return "/mcp"
}

// URL is the address of the MCP server, which is the resource's identifier too.
func (m *Resource) URL() string {
	o, _ := m.knobs()
	return m.origin + o.path()
}

// metadataPath is the well-known address of RFC 9728 section 3.1.
func (o *ResourceOptions) metadataPath() string {
	const wellKnown = "/.well-known/oauth-protected-resource"
	if o.RootMetadata {
		return wellKnown
	}
	return wellKnown + o.path()
}

// ServeHTTP implements http.Handler.
func (m *Resource) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, s := m.knobs()
	if s.origin == m.origin && s.Owns(r) {
		s.ServeHTTP(w, r)
		return
	}
	s.log.recorded(http.HandlerFunc(m.serve)).ServeHTTP(w, r)
}

func (m *Resource) serve(w http.ResponseWriter, r *http.Request) {
	o, s := m.knobs()
	switch {
	case o.Intercept != nil && o.Intercept(w, r):
	case r.URL.Path == o.metadataPath() && !o.NoMetadata:
		reply(w, http.StatusOK, m.metadata(o, s))
	case r.URL.Path == o.path():
		m.guard(w, r, o, s)
	default:
		http.NotFound(w, r)
	}
}

// metadata are those of RFC 9728 section 2.
func (m *Resource) metadata(o ResourceOptions, s *Server) map[string]any {
	servers := o.Servers
	if servers == nil {
		servers = []string{s.Issuer()}
	}
	v := map[string]any{"authorization_servers": servers, "bearer_methods_supported": []string{"header"}}
	spell(v, "resource", m.origin+o.path(), o.Resource)
	if o.Scopes != nil {
		v["scopes_supported"] = o.Scopes
	}
	replace(v, o.Metadata)
	return v
}

// guard lets through what has a token that is good enough.
func (m *Resource) guard(w http.ResponseWriter, r *http.Request, o ResourceOptions, s *Server) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	header := r.Header.Get("Authorization")
	value, bearer := strings.CutPrefix(header, "Bearer ")
	token, known := s.Token(value)
	method, tool := called(body)
	switch {
	case header == "" && slices.Contains(o.Free, method):
		m.serveTo(w, r, o, Token{})
		return
	case header == "":
		m.challenge(w, o, http.StatusUnauthorized, "", "", o.Challenge)
		return
	case !bearer || !known:
		m.challenge(w, o, http.StatusUnauthorized, "invalid_token", "the access token is not known or has expired", o.Challenge)
		return
	case token.Resource != m.origin+o.path() && !o.AnyAudience:
		m.challenge(w, o, http.StatusUnauthorized, "invalid_token", "the access token is for another resource", o.Challenge)
		return
	}
	needs := slices.Concat(o.Needs, o.Tools[tool])
	if slices.ContainsFunc(needs, func(scope string) bool { return !slices.Contains(token.Scopes, scope) }) {
		scope := strings.Join(needs, " ")
		if o.HideNeed {
			scope = ""
		}
		m.challenge(w, o, http.StatusForbidden, "insufficient_scope", "this needs more than was agreed to", scope)
		return
	}
	m.serveTo(w, r, o, token)
}

// serveTo answers the holder of t.
func (m *Resource) serveTo(w http.ResponseWriter, r *http.Request, o ResourceOptions, t Token) {
	if o.Behind != nil {
		o.Behind.ServeHTTP(w, r)
		return
	}
	speak(w, r, o, t)
}

// called is the method of a message, and the name of the tool if it calls one.
func called(body []byte) (method, tool string) {
	var m struct {
		Method string
		Params struct{ Name string }
	}
	if json.Unmarshal(body, &m) != nil {
		return "", "" // whoever answers it says so
	}
	if m.Method == "tools/call" {
		tool = m.Params.Name
	}
	return m.Method, tool
}

// challenge answers that other credentials are needed.
func (m *Resource) challenge(w http.ResponseWriter, o ResourceOptions, status int, code, why, scope string) {
	var params []string
	add := func(name, value string) {
		if value != "" {
			params = append(params, name+`="`+value+`"`)
		}
	}
	add("error", code)
	add("error_description", why)
	add("scope", scope)
	if !o.NoMetadata && !o.HideMetadata {
		add("resource_metadata", m.origin+o.metadataPath())
	}
	w.Header().Set("WWW-Authenticate", strings.TrimSpace("Bearer "+strings.Join(params, ", ")))
	w.WriteHeader(status)
}
