package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// importPage offers servers of other apps. First it asks where they are: in text
// that is pasted, in a file that is dropped, in a file that was found. Then each
// stands there with exactly what would be reached or started, and nothing is
// before the person says so.
type importPage struct {
	base
	s      *shell
	env    *kit.Env
	head   *fyne.Container
	body   *fyne.Container
	foot   *fyne.Container
	paste  *kit.LongEntry // nil while no source is asked for
	pasted *kit.FieldRow  // of paste; both stay as long as they are shown
	add    *kit.Button
	files  []*kit.SideItem // those that were found
	checks []*kit.Check
	inputs map[string]*kit.FieldRow
	needs  *fyne.Container
	whole  fyne.CanvasObject
	// builder draws the servers that were read, in pieces.
	builder *kit.Builder
}

func newImportPage(s *shell) *importPage {
	p := &importPage{s: s, env: s.env(), head: kit.Column(0), body: kit.Column(gap), foot: kit.Column(gap)}
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.whole = pageFrame(p.head, reveal, p.foot)
	p.draw()
	s.lookForFiles()
	return p
}

func (p *importPage) draw() {
	s, m := p.s, &p.s.importing
	p.head.Objects = []fyne.CanvasObject{kit.Heading(s.t("ui.import.heading"))}
	if !m.asksSource() && m.read {
		p.head.Objects = []fyne.CanvasObject{kit.Heading(s.importTitle())}
		if m.file != "" {
			p.head.Objects = append(p.head.Objects, kit.Label(whole(m.file), kit.Style{Size: kit.SizeHint, Color: kit.ColorMuted, Mono: true}))
		}
	}
	if p.builder != nil {
		p.builder.Stop()
	}
	p.files, p.checks, p.inputs, p.add = nil, nil, nil, nil
	if !m.asksSource() {
		p.paste, p.pasted = nil, nil
	}
	var objects []fyne.CanvasObject
	if !m.trouble.IsZero() && !m.anew {
		objects = append(objects, kit.NewNotice(kit.Danger, s.say(m.trouble), ""))
	}
	switch {
	case m.reading:
		objects = append(objects, kit.Sentence(s.t("ui.import.reading"), mutedText))
	case m.asksSource():
		objects = append(objects, p.sources()...)
	default:
		objects = append(objects, p.offered()...)
	}
	p.body.Objects = objects
	p.drawFoot()
	p.count()
	p.whole.Refresh()
}

// sources are the places that servers can be taken from.
func (p *importPage) sources() []fyne.CanvasObject {
	s, m := p.s, &p.s.importing
	if p.paste == nil {
		p.paste = kit.NewLongEntry(kit.TextEntryOptions{Env: p.env, Text: m.pasted, Lines: 7, Mono: true, OnChanged: func(text string) {
			m.pasted = text
			p.count()
		}})
		p.pasted = kit.NewFieldRow(kit.FieldRowOptions{Env: p.env, Label: line(s.t("ui.import.paste")), Wide: true, Control: p.paste,
			Hint: []kit.Run{kit.Own(s.t("ui.import.paste_hint"), hintText)}})
	}
	out := []fyne.CanvasObject{kit.NewNotice(kit.Info, s.t("ui.import.quiet_read"), ""), kit.Card(kit.NewFormGrid(p.env, p.pasted))}
	if len(m.known) == 0 {
		return out
	}
	found := []fyne.CanvasObject{kit.Pad(0, 0, gapSmall, 0, kit.Sentence(s.t("ui.import.found"), boldText))}
	for _, f := range m.known {
		item := kit.NewSideItem(kit.SideItemOptions{Env: p.env, Icon: kit.IconComputer, Title: line(f.App), Subtitle: line(f.Path),
			OnTapped: func() { s.readFile(f.Path) }})
		p.files = append(p.files, item)
		found = append(found, item)
	}
	return append(out, kit.Column(2, found...))
}

// offered are the servers that were read.
func (p *importPage) offered() []fyne.CanvasObject {
	s, m := p.s, &p.s.importing
	var out []fyne.CanvasObject
	if len(m.rows) > 0 {
		out = append(out, kit.NewNotice(kit.Info, s.t("ui.import.quiet"), s.t("ui.import.quiet_body")))
	} else {
		out = append(out, kit.Sentence(s.t("ui.import.none"), mutedText))
	}
	p.needs = kit.Column(gap)
	p.drawNeeds()
	out = append(out, p.drawRows(), p.needs)
	if len(m.problems) > 0 {
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.import.problems"), s.sentences(m.problems)))
	}
	return out
}

// fewRows is how many of the servers that were read are drawn at a time.
const fewRows = 4

