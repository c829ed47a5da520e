package ui

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/ui/kit"
)

// run is what is remembered of a request to run it again: the page it came
// from, and what was filled in there.
type run struct {
	from route
	fill *fill // nil where there was no form
	// schema is what the form was made from, of what it belongs to.
	schema json.RawMessage
	of     thing
}

// requestPage is one call with all its rounds: what was asked, what was
// answered, where it stands and what came of it.
type requestPage struct {
	base
	s      *shell
	c      *callState
	env    *kit.Env
	banner *fyne.Container
	of     mcpclient.Identity // that the banner shows
	body   *fyne.Container
	foot   *fyne.Container
	whole  fyne.CanvasObject
	result fyne.CanvasObject // made once, when it is there
	// progress and line are drawn anew by themselves, since they change often.
	progress *fyne.Container
	line     *kit.Text
	working  *kit.Text
	// acts are the buttons in the body by what they do: drawn anew they are the
	// same, so that the keyboard stays on them.
	acts map[string]*kit.Button
	// drawnHelps are the words of what helps against its failure.
	drawnHelps string
	// copied is the text of the result, for the clipboard.
	copied string
	guard  *kit.Guard
	stop   func()
	ended  bool
}

func newRequestPage(s *shell, c *callState) *requestPage {
	p := &requestPage{s: s, c: c, env: s.env(), banner: kit.Column(0), body: kit.Column(gap), foot: kit.Column(gap),
		progress: kit.Column(gapSmall), line: kit.NewText(), working: kit.NewText(), acts: map[string]*kit.Button{}}
	p.guard = kit.NewGuard(p.env)
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.whole = pageFrame(p.banner, reveal, p.foot)
	p.drawBanner()
	p.draw()
	p.drawFoot()
	p.stop = s.every(time.Second, func() time.Duration {
		if p.c.State.Ended() {
			return 0
		}
		return p.sayLine()
	})
	return p
}

// drawBanner shows whom the request went to, and as whom.
func (p *requestPage) drawBanner() {
	p.of = p.c.Identity
	p.banner.Objects = []fyne.CanvasObject{p.s.banner(p.env, p.s.renamed(p.of, p.c.ServerID), p.c.ServerID)}
}

// sayLine writes when the request was started and where it stands, and tells
// how long that stays true.
func (p *requestPage) sayLine() time.Duration {
	when, next := ago(p.s.clock.Now(), p.c.Started)
	text := p.s.t("ui.request.line", "State", p.s.stateOf(&p.c.Call), "Ago", when)
	if p.c.State.Ended() { // and the line stands as it is from now on
		text = p.s.t("ui.request.line_at", "State", stateOf(&p.c.Call), "Time", atTime(p.s.clock.Now(), p.c.Started))
	}
	p.line.SetRuns(kit.Own(text, mutedText))
	if w := p.c.patience; !w.since.IsZero() {
		first, stays := ago(p.s.clock.Now(), w.since)
		p.working.SetRuns(kit.Own(p.s.say(i18n.N("ui.request.working", p.c.Round-w.round+1, "Ago", first)), mutedText))
		next = min(next, stays)
	}
	return next
}

func (p *requestPage) draw() {
	c := p.c
	p.sayLine()
	objects := []fyne.CanvasObject{kit.Column(gapSmall, kit.Label(line(c.DisplayTitle()), titleText), p.line)}
	if !c.State.Ended() {
		objects = append(objects, p.waits()...)
		objects = append(objects, p.standing()...)
	}
	objects = append(objects, p.outcome()...)
	objects = append(objects, p.story()...)
	p.body.Objects = objects
	p.body.Refresh()
}

// standing says what the call is doing now.
func (p *requestPage) standing() []fyne.CanvasObject {
	s, c := p.s, p.c
	var out []fyne.CanvasObject
	switch c.State {
	case mcpclient.CallAsking:
		for _, q := range s.desk.ofCall(c.ID) {
			if q.State != mcpclient.ElicitationOpen {
				continue
			}
			to := route{section: sectionQuestion, id: q.ID}
			out = append(out, kit.RowFill(gap, 0, kit.NewNotice(kit.Info, "", s.t("ui.request.asks")),
				p.act(q.ID, s.t("ui.request.answer"), kit.Primary, func() { s.choose(to) })))
			break
		}
	case mcpclient.CallBrowser:
		out = append(out, kit.RowFill(gap, 0, s.waitingForAll(c.ID),
			p.act("continue", s.t("ui.wait.continue"), kit.Primary, func() { s.continueCall(c.ID) })))
	}
	if !c.patience.since.IsZero() && s.waitOf(c.ServerID, c.ID).isZero() {
		out = append(out, kit.NewNotice(kit.Info, "", s.t("core.state.working")), p.working)
	}
	out = append(out, p.pages()...)
	p.drawProgress()
	return append(out, p.progress)
}

