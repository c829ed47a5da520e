package signintest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/auth/authtest"
	"parley/mcpclient/keychain/keychaintest"
)

// limit is how long a test waits for what must come.
const limit = 2 * time.Minute

// world is what is outside of the app: an authorization server, an MCP server
// behind it on an origin of its own, the keychain, and the clock that all of
// them go by.
type world struct {
	t     *testing.T
	as    *authtest.Server
	mcp   *authtest.Resource
	vault keychaintest.Keychain
	locks string // the folder in which programs agree on who renews

	server mcpclient.Server // as the person set it up

	mu  sync.Mutex
	now time.Time
}

func newWorld(t *testing.T, o authtest.Options, ro authtest.ResourceOptions) *world {
	t.Helper()
	w := &world{t: t, now: time.Now(), locks: t.TempDir()}
	o.Now = w.clock
	start(t, func(origin string) http.Handler {
		w.as = authtest.New(origin, o, nil)
		return w.as
	})
	start(t, func(origin string) http.Handler {
		w.mcp = authtest.NewResource(origin, w.as, ro)
		return w.mcp
	})
	w.server = mcpclient.Server{ID: "id", Name: "Notes", Kind: mcpclient.HTTP, URL: w.mcp.URL()}
	return w
}

// start serves a handler until the test ends.
func start(t *testing.T, build func(origin string) http.Handler) string {
	t.Helper()
	running, err := authtest.Start(build)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := running.Close(); err != nil {
			t.Error(err)
		}
	})
	return running.Origin
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// asked is how often a path of the authorization server was asked.
func (w *world) asked(path string) int { return len(w.as.Log().Requests(path)) }

// app is one run of the app.
type app struct {
	*world
	accounts *auth.Accounts
	client   *mcpclient.Client
	signIns  chan auth.SignIn
	calls    chan mcpclient.Call // that ended
	quit     chan struct{}
	once     sync.Once
}

// run starts the app, with options that set change. It ends with the test, or
// with end.
func (w *world) run(set ...func(*auth.Options)) *app {
	w.t.Helper()
	a := &app{world: w, signIns: make(chan auth.SignIn), calls: make(chan mcpclient.Call), quit: make(chan struct{})}
	o := auth.Options{Secrets: &w.vault, Locks: w.locks, Now: w.clock, Changed: func(e auth.Event) {
		if e.SignIn == nil {
			return
		}
		select {
		case a.signIns <- *e.SignIn:
		case <-a.quit:
		}
	}}
	for _, f := range set {
		f(&o)
	}
	a.accounts = auth.New(o)
	var err error
	if a.client, err = mcpclient.New(mcpclient.Options{Authorizer: a.accounts.Authorizer}); err != nil {
		w.t.Fatal(err)
	}
	a.client.Watch(func(e mcpclient.Event) {
		if e.Call == nil || !e.Call.State.Ended() {
			return
		}
		select {
		case a.calls <- *e.Call:
		case <-a.quit:
		}
	})
	w.t.Cleanup(a.end)
	return a
}

// end quits the app.
func (a *app) end() {
	a.once.Do(func() {
		close(a.quit)
		a.accounts.Close()
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		if err := a.client.Close(ctx); err != nil {
			a.t.Errorf("closing: %v", err)
		}
	})
}

// attempt is a connection that is being made.
type attempt struct {
	a    *app
	done chan struct{}
	conn *mcpclient.Connection
	err  error
}

// connected is a connection that was made: without one the test ends.
func (a *app) connected() *attempt {
	a.t.Helper()
	at := a.connect()
	if at.wait(); at.err != nil {
		a.t.Fatal(at.err)
	}
	return at
}

// connect begins to connect.
func (a *app) connect() *attempt {
	at := &attempt{a: a, done: make(chan struct{})}
	ctx := a.t.Context()
	go func() {
		defer close(at.done)
		at.conn, at.err = a.client.Connect(ctx, a.server)
	}()
	return at
}

