package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient/wire"
)

// The field cases that need the real HTTP transport under the client: B53, B61
// and X8.

// posted is one POST as an HTTP server got it.
type posted struct {
	wire.Message
	Header http.Header
}

// httpServer is a server at an address of this computer: every POST is given
// to answer, everything else is refused.
func httpServer(t *testing.T, answer func(w http.ResponseWriter, m posted)) (Server, func() []posted) {
	t.Helper()
	var mu sync.Mutex
	var seen []posted
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		var raw json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&raw); err != nil {
			t.Errorf("the client posted no JSON: %v", err)
		}
		m, err := wire.Decode(raw)
		if err != nil {
			t.Errorf("the client posted %s: %v", raw, err)
		}
		p := posted{m, r.Header.Clone()}
		mu.Lock()
		seen = append(seen, p)
		mu.Unlock()
		answer(w, p)
	}))
	t.Cleanup(srv.Close)
	return Server{ID: "h1", Name: "Over there", Kind: HTTP, URL: srv.URL + "/mcp"}, func() []posted {
		mu.Lock()
		defer mu.Unlock()
		return append([]posted(nil), seen...)
	}
}

// give writes a JSON-RPC reply: body is its result or error member.
func give(w http.ResponseWriter, m posted, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, body)
}

// overHTTP is a bench whose client reaches s by the real transport.
func overHTTP(t *testing.T, s Server) (*bench, error) {
	t.Helper()
	b := &bench{t: t, events: make(chan Event, 10_000)}
	var err error
	if b.client, err = New(Options{Version: "1.2.3"}); err != nil {
		t.Fatal(err)
	}
	b.client.Watch(func(e Event) { b.events <- e })
	t.Cleanup(func() {
		if err := b.client.Close(context.Background()); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	b.conn, err = b.client.Connect(t.Context(), s)
	return b, err
}

// B53: a server of 2025 asks on the reply stream of the call; the question is
// shown, and the answer is posted with the session id, whatever the framing.
func TestB53_AQuestionOnTheReplyStreamReachesThePersonAndTheAnswerTheServer(t *testing.T) {
	question := `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Which day?","requestedSchema":{"type":"object","properties":{"d":{"type":"string"}}}}}`
	half := len(question) / 2
	for name, pieces := range map[string][]string{
		"plain":               {"event: message\ndata: " + question + "\n\n"},
		"in two writes":       {"data: " + question[:half], question[half:] + "\n\n"},
		"CRLF":                {"event: message\r\ndata: " + question + "\r\n\r\n"},
		"pings around it":     {": ping\n\n", "data: " + question + "\n\n", ": ping\n\n: ping\n\n"},
		"a ping inside it":    {"event: message\n: ping\ndata: " + question + "\n\n"},
		"with an id, no name": {"id: 7\ndata:" + question + "\n\n"},
		"byte by byte":        strings.Split("data: "+question+"\r\n\r\n", ""),
		"an empty event first": {"event: ping\ndata:\n\n", "id: 1\ndata: \n\n",
			"data: " + question + "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			answered := make(chan posted, 1)
			s, _ := httpServer(t, func(w http.ResponseWriter, m posted) {
				switch {
				case m.Method == "server/discover":
					give(w, m, 400, `"error":{"code":-32600,"message":"No valid session ID provided"}`)
				case m.Method == "initialize":
					w.Header().Set("Mcp-Session-Id", "session-1")
					give(w, m, 200, `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old"}}`)
				case m.Method == "tools/call":
					w.Header().Set("Content-Type", "text/event-stream")
					for _, piece := range pieces {
						fmt.Fprint(w, piece)
						w.(http.Flusher).Flush()
					}
					a := <-answered
					fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":%s}]}}\n\n",
						m.ID, quote(a.Header.Get("Mcp-Session-Id")+" got "+string(a.Result)))
				case m.Kind() == wire.Response:
					answered <- m
					w.WriteHeader(http.StatusAccepted)
				default:
					w.WriteHeader(http.StatusAccepted)
				}
			})
			b, err := overHTTP(t, s)
			if err != nil {
				t.Fatal(err)
			}
			id := b.call(CallRequest{})
			e := b.question()
			if e.Message != "Which day?" || e.CallID != id || e.Key != "q1" {
				t.Errorf("asked %+v", e)
			}
			b.answer(e, accepted(`{"d":"Monday"}`))
			call := b.ended(id)
			want := `session-1 got {"action":"accept","content":{"d":"Monday"}}`
			if got := ViewResult(CallTool, call.Result); len(got.Blocks) != 1 || got.Blocks[0].Text != want {
				t.Errorf("the call is %s (%v) with %s", call.State, call.Failure, call.Result)
			}
		})
	}
}

