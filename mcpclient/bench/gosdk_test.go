package bench

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// gosdk is the client of the official Go SDK.
type gosdk struct {
	session *mcp.ClientSession
	http    *http.Transport // nil over stdio
}

func connectSDK(ctx context.Context, s setting, p place) (subject, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "Parley", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{
				"name": "Ada Lovelace", "email": "ada@example.com", "seats": 2, "meal": "vegetarian",
			}}, nil
		},
	})
	c := &gosdk{}
	var transport mcp.Transport
	if p.url != "" {
		c.http = http.DefaultTransport.(*http.Transport).Clone()
		transport = &mcp.StreamableClientTransport{Endpoint: p.url, HTTPClient: &http.Client{Transport: c.http}}
	} else {
		command := exec.Command(p.command)
		command.Env = append(os.Environ(), p.env)
		transport = &mcp.CommandTransport{Command: command}
	}
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: s.protocol()})
	if err != nil {
		return nil, err
	}
	c.session = session
	return c, nil
}

func (c *gosdk) tool(name, want string) error {
	result, err := c.session.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return err
	}
	if len(result.Content) != 1 || result.IsError {
		return fmt.Errorf("the tool brought %v", result.Content)
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		return fmt.Errorf("the tool brought %T", result.Content[0])
	}
	return wantText(text.Text, want)
}

func (c *gosdk) call() error { return c.tool(toolPlain, plainText) }

func (c *gosdk) round() error { return c.tool(toolRound, bookedText) }

func (c *gosdk) list() error {
	n := 0
	for _, err := range c.session.Tools(context.Background(), nil) {
		if err != nil {
			return err
		}
		n++
	}
	if n != listed {
		return fmt.Errorf("%d tools, want %d", n, listed)
	}
	return nil
}

func (c *gosdk) close() error {
	err := c.session.Close()
	if c.http != nil {
		c.http.CloseIdleConnections()
	}
	return err
}
