package ui

import (
	"fyne.io/fyne/v2"

	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// secretsPart is what the settings page shows about the place of secrets: how it
// stands in plain words, and what can be done about it.
type secretsPart struct {
	s     *shell
	env   *kit.Env
	box   *fyne.Container
	drawn secretsDrawn
	// The fields of the form that is open; those it does not have are nil.
	old, wanted, again *kit.FieldRow
	buttons            []*kit.Button
	// away tells that the keyboard was here and comes back when there is
	// something to give it to.
	away bool
}

// secretsDrawn is what the part shows, what was typed aside.
type secretsDrawn struct {
	state     string
	why       string
	possible  bool
	deed      secretsDeed
	busy      bool
	said      remarkDrawn
	strays    string
	faults    [3]string
	forgotten bool
}

func newSecretsPart(s *shell, env *kit.Env) *secretsPart {
	p := &secretsPart{s: s, env: env, box: kit.Column(gap)}
	p.draw()
	s.findPlace()
	s.lookForStrays()
	return p
}

func (p *secretsPart) now() secretsDrawn {
	st, t := p.s.o.Secrets.State(), &p.s.secrets
	return secretsDrawn{st.Mode.String(), p.s.say(st.Sentence()), st.VaultPossible, t.deed, t.busy, t.said.drawn(p.s), p.s.strayWords(),
		[3]string{p.s.say(t.oldFault), p.s.say(t.wantedFault), p.s.say(t.againFault)}, t.old+t.wanted+t.again == ""}
}

// update draws anew what has changed. What is only wrong with the fields is put
// on them, so that the keyboard stays where it is.
func (p *secretsPart) update() {
	now := p.now()
	before := p.drawn
	p.drawn = now
	form := now
	form.faults, form.forgotten = before.faults, before.forgotten
	emptied := now.forgotten && !before.forgotten
	if form != before || emptied {
		p.draw()
		return
	}
	p.sayFaults()
}

// draw makes the part anew. The keyboard goes to what is most likely wanted next
// if it was within the part.
func (p *secretsPart) draw() {
	p.away = p.held() || p.away && p.s.win.Canvas().Focused() == nil
	p.clear()
	s, t := p.s, &p.s.secrets
	st := s.o.Secrets.State()
	objects := []fyne.CanvasObject{kit.Sentence(s.t("ui.secrets.title"), boldText)}
	objects = append(objects, p.standing(st)...)
	if notice := t.said.notice(s); notice != nil {
		objects = append(objects, notice)
	}
	switch {
	case t.busy:
		objects = append(objects, kit.Sentence(s.t("ui.secrets.busy"), mutedText))
	case t.deed != deedNone:
		objects = append(objects, p.form(st)...)
	default:
		objects = append(objects, p.ways(st)...)
		objects = append(objects, p.strays(st)...)
	}
	p.box.Objects = []fyne.CanvasObject{kit.Card(kit.Column(gap, objects...))}
	p.sayFaults()
	p.drawn = p.now()
	p.box.Refresh()
	if p.env.Reveal != nil {
		p.env.Reveal.Relayout()
	}
	if p.away && len(p.buttons) > 0 {
		p.away = false
		p.focusForm()
	}
}

// clear drops the fields and buttons there are. What was typed goes from the
// fields, which the toolkit may hold on to.
func (p *secretsPart) clear() {
	if p.held() {
		p.s.win.Canvas().Unfocus()
	}
	for _, row := range p.fields() {
		row.Control().(*kit.LongEntry).SetTextQuietly("")
	}
	p.old, p.wanted, p.again, p.buttons = nil, nil, nil, nil
}

// fields are those of the form that is open.
func (p *secretsPart) fields() []*kit.FieldRow {
	var all []*kit.FieldRow
	for _, row := range []*kit.FieldRow{p.old, p.wanted, p.again} {
		if row != nil {
			all = append(all, row)
		}
	}
	return all
}

// held reports whether the keyboard is within the part.
func (p *secretsPart) held() bool {
	f := p.s.win.Canvas().Focused()
	if f == nil {
		return false
	}
	for _, b := range p.buttons {
		if f == fyne.Focusable(b) {
			return true
		}
	}
	for _, row := range p.fields() {
		if f == row.Control().FocusTarget() {
			return true
		}
	}
	return false
}

// focusForm gives the keyboard to the first field, else to the first button; to
// neither while there is none.
func (p *secretsPart) focusForm() {
	c := p.s.win.Canvas()
	if all := p.fields(); len(all) > 0 {
		c.Focus(all[0].Control().FocusTarget())
	} else if len(p.buttons) > 0 {
		c.Focus(p.buttons[0])
	}
	p.s.keepInView()
}

// focusFault gives the keyboard to the first field with something wrong.
func (p *secretsPart) focusFault() {
	for _, row := range p.fields() {
		if row.Error() != "" {
			p.s.win.Canvas().Focus(row.Control().FocusTarget())
			p.s.keepInView()
			return
		}
	}
}

// standing says where secrets are kept now.
func (p *secretsPart) standing(st keychain.State) []fyne.CanvasObject {
	s := p.s
	path := kit.Label(whole(s.o.VaultPath), monoText)
	switch st.Mode {
	case keychain.Available:
		return []fyne.CanvasObject{kit.Sentence(s.t("ui.secrets.available"), bodyText)}
	case keychain.SessionOnly:
		return []fyne.CanvasObject{kit.NewNotice(kit.Caution, s.t("ui.secrets.session"), s.say(st.Sentence()))}
	case keychain.Vault:
		return []fyne.CanvasObject{kit.Column(gapSmall, kit.Sentence(s.t("ui.secrets.vault"), bodyText), path)}
	case keychain.VaultLocked:
		return []fyne.CanvasObject{kit.NewNotice(kit.Caution, s.t("ui.secrets.locked"), s.t("ui.secrets.locked_what")), path}
	}
	return []fyne.CanvasObject{kit.Sentence(s.t("ui.secrets.untried"), bodyText)}
}

// open is what the button for a deed does.
func (p *secretsPart) open(d secretsDeed) func() {
	return func() {
		p.s.secrets.begin(d)
		p.update()
		p.focusForm() // a mouse has taken the keyboard from everything
	}
}

// ways are the buttons for what can be done, the likeliest first.
func (p *secretsPart) ways(st keychain.State) []fyne.CanvasObject {
	s := p.s
	var all []fyne.CanvasObject
	add := func(id string, im kit.Importance, do func()) {
		b := kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t(id), Importance: im, EnterTaps: true, OnTapped: do})
		p.buttons = append(p.buttons, b)
		all = append(all, b)
	}
	switch st.Mode {
	case keychain.Vault:
		add("ui.secrets.lock", kit.Plain, s.lockSecrets)
		add("ui.secrets.change", kit.Plain, p.open(deedChange))
		add("ui.secrets.stop", kit.Quiet, p.open(deedRemove))
	case keychain.VaultLocked:
		add("ui.secrets.unlock", kit.Primary, p.open(deedUnlock))
		add("ui.secrets.change", kit.Plain, p.open(deedChange))
		add("ui.secrets.stop", kit.Quiet, p.open(deedRemove))
	case keychain.SessionOnly:
		add("ui.token.retry", kit.Plain, s.retrySecrets)
		if st.VaultPossible {
			add("ui.secrets.create", kit.Plain, p.open(deedCreate))
		} else if s.o.VaultPath != "" {
			add("ui.secrets.stop", kit.Quiet, p.open(deedRemove))
		}
	default:
		if st.VaultPossible {
			add("ui.secrets.instead", kit.Quiet, p.open(deedCreate))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []fyne.CanvasObject{kit.ActionBar(all, nil)}
}

// strays offers to remove what no server of the list needs.
func (p *secretsPart) strays(st keychain.State) []fyne.CanvasObject {
	s := p.s
	if st.Mode != keychain.Vault || s.strayWords() == "" {
		return nil
	}
	b := kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.strays.open"), EnterTaps: true, OnTapped: p.open(deedStrays)})
	p.buttons = append(p.buttons, b)
	return []fyne.CanvasObject{kit.Line(), kit.RowFill(gap, 0, kit.Sentence(s.strayWords(), mutedText), b)}
}

// form is what the deed asks for.
func (p *secretsPart) form(st keychain.State) []fyne.CanvasObject {
	s, t := p.s, &p.s.secrets
	var out []fyne.CanvasObject
	say := func(id string) { out = append(out, kit.Sentence(s.t(id), bodyText)) }
	keep, do, importance := "ui.answer.cancel", "", kit.Primary
	switch t.deed {
	case deedCreate:
		say("ui.secrets.create_what")
		if st.Mode == keychain.Available {
			say("ui.secrets.create_move")
		}
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.secrets.create_warn"), s.t("ui.secrets.create_lost")))
		p.wanted = p.field("ui.secrets.passphrase", &t.wanted)
		p.again = p.field("ui.secrets.again", &t.again)
		do = "ui.secrets.make"
	case deedUnlock:
		p.old = p.field("ui.secrets.passphrase", &t.old)
		do = "ui.secrets.open"
	case deedChange:
		p.old = p.field("ui.secrets.old", &t.old)
		p.wanted = p.field("ui.secrets.new", &t.wanted)
		p.again = p.field("ui.secrets.again", &t.again)
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.secrets.create_warn"), s.t("ui.secrets.create_lost")))
		do = "ui.secrets.set"
	case deedRemove:
		if st.Mode == keychain.VaultLocked {
			out = append(out, kit.NewNotice(kit.Danger, s.t("ui.secrets.remove_warn"), s.t("ui.secrets.remove_lost")))
		} else {
			say("ui.secrets.remove_what")
		}
		keep, do, importance = "ui.secrets.keep", "ui.secrets.remove", kit.Grave
	case deedStrays:
		out = append(out, kit.NewNotice(kit.Caution, s.t("ui.strays.sure"), s.strayWords()+"\n"+s.t("ui.strays.sure_what")))
		keep, do, importance = "ui.strays.keep", "ui.strays.remove", kit.Grave
	}
	if fields := p.fields(); len(fields) > 0 {
		out = append(out, kit.NewFormGrid(p.env, fields...))
	}
	drop := kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t(keep), Shortcut: "Esc", EnterTaps: true, OnTapped: p.escape})
	yes := kit.ButtonOptions{Env: p.env, Text: s.t(do), Importance: importance, EnterTaps: true, OnTapped: s.doSecrets}
	if !t.deed.grave() {
		yes.Shortcut = "Ctrl ↵"
	}
	b := kit.NewButton(yes)
	p.buttons = []*kit.Button{drop, b}
	p.judge()
	return append(out, kit.ActionBar(nil, []fyne.CanvasObject{drop, b}))
}

