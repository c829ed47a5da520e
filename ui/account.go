package ui

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// accountSheet is whom the person is signed in as at a server, and what they do
// about it.
type accountSheet struct {
	auth.Account
	known bool // it was asked for, since the server was last connected to
	// unread is why what is stored could not be read, so that nobody knows; zero if it
	// was.
	unread i18n.Message
	// wanted tells that the server has asked for a sign-in since the app started.
	wanted bool
	told   int  // counts what was told, for an answer that is older does not count
	sure   bool // "Sign out?" is asked
	other  bool // to sign in as somebody else afterwards
	busy   bool // that is under way
	said   remark
}

// accountDrawn is what the page of a server shows of it.
type accountDrawn struct {
	sure, other, busy bool
	wanted            bool
	who, scopes       string
	unread            string
	said              remarkDrawn
}

func (a *accountSheet) drawn(s *shell) accountDrawn {
	return accountDrawn{a.sure, a.other, a.busy, a.wanted, s.say(a.sentence(s)), strings.Join(a.Scopes, " "), s.say(a.unread), a.said.drawn(s)}
}

// is takes in what was told.
func (a *accountSheet) is(now auth.Account) {
	if now.Issuer != "" || now.Entered && !a.Entered {
		a.said = remark{}
	}
	a.wanted = a.wanted || a.SignedIn() && !now.SignedIn() // what ended can be begun anew
	a.Account, a.known, a.unread = now, true, i18n.Message{}
	a.told++
}

// learnAccount finds out in the background whom the person is signed in as,
// once the server was tried, or if it is back in the list: the keychain has been asked
// by then.
func (s *shell) learnAccount(v *serverState) {
	tried := v.status.State == mcpclient.Connected || v.status.State == mcpclient.Lost || s.known[v.ID]
	if s.o.Accounts == nil || v.account.known || !tried || !s.takesToken(v) {
		return
	}
	v.account.known, v.account.unread = true, i18n.Message{}
	server, told := v.reached(), v.account.told
	s.work.apart(func(ctx context.Context) {
		account, err := s.o.Accounts.Who(ctx, server)
		s.do.Do(func() {
			_, away := errors.AsType[*keychain.Unavailable](err)
			switch {
			case v.account.told != told:
				return
			case away:
				v.account.unread = keychain.Sentence(err)
			case err != nil:
				return // why there is none is told where it is needed
			default:
				v.account.is(account)
			}
			s.touchServer(server.ID)
		})
	})
}

// learnUnread finds out once more what could not be read before, if it can be now, and
// connects to what lacked it.
func (s *shell) learnUnread() {
	mode := s.o.Secrets.State().Mode
	before := s.secrets.readable
	s.secrets.readable = mode == keychain.Available || mode == keychain.Vault
	switch {
	case !s.secrets.readable:
		return
	case !before:
		s.connectReadable()
	}
	for _, v := range s.desk.servers {
		if !v.account.unread.IsZero() {
			v.account.known = false
			s.learnAccount(v)
		}
	}
}

// unreadPart says that nobody is signed in at a server since what is stored could not
// be read: one that does without a sign-in is used all the same.
func (p *serverPage) unreadPart() fyne.CanvasObject {
	s, why := p.s, p.v.account.unread
	notice := kit.NewNotice(kit.Info, s.t("ui.account.unread"), s.say(why))
	words, lead := "ui.secrets.where", func() { s.choose(route{section: sectionSettings}) }
	if keychain.IsLockedFile(why) {
		words, lead = "ui.secrets.unlock", s.toUnlock
	}
	return kit.RowFill(gap, 0, notice, p.button(s.t(words), kit.Plain, lead))
}

