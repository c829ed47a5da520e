// Package mcpclient connects to MCP servers, runs what they offer and collects
// what they ask a person.
//
// A [Client] holds the connections, the calls and the inbox of questions
// (elicitations). A call is one tools/call, prompts/get or resources/read with
// all its rounds. Three roads lead to one kind of question: an inputRequests
// entry of a 2026-07-28 result, an elicitation/create pushed by a 2025-era
// server, and an entry of a -32042 error. Only where the answer goes differs,
// and that is known by the call or connection that owns the question.
//
// The rules come from MCP 2026-07-28, "Elicitation" and "Multi Round-Trip
// Requests", and from the 2025-11-25 revision for servers of that era:
//
//   - Nothing is answered for the person. A question waits until somebody
//     answers it, or dies with a reason; a fault is never sent as a decline.
//   - Every change of a call or question goes through the [Journal].
//   - Everything from a server stays raw JSON until the reader that needs it.
//
// The package knows no widget. What happens is told to observers as [Event]
// values, in order.
package mcpclient

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
)

// The bounds of what one server may ask.
const (
	// MaxOpen is the number of questions it may have open at a time; what it
	// asks beyond them is refused. Together they may be as large as one message.
	MaxOpen = 200
	// MaxDead is the most of its questions that are kept though they are over
	// and no call shows them: dead ones the person has entered nothing into,
	// and answered ones that belonged to no call. Together they hold at most
	// maxDeadBytes, a single one aside.
	MaxDead      = 200
	maxDeadBytes = 2 << 20
)

// ErrNotOpen is returned for an answer to a question that is not open.
var ErrNotOpen = errors.New("this question is no longer open")

// ErrNotWaiting is returned by Continue for a call that waits for nobody.
var ErrNotWaiting = errors.New("this request is not waiting for you")

// Options say what a Client stands on. The zero value is usable.
type Options struct {
	// Journal keeps calls and questions; nil keeps them in memory.
	Journal Journal
	// Name and Version are what servers are told of the app (clientInfo).
	Name, Version string
	// Dial makes the transport of one connection attempt; nil makes the real
	// ones.
	Dial func(Server, DialOptions) (wire.Transport, error)
	// Fill puts into a copy of a server the values that Server.SecretEnv and
	// Server.SecretHeaders name, and nothing else. It is called before each
	// connection to a server that names some, and may wait. Its error ends the
	// attempt to connect. nil leaves them out.
	Fill func(context.Context, Server) (Server, error)
	// Agree is asked whether a program may be started whose name was found in PATH at
	// this file; see stdio.Command.Agree. It may wait. nil agrees to any.
	Agree func(s Server, file string) error
	// Authorizer gives the credentials for a server; nil, or a nil result,
	// is none.
	Authorizer func(Server) wire.Authorizer
	// Tap sees a server's traffic, redacted; nil, or a nil result, is none.
	Tap func(Server) wire.Tap
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Memory keeps what was learnt about servers; nil keeps it until the app ends.
	Memory Memory
	// Revive makes connections that end by themselves again, with growing
	// pauses, until they have ended too often.
	Revive bool
}

// Client is the person's side of MCP: see the package comment. Its methods may
// be called from any goroutine and do not wait for servers, except Connect and
// Close.
type Client struct {
	opts    Options
	info    json.RawMessage // what servers are told of the app (clientInfo)
	now     func() time.Time
	journal Journal
	memory  Memory
	leaving sync.WaitGroup // transports that are closing, and revivals

	attempts chan struct{} // a token for each revival that connects just now

	mu           sync.Mutex
	closed       bool
	lifelines    map[string]*lifeline // by server
	calls        ordered[Call]
	elicitations ordered[Elicitation]
	connections  map[string]*Connection
	owners       map[string]owner    // by elicitation: who waits for its answer
	tallies      map[string]*tally   // by server
	awaited      map[remote][]string // accepted pages that the server has not called complete
	running      map[string]*callRun // by call
	observers    []*observer
}

// owner gets the answer to a question that it asked.
type owner interface {
	answered(e Elicitation)
}

