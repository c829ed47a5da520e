package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/mcpclient"
)

// writeAt writes a file below a folder.
func writeAt(dir, name, text string) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

func TestExport_HoldsNoSecretAndReadsBack(t *testing.T) {
	servers := []mcpclient.Server{
		{ID: "1", Name: "files", Kind: mcpclient.Stdio, Command: "npx", Args: []string{"-y", "<files>"}, Dir: "/srv",
			Env: map[string]string{"LEVEL": "debug", "BY_HAND": "canary-by-hand"}, SecretEnv: []string{"TOKEN"}},
		{ID: "2", Name: "db", Kind: mcpclient.Stdio, Command: "db", Args: []string{"--token=canary", "--password", "canary", "postgres://a:canary@h/d"}},
		{ID: "3", Name: "tickets", Kind: mcpclient.SSE, URL: "https://t.example/sse?api_key=canary",
			Headers: map[string]string{"Accept-Language": "de", "X-Other": "canary"}, SecretHeaders: []string{"X-Api-Key"}, Protocol: "2025-11-25"},
	}
	raw, err := Export(servers, nil)
	must(t, err)
	text := string(raw)
	if strings.Contains(text, "canary") || strings.Contains(text, "parley") {
		t.Errorf("exported:\n%s", text)
	}
	for _, want := range []string{`"-y"`, `"<files>"`, `"LEVEL": "debug"`, `"TOKEN": "${env:TOKEN}"`, `"BY_HAND": "${env:BY_HAND}"`,
		`"--token=${env:TOKEN}"`, `"--password"`, `"${env:ARGUMENT_3}"`, `"https://t.example/sse?${env:QUERY}"`, `"X-Api-Key": "${env:X_API_KEY}"`, `"Accept-Language": "de"`} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %s", want)
		}
	}
	src, err := ReadText(text)
	must(t, err)
	if len(src.Offers) != 3 || len(src.Problems) != 0 || src.Offers[2].Server.Kind != mcpclient.SSE {
		t.Errorf("read back:\n%s", drawn(src))
	}
}

// TestExport_AnAccessTokenHasItsPlace, which reads back as one, and only where one
// is kept.
func TestExport_AnAccessTokenHasItsPlace(t *testing.T) {
	raw, err := Export([]mcpclient.Server{
		{ID: "1", Name: "linear", Kind: mcpclient.HTTP, URL: "https://l.example/mcp"},
		{ID: "2", Name: "open", Kind: mcpclient.HTTP, URL: "https://o.example/mcp"},
		{ID: "3", Name: "files", Kind: mcpclient.Stdio, Command: "npx"},
	}, map[string]bool{"1": true, "3": true})
	must(t, err)
	if n := strings.Count(string(raw), "Authorization"); n != 1 || !strings.Contains(string(raw), `"Authorization": "Bearer ${env:LINEAR_TOKEN}"`) {
		t.Errorf("exported:\n%s", raw)
	}
	src, err := ReadText(string(raw))
	must(t, err)
	if len(src.Offers) != 3 || !src.Offers[0].Token || src.Offers[1].Token {
		t.Errorf("read back:\n%s", drawn(src))
	}
}

func TestSaveExport_NeverOverwrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcp.json")
	must(t, SaveExport(path, []byte("first")))
	for where, want := range map[string]string{path: "There is a file of this name", "mcp.json": "whole path", filepath.Join(path, "x"): "could not be saved"} {
		err := SaveExport(where, []byte("second"))
		if err == nil || !strings.Contains(english.Text(SaveSentence(err)), want) {
			t.Errorf("%s: %v", where, err)
		}
	}
	if raw, err := os.ReadFile(path); err != nil || string(raw) != "first" {
		t.Errorf("it holds %q, %v", raw, err)
	}
}
