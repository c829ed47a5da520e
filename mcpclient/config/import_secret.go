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
var ordinaryParts = regexp.MustCompile(`(?i)pass[-_. ]?(through|thru)|(max|num|min|total)[-_. ]?tokens|token[-_. ]?(limit|count|budget)s?|tokenizers?|authors?($|[^a-z])|(public|primary|foreign|sort|partition|cache|row|idempotency)[-_. ]?keys?|key[-_. ]?(words?|boards?|maps?|bindings?|space)|session[-_. ]?(name|dir|timeout)|(?-i:^(OLD)?PWD$)`)

// aboutSecrets end names of what is said about a secret, where one lies for
// instance, and not the secret.
var aboutSecrets = regexp.MustCompile(`(?i)[-_. ](file|path|dir|directory|folder|type|mode|method|provider|scheme|header|prefix|enabled|disabled|required|ttl|timeout|expiry|expires|expires[-_. ]in|length|size|scopes?|algorithm|env|var|variable|name|store|backend|host|port|uris?|urls?|endpoint|audience|issuer|domain|realm|region|version|(client|key|user|account|app|project|tenant|team)[-_. ]?id)$|(?-i:[a-z](File|Path|Dir|Type|Mode|Method|Url|Uri|Name|Env)$)`)

// secretName reports whether what has this name is a secret, whatever it is.
func secretName(name string) bool {
	return secretWords.MatchString(ordinaryParts.ReplaceAllString(name, ""))
}

// secretUnder reports whether value, which has this name, is a secret: a name may
// be about one and only say where it lies, and then the value tells.
func secretUnder(name, value string) bool {
	switch {
	case looksSecret(value):
		return true
	case !secretName(name):
		return false
	case !aboutSecrets.MatchString(name), webhook.MatchString(name):
		return true
	}
	return !plainPath(value) && !plainAddress(value) && !plainSetting.MatchString(value)
}

// webhook is in the name of an address that itself is the secret.
var webhook = regexp.MustCompile(`(?i)web[-_. ]?hook`)

// plainSetting is a word, a number or a name as settings have it.
var plainSetting = regexp.MustCompile(`^([a-z]{2,12}([-_][a-z]{1,12}){0,2}|[A-Z]{2,}(_[A-Z]+)+|X(-[A-Z][A-Za-z]*)+|\d{1,6}|\.{0,2}/?[\w.-]+\.(pem|key|json|crt|env|txt|ya?ml|toml)|\.{1,2}/[\w./-]+)$`)

// harmlessWords are values that settings usually have.
var harmlessWords = regexp.MustCompile(`^(?i)(true|false|yes|no|on|off|none|null|auto|\d{1,6}|trace|debug|info|notice|warn|warning|error|critical|production|development|test|staging|stdio|http|sse|json|text|utf-?8|[a-z]{2}([-_][a-z]{2})?(\.utf-?8)?)$`)

// harmlessNames are variables that hold settings whatever their value.
var harmlessNames = regexp.MustCompile(`^(PATH|PWD|HOME|USER|LANG|LC_[A-Z]+|TZ|SHELL|TERM|TMPDIR|TEMP|TMP|NODE_ENV|NODE_OPTIONS|PYTHONPATH|PYTHONUNBUFFERED|VIRTUAL_ENV|LOG_LEVEL|[A-Z_]*LOG_LEVEL|DEBUG|PORT|HOST|HTTP_PROXY_HOST|DOCKER_HOST|AWS_REGION|AWS_PROFILE|AWS_DEFAULT_REGION|APPDATA|LOCALAPPDATA|SYSTEMROOT)$`)

// settingNames are names that say where or what something is. The address of a
// database often has a password in it.
var (
	settingNames  = regexp.MustCompile(`(?i)(^|_)(URL|URI|HOST|HOSTNAME|PORT|PATH|DIR|DIRECTORY|FOLDER|ROOT|WORKSPACE|REGION|ENDPOINT|LEVEL|NAME|LOCALE|(CLIENT|APP|PROJECT|TENANT|ACCOUNT|TEAM|ORG|ORGANIZATION|WORKSPACE|USER)_ID)$`)
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
	case secretUnder(name, value):
		return false
	case harmlessNames.MatchString(name), harmlessWords.MatchString(value):
		return true
	case value == "":
		return !secretVariable(name) // of a placeholder only the name speaks
	case plainPath(value), secretName(name):
		return true // as secretUnder has seen
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

// harmlessHeader reports whether a header can: some can whatever their value, and a
// word or small number as settings have it says nothing under a name of no secret.
func harmlessHeader(name, value string) bool {
	return slices.ContainsFunc(harmlessHeaders, func(h string) bool { return strings.EqualFold(h, name) }) ||
		harmlessWords.MatchString(value) && !secretUnder(name, value)
}

// secretShape is what secrets of many services begin with, and what connection
// strings call one.
var secretShape = regexp.MustCompile(`(^|[^A-Za-z0-9])(sk-[\w-]{16,}|[srp]k_(live|test)_\w{10,}|whsec_\w{16,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|gl(pat|sa|c)[-_][\w-]{16,}|xox[a-z]-[\w-]{8,}|xapp-[\w-]{8,}|A(KIA|SIA)[A-Z0-9]{12,}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}|hf_\w{20,}|npm_\w{30,}|pypi-\w{16,}|dckr_pat_[\w-]{16,}|ntn_\w{20,}|secret_\w{30,}|gsk_\w{20,}|xai-\w{20,}|pplx-\w{20,}|r8_\w{20,}|tvly-[\w-]{16,}|fc-[0-9a-f]{24,}|apify_api_\w{16,}|dop_v1_\w{16,}|shp(at|ss|ca)_\w{16,}|SG\.[\w-]{16,}\.|ATATT[\w=-]{16,}|figd_[\w-]{16,}|lin_(api|oauth)_\w{16,}|sb[ps]_\w{16,}|PMAK-[\w-]{16,}|eyJ[\w-]{12,}\.)|-----BEGIN [A-Z ]*PRIVATE KEY|(?i)authorization:\s*\S|(?i)(^|[;&\s])(password|pwd|accountkey|sharedaccesskey|sharedaccesssignature)=[^;&\s]`)

// looksSecret reports whether s has the shape of a secret, whatever it is called.
func looksSecret(s string) bool { return secretShape.MatchString(s) || passwordWithin(s) }

var (
	schemes = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://([^\s"'?#]*)`)
	hasPort = regexp.MustCompile(`^[^:/]*(:\d{1,5})?(/|$)`)
)

// passwordWithin reports whether s has an address with a password before the host:
// scheme://user:password@host, of which the password may hold "/" and "@", and the
// user be missing, or be the secret itself.
func passwordWithin(s string) bool {
	for _, m := range schemes.FindAllStringSubmatch(s, -1) {
		at := strings.LastIndexByte(m[1], '@')
		if at < 0 {
			continue
		}
		before := m[1][:at]
		user, password, separate := strings.Cut(before, ":")
		switch {
		case !separate || strings.Contains(user, "/"):
			if looksRandom(before) {
				return true
			}
		case hasPort.MatchString(before) && strings.Contains(before, "/"): // host:port/path@version
		case password != "":
			return true
		}
	}
	return false
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
