package ui

import (
	"context"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
)

// connect connects to a server in the background. A program is started only
// if that was allowed as it stands.
func (s *shell) connect(v *serverState) {
	if !v.allowed {
		s.choose(route{section: sectionAllow, id: v.ID})
		return
	}
	v.tried = true
	v.status = mcpclient.Status{State: mcpclient.Connecting}
	s.touchServer(v.ID)
	server := v.Server
	s.work.apart(func(ctx context.Context) {
		_, err := s.client.Connect(ctx, server)
		if err == nil {
			return
		}
		s.do.Do(func() { s.notConnected(server.ID, err) })
	})
}

// notConnected shows why a connection could not be made, where the client's
// own event has not said so already.
func (s *shell) notConnected(id string, err error) {
	v := s.desk.server(id)
	if v == nil || v.status.State == mcpclient.Lost || v.status.State == mcpclient.Connected {
		return
	}
	v.status = mcpclient.Status{State: mcpclient.Lost, Failure: failureOf(err)}
	s.touchServer(id)
}

// failureOf is err as the sentence it carries.
func failureOf(err error) *mcpclient.Failure {
	if f, ok := err.(*mcpclient.Failure); ok {
		return f
	}
	return &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("ui.server.failed", "Why", err.Error())}
}

// disconnect closes a server's connection in the background.
func (s *shell) disconnect(id string) {
	s.work.apart(func(ctx context.Context) {
		if k := s.client.Connection(id); k != nil {
			// Why a connection did not end well is told as an event.
			_ = k.Close(ctx)
		}
	})
}

// list fetches what a connected server offers and parses it.
func (s *shell) list(v *serverState) {
	if v.listing {
		return
	}
	v.listing = true
	id := v.ID
	s.work.apart(func(ctx context.Context) {
		k := s.client.Connection(id)
		if k == nil {
			s.do.Do(func() { s.listed(id, nil, nil) })
			return
		}
		lists, err := k.List(ctx)
		var o *offer
		if err == nil {
			o = &offer{}
			var p []i18n.Message
			o.tools, p = mcpclient.ParseTools(lists.Tools)
			o.problems = append(o.problems, p...)
			o.prompts, p = mcpclient.ParsePrompts(lists.Prompts)
			o.problems = append(o.problems, p...)
			o.resources, p = mcpclient.ParseResources(lists.Resources)
			o.problems = append(o.problems, p...)
		}
		s.do.Do(func() { s.listed(id, o, err) })
	})
}

func (s *shell) listed(id string, o *offer, err error) {
	v := s.desk.server(id)
	if v == nil {
		return
	}
	v.listing, v.listFail = false, nil
	if err != nil {
		v.listFail = failureOf(err)
		o = &offer{}
	}
	if v.status.State == mcpclient.Connected {
		v.offer = o
	}
	s.touchServer(id)
}

// learnOrigin finds the site within a server's address, for the banner.
func (s *shell) learnOrigin(v mcpclient.Server) {
	id, err := v.Identify()
	if err != nil || id.Origin == "" {
		return
	}
	s.work.apart(func(context.Context) {
		parts := originParts(id.Origin)
		s.do.Do(func() {
			s.origins[id.Origin] = parts
			s.touchServer(v.ID)
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

// asker is the server of a question as the judge of links sees it.
func (s *shell) asker(q mcpclient.Elicitation) consent.Asker {
	a := q.Identity.Asker()
	for _, v := range s.desk.servers {
		if id, err := v.Identify(); err == nil && id.Origin != "" {
			if other := id.Asker(); other.Host != "" {
				a.Protected = append(a.Protected, other.Host)
			}
		}
	}
	a.Opened = append([]string(nil), s.sites[q.ServerID]...)
	return a
}
