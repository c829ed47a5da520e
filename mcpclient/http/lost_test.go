package http

import (
	"context"
	"errors"
	"fmt"
	nethttp "net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// refuses answers with a status, a content type and a body.
func refuses(status int, kind, text string) answer {
	return func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}
}

// watcher is a Recorder that wants to know of lost sessions. It notes them
// among the failed requests, with the zero ID, so that the order shows.
type watcher struct{ *wiretest.Recorder }

func (w watcher) SessionLost(err error) { w.Failed(wire.ID{}, err) }

// connectWatcher is connect with a watcher.
func connectWatcher(t *testing.T, e Endpoint, o Options) (*Transport, watcher) {
	t.Helper()
	tr, err := New(e, o)
	if err != nil {
		t.Fatal(err)
	}
	w := watcher{&wiretest.Recorder{}}
	if err := tr.Start(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(context.Background()); err != nil {
			t.Error(err)
		}
		w.End(t)
	})
	return tr, w
}

// isLost fails t unless f says that a session was lost, for the request id.
func isLost(t *testing.T, f wiretest.Failure, id wire.ID) {
	t.Helper()
	if _, lost := errors.AsType[*SessionLostError](f.Err); !lost || f.ID != id {
		t.Errorf("%v failed with %v, want %v with the loss of the session", f.ID, f.Err, id)
	}
}

// restarting is a server that knows only the session it gave out last, and
// forgets that at restart.
type restarting struct {
	mu      sync.Mutex
	count   int
	session string
	broken  chan struct{} // closed at restart
	refuse  answer        // what it says to unknown sessions
}

func (s *restarting) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = ""
	close(s.broken)
}

func (s *restarting) answer(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
	s.mu.Lock()
	if m.Method == "initialize" {
		s.count++
		s.session = fmt.Sprint("session-", s.count)
		s.broken = make(chan struct{})
		w.Header().Set("Mcp-Session-Id", s.session)
	}
	known := s.session != "" && r.Header.Get("Mcp-Session-Id") == s.session
	broken := s.broken
	s.mu.Unlock()
	switch {
	case m.Method == "initialize":
		reply(w, m, `{}`)
	case !known:
		s.refuse(w, r, m)
	case r.Method == "GET":
		stream(w)
		say(w, "retry: 1\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"up\"}\n\n")
		select {
		case <-broken:
		case <-r.Context().Done():
		}
	case r.Method == "DELETE" || m.Kind() == wire.Notification:
		w.WriteHeader(202)
	default:
		reply(w, m, `{}`)
	}
}

// B63: a server that was restarted is noticed by whatever comes first, is told
// once, and can be greeted again on the same Transport, GET stream included.
func TestB63_ARestartedServerIsNoticedAndGreetedAgain(t *testing.T) {
	refusals := map[string]answer{
		"404":                            refuses(404, "", ""),
		"400 of the TypeScript examples": refuses(400, "application/json", `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`),
		"400 of the Python SDK":          refuses(400, "text/plain", "Bad Request: No valid session ID provided"),
	}
	for name, refuse := range refusals {
		t.Run("B63 "+name, func(t *testing.T) {
			old := &restarting{refuse: refuse}
			s := serve(t, old.answer)
			tr, w := connectWatcher(t, Endpoint{URL: s.URL}, Options{})
			begin := func() {
				send(t, tr, 1, "initialize", `{}`, "")
				if got := w.Next(t); got.Message.ID != wire.NumberID(1) {
					t.Fatalf("received %+v", got)
				}
				send(t, tr, 0, "notifications/initialized", "", legacy)
				send(t, tr, 9, "tools/list", `{}`, legacy) // goes out after that was answered
				w.Next(t)
			}
			openStream := func() {
				tr.OpenStream()
				if got := w.Next(t); got.Message.Method != "up" || !got.Over.IsZero() {
					t.Fatalf("received %+v", got)
				}
			}
			begin()
			openStream()
			old.restart() // the stream ends, is asked for again and refused
			isLost(t, w.NextFailed(t), wire.ID{})
			begin()
			openStream()
			send(t, tr, 2, "tools/call", `{}`, legacy)
			w.Next(t)
			old.restart()
			isLost(t, w.NextFailed(t), wire.ID{})
			begin() // and once more without a stream: a call finds it out
			old.restart()
			send(t, tr, 3, "tools/call", `{}`, legacy)
			isLost(t, w.NextFailed(t), wire.ID{})
			isLost(t, w.NextFailed(t), wire.NumberID(3))
			begin() // or an answer
			old.restart()
			told := make(chan error, 1)
			err := tr.Send(wire.Message{ID: wire.StringID("q"), Result: []byte(`{}`)},
				wire.SendOptions{Protocol: legacy, Undelivered: func(err error) { told <- err }})
			if err != nil {
				t.Fatal(err)
			}
			isLost(t, w.NextFailed(t), wire.ID{})
			isLost(t, wiretest.Failure{Err: <-told}, wire.ID{})
			calls := 0
			for _, a := range s.log() {
				if m, _ := wire.Decode([]byte(a.body)); m.Method == "tools/call" {
					calls++
				}
				if m, _ := wire.Decode([]byte(a.body)); m.Method == "initialize" && a.header.Get("Mcp-Session-Id") != "" {
					t.Error("initialize went with a session id")
				}
			}
			if calls != 2 {
				t.Errorf("%d calls were posted, want 2: none is repeated", calls)
			}
		})
	}
}

