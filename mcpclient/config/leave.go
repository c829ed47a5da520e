package config

import (
	"slices"

	"parley/mcpclient"
)

// Leave says whether the person has agreed that a program is started. An address
// starts nothing here, and always has it.
type Leave string

// The states of leave.
const (
	NoLeave   Leave = ""        // nobody has agreed yet
	HasLeave  Leave = "given"   // as it stands now
	LostLeave Leave = "changed" // it was agreed to, but is something else now
)

// keyAllowed is the member of a note that has the Server.Place of what was allowed.
const keyAllowed = "allowed"

// Leave tells whether the person has agreed to start v.
func (s *Store) Leave(v mcpclient.Server) Leave {
	if v.Kind != mcpclient.Stdio {
		return HasLeave
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name, ok := s.doc.nameOf(v.ID)
	if !ok {
		return NoLeave
	}
	switch digest, _ := s.doc.note(name).text(keyAllowed); digest {
	case "":
		return NoLeave
	case v.Place():
		return HasLeave
	}
	return LostLeave
}

// Allowed reports whether v may be started as it stands now.
func (s *Store) Allowed(v mcpclient.Server) bool { return s.Leave(v) == HasLeave }

// Allow keeps that the person has agreed to start v as it stands now. A later
// change of what mcpclient.Server.Place stands for ends that.
// Errors: ErrUnknown, or of the disk.
func (s *Store) Allow(v mcpclient.Server) error {
	return s.change(func(d *document) error {
		name, ok := d.nameOf(v.ID)
		if !ok {
			return ErrUnknown
		}
		n := slices.Clone(d.note(name))
		n.setText("id", v.ID)
		n.setText(keyAllowed, v.Place())
		d.setNote(name, n)
		return nil
	})
}
