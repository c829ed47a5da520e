package kit

import (
	"slices"
	"testing"
	"time"

	"parley/ui/kit/kittest"
)

func TestBuilderRunsInPiecesOfAtMostASlice(t *testing.T) {
	at := &clock{time.Unix(0, 0)}
	var q kittest.Queue
	var got []int
	idle := 0
	steps := make([]func(), 10)
	for i := range steps {
		steps[i] = func() {
			got = append(got, i)
			at.at = at.at.Add(buildSlice * 5 / 16)
		}
	}
	b := NewBuilder(&q, func() { idle++ })
	b.now = at.now
	b.Add(steps...)
	expect(t, "steps of a third of a slice, or a little less, in the first piece, at once", len(got), 3)
	expect(t, "idle before the rest", b.Idle(), false)
	expect(t, "pieces left", q.Drain(), 3)
	if !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("steps ran as %v", got)
	}
	expect(t, "calls of idle", idle, 1)
	expect(t, "idle", b.Idle(), true)
}

func TestBuilderRunsWhatAStepAddsRightAfterIt(t *testing.T) {
	var q kittest.Queue
	var got []string
	b := NewBuilder(&q, nil)
	say := func(word string, then ...func()) func() {
		return func() {
			got = append(got, word)
			b.Add(then...)
		}
	}
	b.Add(say("a", say("a1", say("a1x")), say("a2")), say("b"))
	if want := []string{"a", "a1", "a1x", "a2", "b"}; !slices.Equal(got, want) {
		t.Errorf("steps ran as %v, want %v", got, want)
	}
}

func TestBuilderStoppedRunsNothingMore(t *testing.T) {
	at := &clock{time.Unix(0, 0)}
	var q kittest.Queue
	ran, idle := 0, 0
	b := NewBuilder(&q, func() { idle++ })
	b.now = at.now
	step := func() {
		ran++
		at.at = at.at.Add(20 * time.Millisecond)
		if ran == 2 {
			b.Stop()
		}
	}
	b.Add(step, step, step)
	q.Drain()
	expect(t, "steps", ran, 2)
	expect(t, "calls of idle", idle, 0)
}

func TestBuilderFinishesAtOnceWhenAsked(t *testing.T) {
	at := &clock{time.Unix(0, 0)}
	var q kittest.Queue
	ran, idle := 0, 0
	b := NewBuilder(&q, func() { idle++ })
	b.now = at.now
	step := func() { ran++; at.at = at.at.Add(20 * time.Millisecond) }
	b.Add(step, step, step)
	expect(t, "steps before", ran, 1)
	b.Finish()
	expect(t, "steps", ran, 3)
	q.Drain()
	expect(t, "calls of idle", idle, 1)
}
