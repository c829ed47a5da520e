package ui

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// quitBar stands above the page when the window is to be closed and something
// would be lost: what was entered and not sent, or what the person is doing in
// the browser. It is part of the window, as every question of the app's own is: it
// covers nothing.
type quitBar struct {
	box *fyne.Container // empty while nothing is asked
	// losses is what the bar speaks of; the zero value while it is not there.
	losses
	// storing tells that what can be stored is, before anything is asked.
	storing bool
	// before is what had the keyboard.
	before fyne.Focusable
}

// losses is what quitting would lose: pages on which something was entered that was
// not sent, servers and what is set up about them that were not saved, pages that
// wait for the person in the browser, and secrets whose place did not take them: how
// many servers they are of, the names of some, and why.
type losses struct {
	unsent, unsaved, away int
	unkept                int
	of, why               string
}

// sentences say what would be lost.
func (l losses) sentences() []i18n.Message {
	var out []i18n.Message
	switch {
	case l.unsent > 0 && l.unsaved > 0:
		out = append(out, i18n.N("ui.quit.ask_both", l.unsent+l.unsaved))
	case l.unsent > 0:
		out = append(out, i18n.N("ui.quit.ask", l.unsent))
	case l.unsaved > 0:
		out = append(out, i18n.N("ui.quit.ask_unsaved", l.unsaved))
	}
	if l.away > 0 {
		out = append(out, i18n.N("ui.quit.away", l.away))
	}
	switch more := l.unkept - maxUnkept; {
	case more > 0:
		out = append(out, i18n.N("ui.quit.unkept_more", more, "Servers", l.of, "Why", l.why))
	case l.unkept > 0:
		out = append(out, i18n.M("ui.quit.unkept", "Servers", l.of, "Why", l.why))
	}
	return out
}

// lost tells what quitting would lose now.
func (s *shell) lost() losses {
	l := losses{unsent: s.unsent(), unsaved: s.unsavedServers() + s.unsavedSetups(), away: s.pagesAway()}
	if s.passing() {
		l.unkept, l.of = s.unkeptServers()
		l.why = s.say(s.o.Secrets.State().Why.Fault())
	}
	return l
}

// maxUnkept is how many servers are named.
const maxUnkept = 3

// unkeptServers counts the servers of which something is kept for this run only, and names
// some.
func (s *shell) unkeptServers() (n int, names string) {
	var some []string
	for _, id := range s.o.Secrets.Unkept() {
		v := s.desk.server(id)
		if v == nil {
			continue
		}
		if n++; n <= maxUnkept {
			some = append(some, s.t("ui.quit.name", "Name", line(v.Name).String()))
		}
	}
	return n, strings.Join(some, s.t("ui.remove.comma"))
}

// pagesAway counts the pages that the person has opened in the browser for a
// request or a sign-in that still goes on.
func (s *shell) pagesAway() int {
	n := 0
	for _, sh := range s.sheets {
		if s.away(sh) && !sh.q.Complete {
			n++
		}
	}
	for _, sh := range s.signIns {
		if sh.open() && sh.opened {
			n++
		}
	}
	return n
}

// entered counts the pages on which something was entered that would be lost.
func (s *shell) entered() int {
	l := s.lost()
	return l.unsent + l.unsaved
}

// unsent counts the pages on which something was entered that was not sent: open
// questions, answers that wait for the other questions of their round, and what is
// filled in to run a tool or a prompt.
func (s *shell) unsent() int {
	n := 0
	for _, sh := range s.sheets {
		if sh.draft != nil && sh.draft.Touched() && (sh.open() || s.waitsForRound(sh.q)) {
			n++
		}
	}
	for at, a := range s.argument {
		if a.unsent() && s.reachable(at.id) {
			n++
		}
	}
	return n
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

// asks reports whether the bar is there.
func (q *quitBar) asks() bool { return q.losses != losses{} }

// storeLimit is how long closing the window waits for the place of secrets.
const storeLimit = 3 * time.Second

// askedToClose is called when the window is to be closed. Where something is lost
// by it, the person is asked; closing once more is a yes.
func (s *shell) askedToClose() {
	switch {
	case s.quit.asks() || s.quit.storing:
		s.win.Close()
	case s.passing():
		s.quit.storing = true
		s.work.apart(func(ctx context.Context) {
			ctx, cancel := context.WithTimeout(ctx, storeLimit)
			defer cancel()
			_ = s.o.Secrets.Resume(ctx) // what it has not stored is asked about
			s.do.Do(func() {
				s.quit.storing = false
				s.askOrClose()
			})
		})
	default:
		s.askOrClose()
	}
}

// askOrClose closes the window, or asks where something is lost by it.
func (s *shell) askOrClose() {
	l := s.lost()
	if l == (losses{}) {
		s.win.Close()
		return
	}
	s.quit.before = s.win.Canvas().Focused()
	s.askToQuit(l)
}

// askToQuit draws the bar and gives the keyboard to the button that keeps all.
func (s *shell) askToQuit(l losses) {
	s.quit.losses = l
	var sentences []string
	for _, m := range l.sentences() {
		sentences = append(sentences, s.say(m))
	}
	env := &kit.Env{Loc: s.loc, OnEscape: s.escape, OnShortcut: s.shortcut, OnKey: s.scroll, Now: s.clock.Now}
	keep := kit.NewButton(kit.ButtonOptions{Env: env, Text: s.t("ui.quit.keep"), Shortcut: "Esc", EnterTaps: true, OnTapped: s.keepOpen})
	yes := kit.NewButton(kit.ButtonOptions{Env: env, Text: s.t("ui.quit.yes"), Importance: kit.Grave, EnterTaps: true, OnTapped: s.win.Close})
	var left []fyne.CanvasObject
	if l.unkept > 0 {
		words, mend := "ui.token.retry", s.retrySecrets
		if s.secretsMode() == keychain.VaultLocked {
			words, mend = "ui.secrets.unlock", s.toUnlock
		}
		left = append(left, kit.NewButton(kit.ButtonOptions{Env: env, Text: s.t(words), EnterTaps: true, OnTapped: mend}))
	}
	s.quit.box.Objects = []fyne.CanvasObject{kit.Pad(pageTop, pageSide, 0, pageSide, kit.Column(gap,
		kit.NewNotice(kit.Caution, strings.Join(sentences, "\n"), ""), kit.ActionBar(left, []fyne.CanvasObject{keep, yes}), kit.Line()))}
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
	s.quit.losses, s.quit.before, s.quit.box.Objects = losses{}, nil, nil
	s.win.Canvas().Unfocus()
	s.main.Refresh()
}

// renewQuitBar keeps the bar true: a question can end while it is there.
func (s *shell) renewQuitBar() {
	if !s.quit.asks() {
		return
	}
	switch l := s.lost(); l {
	case s.quit.losses:
	case losses{}:
		s.dropQuitBar()
	default:
		s.askToQuit(l)
	}
}

// escape is the Esc key, wherever the focus is.
func (s *shell) escape() {
	switch {
	case s.quit.asks():
		s.keepOpen()
	case s.page != nil:
		s.page.escape()
	}
}
