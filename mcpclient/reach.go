package mcpclient

// Over HTTP a connection is no wire: a server that went away shows only when
// something does not get through to it, and that it is back only when something
// does. Until then the connection stands, since nothing of it is lost, and its
// status says why nothing gets through (Connected with a Failure). What keeps a
// stream open finds out both by itself.

// Unreached implements wire.ReachWatcher.
func (k *Connection) Unreached(err error) {
	if k.stands() && k.unreached.CompareAndSwap(nil, requestFailure(err)) {
		k.tellReach()
	}
}

// Reached implements wire.ReachWatcher.
func (k *Connection) Reached() {
	if k.unreached.Load() == nil {
		return
	}
	k.unreached.Store(nil)
	if k.stands() {
		k.tellReach()
		k.changed(toolList, promptList, resourceList) // it may be another by now
	}
}

// stands reports whether the connection is made and not being made anew, closed
// or at its end: those have states of their own.
func (k *Connection) stands() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.since.IsZero() && k.session.renewing == nil && !k.closing && !k.isDone()
}

// tellReach tells whether the server is reached. What is told last is how it
// stands, whoever comes first.
func (k *Connection) tellReach() {
	info := k.Info()
	c := k.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.connections[k.server.ID] == k {
		c.tell(Event{ServerID: k.server.ID, Connection: &Status{State: Connected, Info: &info, Failure: k.unreached.Load()}})
	}
}
