package config

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"parley/mcpclient"
)

// drawn is a Source as text, so that a whole one can be compared at a glance.
// Values of secrets are in it as "(secret)".
func drawn(src Source) string {
	var b strings.Builder
	for _, o := range src.Offers {
		v := o.Server
		fmt.Fprintf(&b, "%s (%s)", v.Name, v.Kind)
		if o.Off {
			b.WriteString(" off")
		}
		b.WriteByte('\n')
		if v.Kind == mcpclient.Stdio {
			fmt.Fprintf(&b, "  start %q in %q\n", append([]string{v.Command}, v.Args...), v.Dir)
		} else {
			fmt.Fprintf(&b, "  reach %s\n", v.URL)
		}
		table := func(word string, plain map[string]string, secret []string) {
			for _, name := range sortedKeys(plain) {
				fmt.Fprintf(&b, "  %s %s = %q\n", word, name, plain[name])
			}
			for _, name := range secret {
				fmt.Fprintf(&b, "  %s %s (secret)\n", word, name)
			}
		}
		table("env", v.Env, v.SecretEnv)
		table("header", v.Headers, v.SecretHeaders)
		if o.Token {
			b.WriteString("  access token (secret)\n")
		}
		if o.ClientSecret {
			b.WriteString("  client secret (secret)\n")
		}
		if v.SignIn != (mcpclient.SignIn{}) {
			fmt.Fprintf(&b, "  sign in as %q, back to %s:%d%s\n", v.SignIn.ClientID, v.SignIn.Host, v.SignIn.Port, v.SignIn.Path)
		}
		if v.Protocol != "" {
			fmt.Fprintf(&b, "  pinned to %s\n", v.Protocol)
		}
		if v.Silence > 0 {
			fmt.Fprintf(&b, "  silence %s\n", v.Silence)
		}
		for _, m := range o.Doubts {
			fmt.Fprintf(&b, "  ! %s\n", english.Text(m))
		}
		for _, m := range o.Notes {
			fmt.Fprintf(&b, "  - %s\n", english.Text(m))
		}
		for _, id := range o.Inputs {
			fmt.Fprintf(&b, "  needs %s\n", id)
		}
	}
	for _, in := range src.Inputs {
		fmt.Fprintf(&b, "ask %s: %s", in.ID, english.Text(in.Label))
		if in.Stands != "${"+in.ID+"}" {
			fmt.Fprintf(&b, " in the place of %s", in.Stands)
		}
		if in.Server != "" {
			fmt.Fprintf(&b, " of %q", in.Server)
		}
		if in.Text != "" {
			fmt.Fprintf(&b, " %q", in.Text)
		}
		if in.Secret {
			b.WriteString(" (secret)")
		}
		if len(in.Options) > 0 {
			fmt.Fprintf(&b, " one of %q", in.Options)
		}
		if in.Value != "" {
			fmt.Fprintf(&b, " = %q", in.Value)
		}
		b.WriteByte('\n')
	}
	for _, p := range src.Problems {
		fmt.Fprintf(&b, "problem: %s\n", english.Text(p))
	}
	return b.String()
}

// atLin makes the environment of the tests the same everywhere.
func atLin(t *testing.T) {
	t.Setenv("HOME", "/home/lin")
	t.Setenv("USERPROFILE", "/home/lin")
	for _, name := range []string{"API_KEY", "API_BASE_URL", "FIGMA_TOKEN", "TICKETS_KEY", "TOKEN", "KEY", "PWD"} {
		t.Setenv(name, "")
	}
}

