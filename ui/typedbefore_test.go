package ui

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parley/forms/rawjson"
	"parley/mcpclient"
)

const pinForm = `{"type":"object","properties":{"name":{"type":"string","title":"Full name"},"pin":{"type":"string","title":"PIN"}}}`

// failing is a tool that asks with this form and fails over an answer with a PIN.
func failing(schema *string) tool {
	return func(s *memoryServer, params []rawMember) json.RawMessage {
		if rawjson.Get(params, "inputResponses") == nil {
			return json.RawMessage(`{"resultType":"input_required","inputRequests":{"k":` + formRequest("Who?", *schema) + `}}`)
		}
		if strings.Contains(string(rawjson.Get(params, "inputResponses")), "pin") {
			s.say(`{"jsonrpc":"2.0","id":` + s.id() + `,"error":{"code":-32000,"message":"No seats left."}}`)
			return nil
		}
		return json.RawMessage(`{"resultType":"complete","content":[]}`)
	}
}

// fails runs a tool that asks, types a name and a secret into the question, submits,
// and waits until the request has failed.
func (r *rig) fails(name string) {
	r.t.Helper()
	r.run(name)
	sh := r.question()
	sh.draft.SetText("/name", "Lin")
	sh.draft.SetText("/pin", "canary-4711")
	r.ctrlEnter()
	r.pass(deafTime)
	r.press(r.s.t("ui.ask.secret_yes"))
	if c := r.ended(); c.State != mcpclient.CallFailed {
		r.t.Fatalf("the call is %s", c.State)
	}
	r.pass(time.Minute)
}

const typedBefore = "Filled in as you typed it before, in a request that failed, without what looks like a secret."

// TestRunAgain_WhatWasTypedIsOfferedAndNotSent: the person finds it in the same
// question, except the secret; it goes out when they submit it, and can be emptied.
func TestRunAgain_WhatWasTypedIsOfferedAndNotSent(t *testing.T) {
	schema := pinForm
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": failing(&schema)}})
	r.fails("ask")
	r.run("ask")
	sh := r.question()
	if got := sh.draft.Text("/name"); got != "Lin" || sh.draft.Text("/pin") != "" || !strings.Contains(r.text(), typedBefore) {
		t.Fatalf("the field holds %q; the page reads:\n%s", got, r.text())
	}
	if saved := string(sh.draft.Save()); strings.Contains(saved, "canary") {
		t.Errorf("the secret is kept: %s", saved)
	}
	r.pass(time.Minute)
	if n := len(r.server.requests("tools/call")); n != 3 || !sh.open() {
		t.Fatalf("%d calls were sent; the question is %s", n, sh.q.State)
	}
	r.ctrlEnter()
	if a := r.answered(sh); string(a.Content) != `{"name":"Lin"}` {
		t.Errorf("sent %s", a.Content)
	}
	r.ended()
}

func TestRunAgain_CanStartEmpty(t *testing.T) {
	schema := pinForm
	r := newRig(t, rigOptions{tools: map[string]tool{"ask": failing(&schema)}})
	r.fails("ask")
	r.run("ask")
	sh := r.question()
	r.press("Start empty")
	if sh.draft.Touched() || strings.Contains(r.text(), "as you typed it before") || r.s.win.Canvas().Focused() == nil {
		t.Errorf("the form is not empty, or nothing has the keyboard:\n%s", r.text())
	}
	r.typing("Ann")
	if got := sh.draft.Text("/name"); got != "Ann" {
		t.Errorf("the field holds %q", got)
	}
}

// TestRunAgain_OffersNothingElsewhere: another form, another tool, a request that
// went well since, a question that was declined.
func TestRunAgain_OffersNothingElsewhere(t *testing.T) {
	for name, next := range map[string]func(r *rig, schema *string){
		"another form": func(r *rig, schema *string) {
			*schema = strings.Replace(pinForm, "Full name", "Full  name", 1)
			r.run("ask")
		},
		"another tool": func(r *rig, _ *string) { r.run("other") },
		"a request that went well since": func(r *rig, _ *string) {
			r.run("ask")
			sh := r.question()
			r.ctrlEnter()
			r.answered(sh)
			r.ended()
			r.run("ask")
		},
		"a server at another place": func(r *rig, _ *string) {
			r.s.desk.calls[0].Identity.Command = []string{"other"}
			r.run("ask")
		},
	} {
		t.Run(name, func(t *testing.T) {
			schema, same := pinForm, pinForm
			r := newRig(t, rigOptions{tools: map[string]tool{"ask": failing(&schema), "other": failing(&same)}})
			r.fails("ask")
			next(r, &schema)
			if sh := r.question(); sh.draft.Touched() {
				t.Errorf("the form holds %s:\n%s", sh.draft.Save(), r.text())
			}
		})
	}
	t.Run("a question that was declined", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: map[string]tool{"ask": func(s *memoryServer, params []rawMember) json.RawMessage {
			if rawjson.Get(params, "inputResponses") != nil {
				s.say(`{"jsonrpc":"2.0","id":` + s.id() + `,"error":{"code":-32000,"message":"Then not."}}`)
				return nil
			}
			return json.RawMessage(`{"resultType":"input_required","inputRequests":{"k":` + formRequest("Who?", nameForm) + `}}`)
		}}})
		r.run("ask")
		sh := r.question()
		r.tab()
		r.typing("Lin")
		r.press("Decline")
		r.answered(sh)
		r.ended()
		r.run("ask")
		if sh := r.question(); sh.draft.Touched() {
			t.Errorf("what was refused is offered:\n%s", r.text())
		}
	})
}

// TestRunAgain_WhatDiedWithItsRequestIsOffered too: it was typed and never sent.
func TestRunAgain_WhatDiedWithItsRequestIsOffered(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.run("ask")
	sh := r.question()
	r.tab()
	r.typing("Lin")
	r.server.die(errNoBrowser)
	r.wait(func() bool { return sh.q.State == mcpclient.ElicitationDead })
	v := r.s.desk.servers[0]
	r.wait(func() bool { return v.status.State == mcpclient.Lost && r.s.desk.calls[0].State.Ended() })
	r.s.choose(route{section: sectionServer, id: v.ID})
	r.press("Connect again")
	r.connected()
	r.run("ask")
	if again := r.question(); again.draft.Text("/name") != "Lin" || !strings.Contains(r.text(), "Filled in as you typed it before, in a request that failed.") {
		t.Errorf("the page reads:\n%s", r.text())
	}
}