// pages are the pages the person has consented to in this call, each once: as
// long as it goes on they can be opened again, by the same consent, and copied.
func (p *requestPage) pages() []fyne.CanvasObject {
	s := p.s
	var out []fyne.CanvasObject
	seen := map[string]bool{}
	for _, q := range s.desk.ofCall(p.c.ID) {
		sh := s.sheets[q.ID]
		if sh == nil || !sh.waiting() || sh.link.Open == "" || seen[sh.link.Open] {
			continue
		}
		url := sh.link.Open
		seen[url] = true
		again := p.act("open "+url, s.t("ui.wait.open_again"), kit.Plain, func() { s.openLink(sh, true) })
		again.Enable()
		if sh.stage == stageOpening {
			again.Disable()
		}
		link := shortLink(sh.link.Parts) // in full with its question, below
		if v := s.visit(q); v.of > 1 {
			place := s.t("ui.wait.place", "N", v.n, "Of", v.of)
			if q.Complete {
				place = s.t("ui.wait.place_done", "N", v.n, "Of", v.of)
			}
			link = kit.Column(2, kit.Sentence(place, hintText), link)
		}
		out = append(out, kit.RowFill(gap, 0, link,
			p.act("copy "+url, s.t("ui.link.copy"), kit.Plain, func() { s.toClipboard(p.acts["copy "+url], url) }), again))
		if !sh.trouble.IsZero() {
			out = append(out, kit.NewNotice(kit.Danger, s.say(sh.trouble), ""))
		}
	}
	return out
}

// act is a button in the body. What opens a page is not pressed by Enter.
func (p *requestPage) act(key, text string, im kit.Importance, do func()) *kit.Button {
	b := p.acts[key]
	if b == nil {
		b = kit.NewButton(kit.ButtonOptions{Env: p.env, Text: text, Importance: im, EnterTaps: !strings.HasPrefix(key, "open "),
			Guard: p.guard, OnTapped: do})
		p.acts[key] = b
	}
	return b
}

// drawProgress shows how far the server says it is.
func (p *requestPage) drawProgress() {
	s, pr := p.s, p.c.Progress
	if pr == nil {
		return
	}
	text := s.t("ui.request.progress", "N", pr.Progress.String())
	if pr.Total != "" {
		text = s.t("ui.request.progress_of", "N", pr.Progress.String(), "Total", pr.Total.String())
	}
	objects := []fyne.CanvasObject{kit.Sentence(text, mutedText)}
	if done, ok := share(pr); ok {
		objects = append(objects, newBar(done))
	}
	if pr.Message != "" {
		objects = append(objects, kit.ServerArea(s.t("ui.from_server"), words(p.env, pr.Message, bodyText, maxMessage)))
	}
	p.progress.Objects = objects
	p.progress.Refresh()
}

// share is the done part of the whole, between 0 and 1.
func share(pr *mcpclient.Progress) (float32, bool) {
	done, err := pr.Progress.Float64()
	if err != nil {
		return 0, false
	}
	total, err := pr.Total.Float64()
	if err != nil || total <= 0 {
		return 0, false
	}
	return float32(min(max(done/total, 0), 1)), true
}

// outcome is what came of an ended call.
func (p *requestPage) outcome() []fyne.CanvasObject {
	s, c := p.s, p.c
	switch c.State {
	case mcpclient.CallCancelled:
		return []fyne.CanvasObject{kit.NewNotice(kit.Info, "", s.t("ui.request.cancelled"))}
	case mcpclient.CallFailed:
		out := append(s.failure(p.env, c.Failure), p.mends()...)
		if p.keptAnswers() {
			out = append(out, kit.NewNotice(kit.Info, "", s.t("ui.request.kept")))
		}
		return out
	case mcpclient.CallDone:
		if p.result == nil {
			p.result = kit.Sentence(s.t("ui.result.preparing"), mutedText)
			p.readResult()
		}
		switch {
		case c.IsError:
			return []fyne.CanvasObject{kit.NewNotice(kit.Danger, s.t("ui.request.tool_error"), ""), p.result}
		case !c.Kept.IsZero():
			asOf := s.t("ui.result.kept", "Time", atTime(s.clock.Now(), c.Kept))
			return []fyne.CanvasObject{kit.RowFill(gap, 0, kit.NewNotice(kit.Info, "", asOf),
				p.act("fresh", s.t("ui.result.fresh"), kit.Plain, func() { s.repeat(c.Call, true) })), p.result}
		}
		return []fyne.CanvasObject{p.result}
	}
	return nil
}

