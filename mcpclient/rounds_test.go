package mcpclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// formAsk is a form entry of inputRequests.
func formAsk(message string) string {
	return `{"method":"elicitation/create","params":{"mode":"form","message":` + string(quote(message)) +
		`,"requestedSchema":{"type":"object","properties":{"f":{"type":"string"}}}}}`
}

// urlAsk is a page entry of inputRequests.
func urlAsk(url string) string {
	return `{"method":"elicitation/create","params":{"mode":"url","message":"open it","url":` + string(quote(url)) + `}}`
}

// needs is an InputRequiredResult; state "" leaves requestState out.
func needs(requests, state string) string {
	s := `{"resultType":"input_required"`
	if requests != "" {
		s += `,"inputRequests":` + requests
	}
	if state != "" {
		s += `,"requestState":` + state
	}
	return s + `}`
}

const doneResult = `{"resultType":"complete","content":[{"type":"text","text":"done"}]}`

// sequence answers the nth call with the nth of results, the last for ever.
func sequence(results ...string) func(*peer, wire.Message) {
	return modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
		n := min(len(p.requests("tools/call")), len(results))
		p.reply(m, results[n-1])
	})
}

func TestM1_AllInputsOfARoundGoOutTogetherInTheServersOrder(t *testing.T) {
	b := connected(t, sequence(needs(`{"zulu":`+formAsk("z")+`,"alpha":`+formAsk("a")+`}`, ""), doneResult))
	id := b.call(CallRequest{})
	z, a := b.question(), b.question()
	if z.Key != "zulu" || a.Key != "alpha" || z.Index != 1 || a.Of != 2 {
		t.Fatalf("questions come as %q %d of %d, then %q", z.Key, z.Index, z.Of, a.Key)
	}
	b.answer(a, Answer{Action: Decline})
	if n := len(b.peer().requests("tools/call")); n != 1 {
		t.Fatalf("the request was retried with one of two answers (%d sent)", n)
	}
	b.answer(z, accepted(`{"f":"1"}`))
	b.ended(id)
	got := param(b.peer().requests("tools/call")[1], "inputResponses")
	want := `{"zulu":{"action":"accept","content":{"f":"1"}},"alpha":{"action":"decline"}}`
	if got != want {
		t.Errorf("inputResponses = %s, want %s", got, want)
	}
}

func TestM1_KeysGoBackAsTheServerSpeltThem(t *testing.T) {
	for _, key := range []string{`""`, `"a.b"`, `"名前"`, `"__proto__"`, `"\ud800"`, `"\u0061\/"`, `"\u0000"`} {
		b := connected(t, sequence(needs(`{`+key+`:`+formAsk("a")+`}`, ""), doneResult))
		id := b.call(CallRequest{})
		b.answer(b.question(), Answer{Action: Decline})
		b.ended(id)
		if got, want := param(b.peer().requests("tools/call")[1], "inputResponses"), `{`+key+`:{"action":"decline"}}`; got != want {
			t.Errorf("key %s was answered as %s", key, got)
		}
	}
}

func TestM2_RequestStateIsEchoedByteForByteAndNeverAdded(t *testing.T) {
	states := []string{`""`, `"s1"`, `"a\"b\\c"`, `"\u00e9\ud83d\ude00 😀\/"`, `"` + strings.Repeat("x", 100_000) + `"`}
	for _, state := range states {
		b := connected(t, sequence(needs(`{"a":`+formAsk("a")+`}`, state), needs(`{"b":`+formAsk("b")+`}`, ""), doneResult))
		id := b.call(CallRequest{})
		b.answer(b.question(), accepted(`{}`))
		b.answer(b.question(), accepted(`{}`))
		b.ended(id)
		calls := b.peer().requests("tools/call")
		if got := param(calls[1], "requestState"); got != state {
			t.Errorf("requestState %.40s came back as %.40s", state, got)
		}
		if got := param(calls[2], "requestState"); got != "" {
			t.Errorf("a round without state was answered with %.40s", got)
		}
	}
}

