package ui

import (
	"context"
	"maps"
	"slices"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
)

// connect connects to a server in the background, at once where a connection
// that was lost waits to be made again. A program is started only if that was
// allowed as it stands, and asked about anew if it was found to be another file.
func (s *shell) connect(v *serverState) {
	if v.toReview() {
		s.choose(route{section: sectionAllow, id: v.ID})
		return
	}
	s.dial(v, func() {})
}

// dial connects to a server that may be, and calls ended on Fyne's thread when that
// attempt is over.
func (s *shell) dial(v *serverState, ended func()) {
	v.tried, v.queued = true, false
	v.account.known = false // it may be another address now
	stale := v.changed
	v.used, v.changed, v.emptied = v.Server, false, false
	v.status = mcpclient.Status{State: mcpclient.Connecting}
	ctx, giveUp := context.WithCancel(s.work.ctx)
	v.giveUp = giveUp
	s.touchServer(v.ID)
	server := v.Server
	s.work.apart(func(context.Context) {
		defer giveUp()
		if stale {
			// Its end is told as an event.
			_ = s.client.Disconnect(ctx, server.ID)
		}
		_, err := s.client.Connect(ctx, server)
		s.do.Do(func() {
			if err != nil {
				s.notConnected(server.ID, err)
			}
			ended()
		})
	})
}

// notConnected shows why a connection could not be made, where the client's
// own event has not said so already.
func (s *shell) notConnected(id string, err error) {
	v := s.desk.server(id)
	if v == nil || v.status.State != mcpclient.Connecting {
		return
	}
	v.status = seen(mcpclient.Status{State: mcpclient.Lost, Failure: failureOf(err)})
	s.touchServer(id)
}

// failureOf is err as the sentence it carries.
func failureOf(err error) *mcpclient.Failure {
	if f, ok := err.(*mcpclient.Failure); ok {
		return f
	}
	return &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("ui.server.failed", "Why", err.Error())}
}

// disconnect closes a server's connection in the background, gives up making
// one, or stops making it again.
func (s *shell) disconnect(v *serverState) {
	v.queued = false
	if v.giveUp != nil {
		v.giveUp()
		v.giveUp = nil
	}
	id := v.ID
	s.work.apart(func(ctx context.Context) {
		// Why a connection did not end well is told as an event.
		_ = s.client.Disconnect(ctx, id)
	})
}

// learnOrigins finds the sites within servers' addresses, for the banner. However
// many there are, they are told at once.
func (s *shell) learnOrigins(servers ...mcpclient.Server) {
	if len(servers) == 0 {
		return
	}
	s.work.apart(func(ctx context.Context) {
		learnt := make(map[string][]consent.Part, len(servers))
		for _, v := range servers {
			if ctx.Err() != nil {
				return
			}
			if id, err := v.Identify(); err == nil && id.Origin != "" && learnt[id.Origin] == nil {
				learnt[id.Origin] = originParts(id.Origin)
			}
		}
		s.do.Do(func() {
			maps.Copy(s.origins, learnt)
			var ch changes
			for _, v := range servers {
				mark(&ch.servers, v.ID)
			}
			s.tell(&ch)
		})
	})
}

// originParts is the origin with its site marked, without the path's slash
// that the judged URL has.
func originParts(origin string) []consent.Part {
	parts := consent.Assess(origin+"/", consent.Asker{}).Parts
	if n := len(parts); n > 0 && parts[n-1].Text == "/" {
		parts = parts[:n-1]
	} else if n > 0 {
		last := &parts[n-1]
		if l := len(last.Text); l > 0 && last.Text[l-1] == '/' {
			last.Text = last.Text[:l-1]
		}
	}
	return parts
}

// asker is a server as the judge of links sees it.
func (s *shell) asker(id mcpclient.Identity, serverID string) consent.Asker {
	a := id.Asker()
	for _, v := range s.desk.servers {
		if known, err := v.Identify(); err == nil && known.Origin != "" {
			if other := known.Asker(); other.Host != "" {
				a.Protected = append(a.Protected, other.Host)
			}
		}
		if v.ID == serverID {
			if as, known := v.as(id); known {
				a.Opened = slices.Clone(s.sites[openedBy(as)])
			}
		}
	}
	return a
}
