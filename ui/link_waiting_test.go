package ui

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/ui/kit"
)

// TestWaiting_ThePageCanBeOpenedAgain from the request's page too, after the
// person went on too early or was led to the next question; by a click, and
// exactly as it was consented to. The keyboard stays on the button meanwhile.
func TestWaiting_ThePageCanBeOpenedAgain(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"link": patient(goodLink, 9)}, http: true})
	r.run("link")
	sh := r.question()
	r.press("Open calendar.example")
	r.wait(func() bool {
		return r.s.desk.call(sh.q.CallID).State == mcpclient.CallBrowser && r.button("Continue") != nil &&
			strings.Contains(r.text(), "Waiting for you in the browser.")
	})
	r.pass(deafTime)
	r.press("Continue")
	var page *requestPage
	r.wait(func() bool { page, _ = r.s.page.(*requestPage); return page != nil })
	r.wait(func() bool { return page.c.State == mcpclient.CallBrowser && r.button("Open again") != nil })
	r.pass(deafTime)
	r.press("Copy link")
	if got := r.app.Clipboard().Content(); got != goodLink {
		t.Errorf("copied %q", got)
	}
	again := r.button("Open again")
	r.s.win.Canvas().Focus(again)
	r.key(fyne.KeyReturn)
	if n := len(r.opener.urls()); n != 1 {
		t.Errorf("Enter opened the page: %d times", n)
	}
	r.pass(3 * time.Second)
	page.draw()
	if r.button("Open again") != again || r.s.win.Canvas().Focused() != fyne.Focusable(again) {
		t.Error("drawing the page anew takes the keyboard from its button")
	}
	r.key(fyne.KeySpace)
	r.wait(func() bool { return len(r.opener.urls()) == 2 })
	if got := r.opener.urls()[1]; got != goodLink {
		t.Errorf("opened %q", got)
	}
	r.opener.failWith(errNoBrowser)
	r.wait(func() bool { return !again.Disabled() })
	r.press("Open again")
	r.wait(func() bool { return strings.Contains(r.text(), "no browser here") })
	if r.button("Cancel request") == nil || r.button("Continue") == nil {
		t.Error("the ways to end or go on are gone")
	}
}

// TestWaiting_TheTimeGoesOn while the person is at the page in the browser.
func TestWaiting_TheTimeGoesOn(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"link": patient(goodLink, 3)}, http: true})
	r.run("link")
	r.question()
	r.press("Open calendar.example")
	r.wait(func() bool { return strings.Contains(r.text(), "Waiting for you in the browser.") })
	for range 5 {
		r.pass(time.Second)
	}
	if !strings.Contains(r.text(), " 5 seconds ago") {
		t.Errorf("after 5 seconds the page reads:\n%s", r.text())
	}
}

// TestWaiting_AClickTooManyEndsNothing: where Open and then Continue was, no button
// follows that ends the request, forgets it or opens a page.
func TestWaiting_AClickTooManyEndsNothing(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"link": patient(goodLink, 9)}, http: true})
	r.run("link")
	sh := r.question()
	type place struct{ left, right float32 }
	where := func(words string) place {
		t.Helper()
		b := r.button(words)
		if b == nil {
			t.Fatalf("no button %q", words)
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
		return place{at.X, at.X + b.Size().Width}
	}
	apart := func(what string, a, b place) {
		t.Helper()
		if a.left < b.right && b.left < a.right {
			t.Errorf("%s: %v and %v", what, a, b)
		}
	}
	open := where("Open calendar.example")
	r.press("Open calendar.example")
	r.wait(func() bool {
		return r.button("Continue") != nil && r.s.desk.call(sh.q.CallID).State == mcpclient.CallBrowser
	})
	goOn, stop := where("Continue"), where("Cancel request")
	apart("Cancel request where Open was", stop, open)
	r.pass(deafTime)
	r.press("Continue")
	r.wait(func() bool {
		page, ok := r.s.page.(*requestPage)
		return ok && page.c.State == mcpclient.CallBrowser && len(r.server.requests("tools/call")) == 3
	})
	stop = where("Cancel request")
	apart("Cancel request where Continue was", stop, goOn)
	r.pass(deafTime)
	r.press("Cancel request")
	r.ended()
	r.wait(func() bool { return r.button(r.s.t("ui.request.forget")) != nil })
	apart("forgetting where Cancel request was", where(r.s.t("ui.request.forget")), stop)
}

