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

// scripted is a server without a network, for tests in a bubble of made-up
// time. It notes when it was asked for a stream.
type scripted struct {
	do    func(n int, r *nethttp.Request) *nethttp.Response // n counts the GETs from 1
	mu    sync.Mutex
	begun time.Time
	gets  []string // "after 1s from id"
}

func (s *scripted) RoundTrip(r *nethttp.Request) (*nethttp.Response, error) {
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
	}
	s.mu.Lock()
	if r.Method == "GET" {
		s.gets = append(s.gets, fmt.Sprintf("%v %s", time.Since(s.begun), r.Header.Get("Last-Event-ID")))
	}
	n := len(s.gets)
	s.mu.Unlock()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	resp := s.do(n, r)
	if resp == nil {
		return nil, errors.New("network down")
	}
	return resp, nil
}

func (s *scripted) log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.gets, "; ")
}

// says is an event stream that ends after text.
func says(text string) *nethttp.Response {
	return &nethttp.Response{
		StatusCode: 200, Header: nethttp.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(strings.NewReader(text)), ContentLength: -1,
	}
}

// holds is an event stream that stays open after text until the client goes.
func holds(ctx context.Context, text string) *nethttp.Response {
	resp := says(text)
	resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(text), until{ctx}))
	return resp
}

type until struct{ ctx context.Context }

func (u until) Read([]byte) (int, error) { <-u.ctx.Done(); return 0, u.ctx.Err() }

func status(code int) *nethttp.Response {
	return &nethttp.Response{StatusCode: code, Header: nethttp.Header{}, Body: nethttp.NoBody}
}

