package http

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// body answers with a status, a content type and a body, in which ID stands for
// the request's id.
func body(status int, kind, text string) answer {
	return func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		fmt.Fprint(w, strings.ReplaceAll(text, "ID", m.ID.String()))
	}
}

// lines answers with an event stream that then ends.
func lines(text string) answer { return body(200, "text/event-stream", text) }

// cutOff announces more than it sends.
func cutOff(kind, text string) answer {
	return func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Length", fmt.Sprint(len(text)+100))
		fmt.Fprint(w, text)
	}
}

func zipped(kind, text string) answer {
	return func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, strings.ReplaceAll(text, "ID", m.ID.String()))
		z.Close()
	}
}

const good = `{"jsonrpc":"2.0","id":ID,"result":{}}`

func endless(begin, more string) answer {
	return func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
		kind := "application/json"
		if strings.HasPrefix(begin, "data") || strings.HasPrefix(begin, ":") {
			kind = "text/event-stream"
		}
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, begin)
		chunk := strings.Repeat(more, 1000)
		for r.Context().Err() == nil {
			if _, err := fmt.Fprint(w, chunk); err != nil {
				return
			}
		}
	}
}

// Whatever a server answers, it is read kindly or that one request fails with
// an error of its kind; afterwards the transport still works.
func TestEveryFaultOfAnAnswerFailsOneRequest(t *testing.T) {
	const limit = 100_000
	big := strings.Repeat("x", limit)
	wantReply := func(t *testing.T, rec *wiretest.Recorder) { rec.Next(t) }
	wantError := func(text string) func(*testing.T, *wiretest.Recorder) {
		return func(t *testing.T, rec *wiretest.Recorder) {
			t.Helper()
			m := rec.Next(t).Message
			if m.ID != wire.NumberID(1) || m.Error == nil || m.Error.Message != text {
				t.Errorf("received %+v, want the error %q for request 1", m, text)
			}
		}
	}
	fails := func(check func(error) bool) func(*testing.T, *wiretest.Recorder) {
		return func(t *testing.T, rec *wiretest.Recorder) {
			t.Helper()
			f := rec.NextFailed(t)
			if f.ID != wire.NumberID(1) || !check(f.Err) {
				t.Errorf("request %v failed with %#v (%v)", f.ID, f.Err, f.Err)
			}
			sentences(t, f.Err)
		}
	}
	status := func(want StatusError) func(*testing.T, *wiretest.Recorder) {
		return fails(func(err error) bool {
			e, ok := errors.AsType[*StatusError](err)
			return ok && e.Status == want.Status && e.Host != "" && e.ContentType == want.ContentType && e.HTML == want.HTML &&
				e.Text == want.Text && e.RetryAfter == want.RetryAfter && fmt.Sprint(e.RPC) == fmt.Sprint(want.RPC)
		})
	}
	badReply := func(kind ReplyKind) func(*testing.T, *wiretest.Recorder) {
		return fails(func(err error) bool {
			e, ok := errors.AsType[*ReplyError](err)
			return ok && e.Kind == kind
		})
	}
	tooLarge := fails(func(err error) bool {
		e, ok := errors.AsType[*wire.TooLargeError](err)
		return ok && e.Limit == limit
	})

	tests := []struct {
		name  string
		do    answer
		check func(*testing.T, *wiretest.Recorder)
	}{
		{"JSON", body(200, "application/json", good), wantReply},
		{"JSON of another type name", body(200, "application/vnd.x+json", good), wantReply},
		{"JSON without a type", body(200, "", good), wantReply},
		{"JSON that calls itself text", body(200, "text/plain", good), wantReply},
		{"JSON with a byte order mark", body(200, "application/json", "\xEF\xBB\xBF\r\n"+good), wantReply},
		{"JSON with status 201", body(201, "application/json", good), wantReply},
		{"JSON in gzip", zipped("application/json", good), wantReply},
		{"events in gzip", zipped("text/event-stream", "data: "+good+"\n\n"), wantReply},
		{"a batch with the reply in it", body(200, "application/json", "[7,"+good+"]"), wantReply},
		{"events of upper case type", body(200, "Text/Event-Stream; charset=UTF-8", "data: "+good+"\n\n"), wantReply},
		{"an event without its blank line", lines("data: " + good), wantReply},
		{"rubbish before the reply", lines("data: rubbish\n\ndata: 7\n\ndata: " + good + "\n\n"), wantReply},
		{"an error of no request", body(200, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`), wantError("m")},
		{"an error of no request in an event", lines("data: {\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"m\"}}\n\n"), wantError("m")},

		{"nothing", body(200, "application/json", ""), badReply(ReplyMissing)},
		{"202 to a request", body(202, "", ""), badReply(ReplyMissing)},
		{"204 to a request", body(204, "", ""), badReply(ReplyMissing)},
		{"the reply to another request", body(200, "application/json", `{"jsonrpc":"2.0","id":999,"result":{}}`), badReply(ReplyMissing)},
		{"a notification alone", body(200, "application/json", `{"jsonrpc":"2.0","method":"n"}`), badReply(ReplyMissing)},
		{"an empty batch", body(200, "application/json", `[]`), badReply(ReplyInvalid)},
		{"rubbish as JSON", body(200, "application/json", `rubbish`), badReply(ReplyInvalid)},
		{"half JSON", body(200, "application/json", `{"jsonrpc":"2.0","id":ID,`), badReply(ReplyInvalid)},
		{"JSON that is no message", body(200, "application/json", `{"ok":true}`), badReply(ReplyInvalid)},
		{"a reply that is none", lines("data: {\"jsonrpc\":\"2.0\",\"id\":ID,\"error\":7}\n\n"), badReply(ReplyInvalid)},
		{"half a reply", lines("data: {\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\n\n"), badReply(ReplyInvalid)},
		{"nesting without end", body(200, "application/json", strings.Repeat(`[`, 50000)), badReply(ReplyInvalid)},
		{"nested too deep", body(200, "application/json", `{"jsonrpc":"2.0","id":ID,"result":`+strings.Repeat(`[`, 20000)+strings.Repeat(`]`, 20000)+"}"), fails(func(err error) bool {
			return strings.Contains(i18n.New("en").Text(wire.Sentence(err)), "(it is nested too deeply)")
		})},
		{"an event nested too deep", lines("data: {\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":" + strings.Repeat(`[`, 20000) + strings.Repeat(`]`, 20000) + "}\n\n"), fails(func(err error) bool {
			return strings.Contains(i18n.New("en").Text(wire.Sentence(err)), "(it is nested too deeply)")
		})},
		{"a body that breaks off", cutOff("application/json", good), badReply(ReplyCut)},
		{"events that break off", cutOff("text/event-stream", ": ping\n\ndata: {"), badReply(ReplyCut)},
		{"events without the reply", lines(": ping\n\n"), badReply(ReplyMissing)},
		{"events that can be resumed, of a modern server", lines("id: 1\ndata: \n\n"), badReply(ReplyMissing)},
		{"a compression nobody asked for", func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
			w.Header().Set("Content-Encoding", "br")
			fmt.Fprint(w, "x")
		}, badReply(ReplyEncoding)},
		{"gzip that is none", func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, good)
		}, badReply(ReplyCut)},

		{"a body over the limit", body(200, "application/json", `{"jsonrpc":"2.0","id":ID,"result":"`+big+`"}`), tooLarge},
		{"a body without end", endless(`{"jsonrpc":"2.0","id":1,"result":[`, "1,"), tooLarge},
		{"a gzip bomb", zipped("application/json", `{"jsonrpc":"2.0","id":ID,"result":"`+strings.Repeat("0", 50*limit)+`"}`), tooLarge},
		{"a gzip bomb of events", zipped("text/event-stream", "data: "+strings.Repeat("0", 50*limit)), tooLarge},
		{"an event over the limit", lines("data: {\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":\"" + big + "\"}\n\n"), tooLarge},
		{"an event without end", endless("data: ", "data: x\n"), tooLarge},
		{"a line without end", endless("data: ", "x"), tooLarge},

		{"a web page with 200", body(200, "text/html; charset=utf-8", "<!DOCTYPE html><p>sign in"), status(StatusError{Status: 200, ContentType: "text/html", HTML: true})},
		{"a web page that calls itself nothing", body(200, "application/octet-stream", "\n<HTML>"), status(StatusError{Status: 200, ContentType: "application/octet-stream", HTML: true})},
		{"text with 200", body(200, "text/plain", "hello"), status(StatusError{Status: 200, ContentType: "text/plain", Text: "hello"})},
		{"400 without a body", body(400, "", ""), status(StatusError{Status: 400})},
		{"400 with text", body(400, "text/plain", "bad \xff"), status(StatusError{Status: 400, ContentType: "text/plain", Text: "bad \uFFFD"})},
		{"400 with a JSON-RPC error", body(400, "application/json", `{"jsonrpc":"2.0","id":ID,"error":{"code":-32022,"message":"m"}}`),
			status(StatusError{Status: 400, ContentType: "application/json", RPC: &wire.Error{Code: -32022, Message: "m"}})},
		{"404 with a JSON-RPC error of no request", body(404, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"m"}}`),
			status(StatusError{Status: 404, ContentType: "application/json", RPC: &wire.Error{Code: -32601, Message: "m"}})},
		{"400 with a JSON-RPC error in an event", body(400, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32020,\"message\":\"m\"}}\n\n"),
			status(StatusError{Status: 400, ContentType: "text/event-stream", RPC: &wire.Error{Code: -32020, Message: "m"}})},
		{"401 with an OAuth error", body(401, "application/json", `{"error":"invalid_token"}`),
			status(StatusError{Status: 401, ContentType: "application/json", Text: `{"error":"invalid_token"}`})},
		{"403", body(403, "", ""), status(StatusError{Status: 403})},
		{"404 with a web page", body(404, "text/html", "<html>"), status(StatusError{Status: 404, ContentType: "text/html", HTML: true})},
		{"405", body(405, "", ""), status(StatusError{Status: 405})},
		{"407", body(407, "", ""), status(StatusError{Status: 407})},
		{"413", body(413, "", ""), status(StatusError{Status: 413})},
		{"429 with a pause", func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
		}, status(StatusError{Status: 429, RetryAfter: 7 * time.Second})},
		{"500 with a web page", body(500, "text/html", "<html>"), status(StatusError{Status: 500, ContentType: "text/html", HTML: true})},
		{"502 with a page", body(502, "text/html", "<html><head><TITLE lang=en>502\n Bad&nbsp;Gateway</title>"), status(StatusError{Status: 502, ContentType: "text/html", HTML: true, Text: "502 Bad Gateway"})},
		{"503 with a long text", body(503, "text/plain", big), status(StatusError{Status: 503, ContentType: "text/plain", Text: big[:maxText-3] + "…"})},
		{"304", body(304, "", ""), status(StatusError{Status: 304})},
		{"an unknown status", body(799, "", ""), status(StatusError{Status: 799})},
		{"a type that is no type", body(400, "; ;", "x"), status(StatusError{Status: 400, Text: "x"})},

		{"no answer at all", func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) { panic(nethttp.ErrAbortHandler) },
			fails(func(err error) bool {
				e, ok := errors.AsType[*NetworkError](err)
				return ok && e.Kind == NetworkBroken
			})},
		{"no HTTP", func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
			c, _, _ := w.(nethttp.Hijacker).Hijack()
			fmt.Fprint(c, "SSH-2.0-x\r\n\r\n")
			c.Close()
		}, fails(func(err error) bool {
			e, ok := errors.AsType[*NetworkError](err)
			return ok && e.Kind == NetworkBroken
		})},
		{"another protocol", func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
			c, _, _ := w.(nethttp.Hijacker).Hijack()
			fmt.Fprint(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhello")
			t.Cleanup(func() { c.Close() }) // not before the end
		}, status(StatusError{Status: 101})},
		{"headers without end", func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
			w.Header().Set("X", strings.Repeat("x", 2<<20))
		}, fails(func(err error) bool { _, ok := errors.AsType[*NetworkError](err); return ok })},
	}
	for _, test := range tests {
		for _, era := range []string{modern, legacy} {
			if era == legacy && strings.HasSuffix(test.name, "of a modern server") {
				continue
			}
			t.Run(era+" "+test.name, func(t *testing.T) {
				s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
					if m.Method == "ping" {
						reply(w, m, `{"pong":1}`)
						return
					}
					test.do(w, r, m)
				})
				s.Config.ErrorLog = quiet()
				tr, rec := connect(t, Endpoint{URL: s.URL}, Options{MaxMessage: limit})
				send(t, tr, 1, "tools/call", `{}`, era)
				test.check(t, rec)
				send(t, tr, 2, "ping", `{}`, era)
				for {
					if got := rec.Next(t).Message; string(got.Result) == `{"pong":1}` {
						break
					}
				}
			})
		}
	}
}

