package ui

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/mcpclient/auth"
)

// Accounts are whom the person is signed in as at servers, and the sign-ins under
// way: an *auth.Accounts, whose errors these are. Methods with a context may wait
// for the keychain or the network and are called in the background.
type Accounts interface {
	// Agree is the person's yes to a sign-in, after which it has an address to
	// open; Cancel is the no.
	Agree(ctx context.Context, id string) (auth.SignIn, error)
	Cancel(id string) error
	// Again lets a server ask once more after a no.
	Again(serverID string)
	// Switch is Again for a person who wants to be somebody else there.
	Switch(serverID string)
	SignOut(ctx context.Context, s mcpclient.Server) (revoked bool, err error)
	Who(ctx context.Context, s mcpclient.Server) (auth.Account, error)
	// SetUp takes over settings of signing in that were stored, with a client secret
	// that was entered with them, "" for none.
	SetUp(ctx context.Context, before, after mcpclient.Server, secret string) error
	// KeepClientSecret stores the secret of a client id, or removes it if it is
	// ""; ClientSecrets names those that are stored.
	KeepClientSecret(ctx context.Context, s mcpclient.Server, secret string) error
	ClientSecrets(ctx context.Context, s mcpclient.Server) (auth.ClientSecrets, error)
}

// signInSheet is one sign-in as it lies before the person. Its page only draws
// it, and can be left and drawn anew at any time.
type signInSheet struct {
	auth.SignIn
	// link is what was judged: the address of the sign-in page first, the exact
	// one to open once the person has agreed. nil until it is judged.
	link *judgedLink
	// renewed tells that the exact address is graver than what was agreed to, so
	// that the person is asked once more.
	renewed bool
	stage   stage // stageAsking, stageOpening or stageFailed
	// opened tells that the browser was started for it.
	opened bool
	// trouble says why it was not.
	trouble i18n.Message
	// dropped tells that the person has said no here.
	dropped bool
	// from is the page the person was at when this one came up.
	from route
}

// asks reports whether the person has to decide something.
func (sh *signInSheet) asks() bool {
	return sh.State == auth.NeedsConsent || sh.renewed && !sh.State.Settled()
}

// undecided reports whether the person is still to decide: they were not in the
// browser yet, be it because that did not start.
func (sh *signInSheet) undecided() bool {
	return sh.asks() || sh.stage == stageFailed && !sh.opened && !sh.State.Settled()
}

// open reports whether it is listed: it was judged and is not over.
func (sh *signInSheet) open() bool { return sh.link != nil && !sh.State.Settled() }

// signIn is the sign-in with an id, nil if there is none.
func (s *shell) signIn(id string) *signInSheet {
	for _, sh := range s.signIns {
		if sh.ID == id {
			return sh
		}
	}
	return nil
}

// signInAt is the sign-in at a server that is not over, nil for none.
func (s *shell) signInAt(serverID string) *signInSheet {
	for _, sh := range s.signIns {
		if sh.ServerID == serverID && sh.open() {
			return sh
		}
	}
	return nil
}

// asked counts what the person is asked: open questions, and sign-ins they have
// not decided about; by one server only when serverID is not "".
func (s *shell) asked(serverID string) int {
	n := len(s.desk.open(serverID))
	for _, sh := range s.signIns {
		if sh.open() && sh.undecided() && (serverID == "" || sh.ServerID == serverID) {
			n++
		}
	}
	return n
}

// watchSignIns keeps the window true to the accounts.
func (s *shell) watchSignIns() (stop func()) {
	if s.o.News == nil {
		return func() {}
	}
	s.o.News.speak(s.loc)
	return s.o.News.watch(func() { s.do.Do(s.takeNews) })
}

// takeNews brings in what happened to sign-ins and accounts.
func (s *shell) takeNews() {
	if s.closing {
		return
	}
	var ch changes
	var over []*signInSheet
	for _, e := range s.o.News.taken() {
		mark(&ch.servers, e.ServerID)
		switch {
		case e.Account != nil:
			if v := s.desk.server(e.ServerID); v != nil {
				v.account.is(*e.Account)
				if s.note.of == e.ServerID && !v.account.person() {
					s.untell() // "Signed in to …"
				}
			}
		case e.Renewal != nil:
			if v := s.desk.server(e.ServerID); v != nil {
				for _, id := range slices.Concat(v.renewal.Calls, e.Renewal.Calls) {
					mark(&ch.calls, id)
				}
				v.renewal = *e.Renewal
			}
		case e.SignIn != nil:
			if sh := s.takeSignIn(*e.SignIn, &ch); sh != nil {
				over = append(over, sh)
			}
		}
	}
	s.tell(&ch)
	for _, sh := range over {
		s.signInOver(sh)
	}
}

