package config

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// What people paste out of a README or a terminal has prompts, comments, lines
// that go on, commands that only prepare something, and prose around it.

// pastedLine is one command line as it was pasted, its continuations joined.
type pastedLine struct {
	text    string
	windows bool // its prompt or its continuations are those of Windows
}

var (
	posixPrompt   = regexp.MustCompile(`^(?:[$%>❯➜]|[\w.-]+@[\w.-]+[^\s$#%]*\s?[$#%])\s+`)
	windowsPrompt = regexp.MustCompile(`^(?:PS [^>\n]*>|[A-Za-z]:\\[^<>"|\n]*>)\s*`)
	nextPrompt    = regexp.MustCompile(`^>{1,2} `)
	bullet        = regexp.MustCompile(`^(?:[-*•–]|\d{1,2}[.)])\s+`)
	addressLabel  = regexp.MustCompile(`(?i)^(?:url|address|endpoint|server|网址|地址)\s*[:：]\s*(https?://)`)
	commentLine   = regexp.MustCompile(`^(#($|[^!])|//|::|(?i:rem)\s)`)
)

// pastedLines takes text apart into command lines. A line goes on after "\" of a
// shell, "^" of cmd, "`" of PowerShell, and within quotes that begin a word.
func pastedLines(text string) []pastedLine {
	var out []pastedLine
	for text != "" {
		n := lineEnd(text)
		raw := text[:n]
		text = strings.TrimLeft(text[n:], "\r\n")
		l := pastedLine{text: strings.TrimSpace(raw)}
		for {
			rest, sign := goesOn(l.text)
			if sign == 0 || text == "" {
				break
			}
			n := lineEnd(text)
			next := strings.TrimLeft(text[:n], " \t")
			text = strings.TrimLeft(text[n:], "\r\n")
			l.text = rest + " " + strings.TrimSpace(nextPrompt.ReplaceAllString(next, ""))
			l.windows = l.windows || sign != '\\'
		}
		if p := windowsPrompt.FindString(l.text); p != "" {
			l.text, l.windows = l.text[len(p):], true
		} else {
			l.text = posixPrompt.ReplaceAllString(bullet.ReplaceAllString(l.text, ""), "")
		}
		l.text = addressLabel.ReplaceAllString(l.text, "$1")
		if l.text != "" && !commentLine.MatchString(l.text) {
			out = append(out, l)
		}
	}
	return out
}

// goesOn is line without the sign that the next one belongs to it; sign is 0 if
// there is none.
func goesOn(line string) (rest string, sign byte) {
	if line == "" {
		return line, 0
	}
	switch sign = line[len(line)-1]; {
	case sign == '\\' && !strings.HasSuffix(line, `\\`):
	case (sign == '^' || sign == '`') && (len(line) == 1 || line[len(line)-2] == ' '):
	default:
		return line, 0
	}
	return strings.TrimRight(line[:len(line)-1], " \t"), sign
}

// lineEnd is where the first line of text ends: at a line end that stands in no
// quotes. Only quotes count that begin a word and are closed; any other one is an
// apostrophe, or is found wanting later.
func lineEnd(text string) int {
	begins := true
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n' || c == '\r':
			return i
		case begins && c == '\'':
			if n := strings.IndexByte(text[i+1:], '\''); n >= 0 {
				i += n + 1
			}
		case begins && c == '"':
			if end := stringEnd(text, i); end > i+1 && text[end-1] == '"' {
				i = end - 1
			}
		}
		begins = text[i] == ' ' || text[i] == '\t' || text[i] == '='
	}
	return len(text)
}

// maxLeftOut bounds how many lines that are left out are named.
const maxLeftOut = 5

// maxCommands bounds the text of command lines, in bytes: no system starts a
// program with longer arguments.
const maxCommands = 128 << 10

