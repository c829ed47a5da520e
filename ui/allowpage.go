package ui

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/ui/kit"
)

// allowPage asks for leave to start a program. It shows exactly what would be
// started, piece by piece, since a command is code that runs as the person. A
// command that is changed outside while it is looked at is shown as it is now, said
// to be another one, and cannot be allowed for a moment.
type allowPage struct {
	base
	s      *shell
	v      *serverState
	env    *kit.Env
	shown  string // the Place of what is shown
	other  bool   // it is another command than when the page came up
	guard  *kit.Guard
	reveal *kit.Reveal
	banner *fyne.Container
	body   *fyne.Container
	whole  fyne.CanvasObject
}

func newAllowPage(s *shell, v *serverState) *allowPage {
	p := &allowPage{s: s, v: v, env: s.env(), banner: kit.Column(0), body: kit.Column(gap)}
	p.reveal = kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = p.reveal
	p.guard = kit.NewGuard(p.env)
	button := func(o kit.ButtonOptions) fyne.CanvasObject {
		o.Env, o.Guard, o.Firm = p.env, p.guard, true
		return kit.NewButton(o)
	}
	edit := button(kit.ButtonOptions{Text: s.t("ui.edit.open"), Importance: kit.Quiet, EnterTaps: true,
		OnTapped: func() { s.choose(route{section: sectionEdit, id: v.ID}) }})
	bar := kit.ActionBar([]fyne.CanvasObject{edit}, []fyne.CanvasObject{
		button(kit.ButtonOptions{Text: s.t("ui.allow.not_now"), Shortcut: "Esc", EnterTaps: true, OnTapped: p.escape}),
		button(kit.ButtonOptions{Text: s.t("ui.allow.start"), Importance: kit.Primary, OnTapped: p.allow}),
	})
	p.whole = pageFrame(p.banner, p.reveal, bar)
	p.draw()
	return p
}

// draw shows the command as it is now.
func (p *allowPage) draw() {
	s, v := p.s, p.v
	p.shown = v.Place()
	id, _ := v.Identify()
	p.banner.Objects = []fyne.CanvasObject{s.banner(p.env, id, v.ID)}
	objects := []fyne.CanvasObject{kit.Sentence(s.t("ui.allow.title", "Name", v.Name), titleText)}
	if p.other {
		objects = append(objects, kit.NewNotice(kit.Danger, s.t("ui.allow.other"), s.t("ui.allow.other_body")))
	}
	objects = append(objects, kit.NewNotice(kit.Caution, s.t("ui.allow.code"), s.t("ui.allow.code_body")), kit.Card(p.command()))
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
	return kit.Column(gap, p.s.commandParts(p.env, v), kit.Row(gap, p.s.copyButton(kit.ButtonOptions{Env: p.env, Icon: kit.IconCopy, Text: p.s.t("ui.allow.copy")},
		func() string { return commandText(v) })))
}

// commandText is a command to be copied: a piece on each line.
func commandText(v mcpclient.Server) string {
	return strings.Join(append([]string{v.Command}, v.Args...), "\n")
}

