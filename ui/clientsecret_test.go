package ui

import (
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
)

// clientAt is a server with a client of its own.
var clientAt = mcpclient.Server{Name: "Tickets", Kind: mcpclient.HTTP, URL: "https://tickets.example/mcp", SignIn: mcpclient.SignIn{ClientID: "app"}}

// TestSetup_AStoredClientSecretCanBeRemovedAlone, and where none is stored there
// is nothing to remove.
func TestSetup_AStoredClientSecretCanBeRemovedAlone(t *testing.T) {
	const remove = "Remove the stored secret"
	f := &fakeAccounts{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &clientAt, accounts: f, place: &fakePlace{st: keychain.State{Mode: keychain.Available}}})
	v := r.connected()
	r.s.toSetup(v, auth.SetupClientID)
	r.queue.Drain()
	if r.button(remove) != nil {
		t.Error("there is none to remove")
	}
	f.mu.Lock()
	f.secret = "s3cr3t"
	f.mu.Unlock()
	r.s.toSetup(v, auth.SetupClientID)
	r.wait(func() bool { return r.button(remove) != nil })
	if r.where() != "Client ID" {
		t.Errorf("the keyboard went to %q by itself", r.where())
	}
	r.reach(remove)
	r.wait(func() bool { return r.button(remove) == nil })
	r.queue.Drain()
	r.wantText("No client secret is stored for this client ID any more.")
	if f.secret != "" || r.where() != "Client secret" || r.s.at.section != sectionSetup {
		t.Errorf("removed %v, the keyboard is at %q of %v", f.secret == "", r.where(), r.s.at)
	}
}

// TestSetup_WhatCannotBeRemovedIsSaid.
func TestSetup_WhatCannotBeRemovedIsSaid(t *testing.T) {
	f := &fakeAccounts{secret: "s3cr3t", stuck: &keychain.Unavailable{Reason: keychain.Denied, Deed: keychain.Removing}}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &clientAt, accounts: f})
	v := r.connected()
	r.s.toSetup(v, auth.SetupClientID)
	r.wait(func() bool { return r.button("Remove the stored secret") != nil })
	r.click("Remove the stored secret")
	r.wait(func() bool { return strings.Contains(r.text(), "What you removed may still be stored there.") })
}
