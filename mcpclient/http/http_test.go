package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

// answer is what a fake server does with one request. m is the message posted,
// zero for GET and DELETE.
type answer func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message)

// server is a fake server that notes what it is asked.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []asked
}

type asked struct {
	verb   string
	path   string
	header nethttp.Header
	body   string
}

func serve(t *testing.T, do answer) *server {
	t.Helper()
	wiretest.NoLeaks(t, "parley/mcpclient")
	s := &server{}
	s.Server = httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.asked = append(s.asked, asked{r.Method, r.URL.Path, r.Header.Clone(), string(body)})
		s.mu.Unlock()
		m, _ := wire.Decode(body)
		do(w, r, m)
	}))
	t.Cleanup(s.Close)
	return s
}

// log returns what was asked so far.
func (s *server) log() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]asked(nil), s.asked...)
}

// connect starts a Transport for the address, which is closed with the test.
func connect(t *testing.T, e Endpoint, o Options) (*Transport, *wiretest.Recorder) {
	t.Helper()
	tr, err := New(e, o)
	if err != nil {
		t.Fatal(err)
	}
	r := &wiretest.Recorder{}
	if err := tr.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(context.Background()); err != nil {
			t.Error(err)
		}
		r.End(t)
	})
	return tr, r
}

// send sends a request (id > 0), or a notification (id 0).
func send(t *testing.T, tr *Transport, id int64, method, params, protocol string) {
	t.Helper()
	m := wire.Message{Method: method}
	if params != "" {
		m.Params = []byte(params)
	}
	if id > 0 {
		m.ID = wire.NumberID(id)
	}
	if err := tr.Send(m, wire.SendOptions{Protocol: protocol, Modern: protocol == modern}); err != nil {
		t.Fatalf("Send %s: %v", method, err)
	}
}

// reply answers with a JSON body.
func reply(w nethttp.ResponseWriter, m wire.Message, result string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// stream begins an event stream; events are then written with say.
func stream(w nethttp.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(200)
	w.(nethttp.Flusher).Flush()
}

func say(w nethttp.ResponseWriter, format string, values ...any) {
	fmt.Fprintf(w, format, values...)
	w.(nethttp.Flusher).Flush()
}

// hold waits until the client has gone.
func hold(r *nethttp.Request) { <-r.Context().Done() }

func TestAModernRequestHasItsHeadersAndGetsItsReply(t *testing.T) {
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		reply(w, m, `{"z":9007199254740993,"a":1.0}`)
	})
	tr, rec := connect(t, Endpoint{URL: s.URL + "/mcp?x=1", Header: map[string]string{"X-Key": "k", "Mcp-Method": "forged", "Accept": "x"}}, Options{})
	send(t, tr, 1, "tools/call", `{"name":"名"}`, modern)
	got := rec.Next(t)
	if got.Message.ID != wire.NumberID(1) || got.Over != wire.NumberID(1) || string(got.Message.Result) != `{"z":9007199254740993,"a":1.0}` {
		t.Errorf("received %+v", got)
	}
	a := s.log()[0]
	want := map[string]string{
		"Accept": "application/json, text/event-stream", "Content-Type": "application/json",
		"Mcp-Method": "tools/call", "Mcp-Name": "=?base64?5ZCN?=", "Mcp-Protocol-Version": modern,
		"X-Key": "k", "Mcp-Session-Id": "", "Accept-Encoding": "identity", "Cookie": "",
	}
	for name, value := range want {
		if a.header.Get(name) != value {
			t.Errorf("header %s is %q, want %q", name, a.header.Get(name), value)
		}
	}
	if a.verb != "POST" || a.path != "/mcp" || a.body != `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"名"}}` {
		t.Errorf("sent %+v", a)
	}
}

func TestMessagesOnTheReplyStreamComeInOrderAndNameTheirRequest(t *testing.T) {
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		stream(w)
		say(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
		say(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/message\"}\n\n")
		say(w, "event: other\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"no\"}\n\n")
		say(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", m.ID)
		hold(r) // the client does not wait for the end of the stream
	})
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 3, "tools/call", `{}`, modern)
	for _, want := range []string{"notifications/progress", "notifications/message", ""} {
		if got := rec.Next(t); got.Message.Method != want || got.Over != wire.NumberID(3) {
			t.Errorf("received %+v, want the method %q over request 3", got, want)
		}
	}
}