// atTime is a time of the day, with the day if that is not today's.
func atTime(now, t time.Time) string {
	now, t = now.Local(), t.Local()
	if now.Format(time.DateOnly) == t.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// unrepeated reports whether a call failed in such a way that nobody knows
// whether the server has carried it out: only the person can say that it is to
// be sent once more.
func unrepeated(c *mcpclient.Call) bool {
	return c.State == mcpclient.CallFailed && c.Failure != nil && c.Failure.Text.ID == "core.fail.unrepeated"
}

// story is what happened: the questions with their answers, and what the call
// did in between.
func (p *requestPage) story() []fyne.CanvasObject {
	s, c := p.s, p.c
	var out []fyne.CanvasObject
	if r := s.runs[c.ID]; r != nil && r.fill != nil && len(r.fill.form.Fields) > 0 {
		out = append(out, p.chapter(s.t("ui.request.sent"), kit.ServerArea(s.t("ui.from_server_and_you"), s.filled(p.env, r.fill, true, p.draw))))
	}
	for _, q := range s.desk.ofCall(c.ID) {
		if sh := s.sheets[q.ID]; sh != nil && !sh.open() {
			out = append(out, p.chapter(p.questionTitle(sh), kit.ServerArea(s.t("ui.from_server_and_you"), p.questionStory(sh))))
		}
	}
	if len(c.notes) > 0 {
		var lines []fyne.CanvasObject
		for _, n := range c.notes {
			lines = append(lines, kit.Sentence(n.at.Local().Format("15:04:05")+"  "+s.say(n.text), hintText))
		}
		out = append(out, p.chapter(s.t("ui.request.notes"), kit.Card(kit.Column(2, lines...))))
	}
	return out
}

func (p *requestPage) chapter(title string, content fyne.CanvasObject) fyne.CanvasObject {
	return kit.Pad(gapSmall, 0, 0, 0, kit.Column(6, kit.Sentence(title, boldText), content))
}

func (p *requestPage) questionTitle(sh *sheet) string {
	answer := answerWord(sh.q)
	switch arrivalOf(&p.c.Call, sh.q, p.s.desk.ofCall(p.c.ID)) {
	case arrivedNot:
		answer = i18n.M("ui.answered.lost", "Answer", answer)
	case arrivedPerhaps:
		answer = i18n.M("ui.answered.unsure", "Answer", answer)
	}
	n, of := p.place(sh)
	if of == 1 {
		return p.s.t("ui.request.question", "Round", max(sh.q.Round, 1), "Answer", answer)
	}
	return p.s.t("ui.request.question_of", "Round", max(sh.q.Round, 1), "N", n, "Answer", answer)
}

// place is which question of its round it is, from 1, and of how many.
func (p *requestPage) place(sh *sheet) (n, of int) {
	for _, q := range p.s.desk.ofCall(p.c.ID) {
		if q.Round != sh.q.Round {
			continue
		}
		of++
		if q.ID == sh.q.ID {
			n = of
		}
	}
	return n, of
}

// keptAnswers reports whether something entered in an answer to the server may
// not have reached it.
func (p *requestPage) keptAnswers() bool {
	questions := p.s.desk.ofCall(p.c.ID)
	for _, q := range questions {
		sh := p.s.sheets[q.ID]
		if arrivalOf(&p.c.Call, *q, questions) != arrived && sh != nil && p.s.copyAnswers(p.env, sh) != nil {
			return true
		}
	}
	return false
}

// answerWord is what was answered, in a word.
func answerWord(q mcpclient.Elicitation) i18n.Message {
	if q.State == mcpclient.ElicitationDead || q.Answer == nil {
		return i18n.M("ui.answered.dead")
	}
	if q.Mode == mcpclient.ModeURL && q.Answer.Action == mcpclient.Accept {
		return i18n.M("ui.answered.opened")
	}
	return i18n.M("ui.answered." + string(q.Answer.Action))
}

// questionStory is one question that is over: the server's words, what was
// answered, why it died.
func (p *requestPage) questionStory(sh *sheet) fyne.CanvasObject {
	objects := []fyne.CanvasObject{words(p.env, sh.q.Message, bodyText, maxMessage)}
	if sh.q.State == mcpclient.ElicitationDead {
		objects = append(objects, kit.Sentence(p.s.died(sh), errorText))
	}
	switch {
	case sh.link != nil && sh.link.Open != "":
		objects = append(objects, kit.NewURLView(segments(sh.link.Parts)))
	case sh.link != nil:
		objects = append(objects, kit.Label(sh.link.Shown, monoText))
	default:
		objects = append(objects, p.s.answers(p.env, sh, p.draw))
		lost := sh.q.State == mcpclient.ElicitationDead || arrivalOf(&p.c.Call, sh.q, p.s.desk.ofCall(p.c.ID)) != arrived
		if buttons := p.s.copyAnswers(p.env, sh); buttons != nil && lost {
			objects = append(objects, kit.Row(0, buttons...))
		}
	}
	return kit.Column(gap, objects...)
}

func (p *requestPage) button(text string, im kit.Importance, do func()) *kit.Button {
	return kit.NewButton(kit.ButtonOptions{Env: p.env, Text: text, Importance: im, EnterTaps: true, Guard: p.guard, OnTapped: do})
}

func (p *requestPage) drawFoot() {
	s, c := p.s, p.c
	p.ended = c.State.Ended()
	var left, right []fyne.CanvasObject
	if !p.ended {
		// On the left: on the right stood what the person pressed to get here.
		left = append(left, kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.request.cancel"), EnterTaps: true, Guard: p.guard, Firm: true,
			OnTapped: func() { s.cancelCall(c.ID) }}))
	} else {
		if p.copied != "" {
			left = append(left, s.copyButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.result.copy"), Icon: kit.IconCopy},
				func() string { return p.copied }))
		}
		right = append(right, p.button(s.t("ui.request.forget"), kit.Quiet, p.forget))
		if unrepeated(&c.Call) {
			right = append(right, p.button(s.t("ui.request.resend"), kit.Plain, func() { s.repeat(c.Call, false) }))
		}
		if r := s.runs[c.ID]; r != nil {
			right = append(right, p.button(s.t(againKey(r)), kit.Plain, func() { s.runAgain(r) }))
		}
		right = append(right, p.button(s.t("ui.close"), kit.Primary, p.close))
	}
	p.guard.Arm()
	p.foot.Objects = []fyne.CanvasObject{kit.ActionBar(left, right)}
	p.whole.Refresh()
}

