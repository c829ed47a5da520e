package http

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
)

// AddressKind says what is wrong with an address.
type AddressKind string

// The kinds of AddressError.
const (
	AddressInvalid  AddressKind = "invalid"  // no URL at all
	AddressScheme   AddressKind = "scheme"   // neither http nor https
	AddressHost     AddressKind = "host"     // no host, or an impossible one
	AddressPort     AddressKind = "port"     // not 1 to 65535
	AddressUser     AddressKind = "user"     // a user name or password in it
	AddressFragment AddressKind = "fragment" // a part after #
)

// AddressError says why an address cannot be one of an MCP server. It does not
// repeat the address, which may hold secrets.
type AddressError struct{ Kind AddressKind }

func (e *AddressError) Error() string { return "the address of the server: bad " + string(e.Kind) }

// Sentence names the fault.
func (e *AddressError) Sentence() i18n.Message {
	return i18n.M("client.transport.address." + string(e.Kind))
}

// HeaderKind says what is wrong with a header.
type HeaderKind string

// The kinds of HeaderError.
const (
	HeaderName     HeaderKind = "name"     // not a header name
	HeaderValue    HeaderKind = "value"    // characters that no header may have
	HeaderReserved HeaderKind = "reserved" // a header that HTTP itself sets
)

// HeaderError says why a header cannot be sent. It never has the value.
type HeaderError struct {
	Kind HeaderKind
	Name string
}

func (e *HeaderError) Error() string { return fmt.Sprintf("header %q: bad %s", e.Name, e.Kind) }

// Sentence names the header and the fault.
func (e *HeaderError) Sentence() i18n.Message {
	return i18n.M("client.transport.header."+string(e.Kind), "Name", e.Name)
}

// StatusError is an HTTP answer that is not the reply asked for: a status of
// 400 and above, another unexpected status, or a page instead of a message.
type StatusError struct {
	Status      int
	Host        string // that answered, with its port if it has one; "" if nobody knows
	ContentType string // without parameters; "" if there was none
	HTML        bool   // the body is a web page
	// RPC is the JSON-RPC error in the body, nil if there is none. Its id was
	// not looked at: it answers what was posted.
	RPC        *wire.Error
	RetryAfter time.Duration // 0 if the server named none
	// Text is the start of a body that is neither, or the title of the web page;
	// untrusted, at most 1 KiB.
	Text string
}

func (e *StatusError) Error() string {
	s := fmt.Sprintf("the server answered with HTTP status %d", e.Status)
	switch {
	case e.RPC != nil:
		s += ": " + e.RPC.Error()
	case e.HTML:
		s += " and a web page"
	case e.ContentType != "":
		s += " and " + e.ContentType
	}
	return s
}

// Unwrap returns the JSON-RPC error in the body.
func (e *StatusError) Unwrap() error {
	if e.RPC == nil {
		return nil
	}
	return e.RPC
}

// Sentence says who answered, what the status means to a person and, where the
// server says so, when it is worth another try.
func (e *StatusError) Sentence() i18n.Message {
	id := "client.transport.status.other"
	switch s := e.Status; {
	case s < 400 && e.HTML:
		id = "client.transport.status.page"
	case s < 400:
		id = "client.transport.status.unexpected"
	case s == 401:
		id = "client.transport.status.unauthorized"
	case s == 403:
		id = "client.transport.status.forbidden"
	case s == 404 || s == 405 || s == 410:
		id = "client.transport.status.not_here"
	case s == 407:
		id = "client.transport.status.proxy"
	case s == 413:
		id = "client.transport.status.too_large"
	case s == 429:
		id = "client.transport.status.busy"
	case s >= 500:
		id = "client.transport.status.server"
	}
	var who any = e.Host
	if e.Host == "" {
		who = i18n.M("client.transport.the_server")
	}
	said := i18n.M(id, "Host", who, "Status", e.Status, "Type", e.ContentType)
	if e.RetryAfter > 0 && (e.Status == 429 || e.Status >= 500) {
		return i18n.M("client.transport.status.later", "What", said, "Wait", inWords(e.RetryAfter))
	}
	return said
}

// inWords puts a time into words, rounded up to what a person waits by.
func inWords(d time.Duration) i18n.Message {
	up := func(unit time.Duration) int { return int((d + unit - 1) / unit) }
	switch {
	case d <= 90*time.Second:
		return i18n.N("client.transport.wait.seconds", up(time.Second))
	case d <= 90*time.Minute:
		return i18n.N("client.transport.wait.minutes", up(time.Minute))
	case d <= 36*time.Hour:
		return i18n.N("client.transport.wait.hours", up(time.Hour))
	}
	return i18n.N("client.transport.wait.days", up(24*time.Hour))
}

// SessionLostError says that the server no longer knows the session (404). The
// transport has forgotten it as well: the next step is a new initialize.
type SessionLostError struct{}

func (e *SessionLostError) Error() string { return "the server no longer knows the session" }

// Sentence says so to a person.
func (e *SessionLostError) Sentence() i18n.Message { return i18n.M("client.transport.session_lost") }