func TestM3_M4_ARetryHasANewIDAndNothingOfAnEarlierRound(t *testing.T) {
	b := connected(t, sequence(needs(`{"a":`+formAsk("a")+`}`, `"s1"`), needs(`{"b":`+formAsk("b")+`}`, ""), doneResult))
	id := b.call(CallRequest{Arguments: json.RawMessage(`{"n":9007199254740993}`)})
	b.answer(b.question(), accepted(`{}`))
	b.answer(b.question(), accepted(`{"f":"2"}`))
	b.ended(id)
	calls := b.peer().requests("tools/call")
	if len(calls) != 3 {
		t.Fatalf("%d requests, want 3", len(calls))
	}
	ids := map[wire.ID]bool{}
	for _, c := range calls {
		ids[c.ID] = true
		if got := param(c, "arguments"); got != `{"n":9007199254740993}` {
			t.Errorf("arguments became %s", got)
		}
	}
	if len(ids) != 3 {
		t.Error("a retry used an id again")
	}
	if got := param(calls[2], "inputResponses"); got != `{"b":{"action":"accept","content":{"f":"2"}}}` {
		t.Errorf("the third request carries %s", got)
	}
}

func TestM4_ParallelCallsNeverMixInputsOrState(t *testing.T) {
	b := connected(t, modern(func(p *peer, m wire.Message, params []rawjson.Member) {
		name := text(rawjson.Get(params, "name"))
		if rawjson.Get(params, "inputResponses") == nil {
			p.reply(m, needs(`{"q":`+formAsk(name)+`}`, string(quote("state of "+name))))
			return
		}
		p.reply(m, `{"content":[{"type":"text","text":`+string(quote(string(rawjson.Get(params, "inputResponses"))+string(rawjson.Get(params, "requestState"))))+`}]}`)
	}))
	const n = 50
	for i := range n {
		b.call(CallRequest{Name: fmt.Sprint("t", i)})
	}
	for done := 0; done < n; {
		event := b.until(func(e Event) bool {
			return e.Call != nil && e.Call.State.Ended() || e.Elicitation != nil && e.Elicitation.State == ElicitationOpen
		})
		if e := event.Elicitation; e != nil {
			b.answer(*e, accepted(`{"f":`+string(quote(e.Message))+`}`))
			continue
		}
		done++
		call := *event.Call
		got := ViewResult(CallTool, call.Result).Blocks[0].Text
		want := `{"q":{"action":"accept","content":{"f":"` + call.Name + `"}}}"state of ` + call.Name + `"`
		if got != want {
			t.Errorf("%s was answered with %s", call.Name, got)
		}
	}
}

func TestM5_AMissingResultTypeIsComplete(t *testing.T) {
	b := connected(t, sequence(`{"content":[]}`))
	if call := b.ended(b.call(CallRequest{})); call.State != CallDone {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
}

func TestM5_StateOnlyRoundsAreRetriedWithGrowingPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		start := time.Now()
		b := connected(t, modern(func(p *peer, m wire.Message, params []rawjson.Member) {
			at = append(at, time.Since(start))
			if len(at) == 8 {
				p.reply(m, doneResult)
				return
			}
			requests := ""
			if len(at)%2 == 0 {
				requests = `{}`
			}
			p.reply(m, needs(requests, `"s"`))
		}))
		call := b.ended(b.call(CallRequest{}))
		if call.State != CallDone {
			t.Fatalf("the call is %s: %v", call.State, call.Failure)
		}
		var pauses []time.Duration
		for i := 1; i < len(at); i++ {
			pauses = append(pauses, at[i]-at[i-1])
		}
		want := []time.Duration{250e6, 500e6, 1e9, 2e9, 4e9, 8e9, 10e9}
		if !slices.Equal(pauses, want) {
			t.Errorf("pauses = %v, want %v", pauses, want)
		}
	})
}

