package ui

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/stdio"
)

// lookUps are look-ups that end when the test says how.
type lookUps chan func() (stdio.File, error)

func (l lookUps) lookUp(ctx context.Context, v mcpclient.Server, typed config.Typed) (stdio.File, error) {
	select {
	case end := <-l:
		return end()
	case <-ctx.Done():
		return stdio.File{}, ctx.Err()
	}
}

// find ends a look-up with what it found.
func (l lookUps) find(file stdio.File) { l <- func() (stdio.File, error) { return file, nil } }

// miss ends a look-up that found nothing.
func (l lookUps) miss() {
	l <- func() (stdio.File, error) {
		missing := &stdio.StartError{Kind: stdio.NotFound, Program: "travel", Path: "/usr/bin:/bin"}
		return stdio.File{}, &mcpclient.Failure{Kind: mcpclient.FailLost, Text: missing.Sentence()}
	}
}

// TestAllow_TheFileIsNamedBeforeItCanBeAllowed, with where a link ends, and is what is
// allowed.
func TestAllow_TheFileIsNamedBeforeItCanBeAllowed(t *testing.T) {
	files := make(lookUps)
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), lookUp: files.lookUp})
	v := r.connected()
	v.leave = config.NoLeave
	r.s.choose(route{section: sectionAllow, id: v.ID})
	r.pass(deafTime)
	p := r.s.page.(*allowPage)
	if text := r.text(); !strings.Contains(text, "Looking up where “travel” leads…") || !p.start.Disabled() {
		t.Fatalf("it can be started: %v, and the page reads:\n%s", !p.start.Disabled(), text)
	}
	p.allow() // as a key that came through would
	r.s.work.queued(&r.s.work.orders, func() { r.queue.Do(func() { v.Name = "after it" }) })
	r.wait(func() bool { return v.Name == "after it" })
	if v.allowed() {
		t.Fatal("a file that nobody knows was allowed")
	}
	files.find(stdio.File{Path: "/usr/bin/travel", Target: "/opt/travel/bin/travel.js", Named: true})
	r.wait(func() bool { return !p.start.Disabled() })
	if text := r.text(); !strings.Contains(text, "File that is started\n/usr/bin/travel\nwhich is a link to /opt/travel/bin/travel.js\n") {
		t.Errorf("the page reads:\n%s", text)
	}
	if r.button("Start this program").Press() {
		t.Error("it acts at once when the file has come")
	}
	r.agree("Start this program")
	r.wait(func() bool { return v.allowed() })
	if got := r.store.AllowedFile(v.Server); got != "/usr/bin/travel" {
		t.Errorf("allowed was %q", got)
	}
}

// TestAllow_WhatWasNotFoundIsLookedUpOnceMoreAndShown, and is not started before.
func TestAllow_WhatWasNotFoundIsLookedUpOnceMoreAndShown(t *testing.T) {
	files := make(lookUps)
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), lookUp: files.lookUp})
	v := r.connected()
	v.leave = config.NoLeave
	r.s.choose(route{section: sectionAllow, id: v.ID})
	p := r.s.page.(*allowPage)
	for range 2 {
		files.miss()
		r.known(p.start)
		if text := r.text(); !strings.Contains(text, "There is no program “travel” in the folders of the search path (PATH).") {
			t.Fatalf("the page reads:\n%s", text)
		}
		r.press("Start this program")
		if !p.start.Disabled() {
			t.Fatal("it was not looked up again")
		}
	}
	files.find(stdio.File{Path: "/home/lin/bin/travel", Named: true})
	r.known(p.start)
	if text := r.text(); v.allowed() || r.s.page != page(p) || !strings.Contains(text, "File that is started\n/home/lin/bin/travel\n") || strings.Contains(text, "There is no program") {
		t.Fatalf("allowed: %v, with the page reading:\n%s", v.allowed(), text)
	}
	r.press("Start this program")
	r.wait(func() bool { return v.allowed() })
}

