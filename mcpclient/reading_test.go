package mcpclient

import (
	"strings"
	"testing"
)

// TestReading_WhoReadsTheArguments: a shell or an interpreter that carries them out is
// told from a program that is passed words.
func TestReading_WhoReadsTheArguments(t *testing.T) {
	for want, commands := range map[Reading][]string{
		ReadByShell: {
			"sh|-c|server; rm -rf /", "/bin/bash|-lc|server", "bash|--login|-c|x", "bash|-o|pipefail|-c|x", "bash|--rcfile|x|-c|y", "zsh|-ic|x", "fish|--command=x", "fish|-C|x",
			"C:\\Windows\\System32\\cmd.exe|/c|npx server", "cmd|/d|/s|/c|x", "CMD.EXE|/V:ON/Cdir", "cmd|/K|x",
			"powershell|-NoProfile|-Command|x", "powershell.exe|-ExecutionPolicy|Bypass|Get-Date; ls", "pwsh|-c|x", "pwsh|-EncodedCommand|eA==", "pwsh|-w|hidden|-enc|eA==", "pwsh|-comm|x",
			"env|A=b c|sh|-c|x", "/usr/bin/env|bash|-c|x", "env|-S|sh -c|x", "env|-Ssh -c x", "sudo|-u|root|sh|-c|x", "nice|-n|10|bash|-c|x", "nohup|env|sh|-c|x",
			"busybox|sh|-c|x", "timeout|5|sh|-c|x", "docker|run|-i|--rm|debian|bash|-c|x", "npx|-y|-c|server | tee log", "npx|-p|pkg|--call=x",
		},
		ReadAsFile: {"sh|server.sh", "bash|-e|start.sh|-c", "sh", "sh|-s", "cmd|/d", "pwsh|start.ps1|-c", "pwsh|-File|x.ps1", "powershell|-f|x.ps1|-c|y", "sudo|sh|start.sh", "bash|--|-c", "sh|-"},
		ReadAsCode: {
			"python|-c|print()", "python3.12|-u|-c|x", "python|-Ic|x", "/usr/bin/python3|-W|ignore|-cprint()", "py.exe|-c|x", "node|-e|x", "node|--eval=x", "node|-r|./a|-p|x", "node-22|--import|data:text/javascript,x",
			"node|--import=data:text/javascript,x", "deno|eval|x", "bun|-e|x", "bun|exec|x", "perl|-we|x", "perl|-lane|x", "ruby|-rjson|-e|x", "ruby|-r|json|-e|x", "php|-r|x", "lua|-e|x", "osascript|-e|x",
			"env|python|-c|x", "uv|run|python|-c|x", "npx|-y|tsx|-e|x", "doas|-u|me|node|-e|x",
		},
		ReadAsWords: {
			"npx|-y|server|*.txt; rm -rf ~", "npx|-y|server|-c|config", "server|-c|x", "server|sh|-c|x", "python|server.py|-c|config", "python|-m|server|-c|x", "node|server.js|-e|production",
			"node|--env-file|.env|server.js|-p|80", "ruby|server.rb|-e|x", "perl|-T|server.pl|-e", "deno|run|server.ts|eval", "php|server.php|-r", "uvx|server|-c|x", "env|A=b|server|-c|x", "docker|run|-i|image|-c|x", "",
			"/opt/shell/server|-c|x", "shell|-c|x", "node", "-|-c",
		},
	} {
		for _, c := range commands {
			parts := strings.Split(c, "|")
			if got := (Server{Kind: Stdio, Command: parts[0], Args: parts[1:]}).Reading(); got != want {
				t.Errorf("%s: %s, want %s", c, got, want)
			}
		}
	}
	if got := (Server{Kind: HTTP, Command: "sh", Args: []string{"-c"}}).Reading(); got != ReadAsWords {
		t.Errorf("an address: %s", got)
	}
}
