package hostile

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// The size limits of a message: where it does not matter, and where it is what
// is measured.
const (
	lightLimit = 1 << 20
	heavyLimit = 2 << 20
)

// overhead is what the client may take whatever the limit is: buffers, stacks,
// tables.
const overhead = 1 << 19

// asides is what waits for a slow watcher of a server's log, whatever the limit
// is.
const asides = 4 << 20

// guard is when a play is taken for hanging. It bounds nothing that is
// measured.
const guard = time.Minute

// silence is how long a server may be silent, where that is not the point.
const silence = 40 * time.Second

// shortSilence is for servers that are silent; connecting has to fit into it.
const shortSilence = 6 * time.Second

// secret is in a header of the person's own that every HTTP request carries.
const secret = "hush-this-is-secret"

// play is one behaviour at one place, seen from the client's side.
type play struct {
	behaviour
	place
	t      *testing.T
	ctx    context.Context
	client *mcpclient.Client
	conn   *mcpclient.Connection
	addr   *address // the server, where it runs in this process
	trap   *trap    // another address; nil for none
	heap   *heap    // nil for a behaviour that is not heavy
	lists  mcpclient.Lists

	gate chan struct{} // closed when whoever watches may go on

	mu        sync.Mutex
	changed   chan struct{} // closed and replaced at every event
	ended     map[string]mcpclient.Call
	status    mcpclient.Status
	questions int
	logs      int
	sentences map[string]i18n.Message // what people were told, by key
	told      map[string]int          // how often
	leak      string                  // where the secret was seen
}

// listening counts the questions of a behaviour that asks outside calls.
func (p *play) outside() bool { return p.on == "listening" || p.on == "notifications/initialized" }

