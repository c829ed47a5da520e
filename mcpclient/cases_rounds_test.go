package mcpclient

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// The field cases of rounds (group D, and X2, X6, X7): what other clients got
// wrong with several round trips.

func TestB38_NothingOfAnEarlierRoundIsSentAgain(t *testing.T) {
	a, b := `{"a":`+formAsk("a")+`}`, `{"b":`+formAsk("b")+`}`
	for name, state := range map[string]string{
		"plain":                 `"s1"`,
		"quotes and backslash":  `"a \"b\" \\ \/ \u0022"`,
		"emoji":                 `"😀 \ud83d\ude00 👩‍👩‍👧"`,
		"a lone surrogate":      `"\ud800"`,
		"invisible characters":  "\"\u202e\u200b\\u0000\"",
		"100 kB":                `"` + strings.Repeat("0123456789", 10_000) + `"`,
		"looks like JSON":       `"{\"requestState\":\"s0\"}"`,
		"empty, which is a one": `""`,
	} {
		t.Run(name, func(t *testing.T) {
			bench := connected(t, sequence(needs(a, state), needs(b, ""), needs("", `"s3"`), needs(a, `null`), doneResult))
			id := bench.call(CallRequest{})
			bench.answer(bench.question(), accepted(`{"f":"first"}`))
			bench.answer(bench.question(), accepted(`{"f":"second"}`))
			bench.answer(bench.question(), Answer{Action: Decline})
			bench.ended(id)
			calls := bench.peer().requests("tools/call")
			ids := map[wire.ID]bool{}
			for i, want := range []struct{ responses, state string }{
				{"", ""},
				{`{"a":{"action":"accept","content":{"f":"first"}}}`, state},
				{`{"b":{"action":"accept","content":{"f":"second"}}}`, ""},
				{"", `"s3"`},
				{`{"a":{"action":"decline"}}`, ""},
			} {
				ids[calls[i].ID] = true
				if got := param(calls[i], "inputResponses"); got != want.responses {
					t.Errorf("request %d carries the answers %s, want %s", i+1, got, want.responses)
				}
				if got := param(calls[i], "requestState"); got != want.state {
					t.Errorf("request %d carries the state %.60q, want %.60q", i+1, got, want.state)
				}
			}
			if len(ids) != 5 {
				t.Errorf("five requests had %d ids", len(ids))
			}
		})
	}
}

func TestB40_AWizardOfTwelveStepsKeepsEveryAnswer(t *testing.T) {
	const steps = 12
	state := func(step int) string { return string(quote(strings.Repeat("s", step*10_000))) }
	b := connected(t, modern(func(p *peer, m wire.Message, params []rawjson.Member) {
		n := len(p.requests("tools/call"))
		if n > steps {
			p.reply(m, doneResult)
			return
		}
		p.reply(m, needs(fmt.Sprintf(`{"step%d":%s}`, n, formAsk(fmt.Sprint("Step ", n))), state(n)))
	}))
	id := b.call(CallRequest{})
	for i := 1; i <= steps; i++ {
		e := b.question()
		if e.Message != fmt.Sprint("Step ", i) || e.Round != i {
			t.Fatalf("step %d was asked as %q of round %d", i, e.Message, e.Round)
		}
		b.answer(e, accepted(fmt.Sprintf(`{"f":"answer %d"}`, i)))
	}
	if call := b.ended(id); call.State != CallDone || call.Asked != steps {
		t.Fatalf("the call is %s after %d questions: %v", call.State, call.Asked, call.Failure)
	}
	for i, sent := range b.peer().requests("tools/call")[1:] {
		want := fmt.Sprintf(`{"step%d":{"action":"accept","content":{"f":"answer %d"}}}`, i+1, i+1)
		if got := param(sent, "inputResponses"); got != want || param(sent, "requestState") != state(i+1) {
			t.Errorf("step %d was answered with %s", i+1, got)
		}
	}
	for _, e := range b.client.Elicitations() {
		if e.State != ElicitationAnswered || e.Answer.Content == nil {
			t.Errorf("%s is %s and its answer is lost", e.Message, e.State)
		}
	}
}

