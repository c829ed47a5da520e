package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"parley/assets/i18n"
	"parley/consent"
	"parley/ui/kit"
)

// judgedLink is a link that a person is asked about, and how far they have come
// with it. Whatever page shows it keeps it, so that the page can be drawn anew.
type judgedLink struct {
	consent.Assessment
	// known is the tick a dangerous link needs before it may be opened.
	known bool
	// seen tells that every warning has been in view.
	seen bool
}

// mayOpen reports whether the person's click may open the link now.
func (l *judgedLink) mayOpen() bool {
	return l.Level != consent.Block && l.seen && (l.known || l.Level != consent.Danger)
}

// linkBody is the middle of every page that asks whether a link may be opened:
// the whole URL, what there is to say about it, and the tick that a dangerous one
// needs. It draws and takes the tick; the buttons, and what they do, are the
// page's.
type linkBody struct {
	s      *shell
	env    *kit.Env
	link   *judgedLink
	object fyne.CanvasObject

	// upper holds the server's part with the URL and scrolls in reveal, list holds
	// the warnings and word the line that nothing was opened.
	upper  *fyne.Container
	reveal *kit.Reveal
	list   *kit.Reveal
	word   *fyne.Container
	parts  *consentLayout

	title  string // of the button that opens, in the catalogue
	judged bool   // the warnings are shown
	laid   bool   // the page has its size, so that seen tells something
	// open is the button that waits for the page to be laid out; nil for none.
	open *kit.Button
	// no is the button that leaves the link alone: Cancel, or Back; nil for none.
	no *kit.Button
	// whole tells that the upper part has to be read as well.
	whole bool
	// changed is called, on Fyne's thread, when other buttons are due: the tick
	// was set, or the last of the warnings has come into view.
	changed func()
}

// linkContent is what a page shows with its link.
type linkContent struct {
	// above stands on top: why the person is asked.
	above []fyne.CanvasObject
	// message is what the server says, nil for nothing.
	message kit.Heighter
	// notice stands between the message and the URL; nil for none.
	notice fyne.CanvasObject
	// judged shows what there is to say about the link, ticked the tick too, if
	// one is needed.
	judged, ticked bool
	// word is the sentence at the end.
	word string
}

// newLinkBody makes the middle of a page. upper lies in reveal, with the page's
// sides beside it.
func newLinkBody(s *shell, env *kit.Env, link *judgedLink, upper *fyne.Container, reveal *kit.Reveal, changed func()) *linkBody {
	b := &linkBody{s: s, env: env, link: link, upper: upper, reveal: reveal, word: kit.Column(0), changed: changed, title: "ui.link.open",
		parts: &consentLayout{warnings: kit.Column(gap), tickBox: kit.Column(0)}}
	b.list = kit.NewReveal(kit.Pad(0, pageSide, 2, pageSide, b.parts.warnings))
	b.list.OnScrolled, b.parts.done, env.Below = b.look, b.look, b.list
	b.object = container.New(b.parts, reveal, b.list, kit.Pad(0, pageSide, 0, pageSide, b.parts.tickBox), b.word)
	return b
}

// readAll has the link opened only after its upper part was in view too, from its
// beginning on.
func (b *linkBody) readAll() {
	b.whole, b.parts.fromTop, b.reveal.OnScrolled = true, true, b.look
}

// draw shows c.
func (b *linkBody) draw(c linkContent) {
	objects := c.above
	var message *kit.Bounded
	if c.message != nil {
		message = kit.NewBounded(c.message)
		objects = append(objects, kit.ServerArea(b.s.t("ui.from_server"), message))
	}
	if c.notice != nil {
		objects = append(objects, c.notice)
	}
	url := kit.NewBounded(b.url())
	objects = append(objects, url)
	if b.link.ReadsAs != "" {
		objects = append(objects, kit.NewText(kit.Own(b.s.t("ui.link.reads_as")+" ", mutedText), kit.Server(line(b.link.ReadsAs), boldText)))
	}
	b.parts.message, b.parts.url, b.parts.site = message, url, nil
	if before := untilSite(b.link.Parts); before != nil {
		b.parts.site = kit.NewURLView(segments(before))
	}
	b.upper.Objects = objects
	b.judge(c)
	b.object.Refresh()
}

// judge puts what the app has to say about the link below the URL.
func (b *linkBody) judge(c linkContent) {
	b.parts.findings, b.parts.tick, b.word.Objects = nil, nil, nil
	b.judged = c.judged
	if c.judged {
		b.parts.findings = b.findings()
	}
	if c.ticked && b.link.Level == consent.Danger {
		b.parts.tick = kit.Pad(gap, 0, 0, 0, b.tick())
	}
	if c.word != "" {
		b.word.Objects = []fyne.CanvasObject{kit.Pad(gap, pageSide, 0, pageSide, kit.Sentence(c.word, mutedText))}
	}
}

