package ui

import (
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/forms"
	"parley/mcpclient"
)

func TestAgo_SaysHowLongItStaysTrue(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	en := i18n.New("en")
	for _, c := range []struct {
		back time.Duration
		says string
		next time.Duration
	}{
		{-5 * time.Second, "just now", 2 * time.Second}, // a clock that was set back
		{0, "just now", 2 * time.Second},
		{1500 * time.Millisecond, "just now", 500 * time.Millisecond},
		{12*time.Second + 300*time.Millisecond, "12 seconds ago", 700 * time.Millisecond},
		{time.Minute, "1 minute ago", time.Minute},
		{90 * time.Second, "1 minute ago", 30 * time.Second},
		{3 * time.Hour, "3 hours ago", time.Hour},
		{50 * time.Hour, "2 days ago", time.Hour},
	} {
		m, next := ago(now, now.Add(-c.back))
		if got := en.Text(m); got != c.says || next != c.next {
			t.Errorf("%v back: %q for %v; want %q for %v", c.back, got, next, c.says, c.next)
		}
	}
}

func TestDesk_KeepsABoundedStoryOfACall(t *testing.T) {
	var d desk
	var ch changes
	d.apply(mcpclient.Event{CallID: "c1", Call: &mcpclient.Call{ID: "c1", State: mcpclient.CallRunning}}, &ch)
	working := &mcpclient.StateNote{State: "waiting", Text: i18n.M("core.state.working")}
	browser := &mcpclient.StateNote{State: "browser", Text: i18n.M("core.state.browser")}
	for range 3 {
		d.apply(mcpclient.Event{CallID: "c1", State: working}, &ch)
	}
	if got := len(d.call("c1").notes); got != 1 {
		t.Errorf("the same note three times is kept %d times", got)
	}
	for range maxNotes {
		d.apply(mcpclient.Event{CallID: "c1", State: browser}, &ch)
		d.apply(mcpclient.Event{CallID: "c1", State: working}, &ch)
	}
	if got := len(d.call("c1").notes); got != maxNotes {
		t.Errorf("%d notes are kept; the bound is %d", got, maxNotes)
	}
}

func TestDesk_ProgressOutlivesAChangeOfTheCall(t *testing.T) {
	var d desk
	var ch changes
	d.apply(mcpclient.Event{CallID: "c1", Call: &mcpclient.Call{ID: "c1", State: mcpclient.CallRunning}}, &ch)
	d.apply(mcpclient.Event{CallID: "c1", Progress: &mcpclient.Progress{Progress: "3", Total: "4"}}, &ch)
	d.apply(mcpclient.Event{CallID: "c1", Call: &mcpclient.Call{ID: "c1", State: mcpclient.CallDone}}, &ch)
	if p := d.call("c1").Progress; p == nil || p.Progress != "3" {
		t.Errorf("progress is %+v", p)
	}
	if len(ch.ended) != 1 || ch.ended[0] != "c1" {
		t.Errorf("ended are %v", ch.ended)
	}
}

func TestDesk_PlaceCountsWithinTheRoundElseAmongTheOpen(t *testing.T) {
	d := desk{questions: []*mcpclient.Elicitation{
		{ID: "a", ServerID: "s", State: mcpclient.ElicitationAnswered},
		{ID: "b", ServerID: "s", State: mcpclient.ElicitationOpen},
		{ID: "x", ServerID: "other", State: mcpclient.ElicitationOpen},
		{ID: "c", ServerID: "s", State: mcpclient.ElicitationOpen},
		{ID: "r", ServerID: "s2", State: mcpclient.ElicitationOpen, Index: 2, Of: 3},
	}}
	for id, want := range map[string][2]int{"b": {1, 2}, "c": {2, 2}, "x": {1, 1}, "r": {2, 3}} {
		if n, of := d.place(d.question(id)); n != want[0] || of != want[1] {
			t.Errorf("%s is question %d of %d; want %d of %d", id, n, of, want[0], want[1])
		}
	}
}

func TestShare_IsOnlyOfWhatCanBeCounted(t *testing.T) {
	for _, c := range []struct {
		progress mcpclient.Progress
		want     float32
		ok       bool
	}{
		{mcpclient.Progress{Progress: "1", Total: "4"}, .25, true},
		{mcpclient.Progress{Progress: "9", Total: "4"}, 1, true},
		{mcpclient.Progress{Progress: "-1", Total: "4"}, 0, true},
		{mcpclient.Progress{Progress: "1"}, 0, false},
		{mcpclient.Progress{Progress: "1", Total: "0"}, 0, false},
		{mcpclient.Progress{Progress: "1e999", Total: "4"}, 0, false},
	} {
		if got, ok := share(&c.progress); got != c.want || ok != c.ok {
			t.Errorf("%+v: %v %v; want %v %v", c.progress, got, ok, c.want, c.ok)
		}
	}
}

func TestEntries_TellWhatAFormHoldsInWords(t *testing.T) {
	form := forms.Parse([]byte(`{"type":"object","properties":{
		"name":{"type":"string","title":"Full name"},"nick":{"type":"string","default":"neo"},"empty":{"type":"string"},
		"ok":{"type":"boolean"},"seat":{"type":"string","oneOf":[{"const":"w","title":"Window"}]},
		"x":{"type":"array","items":{"type":"string","enum":["a","b"]}},"password":{"type":"string"}}}`), forms.Options{})
	d := form.NewDraft()
	d.SetText("/name", "Lin")
	d.SetBool("/ok", false)
	d.Pick("/seat", 0)
	d.SetTicks("/x", 0, 1)
	d.SetText("/password", "canary")
	v := &surroundings{loc: i18n.New("en")}
	got := copyText(v.entries(d), nil)
	want := "Full name: Lin\nnick: neo\nok: No\nseat: Window\nx: a, b\npassword: " + forms.Mask + "\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := copyText(v.entries(d), map[forms.Path]bool{"/password": true}); got == want {
		t.Error("a revealed secret stays masked")
	}
}
