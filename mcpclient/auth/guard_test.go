package auth

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	nethttp "parley/mcpclient/http"
)

var (
	remote = nethttp.Origin{Origin: "https://mcp.example", Host: "mcp.example"}
	local  = nethttp.Origin{Origin: "http://127.0.0.1:1", Host: "127.0.0.1", Loopback: true}
)

func reasonOf(err error) reason {
	if f, ok := errors.AsType[*forbidden](err); ok {
		return f.reason
	}
	if err != nil {
		return reason(err.Error())
	}
	return ""
}

// What is dialled decides: MCP Security Best Practices, "Block Private IP Ranges".
func TestWhichAddressesMayBeDialled(t *testing.T) {
	const ok = reason("")
	for _, c := range []struct {
		address                  string
		remote, local, exception reason // over TLS
	}{
		{"93.184.216.34", ok, ok, ok},
		{"2606:2800:220:1:248:1893:25c8:1946", ok, ok, ok},
		{"64:ff9b::5db8:d822", ok, ok, ok}, // NAT64 of a public address
		{"127.0.0.1", reasonPrivate, ok, ok},
		{"127.8.8.8", reasonPrivate, ok, ok},
		{"::1", reasonPrivate, ok, ok},
		{"::ffff:127.0.0.1", reasonPrivate, ok, ok},
		{"10.0.0.1", reasonPrivate, reasonPrivate, ok},
		{"172.16.0.1", reasonPrivate, reasonPrivate, ok},
		{"192.168.1.1", reasonPrivate, reasonPrivate, ok},
		{"::ffff:192.168.1.1", reasonPrivate, reasonPrivate, ok},
		{"64:ff9b::c0a8:101", reasonPrivate, reasonPrivate, ok}, // NAT64 of 192.168.1.1
		{"100.64.0.1", reasonPrivate, reasonPrivate, ok},
		{"198.18.0.1", reasonPrivate, reasonPrivate, ok},
		{"fd00::1", reasonPrivate, reasonPrivate, ok},
		{"169.254.169.254", reasonReserved, reasonReserved, reasonReserved},
		{"::ffff:169.254.169.254", reasonReserved, reasonReserved, reasonReserved},
		{"64:ff9b::a9fe:a9fe", reasonReserved, reasonReserved, reasonReserved},
		{"169.254.1.1", reasonReserved, reasonReserved, reasonReserved},
		{"fe80::1", reasonReserved, reasonReserved, reasonReserved},
		{"fe80::1%eth0", reasonReserved, reasonReserved, reasonReserved},
		{"100.100.100.200", reasonReserved, reasonReserved, reasonReserved}, // Alibaba's metadata
		{"168.63.129.16", reasonReserved, reasonReserved, reasonReserved},   // Azure's
		{"fd00:ec2::254", reasonReserved, reasonReserved, reasonReserved},   // AWS's
		{"0.0.0.0", reasonReserved, reasonReserved, reasonReserved},
		{"::", reasonReserved, reasonReserved, reasonReserved},
		{"::7f00:1", reasonReserved, reasonReserved, reasonReserved}, // IPv4-compatible
		{"224.0.0.1", reasonReserved, reasonReserved, reasonReserved},
		{"ff02::1", reasonReserved, reasonReserved, reasonReserved},
		{"240.0.0.1", reasonReserved, reasonReserved, reasonReserved},
		{"255.255.255.255", reasonReserved, reasonReserved, reasonReserved},
		{"192.0.2.1", reasonReserved, reasonReserved, reasonReserved},
		{"198.51.100.1", reasonReserved, reasonReserved, reasonReserved},
		{"203.0.113.1", reasonReserved, reasonReserved, reasonReserved},
		{"192.88.99.1", reasonReserved, reasonReserved, reasonReserved},
		{"2001:db8::1", reasonReserved, reasonReserved, reasonReserved},
		{"2002:c0a8:101::1", reasonReserved, reasonReserved, reasonReserved}, // 6to4 of 192.168.1.1
		{"2001:0:1::1", reasonReserved, reasonReserved, reasonReserved},      // Teredo
		{"64:ff9b:1::1", reasonReserved, reasonReserved, reasonReserved},
		{"100::1", reasonReserved, reasonReserved, reasonReserved},
		{"fec0::1", reasonPrivate, reasonPrivate, ok},
		{"4000::1", reasonReserved, reasonReserved, reasonReserved},
	} {
		addr := netip.MustParseAddr(c.address)
		for who, g := range map[string]*guard{"remote": newGuard(remote, false, nil), "local": newGuard(local, false, nil), "exception": newGuard(remote, true, nil)} {
			want := map[string]reason{"remote": c.remote, "local": c.local, "exception": c.exception}[who]
			at := netip.AddrPortFrom(addr, 443).String()
			if got := reasonOf(g.dials(t.Context(), at)); got != want {
				t.Errorf("%s for %s: %q, want %q", c.address, who, got, want)
			}
		}
	}
}