// New makes a Client. Its error says that the journal could not be read.
func New(o Options) (*Client, error) {
	c := &Client{
		opts:        o,
		now:         o.Now,
		journal:     o.Journal,
		memory:      o.Memory,
		attempts:    make(chan struct{}, MaxAtOnce),
		lifelines:   map[string]*lifeline{},
		connections: map[string]*Connection{},
		owners:      map[string]owner{},
		tallies:     map[string]*tally{},
		awaited:     map[remote][]string{},
		running:     map[string]*callRun{},
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.journal == nil {
		c.journal = &MemoryJournal{}
	}
	if c.memory == nil {
		c.memory = &sessionMemory{}
	}
	if c.opts.Name == "" {
		c.opts.Name = "Parley"
	}
	if c.opts.Version == "" {
		c.opts.Version = "0"
	}
	homeFolder() // found out once, and here, for Server.Place is asked where nothing may wait
	c.info = encode(member{"name", quote(c.opts.Name)}, member{"version", quote(c.opts.Version)})
	if c.opts.Dial == nil {
		c.opts.Dial = Dial
	}
	calls, elicitations, err := c.journal.Load()
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	for _, call := range calls {
		c.calls.put(call.ID, &call)
	}
	for _, e := range elicitations {
		c.elicitations.put(e.ID, &e)
		if e.State == ElicitationOpen {
			c.tally(e.ServerID).opened(e)
		}
	}
	return c, nil
}

// Close closes all connections, within the bounds of their transports or until
// ctx ends. The observers are told of it and then of nothing more; one of them
// must not call Close itself.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	open := make([]*Connection, 0, len(c.connections))
	for _, k := range c.connections {
		open = append(open, k)
	}
	for _, l := range c.lifelines {
		l.end()
	}
	c.mu.Unlock()
	errs := make([]error, len(open))
	var wg sync.WaitGroup
	for i, k := range open {
		wg.Go(func() { errs[i] = k.Close(ctx) })
	}
	wg.Wait()
	left := make(chan struct{})
	go func() {
		c.leaving.Wait()
		close(left)
	}()
	select {
	case <-left:
	case <-ctx.Done():
	}
	c.mu.Lock()
	observers := slices.Clone(c.observers)
	c.mu.Unlock()
	for _, o := range observers {
		o.finish(ctx)
	}
	return errors.Join(errs...)
}

// Watch calls f for every event from now on, in order and never twice at a
// time, on a goroutine of its own, until stop is called or the Client is
// closed. An f that runs while stop is called is the last.
func (c *Client) Watch(f func(Event)) (stop func()) {
	o := newObserver(f)
	c.mu.Lock()
	c.observers = append(c.observers, o)
	c.mu.Unlock()
	return func() {
		c.mu.Lock()
		c.observers = slices.DeleteFunc(c.observers, func(x *observer) bool { return x == o })
		c.mu.Unlock()
		o.stop()
	}
}

// Connection returns the connection to the server, nil if there is none.
func (c *Client) Connection(serverID string) *Connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.connections[serverID]
}

// Calls returns all calls, oldest first.
func (c *Client) Calls() []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls.values()
}

// Call returns one call.
func (c *Client) Call(id string) (Call, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls.get(id)
}

// Elicitations returns all questions, oldest first.
func (c *Client) Elicitations() []Elicitation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.elicitations.values()
}

// Elicitation returns one question.
func (c *Client) Elicitation(id string) (Elicitation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.elicitations.get(id)
}

// Open returns the questions that can be answered, oldest first.
func (c *Client) Open() []Elicitation {
	return slices.DeleteFunc(c.Elicitations(), func(e Elicitation) bool { return e.State != ElicitationOpen })
}

