package config

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/http"
)

// readCommand reads a command line: one that adds a server to another app, or
// the one that starts a server.
func readCommand(text string) (found, error) {
	text = strings.TrimPrefix(text, "$ ")
	words, err := splitWords(text)
	if err != nil {
		return found{}, err
	}
	var v mcpclient.Server
	words = takeAssignments(words, &v)
	if len(words) == 0 {
		return found{}, &fault{i18n.M("cli.import_empty")}
	}
	if slices.Contains(words, "--add-mcp") {
		return addMCP(words)
	}
	if i := slices.Index(words, "mcp"); i > 0 && i+1 < len(words) {
		switch words[i+1] {
		case "add":
			return one(addLine{v: v, words: words[i+2:]}.read())
		case "add-json":
			return addJSON(words[i+2:])
		}
	}
	v.Kind, v.Command, v.Args = mcpclient.Stdio, words[0], words[1:]
	v.Name = guessName(v)
	return one(v, nil)
}

// one is a single server.
func one(v mcpclient.Server, err error) (found, error) {
	if err != nil {
		return found{}, err
	}
	return found{entries: []foundEntry{{server: v}}}, nil
}

// takeAssignments takes NAME=value words off the front.
func takeAssignments(words []string, v *mcpclient.Server) []string {
	if len(words) > 0 && words[0] == "env" {
		words = words[1:]
	}
	for len(words) > 0 && setEnv(v, words[0]) {
		words = words[1:]
	}
	return words
}

// setEnv takes in NAME=value; ok is false for anything else.
func setEnv(v *mcpclient.Server, word string) (ok bool) {
	name, value, found := strings.Cut(word, "=")
	if !found || !envName.MatchString(name) {
		return false
	}
	if v.Env == nil {
		v.Env = map[string]string{}
	}
	v.Env[name] = value
	return true
}

// addMCP reads `code --add-mcp JSON`, also of editors that are built on it.
func addMCP(words []string) (found, error) {
	i := slices.Index(words, "--add-mcp") + 1
	if i == len(words) {
		return found{}, &fault{i18n.M("cli.import_empty")}
	}
	return findEntries([]byte(words[i]))
}

// addJSON reads `claude mcp add-json NAME JSON`.
func addJSON(words []string) (found, error) {
	var plain []string
	for i := 0; i < len(words); i++ {
		if strings.HasPrefix(words[i], "-") {
			i++ // all its flags take a value
			continue
		}
		plain = append(plain, words[i])
	}
	if len(plain) < 2 {
		return found{}, &fault{i18n.M("cli.import_add")}
	}
	return found{entries: []foundEntry{importEntry(plain[0], json.RawMessage(lenient([]byte(plain[1]))))}}, nil
}

// addLine is what follows `claude mcp add`, `codex mcp add`, `gemini mcp add` and
// their like: flags anywhere, a name, then an address or, mostly after "--", a
// command.
type addLine struct {
	v      mcpclient.Server
	words  []string
	plain  []string // what is neither a flag nor a flag's
	dashed []string // what follows "--"
	kind   string
	url    string
}

// read makes a server of it.
func (a addLine) read() (mcpclient.Server, error) {
	if err := a.flags(); err != nil {
		return a.v, err
	}
	if len(a.plain) == 0 {
		return a.v, &fault{i18n.M("cli.import_add")}
	}
	a.v.Name = a.plain[0]
	rest := append(a.plain[1:], a.dashed...)
	if a.url == "" && len(rest) > 0 && (isAddress(rest[0]) || kinds[a.kind] == mcpclient.HTTP || kinds[a.kind] == mcpclient.SSE) {
		a.url, rest = rest[0], rest[1:]
	}
	switch {
	case a.url != "":
		a.v.Kind, a.v.URL, a.v.Env = mcpclient.HTTP, a.url, nil
		if kinds[a.kind] == mcpclient.SSE {
			a.v.Kind = mcpclient.SSE
		}
		return a.v, nil
	case len(rest) == 0:
		return a.v, &fault{i18n.M("cli.import_add")}
	}
	a.v.Kind, a.v.Command, a.v.Args, a.v.Headers = mcpclient.Stdio, rest[0], rest[1:], nil
	return a.v, nil
}