// url shows the whole URL.
func (b *linkBody) url() kit.Heighter {
	if b.link.Level == consent.Block {
		return kit.NewRefusedURL(b.link.Shown)
	}
	return kit.NewURLView(segments(b.link.Parts))
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

// segments are the parts of a URL with the site strong.
func segments(parts []consent.Part) []kit.Segment {
	out := make([]kit.Segment, len(parts))
	for i, part := range parts {
		out[i] = kit.Segment{Text: part.Text, Strong: part.Role == consent.Site}
	}
	return out
}

// findings are the warnings in plain words, highest first, and last how the site
// stands to the server and whether it was opened before.
func (b *linkBody) findings() []fyne.CanvasObject {
	s := b.s
	var out []fyne.CanvasObject
	notes := b.link.Notes()
	for _, f := range b.link.Sentences() {
		title, body := s.say(f.Text), ""
		switch {
		case f.Level == consent.Danger:
			body = s.t("ui.link.danger", "Site", b.link.Button)
		case f.Code == "other-site":
			title, body = "", s.joined(append([]i18n.Message{f.Text}, notes...))
			notes = nil
		case f.Level == consent.Info:
			title, body = "", title
		}
		out = append(out, kit.NewNotice(noticeLevel(f.Level), title, body))
	}
	if len(notes) > 0 {
		out = append(out, kit.NewNotice(kit.Info, "", s.joined(notes)))
	}
	return out
}

// joined is several sentences in a row.
func (v *surroundings) joined(sentences []i18n.Message) string {
	out := v.say(sentences[0])
	for _, next := range sentences[1:] {
		out = v.t("ui.link.and", "One", out, "Two", next)
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

// tick is the tick that a dangerous link needs before it may be opened.
func (b *linkBody) tick() fyne.CanvasObject {
	env := *b.env // the tick is not on the part that b.env scrolls
	env.Reveal = b.list
	return kit.NewCheck(&env, b.s.t("ui.link.known", "Site", b.link.Button), b.link.known, func(on bool) {
		b.link.known = on
		b.changed()
	})
}

// look notes whether all the warnings have been in view. It is called within a
// layout, so that other buttons follow afterwards.
func (b *linkBody) look() {
	if !b.judged || b.link.seen {
		return
	}
	first := !b.laid
	b.laid, b.link.seen = true, (!b.whole || b.reveal.AtEnd()) && b.list.AtEnd()
	switch {
	case first && b.link.seen:
		if b.open != nil && b.link.mayOpen() {
			b.open.Enable()
		}
	case first || b.link.seen:
		b.s.do.Do(b.changed)
	}
}

// readOn scrolls to what was not in view yet.
func (b *linkBody) readOn() {
	if b.whole && !b.reveal.AtEnd() {
		b.reveal.ScrollOn()
		return
	}
	b.list.ScrollOn()
}

// openButton is the button that opens the link, made by the page with do; as
// long as a warning was never in view there is one in its place that scrolls to
// it. It rests at a stage at which the browser is being started or an answer is
// on its way. Enter opens nothing, nor does clicking on where the other button was.
func (b *linkBody) openButton(make func(kit.ButtonOptions) *kit.Button, at stage, do func()) *kit.Button {
	b.open = nil
	text := b.s.t(b.title, "Site", shortSite(b.link.Button))
	if b.laid && !b.link.seen {
		// As wide as what follows it: buttons that then need another line would
		// cover what has just come into view.
		return make(kit.ButtonOptions{Text: b.s.t("ui.link.rest"), Room: text, Importance: kit.Primary, EnterTaps: true, OnTapped: b.readOn})
	}
	if at == stageOpening {
		text = b.s.t("ui.link.opening")
	}
	open := make(kit.ButtonOptions{Text: text, Importance: kit.Primary, Firm: true, OnTapped: do})
	rests := at == stageOpening || at == stageSending
	if rests || !b.link.mayOpen() {
		open.Disable()
	}
	if !rests {
		b.open = open
	}
	return open
}

// noButton is the button that leaves the link alone, made by the page.
func (b *linkBody) noButton(make func(kit.ButtonOptions) *kit.Button, o kit.ButtonOptions) *kit.Button {
	o.EnterTaps, o.Firm = true, true
	b.no = make(o)
	return b.no
}

// first is where the keyboard begins: on what leaves a dangerous link alone,
// where Return does no harm; nil is nowhere.
func (b *linkBody) first() fyne.Focusable {
	if b.no == nil || !b.judged || b.link.Level != consent.Danger {
		return nil
	}
	return b.no
}

// redraw has the buttons in foot drawn anew. The keyboard stays on the one that
// leaves the link alone, and goes from any other: what is pressed next must not act
// by a button that is no longer there.
func (b *linkBody) redraw(foot *fyne.Container, draw func()) {
	c, was := b.s.win.Canvas(), b.no
	held, _ := c.Focused().(fyne.CanvasObject)
	had := held != nil && contains(foot, held)
	b.no = nil
	draw()
	switch {
	case !had || contains(foot, held):
	case b.no != nil && held == fyne.CanvasObject(was):
		c.Focus(b.no)
	default:
		c.Unfocus()
	}
}

// contains reports whether o is in, or within, the container.
func contains(in *fyne.Container, o fyne.CanvasObject) bool {
	for _, child := range in.Objects {
		if inner, ok := child.(*fyne.Container); child == o || ok && contains(inner, o) {
			return true
		}
	}
	return false
}

// copyButton is the button that copies the link, which answers nothing; a
// blocked link has none.
func (b *linkBody) copyButton() []fyne.CanvasObject {
	if b.link.Open == "" {
		return nil
	}
	return []fyne.CanvasObject{b.s.copyButton(kit.ButtonOptions{Env: b.env, Text: b.s.t("ui.link.copy")},
		func() string { return b.link.Open })}
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
