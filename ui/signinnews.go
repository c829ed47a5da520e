package ui

import (
	"sync"

	"parley/assets/i18n"
	"parley/mcpclient/auth"
)

// SignInNews carries what package auth tells of to the window: Tell is made for
// auth.Options.Changed, Localizer for auth.Options.Localizer. What is told before
// there is a window waits for it. The zero value is ready.
type SignInNews struct {
	mu      sync.Mutex // held for moments only
	waiting []auth.Event
	ring    func() // tells the window that something waits; nil: there is none
	loc     *i18n.Localizer
}

// Tell takes an event in. It never waits for the window.
func (n *SignInNews) Tell(e auth.Event) {
	n.mu.Lock()
	n.waiting = append(n.waiting, e)
	ring := n.ring
	if len(n.waiting) > 1 {
		ring = nil // it has been told
	}
	n.mu.Unlock()
	if ring != nil {
		ring()
	}
}

// Localizer is the language of the window.
func (n *SignInNews) Localizer() *i18n.Localizer {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.loc
}

// speak sets the language.
func (n *SignInNews) speak(loc *i18n.Localizer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.loc = loc
}

// watch has ring called when something begins to wait, until stop.
func (n *SignInNews) watch(ring func()) (stop func()) {
	n.mu.Lock()
	n.ring = ring
	waits := len(n.waiting) > 0
	n.mu.Unlock()
	if waits {
		ring()
	}
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.ring = nil
	}
}

// taken takes out all that waits, oldest first.
func (n *SignInNews) taken() []auth.Event {
	n.mu.Lock()
	defer n.mu.Unlock()
	events := n.waiting
	n.waiting = nil
	return events
}
