package ui

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// setupSheet is what the person enters about signing in to a server. The secret
// is emptied as soon as it is kept or given up, and never read back.
type setupSheet struct {
	auth.Setup
	before  auth.Setup // what there was when the person began
	fault   *auth.SetupFault
	trouble i18n.Message // why it was not stored
	said    i18n.Message // what came of removing the stored secret
	storing bool
	leaving bool  // "Discard what you have changed?" is asked
	back    route // where it was opened from: the page that edits the server, or its page
}

// touched reports whether something was entered that is not stored.
func (sh *setupSheet) touched() bool { return sh.Setup != sh.before }

// unsavedSetups counts the servers with something entered about signing in that is
// not stored.
func (s *shell) unsavedSetups() int {
	n := 0
	for id, sh := range s.setups {
		if sh.touched() && s.reachable(id) {
			n++
		}
	}
	return n
}

// setupPage holds what is rarely needed about signing in to a server: what its
// owner has to fix, and the exception for an own network.
type setupPage struct {
	base
	s     *shell
	v     *serverState
	sh    *setupSheet
	env   *kit.Env
	body  *fyne.Container
	foot  *fyne.Container
	whole fyne.CanvasObject
	rows  map[string]*kit.FieldRow
	focus map[string]fyne.Focusable
	// redirect is the address to register, with what there is to say about it.
	redirect *fyne.Container
	copy     *kit.Button
	// unkeep removes the stored secret; it shows where there is one.
	unkeep *kit.Button
}

// toSetup leads to a field of the settings of signing in to v.
func (s *shell) toSetup(v *serverState, field string) {
	back := route{section: sectionServer, id: v.ID}
	if edit := (route{section: sectionEdit, id: v.ID}); s.at == edit {
		back = edit
	}
	s.choose(route{section: sectionSetup, id: v.ID})
	if p, ok := s.page.(*setupPage); ok {
		p.sh.back = back
		p.focusOn(field)
	}
}

func newSetupPage(s *shell, v *serverState) *setupPage {
	sh := s.setups[v.ID]
	if now := auth.SetupOf(v.SignIn); sh == nil || !sh.touched() && !sh.storing {
		sh = &setupSheet{Setup: now, before: now, back: route{section: sectionServer, id: v.ID}}
		s.setups[v.ID] = sh
	}
	p := &setupPage{s: s, v: v, sh: sh, env: s.env(), body: kit.Column(gap), foot: kit.Column(gap)}
	reveal := kit.NewReveal(kit.Pad(0, pageSide, gapLarge, pageSide, p.body))
	p.env.Reveal = reveal
	p.whole = pageFrame(s.banner(p.env, identityOf(v.Server), v.ID), reveal, p.foot)
	p.draw()
	s.learnClientSecrets(v)
	return p
}

// setupHosts are what the browser can be sent back to.
var setupHosts = []string{"", "localhost"}

