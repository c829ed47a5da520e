package config

import (
	"regexp"
	"strings"

	"parley/assets/i18n"
)

// Command lines of Windows are told by what cannot be meant otherwise: to a POSIX
// shell a backslash before a letter is nothing, and C:\tools would be C:tools.

var (
	// windowsPath begins a word: a drive, or a share.
	windowsPath = regexp.MustCompile(`^"?([A-Za-z]:\\|\\\\[A-Za-z0-9])`)
	// windowsVariable is %NAME%. %E4% and its like are letters in an address.
	windowsVariable     = regexp.MustCompile(`%([A-Za-z_][A-Za-z0-9_()]{2,})%`)
	windowsVariableHere = regexp.MustCompile("^" + windowsVariable.String())
	// powerShellVariable is $env:NAME.
	powerShellVariable = regexp.MustCompile(`(?i)^\$(?:env:([A-Za-z_][A-Za-z0-9_]*)|\{env:([A-Za-z_][A-Za-z0-9_]*)\})`)
)

// windowsLine reports whether line is one of Windows. What stands in single quotes
// says nothing: in both worlds it stays as it is.
func windowsLine(line string) bool {
	begins := true // a word, or what a variable or a flag is set to
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		if begins && windowsPath.MatchString(rest) {
			return true
		}
		begins = false
		switch c := line[i]; c {
		case ' ', '\t', '\r', '\n', '=':
			begins = true
		case '\'':
			n := strings.IndexByte(rest[1:], '\'')
			if n < 0 {
				return false
			}
			i += n + 1
		case '"':
			end := stringEnd(line, i)
			if windowsVariable.MatchString(line[i:end]) {
				return true
			}
			i = end - 1
		case '\\':
			if len(rest) > 1 && (isLetter(rest[1]) || rest[1] >= '0' && rest[1] <= '9') {
				return true
			}
			i++
		case '%':
			if windowsVariableHere.MatchString(rest) {
				return true
			}
		case '$':
			// ${env:NAME} is Visual Studio Code's, too.
			if len(rest) > 5 && strings.EqualFold(rest[:5], "$env:") {
				return true
			}
		}
	}
	return false
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// splitWindows takes a command line apart as programs of Windows do (Microsoft C
// startup code, "Parsing C command-line arguments"), and lets PowerShell's single
// quotes pass. %NAME% and $env:NAME become placeholders; what cmd or PowerShell
// would run or redirect is an error, as with splitPosix.
func splitWindows(line string) (commandLine, error) {
	s := windowsSplitter{splitter: splitter{rest: line}}
	s.windows = true
	for s.rest != "" {
		if err := s.step(); err != nil {
			return commandLine{}, err
		}
	}
	if s.inside {
		return commandLine{}, &fault{i18n.M("cli.import_quote")}
	}
	s.end()
	return s.commandLine, nil
}

type windowsSplitter struct {
	splitter
	inside bool // double quotes
}

// step reads what comes next.
func (s *windowsSplitter) step() error {
	if m := windowsVariableHere.FindStringSubmatchIndex(s.rest); m != nil {
		s.put("${env:" + s.rest[m[2]:m[3]] + "}")
		s.take(m[1])
		return nil
	}
	if m := powerShellVariable.FindStringSubmatch(s.rest); m != nil {
		s.put("${env:" + m[1] + m[2] + "}")
		s.take(len(m[0]))
		return nil
	}
	switch c := s.rest[0]; {
	case c == '\\':
		s.backslashes()
	case c == '"':
		s.begun = true
		if s.inside && strings.HasPrefix(s.rest, `""`) {
			s.put(`"`)
			s.take(2)
			return nil
		}
		s.inside = !s.inside
		s.take(1)
	case c == '$':
		return s.dollar()
	case s.inside:
		s.put(s.take(1))
	case c == ' ' || c == '\t':
		s.take(1)
		s.end()
	case c == '\n' || c == '\r':
		if strings.TrimSpace(s.rest) != "" {
			return shellError("a second line")
		}
		s.rest = ""
	case c == '\'' && !s.begun && strings.Contains(s.rest[1:], "'"):
		s.single()
	case strings.ContainsRune("|&<>`", rune(c)):
		if m := standInHere.FindStringIndex(s.rest); m != nil {
			s.put(s.take(m[1]))
			return nil
		}
		return shellError(operator(s.rest))
	default:
		if c == '^' || c == ';' || (c == '~' || c == '#') && !s.begun {
			s.leave(string(c))
		}
		s.put(s.take(1))
	}
	return nil
}

// backslashes reads a run of them: they stand for themselves, but before a double
// quote two are one, and one makes the quote stand for itself.
func (s *windowsSplitter) backslashes() {
	n := len(s.rest) - len(strings.TrimLeft(s.rest, `\`))
	run := s.take(n)
	if !strings.HasPrefix(s.rest, `"`) {
		if !s.inside && strings.HasPrefix(s.rest, " ") {
			s.escaped = true
		}
		s.put(run)
		return
	}
	s.put(run[:n/2])
	if n%2 == 1 {
		s.put(s.take(1))
	}
}

// single reads what stands in PowerShell's single quotes; two of them are one.
func (s *windowsSplitter) single() {
	s.take(1)
	s.begun = true
	for s.rest != "" {
		switch {
		case strings.HasPrefix(s.rest, "''"):
			s.put("'")
			s.take(2)
		case s.rest[0] == '\'':
			s.take(1)
			return
		default:
			s.put(s.take(1))
		}
	}
}
