package ui

import (
	"bytes"
	"context"
	"encoding/json"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/forms"
	"parley/mcpclient"
	"parley/ui/kit"
)

// argSheet is what the person fills in to run a tool or a prompt. It outlives
// its page, and the schema it was made from.
type argSheet struct {
	fill
	schema  json.RawMessage
	reading bool
	// of is what the form belongs to, as the server described it then.
	of thing
	// before is what was filled in before the server changed the form and the
	// person took the new one; nil for none.
	before *argSheet
	// sent is what was filled in when it was last run, as the draft saves it.
	sent string
}

// touched reports whether the person has entered something.
func (a *argSheet) touched() bool { return a.draft != nil && a.draft.Touched() }

// unsent reports whether something is filled in that no request was made with.
func (a *argSheet) unsent() bool { return a.touched() && string(a.draft.Save()) != a.sent }

// runPage is one thing a server offers: what it is, its arguments, and the
// button that runs it.
type runPage struct {
	s      *shell
	v      *serverState
	at     route
	thing  thing // as it is drawn
	env    *kit.Env
	reveal *kit.Reveal
	form   *formView
	// notes are what stands above the form; they are drawn anew without it, so
	// that the keyboard stays in it.
	notes      *fyne.Container
	preview    *preview
	body       *fyne.Container
	foot       *fyne.Container
	whole      fyne.CanvasObject
	drawnNotes runNotes
	drawnReady bool
	sure       bool // secrets are to be sent: the second yes is asked for
	// rest is what is wrong with the arguments as a whole.
	rest []forms.FieldError
}

// thing is a tool, prompt or resource as the server describes it.
type thing struct {
	kind         mcpclient.CallKind
	title, about string
	schema, raw  json.RawMessage
	gone         bool // it is not offered now
}

// things are the kinds of them by the section of their page.
var things = map[section]mcpclient.CallKind{
	sectionTool: mcpclient.CallTool, sectionPrompt: mcpclient.CallPrompt, sectionResource: mcpclient.CallResource}

func newRunPage(s *shell, v *serverState, at route) *runPage {
	p := &runPage{s: s, v: v, at: at, env: s.env(), body: kit.Column(gap), foot: kit.Column(gap), notes: kit.Column(gap)}
	p.thing = thing{kind: things[at.section], title: at.name, gone: true}
	p.look()
	if a := p.sheet(); a != nil && a.touched() && a.of.title != "" && !bytes.Equal(a.schema, p.thing.schema) {
		p.thing = a.of // what was entered stays in its form, with the form's own title
	}
	p.reveal = kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = p.reveal
	p.whole = pageFrame(s.banner(p.env, v.identity(), v.ID), p.reveal, p.foot)
	p.read()
	p.draw()
	return p
}

// look finds what the page is about in what the server offers. What is gone is
// shown as it was.
func (p *runPage) look() {
	if now, found := p.find(); found {
		p.thing = now
	} else {
		p.thing.gone = true
	}
}

// find is the thing as it is offered now.
func (p *runPage) find() (t thing, found bool) {
	if p.v.offer == nil {
		return t, false
	}
	kind := things[p.at.section]
	switch p.at.section {
	case sectionTool:
		for _, t := range p.v.offer.tools {
			if t.Name == p.at.name {
				return thing{kind, t.DisplayTitle(), t.Description, t.InputSchema, t.Raw, false}, true
			}
		}
	case sectionPrompt:
		for _, t := range p.v.offer.prompts {
			if t.Name == p.at.name {
				return thing{kind, t.DisplayTitle(), t.Description, t.Schema(), t.Raw, false}, true
			}
		}
	case sectionResource:
		for _, r := range p.v.offer.resources {
			if r.URI == p.at.name {
				return thing{kind, r.DisplayTitle(), r.Description, nil, r.Raw, false}, true
			}
		}
	}
	return t, false
}

// sheet is what was filled in here before, nil until the schema was read.
func (p *runPage) sheet() *argSheet {
	if a := p.s.argument[p.at]; a != nil && !a.reading {
		return a
	}
	return nil
}

