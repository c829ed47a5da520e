package ui

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// serverPage is one server: who it is, how the connection stands, what it
// offers, and what it said on the side.
type serverPage struct {
	s      *shell
	v      *serverState
	env    *kit.Env
	search *kit.LongEntry
	wanted string
	found  *fyne.Container
	rows   []*kit.SideItem
	routes []route // where the rows lead
	body   *fyne.Container
	whole  fyne.CanvasObject
	banner *fyne.Container
	foot   *fyne.Container
	sure   bool // removing was asked for once
	drawn  serverDrawn
	side   *sideFold
	// next says when a lost connection is tried again, tick keeps it true.
	next *kit.Text
	tick func()
	// asOf says when the server was last asked what it offers.
	asOf *kit.Text
	// lost are the words of a button that had the keyboard and went: it gets it
	// back if it comes back before the keyboard is elsewhere.
	lost string
	// token is the entry for the access token, kept while it is open.
	token *kit.FieldRow
	// buttons are those that are shown, by their words.
	buttons map[string]*kit.Button
	// tokenButton opens it.
	tokenButton *kit.Button
}

func newServerPage(s *shell, v *serverState) *serverPage {
	p := &serverPage{s: s, v: v, env: s.env(), body: kit.Column(gap), found: kit.Column(2),
		banner: kit.Column(0), foot: kit.Column(gap), next: kit.NewText(), asOf: kit.NewText()}
	p.side = newSideFold(s, p.env, &v.said)
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.search = kit.NewLongEntry(kit.TextEntryOptions{Env: p.env, Placeholder: s.t("ui.server.search"), OnChanged: func(text string) {
		p.wanted = text
		p.drawFound()
	}})
	p.whole = pageFrame(p.banner, reveal, p.foot)
	p.draw()
	return p
}

func (p *serverPage) draw() {
	s, v := p.s, p.v
	held, row := p.heldButton(), p.heldRow()
	p.buttons = map[string]*kit.Button{}
	p.banner.Objects = []fyne.CanvasObject{s.banner(p.env, v.identity(), v.ID)}
	var objects []fyne.CanvasObject
	if v.changed && isOpen(v.status) {
		objects = append(objects, kit.RowFill(gap, 0, kit.NewNotice(kit.Caution, "", s.say(changedText(v))),
			p.button(s.t("ui.server.reconnect"), kit.Plain, p.connect)))
	}
	objects = append(objects, p.signInPart()...)
	objects = append(objects, s.exposedPart(v, p.button)...)
	objects = append(objects, p.standing()...)
	if slices.Contains(s.asking, v.ID) && !v.token.busy { // which says the same
		objects = append(objects, kit.NewNotice(kit.Info, "", s.t("ui.token.busy")))
	}
	if v.renewal.Host != "" {
		objects = append(objects, kit.Sentence(s.say(renewing(v.renewal).page), mutedText))
	}
	objects = append(objects, p.accountPart()...)
	objects = append(objects, p.tokenPart()...)
	if text := s.trouble[v.ID]; text != "" {
		objects = append(objects, kit.NewNotice(kit.Danger, text, ""))
	}
	if isConnected(v.status) {
		objects = append(objects, p.offer()...)
	}
	if v.status.State == mcpclient.Lost && p.drawn.status.State != mcpclient.Lost {
		p.side.open() // what a program wrote last may say why it ended
	}
	p.side.update()
	p.body.Objects = append(objects, p.side.object)
	p.drawFoot()
	p.drawn = p.state()
	p.whole.Refresh()
	p.refocus(held, row)
	p.countDown()
}

// isComing reports whether a connection is being made.
func isComing(s mcpclient.ConnectionState) bool {
	return s == mcpclient.Connecting || s == mcpclient.Reconnecting
}

// isConnected reports whether a server can be asked: a new session with it may
// just be begun.
func isConnected(s mcpclient.Status) bool {
	return s.State == mcpclient.Connected || s.State == mcpclient.Reconnecting && s.Attempt == 0
}

// unreached reports whether nothing gets through to a server that is connected
// (see mcpclient.Status.Failure).
func unreached(s mcpclient.Status) bool { return s.State == mcpclient.Connected && s.Failure != nil }

