package ui

import (
	"context"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
)

// TestSignOut_OfASignInBehindATokenLeavesTheToken: the page tells both, and to sign out
// ends the sign-in, here and there, and neither the connection nor the token.
func TestSignOut_OfASignInBehindATokenLeavesTheToken(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	r.wait(func() bool { return v.account.SignedIn() && r.s.at.section == sectionServer })
	must(t, r.s.o.Tokens.Keep(context.Background(), v.Server, "entered"))
	r.wait(func() bool { return v.account.Entered })
	r.queue.Drain()
	r.wantText("An access token that you entered says who you are. A sign-in at ", "is kept too, and is not used while the token is.")
	if r.button("Sign in as somebody else…") != nil {
		t.Error("to be somebody else is offered while the token says who they are")
	}
	r.click("Remove server")
	r.wantText("the access token, the sign-in at ")
	r.press("Keep it")
	r.press("Sign out…")
	r.wantText("The access token that you entered stays.")
	r.press("Sign out")
	r.wait(func() bool { return !v.account.busy && v.account.Issuer == "" })
	r.queue.Drain()
	r.wantText("has confirmed that the access has ended", "An access token that you entered says who you are.")
	if said := r.text(); !v.account.Entered || v.status.State != mcpclient.Connected || strings.Contains(said, "is kept too") || p.asked("/revoke") == 0 {
		t.Errorf("it is %s, %d requests to revoke, the page reads\n%s", v.status.State, p.asked("/revoke"), said)
	}
}
