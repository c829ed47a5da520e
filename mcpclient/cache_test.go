package mcpclient

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// library is a modern server whose resource and list may be kept as hint says.
// Each reply tells its number.
func library(hint string) func(*peer, wire.Message) {
	var n atomic.Int32
	return func(p *peer, m wire.Message) {
		switch m.Method {
		case "server/discover":
			p.reply(m, `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{}}}`)
		case "resources/read":
			p.reply(m, fmt.Sprintf(`{"resultType":"complete","n":%d,"contents":[]%s}`, n.Add(1), hint))
		case "tools/list":
			p.reply(m, fmt.Sprintf(`{"tools":[{"name":"t%d"}]%s}`, n.Add(1), hint))
		case "resources/list":
			p.reply(m, `{"resources":[]}`)
		case "resources/templates/list":
			p.reply(m, `{"resourceTemplates":[]}`)
		}
	}
}

func (b *bench) read(uri string) Call {
	b.t.Helper()
	return b.ended(b.call(CallRequest{Kind: CallResource, Name: uri}))
}

const minute = `,"ttlMs":60000,"cacheScope":"private"`

func TestAResourceIsKeptForAsLongAsTheServerSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := connected(t, library(minute))
		came := time.Now()
		one := b.read("a:1")
		time.Sleep(time.Minute - 1)
		two := b.read("a:1")
		if string(two.Result) != string(one.Result) || !two.Kept.Equal(came) || two.State != CallDone || !one.Kept.IsZero() {
			t.Errorf("within its time: %s, kept %v, first kept %v", two.Result, two.Kept, one.Kept)
		}
		time.Sleep(time.Nanosecond)
		if three := b.read("a:1"); string(three.Result) == string(one.Result) || !three.Kept.IsZero() {
			t.Errorf("after its time: %s", three.Result)
		}
		if n := len(b.peer().requests("resources/read")); n != 2 {
			t.Errorf("the server was asked %d times", n)
		}
	})
}

func TestAnotherResourceOrAFreshReadIsAskedFor(t *testing.T) {
	b := connected(t, library(minute))
	b.read("a:1")
	if c := b.read("a:2"); !c.Kept.IsZero() {
		t.Error("another resource was answered with the first")
	}
	if c := b.ended(b.call(CallRequest{Kind: CallResource, Name: "a:1", Fresh: true})); !c.Kept.IsZero() {
		t.Error("a fresh read was answered from what was kept")
	}
}

func TestOnlyAResultThatMayBeKeptIsKept(t *testing.T) {
	for _, hint := range []string{
		``, `,"ttlMs":60000`, `,"cacheScope":"private"`, `,"ttlMs":0,"cacheScope":"public"`, `,"ttlMs":-5,"cacheScope":"public"`,
		`,"ttlMs":"60000","cacheScope":"public"`, `,"ttlMs":null,"cacheScope":"public"`, `,"ttlMs":60000,"cacheScope":"shared"`,
	} {
		b := connected(t, library(hint))
		b.read("a:1")
		if c := b.read("a:1"); !c.Kept.IsZero() {
			t.Errorf("%s: was kept", hint)
		}
	}
	for _, hint := range []string{`,"ttlMs":6e4,"cacheScope":"public"`, `,"ttlMs":99999999999999999999999,"cacheScope":"public"`} {
		b := connected(t, library(hint))
		b.read("a:1")
		if c := b.read("a:1"); c.Kept.IsZero() {
			t.Errorf("%s: was not kept", hint)
		}
	}
}

func TestAResultThatAsksOrWasAnsweredIsNeverKept(t *testing.T) {
	b := connected(t, modern(func(p *peer, m wire.Message, params []rawjson.Member) {
		if rawjson.Get(params, "inputResponses") == nil {
			p.reply(m, strings.TrimSuffix(needs(`{"a":`+formAsk("a")+`}`, `"s"`), "}")+minute+"}")
			return
		}
		p.reply(m, `{"resultType":"complete","contents":[]`+minute+`}`)
	}))
	for range 2 {
		id := b.call(CallRequest{Kind: CallResource, Name: "a:1"})
		b.answer(b.question(), accepted(`{}`))
		if c := b.ended(id); c.State != CallDone || !c.Kept.IsZero() {
			t.Fatalf("%s, kept %v", c.State, c.Kept)
		}
	}
}

func TestALegacyServersResultsAreNotKept(t *testing.T) {
	b := connected(t, legacy(func(p *peer, m wire.Message) { p.reply(m, `{"contents":[]`+minute+`}`) }, nil))
	b.read("a:1")
	if c := b.read("a:1"); !c.Kept.IsZero() {
		t.Error("kept")
	}
}