// refocus gives the keyboard back to the button or row that had it.
func (p *serverPage) refocus(held string, row route) {
	c := p.s.win.Canvas()
	for i, to := range p.routes {
		if to == row {
			c.Focus(p.rows[i])
			return
		}
	}
	if held == "" && c.Focused() == nil {
		held = p.lost
	}
	p.lost = ""
	if b := p.buttons[held]; b != nil {
		c.Focus(b)
	} else if held != "" {
		p.lost = held
		c.Unfocus()
	}
}

// heldRow is where the row that has the keyboard leads.
func (p *serverPage) heldRow() route {
	f := p.s.win.Canvas().Focused()
	for i, item := range p.rows {
		if f == fyne.Focusable(item) {
			return p.routes[i]
		}
	}
	return route{}
}

// heldButton is the button that has the keyboard: the one with the same words
// gets it when the page is drawn anew.
func (p *serverPage) heldButton() string {
	for words, b := range p.buttons {
		if p.s.win.Canvas().Focused() == fyne.Focusable(b) {
			return words
		}
	}
	return ""
}

// serverDrawn is what the page was last drawn from, what was said on the side
// aside.
type serverDrawn struct {
	name, trouble string
	status        mcpclient.Status
	offer         *offer
	failure       *mcpclient.Failure
	leave         config.Leave
	known         bool
	token         tokenDrawn
	account       accountDrawn
	signIn        string // the sign-in that waits for the person
	waits         string // what the connection waits for
	renews        string // where the token is renewed
	removing      bool
	leftover      string
	changed       bool
	place         string
	secrets       int // client secrets that are stored
	exposed       exposureDrawn
}

func (p *serverPage) state() serverDrawn {
	v := p.v
	id := v.identity()
	return serverDrawn{id.Name, p.s.trouble[v.ID], v.status, v.offer, v.listing.failure,
		v.leave, p.s.origins[id.Origin] != nil, v.token.drawn(p.s), v.account.drawn(p.s), p.s.signInStands(v.ID), p.s.waitOf(v.ID, "").row.ID, v.renewal.Host, v.removing, p.s.say(v.leftover), v.changed, v.Place(), len(v.secrets), p.s.exposureDrawn(v)}
}

// standing says how the connection stands.
func (p *serverPage) standing() []fyne.CanvasObject {
	s, v := p.s, p.v
	switch st := v.status; st.State {
	case mcpclient.Connected:
		if unreached(st) {
			return s.failureAs(kit.Caution, p.env, st.Failure, s.t("ui.server.unreached", "Time", atTime(s.clock.Now(), v.since)))
		}
		return p.agreed(st.Info)
	case mcpclient.Connecting:
		if !s.waitOf(v.ID, "").isZero() {
			return nil // which the page says already
		}
		return []fyne.CanvasObject{kit.Sentence(s.t("ui.server.connecting"), mutedText)}
	case mcpclient.Reconnecting:
		if st.Attempt == 0 {
			return s.failureAs(kit.Info, p.env, st.Failure, "")
		}
		p.sayNext()
		return append(s.failureAs(kit.Caution, p.env, st.Failure, p.lastWords()), p.next)
	case mcpclient.Lost:
		more := p.lastWords()
		if st.Attempts > 0 {
			more = strings.TrimSpace(more + "\n" + s.say(p.gaveUp(st.Attempts)))
		}
		return s.failureAs(kit.Danger, p.env, st.Failure, more)
	}
	switch v.leave {
	case config.NoLeave:
		return []fyne.CanvasObject{kit.NewNotice(kit.Info, "", s.t("ui.server.not_allowed"))}
	case config.LostLeave:
		return []fyne.CanvasObject{kit.NewNotice(kit.Caution, "", s.t("ui.server.changed_since"))}
	}
	return []fyne.CanvasObject{kit.Sentence(s.t("ui.server.off"), mutedText)}
}

// maxLastWords is how much of a program's last line stands with its end.
const maxLastWords = 300

// lastWords are the last a program wrote before it ended, in a sentence.
func (p *serverPage) lastWords() string {
	words := p.v.lastWords()
	if words == "" {
		return ""
	}
	return p.s.t("ui.server.last_words", "Line", safetext.Line(words, maxLastWords).String())
}

// gaveUp says that no further attempt is made.
func (p *serverPage) gaveUp(attempts int) i18n.Message {
	if p.v.Kind == mcpclient.Stdio {
		return i18n.N("ui.server.gave_up_program", attempts)
	}
	return i18n.N("ui.server.gave_up", attempts)
}

