package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"parley/assets/i18n"
	"parley/mcpclient/http"
	"parley/mcpclient/stdio"
	"parley/mcpclient/wire"
)

func TestEveryEndOfARequestIsPutIntoWords(t *testing.T) {
	for _, c := range []struct {
		err  error
		kind FailureKind
	}{
		{&wire.Error{Code: -32603, Message: "boom"}, FailRPC},
		{&http.StatusError{Status: 400, RPC: &wire.Error{Code: -32600, Message: "no"}}, FailRPC},
		{&http.StatusError{Status: 500}, FailInvalid},
		{&http.StatusError{Status: 200, HTML: true}, FailInvalid},
		{&wire.DecodeError{Reason: wire.ReasonNothing}, FailInvalid},
		{&wire.TooLargeError{Limit: 1}, FailInvalid},
		{&http.ReplyError{Kind: http.ReplyInvalid}, FailInvalid},
		{&http.ReplyError{Kind: http.ReplyMissing}, FailLost},
		{&http.ReplyError{Kind: http.ReplyCut}, FailLost},
		{&http.SessionLostError{}, FailLost},
		{&http.NetworkError{Kind: http.NetworkRefused, Err: errors.New("refused")}, FailLost},
		{&stdio.ExitError{Program: "p", Code: 3}, FailLost},
		{wire.ErrClosed, FailLost},
		{errGone{}, FailLost},
		{errSilent{}, FailTimeout},
		{context.DeadlineExceeded, FailTimeout},
		{context.Canceled, FailCancelled},
		{errCancelled, FailCancelled},
		{errRevision{offered: []string{"2030-01-01"}}, FailLost},
		{errors.New("the unexpected"), FailLost},
	} {
		f := requestFailure(fmt.Errorf("wrapped: %w", c.err))
		if f.Kind != c.kind {
			t.Errorf("%T %v: kind %s, want %s", c.err, c.err, f.Kind, c.kind)
		}
		if words := f.Error(); len(words) < 15 || words == f.Text.ID {
			t.Errorf("%T %v: %q is no sentence", c.err, c.err, words)
		}
	}
}

// gaveUp is an error with a sentence of its own.
type gaveUp struct{ error }

func (gaveUp) Sentence() i18n.Message {
	return i18n.M("auth.signin.unreachable", "Host", "login.example")
}

func (e gaveUp) Unwrap() error { return e.error }

// TestATimeOutNamesWhatRanOut: the authorization server, where that was waited for.
func TestATimeOutNamesWhatRanOut(t *testing.T) {
	f := requestFailure(&http.AuthorizationError{Status: 401, Err: gaveUp{context.DeadlineExceeded}})
	if f.Kind != FailTimeout || f.Text.ID != "auth.signin.unreachable" {
		t.Errorf("%s: %s", f.Kind, f.Error())
	}
	f = requestFailure(&http.AuthorizationError{Err: context.DeadlineExceeded})
	if f.Kind != FailTimeout || f.Text.ID != "core.fail.deadline" {
		t.Errorf("of the request itself, %s: %s", f.Kind, f.Error())
	}
}

// What a server says beside a fault of its own stands beside our sentence; what
// it says beside a refusal is for those who decide on that.
func TestAServersWordsBesideItsFaultAreKept(t *testing.T) {
	for _, c := range []struct {
		err  http.StatusError
		want string
	}{
		{http.StatusError{Status: 500, Text: " Internal error\n"}, "Internal error"},
		{http.StatusError{Status: 502, HTML: true, Text: "502 Bad Gateway"}, "502 Bad Gateway"},
		{http.StatusError{Status: 503}, ""},
		{http.StatusError{Status: 500, Text: "\xff\xfe"}, ""},
		{http.StatusError{Status: 401, Text: "who are you"}, ""},
	} {
		if f := requestFailure(&c.err); f.Message != c.want || f.Code != 0 {
			t.Errorf("%+v: %q, want %q", c.err, f.Message, c.want)
		}
	}
}
