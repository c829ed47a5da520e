package config

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"parley/assets/i18n"
)

// commandLine is a command line that was taken apart.
type commandLine struct {
	words []string
	// asIs are signs that a shell would replace and nobody else does: they stand
	// in the words as they are.
	asIs []string
	// windows tells that it was read by the rules of Windows, escaped that
	// backslashes stand before spaces there, which the two rules read differently.
	windows, escaped bool
	// typeset tells that quotation marks, dashes or spaces of a word processor
	// were read as plain ones, comment that one at the end was left out.
	typeset, comment bool
}

// readCommandLine takes a command line apart: by the rules of Windows if it is
// known to be of a prompt there, or if its backslashes can only be those of paths,
// else as a POSIX shell does.
func readCommandLine(line string, windows bool) (commandLine, error) {
	plain, typeset := untypeset(line)
	var c commandLine
	var err error
	if windows || windowsLine(plain) {
		c, err = splitWindows(plain)
	} else {
		c, err = splitPosix(plain)
	}
	c.typeset = typeset
	return c, err
}

// doubts says what was read in one of several ways, and notes what cannot mean
// anything else.
func (c commandLine) doubts() (doubts, notes []i18n.Message) {
	if c.typeset {
		doubts = append(doubts, i18n.M("cli.import_typeset"))
	}
	if len(c.asIs) > 0 {
		doubts = append(doubts, i18n.M("cli.import_as_is", "What", strings.Join(c.asIs, " ")))
	}
	switch {
	case c.escaped:
		doubts = append(doubts, i18n.M("cli.import_windows"))
	case c.windows:
		notes = append(notes, i18n.M("cli.import_windows"))
	}
	if c.comment {
		notes = append(notes, i18n.M("cli.import_comment"))
	}
	return doubts, notes
}

// leave notes a sign that stays as it is.
func (c *commandLine) leave(sign string) {
	if !slices.Contains(c.asIs, sign) {
		c.asIs = append(c.asIs, sign)
	}
}

// splitWords takes a command line apart as splitPosix does.
func splitWords(line string) ([]string, error) {
	c, err := splitPosix(line)
	return c.words, err
}

// splitPosix takes a command line apart as a POSIX shell does (POSIX.1-2017,
// "Quoting"), with one difference: nothing is run or expanded. $NAME becomes a
// placeholder, which the person is asked about; a pipe, a second command, a
// redirection or a command within the command is an error, since no shell will
// take part when the program is started.
func splitPosix(line string) (commandLine, error) {
	line = strings.NewReplacer("\\\r\n", " ", "\\\n", " ").Replace(line)
	s := splitter{rest: line}
	for s.rest != "" {
		if err := s.step(); err != nil {
			return commandLine{}, err
		}
	}
	s.end()
	return s.commandLine, nil
}

// splitter is a command line that is being taken apart.
type splitter struct {
	commandLine
	rest  string
	word  strings.Builder
	bare  strings.Builder // the word without what stands in quotes
	begun bool            // a word, maybe an empty one
}

// braces are alternatives that a shell would make words of.
var braces = regexp.MustCompile(`\{[^{}]*,[^{}]*\}`)

func (s *splitter) end() {
	if s.begun {
		word, bare := s.word.String(), s.bare.String()
		s.words = append(s.words, word)
		// "?" in an address stands before its query.
		if !isAddress(word) {
			for _, sign := range []string{"*", "?"} {
				if strings.Contains(bare, sign) {
					s.leave(sign)
				}
			}
		}
		if braces.MatchString(bare) {
			s.leave("{…}")
		}
	}
	s.word.Reset()
	s.bare.Reset()
	s.begun = false
}

// take returns the next n bytes.
func (s *splitter) take(n int) string {
	t := s.rest[:n]
	s.rest = s.rest[n:]
	return t
}

func (s *splitter) put(text string) {
	s.begun = true
	s.word.WriteString(text)
}

