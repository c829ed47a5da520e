package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// connectSSE is connect for the legacy SSE transport.
func connectSSE(t *testing.T, e Endpoint, o Options) (*Transport, *wiretest.Recorder) {
	t.Helper()
	tr, err := NewSSE(e, o)
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

func TestALegacySSEServerAnswersOnItsStream(t *testing.T) {
	for name, endpoint := range map[string]string{
		"a path": "/messages?s=1", "a relative path": "messages?s=1", "a whole address": "ORIGIN/messages?s=1#x",
	} {
		t.Run(name, func(t *testing.T) {
			posted := make(chan wire.Message, 10)
			s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
				switch {
				case r.Method == "POST" && r.URL.RequestURI() == "/messages?s=1":
					w.WriteHeader(202)
					fmt.Fprint(w, "Accepted")
					posted <- m
				case r.Method == "GET" && r.URL.Path == "/sse":
					stream(w)
					say(w, ": ping\n\nevent: endpoint\ndata: %s\n\n", strings.ReplaceAll(endpoint, "ORIGIN", "http://"+r.Host))
					say(w, "event: endpoint\ndata: /elsewhere\n\nevent: message\ndata: rubbish\n\n")
					for r.Context().Err() == nil {
						select {
						case m := <-posted:
							say(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", m.ID)
						case <-r.Context().Done():
						}
					}
				default:
					w.WriteHeader(404)
				}
			})
			tr, rec := connectSSE(t, Endpoint{URL: s.URL + "/sse", Header: map[string]string{"X-Key": "k"}}, Options{})
			tr.OpenStream()
			for id := int64(1); id <= 3; id++ {
				send(t, tr, id, "ping", "", "2024-11-05")
				if got := rec.Next(t); got.Message.ID != wire.NumberID(id) || !got.Over.IsZero() {
					t.Errorf("received %+v", got)
				}
			}
			rec.NextNotice(t, wire.NoticeStray)
			for _, a := range s.log() {
				if a.header.Get("X-Key") != "k" {
					t.Errorf("%s went without the person's header", a.verb)
				}
			}
			if err := tr.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if err := rec.End(t); err != nil {
				t.Errorf("Closed told %v after Close", err)
			}
		})
	}
}

func TestALegacySSEMessageThatIsRefusedFails(t *testing.T) {
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		if r.Method == "POST" {
			w.WriteHeader(400)
			return
		}
		stream(w)
		say(w, "event: endpoint\ndata: /m\n\n")
		hold(r)
	})
	tr, rec := connectSSE(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 1, "ping", "", "2024-11-05")
	if e, ok := errors.AsType[*StatusError](rec.NextFailed(t).Err); !ok || e.Status != 400 {
		t.Errorf("failed with %v", e)
	}
}

// The connection ends with its stream, and says why.
func TestALegacySSEConnectionEndsWithItsStream(t *testing.T) {
	tests := []struct {
		name string
		do   answer
		want error
	}{
		{"the stream ends", lines("event: endpoint\ndata: /m\n\n"), &StreamLostError{Err: io.EOF}},
		{"before the endpoint", lines(": ping\n\n"), &StreamLostError{Err: io.EOF}},
		{"another origin", lines("event: endpoint\ndata: http://localhost:1/m?canary=1\n\n"), &EndpointError{Kind: EndpointElsewhere, To: "http://localhost:1"}},
		{"no address", lines("event: endpoint\ndata: javascript:alert(1)\n\n"), &EndpointError{Kind: EndpointInvalid}},
		{"no URL", lines("event: endpoint\ndata: http://[\n\n"), &EndpointError{Kind: EndpointInvalid}},
		{"405", body(405, "", ""), &StatusError{Status: 405}},
		{"a page", body(200, "text/html", "<html>"), &StatusError{Status: 200, ContentType: "text/html", HTML: true}},
		{"JSON", body(200, "application/json", "{}"), &StatusError{Status: 200, ContentType: "application/json", Text: "{}"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, test.do)
			tr, rec := connectSSE(t, Endpoint{URL: s.URL}, Options{})
			err := rec.End(t)
			if fmt.Sprintf("%T %v", err, err) != fmt.Sprintf("%T %v", test.want, test.want) {
				t.Errorf("ended with %#v, want %#v", err, test.want)
			}
			sentences(t, err)
			if err := tr.Send(wire.Message{Method: "n"}, wire.SendOptions{}); !errors.Is(err, wire.ErrClosed) {
				t.Errorf("Send after the end: %v", err)
			}
		})
	}
}

