package ui

import (
	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/ui/kit"
)

// quitBar stands above the page when the window is to be closed and something
// that was entered and not sent would be lost. It is part of the window, as every
// question of the app's own is: it covers nothing.
type quitBar struct {
	box *fyne.Container // empty while nothing is asked
	// entered is how many pages the bar speaks of; 0 while it is not there.
	entered int
	// before is what had the keyboard.
	before fyne.Focusable
}

// entered counts the pages on which something was entered that was not sent:
// open questions, answers that wait for the other questions of their round, what
// is filled in to run a tool or a prompt, and servers and what is set up about
// signing in to them that are not stored.
func (s *shell) entered() int {
	n := 0
	for _, sh := range s.sheets {
		if sh.draft != nil && sh.draft.Touched() && (sh.open() || s.waitsForRound(sh.q)) {
			n++
		}
	}
	for _, a := range s.argument {
		if a.unsent() {
			n++
		}
	}
	return n + s.unsavedServers() + s.unsavedSetups()
}

// waitsForRound reports whether an answer is not sent yet because another
// question of its round is open.
func (s *shell) waitsForRound(q mcpclient.Elicitation) bool {
	if q.State != mcpclient.ElicitationAnswered || q.Via != mcpclient.ViaRound {
		return false
	}
	for _, other := range s.desk.ofCall(q.CallID) {
		if other.State == mcpclient.ElicitationOpen && other.Round == q.Round {
			return true
		}
	}
	return false
}

// askedToClose is called when the window is to be closed. What was entered and
// not sent is lost then, so the person is asked; closing once more is a yes.
func (s *shell) askedToClose() {
	n := s.entered()
	if n == 0 || s.quit.entered > 0 {
		s.win.Close()
		return
	}
	s.quit.before = s.win.Canvas().Focused()
	s.askToQuit(n)
}

// askToQuit draws the bar and gives the keyboard to the button that keeps all.
func (s *shell) askToQuit(n int) {
	s.quit.entered = n
	env := &kit.Env{Loc: s.loc, OnEscape: s.escape, OnShortcut: s.shortcut, Now: s.clock.Now}
	keep := kit.NewButton(kit.ButtonOptions{Env: env, Text: s.t("ui.quit.keep"), Shortcut: "Esc", EnterTaps: true, OnTapped: s.keepOpen})
	yes := kit.NewButton(kit.ButtonOptions{Env: env, Text: s.t("ui.quit.yes"), Importance: kit.Grave, EnterTaps: true, OnTapped: s.win.Close})
	s.quit.box.Objects = []fyne.CanvasObject{kit.Pad(pageTop, pageSide, 0, pageSide, kit.Column(gap,
		kit.NewNotice(kit.Caution, s.say(i18n.N("ui.quit.ask", n)), ""), kit.ActionBar(nil, []fyne.CanvasObject{keep, yes}), kit.Line()))}
	s.main.Refresh()
	s.win.Canvas().Focus(keep)
}

// keepOpen goes on where the person was.
func (s *shell) keepOpen() {
	before := s.quit.before
	s.dropQuitBar()
	if before != nil {
		s.win.Canvas().Focus(before)
	}
}

func (s *shell) dropQuitBar() {
	s.quit.entered, s.quit.before, s.quit.box.Objects = 0, nil, nil
	s.win.Canvas().Unfocus()
	s.main.Refresh()
}

// renewQuitBar keeps the bar true: a question can end while it is there.
func (s *shell) renewQuitBar() {
	switch n := s.entered(); {
	case s.quit.entered == 0 || s.quit.entered == n:
	case n == 0:
		s.dropQuitBar()
	default:
		s.askToQuit(n)
	}
}

// escape is the Esc key, wherever the focus is.
func (s *shell) escape() {
	switch {
	case s.quit.entered > 0:
		s.keepOpen()
	case s.page != nil:
		s.page.escape()
	}
}