// agreed says what was agreed on with a connected server.
func (p *serverPage) agreed(info *mcpclient.Info) []fyne.CanvasObject {
	if info == nil {
		return nil
	}
	transport := i18n.M("ui.transport." + string(info.Identity.Transport))
	out := []fyne.CanvasObject{kit.Sentence(p.s.t("ui.server.connected."+string(info.Era), "Protocol", info.Protocol, "Transport", transport), mutedText)}
	if r := p.v.revived; !r.at.IsZero() {
		out = append(out, kit.NewNotice(kit.Info, "", p.s.t("ui.server.revived", "Why", r.why,
			"Time", atTime(p.s.clock.Now(), r.at), "Again", p.v.again())))
	}
	if info.Plain {
		out = append(out, kit.NewNotice(kit.Caution, "", p.s.t("core.notice.plain")))
	}
	return nonNil(append(out, p.s.website(p.env, p.v, info))...)
}

// countDown keeps the time of the next attempt true, while there is one to
// come.
func (p *serverPage) countDown() {
	p.leave()
	if next := p.sayNext(); next > 0 {
		p.tick = p.s.every(next, p.sayNext)
	}
}

// sayNext writes when a lost connection is tried again, and tells how long that
// stays true.
func (p *serverPage) sayNext() time.Duration {
	st := p.v.status
	if st.State != mcpclient.Reconnecting || st.Attempt == 0 {
		return 0
	}
	left := st.Next.Sub(p.s.clock.Now())
	seconds := int((left + time.Second - 1) / time.Second)
	say := i18n.M("ui.server.next_now", "Attempt", st.Attempt, "Attempts", st.Attempts)
	switch {
	case st.Queued:
		say = i18n.M("ui.server.queued", "Attempt", st.Attempt, "Attempts", st.Attempts)
	case seconds > 0:
		say = i18n.N("ui.server.next", seconds, "Attempt", st.Attempt, "Attempts", st.Attempts)
	}
	p.next.SetRuns(kit.Own(p.s.say(say), mutedText))
	if seconds <= 0 || st.Queued {
		return 0
	}
	return left - time.Duration(seconds-1)*time.Second
}

func (p *serverPage) leave() {
	if p.tick != nil {
		p.tick()
		p.tick = nil
	}
}

// offer is what the server offers, with a search above.
func (p *serverPage) offer() []fyne.CanvasObject {
	s, v := p.s, p.v
	var out []fyne.CanvasObject
	if !unreached(v.status) { // which the page says already
		out = s.failure(p.env, v.listing.failure)
	}
	waits := !s.waitOf(v.ID, "").isZero() // which the page says already
	switch {
	case v.offer == nil && v.listing.failure == nil && waits:
		return nil
	case v.offer == nil && v.listing.failure == nil:
		return []fyne.CanvasObject{kit.Sentence(s.t("ui.server.listing"), mutedText)}
	}
	p.sayAsOf()
	out = append(out, p.asOf)
	if v.offer == nil {
		return out
	}
	if len(v.offer.problems) > 0 {
		out = append(out, kit.NewNotice(kit.Info, s.t("ui.server.list_faults"), s.sentences(v.offer.problems)))
	}
	p.drawFound()
	if n := len(v.offer.tools) + len(v.offer.prompts) + len(v.offer.resources); n > 8 {
		out = append(out, p.search)
	}
	return append(out, p.found)
}

// sayAsOf writes when the server was asked, or that it is being asked.
func (p *serverPage) sayAsOf() {
	v := p.v
	text := ""
	switch {
	case v.listing.awaited && p.s.waitOf(v.ID, "").isZero():
		text = p.s.t("ui.server.listing")
	case v.offer != nil:
		text = p.s.t("ui.server.as_of", "Time", v.offered.Local().Format("15:04:05"))
	}
	p.asOf.SetRuns(kit.Own(text, hintText))
}

// maxFound is how many rows of one kind are drawn; the search finds the rest.
const maxFound = 60

// offerRow is one thing a server offers, as a row.
type offerRow struct {
	title, detail string
	to            route
}

