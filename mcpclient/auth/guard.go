package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"parley/consent"
	"parley/mcpclient"
	nethttp "parley/mcpclient/http"
)

// Bounds of what is asked of authorization servers.
const (
	maxRedirects   = 3
	maxBody        = 512 << 10
	fetchLimit     = 15 * time.Second // one answer, redirects included
	discoveryLimit = 45 * time.Second // all of finding out
)

// guard is the way to addresses that strangers name: metadata, and the endpoints
// in them. Without it, a server could make the app talk to the router, to a
// service of this computer or to a cloud's metadata (MCP Security Best
// Practices, "Server-Side Request Forgery"; RFC 9728 section 7.7). The rules:
//
//   - Addresses are https. http is for this computer and, with the exception,
//     for private networks; never for the internet.
//   - Addresses of this computer are for servers that run on it: those gain
//     nothing that they could not reach themselves.
//   - Addresses of private networks need an exception that the person makes for
//     the server (mcpclient.SignIn.Intranet). It opens this computer's, too.
//   - Link-local, multicast and reserved addresses, the metadata services of
//     clouds, and IPv4 addresses wrapped into IPv6 ones that lead to any of these
//     are reached by nobody.
//   - What counts is the address that is dialled, after the name was resolved: a
//     name that resolves to something else the next time gains nothing.
//   - Redirects are few and each is judged like the first address; from https
//     they never lead to http. A request with a body, which holds credentials,
//     follows none.
//   - Answers are bounded in size and time. There are no cookies, and no
//     connection is kept.
//
// A proxy that the person's system names is used and dialled as it is: names are
// then resolved on its side, and what it lets through is its own rule. Addresses
// that are written as such are judged here all the same.
type guard struct {
	loopback bool // the server runs on this computer
	intranet bool // the person made the exception
	client   *http.Client
}

// newGuard is the way for a server at origin. replaced stands for the network
// if it is not nil.
func newGuard(origin nethttp.Origin, intranet bool, replaced http.RoundTripper) *guard {
	g := &guard{loopback: origin.Loopback, intranet: intranet}
	transport := replaced
	if transport == nil {
		transport = g.network(&net.Dialer{Timeout: fetchLimit}, http.ProxyFromEnvironment)
	}
	g.client = &http.Client{Transport: transport, CheckRedirect: g.redirect}
	return g
}

// network is a transport whose dialler judges addresses, other than that of the
// proxy that a request goes through.
func (g *guard) network(dialer *net.Dialer, proxyOf func(*http.Request) (*url.URL, error)) http.RoundTripper {
	dialer.ControlContext = func(ctx context.Context, _, address string, _ syscall.RawConn) error {
		return g.dials(ctx, address)
	}
	direct := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    fetchLimit,
		ResponseHeaderTimeout:  fetchLimit,
		MaxResponseHeaderBytes: 64 << 10,
		DisableKeepAlives:      true,
		ForceAttemptHTTP2:      true,
	}
	proxied := direct.Clone()
	proxied.DialContext = (&net.Dialer{Timeout: fetchLimit}).DialContext
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		r = r.WithContext(context.WithValue(r.Context(), plainKey{}, r.URL.Scheme == "http"))
		proxy, err := proxyOf(r)
		if err != nil {
			return nil, err
		}
		if proxy == nil {
			resp, err := direct.RoundTrip(r)
			if r.Response != nil {
				err = ledTo(r.URL, err)
			}
			return resp, err
		}
		through := proxied.Clone()
		through.Proxy = http.ProxyURL(proxy)
		return through.RoundTrip(r)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// plainKey is the key of the dialling context's value that says whether the
// request is not encrypted.
type plainKey struct{}

// dials judges an address, with its port, that is about to be dialled.
func (g *guard) dials(ctx context.Context, address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return &forbidden{reason: reasonReserved}
	}
	plain, _ := ctx.Value(plainKey{}).(bool)
	return g.judge(at.Addr(), plain)
}

// judge says whether an address may be reached, without encryption if plain.
func (g *guard) judge(addr netip.Addr, plain bool) error {
	switch zoneOf(addr) {
	case consent.Public:
		if plain {
			return &forbidden{reason: reasonPlain}
		}
		return nil
	case consent.Loopback:
		if g.loopback || g.intranet {
			return nil
		}
		return &forbidden{reason: reasonPrivate}
	case consent.Private:
		if g.intranet {
			return nil
		}
		return &forbidden{reason: reasonPrivate}
	}
	return &forbidden{reason: reasonReserved}
}

var (
	// nat64 wraps an IPv4 address that a network without IPv4 reaches by it (RFC
	// 6052): the one in it counts.
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
	// routed is all of IPv6 that hosts of the internet have (RFC 4291 section
	// 2.4 as assigned by the IANA).
	routed = netip.MustParsePrefix("2000::/3")
	// documented are addresses that no host has (RFC 5737, RFC 3849, RFC 9637),
	// and the old way to 6to4 (RFC 7526).
	documented = []netip.Prefix{
		netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
		netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("3fff::/20"),
	}
)

