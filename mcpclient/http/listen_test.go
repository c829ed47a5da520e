package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// pinging is an event stream that says text, then sends a ping every minute for
// as long as it may, and then ends with err.
type pinging struct {
	ctx  context.Context
	text io.Reader
	left time.Duration
	err  error
}

func (p *pinging) Read(b []byte) (int, error) {
	if n, _ := p.text.Read(b); n > 0 {
		return n, nil
	}
	if p.left <= 0 {
		return 0, p.err
	}
	p.left -= time.Minute
	select {
	case <-time.After(time.Minute):
		return copy(b, ": ping\n\n"), nil
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	}
}

// subscriptions/listen is a request whose reply stream is the subscription (MCP
// 2026-07-28, basic/utilities/subscriptions): it lives for as long as the server
// and the connection want.
func TestAListenRequestLivesAsLongAsItIsWanted(t *testing.T) {
	const (
		ack  = "id: 1\nretry: 10\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\"}\n\n"
		news = "id: 2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"
	)
	broken := errors.New("connection reset")
	tests := []struct {
		name string
		life time.Duration
		end  error            // of the stream
		want func(error) bool // what the request fails with
		stop func(*Transport) // what ends it from our side, if not the stream's end
	}{
		{"for two days, then the server ends it in order", 48 * time.Hour, io.EOF,
			func(err error) bool { e, ok := errors.AsType[*ReplyError](err); return ok && e.Kind == ReplyMissing }, nil},
		{"for an hour, then the connection drops", time.Hour, broken,
			func(err error) bool {
				e, ok := errors.AsType[*ReplyError](err)
				return ok && e.Kind == ReplyCut && errors.Is(err, broken)
			}, nil},
		{"until it is forgotten", 1000 * time.Hour, io.EOF, nil, func(tr *Transport) { tr.Forget(wire.NumberID(5)) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &scripted{do: func(_ int, r *nethttp.Request) *nethttp.Response {
				resp := says("")
				resp.Body = io.NopCloser(&pinging{r.Context(), strings.NewReader(ack + news), test.life, test.end})
				return resp
			}}
			inBubble(t, s, func(t *testing.T, tr *Transport, rec *wiretest.Recorder) {
				rec.Patience = 2000 * time.Hour
				send(t, tr, 5, "subscriptions/listen", `{"notifications":{"toolsListChanged":true}}`, modern)
				for _, want := range []string{"notifications/subscriptions/acknowledged", "notifications/tools/list_changed"} {
					if got := rec.Next(t); got.Message.Method != want || got.Over != wire.NumberID(5) {
						t.Errorf("received %+v, want %s over request 5", got, want)
					}
				}
				if test.stop != nil {
					select {
					case <-time.After(500 * time.Hour):
					case <-t.Context().Done():
					}
					test.stop(tr)
					synctest.Wait()
				} else {
					f := rec.NextFailed(t)
					if f.ID != wire.NumberID(5) || !test.want(f.Err) || time.Since(s.begun) < test.life {
						t.Errorf("request %s failed with %v after %v", f.ID, f.Err, time.Since(s.begun))
					}
				}
				if _, failed, _, _ := rec.Rest(); len(failed) > 0 {
					t.Errorf("failed: %v", failed)
				}
				if got := s.log(); got != "" {
					t.Errorf("a modern stream was asked for by GET: %s", got)
				}
			})
		})
	}
}

// A listen request never answered, or answered by a refusal, is a request like
// any other.
func TestAListenRequestThatIsRefusedFails(t *testing.T) {
	s := serve(t, body(404, "application/json", `{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"m"}}`))
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 5, "subscriptions/listen", `{}`, modern)
	e, ok := errors.AsType[*StatusError](rec.NextFailed(t).Err)
	if !ok || e.RPC == nil || e.RPC.Code != wire.CodeMethodNotFound {
		t.Errorf("failed with %v", e)
	}
}

// Subscriptions are many and calls go on beside them.
func TestListenStreamsHoldUpNothing(t *testing.T) {
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		if m.Method == "subscriptions/listen" {
			stream(w)
			say(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"up\"}\n\n")
			hold(r)
			return
		}
		reply(w, m, `{}`)
	})
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	for id := range int64(50) {
		send(t, tr, id+1, "subscriptions/listen", fmt.Sprintf(`{"n":%d}`, id), modern)
		rec.Next(t)
	}
	send(t, tr, 100, "tools/call", `{}`, modern)
	if got := rec.Next(t); got.Message.ID != wire.NumberID(100) {
		t.Errorf("received %+v", got)
	}
}
