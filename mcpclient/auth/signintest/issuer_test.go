package signintest

import (
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// TestASecretIsNotSentToAnotherIssuer: a client secret that is stored stays with the one
// it was given for, whoever the person and the server name next, over restarts too; where
// the issuer is edited back, nothing has to be entered again.
func TestASecretIsNotSentToAnotherIssuer(t *testing.T) {
	const secret = "pass word:%"
	w := newWorld(t, authtest.Options{
		Login: authtest.Grant, AnyPort: true, Path: "/ours", Methods: []string{authtest.Post},
		Clients: []authtest.Client{{ID: "app", Secret: secret, Method: authtest.Post, Redirects: []string{"http://127.0.0.1/callback"}}},
	}, authtest.ResourceOptions{})
	issued := func(path string) mcpclient.SignIn {
		w.as.Set(func(o *authtest.Options) { o.Path = path })
		return mcpclient.SignIn{ClientID: "app", Issuer: w.as.Issuer()}
	}
	w.server.SignIn = issued("/ours")
	a := w.run(driven)
	if err := a.accounts.KeepClientSecret(t.Context(), w.server, secret); err != nil {
		t.Fatal(err)
	}
	a.end()
	w.server.SignIn = issued("/theirs")
	a = w.run(driven)
	attempt := a.connect()
	attempt.fails()
	if got := reason(attempt.err); got != "auth.signin.secret.elsewhere" {
		t.Errorf("it says %q (%v)", got, attempt.err)
	}
	for _, q := range w.as.Log().Requests() {
		if strings.Contains(string(q.Body), "pass+word") {
			t.Errorf("the secret went to %s", q.Path)
		}
	}
	stored, err := a.accounts.ClientSecrets(t.Context(), w.server)
	if how, whose := stored.Fit(auth.SetupOf(w.server.SignIn)); err != nil || how != auth.SecretElsewhere || !strings.HasSuffix(whose, "/ours") {
		t.Errorf("stored are %v, %v: %s of %q", stored, err, how, whose)
	}
	a.end()
	w.server.SignIn = issued("/ours")
	attempt = w.run(driven).connect()
	if attempt.wait(); attempt.err != nil {
		t.Errorf("edited back: %v", attempt.err)
	}
	if w.asked("/theirs/token") != 0 || w.asked("/ours/token") != 1 {
		t.Errorf("asked for tokens %d times there and %d times here", w.asked("/theirs/token"), w.asked("/ours/token"))
	}
}
