package keychain

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// queueLength bounds the jobs that wait for the keychain; further callers wait
// for a place.
const queueLength = 64

// worker runs jobs against one place of secrets, a keychain or the encrypted
// file, one at a time, on a goroutine that it starts when there is a job and that
// ends when there is none.
//
// Time is divided into spans. A span begins at Open and at each Retry, and ends
// with the first fault: everybody who waits is told, queued jobs are dropped,
// and the running job finds its span over at its next step and stops there,
// which the layout of the store makes safe at any step. So a call that comes
// back too late changes nothing that was said about it.
type worker struct {
	look     func() (sight, error) // see backend
	timeout  time.Duration
	silence  Reason // what it means that a call takes longer
	onChange func()
	places   chan struct{} // one for each job that waits or runs

	mu *sync.Mutex // the Keychain's
	// aside tells that secrets go elsewhere now: what is still on its way here
	// no longer counts. All below are guarded by mu.
	aside   bool
	now     *span
	queue   []*job
	working bool
	watch   *time.Timer // of the backend call that is on its way; nil if none is
	slow    bool        // that call has been for longer than a moment
}

// span is the time between two questions whether there is a keychain.
type span struct {
	over   chan struct{} // closed when why is set
	why    *Unavailable
	looked bool // the backend was looked at; used by the goroutine of jobs only
	open   bool // the keychain is known to answer
	locked bool // the look found it locked: the first use makes it ask
}

// job is one piece of work, done within the span it was queued in.
type job struct {
	ctx  context.Context
	span *span
	run  func(turn) error
	done chan struct{}
	err  error // valid once done is closed
}

// errOver ends a job whose span is over; its caller has been told why.
// errMoved ends one that would have counted at a place that is no longer used.
var (
	errOver  = errors.New("keychain: no longer waited for")
	errMoved = errors.New("keychain: secrets go elsewhere now")
)

func newWorker(mu *sync.Mutex, look func() (sight, error), timeout time.Duration, silence Reason, onChange func()) *worker {
	return &worker{
		look:     look,
		timeout:  timeout,
		silence:  silence,
		onChange: onChange,
		places:   make(chan struct{}, queueLength),
		mu:       mu,
		now:      &span{over: make(chan struct{})},
	}
}

// do runs a job and waits until it is done, its span is over, or ctx ends. A job
// that has begun goes on after ctx ended.
func (w *worker) do(ctx context.Context, run func(turn) error) error {
	w.mu.Lock()
	s := w.now
	w.mu.Unlock()
	select {
	case <-s.over:
		return s.why
	default:
	}
	select {
	case w.places <- struct{}{}:
	case <-s.over:
		return s.why
	case <-ctx.Done():
		return stopped(ctx)
	}
	j := &job{ctx: ctx, span: s, run: run, done: make(chan struct{})}
	w.mu.Lock()
	if s.why != nil {
		w.mu.Unlock()
		<-w.places
		return s.why
	}
	w.queue = append(w.queue, j)
	if !w.working {
		w.working = true
		go w.work()
	}
	w.mu.Unlock()
	select {
	case <-j.done:
	case <-s.over:
		// What was done before the fault counts as done.
		select {
		case <-j.done:
		default:
			return s.why
		}
	case <-ctx.Done():
		return stopped(ctx)
	}
	if errors.Is(j.err, errOver) {
		return s.why
	}
	return j.err
}

func stopped(ctx context.Context) error {
	return fmt.Errorf("waiting for the keychain: %w", context.Cause(ctx))
}

// work runs the queued jobs until there is none.
func (w *worker) work() {
	for {
		w.mu.Lock()
		if len(w.queue) == 0 {
			w.working = false
			w.mu.Unlock()
			return
		}
		j := w.queue[0]
		w.queue = w.queue[1:]
		w.mu.Unlock()
		j.err = w.perform(j)
		close(j.done)
		<-w.places
	}
}

