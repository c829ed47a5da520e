package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/stdio"
	"parley/ui/kit"
)

// allowing opens the page that asks for leave to start the first server.
func (r *rig) allowing() (*serverState, *allowPage) {
	r.t.Helper()
	v := r.s.desk.servers[0]
	v.leave = config.NoLeave
	r.s.choose(route{section: sectionAllow, id: v.ID})
	p, ok := r.s.page.(*allowPage)
	if !ok {
		r.t.Fatalf("the page is %T", r.s.page)
	}
	r.known(p.start)
	return v, p
}

// known waits until the file of a program that is asked about is known, and start,
// which agrees to it, takes input.
func (r *rig) known(start *kit.Button) {
	r.t.Helper()
	r.wait(func() bool { return !start.Disabled() })
	r.pass(deafTime)
}

// agree presses the button with these words once it takes input.
func (r *rig) agree(words string) {
	r.t.Helper()
	r.known(r.button(words))
	r.press(words)
}

// editedOutside takes in an edit of the first server.
func (r *rig) editedOutside(edit func(*mcpclient.Server)) {
	now := r.s.readList()
	edit(&now.servers[0])
	now.leave[now.servers[0].ID] = config.LostLeave
	r.s.takeList(now)
	r.queue.Drain()
}

const otherCommand = "This is another command than a moment ago."

// TestAllow_ACommandChangedWhileItIsLookedAtIsSaidToBeAnother, and every button is
// deaf for a moment, anew after each press meant for what was there before.
func TestAllow_ACommandChangedWhileItIsLookedAtIsSaidToBeAnother(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	v, p := r.allowing()
	if strings.Contains(r.text(), otherCommand) {
		t.Fatal("it is said of the first command")
	}
	start := r.button("Start this program")
	r.s.win.Canvas().Focus(start)
	r.editedOutside(func(v *mcpclient.Server) { v.Args = []string{"--evil"} })
	if text := r.text(); !strings.Contains(text, otherCommand) || !strings.Contains(text, "--evil") {
		t.Fatalf("the page reads:\n%s", text)
	}
	if r.s.win.Canvas().Focused() != nil || p.reveal.Offset() != 0 {
		t.Error("the button that starts it still has the keyboard, or the page is scrolled")
	}
	r.wait(func() bool { return !start.Disabled() })
	for range 3 {
		r.pass(deafTime - 1)
		for _, words := range []string{"Start this program", "Not now", "Edit…"} {
			if r.button(words).Press() {
				t.Errorf("%s acts %v after the change", words, deafTime-1)
			}
		}
	}
	if v.allowed() || r.s.at.section != sectionAllow {
		t.Fatal("a press meant for the old command acts on the new one")
	}
	r.pass(deafTime)
	r.press("Not now")
	if r.s.at.section != sectionServer {
		t.Errorf("at %v", r.s.at)
	}
}

// TestAllow_AnotherNameIsNotAnotherCommand.
func TestAllow_AnotherNameIsNotAnotherCommand(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.allowing()
	r.editedOutside(func(v *mcpclient.Server) { v.Name = "Other name" })
	if text := r.text(); strings.Contains(text, otherCommand) || !strings.Contains(text, "Start “Other name”?") {
		t.Errorf("the page reads:\n%s", text)
	}
}

// TestAllow_AnEditBetweenLookAndClickStartsWhatWasShown, never the new command: the
// file was edited, and the window has not read it yet.
func TestAllow_AnEditBetweenLookAndClickStartsWhatWasShown(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	v, _ := r.allowing()
	r.s.disconnect(v)
	r.wait(func() bool { return v.status.State == mcpclient.Closed })
	before := len(r.server.requests("server/discover"))
	text := strings.Replace(r.onDisk(), `"--stdio"`, `"--evil"`, 1)
	must(t, os.WriteFile(r.store.Path(), []byte(text), 0o600))
	r.press("Start this program")
	r.wait(func() bool { return len(r.server.requests("server/discover")) > before })
	if v.used.Args[0] != "--stdio" {
		t.Errorf("started was %v", v.used.Args)
	}
	r.wait(func() bool { return v.Args[0] == "--evil" })
	if stored := r.store.Servers()[0]; v.allowed() || !v.changed || r.store.Allowed(stored) {
		t.Errorf("the new command counts as allowed: %v, %v", v.allowed(), r.store.Allowed(stored))
	}
}