// takeSignIn takes the new state of a sign-in into its sheet, which it returns
// if it is over.
func (s *shell) takeSignIn(d auth.SignIn, ch *changes) *signInSheet {
	mark(&ch.signIns, d.ID)
	sh := s.signIn(d.ID)
	switch {
	case sh == nil && d.State.Settled():
		if !d.Text.IsZero() && d.State == auth.Done { // the keychain did not take it, after all
			s.noteSignedIn(&signInSheet{SignIn: d})
		}
		return nil // else it came and went
	case sh == nil:
		sh = &signInSheet{SignIn: d}
		if v := s.desk.server(d.ServerID); v != nil {
			v.account.wanted = true
		}
		s.signIns = append(s.signIns, sh)
		s.judgeSignIn(sh)
		s.turnOver(d.ServerID)
		return nil
	}
	sh.SignIn = d
	if !d.State.Settled() {
		return nil
	}
	sh.stage, sh.trouble = stageAsking, i18n.Message{}
	return sh
}

// judgeSignIn judges the address of the sign-in page in the background. Then the
// sign-in is put before the person.
func (s *shell) judgeSignIn(sh *signInSheet) {
	by, endpoint := s.signInAsker(sh), sh.Endpoint
	s.work.apart(func(context.Context) {
		judged := consent.Assess(endpoint, by)
		s.do.Do(func() {
			if s.closing || s.signIn(sh.ID) == nil {
				return
			}
			sh.link = &judgedLink{Assessment: judged}
			s.touchSignIn(sh)
			s.signInArrived(sh)
		})
	})
}

// signInAsker is the server of a sign-in as the judge of links sees it.
func (s *shell) signInAsker(sh *signInSheet) consent.Asker {
	return s.asker(sh.identity(), sh.ServerID)
}

// signInArrived decides what happens on the screen when a sign-in wants the
// person: it comes up by itself only for somebody who waits for its server. It
// never takes the keyboard.
func (s *shell) signInArrived(sh *signInSheet) {
	if !sh.open() {
		return
	}
	if !s.focused {
		s.notify(&fyne.Notification{Title: "Parley", Content: s.t("ui.notify.signin")})
	}
	if s.waitsAt(sh.ServerID) {
		sh.from = s.here()
		s.show(route{section: sectionSignIn, id: sh.ID})
	}
}

// showSignInOf brings up the sign-in that a request waits for whose page has just come
// up: it may have been asked for before the request was known here.
func (s *shell) showSignInOf(callID string) {
	for _, sh := range s.signIns {
		if sh.open() && sh.asks() && slices.Contains(sh.Calls, callID) {
			sh.from = s.here()
			s.show(route{section: sectionSignIn, id: sh.ID})
			return
		}
	}
}

// waitsAt reports whether the person is at a page that waits for a server.
func (s *shell) waitsAt(serverID string) bool {
	switch s.at.section {
	case sectionQuestions:
		return s.asked("") == 1
	case sectionServer:
		v := s.desk.server(serverID)
		return s.at.id == serverID && v != nil && !v.token.open
	case sectionRequest:
		c := s.desk.call(s.at.id)
		return c != nil && c.ServerID == serverID && !c.State.Ended()
	case sectionSignIn:
		at := s.signIn(s.at.id)
		return at != nil && at.ServerID == serverID && at.State.Settled()
	}
	return false
}

// here is where the person is, or was before a sign-in came up.
func (s *shell) here() route {
	if at := s.signIn(s.at.id); s.at.section == sectionSignIn && at != nil {
		return at.from
	}
	return s.at
}

// toSignIn goes to the page of a sign-in by the person's choice.
func (s *shell) toSignIn(sh *signInSheet) {
	sh.from = s.here()
	s.choose(route{section: sectionSignIn, id: sh.ID})
}

// firstOf is the first of the calls with these ids that is known here; nil for none.
func (s *shell) firstOf(ids []string) *callState {
	for _, id := range ids {
		if c := s.desk.call(id); c != nil {
			return c
		}
	}
	return nil
}

// connectedTo reports whether there is a connection to a server.
func (s *shell) connectedTo(serverID string) bool {
	v := s.desk.server(serverID)
	return v != nil && isConnected(v.status)
}

// agree is the person's yes: the port is opened and the app registered, then
// the exact address is judged as well and given to the browser.
func (s *shell) agree(sh *signInSheet) {
	if sh.stage == stageOpening || sh.State != auth.NeedsConsent || !sh.link.mayOpen() {
		return
	}
	sh.stage, sh.trouble = stageOpening, i18n.Message{}
	s.touchSignIn(sh)
	id, by := sh.ID, s.signInAsker(sh)
	s.work.apart(func(ctx context.Context) {
		d, err := s.o.Accounts.Agree(ctx, id)
		var exact consent.Assessment
		if err == nil {
			exact = consent.Assess(d.URL, by)
		}
		s.do.Do(func() { s.agreed(sh, d, exact, err) })
	})
}

