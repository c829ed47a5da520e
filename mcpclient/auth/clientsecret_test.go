package auth

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
	"parley/mcpclient/keychain/keychaintest"
)

// owned is a person with a client id and a secret of their own, who signs in with
// it or lets the app do so, at an authorization server that can be another one.
func owned(t *testing.T, service bool) *rig {
	t.Helper()
	o := grants
	o.AnyPort, o.Path, o.Methods = true, "/one", []string{authtest.Basic}
	o.Clients = []authtest.Client{{ID: "app", Secret: "s3cret", Redirects: []string{"http://127.0.0.1/callback"}}}
	r := newRig(t, o, authtest.ResourceOptions{})
	r.server.SignIn = mcpclient.SignIn{ClientID: "app", Issuer: r.as.Issuer(), Service: service}
	return r
}

// moves makes the server name another issuer, and the person enter that.
func (r *rig) moves(path string) {
	r.t.Helper()
	r.as.Set(func(o *authtest.Options) { o.Path = path })
	before := r.server
	r.server.SignIn.Issuer = r.as.Issuer()
	if err := r.a.SetUp(r.t.Context(), before, r.server, ""); err != nil {
		r.t.Fatal(err)
	}
}

// tries sends a request and goes through what it asks for.
func (r *rig) tries() error {
	done := r.started()
	if r.server.SignIn.Service {
		return <-done
	}
	s, err := r.asksOrGoes(done)
	if s.ID == "" {
		return err
	}
	if s, err = r.a.Agree(r.t.Context(), s.ID); err == nil {
		visit(r.t, s.URL)
	}
	return <-done
}

// sent are the paths at which the authorization server was given the secret.
func (r *rig) sent() (paths []string) {
	for _, q := range r.as.Log().Requests() {
		if _, password, _ := q.BasicAuth(); password == "s3cret" || strings.Contains(string(q.Body), "s3cret") {
			paths = append(paths, q.Path)
		}
	}
	return slices.Compact(paths)
}

// inStore reports whether the keychain has an entry of a name, by how that begins.
func (r *rig) inStore(prefix string) bool {
	return slices.ContainsFunc(r.vault.Keys(), func(k keychain.Key) bool { return strings.HasPrefix(k.Name, prefix) })
}

// TestAClientSecretStaysWithTheIssuerItWasGivenFor: whoever edits the issuer, here or
// in the file, and whether or not it was used before, moves no secret with it; to edit
// back finds it again.
func TestAClientSecretStaysWithTheIssuerItWasGivenFor(t *testing.T) {
	for _, service := range []bool{false, true} {
		for _, used := range []bool{false, true} {
			for _, later := range []bool{false, true} {
				r := owned(t, service)
				first := r.server
				if err := r.a.KeepClientSecret(t.Context(), r.server, "s3cret"); err != nil {
					t.Fatal(err)
				}
				if used {
					if err := r.tries(); err != nil {
						t.Fatal(err)
					}
				}
				if later {
					r.restart(Options{})
				}
				before := len(r.sent())
				r.moves("/two")
				if id := sentenceOf(t, r.tries()); id != "auth.signin.secret.elsewhere" {
					t.Errorf("service %v, used %v, later %v: it says %s", service, used, later, id)
				}
				if paths := r.sent()[before:]; len(paths) > 0 {
					t.Errorf("service %v, used %v, later %v: the secret went to %q", service, used, later, paths)
				}
				stored, err := r.a.ClientSecrets(t.Context(), r.server)
				if how, whose := stored.Fit(SetupOf(r.server.SignIn)); err != nil || how != SecretElsewhere || whose != first.SignIn.Issuer {
					t.Errorf("stored is %v, %v: %s of %q", stored, err, how, whose)
				}
				r.moves("/one")
				r.a.Again(r.server.ID)
				if err := r.tries(); err != nil {
					t.Errorf("service %v, used %v, later %v: edited back: %v", service, used, later, err)
				}
				if !used { // else they are still signed in
					if paths := r.sent()[before:]; !slices.Equal(paths, []string{"/one/token"}) {
						t.Errorf("edited back the secret went to %q", paths)
					}
				}
			}
		}
	}
}

