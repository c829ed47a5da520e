package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient"
)

// The members of the file that this package knows.
const (
	keyServers = "mcpServers"
	keyOwn     = "parley"
	// Below keyOwn: what Parley keeps about each server, by its name.
	keyNotes = "servers"
)

// document is the file, taken apart as far as needed.
type document struct {
	top     object // the whole file
	servers object // "mcpServers": entries by name
	own     object // "parley"
	notes   object // "parley"."servers": notes by name

	listed   map[string]mcpclient.Server // the readable entries by name
	names    map[string]string           // their names by ID
	problems []i18n.Message              // one for each unreadable entry or setting
	renamed  []i18n.Message              // one for each entry that got another name
	noted    map[string]json.RawMessage  // notes, for finding them; nil after a change of notes
}

// newDocument is the document of a file that does not exist.
func newDocument() *document {
	return &document{listed: map[string]mcpclient.Server{}}
}

// parse takes the file apart. Its error says why it is not of the right shape;
// a single bad entry is a problem, not an error.
func parse(raw []byte) (*document, error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	d := newDocument()
	if len(bytes.TrimSpace(raw)) == 0 {
		return d, nil
	}
	var err error
	if d.top, err = readObject(raw); err != nil {
		return nil, notJSON(err)
	}
	if err := d.readServers(); err != nil {
		return nil, &fault{i18n.M("cli.config_fault_member", "Key", keyServers)}
	}
	if d.own, err = d.top.object(keyOwn); err != nil {
		return nil, &fault{i18n.M("cli.config_fault_member", "Key", keyOwn)}
	}
	if d.notes, err = d.own.object(keyNotes); err != nil {
		return nil, &fault{i18n.M("cli.config_fault_member", "Key", keyOwn+"."+keyNotes)}
	}
	d.readEntries()
	return d, nil
}

// readServers reads the entries. Of several under one name, as who copies one by hand
// may leave them, the last keeps it, which is what JSON makes of them; the others get a
// name of their own, or the next change would take them out of the file.
func (d *document) readServers() error {
	raw := rawjson.Get(d.top, keyServers)
	if raw == nil {
		return nil
	}
	once, err := readObject(raw)
	if err != nil {
		return err
	}
	d.servers = once
	if len(repeated(raw)) == 0 {
		return nil
	}
	if d.servers, err = allMembers(raw); err != nil {
		return err
	}
	left, taken, next := map[string]int{}, map[string]bool{}, map[string]int{}
	for _, m := range d.servers {
		left[m.Key]++
		taken[m.Key] = true
	}
	for i := range d.servers {
		m := &d.servers[i]
		name := m.Key
		if left[name]--; left[name] == 0 {
			continue
		}
		for n := max(next[name], 2); ; n++ {
			if m.Key = name + " " + strconv.Itoa(n); !taken[m.Key] {
				taken[m.Key], next[name] = true, n+1
				break
			}
		}
		d.renamed = append(d.renamed, i18n.M("cli.config_repeated", "Name", name, "Other", m.Key))
	}
	return nil
}

// notJSON says why the file cannot be taken apart.
func notJSON(err error) error {
	if errors.Is(err, rawjson.ErrNotObject) {
		return &fault{i18n.M("cli.config_fault_shape")}
	}
	return &fault{i18n.M("cli.config_fault_json", "Reason", err.Error())}
}

// reason is an error as a value of a sentence.
func reason(err error) any {
	var f *fault
	if errors.As(err, &f) {
		return f.text
	}
	return err.Error()
}

// readEntries fills listed and problems and gives every entry its ID: the one
// noted for it, else one that follows from its name.
func (d *document) readEntries() {
	d.listed, d.names, d.problems = map[string]mcpclient.Server{}, map[string]string{}, nil
	taken := map[string]bool{}
	noted := map[string]string{}
	for _, m := range d.servers {
		id, _ := d.note(m.Key).text("id")
		if id != "" && !taken[id] {
			noted[m.Key], taken[id] = id, true
		}
	}
	for _, m := range d.servers {
		v, err := readEntry(m.Value)
		if err != nil {
			d.problems = append(d.problems, i18n.M("cli.config_entry", "Name", m.Key, "Reason", reason(err)))
			continue
		}
		id, ok := noted[m.Key]
		if !ok {
			id = idFromName(m.Key, taken)
			taken[id] = true
		}
		v.ID, v.Name = id, m.Key
		d.readNote(&v)
		d.listed[m.Key], d.names[id] = v, m.Key
	}
}

