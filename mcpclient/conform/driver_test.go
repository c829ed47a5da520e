package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// mock is a server as the suite's are: it answers methods from a table and
// writes down what it was called with.
type mock struct {
	results map[string]string // by method
	endless bool              // methods without a result get no reply and bring the deadline on, instead of an error

	mu    sync.Mutex
	calls []string // method and the params' name, uri and arguments

	deadline func() // ends the time of the driver
}

func (m *mock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var request struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name, URI string
			Arguments json.RawMessage
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if request.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	result, known := m.results[request.Method]
	if p := request.Params; p.Name != "" || p.URI != "" {
		m.mu.Lock()
		m.calls = append(m.calls, strings.TrimSpace(fmt.Sprintf("%s %s%s %s", request.Method, p.Name, p.URI, p.Arguments)))
		m.mu.Unlock()
	}
	if !known && m.endless && request.Method != "server/discover" {
		m.deadline()
		<-r.Context().Done()
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if !known {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}`, request.ID)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
}

const initialized = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"mock","version":"1"},"capabilities":{"tools":{},"prompts":{},"resources":{}}}`

// drive runs the driver against m and returns what m was called with.
func drive(t *testing.T, m *mock, scenario string) ([]string, error) {
	t.Helper()
	known, err := readKnowledge(scenario)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	m.deadline = cancel
	server := httptest.NewServer(m)
	err = run(ctx, server.URL, known, log.New(t.Output(), "", 0))
	server.Close() // waits for its handlers
	return m.calls, err
}

func TestRunUsesAllThatAServerOffers(t *testing.T) {
	m := &mock{results: map[string]string{
		"initialize": initialized,
		"tools/list": `{"tools":[
			{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}},
			{"name":"failing","inputSchema":{"type":"object"}}]}`,
		"tools/call":     `{"content":[],"isError":true}`,
		"prompts/list":   `{"prompts":[{"name":"greet","arguments":[{"name":"who","required":true},{"name":"how"}]},{"name":"second"}]}`,
		"prompts/get":    `{"messages":[]}`,
		"resources/list": `{"resources":[{"uri":"test://one","name":"one"},{"uri":"test://two","name":"two"}]}`,
	}}
	calls, err := drive(t, m, "")
	want := []string{
		`tools/call add {"a":0,"b":0}`,
		`tools/call failing {}`,
		`prompts/get greet {"who":""}`,
		`resources/read test://one`,
	}
	if err != nil || !slices.Equal(calls, want) {
		t.Errorf("calls %q, %v; want %q: every tool, the first prompt and the first resource, whatever fails", calls, err, want)
	}
}

func TestRunMakesTheCallsOfTheScenario(t *testing.T) {
	m := &mock{results: map[string]string{
		"initialize": initialized,
		"tools/list": `{"tools":[{"name":"other","inputSchema":{"type":"object"}},{"name":"named","inputSchema":{"type":"object"}}]}`,
		"tools/call": `{"content":[]}`,
	}}
	calls, err := drive(t, m, `{"name":"some-scenario","toolCalls":[
		{"name":"named","arguments":{"tab":"\tx", "n":3.14159}},{"name":"named","arguments":{"n":null}}]}`)
	want := []string{
		`tools/call named {"tab":"\tx", "n":3.14159}`,
		`tools/call named {"n":null}`,
		`tools/call other {}`,
	}
	if err != nil || !slices.Equal(calls, want) {
		t.Errorf("calls %q, %v; want %q: the arguments to the letter, and no other call of that tool", calls, err, want)
	}
}

func TestRunGivesASchemaBackAsItCame(t *testing.T) {
	schema := `{"$schema":"https://json-schema.org/draft/2020-12/schema", "$defs":{"a":{"$anchor":"b"}},"if":{},"additionalProperties":false,"big":12345678901234567890}`
	m := &mock{results: map[string]string{
		"initialize": initialized,
		"tools/list": `{"tools":[{"name":"` + schemaTool + `","inputSchema":` + schema + `},
			{"name":"` + echoTool + `","inputSchema":{"type":"object","properties":{"schema":{"type":"object"}},"required":["schema"]}}]}`,
		"tools/call": `{"content":[]}`,
	}}
	calls, err := drive(t, m, "")
	if want := "tools/call " + echoTool + ` {"schema":` + schema + `}`; err != nil || !slices.Contains(calls, want) {
		t.Errorf("calls %q, %v; want among them %q", calls, err, want)
	}
}

func TestRunEndsInTimeWhateverTheServerDoes(t *testing.T) {
	m := &mock{endless: true, results: map[string]string{
		"initialize":   initialized,
		"tools/list":   `{"tools":[{"name":"endless","inputSchema":{"type":"object"}},{"name":"next","inputSchema":{"type":"object"}}]}`,
		"prompts/list": `{"prompts":[]}`, "resources/list": `{"resources":[]}`, "resources/templates/list": `{"resourceTemplates":[]}`,
	}}
	calls, err := drive(t, m, "")
	if want := []string{`tools/call endless {}`}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("calls %q, %v; want %q and nothing after the deadline", calls, err, want)
	}
}

func TestRunFailsWithoutAConnectionOrAList(t *testing.T) {
	for _, c := range []struct {
		name    string
		results map[string]string
		want    string
	}{
		{"no MCP at all", nil, "connecting: "},
		{"no list of the tools it says it has", map[string]string{"initialize": initialized, "tools/list": `{"tools":1}`}, "listing: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := drive(t, &mock{results: c.results}, ""); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want an error that begins with %q", err, c.want)
			}
		})
	}
}

func TestKnowledgeOfAScenarioIsNeverPartOfAnError(t *testing.T) {
	_, err := readKnowledge(`{"client_secret":"canary","toolCalls":"canary"}`)
	if err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("got %v, want an error without the values", err)
	}
}
