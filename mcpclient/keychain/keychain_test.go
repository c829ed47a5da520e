package keychain

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/assets/i18n"
)

// stuck makes every call from now on block until the returned function is called.
func stuck(f *fake) (release func()) {
	gate := make(chan struct{})
	f.hook(func(string) error { <-gate; return nil }, nil)
	return func() {
		f.hook(nil, nil)
		close(gate)
	}
}

// refuse makes every call from now on fail.
func refuse(f *fake, r Reason) {
	f.hook(func(string) error { return &fault{r, "test"} }, nil)
}

// reason is the Reason of an error; -1 for every other error and none.
func reason(err error) Reason {
	var u *Unavailable
	if errors.As(err, &u) {
		return u.Reason
	}
	return -1
}

func wantReason(t *testing.T, what string, err error, r Reason) {
	t.Helper()
	if reason(err) != r {
		t.Errorf("%s: %v, want %v", what, err, r)
	}
}

func wantValue(t *testing.T, k *Keychain, key Key, want string) {
	t.Helper()
	if v, err := k.Get(ctx, key); err != nil || v.Reveal() != want {
		t.Errorf("%v is %q, %v; want %q", key, v.Reveal(), err, want)
	}
}

func TestKeychain_AsksNothingBeforeItIsUsed(t *testing.T) {
	f := newFake(t)
	k := open(Options{}, f)
	if k.State() != (State{}) || f.count("") != 0 {
		t.Errorf("state %v after %d calls", k.State(), f.count(""))
	}
}

// TestKeychain_FreshSeesWhatAnotherProgramStored, and Get does from then on; what
// this run could not store is still what it has.
func TestKeychain_FreshSeesWhatAnotherProgramStored(t *testing.T) {
	f := newFake(t)
	k, other := open(Options{}, f), open(Options{}, f)
	fresh := func(want string) {
		t.Helper()
		if v, err := k.Fresh(ctx, key); err != nil || v.Reveal() != want {
			t.Errorf("%q, %v; want %q", v.Reveal(), err, want)
		}
		wantValue(t, k, key, want)
	}
	mustSet(t, k, key, "ours")
	mustSet(t, other, key, "theirs")
	wantValue(t, k, key, "ours")
	fresh("theirs")
	if err := other.Delete(ctx, key); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Fresh(ctx, key); !errors.Is(err, ErrNotFound) {
		t.Errorf("what they removed: %v", err)
	}

	refuse(f, Denied)
	wantReason(t, "a keychain that refuses", k.Set(ctx, key, NewSecret("kept here")), Denied)
	f.hook(nil, nil)
	mustSet(t, other, key, "theirs again")
	fresh("kept here")
	wantReason(t, "a keychain that refused", k.DeleteAll(ctx, key.Server), Denied)
	if _, err := k.Fresh(ctx, key); !errors.Is(err, ErrNotFound) {
		t.Errorf("what is to be removed: %v", err)
	}
	if _, err := k.Fresh(ctx, Key{}); !errors.Is(err, ErrKey) {
		t.Errorf("no key: %v", err)
	}
}

func TestKeychain_B92_ReadsEachSecretOnceARun(t *testing.T) {
	f := newFake(t)
	mustSet(t, open(Options{}, f), key, "v")
	k := open(Options{}, f)
	before := f.count("get")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			wantValue(t, k, key, "v")
			if _, err := k.Get(ctx, Key{"s-1", "none"}); !errors.Is(err, ErrNotFound) {
				t.Errorf("of no secret: %v", err)
			}
		})
	}
	wg.Wait()
	if n := f.count("get") - before; n != 2 {
		t.Errorf("two secrets were read with %d calls", n)
	}
}

func TestKeychain_RefusesAKeyWithoutServerOrName(t *testing.T) {
	f := newFake(t)
	k := open(Options{}, f)
	for _, bad := range []Key{{}, {Server: "s"}, {Name: "n"}} {
		_, err := k.Get(ctx, bad)
		for _, err := range []error{err, k.Set(ctx, bad, NewSecret("v")), k.Delete(ctx, bad)} {
			if !errors.Is(err, ErrKey) {
				t.Errorf("%v: %v", bad, err)
			}
		}
	}
	if err := k.DeleteAll(ctx, ""); !errors.Is(err, ErrKey) {
		t.Errorf("DeleteAll of no server: %v", err)
	}
	if f.count("") != 0 {
		t.Error("a bad key reached the keychain")
	}
}

