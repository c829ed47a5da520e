package config

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient"
)

// The members under which apps list servers, the most usual first: most of them
// use mcpServers, Visual Studio Code's mcp.json servers, Zed context_servers.
var listKeys = []string{keyServers, "servers", "context_servers", "amp.mcpServers"}

// findEntries finds the servers in JSON of any of the shapes there are.
func findEntries(raw []byte) (found, error) {
	top, err := readObject(lenient(raw))
	if err != nil {
		return found{}, notJSON(err)
	}
	f := found{inputs: describedInputs(top)}
	listed := false
	for _, key := range listKeys {
		if top.index(key) < 0 {
			continue
		}
		entries, err := top.object(key)
		if err != nil {
			return found{}, &fault{i18n.M("cli.config_fault_member", "Key", key)}
		}
		listed = true
		f.addAll(entries, nil)
		break
	}
	// Settings of Visual Studio Code have both below "mcp"; OpenCode has its
	// servers right there.
	if inner, err := top.object("mcp"); err == nil && len(inner) > 0 {
		listed = true
		f.inputs = append(f.inputs, describedInputs(inner)...)
		if entries, err := inner.object("servers"); err == nil && inner.index("servers") >= 0 {
			f.addAll(entries, nil)
		} else {
			f.addAll(inner.servers(), nil)
		}
	}
	listed = f.addProjects(top) || listed
	switch {
	case listed:
		return f, nil
	case isEntry(top):
		name, _ := top.text("name")
		e := importEntry(name, top.encode())
		if e.server.Name == "" && e.err == nil {
			e.server.Name = guessName(e.server)
		}
		f.entries = append(f.entries, e)
		return f, nil
	}
	if servers := top.servers(); len(servers) > 0 {
		f.addAll(servers, nil)
		return f, nil
	}
	return found{}, &fault{i18n.M("cli.import_shape")}
}

// addAll takes in a list of entries.
func (f *found) addAll(entries object, note []i18n.Message) {
	for _, m := range entries {
		e := importEntry(m.Key, m.Value)
		e.notes = append(e.notes, note...)
		f.entries = append(f.entries, e)
	}
}

// addProjects takes in the servers that Claude Code keeps for single projects.
func (f *found) addProjects(top object) bool {
	projects, err := top.object("projects")
	if err != nil {
		return false
	}
	any := false
	for _, p := range projects {
		o, err := readObject(p.Value)
		if err != nil {
			continue
		}
		if entries, err := o.object(keyServers); err == nil && len(entries) > 0 {
			any = true
			f.addAll(entries, []i18n.Message{i18n.M("cli.import_project", "Folder", p.Key)})
		}
	}
	return any
}

// servers are the members that are entries themselves.
func (o object) servers() object {
	var out object
	for _, m := range o {
		if v, err := readObject(m.Value); err == nil && isEntry(v) {
			out = append(out, m)
		}
	}
	return out
}

// addressKeys name an address: url; serverUrl for Windsurf, httpUrl for Gemini
// CLI.
var addressKeys = []string{"url", "serverUrl", "httpUrl"}

// isEntry reports whether o looks like one server.
func isEntry(o object) bool {
	for _, key := range append([]string{"command"}, addressKeys...) {
		if o.index(key) >= 0 {
			return true
		}
	}
	return false
}

// importKinds are further words for transports, beside those of kinds.
var importKinds = map[string]mcpclient.TransportKind{
	"streamable_http": mcpclient.HTTP, "streamable": mcpclient.HTTP, "remote": mcpclient.HTTP, "local": mcpclient.Stdio,
}

// importEntry understands one entry of another app's list.
func importEntry(name string, raw json.RawMessage) foundEntry {
	e := foundEntry{server: mcpclient.Server{Name: name}}
	o, err := rawjson.Object(raw)
	if err != nil {
		e.err = &fault{i18n.M("cli.config_fault_object")}
		return e
	}
	r := reader{o: o}
	v := &e.server
	readProgram(&r, v)
	for _, key := range addressKeys {
		if v.URL == "" {
			v.URL = strings.TrimSpace(r.text(key))
		}
	}
	if err := setKind(&r, v); err != nil {
		e.err = err
		return e
	}
	if v.Kind == mcpclient.Stdio {
		v.URL, v.Dir = "", r.text("cwd")
		if v.Env == nil {
			v.Env = r.table("env")
		}
		if v.Env == nil {
			v.Env = r.table("environment")
		}
	} else {
		v.Command, v.Args, v.Env = "", nil, nil
		v.Headers = r.table("headers")
	}
	if r.err == nil && v.Command == "" && v.URL == "" {
		r.err = &fault{i18n.M("cli.config_fault_neither")}
	}
	e.err = r.err
	openVariables(v.Env)
	openVariables(v.Headers)
	e.readRest(o)
	return e
}

