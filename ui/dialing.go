package ui

import "parley/mcpclient"

// dialing is how several servers, programs among them, are connected to, as when the
// app starts: mcpclient.MaxAtOnce at a time, in the order of the list. One that
// the person opens does not wait, nor does one they connect to themselves; and one
// that waits for the person to sign in holds up no other, since that may take them
// the whole day.
type dialing struct {
	waiting []*serverState
	turns   map[string]bool // the IDs of those that are connected to in their turn
}

// connectAll connects to all servers of the list that may be connected to.
func (s *shell) connectAll() {
	s.connectSome(func(v *serverState) bool { return v.allowed() && !v.demo })
}

// connectSome connects, in their turn, to the servers that are wanted.
func (s *shell) connectSome(wanted func(v *serverState) bool) {
	d := &s.dialing
	if d.turns == nil {
		d.turns = map[string]bool{}
	}
	for _, v := range s.desk.servers {
		if wanted(v) && !v.queued {
			v.queued = true
			d.waiting = append(d.waiting, v)
			s.touchServer(v.ID)
		}
	}
	s.dialMore()
}

// dialMore connects to the next ones, as many as may be at a time. One that is not
// queued any more was connected to by the person, given up or removed meanwhile.
func (s *shell) dialMore() {
	d := &s.dialing
	for len(d.turns) < mcpclient.MaxAtOnce && len(d.waiting) > 0 && !s.closing {
		v := d.waiting[0]
		d.waiting = d.waiting[1:]
		if !v.queued {
			continue
		}
		d.turns[v.ID] = true
		s.dial(v, func() { s.turnOver(v.ID) })
	}
}

// turnOver lets another server come in the turn of this one, if it had one.
func (s *shell) turnOver(id string) {
	if s.dialing.turns[id] {
		delete(s.dialing.turns, id)
		s.dialMore()
	}
}

// dialFirst connects to the server of a page that has just come up, if it waits.
func (s *shell) dialFirst(r route) {
	if v := s.desk.server(r.id); v != nil && v.queued && r.ofServer() {
		s.dial(v, func() {})
	}
}
