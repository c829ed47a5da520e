package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
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
	r.judged()
	if text := r.text(); !strings.Contains(text, said) {
		t.Errorf("the page reads:\n%s", text)
	}
	r.typing("/other")
	r.judged()
	if text := r.text(); strings.Contains(text, said) {
		t.Errorf("of another address the page reads:\n%s", text)
	}
	r.s.choose(route{section: sectionEdit, id: v.ID})
	r.judged()
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
	r.judged()
	if text := r.text(); strings.Contains(text, said) || there() {
		t.Errorf("with nothing entered the page reads:\n%s", text)
	}
	r.typing("python3 /srv/notes.py --fast")
	r.judged()
	if text := r.text(); !strings.Contains(text, said) || !there() {
		t.Fatalf("the page reads:\n%s", text)
	}
	if b := r.button("Take it apart"); b.Size().Width < b.MinSize().Width {
		t.Errorf("the button is %v wide, and needs %v", b.Size().Width, b.MinSize().Width)
	}
	if d := r.s.adding.draft; d.Program != "python3 /srv/notes.py --fast" || d.Arguments != "" {
		t.Errorf("it was taken apart unasked: %+v", d)
	}
	r.press("Take it apart")
	r.wait(func() bool { return r.s.adding.draft.Arguments != "" })
	r.judged()
	if d := r.s.adding.draft; d.Program != "python3" || d.Arguments != "/srv/notes.py\n--fast" {
		t.Errorf("taken apart: %q, %q", d.Program, d.Arguments)
	}
	if text := r.text(); strings.Contains(text, said) || there() || !strings.HasPrefix(r.where(), "Program") {
		t.Errorf("after that, with the keyboard at %q, the page reads:\n%s", r.where(), text)
	}
}

// TestAdd_ALineThatAddsToAnotherAppBringsItsName to the form, and an address where it
// adds one.
func TestAdd_ALineThatAddsToAnotherAppBringsItsName(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.adding.draft.Kind = mcpclient.Stdio
	r.s.choose(route{section: sectionAdd})
	r.typing("claude mcp add --transport http linear https://mcp.linear.example/mcp")
	r.judged()
	r.press("Take it apart")
	r.wait(func() bool { return r.s.adding.draft.URL != "" })
	if d := r.s.adding.draft; d.Name != "linear" || d.URL != "https://mcp.linear.example/mcp" || d.Program != "" || r.where() != "Address (required)" {
		t.Errorf("with the keyboard at %q: %q, %q, %q", r.where(), d.Name, d.URL, d.Program)
	}
}

// TestAdd_NothingIsJudgedWhileKeysCome: a verdict is found out in the background, once
// a moment has gone by, and not at all once the page is left.
func TestAdd_NothingIsJudgedWhileKeysCome(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.adding.draft.Kind = mcpclient.Stdio
	r.s.choose(route{section: sectionAdd})
	r.judged()
	f := r.s.page.(*addPage).form
	before := f.judging.run
	r.typing("npx -y files")
	if f.sh.verdict.command {
		t.Error("it was judged before a moment had gone by")
	}
	r.pass(judgeAfter)
	r.typing(" more") // while the verdict is on its way
	r.judged()
	if !f.sh.verdict.command || f.judging.run <= before {
		t.Error("it was not judged in the end")
	}
	r.typing("!")
	r.s.choose(route{section: sectionSettings})
	if n := r.clock.waiting(); f.judging.busy || f.judging.pause != nil {
		t.Errorf("the page was left, and it is still to be judged; %d timers run", n)
	}
}

// TestForm_WhatIsWrongIsInSight when Save leads to it, in the lowest window too.
func TestForm_WhatIsWrongIsInSight(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.win.Resize(fyne.NewSize(600, 360))
	r.s.choose(route{section: sectionAdd})
	r.paste("https://notes.example/" + strings.Repeat("x", 9000))
	r.s.win.Canvas().Focus(r.s.page.(*addPage).form.focus[config.FieldName])
	r.ctrlEnter()
	r.inSight("Parley takes 8,192 at most")
}

// TestForm_WhatIsTooLongIsSaidAndNotSaved, in any field, and what is long is taken in
// parts.
func TestForm_WhatIsTooLongIsSaidAndNotSaved(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.choose(route{section: sectionAdd})
	address := "https://notes.example/" + strings.Repeat("x", 9000)
	r.paste(address)
	r.judged()
	said := "The address has 9,022 characters. Parley takes 8,192 at most."
	if got := r.error("Address (required)"); got != said || r.s.adding.draft.URL != address {
		t.Errorf("said is %q, %d characters stand there", got, len(r.s.adding.draft.URL))
	}
	f := r.s.page.(*addPage).form
	r.s.win.Canvas().Focus(f.focus[config.FieldName])
	r.paste(strings.Repeat("n", 301))
	r.judged()
	r.ctrlEnter()
	if got := r.error("Address (required)"); got != said || r.s.win.Canvas().Focused() != r.s.page.(*addPage).form.focus[config.FieldURL] || len(r.store.Servers()) > 0 {
		t.Errorf("after Save said is %q", got)
	}
	if got := r.error("Your name for it"); got != "The name has 301 characters. Parley takes 300 at most." {
		t.Errorf("of the name it says %q", got)
	}
	r.shortcut(&fyne.ShortcutSelectAll{})
	r.typing("https://notes.example")
	r.judged()
	if got := r.error("Address (required)"); got != "" || r.s.adding.draft.URL != "https://notes.example" {
		t.Errorf("after a change it still says %q", got)
	}
	r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Env: []config.DraftValue{{Name: "KEY"}, {Name: "PEM", Secret: true}}}}
	r.s.choose(route{section: sectionAdd})
	f = r.s.page.(*addPage).form
	pem := "-----BEGIN KEY-----\n" + strings.Repeat("canary\n", 2000) + "-----END KEY-----\n"
	for row := range 2 {
		r.s.win.Canvas().Focus(f.focus[valueField(config.FieldEnv, row, false)])
		r.paste(pem)
		if got := r.s.adding.draft.Env[row].Value; got != pem {
			t.Errorf("value %d: %d characters were taken in, want %d, line ends included", row, len(got), len(pem))
		}
	}
}
