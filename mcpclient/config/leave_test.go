package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/keychain/keychaintest"
	"parley/mcpclient/stdio"
)

// isOther reports whether an error says that now is another file than before.
func isOther(err error, before, now string) bool {
	e, ok := errors.AsType[*stdio.StartError](err)
	return ok && e.Kind == stdio.OtherFile && e.Allowed == before && e.Found == now
}

// TestLeaveHoldsForTheFileThatWasShown: another one that PATH leads to later is not
// started, and leave for that one ends the leave for the first.
func TestLeaveHoldsForTheFileThatWasShown(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"npx"}}}`)
	v := byName(t, s, "a")
	for _, file := range []string{"/usr/bin/npx", "/home/lin/bin/npx", "/\xff/npx"} {
		must(t, s.Allow(v, file))
		for _, s := range []*Store{s, reopen(t, s.Dir())} {
			if err := s.Agree(v, file); err != nil {
				t.Errorf("the file that was allowed: %v", err)
			}
			if err := s.Agree(v, "/tmp/npx"); !isOther(err, fileText(file), "/tmp/npx") || !s.Allowed(v) {
				t.Errorf("another file than %q: %v", file, err)
			}
		}
	}
	changed := v
	changed.Args = []string{"other"}
	if got := s.AllowedFile(changed); got != "" {
		t.Errorf("another command has the file %s", got)
	}
	must(t, s.Allow(v, ""))
	if got := onDisk(t, s); strings.Contains(got, "allowedFile") {
		t.Errorf("without a file the note is %s", got)
	}
}

// TestLeaveWithoutAFileHoldsForTheFirstThatIsStarted: it is from before files were kept,
// and nobody is asked anew.
func TestLeaveWithoutAFileHoldsForTheFirstThatIsStarted(t *testing.T) {
	s := open(t, `{"mcpServers":{"a":{"command":"npx","args":["-y","@scope/server"]}},
		"parley":{"servers":{"a":{"id":"x","allowed":"sha256:be75fa82377f81cd9227ae0c7a63d4400684e0217315336ffd6ae1834f3640ff"}}}}`)
	v := byName(t, s, "a")
	must(t, s.Agree(v, "/usr/bin/npx"))
	if err := reopen(t, s.Dir()).Agree(v, "/tmp/npx"); !isOther(err, "/usr/bin/npx", "/tmp/npx") {
		t.Errorf("the next start of another file: %v", err)
	}
	t.Run("which nothing else writes down", func(t *testing.T) {
		s := open(t, `{"mcpServers":{"a":{"command":"npx"}}}`)
		v := byName(t, s, "a")
		must(t, s.Agree(v, "/usr/bin/npx"))
		v.Command = "other"
		must(t, s.Allow(v, ""))
		v.Command = "npx"
		must(t, s.Agree(v, "/usr/bin/npx"))
		if got := onDisk(t, s); strings.Contains(got, "allowedFile") {
			t.Errorf("a start without leave wrote down %s", got)
		}
	})
}

// TestValues_LookUpReadsASecretPathAndNoOtherSecret.
func TestValues_LookUpReadsASecretPathAndNoOtherSecret(t *testing.T) {
	bin, name := t.TempDir(), "server-of-test"
	program := filepath.Join(bin, name)
	must(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755))
	v := mcpclient.Server{ID: "s", Kind: mcpclient.Stdio, Command: name, SecretEnv: []string{"PATH", "TOKEN"}}
	values := NewValues(&keychaintest.Keychain{})
	if file, err := values.LookUp(t.Context(), v, Typed{Env: map[string]string{"PATH": bin}}); err != nil || file.Path != program {
		t.Errorf("as it was typed: %+v, %v", file, err)
	}
	if _, err := values.LookUp(t.Context(), v, Typed{}); err == nil || !strings.Contains(err.Error(), "no secret value for PATH") {
		t.Errorf("nowhere: %v", err)
	}
	must(t, values.Keep(t.Context(), mcpclient.Server{}, v, Typed{Env: map[string]string{"PATH": bin}}))
	if file, err := values.LookUp(t.Context(), v, Typed{}); err != nil || file.Path != program {
		t.Errorf("as it is kept: %+v, %v", file, err)
	}
}