// perform plays it from the start to the end.
func (p *play) perform() {
	var cancel context.CancelFunc
	p.ctx, cancel = context.WithTimeout(p.t.Context(), guard)
	defer cancel()
	server, stop := p.open()
	defer stop()
	limit := int64(lightLimit)
	if p.heavy {
		limit = heavyLimit
	}
	server.MaxMessage = limit
	client, err := mcpclient.New(mcpclient.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	p.client = client
	defer client.Close(context.WithoutCancel(p.ctx)) // where the play ended early
	p.gate = make(chan struct{})
	if !p.slow {
		close(p.gate)
	}
	client.Watch(p.watch)
	if p.heavy {
		p.heap = watchHeap()
		defer p.heap.stop()
	}
	p.act(server)
	p.heap.stop()
	if p.check != nil {
		if err := p.check(p); err != nil {
			p.t.Error(err)
		}
	}
	p.finish()
}

// act lets the client want something, which the server spoils, and then
// something ordinary.
func (p *play) act(server mcpclient.Server) {
	want := p.wants(p.place)
	connected := p.connect(server)
	switch {
	case p.on == "server/discover" || p.on == "initialize" || p.on == "GET":
		p.compare("connecting", connected, want)
		want = connected
	case connected != "connected "+string(p.era):
		p.t.Errorf("connecting came to %q", connected)
	}
	if p.conn == nil {
		return
	}
	switch p.on {
	case "server/discover", "initialize", "GET", "notifications/initialized", "listening":
	case "tools/list":
		p.compare("the list", p.list(), want)
	default:
		p.compare("the call", p.call(attack), want)
	}
	if p.slow {
		p.heap.stop()
		close(p.gate)
	}
	p.expectQuestions()
	if p.cancels {
		return
	}
	after := p.after
	if after == "" {
		after = "done"
	}
	p.compare("an ordinary call afterwards", p.call(ordinary), after)
	if p.outside() {
		p.compare("the connection", p.stands(), want)
	}
	p.expectNotice()
}

// compare compares what came of something with what should have; want has more
// than one outcome, with | between, where the order of two events decides that
// nobody controls.
func (p *play) compare(what, got, want string) {
	p.t.Helper()
	if !slices.Contains(strings.Split(want, "|"), got) {
		p.t.Errorf("%s came to %q, want %q", what, got, want)
	}
}

// finish closes the client; nothing must be left of it.
func (p *play) finish() {
	p.heap.stop()
	if err := p.client.Close(p.ctx); err != nil {
		p.t.Errorf("closing: %v", err)
	}
	if p.ctx.Err() != nil {
		p.t.Error("closing did not end")
	}
	if open := p.client.Open(); len(open) > 0 {
		p.t.Errorf("%d questions are still open after the client was closed", len(open))
	}
	if p.trap != nil {
		if arrived := p.trap.close(); arrived > 0 {
			p.t.Errorf("%d connections were made to another address", arrived)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.leak != "" {
		p.t.Errorf("a credential was told: %s", p.leak)
	}
	for key, m := range p.sentences {
		for _, l := range languages {
			if text := l.Text(m); text == "" || text == key || strings.Contains(text, "<no value>") {
				p.t.Errorf("%q is no sentence in %s: %q", key, l.Tag(), text)
			}
		}
	}
	if p.heap != nil {
		grown := p.heap.peak - p.heap.before
		p.t.Logf("%s, %s: the heap grew by %.1f times the limit", p.name, p.place, float64(grown)/heavyLimit)
		allowed := uint64(3*heavyLimit + overhead)
		if p.slow {
			allowed += asides
		}
		if grown > allowed {
			p.t.Errorf("the heap grew by %d MiB, %.1f times the limit of a message", grown>>20, float64(grown)/heavyLimit)
		}
	}
}

var languages = []*i18n.Localizer{i18n.New("en"), i18n.New("zh-Hans")}

// open starts the server, or says how it is started.
func (p *play) open() (s mcpclient.Server, stop func()) {
	s = mcpclient.Server{ID: "s", Name: "Hostile", Kind: mcpclient.HTTP, Silence: silence}
	if p.on != "server/discover" {
		s.Protocol = map[mcpclient.Era]string{mcpclient.Modern: "2026-07-28", mcpclient.Legacy: "2025-11-25"}[p.era]
	}
	stop = func() {}
	switch {
	case p.transport == overStdio:
		s.Kind, s.Command, s.Env = mcpclient.Stdio, os.Args[0], p.environment()
	case p.heavy:
		s.URL, stop = p.elsewhere()
	default:
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			p.t.Fatal(err)
		}
		server := newServer(p.behaviour, p.place)
		if p.trapped {
			p.trap = setTrap(p.t)
			server.trap = p.trap.Addr().String()
		}
		p.addr = listen(server, l)
		s.URL, stop = "http://"+l.Addr().String()+"/mcp", p.addr.close
	}
	if p.transport == overSSE {
		s.Kind = mcpclient.SSE
	}
	if s.Kind != mcpclient.Stdio {
		s.Headers = map[string]string{"X-Api-Key": secret}
	}
	if p.setUp != nil {
		p.setUp(&s)
	}
	return s, stop
}

// environment makes the test's own program play the server.
func (p *play) environment() map[string]string {
	return map[string]string{peerVar: p.name, placeVar: p.place.String()}
}

// elsewhere starts the server as a process of its own that listens.
func (p *play) elsewhere() (url string, stop func()) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), listenVar+"=1")
	for name, value := range p.environment() {
		c.Env = append(c.Env, name+"="+value)
	}
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	return "http://" + strings.TrimSpace(line) + "/mcp", func() {
		in.Close()
		io.Copy(io.Discard, out)
		if err := c.Wait(); err != nil {
			p.t.Errorf("the server: %v", err)
		}
	}
}

// connect connects, and says in words what came of it.
func (p *play) connect(s mcpclient.Server) string {
	conn, err := p.client.Connect(p.ctx, s)
	if err != nil {
		var f *mcpclient.Failure
		if !errors.As(err, &f) {
			p.t.Fatalf("connecting failed with %T: %v", err, err)
		}
		p.sentence(f.Text)
		return outcome(f)
	}
	p.conn = conn
	return "connected " + string(conn.Info().Era)
}

// outcome is a failure in a word and a key; nil is done.
func outcome(f *mcpclient.Failure) string {
	if f == nil {
		return "done"
	}
	return string(f.Kind) + " " + f.Text.ID
}

// list lists what the server offers.
func (p *play) list() string {
	lists, err := p.conn.List(p.ctx)
	if err != nil {
		var f *mcpclient.Failure
		if !errors.As(err, &f) {
			p.t.Fatalf("the list failed with %T: %v", err, err)
		}
		p.sentence(f.Text)
		return outcome(f)
	}
	p.lists = lists
	return "done"
}

// call runs a tool to its end.
func (p *play) call(tool string) string {
	id := p.conn.Start(mcpclient.CallRequest{
		Kind: mcpclient.CallTool, Name: tool, Arguments: json.RawMessage("{}"), Polling: p.polling, Quiet: p.quiet,
	})
	if p.cancels {
		p.wait("a line of the server's log", func() bool { return p.logs > 0 })
		p.client.Cancel(id)
	}
	if p.slow && tool == attack {
		return p.poll(id)
	}
	var c mcpclient.Call
	p.wait("the end of the call "+tool, func() bool {
		var ok bool
		c, ok = p.ended[id]
		return ok
	})
	if c.IsError {
		return "tool error"
	}
	return outcome(c.Failure)
}

