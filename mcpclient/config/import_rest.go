package config

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient"
)

// What apps keep about a server beside how it is reached.

// shellVariable is $NAME, which Gemini CLI alone replaces in a file.
var shellVariable = regexp.MustCompile(`\$[A-Za-z_][A-Za-z0-9_]*`)

// readKeys are the members that are read, or mean nothing elsewhere.
var readKeys = []string{
	"command", "args", "env", "environment", "cwd", "url", "serverUrl", "httpUrl", "headers", "type", "transport", "transportType", "name",
	"disabled", "enabled", "isActive", "timeout", "requestTimeout", "alwaysAllow", "autoApprove", "trust", "envFile", "oauth", "auth", "oauthConfig", "oauthClientId",
	"headersHelper", "sandbox", "sandboxEnabled", "protocolEra",
	"description", "note", "source", "settings", "version", "gallery", "icon", "logoUrl", "provider", "tags", "$schema", "id", "dev", "watchPaths", "tools",
}

// readRest reads what else apps keep about a server.
func (e *foundEntry) readRest(o object) {
	is := func(key, value string) bool { return string(rawjson.Get(o, key)) == value }
	e.off = is("disabled", "true") || is("enabled", "false") || is("isActive", "false")
	d, ok := timeout(rawjson.Get(o, "timeout"))
	if !ok {
		d, ok = milliseconds(rawjson.Get(o, "requestTimeout")) // the MCP Inspector's
	}
	if ok {
		e.server.Silence = d
		e.notes = append(e.notes, i18n.M("cli.import_timeout", "Time", formatTime(d)))
	}
	for _, key := range []string{"alwaysAllow", "autoApprove", "trust"} {
		if raw := rawjson.Get(o, key); !absent(raw) && string(raw) != "false" && strings.ReplaceAll(string(raw), " ", "") != "[]" {
			e.notes = append(e.notes, i18n.M("cli.import_approvals"))
			break
		}
	}
	if file, ok := o.text("envFile"); ok && file != "" {
		e.doubts = append(e.doubts, i18n.M("cli.import_env_file", "File", filepath.Base(file)))
	}
	if is("sandboxEnabled", "true") {
		e.doubts = append(e.doubts, i18n.M("cli.import_sandbox"))
	}
	if raw := rawjson.Get(o, "headersHelper"); !absent(raw) {
		e.doubts = append(e.doubts, i18n.M("cli.import_headers_helper"))
	}
	e.readEra(o)
	e.readSignIn(o)
	var ignored []string
	for _, m := range o {
		if !slices.Contains(readKeys, m.Key) && !slices.Contains(ignored, m.Key) && !saysNothing(m.Value) {
			ignored = append(ignored, m.Key)
		}
	}
	if len(ignored) > 0 {
		e.notes = append(e.notes, i18n.M("cli.import_ignored", "Keys", strings.Join(ignored[:min(len(ignored), 6)], ", ")))
	}
}

// saysNothing reports whether a member is left out, or as good as.
func saysNothing(raw json.RawMessage) bool {
	text := strings.Join(strings.Fields(string(raw)), "")
	return absent(raw) || text == "[]" || text == "{}" || text == `""`
}

// readEra reads which revisions the MCP Inspector speaks with a server: "modern" is
// 2026-07-28 and later, "legacy" what was before, and "auto", as here, either of them.
func (e *foundEntry) readEra(o object) {
	switch era, ok := o.text("protocolEra"); {
	case !ok || era == "" || era == "auto":
	case era == "modern":
		e.server.Protocol = "2026-07-28"
		e.notes = append(e.notes, i18n.M("cli.import_era", "Era", era, "Revision", e.server.Protocol))
	default: // a pin is one revision, and "legacy" are several
		e.notes = append(e.notes, i18n.M("cli.import_era_left", "Era", era))
	}
}

