package keychain

import (
	"context"
	"maps"
	"slices"
	"time"
)

// patience is how long a call takes before those who wait for it are told of: a
// keychain that answers does so in a moment.
const patience = time.Second

// Asked are the servers, by their IDs, that wait for the system's keychain for longer
// than a moment, so that it may have a window open for the person. State is told to
// have changed when they change.
func (k *Keychain) Asked() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.inFile || !k.keyring.slow || k.keyring.now.why != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(k.asking))
}

// doFor is do for a secret of a server.
func (k *Keychain) doFor(ctx context.Context, server string, run func(turn, place) error) error {
	k.asks(server, 1)
	defer k.asks(server, -1)
	return k.do(ctx, run)
}

// asks counts a caller who waits for a place, or does not any more.
func (k *Keychain) asks(server string, n int) {
	k.mu.Lock()
	before := k.asking[server]
	if k.asking[server] += n; before+n == 0 {
		delete(k.asking, server)
	}
	told := k.keyring.slow && (before == 0) != (before+n == 0)
	k.mu.Unlock()
	if told {
		k.changed()
	}
}