func (p *setupPage) draw() {
	s, sh := p.s, p.sh
	p.rows, p.focus = map[string]*kit.FieldRow{}, map[string]fyne.Focusable{}
	host := kit.NewPicker(kit.PickerOptions{Env: p.env, Selected: indexOf(setupHosts, sh.Host),
		Options: []kit.Option{{Label: line("127.0.0.1")}, {Label: line("localhost")}},
		OnChanged: func(i int) {
			sh.Host = setupHosts[max(i, 0)]
			p.sayRedirect()
		}})
	p.unkeep = kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.setup.secret_remove"), Importance: kit.Quiet, EnterTaps: true, OnTapped: p.dropSecret})
	p.unkeep.Hidden = !p.removable()
	app := kit.NewFormGrid(p.env,
		p.row(auth.SetupClientID, "ui.setup.client", s.t("ui.setup.client_hint"), p.entry(auth.SetupClientID, &sh.ClientID), nil),
		p.row(auth.SetupSecret, "ui.setup.secret", p.secretHint(), p.entry(auth.SetupSecret, &sh.Secret), p.unkeep),
		p.row(auth.SetupIssuer, "ui.setup.issuer", s.t("ui.setup.issuer_hint"), p.entry(auth.SetupIssuer, &sh.Issuer), nil),
		p.row(auth.SetupMetadata, "ui.setup.metadata", s.t("ui.setup.metadata_hint"), p.entry(auth.SetupMetadata, &sh.ClientMetadata), nil))
	back := kit.NewFormGrid(p.env,
		p.row(auth.SetupPort, "ui.setup.port", s.t("ui.setup.port_hint"), p.entry(auth.SetupPort, &sh.Port), nil),
		p.row("host", "ui.setup.host", s.t("ui.setup.host_hint"), host, nil),
		p.row(auth.SetupPath, "ui.setup.path", s.t("ui.setup.path_hint"), p.entry(auth.SetupPath, &sh.Path), nil))
	p.copy = s.copyButton(kit.ButtonOptions{Env: p.env, Icon: kit.IconCopy, Text: s.t("ui.setup.redirect_copy")}, func() string {
		address, _ := p.sh.Redirect() // without one the button is disabled
		return address
	})
	p.redirect = kit.Column(gapSmall)
	p.sayRedirect()
	service := kit.NewCheck(p.env, s.t("ui.setup.service"), sh.Service, func(on bool) { sh.Service = on })
	intranet := kit.NewCheck(p.env, s.t("auth.setup.intranet"), sh.Intranet, func(on bool) {
		sh.Intranet = on
		p.unsay(auth.SetupIssuer) // which may be wrong for want of it
	})
	p.focus["intranet"] = intranet
	p.body.Objects = nonNil(p.trouble(),
		kit.Sentence(s.t("ui.setup.title"), titleText),
		kit.Sentence(s.t("ui.setup.lead"), mutedText),
		p.part("ui.setup.app", app, service, kit.Sentence(s.t("ui.setup.service_hint"), hintText)),
		p.part("ui.setup.back", back, p.redirect, kit.Row(gap, p.copy)),
		p.part("ui.setup.network", kit.NewNotice(kit.Caution, "", s.t("ui.setup.intranet_warn")), intranet))
	p.sayFaults()
	p.drawFoot()
}

func (p *setupPage) drawFoot() {
	s, sh := p.s, p.sh
	button := func(words, shortcut string, im kit.Importance, do func()) *kit.Button {
		return kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t(words), Shortcut: shortcut, Importance: im, EnterTaps: true, OnTapped: do})
	}
	if sh.leaving {
		p.foot.Objects = []fyne.CanvasObject{kit.Sentence(s.t("ui.edit.discard_ask"), boldText),
			kit.ActionBar(nil, []fyne.CanvasObject{button("ui.edit.keep_on", "Esc", kit.Plain, p.escape), button("ui.edit.discard", "", kit.Grave, p.discard)})}
		p.whole.Refresh()
		return
	}
	keep := button("ui.setup.keep", "Ctrl ↵", kit.Primary, p.submit)
	if sh.storing {
		keep.Disable()
	}
	p.foot.Objects = []fyne.CanvasObject{kit.ActionBar(nil, []fyne.CanvasObject{button("ui.answer.cancel", "Esc", kit.Plain, p.escape), keep})}
	p.whole.Refresh()
}

// sayRedirect shows the address that the browser comes back to with what is
// entered, for whoever registers it elsewhere.
func (p *setupPage) sayRedirect() {
	s := p.s
	address, ok := p.sh.Redirect()
	switch {
	case !ok:
		p.redirect.Objects = []fyne.CanvasObject{kit.Sentence(s.t("ui.setup.redirect_none"), hintText)}
		p.copy.Disable()
	default:
		p.redirect.Objects = []fyne.CanvasObject{kit.Sentence(s.t("ui.setup.redirect"), hintText), kit.Label(line(address), monoText)}
		if strings.TrimSpace(p.sh.Port) == "" {
			p.redirect.Add(kit.Sentence(s.t("ui.setup.redirect_any"), hintText))
		}
		p.copy.Enable()
	}
	p.redirect.Refresh()
	if p.whole != nil {
		p.env.Reveal.Relayout()
	}
}

// part is one group of fields under its title.
func (p *setupPage) part(title string, objects ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.Column(gapSmall, kit.Pad(gap, 0, 0, 0, kit.Sentence(p.s.t(title), boldText)), kit.Card(kit.Column(gap, objects...)))
}