// wait waits for the outcome and returns how often a person was asked to sign in
// meanwhile.
func (at *attempt) wait() (asked int) {
	at.a.t.Helper()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case <-at.done:
			return asked
		case s := <-at.a.signIns:
			if s.State == auth.NeedsConsent {
				asked++
			}
		case <-timer.C:
			at.a.t.Fatal("connecting comes to no end")
		}
	}
}

// works wants the connection to be made without asking a person any more, and a
// tool to answer for the person.
func (at *attempt) works(person string) *mcpclient.Connection {
	at.a.t.Helper()
	asked := at.wait()
	if at.err != nil {
		at.a.t.Fatalf("not connected: %v", at.err)
	}
	if asked > 0 {
		at.a.t.Errorf("a person was asked to sign in %d times", asked)
	}
	if got := at.a.call(at.conn, "whoami"); !strings.HasPrefix(got, person) {
		at.a.t.Errorf("the server says that %q is there, want %q", got, person)
	}
	return at.conn
}

// fails wants the connection not to be made, and returns the sentence.
func (at *attempt) fails() string {
	at.a.t.Helper()
	at.wait()
	if at.err == nil {
		at.a.t.Fatal("connected, though nobody signed in")
	}
	return at.err.Error()
}

// asks waits for a sign-in that a person has to agree to.
func (a *app) asks() auth.SignIn {
	a.t.Helper()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case s := <-a.signIns:
			if s.State == auth.NeedsConsent {
				return s
			}
		case <-timer.C:
			a.t.Fatal("no sign-in asks a person")
		}
	}
}

// agrees waits for the question and agrees.
func (a *app) agrees() auth.SignIn {
	a.t.Helper()
	s, err := a.accounts.Agree(a.t.Context(), a.asks().ID)
	if err != nil {
		a.t.Fatalf("agreeing: %v", err)
	}
	return s
}

// call calls a tool and returns the text of its result, or the sentence why
// there is none.
func (a *app) call(conn *mcpclient.Connection, tool string) string {
	a.t.Helper()
	id := a.starts(conn, tool)
	return a.ends(id)
}

// starts begins to call a tool.
func (a *app) starts(conn *mcpclient.Connection, tool string) (id string) {
	return conn.Start(mcpclient.CallRequest{Kind: mcpclient.CallTool, Name: tool})
}

// ends waits for the end of a call and returns what it says.
func (a *app) ends(id string) string {
	a.t.Helper()
	return a.endAll([]string{id})[0]
}

// endAll waits for the ends of calls, past the events of sign-ins, and returns
// what they say, in the order in which they ended.
func (a *app) endAll(ids []string) (texts []string) {
	a.t.Helper()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for len(texts) < len(ids) {
		select {
		case <-a.signIns:
		case c := <-a.calls:
			if slices.Contains(ids, c.ID) {
				texts = append(texts, said(a.t, c))
			}
		case <-timer.C:
			a.t.Fatalf("%d of %d calls come to no end", len(ids)-len(texts), len(ids))
		}
	}
	return texts
}

// said is outcome, for a test.
func said(t *testing.T, c mcpclient.Call) string {
	t.Helper()
	text, err := outcome(c)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// outcome is the text of the result of a call, or the sentence why there is none.
func outcome(c mcpclient.Call) (string, error) {
	if c.Failure != nil {
		return c.Failure.Error(), nil
	}
	var result struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(c.Result, &result); err != nil || len(result.Content) != 1 {
		return "", fmt.Errorf("the result of %s is %s", c.Name, c.Result)
	}
	return result.Content[0].Text, nil
}

// freeNow is a port that is free at this moment.
func freeNow(t *testing.T) int {
	t.Helper()
	port, err := authtest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// freePort wants a loopback address to be free, as at once after a sign-in was
// cancelled.
func freePort(t *testing.T, redirect string) {
	t.Helper()
	u, err := url.Parse(redirect)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", u.Host)
	if err != nil {
		t.Errorf("the port is not free: %v", err)
		return
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
