package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/assets/i18n"
)

// tool is one tool before it is put into the server's language.
type tool struct {
	name   string
	title  i18n.Message
	about  i18n.Message
	hints  mcp.ToolAnnotations
	fields func(say *i18n.Localizer) form
	run    func(req *mcp.CallToolRequest) script
}

// languages are the choices of every tool's language argument.
func (s *Server) languageField(say *i18n.Localizer) field {
	return field{
		name: "language", kind: titledChoice, title: say.T("demo.language"),
		options:  []option{{"en", "English"}, {"zh-Hans", "简体中文"}},
		fallback: s.say.Tag(),
	}
}

// addTool offers t. Arguments that are not right end as a result with isError,
// so that whoever chose them can choose again.
func (s *Server) addTool(t tool) {
	fields := func(say *i18n.Localizer) form { return append(t.fields(say), s.languageField(say)) }
	hints := t.hints
	s.mcp.AddTool(&mcp.Tool{
		Name:        t.name,
		Title:       s.say.Text(t.title),
		Description: s.say.Text(t.about),
		InputSchema: fields(s.say).schema(),
		Annotations: &hints,
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		sent, canonical, err := readObject(req.Params.Arguments)
		if err != nil {
			return textResult(reply{text: s.say.T("demo.wrong.arguments"), failed: true}), nil
		}
		say := s.say
		if tag, ok := sent["language"].(string); ok {
			say = i18n.New(tag)
		}
		f := fields(say)
		args, wrong := f.check(f.completed(sent))
		if len(wrong) > 0 {
			lines := []string{say.T("demo.check")}
			for _, w := range wrong {
				lines = append(lines, "• "+say.Text(w))
			}
			return textResult(reply{text: strings.Join(lines, "\n"), failed: true}), nil
		}
		out, err := s.play(ctx, incoming{
			session:   req.Session,
			modern:    req.ProtocolVersion() >= firstModern,
			caps:      req.ClientCapabilities(),
			binding:   binding{method: "tools/call", name: t.name, args: canonical},
			responses: req.Params.InputResponses,
			state:     req.Params.RequestState,
			say:       say,
			args:      args,
		}, t.run(req))
		if err != nil {
			return nil, err
		}
		if out.reply == nil {
			return &mcp.CallToolResult{InputRequests: out.ask, RequestState: out.state}, nil
		}
		return textResult(*out.reply), nil
	})
}

// always makes the run of a tool that does not need the request itself.
func always(run script) func(*mcp.CallToolRequest) script {
	return func(*mcp.CallToolRequest) script { return run }
}

func textResult(r reply) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: r.text}},
		StructuredContent: r.data,
		IsError:           r.failed,
	}
}

// readObject reads a tool's arguments, absent meaning none, and their canonical
// form: keys sorted, numbers as they were written.
func readObject(raw json.RawMessage) (object map[string]any, canonical string, err error) {
	object = map[string]any{}
	if len(raw) == 0 {
		return object, "{}", nil
	}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, "", fmt.Errorf("reading arguments: %w", err)
	}
	exact := map[string]any{}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&exact); err != nil {
		return nil, "", fmt.Errorf("reading arguments: %w", err)
	}
	return object, string(mustJSON(exact)), nil
}
