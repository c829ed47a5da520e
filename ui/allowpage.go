package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// allowPage asks for leave to start a program. It shows exactly what would be
// started, piece by piece, since a command is code that runs as the person. A
// command that is changed outside while it is looked at is shown as it is now, said
// to be another one, and cannot be allowed for a moment. What is allowed is the file
// that was found for it, too, so nothing can be agreed to before that is known.
type allowPage struct {
	base
	s     *shell
	v     *serverState
	env   *kit.Env
	shown string // the Place of what is shown
	other bool   // it is another command than when the page came up
	// exposed is what is shown of values that may be secrets.
	exposed exposureDrawn
	guard   *kit.Guard
	start   *kit.Button
	file    *programFile
	seen    bool // all of the page was in view
	reveal  *kit.Reveal
	banner  *fyne.Container
	body    *fyne.Container
	whole   fyne.CanvasObject
	// builder draws the command, in pieces if it is long.
	builder *kit.Builder
}

func newAllowPage(s *shell, v *serverState) *allowPage {
	p := &allowPage{s: s, v: v, env: s.env(), banner: kit.Column(0), body: kit.Column(gap)}
	p.reveal = kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = p.reveal
	p.guard = kit.NewGuard(p.env)
	button := func(o kit.ButtonOptions) *kit.Button {
		o.Env, o.Guard, o.Firm = p.env, p.guard, true
		return kit.NewButton(o)
	}
	edit := button(kit.ButtonOptions{Text: s.t("ui.edit.open"), Importance: kit.Quiet, EnterTaps: true,
		OnTapped: func() { s.choose(route{section: sectionEdit, id: v.ID}) }})
	p.start = button(kit.ButtonOptions{Text: s.t("ui.allow.start"), Room: s.t("ui.allow.rest"), Importance: kit.Primary, OnTapped: p.allow})
	bar := kit.ActionBar([]fyne.CanvasObject{edit}, []fyne.CanvasObject{
		button(kit.ButtonOptions{Text: s.t("ui.allow.not_now"), Shortcut: "Esc", EnterTaps: true, OnTapped: p.escape}), p.start})
	p.whole = pageFrame(p.banner, p.reveal, bar)
	p.reveal.OnScrolled = p.look
	p.draw()
	return p
}

// draw shows the command as it is now.
func (p *allowPage) draw() {
	s, v := p.s, p.v
	if p.file == nil || p.shown != v.Place() {
		p.leave()
		p.shown, p.file, p.seen = v.Place(), s.newProgramFile(p.env, v.Server, config.Typed{}, p.start, p.guard), false
		p.file.known = p.look
	}
	p.exposed = s.exposureDrawn(v)
	id, _ := v.Identify()
	p.banner.Objects = []fyne.CanvasObject{s.banner(p.env, id, v.ID)}
	objects := []fyne.CanvasObject{kit.Sentence(s.t("ui.allow.title", "Name", v.Name), titleText)}
	if p.other {
		objects = append(objects, kit.NewNotice(kit.Danger, s.t("ui.allow.other"), s.t("ui.allow.other_body")))
	}
	if v.leave == config.LostLeave && !p.other {
		objects = append(objects, kit.NewNotice(kit.Danger, s.t("ui.allow.changed"), s.t("ui.allow.changed_body")))
	}
	objects = append(objects, p.file.warning, kit.NewNotice(kit.Caution, s.t("ui.allow.code"), s.t("ui.allow.code_body")), kit.Card(p.command()))
	objects = append(objects, s.exposedPart(v, func(text string, im kit.Importance, do func()) *kit.Button {
		return kit.NewButton(kit.ButtonOptions{Env: p.env, Text: text, Importance: im, EnterTaps: true, OnTapped: do})
	})...)
	if text := s.trouble[v.ID]; text != "" {
		objects = append(objects, kit.NewNotice(kit.Danger, text, ""))
	}
	p.body.Objects = objects
	p.guard.Arm()
	p.whole.Refresh()
}

// renew shows another command than the one that was looked at, from its beginning.
// No button keeps the keyboard: what is typed on was meant for what was there.
func (p *allowPage) renew() {
	p.other = true
	p.s.win.Canvas().Unfocus()
	p.draw()
	p.reveal.ScrollToTop()
}

// command shows what would be started, and copies it.
func (p *allowPage) command() fyne.CanvasObject {
	v := p.v.Server
	if p.builder != nil {
		p.builder.Stop()
	}
	var parts *fyne.Container
	parts, p.builder = p.s.commandParts(p.env, v, p.file, p.look)
	return kit.Column(gap, parts, kit.Row(gap, p.s.copyButton(kit.ButtonOptions{Env: p.env, Icon: kit.IconCopy, Text: p.s.t("ui.allow.copy")},
		func() string { return commandText(v) })))
}

// commandText is a command to be copied: a piece on each line.
func commandText(v mcpclient.Server) string {
	return strings.Join(append([]string{v.Command}, v.Args...), "\n")
}

// look notes whether all of the page has been in view: its file too, and nothing that is
// yet to be drawn. In a window that is too low for that the button leads on before it
// starts anything.
func (p *allowPage) look() {
	const slack = 1 // of sums of floats
	if !p.seen && p.file.file.Path != "" && p.builder.Idle() && p.reveal.Bottom() >= p.reveal.ContentHeight(p.reveal.Size().Width)-slack {
		p.seen = true
		p.guard.Arm()
	}
	words := "ui.allow.start"
	if !p.seen && p.file.file.Path != "" {
		words = "ui.allow.rest"
	}
	p.start.SetText(p.s.t(words))
}

// allow keeps the leave for what is shown and starts that, once all of it is.
func (p *allowPage) allow() {
	s, v := p.s, p.v
	if !p.builder.Idle() || !p.file.agreed() {
		return
	}
	if !p.seen { // whatever the window was made since, the button said so
		if p.look(); !p.seen {
			p.reveal.ScrollOn()
		}
		return
	}
	server, file := v.Server, p.file.allowed()
	var err error
	s.background(func() { err = s.o.Store.Allow(server, file) }, func() {
		here := s.page == page(p)
		switch {
		case s.desk.server(v.ID) != v: // it was taken out of the list meanwhile
		case err != nil:
			s.trouble[v.ID] = s.storeTrouble(err)
			if here {
				p.draw()
			}
		case v.Place() != server.Place(): // what was allowed is not what it is now
			if here {
				p.renew()
			}
		default:
			delete(s.trouble, v.ID)
			v.leave = config.HasLeave
			if here {
				s.choose(route{section: sectionServer, id: v.ID})
			}
			s.dial(v, func() {})
		}
	})
}

// update draws the page anew when the server was changed: what is allowed is what
// is shown.
func (p *allowPage) update(ch *changes) {
	switch {
	case !ch.servers[p.v.ID]:
	case !ch.list:
		p.sayKept()
	case p.v.Kind != mcpclient.Stdio: // there is nothing to start any more
		p.s.show(route{section: sectionServer, id: p.v.ID})
	case p.shown != p.v.Place():
		p.renew()
	default:
		p.draw() // it may have another name
	}
}

// sayKept implements placed: what may be a secret is moved by the person, or said to
// be none. What is started stays the same by that.
func (p *allowPage) sayKept() {
	if p.exposed != p.s.exposureDrawn(p.v) {
		p.draw()
	}
}

func (p *allowPage) leave() {
	if p.file != nil {
		p.file.stop()
		p.builder.Stop()
	}
}

func (p *allowPage) object() fyne.CanvasObject { return p.whole }

func (p *allowPage) escape() { p.s.choose(route{section: sectionServer, id: p.v.ID}) }
