package config

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// What is secret in another app's file nobody marked. Values of environment
// variables and headers count as secret unless both name and value are plainly
// harmless: a secret taken for a setting would lie in a plain file, a setting
// taken for a secret only lies in the keychain.

// secretWords within the name of something say that it is a secret. Short words
// count only where they stand by themselves, or begin a new word as in "dbPass".
var secretWords = regexp.MustCompile(`(?i)(token|secret|passw|passphrase|pass[-_. ]?code|pwd|api[-_. ]?key|access[-_. ]?key|private|credential|auth|bearer|cookie|session|signature|webhook|dsn|mnemonic|hmac|connection[-_. ]?string|(access|security|verification)[-_. ]code|(^|pg|db|user|admin|root|smtp|my|[-_. ])(key|pass|pat|pw|pin|t?otp|creds?|jwt|sas)s?($|[-_. 0-9])|(?-i:[a-z](Key|Pass|Pin|Otp|Pat))($|[-_. 0-9]))`)

// ordinaryParts of names have one of secretWords in them and mean nothing secret.
var ordinaryParts = regexp.MustCompile(`(?i)pass[-_. ]?(through|thru)|max[-_. ]?tokens|tokenizers?`)

func secretName(name string) bool {
	return secretWords.MatchString(ordinaryParts.ReplaceAllString(name, ""))
}

// harmlessWords are values that settings usually have.
var harmlessWords = regexp.MustCompile(`^(?i)(true|false|yes|no|on|off|none|null|auto|\d{1,6}|trace|debug|info|notice|warn|warning|error|critical|production|development|test|staging|stdio|http|sse|json|text|utf-?8|[a-z]{2}([-_][a-z]{2})?(\.utf-?8)?)$`)

// harmlessNames are variables that hold settings whatever their value.
var harmlessNames = regexp.MustCompile(`^(PATH|HOME|USER|LANG|LC_[A-Z]+|TZ|SHELL|TERM|TMPDIR|TEMP|TMP|NODE_ENV|NODE_OPTIONS|PYTHONPATH|PYTHONUNBUFFERED|VIRTUAL_ENV|LOG_LEVEL|[A-Z_]*LOG_LEVEL|DEBUG|PORT|HOST|HTTP_PROXY_HOST|DOCKER_HOST|AWS_REGION|AWS_PROFILE|AWS_DEFAULT_REGION|APPDATA|LOCALAPPDATA|SYSTEMROOT)$`)

// settingNames are names that say where or what something is. The address of a
// database often has a password in it.
var (
	settingNames  = regexp.MustCompile(`(?i)(^|_)(URL|URI|HOST|HOSTNAME|PORT|PATH|DIR|DIRECTORY|FOLDER|ROOT|WORKSPACE|REGION|ENDPOINT|LEVEL|NAME|LOCALE)$`)
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
	case plainPath(value):
		return true
	case settingNames.MatchString(name) && strings.HasPrefix(value, "/"):
		return !slices.ContainsFunc(strings.Split(value, "/"), looksRandom)
	}
	return plainAddress(value)
}

// plainPaths begin where systems keep files. What only begins with "/" may be a
// password, or base64.
var plainPaths = regexp.MustCompile(`^(~/|[A-Za-z]:[\\/]|/(app|Applications|bin|data|dev|etc|home|Library|lib|media|mnt|nix|opt|private|proc|root|run|sbin|snap|srv|sys|tmp|Users|usr|var|Volumes|workspaces?)(/|$))`)

// plainPath reports whether s is the path of a file with nothing random in it.
func plainPath(s string) bool {
	return plainPaths.MatchString(s) && !slices.ContainsFunc(strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '\\' }), looksRandom)
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

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