// read parses the schema in the background: once, and again when the server has
// changed it before anything was entered.
func (p *runPage) read() {
	a := p.s.argument[p.at]
	if p.thing.gone || a != nil && (a.reading || a.touched() || bytes.Equal(a.schema, p.thing.schema)) {
		return
	}
	p.parse(nil)
}

// parse makes the form of now. What was entered into before goes over as far
// as it fits.
func (p *runPage) parse(before *argSheet) {
	s, at, schema := p.s, p.at, p.thing.schema
	a := &argSheet{reading: true, schema: schema, of: p.thing, before: before}
	s.argument[at] = a
	var saved json.RawMessage
	if before != nil {
		saved = before.draft.Save()
	}
	s.work.apart(func(context.Context) {
		form := forms.Parse(schema, forms.Options{Purpose: forms.Arguments})
		fits := form.NewDraft()
		if saved != nil {
			// The draft was saved a moment ago: it can be read.
			_, _ = fits.RestoreFitting(saved)
		}
		saved := fits.Save()
		s.do.Do(func() {
			// What Save gives, Restore takes.
			_ = a.begin(form, saved)
			a.reading = false
			if s.at == at {
				s.choose(at)
			}
		})
	})
}

func (p *runPage) draw() {
	s, t := p.s, p.thing
	head := []fyne.CanvasObject{kit.Label(line(t.title), titleText)}
	if p.at.section == sectionResource && t.title != p.at.name {
		head = append(head, words(p.env, p.at.name, monoText, maxMessage))
	}
	if t.about != "" {
		head = append(head, words(p.env, t.about, bodyText, maxMessage))
	}
	inside := kit.Column(gap, kit.Column(gapSmall, head...))
	objects := []fyne.CanvasObject{p.notes}
	p.form = nil
	if a := p.sheet(); a != nil {
		if len(a.form.Problems) > 0 {
			objects = append(objects, kit.NewNotice(kit.Info, s.t("ui.form.faults"), s.sentences(a.form.Problems)))
		}
		p.form = newFormView(&s.surroundings, p.env, &a.fill, p.changed, func() { p.body.Refresh() })
		if len(a.form.Fields) > 0 {
			inside.Add(p.form.box)
		}
	}
	p.drawNotes()
	objects = append(objects, kit.ServerArea(s.t("ui.from_server"), inside))
	p.body.Objects = objects
	p.body.Refresh()
	p.drawFoot()
}

// runNotes are what is to say about a thing beside its form.
type runNotes struct {
	state   mcpclient.ConnectionState
	waits   string // what connecting waits for
	gone    bool
	changed bool // the form is not that of now
	newForm bool // it took the place of one that was filled in
}

func (p *runPage) standing() runNotes {
	now, found := p.find()
	a := p.sheet()
	return runNotes{
		state:   p.v.status.State,
		waits:   p.s.say(p.s.waitOf(p.v.ID, "").page),
		gone:    !found,
		changed: found && a != nil && p.thing.kind != mcpclient.CallResource && !bytes.Equal(a.schema, now.schema),
		newForm: a != nil && a.before != nil,
	}
}

// drawNotes says what has become of the thing since the form was drawn.
func (p *runPage) drawNotes() {
	s, n := p.s, p.standing()
	p.drawnNotes = n
	var out []fyne.CanvasObject
	switch {
	case !isConnected(p.v.status):
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.run.off"), s.say(offText(n))))
	case n.gone:
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.run.gone"), ""))
	}
	switch {
	case n.changed:
		out = append(out, kit.RowFill(gap, 0, kit.NewNotice(kit.Caution, s.t("ui.run.changed"), s.t("ui.run.changed_body")),
			p.button(s.t("ui.run.use_new"), kit.Plain, p.useNew)))
	case n.newForm:
		out = append(out, kit.RowFill(gap, 0, kit.NewNotice(kit.Info, "", s.t("ui.run.new_form")),
			p.button(s.t("ui.run.use_old"), kit.Plain, p.useOld)))
	}
	p.notes.Objects = out
	p.notes.Refresh()
	p.body.Refresh()
}

