package mcpclient

import (
	"context"
	"sync"

	"parley/assets/i18n"
)

// The bounds of what waits for a slow watcher: servers may talk faster than
// anybody can draw or print.
const (
	maxAsides     = 1000    // log messages and oddities
	maxAsideBytes = 4 << 20 // of them, beside a single one
)

// crowded is from how many waiting events on progress gives way to newer
// progress: a watcher that keeps up hears of every step.
const crowded = 256

// observer hands events to one watcher from a queue of its own, so that a slow
// watcher delays neither servers nor other watchers.
//
// Of what waits in a long queue, progress of a call gives way to newer
// progress, and a server's lists have changed once. Log messages and oddities beyond the
// bounds are left out and counted. What calls, questions and connections do is
// always told.
type observer struct {
	f func(Event)

	mu       sync.Mutex
	wake     *sync.Cond
	queue    []Event
	progress map[string]int  // by call: where its progress stands in queue
	changed  map[string]bool // servers whose lists have changed, in queue
	asides   int             // log messages and oddities in queue
	bytes    int             // of them
	left     map[string]int  // by server: how many were left out of queue
	ending   bool            // no more events are taken; the queued ones are still told
	stopped  bool            // nothing more is told
	done     chan struct{}
}

func newObserver(f func(Event)) *observer {
	o := &observer{f: f, done: make(chan struct{}),
		progress: map[string]int{}, changed: map[string]bool{}, left: map[string]int{}}
	o.wake = sync.NewCond(&o.mu)
	go o.run()
	return o
}

func (o *observer) put(e Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ending || !o.admits(e) {
		return
	}
	o.queue = append(o.queue, e)
	o.wake.Signal()
}

// admits reports whether e is to be appended to the queue; otherwise what it
// says is already there, or was counted. o.mu is held.
func (o *observer) admits(e Event) bool {
	switch {
	case e.Progress != nil:
		if at, waits := o.progress[e.CallID]; waits && len(o.queue) >= crowded {
			o.queue[at] = e
			return false
		}
		o.progress[e.CallID] = len(o.queue)
	case e.ListChanged:
		if o.changed[e.ServerID] {
			return false
		}
		o.changed[e.ServerID] = true
	case e.Log != nil:
		return o.admitsAside(e.ServerID, len(e.Log.Data)+len(e.Log.Level)+len(e.Log.Logger))
	case e.Notice != nil:
		return o.admitsAside(e.ServerID, len(e.Notice.Detail))
	case e.Call != nil:
		// What follows its end must not be told before it.
		delete(o.progress, e.CallID)
	}
	return true
}

func (o *observer) admitsAside(serverID string, size int) bool {
	if o.asides >= maxAsides || o.asides > 0 && o.bytes+size > maxAsideBytes {
		o.left[serverID]++
		return false
	}
	o.asides++
	o.bytes += size
	return true
}

// take returns what waits, and begins a new queue in the memory of spare. o.mu
// is held.
func (o *observer) take(spare []Event) []Event {
	events := o.queue
	for id, n := range o.left {
		events = append(events, Event{At: events[len(events)-1].At, ServerID: id,
			Notice: &Notice{Text: i18n.M("core.notice.left", "N", n), Count: n}})
	}
	o.queue = spare
	o.reset()
	return events
}

// reset counts nothing in the queue. o.mu is held.
func (o *observer) reset() {
	o.asides, o.bytes = 0, 0
	for _, m := range []map[string]int{o.progress, o.left} {
		clear(m)
	}
	clear(o.changed)
}

func (o *observer) run() {
	defer close(o.done)
	var told []Event // its memory becomes the queue's again
	for {
		clear(told)
		if cap(told) > maxSpare {
			told = nil
		}
		o.mu.Lock()
		for len(o.queue) == 0 && !o.ending {
			o.wake.Wait()
		}
		events := o.take(told[:0])
		o.mu.Unlock()
		if len(events) == 0 {
			return
		}
		for _, e := range events {
			if o.isStopped() {
				return
			}
			o.f(e)
		}
		told = events
	}
}

// maxSpare is the capacity, in events, that is kept of a queue that has been
// longer for a while.
const maxSpare = 64

func (o *observer) isStopped() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stopped
}

// finish tells what is queued and then ends; it waits for that until ctx ends.
func (o *observer) finish(ctx context.Context) {
	o.mu.Lock()
	o.ending = true
	o.wake.Signal()
	o.mu.Unlock()
	select {
	case <-o.done:
	case <-ctx.Done():
	}
}

// stop ends at once; an f that runs at that moment is the last.
func (o *observer) stop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ending, o.stopped = true, true
	o.queue = nil
	o.wake.Signal()
}
