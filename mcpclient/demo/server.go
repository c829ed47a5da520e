package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/assets/i18n"
)

const (
	// Path is where the server listens for MCP, both eras.
	Path = "/mcp"

	// firstModern is the first revision without sessions. Revisions are dates,
	// so later ones compare greater.
	firstModern = "2026-07-28"

	// sessionIdle is how long a legacy session may be silent. A call in flight,
	// and with it an open question, does not count as silence.
	sessionIdle = time.Hour

	// stateLife bounds the age of a requestState: long enough for a question
	// that is answered the next morning.
	stateLife = 24 * time.Hour

	// headerTimeout bounds how long a client may take to send its headers.
	headerTimeout = 10 * time.Second
)

// revisions are what the server speaks, newest first.
var revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}

// Options say how the demo server is set up. The zero value is a server on a
// free loopback port that speaks English.
type Options struct {
	// Addr is the TCP address that Run listens on, "127.0.0.1:0" if empty.
	Addr string
	// PublicURL is the address of the server's root as others reach it, for
	// example "https://demo.example.org", where that is not the listener's.
	// It must be https unless its host is this computer.
	PublicURL string
	// Language is the language of the tool list and the default of every
	// tool's language argument: a BCP 47 or POSIX name, English if none fits.
	Language string
	// Version is what the server says its version is, "dev" if empty.
	Version string
	// Conformance offers the fixed tools, prompts and resources of the official
	// conformance suite instead of the demo's own.
	Conformance bool
}

// Server is one demo server. It is used for one call of Serve.
type Server struct {
	opts Options
	say  *i18n.Localizer
	mcp  *mcp.Server
	seal *sealer

	links *links
	pages *pages

	now  func() time.Time
	tick time.Duration // the pace of slow_count

	// life ends with Serve. Tool calls of legacy sessions are not tied to the
	// HTTP request they came with, so they are tied to this.
	life context.Context

	mu      sync.Mutex
	closed  bool
	active  sync.WaitGroup // HTTP requests being served
	flights map[*flight]struct{}
}

// flight is one call being played.
type flight struct {
	session string // its id; "" for a modern call
	cancel  context.CancelFunc
}

// New makes a demo server. It does nothing until Serve.
func New(o Options) *Server {
	if o.Version == "" {
		o.Version = "dev"
	}
	s := &Server{
		opts: o,
		say:  i18n.New(o.Language),
		now:  time.Now,
		tick: 400 * time.Millisecond,
		life: context.Background(),

		flights: map[*flight]struct{}{},
	}
	clock := func() time.Time { return s.now() }
	s.seal = newSealer(clock)
	s.links = newLinks(clock)
	self := &mcp.Implementation{
		Name:        "parley-demo",
		Title:       s.say.T("demo.title"),
		Description: s.say.T("demo.about"),
		Version:     o.Version,
	}
	if o.Conformance {
		s.mcp = mcp.NewServer(self, conformanceOptions())
		s.mcp.AddSendingMiddleware(restoreSchema)
		s.addConformance()
		return s
	}
	s.mcp = mcp.NewServer(self, &mcp.ServerOptions{
		Instructions:              s.say.T("demo.about"),
		Capabilities:              &mcp.ServerCapabilities{},
		SupportedProtocolVersions: revisions,
	})
	s.mcp.AddSendingMiddleware(restoreSchema)
	s.addTrip()
	s.addAccount()
	s.addDrafts()
	s.addHello()
	s.addCount()
	s.addPostcard()
	s.addGuide()
	return s
}

// Listen opens the listener for addr, "127.0.0.1:0" if addr is empty.
func Listen(addr string) (net.Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("starting the demo server: %w", err)
	}
	return ln, nil
}

// URL is the address of the MCP endpoint behind ln, as this computer reaches it.
func URL(ln net.Listener) string { return root(ln) + Path }

