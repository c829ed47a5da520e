package ui

import (
	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// addPage adds a server by its address or by a command. Nothing is reached or
// started before the person says so.
type addPage struct {
	base
	s     *shell
	env   *kit.Env
	form  *serverForm
	body  *fyne.Container
	foot  *fyne.Container
	whole fyne.CanvasObject
}

func newAddPage(s *shell) *addPage {
	p := &addPage{s: s, env: s.env(), body: kit.Column(gap), foot: kit.Column(gap)}
	p.form = &serverForm{s: s, sh: &s.adding, env: p.env, redraw: p.draw}
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.whole = pageFrame(kit.Heading(s.t("ui.side.add")), reveal, p.foot)
	p.draw()
	return p
}

func (p *addPage) draw() {
	s, sh := p.s, p.form.sh
	objects := p.form.objects()
	if !sh.trouble.IsZero() {
		objects = append(objects, kit.NewNotice(kit.Danger, s.say(sh.trouble), ""))
	}
	p.body.Objects = objects
	key := "ui.add.connect"
	if sh.byCommand() {
		key = "ui.add.review"
	}
	to := func(words string, do func()) fyne.CanvasObject {
		return kit.NewButton(kit.ButtonOptions{Env: p.env, Text: words, Importance: kit.Quiet, EnterTaps: true, OnTapped: do})
	}
	left := []fyne.CanvasObject{to(s.t("ui.import.open"), s.openImport)}
	if len(s.ownServers()) > 0 {
		left = append(left, to(s.t("ui.export.open"), func() { s.choose(route{section: sectionExport}) }))
	}
	p.form.test = kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.trial.try"), EnterTaps: true, OnTapped: p.form.try})
	p.foot.Objects = []fyne.CanvasObject{kit.ActionBar(left, []fyne.CanvasObject{
		p.form.test,
		kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t(key), Shortcut: "Ctrl ↵", Importance: kit.Primary, EnterTaps: true, OnTapped: p.submit}),
	})}
	p.whole.Refresh()
}

// submit stores the server. An address is reached at once, which is what the
// person asked for; a command goes to the page that asks for leave to start it.
func (p *addPage) submit() {
	s, sh := p.s, p.form.sh
	v, ok := p.form.submit()
	if !ok {
		return
	}
	token, typed := "", sh.draft.Typed()
	if !sh.byCommand() {
		token = sh.token
	}
	var stored mcpclient.Server
	var err error
	var exposed []string
	s.background(func() {
		stored, err = s.o.Store.Add(v)
		exposed = config.Exposed(stored) // one that was in the list before may have such values
	}, func() {
		p.form.stored(err, func() {
			*sh = serverSheet{}
			state := newlyAdded(stored)
			state.exposed.names = exposed
			s.added(state, typed, token)
		})
	})
}

// added takes a stored server into the window and goes on with it. Its secrets are
// kept before it is first reached.
func (s *shell) added(state *serverState, typed config.Typed, token string) {
	v := state.Server
	s.desk.addServer(state)
	s.learnOrigins(v)
	s.touchServer(v.ID)
	if !state.allowed() {
		s.choose(route{section: sectionAllow, id: v.ID})
		s.keepValues(state, mcpclient.Server{}, typed, nil)
		return
	}
	s.choose(route{section: sectionServer, id: v.ID})
	connect := func() { s.connect(state) }
	if token != "" {
		connect = func() { s.keepToken(state, token) }
	}
	s.keepValues(state, mcpclient.Server{}, typed, connect)
}

// newlyAdded is a server that was just stored: nobody has agreed to start it yet.
func newlyAdded(v mcpclient.Server) *serverState {
	state := &serverState{Server: v}
	if v.Kind != mcpclient.Stdio {
		state.leave = config.HasLeave
	}
	return state
}

// storeTrouble is why something could not be stored.
func (s *shell) storeTrouble(err error) string { return s.say(config.Sentence(err)) }

func (p *addPage) leave() { p.form.close() }

func (p *addPage) object() fyne.CanvasObject { return p.whole }

func (p *addPage) sayKept() { p.form.sayKept() }

func (p *addPage) first() fyne.Focusable { return p.form.first() }
