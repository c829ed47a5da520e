package mcpclient

import (
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/forms/rawjson"
	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

const tellsOfTools = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"listChanged":true}}}`

// teller is a modern server that tells of changes; its streams go to listen.
func teller(listen func(p *peer, m wire.Message)) func(*peer, wire.Message) {
	return func(p *peer, m wire.Message) {
		switch m.Method {
		case "server/discover":
			p.reply(m, tellsOfTools)
		case "subscriptions/listen":
			listen(p, m)
		}
	}
}

func TestChangesAreListenedForWhereTheServerTellsOfThem(t *testing.T) {
	opened := make(chan wire.Message, 1)
	b := connected(t, teller(func(p *peer, m wire.Message) { opened <- m }))
	m := <-opened
	params, _ := rawjson.Object(m.Params)
	if got := string(rawjson.Get(params, "notifications")); got != `{"toolsListChanged":true,"resourcesListChanged":true}` {
		t.Errorf("asked for %s", got)
	}
	meta, _ := rawjson.Object(rawjson.Get(params, "_meta"))
	if got := string(rawjson.Get(meta, metaCapabilities)); got != string(capabilities) {
		t.Errorf("declares %s", got)
	}
	b.peer().say(m.ID, `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true}}}`)
	b.peer().say(m.ID, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":`+m.ID.String()+`}}}`)
	b.until(func(e Event) bool { return e.ListChanged })
}

func TestAServerThatTellsOfNothingIsNotListenedTo(t *testing.T) {
	for name, script := range map[string]func(*peer, wire.Message){
		"modern": modern(nil),
		"legacy": func(p *peer, m wire.Message) {
			if m.Method == "initialize" {
				p.reply(m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}}}`)
				return
			}
			legacy(nil, nil)(p, m)
		},
	} {
		b := connected(t, script)
		if b.conn.listenFilter() != nil {
			t.Errorf("a %s server is listened to", name)
		}
	}
}

func TestAStreamOfChangesMayBeSilentForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened atomic.Int32
		b := connected(t, teller(func(p *peer, m wire.Message) { opened.Add(1) }))
		time.Sleep(24 * time.Hour)
		if n := opened.Load(); n != 1 {
			t.Errorf("opened %d times", n)
		}
		if n := len(b.peer().requests("notifications/cancelled")); n != 0 {
			t.Error("it was given up")
		}
	})
}

func TestAStreamOfChangesThatDropsIsOpenedAgainWithGrowingPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := make(chan time.Time, 100)
		b := connected(t, teller(func(p *peer, m wire.Message) {
			at <- time.Now()
			p.fail(m, &http.ReplyError{Kind: http.ReplyInvalid, Err: errors.New("cut off")})
		}))
		b.notice("core.notice.listenlost")
		// What changed while nobody listened is asked for.
		b.until(func(e Event) bool { return e.ListChanged })
		b.notice("core.notice.listengone")
		close(at)
		var last time.Time
		var pauses []time.Duration
		for x := range at {
			if !last.IsZero() {
				pauses = append(pauses, x.Sub(last))
			}
			last = x
		}
		if len(pauses) != maxListens || pauses[0] != firstListen || pauses[1] != 2*firstListen || pauses[maxListens-1] != lastListen {
			t.Errorf("pauses %v", pauses)
		}
		if c := b.conn; c.isDone() {
			t.Error("the connection ended with its stream")
		}
	})
}

func TestAStreamThatLivedIsOpenedAgainForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened atomic.Int32
		b := connected(t, teller(func(p *peer, m wire.Message) {
			opened.Add(1)
			time.Sleep(steadyLife)
			p.reply(m, `{"resultType":"complete"}`) // ends it in order, as at a restart
		}))
		time.Sleep(time.Hour)
		if n := opened.Load(); n < 50 {
			t.Errorf("opened %d times in an hour", n)
		}
		b.hang(t)
		time.Sleep(2 * steadyLife) // the peer's last one
	})
}

func TestAServerWithoutThatMethodIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened atomic.Int32
		b := connected(t, teller(func(p *peer, m wire.Message) {
			opened.Add(1)
			p.refuse(m, `{"code":-32601,"message":"no such method"}`)
		}))
		b.notice("core.notice.nolisten")
		time.Sleep(time.Hour)
		if n := opened.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

func TestClosingEndsTheStreamOfChanges(t *testing.T) {
	opened := make(chan struct{})
	b := connected(t, teller(func(p *peer, m wire.Message) { close(opened) }))
	<-opened
	if err := b.conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	cancelled := b.peer().requests("notifications/cancelled")
	id, _ := json.Marshal(b.peer().requests("subscriptions/listen")[0].ID)
	if len(cancelled) != 1 || param(cancelled[0], "requestId") != string(id) {
		t.Errorf("cancelled: %v; want the stream's request", cancelled)
	}
}