func TestASecretThatTheServerRepeatsIsMasked(t *testing.T) {
	for _, kind := range []string{"text", "JSON-RPC", "page"} {
		t.Run(kind, func(t *testing.T) {
			s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
				all := fmt.Sprint(r.Header)
				switch {
				case m.Method == "initialize":
					w.Header().Set("Mcp-Session-Id", "canary-session")
					reply(w, m, `{}`)
				case kind == "text":
					nethttp.Error(w, all, 500)
				case kind == "page":
					w.Header().Set("Content-Type", "text/x")
					fmt.Fprint(w, all)
				default:
					w.WriteHeader(400)
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":%q}}`, all)
				}
			})
			e := Endpoint{URL: s.URL, Header: map[string]string{"X-Key": `canary-"key"`, "X-Two": "canary-1 canary-2"}}
			tr, rec := connect(t, e, Options{Authorizer: &keeper{value: "Bearer canary-token"}})
			send(t, tr, 1, "initialize", `{}`, "")
			rec.Next(t)
			send(t, tr, 2, "m", `{}`, legacy)
			e2, ok := errors.AsType[*StatusError](rec.NextFailed(t).Err)
			if !ok {
				t.Fatal("want a StatusError")
			}
			text := e2.Text + e2.Error()
			if e2.RPC != nil {
				text += e2.RPC.Message
			}
			if strings.Contains(text, "canary") || !strings.Contains(text, "•••") {
				t.Errorf("the error says %s", text)
			}
		})
	}
}

