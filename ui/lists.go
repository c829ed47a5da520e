package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/ui/kit"
)

// listPage is a page with rows to choose from: the open questions, the
// requests. It keeps the focus on its place when the list changes, and makes only the
// rows in view.
type listPage struct {
	base
	s     *shell
	env   *kit.Env
	title string
	lead  *kit.Text
	list  *kit.SideList
	rows  []listRow
	whole fyne.CanvasObject
	fill  func() []listRow
	empty string
	touch func(*changes) bool
}

// listRow is one row of a listPage.
type listRow struct {
	id string
	// texts are what stands in it: a title and, below, a quieter line. They are made
	// when it comes into view.
	texts  func() (title, subtitle safetext.Text)
	dot    kit.Dot
	hasDot bool
	to     route
}

func newListPage(s *shell, title, empty string, fill func() []listRow, touch func(*changes) bool) *listPage {
	p := &listPage{s: s, env: s.env(), title: title, empty: empty, fill: fill, touch: touch,
		lead: kit.NewText()}
	p.list = kit.NewSideList(0, p.row)
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, kit.Column(0, p.list, p.lead)))
	p.env.Reveal = reveal
	p.list.PutOn(reveal)
	head := []fyne.CanvasObject{kit.Heading(title)}
	if !s.parting.IsZero() {
		head = append(head, s.partingNotice(p.env))
		s.parting = i18n.Message{}
	}
	p.whole = pageFrame(kit.Column(gap, head...), reveal, nil)
	p.draw()
	return p
}

func newQuestionsPage(s *shell) *listPage {
	return newListPage(s, s.t("ui.side.questions"), s.t("ui.questions.none"), s.questionRows,
		func(ch *changes) bool {
			return len(ch.questions) > 0 || len(ch.calls) > 0 || len(ch.signIns) > 0 || ch.list
		})
}

func newRequestsPage(s *shell) *listPage {
	return newListPage(s, s.t("ui.side.requests"), s.t("ui.requests.none"), s.requestRows,
		func(ch *changes) bool { return len(ch.calls) > 0 || len(ch.signIns) > 0 || ch.list })
}

// questionRows are the sign-ins and the open questions, oldest first, and below
// them the pages that are waited for in the browser.
func (s *shell) questionRows() []listRow {
	now := s.clock.Now()
	rows := s.signInRows(true)
	for _, q := range s.desk.open("") {
		if s.sheets[q.ID] == nil {
			continue // not read yet
		}
		rows = append(rows, listRow{id: q.ID, to: route{section: sectionQuestion, id: q.ID}, texts: func() (title, subtitle safetext.Text) {
			when, _ := ago(now, q.Asked)
			sub := i18n.M("ui.questions.row", "Server", s.renamed(q.Identity, q.ServerID).Name, "Ago", when)
			if q.CallTitle != "" {
				sub = i18n.M("ui.questions.row_call", "Server", s.renamed(q.Identity, q.ServerID).Name, "Call", q.CallTitle, "Ago", when)
			}
			return line(orDash(firstLine(q.Message))), line(s.loc.Text(sub))
		}})
	}
	for _, q := range s.desk.questions {
		sh := s.sheets[q.ID]
		if sh == nil || !s.waitsFor(sh) {
			continue
		}
		rows = append(rows, listRow{id: q.ID, hasDot: true, dot: kit.DotBusy, to: route{section: sectionQuestion, id: q.ID},
			texts: func() (title, subtitle safetext.Text) {
				sub := i18n.M("ui.questions.row_call", "Server", s.renamed(q.Identity, q.ServerID).Name, "Call", q.CallTitle, "Ago", i18n.M("ui.state.browser"))
				return line(sh.link.Button), line(s.loc.Text(sub))
			}})
	}
	return append(rows, s.signInRows(false)...)
}

// signInRows are the sign-ins that ask the person, or those they are in the
// browser for.
func (s *shell) signInRows(asking bool) []listRow {
	var rows []listRow
	now := s.clock.Now()
	for _, sh := range s.signIns {
		if !sh.open() || sh.undecided() != asking {
			continue
		}
		rows = append(rows, listRow{id: sh.ID, hasDot: !asking, dot: kit.DotBusy, to: route{section: sectionSignIn, id: sh.ID},
			texts: func() (title, subtitle safetext.Text) {
				when, _ := ago(now, sh.Began)
				if !asking {
					when = i18n.M("ui.state.browser")
				}
				sub := i18n.M("ui.questions.row", "Server", s.renamed(sh.identity(), sh.ServerID).Name, "Ago", when)
				return line(s.t("ui.signin.row", "Site", line(sh.Host).String())), line(s.loc.Text(sub))
			}})
	}
	return rows
}

