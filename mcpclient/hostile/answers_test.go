package hostile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"

	"parley/mcpclient"
)

// answers are behaviours about one answer of HTTP: what its head says and how
// its body comes.
var answers = []behaviour{
	{name: "a web page comes instead", answer: page("200 OK\r\nContent-Type: text/html", "<!doctype html><script>alert(1)</script>"), want: "invalid client.transport.status.page"},
	{name: "a web page comes that calls itself JSON", answer: page("200 OK\r\nContent-Type: application/json", "<html>sign in</html>"), want: "invalid client.transport.reply.invalid"},
	{name: "the body is empty", answer: page("200 OK\r\nContent-Type: application/json", ""), want: "lost client.transport.reply.missing"},
	{name: "the body is white space", answer: page("200 OK\r\nContent-Type: application/json", strings.Repeat(" \n", 1000)), want: "lost client.transport.reply.missing"},
	{name: "the reply has no content type", answer: page("200 OK", fine), want: "done"},
	{name: "the reply calls itself an image", answer: page("200 OK\r\nContent-Type: image/png", fine), want: "done"},
	{name: "the content type is no type", answer: page("200 OK\r\nContent-Type: ;;=\"", fine), want: "done"},
	{name: "the content type has 100 KiB", answer: func(x *exchange) {
		x.page("200 OK\r\nContent-Type: application/json; x="+strings.Repeat("x", 100<<10), fine)
	}, want: "done"},
	{name: "the content type comes twice", answer: page("200 OK\r\nContent-Type: application/json\r\nContent-Type: text/html", fine), want: "done"},
	{name: "the charset is a lie", answer: page("200 OK\r\nContent-Type: application/json; charset=utf-16", fine), want: "done"},
	{name: "the body is UTF-16", answer: func(x *exchange) {
		x.page("200 OK\r\nContent-Type: application/json; charset=utf-16", "\xff\xfe"+strings.Join(strings.Split(strings.ReplaceAll(fine, "$id", string(x.ID)), ""), "\x00")+"\x00")
	}, want: "invalid client.transport.reply.invalid"},
	{name: "events call themselves JSON", answer: page("200 OK\r\nContent-Type: application/json", "data: "+fine+"\n\n"), want: "invalid client.transport.reply.invalid"},
	{name: "JSON calls itself events", answer: stream(fine), want: "lost client.transport.reply.missing"},

	{name: "the body is cut off in its length", answer: answered("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"), want: "lost client.transport.reply.cut"},
	{name: "the body is longer than it says", answer: answered("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 10\r\n\r\n" + fine), want: "invalid client.transport.reply.invalid"},
	{name: "the length is negative", answer: answered("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + fine), want: "lost client.transport.network.broken"},
	{name: "the length comes twice, differently", answer: answered("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 20\r\n\r\n" + fine), want: "lost client.transport.network.broken"},
	{name: "the length is larger than any computer", answer: answered("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9223372036854775807\r\n\r\n{"), want: "invalid client.transport.too_large"},
	{name: "a chunk is cut off", answer: answered("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n{"), want: "lost client.transport.reply.cut"},
	{name: "the length of a chunk is no number", answer: answered("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{"), want: "lost client.transport.reply.cut"},
	{name: "the length of a chunk is huge", answer: answered("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{"), want: "lost client.transport.reply.cut"},
	{name: "chunks have one byte each and extensions", answer: func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
		for _, c := range []byte(strings.ReplaceAll(fine, "$id", string(x.ID))) {
			fmt.Fprintf(x, "1;ext=\"%s\"\r\n%c\r\n", strings.Repeat("e", 10), c)
		}
		x.raw("0\r\n\r\n")
	}, want: "done"},
	{name: "trailers come that are huge", answer: func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
		x.chunk(strings.ReplaceAll(fine, "$id", string(x.ID)))
		x.raw("0\r\nX: " + strings.Repeat("x", 2<<20) + "\r\n\r\n")
	}, want: "lost client.transport.reply.cut"},
	{name: "the transfer coding is unknown", answer: answered("HTTP/1.1 200 OK\r\nTransfer-Encoding: quantum\r\n\r\n" + fine), want: "lost client.transport.network.broken"},

	{name: "the body is a gzip bomb", answer: func(x *exchange) {
		x.page("200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip", zipped(bombText(x.message, 8*lightLimit)))
	}, want: "invalid client.transport.too_large"},
	{name: "the body is gzip that breaks off", answer: func(x *exchange) {
		whole := zipped(bombText(x.message, 1000))
		x.page("200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip", whole[:len(whole)/2])
	}, want: "lost client.transport.reply.cut"},
	{name: "the body calls itself gzip", answer: page("200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip", fine), want: "lost client.transport.reply.cut"},
	{name: "the body is compressed as nobody asked", answer: page("200 OK\r\nContent-Type: application/json\r\nContent-Encoding: br", "xxxx"), want: "invalid client.transport.reply.encoding"},
	{name: "the body is compressed twice", answer: page("200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip, gzip", "xxxx"), want: "invalid client.transport.reply.encoding"},

	{name: "a header has 2 MiB", answer: func(x *exchange) { x.page("200 OK\r\nX: "+strings.Repeat("x", 2<<20), fine) }, want: "lost client.transport.network.broken"},
	{name: "headers never end", answer: func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n")
		for x.raw(strings.Repeat("X: y\r\n", 1000)) {
		}
	}, want: "lost client.transport.network.broken"},
	{name: "there are 10,000 headers", answer: func(x *exchange) {
		x.page("200 OK\r\nContent-Type: application/json"+strings.Repeat("\r\nX-Header: y", 10_000), fine)
	}, want: "done"},
	{name: "a header has no colon", answer: answered("HTTP/1.1 200 OK\r\nnonsense\r\n\r\n" + fine), want: "lost client.transport.network.broken"},
	{name: "a header holds NUL bytes", answer: answered("HTTP/1.1 200 OK\r\nX: a\x00b\r\n\r\n" + fine), want: "lost client.transport.network.broken"},
	{name: "headers end with bare line feeds", answer: func(x *exchange) {
		body := strings.ReplaceAll(fine, "$id", string(x.ID))
		x.raw(fmt.Sprintf("HTTP/1.1 200 OK\nContent-Type: application/json\nConnection: close\nContent-Length: %d\n\n%s", len(body), body))
	}, want: "done"},
	{name: "it answers as HTTP/0.9 did", answer: answered(fine), want: "lost client.transport.network.broken"},
	{name: "it answers as no HTTP ever did", answer: answered("HTTP/9.9 two hundred\r\n\r\n"), want: "lost client.transport.network.broken"},
	{name: "it answers in the words of another protocol", answer: answered("SSH-2.0-OpenSSH_9.9\r\n\x00\x01\x02"), want: "lost client.transport.network.broken"},
	{name: "it answers in TLS", answer: answered("\x15\x03\x01\x00\x02\x02\x46"), want: "lost client.transport.network.broken"},
	{name: "it closes without an answer", answer: func(*exchange) {}, want: "lost client.transport.network.broken"},
	{name: "it breaks the connection off without an answer", answer: (*exchange).reset, want: "lost client.transport.network.broken"},
	{name: "it breaks the connection off within the body", answer: func(x *exchange) {
		x.raw(jsonHead + `{"jsonrpc":"2.0",`)
		x.reset()
	}, want: "lost client.transport.reply.cut", at: map[string]string{"stream": "lost client.transport.reply.cut|lost client.transport.network.broken"}},
	{name: "it answers twice", answer: func(x *exchange) {
		body := strings.ReplaceAll(fine, "$id", string(x.ID))
		one := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		x.raw(one + one)
	}, want: "done"},
	{name: "it answers byte by byte", answer: func(x *exchange) {
		body := strings.ReplaceAll(fine, "$id", string(x.ID))
		for _, c := range []byte(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body)) {
			x.raw(string(c))
		}
	}, want: "done"},
	{name: "the head never ends", answer: func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\nContent-Type: appl")
		x.untilGone()
	}, want: "timeout core.fail.silent", setUp: impatient},
	{name: "the body stops in the middle", answer: func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
		x.untilGone()
	}, want: "timeout core.fail.silent", setUp: impatient},
	{name: "the body never ends", answer: func(x *exchange) {
		x.raw(jsonHead + `{"jsonrpc":"2.0","id":$id,"result":{"content":["`)
		for x.raw(strings.Repeat("x", 1<<16)) {
		}
	}, want: "invalid client.transport.too_large"},
	{name: "four informational answers come before the reply", answer: func(x *exchange) {
		x.raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 199 X\r\n\r\n")
		x.page("200 OK\r\nContent-Type: application/json", fine)
	}, want: "done"},
	{name: "informational answers never end", answer: func(x *exchange) {
		for x.raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") {
		}
	}, want: "lost client.transport.network.broken"},
	{name: "it switches protocols", answer: func(x *exchange) {
		x.raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05hello")
		x.untilGone()
	}, want: "invalid client.transport.status.unexpected"},
	{name: "the reply gives a new session", answer: page("200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: another", fine), want: "done"},

	{name: "the session id has 500 KiB", on: "initialize", answer: withSession(strings.Repeat("s", 500<<10)), want: "connected legacy"},
	{name: "the session id holds control characters", on: "initialize", answer: withSession("a\x01b\x7f"), want: "lost client.transport.network.broken"},
	{name: "the session id is spaces", on: "initialize", answer: withSession("a b c"), want: "connected legacy"},
	{name: "initialized is refused with a page", on: "notifications/initialized", answer: page("500 X\r\nContent-Type: text/html", "<html>"), want: "connected"},
	{name: "initialized is never answered", on: "notifications/initialized", answer: func(x *exchange) { x.untilGone() }, want: "connected"},
	{name: "initialized is answered with a stream that does not end", on: "notifications/initialized", answer: func(x *exchange) {
		x.raw(streamHead + begun)
		x.untilGone()
	}, want: "connected"},
	{name: "the end of the session is never answered", on: "DELETE", answer: func(x *exchange) { x.untilGone() }, want: "done"},
	{name: "the end of the session is answered with a flood", on: "DELETE", answer: func(x *exchange) {
		x.raw(jsonHead)
		for x.raw(strings.Repeat("x", 1<<16)) {
		}
	}, want: "done"},

	{name: "discover is answered with a page", on: "server/discover", answer: page("200 OK\r\nContent-Type: text/html", "<html>"), want: "lost client.transport.status.page"},
	{name: "discover is answered with garbage", on: "server/discover", answer: answered("garbage\r\n\r\n"), want: "lost client.transport.network.broken"},
	{name: "discover is not answered", on: "server/discover", answer: func(*exchange) {}, want: "lost client.transport.network.broken"},
}

