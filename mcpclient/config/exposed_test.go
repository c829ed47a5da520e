package config

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/keychain"
	"parley/mcpclient/keychain/keychaintest"
)

// byHand is a list as somebody writes it who copies from a README.
const byHand = `{"mcpServers": {
	"files":   {"command": "files", "env": {"API_KEY": "canary-4711", "LOG_LEVEL": "debug", "GREETING": "hello there", "EMPTY_KEY": "", "OPEN_KEY": "${KEY}"}},
	"tickets": {"url": "https://tickets.test/mcp", "headers": {"Authorization": "Bearer canary-4711", "Accept-Language": "de", "X-Team": "the blue one"}}}}`

func TestExposed_NamesWhatAnImportWouldKeepAsASecret(t *testing.T) {
	s := open(t, byHand)
	for name, want := range map[string][]string{"files": {"API_KEY", "GREETING"}, "tickets": {"Authorization", "X-Team"}} {
		if got := Exposed(byName(t, s, name)); !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
	}
}

// TestSayPlain_IsKept beside the server, and nothing else changes by it.
func TestSayPlain_IsKept(t *testing.T) {
	s := open(t, byHand)
	files, tickets := byName(t, s, "files"), byName(t, s, "tickets")
	must(t, s.Allow(files, "/bin/files"))
	now, err := s.SayPlain(files, []string{"GREETING"})
	must(t, err)
	if got := Exposed(now); !slices.Equal(got, []string{"API_KEY"}) || now.Env["GREETING"] != "hello there" || !s.Allowed(now) {
		t.Errorf("%q; the server is %+v", got, now)
	}
	_, err = s.SayPlain(tickets, []string{"X-Team"})
	must(t, err)
	s = reopen(t, s.Dir())
	files, tickets = byName(t, s, "files"), byName(t, s, "tickets")
	if a, b := Exposed(files), Exposed(tickets); !slices.Equal(a, []string{"API_KEY"}) || !slices.Equal(b, []string{"Authorization"}) {
		t.Errorf("after a restart these are named: %q, %q", a, b)
	}
	files.Silence = 90e9
	must(t, s.Update(files))
	if got := Exposed(byName(t, reopen(t, s.Dir()), "files")); !slices.Equal(got, []string{"API_KEY"}) {
		t.Errorf("after another change these are named: %q", got)
	}
	if text := onDisk(t, s); strings.Contains(text, "LOG_LEVEL\"\n") || !strings.Contains(text, `"plainEnv": [`) {
		t.Errorf("the file is\n%s", text)
	}
}

// TestMove_TakesAValueOutOfTheFile to where secrets are kept, and the server is as it
// was: allowed, with what was learnt and opened.
func TestMove_TakesAValueOutOfTheFile(t *testing.T) {
	s := open(t, byHand)
	v := NewValues(&keychaintest.Keychain{})
	for name, names := range map[string][]string{"files": {"API_KEY", "GREETING"}, "tickets": {"Authorization"}} {
		before := byName(t, s, name)
		must(t, s.Allow(before, "/bin/files"))
		s.Remember(before, learntOf)
		s.RememberOpened(before, "calendar.test")
		now, err := v.Move(t.Context(), s, before, names)
		must(t, err)
		if got := byName(t, reopen(t, s.Dir()), name); !slices.Equal(append(got.SecretEnv, got.SecretHeaders...), names) || !slices.Equal(append(now.SecretEnv, now.SecretHeaders...), names) {
			t.Errorf("%s: the file names %q and %q as secrets", name, got.SecretEnv, got.SecretHeaders)
		}
		filled, err := v.Fill(t.Context(), now)
		must(t, err)
		for _, n := range names {
			if filled.Env[n] != before.Env[n] || filled.Headers[n] != before.Headers[n] {
				t.Errorf("%s: %s is another value", name, n)
			}
		}
		if before.Kind == mcpclient.Stdio && (s.AllowedFile(now) != "/bin/files" || s.Agree(before, "/tmp/files") == nil) {
			t.Errorf("%s: the file that was allowed is forgotten, for what runs or what is started next", name)
		}
		if !s.Allowed(before) || !s.Allowed(now) || s.Recall(now) != learntOf || !slices.Equal(s.Opened(now), []string{"calendar.test"}) {
			t.Errorf("%s: allowed %v, learnt %v, opened %v", name, s.Allowed(now), s.Recall(now), s.Opened(now))
		}
	}
	text := onDisk(t, s)
	if strings.Contains(text, "canary") || strings.Contains(text, "hello there") || !strings.Contains(text, `"X-Team": "the blue one"`) || !strings.Contains(text, `"LOG_LEVEL": "debug"`) {
		t.Errorf("the file is\n%s", text)
	}
	elsewhere := byName(t, s, "tickets")
	elsewhere.URL = "https://evil.test/mcp"
	if _, err := v.Fill(t.Context(), elsewhere); err == nil {
		t.Error("a header that was moved is sent to another origin")
	}
	if m, ok := errors.AsType[*MissingError](errOf(v.Fill(t.Context(), elsewhere))); !ok || m.From != "https://tickets.test" {
		t.Errorf("which origin it is for is not known: %+v", m)
	}
}

