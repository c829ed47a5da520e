package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient"
	"parley/mcpclient/wire"
)

// pipe is a wire.Transport to a scripted server in the same process, so that a
// test can hold the clock.
type pipe struct {
	script string
	log    *lockedBuffer
	in     *io.PipeWriter
	once   sync.Once
	played sync.WaitGroup
}

func (p *pipe) Start(_ context.Context, h wire.Handler) error {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	p.in = toServer
	p.played.Go(func() {
		play(p.script, fromClient, toClient, io.Discard, p.log)
		fromClient.Close()
		toClient.Close()
	})
	p.played.Go(func() {
		for d := json.NewDecoder(fromServer); ; {
			var raw json.RawMessage
			if d.Decode(&raw) != nil {
				h.Closed(nil)
				return
			}
			if m, err := wire.Decode(raw); err == nil {
				h.Receive(m, wire.ID{})
			}
		}
	})
	return nil
}

func (p *pipe) Send(m wire.Message, _ wire.SendOptions) error {
	raw, err := wire.Encode(m)
	if err != nil {
		return err
	}
	p.played.Go(func() { p.in.Write(append(raw, '\n')) })
	return nil
}

func (p *pipe) Forget(wire.ID) {}

func (p *pipe) Close(context.Context) error {
	p.once.Do(func() { p.in.Close() })
	p.played.Wait()
	return nil
}

// lockedBuffer is a buffer that several goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// openerFunc is an Opener made of a function.
type openerFunc func(ctx context.Context, url string) error

func (f openerFunc) Open(ctx context.Context, url string) error { return f(ctx, url) }

// ran is what a run of the command line left.
type ran struct {
	t      *testing.T
	code   int
	stdout string
	stderr string
	wire   string // what the server got, a message a line
}

// callScript runs `parley call` with the flags against a scripted server.
func callScript(ctx context.Context, t *testing.T, script string, opener openerFunc, flags ...string) ran {
	t.Helper()
	var stdout, stderr bytes.Buffer
	log := &lockedBuffer{}
	var pipes []*pipe
	args := slices.Concat([]string{"call"}, flags, []string{"--", "server"})
	code := Main(ctx, args, strings.NewReader(""), &stdout, &stderr, Options{
		Opener: opener,
		Getenv: func(string) string { return "" },
		Client: mcpclient.Options{Dial: func(mcpclient.Server, mcpclient.DialOptions) (wire.Transport, error) {
			p := &pipe{script: script, log: log}
			pipes = append(pipes, p)
			return p, nil
		}},
	})
	for _, p := range pipes {
		p.played.Wait()
	}
	return ran{t, code, stdout.String(), stderr.String(), log.String()}
}

// events are the events of the lines, one word each; a question's with its
// number, an answer's with its action.
func (r ran) events() string {
	r.t.Helper()
	var out []string
	for line := range strings.Lines(r.stdout) {
		var e struct {
			Event, Action, State string
			N                    int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			r.t.Fatalf("%v in the line %q", err, line)
		}
		switch e.Event {
		case "elicitation":
			out = append(out, "ask"+string(rune('0'+e.N)))
		case "answer":
			out = append(out, e.Action)
		case "state":
			out = append(out, e.State)
		default:
			out = append(out, e.Event)
		}
	}
	return strings.Join(out, " ")
}

// want compares the exit code and the events.
func (r ran) want(code int, events string) {
	r.t.Helper()
	if got := r.events(); got != events || r.code != code {
		r.t.Errorf("exit %d: %s\nwant exit %d: %s\n%s%s", r.code, got, code, events, r.stdout, r.stderr)
	}
}

// Parts of scripts.
const (
	onePage = `{"mode":"url","message":"m","url":"https://example.com/1","elicitationId":"e1"}`
	askPage = `> {"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":` + onePage + `}}}}` + "\n"
	askForm = `> {"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"f":{"method":"elicitation/create","params":{"message":"m"}}}}}` + "\n"
	called  = "< tools/call\n"
	done    = `> {"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete","content":[]}}` + "\n"
	// required is the -32042 error of the 2025 era, with two pages.
	required = `> {"jsonrpc":"2.0","id":$ID,"error":{"code":-32042,"message":"pages","data":{"elicitations":[` + onePage +
		`,{"mode":"url","message":"m","url":"https://example.com/2","elicitationId":"e2"}]}}}` + "\n"
	complete1 = `> {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}` + "\n"
	complete2 = `> {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e2"}}` + "\n"
)
