package config

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley/assets/i18n"
)

// READMEs show <your-api-key> where something of the reader's belongs. What was
// left standing so is asked for, as what a file leaves open with ${…} is; but each
// is asked for by itself: two servers that show <token> do not mean the same one.

// phStandIn begins the ID of an input that a stand-in became. The number of its
// server and its name follow.
const phStandIn = "stand-in:"

const marks = `\$\{[^{}]*\}` +
	`|<([A-Za-z][\w .:'/()-]*)>` +
	`|\$?\{\{\s*(\w[\w.-]*)\s*\}\}` +
	`|#\{([\w.-]+)\}#?` +
	`|[\[{]((?i:your)[\w -]*)[\]}]` +
	`|\{([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\}` +
	`|\b(YOUR[_-][A-Z0-9_-]*[A-Z0-9])\b`

var (
	// standInMarks are those within a text that marks or capitals set apart; the name
	// stands in a group. The placeholders of apps come first, and are none.
	standInMarks = regexp.MustCompile(marks)
	// standIn are all of them. In an address, words with "your" in them may be its own.
	standIn = regexp.MustCompile(marks + `|\b(your[_-][a-z0-9_-]*[a-z0-9])\b|(\b[A-Za-z]+[-_](?:\*{3,}|x{4,}|X{4,})|\*{4,})`)
	// standInHidden is a secret that was made unreadable.
	standInHidden = regexp.MustCompile(`\*{3}|(?i)x{4}`)
	// standInWhole is a value that is nothing else.
	standInWhole = regexp.MustCompile(`(?i)^(<[^<>]+>|\[[a-z][a-z _-]*\]|\{[a-z][a-z0-9 _-]*\}|([a-z0-9]+[-_ ])*_*your([-_. ].*|[a-z]*)|(insert|enter|replace|paste)[-_ ].*` +
		`|[x*-]*(x{3}|\*{3})[x*-]*|\.{2,}|…|change[-_ ]?(me|this)|todo|tbd|placeholder|.*[-_ ]here|my[-_ ].*(key|token|secret|password))$`)
	// standInCut is a secret of which only its beginning is shown: sk-xxxx, sk-….
	standInCut = regexp.MustCompile(`^[A-Za-z0-9]*([-_][A-Za-z0-9]+)*[-_]?(x{4,}|X{4,}|\*{3,}|\.{3}|…)[^\s/]*$`)
	// standInName is the name of a variable, as it stands where its value belongs.
	standInName = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)
	standInHere = regexp.MustCompile(`^<[A-Za-z][\w .:'/()-]*>`)
	// standInPath is a path that only shows how one looks; what stands before it is in a
	// group.
	standInPath = regexp.MustCompile(`(?i)(^|=)(?:(?:\./|/|[A-Z]:[\\/])?(?:(?:absolute|full|your)[\\/])?path[\\/]to|(?:/(?:Users|home)/|[A-Z]:[\\/]Users[\\/])(?:you|username|yourname))(?:[\\/][^:,;="']*)?(?:$|[:,;])`)
	// standInMore stands for arguments that are not shown.
	standInMore = regexp.MustCompile(`^(\.{3}|…)$`)
	// authScheme is what stands before the credential in a header (RFC 9110, section
	// 11.4), or is used like that.
	authScheme = regexp.MustCompile(`(?i)^(bearer|basic|token|api-?key|key)\s+`)
)

// Of one server so many stand-ins are asked for, in texts of so many bytes at most: no
// person fills in more, and each is looked at with all that stands around it.
const (
	maxStandIns    = 30
	maxStandInText = 8 << 10
)

// askForStandIns makes placeholders of what stands for something else.
func (e *foundEntry) askForStandIns() {
	v := &e.server
	for _, name := range sortedKeys(v.Env) {
		label := i18n.M("cli.import_ask_env", "Name", name)
		v.Env[name] = e.openValue(name, v.Env[name], label, secretVariable(name))
	}
	for _, name := range sortedKeys(v.Headers) {
		v.Headers[name] = e.openHeader(name, v.Headers[name])
	}
	e.openArguments()
	v.Command = e.openPath(v.Command, i18n.M("cli.import_where_program"))
	v.Dir = e.openPath(v.Dir, i18n.M("cli.import_where_folder"))
	e.openAddress()
	v.SignIn.ClientID = e.opened(v.SignIn.ClientID, never)
	e.secret = e.opened(e.secret, always)
}

func never(string) bool  { return false }
func always(string) bool { return true }

// standsFor reports whether value, of something with this name, only shows that one
// belongs there; secret is whether it would be one.
func standsFor(name, value string, secret bool) bool {
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if len(value) > maxStandInText {
		return false
	}
	if standInWhole.MatchString(value) || secret && standInCut.MatchString(value) {
		return true
	}
	return standInName.MatchString(value) && secretName(value) && secretUnder(name, value)
}

// openValue is the value of a variable, with placeholders for the stand-ins in it.
func (e *foundEntry) openValue(name, value string, label i18n.Message, secret bool) string {
	switch {
	case standsFor(name, value, secret):
		return e.ask(name, label, value, secret)
	case strings.TrimSpace(value) == "" && secretUnder(name, sampleSecret) && len(e.asked) < maxStandIns: // to be filled in, or not
		value = e.ask(name, label, `""`, true)
		e.asked[len(e.asked)-1].Optional = true
		return value
	}
	value = e.openPath(value, label)
	return e.opened(value, func(string) bool { return secretName(name) })
}

