package config

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient"
)

// The members under which apps list servers, the most usual first: most of them
// use mcpServers, Visual Studio Code's mcp.json servers, Zed context_servers.
var listKeys = []string{keyServers, "servers", "context_servers", "amp.mcpServers"}

// findEntries finds the servers in JSON of any of the shapes there are.
func findEntries(raw []byte) (found, error) {
	text := lenient(raw)
	var doubts []i18n.Message
	for _, mend := range []struct {
		in       string
		sentence i18n.Message
		mended   func(string) string
	}{
		{doubleMarks, i18n.M("cli.import_typeset"), typesetJSON.Replace},
		{".…", i18n.M("cli.import_elided"), func(s string) string { return elided.ReplaceAllString(s, "") }},
	} {
		if json.Valid(text) || !strings.ContainsAny(string(raw), mend.in) {
			continue
		}
		if plain := lenient([]byte(mend.mended(string(raw)))); json.Valid(plain) {
			text, doubts = plain, []i18n.Message{mend.sentence}
		}
	}
	f, err := findIn(text)
	for i := range f.entries {
		f.entries[i].doubts = append(f.entries[i].doubts, doubts...)
	}
	return f, err
}

// elided is a line that stands for what is not shown.
var elided = regexp.MustCompile(`(?m)^[ \t]*(?:\.{3}|…)[ \t]*,?[ \t]*\r?$`)