// B53: a legacy server asks on the reply stream of a call, in any framing, and
// gets the answer in a POST with the session id.
func TestB53_AQuestionOnTheReplyStreamIsHeardAndAnswered(t *testing.T) {
	for name, framing := range map[string][]string{
		"plain":               {"event: message\ndata: QUESTION\n\n"},
		"in two TCP writes":   {"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"q\",", "\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\"}}\n\n"},
		"CRLF":                {"event: message\r\ndata: QUESTION\r\n\r\n"},
		"pings around it":     {": ping\n\n", ": ping\ndata: QUESTION\n: ping\n\n", ": ping\n\n"},
		"split at a line end": {"data: QUESTION\r", "\n\r", "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			answered := make(chan string, 1)
			s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
				switch {
				case m.Method == "initialize":
					w.Header().Set("Mcp-Session-Id", "s-1")
					reply(w, m, `{}`)
				case m.Method == "tools/call":
					stream(w)
					for _, piece := range framing {
						say(w, "%s", strings.ReplaceAll(piece, "QUESTION", `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m"}}`))
					}
					say(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"got\":%q}}\n\n", m.ID, <-answered)
				case m.Kind() == wire.Response:
					answered <- r.Header.Get("Mcp-Session-Id") + " " + r.Header.Get("Mcp-Protocol-Version") + " " + m.ID.String() + " " + string(m.Result)
					w.WriteHeader(202)
				}
			})
			tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
			send(t, tr, 1, "initialize", `{}`, "")
			rec.Next(t)
			send(t, tr, 2, "tools/call", `{}`, legacy)
			q := rec.Next(t)
			if q.Message.Method != "elicitation/create" || q.Over != wire.NumberID(2) {
				t.Fatalf("received %+v, want the question", q)
			}
			err := tr.Send(wire.Message{ID: q.Message.ID, Result: []byte(`{"action":"decline"}`)}, wire.SendOptions{Protocol: legacy})
			if err != nil {
				t.Fatal(err)
			}
			got := string(rec.Next(t).Message.Result)
			if want := fmt.Sprintf(`{"got":%q}`, `s-1 2025-11-25 "q" {"action":"decline"}`); got != want {
				t.Errorf("the server got %s, want %s", got, want)
			}
		})
	}
}

func TestParallelRequestsGetTheirOwnReplies(t *testing.T) {
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) { reply(w, m, string(m.Params)) })
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	const n = 100
	for id := int64(1); id <= n; id++ {
		send(t, tr, id, "m", fmt.Sprintf(`{"n":%d}`, id), modern)
	}
	for range n {
		got := rec.Next(t)
		if want := fmt.Sprintf(`{"n":%s}`, got.Over); string(got.Message.Result) != want || got.Message.ID != got.Over {
			t.Errorf("request %s got %s", got.Over, got.Message.Result)
		}
	}
}

func TestForgetClosesTheStreamAndSaysNothing(t *testing.T) {
	begun, ended := make(chan bool, 1), make(chan bool, 1)
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		if m.Method == "ping" {
			reply(w, m, `{}`)
			return
		}
		stream(w)
		begun <- true
		hold(r)
		ended <- true
	})
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 1, "tools/call", `{}`, modern)
	<-begun
	tr.Forget(wire.NumberID(1))
	tr.Forget(wire.NumberID(99))
	<-ended
	send(t, tr, 2, "ping", `{}`, modern)
	rec.Next(t)
	if _, failed, _, _ := rec.Rest(); len(failed) > 0 {
		t.Errorf("failed: %v", failed)
	}
	for _, a := range s.log() {
		if strings.Contains(a.body, "cancelled") {
			t.Error("the transport posted a cancellation")
		}
	}
}

func TestTheTapSeesRedactedTrafficAndNoHeaders(t *testing.T) {
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		stream(w)
		say(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"requestState\":\"canary\",\"x\":1}}\n\n", m.ID)
	})
	var mu sync.Mutex
	var seen []wire.Traffic
	tap := func(x wire.Traffic) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, x)
	}
	tr, rec := connect(t, Endpoint{URL: s.URL, Header: map[string]string{"X-Key": "canary"}}, Options{Tap: tap})
	send(t, tr, 1, "m", `{"inputResponses":{"a":"canary"}}`, modern)
	rec.Next(t)
	mu.Lock()
	defer mu.Unlock()
	if len(seen) != 2 || !seen[0].Outbound || seen[1].Outbound {
		t.Fatalf("the tap saw %+v", seen)
	}
	for _, x := range seen {
		if strings.Contains(string(x.Message), "canary") {
			t.Errorf("the tap saw %s", x.Message)
		}
	}
}

func TestWhatIsNotTakenIsTold(t *testing.T) {
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		w.WriteHeader(nethttp.StatusServiceUnavailable)
	})
	tr, _ := connect(t, Endpoint{URL: s.URL}, Options{})
	told := make(chan error, 1)
	err := tr.Send(wire.Message{ID: wire.StringID("q"), Result: []byte(`{}`)},
		wire.SendOptions{Protocol: legacy, Undelivered: func(err error) { told <- err }})
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := errors.AsType[*StatusError](<-told); !ok || e.Status != 503 {
		t.Errorf("told %v, want a StatusError of 503", e)
	}
}

// What follows notifications/initialized waits for the answer to it.
func TestNothingOvertakesInitialized(t *testing.T) {
	release, arrived := make(chan bool), make(chan bool, 1)
	var s *server
	s = serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		if m.Method == "notifications/initialized" {
			arrived <- true
			<-release
			w.WriteHeader(202)
			return
		}
		reply(w, m, fmt.Sprint(len(s.log())))
	})
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 0, "notifications/initialized", "", legacy)
	send(t, tr, 1, "tools/list", `{}`, legacy)
	<-arrived
	if n := len(s.log()); n != 1 {
		t.Errorf("%d requests before initialized was answered", n)
	}
	close(release)
	rec.Next(t)
}

