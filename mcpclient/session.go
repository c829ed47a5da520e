package mcpclient

import (
	"context"
	"errors"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// session is what a connection knows of its session with a server of the 2025
// era. A server that was restarted has forgotten it and answers 404 from then
// on; the client must then begin a new one (2025-11-25, "Session Management").
// What had been asked for is not asked for again: nobody knows how far the
// server had come with it.
type session struct {
	number   int           // grows with every new one
	unproven int           // how many before it were lost without an answer, in a row
	proven   bool          // the server has answered a request in it
	renewing chan struct{} // closed when the new one stands, or is known not to; nil: none is begun
}

// maxUnproven is how many new sessions in a row are begun with a server that
// answers nothing in them: one that is set up wrongly forgets each at once.
const maxUnproven = 3

// closeRenewal is how long a close waits for a session that is half begun.
const closeRenewal = 2 * time.Second

// errSession says that the session a request was sent in is no more.
type errSession struct{}

func (errSession) Error() string { return "the server had lost the session" }

// sessionIn returns the number of the session to send a request in, once there
// is one: a new one may just be begun.
func (k *Connection) sessionIn(ctx context.Context) (int, error) {
	for {
		k.mu.Lock()
		number, renewing := k.session.number, k.session.renewing
		k.mu.Unlock()
		if renewing == nil {
			return number, nil
		}
		select {
		case <-renewing:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case <-k.done:
			return 0, errGone{k.ended()}
		}
	}
}

// proves notes that the server has answered in the session.
func (k *Connection) proves(number int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.session.number == number {
		k.session.proven = true
	}
}

// SessionLost implements wire.SessionWatcher: the transport found out that the
// server has forgotten the session, be it without any request.
func (k *Connection) SessionLost(error) {
	k.mu.Lock()
	number := k.session.number
	k.mu.Unlock()
	k.renew(number)
}

// CredentialsChanged implements wire.CredentialsWatcher.
func (k *Connection) CredentialsChanged() { k.cache.clear() }

// Carries implements wire.CredentialsWatcher: a call is of whom its newest request
// was sent as.
func (k *Connection) Carries(call string) {
	c := k.client
	c.mu.Lock()
	run := c.running[call]
	c.mu.Unlock()
	if run == nil {
		return
	}
	now, was := k.Info().Identity, run.snapshot().Identity
	if was.User != now.User || was.Host != now.Host {
		run.update(func(c *Call) { c.Identity = now })
	}
}

// renew begins a new session in place of the one with the number, once, in the
// background.
func (k *Connection) renew(number int) {
	k.mu.Lock()
	if k.closing || k.isDone() || k.session.number != number || k.session.renewing != nil {
		k.mu.Unlock()
		return
	}
	unproven := k.session.unproven + 1
	if k.session.proven {
		unproven = 0
	}
	if unproven > maxUnproven {
		k.mu.Unlock()
		k.fail(&Failure{Kind: FailLost, Text: i18n.M("core.fail.sessions")})
		return
	}
	stands := make(chan struct{})
	k.session = session{number: number + 1, unproven: unproven, renewing: stands}
	k.mu.Unlock()
	// Told here, so that it stands before the end of the call that found it out.
	k.client.announce(Event{ServerID: k.server.ID, Connection: &Status{
		State: Reconnecting, Failure: &Failure{Kind: FailLost, Text: i18n.M("core.fail.session")}}})
	over := func() {
		k.mu.Lock()
		k.session.renewing = nil
		k.mu.Unlock()
		close(stands)
	}
	if !k.begin(func() { defer over(); k.renewal() }) {
		over() // it is being closed
	}
}

// renewal is the handshake of a new session. One that fails ends the
// connection: the server may be another by now.
func (k *Connection) renewal() {
	k.endPushes(endSession)
	old := k.Info()
	if err := k.initialize(k.life, k.server.silence()); err != nil {
		if k.life.Err() == nil {
			k.client.memory.Remember(k.wanted, Learnt{})
			k.fail(connectFailure(err))
		}
		return
	}
	info := k.Info()
	k.cache.clear()
	k.client.announce(Event{ServerID: k.server.ID, Connection: &Status{State: Connected, Info: &info}})
	if string(old.ServerInfo) != string(info.ServerInfo) {
		k.client.announce(Event{ServerID: k.server.ID, ListChanged: true})
	}
}

// lostSession turns the error of a request that was sent in a session into
// errSession, and begins a new session, where that is what it says.
func (k *Connection) lostSession(number int, err error) error {
	if _, lost := errors.AsType[*http.SessionLostError](err); !lost {
		return err
	}
	k.renew(number)
	return errSession{}
}

// changedEra ends a connection whose server no longer speaks the revision that
// was agreed on: the next one finds out which.
func (k *Connection) changedEra(err error) {
	rpc := rpcError(err)
	if rpc == nil || rpc.Code != wire.CodeUnsupportedVersion || k.server.Protocol != "" {
		return
	}
	k.client.memory.Remember(k.wanted, Learnt{})
	k.fail(&Failure{Kind: FailLost, Text: i18n.M("core.fail.era")})
}
