package auth

import (
	"sync"
	"time"
)

// Event is one change. Exactly one of SignIn, Account and Renewal is set.
type Event struct {
	ServerID string
	SignIn   *SignIn
	Account  *Account // the zero Account: signed out
	Renewal  *Renewal // the zero Renewal: it is over
}

// Renewal is a token that is being renewed at an authority, without the person, for
// longer than a moment.
type Renewal struct {
	Host string // of the authority, with its port if it has one; untrusted
	// Calls are the requests that wait for it: ids of the person's calls, "" for one
	// of no call, such as to connect.
	Calls []string
}

// Account is who the person is at a server. The zero Account: nobody.
type Account struct {
	// Entered says that an access token is sent which the person entered, and of which
	// nothing is known. All else is then the sign-in that is kept beside it and not used
	// while the token is there; Issuer is "" if there is none.
	Entered bool
	// Service says that the app signs in as itself.
	Service bool
	Issuer  string // the authorization server; untrusted
	Host    string // where the person signed in, with its port if it has one
	User    string // its name for the person, "" if it did not say; untrusted
	// Scopes are what was granted, as far as the server said; untrusted.
	Scopes []string
	// Since is when the person signed in. Expires is when the access token ends,
	// zero if nobody knows; with Renews a new one is got without a person.
	Since, Expires time.Time
	Renews         bool
}

// SignedIn reports whether there is anybody.
func (a Account) SignedIn() bool { return a.Entered || a.Issuer != "" }

// teller hands events to f in order, one at a time, on a goroutine that lives as
// long as there is something to tell.
type teller struct {
	f func(Event)

	mu    sync.Mutex
	queue []Event
	busy  bool
	idle  sync.WaitGroup
}

func (t *teller) put(e Event) {
	if t.f == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, e)
	if !t.busy {
		t.busy = true
		t.idle.Go(t.run)
	}
}

func (t *teller) run() {
	for {
		t.mu.Lock()
		queue := t.queue
		t.queue = nil
		t.busy = len(queue) > 0
		t.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for _, e := range queue {
			t.f(e)
		}
	}
}

// wait returns when everything was told.
func (t *teller) wait() { t.idle.Wait() }