// sentence says how the person is signed in, since when and for how long, below the
// banner, which has as whom and where; zero for nobody.
func (a *accountSheet) sentence(s *shell) i18n.Message {
	switch {
	case a.Entered && a.Issuer != "":
		return i18n.M("ui.account.entered_beside", "Who", a.who())
	case a.Entered:
		return i18n.M("ui.account.entered")
	case !a.SignedIn():
		return i18n.Message{}
	case a.Service:
		return i18n.M("ui.account.service", "Host", a.Host)
	case a.Since.IsZero(): // as it was stored by somebody else
		return i18n.M("ui.account.since_unknown", "Until", a.until(s))
	}
	return i18n.M("ui.account.since", "Time", atTime(s.clock.Now(), a.Since), "Until", a.until(s))
}

// who names the person and the place.
func (a *accountSheet) who() i18n.Message {
	if a.User == "" {
		return i18n.M("ui.account.at", "Host", a.Host)
	}
	return i18n.M("ui.account.as", "User", userName(a.User), "Host", a.Host)
}

// maxUserName is how much of a name is shown, in characters: it stands in the banner,
// and whoever gave it may have written all kinds of things into it.
const maxUserName = 40

// userName is the name that a sign-in page has for the person, for one line.
func userName(name string) string { return safetext.Line(name, maxUserName).String() }

// until says how long it holds.
func (a *accountSheet) until(s *shell) i18n.Message {
	switch {
	case a.Renews:
		return i18n.M("ui.account.renews")
	case a.Expires.IsZero():
		return i18n.M("ui.account.unknown")
	case a.Expires.Before(s.clock.Now()):
		return i18n.M("ui.account.expired")
	}
	return i18n.M("ui.account.until", "Time", atTime(s.clock.Now(), a.Expires))
}

// signInPart is what the page of a server shows about signing in now, before how
// the connection stands.
func (p *serverPage) signInPart() []fyne.CanvasObject {
	s, a := p.s, &p.v.account
	out := nonNil(a.said.notice(s))
	if waits := s.signInAt(p.v.ID); waits != nil {
		out = append(out, kit.RowFill(gap, 0, kit.NewNotice(kit.Info, "", s.say(waits.wait().page)),
			p.button(s.t("ui.signin.look"), kit.Primary, func() { s.toSignIn(waits) })))
	}
	return out
}

// accountPart is what the page of a server shows about who is signed in.
func (p *serverPage) accountPart() []fyne.CanvasObject {
	s, a := p.s, &p.v.account
	var out []fyne.CanvasObject
	switch who := a.sentence(s); {
	case a.busy:
		out = append(out, kit.Sentence(s.t("ui.account.leaving"), mutedText))
	case who.IsZero() && !a.unread.IsZero() && isConnected(p.v.status) && s.signInAt(p.v.ID) == nil:
		out = append(out, p.unreadPart())
	case who.IsZero() && a.wanted && isConnected(p.v.status) && !p.v.emptied && s.signInAt(p.v.ID) == nil && s.takesToken(p.v):
		out = append(out, kit.RowFill(gap, 0, kit.Sentence(s.t("ui.account.nobody"), mutedText),
			p.button(s.t("ui.mend.signin"), kit.Plain, func() { s.signInAgain(p.v, nil) })))
	case who.IsZero():
	case a.sure:
		ask, yes, do := "ui.account.sure", "ui.account.out", s.signOut
		switch {
		case a.other:
			ask, yes, do = "ui.account.other_sure", "ui.account.other", s.switchAccount
		case a.Entered:
			ask = "ui.account.sure_beside"
		}
		out = append(out, kit.Card(kit.Column(gap, kit.Sentence(s.t(ask, "Host", a.Host), bodyText),
			kit.ActionBar(nil, []fyne.CanvasObject{
				p.button(s.t("ui.account.stay"), kit.Plain, p.staySignedIn),
				p.button(s.t(yes), kit.Grave, func() { do(p.v) })}))))
	default:
		said := kit.Column(2, kit.Sentence(s.say(who), bodyText))
		if len(a.Scopes) > 0 && !a.Entered {
			said.Add(kit.NewText(kit.Own(s.t("ui.account.scopes")+" ", hintText), kit.Server(line(strings.Join(a.Scopes, " ")), hintText)))
		}
		if s.o.Accounts != nil && a.Issuer != "" {
			buttons := []fyne.CanvasObject{p.button(s.t("ui.account.out_ask"), kit.Plain, func() { p.askSignOut(false) })}
			if !a.Service && !a.Entered {
				buttons = append([]fyne.CanvasObject{p.button(s.t("ui.account.other_ask"), kit.Plain, func() { p.askSignOut(true) })}, buttons...)
			}
			said.Add(kit.Pad(gapSmall, 0, 0, 0, kit.Wrap(buttons...)))
		}
		out = append(out, said)
	}
	return out
}

