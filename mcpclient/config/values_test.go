package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/http"
	"parley/mcpclient/keychain"
	"parley/mcpclient/keychain/keychaintest"
	"parley/mcpclient/wire"
)

var (
	program = mcpclient.Server{ID: "p", Kind: mcpclient.Stdio, Command: "x", Env: map[string]string{"LEVEL": "debug"}, SecretEnv: []string{"TOKEN"}}
	address = mcpclient.Server{ID: "h", Kind: mcpclient.HTTP, URL: "https://h.example/mcp", SecretHeaders: []string{"X-Key", "Authorization"}}
)

func TestValues_ComeBackFilledIn(t *testing.T) {
	v := NewValues(&keychaintest.Keychain{})
	must(t, v.Keep(t.Context(), mcpclient.Server{}, program, Typed{Env: map[string]string{"TOKEN": "canary", "STRAY": "x"}}))
	must(t, v.Keep(t.Context(), mcpclient.Server{}, address, Typed{Headers: map[string]string{"X-Key": "canary2", "Authorization": "Basic abc"}}))
	got, err := v.Fill(t.Context(), program)
	if err != nil || got.Env["TOKEN"] != "canary" || got.Env["LEVEL"] != "debug" || len(got.Env) != 2 {
		t.Errorf("%v, %d values", err, len(got.Env))
	}
	if program.Env["TOKEN"] != "" {
		t.Error("the server itself was changed")
	}
	got, err = v.Fill(t.Context(), address)
	if err != nil || got.Headers["X-Key"] != "canary2" || got.Headers["Authorization"] != "Basic abc" {
		t.Errorf("%v, %d headers", err, len(got.Headers))
	}
}

// TestValues_AHeaderGoesToTheOriginItWasGivenFor, also when the address was
// edited in the file.
func TestValues_AHeaderGoesToTheOriginItWasGivenFor(t *testing.T) {
	v := NewValues(&keychaintest.Keychain{})
	must(t, v.Keep(t.Context(), mcpclient.Server{}, address, Typed{Headers: map[string]string{"X-Key": "canary", "Authorization": "x"}}))
	for url, given := range map[string]bool{
		"https://h.example/other?x=1": true, "https://H.example:443/": true,
		"http://h.example/mcp": false, "https://h.example:8443/mcp": false, "https://evil.example/mcp": false,
	} {
		moved := address
		moved.URL = url
		_, err := v.Fill(t.Context(), moved)
		if given != (err == nil) {
			t.Errorf("%s: %v", url, err)
		}
		if SameOrigin(address, moved) != given {
			t.Errorf("%s: SameOrigin is %v", url, !given)
		}
	}
}

func TestValues_WhatIsNotThereIsNamed(t *testing.T) {
	_, err := NewValues(&keychaintest.Keychain{}).Fill(t.Context(), address)
	missing, ok := errors.AsType[*MissingError](err)
	if !ok || len(missing.Names) != 2 {
		t.Fatalf("error %v", err)
	}
	if text := english.Text(wire.Sentence(err)); !strings.Contains(text, "Authorization, X-Key") {
		t.Errorf("said: %s", text)
	}
	damaged := &keychaintest.Keychain{}
	damaged.Fail(keychain.ErrDamaged)
	_, err = NewValues(damaged).Fill(t.Context(), program)
	if text := english.Text(wire.Sentence(err)); !strings.Contains(text, "incomplete") {
		t.Errorf("said: %s", text)
	}
}

