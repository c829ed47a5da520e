package authtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Running is a handler that is served on loopback.
type Running struct {
	// Origin is where: scheme, host and port.
	Origin string

	server *http.Server
	end    context.CancelFunc
	done   chan error
}

// FreePort is a port of 127.0.0.1 that nobody listens on. It lies below those that
// systems give out by themselves (32768 and up on Linux, 49152 elsewhere), so that no
// other program gets it before the caller does.
func FreePort() (int, error) {
	for {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(12000)))
		switch {
		case errors.Is(err, syscall.EADDRINUSE):
			continue
		case err != nil:
			return 0, err
		}
		return listener.Addr().(*net.TCPAddr).Port, listener.Close()
	}
}

// Start serves what build returns for the origin it gets, on a free port of
// 127.0.0.1, until Close.
func Start(build func(origin string) http.Handler) (*Running, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	origin := "http://" + listener.Addr().String()
	ctx, end := context.WithCancel(context.Background())
	r := &Running{Origin: origin, end: end, done: make(chan error, 1), server: &http.Server{
		Handler:           build(origin),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0),
	}}
	go func() { r.done <- r.server.Serve(listener) }()
	return r, nil
}

// Close ends it, and the requests that are being answered.
func (r *Running) Close() error {
	r.end()
	err := r.server.Close()
	if served := <-r.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
