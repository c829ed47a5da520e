package config

import (
	"testing"

	"parley/mcpclient"
)

// TestDraft_ACommandLineInThePlaceOfTheProgramIsTakenApart, and a path with spaces
// is left alone.
func TestDraft_ACommandLineInThePlaceOfTheProgramIsTakenApart(t *testing.T) {
	for line, want := range map[string]struct {
		holds, apart       bool
		program, arguments string
	}{
		"npx":                      {},
		"/srv/notes":               {},
		"/opt/My App/bin/server":   {},
		`C:\Program Files\app.exe`: {},
		"python3 /srv/notes.py":    {true, true, "python3", "/srv/notes.py\n--before"},
		"npx -y files 'a b'":       {true, true, "npx", "-y\nfiles\na b\n--before"},
		"/usr/bin/python3 x.py":    {true, true, "/usr/bin/python3", "x.py\n--before"},
		"/usr/bin/node --x y":      {true, true, "/usr/bin/node", "--x\ny\n--before"},
		"npx x | tee y":            {true, false, "", ""},
		"npx 'open":                {true, false, "", ""},
	} {
		d := Draft{Kind: mcpclient.Stdio, Program: line, Arguments: "--before"}
		if !want.apart {
			want.program, want.arguments = line, "--before"
		}
		apart, ok := d.TakenApart()
		if d.HoldsCommand() != want.holds || ok != want.apart || apart.Program != want.program || apart.Arguments != want.arguments {
			t.Errorf("%s: holds %v, apart %v: %q, %q", line, d.HoldsCommand(), ok, apart.Program, apart.Arguments)
		}
	}
	apart, _ := Draft{Kind: mcpclient.Stdio, Program: "TOKEN=canary npx x"}.TakenApart()
	if len(apart.Env) != 1 || apart.Env[0].Name != "TOKEN" || !apart.Env[0].Secret || apart.Program != "npx" {
		t.Errorf("what is set before the program: %+v", apart)
	}
	if (Draft{Program: "npx -y files"}).HoldsCommand() {
		t.Error("an address has no program")
	}
}

// TestDraft_ALineThatAddsAServerToAnotherAppGivesItsName, unless the person has given
// one, and all else that it says.
func TestDraft_ALineThatAddsAServerToAnotherAppGivesItsName(t *testing.T) {
	program := Draft{Kind: mcpclient.Stdio, Program: "claude mcp add --env KEY=canary notes -- npx -y notes-server"}
	apart, ok := program.TakenApart()
	if !ok || apart.Name != "notes" || apart.Program != "npx" || apart.Arguments != "-y\nnotes-server" || len(apart.Env) != 1 || !apart.Env[0].Secret {
		t.Errorf("a program: %v, %q %q %q %v", ok, apart.Name, apart.Program, apart.Arguments, apart.Env)
	}
	program.Name = "Mine"
	if apart, _ := program.TakenApart(); apart.Name != "Mine" {
		t.Errorf("the person's name became %q", apart.Name)
	}
	address := Draft{Kind: mcpclient.Stdio, Program: `claude mcp add --transport http linear https://mcp.linear.example/mcp --header "X-Key: canary"`}
	apart, ok = address.TakenApart()
	if !ok || apart.Name != "linear" || apart.Kind != mcpclient.HTTP || apart.URL != "https://mcp.linear.example/mcp" || apart.Program != "" ||
		len(apart.Headers) != 1 || !apart.Headers[0].Secret || apart.Headers[0].Value != "canary" {
		t.Errorf("an address: %v, %q %q %q", ok, apart.Name, apart.Kind, apart.URL)
	}
	if apart, ok := (Draft{Kind: mcpclient.Stdio, Program: "npx -y notes-server"}).TakenApart(); !ok || apart.Name != "" {
		t.Errorf("a guess became the name: %q", apart.Name)
	}
	if _, ok := (Draft{Kind: mcpclient.Stdio, Program: "claude mcp add --client-id me -t http a https://a.example/mcp"}).TakenApart(); ok {
		t.Error("a client ID has no field here, and would be lost")
	}
}

// TestDraft_ChangedIsWhatIsNotAsItWas, and what was put back is not.
func TestDraft_ChangedIsWhatIsNotAsItWas(t *testing.T) {
	v := mcpclient.Server{ID: "1", Name: "a", Kind: mcpclient.Stdio, Command: "p", Env: map[string]string{"A": "1"}, SecretEnv: []string{"B"}}
	d := DraftOf(v)
	if d.Changed() || d.Clone().Changed() {
		t.Error("changed, with nothing entered")
	}
	other := d.Clone()
	other.Env[0].Value = "2"
	if !other.Changed() || d.Changed() {
		t.Error("a value")
	}
	other.Env[0].Value = "1"
	if other.Changed() {
		t.Error("a value that was put back")
	}
	other.Kind = mcpclient.HTTP
	if !other.Changed() {
		t.Error("the kind")
	}
	for _, kind := range []mcpclient.TransportKind{"", mcpclient.HTTP, mcpclient.SSE} {
		if fresh := (Draft{Kind: kind}); fresh.Changed() != (kind == mcpclient.SSE) {
			t.Errorf("a new one of kind %q: %v", kind, fresh.Changed())
		}
	}
}