// askSignOut asks in the page, and puts the keyboard on what changes nothing. other
// is to sign in as somebody else afterwards.
func (p *serverPage) askSignOut(other bool) {
	p.v.account.sure, p.v.account.other = true, other
	p.draw()
	p.s.win.Canvas().Focus(p.buttons[p.s.t("ui.account.stay")])
}

func (p *serverPage) staySignedIn() {
	asked := "ui.account.out_ask"
	if p.v.account.other {
		asked = "ui.account.other_ask"
	}
	p.v.account.sure, p.v.account.other = false, false
	p.draw()
	if b := p.buttons[p.s.t(asked)]; b != nil {
		p.s.win.Canvas().Focus(b)
	}
}

// signOut ends the account at v in the background and says how that went: what
// is kept here is deleted always, what was given away is revoked where there is a
// way to. A connection that was made with it, and not with an access token that
// stays, is closed.
func (s *shell) signOut(v *serverState) { s.leaveAccount(v, func() {}) }

// switchAccount is signOut and then a new sign-in, in which the person says anew who
// they are.
func (s *shell) switchAccount(v *serverState) {
	s.leaveAccount(v, func() {
		s.o.Accounts.Switch(v.ID)
		s.connect(v)
	})
}

// settle ends what is said of earlier deeds at v, since another begins or the person
// goes away: that they are signed out, or in, that something was removed. What they
// are still to do something about stays.
func (s *shell) settle(v *serverState) {
	v.account.said, v.exposed.said = remark{}, remark{}
	if t := &v.token; !t.retry && !t.busy {
		t.said = remark{}
	}
	if s.note.of == v.ID {
		s.untell()
	}
}

// settleLeft is settle where the person, or the window, goes on to another page: a
// reservation about the last deed stays until the next.
func (s *shell) settleLeft(v *serverState) {
	said := v.account.said
	s.settle(v)
	if said.level != kit.Info {
		v.account.said = said
	}
}

// leaveAccount is signOut with what follows where nothing is kept any more.
func (s *shell) leaveAccount(v *serverState, then func()) {
	s.settle(v)
	v.account.sure, v.account.other, v.account.busy = false, false, true
	s.touchServer(v.ID)
	server, host := v.reached(), v.account.Host
	stays := v.account.Entered // the connection is by the token
	if v.giveUp != nil && !stays {
		v.giveUp()
		v.giveUp = nil
	}
	s.work.apart(func(ctx context.Context) {
		if !stays {
			// The session is given back while there are credentials for that; why it did
			// not end well is told as an event.
			_ = s.client.Disconnect(ctx, server.ID)
		}
		revoked, err := s.o.Accounts.SignOut(ctx, server)
		s.do.Do(func() {
			a := &v.account
			a.busy, a.said = false, remark{text: i18n.M("ui.account.revoked", "Host", host)}
			unavailable, out := errors.AsType[*keychain.Unavailable](err)
			switch {
			case err == nil && !revoked:
				a.said = remark{text: i18n.M("ui.account.unrevoked", "Host", host), level: kit.Caution}
			case err != nil: // signed out all the same, in this run
				trouble, _ := secretRemark(err)
				a.said.more, a.said.level = trouble.text, trouble.level
				if !revoked {
					a.said.text = i18n.M("ui.account.unconfirmed", "Host", host)
				}
			}
			if s.closing || s.desk.server(v.ID) != v {
				return
			}
			s.touchServer(v.ID)
			if err == nil || out && unavailable.Nowhere() {
				then()
			}
		})
	})
}

