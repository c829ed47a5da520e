package keychain

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestKeychain_ResumeHandsOverWhatWasKept once the keychain is seen to have been
// unlocked, and makes no call that could ask the person for as long as it is not.
func TestKeychain_ResumeHandsOverWhatWasKept(t *testing.T) {
	old, new := Key{"notes", "oauth"}, Key{"desk", "oauth"}
	for name, c := range map[string]struct {
		why  Reason // that it cannot be used
		seen []sight
		back bool
	}{
		"locked":                             {Locked, []sight{locked}, false},
		"unlocked":                           {Locked, []sight{locked, unlocked}, true},
		"it has come":                        {Absent, []sight{unlocked}, true},
		"nobody answered, and it was locked": {NoAnswer, []sight{locked, unlocked}, true},
		"nobody answered":                    {NoAnswer, []sight{unlocked, unlocked}, false},
		"refused":                            {Denied, []sight{unlocked}, false},
		"only a use can tell":                {Locked, []sight{unclear}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			mustSet(t, open(Options{}, f), old, "old")
			k := open(Options{}, f)
			wantValue(t, k, old, "old")
			refuse(f, c.why)
			wantReason(t, "renewing", k.Set(ctx, old, NewSecret("new")), c.why)
			wantReason(t, "signing in", k.Set(ctx, new, NewSecret("new")), c.why)
			wantReason(t, "signing out", k.Delete(ctx, Key{"gone", "oauth"}), c.why)
			f.hook(nil, nil)
			if got := k.Unkept(); !slices.Equal(got, []string{"desk", "notes"}) {
				t.Errorf("not kept is something of %q", got)
			}
			told := 0
			k.Watch(func() { told++ })
			before, looked := f.count(""), f.count("look")
			var err error
			for _, f.sight = range c.seen {
				err = k.Resume(ctx)
			}
			if c.back {
				if err != nil || len(k.Unkept()) != 0 || k.State().Mode != Available {
					t.Errorf("%v; %v, of %q", err, k.State(), k.Unkept())
				}
				for _, key := range []Key{old, new} {
					if v, err := reread(t, f, key); err != nil || v != "new" {
						t.Errorf("the next run finds %q, %v", v, err)
					}
				}
				return
			}
			wantReason(t, "Resume", err, c.why)
			if others := f.count("") - before - (f.count("look") - looked); others != 0 || told != 0 || len(k.Unkept()) != 2 {
				t.Errorf("%d calls were made besides looks, the state was told %d times, %q", others, told, k.Unkept())
			}
		})
	}
}

func TestKeychain_ResumeDoesNothingWhereNothingWaits(t *testing.T) {
	f := newFake(t)
	k := open(Options{}, f)
	refuse(f, Locked)
	_, err := k.Get(ctx, Key{"notes", "oauth"})
	wantReason(t, "reading", err, Locked)
	f.sight = unlocked
	f.hook(nil, nil)
	before := f.count("")
	if err := k.Resume(ctx); err != nil || f.count("") != before || k.State().Mode != SessionOnly {
		t.Errorf("%v, %d calls, %v", err, f.count("")-before, k.State())
	}
}

// TestKeychain_ALookThatNeverReturnsIsNotWaitedFor, and there is one at a time.
func TestKeychain_ALookThatNeverReturnsIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		k := open(Options{}, f)
		refuse(f, Locked)
		wantReason(t, "storing", k.Set(ctx, Key{"notes", "oauth"}, NewSecret("new")), Locked)
		release := stuck(f)
		before, began := f.count("look"), time.Now()
		for range 3 {
			wantReason(t, "Resume", k.Resume(ctx), Locked)
		}
		if looks, took := f.count("look")-before, time.Since(began); looks != 1 || took != DefaultTimeout {
			t.Errorf("%d looks in %v", looks, took)
		}
		release()
		synctest.Wait()
		f.sight = unlocked
		if err := k.Resume(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestVault_ResumeAsksForNoPassphrase: a locked file is the person's to unlock.
func TestVault_ResumeAsksForNoPassphrase(t *testing.T) {
	f := newFolder(t)
	must(t, f.open().CreateVault(ctx, opening))
	k := f.open()
	wantReason(t, "storing", k.Set(ctx, Key{"notes", "oauth"}, NewSecret("new")), FileLocked)
	wantReason(t, "Resume", k.Resume(ctx), FileLocked)
	if err := k.UnlockVault(ctx, opening); err != nil || len(k.Unkept()) != 0 {
		t.Errorf("%v, of %q", err, k.Unkept())
	}
	must(t, k.Resume(ctx))
}
