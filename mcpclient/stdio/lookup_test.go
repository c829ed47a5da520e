//go:build unix

package stdio

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire/wiretest"
)

// executable writes a script and returns its path.
func executable(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// shellWithPath makes a login shell whose profile prints something, sets PATH to
// path and ends with an error, as profiles do.
func shellWithPath(t *testing.T, path string) string {
	t.Helper()
	text := "#!/bin/sh\necho Welcome; PATH='" + path + "'; export PATH\nshift 3; eval \"$1\"; echo bye; exit 3\n"
	return executable(t, filepath.Join(t.TempDir(), "shell"), text)
}

// useShell sets SHELL to a shellWithPath.
func useShell(t *testing.T, path string) {
	t.Helper()
	t.Setenv("SHELL", shellWithPath(t, path))
}

// record makes the system's list of accounts say that shell is the person's;
// with "-" it does not know the person.
func record(t *testing.T, shell string) {
	t.Helper()
	me := strconv.Itoa(os.Getuid())
	if shell == "-" {
		me, shell = "4294967294", "/bin/sh"
	}
	text := "# remark\nother:x:4294967293:1::/:/no/such/shell\nbroken:" + me + "\nme:x:" + me + ":1:Me,,:/home/me:" + shell + "\n"
	path := filepath.Join(t.TempDir(), "passwd")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	old := accounts
	accounts = path
	t.Cleanup(func() { accounts = old })
}

// B68: Parley was started with the PATH of a desktop and runs npx, a script
// that only the login shell's PATH has and that needs node from there too.
func TestB68_NpxAndItsNodeAreFoundThroughTheLoginShell(t *testing.T) {
	const desktop = "/usr/bin:/bin"
	for name, level := range map[string]string{"from a desktop": "", "from a shell": "1"} {
		t.Run("B68 "+name, func(t *testing.T) {
			wiretest.NoLeaks(t, "parley/mcpclient")
			bin := t.TempDir()
			if err := os.Symlink(os.Args[0], filepath.Join(bin, "node-of-test")); err != nil {
				t.Skip("no symbolic links here")
			}
			executable(t, filepath.Join(bin, "npx-of-test"), "#!/usr/bin/env node-of-test\n")
			useShell(t, bin+":/usr/bin")
			t.Setenv("PATH", desktop)
			t.Setenv("SHLVL", level)
			start := func(path string) string {
				tr, r := New(Command{Path: path, Args: []string{"-y", "pkg"}, Env: []string{fakeVar + "=path"}}, Options{}), &wiretest.Recorder{}
				if err := tr.Start(t.Context(), r); err != nil {
					t.Fatal(err)
				}
				got := string(r.Next(t).Message.Params)
				r.End(t)
				return got
			}
			want := map[string]string{"": bin + ":/usr/bin:/bin", "1": desktop + ":" + bin}[level]
			if got := start("npx-of-test"); got != `["`+want+`"]` {
				t.Errorf("the program's PATH is %s, want %s", got, want)
			}
			if level == "" { // a desktop's PATH helps no script, however it is named
				if got := start(filepath.Join(bin, "npx-of-test")); got != `["`+want+`"]` {
					t.Errorf("named by its path, the program's PATH is %s, want %s", got, want)
				}
			}
		})
	}
}

// B68: a PATH that the person set for the server is theirs.
func TestB68_APathOfTheServersOwnIsLeftAlone(t *testing.T) {
	wiretest.NoLeaks(t, "parley/mcpclient")
	useShell(t, t.TempDir())
	t.Setenv("SHLVL", "")
	t.Setenv("PATH", "/usr/bin:/bin")
	bin := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(bin, "server")); err != nil {
		t.Skip("no symbolic links here")
	}
	tr, r := New(Command{Path: "server", Env: []string{"PATH=" + bin, fakeVar + "=path"}}, Options{}), &wiretest.Recorder{}
	if err := tr.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got := string(r.Next(t).Message.Params); got != `["`+bin+`"]` {
		t.Errorf("the program's PATH is %s, want %s alone", got, bin)
	}
	r.End(t)
}

