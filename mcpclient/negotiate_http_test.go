package mcpclient

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient/wire"
)

// oldServer is a server of the HTTP+SSE transport of 2024-11-05: it takes no
// POST at its address, names another on an event stream, and answers there.
func oldServer(t *testing.T) *httptest.Server {
	var mu sync.Mutex
	var stream chan string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/sse" && r.Method == http.MethodGet:
			replies := make(chan string, 10)
			mu.Lock()
			stream = replies
			mu.Unlock()
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "event: endpoint\ndata: /messages?s=1\n\n")
			w.(http.Flusher).Flush()
			for {
				select {
				case reply := <-replies:
					fmt.Fprintf(w, "event: message\ndata: %s\n\n", reply)
					w.(http.Flusher).Flush()
				case <-r.Context().Done():
					return
				}
			}
		case r.URL.Path == "/messages" && r.Method == http.MethodPost:
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			w.WriteHeader(http.StatusAccepted)
			mu.Lock()
			defer mu.Unlock()
			switch m.Method {
			case "initialize":
				stream <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"old"}}}`, m.ID)
			case "tools/list":
				stream <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"t"}]}}`, m.ID)
			}
		default:
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

func TestB67_AServerOfTheOldTransportIsFoundAtItsAddress(t *testing.T) {
	srv := oldServer(t)
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := c.Connect(t.Context(), Server{ID: "o", Name: "old", Kind: HTTP, URL: srv.URL + "/sse"})
	if err != nil {
		t.Fatal(err)
	}
	if info := k.Info(); info.Identity.Transport != SSE || info.Protocol != "2025-03-26" || info.Identity.Origin != srv.URL {
		t.Errorf("info = %+v", info)
	}
	if l, err := k.List(t.Context()); err != nil || len(l.Tools) != 1 {
		t.Errorf("its tools: %s, %v", l.Tools, err)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAnHTTPServersEraIsKnownByWhatItAnswersToDiscover(t *testing.T) {
	initialized := func(w http.ResponseWriter, id json.RawMessage) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`, id)
	}
	for _, c := range []struct {
		name   string
		status int
		body   string
		legacy bool
	}{
		{"a JSON-RPC error with 200", 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`, true},
		{"a JSON-RPC error with 400", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}`, true},
		{"a JSON-RPC error with 500", 500, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"what?"}}`, true},
		{"400 without one", 400, ``, true},
		{"404 without one", 404, `<html>not here</html>`, true},
		{"405 without one", 405, ``, true},
		{"a header mismatch", 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no"}}`, false},
		{"a missing capability", 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"no"}}`, false},
		{"a revision nobody shares", 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2030-01-01"]}}}`, false},
		{"401", 401, ``, false},
		{"403", 403, ``, false},
		{"407", 407, ``, false},
		{"429", 429, ``, false},
		{"500 without one", 500, ``, false},
		{"a page", 200, `<!doctype html><title>Sign in</title>`, false},
	} {
		var mu sync.Mutex
		asked := map[string]int{}
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			mu.Lock()
			asked[m.Method]++
			mu.Unlock()
			switch m.Method {
			case "initialize":
				initialized(w, m.ID)
			case "server/discover":
				if strings.HasPrefix(c.body, "<") {
					w.Header().Set("Content-Type", "text/html")
				} else {
					w.Header().Set("Content-Type", "application/json")
				}
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			default:
				w.WriteHeader(http.StatusAccepted)
			}
		}))
		client, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := client.Connect(t.Context(), Server{ID: "s", Name: "s", Kind: HTTP, URL: srv.URL})
		mu.Lock()
		initialize := asked["initialize"]
		mu.Unlock()
		switch {
		case c.legacy && (err != nil || k.Info().Era != Legacy):
			t.Errorf("%s: %v", c.name, err)
		case !c.legacy && (err == nil || initialize > 0):
			t.Errorf("%s was taken for the sign of an era (error %v, %d times initialize)", c.name, err, initialize)
		}
		if err := client.Close(t.Context()); err != nil {
			t.Error(err)
		}
		srv.Close()
	}
}

var _ wire.Pulse = (*Connection)(nil)