// openHeader is that of a header; a word for how it is meant may stand before it.
func (e *foundEntry) openHeader(name, value string) string {
	scheme := authScheme.FindString(value)
	rest := value[len(scheme):]
	secret := !harmlessHeader(name, "")
	if scheme == "" {
		return e.openValue(name, value, i18n.M("cli.import_ask_header", "Name", name), secret)
	}
	if opened := e.opened(rest, func(string) bool { return secret }); opened != rest {
		return scheme + opened
	}
	if standsFor(name, rest, secret) {
		return scheme + e.ask(name, i18n.M("cli.import_ask_header", "Name", name), rest, secret)
	}
	return value
}

// openArguments looks at the arguments one by one: the name of what stands in one may
// be a flag, a variable or a header.
func (e *foundEntry) openArguments() {
	v := &e.server
	given := v.Args
	v.Args = slices.Clone(given)
	left := false // an argument that stands for more is named
	for i, a := range given {
		before := ""
		if i > 0 {
			before = given[i-1]
		}
		if shellFlag.MatchString(before) {
			continue // there it may be a redirection
		}
		where := i18n.M("cli.import_where_argument", "N", i+1)
		if standInMore.MatchString(a) && !strings.HasPrefix(before, "-") {
			if left {
				continue
			}
			left = true
			e.doubts = append(e.doubts, i18n.M("cli.import_stand_in", "Where", where))
			continue
		}
		a = e.ownVariables(e.openPath(a, where))
		v.Args[i] = e.openArgument(before, a, where, func(sample string) bool {
			return secretArgument([]string{before, sample}, 1)
		})
	}
}

// ownVariables is text in which ${NAME} stays as it is where the server is given a
// variable of that name: programs such as mcp-remote put it in themselves, and a secret
// among the arguments would stand in the list.
func (e *foundEntry) ownVariables(text string) string {
	if !e.asWritten {
		return text
	}
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		name := s[2 : len(s)-1]
		if _, own := e.server.Env[name]; own {
			return "${" + phLiteral + name + "}"
		}
		return s
	})
}

// openArgument is one of them; secret reports whether it would hold a secret if that
// stood there.
func (e *foundEntry) openArgument(before, arg string, where i18n.Message, secret func(sample string) bool) string {
	if m := headerText.FindStringSubmatch(arg); m != nil && headerFlag.MatchString(before) {
		return m[1] + ": " + e.openHeader(m[1], m[2])
	}
	name, value, joined := strings.Cut(arg, "=")
	if !joined {
		name, value = before, arg
	}
	bare := strings.TrimLeft(name, "-")
	if m := assignment.FindStringSubmatch(arg); m != nil {
		return m[1] + "=" + e.openValue(m[1], m[2], i18n.M("cli.import_ask_env", "Name", m[1]), secretVariable(m[1]))
	}
	if strings.HasPrefix(name, "-") && len(name) > 2 && standsFor(bare, value, true) && secret(strings.TrimSuffix(arg, value)+sampleSecret) {
		return strings.TrimSuffix(arg, value) + e.ask(bare, i18n.M("cli.import_ask_input", "Name", name), value, true)
	}
	if prefix, address := "", arg; webAddress(address) || joined && webAddress(value) {
		if joined && webAddress(value) {
			prefix, address = name+"=", value
		}
		if exampleAddress(address) {
			return prefix + e.ask(address, where, address, false)
		}
	}
	return e.opened(arg, secret)
}

// openPath is text with placeholders for the paths in it that only show how one looks.
func (e *foundEntry) openPath(text string, label i18n.Message) string {
	return standInPath.ReplaceAllStringFunc(text, func(s string) string {
		before := standInPath.FindStringSubmatch(s)[1]
		path := strings.TrimRight(s[len(before):], ":,;")
		return before + e.ask(path, label, path, false) + s[len(before)+len(path):]
	})
}

// sampleSecret stands for a secret where it is asked what would be one.
const sampleSecret = "sample"

// opened is text with placeholders for the stand-ins within it; secret reports
// whether it would be a secret with a sample in the place of one.
func (e *foundEntry) opened(text string, secret func(with string) bool) string {
	return e.open(standIn, text, secret)
}

// openMarks is opened for what marks or capitals set apart.
func (e *foundEntry) openMarks(text string, secret func(with string) bool) string {
	return e.open(standInMarks, text, secret)
}

func (e *foundEntry) open(standIn *regexp.Regexp, text string, secret func(with string) bool) string {
	if len(text) > maxStandInText {
		return text
	}
	return standIn.ReplaceAllStringFunc(text, func(s string) string {
		name := namedIn(standIn, s)
		if name == "" || len(e.asked) >= maxStandIns {
			return s
		}
		masked := secretName(name) || standInHidden.MatchString(name) || secret(strings.ReplaceAll(text, s, sampleSecret))
		return e.ask(name, i18n.M("cli.import_ask_input", "Name", name), s, masked)
	})
}

// namedIn is the name that a stand-in gives, "" if s is none or gives none.
func namedIn(standIn *regexp.Regexp, s string) string {
	m := standIn.FindStringSubmatch(s)
	return strings.TrimSpace(strings.Join(m[min(1, len(m)):], ""))
}

// ask is the placeholder for something that is asked for; stands is what the file has
// there, which it stays as if too much is.
func (e *foundEntry) ask(name string, label i18n.Message, stands string, secret bool) string {
	if len(e.asked) >= maxStandIns {
		return stands
	}
	id := phStandIn + strconv.Itoa(e.number) + ":" + strings.NewReplacer("{", "", "}", "").Replace(name)
	switch i := slices.IndexFunc(e.asked, func(in Input) bool { return in.ID == id }); {
	case i >= 0:
		e.asked[i].Secret = e.asked[i].Secret || secret
	default:
		e.asked = append(e.asked, Input{ID: id, Label: label, Stands: stands, Secret: secret})
	}
	return "${" + id + "}"
}
