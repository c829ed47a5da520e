package config

import (
	"os"
	"strings"

	"parley/assets/i18n"
)

// splitWords takes a command line apart as a POSIX shell does (POSIX.1-2017,
// "Quoting"), with one difference: nothing is run or expanded. $NAME becomes a
// placeholder, which the person is asked about; a pipe, a second command, a
// redirection or a command within the command is an error, since no shell will
// take part when the program is started.
func splitWords(line string) ([]string, error) {
	line = strings.NewReplacer("\\\r\n", " ", "\\\n", " ").Replace(line)
	s := splitter{rest: line}
	for s.rest != "" {
		if err := s.step(); err != nil {
			return nil, err
		}
	}
	s.end()
	return s.words, nil
}

// splitter is a command line that is being taken apart.
type splitter struct {
	rest  string
	word  strings.Builder
	begun bool // a word, maybe an empty one
	words []string
}

func (s *splitter) end() {
	if s.begun {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
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
		return s.dollar()
	case '~':
		if !s.begun && (len(s.rest) == 1 || s.rest[1] == '/' || s.rest[1] == ' ') {
			if home, err := os.UserHomeDir(); err == nil {
				s.take(1)
				s.put(home)
				return nil
			}
		}
		s.put(s.take(1))
	case '|', '&', ';', '<', '>', '`', '(', ')':
		return shellError(string(c))
	default:
		s.put(s.take(1))
	}
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

// dollar reads $NAME or ${NAME} as a placeholder.
func (s *splitter) dollar() error {
	if strings.HasPrefix(s.rest, "$(") {
		return shellError("$(…)")
	}
	if m := placeholder.FindStringIndex(s.rest); m != nil && m[0] == 0 {
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
