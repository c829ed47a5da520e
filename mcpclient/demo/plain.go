package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/assets/i18n"
)

// addHello offers say_hello, a tool that asks nothing.
func (s *Server) addHello() {
	s.addTool(tool{
		name: "say_hello", title: i18n.M("demo.hello.title"), about: i18n.M("demo.hello.about"),
		hints: mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)},
		fields: func(say *i18n.Localizer) form {
			return form{{name: "name", kind: text, required: true, min: new(1), max: new(40),
				title: say.T("demo.hello.name")}}
		},
		run: always(func(_ context.Context, c *call) (step, error) {
			return done(c.say.T("demo.hello.reply", "Name", c.args["name"])), nil
		}),
	})
}

// addCount offers slow_count, a tool that takes its time: it reports progress
// if it is asked to, and stops when it is cancelled.
func (s *Server) addCount() {
	s.addTool(tool{
		name: "slow_count", title: i18n.M("demo.count.title"), about: i18n.M("demo.count.about"),
		hints: mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)},
		fields: func(say *i18n.Localizer) form {
			return form{{name: "up_to", kind: integer, min: new(1), max: new(100), fallback: 10.0,
				title: say.T("demo.count.up_to")}}
		},
		run: func(req *mcp.CallToolRequest) script {
			return func(ctx context.Context, c *call) (step, error) {
				return s.count(ctx, c, req)
			}
		},
	})
}

func (s *Server) count(ctx context.Context, c *call, req *mcp.CallToolRequest) (step, error) {
	upTo, _ := c.args["up_to"].(float64)
	token := req.Params.GetProgressToken()
	tick := time.NewTicker(s.tick)
	defer tick.Stop()
	for n := 1.0; n <= upTo; n++ {
		if token != nil {
			err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: n, Total: upTo,
				Message: c.say.T("demo.count.progress", "N", fmt.Sprint(n), "Total", fmt.Sprint(upTo)),
			})
			if err != nil {
				return step{}, fmt.Errorf("reporting progress: %w", err)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return step{}, ctx.Err()
		}
	}
	return done(c.say.T("demo.count.reply", "Total", fmt.Sprint(upTo))), nil
}
