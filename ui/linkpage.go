package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

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
	drawn linkDrawn
	// middle holds the body, which is the server's part, and below it the
	// warnings, the tick and the promise.
	middle, word *fyne.Container
	list         *kit.Reveal
	parts        *consentLayout
}

// linkDrawn is what the page was last drawn from.
type linkDrawn struct {
	drawnState
	complete bool
	call     mcpclient.CallState
}

func newLinkPage(s *shell, sh *sheet) *linkPage {
	p := &linkPage{questionFrame: newQuestionFrame(s, sh, gap), word: kit.Column(0),
		parts: &consentLayout{warnings: kit.Column(gap), tickBox: kit.Column(0)}}
	p.list = kit.NewReveal(kit.Pad(0, pageSide, 2, pageSide, p.parts.warnings))
	p.middle = container.New(p.parts, p.reveal, p.list, kit.Pad(0, pageSide, 0, pageSide, p.parts.tickBox), p.word)
	p.frame(p.middle)
	p.tick()
	p.draw()
	return p
}

func (p *linkPage) state() linkDrawn {
	d := linkDrawn{drawnState: p.sh.drawn(), complete: p.sh.q.Complete}
	if c := p.s.desk.call(p.sh.q.CallID); c != nil {
		d.call = c.State
	}
	return d
}

func (p *linkPage) draw() {
	p.drawBody()
	p.drawFoot()
	p.drawn = p.state()
}

func (p *linkPage) drawBody() {
	s, link := p.s, p.sh.link
	objects := []fyne.CanvasObject{p.why}
	if p.sh.q.State == mcpclient.ElicitationDead {
		objects = append(objects, p.over())
	}
	message, url := kit.NewBounded(p.message()), kit.NewBounded(p.url())
	objects = append(objects, kit.ServerArea(s.t("ui.from_server"), message))
	if p.sh.waiting() {
		objects = append(objects, p.waitingNotice())
	}
	objects = append(objects, url)
	if link.ReadsAs != "" {
		objects = append(objects, kit.NewText(kit.Own(s.t("ui.link.reads_as")+" ", mutedText), kit.Server(line(link.ReadsAs), boldText)))
	}
	p.parts.message, p.parts.url, p.parts.site = message, url, nil
	if before := untilSite(link.Parts); before != nil {
		p.parts.site = kit.NewURLView(segments(before))
	}
	p.body.Objects = objects
	p.judge()
	p.middle.Refresh()
}

// judge puts what the app has to say about the link below the server's part.
func (p *linkPage) judge() {
	p.parts.findings, p.parts.tick, p.word.Objects = nil, nil, nil
	if p.sh.waiting() {
		return
	}
	p.parts.findings = p.findings()
	if tick := p.dangerTick(); tick != nil {
		p.parts.tick = kit.Pad(gap, 0, 0, 0, tick)
	}
	p.word.Objects = []fyne.CanvasObject{kit.Pad(gap, pageSide, 0, pageSide, kit.Sentence(p.s.t("ui.link.promise"), mutedText))}
}

// url shows the whole URL.
func (p *linkPage) url() kit.Heighter {
	if p.sh.link.Level == consent.Block {
		return kit.NewRefusedURL(p.sh.link.Shown)
	}
	return kit.NewURLView(segments(p.sh.link.Parts))
}

// untilSite are the parts up to the site, nil if none is marked.
func untilSite(parts []consent.Part) []consent.Part {
	for i, part := range parts {
		if part.Role == consent.Site {
			return parts[:i+1]
		}
	}
	return nil
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

// segments are the parts of a URL with the site strong.
func segments(parts []consent.Part) []kit.Segment {
	out := make([]kit.Segment, len(parts))
	for i, part := range parts {
		out[i] = kit.Segment{Text: part.Text, Strong: part.Role == consent.Site}
	}
	return out
}

// findings are the warnings in plain words, highest first.
func (p *linkPage) findings() []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for _, f := range p.sh.link.Sentences() {
		title, body := p.s.say(f.Text), ""
		switch f.Level {
		case consent.Danger:
			body = p.s.t("ui.link.danger", "Site", p.sh.link.Button)
		case consent.Info:
			title, body = "", title
		}
		out = append(out, kit.NewNotice(noticeLevel(f.Level), title, body))
	}
	if p.sh.link.OpenedBefore {
		out = append(out, kit.NewNotice(kit.Info, "", p.s.t("ui.link.before", "Site", p.sh.link.Button)))
	}
	if p.sh.link.Level == consent.Block {
		out = append(out, kit.Sentence(p.s.t("ui.link.blocked"), mutedText))
	}
	return out
}

func noticeLevel(l consent.Level) kit.Level {
	switch l {
	case consent.Block:
		return kit.Block
	case consent.Danger:
		return kit.Danger
	case consent.Caution:
		return kit.Caution
	}
	return kit.Info
}

