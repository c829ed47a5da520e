package http

import (
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// pulse is a Recorder that also wants signs of life.
type pulse struct {
	*wiretest.Recorder
	alive chan wire.ID
}

func (p pulse) Alive(over wire.ID) {
	select {
	case p.alive <- over:
	default:
	}
}

// A reply that comes slowly is no silence: the server sends the next piece only
// once the one before was taken for a sign of life.
func TestEveryByteOfAReplyIsASignOfLife(t *testing.T) {
	for name, pieces := range map[string][]string{
		"application/json":  {`{"jsonrpc":"2.0",`, `"id":7,`, `"result":{}}`},
		"text/event-stream": {": ping\n\n", ": ping\n\n", "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			h := pulse{&wiretest.Recorder{}, make(chan wire.ID, 1)}
			next := make(chan struct{})
			srv := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) {
				w.Header().Set("Content-Type", name)
				for _, p := range pieces {
					fmt.Fprint(w, p)
					w.(nethttp.Flusher).Flush()
					select {
					case <-next:
					case <-t.Context().Done():
					}
				}
			}))
			defer srv.Close()
			tr, err := New(Endpoint{URL: srv.URL}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := tr.Start(t.Context(), h); err != nil {
				t.Fatal(err)
			}
			defer tr.Close(t.Context())
			if err := tr.Send(wire.Message{ID: wire.NumberID(7), Method: "tools/call", Params: []byte("{}")}, wire.SendOptions{}); err != nil {
				t.Fatal(err)
			}
			for i := range pieces {
				if id := <-h.alive; id != wire.NumberID(7) {
					t.Errorf("piece %d is a sign of life for %s", i, id)
				}
				next <- struct{}{}
			}
		})
	}
}