// zoneOf is consent.ZoneOf, stricter: link-local addresses and those that no
// host of the internet has are Unusable.
func zoneOf(addr netip.Addr) consent.Zone {
	addr = addr.Unmap()
	if nat64.Contains(addr) {
		b := addr.As16()
		addr = netip.AddrFrom4([4]byte(b[12:]))
	}
	if addr.IsLinkLocalUnicast() {
		return consent.Unusable
	}
	zone := consent.ZoneOf(addr)
	if zone != consent.Public {
		return zone
	}
	for _, p := range documented {
		if p.Contains(addr) {
			return consent.Unusable
		}
	}
	if addr.Is6() && !routed.Contains(addr) {
		return consent.Unusable
	}
	return consent.Public
}

// address judges an address before it is resolved, and returns it parsed.
func (g *guard) address(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || len(raw) > maxAddress || u.Opaque != "" || u.Hostname() == "" || u.User != nil || strings.Contains(raw, "#") {
		return nil, &forbidden{reason: reasonMalformed}
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		return nil, &forbidden{reason: reasonScheme}
	}
	o, err := nethttp.ParseOrigin(raw) // as the transport of the server reads it
	if err != nil {
		return nil, &forbidden{reason: reasonMalformed}
	}
	plain := u.Scheme == "http"
	if ip, err := netip.ParseAddr(o.Host); err == nil {
		return u, g.judge(ip, plain)
	}
	switch {
	case o.Loopback:
		return u, g.judge(netip.IPv6Loopback(), plain)
	case plain && !g.intranet:
		return u, &forbidden{reason: reasonPlain}
	}
	return u, nil
}

// maxAddress is the longest address that is taken from metadata, in bytes.
const maxAddress = 4 << 10

// redirect is http.Client's CheckRedirect.
func (g *guard) redirect(r *http.Request, via []*http.Request) error {
	if via[0].Method != http.MethodGet {
		return http.ErrUseLastResponse
	}
	if len(via) > maxRedirects {
		return &forbidden{reason: reasonRedirects}
	}
	if _, err := g.address(r.URL.String()); err != nil {
		return ledTo(r.URL, err)
	}
	if via[len(via)-1].URL.Scheme == "https" && r.URL.Scheme != "https" {
		return ledTo(r.URL, &forbidden{reason: reasonPlain})
	}
	r.Header.Del("Referer")
	return nil
}

// answer is what an address said.
type answer struct {
	status int
	body   []byte
}

// ask sends r, whose address was judged, and reads the answer within bounds.
// The error is a *forbidden or one of the network; neither has the address.
func (g *guard) ask(r *http.Request) (answer, error) {
	ctx, cancel := context.WithTimeout(r.Context(), fetchLimit)
	defer cancel()
	if _, err := g.address(r.URL.String()); err != nil {
		return answer{}, err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", appName) // gateways refuse that of libraries
	resp, err := g.client.Do(r.WithContext(ctx))
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err
		}
		return answer{}, fmt.Errorf("reaching %s: %w", r.URL.Host, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return answer{}, fmt.Errorf("reading the answer of %s: %w", r.URL.Host, err)
	}
	if len(body) > maxBody {
		return answer{}, fmt.Errorf("the answer of %s is over %d bytes", r.URL.Host, maxBody)
	}
	return answer{resp.StatusCode, body}, nil
}

// get asks for the document at an address that was not judged yet. Servers may have
// another one for each revision of MCP (2025-03-26, "Server Metadata Discovery").
func (g *guard) get(ctx context.Context, address string) (answer, error) {
	if _, err := g.address(address); err != nil {
		return answer{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return answer{}, &forbidden{reason: reasonMalformed}
	}
	r.Header.Set("MCP-Protocol-Version", mcpclient.Revisions()[0])
	return g.ask(r)
}

// reason says why an address may not be reached.
type reason string

// The reasons.
const (
	reasonMalformed reason = "malformed" // no address
	reasonScheme    reason = "scheme"    // neither http nor https
	reasonPlain     reason = "plain"     // not encrypted
	reasonPrivate   reason = "private"   // of this computer or a private network
	reasonReserved  reason = "reserved"  // nobody's, or a cloud's metadata
	reasonRedirects reason = "redirects" // too many
)

// forbidden says that the guard let nobody through.
type forbidden struct {
	reason reason
	led    string // the host that a redirect led to; "" if it is about the address itself
}

// ledTo adds to err, if it says that nobody may go to where, that a redirect led
// there.
func ledTo(where *url.URL, err error) error {
	if f, ok := errors.AsType[*forbidden](err); ok {
		f.led = hostOf(where.String())
		if f.led == "" {
			f.led = where.Host
		}
	}
	return err
}

func (e *forbidden) Error() string { return "this address may not be reached: " + string(e.reason) }

// hostOf is the host of an address, with its port if it has one of its own: in
// ASCII, as it is reached. Of what is no such address it is what stands there.
func hostOf(address string) string {
	if o, err := nethttp.ParseOrigin(address); err == nil {
		return strings.TrimPrefix(o.Origin, o.Scheme+"://")
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
