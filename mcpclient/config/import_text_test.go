package config

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

// TestReadText_WhatPeoplePaste: pieces of files, links, addresses and command
// lines, drawn as drawn does.
func TestReadText_WhatPeoplePaste(t *testing.T) {
	atLin(t)
	const filesServer = `{"command":"npx","args":["-y","files"]}`
	config := base64.StdEncoding.EncodeToString([]byte(filesServer))
	starts := "%s (stdio)\n  start [\"npx\" \"-y\" \"files\"] in \"\"\n"
	files := strings.Replace(starts, "%s", "files", 1)
	for text, want := range map[string]string{
		// JSON, whole and in pieces.
		`{"mcpServers": {"files": ` + filesServer + `}}`:                               files,
		`"mcpServers": {"files": ` + filesServer + `},`:                                files,
		`"files": ` + filesServer + `,`:                                                files,
		`{"files": ` + filesServer + `}`:                                               files,
		filesServer:                                                                    files,
		`{"name":"mine","command":"npx","args":["-y","files"]}`:                        strings.Replace(starts, "%s", "mine", 1),
		"```json\n{\"mcpServers\": {\"files\": " + filesServer + "}}\n```":             files,
		"// put this in\n{\"servers\": {\"files\": " + filesServer + ",}}":             files,
		`{"url": "https://a.test/mcp", "headers": {"Authorization": "Bearer canary"}}`: "a.test (http)\n  reach https://a.test/mcp\n  access token (secret)\n",
		// Links.
		"https://mcp.a.test/mcp": "mcp.a.test (http)\n  reach https://mcp.a.test/mcp\n",
		" http://localhost:3000/mcp?api_key=canary\n": "localhost:3000 (http)\n  reach http://localhost:3000/mcp?api_key=canary\n" +
			"  ! Its address seems to hold a secret, and would stand in the server list as plain text. If the server takes it in a header, put it there instead.\n",
		"cursor://anysphere.cursor-deeplink/mcp/install?name=files&config=" + config:                         files,
		"https://cursor.com/install-mcp?name=files&config=" + url.QueryEscape(config):                        files,
		"https://insiders.vscode.dev/redirect/mcp/install?name=files&config=" + url.QueryEscape(filesServer): files,
		"vscode:mcp/install?" + url.QueryEscape(`{"name":"files","command":"npx","args":["-y","files"]}`):    files,
		// Command lines that start a server.
		"npx -y files":       files,
		"$ npx -y files":     files,
		"npx \\\n  -y files": files,
		"uvx mcp-server-time --local-timezone 'Europe/Berlin'": "mcp-server-time (stdio)\n  start [\"uvx\" \"mcp-server-time\" \"--local-timezone\" \"Europe/Berlin\"] in \"\"\n",
		`docker run -i --rm -e TOKEN ghcr.io/o/the-server:1.2`: "the-server (stdio)\n  start [\"docker\" \"run\" \"-i\" \"--rm\" \"-e\" \"TOKEN\" \"ghcr.io/o/the-server:1.2\"] in \"\"\n",
		"TOKEN=canary LEVEL=debug ~/bin/srv 'a b' \"c\\\"d\" ''": "srv (stdio)\n  start [\"/home/lin/bin/srv\" \"a b\" \"c/\"d\" \"\"] in \"\"\n" +
			"  env LEVEL = \"debug\"\n  env TOKEN (secret)\n",
		"srv --dir $HOME_DIR \"${TOKEN}\"": "srv (stdio)\n  start [\"srv\" \"--dir\" \"${HOME_DIR}\" \"${TOKEN}\"] in \"\"\n" +
			"  ! Argument 3 seems to be a secret. It would stand in the server list as plain text, and other programs on this computer can see it. If the program takes it from an environment variable, put it there instead.\n" +
			"  needs env:HOME_DIR\n  needs env:TOKEN\nask env:HOME_DIR: Environment variable HOME_DIR\nask env:TOKEN: Environment variable TOKEN (secret)\n",
		// Command lines that add a server to another app.
		"claude mcp add --transport http notion https://mcp.notion.test/mcp": "notion (http)\n  reach https://mcp.notion.test/mcp\n",
		`claude mcp add -t sse -s user linear https://l.test/sse -H "X-Key: canary" --header 'Authorization: Bearer canary'`: "linear (sse)\n  reach https://l.test/sse\n" +
			"  header X-Key (secret)\n  access token (secret)\n",
		"claude mcp add airtable --env KEY=canary -e LEVEL=info OTHER_TOKEN=canary -- npx -y airtable-mcp-server --flag": "airtable (stdio)\n" +
			"  start [\"npx\" \"-y\" \"airtable-mcp-server\" \"--flag\"] in \"\"\n  env LEVEL = \"info\"\n  env KEY (secret)\n  env OTHER_TOKEN (secret)\n",
		"claude mcp add files npx -y files":                        files,
		"claude mcp add --scope=user files -- npx -y files":        files,
		`claude mcp add-json files '` + filesServer + `'`:          files,
		"codex mcp add files --env K_TOKEN=canary -- npx -y files": files + "  env K_TOKEN (secret)\n",
		"codex mcp add far --url https://f.test/mcp --bearer-token-env-var FAR_TOKEN": "far (http)\n  reach https://f.test/mcp\n  access token (secret)\n" +
			"  needs env:FAR_TOKEN\nask env:FAR_TOKEN: Environment variable FAR_TOKEN (secret)\n",
		"gemini mcp add -t http --timeout 5000 g https://g.test/mcp":                                     "g (http)\n  reach https://g.test/mcp\n  silence 5s\n  - Time-out there: 5s. It is taken over.\n",
		`code --add-mcp '{"name":"files","command":"npx","args":["-y","files"]}'`:                        files,
		`code-insiders --add-mcp "{\"name\":\"files\",\"command\":\"npx\",\"args\":[\"-y\",\"files\"]}"`: files,
	} {
		src, err := ReadText(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := strings.ReplaceAll(drawn(src), `\`, "/"); got != want {
			t.Errorf("%s is read as\n%swant\n%s", text, got, want)
		}
	}
}

// TestReadText_SaysWhyItCannotRead: what would need a shell is refused, never
// understood in part.
func TestReadText_SaysWhyItCannotRead(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "nothing in it",
		" \n":                                   "nothing in it",
		"npx server | tee log":                  "needs a shell (|)",
		"npx server; rm -rf ~":                  "needs a shell (;)",
		"a && b":                                "needs a shell (&&)",
		"a > b":                                 "needs a shell (>)",
		"a `b`":                                 "needs a shell (`)",
		"a \"`b`\"":                             "needs a shell (`)",
		"a $(b)":                                "needs a shell ($(…))",
		"a \"$(b)\"":                            "needs a shell ($(…))",
		"npx 'server":                           "not closed",
		"npx \"server":                          "not closed",
		"claude mcp add":                        "needs a name",
		"claude mcp add name":                   "needs a name, and then",
		"claude mcp add name --env X -- y":      "“--env” needs",
		"claude mcp add n https://a.test/ -H x": "“--header” needs",
		"claude mcp add-json name":              "needs a name",
		"code --add-mcp":                        "nothing in it",
		`{"mcpServers": {`:                      "not JSON",
		`{"a": 1}`:                              "lists no servers",
		"cursor://x/mcp/install?name=a&config=%%":      "carries no server",
		"cursor://x/mcp/install?name=a&config=aGVsbG8": "carries no server",
		strings.Repeat("a", maxSize+1):                 "larger than 4 MiB",
	} {
		src, err := ReadText(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v, %d offers; want %q", text, err, len(src.Offers), want)
		}
	}
	for text, want := range map[string]string{
		"https://lin:canary@a.test/": "must not contain a user name or password",
		"https://":                   "is left out",
	} {
		src, err := ReadText(text)
		if err != nil || len(src.Offers) != 0 || len(src.Problems) != 1 || !strings.Contains(english.Text(src.Problems[0]), want) {
			t.Errorf("%q: %v, %s", text, err, drawn(src))
		}
	}
}

// TestOffer_AnswersGoWhereTheyAreNeeded, and those that are secret into no place
// that is stored.
func TestOffer_AnswersGoWhereTheyAreNeeded(t *testing.T) {
	atLin(t)
	src, err := ReadFile("testdata/import/vscode.json")
	must(t, err)
	answers := map[string]string{"input:perplexity-key": "canary", "input:region": "us", "env:TICKETS_KEY": "canary2", "workspaceFolder": "/home/lin/trip"}
	byName := map[string]Filled{}
	for _, o := range src.Offers {
		byName[o.Server.Name] = o.With(answers)
	}
	if f := byName["Perplexity"]; f.Typed.Env["PERPLEXITY_API_KEY"] != "canary" || f.Server.Args[3] != "us" || f.Server.Env != nil {
		t.Errorf("%+v", f.Server)
	}
	if f := byName["tickets"]; f.Typed.Headers["X-Api-Key"] != "canary2" || f.Server.Headers["Accept-Language"] != "de" {
		t.Errorf("%+v", f.Server)
	}
	f := byName["workspace"].Server
	if f.Dir != "/home/lin/trip" || strings.ReplaceAll(f.Command, `\`, "/") != "/home/lin/trip/bin/server" || f.Args[3] != "trip" {
		t.Errorf("%+v", f)
	}
	t.Run("and what is missing leaves a default or nothing", func(t *testing.T) {
		src, err := ReadFile("testdata/import/claude-code.json")
		must(t, err)
		if got := src.Offers[0].With(nil).Server.URL; got != "https://api.example.com/mcp" {
			t.Errorf("the address is %s", got)
		}
	})
}

// TestKnownFiles_OnlyThoseThatAreThere, and none is read.
func TestKnownFiles_OnlyThoseThatAreThere(t *testing.T) {
	home := t.TempDir()
	if got := knownFiles(home, home, "linux"); got != nil {
		t.Errorf("found %v in an empty folder", got)
	}
	must(t, writeAt(home, ".cursor/mcp.json", "no JSON at all"))
	must(t, writeAt(home, ".lmstudio/mcp.json", ""))
	must(t, writeAt(home, "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", "{}"))
	got := knownFiles(home, home, "linux")
	if len(got) != 2 || got[0].App != "Cursor" || got[1].App != "Cline" {
		t.Errorf("found %v", got)
	}
}

// TestFileTitle_CallsAFileByItsApp wherever it may be found, and others by their name.
func TestFileTitle_CallsAFileByItsApp(t *testing.T) {
	home := t.TempDir()
	for _, system := range []string{"linux", "darwin"} {
		for _, f := range possibleFiles(home, home, system) {
			if got := FileTitle(f.Path); got != f.App {
				t.Errorf("%s is called %q; want %q", f.Path, got, f.App)
			}
		}
	}
	for path, want := range map[string]string{
		"/home/lin/trip/.vscode/mcp.json": "Visual Studio Code", "/home/lin/trip/.mcp.json": "Claude Code", "/home/lin/.roo/mcp.json": "Roo Code",
		"/home/lin/Downloads/mcp.json": "mcp.json", "/home/lin/my.cursor/mcp.json": "mcp.json", "settings.json": "settings.json",
	} {
		if got := FileTitle(path); got != want {
			t.Errorf("%s is called %q; want %q", path, got, want)
		}
	}
}

func TestReadText_ThePathOfAFile(t *testing.T) {
	atLin(t)
	path := written(t, `{"servers": {"a": {"command": "x"}}}`)
	for _, text := range []string{path, `"` + path + `"`, " " + path + "\n"} {
		if src, err := ReadText(text); err != nil || len(src.Offers) != 1 {
			t.Errorf("%s: %v", text, err)
		}
	}
}
