package ui

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/ui/kit"
)

// signInPage is one sign-in: what a server wants, where one would sign in and
// for which scopes, then the wait for the browser, then why it came to nothing.
// It is a page of the inbox as a question is, and keeps the same manners.
type signInPage struct {
	base
	s     *shell
	sh    *signInSheet
	env   *kit.Env
	guard *kit.Guard
	link  *linkBody
	foot  *fyne.Container
	whole fyne.CanvasObject
	// waits says what of the person's waits for it, stop ends its ticking.
	waits *kit.Text
	stop  func()
	drawn signInDrawn
}

// signInDrawn is what the page was last drawn from.
type signInDrawn struct {
	state                    auth.State
	stage                    stage
	renewed, opened, dropped bool
	trouble, text, open      string
	again                    bool // a request that failed with it can be run again
}

func newSignInPage(s *shell, sh *signInSheet) *signInPage {
	p := &signInPage{s: s, sh: sh, env: s.env(), foot: kit.Column(gap), waits: kit.NewText()}
	p.guard = kit.NewGuard(p.env)
	upper := kit.Column(gap)
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gap, pageSide, upper))
	p.env.Reveal = reveal
	p.link = newLinkBody(s, p.env, sh.link, upper, reveal, p.drawFoot)
	p.link.title = "ui.signin.open"
	p.link.readAll()
	p.whole = pageFrame(s.banner(p.env, s.withAccount(s.renamed(sh.identity(), sh.ServerID), sh.ServerID), sh.ServerID), p.link.object, p.foot)
	p.stop = s.every(p.sayWaits(), func() time.Duration {
		next := p.sayWaits()
		p.waits.Refresh()
		return next
	})
	p.draw()
	return p
}

// sayWaits writes which requests of the person's wait for the sign-in, and tells how
// long that stays true.
func (p *signInPage) sayWaits() time.Duration {
	s, calls := p.s, p.sh.Calls
	next := time.Minute
	var runs []kit.Run
	add := func(text string) { runs = append(runs, kit.Own(text, mutedText)) }
	switch c := s.firstOf(calls); {
	case p.sh.State.Settled():
		next = 0
	case c != nil:
		runs, next = s.started(c.DisplayTitle(), c.Started)
		if c.Round > 1 {
			add("  •  " + s.t("ui.why.round", "N", c.Round))
		}
	case len(calls) == 0:
		add(s.t("ui.signin.waits.none"))
	case s.connectedTo(p.sh.ServerID):
		add(s.t("ui.signin.waits.lists"))
	default:
		add(s.t("ui.signin.waits.connecting"))
	}
	if len(calls) > 1 && next > 0 {
		add("  •  " + s.say(i18n.N("ui.signin.waits.more", len(calls)-1)))
	}
	p.waits.SetRuns(runs...)
	return next
}

func (p *signInPage) state() signInDrawn {
	sh := p.sh
	return signInDrawn{sh.State, sh.stage, sh.renewed, sh.opened, sh.dropped, p.s.say(sh.trouble), p.s.say(sh.Text), sh.link.Open, sh.State.Settled() && p.failed() != nil}
}

func (p *signInPage) draw() {
	s, sh := p.s, p.sh
	c := linkContent{}
	switch {
	case sh.State.Settled():
		c.above = append(p.over(), p.why())
	case !sh.asks() && sh.State == auth.Exchanging:
		c.above = []fyne.CanvasObject{p.waits, kit.NewNotice(kit.Info, s.t("ui.signin.exchanging"), "")}
	case !sh.asks() && sh.opened:
		c.above = []fyne.CanvasObject{p.waits, kit.NewNotice(kit.Info, s.t("ui.wait.title"), s.t("ui.signin.wait"))}
	default:
		c.above = append(p.reasons(), p.scopesLead())
		c.message = p.scopes()
		c.judged, c.ticked, c.word = true, true, s.t(p.promise())
	}
	at := "ui.signin.at_now"
	if c.judged {
		at = "ui.signin.at"
	}
	c.notice = kit.Sentence(s.t(at), mutedText)
	if c.judged && p.stays() {
		c.notice = kit.Column(gap, kit.Sentence(s.t("ui.signin.scopes.stay"), bodyText), c.notice)
	}
	p.link.draw(c)
	if !c.judged {
		p.link.reveal.ScrollToTop()
	}
	p.drawFoot()
	p.drawn = p.state()
}

