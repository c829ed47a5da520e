// Package stdio runs an MCP server as a program on this computer and talks to
// it over its standard input and output, one JSON-RPC message a line (MCP
// 2026-07-28 and earlier, basic/transports, "stdio").
//
// # What is read
//
// A server must write nothing but messages to its standard output. Many print
// banners, colours, package manager warnings or a byte order mark all the
// same, so whatever is no message is stepped over and told as a
// wire.NoticeStray; the connection goes on. Messages behind such text on the
// same line, several messages on one line, and one message spread over several
// lines by a pretty-printer are understood. A message over the size limit is
// read past, never kept; when it can be seen to answer a request, that request
// alone fails.
//
// Lines of standard error are kept (the last 200) and told as
// wire.NoticeStderr. They do not mean that anything failed.
//
// # What is written
//
// Send only queues; one goroutine writes. A server that does not read fills
// the queue up to a bound, from which on Send fails.
//
// # Start and end
//
// The program is started directly, never by a shell, in a process group of its
// own (Windows: a job object, without a console window). A name that is not in
// our PATH is looked for in the one of the person's login shell. Close asks in the
// order the specification gives: close standard input, 2 s, ask the group to
// terminate (where the system knows such a thing), 2 s, kill the group. What a
// wrapper script started dies with the wrapper. A process that leaves its
// group (setsid) escapes this.
//
// When Parley itself dies without a Close, the same is left to others: on
// Windows the job ends with its last handle; elsewhere a small shell that runs
// as long as any program does, the guard, ends the groups that are left.
package stdio

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/mcpclient/wire"
)

// Command is the program to run.
type Command struct {
	// Path is a program name, looked up in PATH, or a path. A relative path
	// with a separator in it is relative to Dir.
	Path string
	Args []string // without the program's name
	Env  []string // "NAME=value", added to Parley's own environment
	Dir  string   // working directory; "" is Parley's own
	// Agree is told which file a program's name was found at in PATH, before that very
	// file is started; its error ends the start. nil agrees to any. It is not asked
	// about a program that Path names by a path.
	Agree func(file string) error
}

// Options change how a Transport works. The zero Options are the usual ones.
type Options struct {
	Tap wire.Tap // sees the traffic, redacted; may be nil
	// MaxMessage is the size limit of one received message in bytes; 0 is
	// wire.DefaultMaxMessage.
	MaxMessage int64
}

// grace is how long each step of an ending may take before the next one.
const grace = 2 * time.Second

// Transport is a wire.Transport over the standard streams of a program. It
// starts one process in its life.
type Transport struct {
	command Command
	options Options
	grace   time.Duration // grace, shorter in tests

	handler wire.Handler
	notices *wire.Notices
	queue   *queue
	stderr  ring

	mu      sync.Mutex
	started bool
	closing chan struct{} // closed by the first Close
	hurry   chan struct{} // closed when a Close must not wait any longer
	done    chan struct{} // closed after Handler.Closed, or when Start has failed
}

// New returns a Transport that Start will run c with.
func New(c Command, o Options) *Transport {
	if o.MaxMessage == 0 {
		o.MaxMessage = wire.DefaultMaxMessage
	}
	return &Transport{
		command: c,
		options: o,
		grace:   grace,
		queue:   newQueue(),
		closing: make(chan struct{}),
		hurry:   make(chan struct{}),
		done:    make(chan struct{}),
	}
}

// Start runs the program. The error is a *StartError, that of Command.Agree,
// the context's, or wire.ErrClosed after Close or a second Start. ctx bounds the start alone.
func (t *Transport) Start(ctx context.Context, h wire.Handler) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	if t.started || t.isClosing() {
		t.mu.Unlock()
		return wire.ErrClosed
	}
	t.started = true
	t.mu.Unlock()
	p, err := start(ctx, t.command)
	if err != nil {
		t.queue.finish(wire.ErrClosed)
		close(t.done)
		return err
	}
	t.handler = h
	t.notices = wire.NewNotices(h)
	go t.run(p)
	return nil
}

// Send queues m. The error is wire.ErrClosed, a *wire.BacklogError, an
// *InputError, or about a message that cannot be written as JSON.
func (t *Transport) Send(m wire.Message, o wire.SendOptions) error {
	line, err := wire.Encode(m)
	if err != nil {
		return err
	}
	i := item{line: append(line, '\n'), undelivered: o.Undelivered}
	if m.Kind() == wire.Request {
		i.id = m.ID
	}
	return t.queue.add(i)
}

// Forget does nothing: all replies share one stream, and the connection sends
// notifications/cancelled.
func (t *Transport) Forget(wire.ID) {}

// Close ends the program as the package comment says, within about three times
// 2 s, and returns when it has ended. When ctx ends first, the program is
// killed at once. It must not be called from a method of the Handler. The
// error says that the program could not be made to end.
func (t *Transport) Close(ctx context.Context) error {
	t.mu.Lock()
	if !t.isClosing() {
		close(t.closing)
	}
	started := t.started
	t.mu.Unlock()
	t.queue.finish(wire.ErrClosed)
	if !started {
		return nil
	}
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	if !closed(t.hurry) {
		close(t.hurry)
	}
	t.mu.Unlock()
	select {
	case <-t.done:
		return nil
	case <-time.After(t.grace):
		return errors.New("the program cannot be killed")
	}
}

// Stderr returns the last lines the program wrote to standard error, at most
// 200 of at most 4 KiB. They are text from a stranger.
func (t *Transport) Stderr() []string { return t.stderr.lines() }

func (t *Transport) isClosing() bool { return closed(t.closing) }

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
