package wire

import (
	"sync"
	"time"
)

// How fast notices of one kind are told. A start-up banner or a stack trace
// comes whole; a program that writes without end costs the rest of the app
// next to nothing.
const (
	noticeBurst = 200                   // at once
	noticePace  = 50 * time.Millisecond // one more is free after each
	noticeDelay = time.Second           // the longest that one is held back
)

// maxNotice bounds, in bytes, the text of a notice.
const maxNotice = 4 << 10

// Notices hands the notices of one transport on to its Handler, at a bounded
// rate for each kind: 200 at once, then 20 a second. What comes faster is held
// back and told, within a second, by one notice that has the last one's text
// and says how many there were. So nothing goes uncounted, and a flood of
// stray lines is no flood of events.
//
// Its methods may be called from any goroutine; the Handler is called by one
// at a time.
type Notices struct {
	handler Handler

	mu      sync.Mutex
	kinds   map[NoticeKind]*pace
	timer   *time.Timer // runs while something is held back
	stopped bool
}

// pace is the state of one kind of notice.
type pace struct {
	free int       // how many may be told now
	at   time.Time // when free was brought up to date
	held int       // how many are held back
	last string    // the text of the last of them
}

// NewNotices returns Notices that tell h.
func NewNotices(h Handler) *Notices { return &Notices{handler: h, kinds: map[NoticeKind]*pace{}} }

// Tell tells of one oddity, now or soon. text is cut to 4 KiB.
func (n *Notices) Tell(kind NoticeKind, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.stopped {
		return
	}
	p := n.kinds[kind]
	if p == nil {
		p = &pace{free: noticeBurst, at: time.Now()}
		n.kinds[kind] = p
	}
	if p.held == 0 && p.take() {
		n.handler.Noticed(Notice{Kind: kind, Text: Clip(text, maxNotice), Count: 1})
		return
	}
	p.held++
	p.last = Clip(text, maxNotice)
	if n.timer == nil {
		n.timer = time.AfterFunc(noticeDelay, n.release)
	}
}

// take uses one free notice up, if there is one.
func (p *pace) take() bool {
	if p.free == 0 {
		if p.free = min(int(time.Since(p.at)/noticePace), noticeBurst); p.free == 0 {
			return false
		}
		p.at = time.Now()
	}
	p.free--
	return true
}

// release tells what is held back when its time has come.
func (n *Notices) release() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.timer = nil
	n.flush()
}

func (n *Notices) flush() {
	for kind, p := range n.kinds {
		if p.held > 0 {
			n.handler.Noticed(Notice{Kind: kind, Text: p.last, Count: p.held})
			p.held, p.last = 0, ""
		}
	}
}

// Stop tells what is held back, and nothing more after that. It is called
// before Handler.Closed.
func (n *Notices) Stop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stopped = true
	if n.timer != nil {
		n.timer.Stop()
		n.timer = nil
	}
	n.flush()
}