// TestValues_AnAddressThatChangedOutsideIsSaidToBeTheReason, and only that one:
// values that are nowhere are missing.
func TestValues_AnAddressThatChangedOutsideIsSaidToBeTheReason(t *testing.T) {
	c := &keychaintest.Keychain{}
	v := NewValues(c)
	must(t, v.Keep(t.Context(), mcpclient.Server{}, address, Typed{Headers: map[string]string{"X-Key": "canary", "Authorization": "canary"}}))
	moved := address
	moved.URL = "https://other.example/mcp"
	said := func(s mcpclient.Server) string {
		_, err := v.Fill(t.Context(), s)
		return english.Text(wire.Sentence(err))
	}
	before, _ := http.ParseOrigin(address.URL)
	if text := said(moved); !strings.Contains(text, "address of this server has changed") || !strings.Contains(text, before.Origin) ||
		!strings.Contains(text, "https://other.example") || !strings.Contains(text, "Authorization, X-Key") || strings.Contains(text, "canary") {
		t.Errorf("it says %q", text)
	}
	must(t, v.Keep(t.Context(), moved, moved, Typed{Headers: map[string]string{"X-Key": "a", "Authorization": "b"}}))
	if text := said(moved); text != "" {
		t.Errorf("entered anew, it says %q", text)
	}
	further := moved
	further.SecretHeaders = append(slices.Clone(moved.SecretHeaders), "X-More")
	if text := said(further); !strings.Contains(text, "no secret value for X-More on this computer") {
		t.Errorf("with one that was never kept, it says %q", text)
	}
	program := moved
	program.Kind, program.Command, program.SecretEnv = mcpclient.Stdio, "x", []string{"A"}
	if text := said(program); !strings.Contains(text, "no secret value for A on this computer") {
		t.Errorf("of a program it says %q", text)
	}
}

func TestValues_WhatIsNotNeededAnyMoreIsDeleted(t *testing.T) {
	for name, change := range map[string]func(*mcpclient.Server){
		"no secret any more": func(v *mcpclient.Server) { v.SecretHeaders = nil },
		"renamed":            func(v *mcpclient.Server) { v.SecretHeaders = []string{"X-Other"} },
		"another origin":     func(v *mcpclient.Server) { v.URL = "https://other.example/mcp" },
		"a program now":      func(v *mcpclient.Server) { v.Kind, v.URL, v.Command = mcpclient.Stdio, "", "x" },
	} {
		c := &keychaintest.Keychain{}
		v := NewValues(c)
		must(t, v.Keep(t.Context(), mcpclient.Server{}, address, Typed{Headers: map[string]string{"X-Key": "canary", "Authorization": "x"}}))
		after := address
		change(&after)
		must(t, v.Keep(t.Context(), address, after, Typed{}))
		if len(c.All()) != 0 {
			t.Errorf("%s: %d values stay", name, len(c.All()))
		}
	}
	t.Run("and a value that was not typed anew stays", func(t *testing.T) {
		v := NewValues(&keychaintest.Keychain{})
		must(t, v.Keep(t.Context(), mcpclient.Server{}, address, Typed{Headers: map[string]string{"X-Key": "canary", "Authorization": "x"}}))
		must(t, v.Keep(t.Context(), address, address, Typed{Headers: map[string]string{"X-Key": "new"}}))
		if got, err := v.Fill(t.Context(), address); err != nil || got.Headers["X-Key"] != "new" || got.Headers["Authorization"] != "x" {
			t.Errorf("%v", err)
		}
	})
}

// TestValues_AKeychainOutOfReachKeepsAllOfThemForThisRun: one refusal does not
// leave the others out.
func TestValues_AKeychainOutOfReachKeepsAllOfThemForThisRun(t *testing.T) {
	out := &keychaintest.Keychain{}
	out.Away(keychain.Locked)
	v := NewValues(out)
	err := v.Keep(t.Context(), mcpclient.Server{}, address, Typed{Headers: map[string]string{"X-Key": "a", "Authorization": "b"}})
	if _, ok := errors.AsType[*keychain.Unavailable](err); !ok {
		t.Errorf("error %v", err)
	}
	if got, err := v.Fill(t.Context(), address); err != nil || len(got.Headers) != 2 {
		t.Errorf("%v, %d headers", err, len(got.Headers))
	}
}

func TestTyped_NeverShows(t *testing.T) {
	typed := Typed{Env: map[string]string{"TOKEN": "canary"}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, typed); strings.Contains(got, "canary") {
			t.Errorf("%s shows it", verb)
		}
	}
}
