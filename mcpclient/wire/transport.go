package wire

import (
	"context"
	"encoding/json"
	"io"
	"net/netip"
	"time"
)

// Transport carries the messages of one connection. Implementations are
// mcpclient/stdio and mcpclient/http.
type Transport interface {
	// Start begins to receive and hands everything that happens to h until
	// Close. Its error says why nothing could be started (a program that does
	// not exist, for example); an address that nobody answers shows at the
	// first Send instead.
	Start(ctx context.Context, h Handler) error

	// Send hands m to the server and returns without waiting for its reply.
	// The reply to a request comes through Handler.Receive, or
	// Handler.Failed when the transport knows that none will come. An error
	// means that m was not and will not be sent. Send may be called from many
	// goroutines and never blocks on a server that does not read.
	Send(m Message, o SendOptions) error

	// Forget ends the wait for the reply to the request id: HTTP closes the
	// request's stream. On stdio it does nothing (the connection sends
	// notifications/cancelled there). Unknown ids are ignored.
	Forget(id ID)

	// Close ends the connection in order and within the bounds of the
	// transport, or sooner when ctx ends. It may be called twice, and while
	// Send runs.
	Close(ctx context.Context) error
}

// SendOptions are what a transport may need beside the message.
type SendOptions struct {
	// Protocol is the revision this message is written in, for example
	// "2026-07-28"; "" before anything was negotiated (initialize).
	Protocol string
	// Modern says that Protocol is 2026-07-28 or later: HTTP then adds
	// Mcp-Method and Mcp-Name and sends no session id.
	Modern bool
	// Header are further HTTP headers of this one message (x-mcp-header
	// parameters), complete names with values as plain text: the transport
	// encodes what a header cannot carry as it is. Ignored by stdio.
	Header map[string]string
	// Call is the id of the person's call that a request belongs to, "" for none:
	// who is asked for credentials is told for what.
	Call string
	// Undelivered, if not nil, is called once when a notification or response
	// was not taken by the server, and why. For a request Handler.Failed is
	// called instead. It may be called from any goroutine.
	Undelivered func(error)
}

// Handler receives what a transport sees. Its methods are called from the
// transport's own goroutines, one call at a time for one stream, and return
// quickly: they never wait for a person or for another message.
type Handler interface {
	// Receive delivers one message. over is the id of the request on whose
	// reply stream it came, the zero ID on stdio and on streams of no request.
	Receive(m Message, over ID)
	// Failed says that no reply to the request id will come, and why.
	Failed(id ID, err error)
	// Noticed reports something odd that ended nothing: a line on standard
	// output that is no message, a line of standard error, a refused stream. It
	// is called at a bounded rate (see Notices).
	Noticed(n Notice)
	// Closed is called once, after the last Receive, when the transport has
	// ended by itself (err says why) or by Close (err nil).
	Closed(err error)
}

// Pulse is what a Handler has that wants to know of signs of life below whole
// messages: bytes of a long reply, keep-alive comments of an event stream.
type Pulse interface {
	// Alive says that bytes came on the reply stream of the request over; the
	// zero ID stands for a stream of no request.
	Alive(over ID)
}

// Heard returns r, telling h of every read that brought bytes, if h is a Pulse.
func Heard(r io.Reader, h Handler, over ID) io.Reader {
	if p, ok := h.(Pulse); ok {
		return heard{r, p, over}
	}
	return r
}

type heard struct {
	io.Reader
	pulse Pulse
	over  ID
}

func (h heard) Read(b []byte) (int, error) {
	n, err := h.Reader.Read(b)
	if n > 0 {
		h.pulse.Alive(h.over)
	}
	return n, err
}

// SessionWatcher is what a Handler has that wants to know at once that the
// server has lost the session, and not only at the next message it sends.
type SessionWatcher interface {
	// SessionLost says that the server no longer knows the session. It is
	// called once for each session, before Failed or Undelivered of the message
	// that found it out; or with no message, when the stream for what the server
	// sends outside requests did. The transport has forgotten the session and
	// ended that stream by then; requests under way go on or fail by themselves.
	// SessionLost may call Send, but never waits.
	SessionLost(err error)
}