// list returns the readable entries in order.
func (d *document) list() []mcpclient.Server {
	out := make([]mcpclient.Server, 0, len(d.listed))
	for _, m := range d.servers {
		if _, ok := d.listed[m.Key]; ok {
			out = append(out, d.server(m.Key))
		}
	}
	return out
}

// server returns the readable entry name, sharing nothing with d.
func (d *document) server(name string) mcpclient.Server {
	v := d.listed[name]
	v.Args = slices.Clone(v.Args)
	v.Env = cloneMap(v.Env)
	v.Headers = cloneMap(v.Headers)
	v.SecretEnv = slices.Clone(v.SecretEnv)
	v.SecretHeaders = slices.Clone(v.SecretHeaders)
	v.PlainEnv = slices.Clone(v.PlainEnv)
	v.PlainHeaders = slices.Clone(v.PlainHeaders)
	return v
}

// nameOf finds the name of the server with the given ID.
func (d *document) nameOf(id string) (string, bool) {
	name, ok := d.names[id]
	return name, ok
}

func (d *document) add(v mcpclient.Server) error {
	if err := d.free(v.Name); err != nil {
		return err
	}
	entry, err := writeEntry(nil, v)
	if err != nil {
		return err
	}
	d.servers.set(v.Name, entry.encode())
	d.writeNote(nil, v)
	d.readEntries()
	return nil
}

func (d *document) update(v mcpclient.Server) error {
	name, ok := d.nameOf(v.ID)
	if !ok {
		return ErrUnknown
	}
	if v.Name != name {
		if err := d.free(v.Name); err != nil {
			return err
		}
	}
	old, err := d.servers.object(name)
	if err != nil {
		return fmt.Errorf("entry %q: %w", name, err)
	}
	entry, err := writeEntry(old, v)
	if err != nil {
		return err
	}
	note := d.note(name).concealed(d.listed[name], v)
	d.dropNote(name)
	d.servers[d.servers.index(name)] = rawjson.Member{Key: v.Name, Value: entry.encode()}
	d.writeNote(note, v)
	d.readEntries()
	return nil
}

func (d *document) remove(id string) error {
	name, ok := d.nameOf(id)
	if !ok {
		return ErrUnknown
	}
	d.servers.remove(name)
	d.dropNote(name)
	d.readEntries()
	return nil
}

func (d *document) move(id string, to int) error {
	name, ok := d.nameOf(id)
	if !ok {
		return ErrUnknown
	}
	i := d.servers.index(name)
	m := d.servers[i]
	rest := slices.Delete(slices.Clone(d.servers), i, i+1)
	d.servers = slices.Insert(rest, min(max(to, 0), len(rest)), m)
	return nil
}

// free says whether a server can take the name.
func (d *document) free(name string) error {
	if strings.TrimSpace(name) == "" {
		return ErrName
	}
	if d.servers.index(name) >= 0 {
		return ErrNameTaken
	}
	return nil
}

// encode is the whole file, indented for people.
func (d *document) encode() ([]byte, error) {
	if len(d.notes) > 0 || d.own.index(keyNotes) >= 0 {
		d.own.set(keyNotes, d.notes.encode())
	}
	d.top.set(keyServers, d.servers.encode())
	if len(d.own) > 0 || d.top.index(keyOwn) >= 0 {
		d.top.set(keyOwn, d.own.encode())
	}
	var b bytes.Buffer
	if err := json.Indent(&b, d.top.encode(), "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	if b.Len() > maxSize {
		return nil, errTooLarge
	}
	return b.Bytes(), nil
}

var errTooLarge error = &fault{i18n.M("cli.config_fault_large")}

// cloneMap copies m; an empty one becomes nil.
func cloneMap(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}
