package mcpclient

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/mcpclient/http"
	"parley/mcpclient/stdio"
)

// The rules of connections that end by themselves, where Options.Revive holds:
// they are made again after pauses that double. One that then holds for
// steadyLife has a clean slate; otherwise the sixth end in a row is the last.
const (
	firstRevival = time.Second
	lastRevival  = 30 * time.Second
	maxRevivals  = 5
	steadyLife   = time.Minute
)

// MaxAtOnce is how many servers are connected to at a time where nobody asked for
// one of them by name: when the app starts, and when connections are made again,
// which a lost network ends all at once. A list of thousands would start thousands
// of programs and open as many connections otherwise. Those that wait for a person
// do not count.
const MaxAtOnce = 8

// lifeline is what the client keeps of its connections to one server. All but
// turn is under Client.mu.
type lifeline struct {
	turn    chan struct{} // holds one token: whoever has it may connect
	deaths  int           // ends in a row, and attempts that failed
	revival *revival      // that is under way; nil for none
	told    Status        // of its next attempt
	aside   func()        // gives the place of its attempt to another; nil while there is none
}

// revival is one connection being made again.
type revival struct{ stop context.CancelFunc }

// end ends the revival that is under way and reports whether there was one.
func (l *lifeline) end() bool {
	if l.revival == nil {
		return false
	}
	l.revival.stop()
	l.revival = nil
	return true
}

// lifeline returns that of a server. c.mu is held.
func (c *Client) lifeline(serverID string) *lifeline {
	l := c.lifelines[serverID]
	if l == nil {
		l = &lifeline{turn: make(chan struct{}, 1)}
		c.lifelines[serverID] = l
	}
	return l
}

// turn waits until nobody else connects to the server.
func (c *Client) turn(ctx context.Context, serverID string) (release func(), err error) {
	c.mu.Lock()
	l := c.lifeline(serverID)
	c.mu.Unlock()
	select {
	case l.turn <- struct{}{}:
		return func() { <-l.turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (c *Client) forgetDeaths(serverID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lifeline(serverID).deaths = 0
}

// endRevival stops making a connection again. It reports whether that was
// under way.
func (c *Client) endRevival(serverID string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lifeline(serverID).end()
}

// Disconnect closes the connection to a server, as Connection.Close does, or
// stops making it again.
func (c *Client) Disconnect(ctx context.Context, serverID string) error {
	if c.endRevival(serverID) {
		c.announce(Event{ServerID: serverID, Connection: &Status{State: Closed}})
	}
	if k := c.Connection(serverID); k != nil {
		return k.Close(ctx)
	}
	return nil
}

// revive begins to make a connection again that lived for a while and ended
// for the reason why. It reports whether that is how the end was told: also
// when it was one too many. c.mu is held.
func (c *Client) revive(s Server, why *Failure, lived time.Duration) bool {
	if !c.opts.Revive || c.closed {
		return false
	}
	l := c.lifeline(s.ID)
	if lived >= steadyLife {
		l.deaths = 0
	}
	if !c.again(s, l, why) {
		return true
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &revival{stop: cancel}
	l.revival = r
	c.leaving.Go(func() {
		defer cancel()
		c.reviving(ctx, s, l, r)
	})
	return true
}

// again counts a death and tells that another attempt is to come, or that it
// was one too many. c.mu is held.
func (c *Client) again(s Server, l *lifeline, why *Failure) bool {
	l.deaths++
	status := &Status{State: Lost, Failure: why, Attempts: maxRevivals}
	more := l.deaths <= maxRevivals
	if more {
		status.State, status.Attempt = Reconnecting, l.deaths
		status.Next = c.now().Add(revivalPause(l.deaths))
		l.told = *status
	} else {
		l.deaths = 0
	}
	c.tell(Event{ServerID: s.ID, Connection: status})
	return more
}

// revivalPause is the pause before the attempt-th attempt.
func revivalPause(attempt int) time.Duration {
	return min(firstRevival<<(attempt-1), lastRevival)
}

// reviving makes attempts until one succeeds, one too many has failed, or ctx
// ends.
func (c *Client) reviving(ctx context.Context, s Server, l *lifeline, r *revival) {
	for c.pauseRevival(ctx, l) {
		err := c.attemptRevival(ctx, s, l, r)
		if !c.goesOn(ctx, s, l, r, err) {
			return
		}
	}
}

// pauseRevival waits for the next attempt and reports false if ctx ended first.
func (c *Client) pauseRevival(ctx context.Context, l *lifeline) bool {
	c.mu.Lock()
	pause := time.NewTimer(revivalPause(max(l.deaths, 1)))
	c.mu.Unlock()
	defer pause.Stop()
	select {
	case <-pause.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// goesOn tells what became of an attempt and reports whether another follows.
func (c *Client) goesOn(ctx context.Context, s Server, l *lifeline, r *revival, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctx.Err() != nil || l.revival != r {
		return false // stopped, or the new connection has ended in its turn
	}
	switch {
	case err == nil:
	case isFinal(err):
		l.deaths = 0
		c.tell(Event{ServerID: s.ID, Connection: &Status{State: Lost, Failure: connectFailure(err)}})
	case c.again(s, l, connectFailure(err)):
		return true
	}
	l.revival = nil
	return false
}

// attemptRevival connects once, when fewer than MaxAtOnce others do.
func (c *Client) attemptRevival(ctx context.Context, s Server, l *lifeline, r *revival) error {
	select {
	case c.attempts <- struct{}{}:
	default:
		c.tellQueued(s, l, r)
		select {
		case c.attempts <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	leave := sync.OnceFunc(func() { <-c.attempts })
	defer leave()
	c.asideBy(s.ID, leave)
	defer c.asideBy(s.ID, nil)
	release, err := c.turn(ctx, s.ID)
	if err != nil {
		return err
	}
	defer release()
	if c.Connection(s.ID) != nil {
		return nil
	}
	_, err = c.connect(ctx, s)
	return err
}

// tellQueued tells that the attempt of r which is due now waits for others.
func (c *Client) tellQueued(s Server, l *lifeline, r *revival) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.revival != r {
		return // stopped, which is told
	}
	queued := l.told
	queued.Queued = true
	c.tell(Event{ServerID: s.ID, Connection: &queued})
}

// asideBy sets what gives the place of a server's attempt to another.
func (c *Client) asideBy(serverID string, leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lifeline(serverID).aside = leave
}

// stepAside lets another revival come while one waits for credentials: for a
// person, perhaps, who may take the whole day.
func (c *Client) stepAside(serverID string) {
	c.mu.Lock()
	leave := c.lifeline(serverID).aside
	c.mu.Unlock()
	if leave != nil {
		leave()
	}
}

// isFinal reports whether the same attempt would fail again for as long as
// nobody does something: the program is not there, or the server wants a
// sign-in.
func isFinal(err error) bool {
	if _, ok := errors.AsType[*stdio.StartError](err); ok {
		return true
	}
	if _, ok := errors.AsType[errRevision](err); ok {
		return true
	}
	status, ok := errors.AsType[*http.StatusError](err)
	return ok && (status.Status == 401 || status.Status == 403)
}
