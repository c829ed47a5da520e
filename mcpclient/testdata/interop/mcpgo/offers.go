package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// visit is how long the person who is sent to a page takes there.
const visit = 100 * time.Millisecond

// build makes the server. Its lists have pages of three entries.
func build(f forms) *server.MCPServer {
	s := server.NewMCPServer("mcpgo-elicit", "1.0.0", server.WithElicitation(), server.WithPaginationLimit(3))
	addPlain(s)
	addOneRound(s, "form_all", form("Everything, please", f.All))
	addOneRound(s, "form_defaults", form("Defaults", f.Defaults))
	addOneRound(s, "form_required_default", form("Format?", f.RequiredDefault))
	addOneRound(s, "url_mode", page("Sign in", "https://example.com/signin", "signin"))
	addOneRound(s, "two_at_once", field("Name?", "name"), field("Region?", "region"))
	addOneRound(s, "two_mixed", field("Name?", "name"), page("Consent", "https://example.com/consent", "consent"))
	addTool(s, "three_rounds", threeRounds)
	addTool(s, "url_required", (&gate{server: s}).call)
	return s
}

// addPlain offers what asks nothing. Nothing reports progress: the library lets a
// result overtake the notifications before it.
func addPlain(s *server.MCPServer) {
	addTool(s, "echo", func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(req.GetString("message", "")), nil
	})
	s.AddPrompt(mcp.NewPrompt("greet", mcp.WithArgument("name", mcp.RequiredArgument())),
		func(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text := mcp.NewTextContent("Greet " + req.Params.Arguments["name"])
			return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, text)}), nil
		})
	s.AddResource(mcp.NewResource("note://1", "note"),
		func(_ context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, Text: "a note"}}, nil
		})
}

// addOneRound offers a tool that asks everything in one round and then repeats
// the answers in the order of the questions. For a client of the older era the
// library pushes the questions itself, all at the same time.
func addOneRound(s *server.MCPServer, name string, questions ...mcp.ElicitationParams) {
	addTool(s, name, func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if len(req.Params.InputResponses) == 0 {
			return ask("", questions...), nil
		}
		answers := make([]*mcp.ElicitationResult, len(questions))
		for n := range questions {
			answers[n] = server.ElicitationResponse(req.Params.InputResponses, key(n))
		}
		if len(answers) == 1 {
			return said(answers[0])
		}
		return said(answers)
	})
}

// threeRounds asks for one field after the other; what was answered so far
// travels in the state, which the library keeps for a client of the older era.
func threeRounds(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	got := map[string]any{}
	if state := req.Params.RequestState; state != "" {
		if err := json.Unmarshal([]byte(state), &got); err != nil {
			return nil, err
		}
	}
	answer := server.ElicitationResponse(req.Params.InputResponses, key(0))
	for _, name := range []string{"a", "b", "c"} {
		if _, ok := got[name]; ok {
			continue
		}
		if answer == nil {
			state, err := json.Marshal(got)
			if err != nil {
				return nil, err
			}
			return ask(string(state), field("Round "+name, name)), nil
		}
		if answer.Action != mcp.ElicitationResponseActionAccept {
			return said(map[string]any{"stopped": name, "action": answer.Action})
		}
		content, _ := answer.Content.(map[string]any)
		got[name] = content[name]
		answer = nil
	}
	return said(got)
}

// gate is a tool that runs for each session only once its person has been to a
// page.
type gate struct {
	server *server.MCPServer
	open   sync.Map // by session ID
}

func (g *gate) call(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	message, url := "Authorize first", "https://example.com/oauth"
	if server.IsModernRequest(ctx) {
		switch a := server.ElicitationResponse(req.Params.InputResponses, key(0)); {
		case a == nil:
			return ask("", page(message, url, "")), nil
		case a.Action != mcp.ElicitationResponseActionAccept:
			return said(a)
		}
		return mcp.NewToolResultText("authorized"), nil
	}
	session := server.ClientSessionFromContext(ctx)
	if _, ok := g.open.LoadAndDelete(session.SessionID()); ok {
		return mcp.NewToolResultText("authorized"), nil
	}
	id := "oauth-" + session.SessionID()
	time.AfterFunc(visit, func() {
		g.open.Store(session.SessionID(), true)
		// The client may have gone meanwhile, and then asks for nothing more.
		_ = g.server.SendElicitationComplete(context.WithoutCancel(ctx), session, id)
	})
	return nil, mcp.URLElicitationRequiredError{Elicitations: []mcp.ElicitationParams{page(message, url, id)}}
}

func addTool(s *server.MCPServer, name string, run server.ToolHandlerFunc) {
	s.AddTool(mcp.NewToolWithRawSchema(name, "", json.RawMessage(`{"type":"object"}`)), run)
}

// key is the key of question n of a round.
func key(n int) string { return fmt.Sprintf("q%d", n) }

// ask is the result that asks the questions.
func ask(state string, questions ...mcp.ElicitationParams) *mcp.CallToolResult {
	b := server.NewInputRequestBuilder(state)
	for n, q := range questions {
		b.Elicit(key(n), q)
	}
	return b.ToolResult()
}

func form(message string, schema json.RawMessage) mcp.ElicitationParams {
	return mcp.ElicitationParams{Mode: mcp.ElicitationModeForm, Message: message, RequestedSchema: schema}
}

// field asks for one text.
func field(message, name string) mcp.ElicitationParams {
	return form(message, json.RawMessage(fmt.Sprintf(
		`{"type":"object","properties":{%q:{"type":"string"}},"required":[%q]}`, name, name)))
}

func page(message, url, id string) mcp.ElicitationParams {
	return mcp.ElicitationParams{Mode: mcp.ElicitationModeURL, Message: message, URL: url, ElicitationID: id}
}

func said(v any) (*mcp.CallToolResult, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(string(raw)), nil
}
