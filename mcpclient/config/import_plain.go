package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// Secrets that are no values of variables or headers stand in the list as plain
// text: a program takes its arguments, and an address its parts, as they are.
// They cannot be moved into the keychain, so the person is told of them.

// plainSecrets says which secrets of an offer would stand in the list as plain
// text.
func (o Offer) plainSecrets() []i18n.Message {
	var out []i18n.Message
	v := o.whole
	if v.Kind == mcpclient.Stdio {
		for i, a := range v.Args {
			if o.holdsSecret(a) || secretArgument(v.Args, i) {
				out = append(out, i18n.M("cli.import_secret_argument", "N", i+1))
			}
		}
		return out
	}
	if o.holdsSecret(v.SignIn.ClientID) {
		out = append(out, i18n.M("cli.import_secret_client"))
	}
	if o.holdsSecret(v.URL) || secretAddress(v.URL) {
		out = append(out, i18n.M("cli.import_secret_address"))
	}
	return out
}

// secretArgument reports whether argument i seems to hold a secret: by its own
// shape, by the flag that it holds or that stands before it, or within the text
// of a command for a shell.
func secretArgument(args []string, i int) bool {
	before := ""
	if i > 0 {
		before = args[i-1]
	}
	if text := args[i]; shellFlag.MatchString(before) && strings.ContainsAny(text, " \t\n") {
		words := shellWords(text)
		return slices.ContainsFunc(indices(words), func(j int) bool { return secretArgument(words, j) })
	}
	arg := withoutPlaceholders(args[i])
	return looksSecret(arg) || secretFlag(before, arg) || secretSetting(before, arg) || webAddress(arg) && secretAddress(arg) || bareSecret(before, arg)
}

var (
	// uuid names a project as often as it lets one in: only its place tells.
	uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	// naming flags take what looks random and only names something.
	naming = regexp.MustCompile(`(?i)(^|-)(id|ids|sha|sha256|commit|ref|rev|revision|hash|digest|checksum|integrity|from|name|project|workspace|team|org|image|tag|version)$`)
)

// bareSecret reports whether arg is nothing but a long word drawn by lot, and not
// after a flag that says what it names.
func bareSecret(before, arg string) bool {
	return len(arg) >= 24 && !strings.HasPrefix(arg, "-") && !strings.Contains(arg, ".") && looksRandom(arg) && !uuid.MatchString(arg) &&
		!(strings.HasPrefix(before, "-") && naming.MatchString(before))
}

// shellFlag is what a command for a shell follows.
var shellFlag = regexp.MustCompile(`^(-[a-z]*c|(?i)/[ck]|(?i)-command)$`)

// shellWords takes the text of a command for a shell apart as far as is needed to
// see what it sets; it is never run.
func shellWords(text string) []string {
	if words, err := splitWords(text); err == nil {
		return words
	}
	// It has several commands, or is for another shell.
	var words []string
	for _, part := range quotedParts.FindAllString(text, -1) {
		words = append(words, strings.Trim(part, `"'`))
	}
	return words
}

var quotedParts = regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s;&|()"']+("[^"]*"|'[^']*')?`)

func indices(words []string) []int {
	out := make([]int, len(words))
	for i := range words {
		out[i] = i
	}
	return out
}

// secretFlag reports whether arg is a secret by the flag that it holds, or that
// stands before it.
func secretFlag(before, arg string) bool {
	if name, value, joined := strings.Cut(arg, "="); strings.HasPrefix(arg, "-") {
		return joined && value != "" && !assigns(value) && flagSecret(name, value)
	}
	switch {
	case arg == "" || !strings.HasPrefix(before, "-") || strings.Contains(before, "="):
		return false
	case before == "-k": // of a key; without a value it is another flag
		return !webAddress(arg)
	case before == "-u" || before == "--user":
		return userPassword.MatchString(arg)
	case len(before) == 2:
		return looksRandom(arg)
	}
	return flagSecret(before, arg)
}

// userPassword is what curl and its like sign in with; docker's -u takes numbers.
var userPassword = regexp.MustCompile(`^[^:/\s]*[^:/\s\d][^:/\s]*:[^:/\s]*[^:/\s\d]`)

// flagSecret reports whether value, of a flag, is a secret.
func flagSecret(flag, value string) bool {
	name := strings.TrimLeft(flag, "-")
	if strings.HasPrefix(name, "no-") || authKinds.MatchString(name+" "+value) {
		return false
	}
	return secretUnder(name, value)
}

// authKinds say how one signs in.
var authKinds = regexp.MustCompile(`(?i)^auth(entication|orization)? (none|off|on|oauth2?|oidc|basic|bearer|token|jwt|iam|sso|api[-_]?key|cli|browser|device|default|interactive|true|false|auto)$`)

// assignment is a variable that is set, as env, docker and shells take it.
var assignment = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)

func assigns(s string) bool { return assignment.MatchString(s) }

// headerText is a header as curl and mcp-remote take it.
var headerText = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]*):\s*(.+)$`)

var (
	envFlag    = regexp.MustCompile(`^(-e|--env)=?`)
	headerFlag = regexp.MustCompile(`^(-H|--headers?)=?`)
)

// secretSetting reports whether arg sets a variable or a header to a secret.
func secretSetting(before, arg string) bool {
	text := strings.Trim(envFlag.ReplaceAllString(arg, ""), `"'`)
	if m := assignment.FindStringSubmatch(text); m != nil {
		value := strings.Trim(m[2], `"'`)
		return value != "" && (secretUnder(m[1], value) || looksRandom(value))
	}
	text = headerFlag.ReplaceAllString(arg, "")
	if m := headerText.FindStringSubmatch(text); m != nil && (text != arg || headerFlag.MatchString(before)) {
		return secretUnder(m[1], m[2]) || looksRandom(m[2])
	}
	return false
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// secretAddress reports whether an address carries a secret: in its query by name
// or value, or as a part of the path, as some services give one to each person.
func secretAddress(address string) bool {
	if looksSecret(address) {
		return true
	}
	u, err := url.Parse(withoutPlaceholders(address))
	if err != nil {
		return false
	}
	for name, values := range u.Query() {
		if slices.ContainsFunc(values, func(value string) bool { return value != "" && secretUnder(name, value) || looksRandom(value) }) {
			return true
		}
	}
	return looksRandom(u.Fragment) || slices.ContainsFunc(strings.Split(u.Path, "/"), looksRandom)
}