// TestAllow_TheFolderIsNamed as a whole path, set or not.
func TestAllow_TheFolderIsNamed(t *testing.T) {
	home := mcpclient.Server{Kind: mcpclient.Stdio, Command: "x"}.Folder()
	for dir, want := range map[string]string{"": home + "  (no other is set)\n", "work": filepath.Join(home, "work") + "\n", home + "/a": home + "/a\n"} {
		r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: "npx", Dir: dir}})
		r.connected()
		r.allowing()
		if text := r.text(); home == "" || !strings.Contains(text, "Folder it runs in\n"+want) {
			t.Errorf("with the folder %q the page reads:\n%s", dir, text)
		}
	}
}

// TestAllow_APersonWhoWentOnIsNotCalledBack when the leave was kept after they left.
func TestAllow_APersonWhoWentOnIsNotCalledBack(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	v, p := r.allowing()
	p.allow()
	r.s.choose(route{section: sectionRequests})
	r.wait(func() bool { return v.allowed() })
	if r.s.at.section != sectionRequests {
		t.Errorf("the window went to %v", r.s.at)
	}
}

// TestTrial_OfAProgramIsSeenAndHasTheKeyboard, on a page that is longer than the
// window: first on the button that does no harm, and after the trial on the one that
// began it. What was found is seen too.
func TestTrial_OfAProgramIsSeenAndHasTheKeyboard(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.s.win.Resize(fyne.NewSize(900, 480))
	pages := map[string]func() *serverForm{
		"add": func() *serverForm {
			r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Program: "npx", Arguments: "a"}}
			r.s.choose(route{section: sectionAdd})
			return r.s.page.(*addPage).form
		},
		"edit": func() *serverForm { return r.editing().form },
	}
	for name, open := range pages {
		t.Run(name, func(t *testing.T) {
			f := open()
			inView := func(what string) {
				t.Helper()
				f.env.Reveal.ScrollToTop()
				r.pass(frameTime) // of what is new Fyne knows the place with the next frame
				at := r.app.Driver().AbsolutePositionForObject(f.trialBox)
				top := r.app.Driver().AbsolutePositionForObject(f.env.Reveal)
				if at.Y < top.Y || at.Y > top.Y+f.env.Reveal.Size().Height-40 {
					t.Errorf("%s is at %v, the page begins at %v", what, at.Y, top.Y)
				}
			}
			r.press("Test")
			inView("the question")
			if b, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || b.Text() != "Not now" {
				t.Errorf("the keyboard is on %T", r.s.win.Canvas().Focused())
			}
			r.key(fyne.KeyReturn)
			if b, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || b.Text() != "Test" || f.sh.trial.asked {
				t.Fatalf("after “Not now” the keyboard is on %T", r.s.win.Canvas().Focused())
			}
			r.key(fyne.KeySpace)
			r.agree("Start it for this test")
			r.wait(func() bool { return f.sh.trial.found != nil })
			r.queue.Drain()
			inView("what was found")
			if b, ok := r.s.win.Canvas().Focused().(*kit.Button); !ok || b.Text() != "Test" {
				t.Errorf("after the trial the keyboard is on %T", r.s.win.Canvas().Focused())
			}
		})
	}
}

// TestTrial_WhatIsAskedIsWithdrawnWhenTheServerIsChangedOutside: its leave was asked
// for another command.
func TestTrial_WhatIsAskedIsWithdrawnWhenTheServerIsChangedOutside(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.editing()
	r.press("Test")
	r.pass(deafTime)
	r.editedOutside(func(v *mcpclient.Server) { v.Args = []string{"--evil"} })
	if text := r.text(); r.button("Start it for this test") != nil || !strings.Contains(text, "This server was changed outside Parley meanwhile. Here it stands as it is now.") {
		t.Errorf("the page reads:\n%s", text)
	}
}

// TestEdit_AnArgumentWithALineBreakIsSaidToBeOne, before and after it is touched.
func TestEdit_AnArgumentWithALineBreakIsSaidToBeOne(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm),
		as: &mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: "x", Args: []string{"-c", "a\nb"}}})
	r.connected()
	p := r.editing()
	r.judged()
	if !strings.Contains(r.text(), "Argument 2 has a line break in it, so it takes more than one line here. It stays one argument as long as you change none") {
		t.Errorf("the page reads:\n%s", r.text())
	}
	r.s.win.Canvas().Focus(p.form.focus[config.FieldArguments])
	r.typing("y")
	r.judged()
	if !strings.Contains(r.text(), "Argument 2 had a line break in it. Now that the arguments are changed, each of its lines is an argument of its own.") {
		t.Errorf("after a change the page reads:\n%s", r.text())
	}
}

