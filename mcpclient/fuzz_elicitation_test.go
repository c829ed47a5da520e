package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"parley/consent"
	"parley/consent/safetext"
	"parley/forms"
	"parley/mcpclient/wire"
)

// elicitationSeeds are params of elicitation/create as they come in the field
// (groups A to F and X of the field cases), and worse.
var elicitationSeeds = []string{
	// What is no request at all.
	`null`, `7`, `[]`, `""`, `{}`, `{"mode":"voice","message":"m"}`, `{"mode":null,"message":"m"}`, `{"mode":7}`, `{"message":7}`, `{"message":null}`,
	`{"mode":"url","message":"m"}`, `{"mode":"url","message":"m","url":null}`, `{"mode":"url","message":"m","url":7}`, `{"mode":"URL","message":"m","url":"https://a.example/"}`,
	`{"mode":"form","mode":"url","message":"m","url":"https://a.example/"}`, `{"message":"\ud800"}`, `{"message":"` + "\\u202e\\u0000\U0001F469" + `"}`,
	// Forms.
	`{"message":"Buy 1 loaf?"}`, `{"message":"m","requestedSchema":null}`, `{"message":"m","requestedSchema":7}`, `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`,
	`{"message":"m","url":"https://a.example/"}`, `{"mode":"url","message":"m","url":"https://a.example/","requestedSchema":{}}`,
	form(`"v":{"type":"string","title":"V"}`, `"title":"Choice","description":"Pick one","additionalProperties":false,"required":["v"]`),
	form(`"nick":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}`, `"required":["nick"]`),
	form(`"nick":{"type":["string","null"]}`, ``),
	form(`"p":{"$ref":"#/$defs/P"}`, `"$defs":{"P":{"type":"string","enum":["low","high"]}},"required":["p"]`),
	form(`"p":{"$ref":"#/properties/p"},"q":{"$ref":"https://a.example/s"}`, ``),
	form(`"c":{"type":"array","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]},"default":["r"]}`, ``),
	form(`"a":{"type":"array","items":{"enum":["a","b"]}},"b":{"type":"array","items":{"oneOf":[{"const":"a"}]}},"c":{"type":"array","items":{"type":"string"}}`, ``),
	form(`"l":{"type":"string","enum":["ja","es"],"enumNames":["日本語","Español"],"x-ui":{"w":1}}`, ``),
	form(`"ok":{"type":"boolean","title":"Delete them?"},"n":{"type":"integer","minimum":1,"maximum":3}`, `"required":["ok","n"]`),
	form(`"p":{"type":"string","pattern":"^(?=.*[0-9]).{2,}$"},"q":{"type":"string","pattern":"(a+)+$"},"r":{"type":"string","pattern":"("}`, ``),
	form(`"a":{"type":"string"},"b":{"type":"boolean","default":"yes"},"i":{"type":"integer","default":5.0},"e":{"type":"string","enum":["p"],"default":"q"},"x":{"type":"integer","minimum":5,"maximum":1}`, `"required":["gone"]`),
	form(`"t":{"type":"string","format":"date-time","default":"2026-03-04 10:00"},"d":{"type":"string","format":"date"},"m":{"type":"string","format":"email"},"w":{"type":"string","format":"password"}`, ``),
	form(`"":{"type":"string"},"a.b":{"type":"number"},"__proto__":{"type":"string"},"\ud800":{"type":"boolean"},"a/b~c":{"type":"integer"}`, ``),
	form(`"z":{"type":"object","properties":{"y":{"type":"string"}}},"u":{"type":"null"}`, `"required":["z"]`),
	// Pages.
	page("https://svc.example/c?e=1"), page("https://xn--80ak6aa92e.com/"), page("https://аррӏе.com/"), page("https://bank.example@evil.example/"),
	page("http://192.0.2.1:8080/a"), page("http://[::1]/"), page("javascript:alert(1)"), page(""), page("https://a.example/\u202egpj"), page("https://a.example/%00?q=\ud7ff#f"),
	`{"mode":"url","message":"m","url":"https://a.example/","elicitationId":7}`, `{"url":"https://a.example/"}`, `{"mode":"url","url":"https://a.example/","elicitationId":{}}`,
	// What is no JSON.
	"", "{", "\xff\xfe", "{\"message\":\"\xff\"}", "Sign in first: https://svc.example/a?x=1&y=2",
}

// form is the params of a form with the properties and further members of its
// schema, both without outer braces.
func form(properties, more string) string {
	if more != "" {
		more = "," + more
	}
	return `{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{` + properties + `}` + more + `}}`
}

// page is the params of a page.
func page(url string) string {
	return `{"mode":"url","elicitationId":"e1","message":"m","url":` + string(quote(url)) + `}`
}

