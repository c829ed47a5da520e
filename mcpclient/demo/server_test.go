package demo

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestOnlyOwnHostsAndOriginsAreServed(t *testing.T) {
	cases := []struct {
		name, public, host, origin string
		want                       bool
	}{
		{name: "a program on this computer", host: "127.0.0.1:4000", want: true},
		{name: "localhost", host: "localhost:4000", want: true},
		{name: "IPv6 loopback", host: "[::1]:4000", want: true},
		{name: "an address in the network", host: "192.168.1.7", want: true},
		{name: "its own page", host: "localhost:4000", origin: "http://localhost:4000", want: true},
		{name: "a rebound domain", host: "evil.example:4000"},
		{name: "a domain that starts like an address", host: "127.0.0.1.evil.example"},
		{name: "a subdomain of localhost", host: "x.localhost"},
		{name: "no host", host: ""},
		{name: "another site's page", host: "127.0.0.1:4000", origin: "https://evil.example"},
		{name: "another port's page", host: "127.0.0.1:4000", origin: "http://127.0.0.1:5000"},
		{name: "a sandboxed page", host: "127.0.0.1:4000", origin: "null"},
		{name: "the public host", public: "https://demo.example.org", host: "demo.example.org", want: true},
		{name: "the public page", public: "https://demo.example.org", host: "demo.example.org", origin: "https://demo.example.org", want: true},
		{name: "the public page behind a proxy", public: "https://demo.example.org", host: "127.0.0.1:80", origin: "https://demo.example.org", want: true},
		{name: "the public host without https", public: "https://demo.example.org", host: "demo.example.org", origin: "https://demo.example.org.evil", want: false},
		{name: "a neighbour of the public host", public: "https://demo.example.org", host: "x.demo.example.org"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			public, err := publicRoot(c.public)
			if err != nil {
				t.Fatal(err)
			}
			served := false
			h := guard(public, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served = true }))
			r, _ := http.NewRequest(http.MethodPost, "/mcp", nil)
			r.Host = c.host
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			h.ServeHTTP(discard{}, r)
			if served != c.want {
				t.Errorf("served %v, want %v", served, c.want)
			}
		})
	}
}

type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

func TestTheGuardStandsBeforeBothErasAndThePages(t *testing.T) {
	root := start(t, New(Options{}))
	for _, path := range []string{"/mcp", "/connect/x", "/"} {
		for _, revision := range []string{"", "2026-07-28"} {
			req, _ := http.NewRequest(http.MethodPost, root+path, strings.NewReader("{}"))
			req.Host = "evil.example"
			req.Header.Set("Mcp-Protocol-Version", revision)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != http.StatusForbidden {
				t.Errorf("%s %q: %s", path, revision, res.Status)
			}
		}
	}
}

func TestS17_APublicAddressIsHTTPS(t *testing.T) {
	cases := []struct {
		url string
		ok  bool
	}{
		{"https://demo.example.org", true},
		{"https://demo.example.org/", true},
		{"http://localhost:4000", true},
		{"http://[::1]:4000", true},
		{"http://demo.example.org", false},
		{"http://localhost.example.org", false},
		{"ftp://demo.example.org", false},
		{"https://demo.example.org/mcp", false},
		{"https://user@demo.example.org", false},
		{"https://demo.example.org?a", false},
		{"demo.example.org", false},
	}
	for _, c := range cases {
		t.Run("S17 "+c.url, func(t *testing.T) {
			_, err := publicRoot(c.url)
			if (err == nil) != c.ok {
				t.Fatalf("error %v, want accepted %v", err, c.ok)
			}
			if !c.ok {
				never := func(string) { t.Error("it was served") }
				if err := Run(t.Context(), Options{PublicURL: c.url}, never); err == nil {
					t.Error("Run takes it")
				}
			}
		})
	}
	t.Run("S17 questions carry it", func(t *testing.T) {
		root := start(t, New(Options{PublicURL: "https://demo.example.org/"}))
		address, _ := linkOf(t, root, `{}`)
		if !strings.HasPrefix(address, "https://demo.example.org/connect/") {
			t.Errorf("the URL is %q", address)
		}
	})
}

func TestRunSaysWhereItListensAndEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	ready := make(chan string, 1)
	go func() { ended <- Run(ctx, Options{Addr: "127.0.0.1:0"}, func(u string) { ready <- u }) }()
	address := <-ready
	if !strings.HasPrefix(address, "http://127.0.0.1:") || !strings.HasSuffix(address, "/mcp") {
		t.Errorf("ready with %q", address)
	}
	p := connect(t, strings.TrimSuffix(address, Path), "2026-07-28", both())
	if res := p.call("say_hello", map[string]any{"name": "Ada"}, nil); textOf(t, res) != "Hello, Ada! Nice to meet you." {
		t.Errorf("hello: %q", textOf(t, res))
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run ended with %v", err)
	}
	if err := Run(t.Context(), Options{Addr: "no address"}, nil); err == nil {
		t.Error("an impossible address is no error")
	}
}