// typesetJSON makes JSON of what a word processor made of it.
var typesetJSON = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`, "\u00a0", " ")

func findIn(raw []byte) (found, error) {
	if rawjson.Kind(raw) == '[' {
		f := found{}
		if f.addList(raw) {
			return f, nil
		}
	}
	top, err := allMembers(raw)
	if err != nil {
		return found{}, notJSON(err)
	}
	f := found{inputs: describedInputs(top)}
	listed := false
	for _, key := range listKeys {
		for _, m := range top {
			if m.Key != key {
				continue
			}
			entries, err := allMembers(m.Value)
			if err == nil {
				f.addAll(entries, nil)
			} else if rawjson.Kind(m.Value) != 'n' && !f.addList(m.Value) {
				return found{}, &fault{i18n.M("cli.config_fault_member", "Key", key)}
			}
			listed = true
		}
		if listed {
			break
		}
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
		f.entries = append(f.entries, unlisted(top, raw))
		return f, nil
	}
	if servers := top.servers(); len(servers) > 0 {
		f.addAll(servers, nil)
		return f, nil
	}
	if f, ok := bundled(top); ok {
		return f, nil
	}
	return found{}, &fault{i18n.M("cli.import_shape")}
}

// bundled reads the manifest.json of an extension bundle (MCPB manifest, "server" and
// "user_config"): what starts the server, and what the person is asked for.
func bundled(top object) (f found, ok bool) {
	server, err := top.object("server")
	raw := rawjson.Get(server, "mcp_config")
	if err != nil || raw == nil {
		return found{}, false
	}
	name, _ := top.text("name")
	f.entries = []foundEntry{importEntry(name, raw)}
	config, _ := top.object("user_config")
	for _, m := range config {
		o, err := readObject(m.Value)
		if err != nil {
			continue
		}
		in := Input{ID: "user_config." + m.Key, Label: i18n.M("cli.import_ask_input", "Name", m.Key)}
		if title, _ := o.text("title"); title != "" {
			in.Label = i18n.M("cli.import_ask_input", "Name", title)
		}
		in.Text, _ = o.text("description")
		in.Value, _ = o.text("default")
		in.Secret = string(rawjson.Get(o, "sensitive")) == "true" || secretName(m.Key)
		f.inputs = append(f.inputs, in)
	}
	return f, true
}

// addAll takes in a list of entries.
func (f *found) addAll(entries object, note []i18n.Message) {
	times := map[string]int{}
	for _, m := range entries {
		times[m.Key]++
	}
	for _, m := range entries {
		e := importEntry(m.Key, m.Value)
		e.notes = append(e.notes, note...)
		if n := times[m.Key]; n > 1 {
			e.doubts = append(e.doubts, i18n.M("cli.import_same_name", "N", n))
		}
		f.entries = append(f.entries, e)
	}
}

// unlisted is an entry that stands in no table of names: it may tell its own.
func unlisted(o object, raw json.RawMessage) foundEntry {
	name, _ := o.text("name")
	e := importEntry(name, raw)
	e.guess()
	return e
}

// guess gives an entry without a name one.
func (e *foundEntry) guess() {
	if strings.TrimSpace(e.server.Name) == "" && e.err == nil {
		e.server.Name = guessName(e.server)
	}
}

// addList takes in an array of entries that name themselves; ok is false if raw is
// none.
func (f *found) addList(raw json.RawMessage) (ok bool) {
	elements, err := rawjson.Array(raw)
	if err != nil {
		return false
	}
	for _, raw := range elements {
		o, err := readObject(raw)
		if err != nil || !isEntry(o) {
			continue
		}
		f.entries, ok = append(f.entries, unlisted(o, raw)), true
	}
	return ok
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

// kindOf is the transport that a word means, however it is written: apps say
// streamableHttp, streamable-http and streamable_http.
func kindOf(word string) (kind mcpclient.TransportKind, known bool) {
	switch strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(word)) {
	case "stdio", "local":
		return mcpclient.Stdio, true
	case "http", "streamablehttp", "streamable", "remote":
		return mcpclient.HTTP, true
	case "sse":
		return mcpclient.SSE, true
	}
	return "", false
}

// importEntry understands one entry of another app's list.
func importEntry(name string, raw json.RawMessage) foundEntry {
	e := foundEntry{server: mcpclient.Server{Name: name}, asWritten: true}
	o, err := rawjson.Object(raw)
	if err != nil {
		e.err = &fault{i18n.M("cli.config_fault_object")}
		return e
	}
	for _, key := range repeated(raw) {
		e.doubts = append(e.doubts, i18n.M("cli.import_repeated", "Key", key))
	}
	r := reader{o: o}
	v := &e.server
	e.readProgram(&r)
	for _, key := range addressKeys {
		if v.URL == "" {
			v.URL = strings.TrimSpace(r.text(key))
		}
	}
	if err := e.setKind(&r); err != nil {
		e.err = err
		return e
	}
	if v.Kind == mcpclient.Stdio {
		v.URL, v.Dir = "", r.text("cwd")
		if v.Env == nil {
			v.Env = e.table(&r, "env", "=")
		}
		if v.Env == nil {
			v.Env = e.table(&r, "environment", "=")
		}
	} else {
		v.Command, v.Args, v.Env = "", nil, nil
		v.Headers = e.table(&r, "headers", ":")
	}
	if r.err == nil && v.Command == "" && v.URL == "" {
		r.err = &fault{i18n.M("cli.config_fault_neither")}
	}
	e.err = r.err
	openVariables(v.Env)
	openVariables(v.Headers)
	e.unexpanded()
	e.readRest(o)
	return e
}

// openVariables makes placeholders of values that are $NAME and nothing else, as
// Gemini CLI reads them.
func openVariables(table map[string]string) {
	for key, value := range table {
		table[key] = openVariable(value)
	}
}

func openVariable(value string) string {
	if name, ok := strings.CutPrefix(value, "$"); ok && envName.MatchString(name) {
		return "${" + name + "}"
	}
	return value
}

// readProgram reads what starts a server: a program with its args, or a list of
// both, or an object.
func (e *foundEntry) readProgram(r *reader) {
	v := &e.server
	raw := rawjson.Get(r.o, "command")
	switch rawjson.Kind(raw) {
	case '[':
		if words := r.texts("command"); len(words) > 0 {
			v.Command, v.Args = words[0], words[1:]
		}
		v.Args = append(v.Args, e.arguments(r)...)
	case '{':
		o, err := rawjson.Object(raw)
		inner := reader{o: o, err: err}
		v.Command, v.Args, v.Env = inner.text("path"), e.arguments(&inner), e.table(&inner, "env", "=")
		if r.err == nil {
			r.err = inner.err
		}
	default:
		v.Command, v.Args = r.text("command"), e.arguments(r)
		e.wholeCommand()
	}
}

// wholeCommand takes a command apart that is a command line.
func (e *foundEntry) wholeCommand() {
	v := &e.server
	program, _, more := strings.Cut(strings.TrimSpace(v.Command), " ")
	if !more || len(v.Args) > 0 || strings.ContainsAny(program, `/\"'`) {
		return
	}
	if c, err := readCommandLine(v.Command, false); err == nil && len(c.words) > 1 {
		v.Command, v.Args = c.words[0], c.words[1:]
		e.doubts = append(e.doubts, i18n.M("cli.import_whole", "Key", "command"))
	}
}

