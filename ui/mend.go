package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/ui/kit"
)

// mend is what may help against a failure of signing in.
type mend struct {
	words string // of its button
	do    func()
}

// tokenWords are those of the button that opens the entry for an access token.
const tokenWords = "ui.token.open"

// mends are what helps against a failure of signing in to v, the likeliest first;
// none if it is no such failure. c is the request that failed, nil for a
// connection.
func (s *shell) mends(v *serverState, f *mcpclient.Failure, c *mcpclient.Call) []mend {
	if f == nil || s.o.Accounts == nil || !s.takesToken(v) {
		return nil
	}
	remedies, ours := auth.Remedies(f.Text)
	switch {
	case !ours:
		return nil
	case v.emptied && isOpen(v.status):
		return []mend{{"ui.server.reconnect", func() { s.reconnect(v) }}}
	}
	var out []mend
	if s.o.Secrets != nil && wantsUnlock(f) {
		out = append(out, mend{"ui.secrets.unlock", s.toUnlock})
	}
	for _, remedy := range remedies {
		m := mend{words: "ui.mend." + string(remedy)}
		switch remedy {
		case auth.SignInAnew:
			m.do = func() { s.signInAgain(v, nil) }
			if c != nil {
				m.words, m.do = "ui.mend.signin_again", func() { s.signInAgain(v, c) }
			}
		case auth.EnterToken:
			m.words, m.do = tokenWords, func() { s.toToken(v) }
		default:
			m.do = func() { s.toSetup(v, string(remedy)) }
		}
		out = append(out, m)
	}
	return out
}

// signInAgain lets v ask for a sign-in once more, by the person's wish, and does
// again what failed for want of one: the request c, or connecting or asking what v
// offers where that is nil. The server has refused c, so nothing is done twice.
func (s *shell) signInAgain(v *serverState, c *mcpclient.Call) {
	s.o.Accounts.Again(v.ID)
	if s.at.section == sectionSignIn {
		s.leaveSignIn(s.signIn(s.at.id), s.choose)
	}
	switch {
	case c != nil:
		s.repeat(*c, false)
	case isConnected(v.status):
		s.relist(v) // which asks the server, and so lets it ask
	case v.status.State != mcpclient.Connecting:
		s.connect(v)
	}
}

// reconnect ends a connection to what v was before, and connects to what it is now.
func (s *shell) reconnect(v *serverState) {
	if s.at.section == sectionSignIn {
		s.leaveSignIn(s.signIn(s.at.id), s.choose)
	}
	s.connect(v)
}

// toToken leads to the entry for the access token of v.
func (s *shell) toToken(v *serverState) {
	s.choose(route{section: sectionServer, id: v.ID})
	if p, ok := s.page.(*serverPage); ok {
		p.openToken()
	}
}

// ofSigningIn reports whether f is about signing in.
func ofSigningIn(f *mcpclient.Failure) bool {
	if f == nil {
		return false
	}
	_, ours := auth.Remedies(f.Text)
	return ours
}

// failureNow is why there is no connection to v, or why it does not say what it
// offers; nil while one is being made and where all is well.
func failureNow(v *serverState) *mcpclient.Failure {
	switch {
	case v.status.State == mcpclient.Lost:
		return v.status.Failure
	case isConnected(v.status) && !unreached(v.status):
		return v.listing.failure
	}
	return nil
}

// mends are the buttons of what may help, the likeliest at the right end; first tells
// that it is likelier than anything else.
func (p *serverPage) mends(ms []mend, first bool) []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for i := len(ms) - 1; i >= 0; i-- {
		isToken := ms[i].words == tokenWords
		if isToken && (p.v.token.open || p.v.token.busy) {
			continue
		}
		im := kit.Plain
		if first && i == 0 && !p.v.token.open && p.s.signInAt(p.v.ID) == nil {
			im = kit.Primary
		}
		b := p.button(p.s.t(ms[i].words), im, ms[i].do)
		if isToken {
			p.tokenButton = b
		}
		out = append(out, b)
	}
	return out
}

// helps are the words of what may help the request.
func (p *requestPage) helps() string {
	v := p.s.desk.server(p.c.ServerID)
	if v == nil || p.c.State != mcpclient.CallFailed {
		return ""
	}
	var words strings.Builder
	for _, m := range p.s.mends(v, p.c.Failure, &p.c.Call) {
		words.WriteString(m.words + "\n")
	}
	return words.String()
}

// mends are the buttons of what may help a request that failed for want of a
// sign-in.
func (p *requestPage) mends() []fyne.CanvasObject {
	s := p.s
	v := s.desk.server(p.c.ServerID)
	if v == nil {
		return nil
	}
	p.drawnHelps = p.helps()
	var buttons []fyne.CanvasObject
	for _, m := range s.mends(v, p.c.Failure, &p.c.Call) {
		buttons = append(buttons, p.act(m.words, s.t(m.words), kit.Plain, m.do))
	}
	if len(buttons) == 0 {
		return nil
	}
	return []fyne.CanvasObject{kit.Row(gap, buttons...)}
}
