// Package keychain keeps secrets (tokens, header values, client secrets) in the
// system's keychain: the Secret Service of freedesktop.org, the macOS Keychain
// or the Windows Credential Manager, all through go-keyring; or, if the person
// chooses that, in a file encrypted with a passphrase. The rules:
//
//   - No secret is ever written to a plain file. Where there is no keychain, or
//     it is locked or refuses, secrets live in memory until the program ends,
//     and [Keychain.State] says so and why.
//   - The encrypted file is the person's choice and never a fall-back: without
//     [Keychain.CreateVault] there is none, and while there is one, all secrets
//     go there. Only the person unlocks it; nobody is ever asked by this
//     package. See [vault].
//   - Nobody waits for ever. A keychain may show a window of its own and wait
//     for the person, and go-keyring's calls have neither context nor limit. All
//     of them run on one goroutine, one after the other; a call that is longer
//     on its way than [Options.Timeout] counts as no answer, and everybody who
//     waits is told at once. That one goroutine is all that a call which never
//     returns can hold; it ends with the call, or else when nothing is to do.
//     The file has a goroutine of its own, so a keychain that never answers
//     does not hold it up.
//   - A fault is found out once. After a refusal, a lock, a missing service or
//     no answer the keychain is not asked again until [Keychain.Retry], however
//     many servers reconnect; Retry also stores what was kept meanwhile, as
//     [Keychain.UnlockVault] does with the file. [Keychain.Resume] does so where
//     the keychain has come back by itself.
//   - A secret is read once a run and then served from memory, since some
//     systems ask the person at each read. What another process stores
//     meanwhile is seen at the next start, or by [Keychain.Fresh].
//   - A value is old or new, never mixed. What does not fit into one item of
//     the keychain (2,560 bytes on Windows, about 2,700 on macOS) is split into
//     parts under a version of their own, which a head record points to once
//     all of them are stored and read back; see [store].
//   - Each server has a service name of its own in the keychain, so that the
//     keychain itself is the index: removing a server removes every item under
//     its name, remains of an interrupted write included.
//   - Values never show. [Secret] prints as "[secret]" with every verb, and
//     errors carry only classes, names and numbers of faults, never the text a
//     keychain gave.
package keychain

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultTimeout is the longest one call of the keychain may take. It is long
// enough to type a password into the window that some keychains show.
const DefaultTimeout = 30 * time.Second

// MaxSize is the longest value that is kept, in bytes. Tokens are a thousandth
// of it; past it the many parts would keep the keychain busy for minutes.
const MaxSize = 1 << 20

// Options of a Keychain. The zero value is the default set of secrets.
type Options struct {
	// Space names the set of secrets: an ID of the config folder. IDs of servers
	// are unique within one folder only, and one folder's server must not get
	// the secrets of another's.
	Space string
	// Vault is the path of the encrypted file, which need not exist; "" for no
	// such place. It belongs to one config folder, as the servers do.
	Vault string
	// Timeout bounds each single call of the keychain; DefaultTimeout if zero.
	Timeout time.Duration
}

// Key names one secret of one server. Both parts are required, any text.
type Key struct {
	Server string // the ID of the server, unique in the Space
	Name   string // which of its secrets, as the caller likes
}

// HeaderKey is the Key of the value of an HTTP header that the person gave for a
// server at an origin (scheme, host and port). Since the origin is part of it, a
// server whose address was edited does not get the value meant for the old one.
// The header's name counts without case (RFC 9110 section 5.1).
func HeaderKey(server, origin, header string) Key {
	return Key{Server: server, Name: "header " + strings.ToLower(header) + " " + origin}
}

// Errors of single secrets. Sentence puts them into words.
var (
	ErrNotFound = errors.New("keychain: there is no such secret")
	ErrDamaged  = errors.New("keychain: the stored secret is incomplete or altered")
	ErrTooLarge = errors.New("keychain: the secret is too long to be kept")
	ErrKey      = errors.New("keychain: a secret needs a server and a name")
)

// Errors of the encrypted file. Sentence puts them into words.
var (
	ErrPassphrase  = errors.New("keychain: this is not the passphrase of the encrypted file")
	ErrWeak        = errors.New("keychain: the passphrase is too easy to guess")
	ErrVaultExists = errors.New("keychain: there is an encrypted file already")
	ErrNoVault     = errors.New("keychain: there is no encrypted file")
)

// Keychain is the secrets of one Space. It is safe for concurrent use. Methods
// that take a context may wait for the system, see Options.Timeout.
type Keychain struct {
	space   string
	backend backend
	vault   *vault  // nil if there is no such place
	keyring *worker // of the backend
	file    *worker // of the vault

	moving  sync.Mutex // held by whoever makes, opens or closes the vault; before mu
	mu      sync.Mutex
	inFile  bool           // secrets go to the vault
	looking bool           // for cameBack
	asking  map[string]int // callers that wait for a place, by server
	known   map[Key]entry
	// emptied are the servers whose secrets were removed in this run, and
	// whether the place has still to be told.
	emptied map[string]bool
	// watchers are told that State changed.
	watchers map[*func()]bool
}

