package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/forms"
	"parley/mcpclient"
	"parley/ui/kit"
)

// saveAfter is how long after the last change a draft is handed to the client.
const saveAfter = 400 * time.Millisecond

// formPage is the page of a question in form mode.
type formPage struct {
	questionFrame
	form    *formView
	preview *preview
	unsaved bool
	// saving ends the wait before the draft is handed over.
	saving func()
	drawn  drawnState
	// rest is what is wrong with the answers as a whole.
	rest []forms.FieldError
}

// drawnState is what the page showed when it was last drawn; only a change of
// it is worth drawing anew, and nothing the person types is.
type drawnState struct {
	state   mcpclient.ElicitationState
	stage   stage
	trouble string
}

func (s *sheet) drawn() drawnState { return drawnState{s.q.State, s.stage, s.trouble.ID} }

func newFormPage(s *shell, sh *sheet) *formPage {
	p := &formPage{questionFrame: newQuestionFrame(s, sh, gapLarge), saving: func() {}}
	p.frame(p.reveal)
	p.tick()
	p.draw()
	return p
}

// draw makes the page's middle and its buttons.
func (p *formPage) draw() {
	p.drawBody()
	p.drawFoot()
	p.drawn = p.sh.drawn()
}

func (p *formPage) drawBody() {
	q, s := &p.sh.q, p.s
	if p.form != nil {
		if !p.sh.open() {
			// What is typed from now on must not go into fields nobody sees.
			s.win.Canvas().Unfocus()
		}
		p.form.close()
		p.form = nil
	}
	objects := []fyne.CanvasObject{p.why}
	if !p.sh.open() {
		if q.State == mcpclient.ElicitationDead {
			objects = append(objects, p.over())
		}
		objects = append(objects, kit.ServerArea(s.t("ui.from_server"), kit.Column(gap,
			p.heading(), s.answers(p.env, p.sh, p.draw))))
		p.body.Objects = objects
		p.body.Refresh()
		return
	}
	objects = append(objects, s.warnings(p.sh.form)...)
	objects = append(objects, nonNil(p.typedBeforeNotice())...)
	p.form = newFormView(&s.surroundings, p.env, &p.sh.fill, p.changed, func() { p.body.Refresh() })
	inside := []fyne.CanvasObject{p.heading()}
	if len(p.sh.form.Fields) > 0 {
		inside = append(inside, p.form.box)
	}
	objects = append(objects, kit.ServerArea(s.t("ui.from_server"), kit.Column(gap, inside...)))
	if len(p.sh.form.Fields) == 0 && p.sh.form.Answerable() {
		objects = append(objects, kit.Sentence(s.t("ui.question.no_fields"), mutedText))
	}
	p.body.Objects = objects
	p.body.Refresh()
}

// heading is the server's own words above its fields.
func (p *formPage) heading() fyne.CanvasObject {
	f := p.sh.form
	var objects []fyne.CanvasObject
	if f.Title != "" {
		objects = append(objects, words(p.env, f.Title, titleText, maxMessage))
	}
	objects = append(objects, words(p.env, p.sh.q.Message, messageText, maxMessage))
	if f.Description != "" {
		objects = append(objects, words(p.env, f.Description, bodyText, maxMessage))
	}
	return kit.Column(gapSmall, objects...)
}

// warnings are what the app has to say about a form: that it asks for secrets,
// and what is wrong with it.
func (v *surroundings) warnings(f *forms.Form) []fyne.CanvasObject {
	var out []fyne.CanvasObject
	if secrets := secretFields(f); len(secrets) > 0 {
		out = append(out, kit.NewNotice(kit.Caution, v.t("ui.form.secret_title", "Fields", v.namesOf(secrets, f.Fields)), v.t("ui.form.secret_body")))
	}
	if !f.Answerable() {
		out = append(out, kit.NewNotice(kit.Danger, v.t("ui.form.unanswerable"), v.faultsOf(f)))
	} else if len(f.Problems) > 0 {
		out = append(out, kit.NewNotice(kit.Info, v.t("ui.form.faults"), v.sentences(f.Problems)))
	}
	return out
}

// faultsOf says what is wrong with a form and its fields.
func (v *surroundings) faultsOf(f *forms.Form) string {
	return safetext.Block(strings.Join(f.Sentences(v.loc), "\n"), maxMessage).String()
}

// secretFields are the fields that look like secrets.
func secretFields(f *forms.Form) []*forms.Field {
	var out []*forms.Field
	for _, field := range f.Fields {
		if field.Secret {
			out = append(out, field)
		}
	}
	return out
}

// sentences puts messages under each other.
func (v *surroundings) sentences(ms []i18n.Message) string {
	lines := make([]string, len(ms))
	for i, m := range ms {
		lines[i] = v.say(m)
	}
	return strings.Join(lines, "\n")
}

