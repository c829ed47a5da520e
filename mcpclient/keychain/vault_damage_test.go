package keychain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
