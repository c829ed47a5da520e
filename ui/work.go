package ui

import (
	"context"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"parley/ui/kit"
)

// onFyne is the app's Dispatcher: it brings work to Fyne's thread. Its
// counterpart for tests is a queue the test drains.
type onFyne struct{}

// Do runs f on Fyne's thread, soon.
func (onFyne) Do(f func()) { fyne.Do(f) }

// clock is time as the pages see it, so that a test can turn it.
type clock interface {
	Now() time.Time
	// After runs f once, on any goroutine, unless stop is called before.
	After(d time.Duration, f func()) (stop func())
}

// realClock is the computer's.
type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) After(d time.Duration, f func()) func() {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}

// work runs what must not run on Fyne's thread. It owns its goroutines: close
// waits for all of them.
type work struct {
	do     kit.Dispatcher
	ctx    context.Context
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu     sync.Mutex
	queue  []func()
	busy   bool
	closed bool
}

func newWork(do kit.Dispatcher) *work {
	w := &work{do: do}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

// queued runs f in the background, one after another in the order of the
// calls: what is told to the client (drafts, answers) must not overtake.
func (w *work) queued(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.queue = append(w.queue, f)
	if w.busy {
		return
	}
	w.busy = true
	w.all.Go(w.drain)
}

func (w *work) drain() {
	for {
		w.mu.Lock()
		if len(w.queue) == 0 {
			w.busy = false
			w.mu.Unlock()
			return
		}
		f := w.queue[0]
		w.queue = w.queue[1:]
		w.mu.Unlock()
		f()
	}
}

// apart runs f in the background on its own: it may take as long as a server
// likes. ctx ends when the window closes.
func (w *work) apart(f func(ctx context.Context)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.all.Go(func() { f(w.ctx) })
}

// close lets queued work finish, ends the contexts of the rest and waits.
func (w *work) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.cancel()
	w.all.Wait()
}
