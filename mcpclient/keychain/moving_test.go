package keychain

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestVault_IsThereOnlyIfThePersonChoosesIt(t *testing.T) {
	f := newFolder(t)
	refuse(f.fake, Absent)
	k := f.open()
	wantReason(t, "saving", k.Set(ctx, key, NewSecret("v")), Absent)
	wantReason(t, "Retry", k.Retry(ctx), Absent)
	wantMode(t, k, SessionOnly, Absent, 1)
	if !k.State().VaultPossible || k.vault.exists() {
		t.Error("there is a file, or none can be made")
	}
	plain := open(Options{}, f.fake)
	for what, err := range map[string]error{"making": plain.CreateVault(ctx, opening), "unlocking": plain.UnlockVault(ctx, opening), "removing": plain.RemoveVault(ctx)} {
		if !errors.Is(err, ErrNoVault) {
			t.Errorf("%s a file where there is no place for one: %v", what, err)
		}
	}
}

func TestVault_TakesInAllSecretsOfThisRunAndGivesThemToTheNext(t *testing.T) {
	for name, c := range map[string]struct {
		keychain func(*fake)
		left     int // items left in the keychain
	}{
		"no keychain":             {func(f *fake) { refuse(f, Absent) }, 0},
		"a keychain that refuses": {func(f *fake) { refuse(f, Denied) }, 0},
		"a keychain that works":   {func(f *fake) { f.sight = unlocked }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			c.keychain(f.fake)
			k := f.open()
			for _, server := range []string{"s-1", "s-2"} {
				for kind, v := range kinds {
					_ = k.Set(ctx, Key{server, kind}, NewSecret(v)) // an *Unavailable keeps it for this run
				}
			}
			must(t, k.CreateVault(ctx, opening))
			wantMode(t, k, Vault, -1, 0)
			must(t, k.Set(ctx, Key{"s-1", "later"}, NewSecret("l")))
			must(t, k.Delete(ctx, Key{"s-2", "short"}))
			for _, k := range []*Keychain{k, f.unlocked()} {
				wantMode(t, k, Vault, -1, 0)
				for kind, v := range kinds {
					wantValue(t, k, Key{"s-1", kind}, v)
				}
				wantValue(t, k, Key{"s-1", "later"}, "l")
				wantNone(t, k, Key{"s-2", "short"})
				wantNone(t, k, Key{"s-3", "short"})
			}
			if f.fake.size() != c.left {
				t.Errorf("%d items are left in the keychain", f.fake.size())
			}
		})
	}
}

func TestVault_B92_WhileLockedNobodyIsAskedAndWhatIsDoneIsHandedOverAtUnlock(t *testing.T) {
	f := newFolder(t)
	first := f.open()
	for _, k := range []Key{{"kept", "a"}, {"kept", "signed out"}, {"kept", "changed"}, {"removed", "a"}, {"removed", "b"}} {
		must(t, first.Set(ctx, k, NewSecret("old")))
	}
	must(t, first.CreateVault(ctx, opening))
	calls := f.fake.count("")

	k := f.open()
	wantMode(t, k, VaultLocked, FileLocked, 0)
	for i := range 5 { // five servers reconnect
		_, err := k.Get(ctx, Key{fmt.Sprint("s-", i), "token"})
		wantReason(t, "reading", err, FileLocked)
		if !IsLockedFile(Sentence(err)) {
			t.Errorf("its sentence is %v", Sentence(err))
		}
	}
	wantReason(t, "Retry", k.Retry(ctx), FileLocked)
	wantReason(t, "Check", k.Check(ctx).Why, FileLocked)
	wantReason(t, "removing a server", k.DeleteAll(ctx, "removed"), FileLocked)
	wantReason(t, "a secret of a server added again", k.Set(ctx, Key{"removed", "b"}, NewSecret("new")), FileLocked)
	wantReason(t, "removing", k.Delete(ctx, Key{"kept", "signed out"}), FileLocked)
	wantReason(t, "changing", k.Set(ctx, Key{"kept", "changed"}, NewSecret("new")), FileLocked)
	wantMode(t, k, VaultLocked, FileLocked, 2)
	must(t, k.UnlockVault(ctx, opening))
	for _, k := range []*Keychain{k, f.unlocked()} {
		wantMode(t, k, Vault, -1, 0)
		wantValue(t, k, Key{"removed", "b"}, "new")
		wantValue(t, k, Key{"kept", "changed"}, "new")
		wantValue(t, k, Key{"kept", "a"}, "old")
		wantNone(t, k, Key{"removed", "a"})
		wantNone(t, k, Key{"kept", "signed out"})
	}
	if n := f.fake.count("") - calls; n != 0 {
		t.Errorf("the keychain was asked %d times while there is a file", n)
	}
}

func TestVault_LockingForgetsWhatWasRead(t *testing.T) {
	f := newFolder(t)
	k := f.open()
	must(t, k.Set(ctx, key, NewSecret("v")))
	must(t, k.CreateVault(ctx, opening))
	k.LockVault()
	wantMode(t, k, VaultLocked, FileLocked, 0)
	_, err := k.Get(ctx, key)
	wantReason(t, "reading", err, FileLocked)
	if len(k.known) != 0 || k.vault.key != nil {
		t.Error("secrets or the key stay in memory")
	}
	k.LockVault() // once more is no harm
	must(t, k.UnlockVault(ctx, opening))
	wantValue(t, k, key, "v")
}

