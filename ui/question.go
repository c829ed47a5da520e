package ui

import (
	"time"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/ui/kit"
)

// questionFrame is what the pages of both modes share: the banner on top, why
// the person is asked, and the guard of the answers.
type questionFrame struct {
	s      *shell
	sh     *sheet
	env    *kit.Env
	guard  *kit.Guard
	reveal *kit.Reveal
	why    *kit.Text
	banner *fyne.Container
	body   *fyne.Container
	foot   *fyne.Container
	whole  fyne.CanvasObject
	stop   func() // ends the ticking of "12 seconds ago"
}

// newQuestionFrame makes a page whose body scrolls, with some room below it.
func newQuestionFrame(s *shell, sh *sheet, below float32) questionFrame {
	f := questionFrame{s: s, sh: sh, env: s.env(),
		why: kit.NewText(), body: kit.Column(gap), foot: kit.Column(gap)}
	f.guard = kit.NewGuard(f.env)
	f.guard.Arm()
	f.reveal = kit.NewReveal(kit.Pad(0, pageSide, below, pageSide, f.body))
	f.env.Reveal = f.reveal
	return f
}

// frame puts the page together around its middle.
func (f *questionFrame) frame(middle fyne.CanvasObject) {
	f.banner = kit.Stack()
	f.drawBanner()
	f.whole = pageFrame(f.banner, middle, f.foot)
}

// drawBanner shows who asks.
func (f *questionFrame) drawBanner() {
	q := &f.sh.q
	f.banner.Objects = []fyne.CanvasObject{f.s.banner(f.env, f.s.renamed(q.Identity, q.ServerID), q.ServerID)}
}

// newlyNamed draws the banner anew when the person has edited the server.
func (f *questionFrame) newlyNamed(ch *changes) {
	if ch.list && ch.servers[f.sh.q.ServerID] {
		f.drawBanner()
		f.whole.Refresh()
	}
}

// tick keeps the line of why and when true.
func (f *questionFrame) tick() {
	f.stop = f.s.every(f.sayWhy(), func() time.Duration {
		if !f.sh.open() && !f.sh.waiting() {
			return 0
		}
		next := f.sayWhy()
		f.why.Refresh()
		return next
	})
}

// sayWhy writes which request of the person's the question belongs to, and
// tells how long that stays true.
func (f *questionFrame) sayWhy() time.Duration {
	q, s := &f.sh.q, f.s
	next := time.Minute
	var runs []kit.Run
	switch {
	case q.CallID == "" || q.CallStarted.IsZero():
		runs = append(runs, kit.Own(s.t("ui.why.unasked"), mutedText))
	case !f.sh.open() && !f.sh.waiting(): // and the line stands as it is from now on
		at := atTime(s.clock.Now(), q.CallStarted)
		runs = append(runs, kit.Own(s.t("ui.why.started_at.before", "Time", at), mutedText),
			kit.Server(line(q.CallTitle), mutedBold),
			kit.Own(s.t("ui.why.started_at.after", "Time", at), mutedText))
	default:
		runs, next = s.started(q.CallTitle, q.CallStarted)
	}
	add := func(text string) { runs = append(runs, kit.Own("  •  "+text, mutedText)) }
	if q.Mode == mcpclient.ModeURL {
		add(s.t("ui.why.link"))
	}
	if q.Round > 1 {
		add(s.t("ui.why.round", "N", q.Round))
	}
	if n, of := s.desk.place(q); of > 1 && f.sh.open() {
		add(s.t("ui.why.place", "N", n, "Of", of))
	}
	f.why.SetRuns(runs...)
	return next
}

// started says which request the person started how long ago, and tells how long
// that stays true.
func (v *surroundings) started(title string, at time.Time) ([]kit.Run, time.Duration) {
	m, next := ago(v.clock.Now(), at)
	return []kit.Run{kit.Own(v.t("ui.why.started.before", "Ago", m), mutedText), kit.Server(line(title), mutedBold),
		kit.Own(v.t("ui.why.started.after", "Ago", m), mutedText)}, next
}

