package ui

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/ui/kit"
)

const lostWhenQuit = "What you entered on 1 page was not sent. It is lost when Parley quits."

// closing is a window whose person typed into a question and then closed it
// once.
func closing(t *testing.T) (r *rig, sh *sheet) {
	t.Helper()
	r = newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	sh = r.question()
	r.tab()
	r.typing("Lin")
	r.close()
	if r.closed || !strings.Contains(r.windowText(), lostWhenQuit) {
		t.Fatalf("closed %v, and the window reads:\n%s", r.closed, r.windowText())
	}
	return r, sh
}

// close closes the window as its frame does.
func (r *rig) close() {
	r.s.askedToClose()
	r.queue.Drain()
}

// windowText is all text in the window.
func (r *rig) windowText() string { return textOf(r.s.win.Content()) }

// pressAnywhere presses a button of the window, on the page or not.
func (r *rig) pressAnywhere(words string) {
	r.t.Helper()
	for _, o := range objectsOf(r.s.win.Content()) {
		if b, ok := o.(*kit.Button); ok && b.Text() == words {
			b.Press()
			r.queue.Drain()
			return
		}
	}
	r.t.Fatalf("no button %q in the window", words)
}

func TestQuit_WhatWasEnteredIsNotLostUnasked(t *testing.T) {
	t.Run("the question stays and nothing is covered", func(t *testing.T) {
		r, sh := closing(t)
		if !sh.open() || r.button("Submit") == nil || len(r.s.win.Canvas().Overlays().List()) != 0 {
			t.Error("asking before quitting touches the question")
		}
		b, ok := r.s.win.Canvas().Focused().(*kit.Button)
		if !ok || b.Text() != "Keep" {
			t.Errorf("the keyboard is at %v; want the button that loses nothing", r.s.win.Canvas().Focused())
		}
	})
	for name, keep := range map[string]func(*rig){
		"Keep": func(r *rig) { r.pressAnywhere("Keep") },
		"Esc":  func(r *rig) { r.key(fyne.KeyEscape) },
	} {
		t.Run(name+" goes on in the field", func(t *testing.T) {
			r, sh := closing(t)
			keep(r)
			r.typing("da")
			if r.closed || !sh.open() || sh.draft.Text("/name") != "Linda" || strings.Contains(r.windowText(), lostWhenQuit) {
				t.Errorf("closed %v, open %v, the field holds %q", r.closed, sh.open(), sh.draft.Text("/name"))
			}
			r.close()
			if r.closed {
				t.Error("the next closing does not ask again")
			}
		})
	}
	for name, quit := range map[string]func(*rig){
		"Quit":           func(r *rig) { r.pressAnywhere("Quit") },
		"a second close": (*rig).close,
	} {
		t.Run(name+" quits", func(t *testing.T) {
			r, _ := closing(t)
			if quit(r); !r.closed {
				t.Error("the window stays")
			}
		})
	}
	t.Run("the bar goes when the question ends", func(t *testing.T) {
		r, sh := closing(t)
		r.server.die(errNoBrowser)
		r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead })
		r.queue.Drain()
		if strings.Contains(r.windowText(), "is lost when Parley quits") {
			t.Error("the bar speaks of a question that is over")
		}
		if r.close(); !r.closed {
			t.Error("nothing can be lost, and the window stays")
		}
	})
}

func TestQuit_WithNothingEnteredTheWindowClosesAtOnce(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	r.question()
	if r.close(); !r.closed {
		t.Errorf("the window stays and reads:\n%s", r.windowText())
	}
}

func TestQuit_WhatIsFilledInToRunAToolIsNotLostUnasked(t *testing.T) {
	r, _, _ := atTool(t, "Lin")
	r.close()
	if r.closed || !strings.Contains(r.windowText(), lostWhenQuit) {
		t.Fatalf("closed %v, and the window reads:\n%s", r.closed, r.windowText())
	}
	r.pressAnywhere("Keep")
	r.ctrlEnter()
	r.runs++
	r.wait(func() bool { return r.s.at.section == sectionRequest })
	if r.close(); !r.closed {
		t.Errorf("what was sent is not lost, and the window stays:\n%s", r.windowText())
	}
}

func TestQuit_AnAnswerThatWaitsForItsRoundIsNotLostUnasked(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": func(_ *memoryServer, params []rawMember) json.RawMessage {
		ask := `{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":` + nameForm + `}}`
		return json.RawMessage(`{"resultType":"input_required","inputRequests":{"a":` + ask + `,"b":` + ask + `}}`)
	}}})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	r.pass(time.Second)
	r.ctrlEnter()
	r.wait(func() bool { return sh.q.State == mcpclient.ElicitationAnswered })
	r.close()
	if r.closed || !strings.Contains(r.windowText(), lostWhenQuit) {
		t.Fatalf("closed %v, and the window reads:\n%s", r.closed, r.windowText())
	}
}
