package demo

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/assets/i18n"
)

// addAccount offers link_account: a question in URL mode, answered on a page
// that this server serves itself.
func (s *Server) addAccount() {
	s.addTool(tool{
		name: "link_account", title: i18n.M("demo.account.title"), about: i18n.M("demo.account.about"),
		hints: mcp.ToolAnnotations{OpenWorldHint: new(false), DestructiveHint: new(false)},
		fields: func(say *i18n.Localizer) form {
			return form{{name: "service", kind: text, min: new(1), max: new(40),
				title: say.T("demo.account.service"), description: say.T("demo.account.service_about"),
				fallback: say.T("demo.account.service_default")}}
		},
		run: always(s.linkAccount),
	})
}

// linkAccount asks with the same URL until the page is done. Accept says only
// that the person agreed to open it; the page says whether they went through.
func (s *Server) linkAccount(_ context.Context, c *call) (step, error) {
	service, _ := c.args["service"].(string)
	ask := func(l *link) step {
		return step{
			ask: []question{{key: "connect", link: l,
				message: c.say.T("demo.account.message", "Service", service)}},
			memory: memory{Round: 1, Link: l.id},
		}
	}
	if c.memory.Round == 0 {
		return ask(s.links.add(service, c.say.Tag())), nil
	}
	if a := c.answers["connect"]; a != nil && a.Action == decline {
		return done(c.say.T("demo.account.declined", "Service", service)), nil
	} else if a != nil && a.Action == dismiss {
		return done(c.say.T("demo.account.cancelled", "Service", service)), nil
	}
	l := s.links.get(c.memory.Link)
	if l == nil {
		return failed(c.say.T("demo.account.lapsed")), nil
	}
	switch s.links.stateOf(l) {
	case linked:
		return step{reply: &reply{
			text: c.say.T("demo.account.linked", "Service", service),
			data: map[string]any{"service": service, "linked": true},
		}}, nil
	case refused:
		return done(c.say.T("demo.account.refused", "Service", service)), nil
	case lapsed:
		return failed(c.say.T("demo.account.lapsed")), nil
	}
	return ask(l), nil
}