// B68: without SHELL, as in a service's environment, the shell that the system
// has on record is asked.
func TestB68_WithoutSHELLTheShellOnRecordIsAsked(t *testing.T) {
	bin := t.TempDir()
	want := executable(t, filepath.Join(bin, "server-of-test"), "#!/bin/sh\n")
	t.Setenv("PATH", "/usr/bin:/bin")
	for name, shell := range map[string]string{"no SHELL": "", "one that is no path": "sh"} {
		for _, level := range []string{"", "1"} {
			t.Setenv("SHELL", shell)
			t.Setenv("SHLVL", level)
			record(t, shellWithPath(t, bin))
			found, err := lookUp(t.Context(), Command{Path: "server-of-test"})
			if err != nil || found.path != want {
				t.Errorf("%s, SHLVL=%q: %q, %v; want %s", name, level, found.path, err, want)
			}
		}
	}
}

// B68: what is nowhere is named with every folder that was searched, and with
// where PATH can be set; and a login shell that gave no answer is named.
func TestB68_WhatIsNotFoundNamesTheWholePathAndWhereToSetIt(t *testing.T) {
	bin, own := t.TempDir(), t.TempDir()
	t.Setenv("PATH", "/usr/bin:/bin")
	failing := executable(t, filepath.Join(bin, "failing"), "#!/bin/sh\nexit 1\n")
	slow := executable(t, filepath.Join(bin, "slow"), "#!/bin/sh\nexec cat /dev/zero >/dev/null\n")
	old := loginLimit
	t.Cleanup(func() { loginLimit = old })
	tests := map[string]struct {
		set    func()
		path   string // of the server's own; "" for none
		fault  LoginFault
		quotes []string
		words  string
	}{
		"a shell":                 {func() { useShell(t, bin) }, "", "", []string{"/usr/bin", bin}, "profile of your login shell"},
		"a shell that fails":      {func() { t.Setenv("SHELL", failing) }, "", LoginFailed, []string{"/usr/bin", failing}, "did not say"},
		"no such shell":           {func() { t.Setenv("SHELL", "/no/such/shell") }, "", LoginFailed, []string{"/usr/bin", "/no/such/shell"}, "did not say"},
		"a shell that hangs":      {func() { t.Setenv("SHELL", slow); loginLimit = 50 * time.Millisecond }, "", LoginLate, []string{"/usr/bin", slow}, "took too long"},
		"no shell":                {func() { t.Setenv("SHELL", ""); record(t, "-") }, "", LoginUnknown, []string{"/usr/bin"}, "not known which"},
		"a PATH of its own":       {func() { useShell(t, bin) }, own, LoginOwn, []string{own}, "This PATH is set in the server’s environment"},
		"an empty one of its own": {func() { useShell(t, bin) }, "-", LoginOwn, nil, "This PATH is set in the server’s environment"},
	}
	for name, test := range tests {
		for _, level := range []string{"", "1"} {
			loginLimit = old
			test.set()
			t.Setenv("SHLVL", level)
			c := Command{Path: "only-elsewhere"}
			if test.path != "" {
				c.Env = []string{"PATH=" + strings.TrimPrefix(test.path, "-")}
			}
			err := New(c, Options{}).Start(t.Context(), &wiretest.Recorder{})
			failure, ok := errors.AsType[*StartError](err)
			if !ok || failure.Kind != NotFound || failure.Login != test.fault {
				t.Fatalf("%s: %+v, want not found and the login shell %q", name, err, test.fault)
			}
			for _, tag := range i18n.Languages {
				s := i18n.New(tag).Text(failure.Sentence())
				for _, want := range append(test.quotes, "only-elsewhere", "PATH") {
					if !strings.Contains(s, want) {
						t.Errorf("%s: %q does not name %s", name, s, want)
					}
				}
				if tag == "en" && !strings.Contains(s, test.words) {
					t.Errorf("%s: %q does not say %q", name, s, test.words)
				}
			}
		}
	}
}

func TestADesktopIsToldByItsPath(t *testing.T) {
	tests := []struct {
		level, path string
		want        bool
	}{
		{"", "/usr/bin:/bin:/usr/sbin:/sbin", true},
		{"", "/usr/local/bin:/usr/bin:/bin", true},
		{"1", "/usr/bin:/bin", false},
		{"", "/home/x/bin:/usr/bin:/bin", false},
	}
	for _, test := range tests {
		t.Setenv("SHLVL", test.level)
		if got := fromDesktop(test.path); got != test.want {
			t.Errorf("SHLVL=%q PATH=%s: %v, want %v", test.level, test.path, got, test.want)
		}
	}
}