// TestTwoIssuersHaveTwoSecrets of one client id, and each gets its own; to remove one
// leaves the other, and with the server all are gone.
func TestTwoIssuersHaveTwoSecrets(t *testing.T) {
	r := owned(t, true)
	if err := r.a.KeepClientSecret(t.Context(), r.server, "s3cret"); err != nil {
		t.Fatal(err)
	}
	r.moves("/two")
	r.as.Set(func(o *authtest.Options) {
		o.Clients = []authtest.Client{{ID: "app", Secret: "another", Redirects: []string{"http://127.0.0.1/callback"}}}
	})
	before := r.server
	if err := r.a.SetUp(t.Context(), before, r.server, "another"); err != nil {
		t.Fatal(err)
	}
	r.as.Set(func(o *authtest.Options) { o.Path = "/two" })
	stored, err := r.a.ClientSecrets(t.Context(), r.server)
	if err != nil || len(stored) != 2 {
		t.Fatalf("stored are %v, %v", stored, err)
	}
	if err := r.a.KeepClientSecret(t.Context(), r.server, ""); err != nil {
		t.Fatal(err)
	}
	stored, err = r.a.ClientSecrets(t.Context(), r.server)
	if how, _ := stored.Fit(SetupOf(r.server.SignIn)); err != nil || len(stored) != 1 || how != SecretElsewhere {
		t.Errorf("one removed, stored are %v, %v", stored, err)
	}
	if err := r.a.Forget(t.Context(), r.server.ID); err != nil {
		t.Fatal(err)
	}
	if keys := r.vault.Keys(); len(keys) > 0 {
		t.Errorf("the server is removed, and %v stays", keys)
	}
}

// TestIssuersAreToldApartAsPlainText, but for one slash at the end.
func TestIssuersAreToldApartAsPlainText(t *testing.T) {
	stored := ClientSecrets{{"app", "https://login.example/tenant"}}
	for issuer, want := range map[string]SecretFit{
		"https://login.example/tenant":      SecretFits,
		"https://login.example/tenant/":     SecretFits,
		"http://login.example/tenant":       SecretElsewhere,
		"https://login.example:443/tenant":  SecretElsewhere,
		"https://login.example:8443/tenant": SecretElsewhere,
		"https://login.example/Tenant":      SecretElsewhere,
		"https://login.example/tenant//":    SecretElsewhere,
		"https://login.example":             SecretElsewhere,
		"https://LOGIN.example/tenant":      SecretElsewhere,
		"https://evil.example/tenant":       SecretElsewhere,
	} {
		if got, _ := stored.Fit(Setup{ClientID: "app", Issuer: issuer}); got != want {
			t.Errorf("%s: %q, want %q", issuer, got, want)
		}
		same := ClientSecret{"app", issuer}.key("s") == stored[0].key("s")
		if same != (want == SecretFits) {
			t.Errorf("%s is kept in the same place: %v", issuer, same)
		}
	}
	if got, _ := stored.Fit(Setup{ClientID: "another", Issuer: stored[0].Issuer}); got != SecretNone {
		t.Errorf("of another client id: %q", got)
	}
	a, b := ClientSecret{`a" at "https://x`, "https://y"}, ClientSecret{"a", `https://x" at "https://y`}
	if a.key("s") == b.key("s") {
		t.Error("what is entered moves the border between client id and issuer")
	}
}

