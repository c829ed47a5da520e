package ui

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// editPage changes a server of the list: what starts it or where it is, its
// values and settings, and its place.
type editPage struct {
	s     *shell
	v     *serverState
	env   *kit.Env
	form  *serverForm
	body  *fyne.Container
	foot  *fyne.Container
	whole fyne.CanvasObject
	up    *kit.Button
	down  *kit.Button
	taken bool // it was changed outside while the page was open, and nothing was entered
}

func newEditPage(s *shell, v *serverState) *editPage {
	p := &editPage{s: s, v: v, env: s.env(), body: kit.Column(gap), foot: kit.Column(gap)}
	p.form = &serverForm{s: s, sh: s.sheetOf(v), env: p.env, edit: true, redraw: p.draw}
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.whole = pageFrame(kit.Heading(s.t("ui.edit.title", "Name", line(v.Name).String())), reveal, p.foot)
	p.draw()
	return p
}

func (p *editPage) draw() {
	s, sh := p.s, p.form.sh
	objects := append(nonNil(p.place()), p.form.objects()...)
	objects = append(objects, p.signIn()...)
	if !sh.trouble.IsZero() {
		objects = append(objects, kit.NewNotice(kit.Danger, s.say(sh.trouble), ""))
	}
	switch {
	case sh.draft.Changed() && differs(sh.draft.Before(), p.v.Server):
		objects = append([]fyne.CanvasObject{kit.NewNotice(kit.Caution, "", s.t("ui.edit.outside"))}, objects...)
	case p.taken:
		objects = append([]fyne.CanvasObject{kit.NewNotice(kit.Info, "", s.t("ui.edit.taken"))}, objects...)
	}
	p.body.Objects = objects
	p.drawFoot()
}

func (p *editPage) drawFoot() {
	s, sh := p.s, p.form.sh
	button := func(words, shortcut string, im kit.Importance, do func()) *kit.Button {
		return kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t(words), Shortcut: shortcut, Importance: im, EnterTaps: true, OnTapped: do})
	}
	if sh.leaving {
		keep := button("ui.edit.keep_on", "Esc", kit.Plain, p.escape)
		p.foot.Objects = []fyne.CanvasObject{kit.Sentence(s.t("ui.edit.discard_ask"), boldText),
			kit.ActionBar(nil, []fyne.CanvasObject{keep, button("ui.edit.discard", "", kit.Grave, p.discard)})}
		p.whole.Refresh() // it is of another height
		return
	}
	p.form.test = button("ui.trial.try", "", kit.Plain, p.form.try)
	p.foot.Objects = []fyne.CanvasObject{kit.ActionBar(
		[]fyne.CanvasObject{button("ui.answer.cancel", "Esc", kit.Plain, p.escape)},
		[]fyne.CanvasObject{p.form.test, button("ui.edit.save", "Ctrl ↵", kit.Primary, p.submit)})}
	p.whole.Refresh()
}

// place tells where in the list the server is, and moves it; nil if there is no other.
func (p *editPage) place() fyne.CanvasObject {
	s := p.s
	own := s.ownServers()
	if len(own) < 2 {
		p.up, p.down = nil, nil
		return nil
	}
	at := slices.IndexFunc(own, func(v *serverState) bool { return v.ID == p.v.ID })
	move := func(words string, to int) *kit.Button {
		b := kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t(words), EnterTaps: true, OnTapped: func() { p.move(to) }})
		if to < 0 || to >= len(own) {
			b.Disable()
		}
		return b
	}
	p.up, p.down = move("ui.edit.up", at-1), move("ui.edit.down", at+1)
	return kit.Column(gapSmall, kit.Ends([]fyne.CanvasObject{kit.Sentence(s.t("ui.edit.place", "N", at+1, "Of", len(own)), bodyText)}, []fyne.CanvasObject{p.up, p.down}),
		kit.Sentence(s.t("ui.edit.place_hint"), hintText))
}

// move puts the server at another place of the list; the keyboard stays on the
// button as long as it can be pressed.
func (p *editPage) move(to int) {
	c := p.s.win.Canvas()
	up := c.Focused() == fyne.Focusable(p.up)
	p.s.moveServer(p.v.ID, to) // which draws the page anew
	target := p.down
	if up && !p.up.Disabled() || p.down.Disabled() {
		target = p.up
	}
	if !target.Disabled() {
		c.Focus(target)
		p.s.keepInView()
	}
}

// submit stores what was entered, its secrets with it.
func (p *editPage) submit() {
	s, sh := p.s, p.form.sh
	v, ok := p.form.submit()
	if !ok {
		return
	}
	v.SignIn = p.v.SignIn // which has a page of its own, that may have been opened from here
	before, typed := sh.draft.Before(), sh.draft.Typed()
	leave := config.NoLeave
	var exposed []string
	var err error
	store := func() {
		s.background(func() {
			if err = s.o.Store.Update(v); err == nil {
				leave, exposed = s.o.Store.Leave(v), config.Exposed(v)
			}
		}, func() {
			p.form.stored(err, func() {
				delete(s.edits, v.ID)
				if state := s.desk.server(v.ID); state != nil {
					state.exposed = exposure{names: exposed}
				}
				s.edited(before, v, typed, leave)
			})
		})
	}
	first := sh.draft.OutOfFile()
	if len(first.Env)+len(first.Headers) == 0 {
		store()
		return
	}
	s.work.apart(func(ctx context.Context) {
		// What comes of it is said when all of them are kept.
		_ = s.o.Values.Keep(ctx, v, v, first)
		s.do.Do(store)
	})
}

