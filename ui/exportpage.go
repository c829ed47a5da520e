package ui

import (
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/ui/kit"
)

// exportSheet is the list for another app, and where it is saved.
type exportSheet struct {
	text    string // "" until it is made
	path    string
	trouble i18n.Message
	notes   []i18n.Message // what is not in it
	saved   string         // where it was saved
	busy    bool
}

// exportPage shows the list without its secrets, to be copied or saved.
type exportPage struct {
	base
	s     *shell
	env   *kit.Env
	body  *fyne.Container
	foot  *fyne.Container
	path  *kit.FieldRow
	whole fyne.CanvasObject
}

func newExportPage(s *shell) *exportPage {
	p := &exportPage{s: s, env: s.env(), body: kit.Stack(), foot: kit.Column(gap)}
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.whole = pageFrame(kit.Heading(s.t("ui.export.title")), reveal, p.foot)
	s.export = exportSheet{path: s.export.path}
	p.draw()
	s.makeExport()
	return p
}

// makeExport writes the list for other apps, in the background.
func (s *shell) makeExport() {
	var servers []mcpclient.Server
	for _, v := range s.ownServers() {
		servers = append(servers, v.Server)
	}
	x := &s.export
	var raw []byte
	var err error
	path := x.path
	var notes []i18n.Message
	s.background(func() {
		var tokens map[string]bool
		tokens, notes = s.keptTokens(servers)
		raw, err = config.Export(servers, tokens)
		if home, homeErr := os.UserHomeDir(); path == "" && homeErr == nil {
			path = filepath.Join(home, "mcp.json")
		}
	}, func() {
		x.text, x.path, x.notes = string(raw), path, notes
		if err != nil {
			x.trouble = config.Sentence(err)
		}
		if p, ok := s.page.(*exportPage); ok {
			p.draw()
		}
	})
}

// keptTokens are the servers an access token is kept for, by ID, and what there is
// to say of those that are signed in to. It waits for the keychain.
func (s *shell) keptTokens(servers []mcpclient.Server) (tokens map[string]bool, notes []i18n.Message) {
	if s.o.Accounts == nil {
		return nil, nil
	}
	tokens = map[string]bool{}
	var signedIn, unread []string
	for _, v := range servers {
		if v.Kind == mcpclient.Stdio {
			continue
		}
		switch account, err := s.o.Accounts.Who(s.work.ctx, v); {
		case err != nil:
			unread = append(unread, v.Name)
		case account.Entered:
			tokens[v.ID] = true
		case account.SignedIn():
			signedIn = append(signedIn, v.Name)
		}
	}
	if len(signedIn) > 0 {
		notes = append(notes, i18n.M("ui.export.signed_in", "Names", namesOf(signedIn)))
	}
	if len(unread) > 0 {
		notes = append(notes, i18n.M("ui.export.unread", "Names", namesOf(unread)))
	}
	return tokens, notes
}

func (p *exportPage) draw() {
	s, x := p.s, &p.s.export
	p.path = kit.NewFieldRow(kit.FieldRowOptions{Env: p.env, Label: line(s.t("ui.export.path")), Wide: true,
		Control: kit.NewLongEntry(kit.TextEntryOptions{Env: p.env, Text: x.path, Mono: true, OnChanged: func(text string) { x.path = text }})})
	objects := []fyne.CanvasObject{kit.NewNotice(kit.Info, s.t("ui.export.safe"), s.t("ui.export.safe_body"))}
	for _, n := range x.notes {
		objects = append(objects, kit.Sentence(s.say(n), hintText))
	}
	text := len(objects)
	if x.text != "" {
		objects = append(objects, kit.NewLongText(safetext.Block(x.text, maxResult), kit.LongTextOptions{Env: p.env, Style: monoText, Lines: 10}),
			kit.Card(kit.NewFormGrid(p.env, p.path)))
	}
	switch {
	case !x.trouble.IsZero():
		objects = append(objects, kit.NewNotice(kit.Danger, "", s.say(x.trouble)))
	case x.saved != "":
		objects = append(objects, kit.NewNotice(kit.Info, "", s.t("ui.export.saved", "Path", whole(x.saved).String())))
	}
	p.body.Objects = []fyne.CanvasObject{kit.ColumnFill(gap, text, objects...)}
	p.foot.Objects = []fyne.CanvasObject{kit.ActionBar(
		[]fyne.CanvasObject{kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.export.back"), Shortcut: "Esc", EnterTaps: true, OnTapped: p.escape})},
		[]fyne.CanvasObject{
			s.copyButton(kit.ButtonOptions{Env: p.env, Icon: kit.IconCopy, Text: s.t("ui.export.copy")}, func() string { return x.text }),
			kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.export.save"), Shortcut: "Ctrl ↵", Importance: kit.Primary, EnterTaps: true, OnTapped: p.submit}),
		})}
	p.whole.Refresh()
}

// submit saves the list; a file that is there is never overwritten.
func (p *exportPage) submit() {
	s, x := p.s, &p.s.export
	if x.busy || x.text == "" {
		return
	}
	x.busy, x.trouble, x.saved = true, i18n.Message{}, ""
	text, path := x.text, x.path
	var err error
	s.background(func() { err = config.SaveExport(path, []byte(text)) }, func() {
		x.busy = false
		if x.saved = path; err != nil {
			x.saved, x.trouble = "", config.SaveSentence(err)
		}
		if q, ok := s.page.(*exportPage); ok {
			q.draw()
		}
	})
}

func (p *exportPage) object() fyne.CanvasObject { return p.whole }

func (p *exportPage) escape() { p.s.choose(route{section: sectionAdd}) }