func TestKeychain_ServersAndSpacesKeepTheirSecretsApart(t *testing.T) {
	f := newFake(t)
	home, other := open(Options{}, f), open(Options{Space: "b"}, f)
	mustSet(t, home, Key{"s", "n"}, "1")
	mustSet(t, home, Key{"s", "N"}, "2")
	mustSet(t, home, Key{"s2", "n"}, kinds["long"])
	mustSet(t, other, Key{"s", "n"}, "4")
	if err := home.DeleteAll(ctx, "s"); err != nil {
		t.Fatal(err)
	}
	for _, k := range []*Keychain{home, open(Options{}, f)} {
		if _, err := k.Get(ctx, Key{"s", "n"}); !errors.Is(err, ErrNotFound) {
			t.Errorf("a secret of a removed server: %v", err)
		}
		wantValue(t, k, Key{"s2", "n"}, kinds["long"])
	}
	wantValue(t, open(Options{Space: "b"}, f), Key{"s", "n"}, "4")
}

func TestHeaderKey_IsBoundToTheOriginAndNotToTheSpelling(t *testing.T) {
	a := HeaderKey("s", "https://a.example", "Authorization")
	if a != HeaderKey("s", "https://a.example", "authorization") {
		t.Error("the spelling of a header's name makes another secret")
	}
	for _, b := range []Key{HeaderKey("s", "https://b.example", "Authorization"), HeaderKey("s", "https://a.example:444", "Authorization"),
		HeaderKey("s", "https://a.example", "X-Key"), HeaderKey("t", "https://a.example", "Authorization")} {
		if a == b {
			t.Errorf("%v is the secret of another header", b)
		}
	}
}

func TestKeychain_B89_ACallThatNeverReturnsIsSaidAfterTheLimitAndHoldsOneGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		mustSet(t, open(Options{}, f), key, "v")
		release := stuck(f)
		began, calls := time.Now(), f.count("")
		k := open(Options{Timeout: time.Minute}, f)
		var wg sync.WaitGroup
		for i := range 1000 { // many more than the queue holds
			wg.Go(func() {
				_, err := k.Get(ctx, Key{fmt.Sprint("s-", i), "token"})
				wantReason(t, "a waiting caller", err, NoAnswer)
			})
		}
		wg.Wait()
		if d := time.Since(began); d != time.Minute {
			t.Errorf("1,000 callers were told after %v, want the limit of one call", d)
		}
		_, err := k.Get(ctx, key)
		wantReason(t, "a later caller", err, NoAnswer)
		wantReason(t, "a value", k.Set(ctx, key, NewSecret("w")), NoAnswer)
		wantValue(t, k, key, "w")
		if d := time.Since(began); d != time.Minute {
			t.Errorf("later callers waited %v", d-time.Minute)
		}
		if n := f.count("") - calls; n != 1 {
			t.Errorf("the keychain was called %d times, want once", n)
		}

		// Asked anew while the call is still on its way: told again, and no
		// second call beside the first (the fake would fail the test).
		wantReason(t, "Retry", k.Retry(ctx), NoAnswer)
		if d := time.Since(began); d != 2*time.Minute {
			t.Errorf("Retry said so after %v", d-time.Minute)
		}

		// The late answer changes nothing that was said; Retry hands over.
		release()
		synctest.Wait()
		if k.State().Mode != SessionOnly {
			t.Errorf("after a late answer: %v", k.State())
		}
		if err := k.Retry(ctx); err != nil {
			t.Fatalf("Retry of a keychain that answers: %v", err)
		}
		if k.State().Mode != Available {
			t.Errorf("after Retry: %v", k.State())
		}
		if got, err := reread(t, f, key); err != nil || got != "w" {
			t.Errorf("the value kept for the run was handed over as %q, %v", got, err)
		}
	}) // synctest fails if a goroutine of the keychain is left
}

func TestKeychain_TheLimitCountsEachCallNotTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		f.hook(func(string) error { time.Sleep(50 * time.Second); return nil }, nil)
		k := open(Options{Timeout: time.Minute}, f)
		var wg sync.WaitGroup
		for i := range 5 {
			wg.Go(func() {
				if _, err := k.Get(ctx, Key{fmt.Sprint(i), "n"}); !errors.Is(err, ErrNotFound) {
					t.Errorf("a slow keychain that answers: %v", err)
				}
			})
		}
		wg.Wait()
	})
}

