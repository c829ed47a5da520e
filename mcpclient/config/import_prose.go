package config

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Anything can be a command line, "hello there how are you" too. What nobody
// means as one is refused; what may be one is offered, with a doubt.

// plainWord is a word as people write it.
var plainWord = regexp.MustCompile(`^["'“‘(]*\pL+(['’]\pL+)?[)"'”’.,;:!?…。，！？；：]*$`)

// smallWords stand in text, and hardly in a command line.
var smallWords = []string{"a", "am", "an", "and", "are", "as", "be", "by", "can", "do", "for", "from", "here", "how", "i", "if", "in", "is", "it", "me", "my", "not",
	"of", "on", "or", "please", "so", "that", "the", "then", "there", "this", "to", "use", "we", "with", "you", "your"}

func isSmall(w string) bool {
	return slices.Contains(smallWords, strings.ToLower(strings.Trim(w, `.,;:!?()"'`)))
}

// isProse reports whether words are text and no command line, or none that any
// program has.
func isProse(words []string) bool {
	if len(words) == 0 {
		return false
	}
	program := words[0]
	switch {
	case len(words) == 1 && jsonWord(program), !hasName.MatchString(program), strings.HasSuffix(program, ":"):
		return true
	case isRunner(program), strings.ContainsAny(program, `/\`):
		return false
	case strings.ContainsFunc(program, foreignToNames):
		return true
	case len(words) == 1:
		return false
	case len(program) > 1 && isSmall(program):
		return true
	case slices.ContainsFunc(words, isCommandWord):
		return false
	case slices.ContainsFunc(words[1:], technical):
		// With a word or two of code in it, long text is still text.
		return len(words) > 6 && countOf(words, isSmall) > 1 && plainWord.MatchString(program)
	case technical(program):
		return countOf(words[1:], isSmall) > 0
	}
	last := words[len(words)-1]
	return len(words) > 3 || slices.ContainsFunc(words, isSmall) || strings.ContainsAny(last[len(last)-1:], ".!?") || strings.HasSuffix(program, ",")
}

// likeProse reports whether words may be text: nothing in them is of a command
// line alone.
func likeProse(words []string) bool {
	if isRunner(words[0]) {
		return countOf(words[1:], isSmall) > 1
	}
	return plainWord.MatchString(words[0]) && !slices.ContainsFunc(words[1:], technical) && !slices.ContainsFunc(words[1:], isCommandWord)
}

// isCommandWord reports whether w stands in command lines of servers that
// otherwise have plain words only, as in "goose mcp developer".
func isCommandWord(w string) bool {
	return slices.Contains([]string{"mcp", "stdio", "serve", "server", "start", "run", "install"}, w)
}

func countOf(words []string, is func(string) bool) int {
	n := 0
	for _, w := range words {
		if is(w) {
			n++
		}
	}
	return n
}

// hasName is in every name of a program.
var hasName = regexp.MustCompile(`^[^-]*[\pL\d_]`)

// jsonWord reports whether w is one of the words of JSON.
func jsonWord(w string) bool { return w == "null" || w == "true" || w == "false" || isNumber(w) }

var number = regexp.MustCompile(`^[-+]?[0-9][0-9.,eE+-]*$`)

func isNumber(s string) bool { return number.MatchString(s) }

// foreignToNames reports whether r is in no name of a program.
func foreignToNames(r rune) bool {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.M, r):
		return false
	}
	return !strings.ContainsRune("-_.+@~:$%{}=", r)
}

// technical reports whether w is a word of a command line and not of text: a flag,
// a path, an address, a package, a number.
func technical(w string) bool {
	trimmed := strings.TrimRight(w, `.,;:!?)"'`)
	return strings.HasPrefix(w, "-") || strings.ContainsFunc(trimmed, func(r rune) bool {
		return strings.ContainsRune(`/\.:=@_$%{}-&|<>;#*`+"`", r) || unicode.IsDigit(r)
	})
}

func isRunner(program string) bool {
	name := strings.ToLower(path.Base(strings.ReplaceAll(program, `\`, "/")))
	for _, end := range []string{".exe", ".cmd"} {
		name = strings.TrimSuffix(name, end)
	}
	return slices.Contains(runners, name)
}
