package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/config"
	"parley/mcpclient/wire"
	"parley/ui/kit"
)

// addSheet is what the person has entered on the page that adds a server.
type addSheet struct {
	byCommand bool
	name, url string
	// program, arguments (one a line) and folder start a server.
	program, arguments, folder string
	// token is the access token for an address: it lives here and in the
	// keychain, and nowhere else.
	token   string
	fault   string // field with a fault: "url", "token" or "program"
	trouble i18n.Message
	storing bool // Add was pressed
}

// server is the server as entered. The argument list is the lines as they
// stand: no shell and no quoting take part.
func (a *addSheet) server() mcpclient.Server {
	if !a.byCommand {
		return mcpclient.Server{Name: a.name, Kind: mcpclient.HTTP, URL: strings.TrimSpace(a.url)}
	}
	v := mcpclient.Server{Name: a.name, Kind: mcpclient.Stdio, Command: strings.TrimSpace(a.program), Dir: strings.TrimSpace(a.folder)}
	if a.arguments != "" {
		v.Args = strings.Split(strings.TrimSuffix(a.arguments, "\n"), "\n")
	}
	return v
}

// check finds out whether the entries make a server, and fills in a name when
// none was given.
func (a *addSheet) check() (mcpclient.Server, bool) {
	v := a.server()
	a.fault, a.trouble = "", i18n.Message{}
	id, err := v.Identify()
	if err != nil {
		a.fault, a.trouble = "url", wire.Sentence(err)
		if a.trouble.IsZero() {
			a.trouble = i18n.M("ui.add.bad_address")
		}
		if a.byCommand {
			a.fault, a.trouble = "program", i18n.M("ui.add.no_program")
		}
		return v, false
	}
	if !a.byCommand && a.token != "" {
		if err := auth.CheckFor(v, a.token); err != nil {
			a.fault, a.trouble = "token", secretTrouble(err)
			return v, false
		}
	}
	if v.Name = strings.TrimSpace(v.Name); v.Name == "" {
		v.Name = id.Name
	}
	return v, true
}

// addPage adds a server by its address or by a command. Nothing is reached or
// started before the person says so.
type addPage struct {
	base
	s     *shell
	env   *kit.Env
	body  *fyne.Container
	foot  *fyne.Container
	whole fyne.CanvasObject
	rows  map[string]*kit.FieldRow
	focus map[string]fyne.Focusable
}

func newAddPage(s *shell) *addPage {
	p := &addPage{s: s, env: s.env(), body: kit.Column(gap), foot: kit.Column(gap)}
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.whole = pageFrame(kit.Heading(s.t("ui.side.add")), reveal, p.foot)
	p.draw()
	return p
}

func (p *addPage) draw() {
	s, a := p.s, &p.s.adding
	p.rows, p.focus = map[string]*kit.FieldRow{}, map[string]fyne.Focusable{}
	kinds := []kit.Option{{Label: line(s.t("ui.add.by_url"))}, {Label: line(s.t("ui.add.by_command"))}}
	selected := 0
	if a.byCommand {
		selected = 1
	}
	picker := kit.NewPicker(kit.PickerOptions{Env: p.env, Options: kinds, Selected: selected, OnChanged: func(i int) {
		if (i == 1) != a.byCommand && i >= 0 {
			a.byCommand = i == 1
			p.draw()
			s.win.Canvas().Focus(p.focus["kind"])
		}
	}})
	rows := []*kit.FieldRow{
		p.row("kind", s.t("ui.add.kind"), "", false, picker, false),
		p.row("name", s.t("ui.add.name"), s.t("ui.add.name_hint"), false, p.entry(&a.name, "", 0), false),
	}
	if a.byCommand {
		rows = append(rows,
			p.row("program", s.t("ui.add.program"), s.t("ui.add.program_hint"), true, p.mono(&a.program, 0), false),
			p.row("folder", s.t("ui.add.folder"), s.t("ui.add.folder_hint"), false, p.mono(&a.folder, 0), false),
			p.row("arguments", s.t("ui.add.arguments"), s.t("ui.add.arguments_hint"), false, p.mono(&a.arguments, 5), true))
	} else {
		rows = append(rows, p.row("url", s.t("ui.add.url"), s.t("ui.add.url_hint"), true, p.entry(&a.url, "https://", 0), true))
		if s.o.Tokens != nil {
			rows = append(rows, p.row("token", s.t("ui.add.token"), s.t("ui.token.hint"), false, tokenEntry(p.env, &a.token), true))
		}
	}
	p.sayAlike()
	if a.fault != "" {
		p.rows[a.fault].SetError(s.say(a.trouble))
	}
	objects := []fyne.CanvasObject{kit.Card(kit.NewFormGrid(p.env, rows...))}
	if a.byCommand {
		objects = append(objects, kit.NewNotice(kit.Caution, s.t("ui.add.code"), s.t("ui.add.code_body")))
	}
	if a.fault == "" && !a.trouble.IsZero() {
		objects = append(objects, kit.NewNotice(kit.Danger, s.say(a.trouble), ""))
	}
	p.body.Objects = objects
	key := "ui.add.connect"
	if a.byCommand {
		key = "ui.add.review"
	}
	var left []fyne.CanvasObject
	if m := s.importing; m != nil && len(m.rows) > 0 {
		left = append(left, kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.import.title", "File", line(m.file).String()),
			EnterTaps: true, OnTapped: func() { s.choose(route{section: sectionImport}) }}))
	}
	p.foot.Objects = []fyne.CanvasObject{kit.ActionBar(left, []fyne.CanvasObject{
		kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t(key), Shortcut: "Ctrl ↵", Importance: kit.Primary, EnterTaps: true, OnTapped: p.submit}),
	})}
	p.whole.Refresh()
}

