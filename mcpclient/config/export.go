package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// Export is the servers in the shape that MCP clients share, for another app or
// another person. No secret is in it: in the place of one, and of every value
// that is not plainly harmless, stands a placeholder which Visual Studio Code,
// Cursor and others fill in from the environment. One stands for the access token
// of every server whose ID is in tokens as well: it is sent as a header, and another
// app cannot do without it.
func Export(servers []mcpclient.Server, tokens map[string]bool) ([]byte, error) {
	list := object{}
	for _, v := range servers {
		blank := withoutSecrets(v)
		if _, has := blank.Headers["Authorization"]; tokens[v.ID] && v.Kind != mcpclient.Stdio && !has {
			blank.Headers["Authorization"] = "Bearer " + placeholderFor(strings.Trim(variable(v.Name), "_")+"_TOKEN")
		}
		entry, err := writeEntry(nil, blank)
		if err != nil {
			return nil, fmt.Errorf("writing %q: %w", v.Name, err)
		}
		list.set(v.Name, entry.encode())
	}
	var b bytes.Buffer
	if err := json.Indent(&b, object{{Key: keyServers, Value: list.encode()}}.encode(), "", "  "); err != nil {
		return nil, fmt.Errorf("writing the servers: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// placeholderFor is what another app fills in from the environment.
func placeholderFor(name string) string { return "${env:" + variable(name) + "}" }

// withoutSecrets is v with placeholders for what is secret or may be.
func withoutSecrets(v mcpclient.Server) mcpclient.Server {
	blank := placeholderFor
	table := func(plain map[string]string, secret []string, harmless func(name, value string) bool) map[string]string {
		out := map[string]string{}
		for name, value := range plain {
			if !harmless(name, value) {
				value = blank(name)
			}
			out[name] = value
		}
		for _, name := range secret {
			out[name] = blank(name)
		}
		return out
	}
	v.Env = table(v.Env, v.SecretEnv, harmlessEnv)
	v.Headers = table(v.Headers, v.SecretHeaders, harmlessHeader)
	v.SecretEnv, v.SecretHeaders = nil, nil
	args := slices.Clone(v.Args)
	for i, a := range v.Args {
		switch flag, value, joined := strings.Cut(a, "="); {
		case !secretArgument(v.Args, i):
		case joined && strings.HasPrefix(flag, "--") && !assigns(value):
			args[i] = flag + "=" + blank(strings.TrimLeft(flag, "-"))
		default:
			args[i] = blank(fmt.Sprintf("ARGUMENT_%d", i+1))
		}
	}
	v.Args = args
	if secretAddress(v.URL) {
		v.URL = withoutAddressSecrets(v.URL, blank)
	}
	return v
}

// withoutAddressSecrets is an address with placeholders for what may be secret in
// it: the whole query, and parts of the path.
func withoutAddressSecrets(address string, blank func(name string) string) string {
	address, _, _ = strings.Cut(address, "#")
	address, query, asked := strings.Cut(address, "?")
	parts := strings.Split(address, "/")
	for i, part := range parts {
		if i > 2 && looksRandom(part) || looksSecret(part) {
			parts[i] = blank(fmt.Sprintf("ADDRESS_PART_%d", i-2))
		}
	}
	address = strings.Join(parts, "/")
	if asked && query != "" {
		address += "?" + blank("QUERY")
	}
	return address
}

// variable is the name of an environment variable for something.
func variable(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
}

// SaveExport writes an export into a file that is not there yet, for its owner
// only: what another app keeps is never overwritten. SaveSentence puts its error
// into words.
func SaveExport(path string, raw []byte) error {
	if !filepath.IsAbs(path) {
		return errRelative
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	return errors.Join(err, f.Close())
}

var errRelative = errors.New("the path does not begin at the root")

// SaveSentence is an error of SaveExport as a sentence for people.
func SaveSentence(err error) i18n.Message {
	switch {
	case errors.Is(err, errRelative):
		return i18n.M("cli.export_relative")
	case errors.Is(err, fs.ErrExist):
		return i18n.M("cli.export_exists")
	}
	return i18n.M("cli.export_failed", "Reason", withoutPath(err).Error())
}
