package keychain

import "testing"

// OpenFake is a Keychain over a system in memory, which away puts out of reach for
// a reason and back makes usable again.
func OpenFake(t *testing.T) (k *Keychain, away func(Reason), back func()) {
	f := newFake(t)
	k = open(Options{}, f)
	away = func(r Reason) { refuse(f, r) }
	back = func() {
		f.hook(nil, nil)
		if err := k.Retry(t.Context()); err != nil {
			t.Errorf("back: %v", err)
		}
	}
	return k, away, back
}
