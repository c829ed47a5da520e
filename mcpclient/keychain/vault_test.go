package keychain

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/age"
	"filippo.io/age/armor"
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

func TestVault_B90_KeepsValuesOfAnySizeAndBytes(t *testing.T) {
	f := newFolder(t)
	k := f.open()
	must(t, k.CreateVault(ctx, opening))
	sizes := []int{0, 1, 2560, 2561, 5500, 100_000, MaxSize}
	for _, n := range sizes {
		must(t, k.Set(ctx, Key{"s\xff", fmt.Sprint(n)}, NewSecret(long("\xfe", n))))
	}
	next := f.unlocked()
	for _, n := range sizes {
		wantValue(t, next, Key{"s\xff", fmt.Sprint(n)}, long("\xfe", n))
	}
}

func TestVault_ShowsNothingOfServersOrSecretsAndIsForItsOwnerOnly(t *testing.T) {
	f := newFolder(t)
	k := f.open()
	must(t, k.CreateVault(ctx, opening))
	bare := len(f.raw())
	const server, name = "server-4711", "header authorization https://host-4711.example"
	must(t, k.Set(ctx, Key{server, name}, NewSecret(canary)))
	raw := f.raw()
	if len(raw) != bare {
		t.Errorf("one short secret changes the length from %d to %d", bare, len(raw))
	}
	key, secrets, ok := parts(raw)
	if !ok {
		t.Fatal("the file has no two parts")
	}
	for _, part := range [][]byte{key, secrets} {
		cipher, err := io.ReadAll(armor.NewReader(bytes.NewReader(part)))
		must(t, err)
		for _, text := range []string{canary, server, "4711", "authorization", opening.Reveal(), "AGE-SECRET", `"secrets"`} {
			for _, form := range []string{text, base64.StdEncoding.EncodeToString([]byte(text))[:len(text)], strings.ToUpper(text)} {
				if bytes.Contains(raw, []byte(form)) || bytes.Contains(cipher, []byte(form)) {
					t.Errorf("%q shows", text)
				}
			}
		}
	}
	all, err := os.ReadDir(filepath.Dir(f.path))
	must(t, err)
	for _, e := range all {
		info, err := e.Info()
		must(t, err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %v", e.Name(), info.Mode())
		}
	}
	if len(all) != 2 { // the file and its lock
		t.Errorf("the folder holds %v", all)
	}
}

// TestVault_CanBeReadWithTheAgeCommand does what the comment on vault tells a
// person who has no Parley any more.
func TestVault_CanBeReadWithTheAgeCommand(t *testing.T) {
	f := newFolder(t)
	k := f.open()
	must(t, k.Set(ctx, key, NewSecret(canary)))
	must(t, k.CreateVault(ctx, opening))
	first, second, _ := parts(f.raw())
	passphrase, err := age.NewScryptIdentity(opening.Reveal())
	must(t, err)
	r, err := age.Decrypt(armor.NewReader(bytes.NewReader(first)), passphrase)
	must(t, err)
	ids, err := age.ParseIdentities(r)
	must(t, err)
	r, err = age.Decrypt(armor.NewReader(bytes.NewReader(second)), ids...)
	must(t, err)
	plain, err := io.ReadAll(r)
	must(t, err)
	if !bytes.Contains(plain, []byte(base64.StdEncoding.EncodeToString([]byte(canary)))) {
		t.Error("the secret is not in it")
	}
}

// TestVault_CostsASecondAGuess: what the product asks of scrypt stands in the file.
func TestVault_CostsASecondAGuess(t *testing.T) {
	f := newFolder(t)
	if got := open(Options{Vault: f.path}, f.fake).vault.cost; got != 18 {
		t.Errorf("the product's cost is 2^%d", got)
	}
	k := f.open()
	k.vault.cost = 7
	must(t, k.CreateVault(ctx, opening))
	first, _, _ := parts(f.raw())
	cipher, err := io.ReadAll(armor.NewReader(bytes.NewReader(first)))
	must(t, err)
	_, stanza, _ := strings.Cut(string(cipher), "-> scrypt ")
	if line, _, _ := strings.Cut(stanza, "\n"); !strings.HasSuffix(line, " 7") {
		t.Errorf("scrypt's parameters are %q", line)
	}
}

func TestVault_AFileThatAsksForTooMuchWorkIsRefusedBeforeAnyIsDone(t *testing.T) {
	f := newFolder(t)
	must(t, f.open().CreateVault(ctx, opening))
	first, second, _ := parts(f.raw())
	cipher, err := io.ReadAll(armor.NewReader(bytes.NewReader(first)))
	must(t, err)
	var out bytes.Buffer
	w := armor.NewWriter(&out)
	_, err = w.Write(bytes.Replace(cipher, []byte(" 1\n"), []byte(" 40\n"), 1))
	must(t, errors.Join(err, w.Close()))
	must(t, os.WriteFile(f.path, append(out.Bytes(), second...), 0o600))
	wantReason(t, "unlocking", f.open().UnlockVault(ctx, opening), FileFailed)
	if len(f.beside()) != 0 {
		t.Error("it was kept aside, though a later version may read it")
	}
}

