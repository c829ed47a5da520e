package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain/keychaintest"
	"parley/mcpclient/wire"
)

// rig is a person in front of sign-ins at an authorization server of authtest,
// with an MCP server behind it, both on one origin of loopback.
type rig struct {
	t      *testing.T
	as     *authtest.Server
	mcp    *authtest.Resource
	vault  *keychaintest.Keychain
	a      *Accounts
	server mcpclient.Server
	events chan Event
	told   func() []Event // all there were
}

func newRig(t *testing.T, o authtest.Options, ro authtest.ResourceOptions) *rig {
	t.Helper()
	r := &rig{t: t, vault: &keychaintest.Keychain{}}
	running, err := authtest.Start(func(origin string) http.Handler {
		r.as = authtest.New(origin, o, nil)
		r.mcp = authtest.NewResource(origin, r.as, ro)
		return r.mcp
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := running.Close(); err != nil {
			t.Error(err)
		}
	})
	r.server = mcpclient.Server{ID: "s", Name: "Travel desk", Kind: mcpclient.HTTP, URL: r.mcp.URL()}
	r.restart(Options{})
	return r
}

// restart begins a new run of the app over the same keychain, or the one of o.
func (r *rig) restart(o Options) {
	if r.a != nil {
		r.a.Close()
	}
	var mu sync.Mutex
	var all []Event
	events := make(chan Event, 1000)
	if o.Secrets == nil {
		o.Secrets = r.vault
	}
	o.Changed = func(e Event) {
		mu.Lock()
		all = append(all, e)
		mu.Unlock()
		events <- e
	}
	r.a, r.events = New(o), events
	r.told = func() []Event {
		mu.Lock()
		defer mu.Unlock()
		return append([]Event(nil), all...)
	}
	r.t.Cleanup(r.a.Close)
}

// state waits until a sign-in is told in the state.
func (r *rig) state(s State) SignIn {
	r.t.Helper()
	for {
		select {
		case e := <-r.events:
			if e.SignIn != nil && e.SignIn.State == s {
				return *e.SignIn
			}
		case <-r.t.Context().Done():
			r.t.Fatalf("no sign-in got to %q", s)
		}
	}
}

// request sends one request to the MCP server as the transport does, challenges
// included, and returns why it failed.
func (r *rig) request(ctx context.Context) error {
	z := r.a.Authorizer(r.server).(*authorizer)
	var last wire.Challenge
	for attempt, forbidden := 0, 0; ; attempt++ {
		credentials, err := z.Authorize(ctx, "")
		if err != nil {
			return err
		}
		q, err := http.NewRequestWithContext(ctx, http.MethodPost, r.server.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			return err
		}
		q.Header.Set("Content-Type", "application/json")
		q.Header.Set("Accept", "application/json, text/event-stream")
		if credentials != "" {
			q.Header.Set("Authorization", credentials)
		}
		resp, err := http.DefaultTransport.RoundTrip(q)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
			if attempt > 0 {
				z.Accepted(last)
			}
			return nil
		}
		if attempt == 5 { // as the transport
			return fmt.Errorf("challenged %d times", attempt+1)
		}
		last = wire.Challenge{Status: resp.StatusCode, Header: resp.Header.Values("WWW-Authenticate"), Sent: credentials, Attempt: attempt, Forbidden: forbidden}
		if resp.StatusCode == http.StatusForbidden {
			forbidden++
		}
		if err := z.Challenge(ctx, last); err != nil {
			return err
		}
	}
}

// started begins a request in the background, and returns what it comes to.
func (r *rig) started() <-chan error {
	done := make(chan error, 1)
	go func() { done <- r.request(r.t.Context()) }()
	return done
}

// agreed says yes to the sign-in that a request began.
func (r *rig) agreed() SignIn {
	r.t.Helper()
	s, err := r.a.Agree(r.t.Context(), r.state(NeedsConsent).ID)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// signedIn goes through a whole sign-in.
func (r *rig) signedIn() SignIn {
	r.t.Helper()
	done := r.started()
	s := r.agreed()
	visit(r.t, s.URL)
	if err := <-done; err != nil {
		r.t.Fatalf("signing in: %v", err)
	}
	return s
}

// page is what a browser got.
type page struct {
	status int
	header http.Header
	text   string
}

// visit opens an address as a browser does, redirects and all.
func visit(t *testing.T, address string) page {
	t.Helper()
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("the page does not end: %v", err)
	}
	return page{resp.StatusCode, resp.Header, string(text)}
}

// handled is a network on which one handler answers for every host.
func handled(h http.HandlerFunc) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		h(w, r)
		resp := w.Result()
		resp.Request = r
		return resp, r.Context().Err()
	})
}

// sentenceOf is the key of err's sentence.
func sentenceOf(t *testing.T, err error) string {
	t.Helper()
	refused, ok := errors.AsType[*Refused](err)
	if !ok {
		t.Fatalf("%v (%T) is no sentence", err, err)
	}
	if text := refused.Error(); text == "" || strings.Contains(text, "{{") || text == refused.text.ID {
		t.Errorf("%s: the sentence %q is not whole", refused.text.ID, text)
	}
	return refused.text.ID
}