// openVariables makes placeholders of values that are $NAME and nothing else, as
// Gemini CLI reads them.
func openVariables(table map[string]string) {
	for key, value := range table {
		if name, ok := strings.CutPrefix(value, "$"); ok && envName.MatchString(name) {
			table[key] = "${" + name + "}"
		}
	}
}

// readProgram reads what starts a server: a program with its args, or a list of
// both, or an object.
func readProgram(r *reader, v *mcpclient.Server) {
	raw := rawjson.Get(r.o, "command")
	switch rawjson.Kind(raw) {
	case '[':
		if words := r.texts("command"); len(words) > 0 {
			v.Command, v.Args = words[0], words[1:]
		}
		v.Args = append(v.Args, r.texts("args")...)
	case '{':
		o, err := rawjson.Object(raw)
		inner := reader{o: o, err: err}
		v.Command, v.Args, v.Env = inner.text("path"), inner.texts("args"), inner.table("env")
		if r.err == nil {
			r.err = inner.err
		}
	default:
		v.Command, v.Args = r.text("command"), r.texts("args")
	}
}

// setKind finds out how the server is reached.
func setKind(r *reader, v *mcpclient.Server) error {
	word := ""
	for _, key := range []string{"type", "transport", "transportType"} {
		if rawjson.Kind(rawjson.Get(r.o, key)) == '"' && word == "" {
			word = r.text(key)
		}
	}
	kind, known := kinds[word]
	if !known {
		kind, known = importKinds[word]
	}
	switch {
	case known:
		v.Kind = kind
	case word != "" && v.Command == "" && v.URL == "":
		return &fault{i18n.M("cli.config_fault_type", "Type", word)}
	case v.Command != "":
		v.Kind = mcpclient.Stdio
	default:
		v.Kind = mcpclient.HTTP
	}
	return nil
}

// readRest reads what else apps keep about a server.
func (e *foundEntry) readRest(o object) {
	is := func(key, value string) bool { return string(rawjson.Get(o, key)) == value }
	e.off = is("disabled", "true") || is("enabled", "false") || is("isActive", "false")
	if d, ok := timeout(rawjson.Get(o, "timeout")); ok {
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
	for _, key := range []string{"oauth", "auth", "oauthConfig"} {
		if rawjson.Kind(rawjson.Get(o, key)) == '{' {
			e.notes = append(e.notes, i18n.M("cli.import_sign_in"))
			break
		}
	}
}

// timeout reads a number that is seconds in Cline and Roo Code, up to an hour,
// and milliseconds elsewhere. The minute that is usual says nothing.
func timeout(raw json.RawMessage) (time.Duration, bool) {
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || n < 1 || n > 24*3600*1000 {
		return 0, false
	}
	d := time.Duration(n) * time.Second
	if n > 3600 {
		d = time.Duration(n) * time.Millisecond
	}
	return d, d >= time.Second && d != mcpclient.DefaultSilence
}

// describedInputs are the "inputs" of Visual Studio Code.
func describedInputs(top object) []Input {
	elements, err := rawjson.Array(rawjson.Get(top, "inputs"))
	if err != nil {
		return nil
	}
	var out []Input
	for _, raw := range elements {
		o, err := readObject(raw)
		if err != nil {
			continue
		}
		id, ok := o.text("id")
		if !ok || id == "" {
			continue
		}
		in := Input{ID: "input:" + id, Label: i18n.M("cli.import_ask_input", "Name", id), Secret: string(rawjson.Get(o, "password")) == "true" || secretName(id)}
		in.Text, _ = o.text("description")
		in.Value, _ = o.text("default")
		options, _ := rawjson.Array(rawjson.Get(o, "options"))
		for _, raw := range options {
			s, ok := plain(raw)
			if option, err := rawjson.Object(raw); err == nil {
				s, ok = plain(rawjson.Get(option, "value"))
			}
			if ok {
				in.Options = append(in.Options, s)
			}
		}
		out = append(out, in)
	}
	return out
}
