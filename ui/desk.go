package ui

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/config"
	"parley/mcpclient/stdio"
)

// maxNotes is how much is kept of what one call did between its questions.
const maxNotes = 100

// desk is what the window knows: servers, calls and questions, as the events
// of the client told it. It is plain data of Fyne's thread.
type desk struct {
	servers   []*serverState
	calls     []*callState // oldest first
	questions []*mcpclient.Elicitation
}

// serverState is one server of the person's list.
type serverState struct {
	mcpclient.Server
	// demo tells that it is the built-in one, which is not kept in the config.
	demo bool
	// leave is whether it may be started as it stands now.
	leave  config.Leave
	status mcpclient.Status
	// since is when it came to stand as it does.
	since time.Time
	// begun is when the newest attempt to connect began.
	begun time.Time
	// revived is what became of the connection before, which ended by itself.
	revived revived
	// tried tells that a connection was asked for since the app started, queued
	// that it waits for its turn to be connected to.
	tried, queued bool
	// giveUp ends the attempt to connect that the person has begun.
	giveUp context.CancelFunc
	// offer is what it offered when it was last asked, offered when that was;
	// both outlive the connection, so that nothing that is on the screen goes.
	offer   *offer
	offered time.Time
	listing listing
	said    sideLog
	// used is the server as it was when it was last connected to; changed tells
	// that the connection does not serve for what it is now.
	used    mcpclient.Server
	changed bool
	// emptied tells that what was kept for the address it is connected to was
	// removed since, so that nobody can sign in by that connection any more.
	emptied bool
	// secrets are the client secrets that are known to be stored for it.
	secrets auth.ClientSecrets
	// exposed is what of it stands in the file and may be a secret.
	exposed exposure
	// keeping tells that its secret values are being kept.
	keeping bool
	// token is what the person does with its access token.
	token tokenSheet
	// account is whom the person is signed in as there.
	account accountSheet
	// renewal is that of the token for it that takes long just now.
	renewal auth.Renewal
	// removing tells that its secrets are being removed, leftover why that did
	// not work.
	removing bool
	leftover i18n.Message
}

// allowed reports whether v may be connected to: a program is started only with leave.
func (v *serverState) allowed() bool { return v.leave == config.HasLeave }

// toReview reports whether the person has to look at a program before it is started.
func (v *serverState) toReview() bool {
	return !v.allowed() || v.status.Failure != nil && stdio.IsOtherFile(v.status.Failure.Text)
}

// revived is how a connection ended that was made again.
type revived struct {
	at  time.Time // zero for none
	why i18n.Message
}

// callState is a call with what happened around it.
type callState struct {
	mcpclient.Call
	notes []note
	// patience is how long the server has asked for nothing but to be asked
	// again.
	patience patience
}

// patience is a row of rounds that ask for nothing.
type patience struct {
	since time.Time // zero for none
	round int       // the first of them
}

// note is one thing a call did between its questions.
type note struct {
	at   time.Time
	text i18n.Message
}

// changes names what an event changed, so that a page redraws only then.
type changes struct {
	servers, calls, questions map[string]bool
	list                      bool // the list of servers was read anew
	signIns                   map[string]bool
	progress                  map[string]bool // of these calls, and maybe nothing else
	said                      map[string]bool // by these servers on the side
	opened                    []string        // questions that were not there before
	ended                     []string        // calls that have just ended
	forgotten                 []string        // questions the client keeps no longer
}

// apply takes in one event and adds to ch what it changed.
func (d *desk) apply(e mcpclient.Event, ch *changes) {
	switch {
	case e.Call != nil:
		d.applyCall(*e.Call, e.At, ch)
	case e.Elicitation != nil:
		d.applyQuestion(*e.Elicitation, ch)
	case e.Connection != nil:
		d.applyStatus(e, ch)
	case e.State != nil:
		d.applyNote(e, ch)
	case e.Progress != nil:
		if c := d.call(e.CallID); c != nil {
			c.Progress = e.Progress
			mark(&ch.progress, e.CallID)
		}
	case e.Notice != nil, e.Log != nil:
		if s := d.server(e.ServerID); s != nil {
			s.said.add(e)
			mark(&ch.said, e.ServerID)
		}
	case e.Forgotten != "":
		ch.forgotten = append(ch.forgotten, e.Forgotten)
	case e.ListChanged:
		if s := d.server(e.ServerID); s != nil {
			s.listing.stale = true
			mark(&ch.servers, e.ServerID)
		}
	}
}

