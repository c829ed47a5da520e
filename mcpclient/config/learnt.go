package config

import (
	"slices"

	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/mcpclient/disk"
)

// What connections learnt about a server lies in its note, together with what
// the server was started as or where it was reached then:
//
//	"learnt": {"place": "sha256:…", "protocol": "2025-11-25", "transport": "sse", "plain": true, "version": "1.2"}
//
// Nobody asked for it to be kept, so keeping it is never in the way: it is
// written only when it has changed, never moves a broken file aside, and what
// cannot be written is kept until the app ends.

const keyLearnt = "learnt"

var _ mcpclient.Memory = (*Store)(nil)

// Recall implements [mcpclient.Memory].
func (s *Store) Recall(v mcpclient.Server) mcpclient.Learnt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recall(v)
}

func (s *Store) recall(v mcpclient.Server) mcpclient.Learnt {
	if l, ok := s.unwritten[v.ID]; ok && l.place == v.Place() {
		return l.Learnt
	}
	name, ok := s.doc.nameOf(v.ID)
	if !ok {
		return mcpclient.Learnt{}
	}
	return readLearnt(s.doc.note(name), v.Place())
}

// Remember implements [mcpclient.Memory]. What could not be written is named by
// Problems.
func (s *Store) Remember(v mcpclient.Server, l mcpclient.Learnt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recall(v) == l {
		return
	}
	if s.noteQuietly(v, func(n *object) { n.setLearnt(v.Place(), l) }) {
		delete(s.unwritten, v.ID)
		return
	}
	if s.unwritten == nil {
		s.unwritten = map[string]placed{}
	}
	s.unwritten[v.ID] = placed{v.Place(), l}
}

// placed is what was learnt about a server that stood so.
type placed struct {
	place string
	mcpclient.Learnt
}

// noteQuietly changes the note about a server in the file, if that is of the
// right shape and knows the server as it stands. It reports whether it did.
func (s *Store) noteQuietly(v mcpclient.Server, change func(*object)) bool {
	if _, listed := s.doc.nameOf(v.ID); !listed {
		return false // the demo server, say
	}
	unlock, err := disk.Lock(s.Path())
	if err != nil {
		s.say(Sentence(err))
		return false
	}
	defer unlock()
	doc, err := s.load()
	if err != nil {
		if isDisk(err) {
			s.say(Sentence(err))
		}
		return false // what is wrong with a broken file, the next change by the person says
	}
	name, ok := doc.nameOf(v.ID)
	if !ok || doc.listed[name].Place() != v.Place() {
		return false
	}
	n := slices.Clone(doc.note(name))
	n.setText("id", v.ID)
	change(&n)
	doc.setNote(name, n)
	if err := s.save(doc); err != nil {
		s.say(Sentence(err))
		return false
	}
	return true
}

// readLearnt reads what a note holds about a server that stands at place.
func readLearnt(n object, place string) mcpclient.Learnt {
	o, err := n.object(keyLearnt)
	if at, _ := o.text("place"); err != nil || at != place {
		return mcpclient.Learnt{}
	}
	var l mcpclient.Learnt
	l.Protocol, _ = o.text("protocol")
	if kind, _ := o.text("transport"); kind == string(mcpclient.SSE) {
		l.Transport = mcpclient.SSE
	}
	l.Plain = string(rawjson.Get(o, "plain")) == "true"
	l.Version, _ = o.text("version")
	return l
}

// setLearnt puts what was learnt into a note; nothing learnt takes it away.
func (n *object) setLearnt(place string, l mcpclient.Learnt) {
	if l == (mcpclient.Learnt{}) {
		n.remove(keyLearnt)
		return
	}
	var o object
	o.setText("place", place)
	o.setText("protocol", l.Protocol)
	o.setText("transport", string(l.Transport))
	if l.Plain {
		o.set("plain", []byte("true"))
	}
	o.setText("version", l.Version)
	n.set(keyLearnt, o.encode())
}