func TestRoundsThatAskNothingNewAreBoundedWhereTheStarterSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := connected(t, sequence(needs("", `"s"`)))
		call := b.ended(b.call(CallRequest{Quiet: time.Minute}))
		if call.Failure == nil || call.Failure.Kind != FailTimeout {
			t.Fatalf("the call is %s: %v", call.State, call.Failure)
		}
		if spent := call.Ended.Sub(call.Started); spent > time.Minute {
			t.Errorf("%v were spent", spent)
		}
	})
}

func TestB40_AnyNumberOfRounds(t *testing.T) {
	const steps = 120
	b := connected(t, modern(func(p *peer, m wire.Message, params []rawjson.Member) {
		n := len(p.requests("tools/call"))
		if n > steps {
			p.reply(m, doneResult)
			return
		}
		p.reply(m, needs(`{"q":`+formAsk(fmt.Sprint("step ", n))+`}`, string(quote(strings.Repeat("s", n)))))
	}))
	id := b.call(CallRequest{})
	for i := range steps {
		e := b.question()
		if e.Round != i+1 || e.N != i+1 {
			t.Fatalf("question %d says it is question %d of round %d", i+1, e.N, e.Round)
		}
		b.answer(e, accepted(`{"f":"x"}`))
	}
	if call := b.ended(id); call.State != CallDone || call.Round != steps+1 {
		t.Errorf("the call is %s after %d rounds: %v", call.State, call.Round, call.Failure)
	}
}

func TestRepliesThatAreNotValidEndTheCallInWords(t *testing.T) {
	for name, result := range map[string]string{
		"unknown resultType":       `{"resultType":"banana","content":[]}`,
		"resultType not text":      `{"resultType":7}`,
		"not an object":            `["content"]`,
		"neither asks nor state":   `{"resultType":"input_required"}`,
		"state not text":           needs(`{"a":`+formAsk("a")+`}`, `7`),
		"requests not an object":   needs(`[1]`, ""),
		"B42 null entry":           needs(`{"k":null}`, ""),
		"B42 no params":            needs(`{"k":{"method":"elicitation/create"}}`, ""),
		"B42 unknown method":       needs(`{"k":{"method":"foo/bar"}}`, ""),
		"B60 unknown mode":         needs(`{"k":{"method":"elicitation/create","params":{"mode":"voice","message":"m"}}}`, ""),
		"message not text":         needs(`{"k":{"method":"elicitation/create","params":{"message":7}}}`, ""),
		"url not text":             needs(`{"k":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":7}}}`, ""),
		"sampling":                 needs(`{"k":{"method":"sampling/createMessage","params":{}}}`, ""),
		"roots":                    needs(`{"k":{"method":"roots/list"}}`, ""),
		"B42 one good and one bad": needs(`{"good":`+formAsk("g")+`,"k":null}`, ""),
	} {
		b := connected(t, sequence(result))
		call := b.ended(b.call(CallRequest{}))
		if call.Failure == nil || call.Failure.Kind != FailInvalid {
			t.Errorf("%s: the call is %s: %v", name, call.State, call.Failure)
			continue
		}
		if n := len(b.client.Elicitations()); n != 0 {
			t.Errorf("%s: %d questions were asked all the same", name, n)
		}
		if n := len(b.peer().requests("tools/call")); n != 1 {
			t.Errorf("%s: the round was retried", name)
		}
		if strings.Contains(result, `"k"`) && !strings.Contains(call.Failure.Error(), "k") {
			t.Errorf("%s: %q does not name the entry", name, call.Failure)
		}
	}
}

func TestB42_ASchemaNoFormCanBeMadeOfIsStillAQuestion(t *testing.T) {
	for _, schema := range []string{`{"type":"object","properties":{"z":{"type":"object"}},"required":["z"]}`, `7`, `null`} {
		b := connected(t, sequence(needs(`{"k":{"method":"elicitation/create","params":{"message":"m","requestedSchema":`+schema+`}}}`, ""), doneResult))
		id := b.call(CallRequest{})
		b.answer(b.question(), Answer{Action: Decline})
		if call := b.ended(id); call.State != CallDone {
			t.Errorf("schema %s: the call is %s: %v", schema, call.State, call.Failure)
		}
	}
}

