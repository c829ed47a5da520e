package keychain

import (
	"errors"

	keyring "github.com/zalando/go-keyring"
)

// items is what a keychain can do, as go-keyring offers it: items of text, each
// named by a service and an account, without a way to list them. Errors are
// errNoItem, or a *fault. No call has a time limit of its own.
type items interface {
	get(service, account string) (string, error)
	// set stores an item in one step, replacing one of the same name.
	set(service, account, content string) error
	delete(service, account string) error
	// deleteAll deletes all items of a service; that there are none is no error.
	deleteAll(service string) error
}

// backend is a keychain.
type backend interface {
	items
	// look finds out what can be seen without making the system ask the person
	// for anything. The error is a *fault: there is no keychain.
	look() (sight, error)
	// itemLimit is how long the content of one item may be, in bytes; at least
	// smallItem, and a multiple of 4.
	itemLimit() int
}

// sight is what a look at a keychain tells.
type sight int

const (
	unclear  sight = iota // only a use can tell
	unlocked              // it will answer
	locked                // its first use makes the system ask for a password
)

// errNoItem: the keychain works and has no such item.
var errNoItem = errors.New("keychain: no such item")

// system is the keychain of the operating system. The methods look, classify and
// itemLimit lie in a file for each system.
type system struct{}

func newSystem() backend { return system{} }

func (s system) get(service, account string) (string, error) {
	v, err := keyring.Get(service, account)
	return v, s.result(err)
}

func (s system) set(service, account, content string) error {
	return s.result(keyring.Set(service, account, content))
}

func (s system) delete(service, account string) error {
	return s.result(keyring.Delete(service, account))
}

func (s system) deleteAll(service string) error {
	if err := s.result(keyring.DeleteAll(service)); !errors.Is(err, errNoItem) {
		return err
	}
	return nil
}

// result turns an error of go-keyring into one of this package, which carries
// none of its text.
func (s system) result(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return errNoItem
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return &fault{Failed, "too big"}
	}
	return s.classify(err)
}