func errOf(_ mcpclient.Server, err error) error { return err }

// TestMove_NothingIsLostOnTheWay: the file has the value until the place of secrets
// does, also where that cannot keep it.
func TestMove_NothingIsLostOnTheWay(t *testing.T) {
	t.Run("while it is being kept", func(t *testing.T) {
		s := open(t, byHand)
		k := &keychaintest.Keychain{}
		asked, answer := k.Stop(keychain.Saving, "")
		done := make(chan error)
		go func() {
			_, err := NewValues(k).Move(t.Context(), s, byName(t, s, "files"), []string{"API_KEY"})
			done <- err
		}()
		<-asked
		if text := onDisk(t, s); strings.Count(text, "canary") != 2 {
			t.Errorf("the file is\n%s", text)
		}
		answer()
		must(t, <-done)
		if text := onDisk(t, s); strings.Count(text, "canary") != 1 {
			t.Errorf("the file is\n%s", text)
		}
	})
	for name, broken := range map[string]func(*keychaintest.Keychain){
		"no keychain":           func(k *keychaintest.Keychain) { k.Away(keychain.Absent) },
		"a keychain that fails": func(k *keychaintest.Keychain) { k.Fail(keychain.ErrTooLarge) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, server := range []string{"files", "tickets"} {
				s := open(t, byHand)
				k := &keychaintest.Keychain{}
				broken(k)
				before := byName(t, s, server)
				was := onDisk(t, s)
				if _, err := NewValues(k).Move(t.Context(), s, before, Exposed(before)); err == nil {
					t.Fatal("it is said to be moved")
				}
				if text := onDisk(t, s); text != was {
					t.Errorf("the file is\n%s", text)
				}
				k.Fail(nil)
				if values := k.All(); len(values) != 0 {
					t.Errorf("%d values are kept for this run as well", len(values))
				}
			}
		})
	}
	t.Run("when the file is edited meanwhile", func(t *testing.T) {
		s := open(t, byHand)
		k := &keychaintest.Keychain{}
		seen := byName(t, s, "files")
		must(t, os.WriteFile(s.Path(), []byte(strings.ReplaceAll(byHand, "canary-4711", "canary-9")), 0o600))
		if _, err := NewValues(k).Move(t.Context(), s, seen, []string{"API_KEY"}); !errors.Is(err, ErrAltered) {
			t.Errorf("%v", err)
		}
		if text := onDisk(t, s); !strings.Contains(text, "canary-9") {
			t.Errorf("the file is\n%s", text)
		}
	})
	t.Run("when one header would take the place of another", func(t *testing.T) {
		for name, list := range map[string]string{
			"both are moved": `{"mcpServers": {"tickets": {"url": "https://tickets.test/mcp", "headers": {"X-Key": "canary-1", "x-key": "canary-2"}}}}`,
			"one was a secret": `{"mcpServers": {"tickets": {"url": "https://tickets.test/mcp", "headers": {"x-key": "canary-2"}}},
				"parley": {"servers": {"tickets": {"id": "s-1", "secretHeaders": ["X-Key"]}}}}`,
		} {
			s := open(t, list)
			k := &keychaintest.Keychain{}
			seen, was := byName(t, s, "tickets"), onDisk(t, s)
			var twice *TwiceError
			if _, err := NewValues(k).Move(t.Context(), s, seen, Exposed(seen)); !errors.As(err, &twice) || !strings.EqualFold(twice.Name, "X-Key") {
				t.Errorf("%s: %v", name, err)
			}
			if values := k.All(); len(values) != 0 || onDisk(t, s) != was {
				t.Errorf("%s: %d values are kept; the file is\n%s", name, len(values), onDisk(t, s))
			}
		}
	})
	t.Run("when another window has moved it, and this one cannot", func(t *testing.T) {
		s := open(t, byHand)
		other := reopen(t, s.Dir())
		k := &keychaintest.Keychain{}
		seen := byName(t, s, "files")
		now, err := NewValues(k.Another()).Move(t.Context(), other, byName(t, other, "files"), []string{"API_KEY"})
		must(t, err)
		for _, why := range []func(){func() {}, func() { k.Away(keychain.Locked) }} {
			why()
			if _, err := NewValues(k).Move(t.Context(), s, seen, []string{"API_KEY"}); err == nil {
				t.Error("it is said to be moved once more")
			}
		}
		k.Back()
		filled, err := NewValues(k.Another()).Fill(t.Context(), now)
		if err != nil || filled.Env["API_KEY"] != "canary-4711" {
			t.Errorf("the value is lost: %v", err)
		}
	})
}

