package ui

import (
	"strings"
	"testing"

	"parley/mcpclient"
)

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
