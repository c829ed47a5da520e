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
// program are variables, secret until the person says otherwise. A line that adds a
// server to another app, as `claude mcp add NAME …` does, gives the server its name too,
// unless it was given one, and makes it one at an address if that is what it adds. ok
// is false where there is nothing to take apart, where it cannot be read as one server,
// and where it says something that has no field here.
func (d Draft) TakenApart() (apart Draft, ok bool) {
	if !d.HoldsCommand() {
		return d, false
	}
	f, err := readCommand(pastedLine{text: strings.TrimSpace(d.Program)}, &setUp{})
	if err != nil || len(f.entries) != 1 || f.entries[0].err != nil {
		return d, false
	}
	v := f.entries[0].server
	holdsLine := func(arg string) bool { return strings.ContainsAny(arg, "\r\n") }
	if v.Dir != "" && d.Folder != "" || v.Command == d.Program || v.SignIn != (mcpclient.SignIn{}) || slices.ContainsFunc(v.Args, holdsLine) {
		return d, false
	}
	if strings.TrimSpace(d.Name) == "" && !f.started { // else it would be a guess
		d.Name = v.Name
	}
	if v.Silence > 0 {
		d.Silence = formatTime(v.Silence)
	}
	if v.Kind != mcpclient.Stdio {
		d.Kind, d.URL, d.Program = v.Kind, v.URL, ""
		d.Headers = withSecrets(d.Headers, v.Headers)
		return d, true
	}
	args := v.Args
	if d.Arguments != "" {
		args = append(slices.Clone(args), d.Arguments)
	}
	if v.Dir != "" {
		d.Folder = v.Dir
	}
	d.Program, d.Arguments = v.Command, strings.Join(args, "\n")
	d.Env = withSecrets(d.Env, v.Env)
	return d, true
}

// withSecrets are values and those of a table, as secrets.
func withSecrets(values []DraftValue, table map[string]string) []DraftValue {
	values = slices.Clone(values)
	for _, name := range sortedKeys(table) {
		values = append(values, DraftValue{Name: name, Value: table[name], Secret: true})
	}
	return values
}
