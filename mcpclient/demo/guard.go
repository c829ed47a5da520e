package demo

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// guard refuses what a web page could make a browser send here.
//
// DNS rebinding lets a page reach this computer under the page's own domain
// name, so the Host header must be one that no foreign domain can take: an IP
// address, localhost, or the public address. And a request that carries an
// Origin must come from this server's own pages. Programs send no Origin.
func guard(public *url.URL, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hostAllowed(r.Host, public) {
			http.Error(w, "this Host is not served here", http.StatusForbidden)
			return
		}
		if origins := r.Header.Values("Origin"); len(origins) > 1 ||
			len(origins) == 1 && !originAllowed(origins[0], r.Host, public) {
			http.Error(w, "requests from other sites are not answered", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostAllowed reports whether the Host header names this server in a way that
// a foreign domain cannot.
func hostAllowed(hostport string, public *url.URL) bool {
	if public != nil && strings.EqualFold(hostport, public.Host) {
		return true
	}
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	_, err := netip.ParseAddr(host)
	return err == nil
}

// originAllowed reports whether the Origin header is this server itself.
func originAllowed(origin, host string, public *url.URL) bool {
	if public != nil && strings.EqualFold(origin, public.Scheme+"://"+public.Host) {
		return true
	}
	return strings.EqualFold(origin, "http://"+host)
}

// isLoopback reports whether the host, a name or an address, is this computer.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}
