package demo

import (
	"context"
	"crypto/rand"
	"sync"
	"time"
)

const (
	// linkLife is how long a page waits for the person.
	linkLife = 30 * time.Minute

	// maxLinks bounds the links remembered, finished ones included. Past it the
	// oldest goes, so that nobody can fill the memory.
	maxLinks = 1000
)

// linkState is what the person did on the page.
type linkState int

const (
	pending linkState = iota
	linked
	refused
	lapsed // nobody came in time, or the link made room for others
)

// link is one page that a person was sent to. The id is all that its URL holds.
type link struct {
	id      string // 130 random bits
	service string // what is being linked, as the caller wrote it
	tag     string // the language of the page
	expires time.Time

	// done is closed when the state is no longer pending.
	done  chan struct{}
	state linkState // guarded by links.mu
	timer *time.Timer
}

// wait returns when the person has decided or the link has lapsed, or with
// ctx's error.
func (l *link) wait(ctx context.Context) error {
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// links are the pages waiting for people and those lately done.
type links struct {
	now func() time.Time

	mu    sync.Mutex
	byID  map[string]*link
	order []*link // oldest first, which is also the order of expiry
}

func newLinks(now func() time.Time) *links {
	return &links{now: now, byID: map[string]*link{}}
}

// add makes a pending link.
func (ls *links) add(service, tag string) *link {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.sweep()
	if len(ls.order) >= maxLinks {
		ls.drop()
	}
	l := &link{
		id: rand.Text(), service: service, tag: tag,
		expires: ls.now().Add(linkLife), done: make(chan struct{}),
	}
	// The timer is for a legacy call that waits; it holds no goroutine.
	l.timer = time.AfterFunc(linkLife, func() { ls.decide(l, lapsed) })
	ls.byID[l.id] = l
	ls.order = append(ls.order, l)
	return l
}

// get returns the link with the id, nil if there is none or it has expired.
func (ls *links) get(id string) *link {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.sweep()
	return ls.byID[id]
}

// stateOf is what the person did, so far.
func (ls *links) stateOf(l *link) linkState {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	return l.state
}

// decide records the person's decision. The first one stands.
func (ls *links) decide(l *link, s linkState) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.settle(l, s)
}

// close lapses every link that still waits, so that no timer is left behind.
func (ls *links) close() {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for len(ls.order) > 0 {
		ls.drop()
	}
}

// sweep drops what has expired. The caller holds ls.mu.
func (ls *links) sweep() {
	for len(ls.order) > 0 && !ls.now().Before(ls.order[0].expires) {
		ls.drop()
	}
}

// drop forgets the oldest link. The caller holds ls.mu.
func (ls *links) drop() {
	l := ls.order[0]
	ls.order = ls.order[1:]
	delete(ls.byID, l.id)
	ls.settle(l, lapsed)
}

// settle moves a pending link to s. The caller holds ls.mu.
func (ls *links) settle(l *link, s linkState) {
	if l.state != pending {
		return
	}
	l.state = s
	l.timer.Stop()
	close(l.done)
}