// drawFound lists what the search finds.
func (p *serverPage) drawFound() {
	o := p.v.offer
	if o == nil {
		return
	}
	var tools, prompts, resources []offerRow
	for _, t := range o.tools {
		tools = append(tools, offerRow{t.DisplayTitle(), firstLine(t.Description), route{sectionTool, p.v.ID, t.Name}})
	}
	for _, t := range o.prompts {
		prompts = append(prompts, offerRow{t.DisplayTitle(), firstLine(t.Description), route{sectionPrompt, p.v.ID, t.Name}})
	}
	for _, r := range o.resources {
		resources = append(resources, offerRow{r.DisplayTitle(), r.URI, route{sectionResource, p.v.ID, r.URI}})
	}
	p.rows, p.routes = nil, nil
	var objects []fyne.CanvasObject
	for _, part := range []struct {
		title string
		icon  fyne.Resource
		rows  []offerRow
	}{{"ui.server.tools", kit.IconPlay, tools}, {"ui.server.prompts", kit.IconInbox, prompts}, {"ui.server.resources", kit.IconCopy, resources}} {
		objects = append(objects, p.section(part.title, part.icon, matching(part.rows, p.wanted))...)
	}
	if len(objects) == 0 {
		objects = append(objects, kit.Sentence(p.s.t("ui.server.nothing"), mutedText))
	}
	p.found.Objects = objects
	p.found.Refresh()
	p.body.Refresh()
}

// matching keeps the rows that hold every word of wanted.
func matching(rows []offerRow, wanted string) []offerRow {
	needles := strings.Fields(strings.ToLower(wanted))
	if len(needles) == 0 {
		return rows
	}
	var out []offerRow
	for _, r := range rows {
		hay := strings.ToLower(r.title + " " + r.detail + " " + r.to.name)
		found := true
		for _, n := range needles {
			found = found && strings.Contains(hay, n)
		}
		if found {
			out = append(out, r)
		}
	}
	return out
}

func (p *serverPage) section(title string, icon fyne.Resource, rows []offerRow) []fyne.CanvasObject {
	if len(rows) == 0 {
		return nil
	}
	s := p.s
	out := []fyne.CanvasObject{kit.Pad(gap, 0, gapSmall, 0, kit.Sentence(s.t(title), boldText))}
	for i, r := range rows {
		if i == maxFound {
			out = append(out, kit.Sentence(s.t("ui.server.more", "N", len(rows)-maxFound), mutedText))
			break
		}
		item := kit.NewSideItem(kit.SideItemOptions{Env: p.env, Icon: icon, Title: line(r.title), Subtitle: line(r.detail),
			OnTapped: func() { s.choose(r.to) }})
		p.rows, p.routes = append(p.rows, item), append(p.routes, r.to)
		out = append(out, item)
	}
	return out
}

func (p *serverPage) button(text string, im kit.Importance, do func()) *kit.Button {
	b := kit.NewButton(kit.ButtonOptions{Env: p.env, Text: text, Importance: im, EnterTaps: true, OnTapped: do})
	p.buttons[text] = b
	return b
}