// setFoot puts the buttons of the moment below the page and keeps them deaf
// for a moment, since they may stand where others stood.
func (f *questionFrame) setFoot(objects ...fyne.CanvasObject) {
	f.foot.Objects = objects
	f.guard.Arm()
	f.whole.Refresh()
}

func (f *questionFrame) object() fyne.CanvasObject { return f.whole }

// answerButton is one of the buttons that answer: they share the guard.
func (f *questionFrame) answerButton(o kit.ButtonOptions) *kit.Button {
	o.Env, o.Guard = f.env, f.guard
	return kit.NewButton(o)
}

func (f *questionFrame) cancelButton(do func()) *kit.Button {
	return f.answerButton(f.cancelOptions(do))
}

func (f *questionFrame) cancelOptions(do func()) kit.ButtonOptions {
	return kit.ButtonOptions{Text: f.s.t("ui.answer.cancel"), Shortcut: "Esc", EnterTaps: true, Firm: true, OnTapped: do}
}

func (f *questionFrame) declineButton() *kit.Button {
	return f.answerButton(kit.ButtonOptions{Text: f.s.t("ui.answer.decline"), EnterTaps: true, Firm: true,
		OnTapped: func() { f.decide(mcpclient.Decline) }})
}

// decide answers without content.
func (f *questionFrame) decide(a mcpclient.Action) {
	if f.guard.Blocks() {
		return
	}
	f.s.answer(f.sh, mcpclient.Answer{Action: a})
}

// plain is a button that answers nothing.
func (f *questionFrame) plain(text string, do func()) *kit.Button {
	return kit.NewButton(kit.ButtonOptions{Env: f.env, Text: text, EnterTaps: true, OnTapped: do})
}

// close leaves the page of a question that is over.
func (f *questionFrame) close() {
	if f.sh.q.CallID != "" && f.s.desk.call(f.sh.q.CallID) != nil {
		f.s.choose(route{section: sectionRequest, id: f.sh.q.CallID})
		return
	}
	f.s.choose(route{section: sectionQuestions})
}

// over is the notice on a question that can no longer be answered.
func (f *questionFrame) over() fyne.CanvasObject {
	return kit.NewNotice(kit.Caution, f.s.t("ui.question.over"), f.s.died(f.sh))
}

// trouble is the notice that the last try to answer did not work, nil for none.
func (f *questionFrame) trouble() fyne.CanvasObject {
	if f.sh.trouble.IsZero() {
		return nil
	}
	return kit.NewNotice(kit.Danger, f.s.say(f.sh.trouble), "")
}

// banner says who asks, from what the app itself knows.
func (s *shell) banner(env *kit.Env, id mcpclient.Identity, serverID string) fyne.CanvasObject {
	o := kit.BannerOptions{Env: env, Name: line(id.Name), Origin: append(originRuns(&s.surroundings, id, s.origins[id.Origin]), s.signedIn(serverID, id, false)...),
		Short:    append(shortOrigin(&s.surroundings, id, s.origins[id.Origin]), s.signedIn(serverID, id, true)...),
		OnToggle: func() { s.page.object().Refresh() }}
	switch {
	case id.Transport == mcpclient.Stdio:
		o.Icon = kit.IconComputer
	case id.Encrypted:
		o.Icon = kit.IconLock
	case id.Local():
		o.Icon, o.IconColor = kit.IconUnlock, kit.ColorMuted
	default:
		o.Icon, o.IconColor = kit.IconUnlock, kit.ColorCaution
	}
	// What a server calls itself was said on the connection of now.
	if v := s.desk.server(serverID); v != nil && samePlace(v.identity(), id) {
		o.SelfName = line(selfName(v.status.Info))
	}
	banner := kit.NewBanner(o)
	if alike := s.alike(id.Name, serverID); alike != "" {
		return kit.Column(gapSmall, banner, kit.NewNotice(kit.Caution, "", alike))
	}
	return banner
}
