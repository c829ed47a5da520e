package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/wire"
)

// storm is how many events a server causes before the window gets to draw.
const storm = 10_000

// during puts a storm of events on the way and returns how often the window
// was told, and how many events it was told.
func (r *rig) during(e func(i int) mcpclient.Event) (times, events int) {
	r.t.Helper()
	take := r.s.bridge.take
	defer func() { r.s.bridge.take = take }()
	r.s.bridge.take = func(b batch) {
		times++
		events += len(b.events)
		take(b)
	}
	for i := range storm {
		r.s.bridge.put(e(i))
		if i%10 == 9 {
			r.queue.Drain() // Fyne's thread is not always busy
		}
	}
	if n := len(r.s.bridge.waiting.events); n > 2*maxSideLines {
		r.t.Errorf("%d events wait", n)
	}
	r.pass(sidePause)
	return times, events
}

func TestStorm_OfProgressIsAFewRedraws(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.told(mcpclient.Event{CallID: "c", Call: &mcpclient.Call{ID: "c", State: mcpclient.CallRunning, Started: r.clock.Now()}})
	r.s.choose(route{section: sectionRequest, id: "c"})
	times, events := r.during(func(i int) mcpclient.Event {
		return mcpclient.Event{CallID: "c", Progress: &mcpclient.Progress{Progress: json.Number(fmt.Sprint(i)), Total: "9999"}}
	})
	if times > sideBurst+1 || events > times {
		t.Errorf("the window was told %d times, of %d events", times, events)
	}
	r.reads("Progress: 9999 of 9999")
}

func TestStorm_OfLogsIsCountedAndBounded(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	times, events := r.during(func(i int) mcpclient.Event {
		return mcpclient.Event{ServerID: v.ID, Log: &mcpclient.Log{Level: "info", Data: json.RawMessage(fmt.Sprintf(`"line %d"`, i))}}
	})
	if times > sideBurst+1 || events > times*2*maxSideLines {
		t.Errorf("the window was told %d times, of %d events", times, events)
	}
	if v.said.counts[sideLogged] != storm || len(v.said.lines) != maxSideLines || v.said.dropped != storm-maxSideLines {
		t.Errorf("%d counted, %d kept, %d said to be dropped", v.said.counts[sideLogged], len(v.said.lines), v.said.dropped)
	}
	r.reads("Also said by the server: 10,000 log messages")
	p := r.s.page.(*serverPage)
	p.side.open()
	if text := r.s.sideText(&v.said).String(); !strings.HasSuffix(text, "line 9999") || !strings.Contains(text, "9,800 earlier lines are no longer kept.") {
		t.Errorf("the log reads %.200s", text)
	}
}

// TestStorm_HoldsBackNothingThatMatters: a call, a question and a connection
// come through at once, in their order.
func TestStorm_HoldsBackNothingThatMatters(t *testing.T) {
	var got []mcpclient.Event
	var due []func()
	b := newBridge(dispatch(func(f func()) { due = append(due, f) }), &testClock{}, func(b batch) { got = append(got, b.events...) })
	log := mcpclient.Event{ServerID: "s", Log: &mcpclient.Log{Level: "info"}}
	for range 3 * sideBurst { // which uses up what is free
		b.put(log)
		for _, f := range due {
			f()
		}
		due = nil
	}
	got = nil
	b.put(log)
	if len(due) != 0 {
		t.Fatal("a log message was not held back")
	}
	b.put(mcpclient.Event{ServerID: "s", Connection: &mcpclient.Status{State: mcpclient.Lost}})
	b.put(mcpclient.Event{CallID: "c", Call: &mcpclient.Call{ID: "c"}})
	if len(due) != 1 {
		t.Fatalf("%d deliveries are on their way; want one", len(due))
	}
	due[0]()
	n := len(got)
	if n < 3 || got[n-3].Log == nil || got[n-2].Connection == nil || got[n-1].Call == nil {
		t.Errorf("delivered were %d events: %+v", n, got)
	}
}

// dispatch is a Dispatcher made of a function.
type dispatch func(func())

func (d dispatch) Do(f func()) { d(f) }