// poll is how the end of a call is found while nobody takes events.
func (p *play) poll(id string) string {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if c, _ := p.client.Call(id); c.State.Ended() {
			return outcome(c.Failure)
		}
		select {
		case <-tick.C:
		case <-p.ctx.Done():
			p.t.Fatal("waited in vain for the end of the call")
		}
	}
}

// stands says whether the connection still does.
func (p *play) stands() string {
	select {
	case <-p.conn.Done():
	default:
		return "connected"
	}
	p.wait("word of the loss", func() bool { return p.status.State == mcpclient.Lost })
	p.mu.Lock()
	defer p.mu.Unlock()
	return outcome(p.status.Failure)
}

// expectQuestions waits until as many questions as there should be were asked.
func (p *play) expectQuestions() {
	p.wait(fmt.Sprintf("%d questions", p.behaviour.questions), func() bool { return p.questions >= p.behaviour.questions })
}

// expectNotice waits for the notice that there should be, and looks whether
// there were more questions than there should be.
func (p *play) expectNotice() {
	if p.notice != "" {
		p.wait("the notice "+p.notice, func() bool { return p.told[p.notice] > 0 })
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if want := p.behaviour.questions; want != anyNumber && p.questions != want {
		p.t.Errorf("%d questions were asked, want %d", p.questions, p.behaviour.questions)
	}
}

// watch takes the events.
func (p *play) watch(e mcpclient.Event) {
	<-p.gate
	p.look(e)
	if q := e.Elicitation; q != nil && q.State == mcpclient.ElicitationOpen {
		if !p.heavy {
			shown(*q)
		}
		answer := &mcpclient.Answer{Action: mcpclient.Decline}
		if p.behaviour.reply != nil {
			answer = p.behaviour.reply(*q)
		}
		if answer != nil {
			// Somebody else may have been faster: the server withdrew it.
			if err := p.client.Answer(q.ID, *answer); err != nil && !errors.Is(err, mcpclient.ErrNotOpen) {
				p.t.Errorf("answering: %v", err)
			}
		}
	}
}

// look keeps what is asked for later.
func (p *play) look(e mcpclient.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Call != nil && e.Call.State.Ended():
		if _, twice := p.ended[e.Call.ID]; twice {
			p.t.Errorf("the call ended twice")
		}
		if p.ended == nil {
			p.ended = map[string]mcpclient.Call{}
		}
		p.ended[e.Call.ID] = *e.Call
		if f := e.Call.Failure; f != nil {
			p.hear(f.Text, f.Message+string(f.Data))
		}
	case e.Elicitation != nil && e.Elicitation.State == mcpclient.ElicitationOpen:
		p.questions++
	case e.Elicitation != nil && e.Elicitation.State == mcpclient.ElicitationDead:
		p.hear(e.Elicitation.End, "")
	case e.Connection != nil:
		p.status = *e.Connection
		if f := e.Connection.Failure; f != nil {
			p.hear(f.Text, f.Message)
		}
	case e.Notice != nil:
		p.hear(e.Notice.Text, e.Notice.Detail)
	case e.State != nil:
		p.hear(e.State.Text, "")
	case e.Log != nil:
		p.logs++
	}
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
}

// sentence is hear for what was not an event.
func (p *play) sentence(m i18n.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hear(m, "")
}

// hear keeps a sentence that people are told, with the server's words beside
// it. p.mu is held.
func (p *play) hear(m i18n.Message, beside string) {
	if p.sentences == nil {
		p.sentences, p.told = map[string]i18n.Message{}, map[string]int{}
	}
	p.sentences[m.ID] = m
	p.told[m.ID]++
	if p.transport == overStdio {
		return // has no secret
	}
	if all := beside + languages[0].Text(m); strings.Contains(all, secret) {
		p.leak = m.ID
	}
}

// wait waits until done, which is called with p.mu held, reports true.
func (p *play) wait(what string, done func() bool) {
	p.t.Helper()
	for {
		p.mu.Lock()
		if done() {
			p.mu.Unlock()
			return
		}
		if p.changed == nil {
			p.changed = make(chan struct{})
		}
		changed := p.changed
		p.mu.Unlock()
		select {
		case <-changed:
		case <-p.ctx.Done():
			p.t.Fatalf("waited in vain for %s", what)
		}
	}
}
