package config

import (
	"slices"
	"strings"
	"testing"
)

// TestImport_WhatAReadmeLeavesToFillInIsAskedFor, and never kept as if it were a
// value.
func TestImport_WhatAReadmeLeavesToFillInIsAskedFor(t *testing.T) {
	atLin(t)
	for text, want := range map[string][]string{
		`{"command": "npx", "args": ["x"], "env": {"API_KEY": "<your-api-key>"}}`:                            {"env:API_KEY"},
		`{"command": "npx", "args": ["x"], "env": {"API_KEY": "YOUR_API_KEY", "LOG_LEVEL": "debug"}}`:        {"env:API_KEY"},
		`{"command": "npx", "args": ["x"], "env": {"API_KEY": "your_key_here", "TEAM": "xxxx", "B": "..."}}`: {"env:API_KEY", "env:B", "env:TEAM"},
		`{"url": "https://a.example/mcp", "headers": {"Authorization": "Bearer <token>"}}`:                   {"env:token"},
		`{"url": "https://a.example/mcp", "headers": {"X-Key": "YOUR_API_KEY"}}`:                             {"env:YOUR_API_KEY"},
		`{"url": "https://a.example/<workspace id>/mcp"}`:                                                    {"workspace id"},
		`{"command": "npx", "args": ["x", "--api-key", "<your-key>", "--team=YOUR_TEAM"]}`:                   {"your-key", "env:YOUR_TEAM"},
		"npx x --api-key <your-key>":                              {"your-key"},
		`C:\x.exe --api-key <your-key>`:                           {"your-key"},
		"claude mcp add x --env API_KEY=<key> -- npx x":           {"env:API_KEY"},
		`{"command": "sh", "args": ["-c", "x <in> /dev/null"]}`:   nil,
		`{"command": "npx", "args": ["x", "in your own folder"]}`: nil,
	} {
		src, err := ReadText(text)
		if err != nil || len(src.Offers) != 1 {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := src.Offers[0].Inputs; !slices.Equal(got, want) {
			t.Errorf("%s asks for %q; want %q", text, got, want)
		}
		answers := map[string]string{}
		for _, in := range src.Inputs {
			answers[in.ID] = "mine"
		}
		f := src.Offers[0].With(answers)
		all := strings.Join(append([]string{f.Server.URL, f.Token}, f.Server.Args...), " ")
		for _, v := range []map[string]string{f.Typed.Env, f.Typed.Headers, f.Server.Env} {
			for _, s := range v {
				all += " " + s
			}
		}
		if want != nil && (!strings.Contains(all, "mine") || strings.ContainsAny(all, "<>") || strings.Contains(all, "YOUR_")) {
			t.Errorf("%s: with the answers it is %s", text, all)
		}
	}
	for text, want := range map[string]string{
		`{"command": "node", "args": ["/path/to/server.js"]}`:             "Argument 1 seems to be an example",
		`{"command": "node", "args": ["--dir=/absolute/path/to/server"]}`: "Argument 1 seems to be an example",
		`{"command": "C:\\path\\to\\server.exe"}`:                         "The program seems to be an example",
	} {
		src, err := ReadText(text)
		if err != nil || len(src.Offers) != 1 || !strings.Contains(drawn(src), "! "+want) {
			t.Errorf("%s: %v\n%s", text, err, drawn(src))
		}
	}
}
