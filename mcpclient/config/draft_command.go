package config

import (
	"path"
	"slices"
	"strings"

	"parley/mcpclient"
)

// HoldsCommand reports whether a whole command line seems to stand where only the
// program belongs. A path may hold spaces too, so that this is never certain.
func (d Draft) HoldsCommand() bool {
	words := strings.Fields(d.Program)
	if d.Kind != mcpclient.Stdio || len(words) < 2 {
		return false
	}
	return !holdsSeparator(words[0]) || slices.ContainsFunc(words[1:], func(w string) bool {
		return strings.ContainsRune(`-/~.@"'`, rune(w[0])) || slices.Contains(scripts, path.Ext(w)) && !holdsSeparator(words[1])
	})
}

// scripts are endings of what an interpreter is given.
var scripts = []string{".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".jar", ".sh", ".php", ".dll"}

func holdsSeparator(word string) bool { return strings.ContainsAny(word, `/\`) }

// TakenApart is d with the command line that stands in the place of its program
// taken apart, by the rules by which a pasted one is. What it sets before the
// program are variables, secret until the person says otherwise. ok is false where
// there is nothing to take apart, or it cannot be read as the start of one program.
func (d Draft) TakenApart() (apart Draft, ok bool) {
	if !d.HoldsCommand() {
		return d, false
	}
	f, err := readCommand(pastedLine{text: strings.TrimSpace(d.Program)}, &setUp{})
	if err != nil || len(f.entries) != 1 {
		return d, false
	}
	v := f.entries[0].server
	holdsLine := func(arg string) bool { return strings.ContainsAny(arg, "\r\n") }
	if v.Kind != mcpclient.Stdio || v.Dir != "" || v.Command == d.Program || slices.ContainsFunc(v.Args, holdsLine) {
		return d, false
	}
	args := v.Args
	if d.Arguments != "" {
		args = append(slices.Clone(args), d.Arguments)
	}
	d.Program, d.Arguments = v.Command, strings.Join(args, "\n")
	d.Env = slices.Clone(d.Env)
	for _, name := range sortedKeys(v.Env) {
		d.Env = append(d.Env, DraftValue{Name: name, Value: v.Env[name], Secret: true})
	}
	return d, true
}
