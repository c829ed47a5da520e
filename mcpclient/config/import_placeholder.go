package config

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// Input is something that has to be asked before a server can be added: what its
// file leaves open with ${…}.
type Input struct {
	// ID is what stands between the braces, without a default.
	ID string
	// Stands is what stands in its place in the file, untrusted: ${input:key}, <your-key>.
	Stands string
	// Server is the name of the one server that it is for, untrusted; "" if all that
	// name it share it.
	Server string
	// Label says in our words what is asked for, Text in those of the file
	// (untrusted, "" for none).
	Label i18n.Message
	Text  string
	// Optional tells that it may stay empty, as the file has it.
	Optional bool
	// Secret tells that it is typed masked and goes to the keychain.
	Secret bool
	// Options are the values to choose from, none where any will do.
	Options []string
	// Value is what it is if the person enters nothing else; of a Secret it is
	// one, too.
	Value string
}

// String names the input, without its value.
func (in Input) String() string { return "[input " + in.ID + "]" }

// GoString is String, for %#v.
func (in Input) GoString() string { return in.String() }

// placeholder is ${…}. Claude Code writes ${NAME:-default}.
var placeholder = regexp.MustCompile(`\$\{([^{}]+)\}`)

// placeholderHere is one at the beginning.
var placeholderHere = regexp.MustCompile("^" + placeholder.String())

// envName is the name of an environment variable.
var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// The placeholders of Visual Studio Code and Cursor that say where something is.
const (
	phHome      = "userHome"
	phFolder    = "workspaceFolder"
	phBase      = "workspaceFolderBasename"
	phSeparator = "pathSeparator"
	// phHere is where a shell is.
	phHere = "PWD"
	// phLiteral begins one that is none, and stays as it was.
	phLiteral = "literal:"
)

// folderWords all mean the folder of the project.
var folderWords = []string{phFolder, phBase, "workspaceRoot", "cwd", "fileWorkspaceFolder", "localWorkspaceFolder", "CLAUDE_PROJECT_DIR"}

// editorWords are what an editor puts in for the file that is open, and for itself
// (Visual Studio Code, "Variables reference").
var editorWords = regexp.MustCompile(`^(relativeFile|file)(|Dirname|Basename|BasenameNoExtension|Extname|DirnameBasename|WorkspaceFolderBasename)$|^(line|column)Number$` +
	`|^(selectedText|execPath|defaultBuildTask|extensionInstallFolder|__dirname|CLAUDE_PLUGIN_ROOT)$|^(command|config|workspaceFolder):`)

// idOf is the ID of the input that a placeholder needs, and its default; "" for
// one that needs none.
func idOf(inner string) (id, value string) {
	switch {
	case inner == phHome, inner == phSeparator, inner == "/", strings.HasPrefix(inner, phLiteral):
		return "", ""
	case slices.Contains(folderWords, inner):
		return phFolder, ""
	case inner == phHere, strings.HasPrefix(inner, phStandIn), editorWords.MatchString(inner), strings.HasPrefix(inner, "input:"), strings.HasPrefix(inner, "env:"), strings.HasPrefix(inner, "file:"):
		return inner, ""
	}
	if name, ok := strings.CutPrefix(inner, "localEnv:"); ok { // of development containers
		return "env:" + name, ""
	}
	name, value, _ := strings.Cut(inner, ":-")
	if envName.MatchString(name) {
		return "env:" + name, value
	}
	return inner, ""
}