func TestVault_AWeakPassphraseIsRefused(t *testing.T) {
	f := newFolder(t)
	k := f.open()
	for _, weak := range []string{"", " ", "short", "aaaaaaaaaaaaaaaaaaaa", "passwordpassword"} {
		if err := k.CreateVault(ctx, NewSecret(weak)); !errors.Is(err, ErrWeak) {
			t.Errorf("%q: %v", weak, err)
		}
	}
	if k.vault.exists() {
		t.Error("there is a file")
	}
	must(t, k.CreateVault(ctx, opening))
	if err := k.ChangePassphrase(ctx, opening, NewSecret("short")); !errors.Is(err, ErrWeak) {
		t.Errorf("changing to a weak one: %v", err)
	}
	f.unlocked()
}

func TestVault_B92_AWrongPassphraseIsSaidAndChangesNothing(t *testing.T) {
	f := newFolder(t)
	k := f.open()
	must(t, k.Set(ctx, key, NewSecret("v")))
	must(t, k.CreateVault(ctx, opening))
	before := f.raw()
	k = f.open()
	for _, guess := range []Secret{wrong, NewSecret(""), {}} {
		if err := k.UnlockVault(ctx, guess); !errors.Is(err, ErrPassphrase) {
			t.Errorf("unlocking with another: %v", err)
		}
		if err := k.ChangePassphrase(ctx, guess, another); !errors.Is(err, ErrPassphrase) {
			t.Errorf("changing with another: %v", err)
		}
	}
	wantMode(t, k, VaultLocked, FileLocked, 0)
	if !bytes.Equal(f.raw(), before) || len(f.beside()) != 0 {
		t.Error("the file was changed")
	}
	must(t, k.UnlockVault(ctx, opening))
	wantValue(t, k, key, "v")
}

