package mcpclient

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/http"
	"parley/mcpclient/stdio"
	"parley/mcpclient/wire"
)

// revived is a connected bench whose client revives.
func revived(t *testing.T, script func(*peer, wire.Message)) *bench {
	t.Helper()
	b := newBenchWith(t, Options{Revive: true}, script)
	b.conn = b.reconnect(t, testServer)
	b.status(Connected)
	return b
}

func TestAConnectionThatEndsIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := revived(t, sequence(doneResult, doneResult))
		died := time.Now()
		b.peer().end(errBroken)
		s := b.status(Reconnecting)
		if s.Failure == nil || s.Attempt != 1 || s.Attempts != maxRevivals || !s.Next.Equal(died.Add(firstRevival)) {
			t.Errorf("told %+v", s)
		}
		b.status(Connected)
		if spent := time.Since(died); spent != firstRevival {
			t.Errorf("made again after %v", spent)
		}
		b.conn = b.client.Connection(testServer.ID)
		if c := b.ended(b.call(CallRequest{})); c.State != CallDone {
			t.Errorf("a call over it is %s", c.State)
		}
	})
}

func TestRepeatedDeathsArePausedLongerAndThenEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := revived(t, sequence(doneResult))
		var pauses []time.Duration
		for range maxRevivals {
			died := time.Now()
			b.peer().end(errBroken)
			b.status(Connected)
			pauses = append(pauses, time.Since(died))
		}
		for i := range pauses[1:] {
			if pauses[i+1] != 2*pauses[i] {
				t.Errorf("pauses %v, want each twice the one before", pauses)
			}
		}
		b.peer().end(errBroken)
		if s := b.status(Lost); s.Attempts != maxRevivals || s.Failure == nil {
			t.Errorf("told %+v", s)
		}
		dialled := b.dialled()
		time.Sleep(time.Hour)
		if b.dialled() != dialled {
			t.Error("it was made again after the last")
		}
		b.reconnect(t, testServer) // the person may
	})
}

func TestAConnectionThatHeldHasACleanSlate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := revived(t, sequence(doneResult))
		for range 3 * maxRevivals {
			time.Sleep(steadyLife)
			b.peer().end(errBroken)
			if s := b.status(Reconnecting); s.Attempt != 1 {
				t.Fatalf("attempt %d", s.Attempt)
			}
			b.status(Connected)
		}
	})
}

func TestAttemptsThatFailAreRepeatedUnlessTheyCannotSucceed(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		final bool
	}{
		"nobody answers":         {&http.NetworkError{Kind: http.NetworkBroken, Err: errors.New("refused")}, false},
		"the server is busy":     {&http.StatusError{Status: 503}, false},
		"a sign-in is wanted":    {&http.StatusError{Status: 401}, true},
		"it is forbidden":        {&http.StatusError{Status: 403}, true},
		"the program is removed": {&stdio.StartError{Kind: stdio.NotFound, Program: "x"}, true},
		"it is another file":     {&stdio.StartError{Kind: stdio.OtherFile, Program: "x", Allowed: "/a/x", Found: "/b/x"}, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			var down atomic.Bool
			b := revived(t, func(p *peer, m wire.Message) {
				if down.Load() {
					p.fail(m, c.err)
					return
				}
				modern(nil)(p, m)
			})
			down.Store(true)
			b.peer().end(errBroken)
			s := b.status(Lost)
			want := maxRevivals
			if c.final {
				want = 0
			}
			if s.Attempts != want || s.Failure == nil {
				t.Errorf("%s: told %+v", name, s)
			}
			if tried := b.dialled() - 1; c.final && tried != 1 || !c.final && tried != maxRevivals {
				t.Errorf("%s: %d attempts", name, tried)
			}
		})
	}
}

