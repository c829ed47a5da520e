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
// window draws a frame in between.
const buildSlice = 16 * time.Millisecond

// Build runs steps in order on the event thread, in pieces that take about
// buildSlice each, and calls done (if not nil) after the last one. It is for
// views of hundreds of widgets, which would freeze the window if they were made
// at once. cancel, to be called on the event thread, ends it: no step and no
// done run after it.
func Build(d Dispatcher, steps []func(), done func()) (cancel func()) {
	return buildWith(d, time.Now, steps, done)
}

func buildWith(d Dispatcher, now func() time.Time, steps []func(), done func()) (cancel func()) {
	cancelled := false
	next := 0
	var piece func()
	piece = func() {
		for begin := now(); next < len(steps) && !cancelled; {
			steps[next]()
			next++
			if now().Sub(begin) >= buildSlice {
				break
			}
		}
		switch {
		case cancelled:
		case next < len(steps):
			d.Do(piece)
		case done != nil:
			done()
		}
	}
	d.Do(piece)
	return func() { cancelled = true }
}
