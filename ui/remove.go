package ui

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// remove takes a server out of the person's list, its secrets first: while it is
// still listed the person can be asked what to do about those that stay. Where
// their place cannot be asked and no secret of the server is known to be there, it
// goes all the same, with a word about what becomes of those that may be.
func (s *shell) remove(v *serverState) {
	if !s.hasSecrets(v) {
		s.takeOut(v)
		return
	}
	again := !v.leftover.IsZero()
	v.removing, v.leftover = true, i18n.Message{}
	s.touchServer(v.ID)
	id, stored := v.ID, s.storedOf(v)
	s.work.apart(func(ctx context.Context) {
		var err error
		if again {
			err = s.o.Tokens.Retry(ctx)
		}
		if err == nil {
			err = s.o.Tokens.Forget(ctx, id)
		}
		s.do.Do(func() {
			v.removing = false
			if err == nil {
				s.takeOut(v)
				return
			}
			// Where there is no place that could hold anything, trying again
			// later in this run does not help either.
			if u, out := errors.AsType[*keychain.Unavailable](err); out && (u.Nowhere() || !u.Held && !again) {
				if !u.Nowhere() || len(stored) > 0 {
					s.parting = i18n.M("ui.remove.done", "Name", line(v.Name).String(), "Reason", keychain.Sentence(err))
				}
				s.takeOut(v)
				return
			}
			v.leftover = secretTrouble(err)
			s.touchServer(id)
		})
	})
}

// takeOut takes a server out of the person's list and disconnects it.
func (s *shell) takeOut(v *serverState) {
	id := v.ID
	v.removing, v.leftover = true, i18n.Message{}
	s.touchServer(id)
	s.disconnect(v)
	var err error
	s.background(func() { err = s.o.Store.Remove(id) }, func() {
		v.removing = false
		if err != nil {
			s.trouble[id] = s.storeTrouble(err)
			s.touchServer(id)
			return
		}
		s.desk.removeServer(id)
		delete(s.edits, id)
		delete(s.setups, id)
		if s.at.side() == (route{section: sectionServer, id: id}) {
			s.show(route{section: sectionQuestions})
		}
		s.touchServer(id)
	})
}

// storedOf names the secrets that are known to be kept for v.
func (s *shell) storedOf(v *serverState) []i18n.Message {
	var out []i18n.Message
	if s.o.Tokens == nil {
		return nil
	}
	if n := len(v.SecretEnv); n > 0 && v.Kind == mcpclient.Stdio {
		out = append(out, i18n.N("ui.remove.env", n, "Names", s.commas(v.SecretEnv)))
	}
	if n := len(v.SecretHeaders); n > 0 && v.Kind != mcpclient.Stdio {
		out = append(out, i18n.N("ui.remove.headers", n, "Names", s.commas(v.SecretHeaders)))
	}
	if v.account.Entered {
		out = append(out, i18n.M("ui.remove.token"))
	}
	if v.account.Issuer != "" {
		out = append(out, i18n.M("ui.remove.signin", "Host", v.account.Host))
	}
	for _, secret := range v.secrets {
		if secret.Issuer == "" {
			out = append(out, i18n.M("ui.remove.client"))
		} else {
			out = append(out, i18n.M("ui.remove.client_of", "Issuer", line(secret.Issuer).String()))
		}
	}
	return out
}

// commas lists names.
func (s *shell) commas(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = line(name).String()
	}
	return strings.Join(out, s.t("ui.remove.comma"))
}

// removeWords are the question whether v shall be removed, and what goes with it.
func (s *shell) removeWords(v *serverState) []fyne.CanvasObject {
	out := []fyne.CanvasObject{kit.Sentence(s.t("ui.server.remove_sure"), boldText)}
	if stored := s.storedOf(v); len(stored) > 0 {
		words := make([]string, len(stored))
		for i, m := range stored {
			words[i] = s.say(m)
		}
		out = append(out, kit.Sentence(s.t("ui.remove.with", "What", strings.Join(words, s.t("ui.remove.comma"))), bodyText))
	}
	if s.hasSecrets(v) && s.secretsMode() == keychain.VaultLocked {
		out = append(out, kit.Sentence(s.t("ui.remove.locked"), bodyText))
	}
	return out
}

// partingNotice says what is left to say of a server just removed, with the way to
// what mends it.
func (s *shell) partingNotice(env *kit.Env) fyne.CanvasObject {
	notice := fyne.CanvasObject(kit.NewNotice(kit.Info, "", s.say(s.parting)))
	if s.o.Secrets == nil {
		return notice
	}
	words, lead := "ui.secrets.where", func() { s.choose(route{section: sectionSettings}) }
	if keychain.IsLockedFile(s.parting) {
		words, lead = "ui.secrets.unlock", s.toUnlock
	}
	return kit.RowFill(gap, 0, notice, kit.NewButton(kit.ButtonOptions{Env: env, Text: s.t(words), EnterTaps: true, OnTapped: lead}))
}

// hasSecrets reports whether there may be secrets of v where secrets are kept.
func (s *shell) hasSecrets(v *serverState) bool {
	return s.takesToken(v) || s.o.Tokens != nil && len(v.SecretEnv) > 0
}

// takesToken reports whether v is a server that an access token can be kept for.
func (s *shell) takesToken(v *serverState) bool {
	return s.o.Tokens != nil && !v.demo && v.Kind != mcpclient.Stdio
}
