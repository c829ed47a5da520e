package auth

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/keychain"
	"parley/mcpclient/keychain/keychaintest"
)

// asking is a keychain that asks the person about each read past what is remembered.
type asking struct {
	*keychaintest.Keychain
	fresh atomic.Int32
}

func (v *asking) Fresh(ctx context.Context, k keychain.Key) (keychain.Secret, error) {
	v.fresh.Add(1)
	return v.Keychain.Fresh(ctx, k)
}

// B92: one read a run. A renewal reads the keychain only where another program has
// been.
func TestB92_ARenewalReadsTheKeychainOnlyAfterAnotherProgram(t *testing.T) {
	locks := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{}
		a, z, vault := renewing(t, e, session{Access: "old", Refresh: "once", Expiry: time.Now().Add(time.Hour)})
		defer a.Close()
		own, theirs := &asking{Keychain: vault}, &asking{Keychain: vault}
		a.o.Secrets, a.o.Locks = own, locks
		b := New(Options{Secrets: theirs, Locks: locks, Transport: a.o.Transport})
		defer b.Close()
		y := b.Authorizer(z.server).(*authorizer)
		renew := func(z *authorizer) {
			t.Helper()
			before := e.n
			time.Sleep(time.Hour)
			if _, err := z.Authorize(t.Context(), ""); err != nil || e.n != before+1 || e.reused {
				t.Fatalf("renewed %d times, an old token again: %v, %v", e.n-before, e.reused, err)
			}
		}
		for _, c := range []struct {
			name        string
			z           *authorizer
			own, theirs int32
		}{
			{"nobody knows yet who was there", z, 1, 0},
			{"nobody else was there", z, 0, 0},
			{"still nobody", z, 0, 0},
			{"it was read after that", y, 0, 0},
			{"nobody else since", y, 0, 0},
			{"the other was there", z, 1, 0},
			{"and this one", y, 0, 1},
			{"once each", y, 0, 0},
		} {
			before, beforeTheirs := own.fresh.Load(), theirs.fresh.Load()
			renew(c.z)
			if x, y := own.fresh.Load()-before, theirs.fresh.Load()-beforeTheirs; x != c.own || y != c.theirs {
				t.Errorf("%s: %d and %d reads, want %d and %d", c.name, x, y, c.own, c.theirs)
			}
		}
		// A stamp that is lost or spoilt counts as a change.
		stamps, err := filepath.Glob(filepath.Join(locks, "*.stamp"))
		if err != nil || len(stamps) != 1 {
			t.Fatalf("the stamps are %v, %v", stamps, err)
		}
		for _, spoil := range []func() error{
			func() error { return os.Remove(stamps[0]) },
			func() error { return os.WriteFile(stamps[0], []byte("x"), 0o600) },
		} {
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			before := theirs.fresh.Load()
			renew(y)
			if n := theirs.fresh.Load() - before; n != 1 {
				t.Errorf("with no stamp: %d reads", n)
			}
		}
		// What another program gives up is found out, too.
		if _, err := a.SignOut(t.Context(), z.server); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		before := e.n
		if got, err := y.Authorize(t.Context(), ""); got != "" || err != nil || e.n != before {
			t.Errorf("after the other has signed out: %q, %v", got, err)
		}
	})
}

// TestWhatIsStoredIsTheLastSession, however long the keychain takes for the one
// before: the next one that looks there would take the old one for somebody else's
// new one, and what it holds was replaced.
func TestWhatIsStoredIsTheLastSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, z, vault := renewing(t, &endpoint{}, session{Access: "first", Refresh: "r"})
		defer a.Close()
		if err := z.load(t.Context()); err != nil {
			t.Fatal(err)
		}
		asks, answer := vault.Stop(keychain.Saving, "oauth session")
		first := z.kept
		for _, token := range []string{"second", "third", "fourth"} {
			next := first
			next.Access = token
			a.mu.Lock()
			z.is(next)
			a.mu.Unlock()
			go func() {
				if err := z.store(t.Context(), next); err != nil {
					t.Errorf("%s: %v", token, err)
				}
			}()
			synctest.Wait()
		}
		<-asks
		answer()
		synctest.Wait()
		if got := stored(t, vault, z); got.Access != "fourth" {
			t.Errorf("the keychain has the %s session", got.Access)
		}
		if !z.kept.stored || z.kept.Access != "fourth" {
			t.Errorf("this run has the %s, which is stored: %v", z.kept.Access, z.kept.stored)
		}
	})
}