// inBubble runs test in a bubble with a Transport to s, and closes it.
func inBubble(t *testing.T, s *scripted, test func(*testing.T, *Transport, *wiretest.Recorder)) {
	synctest.Test(t, func(t *testing.T) {
		s.begun = time.Now()
		tr, err := New(Endpoint{URL: "http://server.example/mcp"}, Options{Client: s})
		if err != nil {
			t.Fatal(err)
		}
		rec := &wiretest.Recorder{Patience: 24 * time.Hour}
		if err := tr.Start(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		test(t, tr, rec)
		if err := tr.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestABrokenReplyStreamIsResumed(t *testing.T) {
	const reply = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
	const note = "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n"
	tests := []struct {
		name  string
		first string                                            // on the POST
		do    func(n int, r *nethttp.Request) *nethttp.Response // to the GETs
		gets  string
		fails string // "" when the reply comes
	}{
		{"after the pause the server named", "retry: 500\nid: a\ndata:\n\n",
			func(int, *nethttp.Request) *nethttp.Response { return says(reply) }, "500ms a", ""},
		{"after a second when it named none", "id: a\ndata:\n\n",
			func(int, *nethttp.Request) *nethttp.Response { return says(reply) }, "1s a", ""},
		{"from the last event seen", "id: a\n" + note + "id: b\n" + note,
			func(int, *nethttp.Request) *nethttp.Response { return says("id: c\n" + reply) }, "1s b", ""},
		{"again and again while something comes", "id: 0\nretry: 300\ndata:\n\n",
			func(n int, _ *nethttp.Request) *nethttp.Response {
				if n == 4 {
					return says(reply)
				}
				return says(fmt.Sprintf("id: %d\ndata:\n\n", n))
			}, "300ms 0; 600ms 1; 900ms 2; 1.2s 3", ""},
		{"never faster than four times a second", "id: 0\nretry: 0\ndata:\n\n",
			func(n int, _ *nethttp.Request) *nethttp.Response {
				if n == 2 {
					return says(reply)
				}
				return says("id: 1\ndata:\n\n")
			}, "250ms 0; 500ms 1", ""},
		{"through network trouble and errors of the server", "id: a\ndata:\n\n",
			func(n int, _ *nethttp.Request) *nethttp.Response {
				return []*nethttp.Response{nil, status(503), status(429), says(reply)}[n-1]
			}, "1s a; 2s a; 4s a; 8s a", ""},
		{"but not for ever", "id: a\ndata:\n\n", func(int, *nethttp.Request) *nethttp.Response { return says("") },
			"1s a; 2s a; 4s a; 8s a; 16s a; 32s a; 1m4s a; 2m4s a", "reading the reply: cut"},
		{"as often as a gateway cuts it while a person thinks", "id: a\ndata:\n\n",
			func(n int, r *nethttp.Request) *nethttp.Response {
				if n == 10 {
					return says(reply)
				}
				ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
				context.AfterFunc(ctx, cancel)
				return holds(ctx, "")
			}, "1s a; 1m2s a; 2m3s a; 3m4s a; 4m5s a; 5m6s a; 6m7s a; 7m8s a; 8m9s a; 9m10s a", ""},
		{"not if the server knows no resuming", "id: a\ndata:\n\n", func(int, *nethttp.Request) *nethttp.Response { return status(405) },
			"1s a", "reading the reply: cut: the server answered with HTTP status 405"},
		{"not without an id", note, nil, "", "reading the reply: missing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &scripted{do: func(n int, r *nethttp.Request) *nethttp.Response {
				if r.Method == "POST" {
					return says(test.first)
				}
				return test.do(n, r)
			}}
			inBubble(t, s, func(t *testing.T, tr *Transport, rec *wiretest.Recorder) {
				send(t, tr, 1, "tools/call", `{}`, legacy)
				if test.fails != "" {
					if err := rec.NextFailed(t).Err; err.Error() != test.fails {
						t.Errorf("failed with %v, want %s", err, test.fails)
					}
				} else {
					for rec.Next(t).Message.Kind() != wire.Response {
					}
				}
				if got := s.log(); got != test.gets {
					t.Errorf("asked again %s\n want %s", got, test.gets)
				}
			})
		})
	}
}

// B62, B65: the GET stream is optional; losing it ends nothing, and it is asked
// for again with growing pauses.
func TestB62_B65_TheGetStreamComesBackWithGrowingPauses(t *testing.T) {
	const note = "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n"
	tests := []struct {
		name    string
		do      func(n int, r *nethttp.Request) *nethttp.Response
		during  time.Duration
		gets    string
		notices int
	}{
		{"pings and an end, always", func(int, *nethttp.Request) *nethttp.Response { return says("event: ping\ndata:\n\n") },
			5 * time.Minute, "0s ; 1s ; 2s ; 4s ; 8s ; 16s ; 32s ; 1m4s ; 2m4s ; 3m4s ; 4m4s ", 1},
		{"the network down", func(int, *nethttp.Request) *nethttp.Response { return nil },
			10 * time.Second, "0s ; 1s ; 2s ; 4s ; 8s ", 1},
		{"messages in between", func(n int, _ *nethttp.Request) *nethttp.Response {
			if n == 4 {
				return says("id: x\nretry: 2000\n" + note)
			}
			return says("")
		}, 10 * time.Second, "0s ; 1s ; 2s ; 4s ; 6s x; 8s x; 10s x", 2},
		{"a stream that a gateway cuts every minute", func(_ int, r *nethttp.Request) *nethttp.Response {
			ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
			context.AfterFunc(ctx, cancel)
			return holds(ctx, "")
		}, 5 * time.Minute, "0s ; 1m1s ; 2m2s ; 3m3s ; 4m4s ", 0},
		{"a stream that stays", func(_ int, r *nethttp.Request) *nethttp.Response { return holds(r.Context(), note) },
			time.Hour, "0s ", 0},
		{"never offered: 405", func(int, *nethttp.Request) *nethttp.Response { return status(405) }, time.Hour, "0s ", 0},
		{"never offered: 404", func(int, *nethttp.Request) *nethttp.Response { return status(404) }, time.Hour, "0s ", 0},
		{"never offered: a page", func(int, *nethttp.Request) *nethttp.Response {
			return &nethttp.Response{StatusCode: 200, Header: nethttp.Header{"Content-Type": {"text/html"}}, Body: nethttp.NoBody}
		}, time.Hour, "0s ", 0},
		{"taken back", func(n int, _ *nethttp.Request) *nethttp.Response {
			if n == 1 {
				return says(note)
			}
			return status(405)
		}, time.Hour, "0s ; 1s ", 1},
		{"errors from the first on", func(int, *nethttp.Request) *nethttp.Response { return status(500) },
			time.Hour, "0s ; 1s ; 2s ; 4s ; 8s ; 16s ", 2},
		{"lost, and back for good", func(n int, r *nethttp.Request) *nethttp.Response {
			if n < 4 {
				return says("")
			}
			return holds(r.Context(), "")
		}, time.Hour, "0s ; 1s ; 2s ; 4s ", 2},
		{"something, and an end at once, always", func(int, *nethttp.Request) *nethttp.Response { return says("id: x\nretry: 300\n" + note) },
			4 * time.Second, "0s ; 300ms x; 600ms x; 1.6s x; 2.6s x; 3.6s x", 0},
		{"ends at once, one that lasts between them", func(n int, r *nethttp.Request) *nethttp.Response {
			if n == 3 {
				ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
				context.AfterFunc(ctx, cancel)
				return holds(ctx, "retry: 300\n"+note)
			}
			return says("retry: 300\n" + note)
		}, 62 * time.Second, "0s ; 300ms ; 600ms ; 1m0.9s ; 1m1.2s ; 1m1.5s ", 0},
		{"a pause without bounds", func(int, *nethttp.Request) *nethttp.Response { return says("retry: 4000000000\nid: 1\n" + note) },
			11 * time.Minute, "0s ; 5m0s 1; 10m0s 1", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &scripted{do: func(n int, r *nethttp.Request) *nethttp.Response {
				if r.Method == "POST" {
					return says("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
				}
				return test.do(n, r)
			}}
			inBubble(t, s, func(t *testing.T, tr *Transport, rec *wiretest.Recorder) {
				tr.OpenStream()
				select {
				case <-time.After(test.during):
				case <-t.Context().Done():
				}
				synctest.Wait()
				if got := s.log(); got != test.gets {
					t.Errorf("asked %s\nwant  %s", got, test.gets)
				}
				_, _, notices, _ := rec.Rest()
				if len(notices) != test.notices {
					t.Errorf("noticed %v, want %d", notices, test.notices)
				}
				for _, n := range notices {
					// Whole sentences: nothing of an error's words for logs.
					if first := n.Text[:1]; first != strings.ToUpper(first) || !strings.HasSuffix(n.Text, ".") || strings.Contains(n.Text, "EOF") {
						t.Errorf("noticed %q, want whole sentences", n.Text)
					}
				}
				// Calls work as before.
				send(t, tr, 1, "tools/call", `{}`, legacy)
				for rec.Next(t).Message.Kind() != wire.Response {
				}
			})
		})
	}
}

func TestANewSessionOpensItsOwnStream(t *testing.T) {
	open := 0
	var mu sync.Mutex
	s := &scripted{do: func(n int, r *nethttp.Request) *nethttp.Response {
		mu.Lock()
		open++
		mu.Unlock()
		context.AfterFunc(r.Context(), func() {
			mu.Lock()
			open--
			mu.Unlock()
		})
		return holds(r.Context(), "id: x\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n")
	}}
	inBubble(t, s, func(t *testing.T, tr *Transport, rec *wiretest.Recorder) {
		for range 2 {
			tr.OpenStream()
			rec.Next(t)
		}
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if open != 1 || s.log() != "0s ; 0s " {
			t.Errorf("%d streams are open after %s, want 1", open, s.log())
		}
	})
}

func TestAnOversizedEventDoesNotEndTheGetStream(t *testing.T) {
	s := &scripted{do: func(n int, r *nethttp.Request) *nethttp.Response {
		return holds(r.Context(), "data: \""+strings.Repeat("x", 2000)+"\"\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n")
	}}
	inBubble(t, s, func(t *testing.T, tr *Transport, rec *wiretest.Recorder) {
		tr.options.MaxMessage = 1000
		tr.OpenStream()
		rec.Next(t)
		rec.NextNotice(t, wire.NoticeStray)
	})
}

// A server that never answers notifications/initialized holds nothing up for
// longer than five seconds; what it never answers at all is told after thirty.
func TestAnUnansweredInitializedHoldsUpLittle(t *testing.T) {
	s := &scripted{}
	sent := make(chan time.Duration, 1)
	s.do = func(n int, r *nethttp.Request) *nethttp.Response {
		if r.ContentLength < 60 { // the notification
			<-r.Context().Done()
			return nil
		}
		sent <- time.Since(s.begun)
		return says("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
	}
	inBubble(t, s, func(t *testing.T, tr *Transport, rec *wiretest.Recorder) {
		told := make(chan error, 1)
		err := tr.Send(wire.Message{Method: "notifications/initialized"},
			wire.SendOptions{Protocol: legacy, Undelivered: func(err error) { told <- err }})
		if err != nil {
			t.Fatal(err)
		}
		send(t, tr, 1, "tools/call", `{"name":"a tool with a long name"}`, legacy)
		rec.Next(t)
		if d := <-sent; d != gateLimit {
			t.Errorf("the call went out after %v", d)
		}
		if e, ok := errors.AsType[*NetworkError](<-told); !ok || e.Kind != NetworkTimeout || time.Since(s.begun) != noteLimit {
			t.Errorf("told %v after %v", e, time.Since(s.begun))
		}
	})
}

// reaching is a handler that notes whether the server is reached.
type reaching struct {
	*wiretest.Recorder
	mu  sync.Mutex
	say []string
}

func (r *reaching) note(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.say) == 0 || r.say[len(r.say)-1] != s {
		r.say = append(r.say, s)
	}
}

func (r *reaching) Unreached(err error) {
	if _, ok := errors.AsType[*NetworkError](err); !ok {
		err = fmt.Errorf("no NetworkError: %w", err)
	}
	r.note(err.Error())
}

func (r *reaching) Reached() { r.note("reached") }

// A GET stream that is cut is asked for again, which tells whether the server
// is still there, and when it is back.
func TestTheGetStreamTellsWhetherTheServerIsReached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{begun: time.Now(), do: func(n int, r *nethttp.Request) *nethttp.Response {
			switch n {
			case 1:
				return says("")
			case 2, 3:
				return nil
			}
			return holds(r.Context(), "")
		}}
		tr, err := New(Endpoint{URL: "http://server.example/mcp"}, Options{Client: s})
		if err != nil {
			t.Fatal(err)
		}
		h := &reaching{Recorder: &wiretest.Recorder{}}
		if err := tr.Start(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		tr.OpenStream()
		time.Sleep(time.Minute) // the fake clock of the bubble
		synctest.Wait()
		if got := strings.Join(h.say, "; "); got != "reached; reaching server.example: network down; reached" {
			t.Errorf("told %s", got)
		}
		if err := tr.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}