// placeholders are the IDs of the inputs that s needs, each once.
func placeholders(s string) []string {
	var out []string
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		if id, _ := idOf(m[1]); id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// substitute puts answers in the place of placeholders; one without an answer
// becomes its default.
func substitute(s string, answers map[string]string) string {
	return placeholder.ReplaceAllStringFunc(s, func(whole string) string {
		inner := whole[2 : len(whole)-1]
		id, value := idOf(inner)
		answer, given := answers[id]
		switch {
		case id == "":
			return strings.Replace(whole, phLiteral, "", 1) // atHome has replaced those that are known
		case given && answer == "${"+id+"}":
			return whole
		case given && inner == phBase:
			return filepath.Base(answer)
		case given && answer != "":
			return answer
		}
		return value
	})
}

// asItStands are the answers that leave everything as the file has it.
func asItStands(inputs []Input) map[string]string {
	out := map[string]string{}
	for _, in := range inputs {
		out[in.ID] = in.Stands
	}
	return out
}

func withoutPlaceholders(s string) string { return placeholder.ReplaceAllString(s, "") }

// atHome replaces the placeholders that this computer answers itself.
func atHome(v mcpclient.Server) mcpclient.Server {
	home, err := os.UserHomeDir()
	fill := func(s string) string {
		if err == nil {
			s = strings.ReplaceAll(s, "${"+phHome+"}", home)
		}
		s = strings.ReplaceAll(s, "${"+phSeparator+"}", string(filepath.Separator))
		return strings.ReplaceAll(s, "${/}", string(filepath.Separator))
	}
	return mapTexts(v, fill)
}

// mapTexts is v with f applied to everything that may hold a placeholder.
func mapTexts(v mcpclient.Server, f func(string) string) mcpclient.Server {
	v.Command, v.Dir, v.URL, v.SignIn.ClientID = f(v.Command), f(v.Dir), f(v.URL), f(v.SignIn.ClientID)
	v.Args = slices.Clone(v.Args)
	for i, a := range v.Args {
		v.Args[i] = f(a)
	}
	table := func(m map[string]string) map[string]string {
		out := cloneMap(m)
		for k, s := range out {
			out[k] = f(s)
		}
		return out
	}
	v.Env, v.Headers = table(v.Env), table(v.Headers)
	return v
}

// inputsOf are the inputs that v and the secret of its client id need, described
// where the file does that.
func inputsOf(v mcpclient.Server, secret string, described []Input) []Input {
	var out []Input
	see := func(s string) {
		for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
			id, value := idOf(m[1])
			if id == "" || slices.ContainsFunc(out, func(in Input) bool { return in.ID == id }) {
				continue
			}
			in := describe(id, described)
			if in.Stands == "" {
				in.Stands = "${" + id + "}"
			}
			if in.Value == "" {
				in.Value = value
			}
			out = append(out, in)
		}
	}
	for _, s := range append([]string{v.Command, v.URL, v.Dir, v.SignIn.ClientID, secret}, v.Args...) {
		see(s)
	}
	for _, table := range []map[string]string{v.Env, v.Headers} {
		for _, name := range sortedKeys(table) {
			see(table[name])
		}
	}
	return out
}

// describe is the input with an ID.
func describe(id string, described []Input) Input {
	if i := slices.IndexFunc(described, func(in Input) bool { return in.ID == id }); i >= 0 {
		return described[i]
	}
	kind, name, _ := strings.Cut(id, ":")
	switch {
	case id == phFolder, id == phHere:
		return Input{ID: id, Label: i18n.M("cli.import_ask_folder")}
	case editorWords.MatchString(id):
		return Input{ID: id, Label: i18n.M("cli.import_ask_editor", "Name", id), Secret: secretName(id)}
	case kind == "env":
		// What the app's own environment has is a good guess.
		return Input{ID: id, Label: i18n.M("cli.import_ask_env", "Name", name), Secret: secretVariable(name), Value: os.Getenv(name)}
	case kind == "input":
		return Input{ID: id, Label: i18n.M("cli.import_ask_input", "Name", name), Secret: true}
	case kind == "file":
		return Input{ID: id, Label: i18n.M("cli.import_ask_file", "File", name), Secret: true}
	}
	return Input{ID: id, Label: i18n.M("cli.import_ask_other", "Name", id), Secret: true}
}

// fromEditor are those of the inputs for which the app they come from puts something
// in by itself, as they stand there.
func fromEditor(inputs []Input) []string {
	var out []string
	for _, in := range inputs {
		if in.ID == phFolder || editorWords.MatchString(in.ID) {
			out = append(out, in.Stands)
		}
	}
	return out
}
