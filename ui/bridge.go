package ui

import (
	"sync"

	"parley/mcpclient"
	"parley/ui/kit"
)

// bridge carries the client's events to Fyne's thread. Events that come while
// the thread is busy arrive together, so that a server that reports progress a
// thousand times a second costs one redraw a frame.
type bridge struct {
	do   kit.Dispatcher
	take func([]mcpclient.Event)

	mu      sync.Mutex // held for an append or a swap only
	waiting []mcpclient.Event
}

// put is the client's observer.
func (b *bridge) put(e mcpclient.Event) {
	b.mu.Lock()
	first := len(b.waiting) == 0
	b.waiting = append(b.waiting, e)
	b.mu.Unlock()
	if first {
		b.do.Do(b.deliver)
	}
}

func (b *bridge) deliver() {
	b.mu.Lock()
	events := b.waiting
	b.waiting = nil
	b.mu.Unlock()
	b.take(events)
}