// field is a masked entry for a passphrase. Enter in the only one unlocks.
func (p *secretsPart) field(label string, into *string) *kit.FieldRow {
	s := p.s
	o := kit.TextEntryOptions{Env: p.env, Text: *into, Masked: true, OnChanged: func(text string) {
		s.secrets.retype(into, text)
		p.judge()
		p.drawn = p.now()
		p.sayFaults()
	}}
	if s.secrets.deed == deedUnlock {
		o.OnEnter = s.doSecrets
	}
	return kit.NewFieldRow(kit.FieldRowOptions{Env: p.env, Label: line(s.t(label)), Wide: true, Control: kit.NewLongEntry(o)})
}

// judge says below the field for a new passphrase how hard that is to guess.
func (p *secretsPart) judge() {
	if p.wanted == nil {
		return
	}
	id, passphrase := "ui.secrets.hint", p.s.secrets.wanted
	if passphrase != "" {
		id = [...]string{keychain.Weak: "ui.secrets.weak", keychain.Fair: "ui.secrets.fair", keychain.Good: "ui.secrets.good"}[keychain.Judge(keychain.NewSecret(passphrase))]
	}
	p.wanted.SetHint(kit.Own(p.s.t(id), hintText))
}

// sayFaults puts what is wrong on the fields.
func (p *secretsPart) sayFaults() {
	t := &p.s.secrets
	for _, f := range []struct {
		row *kit.FieldRow
		say string
	}{{p.old, p.s.say(t.oldFault)}, {p.wanted, p.s.say(t.wantedFault)}, {p.again, p.s.say(t.againFault)}} {
		if f.row != nil {
			f.row.SetError(f.say)
		}
	}
}

// escape drops what was entered: a passphrase is not left lying about.
func (p *secretsPart) escape() {
	if p.s.secrets.busy || p.s.secrets.deed == deedNone {
		return
	}
	p.s.secrets.begin(deedNone)
	p.update()
}

// submit does what the open form is for; deleting takes its own button.
func (p *secretsPart) submit() {
	if !p.s.secrets.deed.grave() {
		p.s.doSecrets()
	}
}

// leave forgets what was entered.
func (p *secretsPart) leave() {
	if !p.s.secrets.busy {
		p.s.secrets.begin(deedNone)
	}
}
