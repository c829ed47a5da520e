package mcpclient

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"parley/assets/i18n"
	"parley/forms/rawjson"
)

// Parameters as headers (2026-07-28, "Custom Headers from Tool Parameters"): a
// tool can mark a property of its inputSchema with x-mcp-header, and the value
// then also goes out as the HTTP header Mcp-Param-NAME, so that what stands
// between client and server can route by it. It concerns Streamable HTTP only.

const (
	headerAnnotation = "x-mcp-header"
	headerPrefix     = "Mcp-Param-"
)

// maxSafeInteger is the largest integer that every JSON reader keeps exactly.
const maxSafeInteger = 1<<53 - 1

// paramHeader is one parameter that goes out as a header.
type paramHeader struct {
	name string   // without the prefix
	path []string // the property, from the root of the arguments
	kind string   // string, integer or boolean
}

// paramHeaders reads the annotations of an inputSchema. bad says what is wrong
// with one: such a tool must not be offered.
func paramHeaders(schema json.RawMessage) (headers []paramHeader, bad i18n.Message) {
	if !bytes.Contains(schema, []byte(headerAnnotation)) && !bytes.Contains(schema, []byte(`\u`)) {
		return nil, i18n.Message{} // nearly all of them
	}
	w := headerWalk{seen: map[string]bool{}}
	w.object(schema, nil, true)
	return w.headers, w.bad
}

// maxDepth bounds how deep a schema is searched: its reading starts anew at
// every level. A tool that hides a header deeper is not offered.
const maxDepth = 100

// headerWalk goes through a schema in search of annotations.
type headerWalk struct {
	headers []paramHeader
	seen    map[string]bool // names so far, in lower case
	depth   int
	bad     i18n.Message
}

// values are keywords whose value is data, not schema.
var values = map[string]bool{"default": true, "enum": true, "const": true, "examples": true, "required": true}

// object looks at one schema. reachable says that it is reached through
// properties alone, where annotations may stand; path is how.
func (w *headerWalk) object(schema json.RawMessage, path []string, reachable bool) {
	if rawjson.Kind(schema) != '{' || !w.bad.IsZero() {
		return
	}
	if w.depth == maxDepth {
		w.bad = i18n.M("core.header.deep")
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	members, err := rawjson.Object(schema)
	if err != nil {
		return
	}
	if raw := rawjson.Get(members, headerAnnotation); raw != nil {
		w.annotation(raw, members, path, reachable)
	}
	for _, m := range members {
		switch {
		case m.Key == "properties":
			properties, _ := rawjson.Object(m.Value)
			for _, p := range properties {
				w.object(p.Value, append(path[:len(path):len(path)], p.Key), reachable)
			}
		case values[m.Key]:
		case m.Key == "$defs" || m.Key == "definitions" || m.Key == "patternProperties" || m.Key == "dependentSchemas":
			for _, d := range ignoreError(rawjson.Object(m.Value)) {
				w.object(d.Value, nil, false)
			}
		default:
			w.object(m.Value, nil, false)
			for _, e := range ignoreError(rawjson.Array(m.Value)) {
				w.object(e, nil, false)
			}
		}
	}
}

// annotation takes one annotation, or notes what is wrong with it.
func (w *headerWalk) annotation(raw json.RawMessage, members []rawjson.Member, path []string, reachable bool) {
	name, ok := rawjson.String(raw)
	kind := text(rawjson.Get(members, "type"))
	switch {
	case !ok || !httpguts.ValidHeaderFieldName(name):
		w.bad = i18n.M("core.header.name", "Name", clip(string(raw)))
	case w.seen[strings.ToLower(name)]:
		w.bad = i18n.M("core.header.twice", "Name", clip(name))
	case !reachable || len(path) == 0:
		w.bad = i18n.M("core.header.place", "Name", clip(name))
	case kind != "string" && kind != "integer" && kind != "boolean":
		w.bad = i18n.M("core.header.type", "Name", clip(name))
	default:
		w.seen[strings.ToLower(name)] = true
		w.headers = append(w.headers, paramHeader{name, path, kind})
	}
}

// headerValues are the headers that go with arguments. A value that is absent,
// null, of another type, or an integer that not every reader keeps exactly has
// none; the server then decides.
func headerValues(headers []paramHeader, arguments json.RawMessage) map[string]string {
	out := map[string]string{}
	for _, h := range headers {
		value := arguments
		for _, key := range h.path {
			value, _ = rawjson.Lookup(value, key)
		}
		if s, ok := h.value(value); ok {
			out[headerPrefix+h.name] = s
		}
	}
	return out
}

func (h paramHeader) value(raw json.RawMessage) (string, bool) {
	switch h.kind {
	case "string":
		return rawjson.String(raw)
	case "boolean":
		s := string(raw)
		return s, s == "true" || s == "false"
	}
	n, err := number(raw).Float64()
	if err != nil || n != float64(int64(n)) || n > maxSafeInteger || n < -maxSafeInteger {
		return "", false
	}
	return strconv.FormatInt(int64(n), 10), true
}

// mirrors reports whether parameters go out as headers on this connection.
func (k *Connection) mirrors() bool {
	info := k.Info()
	return info.Era == Modern && info.Identity.Transport == HTTP
}

// learnHeaders keeps which parameters of the tools go out as headers. It
// returns the tools that may be offered and tells of those that may not.
func (k *Connection) learnHeaders(tools []json.RawMessage) []json.RawMessage {
	if !k.mirrors() {
		return tools
	}
	headers, refused := map[string][]paramHeader{}, map[string]i18n.Message{}
	kept := make([]json.RawMessage, 0, len(tools))
	for _, raw := range tools {
		members, _ := rawjson.Only(raw, "name", "inputSchema")
		name, _ := rawjson.Decode(rawjson.Get(members, "name"))
		found, bad := paramHeaders(rawjson.Get(members, "inputSchema"))
		if !bad.IsZero() {
			k.notice(i18n.M("core.header.left_out", "Tool", clip(name), "Reason", bad), "")
			refused[name] = bad
			continue
		}
		if len(found) > 0 {
			headers[name] = found
		}
		kept = append(kept, raw)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.headers, k.refused = headers, refused
	return kept
}

// knowsHeaders reports whether the tools were listed.
func (k *Connection) knowsHeaders() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.headers != nil
}

// headersOf are the headers that go with a call.
func (k *Connection) headersOf(call Call) map[string]string {
	if call.Kind != CallTool || !k.mirrors() {
		return nil
	}
	k.mu.Lock()
	headers := k.headers[call.Name]
	k.mu.Unlock()
	return headerValues(headers, call.Arguments)
}

// ignoreError drops the error of a reader whose subject may be of any kind.
func ignoreError[T any](v T, _ error) T { return v }
