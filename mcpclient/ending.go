package mcpclient

import (
	"errors"
	"fmt"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
)

// ending is how open questions die without an answer: what the person reads,
// and what a server that pushed them is told. An answer is a person's alone
// (C13: cancel is sent for a dismissal), so cancel goes out only where the
// person ended the call or the connection themselves. A server that ended the
// request itself, or that was given up, is told with an error that nobody
// answers any more. Where the connection broke, nothing is sent: what became of
// the server nobody knows.
//
//	how it ends                        the person reads     a push is answered with
//	the person cancels the request     core.end.cancelled   cancel
//	the person closes the connection   core.end.closed      cancel
//	a result, or a JSON-RPC error      core.end.returned    an error
//	an invalid reply, an HTTP status   core.end.failed      an error
//	the server is silent for too long  core.end.failed      an error
//	the reply stream breaks off        core.end.broken      nothing
//	the server is not reached          core.end.broken      nothing
//	the session is lost                core.end.session     nothing
//	the connection is lost             core.end.lost        nothing
type ending struct {
	why  i18n.Message
	tell telling
}

// telling is what a server is told of a pushed question that dies.
type telling int

const (
	tellNothing telling = iota
	tellCancel          // the person has dismissed it
	tellOver            // the request it belongs to is over
)

// The endings that no request brings about.
var (
	endClosed  = ending{i18n.M("core.end.closed"), tellCancel}
	endSession = ending{i18n.M("core.end.session"), tellNothing}
	endLost    = ending{i18n.M("core.end.lost"), tellNothing}
)

// errClosing is errCancelled where the person closes the whole connection.
var errClosing = fmt.Errorf("closing: %w", errCancelled)

// endingOf returns how the questions of a call die that ended with err; nil is
// a result.
func endingOf(err error) ending {
	if gone, ok := errors.AsType[errGone](err); ok {
		if gone.cause == nil {
			return endClosed
		}
		return endLost
	}
	switch {
	case errors.Is(err, errClosing):
		return endClosed
	case errors.Is(err, errCancelled):
		return ending{i18n.M("core.end.cancelled"), tellCancel}
	case isSessionLoss(err):
		return endSession
	case err == nil:
		return ending{i18n.M("core.end.returned"), tellOver}
	}
	switch callFailure(err).Kind {
	case FailRPC:
		return ending{i18n.M("core.end.returned"), tellOver}
	case FailLost:
		return ending{i18n.M("core.end.broken"), tellNothing}
	}
	return ending{i18n.M("core.end.failed"), tellOver}
}

// endPushes lets all open pushed questions die.
func (k *Connection) endPushes(e ending) {
	k.endSome(func(*push) bool { return true }, e)
}

// endPushesOf lets the pushed questions of a call die with it.
func (k *Connection) endPushesOf(callID string, err error) {
	k.endSome(func(p *push) bool { return p.callID == callID }, endingOf(err))
}

func (k *Connection) endSome(match func(*push) bool, e ending) {
	k.mu.Lock()
	var ended []*push
	for _, p := range k.pushes {
		if match(p) {
			ended = append(ended, p)
		}
	}
	k.mu.Unlock()
	for _, p := range ended {
		p.close()
		if !k.client.kill(p.q, e.why) || k.isDone() {
			continue
		}
		switch e.tell {
		case tellCancel:
			k.respond(p.id, encodeAnswer(Answer{Action: Cancel}), nil)
		case tellOver:
			k.respond(p.id, nil, &wire.Error{Code: wire.CodeInternal,
				Message: "elicitation/create: nobody has answered, and the request it belongs to is over"})
		}
	}
}