// edited takes a changed server into the window and goes on with it. What is kept
// for its old address goes before anything is kept for the new one.
func (s *shell) edited(before, v mcpclient.Server, typed config.Typed, leave config.Leave) {
	state := s.desk.server(v.ID)
	if state == nil {
		return
	}
	state.take(v, leave)
	if len(typed.Env)+len(typed.Headers) > 0 {
		state.changed = state.changed || isOpen(state.status)
	}
	s.learnOrigins(v)
	s.side.update(s)
	next := func() {
		if st := state.status.State; state.allowed() && st != mcpclient.Connected && st != mcpclient.Connecting && differs(before, v) {
			s.connect(state)
		}
	}
	if s.at == (route{section: sectionEdit, id: v.ID}) {
		s.choose(route{section: sectionServer, id: v.ID})
	}
	s.touchServer(v.ID)
	if s.o.Tokens != nil && before.Kind != mcpclient.Stdio && !config.SameOrigin(before, v) {
		state.emptied = isOpen(state.status)
		s.askKeychain(state, func(ctx context.Context) error { return s.o.Tokens.Forget(ctx, v.ID) }, "ui.edit.forgotten", func() {
			s.keepValues(state, mcpclient.Server{}, typed, next)
		})
		return
	}
	s.keepValues(state, before, typed, next)
}

// keepValues keeps the secret values of a server that were entered, in the
// background, and then calls then, which may be nil.
func (s *shell) keepValues(state *serverState, before mcpclient.Server, typed config.Typed, then func()) {
	v := state.Server
	if len(typed.Env)+len(typed.Headers) == 0 && len(before.SecretEnv)+len(before.SecretHeaders) == 0 {
		if then != nil {
			then()
		}
		return
	}
	state.keeping = true
	s.work.apart(func(ctx context.Context) {
		err := s.o.Values.Keep(ctx, before, v, typed)
		s.do.Do(func() {
			state.keeping = false
			if err != nil {
				said, passing := secretRemark(err)
				state.token = tokenSheet{said: said, retry: passing && s.o.Tokens != nil}
			}
			s.touchServer(v.ID)
			if then != nil {
				then()
			}
		})
	})
}

// take brings in how a server stands in the list now.
func (v *serverState) take(now mcpclient.Server, leave config.Leave) {
	switch {
	case !differs(v.used, now):
	case isOpen(v.status):
		v.changed = true
	case v.status.State == mcpclient.Lost: // which says nothing of what it is now
		v.status = mcpclient.Status{State: mcpclient.Closed}
	}
	if v.used.Place() == now.Place() {
		v.used.Name = now.Name
	}
	v.Server, v.leave = now, leave
	v.queued = v.queued && v.allowed()
}

// isOpen reports whether there is a connection, or one is being made.
func isOpen(s mcpclient.Status) bool {
	switch s.State {
	case mcpclient.Connected, mcpclient.Connecting, mcpclient.Reconnecting:
		return true
	}
	return false
}

// escape leaves the page; what was entered is asked about first.
func (p *editPage) escape() {
	sh := p.form.sh
	switch {
	case sh.leaving:
		sh.leaving = false
		p.drawFoot()
	case sh.trial.asked || sh.trial.running:
		p.form.dropTrial()
	case sh.draft.Changed():
		sh.leaving = true
		p.drawFoot()
	default:
		p.discard()
	}
}

// discard drops what was entered.
func (p *editPage) discard() {
	p.form.sh.trial.end()
	delete(p.s.edits, p.v.ID)
	p.s.choose(route{section: sectionServer, id: p.v.ID})
	p.s.renewQuitBar()
}

// update draws the page anew when the server was changed elsewhere.
func (p *editPage) update(ch *changes) {
	if !ch.servers[p.v.ID] || !ch.list {
		return
	}
	if sh := p.form.sh; !sh.draft.Changed() {
		if differs(sh.draft.Before(), p.v.Server) {
			// What is asked about, or was found, is of what stood there before.
			sh.trial.end()
			p.taken = true
		}
		sh.draft = config.DraftOf(p.v.Server)
	}
	p.draw()
}

func (p *editPage) leave() { p.form.close() }

func (p *editPage) object() fyne.CanvasObject { return p.whole }

func (p *editPage) sayKept() { p.form.sayKept() }

func (p *editPage) first() fyne.Focusable { return p.form.first() }

// missingValues reports whether f came about for want of secret values.
func missingValues(f *mcpclient.Failure) bool {
	return f != nil && (f.Text.ID == "cli.config_missing" || f.Text.ID == "cli.config_moved")
}
