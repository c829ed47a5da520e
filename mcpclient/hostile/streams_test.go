package hostile

import (
	"fmt"
	"strings"
)

// streams are behaviours about the event stream that answers a call.
var streams = []behaviour{
	{name: "an event never ends", answer: func(x *exchange) {
		x.raw(streamHead + `data: {"jsonrpc":"2.0","id":$id,"result":{"content":[` + "\n")
		for x.raw(strings.Repeat("data: 1,\n", 1000)) {
		}
	}, want: "invalid client.transport.too_large"},
	{name: "a line of an event never ends", answer: func(x *exchange) {
		x.raw(streamHead + `data: {"jsonrpc":"2.0","id":$id,"result":{"content":["`)
		for x.raw(strings.Repeat("x", 1<<16)) {
		}
	}, want: "invalid client.transport.too_large"},
	{name: "an event has 200,000 empty lines of data", answer: func(x *exchange) {
		x.raw(streamHead + strings.Repeat("data\n", 200_000) + "data: " + fine + "\n\n")
	}, want: "done"},
	{name: "200,000 comments come before the reply", answer: func(x *exchange) {
		x.raw(streamHead + strings.Repeat(":\n", 200_000) + "data: " + fine + "\n\n")
	}, want: "done"},
	{name: "comments come for ever", answer: func(x *exchange) {
		x.raw(streamHead + begun)
		for x.raw(strings.Repeat(": still here\n", 1000)) {
		}
	}, want: "cancelled core.fail.cancelled", cancels: true},
	{name: "events come for ever", answer: func(x *exchange) {
		x.raw(streamHead)
		for x.raw(strings.Repeat(begun, 100)) {
		}
	}, want: "cancelled core.fail.cancelled", cancels: true},
	{name: "nothing comes for ever", answer: func(x *exchange) {
		x.raw(streamHead + begun)
		x.untilGone()
	}, want: "cancelled core.fail.cancelled", cancels: true},
	{name: "retry is huge, negative and nonsense", answer: stream("retry: 999999999999999999999\nretry: -1\nretry: NaN\nretry: 4294967295\nretry\n\ndata: " + fine + "\n\n"), want: "done"},
	{name: "an id holds NUL, and another 100 KiB", answer: func(x *exchange) {
		x.raw(streamHead + "id: a\x00b\n\nid: " + strings.Repeat("i", 100<<10) + "\n\nid: a\r\rdata: " + fine + "\n\n")
	}, want: "done"},
	{name: "events are of types that nobody knows", answer: stream("event: ping\ndata: " + fine + "\n\nevent: endpoint\ndata: http://elsewhere.example/\n\nevent: message\ndata: " + fine + "\n\n"), want: "done"},
	{name: "the reply is an event of another type", answer: stream("event: result\ndata: " + fine + "\n\n"), want: missing},
	{name: "an event comes byte by byte", answer: func(x *exchange) {
		x.raw(streamHead)
		for _, c := range []byte(strings.ReplaceAll("data: "+fine+"\n\n", "$id", string(x.ID))) {
			x.raw(string(c))
		}
	}, want: "done"},
	{name: "a byte order mark begins the stream", answer: stream("\xEF\xBB\xBFdata: " + fine + "\n\n"), want: "done"},
	{name: "lines of events end with CR alone", answer: stream("data: " + fine + "\r\r"), want: "done"},
	{name: "lines of events end in every way", answer: stream("event: message\r\ndata:" + fine + "\n\r"), want: "done"},
	{name: "the reply is data over 5 lines", answer: stream("data: {\"jsonrpc\":\ndata:\"2.0\",\ndata: \"id\":$id,\ndata\ndata: \"result\":" + fineResult + "}\n\n"), want: "done"},
	{name: "the blank line after the reply is missing", answer: stream("data: " + fine), want: "done"},
	{name: "the stream ends in the middle of the reply", answer: stream(`data: {"jsonrpc":"2.0","id":$id,"result":{`), want: missing},
	{name: "the stream ends without the reply", answer: stream(begun), want: missing},
	{name: "the stream ends after an event that has an id", answer: stream("id: 7\n" + begun), want: missing, at: map[string]string{"legacy": "lost client.transport.reply.cut"}},
	{name: "the stream holds the reply to another request", answer: stream("data: {\"jsonrpc\":\"2.0\",\"id\":\"other\",\"result\":{}}\n\n"), want: missing},
	{name: "the stream does not end after the reply", answer: func(x *exchange) {
		x.raw(streamHead + "data: " + fine + "\n\n")
		x.untilGone()
	}, want: "done"},
	{name: "the stream floods after the reply", answer: func(x *exchange) {
		x.raw(streamHead + "data: " + fine + "\n\n")
		for x.raw(strings.Repeat(begun, 1000)) {
		}
	}, want: "done"},
	{name: "questions and errors come after the reply", answer: stream("data: " + fine + "\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"elicitation/create\",\"params\":" + pushParams + "}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":1}}\n\n"), want: "done"},
	{name: "the stream is broken off", answer: func(x *exchange) {
		x.raw(streamHead + begun)
		x.reset()
	}, want: "lost client.transport.reply.cut", at: map[string]string{"stream": "lost client.transport.reply.cut|lost client.transport.network.broken"}},
	{name: "the stream is gzip", answer: func(x *exchange) {
		x.page("200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip", zipped(strings.ReplaceAll("data: "+fine+"\n\n", "$id", string(x.ID))))
	}, want: "done"},
	{name: "the stream is a gzip bomb", answer: func(x *exchange) {
		x.page("200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip", zipped("data: "+bombText(x.message, 8*lightLimit)+"\n\n"))
	}, want: "invalid client.transport.too_large"},
	{name: "the stream is text that is no events", answer: func(x *exchange) { x.raw(streamHead + strings.Repeat("lorem ipsum\n\n", 10_000)) }, want: missing},
}

