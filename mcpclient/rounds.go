package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"parley/assets/i18n"
	"parley/forms/rawjson"
	"parley/mcpclient/http"
)

// The pauses between rounds that ask nothing new: the first, doubled each time
// up to the last.
const (
	firstPause = 250 * time.Millisecond
	// firstPoll is the first pause where a page is open in the browser: a
	// person has to do something there.
	firstPoll = time.Second
	lastPause = 10 * time.Second
)

// methods are the three requests whose result may ask for input.
var methods = map[CallKind]string{
	CallTool:     "tools/call",
	CallPrompt:   "prompts/get",
	CallResource: "resources/read",
}

// callRun is a call while it runs. Its goroutine goes through the rounds; what
// others do to it goes through cancel, resume and completed.
type callRun struct {
	conn   *Connection
	client *Client
	ctx    context.Context
	cancel context.CancelCauseFunc
	wakeup chan struct{} // buffered: Continue, or a page was completed

	mu      sync.Mutex // before Client.mu where both are held
	call    Call
	waiting bool            // for Continue
	resumed bool            // Continue was called while waiting
	opened  map[string]bool // URLs accepted in this call, byte for byte; nil before the first
	pause   time.Duration   // the next pause; 0 before the first
	quiet   time.Duration   // spent on rounds that asked nothing new
	over    bool            // the call is at its end
	err     error           // which is this; nil is a result
}

// Start begins a call and returns its id at once. What comes of it is told as
// events; it ends by itself, by Client.Cancel or with its connection.
func (k *Connection) Start(r CallRequest) string {
	ctx, cancel := context.WithCancelCause(context.Background())
	run := &callRun{
		conn:   k,
		client: k.client,
		ctx:    ctx,
		cancel: cancel,
		wakeup: make(chan struct{}, 1),
		call: Call{
			ID:          newID("call"),
			ServerID:    k.server.ID,
			Identity:    k.Info().Identity,
			CallRequest: r,
			Started:     k.client.now(),
			State:       CallRunning,
			Round:       1,
		},
	}
	id := run.call.ID
	c := k.client
	c.mu.Lock()
	c.running[id] = run
	c.keepCall(run.call)
	c.mu.Unlock()
	if k.enter() {
		go run.run()
	} else {
		run.finish(nil, errGone{k.ended()})
	}
	return id
}

// run is the goroutine of the call.
func (r *callRun) run() {
	defer r.conn.calls.Done()
	defer r.cancel(nil)
	r.finish(r.rounds())
}

// begin runs f on a goroutine that Close waits for; not any more once Close
// has been called.
func (k *Connection) begin(f func()) bool {
	if !k.enter() {
		return false
	}
	go func() {
		defer k.calls.Done()
		f()
	}()
	return true
}

// enter counts a goroutine for Close to wait for, which is to call
// Connection.calls.Done at its end. It reports false once Close has been called.
func (k *Connection) enter() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.closing {
		k.calls.Add(1)
	}
	return !k.closing
}

// update changes the call and keeps the change. A call that has ended changes
// no more.
func (r *callRun) update(f func(*Call)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.call.State.Ended() {
		return
	}
	f(&r.call)
	r.client.mu.Lock()
	defer r.client.mu.Unlock()
	r.client.keepCall(r.call)
}

// remember notes that the person has opened url in this call; seen asks for it.
func (r *callRun) remember(url string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opened == nil {
		r.opened = map[string]bool{}
	}
	r.opened[url] = true
}

func (r *callRun) seen(url string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.opened[url]
}

// snapshot returns the call as it stands.
func (r *callRun) snapshot() Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.call
}

// ending reports whether the call is at its end, and with what; nil is a result.
func (r *callRun) ending() (over bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over, r.err
}

// note tells what the call waits for.
func (r *callRun) note(state string, text i18n.Message) {
	r.client.announce(Event{ServerID: r.call.ServerID, CallID: r.call.ID, State: &StateNote{State: state, Text: text}})
}

