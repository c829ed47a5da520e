package auth

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
)

// back is the address that the browser is sent back to, with an answer to the
// sign-in s in its query.
func back(t *testing.T, s SignIn, answer map[string]string) string {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := url.Values{"state": {u.Query().Get("state")}}
	for name, value := range answer {
		q.Set(name, value)
	}
	return s.Redirect + "?" + q.Encode()
}

// whole holds a page to what every page is: complete, closed, in itself, and
// asking the person back to the app.
func whole(t *testing.T, p page) {
	t.Helper()
	if !strings.HasPrefix(p.text, "<!DOCTYPE html>") || !strings.HasSuffix(strings.TrimSpace(p.text), "</html>") {
		t.Errorf("the page is not whole: %q", p.text)
	}
	if !strings.Contains(p.text, "return to Parley") {
		t.Error("the page does not say where to go on")
	}
	for _, loads := range []string{"<script", "http://", "https://", "<img", "url(", "@import", "<iframe", "automatically"} {
		if strings.Contains(p.text, loads) {
			t.Errorf("the page has %q in it", loads)
		}
	}
	for header, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		"Content-Type": "text/html; charset=utf-8",
	} {
		if got := p.header.Get(header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
	if !strings.Contains(p.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error("the page might load something")
	}
}

// TestB97: what the browser ends on.
func TestB97_TheBrowserEndsOnAWholePageThatSaysToReturn(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	done := r.started()
	s := r.agreed()
	if icon := visit(t, strings.TrimSuffix(s.Redirect, "/callback")+"/favicon.ico"); icon.status != http.StatusNotFound {
		t.Errorf("the icon that is asked for first: %d", icon.status)
	}
	for name, answer := range map[string]map[string]string{
		"another state": {"state": "0123456789abcdef0123456789abcdef", "code": "x"},
		"no state":      {"state": "", "code": "x"},
		"an error":      {"state": "wrong", "error": "access_denied", "error_description": "<b>x</b>"},
	} {
		p := visit(t, back(t, s, answer))
		whole(t, p)
		if p.status != http.StatusBadRequest || strings.Contains(p.text, "<b>") {
			t.Errorf("%s: %d %s", name, p.status, p.text)
		}
	}
	if state := r.a.SignIns()[0].State; state != InBrowser {
		t.Fatalf("a wrong state brought the sign-in to %q", state)
	}
	p := visit(t, s.URL)
	whole(t, p)
	if p.status != http.StatusOK || !strings.Contains(p.text, "Parley has your answer") {
		t.Errorf("signed in: %d %s", p.status, p.text)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestB97_ASecondAnswerChangesNothing(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	hold, got := make(chan struct{}), make(chan struct{}, 2)
	r.as.Set(func(o *authtest.Options) {
		o.Intercept = func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path == r.as.Endpoint("token") {
				got <- struct{}{}
				<-hold
			}
			return false
		}
	})
	done := r.started()
	s := r.agreed()
	whole(t, visit(t, s.URL))
	<-got // the exchange is under way
	for _, answer := range []map[string]string{{"code": "again"}, {"error": "access_denied"}} {
		p := visit(t, back(t, s, answer))
		whole(t, p)
		if !strings.Contains(p.text, "already received") {
			t.Errorf("the second answer: %s", p.text)
		}
	}
	close(hold)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if len(got) != 0 {
		t.Error("there was a second exchange")
	}
}

func TestACancelDuringTheExchangeGivesBackWhatComesOfIt(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	hold, got := make(chan struct{}), make(chan struct{}, 2)
	r.as.Set(func(o *authtest.Options) {
		o.Intercept = func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path == r.as.Endpoint("token") {
				got <- struct{}{}
				<-hold
			}
			return false
		}
	})
	// The person's no comes when the answer is there and nothing was stored yet.
	base := http.DefaultTransport
	r.restart(Options{Transport: roundTripper(func(q *http.Request) (*http.Response, error) {
		resp, err := base.RoundTrip(q.WithContext(context.WithoutCancel(q.Context())))
		if q.URL.Path == r.as.Endpoint("token") && err == nil {
			if err := r.a.Cancel(r.a.SignIns()[0].ID); err != nil {
				t.Error(err)
			}
		}
		return resp, err
	})})
	done := r.started()
	visit(t, r.agreed().URL)
	<-got
	close(hold)
	if sentenceOf(t, <-done) != "auth.signin.cancelled" {
		t.Error("it does not say that the person cancelled")
	}
	r.a.work.Wait()
	if who, err := r.a.Who(t.Context(), r.server); err != nil || who.SignedIn() {
		t.Errorf("signed in all the same: %+v, %v", who, err)
	}
	if n := len(r.as.Log().Requests(r.as.Endpoint("revoke"))); n != 2 {
		t.Errorf("%d tokens given back, want 2", n)
	}
}

func TestB97_WhatTheAuthoritySaysIsEscapedAndNothingElseIsDone(t *testing.T) {
	for name, c := range map[string]struct {
		answer map[string]string
		state  State
		key    string
		shows  string // on the page
		hides  string
	}{
		"a refusal": {map[string]string{"error": "access_denied", "error_description": `<b>x</b>"'&`}, Declined,
			"auth.signin.refused.reason", "&lt;b&gt;x&lt;/b&gt;", "<b>x"},
		"a refusal without a word": {map[string]string{"error": "access_denied"}, Declined, "auth.signin.refused", "was not granted", "access_denied"},
		"a fault":                  {map[string]string{"error": "server_error", "error_description": "tea\u202ebreak"}, Failed, "auth.signin.denied", "tea", "\u202e"},
		"no code":                  {map[string]string{}, Failed, "auth.signin.answer", "does not complete a sign-in", ""},
		"an error of somebody else": {map[string]string{"error": "access_denied", "error_description": "evil words", "iss": "https://evil.example"}, Failed,
			"auth.signin.mixup", "does not come from", "evil"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, authtest.Options{HideIss: true}, authtest.ResourceOptions{})
			done := r.started()
			s := r.agreed()
			p := visit(t, back(t, s, c.answer))
			whole(t, p)
			if !strings.Contains(p.text, c.shows) || c.hides != "" && strings.Contains(p.text, c.hides) {
				t.Errorf("the page: %s", p.text)
			}
			if key := sentenceOf(t, <-done); key != c.key {
				t.Errorf("the request ends with %s, want %s", key, c.key)
			}
			if told := r.state(c.state); told.Text.ID != c.key {
				t.Errorf("told %s", told.Text.ID)
			}
			if n := len(r.as.Log().Requests(r.as.Endpoint("token"))); n != 0 {
				t.Errorf("%d exchanges", n)
			}
		})
	}
}