func TestASecretThatAnErrorRepeatsIsMasked(t *testing.T) {
	for _, kind := range []string{"application/json", "text/event-stream"} {
		t.Run(kind, func(t *testing.T) {
			s := serve(t, func(w nethttp.ResponseWriter, r *nethttp.Request, m wire.Message) {
				w.Header().Set("Content-Type", kind)
				text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":%q}}`, m.ID, "no such key: "+r.Header.Get("X-Key"))
				if kind != "application/json" {
					text = "data: " + text + "\n\n"
				}
				fmt.Fprint(w, text)
			})
			tr, rec := connect(t, Endpoint{URL: s.URL, Header: map[string]string{"X-Key": "canary-key"}}, Options{})
			send(t, tr, 1, "m", `{}`, modern)
			if e := rec.Next(t).Message.Error; e == nil || e.Message != "no such key: •••" {
				t.Errorf("the error is %v", e)
			}
		})
	}
}

func TestWhatCannotBeReachedSaysWhy(t *testing.T) {
	plain := httptest.NewServer(nethttp.NotFoundHandler())
	defer plain.Close()
	secure := httptest.NewUnstartedServer(nethttp.NotFoundHandler())
	secure.Config.ErrorLog = quiet()
	secure.StartTLS()
	defer secure.Close()
	refusing, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refusing.Close()
	tests := []struct {
		name, url string
		kind      NetworkKind
		client    nethttp.RoundTripper
	}{
		{"nobody listens", "http://" + refusing.Addr().String(), NetworkRefused, nil},
		{"https at an http port", "https://" + plain.Listener.Addr().String(), NetworkPlain, nil},
		{"an unknown certificate", secure.URL, NetworkTLS, nil},
		{"an unknown name", "http://name.example", NetworkName, failing{&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}}}},
		{"no connection in time", "http://slow.example", NetworkTimeout, failing{&net.OpError{Op: "dial", Err: context.DeadlineExceeded}}},
		{"the proxy", "http://far.example", NetworkProxy, failing{&net.OpError{Op: "proxyconnect", Err: errors.New("x")}}},
		{"anything", "http://odd.example", NetworkBroken, failing{errors.New("odd")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wiretest.NoLeaks(t, "parley/mcpclient")
			tr, rec := connect(t, Endpoint{URL: test.url + "/mcp?canary=1"}, Options{Client: test.client})
			send(t, tr, 1, "m", "", modern)
			f := rec.NextFailed(t)
			e, ok := errors.AsType[*NetworkError](f.Err)
			if !ok || e.Kind != test.kind || strings.Contains(e.Error(), "canary") {
				t.Errorf("failed with %#v (%v), want the kind %s", f.Err, f.Err, test.kind)
			}
			sentences(t, f.Err)
		})
	}
}

// failing is a RoundTripper that fails.
type failing struct{ err error }

func (f failing) RoundTrip(*nethttp.Request) (*nethttp.Response, error) { return nil, f.err }