// B67: a stream that never names an endpoint is given up in time.
func TestB67_AnEndpointThatNeverComesIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		s := &scripted{do: func(n int, r *nethttp.Request) *nethttp.Response { return holds(r.Context(), ": ping\n\n") }}
		tr, err := NewSSE(Endpoint{URL: "http://server.example/sse"}, Options{Client: s})
		if err != nil {
			t.Fatal(err)
		}
		rec := &wiretest.Recorder{Patience: time.Hour}
		if err := tr.Start(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		send(t, tr, 1, "initialize", `{}`, "")
		e, ok := errors.AsType[*EndpointError](rec.End(t))
		if !ok || e.Kind != EndpointMissing || time.Since(begun) != endpointLimit {
			t.Errorf("ended with %v after %v", e, time.Since(begun))
		}
		sentences(t, e)
		if err := tr.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// On the one stream of all replies a reply that is spoilt fails the request
// that it answers, and no other: nobody waits for what will not come.
func TestALegacySSEReplyThatIsSpoiltFailsItsRequest(t *testing.T) {
	const limit = 100_000
	big := strings.Repeat("x", limit)
	tests := []struct {
		name, event string
		want        error
	}{
		{"both result and error", `data: {"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"m"}}`, &ReplyError{Kind: ReplyInvalid}},
		{"broken off", `data: {"jsonrpc":"2.0","id":7,"result":{"a":`, &ReplyError{Kind: ReplyInvalid}},
		{"nested without end", `data: {"jsonrpc":"2.0","id":7,"result":` + strings.Repeat("[", 50_000), &ReplyError{Kind: ReplyInvalid}},
		{"too large, its id first", `data: {"jsonrpc":"2.0","id":7,"result":"` + big + `"}`, &wire.TooLargeError{Limit: limit}},
		{"too large, its id last", `data: {"result":"` + big + `","jsonrpc":"2.0","id":7}`, &wire.TooLargeError{Limit: limit}},
		{"too large, in several lines", "id: 1\ndata: {\"result\":\ndata: \"" + big + "\",\n: id\ndata: \"jsonrpc\":\"2.0\",\ndata: \"id\":7}", &wire.TooLargeError{Limit: limit}},
		{"too large in many short lines", "data: {\"result\":[\n" + strings.Repeat("data: 1,\n", limit) + "data: 1],\"id\":7}", &wire.TooLargeError{Limit: limit}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			posted := make(chan wire.Message, 10)
			s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
				if r.Method == "POST" {
					w.WriteHeader(202)
					posted <- m
					return
				}
				stream(w)
				say(w, "event: endpoint\ndata: /m\n\n")
				for r.Context().Err() == nil {
					select {
					case m := <-posted:
						if m.ID == wire.NumberID(7) {
							say(w, "%s\n\n", test.event)
							continue
						}
						say(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", m.ID)
					case <-r.Context().Done():
					}
				}
			})
			tr, rec := connectSSE(t, Endpoint{URL: s.URL}, Options{MaxMessage: limit})
			send(t, tr, 7, "tools/call", "", "2024-11-05")
			f := rec.NextFailed(t)
			want, _ := errors.AsType[*ReplyError](test.want)
			got, _ := errors.AsType[*ReplyError](f.Err)
			switch {
			case f.ID != wire.NumberID(7), want == nil && fmt.Sprint(f.Err) != fmt.Sprint(test.want),
				want != nil && (got == nil || got.Kind != want.Kind):
				t.Errorf("request %s failed with %v, want %v", f.ID, f.Err, test.want)
			}
			send(t, tr, 8, "ping", "", "2024-11-05")
			if got := rec.Next(t); got.Message.ID != wire.NumberID(8) {
				t.Errorf("received %+v", got)
			}
			if _, _, noticed, _ := rec.Rest(); want == nil && len(noticed) > 0 {
				t.Errorf("it is told a second time: %q", noticed[0].Text)
			}
		})
	}
}

// signingIn is how long a person takes.
const signingIn = 3 * time.Hour

// slowKeeper is an Authorizer with a person who takes their time.
type slowKeeper struct{ keeper }

func (k *slowKeeper) Challenge(ctx context.Context, c wire.Challenge) error {
	time.Sleep(signingIn) // the clock of the bubble
	k.next = []string{"Bearer good"}
	return k.keeper.Challenge(ctx, c)
}

// heldUp is a Handler that counts how often it is told of what is held up.
type heldUp struct {
	*wiretest.Recorder
	mu          sync.Mutex
	open, times int
}

func (h *heldUp) Held(_ wire.ID, held bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if held {
		h.open++
		h.times++
	} else {
		h.open--
	}
}

// Whoever signs in takes longer than a server may take to name its endpoint.
func TestALegacySSEServerIsNotGivenUpWhileSomebodySignsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{do: func(n int, r *nethttp.Request) *nethttp.Response {
			if r.Header.Get("Authorization") == "" {
				return status(401)
			}
			return holds(r.Context(), ": ping\n\n")
		}}
		held := &heldUp{Recorder: &wiretest.Recorder{Patience: 2 * signingIn}}
		tr, err := NewSSE(Endpoint{URL: "http://server.example/sse"}, Options{Client: s, Authorizer: &slowKeeper{}})
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if err := tr.Start(t.Context(), held); err != nil {
			t.Fatal(err)
		}
		e, ok := errors.AsType[*EndpointError](held.End(t))
		if want := signingIn + endpointLimit; !ok || e.Kind != EndpointMissing || time.Since(begun) != want {
			t.Errorf("ended with %v after %v, want it %v after the sign-in", e, time.Since(begun), endpointLimit)
		}
		if held.open != 0 || held.times == 0 {
			t.Errorf("told %d times of being held up, of which %d did not end", held.times, held.open)
		}
		if err := tr.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
