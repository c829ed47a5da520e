package ui

import (
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
	"parley/ui/kit"
)

// The servers that are removed.
var (
	programWithSecrets = mcpclient.Server{Name: "Tickets", Kind: mcpclient.Stdio, Command: "tickets", SecretEnv: []string{"API_KEY", "DB_PASS"}}
	plainProgram       = mcpclient.Server{Name: "Tickets", Kind: mcpclient.Stdio, Command: "tickets"}
	addressWithHeader  = mcpclient.Server{Name: "Tickets", Kind: mcpclient.HTTP, URL: "https://tickets.example/mcp", SecretHeaders: []string{"X-Key"},
		SignIn: mcpclient.SignIn{ClientID: "app"}}
	plainAddress = mcpclient.Server{Name: "Tickets", Kind: mcpclient.HTTP, URL: "https://tickets.example/mcp"}
)

// TestRemove_TheQuestionSaysWhatGoesWithTheServer, where there is anything.
func TestRemove_TheQuestionSaysWhatGoesWithTheServer(t *testing.T) {
	const with, locked = "Its secrets go with it: ", "Your encrypted file is locked: what it holds of this server is deleted if you unlock it before you quit"
	for name, c := range map[string]struct {
		v      mcpclient.Server
		who    auth.Account
		client string // secret
		mode   keychain.Mode
		says   []string
		not    []string
	}{
		"variables":                {v: programWithSecrets, mode: keychain.Available, says: []string{with + "the variables API_KEY, DB_PASS."}, not: []string{locked}},
		"variables in a locked":    {v: programWithSecrets, mode: keychain.VaultLocked, says: []string{with + "the variables API_KEY, DB_PASS.", locked}},
		"none":                     {v: plainProgram, mode: keychain.VaultLocked, not: []string{with, locked}},
		"a header and a token":     {v: addressWithHeader, who: auth.Account{Entered: true}, mode: keychain.Vault, says: []string{with + "the header X-Key, the access token."}},
		"a sign-in and its secret": {v: addressWithHeader, who: auth.Account{Host: "login.example", Issuer: "i", Renews: true}, client: "s", mode: keychain.Available, says: []string{with + "the header X-Key, the sign-in at login.example, the client secret."}},
		"nothing known":            {v: plainAddress, mode: keychain.Available, not: []string{with}},
		"not known in a locked":    {v: plainAddress, mode: keychain.VaultLocked, says: []string{locked}, not: []string{with}},
	} {
		t.Run(name, func(t *testing.T) {
			place := &fakePlace{st: keychain.State{Mode: c.mode}}
			f := &fakeAccounts{who: c.who, secret: c.client}
			r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &c.v, secrets: withValues(c.v), accounts: f, place: place})
			v := r.connected()
			r.wait(func() bool { return c.v.Kind == mcpclient.Stdio || v.account.SignedIn() == c.who.SignedIn() })
			r.s.show(route{section: sectionServer, id: v.ID})
			r.click("Remove server")
			if b, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || b.Text() != "Keep it" {
				t.Errorf("the keyboard is at %v, want it on what changes nothing", r.s.win.Canvas().Focused())
			}
			r.wait(func() bool { return len(v.secrets) > 0 == (c.client != "") })
			r.queue.Drain()
			r.wantText(c.says...)
			for _, not := range c.not {
				if strings.Contains(r.text(), not) {
					t.Errorf("the page says %q:\n%s", not, r.text())
				}
			}
		})
	}
}

// withValues is a keychain that gives a program its values.
func withValues(mcpclient.Server) *memorySecrets { return &memorySecrets{any: "s3cr3t"} }

// TestRemove_WhatBecomesOfSecretsThatStayIsSaidByTheirPlace.
func TestRemove_WhatBecomesOfSecretsThatStayIsSaidByTheirPlace(t *testing.T) {
	for name, c := range map[string]struct {
		v      mcpclient.Server
		reason keychain.Reason
		mode   keychain.Mode
		says   string // "": nothing is left to say
		button string
	}{
		"a locked file": {programWithSecrets, keychain.FileLocked, keychain.VaultLocked,
			"“Tickets” is removed. The encrypted file that holds your secrets is locked. What you removed is deleted from it if you unlock it before you quit Parley.", "Unlock…"},
		"a locked keychain":   {programWithSecrets, keychain.Locked, keychain.SessionOnly, "The keychain is locked and was not unlocked. What you removed may still be stored there.", "Where secrets are kept…"},
		"a refusal":           {addressWithHeader, keychain.Denied, keychain.SessionOnly, "Access to the keychain was refused. What you removed may still be stored there.", "Where secrets are kept…"},
		"no keychain":         {programWithSecrets, keychain.Absent, keychain.SessionOnly, "There is no keychain: no program on this computer offers to keep secrets. What you removed is forgotten.", "Where secrets are kept…"},
		"a file that is gone": {programWithSecrets, keychain.FileGone, keychain.SessionOnly, "The encrypted file that held your secrets is no longer there. What you removed is forgotten.", "Where secrets are kept…"},
		"nothing, nowhere":    {plainAddress, keychain.Absent, keychain.SessionOnly, "", ""},
		"nothing known there": {plainAddress, keychain.FileLocked, keychain.VaultLocked, "What you removed is deleted from it if you unlock it", "Unlock…"},
	} {
		t.Run(name, func(t *testing.T) {
			why := &keychain.Unavailable{Reason: c.reason, Deed: keychain.Removing, Held: c.reason == keychain.FileGone}
			place := &fakePlace{st: keychain.State{Mode: c.mode, Why: why}, passphrase: goodPassphrase}
			f := &fakeAccounts{refuse: why}
			r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &c.v, secrets: withValues(c.v), accounts: f, place: place})
			v := r.connected()
			r.s.show(route{section: sectionServer, id: v.ID})
			r.press("Remove server")
			r.press("Remove it")
			r.wait(func() bool { return len(r.s.desk.servers) == 0 && r.s.at.section == sectionQuestions })
			r.queue.Drain()
			if c.says == "" {
				if strings.Contains(r.text(), "Tickets") {
					t.Errorf("it says more than that it is gone:\n%s", r.text())
				}
				return
			}
			r.wantText(c.says)
			if strings.Contains(r.text(), "access token") || c.mode == keychain.VaultLocked && strings.Contains(r.text(), "keychain") {
				t.Errorf("the page reads\n%s", r.text())
			}
			r.click(c.button)
			if r.s.at.section != sectionSettings {
				t.Fatalf("%q leads to %v", c.button, r.s.at)
			}
			if c.mode == keychain.VaultLocked {
				r.typing(goodPassphrase)
				r.ctrlEnter()
				r.idle()
				if r.s.at.section != sectionQuestions {
					t.Errorf("unlocked, it is at %v", r.s.at)
				}
			}
		})
	}
}