// The same wizard from a server of 2025, which asks one question after the
// other while the call goes on.
func TestB40_TwelvePushedQuestionsOneAfterTheOther(t *testing.T) {
	const steps = 12
	var call wire.Message
	step := 0
	b := connected(t, legacy(func(p *peer, m wire.Message) {
		call = m
		p.say(m.ID, pushForm("0", "Step 0"))
	}, func(p *peer, m wire.Message) {
		if m.Kind() != wire.Response {
			return
		}
		if step++; step == steps {
			p.reply(call, `{"content":[]}`)
			return
		}
		p.say(call.ID, pushForm(fmt.Sprint(step), fmt.Sprint("Step ", step)))
	}))
	id := b.call(CallRequest{})
	for i := range steps {
		e := b.question()
		if e.N != i+1 || e.CallID != id {
			t.Fatalf("step %d is question %d of call %q", i, e.N, e.CallID)
		}
		b.answer(e, accepted(fmt.Sprintf(`{"f":"%d"}`, i)))
	}
	if c := b.ended(id); c.State != CallDone || c.Asked != steps {
		t.Errorf("the call is %s after %d questions: %v", c.State, c.Asked, c.Failure)
	}
}

// A form with an unusual but readable schema is a form like every other, and
// takes none of its neighbours with it.
func TestB42_AnUnusualSchemaCostsNoNeighbour(t *testing.T) {
	for name, schema := range map[string]string{
		"nullable union":        `{"type":"object","properties":{"z":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`,
		"nested object":         `{"type":"object","properties":{"z":{"type":"object","properties":{"y":{"type":"string"}}}}}`,
		"no type":               `{"properties":{"z":{"enum":["a"]}}}`,
		"not an object":         `[]`,
		"a $ref to the network": `{"type":"object","properties":{"z":{"$ref":"https://a.example/s"}}}`,
		"null":                  `null`,
	} {
		t.Run(name, func(t *testing.T) {
			bad := `{"method":"elicitation/create","params":{"message":"m","requestedSchema":` + schema + `}}`
			b := connected(t, sequence(needs(`{"good":`+formAsk("g")+`,"bad":`+bad+`,"after":`+formAsk("a")+`}`, ""), doneResult))
			id := b.call(CallRequest{})
			good, odd, after := b.question(), b.question(), b.question()
			if string(odd.Schema) != schema {
				t.Errorf("the schema became %s", odd.Schema)
			}
			b.answer(odd, Answer{Action: Decline})
			if e, _ := b.client.Elicitation(good.ID); e.State != ElicitationOpen {
				t.Fatalf("the good form is %s", e.State)
			}
			b.answer(good, accepted(`{"f":"kept"}`))
			b.answer(after, Answer{Action: Cancel})
			if call := b.ended(id); call.State != CallDone {
				t.Errorf("the call is %s: %v", call.State, call.Failure)
			}
			want := `{"good":{"action":"accept","content":{"f":"kept"}},"bad":{"action":"decline"},"after":{"action":"cancel"}}`
			if got := param(b.peer().requests("tools/call")[1], "inputResponses"); got != want {
				t.Errorf("inputResponses = %s, want %s", got, want)
			}
		})
	}
}

// A round with an entry that nobody can answer is not sent again, nothing in it
// is asked, and the sentence names the entry. The connection goes on.
func TestB42_X2_AnEntryNobodyCanAnswerIsNamedAndCostsOnlyItsCall(t *testing.T) {
	for _, entry := range []string{
		`null`, `7`, `"elicitation/create"`, `[]`, `true`, `{}`,
		`{"method":null}`, `{"method":7}`, `{"method":""}`, `{"method":"foo/bar"}`, `{"method":"Elicitation/Create"}`,
		`{"method":"elicitation/create"}`,
		`{"method":"elicitation/create","params":null}`, `{"method":"elicitation/create","params":[]}`, `{"method":"elicitation/create","params":"m"}`,
		`{"method":"elicitation/create","params":{}}`, `{"method":"elicitation/create","params":{"message":null}}`, `{"method":"elicitation/create","params":{"message":{}}}`,
		`{"method":"elicitation/create","params":{"mode":"url","message":"m"}}`, `{"method":"elicitation/create","params":{"mode":"url","message":"m","url":[]}}`,
		`{"method":"sampling/createMessage","params":{"messages":[]}}`, `{"method":"roots/list"}`, `{"method":"sampling/else"}`,
	} {
		for place, requests := range map[string]string{
			"alone":      `{"the key":` + entry + `}`,
			"after good": `{"good":` + formAsk("g") + `,"the key":` + entry + `}`,
			"before":     `{"the key":` + entry + `,"good":` + formAsk("g") + `}`,
		} {
			b := connected(t, sequence(needs(requests, `"s"`), doneResult))
			call := b.ended(b.call(CallRequest{}))
			if call.Failure == nil || call.Failure.Kind != FailInvalid || !strings.Contains(call.Failure.Error(), "the key") {
				t.Errorf("%s, %s: the call is %s: %v", entry, place, call.State, call.Failure)
			}
			if n := len(b.peer().requests("tools/call")); n != 1 || call.Asked != 0 || len(b.client.Elicitations()) != 0 {
				t.Errorf("%s, %s: sent %d times, asked %d", entry, place, n, call.Asked)
			}
			if next := b.ended(b.call(CallRequest{})); next.State != CallDone {
				t.Errorf("%s, %s: the next call is %s: %v", entry, place, next.State, next.Failure)
			}
		}
	}
}

