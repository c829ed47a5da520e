package hostile

import (
	"fmt"
	"os"
	"strings"
)

// big is a text nearly as long as a message may be.
func big() string { return strings.Repeat("x", heavyLimit-1024) }

// part is a text of an eighth of what a message may have.
func part() string { return strings.Repeat("m", heavyLimit/8) }

// twoPlaces are enough for most: a program and an address, an era each.
var twoPlaces = []string{"stdio modern", "stream legacy"}

// upTo is as many times the text as fit into a message, with a comma between.
func upTo(text string) string {
	return strings.TrimSuffix(strings.Repeat(text+",", (heavyLimit-1024)/(len(text)+1)), ",")
}

// counted is as many members as fit into a message, with keys of their own.
func counted() string { return many((heavyLimit-1024)/13, `"k$n":0`) }

// sizes are behaviours that are about memory: their server is a process of its
// own, and what lies in the heap is the client's.
var sizes = []behaviour{
	{name: "a reply fills the limit", heavy: true, say: sized(heavyLimit), want: "done", only: everywhere},
	{name: "a reply is ten times the limit", heavy: true, say: sized(10 * heavyLimit), want: "invalid client.transport.too_large", only: everywhere},
	{name: "a reply fills the limit with numbers", heavy: true, only: twoPlaces, say: func(t *talk) { t.result(`{"content":[` + upTo("1") + `]}`) }, want: "done"},
	{name: "a reply fills the limit with members", heavy: true, only: twoPlaces, say: func(t *talk) { t.result(`{` + counted() + `}`) }, want: "done"},
	{name: "a reply fills the limit with brackets", heavy: true, only: twoPlaces, say: func(t *talk) {
		t.result(`{"content":[` + strings.Repeat("[", heavyLimit/2-1024) + strings.Repeat("]", heavyLimit/2-1024) + `]}`)
	}, want: "invalid client.transport.not_a_message", at: spoilt},
	{name: "a reply fills the limit with a batch", heavy: true, only: twoPlaces, say: func(t *talk) {
		t.say(`[` + strings.ReplaceAll(fine, "$id", string(t.ID)) + `,` + upTo("{}") + `]`)
	}, want: "done"},
	{name: "replies that nobody waits for fill the limit 20 times", heavy: true, only: twoPlaces, say: func(t *talk) {
		for range 20 {
			t.say(`{"jsonrpc":"2.0","id":"nobody","result":"` + big() + `"}`)
		}
		t.fine()
	}, want: "done"},
	{name: "params fill the limit with members 5 times", heavy: true, only: twoPlaces, say: func(t *talk) {
		for _, method := range []string{"message", "progress", "cancelled", "elicitation/complete", "x"} {
			t.say(`{"jsonrpc":"2.0","method":"notifications/` + method + `","params":{` + counted() + `}}`)
		}
		t.fine()
	}, want: "done"},
	{name: "an error fills the limit", heavy: true, only: twoPlaces, say: func(t *talk) { fails(`{"code":1,"message":"` + big() + `"}`)(t) }, want: "rpc core.rpc.error"},

	{name: "a list fills the limit with empty tools", heavy: true, only: twoPlaces, on: "tools/list", say: func(t *talk) { t.result(`{"tools":[` + upTo("{}") + `]}`) },
		want: "done", notice: "core.notice.toolong", check: tools(0)},
	{name: "a list fills the limit with numbers", heavy: true, only: twoPlaces, on: "tools/list", say: func(t *talk) { t.result(`{"tools":[` + upTo("1") + `]}`) },
		want: "done", notice: "core.notice.toolong", check: tools(0)},
	{name: "pages fill the limit and never end", heavy: true, only: twoPlaces, on: "tools/list", say: func(t *talk) {
		t.result(`{"tools":[{"name":"t$id","description":"` + big()[:heavyLimit-4096] + `"}],"nextCursor":"$id"}`)
	}, want: "done", notice: "core.notice.toolong"},
	{name: "cursors fill the limit and never end", heavy: true, only: twoPlaces, on: "tools/list", say: func(t *talk) {
		t.result(`{"tools":[],"nextCursor":"$id` + big()[:heavyLimit/2] + `"}`)
	}, want: "done", notice: "core.notice.toolong"},

	{name: "a round fills the limit with questions", heavy: true, only: []string{"stdio modern", "stream modern"}, say: func(t *talk) {
		t.result(needs(many((heavyLimit-1024)/(len(formAsk)+12), `"k$n":`+formAsk), `"s"`))
	}, want: "invalid core.invalid.toomany"},
	{name: "a round fills the limit with members", heavy: true, only: []string{"stdio modern", "stream modern"}, say: func(t *talk) {
		t.result(needs(counted(), `"s"`))
	}, want: "invalid core.invalid.toomany"},
	{name: "a round asks with 199 schemas that fill the limit", heavy: true, only: []string{"stdio modern", "stream modern"}, say: func(t *talk) {
		if !t.note("asked") {
			t.fine()
			return
		}
		t.result(needs(many(199, `"k$n":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"title":"`+strings.Repeat("t", heavyLimit/200-200)+`"}}}`), ``))
	}, want: "done", questions: 199},
	{name: "a round sends a state of half the limit", heavy: true, only: []string{"stdio modern"}, say: func(t *talk) {
		if !t.note("asked") {
			t.fine()
			return
		}
		t.result(needs(``, `"`+big()[:heavyLimit/2]+`"`))
	}, want: "done"},
	{name: "an error asks for pages that fill the limit", heavy: true, only: twoPlaces, say: func(t *talk) {
		fails(required(many((heavyLimit-1024)/60, `{"url":"https://page.example/$n","message":"m"}`)))(t)
	}, want: "invalid core.invalid.toomany"},
	{name: "it asks and takes back 400 questions of a 40th of the limit", heavy: true, only: []string{"stdio legacy", "sse"}, reply: leaves, say: func(t *talk) {
		schema := `{"title":"` + strings.Repeat("t", heavyLimit/40) + `"}`
		for i := range 400 {
			t.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"m","requestedSchema":%s}}`, i, schema))
			t.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i))
		}
		t.fine()
	}, want: "done", questions: 400},
	{name: "progress has words of 20 times the limit while nobody looks", heavy: true, slow: true, only: []string{"stdio modern", "stream modern"}, say: func(t *talk) {
		words := part()
		for i := range 160 {
			t.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"message":"%s"}}`, t.token(), i, words))
		}
		t.fine()
	}, want: "done"},
	{name: "it pushes 100 questions of an eighth of the limit and leaves them", heavy: true, only: []string{"stdio legacy", "sse"}, reply: leaves, notice: "core.notice.toomany", say: func(t *talk) {
		schema := `{"title":"` + part() + `"}`
		for i := range 100 {
			t.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"m","requestedSchema":%s}}`, i, schema))
		}
		t.fine()
	}, want: "done", questions: anyNumber},

	{name: "it logs 20 times the limit while nobody looks", heavy: true, slow: true, only: []string{"stdio modern", "stream legacy"}, say: func(t *talk) {
		line := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + part() + `"}}`
		for range 160 {
			t.say(line)
		}
		t.fine()
	}, want: "done"},
	{name: "it logs 50,000 lines while nobody looks", heavy: true, slow: true, only: []string{"stdio modern"}, say: func(t *talk) {
		for range 50 {
			t.say(strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"m"}}`+"\n", 1_000), "\n"))
		}
		t.fine()
	}, want: "done"},
	{name: "lists change 20,000 times while nobody looks", heavy: true, slow: true, only: []string{"stdio legacy"}, say: func(t *talk) {
		for range 20 {
			t.say(strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n", 1_000), "\n"))
		}
		t.fine()
	}, want: "done"},
	{name: "it asks for sampling 20,000 times while nobody looks", heavy: true, slow: true, only: []string{"stdio legacy"}, say: func(t *talk) {
		for range 20 {
			t.say(strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{}}`+"\n", 1_000), "\n"))
		}
		t.fine()
	}, want: "done"},
	{name: "the program writes 20 times the limit of stray text while nobody looks", heavy: true, slow: true, run: func(p *program) {
		m := p.until("tools/call")
		line := strings.Repeat("stray ", 700) + "\n"
		for range 20 * heavyLimit / len(line) {
			p.write(line)
		}
		p.line(reply(m))
		p.goOn()
	}, only: []string{"stdio modern"}, want: "done"},
	{name: "the program writes 20 times the limit to its error output while nobody looks", heavy: true, slow: true, run: func(p *program) {
		m := p.until("tools/call")
		line := strings.Repeat("error ", 700) + "\n"
		for range 20 * heavyLimit / len(line) {
			os.Stderr.WriteString(line)
		}
		p.line(reply(m))
		p.goOn()
	}, only: []string{"stdio modern"}, want: "done"},
	{name: "the program writes a line of 10 times the limit", heavy: true, run: func(p *program) {
		m := p.until("tools/call")
		p.write(`{"jsonrpc":"2.0","result":{"content":["`)
		for range 80 {
			p.write(part())
		}
		p.line(`"]},"id":` + string(m.ID) + `}`)
		p.goOn()
	}, only: []string{"stdio modern"}, want: "invalid client.transport.too_large"},
	{name: "the program pretty-prints 20 times the limit", heavy: true, run: func(p *program) {
		m := p.until("tools/call")
		p.line("{\n\"jsonrpc\":\"2.0\",\n\"id\":" + string(m.ID) + ",\n\"result\":{\"content\":[")
		line := strings.Repeat("1,", 500) + "\n"
		for range 20 * heavyLimit / len(line) {
			p.write(line)
		}
		p.line("1]}\n}")
		p.goOn()
	}, only: []string{"stdio modern"}, want: "invalid client.transport.too_large"},

	{name: "the body is a gzip bomb of 20 times the limit", heavy: true, answer: func(x *exchange) {
		x.page("200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip", zipped(bombText(x.message, 20*heavyLimit)))
	}, want: "invalid client.transport.too_large"},
	{name: "a refusal has 10 times the limit", heavy: true, answer: func(x *exchange) {
		x.raw("HTTP/1.1 500 X\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n")
		for range 80 {
			if !x.raw(part()) {
				return
			}
		}
	}, want: "invalid client.transport.status.server"},
	{name: "an event has 20 times the limit over short lines", heavy: true, answer: func(x *exchange) {
		x.raw(streamHead)
		lines := strings.Repeat("data: 1,2,3,4,5,6,7,8,9\n", 40_000)
		for range 20 * heavyLimit / len(lines) {
			if !x.raw(lines) {
				return
			}
		}
	}, want: "invalid client.transport.too_large"},
	{name: "comments have 20 times the limit", heavy: true, answer: func(x *exchange) {
		x.raw(streamHead)
		lines := strings.Repeat(": "+strings.Repeat("c", 1000)+"\n", 1_000)
		for range 20 * heavyLimit / len(lines) {
			x.raw(lines)
		}
		x.raw("data: " + fine + "\n\n")
	}, want: "done"},
}