// finish ends the call: with a result, or with why there is none. Questions
// of the call that are still open end with it.
func (r *callRun) finish(result json.RawMessage, err error) {
	c := r.client
	r.mu.Lock()
	r.over, r.err = true, err // from here on a question of the call dies as it opens
	r.mu.Unlock()
	r.conn.endPushesOf(r.call.ID, err)
	c.mu.Lock()
	delete(c.running, r.call.ID)
	c.mu.Unlock()
	now := r.conn.Info().Identity
	r.update(func(call *Call) {
		call.Ended = c.now()
		if _, unknown := errors.AsType[*http.AuthorizationError](err); unknown {
			call.Identity.User, call.Identity.Host = now.User, now.Host // that of before did not count
		}
		switch {
		case errors.Is(err, errCancelled):
			call.State = CallCancelled
			call.Failure = &Failure{Kind: FailCancelled, Text: i18n.M("core.fail.cancelled")}
		case err != nil:
			call.State, call.Failure = CallFailed, callFailure(err)
		default:
			call.State, call.Result = CallDone, result
			isError, _ := rawjson.Lookup(result, "isError")
			call.IsError = string(isError) == "true"
		}
	})
}

// rounds sends the request again and again, with what it asked for, until it
// has a result.
func (r *callRun) rounds() (json.RawMessage, error) {
	if result, found := r.kept(); found {
		return result, nil
	}
	epoch := r.conn.cache.epoch()
	var with retry
	for {
		sent := r.client.now()
		result, err := r.send(with)
		r.spend(r.client.now().Sub(sent))
		if err != nil {
			urls, bad := requiredURLs(err)
			if bad != nil {
				return nil, bad
			}
			if len(urls) == 0 {
				return nil, err
			}
			if err := r.conn.takesAll(urls); err != nil {
				return nil, err
			}
			with = retry{}
			if err := r.visit(urls, err); err != nil {
				return nil, err
			}
		} else {
			need, err := readResult(result, r.conn.Info().Era)
			if err != nil {
				return nil, err
			}
			if need == nil {
				r.keep(epoch, result)
				return result, nil
			}
			if err := r.conn.takesAll(need.asks); err != nil {
				return nil, err
			}
			with.state = need.state
			if with.responses, err = r.input(need); err != nil {
				return nil, err
			}
		}
		r.update(func(c *Call) { c.Round++; c.State = CallRunning })
	}
}

// kept returns what was kept of a resource, and marks the call so.
func (r *callRun) kept() (json.RawMessage, bool) {
	call := r.snapshot()
	if call.Kind != CallResource || call.Fresh {
		return nil, false
	}
	k, found := r.conn.cache.find(methods[CallResource], call.Name, r.client.now())
	if found {
		r.update(func(c *Call) { c.Kept = k.at })
	}
	return k.result, found
}

// keep keeps a resource if the server lets it be kept. One that was read with
// answers or in a second round depends on more than its address and is not.
func (r *callRun) keep(epoch int, result json.RawMessage) {
	call := r.snapshot()
	if call.Kind == CallResource && call.Round == 1 && r.conn.Info().Era == Modern {
		r.conn.cache.put(epoch, methods[CallResource], call.Name, result, r.client.now())
	}
}

// spend adds d to the time of rounds that ask nothing new, if this is one.
func (r *callRun) spend(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pause > 0 {
		r.quiet += d
	}
}

// input gets what a round asks for and returns the inputResponses to send, nil
// for none.
func (r *callRun) input(need *needed) (json.RawMessage, error) {
	if len(need.asks) == 0 {
		return nil, r.sleep(firstPause, "waiting", i18n.M("core.state.working"))
	}
	answers, asked, err := r.settle(need.asks, ViaRound)
	if err == nil && !asked {
		err = r.waitInBrowser()
	}
	if err != nil {
		return nil, err
	}
	return responses(need.asks, answers), nil
}

