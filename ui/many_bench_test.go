package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/config"
)

// many is how many entries the lists of these benchmarks have.
const many = 10_000

// manyArguments is a program with many arguments and values.
func manyArguments() mcpclient.Server {
	v := mcpclient.Server{Name: "many", Kind: mcpclient.Stdio, Command: "program", Env: map[string]string{}}
	for i := range many {
		v.Args = append(v.Args, fmt.Sprint("--argument-", i))
		v.Env[fmt.Sprint("VALUE_", i)] = fmt.Sprint(i)
	}
	return v
}

// BenchmarkMany draws each page that lists something, with ten thousand of it, in the
// pieces that the window draws in between of, and gives the longest of them, whose goal
// is 16 ms. It opens the window on as many servers, too.
func BenchmarkMany(b *testing.B) {
	pages := map[string]func(r *rig) route{
		"requests": func(r *rig) route {
			for i := range many {
				r.s.desk.calls = append(r.s.desk.calls, &callState{Call: mcpclient.Call{ID: fmt.Sprint(i), State: mcpclient.CallDone}})
			}
			return route{section: sectionRequests}
		},
		"questions": func(r *rig) route {
			for i := range many {
				q := mcpclient.Elicitation{ID: fmt.Sprint(i), Message: "Who?", State: mcpclient.ElicitationOpen}
				r.s.desk.questions = append(r.s.desk.questions, &q)
				r.s.sheets[q.ID] = &sheet{q: q}
			}
			return route{section: sectionQuestions}
		},
		"allow": func(r *rig) route {
			r.s.desk.addServer(&serverState{Server: withID(manyArguments())})
			return route{section: sectionAllow, id: "many"}
		},
		"edit": func(r *rig) route {
			r.s.desk.addServer(&serverState{Server: withID(manyArguments())})
			return route{section: sectionEdit, id: "many"}
		},
		"import": func(r *rig) route {
			r.s.importing.read = true
			r.s.importing.rows = importRows([]config.Offer{{Server: manyArguments()}}, nil)
			return route{section: sectionImport}
		},
	}
	for name, open := range pages {
		b.Run(name, func(b *testing.B) {
			r := newRig(b, rigOptions{})
			at := open(r)
			var largest []time.Duration
			pieces := 0
			for b.Loop() {
				most := time.Duration(0)
				piece := func(do func() bool) (more bool) {
					begin := time.Now()
					more = do()
					most = max(most, time.Since(begin))
					pieces++
					return more
				}
				piece(func() bool { r.s.show(at); return true })
				for piece(r.queue.Step) {
				}
				largest = append(largest, most)
			}
			b.ReportMetric(median(largest).Seconds()*1e3, "ms-median")
			b.ReportMetric(slices.Min(largest).Seconds()*1e3, "ms-least")
			b.ReportMetric(float64(pieces)/float64(len(largest)), "pieces")
		})
	}
	b.Run("start", func(b *testing.B) {
		dir := manyListed(b, many)
		store, err := config.Open(dir)
		must(b, err)
		client, err := mcpclient.New(mcpclient.Options{})
		must(b, err)
		r := newRig(b, rigOptions{})
		for b.Loop() {
			s := newShell(r.app, Options{Client: client, Store: store, Values: r.s.o.Values, Opener: r.opener}, r.queue, r.clock)
			s.draw()
			s.win.Close()
			s.work.close()
		}
	})
	b.Run("read", func(b *testing.B) {
		store, err := config.Open(manyListed(b, many))
		must(b, err)
		r := newRig(b, rigOptions{})
		r.s.o.Store = store
		for b.Loop() {
			r.s.takeList(r.s.readList())
		}
	})
}

// withID is v as it stands in the list.
func withID(v mcpclient.Server) mcpclient.Server {
	v.ID = v.Name
	return v
}
