package cli

import (
	"context"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/wire"
)

// Bounds of an end that was asked for.
const (
	// afterInterrupt is how long a call may go on after its open questions got
	// cancel.
	afterInterrupt = 2 * time.Second
	// closing bounds the ordered end of a connection: a program gets 2 s to
	// end by itself and 2 s after being told to.
	closing = 6 * time.Second
)

// session is one `parley call` while it runs. Only the goroutine of run
// touches it.
type session struct {
	*printer
	opts   Options
	job    callJob
	client *mcpclient.Client

	early     []mcpclient.Event // what came before "connected"
	callID    string            // "" before the call has begun
	asked     int               // questions printed
	greeted   bool              // "connected" is printed
	connected bool              // and the connection has not ended since
	invalid   bool              // an "invalid" is printed
	dismissed bool              // a question got cancel because of an interrupt
	heard     lastWords         // what a program wrote to standard error
	ended     bool              // the last line is printed
	code      int               // the exit code it means, if nothing goes before it
}

// listing is what became of --list, or of connecting.
type listing struct {
	connected bool
	lists     mcpclient.Lists
	err       error
}

// runCall does the job and returns the exit code.
func (c *command) runCall(ctx context.Context, job callJob) int {
	if !c.mayStart(job) {
		return exitNotReached
	}
	client, err := mcpclient.New(c.clientFor(job))
	if err != nil {
		c.say(i18n.M("cli.failed", "Reason", c.sentence(err)))
		return exitFailed
	}
	s := &session{printer: c.printer, opts: c.opts, job: job, client: client}
	s.run(ctx)
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case s.invalid:
		return exitInvalid
	}
	return s.code
}

// run prints until the last line is out, and closes the connection. Everything a server does comes
// through one queue, so that the lines stand in the order of what happened and
// each question is printed and answered before the next.
func (s *session) run(ctx context.Context) {
	events, done := make(chan mcpclient.Event), make(chan struct{})
	defer s.client.Watch(func(e mcpclient.Event) {
		select {
		case events <- e:
		case <-done:
		}
	})()
	defer close(done)

	found := make(chan listing, 1)
	go s.talk(ctx, found)
	interrupt := ctx.Done()
	var over <-chan time.Time
	var listed *listing
	for !s.ended {
		select {
		case e := <-events:
			s.handle(ctx, e)
		case l := <-found:
			listed = &l
		case <-interrupt:
			interrupt = nil
			over = s.interrupt()
		case <-over:
			s.client.Cancel(s.callID)
		}
		// What was listed waits until "connected" has come through the queue:
		// that happened before.
		if listed != nil && (s.greeted || !listed.connected) {
			s.found(*listed)
		}
	}
	s.close(events)
}

// close ends the connection in order. What a program still writes to its
// standard error meanwhile is passed on.
func (s *session) close(events <-chan mcpclient.Event) {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- s.client.Close(ctx) }()
	for open := true; open || s.connected; {
		select {
		case e := <-events:
			s.handle(ctx, e)
		case err := <-closed:
			open = false
			if err != nil {
				s.say(i18n.M("cli.close_failed", "Reason", s.sentence(err)))
			}
		case <-ctx.Done():
			return
		}
	}
}

// talk connects, and lists or starts the call, whose fate comes as events.
func (s *session) talk(ctx context.Context, found chan<- listing) {
	conn, err := s.client.Connect(ctx, s.job.server)
	if err != nil {
		found <- listing{err: err}
		return
	}
	if !s.job.list && ctx.Err() == nil {
		conn.Start(s.job.request)
		return
	}
	lists, err := conn.List(ctx)
	found <- listing{connected: true, lists: lists, err: err}
}

// interrupt ends the call: at once when nothing is asked, else after its
// questions got cancel and it had some time to end by itself. What is still
// being connected or listed ends with the context.
func (s *session) interrupt() (over <-chan time.Time) {
	s.say(i18n.M("cli.interrupted"))
	if len(s.client.Open()) == 0 && !s.dismissed {
		s.client.Cancel(s.callID)
		return nil
	}
	return time.After(afterInterrupt)
}

// found prints the end of --list, or of a server that was not reached.
func (s *session) found(l listing) {
	switch {
	case !l.connected:
		s.fail(l.err)
		s.code = exitNotReached
	case l.err != nil:
		s.fail(l.err)
	default:
		s.nameBroken(l.lists)
		s.last(listLine{"list", l.lists.Tools, l.lists.Prompts, l.lists.Resources, l.lists.Templates}, exitOK)
	}
}

// nameBroken says which of the entries the app leaves out, and why. The list
// itself has them all, as the server wrote them.
func (s *session) nameBroken(l mcpclient.Lists) {
	_, tools := mcpclient.ParseTools(l.Tools)
	_, prompts := mcpclient.ParsePrompts(l.Prompts)
	_, resources := mcpclient.ParseResources(l.Resources)
	for _, broken := range []struct {
		in       string
		problems []i18n.Message
	}{{"cli.list_tools", tools}, {"cli.list_prompts", prompts}, {"cli.list_resources", resources}} {
		for _, p := range broken.problems {
			s.say(i18n.M(broken.in, "What", p))
		}
	}
}