// RedirectError says that a server sent a request on to another address and
// that Parley did not follow.
type RedirectError struct {
	Status int
	To     string // where to, without the query; "" if it was no usable address. Untrusted.
	Loop   bool   // it went on and on
}

func (e *RedirectError) Error() string {
	if e.Loop {
		return "too many redirects"
	}
	return fmt.Sprintf("refused a redirect (HTTP status %d) to %q", e.Status, wire.Clip(e.To, 300))
}

// Sentence names the other address, so that a person can enter it.
func (e *RedirectError) Sentence() i18n.Message {
	switch {
	case e.Loop:
		return i18n.M("client.transport.redirect.loop")
	case e.To == "":
		return i18n.M("client.transport.redirect.nowhere")
	}
	return i18n.M("client.transport.redirect.elsewhere", "To", wire.Clip(e.To, 300))
}

// AuthorizationError is what an Authorizer answered when it had no credentials
// to offer.
type AuthorizationError struct {
	Status int // 401 or 403; 0 when nothing was asked of the server yet
	Err    error
}

func (e *AuthorizationError) Error() string { return fmt.Sprintf("signing in: %v", e.Err) }

func (e *AuthorizationError) Unwrap() error { return e.Err }

// Sentence is that of the Authorizer's error, if it has one.
func (e *AuthorizationError) Sentence() i18n.Message {
	if m := wire.Sentence(e.Err); !m.IsZero() {
		return m
	}
	return (&StatusError{Status: 401}).Sentence()
}

// ReplyKind says what is wrong with a reply.
type ReplyKind string

// The kinds of ReplyError.
const (
	ReplyMissing  ReplyKind = "missing"  // the exchange ended in order, without a reply to the request
	ReplyCut      ReplyKind = "cut"      // the exchange broke off
	ReplyInvalid  ReplyKind = "invalid"  // the reply is no JSON-RPC message
	ReplyEncoding ReplyKind = "encoding" // in a compression that was not asked for
)

// ReplyError says that a request was answered, but not with a reply.
type ReplyError struct {
	Kind ReplyKind
	Err  error // what happened below; may be nil
}

func (e *ReplyError) Error() string {
	s := "reading the reply: " + string(e.Kind)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *ReplyError) Unwrap() error { return e.Err }

// Sentence says so to a person; of a reply that is no message, why it is none.
func (e *ReplyError) Sentence() i18n.Message {
	id := "client.transport.reply." + string(e.Kind)
	if bad, ok := errors.AsType[*wire.DecodeError](e.Err); ok && e.Kind == ReplyInvalid {
		return i18n.M(id, "Reason", bad.Why())
	}
	return i18n.M(id, "Reason", i18n.M("client.transport.decode.unknown"))
}

// NetworkKind says why a server was not reached.
type NetworkKind string

// The kinds of NetworkError.
const (
	NetworkName    NetworkKind = "name"    // the host's name is unknown
	NetworkRefused NetworkKind = "refused" // nothing listens there
	NetworkTimeout NetworkKind = "timeout" // no connection in time
	NetworkTLS     NetworkKind = "tls"     // the certificate or the encryption was not accepted
	NetworkPlain   NetworkKind = "plain"   // https was asked for and the server speaks http
	NetworkProxy   NetworkKind = "proxy"   // the proxy was not reached
	NetworkBroken  NetworkKind = "broken"  // anything else
)

// NetworkError says that a server was not reached, or that the connection broke
// before it answered.
type NetworkError struct {
	Kind NetworkKind
	Host string // that was to be reached, with its port if it has one
	Err  error
}

func (e *NetworkError) Error() string { return fmt.Sprintf("reaching %s: %v", e.Host, e.Err) }

func (e *NetworkError) Unwrap() error { return e.Err }

// Sentence names the host and what is the matter.
func (e *NetworkError) Sentence() i18n.Message {
	return i18n.M("client.transport.network."+string(e.Kind), "Host", e.Host)
}

// wsaRefused is Windows' "connection refused", which package syscall does not
// name on other systems.
const wsaRefused = syscall.Errno(10061)

// newNetworkError sorts err, which a RoundTripper returned.
func newNetworkError(host string, err error) *NetworkError {
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err // its text has the whole address, secrets in it included
	}
	e := &NetworkError{Kind: NetworkBroken, Host: host, Err: err}
	var (
		op      *net.OpError
		dns     *net.DNSError
		timeout net.Error
		cert    *tls.CertificateVerificationError
		host509 x509.HostnameError
		record  tls.RecordHeaderError
		alert   tls.AlertError
	)
	switch {
	case errors.As(err, &op) && op.Op == "proxyconnect":
		e.Kind = NetworkProxy
	case errors.As(err, &dns) && !dns.IsTimeout:
		e.Kind = NetworkName
	case errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, wsaRefused):
		e.Kind = NetworkRefused
	case errors.As(err, &record) || strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		e.Kind = NetworkPlain
	case errors.As(err, &cert) || errors.As(err, &host509) || errors.As(err, &alert):
		e.Kind = NetworkTLS
	case errors.As(err, &timeout) && timeout.Timeout():
		e.Kind = NetworkTimeout
	case errors.Is(err, io.EOF):
		e.Err = errors.New("the connection was closed without an answer")
	}
	return e
}
