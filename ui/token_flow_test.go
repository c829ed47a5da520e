package ui

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
	"parley/mcpclient/keychain/keychaintest"
)

// memorySecrets is a keychain in memory as the window's tests see it.
type memorySecrets struct {
	keychaintest.Keychain
	any     string // the value of each secret that is not kept; "" for none
	retries atomic.Int32
}

// away is one that is locked.
func away() *memorySecrets {
	s := &memorySecrets{}
	s.Away(keychain.Locked)
	return s
}

func (s *memorySecrets) Get(ctx context.Context, k keychain.Key) (keychain.Secret, error) {
	v, err := s.Keychain.Get(ctx, k)
	if errors.Is(err, keychain.ErrNotFound) && s.any != "" {
		return keychain.NewSecret(s.any), nil
	}
	return v, err
}

// values are the secrets that are kept; for which address headers were given, which
// lies beside them, is none.
func (s *memorySecrets) values() (out []string) {
	for k, v := range s.All() {
		if k.Name != "sent headers are for" {
			out = append(out, v.Reveal())
		}
	}
	return out
}

// testTokens are the window's Tokens over a memorySecrets.
type testTokens struct {
	*auth.Accounts
	secrets *memorySecrets
}

func (t testTokens) Retry(ctx context.Context) error {
	t.secrets.retries.Add(1)
	return t.secrets.Retry(ctx)
}

const canary = "canary-4711"

// guarded is the address of the demo server behind a door that only the holder
// of canary passes.
func (r *rig) guarded() string {
	r.t.Helper()
	r.connected() // the demo
	to, err := url.Parse(r.s.desk.server(demoID).URL)
	must(r.t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		p.Out.URL.Scheme, p.Out.URL.Host, p.Out.Host = to.Scheme, to.Host, to.Host
	}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("Authorization") != "Bearer "+canary {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		proxy.ServeHTTP(w, q)
	}))
	r.t.Cleanup(func() {
		srv.CloseClientConnections() // the stream of notifications among them, which never ends
		srv.Close()
	})
	return srv.URL + to.Path
}

// noTrace fails if the token stands anywhere but in the keychain.
func (r *rig) noTrace() {
	r.t.Helper()
	if strings.Contains(r.text(), canary) {
		r.t.Error("the token stands on the page")
	}
	for _, e := range r.s.desk.servers {
		if strings.Contains(r.s.sideText(&e.said).String(), canary) {
			r.t.Error("the token stands in the log")
		}
	}
	r.notStored(canary)
}

// notStored fails if a secret stands in a file.
func (r *rig) notStored(secret string) {
	r.t.Helper()
	must(r.t, filepath.WalkDir(r.store.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if strings.Contains(string(raw), secret) {
			r.t.Errorf("a secret stands in %s", filepath.Base(path))
		}
		return err
	}))
}

// add enters a server at an address on its page, by the keyboard.
func (r *rig) add(address, token string) {
	r.t.Helper()
	r.shortcut(&desktop.CustomShortcut{KeyName: fyne.KeyN, Modifier: fyne.KeyModifierShortcutDefault})
	r.typing(address)
	r.tab()
	r.typing(token)
	r.ctrlEnter()
}

func TestToken_EnteredWhileAddingIsKeptAndUsed(t *testing.T) {
	secrets := &memorySecrets{}
	_, answer := secrets.Stop(keychain.Saving, "")
	defer answer()
	r := newRig(t, rigOptions{demo: true, secrets: secrets})
	r.add(r.guarded(), "Bearer "+canary+" ")
	r.wait(func() bool { return len(r.s.desk.servers) == 2 && r.s.desk.servers[0].token.busy })
	v := r.s.desk.servers[0]
	if v.tried || !strings.Contains(r.text(), "Asking the system’s keychain.") {
		t.Errorf("it is reached before its token is kept, or that is not said:\n%s", r.text())
	}
	answer()
	r.wait(func() bool { return v.offer != nil })
	if got := secrets.values(); len(got) != 1 || got[0] != canary {
		t.Errorf("%d values are kept, or another one", len(got))
	}
	r.noTrace()
	if r.s.adding.token != "" {
		t.Error("the token stays in the form")
	}
}

