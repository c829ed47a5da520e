package authtest

import (
	"context"
	"maps"
	"slices"
	"sync"

	"parley/mcpclient/keychain"
)

// Vault is a keychain in memory: what an app stores in it is there for the next
// one that gets the same Vault, as after a restart. Its zero value is empty and
// ready.
type Vault struct {
	mu    sync.Mutex
	items map[keychain.Key]keychain.Secret
	fault error
}

// Fail makes every call fail with err from now on; nil ends that.
func (v *Vault) Fail(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.fault = err
}

// Get returns a secret, or keychain.ErrNotFound.
func (v *Vault) Get(_ context.Context, k keychain.Key) (keychain.Secret, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.fault != nil {
		return keychain.Secret{}, v.fault
	}
	s, ok := v.items[k]
	if !ok {
		return keychain.Secret{}, keychain.ErrNotFound
	}
	return s, nil
}

// Fresh is Get: nothing is remembered beside what is stored.
func (v *Vault) Fresh(ctx context.Context, k keychain.Key) (keychain.Secret, error) {
	return v.Get(ctx, k)
}

// Set stores a secret.
func (v *Vault) Set(_ context.Context, k keychain.Key, s keychain.Secret) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.fault != nil {
		return v.fault
	}
	if v.items == nil {
		v.items = map[keychain.Key]keychain.Secret{}
	}
	v.items[k] = s
	return nil
}

// Delete removes a secret; one that is not there is no error.
func (v *Vault) Delete(_ context.Context, k keychain.Key) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.items, k)
	return v.fault
}

// DeleteAll removes all secrets of a server.
func (v *Vault) DeleteAll(_ context.Context, server string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	maps.DeleteFunc(v.items, func(k keychain.Key, _ keychain.Secret) bool { return k.Server == server })
	return v.fault
}

// Keys are the names of what is stored.
func (v *Vault) Keys() []keychain.Key {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Collect(maps.Keys(v.items))
}
