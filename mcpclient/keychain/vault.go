package keychain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"filippo.io/age"
	"filippo.io/age/armor"
	"golang.org/x/text/unicode/norm"

	"parley/mcpclient/disk"
)

// vault is the encrypted file, for people who have no keychain or want none. It
// consists of two age files in their text form (age-encryption.org/v1), one
// after the other:
//
//  1. an X25519 identity, made for this file, encrypted with the passphrase
//     (scrypt, N = 2^vaultCost);
//  2. all secrets with their servers and names, as JSON padded to a multiple of
//     vaultPad bytes, encrypted to that identity.
//
// So scrypt's second and its 256 MiB are spent when the file is made or
// unlocked and not at each change, and nothing but the function that unlocks
// ever has the passphrase: what stays in memory while the file is unlocked is
// the identity. Nothing outside the ciphertexts tells of a server or a secret;
// the length tells roughly how much there is. The passphrase's change makes a
// new identity, so the old passphrase, with an old copy of the first part, opens
// nothing that is written later. Who has the passphrase can read the file with
// the age command: part one saved as KEY, part two as SECRETS, then
// `age -d -i KEY SECRETS`.
//
// A flipped bit in the few bytes that scrypt's key opens looks like a wrong
// passphrase, which nobody can tell apart; every other damage is found and the
// file kept aside.
//
// Each change holds the lock of the file, reads it anew, changes it and puts the
// whole in its place in one step: two programs on one folder do not lose each
// other's entries, and a crash leaves the old file or the new one.
type vault struct {
	path string
	cost int // of new files: log2 of scrypt's N
	now  func() time.Time

	mu  sync.Mutex // of key; held for moments only
	key *vaultKey  // nil while the file is locked
}

// vaultKey opens the second part of a file whose first part is block.
type vaultKey struct {
	id    *age.X25519Identity
	block []byte
}

// VaultName is the name of the encrypted file in the config folder.
const VaultName = "secrets.age"

const (
	// vaultCost makes each guess of a passphrase take about a second of one
	// core and 256 MiB of memory; age's own choice for passphrases.
	vaultCost = 18
	// maxVaultCost bounds what a file may ask of the computer that opens it:
	// four seconds and 1 GiB.
	maxVaultCost = 20
	// maxVault bounds the file, in bytes; a few dozen secrets of MaxSize.
	maxVault = 64 << 20
	vaultPad = 4096
	// vaultFormat is the number of the JSON's layout.
	vaultFormat = 1
)

// contents is the JSON of the second part. Everything is bytes, in base64, since
// a value need not be valid UTF-8 and must come back as it was.
type contents struct {
	Format  int      `json:"parley"`
	Secrets []sealed `json:"secrets"`
}

type sealed struct {
	Server []byte `json:"server"`
	Name   []byte `json:"name"`
	Value  []byte `json:"value"`
}

// Errors of reading. fault turns them into one.
var (
	errTooCostly = errors.New("keychain: the encrypted file asks for too much work")
	errNewer     = errors.New("keychain: the encrypted file has a later format")
	errNotOurs   = errors.New("keychain: the encrypted file is longer than any that was written")
)

// brokenFile is a file, as it was read, that is no vault.
type brokenFile struct{ raw []byte }

func (*brokenFile) Error() string { return "keychain: the encrypted file is damaged" }

// exists reports whether there is a file, or something at its place that cannot
// be looked at.
func (v *vault) exists() bool {
	_, err := os.Lstat(v.path)
	return !errors.Is(err, fs.ErrNotExist)
}

// opened is the key of the unlocked file; nil while it is locked.
func (v *vault) opened() *vaultKey {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.key
}

// keep sets the key; nil locks.
func (v *vault) keep(k *vaultKey) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.key = k
}

// create makes the file with its first secrets, and unlocks it. The error is
// ErrVaultExists or a fault.
func (v *vault) create(passphrase string, secrets map[Key]string) error {
	key, err := v.newKey(passphrase)
	if err != nil {
		return v.fault(err)
	}
	return v.alone(func() error {
		if v.exists() {
			return ErrVaultExists
		}
		return v.replace(key, secrets)
	})
}

// unlock opens the file. The error is ErrPassphrase or a fault; a damaged file
// was kept aside.
func (v *vault) unlock(passphrase string) error {
	key, err := v.open(passphrase)
	if err != nil {
		return v.settled(err)
	}
	v.keep(key)
	return nil
}

// rekey gives the file another passphrase, and leaves it unlocked. Errors as of
// unlock.
func (v *vault) rekey(old, passphrase string) error {
	was, err := v.open(old)
	if err != nil {
		return v.settled(err)
	}
	next, err := v.newKey(passphrase)
	if err != nil {
		return v.fault(err)
	}
	return v.alone(func() error {
		secrets, err := v.load(was)
		if err != nil {
			return err
		}
		return v.replace(next, secrets)
	})
}

