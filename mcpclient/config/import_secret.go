package config

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// What is secret in another app's file nobody marked. Values of environment
// variables and headers count as secret unless both name and value are plainly
// harmless: a secret taken for a setting would lie in a plain file, a setting
// taken for a secret only lies in the keychain.

// secretWords within the name of something say that it is a secret.
var secretWords = regexp.MustCompile(`(?i)(token|secret|passw|passphrase|pwd|api[-_. ]?key|access[-_. ]?key|private|credential|auth|bearer|cookie|session|signature|webhook|dsn|connection[-_. ]?string|(^|[-_. ])(key|pat|pw|pin|jwt|sas)s?($|[-_. 0-9]))`)

func secretName(name string) bool { return secretWords.MatchString(name) }

// harmlessWords are values that settings usually have.
var harmlessWords = regexp.MustCompile(`^(?i)(true|false|yes|no|on|off|none|null|auto|\d{1,6}|trace|debug|info|notice|warn|warning|error|critical|production|development|test|staging|stdio|http|sse|json|text|utf-?8|[a-z]{2}([-_][a-z]{2})?(\.utf-?8)?)$`)

// harmlessNames are variables that hold settings whatever their value.
var harmlessNames = regexp.MustCompile(`^(PATH|HOME|USER|LANG|LC_[A-Z]+|TZ|SHELL|TERM|TMPDIR|TEMP|TMP|NODE_ENV|NODE_OPTIONS|PYTHONPATH|PYTHONUNBUFFERED|VIRTUAL_ENV|LOG_LEVEL|[A-Z_]*LOG_LEVEL|DEBUG|PORT|HOST|HTTP_PROXY_HOST|DOCKER_HOST|AWS_REGION|AWS_PROFILE|AWS_DEFAULT_REGION|APPDATA|LOCALAPPDATA|SYSTEMROOT)$`)

// settingNames are names that say where or what something is. The address of a
// database often has a password in it.
var (
	settingNames  = regexp.MustCompile(`(?i)(^|_)(URL|URI|HOST|HOSTNAME|PORT|PATH|DIR|DIRECTORY|FOLDER|REGION|ENDPOINT|LEVEL|NAME|LOCALE)$`)
	databaseNames = regexp.MustCompile(`(?i)(^|_)(DATABASE|DB|REDIS|MONGO|MONGODB|POSTGRES|PG|MYSQL|AMQP|SENTRY)_`)
)

// secretVariable reports whether the value of an environment variable, of which
// only the name is known, is to be typed masked.
func secretVariable(name string) bool {
	return secretName(name) || databaseNames.MatchString(name) || !settingNames.MatchString(name) && !harmlessNames.MatchString(name)
}

// harmlessEnv reports whether an environment variable can stand in a plain file.
func harmlessEnv(name, value string) bool {
	switch {
	case secretName(name), looksSecret(value):
		return false
	case harmlessNames.MatchString(name), harmlessWords.MatchString(value):
		return true
	case value == "":
		return !secretVariable(name) // of a placeholder only the name speaks
	case strings.HasPrefix(value, "/"), strings.HasPrefix(value, "~/"), regexp.MustCompile(`^[A-Za-z]:[\\/]`).MatchString(value):
		return true
	}
	return plainAddress(value)
}

// plainAddress reports whether s is an address without anything that could be a
// secret: in some services a part of the path is one.
func plainAddress(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	return !slices.ContainsFunc(strings.Split(u.Path, "/"), func(part string) bool { return len(part) > 16 })
}

// harmlessHeaders can stand in a plain file.
var harmlessHeaders = []string{"Accept", "Accept-Language", "Content-Type", "User-Agent"}

func harmlessHeader(name string) bool {
	return slices.ContainsFunc(harmlessHeaders, func(h string) bool { return strings.EqualFold(h, name) })
}

// known secrets have prefixes of their own; a password can stand in an address.
var secretShape = regexp.MustCompile(`(^|[^A-Za-z0-9])(sk-[\w-]{16,}|[sr]k_(live|test)_\w{10,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{30,}|hf_\w{20,}|npm_\w{30,}|ntn_\w{20,}|eyJ[\w-]{12,}\.)|(?i)authorization:\s*\S|[a-z][a-z0-9+.-]*://[^/\s:@]+:[^/\s@]+@`)

// looksSecret reports whether s has the shape of a secret, whatever it is called.
func looksSecret(s string) bool { return secretShape.MatchString(s) }

// plainSecrets says which secrets of an offer would stand in the list as plain
// text: those that are no values of variables or headers.
func (o Offer) plainSecrets() []i18n.Message {
	var out []i18n.Message
	v := o.whole
	if v.Kind == mcpclient.Stdio {
		for i, a := range v.Args {
			if o.holdsSecret(a) || looksSecret(withoutPlaceholders(a)) || secretFlag(v.Args, i) {
				out = append(out, i18n.M("cli.import_secret_argument", "N", i+1))
			}
		}
		return out
	}
	if o.holdsSecret(v.URL) || secretQuery(v.URL) {
		out = append(out, i18n.M("cli.import_secret_address"))
	}
	return out
}

// secretFlag reports whether argument i is a secret by the flag that it holds, or
// that stands before it.
func secretFlag(args []string, i int) bool {
	name, value, joined := strings.Cut(args[i], "=")
	if strings.HasPrefix(name, "-") && joined {
		return secretName(strings.TrimLeft(name, "-")) && withoutPlaceholders(value) != ""
	}
	if i == 0 || strings.HasPrefix(args[i], "-") || withoutPlaceholders(args[i]) == "" {
		return false
	}
	before := args[i-1]
	return strings.HasPrefix(before, "--") && !strings.Contains(before, "=") && secretName(strings.TrimLeft(before, "-"))
}

// secretQuery reports whether an address carries a secret.
func secretQuery(address string) bool {
	u, err := url.Parse(withoutPlaceholders(address))
	if err != nil {
		return looksSecret(address)
	}
	for name, values := range u.Query() {
		if secretName(name) && !slices.Equal(values, []string{""}) {
			return true
		}
	}
	return looksSecret(address)
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
