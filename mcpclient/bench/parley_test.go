package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"parley/forms"
	"parley/mcpclient"
)

// parley is Parley's client, driven as the command line drives it.
type parley struct {
	client *mcpclient.Client
	conn   *mcpclient.Connection
	ended  chan mcpclient.Call // calls that have ended
	failed chan error          // an answer that was not taken
}

// acts is what the person enters into the question.
var acts = json.RawMessage(`{"name":"Ada Lovelace","email":"ada@example.com","meal":"vegetarian"}`)

func connectParley(ctx context.Context, s setting, p place) (subject, error) {
	return newParley(ctx, s, p)
}

func newParley(ctx context.Context, s setting, p place) (*parley, error) {
	client, err := mcpclient.New(mcpclient.Options{Version: "1"})
	if err != nil {
		return nil, err
	}
	server := mcpclient.Server{ID: "bench", Name: "Bench", Protocol: s.protocol()}
	if p.url != "" {
		server.Kind, server.URL = mcpclient.HTTP, p.url
	} else {
		name, value, _ := strings.Cut(p.env, "=")
		server.Kind, server.Command, server.Env = mcpclient.Stdio, p.command, map[string]string{name: value}
	}
	c := &parley{client: client, ended: make(chan mcpclient.Call, parallel), failed: make(chan error, parallel)}
	client.Watch(c.watch)
	if c.conn, err = client.Connect(ctx, server); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// watch answers questions and hands on the calls that have ended.
func (c *parley) watch(e mcpclient.Event) {
	switch {
	case e.Call != nil && e.Call.State.Ended():
		c.ended <- *e.Call
	case e.Elicitation != nil && e.Elicitation.State == mcpclient.ElicitationOpen:
		if err := c.answer(*e.Elicitation); err != nil {
			c.failed <- err
		}
	}
}

// answer fills in the form of a question and sends it.
func (c *parley) answer(e mcpclient.Elicitation) error {
	draft := forms.Parse(e.Schema, forms.Options{}).NewDraft()
	if errs := draft.Apply(acts); len(errs) > 0 {
		return fmt.Errorf("the form takes no %s", errs[0].Name)
	}
	content, errs := draft.Content(forms.Submit{})
	if len(errs) > 0 {
		return fmt.Errorf("the form is not right: %s", errs[0].Name)
	}
	return c.client.Answer(e.ID, mcpclient.Answer{Action: mcpclient.Accept, Content: content})
}

func (c *parley) start(tool string) string {
	return c.conn.Start(mcpclient.CallRequest{
		Kind: mcpclient.CallTool, Name: tool, Arguments: arguments, By: mcpclient.ByCommandLine, Polling: true,
	})
}

// end waits for the next call that ends, compares what it brought, and forgets
// it.
func (c *parley) end(want string) error {
	var call mcpclient.Call
	select {
	case call = <-c.ended:
	case err := <-c.failed:
		return err
	}
	c.client.Forget(call.ID)
	if call.Failure != nil {
		return call.Failure
	}
	blocks := mcpclient.ViewResult(call.Kind, call.Result).Blocks
	if len(blocks) != 1 || call.IsError {
		return fmt.Errorf("the tool brought %s", call.Result)
	}
	return wantText(blocks[0].Text, want)
}

func (c *parley) call() error {
	c.start(toolPlain)
	return c.end(plainText)
}

func (c *parley) round() error {
	c.start(toolRound)
	return c.end(bookedText)
}

func (c *parley) list() error {
	lists, err := c.conn.List(context.Background())
	if err != nil {
		return err
	}
	if got, problems := mcpclient.ParseTools(lists.Tools); len(got) != listed || len(problems) > 0 {
		return fmt.Errorf("%d tools and %d problems, want %d and none", len(got), len(problems), listed)
	}
	return nil
}

func (c *parley) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.client.Close(ctx)
}