func TestVault_WhereOneHasComeOrGoneRetryFollows(t *testing.T) {
	f := newFolder(t)
	watching := f.open()
	must(t, watching.Set(ctx, key, NewSecret("v")))
	must(t, f.open().CreateVault(ctx, opening))
	wantReason(t, "Retry where one has come", watching.Retry(ctx), FileLocked)
	wantMode(t, watching, VaultLocked, FileLocked, 1)
	must(t, watching.UnlockVault(ctx, opening))
	wantMode(t, watching, Vault, -1, 0)

	must(t, f.unlocked().RemoveVault(ctx))
	wantReason(t, "saving where it has gone", watching.Set(ctx, Key{"s-2", "n"}, NewSecret("w")), FileGone)
	wantMode(t, watching, SessionOnly, FileGone, 1)
	if f.raws() != 0 {
		t.Error("the removed file is back")
	}
	must(t, watching.Retry(ctx))
	wantMode(t, watching, Available, -1, 0)
	if got, err := reread(t, f.fake, Key{"s-2", "n"}); err != nil || got != "w" {
		t.Errorf("the keychain has %q, %v", got, err)
	}
}

func TestVault_RemovedWhileUnlockedGivesItsSecretsBack(t *testing.T) {
	for name, c := range map[string]struct {
		keychain func(*fake)
		mode     Mode
		why      Reason
		waiting  int
	}{
		"to the keychain": {func(*fake) {}, Available, -1, 0},
		"to this run":     {func(f *fake) { refuse(f, Absent) }, SessionOnly, Absent, 3},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			first := f.open()
			must(t, first.Set(ctx, key, NewSecret("v")))
			must(t, first.Set(ctx, Key{"s-2", "n"}, NewSecret(kinds["long"])))
			must(t, first.CreateVault(ctx, opening))
			c.keychain(f.fake)
			k := f.unlocked() // and has read nothing of it
			must(t, k.Set(ctx, Key{"s-3", "n"}, NewSecret("w")))
			must(t, k.RemoveVault(ctx))
			wantMode(t, k, c.mode, c.why, c.waiting)
			if f.raws() != 0 || len(f.beside()) != 0 {
				t.Error("files are left")
			}
			seen := []*Keychain{k}
			if c.mode == Available {
				seen = append(seen, f.open())
			}
			for _, k := range seen {
				wantValue(t, k, key, "v")
				wantValue(t, k, Key{"s-2", "n"}, kinds["long"])
				wantValue(t, k, Key{"s-3", "n"}, "w")
			}
			if err := k.RemoveVault(ctx); !errors.Is(err, ErrNoVault) {
				t.Errorf("once more: %v", err)
			}
		})
	}
}

func TestVault_RemovedWhileLockedTakesItsSecretsWithIt(t *testing.T) {
	f := newFolder(t)
	first := f.open()
	must(t, first.Set(ctx, key, NewSecret("v")))
	must(t, first.CreateVault(ctx, opening))
	k := f.open()
	wantReason(t, "saving", k.Set(ctx, Key{"s-2", "n"}, NewSecret("of this run")), FileLocked)
	must(t, k.RemoveVault(ctx))
	if f.raws() != 0 {
		t.Error("the file is left")
	}
	wantNone(t, k, key)
	wantValue(t, f.open(), Key{"s-2", "n"}, "of this run")
}

func TestVault_RemovingAServerRemovesWhatTheKeychainStillHad(t *testing.T) {
	f := newFolder(t)
	must(t, f.open().CreateVault(ctx, opening))
	f.fake.sight = unlocked
	mustSet(t, open(Options{}, f.fake), key, kinds["long"]) // from before the file
	k := f.unlocked()
	must(t, k.DeleteAll(ctx, key.Server))
	if f.fake.size() != 0 {
		t.Errorf("%d items are left in the keychain", f.fake.size())
	}
}

func TestVault_B89_AKeychainThatNeverAnswersDoesNotHoldItUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFolder(t)
		k := f.open()
		release := stuck(f.fake)
		wantReason(t, "saving", k.Set(ctx, key, NewSecret("v")), NoAnswer)
		began := time.Now()
		must(t, k.CreateVault(ctx, opening))
		must(t, k.Set(ctx, Key{"s-2", "n"}, NewSecret("w")))
		if d := time.Since(began); d != 0 {
			t.Errorf("it took %v of the keychain's time", d)
		}
		release()
		synctest.Wait()
		next := f.unlocked()
		wantValue(t, next, key, "v")
		wantValue(t, next, Key{"s-2", "n"}, "w")
	})
}

// TestVault_WhatIsOnItsWayWhenSecretsMoveArrives: a value that the keychain is
// just storing lies in the file afterwards.
func TestVault_WhatIsOnItsWayWhenSecretsMoveArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFolder(t)
		k := f.open()
		k.Check(ctx)
		release := stuck(f.fake)
		var all sync.WaitGroup
		for i := range 5 {
			all.Go(func() { must(t, k.Set(ctx, Key{"s", fmt.Sprint(i)}, NewSecret(fmt.Sprint(i)))) })
		}
		synctest.Wait()
		must(t, k.CreateVault(ctx, opening))
		release()
		all.Wait()
		next := f.unlocked()
		for i := range 5 {
			wantValue(t, next, Key{"s", fmt.Sprint(i)}, fmt.Sprint(i))
		}
	})
}

func TestVault_StopsWhereTheCallerHasGone(t *testing.T) {
	f := newFolder(t)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	k := f.open()
	for what, err := range map[string]error{"making": k.CreateVault(gone, opening), "unlocking": k.UnlockVault(gone, opening), "removing": k.RemoveVault(gone)} {
		if !errors.Is(err, gone.Err()) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if k.vault.exists() {
		t.Error("a file was made")
	}
}
