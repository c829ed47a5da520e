package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/wire"
)

// keyVSCode is where Visual Studio Code's mcp.json lists servers.
const keyVSCode = "servers"

// maxImport bounds how many servers of one file are read: a person is to look at
// each of them.
const maxImport = 200

// ReadError says why a file of servers could not be read.
type ReadError struct {
	file string // its name without the folder
	err  error
}

// Error gives the sentence in English.
func (e *ReadError) Error() string { return english.Text(e.Sentence()) }

// Sentence implements wire.Explained.
func (e *ReadError) Sentence() i18n.Message {
	var why any = i18n.M("cli.import_system", "Reason", e.err.Error())
	if _, said := errors.AsType[*fault](e.err); said {
		why = reason(e.err)
	}
	return i18n.M("cli.import_unreadable", "File", e.file, "Reason", why)
}

// Unwrap returns what went wrong.
func (e *ReadError) Unwrap() error { return e.err }

// ReadFile reads the servers of another app's file: those of "mcpServers", the
// shape most MCP clients share, or of "servers", which Visual Studio Code uses.
// Comments and commas that stand too many are let pass, as those apps do.
//
// The servers have no ID, unique names, and an address or a command; nothing is
// stored and nothing started. Values of Env and Headers are secrets, which Add
// does not take. The problems name entries that are left out; their values come
// from the file and are shown as untrusted text. The error is a *ReadError.
func ReadFile(path string) ([]mcpclient.Server, []i18n.Message, error) {
	servers, problems, err := readImport(path)
	if err != nil {
		return nil, nil, &ReadError{filepath.Base(path), err}
	}
	return servers, problems, nil
}

func readImport(path string) ([]mcpclient.Server, []i18n.Message, error) {
	// A pipe or a device could be waited for without an end.
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, nil, withoutPath(err)
	case !info.Mode().IsRegular():
		return nil, nil, &fault{i18n.M("cli.import_no_file")}
	}
	raw, err := readFile(path)
	if err != nil {
		return nil, nil, withoutPath(err)
	}
	entries, err := importEntries(raw)
	if err != nil {
		return nil, nil, err
	}
	var servers []mcpclient.Server
	var problems []i18n.Message
	for i, m := range entries {
		if i == maxImport {
			problems = append(problems, i18n.M("cli.import_more", "Max", maxImport, "N", len(entries)-maxImport))
			break
		}
		v, err := readEntry(m.Value)
		v.Name = m.Key
		if err == nil {
			err = usable(v)
		}
		if err != nil {
			problems = append(problems, i18n.M("cli.import_entry", "Name", m.Key, "Reason", reason(err)))
			continue
		}
		servers = append(servers, v)
	}
	return servers, problems, nil
}

// withoutPath is an error of the disk without the path, which the sentence
// around it names.
func withoutPath(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// importEntries finds the list of servers in the file.
func importEntries(raw []byte) (object, error) {
	top, err := readObject(lenient(raw))
	if err != nil {
		return nil, notJSON(err)
	}
	for _, key := range []string{keyServers, keyVSCode} {
		if top.index(key) < 0 {
			continue
		}
		entries, err := top.object(key)
		if err != nil {
			return nil, &fault{i18n.M("cli.config_fault_member", "Key", key)}
		}
		return entries, nil
	}
	return nil, &fault{i18n.M("cli.import_shape")}
}

// usable says why v could not be a server of the list.
func usable(v mcpclient.Server) error {
	if v.Name == "" {
		return &fault{Sentence(ErrName)}
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
