// Package wiretest helps to test transports: a Handler that records, and a
// check that nothing was left running. Only tests import it.
package wiretest

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/mcpclient/wire"
)

// Received is one call of Handler.Receive.
type Received struct {
	Message wire.Message
	Over    wire.ID
}

// Failure is one call of Handler.Failed.
type Failure struct {
	ID  wire.ID
	Err error
}

// Recorder is a wire.Handler that keeps everything for a test to take out. The
// zero Recorder is ready for use.
type Recorder struct {
	// Patience is how long the methods that wait for something wait before
	// they fail the test; 0 is 20 s. A test of long pauses in a synctest
	// bubble sets more.
	Patience time.Duration

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every call
	received []Received
	failed   []Failure
	noticed  []wire.Notice
	closed   []error
}

// Receive implements wire.Handler.
func (r *Recorder) Receive(m wire.Message, over wire.ID) {
	r.note(func() { r.received = append(r.received, Received{m, over}) })
}

// Failed implements wire.Handler.
func (r *Recorder) Failed(id wire.ID, err error) {
	r.note(func() { r.failed = append(r.failed, Failure{id, err}) })
}

// Noticed implements wire.Handler.
func (r *Recorder) Noticed(n wire.Notice) {
	r.note(func() { r.noticed = append(r.noticed, n) })
}

// Closed implements wire.Handler.
func (r *Recorder) Closed(err error) {
	r.note(func() { r.closed = append(r.closed, err) })
}

func (r *Recorder) note(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do()
	if r.changed != nil {
		close(r.changed)
		r.changed = nil
	}
}

// wait waits until done, called with the lock held, reports true.
func (r *Recorder) wait(t testing.TB, what string, done func() bool) {
	t.Helper()
	patience := r.Patience
	if patience == 0 {
		patience = 20 * time.Second
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		r.mu.Lock()
		if done() {
			r.mu.Unlock()
			return
		}
		if r.changed == nil {
			r.changed = make(chan struct{})
		}
		changed := r.changed
		r.mu.Unlock()
		select {
		case <-changed:
		case <-limit.C:
			r.mu.Lock()
			defer r.mu.Unlock()
			t.Fatalf("waited in vain for %s; there are: received %v, failed %v, noticed %v, closed %v",
				what, r.received, r.failed, r.noticed, r.closed)
		}
	}
}

// Next waits for the next message and takes it out.
func (r *Recorder) Next(t testing.TB) Received {
	t.Helper()
	var next Received
	r.wait(t, "a message", func() bool { return take(&r.received, &next) })
	return next
}

// NextFailed waits for the next failed request and takes it out.
func (r *Recorder) NextFailed(t testing.TB) Failure {
	t.Helper()
	var next Failure
	r.wait(t, "a failed request", func() bool { return take(&r.failed, &next) })
	return next
}

// NextNotice waits for the next notice of the kind and takes it out, with all
// other notices before it.
func (r *Recorder) NextNotice(t testing.TB, kind wire.NoticeKind) wire.Notice {
	t.Helper()
	var next wire.Notice
	r.wait(t, "a notice of kind "+string(kind), func() bool {
		for take(&r.noticed, &next) {
			if next.Kind == kind {
				return true
			}
		}
		return false
	})
	return next
}

// End waits for Handler.Closed and returns its error.
func (r *Recorder) End(t testing.TB) error {
	t.Helper()
	r.wait(t, "the end", func() bool { return len(r.closed) > 0 })
	return r.closed[0]
}

// Rest returns what was recorded and not taken out: for checking that there is
// nothing more, after the end.
func (r *Recorder) Rest() (received []Received, failed []Failure, noticed []wire.Notice, closed int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.received, r.failed, r.noticed, len(r.closed)
}

func take[E any](from *[]E, into *E) bool {
	if len(*from) == 0 {
		return false
	}
	*into, *from = (*from)[0], (*from)[1:]
	return true
}

// NoLeaks fails t if, when t and what it started with t.Cleanup have ended,
// goroutines are left that run code of the packages whose import paths begin
// with prefix. It is called first in a test. A goroutine that is just ending
// gets a few seconds.
func NoLeaks(t testing.TB, prefix string) {
	t.Helper()
	before := stacks(prefix)
	t.Cleanup(func() {
		var left []string
		for range 300 {
			left = left[:0]
			for id, stack := range stacks(prefix) {
				if _, old := before[id]; !old {
					left = append(left, stack)
				}
			}
			if len(left) == 0 {
				return
			}
			<-time.After(10 * time.Millisecond)
		}
		t.Errorf("%d goroutines are left:\n\n%s", len(left), strings.Join(left, "\n\n"))
	})
}

// stacks returns the stacks of all goroutines but the caller's that run code
// below prefix, by the number of the goroutine.
func stacks(prefix string) map[string]string {
	buf := make([]byte, 1<<20)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	found := map[string]string{}
	for i, stack := range strings.Split(string(buf), "\n\n") {
		if i == 0 || !strings.Contains(stack, prefix) || strings.Contains(stack, "testing.(*T).Run") ||
			strings.Contains(stack, "testing.tRunner(") {
			continue
		}
		number, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		found[number] = stack
	}
	return found
}
