package authtest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// The revisions that the small MCP server speaks if no other is named: the first
// that has no sessions, and the last that begins with initialize.
const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

// revisions are those that are spoken, newest first.
func (o *ResourceOptions) revisions() []string {
	if o.Protocol != "" {
		return []string{o.Protocol}
	}
	return []string{modern, legacy}
}

// whoami is the tool that says who is signed in.
const whoami = "whoami"

// speak answers one message of MCP for the holder of t.
func speak(w http.ResponseWriter, r *http.Request, o ResourceOptions, t Token) {
	if r.Method != http.MethodPost {
		// There is nothing to listen for, and no session to end.
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Name string }
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	if result := o.result(m.Method, m.Params.Name, t); result != nil {
		answer["result"] = result
	} else {
		answer["error"] = map[string]any{"code": -32601, "message": "there is no such method"}
	}
	reply(w, http.StatusOK, answer)
}

// result is that of one method; nil if there is none.
func (o *ResourceOptions) result(method, name string, t Token) map[string]any {
	self := map[string]any{"name": "authtest", "version": "1"}
	offers := map[string]any{"tools": map[string]any{}}
	revisions := o.revisions()
	oldest := revisions[len(revisions)-1]
	switch {
	case method == "server/discover" && revisions[0] >= modern:
		return map[string]any{
			"resultType": "complete", "supportedVersions": revisions, "capabilities": offers,
			"ttlMs": 0, "cacheScope": "private", "_meta": map[string]any{"io.modelcontextprotocol/serverInfo": self},
		}
	case method == "initialize" && oldest < modern:
		return map[string]any{"protocolVersion": oldest, "capabilities": offers, "serverInfo": self}
	case method == "ping":
		return map[string]any{}
	case method == "tools/list":
		tools := []any{}
		for _, tool := range slices.Concat([]string{whoami}, slices.Sorted(maps.Keys(o.Tools))) {
			tools = append(tools, map[string]any{
				"name": tool, "inputSchema": map[string]any{"type": "object"},
			})
		}
		return map[string]any{"resultType": "complete", "tools": tools, "ttlMs": 0, "cacheScope": "private"}
	case method == "tools/call":
		text, failed := "done", false
		if name == whoami {
			text = strings.TrimSpace(t.Person + " " + strings.Join(t.Scopes, " "))
		} else if _, known := o.Tools[name]; !known {
			text, failed = "there is no such tool", true
		}
		return map[string]any{
			"resultType": "complete", "isError": failed,
			"content": []any{map[string]any{"type": "text", "text": text}},
		}
	}
	return nil
}