// perform runs one job. A fault of the keychain ends the span.
func (w *worker) perform(j *job) error {
	if j.ctx.Err() != nil {
		return stopped(j.ctx)
	}
	t := turn{worker: w, span: j.span}
	err := t.look()
	if err == nil {
		err = j.run(t)
	}
	var f *fault
	if errors.As(err, &f) {
		w.fail(j.span, f)
		return errOver
	}
	return err
}

// fail ends the span s because of f. A later fault of the same span changes
// nothing.
func (w *worker) fail(s *span, f *fault) {
	w.mu.Lock()
	if s.why != nil {
		w.mu.Unlock()
		return
	}
	if f.reason == NoAnswer && s.locked {
		f = &fault{Locked, f.cause}
	}
	s.why = &Unavailable{Reason: f.reason, cause: f.cause}
	close(s.over)
	for range w.queue {
		<-w.places
	}
	w.queue = nil
	w.mu.Unlock()
	w.changed()
}

// revive begins a new span if the last one is over. A call that is still on its
// way is given the time-out once more: until it returns nothing else can be
// asked.
func (w *worker) revive() {
	w.mu.Lock()
	if w.now.why == nil {
		w.mu.Unlock()
		return
	}
	w.renew()
	w.mu.Unlock()
	w.changed()
}

// renew is revive with the lock held.
func (w *worker) renew() {
	if w.now.why == nil {
		return
	}
	w.now = &span{over: make(chan struct{})}
	if w.watch != nil {
		w.watch = w.limit(w.now)
	}
}

// limit makes the timer that ends s when a call takes too long.
func (w *worker) limit(s *span) *time.Timer {
	return time.AfterFunc(w.timeout, func() {
		w.fail(s, &fault{w.silence, "no answer after " + w.timeout.String()})
	})
}

func (w *worker) changed() { w.onChange() }

// turn is what a job works with: the backend, as long as its span lasts.
type turn struct {
	worker *worker
	span   *span
}

// commit runs f with the lock held if the span still lasts and the place is
// still used; else it is errOver or errMoved.
func (t turn) commit(f func()) error {
	return t.hold(func() error {
		if t.worker.aside {
			return errMoved
		}
		f()
		return nil
	})
}

// hold runs f with the lock held if the span still lasts; else it is errOver.
func (t turn) hold(f func() error) error {
	t.worker.mu.Lock()
	defer t.worker.mu.Unlock()
	if t.span.why != nil {
		return errOver
	}
	return f()
}

// call makes one call of the backend under the time-out.
func (t turn) call(f func() error) error {
	w := t.worker
	var late *time.Timer
	ended := false
	err := t.hold(func() error {
		w.watch = w.limit(t.span)
		late = time.AfterFunc(patience, func() {
			w.mu.Lock()
			slow := !ended
			w.slow = w.slow || slow
			w.mu.Unlock()
			if slow {
				w.changed()
			}
		})
		return nil
	})
	if err != nil {
		return err
	}
	err = f()
	w.mu.Lock()
	w.watch.Stop()
	w.watch = nil
	late.Stop()
	ended = true
	slow := w.slow
	w.slow = false
	over := t.span.why != nil
	opened := !over && !t.span.open && (err == nil || errors.Is(err, errNoItem)) && t.span.looked
	if opened {
		t.span.open, t.span.locked = true, false
	}
	w.mu.Unlock()
	if opened || slow {
		w.changed()
	}
	if over {
		return errOver
	}
	return err
}

// look finds out, once a span, whether there is a keychain at all.
func (t turn) look() error {
	if t.span.looked {
		return nil
	}
	var seen sight
	err := t.call(func() (err error) {
		seen, err = t.worker.look()
		return err
	})
	if err != nil {
		return err
	}
	t.span.looked = true
	if seen == unclear {
		return nil
	}
	err = t.hold(func() error { t.span.open, t.span.locked = seen == unlocked, seen == locked; return nil })
	if err == nil && seen == unlocked {
		t.worker.changed()
	}
	return err
}