func TestEveryListIsServedInEveryEra(t *testing.T) {
	root := start(t, New(Options{}))
	for _, era := range append(eras, "2025-03-26") {
		t.Run(era, func(t *testing.T) {
			p := connect(t, root, era, both())
			tools, err := p.session.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 5 {
				t.Errorf("tools: %v, %v", tools, err)
			}
			for _, tool := range tools.Tools {
				if tool.Title == "" || tool.Description == "" || strings.HasPrefix(tool.Title, "demo.") {
					t.Errorf("tool %s has the title %q", tool.Name, tool.Title)
				}
			}
			prompts, err := p.session.ListPrompts(t.Context(), nil)
			if err != nil || len(prompts.Prompts) != 1 {
				t.Errorf("prompts: %v, %v", prompts, err)
			}
			read, err := p.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: guideURI})
			if err != nil || !strings.Contains(read.Contents[0].Text, "Book a trip") {
				t.Errorf("guide: %v, %v", read, err)
			}
		})
	}
}

func TestSlowCountReportsProgressAndStopsWhenCancelled(t *testing.T) {
	root := start(t, quick(Options{}))
	slow := New(Options{})
	slow.tick = time.Hour
	slowRoot := start(t, slow)
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			p := connect(t, root, era, both())
			params := &mcp.CallToolParams{Name: "slow_count", Arguments: map[string]any{"up_to": 3}}
			params.SetProgressToken("count")
			if _, err := p.session.CallTool(t.Context(), params); err != nil {
				t.Fatal(err)
			}
			for n := 1.0; n <= 3; n++ {
				if got := <-p.progress; got.Progress != n || got.Total != 3 || got.Message == "" {
					t.Errorf("progress %+v, want %v of 3", got, n)
				}
			}

			p = connect(t, slowRoot, era, both())
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-p.progress
				cancel()
			}()
			params = &mcp.CallToolParams{Name: "slow_count"}
			params.SetProgressToken("count")
			if _, err := p.session.CallTool(ctx, params); err == nil {
				t.Error("a cancelled count came to its end")
			}
		})
	}
}

// A server that is closed while calls of both eras are asking or counting
// leaves nothing behind.
func TestServeLeavesNoGoroutineBehind(t *testing.T) {
	s := New(Options{})
	s.tick = time.Hour
	ln, err := Listen("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()

	opened := make(chan struct{})
	waiting := connect(t, root(ln), "2025-11-25", both())
	waiting.answer = func(*mcp.ElicitParams) *mcp.ElicitResult {
		close(opened)
		return &mcp.ElicitResult{Action: accept} // and never presses the button
	}
	counting := connect(t, root(ln), "2026-07-28", both())
	calls := make(chan error, 2)
	go func() {
		_, err := waiting.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "link_account"})
		calls <- err
	}()
	go func() {
		params := &mcp.CallToolParams{Name: "slow_count"}
		params.SetProgressToken("count")
		_, err := counting.session.CallTool(t.Context(), params)
		calls <- err
	}()
	<-opened
	<-counting.progress
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
	for range 2 {
		if err := <-calls; err == nil {
			t.Error("a call came to its end though its server was closed")
		}
	}
	waiting.session.Close()
	counting.session.Close()
	http.DefaultClient.CloseIdleConnections()
	if left := goroutines(); left != "" {
		t.Errorf("still running:\n%s", left)
	}
	if _, err := http.Get(root(ln)); err == nil {
		t.Error("the listener is still open")
	}
}

// goroutines returns the stacks of goroutines that serve, once those about to
// end had every chance to.
func goroutines() string {
	var left []string
	for range 10000 {
		left = left[:0]
		buf := make([]byte, 1<<20)
		for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(stack, "demo.(*Server)") || strings.Contains(stack, "StreamableServerTransport") ||
				strings.Contains(stack, "mcp.(*Server)") || strings.Contains(stack, "http.(*conn).serve") {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return ""
		}
		runtime.Gosched()
	}
	return strings.Join(left, "\n\n")
}

// A client that leaves does not have to wait for its calls: here one that
// waits for a person who never comes.
func TestLeavingASessionEndsItsCalls(t *testing.T) {
	root := start(t, New(Options{}))
	leaving := connect(t, root, "2025-11-25", both())
	opened := make(chan struct{})
	leaving.answer = func(*mcp.ElicitParams) *mcp.ElicitResult {
		close(opened)
		return &mcp.ElicitResult{Action: accept}
	}
	ended := make(chan error, 1)
	go func() {
		_, err := leaving.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "link_account"})
		ended <- err
	}()
	<-opened
	req, _ := http.NewRequest(http.MethodDelete, root+Path, nil)
	req.Header.Set("Mcp-Session-Id", leaving.session.ID())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNoContent {
		t.Errorf("DELETE: %s", res.Status)
	}
	if err := <-ended; err == nil {
		t.Error("the call came to its end all the same")
	}
}
