package mcpclient

import (
	"fmt"
	"strings"
	"testing"

	"parley/forms/rawjson"
	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

func TestDeadQuestionsAreKeptUpToABound(t *testing.T) {
	journal := &MemoryJournal{}
	b := newBenchWith(t, Options{Journal: journal}, legacy(nil, nil))
	b.conn = b.reconnect(t, testServer)
	p := b.peer()
	p.say(wire.ID{}, pushForm("0", "kept"))
	drafted := b.question()
	if err := b.client.SaveDraft(drafted.ID, []byte(`{"a":"typed"}`)); err != nil {
		t.Fatal(err)
	}
	const n = 3 * MaxDead
	for i := range n {
		p.say(wire.ID{}, pushForm(fmt.Sprint(i), "q"))
		p.say(wire.ID{}, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i))
	}
	all := b.client.Elicitations()
	_, kept, err := journal.Load()
	if err != nil || len(all) != MaxDead+1 || len(kept) != len(all) {
		t.Errorf("%d questions are kept, %d in the journal (%v), want %d", len(all), len(kept), err, MaxDead+1)
	}
	if e, known := b.client.Elicitation(drafted.ID); !known || string(e.Draft) == "" {
		t.Error("what the person typed is gone")
	}
	forgotten := 0
	for forgotten < n-MaxDead-1 {
		b.until(func(e Event) bool { return e.Forgotten != "" })
		forgotten++
	}
}

func TestDeadQuestionsAreBoundedInBytes(t *testing.T) {
	b := connected(t, legacy(nil, nil))
	big := strings.Repeat("m", maxDeadBytes/4)
	for i := range 20 {
		b.peer().say(wire.ID{}, pushForm(fmt.Sprint(i), big))
		b.peer().say(wire.ID{}, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i))
	}
	held := 0
	for _, e := range b.client.Elicitations() {
		held += e.size()
	}
	if held > maxDeadBytes || held == 0 {
		t.Errorf("dead questions hold %d bytes", held)
	}
}

func TestOpenQuestionsTogetherAreBoundedInBytes(t *testing.T) {
	s := testServer
	s.MaxMessage = 10_000
	b := newBench(t, s, legacy(nil, nil))
	b.conn = b.reconnect(t, s)
	big := strings.Repeat("m", 6_000)
	b.peer().say(wire.ID{}, pushForm("1", big))
	first := b.question()
	b.peer().say(wire.ID{}, pushForm("2", big))
	b.notice("core.notice.toomany")
	if r := b.peer().responses()["2"]; r.Error == nil || r.Error.Code != wire.CodeInternal {
		t.Errorf("the second is answered with %+v, want -32603", r.Error)
	}
	b.answer(first, accepted(`{}`))
	b.peer().say(wire.ID{}, pushForm("3", big))
	if q := b.question(); q.Key != "3" {
		t.Errorf("after the first was answered, %q was asked", q.Key)
	}
}

func TestAListIsBoundedInEntriesAndBytes(t *testing.T) {
	for name, page := range map[string]string{
		"a page of a million entries":         `{"tools":[` + strings.Repeat(`1,`, 1_000_000) + `1]}`,
		"pages of many entries without end":   `{"tools":[` + strings.Repeat(`1,`, 999) + `1],"nextCursor":"%d"}`,
		"pages of one huge entry without end": `{"tools":["` + strings.Repeat("x", 1<<20) + `"],"nextCursor":"%d"}`,
	} {
		s := testServer
		s.MaxMessage = 8 << 20
		b := newBench(t, s, func(p *peer, m wire.Message) {
			switch m.Method {
			case "server/discover":
				p.reply(m, discovered)
			case "tools/list":
				p.reply(m, strings.Replace(page, "%d", fmt.Sprint(len(p.requests("tools/list"))), 1))
			}
		})
		b.conn = b.reconnect(t, s)
		l, err := b.conn.List(t.Context())
		if err != nil || len(l.Tools) == 0 || len(l.Tools) > maxEntries {
			t.Errorf("%s: %d tools, %v", name, len(l.Tools), err)
		}
		b.notice("core.notice.toolong")
	}
}

