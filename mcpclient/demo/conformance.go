//lint:file-ignore SA1019 the suite still tests sampling, roots and logging

package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The official suite (@modelcontextprotocol/conformance) tests a server through
// tools, prompts and resources whose names and answers it fixes. This file and
// conformance_rounds.go are those, in place of the demo's own offers, on the
// same transports, guard and seal. Their texts are the suite's and are read by
// programs only.

// silence is a WAV file without samples.
const silence = "RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00"

// dot is a PNG of one pixel.
func dot() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err) // a buffer takes every write, and the picture has pixels
	}
	return b.Bytes()
}

// anyObject is the schema of arguments that are not looked at.
var anyObject = json.RawMessage(`{"type":"object"}`)

// conformanceOptions are what the suite expects a server to declare.
func conformanceOptions() *mcp.ServerOptions {
	return &mcp.ServerOptions{
		SupportedProtocolVersions: revisions,
		SubscribeHandler:          func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler:        func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		},
	}
}

// addConformance offers everything the suite asks for.
func (s *Server) addConformance() {
	s.addFixedContents()
	s.addFixedBehaviours()
	s.addFixedQuestions()
	s.addFixedRounds()
	s.addFixedResources()
	s.addFixedPrompts()
}

// fixture offers one tool of the suite.
func (s *Server) fixture(name string, schema json.RawMessage, h mcp.ToolHandler) {
	s.mcp.AddTool(&mcp.Tool{Name: name, Description: "Conformance fixture " + name, InputSchema: schema}, h)
}

// addFixedContents are the tools that return each kind of content.
func (s *Server) addFixedContents() {
	text := &mcp.TextContent{Text: "This is a simple text response for testing."}
	picture := &mcp.ImageContent{Data: dot(), MIMEType: "image/png"}
	resource := func(uri string) mcp.Content {
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: uri, MIMEType: "text/plain", Text: "This is an embedded resource content."}}
	}
	for name, contents := range map[string][]mcp.Content{
		"test_simple_text":            {text},
		"test_image_content":          {picture},
		"test_audio_content":          {&mcp.AudioContent{Data: []byte(silence), MIMEType: "audio/wav"}},
		"test_embedded_resource":      {resource("test://embedded-resource")},
		"test_multiple_content_types": {text, picture, resource("test://mixed-content-resource")},
		"test_streaming_elicitation":  {text},
	} {
		s.fixture(name, anyObject, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: contents}, nil
		})
	}
	s.fixture("test_error_handling", anyObject, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return textResult(reply{text: "This tool intentionally returns an error for testing", failed: true}), nil
	})
}

// addFixedBehaviours are the tools that notify, need a capability or change a list.
func (s *Server) addFixedBehaviours() {
	logging := func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, line := range []string{"started", "processing data", "completed"} {
			if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "Tool execution " + line}); err != nil {
				return nil, fmt.Errorf("logging: %w", err)
			}
		}
		return textResult(reply{text: "logged"}), nil
	}
	s.fixture("test_tool_with_logging", anyObject, logging)
	s.fixture("test_logging_tool", anyObject, logging)
	s.fixture("test_tool_with_progress", anyObject, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		token := req.Params.GetProgressToken()
		for _, n := range []float64{0, 50, 100} {
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n, Total: 100}); err != nil {
				return nil, fmt.Errorf("reporting progress: %w", err)
			}
		}
		return textResult(reply{text: fmt.Sprint(token)}), nil
	})
	s.fixture("test_missing_capability", anyObject, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if caps := req.ClientCapabilities(); caps != nil && caps.Sampling != nil {
			return textResult(reply{text: "sampling is declared"}), nil
		}
		return nil, &jsonrpc.Error{
			Code:    mcp.CodeMissingRequiredClientCapabilities,
			Message: "this tool needs the sampling capability",
			Data:    json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
		}
	})
	// Adding a tool or prompt announces a changed list even if it replaces one.
	s.fixture("test_trigger_tool_change", anyObject, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.fixture("test_changed_tool", anyObject, logging)
		return textResult(reply{text: "the tools have changed"}), nil
	})
	s.fixture("test_trigger_prompt_change", anyObject, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.fixedPrompt("test_changed_prompt", nil, func(map[string]string) []mcp.Content { return nil })
		return textResult(reply{text: "the prompts have changed"}), nil
	})
}