// Answer answers a question. An accepted form needs content, an object;
// nothing else may have any. The error is ErrNotOpen if somebody was faster or
// the question has died.
func (c *Client) Answer(elicitationID string, a Answer) error {
	c.mu.Lock()
	e, known := c.elicitations.get(elicitationID)
	if !known || e.State != ElicitationOpen {
		c.mu.Unlock()
		return ErrNotOpen
	}
	if err := checkAnswer(e.Mode, a); err != nil {
		c.mu.Unlock()
		return err
	}
	o := c.owners[elicitationID]
	delete(c.owners, elicitationID)
	e.State, e.Answer = ElicitationAnswered, &a
	t := c.tally(e.ServerID)
	t.closed(e)
	if e.Mode == ModeURL && a.Action == Accept && e.RemoteID != "" {
		key := remote{e.ServerID, e.RemoteID}
		c.awaited[key] = append(c.awaited[key], e.ID)
	}
	c.keepElicitation(e)
	if e.CallID == "" {
		c.bury(t, e)
	}
	c.mu.Unlock()
	if o != nil {
		o.answered(e)
	}
	return nil
}

// checkAnswer keeps C11: content goes with an accepted form and with nothing
// else.
func checkAnswer(m Mode, a Answer) error {
	switch a.Action {
	case Accept, Decline, Cancel:
	default:
		return fmt.Errorf("%q is no answer", a.Action)
	}
	wants := m == ModeForm && a.Action == Accept
	switch {
	case wants && (!json.Valid(a.Content) || !isObject(a.Content)):
		return errors.New("an accepted form needs its content, an object")
	case !wants && a.Content != nil:
		return errors.New("only an accepted form has content")
	}
	return nil
}

// SaveDraft keeps what the person has entered into an open question so far.
func (c *Client) SaveDraft(elicitationID string, draft json.RawMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, known := c.elicitations.get(elicitationID)
	if !known || e.State != ElicitationOpen {
		return ErrNotOpen
	}
	e.Draft = draft
	c.keepElicitation(e)
	return nil
}

// Continue tells a call that waits for the person in the browser that they are
// back: its newest round is answered with accept again, or its request is
// repeated. Nothing is opened.
func (c *Client) Continue(callID string) error {
	c.mu.Lock()
	r := c.running[callID]
	c.mu.Unlock()
	if r == nil || !r.resume() {
		return ErrNotWaiting
	}
	return nil
}

// Cancel ends a call by the person's wish and takes its questions with it.
// A call that has ended is left alone.
func (c *Client) Cancel(callID string) {
	c.mu.Lock()
	r := c.running[callID]
	c.mu.Unlock()
	if r != nil {
		r.cancel(cancelledByPerson())
	}
}

// keepCall records a new state of a call and tells it. c.mu is held.
func (c *Client) keepCall(call Call) {
	c.record(Change{Call: &call}, call.ServerID, call.ID)
	c.calls.put(call.ID, &call)
	c.tell(Event{ServerID: call.ServerID, CallID: call.ID, Call: &call})
}

// keepElicitation records a new state of a question and tells it. c.mu is held.
func (c *Client) keepElicitation(e Elicitation) {
	c.record(Change{Elicitation: &e}, e.ServerID, e.CallID)
	c.elicitations.put(e.ID, &e)
	c.tell(Event{ServerID: e.ServerID, CallID: e.CallID, Elicitation: &e})
}

// record journals a change. c.mu is held.
func (c *Client) record(ch Change, serverID, callID string) {
	if err := c.journal.Record(ch); err != nil {
		c.tell(Event{ServerID: serverID, CallID: callID, Notice: &Notice{
			Text: i18n.M("core.notice.journal"), Detail: err.Error()}})
	}
}

// tell hands an event to the observers. c.mu is held, which keeps the order.
func (c *Client) tell(e Event) {
	e.At = c.now()
	for _, o := range c.observers {
		o.put(e)
	}
}

// announce is tell for callers that do not hold c.mu.
func (c *Client) announce(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tell(e)
}

// tally is what the client counts of one server's questions.
type tally struct {
	open, bytes int     // open ones, and what they hold
	over        []grave // those that MaxDead counts, oldest first
	overBytes   int
}

// grave is a question that is over, and what it holds.
type grave struct {
	id    string
	bytes int
}

// remote is a page as the server names it.
type remote struct{ serverID, elicitationID string }

// tally returns that of a server. c.mu is held.
func (c *Client) tally(serverID string) *tally {
	t := c.tallies[serverID]
	if t == nil {
		t = &tally{}
		c.tallies[serverID] = t
	}
	return t
}