// drawRows draws the servers that were read, the first at once.
func (p *importPage) drawRows() fyne.CanvasObject {
	box := kit.Column(gap)
	drawing := true
	var steps []func()
	for some := range slices.Chunk(p.s.importing.rows, fewRows) {
		steps = append(steps, func() {
			for _, r := range some {
				box.Objects = append(box.Objects, p.row(r))
			}
			if !drawing { // else the page is laid out as a whole
				box.Refresh()
				p.env.Reveal.Relayout()
			}
		})
	}
	p.builder = kit.NewBuilder(p.s.do, nil)
	p.builder.Add(steps...)
	drawing = false
	return box
}

// drawNeeds asks for what the ticked servers need.
func (p *importPage) drawNeeds() {
	s, m := p.s, &p.s.importing
	p.inputs = map[string]*kit.FieldRow{}
	needed := m.needed()
	p.needs.Objects = nil
	if len(needed) == 0 {
		return
	}
	var rows []*kit.FieldRow
	for _, in := range needed {
		rows = append(rows, p.input(in))
	}
	p.needs.Objects = []fyne.CanvasObject{kit.Card(kit.Column(gap,
		kit.Column(2, kit.Sentence(s.t("ui.import.needs"), boldText), kit.Sentence(s.t("ui.import.needs_hint", "Kept", s.kept()), hintText)),
		kit.NewFormGrid(p.env, rows...)))}
}

// input asks for one of them.
func (p *importPage) input(in config.Input) *kit.FieldRow {
	s, m := p.s, &p.s.importing
	var control kit.Control
	switch {
	case len(in.Options) > 0 && !in.Secret:
		options := make([]kit.Option, len(in.Options))
		for i, o := range in.Options {
			options[i] = kit.Option{Label: line(o)}
		}
		control = kit.NewPicker(kit.PickerOptions{Env: p.env, Options: options, Selected: slices.Index(in.Options, m.answers[in.ID]), OnChanged: func(i int) {
			if i >= 0 {
				p.answer(in.ID, in.Options[i])
			}
		}})
	default:
		control = kit.NewLongEntry(kit.TextEntryOptions{Env: p.env, Text: m.answers[in.ID], Masked: in.Secret, OnChanged: func(text string) { p.answer(in.ID, text) }})
	}
	var hint []kit.Run
	if in.Server != "" && len(m.rows) > 1 {
		hint = append(hint, kit.Own(s.t("ui.import.for", "Server", line(in.Server).String())+"  ", hintText))
	}
	if in.Text != "" {
		hint = append(hint, kit.Server(line(in.Text), hintText), kit.Own("  ", hintText))
	}
	hint = append(hint, kit.Server(line(in.Stands), monoText))
	row := kit.NewFieldRow(kit.FieldRowOptions{Env: p.env, Label: line(s.say(in.Label)), Required: !in.Optional, Hint: hint, Control: control})
	if m.missing[in.ID] {
		row.SetError(s.t("ui.import.missing"))
	}
	p.inputs[in.ID] = row
	return row
}

// answer takes in what was entered for an input; it is missing no longer.
func (p *importPage) answer(id, text string) {
	m := &p.s.importing
	m.answers[id] = text
	if text != "" && m.missing[id] {
		delete(m.missing, id)
		p.inputs[id].SetError("")
	}
}

func (p *importPage) drawFoot() {
	s, m := p.s, &p.s.importing
	not := kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.import.not_now"), Shortcut: "Esc", EnterTaps: true, OnTapped: p.escape})
	words := "ui.import.add"
	if m.asksSource() || m.reading {
		words = "ui.import.read"
	}
	p.add = kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t(words), Shortcut: "Ctrl ↵", Importance: kit.Primary, EnterTaps: true, OnTapped: p.submit})
	var left []fyne.CanvasObject
	to := func(words string, do func()) {
		left = append(left, kit.NewButton(kit.ButtonOptions{Env: p.env, Text: words, Importance: kit.Quiet, EnterTaps: true, OnTapped: do}))
	}
	switch {
	case m.read && !m.anew:
		to(s.t("ui.import.other"), func() { p.ask(true) })
	case m.anew:
		to(s.importTitle(), func() { p.ask(false) })
	}
	p.foot.Objects = []fyne.CanvasObject{kit.ActionBar(left, []fyne.CanvasObject{not, p.add})}
}

// ask changes between where servers can be taken from and those that were read.
func (p *importPage) ask(source bool) {
	p.s.importing.anew = source
	p.redraw()
	if f := p.first(); f != nil {
		p.s.win.Canvas().Focus(f)
	}
}

