package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// Draft is a server as a person enters it: every field is the text as it was
// typed. The zero Draft is a new server at no address yet.
type Draft struct {
	Kind mcpclient.TransportKind // "" is HTTP
	Name string
	URL  string
	// Program, Arguments (one on each line) and Folder start a server. No shell
	// and no quoting take part.
	Program, Arguments, Folder string
	Env, Headers               []DraftValue
	// Protocol pins a revision. Silence is a time ("90s", or seconds) and
	// MaxMessage a size ("16 MiB"); "" is what is usual for each of them.
	Protocol, Silence, MaxMessage, LogLevel string

	before mcpclient.Server
	was    *Draft // as DraftOf made it; nil for a new one
}

// DraftValue is an environment variable or a header.
type DraftValue struct {
	Name, Value string
	// Secret tells that the value belongs in the keychain and not in the file. A person
	// says so by SetSecret.
	Secret bool

	kept string // the name under which the keychain has a value; "" for none
	// given tells that it stands in the file, and that nobody has said that it is no
	// secret.
	given bool
}

// SetSecret is what a person says of the value.
func (v *DraftValue) SetSecret(secret bool) { v.Secret, v.given = secret, false }

// String names the value without telling it.
func (v DraftValue) String() string { return "[value of " + v.Name + "]" }

// GoString is String, for %#v.
func (v DraftValue) GoString() string { return v.String() }

// The fields of a Draft that a Fault can be in.
const (
	FieldName      = "name"
	FieldURL       = "url"
	FieldProgram   = "program"
	FieldArguments = "arguments"
	FieldFolder    = "folder"
	FieldEnv       = "env"
	FieldHeaders   = "headers"
	FieldSilence   = "silence"
	FieldSize      = "size"
)

// longest is how many characters a field may have; more is more than it can be.
//
//   - An address: as many as a link may have (package consent).
//   - A program or folder: 32,767, the longest path of Windows; other systems have 4,096
//     and less.
//   - The arguments together: 2 MiB, which is what Linux gives a program in all at its
//     usual settings; other systems give less (execve(2)).
//   - A variable's value: 128 KiB, the most of one text that Linux passes on
//     (execve(2), MAX_ARG_STRLEN). A header's: 64 KiB, the most that any of the usual
//     servers can be set to take (IIS; Apache and nginx usually take 8 KiB).
//   - A name: as many as are shown of one.
func longest(field string) int {
	switch field {
	case FieldURL:
		return 8192
	case FieldProgram, FieldFolder:
		return 32767
	case FieldArguments:
		return 2 << 20
	case FieldEnv:
		return 128 << 10
	case FieldHeaders:
		return 64 << 10
	}
	return 300
}

// TooLong are the fields with more characters than they may have. It is asked first: all
// else that is found out about a draft takes a time that grows with it.
func (d Draft) TooLong() []Fault {
	var faults []Fault
	check := func(f Fault, words, text string) {
		most := longest(f.Field)
		if f.InName {
			most = longest(FieldName)
		}
		if len(text) <= most { // bytes, which are no fewer
			return
		}
		if n := utf8.RuneCountInString(text); n > most {
			f.Text = i18n.M("cli.draft_long", "Field", i18n.M(words), "Has", i18n.Grouped(n), "Most", i18n.Grouped(most))
			faults = append(faults, f)
		}
	}
	check(Fault{Field: FieldName}, "cli.draft_long_name", d.Name)
	values, field := d.Headers, FieldHeaders
	if d.kind() == mcpclient.Stdio {
		check(Fault{Field: FieldProgram}, "cli.draft_long_program", d.Program)
		check(Fault{Field: FieldFolder}, "cli.draft_long_folder", d.Folder)
		check(Fault{Field: FieldArguments}, "cli.draft_long_arguments", d.Arguments)
		values, field = d.Env, FieldEnv
	} else {
		check(Fault{Field: FieldURL}, "cli.draft_long_url", d.URL)
	}
	for i, v := range values {
		check(Fault{Field: field, Row: i, InName: true}, "cli.draft_long_name", v.Name)
		check(Fault{Field: field, Row: i}, "cli.draft_long_value", v.Value)
	}
	return faults
}

// Fault is what is wrong with one field.
type Fault struct {
	Field string
	// Row is the value meant where Field is FieldEnv or FieldHeaders, and InName
	// that it is its name.
	Row    int
	InName bool
	Text   i18n.Message
}