// impatient lets a play of a silent server end soon.
func impatient(s *mcpclient.Server) { s.Silence = shortSilence }

// withSession answers initialize with a session id.
func withSession(id string) func(*exchange) {
	return page("200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: "+id, `{"jsonrpc":"2.0","id":$id,"result":`+initialized+`}`)
}

// bombText is a reply that holds n zeros.
func bombText(m message, n int) string {
	return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"content":[],"x":"` + strings.Repeat("0", n) + `"}}`
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// statuses are a behaviour for every status of interest, twice: with no body,
// and with one that would be a good reply.
func statuses() []behaviour {
	var all []behaviour
	for _, s := range []struct {
		status      int
		empty, full string
	}{
		{201, missing, "done"}, {202, missing, "done"}, {203, missing, "done"}, {206, missing, "done"}, {226, missing, "done"}, {299, missing, "done"},
		{204, missing, missing}, {205, missing, "done"},
		{300, unexpected, unexpected}, {301, nowhere, nowhere}, {302, nowhere, nowhere}, {303, nowhere, nowhere}, {304, unexpected, unexpected},
		{305, unexpected, unexpected}, {307, nowhere, nowhere}, {308, nowhere, nowhere}, {399, unexpected, unexpected},
		{400, other, other}, {401, status("unauthorized"), status("unauthorized")}, {402, other, other}, {403, status("forbidden"), status("forbidden")},
		{405, untaken, untaken}, {406, other, other}, {407, status("proxy"), status("proxy")}, {408, other, other}, {409, other, other},
		{410, untaken, untaken}, {413, status("too_large"), status("too_large")}, {415, other, other}, {418, other, other}, {421, other, other},
		{425, other, other}, {426, other, other}, {429, status("busy"), status("busy")}, {431, other, other}, {451, other, other}, {499, other, other},
		{500, status("server"), status("server")}, {501, status("server"), status("server")}, {502, status("server"), status("server")},
		{503, status("server"), status("server")}, {504, status("server"), status("server")}, {511, status("server"), status("server")},
		{599, status("server"), status("server")}, {600, status("server"), status("server")}, {999, status("server"), status("server")},
	} {
		head := fmt.Sprintf("%d Status\r\nContent-Type: application/json", s.status)
		all = append(all,
			behaviour{name: fmt.Sprintf("status %d comes without a body", s.status), answer: page(head, ""), want: s.empty},
			behaviour{name: fmt.Sprintf("status %d comes with a reply", s.status), answer: page(head, fine), want: s.full})
	}
	return all
}

const (
	missing    = "lost client.transport.reply.missing"
	nowhere    = "lost client.transport.redirect.nowhere"
	unexpected = "invalid client.transport.status.unexpected"
	other      = "invalid client.transport.status.other"
	untaken    = "invalid core.fail.status"
)

func status(key string) string { return "invalid client.transport.status." + key }

// redirects are behaviours that send the client elsewhere.
var redirects = []behaviour{
	{name: "it redirects in a circle", answer: redirected(307, "/mcp"), want: "lost client.transport.redirect.loop"},
	{name: "it redirects within the origin", answer: func(x *exchange) {
		if x.note("sent on") {
			redirected(308, "/mcp?there=1#part")(x)
			return
		}
		x.page("200 OK\r\nContent-Type: application/json", fine)
	}, want: "done"},
	{name: "it redirects to another origin", trapped: true, answer: toTrap(307, "http://%s/mcp"), want: "lost client.transport.redirect.elsewhere"},
	{name: "it redirects to another origin, to be asked by GET", trapped: true, answer: toTrap(303, "http://%s/mcp"), want: "lost client.transport.redirect.elsewhere"},
	{name: "it redirects to another origin without a scheme", trapped: true, answer: toTrap(308, "//%s/mcp"), want: "lost client.transport.redirect.elsewhere"},
	{name: "it redirects to another origin behind a name that looks like it", trapped: true, answer: toTrap(307, "http://127.0.0.1@%s/mcp"), want: nowhere},
	{name: "it redirects with a refresh header", trapped: true, answer: func(x *exchange) {
		x.page("200 OK\r\nContent-Type: application/json\r\nRefresh: 0; url=http://"+x.server.trap+"/\r\nLink: <http://"+x.server.trap+"/>; rel=preload", fine)
	}, want: "done"},
	{name: "it redirects from POST to GET", answer: redirected(302, "/mcp"), want: "lost client.transport.redirect.elsewhere"},
	{name: "it redirects to a file", answer: redirected(307, "file:///etc/passwd"), want: nowhere},
	{name: "it redirects to a script", answer: redirected(307, "javascript:alert(1)"), want: nowhere},
	{name: "it redirects to credentials", answer: func(x *exchange) { redirected(307, "http://user:password@"+x.request.Host+"/mcp")(x) }, want: nowhere},
	{name: "it redirects to control characters", answer: redirected(307, "http://\x01\x02/"), want: "lost client.transport.network.broken"},
	{name: "it redirects to 500 KiB", answer: func(x *exchange) { redirected(307, "http://x.example/"+strings.Repeat("x", 500<<10))(x) }, want: "lost client.transport.redirect.elsewhere"},
	{name: "discover is redirected to another origin", on: "server/discover", trapped: true, answer: toTrap(307, "http://%s/mcp"), want: "lost client.transport.redirect.elsewhere"},
}

func redirected(status int, to string) func(*exchange) {
	return page(fmt.Sprintf("%d Elsewhere\r\nLocation: %s", status, to), "")
}

// toTrap redirects to the address where nothing may arrive.
func toTrap(status int, to string) func(*exchange) {
	return func(x *exchange) { redirected(status, fmt.Sprintf(to, x.server.trap))(x) }
}
