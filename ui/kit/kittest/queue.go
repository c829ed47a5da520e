// Package kittest helps to test views: a dispatcher whose work runs when the
// test says so, on the test's own goroutine.
package kittest

import "sync"

// Queue is a kit.Dispatcher for tests. Do may be called from any goroutine;
// the work runs in Drain and Step. The zero Queue is ready to use.
type Queue struct {
	mu    sync.Mutex
	work  []func()
	added chan struct{}
}

// Do puts work at the end of the queue.
func (q *Queue) Do(work func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.work = append(q.work, work)
	if q.added != nil {
		close(q.added)
		q.added = nil
	}
}

// Step runs the first piece of work and reports whether there was one.
func (q *Queue) Step() bool {
	q.mu.Lock()
	if len(q.work) == 0 {
		q.mu.Unlock()
		return false
	}
	work := q.work[0]
	q.work = q.work[1:]
	q.mu.Unlock()
	work()
	return true
}

// Drain runs all work, including what is added meanwhile, and returns how many
// pieces that were.
func (q *Queue) Drain() int {
	n := 0
	for q.Step() {
		n++
	}
	return n
}

// Wait runs work as it comes until until returns true. It blocks while there
// is none, so a test that waits for what never comes ends with its time-out.
func (q *Queue) Wait(until func() bool) {
	for {
		q.Drain()
		if until() {
			return
		}
		q.mu.Lock()
		if len(q.work) > 0 {
			q.mu.Unlock()
			continue
		}
		if q.added == nil {
			q.added = make(chan struct{})
		}
		added := q.added
		q.mu.Unlock()
		<-added
	}
}
