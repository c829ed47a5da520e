package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"parley/consent"
	"parley/mcpclient"
	"parley/ui/kit"
)

// linkPage is the page of a question in URL mode: consent before, waiting
// after. Nothing here opens, fetches or loads anything by itself; the one way
// to the browser is the person's press of a button that names the site.
type linkPage struct {
	base
	questionFrame
	link  *linkBody
	drawn linkDrawn
}

// linkDrawn is what the page was last drawn from.
type linkDrawn struct {
	drawnState
	complete bool
	call     mcpclient.CallState
	visit    visit // once it was opened
}

func newLinkPage(s *shell, sh *sheet) *linkPage {
	p := &linkPage{questionFrame: newQuestionFrame(s, sh, gap)}
	p.link = newLinkBody(s, p.env, sh.link, p.body, p.reveal, p.drawFoot)
	p.frame(p.link.object)
	p.tick()
	p.draw()
	return p
}

func (p *linkPage) state() linkDrawn {
	d := linkDrawn{drawnState: p.sh.drawn(), complete: p.sh.q.Complete}
	if c := p.s.desk.call(p.sh.q.CallID); c != nil {
		d.call = c.State
	}
	if p.sh.waiting() {
		d.visit = p.s.visit(&p.sh.q)
	}
	return d
}

func (p *linkPage) draw() {
	p.drawBody()
	p.drawFoot()
	p.drawn = p.state()
}

func (p *linkPage) drawBody() {
	c := linkContent{above: []fyne.CanvasObject{p.why}, message: p.message()}
	if p.sh.q.State == mcpclient.ElicitationDead {
		c.above = append(c.above, p.over())
	}
	if p.sh.waiting() {
		c.notice = p.waitingNotice()
	} else {
		c.judged, c.ticked = true, p.sh.open()
		switch {
		case p.sh.link.Level == consent.Block:
			c.word = p.s.t("ui.link.blocked")
		case p.sh.openings == 0:
			c.word = p.s.t("ui.link.promise")
		case p.sh.stage == stageOpening:
			c.word = p.s.t("ui.link.starting")
		}
	}
	p.link.draw(c)
}

// Limits, in bytes and in line ends, up to which the server's message stands in
// full above its link; a longer one scrolls in a box, for the link is what
// counts here.
const (
	linkMessage      = 500
	linkMessageEnds  = 5
	linkMessageLines = 6
)

func (p *linkPage) message() kit.Heighter {
	text := p.sh.q.Message
	if len(text) <= linkMessage && strings.Count(text, "\n") <= linkMessageEnds {
		return kit.Label(block(text, maxMessage), messageText)
	}
	return kit.NewLongText(block(text, maxMessage), kit.LongTextOptions{Env: p.env, Style: messageText, Lines: linkMessageLines})
}

// waitingNotice says where things stand after consent.
func (p *linkPage) waitingNotice() fyne.CanvasObject {
	s := p.s
	if c := s.desk.call(p.sh.q.CallID); c != nil && c.State.Ended() {
		return kit.NewNotice(kit.Info, "", s.t("ui.wait.ended"))
	}
	return s.waitingFor(&p.sh.q, s.visit(&p.sh.q))
}

// drawFoot draws the buttons of the moment.
func (p *linkPage) drawFoot() { p.link.redraw(p.foot, p.drawButtons) }

func (p *linkPage) drawButtons() {
	s, sh := p.s, p.sh
	switch {
	case sh.q.State == mcpclient.ElicitationDead:
		p.setFoot(kit.ActionBar(p.link.copyButton(), []fyne.CanvasObject{p.plain(s.t("ui.close"), p.close)}))
	case sh.waiting():
		p.setFoot(nonNil(p.trouble(), p.waitingBar())...)
	case !sh.open():
		p.setFoot(kit.ActionBar(nil, []fyne.CanvasObject{p.plain(s.t("ui.close"), p.close)}))
	case sh.stage == stageFailed:
		p.setFoot(p.trouble(), p.failedBar())
	default:
		p.setFoot(nonNil(p.trouble(), p.consentBar())...)
	}
}

// consentBar is the choice before anything is opened. Enter presses none of
// what opens.
func (p *linkPage) consentBar() fyne.CanvasObject {
	sh := p.sh
	right := p.noes()
	if sh.link.Level != consent.Block {
		right = append(right, p.link.openButton(p.answerButton, sh.stage, func() { p.openNow(false) }))
	}
	return kit.ActionBar(p.link.copyButton(), right)
}

