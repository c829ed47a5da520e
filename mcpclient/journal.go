package mcpclient

import (
	"slices"
	"sync"
)

// Journal keeps calls and questions. Every change of one passes through it
// before anybody is told, so that a durable journal can give them back after a
// crash.
type Journal interface {
	// Record keeps the new state of a call or a question. It is called with
	// changes in order, one at a time. An error does not stop the change: the
	// person is told that it could not be kept.
	Record(Change) error
	// Load returns what was kept, oldest first.
	Load() ([]Call, []Elicitation, error)
}

// Change is one change: exactly one field is set.
type Change struct {
	Call        *Call
	Elicitation *Elicitation
}

// MemoryJournal keeps everything for as long as the app runs. The zero value
// is ready, and safe for concurrent use.
type MemoryJournal struct {
	mu           sync.Mutex
	calls        ordered[Call]
	elicitations ordered[Elicitation]
}

// Record implements Journal; it never fails.
func (j *MemoryJournal) Record(c Change) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if c.Call != nil {
		j.calls.put(c.Call.ID, *c.Call)
	}
	if c.Elicitation != nil {
		j.elicitations.put(c.Elicitation.ID, *c.Elicitation)
	}
	return nil
}

// Load implements Journal; it never fails.
func (j *MemoryJournal) Load() ([]Call, []Elicitation, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.calls.values(), j.elicitations.values(), nil
}

// ordered is a map that remembers the order in which its keys were first put.
type ordered[T any] struct {
	keys []string
	m    map[string]T
}

func (o *ordered[T]) put(key string, v T) {
	if o.m == nil {
		o.m = map[string]T{}
	}
	if _, known := o.m[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.m[key] = v
}

func (o *ordered[T]) get(key string) (T, bool) {
	v, ok := o.m[key]
	return v, ok
}

func (o *ordered[T]) remove(key string) {
	delete(o.m, key)
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
}

func (o *ordered[T]) values() []T {
	out := make([]T, 0, len(o.keys))
	for _, k := range o.keys {
		out = append(out, o.m[k])
	}
	return out
}
