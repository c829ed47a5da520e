package mcpclient

import (
	"encoding/json"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/wire"
)

// push is a question that a server of the 2025 era pushed with
// elicitation/create and that waits for its answer.
type push struct {
	conn   *Connection
	id     wire.ID    // of the server's request
	callID string     // "" if it is not known whose it is
	q      string     // the question
	paused []*pending // whose clocks stop; under Connection.mu
}

// pushed opens the question of an elicitation/create. A bad one is refused with
// -32602, one too many with -32603; neither is ever a decline.
func (k *Connection) pushed(m wire.Message, over wire.ID) {
	a, bad := readParams(m.Params)
	if bad == nil {
		bad = k.takes(a)
	}
	if bad != nil {
		k.notice(i18n.M("core.notice.badpush", "Reason", bad.reason), "")
		k.respond(m.ID, nil, &wire.Error{Code: wire.CodeInvalidParams, Message: "elicitation/create: " + bad.wire})
		return
	}
	if k.isPushed(m.ID) {
		// An answer to the second would be one to the first.
		k.notice(i18n.M("core.notice.sameid"), m.ID.String())
		return
	}
	a.key = idText(m.ID)
	p := &push{conn: k, id: m.ID, q: newID("q")}
	run := k.ownerOf(over, p)
	if run != nil && a.mode == ModeURL && run.again(p, a.url) {
		return
	}
	e := a.elicitation(k)
	e.ID, e.Via, e.Index, e.Of, e.Round = p.q, ViaPush, 1, 1, 1
	if run != nil {
		run.update(func(c *Call) {
			c.Asked++
			c.State = CallAsking
			p.callID = c.ID
			e.CallID, e.CallTitle, e.CallStarted, e.Round, e.N = c.ID, c.DisplayTitle(), c.Started, c.Round, c.Asked
		})
	} else {
		k.mu.Lock()
		k.asked++
		e.N = k.asked
		k.mu.Unlock()
	}
	p.open()
	if !k.client.ask(p, []Elicitation{e}, k.server.maxMessage()) {
		p.close()
		k.notice(i18n.M("core.notice.toomany", "Max", MaxOpen), "")
		k.respond(m.ID, nil, &wire.Error{Code: wire.CodeInternal, Message: "too many open questions"})
		return
	}
	// The call or the connection may have ended while the question opened.
	if run != nil {
		if over, err := run.ending(); over {
			k.endPushesOf(p.callID, err)
		}
	}
	if k.isDone() {
		k.endPushes(endingOf(errGone{k.ended()}))
	}
}

// isPushed reports whether a pushed question with the id is open.
func (k *Connection) isPushed(id wire.ID) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.pushes[id] != nil
}

// idText is a request's id as text: a string id without its quotes.
func idText(id wire.ID) string {
	if s, ok := rawjson.Decode(json.RawMessage(id.String())); ok {
		return s
	}
	return id.String()
}

// open stops the clocks.
func (p *push) open() {
	p.conn.mu.Lock()
	p.conn.pushes[p.id] = p
	for _, w := range p.paused {
		w.questions++
	}
	p.conn.mu.Unlock()
}

// ownerOf finds the call that a pushed question belongs to: the one whose reply
// stream it came on, else the only one that runs. Its requests' clocks are the
// ones that stop; where nobody can tell whose it is, all of them.
func (k *Connection) ownerOf(over wire.ID, p *push) *callRun {
	k.mu.Lock()
	calls := map[string]bool{}
	for id, w := range k.pending {
		if id == over {
			p.paused = []*pending{w}
			calls = map[string]bool{w.callID: true}
			break
		}
		p.paused = append(p.paused, w)
		calls[w.callID] = true
	}
	k.mu.Unlock()
	delete(calls, "")
	if len(calls) != 1 {
		return nil
	}
	k.client.mu.Lock()
	defer k.client.mu.Unlock()
	for id := range calls {
		return k.client.running[id]
	}
	return nil
}

// again answers a pushed page that the person has already opened in this call:
// it is no new question. It reports whether it is one of those.
func (r *callRun) again(p *push, url string) bool {
	if !r.seen(url) {
		return false
	}
	p.open()
	return r.conn.begin(func() {
		defer p.close()
		if r.waitInBrowser() == nil {
			r.conn.reply(p.id, Answer{Action: Accept})
			r.update(func(c *Call) { c.State = CallRunning })
		}
	})
}

// reply sends a person's answer. That a server did not take it is shown: they
// believe that they have answered.
func (k *Connection) reply(id wire.ID, a Answer) {
	k.send(wire.Message{ID: id, Result: encodeAnswer(a)}, func(err error) {
		k.notice(i18n.M("core.notice.unanswered", "Reason", requestFailure(err).Text), "")
	})
}

// answered sends the answer: for a page, accept means that it was opened and
// no more (C14).
func (p *push) answered(e Elicitation) {
	p.close()
	p.conn.client.mu.Lock()
	run := p.conn.client.running[p.callID]
	p.conn.client.mu.Unlock()
	if run != nil {
		if e.Mode == ModeURL && e.Answer.Action == Accept {
			run.remember(e.URL)
		}
		if !p.conn.asking(p.callID) {
			run.update(func(c *Call) { c.State = CallRunning })
		}
	}
	p.conn.reply(p.id, *e.Answer)
}

