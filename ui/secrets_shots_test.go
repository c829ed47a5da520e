package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/config"
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
		r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Connecting}})
		place.asked = []string{v.ID}
		place.be(keychain.State{Mode: keychain.Available})
		s.shot("90-keychain-asked")
		place.asked = nil
		r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Lost, Failure: locked}})
		for name, st := range map[string]keychain.State{"file": lockedFile, "keychain": {Mode: keychain.SessionOnly, Why: &keychain.Unavailable{Reason: keychain.Locked}}} {
			st.Waiting = 1
			place.be(st)
			r.s.dropSecretsNotice()
			place.unkept = []string{v.ID}
			r.close()
			r.wait(r.s.quit.asks)
			s.shot("90-quit-" + name)
			r.key(fyne.KeyEscape)
		}
	})
}

// TestShots_Kept draws what is said of where secrets go, and what becomes of those
// of a server that is removed or gone.
func TestShots_Kept(t *testing.T) {
	place := &fakePlace{}
	f := &fakeAccounts{secret: "s", who: auth.Account{Issuer: "i", Host: "login.travel.example", Renews: true}}
	at := addressWithHeader
	at.SignIn.Issuer = "https://login.example"
	shots(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &at, secrets: &memorySecrets{any: "s"}, accounts: f, place: place}, func(s *shooter) {
		r := s.r
		v := r.connected()
		r.wait(func() bool { return v.account.SignedIn() })
		settings := func() {
			r.s.choose(route{section: sectionSettings})
			r.wait(func() bool { return r.s.secrets.strays.done == r.s.secrets.strays.run })
		}
		place.be(keychain.State{Mode: keychain.Vault})
		place.held = map[string]int{"gone": 3}
		settings()
		s.shot("91-strays")
		r.press(r.s.t("ui.strays.open"))
		s.shot("92-strays-sure")
		r.s.toSetup(v, auth.SetupSecret)
		r.wait(func() bool { return len(v.secrets) > 0 })
		s.shot("93-client-secret")
		r.s.setups[v.ID].Issuer = "https://login.other.example"
		r.s.show(r.s.at)
		s.shot("93-client-secret-of-another")
		delete(r.s.setups, v.ID)
		r.s.toSetup(v, auth.SetupSecret)
		r.press(r.s.t("ui.setup.secret_remove"))
		r.wait(func() bool { return len(v.secrets) == 0 })
		s.shot("94-client-secret-removed")
		f.secret = "s"
		place.be(noKeychain)
		r.s.sheetOf(v).more = true
		r.s.choose(route{section: sectionEdit, id: v.ID})
		r.s.page.(*editPage).form.focusOn(valueField(config.FieldHeaders, 0, false))
		s.shot("95-value-this-run-only")
		r.s.edits = map[string]*serverSheet{}
		place.be(lockedFile)
		r.s.importing = importSheet{looked: true}
		r.s.choose(route{section: sectionImport})
		r.s.importing.pasted = `{"mcpServers":{"tickets":{"command":"npx","args":["-y","tickets"],"env":{"API_KEY":"s3cr3t-value-9"}}}}`
		r.ctrlEnter()
		r.wait(func() bool { return r.s.importing.read })
		s.shot("96-import-locked")
		v.exposed.names = []string{"X-Key"}
		for name, st := range map[string]keychain.State{"locked": lockedFile, "this-run-only": noKeychain, "file": {Mode: keychain.Vault}} {
			place.be(st)
			r.s.choose(route{section: sectionServer, id: v.ID})
			s.shot("96-exposed-" + name)
		}
		place.be(lockedFile)
		v.exposed.names = nil
		r.s.toToken(v)
		r.typing("two words")
		r.ctrlEnter()
		s.shot("97-token-at-fault")
		r.key(fyne.KeyEscape)
		r.press(r.s.t("ui.server.remove"))
		r.wait(func() bool { return len(v.secrets) > 0 })
		s.shot("98-remove-locked")
		f.refuse = &keychain.Unavailable{Reason: keychain.FileLocked, Deed: keychain.Removing}
		r.press(r.s.t("ui.server.remove_yes"))
		r.wait(func() bool { return r.s.at.section == sectionQuestions && len(r.s.desk.servers) == 0 })
		s.shot("99-removed-locked")
		f.refuse = nil
	})
}
