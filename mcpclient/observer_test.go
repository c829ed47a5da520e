package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// slow is an observer whose watcher takes the first event and then nothing
// more until go on is called; finish gives all that was told.
func slow(t *testing.T) (o *observer, goOn func(), told func() []Event) {
	t.Helper()
	var events []Event
	began, gate := make(chan struct{}), make(chan struct{})
	o = newObserver(func(e Event) {
		if len(events) == 0 {
			close(began)
			<-gate
		}
		events = append(events, e)
	})
	o.put(Event{ServerID: "s", State: &StateNote{}})
	<-began
	return o, func() { close(gate) }, func() []Event {
		o.finish(context.Background())
		return events[1:]
	}
}

func TestProgressGivesWayToNewerProgressOfItsCall(t *testing.T) {
	o, goOn, told := slow(t)
	for range crowded {
		o.put(Event{ServerID: "s", State: &StateNote{}})
	}
	for i := range 10_000 {
		o.put(Event{CallID: fmt.Sprint(i % 2), Progress: &Progress{Progress: json.Number(fmt.Sprint(i))}})
	}
	o.put(Event{CallID: "0", Call: &Call{State: CallDone}})
	o.put(Event{CallID: "0", Progress: &Progress{Progress: "late"}})
	goOn()
	var got []string
	for _, e := range told() {
		switch {
		case e.Progress != nil:
			got = append(got, e.CallID+":"+string(e.Progress.Progress))
		case e.Call != nil:
			got = append(got, e.CallID+" ended")
		}
	}
	if s := strings.Join(got, " "); s != "0:9998 1:9999 0 ended 0:late" {
		t.Errorf("told: %s", s)
	}
}

func TestAWatcherThatKeepsUpHearsOfAllProgress(t *testing.T) {
	o, goOn, told := slow(t)
	for i := range crowded / 2 {
		o.put(Event{CallID: "c", Progress: &Progress{Progress: json.Number(fmt.Sprint(i))}})
	}
	goOn()
	if got := told(); len(got) != crowded/2 {
		t.Errorf("told of %d of %d", len(got), crowded/2)
	}
}

func TestAServersListsHaveChangedOnce(t *testing.T) {
	o, goOn, told := slow(t)
	for i := range 10_000 {
		o.put(Event{ServerID: fmt.Sprint(i % 2), ListChanged: true})
	}
	goOn()
	if got := told(); len(got) != 2 {
		t.Errorf("told %d times of two servers", len(got))
	}
}

func TestLogMessagesBeyondTheBoundsAreLeftOutAndCounted(t *testing.T) {
	for name, c := range map[string]struct{ size, n, kept int }{
		"many small ones": {10, 50_000, maxAsides},
		"a few large":     {maxAsideBytes / 4, 100, 4},
		"a huge one":      {3 * maxAsideBytes, 5, 1},
	} {
		o, goOn, told := slow(t)
		data := json.RawMessage(strings.Repeat("x", c.size))
		for i := range c.n {
			if i%2 == 0 {
				o.put(Event{ServerID: "s", Log: &Log{Data: data}})
			} else {
				o.put(Event{ServerID: "s", Notice: &Notice{Detail: string(data)}})
			}
		}
		o.put(Event{ServerID: "s", Call: &Call{State: CallDone}})
		goOn()
		kept, left, ended := 0, 0, false
		for _, e := range told() {
			switch {
			case e.Notice != nil && e.Notice.Text.ID == "core.notice.left":
				left += e.Notice.Count
			case e.Call != nil:
				ended = true
			default:
				kept++
			}
		}
		if kept != c.kept || kept+left != c.n || !ended {
			t.Errorf("%s: %d told, %d left out of %d; the call's end told: %t", name, kept, left, c.n, ended)
		}
	}
}

func TestWhatMattersIsAlwaysTold(t *testing.T) {
	o, goOn, told := slow(t)
	const n = 3 * maxAsides
	for range n {
		o.put(Event{Call: &Call{}})
		o.put(Event{Elicitation: &Elicitation{Message: strings.Repeat("x", 4096)}})
		o.put(Event{Connection: &Status{}})
	}
	goOn()
	if got := told(); len(got) != 3*n {
		t.Errorf("told %d of %d", len(got), 3*n)
	}
}