// entry is what this run knows of one secret.
type entry struct {
	secret Secret
	err    error // ErrNotFound or ErrDamaged instead of a secret
	unsent bool  // the keychain does not have it yet
}

// Open prepares the secrets of a Space. It looks whether the encrypted file is
// there, asks nothing and starts nothing; the first use does. There is nothing
// to close: goroutines end with their work.
func Open(o Options) *Keychain { return open(o, newSystem()) }

func open(o Options, b backend) *Keychain {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	k := &Keychain{
		space:    o.Space,
		backend:  b,
		known:    map[Key]entry{},
		emptied:  map[string]bool{},
		asking:   map[string]int{},
		watchers: map[*func()]bool{},
	}
	k.keyring = newWorker(&k.mu, b.look, o.Timeout, NoAnswer, k.changed)
	if o.Vault != "" {
		k.vault = &vault{path: o.Vault, cost: vaultCost, now: time.Now}
		k.file = newWorker(&k.mu, func() (sight, error) {
			_, err := k.vault.secrets()
			return unlocked, err
		}, o.Timeout, FileFailed, k.changed)
		k.use(k.vault.exists())
	}
	return k
}

// use makes the vault or the keychain the place of secrets; k.mu is held, or k
// not shared yet.
func (k *Keychain) use(inFile bool) {
	k.inFile = inFile
	k.keyring.aside = inFile
	if k.file != nil {
		k.file.aside = !inFile
	}
}

// do runs a job at the place where secrets go, and again at the other if they
// go there meanwhile: what did not count before the move is not done.
func (k *Keychain) do(ctx context.Context, run func(turn, place) error) error {
	for {
		w := k.worker()
		err := w.do(ctx, func(t turn) error { return run(t, k.placeOf(t)) })
		if err == nil || ctx.Err() != nil || w == k.worker() && !errors.Is(err, errMoved) {
			return err
		}
	}
}

// worker is that of the place where secrets go.
func (k *Keychain) worker() *worker {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.workerLocked()
}

func (k *Keychain) workerLocked() *worker {
	if k.inFile {
		return k.file
	}
	return k.keyring
}

// placeOf is the place that the worker of t works with.
func (k *Keychain) placeOf(t turn) place {
	if t.worker == k.file {
		return inFile{t, k.vault}
	}
	return inKeyring{t, k.backend, k.space}
}

// Watch calls f whenever State changed, until stop is called; a call that is on
// its way then still comes. f runs on the goroutine that changed the state, with
// no lock held, and must not wait for the keychain.
func (k *Keychain) Watch(f func()) (stop func()) {
	id := &f
	k.mu.Lock()
	defer k.mu.Unlock()
	k.watchers[id] = true
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.watchers, id)
	}
}

// changed tells the watchers; k.mu is not held.
func (k *Keychain) changed() {
	k.mu.Lock()
	all := slices.Collect(maps.Keys(k.watchers))
	k.mu.Unlock()
	for _, f := range all {
		(*f)()
	}
}

// Set stores v. A nil error means that the keychain has it and gave it back. An
// *Unavailable means that it is kept in memory for this run only. Other errors
// (ErrKey, ErrTooLarge) keep nothing. When ctx ends first, the value may or may
// not be stored, but never in part.
func (k *Keychain) Set(ctx context.Context, key Key, v Secret) error {
	if !key.valid() {
		return ErrKey
	}
	if len(v.Reveal()) > MaxSize {
		return ErrTooLarge
	}
	err := k.doFor(ctx, key.Server, func(t turn, p place) error {
		if err := p.write(key, v.Reveal()); err != nil {
			return err
		}
		return t.commit(func() { k.known[key] = entry{secret: v} })
	})
	return k.settle(err, Saving, func() { k.known[key] = entry{secret: v, unsent: true} })
}

// Get returns a secret: what this run knows of it, else what the keychain says.
// Errors: ErrNotFound, ErrDamaged, ErrKey, an *Unavailable, or the context's.
func (k *Keychain) Get(ctx context.Context, key Key) (Secret, error) {
	return k.get(ctx, key, k.lookup)
}

// Fresh is Get past what this run remembers, for a secret that another program
// may have replaced meanwhile. What could not be stored yet is still what this
// run has.
func (k *Keychain) Fresh(ctx context.Context, key Key) (Secret, error) {
	return k.get(ctx, key, k.unstored)
}

