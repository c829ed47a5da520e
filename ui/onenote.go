package ui

import (
	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/ui/kit"
)

// oneNote is something that is said above the page once: it goes when the person
// goes on to another page.
type oneNote struct {
	text, more i18n.Message
	at         route
	box        *fyne.Container // empty while nothing is said
}

// tellOnce says text on the page of now; more, if any, is a reservation.
func (s *shell) tellOnce(text, more i18n.Message) {
	s.note.text, s.note.more, s.note.at = text, more, s.at
	s.drawNote()
}

// drawNote draws the note, or takes it away on another page than it was for.
func (s *shell) drawNote() {
	n := &s.note
	if n.text.IsZero() || n.at != s.at {
		n.text = i18n.Message{}
		if len(n.box.Objects) > 0 {
			n.box.Objects = nil
			s.main.Refresh()
		}
		return
	}
	notice := kit.NewNotice(kit.Info, "", s.say(n.text))
	if !n.more.IsZero() {
		notice = kit.NewNotice(kit.Caution, s.say(n.text), s.say(n.more))
	}
	n.box.Objects = []fyne.CanvasObject{kit.Pad(pageTop, pageSide, 0, pageSide, notice)}
	s.main.Refresh()
}
