package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient"
)

// fault says why an entry, or the whole file, cannot be read.
type fault struct{ text i18n.Message }

func (f *fault) Error() string { return english.Text(f.text) }

// kinds are the values of "type" in use by MCP clients.
var kinds = map[string]mcpclient.TransportKind{
	"stdio":           mcpclient.Stdio,
	"http":            mcpclient.HTTP,
	"streamable-http": mcpclient.HTTP,
	"streamableHttp":  mcpclient.HTTP,
	"sse":             mcpclient.SSE,
}

// readEntry understands one entry of "mcpServers". An entry without a type is
// a program if it names a command, else an address of Streamable HTTP.
func readEntry(raw json.RawMessage) (mcpclient.Server, error) {
	var v mcpclient.Server
	o, err := rawjson.Object(raw)
	if err != nil {
		return v, &fault{i18n.M("cli.config_fault_object")}
	}
	r := reader{o: o}
	kind := r.text("type")
	v.Command, v.URL = r.text("command"), r.text("url")
	switch k, known := kinds[kind]; {
	case known:
		v.Kind = k
	case kind != "":
		return v, &fault{i18n.M("cli.config_fault_type", "Type", kind)}
	case v.Command != "":
		v.Kind = mcpclient.Stdio
	default:
		v.Kind = mcpclient.HTTP
	}
	if v.Kind == mcpclient.Stdio {
		v.URL = ""
		v.Args, v.Env, v.Dir = r.texts("args"), r.table("env"), r.text("cwd")
	} else {
		v.Command = ""
		v.Headers = r.table("headers")
	}
	if r.err != nil {
		return v, r.err
	}
	if v.Command == "" && v.URL == "" {
		return v, &fault{i18n.M("cli.config_fault_neither")}
	}
	return v, nil
}

// reader reads members of an entry and keeps the first error.
type reader struct {
	o   object
	err error
}

// fail keeps the first error, a sentence about the member key; its value is
// never part of it, since that may be a secret.
func (r *reader) fail(sentence, key string) {
	if r.err == nil {
		r.err = &fault{i18n.M(sentence, "Key", key)}
	}
}

// text reads a string; absent and null count as "".
func (r *reader) text(key string) string {
	raw := rawjson.Get(r.o, key)
	if absent(raw) {
		return ""
	}
	s, ok := rawjson.String(raw)
	if !ok {
		r.fail("cli.config_fault_text", key)
	}
	return s
}

// texts reads an array of strings; a number in it is taken as its digits,
// which is what people mean by a port.
func (r *reader) texts(key string) []string {
	raw := rawjson.Get(r.o, key)
	if absent(raw) {
		return nil
	}
	elements, err := rawjson.Array(raw)
	if err != nil {
		r.fail("cli.config_fault_list", key)
		return nil
	}
	out := make([]string, 0, len(elements))
	for _, e := range elements {
		s, ok := plain(e)
		if !ok {
			r.fail("cli.config_fault_list", key)
			return nil
		}
		out = append(out, s)
	}
	return out
}

// table reads an object of strings, numbers and booleans.
func (r *reader) table(key string) map[string]string {
	raw := rawjson.Get(r.o, key)
	if absent(raw) {
		return nil
	}
	members, err := rawjson.Object(raw)
	if err != nil {
		r.fail("cli.config_fault_table", key)
		return nil
	}
	out := make(map[string]string, len(members))
	for _, m := range members {
		s, ok := plain(m.Value)
		if !ok {
			r.fail("cli.config_fault_table", key)
			return nil
		}
		out[m.Key] = s
	}
	return out
}

func absent(raw json.RawMessage) bool { return raw == nil || rawjson.Kind(raw) == 'n' }

// plain is a string, number or boolean as text.
func plain(raw json.RawMessage) (string, bool) {
	switch rawjson.Kind(raw) {
	case '"':
		return rawjson.String(raw)
	case '0', 't', 'f':
		return string(raw), true
	}
	return "", false
}

// writeEntry is v as an entry, made from the entry it replaces: unknown members
// and the place of known ones stay, members of the other kind of server go.
func writeEntry(old object, v mcpclient.Server) (object, error) {
	o := slices.Clone(old)
	switch v.Kind {
	case mcpclient.Stdio:
		o.remove("url")
		o.remove("headers")
		if o.index("type") >= 0 {
			o.setType(v.Kind)
		}
		o.setText("command", v.Command)
		o.setTexts("args", v.Args)
		o.setText("cwd", v.Dir)
		return o, o.setTable("env", v.Env, v.SecretEnv)
	case mcpclient.HTTP, mcpclient.SSE:
		for _, key := range []string{"command", "args", "env", "cwd"} {
			o.remove(key)
		}
		o.setType(v.Kind)
		o.setText("url", v.URL)
		return o, o.setTable("headers", v.Headers, v.SecretHeaders)
	}
	return nil, fmt.Errorf("unknown transport %q", v.Kind)
}

// setType puts the usual word for k, unless another word for it stands there.
func (o *object) setType(k mcpclient.TransportKind) {
	if word, ok := o.text("type"); ok && kinds[word] == k {
		return
	}
	o.set("type", encodeText(string(k)))
}

// setTexts puts an array of strings; one that says the same keeps its
// spelling, and an empty one takes the member away.
func (o *object) setTexts(key string, texts []string) {
	r := reader{o: *o}
	if slices.Equal(r.texts(key), texts) && r.err == nil {
		return
	}
	if len(texts) == 0 {
		o.remove(key)
		return
	}
	raw := []byte{'['}
	for i, s := range texts {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, encodeText(s)...)
	}
	o.set(key, append(raw, ']'))
}

// setTable makes the table at key hold want, without the names that are secret.
// Members that say the same keep their place and spelling; new ones follow in
// the order of their names. An empty table is taken away.
func (o *object) setTable(key string, want map[string]string, secret []string) error {
	old, err := o.object(key)
	if err != nil {
		return fmt.Errorf("%q: %w", key, err)
	}
	want = maps.Clone(want)
	for _, name := range secret {
		delete(want, name)
	}
	table := object{}
	for _, m := range old {
		v, wanted := want[m.Key]
		if !wanted {
			continue
		}
		if s, same := plain(m.Value); !same || s != v {
			m.Value = encodeText(v)
		}
		table = append(table, m)
		delete(want, m.Key)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		table.set(name, encodeText(want[name]))
	}
	if len(table) == 0 {
		o.remove(key)
		return nil
	}
	o.set(key, table.encode())
	return nil
}