// dangerTick is the tick that a dangerous link needs before it may be opened,
// nil where none is needed.
func (p *linkPage) dangerTick() fyne.CanvasObject {
	if p.sh.link.Level != consent.Danger || !p.sh.open() {
		return nil
	}
	env := *p.env // the tick is not on the part that p.env scrolls
	env.Reveal = p.list
	return kit.NewCheck(&env, p.s.t("ui.link.known", "Site", p.sh.link.Button), p.sh.known, func(on bool) {
		p.sh.known = on
		p.drawFoot()
	})
}

// waitingNotice says where things stand after consent.
func (p *linkPage) waitingNotice() fyne.CanvasObject {
	s := p.s
	if p.sh.q.Complete {
		return kit.NewNotice(kit.Info, s.t("ui.wait.complete"), s.t("ui.wait.complete_body"))
	}
	if c := s.desk.call(p.sh.q.CallID); c != nil && c.State.Ended() {
		return kit.NewNotice(kit.Info, "", s.t("ui.wait.ended"))
	}
	return kit.NewNotice(kit.Info, s.t("ui.wait.title"), s.t("ui.wait.body"))
}

func (p *linkPage) drawFoot() {
	s, sh := p.s, p.sh
	switch {
	case sh.q.State == mcpclient.ElicitationDead:
		p.setFoot(kit.ActionBar(p.copyLink(), []fyne.CanvasObject{p.plain(s.t("ui.close"), p.close)}))
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

// copyLink is the button that copies the link, which answers nothing; a
// blocked link has none.
func (p *linkPage) copyLink() []fyne.CanvasObject {
	if p.sh.link.Open == "" {
		return nil
	}
	return []fyne.CanvasObject{p.plain(p.s.t("ui.link.copy"), func() { p.s.app.Clipboard().SetContent(p.sh.link.Open) })}
}

func (p *linkPage) openTitle() string {
	return p.s.t("ui.link.open", "Site", shortSite(p.sh.link.Button))
}

// What is left of a site that is too long for a button. Its end says whose it
// is, so more stays of that.
const (
	siteMost = 32
	siteHead = 9
	siteTail = 20
)

// shortSite is a site for a button, ASCII; the whole of it stands in the link.
func shortSite(site string) string {
	if len(site) <= siteMost {
		return site
	}
	return site[:siteHead] + "…" + site[len(site)-siteTail:]
}

// consentBar is the choice before anything is opened. Enter presses none of
// what opens.
func (p *linkPage) consentBar() fyne.CanvasObject {
	sh := p.sh
	right := []fyne.CanvasObject{p.cancelButton(p.cancel), p.declineButton()}
	if sh.link.Level != consent.Block {
		text := p.openTitle()
		if sh.stage == stageOpening {
			text = p.s.t("ui.link.opening")
		}
		open := p.answerButton(kit.ButtonOptions{Text: text, Importance: kit.Primary,
			OnTapped: func() { p.openNow(false) }})
		if !sh.mayOpen() {
			open.Disable()
		}
		right = append(right, open)
	}
	return kit.ActionBar(p.copyLink(), right)
}

// failedBar is the choice when the browser did not start: nothing was sent.
func (p *linkPage) failedBar() fyne.CanvasObject {
	s := p.s
	left := append(p.copyLink(), p.answerButton(kit.ButtonOptions{Text: s.t("ui.link.myself"),
		OnTapped: func() {
			if !p.guard.Blocks() {
				s.openedMyself(p.sh)
			}
		}}))
	return kit.ActionBar(left, []fyne.CanvasObject{p.cancelButton(p.cancel), p.declineButton(),
		p.answerButton(kit.ButtonOptions{Text: s.t("ui.link.again"), Importance: kit.Primary, OnTapped: func() { p.openNow(false) }})})
}

// waitingBar is the choice while the person is at the page in the browser.
func (p *linkPage) waitingBar() fyne.CanvasObject {
	s, sh := p.s, p.sh
	c := s.desk.call(sh.q.CallID)
	if c == nil || c.State.Ended() {
		return kit.ActionBar(p.copyLink(), []fyne.CanvasObject{p.plain(s.t("ui.close"), p.close)})
	}
	left := p.copyLink()
	if sh.link.Open != "" {
		again := p.answerButton(kit.ButtonOptions{Text: s.t("ui.wait.open_again"), OnTapped: func() { p.openNow(true) }})
		if sh.stage == stageOpening {
			again.Disable()
		}
		left = append(left, again)
	}
	stop := p.answerButton(kit.ButtonOptions{Text: s.t("ui.request.cancel"), EnterTaps: true,
		OnTapped: func() { s.cancelCall(c.ID) }})
	next := p.answerButton(kit.ButtonOptions{Text: s.t("ui.wait.continue"), Importance: kit.Primary, EnterTaps: true,
		OnTapped: p.goOn})
	return kit.ActionBar(left, []fyne.CanvasObject{stop, next})
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
