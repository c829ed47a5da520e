package ui

import (
	"encoding/json"
	"testing"

	"parley/forms"
	"parley/mcpclient"
	"parley/ui/kit"
)

// relisted waits until the server's tools were asked for n times, the last
// answer brought in.
func (r *rig) relisted(v *serverState, n int) {
	r.t.Helper()
	r.wait(func() bool { return len(r.server.requests("tools/list")) == n && !v.listing.busy && !v.listing.stale })
	r.queue.Drain()
}

// nothing is a tool that asks nothing.
func nothing(*memoryServer, []rawMember) json.RawMessage {
	return json.RawMessage(`{"resultType":"complete","content":[]}`)
}

// changed makes the server change and waits until the window knows.
func (r *rig) changed(v *serverState, f func()) {
	r.t.Helper()
	r.server.change(f)
	r.wait(func() bool { return v.listing.stale })
}

// TestListChanged_KeepsTheOldOfferUntilTheNewOneIsThere, and the keyboard on
// its row.
func TestListChanged_KeepsTheOldOfferUntilTheNewOneIsThere(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing, "b": nothing}, legacy: true})
	v := r.atServer()
	p := r.s.page.(*serverPage)
	r.s.win.Canvas().Focus(p.rows[1])
	held := make(chan struct{})
	r.changed(v, func() { r.server.tools["c"], r.server.held = nothing, held })
	r.pass(listPause)
	r.wait(func() bool { return len(r.server.requests("tools/list")) == 2 })
	if len(p.rows) != 2 {
		t.Errorf("%d rows while the new list is on its way; want the old 2", len(p.rows))
	}
	close(held)
	r.relisted(v, 2)
	if len(p.rows) != 3 {
		t.Errorf("%d rows of the new list; want 3", len(p.rows))
	}
	if f, ok := r.s.win.Canvas().Focused().(*kit.SideItem); !ok || f != p.rows[1] {
		t.Errorf("the keyboard is on %T, not on its row", r.s.win.Canvas().Focused())
	}
}

// TestListChanged_WhileListingCausesOneMore: nobody knows whether the answer
// that is on its way has the change already.
func TestListChanged_WhileListingCausesOneMore(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, legacy: true})
	v := r.atServer()
	held := make(chan struct{})
	r.changed(v, func() { r.server.held = held })
	r.pass(listPause)
	r.wait(func() bool { return len(r.server.requests("tools/list")) == 2 })
	r.changed(v, func() { r.server.tools["late"] = nothing })
	close(held)
	r.wait(func() bool { return !v.listing.busy })
	r.pass(listPause)
	r.relisted(v, 3)
	if len(v.offer.tools) != 2 {
		t.Errorf("%d tools are known; want 2", len(v.offer.tools))
	}
}

// TestListChanged_AStormCausesFewListings: ten thousand changes in the same
// second are one listing when it is over.
func TestListChanged_AStormCausesFewListings(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, legacy: true})
	v := r.atServer()
	before := v.offer
	for range 10_000 {
		r.server.change(func() {})
	}
	r.wait(func() bool { return v.listing.stale })
	r.queue.Drain()
	if n := len(r.server.requests("tools/list")); n != 1 {
		t.Errorf("%d listings within the second of the first", n)
	}
	r.pass(listPause)
	r.wait(func() bool { return len(r.server.requests("tools/list")) > 1 && !v.listing.busy })
	for range 3 {
		r.pass(listPause)
	}
	r.wait(func() bool { return !v.listing.busy && !v.listing.stale })
	if n := len(r.server.requests("tools/list")); n > 4 {
		t.Errorf("%d listings after a storm of changes", n)
	}
	if v.offer != before {
		t.Error("a list that says the same was taken for another one")
	}
}

func TestRefresh_AsksTheServerAtOnce(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, legacy: true})
	v := r.atServer()
	held := make(chan struct{})
	r.server.mu.Lock()
	r.server.held = held
	r.server.mu.Unlock()
	r.press("Refresh")
	r.reads("Asking what the server offers…", "Book a trip")
	close(held)
	r.relisted(v, 2)
	r.reads("What it offers, as of " + r.clock.Now().Local().Format("15:04:05"))
}

func TestListing_ThatFailedKeepsWhatWasOfferedAndSaysWhy(t *testing.T) {
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, legacy: true})
	v := r.atServer()
	r.s.listed(v.ID, v.listing.connections, nil, &mcpclient.Failure{Kind: mcpclient.FailTimeout, Text: demoFailed(errNoBrowser)})
	r.reads("could not be started", "Book a trip")
}

