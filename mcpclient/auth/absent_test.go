package auth

import (
	"strconv"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
)

// TestWithoutAKeychainAnOwnClientDoes: its id and its secret live for this run, by a
// person and as the app itself.
func TestWithoutAKeychainAnOwnClientDoes(t *testing.T) {
	for name, c := range map[string]struct {
		secret  string
		service bool
	}{"a person signs in": {"", false}, "with a secret": {"s3cret", false}, "the app itself": {"s3cret", true}} {
		t.Run(name, func(t *testing.T) {
			port := freePort(t)
			o := grants
			o.Clients = []authtest.Client{{ID: "robot", Secret: c.secret, Redirects: []string{"http://127.0.0.1:" + strconv.Itoa(port) + "/callback"}}}
			r := newRig(t, o, authtest.ResourceOptions{})
			r.vault.Away(keychain.Absent)
			r.server.SignIn = mcpclient.SignIn{ClientID: "robot", Service: c.service, Port: port}
			if c.secret != "" {
				r.server.SignIn.Issuer = r.as.Issuer()
				if err := r.a.KeepClientSecret(t.Context(), r.server, c.secret); !isAbsent(err) {
					t.Fatal(err)
				}
			}
			if !c.service {
				r.signedIn()
			}
			if err := r.request(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestALockedPlaceIsNotTakenForNone: what is asked for may lie there.
func TestALockedPlaceIsNotTakenForNone(t *testing.T) {
	for _, reason := range []keychain.Reason{keychain.Locked, keychain.Denied, keychain.NoAnswer, keychain.FileLocked, keychain.FileFailed} {
		if isAbsent(&keychain.Unavailable{Reason: reason}) {
			t.Errorf("%s counts as no keychain", reason)
		}
	}
	for _, reason := range []keychain.Reason{keychain.Absent, keychain.NoKeyring, keychain.Disabled, keychain.FileGone, keychain.FileBroken} {
		if !isAbsent(&keychain.Unavailable{Reason: reason}) {
			t.Errorf("%s counts as a keychain that may have something", reason)
		}
	}
}