func (p *serverPage) drawFoot() {
	s, v := p.s, p.v
	if v.removing {
		p.foot.Objects = []fyne.CanvasObject{kit.Sentence(s.t("ui.server.removing"), mutedText)}
		return
	}
	if !v.leftover.IsZero() {
		p.foot.Objects = []fyne.CanvasObject{kit.NewNotice(kit.Caution, s.t("ui.server.leftover"), s.say(v.leftover)),
			kit.ActionBar(nil, []fyne.CanvasObject{
				p.button(s.t("ui.server.keep"), kit.Plain, p.escape),
				p.button(s.t("ui.token.retry"), kit.Plain, func() { s.remove(v) }),
				p.button(s.t("ui.server.remove_anyway"), kit.Grave, func() { s.takeOut(v) })})}
		return
	}
	if p.sure {
		keep := p.button(s.t("ui.server.keep"), kit.Plain, func() { p.sure = false; p.draw() })
		p.foot.Objects = append(s.removeWords(v),
			kit.ActionBar(nil, []fyne.CanvasObject{keep, p.button(s.t("ui.server.remove_yes"), kit.Grave, func() { s.remove(v) })}))
		return
	}
	var left, right []fyne.CanvasObject
	if !v.demo {
		edit := kit.Quiet
		if missingValues(v.status.Failure) {
			edit = kit.Primary
		}
		left = append(left, p.button(s.t("ui.edit.open"), edit, func() { s.choose(route{section: sectionEdit, id: v.ID}) }),
			p.button(s.t("ui.server.remove"), kit.Quiet, p.askRemove))
	}
	lacksKeychain := s.o.Tokens != nil && wantsKeychain(failureNow(v)) && !wantsUnlock(failureNow(v))
	// One button of a page stands out: what is most likely wanted next.
	main := kit.Primary
	mends := slices.DeleteFunc(s.mends(v, failureNow(v), nil), func(m mend) bool { return p.buttons[s.t(m.words)] != nil }) // which stands above
	if v.token.open || len(mends) > 0 || s.signInAt(v.ID) != nil || missingValues(v.status.Failure) {
		main = kit.Plain
	}
	switch v.status.State {
	case mcpclient.Connected:
		again := "ui.server.refresh"
		if unreached(v.status) {
			again = "ui.server.now"
		}
		right = append(right, p.button(s.t(again), kit.Plain, func() { s.relist(v) }),
			p.button(s.t("ui.server.disconnect"), kit.Plain, p.disconnect))
	case mcpclient.Connecting:
		right = append(right, p.button(s.t("ui.server.give_up"), kit.Plain, p.disconnect))
	case mcpclient.Reconnecting:
		if v.status.Attempt == 0 {
			right = append(right, p.button(s.t("ui.server.disconnect"), kit.Plain, p.disconnect))
			break
		}
		right = append(right, p.button(s.t("ui.server.stop"), kit.Plain, p.disconnect),
			p.button(s.t("ui.server.now"), main, p.connect))
	case mcpclient.Lost:
		if s.o.Secrets != nil && wantsUnlock(v.status.Failure) {
			if len(mends) == 0 {
				right = append(right, p.button(s.t("ui.secrets.unlock"), main, s.toUnlock))
			}
			break // only that mends it
		}
		if lacksKeychain {
			break
		}
		if len(mends) == 0 || mends[0].words != "ui.mend.signin" { // which connects again
			text := "ui.server.retry"
			if v.toReview() {
				text = "ui.server.review"
			}
			right = append(right, p.button(s.t(text), main, p.connect))
		}
	default:
		text := s.t("ui.server.connect")
		if !v.allowed() {
			text = s.t("ui.server.review")
		}
		right = append(right, p.button(text, main, p.connect))
	}
	p.tokenButton = nil
	right = append(right, p.mends(mends, !lacksKeychain)...)
	if retry := s.t("ui.token.retry"); lacksKeychain && p.buttons[retry] == nil { // it is not asked anew otherwise
		im := kit.Primary
		if v.token.open {
			im = kit.Plain
		}
		right = append(right, p.button(retry, im, func() { s.retryToken(v) }))
	}
	// A token would be kept for the address of the list, which the banner does not have.
	if s.takesToken(v) && !v.moved() && !v.token.open && !v.token.busy && p.tokenButton == nil {
		p.tokenButton = p.button(s.t(tokenWords), kit.Quiet, p.openToken)
		left = append(left, p.tokenButton)
	}
	p.foot.Objects = []fyne.CanvasObject{kit.ActionBar(left, right)}
}

// connect and disconnect are what the person does about the connection.
func (p *serverPage) connect() {
	p.s.settle(p.v)
	p.s.connect(p.v)
}

func (p *serverPage) disconnect() {
	p.s.settle(p.v)
	p.s.disconnect(p.v)
}

// askRemove asks in the page, and puts the keyboard on what changes nothing.
func (p *serverPage) askRemove() {
	p.sure = true
	p.s.learnClientSecrets(p.v)
	p.draw()
	p.s.win.Canvas().Focus(p.buttons[p.s.t("ui.server.keep")])
}

func (p *serverPage) object() fyne.CanvasObject { return p.whole }

func (p *serverPage) first() fyne.Focusable {
	if len(p.rows) == 0 {
		return nil
	}
	return p.rows[0]
}

func (p *serverPage) escape() {
	switch {
	case p.v.token.open:
		p.closeToken()
	case p.v.account.sure:
		p.staySignedIn()
	case p.sure || !p.v.leftover.IsZero():
		p.sure, p.v.leftover = false, i18n.Message{}
		p.draw()
	}
}

// submit keeps the token that was entered.
func (p *serverPage) submit() {
	if !p.v.token.open {
		return
	}
	p.s.keepToken(p.v, p.v.token.text)
	if !p.v.token.fault.IsZero() {
		p.s.win.Canvas().Focus(p.token.Control().FocusTarget())
		p.s.keepInView()
	}
}

func (p *serverPage) update(ch *changes) {
	if ch.said[p.v.ID] {
		p.side.update()
	}
	switch {
	case !ch.servers[p.v.ID]:
	case p.state() != p.drawn:
		p.draw()
	default:
		p.sayAsOf()
	}
}