// offText is what is being done about a server that cannot be asked.
func offText(n runNotes) i18n.Message {
	switch {
	case isComing(n.state) && n.waits != "":
		return i18n.M("ui.run.off_waits", "Why", n.waits)
	case isComing(n.state):
		return i18n.M("ui.run.off_coming")
	}
	return i18n.M("ui.run.off_kept")
}

// useNew takes the form of now; the one that was filled in stays for useOld.
func (p *runPage) useNew() {
	old := p.sheet()
	p.leave()
	p.look()
	p.parse(old)
	p.draw()
}

func (p *runPage) useOld() {
	p.s.argument[p.at] = p.sheet().before
	p.s.choose(p.at)
}

func (p *runPage) button(text string, im kit.Importance, do func()) *kit.Button {
	return kit.NewButton(kit.ButtonOptions{Env: p.env, Text: text, Importance: im, EnterTaps: true, OnTapped: do})
}

func (p *runPage) drawFoot() {
	s, a := p.s, p.sheet()
	if p.sure {
		back := p.button(s.t("ui.ask.back"), kit.Plain, p.unsure)
		names := ""
		if a != nil {
			names = s.placesOf(a.draft, a.draft.SecretsTyped())
		}
		p.foot.Objects = []fyne.CanvasObject{kit.NewNotice(kit.Caution, s.t("ui.run.secret"), names),
			kit.ActionBar(nil, []fyne.CanvasObject{back, p.button(s.t("ui.run.secret_yes"), kit.Grave, func() { p.run(true) })})}
		p.whole.Refresh()
		s.win.Canvas().Focus(back)
		return
	}
	key := "ui.run.run"
	if p.at.section == sectionResource {
		key = "ui.run.read"
	}
	act := kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t(key), Shortcut: "Ctrl ↵", Importance: kit.Primary, EnterTaps: true,
		OnTapped: p.submit})
	p.drawnReady = p.ready()
	if !p.drawnReady {
		act.Disable()
	}
	var left, foot []fyne.CanvasObject
	p.preview = nil
	if a != nil && len(a.form.Fields) > 0 {
		p.preview = newPreview(&s.surroundings, p.env, &a.fill, p.whole.Refresh)
		left, foot = []fyne.CanvasObject{p.preview.toggle}, []fyne.CanvasObject{p.preview.object}
	}
	if n := wholeNotice(&s.surroundings, "ui.run.not_run", p.rest); n != nil {
		foot = append([]fyne.CanvasObject{n}, foot...)
	}
	p.foot.Objects = append(foot, kit.ActionBar(left, []fyne.CanvasObject{p.button(s.t("ui.run.back"), kit.Plain, p.back), act}))
	p.whole.Refresh()
}

// ready reports whether the thing can be run now.
func (p *runPage) ready() bool {
	if _, found := p.find(); !found || p.v.status.State != mcpclient.Connected {
		return false
	}
	a := p.sheet()
	return p.thing.kind == mcpclient.CallResource || a != nil && a.form.Answerable()
}

func (p *runPage) changed() {
	if p.rest != nil {
		p.rest = nil
		p.drawFoot()
	}
	if p.preview != nil {
		p.preview.stale()
	}
}

func (p *runPage) unsure() {
	p.sure = false
	p.drawFoot()
	if f := p.form.last(); f != nil {
		p.s.win.Canvas().Focus(f)
	}
}

func (p *runPage) submit() {
	if p.ready() && !p.sure {
		p.run(false)
	}
}

// run starts the request and goes to its page.
func (p *runPage) run(sure bool) {
	r := mcpclient.CallRequest{Kind: p.thing.kind, Name: p.at.name, Title: p.thing.title, By: mcpclient.ByWindow}
	started := &run{from: p.at}
	if a := p.sheet(); a != nil && p.thing.kind != mcpclient.CallResource {
		out := a.submit(sure)
		switch {
		case len(out.errors) > 0:
			p.sure = false
			p.drawFoot()
			p.showErrors(out.errors)
			return
		case len(out.secrets) > 0:
			p.sure = true
			p.drawFoot()
			return
		}
		r.Arguments = out.content
		started.fill, started.schema, started.of = a.copy(), a.schema, a.of
		a.sent = string(a.draft.Save())
	}
	p.s.start(p.v.ID, r, started)
}

