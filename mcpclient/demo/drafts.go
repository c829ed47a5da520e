package demo

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/assets/i18n"
)

// draft is one of the pretended files of delete_files.
type draft struct {
	name string
	days int // its age
}

// drafts never change: the demo deletes nothing, and says so.
var drafts = []draft{
	{"letter-to-the-bank.odt", 410},
	{"birthday-song.txt", 95},
	{"旅行计划.md", 62},
	{"shopping.txt", 3},
}

// addDrafts offers delete_files: a question that is a message only. There is
// nothing to fill in, but accepting it still has to be the person's own act.
func (s *Server) addDrafts() {
	s.addTool(tool{
		name: "delete_files", title: i18n.M("demo.drafts.title"), about: i18n.M("demo.drafts.about"),
		hints: mcp.ToolAnnotations{OpenWorldHint: new(false), DestructiveHint: new(true)},
		fields: func(say *i18n.Localizer) form {
			return form{{name: "older_than", kind: integer, min: new(1), max: new(3650), fallback: 30.0,
				title: say.T("demo.drafts.older_than"), description: say.T("demo.drafts.older_than_about")}}
		},
		run: always(deleteDrafts),
	})
}

func deleteDrafts(_ context.Context, c *call) (step, error) {
	days, _ := c.args["older_than"].(float64)
	var names []string
	for _, d := range drafts {
		if float64(d.days) > days {
			names = append(names, d.name)
		}
	}
	if len(names) == 0 {
		return done(c.say.T("demo.drafts.nothing")), nil
	}
	list := "• " + strings.Join(names, "\n• ")
	q := question{
		key:     "confirm",
		message: c.say.Text(i18n.N("demo.drafts.message", len(names))) + "\n" + list,
	}
	if c.memory.Round == 0 {
		return step{ask: []question{q}, memory: memory{Round: 1}}, nil
	}
	switch c.judge(q).action {
	case accept:
		return step{reply: &reply{
			text: c.say.Text(i18n.N("demo.drafts.deleted", len(names))) + "\n" + list,
			data: map[string]any{"deleted": names},
		}}, nil
	case decline:
		return done(c.say.T("demo.drafts.declined")), nil
	case dismiss:
		return done(c.say.T("demo.drafts.cancelled")), nil
	}
	return step{ask: []question{q}, memory: c.memory}, nil
}