// againKey is what going back to a request's page is called: where there is a
// form, it can be changed before anything is sent.
func againKey(r *run) string {
	if r.fill != nil && len(r.fill.form.Fields) > 0 {
		return "ui.request.edit_again"
	}
	return "ui.request.again"
}

// forget drops the request with everything answered in it from memory.
func (p *requestPage) forget() {
	s, id := p.s, p.c.ID
	for _, q := range s.desk.forgetCall(id) {
		delete(s.sheets, q)
	}
	delete(s.runs, id)
	s.background(func() { s.client.Forget(id) }, nil)
	s.choose(route{section: sectionRequests})
}

// close leaves for the page the request was made on.
func (p *requestPage) close() {
	if r := p.s.runs[p.c.ID]; r != nil && p.s.desk.server(r.from.id) != nil {
		p.s.choose(route{section: sectionServer, id: r.from.id})
		return
	}
	p.s.choose(route{section: sectionRequests})
}

func (p *requestPage) object() fyne.CanvasObject { return p.whole }

func (p *requestPage) escape() {
	if p.c.State.Ended() && !p.guard.Blocks() {
		p.close()
	}
}

func (p *requestPage) update(ch *changes) {
	touched := ch.calls[p.c.ID]
	if ch.list && ch.servers[p.c.ServerID] { // it may have another name
		p.drawBanner()
		p.whole.Refresh()
	}
	if ch.progress[p.c.ID] && !p.c.State.Ended() {
		was := len(p.progress.Objects)
		p.drawProgress()
		touched = touched || len(p.progress.Objects) != was // the page has grown
	}
	for id := range ch.questions {
		if q := p.s.desk.question(id); q != nil && q.CallID == p.c.ID {
			touched = true
		}
	}
	if len(ch.signIns) > 0 && !p.c.State.Ended() {
		touched = true
	}
	if ch.servers[p.c.ServerID] && p.helps() != p.drawnHelps { // what helps depends on the connection
		touched = true
	}
	if !touched {
		return
	}
	if now := p.c.Identity; now.User != p.of.User || now.Host != p.of.Host {
		p.drawBanner()
		p.whole.Refresh()
	}
	p.draw()
	if p.c.State.Ended() != p.ended {
		p.drawFoot()
	}
}

func (p *requestPage) leave() { p.stop() }

// readResult turns the raw result into blocks in the background and draws
// them.
func (p *requestPage) readResult() {
	s, kind, raw := p.s, p.c.Kind, p.c.Result
	s.work.apart(func(context.Context) {
		v := viewResult(kind, raw)
		copied := resultText(v.ResultView, v.structured)
		s.do.Do(func() {
			p.result, p.copied = p.blocks(v), copied
			p.draw()
			p.drawFoot()
		})
	})
}

func indent(raw json.RawMessage) string {
	out, err := json.MarshalIndent(raw, "", "  ")
	if err != nil {
		return string(raw)
	}
	return string(out)
}
