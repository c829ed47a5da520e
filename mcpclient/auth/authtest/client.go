package authtest

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// document is what a client says of itself: a registration (RFC 7591 section 2)
// or the metadata document that its id is the address of.
type document struct {
	ClientID        string   `json:"client_id,omitempty"`
	ClientName      string   `json:"client_name,omitempty"`
	RedirectURIs    []string `json:"redirect_uris"`
	Method          string   `json:"token_endpoint_auth_method,omitempty"`
	GrantTypes      []string `json:"grant_types,omitempty"`
	ResponseTypes   []string `json:"response_types,omitempty"`
	ApplicationType string   `json:"application_type,omitempty"`
	Scope           string   `json:"scope,omitempty"`
}

// registered is the answer to a registration (RFC 7591 section 3.2.1).
type registered struct {
	document
	Secret  string `json:"client_secret,omitempty"`
	Issued  int64  `json:"client_id_issued_at"`
	Expires *int64 `json:"client_secret_expires_at,omitempty"`
}

func (s *Server) register(w http.ResponseWriter, r *http.Request, o Options) {
	const badMetadata = "invalid_client_metadata"
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var d document
	if err := json.NewDecoder(r.Body).Decode(&d); err != nil {
		refuse(w, http.StatusBadRequest, badMetadata, "this is no JSON object of a client")
		return
	}
	if len(d.RedirectURIs) == 0 {
		refuse(w, http.StatusBadRequest, "invalid_redirect_uri", "redirect_uris is missing")
		return
	}
	for _, uri := range d.RedirectURIs {
		if why := wrongRedirect(uri, d.ApplicationType, o); why != "" {
			refuse(w, http.StatusBadRequest, "invalid_redirect_uri", why)
			return
		}
	}
	if d.Method == "" {
		d.Method = Basic // RFC 7591 section 2
	}
	if !slices.Contains(o.methods(), d.Method) {
		refuse(w, http.StatusBadRequest, badMetadata, "this token_endpoint_auth_method is not supported")
		return
	}
	d.ClientID = "client-" + rand.Text()
	c := &Client{ID: d.ClientID, Name: d.ClientName, Method: d.Method, Redirects: d.RedirectURIs}
	answer := registered{document: d, Issued: o.now().Unix()}
	if d.Method != None {
		c.Secret = s.log.secret("client secret", rand.Text())
		answer.Secret, answer.Expires = c.Secret, new(int64)
	}
	s.mu.Lock()
	s.clients[c.ID] = c
	s.mu.Unlock()
	raw, err := json.Marshal(answer)
	said := map[string]any{}
	if err == nil {
		err = json.Unmarshal(raw, &said)
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, "server_error", "the registration cannot be said")
		return
	}
	replace(said, o.Registration)
	reply(w, http.StatusCreated, said)
}

// wrongRedirect says what is wrong with a redirect URI; "" if nothing is.
func wrongRedirect(uri, application string, o Options) string {
	u, err := url.Parse(uri)
	switch {
	case err != nil || u.Fragment != "" || u.Host == "" && u.Scheme == "http":
		return "a redirect URI is an absolute address without a fragment"
	case o.Native && u.Scheme == "http" && application != "native":
		return "http is for native applications"
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return "http is for this computer"
	}
	return ""
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// Forget makes a registered client unknown again, as servers do after a while;
// "" forgets all of them.
func (s *Server) Forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for known := range s.clients {
		if id == "" || id == known {
			delete(s.clients, known)
		}
	}
}

// client finds the client with the id, by its document if it is an address.
func (s *Server) client(ctx context.Context, id string, o Options) (*Client, error) {
	s.mu.Lock()
	c := s.clients[id]
	s.mu.Unlock()
	if c != nil {
		return c, nil
	}
	if o.Document == nil || !strings.HasPrefix(id, "https://") {
		return nil, fmt.Errorf("the client is not known")
	}
	raw, err := o.Document(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("the client's document: %w", err)
	}
	var d document
	if err := json.Unmarshal(raw, &d); err != nil || d.ClientID != id {
		return nil, fmt.Errorf("the client's document is not that of this client")
	}
	return &Client{ID: id, Name: d.ClientName, Method: None, Redirects: d.RedirectURIs}, nil
}

// redirects says whether a client may be sent back to uri.
func (c *Client) redirects(uri string, anyPort bool) bool {
	if slices.Contains(c.Redirects, uri) {
		return true
	}
	return anyPort && slices.ContainsFunc(c.Redirects, func(known string) bool {
		return portless(known) != "" && portless(known) == portless(uri)
	})
}

// portless is a loopback address without its port; "" for others.
func portless(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || !isLoopback(u.Hostname()) {
		return ""
	}
	u.Host = u.Hostname()
	return u.String()
}

// authenticate finds out which client asks the token or revocation endpoint, by
// the method it is registered for. It has answered if the result is nil.
func (s *Server) authenticate(w http.ResponseWriter, r *http.Request, o Options) *Client {
	const unknown = "invalid_client"
	method, id, secret := None, r.PostForm.Get("client_id"), ""
	if user, password, ok := r.BasicAuth(); ok {
		var errUser, errPassword error
		method = Basic
		// RFC 6749 section 2.3.1: both are form-encoded first.
		user, errUser = url.QueryUnescape(user)
		secret, errPassword = url.QueryUnescape(password)
		if errUser != nil || errPassword != nil || id != "" && id != user {
			refuse(w, http.StatusBadRequest, "invalid_request", "two clients at once, or none that can be read")
			return nil
		}
		id = user
	}
	if r.PostForm.Has("client_secret") {
		if method == Basic {
			refuse(w, http.StatusBadRequest, "invalid_request", "two ways to say who the client is")
			return nil
		}
		method, secret = Post, r.PostForm.Get("client_secret")
	}
	c, err := s.client(r.Context(), id, o)
	why := ""
	switch {
	case err != nil:
		why = err.Error()
	case c.Method != method:
		why = "this client has to use " + c.Method
	case subtle.ConstantTimeCompare([]byte(c.Secret), []byte(secret)) != 1:
		why = "the client secret is wrong"
	default:
		return c
	}
	if method == Basic {
		w.Header().Set("WWW-Authenticate", `Basic realm="authtest"`)
	}
	refuse(w, http.StatusUnauthorized, unknown, why)
	return nil
}