func TestWhichAddressesAreNotEvenResolved(t *testing.T) {
	const ok = reason("")
	for _, c := range []struct {
		address                  string
		remote, local, exception reason
	}{
		{"https://as.example/x", ok, ok, ok},
		{"https://as.example:8443/x?y=1", ok, ok, ok},
		{"http://as.example/x", reasonPlain, reasonPlain, ok}, // and public once it is resolved
		{"http://93.184.216.34/x", reasonPlain, reasonPlain, reasonPlain},
		{"http://localhost/x", reasonPrivate, ok, ok},
		{"http://a.localhost./x", reasonPrivate, ok, ok},
		{"https://localhost/x", reasonPrivate, ok, ok},
		{"http://127.0.0.1/x", reasonPrivate, ok, ok},
		{"http://[::1]:80/x", reasonPrivate, ok, ok},
		{"http://192.168.1.1/x", reasonPrivate, reasonPrivate, ok},
		{"http://169.254.169.254/latest/meta-data/", reasonReserved, reasonReserved, reasonReserved},
		{"https://[::ffff:10.0.0.1]/x", reasonPrivate, reasonPrivate, ok},
		{"javascript:alert(1)", reasonMalformed, reasonMalformed, reasonMalformed},
		{"file:///etc/passwd", reasonMalformed, reasonMalformed, reasonMalformed},
		{"ftp://as.example/x", reasonScheme, reasonScheme, reasonScheme},
		{"https://user:secret@as.example/x", reasonMalformed, reasonMalformed, reasonMalformed},
		{"https://as.example/x#y", reasonMalformed, reasonMalformed, reasonMalformed},
		{"https:///x", reasonMalformed, reasonMalformed, reasonMalformed},
		{"as.example", reasonMalformed, reasonMalformed, reasonMalformed},
		{"https://as.example/" + strings.Repeat("x", maxAddress), reasonMalformed, reasonMalformed, reasonMalformed},
	} {
		for who, g := range map[string]*guard{"remote": newGuard(remote, false, nil), "local": newGuard(local, false, nil), "exception": newGuard(remote, true, nil)} {
			want := map[string]reason{"remote": c.remote, "local": c.local, "exception": c.exception}[who]
			if _, err := g.address(c.address); reasonOf(err) != want {
				t.Errorf("%.60s for %s: %q, want %q", c.address, who, reasonOf(err), want)
			}
		}
	}
	// What resolvers and browsers take for an address without its looking so: no
	// name of the Internet looks like this, so it is resolved or refused, and what
	// is dialled is judged.
	for _, odd := range []string{"https://0x7f.1/", "https://2130706433/", "https://0177.0.0.1/"} {
		g := newGuard(remote, false, nil)
		if _, err := g.address(odd); err == nil {
			if got := reasonOf(g.dials(t.Context(), "127.0.0.1:443")); got != reasonPrivate {
				t.Errorf("%s: %q", odd, got)
			}
		}
	}
}

func TestAddressesWithoutEncryptionLeadToThisComputerOrThePrivateNetwork(t *testing.T) {
	plain := context.WithValue(t.Context(), plainKey{}, true)
	g := newGuard(remote, true, nil)
	for address, want := range map[string]reason{"93.184.216.34:80": reasonPlain, "192.168.1.1:80": "", "127.0.0.1:80": ""} {
		if got := reasonOf(g.dials(plain, address)); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// names is a name server in memory that answers each question for an IPv4
// address with the next of its addresses, the last one for good.
type names struct {
	mu        sync.Mutex
	addresses []netip.Addr
	asked     int
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go n.serve(server)
		return client, nil
	}}
}

// serve answers the questions of one connection; a pipe is no packet connection,
// so each message has its length before it.
func (n *names) serve(c net.Conn) {
	defer c.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		question := make([]byte, int(size[0])<<8|int(size[1]))
		if _, err := io.ReadFull(c, question); err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(question) != nil {
			return
		}
		m.Response, m.Additionals = true, nil
		for _, q := range m.Questions {
			if q.Type != dnsmessage.TypeA {
				continue
			}
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}, Body: &dnsmessage.AResource{A: n.next().As4()},
			})
		}
		answer, err := m.Pack()
		if err != nil {
			return
		}
		if _, err := c.Write(append([]byte{byte(len(answer) >> 8), byte(len(answer))}, answer...)); err != nil {
			return
		}
	}
}

func (n *names) next() netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	a := n.addresses[min(n.asked, len(n.addresses)-1)]
	n.asked++
	return a
}

