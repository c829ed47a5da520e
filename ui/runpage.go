package ui

import (
	"context"
	"encoding/json"

	"fyne.io/fyne/v2"

	"parley/forms"
	"parley/mcpclient"
	"parley/ui/kit"
)

// argSheet is what the person fills in to run a tool or a prompt. It outlives
// its page.
type argSheet struct {
	fill
	reading bool
}

// runPage is one thing a server offers: what it is, its arguments, and the
// button that runs it.
type runPage struct {
	s          *shell
	v          *serverState
	at         route
	kind       mcpclient.CallKind
	title      string
	about      string
	schema     json.RawMessage
	gone       bool
	env        *kit.Env
	reveal     *kit.Reveal
	form       *formView
	preview    *preview
	body       *fyne.Container
	foot       *fyne.Container
	whole      fyne.CanvasObject
	drawnReady bool
	sure       bool // secrets are to be sent: the second yes is asked for
}

func newRunPage(s *shell, v *serverState, at route) *runPage {
	p := &runPage{s: s, v: v, at: at, env: s.env(), body: kit.Column(gap), foot: kit.Column(gap)}
	p.look()
	p.reveal = kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = p.reveal
	id, _ := v.Identify()
	p.whole = pageFrame(s.banner(p.env, id, v.ID), p.reveal, p.foot)
	p.read()
	p.draw()
	return p
}

// look finds what the page is about in what the server offers.
func (p *runPage) look() {
	p.gone, p.title = true, p.at.name
	if p.v.offer == nil {
		return
	}
	switch p.at.section {
	case sectionTool:
		p.kind = mcpclient.CallTool
		for _, t := range p.v.offer.tools {
			if t.Name == p.at.name {
				p.gone, p.title, p.about, p.schema = false, t.DisplayTitle(), t.Description, t.InputSchema
			}
		}
	case sectionPrompt:
		p.kind = mcpclient.CallPrompt
		for _, t := range p.v.offer.prompts {
			if t.Name == p.at.name {
				p.gone, p.title, p.about, p.schema = false, t.DisplayTitle(), t.Description, t.Schema()
			}
		}
	case sectionResource:
		p.kind = mcpclient.CallResource
		for _, r := range p.v.offer.resources {
			if r.URI == p.at.name {
				p.gone, p.title, p.about = false, r.DisplayTitle(), r.Description
			}
		}
	}
}

// sheet is what was filled in here before, nil until the schema was read.
func (p *runPage) sheet() *argSheet {
	if a := p.s.argument[p.at]; a != nil && !a.reading {
		return a
	}
	return nil
}

// read parses the schema in the background, once.
func (p *runPage) read() {
	if p.gone || p.s.argument[p.at] != nil {
		return
	}
	s, at, schema := p.s, p.at, p.schema
	a := &argSheet{reading: true}
	s.argument[at] = a
	s.work.apart(func(context.Context) {
		form := forms.Parse(schema, forms.Options{Purpose: forms.Arguments})
		s.do.Do(func() {
			// A fresh draft has nothing to restore that could fail.
			_ = a.begin(form, nil)
			a.reading = false
			if s.at == at {
				s.choose(at)
			}
		})
	})
}

func (p *runPage) draw() {
	s := p.s
	head := []fyne.CanvasObject{kit.Label(line(p.title), titleText)}
	if p.at.section == sectionResource && p.title != p.at.name {
		head = append(head, words(p.env, p.at.name, monoText, maxMessage))
	}
	if p.about != "" {
		head = append(head, words(p.env, p.about, bodyText, maxMessage))
	}
	inside := kit.Column(gap, kit.Column(gapSmall, head...))
	objects := []fyne.CanvasObject{}
	if p.gone {
		objects = append(objects, kit.NewNotice(kit.Caution, s.t("ui.run.gone"), ""))
	}
	if a := p.sheet(); a != nil {
		if len(a.form.Problems) > 0 {
			objects = append(objects, kit.NewNotice(kit.Info, s.t("ui.form.faults"), s.sentences(a.form.Problems)))
		}
		p.form = newFormView(&s.surroundings, p.env, &a.fill, p.changed, func() { p.body.Refresh() })
		if len(a.form.Fields) > 0 {
			inside.Add(p.form.box)
		}
	}
	objects = append(objects, kit.ServerArea(s.t("ui.from_server"), inside))
	p.body.Objects = objects
	p.body.Refresh()
	p.drawFoot()
}

func (p *runPage) button(text string, im kit.Importance, do func()) *kit.Button {
	return kit.NewButton(kit.ButtonOptions{Env: p.env, Text: text, Importance: im, EnterTaps: true, OnTapped: do})
}

func (p *runPage) drawFoot() {
	s, a := p.s, p.sheet()
	if p.sure {
		back := p.button(s.t("ui.ask.back"), kit.Plain, p.unsure)
		p.foot.Objects = []fyne.CanvasObject{kit.NewNotice(kit.Caution, s.t("ui.run.secret"), ""),
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
	p.foot.Objects = append(foot, kit.ActionBar(left, []fyne.CanvasObject{p.button(s.t("ui.run.back"), kit.Plain, p.back), act}))
	p.whole.Refresh()
}

// ready reports whether the thing can be run now.
func (p *runPage) ready() bool {
	if p.gone || p.v.status.State != mcpclient.Connected {
		return false
	}
	a := p.sheet()
	return p.kind == mcpclient.CallResource || a != nil && a.form.Answerable()
}

func (p *runPage) changed() {
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
	r := mcpclient.CallRequest{Kind: p.kind, Name: p.at.name, Title: p.title, By: mcpclient.ByWindow}
	started := &run{from: p.at}
	if a := p.sheet(); a != nil && p.kind != mcpclient.CallResource {
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
		started.fill = a.copy()
	}
	p.s.start(p.v.ID, r, started)
}

func (p *runPage) showErrors(errs []forms.FieldError) {
	first := p.form.showFaults(errs)
	if first == nil {
		return
	}
	p.reveal.Relayout()
	p.reveal.IntoView(first.row)
	if first.control != nil {
		p.s.win.Canvas().Focus(first.control.FocusTarget())
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
			return
		}
		s.runs[id] = started
		s.following = following{call: id, from: from}
		s.follow()
	})
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
		s.argument[r.from] = &argSheet{fill: *r.fill.copy()}
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
	was := p.gone
	p.look()
	if was != p.gone {
		p.read()
		p.draw()
		return
	}
	if !p.sure && p.ready() != p.drawnReady {
		p.drawFoot()
	}
}

func (p *runPage) leave() {
	if p.form != nil {
		p.form.close()
	}
}
