package http

import (
	"errors"
	"fmt"
	nethttp "net/http"
	"strings"
	"testing"

	"parley/mcpclient/wire"
)

func TestTheSessionOfInitializeGoesWithEverythingAfter(t *testing.T) {
	sessions := 0
	s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		switch m.Method {
		case "initialize":
			sessions++
			w.Header().Set("Mcp-Session-Id", fmt.Sprint("s-", sessions))
			reply(w, m, `{}`)
		case "":
			w.WriteHeader(405)
		default:
			w.Header().Set("Mcp-Session-Id", "forged")
			reply(w, m, `{}`)
		}
	})
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	for _, step := range []struct{ method, protocol, session, version string }{
		{"initialize", "", "", ""},
		{"tools/list", legacy, "s-1", legacy},
		{"tools/list", legacy, "s-1", legacy},
		{"initialize", "", "", ""},
		{"tools/list", "2025-06-18", "s-2", "2025-06-18"},
		{"tools/list", modern, "", modern},
	} {
		send(t, tr, 1, step.method, `{}`, step.protocol)
		rec.Next(t)
		log := s.log()
		h := log[len(log)-1].header
		if h.Get("Mcp-Session-Id") != step.session || h.Get("Mcp-Protocol-Version") != step.version {
			t.Errorf("%s went with session %q and version %q, want %q and %q",
				step.method, h.Get("Mcp-Session-Id"), h.Get("Mcp-Protocol-Version"), step.session, step.version)
		}
	}
	if err := tr.Close(t.Context()); err != nil {
		t.Error(err)
	}
	log := s.log()
	if last := log[len(log)-1]; last.verb != "DELETE" || last.header.Get("Mcp-Session-Id") != "s-2" {
		t.Errorf("the last request was %s with session %q", last.verb, last.header.Get("Mcp-Session-Id"))
	}
}

func TestASessionIDThatIsNoneIsNotKept(t *testing.T) {
	for _, id := range []string{"", "a b", "名", strings.Repeat("x", 5000)} {
		s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
			w.Header().Set("Mcp-Session-Id", id)
			reply(w, m, `{}`)
		})
		tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
		for _, method := range []string{"initialize", "tools/list"} {
			send(t, tr, 1, method, `{}`, legacy)
			rec.Next(t)
		}
		if err := tr.Close(t.Context()); err != nil {
			t.Error(err)
		}
		for _, a := range s.log() {
			if a.header.Get("Mcp-Session-Id") != "" || a.verb == "DELETE" {
				t.Errorf("the session id %.20q was kept: %s", id, a.verb)
			}
		}
	}
}

// B63 at the level of the transport: a 404 to a known session is told as such,
// nothing is repeated, and the next initialize goes without the old id.
func TestB63_ALostSessionIsToldAndForgotten(t *testing.T) {
	const mine = `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"m"}}`
	tests := []struct {
		name, body string
		lost       bool
	}{
		{"no body", "", true},
		{"text", "session not found", true},
		{"a JSON-RPC error of no request", `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`, true},
		{"a JSON-RPC error of a made-up request", `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`, true},
		{"another error for this request", strings.Replace(mine, "-32601", "-32001", 1), true},
		{"an unknown method of this request", mine, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
				if m.Method == "initialize" {
					w.Header().Set("Mcp-Session-Id", "s-1")
					reply(w, m, `{}`)
					return
				}
				w.WriteHeader(404)
				fmt.Fprint(w, test.body)
			})
			tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
			send(t, tr, 1, "initialize", `{}`, "")
			rec.Next(t)
			send(t, tr, 2, "tools/call", `{}`, legacy)
			err := rec.NextFailed(t).Err
			if _, lost := errors.AsType[*SessionLostError](err); lost != test.lost {
				t.Errorf("failed with %v; lost: %v, want %v", err, lost, test.lost)
			}
			sentences(t, err)
			send(t, tr, 3, "tools/list", `{}`, legacy)
			rec.NextFailed(t)
			log := s.log()
			if len(log) != 3 {
				t.Errorf("%d requests, want 3", len(log))
			}
			if id := log[2].header.Get("Mcp-Session-Id"); (id == "") != test.lost {
				t.Errorf("the request after it went with session %q", id)
			}
		})
	}
}

func TestA404WithoutASessionIsAStatus(t *testing.T) {
	s := serve(t, body(404, "text/plain", "no"))
	tr, rec := connect(t, Endpoint{URL: s.URL}, Options{})
	send(t, tr, 1, "tools/call", `{}`, legacy)
	if e, ok := errors.AsType[*StatusError](rec.NextFailed(t).Err); !ok || e.Status != 404 {
		t.Errorf("failed with %v", e)
	}
}
