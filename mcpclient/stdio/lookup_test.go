//go:build unix

package stdio

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// loginShell sets a login shell whose profile prints something, sets PATH to
// path and ends with an error, as profiles do.
func loginShell(t *testing.T, path string) {
	t.Helper()
	text := "#!/bin/sh\necho Welcome; PATH='" + path + "'; export PATH\nshift 3; eval \"$1\"; echo bye; exit 3\n"
	t.Setenv("SHELL", executable(t, filepath.Join(t.TempDir(), "shell"), text))
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
			loginShell(t, bin+":/usr/bin")
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
	loginShell(t, t.TempDir())
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

// B68: what is nowhere is named with every folder that was searched.
func TestB68_WhatIsNotFoundNamesTheWholePath(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", "/usr/bin:/bin")
	for name, set := range map[string]func(){
		"a shell":            func() { loginShell(t, bin) },
		"a shell that fails": func() { t.Setenv("SHELL", executable(t, filepath.Join(bin, "failing"), "#!/bin/sh\nexit 1\n")) },
		"no such shell":      func() { t.Setenv("SHELL", "/no/such/shell") },
		"no shell":           func() { t.Setenv("SHELL", "") },
	} {
		for _, level := range []string{"", "1"} {
			set()
			t.Setenv("SHLVL", level)
			err := New(Command{Path: "only-elsewhere"}, Options{}).Start(t.Context(), &wiretest.Recorder{})
			failure, ok := errors.AsType[*StartError](err)
			if !ok || failure.Kind != NotFound {
				t.Fatalf("%s: %v, want not found", name, err)
			}
			wants := []string{"only-elsewhere", "/usr/bin"}
			if name == "a shell" {
				wants = append(wants, bin)
			}
			for _, tag := range i18n.Languages {
				for _, want := range wants {
					if s := i18n.New(tag).Text(failure.Sentence()); !strings.Contains(s, want) {
						t.Errorf("%s: %q does not name %s", name, s, want)
					}
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
