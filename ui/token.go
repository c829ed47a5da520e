package ui

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
	"parley/mcpclient/wire"
	"parley/ui/kit"
)

// tokenSheet is what the person does with the access token of a server. What is
// stored is never shown and not even read: it is replaced or removed.
type tokenSheet struct {
	open  bool         // the entry is shown
	text  string       // as entered; emptied as soon as it is kept
	fault i18n.Message // what is wrong with it
	busy  bool         // the keychain is asked
	// said is what came of it; retry tells that the keychain could not be reached.
	said  remark
	retry bool
}

// tokenDrawn is what the page shows of a tokenSheet, what was typed aside.
type tokenDrawn struct {
	open, busy, retry bool
	fault             string
	said              remarkDrawn
}

func (t *tokenSheet) drawn(s *shell) tokenDrawn {
	return tokenDrawn{t.open, t.busy, t.retry, s.say(t.fault), t.said.drawn(s)}
}

// secretTrouble is why a secret could not be kept or removed.
func secretTrouble(err error) i18n.Message {
	if m := wire.Sentence(err); !m.IsZero() {
		return m
	}
	return keychain.Sentence(err)
}

// wantsKeychain reports whether f came about for want of the keychain that what
// is wanted may lie in.
func wantsKeychain(f *mcpclient.Failure) bool {
	return f != nil && (strings.HasPrefix(f.Text.ID, "keychain.") || strings.HasPrefix(f.Text.ID, "auth.token.unread"))
}

// tokenEntry is a masked entry for a token, of any length.
func tokenEntry(env *kit.Env, text string, changed func(string)) *kit.LongEntry {
	return kit.NewLongEntry(kit.TextEntryOptions{Env: env, Text: text, Masked: true, OnChanged: changed})
}

// tokenPart is what the page of a server shows about its access token.
func (p *serverPage) tokenPart() []fyne.CanvasObject {
	s, t := p.s, &p.v.token
	var out []fyne.CanvasObject
	if t.busy {
		busy := "ui.token.busy"
		if s.secretsMode() == keychain.Vault {
			busy = "ui.token.busy_file"
		}
		out = append(out, kit.NewNotice(kit.Info, "", s.t(busy)))
	}
	if notice := t.said.notice(s); notice != nil {
		if t.retry {
			words, mend := "ui.token.retry", func() { s.retryToken(p.v) }
			if s.o.Secrets != nil && keychain.IsLockedFile(t.said.text) {
				words, mend = "ui.secrets.unlock", s.toUnlock
			}
			notice = kit.RowFill(gap, 0, notice, p.button(s.t(words), kit.Plain, mend))
		}
		out = append(out, notice)
	}
	if !t.open {
		p.token = nil
		return out
	}
	if p.token == nil {
		p.token = kit.NewFieldRow(kit.FieldRowOptions{Env: p.env, Label: line(s.t("ui.token.label")), Wide: true,
			Hint: []kit.Run{kit.Own(s.tokenHint(), hintText)}, Control: tokenEntry(p.env, t.text, p.typedToken)})
	}
	p.token.SetError(s.say(t.fault))
	var left []fyne.CanvasObject
	if s.hasToken(p.v) {
		left = append(left, p.button(s.t("ui.token.remove"), kit.Quiet, func() { s.dropToken(p.v) }))
	}
	return append(out, kit.Card(kit.Column(gap, kit.NewFormGrid(p.env, p.token), kit.ActionBar(left,
		[]fyne.CanvasObject{
			kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.answer.cancel"), Shortcut: "Esc", EnterTaps: true, OnTapped: p.closeToken}),
			kit.NewButton(kit.ButtonOptions{Env: p.env, Text: s.t("ui.token.keep"), Shortcut: "Ctrl ↵", Importance: kit.Primary, EnterTaps: true, OnTapped: p.submit}),
		}))))
}