// TestToken_WithoutKeychainLivesForThisRun, which the page says, and can be
// tried again.
func TestToken_WithoutKeychainLivesForThisRun(t *testing.T) {
	secrets := away()
	r := newRig(t, rigOptions{demo: true, secrets: secrets})
	r.add(r.guarded(), canary)
	r.wait(func() bool { return len(r.s.desk.servers) == 2 && r.s.desk.servers[0].offer != nil })
	r.queue.Drain()
	if !strings.Contains(r.text(), "The keychain is locked and was not unlocked. What you entered is kept until you quit Parley") {
		t.Errorf("the page does not say that it is kept for this run only:\n%s", r.text())
	}
	r.noTrace()
	secrets.Back()
	r.press("Try again")
	r.wait(func() bool { return !r.s.desk.servers[0].token.busy })
	if r.button("Try again") != nil || secrets.retries.Load() != 1 {
		t.Errorf("after %d tries the page still reads:\n%s", secrets.retries.Load(), r.text())
	}
}

func TestToken_IsNotTakenForAnAddressWithoutEncryption(t *testing.T) {
	secrets := &memorySecrets{}
	r := newRig(t, rigOptions{demo: true, secrets: secrets})
	r.connected()
	r.add("http://mcp.example/mcp", canary)
	if !strings.Contains(r.text(), "This address is not encrypted") {
		t.Errorf("the page does not say why:\n%s", r.text())
	}
	if len(r.store.Servers()) != 0 || len(secrets.values()) != 0 {
		t.Error("something was stored")
	}
	if r.s.win.Canvas().Focused() != r.s.page.(*addPage).form.focus["token"] {
		t.Error("the keyboard is not at the token")
	}
	r.noTrace()
}

// TestToken_TheWayToSignInStandsOut when the server asks who the person is: it
// is the first thing offered, a wrong token can be replaced, and it all goes by
// the keyboard.
func TestToken_TheWayToSignInStandsOut(t *testing.T) {
	secrets := &memorySecrets{}
	r := newRig(t, rigOptions{demo: true, secrets: secrets})
	r.add(r.guarded(), "")
	lost := func() bool {
		return len(r.s.desk.servers) == 2 && r.s.desk.servers[0].status.State == mcpclient.Lost && !r.s.desk.servers[0].token.busy
	}
	r.wait(lost)
	r.queue.Drain()
	v := r.s.desk.servers[0]
	for _, c := range []struct{ says, enter string }{
		{"The server wants to know who you are.", "wrong"},
		{"The server does not accept your access token", canary},
	} {
		// The loss before this one may still be told of.
		r.wait(func() bool { return lost() && strings.Contains(r.text(), c.says) })
		for range 9 { // what is before it on the page
			if r.tab(); r.s.win.Canvas().Focused() == fyne.Focusable(r.button("Access token…")) {
				break
			}
		}
		r.key(fyne.KeySpace)
		r.typing(c.enter)
		r.ctrlEnter()
	}
	r.wait(func() bool { return v.offer != nil })
	r.noTrace()

	t.Run("an empty one is none", func(t *testing.T) {
		r.press("Access token…")
		r.ctrlEnter()
		if !strings.Contains(r.text(), "Enter the access token.") {
			t.Errorf("the page reads:\n%s", r.text())
		}
		r.key(fyne.KeyEscape)
		if v.token.open || r.s.win.Canvas().Focused() != fyne.Focusable(r.button("Access token…")) {
			t.Error("Esc does not close the entry, or the keyboard is lost")
		}
	})
	t.Run("what was entered is dropped by Esc", func(t *testing.T) {
		r.press("Access token…")
		r.typing("half")
		r.key(fyne.KeyEscape)
		if v.token.open || v.token.text != "" {
			t.Error("the entry is kept")
		}
	})
	t.Run("a redraw keeps the keyboard in the entry", func(t *testing.T) {
		r.press("Access token…")
		r.typing("ab")
		v.offer = nil
		r.s.touchServer(v.ID)
		r.typing("c")
		if v.token.text != "abc" {
			t.Errorf("the entry holds %d letters; want 3", len(v.token.text))
		}
		r.key(fyne.KeyEscape)
	})
	t.Run("a redraw keeps the keyboard on its button", func(t *testing.T) {
		r.s.win.Canvas().Focus(r.button("Access token…"))
		r.s.trouble[v.ID] = "Something."
		r.s.touchServer(v.ID)
		delete(r.s.trouble, v.ID)
		r.key(fyne.KeyReturn)
		if !v.token.open {
			t.Error("Enter does not reach the button")
		}
		r.key(fyne.KeyEscape)
	})
	t.Run("it can be removed", func(t *testing.T) {
		r.press("Access token…")
		r.press("Remove the stored token")
		r.wait(func() bool { return !v.token.busy })
		if len(secrets.values()) != 0 || !strings.Contains(r.text(), "No access token is kept for this server any more.") {
			t.Errorf("%d kept; the page reads:\n%s", len(secrets.values()), r.text())
		}
	})
}

