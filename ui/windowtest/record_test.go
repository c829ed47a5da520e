//go:build linux && window

package windowtest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"parley/forms/rawjson"
	"parley/mcpclient/demo"
)

// recorder is the demo server behind a proxy that keeps every byte the app
// sends it.
type recorder struct {
	// URL is where the app reaches it.
	URL string

	mu   sync.Mutex
	sent []json.RawMessage
}

// startRecorder starts the demo server, which speaks language by itself, and
// the proxy before it; both end with t.
func startRecorder(t *testing.T, language string) *recorder {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- demo.Run(ctx, demo.Options{Language: language, Version: "2.1"}, func(url string) { ready <- url })
	}()
	var at string
	select {
	case at = <-ready:
	case err := <-ended:
		t.Fatalf("the demo server: %v", err)
	}
	target, err := url.Parse(strings.TrimSuffix(at, demo.Path))
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite:       func(p *httputil.ProxyRequest) { p.SetURL(target) },
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		r.sent = append(r.sent, body)
		r.mu.Unlock()
		req.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, req)
	}))
	t.Cleanup(func() {
		cancel()
		front.CloseClientConnections()
		front.Close()
		if err := <-ended; err != nil {
			t.Errorf("the demo server: %v", err)
		}
	})
	r.URL = front.URL + demo.Path
	return r
}

// heard reports whether the app has sent a request with the method.
func (r *recorder) heard(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, raw := range r.sent {
		if message, err := rawjson.Object(raw); err == nil {
			if m, _ := rawjson.String(rawjson.Get(message, "method")); m == method {
				return true
			}
		}
	}
	return false
}

// answers are the inputResponses the app has sent, in order, as their bytes.
func (r *recorder) answers() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, raw := range r.sent {
		message, err := rawjson.Object(raw)
		if err != nil {
			continue
		}
		params, err := rawjson.Object(rawjson.Get(message, "params"))
		if err != nil {
			continue
		}
		if a := rawjson.Get(params, "inputResponses"); a != nil {
			out = append(out, string(a))
		}
	}
	return out
}

var hiddenInput = regexp.MustCompile(`<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"`)

// pressLink does what a person does on the page that was opened: it reads it
// and presses its first button.
func pressLink(t *testing.T, page string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	resp, err := browser.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	html, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	values := url.Values{"choice": {"link"}}
	for _, m := range hiddenInput.FindAllStringSubmatch(string(html), -1) {
		values.Set(m[1], m[2])
	}
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, page, strings.NewReader(values.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", u.Scheme+"://"+u.Host)
	resp, err = browser.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode >= 400 {
		t.Fatalf("pressing the page's button: %s", resp.Status)
	}
}
