package keychain

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The passphrases of the tests.
var (
	opening = NewSecret("four plain horses walk")
	another = NewSecret("seven green lamps hum")
	wrong   = NewSecret("four plain horses talk")
)

// cheap is the cost of files made by tests: scrypt in no time.
const cheap = 1

// folder is a config folder, and a keychain beside it.
type folder struct {
	t    *testing.T
	fake *fake
	path string // of the encrypted file
}

func newFolder(t *testing.T) *folder {
	return &folder{t, newFake(t), filepath.Join(t.TempDir(), "parley", "secrets.age")}
}

// open is what the next run of the program, or another one, does.
func (f *folder) open() *Keychain {
	k := open(Options{Vault: f.path}, f.fake)
	k.vault.cost = cheap
	return k
}

// unlocked is open with the file unlocked.
func (f *folder) unlocked() *Keychain {
	f.t.Helper()
	k := f.open()
	must(f.t, k.UnlockVault(ctx, opening))
	return k
}

// raw is the file as it is.
func (f *folder) raw() []byte {
	f.t.Helper()
	raw, err := os.ReadFile(f.path)
	must(f.t, err)
	return raw
}

// beside are the other files of the folder, but for the lock.
func (f *folder) beside() []string {
	f.t.Helper()
	all, err := filepath.Glob(f.path + ".*")
	must(f.t, err)
	var out []string
	for _, path := range all {
		if path != f.path+".lock" {
			out = append(out, path)
		}
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantNone(t *testing.T, k *Keychain, key Key) {
	t.Helper()
	if v, err := k.Get(ctx, key); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v is %d bytes, %v; want none", key, len(v.Reveal()), err)
	}
}

func wantMode(t *testing.T, k *Keychain, m Mode, r Reason, waiting int) {
	t.Helper()
	s := k.State()
	got := Reason(-1)
	if s.Why != nil {
		got = s.Why.Reason
	}
	if s.Mode != m || got != r || s.Waiting != waiting {
		t.Errorf("the state is %v, %v, %d waiting; want %v, %v, %d", s.Mode, got, s.Waiting, m, r, waiting)
	}
}

// openWith is open with the file unlocked by a passphrase.
func (f *folder) openWith(passphrase Secret) *Keychain {
	f.t.Helper()
	k := f.open()
	must(f.t, k.UnlockVault(ctx, passphrase))
	return k
}

// raws is how many encrypted files there are.
func (f *folder) raws() int {
	if _, err := os.Stat(f.path); err == nil {
		return 1
	}
	return 0
}