// step reads what comes next, outside of quotes.
func (s *splitter) step() error {
	switch c := s.rest[0]; c {
	case ' ', '\t':
		s.take(1)
		s.end()
	case '\n', '\r':
		if strings.TrimSpace(s.rest) != "" {
			return shellError("a second line")
		}
		s.rest = ""
	case '\'':
		inside, after, closed := strings.Cut(s.rest[1:], "'")
		if !closed {
			return &fault{i18n.M("cli.import_quote")}
		}
		s.rest = after
		s.put(inside)
	case '"':
		s.take(1)
		s.begun = true
		return s.quoted()
	case '\\':
		s.take(1)
		if s.rest != "" {
			s.put(s.take(1))
		}
	case '$':
		// Two more kinds of quotes, of bash.
		for _, quote := range []string{"$'", `$"`} {
			if strings.HasPrefix(s.rest, quote) {
				return shellError(quote + "…" + quote[1:])
			}
		}
		return s.dollar()
	case '~':
		return s.home()
	case '#':
		if !s.begun {
			s.comment = true
			i := strings.IndexAny(s.rest+"\n", "\r\n")
			s.rest = s.rest[min(i, len(s.rest)):]
			return nil
		}
		s.put(s.take(1))
	case '|', '&', ';', '<', '>', '`', '(', ')':
		if m := standInHere.FindStringIndex(s.rest); m != nil {
			s.put(s.take(m[1]))
			return nil
		}
		return shellError(operator(s.rest))
	default:
		s.bare.WriteByte(c)
		s.put(s.take(1))
	}
	return nil
}

// operator is the sign of the shell that text begins with.
func operator(text string) string {
	for _, sign := range []string{"&&", "||", ">>", "<<"} {
		if strings.HasPrefix(text, sign) {
			return sign
		}
	}
	return text[:1]
}

// assigning is a word that sets a variable, as far as the "=".
var assigning = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=$`)

// home reads "~" at the beginning of a word, or of what a variable is set to, as
// the home folder. That of somebody else nobody but a shell knows.
func (s *splitter) home() error {
	if s.begun && !assigning.MatchString(s.word.String()) {
		s.put(s.take(1))
		return nil
	}
	name := s.rest[1:]
	if i := strings.IndexAny(name, "/ \t\r\n"); i >= 0 {
		name = name[:i]
	}
	home, err := os.UserHomeDir()
	if name != "" || err != nil {
		return shellError("~" + name)
	}
	s.take(1)
	s.put(home)
	return nil
}

// quoted reads the rest of what stands in double quotes.
func (s *splitter) quoted() error {
	for s.rest != "" {
		switch c := s.rest[0]; {
		case c == '"':
			s.take(1)
			return nil
		case c == '\\' && len(s.rest) > 1 && strings.ContainsRune("\"\\$`", rune(s.rest[1])):
			s.take(1)
			s.put(s.take(1))
		case c == '$':
			if err := s.dollar(); err != nil {
				return err
			}
		case c == '`':
			return shellError("`")
		default:
			s.put(s.take(1))
		}
	}
	return &fault{i18n.M("cli.import_quote")}
}

// workingFolder is the folder that a shell is in. It is asked for: that of Parley says
// nothing.
const workingFolder = "$(pwd)"

// dollar reads $NAME or ${NAME} as a placeholder.
func (s *splitter) dollar() error {
	switch {
	case strings.HasPrefix(s.rest, workingFolder):
		s.take(len(workingFolder))
		s.put("${" + phHere + "}")
		return nil
	case strings.HasPrefix(s.rest, "$("):
		return shellError("$(…)")
	case len(s.rest) > 1 && strings.ContainsRune("0123456789@*#?!$-", rune(s.rest[1])):
		return shellError(s.rest[:2])
	}
	if m := placeholderHere.FindStringIndex(s.rest); m != nil {
		s.put(s.take(m[1]))
		return nil
	}
	n := 1
	for n < len(s.rest) && envName.MatchString(s.rest[1:n+1]) {
		n++
	}
	name := s.take(n)
	if n == 1 {
		s.put(name)
		return nil
	}
	s.put("${" + name[1:] + "}")
	return nil
}

func shellError(what string) error { return &fault{i18n.M("cli.import_shell", "What", what)} }