// handle prints what an event says, and answers the question it opens.
func (s *session) handle(ctx context.Context, e mcpclient.Event) {
	switch {
	case e.Connection != nil:
		s.connection(ctx, *e.Connection)
	case e.Notice != nil:
		s.notice(*e.Notice)
	case s.ended: // nothing follows the last line
	case !s.greeted:
		// A server may ask as soon as the handshake is through.
		s.early = append(s.early, e)
	case e.Elicitation != nil:
		s.elicitation(ctx, *e.Elicitation)
	case e.State != nil:
		s.line(stateLine{"state", e.State.State, words(s.loc, e.State.Text)})
	case e.Progress != nil:
		s.line(progressLine{"progress", e.Progress.Progress, e.Progress.Total, e.Progress.Message})
	case e.Log != nil:
		// One with neither says nothing.
		if data := value(e.Log.Data); e.Log.Level != "" || data != nil {
			s.line(logLine{"log", e.Log.Level, e.Log.Logger, data})
		}
	case e.Call != nil:
		s.call(ctx, *e.Call)
	}
}

// connection prints that the server was reached, once, and then what came
// before; and that a new session is begun with it. The loss of a connection ends
// the call or the listing, which says so itself.
func (s *session) connection(ctx context.Context, st mcpclient.Status) {
	s.connected = st.State == mcpclient.Connected && st.Info != nil
	switch {
	case s.ended:
		return
	case st.State == mcpclient.Reconnecting && st.Failure != nil:
		s.line(stateLine{"state", string(mcpclient.Reconnecting), words(s.loc, st.Failure.Text)})
		return
	case !s.connected || s.greeted:
		return
	}
	s.greeted = true
	id := st.Info.Identity
	s.line(connectedLine{
		Event: "connected",
		Identity: identityPart{
			Name: id.Name, Transport: id.Transport, Origin: id.Origin,
			Command: id.Command, Encrypted: id.Encrypted, User: id.User,
		},
		Server:   value(st.Info.ServerInfo),
		Protocol: st.Info.Protocol,
		Era:      st.Info.Era,
	})
	for _, e := range s.early {
		s.handle(ctx, e)
	}
	s.early = nil
}

// notice passes on what a server wrote to its standard error, line by line,
// and says what else was odd.
func (s *session) notice(n mcpclient.Notice) {
	if n.Kind == wire.NoticeStderr {
		s.heard.add(n.Detail)
	}
	switch {
	case n.Count > 1:
		s.say(i18n.M("cli.notice_many", "What", n.Text, "Detail", n.Detail, "N", n.Count))
	case n.Kind == wire.NoticeStderr:
		s.quote(n.Detail)
	case n.Detail != "":
		s.say(i18n.M("cli.notice", "What", n.Text, "Detail", n.Detail))
	default:
		s.say(n.Text)
	}
}

// call follows the one call there is and prints its end.
func (s *session) call(ctx context.Context, c mcpclient.Call) {
	if s.callID == "" {
		s.callID = c.ID
		if ctx.Err() != nil {
			s.client.Cancel(c.ID) // the interrupt came before the call
		}
	}
	switch {
	case !c.State.Ended():
	case c.State == mcpclient.CallDone && c.IsError:
		s.last(resultLine{"result", c.Result}, exitToolError)
	case c.State == mcpclient.CallDone:
		s.last(resultLine{"result", c.Result}, exitOK)
	default:
		s.fail(c.Failure)
	}
}

// fail prints the end without a result. The server's own message and data go into
// the line untouched; a sentence for people is made safe, there too.
func (s *session) fail(err error) {
	f, ok := err.(*mcpclient.Failure)
	if !ok || f == nil {
		f = &mcpclient.Failure{Kind: mcpclient.FailCancelled, Text: i18n.M("cli.interrupted")}
		if err != nil {
			f = &mcpclient.Failure{Kind: mcpclient.FailLost, Text: i18n.M("cli.failed", "Reason", err.Error())}
		}
	}
	f = s.job.advised(f)
	line := errorLine{Event: "error", Message: words(s.loc, s.heard.behind(f))}
	code := exitNotReached
	if f.Code != 0 {
		line.Code, line.Message, line.Data = f.Code, f.Message, value(f.Data)
	}
	if f.Kind == mcpclient.FailRPC || f.Kind == mcpclient.FailInvalid {
		code = exitServerError
	}
	s.say(f.Text)
	if f.Message != "" {
		s.quote(f.Message)
	}
	s.last(line, code)
}

// last prints the last line.
func (s *session) last(line any, code int) {
	s.line(line)
	s.ended, s.code = true, code
}
