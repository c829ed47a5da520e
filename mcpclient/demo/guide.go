package demo

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// guideURI is the one resource: a text about the demo itself.
const guideURI = "demo://guide"

func (s *Server) addGuide() {
	s.mcp.AddResource(&mcp.Resource{
		URI: guideURI, Name: "guide", MIMEType: "text/plain",
		Title: s.say.T("demo.guide.title"), Description: s.say.T("demo.guide.about"),
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
			URI: guideURI, MIMEType: "text/plain", Text: s.say.T("demo.guide.text"),
		}}}, nil
	})
}
