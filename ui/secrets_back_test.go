package ui

import (
	"strings"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain"
)

// TestSecrets_AKeychainThatIsBackConnectsAllThatLackedIt, from the settings, from the
// page of one of them, and by itself; an entry that is open elsewhere keeps what is typed.
func TestSecrets_AKeychainThatIsBackConnectsAllThatLackedIt(t *testing.T) {
	for name, again := range map[string]func(r *rig, place *fakePlace, first *serverState){
		"settings": func(r *rig, _ *fakePlace, _ *serverState) {
			r.settings()
			r.press("Try again")
		},
		"by itself": func(_ *rig, place *fakePlace, _ *serverState) { place.be(keychain.State{Mode: keychain.Available}) },
		"a server's page": func(r *rig, _ *fakePlace, first *serverState) {
			r.s.choose(route{section: sectionServer, id: first.ID})
			r.press("Try again")
		},
	} {
		t.Run(name, func(t *testing.T) {
			place := &fakePlace{st: noKeychain}
			r := newRig(t, rigOptions{demo: true, secrets: &memorySecrets{any: canary}, place: place})
			for name, address := range map[string]string{"one": r.guarded(), "other": r.guarded()} {
				_, err := r.store.Add(mcpclient.Server{Name: name, Kind: mcpclient.HTTP, URL: address})
				must(t, err)
			}
			r.s.takeList(r.s.readList())
			ours := r.s.desk.servers[:2]
			for _, v := range ours {
				lacks := &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("auth.token.unread", "Reason", keychain.Sentence(noKeychain.Why))}
				r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Lost, Failure: lacks}})
			}
			r.queue.Drain()
			r.s.choose(route{section: sectionServer, id: ours[1].ID})
			if r.button("Try again") == nil || r.button("Sign in") == nil || r.button("Connect again") != nil {
				t.Errorf("the page reads\n%s", r.text())
			}
			r.press("Access token…")
			r.typing("typed")
			again(r, place, ours[0])
			r.wait(func() bool { return isConnected(ours[0].status) && isConnected(ours[1].status) })
			if !ours[1].token.open || ours[1].token.text != "typed" {
				t.Errorf("what was typed is lost: open %v", ours[1].token.open)
			}
		})
	}
}

// TestSecrets_AProgramThatLacksTheKeychainHasItAskedAgain.
func TestSecrets_AProgramThatLacksTheKeychainHasItAskedAgain(t *testing.T) {
	secrets := &memorySecrets{}
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, secrets: secrets})
	v := r.atServer()
	r.s.disconnect(v)
	r.wait(func() bool { return v.status.State == mcpclient.Closed })
	lacks := &mcpclient.Failure{Kind: mcpclient.FailLost, Text: keychain.Sentence(&keychain.Unavailable{Reason: keychain.Locked})}
	r.told(mcpclient.Event{ServerID: v.ID, Connection: &mcpclient.Status{State: mcpclient.Lost, Failure: lacks}})
	r.queue.Drain()
	r.press("Try again")
	r.wait(func() bool { return isConnected(v.status) })
	if n := secrets.retries.Load(); n != 1 {
		t.Errorf("the keychain was asked %d times more", n)
	}
}

// TestSecrets_AKeychainThatStaysAwayIsSaidOnce on the page of a server that lacks it.
func TestSecrets_AKeychainThatStaysAwayIsSaidOnce(t *testing.T) {
	secrets := &memorySecrets{}
	r := newRig(t, rigOptions{demo: true, secrets: secrets})
	_, err := r.store.Add(mcpclient.Server{Name: "Notes", Kind: mcpclient.HTTP, URL: r.guarded()})
	must(t, err)
	secrets.Away(keychain.Locked)
	r.s.takeList(r.s.readList())
	v := r.s.desk.servers[0]
	r.s.choose(route{section: sectionServer, id: v.ID})
	r.s.connect(v)
	r.wait(func() bool { return v.status.State == mcpclient.Lost })
	r.queue.Drain()
	r.press("Try again")
	r.wait(func() bool { return secrets.retries.Load() == 1 && !v.token.busy && v.status.State == mcpclient.Lost })
	r.queue.Drain()
	if said := r.text(); strings.Count(said, "The keychain is locked") != 1 || r.button("Try again") == nil {
		t.Errorf("the page reads\n%s", said)
	}
}

// TestSecrets_AConnectedServerThatLacksTheKeychainIsAskedOnceItIsBack: one that wants to
// know nobody until it is asked what it offers.
func TestSecrets_AConnectedServerThatLacksTheKeychainIsAskedOnceItIsBack(t *testing.T) {
	secrets := away()
	p := newPlace(t, authtest.Options{Login: authtest.Grant}, authtest.ResourceOptions{Free: []string{"server/discover"}})
	r := newRig(t, rigOptions{secrets: secrets, browser: &testBrowser{}, listed: &p.server})
	v := r.s.desk.servers[0]
	r.s.choose(route{section: sectionServer, id: v.ID})
	r.wait(func() bool { return isConnected(v.status) && v.listing.failure != nil })
	r.queue.Drain()
	secrets.Back()
	r.press("Try again")
	r.press(r.signInButton(r.signingIn())) // nothing was stored for it
	r.wait(func() bool { return v.account.SignedIn() && v.offer != nil && v.listing.failure == nil })
}
