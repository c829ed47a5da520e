// Package auth signs a person in to MCP servers that want to know who is there,
// as the authorization pages of MCP 2026-07-28 ask, with what is left of
// 2025-03-26.
//
// # How a sign-in goes
//
//  1. A server answers 401 or, for want of a scope, 403 ([account.Challenge]).
//     Its Protected Resource Metadata (RFC 9728) name the authorization server,
//     whose metadata (RFC 8414, OpenID Connect Discovery) name the addresses.
//  2. A [SignIn] is told of: which server asks, where one would sign in, and for
//     which scopes. Nothing is opened, registered or listened to yet.
//  3. The person agrees ([Accounts.Agree]). A port of this computer is opened for
//     the browser to come back to (RFC 8252), the app is registered if it has no
//     client id there, and the exact address to open is made, with PKCE S256
//     (RFC 7636), a state of its own and the resource (RFC 8707). Whoever called
//     opens it; this package opens nothing.
//  4. The browser comes back with the same state. The issuer is compared (RFC
//     9207), the code exchanged, the tokens put into the keychain, and every
//     request that waited goes out again.
//
// # The rules
//
//   - One sign-in at a time for a server, however many requests wait for it. A
//     person's refusal holds for this run: it is explained, and not asked again
//     until they wish so ([Accounts.Again]).
//   - Tokens go to the address they were given for, and to no other. They lie in
//     the keychain and nowhere else, and are in no error, event or log.
//   - Client credentials belong to the issuer that gave them. A server that
//     moves to another authorization server is a stranger there, and a secret
//     is sent to nobody whom only the server has named.
//   - Metadata may lend themselves the page of somebody else. Every other site
//     that takes part is told before the person agrees ([SignIn.TokenHost]), and
//     the address of the page sets nothing that is the client's (endpoint.go).
//   - A person's no counts wherever a sign-in is: the port is free when Cancel
//     returns, and tokens that come later are given back. What is done is done
//     with the tokens, before the keychain has them ([signIn.succeed]).
//   - Metadata is what strangers say. Every address in it is fetched under the
//     rules of [guard]: https, no private networks, few redirects, each checked,
//     no large answers. The metadata of a server must be about that server, and
//     those of an issuer must name it.
//   - A refresh token may be good for one use only. All requests share one
//     renewal, and what comes back replaces the old token as a whole. Programs
//     over one keychain renew one after the other ([Options.Locks]), and each
//     looks first whether another has.
//   - A refresh token that the authority refuses, in whichever way (any 4xx but
//     those that ask for patience), is over, as is an access token that ends
//     without one: the person signs in again, for no more than before. An authority
//     that gives no answer costs nothing: the server is asked without credentials,
//     and says whether it has moved.
//   - A server that is never satisfied is given up after three sign-ins for more
//     scopes in a row that helped no request, and sooner when it asks for nothing
//     new; one that refuses what it was just signed in to for, after one. Both hold
//     until the person wishes otherwise ([limits]).
//   - What the person has set up is held to: an issuer they entered, and a session
//     only as long as it is one that the setup would bring.
//
// A plain access token that the person got from the server's owner and entered
// (RFC 6750 section 2.1) goes before all of this; see [Accounts.Keep].
package auth

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/keychain"
	"parley/mcpclient/wire"
)

// Secrets is where tokens lie: a keychain.Keychain.
type Secrets interface {
	Get(ctx context.Context, k keychain.Key) (keychain.Secret, error)
	Set(ctx context.Context, k keychain.Key, s keychain.Secret) error
	Delete(ctx context.Context, k keychain.Key) error
	DeleteAll(ctx context.Context, serverID string) error
}

// Options say what Accounts stand on. Secrets is required.
type Options struct {
	Secrets Secrets
	// Changed is told of every change of a sign-in and of an account, in order
	// and one at a time, on a goroutine of its own, which Close waits for. May be
	// nil.
	Changed func(Event)
	// Unattended begins no sign-in: a server that wants one is answered with a
	// sentence that says so (the command line). What is stored is used and
	// renewed.
	Unattended bool
	// Drive goes through sign-ins without a person: each is agreed to at once and
	// handed over with its URL, on a goroutine of its own. Its error fails the
	// sign-in. ctx ends with the sign-in. For tests; nil asks the person.
	Drive func(ctx context.Context, s SignIn) error
	// ClientMetadata is the https address of the app's Client ID Metadata
	// Document, "" for none. Its redirect_uris have to hold the loopback
	// addresses that are used.
	ClientMetadata string
	// Locks is a folder in which the programs that share Secrets agree on who
	// renews a sign-in, one after the other; "" where there is one program only.
	Locks string
	// Localizer is asked for the language of the page that the browser ends on;
	// nil is English.
	Localizer func() *i18n.Localizer
	// Transport replaces the network below the guard; nil is the network. What
	// is asked of addresses before they are resolved still holds.
	Transport http.RoundTripper
	// Now is the clock of tokens; nil is time.Now.
	Now func() time.Time
}

// Accounts are whom the person is signed in as at all servers, and the sign-ins
// under way. Methods with a context may wait for the keychain or the network.
type Accounts struct {
	o    Options
	tell *teller
	life context.Context // of sign-ins and renewals
	end  context.CancelFunc
	work sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	accounts map[accountKey]*account
	open     map[string]*signIn // by id, those not settled
}

// accountKey names one account: a server whose address was edited has another.
type accountKey struct{ server, resource string }

