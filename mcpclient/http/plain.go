package http

import (
	"context"
	"net"
	nethttp "net/http"
	"net/netip"
	"syscall"

	"parley/mcpclient/wire"
)

// Credentials that go out without encryption can be read by everybody on the way, so
// what counts is where that leads: the address that is dialled, after the name was
// resolved. A name of a private network is somebody else's in another one. An
// Authorizer that is a [wire.PlainJudge] judges that address; requests without
// credentials go wherever the person's address leads. A proxy that the person's
// system names is dialled as it is: what lies behind it is its own rule.

// misplaced says that an address must not get credentials.
type misplaced struct{ err error }

func (e *misplaced) Error() string { return "dialling with credentials: " + e.err.Error() }

func (e *misplaced) Unwrap() error { return e.err }

// judged returns the way for requests with credentials, nil where it is that of all.
func judged(origin Origin, o Options) *nethttp.Transport {
	judge, ok := o.Authorizer.(wire.PlainJudge)
	if !ok || origin.Encrypted || o.Client != nil {
		return nil
	}
	dialer := newDialer()
	dialer.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err == nil {
			err = judge.Plain(at.Addr())
		}
		if err != nil {
			return &misplaced{err}
		}
		return nil
	}
	return newClient(dialer)
}

// way is how r goes out.
func (t *Transport) way(r *nethttp.Request, credentials string) nethttp.RoundTripper {
	if t.judged == nil || credentials == "" {
		return t.client
	}
	if proxy, err := nethttp.ProxyFromEnvironment(r); err != nil || proxy != nil {
		return t.client
	}
	return t.judged
}

// newDialer is how connections are made.
func newDialer() *net.Dialer { return &net.Dialer{Timeout: dialLimit, KeepAlive: dialLimit} }
