package ui

import (
	"strings"
	"testing"

	"parley/mcpclient/keychain"
)

// TestAccount_WhatCouldNotBeReadIsSaidAndLearntLater: a server that does without a
// sign-in is used while the keychain is locked, and its page does not keep that to
// itself. Once the place of secrets is open, it says who one is.
func TestAccount_WhatCouldNotBeReadIsSaidAndLearntLater(t *testing.T) {
	const said = "could not read whether a sign-in or an access token is stored"
	for name, c := range map[string]struct {
		reason keychain.Reason
		place  keychain.State
		way    string
		open   keychain.Mode
	}{
		"a locked keychain": {keychain.Locked, keychain.State{Mode: keychain.SessionOnly}, "Where secrets are kept…", keychain.Available},
		"a locked file":     {keychain.FileLocked, lockedFile, "Unlock…", keychain.Vault},
	} {
		t.Run(name, func(t *testing.T) {
			secrets, place := &memorySecrets{any: canary}, &fakePlace{st: c.place}
			secrets.Away(c.reason)
			r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, secrets: secrets, place: place})
			v := r.connected()
			page := route{section: sectionServer, id: v.ID}
			r.s.choose(page)
			r.wait(func() bool { return strings.Contains(r.text(), said) })
			r.reads("is locked")
			r.press(c.way)
			if r.s.at.section != sectionSettings {
				t.Errorf("the button leads to %v", r.s.at)
			}
			r.s.choose(page)
			place.be(keychain.State{Mode: c.place.Mode, Waiting: 1})
			r.queue.Drain()
			r.reads(said)
			secrets.Back()
			place.be(keychain.State{Mode: c.open})
			r.wait(func() bool { return v.account.Entered })
			if r.reads("An access token that you entered"); strings.Contains(r.text(), said) {
				t.Errorf("the page reads\n%s", r.text())
			}
		})
	}
}

// TestAccount_WithoutAKeychainNothingCouldBeStored, so there is nothing to say.
func TestAccount_WithoutAKeychainNothingCouldBeStored(t *testing.T) {
	secrets := &memorySecrets{}
	secrets.Away(keychain.Absent)
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, http: true, secrets: secrets, place: &fakePlace{st: noKeychain}})
	v := r.connected()
	r.s.choose(route{section: sectionServer, id: v.ID})
	r.wait(func() bool { return v.account.told > 0 })
	if strings.Contains(r.text(), "could not read") {
		t.Errorf("the page reads\n%s", r.text())
	}
}
