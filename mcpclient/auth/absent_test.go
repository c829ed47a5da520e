package auth

import (
	"context"
	"errors"
	"net"
	"strconv"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
)

// runVault keeps secrets for this run, as a keychain.Keychain does where the
// system has none.
type runVault struct {
	authtest.Vault
	fault *keychain.Unavailable
}

func (v *runVault) Get(ctx context.Context, k keychain.Key) (keychain.Secret, error) {
	s, err := v.Vault.Get(ctx, k)
	if errors.Is(err, keychain.ErrNotFound) {
		return s, v.fault
	}
	return s, err
}

func (v *runVault) Fresh(ctx context.Context, k keychain.Key) (keychain.Secret, error) {
	return v.Get(ctx, k)
}

func (v *runVault) Set(ctx context.Context, k keychain.Key, s keychain.Secret) error {
	if err := v.Vault.Set(ctx, k, s); err != nil {
		return err
	}
	return v.fault
}

// TestWithoutAKeychainAnOwnClientDoes: its id and its secret live for this run, by a
// person and as the app itself.
func TestWithoutAKeychainAnOwnClientDoes(t *testing.T) {
	for name, service := range map[string]bool{"a person signs in": false, "the app itself": true} {
		t.Run(name, func(t *testing.T) {
			port := freePort(t)
			o := grants
			o.Clients = []authtest.Client{{ID: "robot", Secret: "s3cret", Redirects: []string{"http://127.0.0.1:" + strconv.Itoa(port) + "/callback"}}}
			r := newRig(t, o, authtest.ResourceOptions{})
			v := &runVault{fault: &keychain.Unavailable{Reason: keychain.Absent}}
			r.restart(Options{Secrets: v})
			r.server.SignIn = mcpclient.SignIn{ClientID: "robot", Service: service, Port: port}
			if err := r.a.KeepClientSecret(t.Context(), r.server, "s3cret"); !errors.Is(err, error(v.fault)) {
				t.Fatal(err)
			}
			if service {
				if err := r.request(t.Context()); err != nil {
					t.Error(err)
				}
				return
			}
			r.signedIn()
			if err := r.request(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// freePort is a port that nobody has just now.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
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