// TestToken_GoesWithItsServer: secrets that cannot be removed keep the server in
// the list until the person decides.
func TestToken_GoesWithItsServer(t *testing.T) {
	for name, c := range map[string]struct {
		act  func(*rig, *memorySecrets)
		gone bool
	}{
		"keep":   {func(r *rig, _ *memorySecrets) { r.press("Keep it") }, false},
		"again":  {func(r *rig, s *memorySecrets) { s.Back(); r.press("Try again") }, true},
		"anyway": {func(r *rig, _ *memorySecrets) { r.press("Remove it anyway") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			secrets := &memorySecrets{}
			r := newRig(t, rigOptions{demo: true, secrets: secrets})
			r.add(r.guarded(), canary)
			r.wait(func() bool { return len(r.s.desk.servers) == 2 && r.s.desk.servers[0].offer != nil })
			v := r.s.desk.servers[0]
			secrets.Away(keychain.Locked)
			r.press("Remove server")
			r.press("Remove it")
			r.wait(func() bool { return !v.removing })
			if !strings.Contains(r.text(), "its secrets could not be removed") || len(r.store.Servers()) != 1 {
				t.Fatalf("the page reads:\n%s", r.text())
			}
			c.act(r, secrets)
			r.wait(func() bool { return !v.removing && (len(r.s.desk.servers) == 1) == c.gone })
			if got := len(r.store.Servers()) == 0; got != c.gone || (r.s.at.section == sectionQuestions) != c.gone {
				t.Errorf("removed %v, at %v; want removed %v", got, r.s.at, c.gone)
			}
		})
	}
}

// TestToken_AServerWithoutSecretsJustGoes, also where there is no keychain to
// ask: one sentence then says what may remain.
func TestToken_AServerWithoutSecretsJustGoes(t *testing.T) {
	for locked, secrets := range map[bool]*memorySecrets{false: {}, true: away()} {
		r := newRig(t, rigOptions{demo: true, secrets: secrets})
		r.add(r.guarded(), "")
		r.wait(func() bool { return len(r.s.desk.servers) == 2 && r.s.desk.servers[0].status.State == mcpclient.Lost })
		r.queue.Drain()
		r.press("Remove server")
		r.press("Remove it")
		r.wait(func() bool { return len(r.s.desk.servers) == 1 && r.s.at.section == sectionQuestions })
		if said := strings.Contains(r.text(), "may still be stored there"); said != locked || len(r.store.Servers()) != 0 {
			t.Errorf("locked %v: it says so %v, %d servers are left", locked, said, len(r.store.Servers()))
		}
		r.s.choose(route{section: sectionSettings})
		r.s.choose(route{section: sectionQuestions})
		if strings.Contains(r.text(), "may still be stored there") {
			t.Error("it is said more than once")
		}
	}
}

func TestToken_NoneForProgramsAndTheDemo(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), demo: true, secrets: &memorySecrets{}})
	r.connected()
	for _, v := range r.s.desk.servers {
		r.s.choose(route{section: sectionServer, id: v.ID})
		if r.button("Access token…") != nil {
			t.Errorf("%s takes a token", v.Name)
		}
	}
}

// TestDemo_WaitsForNoKeychain: one that asks the person, or does not answer, does not
// hold up what needs nothing of it.
func TestDemo_WaitsForNoKeychain(t *testing.T) {
	secrets := &memorySecrets{}
	_, answer := secrets.Stop(keychain.Reading, "")
	defer answer()
	r := newRig(t, rigOptions{demo: true, secrets: secrets})
	r.connected()
}
