package kittest

import (
	"sync"
	"testing"
)

func TestQueueRunsWorkInOrderOnTheDrainersGoroutine(t *testing.T) {
	var q Queue
	var got []int
	q.Do(func() {
		got = append(got, 1)
		q.Do(func() { got = append(got, 3) })
	})
	q.Do(func() { got = append(got, 2) })
	if n := q.Drain(); n != 3 || len(got) != 3 || got[0] != 1 || got[1] != 2 || got[2] != 3 {
		t.Errorf("%d pieces ran as %v", n, got)
	}
	if q.Step() {
		t.Error("an empty queue had work")
	}
}

func TestQueueWaitsForWorkFromOtherGoroutines(t *testing.T) {
	var q Queue
	var wg sync.WaitGroup
	n := 0
	for range 50 {
		wg.Go(func() { q.Do(func() { n++ }) })
	}
	q.Wait(func() bool { return n == 50 })
	wg.Wait()
	if n != 50 {
		t.Errorf("%d of 50 ran", n)
	}
}
