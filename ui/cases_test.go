package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/wire"
	"parley/ui/kit"
)

// The field cases of a person at the window (group E: B45, B49, B50, B52), with
// all their inputs; ui/trouble_test.go has the first of each.

// deadBehindTheWindow ends the server under the open question and comes back
// when the client knows and the window does not yet.
func (r *rig) deadBehindTheWindow(sh *sheet) {
	r.t.Helper()
	dead := make(chan struct{})
	stop := r.client.Watch(func(e mcpclient.Event) {
		if e.Elicitation != nil && e.Elicitation.ID == sh.q.ID && e.Elicitation.State == mcpclient.ElicitationDead {
			close(dead)
		}
	})
	r.server.die(errors.New("killed"))
	<-dead
	stop()
	if !sh.open() {
		r.t.Fatal("the window knows already")
	}
}

// TestB45_NoButtonSticksOnADeadQuestion: whatever is pressed at the moment the
// server dies, the question ends up grey, says so, closes, and leaves what was
// typed to be copied.
func TestB45_NoButtonSticksOnADeadQuestion(t *testing.T) {
	esc := func(r *rig) { r.key(fyne.KeyEscape) }
	press := func(words string) func(*rig) { return func(r *rig) { r.press(words) } }
	for _, c := range []struct {
		name string
		tool map[string]tool
		act  func(*rig)
	}{
		{"Submit", askForm("Who?", nameForm), press("Submit")},
		{"Ctrl+Enter", askForm("Who?", nameForm), (*rig).ctrlEnter},
		{"Decline", askForm("Who?", nameForm), press("Decline")},
		{"Cancel", askForm("Who?", nameForm), press("Cancel")},
		{"Esc", askForm("Who?", nameForm), esc},
		{"Open", askLink(goodLink), press("Open calendar.example")},
		{"Decline a link", askLink(goodLink), press("Decline")},
		{"Cancel a link", askLink(goodLink), press("Cancel")},
		{"Copy link", askLink(goodLink), press("Copy link")},
		{"Esc on a link", askLink(goodLink), esc},
	} {
		for close, act := range map[string]func(*rig){"Esc": esc, "Close": press("Close")} {
			t.Run(c.name+", then "+close, func(t *testing.T) {
				r := newRig(t, rigOptions{tools: c.tool})
				for name := range c.tool {
					r.run(name)
				}
				sh := r.question()
				r.deadBehindTheWindow(sh)
				c.act(r)
				r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead && !sh.busy() })
				r.pass(deafTime)
				if r.s.at.section == sectionRequest {
					return // the page went with the answer, and the request's page tells of it
				}
				if r.s.at.section != sectionQuestion {
					t.Fatalf("it led to %v", r.s.at)
				}
				act(r)
				if r.s.at.section == sectionQuestion {
					t.Errorf("the page of the dead question does not close; it reads:\n%s", r.text())
				}
			})
		}
	}
}

// TestB45_ClosingTheWindowOverADeadQuestionCloses, asking nothing.
func TestB45_ClosingTheWindowOverADeadQuestionCloses(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	r.server.die(errors.New("killed"))
	r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead })
	r.queue.Drain()
	if r.close(); !r.closed {
		t.Errorf("the window stays and reads:\n%s", r.windowText())
	}
}

// threeForms asks three forms in one round.
var threeForms = map[string]tool{"ask": asking(`{"a":` + formRequest("First?", nameForm) + `,"b":` + formRequest("Second?", nameForm) + `,"c":` + formRequest("Third?", nameForm) + `}`)}

// TestB49_ThreeFormsOfARoundKeepWhatIsTypedIntoEach: typed into the first, then
// left for the others, answered in another order, nothing lost.
func TestB49_ThreeFormsOfARoundKeepWhatIsTypedIntoEach(t *testing.T) {
	r := newRig(t, rigOptions{tools: threeForms})
	r.run("ask")
	first := r.question()
	r.wait(func() bool { return len(r.s.sheets) == 3 })
	r.tab()
	r.typing("Lin")
	if n := len(r.s.win.Canvas().Overlays().List()); n != 0 {
		t.Errorf("%d overlays; a question is never one", n)
	}
	byMessage := map[string]*sheet{}
	for _, sh := range r.s.sheets {
		byMessage[sh.q.Message] = sh
	}
	for _, other := range []string{"Third?", "Second?"} {
		sh := byMessage[other]
		r.s.choose(route{section: sectionQuestion, id: sh.q.ID})
		r.pass(deafTime)
		r.typing("for " + other)
		if got := sh.draft.Text("/name"); got != "for "+other {
			t.Errorf("typed into %s: %q", other, got)
		}
		r.ctrlEnter()
		if a := r.answered(sh); string(a.Content) != fmt.Sprintf(`{"name":"for %s"}`, other) {
			t.Errorf("%s was answered with %s", other, a.Content)
		}
		if !first.open() || first.draft.Text("/name") != "Lin" {
			t.Errorf("after %s the first question is %s and holds %q", other, first.q.State, first.draft.Text("/name"))
		}
	}
	r.s.choose(route{section: sectionQuestion, id: first.q.ID})
	r.pass(deafTime)
	r.ctrlEnter()
	if a := r.answered(first); string(a.Content) != `{"name":"Lin"}` {
		t.Errorf("the first was answered with %s", a.Content)
	}
	if c := r.ended(); c.State != mcpclient.CallDone {
		t.Errorf("the request is %s: %v", c.State, c.Failure)
	}
}