// root is the listener's address as a URL without a path. A listener on all
// interfaces is reached over loopback.
func root(ln net.Listener) string {
	host, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		return "http://" + ln.Addr().String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Run listens on o.Addr, calls ready with the endpoint's URL once connections
// are taken, and serves until ctx ends, which is no error.
func Run(ctx context.Context, o Options, ready func(url string)) error {
	if err := o.Check(); err != nil {
		return err
	}
	ln, err := Listen(o.Addr)
	if err != nil {
		return err
	}
	ready(URL(ln))
	return New(o).Serve(ctx, ln)
}

// Serve answers on ln until ctx ends, then closes ln, every session and every
// call, and returns nil when all its goroutines are done. Any other end is an
// error.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	public, err := publicRoot(s.opts.PublicURL)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	base := root(ln)
	if public != nil {
		base = public.String()
	}
	life, end := context.WithCancel(ctx)
	defer end()
	s.life = life
	s.pages = newPages(base, s.links)

	srv := &http.Server{
		Handler:           s.counted(guard(public, s.routes())),
		BaseContext:       func(net.Listener) context.Context { return life },
		ReadHeaderTimeout: headerTimeout,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()

	select {
	case err = <-failed:
	case <-ctx.Done():
		err = nil
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	end()
	closeErr := srv.Close()
	s.active.Wait()
	s.links.close()
	for session := range s.mcp.Sessions() {
		// The peer is gone by now; that its session ends with an error is expected.
		_ = session.Close()
	}
	if err != nil {
		return fmt.Errorf("demo server: %w", err)
	}
	if closeErr != nil && !errors.Is(closeErr, net.ErrClosed) {
		return fmt.Errorf("closing the demo server: %w", closeErr)
	}
	return nil
}

// routes is the address space: the MCP endpoint and the pages.
func (s *Server) routes() http.Handler {
	server := func(*http.Request) *mcp.Server { return s.mcp }
	// The guard in front knows the public address; the SDK's own check does not.
	modern := mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true,
	})
	legacy := mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		SessionTimeout:             sessionIdle,
		DisableLocalhostProtection: true,
	})
	mux := http.NewServeMux()
	mux.HandleFunc(Path, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= firstModern {
			modern.ServeHTTP(w, r)
			return
		}
		if id := r.Header.Get("Mcp-Session-Id"); r.Method == http.MethodDelete && id != "" {
			s.hangUp(id)
		}
		legacy.ServeHTTP(w, r)
	})
	s.pages.register(mux)
	return mux
}

// counted lets Serve wait for the requests it has begun to answer.
func (s *Server) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			http.Error(w, "the server is closing", http.StatusServiceUnavailable)
			return
		}
		s.active.Add(1)
		s.mu.Unlock()
		defer s.active.Done()
		next.ServeHTTP(w, r)
	})
}

// within ties ctx to the life of Serve and of the session with the id. The
// returned function releases it.
func (s *Server) within(ctx context.Context, session string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.life, cancel)
	f := &flight{session: session, cancel: cancel}
	s.mu.Lock()
	s.flights[f] = struct{}{}
	s.mu.Unlock()
	return ctx, func() {
		s.mu.Lock()
		delete(s.flights, f)
		s.mu.Unlock()
		stop()
		cancel()
	}
}

// hangUp ends the calls of a session whose client says goodbye. The SDK would
// keep that client waiting until they came to their own end.
func (s *Server) hangUp(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for f := range s.flights {
		if f.session == session {
			f.cancel()
		}
	}
}

// Check says what is wrong with the addresses in o, before anything is started.
func (o Options) Check() error {
	if o.Addr != "" {
		_, port, err := net.SplitHostPort(o.Addr)
		if err != nil {
			return fmt.Errorf("address to listen on: %w", err)
		}
		if _, err := net.LookupPort("tcp", port); err != nil {
			return fmt.Errorf("address to listen on: %w", err)
		}
	}
	_, err := publicRoot(o.PublicURL)
	return err
}

// publicRoot reads Options.PublicURL; nil if it is empty. Outside this
// computer only https will do (S17).
func publicRoot(raw string) (*url.URL, error) {
	if raw == "" {
		return nil, nil
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("public URL: %w", err)
	}
	switch {
	case u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("public URL: need scheme and host, without user, query or fragment")
	case u.Path != "" && u.Path != "/":
		return nil, errors.New("public URL: need the root of the server, without a path")
	case u.Scheme == "https", u.Scheme == "http" && isLoopback(u.Hostname()):
		u.Path = ""
		return u, nil
	}
	return nil, errors.New("public URL: need https, or http on this computer")
}
