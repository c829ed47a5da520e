package config

import (
	"strings"
	"testing"
)

// TestReadText_WhatREADMEsHave: links that install, text in which something is left
// out, and the commands of many apps, as they stand in the READMEs of servers.
func TestReadText_WhatREADMEsHave(t *testing.T) {
	atLin(t)
	for text, want := range map[string]string{
		"https://insiders.vscode.dev/redirect?url=vscode%3Amcp%2Finstall%3F%257B%2522name%2522%253A%2522pw%2522%252C%2522command%2522%253A%2522npx%2522%252C%2522args%2522%253A%255B%2522%2540pw%252Fmcp%2522%255D%257D": "pw (stdio)\n" + `  start ["npx" "@pw/mcp"] in ""` + "\n",
		"[![Install](https://img.shields.io/x)](https://insiders.vscode.dev/redirect?url=vscode-insiders%3Amcp%2Finstall%3F%257B%2522name%2522%253A%2522pw%2522%252C%2522command%2522%253A%2522npx%2522%257D)":           "pw (stdio)\n" + `  start ["npx"] in ""` + "\n",
		"https://aka.ms/vs/mcp-install?%7B%22name%22%3A%22gh%22%2C%22gallery%22%3Atrue%2C%22url%22%3A%22https%3A%2F%2Fgh.test%2Fmcp%22%7D":                                                                               "gh (http)\n  reach https://gh.test/mcp\n",
		"https://kiro.dev/launch/mcp/add?name=pw&config=%7B%22command%22%3A%22npx%22%7D":                                                                                                                                 "pw (stdio)\n" + `  start ["npx"] in ""` + "\n",
		"goose://extension?cmd=npx&arg=-y&arg=pw&name=Play&env=PW_TOKEN%3DYour%20token":                                                                                                                                  "Play (stdio)\n" + `  start ["npx" "-y" "pw"] in ""` + "\n  env PW_TOKEN (secret)\n  needs env:PW_TOKEN\nask env:PW_TOKEN: Environment variable PW_TOKEN (secret)\n",
		"https://block.github.io/goose/extension?cmd=npx&arg=pw&name=Play":                                                                                                                                               "Play (stdio)\n" + `  start ["npx" "pw"] in ""` + "\n",
		"https://mcp.test/mcp?config=eu":                                                                  "mcp.test (http)\n  reach https://mcp.test/mcp?config=eu\n",
		"https://mcp.test/mcp?url=https://b.test/":                                                        "mcp.test (http)\n  reach https://mcp.test/mcp?url=https://b.test/\n",
		"{\n  ...\n  \"a\": {\"command\": \"x\"},\n  ...,\n  …\n}":                                        "a (stdio)\n" + `  start ["x"] in ""` + "\n  ! Something is left out of this text (“…”), and may belong to this server.\n",
		"Put this in:\n\n\"search\": {\"command\": \"npx\"}\n\nand restart.":                              "search (stdio)\n" + `  start ["npx"] in ""` + "\n",
		"https://a.test/mcp (or https://a.test/sse)":                                                      "a.test (http)\n  reach https://a.test/mcp\n  ! More follows the address, from “(or” on. It is left out.\n",
		"npx srv --project $(pwd)":                                                                        "srv (stdio)\n" + `  start ["npx" "srv" "--project" "${PWD}"] in ""` + "\n  needs PWD\nask PWD: Folder of the project\n",
		`npx srv --project "$(pwd)/y"`:                                                                    "srv (stdio)\n" + `  start ["npx" "srv" "--project" "${PWD}/y"] in ""` + "\n  needs PWD\nask PWD: Folder of the project\n",
		"cd ~/src && npm install && node build/index.js":                                                  "index (stdio)\n" + `  start ["node" "build/index.js"] in "/home/lin/src"` + "\nproblem: “npm …” is left out: With this, “npm” prepares something and starts no server.\n",
		`$env:A_KEY="can; ary"; npx srv`:                                                                  "srv (stdio)\n" + `  start ["npx" "srv"] in ""` + "\n  env A_KEY (secret)\n",
		`set A_KEY=canary && npx srv`:                                                                     "srv (stdio)\n" + `  start ["npx" "srv"] in ""` + "\n  env A_KEY (secret)\n",
		"https://a.test/mcp/s/********/mcp":                                                               "a.test (http)\n  reach https://a.test/mcp/s/********/mcp\n  ! Its address seems to hold a secret, and would stand in the server list as plain text. If the server takes it in a header, put it there instead.\n  needs stand-in:0:********\nask stand-in:0:********: ******** in the place of ******** of \"a.test\" (secret)\n",
		`droid mcp add pw "npx @pw/mcp@latest"`:                                                           "pw (stdio)\n" + `  start ["npx" "@pw/mcp@latest"] in ""` + "\n  ! “command” is a whole command line there; it was taken apart. Look at each word before you add it.\n",
		"claude mcp add jira env A_TOKEN=canary LOG_LEVEL=debug uvx jira":                                 "jira (stdio)\n" + `  start ["uvx" "jira"] in ""` + "\n  env LOG_LEVEL = \"debug\"\n  env A_TOKEN (secret)\n",
		"claude mcp add ours /opt/our\\ server":                                                           "ours (stdio)\n" + `  start ["/opt/our server"] in ""` + "\n",
		"amp mcp add c7 --header C7_KEY=canary https://c7.test/mcp":                                       "c7 (http)\n  reach https://c7.test/mcp\n  header C7_KEY (secret)\n",
		"https://github.com/microsoft/playwright-mcp":                                                     "github.com (http)\n  reach https://github.com/microsoft/playwright-mcp\n  ! Its address looks like that of a web page about a server, not of a server.\n",
		"https://packages.test/package/@scope/server":                                                     "packages.test (http)\n  reach https://packages.test/package/@scope/server\n  ! Its address looks like that of a web page about a server, not of a server.\n",
		"https://a.test/docs/mcp.html?x":                                                                  "a.test (http)\n  reach https://a.test/docs/mcp.html?x\n  ! Its address looks like that of a web page about a server, not of a server.\n",
		"https://api.github.com/mcp":                                                                      "api.github.com (http)\n  reach https://api.github.com/mcp\n",
		`{"url": "https://a.test/mcp", "headers": {"X-Flag": "true", "X-Pin": "1234", "X-Region": "eu"}}`: "a.test (http)\n  reach https://a.test/mcp\n  header X-Flag = \"true\"\n  header X-Region = \"eu\"\n  header X-Pin (secret)\n",
		`{"manifest_version": "0.3", "name": "ext", "server": {"type": "node", "mcp_config": {"command": "node", "args": ["x.js", "${user_config.dir}"], "env": {"API_KEY": "${user_config.api_key}"}}},
		  "user_config": {"api_key": {"type": "string", "title": "API Key", "description": "Of your account", "sensitive": true}, "dir": {"type": "directory", "title": "Folder", "default": "~"}}}`: "ext (stdio)\n" +
			`  start ["node" "x.js" "${user_config.dir}"] in ""` + "\n  env API_KEY (secret)\n  needs user_config.dir\n  needs user_config.api_key\nask user_config.dir: Folder = \"~\"\nask user_config.api_key: API Key \"Of your account\" (secret)\n",
	} {
		src, err := ReadText(text)
		if err != nil || drawn(src) != want {
			t.Errorf("%s is read as\n%s%v\nwant\n%s", text, drawn(src), err, want)
		}
	}
	for text, want := range map[string]string{
		"npx srv && rm -rf x":         "It needs a shell (&&)",
		"cd x && npx srv | tee log":   "It needs a shell (|)",
		"curl -N https://a.test/mcp":  "prepares something and starts no server",
		"npx x $(cat key)":            "It needs a shell",
		`{"name": "x", "server": {}}`: "lists no servers",
		"{\n  \"a\": ...\n}":          "not JSON",
	} {
		if src, err := ReadText(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\n%s", text, err, drawn(src))
		}
	}
}
