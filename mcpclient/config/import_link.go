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
	switch scheme := strings.ToLower(u.Scheme); {
	case q.Get("config") != "" && (installs || !isAddress(text)):
		// cursor://anysphere.cursor-deeplink/mcp/install, cursor.com/install-mcp,
		// insiders.vscode.dev/redirect/mcp/install: name and config apart.
		f, err = linkConfig(q.Get("name"), q.Get("config"))
		return f, true, err
	case scheme == "vscode", scheme == "vscode-insiders":
		inner, err := url.QueryUnescape(u.RawQuery)
		if err != nil {
			return found{}, true, &fault{i18n.M("cli.import_link")}
		}
		f, err = findEntries([]byte(inner))
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

// linkConfig reads the config of a link: JSON, as it is or in Base64.
func linkConfig(name, config string) (found, error) {
	raw := []byte(config)
	if !json.Valid(raw) {
		// "+" arrives as a space.
		text := strings.TrimRight(strings.NewReplacer(" ", "+", "-", "+", "_", "/").Replace(config), "=")
		decoded, err := base64.RawStdEncoding.DecodeString(text)
		if err != nil || !json.Valid(decoded) {
			return found{}, &fault{i18n.M("cli.import_link")}
		}
		raw = decoded
	}
	e := importEntry(name, raw)
	e.guess()
	return found{entries: []foundEntry{e}}, nil
}
