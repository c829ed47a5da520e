package mcpclient

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/mcpclient/wire"
)

// pushForm is a pushed form question with the JSON-RPC id.
func pushForm(id, message string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"elicitation/create","params":{"mode":"form","message":` +
		string(quote(message)) + `,"requestedSchema":{"type":"object","properties":{"f":{"type":"string"}}}}}`
}

// pushURL is a pushed page question.
func pushURL(id, elicitationID, url string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"elicitation/create","params":{"mode":"url","message":"open","elicitationId":` +
		string(quote(elicitationID)) + `,"url":` + string(quote(url)) + `}}`
}

// untilResponse waits until the client has answered the request id.
func untilResponse(got chan wire.Message, id string) wire.Message {
	for m := range got {
		if m.Kind() == wire.Response && m.ID.String() == id {
			return m
		}
	}
	return wire.Message{}
}

// pushing is a legacy server that pushes what pushes say when a tool is called
// and finishes when it has had as many responses. got sees what it receives.
func pushing(got chan wire.Message, pushes ...string) func(*peer, wire.Message) {
	var call wire.Message
	responses := 0
	return legacy(func(p *peer, m wire.Message) {
		call = m
		for _, text := range pushes {
			p.say(m.ID, text)
		}
	}, func(p *peer, m wire.Message) {
		if m.Kind() == wire.Response {
			p.mu.Lock()
			responses++
			last := responses == len(pushes)
			p.mu.Unlock()
			if last {
				defer p.reply(call, `{"content":[]}`)
			}
		}
		got <- m
	})
}

func TestC13_PushedQuestionsGetTheirAnswers(t *testing.T) {
	got := make(chan wire.Message, 100)
	b := connected(t, pushing(got, pushForm("7", "one"), pushForm(`"x"`, "two"), pushForm("9", "three")))
	id := b.call(CallRequest{})
	one, two, three := b.question(), b.question(), b.question()
	if one.CallID != id || one.Key != "7" || two.Key != "x" || one.Via != ViaPush || three.N != 3 {
		t.Errorf("question one: %+v", one)
	}
	b.answer(two, Answer{Action: Decline})
	b.answer(three, Answer{Action: Cancel})
	b.answer(one, accepted(`{}`))
	b.ended(id)
	for want, result := range map[string]string{
		"7":   `{"action":"accept","content":{}}`,
		`"x"`: `{"action":"decline"}`,
		"9":   `{"action":"cancel"}`,
	} {
		if r := b.peer().responses()[want]; string(r.Result) != result {
			t.Errorf("request %s was answered with %s, want %s", want, r.Result, result)
		}
	}
}

func TestB42_X1_BadPushesAreRefusedAndNeverADecline(t *testing.T) {
	for name, c := range map[string]struct {
		message string
		code    int
	}{
		"no params":    {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`, wire.CodeInvalidParams},
		"null params":  {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":null}`, wire.CodeInvalidParams},
		"unknown mode": {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"voice","message":"m"}}`, wire.CodeInvalidParams},
		"no message":   {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}`, wire.CodeInvalidParams},
		"no url":       {`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"m"}}`, wire.CodeInvalidParams},
		"sampling":     {`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}`, wire.CodeMethodNotFound},
		"roots":        {`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`, wire.CodeMethodNotFound},
		"anything":     {`{"jsonrpc":"2.0","id":1,"method":"what/ever"}`, wire.CodeMethodNotFound},
	} {
		got := make(chan wire.Message, 100)
		b := connected(t, pushing(got, c.message))
		call := b.ended(b.call(CallRequest{}))
		r := b.peer().responses()["1"]
		if r.Error == nil || r.Error.Code != c.code {
			t.Errorf("%s: answered with %s and error %v", name, r.Result, r.Error)
		}
		if call.State != CallDone || len(b.client.Elicitations()) != 0 {
			t.Errorf("%s: the call is %s and asked %d questions", name, call.State, len(b.client.Elicitations()))
		}
	}
}

