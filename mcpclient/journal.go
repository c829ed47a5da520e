package mcpclient

import (
	"maps"
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

// Change is one change: exactly one field is set. What it points to is a
// snapshot that nobody changes any more.
type Change struct {
	Call        *Call
	Elicitation *Elicitation
	// ForgetCall and ForgetElicitation are the ids of what is no longer kept.
	ForgetCall, ForgetElicitation string
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
		j.calls.put(c.Call.ID, c.Call)
	}
	if c.Elicitation != nil {
		j.elicitations.put(c.Elicitation.ID, c.Elicitation)
	}
	j.calls.remove(c.ForgetCall)
	j.elicitations.remove(c.ForgetElicitation)
	return nil
}

// Load implements Journal; it never fails.
func (j *MemoryJournal) Load() ([]Call, []Elicitation, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.calls.values(), j.elicitations.values(), nil
}

// ordered is a map that remembers the order in which its keys were first put.
// Its values are snapshots that are replaced, never changed.
type ordered[T any] struct {
	last int // the place given out last
	m    map[string]placed[T]
}

type placed[T any] struct {
	place int
	value *T
}

func (o *ordered[T]) put(key string, v *T) {
	p, known := o.m[key]
	if !known {
		o.last++
		p.place = o.last
	}
	if o.m == nil {
		o.m = map[string]placed[T]{}
	}
	p.value = v
	o.m[key] = p
}

func (o *ordered[T]) get(key string) (v T, known bool) {
	if p, known := o.m[key]; known {
		return *p.value, true
	}
	return v, false
}

func (o *ordered[T]) remove(key string) { delete(o.m, key) }

func (o *ordered[T]) values() []T {
	all := slices.SortedFunc(maps.Values(o.m), func(a, b placed[T]) int { return a.place - b.place })
	out := make([]T, len(all))
	for i, p := range all {
		out[i] = *p.value
	}
	return out
}
