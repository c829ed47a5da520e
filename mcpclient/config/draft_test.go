package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/mcpclient"
)

// faultsOf are the faults of d as text: field, row and sentence.
func faultsOf(d Draft, others ...string) string {
	_, faults := d.Check(others)
	var out []string
	for _, f := range faults {
		where := f.Field
		if f.Field == FieldEnv || f.Field == FieldHeaders {
			part := "value"
			if f.InName {
				part = "name"
			}
			where = fmt.Sprintf("%s %d %s", f.Field, f.Row, part)
		}
		out = append(out, where+": "+english.Text(f.Text))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestDraft_OfAServerIsThatServer(t *testing.T) {
	for _, s := range []mcpclient.Server{
		{ID: "1", Name: "a", Kind: mcpclient.Stdio, Command: "npx", Args: []string{"-y", "", "with\nline", ""}, Dir: "/srv",
			Env: map[string]string{"A": "1", "B": ""}, SecretEnv: []string{"T"}, Protocol: "2025-11-25", Silence: 2 * time.Minute, MaxMessage: 16 << 20, LogLevel: "off"},
		{ID: "2", Name: "b", Kind: mcpclient.SSE, URL: "https://b.example/sse", Headers: map[string]string{"X": "y"}, SecretHeaders: []string{"K", "L"}},
		{ID: "3", Name: "c", Kind: mcpclient.HTTP, URL: "https://c.example/"},
	} {
		d := DraftOf(s)
		got, faults := d.Check([]string{"other"})
		if !reflect.DeepEqual(got, s) || faults != nil || d.Changed() {
			t.Errorf("%+v became %+v, faults %v, changed %v", s, got, faults, d.Changed())
		}
		if typed := d.Typed(); typed.Env != nil || typed.Headers != nil {
			t.Errorf("something counts as typed: %d, %d", len(typed.Env), len(typed.Headers))
		}
	}
	if (Draft{}).Changed() {
		t.Error("an empty draft counts as changed")
	}
}

func TestDraft_ArgumentsAreTheLinesAsTheyStand(t *testing.T) {
	for text, want := range map[string][]string{
		"":                      nil,
		"-y":                    {"-y"},
		"-y\n":                  {"-y"},
		"a b\n'c'\n$(d) | e\n ": {"a b", "'c'", "$(d) | e", " "},
		"a\n\nb":                {"a", "", "b"},
	} {
		d := Draft{Kind: mcpclient.Stdio, Program: " npx ", Arguments: text}
		if s := d.Server(); s.Command != "npx" || !slices.Equal(s.Args, want) {
			t.Errorf("arguments %q: got %q %q; want npx %q", text, s.Command, s.Args, want)
		}
	}
}

func TestDraft_SaysWhatIsWrongBesideTheField(t *testing.T) {
	const good = "https://a.example/mcp"
	secret := func(name, value string) DraftValue { return DraftValue{Name: name, Value: value, Secret: true} }
	for want, d := range map[string]Draft{
		"": {URL: good, Headers: []DraftValue{{}, secret("X-Key", "v"), {Secret: true}}, Silence: " 2 m ", MaxMessage: "16 MiB"},
		"url: The address must begin with https:// or http://": {URL: "ftp://x"},
		"program: Name the program to start.":                  {Kind: mcpclient.Stdio, Program: "  "},
		"name: There is a server of this name already.":        {URL: good, Name: " taken "},
		"silence: Enter a time":                                {URL: good, Silence: "soon"},
		"size: Enter a size":                                   {URL: good, MaxMessage: "16"},
		"headers 0 name: ":                                     {URL: good, Headers: []DraftValue{secret("X Key", "v")}},
		"headers 1 name: This name is there twice.":            {URL: good, Headers: []DraftValue{secret("X-Key", "v"), secret("x-key", "w")}},
		"headers 0 value: ":                                    {URL: good, Headers: []DraftValue{secret("X-Key", "v\nw")}},
		"headers 0 value: Enter the value.":                    {URL: good, Headers: []DraftValue{secret("X-Key", "")}},
		"env 0 name: Enter a name":                             {Kind: mcpclient.Stdio, Program: "x", Env: []DraftValue{secret("", "v")}},
		"env 1 name: Enter a name":                             {Kind: mcpclient.Stdio, Program: "x", Env: []DraftValue{secret("A", "v"), secret("B=C", "v")}},
		"env 1 name: This name":                                {Kind: mcpclient.Stdio, Program: "x", Env: []DraftValue{secret("A", "v"), {Name: "A"}}},
		"arguments: This cannot hold":                          {Kind: mcpclient.Stdio, Program: "x", Arguments: "a\x00"},
	} {
		got := faultsOf(d, "taken")
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%v: %q; want %q", d, got, want)
		}
	}
}

func TestDraft_WithoutANameGetsAFreeOne(t *testing.T) {
	s, faults := Draft{URL: "https://a.example/mcp"}.Check([]string{"a.example", "a.example 2"})
	if s.Name != "a.example 3" || faults != nil {
		t.Errorf("%q, %v", s.Name, faults)
	}
}

// TestDraft_AKeptValueStaysUnlessItCannot: one that is renamed, was given for
// another origin, or is no secret any more has to be entered anew.
func TestDraft_AKeptValueStaysUnlessItCannot(t *testing.T) {
	before := mcpclient.Server{ID: "1", Name: "a", Kind: mcpclient.HTTP, URL: "https://a.example/mcp", SecretHeaders: []string{"X-Key"}}
	for want, change := range map[string]func(*Draft){
		"": func(d *Draft) { d.URL = "https://a.example/other" },
		"headers 0 value: Enter the value again: the one that is kept was given for another address": func(d *Draft) { d.URL = "https://b.example/mcp" },
		"headers 0 value: Enter the value.":                                  func(d *Draft) { d.Headers[0].Name = "X-Other" },
		"headers 0 value: Enter the value: the one that is kept as a secret": func(d *Draft) { d.Headers[0].Secret = false },
	} {
		d := DraftOf(before)
		change(&d)
		if got := faultsOf(d); want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%q; want %q", got, want)
		}
	}
	d := DraftOf(before)
	if !d.Kept(d.Headers[0]) {
		t.Error("it does not count as kept")
	}
	d.URL, d.Headers[0].Value = "https://b.example/mcp", "canary"
	s, faults := d.Check(nil)
	if faults != nil || d.Typed().Headers["X-Key"] != "canary" || s.Headers != nil || !d.Changed() {
		t.Errorf("%v", faults)
	}
	if text := fmt.Sprintf("%v %+v %#v", d, d, d); strings.Contains(text, "canary") {
		t.Errorf("a value is printed: %s", text)
	}
}