// TestAllow_AProgramNamedByItsPathIsNotNamedTwice, and no file is kept with its leave.
func TestAllow_AProgramNamedByItsPathIsNotNamedTwice(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm), as: &mcpclient.Server{Name: "a", Kind: mcpclient.Stdio, Command: "/opt/server"},
		lookUp: func(context.Context, mcpclient.Server, config.Typed) (stdio.File, error) {
			return stdio.File{Path: "/opt/server"}, nil
		}})
	r.connected()
	v, _ := r.allowing()
	if text := r.text(); strings.Contains(text, "File that is started") {
		t.Errorf("the page reads:\n%s", text)
	}
	r.press("Start this program")
	r.wait(func() bool { return v.allowed() })
	if got := r.store.AllowedFile(v.Server); got != "" {
		t.Errorf("kept was the file %s", got)
	}
}

// realFiles looks files up in the real PATH.
func realFiles(ctx context.Context, v mcpclient.Server, typed config.Typed) (stdio.File, error) {
	return config.NewValues(&memorySecrets{}).LookUp(ctx, v, typed)
}

// twoFolders is a program that is found in the second of two folders of its PATH. Each
// place it is put in tells that it ran.
type twoFolders struct {
	t           *testing.T
	early, late string
	server      mcpclient.Server
}

func newTwoFolders(t *testing.T) *twoFolders {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	f := &twoFolders{t: t, early: t.TempDir(), late: t.TempDir()}
	f.put(f.late)
	f.server = mcpclient.Server{Name: "Mine", Kind: mcpclient.Stdio, Command: "server-of-test", Env: map[string]string{"PATH": f.early + ":" + f.late}}
	return f
}

func (f *twoFolders) put(dir string) {
	f.t.Helper()
	must(f.t, os.WriteFile(filepath.Join(dir, "server-of-test"), []byte("#!/bin/sh\n: > "+dir+"/ran\n"), 0o755))
}

func (f *twoFolders) ran(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "ran"))
	return err == nil
}

// TestAllow_AnotherFileThanAllowedIsNotStartedButAskedAbout: a file was put into an
// earlier folder of PATH.
func TestAllow_AnotherFileThanAllowedIsNotStartedButAskedAbout(t *testing.T) {
	f := newTwoFolders(t)
	r := newRig(t, rigOptions{listed: &f.server, lookUp: realFiles})
	v := r.s.desk.servers[0]
	r.s.choose(route{section: sectionAllow, id: v.ID})
	r.agree("Start this program")
	r.wait(func() bool { return v.status.State == mcpclient.Lost })
	if !f.ran(f.late) {
		t.Fatalf("it was not started: %+v", v.status.Failure)
	}
	r.queue.Drain()
	f.put(f.early)
	r.press("Connect again")
	r.wait(func() bool { return v.status.State == mcpclient.Lost && v.toReview() })
	r.queue.Drain()
	first, second := filepath.Join(f.late, "server-of-test"), filepath.Join(f.early, "server-of-test")
	if text := r.text(); f.ran(f.early) || !strings.Contains(text, "“server-of-test” leads to another file than the one you allowed, so it was not started.") || !strings.Contains(text, first) || !strings.Contains(text, second) {
		t.Fatalf("it ran: %v; its page reads:\n%s", f.ran(f.early), text)
	}
	r.press("Review and start…")
	r.known(r.button("Start this program"))
	if text := r.text(); f.ran(f.early) || !strings.Contains(text, "leads to another file than the one you allowed.") || !strings.Contains(text, "Before: "+first+"\nNow: "+second) {
		t.Fatalf("it ran: %v; the page that asks reads:\n%s", f.ran(f.early), text)
	}
	r.press("Start this program")
	r.wait(func() bool { return v.status.State == mcpclient.Lost && !v.toReview() })
	if got := r.store.AllowedFile(v.Server); !f.ran(f.early) || got != second {
		t.Errorf("after it was allowed: ran %v, allowed is %s", f.ran(f.early), got)
	}
}

