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
