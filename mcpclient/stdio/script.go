package stdio

import (
	"path"
	"regexp"
	"strings"

	"parley/mcpclient/wire"
)

// interpreters are programs that people know only by what they run, without
// .exe and the like, or a version such as that of python3.12.
var interpreters = map[string]bool{
	"python": true, "pythonw": true, "pypy": true, "py": true, "node": true, "nodejs": true, "deno": true,
	"bun": true, "tsx": true, "ts-node": true, "ruby": true, "perl": true, "php": true, "java": true, "dotnet": true,
	"sh": true, "bash": true, "zsh": true, "pwsh": true, "powershell": true,
	"npx": true, "bunx": true, "pnpx": true, "uvx": true, "uv": true, "pipx": true, "npm": true, "pnpm": true, "yarn": true,
}

// scriptCommands are words that stand before what some of them run.
var scriptCommands = map[string]bool{"run": true, "exec": true, "x": true, "dlx": true, "tool": true}

// code are flags after which there is a program text and no name of a script.
var code = map[string]bool{"-c": true, "-e": true, "--eval": true, "-p": true, "--print": true, "-command": true, "-Command": true}

// withValue are flags whose value is not the script.
var withValue = map[string]bool{
	"-r": true, "--require": true, "--import": true, "--loader": true, "--env-file": true, "-X": true, "-W": true, "-cp": true,
	"-classpath": true, "--package": true, "--from": true, "--with": true, "--python": true, "--directory": true,
	"--project": true, "--index-url": true, "--registry": true, "--prefix": true,
}

// ending is the end of a program's name that says nothing of what it is.
var ending = regexp.MustCompile(`(?i)(\.(exe|cmd|bat|com))?$`)

// version is that of python3 or node-22 in a name.
var version = regexp.MustCompile(`-?[0-9][0-9.]*$`)

// maxScript bounds, in bytes, the name of a script.
const maxScript = 200

// script returns what the interpreter c runs, "" if c is none or that cannot be
// told. Arguments behind it, values of flags and addresses with a password in
// them are never part of it: they may be secrets.
func script(c Command) string {
	name := path.Base(strings.ReplaceAll(c.Path, `\`, "/"))
	name = version.ReplaceAllString(ending.ReplaceAllString(name, ""), "")
	if !interpreters[strings.ToLower(name)] {
		return ""
	}
	for i := 0; i < len(c.Args); i++ {
		switch arg := c.Args[i]; {
		case arg == "-", code[arg]:
			return ""
		case arg == "--", scriptCommands[arg]:
		case withValue[arg]:
			i++
		case strings.HasPrefix(arg, "-"): // what follows -m and -jar is the script
		case strings.Contains(arg, "=") || strings.Contains(arg, "://"):
			return ""
		default:
			return wire.Clip(arg, maxScript)
		}
	}
	return ""
}