// RFC 9207 section 2.4, MCP authorization "Authorization Response Validation".
func TestTheIssuerOfAnAnswerIsComparedAsAPlainString(t *testing.T) {
	for _, c := range []struct {
		named bool // in the metadata
		iss   string
		right bool
	}{
		{true, "=", true}, {false, "=", true}, {false, "", true},
		{true, "", false}, {true, "=/", false}, {false, "=/", false}, {true, "https://evil.example", false}, {false, "HTTP=", false},
	} {
		s := &signIn{at: authority{issuer: "https://as.example", names: c.named}, data: SignIn{Host: "as.example"}}
		q := url.Values{"code": {"x"}}
		if c.iss != "" {
			q.Set("iss", strings.Replace(strings.Replace(c.iss, "HTTP=", "HTTPS://as.example", 1), "=", s.at.issuer, 1))
		}
		got := s.judge(q)
		if (got.code == "x") != c.right || (got.why == nil) != c.right {
			t.Errorf("advertised %v, iss %q: %+v", c.named, q.Get("iss"), got)
		}
	}
	if got := (&signIn{}).judge(url.Values{"code": {"a", "b"}}); got.why == nil {
		t.Error("an answer with two codes was taken")
	}
}

func TestTheDoorAnswersToItsOwnNameAndToGetOnly(t *testing.T) {
	r := newRig(t, authtest.Options{}, authtest.ResourceOptions{})
	done := r.started()
	s := r.agreed()
	for name, change := range map[string]func(*http.Request){
		"a name that leads here": func(q *http.Request) { q.Host = "rebound.example" },
		"POST":                   func(q *http.Request) { q.Method = http.MethodPost },
		"HEAD":                   func(q *http.Request) { q.Method = http.MethodHead },
	} {
		q, err := http.NewRequest(http.MethodGet, back(t, s, map[string]string{"code": "x"}), nil)
		if err != nil {
			t.Fatal(err)
		}
		change(q)
		resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(q)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode < 400 {
			t.Errorf("%s: %d", name, resp.StatusCode)
		}
	}
	if state := r.a.SignIns()[0].State; state != InBrowser {
		t.Errorf("the sign-in is %s", state)
	}
	if err := r.a.Cancel(s.ID); err != nil {
		t.Error(err)
	}
	<-done
}

