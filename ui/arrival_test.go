package ui

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient"
)

func TestArrival_AnAnswerCountsAsArrivedOnlyWhereTheServerCanHaveIt(t *testing.T) {
	refused := mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("client.transport.network.refused")}
	lost := mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.lost")}
	silent := mcpclient.Failure{Kind: mcpclient.FailTimeout, Text: i18n.M("core.fail.silent")}
	rpc := mcpclient.Failure{Kind: mcpclient.FailRPC}
	for name, c := range map[string]struct {
		round, asked int // of the call, and the newest in which it was asked
		via          mcpclient.Via
		state        mcpclient.CallState
		failure      *mcpclient.Failure
		want         arrival
	}{
		"nobody listens":                {2, 1, mcpclient.ViaRound, mcpclient.CallFailed, &refused, arrivedNot},
		"the connection breaks":         {2, 1, mcpclient.ViaRound, mcpclient.CallFailed, &lost, arrivedPerhaps},
		"no reply in time":              {2, 1, mcpclient.ViaRound, mcpclient.CallFailed, &silent, arrivedPerhaps},
		"the rest was never answered":   {1, 1, mcpclient.ViaRound, mcpclient.CallFailed, &lost, arrivedNot},
		"the server answers: an error":  {2, 1, mcpclient.ViaRound, mcpclient.CallFailed, &rpc, arrived},
		"the server asks on, then dies": {2, 2, mcpclient.ViaRound, mcpclient.CallFailed, &lost, arrived},
		"the server waits, then dies":   {3, 1, mcpclient.ViaRound, mcpclient.CallFailed, &lost, arrived},
		"still running":                 {2, 1, mcpclient.ViaRound, mcpclient.CallRunning, nil, arrived},
		"done":                          {2, 1, mcpclient.ViaRound, mcpclient.CallDone, nil, arrived},
		"pushed, and answered at once":  {1, 1, mcpclient.ViaPush, mcpclient.CallFailed, &lost, arrived},
	} {
		q := mcpclient.Elicitation{Via: c.via, Round: 1, State: mcpclient.ElicitationAnswered, Answer: &mcpclient.Answer{Action: mcpclient.Accept}}
		later := mcpclient.Elicitation{Via: c.via, Round: c.asked}
		call := mcpclient.Call{Round: c.round, State: c.state, Failure: c.failure}
		if got := arrivalOf(&call, q, []*mcpclient.Elicitation{&q, &later}); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestAnswerThatDidNotArrive_IsNotLost: the server is gone when the answer is
// sent. The page does not say that it was given, and all of it can be copied,
// secrets only as they are shown.
func TestAnswerThatDidNotArrive_IsNotLost(t *testing.T) {
	form := `{"type":"object","properties":{"name":{"type":"string","title":"Full name"},"pin":{"type":"string","title":"Password"}}}`
	dies := func(s *memoryServer, params []rawMember) json.RawMessage {
		if rawjson.Get(params, "inputResponses") == nil {
			return asking(`{"k":`+formRequest("Who?", form)+`}`)(s, params)
		}
		s.die(errors.New("killed"))
		return nil
	}
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": dies}})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	sh.draft.SetText("/pin", "hunter2")
	r.ctrlEnter()
	r.pass(deafTime)
	r.press("Send it anyway")
	if c := r.ended(); c.State != mcpclient.CallFailed {
		t.Fatalf("the call is %s", c.State)
	}
	r.wait(func() bool { p, ok := r.s.page.(*requestPage); return ok && p.ended })
	text := r.text()
	for _, want := range []string{"Round 1: you answered, but no reply came: your answer may not have reached the server", "What you entered for the server is kept below"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	r.press("Copy what you entered")
	if got := r.app.Clipboard().Content(); !strings.Contains(got, "Full name: Lin\n") || strings.Contains(got, "hunter2") {
		t.Errorf("copied %q", got)
	}
	if r.button("Run again") == nil {
		t.Error("the request cannot be run again")
	}
}

// TestQuestionsThatDied_EachSaysWhatBecameOfIt: two questions of one round are
// told apart, and only of the one that holds something is said that it was not
// sent.
func TestQuestionsThatDied_EachSaysWhatBecameOfIt(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": asking(`{"a":` + formRequest("First?", nameForm) + `,"b":` + formRequest("Second?", nameForm) + `}`)}})
	r.run("ask")
	r.question()
	r.tab()
	r.typing("Lin")
	r.server.die(errors.New("killed"))
	call := r.ended()
	r.s.choose(route{section: sectionRequest, id: call.ID})
	text := r.text()
	for words, want := range map[string]int{
		"Round 1, question 1: not answered":      1,
		"Round 1, question 2: not answered":      1,
		"The connection to the server was lost.": 2, // of each; the call's own sentence says how
		"What you entered was not sent.":         1,
		"Nothing was entered.":                   1,
	} {
		if got := strings.Count(text, words); got < want || words != "The connection to the server was lost." && got != want {
			t.Errorf("the page says %q %d times, want %d:\n%s", words, got, want, text)
		}
	}
}
