package auth

import (
	"testing"

	"parley/mcpclient/auth/authtest"
)

// twoWindows are two programs of the person's over one keychain.
func twoWindows(t *testing.T) (one, two *rig) {
	t.Helper()
	locks := t.TempDir()
	one = newRig(t, grants, authtest.ResourceOptions{})
	one.restart(Options{Locks: locks})
	two = &rig{t: t, as: one.as, mcp: one.mcp, vault: one.vault, server: one.server}
	two.restart(Options{Locks: locks})
	return one, two
}

// TestASignInInAnotherWindowAnswersTheQuestionOfThisOne: nobody signs in twice.
func TestASignInInAnotherWindowAnswersTheQuestionOfThisOne(t *testing.T) {
	one, two := twoWindows(t)
	done := two.started()
	asked := two.state(NeedsConsent)
	one.signedIn()
	before := len(one.as.Log().Requests("/authorize"))
	if _, err := two.a.Agree(t.Context(), asked.ID); err != ErrNoSignIn {
		t.Errorf("the yes in the other window: %v", err)
	}
	if s := two.state(Done); s.URL != "" {
		t.Errorf("it has an address to open: %s", s.URL)
	}
	if err := <-done; err != nil {
		t.Errorf("what waited for it: %v", err)
	}
	if n := len(one.as.Log().Requests("/authorize")); n != before {
		t.Errorf("the browser was opened %d times more", n-before)
	}
}

// TestWhoWantedToSignInAndIsSignedInOtherwiseIsNotAskedAgain: by another window, or by
// settings that are put right; what is there is renewed from then on.
func TestWhoWantedToSignInAndIsSignedInOtherwiseIsNotAskedAgain(t *testing.T) {
	for name, back := range map[string]func(one, two *rig){
		"in another window": func(one, two *rig) {
			one.as.Withdraw(true)
			two.a.Again(two.server.ID)
			done := two.started()
			asked := two.state(NeedsConsent)
			one.signedIn()
			if _, err := two.a.Agree(t.Context(), asked.ID); err != ErrNoSignIn {
				t.Errorf("the yes: %v", err)
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
		},
		"by the settings": func(_, two *rig) {
			right := two.server
			wrong := right
			wrong.SignIn.Issuer = "https://login.example"
			if err := two.a.SetUp(t.Context(), right, wrong, ""); err != nil {
				t.Fatal(err)
			}
			two.server = wrong
			two.a.Again(two.server.ID)
			if err := two.request(t.Context()); sentenceOf(t, err) != "auth.signin.elsewhere" {
				t.Error(err)
			}
			if err := two.a.SetUp(t.Context(), wrong, right, ""); err != nil {
				t.Fatal(err)
			}
			two.server = right
		},
	} {
		t.Run(name, func(t *testing.T) {
			one, two := twoWindows(t)
			two.signedIn()
			back(one, two)
			two.as.Withdraw(false)
			if s, err := two.asksOrGoes(two.started()); s.ID != "" || err != nil {
				t.Errorf("a token that could be renewed: asked %+v, %v", s, err)
			}
		})
	}
}

// TestSigningOutEndsTheSignInOfAllWindows, the newer one of another as well, which
// notices it at its next request.
func TestSigningOutEndsTheSignInOfAllWindows(t *testing.T) {
	one, two := twoWindows(t)
	one.signedIn()
	one.as.Withdraw(true)
	two.signedIn()
	z := two.a.Authorizer(two.server).(*authorizer)
	theirs, err := z.Authorize(t.Context(), "")
	if err != nil || theirs == "" {
		t.Fatal(theirs, err)
	}
	if revoked, err := one.a.SignOut(t.Context(), one.server); !revoked || err != nil {
		t.Errorf("signed out: %v, %v", revoked, err)
	}
	if got, err := z.Authorize(t.Context(), ""); got != "" || err != nil {
		t.Errorf("the other window sends on %d characters, %v", len(got), err)
	}
	if who, err := two.a.Who(t.Context(), two.server); err != nil || who.SignedIn() {
		t.Errorf("in the other window there is %+v, %v", who, err)
	}
	if len(one.as.Log().Requests("/revoke")) < 2 {
		t.Error("what the other window had was not given back")
	}
}
