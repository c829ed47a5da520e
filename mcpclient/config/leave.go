package config

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"parley/mcpclient"
	"parley/mcpclient/stdio"
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

// The members of a note that say what was allowed: the Server.Place, and the file that
// the program's name led to, "" if it was named by a path.
const (
	keyAllowed     = "allowed"
	keyAllowedFile = "allowedFile"
)

// Leave tells whether the person has agreed to start v.
func (s *Store) Leave(v mcpclient.Server) Leave {
	if v.Kind != mcpclient.Stdio {
		return HasLeave
	}
	n, place := s.noteOf(v)
	switch digest, _ := n.text(keyAllowed); digest {
	case "":
		return NoLeave
	case place:
		return HasLeave
	}
	return LostLeave
}

// Allowed reports whether v may be started as it stands now.
func (s *Store) Allowed(v mcpclient.Server) bool { return s.Leave(v) == HasLeave }

// AllowedFile is the file that the name of the program led to when the person agreed
// to start v as it stands now. It is "" if they did not, the program is named by a
// path, or the leave is older than Parley keeping this and it was not started since.
func (s *Store) AllowedFile(v mcpclient.Server) string {
	n, place := s.noteOf(v)
	if digest, _ := n.text(keyAllowed); digest != place {
		return ""
	}
	file, _ := n.text(keyAllowedFile)
	return file
}

// noteOf is the note about v, and its Place by which leave is told: a connection that
// was made before a value was moved out of the file (see Values.Move) is made again as
// what the list has now.
func (s *Store) noteOf(v mcpclient.Server) (n object, place string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, ok := s.doc.nameOf(v.ID)
	if !ok {
		return nil, v.Place()
	}
	return s.doc.note(name), concealed(v, s.doc.listed[name].SecretEnv).Place()
}

// Allow keeps that the person has agreed to start v as it stands now. A later
// change of what mcpclient.Server.Place stands for ends that. file is where the name
// of the program was shown to lead: if it leads elsewhere later, that is not started
// (see Agree). It is "" for a program that is named by a path.
// Errors: ErrUnknown, or of the disk.
func (s *Store) Allow(v mcpclient.Server, file string) error {
	return s.change(func(d *document) error {
		name, ok := d.nameOf(v.ID)
		if !ok {
			return ErrUnknown
		}
		n := slices.Clone(d.note(name))
		n.setText("id", v.ID)
		n.setText(keyAllowed, v.Place())
		n.setText(keyAllowedFile, fileText(file))
		d.setNote(name, n)
		return nil
	})
}

// Agree implements mcpclient.Options.Agree: a name that leads to another file than the
// one that was allowed starts nothing. The error is a *stdio.StartError. Leave without
// a file holds for the one that is started first, which is written down then; where
// that cannot be written, it is the next one.
func (s *Store) Agree(v mcpclient.Server, file string) error {
	if allowed := s.AllowedFile(v); allowed != "" {
		return stdio.CheckFile(v.Command, allowed, fileText(file))
	}
	if !s.Allowed(v) { // it was made something else meanwhile: there is no leave to add to
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteQuietly(v, func(n *object) {
		if digest, _ := n.text(keyAllowed); digest == v.Place() && n.index(keyAllowedFile) < 0 {
			n.setText(keyAllowedFile, fileText(file))
		}
	})
	return nil
}

// fileText is the path of a file as JSON can hold it: one that is no Unicode in quotes.
func fileText(file string) string {
	if utf8.ValidString(file) {
		return file
	}
	return strconv.Quote(file)
}
