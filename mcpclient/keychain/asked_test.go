package keychain

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestKeychain_TellsWhoWaitsForIt, as soon as that takes longer than a moment: it may
// have a window open for the person.
func TestKeychain_TellsWhoWaitsForIt(t *testing.T) {
	for name, answers := range map[string]bool{"it answers": true, "it does not": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t)
				k := open(Options{}, f)
				mustSet(t, k, Key{"known", "token"}, "v")
				var told atomic.Int32
				k.Watch(func() { told.Add(1) })
				release := stuck(f)
				var wg sync.WaitGroup
				ask := func(server string) {
					wg.Go(func() { k.Get(ctx, Key{server, "token"}) })
					synctest.Wait()
				}
				wants := func(servers ...string) {
					t.Helper()
					synctest.Wait()
					if got := k.Asked(); !slices.Equal(got, servers) {
						t.Errorf("%q wait, want %q", got, servers)
					}
				}
				ask("b")
				ask("a")
				ask("a")
				ask("known") // which this run has
				wants()
				if n := told.Load(); n != 0 {
					t.Errorf("told %d times before it takes long", n)
				}
				time.Sleep(patience)
				wants("a", "b")
				if told.Swap(0) == 0 {
					t.Error("it is not told")
				}
				ask("c")
				wants("a", "b", "c")
				if told.Swap(0) == 0 {
					t.Error("another one is not told of")
				}
				if answers {
					release()
				} else {
					time.Sleep(DefaultTimeout)
					defer release()
				}
				wg.Wait()
				wants()
				if told.Load() == 0 {
					t.Error("its end is not told")
				}
			})
		})
	}
}

func TestKeychain_OneThatAnswersTellsOfNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		k := open(Options{}, f)
		f.hook(func(string) error { time.Sleep(patience / 2); return nil }, nil)
		k.Watch(func() {
			if got := k.Asked(); got != nil {
				t.Errorf("%q are said to wait", got)
			}
		})
		for range 5 {
			mustSet(t, k, Key{"notes", "token"}, "v")
		}
		time.Sleep(2 * patience)
	})
}