// TestImport_TheFilesOfOtherApps reads a file of each app that Parley imports
// from, made after what the app documents of its format; the .want beside it
// says what is found. UPDATE_WANT=1 writes them anew.
func TestImport_TheFilesOfOtherApps(t *testing.T) {
	atLin(t)
	files, err := filepath.Glob("testdata/import/*.json")
	must(t, err)
	if len(files) < 13 {
		t.Fatalf("only %d fixtures", len(files))
	}
	for _, file := range files {
		src, err := ReadFile(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		got := strings.ReplaceAll(drawn(src), `\\`, "/")
		want := strings.TrimSuffix(file, ".json") + ".want"
		if os.Getenv("UPDATE_WANT") != "" {
			must(t, os.WriteFile(want, []byte(got), 0o644))
		}
		raw, err := os.ReadFile(want)
		must(t, err)
		if runtime.GOOS == "windows" {
			raw = ofWindows.ReplaceAll(raw, nil) // there they do start
		}
		if got != string(raw) {
			t.Errorf("%s is read as\n%swant\n%s", file, got, raw)
		}
		if strings.Contains(withoutArguments(got), "canary") {
			t.Errorf("%s: a secret shows in\n%s", file, got)
		}
		for _, o := range src.Offers {
			if text := fmt.Sprintf("%v %+v %#v %v %#v", o, o, o, o.With(nil), o.With(nil)); strings.Contains(text, "canary") {
				t.Errorf("%s: a secret is printed: %s", file, text)
			}
		}
	}
}

// ofWindows is a doubt that only other systems have.
var ofWindows = regexp.MustCompile(`(?m)^  ! “[^”]+” is a program of Windows.*\n`)

// withoutArguments leaves the lines out that show a command whole, as the person
// must see it.
func withoutArguments(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "  start ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// TestImport_WhatIsStoredOfAFileHoldsNoSecret carries every fixture into a list
// and looks for the canaries in it.
func TestImport_WhatIsStoredOfAFileHoldsNoSecret(t *testing.T) {
	atLin(t)
	files, err := filepath.Glob("testdata/import/*.json")
	must(t, err)
	for _, file := range files {
		src, err := ReadFile(file)
		must(t, err)
		s := open(t, "")
		answers := map[string]string{}
		for _, in := range src.Inputs {
			answers[in.ID] = "canary answer"
			if !in.Secret {
				answers[in.ID] = "plain answer"
			}
		}
		secrets := 0
		for _, o := range src.Offers {
			f := o.With(answers)
			if len(o.Doubts) > 0 && len(o.plainSecrets()) > 0 {
				continue // what would stand there as plain text was pointed out
			}
			f.Server.Name += fmt.Sprint(secrets) // projects may repeat a name
			_, err := s.Add(f.Server)
			must(t, err)
			secrets += len(f.Typed.Env) + len(f.Typed.Headers) + len(f.Token)
		}
		if len(s.Servers()) == 0 {
			continue
		}
		if text := onDisk(t, s); strings.Contains(text, "canary") {
			t.Errorf("%s: a secret is stored:\n%s", file, text)
		}
	}
}

// TestImport_ClientSecretsGoWhereSecretsGo: never into the server, and never into
// what is printed of it.
func TestImport_ClientSecretsGoWhereSecretsGo(t *testing.T) {
	atLin(t)
	for file, name := range map[string]string{"cursor": "oauth", "inspector": "my-modern-server", "gemini": "signed"} {
		src, err := ReadFile("testdata/import/" + file + ".json")
		must(t, err)
		found := false
		for _, o := range src.Offers {
			if o.Server.Name != name {
				continue
			}
			found = true
			f := o.With(map[string]string{"env:GEM_SECRET": "canary"})
			if !o.ClientSecret || f.ClientSecret != "canary" || f.Server.SignIn.ClientID == "" {
				t.Errorf("%s: the client is lost: %+v", file, f.Server.SignIn)
			}
			if text := fmt.Sprintf("%v %+v %#v %+v", f, f, f, f.Server); strings.Contains(text, "canary") {
				t.Errorf("%s: it prints %s", file, text)
			}
		}
		if !found {
			t.Errorf("%s has no server %s", file, name)
		}
	}
	src, err := ReadText(`{"url": "https://a.test/", "oauth": {"clientSecret": "canary"}}`)
	must(t, err)
	if f := src.Offers[0].With(nil); f.ClientSecret != "" || !strings.Contains(drawn(src), "this is not taken over: clientSecret") {
		t.Errorf("a secret of no client is kept:\n%s", drawn(src))
	}
	for issuer, want := range map[string]string{"https://login.test": "https://login.test", "http://login.test": "", "https://$HOST": "", "": ""} {
		src, err := ReadText(`{"url": "https://a.test/", "oauth": {"clientId": "app", "clientSecret": "canary", "issuer": "` + issuer + `"}}`)
		must(t, err)
		if f := src.Offers[0].With(nil); f.Server.SignIn.Issuer != want || (want == "") != strings.Contains(drawn(src), "enter the issuer that the secret of its client ID belongs to") {
			t.Errorf("the issuer %q is read as %q:\n%s", issuer, f.Server.SignIn.Issuer, drawn(src))
		}
	}
	src, err = ReadText("claude mcp add --transport http --client-id the-app --client-secret --callback-port 8123 a https://a.test/mcp")
	must(t, err)
	if v := src.Offers[0].Server; v.SignIn != (mcpclient.SignIn{ClientID: "the-app", Port: 8123, Host: "localhost"}) || !strings.Contains(drawn(src), "which is not in this line") {
		t.Errorf("read is %+v\n%s", v, drawn(src))
	}
}