// ReachWatcher is what a Handler has that wants to know whether messages get
// through at all, on a transport whose connection outlives that.
type ReachWatcher interface {
	// Unreached says that something did not get through, and why; Reached that
	// the server has answered, whatever it said. Both are called from goroutines
	// of the transport, without locks held, as often as it happens.
	Unreached(err error)
	Reached()
}

// CredentialsWatcher is what a Handler has that wants to know when requests
// begin to carry other credentials than before: what was kept under the old
// ones may not be shown under the new.
type CredentialsWatcher interface {
	// CredentialsChanged is called from a goroutine of the transport, without
	// locks held, before the first request with the new ones.
	CredentialsChanged()
	// Carries is called before each request of a person's call goes out, once it is
	// known with which credentials.
	Carries(call string)
}

// Notice is one oddity or log line of a transport, or several of one kind.
type Notice struct {
	Kind NoticeKind
	Text string // untrusted, at most 4 KiB
	// Count is how many this one stands for. It is 1, or more when they came
	// faster than Notices tells them; Text is that of the last one then.
	Count int
}

// NoticeKind says where a Notice came from.
type NoticeKind string

// The kinds of Notice.
const (
	NoticeStderr NoticeKind = "stderr" // a line a program wrote to standard error
	NoticeStray  NoticeKind = "stray"  // bytes where a message was due
	NoticeStream NoticeKind = "stream" // a side stream failed or was reopened
)

// Tap sees the traffic of a transport for the log page. Payloads are redacted
// by Redact before a Tap gets them; header values never reach it.
type Tap func(Traffic)

// Show gives one message to the tap, redacted; a nil Tap takes nothing.
func (t Tap) Show(outbound bool, message []byte) {
	if t != nil {
		t(Traffic{At: time.Now(), Outbound: outbound, Size: len(message), Message: Redact(message)})
	}
}

// Traffic is one message as a Tap sees it.
type Traffic struct {
	At       time.Time
	Outbound bool
	Size     int             // bytes before redaction
	Message  json.RawMessage // after redaction
}

// Authorizer adds a person's credentials to HTTP requests (MCP authorization).
// The zero transport has none.
type Authorizer interface {
	// Authorize returns the Authorization header's value for a request to the
	// server, "" for none. call is that of SendOptions. It may wait for the keychain
	// and for the authority that renews a token, until ctx ends.
	Authorize(ctx context.Context, call string) (string, error)
	// Challenge is told that a request was answered with 401 or 403. A nil error
	// means that there are other credentials now and the request is worth one
	// more try. It may wait for a person, until ctx ends.
	Challenge(ctx context.Context, c Challenge) error
}

// Challenge is an answer of 401 or 403.
type Challenge struct {
	Status int
	// Header are the values of WWW-Authenticate, one for each time the server
	// sent it. Untrusted.
	Header []string
	// Sent is the Authorization header's value that the request went out with,
	// "" for none: others may have got new credentials meanwhile.
	Sent string
	// Attempt is how often this request was challenged before, Forbidden how
	// often of those with 403.
	Attempt, Forbidden int
	// Call is that of SendOptions.
	Call string
}

// Acceptor is what an Authorizer has that learns whether its new credentials did.
type Acceptor interface {
	// Accepted is told that a request which was challenged, c being the last time,
	// was then answered with something else than 401, 403 or a fault of the server
	// (5xx). It does not wait.
	Accepted(c Challenge)
}

// PlainJudge is what an Authorizer has whose credentials may go to some addresses
// only where nothing is encrypted.
type PlainJudge interface {
	// Plain judges the address that a request with credentials is about to be
	// dialled at without encryption. The error, which should be Explained, ends the
	// request. It does not wait.
	Plain(address netip.Addr) error
}

// User is what an Authorizer has that knows whom its credentials stand for.
type User interface {
	// User tells whom the newest credentials stand for: the name of the person,
	// "" if it is not known, and where they signed in, "" if there were none or
	// no person signed in for them. It does not wait.
	User() (name, host string)
}

// HoldWatcher is what a Handler has whose clocks stop while a request is held
// up on this side of the wire: while it waits for credentials, and the person
// who gives them, the server is not silent.
type HoldWatcher interface {
	// Held says that the request over is held up from now on, or not any more;
	// the zero ID stands for all requests that wait now. The two come in pairs.
	Held(over ID, held bool)
}