func (p *runPage) showErrors(errs []forms.FieldError) {
	p.rest = p.form.lead(errs)
	if len(p.rest) > 0 {
		p.drawFoot()
	}
}

// copy is the form as it was sent, for the request's page.
func (f *fill) copy() *fill {
	c := &fill{}
	// What Save gives, Restore takes.
	_ = c.begin(f.form, f.draft.Save())
	return c
}

// start starts a request in the background; its page comes up once the request
// is there, unless the person has gone elsewhere meanwhile.
func (s *shell) start(serverID string, r mcpclient.CallRequest, started *run) {
	from := s.at
	var id string
	s.background(func() {
		if k := s.client.Connection(serverID); k != nil {
			id = k.Start(r)
		}
	}, func() {
		if id == "" {
			s.touchServer(serverID)
			if s.at == from && from.section == sectionRequest {
				s.choose(route{section: sectionServer, id: serverID}) // which says why not
			}
			return
		}
		s.runs[id] = started
		s.following = following{call: id, from: from}
		s.follow()
	})
}

// repeat sends a request once more, as it was; fresh asks the server also where
// an earlier result may still be used.
func (s *shell) repeat(c mcpclient.Call, fresh bool) {
	again := c.CallRequest
	again.By, again.Fresh = mcpclient.ByWindow, fresh
	r := s.runs[c.ID]
	if r == nil {
		r = &run{from: route{section: sectionServer, id: c.ServerID}}
	}
	s.start(c.ServerID, again, r)
}

// following is a request that was started and whose page is to come up.
type following struct {
	call string
	from route
}

// follow shows the page of a request just started, and a question of it that
// is there already.
func (s *shell) follow() {
	f := s.following
	if f.call == "" || s.desk.call(f.call) == nil {
		return
	}
	s.following = following{}
	if s.at == f.from {
		s.show(route{section: sectionRequest, id: f.call})
		s.showSignInOf(f.call)
		s.showOpenQuestion(f.call)
	}
}

// showOpenQuestion brings up a question that was there before the request's
// page was.
func (s *shell) showOpenQuestion(callID string) {
	for _, q := range s.desk.ofCall(callID) {
		if sh := s.sheets[q.ID]; sh != nil && sh.open() {
			s.show(route{section: sectionQuestion, id: q.ID})
			return
		}
	}
}

// runAgain goes back to where a request came from, filled in as it was.
func (s *shell) runAgain(r *run) {
	if r.fill != nil {
		s.argument[r.from] = &argSheet{fill: *r.fill.copy(), schema: r.schema, of: r.of, sent: string(r.fill.draft.Save())}
	}
	s.choose(r.from)
}

func (p *runPage) back() { p.s.choose(route{section: sectionServer, id: p.v.ID}) }

func (p *runPage) object() fyne.CanvasObject { return p.whole }

func (p *runPage) first() fyne.Focusable {
	if p.form == nil {
		return nil
	}
	return p.form.first()
}

func (p *runPage) escape() {
	if p.sure {
		p.unsure()
		return
	}
	p.back()
}

func (p *runPage) update(ch *changes) {
	if !ch.servers[p.v.ID] {
		return
	}
	if p.renew() {
		return
	}
	if p.standing() != p.drawnNotes {
		p.drawNotes()
		p.s.keepInView()
	}
	if !p.sure && p.ready() != p.drawnReady {
		p.drawFoot()
	}
}

// renew draws the thing as it is described now, unless something was entered:
// that is not taken from under the person's hands.
func (p *runPage) renew() bool {
	now, found := p.find()
	same := found && !p.thing.gone && bytes.Equal(now.raw, p.thing.raw) || !found && p.thing.gone
	if a := p.s.argument[p.at]; same || p.sure || a != nil && (a.reading || a.touched()) {
		return false
	}
	held := p.s.win.Canvas().Focused() != nil
	p.leave()
	p.look()
	p.read()
	p.draw()
	if f := p.first(); held && f != nil {
		p.s.win.Canvas().Focus(f)
	}
	return true
}

func (p *runPage) leave() {
	if p.form != nil {
		p.form.close()
	}
}
