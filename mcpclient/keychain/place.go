package keychain

import "errors"

// place is where secrets lie. Errors are ErrNotFound, ErrDamaged, ErrTooLarge or
// a *fault.
type place interface {
	read(Key) (string, error)
	// write stores a secret and finds out that it is kept.
	write(Key, string) error
	// remove and removeAll delete; that there was nothing is no error.
	remove(Key) error
	removeAll(server string) error
	// servers counts the secrets of each server; none where a place cannot be
	// listed.
	servers() (map[string]int, error)
	// open makes a locked place ask the person, if it can.
	open() error
}

// inKeyring is the system's keychain, in the turn t of its worker.
type inKeyring struct {
	turn    turn
	backend backend
	space   string
}

func (p inKeyring) items() items { return timed{p.turn, p.backend} }

func (p inKeyring) at(key Key) store {
	return store{items: p.items(), limit: p.backend.itemLimit(), service: serviceName(p.space, key.Server), account: slug(key.Name)}
}

func (p inKeyring) read(key Key) (string, error)  { return p.at(key).read() }
func (p inKeyring) write(key Key, v string) error { return p.at(key).write(v) }
func (p inKeyring) remove(key Key) error          { return p.at(key).remove() }
func (p inKeyring) removeAll(server string) error {
	return p.items().deleteAll(serviceName(p.space, server))
}

// servers is nothing: go-keyring does not list, and an index of our own could be
// wrong about what is there.
func (p inKeyring) servers() (map[string]int, error) { return nil, nil }

// open reads an item that never exists, which makes a locked keychain ask.
func (p inKeyring) open() error {
	if _, err := p.items().get(serviceName(p.space, ""), "check"); !errors.Is(err, errNoItem) {
		return err
	}
	return nil
}

// timed are the items of a keychain, each call under the worker's time-out.
type timed struct {
	turn    turn
	backend backend
}

func (b timed) get(service, account string) (value string, err error) {
	err = b.turn.call(func() (err error) {
		value, err = b.backend.get(service, account)
		return err
	})
	return value, err
}

func (b timed) set(service, account, value string) error {
	return b.turn.call(func() error { return b.backend.set(service, account, value) })
}

func (b timed) delete(service, account string) error {
	return b.turn.call(func() error { return b.backend.delete(service, account) })
}

func (b timed) deleteAll(service string) error {
	return b.turn.call(func() error { return b.backend.deleteAll(service) })
}

// inFile is the encrypted file, in the turn t of its worker: another program may
// hold its lock, and its disk may lie in a network.
type inFile struct {
	turn  turn
	vault *vault
}

func (p inFile) read(key Key) (value string, err error) {
	err = p.turn.call(func() error {
		all, err := p.vault.secrets()
		if err != nil {
			return err
		}
		var ok bool
		if value, ok = all[key]; !ok {
			return ErrNotFound
		}
		return nil
	})
	return value, err
}

func (p inFile) write(key Key, v string) error {
	return p.change(func(all map[Key]string) bool {
		old, had := all[key]
		all[key] = v
		return !had || old != v
	})
}

func (p inFile) remove(key Key) error {
	return p.change(func(all map[Key]string) bool {
		_, had := all[key]
		delete(all, key)
		return had
	})
}

func (p inFile) removeAll(server string) error {
	return p.change(func(all map[Key]string) bool {
		before := len(all)
		for key := range all {
			if key.Server == server {
				delete(all, key)
			}
		}
		return len(all) < before
	})
}

func (p inFile) servers() (found map[string]int, err error) {
	err = p.turn.call(func() error {
		all, err := p.vault.secrets()
		if err != nil {
			return err
		}
		found = map[string]int{}
		for key := range all {
			found[key.Server]++
		}
		return nil
	})
	return found, err
}

func (p inFile) change(edit func(map[Key]string) bool) error {
	return p.turn.call(func() error { return p.vault.change(edit) })
}

// open finds out that the file can be read; only the person can unlock it.
func (p inFile) open() error {
	return p.turn.call(func() error {
		_, err := p.vault.secrets()
		return err
	})
}
