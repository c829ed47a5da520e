package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// maxImport bounds how many servers of one file are read: a person is to look at
// each of them.
const maxImport = 200

// Source is what was found in another app's file, in pasted text or in a command
// line. Reading it stores nothing, starts nothing and reaches nothing.
type Source struct {
	// File is the file it was read from, as a whole path with "~" for the home folder;
	// "" for text.
	File   string
	Offers []Offer
	// Inputs are what has to be asked before some of them can be added, in the
	// order in which they are first needed.
	Inputs []Input
	// Problems name entries that are left out; their values come from the file
	// and are shown as untrusted text.
	Problems []i18n.Message
}

// Offer is one server of a Source.
type Offer struct {
	// Server is the server as it would be added, without an ID: its secret values
	// are named and left out, and placeholders stand where they stood.
	Server mcpclient.Server
	// Off tells that it is switched off there, Token that it has an access token,
	// ClientSecret that it has the secret of its client id.
	Off, Token, ClientSecret bool
	// Doubts are reasons to look twice before adding it, Notes what else there is
	// to know. Their values are shown as untrusted text.
	Doubts, Notes []i18n.Message
	// Inputs are the IDs of what it needs to be asked for.
	Inputs []string

	whole  mcpclient.Server // with its secrets
	secret string           // of its client id
	blank  map[string]bool  // by input: its value is a secret
}

// Filled is an offer with everything that was asked for.
type Filled struct {
	Server mcpclient.Server
	// Typed are its secret values, for Values.Keep; Token is its access token, and
	// ClientSecret belongs to the client id in Server.SignIn. "" is none.
	Typed        Typed
	Token        string
	ClientSecret string
}

// String is always "[secret]".
func (f Filled) String() string { return f.Typed.String() }

// GoString is String, for %#v.
func (f Filled) GoString() string { return f.Typed.String() }

// String names the offer, without its secrets.
func (o Offer) String() string { return "[offer " + o.Server.Name + "]" }

// GoString is String, for %#v.
func (o Offer) GoString() string { return o.String() }

// With puts the answers, by the ID of the input, into the places where they are
// needed. An input without an answer is left empty.
func (o Offer) With(answers map[string]string) Filled {
	v := o.whole
	put := func(s string) string { return substitute(s, answers) }
	v.Command, v.Dir, v.URL, v.SignIn.ClientID = put(v.Command), put(v.Dir), put(v.URL), put(v.SignIn.ClientID)
	v.Args = slices.Clone(v.Args)
	for i, a := range v.Args {
		v.Args[i] = put(a)
	}
	f := Filled{Server: v, ClientSecret: put(o.secret)}
	f.Server.Env, f.Typed.Env, f.Server.SecretEnv = parted(v.Env, put, o.secretEnv)
	f.Server.Headers, f.Typed.Headers, f.Server.SecretHeaders = parted(v.Headers, put, o.secretHeader)
	for name, value := range f.Typed.Headers {
		if token, ok := bearer(name, value); ok {
			f.Token = token
			delete(f.Typed.Headers, name)
			f.Server.SecretHeaders = slices.DeleteFunc(f.Server.SecretHeaders, func(n string) bool { return n == name })
		}
	}
	return f
}

// parted takes the secret values out of a table.
func parted(values map[string]string, put func(string) string, secret func(name, value string) bool) (plain, secrets map[string]string, names []string) {
	for name, value := range values {
		into := &plain
		if secret(name, value) {
			into = &secrets
			names = append(names, name)
		}
		if *into == nil {
			*into = map[string]string{}
		}
		(*into)[name] = put(value)
	}
	slices.Sort(names)
	return plain, secrets, names
}

func (o Offer) secretEnv(name, value string) bool {
	return o.holdsSecret(value) || !harmlessEnv(name, withoutPlaceholders(value))
}

func (o Offer) secretHeader(name, value string) bool {
	return o.holdsSecret(value) || !harmlessHeader(name, withoutPlaceholders(value))
}

// holdsSecret reports whether an input whose value is a secret stands in value.
func (o Offer) holdsSecret(value string) bool {
	for _, id := range placeholders(value) {
		if o.blank[id] {
			return true
		}
	}
	return false
}

// bearer is the access token of a header, if it is one.
func bearer(name, value string) (token string, ok bool) {
	scheme, token, found := strings.Cut(strings.TrimSpace(value), " ")
	if !strings.EqualFold(name, "Authorization") || !found || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.TrimSpace(token), true
}

// ReadError says why no servers could be read.
type ReadError struct {
	file string // the file's name without the folder, "" for pasted text
	err  error
}

// Error gives the sentence in English.
func (e *ReadError) Error() string { return english.Text(e.Sentence()) }