func TestToolCallsAreNeverKept(t *testing.T) {
	b := connected(t, modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
		p.reply(m, `{"resultType":"complete","content":[]`+minute+`}`)
	}))
	b.ended(b.call(CallRequest{}))
	if c := b.ended(b.call(CallRequest{})); !c.Kept.IsZero() || len(b.peer().requests("tools/call")) != 2 {
		t.Error("a call of a tool was answered with the one before")
	}
}

func TestListsAreKeptPageByPageAndDroppedWhenTheyChange(t *testing.T) {
	b := connected(t, library(minute))
	tools := func() string {
		t.Helper()
		l, err := b.conn.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s", l.Tools)
	}
	one := tools()
	if two := tools(); two != one {
		t.Errorf("within its time: %s, then %s", one, two)
	}
	b.peer().say(wire.ID{}, `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`)
	if two := tools(); two != one {
		t.Error("a change of the prompts dropped the tools")
	}
	b.peer().say(wire.ID{}, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	changed := tools()
	if changed == one {
		t.Error("a change of the tools did not drop them")
	}
	if l, err := b.conn.Relist(t.Context()); err != nil || fmt.Sprintf("%s", l.Tools) == changed {
		t.Errorf("listing by the person's wish: %s, %v", l.Tools, err)
	}
}

func TestAChangeThatIsToldDropsWhatWasKeptOfAResource(t *testing.T) {
	b := connected(t, library(minute))
	b.read("a:1")
	b.read("a:2")
	b.peer().say(wire.ID{}, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1"}}`)
	if b.read("a:2").Kept.IsZero() || !b.read("a:1").Kept.IsZero() {
		t.Error("not the resource that changed was dropped")
	}
	b.conn.CredentialsChanged()
	if !b.read("a:2").Kept.IsZero() {
		t.Error("what was read under other credentials was shown")
	}
}

func TestAResultOnItsWayWhileItsLikesAreDroppedIsNotKept(t *testing.T) {
	var c cache
	now := time.Now()
	epoch := c.epoch()
	c.drop("resources/read")
	c.put(epoch, "resources/read", "a", []byte(`{"x":1`+minute+`}`), now)
	if _, found := c.get("resources/read", "a", now); found {
		t.Error("kept")
	}
}

func TestARefusedCursorOfAKeptPageStartsTheListAnew(t *testing.T) {
	restarts := 0
	b := connected(t, func(p *peer, m wire.Message) {
		params, _ := rawjson.Object(m.Params)
		switch m.Method {
		case "server/discover":
			p.reply(m, discovered)
		case "tools/list":
			switch cursor, second := rawjson.String(rawjson.Get(params, "cursor")); {
			case !second:
				restarts++
				p.reply(m, fmt.Sprintf(`{"tools":[{"name":"a%d"}],"nextCursor":"c%d"%s}`, restarts, restarts, minute))
			case len(p.requests("tools/list")) > 2 && cursor == "c1":
				p.refuse(m, `{"code":-32602,"message":"that cursor is gone"}`)
			default:
				p.reply(m, `{"tools":[{"name":"b"}],"ttlMs":0,"cacheScope":"public"}`)
			}
		}
	})
	for _, want := range []string{`[{"name":"a1"} {"name":"b"}]`, `[{"name":"a2"} {"name":"b"}]`} {
		l, err := b.conn.List(t.Context())
		if err != nil || fmt.Sprintf("%s", l.Tools) != want {
			t.Errorf("tools = %s, %v; want %s", l.Tools, err, want)
		}
	}
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	var c cache
	now := time.Now()
	big := []byte(`{"x":"` + strings.Repeat("x", maxKeptBytes/8) + `"` + minute + `}`)
	for i := range 16 {
		c.put(c.epoch(), "m", fmt.Sprint("big ", i), big, now)
	}
	if c.bytes > maxKeptBytes || len(c.m) == 0 {
		t.Errorf("%d bytes in %d results are kept", c.bytes, len(c.m))
	}
	c.clear()
	for i := range 2 * maxKept {
		c.put(c.epoch(), "m", fmt.Sprint(i), []byte(`{"x":1`+minute+`}`), now)
	}
	if len(c.m) != maxKept {
		t.Errorf("%d results are kept", len(c.m))
	}
	later := now.Add(time.Hour)
	c.put(c.epoch(), "m", "later", []byte(`{"x":1`+minute+`}`), later)
	if _, found := c.get("m", "later", later); !found || len(c.m) != 1 {
		t.Errorf("what is over keeps its place: %d results", len(c.m))
	}
	c.clear()
	if c.bytes != 0 {
		t.Errorf("%d bytes are counted in an empty one", c.bytes)
	}
}
