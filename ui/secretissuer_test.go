package ui

import (
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/keychain"
)

// TestSetup_AStoredSecretBelongsToItsIssuer: while the issuer is edited the page says
// whose the stored one is and that another has to be entered, and editing back finds it;
// only what goes with the settings that are stored can be removed from here.
func TestSetup_AStoredSecretBelongsToItsIssuer(t *testing.T) {
	const remove, fits, elsewhere = "Remove the stored secret", "One is stored for this client ID and issuer.", "The stored one belongs to https://login.example and is not sent to any other."
	at := clientAt
	at.SignIn.Issuer = "https://login.example"
	f := &fakeAccounts{secret: "s3cr3t"}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &at, accounts: f, place: &fakePlace{st: keychain.State{Mode: keychain.Available}}})
	v := r.connected()
	r.s.toSetup(v, auth.SetupIssuer)
	f.mu.Lock()
	f.secretOf = at.SignIn
	f.mu.Unlock()
	r.wait(func() bool { return strings.Contains(r.text(), fits) })
	says := func(what string, can bool) {
		t.Helper()
		r.queue.Drain()
		if said := r.text(); !strings.Contains(said, what) || (r.button(remove) != nil) != can {
			t.Errorf("it can be removed: %v; the page reads\n%s", r.button(remove) != nil, said)
		}
	}
	says(fits, true)
	r.typing("/tenant")
	says(elsewhere, false)
	if r.where() != "Issuer" {
		t.Errorf("the keyboard is at %q", r.where())
	}
	for range len("/tenant") {
		r.key("BackSpace")
	}
	says(fits, true)
	r.typing("/tenant")
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer })
	f.mu.Lock()
	if last := len(f.setUps) - 1; last < 0 || f.setUps[last].Issuer != "https://login.example/tenant" {
		t.Errorf("taken over are %+v", f.setUps)
	}
	f.mu.Unlock()
	r.s.toSetup(v, auth.SetupIssuer)
	r.wait(func() bool { return strings.Contains(r.text(), elsewhere) })
	says(elsewhere, false)
	t.Run("and what remains unused is named when the server is removed", func(t *testing.T) {
		r.s.show(route{section: sectionServer, id: v.ID})
		r.click("Remove server")
		r.wait(func() bool { return strings.Contains(r.text(), "the client secret for https://login.example") })
	})
}

// TestSetup_ASecretOfNobodyIsSaidToGoToTheFirst issuer it is used with.
func TestSetup_ASecretOfNobodyIsSaidToGoToTheFirst(t *testing.T) {
	f := &fakeAccounts{secret: "s3cr3t", secretOf: mcpclient.SignIn{ClientID: "app"}}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &clientAt, accounts: f, place: &fakePlace{st: keychain.State{Mode: keychain.Available}}})
	v := r.connected()
	r.s.toSetup(v, auth.SetupIssuer)
	r.wait(func() bool { return strings.Contains(r.text(), "One is stored that belongs to no issuer yet.") })
}

// TestSetup_AnIssuerThatOnlyTheTickLetsThroughLeadsToIt: the sentence names the tick, and
// goes when it is ticked.
func TestSetup_AnIssuerThatOnlyTheTickLetsThroughLeadsToIt(t *testing.T) {
	const tick = "Allow signing in at addresses of my own network, without encryption too"
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, as: &clientAt, accounts: &fakeAccounts{}})
	v := r.connected()
	r.s.toSetup(v, auth.SetupIssuer)
	r.typing("http://192.168.7.7")
	r.ctrlEnter()
	if said := r.text(); !strings.Contains(said, "tick “"+tick+"” below") || r.where() != "Issuer" {
		t.Fatalf("the keyboard is at %q, the page reads\n%s", r.where(), said)
	}
	r.s.toSetup(v, "intranet")
	r.key("Space")
	if said := r.text(); strings.Contains(said, "tick “"+tick) {
		t.Errorf("ticked, the page reads\n%s", said)
	}
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer && v.SignIn.Intranet })
}