// commandParts shows the program, every argument on a line of its own with its
// number, the folder and the environment: the values of what is no secret, and
// the names of what is.
func (s *shell) commandParts(env *kit.Env, v mcpclient.Server) fyne.CanvasObject {
	mono := kit.Style{Size: kit.SizeBody, Mono: true}
	var parts []fyne.CanvasObject
	part := func(title string, content ...fyne.CanvasObject) {
		parts = append(parts, kit.Column(2, append([]fyne.CanvasObject{kit.Sentence(title, hintText)}, content...)...))
	}
	part(s.t("ui.allow.program"), kit.Label(argument(v.Command), mono))
	var args []fyne.CanvasObject
	if len(v.Args) > 0 {
		lines := make([][]kit.Run, len(v.Args))
		for i, a := range v.Args {
			lines[i] = []kit.Run{kit.Own(s.t("ui.allow.argument", "N", i+1)+"  ", hintText), kit.Server(argument(a), mono)}
		}
		args = append(args, listOf(env, lines))
	} else {
		args = append(args, kit.Sentence(s.t("ui.allow.none"), mutedText))
	}
	if strings.ContainsAny(v.Command+strings.Join(v.Args, ""), shellCharacters) {
		args = append(args, kit.Sentence(s.t("ui.allow.no_shell"), hintText))
	}
	part(s.t("ui.allow.arguments"), args...)
	part(s.t("ui.allow.folder"), s.folderOf(v))
	var values [][]kit.Run
	for _, name := range slices.Sorted(maps.Keys(v.Env)) {
		values = append(values, []kit.Run{kit.Server(whole(name+"="+v.Env[name]), mono)})
	}
	for _, name := range v.SecretEnv {
		values = append(values, []kit.Run{kit.Server(whole(name), mono), kit.Own("  "+s.t("ui.allow.secret"), hintText)})
	}
	if len(values) > 0 {
		part(s.t("ui.allow.env"), listOf(env, values))
	}
	return kit.Column(gap, parts...)
}

// folderOf is the folder that a program starts in, as a whole path.
func (s *shell) folderOf(v mcpclient.Server) fyne.CanvasObject {
	folder := v.Folder()
	if folder == "" {
		return kit.Sentence(s.t("ui.allow.no_folder"), mutedText)
	}
	runs := []kit.Run{kit.Server(whole(folder), kit.Style{Size: kit.SizeBody, Mono: true})}
	if v.Dir == "" {
		runs = append(runs, kit.Own("  "+s.t("ui.allow.usual_folder"), hintText))
	}
	return kit.NewText(runs...)
}

// shellCharacters mean something to a shell, and nothing here.
const shellCharacters = "|&;<>()$`*?~{}[]#!"

// argument is one argument on a line of its own. Quotes are put only around one
// whose ends could not be seen, or that holds something that cannot be seen.
func argument(a string) safetext.Text {
	unseen := func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }
	if a == "" || a != strings.TrimSpace(a) || strings.ContainsFunc(a, unseen) {
		return exactCommand([]string{a})
	}
	return whole(a)
}

// exactCommand is a command in one line, from which every piece can be told: one
// that holds spaces, quotes, something that cannot be seen or what a shell would take
// for more than text stands in quotes.
func exactCommand(command []string) safetext.Text {
	pieces := make([]string, len(command))
	for i, c := range command {
		pieces[i] = c
		if quoted := strconv.Quote(c); c == "" || strings.ContainsFunc(c, unicode.IsSpace) || strings.ContainsAny(c, shellCharacters) || quoted != `"`+c+`"` {
			pieces[i] = quoted
		}
	}
	return whole(strings.Join(pieces, " "))
}

// whole is a piece of a command, never cut: what is started is what is shown. A
// character that cannot be seen is written as up to a dozen that can.
func whole(s string) safetext.Text { return safetext.Line(s, 12*len(s)+1) }

// allow keeps the leave for what is shown and starts that.
func (p *allowPage) allow() {
	s, v := p.s, p.v
	server := v.Server
	var err error
	s.background(func() { err = s.o.Store.Allow(server) }, func() {
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
			v.allowed = true
			if here {
				s.choose(route{section: sectionServer, id: v.ID})
			}
			s.connect(v)
		}
	})
}

// update draws the page anew when the server was changed: what is allowed is what
// is shown.
func (p *allowPage) update(ch *changes) {
	switch {
	case !ch.list || !ch.servers[p.v.ID]:
	case p.v.Kind != mcpclient.Stdio: // there is nothing to start any more
		p.s.show(route{section: sectionServer, id: p.v.ID})
	case p.shown != p.v.Place():
		p.renew()
	default:
		p.draw() // it may have another name
	}
}

func (p *allowPage) object() fyne.CanvasObject { return p.whole }

func (p *allowPage) escape() { p.s.choose(route{section: sectionServer, id: p.v.ID}) }
