package keychain

import (
	"context"
	"errors"
)

// CreateVault makes the encrypted file, moves all secrets of this run into it
// and uses it from now on, in later runs too. What lies in a keychain that
// answers is deleted there once it is in the file; secrets there that this run
// has not used stay, and are used again when the file is not. It takes a second
// or more. Errors: ErrWeak (see Judge), ErrVaultExists, ErrNoVault if there is
// no place for it, an *Unavailable, or the context's. Nobody can recover a
// forgotten passphrase, which the person has to be told.
func (k *Keychain) CreateVault(ctx context.Context, passphrase Secret) error {
	switch {
	case k.vault == nil:
		return ErrNoVault
	case Judge(passphrase) == Weak:
		return ErrWeak
	}
	k.moving.Lock()
	defer k.moving.Unlock()
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	moved, values := k.values()
	if err := k.vault.create(passphrase.Reveal(), values); err != nil {
		if errors.Is(err, ErrVaultExists) && !k.usesFile() {
			k.moveIn(nil) // another program made it: it is to be unlocked
		}
		return k.unusable(err, Saving)
	}
	k.moveIn(moved)
	err := k.settle(k.do(ctx, k.handOver), Saving, func() {})
	for key, e := range moved {
		if !e.unsent {
			k.clearKeyring(ctx, func(p place) error { return p.remove(key) })
		}
	}
	return err
}

// UnlockVault opens the encrypted file for this run, or until LockVault, and
// hands over what was kept meanwhile. Errors: ErrPassphrase, ErrNoVault, the
// context's, or an *Unavailable; of Reason FileBroken if the file is damaged,
// which was kept aside then.
func (k *Keychain) UnlockVault(ctx context.Context, passphrase Secret) error {
	return k.withFile(ctx, func() error { return k.vault.unlock(passphrase.Reveal()) })
}

// ChangePassphrase gives the encrypted file another passphrase, and unlocks it.
// Errors as of UnlockVault, and ErrWeak. Another program that had it unlocked
// finds it locked.
func (k *Keychain) ChangePassphrase(ctx context.Context, old, passphrase Secret) error {
	if Judge(passphrase) == Weak {
		return ErrWeak
	}
	return k.withFile(ctx, func() error { return k.vault.rekey(old.Reveal(), passphrase.Reveal()) })
}

// withFile uses the encrypted file, once open has unlocked it.
func (k *Keychain) withFile(ctx context.Context, open func() error) error {
	if k.vault == nil {
		return ErrNoVault
	}
	k.moving.Lock()
	defer k.moving.Unlock()
	switch {
	case ctx.Err() != nil:
		return stopped(ctx)
	case !k.usesFile() && !k.vault.exists():
		return ErrNoVault
	}
	if err := open(); err != nil {
		return k.unusable(err, Using)
	}
	if !k.usesFile() {
		k.moveIn(nil)
	}
	k.file.revive()
	k.changed()
	return k.settle(k.do(ctx, k.handOver), Using, func() {})
}

// LockVault makes the encrypted file ask for its passphrase again and forgets
// what was read from it. What could not be stored yet is kept. It may wait for
// another of these methods.
func (k *Keychain) LockVault() {
	k.moving.Lock()
	defer k.moving.Unlock()
	if !k.usesFile() {
		return
	}
	k.vault.keep(nil)
	k.mu.Lock()
	for key, e := range k.known {
		if !e.unsent {
			delete(k.known, key)
		}
	}
	now := k.file.now
	k.mu.Unlock()
	k.file.fail(now, &fault{FileLocked, "no key"})
	k.changed()
}

// RemoveVault deletes the encrypted file and stops using one. If it is unlocked,
// its secrets go into the keychain, or where there is none are kept for this
// run; if it is locked, they are deleted with it. Errors: ErrNoVault, the
// context's, or an *Unavailable, after which the file is still used unless it is
// gone or was damaged.
func (k *Keychain) RemoveVault(ctx context.Context) error {
	k.moving.Lock()
	defer k.moving.Unlock()
	switch {
	case ctx.Err() != nil:
		return stopped(ctx)
	case !k.usesFile():
		return ErrNoVault
	}
	secrets, err := k.vault.discard()
	if err = k.unusable(err, Removing); err != nil {
		if u, ok := errors.AsType[*Unavailable](err); !ok || !u.lost() {
			return err
		}
	}
	k.moveOut(secrets)
	// A keychain that has refused in this run is not asked again; State tells
	// what came of it.
	_ = k.do(ctx, k.handOver)
	return err
}

// Retry asks a keychain that failed once more, which may show the system's
// window, and hands over what was kept for this run: first what is to be
// removed, then the values. Where an encrypted file was used that is gone, or
// one has come, secrets go elsewhere from then on. An *Unavailable says that it
// failed again, or that the file is locked, which only UnlockVault mends.
func (k *Keychain) Retry(ctx context.Context) error {
	if err := k.follow(); err != nil {
		return err
	}
	k.worker().revive()
	return k.settle(k.do(ctx, k.handOver), Using, func() {})
}

