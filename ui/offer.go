package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// offer is what a server offers, parsed in the background.
type offer struct {
	tools     []mcpclient.Tool
	prompts   []mcpclient.Prompt
	resources []mcpclient.Resource
	problems  []i18n.Message
	raw       mcpclient.Lists
}

// listPause is the least time between two listings that nobody asked for: a
// server may tell of changes as often as it likes.
const listPause = time.Second

// listing is how far asking a server what it offers has come.
//
// What was offered before stays on the screen until the new list is there. A
// change that is told of while the server is being asked makes it be asked once
// more, since nobody knows whether the answer has it already.
type listing struct {
	stale   bool      // it is to be asked
	fresh   bool      // by the person's wish: nothing that was kept is used
	busy    bool      // it is being asked
	awaited bool      // the person waits for the answer
	begun   time.Time // when it was last asked
	// connections counts them, so that an answer of an earlier one is none.
	connections int
	pause       func() // ends the pause before it is asked again; nil for none
	failure     *mcpclient.Failure
}

// connection takes in how the connection stands now.
func (l *listing) connection(s mcpclient.Status) {
	switch {
	case s.State == mcpclient.Connected && s.Failure != nil:
		// Nothing gets through: what it offers is asked when something does.
	case s.State == mcpclient.Connected:
		l.stale = true
	case s.State == mcpclient.Reconnecting && s.Attempt == 0:
		// The same connection goes on in a new session.
	default:
		l.endPause()
		*l = listing{connections: l.connections + 1}
	}
}

func (l *listing) endPause() {
	if l.pause != nil {
		l.pause()
		l.pause = nil
	}
}

// list asks a connected server what it offers, if that is to be done and may
// be done now, and parses it.
func (s *shell) list(v *serverState) {
	l := &v.listing
	if !l.stale || l.busy || v.status.State != mcpclient.Connected || unreached(v.status) && !l.fresh {
		return
	}
	if wait := listPause - s.clock.Now().Sub(l.begun); wait > 0 && !l.fresh {
		s.listLater(v, wait)
		return
	}
	l.endPause()
	fresh, connections := l.fresh, l.connections
	l.stale, l.fresh, l.busy, l.begun = false, false, true, s.clock.Now()
	l.awaited = fresh
	id, before := v.ID, v.offer
	s.work.apart(func(ctx context.Context) {
		o, err := s.ask(ctx, id, fresh)
		if err == nil && before != nil && sameLists(o.raw, before.raw) {
			o = before
		}
		s.do.Do(func() { s.listed(id, connections, o, err) })
	})
}

// listLater lists once a pause is over.
func (s *shell) listLater(v *serverState, wait time.Duration) {
	if v.listing.pause != nil {
		return
	}
	id := v.ID
	v.listing.pause = s.clock.After(wait, func() {
		s.do.Do(func() {
			if v := s.desk.server(id); v != nil && !s.closing {
				v.listing.pause = nil
				s.list(v)
			}
		})
	})
}

// relist lists by the person's wish. Why it failed before is said until then.
func (s *shell) relist(v *serverState) {
	v.listing.stale, v.listing.fresh, v.listing.failure = true, true, nil
	s.list(v)
	s.touchServer(v.ID)
}

// ask asks a server what it offers and parses that.
func (s *shell) ask(ctx context.Context, id string, fresh bool) (*offer, error) {
	k := s.client.Connection(id)
	if k == nil {
		return nil, &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("ui.server.off")}
	}
	list := k.List
	if fresh {
		list = k.Relist
	}
	lists, err := list(ctx)
	if err != nil {
		return nil, err
	}
	o := &offer{raw: lists}
	var p []i18n.Message
	o.tools, p = mcpclient.ParseTools(lists.Tools)
	o.problems = append(o.problems, p...)
	o.prompts, p = mcpclient.ParsePrompts(lists.Prompts)
	o.problems = append(o.problems, p...)
	o.resources, p = mcpclient.ParseResources(lists.Resources)
	o.problems = append(o.problems, p...)
	return o, nil
}

// listed brings in the answer of a server, if it still belongs to the
// connection there is.
func (s *shell) listed(id string, connections int, o *offer, err error) {
	v := s.desk.server(id)
	if v == nil || v.listing.connections != connections {
		return
	}
	l := &v.listing
	l.busy, l.awaited, l.failure = false, false, nil
	if err != nil {
		l.failure = failureOf(err)
	} else {
		v.offer, v.offered = o, s.clock.Now()
	}
	s.list(v)
	s.touchServer(id)
}

// sameLists reports whether two lists say the same to the letter.
func sameLists(a, b mcpclient.Lists) bool {
	same := func(a, b []json.RawMessage) bool {
		return slices.EqualFunc(a, b, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
	}
	return same(a.Tools, b.Tools) && same(a.Prompts, b.Prompts) && same(a.Resources, b.Resources)
}