// arguments reads "args": a list, or one text that is taken apart.
func (e *foundEntry) arguments(r *reader) []string {
	text, ok := rawjson.String(rawjson.Get(r.o, "args"))
	if !ok {
		return r.texts("args")
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	e.doubts = append(e.doubts, i18n.M("cli.import_whole", "Key", "args"))
	if c, err := readCommandLine(text, false); err == nil {
		return c.words
	}
	return []string{text}
}

// table reads variables or headers: an object, or a list of texts with sep between
// name and value. null sets nothing. What is no text is left out, and said.
func (e *foundEntry) table(r *reader, key, sep string) map[string]string {
	raw := rawjson.Get(r.o, key)
	for _, name := range repeated(raw) {
		e.doubts = append(e.doubts, i18n.M("cli.import_repeated", "Key", name))
	}
	var out map[string]string
	put := func(name, value string) {
		if out == nil {
			out = map[string]string{}
		}
		out[name] = value
	}
	if elements, err := rawjson.Array(raw); err == nil {
		for i, element := range elements {
			text, _ := rawjson.String(element)
			name, value, found := strings.Cut(text, sep)
			if !found {
				e.doubts = append(e.doubts, i18n.M("cli.import_no_pair", "Key", key, "N", i+1))
				continue
			}
			put(strings.TrimSpace(name), value)
		}
		return out
	}
	members, err := rawjson.Object(raw)
	if err != nil && !absent(raw) {
		r.fail("cli.config_fault_table", key)
	}
	for _, m := range members {
		switch value, ok := plain(m.Value); {
		case ok:
			put(m.Key, value)
		case !absent(m.Value):
			e.doubts = append(e.doubts, i18n.M("cli.import_no_text", "Key", key, "Name", m.Key))
		}
	}
	return out
}

// setKind finds out how the server is reached, by its type and by what it names.
func (e *foundEntry) setKind(r *reader) error {
	v := &e.server
	word := ""
	for _, key := range []string{"type", "transport", "transportType"} {
		if text, ok := rawjson.String(rawjson.Get(r.o, key)); ok && word == "" {
			word = text
		}
	}
	kind, known := kindOf(word)
	doubt := func(sentence string) { e.doubts = append(e.doubts, i18n.M(sentence, "Type", word)) }
	switch {
	case v.Command == "" && v.URL == "":
		if word != "" && !known {
			return &fault{i18n.M("cli.config_fault_type", "Type", word)}
		}
		v.Kind = kind
		return nil
	case word != "" && !known:
		doubt("cli.import_kind_unknown")
	case known && kind == mcpclient.Stdio && v.Command == "":
		doubt("cli.import_kind_address")
		known = false
	case known && kind != mcpclient.Stdio && v.URL == "":
		doubt("cli.import_kind_program")
		known = false
	}
	switch {
	case known:
		v.Kind = kind
	case v.Command != "":
		v.Kind = mcpclient.Stdio
	default:
		v.Kind = mcpclient.HTTP
		if olderAddress(v.URL) {
			v.Kind = mcpclient.SSE
			e.notes = append(e.notes, i18n.M("cli.import_older"))
		}
	}
	switch {
	case v.Command == "" || v.URL == "":
	case v.Kind == mcpclient.Stdio:
		doubt("cli.import_both_program")
	default:
		doubt("cli.import_both_address")
	}
	return nil
}

// unexpanded finds what only a shell would replace in what starts a server: in a
// file nobody does.
func (e *foundEntry) unexpanded() {
	v := &e.server
	if v.Kind != mcpclient.Stdio {
		return
	}
	see := func(where i18n.Message, text string) {
		sign := shellSign(text)
		if sign != "" {
			e.doubts = append(e.doubts, i18n.M("cli.import_unexpanded", "Where", where, "What", sign))
		}
	}
	see(i18n.M("cli.import_where_program"), v.Command)
	see(i18n.M("cli.import_where_folder"), v.Dir)
	for i, a := range v.Args {
		if i > 0 && shellFlag.MatchString(v.Args[i-1]) {
			continue // a shell reads that one
		}
		see(i18n.M("cli.import_where_argument", "N", i+1), a)
	}
	for _, name := range sortedKeys(v.Env) {
		if sign := shellSign(v.Env[name]); strings.HasPrefix(sign, "%") || sign == "~" {
			see(i18n.M("cli.import_where_variable", "Name", name), sign+"/")
		}
	}
}

// shellSign is what a shell would replace in text, "" if there is nothing.
func shellSign(text string) string {
	switch {
	case text == "~" || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, `~\`):
		return "~"
	case strings.Contains(text, "$("):
		return "$(…)"
	}
	if m := windowsVariable.FindString(text); m != "" {
		return m
	}
	return shellVariable.FindString(text)
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
		kind, _ := o.text("type")
		in := Input{ID: "input:" + id, Label: i18n.M("cli.import_ask_input", "Name", id)}
		in.Text, _ = o.text("description")
		// What a command of the editor would tell may be a secret.
		in.Secret = string(rawjson.Get(o, "password")) == "true" || kind == "command" || secretName(id) || secretName(in.Text)
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
		if slices.Contains([]string{"pickString"}, kind) && len(in.Options) > 0 {
			in.Secret = false // its values stand in the file
		}
		out = append(out, in)
	}
	return out
}
