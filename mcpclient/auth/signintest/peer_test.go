package signintest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
)

// TestMain lets the tests start this program as an MCP server, and as another Parley.
func TestMain(m *testing.M) {
	if other := os.Getenv(otherVariable); other != "" {
		if err := beOther(other); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(programVariable) == "" {
		os.Exit(m.Run())
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if answer := asker(lines.Bytes(), os.Getenv(secretVariable) != ""); answer != nil {
			fmt.Printf("%s\n", answer)
		}
	}
}

// The environment of the program: one variable makes it a server, the other is
// the secret it needs.
const (
	programVariable = "SIGNINTEST_PROGRAM"
	secretVariable  = "SIGNINTEST_KEY"
)

// asker answers one message as an MCP server of 2026-07-28 whose tool "ask" asks
// a form, with defaults[…], and says back what was answered. Its tool "armed"
// says whether it got what it needs beside a token. nil is no answer.
func asker(message []byte, armed bool) []byte {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name           string
			InputResponses json.RawMessage
		}
	}
	if json.Unmarshal(message, &m) != nil || m.ID == nil {
		return nil
	}
	result := ""
	switch {
	case m.Method == "server/discover":
		result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`
	case m.Method == "tools/list":
		result = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[
			{"name":"ask","inputSchema":{"type":"object"}},{"name":"armed","inputSchema":{"type":"object"}}]}`
	case m.Method == "tools/call" && m.Params.Name == "armed":
		result = fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":"%t"}]}`, armed)
	case m.Method == "tools/call" && m.Params.InputResponses == nil:
		schema, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{
			"note": map[string]any{"type": "string"},
			"pin":  map[string]any{"type": "string", "title": "Password"},
			"tag":  map[string]any{"type": "string", "default": theDefault},
		}})
		if err != nil {
			panic(err) // text always can
		}
		result = `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{
			"mode":"form","message":"m","requestedSchema":` + string(schema) + `}}}}`
	case m.Method == "tools/call":
		text, err := json.Marshal(string(m.Params.InputResponses))
		if err != nil {
			panic(err)
		}
		result = `{"resultType":"complete","content":[{"type":"text","text":` + string(text) + `}]}`
	default:
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"there is no such method"}}`, m.ID)
	}
	var out bytes.Buffer
	if err := json.Compact(&out, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// asking serves asker over HTTP; what it needs is a header with a value. It says
// everything back where a tool of echo is called.
func asking(header, value string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if echo(w, r, body) {
			return
		}
		answer := asker(body, r.Header.Get(header) == value)
		if answer == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer) // a client that has left does not read it
	})
}
