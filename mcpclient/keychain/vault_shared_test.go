package keychain

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

func TestVault_TwoProgramsOnOneFolderLoseNothing(t *testing.T) {
	f := newFolder(t)
	must(t, f.open().CreateVault(ctx, opening))
	programs := []*Keychain{f.unlocked(), f.unlocked(), f.unlocked()}
	const each = 15
	var all sync.WaitGroup
	for p, k := range programs {
		for i := range each {
			all.Go(func() {
				own := Key{fmt.Sprint("s-", p), fmt.Sprint(i)}
				if err := k.Set(ctx, own, NewSecret(fmt.Sprint(p, " ", i))); err != nil {
					t.Errorf("%v: %v", own, err)
				}
				if i%5 == 0 {
					if err := k.Delete(ctx, own); err != nil {
						t.Errorf("deleting %v: %v", own, err)
					}
				}
			})
		}
	}
	all.Wait()
	must(t, programs[1].DeleteAll(ctx, "s-0")) // which another program made
	next := f.unlocked()
	for p := range programs {
		for i := range each {
			own := Key{fmt.Sprint("s-", p), fmt.Sprint(i)}
			if p == 0 || i%5 == 0 {
				wantNone(t, next, own)
			} else {
				wantValue(t, next, own, fmt.Sprint(p, " ", i))
			}
		}
	}
}

func TestVault_OfAnotherProgramIsNotOverwritten(t *testing.T) {
	f := newFolder(t)
	refuse(f.fake, Absent)
	late := f.open()
	wantReason(t, "saving", late.Set(ctx, Key{"s-2", "n"}, NewSecret("late")), Absent)
	first := f.open()
	wantReason(t, "saving", first.Set(ctx, key, NewSecret("v")), Absent)
	must(t, first.CreateVault(ctx, opening))
	if err := late.CreateVault(ctx, another); !errors.Is(err, ErrVaultExists) {
		t.Errorf("making a second: %v", err)
	}
	wantMode(t, late, VaultLocked, FileLocked, 1)
	must(t, late.UnlockVault(ctx, opening))
	if err := late.CreateVault(ctx, another); !errors.Is(err, ErrVaultExists) {
		t.Errorf("making another one: %v", err)
	}
	next := f.unlocked()
	wantValue(t, next, key, "v")
	wantValue(t, next, Key{"s-2", "n"}, "late")
}
