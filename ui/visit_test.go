package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"fyne.io/fyne/v2/canvas"

	"parley/mcpclient"
	"parley/ui/kit"
)

// twoPages is a tool that needs two pages, by the error -32042.
func twoPages(s *memoryServer, _ []rawMember) json.RawMessage {
	s.say(`{"jsonrpc":"2.0","id":` + s.id() + `,"error":{"code":-32042,"message":"Two pages","data":{"elicitations":[` +
		`{"mode":"url","elicitationId":"1","message":"Sign in","url":"` + goodLink + `"},` +
		`{"mode":"url","elicitationId":"2","message":"Grant","url":"` + otherLink + `"}]}}}`)
	return nil
}

// at opens the page of a question.
func (r *rig) at(sh *sheet) {
	r.s.choose(route{section: sectionQuestion, id: sh.q.ID})
	r.pass(deafTime)
}

// sheetOf is the question with this message.
func (r *rig) sheetOf(message string) (found *sheet) {
	r.t.Helper()
	r.wait(func() bool {
		for _, sh := range r.s.sheets {
			if sh.q.Message == message {
				found = sh
			}
		}
		return found != nil
	})
	return found
}

// lacks checks that nothing on the page says this.
func (r *rig) lacks(words ...string) {
	r.t.Helper()
	for _, w := range words {
		if strings.Contains(r.text(), w) {
			r.t.Errorf("the page says %q:\n%s", w, r.text())
		}
	}
}

// TestWaiting_SaysWhichPageOfHowManyAndWhatElseIsOpen: of two pages of a round
// the first one, once opened, does not offer to go on, for the request cannot; it
// leads to the other. When both are opened, each says which it is.
func TestWaiting_SaysWhichPageOfHowManyAndWhatElseIsOpen(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"link": func(_ *memoryServer, params []rawMember) json.RawMessage {
		return json.RawMessage(`{"resultType":"input_required","requestState":"s","inputRequests":{"a":` + urlRequest("Sign in", goodLink) +
			`,"b":` + urlRequest("Grant", otherLink) + `}}`)
	}}, http: true})
	r.run("link")
	r.question()
	first, second := r.sheetOf("Sign in"), r.sheetOf("Grant")
	r.at(first)
	r.press("Open calendar.example")
	r.answered(first)
	r.pass(deafTime)
	r.reads("Waiting for you in the browser: page 1 of 2.", "asked something else as well. The request goes on only when that is answered too.")
	if r.button("Continue") != nil {
		t.Error("the page offers to go on, and the request cannot")
	}
	r.press("Next question")
	if r.s.at.id != second.q.ID {
		t.Fatalf("the button leads to %v", r.s.at)
	}
	r.pass(deafTime)
	r.press("Open calendar.example")
	r.answered(second)
	r.wait(func() bool { return r.s.desk.calls[0].State == mcpclient.CallBrowser })
	for sh, place := range map[*sheet]string{first: "page 1 of 2.", second: "page 2 of 2."} {
		r.at(sh)
		r.reads("Waiting for you in the browser: "+place, "When you are done with all 2 pages, continue here.")
		if r.button("Continue") == nil || r.button("Next question") != nil {
			t.Errorf("%s has the wrong buttons:\n%s", place, r.text())
		}
	}
	r.s.choose(route{section: sectionRequest, id: first.q.CallID})
	r.reads("Waiting for you on 2 pages in the browser.", "Page 1 of 2\n"+goodLink, "Page 2 of 2\n"+otherLink)
}

// TestWaiting_AFormOfTheSameRoundComesFirst: until it is answered too, the page
// that was opened leads there, and one page by itself has no number.
func TestWaiting_AFormOfTheSameRoundComesFirst(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"link": asking(`{"a":` + urlRequest("Sign in", goodLink) + `,"b":` + formRequest("Who?", nameForm) + `}`)}, http: true})
	r.run("link")
	r.question()
	page, form := r.sheetOf("Sign in"), r.sheetOf("Who?")
	r.at(page)
	r.press("Open calendar.example")
	r.answered(page)
	r.pass(deafTime)
	r.reads("Waiting for you in the browser.", "asked something else as well")
	r.lacks("page 1 of")
	r.press("Next question")
	r.pass(deafTime)
	r.press("Decline")
	r.answered(form)
	r.ended()
}

