package stdio

import (
	"bytes"
	"io"
	"sync"

	"parley/mcpclient/wire"
)

// maxQueued is how many bytes may wait to be written. A single message larger
// than this is still taken when nothing waits.
const maxQueued = 64 << 20

// item is one line to write.
type item struct {
	line        []byte
	id          wire.ID // of a request
	undelivered func(error)
}

// queue holds what waits to be written, so that Send never waits for a server
// that does not read.
type queue struct {
	limit int // bytes that may wait

	mu    sync.Mutex
	items []item
	bytes int           // of the items, and of those being written
	over  error         // why nothing more is added; nil while it is
	wake  chan struct{} // has room for one token
}

func newQueue() *queue { return &queue{limit: maxQueued, wake: make(chan struct{}, 1)} }

// add appends i.
func (q *queue) add(i item) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over != nil {
		return q.over
	}
	if q.bytes > 0 && q.bytes+len(i.line) > q.limit {
		return &wire.BacklogError{}
	}
	q.items = append(q.items, i)
	q.bytes += len(i.line)
	q.signal()
	return nil
}

// finish refuses further items with the error why, unless that was said
// before. What waits is still written.
func (q *queue) finish(why error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over == nil {
		q.over = why
	}
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns all that waits, and waits for it. It returns nothing once the
// queue is finished and empty. Only one goroutine calls it, with what it got
// the last time and needs no more, whose memory is used again.
func (q *queue) take(used []item) []item {
	clear(used)
	if cap(used) > maxSpare {
		used = nil
	}
	for {
		q.mu.Lock()
		items, finished := q.items, q.over != nil
		q.items = used[:0]
		q.mu.Unlock()
		if len(items) > 0 || finished {
			return items
		}
		used = items
		<-q.wake
	}
}

// maxSpare is the capacity, in items, that is kept of a queue that has been
// longer for a while.
const maxSpare = 64

// written tells that n bytes no longer wait.
func (q *queue) written(n int) {
	q.mu.Lock()
	q.bytes -= n
	q.mu.Unlock()
}

// drain writes the items to w until the queue is finished and empty, and shows
// each to tap before that. When a write fails it finishes the queue with an
// *InputError, and returns that and the items that were not written.
func (q *queue) drain(w io.Writer, tap wire.Tap) ([]item, error) {
	var items []item
	for {
		items = q.take(items)
		if len(items) == 0 {
			return nil, nil
		}
		for n, i := range items {
			tap.Show(true, bytes.TrimSuffix(i.line, []byte("\n")))
			if _, err := w.Write(i.line); err != nil {
				broken := &InputError{Err: err}
				q.finish(broken)
				return append(items[n:], q.take(nil)...), broken
			}
			q.written(len(i.line))
		}
	}
}
