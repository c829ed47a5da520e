package bench

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// operation is what is measured.
type operation struct {
	name  string
	do    func(subject) error
	batch int // operations of one client before it is the other's turn
}

var (
	opCall  = operation{"call", subject.call, 500}
	opRound = operation{"round", subject.round, 200}
	opList  = operation{"list", subject.list, 1}
)

// pairs is the number of batches of either client that a ratio is made of.
const pairs = 9

// BenchmarkCall is a tool that answers at once.
func BenchmarkCall(b *testing.B) { eachSetting(b, opCall, "whole") }

// BenchmarkRound is a tool that asks a form of four fields first. A reply that
// is one JSON body has no room for the questions that 2025-11-25 pushes.
func BenchmarkRound(b *testing.B) {
	eachSetting(b, opRound, "whole", setting{transport: "json", era: "legacy"})
}

// BenchmarkList is a list of 2,000 tools, in 20 pages.
func BenchmarkList(b *testing.B) { eachSetting(b, opList, "paged") }

// BenchmarkListWhole is a list of 2,000 tools, in one page.
func BenchmarkListWhole(b *testing.B) { eachSetting(b, opList, "whole") }

func eachSetting(b *testing.B, o operation, pages string, without ...setting) {
	for _, transport := range transports {
		for _, era := range eras {
			if slices.Contains(without, setting{transport: transport, era: era}) {
				continue
			}
			s := setting{transport, era, pages}
			b.Run(transport+"/"+era, func(b *testing.B) {
				b.Run("parley", func(b *testing.B) { alone(b, "parley", s, o) })
				b.Run("gosdk", func(b *testing.B) { alone(b, "gosdk", s, o) })
				b.Run("ratio", func(b *testing.B) { compare(b, s, o) })
			})
		}
	}
}

// alone is an ordinary benchmark of one client.
func alone(b *testing.B, kind string, s setting, o operation) {
	c := open(b, kind, s, openServer(b, s))
	b.ReportAllocs()
	for b.Loop() {
		if err := o.do(c); err != nil {
			b.Fatal(err)
		}
	}
}

// cost is what one operation takes.
type cost struct{ ns, bytes, allocs float64 }

// ratio compares the costs of Parley and the SDK.
type ratio struct {
	name                string // of the benchmark
	ours, theirs        cost   // medians
	time, bytes, allocs float64
}

// compared are the ratios of this run.
var compared []ratio

// compare lets the clients take turns.
func compare(b *testing.B, s setting, o operation) {
	p := openServer(b, s)
	ours, theirs := open(b, "parley", s, p), open(b, "gosdk", s, p)
	var a, z []cost
	for b.Loop() {
		a, z = nil, nil
		batch(b, ours, o) // both are warm before anything counts
		batch(b, theirs, o)
		for i := range pairs {
			if i%2 == 0 {
				a = append(a, batch(b, ours, o))
				z = append(z, batch(b, theirs, o))
			} else {
				z = append(z, batch(b, theirs, o))
				a = append(a, batch(b, ours, o))
			}
		}
	}
	r := newRatio(strings.TrimSuffix(b.Name(), "/ratio"), a, z)
	compared = slices.DeleteFunc(compared, func(old ratio) bool { return old.name == r.name })
	compared = append(compared, r)
	b.ReportMetric(r.ours.ns, "ns/op")
	b.ReportMetric(r.ours.bytes, "B/op")
	b.ReportMetric(r.ours.allocs, "allocs/op")
	b.ReportMetric(r.theirs.ns, "gosdk-ns/op")
	b.ReportMetric(r.theirs.bytes, "gosdk-B/op")
	b.ReportMetric(r.theirs.allocs, "gosdk-allocs/op")
	b.ReportMetric(r.time, "time-ratio")
	b.ReportMetric(r.bytes, "bytes-ratio")
	b.ReportMetric(r.allocs, "allocs-ratio")
}

// batch does one batch and returns what an operation of it took.
func batch(b *testing.B, c subject, o operation) cost {
	b.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	for range o.batch {
		if err := o.do(c); err != nil {
			b.Fatal(err)
		}
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	n := float64(o.batch)
	return cost{
		ns:     float64(took.Nanoseconds()) / n,
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / n,
		allocs: float64(after.Mallocs-before.Mallocs) / n,
	}
}

func newRatio(name string, ours, theirs []cost) ratio {
	pick := func(f func(cost) float64) (a, z, r float64) {
		var as, zs, rs []float64
		for i := range ours {
			as, zs = append(as, f(ours[i])), append(zs, f(theirs[i]))
			rs = append(rs, f(ours[i])/f(theirs[i]))
		}
		return median(as), median(zs), median(rs)
	}
	r := ratio{name: name}
	r.ours.ns, r.theirs.ns, r.time = pick(func(c cost) float64 { return c.ns })
	r.ours.bytes, r.theirs.bytes, r.bytes = pick(func(c cost) float64 { return c.bytes })
	r.ours.allocs, r.theirs.allocs, r.allocs = pick(func(c cost) float64 { return c.allocs })
	return r
}

// median returns the middle of an odd number of values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// table writes ratios for people; nothing when there are none.
func table(ratios []ratio) string {
	if len(ratios) == 0 {
		return ""
	}
	var t strings.Builder
	t.WriteString("\nParley against the Go SDK's client, one operation; a ratio below 1 means that Parley needs less.\n\n")
	row := func(cells ...any) {
		fmt.Fprintf(&t, "| %-24s | %10s | %10s | %5s | %8s | %8s | %5s | %5s |\n", cells...)
	}
	row("", "Parley", "Go SDK", "time", "allocs", "allocs", "ratio", "bytes")
	row("---", "---:", "---:", "---:", "---:", "---:", "---:", "---:")
	for _, r := range ratios {
		row(strings.TrimPrefix(r.name, "Benchmark"), micro(r.ours.ns), micro(r.theirs.ns), fmt.Sprintf("%.2f", r.time),
			fmt.Sprintf("%.0f", r.ours.allocs), fmt.Sprintf("%.0f", r.theirs.allocs), fmt.Sprintf("%.2f", r.allocs), fmt.Sprintf("%.2f", r.bytes))
	}
	return t.String()
}

func micro(ns float64) string { return fmt.Sprintf("%.0f µs", ns/1000) }
