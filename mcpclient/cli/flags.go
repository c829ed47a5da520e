package cli

import (
	"errors"
	"strings"

	"parley/assets/i18n"
)

// usageError is a mistake in the arguments, in words.
type usageError struct{ text i18n.Message }

// Error gives the sentence in English.
func (e *usageError) Error() string { return english.Text(e.text) }

var english = i18n.New("en")

// misuse makes a usageError from a key and its values.
func misuse(id string, namesAndValues ...any) error {
	return &usageError{i18n.M(id, namesAndValues...)}
}

// errHelp is returned by parseFlags for --help.
var errHelp = errors.New("help is wanted")

// flag is one flag of a command.
type flag struct {
	name string
	bare bool // takes no value
	set  func(value string) error
}

// operands are what follows the flags.
type operands struct {
	words  []string
	dashed bool // "--" stood before them
}

// parseFlags reads the flags in front of args and returns the operands. A flag
// that wants a value takes the next argument whatever it looks like. Errors
// are errHelp, a usageError, or what a flag's set returned.
func parseFlags(args []string, flags []flag) (operands, error) {
	byName := map[string]flag{}
	for _, f := range flags {
		byName[f.name] = f
	}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return operands{args[i+1:], true}, nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			return operands{words: args[i:]}, nil
		case arg == "--help" || arg == "-h":
			return operands{}, errHelp
		}
		name, value, joined := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		f, known := byName[name]
		if !known || !strings.HasPrefix(arg, "--") {
			// Only the name is repeated: what follows "=" may be a secret.
			word, _, _ := strings.Cut(arg, "=")
			return operands{}, misuse("cli.flag_unknown", "Flag", word)
		}
		switch {
		case f.bare && joined:
			return operands{}, misuse("cli.flag_bare", "Flag", "--"+name)
		case !f.bare && !joined:
			i++
			if i == len(args) {
				return operands{}, misuse("cli.flag_value", "Flag", "--"+name)
			}
			value = args[i]
		}
		if err := f.set(value); err != nil {
			return operands{}, err
		}
	}
	return operands{}, nil
}

// once makes a flag that may be given one time.
func once(name string, set func(string) error) flag {
	given := false
	return flag{name: name, set: func(v string) error {
		if given {
			return misuse("cli.flag_twice", "Flag", "--"+name)
		}
		given = true
		return set(v)
	}}
}

// textFlag is a flag that sets a text.
func textFlag(name string, into *string) flag {
	return once(name, func(v string) error {
		if v == "" {
			return misuse("cli.flag_empty", "Flag", "--"+name)
		}
		*into = v
		return nil
	})
}

// boolFlag is a flag without a value.
func boolFlag(name string, into *bool) flag {
	return flag{name: name, bare: true, set: func(string) error {
		*into = true
		return nil
	}}
}

// late says that a flag stands behind an operand, where it would count as one.
func (o operands) late() error {
	if o.dashed || len(o.words) == 0 {
		return nil
	}
	for _, word := range o.words[1:] {
		if word == "--" {
			return nil
		}
		if isFlag(word) {
			return tooMany(word)
		}
	}
	return nil
}

func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' && word != "--" }

// tooMany says that the operand word is one too many.
func tooMany(word string) error {
	if isFlag(word) {
		// Only the name is repeated: what follows "=" may be a secret.
		name, _, _ := strings.Cut(word, "=")
		return misuse("cli.flag_late", "Flag", name)
	}
	return misuse("cli.operand_extra", "Word", word)
}