// TestASecretOfNobodyBelongsToTheFirstIssuerItIsUsedWith, which the person has entered.
func TestASecretOfNobodyBelongsToTheFirstIssuerItIsUsedWith(t *testing.T) {
	for _, service := range []bool{false, true} {
		r := owned(t, service)
		r.server.SignIn.Issuer = ""
		if err := r.a.KeepClientSecret(t.Context(), r.server, "s3cret"); err != nil {
			t.Fatal(err)
		}
		stored, err := r.a.ClientSecrets(t.Context(), r.server)
		if how, _ := stored.Fit(SetupOf(r.server.SignIn)); err != nil || how != SecretUnclaimed {
			t.Errorf("stored is %v, %v", stored, err)
		}
		r.moves("/one")
		if err := r.tries(); err != nil {
			t.Fatal(err)
		}
		stored, err = r.a.ClientSecrets(t.Context(), r.server)
		if err != nil || !slices.Equal(stored, ClientSecrets{{"app", r.as.Issuer()}}) {
			t.Errorf("used, stored is %v, %v", stored, err)
		}
		before := len(r.sent())
		r.moves("/two")
		if id := sentenceOf(t, r.tries()); id != "auth.signin.secret.elsewhere" || len(r.sent()) > before {
			t.Errorf("with another it says %s; the secret went to %q", id, r.sent()[before:])
		}
	}
}

// TestASecretThatWasKeptBeforeIssuersIsGivenItsOwn and is neither lost nor sent to
// another: the one that it was used with, else the one that was entered with it when
// it is first looked at.
func TestASecretThatWasKeptBeforeIssuersIsGivenItsOwn(t *testing.T) {
	old := func(r *rig) {
		t.Helper()
		if err := r.vault.Set(t.Context(), bareKey(r.server.ID, "app"), keychain.NewSecret("s3cret")); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		look  func(r *rig, first mcpclient.Server) error
		apart bool // the app was signed in by it, and the issuer edited in the file
	}{
		"its page is looked at": {look: func(r *rig, first mcpclient.Server) error {
			_, err := r.a.ClientSecrets(t.Context(), first)
			return err
		}},
		"the issuer is edited": {look: func(*rig, mcpclient.Server) error { return nil }},
		"it was used":          {look: func(*rig, mcpclient.Server) error { return nil }, apart: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := owned(t, true)
			first := r.server
			if c.apart {
				if err := r.a.KeepClientSecret(t.Context(), r.server, "s3cret"); err != nil {
					t.Fatal(err)
				}
				if err := r.tries(); err != nil {
					t.Fatal(err)
				}
				for _, k := range r.vault.Keys() {
					if strings.HasPrefix(k.Name, "oauth secret") {
						_ = r.vault.Delete(t.Context(), k)
					}
				}
				r.restart(Options{})
			}
			old(r)
			if err := c.look(r, first); err != nil {
				t.Fatal(err)
			}
			before := len(r.sent())
			if c.apart { // nobody tells
				r.as.Set(func(o *authtest.Options) { o.Path = "/two" })
				r.server.SignIn.Issuer = r.as.Issuer()
			} else {
				r.moves("/two")
			}
			if id := sentenceOf(t, r.tries()); id != "auth.signin.secret.elsewhere" {
				t.Errorf("edited it says %s", id)
			}
			if paths := r.sent()[before:]; len(paths) > 0 {
				t.Errorf("the secret went to %q", paths)
			}
			if r.inStore("oauth secret app") {
				t.Error("it is still kept as it was")
			}
			r.moves("/one")
			r.a.Again(r.server.ID)
			if err := r.tries(); err != nil {
				t.Errorf("edited back: %v", err)
			}
		})
	}
	t.Run("one that was entered since is newer", func(t *testing.T) {
		r := owned(t, true)
		old(r)
		if err := r.a.KeepClientSecret(t.Context(), r.server, "newer"); err != nil {
			t.Fatal(err)
		}
		r.as.Set(func(o *authtest.Options) { o.Clients = []authtest.Client{{ID: "app", Secret: "newer"}} })
		if err := r.tries(); err != nil || len(r.sent()) > 0 {
			t.Errorf("%v; the old one went to %q", err, r.sent())
		}
	})
}

// writeless is a keychain that takes nothing new, which this run remembers instead.
type writeless struct {
	*keychaintest.Keychain
	run *keychaintest.Keychain
}

func (v writeless) Get(ctx context.Context, k keychain.Key) (keychain.Secret, error) {
	if s, err := v.run.Get(ctx, k); err == nil {
		return s, nil
	}
	return v.Keychain.Get(ctx, k)
}