// typedToken takes the token as it is typed; what was wrong with it before says
// nothing of it now.
func (p *serverPage) typedToken(text string) {
	t := &p.v.token
	t.text, t.fault = text, i18n.Message{}
	p.drawn.token = t.drawn(p.s)
	p.token.SetError("")
}

// sayKept implements placed.
func (p *serverPage) sayKept() {
	if p.token != nil {
		p.token.SetHint(kit.Own(p.s.tokenHint(), hintText))
	}
	if p.drawn.exposed != p.s.exposureDrawn(p.v) {
		p.draw()
	}
}

// openToken shows the entry and gives it the keyboard.
func (p *serverPage) openToken() {
	p.v.token = tokenSheet{open: true}
	p.draw()
	p.s.win.Canvas().Focus(p.token.Control().FocusTarget())
}

// closeToken drops what was entered: a secret is not left lying about.
func (p *serverPage) closeToken() {
	p.v.token = tokenSheet{}
	p.draw()
	if p.tokenButton != nil {
		p.s.win.Canvas().Focus(p.tokenButton)
	}
}

// keepToken keeps the token of v, in the background, and then connects to it.
func (s *shell) keepToken(v *serverState, token string) {
	if v.token.busy {
		return
	}
	server := v.Server
	err := auth.CheckFor(server, token)
	if err != nil || strings.TrimSpace(token) == "" {
		v.token = tokenSheet{open: true, text: token, fault: i18n.M("ui.token.empty")}
		if err != nil {
			v.token.fault = secretTrouble(err)
		}
		s.touchServer(v.ID)
		return
	}
	s.askKeychain(v, func(ctx context.Context) error { return s.o.Tokens.Keep(ctx, server, token) }, "ui.token.kept", func() {
		if s.desk.server(v.ID) == nil {
			s.forgetLate(v.ID)
			return
		}
		if st := v.status.State; st != mcpclient.Connected && st != mcpclient.Connecting {
			s.connect(v)
		}
	})
}

// dropToken removes the token of v.
func (s *shell) dropToken(v *serverState) {
	server := v.Server
	s.askKeychain(v, func(ctx context.Context) error { return s.o.Tokens.Drop(ctx, server) }, "ui.token.removed", func() {
		v.account.known, v.account.Account = false, auth.Account{}
		s.learnAccount(v)
		s.touchServer(v.ID)
	})
}

// retryToken asks a keychain that could not be reached once more, and connects to v
// and to every other server that lacked it. What the connection says is not said twice.
func (s *shell) retryToken(v *serverState) {
	s.askKeychain(v, s.o.Tokens.Retry, "ui.token.retried", func() {
		lacked, back := wantsKeychain(failureNow(v)), !v.token.retry
		if lacked && !back {
			v.token = tokenSheet{}
		}
		switch {
		case v.token.retry:
		case v.status.State == mcpclient.Lost:
			s.connect(v)
		case lacked:
			s.relist(v)
		}
		if back {
			s.connectReadable()
		}
	})
}

// askKeychain does something about the secrets of v that may take long, and
// tells what came of it; done is what it says when all went well. then is called
// unless it failed for good: a keychain that is out of reach keeps a token for
// this run.
func (s *shell) askKeychain(v *serverState, do func(context.Context) error, done string, then func()) {
	v.token = tokenSheet{busy: true}
	s.touchServer(v.ID)
	s.work.apart(func(ctx context.Context) {
		err := do(ctx)
		s.do.Do(func() {
			v.token = tokenSheet{said: remark{text: i18n.M(done)}}
			if err != nil {
				v.token.said, v.token.retry = secretRemark(err)
			}
			s.touchServer(v.ID)
			if then != nil && v.token.said.level != kit.Danger {
				then()
			}
		})
	})
}

// forgetLate removes the token of a server that was removed while it was being
// kept.
func (s *shell) forgetLate(id string) {
	s.work.apart(func(ctx context.Context) {
		// There is no page left to tell a failure on.
		_ = s.o.Tokens.Forget(ctx, id)
	})
}
