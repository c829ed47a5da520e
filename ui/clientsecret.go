package ui

import (
	"context"
	"errors"

	"parley/assets/i18n"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
)

// learnClientSecrets finds out in the background which client secrets are stored for
// v, where that is told at once.
func (s *shell) learnClientSecrets(v *serverState) {
	if s.o.Accounts == nil || !s.takesToken(v) || s.o.Secrets != nil && s.secretsMode() == keychain.Untried {
		return
	}
	server := v.Server
	s.work.apart(func(ctx context.Context) {
		// Where it cannot be told, there is nothing to offer.
		stored, _ := s.o.Accounts.ClientSecrets(ctx, server)
		s.do.Do(func() {
			if v.SignIn != server.SignIn {
				return // what is learnt of it since is newer
			}
			v.secrets = stored
			s.touchServer(server.ID)
		})
	})
}

// dropSecret removes the stored secret of the client, in the background.
func (p *setupPage) dropSecret() {
	s, v, sh := p.s, p.v, p.sh
	if sh.storing {
		return
	}
	sh.storing, sh.trouble, sh.said = true, i18n.Message{}, i18n.Message{}
	server := v.Server
	s.work.apart(func(ctx context.Context) {
		err := s.o.Accounts.KeepClientSecret(ctx, server, "")
		s.do.Do(func() {
			sh.storing = false
			if err == nil {
				sh.said = i18n.M("ui.setup.secret_removed")
			} else {
				sh.trouble = secretTrouble(err)
			}
			if _, passing := errors.AsType[*keychain.Unavailable](err); err == nil || passing {
				v.secrets = nil
				s.learnClientSecrets(v) // there may be others
			}
			if s.page == page(p) {
				p.draw()
				p.focusOn(auth.SetupSecret)
			}
		})
	})
}