// TestTrial_StartsTheFileThatWasShownAndNoOther.
func TestTrial_StartsTheFileThatWasShownAndNoOther(t *testing.T) {
	f := newTwoFolders(t)
	r := newRig(t, rigOptions{lookUp: realFiles})
	r.s.adding = serverSheet{draft: config.Draft{Kind: mcpclient.Stdio, Program: f.server.Command, Env: []config.DraftValue{{Name: "PATH", Value: f.server.Env["PATH"]}}}}
	r.s.choose(route{section: sectionAdd})
	r.press("Test")
	r.known(r.button("Start it for this test"))
	if text := r.text(); !strings.Contains(text, "File that is started\n"+filepath.Join(f.late, "server-of-test")+"\n") {
		t.Fatalf("the page reads:\n%s", text)
	}
	f.put(f.early)
	r.press("Start it for this test")
	r.wait(func() bool { return r.s.adding.trial.failure != nil })
	if !stdio.IsOtherFile(r.s.adding.trial.failure.Text) || f.ran(f.early) || f.ran(f.late) {
		t.Errorf("the trial ended with %+v; ran %v %v", r.s.adding.trial.failure, f.ran(f.early), f.ran(f.late))
	}
	r.queue.Drain()
	r.press("Test")
	r.agree("Start it for this test")
	r.wait(func() bool { return r.s.adding.trial.failure != nil })
	if !f.ran(f.early) {
		t.Errorf("what was shown next was not started: %+v", r.s.adding.trial.failure)
	}
}

// TestAllow_InALowWindowTheRestIsReadFirst: the button leads on until all of the
// command was in view, and then takes no press meant for that.
func TestAllow_InALowWindowTheRestIsReadFirst(t *testing.T) {
	r := newRig(t, rigOptions{tools: askForm("Who?", nameForm)})
	r.connected()
	r.s.win.Resize(fyne.NewSize(600, 360))
	v, p := r.allowing()
	presses := 0
	for ; p.start.Text() == "Look at the rest first" && presses < 50; presses++ {
		before := p.reveal.Offset()
		r.press("Look at the rest first")
		if p.reveal.Offset() <= before {
			t.Fatal("it does not lead on")
		}
		r.pass(deafTime - 1)
	}
	r.s.work.queued(&r.s.work.orders, func() { r.queue.Do(func() { v.Name = "after it" }) })
	r.wait(func() bool { return v.Name == "after it" })
	if presses < 2 || v.allowed() || p.start.Text() != "Start this program" {
		t.Fatalf("after %d presses allowed is %v and the button says %q", presses, v.allowed(), p.start.Text())
	}
	if p.start.Press() {
		t.Error("a press meant for reading on starts the program")
	}
	t.Run("anew for another command", func(t *testing.T) {
		r.editedOutside(func(v *mcpclient.Server) { v.Args = []string{"--evil"} })
		r.known(p.start)
		if p.start.Text() != "Look at the rest first" {
			t.Errorf("the button says %q", p.start.Text())
		}
	})
	t.Run("also where the window was made higher", func(t *testing.T) {
		r.s.win.Resize(firstSize)
		r.press("Look at the rest first")
		r.s.win.Resize(fyne.NewSize(600, 360))
		if p.start.Text() != "Start this program" || p.start.Press() {
			t.Errorf("the button says %q, or acts at once", p.start.Text())
		}
		r.editedOutside(func(v *mcpclient.Server) { v.Args = []string{"--worse"} })
		r.known(p.start)
	})
	t.Run("and may be scrolled to", func(t *testing.T) {
		p.reveal.ScrollTo(p.reveal.ContentHeight(p.reveal.Size().Width))
		r.agree("Start this program")
		r.wait(func() bool { return v.allowed() })
	})
}
