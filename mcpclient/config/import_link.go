package config

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// readLink reads a link: the address of a server, or one that installs a server
// in an editor, which many projects have on their page. Nothing is fetched: such
// links carry the server in themselves. ok is false if text is no link.
func readLink(text string) (f found, ok bool, err error) {
	if strings.ContainsAny(text, " \t\r\n") || !strings.Contains(text, ":") {
		return found{}, false, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" {
		return found{}, isAddress(text), &fault{i18n.M("cli.import_link")}
	}
	q := u.Query()
	installs := strings.Contains(u.Host+u.Path+u.Opaque, "mcp/install") || strings.Contains(u.Path, "install-mcp")
	whole, _ := url.QueryUnescape(u.RawQuery)
	inner := q.Get("url")
	switch scheme := strings.ToLower(u.Scheme); {
	case q.Get("config") != "" && (installs || !isAddress(text) || isConfig(q.Get("config"))):
		// cursor://anysphere.cursor-deeplink/mcp/install, cursor.com/install-mcp,
		// insiders.vscode.dev/redirect/mcp/install, kiro.dev/launch/mcp/add: name and
		// config apart.
		f, err = linkConfig(q.Get("name"), q.Get("config"))
		return f, true, err
	case strings.HasPrefix(inner, "vscode:"), strings.HasPrefix(inner, "vscode-insiders:"):
		return readLink(inner) // of insiders.vscode.dev/redirect
	case q.Get("cmd") != "" && (scheme == "goose" || strings.HasSuffix(u.Path, "/goose/extension")):
		return gooseLink(q), true, nil
	case isAddress(text) && strings.HasPrefix(whole, "{") && json.Valid([]byte(whole)): // aka.ms/vs/mcp-install
		f, err = findEntries([]byte(whole))
		return f, true, err
	case scheme == "vscode", scheme == "vscode-insiders":
		if whole == "" {
			return found{}, true, &fault{i18n.M("cli.import_link")}
		}
		f, err = findEntries([]byte(whole))
		return f, true, err
	case isAddress(text):
		v := mcpclient.Server{Kind: mcpclient.HTTP, URL: text}
		// One that cannot be an address is named by its host: a password may stand
		// before that.
		if v.Name = guessName(v); v.Name == "" {
			v.Name = u.Scheme + "://" + u.Host
		}
		f, err = one(foundEntry{server: v}, nil)
		return f, true, err
	case installs:
		return found{}, true, &fault{i18n.M("cli.import_link")}
	case strings.Contains(text, "://") && len(scheme) > 1:
		return found{}, true, badScheme(text)
	}
	return found{}, false, nil
}

// gooseLink reads the parts of a command; the variables it needs come with a word on
// each, and no value.
func gooseLink(q url.Values) found {
	v := mcpclient.Server{Name: q.Get("name"), Kind: mcpclient.Stdio, Command: q.Get("cmd"), Args: q["arg"]}
	for _, about := range q["env"] {
		name, _, _ := strings.Cut(about, "=")
		if v.Env == nil {
			v.Env = map[string]string{}
		}
		v.Env[name] = "${env:" + name + "}"
	}
	return found{entries: []foundEntry{{server: v}}}
}

// configJSON is the config of a link: JSON, as it is or in Base64.
func configJSON(config string) (raw []byte, ok bool) {
	if raw = []byte(config); json.Valid(raw) {
		return raw, true
	}
	// "+" arrives as a space.
	text := strings.TrimRight(strings.NewReplacer(" ", "+", "-", "+", "_", "/").Replace(config), "=")
	raw, err := base64.RawStdEncoding.DecodeString(text)
	return raw, err == nil && json.Valid(raw)
}

// isConfig reports whether a value can be nothing but the config of a server.
func isConfig(config string) bool {
	raw, ok := configJSON(config)
	o, err := readObject(raw)
	return ok && err == nil && isEntry(o)
}

// linkConfig reads the config of a link.
func linkConfig(name, config string) (found, error) {
	raw, ok := configJSON(config)
	if !ok {
		return found{}, &fault{i18n.M("cli.import_link")}
	}
	e := importEntry(name, raw)
	e.guess()
	return found{entries: []foundEntry{e}}, nil
}
