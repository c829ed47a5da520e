package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"parley/assets/i18n"
	"parley/forms"
	"parley/forms/rawjson"
	"parley/mcpclient"
)

const (
	// silence is how long a server may be silent; every mock server is quick.
	silence = 15 * time.Second
	// closing bounds the ordered end of the connection.
	closing = 2 * time.Second
)

// english puts into words what the client and the forms have to say.
var english = i18n.New("en")

// The scenario "json-schema-2020-12-preservation" looks at what a client has
// kept of the schema of one tool: it wants it back as the argument of another.
const (
	schemaTool = "json_schema_2020_12_tool"
	echoTool   = "json_schema_echo"
)

// knowledge is what the suite tells the client of a scenario.
type knowledge struct {
	// Name is that of the scenario, as far as it has something to tell.
	Name string `json:"name"`
	// ToolCalls are calls to make as they stand, instead of calls of the same
	// tools with made-up arguments.
	ToolCalls []toolCall `json:"toolCalls"`
	// ClientID and ClientSecret are the name and the password under which the
	// authorization server knows the client already.
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	// Issuer is that authorization server; "" where the suite does not say.
	Issuer string `json:"issuer"`
}

type toolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// readKnowledge reads MCP_CONFORMANCE_CONTEXT; "" is none. Its error names no
// value, for there are client secrets among them.
func readKnowledge(context string) (knowledge, error) {
	var k knowledge
	if context == "" {
		return k, nil
	}
	if err := json.Unmarshal([]byte(context), &k); err != nil {
		return k, fmt.Errorf("MCP_CONFORMANCE_CONTEXT is not what it should be (%T)", err)
	}
	return k, nil
}

// driver is one run against one server.
type driver struct {
	client *mcpclient.Client
	conn   *mcpclient.Connection
	ended  chan mcpclient.Call // the call that came to an end; one runs at a time
	log    *log.Logger
}

// run connects to the server at url and uses all it offers, until ctx ends. The
// error says why it could not be connected to or listed.
func run(ctx context.Context, url string, known knowledge, log *log.Logger) error {
	accounts := signingIn(log)
	defer accounts.Close()
	client, err := mcpclient.New(mcpclient.Options{Name: "parley-conform", Authorizer: accounts.Authorizer})
	if err != nil {
		return err
	}
	d := &driver{client: client, ended: make(chan mcpclient.Call), log: log}
	stop := client.Watch(func(e mcpclient.Event) { d.event(ctx, e) })
	defer stop()
	defer d.close()
	server := mcpclient.Server{ID: "server", Kind: mcpclient.HTTP, URL: url, Silence: silence, SignIn: known.signIn()}
	if known.ClientSecret != "" {
		if err := accounts.KeepClientSecret(ctx, server, known.ClientSecret); err != nil {
			return fmt.Errorf("keeping the client secret: %w", err)
		}
	}
	d.conn, err = client.Connect(ctx, server)
	if issuer := unknownIssuer(err); issuer != "" {
		server.SignIn.Issuer = issuer
		d.conn, err = client.Connect(ctx, server)
	}
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	lists, err := d.conn.List(ctx)
	if err != nil {
		return fmt.Errorf("listing: %w", err)
	}
	for _, r := range d.requests(lists, known) {
		if ctx.Err() != nil {
			break
		}
		d.call(ctx, r)
	}
	return nil
}

// close ends the connection in order.
func (d *driver) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	if err := d.client.Close(ctx); err != nil {
		d.log.Printf("closing: %v", err)
	}
}

// event answers the questions that open and hands on the calls that end.
func (d *driver) event(ctx context.Context, e mcpclient.Event) {
	switch {
	case e.Elicitation != nil && e.Elicitation.State == mcpclient.ElicitationOpen:
		a, err := answer(*e.Elicitation)
		if err != nil {
			d.log.Printf("question %s: %v", e.Elicitation.Key, err)
		}
		d.log.Printf("question %s (%s): %s", e.Elicitation.Key, e.Elicitation.Mode, a.Action)
		if err := d.client.Answer(e.Elicitation.ID, a); err != nil {
			d.log.Printf("question %s: %v", e.Elicitation.Key, err)
		}
	case e.Notice != nil:
		d.log.Printf("notice: %s %s", english.Text(e.Notice.Text), e.Notice.Detail)
	case e.Call != nil && e.Call.State.Ended():
		select {
		case d.ended <- *e.Call:
		case <-ctx.Done():
		}
	}
}

// requests are the calls to make: those the suite asks for, then every other
// tool, the first prompt and the first resource.
func (d *driver) requests(lists mcpclient.Lists, known knowledge) []mcpclient.CallRequest {
	var requests []mcpclient.CallRequest
	named := map[string]bool{}
	for _, c := range known.ToolCalls {
		named[c.Name] = true
		requests = append(requests, mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: c.Name, Arguments: c.Arguments})
	}
	tools, problems := mcpclient.ParseTools(lists.Tools)
	for _, t := range tools {
		if !named[t.Name] {
			requests = append(requests, mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: t.Name, Arguments: d.arguments(t, tools)})
		}
	}
	prompts, more := mcpclient.ParsePrompts(lists.Prompts)
	problems = append(problems, more...)
	if len(prompts) > 0 {
		p := prompts[0]
		requests = append(requests, mcpclient.CallRequest{Kind: mcpclient.CallPrompt, Name: p.Name, Arguments: d.filled(p.Name, p.Schema())})
	}
	resources, more := mcpclient.ParseResources(lists.Resources)
	problems = append(problems, more...)
	if len(resources) > 0 {
		requests = append(requests, mcpclient.CallRequest{Kind: mcpclient.CallResource, Name: resources[0].URI})
	}
	for _, p := range problems {
		d.log.Printf("list: %s", english.Text(p))
	}
	return requests
}

// arguments are what t is called with.
func (d *driver) arguments(t mcpclient.Tool, tools []mcpclient.Tool) json.RawMessage {
	if t.Name == echoTool {
		for _, other := range tools {
			if other.Name == schemaTool {
				return append(append(json.RawMessage(`{"schema":`), other.InputSchema...), '}')
			}
		}
	}
	return d.filled(t.Name, t.InputSchema)
}

// filled are arguments that fit schema, an empty object where none are found:
// the server then has its say.
func (d *driver) filled(name string, schema json.RawMessage) json.RawMessage {
	arguments, err := fill(forms.Parse(schema, forms.Options{Purpose: forms.Arguments}))
	if err != nil {
		d.log.Printf("arguments of %s: %v", rawjson.Quote(name), err)
		return json.RawMessage("{}")
	}
	return arguments
}

// call makes a call and waits for its end, or that of ctx.
func (d *driver) call(ctx context.Context, r mcpclient.CallRequest) {
	r.By, r.Polling, r.Quiet = mcpclient.ByCommandLine, true, silence
	d.conn.Start(r)
	select {
	case c := <-d.ended:
		d.log.Printf("%s %s: %s", r.Kind, rawjson.Quote(r.Name), outcome(c))
	case <-ctx.Done():
		d.log.Printf("%s %s: no end in time", r.Kind, rawjson.Quote(r.Name))
	}
}

// outcome says how c ended.
func outcome(c mcpclient.Call) string {
	switch {
	case c.Failure != nil:
		return string(c.State) + ": " + c.Failure.Error()
	case c.IsError:
		return "an error of the tool"
	}
	return string(c.State)
}