// follow uses the encrypted file if there is one, else the keychain.
func (k *Keychain) follow() error {
	if k.vault == nil {
		return nil
	}
	k.moving.Lock()
	defer k.moving.Unlock()
	switch there := k.vault.exists(); {
	case there && !k.usesFile():
		k.moveIn(nil)
	case !there && k.usesFile():
		k.vault.keep(nil)
		k.moveOut(nil)
	}
	if k.usesFile() && k.vault.opened() == nil {
		return &Unavailable{Reason: FileLocked, cause: "no key"}
	}
	return nil
}

// usesFile reports whether secrets go to the vault.
func (k *Keychain) usesFile() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.inFile
}

// values are the secrets of this run, as entries and as they are.
func (k *Keychain) values() (map[Key]entry, map[Key]string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	entries, values := map[Key]entry{}, map[Key]string{}
	for key, e := range k.known {
		if e.err == nil {
			entries[key], values[key] = e, e.secret.Reveal()
		}
	}
	return entries, values
}

// moveIn makes the file the place of secrets; the entries in moved are there
// already. What else this run knows is handed over as soon as that is possible.
func (k *Keychain) moveIn(moved map[Key]entry) {
	k.mu.Lock()
	for key, e := range k.known {
		if e.err != nil && !e.unsent {
			delete(k.known, key) // what the keychain lacks the file may have
			continue
		}
		there, ok := moved[key]
		k.known[key] = entry{secret: e.secret, err: e.err, unsent: !ok || there != e}
	}
	for server := range k.emptied {
		k.emptied[server] = true
	}
	k.use(true)
	k.file.renew()
	k.mu.Unlock()
	k.changed()
}

// moveOut makes the keychain the place of secrets again, which then lacks those
// that were in the file.
func (k *Keychain) moveOut(secrets map[Key]string) {
	k.mu.Lock()
	for key, e := range k.known {
		if e.err != nil && !e.unsent {
			delete(k.known, key)
			continue
		}
		k.known[key] = entry{secret: e.secret, err: e.err, unsent: true}
	}
	for key, v := range secrets {
		if _, newer := k.known[key]; !newer {
			k.known[key] = entry{secret: NewSecret(v), unsent: true}
		}
	}
	for server := range k.emptied {
		k.emptied[server] = true
	}
	k.use(false)
	k.mu.Unlock()
	k.changed()
}

// unusable is an error of the vault as one of this package, and ends what was
// believed of it.
func (k *Keychain) unusable(err error, deed Deed) error {
	f, ok := errors.AsType[*fault](err)
	if !ok {
		return err
	}
	if k.usesFile() {
		k.file.revive()
		k.mu.Lock()
		now := k.file.now
		k.mu.Unlock()
		k.file.fail(now, f)
	}
	return &Unavailable{Reason: f.reason, Deed: deed, cause: f.cause}
}

// clearKeyring removes from the keychain what lies in the file now, or is to lie
// nowhere, if that can be done without asking the person. That it cannot be done
// is no error: nothing there is used while there is a file.
func (k *Keychain) clearKeyring(ctx context.Context, remove func(place) error) {
	_ = k.keyring.do(ctx, func(t turn) error {
		answers := false
		if err := t.hold(func() error { answers = t.span.open; return nil }); err != nil || !answers {
			return err
		}
		return remove(inKeyring{t, k.backend, k.space})
	})
}

// handOver brings a place up to date with this run.
func (k *Keychain) handOver(t turn, p place) error {
	var servers []string
	unsent := map[Key]entry{}
	err := t.commit(func() {
		for s, untold := range k.emptied {
			if untold {
				servers = append(servers, s)
			}
		}
		for key, e := range k.known {
			if e.unsent {
				unsent[key] = e
			}
		}
	})
	if err != nil {
		return err
	}
	// A locked keychain asks now, even when nothing waits to be handed over.
	if err := p.open(); err != nil {
		return err
	}
	for _, s := range servers {
		if err := p.removeAll(s); err != nil {
			return err
		}
		if err := t.commit(func() { k.emptied[s] = false }); err != nil {
			return err
		}
	}
	for key, e := range unsent {
		send := func() error { return p.write(key, e.secret.Reveal()) }
		if e.err != nil {
			send = func() error { return p.remove(key) }
		}
		if err := send(); err != nil {
			return err
		}
		err := t.commit(func() {
			if k.known[key] == e {
				k.known[key] = entry{secret: e.secret, err: e.err}
			}
		})
		if err != nil {
			return err
		}
	}
	if len(unsent) > 0 {
		k.changed() // State.Waiting
	}
	return nil
}
