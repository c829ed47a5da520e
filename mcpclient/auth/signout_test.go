package auth

import (
	"net/http"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
)

// RFC 7009.
func TestSigningOutRevokesWhereItCanAndAlwaysForgets(t *testing.T) {
	for _, offered := range []bool{true, false} {
		o := grants
		o.NoRevoke = !offered
		r := newRig(t, o, authtest.ResourceOptions{})
		r.signedIn()
		revoked, err := r.a.SignOut(t.Context(), r.server)
		if err != nil || revoked != offered {
			t.Errorf("offered %v: revoked %v, %v", offered, revoked, err)
		}
		var hints []string
		for _, q := range r.as.Log().Requests(r.as.Endpoint("revoke")) {
			hints = append(hints, q.Form.Get("token_type_hint"))
		}
		if offered && strings.Join(hints, " ") != "refresh_token access_token" {
			t.Errorf("revoked %v", hints)
		}
		for _, k := range r.vault.Keys() {
			if strings.HasPrefix(k.Name, "oauth session") {
				t.Errorf("%s stays", k.Name)
			}
		}
		if who, err := r.a.Who(t.Context(), r.server); err != nil || who.SignedIn() {
			t.Errorf("after it: %+v, %v", who, err)
		}
		r.restart(Options{Unattended: true})
		if err := r.request(t.Context()); sentenceOf(t, err) != "auth.signin.unattended" {
			t.Errorf("after a restart: %v", err)
		}
	}
}

// Section 2.2.1: an authority need not revoke every kind of token.
func TestAnAccessTokenIsRevokedThoughARefreshTokenCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		asked  int
	}{
		"unsupported_token_type": {saying(400, `{"error":"unsupported_token_type"}`), 2},
		"a fault":                {saying(503, ""), 2},
		"nobody there":           {broken, 1},
	} {
		r := newRig(t, grants, authtest.ResourceOptions{})
		r.signedIn()
		r.as.Set(func(o *authtest.Options) {
			o.Intercept = func(w http.ResponseWriter, q *http.Request) bool {
				if q.URL.Path != r.as.Endpoint("revoke") || q.PostFormValue("token_type_hint") != "refresh_token" {
					return false
				}
				c.answer(w, q)
				return true
			}
		})
		revoked, err := r.a.SignOut(t.Context(), r.server)
		if revoked || err != nil {
			t.Errorf("%s: the refresh token is said to be revoked: %v", name, err)
		}
		if n := len(r.as.Log().Requests(r.as.Endpoint("revoke"))); n != c.asked {
			t.Errorf("%s: %d requests, want %d", name, n, c.asked)
		}
	}
}

func TestARemovedServerLeavesNothing(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	r.as.Withdraw(true)
	done := r.started()
	r.agreed()
	if err := r.a.Forget(t.Context(), r.server.ID); err != nil {
		t.Fatal(err)
	}
	if sentenceOf(t, <-done) != "auth.signin.closed" {
		t.Error("its sign-in goes on")
	}
	if keys := r.vault.Keys(); len(keys) != 0 {
		t.Errorf("stored: %v", keys)
	}
}

func TestTheTokensOfARemovedServerAreRevoked(t *testing.T) {
	r := newRig(t, grants, authtest.ResourceOptions{})
	r.signedIn()
	if err := r.a.Forget(t.Context(), r.server.ID); err != nil {
		t.Fatal(err)
	}
	r.a.work.Wait()
	for _, secret := range r.as.Log().Secrets() {
		if _, valid := r.as.Token(secret.Value); valid {
			t.Errorf("the %s still does", secret.Kind)
		}
	}
	if n := len(r.as.Log().Requests(r.as.Endpoint("revoke"))); n == 0 {
		t.Error("nothing was revoked")
	}
}

// An edited path leaves the session of the old one where it is, so that undoing the
// edit finds it. It goes with the server, in a later run, too; one that this run
// knows of is revoked.
func TestTheSessionOfAnOldPathGoesWithTheServer(t *testing.T) {
	for _, later := range []bool{false, true} {
		r := newRig(t, grants, authtest.ResourceOptions{})
		r.signedIn()
		before := r.server
		who := func(s mcpclient.Server) bool {
			t.Helper()
			who, err := r.a.Who(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			return who.SignedIn()
		}
		r.server.URL += "/v2"
		if who(r.server) || !who(before) {
			t.Errorf("signed in at the new path: %v, at the old one: %v", who(r.server), who(before))
		}
		if later {
			r.restart(Options{})
			who(r.server)
		}
		if err := r.a.Forget(t.Context(), r.server.ID); err != nil {
			t.Fatal(err)
		}
		r.a.work.Wait()
		if keys := r.vault.Keys(); len(keys) != 0 {
			t.Errorf("in a later run %v: stored is %v", later, keys)
		}
		if n := len(r.as.Log().Requests(r.as.Endpoint("revoke"))); (n > 0) == later {
			t.Errorf("in a later run %v: asked %d times to revoke", later, n)
		}
	}
}
