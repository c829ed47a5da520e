package ui

import (
	"fyne.io/fyne/v2"

	"parley/mcpclient/config"
	"parley/ui/kit"
)

// settingsPage holds the language, the theme, where secrets are kept and what
// the app is.
type settingsPage struct {
	s     *shell
	env   *kit.Env
	focus fyne.Focusable
	body  *fyne.Container
	// problems tell what is wrong with the file of the list.
	problems *fyne.Container
	secrets  *secretsPart // nil if the window is not told of any
	reveal   *kit.Reveal
	whole    fyne.CanvasObject
}

// languages and themes are the choices in their order; the first follows the
// system. Languages call themselves by their own names.
var (
	languages = []string{"", "en", "zh-Hans"}
	themes    = []config.Theme{"", config.ThemeLight, config.ThemeDark}
)

func newSettingsPage(s *shell) *settingsPage {
	p := &settingsPage{s: s, env: s.env(), body: kit.Column(gapLarge), problems: kit.Column(gap)}
	env := p.env
	system := line(s.t("ui.settings.system"))
	language := kit.NewPicker(kit.PickerOptions{Env: env, Selected: indexOf(languages, s.settings.Language),
		Options:   []kit.Option{{Label: system}, {Label: line("English")}, {Label: line("简体中文")}},
		OnChanged: func(i int) { p.change(func(c *config.Settings) { c.Language = languages[i] }) }})
	look := kit.NewPicker(kit.PickerOptions{Env: env, Selected: indexOf(themes, s.settings.Theme),
		Options:   []kit.Option{{Label: system}, {Label: line(s.t("ui.settings.light"))}, {Label: line(s.t("ui.settings.dark"))}},
		OnChanged: func(i int) { p.change(func(c *config.Settings) { c.Theme = themes[i] }) }})
	p.focus = language.FocusTarget()
	parts := []fyne.CanvasObject{p.problems, kit.Card(kit.NewFormGrid(env,
		kit.NewFieldRow(kit.FieldRowOptions{Env: env, Label: line(s.t("ui.settings.language")), Control: language}),
		kit.NewFieldRow(kit.FieldRowOptions{Env: env, Label: line(s.t("ui.settings.theme")), Control: look})))}
	if s.o.Secrets != nil {
		p.secrets = newSecretsPart(s, env)
		parts = append(parts, p.secrets.box)
	}
	parts = append(parts, kit.Column(gapSmall,
		kit.Sentence(s.t("ui.settings.about", "Version", s.o.Version), boldText),
		kit.Sentence(s.t("ui.settings.licence"), mutedText),
		kit.NewText(kit.Own(s.t("ui.settings.stored")+" ", mutedText), kit.Server(whole(s.o.Store.Path()), monoText))))
	if text := s.trouble[settingsTrouble]; text != "" {
		parts = append(parts, kit.NewNotice(kit.Danger, text, ""))
	}
	p.body.Objects = parts
	p.drawProblems()
	p.reveal = kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	env.Reveal = p.reveal
	p.whole = pageFrame(kit.Heading(s.t("ui.side.settings")), p.reveal, nil)
	return p
}

// drawProblems tells what is wrong with the file of the list, as it is now; what is
// typed stays.
func (p *settingsPage) drawProblems() {
	p.problems.Objects = p.s.problemsPart(p.env)
	if len(p.problems.Objects) > 0 {
		p.problems.Show()
	} else {
		p.problems.Hide() // it leaves no gap
	}
	p.body.Refresh()
	if p.reveal != nil {
		p.reveal.Relayout()
	}
}

// update looks for what is kept for servers that an edit from outside took away.
func (p *settingsPage) update(ch *changes) {
	if ch.list && p.secrets != nil {
		p.s.lookForStrays()
	}
}

// settingsTrouble is the key of trouble with the settings, which is no server's.
const settingsTrouble = "\x00settings"

func indexOf[T comparable](all []T, wanted T) int {
	for i, v := range all {
		if v == wanted {
			return i
		}
	}
	return 0
}

// change takes a setting in at once and keeps it in the background.
func (p *settingsPage) change(set func(*config.Settings)) {
	s := p.s
	set(&s.settings)
	s.apply()
	kept := s.settings
	var err error
	s.background(func() { err = s.o.Store.SetSettings(kept) }, func() {
		delete(s.trouble, settingsTrouble)
		if err == nil {
			s.filed = kept
		}
		if err != nil {
			s.trouble[settingsTrouble] = s.storeTrouble(err)
			s.show(s.at)
		}
	})
}

// apply draws everything in the language and theme of the settings, which the
// person has chosen here.
func (s *shell) apply() {
	s.redress()
	if f := s.page.first(); f != nil {
		s.win.Canvas().Focus(f)
	}
}

// takeSettings takes in settings that were edited in the file outside of Parley.
func (s *shell) takeSettings(now config.Settings) {
	if now == s.filed {
		return
	}
	s.filed = now
	if now != s.settings {
		s.settings = now
		s.redress()
	}
}

// redress draws everything in the language and theme of the settings. What was
// entered anywhere stays, since it lives in sheets.
func (s *shell) redress() {
	s.loc = localizer(s.settings.Language, s.o.Languages)
	wear(s.app, s.settings.Theme)
	for _, v := range s.desk.servers {
		if v.demo {
			v.Name = s.t("ui.demo.name")
		}
	}
	s.redraw()
	s.renewDemo()
}

func (p *settingsPage) object() fyne.CanvasObject { return p.whole }
func (p *settingsPage) first() fyne.Focusable     { return p.focus }

func (p *settingsPage) escape() {
	if p.secrets != nil {
		p.secrets.escape()
	}
}

func (p *settingsPage) submit() {
	if p.secrets != nil {
		p.secrets.submit()
	}
}

func (p *settingsPage) leave() {
	if p.secrets != nil {
		p.secrets.leave()
	}
}
