package ui

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"parley/mcpclient"
	"parley/mcpclient/config"
)

// watchList takes in what is edited in the list outside of Parley, until what it
// returns is called, which waits for the end.
func (s *shell) watchList() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	watching.Go(func() {
		s.o.Store.Watch(ctx, func() {
			now := s.readList()
			s.do.Do(func() { s.takeList(now) })
		})
	})
	return func() {
		cancel()
		watching.Wait()
	}
}

// listed is the list as it stands in the file, and the settings beside it.
type listed struct {
	servers  []mcpclient.Server
	leave    map[string]config.Leave // by the servers' IDs
	exposed  map[string][]string     // likewise; see config.Exposed
	settings config.Settings
}

// readList reads the list; it waits for the disk.
func (s *shell) readList() listed {
	l := listed{servers: s.o.Store.Servers(), leave: map[string]config.Leave{}, exposed: map[string][]string{}, settings: s.o.Store.Settings()}
	for _, v := range l.servers {
		l.leave[v.ID], l.exposed[v.ID] = s.o.Store.Leave(v), config.Exposed(v)
	}
	return l
}

// takeList brings the window up to date with the list. A server that is not in it
// any more is disconnected; a connection that was made to what a server was goes
// on, and its page says that it is changed. Nothing is started or reached. The
// person stays where they are: the page of a server that is gone says so.
func (s *shell) takeList(l listed) {
	if s.closing {
		return
	}
	ch := changes{list: true}
	known := make(map[string]*serverState, len(s.desk.servers))
	for _, v := range s.desk.servers {
		known[v.ID] = v
	}
	var order, added []*serverState
	var moved []mcpclient.Server
	listed := make(map[string]bool, len(l.servers))
	for _, v := range l.servers {
		listed[v.ID] = true
		state := known[v.ID]
		if state == nil {
			state = &serverState{Server: v}
			added, moved = append(added, state), append(moved, v)
			mark(&ch.servers, v.ID)
		}
		if !reflect.DeepEqual(state.Server, v) || state.leave != l.leave[v.ID] {
			mark(&ch.servers, v.ID)
		}
		if state.URL != v.URL {
			moved = append(moved, v)
		}
		if before := state.Server; before.SignIn != v.SignIn {
			state.setUp(v.SignIn)
			s.takeSetUp(state, before, v)
		}
		state.take(v, l.leave[v.ID])
		state.exposed.names = l.exposed[v.ID]
		order = append(order, state)
	}
	for _, state := range s.desk.servers {
		switch {
		case state.demo:
			order = append(order, state)
		case !listed[state.ID]:
			mark(&ch.servers, state.ID)
			s.known[state.ID] = s.known[state.ID] || state.account.known
			s.disconnect(state)
			if sh := s.edits[state.ID]; sh != nil && !sh.touched() {
				delete(s.edits, state.ID)
			}
			if sh := s.setups[state.ID]; sh != nil && !sh.touched() {
				delete(s.setups, state.ID)
			}
			if s.at.ofServer() && s.at.id == state.ID {
				s.gone = state
			}
		}
	}
	s.desk.servers = order
	s.learnOrigins(moved...)
	for _, v := range added {
		s.learnAccount(v)
	}
	s.takeSettings(l.settings)
	if s.gone != nil {
		s.show(s.at) // to say so, or the server itself if it is back
	}
	s.tell(&ch)
}

// ownServers are those of the list, without the built-in one.
func (s *shell) ownServers() []*serverState {
	return slices.DeleteFunc(slices.Clone(s.desk.servers), func(v *serverState) bool { return v.demo })
}

// addServer puts a server behind those of the list, before the built-in one.
func (d *desk) addServer(v *serverState) {
	at := len(d.servers)
	if at > 0 && d.servers[at-1].demo {
		at--
	}
	d.servers = slices.Insert(d.servers, at, v)
}

// moveServer puts a server at an index of the list, counted without it.
func (d *desk) moveServer(id string, to int) {
	v := d.server(id)
	if v == nil {
		return
	}
	d.removeServer(id)
	d.servers = slices.Insert(d.servers, min(max(to, 0), len(d.servers)), v)
}
