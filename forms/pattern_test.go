package forms

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// ticking is a clock that is step later at every look, so that every check of
// a pattern seems to take step.
func ticking(step time.Duration) func() time.Time {
	at := time.Unix(0, 0)
	return func() time.Time {
		at = at.Add(step)
		return at
	}
}

// patternFields are n texts that refuse everything but "b"; # in more is the
// number of the field.
func patternFields(n int, more string) string {
	var properties []string
	for i := range n {
		more := strings.ReplaceAll(more, "#", fmt.Sprint(i))
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string","pattern":"^b$"%s}`, i, more))
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`
}

// answerAll types text into every field of f; # in it is the number of the
// field.
func answerAll(f *Form, text string) *Draft {
	d := f.NewDraft()
	for i, field := range f.Fields {
		d.SetText(field.Path, strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return d
}

// TestB13_PatternsShareTheirTime: patterns that stay just within the bound of
// one check are checked until a form has spent its time, as answers and as
// defaults; what is left unchecked is no error, keeps its text, and says so.
func TestB13_PatternsShareTheirTime(t *testing.T) {
	const step = 40 * time.Millisecond
	for _, c := range []struct{ rule, more string }{{"answers", ""}, {"defaults", `,"default":"a#"`}} {
		start, clock := time.Unix(0, 0), ticking(step)
		f := Parse(json.RawMessage(patternFields(300, c.more)), Options{now: clock})
		refused := len(f.Sentences(english))
		if c.more == "" {
			refused = len(answerAll(f, "a#").Check())
		}
		spent, allowed := time.Duration(refused)*step, maxPatternTime+clock().Sub(start)/patternShare
		if spent == 0 || spent > allowed {
			t.Errorf("%s: checks took %s, want at most %s", c.rule, spent, allowed)
		}
	}
	f := Parse(json.RawMessage(patternFields(2, "")), Options{now: ticking(0)})
	f.patterns.left = patternBound - 1
	d := answerAll(f, "a")
	notes := d.Notes("/p1")
	if content, _ := d.Content(Submit{}); len(notes) != 1 || notes[0].ID != "forms.note.patternSlow" || string(content) != `{"p0":"a","p1":"a"}` {
		t.Errorf("without time left: sent %s, notes %v", content, notes)
	}
}

// TestB13_PatternsOfAList: the entries of a list share the time as fields do,
// and one note says so for all of them.
func TestB13_PatternsOfAList(t *testing.T) {
	f := Parse(json.RawMessage(`{"type":"object","properties":{"l":{"type":"array","items":{"type":"string","pattern":"^b"}}}}`),
		Options{now: ticking(40 * time.Millisecond)})
	d := f.NewDraft()
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("b%d", i))
	}
	lines[99] = "a"
	d.SetLines("/l", lines...)
	o := d.outcome(f.Fields[0])
	if len(o.errors) > 0 || len(o.notes) != 1 || o.notes[0].ID != "forms.note.patternSlow" || !strings.HasSuffix(string(o.value), `"b98","a"]`) {
		t.Errorf("sends %s, notes %v, errors %s", o.value, o.notes, sentences(o.errors))
	}
	f.patterns = newPatternTime(ticking(0))
	f.Fields[0].item.pattern.time = f.patterns
	if said := sentences(d.Check()); !strings.HasPrefix(said, "l: Line 100: ") {
		t.Errorf("with time enough the list says %q", said)
	}
}

// TestB13_PatternTimeComesBack: a tenth of the time that goes by is won back,
// up to what a form starts with.
func TestB13_PatternTimeComesBack(t *testing.T) {
	at := time.Unix(0, 0)
	p := newPatternTime(func() time.Time { return at })
	spend := func(d time.Duration) bool {
		start, ok := p.begin()
		if ok {
			at = at.Add(d)
			p.end(start)
		}
		return ok
	}
	for _, c := range []struct {
		rule string
		idle time.Duration
		cost time.Duration
		ok   bool
	}{
		{"a form starts with time", 0, time.Second, true},
		{"which one check can use up, and its own time brings nothing back", 0, time.Millisecond, false},
		{"half a second brings back one check", time.Second / 2, patternBound, true},
		{"and no second one", 0, patternBound, false},
		{"an hour brings back all", time.Hour, maxPatternTime - patternBound, true},
		{"and no more than all", 0, patternBound, true},
		{"as this shows", 0, patternBound, false},
	} {
		at = at.Add(c.idle)
		if got := spend(c.cost); got != c.ok {
			t.Errorf("%s: allowed %t", c.rule, got)
		}
	}
}

// TestB13_HonestPatternsAreAllChecked: two thousand fields with patterns that
// take microseconds.
func TestB13_HonestPatternsAreAllChecked(t *testing.T) {
	d := answerAll(Parse(json.RawMessage(patternFields(2000, "")), Options{now: ticking(20 * time.Microsecond)}), "a")
	if errors := d.Check(); len(errors) != 2000 {
		t.Errorf("%d of 2000 were checked", len(errors))
	}
}

// TestB13_CompilingIsBounded: patterns that take long to read are not all read;
// those left are a hint, and one source is read once.
func TestB13_CompilingIsBounded(t *testing.T) {
	var different []string
	for i := range 100 {
		different = append(different, fmt.Sprintf(`"p%d":{"type":"string","pattern":"^b%d$"}`, i, i))
	}
	f := Parse(json.RawMessage(`{"type":"object","properties":{`+strings.Join(different, ",")+`}}`), Options{now: ticking(40 * time.Millisecond)})
	if f.Fields[0].pattern == nil || f.Fields[99].pattern != nil || len(f.Fields[99].Problems) > 0 {
		t.Errorf("the first is read: %t, the last: %t, problems %v", f.Fields[0].pattern != nil, f.Fields[99].pattern != nil, f.Fields[99].Problems)
	}
	if h := f.Fields[99].Hints; len(h) != 1 || h[0].ID != "forms.hint.patternUnchecked" {
		t.Errorf("hints of the last: %v", h)
	}
	same := Parse(json.RawMessage(patternFields(100, "")), Options{now: ticking(40 * time.Millisecond)})
	if same.Fields[99].pattern == nil || same.Fields[99].pattern != same.Fields[0].pattern {
		t.Error("one source was not read once")
	}
}

// TestB13_ContentIsOneReading: a pattern that could not be checked at first and
// could a moment later never takes a required key out of the content.
func TestB13_ContentIsOneReading(t *testing.T) {
	f := parseProperties(t, `"p":{"type":"string","pattern":"^b$"}`, "p")
	d := answerAll(f, "a")
	f.patterns.left, f.patterns.now = 0, time.Now
	looks := 0
	start := f.patterns.at
	f.patterns.now = func() time.Time {
		looks++
		return start.Add(time.Duration(looks-1) * time.Hour)
	}
	if content, errors := d.Content(Submit{}); string(content) != `{"p":"a"}` {
		t.Errorf("sent %s, errors %s", content, sentences(errors))
	}
}

// TestB13_WhatWasRefusedStaysRefused: the time of a form's patterns being used
// up does not let through what was known to be wrong.
func TestB13_WhatWasRefusedStaysRefused(t *testing.T) {
	f := parseProperties(t, `"p":{"type":"string","pattern":"^b$"}`, "p")
	d := answerAll(f, "a")
	if errors := d.Check(); len(errors) != 1 {
		t.Fatalf("errors %s", sentences(errors))
	}
	f.patterns.left, f.patterns.now = 0, func() time.Time { return f.patterns.at }
	if content, errors := d.Content(Submit{}); len(errors) != 1 {
		t.Errorf("sent %s", content)
	}
}
