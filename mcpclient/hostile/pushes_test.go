package hostile

import (
	"encoding/json"
	"fmt"
	"strings"

	"parley/mcpclient"
)

// pushed are the places where a server can send requests of its own within a
// call: those of 2025 that have a stream.
var pushed = []string{"stdio legacy", "stream legacy", "sse"}

const pushParams = `{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`

// pushes are behaviours about what a server sends that is no reply: requests,
// questions and notifications.
var pushes = []behaviour{
	{name: "it pushes a question without params", only: pushed, want: "done", notice: "core.notice.badpush", say: func(t *talk) {
		await := t.expect(`"p"`)
		t.say(`{"jsonrpc":"2.0","id":"p","method":"elicitation/create"}`)
		t.verdict(code(await()) == -32602)
	}},
	{name: "it pushes a question with params that are null", only: pushed, want: "done", notice: "core.notice.badpush", say: refused(`null`)},
	{name: "it pushes a question with params that are an array", only: pushed, want: "done", notice: "core.notice.badpush", say: refused(`["m"]`)},
	{name: "it pushes a question with a message that is a number", only: pushed, want: "done", notice: "core.notice.badpush", say: refused(`{"message":7}`)},
	{name: "it pushes a question of a mode that nobody knows", only: pushed, want: "done", notice: "core.notice.badpush", say: later(func() func(*talk) { return refused(`{"mode":"` + strings.Repeat("x", 100<<10) + `","message":"m"}`) })},
	{name: "it pushes a page without an address", only: pushed, want: "done", notice: "core.notice.badpush", say: refused(`{"mode":"url","message":"m"}`)},
	{name: "it pushes a question and takes the answer", only: pushed, want: "done", questions: 1, say: func(t *talk) {
		t.verdict(string(t.ask(`"p"`, "elicitation/create", pushParams).Result) == `{"action":"decline"}`)
	}},
	{name: "it pushes a question whose id is a number of 1,000 digits", only: pushed, want: "done", questions: 1, say: func(t *talk) {
		t.verdict(string(t.ask(strings.Repeat("7", 1000), "elicitation/create", pushParams).Result) == `{"action":"decline"}`)
	}},
	{name: "it pushes a question whose id is the empty text", only: pushed, want: "done", questions: 1, say: func(t *talk) {
		t.verdict(string(t.ask(`""`, "elicitation/create", pushParams).Result) == `{"action":"decline"}`)
	}},
	{name: "it pushes a question whose id is that of the call", only: pushed, want: "done", questions: 1, say: func(t *talk) {
		t.verdict(string(t.ask(string(t.ID), "elicitation/create", pushParams).Result) == `{"action":"decline"}`)
	}},
	{name: "it pushes a question whose id is null", only: pushed, want: "done",
		say: first(`{"jsonrpc":"2.0","id":null,"method":"elicitation/create","params":` + pushParams + `}`)},
	{name: "it pushes schemas that are bombs", only: []string{"stdio legacy"}, want: "done", questions: 6, say: func(t *talk) {
		for i, s := range []string{circleSchema(), deepSchema(), wideSchema(), choiceSchema(), patternSchema(), laughSchema()} {
			t.ask(fmt.Sprint(i), "elicitation/create", `{"message":"m","requestedSchema":`+s+`}`)
		}
		t.fine()
	}},
	{name: "it pushes 500 questions at once and ends the call", only: pushed, want: "done", questions: mcpclient.MaxOpen, reply: leaves, notice: "core.notice.toomany", say: func(t *talk) {
		last := t.expect("499")
		t.storm(500, `{"jsonrpc":"2.0","id":$n,"method":"elicitation/create","params":`+pushParams+`}`)
		t.verdict(code(last()) == -32603)
	}},
	{name: "it pushes a question and exits the call without the answer", only: pushed, want: "done", questions: 1, reply: leaves,
		say: first(`{"jsonrpc":"2.0","id":"p","method":"elicitation/create","params":` + pushParams + `}`)},
	{name: "it pushes two questions with one id at once", only: pushed, want: "done", questions: 1, reply: leaves,
		say: later(func() func(*talk) {
			return first(strings.Split(strings.Repeat(`{"jsonrpc":"2.0","id":"p","method":"elicitation/create","params":`+pushParams+"}\n", 2)+`{"jsonrpc":"2.0","method":"notifications/x"}`, "\n")...)
		})},
	{name: "it pushes a question with the id of one that was answered", only: pushed, want: "done", questions: 2, say: func(t *talk) {
		t.ask(`"p"`, "elicitation/create", pushParams)
		t.verdict(string(t.ask(`"p"`, "elicitation/create", pushParams).Result) == `{"action":"decline"}`)
	}},
	{name: "it takes a question back at once", only: pushed, want: "done", questions: 1, reply: leaves,
		say: later(func() func(*talk) {
			return first(`{"jsonrpc":"2.0","id":"p","method":"elicitation/create","params":`+pushParams+`}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"p","reason":"`+strings.Repeat(`\u202e`, 50<<10)+`"}}`)
		})},
	{name: "it pushes a question after the end of the call", only: []string{"stdio legacy", "sse"}, want: "done", questions: 1,
		say: says(fine, `{"jsonrpc":"2.0","id":"p","method":"elicitation/create","params":`+pushParams+`}`)},
	{name: "it pushes 100 questions while the client listens", on: "listening", only: []string{"stdio", "stream", "sse"}, want: "connected", questions: 100, say: func(t *talk) {
		t.storm(100, `{"jsonrpc":"2.0","id":$n,"method":"elicitation/create","params":`+pushParams+`}`)
	}},
	{name: "it pushes a question before it is initialized", on: "initialize", only: pushed, want: "connected legacy", questions: 1, say: func(t *talk) {
		t.say(`{"jsonrpc":"2.0","id":"p","method":"elicitation/create","params":` + pushParams + `}`)
		t.result(initialized)
	}},
	{name: "it asks for the same page twice in a call", only: pushed, want: "done", questions: 1, polling: true, reply: opens, say: func(t *talk) {
		page := `{"mode":"url","message":"m","url":"https://page.example/","elicitationId":"e"}`
		one := t.ask(`"p"`, "elicitation/create", page)
		two := t.ask(`"q"`, "elicitation/create", page)
		t.verdict(string(one.Result) == `{"action":"accept"}` && string(two.Result) == `{"action":"accept"}`)
	}},
	{name: "it asks to open a script", only: pushed, want: "done", questions: 1, say: func(t *talk) {
		t.verdict(string(t.ask(`"p"`, "elicitation/create", `{"mode":"url","message":"m","url":"javascript:alert(1)","elicitationId":"e"}`).Result) == `{"action":"decline"}`)
	}},

	{name: "it asks for sampling, roots and nonsense 500 times", only: pushed, want: "done", notice: "core.notice.unoffered", say: func(t *talk) {
		last := t.expect(`"x499"`)
		t.storm(500, `{"jsonrpc":"2.0","id":"s$n","method":"sampling/createMessage","params":{}}`)
		t.storm(500, `{"jsonrpc":"2.0","id":"r$n","method":"roots/list"}`)
		t.storm(500, `{"jsonrpc":"2.0","id":"x$n","method":"`+strings.Repeat("no", 50)+`"}`)
		t.verdict(code(last()) == -32601)
	}},
	{name: "it calls the client's own tools", only: pushed, want: "done", notice: "core.notice.unoffered", say: func(t *talk) {
		t.verdict(code(t.ask(`"p"`, "tools/call", `{"name":"attack"}`)) == -32601 && code(t.ask(`"q"`, "initialize", `{}`)) == -32601)
	}},
	{name: "it pings 1,000 times", only: pushed, want: "done", say: func(t *talk) {
		last := t.expect("999")
		t.storm(1_000, `{"jsonrpc":"2.0","id":$n,"method":"ping"}`)
		t.verdict(string(last().Result) == "{}")
	}},
	{name: "it makes a request whose id is null", say: first(`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"sampling/createMessage"}`), want: "done"},
	{name: "it makes requests whose ids are objects", say: first(`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":[1],"method":"ping"}`), want: "done", notice: "core.notice.stray"},

	{name: "it logs 4,000 lines", want: "done", say: func(t *talk) {
		t.storm(4_000, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","logger":"l","data":"line $n"}}`)
		t.fine()
	}},
	{name: "it logs what is no log", want: "done", say: first(`{"jsonrpc":"2.0","method":"notifications/message"}`, `{"jsonrpc":"2.0","method":"notifications/message","params":null}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":[]}`, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":7,"logger":{},"data":null}}`)},
	{name: "progress comes 4,000 times", want: "done", say: func(t *talk) {
		t.storm(4_000, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`+t.token()+`,"progress":$n,"message":"m"}}`)
		t.fine()
	}},
	{name: "progress runs backwards, stands still and is no number", want: "done", say: func(t *talk) {
		for _, n := range []string{"5", "4", "5", "-1", `"6"`, "null", "1e999", "1e-999", "[7]", strings.Repeat("9", 1000), "0.5"} {
			t.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + t.token() + `,"progress":` + n + `,"total":` + n + `}}`)
		}
		t.fine()
	}, check: progressed},
	{name: "progress is of calls that nobody made", want: "done", say: first(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"","progress":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":null,"progress":1}}`, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"call-x-1","progress":1}}`)},
	{name: "progress goes on after the end", want: "done", say: func(t *talk) {
		t.fine()
		t.storm(100, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`+t.token()+`,"progress":$n}}`)
	}},
	{name: "lists change 4,000 times", want: "done", say: func(t *talk) {
		t.storm(4_000, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		t.fine()
	}},
	{name: "resources that nobody asked about are updated", want: "done", say: first(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":7}}`, `{"jsonrpc":"2.0","method":"notifications/resources/updated"}`)},
	{name: "it cancels what nobody knows 1,000 times", want: "done", say: func(t *talk) {
		t.storm(1_000, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"$n"}}`)
		t.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`)
		t.fine()
	}},
	{name: "it cancels the client's own call", say: first(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":$id}}`), want: "done"},
	{name: "pages are done that nobody opened, 1,000 times", want: "done", say: func(t *talk) {
		t.storm(1_000, `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"$n"}}`)
		t.say(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete"}`, `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":null}}`)
		t.fine()
	}},
	{name: "notifications have methods that are empty, huge or no text", want: "done",
		say: later(func() func(*talk) {
			return first(`{"jsonrpc":"2.0","method":""}`, `{"jsonrpc":"2.0","method":7}`, `{"jsonrpc":"2.0","method":{"a":1}}`, `{"jsonrpc":"2.0","method":"`+strings.Repeat("x", 500<<10)+`"}`)
		})},
	{name: "notifications without the version go by", want: "done", say: first(`{"method":"notifications/cancelled"}`, `{"jsonrpc":"1.0","method":"ping","id":1}`), notice: "core.notice.stray"},
	{name: "subscriptions are acknowledged that nobody made", want: "done", say: first(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":null}}`)},
	{name: "it never answers", say: func(t *talk) { t.begin(); <-t.over }, want: "cancelled core.fail.cancelled", cancels: true, only: []string{"stdio", "stream", "sse"}},
	{name: "it never answers and is given up", say: func(t *talk) { <-t.over }, want: "timeout core.fail.silent", only: []string{"stdio", "stream", "sse"},
		setUp: func(s *mcpclient.Server) { s.Silence = shortSilence }},
}

// leaves answers nothing.
func leaves(mcpclient.Elicitation) *mcpclient.Answer { return nil }

// code is the code of the error that the client replied with, 0 for none.
func code(m message) int {
	var e struct{ Code int }
	json.Unmarshal(m.Error, &e)
	return e.Code
}

// refused pushes a question with these params, which the client must refuse as
// invalid.
func refused(params string) func(*talk) {
	return func(t *talk) { t.verdict(code(t.ask(`"p"`, "elicitation/create", params)) == -32602) }
}

// progressed checks that no progress was believed but the first and what grew.
func progressed(p *play) error {
	for _, c := range p.client.Calls() {
		if c.Name == attack && (c.Progress == nil || c.Progress.Progress != "5" && len(c.Progress.Progress) != 1000) {
			return fmt.Errorf("the progress is %+v", c.Progress)
		}
	}
	return nil
}