func TestB42_X1_APushNobodyCanAnswerIsRefusedAndCostsNothing(t *testing.T) {
	for _, params := range []string{
		``, `null`, `7`, `[]`, `"m"`, `{}`, `{"message":7}`, `{"mode":"url"}`, `{"mode":"url","message":"m"}`, `{"mode":"url","message":"m","url":null}`,
		`{"mode":"voice","message":"m"}`, `{"mode":"","message":"m"}`, `{"mode":["form"],"message":"m"}`,
	} {
		push := `{"jsonrpc":"2.0","id":1,"method":"elicitation/create"`
		if params != "" {
			push += `,"params":` + params
		}
		got := make(chan wire.Message, 100)
		b := connected(t, pushing(got, pushForm(`"good"`, "still there"), push+`}`))
		id := b.call(CallRequest{})
		good := b.question()
		r := untilResponse(got, "1")
		if r.Error == nil || r.Error.Code != wire.CodeInvalidParams || !strings.HasPrefix(r.Error.Message, "elicitation/create: ") || r.Result != nil {
			t.Errorf("params %s: answered with %s and error %+v", params, r.Result, r.Error)
		}
		if e, _ := b.client.Elicitation(good.ID); e.State != ElicitationOpen || len(b.client.Elicitations()) != 1 {
			t.Errorf("params %s: the good question is %s, one of %d", params, e.State, len(b.client.Elicitations()))
		}
		b.answer(good, accepted(`{}`))
		if call := b.ended(id); call.State != CallDone {
			t.Errorf("params %s: the call is %s: %v", params, call.State, call.Failure)
		}
	}
}

func TestX6_AnUnknownResultTypeIsNoResult(t *testing.T) {
	for _, kind := range []string{`"weird"`, `""`, `"Complete"`, `"complete "`, `"inputRequired"`, `7`, `true`, `[]`, `{}`} {
		for call, method := range methods {
			b := connected(t, modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
				p.reply(m, `{"resultType":`+kind+`,"content":[{"type":"text","text":"done"}]}`)
			}))
			c := b.ended(b.call(CallRequest{Kind: call}))
			if c.Failure == nil || c.Failure.Kind != FailInvalid || c.Result != nil {
				t.Errorf("%s with resultType %.20s is %s: %v", method, kind, c.State, c.Failure)
			}
		}
	}
	// In the 2025 era the member has no meaning, whatever it says.
	b := connected(t, legacy(func(p *peer, m wire.Message) { p.reply(m, `{"resultType":"weird","content":[]}`) }, nil))
	if c := b.ended(b.call(CallRequest{})); c.State != CallDone {
		t.Errorf("a result of 2025 with a resultType is %s: %v", c.State, c.Failure)
	}
}

func TestX6_ListsWithAnotherResultTypeAreNoLists(t *testing.T) {
	for _, kind := range []string{`"weird"`, `7`, `"input_required"`} {
		b := connected(t, paging(`{"tools":{}}`, map[string]string{"-": `{"resultType":` + kind + `,"tools":[{"name":"a"}]}`}))
		if l, err := b.conn.List(t.Context()); err == nil {
			t.Errorf("resultType %s gave the tools %s", kind, l.Tools)
		}
	}
}

