package ui

import (
	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/ui/kit"
)

// oneNote is something that is said above the page once: it goes when the person
// goes on to another page.
type oneNote struct {
	remark
	at  route
	of  string          // the server whose account it is about; "" for another note
	box *fyne.Container // empty while nothing is said
}

// untell takes away a note that is not true any more.
func (s *shell) untell() {
	s.note.remark, s.note.of = remark{}, ""
	s.drawNote()
}

// renewNote takes away a note about the sign-in at a server that is not connected to
// any more.
func (s *shell) renewNote() {
	if s.note.of == "" {
		return
	}
	v := s.desk.server(s.note.of)
	if v == nil || v.status.State == mcpclient.Lost || v.status.State == mcpclient.Closed {
		s.untell()
	}
}

// tellOnce says text on the page of now; more, if any, is a reservation.
func (s *shell) tellOnce(text, more i18n.Message) {
	s.note.remark, s.note.at, s.note.of = remark{text: text, more: more}, s.at, ""
	if !more.IsZero() {
		s.note.level = kit.Caution
	}
	s.drawNote()
}

// drawNote draws the note, or takes it away on another page than it was for.
func (s *shell) drawNote() {
	n := &s.note
	if n.isZero() || n.at != s.at {
		n.remark = remark{}
		if len(n.box.Objects) > 0 {
			n.box.Objects = nil
			s.main.Refresh()
		}
		return
	}
	n.box.Objects = []fyne.CanvasObject{kit.Pad(pageTop, pageSide, 0, pageSide, n.notice(s))}
	s.main.Refresh()
}
