package mcpclient

import (
	"path"
	"regexp"
	"strings"
)

// Reading says who reads the arguments of a program, as far as its name tells.
type Reading string

// The readings. Parley puts no shell between itself and a program, but the program
// may be one.
const (
	// ReadAsWords: each argument is passed on as it is, and no shell reads it.
	ReadAsWords Reading = "words"
	// ReadAsFile: the program is a shell, and carries out a file or what comes later.
	ReadAsFile Reading = "file"
	// ReadByShell: a shell carries out what stands in the arguments, as in sh -c.
	ReadByShell Reading = "shell"
	// ReadAsCode: an interpreter carries out a program text that stands in the
	// arguments, as in python -c.
	ReadAsCode Reading = "code"
)

// Reading tells who reads the arguments of s: its program, or the one that this
// starts in its turn where it is one such as env or sudo.
func (s Server) Reading() Reading {
	if s.Kind != Stdio {
		return ReadAsWords
	}
	return readingOf(s.Command, s.Args)
}

// runner is a kind of program that carries out what stands in its arguments.
type runner struct {
	text, otherwise Reading        // with such an argument, and without
	options         *regexp.Regexp // those a text stands in or behind
	valued          *regexp.Regexp // those whose value is the next argument
	file            *regexp.Regexp // those behind which a file stands; may be nil
	marks           string         // what options begin with
	// first tells that a text needs no option: it is the first argument that is none.
	first bool
}

// runners are the programs that are known to run texts, by their names.
var runners = func() map[string]*runner {
	all := map[string]*runner{}
	add := func(names string, text, otherwise Reading, options, valued string) *runner {
		r := &runner{text: text, otherwise: otherwise, options: regexp.MustCompile(options), valued: regexp.MustCompile(valued), marks: "-+"}
		for _, name := range strings.Fields(names) {
			all[name] = r
		}
		return r
	}
	add("sh bash rbash dash ash zsh ksh mksh yash fish csh tcsh nu elvish xonsh", ReadByShell, ReadAsFile,
		`^-[a-zA-Z]*[cC]|^--(init-)?command\b`, `^[-+][oO]$|^--(rcfile|init-file)$`)
	add("cmd", ReadByShell, ReadAsFile, `(?i)^(/[a-z](:[a-z]+)?)*/[ckr]`, `^$`).marks = "/"
	// Names of their options may be cut short. Windows' own takes words without an
	// option for a command, the newer one for a file.
	for _, name := range []string{"powershell", "pwsh"} {
		p := add(name, ReadByShell, ReadAsFile, `(?i)^[-/]+(c|com?|comm[a-z]*|cwa|e|ec|en[a-z]*)$`,
			`(?i)^[-/]+(ex[a-z]*|ep|w[a-z]*|v[a-z]*|in[a-z]*|if|o[a-z]*|con[a-z]*|settings[a-z]*|custom[a-z]*|psc[a-z]*)$`)
		p.file, p.marks, p.first = regexp.MustCompile(`(?i)^[-/]+f[a-z]*$`), "-/", name == "powershell"
	}
	code := func(names, options, valued string) { add(names, ReadAsCode, ReadAsWords, options, valued) }
	code("python pythonw pypy py ipython", `^-[bBdEiIOPqsSuvx]*c`, `^-[WX]$|^--check-hash-based-pycs$`)
	code("node nodejs tsx ts-node", `^(-e|-p|-pe|--eval|--print)(=|$)|data:`,
		`^(-r|-C|-P|--(require|import|loader|experimental-loader|env-file|conditions|input-type|tsconfig))$`)
	code("bun", `^(-e|-p|--eval|--print)(=|$)|^exec$`, `^(-r|--(preload|cwd|env-file|config))$`)
	code("deno", `^eval$`, `^$`)
	code("perl ruby", `^-[acflnpstuvwxiTUWX0-9]*[eE]`, `^-[IrC]$`)
	code("php", `^-[rBRE]|^--(run|process-)`, `^-[cdzg]$`)
	code("lua luajit julia rscript elixir groovy osascript swift racket emacs", `^(-[eE]|--eval|--print)`, `^-[lrS]$`)
	add("npx pnpx", ReadByShell, ReadAsWords, `^(-c|--call)(=|$)`, `^(-p|--package)$`)
	return all
}()

// starters start a program that stands among their arguments.
var starters = regexp.MustCompile(`^(env|sudo|doas|pkexec|nice|ionice|chrt|taskset|nohup|setsid|timeout|stdbuf|time|busybox|toybox|xvfb-run|` +
	`dbus-run-session|systemd-run|firejail|bwrap|unshare|chroot|caffeinate|docker|podman|wsl|npx|pnpx|bunx|npm|pnpm|yarn|uv|uvx|poetry|pipenv|conda|mise|cross-env)$`)

// programEnding is what the name of a program may have at its end: a version, such as
// that of python3.12 or node-22, and what Windows adds.
var programEnding = regexp.MustCompile(`(-?[0-9][0-9.]*)?(\.(exe|cmd|bat|com))?$`)

// programName is the name of a program alone, in small letters.
func programName(command string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	return name[:programEnding.FindStringIndex(name)[0]]
}

func readingOf(command string, args []string) Reading {
	name := programName(command)
	reading := ReadAsWords
	if r := runners[name]; r != nil {
		reading = r.reading(args)
	}
	if reading != ReadAsWords || !starters.MatchString(name) {
		return reading
	}
	if name == "env" { // which may take one argument apart itself
		for i, arg := range args {
			if line, split := strings.CutPrefix(strings.Replace(arg, "--split-string=", "-S", 1), "-S"); split {
				args = strings.Fields(line + " " + strings.Join(args[i+1:], " "))
				break
			}
		}
	}
	// Where it stands depends on options, which may have values: it is taken for the
	// first word that is the name of a program known here.
	for i, arg := range args {
		if known := programName(arg); runners[known] != nil || starters.MatchString(known) {
			return readingOf(arg, args[i+1:])
		}
	}
	return ReadAsWords
}

// reading looks at the arguments before the file that is run, for those behind it
// are its own.
func (r *runner) reading(args []string) Reading {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case r.options.MatchString(arg):
			return r.text
		case r.valued.MatchString(arg):
			if i++; i < len(args) && r.options.MatchString(args[i]) {
				return r.text
			}
		case r.file != nil && r.file.MatchString(arg):
			return r.otherwise
		case arg == "" || arg == "-" || arg == "--" || !strings.ContainsRune(r.marks, rune(arg[0])):
			if r.first {
				return r.text
			}
			return r.otherwise
		}
	}
	return r.otherwise
}
