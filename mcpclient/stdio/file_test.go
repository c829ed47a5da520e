//go:build unix

package stdio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire/wiretest"
)

// TestLookUp_FindsTheFileThatWouldBeStarted, with where a link ends, and starts nothing.
func TestLookUp_FindsTheFileThatWouldBeStarted(t *testing.T) {
	a, b, started := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "started")
	program := executable(t, filepath.Join(a, "server"), "#!/bin/sh\n: > "+started+"\n")
	if err := os.Symlink(program, filepath.Join(b, "link")); err != nil {
		t.Fatal(err)
	}
	end, err := filepath.EvalSymlinks(program)
	if err != nil {
		t.Fatal(err)
	}
	path := []string{"PATH=" + b + ":" + a}
	for name, test := range map[string]struct {
		c    Command
		want File
		kind StartKind
	}{
		"a name":       {Command{Path: "server", Env: path}, File{Path: program, Named: true}, ""},
		"a link":       {Command{Path: "link", Env: path}, File{Path: filepath.Join(b, "link"), Target: end, Named: true}, ""},
		"a path":       {Command{Path: program}, File{Path: program}, ""},
		"a relative":   {Command{Path: "./server", Dir: a}, File{Path: program}, ""},
		"nothing":      {Command{Path: "nothing", Env: path}, File{}, NotFound},
		"no folder":    {Command{Path: "server", Env: path, Dir: a + "/none"}, File{}, NoDirectory},
		"no such path": {Command{Path: a + "/none"}, File{}, NotFound},
	} {
		got, err := LookUp(t.Context(), test.c)
		kind := StartKind("")
		if e, ok := errors.AsType[*StartError](err); ok {
			kind = e.Kind
		}
		if got != test.want || kind != test.kind || (err == nil) != (kind == "") {
			t.Errorf("%s: %+v, %v; want %+v %q", name, got, err, test.want, test.kind)
		}
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("looking up a program started it")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := LookUp(ended, Command{Path: "server", Env: path}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// TestStart_OfAnotherFileThanAgreedToStartsNothing: the very file that the look-up of
// the start found is what is asked about.
func TestStart_OfAnotherFileThanAgreedToStartsNothing(t *testing.T) {
	wiretest.NoLeaks(t, "parley/mcpclient")
	early, late, linked := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "linked")
	for _, dir := range []string{early, late} {
		executable(t, filepath.Join(dir, "server"), "#!/bin/sh\n: > "+filepath.Join(dir, "started")+"\n")
	}
	if err := os.Symlink(late, linked); err != nil {
		t.Fatal(err)
	}
	start := func(path, program, allowed string) (asked string, err error) {
		c := Command{Path: program, Env: []string{"PATH=" + path}, Agree: func(file string) error {
			asked = file
			return CheckFile("server", allowed, file)
		}}
		tr, r := New(c, Options{}), &wiretest.Recorder{}
		if err = tr.Start(t.Context(), r); err == nil {
			r.End(t)
		}
		return asked, err
	}
	started := func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "started"))
		return err == nil
	}
	allowed := filepath.Join(late, "server")
	asked, err := start(early+":"+late, "server", allowed)
	failure, ok := errors.AsType[*StartError](err)
	if !ok || failure.Kind != OtherFile || asked != filepath.Join(early, "server") || started(early) || started(late) {
		t.Fatalf("asked about %s: %v, started %v %v", asked, err, started(early), started(late))
	}
	for _, tag := range i18n.Languages {
		said := failure.Sentence()
		for _, want := range []string{"server", allowed, asked} {
			if s := i18n.New(tag).Text(said); !strings.Contains(s, want) || !IsOtherFile(said) {
				t.Errorf("%q does not name %s", s, want)
			}
		}
	}
	if _, err := start(linked+":"+early, "server", allowed); err != nil || !started(late) {
		t.Errorf("the same file by another path: %v, started %v", err, started(late))
	}
	if asked, err := start("", filepath.Join(early, "server"), allowed); err != nil || asked != "" || !started(early) {
		t.Errorf("named by a path: asked about %q, %v", asked, err)
	}
}

// TestStart_OfAnotherFileNamesALoginShellThatDidNotAnswer: with its PATH it may have been
// the file that was allowed.
func TestStart_OfAnotherFileNamesALoginShellThatDidNotAnswer(t *testing.T) {
	wiretest.NoLeaks(t, "parley/mcpclient")
	t.Setenv("PATH", "/usr/bin:/bin")
	silent := executable(t, filepath.Join(t.TempDir(), "silent"), "#!/bin/sh\nexit 1\n")
	agree := func(file string) error { return CheckFile("sh", "/home/lin/bin/sh", file) }
	for name, test := range map[string]struct {
		shell, level string
		want         bool
	}{
		"it failed":        {silent, "", true},
		"it answered":      {shellWithPath(t, "/usr/bin"), "", false},
		"it was not asked": {silent, "1", false},
	} {
		t.Setenv("SHELL", test.shell)
		t.Setenv("SHLVL", test.level)
		err := New(Command{Path: "sh", Agree: agree}, Options{}).Start(t.Context(), &wiretest.Recorder{})
		failure, ok := errors.AsType[*StartError](err)
		if !ok || failure.Kind != OtherFile {
			t.Fatalf("%s: %v", name, err)
		}
		for _, tag := range i18n.Languages {
			s := i18n.New(tag).Text(failure.Sentence())
			if strings.Contains(s, silent) != test.want || !strings.Contains(s, "/home/lin/bin/sh") || !IsOtherFile(failure.Sentence()) {
				t.Errorf("%s: %q", name, s)
			}
		}
	}
}

// TestLookUp_WaitsForTheLoginShellOnlyWhereItDecides: a name that PATH has does not wait,
// where no desktop started Parley.
func TestLookUp_WaitsForTheLoginShellOnlyWhereItDecides(t *testing.T) {
	bin := t.TempDir()
	want := executable(t, filepath.Join(bin, "server-of-test"), "#!/bin/sh\n")
	asked := filepath.Join(t.TempDir(), "asked")
	t.Setenv("SHELL", executable(t, filepath.Join(t.TempDir(), "shell"), "#!/bin/sh\n: > "+asked+"\nexec cat /dev/zero >/dev/null\n"))
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	old := loginLimit
	loginLimit = 50 * time.Millisecond
	t.Cleanup(func() { loginLimit = old })
	t.Setenv("SHLVL", "1")
	file, err := LookUp(t.Context(), Command{Path: "server-of-test"})
	if _, waited := os.Stat(asked); err != nil || file.Path != want || waited == nil {
		t.Errorf("found %+v, %v; the login shell was asked: %v", file, err, waited == nil)
	}
	if _, err := LookUp(t.Context(), Command{Path: "nowhere-of-test"}); err == nil {
		t.Error("what is nowhere was found")
	}
	if _, err := os.Stat(asked); err != nil {
		t.Error("the login shell was not asked for a name that PATH lacks")
	}
}
