package hostile

import (
	"fmt"
	"strings"
	"time"

	"parley/consent"
	"parley/forms"
	"parley/mcpclient"
)

// What a round asks.
const (
	formAsk = `{"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`
	pageAsk = `{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://page.example/a","elicitationId":"e1"}}`
)

// modernOnly are the places of the era that has rounds.
var modernOnly = []string{"stdio modern", "stream modern", "body modern"}

// rounds are behaviours about results that ask for input, and about the errors
// that ask for pages to be opened.
var rounds = []behaviour{
	{name: "it needs input but asks for nothing", only: modernOnly, say: results(`{"resultType":"input_required","inputRequests":null,"requestState":null}`), want: "invalid core.invalid.neither"},
	{name: "inputRequests is an array", only: modernOnly, say: results(`{"resultType":"input_required","inputRequests":[` + formAsk + `]}`), want: "invalid core.invalid.requests"},
	{name: "inputRequests is text", only: modernOnly, say: results(`{"resultType":"input_required","inputRequests":"please"}`), want: "invalid core.invalid.requests"},
	{name: "inputRequests is empty", only: modernOnly, say: onceThen(needs(``, ``), ``, ``), want: "done"},
	{name: "inputRequests has as many entries as may be open", only: modernOnly, say: later(func() func(*talk) {
		return onceThen(needs(many(mcpclient.MaxOpen, `"k$n":`+formAsk), `"s"`), `"k199":{"action":"decline"}`, `"s"`)
	}), want: "done", questions: mcpclient.MaxOpen},
	{name: "inputRequests has one entry too many", only: modernOnly, say: later(func() func(*talk) { return results(needs(many(mcpclient.MaxOpen+1, `"k$n":`+formAsk), `"s"`)) }), want: "invalid core.invalid.toomany"},
	{name: "inputRequests has 5,000 entries", only: modernOnly, say: later(func() func(*talk) { return results(needs(many(5_000, `"k$n":`+formAsk), `"s"`)) }), want: "invalid core.invalid.toomany"},
	{name: "inputRequests has a key twice", only: modernOnly, say: onceThen(needs(`"k":7,"k":`+formAsk, `"s"`), `{"k":{"action":"decline"}}`, `"s"`), want: "done", questions: 1},
	{name: "inputRequests has keys that are empty, proto, lone surrogates and controls", only: modernOnly, want: "done", questions: 5,
		say: onceThen(needs(`"":`+formAsk+`,"__proto__":`+formAsk+`,"\ud800":`+formAsk+`,"\udc00":`+formAsk+`,"\u0000\n":`+formAsk, `"s"`),
			`{"":{"action":"decline"},"__proto__":{"action":"decline"},"\ud800":{"action":"decline"},"\udc00":{"action":"decline"},"\u0000\n":{"action":"decline"}}`, `"s"`)},
	{name: "inputRequests has a key of 500 KiB", only: modernOnly, want: "done", questions: 1,
		say: later(func() func(*talk) {
			return onceThen(needs(`"`+strings.Repeat("k", 500<<10)+`":`+formAsk, ``), `kk":{"action":"decline"}}`, ``)
		})},
	{name: "an entry is null", only: modernOnly, say: results(needs(`"a":`+formAsk+`,"b":null`, `"s"`)), want: "invalid core.invalid.entry"},
	{name: "an entry has no params", only: modernOnly, say: results(needs(`"b":{"method":"elicitation/create"}`, `"s"`)), want: "invalid core.invalid.entry"},
	{name: "an entry has params that are null", only: modernOnly, say: results(needs(`"b":{"method":"elicitation/create","params":null}`, `"s"`)), want: "invalid core.invalid.entry"},
	{name: "an entry asks for sampling", only: modernOnly, say: results(needs(`"a":`+formAsk+`,"b":{"method":"sampling/createMessage","params":{}}`, `"s"`)), want: "invalid core.invalid.entry"},
	{name: "an entry asks for roots", only: modernOnly, say: results(needs(`"b":{"method":"roots/list"}`, `"s"`)), want: "invalid core.invalid.entry"},
	{name: "an entry asks for what nobody knows", only: modernOnly, say: later(func() func(*talk) { return results(needs(`"b":{"method":"`+strings.Repeat("x", 100<<10)+`"}`, `"s"`)) }), want: "invalid core.invalid.entry"},
	{name: "an entry has a mode that nobody knows", only: modernOnly, say: results(needs(`"b":{"method":"elicitation/create","params":{"mode":"voice","message":"m"}}`, `"s"`)), want: "invalid core.invalid.entry"},
	{name: "an entry has a message that is a number", only: modernOnly, say: results(needs(`"b":{"method":"elicitation/create","params":{"mode":"form","message":7}}`, `"s"`)), want: "invalid core.invalid.entry"},
	{name: "an entry has a url that is null", only: modernOnly, say: results(needs(`"b":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":null}}`, `"s"`)), want: "invalid core.invalid.entry"},

	{name: "requestState has 900 KiB", only: modernOnly, say: later(func() func(*talk) {
		return onceThen(needs(`"k":`+formAsk, `"`+strings.Repeat("s", 900<<10)+`"`), `"k":`, `"`+strings.Repeat("s", 900<<10)+`"`)
	}), want: "done", questions: 1},
	{name: "requestState is empty", only: modernOnly, say: onceThen(needs(`"k":`+formAsk, `""`), `"k":`, `""`), want: "done", questions: 1},
	{name: "requestState is oddly spelt", only: modernOnly, say: onceThen(needs(`"k":`+formAsk, `"\u0061\/\ud800\u0000"`), `"k":`, `"\u0061\/\ud800\u0000"`), want: "done", questions: 1},
	{name: "requestState is a number", only: modernOnly, say: results(needs(`"k":`+formAsk, `7`)), want: "invalid core.invalid.state"},
	{name: "requestState is an object", only: modernOnly, say: results(needs(``, `{"a":1}`)), want: "invalid core.invalid.state"},
	{name: "requestState comes once and then no more", only: modernOnly, want: "done", questions: 2, say: func(t *talk) {
		switch _, state := t.retried(); {
		case t.note("first"):
			t.result(needs(`"k":`+formAsk, `"s"`))
		case t.note("second"):
			t.result(needs(`"k":`+formAsk, ``))
		default:
			t.verdict(state == "")
		}
	}},

	{name: "resultType is what nobody knows", only: modernOnly, say: later(func() func(*talk) { return results(`{"resultType":"` + strings.Repeat("maybe", 10_000) + `"}`) }), want: "invalid core.invalid.resulttype"},
	{name: "resultType is a number", only: modernOnly, say: results(`{"resultType":7,"content":[]}`), want: "invalid core.invalid.resulttype"},
	{name: "resultType is empty", only: modernOnly, say: results(`{"resultType":"","content":[]}`), want: "invalid core.invalid.resulttype"},
	{name: "resultType is null", only: modernOnly, say: results(`{"resultType":null,"content":[]}`), want: "done"},
	{name: "resultType is written large", only: modernOnly, say: results(`{"resultType":"INPUT_REQUIRED","inputRequests":{}}`), want: "invalid core.invalid.resulttype"},
	{name: "a server of 2025 asks by a round", only: []string{"legacy"}, say: results(needs(`"k":`+formAsk, `"s"`)), want: "invalid core.invalid.legacyinput"},

	{name: "it asks for nothing for ever", only: modernOnly, say: results(needs(``, `"s"`)), want: "timeout core.fail.quiet", quiet: 500 * time.Millisecond},
	{name: "it asks the same 50 times", only: modernOnly, want: "done", questions: 50, say: func(t *talk) {
		if n := t.count(); n <= 50 {
			t.result(needs(`"k":`+formAsk, fmt.Sprintf(`"%d"`, n)))
			return
		}
		t.fine()
	}},
	{name: "it asks for the same page again", only: modernOnly, want: "done", questions: 1, polling: true, reply: opens, say: func(t *talk) {
		if t.count() <= 2 {
			t.result(needs(`"k":`+pageAsk, `"s"`))
			return
		}
		responses, _ := t.retried()
		t.verdict(responses == `{"k":{"action":"accept"}}`)
	}},
	{name: "a round asks for one page 100 times", only: modernOnly, want: "done", questions: 1, reply: opens,
		say: later(func() func(*talk) {
			return onceThen(needs(many(100, `"k$n":`+pageAsk), ``), `"k99":{"action":"accept"}`, ``)
		})},
	{name: "it asks with schemas that are bombs", only: []string{"stdio modern", "body modern"}, want: "done", questions: 4,
		say: later(func() func(*talk) {
			return onceThen(needs(bombs(circleSchema(), deepSchema(), patternSchema(), laughSchema()), ``), `"k3":{"action":"decline"}`, ``)
		})},
	{name: "it asks with schemas that are wide", only: []string{"stdio modern", "body modern"}, want: "done", questions: 2,
		say: later(func() func(*talk) {
			return onceThen(needs(bombs(wideSchema(), `{"type":"object","properties":{"a":{"type":"string","enum":[`+many(40_000, `"$n"`)+`]}}}`), ``), `"k1":{"action":"decline"}`, ``)
		})},
	{name: "it asks with schemas that are none", only: modernOnly, want: "done", questions: 6,
		say: onceThen(needs(bombs(`null`, `7`, `[]`, `"x"`, `{"type":"array"}`, `{"properties":[]}`), ``), `"k5":{"action":"decline"}`, ``)},
	{name: "it asks with a message of 900 KiB", only: modernOnly, want: "done", questions: 1,
		say: later(func() func(*talk) {
			return onceThen(needs(`"k":{"method":"elicitation/create","params":{"message":"`+strings.Repeat(`\u202e\u001b[31m`, 50<<10)+`"}}`, ``), `"k":`, ``)
		})},
	{name: "it asks to open what is no page", only: modernOnly, want: "done", questions: 7,
		say: later(func() func(*talk) {
			return onceThen(needs(pages(`javascript:alert(1)`, `file:///etc/passwd`, `data:text/html,x`, `http://plain.example`, ``, `https://`+strings.Repeat("a", 500<<10), `\ud800\u0000`), ``), `"k6":{"action":"decline"}`, ``)
		})},
	{name: "a modern server pushes a question", only: []string{"stdio modern", "stream modern"}, want: "done", notice: "core.notice.unoffered", say: func(t *talk) {
		t.verdict(code(t.ask(`"p"`, "elicitation/create", `{"message":"m","requestedSchema":{}}`)) == -32601)
	}, never: []string{"stream"}},

	{name: "-32042 comes without data", say: fails(`{"code":-32042,"message":"m"}`), want: "rpc core.rpc.url", only: everywhere},
	{name: "-32042 comes with data that is null or an array", say: fails(`{"code":-32042,"message":"m","data":[null]}`), want: "rpc core.rpc.url"},
	{name: "-32042 has no pages", say: fails(required(``)), want: "rpc core.rpc.url"},
	{name: "-32042 has pages that are null", say: fails(`{"code":-32042,"message":"m","data":{"elicitations":null}}`), want: "rpc core.rpc.url"},
	{name: "-32042 has a page that is null", say: fails(required(`null`)), want: "invalid core.invalid.entry"},
	{name: "-32042 has a page without a link", say: fails(required(`{"mode":"url","message":"m","elicitationId":"e"}`)), want: "invalid core.invalid.entry"},
	{name: "-32042 has a form", say: later(func() func(*talk) { return fails(required(`{"mode":"form","message":"m","requestedSchema":{}}`)) }), want: "invalid core.invalid.entry"},
	{name: "-32042 has 3,000 pages", say: later(func() func(*talk) {
		return fails(required(many(3_000, `{"mode":"url","message":"m","url":"https://page.example/$n","elicitationId":"$n"}`)))
	}), want: "invalid core.invalid.toomany"},
	{name: "-32042 has 100 pages", say: later(func() func(*talk) {
		return fails(required(many(100, `{"mode":"url","message":"m","url":"https://page.example/$n","elicitationId":"$n"}`)))
	}), want: "rpc core.rpc.url_declined", questions: 1},
	{name: "-32042 has a page that is a script", say: fails(required(`{"mode":"url","message":"m","url":"javascript:alert(1)","elicitationId":"e"}`)), want: "rpc core.rpc.url_declined", questions: 1},
	{name: "-32042 has a page without encryption", say: fails(required(`{"url":"http://plain.example/"}`)), want: "rpc core.rpc.url_declined", questions: 1},
	{name: "-32042 has the same page under the same id 10 times", want: "done", questions: 1, polling: true, reply: opens, say: func(t *talk) {
		if t.count() == 1 {
			t.say(`{"jsonrpc":"2.0","id":$id,"error":` + required(many(10, onePage)) + `}`)
			return
		}
		t.fine()
	}},
	{name: "-32042 comes again after its page was opened", want: "done", questions: 1, polling: true, reply: opens, say: func(t *talk) {
		if t.count() <= 2 {
			t.say(`{"jsonrpc":"2.0","id":$id,"error":` + required(onePage) + `}`)
			return
		}
		t.fine()
	}},
}

