package mcpclient

import (
	"context"
	"encoding/json"
	"errors"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// invalid is the failure of a reply that is not valid.
func invalid(id string, values ...any) *Failure {
	return &Failure{Kind: FailInvalid, Text: i18n.M(id, values...)}
}

// requestFailure turns what ended a request into words: the one place that
// does.
func requestFailure(err error) *Failure {
	var f *Failure
	var gone errGone
	var silent errSilent
	var revision errRevision
	rpc := rpcError(err)
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, errCancelled), errors.Is(err, context.Canceled):
		return &Failure{Kind: FailCancelled, Text: i18n.M("core.fail.cancelled")}
	case rpc != nil:
		return rpcFailure(rpc)
	case isSessionLoss(err):
		return &Failure{Kind: FailLost, Text: i18n.M("core.fail.unrepeated")}
	case errors.As(err, &gone):
		if gone.cause != nil {
			return gone.cause
		}
		return &Failure{Kind: FailLost, Text: i18n.M("core.fail.closed")}
	case errors.As(err, &silent):
		return &Failure{Kind: FailTimeout, Text: i18n.M("core.fail.silent", "Bound", silent.after.String())}
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{Kind: FailTimeout, Text: i18n.M("core.fail.deadline")}
	case errors.As(err, &revision):
		return &Failure{Kind: FailLost, Text: i18n.M("core.connect.nocommon", "Offered", list(revision.offered))}
	}
	if say := wire.Sentence(err); !say.IsZero() {
		return &Failure{Kind: kindOf(err), Text: say}
	}
	return &Failure{Kind: FailLost, Text: i18n.M("core.fail.other", "Reason", clip(err.Error()))}
}

func isSessionLoss(err error) bool {
	_, ok := errors.AsType[errSession](err)
	return ok
}

// connectFailure is requestFailure for a connection that could not be made:
// whatever went wrong, there is none.
func connectFailure(err error) *Failure {
	f := *requestFailure(err)
	if f.Kind != FailTimeout && f.Kind != FailCancelled {
		f.Kind = FailLost
	}
	return &f
}

// lost is the failure of a connection that ended by itself.
func lost(err error) *Failure {
	if say := wire.Sentence(err); !say.IsZero() {
		return &Failure{Kind: FailLost, Text: say}
	}
	return &Failure{Kind: FailLost, Text: i18n.M("core.fail.lost")}
}

// kindOf tells a server that answered, but not with a valid reply, from one
// that gave no answer.
func kindOf(err error) FailureKind {
	// A reply that broke off may carry the status of the attempt to go on with
	// it: what became of the reply decides.
	if reply, ok := errors.AsType[*http.ReplyError](err); ok {
		if reply.Kind == http.ReplyInvalid || reply.Kind == http.ReplyEncoding {
			return FailInvalid
		}
		return FailLost
	}
	if _, ok := errors.AsType[*http.StatusError](err); ok {
		return FailInvalid
	}
	if _, ok := errors.AsType[*wire.DecodeError](err); ok {
		return FailInvalid
	}
	if _, ok := errors.AsType[*wire.TooLargeError](err); ok {
		return FailInvalid
	}
	return FailLost
}

// rpcFailure puts a server's JSON-RPC error into words; the server's own stand
// beside them in Message.
func rpcFailure(e *wire.Error) *Failure {
	f := &Failure{Kind: FailRPC, Code: e.Code, Message: e.Message, Data: e.Data}
	switch e.Code {
	case wire.CodeMissingCapability:
		f.Text = i18n.M("core.rpc.capability", "What", required(e.Data))
	case wire.CodeURLElicitationRequired:
		f.Text = i18n.M("core.rpc.url")
	case wire.CodeMethodNotFound:
		f.Text = i18n.M("core.rpc.method")
	default:
		f.Text = i18n.M("core.rpc.error", "Code", e.Code)
	}
	return f
}

// required names the capabilities that a -32021 error asks for.
func required(data json.RawMessage) string {
	wanted, _ := rawjson.Lookup(data, "requiredCapabilities")
	capabilities, _, _ := rawjson.ObjectUpTo(wanted, maxNamed)
	names := make([]string, len(capabilities))
	for i, c := range capabilities {
		names[i] = c.Key
	}
	return list(names)
}

// maxNamed is how many of a server's names a sentence may have.
const maxNamed = 20

// list joins what a server offers for a sentence; "–" for nothing.
func list(items []string) string {
	s := ""
	for _, i := range items {
		if s != "" {
			s += ", "
		}
		s += clip(i)
	}
	if s == "" {
		return "–"
	}
	return clip(s)
}
