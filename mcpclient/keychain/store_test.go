package keychain

import (
	"context"
	"errors"
	"strings"
	"testing"
)

var (
	ctx = context.Background()
	key = Key{Server: "s-1", Name: "token"}
)

// long makes a value of n bytes in which each part differs.
func long(mark string, n int) string {
	return strings.Repeat(mark+"0123456789abcdef\x00\xff\n世", n/20+1)[:n]
}

func mustSet(t *testing.T, k *Keychain, key Key, v string) {
	t.Helper()
	if err := k.Set(ctx, key, NewSecret(v)); err != nil {
		t.Fatalf("storing %d bytes: %v", len(v), err)
	}
}

// reread reads a secret as the next run of the program does.
func reread(t *testing.T, f *fake, key Key) (string, error) {
	t.Helper()
	v, err := open(Options{}, f).Get(ctx, key)
	return v.Reveal(), err
}

func TestStore_B90_ValuesOfAnySizeComeBack(t *testing.T) {
	head, part := storeOf(nil).headSize(), storeOf(nil).partSize()
	for _, n := range []int{0, 1, head, head + 1, part, part + 1, 2560, 2561, 2 * part, 2*part + 1, 5500, 100_000, MaxSize} {
		f := newFake(t)
		want := long("a", n)
		mustSet(t, open(Options{}, f), key, want)
		if got, err := reread(t, f, key); err != nil || got != want {
			t.Errorf("%d bytes: got %d bytes, %v", n, len(got), err)
		}
	}
	f := newFake(t)
	if err := open(Options{}, f).Set(ctx, key, NewSecret(long("a", MaxSize+1))); !errors.Is(err, ErrTooLarge) {
		t.Errorf("past the limit: %v", err)
	}
	if f.count("") != 0 {
		t.Error("a value past the limit reached the keychain")
	}
}

// kinds are the ways a value lies in the keychain; "" is none.
var kinds = map[string]string{"none": "", "short": long("s", 10), "long": long("l", 5500), "longer": long("m", 9000)}

// TestStore_ACrashAtAnyStepLeavesTheOldOrTheNewValue kills each kind of write
// at each of its calls, then does what the next run of the program does.
func TestStore_ACrashAtAnyStepLeavesTheOldOrTheNewValue(t *testing.T) {
	for oldKind, oldValue := range kinds {
		for newKind, newValue := range kinds {
			for _, withEffect := range []bool{false, true} {
				crashes := 0
				for n := 0; ; n++ {
					f := newFake(t)
					if oldValue != "" {
						mustSet(t, open(Options{}, f), key, oldValue)
					}
					f.dieAt(n, withEffect)
					k := open(Options{}, f)
					var err error
					if newValue != "" {
						err = k.Set(ctx, key, NewSecret("n"+newValue))
					} else {
						err = k.Delete(ctx, key)
					}
					f.hook(nil, nil)
					if err == nil {
						break
					}
					crashes++
					got, err := reread(t, f, key)
					isOld := err == nil && got == oldValue && oldValue != "" || errors.Is(err, ErrNotFound) && oldValue == ""
					isNew := err == nil && got == "n"+newValue && newValue != "" || errors.Is(err, ErrNotFound) && newValue == ""
					if !isOld && !isNew {
						t.Errorf("%s to %s, crash at call %d (effect %v): %d bytes, %v", oldKind, newKind, n, withEffect, len(got), err)
					}
					after := open(Options{}, f)
					mustSet(t, after, key, "third")
					if f.size() != 1 {
						t.Errorf("%s to %s, crash at call %d: the next write leaves %d items, want 1", oldKind, newKind, n, f.size())
					}
				}
				if crashes < 2 {
					t.Errorf("%s to %s: only %d crashes were tried", oldKind, newKind, crashes)
				}
			}
		}
	}
}

func TestStore_ADeleteAfterACrashLeavesNothing(t *testing.T) {
	for _, all := range []bool{false, true} {
		for n := 0; ; n++ {
			f := newFake(t)
			mustSet(t, open(Options{}, f), key, kinds["long"])
			f.dieAt(n, true)
			err := open(Options{}, f).Set(ctx, key, NewSecret(kinds["longer"]))
			f.hook(nil, nil)
			k := open(Options{}, f)
			remove := func() error { return k.Delete(ctx, key) }
			if all {
				remove = func() error { return k.DeleteAll(ctx, key.Server) }
			}
			if err := remove(); err != nil || f.size() != 0 {
				t.Errorf("crash at call %d, all %v: %d items left, %v", n, all, f.size(), err)
			}
			if err == nil {
				break
			}
		}
	}
}