// noteSignedIn says on the page the person is back on that they are signed in, and
// what is remarked about it. Where a banner says it, there is only the remark to tell.
func (s *shell) noteSignedIn(sh *signInSheet) {
	v, name := s.desk.server(sh.ServerID), s.renamed(sh.identity(), sh.ServerID).Name
	var note i18n.Message
	switch {
	case v == nil || s.serverHere() == v.ID && sh.Text.IsZero():
		return
	case s.serverHere() == v.ID:
		note = i18n.M("ui.account.note_short", "Server", name)
	default:
		note = i18n.M("ui.account.note", "Server", name, "Who", v.account.who(), "Until", v.account.until(s))
	}
	s.tellOnce(note, sh.Text)
	s.note.of = v.ID
}

// serverHere is the server that the banner of the page of now is about, "" if it has
// none that says who is signed in.
func (s *shell) serverHere() string {
	switch at := s.at; at.section {
	case sectionServer, sectionTool, sectionPrompt, sectionResource, sectionLink:
		return at.id
	case sectionRequest:
		if c := s.desk.call(at.id); c != nil {
			return c.ServerID
		}
	case sectionQuestion:
		if sh := s.sheets[at.id]; sh != nil {
			return sh.q.ServerID
		}
	}
	return ""
}

// person reports whether it is a person who has signed in.
func (a *accountSheet) person() bool { return a.SignedIn() && !a.Entered && !a.Service }

// on is id with the person who is signed in there.
func (a *accountSheet) on(id mcpclient.Identity) mcpclient.Identity {
	id.User, id.Host = "", ""
	if a.person() {
		id.User, id.Host = a.User, a.Host
	}
	return id
}

// signedIn is what a banner says of who is signed in at a server and where, and for
// how long unless that is renewed by itself or the page says it; in short only as whom.
// It is whoever id has: a request has gone out as one person, and another may be signed
// in now.
func (s *shell) signedIn(serverID string, id mcpclient.Identity, short bool) []kit.Run {
	if id.Host == "" {
		return nil
	}
	who := accountSheet{Account: auth.Account{User: id.User, Host: id.Host}}
	text := s.t("ui.banner.who_short", "Who", who.who())
	if v := s.desk.server(serverID); v != nil && !short && s.at != (route{section: sectionServer, id: serverID}) {
		if a := &v.account; a.person() && !a.Renews && a.User == id.User && a.Host == id.Host {
			text = s.t("ui.banner.who", "Who", a.who(), "Until", a.until(s))
		}
	}
	return []kit.Run{kit.Own("  •  "+text, bodyText)}
}

// hasToken reports whether an access token that the person entered is kept for
// v, as far as anybody knows.
func (s *shell) hasToken(v *serverState) bool { return s.o.Accounts == nil || v.account.Entered }

// signInStands is how the sign-in at a server stands, "" if there is none.
func (s *shell) signInStands(serverID string) string {
	sh := s.signInAt(serverID)
	if sh == nil {
		return ""
	}
	return sh.wait().page.ID
}

// waits is what this request waits for before it goes to the server.
func (p *requestPage) waits() []fyne.CanvasObject {
	s := p.s
	w := s.waitOf(p.c.ServerID, p.c.ID)
	if w.isZero() {
		return nil
	}
	notice := kit.NewNotice(kit.Info, "", s.say(w.page))
	waits := s.signInOf(&p.c.Call)
	if waits == nil {
		return []fyne.CanvasObject{notice}
	}
	return []fyne.CanvasObject{kit.RowFill(gap, 0, notice,
		p.act("sign in "+waits.ID, s.t("ui.signin.look"), kit.Primary, func() { s.toSignIn(waits) }))}
}
