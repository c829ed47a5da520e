package mcpclient

import (
	"context"
	"slices"
	"time"

	"parley/assets/i18n"
)

// waitInBrowser waits, with the page open in the browser, before the same
// answer is given again: for the person, or for a pause where the call polls.
func (r *callRun) waitInBrowser() error {
	if r.snapshot().Polling {
		return r.sleep(firstPoll, "browser", i18n.M("core.state.browser"))
	}
	return r.browser(func() bool { return !r.isResumed() }, nil)
}

// browser waits while the person has a page open in the browser, for as long as
// again holds, which is looked at before the wait and after every wake-up, or
// until bound fires.
func (r *callRun) browser(again func() bool, bound <-chan time.Time) error {
	select {
	case <-r.wakeup: // of something that was over before this wait
	default:
	}
	r.setWaiting(true)
	defer r.setWaiting(false)
	r.update(func(c *Call) { c.State = CallBrowser })
	r.note("browser", i18n.M("core.state.browser"))
	for again() {
		select {
		case <-r.wakeup:
		case <-bound:
			return nil
		case <-r.ctx.Done():
			return context.Cause(r.ctx)
		case <-r.conn.done:
			return errGone{r.conn.ended()}
		}
	}
	return nil
}

func (r *callRun) setWaiting(waiting bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting, r.resumed = waiting, false
}

func (r *callRun) isResumed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.resumed
}

// sleep pauses before a round that asks nothing new is sent again. The pauses
// grow, and their total is bounded by CallRequest.Quiet.
func (r *callRun) sleep(first time.Duration, state string, text i18n.Message) error {
	r.mu.Lock()
	r.pause = min(max(first, 2*r.pause), lastPause)
	pause, bound := r.pause, r.call.Quiet
	over := bound > 0 && r.quiet >= bound
	if bound > 0 {
		pause = min(pause, bound-r.quiet) // the last try comes when the time is over
	}
	r.quiet += pause
	r.mu.Unlock()
	if over {
		say := "core.fail.quiet"
		if state == "browser" {
			say = "core.fail.quietpage"
		}
		return &Failure{Kind: FailTimeout, Text: i18n.M(say, "Bound", bound.String())}
	}
	r.update(func(c *Call) { c.State = CallPausing })
	r.note(state, text)
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-r.wakeup:
		return nil
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	case <-r.conn.done:
		return errGone{r.conn.ended()}
	}
}

// resume ends the wait for the person. It reports whether there was one.
func (r *callRun) resume() bool {
	r.mu.Lock()
	waiting := r.waiting || r.call.State == CallPausing
	r.resumed = waiting
	r.mu.Unlock()
	if waiting {
		r.wake()
	}
	return waiting
}

// completed is told that a page of the call is done.
func (r *callRun) completed() { r.wake() }

func (r *callRun) wake() {
	select {
	case r.wakeup <- struct{}{}:
	default:
	}
}

// completeBound is how long a call that polls waits for
// notifications/elicitation/complete after all its pages were opened.
const completeBound = 5 * time.Second

// visit asks for the pages of a -32042 error and waits until the request is
// worth repeating. cause is the error itself, which ends the call, in other
// words, when a page is declined or dismissed.
func (r *callRun) visit(urls []ask, cause error) error {
	answers, asked, err := r.settle(urls, ViaRequired)
	if err != nil {
		return err
	}
	if !asked {
		return r.waitInBrowser()
	}
	if slices.ContainsFunc(answers, func(a Answer) bool { return a.Action != Accept }) {
		return notOpened(cause, answers)
	}
	return r.awaitComplete(urls)
}

// notOpened is the end of a call that needs pages, by cause, when the person has
// not opened one of them. Those after that have the zero Answer.
func notOpened(cause error, answers []Answer) error {
	f := withRPC(&Failure{Kind: FailRPC, Declined: true}, rpcError(cause))
	with := func(act Action) bool {
		return slices.ContainsFunc(answers, func(a Answer) bool { return a.Action == act })
	}
	switch declined, others := with(Decline), with(Accept); {
	case declined && others:
		f.Text = i18n.M("core.rpc.url_declined_after")
	case declined:
		f.Text = i18n.M("core.rpc.url_declined")
	case others:
		f.Text = i18n.M("core.rpc.url_cancelled_after")
	default:
		f.Text = i18n.M("core.rpc.url_cancelled")
	}
	return f
}

// awaitComplete waits for elicitation/complete of every page. The notification
// is optional, so a person can go on without it, and a call that polls goes on
// by itself.
func (r *callRun) awaitComplete(urls []ask) error {
	var bound <-chan time.Time
	if r.snapshot().Polling {
		t := time.NewTimer(completeBound)
		defer t.Stop()
		bound = t.C
	}
	return r.browser(func() bool { return !r.allComplete(urls) && !r.isResumed() }, bound)
}

// allComplete reports whether the server said of every page that it is done.
func (r *callRun) allComplete(urls []ask) bool {
	done := map[string]bool{}
	for _, e := range r.client.Elicitations() {
		if e.CallID == r.call.ID && e.Complete {
			done[e.RemoteID] = true
		}
	}
	for _, a := range urls {
		if !done[a.remoteID] {
			return false
		}
	}
	return true
}
