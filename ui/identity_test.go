package ui

import (
	"errors"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
)

// movedTo edits the address of the only server outside of Parley, while it is
// connected.
func (r *rig) movedTo(name, url string) *serverState {
	r.t.Helper()
	v := r.connected()
	moved := v.Server
	moved.Name, moved.URL = name, url
	must(r.t, r.store.Update(moved))
	r.s.takeList(r.s.readList())
	r.queue.Drain()
	return v
}

// TestIdentity_IsThatOfTheConnectionWhateverTheListSays: promise 1.
func TestIdentity_IsThatOfTheConnectionWhateverTheListSays(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), http: true, accounts: &fakeAccounts{}})
	v := r.movedTo("Other desk", "https://other.example:7790/mcp")
	pages := map[string]route{"its page": {section: sectionServer, id: v.ID}, "the page of a tool": {section: sectionTool, id: v.ID, name: "ask"}}
	for what, at := range pages {
		r.s.choose(at)
		if said := bannerText(r); !strings.Contains(said, "mcp.travel.example") || strings.Contains(said, "other.example") || strings.Contains(said, "Other desk") {
			t.Errorf("the banner of %s says %q", what, said)
		}
	}
	if row := r.s.side.said[v.ID]; row != (rowTexts{"Other desk", "mcp.travel.example"}) {
		t.Errorf("the sidebar, which is the list, says %q", row)
	}
	r.s.choose(pages["its page"])
	if said := r.text(); !strings.Contains(said, "is now at https://other.example:7790. The connection still goes to where it was before") || r.button("Reconnect") == nil {
		t.Errorf("the page does not say what is connected:\n%s", said)
	}
	if r.button("Access token…") != nil {
		t.Error("a token can be entered while the page names another server than it would go to")
	}
	r.s.choose(pages["the page of a tool"])
	r.wait(r.s.page.(*runPage).ready)
	r.ctrlEnter()
	sh := r.question()
	if said := bannerText(r); !strings.Contains(said, "mcp.travel.example") || !strings.Contains(said, "Travel desk") {
		t.Errorf("the banner of the question says %q", said)
	}
	if by := r.s.asker(sh.q.Identity, v.ID); by.Host != "mcp.travel.example" {
		t.Errorf("links are judged as those of %+v", by)
	}
}

// TestIdentity_ASignInNamesWhoAsks: the server that was edited is not the one that
// asks.
func TestIdentity_ASignInNamesWhoAsks(t *testing.T) {
	f := &fakeAccounts{agree: exact}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), http: true, accounts: f})
	v := r.movedTo("Other desk", "https://other.example/mcp")
	f.tell(signInOf(v, "one", func(d *auth.SignIn) { d.ServerName, d.Origin = "Travel desk", "https://mcp.travel.example" }))
	sh := r.signingIn()
	if said := bannerText(r); !strings.Contains(said, "mcp.travel.example") || strings.Contains(said, "other.example") {
		t.Errorf("the banner says %q", said)
	}
	if by := r.s.signInAsker(sh); by.Host != "mcp.travel.example" {
		t.Errorf("the address is judged as one of %+v", by)
	}
	r.press(r.signInButton(sh))
	r.wait(func() bool { return sh.opened })
	if now := v.Server; len(r.s.sites[openedBy(now)]) != 0 || len(r.store.Opened(now)) != 0 {
		t.Error("the site was remembered for another server than the one that led there")
	}
}

// TestIdentity_ARenamedServerHasItsNewNameAtOnce: it is the same one.
func TestIdentity_ARenamedServerHasItsNewNameAtOnce(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), http: true})
	v := r.movedTo("Trips", r.connected().URL)
	if said := bannerText(r); !strings.Contains(said, "Trips") || r.s.side.said[v.ID].name != "Trips" {
		t.Errorf("the banner says %q", said)
	}
}

