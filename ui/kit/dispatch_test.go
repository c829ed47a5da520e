package kit

import (
	"slices"
	"testing"
	"time"

	"parley/ui/kit/kittest"
)

func TestBuildRunsInPiecesOfAtMostASlice(t *testing.T) {
	at := &clock{time.Unix(0, 0)}
	var q kittest.Queue
	var got []int
	done := 0
	steps := make([]func(), 10)
	for i := range steps {
		steps[i] = func() {
			got = append(got, i)
			at.at = at.at.Add(5 * time.Millisecond)
		}
	}
	buildWith(&q, at.now, steps, func() { done++ })
	expect(t, "steps before the event thread has run", len(got), 0)
	q.Step()
	expect(t, "steps of 5 ms in the first piece of 16 ms", len(got), 4)
	expect(t, "pieces left", q.Drain(), 2)
	if !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("steps ran as %v", got)
	}
	expect(t, "calls of done", done, 1)
}

func TestBuildCancelled(t *testing.T) {
	at := &clock{time.Unix(0, 0)}
	var q kittest.Queue
	ran, done := 0, 0
	var cancel func()
	step := func() {
		ran++
		at.at = at.at.Add(20 * time.Millisecond)
		if ran == 2 {
			cancel()
		}
	}
	cancel = buildWith(&q, at.now, []func(){step, step, step}, func() { done++ })
	q.Drain()
	expect(t, "steps", ran, 2)
	expect(t, "calls of done", done, 0)
}

func TestBuildOfNothingIsDone(t *testing.T) {
	var q kittest.Queue
	done := 0
	Build(&q, nil, func() { done++ })
	q.Drain()
	expect(t, "calls of done", done, 1)
	Build(DispatcherFunc(func(f func()) { f() }), []func(){func() { done++ }}, nil)
	expect(t, "steps without done", done, 2)
}
