package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// modern is the first revision in which a server answers with its questions;
// before it, they were pushed to the client.
const modern = "2026-07-28"

// visit is how long the person who is sent to a page takes there.
const visit = 100 * time.Millisecond

// build makes the server. Its lists have pages of three entries.
func build(f forms) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "gosdk-elicit", Version: "1.0.0"}, &mcp.ServerOptions{PageSize: 3})
	addPlain(s)
	addOneRound(s, "form_all", form("Everything, please", f.All))
	addOneRound(s, "form_defaults", form("Defaults", f.Defaults))
	addOneRound(s, "form_required_default", form("Format?", f.RequiredDefault))
	addOneRound(s, "url_mode", page("Sign in", "https://example.com/signin", "signin"))
	addOneRound(s, "two_at_once", field("Name?", "name"), field("Region?", "region"))
	addOneRound(s, "two_mixed", field("Name?", "name"), page("Consent", "https://example.com/consent", "consent"))
	addTool(s, "three_rounds", threeRounds)
	addTool(s, "outside", outside)
	addTool(s, "url_required", new(gate).call)
	return s
}

// addPlain offers what asks nothing.
func addPlain(s *mcp.Server) {
	addTool(s, "echo", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args struct {
			Message string `json:"message"`
		}
		if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
			return nil, err
		}
		return said(args.Message), nil
	})
	addTool(s, "count", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for n := range 3 {
			err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: req.Params.GetProgressToken(), Progress: float64(n + 1), Total: 3,
			})
			if err != nil {
				return nil, err
			}
		}
		return said("counted"), nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "name", Required: true}}},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text := &mcp.TextContent{Text: "Greet " + req.Params.Arguments["name"]}
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: text}}}, nil
		})
	s.AddResource(&mcp.Resource{URI: "note://1", Name: "note"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: "a note"}}}, nil
		})
}

// addOneRound offers a tool that asks everything in one round and then repeats
// the answers in the order of the questions. For a client of the older era the
// SDK pushes the questions itself, all at the same time.
func addOneRound(s *mcp.Server, name string, questions ...*mcp.ElicitParams) {
	addTool(s, name, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if len(req.Params.InputResponses) == 0 {
			return ask(questions...), nil
		}
		answers := make([]mcp.InputResponse, len(questions))
		for n := range questions {
			answers[n] = req.Params.InputResponses[key(n)]
		}
		if len(answers) == 1 {
			return saidJSON(answers[0])
		}
		return saidJSON(answers)
	})
}

// threeRounds asks for one field after the other. In the modern era what was
// answered so far travels in the state; in the older one the SDK would push the
// questions of the first round only, so this pushes them.
func threeRounds(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	got := map[string]any{}
	if state := req.Params.RequestState; state != "" {
		if err := json.Unmarshal([]byte(state), &got); err != nil {
			return nil, err
		}
	}
	answer, _ := req.Params.InputResponses[key(0)].(*mcp.ElicitResult)
	for _, name := range []string{"a", "b", "c"} {
		if _, ok := got[name]; ok {
			continue
		}
		question := field("Round "+name, name)
		if req.ProtocolVersion() < modern {
			var err error
			if answer, err = req.Session.Elicit(ctx, question); err != nil {
				return nil, err
			}
		}
		if answer == nil {
			state, err := json.Marshal(got)
			if err != nil {
				return nil, err
			}
			res := ask(question)
			res.RequestState = string(state)
			return res, nil
		}
		if answer.Action != "accept" {
			return saidJSON(map[string]any{"stopped": name, "action": answer.Action})
		}
		got[name] = answer.Content[name]
		answer = nil
	}
	return saidJSON(got)
}

// outside asks on no call's behalf: over HTTP the question comes on the stream
// that belongs to no request.
func outside(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer, err := req.Session.Elicit(context.Background(), field("Outside?", "x"))
	if err != nil {
		return nil, err
	}
	return saidJSON(answer)
}

// gate is a tool that runs for each session only once its person has been to a
// page.
type gate struct {
	open sync.Map // by session ID
}

func (g *gate) call(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	message, url := "Authorize first", "https://example.com/oauth"
	if req.ProtocolVersion() >= modern {
		switch a, ok := req.Params.InputResponses[key(0)].(*mcp.ElicitResult); {
		case !ok:
			return ask(page(message, url, "")), nil
		case a.Action != "accept":
			return saidJSON(a)
		}
		return said("authorized"), nil
	}
	session := req.Session
	if _, ok := g.open.LoadAndDelete(session.ID()); ok {
		return said("authorized"), nil
	}
	id := fmt.Sprintf("oauth-%s", session.ID())
	time.AfterFunc(visit, func() {
		g.open.Store(session.ID(), true)
		// The client may have gone meanwhile, and then asks for nothing more.
		_ = session.NotifyElicitationComplete(context.Background(), &mcp.ElicitationCompleteParams{ElicitationID: id})
	})
	return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{page(message, url, id)})
}

func addTool(s *mcp.Server, name string, run mcp.ToolHandler) {
	s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, run)
}

// key is the key of question n of a round.
func key(n int) string { return fmt.Sprintf("q%d", n) }

// ask is the result that asks the questions.
func ask(questions ...*mcp.ElicitParams) *mcp.CallToolResult {
	requests := mcp.InputRequestMap{}
	for n, q := range questions {
		requests[key(n)] = q
	}
	return &mcp.CallToolResult{InputRequests: requests}
}

func form(message string, schema json.RawMessage) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema}
}

// field asks for one text.
func field(message, name string) *mcp.ElicitParams {
	return form(message, json.RawMessage(fmt.Sprintf(
		`{"type":"object","properties":{%q:{"type":"string"}},"required":[%q]}`, name, name)))
}

func page(message, url, id string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "url", Message: message, URL: url, ElicitationID: id}
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func saidJSON(v any) (*mcp.CallToolResult, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return said(string(raw)), nil
}
