package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/http"
	"parley/mcpclient/stdio"
	"parley/mcpclient/wire"
)

// The revisions of MCP that Parley speaks, newest first.
var (
	modernRevisions = []string{"2026-07-28"}
	legacyRevisions = []string{"2025-11-25", "2025-06-18", "2025-03-26"}
)

// discoverSilence is how long a program may be silent on server/discover
// before it is taken for a legacy one that ignores what it does not know.
const discoverSilence = 5 * time.Second

// capabilities is what every request declares (spec: "Capabilities"). Roots
// and sampling are not offered.
var capabilities = json.RawMessage(`{"elicitation":{"form":{},"url":{}}}`)

// The _meta keys of 2026-07-28.
const (
	metaProtocol     = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// DialOptions are what the transport of one connection is made with.
type DialOptions struct {
	Authorizer wire.Authorizer
	Tap        wire.Tap
}

// Dial makes the real transport for s. Nothing is started or reached yet.
func Dial(s Server, o DialOptions) (wire.Transport, error) {
	switch s.Kind {
	case Stdio:
		cmd := stdio.Command{Path: s.Command, Args: s.Args, Dir: s.Dir}
		for name, value := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		slices.Sort(cmd.Env)
		return stdio.New(cmd, stdio.Options{Tap: o.Tap}), nil
	case HTTP:
		return http.New(http.Endpoint{URL: s.URL, Header: s.Headers}, http.Options{Authorizer: o.Authorizer, Tap: o.Tap})
	case SSE:
		return http.NewSSE(http.Endpoint{URL: s.URL, Header: s.Headers}, http.Options{Authorizer: o.Authorizer, Tap: o.Tap})
	}
	return nil, &Failure{Kind: FailLost, Text: i18n.M("core.connect.transport", "Kind", string(s.Kind))}
}

// Connect connects to s: server/discover first, and initialize when the server
// turns out to be of the 2025 era. A connection to the same server that is
// still open is returned as it is. The error is a *Failure.
func (c *Client) Connect(ctx context.Context, s Server) (*Connection, error) {
	if k := c.Connection(s.ID); k != nil {
		return k, nil
	}
	c.announce(Event{ServerID: s.ID, Connection: &Status{State: Connecting}})
	k, err := c.negotiate(ctx, s)
	if err != nil {
		f := connectFailure(err)
		c.announce(Event{ServerID: s.ID, Connection: &Status{State: Lost, Failure: f}})
		return nil, f
	}
	c.mu.Lock()
	if k.isDone() {
		c.mu.Unlock()
		f := connectFailure(errGone{k.ended()})
		c.announce(Event{ServerID: s.ID, Connection: &Status{State: Lost, Failure: f}})
		return nil, f
	}
	c.connections[s.ID] = k
	info := k.Info()
	c.tell(Event{ServerID: s.ID, Connection: &Status{State: Connected, Info: &info}})
	c.mu.Unlock()
	return k, nil
}

// negotiate finds the revision that s and the client share.
func (c *Client) negotiate(ctx context.Context, s Server) (*Connection, error) {
	id, err := s.Identify()
	if err != nil {
		return nil, err
	}
	silence := s.silence()
	if !slices.Contains(legacyRevisions, s.Protocol) {
		revision := modernRevisions[0]
		if s.Protocol != "" {
			if !slices.Contains(modernRevisions, s.Protocol) {
				return nil, &Failure{Kind: FailLost, Text: i18n.M("core.connect.revision", "Revision", s.Protocol)}
			}
			revision = s.Protocol
		}
		k, err := c.attempt(ctx, s, id, func(k *Connection) error { return k.discover(ctx, revision) })
		if err == nil || s.Protocol != "" || !isLegacySign(s, err) {
			return k, err
		}
		var silent errSilent
		if errors.As(err, &silent) {
			silence -= silent.after
		}
	}
	k, err := c.attempt(ctx, s, id, func(k *Connection) error { return k.initialize(ctx, silence) })
	var silent errSilent
	switch {
	case errors.As(err, &silent):
		return nil, errSilent{s.silence()} // all of it, whatever was asked
	case s.Kind == HTTP && isOldSign(err):
		// Before 2025-03-26 a server had two addresses, and this is the one to
		// listen at ("Backwards Compatibility").
		old := s
		old.Kind = SSE
		id.Transport = SSE
		if k, err := c.attempt(ctx, old, id, func(k *Connection) error { return k.initialize(ctx, silence) }); err == nil {
			return k, nil
		}
	}
	return k, err
}

// attempt makes a fresh transport and runs hello over it. A transport whose
// hello failed is closed again.
func (c *Client) attempt(ctx context.Context, s Server, id Identity, hello func(*Connection) error) (*Connection, error) {
	var o DialOptions
	if c.opts.Authorizer != nil {
		o.Authorizer = c.opts.Authorizer(s)
	}
	if c.opts.Tap != nil {
		o.Tap = c.opts.Tap(s)
	}
	t, err := c.opts.Dial(s, o)
	if err != nil {
		return nil, err
	}
	k := c.newConnection(s, id, t)
	// The connection outlives the attempt to make it; Close ends it.
	if err := t.Start(context.WithoutCancel(ctx), k); err != nil {
		return nil, err
	}
	if err := hello(k); err != nil {
		k.mu.Lock()
		k.closing = true
		k.mu.Unlock()
		// The next attempt need not wait for it; Client.Close does.
		c.leaving.Go(func() { t.Close(context.WithoutCancel(ctx)) })
		return nil, err
	}
	return k, nil
}

// errRevision says which revisions a server offered that Parley does not speak.
type errRevision struct {
	offered []string
	legacy  bool // among them is one of the 2025 era
}

func (e errRevision) Error() string { return "no revision of MCP in common" }

// isLegacySign reports whether what a server answered to server/discover shows
// that it is of the 2025 era. Being unreachable or refusing is never a sign.
func isLegacySign(s Server, err error) bool {
	var rpc *wire.Error
	if errors.As(err, &rpc) {
		return isLegacyError(rpc)
	}
	var revision errRevision
	if errors.As(err, &revision) {
		return revision.legacy
	}
	if s.Kind == Stdio {
		var silent errSilent
		var gone errGone
		return errors.As(err, &silent) || errors.As(err, &gone)
	}
	var status *http.StatusError
	if errors.As(err, &status) {
		if status.RPC != nil {
			return isLegacyError(status.RPC)
		}
		return status.Status == 400 || status.Status == 404 || status.Status == 405
	}
	return false
}

// isOldSign reports whether what a server answered to initialize shows that it
// takes no requests at this address.
func isOldSign(err error) bool {
	var status *http.StatusError
	return errors.As(err, &status) && status.RPC == nil &&
		(status.Status == 400 || status.Status == 404 || status.Status == 405)
}

// isLegacyError: any error but the three of 2026-07-28 itself.
func isLegacyError(e *wire.Error) bool {
	switch e.Code {
	case wire.CodeHeaderMismatch, wire.CodeMissingCapability, wire.CodeUnsupportedVersion:
		return false
	}
	return true
}

// clientInfo is what servers are told of the app.
func (c *Client) clientInfo() json.RawMessage {
	return encode(member{"name", quote(c.opts.Name)}, member{"version", quote(c.opts.Version)})
}

// meta is the _meta of every modern request: retries and lists included (C5).
// token is the progress token, "" for none.
func (k *Connection) meta(revision, token string) json.RawMessage {
	m := []member{
		{metaProtocol, quote(revision)},
		{metaClientInfo, k.client.clientInfo()},
		{metaCapabilities, capabilities},
	}
	if token != "" {
		m = append(m, member{"progressToken", quote(token)})
	}
	return encode(m...)
}

// discover asks a server what it is (2026-07-28, "server/discover"). One that
// does not know the revision asked for is asked once more for one it offers.
func (k *Connection) discover(ctx context.Context, revision string) error {
	o := requestOptions{protocol: revision, modern: true, silence: k.server.silence()}
	if k.server.Kind == Stdio && k.server.Protocol == "" {
		// What is spent here is not left for initialize.
		o.silence = min(o.silence/2, discoverSilence)
	}
	params := encode(member{"_meta", k.meta(revision, "")})
	result, err := k.request(ctx, "server/discover", params, o)
	if err != nil {
		var offered []string
		if rpc := rpcError(err); rpc != nil && rpc.Code == wire.CodeUnsupportedVersion {
			data, _ := rawjson.Object(rpc.Data)
			offered = texts(rawjson.Get(data, "supported"))
			return k.choose(ctx, revision, offered)
		}
		return err
	}
	members, _ := rawjson.Object(result)
	offered := texts(rawjson.Get(members, "supportedVersions"))
	switch {
	case len(offered) == 0:
		// Some servers of the 2025 era answer what they do not know with any
		// result ("Backward Compatibility with Initialization-Based Versions").
		return errRevision{legacy: true}
	case !slices.Contains(offered, revision):
		return k.choose(ctx, revision, offered)
	}
	meta, _ := rawjson.Object(rawjson.Get(members, "_meta"))
	k.learn(Info{
		Era:          Modern,
		Protocol:     revision,
		Instructions: text(rawjson.Get(members, "instructions")),
		Capabilities: object(rawjson.Get(members, "capabilities")),
		ServerInfo:   optional(rawjson.Get(meta, metaServerInfo)),
	})
	return nil
}

// choose goes on with a revision that the server offers. One that names the
// very revision it has refused is asked once more.
func (k *Connection) choose(ctx context.Context, asked string, offered []string) error {
	for _, r := range modernRevisions {
		if slices.Contains(offered, r) && (r != asked || !k.askedAgain) {
			k.askedAgain = k.askedAgain || r == asked
			return k.discover(ctx, r)
		}
	}
	legacy := slices.ContainsFunc(legacyRevisions, func(r string) bool { return slices.Contains(offered, r) })
	return errRevision{offered: offered, legacy: legacy}
}

// initialize shakes hands with a server of the 2025 era, which may be silent
// for silence.
func (k *Connection) initialize(ctx context.Context, silence time.Duration) error {
	revision := legacyRevisions[0]
	if k.server.Protocol != "" {
		revision = k.server.Protocol
	}
	params := encode(
		member{"protocolVersion", quote(revision)},
		member{"capabilities", capabilities},
		member{"clientInfo", k.client.clientInfo()},
	)
	// The revision header is sent only once it is agreed (2025-06-18 and later).
	o := requestOptions{silence: silence, keep: true}
	result, err := k.request(ctx, "initialize", params, o)
	if err != nil {
		return err
	}
	members, err := rawjson.Object(result)
	if err != nil {
		return invalid("core.invalid.initialize")
	}
	agreed := text(rawjson.Get(members, "protocolVersion"))
	if !slices.Contains(legacyRevisions, agreed) || k.server.Protocol != "" && agreed != k.server.Protocol {
		return errRevision{offered: []string{agreed}}
	}
	k.learn(Info{
		Era:          Legacy,
		Protocol:     agreed,
		Instructions: text(rawjson.Get(members, "instructions")),
		Capabilities: object(rawjson.Get(members, "capabilities")),
		ServerInfo:   optional(rawjson.Get(members, "serverInfo")),
	})
	k.notify("notifications/initialized", nil, k.options(""))
	if s, ok := k.transport.(streamer); ok {
		s.OpenStream()
	}
	return nil
}

// streamer is a transport with a stream of its own for what the server sends
// outside requests (legacy HTTP).
type streamer interface{ OpenStream() }

// rpcError returns the JSON-RPC error that err carries, nil if it carries none.
func rpcError(err error) *wire.Error {
	var rpc *wire.Error
	if errors.As(err, &rpc) {
		return rpc
	}
	var status *http.StatusError
	if errors.As(err, &status) {
		return status.RPC
	}
	return nil
}

// texts returns the strings of an array; whatever else is in it is left out.
func texts(raw json.RawMessage) []string {
	elements, err := rawjson.Array(raw)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range elements {
		if s, ok := rawjson.String(e); ok {
			out = append(out, s)
		}
	}
	return out
}

// object returns raw if it is an object, else an empty one.
func object(raw json.RawMessage) json.RawMessage {
	if isObject(raw) {
		return raw
	}
	return json.RawMessage("{}")
}

// optional returns raw, nil for null.
func optional(raw json.RawMessage) json.RawMessage {
	if isNull(raw) {
		return nil
	}
	return raw
}