// A server of 2026 that still answers -32042 is understood like one of 2025.
func TestX7_AModernServerMayStillAnswerWithRequiredPages(t *testing.T) {
	refuse := func(e string) func(*peer, wire.Message) {
		return modern(func(p *peer, m wire.Message, _ []rawjson.Member) {
			if len(p.requests(m.Method)) == 1 {
				p.refuse(m, e)
				return
			}
			p.reply(m, doneResult)
		})
	}
	b := connected(t, refuse(requiredError("e1", "https://svc.example/1")))
	id := b.call(CallRequest{})
	e := b.question()
	if e.Mode != ModeURL || e.Via != ViaRequired || e.URL != "https://svc.example/1" {
		t.Fatalf("asked as %+v", e)
	}
	b.answer(e, Answer{Action: Accept})
	b.state(id, CallBrowser)
	if err := b.client.Continue(id); err != nil {
		t.Fatal(err)
	}
	if call := b.ended(id); call.State != CallDone {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
	again := b.peer().requests("tools/call")[1]
	if param(again, "inputResponses") != "" || param(again, "requestState") != "" || param(again, "_meta") == "" {
		t.Errorf("repeated as %s", again.Params)
	}

	for _, data := range []string{`{}`, `7`, `{"elicitations":[]}`} {
		b := connected(t, refuse(`{"code":-32042,"message":"More \u202eneeded","data":`+data+`}`))
		call := b.ended(b.call(CallRequest{}))
		if call.Failure == nil || call.Failure.Kind != FailRPC || call.Failure.Code != -32042 || call.Failure.Message != "More \u202eneeded" {
			t.Errorf("data %s: the call is %s: %+v", data, call.State, call.Failure)
		}
	}
}

// Three questions that come together stay three: whatever is done to one leaves
// the others, and what was typed into them, alone.
func TestB49_WhatIsTypedIntoOneOfThreeOutlivesTheOthers(t *testing.T) {
	b := connected(t, sequence(needs(`{"a":`+formAsk("a")+`,"b":`+formAsk("b")+`,"c":`+formAsk("c")+`}`, ""),
		needs(`{"d":`+formAsk("d")+`}`, ""), doneResult))
	id := b.call(CallRequest{})
	first := b.question()
	typed := []byte(`{"typed":"half a sen`)
	for i, more := range []string{"", "t", "te", "tence"} {
		draft := slices.Concat(typed, []byte(more+`"}`))
		if err := b.client.SaveDraft(first.ID, draft); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			b.answer(b.question(), Answer{Action: Cancel})
		}
		if e, _ := b.client.Elicitation(first.ID); e.State != ElicitationOpen || !bytes.Equal(e.Draft, draft) {
			t.Fatalf("the first question is %s with draft %s, want %s", e.State, e.Draft, draft)
		}
	}
	b.answer(b.question(), accepted(`{"f":"third"}`))
	if n := len(b.peer().requests("tools/call")); n != 1 {
		t.Fatalf("the round was sent with two of three answers")
	}
	b.answer(first, accepted(`{"f":"half a sentence"}`))
	b.answer(b.question(), Answer{Action: Decline})
	if call := b.ended(id); call.State != CallDone {
		t.Errorf("the call is %s: %v", call.State, call.Failure)
	}
}

// What a server wrote goes into a sentence only as far as a sentence can hold.
func TestB42_X6_SentencesStayShortWhateverTheServerWrote(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	for name, result := range map[string]string{
		"resultType": `{"resultType":"` + long + `","content":[]}`,
		"key":        needs(`{"`+long+`":null}`, ""),
		"method":     needs(`{"k":{"method":"`+long+`"}}`, ""),
		"sampling":   needs(`{"k":{"method":"sampling/`+long+`"}}`, ""),
		"mode":       needs(`{"k":{"method":"elicitation/create","params":{"message":"m","mode":"`+long+`"}}}`, ""),
	} {
		b := connected(t, sequence(result))
		call := b.ended(b.call(CallRequest{}))
		if call.Failure == nil || call.Failure.Kind != FailInvalid {
			t.Fatalf("%s: the call is %s: %v", name, call.State, call.Failure)
		}
		if words := call.Failure.Error(); len(words) > 1000 || !strings.Contains(words, "xxxx") {
			t.Errorf("%s: the sentence has %d bytes", name, len(words))
		}
	}
}