// listeners are behaviours about the stream of what a server of 2025 sends
// outside requests, and about the one stream of the old transport.
var listeners = []behaviour{
	{name: "the stream to listen to ends at once, again and again", on: "listening", answer: stream(""), want: "connected"},
	{name: "the stream to listen to wants no pause and ends at once", on: "listening", answer: stream("retry: 0\n\n"), want: "connected"},
	{name: "the stream to listen to is a page", on: "listening", answer: page("200 OK\r\nContent-Type: text/html", "<html>"), want: "connected"},
	{name: "the stream to listen to is refused with 500", on: "listening", answer: page("500 X", ""), want: "connected"},
	{name: "the stream to listen to is refused with 401", on: "listening", answer: page("401 X\r\nWWW-Authenticate: Bearer", ""), want: "connected"},
	{name: "the stream to listen to is garbage", on: "listening", answer: answered("garbage"), want: "connected"},
	{name: "the stream to listen to is never answered", on: "listening", answer: func(x *exchange) { x.untilGone() }, want: "connected"},
	{name: "the stream to listen to is elsewhere", on: "listening", trapped: true, answer: toTrap(302, "http://%s/mcp"), want: "connected"},
	{name: "the stream to listen to holds an event over the limit", on: "listening", answer: func(x *exchange) {
		x.raw(streamHead + "data: " + strings.Repeat("x", 2*lightLimit) + "\n\n" + begun)
		x.untilGone()
	}, want: "connected", notice: "core.notice.stray"},
	{name: "the stream to listen to holds an event that never ends", on: "listening", answer: func(x *exchange) {
		x.raw(streamHead)
		for x.raw("data: " + strings.Repeat("x", 1<<16) + "\n") {
		}
	}, want: "connected", notice: "core.notice.stray"},
	{name: "the stream to listen to answers everything with an error", on: "listening", want: "connected", say: func(t *talk) {
		t.storm(1_000, `{"jsonrpc":"2.0","id":"$n","error":{"code":1,"message":"m"}}`)
	}, never: []string{"stdio"}},

	{name: "the address for messages is elsewhere", on: "GET", only: []string{"sse"}, trapped: true,
		answer: func(x *exchange) { stream("event: endpoint\ndata: http://" + x.server.trap + "/m\n\n")(x) }, want: "lost client.transport.endpoint.elsewhere"},
	{name: "the address for messages is a script", on: "GET", only: []string{"sse"}, answer: stream("event: endpoint\ndata: javascript:alert(1)\n\n"), want: "lost client.transport.endpoint.invalid"},
	{name: "the address for messages has a password", on: "GET", only: []string{"sse"}, answer: func(x *exchange) {
		stream("event: endpoint\ndata: http://a:b@" + x.request.Host + "/m\n\n")(x)
	}, want: "lost client.transport.endpoint.invalid"},
	{name: "the address for messages is empty", on: "GET", only: []string{"sse"}, answer: stream("event: endpoint\ndata: http://[\n\n"), want: "lost client.transport.endpoint.invalid"},
	{name: "the address for messages never comes", on: "GET", only: []string{"sse"}, answer: func(x *exchange) {
		x.raw(streamHead + ": wait\n\n")
		x.untilGone()
	}, want: "lost client.transport.endpoint.missing"},
	{name: "the one stream is JSON", on: "GET", only: []string{"sse"}, answer: page("200 OK\r\nContent-Type: application/json", "{}"), want: "lost client.transport.status.unexpected"},
	{name: "the one stream is a page", on: "GET", only: []string{"sse"}, answer: page("404 X\r\nContent-Type: text/html", "<html>"), want: "lost client.transport.status.not_here"},
	{name: "the one stream ends before the address", on: "GET", only: []string{"sse"}, answer: stream(": bye\n\n"), want: "lost client.transport.stream_lost"},
	{name: "the one stream ends within a call", only: []string{"sse"}, answer: func(x *exchange) {
		x.page("202 Accepted", "")
		x.endEvents()
	}, want: "lost client.transport.stream_lost", after: "lost client.transport.stream_lost"},
	{name: "a message is refused at the old address", only: []string{"sse"}, answer: page("500 X\r\nContent-Type: text/html", "<html>"), want: "invalid client.transport.status.server"},
	{name: "a message is never answered at the old address", only: []string{"sse"}, answer: func(x *exchange) {
		x.toEvents(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, x.ID, fineResult))
		x.untilGone()
	}, want: "done"},
}

// endEvents ends the stream of the old transport.
func (x *exchange) endEvents() {
	x.address.mu.Lock()
	defer x.address.mu.Unlock()
	x.events.Conn.Close()
}