// TestConnectionsThatEndTogetherAreMadeAgainAFewAtATime, as when the network was
// lost; the others wait for their turn, but for the one the person connects to.
func TestConnectionsThatEndTogetherAreMadeAgainAFewAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const servers = 3 * MaxAtOnce
		var slow atomic.Bool
		answer := make(chan struct{})
		b := newBenchWith(t, Options{Revive: true}, func(p *peer, m wire.Message) {
			if slow.Load() && m.Method == "server/discover" {
				<-answer
			}
			modern(nil)(p, m)
		})
		server := func(n int) Server {
			s := testServer
			s.ID = strconv.Itoa(n)
			return s
		}
		for n := range servers {
			b.reconnect(t, server(n))
		}
		slow.Store(true)
		for n := range servers {
			b.peers[n].end(errBroken)
		}
		dialled := func(want int, why string) {
			t.Helper()
			synctest.Wait()
			if got := b.dialled() - servers; got != want {
				t.Fatalf("%d are dialled %s, want %d", got, why, want)
			}
		}
		time.Sleep(firstRevival)
		dialled(MaxAtOnce, "after the pause")

		var waits []string
		last := map[string]Status{}
		for len(b.events) > 0 {
			if e := <-b.events; e.Connection != nil {
				last[e.ServerID] = *e.Connection
			}
		}
		for n := range servers {
			id := server(n).ID
			s := last[id]
			if s.State == Connecting {
				continue
			}
			waits = append(waits, id)
			if s.State != Reconnecting || !s.Queued || s.Attempt != 1 || s.Failure == nil {
				t.Errorf("of server %s, which waits for its turn, is told %+v", id, s)
			}
		}
		if err := b.client.Disconnect(t.Context(), waits[0]); err != nil {
			t.Fatal(err)
		}
		wanted := testServer
		wanted.ID = waits[1]
		var person sync.WaitGroup
		person.Go(func() { b.reconnect(t, wanted) })
		dialled(MaxAtOnce+1, "once the person wants one that waits")
		for n := range servers - 1 { // each that ends lets one more come
			answer <- struct{}{}
			synctest.Wait()
			if under := b.dialled() - servers - n - 1; under > MaxAtOnce+1 {
				t.Fatalf("%d are connected to at a time", under)
			}
		}
		person.Wait()
		dialled(servers-1, "in the end: each once, but the one that was given up")
		for n := range servers {
			id := server(n).ID
			if there := b.client.Connection(id) != nil; there == (id == waits[0]) {
				t.Errorf("server %s is connected: %v", id, there)
			}
		}
	})
}

// TestARevivalThatWaitsForAPersonHoldsUpNoOther: signing in may take them the
// whole day.
func TestARevivalThatWaitsForAPersonHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Bool
		signedIn := make(chan struct{})
		b := newBenchWith(t, Options{Revive: true}, func(p *peer, m wire.Message) {
			if ended.Load() && m.Method == "server/discover" {
				w := p.h.(wire.HoldWatcher)
				w.Held(m.ID, true)
				<-signedIn
				w.Held(m.ID, false)
			}
			modern(nil)(p, m)
		})
		const servers = 2*MaxAtOnce + 1
		for n := range servers {
			s := testServer
			s.ID = strconv.Itoa(n)
			b.reconnect(t, s)
		}
		ended.Store(true)
		for n := range servers {
			b.peers[n].end(errBroken)
		}
		time.Sleep(firstRevival)
		synctest.Wait()
		if got := b.dialled() - servers; got != servers {
			t.Errorf("%d of %d are dialled while all wait for the person", got, servers)
		}
		close(signedIn)
		synctest.Wait()
		for n := range servers {
			if b.client.Connection(strconv.Itoa(n)) == nil {
				t.Errorf("server %d is not connected", n)
			}
		}
	})
}

func TestThePersonIsFasterThanTheNextAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := revived(t, sequence(doneResult))
		b.peer().end(errBroken)
		b.status(Reconnecting)
		at := time.Now()
		b.reconnect(t, testServer)
		if time.Since(at) != 0 || b.dialled() != 2 {
			t.Errorf("connected after %v by %d attempts", time.Since(at), b.dialled())
		}
		time.Sleep(time.Hour)
		if b.dialled() != 2 {
			t.Error("the revival went on beside the person's connection")
		}
	})
}

func TestDisconnectStopsARevival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := revived(t, sequence(doneResult))
		b.peer().end(errBroken)
		b.status(Reconnecting)
		if err := b.client.Disconnect(t.Context(), testServer.ID); err != nil {
			t.Fatal(err)
		}
		b.status(Closed)
		time.Sleep(time.Hour)
		if b.dialled() != 1 {
			t.Error("it was made again all the same")
		}
	})
}

func TestAClosedClientRevivesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := revived(t, sequence(doneResult))
		b.peer().end(errBroken)
		b.status(Reconnecting)
		if err := b.client.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if b.dialled() != 1 {
			t.Error("it was made again all the same")
		}
	})
}

func TestWithoutReviveAnEndIsTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := connected(t, sequence(doneResult))
		b.peer().end(errBroken)
		if s := b.status(Lost); s.Attempts != 0 {
			t.Errorf("told %+v", s)
		}
		time.Sleep(time.Hour)
		if b.dialled() != 1 {
			t.Error("it was made again all the same")
		}
	})
}

func TestTwoWhoConnectAtOnceGetOneConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, testServer, func(p *peer, m wire.Message) {
			time.Sleep(time.Second)
			modern(nil)(p, m)
		})
		got := make(chan *Connection, 2)
		for range 2 {
			go func() {
				k, err := b.client.Connect(t.Context(), testServer)
				if err != nil {
					t.Error(err)
				}
				got <- k
			}()
		}
		one, two := <-got, <-got
		if one != two || b.dialled() != 1 {
			t.Errorf("%d connections", b.dialled())
		}
	})
}
