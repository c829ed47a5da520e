package config

import (
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/http"
)

// readCommand reads a command line: one that adds a server to another app, or
// the one that starts a server. What lines before it set up is set.
func readCommand(l pastedLine, set *setUp) (found, error) {
	if ok, err := set.take(l); ok || err != nil {
		return found{}, err
	}
	c, err := readCommandLine(l.text, l.windows)
	if words := strings.Fields(l.text); err != nil && len(words) > 1 && isAddress(words[0]) {
		return readAddresses(words) // with text behind it
	}
	if err != nil {
		if isProse(strings.Fields(l.text)) {
			err = &fault{i18n.M("cli.import_prose")}
		}
		return found{}, err
	}
	f, err := readWords(c, set)
	doubts, notes := c.doubts()
	for i := range f.entries {
		e := &f.entries[i]
		e.doubts, e.notes = append(e.doubts, doubts...), append(e.notes, notes...)
	}
	return f, err
}

// readWords reads a command line that was taken apart.
func readWords(c commandLine, set *setUp) (found, error) {
	v := mcpclient.Server{Env: maps.Clone(set.env), Dir: set.dir}
	words := takeAssignments(c.words, &v)
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
		if slices.Contains(otherMCP, words[i+1]) {
			return found{}, &fault{i18n.M("cli.import_other_command", "Command", strings.Join(words[i-1:i+2], " "))}
		}
	}
	if isAddress(words[0]) {
		return readAddresses(words)
	}
	doubts, err := judgeCommand(words)
	if err != nil {
		return found{}, err
	}
	v.Kind, v.Command, v.Args = mcpclient.Stdio, words[0], words[1:]
	v.Name = guessName(v)
	return found{entries: []foundEntry{{server: v, doubts: doubts}}, started: true}, nil
}

// readAddresses reads a line that begins with an address; what follows and is none
// is left out.
func readAddresses(words []string) (found, error) {
	var all found
	for i, w := range words {
		f, ok, err := readLink(w)
		if err != nil {
			return found{}, err
		}
		if !ok {
			for j := range all.entries {
				all.entries[j].doubts = append(all.entries[j].doubts, i18n.M("cli.import_add_more", "Word", words[i]))
			}
			break
		}
		all.entries = append(all.entries, f.entries...)
	}
	return all, nil
}

// otherMCP are what the commands of other apps can do with servers, beside adding
// one.
var otherMCP = []string{"list", "get", "remove", "login", "logout", "enable", "disable", "auth", "reset-project-choices", "add-from-claude-desktop"}

// one is a single server.
func one(e foundEntry, err error) (found, error) {
	if err != nil {
		return found{}, err
	}
	return found{entries: []foundEntry{e}}, nil
}

