package ui

import (
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/keychain"
)

// TestShots_Secrets draws where secrets are kept, in each state, and what can be
// done about it.
func TestShots_Secrets(t *testing.T) {
	place := &fakePlace{}
	shots(t, rigOptions{tools: map[string]tool{"a": nothing}, place: place}, func(s *shooter) {
		r := s.r
		v := r.atServer()
		show := func(name string, st keychain.State, deed secretsDeed, fill func(*secretsSheet)) {
			place.be(st)
			r.s.choose(route{section: sectionSettings})
			r.s.secrets.begin(deed)
			if fill != nil {
				fill(&r.s.secrets)
			}
			r.s.touchSecrets()
			if deed != deedNone {
				r.s.page.(*settingsPage).secrets.focusForm()
			}
			s.shot(name)
		}
		show("80-keychain", keychain.State{Mode: keychain.Available, VaultPossible: true}, deedNone, nil)
		show("81-this-run-only", noKeychain, deedNone, nil)
		show("82-make-a-file", noKeychain, deedCreate, func(t *secretsSheet) {
			t.wanted, t.again = goodPassphrase, "four plain"
			t.check()
		})
		show("83-file-unlocked", keychain.State{Mode: keychain.Vault}, deedNone, nil)
		show("84-change-passphrase", keychain.State{Mode: keychain.Vault}, deedChange, func(t *secretsSheet) {
			t.old, t.wanted = "something", "password1"
			t.check()
		})
		show("85-file-locked", lockedFile, deedNone, nil)
		show("86-unlock", lockedFile, deedUnlock, func(t *secretsSheet) { t.oldFault = keychain.Sentence(keychain.ErrPassphrase) })
		show("87-delete-locked", lockedFile, deedRemove, nil)
		show("88-delete-unlocked", keychain.State{Mode: keychain.Vault}, deedRemove, nil)

		r.s.show(route{section: sectionServer, id: v.ID})
		waiting := noKeychain
		waiting.Waiting = 1
		r.s.secrets.noticed = false
		place.be(waiting)
		s.shot("89-notice")
		r.s.dropSecretsNotice()
		place.be(lockedFile)
		locked := &mcpclient.Failure{Kind: mcpclient.FailLost, Text: keychain.Sentence(lockedFile.Why)}
		r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Lost, Failure: locked}})
		s.shot("90-server-waits")
	})
}