// waitsFor reports whether, as far as anybody knows, the person still has to do
// something at the page of an accepted link.
func (s *shell) waitsFor(sh *sheet) bool {
	if !s.away(sh) || sh.q.Complete {
		return false
	}
	switch state := s.desk.call(sh.q.CallID).State; sh.q.Via {
	case mcpclient.ViaPush:
		return true // only the server knows
	case mcpclient.ViaRequired:
		return state == mcpclient.CallBrowser || state == mcpclient.CallAsking
	default:
		return state == mcpclient.CallBrowser
	}
}

// firstLine is what fits into a row of a text of several lines.
func firstLine(s string) string {
	for i, r := range s {
		if r == '\n' && i > 0 {
			return s[:i]
		}
	}
	return s
}

// orDash stands in for an empty message, whose row can still be chosen.
func orDash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

// requestRows are the person's requests, newest first.
func (s *shell) requestRows() []listRow {
	rows := make([]listRow, 0, len(s.desk.calls))
	now := s.clock.Now()
	for i := len(s.desk.calls) - 1; i >= 0; i-- {
		c := s.desk.calls[i]
		rows = append(rows, listRow{id: c.ID, hasDot: true, dot: callDot(&c.Call), to: route{section: sectionRequest, id: c.ID},
			texts: func() (title, subtitle safetext.Text) {
				when, _ := ago(now, c.Started)
				sub := i18n.M("ui.requests.row", "Server", s.renamed(c.Identity, c.ServerID).Name, "State", s.stateOf(&c.Call), "Ago", when)
				return line(c.DisplayTitle()), line(s.loc.Text(sub))
			}})
	}
	return rows
}

// stateOf is where a call stands, in a few words. One that waits is not with the server.
func (s *shell) stateOf(c *mcpclient.Call) i18n.Message {
	if w := s.waitOf(c.ServerID, c.ID); !w.isZero() && !c.State.Ended() {
		return w.row
	}
	return stateOf(c)
}

// signInOf is the sign-in that a call waits for, nil for none.
func (s *shell) signInOf(c *mcpclient.Call) *signInSheet {
	waits := s.signInAt(c.ServerID)
	if waits == nil || c.State.Ended() || !slices.Contains(waits.Calls, c.ID) {
		return nil
	}
	return waits
}

// stateOf is where a call stands as the client tells.
func stateOf(c *mcpclient.Call) i18n.Message {
	switch {
	case c.State == mcpclient.CallDone && c.IsError:
		return i18n.M("ui.state.tool_error")
	case c.Failure != nil && c.Failure.Declined:
		return i18n.M("ui.state.declined")
	}
	return i18n.M("ui.state." + string(c.State))
}

func callDot(c *mcpclient.Call) kit.Dot {
	switch {
	case c.State == mcpclient.CallDone && !c.IsError:
		return kit.DotOn
	case c.Failure != nil && c.Failure.Declined:
		return kit.DotOff
	case c.State == mcpclient.CallDone || c.State == mcpclient.CallFailed:
		return kit.DotTrouble
	case c.State == mcpclient.CallCancelled:
		return kit.DotOff
	}
	return kit.DotBusy
}

// row makes one of the rows.
func (p *listPage) row(i int) *kit.SideItem {
	r := p.rows[i]
	title, subtitle := r.texts()
	return kit.NewSideItem(kit.SideItemOptions{Env: p.env, Title: title, Subtitle: subtitle,
		HasDot: r.hasDot, Dot: r.dot, OnTapped: func() { p.s.show(r.to) }})
}

func (p *listPage) draw() {
	held := ""
	if i := p.list.Focused(); i >= 0 {
		held = p.rows[i].id
	}
	p.rows = p.fill()
	if len(p.rows) == 0 {
		p.lead.SetRuns(kit.Own(p.empty, mutedText))
	} else {
		p.lead.SetRuns()
	}
	p.list.Reset(len(p.rows))
	p.env.Reveal.Relayout()
	p.whole.Refresh()
	if i := slices.IndexFunc(p.rows, func(r listRow) bool { return r.id == held }); held != "" && i >= 0 {
		p.s.win.Canvas().Focus(p.list.Row(i))
	}
}

func (p *listPage) object() fyne.CanvasObject { return p.whole }

func (p *listPage) first() fyne.Focusable {
	if len(p.rows) == 0 {
		return nil
	}
	return p.list.Row(0)
}

func (p *listPage) update(ch *changes) {
	if p.touch(ch) {
		p.draw()
	}
}
