package mcpclient

import (
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/wire"

	mcphttp "parley/mcpclient/http"
)

// A server over HTTP that went away is found out by what does not get through,
// and its return by what does: the connection stands, and its status says so.
func TestAServerThatIsNotReachedIsToldOnceAndWhenItIsBack(t *testing.T) {
	var down atomic.Bool
	s, _ := httpServer(t, func(w http.ResponseWriter, m posted) {
		switch {
		case down.Load():
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			c.Close()
		case m.Method == "server/discover":
			give(w, m, 200, `"result":`+discovered)
		case m.Method == "tools/list":
			give(w, m, 200, `"result":{"resultType":"complete","tools":[]}`)
		}
	})
	b, err := overHTTP(t, s)
	if err != nil {
		t.Fatal(err)
	}
	if st := b.status(Connected); st.Failure != nil {
		t.Fatalf("connected with %v", st.Failure)
	}
	down.Store(true)
	for range 3 {
		if _, err := b.conn.Relist(t.Context()); err == nil {
			t.Fatal("a server that is down was listed")
		}
	}
	st := b.status(Connected)
	if st.Failure == nil || st.Failure.Kind != FailLost || st.Info == nil {
		t.Errorf("told %+v", st)
	}
	down.Store(false)
	if _, err := b.conn.Relist(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Told once, so the next one is that it is back.
	if st := b.status(Connected); st.Failure != nil {
		t.Errorf("told %v", st.Failure)
	}
	b.until(func(e Event) bool { return e.ListChanged })
	if b.client.Connection(s.ID) != b.conn {
		t.Error("the connection was ended")
	}
}

// What is not the state of a standing connection is not told as one.
func TestReachIsOnlyToldOfAConnectionThatStands(t *testing.T) {
	r := &restarted{}
	b := connected(t, r.script)
	b.status(Connected)
	if err := b.conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.status(Closed)
	b.conn.Unreached(errBroken)
	b.conn.Reached()
	for len(b.events) > 0 {
		if e := <-b.events; e.Connection != nil {
			t.Errorf("told %s after the end", e.Connection.State)
		}
	}
}

// A stream of changes is asked for until the server is back, however long it is
// away: that is how its return is noticed.
func TestAServerThatIsNotReachedIsListenedForUntilItIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		down.Store(true)
		b := connected(t, teller(func(p *peer, m wire.Message) {
			if down.Load() {
				p.fail(m, &mcphttp.NetworkError{Kind: mcphttp.NetworkRefused, Host: "h"})
				return
			}
			p.say(m.ID, `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{}}}`)
		}))
		time.Sleep(time.Hour) // the fake clock of the bubble
		down.Store(false)
		time.Sleep(2 * lastListen)
		n := len(b.peer().requests("subscriptions/listen"))
		if n < 30 {
			t.Errorf("asked %d times in an hour", n)
		}
		for len(b.events) > 0 {
			if e := <-b.events; e.Notice != nil || e.ListChanged {
				t.Errorf("told %+v", e)
			}
		}
	})
}
