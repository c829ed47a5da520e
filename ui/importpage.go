package ui

import (
	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/ui/kit"
)

// importPage offers the servers of a file. Each stands there with exactly what
// would be reached or started, and nothing is before the person says so.
type importPage struct {
	base
	s      *shell
	env    *kit.Env
	body   *fyne.Container
	foot   *fyne.Container
	add    *kit.Button
	checks []*kit.Check
	whole  fyne.CanvasObject
}

func newImportPage(s *shell) *importPage {
	p := &importPage{s: s, env: s.env(), body: kit.Column(gap), foot: kit.Column(gap)}
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.whole = pageFrame(kit.Heading(s.t("ui.import.title", "File", line(s.importing.file).String())), reveal, p.foot)
	p.draw()
	return p
}

func (p *importPage) draw() {
	s, m := p.s, p.s.importing
	var objects []fyne.CanvasObject
	for _, problem := range s.o.Store.Problems() {
		objects = append(objects, kit.NewNotice(kit.Caution, s.say(problem), ""))
	}
	if !m.trouble.IsZero() {
		objects = append(objects, kit.NewNotice(kit.Danger, s.say(m.trouble), ""))
	}
	switch {
	case !m.read:
		objects = append(objects, kit.Sentence(s.t("ui.import.reading"), mutedText))
	case len(m.rows) > 0:
		objects = append(objects, kit.NewNotice(kit.Info, s.t("ui.import.quiet"), s.t("ui.import.quiet_body")))
	case m.trouble.IsZero():
		objects = append(objects, kit.Sentence(s.t("ui.import.none"), mutedText))
	}
	p.checks = nil
	for _, r := range m.rows {
		objects = append(objects, p.row(r))
	}
	if len(m.problems) > 0 {
		objects = append(objects, kit.NewNotice(kit.Caution, s.t("ui.import.problems"), s.sentences(m.problems)))
	}
	p.body.Objects = objects
	p.add = kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.import.add"), Shortcut: "Ctrl ↵", Importance: kit.Primary, EnterTaps: true, OnTapped: p.submit})
	p.foot.Objects = []fyne.CanvasObject{kit.ActionBar(nil, []fyne.CanvasObject{
		kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.import.not_now"), Shortcut: "Esc", EnterTaps: true, OnTapped: p.escape}),
		p.add,
	})}
	p.count()
	p.whole.Refresh()
}

// row is one server: its name to tick, where it is, and what there is to know.
func (p *importPage) row(r *importRow) fyne.CanvasObject {
	s := p.s
	check := kit.NewCheck(p.env, line(r.server.Name).String(), r.ticked, func(ticked bool) {
		r.ticked = ticked
		p.count()
	})
	p.checks = append(p.checks, check)
	mono := kit.Style{Size: kit.SizeBody, Mono: true}
	part := func(title i18n.Message, content *kit.Text) fyne.CanvasObject {
		return kit.Column(0, kit.Sentence(s.say(title), hintText), content)
	}
	box := kit.Column(6, check)
	if r.server.Kind == mcpclient.Stdio {
		box.Add(part(i18n.M("ui.import.program"), kit.Label(exactCommand(append([]string{r.server.Command}, r.server.Args...)), mono)))
		if r.server.Dir != "" {
			box.Add(part(i18n.M("ui.allow.folder"), kit.Label(whole(r.server.Dir), mono)))
		}
	} else {
		box.Add(part(i18n.M("ui.add.url"), kit.Label(whole(r.server.URL), mono)))
	}
	for _, n := range r.notes {
		box.Add(kit.Sentence(s.say(n), cautionText))
	}
	return kit.Card(box)
}

// count lets the ticked ones be added, if there are any.
func (p *importPage) count() {
	if m := p.s.importing; m.adding || len(m.ticked()) == 0 {
		p.add.Disable()
	} else {
		p.add.Enable()
	}
}

func (p *importPage) object() fyne.CanvasObject { return p.whole }

func (p *importPage) first() fyne.Focusable {
	if len(p.checks) == 0 {
		return nil
	}
	return p.checks[0]
}

func (p *importPage) submit() { p.s.addTicked() }

// escape leaves the page; what is ticked stays, and the page that adds a server
// leads back here.
func (p *importPage) escape() { p.s.choose(route{section: sectionQuestions}) }