// asParams makes JSON of any bytes: those that are none become the texts of a
// request that is otherwise in order, a page or a form.
func asParams(data []byte) []byte {
	if json.Valid(data) {
		return data
	}
	text := string(quote(string(data)))
	if len(data)%2 == 0 {
		return []byte(`{"mode":"url","message":` + text + `,"url":` + text + `,"elicitationId":` + text + `}`)
	}
	field := `{"type":"string","title":` + text + `,"description":` + text + `,"pattern":` + text + `,"format":` + text + `,"default":` + text + `}`
	choice := `{"type":"string","enum":[` + text + `,""],"default":` + text + `}`
	return []byte(`{"message":` + text + `,"requestedSchema":{"title":` + text + `,"type":"object","properties":{` + text + `:` + field +
		`,"c":` + choice + `},"required":[` + text + `]}}`)
}

// FuzzElicitation: whatever comes as the params of a pushed elicitation/create,
// as an entry of inputRequests or as one of a -32042 error is a question that
// can be shown and declined, or is refused with a reason. It is never answered
// for the person.
func FuzzElicitation(f *testing.F) {
	for _, seed := range elicitationSeeds {
		for road := range 3 {
			f.Add([]byte(seed), byte(road))
		}
	}
	for _, entry := range []string{`{"method":"foo/bar"}`, `{"method":"elicitation/create"}`, `{"method":"sampling/createMessage","params":{}}`, `{"method":7}`} {
		f.Add([]byte(entry), byte(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, road byte) {
		params := asParams(data)
		switch road % 4 {
		case 0:
			fuzzPush(t, params)
		case 1:
			fuzzCall(t, ViaRound, needs(`{"\ud800k":{"method":"elicitation/create","params":`+string(params)+`}}`, `"s"`), params)
		case 2:
			fuzzCall(t, ViaRequired, `{"code":-32042,"message":"more","data":{"elicitations":[`+string(params)+`]}}`, params)
		case 3: // the bytes are the whole entry
			fuzzCall(t, ViaRound, needs(`{"\ud800k":`+string(params)+`}`, ""), nil)
		}
	})
}

// fuzzPush is the road of a pushed request, outside any call.
func fuzzPush(t *testing.T, params []byte) {
	b := promptBench(t, legacy(nil, nil))
	defer b.close()
	b.peer.say(wire.ID{}, `{"jsonrpc":"2.0","id":"p1","method":"elicitation/create","params":`+string(params)+`}`)
	open, answers := b.client.Open(), b.peer.responses()
	switch {
	case len(open) == 1 && len(answers) == 0:
		checkQuestion(t, open[0], params, ViaPush)
		if err := b.client.Answer(open[0].ID, Answer{Action: Decline}); err != nil {
			t.Fatalf("declining: %v", err)
		}
		if got := string(b.peer.responses()[`"p1"`].Result); got != `{"action":"decline"}` {
			t.Errorf("a decline went out as %s", got)
		}
	case len(open) == 0 && len(answers) == 1:
		e := answers[`"p1"`].Error
		if e == nil || e.Code != wire.CodeInvalidParams || len(e.Message) <= len("elicitation/create: ") {
			t.Errorf("refused with %+v and result %s", e, answers[`"p1"`].Result)
		}
	default:
		t.Errorf("%d questions are open and %d answers went out", len(open), len(answers))
	}
}

// fuzzCall is the road of a call that is first answered with reply, a result or
// an error by the era of via, and then with an ordinary result.
func fuzzCall(t *testing.T, via Via, reply string, params []byte) {
	script := sequence(reply, doneResult)
	if via == ViaRequired {
		script = wanting(reply)
	}
	b := promptBench(t, script)
	defer b.close()
	id := b.conn.Start(CallRequest{Kind: CallTool, Name: "t"})
	call := b.until(func(c Call) bool { return c.State == CallAsking || c.State.Ended() })
	if call.State == CallAsking {
		open := b.untilOpen()
		checkQuestion(t, open, params, via)
		if err := b.client.Answer(open.ID, Answer{Action: Decline}); err != nil {
			t.Fatalf("declining: %v", err)
		}
		call = b.until(func(c Call) bool { return c.State.Ended() })
		requests := b.peer.requests("tools/call")
		switch {
		case via == ViaRequired && (call.Failure == nil || call.Failure.Code != -32042 || len(requests) != 1):
			t.Errorf("after a page was declined the call is %s (%v)", call.State, call.Failure)
		case via == ViaRound && (call.State != CallDone || param(requests[1], "inputResponses") != `{"\ud800k":{"action":"decline"}}`):
			t.Errorf("after a decline the call is %s (%v)", call.State, call.Failure)
		}
		return
	}
	// params that are null leave nothing to ask for on this road.
	if call.ID != id || call.State != CallFailed || call.Failure.Kind != FailInvalid {
		t.Fatalf("with nothing to ask the call is %s (%v)", call.State, call.Failure)
	}
	if words := call.Failure.Error(); words == call.Failure.Text.ID || !utf8.ValidString(words) || len(words) < 20 {
		t.Errorf("%q is no sentence", words)
	}
	if n := len(b.peer.requests("tools/call")); n != 1 || len(b.client.Elicitations()) != 0 {
		t.Errorf("a round that nobody can answer was sent %d times", n)
	}
}

// checkQuestion holds what is true of every question that is asked. params is
// what it was made of, nil if that is not known.
func checkQuestion(t *testing.T, e Elicitation, params []byte, via Via) {
	t.Helper()
	if e.Via != via || e.Identity.Name != testServer.Name || e.State != ElicitationOpen || e.Answer != nil {
		t.Errorf("asked as %+v", e)
	}
	for _, text := range []string{e.Message, e.URL, e.Key, e.RemoteID} {
		if shown := safetext.Block(text, 0).String(); !utf8.ValidString(text) || !utf8.ValidString(shown) {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
	switch e.Mode {
	case ModeForm:
		checkFormQuestion(t, e, params)
	case ModeURL:
		checkPageQuestion(t, e)
	default:
		t.Errorf("the mode is %q", e.Mode)
	}
	if via == ViaRequired && e.Mode != ModeURL {
		t.Errorf("a %s came with -32042", e.Mode)
	}
}

func checkFormQuestion(t *testing.T, e Elicitation, params []byte) {
	t.Helper()
	if e.URL != "" {
		t.Errorf("a form has the url %q", e.URL)
	}
	if e.Schema != nil && !json.Valid(e.Schema) {
		t.Errorf("the schema %q is no JSON", e.Schema)
	}
	if params != nil {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(params, &m); err != nil {
			t.Fatalf("a form was made of %q", params)
		}
		if sent, has := m["requestedSchema"]; has != (e.Schema != nil) || !bytes.Equal(sent, e.Schema) {
			t.Errorf("the schema %s became %s", sent, e.Schema)
		}
	}
	draft := forms.Parse(e.Schema, forms.Options{Zone: time.UTC}).NewDraft()
	problems := draft.Check()
	content, errs := draft.Content(forms.Submit{ConfirmSecrets: true})
	if (len(problems) == 0) != (content != nil) || (len(errs) == 0) != (content != nil) {
		t.Errorf("checking says %v, sending %v with %s", problems, errs, content)
	}
	if content != nil && checkAnswer(ModeForm, Answer{Action: Accept, Content: content}) != nil {
		t.Errorf("the content %s cannot be sent", content)
	}
}

func checkPageQuestion(t *testing.T, e Elicitation) {
	t.Helper()
	if e.Schema != nil {
		t.Errorf("a page has the schema %s", e.Schema)
	}
	a := consent.Assess(e.URL, e.Identity.Asker())
	if (a.Level == consent.Block) != (a.Open == "") {
		t.Errorf("level %s, to open is %q", a.Level, a.Open)
	}
	if slices.ContainsFunc([]byte(a.Open), func(c byte) bool { return c <= ' ' || c > '~' }) {
		t.Errorf("to open is %q", a.Open)
	}
}

// prompt is a client, its connection to a promptPeer and what becomes of its
// calls: no more than a fuzz run needs.
type prompt struct {
	t      *testing.T
	client *Client
	conn   *Connection
	peer   *promptPeer
	events chan Event
}

func promptBench(t *testing.T, script func(*peer, wire.Message)) *prompt {
	b := &prompt{t: t, events: make(chan Event, 100)}
	var err error
	b.client, err = New(Options{Dial: func(Server, DialOptions) (wire.Transport, error) {
		b.peer = &promptPeer{peer{script: script}}
		return b.peer, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	b.client.Watch(func(e Event) {
		if e.Call != nil || e.Elicitation != nil {
			b.events <- e
		}
	})
	if b.conn, err = b.client.Connect(t.Context(), testServer); err != nil {
		t.Fatalf("connecting: %v", err)
	}
	return b
}

// until waits for the call to be as want has it.
func (b *prompt) until(want func(Call) bool) Call {
	for e := range b.events {
		if e.Call != nil && want(*e.Call) {
			return *e.Call
		}
	}
	return Call{}
}

// untilOpen waits for the next question.
func (b *prompt) untilOpen() Elicitation {
	for e := range b.events {
		if e.Elicitation != nil && e.Elicitation.State == ElicitationOpen {
			return *e.Elicitation
		}
	}
	return Elicitation{}
}

func (b *prompt) close() {
	if err := b.client.Close(context.Background()); err != nil {
		b.t.Errorf("closing: %v", err)
	}
}