func TestKeychain_B92_ADenialIsRememberedUntilRetry(t *testing.T) {
	for _, r := range []Reason{Failed, Absent, NoKeyring, Locked, Denied, Disabled} {
		f := newFake(t)
		refuse(f, r)
		var changes atomic.Int32
		k := open(Options{}, f)
		defer k.Watch(func() { changes.Add(1) })()
		for i := range 5 { // five servers reconnect
			_, err := k.Get(ctx, Key{fmt.Sprint("s-", i), "token"})
			wantReason(t, "reading", err, r)
		}
		wantReason(t, "saving", k.Set(ctx, key, NewSecret("v")), r)
		wantReason(t, "removing", k.DeleteAll(ctx, "s-9"), r)
		if n := f.count(""); n != 1 {
			t.Errorf("%v: the keychain was asked %d times", r, n)
		}
		if s := k.State(); s.Mode != SessionOnly || s.Why.Reason != r || s.Waiting != 1 || changes.Load() != 2 {
			t.Errorf("%v: state %+v, said %d times; want once that, and once what waits", r, s, changes.Load())
		}
		wantReason(t, "Retry", k.Retry(ctx), r)
		if n := f.count(""); n != 2 {
			t.Errorf("%v: Retry asked %d times", r, n-1)
		}
	}
}

func TestKeychain_AFailedRemovalTellsWhetherThereIsAnythingToRemove(t *testing.T) {
	for name, c := range map[string]struct {
		before, after func(*Keychain)
		want          bool
	}{
		"nothing known":         {want: false},
		"stored in this run":    {before: func(k *Keychain) { mustSet(t, k, Key{"s", "a"}, "v") }, want: true},
		"known not to be there": {before: func(k *Keychain) { _, _ = k.Get(ctx, Key{"s", "a"}) }, want: false},
		"another server's":      {before: func(k *Keychain) { mustSet(t, k, Key{"other", "a"}, "v") }, want: false},
		"kept for this run only": {after: func(k *Keychain) {
			wantReason(t, "saving", k.Set(ctx, Key{"s", "a"}, NewSecret("v")), Locked)
		}, want: false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			k := open(Options{}, f)
			if c.before != nil {
				c.before(k)
			}
			refuse(f, Locked)
			if c.after != nil {
				c.after(k)
			}
			u, ok := errors.AsType[*Unavailable](k.DeleteAll(ctx, "s"))
			if !ok || u.Held != c.want || u.Reason != Locked {
				t.Errorf("got %+v, want Held %v", u, c.want)
			}
			if again, ok := errors.AsType[*Unavailable](k.DeleteAll(ctx, "s")); !ok || again.Held {
				t.Errorf("once more: %+v; what was forgotten is known", again)
			}
		})
	}
}

func TestKeychain_RetryHandsOverWhatWasDoneMeanwhile(t *testing.T) {
	f := newFake(t)
	before := open(Options{}, f)
	mustSet(t, before, Key{"removed", "a"}, kinds["long"])
	mustSet(t, before, Key{"removed", "b"}, "old")
	mustSet(t, before, Key{"kept", "signed out"}, "old")
	mustSet(t, before, Key{"kept", "changed"}, "old")
	mustSet(t, before, Key{"kept", "untouched"}, "old")

	k := open(Options{}, f)
	refuse(f, Denied)
	wantReason(t, "removing a server", k.DeleteAll(ctx, "removed"), Denied)
	wantReason(t, "a secret of a server added again", k.Set(ctx, Key{"removed", "b"}, NewSecret("new")), Denied)
	wantReason(t, "removing", k.Delete(ctx, Key{"kept", "signed out"}), Denied)
	wantReason(t, "changing", k.Set(ctx, Key{"kept", "changed"}, NewSecret(kinds["longer"])), Denied)
	check := func(k *Keychain) {
		t.Helper()
		wantValue(t, k, Key{"removed", "b"}, "new")
		wantValue(t, k, Key{"kept", "changed"}, kinds["longer"])
		for _, gone := range []Key{{"removed", "a"}, {"kept", "signed out"}} {
			if _, err := k.Get(ctx, gone); !errors.Is(err, ErrNotFound) {
				t.Errorf("%v: %v, want none", gone, err)
			}
		}
	}
	check(k)

	// The keychain comes back, and dies once more at each call of the hand-over.
	for n := 0; ; n++ {
		f.dieAt(n, true)
		err := k.Retry(ctx)
		check(k)
		f.hook(nil, nil)
		if err == nil {
			break
		}
		wantReason(t, "an interrupted hand-over", err, Failed)
	}
	check(k)
	next := open(Options{}, f)
	check(next)
	wantValue(t, next, Key{"kept", "untouched"}, "old")
	if calls := f.count(""); k.Retry(ctx) != nil || f.count("") != calls+1 {
		t.Errorf("a second Retry made %d calls, want the question only", f.count("")-calls)
	}
}