func TestMoreThanCanBeAskedIsRefusedBeforeAnythingIsAsked(t *testing.T) {
	entries := make([]string, MaxOpen+1)
	urls := make([]string, MaxOpen+1)
	for i := range entries {
		entries[i] = fmt.Sprintf(`"k%d":%s`, i, formAsk("a"))
		urls[i] = fmt.Sprintf(`{"url":"https://x.example/%d","elicitationId":"%d","message":"m"}`, i, i)
	}
	b := connected(t, modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
		p.reply(m, needs("{"+strings.Join(entries, ",")+"}", ""))
	}))
	if c := b.ended(b.call(CallRequest{})); c.Failure == nil || c.Failure.Text.ID != "core.invalid.toomany" || c.Asked != 0 {
		t.Errorf("a round: %s, asked %d: %v", c.State, c.Asked, c.Failure)
	}
	b = connected(t, legacy(func(p *peer, m wire.Message) {
		p.refuse(m, `{"code":-32042,"message":"m","data":{"elicitations":[`+strings.Join(urls, ",")+`]}}`)
	}, nil))
	if c := b.ended(b.call(CallRequest{})); c.Failure == nil || c.Failure.Text.ID != "core.invalid.toomany" || c.Asked != 0 {
		t.Errorf("a -32042: %s, asked %d: %v", c.State, c.Asked, c.Failure)
	}
}

func TestASecondQuestionUnderAnOpenIDIsIgnored(t *testing.T) {
	b := connected(t, legacy(nil, nil))
	b.peer().say(wire.ID{}, pushForm("1", "first"))
	q := b.question()
	b.peer().say(wire.ID{}, pushForm("1", "second"))
	b.notice("core.notice.sameid")
	if open := b.client.Open(); len(open) != 1 || open[0].Message != "first" {
		t.Errorf("open: %+v", open)
	}
	b.answer(q, accepted(`{}`))
	if r := b.peer().responses()["1"]; r.Error != nil || r.Result == nil {
		t.Errorf("answered with %+v", r)
	}
	b.peer().say(wire.ID{}, pushForm("1", "third")) // the id is free again
	if q := b.question(); q.Message != "third" {
		t.Errorf("asked %q", q.Message)
	}
}

func TestProgressChangesNothingInTheJournal(t *testing.T) {
	j := &countingJournal{}
	b := newBenchWith(t, Options{Journal: j}, modern(func(p *peer, m wire.Message, params []rawjson.Member) {
		meta, _ := rawjson.Object(rawjson.Get(params, "_meta"))
		for i := range 1000 {
			p.say(m.ID, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"message":%q}}`,
				rawjson.Get(meta, "progressToken"), i, strings.Repeat("w", 10*maxProgress)))
		}
		p.reply(m, doneResult)
	}))
	b.conn = b.reconnect(t, testServer)
	c := b.ended(b.call(CallRequest{}))
	if c.Progress == nil || c.Progress.Progress != "999" {
		t.Errorf("progress %+v", c.Progress)
	}
	if c.Progress != nil && len(c.Progress.Message) > 2*maxProgress {
		t.Errorf("%d bytes of words are kept of it", len(c.Progress.Message))
	}
	if j.n > 10 {
		t.Errorf("%d changes were recorded", j.n)
	}
}

// countingJournal counts what is recorded.
type countingJournal struct {
	MemoryJournal
	n int
}

func (j *countingJournal) Record(c Change) error {
	j.n++
	return j.MemoryJournal.Record(c)
}

func TestAToolThatHidesAHeaderDeepIsNotOffered(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"a":`, maxDepth+1) + `{"type":"string","x-mcp-header":"H"}` + strings.Repeat("}}", maxDepth+1)
	if _, bad := paramHeaders([]byte(deep)); bad.ID != "core.header.deep" {
		t.Errorf("said %q", bad.ID)
	}
	harmless := strings.Repeat(`{"properties":{"a":`, 4000) + `{}` + strings.Repeat("}}", 4000)
	if _, bad := paramHeaders([]byte(harmless)); !bad.IsZero() {
		t.Errorf("a deep one without a header: %q", bad.ID)
	}
}

func TestAServerThatForgetsEverySessionIsLost(t *testing.T) {
	b := connected(t, func(p *peer, m wire.Message) {
		switch {
		case m.Method == "server/discover", m.Method == "initialize":
			legacy(nil, nil)(p, m)
		case m.Kind() == wire.Request:
			p.fail(m, &http.SessionLostError{})
		}
	})
	for range maxUnproven + 2 {
		if _, err := b.conn.List(t.Context()); err == nil {
			t.Fatal("a list came")
		}
	}
	if s := b.status(Lost); s.Failure == nil || s.Failure.Text.ID != "core.fail.sessions" {
		t.Errorf("told %+v", s)
	}
}