// timeout reads a number that is seconds in Cline and Roo Code, up to an hour,
// and milliseconds elsewhere. The minute that is usual says nothing.
func timeout(raw json.RawMessage) (time.Duration, bool) {
	if n, err := strconv.ParseFloat(string(raw), 64); err == nil && n >= 1 && n <= 3600 {
		d := time.Duration(n) * time.Second
		return d, d != mcpclient.DefaultSilence
	}
	return milliseconds(raw)
}

// milliseconds reads a number of them, from a second to a day.
func milliseconds(raw json.RawMessage) (time.Duration, bool) {
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || n < 1000 || n > 24*3600*1000 {
		return 0, false
	}
	d := time.Duration(n) * time.Millisecond
	return d, d != mcpclient.DefaultSilence
}

// readSignIn reads how an app is known to the server's authorization server:
// "oauth" in Claude Code, Visual Studio Code, Gemini CLI, OpenCode and the
// Inspector, "auth" in Cursor. The scopes are left to the server, which says what
// it needs; those that were asked for are named.
func (e *foundEntry) readSignIn(o object) {
	if e.server.Kind == mcpclient.Stdio {
		return
	}
	sign := &e.server.SignIn
	sign.ClientID, _ = o.text("oauthClientId") // GitHub Copilot's
	var left []string
	for _, key := range []string{"oauth", "auth", "oauthConfig"} {
		inner, err := o.object(key)
		if err != nil {
			continue
		}
		for _, m := range inner {
			text, _ := rawjson.String(m.Value)
			switch strings.ReplaceAll(strings.ToLower(m.Key), "_", "") {
			case "clientid":
				sign.ClientID = openVariable(text)
			case "issuer": // Gemini CLI's
				if !strings.HasPrefix(text, "https://") || strings.ContainsAny(text, "${<") {
					left = append(left, m.Key)
					continue
				}
				sign.Issuer = text
			case "clientsecret":
				e.secret = openVariable(text)
			case "callbackport":
				// Claude Code is sent back to http://localhost:PORT/callback.
				if port, err := strconv.ParseUint(string(m.Value), 10, 16); err == nil {
					sign.Port, sign.Host = int(port), "localhost"
				}
			case "redirecturi":
				if !sendBack(sign, text) {
					left = append(left, m.Key)
				}
			case "scope", "scopes":
				if words := scopeWords(m.Value); words != "" {
					e.notes = append(e.notes, i18n.M("cli.import_scopes", "Scopes", words))
				}
			case "enabled", "type":
				// said by the server
			default:
				left = append(left, m.Key)
			}
		}
	}
	if sign.ClientID == "" { // which both belong to
		sign.Issuer = ""
	}
	switch {
	case sign.ClientID == "" && e.secret != "":
		e.secret = ""
		left = append(left, "clientSecret")
	case sign.ClientID != "":
		e.notes = append(e.notes, i18n.M("cli.import_client", "ID", sign.ClientID))
	}
	if e.secret != "" && sign.Issuer == "" {
		e.notes = append(e.notes, i18n.M("cli.import_client_whose"))
	}
	if len(left) > 0 {
		e.notes = append(e.notes, i18n.M("cli.import_sign_in", "Keys", strings.Join(left, ", ")))
	}
}

// scopeWords are scopes one after the other: a text with spaces between them in
// Claude Code and the Inspector, a list elsewhere.
func scopeWords(raw json.RawMessage) string {
	if text, ok := rawjson.String(raw); ok {
		return strings.Join(strings.Fields(text), ", ")
	}
	var words []string
	elements, _ := rawjson.Array(raw)
	for _, element := range elements {
		if word, ok := rawjson.String(element); ok && word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

// sendBack reads where the browser is sent back to; ok is false for what is not
// on this computer.
func sendBack(sign *mcpclient.SignIn, address string) (ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || !slices.Contains(signInHosts, u.Hostname()) || u.Hostname() == "" || u.RawQuery != "" {
		return false
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		return false
	}
	sign.Port, sign.Host, sign.Path = int(port), u.Hostname(), u.Path
	return true
}
