package config

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
)

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
	notes  []i18n.Message
	doubts []i18n.Message
}

// read makes a server of it.
func (a addLine) read() (foundEntry, error) {
	if err := a.flags(); err != nil {
		return foundEntry{}, err
	}
	if len(a.plain) == 0 {
		return foundEntry{}, &fault{i18n.M("cli.import_add")}
	}
	kind, known := kindOf(a.kind)
	if a.kind != "" && !known {
		return foundEntry{}, &fault{i18n.M("cli.import_transport", "Type", a.kind)}
	}
	a.v.Name = a.plain[0]
	rest := append(a.plain[1:], a.dashed...)
	if a.url == "" && len(rest) > 0 && (isAddress(rest[0]) || kind == mcpclient.HTTP || kind == mcpclient.SSE) {
		a.url, rest = rest[0], rest[1:]
		if len(rest) > 0 {
			a.doubts = append(a.doubts, i18n.M("cli.import_add_more", "Word", rest[0]))
		}
	}
	switch {
	case a.url != "":
		if kind == mcpclient.Stdio {
			a.doubts = append(a.doubts, i18n.M("cli.import_kind_address", "Type", a.kind))
		}
		a.dropped("--env", len(a.v.Env))
		a.v.Kind, a.v.URL, a.v.Env, a.v.Dir = mcpclient.HTTP, a.url, nil, ""
		if kind == mcpclient.SSE {
			a.v.Kind = mcpclient.SSE
		}
	case len(rest) == 0:
		return foundEntry{}, &fault{i18n.M("cli.import_add")}
	default:
		if strings.Contains(rest[0], "://") {
			return foundEntry{}, badScheme(rest[0])
		}
		a.dropped("--header", len(a.v.Headers))
		if before := rest; len(rest) > 0 {
			if rest = takeAssignments(rest, &a.v); len(rest) == 0 {
				rest = before
			}
		}
		if words := strings.Fields(rest[0]); len(rest) == 1 && len(words) > 1 && !strings.ContainsAny(words[0], `/\"'`) {
			// Some take the command as one word.
			if c, err := readCommandLine(rest[0], false); err == nil {
				rest = c.words
				a.doubts = append(a.doubts, i18n.M("cli.import_whole", "Key", "command"))
			}
		}
		a.v.Kind, a.v.Command, a.v.Args, a.v.Headers, a.v.SignIn = mcpclient.Stdio, rest[0], rest[1:], nil, mcpclient.SignIn{}
	}
	if a.v.SignIn.ClientID != "" {
		a.notes = append(a.notes, i18n.M("cli.import_client", "ID", a.v.SignIn.ClientID))
	}
	return foundEntry{server: a.v, doubts: a.doubts, notes: a.notes}, nil
}

// dropped says that a flag is for the other kind of server.
func (a *addLine) dropped(flag string, n int) {
	if n > 0 {
		a.doubts = append(a.doubts, i18n.M("cli.import_add_dropped", "Flag", flag))
	}
}

// headerWord is one value of --header, which takes any number of them.
var headerWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*:\s`)

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
		if err := a.flag(name, get); err != nil {
			return err
		}
	}
	return nil
}

// flag takes in one flag; get reads its value.
func (a *addLine) flag(name string, get func() string) error {
	switch name {
	case "-e", "--env":
		// Claude Code's takes any number of values.
		if !setEnv(&a.v, get()) {
			return &fault{i18n.M("cli.import_add_env")}
		}
		for len(a.words) > 0 && setEnv(&a.v, a.words[0]) {
			a.next()
		}
	case "-H", "--header":
		if !a.header(get()) {
			return &fault{i18n.M("cli.import_add_header")}
		}
		for len(a.words) > 0 && headerWord.MatchString(a.words[0]) {
			a.header(a.next())
		}
	case "-t", "--transport", "--type":
		a.kind = get()
	case "--url":
		a.url = get()
	case "--cwd":
		a.v.Dir = get()
	case "--bearer-token-env-var":
		a.v.Headers = map[string]string{"Authorization": "Bearer ${env:" + get() + "}"}
	case "--client-id", "--oauth-client-id":
		a.v.SignIn.ClientID = get()
	case "--callback-port":
		port, err := strconv.ParseUint(get(), 10, 16)
		if err != nil {
			return &fault{i18n.M("cli.import_add_flag", "Flag", name)}
		}
		// Claude Code is sent back to http://localhost:PORT/callback.
		a.v.SignIn.Port, a.v.SignIn.Host = int(port), "localhost"
	case "--client-secret":
		// It asks for the secret, or takes it from the environment.
		a.doubts = append(a.doubts, i18n.M("cli.import_client_secret"))
	case "--timeout":
		// Gemini CLI's, in milliseconds.
		if n, err := strconv.ParseUint(get(), 10, 31); err == nil && n >= 1000 {
			a.v.Silence = time.Duration(n) * time.Millisecond
			a.notes = append(a.notes, i18n.M("cli.import_timeout", "Time", formatTime(a.v.Silence)))
		}
	case "--trust":
		a.notes = append(a.notes, i18n.M("cli.import_approvals"))
	case "--include-tools", "--exclude-tools":
		get()
		a.notes = append(a.notes, i18n.M("cli.import_ignored", "Keys", name))
	case "-s", "--scope", "--description", "--oauth-resource", "-p", "--profile":
		get() // what apps have for themselves
	case "--debug", "--global", "--verbose", "-g", "--force", "--json", "--no-browser":
		// no value
	default:
		return &fault{i18n.M("cli.import_add_flag", "Flag", name)}
	}
	return nil
}

// header takes in "Name: value"; ok is false for anything else.
func (a *addLine) header(text string) (ok bool) {
	key, value, found := strings.Cut(text, ":")
	if key, value, set := strings.Cut(text, "="); !found && set { // Amp's
		return a.header(key + ":" + value)
	}
	if !found {
		return false
	}
	if a.v.Headers == nil {
		a.v.Headers = map[string]string{}
	}
	a.v.Headers[strings.TrimSpace(key)] = strings.TrimSpace(value)
	return true
}

func (a *addLine) next() string {
	w := a.words[0]
	a.words = a.words[1:]
	return w
}
