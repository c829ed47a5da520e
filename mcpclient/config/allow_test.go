package config

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/mcpclient"
)

func TestACommandIsAllowedOnlyAsItStoodWhenThePersonAgreed(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"c","args":["x","y"],"env":{"A":"1"},"cwd":"d"}}}`)
	v := byName(t, s, "a")
	if s.Allowed(v) || s.Leave(v) != NoLeave {
		t.Fatal("a command is allowed before anybody agreed")
	}
	must(t, s.Allow(v, ""))
	if !s.Allowed(v) || !reopen(t, s.Dir()).Allowed(v) {
		t.Fatal("a command is not allowed after the person agreed")
	}
	for name, change := range map[string]func(*mcpclient.Server){
		"another program":      func(v *mcpclient.Server) { v.Command = "c2" },
		"one argument more":    func(v *mcpclient.Server) { v.Args = []string{"x", "y", ""} },
		"arguments joined":     func(v *mcpclient.Server) { v.Args = []string{"xy"} },
		"argument to folder":   func(v *mcpclient.Server) { v.Args, v.Dir = []string{"x"}, "y" },
		"another folder":       func(v *mcpclient.Server) { v.Dir = "" },
		"one more environment": func(v *mcpclient.Server) { v.Env = map[string]string{"A": "1", "B": "2"} },
		"another environment":  func(v *mcpclient.Server) { v.Env = map[string]string{"B": "1"} },
		"another value":        func(v *mcpclient.Server) { v.Env = map[string]string{"A": "2"} },
		"one more secret":      func(v *mcpclient.Server) { v.SecretEnv = []string{"S"} },
		"bytes that are no text": func(v *mcpclient.Server) {
			v.Command = "\xff"
		},
		"a server nobody knows": func(v *mcpclient.Server) { v.ID = "nobody" },
	} {
		changed := v
		change(&changed)
		want := LostLeave
		if changed.ID != v.ID {
			want = NoLeave
		}
		if got := s.Leave(changed); s.Allowed(changed) || got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	v.Name, v.Protocol = "renamed", "2025-11-25"
	must(t, s.Update(v))
	if !s.Allowed(v) {
		t.Error("a new name and a pinned revision ended the consent to the same command")
	}
	v.SecretEnv = []string{"S"}
	must(t, s.Update(v))
	must(t, s.Allow(v, ""))
	v.Env = map[string]string{"A": "1", "S": "filled in"}
	if !s.Allowed(v) {
		t.Error("the value of a secret ended the consent; only its name counts")
	}
	// An edit outside takes effect too: what is asked is what would start.
	text := strings.Replace(onDisk(t, s), `"command": "c"`, `"command": "evil"`, 1)
	must(t, os.WriteFile(s.Path(), []byte(text), 0o600))
	again := reopen(t, s.Dir())
	if got := again.Leave(byName(t, again, "renamed")); got != LostLeave {
		t.Errorf("a command changed in the file: %q, want %q", got, LostLeave)
	}
}

// TestARelativeCommandIsAllowedInItsHomeFolderOnly: for a person whose home folder
// is another one, the same words would start another program. Where Parley runs
// makes no difference.
func TestARelativeCommandIsAllowedInItsHomeFolderOnly(t *testing.T) {
	if dir := os.Getenv("PARLEY_TEST_ALLOWED"); dir != "" {
		for _, v := range reopen(t, dir).Servers() {
			fmt.Printf("%s allowed: %v\n", v.Name, reopen(t, dir).Allowed(v))
		}
		return
	}
	s := open(t, `{"mcpServers":{"path":{"command":"./srv"},"folder":{"command":"srv","cwd":"sub"},"file":{"command":"node","args":["srv.js"]},
		"package":{"command":"npx","args":["-y","srv"]},"whole":{"command":"./srv","cwd":"`+filepath.ToSlash(t.TempDir())+`"}}}`)
	for _, v := range s.Servers() {
		must(t, s.Allow(v, ""))
	}
	home, err := os.UserHomeDir()
	must(t, err)
	homes := map[string]bool{home: true, t.TempDir(): false}
	if runtime.GOOS != "windows" { // where links need a privilege
		link := filepath.Join(t.TempDir(), "link")
		must(t, os.Symlink(home, link))
		homes[link] = true
	}
	for dir, held := range homes {
		c := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		c.Dir, c.Env = t.TempDir(), append(os.Environ(), "PARLEY_TEST_ALLOWED="+s.Dir(), "HOME="+dir, "USERPROFILE="+dir)
		out, err := c.CombinedOutput()
		must(t, err)
		for name, want := range map[string]bool{"path": held, "folder": held, "file": held, "package": true, "whole": true} {
			if line := fmt.Sprintf("%s allowed: %v\n", name, want); !strings.Contains(string(out), line) {
				t.Errorf("with the same home folder %v: want %q in\n%s", held, line, out)
			}
		}
	}
}

// TestLeaveGivenEarlierHoldsForWhatIsTheSameNow: the digest of a program that is
// looked up and relative to nothing has not changed with the folder it starts in.
func TestLeaveGivenEarlierHoldsForWhatIsTheSameNow(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"npx","args":["-y","@scope/server"]}},
		"parley":{"servers":{"a":{"id":"x","allowed":"sha256:be75fa82377f81cd9227ae0c7a63d4400684e0217315336ffd6ae1834f3640ff"}}}}`)
	if !s.Allowed(byName(t, s, "a")) {
		t.Error("it has to be allowed anew")
	}
}

func TestDigestsOfCommandsThatAreNoTextDiffer(t *testing.T) {
	a, b := mcpclient.Server{Command: "\xfe"}, mcpclient.Server{Command: "\xff"}
	if a.Place() == b.Place() {
		t.Error("two programs have one digest")
	}
}

func TestAnAddressIsAlwaysAllowed(t *testing.T) {
	if !open(t, "").Allowed(mcpclient.Server{Kind: mcpclient.HTTP, URL: "https://a.example/"}) {
		t.Error("reaching an address needs consent to start a command")
	}
}
