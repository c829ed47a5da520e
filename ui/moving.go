package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"parley/assets/i18n"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// The order of the list is the person's. Alt+Up and Alt+Down move the server whose row
// has the keyboard, or whose page is shown; the page that edits one says so and has
// buttons for it. A move is shown and stored at once, whatever else was entered.

// moveKeys are by how much each of them moves.
var moveKeys = map[fyne.KeyName]int{fyne.KeyUp: -1, fyne.KeyDown: 1}

// moves moves a server by one of the keys and reports whether there was one to move.
func (s *shell) moves(sc *desktop.CustomShortcut) bool {
	by, ok := moveKeys[sc.KeyName]
	if !ok || sc.Modifier != fyne.KeyModifierAlt {
		return false
	}
	at := -1
	if at = s.side.servers.Focused(); at < 0 {
		if _, types := s.win.Canvas().Focused().(*kit.TextEntry); types || s.at.section != sectionServer && s.at.section != sectionEdit {
			return false
		}
		at = slices.IndexFunc(s.desk.servers, func(v *serverState) bool { return v.ID == s.at.id })
	}
	own := s.ownServers()
	if at < 0 || at >= len(own) {
		return false
	}
	if to := at + by; to >= 0 && to < len(own) {
		s.moveServer(own[at].ID, to)
	}
	return true
}

// moveServer puts a server at another place of the list.
func (s *shell) moveServer(id string, to int) {
	s.desk.moveServer(id, to)
	ch := changes{list: true}
	mark(&ch.servers, id)
	s.tell(&ch)
	var err error
	var now listed
	s.background(func() {
		if err = s.o.Store.Move(id, to); err != nil {
			now = s.readList()
		}
	}, func() {
		if err != nil {
			s.takeList(now) // as it is
			s.tellOnce(config.Sentence(err), i18n.Message{})
		}
	})
}
