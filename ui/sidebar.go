package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// sidebar is the left edge of the window: the sections with their counts, the
// servers with their state.
type sidebar struct {
	object  fyne.CanvasObject
	servers *kit.SideList
	reveal  *kit.Reveal
	items   []sideItem          // the fixed sections
	shown   []sideServer        // the servers as they stand in the list
	said    map[string]rowTexts // by server in view
	at      route
}

// sideServer is what the place of a server in the list depends on.
type sideServer struct {
	state         *serverState
	id, name, url string
}

// rowTexts are the words in the row of a server.
type rowTexts struct{ name, state string }

func (s *shell) rowTexts(v *serverState) rowTexts {
	return rowTexts{identityOf(v.Server).Name, s.say(s.subtitleOf(v))} // it is the list that stands here
}

type sideItem struct {
	to   route
	item *kit.SideItem
}

func newSidebar(s *shell) *sidebar {
	b := &sidebar{said: map[string]rowTexts{}}
	env := s.newEnv()
	b.servers = kit.NewSideList(0, func(i int) *kit.SideItem { return b.server(s, env, b.shown[i].state) })
	head := kit.Pad(18, 0, 12, 10, kit.Sentence("Parley", titleText))
	top := kit.Column(2, head,
		b.section(s, env, route{section: sectionQuestions}, kit.IconInbox, s.t("ui.side.questions"), s.goToQuestions),
		b.section(s, env, route{section: sectionRequests}, kit.IconPlay, s.t("ui.side.requests"), nil),
		kit.Pad(gapLarge, 0, gapSmall, 10, kit.Sentence(s.t("ui.side.servers"), hintText)))
	add := b.section(s, env, route{section: sectionAdd}, kit.IconPlus, s.t("ui.side.add"), nil)
	b.reveal = kit.NewReveal(kit.Pad(1, 2, 2, 2, kit.Column(2, b.servers, add)))
	env.Reveal = b.reveal
	b.servers.PutOn(b.reveal)
	settings := b.section(s, env, route{section: sectionSettings}, kit.IconSettings, s.t("ui.side.settings"), nil)
	b.object = kit.Stack(kit.NewSurface(kit.ColorSidebar, "", 0),
		kit.Pad(0, gap-2, gap, gap-2, newPanes(kit.Pad(0, 2, 0, 2, top), b.reveal, kit.Pad(gapSmall, 2, 0, 2, settings))))
	b.update(s)
	return b
}

// section makes the item of a fixed section.
func (b *sidebar) section(s *shell, env *kit.Env, to route, icon fyne.Resource, title string, go_ func()) *kit.SideItem {
	if go_ == nil {
		go_ = func() { s.choose(to) }
	}
	item := kit.NewSideItem(kit.SideItemOptions{Env: env, Icon: icon, Title: line(title),
		Accent: to.section == sectionAdd, OnTapped: go_})
	b.items = append(b.items, sideItem{to, item})
	return item
}

// server makes the row of a server.
func (b *sidebar) server(s *shell, env *kit.Env, v *serverState) *kit.SideItem {
	to := route{section: sectionServer, id: v.ID}
	texts := s.rowTexts(v)
	b.said[v.ID] = texts
	return kit.NewSideItem(kit.SideItemOptions{Env: env, Title: line(texts.name), Subtitle: line(texts.state),
		HasDot: true, Dot: s.dotOf(v), Count: s.asked(v.ID), OnTapped: func() { s.choose(to) }})
}

// update brings counts and states in view up to date, and the list of servers
// when it has changed.
func (b *sidebar) update(s *shell) {
	for _, it := range b.items {
		if it.to.section == sectionQuestions {
			it.item.SetCount(s.asked(""))
		}
	}
	if !b.sameServers(s.desk.servers) {
		b.listServers(s)
		return
	}
	b.servers.Made(func(i int, row *kit.SideItem) {
		v := b.shown[i].state
		row.SetCount(s.asked(v.ID))
		row.SetDot(s.dotOf(v))
		if texts := s.rowTexts(v); b.said[v.ID] != texts {
			b.said[v.ID] = texts
			row.SetTexts(line(texts.name), line(texts.state))
		}
	})
}

func (b *sidebar) sameServers(servers []*serverState) bool {
	if len(servers) != len(b.shown) {
		return false
	}
	for i, v := range servers {
		if b.shown[i] != (sideServer{v, v.ID, v.Name, v.URL}) {
			return false
		}
	}
	return true
}

// listServers lists the servers anew. The keyboard stays on the server whose row it is
// on.
func (b *sidebar) listServers(s *shell) {
	held := ""
	if i := b.servers.Focused(); i >= 0 {
		held = b.shown[i].id
	}
	b.shown = make([]sideServer, len(s.desk.servers))
	for i, v := range s.desk.servers {
		b.shown[i] = sideServer{v, v.ID, v.Name, v.URL}
	}
	clear(b.said)
	b.servers.Reset(len(b.shown))
	b.reveal.Relayout()
	b.mark(b.at)
	if i := slices.IndexFunc(b.shown, func(v sideServer) bool { return v.id == held }); held != "" && i >= 0 {
		s.win.Canvas().Focus(b.servers.Row(i))
	}
}

// mark shows where the person is.
func (b *sidebar) mark(at route) {
	b.at = at
	for _, it := range b.items {
		it.item.SetSelected(it.to == at)
	}
	b.servers.Select(slices.IndexFunc(b.shown, func(v sideServer) bool { return at == route{section: sectionServer, id: v.id} }))
	b.follow()
}

// follow scrolls to the row of where the person is.
func (b *sidebar) follow() {
	b.servers.ShowSelected()
	for _, it := range b.items {
		if it.to == b.at {
			b.reveal.IntoView(it.item)
		}
	}
}

// subtitleOf is where a server is, or that there is trouble with it.
func (s *shell) subtitleOf(v *serverState) i18n.Message {
	if w := s.waitOf(v.ID, ""); !w.isZero() && isComing(v.status.State) {
		return w.row
	}
	switch v.status.State {
	case mcpclient.Connected:
		if unreached(v.status) {
			return i18n.M("ui.side.unreached")
		}
	case mcpclient.Connecting:
		return i18n.M("ui.side.connecting")
	case mcpclient.Lost:
		return i18n.M("ui.side.lost")
	case mcpclient.Reconnecting:
		switch {
		case v.status.Queued:
			return i18n.M("ui.side.queued")
		case v.status.Attempt == 0:
			return i18n.M("ui.side.session")
		}
		return i18n.M("ui.side.reconnecting")
	}
	if v.queued {
		return i18n.M("ui.side.queued")
	}
	if v.leave == config.LostLeave {
		return i18n.M("ui.side.changed")
	}
	if v.Kind == mcpclient.Stdio && !v.demo {
		return i18n.M("ui.side.program") // short: a count may stand beside it
	}
	return placeOf(v)
}

// dotOf is the state of a server as a dot. One that waits for the person is not
// connected, and nobody is about it.
func (s *shell) dotOf(v *serverState) kit.Dot {
	if s.waitOf(v.ID, "").person && isComing(v.status.State) {
		return kit.DotOff
	}
	switch v.status.State {
	case mcpclient.Connected:
		if unreached(v.status) {
			return kit.DotTrouble
		}
		return kit.DotOn
	case mcpclient.Connecting, mcpclient.Reconnecting:
		return kit.DotBusy
	case mcpclient.Lost:
		return kit.DotTrouble
	}
	return kit.DotOff
}