// meanwhile runs other before the nth call of f from now on, with f as it is.
func meanwhile(f *fake, n int, other func(items)) (reached *bool) {
	reached = new(bool)
	i := -1
	f.hook(func(string) error {
		if i++; i == n {
			*reached = true
			aside := &fake{t: f.t, items: f.items}
			other(aside)
		}
		return nil
	}, nil)
	return reached
}

// place is the store of key without a worker around it, as another process uses it.
func storeOf(i items) store {
	return store{items: i, limit: smallItem, service: serviceName("", key.Server), account: slug(key.Name)}
}

func TestStore_TwoProcessesThatWriteAtOnceNeverMix(t *testing.T) {
	for n := 0; ; n++ {
		f := newFake(t)
		mustSet(t, open(Options{}, f), key, kinds["long"])
		a, b := long("A", 6000), long("B", 7000)
		reached := meanwhile(f, n, func(i items) {
			if err := storeOf(i).write(b); err != nil {
				t.Fatal(err)
			}
		})
		err := storeOf(f).write(a)
		f.hook(nil, nil)
		if !*reached {
			break
		}
		if err != nil {
			t.Errorf("the other wrote before call %d: %v", n, err)
		}
		if got, readErr := reread(t, f, key); readErr != nil || got != a && got != b {
			t.Errorf("the other wrote before call %d: %d bytes, %v", n, len(got), readErr)
		}
	}
}

func TestStore_AReaderSeesTheOldOrTheNewValueWhileAnotherWrites(t *testing.T) {
	for _, next := range kinds {
		for n := 0; ; n++ {
			f := newFake(t)
			mustSet(t, open(Options{}, f), key, kinds["long"])
			reached := meanwhile(f, n, func(i items) {
				err := storeOf(i).remove()
				if next != "" {
					err = errors.Join(err, storeOf(i).write(next))
				}
				if err != nil {
					t.Fatal(err)
				}
			})
			got, err := storeOf(f).read()
			f.hook(nil, nil)
			if !*reached {
				break
			}
			whole := err == nil && (got == kinds["long"] || got == next) || next == "" && errors.Is(err, ErrNotFound)
			if !whole {
				t.Errorf("replaced by %d bytes before call %d: %d bytes, %v", len(next), n, len(got), err)
			}
		}
	}
}

func TestStore_WhatIsDamagedIsSaidAndCanBeReplaced(t *testing.T) {
	service, account := serviceName("", key.Server), slug(key.Name)
	for name, damage := range map[string]func(f *fake){
		"a part is missing": func(f *fake) {
			for at := range f.items {
				if strings.HasSuffix(at[1], ".1") {
					delete(f.items, at)
				}
			}
		},
		"a part is cut": func(f *fake) {
			for at, v := range f.items {
				if strings.HasSuffix(at[1], ".1") {
					f.items[at] = v[:len(v)-4]
				}
			}
		},
		"a part is no base64": func(f *fake) {
			for at := range f.items {
				if strings.HasSuffix(at[1], ".1") {
					f.items[at] = "!"
				}
			}
		},
		"the head is no JSON": func(f *fake) { f.items[[2]string{service, account}] = "a token typed by hand" },
		"the head is of a later layout": func(f *fake) {
			f.items[[2]string{service, account}] = `{"parley":2,"value":{"sum":"","inline":""}}`
		},
		"the head names endless parts": func(f *fake) {
			f.items[[2]string{service, account}] = `{"parley":1,"value":{"sum":"","parts":{"id":"x","count":2000000000}}}`
		},
	} {
		f := newFake(t)
		mustSet(t, open(Options{}, f), key, kinds["long"])
		damage(f)
		if got, err := reread(t, f, key); !errors.Is(err, ErrDamaged) || got != "" {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		mustSet(t, open(Options{}, f), key, "anew")
		if got, err := reread(t, f, key); err != nil || got != "anew" {
			t.Errorf("%s: after a new value: %q, %v", name, got, err)
		}
	}
}

func TestStore_AWriteThatWasNotKeptIsNoSuccess(t *testing.T) {
	f := newFake(t)
	k := open(Options{}, &forgetful{f})
	var u *Unavailable
	if err := k.Set(ctx, key, NewSecret("x")); !errors.As(err, &u) || u.Reason != Failed {
		t.Errorf("a keychain that keeps nothing and says nothing: %v", err)
	}
}

// forgetful says yes to every write and keeps none, as "security -i" may do.
type forgetful struct{ *fake }

func (f *forgetful) set(service, account, content string) error { return nil }

func TestStore_NamesOfDifferentTextsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, s := range []string{"", "a", "A", "a ", "ä", "ö", "a/b", "a-b", "a:b", "token\n", "'; rm", "\xff", "\xfe",
		strings.Repeat("x", 300), strings.Repeat("x", 301)} {
		name := slug(s)
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q are both %s", s, other, name)
		}
		seen[name] = s
		if len(name) > slugLength+33 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("%q becomes %q", s, name)
		}
	}
}