func TestThePageIsInThePersonsLanguage(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.restart(Options{Localizer: func() *i18n.Localizer { return i18n.New("zh-Hans") }})
	done := r.started()
	s := r.agreed()
	p := visit(t, s.URL)
	if !strings.Contains(p.text, `lang="zh-Hans"`) || !strings.Contains(p.text, "返回 Parley") || strings.Contains(p.text, "return to") {
		t.Errorf("the page: %s", p.text)
	}
	<-done
}

// TestB93: browsers leave out the port of a host that is the scheme's own.
func TestB93_APortThatTheBrowserDoesNotNameIsTheSchemesOwn(t *testing.T) {
	for _, c := range []struct {
		door, host string
		status     int
	}{
		{"127.0.0.1:80", "127.0.0.1", http.StatusOK},
		{"127.0.0.1:80", "127.0.0.1:80", http.StatusOK},
		{"localhost:80", "LocalHost", http.StatusOK},
		{"[::1]:80", "[::1]", http.StatusOK},
		{"127.0.0.1:80", "127.0.0.1:8080", http.StatusForbidden},
		{"127.0.0.1:80", "localhost", http.StatusForbidden},
		{"127.0.0.1:8080", "127.0.0.1", http.StatusForbidden},
		{"127.0.0.1:8080", "127.0.0.1:80", http.StatusForbidden},
		{"127.0.0.1:80", "evil.example", http.StatusForbidden},
	} {
		d := &door{path: "/callback", host: c.door, came: make(chan returned, 1)} // nothing is listened to
		var work sync.WaitGroup
		d.serve(&work, "state", func(url.Values) returned { return returned{code: "x"} }, func(http.ResponseWriter, sight) {})
		w := httptest.NewRecorder()
		q := httptest.NewRequest(http.MethodGet, "/callback?state=state&code=x", nil)
		q.Host = c.host
		d.server.Handler.ServeHTTP(w, q)
		if w.Code != c.status {
			t.Errorf("at %s, asked for as %s: %d, want %d", c.door, c.host, w.Code, c.status)
		}
		d.close()
		work.Wait()
	}
}

// A free port is one that is free on both loopback addresses; a fixed one is not
// replaced.
func TestAPortThatIsTakenOnTheOtherLoopbackAddressIsNoFreeOne(t *testing.T) {
	for name, c := range map[string]struct {
		port, taken int // on how many tries ::1 has it
		tries       int
		opens       bool
	}{
		"free":               {0, 0, 1, true},
		"taken at first":     {0, 2, 3, true},
		"taken at each try":  {0, 99, maxPorts, false},
		"a fixed one, taken": {1, 99, 1, false},
	} {
		tries, open := 0, 0
		listen := func(network, address string) (net.Listener, error) {
			if strings.HasPrefix(address, "127.0.0.1:") {
				tries++
			} else if tries <= c.taken {
				return nil, syscall.EADDRINUSE
			}
			l, err := net.Listen(network, "127.0.0.1:0")
			if err == nil {
				open++
				l = &counted{l, &open}
			}
			return l, err
		}
		d, err := openDoorBy(listen, mcpclient.SignIn{Host: "localhost"}, c.port)
		if (err == nil) != c.opens || tries != c.tries || err != nil && sentenceOf(t, err) != "auth.signin.port" {
			t.Errorf("%s: %v after %d tries", name, err, tries)
		}
		if err == nil {
			d.close()
		}
		if open != 0 {
			t.Errorf("%s: %d ports stay open", name, open)
		}
	}
}

// counted is a listener that counts those that are open.
type counted struct {
	net.Listener
	open *int
}

func (l *counted) Close() error {
	*l.open--
	return l.Listener.Close()
}
