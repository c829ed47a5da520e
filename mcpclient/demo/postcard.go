package demo

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/assets/i18n"
)

// addPostcard offers the prompt write_postcard, which puts two questions in
// one round: who it is for and what to tell.
func (s *Server) addPostcard() {
	s.mcp.AddPrompt(&mcp.Prompt{
		Name:        "write_postcard",
		Title:       s.say.T("demo.postcard.title"),
		Description: s.say.T("demo.postcard.about"),
		Arguments: []*mcp.PromptArgument{{
			Name: "place", Required: true,
			Title: s.say.T("demo.postcard.place"), Description: s.say.T("demo.postcard.place_about"),
		}},
	}, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		args := map[string]any{}
		for k, v := range req.Params.Arguments {
			args[k] = v
		}
		if args["place"] == nil || args["place"] == "" {
			return nil, invalid(s.say.Text(i18n.M("demo.wrong.missing", "Field", s.say.T("demo.postcard.place"))))
		}
		out, err := s.play(ctx, incoming{
			session:   req.Session,
			modern:    req.ProtocolVersion() >= firstModern,
			caps:      req.ClientCapabilities(),
			binding:   binding{method: "prompts/get", name: req.Params.Name, args: string(mustJSON(args))},
			responses: req.Params.InputResponses,
			state:     req.Params.RequestState,
			say:       s.say,
			args:      args,
		}, writePostcard)
		if err != nil {
			return nil, err
		}
		switch {
		case out.reply == nil:
			return &mcp.GetPromptResult{InputRequests: out.ask, RequestState: out.state}, nil
		case out.reply.failed:
			// A prompt has no isError of its own.
			return nil, errors.New(out.reply.text)
		}
		return &mcp.GetPromptResult{
			Description: s.say.T("demo.postcard.title"),
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: out.reply.text}}},
		}, nil
	})
}

func writePostcard(_ context.Context, c *call) (step, error) {
	say := c.say
	who := question{key: "1-who", message: say.T("demo.postcard.who_message"), form: form{
		{name: "to", kind: text, required: true, min: new(1), max: new(40), title: say.T("demo.postcard.to")},
		{name: "tone", kind: titledChoice, title: say.T("demo.postcard.tone"), fallback: "warm", options: []option{
			{"warm", say.T("demo.postcard.tone_warm")}, {"funny", say.T("demo.postcard.tone_funny")}}},
	}}
	what := question{key: "2-what", message: say.T("demo.postcard.what_message"), form: form{
		{name: "story", kind: text, max: new(500), title: say.T("demo.postcard.story")},
	}}
	if c.memory.Round == 0 {
		return step{ask: []question{who, what}, memory: memory{Round: 1}}, nil
	}
	values := map[string]any{}
	if len(c.memory.Details) > 0 {
		values = c.memory.Details
	}
	var open []question
	m := c.memory
	for _, q := range []question{who, what} {
		if _, answered := values[q.key]; answered {
			continue
		}
		v := c.judge(q)
		switch {
		case v.action == "":
			open = append(open, q)
		case v.action == decline:
			// Each question can be left out; the postcard is plainer then.
			values[q.key] = map[string]any{}
		case v.action == dismiss:
			return failed(say.T("demo.postcard.cancelled")), nil
		case len(v.wrong) > 0:
			st := c.again(q, v)
			if st.reply != nil {
				return st, nil
			}
			open = append(open, st.ask...)
			m.Tries = st.memory.Tries
		default:
			values[q.key] = v.good
		}
	}
	if len(open) > 0 {
		m.Details = values
		return step{ask: open, memory: m}, nil
	}
	return done(postcard(c, values)), nil
}

// postcard is the prompt's text from the answers, by the questions' keys.
func postcard(c *call, values map[string]any) string {
	who, _ := values["1-who"].(map[string]any)
	what, _ := values["2-what"].(map[string]any)
	out := c.say.T("demo.postcard.prompt", "Place", c.args["place"])
	if to, ok := who["to"]; ok {
		out += " " + c.say.T("demo.postcard.prompt_to", "To", to)
	}
	if who["tone"] == "funny" {
		out += " " + c.say.T("demo.postcard.prompt_funny")
	}
	if story, ok := what["story"]; ok && story != "" {
		out += " " + c.say.T("demo.postcard.prompt_story", "Story", story)
	}
	return out
}
