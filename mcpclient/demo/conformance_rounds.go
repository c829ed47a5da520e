//lint:file-ignore SA1019 the suite still tests sampling, roots and logging

package demo

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The suite's tools that return InputRequiredResults. Some of them ask for
// sampling and roots, which the demo's own scripts never do, so they are
// written against the SDK; their states go through the same seal.

// asking is a fixed tool: what it asks for in one go, and its end.
type asking struct {
	name     string
	requests mcp.InputRequestMap
	// state says whether a sealed state goes along and must come back.
	state bool
	// end makes the text of the result once every response is there.
	end func(mcp.InputResponseMap) string
}

func formRequest(message, field, typ string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: json.RawMessage(fmt.Sprintf(
		`{"type":"object","properties":{%q:{"type":%q}},"required":[%q]}`, field, typ, field))}
}

// given is the named value of an accepted form, nil if there is none.
func given(responses mcp.InputResponseMap, key, field string) any {
	a, ok := responses[key].(*mcp.ElicitResult)
	if !ok || a.Action != accept {
		return nil
	}
	return a.Content[field]
}

// complete reports whether every request has a response of its own kind. A form
// counts if its one field has a value of the right type.
func complete(requests mcp.InputRequestMap, responses mcp.InputResponseMap) bool {
	for key, r := range requests {
		ok := false
		switch r := r.(type) {
		case *mcp.ElicitParams:
			ok = formComplete(r, responses, key)
		case *mcp.ListRootsParams:
			_, ok = responses[key].(*mcp.ListRootsResult)
		default:
			_, ok = responses[key].(*mcp.CreateMessageWithToolsResult)
		}
		if !ok {
			return false
		}
	}
	return true
}

func formComplete(r *mcp.ElicitParams, responses mcp.InputResponseMap, key string) bool {
	var schema struct {
		Properties map[string]struct{ Type string } `json:"properties"`
	}
	raw, _ := r.RequestedSchema.(json.RawMessage)
	if json.Unmarshal(raw, &schema) != nil {
		return false
	}
	for name, p := range schema.Properties {
		switch v := given(responses, key, name).(type) {
		case string:
			if p.Type != "string" || v == "" {
				return false
			}
		case bool:
			if p.Type != "boolean" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (s *Server) addFixedRounds() {
	name := formRequest("What is your name?", "name", "string")
	confirm := mcp.InputRequestMap{"confirm": formRequest("Please confirm", "ok", "boolean")}
	for _, a := range []asking{
		{name: "test_input_required_result_elicitation", requests: mcp.InputRequestMap{"user_name": name},
			end: func(r mcp.InputResponseMap) string { return fmt.Sprintf("Hello, %v!", given(r, "user_name", "name")) }},
		{name: "test_input_required_result_sampling",
			requests: mcp.InputRequestMap{"capital_question": sampling("What is the capital of France?")},
			end:      func(r mcp.InputResponseMap) string { return "Sampling response: " + sampled(r["capital_question"]) }},
		{name: "test_input_required_result_list_roots",
			requests: mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}},
			end: func(r mcp.InputResponseMap) string {
				return fmt.Sprintf("The client has %d roots", len(r["client_roots"].(*mcp.ListRootsResult).Roots))
			}},
		{name: "test_input_required_result_request_state", requests: confirm, state: true,
			end: func(mcp.InputResponseMap) string { return "state-ok" }},
		{name: "test_input_required_result_tampered_state", requests: confirm, state: true,
			end: func(mcp.InputResponseMap) string { return "state-ok" }},
		{name: "test_input_required_result_multiple_inputs", state: true,
			requests: mcp.InputRequestMap{"user_name": name, "greeting": sampling("Generate a greeting"),
				"client_roots": &mcp.ListRootsParams{}},
			end: func(r mcp.InputResponseMap) string {
				return fmt.Sprintf("%s %v", sampled(r["greeting"]), given(r, "user_name", "name"))
			}},
	} {
		s.fixture(a.name, anyObject, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.askAll(req, a)
		})
	}
	s.addFixedMultiRound()
	s.addFixedCapabilities(name)
	s.addFixedPromptRound()
}