// promise is what is said of the page before it is opened.
func (p *signInPage) promise() string {
	switch {
	case p.sh.link.Level == consent.Block:
		return "ui.signin.blocked"
	case p.sh.Replaced == auth.ReplacedBrowser: // which opened one
		return "ui.signin.promise.anew"
	}
	return "ui.signin.promise"
}

func (p *signInPage) first() fyne.Focusable { return p.link.first() }

// why is the reason for the sign-in.
func (p *signInPage) why() fyne.CanvasObject {
	return kit.Sentence(p.s.t("ui.signin.why."+string(p.sh.Why), "Server", p.s.renamed(p.sh.identity(), p.sh.ServerID).Name), bodyText)
}

// reasons are why, and what is unusual about it.
func (p *signInPage) reasons() []fyne.CanvasObject {
	s, sh := p.s, p.sh
	out := []fyne.CanvasObject{p.waits, p.why()}
	switch sh.Replaced {
	case auth.ReplacedQuestion:
		out = append(out, kit.NewNotice(kit.Info, "", s.t("ui.signin.replaced.question")))
	case auth.ReplacedBrowser:
		out = append(out, kit.NewNotice(kit.Caution, "", s.t("ui.signin.replaced.browser")))
	}
	if sh.Why == auth.Moved {
		body := s.t("ui.signin.moved", "New", line(sh.Issuer).String())
		if v := s.desk.server(sh.ServerID); v != nil && v.account.Issuer != "" {
			body = s.t("ui.signin.moved_from", "Old", line(v.account.Issuer).String(), "New", line(sh.Issuer).String())
		}
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.signin.moved_title"), body))
	}
	switch page := line(sh.Host).String(); {
	case sh.TokenHost != "":
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.signin.handed_title"), s.t("ui.signin.handed", "Page", page, "Host", line(sh.TokenHost).String())))
	case sh.IssuerHost != "":
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.signin.issuer_title"), s.t("ui.signin.issuer", "Page", page, "Host", line(sh.IssuerHost).String())))
	}
	if v := s.desk.server(sh.ServerID); sh.Switch != "" && v != nil && v.account.said.level != kit.Info {
		out = nonNil(append(out, v.account.said.notice(s))...) // that the sign-in before may last
	}
	switch sh.Switch {
	case auth.SwitchAsked:
		out = append(out, kit.NewNotice(kit.Info, "", s.t("ui.signin.switch.asked")))
	case auth.SwitchUnsure:
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.signin.switch.unsure"), s.t("ui.signin.switch.unsure_body")))
	}
	if sh.renewed {
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.signin.renewed"), ""))
	}
	return out
}

// maxScopes is how many scopes are listed.
const maxScopes = 100

// scopesLead says what the list of scopes below it is. Of a server that wants
// more than it has, what it has stands here.
func (p *signInPage) scopesLead() fyne.CanvasObject {
	s, sh := p.s, p.sh
	switch {
	case len(p.all()) == 0:
		return kit.Sentence(s.t("ui.signin.scopes.none"), mutedText)
	case sh.Why != auth.StepUp || len(sh.Granted) == 0:
		return kit.Sentence(s.t("ui.signin.scopes"), mutedText)
	case len(p.wanted()) == 0:
		return kit.Sentence(s.t("ui.signin.scopes.same"), mutedText)
	}
	runs := []kit.Run{kit.Own(s.t("ui.signin.scopes.granted")+" ", mutedText)}
	for i, scope := range sh.Granted {
		if i == maxScopes {
			runs = append(runs, kit.Own("  …", mutedText))
			break
		}
		if i > 0 {
			runs = append(runs, kit.Own("  •  ", mutedText))
		}
		runs = append(runs, kit.Server(line(scope), mutedText))
	}
	return kit.Column(gapSmall, kit.NewText(runs...), kit.Sentence(s.t("ui.signin.scopes.new"), boldText))
}

