package keychain

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"filippo.io/age"
	"filippo.io/age/armor"
)

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

// TestVault_CountsTheSecretsOfEachServer, those another program made too; a
// keychain cannot be listed and a locked file not be read.
func TestVault_CountsTheSecretsOfEachServer(t *testing.T) {
	f := newFolder(t)
	k := f.open()
	for _, key := range []Key{{"s-1", "a"}, {"s-1", "b"}, {"s-2", "a"}} {
		must(t, k.Set(ctx, key, NewSecret("v")))
	}
	if got, err := k.Servers(ctx); err != nil || len(got) != 0 {
		t.Errorf("of the keychain: %v, %v", got, err)
	}
	must(t, k.CreateVault(ctx, opening))
	must(t, f.unlocked().Set(ctx, Key{"s-3", "a"}, NewSecret("v")))
	must(t, k.DeleteAll(ctx, "s-2"))
	if got, err := k.Servers(ctx); err != nil || !maps.Equal(got, map[string]int{"s-1": 2, "s-3": 1}) {
		t.Errorf("it counts %v, %v", got, err)
	}
	k.LockVault()
	_, err := k.Servers(ctx)
	wantReason(t, "counting in a locked file", err, FileLocked)
}