// TestVault_APassphraseIsTheSameInEachComposition: the keyboard of one system
// gives é as one character, that of another as two.
func TestVault_APassphraseIsTheSameInEachComposition(t *testing.T) {
	f := newFolder(t)
	must(t, f.open().CreateVault(ctx, NewSecret("caf\u00e9 horses walk plain")))
	must(t, f.open().UnlockVault(ctx, NewSecret("cafe\u0301 horses walk plain")))
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

func TestVault_AnotherPassphraseOpensAllOfItAndTheOldOneNothing(t *testing.T) {
	f := newFolder(t)
	k := f.open()
	must(t, k.Set(ctx, key, NewSecret("v")))
	must(t, k.CreateVault(ctx, opening))
	other := f.unlocked() // another program, which has it open
	oldKey, _, _ := parts(f.raw())

	k.LockVault()
	must(t, k.ChangePassphrase(ctx, opening, another))
	wantMode(t, k, Vault, -1, 0)
	must(t, k.Set(ctx, Key{"s-1", "later"}, NewSecret("w")))
	next := f.open()
	if err := next.UnlockVault(ctx, opening); !errors.Is(err, ErrPassphrase) {
		t.Errorf("the old one: %v", err)
	}
	must(t, next.UnlockVault(ctx, another))
	wantValue(t, next, key, "v")
	wantValue(t, next, Key{"s-1", "later"}, "w")

	wantReason(t, "saving where it was open", other.Set(ctx, Key{"s-2", "o"}, NewSecret("o")), FileLocked)
	wantMode(t, other, VaultLocked, FileLocked, 1)
	must(t, other.UnlockVault(ctx, another))
	wantValue(t, f.openWith(another), Key{"s-2", "o"}, "o")

	// Who kept an old copy, and knows the old passphrase, has nothing with it.
	_, secrets, _ := parts(f.raw())
	must(t, os.WriteFile(f.path, append(oldKey, secrets...), 0o600))
	wantReason(t, "the old key part with the new secrets", f.open().UnlockVault(ctx, opening), FileBroken)
}

// openWith is open with the file unlocked by a passphrase.
func (f *folder) openWith(passphrase Secret) *Keychain {
	f.t.Helper()
	k := f.open()
	must(f.t, k.UnlockVault(ctx, passphrase))
	return k
}

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

// raws is how many encrypted files there are.
func (f *folder) raws() int {
	if _, err := os.Stat(f.path); err == nil {
		return 1
	}
	return 0
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

// TestVault_ADamagedFileIsKeptAsideAndSaid flips bits and cuts the file all over.
func TestVault_ADamagedFileIsKeptAsideAndSaid(t *testing.T) {
	f := newFolder(t)
	first := f.open()
	must(t, first.Set(ctx, key, NewSecret("v")))
	must(t, first.CreateVault(ctx, opening))
	whole := f.raw()
	damaged := map[string][]byte{
		"empty":             {},
		"no age file":       []byte("hello\n"),
		"a plain file":      []byte(`{"parley":1,"secrets":[]}`),
		"the first part":    whole[:bytes.Index(whole, []byte(endMark))+len(endMark)],
		"the second part":   whole[bytes.Index(whole, []byte(endMark))+len(endMark):],
		"something after":   append(bytes.Clone(whole), "more"...),
		"zeros of its size": make([]byte, len(whole)),
	}
	for i := 1; i < len(whole); i += len(whole) / 15 {
		damaged[fmt.Sprint("cut after ", i)] = whole[:i]
		flipped := bytes.Clone(whole)
		flipped[i] ^= 4
		damaged[fmt.Sprint("flipped at ", i)] = flipped
	}
	_, secondStart, _ := bytes.Cut(whole, []byte(endMark))
	seen := map[string]int{}
	for name, raw := range damaged {
		must(t, os.WriteFile(f.path, raw, 0o600))
		k := f.open()
		wantReason(t, "saving", k.Set(ctx, Key{"s-2", "n"}, NewSecret("w")), FileLocked)
		err := k.UnlockVault(ctx, opening)
		aside := f.beside()
		switch {
		case errors.Is(err, ErrPassphrase) && strings.HasPrefix(name, "flipped") && bytes.HasSuffix(raw, secondStart):
			seen["called a wrong passphrase"]++
			if len(aside) != 0 || !bytes.Equal(f.raw(), raw) {
				t.Errorf("%s: a file that may be whole was moved", name)
			}
			continue
		case reason(err) != FileBroken || len(aside) != 1 || f.raws() != 0:
			t.Errorf("%s: %v, aside %v", name, err, aside)
			continue
		}
		seen["found"]++
		if kept, err := os.ReadFile(aside[0]); err != nil || !bytes.Equal(kept, raw) {
			t.Errorf("%s: what is kept aside is not the file, %v", name, err)
		}
		if !strings.Contains(fmt.Sprint(Sentence(err)), filepath.Base(aside[0])) {
			t.Errorf("%s: the sentence does not name the file: %v", name, Sentence(err))
		}
		wantMode(t, k, SessionOnly, FileBroken, 1)
		must(t, os.Remove(aside[0]))
		must(t, k.CreateVault(ctx, another)) // the person goes on
		wantValue(t, f.openWith(another), Key{"s-2", "n"}, "w")
	}
	if seen["found"] < 25 {
		t.Errorf("tried: %v", seen)
	}
}

func TestVault_DamagedWhileInUseIsKeptAsideToo(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"cut":                  func(raw []byte) []byte { return raw[:len(raw)/2] },
		"no age file any more": func([]byte) []byte { return []byte("x") },
	} {
		f := newFolder(t)
		k := f.open()
		must(t, k.CreateVault(ctx, opening))
		must(t, k.Set(ctx, key, NewSecret("v")))
		raw := f.raw()
		raw = damage(append(bytes.Clone(raw[:len(raw)-200]), raw[len(raw)-200:]...))
		if name == "cut" {
			first, second, _ := parts(f.raw())
			raw = append(bytes.Clone(first), second[:len(second)/2]...)
		}
		must(t, os.WriteFile(f.path, raw, 0o600))
		wantReason(t, name, k.Set(ctx, Key{"s-2", "n"}, NewSecret("w")), FileBroken)
		if aside := f.beside(); len(aside) != 1 || f.raws() != 0 {
			t.Errorf("%s: aside %v", name, aside)
		}
		wantValue(t, k, key, "v")
		must(t, k.Retry(ctx)) // back to the keychain, with all that this run has
		wantMode(t, k, Available, -1, 0)
		wantValue(t, f.open(), key, "v")
		wantValue(t, f.open(), Key{"s-2", "n"}, "w")
	}
}

func TestVault_ADiskThatFailsIsSaidAndTriedAgain(t *testing.T) {
	f := newFolder(t)
	k := f.open()
	dir := filepath.Dir(f.path)
	must(t, os.WriteFile(dir, nil, 0o600)) // no folder can be made here
	wantReason(t, "making", k.CreateVault(ctx, opening), FileFailed)
	must(t, os.Remove(dir))
	must(t, k.CreateVault(ctx, opening))
	must(t, os.Rename(dir, dir+"-away"))
	must(t, os.WriteFile(dir, nil, 0o600))
	wantReason(t, "saving", k.Set(ctx, key, NewSecret(canary)), FileFailed)
	wantMode(t, k, SessionOnly, FileFailed, 1)
	wantValue(t, k, key, canary)
	must(t, os.Remove(dir))
	must(t, os.Rename(dir+"-away", dir))
	must(t, k.Retry(ctx))
	wantMode(t, k, Vault, -1, 0)
	wantValue(t, f.unlocked(), key, canary)
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
