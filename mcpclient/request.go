package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
)

// pending is a request that waits for its reply.
type pending struct {
	id     wire.ID
	callID string        // "" for requests of no call
	token  string        // its progress token; "" for none
	reply  chan reply    // buffered for the one reply
	stir   chan struct{} // buffered: the server gave a sign of life, or a question opened or closed

	mu        sync.Mutex
	questions int // open questions that stop the clock
}

// reply is what ended a pending request.
type reply struct {
	message wire.Message
	err     error
}

// touch restarts the clock of the request.
func (p *pending) touch() {
	select {
	case p.stir <- struct{}{}:
	default:
	}
}

// pause and unpause count the open questions that stop the clock: a person
// thinking costs nothing.
func (p *pending) pause()   { p.count(+1) }
func (p *pending) unpause() { p.count(-1) }

func (p *pending) count(n int) {
	p.mu.Lock()
	p.questions += n
	p.mu.Unlock()
	p.touch()
}

func (p *pending) paused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.questions > 0
}

// requestOptions are what a request needs beside its method and params.
type requestOptions struct {
	protocol string
	modern   bool
	callID   string
	silence  time.Duration     // longest silence while no question is open; 0 is for ever
	token    string            // progress token, to give progress to callID
	header   map[string]string // further HTTP headers
	keep     bool              // the request must not be cancelled (initialize)
	hello    bool              // the request makes the connection, or its new session
	began    func(wire.ID)     // is told the request's id before it is sent; may be nil
}

// request sends a request and waits for its result. A person's open question
// stops the clock. The error is a *wire.Error as the server sent it, the
// transport's own error, errSession, errSilent, errGone, or the cause of ctx.
func (k *Connection) request(ctx context.Context, method string, params json.RawMessage, o requestOptions) (json.RawMessage, error) {
	if o.hello {
		return k.exchange(ctx, method, params, o)
	}
	number, err := k.sessionIn(ctx)
	if err != nil {
		return nil, err
	}
	result, err := k.exchange(ctx, method, params, o)
	if err != nil {
		err = k.lostSession(number, err)
		k.changedEra(err)
		return nil, err
	}
	k.proves(number)
	return result, nil
}

// exchange is one request and its reply, whatever the state of the session.
func (k *Connection) exchange(ctx context.Context, method string, params json.RawMessage, o requestOptions) (json.RawMessage, error) {
	p := &pending{callID: o.callID, token: o.token, reply: make(chan reply, 1), stir: make(chan struct{}, 1)}
	if err := k.register(p); err != nil {
		return nil, err
	}
	defer k.unregister(p)
	if o.began != nil {
		o.began(p.id)
	}
	m := wire.Message{ID: p.id, Method: method, Params: params}
	err := k.transport.Send(m, wire.SendOptions{Protocol: o.protocol, Modern: o.modern, Header: o.header})
	var result json.RawMessage
	if err == nil {
		result, err = k.await(ctx, p, o)
	}
	if errors.Is(err, wire.ErrClosed) {
		// The transport knows already, and is about to say why.
		select {
		case <-k.done:
			return nil, errGone{k.ended()}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return result, err
}

// await waits for the reply to p.
func (k *Connection) await(ctx context.Context, p *pending, o requestOptions) (json.RawMessage, error) {
	var clock *time.Timer
	var ran <-chan time.Time
	if o.silence > 0 {
		clock = time.NewTimer(o.silence)
		defer clock.Stop()
		ran = clock.C
	}
	for {
		select {
		case r := <-p.reply:
			if r.err != nil {
				return nil, r.err
			}
			if r.message.Error != nil {
				return nil, r.message.Error
			}
			return r.message.Result, nil
		case <-p.stir:
			if clock == nil {
				continue
			}
			clock.Stop()
			if !p.paused() {
				clock.Reset(o.silence)
			}
		case <-ran:
			if p.paused() {
				continue
			}
			k.abandon(p, o, "time-out")
			return nil, errSilent{o.silence}
		case <-ctx.Done():
			k.abandon(p, o, "cancelled by the person")
			return nil, context.Cause(ctx)
		case <-k.done:
			// The reply may have come just before the end.
			select {
			case r := <-p.reply:
				if r.err == nil && r.message.Error == nil {
					return r.message.Result, nil
				}
			default:
			}
			return nil, errGone{k.ended()}
		}
	}
}

// register gives p its id and lets replies find it.
func (k *Connection) register(p *pending) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.isDone() {
		return errGone{k.failure}
	}
	k.lastID++
	p.id = wire.NumberID(k.lastID)
	k.pending[p.id] = p
	return nil
}

func (k *Connection) unregister(p *pending) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.pending, p.id)
}

// abandon stops waiting for a reply and tells the server so: on stdio and to
// legacy servers by notifications/cancelled; on modern HTTP closing the stream
// is the sign (2026-07-28, "Cancellation").
func (k *Connection) abandon(p *pending, o requestOptions, reason string) {
	if !o.keep && (k.server.Kind == Stdio || !o.modern) {
		params := encode(member{"requestId", json.RawMessage(p.id.String())}, member{"reason", quote(reason)})
		k.notify("notifications/cancelled", params, o)
	}
	k.transport.Forget(p.id)
}

// notify sends a notification; one that cannot be sent is dropped, since the
// transport that refused it reports its own end.
func (k *Connection) notify(method string, params json.RawMessage, o requestOptions) {
	m := wire.Message{Method: method, Params: params}
	if err := k.transport.Send(m, wire.SendOptions{Protocol: o.protocol, Modern: o.modern}); err != nil {
		k.notice(i18n.M("core.notice.unsent", "Method", method), err.Error())
	}
}

// errSilent says that the server gave no sign of life for too long.
type errSilent struct{ after time.Duration }

func (e errSilent) Error() string { return "no sign of life for " + e.after.String() }

// errGone says that the connection ended; cause is nil when it was closed.
type errGone struct{ cause *Failure }

func (e errGone) Error() string {
	if e.cause == nil {
		return "the connection was closed"
	}
	return e.cause.Error()
}

// errCancelled is the cause of a context that a person's cancel ended.
var errCancelled = errors.New("cancelled")

func cancelledByPerson() error { return errCancelled }