// stayScope is the permission to stay signed in, which Parley asks for by itself
// where the sign-in page knows it (OpenID Connect Core section 11).
const stayScope = "offline_access"

// stays reports whether staying signed in is asked for anew.
func (p *signInPage) stays() bool {
	return slices.Contains(p.sh.Scopes, stayScope) && (p.sh.Why != auth.StepUp || !slices.Contains(p.sh.Granted, stayScope))
}

// wanted are the scopes that the list holds: those that are new where the person
// granted some before.
func (p *signInPage) wanted() []string {
	return slices.DeleteFunc(p.all(), func(scope string) bool { return p.sh.Why == auth.StepUp && slices.Contains(p.sh.Granted, scope) })
}

// all are the scopes that the server wants.
func (p *signInPage) all() []string {
	return slices.DeleteFunc(slices.Clone(p.sh.Scopes), func(scope string) bool { return scope == stayScope })
}

// scopes is the list, a scope on a line. They are words of the server.
func (p *signInPage) scopes() kit.Heighter {
	wanted := p.wanted()
	if len(wanted) == 0 {
		wanted = p.all()
	}
	if len(wanted) == 0 {
		return nil
	}
	var runs []kit.Run
	for i, scope := range wanted {
		if i > 0 {
			runs = append(runs, kit.Own("\n", bodyText))
		}
		if i == maxScopes {
			runs = append(runs, kit.Own(p.s.t("ui.signin.scopes.more", "N", len(wanted)-maxScopes), mutedText))
			break
		}
		runs = append(runs, kit.Own("•  ", mutedText), kit.Server(line(scope), bodyText))
	}
	if len(wanted) >= maxScopes {
		runs = append(runs, kit.Own("\n"+p.s.t("ui.signin.scopes.most", "N", maxScopes), mutedText))
	}
	return kit.NewText(runs...)
}

// over says that the sign-in has come to nothing, and why.
func (p *signInPage) over() []fyne.CanvasObject {
	level := kit.Danger
	if p.sh.State == auth.Declined {
		level = kit.Caution
	}
	return []fyne.CanvasObject{kit.NewNotice(level, p.s.say(p.sh.Text), "")}
}

func (p *signInPage) drawFoot() { p.link.redraw(p.foot, p.drawButtons) }

func (p *signInPage) drawButtons() {
	s, sh := p.s, p.sh
	var trouble fyne.CanvasObject
	if !sh.trouble.IsZero() {
		trouble = kit.NewNotice(kit.Danger, s.say(sh.trouble), "")
	}
	p.foot.Objects = nonNil(trouble, p.bar())
	p.guard.Arm() // the buttons may stand where others stood
	p.whole.Refresh()
}