func TestC7_ARequestWithoutModeIsAForm(t *testing.T) {
	b := connected(t, sequence(needs(`{"k":{"method":"elicitation/create","params":{"message":"m","url":"https://a.example/"}}}`, ""), doneResult))
	b.call(CallRequest{})
	if e := b.question(); e.Mode != ModeForm || e.URL != "" {
		t.Errorf("it was asked as %q with url %q", e.Mode, e.URL)
	}
}

func TestC11_ContentGoesWithAnAcceptedFormAndWithNothingElse(t *testing.T) {
	b := connected(t, sequence(needs(`{"a":`+formAsk("a")+`,"b":`+formAsk("b")+`,"c":`+formAsk("c")+`,"u":`+urlAsk("https://a.example/")+`}`, ""), doneResult))
	id := b.call(CallRequest{})
	f, d, c, u := b.question(), b.question(), b.question(), b.question()
	for _, bad := range []struct {
		e Elicitation
		a Answer
	}{
		{f, Answer{Action: Accept}},
		{f, accepted(`null`)},
		{f, accepted(`{"f":`)},
		{f, Answer{Action: "yes"}},
		{d, Answer{Action: Decline, Content: json.RawMessage(`{}`)}},
		{u, accepted(`{}`)},
	} {
		if err := b.client.Answer(bad.e.ID, bad.a); err == nil || errors.Is(err, ErrNotOpen) {
			t.Errorf("%s with content %s: %v", bad.a.Action, bad.a.Content, err)
		}
	}
	b.answer(f, accepted(`{}`))
	b.answer(d, Answer{Action: Decline})
	b.answer(c, Answer{Action: Cancel})
	b.answer(u, Answer{Action: Accept})
	b.ended(id)
	got := param(b.peer().requests("tools/call")[1], "inputResponses")
	want := `{"a":{"action":"accept","content":{}},"b":{"action":"decline"},"c":{"action":"cancel"},"u":{"action":"accept"}}`
	if got != want {
		t.Errorf("inputResponses = %s, want %s", got, want)
	}
	if err := b.client.Answer(f.ID, accepted(`{}`)); !errors.Is(err, ErrNotOpen) {
		t.Errorf("a second answer: %v", err)
	}
}

func TestC14_C15_AnAcceptedPageIsRetriedAtOnceAndThenWaitsForThePerson(t *testing.T) {
	url := "https://svc.example/a?x=1"
	b := connected(t, sequence(needs(`{"u":`+urlAsk(url)+`}`, `"1"`), needs(`{"v":`+urlAsk(url)+`}`, `"2"`), needs(`{"v":`+urlAsk(url)+`}`, `"3"`), doneResult))
	id := b.call(CallRequest{})
	b.answer(b.question(), Answer{Action: Accept})
	b.state(id, CallBrowser)
	if n := len(b.peer().requests("tools/call")); n != 2 {
		t.Fatalf("%d requests before the person continues, want 2", n)
	}
	if err := b.client.Continue(id); err != nil {
		t.Fatal(err)
	}
	b.state(id, CallBrowser)
	if err := b.client.Continue(id); err != nil {
		t.Fatal(err)
	}
	if call := b.ended(id); call.State != CallDone || call.Asked != 1 {
		t.Errorf("the call is %s and asked %d questions", call.State, call.Asked)
	}
	calls := b.peer().requests("tools/call")
	if got, state := param(calls[2], "inputResponses"), param(calls[2], "requestState"); got != `{"v":{"action":"accept"}}` || state != `"2"` {
		t.Errorf("Continue answered %s with state %s", got, state)
	}
	if err := b.client.Continue(id); !errors.Is(err, ErrNotWaiting) {
		t.Errorf("continuing an ended call: %v", err)
	}
}

