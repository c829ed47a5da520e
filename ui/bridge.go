package ui

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/ui/kit"
)

// How often what a server says on the side (progress, logs, notices, changed
// lists) reaches Fyne's thread: at once for the first few times, then once in a
// pause. Calls, questions and connections are never held back.
const (
	sideBurst = 20
	sidePause = 50 * time.Millisecond
)

// maxSideText bounds one text that a server says on the side, in bytes.
const maxSideText = 4 << 10

// bridge carries the client's events to Fyne's thread. A server that says
// something a million times a second costs the window a redraw twenty times a
// second, and no memory: of progress only the newest waits, of a server's logs
// and notices the newest few hundred, and the others are counted.
type bridge struct {
	do    kit.Dispatcher
	clock clock
	take  func(batch)

	mu      sync.Mutex // held for moments only
	waiting batch
	// Where in waiting.events the newest progress of a call stands, and what
	// there is of a server.
	progress map[string]int
	changed  map[string]bool
	said     map[string]int // logs and notices
	coming   coming
	cancel   func() // of the timer, while coming is comingLater
	free     int    // how many times may be delivered at once
	freed    time.Time
}

// batch is what happened since the last one. In left stands how many logs and
// notices of each kind are not among the events.
type batch struct {
	events []mcpclient.Event
	left   map[sideKey]int
}

// sideKey is a kind of what a server says on the side.
type sideKey struct {
	server string
	kind   sideKind
}

// coming tells whether waiting is about to be delivered.
type coming int

const (
	comingNever coming = iota
	comingLater        // when the timer runs out
	comingNow          // as soon as Fyne's thread is free
)

func newBridge(do kit.Dispatcher, c clock, take func(batch)) *bridge {
	return &bridge{do: do, clock: c, take: take, free: sideBurst, freed: c.Now()}
}

// put is the client's observer.
func (b *bridge) put(e mcpclient.Event) {
	e = clipped(e)
	b.mu.Lock()
	onSide := b.keep(e)
	now := b.schedule(onSide)
	b.mu.Unlock()
	if now {
		b.do.Do(b.deliver)
	}
}

// keep adds an event to those that wait, or lets it take the place of one. It
// reports whether it may be held back.
func (b *bridge) keep(e mcpclient.Event) (onSide bool) {
	switch {
	case e.Progress != nil:
		if i, waits := b.progress[e.CallID]; waits {
			b.waiting.events[i] = e
			return true
		}
		if b.progress == nil {
			b.progress = map[string]int{}
		}
		b.progress[e.CallID] = len(b.waiting.events)
	case e.ListChanged:
		if b.changed[e.ServerID] {
			return true
		}
		mark(&b.changed, e.ServerID)
	case e.Log != nil || e.Notice != nil:
		if b.said == nil {
			b.said = map[string]int{}
		}
		if b.said[e.ServerID]++; b.said[e.ServerID] > 2*maxSideLines {
			b.thin(e.ServerID)
		}
	default:
		b.waiting.events = append(b.waiting.events, e)
		return false
	}
	b.waiting.events = append(b.waiting.events, e)
	return true
}

// thin leaves of a server's logs and notices the newest, and counts the others.
func (b *bridge) thin(server string) {
	over := b.said[server] - maxSideLines
	b.said[server] = maxSideLines
	if b.waiting.left == nil {
		b.waiting.left = map[sideKey]int{}
	}
	kept := b.waiting.events[:0]
	clear(b.progress)
	for _, e := range b.waiting.events {
		if over > 0 && e.ServerID == server && (e.Log != nil || e.Notice != nil) {
			kind, count := sideOf(e)
			b.waiting.left[sideKey{server, kind}] += count
			over--
			continue
		}
		if e.Progress != nil {
			b.progress[e.CallID] = len(kept)
		}
		kept = append(kept, e)
	}
	clear(b.waiting.events[len(kept):])
	b.waiting.events = kept
}

// schedule sees to it that what waits is delivered. It reports whether the
// caller is to do that now.
func (b *bridge) schedule(onSide bool) (now bool) {
	switch {
	case b.coming == comingNow:
		return false
	case onSide && b.coming == comingLater:
		return false
	case onSide && !b.mayDeliver():
		b.coming = comingLater
		b.cancel = b.clock.After(sidePause, b.due)
		return false
	case b.coming == comingLater:
		b.cancel()
	}
	b.coming = comingNow
	return true
}

// mayDeliver uses up one of the deliveries that are free, if there is one.
func (b *bridge) mayDeliver() bool {
	if b.free == 0 {
		now := b.clock.Now()
		if b.free = min(int(now.Sub(b.freed)/sidePause), sideBurst); b.free == 0 {
			return false
		}
		b.freed = now
	}
	b.free--
	return true
}

// due delivers what was held back.
func (b *bridge) due() {
	b.mu.Lock()
	held := b.coming == comingLater
	if held {
		b.coming = comingNow
	}
	b.mu.Unlock()
	if held {
		b.do.Do(b.deliver)
	}
}

// stop ends what is still to come.
func (b *bridge) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.coming == comingLater {
		b.cancel()
		b.coming = comingNever
	}
}

func (b *bridge) deliver() {
	b.mu.Lock()
	waiting := b.waiting
	b.waiting = batch{}
	b.progress, b.changed, b.said = nil, nil, nil
	b.coming = comingNever
	b.mu.Unlock()
	b.take(waiting)
}

// clipped bounds the texts of an event that is only ever shown, so that what
// waits or is kept holds nothing of a large message.
func clipped(e mcpclient.Event) mcpclient.Event {
	switch {
	case e.Log != nil:
		l := *e.Log
		l.Level, l.Logger, l.Data = clip(l.Level, maxName), clip(l.Logger, maxName), clipJSON(l.Data)
		e.Log = &l
	case e.Notice != nil:
		n := *e.Notice
		n.Detail = clip(n.Detail, maxSideText)
		e.Notice = &n
	case e.Progress != nil:
		p := *e.Progress
		p.Message = clip(p.Message, maxMessage)
		e.Progress = &p
	}
	return e
}

// clip is s, or its beginning with an ellipsis in memory of its own.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(strings.Clone(s[:most]), "") + "…"
}

// clipJSON is what a log message carries, as JSON: text as text, else the
// beginning of what it is.
func clipJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) <= maxSideText {
		return raw
	}
	s, isText := rawjson.String(raw)
	if !isText {
		s = string(raw)
	}
	return rawjson.Quote(clip(s, maxSideText))
}