func TestStorm_LargeTextsDoNotWait(t *testing.T) {
	large := strings.Repeat("é", 1<<20)
	for name, e := range map[string]mcpclient.Event{
		"log":      {ServerID: "s", Log: &mcpclient.Log{Level: large, Logger: large, Data: json.RawMessage(`"` + large + `"`)}},
		"log data": {ServerID: "s", Log: &mcpclient.Log{Data: json.RawMessage(`{"a":"` + large + `"}`)}},
		"notice":   {ServerID: "s", Notice: &mcpclient.Notice{Detail: large}},
		"progress": {CallID: "c", Progress: &mcpclient.Progress{Message: large}},
	} {
		raw, err := json.Marshal(clipped(e))
		must(t, err)
		if len(raw) > 2*maxMessage {
			t.Errorf("%s: %d bytes wait", name, len(raw))
		}
		if l := clipped(e).Log; l != nil && !json.Valid(l.Data) {
			t.Errorf("%s: what is left is no JSON: %.40s", name, l.Data)
		}
	}
}

func TestSideLog_CountsByKindAndAddsUp(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	v := r.atServer()
	notice := func(kind wire.NoticeKind, detail string, count int) {
		r.told(mcpclient.Event{ServerID: v.ID, Notice: &mcpclient.Notice{Text: i18n.M("core.notice.stray"), Kind: kind, Detail: detail, Count: count}})
	}
	notice(wire.NoticeStderr, "starting", 0)
	notice(wire.NoticeStray, "Listening on 3000", 1)
	notice(wire.NoticeStray, "more", 41)
	r.told(mcpclient.Event{ServerID: v.ID, Log: &mcpclient.Log{Level: "warning", Logger: "db", Data: json.RawMessage(`"slow \u202e"`)}})
	r.reads("Also said by the server: 1 line of program output · 42 lines of other output · 1 log message")
	r.s.page.(*serverPage).side.open()
	r.queue.Drain()
	r.reads("program output:  starting", "more  (the last of 41 like it)", "log, warning, db:  slow ⟨U+202E⟩")
	r.press("Copy all")
	if got := r.app.Clipboard().Content(); strings.Count(got, "\n") != 3 {
		t.Errorf("copied:\n%s", got)
	}
	r.server.die(errNoBrowser)
	r.wait(func() bool { return v.status.State == mcpclient.Lost })
	r.reads("starting")
}

func TestSideLog_IsBoundedInBytesToo(t *testing.T) {
	var l sideLog
	for range 100 {
		l.add(mcpclient.Event{ServerID: "s", Notice: &mcpclient.Notice{Kind: wire.NoticeStderr, Detail: strings.Repeat("x", maxSideText)}})
	}
	if l.bytes > maxSideBytes || len(l.lines)+l.dropped != 100 {
		t.Errorf("%d bytes in %d lines; %d dropped", l.bytes, len(l.lines), l.dropped)
	}
}

// TestStorm_OfQuestionsThatDieAtOnceIsForgotten, except what was typed into one.
func TestStorm_OfQuestionsThatDieAtOnceIsForgotten(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), legacy: true})
	r.connected()
	push := func(id int) {
		r.server.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":%s}}`, id, nameForm))
	}
	withdraw := func(id int) {
		r.server.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
	}
	push(1)
	r.wait(func() bool { return len(r.s.sheets) == 1 })
	kept := r.s.desk.open("")[0].ID
	r.s.choose(route{section: sectionQuestion, id: kept})
	r.typing("Lin")
	withdraw(1)
	r.wait(func() bool { return r.s.sheets[kept].q.State == mcpclient.ElicitationDead })
	r.s.choose(route{section: sectionSettings})
	for id := 2; id < 3*mcpclient.MaxDead; id++ {
		push(id)
		withdraw(id)
	}
	push(-1)
	r.wait(func() bool { return len(r.s.desk.open("")) == 1 && r.s.sheets[r.s.desk.open("")[0].ID] != nil })
	r.queue.Drain()
	if n := len(r.s.desk.questions); n > mcpclient.MaxDead+2 {
		t.Errorf("%d questions are kept", n)
	}
	if sh := r.s.sheets[kept]; sh == nil || sh.draft.Text("/name") != "Lin" {
		t.Error("what was typed is gone")
	}
}
