package ui

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// callOf is a call to the first server's tool "a" as the client would tell of it.
func (r *rig) callOf(v *serverState, c mcpclient.Call) mcpclient.Call {
	c.ID, c.ServerID, c.Identity, c.Started = "told", v.ID, mcpclient.Identity{Name: v.Name, Transport: mcpclient.Stdio, Command: append([]string{v.Command}, v.Args...)}, r.clock.Now()
	c.CallRequest = mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: "a", Title: "Book a trip", Arguments: json.RawMessage(`{"n":12345678901234567890}`)}
	return c
}

// atCall opens the page of a call that the client told of.
func (r *rig) atCall(c mcpclient.Call) {
	r.told(mcpclient.Event{ServerID: c.ServerID, CallID: c.ID, Call: &c})
	r.s.choose(route{section: sectionRequest, id: c.ID})
	r.pass(deafTime)
}

// newest waits for a call that was started from the page of another one.
func (r *rig) newest() mcpclient.Call {
	r.wait(func() bool { return len(r.s.desk.calls) == 2 && r.s.desk.calls[1].State.Ended() })
	r.queue.Drain()
	return r.s.desk.calls[1].Call
}

func TestKeptResult_SaysOfWhenItIsAndCanBeReadAgain(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	v := r.connected()
	c := r.callOf(v, mcpclient.Call{State: mcpclient.CallDone, Result: json.RawMessage(`{"content":[]}`)})
	c.Kept = r.clock.Now().Add(-time.Minute)
	r.atCall(c)
	r.wait(func() bool { return strings.Contains(r.text(), "without any content") })
	r.pass(deafTime)
	r.reads("As of " + c.Kept.Local().Format("15:04") + "; the server allows it to be kept.")
	r.press("Ask the server anew")
	again := r.newest()
	if !again.Fresh || string(again.Arguments) != string(c.Arguments) || again.By != mcpclient.ByWindow {
		t.Errorf("asked again as %+v", again.CallRequest)
	}
	if r.s.at != (route{section: sectionRequest, id: again.ID}) || strings.Contains(r.text(), "As of") {
		t.Errorf("the page at %v reads:\n%s", r.s.at, r.text())
	}
}

func TestAtTime_NamesAnotherDay(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.Local)
	if got := atTime(now, now.Add(-time.Hour)); got != "11:00" {
		t.Errorf("today is %q", got)
	}
	if got := atTime(now, now.Add(-13*time.Hour)); got != "2026-05-31 23:00" {
		t.Errorf("yesterday is %q", got)
	}
}

// TestUnrepeated_IsSentAgainOnlyByThePerson: nobody else knows how far the
// server had come.
func TestUnrepeated_IsSentAgainOnlyByThePerson(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	v := r.connected()
	c := r.callOf(v, mcpclient.Call{State: mcpclient.CallFailed, Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.unrepeated")}})
	r.atCall(c)
	r.reads("this request was not sent again")
	if n := len(r.server.requests("tools/call")); n != 0 {
		t.Fatalf("%d calls were sent by nobody", n)
	}
	r.press("Send the same again")
	if again := r.newest(); string(again.Arguments) != string(c.Arguments) || again.Fresh {
		t.Errorf("sent again as %+v", again.CallRequest)
	}
	sent := r.server.requests("tools/call")
	if len(sent) != 1 || !strings.Contains(string(sent[0].Params), `{"n":12345678901234567890}`) {
		t.Errorf("sent %v", sent)
	}
}

func TestUnrepeated_LeadsToTheServersPageWhenItIsNotConnected(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	v := r.connected()
	r.server.die(errNoBrowser)
	r.wait(func() bool { return v.status.State == mcpclient.Lost })
	r.atCall(r.callOf(v, mcpclient.Call{State: mcpclient.CallFailed, Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.unrepeated")}}))
	r.press("Send the same again")
	r.wait(func() bool { return r.s.at == route{section: sectionServer, id: v.ID} })
}

func TestOtherFailures_AreNotSentAgainAsTheyAre(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	v := r.connected()
	r.atCall(r.callOf(v, mcpclient.Call{State: mcpclient.CallFailed, Failure: &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("core.fail.lost")}}))
	if r.button("Send the same again") != nil {
		t.Error("any failure offers to send the same again")
	}
}

// TestStillWorking_SaysHowLongAndHowOften, and can be cancelled all the while.
func TestStillWorking_SaysHowLongAndHowOften(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}})
	v := r.connected()
	c := r.callOf(v, mcpclient.Call{State: mcpclient.CallPausing, Round: 1})
	r.atCall(c)
	for range 3 {
		r.pass(20 * time.Second)
		c.Round++
		c.State = mcpclient.CallRunning
		r.told(mcpclient.Event{CallID: c.ID, Call: &c})
		r.reads("The server is still working.")
		c.State = mcpclient.CallPausing
		r.told(mcpclient.Event{CallID: c.ID, Call: &c})
	}
	r.reads("It has answered “not yet” 4 times, first 1 minute ago.")
	if r.button("Cancel request") == nil {
		t.Error("it cannot be cancelled")
	}
	c.State, c.Result = mcpclient.CallDone, json.RawMessage(`{"content":[]}`)
	r.told(mcpclient.Event{CallID: c.ID, Call: &c})
	if strings.Contains(r.text(), "still working") {
		t.Errorf("a call that is done still works:\n%s", r.text())
	}
}
