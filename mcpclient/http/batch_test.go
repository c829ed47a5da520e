package http

import (
	"fmt"
	nethttp "net/http"
	"strings"
	"testing"

	"parley/mcpclient/wire"
)

// Revision 2025-03-26 lets a server put several messages into one (basic,
// "Batching"): in a JSON body, in an event of a reply stream, on the GET stream.
func TestB53_ABatchIsReadWhereverItComes(t *testing.T) {
	const batch = `[{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}},` +
		`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m"}},` +
		`{"jsonrpc":"2.0","id":2,"result":{"n":9007199254740993}},` +
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}]`
	for name, event := range map[string]string{
		"a body": batch, "an event": "data: " + batch + "\n\n",
		"an event of several lines": "data: " + strings.ReplaceAll(batch, "},{", "},\ndata: {") + "\n\n",
		"the GET stream":            "data: " + batch + "\n\n",
	} {
		t.Run("B53 "+name, func(t *testing.T) {
			s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
				kind := "application/json"
				if strings.HasPrefix(event, "data") {
					kind = acceptStream
				}
				switch {
				case r.Method == "GET" && name == "the GET stream", m.Kind() == wire.Request && name != "the GET stream":
					w.Header().Set("Content-Type", kind)
					fmt.Fprint(w, event)
				case m.Kind() == wire.Request:
					hold(r)
				}
			})
			tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
			over := wire.NumberID(2)
			if name == "the GET stream" {
				over = wire.ID{}
				tr.OpenStream()
			} else {
				send(t, tr, 2, "tools/call", `{}`, "2025-03-26")
			}
			for _, want := range []string{"notifications/progress", "elicitation/create", "", "notifications/tools/list_changed"} {
				got := rec.Next(t)
				if got.Message.Method != want || got.Over != over {
					t.Errorf("received %+v, want %q over %v", got, want, over)
				}
				if want == "" && string(got.Message.Result) != `{"n":9007199254740993}` {
					t.Errorf("the reply is %s", got.Message.Result)
				}
			}
		})
	}
}

// B53: a question on the GET stream is heard and answered with the session id.
func TestB53_AQuestionOnTheGetStreamIsAnsweredWithTheSession(t *testing.T) {
	answered := make(chan string, 1)
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		switch {
		case m.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", "s-1")
			reply(w, m, `{}`)
		case r.Method == "GET":
			stream(w)
			say(w, ": ping\r\n\r\nid: 1\r\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,")
			say(w, "\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\"}}\r\n\r\n: ping\r\n\r\n")
			hold(r)
		case m.Kind() == wire.Response:
			answered <- r.Header.Get("Mcp-Session-Id") + " " + m.ID.String() + " " + string(m.Result)
			w.WriteHeader(202)
		default:
			w.WriteHeader(202)
		}
	})
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 1, "initialize", `{}`, "")
	rec.Next(t)
	send(t, tr, 0, "notifications/initialized", "", legacy)
	tr.OpenStream()
	q := rec.Next(t)
	if q.Message.Method != "elicitation/create" || !q.Over.IsZero() {
		t.Fatalf("received %+v, want the question", q)
	}
	err := tr.Send(wire.Message{ID: q.Message.ID, Result: []byte(`{"action":"cancel"}`)}, wire.SendOptions{Protocol: legacy})
	if err != nil {
		t.Fatal(err)
	}
	if got := <-answered; got != `s-1 7 {"action":"cancel"}` {
		t.Errorf("the server got %s", got)
	}
}
