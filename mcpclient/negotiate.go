package mcpclient

import (
	"context"
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

// Revisions are the revisions of MCP that a server can be pinned to, the newest
// first.
func Revisions() []string { return slices.Concat(modernRevisions, legacyRevisions) }

// DialOptions are what the transport of one connection is made with.
type DialOptions struct {
	Authorizer wire.Authorizer
	Tap        wire.Tap
	// Agree is stdio.Command.Agree for a program.
	Agree func(file string) error
}

// Dial makes the real transport for s. Nothing is started or reached yet.
func Dial(s Server, o DialOptions) (wire.Transport, error) {
	switch s.Kind {
	case Stdio:
		cmd := s.command()
		cmd.Agree = o.Agree
		return stdio.New(cmd, stdio.Options{Tap: o.Tap, MaxMessage: s.MaxMessage}), nil
	case HTTP:
		return http.New(http.Endpoint{URL: s.URL, Header: s.Headers}, http.Options{Authorizer: o.Authorizer, Tap: o.Tap, MaxMessage: s.MaxMessage})
	case SSE:
		return http.NewSSE(http.Endpoint{URL: s.URL, Header: s.Headers}, http.Options{Authorizer: o.Authorizer, Tap: o.Tap, MaxMessage: s.MaxMessage})
	}
	return nil, &Failure{Kind: FailLost, Text: i18n.M("core.connect.transport", "Kind", string(s.Kind))}
}

// command is the program of s.
func (s Server) command() stdio.Command {
	cmd := stdio.Command{Path: s.Command, Args: s.Args, Dir: s.Folder()}
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	slices.Sort(cmd.Env)
	return cmd
}

// LookUp finds the file that the program of s leads to now: what would be started.
// fill puts in the values that s.SecretEnv names, as Options.Fill does. It may ask the
// person's login shell; see stdio.LookUp. The error is a *Failure.
func LookUp(ctx context.Context, s Server, fill func(context.Context, Server) (Server, error)) (stdio.File, error) {
	filled, err := fill(ctx, s)
	if err != nil {
		return stdio.File{}, connectFailure(err)
	}
	file, err := stdio.LookUp(ctx, filled.command())
	if err != nil {
		return file, connectFailure(err)
	}
	return file, nil
}

// Connect connects to s: server/discover first, and initialize when the server
// turns out to be of the 2025 era, or is remembered to be. A connection to the
// same server that is still open is returned as it is; one that is about to be
// made again by itself is made at once. The error is a *Failure.
func (c *Client) Connect(ctx context.Context, s Server) (*Connection, error) {
	c.endRevival(s.ID)
	release, err := c.turn(ctx, s.ID)
	if err != nil {
		return nil, connectFailure(err)
	}
	defer release()
	if k := c.Connection(s.ID); k != nil {
		return k, nil
	}
	c.forgetDeaths(s.ID)
	k, err := c.connect(ctx, s)
	if err != nil {
		f := connectFailure(err)
		c.announce(Event{ServerID: s.ID, Connection: &Status{State: Lost, Failure: f}})
		return nil, f
	}
	return k, nil
}

// connect is one attempt to connect to s, by whoever has the turn. It tells of
// its beginning and its success.
func (c *Client) connect(ctx context.Context, s Server) (*Connection, error) {
	c.announce(Event{ServerID: s.ID, Connection: &Status{State: Connecting}})
	k, err := c.negotiate(ctx, s)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.isDone() {
		return nil, errGone{k.ended()}
	}
	k.mu.Lock()
	k.since = c.now()
	k.mu.Unlock()
	info := k.Info()
	c.connections[s.ID] = k
	c.tell(Event{ServerID: s.ID, Connection: &Status{State: Connected, Info: &info}})
	if k.plain.Load() {
		c.tell(Event{ServerID: s.ID, Notice: &Notice{Text: i18n.M("core.notice.plain")}})
	}
	k.settleIn()
	return k, nil
}

// negotiation finds the revision that a server and the client share.
type negotiation struct {
	ctx      context.Context
	client   *Client
	server   Server
	filled   Server // with its secrets; for the transport alone
	identity Identity
	left     time.Duration // of the silence that is allowed
}

// negotiate connects to s by what is remembered of it, else by finding out, and
// keeps what was learnt.
func (c *Client) negotiate(ctx context.Context, s Server) (*Connection, error) {
	id, err := s.Identify()
	if err != nil {
		return nil, err
	}
	if s.Protocol != "" && !slices.Contains(legacyRevisions, s.Protocol) && !slices.Contains(modernRevisions, s.Protocol) {
		return nil, &Failure{Kind: FailLost, Text: i18n.M("core.connect.revision", "Revision", s.Protocol)}
	}
	filled := s
	if c.opts.Fill != nil && s.hasSecrets() {
		if filled, err = c.opts.Fill(ctx, s); err != nil {
			return nil, err
		}
	}
	n := &negotiation{ctx: ctx, client: c, server: s, filled: filled, identity: id, left: s.silence()}
	switch {
	case s.Protocol != "":
		return n.pinned()
	case s.Kind == SSE:
		return n.handshake() // that transport is older than server/discover
	}
	known := c.memory.Recall(s)
	k, err := n.remembered(known)
	if k == nil && err == nil {
		k, err = n.probe(known)
	}
	learnt := Learnt{}
	if err == nil {
		learnt = k.learnt(known)
	}
	if learnt != known && (err == nil || !isUnreachable(err)) {
		c.memory.Remember(s, learnt)
	}
	return k, err
}

// pinned connects in the revision that the person has fixed.
func (n *negotiation) pinned() (*Connection, error) {
	if slices.Contains(legacyRevisions, n.server.Protocol) {
		return n.handshake()
	}
	k, err := n.discover(n.left, false)
	if refuses(err) {
		if k, again := n.discover(n.left, true); again == nil {
			return k, nil
		}
	}
	if err != nil && isLegacySign(n.server, err) {
		return nil, withRPC(&Failure{Kind: FailLost, Text: i18n.M("core.connect.pin", "Revision", n.server.Protocol)}, rpcError(err))
	}
	return k, err
}

// remembered connects to a server of which something is known. Nil and nil say
// that nothing is, or that it is not true any more.
func (n *negotiation) remembered(known Learnt) (*Connection, error) {
	if !slices.Contains(legacyRevisions, known.Protocol) {
		return nil, nil // a modern one is asked first what it is in any case
	}
	kind := n.server.Kind
	if known.Transport == SSE {
		kind = SSE
	}
	k, err := n.initialize(kind, known.Plain)
	if err == nil || isUnreachable(err) {
		return k, err
	}
	if _, silent := errors.AsType[errSilent](err); silent {
		return nil, err // nothing is left for finding out; the next attempt does
	}
	return nil, nil
}

// probe finds out what a server is.
func (n *negotiation) probe(known Learnt) (*Connection, error) {
	patience := n.left
	if n.server.Kind == Stdio && !slices.Contains(modernRevisions, known.Protocol) {
		// What is spent here is not left for initialize. One that is known to be
		// modern is not silent for not knowing the question: it starts slowly.
		patience = min(patience/2, discoverSilence)
	}
	k, probe := n.discover(patience, known.Plain)
	if probe == nil || !isLegacySign(n.server, probe) {
		return k, probe
	}
	silent, wasSilent := errors.AsType[errSilent](probe)
	n.left -= silent.after
	if _, gone := errors.AsType[errGone](probe); gone && n.server.Kind == Stdio {
		// What it wrote comes twice now; this stands between.
		n.client.announce(Event{ServerID: n.server.ID, Notice: &Notice{Text: i18n.M("core.notice.startedagain")}})
	}
	k, err := n.handshake()
	if err == nil || rpcError(err) == nil {
		return k, err
	}
	// It answers, but not to initialize: it may be a modern server after all,
	// which was slow to start or takes offence at the modes of elicitation.
	if wasSilent || refuses(probe) {
		if k, again := n.discover(n.left, refuses(probe)); again == nil {
			return k, nil
		}
	}
	return k, err
}

// handshake connects to a server of the 2025 era. Before 2025-03-26 a server
// had two addresses, and ours may be the one to listen at ("Backwards
// Compatibility").
func (n *negotiation) handshake() (*Connection, error) {
	k, err := n.initializeEither(n.server.Kind)
	if n.server.Kind == HTTP && isOldSign(err) {
		k, old := n.initializeEither(SSE)
		if old == nil || isTelling(old) {
			return k, old
		}
	}
	if _, silent := errors.AsType[errSilent](err); silent {
		return nil, errSilent{n.server.silence()} // all of it, whatever was asked
	}
	return k, err
}

// isTelling reports whether what went wrong with the older transport says more
// than that there is none: something that speaks it was there.
func isTelling(err error) bool {
	if endpoint, ok := errors.AsType[*http.EndpointError](err); ok {
		return endpoint.Kind != http.EndpointMissing
	}
	if _, ok := errors.AsType[errRevision](err); ok {
		return true
	}
	f, ok := errors.AsType[*Failure](err)
	return ok && f.Kind == FailLost || rpcError(err) != nil
}

// initializeEither gives a server that refuses the modes of elicitation one
// more try without them.
func (n *negotiation) initializeEither(kind TransportKind) (*Connection, error) {
	k, err := n.initialize(kind, false)
	if refuses(err) {
		if k, again := n.initialize(kind, true); again == nil {
			return k, nil
		}
	}
	return k, err
}

// discover and initialize are one attempt each, over a fresh transport.
func (n *negotiation) discover(patience time.Duration, plain bool) (*Connection, error) {
	revision := first(n.server.Protocol, modernRevisions[0])
	return n.attempt(n.server.Kind, plain, func(k *Connection) error { return k.discover(n.ctx, revision, patience) })
}

func (n *negotiation) initialize(kind TransportKind, plain bool) (*Connection, error) {
	return n.attempt(kind, plain, func(k *Connection) error { return k.initialize(n.ctx, n.left) })
}

// attempt makes a fresh transport and runs hello over it. A transport whose
// hello failed is closed again.
func (n *negotiation) attempt(kind TransportKind, plain bool, hello func(*Connection) error) (*Connection, error) {
	c, s, id := n.client, n.server, n.identity
	s.Kind, id.Transport = kind, kind
	var o DialOptions
	if c.opts.Authorizer != nil {
		o.Authorizer = c.opts.Authorizer(s)
	}
	if c.opts.Tap != nil {
		o.Tap = c.opts.Tap(s)
	}
	if c.opts.Agree != nil {
		o.Agree = func(file string) error { return c.opts.Agree(n.server, file) }
	}
	reached := s
	reached.Env, reached.Headers = n.filled.Env, n.filled.Headers
	t, err := c.opts.Dial(reached, o)
	if err != nil {
		return nil, err
	}
	k := c.newConnection(s, id, t)
	k.wanted = n.server
	k.user, _ = o.Authorizer.(wire.User)
	k.plain.Store(plain)
	// The connection outlives the attempt to make it; Close ends it.
	if err := t.Start(context.WithoutCancel(n.ctx), k); err != nil {
		return nil, err
	}
	if err := hello(k); err != nil {
		k.mu.Lock()
		k.closing = true
		k.mu.Unlock()
		k.stop()
		// The next attempt need not wait for it; Client.Close does.
		c.leave(func() { t.Close(context.WithoutCancel(n.ctx)) })
		return nil, err
	}
	return k, nil
}

// learnt is what is to be kept about the server of k. A legacy server that has
// another version than when it was probed is probed again the next time.
func (k *Connection) learnt(known Learnt) Learnt {
	info := k.Info()
	version, _ := rawjson.Lookup(info.ServerInfo, "version")
	l := Learnt{Protocol: info.Protocol, Plain: k.plain.Load(), Version: clip(text(version))}
	if info.Identity.Transport == SSE {
		l.Transport = SSE
	}
	if info.Era == Legacy && known.Protocol != "" && known.Version != l.Version {
		return Learnt{}
	}
	return l
}

// isUnreachable reports whether err tells nothing about what a server speaks.
func isUnreachable(err error) bool {
	if rpcError(err) != nil {
		return false
	}
	if _, ok := errors.AsType[errGone](err); ok {
		return false
	}
	if _, ok := errors.AsType[errRevision](err); ok {
		return false
	}
	if f, ok := errors.AsType[*Failure](err); ok && f.Kind == FailInvalid {
		return false
	}
	if status, ok := errors.AsType[*http.StatusError](err); ok {
		return !isEraStatus(status.Status)
	}
	if _, ok := errors.AsType[errSilent](err); ok {
		return false
	}
	return true
}

// isEraStatus reports whether an HTTP status without a JSON-RPC error is how a
// server of another era answers.
func isEraStatus(status int) bool { return status == 400 || status == 404 || status == 405 }

// refuses reports whether a server answered that it does not take the request
// as it was written: it may know only the empty elicitation capability, which
// is all there was in 2025-06-18.
func refuses(err error) bool {
	rpc := rpcError(err)
	if rpc == nil || isSignIn(err) {
		return false
	}
	switch rpc.Code {
	case wire.CodeParse, wire.CodeInvalidRequest, wire.CodeInvalidParams, wire.CodeInternal:
		return true
	}
	return false
}

// isSignIn reports whether the server wants to know who is there first.
func isSignIn(err error) bool {
	status, ok := errors.AsType[*http.StatusError](err)
	return ok && (status.Status == 401 || status.Status == 403)
}

// errRevision says which revisions a server offered that Parley does not speak.
type errRevision struct {
	offered []string
	legacy  bool        // among them is one of the 2025 era
	rpc     *wire.Error // in which it said so; nil for none
}

func (e errRevision) Error() string { return "no revision of MCP in common" }

// isLegacySign reports whether what a server answered to server/discover shows
// that it is of the 2025 era. Being unreachable or refusing is never a sign.
func isLegacySign(s Server, err error) bool {
	if isSignIn(err) {
		return false
	}
	if rpc := rpcError(err); rpc != nil {
		return isLegacyError(rpc)
	}
	if revision, ok := errors.AsType[errRevision](err); ok {
		return revision.legacy
	}
	if s.Kind == Stdio {
		_, silent := errors.AsType[errSilent](err)
		_, gone := errors.AsType[errGone](err)
		return silent || gone
	}
	status, ok := errors.AsType[*http.StatusError](err)
	return ok && isEraStatus(status.Status)
}

// isOldSign reports whether what a server answered to initialize shows that it
// takes no requests at this address.
func isOldSign(err error) bool {
	status, ok := errors.AsType[*http.StatusError](err)
	return ok && status.RPC == nil && isEraStatus(status.Status)
}

// isLegacyError: any error but the three of 2026-07-28 itself.
func isLegacyError(e *wire.Error) bool {
	switch e.Code {
	case wire.CodeHeaderMismatch, wire.CodeMissingCapability, wire.CodeUnsupportedVersion:
		return false
	}
	return true
}