func (t *tally) opened(e Elicitation) { t.open++; t.bytes += e.size() }
func (t *tally) closed(e Elicitation) { t.open--; t.bytes -= e.size() }

// ask opens questions that o waits for. It is refused, with nothing opened,
// when the server would have more than MaxOpen open, or more than maxBytes of
// them beside a single one.
func (c *Client) ask(o owner, es []Elicitation, maxBytes int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tally(es[0].ServerID)
	bytes := t.bytes
	for _, e := range es {
		bytes += e.size()
	}
	if open := t.open + len(es); open > MaxOpen || open > 1 && int64(bytes) > maxBytes {
		return false
	}
	for i := range es {
		if es[i].ID == "" {
			es[i].ID = newID("q")
		}
		es[i].State = ElicitationOpen
		es[i].Asked = c.now()
		c.owners[es[i].ID] = o
		t.opened(es[i])
		c.keepElicitation(es[i])
	}
	return true
}

// kill ends an open question without an answer; why is the sentence for the
// person. What they typed stays in its draft. It reports whether the question
// was open.
func (c *Client) kill(elicitationID string, why i18n.Message) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, known := c.elicitations.get(elicitationID)
	if !known || e.State != ElicitationOpen {
		return false
	}
	delete(c.owners, elicitationID)
	e.State, e.End = ElicitationDead, why
	t := c.tally(e.ServerID)
	t.closed(e)
	c.keepElicitation(e)
	if e.Draft == nil {
		c.bury(t, e)
	}
	return true
}

// bury counts a question that is over, and drops the oldest of too many. c.mu
// is held.
func (c *Client) bury(t *tally, e Elicitation) {
	t.over = append(t.over, grave{e.ID, e.size()})
	t.overBytes += e.size()
	for len(t.over) > MaxDead || len(t.over) > 1 && t.overBytes > maxDeadBytes {
		c.forget(t.over[0].id)
		t.overBytes -= t.over[0].bytes
		t.over = t.over[1:]
	}
}

// forget drops a question. c.mu is held.
func (c *Client) forget(elicitationID string) {
	e, known := c.elicitations.get(elicitationID)
	if !known {
		return
	}
	c.record(Change{ForgetElicitation: e.ID}, e.ServerID, e.CallID)
	c.elicitations.remove(e.ID)
	c.tell(Event{ServerID: e.ServerID, CallID: e.CallID, Forgotten: e.ID})
}

// completed marks the accepted URL questions of a server that have this
// elicitationId. It tells the calls they belong to; an unknown or repeated id
// marks nothing.
func (c *Client) completed(serverID, remoteID string) {
	c.mu.Lock()
	key := remote{serverID, remoteID}
	var runs []*callRun
	for _, id := range c.awaited[key] {
		e, known := c.elicitations.get(id)
		if !known {
			continue
		}
		e.Complete = true
		c.keepElicitation(e)
		if r := c.running[e.CallID]; r != nil {
			runs = append(runs, r)
		}
	}
	delete(c.awaited, key)
	c.mu.Unlock()
	for _, r := range runs {
		r.completed()
	}
}

// Forget drops an ended call and its questions from memory, when the person
// closes its page. A call that still runs stays.
func (c *Client) Forget(callID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call, known := c.calls.get(callID)
	if !known || !call.State.Ended() {
		return
	}
	c.record(Change{ForgetCall: callID}, call.ServerID, callID)
	c.calls.remove(callID)
	if call.Asked == 0 {
		return
	}
	for _, e := range c.elicitations.values() {
		if e.CallID == callID {
			c.forget(e.ID)
		}
	}
}

// leave runs f, which ends something, on a goroutine that Close waits for; once
// Close has begun, on this one.
func (c *Client) leave(f func()) {
	c.mu.Lock()
	if !c.closed {
		c.leaving.Go(f)
		c.mu.Unlock()
		return
	}
	c.mu.Unlock()
	f()
}

// newID makes an id that no server can guess.
func newID(kind string) string {
	var b [12]byte
	rand.Read(b[:])
	return kind + "-" + hex.EncodeToString(b[:])
}