// bar is what the person can do now. Enter presses none of what opens the
// browser.
func (p *signInPage) bar() fyne.CanvasObject {
	s, sh := p.s, p.sh
	var left []fyne.CanvasObject
	if sh.URL != "" && !sh.State.Settled() {
		left = p.link.copyButton()
	}
	if sh.State.Settled() {
		return kit.ActionBar(nil, p.mends())
	}
	no := kit.ButtonOptions{Text: s.t("ui.answer.cancel"), OnTapped: p.cancel}
	if sh.undecided() {
		no.Shortcut = "Esc"
	}
	cancel := p.link.noButton(p.button, no)
	if sh.dropped {
		cancel.Disable()
	}
	switch {
	case sh.asks():
		right := []fyne.CanvasObject{cancel, p.button(kit.ButtonOptions{Text: s.t("ui.signin.later"), EnterTaps: true, Firm: true, OnTapped: p.later})}
		if sh.link.Level != consent.Block {
			right = append(right, p.link.openButton(p.button, sh.stage, p.open))
		}
		return kit.ActionBar(left, right)
	case sh.State == auth.Preparing:
		opening := p.button(kit.ButtonOptions{Text: s.t("ui.link.opening"), Importance: kit.Primary})
		opening.Disable()
		return kit.ActionBar(left, []fyne.CanvasObject{cancel, opening})
	case sh.State == auth.Exchanging:
		return kit.ActionBar(nil, []fyne.CanvasObject{cancel})
	case sh.stage == stageFailed:
		left = append(left, p.button(kit.ButtonOptions{Text: s.t("ui.link.myself"), OnTapped: func() { s.openedSignIn(sh) }}))
		return kit.ActionBar(left, []fyne.CanvasObject{cancel,
			p.button(kit.ButtonOptions{Text: s.t("ui.link.again"), Importance: kit.Primary, Firm: true, OnTapped: p.open})})
	}
	again := p.button(kit.ButtonOptions{Text: s.t("ui.wait.open_again"), OnTapped: p.open})
	if sh.stage == stageOpening {
		again.Disable()
	}
	return kit.ActionBar(append(left, again), []fyne.CanvasObject{cancel})
}

// mends are the buttons of a sign-in that came to nothing.
func (p *signInPage) mends() []fyne.CanvasObject {
	s := p.s
	out := []fyne.CanvasObject{p.button(kit.ButtonOptions{Text: s.t("ui.close"), EnterTaps: true, OnTapped: p.close})}
	v := s.desk.server(p.sh.ServerID)
	if v == nil {
		return out
	}
	for i, m := range s.mends(v, &mcpclient.Failure{Text: p.sh.Text}, p.failed()) {
		im := kit.Plain
		if i == 0 {
			im = kit.Primary
		}
		out = append(out, p.button(kit.ButtonOptions{Text: s.t(m.words), Importance: im, EnterTaps: true, OnTapped: m.do}))
	}
	return out
}

// failed is the first of the requests that waited for the sign-in and came to nothing
// with it, which signing in does again; nil for none, where it was to connect or to
// ask what the server offers.
func (p *signInPage) failed() *mcpclient.Call {
	if c := p.s.firstOf(p.sh.Calls); c != nil && c.State == mcpclient.CallFailed {
		return &c.Call
	}
	return nil
}

// button is one of the page's own; they share the guard.
func (p *signInPage) button(o kit.ButtonOptions) *kit.Button {
	o.Env, o.Guard = p.env, p.guard
	return kit.NewButton(o)
}

func (p *signInPage) open() {
	switch {
	case p.guard.Blocks():
	case p.sh.State == auth.NeedsConsent:
		p.s.agree(p.sh)
	default:
		p.s.openSignIn(p.sh)
	}
}

func (p *signInPage) cancel() {
	if !p.guard.Blocks() {
		p.s.dropSignIn(p.sh)
	}
}

// later leaves the decision for another time: what waits goes on waiting.
func (p *signInPage) later() { p.s.leaveSignIn(p.sh, p.s.choose) }

func (p *signInPage) close() { p.s.leaveSignIn(p.sh, p.s.choose) }

// escape is a no as long as nothing was agreed to. Once the person is in the
// browser it is nothing, so that no key too many ends what they do there.
func (p *signInPage) escape() {
	switch {
	case p.guard.Blocks():
	case p.sh.State.Settled():
		p.close()
	case p.sh.undecided():
		p.cancel()
	}
}

func (p *signInPage) update(ch *changes) {
	p.sayWaits()
	p.waits.Refresh()
	if p.state() == p.drawn {
		return
	}
	anew := p.sh.renewed && !p.drawn.renewed
	p.draw()
	if c := p.s.win.Canvas(); anew { // another consent: no key that was meant for the first acts on it
		c.Unfocus()
		if f := p.first(); f != nil {
			c.Focus(f)
		}
	}
}

func (p *signInPage) leave() { p.stop() }

func (p *signInPage) object() fyne.CanvasObject { return p.whole }
