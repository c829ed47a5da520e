package keychain

import (
	"encoding/base64"
	"strings"
	"sync"
	"testing"
)

// fake is a keychain in memory with the limits of all systems at once. It fails
// a test that calls it from two goroutines at a time or passes it more than one
// of the systems takes.
type fake struct {
	t *testing.T

	// before and after run around each call, with its name; an error of before
	// prevents the effect, one of after hides it. They may block.
	before, after func(call string) error
	sight         sight

	mu    sync.Mutex
	busy  bool
	calls []string
	items map[[2]string]string
}

func newFake(t *testing.T) *fake {
	return &fake{t: t, items: map[[2]string]string{}}
}

// do makes one call.
func (f *fake) do(call string, effect func() error) error {
	f.mu.Lock()
	if f.busy {
		f.t.Errorf("%s while another call is on its way", call)
	}
	f.busy = true
	f.calls = append(f.calls, call)
	before, after := f.before, f.after
	f.mu.Unlock()
	defer func() { f.mu.Lock(); f.busy = false; f.mu.Unlock() }()
	if before != nil {
		if err := before(call); err != nil {
			return err
		}
	}
	f.mu.Lock()
	err := effect()
	f.mu.Unlock()
	if after != nil {
		if err := after(call); err != nil {
			return err
		}
	}
	return err
}

func (f *fake) itemLimit() int { return smallItem }

func (f *fake) look() (sight, error) {
	return f.sight, f.do("look", func() error { return nil })
}

func (f *fake) get(service, account string) (v string, err error) {
	err = f.do("get", func() error {
		var ok bool
		if v, ok = f.items[[2]string{service, account}]; !ok {
			return errNoItem
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return v, nil
}

func (f *fake) set(service, account, content string) error {
	if len(content) > 2560 {
		f.t.Errorf("an item of %d bytes, Windows takes 2,560", len(content))
	}
	command := len("add-generic-password -U -s '' -a '' -w 'go-keyring-base64:'\n") +
		len(service) + len(account) + base64.StdEncoding.EncodedLen(len(content))
	if command > 4096 {
		f.t.Errorf("a command of %d bytes, macOS takes 4,096", command)
	}
	if strings.Trim(service+account, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./") != "" {
		f.t.Errorf("the names %q, %q are not safe everywhere", service, account)
	}
	return f.do("set", func() error {
		f.items[[2]string{service, account}] = content
		return nil
	})
}

func (f *fake) delete(service, account string) error {
	return f.do("delete", func() error {
		if _, ok := f.items[[2]string{service, account}]; !ok {
			return errNoItem
		}
		delete(f.items, [2]string{service, account})
		return nil
	})
}

func (f *fake) deleteAll(service string) error {
	return f.do("deleteAll", func() error {
		for name := range f.items {
			if name[0] == service {
				delete(f.items, name)
			}
		}
		return nil
	})
}

// hook replaces what runs around the calls.
func (f *fake) hook(before, after func(string) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before, f.after = before, after
}

// count is how many calls of a name there were; of any name for "".
func (f *fake) count(call string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, c := range f.calls {
		if call == "" || c == call {
			n++
		}
	}
	return n
}

// size is the number of items kept.
func (f *fake) size() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.items)
}

// dieAt makes the nth call from now on (from 0) and all later ones fail; the
// nth itself without effect, or with its effect but no answer.
func (f *fake) dieAt(n int, withEffect bool) {
	i := -1
	f.hook(func(string) error {
		i++
		if i > n || i == n && !withEffect {
			return &fault{Failed, "died"}
		}
		return nil
	}, func(string) error {
		if i == n {
			return &fault{Failed, "died"}
		}
		return nil
	})
}