// TestEdit_AnEqualNameIsSaidOnce: that it is taken, and not that it looks like it.
func TestEdit_AnEqualNameIsSaidOnce(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	_, err := r.store.Add(mcpclient.Server{Name: "second", Kind: mcpclient.Stdio, Command: "x"})
	must(t, err)
	r.s.takeList(r.s.readList())
	p := r.editing()
	p.form.sh.draft.Name = "second"
	r.s.show(r.s.at)
	r.ctrlEnter()
	if text := r.text(); !strings.Contains(text, "There is a server of this name already.") || strings.Contains(text, "looks like") {
		t.Errorf("the page reads:\n%s", text)
	}
}

// TestEdit_OfManyValuesSomeAreDrawn at a time: all can be got to by the keyboard, the
// newest and what is at fault come up by themselves, and all stay.
func TestEdit_OfManyValuesSomeAreDrawn(t *testing.T) {
	as := mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: "x", Env: map[string]string{}}
	for _, c := range "abcdefghij" {
		for n := range 100 {
			as.Env[strings.Repeat(string(c), n+1)] = "1"
		}
	}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &as})
	v := r.connected()
	p := r.editing()
	r.queue.Drain()
	for from := 1; from <= 1000; from += maxValues {
		place := fmt.Sprintf("%d to %d of 1000", from, from+maxValues-1)
		if n := len(r.buttons("Remove")); n != maxValues || !strings.Contains(r.text(), place) {
			t.Fatalf("%d of 1000 values are drawn, want %s:\n%.300s", n, place, r.text())
		}
		if name := r.s.win.Canvas().Focused(); from > 1 && name != p.form.focus[valueField(config.FieldEnv, from-1, true)] {
			t.Fatalf("the keyboard is not at the first of %s", place)
		}
		r.press("Part after")
	}
	for range 24 {
		r.press("Part before")
	}
	p.form.sh.draft.Env[500].Name = "="
	r.ctrlEnter()
	if f := r.s.win.Canvas().Focused(); f != p.form.focus[valueField(config.FieldEnv, 500, true)] {
		t.Error("what is at fault has not come up")
	}
	p.form.sh.draft.Env[500].Name = "f"
	r.press("Add a variable")
	r.typing("NEWEST")
	p.form.sh.draft.Env[1000].Value, p.form.sh.draft.Env[1000].Secret = "2", false
	r.ctrlEnter()
	r.wait(func() bool { return r.s.at.section == sectionServer })
	if v.Env["NEWEST"] != "2" || len(v.Env) != 1001 {
		t.Errorf("%d values are kept", len(v.Env))
	}
}

// TestQuit_SaysWhetherItWasNotSentOrNotSaved.
func TestQuit_SaysWhetherItWasNotSentOrNotSaved(t *testing.T) {
	r, p := argumentPage(t, `{"type":"object","properties":{"city":{"type":"string"}}}`)
	asked := func() string {
		r.s.askedToClose()
		defer r.s.keepOpen()
		return textOf(r.s.quit.box)
	}
	r.s.win.Canvas().Focus(p.first())
	r.typing("Lisbon")
	if got := asked(); !strings.Contains(got, "What you entered on 1 page was not sent.") {
		t.Errorf("with a form it says %q", got)
	}
	r.s.adding.draft.URL = "https://a.example"
	if got := asked(); !strings.Contains(got, "What you entered on 2 pages was not sent or not saved.") {
		t.Errorf("with both it says %q", got)
	}
	clear(r.s.argument)
	if got := asked(); !strings.Contains(got, "What you entered on 1 page was not saved.") {
		t.Errorf("with a server it says %q", got)
	}
}

// TestImport_TheEntryKeepsTheKeyboard when the files of other apps were looked for.
func TestImport_TheEntryKeepsTheKeyboard(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.s.choose(route{section: sectionAdd})
	r.press("Import…")
	r.s.work.all.Wait() // until they were looked for
	r.queue.Drain()
	r.typing("npx server")
	if p := r.s.page.(*importPage); r.s.importing.pasted != "npx server" || p.paste.Text() != "npx server" {
		t.Errorf("typed was %q", r.s.importing.pasted)
	}
}