// New returns the accounts that lie in o.Secrets. Nothing is read yet.
func New(o Options) *Accounts {
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &Accounts{o: o, tell: &teller{f: o.Changed}, accounts: map[accountKey]*account{}, open: map[string]*signIn{}}
	a.life, a.end = context.WithCancel(context.Background())
	return a
}

// resumer is what Secrets have that keep for this run what they cannot store, and may
// be able to now: a keychain that was unlocked meanwhile.
type resumer interface {
	Resume(ctx context.Context) error
}

var _ resumer = (*keychain.Keychain)(nil)

// Close ends the sign-ins under way, frees their ports, and returns when nothing
// of a runs any more. Requests that wait for a sign-in fail. What Secrets could not
// store is stored if they answer by now.
func (a *Accounts) Close() {
	a.mu.Lock()
	a.closed = true
	open := make([]*signIn, 0, len(a.open))
	for _, s := range a.open {
		open = append(open, s)
	}
	a.mu.Unlock()
	for _, s := range open {
		s.settle(Failed, refused("auth.signin.closed"))
	}
	a.end()
	a.work.Wait()
	a.tell.wait()
	if r, ok := a.o.Secrets.(resumer); ok {
		ctx, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		_ = r.Resume(ctx) // there is nobody left to tell
	}
}

// lasting is the context of what has to come to its end though a sign-in or the
// app ends, at most limit.
func (a *Accounts) lasting(limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.life), limit)
	stop := context.AfterFunc(a.life, func() { time.AfterFunc(grace, cancel) })
	return ctx, func() { stop(); cancel() }
}

// Authorizer gives the credentials of s to its transport; nil for a program, for the
// app's own server, and for one whose Authorization header the person set themselves.
func (a *Accounts) Authorizer(s mcpclient.Server) wire.Authorizer {
	if s.Kind == mcpclient.Stdio || s.BuiltIn {
		return nil
	}
	own := func(name string) bool { return strings.EqualFold(name, "Authorization") }
	if slices.ContainsFunc(slices.Collect(maps.Keys(s.Headers)), own) || slices.ContainsFunc(s.SecretHeaders, own) {
		return nil
	}
	k, err := a.account(s)
	if err != nil {
		return nil // the transport says what is wrong with the address
	}
	return &authorizer{account: k, server: s}
}

// Trial is Authorizer for a server that is only tried: it gets what is stored for
// it, and nobody is asked to sign in.
func (a *Accounts) Trial(s mcpclient.Server) wire.Authorizer {
	z, ok := a.Authorizer(s).(*authorizer)
	if !ok {
		return nil
	}
	z.tries = true
	return z
}

// account returns the account of s, made where there is none yet. The error is
// about an address that cannot be one.
func (a *Accounts) account(s mcpclient.Server) (*account, error) {
	at, err := targetOf(s)
	if err != nil {
		return nil, err
	}
	key := accountKey{s.ID, at.resource}
	a.mu.Lock()
	defer a.mu.Unlock()
	k := a.accounts[key]
	if k == nil {
		k = &account{a: a, key: key, at: at, turn: make(chan struct{}, 1)}
		k.lift()
		a.accounts[key] = k
	}
	k.setup = s.SignIn
	k.refit()
	return k, nil
}

// of returns the accounts of a server that were used in this run. a.mu is held.
func (a *Accounts) of(serverID string) []*account {
	var found []*account
	for key, k := range a.accounts {
		if key.server == serverID {
			found = append(found, k)
		}
	}
	return found
}

// Again lets a server ask for a sign-in once more that the person refused or that
// was in vain, and in spite of a keychain that does not give what may be stored or an
// authority that does not renew it. The next request to it that needs one begins it.
func (a *Accounts) Again(serverID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, k := range a.of(serverID) {
		k.lift()
		k.anew = true
	}
}

// Switch is Again for a person who has signed out ([Accounts.SignOut]) to sign in as
// somebody else: the authority is asked to let them choose who they are, where it
// can be, until a sign-in has succeeded or was refused.
func (a *Accounts) Switch(serverID string) {
	a.Again(serverID)
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, k := range a.of(serverID) {
		k.switching = true
	}
}

// Forget removes everything that is stored for a server that is removed, and
// ends its sign-ins. What this run knows of is revoked where that can be done, behind
// the person's back: they wait for no authority to be rid of a server.
func (a *Accounts) Forget(ctx context.Context, serverID string) error {
	a.mu.Lock()
	for _, k := range a.of(serverID) {
		a.giveBack(k, k.aside)
		a.giveBack(k, k.leave())
		k.gone = true // a connection may still have it
		delete(a.accounts, k.key)
	}
	a.mu.Unlock()
	_, err := a.changing(serverID, func() error { return a.o.Secrets.DeleteAll(ctx, serverID) })
	return err
}

// Refused says why there are no credentials that the server takes.
type Refused struct {
	text  i18n.Message
	cause error
}

// refused makes a Refused of a sentence of the catalogue.
func refused(id string, namesAndValues ...any) *Refused {
	return &Refused{text: i18n.M(id, namesAndValues...)}
}

// because adds what happened below, for errors.Is; its text is not shown.
func (r *Refused) because(err error) *Refused {
	r.cause = err
	return r
}

var english = i18n.New("en")

// Error gives the sentence in English.
func (r *Refused) Error() string { return english.Text(r.text) }

// Sentence implements wire.Explained.
func (r *Refused) Sentence() i18n.Message { return r.text }

// Unwrap returns what happened below, if anything did.
func (r *Refused) Unwrap() error { return r.cause }