// close lets the clocks run again.
func (p *push) close() {
	p.conn.mu.Lock()
	delete(p.conn.pushes, p.id)
	now := time.Now()
	for _, w := range p.paused {
		w.questions--
		if p.conn.pending[w.id] == w { // else it has ended
			p.conn.watch(w, now)
		}
	}
	p.paused = nil
	p.conn.mu.Unlock()
}

// asking reports whether a pushed question of the call is still open.
func (k *Connection) asking(callID string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range k.pushes {
		if p.callID == callID {
			return true
		}
	}
	return false
}

// withdraw lets a question die that the server takes back
// (notifications/cancelled for its elicitation/create). Nothing is answered.
func (k *Connection) withdraw(id wire.ID, reason string) {
	k.mu.Lock()
	p := k.pushes[id]
	k.mu.Unlock()
	if p == nil {
		return
	}
	p.close()
	why := i18n.M("core.end.withdrawn")
	if reason != "" {
		why = i18n.M("core.end.withdrawnwhy", "Reason", clip(reason))
	}
	k.client.kill(p.q, why)
	if p.callID != "" && !k.asking(p.callID) {
		k.client.mu.Lock()
		run := k.client.running[p.callID]
		k.client.mu.Unlock()
		if run != nil {
			run.update(func(c *Call) { c.State = CallRunning })
		}
	}
}

// hear takes a notification of the server.
func (k *Connection) hear(m wire.Message, over wire.ID) {
	members, err := rawjson.Only(m.Params, "requestId", "reason", "elicitationId", "progressToken", "progress", "total", "message", "level", "logger", "data", "uri")
	if err != nil {
		members = nil
	}
	switch m.Method {
	case "notifications/cancelled":
		if id, err := wire.ParseID(rawjson.Get(members, "requestId")); err == nil {
			k.withdraw(id, text(rawjson.Get(members, "reason")))
		}
	case "notifications/elicitation/complete":
		// Unknown and repeated ids are ignored (2025-11-25, "Completion
		// Notifications").
		if id := scalar(rawjson.Get(members, "elicitationId")); id != "" {
			k.client.completed(k.server.ID, id)
		}
	case "notifications/progress":
		k.progress(members)
	case "notifications/message":
		k.client.announce(Event{ServerID: k.server.ID, CallID: k.callOver(over), Log: &Log{
			Level:  text(rawjson.Get(members, "level")),
			Logger: text(rawjson.Get(members, "logger")),
			Data:   rawjson.Get(members, "data"),
		}})
	case "notifications/tools/list_changed":
		k.changed(toolList)
	case "notifications/prompts/list_changed":
		k.changed(promptList)
	case "notifications/resources/list_changed":
		k.changed(resourceList)
	case "notifications/resources/updated":
		k.cache.dropOne(methods[CallResource], text(rawjson.Get(members, "uri")))
	}
}

// callOver returns the call whose reply stream something came on; on a stream
// of no request, the only call that runs; else "".
func (k *Connection) callOver(over wire.ID) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if p, ok := k.pending[over]; ok {
		return p.callID
	}
	only := ""
	for _, p := range k.pending {
		if p.callID != "" && only != "" && p.callID != only {
			return ""
		}
		if p.callID != "" {
			only = p.callID
		}
	}
	return only
}

// maxProgress bounds, in bytes, what a server may say of its progress.
const maxProgress = 4 << 10

// progress gives a notifications/progress to the call whose token it names.
// Progress that does not grow, or comes after the end, is ignored (spec:
// "Progress").
func (k *Connection) progress(members []rawjson.Member) {
	token := text(rawjson.Get(members, "progressToken"))
	p := Progress{
		Progress: number(rawjson.Get(members, "progress")),
		Total:    number(rawjson.Get(members, "total")),
		Message:  wire.Clip(text(rawjson.Get(members, "message")), maxProgress),
	}
	run := k.runOf(token)
	if run == nil || p.Progress == "" {
		return
	}
	run.progress(p)
}

// progress keeps and tells of progress. It is no change of the call that is
// worth the journal: there may be thousands a second.
func (r *callRun) progress(p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.call.State.Ended() || r.call.Progress != nil && !grows(r.call.Progress.Progress, p.Progress) {
		return
	}
	r.call.Progress = &p
	c := r.client
	c.mu.Lock()
	defer c.mu.Unlock()
	call := r.call
	c.calls.put(call.ID, &call)
	c.tell(Event{ServerID: r.call.ServerID, CallID: r.call.ID, Progress: &p})
}

// runOf returns the call whose request carries the progress token; nil for
// none, "" among them.
func (k *Connection) runOf(token string) *callRun {
	k.mu.Lock()
	callID := ""
	for _, p := range k.pending {
		if p.token == token && token != "" {
			callID = p.callID
		}
	}
	k.mu.Unlock()
	k.client.mu.Lock()
	defer k.client.mu.Unlock()
	return k.client.running[callID]
}

// number returns the digits of a JSON number, "" for anything else.
func number(raw json.RawMessage) json.Number {
	if rawjson.Kind(raw) != '0' {
		return ""
	}
	return json.Number(raw)
}

// grows reports whether b is more than a.
func grows(a, b json.Number) bool {
	x, err1 := a.Float64()
	y, err2 := b.Float64()
	return err1 == nil && err2 == nil && y > x
}