type openerFunc func(ctx context.Context, url string) error

func (f openerFunc) Open(ctx context.Context, url string) error { return f(ctx, url) }

// TestC15_AServerThatHoldsTheRetry leaves the person with a way out: the page says
// what it waits for, opens the page again, and ends the request.
func TestC15_AServerThatHoldsTheRetry(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"link": func(_ *memoryServer, params []rawMember) json.RawMessage {
		if rawjson.Get(params, "inputResponses") != nil {
			return nil // the server holds the call
		}
		return json.RawMessage(`{"resultType":"input_required","requestState":"s","inputRequests":{"k":` + urlRequest("Sign in", goodLink) + `}}`)
	}}, http: true})
	r.run("link")
	sh := r.question()
	r.press("Open calendar.example")
	r.answered(sh)
	r.wait(func() bool {
		return r.s.desk.call(sh.q.CallID).State == mcpclient.CallRunning && len(r.server.requests("tools/call")) == 2
	})
	r.pass(time.Minute)
	if !strings.Contains(r.text(), "Waiting for you in the browser.") {
		t.Errorf("the page reads:\n%s", r.text())
	}
	r.press("Open again")
	r.wait(func() bool { return len(r.opener.urls()) == 2 && !sh.busy() })
	r.pass(deafTime)
	r.press("Cancel request")
	if c := r.ended(); c.State != mcpclient.CallCancelled {
		t.Errorf("the call is %s", c.State)
	}
}

// patient is a tool that asks for the same page until it was accepted n times.
func patient(url string, n int) tool {
	accepted := 0
	return func(_ *memoryServer, params []rawMember) json.RawMessage {
		if rawjson.Get(params, "inputResponses") != nil {
			accepted++
		}
		if accepted >= n {
			return json.RawMessage(`{"resultType":"complete","content":[{"type":"text","text":"linked"}]}`)
		}
		return json.RawMessage(`{"resultType":"input_required","requestState":"s","inputRequests":{"k":` + urlRequest("Sign in", url) + `}}`)
	}
}

// waitingRig is a window whose person has opened the page and is away.
func waitingRig(t *testing.T, n int) (*rig, *sheet) {
	t.Helper()
	r := newRig(t, rigOptions{tools: map[string]tool{"link": patient(goodLink, n)}, http: true})
	r.run("link")
	sh := r.question()
	r.press("Open calendar.example")
	r.answered(sh)
	r.wait(func() bool { return r.s.desk.calls[0].State == mcpclient.CallBrowser })
	r.pass(deafTime)
	return r, sh
}

func TestC15_AfterConsentThePageStaysWithContinueOpenAgainAndCancelRequest(t *testing.T) {
	t.Run("Continue opens nothing and goes on", func(t *testing.T) {
		r, _ := waitingRig(t, 2)
		if text := r.text(); !strings.Contains(text, "Waiting for you in the browser.") {
			t.Errorf("the page does not say that it waits:\n%s", text)
		}
		r.press("Continue")
		if c := r.ended(); c.State != mcpclient.CallDone || len(r.opener.urls()) != 1 {
			t.Errorf("the call is %s after %d openings; want done after 1", c.State, len(r.opener.urls()))
		}
	})
	t.Run("Open again opens the same string and answers nothing", func(t *testing.T) {
		r, _ := waitingRig(t, 3)
		calls := len(r.server.requests("tools/call"))
		r.press("Open again")
		r.wait(func() bool { return len(r.opener.urls()) == 2 })
		if got := r.opener.urls(); got[1] != goodLink {
			t.Errorf("opened %q", got)
		}
		if n := len(r.server.requests("tools/call")); n != calls {
			t.Errorf("opening again sent %d requests", n-calls)
		}
	})
	t.Run("Cancel request ends the call", func(t *testing.T) {
		r, _ := waitingRig(t, 2)
		r.press("Cancel request")
		if c := r.ended(); c.State != mcpclient.CallCancelled {
			t.Errorf("the call is %s", c.State)
		}
		r.wait(func() bool { return r.s.at.section == sectionRequest })
	})
}