// responses are the answers that the client sent to pushed questions.
func (s *memoryServer) responses() []wire.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []wire.Message
	for _, m := range s.sent {
		if m.Kind() == wire.Response {
			out = append(out, m)
		}
	}
	return out
}

// TestB50_NobodyThereIsNoAnswer: with the window minimised, on another screen
// or behind a lock, a question waits for days and raises one notification.
// Nothing is answered but by a person.
func TestB50_NobodyThereIsNoAnswer(t *testing.T) {
	for name, o := range map[string]rigOptions{
		"a form of a round":    {tools: map[string]tool{"t": asking(`{"k":` + formRequest("Who?", nameForm) + `}`)}},
		"a pushed form":        {tools: map[string]tool{"t": pushing(nameForm)}, legacy: true},
		"a confirmation":       {tools: map[string]tool{"t": asking(`{"k":` + formRequest("Delete it?", `{"type":"object","properties":{}}`) + `}`)}},
		"a link":               {tools: map[string]tool{"t": asking(`{"k":` + urlRequest("Sign in", goodLink) + `}`)}},
		"a link to be blocked": {tools: map[string]tool{"t": asking(`{"k":` + urlRequest("Sign in", blockLink) + `}`)}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, o)
			r.connected()
			notes := 0
			r.s.notify = func(*fyne.Notification) { notes++ }
			r.s.focused = false
			r.run("t")
			r.wait(func() bool { return len(r.s.sheets) == 1 })
			for range 3 {
				r.pass(24 * time.Hour)
			}
			for _, sh := range r.s.sheets {
				if !sh.open() || sh.busy() || sh.q.Answer != nil {
					t.Errorf("after three days alone the question is %s: %+v", sh.q.State, sh.q.Answer)
				}
			}
			if notes != 1 {
				t.Errorf("%d notifications, want 1", notes)
			}
			if n, answers := len(r.server.requests("tools/call")), r.server.responses(); n != 1 || len(answers) != 0 {
				t.Errorf("the server got %d requests and the answers %+v", n, answers)
			}
			if urls := r.opener.urls(); len(urls) != 0 {
				t.Errorf("opened %q", urls)
			}
			r.s.focused = true
			sh := r.question()
			r.press("Decline")
			if a := r.answered(sh); a.Action != mcpclient.Decline {
				t.Errorf("back again, Decline sent %s", a.Action)
			}
		})
	}
}

// TestB52_AQuestionShowsOnEveryPage: wherever the person is, the title and the
// sidebar count it, the page and the keyboard stay theirs, and one step leads
// to it.
func TestB52_AQuestionShowsOnEveryPage(t *testing.T) {
	for name, where := range map[string]func(r *rig, other string) route{
		"settings":             func(*rig, string) route { return route{section: sectionSettings} },
		"adding a server":      func(*rig, string) route { return route{section: sectionAdd} },
		"the list of requests": func(*rig, string) route { return route{section: sectionRequests} },
		"the server's page":    func(r *rig, _ string) route { return route{section: sectionServer, id: r.s.desk.servers[0].ID} },
		"another server's":     func(_ *rig, other string) route { return route{section: sectionServer, id: other} },
		"another tool's page": func(r *rig, _ string) route {
			return route{section: sectionTool, id: r.s.desk.servers[0].ID, name: "other"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, rigOptions{tools: map[string]tool{"ask": pushing(nameForm), "other": pushing(nameForm)}, legacy: true})
			r.connected()
			r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Name: "Other desk", Program: "other"}}
			r.s.choose(route{section: sectionAdd})
			r.ctrlEnter()
			r.wait(func() bool { return r.s.at.section == sectionAllow })
			other := r.s.at.id
			r.run("ask")
			at := where(r, other)
			r.s.choose(at)
			r.wait(func() bool { return len(r.s.sheets) == 1 })
			r.pass(deafTime)
			if r.s.at != at {
				t.Errorf("the question took the page: %v, want %v", r.s.at, at)
			}
			if got := r.s.win.Title(); got != "(1) Parley" {
				t.Errorf("the title is %q", got)
			}
			counts := 0
			items := slices.Clone(r.s.side.items)
			r.s.side.servers.Made(func(i int, row *kit.SideItem) {
				items = append(items, sideItem{route{section: sectionServer, id: r.s.desk.servers[i].ID}, row})
			})
			for _, it := range items {
				asks := it.to.section == sectionQuestions || it.to == (route{section: sectionServer, id: r.s.desk.servers[0].ID})
				shown := slices.Contains(strings.Split(textOf(it.item), "\n"), "1")
				if shown != asks {
					t.Errorf("the sidebar's item reads %q", textOf(it.item))
				}
				if shown {
					counts++
				}
			}
			if counts != 2 {
				t.Errorf("%d items of the sidebar count the question, want the questions and their server", counts)
			}
			r.s.goToQuestions()
			sh := r.question()
			r.press("Decline")
			if a := r.answered(sh); a.Action != mcpclient.Decline {
				t.Errorf("Decline sent %s", a.Action)
			}
			if got := r.s.win.Title(); got != "Parley" {
				t.Errorf("with nothing open the title is %q", got)
			}
		})
	}
}