// TestDraft_AValueWrittenByHandIsShownAsOne, and saving it with something else is not
// the person's word about it.
func TestDraft_AValueWrittenByHandIsShownAsOne(t *testing.T) {
	s := open(t, byHand)
	files := byName(t, s, "files")
	must(t, s.Allow(files, "/bin/files"))
	d := DraftOf(files)
	var exposed []string
	for _, v := range d.Env {
		if d.Exposed(v) {
			exposed = append(exposed, v.Name)
		}
	}
	if !slices.Equal(exposed, []string{"API_KEY", "GREETING"}) {
		t.Errorf("shown as exposed are %q", exposed)
	}
	d.Silence = "90"
	save := func() mcpclient.Server {
		v, faults := d.Check(nil)
		if faults != nil {
			t.Fatal(faults)
		}
		must(t, s.Update(v))
		return byName(t, s, "files")
	}
	if got := Exposed(save()); !slices.Equal(got, exposed) {
		t.Errorf("after it was saved with a time-out these are named: %q", got)
	}
	for i, v := range d.Env {
		if v.Name == "GREETING" { // ticked, and the tick taken off
			d.Env[i].SetSecret(true)
			d.Env[i].SetSecret(false)
		}
	}
	d.Env = append(d.Env, DraftValue{Name: "NEW", Value: "some words"})
	v := save()
	if got := Exposed(v); !slices.Equal(got, []string{"API_KEY"}) {
		t.Errorf("after the person said that one is none these are named: %q", got)
	}
	must(t, s.Allow(v, "/bin/files"))
	d = DraftOf(v)
	for i, row := range d.Env {
		if row.Name == "API_KEY" {
			d.Env[i].SetSecret(true)
		}
	}
	if typed := d.Typed().Env["API_KEY"]; typed != "canary-4711" {
		t.Error("what is moved is another value")
	}
	if v = save(); !s.Allowed(v) || strings.Count(onDisk(t, s), "canary") != 1 {
		t.Errorf("allowed %v; the file is\n%s", s.Allowed(v), onDisk(t, s))
	}
}

// TestDraft_AddedAnewIsNobodysWord about the values it had.
func TestDraft_AddedAnewIsNobodysWord(t *testing.T) {
	s := open(t, byHand)
	d := DraftOf(byName(t, s, "files")).Anew()
	d.Name = "files again"
	v, faults := d.Check(nil)
	if faults != nil {
		t.Fatal(faults)
	}
	v, err := s.Add(v)
	must(t, err)
	if got := Exposed(byName(t, s, v.Name)); !slices.Equal(got, []string{"API_KEY", "GREETING"}) {
		t.Errorf("these are named: %q", got)
	}
}

// TestDraft_GoesOnAfterAMove with what was entered meanwhile.
func TestDraft_GoesOnAfterAMove(t *testing.T) {
	s := open(t, byHand)
	files := byName(t, s, "files")
	d := DraftOf(files)
	typed := d.Clone()
	typed.Folder, typed.Env[2].Value = "/srv", "typed anew" // GREETING
	if typed.Env[2].Name != "GREETING" {
		t.Fatal(typed.Env[2].Name)
	}
	now, err := NewValues(&keychaintest.Keychain{}).Move(t.Context(), s, files, []string{"API_KEY", "GREETING"})
	must(t, err)
	if d = d.Concealed(now, []string{"API_KEY", "GREETING"}); d.Changed() || !d.Kept(d.Env[0]) {
		t.Errorf("a form that was not touched is now %+v", d)
	}
	typed = typed.Concealed(now, []string{"API_KEY", "GREETING"})
	if !typed.Kept(typed.Env[0]) || typed.Env[2].Value != "typed anew" || typed.Folder != "/srv" || !typed.Changed() {
		t.Errorf("a form that was touched is now %+v", typed)
	}
	if v, faults := typed.Check(nil); faults != nil || v.Env["API_KEY"] != "" {
		t.Errorf("saving it would put the value back: %v", faults)
	}
}

// TestVeiled_IsWhatTheNameCallsASecret, unless its value or the person says otherwise.
func TestVeiled_IsWhatTheNameCallsASecret(t *testing.T) {
	v := mcpclient.Server{Kind: mcpclient.Stdio, PlainEnv: []string{"OTHER_TOKEN"}, Env: map[string]string{
		"API_TOKEN": "a b", "OTHER_TOKEN": "a b", "TOKEN_FILE": "/etc/token", "GREETING": "hello there", "LD_PRELOAD": "./evil.so", "NODE_OPTIONS": "-r ./evil.js"}}
	for name := range v.Env {
		if got, want := Veiled(v, name), name == "API_TOKEN"; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