// takeAssignments takes NAME=value words off the front.
func takeAssignments(words []string, v *mcpclient.Server) []string {
	// With flags, env does more than that.
	if len(words) > 1 && words[0] == "env" && !strings.HasPrefix(words[1], "-") {
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

// addMCP reads `code --add-mcp JSON`, also of editors that are built on it; it may
// be there several times.
func addMCP(words []string) (found, error) {
	var all found
	for i, w := range words {
		if w != "--add-mcp" {
			continue
		}
		if i+1 == len(words) {
			return found{}, &fault{i18n.M("cli.import_empty")}
		}
		f, err := findEntries([]byte(words[i+1]))
		if err != nil {
			return found{}, err
		}
		all.entries, all.inputs = append(all.entries, f.entries...), append(all.inputs, f.inputs...)
	}
	return all, nil
}

// addJSON reads `claude mcp add-json NAME JSON`.
func addJSON(words []string) (found, error) {
	var plain []string
	for i := 0; i < len(words); i++ {
		if strings.HasPrefix(words[i], "-") {
			if words[i] != "--client-secret" {
				i++ // all its other flags take a value
			}
			continue
		}
		plain = append(plain, words[i])
	}
	if len(plain) < 2 {
		return found{}, &fault{i18n.M("cli.import_add")}
	}
	return found{entries: []foundEntry{importEntry(plain[0], json.RawMessage(lenient([]byte(plain[1]))))}}, nil
}

func isAddress(s string) bool {
	s = strings.ToLower(s)
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// The commands that are no servers, whatever follows.
var (
	// builtins are of the shell alone: no program has these names.
	builtins = []string{"alias", "bg", "cd", "eval", "exec", "exit", "export", "for", "function", "if", "let", "local", "read", "set", "setx", "shift", "source", "trap", "ulimit", "umask", "unset", "while", "."}
	// preparing programs start nothing.
	preparing = regexp.MustCompile(`^(mkdir|cp|mv|rm|touch|chmod|echo|cat|open|curl|wget)$`)
	// preparers bring or make something with one of the words of preparation.
	preparers   = regexp.MustCompile(`^(apt|apt-get|apk|brew|bun|cargo|choco|conda|dnf|docker|gem|git|go|npm|pacman|pip|pip3|pipx|pnpm|podman|poetry|scoop|uv|winget|yarn|yum)$`)
	preparation = regexp.MustCompile(`^(install|i|ci|add|get|build|pull|clone|update|upgrade|init|sync|login|download|tidy|publish|up)$`)
)

// judgeCommand says why a command starts no server, or what makes that doubtful.
func judgeCommand(words []string) ([]i18n.Message, error) {
	program := strings.TrimSuffix(strings.ToLower(words[0]), ".exe")
	switch {
	case strings.TrimSpace(words[0]) == "":
		return nil, &fault{i18n.M("cli.import_empty")}
	case slices.Contains(builtins, program):
		return nil, &fault{i18n.M("cli.import_builtin", "Command", words[0])}
	case isProse(words), strings.ContainsAny(words[0][:1], "{["):
		return nil, &fault{i18n.M("cli.import_prose")}
	case nearAddress.MatchString(words[0]):
		return nil, &fault{i18n.M("cli.draft_address")}
	case strings.Contains(words[0], "://"):
		return nil, badScheme(words[0])
	case chatCommand.MatchString(words[0]):
		return nil, &fault{i18n.M("cli.import_other_command", "Command", strings.Join(words[:min(len(words), 2)], " "))}
	case jsonFile.MatchString(words[0]):
		return nil, &fault{i18n.M("cli.import_path")}
	case preparing.MatchString(program), preparers.MatchString(program) && preparation.MatchString(firstOperand(words[1:])),
		program == "uv" && len(words) > 2 && preparation.MatchString(firstOperand(words[2:])),
		buildScript.MatchString(strings.Join(words[:min(len(words), 3)], " ")):
		return nil, &fault{i18n.M("cli.import_prepares", "Command", words[0])}
	}
	var doubts []i18n.Message
	if i := slices.Index(words, "install"); i > 0 && i < 4 {
		doubts = append(doubts, i18n.M("cli.import_installs"))
	}
	switch {
	case bareAddress.MatchString(words[0]) && !strings.HasPrefix(words[0], "."):
		doubts = append(doubts, i18n.M("cli.import_bare_address"))
	case likeProse(words):
		doubts = append(doubts, i18n.M("cli.import_maybe_prose"))
	}
	return doubts, nil
}

var (
	jsonFile    = regexp.MustCompile(`(?i)\.(jsonc?|toml|ya?ml|mcpb|dxt)$`)
	bareAddress = regexp.MustCompile(`^((localhost|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+)(:\d+/|:\d+$|/)|([A-Za-z0-9-]+\.)+(com|net|org|io|dev|app|cloud|ai)$)`)
	// nearAddress has slashes missing, chatCommand is typed into a chat.
	nearAddress = regexp.MustCompile(`(?i)^https?:(/[^/]|[^/]|$)`)
	chatCommand = regexp.MustCompile(`^/(mcp|plugin|extensions?)$`)
	buildScript = regexp.MustCompile(`^(npm|pnpm|yarn|bun) run (build|compile|lint|test|prepare)$`)
)

// firstOperand is the first of words that is no flag.
func firstOperand(words []string) string {
	for _, w := range words {
		if !strings.HasPrefix(w, "-") {
			return w
		}
	}
	return ""
}

// badScheme says that an address is of a kind that no server here is reached by.
func badScheme(address string) error {
	scheme, _, _ := strings.Cut(address, ":")
	return &fault{i18n.M("cli.import_scheme", "Scheme", scheme+"://")}
}

// ofOtherSystem says what of a command is of another system than this one.
func ofOtherSystem(v mcpclient.Server, system string) []i18n.Message {
	if v.Kind != mcpclient.Stdio || system == "windows" {
		return nil
	}
	program := strings.ToLower(v.Command)
	if slices.Contains([]string{"cmd", "cmd.exe", "wsl", "wsl.exe", "powershell", "powershell.exe"}, program) || windowsPath.MatchString(v.Command) ||
		strings.HasPrefix(v.Command, `.\`) {
		return []i18n.Message{i18n.M("cli.import_foreign", "Command", v.Command)}
	}
	return nil
}

// thisSystem is the system that the app runs on.
const thisSystem = runtime.GOOS

// runners start what their first operand names.
var runners = []string{"npx", "bunx", "pnpx", "uvx", "pipx", "dnx", "deno", "node", "python", "python3", "py", "uv", "bun", "pnpm", "yarn", "npm", "docker", "podman",
	"cmd", "wsl", "sudo", "java", "dotnet", "go", "ruby", "php", "tsx", "ts-node", "env"}

// runnerWords are operands of runners that name nothing.
var runnerWords = []string{"run", "exec", "dlx", "x", "start", "tool", "npx", "python", "python3", "node", "uvx", "/c", "/C", "-"}

// guessName is a name for a server that has none: the host of its address, or
// the package or program that is started.
func guessName(v mcpclient.Server) string {
	if v.Kind != mcpclient.Stdio {
		if o, err := http.ParseOrigin(v.URL); err == nil {
			return o.Name()
		}
		return ""
	}
	base := func(s string) string {
		s = path.Base(filepath.ToSlash(strings.ReplaceAll(s, `\`, "/")))
		name, _, _ := strings.Cut(s, "@")
		name, _, _ = strings.Cut(name, ":")
		for _, end := range []string{".exe", ".cmd", ".bat", ".js", ".mjs", ".cjs", ".py", ".ts", ".jar"} {
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
		if b := base(a); b != "" && b != "." && b != "/" && !strings.ContainsAny(b, " &|;") {
			return b
		}
	}
	return name
}

// takesValue reports whether argument i is the value of the flag before it, for
// flags that runners often get.
func takesValue(args []string, i int) bool {
	return i > 0 && slices.Contains([]string{"-e", "--env", "--env-file", "-v", "--volume", "--mount", "--name", "--network", "-p", "-u", "-w", "--directory", "--project", "--with", "--from", "--python"}, args[i-1])
}
