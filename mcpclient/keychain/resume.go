package keychain

import (
	"context"
	"maps"
	"slices"
	"time"
)

// Unkept are the servers with secrets that are kept for this run only, State.Waiting
// of them, by their IDs.
func (k *Keychain) Unkept() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	servers := map[string]bool{}
	for key, e := range k.known {
		if e.unsent && e.err == nil {
			servers[key.Server] = true
		}
	}
	return slices.Sorted(maps.Keys(servers))
}

// Resume is Retry where it is plain that the system asks the person nothing: of a
// keychain that was seen locked, or not at all, and is unlocked by now, and of a file
// that is. Elsewhere, and where nothing waits to be handed over, it changes nothing,
// not even State. An *Unavailable says that what was kept still is for this run only.
func (k *Keychain) Resume(ctx context.Context) error {
	why := k.State().Why
	switch {
	case why == nil || !k.waits():
		return nil
	case why.Reason == FileFailed || k.cameBack(ctx, why.Reason):
		return k.Retry(ctx)
	}
	return why
}

// waits reports whether a place has still to be told something.
func (k *Keychain) waits() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, e := range k.known {
		if e.unsent {
			return true
		}
	}
	return slices.Contains(slices.Collect(maps.Values(k.emptied)), true)
}

// cameBack reports whether the system's keychain, which could not be used for the reason
// why, is seen to be unlocked now. The look is one of its own beside the goroutine of
// calls, and there is one at a time: it may never return.
func (k *Keychain) cameBack(ctx context.Context, why Reason) bool {
	k.mu.Lock()
	s := k.keyring.now
	if k.inFile || k.looking || k.keyring.watch != nil {
		k.mu.Unlock()
		return false
	}
	k.looking = true
	k.mu.Unlock()
	came := make(chan bool, 1)
	go func() {
		seen, err := k.backend.look()
		k.mu.Lock()
		defer k.mu.Unlock()
		k.looking = false
		came <- err == nil && seen == unlocked && (s.locked || why == Locked || why == Absent || why == NoKeyring)
		s.locked = s.locked || err == nil && seen == locked
	}()
	limit := time.NewTimer(k.keyring.timeout)
	defer limit.Stop()
	select {
	case yes := <-came:
		return yes
	case <-ctx.Done():
	case <-limit.C:
	}
	return false
}
