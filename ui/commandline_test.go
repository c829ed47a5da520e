package ui

import (
	"strings"
	"testing"

	"parley/mcpclient"
)

// TestAdd_WhatIsInTheListAlreadyIsSaid, where another one is added or edited, and not
// of the server itself.
func TestAdd_WhatIsInTheListAlreadyIsSaid(t *testing.T) {
	r := newRig(t, rigOptions{})
	v, err := r.store.Add(mcpclient.Server{Name: "Notes", Kind: mcpclient.HTTP, URL: "https://notes.example/mcp"})
	must(t, err)
	r.s.takeList(r.s.readList())
	const said = "You have this server already, as “Notes”."
	r.s.choose(route{section: sectionAdd})
	r.typing("https://notes.example/mcp")
	if text := r.text(); !strings.Contains(text, said) {
		t.Errorf("the page reads:\n%s", text)
	}
	r.typing("/other")
	if text := r.text(); strings.Contains(text, said) {
		t.Errorf("of another address the page reads:\n%s", text)
	}
	r.s.choose(route{section: sectionEdit, id: v.ID})
	if text := r.text(); strings.Contains(text, said) {
		t.Errorf("of the server itself the page reads:\n%s", text)
	}
}

// TestAdd_TheUsualSilenceIsWrittenInOneWay, and so that it can be entered.
func TestAdd_TheUsualSilenceIsWrittenInOneWay(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.adding.more = true
	r.s.choose(route{section: sectionAdd})
	if text := r.text(); !strings.Contains(text, "Usual: 60s") || strings.Contains(text, "1m0s") {
		t.Errorf("the page reads:\n%s", text)
	}
}

// TestAdd_AWholeCommandInThePlaceOfTheProgramIsSaid at the field, and taken apart
// by a button that is there only then.
func TestAdd_AWholeCommandInThePlaceOfTheProgramIsSaid(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.adding.draft.Kind = mcpclient.Stdio
	r.s.choose(route{section: sectionAdd})
	const said = "This looks like a whole command."
	there := func() bool { b := r.button("Take it apart"); return b != nil && b.Visible() }
	if text := r.text(); strings.Contains(text, said) || there() {
		t.Errorf("with nothing entered the page reads:\n%s", text)
	}
	r.typing("python3 /srv/notes.py --fast")
	if text := r.text(); !strings.Contains(text, said) || !there() {
		t.Fatalf("the page reads:\n%s", text)
	}
	if d := r.s.adding.draft; d.Program != "python3 /srv/notes.py --fast" || d.Arguments != "" {
		t.Errorf("it was taken apart unasked: %+v", d)
	}
	r.press("Take it apart")
	if d := r.s.adding.draft; d.Program != "python3" || d.Arguments != "/srv/notes.py\n--fast" {
		t.Errorf("taken apart: %q, %q", d.Program, d.Arguments)
	}
	if text := r.text(); strings.Contains(text, said) || there() || !strings.HasPrefix(r.where(), "Program") {
		t.Errorf("after that, with the keyboard at %q, the page reads:\n%s", r.where(), text)
	}
}
