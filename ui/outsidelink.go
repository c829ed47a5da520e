package ui

import (
	"context"
	"encoding/json"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/ui/kit"
)

// outsideLink is a link that a server gave outside of a question: in a result, as
// a resource, or as its website. It is judged and shown as that of a question is;
// nothing waits for an answer.
type outsideLink struct {
	judgedLink
	serverID string
	identity mcpclient.Identity
	from     route        // the page it stands on
	why      i18n.Message // where on it

	stage   stage
	opened  bool         // in the browser, at least once
	trouble i18n.Message // why that did not work
}

// lookAt puts a link that stands on the page of now before the person, once it
// was judged.
func (s *shell) lookAt(l *outsideLink, raw string) {
	l.from = s.at
	by := s.asker(l.identity, l.serverID)
	s.work.apart(func(context.Context) {
		judged := consent.Assess(raw, by)
		s.do.Do(func() {
			if s.closing || s.at != l.from {
				return // they went elsewhere meanwhile
			}
			l.Assessment = judged
			s.outside = l
			s.show(route{section: sectionLink, id: l.serverID})
		})
	})
}

// outsidePage is the page of a link outside of a question.
type outsidePage struct {
	base
	s     *shell
	l     *outsideLink
	env   *kit.Env
	guard *kit.Guard
	link  *linkBody
	foot  *fyne.Container
	whole fyne.CanvasObject
}

func newOutsidePage(s *shell, l *outsideLink) *outsidePage {
	p := &outsidePage{s: s, l: l, env: s.env(), foot: kit.Column(gap)}
	p.guard = kit.NewGuard(p.env)
	upper := kit.Column(gap)
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gap, pageSide, upper))
	p.env.Reveal = reveal
	p.link = newLinkBody(s, p.env, &l.judgedLink, upper, reveal, p.drawFoot)
	p.whole = pageFrame(s.banner(p.env, s.renamed(l.identity, l.serverID), l.serverID), p.link.object, p.foot)
	p.draw()
	return p
}

func (p *outsidePage) draw() {
	s, l := p.s, p.l
	c := linkContent{above: []fyne.CanvasObject{kit.Sentence(s.say(l.why), mutedText)}, judged: true, ticked: true, word: s.t("ui.link.promise")}
	switch {
	case l.opened:
		c.notice, c.word = kit.NewNotice(kit.Info, s.t("ui.outside.opened"), ""), ""
	case l.Level == consent.Block:
		c.word = s.t("ui.outside.blocked")
	case l.stage == stageOpening || !l.trouble.IsZero():
		c.word = "" // no longer so for sure
	}
	p.link.draw(c)
	p.drawFoot()
}

func (p *outsidePage) drawFoot() { p.link.redraw(p.foot, p.drawButtons) }

func (p *outsidePage) drawButtons() {
	s, l := p.s, p.l
	right := []fyne.CanvasObject{p.link.noButton(p.button, kit.ButtonOptions{Text: s.t("ui.outside.back"), Shortcut: "Esc", OnTapped: p.back})}
	if l.Level != consent.Block {
		right = append(right, p.link.openButton(p.button, l.stage, p.open))
	}
	var trouble fyne.CanvasObject
	if !l.trouble.IsZero() {
		trouble = kit.NewNotice(kit.Danger, s.say(l.trouble), "")
	}
	p.foot.Objects = nonNil(trouble, kit.ActionBar(p.link.copyButton(), right))
	p.guard.Arm()
	p.whole.Refresh()
}

func (p *outsidePage) button(o kit.ButtonOptions) *kit.Button {
	o.Env, o.Guard = p.env, p.guard
	return kit.NewButton(o)
}

func (p *outsidePage) open() {
	if !p.guard.Blocks() {
		p.s.openOutside(p.l)
	}
}

// openOutside is the person's consent: the browser gets exactly the string that
// was shown.
func (s *shell) openOutside(l *outsideLink) {
	if !l.mayOpen() || l.stage == stageOpening {
		return
	}
	l.stage, l.trouble = stageOpening, i18n.Message{}
	s.touchOutside(l)
	url := l.Open
	s.work.apart(func(ctx context.Context) {
		err := s.o.Opener.Open(ctx, url)
		s.do.Do(func() {
			l.stage = stageAsking
			if err != nil {
				l.trouble = openTrouble(err)
			} else {
				l.opened = true
				s.rememberSite(l.serverID, l.identity, l.Button)
			}
			s.touchOutside(l)
		})
	})
}

// touchOutside draws the page of l anew, if that is on the screen.
func (s *shell) touchOutside(l *outsideLink) {
	if p, ok := s.page.(*outsidePage); ok && p.l == l && !s.closing {
		p.draw()
	}
}

func (p *outsidePage) first() fyne.Focusable { return p.link.first() }

func (p *outsidePage) back() { p.s.choose(p.l.from) }

func (p *outsidePage) escape() {
	if !p.guard.Blocks() {
		p.back()
	}
}

func (p *outsidePage) object() fyne.CanvasObject { return p.whole }

// isWeb reports whether a URI may be a link that a browser opens; what it is
// the judge says.
func isWeb(uri string) bool {
	scheme, _, ok := strings.Cut(uri, ":")
	return ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

// linkRow shows a link as text, with the button that leads to its page.
func linkRow(env *kit.Env, raw string, button string, look func()) fyne.CanvasObject {
	text := kit.Label(line(raw), monoText)
	text.MaxLines = 2
	return kit.RowFill(gap, 0, text, kit.NewButton(kit.ButtonOptions{Env: env, Text: button, EnterTaps: true, OnTapped: look}))
}

// maxWebsite bounds the website of a server that is shown, in bytes.
const maxWebsite = 8192

// website is the page that a server names as its own, as it stands on the page of
// the server; nil for none. It is the server's word.
func (s *shell) website(env *kit.Env, v *serverState, info *mcpclient.Info) fyne.CanvasObject {
	var says struct {
		WebsiteURL string `json:"websiteUrl"`
	}
	if json.Unmarshal(info.ServerInfo, &says) != nil || !isWeb(says.WebsiteURL) || len(says.WebsiteURL) > maxWebsite {
		return nil
	}
	row := linkRow(env, says.WebsiteURL, s.t("ui.outside.look"), func() {
		s.lookAt(&outsideLink{serverID: v.ID, identity: info.Identity, why: i18n.M("ui.outside.website")}, says.WebsiteURL)
	})
	return kit.Column(gapSmall, kit.Sentence(s.t("ui.outside.website_label"), hintText), row)
}
