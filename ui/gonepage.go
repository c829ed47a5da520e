package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"parley/consent/safetext"
	"parley/forms"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// gonePage stands where the page of a server was that was taken out of the list
// outside of Parley: it says so, and what was entered there can still be copied, or
// used to add the server again. When the server is back, so is its page.
type gonePage struct {
	base
	s     *shell
	v     *serverState // as it was
	at    route
	env   *kit.Env
	body  *fyne.Container
	whole fyne.CanvasObject
	close *kit.Button
}

func newGonePage(s *shell, v *serverState, at route) *gonePage {
	p := &gonePage{s: s, v: v, at: at, env: s.env(), body: kit.Column(gap)}
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.close = kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.close"), Shortcut: "Esc", Importance: kit.Primary, EnterTaps: true, OnTapped: p.escape})
	var left []fyne.CanvasObject
	if !s.adding.touched() {
		left = append(left, kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.gone.again"), EnterTaps: true, OnTapped: p.again}))
	}
	p.whole = pageFrame(kit.Heading(line(v.Name).String()), reveal, kit.ActionBar(left, []fyne.CanvasObject{p.close}))
	p.draw()
	return p
}

func (p *gonePage) draw() {
	s := p.s
	objects := []fyne.CanvasObject{kit.NewNotice(kit.Caution, s.t("ui.gone.title"), s.t("ui.gone.body"))}
	if entered := p.entered(); entered != nil {
		objects = append(objects, kit.Sentence(s.t("ui.gone.entered"), boldText), entered)
	}
	p.body.Objects = objects
	p.whole.Refresh()
}

// typed is something that was entered, and what its field is called.
type typed struct {
	label, text string
	secret      bool
}

// entered is what was entered on the page, nil for nothing.
func (p *gonePage) entered() fyne.CanvasObject {
	s := p.s
	var list []typed
	switch p.at.section {
	case sectionTool, sectionPrompt, sectionResource:
		return p.arguments()
	case sectionEdit:
		if sh := s.edits[p.v.ID]; sh != nil {
			list = s.typedIn(sh.draft)
		}
	case sectionSetup:
		if sh := s.setups[p.v.ID]; sh != nil {
			list = []typed{{s.t("ui.setup.client"), sh.ClientID, false}, {s.t("ui.setup.secret"), sh.Secret, true},
				{s.t("ui.setup.issuer"), sh.Issuer, false}, {s.t("ui.setup.port"), sh.Port, false}}
		}
	case sectionServer:
		list = []typed{{s.t("ui.add.token"), p.v.token.text, true}}
	}
	var rows []fyne.CanvasObject
	for _, e := range list {
		if e.text != "" {
			rows = append(rows, p.row(e))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return kit.Card(kit.Column(gap, rows...))
}

// row is something that was entered, with a button that copies it; a secret stays
// masked.
func (p *gonePage) row(e typed) fyne.CanvasObject {
	shown := e.text
	if e.secret {
		shown = forms.Mask
	}
	copies := p.s.copyButton(kit.ButtonOptions{Env: p.env, Icon: kit.IconCopy, Name: p.s.t("ui.gone.copy"), Importance: kit.Quiet},
		func() string { return e.text })
	return kit.RowFill(gap, 0, kit.Column(1, kit.Sentence(e.label, hintText), kit.Label(safetext.Block(shown, maxMessage), bodyText)), copies)
}

// typedIn is what stands in the fields of a server.
func (s *shell) typedIn(d config.Draft) []typed {
	list := []typed{{s.t("ui.add.name"), d.Name, false}}
	values := d.Headers
	if d.Kind == mcpclient.Stdio {
		list = append(list, typed{s.t("ui.add.program"), d.Program, false}, typed{s.t("ui.add.folder"), d.Folder, false},
			typed{s.t("ui.add.arguments"), d.Arguments, false})
		values = d.Env
	} else {
		list = append(list, typed{s.t("ui.add.url"), d.URL, false})
	}
	for _, v := range values {
		list = append(list, typed{line(strings.TrimSpace(v.Name)).String(), v.Value, v.Secret})
	}
	return append(list, typed{s.t("ui.add.silence"), d.Silence, false}, typed{s.t("ui.add.size"), d.MaxMessage, false})
}

// arguments are those that were filled in to run something.
func (p *gonePage) arguments() fyne.CanvasObject {
	s, a := p.s, p.s.argument[p.at]
	if a == nil || !a.touched() {
		return nil
	}
	es := filledIn(s.entries(a.draft))
	if len(es) == 0 {
		return nil
	}
	copies := s.copyButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.answers.copy"), Icon: kit.IconCopy},
		func() string { return copyText(es, a.revealed) })
	return kit.Column(gap, kit.ServerArea(s.t("ui.from_server_and_you"), s.filled(p.env, &a.fill, false, p.draw)), kit.Row(gap, copies))
}

// again goes to the page that adds a server, with all that stood here.
func (p *gonePage) again() {
	s := p.s
	d := config.DraftOf(p.v.Server)
	if sh := s.edits[p.v.ID]; sh != nil {
		d = sh.draft
		delete(s.edits, p.v.ID)
	}
	s.adding = serverSheet{draft: d.Anew()}
	s.choose(route{section: sectionAdd})
}

func (p *gonePage) object() fyne.CanvasObject { return p.whole }

func (p *gonePage) first() fyne.Focusable { return p.close }

// escape leaves the page; what was entered there is given up.
func (p *gonePage) escape() {
	s := p.s
	delete(s.edits, p.v.ID)
	delete(s.argument, p.at)
	delete(s.setups, p.v.ID)
	s.choose(route{section: sectionQuestions})
}
