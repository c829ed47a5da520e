package auth

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"parley/mcpclient"
)

// door is the address on this computer that the browser comes back to (RFC 8252
// section 7.3). It is open from the person's yes until the sign-in is settled.
type door struct {
	redirect  string // the whole address
	path      string
	host      string // with the port, which a request has to name
	listeners []net.Listener
	came      chan returned // what the browser brought, once

	work   *sync.WaitGroup // of the goroutines below; nil before serve
	server *http.Server
	shut   sync.Once
}

// returned is what the browser brought, judged. Exactly one of code and why is
// set.
type returned struct {
	code     string
	declined bool
	why      *Refused
}

// loopbacks are the hosts that the browser may be sent back to, and where to
// listen for each.
var loopbacks = map[string][]string{
	"127.0.0.1": {"127.0.0.1"},
	"::1":       {"::1"},
	"localhost": {"127.0.0.1", "::1"},
}

// openDoor listens on a port of this computer; 0 is a free one. With the name
// localhost, which a browser may resolve to either, it listens on both loopback
// addresses where there are both. The error is a *Refused.
func openDoor(setup mcpclient.SignIn, port int) (*door, error) {
	return openDoorBy(net.Listen, setup, port)
}

func openDoorBy(listen listener, setup mcpclient.SignIn, port int) (*door, error) {
	for try := 1; ; try++ {
		d, err := tryDoor(listen, setup, port)
		// A port that is free on one of the addresses may be taken on the other.
		if err == nil || port != 0 || try == maxPorts || !isBusy(err) {
			return d, err
		}
	}
}

// maxPorts is how many free ports are tried.
const maxPorts = 5

// listener is net.Listen.
type listener func(network, address string) (net.Listener, error)

func tryDoor(listen listener, setup mcpclient.SignIn, port int) (*door, error) {
	host, where := doorAt(setup)
	addresses, known := loopbacks[host]
	if !known { // a code is for nobody but this computer
		return nil, refused("auth.signin.listen", "Address", show(host))
	}
	d := &door{path: where, came: make(chan returned, 1)}
	for i, address := range addresses {
		l, err := listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
		if err != nil && i > 0 && !isBusy(err) {
			continue // there is no IPv6 here
		}
		if err != nil {
			d.close()
			if isBusy(err) {
				return nil, refused("auth.signin.port", "Port", strconv.Itoa(port)).because(err)
			}
			return nil, refused("auth.signin.listen", "Address", show(net.JoinHostPort(host, strconv.Itoa(port)))).because(err)
		}
		d.listeners = append(d.listeners, l)
		port = l.Addr().(*net.TCPAddr).Port
	}
	d.host = net.JoinHostPort(host, strconv.Itoa(port))
	d.redirect = (&url.URL{Scheme: "http", Host: d.host, Path: where}).String()
	return d, nil
}

// port is the one that the browser comes back to.
func (d *door) port() int { return d.listeners[0].Addr().(*net.TCPAddr).Port }

// doorAt is the host and the path that the browser is sent back to.
func doorAt(setup mcpclient.SignIn) (host, where string) {
	host, where = cmp.Or(setup.Host, "127.0.0.1"), cmp.Or(setup.Path, "/callback")
	if !strings.HasPrefix(where, "/") {
		where = "/" + where
	}
	return host, where
}

// Redirect is the address that the browser is sent back to, as its owner registers
// it at an authorization server. It has no port where the setup fixes none: each
// sign-in then has another, which such a server leaves out of account (RFC 8252
// section 7.3).
func Redirect(setup mcpclient.SignIn) string {
	host, where := doorAt(setup)
	switch {
	case setup.Port != 0:
		host = net.JoinHostPort(host, strconv.Itoa(setup.Port))
	case strings.Contains(host, ":"):
		host = "[" + host + "]"
	}
	return (&url.URL{Scheme: "http", Host: host, Path: where}).String()
}

// reopen is the door at the very address redirect, nil where it cannot be had or
// the person wants another one now.
func reopen(setup mcpclient.SignIn, redirect string) *door {
	u, err := url.Parse(redirect)
	if err != nil {
		return nil
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil || setup.Port != 0 && setup.Port != port {
		return nil
	}
	d, err := openDoor(setup, port)
	if err != nil {
		return nil
	}
	if d.redirect != redirect {
		d.close()
		return nil
	}
	return d
}

// wsaInUse is Windows' "address in use", which package syscall does not name on
// other systems.
const wsaInUse = syscall.Errno(10048)

func isBusy(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaInUse)
}

// serve answers the browser until close, on goroutines of work. It is not called
// after close, nor beside it. A request with
// the right state is judged, once; page draws what the browser shows.
func (d *door) serve(work *sync.WaitGroup, state string, judge func(url.Values) returned, page func(http.ResponseWriter, sight)) {
	var settled atomic.Bool
	d.work = work
	d.server = &http.Server{
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // what browsers do to it is nobody's business
	}
	d.server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !d.named(r.Host): // a name that somebody let lead here
			http.Error(w, "", http.StatusForbidden)
			return
		case r.URL.Path != d.path:
			http.NotFound(w, r)
			return
		case r.Method != http.MethodGet:
			w.Header().Set("Allow", http.MethodGet)
			http.Error(w, "", http.StatusMethodNotAllowed)
			return
		}
		q := r.URL.Query()
		if len(q["state"]) != 1 || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(state)) != 1 {
			page(w, sight{kind: sightStranger})
			return
		}
		if settled.Swap(true) {
			page(w, sight{kind: sightAgain})
			return
		}
		back := judge(q)
		page(w, sightOf(back))
		d.came <- back // after the page: what comes next closes the door
	})
	for _, l := range d.listeners {
		work.Go(func() { d.server.Serve(l) }) // ends with close
	}
}

// named reports whether a request is for the door by its own name. Browsers leave
// out the port that is the scheme's own (RFC 9110 section 4.2.3).
func (d *door) named(host string) bool {
	return strings.EqualFold(host, d.host) || strings.EqualFold(host+":80", d.host)
}

// farewell is how long a page that is on its way may take after close.
const farewell = 2 * time.Second

// close frees the port at once. A page that is being sent is sent to its end.
func (d *door) close() {
	d.shut.Do(func() {
		for _, l := range d.listeners {
			l.Close()
		}
		if d.server == nil {
			return
		}
		d.work.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), farewell)
			defer cancel()
			if d.server.Shutdown(ctx) != nil {
				d.server.Close()
			}
		})
	})
}