// askAll asks for everything until everything is there.
func (s *Server) askAll(req *mcp.CallToolRequest, a asking) (*mcp.CallToolResult, error) {
	b := binding{method: "tools/call", name: a.name}
	stated := !a.state
	if req.Params.RequestState != "" {
		if _, err := s.seal.open(req.Params.RequestState, b); err != nil {
			return nil, invalid(err.Error())
		}
		stated = true
	}
	if stated && complete(a.requests, req.Params.InputResponses) {
		return textResult(reply{text: a.end(req.Params.InputResponses)}), nil
	}
	res := &mcp.CallToolResult{InputRequests: a.requests}
	if a.state {
		state, err := s.seal.close(memory{}, b)
		if err != nil {
			return nil, err
		}
		res.RequestState = state
	}
	return res, nil
}

// sampled is the first text that the client's model wrote.
func sampled(r mcp.InputResponse) string {
	res, ok := r.(*mcp.CreateMessageWithToolsResult)
	if !ok {
		return ""
	}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text
		}
	}
	return ""
}

// addFixedMultiRound is the tool with two rounds, whose state grows.
func (s *Server) addFixedMultiRound() {
	const name = "test_input_required_result_multi_round"
	b := binding{method: "tools/call", name: name}
	first := mcp.InputRequestMap{"step1": formRequest("Step 1: What is your name?", "name", "string")}
	second := mcp.InputRequestMap{"step2": formRequest("Step 2: What is your favorite color?", "color", "string")}
	s.fixture(name, anyObject, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var m memory
		if req.Params.RequestState != "" {
			var err error
			if m, err = s.seal.open(req.Params.RequestState, b); err != nil {
				return nil, invalid(err.Error())
			}
		}
		r := req.Params.InputResponses
		ask := first
		switch {
		case m.Round == 1 && complete(first, r):
			m = memory{Round: 2, Details: map[string]any{"name": given(r, "step1", "name")}}
			ask = second
		case m.Round == 2 && complete(second, r):
			return textResult(reply{text: fmt.Sprintf("%v likes %v", m.Details["name"], given(r, "step2", "color"))}), nil
		case m.Round == 2:
			ask = second
		default:
			m.Round = 1
		}
		state, err := s.seal.close(m, b)
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{InputRequests: ask, RequestState: state}, nil
	})
}

// addFixedCapabilities is the tool that asks only for what the client declared.
func (s *Server) addFixedCapabilities(name *mcp.ElicitParams) {
	s.fixture("test_input_required_result_capabilities", anyObject, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ask := mcp.InputRequestMap{}
		caps := req.ClientCapabilities()
		if declared(caps, question{}) {
			ask["user_name"] = name
		}
		if caps != nil && caps.Sampling != nil {
			ask["greeting"] = sampling("Generate a greeting")
		}
		if caps != nil && caps.RootsV2 != nil {
			ask["client_roots"] = &mcp.ListRootsParams{}
		}
		if len(ask) == 0 || complete(ask, req.Params.InputResponses) {
			return textResult(reply{text: "nothing more to ask of this client"}), nil
		}
		return &mcp.CallToolResult{InputRequests: ask}, nil
	})
}

// addFixedPromptRound is the prompt that asks.
func (s *Server) addFixedPromptRound() {
	ask := mcp.InputRequestMap{"user_context": formRequest("Please provide context for the prompt", "context", "string")}
	s.mcp.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Conformance fixture"},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if !complete(ask, req.Params.InputResponses) {
				return &mcp.GetPromptResult{InputRequests: ask}, nil
			}
			text := fmt.Sprintf("Context: %v", given(req.Params.InputResponses, "user_context", "context"))
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
		})
}
