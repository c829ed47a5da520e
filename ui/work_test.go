package ui

import (
	"slices"
	"testing"
)

// TestLoop_NothingRunsOnceTheAppEnds: Fyne runs what it is given then on the
// goroutine that gives it.
func TestLoop_NothingRunsOnceTheAppEnds(t *testing.T) {
	var waiting []func()
	l := &loop{post: func(f func()) { waiting = append(waiting, f) }}
	var ran []string
	l.Do(func() { ran = append(ran, "before") })
	waiting[0]()
	l.Do(func() { ran = append(ran, "on its way") })
	l.end()
	l.Do(func() { ran = append(ran, "after") })
	for _, f := range waiting[1:] {
		f()
	}
	if !slices.Equal(ran, []string{"before"}) {
		t.Errorf("ran: %q", ran)
	}
}
