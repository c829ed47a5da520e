package auth

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/keychain"
	"parley/mcpclient/keychain/keychaintest"
)

// accounts are Accounts over secrets that end with the test.
func accounts(t *testing.T, secrets Secrets) *Accounts {
	a := New(Options{Secrets: secrets})
	t.Cleanup(a.Close)
	return a
}

const canary = "canary-4711"

// guarded is an MCP address that lets nobody in but the holder of canary; it
// then says that it is no MCP server, which is as far as these tests need it.
func guarded(t *testing.T) (mcpclient.Server, func() []string) {
	var mu sync.Mutex
	var seen []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Header.Get("Authorization"))
		mu.Unlock()
		if r.Header.Get("Authorization") != "Bearer "+canary {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(srv.Close)
	return mcpclient.Server{ID: "s", Name: "s", Kind: mcpclient.HTTP, URL: srv.URL + "/mcp"}, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return seen
	}
}

// connect tries to connect and returns the sentence why it could not.
func connect(t *testing.T, tokens *Accounts, s mcpclient.Server) string {
	t.Helper()
	c, err := mcpclient.New(mcpclient.Options{Authorizer: tokens.Authorizer})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	_, err = c.Connect(t.Context(), s)
	if err == nil {
		t.Fatal("a teapot was taken for an MCP server")
	}
	return err.Error()
}

func TestAServerThatWantsATokenSaysSoInWords(t *testing.T) {
	s, _ := guarded(t)
	for name, c := range map[string]struct {
		token string
		fail  error
		want  string
	}{
		"no token":      {"", nil, "Add an access token"},
		"a wrong token": {"old", nil, "may have expired"},
	} {
		tokens := accounts(t, &keychaintest.Keychain{})
		if c.token != "" {
			if err := tokens.Keep(t.Context(), s, c.token); err != nil {
				t.Fatal(err)
			}
		}
		if got := connect(t, tokens, s); !strings.Contains(got, c.want) || strings.Contains(got, "old") && c.token == "old" {
			t.Errorf("%s: %s", name, got)
		}
	}
	damaged := &keychaintest.Keychain{}
	damaged.Fail(keychain.ErrDamaged)
	if got := connect(t, accounts(t, damaged), s); !strings.HasPrefix(got, "The server wants to know who you are. ") || !strings.HasSuffix(got, "The stored secret is incomplete. Enter it again.") {
		t.Errorf("a keychain that fails: %s", got)
	}
}

func TestATokenGoesToTheOriginItWasGivenForAndNowhereElse(t *testing.T) {
	s, seen := guarded(t)
	other, otherSeen := guarded(t)
	tokens := accounts(t, &keychaintest.Keychain{})
	if err := tokens.Keep(t.Context(), s, " Bearer "+canary+"\n"); err != nil {
		t.Fatal(err)
	}
	if got := connect(t, tokens, s); strings.Contains(got, canary) {
		t.Errorf("the token is in the sentence %q", got)
	}
	if len(seen()) == 0 || seen()[0] != "Bearer "+canary {
		t.Error("the token was not sent")
	}
	s.URL = other.URL // the same server, edited to another address
	connect(t, tokens, s)
	for _, h := range otherSeen() {
		if h != "" {
			t.Error("the token was sent to another origin")
		}
	}
	s, _ = guarded(t)
	if err := tokens.Forget(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
}

func TestARemovedServersTokenIsGone(t *testing.T) {
	s, seen := guarded(t)
	tokens := accounts(t, &keychaintest.Keychain{})
	if err := tokens.Keep(t.Context(), s, canary); err != nil {
		t.Fatal(err)
	}
	if err := tokens.Forget(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	connect(t, tokens, s)
	for _, h := range seen() {
		if h != "" {
			t.Error("the token of a removed server was sent")
		}
	}
}

func TestWhatCannotBeATokenIsRefusedInWords(t *testing.T) {
	s, _ := guarded(t)
	for _, bad := range []string{"two words", "tab\tin it", "名", "line\nbreak"} {
		err := accounts(t, &keychaintest.Keychain{}).Keep(t.Context(), s, bad)
		var refused *Refused
		if !errors.As(err, &refused) || strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAProgramHasNoToken(t *testing.T) {
	if accounts(t, &keychaintest.Keychain{}).Authorizer(mcpclient.Server{Kind: mcpclient.Stdio}) != nil {
		t.Error("a program was given an authorizer")
	}
}

// TestTokensAreNotSentInTheClear: an address without encryption gets no token,
// unless it is this computer.
func TestTokensAreNotSentInTheClear(t *testing.T) {
	for url, want := range map[string]bool{
		"https://mcp.example/mcp":    true,
		"http://127.0.0.1:8080/mcp":  true,
		"http://[::1]:8080/mcp":      true,
		"http://localhost/mcp":       true,
		"http://mcp.example/mcp":     false,
		"http://192.168.1.20/mcp":    false,
		"http://localhost.evil/mcp":  false,
		"http://127.0.0.1.evil/mcp":  false,
		"http://mcp.example:443/mcp": false,
		"ftp://mcp.example/mcp":      false,
	} {
		secrets := &keychaintest.Keychain{}
		s := mcpclient.Server{ID: "s", Kind: mcpclient.HTTP, URL: url}
		err := accounts(t, secrets).Keep(t.Context(), s, canary)
		if (err == nil) != want || (len(secrets.All()) == 1) != want {
			t.Errorf("%s: %v, %d kept; want kept: %v", url, err, len(secrets.All()), want)
		}
		if err != nil && strings.Contains(err.Error(), canary) {
			t.Errorf("the error repeats the token: %v", err)
		}
	}
}

func TestDroppingATokenLeavesTheOtherSecretsOfTheServer(t *testing.T) {
	s, _ := guarded(t)
	m := &keychaintest.Keychain{}
	other := keychain.Key{Server: s.ID, Name: "env KEY"}
	if err := errors.Join(m.Set(t.Context(), other, keychain.NewSecret("x")), accounts(t, m).Keep(t.Context(), s, canary)); err != nil {
		t.Fatal(err)
	}
	if err := accounts(t, m).Drop(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if _, kept := m.All()[other]; !kept || len(m.All()) != 1 {
		t.Errorf("%d secrets stay; want the other one", len(m.All()))
	}
}
