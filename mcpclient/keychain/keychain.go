// Package keychain keeps secrets (tokens, header values, client secrets) in the
// system's keychain: the Secret Service of freedesktop.org, the macOS Keychain
// or the Windows Credential Manager, all through go-keyring. The rules:
//
//   - No secret is ever written to a plain file. Where there is no keychain, or
//     it is locked or refuses, secrets live in memory until the program ends,
//     and [Keychain.State] says so and why.
//   - Nobody waits for ever. A keychain may show a window of its own and wait
//     for the person, and go-keyring's calls have neither context nor limit. All
//     of them run on one goroutine, one after the other; a call that is longer
//     on its way than [Options.Timeout] counts as no answer, and everybody who
//     waits is told at once. That one goroutine is all that a call which never
//     returns can hold; it ends with the call, or else when nothing is to do.
//   - A fault is found out once. After a refusal, a lock, a missing service or
//     no answer the keychain is not asked again until [Keychain.Retry], however
//     many servers reconnect; Retry also stores what was kept meanwhile.
//   - A secret is read once a run and then served from memory, since some
//     systems ask the person at each read. What another process stores
//     meanwhile is seen at the next start.
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
	"fmt"
	"strings"
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
	// Timeout bounds each single call of the keychain; DefaultTimeout if zero.
	Timeout time.Duration
	// OnChange, if set, is called after State changed, on the goroutine that
	// changed it and with no lock held. It must not wait for the keychain.
	OnChange func()
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

// Keychain is the secrets of one Space. It is safe for concurrent use. Methods
// that take a context may wait for the system, see Options.Timeout.
type Keychain struct {
	worker
	space string

	known map[Key]entry // guarded by worker.mu
	// emptied are the servers whose secrets were removed in this run, and
	// whether the keychain has still to be told; guarded by worker.mu.
	emptied map[string]bool
}

// entry is what this run knows of one secret.
type entry struct {
	secret Secret
	err    error // ErrNotFound or ErrDamaged instead of a secret
	unsent bool  // the keychain does not have it yet
}

// Open prepares the secrets of a Space. It asks nothing and starts nothing; the
// first use does. There is nothing to close: goroutines end with their work.
func Open(o Options) *Keychain { return open(o, newSystem()) }

func open(o Options, b backend) *Keychain {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	return &Keychain{
		worker:  newWorker(b, o.Timeout, o.OnChange),
		space:   o.Space,
		known:   map[Key]entry{},
		emptied: map[string]bool{},
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
	err := k.do(ctx, func(t turn) error {
		if err := k.at(t, key).write(v.Reveal()); err != nil {
			return err
		}
		return t.commit(func() { k.known[key] = entry{secret: v} })
	})
	return k.settle(err, Saving, func() { k.known[key] = entry{secret: v, unsent: true} })
}

// Get returns a secret: what this run knows of it, else what the keychain says.
// Errors: ErrNotFound, ErrDamaged, ErrKey, an *Unavailable, or the context's.
func (k *Keychain) Get(ctx context.Context, key Key) (Secret, error) {
	if !key.valid() {
		return Secret{}, ErrKey
	}
	k.mu.Lock()
	found, ok := k.lookup(key)
	k.mu.Unlock()
	if ok {
		return found.secret, found.err
	}
	err := k.do(ctx, func(t turn) error {
		// Whoever waited while another caller read the same secret takes that.
		if err := t.commit(func() { found, ok = k.lookup(key) }); err != nil || ok {
			return err
		}
		v, err := k.at(t, key).read()
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
	err := k.do(ctx, func(t turn) error {
		if err := k.at(t, key).remove(); err != nil {
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
	err := k.do(ctx, func(t turn) error {
		if err := t.items().deleteAll(serviceName(k.space, server)); err != nil {
			return err
		}
		return t.commit(func() { k.forget(server, false) })
	})
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
	_ = k.do(ctx, func(turn) error { return nil })
	return k.State()
}

// Retry asks a keychain that failed once more, which may show the system's
// window, and hands over what was kept for this run: first what is to be
// removed, then the values. An *Unavailable says that it failed again.
func (k *Keychain) Retry(ctx context.Context) error {
	k.revive()
	return k.settle(k.do(ctx, k.handOver), Using, func() {})
}

// handOver brings the keychain up to date with this run.
func (k *Keychain) handOver(t turn) error {
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
	// Reading an item that never exists makes a locked keychain ask now, even
	// when nothing waits to be handed over.
	if _, err := t.items().get(serviceName(k.space, ""), "check"); err != nil && !errors.Is(err, errNoItem) {
		return err
	}
	for _, s := range servers {
		if err := t.items().deleteAll(serviceName(k.space, s)); err != nil {
			return err
		}
		if err := t.commit(func() { k.emptied[s] = false }); err != nil {
			return err
		}
	}
	for key, e := range unsent {
		send := func() error { return k.at(t, key).write(e.secret.Reveal()) }
		if e.err != nil {
			send = k.at(t, key).remove
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
	return nil
}

// settle gives an error of the worker the deed that it spoiled, and applies keep
// where the keychain could not do it.
func (k *Keychain) settle(err error, deed Deed, keep func()) error {
	var u *Unavailable
	if !errors.As(err, &u) {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	keep()
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

// at is the place of a secret in the keychain, used in the turn t.
func (k *Keychain) at(t turn, key Key) store {
	return store{items: t.items(), limit: k.backend.itemLimit(), service: serviceName(k.space, key.Server), account: slug(key.Name)}
}

func (key Key) valid() bool { return key.Server != "" && key.Name != "" }

// Mode says where secrets go.
type Mode int

// The modes.
const (
	Untried     Mode = iota // nothing has been asked yet, or only a use can tell
	Available               // into the keychain
	SessionOnly             // into memory, until the program ends
)

var modeNames = [...]string{Untried: "untried", Available: "available", SessionOnly: "session only"}

// String names the mode for logs.
func (m Mode) String() string {
	if m < 0 || int(m) >= len(modeNames) {
		return fmt.Sprintf("Mode(%d)", int(m))
	}
	return modeNames[m]
}

// State is what is known of the keychain.
type State struct {
	Mode Mode
	// Why there is no keychain; nil unless Mode is SessionOnly.
	Why *Unavailable
}

// String says only what a Keychain is: what it holds is nobody's to print.
func (k *Keychain) String() string { return "[keychain]" }

// GoString is String, for %#v.
func (k *Keychain) GoString() string { return k.String() }

// State returns what is known of the keychain now. It asks and waits for nothing.
func (k *Keychain) State() State {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.now.why != nil:
		return State{Mode: SessionOnly, Why: k.now.why}
	case k.now.open:
		return State{Mode: Available}
	}
	return State{}
}
