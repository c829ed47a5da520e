package ui

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"

	"parley/ui/kit"
)

// loop is the app's Dispatcher: it brings work to Fyne's thread by post, which is
// fyne.Do. Its counterpart for tests is a queue the test drains.
//
// Once its thread has ended, Fyne runs what it is given on whatever goroutine gives
// it. What is still under way then, and is cut short with the app, touches no widget:
// after end nothing runs any more.
type loop struct {
	post func(func())
	over atomic.Bool
}

func newLoop() *loop { return &loop{post: fyne.Do} }

// Do runs f on Fyne's thread, soon.
func (l *loop) Do(f func()) {
	l.post(func() {
		if !l.over.Load() {
			f()
		}
	})
}

// end is called when the app is about to end.
func (l *loop) end() { l.over.Store(true) }

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
	closed bool
	// orders is what the client is told: drafts, answers. reading is what
	// questions are read in: they come up in the order they were asked.
	orders, reading lane
}

// lane is work that is done one after the other, in order.
type lane struct {
	queue []func()
	busy  bool
}

func newWork(do kit.Dispatcher) *work {
	w := &work{do: do}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

// queued runs f in the background when all that was put into the lane before
// is done.
func (w *work) queued(l *lane, f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	l.queue = append(l.queue, f)
	if l.busy {
		return
	}
	l.busy = true
	w.all.Go(func() { w.drain(l) })
}

func (w *work) drain(l *lane) {
	for {
		w.mu.Lock()
		if len(l.queue) == 0 {
			l.busy = false
			w.mu.Unlock()
			return
		}
		f := l.queue[0]
		l.queue = l.queue[1:]
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
