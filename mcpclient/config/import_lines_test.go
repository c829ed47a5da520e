package config

import (
	"slices"
	"strings"
	"testing"
)

// TestPaste_APieceOfATerminalOrAReadmeIsRead: prompts, comments, fences, lines
// that go on, several commands, prose around them.
func TestPaste_APieceOfATerminalOrAReadmeIsRead(t *testing.T) {
	atLin(t)
	for text, want := range map[string][]string{
		"$ npx -y files": {"npx -y files"}, "> npx -y files": {"npx -y files"}, "% npx -y files": {"npx -y files"}, "❯ npx -y files": {"npx -y files"},
		"lin@host:~/trip$ npx -y files": {"npx -y files"}, "PS C:\\> npx -y files": {"npx -y files"}, "C:\\Users\\lin>npx -y files": {"npx -y files"},
		"[lin@host trip]$ npx -y files":   nil,
		"$ npx \\\n> -y \\\n> files":      {"npx -y files"},
		"```\n$ npx -y files\n```":        {"npx -y files"},
		"~~~bash\nnpx -y files\n~~~":      {"npx -y files"},
		"`npx -y files`":                  {"npx -y files"},
		"# start it\nnpx -y files\n# end": {"npx -y files"},
		"REM start it\r\nnpx -y files":    {"npx -y files"},
		"Add it:\n\n```json\n{\"mcpServers\": {\"a\": {\"command\": \"a-srv\"}}}\n```\n\nor run\n\n```sh\nclaude mcp add b -- b-srv -x\n```\n": {"a-srv", "b-srv -x"},
		"Put this in your file:\n{\"mcpServers\": {\"a\": {\"command\": \"a-srv\"}}}\nand start again.":                                        {"a-srv"},
		"{\"mcpServers\": {\"a\": {\"command\": \"a-srv\"}}}\nThen restart.":                                                                   {"a-srv"},
		"# ~/.config/mcp.json\n{\"a\": {\"command\": \"a-srv\"}}":                                                                              {"a-srv"},
		"[{\"name\": \"a\", \"command\": \"a-srv\"}, {\"command\": \"b-srv\"}]":                                                                {"a-srv", "b-srv"},
		"{\"mcpServers\": [{\"name\": \"a\", \"command\": \"a-srv\"}]}":                                                                        {"a-srv"},
		"claude mcp add-json a '{\n  \"command\": \"a-srv\",\n  \"args\": [\"-x\"]\n}'":                                                        {"a-srv -x"},
		"code --add-mcp '{\"name\":\"a\",\"command\":\"a-srv\"}' --add-mcp '{\"name\":\"b\",\"command\":\"b-srv\"}'":                           {"a-srv", "b-srv"},
		"claude mcp add a -- a-srv -x\nclaude mcp add b -- b-srv -y":                                                                           {"a-srv -x", "b-srv -y"},
		"npm install -g a-srv\nclaude mcp add a -- a-srv -x":                                                                                   {"a-srv -x"},
		"export A_TOKEN=canary\ncd /srv\nnpx -y files":                                                                                         {"npx -y files"},
		"set A_TOKEN=canary\r\nnpx -y files":                                                                                                   {"npx -y files"},
		"$env:A_TOKEN = \"canary\"\nnpx -y files":                                                                                              {"npx -y files"},
		"npx -y files\nnpx -y other":                                                                                                           {"npx -y files", "npx -y other"},
		"Don't wait, run\nnpx -y files\nand don't stop":                                                                                        {"npx -y files"},
		"- npx -y files": {"npx -y files"}, "1. npx -y files": {"npx -y files"}, "- npx -y files\n- npx -y other": {"npx -y files", "npx -y other"},
		"poetry run srv":      {"poetry run srv"},
		"goose mcp developer": {"goose mcp developer"}, "myserver stdio": {"myserver stdio"}, "/opt/my-server": {"/opt/my-server"}, "mcp-server-time": {"mcp-server-time"},
	} {
		src, err := ReadText(text)
		var got []string
		for _, o := range src.Offers {
			got = append(got, strings.Join(append([]string{o.Server.Command}, o.Server.Args...), " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q offers %q; want %q (%v)", text, got, want, err)
		}
		if said := drawn(src); strings.Contains(said, "canary") || err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: a secret shows in\n%s%v", text, said, err)
		}
	}
	src, err := ReadText("export A_TOKEN=canary B=true\ncd /srv\nnpx -y files")
	must(t, err)
	if f := src.Offers[0].With(nil); f.Server.Dir != "/srv" || f.Typed.Env["A_TOKEN"] != "canary" || f.Server.Env["B"] != "true" || len(src.Offers[0].Doubts) != 0 {
		t.Errorf("what was set before is lost: %s", drawn(src))
	}
	src, err = ReadText("npx -y files\nnpx -y other\nnpm install x --token canary\n")
	must(t, err)
	for _, o := range src.Offers {
		if !strings.Contains(drawn(Source{Offers: []Offer{o}}), "one of 2 commands") {
			t.Errorf("several commands are ticked at once: %s", drawn(src))
		}
	}
	if said := drawn(src); !strings.Contains(said, "problem: “npm …” is left out: With this, “npm” prepares") || strings.Contains(said, "canary") {
		t.Errorf("it says\n%s", said)
	}
}