// B63: however many messages find it out, a loss is told once.
func TestB63_ALossIsToldOnce(t *testing.T) {
	const calls = 20
	var arrived sync.WaitGroup
	arrived.Add(calls)
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		switch {
		case m.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", "s-1")
			reply(w, m, `{}`)
		case m.Method == "tools/call":
			arrived.Done()
			arrived.Wait()
			w.WriteHeader(404)
		}
	})
	tr, w := connectWatcher(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 1, "initialize", `{}`, "")
	w.Next(t)
	for id := range int64(calls) {
		send(t, tr, 10+id, "tools/call", `{}`, legacy)
	}
	told := 0
	for range calls + 1 {
		f := w.NextFailed(t)
		if _, lost := errors.AsType[*SessionLostError](f.Err); !lost {
			t.Errorf("%v failed with %v", f.ID, f.Err)
		}
		if f.ID.IsZero() {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times, want once", told)
	}
}

// A 400 tells of a lost session only if it says so, to a message that carried
// one.
func TestB63_Only400sThatSpeakOfTheSessionTellOfItsLoss(t *testing.T) {
	rpc := func(code int, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, text)
	}
	const kind, text = "application/json", "text/plain"
	tests := []struct {
		name string
		do   answer
		lost bool
	}{
		{"TypeScript examples", refuses(400, kind, rpc(-32000, "Bad Request: No valid session ID provided")), true},
		{"TypeScript transport", refuses(400, "", rpc(-32000, "Bad Request: Server not initialized")), true},
		{"with the other code", refuses(400, kind, rpc(-32001, "Session not found")), true},
		{"Python SDK", refuses(400, text, "Bad Request: No valid session ID provided"), true},
		{"TypeScript examples, GET", refuses(400, text, "Invalid or missing session ID"), true},
		{"the header did not get there", refuses(400, kind, rpc(-32000, "Bad Request: Mcp-Session-Id header is required")), false},
		{"another code", refuses(400, kind, rpc(-32602, "no such session parameter")), false},
		{"another text", refuses(400, kind, rpc(-32000, "Bad Request: Unsupported protocol version")), false},
		{"another status", refuses(500, kind, rpc(-32000, "Server not initialized")), false},
		{"403", refuses(403, text, "session expired"), false},
		{"a page", refuses(400, "text/html", "<html>session"), false},
		{"a long text", refuses(400, text, "Traceback, most recent call last:\n  in handle(session)\n  in call_tool(session, name)\n  KeyError: x, sessions: 5"), false},
		{"nothing", refuses(400, "", ""), false},
	}
	for _, test := range tests {
		for _, withSession := range []bool{true, false} {
			t.Run(fmt.Sprintf("B63 %s, session: %v", test.name, withSession), func(t *testing.T) {
				s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
					if m.Method == "initialize" && withSession {
						w.Header().Set("Mcp-Session-Id", "s-1")
						reply(w, m, `{}`)
						return
					}
					test.do(w, r, m)
				})
				tr, w := connectWatcher(t, Endpoint{URL: s.URL}, Options{})
				send(t, tr, 1, "initialize", `{}`, "")
				if withSession {
					w.Next(t)
					send(t, tr, 2, "tools/call", `{}`, legacy)
				}
				f := w.NextFailed(t)
				if want := test.lost && withSession; f.ID.IsZero() != want {
					t.Errorf("%v failed with %v; lost: %v, want %v", f.ID, f.Err, f.ID.IsZero(), want)
				} else if want {
					f = w.NextFailed(t)
				}
				sentences(t, f.Err)
			})
		}
	}
}

// A GET that is refused tells of a lost session only when the stream was open
// before, or in so many words: many servers answer 404 to every GET.
func TestB62_AGetThatNeverWorkedTellsOfNoLoss(t *testing.T) {
	unknown := &nethttp.Response{StatusCode: 404, Header: nethttp.Header{"Content-Type": {"text/html"}}, Body: nethttp.NoBody}
	for name, test := range map[string]struct {
		first *nethttp.Response
		lost  bool
	}{
		"never opened": {nil, false}, "opened once": {says(": ping\n\n"), true},
	} {
		t.Run("B62 "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{do: func(n int, r *nethttp.Request) *nethttp.Response {
					switch {
					case r.Method == "POST":
						resp := says("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
						resp.Header.Set("Mcp-Session-Id", "s-1")
						return resp
					case r.Method == "GET" && n == 1 && test.first != nil:
						return test.first
					}
					return unknown
				}}
				tr, err := New(Endpoint{URL: "http://server.example/mcp"}, Options{Client: s})
				if err != nil {
					t.Fatal(err)
				}
				w := watcher{&wiretest.Recorder{}}
				if err := tr.Start(t.Context(), w); err != nil {
					t.Fatal(err)
				}
				send(t, tr, 1, "initialize", `{}`, "")
				w.Next(t)
				tr.OpenStream()
				select {
				case <-time.After(time.Hour):
				case <-t.Context().Done():
				}
				synctest.Wait()
				_, failed, _, _ := w.Rest()
				if (len(failed) == 1) != test.lost || len(failed) > 1 {
					t.Errorf("told %v, want a lost session: %v", failed, test.lost)
				}
				if err := tr.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
