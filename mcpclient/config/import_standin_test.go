package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestImport_WhatAReadmeLeavesToFillInIsAskedFor, and never kept as if it were a
// value.
func TestImport_WhatAReadmeLeavesToFillInIsAskedFor(t *testing.T) {
	atLin(t)
	for text, want := range map[string][]string{
		`{"command": "npx", "args": ["x"], "env": {"API_KEY": "<your-api-key>"}}`:                                    {"Environment variable API_KEY*"},
		`{"command": "npx", "args": ["x"], "env": {"API_KEY": "YOUR_API_KEY", "LOG_LEVEL": "debug"}}`:                {"Environment variable API_KEY*"},
		`{"command": "npx", "args": ["x"], "env": {"API_KEY": "your_key_here", "TEAM": "xxxx", "B": "..."}}`:         {"Environment variable API_KEY*", "Environment variable B*", "Environment variable TEAM*"},
		`{"command": "npx", "args": ["x"], "env": {"A_KEY": "{{TOKEN}}", "B_KEY": "${{ secrets.B }}"}}`:              {"TOKEN*", "secrets.B*"},
		`{"command": "npx", "args": ["x"], "env": {"A_KEY": "sk-ant-...", "B_KEY": "ghp_xxxxxxxxxxxx"}}`:             {"Environment variable A_KEY*", "Environment variable B_KEY*"},
		`{"command": "npx", "args": ["x"], "env": {"A_KEY": "API_KEY", "B_KEY": "[YOUR KEY]", "C": "TODO"}}`:         {"Environment variable A_KEY*", "Environment variable B_KEY*", "Environment variable C*"},
		`{"command": "npx", "args": ["x"], "env": {"A_PASSWORD": "my-password", "B_KEY": "BSA-your-key"}}`:           {"Environment variable A_PASSWORD*", "Environment variable B_KEY*"},
		`{"command": "npx", "args": ["x"], "env": {"SITE_URL": "https://your-site.atlassian.net"}}`:                  {"your-site"},
		`{"command": "npx", "args": ["x"], "env": {"CONFIG_PATH": "/path/to/config.json"}}`:                          {"Environment variable CONFIG_PATH"},
		`{"command": "npx", "args": ["x"], "env": {"AUTH_MODE": "API_KEY", "ORDER": "A_FIRST", "T": "[1]"}}`:         nil,
		`{"command": "npx", "args": ["x"], "env": {"A_KEY": "sk-ant-api03-9f86d081884c7d659a2feaa0c55ad015"}}`:       nil,
		`{"url": "https://a.test/mcp", "headers": {"Authorization": "Bearer <token>"}}`:                              {"token*"},
		`{"url": "https://a.test/mcp", "headers": {"Authorization": "Bearer xxxx", "X-A": "Bearer sk-..."}}`:         {"Header Authorization*", "Header X-A*"},
		`{"url": "https://a.test/mcp", "headers": {"Authorization": "Bearer {token}", "X-A": "{{ key }}"}}`:          {"Header Authorization*", "key*"},
		`{"url": "https://a.test/mcp", "headers": {"X-Key": "YOUR_API_KEY"}}`:                                        {"Header X-Key*"},
		`{"url": "https://a.test/<workspace id>/mcp"}`:                                                               {"workspace id"},
		`{"url": "https://a.test/{team}/:project/mcp?tz=UTC&apiKey=xxxx"}`:                                           {"team", "project", "apiKey*"},
		`{"url": "https://a.test/mcp/YOUR_KEY/sse?region=your-region"}`:                                              {"YOUR_KEY*", "region"},
		`{"url": "https://a.test/for-your-team/mcp"}`:                                                                nil,
		`{"command": "npx", "args": ["x", "--api-key", "<your-key>", "--team=YOUR_TEAM"]}`:                           {"--api-key*", "YOUR_TEAM"},
		`{"command": "npx", "args": ["x", "--token", "xxxx", "--password=...", "--name", "xxxx"]}`:                   {"--token*", "--password*"},
		`{"command": "npx", "args": ["mcp-remote", "https://b.test", "--header", "Authorization: Bearer ..."]}`:      {"Header Authorization*"},
		`{"command": "docker", "args": ["run", "-e", "A_TOKEN=<token>", "-v", "/path/to/dir:/data", "x"]}`:           {"Environment variable A_TOKEN*", "Argument 5"},
		`{"command": "npx", "args": ["files", "/Users/username/Desktop", "/path/to/other/dir"]}`:                     {"Argument 2", "Argument 3"},
		`{"command": "node", "args": ["/path/to/server.js"]}`:                                                        {"Argument 1"},
		`{"command": "node", "args": ["--dir=/absolute/path/to/server"]}`:                                            {"Argument 1"},
		`{"command": "C:\\path\\to\\server.exe", "cwd": "C:\\Users\\You\\x"}`:                                        {"The program", "The folder"},
		`{"command": "npx", "args": ["mcp-remote", "https://your-server.com/sse", "--url=https://example.com/mcp"]}`: {"Argument 2", "Argument 3"},
		`{"command": "npx", "args": ["x", "--format={{.Name}}", "https://mcp.acme.io/your-team"]}`:                   {"your-team"},
		`{"command": "npx", "args": ["x"], "env": {"HEADERS": "{\"Authorization\": \"Bearer ntn_****\"}"}}`:          {"ntn_*****"},
		"npx x --api-key <your-key>":                              {"--api-key*"},
		`C:\x.exe --api-key <your-key>`:                           {"--api-key*"},
		"claude mcp add x --env API_KEY=<key> -- npx x":           {"Environment variable API_KEY*"},
		`{"command": "sh", "args": ["-c", "x <in> /dev/null"]}`:   nil,
		`{"command": "npx", "args": ["x", "in your own folder"]}`: nil,
	} {
		src, err := ReadText(text)
		if err != nil || len(src.Offers) != 1 {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, in := range src.Inputs {
			label := english.Text(in.Label)
			if in.Secret {
				label += "*" // typed masked
			}
			got = append(got, label)
			if in.Server != src.Offers[0].Server.Name || in.Stands == "" || !strings.Contains(strings.ReplaceAll(text, `\\`, `\`), in.Stands) {
				t.Errorf("%s: %q stands for %q of %q", text, label, in.Stands, in.Server)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s asks for %q; want %q", text, got, want)
		}
		if said := drawn(src); strings.Contains(said, "stand-in:") && strings.Contains(said, "${stand-in:") {
			t.Errorf("%s is shown as\n%s", text, said)
		}
		answers := map[string]string{}
		for _, in := range src.Inputs {
			answers[in.ID] = "mine"
		}
		f := src.Offers[0].With(answers)
		all := strings.Join(append([]string{f.Server.Command, f.Server.Dir, f.Server.URL, f.Token}, f.Server.Args...), " ")
		for _, v := range []map[string]string{f.Typed.Env, f.Typed.Headers, f.Server.Env} {
			for _, s := range v {
				all += " " + s
			}
		}
		if want != nil && (!strings.Contains(all, "mine") || strings.ContainsAny(all, "<>") || strings.Contains(all, "YOUR_")) {
			t.Errorf("%s: with the answers it is %s", text, all)
		}
	}
	if src, err := ReadText(`{"command": "npx", "args": ["x", "..."]}`); err != nil || !strings.Contains(drawn(src), "! Argument 2 only stands for more.") {
		t.Errorf("%v\n%s", err, drawn(src))
	}
}

// TestImport_AnEmptySecretIsAskedFor and may stay empty, as some are not needed.
func TestImport_AnEmptySecretIsAskedFor(t *testing.T) {
	src, err := ReadText(`{"command": "npx", "args": ["x"], "env": {"API_KEY": "", "PROXY": "", "LOG_LEVEL": ""}}`)
	must(t, err)
	if len(src.Inputs) != 1 || !src.Inputs[0].Optional || !src.Inputs[0].Secret || english.Text(src.Inputs[0].Label) != "Environment variable API_KEY" {
		t.Fatalf("it asks for\n%s", drawn(src))
	}
	for _, answer := range []string{"", "canary"} {
		f := src.Offers[0].With(map[string]string{src.Inputs[0].ID: answer})
		if got, there := f.Typed.Env["API_KEY"]; got != answer || !there {
			t.Errorf("with %q it is %q", answer, got)
		}
	}
}

// TestImport_AVariableOfItsOwnStaysInAnArgument: the program puts it in, and the secret
// is not among the arguments.
func TestImport_AVariableOfItsOwnStaysInAnArgument(t *testing.T) {
	atLin(t)
	src, err := ReadText(`{"command": "npx", "args": ["mcp-remote", "https://a.test/sse", "--header", "Authorization: Bearer ${AUTH_TOKEN}", "${KEY}"],
		"env": {"AUTH_TOKEN": "<token>"}}`)
	must(t, err)
	if o := src.Offers[0]; strings.Join(o.Inputs, " ") != "env:KEY stand-in:0:AUTH_TOKEN" || o.Server.Args[3] != "Authorization: Bearer ${AUTH_TOKEN}" {
		t.Errorf("%s", drawn(src))
	}
	f := src.Offers[0].With(map[string]string{"stand-in:0:AUTH_TOKEN": "canary", "env:KEY": "k"})
	if f.Server.Args[3] != "Authorization: Bearer ${AUTH_TOKEN}" || f.Server.Args[4] != "k" || f.Typed.Env["AUTH_TOKEN"] != "canary" {
		t.Errorf("%q", f.Server.Args)
	}
}

// TestImport_AsksForNoMoreThanAPersonFillsIn, however much there is: the rest stays as
// it is, as does what stands in a text that is too long to be looked at so often.
func TestImport_AsksForNoMoreThanAPersonFillsIn(t *testing.T) {
	args := []string{`"` + strings.Repeat("<long> ", 2000) + `"`}
	for i := range 10_000 {
		args = append(args, fmt.Sprintf(`"<a%d>"`, i), `"..."`)
	}
	src, err := ReadText(`{"command": "srv", "args": [` + strings.Join(args, ",") + `]}`)
	must(t, err)
	f := src.Offers[0].With(nil)
	if len(src.Inputs) != maxStandIns || f.Server.Args[0][0] != '<' || f.Server.Args[1] != "" || f.Server.Args[19_999] != "<a9999>" || len(src.Offers[0].Doubts) != 1 {
		t.Errorf("%d inputs, %d doubts, arguments %.20q … %q", len(src.Inputs), len(src.Offers[0].Doubts), f.Server.Args[0], f.Server.Args[19_999])
	}
}

// TestImport_AShellPutsItsVariablesIn where a command line is what was pasted.
func TestImport_AShellPutsItsVariablesIn(t *testing.T) {
	atLin(t)
	src, err := ReadText(`claude mcp add a -e TOKEN=$TOKEN -- npx mcp-remote https://a.test/sse --header "Authorization: Bearer $TOKEN"`)
	must(t, err)
	if f := src.Offers[0].With(map[string]string{"env:TOKEN": "canary"}); f.Server.Args[3] != "Authorization: Bearer canary" || f.Typed.Env["TOKEN"] != "canary" {
		t.Errorf("%q", f.Server.Args)
	}
}

// TestImport_TwoServersThatShowTheSameAreAskedForEach: the token of one is not sent to
// the other.
func TestImport_TwoServersThatShowTheSameAreAskedForEach(t *testing.T) {
	src, err := ReadText(`{"mcpServers": {"one": {"url": "https://one.test/mcp", "headers": {"X-Key": "<token>", "X-Too": "Bearer <token>"}},
		"two": {"url": "https://two.test/mcp", "headers": {"X-Key": "Bearer <token>"}}}}`)
	must(t, err)
	answers := map[string]string{}
	for _, in := range src.Inputs {
		answers[in.ID] = "for " + in.Server
	}
	for _, o := range src.Offers {
		for name, value := range o.With(answers).Typed.Headers {
			if strings.TrimPrefix(value, "Bearer ") != "for "+o.Server.Name {
				t.Errorf("the header %s of %s is %q", name, o.Server.Name, value)
			}
		}
	}
}

// TestImport_AnExampleIsNoAddress: it is said, not ticked, and asked for whole.
func TestImport_AnExampleIsNoAddress(t *testing.T) {
	for _, address := range []string{
		"https://your-server-url.com/mcp", "https://example.com/mcp", "https://api.example.org/mcp", "https://mcp.example/mcp", "https://<your-host>/mcp",
		"http://YOUR_IP:8080", "https://{your-domain}.atlassian.net/mcp", "https://{{HOST}}/mcp", "https://[YOUR_HOST]/mcp", "https://yourdomain.com/mcp",
		"https://your-instance.service-now.com/mcp", "https://mcp.your-company.com/sse", "https://host:port/mcp", "http://localhost:PORT/mcp", "http://<ip>:<port>/sse",
		"https://xxx.xxx.xxx.xxx:8000/mcp", "https://PROJECT_REF.supabase.co/mcp", "https://mydomain.com/mcp", "https://server.domain.tld/mcp", "https://...", "https://…/mcp",
		"YOUR_SERVER_URL", "<url>",
	} {
		src, err := ReadText(`{"mcpServers": {"": {"url": "` + address + `", "headers": {"Accept": "a"}}}}`)
		if err != nil || len(src.Offers) != 1 || len(src.Inputs) != 1 || len(src.Offers[0].Doubts) != 1 || !strings.Contains(drawn(src), "! Its address only shows how one looks.") {
			t.Errorf("%s: %v\n%s", address, err, drawn(src))
			continue
		}
		if o := src.Offers[0]; o.Server.URL != address || o.With(map[string]string{src.Inputs[0].ID: "https://mine.test/mcp"}).Server.URL != "https://mine.test/mcp" {
			t.Errorf("%s: shown is %s", address, o.Server.URL)
		}
	}
	for _, address := range []string{
		"https://mcp.yourls.org/mcp", "https://youracclaim.com/mcp", "http://localhost:8080/mcp", "http://[::1]:8080/mcp", "http://192.168.0.7/mcp", "https://mcp.x.com/mcp",
		"https://x.com/mcp", "https://example-server.modelcontextprotocol.io/mcp", "https://MCP.Linear.app/sse", "https://mydata.com/mcp", "https://my-server.up.railway.app/mcp", "https://server/mcp", "https://${env:HOST}/mcp",
	} {
		src, err := ReadText(`{"url": "` + address + `"}`)
		if err != nil || len(src.Offers) != 1 || len(src.Offers[0].Doubts) != 0 && !strings.Contains(address, "${") {
			t.Errorf("%s: %v\n%s", address, err, drawn(src))
		}
	}
}