// DraftOf is s as it is edited. Values in the keychain are not in it; they stay
// as they are unless something is entered in their place.
func DraftOf(s mcpclient.Server) Draft {
	d := Draft{Kind: s.Kind, Name: s.Name, URL: s.URL, Program: s.Command, Arguments: strings.Join(s.Args, "\n"), Folder: s.Dir,
		Protocol: s.Protocol, LogLevel: s.LogLevel, before: s}
	if s.Silence > 0 {
		d.Silence = formatTime(s.Silence)
	}
	if s.MaxMessage > 0 {
		d.MaxMessage = formatSize(s.MaxMessage)
	}
	d.Env, d.Headers = draftValues(s.Env, s.SecretEnv, s.PlainEnv), draftValues(s.Headers, s.SecretHeaders, s.PlainHeaders)
	was := d.Clone()
	d.was = &was
	return d
}

// Clone is a copy of d that shares nothing with it that changes.
func (d Draft) Clone() Draft {
	d.Env, d.Headers = slices.Clone(d.Env), slices.Clone(d.Headers)
	return d
}

func draftValues(plain map[string]string, secret, said []string) []DraftValue {
	var out []DraftValue
	for _, name := range sortedKeys(plain) {
		out = append(out, DraftValue{Name: name, Value: plain[name], given: !slices.Contains(said, name)})
	}
	for _, name := range secret {
		out = append(out, DraftValue{Name: name, Secret: true, kept: name})
	}
	slices.SortStableFunc(out, func(a, b DraftValue) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Anew is d as a new server: it takes the place of none, and nothing is kept for it.
func (d Draft) Anew() Draft {
	d.before, d.was = mcpclient.Server{}, nil
	d.Env, d.Headers = newValues(d.Env), newValues(d.Headers)
	return d
}

// newValues are values for which nothing is kept.
func newValues(values []DraftValue) []DraftValue {
	out := slices.Clone(values)
	for i := range out {
		out[i].kept = ""
	}
	return out
}

// Exposed reports whether v, a value that stands in the file, may be a secret (see
// Exposed).
func (d Draft) Exposed(v DraftValue) bool {
	return v.given && !v.Secret && mayBeSecret(d.kind(), v.Name, v.Value)
}

// Concealed is d after values of these names were moved out of the file: now is the
// server as it stands. What was entered in their place stays.
func (d Draft) Concealed(now mcpclient.Server, names []string) Draft {
	anew := DraftOf(now)
	if !d.Changed() {
		return anew
	}
	conceal := func(values []DraftValue, was map[string]string) []DraftValue {
		values = slices.Clone(values)
		for i, v := range values {
			if v.given && slices.Contains(names, v.Name) && v.Value == was[v.Name] {
				values[i] = DraftValue{Name: v.Name, Secret: true, kept: v.Name}
			}
		}
		return values
	}
	d.Env, d.Headers = conceal(d.Env, d.before.Env), conceal(d.Headers, d.before.Headers)
	d.before, d.was = anew.before, anew.was
	return d
}

// Changed reports whether something was entered. It is asked at every key.
func (d Draft) Changed() bool {
	var was Draft
	if d.was != nil {
		was = *d.was
	}
	return d.kind() != was.kind() || !slices.Equal(d.texts(), was.texts()) ||
		!slices.Equal(d.Env, was.Env) || !slices.Equal(d.Headers, was.Headers)
}

// kind is the kind of server, that of a new one if none was chosen.
func (d Draft) kind() mcpclient.TransportKind { return cmp.Or(d.Kind, mcpclient.HTTP) }

// texts are the fields that are one text.
func (d Draft) texts() []string {
	return []string{d.Name, d.URL, d.Program, d.Arguments, d.Folder, d.Protocol, d.Silence, d.MaxMessage, d.LogLevel}
}

// Before is the server that is edited, zero for a new one.
func (d Draft) Before() mcpclient.Server { return d.before }

// Kept reports whether the keychain has a value for v that stays good if nothing
// is entered: one given for another origin does not.
func (d Draft) Kept(v DraftValue) bool {
	return v.Secret && v.kept != "" && v.kept == v.Name && v.Value == "" && SameOrigin(d.before, d.Server())
}

// Server is the server as entered, whatever is wrong with it. Its secret values
// are named and left out.
func (d Draft) Server() mcpclient.Server {
	s := mcpclient.Server{ID: d.before.ID, Name: strings.TrimSpace(d.Name), Kind: d.kind(), Protocol: d.Protocol, LogLevel: d.LogLevel}
	s.Silence, _ = enteredTime(d.Silence)
	s.MaxMessage, _ = enteredSize(d.MaxMessage)
	if s.Kind != mcpclient.Stdio {
		s.URL = strings.TrimSpace(d.URL)
		s.Headers, s.SecretHeaders, _ = entered(d.Headers)
		s.PlainHeaders = spokenOf(d.Headers)
		if SameOrigin(d.before, s) {
			s.SignIn = d.before.SignIn // an exception for one place is none for another
		}
		return s
	}
	s.Command, s.Dir, s.Args = strings.TrimSpace(d.Program), strings.TrimSpace(d.Folder), d.args()
	s.Env, s.SecretEnv, _ = entered(d.Env)
	s.PlainEnv = spokenOf(d.Env)
	return s
}

// spokenOf are the names of values of which the person has said that they are no
// secrets.
func spokenOf(values []DraftValue) []string {
	var out []string
	for _, v := range values {
		if name := strings.TrimSpace(v.Name); !v.Secret && !v.given && name != "" {
			out = append(out, name)
		}
	}
	return out
}

// args are the lines. Arguments that were not touched stay as they are, line
// ends within them included.
func (d Draft) args() []string {
	switch {
	case d.Arguments == strings.Join(d.before.Args, "\n"):
		return slices.Clone(d.before.Args)
	case d.Arguments == "":
		return nil
	}
	return strings.Split(strings.TrimSuffix(d.Arguments, "\n"), "\n")
}

// entered sorts values; empty rows are none.
func entered(values []DraftValue) (plain map[string]string, secret []string, typed map[string]string) {
	for _, v := range values {
		name := strings.TrimSpace(v.Name)
		switch {
		case name == "" && v.Value == "":
		case v.Secret:
			secret = append(secret, name)
			if v.Value != "" {
				if typed == nil {
					typed = map[string]string{}
				}
				typed[name] = v.Value
			}
		default:
			if plain == nil {
				plain = map[string]string{}
			}
			plain[name] = v.Value
		}
	}
	return plain, secret, typed
}

// Typed are the secret values that were entered.
func (d Draft) Typed() Typed {
	var t Typed
	if d.Kind == mcpclient.Stdio {
		_, _, t.Env = entered(d.Env)
	} else {
		_, _, t.Headers = entered(d.Headers)
	}
	return t
}

// OutOfFile are those of the secret values entered that stand in the file: they have to
// be kept before it is written.
func (d Draft) OutOfFile() Typed {
	in := func(typed, plain map[string]string) map[string]string {
		typed = maps.Clone(typed)
		maps.DeleteFunc(typed, func(name, _ string) bool { _, there := plain[name]; return !there })
		return typed
	}
	t := d.Typed()
	return Typed{Env: in(t.Env, d.before.Env), Headers: in(t.Headers, d.before.Headers)}
}

// Check returns the server with a name, and what is wrong with it: nil if it can
// be stored. Names of other servers are others.
func (d Draft) Check(others []string) (mcpclient.Server, []Fault) {
	s := d.Server()
	if faults := d.TooLong(); faults != nil {
		return s, faults
	}
	var faults []Fault
	wrong := func(field string, text i18n.Message) { faults = append(faults, Fault{Field: field, Text: text}) }
	id, err := s.Identify()
	switch {
	case err != nil && s.Kind == mcpclient.Stdio:
		wrong(FieldProgram, i18n.M("cli.draft_program"))
	case err != nil:
		text := wire.Sentence(err)
		if text.IsZero() {
			text = i18n.M("cli.draft_address")
		}
		wrong(FieldURL, text)
	case s.Name == "":
		s.Name = free(id.Name, others)
	}
	if s.Name != "" && slices.Contains(others, s.Name) {
		wrong(FieldName, i18n.M("cli.config_name_taken"))
	}
	if s.Kind == mcpclient.Stdio {
		for field, text := range map[string]string{FieldProgram: d.Program, FieldArguments: d.Arguments, FieldFolder: d.Folder} {
			if strings.ContainsRune(text, 0) {
				wrong(field, i18n.M("cli.draft_nul"))
			}
		}
		faults = append(faults, d.checkValues(FieldEnv, d.Env, checkVariable)...)
	} else {
		faults = append(faults, d.checkValues(FieldHeaders, d.Headers, checkHeader)...)
	}
	if _, ok := enteredTime(d.Silence); !ok {
		wrong(FieldSilence, i18n.M("cli.draft_silence"))
	}
	if _, ok := enteredSize(d.MaxMessage); !ok {
		wrong(FieldSize, i18n.M("cli.draft_size"))
	}
	return s, faults
}

// free is name, with a number behind it if it is taken.
func free(name string, taken []string) string {
	out := name
	for n := 2; slices.Contains(taken, out); n++ {
		out = fmt.Sprintf("%s %d", name, n)
	}
	return out
}

// checkValues finds what is wrong with environment variables or headers.
func (d Draft) checkValues(field string, values []DraftValue, check func(name, value string) (inName bool, text i18n.Message)) []Fault {
	var faults []Fault
	seen := map[string]bool{}
	for i, v := range values {
		name := strings.TrimSpace(v.Name)
		if name == "" && v.Value == "" {
			continue
		}
		key := name
		if field == FieldHeaders {
			key = strings.ToLower(name)
		}
		inName, text := check(name, v.Value)
		switch {
		case !text.IsZero():
		case seen[key]:
			inName, text = true, i18n.M("cli.draft_twice")
		case v.Value == "" && v.Secret && !d.Kept(v):
			text = i18n.M("cli.draft_enter")
			if v.kept != "" && v.kept == v.Name {
				text = i18n.M("cli.draft_enter_anew")
			}
		case v.Value == "" && !v.Secret && v.kept != "":
			text = i18n.M("cli.draft_enter_plain")
		}
		seen[key] = true
		if !text.IsZero() {
			faults = append(faults, Fault{Field: field, Row: i, InName: inName, Text: text})
		}
	}
	return faults
}

// checkVariable says what no system takes as an environment variable.
func checkVariable(name, value string) (inName bool, text i18n.Message) {
	switch {
	case name == "" || strings.ContainsAny(name, "=\x00"):
		return true, i18n.M("cli.draft_variable")
	case strings.ContainsRune(value, 0):
		return false, i18n.M("cli.draft_nul")
	}
	return false, i18n.Message{}
}

// checkHeader says what HTTP does not take as a header.
func checkHeader(name, value string) (inName bool, text i18n.Message) {
	err := http.CheckHeader(name, value)
	if err == nil {
		return false, i18n.Message{}
	}
	return http.CheckHeader(name, "") != nil, wire.Sentence(err)
}

// Remarks are what a person should know before they store the draft, and may do
// all the same.
func (d Draft) Remarks() []i18n.Message {
	var out []i18n.Message
	s := d.Server()
	if s.Kind == mcpclient.Stdio {
		if n := slices.IndexFunc(d.before.Args, func(a string) bool { return strings.ContainsAny(a, "\r\n") }); n >= 0 {
			text := "cli.draft_lines_kept"
			if d.Arguments != strings.Join(d.before.Args, "\n") {
				text = "cli.draft_lines_split"
			}
			out = append(out, i18n.M(text, "N", n+1))
		}
		for i := range s.Args {
			if secretArgument(s.Args, i) {
				out = append(out, i18n.M("cli.import_secret_argument", "N", i+1))
			}
		}
		return out
	}
	if secretAddress(s.URL) {
		out = append(out, i18n.M("cli.import_secret_address"))
	}
	o, err := http.ParseOrigin(s.URL)
	if err == nil && !o.Encrypted && !o.Loopback && len(s.SecretHeaders) > 0 {
		out = append(out, i18n.M("cli.draft_open"))
	}
	if d.before.ID != "" && err == nil && d.before.Kind != mcpclient.Stdio && !SameOrigin(d.before, s) {
		out = append(out, i18n.M("cli.draft_moved"))
	}
	return out
}

// longestSilence bounds what can be entered as one.
const longestSilence = 24 * time.Hour

// enteredTime reads a time; a number alone is seconds, and "" is 0.
func enteredTime(s string) (time.Duration, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	if s == "" {
		return 0, true
	}
	if n, err := strconv.ParseUint(s, 10, 32); err == nil {
		d := time.Duration(n) * time.Second
		return d, d > 0 && d <= longestSilence
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= time.Second && d <= longestSilence
}

// enteredSize reads a size; "" is 0.
func enteredSize(s string) (int64, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, true
	}
	return parseSize(s)
}
