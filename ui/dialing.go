package ui

import "parley/mcpclient"

// dialing is how the servers of the list, programs among them, are connected to when
// the app starts: mcpclient.MaxAtOnce at a time, in the order of the list. One that
// the person opens does not wait, nor does one they connect to themselves.
type dialing struct {
	waiting []*serverState
	running int
}

// connectAll connects to all servers of the list that may be connected to.
func (s *shell) connectAll() {
	for _, v := range s.desk.servers {
		if v.allowed && !v.demo {
			v.queued = true
			s.dialing.waiting = append(s.dialing.waiting, v)
		}
	}
	s.dialMore()
}

// dialMore connects to the next ones, as many as may be at a time. One that is not
// queued any more was connected to by the person, given up or removed meanwhile.
func (s *shell) dialMore() {
	d := &s.dialing
	for d.running < mcpclient.MaxAtOnce && len(d.waiting) > 0 && !s.closing {
		v := d.waiting[0]
		d.waiting = d.waiting[1:]
		if !v.queued {
			continue
		}
		d.running++
		s.dial(v, func() {
			d.running--
			s.dialMore()
		})
	}
}

// dialFirst connects to the server of a page that has just come up, if it waits.
func (s *shell) dialFirst(r route) {
	if v := s.desk.server(r.id); v != nil && v.queued && r.ofServer() {
		s.dial(v, func() {})
	}
}
