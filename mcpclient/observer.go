package mcpclient

import (
	"context"
	"sync"
)

// observer hands events to one watcher from a queue of its own, so that a slow
// watcher delays neither servers nor other watchers.
type observer struct {
	f func(Event)

	mu      sync.Mutex
	wake    *sync.Cond
	queue   []Event
	ending  bool // no more events are taken; the queued ones are still told
	stopped bool // nothing more is told
	done    chan struct{}
}

func newObserver(f func(Event)) *observer {
	o := &observer{f: f, done: make(chan struct{})}
	o.wake = sync.NewCond(&o.mu)
	go o.run()
	return o
}

func (o *observer) put(e Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ending {
		o.queue = append(o.queue, e)
		o.wake.Signal()
	}
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
		events := o.queue
		o.queue = told[:0]
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
