package http

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Origin is where an address leads, for the identity of a server.
type Origin struct {
	Origin    string // scheme://host[:port], the port left out if it is the scheme's own
	Scheme    string // "http" or "https"
	Host      string // lower case, ASCII (Punycode); an IPv6 address without brackets
	Port      string // always set
	Encrypted bool   // https
	Loopback  bool   // this computer: localhost, 127.0.0.0/8, ::1
}

// Name is what a server there is called for want of another name: its host, on this
// computer with the port, since that alone tells such servers apart.
func (o Origin) Name() string {
	if _, place, found := strings.Cut(o.Origin, "://"); o.Loopback && found {
		return place
	}
	return o.Host
}

// ParseOrigin reads the address of an MCP server. The error is an
// *AddressError.
func ParseOrigin(address string) (Origin, error) {
	o, _, err := parse(address)
	return o, err
}

// parse checks address and returns its origin and itself.
func parse(address string) (Origin, *url.URL, error) {
	fault := func(kind AddressKind) (Origin, *url.URL, error) {
		return Origin{}, nil, &AddressError{Kind: kind}
	}
	u, err := url.Parse(address)
	switch {
	case !strings.Contains(address, "://"): // "localhost:80" would parse as a scheme
		return fault(AddressScheme)
	case err != nil:
		// The error's text repeats the address, secrets in it included.
		return fault(AddressInvalid)
	case u.Scheme != "http" && u.Scheme != "https":
		return fault(AddressScheme)
	case u.Opaque != "" || u.Hostname() == "":
		return fault(AddressHost)
	case u.User != nil:
		return fault(AddressUser)
	case u.Fragment != "" || strings.Contains(address, "#"):
		return fault(AddressFragment)
	}
	host, ok := asciiHost(u.Hostname())
	if !ok {
		return fault(AddressHost)
	}
	own := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	port := u.Port()
	if port == "" {
		port = own
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return fault(AddressPort)
	} else {
		port = strconv.FormatUint(n, 10)
	}
	o := Origin{Scheme: u.Scheme, Host: host, Port: port, Encrypted: u.Scheme == "https", Loopback: isLoopback(host)}
	u.Host = net.JoinHostPort(host, port)
	if port == own {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	o.Origin = u.Scheme + "://" + u.Host
	return o, u, nil
}

// asciiHost returns host in lower case and Punycode. Names with an underscore,
// which IDNA refuses but container networks use, are taken as they are.
func asciiHost(host string) (string, bool) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.String(), true
	}
	if strings.Trim(host, nameCharacters) == "" {
		return strings.ToLower(host), true
	}
	host, err := idna.Lookup.ToASCII(host)
	return host, err == nil && strings.Trim(host, nameCharacters) == ""
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"

func isLoopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	host = strings.TrimSuffix(host, ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