// TestWaiting_EveryPageOfSeveralStaysReachable: the two pages of one -32042,
// asked for again and again, byte for byte, by a server that never says that
// one is done.
func TestWaiting_EveryPageOfSeveralStaysReachable(t *testing.T) {
	needs := func(s *memoryServer, _ []rawMember) json.RawMessage {
		s.say(`{"jsonrpc":"2.0","id":` + s.id() + `,"error":{"code":-32042,"message":"Two pages","data":{"elicitations":[` +
			`{"mode":"url","elicitationId":"1","message":"Sign in","url":"` + goodLink + `"},` +
			`{"mode":"url","elicitationId":"2","message":"Grant","url":"` + otherLink + `"}]}}}`)
		return nil
	}
	r := newRig(t, rigOptions{tools: map[string]tool{"link": needs}, http: true, legacy: true})
	r.run("link")
	first := r.question()
	r.press("Open calendar.example")
	r.answered(first)
	r.wait(func() bool { return r.s.at.section == sectionQuestion && r.s.at.id != first.q.ID })
	second := r.s.sheets[r.s.at.id]

	// While the second is asked, the first can be reached and opened.
	r.openAgain(first)
	r.s.choose(route{section: sectionQuestion, id: second.q.ID})
	r.pass(deafTime)
	r.press("Open calendar.example")
	r.answered(second)
	call := r.s.desk.calls[0]
	for range 3 {
		r.wait(func() bool { return call.State == mcpclient.CallBrowser })
		r.openAgain(first)
		r.openAgain(second)
		asked := len(r.server.requests("tools/call"))
		r.press("Continue")
		r.wait(func() bool { return len(r.server.requests("tools/call")) == asked+1 })
	}
	r.wait(func() bool { return call.State == mcpclient.CallBrowser && r.s.at.section == sectionRequest })
	r.pass(deafTime)
	if n := strings.Count(r.text(), "waits for you in the browser"); n != 1 || len(r.s.sheets) != 2 {
		t.Errorf("%d sheets; the page reads:\n%s", len(r.s.sheets), r.text())
	}
	again := 0
	for _, o := range objectsOf(r.s.page.object()) {
		if b, ok := o.(*kit.Button); ok && b.Text() == "Open again" {
			again++
		}
	}
	if again != 2 {
		t.Errorf("the request's page opens %d of 2 pages", again)
	}
	r.press("Cancel request")
	r.ended()
	before := len(r.opener.urls())
	r.s.openLink(first, true)
	r.queue.Drain()
	if first.busy() || len(r.opener.urls()) != before {
		t.Error("the consent outlives its request")
	}
	r.s.choose(route{section: sectionQuestions})
	if !strings.Contains(r.text(), "No open questions") {
		t.Errorf("the list still holds pages of an ended request:\n%s", r.text())
	}
}

// openAgain opens an accepted page again, by way of the list of questions.
func (r *rig) openAgain(sh *sheet) {
	r.t.Helper()
	r.s.choose(route{section: sectionQuestions})
	p := r.s.page.(*listPage)
	i := slices.IndexFunc(p.rows, func(row listRow) bool { return row.id == sh.q.ID })
	if i < 0 {
		r.t.Fatalf("the list of questions lacks the page:\n%s", r.text())
	}
	p.list.Row(i).Tapped(&fyne.PointEvent{})
	r.pass(deafTime)
	before := len(r.opener.urls())
	r.press("Open again")
	r.wait(func() bool { return len(r.opener.urls()) == before+1 && !sh.busy() })
	if got := r.opener.urls()[before]; got != sh.link.Open {
		r.t.Errorf("opened %q", got)
	}
	r.pass(deafTime)
}
