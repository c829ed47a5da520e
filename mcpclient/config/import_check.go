package config

import (
	"fmt"
	"net/url"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/wire"
)

// mend makes of an entry what can work: what no system and no server could take
// is left out, and said. Its error is what is wrong with all of it.
func (e *foundEntry) mend() error {
	v := &e.server
	v.Command, v.Name = strings.TrimSpace(v.Command), strings.TrimSpace(v.Name)
	for field, texts := range map[string][]string{"command": {v.Command}, "args": v.Args, "cwd": {v.Dir}} {
		for _, s := range texts {
			if strings.ContainsRune(s, 0) {
				return &fault{i18n.M("cli.import_nul", "Key", field)}
			}
		}
	}
	for _, name := range sortedKeys(v.Env) {
		if _, why := checkVariable(name, v.Env[name]); !why.IsZero() {
			delete(v.Env, name)
			e.doubts = append(e.doubts, i18n.M("cli.import_no_variable", "Name", name, "Reason", why))
		}
	}
	if v.Name == "" {
		v.Name = guessName(*v)
		if v.Name == "" && (exampleAddress(v.URL) || len(placeholders(v.URL)) > 0) {
			v.Name = "server" // only the person's answer tells more
		}
		if v.Name == "" {
			return &fault{Sentence(ErrName)}
		}
		e.notes = append(e.notes, i18n.M("cli.import_unnamed"))
	}
	e.askForStandIns()
	e.mendHeaders()
	e.doubts = append(e.doubts, ofOtherSystem(*v, thisSystem)...)
	return nil
}

// mendHeaders leaves out what HTTP does not carry (RFC 9110, sections 5.1 and
// 5.5). Space around a value, line ends too, is none of the value.
func (e *foundEntry) mendHeaders() {
	table := map[string]string{}
	seen := map[string]bool{}
	for _, given := range sortedKeys(e.server.Headers) {
		value := e.server.Headers[given]
		name, trimmed := strings.TrimSpace(given), strings.Trim(value, " \t\r\n")
		if strings.ContainsAny(value, "\r\n") && !strings.ContainsAny(trimmed, "\r\n") {
			e.notes = append(e.notes, i18n.M("cli.import_line_end", "Name", name))
		}
		_, why := checkHeader(name, trimmed)
		if why.IsZero() && seen[strings.ToLower(name)] {
			why = i18n.M("cli.draft_twice")
		}
		if !why.IsZero() {
			e.doubts = append(e.doubts, i18n.M("cli.import_no_header", "Name", name, "Reason", why))
			continue
		}
		seen[strings.ToLower(name)] = true
		table[name] = trimmed
	}
	e.server.Headers = cloneMap(table)
}

// usable says why v could not be a server of the list.
func usable(v mcpclient.Server) error {
	if v.Kind != mcpclient.Stdio && len(placeholders(v.URL)) > 0 {
		return nil // what it is, only the person's answer tells
	}
	_, err := v.Identify()
	if err == nil {
		return nil
	}
	if m := wire.Sentence(err); !m.IsZero() {
		return &fault{m}
	}
	return fmt.Errorf("identifying it: %w", err)
}

// olderAddress reports whether an address is one of the older HTTP+SSE transport,
// as servers name them.
func olderAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/sse")
}