// B61: what a server misses is named, it is no crash and no sign of an old
// server; the connection goes on.
func TestB61_AMissingCapabilityIsSaidInPlainWords(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"as reported":       {`{"requiredCapabilities":{"sampling":{}}}`, "sampling"},
		"two":               {`{"requiredCapabilities":{"sampling":{},"roots":{"listChanged":true}}}`, "sampling, roots"},
		"a mode":            {`{"requiredCapabilities":{"elicitation":{"voice":{}}}}`, "elicitation"},
		"none named":        {`{"requiredCapabilities":{}}`, "does not say what"},
		"not an object":     {`{"requiredCapabilities":["sampling"]}`, "does not say what"},
		"no data":           {`null`, "does not say what"},
		"one that was told": {`{"requiredCapabilities":{"elicitation":{"form":{}}}}`, "had told the server so"},
		"a very long name":  {`{"requiredCapabilities":{"` + strings.Repeat("x", 50_000) + `":{}}}`, "xxx"},
	} {
		t.Run(name, func(t *testing.T) {
			s, seen := httpServer(t, func(w http.ResponseWriter, m posted) {
				switch {
				case m.Method == "server/discover":
					give(w, m, 200, `"result":`+discovered)
				case m.Method == "tools/call":
					give(w, m, 400, `"error":{"code":-32021,"message":"x","data":`+c.data+`}`)
				default:
					w.WriteHeader(http.StatusAccepted)
				}
			})
			b, err := overHTTP(t, s)
			if err != nil {
				t.Fatal(err)
			}
			call := b.ended(b.call(CallRequest{}))
			if call.Failure == nil || call.Failure.Kind != FailRPC || call.Failure.Code != -32021 || call.Failure.Message != "x" {
				t.Fatalf("the call is %s: %+v", call.State, call.Failure)
			}
			words := call.Failure.Error()
			if !strings.Contains(words, c.want) || !strings.Contains(words, "Parley") || len(words) > 1000 {
				t.Errorf("it is said as %.300q", words)
			}
			for _, m := range seen() {
				if m.Method == "initialize" {
					t.Error("it was taken for a sign of an old server")
				}
			}
			if b.client.Connection(s.ID) != b.conn {
				t.Error("it cost the connection")
			}
		})
	}
}

// B61 at the first greeting: there is no connection, and the sentence is the same.
func TestB61_AServerThatGreetsWithAMissingCapabilityIsNotAskedAsAnOldOne(t *testing.T) {
	s, seen := httpServer(t, func(w http.ResponseWriter, m posted) {
		give(w, m, 400, `"error":{"code":-32021,"message":"x","data":{"requiredCapabilities":{"sampling":{}}}}`)
	})
	_, err := overHTTP(t, s)
	if err == nil || !strings.Contains(err.Error(), "sampling") {
		t.Errorf("connecting: %v", err)
	}
	if n := len(seen()); n != 1 {
		t.Errorf("%d requests were posted, want 1", n)
	}
}

// pages are what captive portals, sign-in pages and proxies answer to a POST.
var pages = map[string]func(w http.ResponseWriter){
	"a sign-in page": func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Sign in to the Wi-Fi</title>")
	},
	"a page of no type": func(w http.ResponseWriter) { fmt.Fprint(w, "<html><body>Welcome</body></html>") },
	"plain text": func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "OK")
	},
	"a page called JSON": func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, "<!doctype html><title>Sign in</title>")
	},
	"a page called an event stream": func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "<!doctype html>\n<title>Sign in</title>\n\n")
	},
	"nothing at all": func(http.ResponseWriter) {},
}

func TestX8_APageInsteadOfAReplyIsSaidAndCostsOnlyItsRequest(t *testing.T) {
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			portal := true
			s, seen := httpServer(t, func(w http.ResponseWriter, m posted) {
				switch {
				case m.Method == "server/discover":
					give(w, m, 200, `"result":`+discovered)
				case m.Method == "tools/call" && portal:
					portal = false
					page(w)
				case m.Method == "tools/call":
					give(w, m, 200, `"result":`+doneResult)
				default:
					w.WriteHeader(http.StatusAccepted)
				}
			})
			b, err := overHTTP(t, s)
			if err != nil {
				t.Fatal(err)
			}
			call := b.ended(b.call(CallRequest{}))
			if call.State != CallFailed || call.Failure.Error() == call.Failure.Text.ID || len(call.Failure.Error()) < 20 {
				t.Fatalf("the call is %s: %v", call.State, call.Failure)
			}
			if next := b.ended(b.call(CallRequest{})); next.State != CallDone {
				t.Errorf("after it, a call is %s: %v", next.State, next.Failure)
			}
			calls := 0
			for _, m := range seen() {
				if m.Method == "tools/call" {
					calls++
				}
			}
			if calls != 2 {
				t.Errorf("tools/call was posted %d times for two calls", calls)
			}
		})
	}
}

func TestX8_APageInsteadOfAGreetingIsSaid(t *testing.T) {
	for name, page := range pages {
		s, _ := httpServer(t, func(w http.ResponseWriter, _ posted) { page(w) })
		_, err := overHTTP(t, s)
		f, ok := err.(*Failure)
		if !ok || f.Kind != FailLost || f.Error() == f.Text.ID || len(f.Error()) < 20 {
			t.Errorf("%s: %v", name, err)
		}
		if name == "a sign-in page" && f.Text.ID != "client.transport.status.page" {
			t.Errorf("%s is said as %q", name, f)
		}
	}
}
