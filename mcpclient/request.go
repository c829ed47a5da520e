package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
)

// pending is a request that waits for its reply. What is below answered is
// under Connection.mu.
type pending struct {
	id       wire.ID
	callID   string        // "" for requests of no call
	token    string        // its progress token; "" for none
	hello    bool          // it is part of the handshake, where noise is no sign of life
	answered chan struct{} // closed when reply is set

	reply     reply
	silence   time.Duration // longest silence of the server; 0 is for ever
	deadline  time.Time     // when it will have been silent for too long
	questions int           // what stops the clock: open questions (a person thinking costs nothing), and being held up on this side
}

// reply is what ended a pending request.
type reply struct {
	message wire.Message
	err     error
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
	p := &pending{callID: o.callID, token: o.token, hello: o.hello, answered: make(chan struct{}), silence: o.silence}
	if err := k.register(p); err != nil {
		return nil, err
	}
	defer k.unregister(p)
	m := wire.Message{ID: p.id, Method: method, Params: params}
	err := k.transport.Send(m, wire.SendOptions{Protocol: o.protocol, Modern: o.modern, Header: o.header, Call: o.callID})
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
	select {
	case <-p.answered:
		if _, silent := p.reply.err.(errSilent); silent {
			k.abandon(p, o, "time-out")
		}
		return p.reply.result()
	case <-ctx.Done():
		k.abandon(p, o, "cancelled by the person")
		return nil, context.Cause(ctx)
	case <-k.done:
		// The reply may have come just before the end.
		select {
		case <-p.answered:
			if result, err := p.reply.result(); err == nil {
				return result, nil
			}
		default:
		}
		return nil, errGone{k.ended()}
	}
}

// result is what the reply brought.
func (r reply) result() (json.RawMessage, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.message.Error != nil {
		return nil, r.message.Error
	}
	return r.message.Result, nil
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
	k.watch(p, time.Now())
	return nil
}

// watch starts the clock of p anew at now, unless a question stops it. All requests of
// a connection share one timer, which rings when the first of them may have
// waited too long. k.mu is held.
func (k *Connection) watch(p *pending, now time.Time) {
	if p.silence == 0 || p.questions > 0 {
		return
	}
	p.deadline = now.Add(p.silence)
	if !k.rings.IsZero() && !p.deadline.Before(k.rings) {
		return
	}
	k.rings = p.deadline
	if k.clock == nil {
		k.clock = time.AfterFunc(p.silence, k.ring)
	} else {
		k.clock.Reset(p.silence)
	}
}

// Held implements wire.HoldWatcher: while a request waits for credentials, its
// clock stands.
func (k *Connection) Held(over wire.ID, held bool) {
	if held {
		k.client.stepAside(k.server.ID)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if p, ok := k.pending[over]; ok {
		k.hold(p, held)
	} else if over.IsZero() {
		for _, p := range k.pending {
			k.hold(p, held)
		}
	}
}

// hold stops the clock of p, or lets it run again. k.mu is held.
func (k *Connection) hold(p *pending, held bool) {
	switch {
	case held:
		p.questions++
	case p.questions > 0: // else it is younger than the hold
		p.questions--
		k.watch(p, time.Now())
	}
}

// ring gives up the requests on which the server has been silent for too long,
// and sets the clock for the others.
func (k *Connection) ring() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.isDone() {
		return
	}
	now := time.Now()
	k.rings = time.Time{}
	for id, p := range k.pending {
		switch {
		case p.silence == 0 || p.questions > 0:
		case !p.deadline.After(now):
			k.end(id, reply{err: errSilent{p.silence}})
		case k.rings.IsZero() || p.deadline.Before(k.rings):
			k.rings = p.deadline
		}
	}
	if !k.rings.IsZero() {
		k.clock.Reset(k.rings.Sub(now))
	}
}

// end hands a reply to the request that waits for it, if one does. k.mu is held.
func (k *Connection) end(id wire.ID, r reply) {
	if p, ok := k.pending[id]; ok {
		delete(k.pending, id)
		p.reply = r
		close(p.answered)
	}
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
		k.notice(i18n.M("core.notice.unsent", "Method", method, "Reason", requestFailure(err).Text), "")
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