const onePage = `{"mode":"url","message":"m","url":"https://page.example/","elicitationId":"e"}`

// required is a -32042 error with the entries.
func required(entries string) string {
	return `{"code":-32042,"message":"m","data":{"elicitations":[` + entries + `]}}`
}

// needs is a result that asks for the entries; state "" is none.
func needs(entries, state string) string {
	if state != "" {
		state = `,"requestState":` + state
	}
	return `{"resultType":"input_required","inputRequests":{` + entries + `}` + state + `}`
}

// bombs are the entries of forms with these schemas, k0, k1 and so on.
func bombs(schemas ...string) string {
	all := make([]string, len(schemas))
	for i, s := range schemas {
		all[i] = fmt.Sprintf(`"k%d":{"method":"elicitation/create","params":{"message":"m","requestedSchema":%s}}`, i, s)
	}
	return strings.Join(all, ",")
}

// pages are the entries of pages with these addresses.
func pages(urls ...string) string {
	all := make([]string, len(urls))
	for i, u := range urls {
		all[i] = fmt.Sprintf(`"k%d":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"%s"}}`, i, u)
	}
	return strings.Join(all, ",")
}

// onceThen needs input first; then the client's responses must have the text in
// them, and its state must be this one.
func onceThen(result, responses, state string) func(*talk) {
	return func(t *talk) {
		if t.note("asked") {
			t.result(result)
			return
		}
		gotResponses, gotState := t.retried()
		t.verdict(strings.Contains(gotResponses, responses) && gotState == state)
	}
}

// count counts how often it is called, from 1.
func (s *server) count() int {
	n := 1
	for !s.note(fmt.Sprint("count", n)) {
		n++
	}
	return n
}

// opens accepts pages and declines forms.
func opens(e mcpclient.Elicitation) *mcpclient.Answer {
	if e.Mode == mcpclient.ModeURL {
		return &mcpclient.Answer{Action: mcpclient.Accept}
	}
	return &mcpclient.Answer{Action: mcpclient.Decline}
}

// shown does with a question what the app does to show it.
func shown(e mcpclient.Elicitation) {
	if e.Mode == mcpclient.ModeURL {
		consent.Assess(e.URL, e.Identity.Asker())
		return
	}
	forms.Parse(e.Schema, forms.Options{})
}