// TestWaiting_SaysWhichPageIsDone: the pages of a -32042 are asked
// for one after the other, and the server may call one of them done.
func TestWaiting_SaysWhichPageIsDone(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"link": twoPages}, http: true, legacy: true})
	r.run("link")
	first := r.question()
	r.press("Open calendar.example")
	r.answered(first)
	second := r.sheetOf("Grant")
	r.at(first)
	r.reads("Waiting for you in the browser: page 1 of 2.", "asked something else as well")
	r.at(second)
	r.press("Open calendar.example")
	r.answered(second)
	r.wait(func() bool { return r.s.desk.calls[0].State == mcpclient.CallBrowser })
	r.server.say(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"1"}}`)
	r.wait(func() bool { return first.q.Complete })
	r.queue.Drain()
	r.at(first)
	r.reads("The server says that page 1 of 2 is done.", "You can close it in the browser. 1 other page still waits for you.")
	r.at(second)
	r.reads("Waiting for you in the browser: page 2 of 2.")
	r.s.choose(route{section: sectionRequest, id: first.q.CallID})
	r.reads("Waiting for you in the browser: 1 of 2 pages still to do.", "Page 1 of 2: done, says the server\n", "Page 2 of 2\n")
}

// TestRequest_TheSiteOfAnOpenedPageIsStrong and in view, however long the link
// is: what stands before it may look like another.
func TestRequest_TheSiteOfAnOpenedPageIsStrong(t *testing.T) {
	const hosts = "https://accounts.google.com.accounts.google.com.accounts.google.com.accounts.google.com.accounts.google.com.accounts.google.com.evil.example/"
	for name, link := range map[string]string{"usual": goodLink, "long": goodLink + strings.Repeat("&a=b", 500), "misleading": hosts} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: map[string]tool{"link": patient(link, 9)}, http: true})
			r.s.win.Resize(firstSize)
			r.run("link")
			sh := r.question()
			sh.link.known = true
			r.s.redraw()
			r.pass(deafTime)
			r.press("Open " + shortSite(sh.link.Button))
			r.answered(sh)
			r.wait(func() bool { return r.s.desk.calls[0].State == mcpclient.CallBrowser })
			r.s.choose(route{section: sectionRequest, id: sh.q.CallID})
			r.queue.Drain()
			var strong string
			for _, row := range objectsOf(r.s.page.object()) {
				text, ok := row.(*kit.Text)
				if !ok || !strings.HasPrefix(text.String(), link[:24]) { // the first is the one beside the buttons
					continue
				}
				for _, o := range objectsOf(text) {
					if piece, ok := o.(*canvas.Text); ok && piece.TextStyle.Bold && piece.TextStyle.Monospace {
						strong += piece.Text
					}
				}
				break
			}
			if strong != sh.link.Site {
				t.Errorf("strong beside the buttons is %q, want the site %q", strong, sh.link.Site)
			}
		})
	}
}

// TestRequest_APageThatWasDeclinedIsItsEndInWords, as the person's own doing, and
// what the server wrote for programs is folded away.
func TestRequest_APageThatWasDeclinedIsItsEndInWords(t *testing.T) {
	for words, says := range map[string]string{"Decline": "You declined, so", "Cancel": "You cancelled that, so"} {
		t.Run(words, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: map[string]tool{"link": twoPages}, http: true, legacy: true})
			r.run("link")
			r.question()
			r.press(words)
			r.ended()
			r.wait(func() bool { p, ok := r.s.page.(*requestPage); return ok && p.ended })
			r.pass(deafTime)
			r.reads("The server needed you to open a page first. "+says+" the request has ended. Nothing was opened.", "Two pages", "Data of the error", "ended by your answer")
			r.lacks("elicitationId")
			for _, o := range objectsOf(r.s.page.object()) {
				switch o := o.(type) {
				case *kit.Surface:
					if o.Fill == kit.ColorDangerFill {
						t.Error("a no of the person's looks like a fault")
					}
				case *kit.Fold:
					o.Tapped(nil)
				}
			}
			r.queue.Drain()
			r.reads(`"elicitationId":"1"`)
		})
	}
}