// flags sorts the words. A flag after the first word of a command is the
// command's own.
func (a *addLine) flags() error {
	for len(a.words) > 0 {
		word := a.next()
		name, value, joined := strings.Cut(word, "=")
		if word == "--" {
			a.dashed = a.words
			return nil
		}
		inCommand := len(a.plain) > 1 && !isAddress(a.plain[1])
		if !strings.HasPrefix(word, "-") || inCommand {
			a.plain = append(a.plain, word)
			continue
		}
		if !strings.HasPrefix(word, "--") {
			name, value, joined = word, "", false
		}
		get := func() string {
			if joined || len(a.words) == 0 {
				return value
			}
			return a.next()
		}
		switch name {
		case "-e", "--env":
			// It takes any number of values.
			if !setEnv(&a.v, get()) {
				return &fault{i18n.M("cli.import_add_env")}
			}
			for len(a.words) > 0 && setEnv(&a.v, a.words[0]) {
				a.next()
			}
		case "-H", "--header":
			key, text, found := strings.Cut(get(), ":")
			if !found {
				return &fault{i18n.M("cli.import_add_header")}
			}
			if a.v.Headers == nil {
				a.v.Headers = map[string]string{}
			}
			a.v.Headers[strings.TrimSpace(key)] = strings.TrimSpace(text)
		case "-t", "--transport", "--type":
			a.kind = get()
		case "--url":
			a.url = get()
		case "--bearer-token-env-var":
			a.v.Headers = map[string]string{"Authorization": "Bearer ${env:" + get() + "}"}
		case "--trust", "--debug", "--global", "--client-secret", "--verbose", "-g":
			// no value
		default:
			get() // --scope and whatever else apps have for themselves
		}
	}
	return nil
}

func (a *addLine) next() string {
	w := a.words[0]
	a.words = a.words[1:]
	return w
}

func isAddress(s string) bool {
	s = strings.ToLower(s)
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// runners start what their first operand names.
var runners = []string{"npx", "bunx", "pnpx", "uvx", "pipx", "dnx", "deno", "node", "python", "python3", "uv", "bun", "pnpm", "yarn", "npm", "docker", "podman", "cmd"}

// runnerWords are operands of runners that name nothing.
var runnerWords = []string{"run", "exec", "dlx", "x", "start", "tool", "npx", "python", "/c", "-"}

// guessName is a name for a server that has none: the host of its address, or
// the package or program that is started.
func guessName(v mcpclient.Server) string {
	if v.Kind != mcpclient.Stdio {
		if o, err := http.ParseOrigin(v.URL); err == nil {
			return o.Host
		}
		return ""
	}
	base := func(s string) string {
		s = path.Base(filepath.ToSlash(strings.ReplaceAll(s, `\`, "/")))
		name, _, _ := strings.Cut(s, "@")
		name, _, _ = strings.Cut(name, ":")
		for _, end := range []string{".exe", ".cmd", ".js", ".mjs", ".py", ".ts"} {
			name = strings.TrimSuffix(name, end)
		}
		return name
	}
	name := base(v.Command)
	if !slices.Contains(runners, name) {
		return name
	}
	for i, a := range v.Args {
		if strings.HasPrefix(a, "-") || a == "" || slices.Contains(runnerWords, a) || takesValue(v.Args, i) {
			continue
		}
		if b := base(a); b != "" {
			return b
		}
	}
	return name
}

// takesValue reports whether argument i is the value of the flag before it, for
// flags that runners often get.
func takesValue(args []string, i int) bool {
	return i > 0 && slices.Contains([]string{"-e", "--env", "-v", "--volume", "--mount", "--name", "--network", "-p", "--directory", "--with", "--from", "--python"}, args[i-1])
}
