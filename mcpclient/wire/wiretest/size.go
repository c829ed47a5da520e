package wiretest

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// Filled is head, n times the letter x, and tail. However long it is, it takes
// no memory.
func Filled(head string, n int64, tail string) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(letters{}, n), strings.NewReader(tail))
}

type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// Allocates fails t if all goroutines together allocate more than limit bytes
// while do runs, counting also what is freed at once: an upper bound of the
// memory in use that no collection blurs.
func Allocates(t testing.TB, limit int64, do func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	if n := int64(after.TotalAlloc - before.TotalAlloc); n > limit {
		t.Errorf("%.1f MiB were allocated, want at most %.1f", float64(n)/(1<<20), float64(limit)/(1<<20))
	}
}