func (p *addPage) row(name, label, hint string, required bool, c kit.Control, wide bool) *kit.FieldRow {
	r := kit.NewFieldRow(kit.FieldRowOptions{Env: p.env, Label: line(label), Required: required, Hint: []kit.Run{kit.Own(hint, hintText)}, Control: c, Wide: wide})
	p.rows[name], p.focus[name] = r, c.FocusTarget()
	return r
}

func (p *addPage) entry(into *string, placeholder string, lines int) *kit.TextEntry {
	return kit.NewTextEntry(kit.TextEntryOptions{Env: p.env, Text: *into, Placeholder: placeholder, Lines: lines,
		OnChanged: p.taker(into)})
}

func (p *addPage) mono(into *string, lines int) *kit.TextEntry {
	return kit.NewTextEntry(kit.TextEntryOptions{Env: p.env, Text: *into, Lines: lines, Mono: true,
		OnChanged: p.taker(into)})
}

// taker takes in what is typed. The name may follow from any of the entries.
func (p *addPage) taker(into *string) func(string) {
	return func(text string) {
		*into = text
		p.sayAlike()
	}
}

// sayAlike points out, below the name, that it looks like another server's.
func (p *addPage) sayAlike() {
	s := p.s
	v := s.adding.server()
	id, err := v.Identify()
	name := strings.TrimSpace(v.Name)
	if name == "" && err == nil {
		name = id.Name
	}
	hint := kit.Own(s.t("ui.add.name_hint"), hintText)
	if alike := s.alike(name, ""); name != "" && alike != "" {
		hint = kit.Own(alike, cautionText)
	}
	p.rows["name"].SetHint(hint)
}

// submit stores the server. An address is reached at once, which is what the
// person asked for; a command goes to the page that asks for leave to start it.
func (p *addPage) submit() {
	s, a := p.s, &p.s.adding
	if a.storing {
		return
	}
	v, ok := a.check()
	if !ok {
		p.draw()
		s.win.Canvas().Focus(p.focus[a.fault])
		return
	}
	a.storing = true
	token := ""
	if !a.byCommand {
		token = a.token
	}
	var stored mcpclient.Server
	var err error
	s.background(func() { stored, err = s.o.Store.Add(v) }, func() {
		a.storing = false
		if err != nil {
			a.trouble = config.Sentence(err)
			if s.page == page(p) {
				p.draw()
			}
			return
		}
		*a = addSheet{}
		s.added(stored, token)
	})
}

// added takes a stored server into the window and goes on with it. Its token is
// kept before it is first reached.
func (s *shell) added(v mcpclient.Server, token string) {
	state := &serverState{Server: v, allowed: v.Kind != mcpclient.Stdio}
	s.desk.servers = append(s.desk.servers, state)
	s.learnOrigin(v)
	s.touchServer(v.ID)
	if !state.allowed {
		s.choose(route{section: sectionAllow, id: v.ID})
		return
	}
	s.choose(route{section: sectionServer, id: v.ID})
	if token != "" {
		s.keepToken(state, token)
		return
	}
	s.connect(state)
}

// storeTrouble is why something could not be stored.
func (s *shell) storeTrouble(err error) string { return s.say(config.Sentence(err)) }

func (p *addPage) object() fyne.CanvasObject { return p.whole }

// first is what is pasted most: the kind stands before it.
func (p *addPage) first() fyne.Focusable {
	if p.s.adding.byCommand {
		return p.focus["program"]
	}
	return p.focus["url"]
}