// TestAllow_NothingStartsBeforeAllOfTheCommandIsShown: a long one is drawn in pieces.
func TestAllow_NothingStartsBeforeAllOfTheCommandIsShown(t *testing.T) {
	as := mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: "x"}
	for i := range 3000 {
		as.Args = append(as.Args, fmt.Sprint("--argument-", i))
	}
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &as})
	r.connected()
	v := r.s.desk.servers[0]
	v.leave = config.NoLeave
	r.s.choose(route{section: sectionAllow, id: v.ID})
	r.clock.advance(deafTime)
	p := r.s.page.(*allowPage)
	if p.builder.Idle() {
		t.Fatal("all of it is drawn in one piece")
	}
	p.file.file = stdio.File{Path: "/usr/bin/x"} // which is known first
	p.look()
	if p.seen {
		t.Error("what is yet to be drawn counts as looked at")
	}
	p.allow()
	r.queue.Drain()
	if v.allowed() || !p.builder.Idle() || !strings.Contains(r.text(), "1.  --argument-0\n") {
		t.Errorf("allowed: %v, with the page reading:\n%.300s", v.allowed(), r.text())
	}
	r.known(p.start)
	for presses := 0; p.start.Text() == "Look at the rest first" && presses < 50; presses++ {
		r.press("Look at the rest first")
		r.pass(deafTime)
	}
	r.agree("Start this program")
	r.wait(func() bool { return v.allowed() })
}

// TestAllow_WhoReadsTheArgumentsIsSaid: that no shell is used stands over no command
// that is one.
func TestAllow_WhoReadsTheArgumentsIsSaid(t *testing.T) {
	const words, shell, code = "No shell is used", "A shell carries out what stands in the arguments.", "One of the arguments is program text that is carried out."
	for _, test := range []struct {
		command, want string
		args          []string
	}{
		{"npx", words, []string{"-y", "server; rm -rf /"}},
		{"bash", shell, []string{"-c", "server; rm -rf /"}},
		{"python3", code, []string{"-c", "print(1); exit()"}},
		{"sh", "", []string{"server.sh", "a; b"}},
		{"npx", "", []string{"-y", "server"}},
	} {
		r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: test.command, Args: test.args}})
		r.connected()
		r.allowing()
		for _, sentence := range []string{words, shell, code} {
			if said := strings.Contains(r.text(), sentence); said != (sentence == test.want) {
				t.Errorf("%s %q: %q is said: %v", test.command, test.args, sentence, said)
			}
		}
	}
}

// TestAllow_ACommandChangedSinceItWasAllowedIsSaidToBe, after a restart and in the
// running app: it is not one that was never started.
func TestAllow_ACommandChangedSinceItWasAllowedIsSaidToBe(t *testing.T) {
	const changed, never = "The command was changed since you allowed it", "has not been started yet"
	isSaid := func(t *testing.T, r *rig) {
		t.Helper()
		v := r.s.desk.servers[0]
		r.s.choose(route{section: sectionServer, id: v.ID})
		if text := r.text(); !strings.Contains(text, changed) || strings.Contains(text, never) {
			t.Errorf("its page reads:\n%s", text)
		}
		if row := r.s.side.said[v.ID]; row.state != "command changed" {
			t.Errorf("the list says %q", row.state)
		}
		r.press("Review and start…")
		if text := r.text(); r.s.at.section != sectionAllow || !strings.Contains(text, changed+".") {
			t.Errorf("the page that asks reads:\n%s", text)
		}
	}
	t.Run("after a restart", func(t *testing.T) {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, config.FileName), []byte(`{"mcpServers":{"files":{"command":"evil"}},
			"parley":{"servers":{"files":{"id":"s","allowed":"sha256:of another"}}}}`), 0o600))
		isSaid(t, newRig(t, rigOptions{dir: dir}))
	})
	t.Run("in the running app", func(t *testing.T) {
		r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
		v := r.connected()
		r.s.disconnect(v)
		r.wait(func() bool { return v.status.State == mcpclient.Closed })
		text := strings.Replace(r.onDisk(), `"--stdio"`, `"--evil"`, 1)
		must(t, os.WriteFile(r.store.Path(), []byte(text), 0o600))
		r.wait(func() bool { return v.Args[0] == "--evil" })
		isSaid(t, r)
	})
	t.Run("and not of one that was never allowed", func(t *testing.T) {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, config.FileName), []byte(`{"mcpServers":{"files":{"command":"new"}}}`), 0o600))
		r := newRig(t, rigOptions{dir: dir})
		r.s.choose(route{section: sectionServer, id: r.s.desk.servers[0].ID})
		if text := r.text(); strings.Contains(text, changed) || !strings.Contains(text, never) {
			t.Errorf("its page reads:\n%s", text)
		}
	})
}
