package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// eras are the revisions every tool is tried in, one a way of asking and one a
// way of declaring.
var eras = []string{"2026-07-28", "2025-11-25", "2025-06-18"}

// both are the capabilities of a client that takes forms and URLs.
func both() *mcp.ElicitationCapabilities {
	return &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
}

// start serves s on a free loopback port until the test ends and returns the
// root of its address. The test fails if Serve does not come back.
func start(t *testing.T, s *Server) string {
	t.Helper()
	ln, err := Listen("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return root(ln)
}

// answers decides a question.
type answers func(*mcp.ElicitParams) *mcp.ElicitResult

// peer is a client on the Go SDK that neither checks nor completes answers.
type peer struct {
	t        *testing.T
	session  *mcp.ClientSession
	answer   answers
	complete chan string // ids of notifications/elicitation/complete
	asked    []*mcp.ElicitParams
	progress chan *mcp.ProgressNotificationParams
}

func connect(t *testing.T, rootURL, revision string, caps *mcp.ElicitationCapabilities) *peer {
	t.Helper()
	p := &peer{t: t, complete: make(chan string, 10), progress: make(chan *mcp.ProgressNotificationParams, 200)}
	options := &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{Elicitation: caps},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		ElicitationCompleteHandler: func(_ context.Context, r *mcp.ElicitationCompleteNotificationRequest) {
			p.complete <- r.Params.ElicitationID
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			p.progress <- r.Params
		},
	}
	if caps != nil { // the SDK declares the capability by itself when it sees a handler
		options.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			panic("the middleware answers")
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if q, ok := req.GetParams().(*mcp.ElicitParams); ok {
				p.asked = append(p.asked, q)
				return p.answer(q), nil
			}
			return next(ctx, method, req)
		}
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: rootURL + Path},
		&mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatalf("connecting with %s: %v", revision, err)
	}
	if got := session.InitializeResult().ProtocolVersion; got != revision {
		t.Fatalf("negotiated %s, want %s", got, revision)
	}
	t.Cleanup(func() { session.Close() })
	p.session = session
	return p
}

// call runs a tool with all its rounds. Every question is kept in p.asked.
func (p *peer) call(tool string, args map[string]any, answer answers) *mcp.CallToolResult {
	p.t.Helper()
	res, err := p.tryCall(tool, args, answer)
	if err != nil {
		p.t.Fatalf("calling %s: %v", tool, err)
	}
	return res
}

func (p *peer) tryCall(tool string, args map[string]any, answer answers) (*mcp.CallToolResult, error) {
	p.answer, p.asked = answer, nil
	params := &mcp.CallToolParams{Name: tool, Arguments: args}
	for {
		res, err := p.session.CallTool(p.t.Context(), params)
		if err != nil || !res.NeedsInput() {
			return res, err
		}
		params = &mcp.CallToolParams{Name: tool, Arguments: args, RequestState: res.RequestState,
			InputResponses: p.answerAll(res.InputRequests)}
	}
}

func (p *peer) answerAll(requests mcp.InputRequestMap) mcp.InputResponseMap {
	out := mcp.InputResponseMap{}
	for key, r := range requests {
		q, ok := r.(*mcp.ElicitParams)
		if !ok {
			p.t.Fatalf("input request %q is a %T, want an elicitation", key, r)
		}
		p.asked = append(p.asked, q)
		out[key] = p.answer(q)
	}
	return out
}

// reply answers everything alike.
func replyWith(action string, content map[string]any) answers {
	return func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: action, Content: content} }
}

// inTurn answers the first question with the first entry, and so on.
func inTurn(list ...*mcp.ElicitResult) answers {
	return func(*mcp.ElicitParams) *mcp.ElicitResult {
		a := list[0]
		list = list[1:]
		return a
	}
}

func accepted(content map[string]any) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: accept, Content: content}
}

func textOf(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("result has %d contents, want 1", len(res.Content))
	}
	return res.Content[0].(*mcp.TextContent).Text
}

// message is a JSON-RPC response as raw HTTP tests read it.
type message struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// needs is an InputRequiredResult as raw HTTP tests read it.
type needs struct {
	ResultType    string `json:"resultType"`
	InputRequests map[string]struct {
		Method string `json:"method"`
		Params struct {
			Mode            string          `json:"mode"`
			Message         string          `json:"message"`
			URL             string          `json:"url"`
			RequestedSchema json.RawMessage `json:"requestedSchema"`
		} `json:"params"`
	} `json:"inputRequests"`
	RequestState string `json:"requestState"`
	Content      []struct {
		Text string `json:"text"`
	} `json:"content"`
	IsError bool `json:"isError"`
}

// raw posts one modern request and returns its response, whatever its status.
func raw(t *testing.T, rootURL, method, name, params string) message {
	t.Helper()
	var p map[string]any
	if err := json.Unmarshal([]byte(params), &p); err != nil {
		t.Fatalf("params of the test: %v", err)
	}
	if _, has := p["_meta"]; !has {
		p["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "raw", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}}},
		}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": p})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, rootURL+Path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", method)
	if name != "" {
		req.Header.Set("Mcp-Name", name)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(all)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && strings.Contains(data, `"id"`) {
			all = []byte(data)
		}
	}
	var m message
	if err := json.Unmarshal(all, &m); err != nil {
		t.Fatalf("response %q (%s): %v", all, res.Status, err)
	}
	return m
}

// rawCall is raw for tools/call; the result is decoded.
func rawCall(t *testing.T, rootURL, tool, params string) needs {
	t.Helper()
	m := raw(t, rootURL, "tools/call", tool, params)
	if m.Error != nil {
		t.Fatalf("calling %s: error %d %s", tool, m.Error.Code, m.Error.Message)
	}
	var n needs
	if err := json.Unmarshal(m.Result, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// quick makes a server whose slow tool is not slow.
func quick(o Options) *Server {
	s := New(o)
	s.tick = time.Microsecond
	return s
}
