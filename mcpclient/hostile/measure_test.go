package hostile

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

// heap watches how much memory of the Go heap is in use, from its making until
// stop: what each run of the collector finds in use. The collector has to run
// often for that.
type heap struct {
	before, peak uint64 // bytes
	quit, done   chan struct{}
}

// inUse is the metric of what the last run of the collector found in use.
const inUse = "/gc/heap/live:bytes"

func heapNow() uint64 {
	sample := []metrics.Sample{{Name: inUse}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func watchHeap() *heap {
	runtime.GC()
	h := &heap{before: heapNow(), quit: make(chan struct{}), done: make(chan struct{})}
	go h.run()
	return h
}

func (h *heap) run() {
	defer close(h.done)
	tick := time.NewTicker(500 * time.Microsecond)
	defer tick.Stop()
	for {
		h.peak = max(h.peak, heapNow())
		select {
		case <-tick.C:
		case <-h.quit:
			return
		}
	}
}

// stop ends the watch; h may be nil, and stopped before.
func (h *heap) stop() {
	if h == nil {
		return
	}
	select {
	case <-h.quit:
	default:
		close(h.quit)
	}
	<-h.done
}

// label is the key of the label that all goroutines of a play inherit.
const label = "play"

// alone runs f and waits until no goroutine is left of those that f and what it
// called have started. Goroutines inherit the labels of those that start them,
// so other plays may go on meanwhile.
func alone(t *testing.T, name string, f func()) {
	defer func() {
		left := ""
		if !eventually(func() bool {
			left = labelled(name)
			return left == ""
		}) {
			t.Errorf("goroutines are left:\n%s", left)
		}
	}()
	pprof.Do(t.Context(), pprof.Labels(label, name), func(context.Context) { f() })
}

// shared is what runs for all programs at once, and so for the play that began
// first: the guard over them. That it ends with them is looked at in the end.
const shared = "parley/mcpclient/stdio.(*guard).start"

// labelled returns the stacks of the goroutines with the label.
func labelled(name string) string {
	var all bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&all, 1); err != nil {
		return err.Error()
	}
	var found []string
	for stack := range strings.SplitSeq(all.String(), "\n\n") {
		if strings.Contains(stack, `"`+label+`":"`+name+`"`) && !strings.Contains(stack, shared) {
			found = append(found, stack)
		}
	}
	return strings.Join(found, "\n\n")
}

// eventually reports whether done is true within some seconds: what is just
// ending is let end.
func eventually(done func() bool) bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	limit := time.NewTimer(10 * time.Second)
	defer limit.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-limit.C:
			return false
		}
	}
	return true
}

// warm opens what the runtime opens once and keeps.
func warm(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// openFiles are what this process has open; nil on systems that do not tell.
func openFiles() map[string]int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil
	}
	open := map[string]int{}
	for _, e := range entries {
		to, err := os.Readlink(filepath.Join("/proc/self/fd", e.Name()))
		if err != nil {
			continue // the descriptor of this very reading
		}
		kind, _, _ := strings.Cut(to, ":")
		open[kind]++
	}
	return open
}

// childrenLeft are the programs that this process has started and that were
// not waited for; "" on systems that do not tell.
func childrenLeft() string {
	var left []string
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, f := range files {
		ids, err := os.ReadFile(f)
		if err == nil && len(bytes.TrimSpace(ids)) > 0 {
			left = append(left, string(ids))
		}
	}
	return strings.Join(left, " ")
}