func (p *setupPage) trouble() fyne.CanvasObject {
	switch {
	case !p.sh.trouble.IsZero():
		return kit.NewNotice(kit.Danger, p.s.say(p.sh.trouble), "")
	case !p.sh.said.IsZero():
		return kit.NewNotice(kit.Info, "", p.s.say(p.sh.said))
	}
	return nil
}

// entry is what a field is entered in. What was wrong with it before says nothing
// of what stands there now.
func (p *setupPage) entry(field string, into *string) *kit.LongEntry {
	return kit.NewLongEntry(kit.TextEntryOptions{Env: p.env, Text: *into, Masked: field == auth.SetupSecret, OnChanged: func(text string) {
		*into = text
		p.unsay(field)
		p.sayRedirect()
		if field == auth.SetupClientID || field == auth.SetupIssuer {
			p.saySecret()
		}
	}})
}

// unsay takes back what was wrong with a field.
func (p *setupPage) unsay(field string) {
	if f := p.sh.fault; f != nil && f.Field == field {
		p.sh.fault = nil
	}
	p.sayFaults()
}

// sayFaults says beside the fields what is wrong with them: what is too long at once,
// the rest once it was to be stored.
func (p *setupPage) sayFaults() {
	said := map[string]string{}
	for _, f := range p.sh.TooLong() {
		said[f.Field] = p.s.say(f.Sentence())
	}
	if f := p.sh.fault; f != nil {
		said[f.Field] = p.s.say(f.Sentence())
	}
	for field, row := range p.rows {
		row.SetError(said[field])
	}
}

// secretHint says where a secret will be kept, and how one that is stored goes with
// what is entered.
func (p *setupPage) secretHint() string {
	s := p.s
	switch how, issuer := p.v.secrets.Fit(p.sh.Setup); how {
	case auth.SecretFits:
		return s.t("ui.setup.secret_fits", "Kept", s.kept())
	case auth.SecretUnclaimed:
		return s.t("ui.setup.secret_unclaimed")
	case auth.SecretElsewhere:
		return s.t("ui.setup.secret_elsewhere", "Issuer", line(issuer).String())
	}
	return s.t("ui.setup.secret_hint", "Kept", s.kept())
}

// removable reports whether a secret is stored that goes with the settings as they are
// stored and still stand here.
func (p *setupPage) removable() bool {
	how, _ := p.v.secrets.Fit(p.sh.Setup)
	return (how == auth.SecretFits || how == auth.SecretUnclaimed) &&
		p.sh.ClientID == p.sh.before.ClientID && p.sh.Issuer == p.sh.before.Issuer
}

// saySecret says of the stored secret how it goes with what is entered now.
func (p *setupPage) saySecret() {
	row := p.rows[auth.SetupSecret]
	row.SetHint(kit.Own(p.secretHint(), hintText))
	if p.unkeep.Hidden == p.removable() {
		p.unkeep.Hidden = !p.removable()
		row.Refresh()
	}
}

// row is a field with its label and its hint, and a button beside the label; nil
// for none.
func (p *setupPage) row(field, label, hint string, c kit.Control, action *kit.Button) *kit.FieldRow {
	o := kit.FieldRowOptions{Env: p.env, Label: line(p.s.t(label)), Control: c, Hint: []kit.Run{kit.Own(hint, hintText)}}
	if action != nil {
		o.Action = action
	}
	r := kit.NewFieldRow(o)
	p.rows[field], p.focus[field] = r, c.FocusTarget()
	return r
}

func (p *setupPage) focusOn(field string) {
	if f := p.focus[field]; f != nil {
		p.s.win.Canvas().Focus(f)
		p.s.keepInView()
	}
	if row := p.rows[field]; row != nil {
		row.RevealError()
	}
}

// submit stores what was entered, the secret in the keychain, and tries again
// what may have failed for want of it.
func (p *setupPage) submit() {
	s, v, sh := p.s, p.v, p.sh
	if sh.storing {
		return
	}
	signIn, fault := sh.Apply(v.Server)
	more := !sh.trouble.IsZero() || !sh.said.IsZero() || sh.leaving // is shown beside the fields
	sh.fault, sh.trouble, sh.said, sh.leaving = fault, i18n.Message{}, i18n.Message{}, false
	if fault != nil {
		if p.sayFaults(); more {
			p.draw()
		}
		p.focusOn(fault.Field)
		return
	}
	sh.storing = true
	p.draw()
	before, server, secret := v.Server, v.Server, sh.Secret
	server.SignIn = signIn
	s.work.apart(func(ctx context.Context) {
		err := s.o.Store.Update(server)
		var kept error
		if err == nil {
			kept = s.o.Accounts.SetUp(ctx, before, server, secret)
		}
		s.do.Do(func() { s.setUp(v, sh, signIn, err, kept) })
	})
}