// drop counts what a server said on the side and did not come this far.
func (d *desk) drop(left map[sideKey]int, ch *changes) {
	for key, n := range left {
		if s := d.server(key.server); s != nil {
			s.said.drop(key.kind, n)
			mark(&ch.said, key.server)
		}
	}
}

func (d *desk) applyCall(c mcpclient.Call, at time.Time, ch *changes) {
	mark(&ch.calls, c.ID)
	old := d.call(c.ID)
	if old == nil {
		d.calls = append(d.calls, &callState{Call: c, patience: patience{}.after(c, at)})
		if c.State.Ended() {
			ch.ended = append(ch.ended, c.ID)
		}
		return
	}
	if c.State.Ended() && !old.State.Ended() {
		ch.ended = append(ch.ended, c.ID)
	}
	if c.Progress == nil {
		c.Progress = old.Progress
	}
	old.Call = c
	old.patience = old.patience.after(c, at)
}

// after is p once the call has changed.
func (p patience) after(c mcpclient.Call, at time.Time) patience {
	switch {
	case c.State == mcpclient.CallPausing && p.since.IsZero():
		return patience{at, c.Round}
	case c.State == mcpclient.CallPausing, c.State == mcpclient.CallRunning:
		return p // it is asked again in between
	}
	return patience{}
}

func (d *desk) applyQuestion(q mcpclient.Elicitation, ch *changes) {
	mark(&ch.questions, q.ID)
	mark(&ch.servers, q.ServerID)
	if q.CallID != "" {
		mark(&ch.calls, q.CallID)
	}
	if old := d.question(q.ID); old != nil {
		*old = q
		return
	}
	d.questions = append(d.questions, &q)
	if q.State == mcpclient.ElicitationOpen {
		ch.opened = append(ch.opened, q.ID)
	}
}

func (d *desk) applyStatus(e mcpclient.Event, ch *changes) {
	s := d.server(e.ServerID)
	if s == nil {
		return
	}
	s.turn(seen(*e.Connection), e.At)
	s.tried = true
	s.listing.connection(s.status)
	mark(&ch.servers, s.ID)
}

// turn takes in how a connection stands now. What happened by itself is
// remarked, so that it can be read of afterwards.
func (v *serverState) turn(now mcpclient.Status, at time.Time) {
	was, elsewhere := v.status, v.moved()
	v.status, v.since = now, at
	if elsewhere && !isOpen(now) { // whoever was signed in was so there
		v.account = accountSheet{told: v.account.told + 1}
	}
	switch {
	case now.State == mcpclient.Connecting:
		v.begun = at
	case unreached(now):
		v.said.remark(at, now.Failure.Text)
	case unreached(was) && now.State == mcpclient.Connected:
		v.said.remark(at, i18n.M("ui.server.reached"))
	case now.Queued: // which is no news of how it ended
	case now.State == mcpclient.Reconnecting && now.Attempt > 0 && now.Failure != nil:
		if was.State == mcpclient.Connected { // else it is another attempt that failed
			v.revived = revived{at, now.Failure.Text}
		}
		v.said.remark(at, now.Failure.Text)
	case now.State == mcpclient.Connected && v.revived.at.IsZero():
	case now.State == mcpclient.Connected && was.State != mcpclient.Connected:
		v.said.remark(at, v.again())
	case now.State == mcpclient.Closed || now.State == mcpclient.Lost:
		v.revived = revived{}
	}
}

// lastWords are those that a program which ended wrote since it was started, the
// last line of them: they often say why. "" is none.
func (v *serverState) lastWords() string {
	f := v.status.Failure
	if v.Kind != mcpclient.Stdio || f == nil || f.Kind != mcpclient.FailLost && f.Kind != mcpclient.FailTimeout {
		return ""
	}
	for i := len(v.said.lines) - 1; i >= 0 && !v.said.lines[i].at.Before(v.begun); i-- {
		if l := v.said.lines[i]; l.kind == sideStderr && strings.TrimSpace(l.detail) != "" {
			return strings.TrimSpace(l.detail)
		}
	}
	return ""
}

