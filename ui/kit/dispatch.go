package kit

import "time"

// Dispatcher takes work to the event thread: fyne.Do in the app, a queue in
// tests. Do may be called from any goroutine and does not wait.
type Dispatcher interface{ Do(func()) }

// DispatcherFunc is a function that is a Dispatcher, for example fyne.Do.
type DispatcherFunc func(func())

// Do calls f.
func (f DispatcherFunc) Do(work func()) { f(work) }

// buildSlice is how long one piece of a long build may take, so that the
// window draws a frame in between. No step is begun that would not end in time
// if it took as long as the one before. It is less than a frame, in which the window
// has to be drawn too.
const buildSlice = 12 * time.Millisecond

// Builder runs steps on the event thread, in pieces that take about buildSlice
// each. It is for views of hundreds of widgets, which would freeze the window if
// they were made at once. All its methods belong to the event thread.
type Builder struct {
	do    Dispatcher
	now   func() time.Time
	idle  func()
	steps []func() // that wait
	added []func() // by the step that runs
	// running tells that a piece runs, posted that one is on its way.
	running, posted bool
	stopped         bool
	last            time.Duration // what the last step took
}

// NewBuilder returns a builder without steps. idle, which may be nil, is called
// whenever the last step has run.
func NewBuilder(d Dispatcher, idle func()) *Builder {
	return &Builder{do: d, now: time.Now, idle: idle}
}

// Add puts steps at the end and runs the first piece at once, the rest later.
// Steps that a running step adds come right after it, in their order.
func (b *Builder) Add(steps ...func()) {
	if b.running {
		b.added = append(b.added, steps...)
		return
	}
	b.steps = append(b.steps, steps...)
	if !b.posted {
		b.piece(buildSlice)
	}
}

// AddLater puts steps at the end as Add does, and runs none of them at once: what is
// being drawn fills a piece by itself.
func (b *Builder) AddLater(steps ...func()) {
	if b.running {
		b.added = append(b.added, steps...)
		return
	}
	b.steps = append(b.steps, steps...)
	b.post()
}

// post lets the next piece be run later.
func (b *Builder) post() {
	if b.posted || b.stopped || len(b.steps) == 0 {
		return
	}
	b.posted = true
	b.do.Do(func() {
		b.posted = false
		if len(b.steps) > 0 {
			b.piece(buildSlice)
		}
	})
}

// Finish runs all that waits now.
func (b *Builder) Finish() {
	for len(b.steps) > 0 && !b.running && !b.stopped {
		b.piece(time.Hour)
	}
}

// Idle reports whether nothing waits.
func (b *Builder) Idle() bool { return len(b.steps) == 0 && !b.running }

// Stop ends the building: no step runs after it.
func (b *Builder) Stop() { b.stopped, b.steps = true, nil }

// piece runs steps for as long as a piece may take.
func (b *Builder) piece(slice time.Duration) {
	b.running = true
	for begin := b.now(); len(b.steps) > 0 && !b.stopped; {
		step := b.steps[0]
		b.steps = b.steps[1:]
		began := b.now()
		step()
		now := b.now()
		b.last = now.Sub(began)
		if len(b.added) > 0 {
			b.steps = append(b.added, b.steps...)
			b.added = nil
		}
		if now.Sub(begin)+b.last > slice {
			break
		}
	}
	b.running = false
	switch {
	case b.stopped:
	case len(b.steps) == 0:
		if b.idle != nil {
			b.idle()
		}
	default:
		b.post()
	}
}