// atTool opens the page of the tool "a" with a name typed into its form, if any.
func atTool(t *testing.T, typed string) (*rig, *serverState, *runPage) {
	t.Helper()
	r := newRig(t, rigOptions{tools: map[string]tool{"a": nothing}, legacy: true})
	r.server.mu.Lock()
	r.server.schema = nameForm
	r.server.mu.Unlock()
	v := r.connected()
	if len(v.offer.tools[0].InputSchema) != len(nameForm) {
		r.s.relist(v)
		r.relisted(v, 2)
	}
	r.s.choose(route{section: sectionTool, id: v.ID, name: "a"})
	r.wait(func() bool { p, ok := r.s.page.(*runPage); return ok && p.ready() })
	r.typing(typed)
	return r, v, r.s.page.(*runPage)
}

// refresh asks for the changed list and waits for it.
func (r *rig) refresh(v *serverState, f func()) {
	r.t.Helper()
	r.changed(v, f)
	n := len(r.server.requests("tools/list"))
	r.pass(listPause)
	r.relisted(v, n+1)
}

const otherForm = `{"type":"object","properties":{"name":{"type":"string","title":"Full name"},"age":{"type":"integer"}}}`

func TestRunPage_AChangedFormTakesNothingFromUnderTheHands(t *testing.T) {
	r, v, p := atTool(t, "Lin")
	focus := r.s.win.Canvas().Focused()
	r.refresh(v, func() { r.server.schema = otherForm })
	if r.s.page != page(p) || r.s.win.Canvas().Focused() != focus || p.sheet().draft.Text("/name") != "Lin" {
		t.Fatal("the form that was being filled in is another one now")
	}
	r.reads("The server has changed this form.", "What you entered stays.")
	r.press("Use the new form")
	r.wait(func() bool { p := r.s.page.(*runPage); return p.ready() && p.sheet().before != nil })
	d := r.s.argument[r.s.at].draft
	if d.Text("/name") != "Lin" || len(d.Form().Fields) != 2 {
		t.Errorf("the new form holds %q in %d fields", d.Text("/name"), len(d.Form().Fields))
	}
	r.reads("This is the new form, with what fits of what you entered.")
	r.press("Back to what you entered")
	if d := r.s.argument[r.s.at].draft; d.Text("/name") != "Lin" || len(d.Form().Fields) != 1 {
		t.Error("there is no way back")
	}
}

func TestRunPage_AnUntouchedFormIsTheOneOfNow(t *testing.T) {
	r, v, _ := atTool(t, "")
	r.refresh(v, func() { r.server.schema = otherForm })
	r.wait(func() bool { p, ok := r.s.page.(*runPage); return ok && p.ready() })
	if n := len(r.s.argument[r.s.at].form.Fields); n != 2 {
		t.Errorf("the form has %d fields; want 2", n)
	}
}

func TestRunPage_WhatVanishedKeepsWhatWasTyped(t *testing.T) {
	r, v, p := atTool(t, "Lin")
	r.refresh(v, func() { delete(r.server.tools, "a"); r.server.tools["z"] = nothing })
	r.reads("The server does not offer this now.", "Full name")
	if p.ready() || p.sheet().draft.Text("/name") != "Lin" {
		t.Error("what is gone can be run, or lost what was typed")
	}
	r.refresh(v, func() { r.server.tools["a"] = nothing })
	if !p.ready() || p.sheet().draft.Text(forms.Path("/name")) != "Lin" {
		t.Error("what came back cannot be run")
	}
}

func TestRunPage_ALostConnectionKeepsWhatWasTyped(t *testing.T) {
	r, v, p := atTool(t, "Lin")
	focus := r.s.win.Canvas().Focused()
	r.server.die(errNoBrowser)
	r.wait(func() bool { return v.status.State == mcpclient.Lost })
	r.queue.Drain()
	r.reads("The server is not connected.", "What you enter stays here.")
	if p.ready() || r.s.win.Canvas().Focused() != focus {
		t.Error("it can be run without a server, or the keyboard has gone")
	}
	r.s.connect(v)
	r.connected()
	r.wait(p.ready)
	if p.sheet().draft.Text("/name") != "Lin" {
		t.Error("what was typed is gone")
	}
}