func (s *shell) agreed(sh *signInSheet, d auth.SignIn, exact consent.Assessment, err error) {
	sh.stage = stageAsking
	if err != nil || sh.State.Settled() {
		s.touchSignIn(sh) // an event says why, or has
		return
	}
	d.Calls = sh.Calls // which may be newer
	sh.SignIn = d
	known := *sh.link
	sh.link.Assessment = exact
	if graver(exact, known.Assessment) {
		sh.renewed = true
		sh.link.known, sh.link.seen = false, false
		s.touchSignIn(sh)
		return
	}
	s.openSignIn(sh)
}

// graver reports whether the exact address is not covered by the consent to what
// was shown before: it leads elsewhere, or there is a warning about it that was not
// shown.
func graver(exact, shown consent.Assessment) bool {
	return exact.Level == consent.Block || exact.Host != shown.Host || exact.Button != shown.Button ||
		slices.ContainsFunc(exact.Findings, func(f consent.Finding) bool { return f.Level > consent.Info && !shown.Has(f.Code) })
}

// openSignIn gives the browser exactly the address that was judged. It may be
// done again as long as the sign-in waits.
func (s *shell) openSignIn(sh *signInSheet) {
	if sh.stage == stageOpening || sh.State != auth.InBrowser || !sh.link.mayOpen() {
		return
	}
	sh.stage, sh.trouble, sh.renewed = stageOpening, i18n.Message{}, false
	s.touchSignIn(sh)
	url, site := sh.link.Open, sh.link.Button
	s.work.apart(func(ctx context.Context) {
		err := s.o.Opener.Open(ctx, url)
		s.do.Do(func() {
			if err == nil {
				sh.opened = true
				s.rememberSite(sh.ServerID, sh.identity(), site)
			}
			if sh.State.Settled() {
				return // the browser was faster
			}
			sh.stage = stageAsking
			if err != nil {
				sh.stage, sh.trouble = stageFailed, openTrouble(err)
			}
			s.touchSignIn(sh)
		})
	})
}

// openedSignIn is the person's word that they opened the page on their own.
func (s *shell) openedSignIn(sh *signInSheet) {
	if sh.stage != stageFailed {
		return
	}
	sh.stage, sh.trouble, sh.opened = stageAsking, i18n.Message{}, true
	s.rememberSite(sh.ServerID, sh.identity(), sh.link.Button)
	s.touchSignIn(sh)
}

// dropSignIn is the person's no. That it is over is told as an event.
func (s *shell) dropSignIn(sh *signInSheet) {
	if sh.dropped || sh.State.Settled() {
		return
	}
	sh.dropped = true
	id := sh.ID
	s.background(func() {
		// The one error is that it is over already.
		_ = s.o.Accounts.Cancel(id)
	}, nil)
}

// signInOver goes on when a sign-in has ended: back to where the person was,
// unless there is something to read here.
func (s *shell) signInOver(sh *signInSheet) {
	at := s.at == (route{section: sectionSignIn, id: sh.ID})
	switch {
	case !at:
		s.pruneSignIns()
	case sh.State == auth.Done:
		s.leaveSignIn(sh, s.show)
		s.noteSignedIn(sh)
	case sh.dropped:
		s.leaveSignIn(sh, s.choose)
	default:
		return
	}
	s.tell(&changes{signIns: map[string]bool{sh.ID: true}, servers: map[string]bool{sh.ServerID: true}})
}

// leaveSignIn goes back to where the person was before. What they were about is the
// server of the sign-in: the page of another one is left behind.
func (s *shell) leaveSignIn(sh *signInSheet, to func(route)) {
	about := s.serverOf(sh.from)
	switch c := s.firstOf(sh.Calls); {
	case about != "" && about != sh.ServerID && c != nil:
		to(route{section: sectionRequest, id: c.ID})
	case about != "" && about != sh.ServerID:
		to(route{section: sectionServer, id: sh.ServerID})
	case sh.from.section != sectionQuestions:
		to(sh.from)
	case s.asked("") > 0:
		to(route{section: sectionQuestions})
	default:
		to(route{section: sectionServer, id: sh.ServerID})
	}
}

// serverOf is the server whose page, or whose request's, r is; "" for none. A form
// that is being filled in is gone back to whoever asks.
func (s *shell) serverOf(r route) string {
	switch r.section {
	case sectionServer, sectionAllow, sectionLink:
		return r.id
	case sectionRequest:
		if c := s.desk.call(r.id); c != nil {
			return c.ServerID
		}
	}
	return ""
}

// pruneSignIns drops those that are over, except the one on the screen.
func (s *shell) pruneSignIns() {
	s.signIns = slices.DeleteFunc(s.signIns, func(sh *signInSheet) bool {
		return sh.State.Settled() && s.at != (route{section: sectionSignIn, id: sh.ID})
	})
}

func (s *shell) touchSignIn(sh *signInSheet) {
	var ch changes
	mark(&ch.signIns, sh.ID)
	mark(&ch.servers, sh.ServerID)
	s.tell(&ch)
}
