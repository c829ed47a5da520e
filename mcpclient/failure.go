package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

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
	case rpc != nil && isSignIn(err):
		return withRPC(&Failure{Kind: kindOf(err), Text: wire.Sentence(err)}, rpc)
	case errors.As(err, &revision):
		return withRPC(&Failure{Kind: FailLost, Text: revision.sentence()}, revision.rpc)
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
		// Whoever gave up waiting says for whom, where it was not the whole request
		// that ran out of time.
		if a, ok := errors.AsType[*http.AuthorizationError](err); ok && !wire.Sentence(a.Err).IsZero() {
			return &Failure{Kind: FailTimeout, Text: wire.Sentence(a.Err)}
		}
		return &Failure{Kind: FailTimeout, Text: i18n.M("core.fail.deadline")}
	}
	if say := wire.Sentence(err); !say.IsZero() {
		return &Failure{Kind: kindOf(err), Text: say, Message: saidBeside(err)}
	}
	return &Failure{Kind: FailLost, Text: i18n.M("core.fail.other", "Reason", clip(err.Error()))}
}

// saidBeside is what a server says beside a status of its own faults: often the
// only hint at what is the matter.
func saidBeside(err error) string {
	status, ok := errors.AsType[*http.StatusError](err)
	if !ok || status.Status < 500 || !utf8.ValidString(status.Text) {
		return ""
	}
	return strings.TrimSpace(status.Text)
}

func isSessionLoss(err error) bool {
	_, ok := errors.AsType[errSession](err)
	return ok
}

// sentence says that there is no revision in common.
func (e errRevision) sentence() i18n.Message {
	switch {
	case len(e.offered) == 0:
		return i18n.M("core.connect.nonoffered")
	case e.rpc != nil && slices.ContainsFunc(e.offered, func(r string) bool { return slices.Contains(modernRevisions, r) }):
		return i18n.M("core.connect.contradicts", "Offered", list(e.offered))
	}
	return i18n.M("core.connect.nocommon", "Offered", list(e.offered))
}

// withRPC adds the server's own error to a failure; nil adds nothing.
func withRPC(f *Failure, e *wire.Error) *Failure {
	if e != nil {
		f.Code, f.Message, f.Data = e.Code, e.Message, e.Data
	}
	return f
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

// callFailure is requestFailure for a request over a connection that stands:
// the server is there, whatever status it answers with.
func callFailure(err error) *Failure {
	status, ok := errors.AsType[*http.StatusError](err)
	if ok && status.RPC == nil && (status.Status == 404 || status.Status == 405 || status.Status == 410) {
		return &Failure{Kind: kindOf(err), Text: i18n.M("core.fail.status", "Status", status.Status)}
	}
	return requestFailure(err)
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
	f := withRPC(&Failure{Kind: FailRPC}, e)
	switch e.Code {
	case wire.CodeMissingCapability:
		f.Text = required(e.Data)
	case wire.CodeHeaderMismatch:
		f.Text = i18n.M("core.rpc.header")
	case wire.CodeUnsupportedVersion:
		f.Text = i18n.M("core.rpc.revision")
	case wire.CodeURLElicitationRequired:
		f.Text = i18n.M("core.rpc.url")
	case wire.CodeMethodNotFound:
		f.Text = i18n.M("core.rpc.method")
	default:
		f.Text = i18n.M("core.rpc.error", "Code", e.Code)
	}
	return f
}

// required says which capabilities a -32021 error asks for.
func required(data json.RawMessage) i18n.Message {
	wanted, _ := rawjson.Lookup(data, "requiredCapabilities")
	wants, _, _ := rawjson.ObjectUpTo(wanted, maxNamed)
	var names []string
	for _, c := range wants {
		if c.Key != "elicitation" {
			names = append(names, c.Key)
		}
	}
	switch {
	case len(wants) == 0:
		return i18n.M("core.rpc.unnamed")
	case len(names) == 0:
		return i18n.M("core.rpc.offered", "What", wants[0].Key)
	}
	return i18n.M("core.rpc.capability", "What", list(names))
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