// drawFoot puts the buttons of the moment below the page.
func (p *formPage) drawFoot() {
	s := p.s
	switch {
	case p.sh.q.State == mcpclient.ElicitationDead:
		p.setFoot(kit.ActionBar(s.copyAnswers(p.env, p.sh), []fyne.CanvasObject{p.plain(s.t("ui.close"), p.close)}))
	case !p.sh.open():
		p.setFoot(kit.ActionBar(nil, []fyne.CanvasObject{p.plain(s.t("ui.close"), p.close)}))
	case p.sh.stage == stageLeave:
		keep := p.plain(s.t("ui.ask.keep"), p.back)
		p.setFoot(kit.Sentence(s.t("ui.ask.leave"), boldText), kit.ActionBar(nil, []fyne.CanvasObject{keep,
			p.answerButton(kit.ButtonOptions{Text: s.t("ui.ask.leave_yes"), Importance: kit.Grave, EnterTaps: true,
				OnTapped: func() { p.decide(mcpclient.Cancel) }})}))
		s.win.Canvas().Focus(keep)
	case p.sh.stage == stageSecret:
		back := p.plain(s.t("ui.ask.back"), p.back)
		p.setFoot(kit.NewNotice(kit.Danger, s.t("ui.ask.secret", "Fields", s.placesOf(p.sh.draft, p.sh.draft.SecretsTyped())), s.t("ui.ask.secret_why")),
			kit.ActionBar(nil, []fyne.CanvasObject{back,
				p.answerButton(kit.ButtonOptions{Text: s.t("ui.ask.secret_yes"), Importance: kit.Grave,
					OnTapped: func() { p.send(true) }})}))
		s.win.Canvas().Focus(back)
	default:
		p.setFoot(p.asking()...)
	}
}

// asking is the bar of a question that waits for its answer.
func (p *formPage) asking() []fyne.CanvasObject {
	s := p.s
	p.preview = newPreview(&s.surroundings, p.env, &p.sh.fill, p.whole.Refresh)
	submit := p.answerButton(kit.ButtonOptions{Text: s.t("ui.answer.submit"), Shortcut: "Ctrl ↵", Importance: kit.Primary,
		OnTapped: p.submit})
	cancel, decline := p.cancelButton(func() { p.escapeKey() }), p.declineButton()
	if p.sh.busy() {
		cancel.Disable()
		decline.Disable()
	}
	if p.sh.busy() || !p.sh.form.Answerable() {
		submit.Disable()
	}
	bar := kit.ActionBar([]fyne.CanvasObject{p.preview.toggle}, []fyne.CanvasObject{cancel, decline, submit})
	return nonNil(p.trouble(), wholeNotice(&s.surroundings, "ui.answer.not_sent", p.rest), p.preview.object, bar)
}

// changed is called after every act of the person: the draft is handed over a
// moment after the last one, and what will be sent is kept true.
func (p *formPage) changed() {
	p.unsaved = true
	if p.rest != nil {
		p.rest = nil
		p.drawFoot()
	}
	p.saving()
	p.saving = p.s.clock.After(saveAfter, func() { p.s.do.Do(p.save) })
	if p.preview != nil {
		p.preview.stale()
	}
}

func (p *formPage) save() {
	if p.unsaved && p.sh.open() && !p.sh.busy() {
		p.unsaved = false
		p.s.saveDraft(p.sh)
	}
}

func (p *formPage) submit() {
	if p.guard.Blocks() || !p.sh.open() || p.sh.busy() || p.sh.stage == stageLeave || p.sh.stage == stageSecret {
		return
	}
	p.send(false)
}

// send tries to send the form. sure is the second yes for secrets.
func (p *formPage) send(sure bool) {
	if p.guard.Blocks() || p.form == nil {
		return
	}
	out := p.sh.submit(sure)
	switch {
	case len(out.errors) > 0:
		p.setStage(stageAsking)
		p.showErrors(out.errors)
	case len(out.secrets) > 0:
		p.setStage(stageSecret)
	default:
		p.s.answer(p.sh, mcpclient.Answer{Action: mcpclient.Accept, Content: out.content})
	}
}

// showErrors shows what is wrong and leads to the first of it.
func (p *formPage) showErrors(errs []forms.FieldError) {
	if p.rest = p.form.lead(errs); len(p.rest) > 0 {
		p.drawFoot()
	}
}

func (p *formPage) setStage(st stage) {
	if p.sh.stage == st {
		return
	}
	p.sh.stage = st
	p.drawFoot()
	p.drawn = p.sh.drawn()
}

// back goes on with the form, in the field where the person was.
func (p *formPage) back() {
	p.setStage(stageAsking)
	if f := p.form.last(); f != nil {
		p.s.win.Canvas().Focus(f)
	}
}

func (p *formPage) escape() {
	// Taking back a question of the page's own answers nothing and needs no
	// guard.
	if p.guard.Blocks() && p.sh.escape() != escapeBack {
		return
	}
	p.escapeKey()
}

func (p *formPage) escapeKey() {
	switch p.sh.escape() {
	case escapeBack:
		p.back()
	case escapeAsk:
		p.setStage(stageLeave)
	case escapeCancel:
		p.s.answer(p.sh, mcpclient.Answer{Action: mcpclient.Cancel})
	case escapeClose:
		p.close()
	}
}

func (p *formPage) first() fyne.Focusable {
	if p.form == nil {
		return nil
	}
	return p.form.first()
}

func (p *formPage) update(ch *changes) {
	p.newlyNamed(ch)
	if len(ch.questions) > 0 {
		p.sayWhy()
	}
	if !ch.questions[p.sh.q.ID] || p.sh.drawn() == p.drawn {
		return
	}
	if p.sh.q.State != p.drawn.state {
		p.draw()
		p.reveal.ScrollToTop() // what has become of it stands there
		return
	}
	p.drawFoot()
	p.drawn = p.sh.drawn()
}

func (p *formPage) leave() {
	p.stop()
	p.saving()
	p.save()
	if p.form != nil {
		p.form.close()
	}
	if p.sh.stage == stageLeave || p.sh.stage == stageSecret {
		p.sh.stage = stageAsking
	}
}