// settle gets an answer to every ask: pages opened earlier in this call are
// accepted again, the others are questions. asked tells whether there were any.
// Of the pages of a -32042 the first that is not accepted is the end; those
// after it have the zero Answer.
func (r *callRun) settle(asks []ask, via Via) (answers []Answer, asked bool, err error) {
	answers = make([]Answer, len(asks))
	for rest := places(asks); len(rest) > 0; {
		fresh, again, later := r.sort(asks, rest)
		for _, i := range again {
			answers[i] = Answer{Action: Accept}
		}
		if len(again) > 0 && (asked || len(fresh) > 0) {
			r.note("browser", i18n.M("core.state.browser"))
		}
		if len(fresh) == 0 {
			break
		}
		asked = true
		first, of := 1, len(fresh)
		if via == ViaRequired {
			// One after the other: a refusal ends the call, and whoever gave it
			// is not to be asked for the next page first.
			first, of = fresh[0]+1, len(asks)
			later = append(fresh[1:], later...)
			fresh = fresh[:1]
		}
		batch := make([]ask, len(fresh))
		for j, i := range fresh {
			batch[j] = asks[i]
		}
		got, err := r.ask(batch, via, first, of)
		if err != nil {
			return nil, true, err
		}
		for j, i := range fresh {
			answers[i] = got[j]
		}
		if via == ViaRequired && got[0].Action != Accept {
			break
		}
		rest = later
	}
	return answers, asked, nil
}

// places are the indexes of asks.
func places(asks []ask) []int {
	all := make([]int, len(asks))
	for i := range all {
		all[i] = i
	}
	return all
}

// sort tells the asks that are new questions from pages that were opened
// earlier in this call, and from pages that another ask of this round will
// settle first: a page is asked for once.
func (r *callRun) sort(asks []ask, which []int) (fresh, again, later []int) {
	asking := map[string]bool{}
	for _, i := range which {
		a := asks[i]
		switch {
		case a.mode != ModeURL:
			fresh = append(fresh, i)
		case r.seen(a.url):
			again = append(again, i)
		case asking[a.url]:
			later = append(later, i)
		default:
			asking[a.url] = true
			fresh = append(fresh, i)
		}
	}
	return fresh, again, later
}

// responses writes inputResponses in the order of the asks.
func responses(asks []ask, answers []Answer) json.RawMessage {
	members := make([]literal, len(asks))
	for i, a := range asks {
		members[i] = literal{a.literal, encodeAnswer(answers[i])}
	}
	return encodeLiteral(members)
}

// encodeAnswer writes an ElicitResult.
func encodeAnswer(a Answer) json.RawMessage {
	return encode(member{"action", quote(string(a.Action))}, member{"content", a.Content})
}

// roundWait collects the answers of one round.
type roundWait struct{ answers chan Elicitation }

func (w *roundWait) answered(e Elicitation) { w.answers <- e }

// ask puts questions before the person, all at once, and waits until every one
// is answered (M1). They are numbers first, first+1 … of the of questions that
// belong together.
func (r *callRun) ask(asks []ask, via Via, first, of int) ([]Answer, error) {
	call := r.snapshot()
	es := make([]Elicitation, len(asks))
	for i, a := range asks {
		es[i] = a.elicitation(r.conn)
		es[i].CallID, es[i].CallTitle, es[i].CallStarted = call.ID, call.DisplayTitle(), call.Started
		es[i].Via, es[i].Round, es[i].Index, es[i].Of = via, call.Round, first+i, of
		es[i].N = call.Asked + i + 1
	}
	w := &roundWait{answers: make(chan Elicitation, len(asks))}
	r.mu.Lock()
	r.pause, r.quiet = 0, 0
	r.mu.Unlock()
	r.update(func(c *Call) { c.State, c.Asked = CallAsking, c.Asked+len(asks) })
	if !r.client.ask(w, es, r.conn.server.maxMessage()) {
		return nil, &Failure{Kind: FailInvalid, Text: i18n.M("core.invalid.toomany", "Max", MaxOpen)}
	}
	place := map[string]int{}
	for i, e := range es {
		place[e.ID] = i
	}
	answers := make([]Answer, len(asks))
	for range asks {
		select {
		case e := <-w.answers:
			answers[place[e.ID]] = *e.Answer
			if e.Mode == ModeURL && e.Answer.Action == Accept {
				r.remember(e.URL)
			}
		case <-r.ctx.Done():
			return nil, r.drop(es, context.Cause(r.ctx))
		case <-r.conn.done:
			return nil, r.drop(es, errGone{r.conn.ended()})
		}
	}
	return answers, nil
}

// drop lets the questions die that are still open, because of err, which it
// returns.
func (r *callRun) drop(es []Elicitation, err error) error {
	for _, e := range es {
		r.client.kill(e.ID, endingOf(err).why)
	}
	return err
}