// TestPaste_WhatCannotBeAServerIsSaidWhy.
func TestPaste_WhatCannotBeAServerIsSaidWhy(t *testing.T) {
	const prose = "no command line, no address and no JSON"
	for text, want := range map[string]string{
		strings.Repeat("npx a \\\n", maxCommands): prose,
		"hello there how are you":                 prose, "null": prose, "true": prose, "42": prose, "Hello, world": prose, "Run this:": prose, "你好，世界": prose, "what's up": prose,
		"well-known servers are good": prose, "This is a server that gives you the files of a folder in /srv": prose, "Please install it first.": prose,
		"I don't know what to paste here": prose, "(hello there)": prose, "hello there (how are you)": prose,
		strings.Repeat("[", 100_000): "not JSON", "[1, 2]": "not an object", `"just a text"`: prose, "[]": "not an object", `{"mcpServers": 5}`: "“mcpServers” is not an object",
		"# only a comment": "only comments", "export A=b\ncd /srv": "only comments", "cd": "a word of the shell", "source .env": "a word of the shell", "set": "a word of the shell",
		"npm install -g x": "prepares something", "git clone https://a.test/x": "prepares something", "pip install x": "prepares something", "docker pull mcp/x": "prepares something",
		"brew install x": "prepares something", "mkdir x": "prepares something", "uv tool install x": "prepares",
		"claude mcp list": "“claude mcp list” adds no server", "codex mcp login x": "adds no server", "npx -y @anthropic-ai/claude-code mcp remove x": "adds no server",
		"mcp.json": "the name of a file", `C:\Users\lin\no-such\mcp.json`: "", "config.toml": "the name of a file",
		"```\n```": "", "``": "", "A=": "only comments", "-": prose, "$": prose, "-y": prose, "=": prose, "@": prose, "😀": prose, "a\x00b": prose, "*": prose,
		"http:/a.test": "not an address of a server", "https:": prose, "https:a.test": "not an address of a server", "/mcp add x": "“/mcp add” adds no server", "npm run build": "prepares something",
		"[mcp_servers.foo]\ncommand = \"npx\"": "It is TOML", "command: npx\nargs:\n  - -y": "It is YAML", "mcpServers:\n  - name: x\n    command: npx": "It is YAML",
	} {
		src, err := ReadText(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q\n%s", text, err, want, drawn(src))
		}
	}
	for text, want := range map[string]string{
		"hello": "may be text", "hello world": "may be text", "node is what you need": "may be text", "你好": "may be text",
		"npx -y @smithery/cli install x --client claude": "seems to install something", "fastmcp install server.py": "seems to install something",
		"mcp.example.com/mcp": "begins with https://", "mcp.example.com": "begins with https://", "claude plugin install x": "seems to install something",
		"https://a.test/mcp is nice": "More follows the address, from “is” on", "localhost:3000/mcp": "begins with https://", "127.0.0.1:3000": "begins with https://",
	} {
		src, err := ReadText(text)
		if err != nil || len(src.Offers) != 1 || len(src.Offers[0].Doubts) == 0 || !strings.Contains(drawn(src), want) {
			t.Errorf("%q: %v\n%s", text, err, drawn(src))
		}
	}
}

// TestPaste_AddressesInWhateverStandsAroundThem.
func TestPaste_AddressesInWhateverStandsAroundThem(t *testing.T) {
	for text, want := range map[string]string{
		"<https://a.test/mcp>": "https://a.test/mcp", `"https://a.test/mcp"`: "https://a.test/mcp", "`https://a.test/mcp`": "https://a.test/mcp",
		"[docs](https://a.test/mcp)": "https://a.test/mcp", "URL: https://a.test/mcp": "https://a.test/mcp", "- https://a.test/mcp": "https://a.test/mcp",
		"https://a.test/mcp\nhttps://b.test/mcp": "https://a.test/mcp https://b.test/mcp", "https://a.test/mcp https://b.test/mcp": "https://a.test/mcp https://b.test/mcp",
		"Address: https://a.test/mcp\nThat is all you need to know.": "https://a.test/mcp",
	} {
		src, err := ReadText(text)
		var got []string
		for _, o := range src.Offers {
			got = append(got, o.Server.URL)
			if len(o.Doubts) > 0 {
				t.Errorf("%q: %s", text, drawn(src))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q offers %q; want %s (%v)", text, got, want, err)
		}
	}
}