func (v writeless) Fresh(ctx context.Context, k keychain.Key) (keychain.Secret, error) {
	return v.Get(ctx, k)
}

func (v writeless) Set(ctx context.Context, k keychain.Key, s keychain.Secret) error {
	if err := v.run.Set(ctx, k, s); err != nil {
		return err
	}
	return &keychain.Unavailable{Reason: keychain.Denied}
}

// TestASecretThatCannotBeMovedStaysWhereItIs, and can be used.
func TestASecretThatCannotBeMovedStaysWhereItIs(t *testing.T) {
	r := owned(t, true)
	if err := r.vault.Set(t.Context(), bareKey(r.server.ID, "app"), keychain.NewSecret("s3cret")); err != nil {
		t.Fatal(err)
	}
	r.restart(Options{Secrets: writeless{r.vault, &keychaintest.Keychain{}}})
	if _, err := r.a.ClientSecrets(t.Context(), r.server); err != nil {
		t.Error(err)
	}
	if !r.inStore("oauth secret app") {
		t.Error("it is lost")
	}
	if err := r.tries(); err != nil {
		t.Errorf("in this run: %v", err)
	}
	r.restart(Options{})
	r.vault.Fail(&keychain.Unavailable{Reason: keychain.Locked})
	if _, err := r.a.ClientSecrets(t.Context(), r.server); err == nil {
		t.Error("of a locked keychain nobody can tell")
	}
	if err := r.request(t.Context()); !errors.As(err, new(*Refused)) {
		t.Errorf("locked: %v", err)
	}
}

// TestAPublicClientNeedsNoSecretOfAnotherIssuer: where the authority takes clients
// without one, the id that was edited to be there goes without.
func TestAPublicClientNeedsNoSecretOfAnotherIssuer(t *testing.T) {
	r := owned(t, false)
	if err := r.a.KeepClientSecret(t.Context(), r.server, "s3cret"); err != nil {
		t.Fatal(err)
	}
	r.as.Set(func(o *authtest.Options) {
		o.Methods = []string{authtest.None, authtest.Basic}
		o.Clients = []authtest.Client{{ID: "app", Redirects: []string{"http://127.0.0.1/callback"}}}
	})
	r.moves("/two")
	if err := r.tries(); err != nil || len(r.sent()) > 0 {
		t.Errorf("%v; the secret went to %q", err, r.sent())
	}
}

// TestIssuersThatShareAHostAreNamedWhole: what tells two places apart is in the
// sentence.
func TestIssuersThatShareAHostAreNamedWhole(t *testing.T) {
	for _, c := range []struct{ old, now, oldName, nowName string }{
		{"https://a.example", "https://b.example:8443/t", "a.example", "b.example:8443"},
		{"https://a.example", "https://a.example:8443", "a.example", "a.example:8443"},
		{"https://a.example", "http://a.example:443", "a.example", "a.example:443"},
		{"https://127.0.0.1:7806", "http://127.0.0.1:7806", "https://127.0.0.1:7806", "http://127.0.0.1:7806"},
		{"https://a.example/one", "https://a.example/two", "https://a.example/one", "https://a.example/two"},
		{"https://a.example/", "https://a.example//", "https://a.example/", "https://a.example//"},
	} {
		text := movedTo(c.old, c.now).Error()
		if !strings.Contains(text, "belongs to "+c.oldName+",") || !strings.Contains(text, "sign in at "+c.nowName+".") {
			t.Errorf("%s and %s: %s", c.old, c.now, text)
		}
	}
	r := newRig(t, grants, authtest.ResourceOptions{})
	wrong := r.as.Issuer() + "/elsewhere"
	r.server.SignIn.Issuer = wrong
	if err := r.request(t.Context()); sentenceOf(t, err) != "auth.signin.elsewhere" || !strings.Contains(err.Error(), wrong) || !strings.Contains(err.Error(), "names "+r.as.Issuer()+".") {
		t.Errorf("an issuer that was entered: %v", err)
	}
}
