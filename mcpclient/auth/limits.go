package auth

import (
	"net/http"

	"parley/mcpclient/wire"
)

// limits are what keeps a server from asking a person again and again: what they
// have refused, and what has not helped. They hold for this run. Accounts.mu is held
// for all of it.
type limits struct {
	// denied are the person's refusals, by what was refused: "" for all, else a set
	// of scopes.
	denied map[string]*Refused
	// widened is how many sign-ins for more scopes the server led to since the last
	// one that helped a request, whatever became of them; tries are those of them for
	// each set of scopes.
	widened int
	tries   map[string]int
	// rejected says that the server refuses what a person has just signed in for.
	rejected bool
}

// maxTries is how many sign-ins for more scopes may follow each other without any
// of them helping, before a server that is never satisfied is given up ("Step-Up
// Authorization Flow"; they are counted "to avoid repeated failures"). The same
// scopes are asked for once more after they were granted, and not again.
const maxTries = 3

// lift forgets all of it, by the person's wish or because another person is there.
func (l *limits) lift() { *l = limits{denied: map[string]*Refused{}, tries: map[string]int{}} }

// enough reports whether a request that was answered with 403 may not lead to one
// more sign-in: it led to too many by itself, or all that did lately were in vain.
func (l *limits) enough(c wire.Challenge) bool {
	return c.Status == http.StatusForbidden && (c.Forbidden >= maxTries || l.widened >= maxTries)
}

// widen counts a sign-in for a set of scopes beyond those that asked has, and
// reports whether it may be.
func (l *limits) widen(scopes, asked string) bool {
	l.widened++
	l.tries[scopes]++
	return l.tries[scopes] <= 1 || scopes != asked
}

// helped ends the series that c, the last challenge of a request that went through
// now, belongs to.
func (l *limits) helped(c wire.Challenge) {
	l.rejected = false
	if c.Forbidden > 0 || c.Status == http.StatusForbidden {
		l.widened = 0
		clear(l.tries)
	}
}

// Accepted implements wire.Acceptor.
func (z *authorizer) Accepted(c wire.Challenge) {
	z.a.mu.Lock()
	defer z.a.mu.Unlock()
	z.helped(c)
}

var _ wire.Acceptor = (*authorizer)(nil)