// row is one server: its name to tick, where it is, and what there is to know.
func (p *importPage) row(r *importRow) fyne.CanvasObject {
	s, v := p.s, r.offer.Server
	check := kit.NewCheck(p.env, line(r.name).String(), r.ticked, func(ticked bool) {
		r.ticked = ticked
		p.drawNeeds()
		p.needs.Refresh()
		p.env.Reveal.Relayout()
		p.count()
	})
	p.checks = append(p.checks, check)
	mono := kit.Style{Size: kit.SizeBody, Mono: true}
	part := func(title i18n.Message, content fyne.CanvasObject) fyne.CanvasObject {
		return kit.Column(0, kit.Sentence(s.say(title), hintText), content)
	}
	box := []fyne.CanvasObject{check}
	if v.Kind == mcpclient.Stdio {
		box = append(box, part(i18n.M("ui.import.program"), exactText(p.env, r.shown.command, mono)))
		if v.Dir != "" {
			box = append(box, part(i18n.M("ui.allow.folder"), s.folderOf(v)))
		}
	} else {
		box = append(box, part(i18n.M("ui.add.url"), kit.Label(whole(v.URL), mono)))
	}
	for _, t := range r.shown.tables {
		if len(t.lines) > 0 {
			box = append(box, part(t.words, t.object(p.env, mono)))
		}
		if t.secret != "" {
			box = append(box, kit.Sentence(s.t("ui.import.secrets", "What", t.words, "Kept", s.kept(), "Names", t.secret), mutedText))
		}
	}
	if r.offer.Token {
		box = append(box, kit.Sentence(s.t("ui.import.token", "Kept", s.kept()), mutedText))
	}
	if r.offer.ClientSecret {
		box = append(box, kit.Sentence(s.t("ui.import.client_secret", "Kept", s.kept()), mutedText))
	}
	for _, n := range r.doubts {
		box = append(box, kit.Sentence(s.say(n), cautionText))
	}
	for _, n := range r.notes {
		box = append(box, kit.Sentence(s.say(n), hintText))
	}
	return kit.Card(kit.Column(6, box...))
}

// count lets what was pasted be read, and the ticked ones be added, if there are
// any.
func (p *importPage) count() {
	m := &p.s.importing
	ready := !m.adding && len(m.ticked()) > 0
	if m.asksSource() {
		ready = m.pasted != ""
	}
	if ready {
		p.add.Enable()
	} else {
		p.add.Disable()
	}
}

// sayKept implements placed.
func (p *importPage) sayKept() { p.redraw() }

// redraw draws the page anew. The keyboard stays with what is there again, and with
// nothing that is there no longer: its keys would be lost on it.
func (p *importPage) redraw() {
	c := p.s.win.Canvas()
	held := c.Focused()
	check := slices.IndexFunc(p.checks, func(k *kit.Check) bool { return held == fyne.Focusable(k) })
	file := slices.IndexFunc(p.files, func(f *kit.SideItem) bool { return held == fyne.Focusable(f) })
	had := check >= 0 || file >= 0 || p.paste != nil && held == p.paste.FocusTarget()
	if o, ok := held.(fyne.CanvasObject); ok && contains(p.foot, o) {
		had = true
	}
	input := ""
	for id, row := range p.inputs {
		if held == row.Control().FocusTarget() {
			input, had = id, true
		}
	}
	p.draw()
	switch row := p.inputs[input]; {
	case check >= 0 && check < len(p.checks):
		c.Focus(p.checks[check])
	case row != nil:
		c.Focus(row.Control().FocusTarget())
	case had && (p.paste == nil || held != p.paste.FocusTarget()):
		c.Unfocus()
	}
}

func (p *importPage) leave() {
	if p.builder != nil {
		p.builder.Stop()
	}
}

func (p *importPage) object() fyne.CanvasObject { return p.whole }

func (p *importPage) first() fyne.Focusable {
	switch {
	case p.paste != nil:
		return p.paste.FocusTarget()
	case len(p.checks) > 0:
		return p.checks[0]
	}
	return nil
}

func (p *importPage) submit() {
	s, m := p.s, &p.s.importing
	switch {
	case m.asksSource():
		if m.pasted != "" {
			s.readPasted()
		}
	case m.read:
		s.addTicked()
		for _, in := range m.needed() {
			if row := p.inputs[in.ID]; m.missing[in.ID] && row != nil {
				s.win.Canvas().Focus(row.Control().FocusTarget())
				s.keepInView()
				return
			}
		}
	}
}

// escape goes back to where the person was; what is ticked stays, and can be gone
// back to from here.
func (p *importPage) escape() { p.s.choose(p.s.importing.cameFrom) }