func TestKeychain_CheckTellsWithoutUse(t *testing.T) {
	for _, c := range []struct {
		sight sight
		want  Mode
	}{{unclear, Untried}, {locked, Untried}, {unlocked, Available}} {
		f := newFake(t)
		f.sight = c.sight
		k := open(Options{}, f)
		if s := k.Check(ctx); s.Mode != c.want || !s.Sentence().IsZero() {
			t.Errorf("sight %v: %v", c.sight, s)
		}
		if f.count("") != 1 || f.count("look") != 1 {
			t.Errorf("sight %v: calls %v", c.sight, f.calls)
		}
		if _, err := k.Get(ctx, key); !errors.Is(err, ErrNotFound) || k.State().Mode != Available || f.count("look") != 1 {
			t.Errorf("sight %v: after a use %v, %v", c.sight, k.State(), err)
		}
	}
	f := newFake(t)
	refuse(f, Absent)
	if s := open(Options{}, f).Check(ctx); s.Mode != SessionOnly || s.Why.Reason != Absent {
		t.Errorf("no keychain: %v", s)
	}
}

func TestKeychain_NoAnswerOfALockedOneIsCalledLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		f.sight = locked
		k := open(Options{}, f)
		k.Check(ctx)
		release := stuck(f)
		_, err := k.Get(ctx, key)
		wantReason(t, "reading", err, Locked)
		release()
	})
}

func TestKeychain_ACallerMayStopWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		k := open(Options{}, f)
		release := stuck(f)
		some, cancel := context.WithCancel(ctx)
		var wg sync.WaitGroup
		for i := range 2 * queueLength {
			wg.Go(func() {
				if err := k.Set(some, Key{fmt.Sprint(i), "n"}, NewSecret(canary)); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), canary) {
					t.Errorf("a caller who left: %v", err)
				}
			})
		}
		synctest.Wait()
		cancel()
		wg.Wait()
		release()
		synctest.Wait()
		// Whoever left before their turn stored nothing; the first had begun.
		if n := f.size(); n > 1 {
			t.Errorf("%d items were stored for callers who had left", n)
		}
		mustSet(t, k, key, "v")
	})
}

func TestKeychain_AValueThatWasGivenUpOnStopsAtItsNextStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		mustSet(t, open(Options{}, f), key, kinds["long"])
		k := open(Options{}, f)
		k.Check(ctx)
		gate, n := make(chan struct{}), 0
		f.hook(func(string) error {
			if n++; n == 6 {
				<-gate
			}
			return nil
		}, nil)
		wantReason(t, "writing", k.Set(ctx, key, NewSecret(kinds["longer"])), NoAnswer)
		calls := f.count("")
		close(gate)
		synctest.Wait()
		if f.count("") != calls {
			t.Error("the write went on after its caller was told that it had failed")
		}
		if got, err := reread(t, f, key); err != nil || got != kinds["long"] {
			t.Errorf("the keychain has %d bytes, %v; want the old value", len(got), err)
		}
		wantValue(t, k, key, kinds["longer"])
	})
}

func TestKeychain_SaysEachStateInEveryLanguageAndNeverASecret(t *testing.T) {
	var out strings.Builder
	sentences := map[string]string{}
	say := func(where string, m i18n.Message) {
		for _, tag := range i18n.Languages {
			s := i18n.New(tag).Text(m)
			if s == "" || s == m.ID || strings.Contains(s, "keychain.") || strings.Contains(s, "<no value>") {
				t.Errorf("%s in %s: %q", where, tag, s)
			}
			if other, ok := sentences[s]; ok && other != where {
				t.Errorf("%s and %s say the same: %s", where, other, s)
			}
			sentences[s] = where
			fmt.Fprintln(&out, s)
		}
	}
	for r := Failed; r <= FileFailed; r++ {
		f := newFake(t)
		k := open(Options{}, f)
		mustSet(t, k, Key{"s", "n"}, canary)
		refuse(f, r)
		setErr := k.Set(ctx, key, NewSecret(canary))
		_, getErr := k.Get(ctx, Key{"s-2", "n"})
		delErr := k.DeleteAll(ctx, "s-3")
		for what, err := range map[string]error{"saving": setErr, "reading": getErr, "removing": delErr} {
			wantReason(t, what, err, r)
			say(fmt.Sprint(r, " while ", what), Sentence(err))
			fmt.Fprintf(&out, "%v %+v %#v\n", err, err, err)
		}
		say(fmt.Sprint(r, " as the state"), k.State().Sentence())
		fmt.Fprintf(&out, "%v %+v %#v %+v %#v\n", k.State(), k.State(), k.State(), k, k)
	}
	for _, err := range []error{ErrNotFound, ErrDamaged, ErrTooLarge, ErrKey, stopped(ctx)} {
		say(fmt.Sprint(err), Sentence(err))
	}
	if !Sentence(nil).IsZero() {
		t.Error("no error has a sentence")
	}
	if strings.Contains(out.String(), canary) {
		t.Errorf("a secret shows:\n%s", out.String())
	}
}