// get finds a secret by lookup, which k.mu is held for, else in its place.
func (k *Keychain) get(ctx context.Context, key Key, lookup func(Key) (entry, bool)) (Secret, error) {
	if !key.valid() {
		return Secret{}, ErrKey
	}
	k.mu.Lock()
	found, ok := lookup(key)
	k.mu.Unlock()
	if ok {
		return found.secret, found.err
	}
	err := k.doFor(ctx, key.Server, func(t turn, p place) error {
		// Whoever waited while another caller read the same secret takes that.
		if err := t.commit(func() { found, ok = lookup(key) }); err != nil || ok {
			return err
		}
		v, err := p.read(key)
		switch {
		case errors.Is(err, ErrNotFound), errors.Is(err, ErrDamaged):
			found = entry{err: err}
		case err != nil:
			return err
		default:
			found = entry{secret: NewSecret(v)}
		}
		return t.commit(func() { k.known[key] = found })
	})
	if err != nil {
		return Secret{}, k.settle(err, Reading, func() {})
	}
	return found.secret, found.err
}

// Delete removes a secret; that there was none is no error. An *Unavailable
// means that the keychain may still have it; this run forgets it, and Retry
// removes it.
func (k *Keychain) Delete(ctx context.Context, key Key) error {
	if !key.valid() {
		return ErrKey
	}
	err := k.doFor(ctx, key.Server, func(t turn, p place) error {
		if err := p.remove(key); err != nil {
			return err
		}
		return t.commit(func() { k.known[key] = entry{err: ErrNotFound} })
	})
	return k.settle(err, Removing, func() { k.known[key] = entry{err: ErrNotFound, unsent: true} })
}

// DeleteAll removes every secret of a server, as Delete does one. Its
// *Unavailable tells whether any was there, as far as this run knows.
func (k *Keychain) DeleteAll(ctx context.Context, server string) error {
	if server == "" {
		return ErrKey
	}
	err := k.doFor(ctx, server, func(t turn, p place) error {
		if err := p.removeAll(server); err != nil {
			return err
		}
		return t.commit(func() { k.forget(server, false) })
	})
	if err == nil && k.usesFile() {
		k.clearKeyring(ctx, func(p place) error { return p.removeAll(server) })
	}
	held := false
	err = k.settle(err, Removing, func() {
		held = k.holds(server)
		k.forget(server, true)
	})
	if u, ok := errors.AsType[*Unavailable](err); ok {
		u.Held = held // it is this call's own copy
	}
	return err
}

// Servers counts the secrets of each server that the encrypted file holds. It is
// empty while secrets go to the keychain, which cannot be listed. The error is an
// *Unavailable, or the context's.
func (k *Keychain) Servers(ctx context.Context) (map[string]int, error) {
	var found map[string]int
	err := k.do(ctx, func(_ turn, p place) (err error) {
		found, err = p.servers()
		return err
	})
	return found, k.settle(err, Reading, func() {})
}

// holds reports whether this run knows of a secret of a server that the
// keychain has; k.mu is held.
func (k *Keychain) holds(server string) bool {
	for key, e := range k.known {
		if key.Server == server && e.err == nil && !e.unsent {
			return true
		}
	}
	return false
}

// Check finds out, without making the system ask the person for anything,
// whether there is a keychain, and returns the state that is then known: Untried
// where only a use can tell. When ctx ends first, it is the state until then.
func (k *Keychain) Check(ctx context.Context) State {
	// The look that comes before the first call is all there is to do; what it
	// finds is the state.
	_ = k.do(ctx, func(turn, place) error { return nil })
	return k.State()
}

// settle gives an error of the worker the deed that it spoiled, and applies keep
// where the keychain could not do it.
func (k *Keychain) settle(err error, deed Deed, keep func()) error {
	var u *Unavailable
	if !errors.As(err, &u) {
		return err
	}
	k.mu.Lock()
	keep()
	k.mu.Unlock()
	if deed == Saving {
		k.changed() // State.Waiting
	}
	return u.during(deed)
}

// lookup finds what this run knows of a secret; k.mu is held.
func (k *Keychain) lookup(key Key) (entry, bool) {
	e, ok := k.known[key]
	if _, emptied := k.emptied[key.Server]; emptied && !ok {
		return entry{err: ErrNotFound}, true
	}
	return e, ok
}

// unstored is lookup for what the place of secrets does not know yet.
func (k *Keychain) unstored(key Key) (entry, bool) {
	e, ok := k.known[key]
	if !ok && k.emptied[key.Server] {
		return entry{err: ErrNotFound}, true
	}
	return e, e.unsent
}

// forget notes that a server has no secrets any more, and whether the keychain
// has still to be told; k.mu is held.
func (k *Keychain) forget(server string, untold bool) {
	k.emptied[server] = untold
	for key := range k.known {
		if key.Server == server {
			delete(k.known, key)
		}
	}
}

func (key Key) valid() bool { return key.Server != "" && key.Name != "" }
