// Package keychaintest has a keychain in memory for the tests of all that keeps
// secrets. It answers as a keychain.Keychain does whose system, or encrypted
// file, can be used, cannot be used for a reason, breaks down, or makes the
// person wait; TestTheOneInMemoryAnswersAsTheRealOne in the folder above holds
// the two against each other.
package keychaintest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"parley/mcpclient/keychain"
)

// Keychain is a keychain in memory. What an app stores in it is there for the
// next one that gets the same Keychain, as after a restart. Its zero value is
// empty and ready. It is safe for concurrent use.
type Keychain struct {
	mu     sync.Mutex
	shared *store // made at the first use
	fault  error
	away   *keychain.Unavailable
	stop   *stop
}

// store is what several programs have in common.
type store struct {
	mu      sync.Mutex
	known   map[keychain.Key]entry
	emptied map[string]bool // servers of which there is nothing but what is known
}

// entry is what is known of one secret; one that is not there has no secret.
type entry struct {
	secret keychain.Secret
	there  bool
	unsent bool // given while the keychain was away
}

// stop is a call that is to wait.
type stop struct {
	deed            keychain.Deed
	name            string
	asked, answered chan struct{}
}

// Another is the keychain as another program has it: what is stored is the same,
// what goes wrong is each one's own.
func (k *Keychain) Another() *Keychain { return &Keychain{shared: k.store()} }

func (k *Keychain) store() *store {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.shared == nil {
		k.shared = &store{known: map[keychain.Key]entry{}, emptied: map[string]bool{}}
	}
	return k.shared
}

// Fail makes every call fail with err from now on, and have no effect; nil ends
// that.
func (k *Keychain) Fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.fault = err
}

// Away makes the keychain one that cannot be used, until Back: what was stored or
// is given is kept for this run, and each call that would need the system says so
// with a *keychain.Unavailable.
func (k *Keychain) Away(why keychain.Reason) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.away = &keychain.Unavailable{Reason: why}
}

// Back ends what Away began, as keychain.Keychain.Retry does where it succeeds.
func (k *Keychain) Back() {
	s := k.store()
	k.mu.Lock()
	k.away = nil
	k.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, e := range s.known {
		e.unsent = false
		s.known[key] = e
	}
}

// Retry tells whether the keychain can be used: nil, what Fail said, or a
// *keychain.Unavailable.
func (k *Keychain) Retry(context.Context) error {
	return k.do(keychain.Using, "", func(*store, bool) {})
}

// Stop makes the next call for a deed and a secret whose name begins so wait, as
// for a person who is asked for a password, whoever has given up on it meanwhile.
// asked is closed when it waits, and answer lets it go on. A later Stop takes the
// place of one that nobody has met.
func (k *Keychain) Stop(deed keychain.Deed, name string) (asked <-chan struct{}, answer func()) {
	s := &stop{deed: deed, name: name, asked: make(chan struct{}), answered: make(chan struct{})}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stop = s
	return s.asked, sync.OnceFunc(func() { close(s.answered) })
}

// wait is what a call does first if it is the one that Stop meant.
func (k *Keychain) wait(deed keychain.Deed, name string) {
	k.mu.Lock()
	s := k.stop
	if s == nil || s.deed != deed || !strings.HasPrefix(name, s.name) {
		k.mu.Unlock()
		return
	}
	k.stop = nil
	k.mu.Unlock()
	close(s.asked)
	<-s.answered
}

// do has an effect on what is stored, unless Fail forbids that, and says that the
// keychain is away if it is.
func (k *Keychain) do(deed keychain.Deed, name string, effect func(s *store, away bool)) error {
	k.wait(deed, name)
	s := k.store()
	k.mu.Lock()
	fault, away := k.fault, k.away
	k.mu.Unlock()
	if fault != nil {
		return fault
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	effect(s, away != nil)
	if away == nil {
		return nil
	}
	return &keychain.Unavailable{Reason: away.Reason, Deed: deed}
}

// Get returns a secret, or keychain.ErrNotFound.
func (k *Keychain) Get(_ context.Context, key keychain.Key) (keychain.Secret, error) {
	var found entry
	var known bool
	err := k.do(keychain.Reading, key.Name, func(s *store, away bool) {
		if found, known = s.known[key]; !known && (s.emptied[key.Server] || !away) {
			s.known[key], known = entry{}, true
		}
	})
	switch {
	case !known:
		return keychain.Secret{}, err
	case !found.there:
		return keychain.Secret{}, keychain.ErrNotFound
	}
	return found.secret, nil
}

// Fresh is Get: nothing is remembered beside what is stored.
func (k *Keychain) Fresh(ctx context.Context, key keychain.Key) (keychain.Secret, error) {
	return k.Get(ctx, key)
}

// Set stores a secret.
func (k *Keychain) Set(_ context.Context, key keychain.Key, v keychain.Secret) error {
	return k.do(keychain.Saving, key.Name, func(s *store, away bool) {
		s.known[key] = entry{secret: v, there: true, unsent: away}
	})
}

// Delete removes a secret; one that is not there is no error.
func (k *Keychain) Delete(_ context.Context, key keychain.Key) error {
	return k.do(keychain.Removing, key.Name, func(s *store, _ bool) { s.known[key] = entry{} })
}

// DeleteAll removes all secrets of a server.
func (k *Keychain) DeleteAll(_ context.Context, server string) error {
	held := false
	err := k.do(keychain.Removing, "", func(s *store, _ bool) {
		for key, e := range s.known {
			held = held || key.Server == server && e.there && !e.unsent
		}
		maps.DeleteFunc(s.known, func(key keychain.Key, _ entry) bool { return key.Server == server })
		s.emptied[server] = true
	})
	if u, ok := err.(*keychain.Unavailable); ok && u.Deed == keychain.Removing {
		u.Held = held
	}
	return err
}

// All is what is stored.
func (k *Keychain) All() map[keychain.Key]keychain.Secret {
	s := k.store()
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[keychain.Key]keychain.Secret{}
	for key, e := range s.known {
		if e.there {
			all[key] = e.secret
		}
	}
	return all
}

// Keys are the names of what is stored.
func (k *Keychain) Keys() []keychain.Key { return slices.Collect(maps.Keys(k.All())) }