// Sentence implements wire.Explained.
func (e *ReadError) Sentence() i18n.Message {
	var why any = i18n.M("cli.import_system", "Reason", e.err.Error())
	if _, said := errors.AsType[*fault](e.err); said {
		why = reason(e.err)
	}
	if e.file == "" {
		return i18n.M("cli.import_text", "Reason", why)
	}
	return i18n.M("cli.import_unreadable", "File", e.file, "Reason", why)
}

// Unwrap returns what went wrong.
func (e *ReadError) Unwrap() error { return e.err }

// ReadFile reads the servers of another app's file: Claude Desktop and Code,
// Visual Studio Code, Copilot, Cursor, Cline, Roo Code, Windsurf, the MCP Inspector,
// LM Studio, Gemini CLI, Zed and whoever shares their shapes. Comments and commas
// that stand too many are let pass, as those apps do. The error is a *ReadError.
func ReadFile(path string) (Source, error) {
	found, err := readEntries(path)
	if err != nil {
		return Source{}, &ReadError{filepath.Base(path), err}
	}
	return found.source(), nil
}

func readEntries(path string) (found, error) {
	// A pipe or a device could be waited for without an end.
	switch info, err := os.Stat(path); {
	case err != nil:
		return found{}, withoutPath(err)
	case !info.Mode().IsRegular():
		return found{}, &fault{i18n.M("cli.import_no_file")}
	}
	raw, err := readFile(path)
	if err != nil {
		return found{}, withoutPath(err)
	}
	if err := otherFormat(path, raw); err != nil {
		return found{}, err
	}
	f, err := findEntries(raw)
	f.file = path
	return f, err
}

// otherFormat says what a file is that is known to be no JSON.
func otherFormat(path string, raw []byte) error {
	switch end := strings.ToLower(filepath.Ext(path)); {
	case bytes.HasPrefix(raw, []byte("PK\x03\x04")), end == ".mcpb", end == ".dxt":
		return &fault{i18n.M("cli.import_bundle")}
	case end == ".toml", end == ".yaml", end == ".yml":
		return &fault{i18n.M("cli.import_format", "Format", strings.ToUpper(end[1:]))}
	}
	return nil
}

// found is what a reader of one shape hands on.
type found struct {
	entries  []foundEntry
	inputs   []Input // those that the text itself describes
	problems []i18n.Message
	started  bool // of a command line that starts a server itself
	file     string
}

// foundEntry is one server, or why it is none.
type foundEntry struct {
	server        mcpclient.Server
	secret        string // of the client id in server.SignIn
	off           bool
	doubts, notes []i18n.Message
	err           error

	// asWritten tells that no shell would have read it before.
	asWritten bool

	number int     // among those of its source
	asked  []Input // what its stand-ins became
}

// source makes the offers of what was found.
func (f found) source() Source {
	src := Source{Problems: f.problems}
	if f.file != "" {
		src.File = shownPath(f.file)
	}
	for i, e := range f.entries {
		if i == maxImport {
			src.Problems = append(src.Problems, i18n.M("cli.import_more", "Max", maxImport, "N", len(f.entries)-maxImport))
			break
		}
		e.number = i
		if e.err == nil {
			e.err = e.mend()
		}
		if e.err == nil {
			e.err = usable(e.server)
		}
		if e.err != nil {
			src.Problems = append(src.Problems, i18n.M("cli.import_entry", "Name", e.server.Name, "Reason", reason(e.err)))
			continue
		}
		src.add(e, f.inputs)
	}
	return src
}

// add makes an offer of an entry.
func (src *Source) add(e foundEntry, described []Input) {
	e.server = atHome(e.server)
	o := Offer{whole: e.server, secret: e.secret, ClientSecret: e.secret != "", Off: e.off, Doubts: e.doubts, Notes: e.notes, blank: map[string]bool{}}
	inputs := inputsOf(e.server, e.secret, slices.Concat(e.asked, described))
	if words := fromEditor(inputs); words != nil {
		o.Notes = append(slices.Clip(o.Notes), i18n.M("cli.import_editor", "What", strings.Join(words, ", ")))
	}
	for _, in := range inputs {
		if strings.HasPrefix(in.ID, phStandIn) {
			in.Server = e.server.Name
		}
		o.Inputs = append(o.Inputs, in.ID)
		o.blank[in.ID] = in.Secret
		if !slices.ContainsFunc(src.Inputs, func(x Input) bool { return x.ID == in.ID }) {
			src.Inputs = append(src.Inputs, in)
		}
	}
	open := o.With(asItStands(inputs))
	o.Server, o.Token = open.Server, open.Token != ""
	o.Doubts = append(o.Doubts, o.plainSecrets()...)
	src.Offers = append(src.Offers, o)
}

// withoutPath is an error of the disk without the path, which the sentence
// around it names.
func withoutPath(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