// readCommands reads one command line or several.
func readCommands(text string) (found, error) {
	if len(text) > maxCommands {
		return found{}, &fault{i18n.M("cli.import_prose")}
	}
	var lines []pastedLine
	for _, l := range pastedLines(text) {
		lines = append(lines, l.apart()...)
	}
	if len(lines) == 0 {
		return found{}, &fault{i18n.M("cli.import_comments")}
	}
	if len(lines) == 1 {
		f, err := readCommand(lines[0], &setUp{})
		if err == nil && len(f.entries)+len(f.problems) == 0 {
			err = &fault{i18n.M("cli.import_comments")}
		}
		return f, err
	}
	var all found
	var set setUp
	var first error
	started := 0 // servers by the command that starts them
	for _, l := range lines {
		f, err := readCommand(l, &set)
		if err != nil {
			if first == nil {
				first = err
			}
			if len(all.problems) < maxLeftOut {
				all.problems = append(all.problems, i18n.M("cli.import_line", "Line", firstWord(l.text), "Reason", reason(err)))
			}
			continue
		}
		if f.started {
			started++
		}
		all.entries = append(all.entries, f.entries...)
		all.inputs = append(all.inputs, f.inputs...)
	}
	switch {
	case len(all.entries) > 0:
	case first != nil:
		return found{}, first
	default:
		return found{}, &fault{i18n.M("cli.import_comments")}
	}
	if started > 1 {
		for i := range all.entries {
			all.entries[i].doubts = append(all.entries[i].doubts, i18n.M("cli.import_several", "N", started))
		}
	}
	return all, nil
}

// apart is a line in which "&&" or ";" joins what only prepares a command with that
// command, as lines of their own. Anything else so joined is left to be refused: it
// needs a shell.
func (l pastedLine) apart() []pastedLine {
	var parts []string
	begun := 0
	for i := 0; i < len(l.text); i++ {
		switch rest := l.text[i:]; {
		case rest[0] == '"' || rest[0] == '\'':
			if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 {
				i += end + 1
			}
		case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "; "):
			parts = append(parts, l.text[begun:i])
			begun = i + 2
			i++
		}
	}
	parts = append(parts, l.text[begun:])
	out := make([]pastedLine, len(parts))
	for i, text := range parts {
		out[i] = pastedLine{text: strings.TrimSpace(text), windows: l.windows}
		if i < len(parts)-1 && !out[i].prepares() {
			return []pastedLine{l}
		}
	}
	return out
}

// prepares reports whether a line only sets up, or brings, what a later one starts.
func (l pastedLine) prepares() bool {
	var set setUp
	if ok, err := set.take(l); ok || err != nil {
		return ok
	}
	c, err := readCommandLine(l.text, l.windows)
	if err != nil || len(c.words) == 0 {
		return false
	}
	f, ok := errors.AsType[*fault](judged(c.words))
	return ok && f.text.ID == "cli.import_prepares"
}

// judged is why words start no server, nil if they may.
func judged(words []string) error {
	_, err := judgeCommand(words)
	return err
}

// firstWord is the first word of a line, which names it: the rest may hold a
// secret, and so may what a variable is set to.
func firstWord(line string) string {
	words := strings.Fields(line)
	name, _, _ := strings.Cut(words[0], "=")
	if len(words) > 1 || name != words[0] {
		name += " …"
	}
	return name
}

// setUp is what lines before a command set for it.
type setUp struct {
	env map[string]string
	dir string
}

// powerShellSets is $env:NAME = value.
var powerShellSets = regexp.MustCompile(`(?i)^\$env:([A-Za-z_][A-Za-z0-9_]*)\s*=\s*`)

// take takes in a line that sets variables or changes the folder; ok is false for
// any other.
func (s *setUp) take(l pastedLine) (ok bool, err error) {
	text := l.text
	if m := powerShellSets.FindStringSubmatch(text); m != nil {
		text, l.windows = "set "+m[1]+"="+text[len(m[0]):], true
	}
	word, _, _ := strings.Cut(text, " ")
	if !slices.Contains([]string{"export", "set", "cd"}, word) && !assigns(word) {
		return false, nil
	}
	c, err := readCommandLine(text, l.windows)
	if err != nil {
		return false, err
	}
	words := c.words
	if word == "cd" {
		words = slices.DeleteFunc(words[1:], func(w string) bool { return strings.EqualFold(w, "/d") })
		if len(words) != 1 {
			return false, nil
		}
		s.dir = words[0]
		return true, nil
	}
	v := mcpclient.Server{Env: s.env}
	if !assigns(words[0]) {
		words = words[1:]
	}
	for _, w := range words {
		if !setEnv(&v, w) {
			return false, nil // "A=b program" is a command
		}
	}
	s.env = v.Env
	return len(words) > 0, nil
}