// The time-of-check problem of the same page: the name is public when it is
// looked up first, and leads to this computer when it is dialled.
func TestANameThatResolvesToAnotherAddressTheNextTimeGainsNothing(t *testing.T) {
	reached := false
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	n := &names{addresses: []netip.Addr{netip.MustParseAddr("127.0.0.1")}}
	g := newGuard(remote, false, nil)
	g.client.Transport = g.network(&net.Dialer{Resolver: n.resolver()}, http.ProxyFromEnvironment)
	address := "https://rebinding.example:" + port + "/"
	if _, err := g.address(address); err != nil {
		t.Fatalf("the name alone is refused, so this test shows nothing: %v", err)
	}
	_, err = g.get(t.Context(), address)
	if reasonOf(err) != reasonPrivate || reached || n.asked == 0 {
		t.Errorf("a name that leads here: %v, reached %v, resolved %d times", err, reached, n.asked)
	}
	// The same name is reached with the exception: it was the address, not the
	// name, that was refused.
	g = newGuard(remote, true, nil)
	g.client.Transport = g.network(&net.Dialer{Resolver: n.resolver()}, http.ProxyFromEnvironment)
	if _, err = g.get(t.Context(), address); reasonOf(err) == reasonPrivate {
		t.Errorf("with the exception: %v", err)
	}
	if !errors.As(err, new(*tls.CertificateVerificationError)) && !errors.As(err, new(x509.HostnameError)) {
		t.Errorf("with the exception it should get as far as the certificate: %v", err)
	}
}

func TestRedirectsAreFewAndEachIsJudged(t *testing.T) {
	chain := func(n int) string { return fmt.Sprintf("https://as.example/%d", n) }
	for name, c := range map[string]struct {
		to   string // where the first address sends on to
		want reason
	}{
		"to another host":            {"https://other.example/end", ""},
		"to the metadata of a cloud": {"https://169.254.169.254/", reasonReserved},
		"to the router":              {"https://192.168.1.1/", reasonPrivate},
		"to this computer":           {"https://localhost/", reasonPrivate},
		"off encryption":             {"http://other.example/end", reasonPlain},
		"to a file":                  {"file:///etc/passwd", reasonMalformed},
		"three times":                {chain(2), ""},
		"without end":                {chain(1), reasonRedirects},
	} {
		g := newGuard(remote, false, handled(func(w http.ResponseWriter, r *http.Request) {
			var n int
			switch {
			case r.URL.Path == "/end" || r.URL.Path == "/5":
				fmt.Fprint(w, `{}`)
			case r.URL.Path == "/":
				http.Redirect(w, r, c.to, http.StatusFound)
			default:
				fmt.Sscanf(r.URL.Path, "/%d", &n)
				to := chain(n + 1)
				if n == 3 {
					to = "https://as.example/end"
				}
				if name == "without end" {
					to = chain(n)
				}
				http.Redirect(w, r, to, http.StatusFound)
			}
			if r.Header.Get("Referer") != "" {
				t.Errorf("%s: says where it came from", name)
			}
		}))
		_, err := g.get(t.Context(), "https://as.example/")
		if got := reasonOf(err); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestARequestWithCredentialsFollowsNoRedirect(t *testing.T) {
	strayed := false
	g := newGuard(remote, false, handled(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/token" {
			strayed = true
		}
		http.Redirect(w, r, "https://other.example/", http.StatusTemporaryRedirect)
	}))
	_, err := g.post(t.Context(), "https://as.example/token", client{ID: "x", Secret: "canary", Method: byBasic}, map[string][]string{})
	if d, ok := errors.AsType[*denial](err); !ok || d.status != http.StatusTemporaryRedirect || strayed {
		t.Errorf("%v, strayed %v", err, strayed)
	}
}

// The proxy of the person's system is theirs, wherever it is; what is written as
// an address is judged before it is asked.
func TestAProxyIsReachedWhereItIsAndAskedForNamesOnly(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.Host)
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	g := newGuard(remote, false, nil)
	g.client.Transport = g.network(&net.Dialer{}, http.ProxyURL(at))
	if _, err := g.get(t.Context(), "https://as.example/x"); err == nil || reasonOf(err) == reasonPrivate {
		t.Errorf("a name: %v, want the proxy's no", err)
	}
	if _, err := g.get(t.Context(), "https://192.168.1.1/x"); reasonOf(err) != reasonPrivate {
		t.Errorf("an address: %v", err)
	}
	if strings.Join(asked, ", ") != "CONNECT as.example:443" {
		t.Errorf("the proxy was asked for %v", asked)
	}
}

func TestAnAnswerIsBounded(t *testing.T) {
	g := newGuard(remote, false, handled(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(bytes.Repeat([]byte(" "), maxBody+1))
	}))
	if _, err := g.get(t.Context(), "https://as.example/"); err == nil {
		t.Error("an answer over the bound was read")
	}
}
