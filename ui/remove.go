package ui

import (
	"context"
	"errors"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/keychain"
)

// remove takes a server out of the person's list, its secrets first: while it is
// still listed the person can be asked what to do about those that stay. Where
// the keychain cannot be asked and no secret of the server is known of, it goes
// all the same, with a word about what may have been kept in earlier runs.
func (s *shell) remove(v *serverState) {
	if !s.hasSecrets(v) {
		s.takeOut(v)
		return
	}
	again := !v.leftover.IsZero()
	v.removing, v.leftover = true, i18n.Message{}
	s.touchServer(v.ID)
	id := v.ID
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
			if u, out := errors.AsType[*keychain.Unavailable](err); out && !u.Held && !again {
				s.parting = i18n.M("ui.server.removed_unsure", "Name", v.Name)
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

// hasSecrets reports whether there may be secrets of v in the keychain.
func (s *shell) hasSecrets(v *serverState) bool {
	return s.takesToken(v) || s.o.Tokens != nil && len(v.SecretEnv) > 0
}

// takesToken reports whether v is a server that an access token can be kept for.
func (s *shell) takesToken(v *serverState) bool {
	return s.o.Tokens != nil && !v.demo && v.Kind != mcpclient.Stdio
}