func TestC15_ACallThatWaitsForThePersonCanBeCancelled(t *testing.T) {
	url := "https://svc.example/a"
	b := connected(t, sequence(needs(`{"u":`+urlAsk(url)+`}`, "")))
	id := b.call(CallRequest{})
	b.answer(b.question(), Answer{Action: Accept})
	b.state(id, CallBrowser)
	b.client.Cancel(id)
	if call := b.ended(id); call.State != CallCancelled {
		t.Errorf("the call is %s", call.State)
	}
}

func TestC20_APageThatDiffersByOneByteOrCallIsANewQuestion(t *testing.T) {
	b := connected(t, sequence(needs(`{"u":`+urlAsk("https://svc.example/a")+`}`, ""), needs(`{"u":`+urlAsk("https://svc.example/A")+`}`, ""),
		doneResult, needs(`{"u":`+urlAsk("https://svc.example/a")+`}`, ""), doneResult))
	id := b.call(CallRequest{})
	b.answer(b.question(), Answer{Action: Accept})
	b.answer(b.question(), Answer{Action: Accept})
	b.ended(id)
	b.call(CallRequest{})
	if e := b.question(); e.URL != "https://svc.example/a" {
		t.Errorf("asked for %q", e.URL)
	}
}

func TestC20_ADeclinedPageIsAskedForAgain(t *testing.T) {
	u := urlAsk("https://svc.example/a")
	b := connected(t, sequence(needs(`{"u":`+u+`,"v":`+u+`}`, ""), needs(`{"u":`+u+`}`, ""), doneResult))
	id := b.call(CallRequest{})
	b.answer(b.question(), Answer{Action: Decline})
	b.answer(b.question(), Answer{Action: Cancel}) // v: nobody has said yes to the page yet
	b.answer(b.question(), Answer{Action: Accept})
	b.ended(id)
}

func TestC20_OnePageIsAskedForOnceInARound(t *testing.T) {
	u := urlAsk("https://svc.example/a")
	b := connected(t, sequence(needs(`{"a":`+u+`,"b":`+u+`}`, ""), needs(`{"c":`+u+`,"f":`+formAsk("who")+`}`, ""), doneResult))
	id := b.call(CallRequest{})
	b.answer(b.question(), Answer{Action: Accept})
	f := b.question()
	if f.Mode != ModeForm {
		t.Fatalf("asked for %s again", f.URL)
	}
	b.answer(f, accepted(`{}`))
	b.ended(id)
	calls := b.peer().requests("tools/call")
	if got := param(calls[1], "inputResponses"); got != `{"a":{"action":"accept"},"b":{"action":"accept"}}` {
		t.Errorf("the first round was answered with %s", got)
	}
	if got := param(calls[2], "inputResponses"); got != `{"c":{"action":"accept"},"f":{"action":"accept","content":{}}}` {
		t.Errorf("the second round was answered with %s", got)
	}
}

func TestB34_AFormThenAPageAreAskedInOrder(t *testing.T) {
	b := connected(t, sequence(needs(`{"f":`+formAsk("who")+`}`, ""), needs(`{"u":`+urlAsk("https://svc.example/x")+`}`, ""), doneResult))
	id := b.call(CallRequest{})
	f := b.question()
	b.answer(f, accepted(`{"f":"me"}`))
	u := b.question()
	if f.Mode != ModeForm || u.Mode != ModeURL || f.Identity.Name != u.Identity.Name || u.Identity.Name != "Travel desk" {
		t.Errorf("asked %s by %q, then %s by %q", f.Mode, f.Identity.Name, u.Mode, u.Identity.Name)
	}
	b.answer(u, Answer{Action: Accept})
	b.ended(id)
}

func TestACallThatPollsRepeatsAPageWithGrowingPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		url := "https://svc.example/a"
		again := needs(`{"u":`+urlAsk(url)+`}`, "")
		b := connected(t, sequence(again, again, again, again, again, again, doneResult))
		id := b.call(CallRequest{Polling: true})
		b.answer(b.question(), Answer{Action: Accept})
		start := time.Now()
		call := b.ended(id)
		if call.State != CallDone || call.Asked != 1 {
			t.Fatalf("the call is %s, asked %d: %v", call.State, call.Asked, call.Failure)
		}
		if got := time.Since(start); got != (1+2+4+8+10)*time.Second {
			t.Errorf("five repeats took %v, want 1+2+4+8+10 s", got)
		}
	})
}

