package authtest

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// maxBody bounds a request, in bytes.
const maxBody = 1 << 20

// Request is one that a Server or a Resource was asked.
type Request struct {
	Method string
	Path   string
	Query  url.Values
	// Form is the body of a form post.
	Form   url.Values
	Header http.Header
	Body   []byte
	// Status is what it was answered with.
	Status int
}

// BasicAuth is the name and password of the request, if it has them so.
func (r Request) BasicAuth() (user, password string, ok bool) {
	return (&http.Request{Header: r.Header}).BasicAuth()
}

// Log is what happened at some servers: each request in the order it came, and
// each secret. Its zero value is ready; many servers may share one.
type Log struct {
	mu       sync.Mutex
	requests []Request
	secrets  []Secret
}

// Secret is something that only the client and one server may know.
type Secret struct {
	// Kind is "code", "access token", "refresh token", "client secret",
	// "verifier", "id token" or "state".
	Kind  string
	Value string
}

// Requests are all of them, or those with the path.
func (l *Log) Requests(path ...string) []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(path) == 0 {
		return slices.Clone(l.requests)
	}
	var some []Request
	for _, r := range l.requests {
		if slices.Contains(path, r.Path) {
			some = append(some, r)
		}
	}
	return some
}

// Secrets are all that were handed out or came in, each once.
func (l *Log) Secrets() []Secret {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.secrets)
}

// secret writes one down and returns it.
func (l *Log) secret(kind, value string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := (Secret{kind, value}); value != "" && !slices.Contains(l.secrets, s) {
		l.secrets = append(l.secrets, s)
	}
	return value
}

// recorded writes down each request before next answers it, and its status
// after that.
func (l *Log) recorded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "the request is too long", http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		entry := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Header: r.Header.Clone(), Body: body}
		if r.ParseForm() == nil {
			entry.Form = r.PostForm
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		l.mu.Lock()
		n := len(l.requests)
		l.requests = append(l.requests, entry)
		l.mu.Unlock()
		s := &status{ResponseWriter: w}
		next.ServeHTTP(s, r)
		l.mu.Lock()
		l.requests[n].Status = s.code
		l.mu.Unlock()
	})
}

// status keeps the status code that was written.
type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	if s.code == 0 {
		s.code = code
	}
	s.ResponseWriter.WriteHeader(code)
}

func (s *status) Write(b []byte) (int, error) {
	if s.code == 0 {
		s.code = http.StatusOK
	}
	return s.ResponseWriter.Write(b)
}

// Unwrap gives http.ResponseController the writer beneath.
func (s *status) Unwrap() http.ResponseWriter { return s.ResponseWriter }