func TestATransportIsUsedOnce(t *testing.T) {
	wiretest.NoLeaks(t, "parley/mcpclient")
	m := wire.Message{Method: "n"}
	tr, err := New(Endpoint{URL: "http://127.0.0.1:1/"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Send(m, wire.SendOptions{}); !errors.Is(err, wire.ErrClosed) {
		t.Errorf("Send before Start: %v", err)
	}
	tr.OpenStream()
	r := &wiretest.Recorder{}
	if err := tr.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := tr.Start(t.Context(), r); !errors.Is(err, wire.ErrClosed) {
		t.Errorf("second Start: %v", err)
	}
	if err := tr.Send(wire.Message{}, wire.SendOptions{}); err == nil {
		t.Error("a message of no kind was sent")
	}
	for range 2 {
		if err := tr.Close(t.Context()); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if err := tr.Send(m, wire.SendOptions{}); !errors.Is(err, wire.ErrClosed) {
		t.Errorf("Send after Close: %v", err)
	}
	tr.OpenStream()
	if _, _, _, closed := r.Rest(); closed != 1 {
		t.Errorf("Closed was called %d times", closed)
	}
	never, err := New(Endpoint{URL: "http://127.0.0.1:1/"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := never.Close(t.Context()); err != nil {
		t.Errorf("Close before Start: %v", err)
	}
	if err := never.Start(t.Context(), r); !errors.Is(err, wire.ErrClosed) {
		t.Errorf("Start after Close: %v", err)
	}
}

func TestTooManyMessagesUnderWayAreRefused(t *testing.T) {
	s := &scripted{do: func(_ int, r *nethttp.Request) *nethttp.Response { return holds(r.Context(), "") }}
	inBubble(t, s, func(t *testing.T, tr *Transport, rec *wiretest.Recorder) {
		for id := int64(1); id <= maxActive; id++ {
			send(t, tr, id, "m", "", modern)
		}
		err := tr.Send(wire.Message{Method: "n"}, wire.SendOptions{})
		if _, ok := errors.AsType[*wire.BacklogError](err); !ok {
			t.Errorf("Send: %v, want a BacklogError", err)
		}
	})
}

func TestHTTP2CarriesEverythingToo(t *testing.T) {
	wiretest.NoLeaks(t, "parley/mcpclient")
	gone := make(chan bool, 1)
	s := httptest.NewUnstartedServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		raw, _ := io.ReadAll(r.Body)
		m, _ := wire.Decode(raw)
		stream(w)
		if m.Method == "hang" {
			say(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"begun\"}\n\n")
			hold(r)
			gone <- true
			return
		}
		say(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%q}\n\n", m.ID, r.Proto)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{Client: s.Client().Transport})
	send(t, tr, 1, "m", "", modern)
	if got := rec.Next(t); string(got.Message.Result) != `"HTTP/2.0"` {
		t.Errorf("received %+v", got)
	}
	send(t, tr, 2, "hang", "", modern)
	rec.Next(t)
	tr.Forget(wire.NumberID(2))
	<-gone
}

// B55: Close comes to an end whatever the server does.
func TestB55_CloseIsBounded(t *testing.T) {
	held := make(chan bool, 10)
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		switch {
		case m.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", "s-1")
			reply(w, m, `{}`)
		default: // an open reply, an unanswered notification, a GET stream, DELETE
			if r.Method == "GET" {
				stream(w)
			}
			held <- true
			hold(r)
		}
	})
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 1, "initialize", `{}`, "")
	rec.Next(t)
	send(t, tr, 2, "tools/call", `{}`, legacy)
	send(t, tr, 0, "notifications/cancelled", `{}`, legacy)
	tr.OpenStream()
	for range 3 {
		<-held
	}
	if err := tr.Close(t.Context()); err != nil {
		t.Errorf("Close: %v", err)
	}
	log := s.log()
	if last := log[len(log)-1]; last.verb != "DELETE" || last.header.Get("Mcp-Session-Id") != "s-1" || last.header.Get("Mcp-Protocol-Version") != legacy {
		t.Errorf("the last request was %+v, want the DELETE of the session", last)
	}
	if err := rec.End(t); err != nil {
		t.Errorf("Closed told %v", err)
	}
}

func TestACloseThatMayNotWaitEndsAtOnce(t *testing.T) {
	held := make(chan bool, 1)
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		held <- true
		hold(r)
	})
	tr, _ := connect(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 0, "notifications/cancelled", `{}`, legacy)
	<-held
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tr.Close(ctx); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// sentences fails t for an error whose sentence is missing in a language.
func sentences(t *testing.T, err error) {
	t.Helper()
	for _, tag := range i18n.Languages {
		if s := i18n.New(tag).Text(wire.Sentence(err)); s == "" || strings.Contains(s, "client.transport.") || strings.Contains(s, "<no value>") {
			t.Errorf("%s: the sentence for %v is %q", tag, err, s)
		}
	}
}