func TestB49_AllQuestionsOfARoundAreOpenAndKeepTheirDrafts(t *testing.T) {
	b := connected(t, sequence(needs(`{"a":`+formAsk("a")+`,"b":`+formAsk("b")+`,"c":`+formAsk("c")+`}`, ""), doneResult))
	b.call(CallRequest{})
	first := b.question()
	if err := b.client.SaveDraft(first.ID, json.RawMessage(`{"typed":"half a sen"}`)); err != nil {
		t.Fatal(err)
	}
	second, third := b.question(), b.question()
	b.answer(second, Answer{Action: Cancel})
	b.answer(third, Answer{Action: Decline})
	if e, _ := b.client.Elicitation(first.ID); e.State != ElicitationOpen || string(e.Draft) != `{"typed":"half a sen"}` {
		t.Errorf("the first question is %s with draft %s", e.State, e.Draft)
	}
}

func TestC1_EveryQuestionCarriesWhoAsksAndWhy(t *testing.T) {
	b := connected(t, sequence(needs(`{"a":`+formAsk("a")+`}`, ""), doneResult))
	b.call(CallRequest{Name: "book", Title: "Book a trip", By: ByWindow})
	e := b.question()
	if e.Identity.Name != "Travel desk" || !slices.Equal(e.Identity.Command, []string{"travel", "--stdio"}) || e.Identity.Transport != Stdio {
		t.Errorf("identity = %+v", e.Identity)
	}
	if e.CallTitle != "Book a trip" || e.CallStarted.IsZero() || e.Round != 1 {
		t.Errorf("the question does not say why it is asked: %+v", e)
	}
}

func TestTooManyQuestionsEndAModernCallInWords(t *testing.T) {
	var entries []string
	for i := range MaxOpen + 1 {
		entries = append(entries, fmt.Sprintf("%q:%s", fmt.Sprint("k", i), formAsk("x")))
	}
	b := connected(t, sequence(needs("{"+strings.Join(entries, ",")+"}", "")))
	call := b.ended(b.call(CallRequest{}))
	if call.Failure == nil || call.Failure.Kind != FailInvalid || len(b.client.Open()) != 0 {
		t.Errorf("the call is %s (%v) with %d questions open", call.State, call.Failure, len(b.client.Open()))
	}
}

func TestResultsOfPromptsAndResourcesHaveRoundsToo(t *testing.T) {
	for kind, method := range methods {
		b := connected(t, modern(func(p *peer, m wire.Message, params []rawjson.Member) {
			if rawjson.Get(params, "inputResponses") == nil {
				p.reply(m, needs(`{"q":`+formAsk("q")+`}`, `"s"`))
				return
			}
			p.reply(m, `{"resultType":"complete"}`)
		}))
		id := b.call(CallRequest{Kind: kind, Name: "demo://x"})
		b.answer(b.question(), accepted(`{}`))
		if call := b.ended(id); call.State != CallDone || len(b.peer().requests(method)) != 2 {
			t.Errorf("%s: the call is %s: %v", method, call.State, call.Failure)
		}
	}
}

func TestTheLastTryComesWhenTheTimeForWaitingIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		b := connected(t, modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
			if time.Since(start) < 4500*time.Millisecond {
				p.reply(m, needs("", `"s"`))
				return
			}
			p.reply(m, doneResult)
		}))
		if c := b.ended(b.call(CallRequest{Polling: true, Quiet: 5 * time.Second})); c.State != CallDone {
			t.Errorf("the call is %s: %v", c.State, c.Failure)
		}
		if spent := time.Since(start); spent != 5*time.Second {
			t.Errorf("after %v", spent)
		}
	})
}