// discard deletes the file and returns what it held, if it is unlocked. That
// there is none is no error.
func (v *vault) discard() (map[Key]string, error) {
	var secrets map[Key]string
	err := v.alone(func() (err error) {
		if key := v.opened(); key != nil && v.exists() {
			if secrets, err = v.load(key); err != nil {
				return err
			}
		}
		if err := os.Remove(v.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		v.keep(nil)
		return nil
	})
	return secrets, err
}

// secrets reads all there is. The error is a fault; a damaged file was kept
// aside.
func (v *vault) secrets() (map[Key]string, error) {
	all, err := v.load(v.opened())
	if err != nil {
		return nil, v.settled(err)
	}
	return all, nil
}

// change edits what the file holds now; edit reports whether it changed
// anything. Errors as of secrets.
func (v *vault) change(edit func(map[Key]string) bool) error {
	return v.alone(func() error {
		key := v.opened()
		all, err := v.load(key)
		if err != nil || !edit(all) {
			return err
		}
		return v.replace(key, all)
	})
}

// alone runs f while no other program changes the file.
func (v *vault) alone(f func() error) error {
	unlock, err := disk.Lock(v.path)
	if err != nil {
		return v.fault(err)
	}
	defer unlock()
	return v.judged(f())
}

// settled is judged for an error that was found without the lock.
func (v *vault) settled(err error) error {
	if _, broken := errors.AsType[*brokenFile](err); !broken {
		return v.fault(err)
	}
	return v.alone(func() error { return err })
}

// judged keeps a damaged file aside, while the lock is held, and makes a fault
// of what is one.
func (v *vault) judged(err error) error {
	broken, ok := errors.AsType[*brokenFile](err)
	if !ok {
		return v.fault(err)
	}
	// Another program may have kept it aside and made a new one meanwhile.
	if raw, err := v.read(); err != nil || !bytes.Equal(raw, broken.raw) {
		return v.fault(errors.Join(err, errLocked))
	}
	aside, err := disk.KeepAside(v.path, v.now())
	if err != nil {
		return v.fault(err)
	}
	v.keep(nil)
	return &fault{FileBroken, filepath.Base(aside)}
}

// errLocked: there is no key, or the file was given another passphrase.
var errLocked = errors.New("keychain: the encrypted file is locked")

// fault makes a fault of an error, unless it says what the person did wrong. It
// repeats neither paths nor anything of the file.
func (v *vault) fault(err error) error {
	var f *fault
	switch {
	case err == nil, errors.Is(err, ErrPassphrase), errors.Is(err, ErrVaultExists), errors.Is(err, ErrTooLarge):
		return err
	case errors.As(err, &f):
		return f
	case errors.Is(err, fs.ErrNotExist):
		return &fault{FileGone, "no file"}
	case errors.Is(err, errLocked):
		return &fault{FileLocked, "no key"}
	case errors.Is(err, errTooCostly), errors.Is(err, errNewer), errors.Is(err, errNotOurs):
		return &fault{FileFailed, "made by another version"}
	}
	if code, ok := errors.AsType[syscall.Errno](err); ok {
		return &fault{FileFailed, code.Error()}
	}
	return &fault{FileFailed, fmt.Sprintf("%T", err)}
}

// read returns the file as it is.
func (v *vault) read() ([]byte, error) {
	f, err := os.Open(v.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxVault+1))
	if err == nil && len(raw) > maxVault {
		return nil, errNotOurs
	}
	return raw, err
}

// endMark ends each of the two parts.
const endMark = armor.Footer + "\n"

// parts returns the two parts of a file.
func parts(raw []byte) (key, secrets []byte, ok bool) {
	i := bytes.Index(raw, []byte(endMark))
	if i < 0 {
		return nil, nil, false
	}
	i += len(endMark)
	return raw[:i], raw[i:], true
}

// open finds the key with the passphrase, and looks whether it opens the
// secrets. The error is ErrPassphrase, a *brokenFile or one of reading.
func (v *vault) open(passphrase string) (*vaultKey, error) {
	raw, err := v.read()
	if err != nil {
		return nil, err
	}
	block, secrets, ok := parts(raw)
	if !ok {
		return nil, &brokenFile{raw}
	}
	plain, err := unseal(block, guess{norm.NFC.String(passphrase)})
	debug.FreeOSMemory() // scrypt's, which would stay with an idle app for minutes
	switch {
	case errors.Is(err, age.ErrIncorrectIdentity):
		return nil, ErrPassphrase
	case errors.Is(err, errTooCostly):
		return nil, err
	case err != nil:
		return nil, &brokenFile{raw}
	}
	defer clear(plain)
	id, err := age.ParseX25519Identity(strings.TrimSpace(string(plain)))
	if err != nil {
		return nil, &brokenFile{raw}
	}
	key := &vaultKey{id: id, block: bytes.Clone(block)}
	if _, err := key.decode(raw, secrets); err != nil {
		return nil, err
	}
	return key, nil
}