// again says that a connection was made again.
func (v *serverState) again() i18n.Message {
	if v.Kind == mcpclient.Stdio {
		return i18n.M("ui.server.again_program")
	}
	return i18n.M("ui.server.again")
}

// seen is how the person sees a status: what they gave up themselves is not
// lost.
func seen(s mcpclient.Status) mcpclient.Status {
	if f := s.Failure; s.State == mcpclient.Lost && f != nil && f.Kind == mcpclient.FailCancelled {
		return mcpclient.Status{State: mcpclient.Closed}
	}
	return s
}

func (d *desk) applyNote(e mcpclient.Event, ch *changes) {
	c := d.call(e.CallID)
	if c == nil {
		return
	}
	n := note{at: e.At, text: e.State.Text}
	if last := len(c.notes) - 1; last >= 0 && c.notes[last].text.ID == n.text.ID {
		c.notes[last] = n // "still working" once, with its newest time
	} else {
		c.notes = append(c.notes, n)
	}
	if len(c.notes) > maxNotes {
		c.notes = c.notes[len(c.notes)-maxNotes:]
	}
	mark(&ch.calls, c.ID)
}

// mark puts id into the set, making it on the way.
func mark(set *map[string]bool, id string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[id] = true
}

func (d *desk) server(id string) *serverState {
	for _, s := range d.servers {
		if s.ID == id {
			return s
		}
	}
	return nil
}

func (d *desk) removeServer(id string) {
	d.servers = slices.DeleteFunc(d.servers, func(s *serverState) bool { return s.ID == id })
}

func (d *desk) call(id string) *callState {
	for i := len(d.calls) - 1; i >= 0; i-- {
		if d.calls[i].ID == id {
			return d.calls[i]
		}
	}
	return nil
}

// forgetCall drops a call and its questions and returns the ids of those.
func (d *desk) forgetCall(id string) (questions []string) {
	d.calls = slices.DeleteFunc(d.calls, func(c *callState) bool { return c.ID == id })
	d.questions = slices.DeleteFunc(d.questions, func(q *mcpclient.Elicitation) bool {
		if q.CallID == id {
			questions = append(questions, q.ID)
		}
		return q.CallID == id
	})
	return questions
}

// forgetQuestion drops a question.
func (d *desk) forgetQuestion(id string) {
	d.questions = slices.DeleteFunc(d.questions, func(q *mcpclient.Elicitation) bool { return q.ID == id })
}

func (d *desk) question(id string) *mcpclient.Elicitation {
	for i := len(d.questions) - 1; i >= 0; i-- {
		if d.questions[i].ID == id {
			return d.questions[i]
		}
	}
	return nil
}

// open returns the open questions, oldest first; of one server only when
// serverID is not "".
func (d *desk) open(serverID string) []*mcpclient.Elicitation {
	var out []*mcpclient.Elicitation
	for _, q := range d.questions {
		if q.State == mcpclient.ElicitationOpen && (serverID == "" || q.ServerID == serverID) {
			out = append(out, q)
		}
	}
	return out
}

// ofCall returns all questions of a call, oldest first.
func (d *desk) ofCall(callID string) []*mcpclient.Elicitation {
	var out []*mcpclient.Elicitation
	for _, q := range d.questions {
		if q.CallID == callID {
			out = append(out, q)
		}
	}
	return out
}

// place is which question of how many q is: within its round where that has
// several, else among the open ones of its server (spec: questions of one
// server are shown one by one with the count).
func (d *desk) place(q *mcpclient.Elicitation) (n, of int) {
	if q.Of > 1 {
		return q.Index, q.Of
	}
	open := d.open(q.ServerID)
	for i, o := range open {
		if o.ID == q.ID {
			return i + 1, len(open)
		}
	}
	return 1, 1
}

// selfName is what the server calls itself in its serverInfo, "" if it does
// not. It is the server's word and is marked as such.
func selfName(info *mcpclient.Info) string {
	if info == nil {
		return ""
	}
	var says struct {
		Name, Title, Version string
	}
	if json.Unmarshal(info.ServerInfo, &says) != nil {
		return ""
	}
	name := says.Title
	if name == "" {
		name = says.Name
	}
	if name != "" && says.Version != "" {
		name += " " + says.Version
	}
	return name
}