func TestDraft_RemarksOnWhatMayBeMeantOtherwise(t *testing.T) {
	moved := DraftOf(mcpclient.Server{ID: "1", Name: "a", Kind: mcpclient.HTTP, URL: "https://a.example/mcp"})
	moved.URL = "https://b.example/mcp"
	for want, d := range map[string]Draft{
		"":                                      {URL: "https://a.example/mcp"},
		"Argument 2 seems to be a secret":       {Kind: mcpclient.Stdio, Program: "x", Arguments: "--token\nabc"},
		"seems to hold a secret":                {URL: "https://a.example/mcp?api_key=x"},
		"is not encrypted":                      {URL: "http://a.example/mcp", Headers: []DraftValue{{Name: "X", Value: "y", Secret: true}}},
		"the access token included, is removed": moved,
	} {
		var said []string
		for _, m := range d.Remarks() {
			said = append(said, english.Text(m))
		}
		if got := strings.Join(said, "\n"); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("said %q; want %q", got, want)
		}
	}
}

func TestDraft_HowOneSignsInStaysWithTheOriginItWasSetUpFor(t *testing.T) {
	v := mcpclient.Server{ID: "a", Name: "Notes", Kind: mcpclient.HTTP, URL: "https://notes.example/mcp",
		SignIn: mcpclient.SignIn{ClientID: "parley", Intranet: true}}
	for address, want := range map[string]mcpclient.SignIn{
		"https://notes.example/mcp":   v.SignIn,
		"https://notes.example/other": v.SignIn,
		"https://other.example/mcp":   {},
		"http://notes.example/mcp":    {},
	} {
		d := DraftOf(v)
		d.URL = address
		if got := d.Server().SignIn; got != want {
			t.Errorf("at %s one signs in by %+v, want %+v", address, got, want)
		}
	}
}

// TestDraft_WhatIsTooLongIsTheOnlyFault: nothing else is found out about it, which would
// take as long as it is.
func TestDraft_WhatIsTooLongIsTheOnlyFault(t *testing.T) {
	x := func(n int) string { return strings.Repeat("é", n) }
	for _, c := range []struct {
		d    Draft
		want string
	}{
		{Draft{Name: x(300), URL: "https://a.example/" + strings.Repeat("x", 8192-18)}, ""},
		{Draft{Name: x(301), URL: x(8193)}, "name: The name has 301 characters. Parley takes 300 at most.\nurl: The address has 8,193 characters. Parley takes 8,192 at most."},
		{Draft{URL: "ftp://", Headers: []DraftValue{{}, {Name: x(301), Value: x(64<<10 + 1)}}},
			"headers 1 name: The name has 301 characters. Parley takes 300 at most.\nheaders 1 value: The value has 65,537 characters. Parley takes 65,536 at most."},
		{Draft{Kind: mcpclient.Stdio, Program: x(32768), Folder: x(32768), Arguments: x(2<<20 + 1), Env: []DraftValue{{Value: x(128<<10 + 1), Secret: true}}},
			"arguments: The text of the arguments has 2,097,153 characters. Parley takes 2,097,152 at most.\n" +
				"env 0 value: The value has 131,073 characters. Parley takes 131,072 at most.\n" +
				"folder: The folder has 32,768 characters. Parley takes 32,767 at most.\nprogram: The program has 32,768 characters. Parley takes 32,767 at most."},
		{Draft{Kind: mcpclient.Stdio, Program: "a", URL: x(9000)}, ""}, // which is not asked for
	} {
		if got := faultsOf(c.d); got != c.want {
			t.Errorf("said is\n%s\nwant\n%s", got, c.want)
		}
	}
}