// guess is a passphrase that was entered, as an age.Identity. Unlike age's own
// it tells a file that no passphrase opens from a wrong passphrase.
type guess struct{ passphrase string }

// Unwrap implements age.Identity.
func (g guess) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	if len(stanzas) != 1 || stanzas[0].Type != "scrypt" || len(stanzas[0].Args) != 2 {
		return nil, errors.New("not encrypted with a passphrase")
	}
	if cost, err := strconv.Atoi(stanzas[0].Args[1]); err == nil && cost > maxVaultCost {
		return nil, errTooCostly
	}
	if g.passphrase == "" {
		return nil, age.ErrIncorrectIdentity
	}
	id, err := age.NewScryptIdentity(g.passphrase)
	if err != nil {
		return nil, err
	}
	return id.Unwrap(stanzas)
}

// newKey makes an identity and encrypts it with the passphrase. The same letters
// typed on another system may come in another composition, so it is brought to
// NFC first.
func (v *vault) newKey(passphrase string) (*vaultKey, error) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	to, err := age.NewScryptRecipient(norm.NFC.String(passphrase))
	if err != nil {
		return nil, err
	}
	to.SetWorkFactor(v.cost)
	plain := []byte(id.String() + "\n")
	defer clear(plain)
	block, err := seal(plain, to)
	debug.FreeOSMemory() // as in open
	return &vaultKey{id: id, block: block}, err
}

// load reads the secrets with a key. The error is errLocked if there is no key
// or it is not the file's, a *brokenFile, or one of reading.
func (v *vault) load(key *vaultKey) (map[Key]string, error) {
	if key == nil {
		return nil, errLocked
	}
	raw, err := v.read()
	if err != nil {
		return nil, err
	}
	block, secrets, ok := parts(raw)
	switch {
	case !ok:
		return nil, &brokenFile{raw}
	case !bytes.Equal(block, key.block):
		v.keep(nil)
		return nil, errLocked
	}
	return key.decode(raw, secrets)
}

// decode reads the second part of the file raw.
func (k *vaultKey) decode(raw, part []byte) (map[Key]string, error) {
	plain, err := unseal(part, k.id)
	if err != nil {
		return nil, &brokenFile{raw}
	}
	defer clear(plain)
	var c contents
	// The decoder's error may quote what it read; that it failed is enough.
	if json.Unmarshal(plain, &c) != nil {
		return nil, &brokenFile{raw}
	}
	if c.Format != vaultFormat {
		return nil, errNewer
	}
	all := make(map[Key]string, len(c.Secrets))
	for _, s := range c.Secrets {
		all[Key{string(s.Server), string(s.Name)}] = string(s.Value)
	}
	return all, nil
}

// replace writes the file anew and leaves it unlocked.
func (v *vault) replace(key *vaultKey, all map[Key]string) error {
	c := contents{Format: vaultFormat, Secrets: []sealed{}}
	for k, value := range all {
		c.Secrets = append(c.Secrets, sealed{[]byte(k.Server), []byte(k.Name), []byte(value)})
	}
	plain, err := json.Marshal(c)
	if err != nil {
		return err
	}
	plain = append(plain, bytes.Repeat([]byte(" "), vaultPad-len(plain)%vaultPad)...)
	defer clear(plain)
	secrets, err := seal(plain, key.id.Recipient())
	if err != nil {
		return err
	}
	raw := append(bytes.Clone(key.block), secrets...)
	if len(raw) > maxVault {
		return ErrTooLarge
	}
	if err := disk.Replace(v.path, raw); err != nil {
		return err
	}
	v.keep(key)
	return nil
}

// seal encrypts plain, as text.
func seal(plain []byte, to age.Recipient) ([]byte, error) {
	var out bytes.Buffer
	text := armor.NewWriter(&out)
	w, err := age.Encrypt(text, to)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := errors.Join(w.Close(), text.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unseal is the opposite of seal. Its errors may be age.ErrIncorrectIdentity.
func unseal(block []byte, with age.Identity) ([]byte, error) {
	r, err := age.Decrypt(armor.NewReader(bytes.NewReader(block)), with)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
