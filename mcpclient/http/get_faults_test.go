package http

import (
	"bytes"
	"compress/gzip"
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

// answered is an HTTP answer without a network.
func answered(code int, kind, encoding string, body io.Reader) *nethttp.Response {
	header := nethttp.Header{"Content-Type": {kind}}
	if encoding != "" {
		header.Set("Content-Encoding", encoding)
	}
	return &nethttp.Response{StatusCode: code, Header: header, Body: io.NopCloser(body), ContentLength: -1}
}

// B62: whatever is answered to a GET for the stream ends no call and no
// connection; it is asked for again in bounds, or not at all.
func TestB62_EveryFaultOfTheGetStreamLeavesCallsAlone(t *testing.T) {
	const note = "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n"
	cut := func(text string) io.Reader {
		return io.MultiReader(strings.NewReader(text), &pinging{err: io.ErrUnexpectedEOF, text: strings.NewReader("")})
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := io.Copy(z, wiretest.Filled("data: ", 1<<20, "\n\n")); err != nil {
		t.Fatal(err)
	}
	z.Close()
	tests := []struct {
		name    string
		first   func() *nethttp.Response
		asked   bool // again, after a pause
		notices int
	}{
		{"400", func() *nethttp.Response { return answered(400, "", "", strings.NewReader("")) }, false, 0},
		{"400 with JSON", func() *nethttp.Response {
			return answered(400, "application/json", "", strings.NewReader(`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}`))
		}, false, 0},
		{"401", func() *nethttp.Response { return answered(401, "", "", strings.NewReader("")) }, false, 0},
		{"403 with text", func() *nethttp.Response { return answered(403, "text/plain", "", strings.NewReader("no")) }, false, 0},
		{"404 with a page", func() *nethttp.Response { return answered(404, "text/html", "", strings.NewReader("<html>")) }, false, 0},
		{"405", func() *nethttp.Response { return answered(405, "", "", strings.NewReader("")) }, false, 0},
		{"406", func() *nethttp.Response { return answered(406, "", "", strings.NewReader("")) }, false, 0},
		{"429", func() *nethttp.Response { return answered(429, "", "", strings.NewReader("")) }, true, 0},
		{"500 with a page", func() *nethttp.Response { return answered(500, "text/html", "", strings.NewReader("<html>")) }, true, 0},
		{"503", func() *nethttp.Response { return answered(503, "", "", strings.NewReader("")) }, true, 0},
		{"204", func() *nethttp.Response { return answered(204, "", "", strings.NewReader("")) }, false, 0},
		{"a page with 200", func() *nethttp.Response { return answered(200, "text/html", "", strings.NewReader("<html>")) }, false, 0},
		{"JSON with 200", func() *nethttp.Response { return answered(200, "application/json", "", strings.NewReader("{}")) }, false, 0},
		{"a redirect to another origin", func() *nethttp.Response {
			resp := answered(302, "", "", strings.NewReader(""))
			resp.Header.Set("Location", "https://elsewhere.example/")
			return resp
		}, false, 1},
		{"no answer", func() *nethttp.Response { return nil }, true, 0},
		{"half an event", func() *nethttp.Response { return answered(200, acceptStream, "", cut("data: {")) }, true, 0},
		{"nothing", func() *nethttp.Response { return answered(200, acceptStream, "", strings.NewReader("")) }, true, 0},
		{"rubbish", func() *nethttp.Response {
			return answered(200, acceptStream, "", strings.NewReader("data: rubbish\n\ndata: 7\n\n\x00\xff\n\n"))
		}, true, 2},
		{"an event over the limit", func() *nethttp.Response {
			return answered(200, acceptStream, "", wiretest.Filled("data: ", 2000, "\n\n"))
		}, true, 1},
		{"an event without end", func() *nethttp.Response { return answered(200, acceptStream, "", wiretest.Filled("data: ", 1<<30, "")) }, true, 1},
		{"gzip that is none", func() *nethttp.Response { return answered(200, acceptStream, "gzip", strings.NewReader(note)) }, true, 0},
		{"a gzip bomb", func() *nethttp.Response { return answered(200, acceptStream, "gzip", &bomb) }, true, 1},
		{"a compression nobody asked for", func() *nethttp.Response { return answered(200, acceptStream, "br", strings.NewReader("x")) }, true, 0},
	}
	for _, test := range tests {
		t.Run("B62 "+test.name, func(t *testing.T) {
			s := &scripted{do: func(n int, r *nethttp.Request) *nethttp.Response {
				switch {
				case r.Method == "POST":
					return says("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
				case n == 1:
					return test.first()
				}
				return holds(r.Context(), note)
			}}
			inBubble(t, s, func(t *testing.T, tr *Transport, rec *wiretest.Recorder) {
				tr.options.MaxMessage = 1000
				tr.OpenStream()
				select {
				case <-time.After(time.Hour):
				case <-t.Context().Done():
				}
				synctest.Wait()
				want := "0s "
				if test.asked {
					want = "0s ; 1s "
					if got := rec.Next(t); got.Message.Method != "n" {
						t.Errorf("received %+v", got)
					}
				}
				if got := s.log(); got != want {
					t.Errorf("asked %s, want %s", got, want)
				}
				received, failed, notices, closed := rec.Rest()
				if len(received)+len(failed)+closed > 0 || len(notices) != test.notices {
					t.Errorf("received %v, failed %v, noticed %v, closed %d", received, failed, notices, closed)
				}
				send(t, tr, 1, "tools/call", `{}`, legacy)
				rec.Next(t)
			})
		})
	}
}

// The GET stream, its continuation and the legacy SSE stream keep to the origin
// like any request: session, credentials and headers go nowhere else.
func TestARedirectedGetStaysWithinItsOrigin(t *testing.T) {
	var mu sync.Mutex
	strayed := 0
	foreign := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		mu.Lock()
		strayed++
		mu.Unlock()
		lines("data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n")(w, r, m)
	})
	for _, code := range []int{301, 302, 303, 307, 308} {
		for name, location := range map[string]string{"within": "/moved", "elsewhere": foreign.URL + "/moved"} {
			t.Run(fmt.Sprint(code, " ", name), func(t *testing.T) {
				s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
					switch {
					case r.URL.Path == "/moved":
						lines("id: 2\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n")(w, r, m)
					case r.Method == "GET":
						w.Header().Set("Location", location)
						w.WriteHeader(code)
					case m.Method == "initialize":
						w.Header().Set("Mcp-Session-Id", "canary-session")
						reply(w, m, `{}`)
					case m.Kind() == wire.Request: // to be continued by GET
						lines("retry: 1\nid: 1\ndata:\n\n")(w, r, m)
					}
				})
				e := Endpoint{URL: s.URL + "/mcp", Header: map[string]string{"X-Key": "canary"}}
				o := Options{Authorizer: &keeper{value: "Bearer canary"}}
				tr, rec := connect(t, e, o)
				send(t, tr, 1, "initialize", `{}`, "")
				rec.Next(t)
				send(t, tr, 2, "tools/call", `{}`, legacy)
				live, err := NewSSE(e, o)
				if err != nil {
					t.Fatal(err)
				}
				ear := &wiretest.Recorder{}
				if err := live.Start(t.Context(), ear); err != nil {
					t.Fatal(err)
				}
				defer live.Close(t.Context())
				if name == "within" {
					rec.Next(t)
					if _, lost := errors.AsType[*StreamLostError](ear.End(t)); !lost {
						t.Errorf("the SSE stream ended with %v", ear.End(t))
					}
					return
				}
				for _, err := range []error{rec.NextFailed(t).Err, ear.End(t)} {
					if e, ok := errors.AsType[*RedirectError](err); !ok || e.To != foreign.URL+"/moved" {
						t.Errorf("failed with %v", err)
					}
				}
				tr.OpenStream()
				rec.NextNotice(t, wire.NoticeStream)
			})
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if strayed > 0 {
		t.Errorf("%d requests went to another origin", strayed)
	}
}

// B55: a Close that may not wait any longer gives up the DELETE as well, also
// when another Close is the more patient one.
func TestB55_ADeleteThatIsNeverAnsweredHoldsUpNoClose(t *testing.T) {
	for _, patient := range []bool{false, true} {
		t.Run(fmt.Sprintf("B55 beside a patient Close: %v", patient), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deleting := make(chan struct{})
				s := &scripted{begun: time.Now(), do: func(_ int, r *nethttp.Request) *nethttp.Response {
					if r.Method == "DELETE" {
						close(deleting)
						<-r.Context().Done()
						return nil
					}
					resp := says("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
					resp.Header.Set("Mcp-Session-Id", "s-1")
					return resp
				}}
				tr, err := New(Endpoint{URL: "http://server.example/mcp"}, Options{Client: s})
				if err != nil {
					t.Fatal(err)
				}
				rec := &wiretest.Recorder{}
				if err := tr.Start(t.Context(), rec); err != nil {
					t.Fatal(err)
				}
				send(t, tr, 1, "initialize", `{}`, "")
				rec.Next(t)
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 2)
				waiting := 1
				if patient {
					waiting++
					go func() { ended <- tr.Close(context.Background()) }()
					synctest.Wait()
				}
				go func() { ended <- tr.Close(ctx) }()
				<-deleting
				synctest.Wait()
				begun := time.Now()
				cancel()
				for range waiting {
					if err := <-ended; err != nil {
						t.Errorf("Close: %v", err)
					}
				}
				if waited := time.Since(begun); waited != 0 {
					t.Errorf("Close went on for %v", waited)
				}
				if err := rec.End(t); err != nil {
					t.Errorf("Closed told %v", err)
				}
			})
		})
	}
}