func TestB44_AQuestionTheServerTakesBackDiesWithItsDraft(t *testing.T) {
	withdrawn := make(chan wire.Message, 1)
	b := connected(t, legacy(func(p *peer, m wire.Message) {
		p.say(m.ID, pushForm("56", "quick"))
		withdrawn <- m
	}, nil))
	id := b.call(CallRequest{})
	e := b.question()
	if err := b.client.SaveDraft(e.ID, []byte(`"typed"`)); err != nil {
		t.Fatal(err)
	}
	call := <-withdrawn
	b.peer().say(call.ID, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":999}}`)
	b.peer().say(call.ID, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":56,"reason":"timeout"}}`)
	dead := *b.until(func(ev Event) bool { return ev.Elicitation != nil && ev.Elicitation.State == ElicitationDead }).Elicitation
	if dead.ID != e.ID || string(dead.Draft) != `"typed"` || !strings.Contains(english.Text(dead.End), "timeout") {
		t.Errorf("the question died as %+v", dead)
	}
	if err := b.client.Answer(e.ID, Answer{Action: Decline}); err != ErrNotOpen {
		t.Errorf("answering it: %v", err)
	}
	b.peer().reply(call, `{"content":[]}`)
	if c := b.ended(id); c.State != CallDone {
		t.Errorf("the call is %s", c.State)
	}
	if r := b.peer().responses(); len(r) != 0 {
		t.Errorf("the withdrawn request was answered: %v", r)
	}
}

func TestB45_QuestionsDieWithTheirServerAndNothingIsLost(t *testing.T) {
	b := connected(t, legacy(func(p *peer, m wire.Message) { p.say(m.ID, pushForm("1", "q")) }, nil))
	id := b.call(CallRequest{})
	e := b.question()
	if err := b.client.SaveDraft(e.ID, []byte(`"typed"`)); err != nil {
		t.Fatal(err)
	}
	b.peer().end(errBroken)
	call := b.ended(id)
	if call.Failure == nil || call.Failure.Kind != FailLost {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
	dead, _ := b.client.Elicitation(e.ID)
	if dead.State != ElicitationDead || string(dead.Draft) != `"typed"` || dead.End.IsZero() {
		t.Errorf("the question is %+v", dead)
	}
	if b.client.Connection(testServer.ID) != nil {
		t.Error("the lost connection is still there")
	}
}

func TestB43_TheClockStopsWhileAPersonThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan wire.Message, 100)
		b := connected(t, pushing(got, pushForm("1", "q")))
		id := b.call(CallRequest{})
		e := b.question()
		time.Sleep(time.Hour) // the fake clock of the bubble: no real wait
		b.answer(e, accepted(`{}`))
		if call := b.ended(id); call.State != CallDone {
			t.Errorf("the call is %s: %v", call.State, call.Failure)
		}
	})
}

func TestASilentServerIsGivenUpAndToldSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := connected(t, legacy(func(p *peer, m wire.Message) {
			time.Sleep(50 * time.Second)
			p.say(m.ID, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"still here"}}`)
		}, nil))
		start := time.Now()
		call := b.ended(b.call(CallRequest{}))
		if call.Failure == nil || call.Failure.Kind != FailTimeout {
			t.Fatalf("the call is %s: %v", call.State, call.Failure)
		}
		if got := time.Since(start); got != 110*time.Second {
			t.Errorf("given up after %v, want 60 s after the last sign of life at 50 s", got)
		}
		synctest.Wait()
		if n := len(b.peer().requests("notifications/cancelled")); n != 1 {
			t.Errorf("the server was told %d times", n)
		}
	})
}

func TestC14_APushedPageIsAcceptedOnceOpenedAndRepeatsAreNoNewQuestion(t *testing.T) {
	url := "https://svc.example/pay"
	got := make(chan wire.Message, 100)
	var call wire.Message
	b := connected(t, legacy(func(p *peer, m wire.Message) {
		call = m
		p.say(m.ID, pushURL("1", "e1", url))
	}, func(p *peer, m wire.Message) {
		if m.Kind() != wire.Response {
			return
		}
		if m.ID.String() == "1" {
			p.say(call.ID, pushURL("2", "e2", url))
			return
		}
		p.reply(call, `{"content":[]}`)
		got <- m
	}))
	id := b.call(CallRequest{})
	b.answer(b.question(), Answer{Action: Accept})
	b.state(id, CallBrowser)
	if err := b.client.Continue(id); err != nil {
		t.Fatal(err)
	}
	if r := untilResponse(got, "2"); string(r.Result) != `{"action":"accept"}` {
		t.Errorf("the repeat was answered with %s", r.Result)
	}
	if c := b.ended(id); c.Asked != 1 {
		t.Errorf("%d questions were asked", c.Asked)
	}
}

// required is a -32042 error for the given pages: id and url alternate.
func requiredError(idsAndURLs ...string) string {
	var entries []string
	for i := 0; i < len(idsAndURLs); i += 2 {
		entries = append(entries, fmt.Sprintf(`{"mode":"url","elicitationId":%s,"url":%s,"message":"Link your account"}`,
			quote(idsAndURLs[i]), quote(idsAndURLs[i+1])))
	}
	return `{"code":-32042,"message":"More needed","data":{"elicitations":[` + strings.Join(entries, ",") + `]}}`
}

const completeE1 = `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`

// wanting refuses calls with errors, one after the other, and then is done.
func wanting(errors ...string) func(*peer, wire.Message) {
	return legacy(func(p *peer, m wire.Message) {
		if n := len(p.requests(m.Method)); n <= len(errors) {
			p.refuse(m, errors[n-1])
			return
		}
		p.reply(m, `{"content":[]}`)
	}, nil)
}

func TestB27_ARequiredPageIsAskedForAndTheCallRepeatedOnceItIsComplete(t *testing.T) {
	for kind, method := range methods {
		b := connected(t, wanting(requiredError("e1", "https://svc.example/c?e=1")))
		id := b.call(CallRequest{Kind: kind, Arguments: []byte(`{"a":1}`)})
		e := b.question()
		if e.Via != ViaRequired || e.Key != "e1" || e.Message != "Link your account" || e.URL != "https://svc.example/c?e=1" {
			t.Fatalf("%s: asked %+v", method, e)
		}
		b.peer().say(wire.ID{}, completeE1) // before consent: ignored
		b.answer(e, Answer{Action: Accept})
		b.state(id, CallBrowser)
		b.peer().say(wire.ID{}, strings.Replace(completeE1, "e1", "unknown", 1))
		b.peer().say(wire.ID{}, strings.Replace(completeE1, `"e1"`, "null", 1))
		b.peer().say(wire.ID{}, completeE1)
		b.peer().say(wire.ID{}, completeE1)
		if call := b.ended(id); call.State != CallDone {
			t.Errorf("%s: the call is %s: %v", method, call.State, call.Failure)
		}
		calls := b.peer().requests(method)
		if len(calls) != 2 || param(calls[0], "arguments") != param(calls[1], "arguments") || param(calls[1], "inputResponses") != "" {
			t.Errorf("%s: repeated as %s", method, calls[len(calls)-1].Params)
		}
	}
}

func TestB28_AServerThatNeverCompletesIsContinuedByThePerson(t *testing.T) {
	b := connected(t, wanting(requiredError("e1", "https://svc.example/1", "", "https://svc.example/2")))
	id := b.call(CallRequest{})
	b.answer(b.question(), Answer{Action: Accept})
	b.answer(b.question(), Answer{Action: Accept})
	b.state(id, CallBrowser)
	if err := b.client.Continue(id); err != nil {
		t.Fatal(err)
	}
	if call := b.ended(id); call.State != CallDone {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
}

func TestARequiredPageThatIsDeclinedEndsTheCall(t *testing.T) {
	for _, action := range []Action{Decline, Cancel} {
		b := connected(t, wanting(requiredError("e1", "https://svc.example/1")))
		id := b.call(CallRequest{})
		b.answer(b.question(), Answer{Action: action})
		call := b.ended(id)
		if call.Failure == nil || call.Failure.Kind != FailRPC || call.Failure.Code != -32042 {
			t.Errorf("%s: the call is %s: %v", action, call.State, call.Failure)
		}
		if n := len(b.peer().requests("tools/call")); n != 1 {
			t.Errorf("%s: the call was repeated", action)
		}
	}
}

// TestARequiredPageThatIsDeclinedIsTheEndInWords: what ended the call was the
// person's own no, and the sentence says what was opened.
func TestARequiredPageThatIsDeclinedIsTheEndInWords(t *testing.T) {
	one, three := requiredError("e1", "https://svc.example/1"), requiredError("e1", "https://svc.example/1", "e2", "https://svc.example/1", "e3", "https://svc.example/3")
	for name, c := range map[string]struct {
		pages   string
		answers []Action
		says    string
	}{
		"declined":                 {one, []Action{Decline}, "You declined, so the request has ended. Nothing was opened."},
		"cancelled":                {one, []Action{Cancel}, "You cancelled that, so the request has ended. Nothing was opened."},
		"the first of three":       {three, []Action{Decline}, "You declined, so the request has ended. Nothing was opened."},
		"another, declined after":  {three, []Action{Accept, Decline}, "You declined one of them, so the request has ended. That page was not opened."},
		"another, cancelled after": {three, []Action{Accept, Cancel}, "You cancelled one of them, so the request has ended. That page was not opened."},
	} {
		b := connected(t, wanting(c.pages))
		id := b.call(CallRequest{})
		for _, action := range c.answers {
			b.answer(b.question(), Answer{Action: action})
		}
		f := b.ended(id).Failure
		if f == nil || !f.Declined || !strings.HasSuffix(f.Error(), c.says) || f.Code != -32042 || f.Message != "More needed" || f.Data == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestB28_OneOfTwoPagesCompleteIsNotEnough(t *testing.T) {
	b := connected(t, wanting(requiredError("e1", "https://svc.example/1", "e2", "https://svc.example/2")))
	id := b.call(CallRequest{})
	b.answer(b.question(), Answer{Action: Accept})
	b.answer(b.question(), Answer{Action: Accept})
	b.state(id, CallBrowser)
	b.peer().say(wire.ID{}, completeE1)
	b.until(func(e Event) bool { return e.Elicitation != nil && e.Elicitation.Complete })
	if n := len(b.peer().requests("tools/call")); n != 1 {
		t.Errorf("the request was repeated with one page open (%d sent)", n)
	}
	b.peer().say(wire.ID{}, strings.Replace(completeE1, "e1", "e2", 1))
	b.ended(id)
}

func TestRequiredPagesAreAskedForOneAfterTheOther(t *testing.T) {
	b := connected(t, wanting(requiredError("e1", "https://svc.example/1", "e2", "https://svc.example/2", "e3", "https://svc.example/3")))
	id := b.call(CallRequest{})
	first := b.question()
	if first.Index != 1 || first.Of != 3 {
		t.Errorf("asked as %d of %d", first.Index, first.Of)
	}
	b.answer(first, Answer{Action: Accept})
	second := b.question()
	if second.Key != "e2" || second.Index != 2 {
		t.Errorf("then asked for %q, %d of %d", second.Key, second.Index, second.Of)
	}
	b.answer(second, Answer{Action: Decline})
	call := b.ended(id)
	if call.Failure == nil || call.Failure.Code != -32042 || call.Asked != 2 {
		t.Errorf("the call is %s and asked %d: %v", call.State, call.Asked, call.Failure)
	}
}

func TestAPageMayBeNumbered(t *testing.T) {
	refusal := strings.Replace(requiredError("e1", "https://svc.example/1"), `"e1"`, `7`, 1)
	b := connected(t, wanting(refusal))
	id := b.call(CallRequest{})
	e := b.question()
	if e.Key != "7" {
		t.Errorf("its key is %q", e.Key)
	}
	b.answer(e, Answer{Action: Accept})
	b.state(id, CallBrowser)
	b.peer().say(wire.ID{}, strings.Replace(completeE1, `"e1"`, `7`, 1))
	b.ended(id)
}

func TestB61_AMissingCapabilityIsNamed(t *testing.T) {
	b := connected(t, wanting(`{"code":-32021,"message":"x","data":{"requiredCapabilities":{"sampling":{},"roots":{}}}}`))
	call := b.ended(b.call(CallRequest{}))
	if call.Failure == nil || call.Failure.Kind != FailRPC || !strings.Contains(call.Failure.Error(), "sampling, roots") {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
}

func TestAnAnswerTheServerDoesNotTakeIsShown(t *testing.T) {
	b := connected(t, legacy(func(p *peer, m wire.Message) { p.say(m.ID, pushForm("1", "q")) }, nil))
	b.call(CallRequest{})
	e := b.question()
	b.peer().refuseResponses(errBroken)
	b.answer(e, accepted(`{}`))
	n := *b.until(func(e Event) bool { return e.Notice != nil }).Notice
	if n.Text.ID != "core.notice.unanswered" || !strings.Contains(english.Text(n.Text), errBroken.Error()) {
		t.Errorf("told %+v", n)
	}
}

func TestARequiredPageIsPolledWithinItsBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		again := requiredError("e1", "https://svc.example/1")
		b := connected(t, wanting(again, again, again))
		id := b.call(CallRequest{Polling: true})
		e := b.question()
		start := time.Now()
		b.answer(e, Answer{Action: Accept})
		if call := b.ended(id); call.State != CallDone || call.Asked != 1 {
			t.Errorf("the call is %s and asked %d: %v", call.State, call.Asked, call.Failure)
		}
		if got := time.Since(start); got != (5+1+2)*time.Second {
			t.Errorf("it took %v, want 5 s for complete, then pauses of 1 and 2 s", got)
		}
	})
}

func TestARequiredErrorWithoutPagesIsAnError(t *testing.T) {
	for _, data := range []string{`null`, `{}`, `{"elicitations":[]}`, `{"elicitations":{}}`} {
		b := connected(t, wanting(`{"code":-32042,"message":"More needed","data":`+data+`}`))
		call := b.ended(b.call(CallRequest{}))
		if call.Failure == nil || call.Failure.Code != -32042 || call.Asked != 0 {
			t.Errorf("data %s: the call is %s: %v", data, call.State, call.Failure)
		}
	}
}

func TestARequiredEntryNobodyCanAnswerIsNamed(t *testing.T) {
	good := `{"mode":"url","url":"https://svc.example/1","message":"m"}`
	for _, bad := range []string{`null`, `{"mode":"form","message":"m"}`, `{"url":7}`, `{"mode":"url","message":7,"url":"https://svc.example/"}`} {
		b := connected(t, wanting(`{"code":-32042,"message":"More needed","data":{"elicitations":[`+good+`,`+bad+`]}}`))
		call := b.ended(b.call(CallRequest{}))
		if call.Failure == nil || call.Failure.Kind != FailInvalid || !strings.Contains(call.Failure.Error(), "“2”") || call.Asked != 0 {
			t.Errorf("entry %s: the call is %s, asked %d: %v", bad, call.State, call.Asked, call.Failure)
		}
	}
}

func TestACancelledCallTakesItsQuestionsWithIt(t *testing.T) {
	got := make(chan wire.Message, 100)
	b := connected(t, pushing(got, pushForm("1", "q"), pushForm("2", "q")))
	id := b.call(CallRequest{})
	b.question()
	b.question()
	b.client.Cancel(id)
	if call := b.ended(id); call.State != CallCancelled {
		t.Errorf("the call is %s", call.State)
	}
	for n := 0; n < 2; {
		if m := <-got; m.Kind() == wire.Response {
			n++
			if string(m.Result) != `{"action":"cancel"}` {
				t.Errorf("request %s was answered with %s", m.ID, m.Result)
			}
		}
	}
	if n := len(b.client.Open()); n != 0 {
		t.Errorf("%d questions are still open", n)
	}
}

func TestAQuestionOutsideACallIsAskedAndDiesWithTheConnection(t *testing.T) {
	b := connected(t, legacy(func(*peer, wire.Message) {}, func(p *peer, m wire.Message) {
		if m.Method == "notifications/initialized" {
			p.say(wire.ID{}, pushForm("1", "first thing"))
		}
	}))
	e := b.question()
	if e.CallID != "" || e.N != 1 {
		t.Errorf("asked as %+v", e)
	}
	if err := b.conn.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if d, _ := b.client.Elicitation(e.ID); d.State != ElicitationDead {
		t.Errorf("the question is %s", d.State)
	}
	if r := b.peer().responses()["1"]; string(r.Result) != `{"action":"cancel"}` {
		t.Errorf("it was answered with %s", r.Result)
	}
}

func TestPast200OpenQuestionsAPushIsRefused(t *testing.T) {
	var pushes []string
	for i := range MaxOpen + 1 {
		pushes = append(pushes, pushForm(fmt.Sprint(i+1), "q"))
	}
	got := make(chan wire.Message, 1000)
	b := connected(t, pushing(got, pushes...))
	b.call(CallRequest{})
	m := untilResponse(got, fmt.Sprint(MaxOpen+1))
	if m.Error == nil || m.Error.Code != wire.CodeInternal {
		t.Errorf("the last was answered with %s, %v", m.Result, m.Error)
	}
	if n := len(b.client.Open()); n != MaxOpen {
		t.Errorf("%d questions are open", n)
	}
}

func TestAQuestionPushedBeforeTheHandshakeIsOverIsAsked(t *testing.T) {
	for name, script := range map[string]func(p *peer, m wire.Message){
		"before the reply to initialize": func(p *peer, m wire.Message) {
			p.say(wire.ID{}, pushForm("7", "early"))
			legacy(nil, nil)(p, m)
		},
		"right after it": func(p *peer, m wire.Message) {
			legacy(nil, nil)(p, m)
			p.say(wire.ID{}, pushForm("7", "early"))
		},
	} {
		b := connected(t, func(p *peer, m wire.Message) {
			if m.Method == "initialize" {
				script(p, m)
				return
			}
			legacy(nil, nil)(p, m)
		})
		q := b.question()
		if q.Message != "early" || q.State != ElicitationOpen {
			t.Errorf("%s: %+v", name, q)
		}
		b.answer(q, accepted(`{}`))
		if r := b.peer().responses()["7"]; string(r.Result) != `{"action":"accept","content":{}}` {
			t.Errorf("%s: answered %s", name, r.Result)
		}
	}
}

func TestB27_PagesAreAskedForOnAllThreeMethods(t *testing.T) {
	for _, kind := range []CallKind{CallTool, CallPrompt, CallResource} {
		b := connected(t, legacy(func(p *peer, m wire.Message) {
			if len(p.requests(m.Method)) == 1 {
				p.refuse(m, `{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"e","url":"https://x.example/","message":"m"}]}}`)
				return
			}
			p.reply(m, doneResult)
		}, nil))
		id := b.call(CallRequest{Kind: kind})
		q := b.question()
		if q.Via != ViaRequired || q.Mode != ModeURL {
			t.Errorf("%s: asked %+v", kind, q)
		}
		b.answer(q, Answer{Action: Accept})
		b.state(id, CallBrowser)
		b.peer().say(wire.ID{}, `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e"}}`)
		if c := b.ended(id); c.State != CallDone || len(b.peer().requests(methods[kind])) != 2 {
			t.Errorf("%s: %s after %d requests", kind, c.State, len(b.peer().requests(methods[kind])))
		}
	}
}