// setUp takes over what was stored. err is that of the list of servers, kept that
// of the keychain.
func (s *shell) setUp(v *serverState, sh *setupSheet, signIn mcpclient.SignIn, err, kept error) {
	sh.storing = false
	changed := sh.touched()
	_, passing := errors.AsType[*keychain.Unavailable](kept)
	switch {
	case err != nil:
		sh.trouble = i18n.M("ui.setup.not_stored", "Why", s.storeTrouble(err))
	case kept != nil && !passing:
		sh.trouble = secretTrouble(kept)
	}
	if err == nil {
		sh.before = auth.SetupOf(signIn)
		v.setUp(signIn)
		v.account.known = false // another setup may have another account
		s.learnAccount(v)
	}
	at := s.at == (route{section: sectionSetup, id: v.ID})
	if !sh.trouble.IsZero() {
		if p, ok := s.page.(*setupPage); ok && at {
			p.draw()
		}
		return
	}
	delete(s.setups, v.ID)
	if at {
		s.choose(sh.back)
	}
	switch {
	case v.status.State == mcpclient.Lost || ofSigningIn(failureNow(v)):
		s.signInAgain(v, nil)
	case at && changed: // nothing is to be seen of it yet
		s.tellOnce(i18n.M("ui.setup.saved", "Server", line(v.Name).String()), i18n.Message{})
		s.note.of = v.ID
	}
}

// setUp takes in how one signs in to v now. A connection that leads where v is goes on
// with it.
func (v *serverState) setUp(now mcpclient.SignIn) {
	if !v.moved() {
		v.used.SignIn = now
	}
	v.SignIn, v.secrets = now, nil // which are learnt when they are shown
}

// takeSetUp lets the accounts take over, in the background, settings of signing in that
// were edited outside.
func (s *shell) takeSetUp(v *serverState, before, after mcpclient.Server) {
	if s.o.Accounts == nil || !s.takesToken(v) {
		return
	}
	v.account.known = false
	s.work.apart(func(ctx context.Context) {
		// No secret takes part, so there is nothing that could not be kept.
		_ = s.o.Accounts.SetUp(ctx, before, after, "")
		s.do.Do(func() { s.learnAccount(v) })
	})
}

// update shows which secrets are stored.
func (p *setupPage) update(ch *changes) {
	if ch.servers[p.v.ID] {
		p.saySecret()
	}
}

// sayKept implements placed.
func (p *setupPage) sayKept() { p.saySecret() }

// escape leaves the page; what was entered is asked about first.
func (p *setupPage) escape() {
	switch sh := p.sh; {
	case sh.storing:
	case !sh.leaving && !sh.touched():
		p.discard()
	default:
		sh.leaving = !sh.leaving
		p.drawFoot()
	}
}

// discard drops what was entered.
func (p *setupPage) discard() {
	delete(p.s.setups, p.v.ID)
	p.s.choose(p.sh.back)
	p.s.renewQuitBar()
}

func (p *setupPage) object() fyne.CanvasObject { return p.whole }

func (p *setupPage) first() fyne.Focusable { return p.focus[auth.SetupClientID] }

// signIn is the way from the page that edits a server to how one signs in there.
func (p *editPage) signIn() []fyne.CanvasObject {
	s := p.s
	if s.o.Accounts == nil || !s.takesToken(p.v) || p.form.sh.byCommand() {
		return nil
	}
	open := kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.setup.open"), EnterTaps: true,
		OnTapped: func() { s.toSetup(p.v, auth.SetupClientID) }})
	return []fyne.CanvasObject{kit.Card(kit.RowFill(gap, 0, kit.Column(2, kit.Sentence(s.t("ui.setup.title"), boldText), kit.Sentence(s.t("ui.setup.lead"), hintText)), open))}
}
