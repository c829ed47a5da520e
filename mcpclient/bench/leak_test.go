package bench

import (
	"context"
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"parley/mcpclient"
)

const (
	// parallel is how many calls run at once, and questionsAtOnce how many of
	// them ask something: a server may have 200 questions open.
	parallel        = 500
	questionsAtOnce = 100
	// maxGrowth bounds, in bytes, how much more the heap holds after all calls
	// than before: 10,000 calls may not leave as much as 27 bytes each.
	maxGrowth = 256 << 10
)

// sequential is how many calls follow each other: enough to see a leak, and
// what the project promises where there is time for that.
func sequential() int {
	if os.Getenv("PARLEY_FULL") == "1" {
		return 10_000
	}
	return 2_000
}

// TestManyCallsToOneServerLeaveNothingBehind: not in the client, which forgets
// what it is told to forget; not in the heap, of the connection; and after
// Close no goroutine and no file. 10,000 calls with PARLEY_FULL=1.
func TestManyCallsToOneServerLeaveNothingBehind(t *testing.T) {
	for _, transport := range transports {
		for _, era := range eras {
			s := setting{transport, era, "whole"}
			t.Run(transport+"/"+era, func(t *testing.T) { manyCalls(t, s) })
		}
	}
}

func manyCalls(t *testing.T, s setting) {
	p := openServer(t, s)
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := newParley(ctx, s, p)
	if err != nil {
		t.Fatal(err)
	}

	// Buffers, maps and idle connections that are kept for the next calls have
	// their size after this.
	callAtOnce(t, c, s)
	before := heap()
	for i := range sequential() {
		if err := c.call(); err != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
	}
	// Before the next crowd, which may leave more idle connections than this.
	settle(t, "bytes of heap", before+maxGrowth, heap)
	callAtOnce(t, c, s)
	if n, m := len(c.client.Calls()), len(c.client.Elicitations()); n+m > 0 {
		t.Errorf("the client still knows %d calls and %d questions", n, m)
	}

	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	settle(t, "goroutines", goroutines, runtime.NumGoroutine)
	settle(t, "open files", files, func() int { return openFiles(t) })
}

// callAtOnce runs calls in parallel, some of which ask, and checks that each
// gets its own result.
func callAtOnce(t *testing.T, c *parley, s setting) {
	t.Helper()
	want := map[string]string{}
	for i := range parallel {
		tool, text := toolPlain, plainText
		if i < questionsAtOnce && s.asksInParallel() {
			tool, text = toolRound, bookedText
		}
		want[c.start(tool)] = text
	}
	for range parallel {
		var call mcpclient.Call
		select {
		case call = <-c.ended:
		case err := <-c.failed:
			t.Fatal(err)
		}
		if call.Failure != nil {
			t.Fatal(call.Failure)
		}
		blocks := mcpclient.ViewResult(call.Kind, call.Result).Blocks
		if len(blocks) != 1 || blocks[0].Text != want[call.ID] {
			t.Fatalf("a call brought %s, want %q", call.Result, want[call.ID])
		}
		delete(want, call.ID)
		c.client.Forget(call.ID)
	}
	if len(want) > 0 {
		t.Fatalf("%d calls had no end of their own", len(want))
	}
}

// asksInParallel reports whether the server can ask while many calls run, and
// the client know for which: of what is pushed on the one stream of stdio it
// cannot, and a single JSON body has no room for it.
func (s setting) asksInParallel() bool { return s.era == "modern" || s.transport == "sse" }

// heap is the bytes of all that can be reached.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools kept goes with the second
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// openFiles is how many files this process has open; always 0 where that cannot
// be seen.
func openFiles(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// settle waits until there are no more of what than there may be. What has ended
// may need a moment to be gone.
func settle(t *testing.T, what string, most int, are func() int) {
	t.Helper()
	least := math.MaxInt
	for limit := time.Now().Add(patience); ; runtime.Gosched() {
		if least = min(least, are()); least <= most {
			return
		}
		if time.Now().After(limit) {
			t.Errorf("there are never fewer than %d %s, want at most %d", least, what, most)
			return
		}
	}
}