// TestIdentity_ANameIsThePersonsAndStays: it was given to what is connected, whatever
// is edited after, and what was sent or asked before has it too.
func TestIdentity_ANameIsThePersonsAndStays(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), http: true})
	v := r.connected()
	r.run("ask")
	sh := r.question()
	edit := func(change func(*mcpclient.Server)) {
		now := v.Server
		change(&now)
		must(t, r.store.Update(now))
		r.s.takeList(r.s.readList())
		r.queue.Drain()
	}
	edit(func(now *mcpclient.Server) { now.Name = "Trips" })
	if said := bannerText(r); !strings.Contains(said, "Trips") {
		t.Errorf("the banner of the question that is shown says %q", said)
	}
	edit(func(now *mcpclient.Server) { now.URL = "https://other.example/mcp" })
	for what, at := range map[string]route{
		"its page": {section: sectionServer, id: v.ID}, "a question": {section: sectionQuestion, id: sh.q.ID},
		"a request": {section: sectionRequest, id: sh.q.CallID}} {
		r.s.choose(at)
		if said := bannerText(r); !strings.Contains(said, "Trips") || !strings.Contains(said, "mcp.travel.example") || strings.Contains(said, "Travel desk") {
			t.Errorf("the banner of %s says %q", what, said)
		}
	}
	for _, at := range []section{sectionQuestions, sectionRequests} {
		r.s.choose(route{section: at})
		if text := r.text(); !strings.Contains(text, "Trips  •") || strings.Contains(text, "Travel desk") {
			t.Errorf("a list says\n%s", text)
		}
	}
	if row := r.s.side.said[v.ID]; row.name != "Trips" {
		t.Errorf("the sidebar says %q", row)
	}
	edit(func(now *mcpclient.Server) { now.Name, now.URL = "Bank", "https://bank.example/mcp" })
	r.s.choose(route{section: sectionQuestion, id: sh.q.ID})
	if said := bannerText(r); !strings.Contains(said, "Trips") || strings.Contains(said, "Bank") {
		t.Errorf("a name for another place stands on this connection: %q", said)
	}
}

// TestFailure_OfAnEarlierAddressGoesWithIt.
func TestFailure_OfAnEarlierAddressGoesWithIt(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), http: true})
	v := r.connected()
	v.status = mcpclient.Status{State: mcpclient.Lost, Failure: failureOf(errors.New("no route"))}
	r.s.touchServer(v.ID)
	moved := v.Server
	moved.URL = "https://other.example/mcp"
	must(t, r.store.Update(moved))
	r.s.takeList(r.s.readList())
	if v.status.Failure != nil || strings.Contains(r.text(), "no route") {
		t.Errorf("of another address the page says:\n%s", r.text())
	}
}

// bannerText is what the banner of the page says.
func bannerText(r *rig) string { return textOf(r.banner()) }

// TestIdentity_ARequestIsOfWhomItWasSentAs, and not of whoever is signed in
// besides: a token that was entered says nothing of the person.
func TestIdentity_ARequestIsOfWhomItWasSentAs(t *testing.T) {
	p := newPlace(t, authtest.Options{Login: authtest.Grant, Scopes: []string{"openid", "read"}}, authtest.ResourceOptions{Challenge: "openid read"})
	r := newRig(t, rigOptions{secrets: &memorySecrets{}, browser: &testBrowser{}, listed: &p.server})
	r.press(r.signInButton(r.signingIn()))
	v := r.connected()
	r.run("whoami")
	if call := r.ended(); call.Identity.User != "Ann" || call.Identity.Host == "" {
		t.Errorf("sent as %+v", call.Identity)
	}
	must(t, r.s.o.Tokens.Keep(t.Context(), v.Server, "entered"))
	r.s.choose(route{section: sectionServer, id: v.ID})
	r.run("whoami")
	if call := r.ended(); call.State != mcpclient.CallFailed || call.Identity.User != "" || call.Identity.Host != "" {
		t.Errorf("with a token that was entered: %s as %+v", call.State, call.Identity)
	}
	r.wait(func() bool { return r.s.at.section == sectionRequest })
	if said := bannerText(r); strings.Contains(said, "signed in") {
		t.Errorf("the banner says %q", said)
	}
}