// addFixedQuestions are the tools that push a request to a legacy client.
func (s *Server) addFixedQuestions() {
	push := func(name, argument, message, schema string) {
		s.fixture(name, anyObject, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text := message
			if args, _, err := readObject(req.Params.Arguments); err == nil && argument != "" {
				text, _ = args[argument].(string)
			}
			a, err := req.Session.Elicit(context.WithValue(ctx, schemaKey{}, json.RawMessage(schema)),
				&mcp.ElicitParams{Mode: "form", Message: text})
			if err != nil {
				return textResult(reply{text: err.Error(), failed: true}), nil
			}
			return textResult(reply{text: fmt.Sprintf("Elicitation completed: action=%s, content=%s", a.Action, mustJSON(a.Content))}), nil
		})
	}
	push("test_elicitation", "message", "", `{"type":"object","properties":{"username":{"type":"string"},"email":{"type":"string","format":"email"}},"required":["username"]}`)
	push("test_elicitation_sep1034_defaults", "", "Every primitive kind with a default", `{"type":"object","properties":{`+
		`"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},`+
		`"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}}}`)
	const titled = `[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]`
	push("test_elicitation_sep1330_enums", "", "Every form of a choice", `{"type":"object","properties":{`+
		`"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},`+
		`"titledSingle":{"type":"string","oneOf":`+titled+`},`+
		`"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},`+
		`"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},`+
		`"titledMulti":{"type":"array","items":{"anyOf":`+titled+`}}}}`)
	s.fixture("test_sampling", anyObject, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args, _, err := readObject(req.Params.Arguments)
		if err != nil {
			return nil, invalid(err.Error())
		}
		prompt, _ := args["prompt"].(string)
		res, err := req.Session.CreateMessage(ctx, sampling(prompt))
		if err != nil {
			return textResult(reply{text: err.Error(), failed: true}), nil
		}
		text, _ := res.Content.(*mcp.TextContent)
		if text == nil {
			return textResult(reply{text: "the model sent no text", failed: true}), nil
		}
		return textResult(reply{text: "LLM response: " + text.Text}), nil
	})
}

// sampling asks the client's model for a text.
func sampling(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{
		MaxTokens: 100,
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}},
	}
}

// addFixedResources are the suite's resources and its template.
func (s *Server) addFixedResources() {
	add := func(uri, mime string, c mcp.ResourceContents) {
		s.mcp.AddResource(&mcp.Resource{URI: uri, Name: uri, MIMEType: mime}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			one := c
			one.URI, one.MIMEType = uri, mime
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&one}}, nil
		})
	}
	add("test://static-text", "text/plain", mcp.ResourceContents{Text: "This is the content of the static text resource."})
	add("test://static-binary", "image/png", mcp.ResourceContents{Blob: dot()})
	add("test://watched-resource", "text/plain", mcp.ResourceContents{Text: "Watched resource content"})
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "template", MIMEType: "application/json", URITemplate: "test://template/{id}/data",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		uri := req.Params.URI
		id := strings.TrimSuffix(strings.TrimPrefix(uri, "test://template/"), "/data")
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "application/json",
			Text: string(mustJSON(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id}))}}}, nil
	})
}

// fixedPrompt offers one prompt of the suite, a message for each content.
func (s *Server) fixedPrompt(name string, arguments []string, contents func(args map[string]string) []mcp.Content) {
	p := &mcp.Prompt{Name: name, Description: "Conformance fixture " + name}
	for _, a := range arguments {
		p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: a, Required: true, Description: "An argument"})
	}
	s.mcp.AddPrompt(p, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		res := &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}
		for _, c := range contents(req.Params.Arguments) {
			res.Messages = append(res.Messages, &mcp.PromptMessage{Role: "user", Content: c})
		}
		return res, nil
	})
}

func (s *Server) addFixedPrompts() {
	text := func(t string) mcp.Content { return &mcp.TextContent{Text: t} }
	s.fixedPrompt("test_simple_prompt", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{text("This is a simple prompt for testing.")}
	})
	s.fixedPrompt("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(a map[string]string) []mcp.Content {
		return []mcp.Content{text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"]))}
	})
	s.fixedPrompt("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(a map[string]string) []mcp.Content {
		return []mcp.Content{&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: a["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing."}},
			text("Please process the embedded resource above.")}
	})
	s.fixedPrompt("test_prompt_with_image", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{&mcp.ImageContent{Data: dot(), MIMEType: "image/png"}, text("Please analyze the image above.")}
	})
}