// noes are the buttons that answer without opening. They rest while an answer is
// on its way, not while the browser is being started.
func (p *linkPage) noes() []fyne.CanvasObject {
	no := p.link.noButton(p.answerButton, p.cancelOptions(p.cancel))
	decline := p.declineButton()
	if p.sh.stage == stageSending {
		no.Disable()
		decline.Disable()
	}
	return []fyne.CanvasObject{no, decline}
}

func (p *linkPage) first() fyne.Focusable { return p.link.first() }

// failedBar is the choice when the browser did not start: nothing was sent.
func (p *linkPage) failedBar() fyne.CanvasObject {
	s := p.s
	left := append(p.link.copyButton(), p.answerButton(kit.ButtonOptions{Text: s.t("ui.link.myself"),
		OnTapped: func() {
			if !p.guard.Blocks() {
				s.openedMyself(p.sh)
			}
		}}))
	again := p.answerButton(kit.ButtonOptions{Text: s.t("ui.link.again"), Importance: kit.Primary, Firm: true,
		OnTapped: func() { p.openNow(false) }})
	return kit.ActionBar(left, append(p.noes(), again))
}

// waitingBar is the choice while the person is at the page in the browser.
func (p *linkPage) waitingBar() fyne.CanvasObject {
	s, sh := p.s, p.sh
	c := s.desk.call(sh.q.CallID)
	if c == nil || c.State.Ended() {
		return kit.ActionBar(p.link.copyButton(), []fyne.CanvasObject{p.plain(s.t("ui.close"), p.close)})
	}
	// It lies away from Continue and from where Open was: a click too many must
	// not end the request.
	stop := p.answerButton(kit.ButtonOptions{Text: s.t("ui.request.cancel"), EnterTaps: true, Firm: true,
		OnTapped: func() { s.cancelCall(c.ID) }})
	left := append([]fyne.CanvasObject{stop}, p.link.copyButton()...)
	if sh.link.Open != "" {
		again := p.answerButton(kit.ButtonOptions{Text: s.t("ui.wait.open_again"), OnTapped: func() { p.openNow(true) }})
		if sh.stage == stageOpening {
			again.Disable()
		}
		left = append(left, again)
	}
	next := p.answerButton(kit.ButtonOptions{Text: s.t("ui.wait.continue"), Importance: kit.Primary, EnterTaps: true,
		OnTapped: p.goOn})
	if other := s.visit(&sh.q).next; other != "" {
		next = p.answerButton(kit.ButtonOptions{Text: s.t("ui.wait.next"), Importance: kit.Primary, EnterTaps: true,
			OnTapped: func() { s.choose(route{section: sectionQuestion, id: other}) }})
	}
	return kit.ActionBar(left, []fyne.CanvasObject{next})
}

// goOn says that the person is back: the request goes on, on its own page.
func (p *linkPage) goOn() {
	p.s.continueCall(p.sh.q.CallID)
	p.s.show(route{section: sectionRequest, id: p.sh.q.CallID})
}

func (p *linkPage) openNow(again bool) {
	if p.guard.Blocks() {
		return
	}
	p.s.openLink(p.sh, again)
}

func (p *linkPage) cancel() { p.decide(mcpclient.Cancel) }

func (p *linkPage) escape() {
	if p.guard.Blocks() {
		return
	}
	switch p.sh.escape() {
	case escapeCancel, escapeAsk:
		p.cancel()
	case escapeClose:
		p.close()
	case escapeBack, escapeNothing:
	}
}

func (p *linkPage) update(ch *changes) {
	p.newlyNamed(ch)
	if len(ch.questions) > 0 {
		p.sayWhy()
	}
	if p.state() == p.drawn {
		return
	}
	// An ended request has its result on its own page.
	if p.sh.waiting() && p.state().call.Ended() && !p.drawn.call.Ended() {
		p.s.show(route{section: sectionRequest, id: p.sh.q.CallID})
		return
	}
	over := p.sh.q.State != p.drawn.state
	p.draw()
	if over {
		p.reveal.ScrollToTop() // what has become of it stands there
	}
}

func (p *linkPage) leave() { p.stop() }
