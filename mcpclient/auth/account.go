package auth

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"parley/consent"
	"parley/mcpclient"
	"parley/mcpclient/keychain"
	"parley/mcpclient/wire"
)

// account is one person at one address of one server.
type account struct {
	a   *Accounts
	key accountKey
	at  target
	// turn is held by whoever finds out what a challenge means, so that ten
	// requests that are challenged at once ask one time.
	turn chan struct{}

	// All below is under Accounts.mu.
	setup     mcpclient.SignIn // as it was when a connection was last made
	loaded    bool
	gone      bool // the server was removed
	anew      bool // the person would rather sign in than wait for a keychain or a renewal
	switching bool // they want to be somebody else there
	entered   bool // a token that the person entered goes before what is kept
	kept      session
	aside     session // what was kept with another setup
	storing   bool    // somebody puts it into the keychain
	owed      bool    // and somebody has left a later one to them
	seen      string  // the stamp with which kept is what is stored; "" if it may be another
	followed  string  // the stamp that was looked after last, whatever came of it
	renewal   *renewal
	signIn    *signIn
	limits
}

// authorizer authorizes the requests of one connection.
type authorizer struct {
	*account
	server mcpclient.Server
	// carried tells that the newest credentials are of the session, and not a
	// token that the person entered or none. It is under Accounts.mu.
	carried bool
	// tries tells that the server is only tried: nobody is asked to sign in.
	tries bool
	// instead is, for one challenge, how far the sign-in had come that it waited for
	// until the settings were changed.
	instead Replaced
}

// load reads the session from the keychain, once a run.
func (k *account) load(ctx context.Context) error {
	k.a.mu.Lock()
	loaded := k.loaded
	k.a.mu.Unlock()
	if loaded {
		return nil
	}
	var s session
	stamp := k.a.stamp(k.key.server)
	found, err := k.a.read(ctx, sessionKey(k.key), &s)
	if err != nil && !isAbsent(err) {
		return err
	}
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	if !k.loaded {
		k.loaded, k.seen = true, stamp
		if found && s.Issuer != "" {
			k.kept, k.kept.stored, k.kept.earlier = s, true, true
			k.anew = false // it was for want of this
			k.refit()
		}
	}
	return nil
}

// refit puts a session aside that does not fit the setup, and takes it back when it
// does again: a change that is undone costs nothing. a.mu is held.
func (k *account) refit() {
	switch {
	case !k.kept.fits(k.setup):
		k.kept, k.aside = session{}, k.kept
	case k.kept.Issuer == "" && k.aside.Issuer != "" && k.aside.fits(k.setup):
		k.kept, k.aside = k.aside, session{}
		k.anew = false // it was for want of this
	default:
		return
	}
	k.changed()
}

// isAbsent reports whether err says that there is no keychain at all, so that
// nothing can be in it. One that is locked or silent may have what is asked for,
// and so may an encrypted file.
func isAbsent(err error) bool {
	u, ok := errors.AsType[*keychain.Unavailable](err)
	return ok && (u.Nowhere() || u.Reason == keychain.Failed)
}

// keep makes next the session of k, here and in the keychain, if old is still
// its access token and next is what the setup brings; kept is false if not. The error is the keychain's:
// this run has the session all the same.
func (k *account) keep(ctx context.Context, old string, next session) (kept bool, err error) {
	k.a.mu.Lock()
	if k.kept.Access != old || k.gone || !next.fits(k.setup) {
		k.a.mu.Unlock()
		return false, nil
	}
	k.is(next)
	k.a.mu.Unlock()
	return true, k.store(ctx, next)
}

// is makes next the session of k in this run. a.mu is held.
func (k *account) is(next session) {
	k.replaceAside(next)
	k.kept, k.loaded = next, true
	if next.Access != "" {
		k.anew = false
	}
	k.changed()
}

// store puts next, the session of k, into the keychain. One at a time does that, so
// that an earlier session never comes to lie over a later one: whoever finds another
// at it leaves next to them, who look what has become the session meanwhile. The
// error is the keychain's about what this call has put there.
func (k *account) store(ctx context.Context, next session) (err error) {
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	if k.storing {
		k.owed = true
		return nil
	}
	k.storing = true
	for {
		k.a.mu.Unlock()
		err = k.put(ctx, next)
		k.a.mu.Lock()
		if !k.owed || k.kept.Issuer == "" || k.kept.Access == next.Access {
			k.storing, k.owed = false, false
			return err
		}
		next, k.owed = k.kept, false
	}
}

// put is store once. The person may sign out before it has come to its end: then next
// does not stay in the keychain.
func (k *account) put(ctx context.Context, next session) error {
	now := func() session {
		k.a.mu.Lock()
		defer k.a.mu.Unlock()
		return k.kept
	}
	stamp, err := k.a.changing(k.key.server, func() error {
		if s := now(); s.Issuer == "" || s.Access != next.Access {
			return nil
		}
		return k.a.write(ctx, sessionKey(k.key), next)
	})
	if now().Issuer == "" {
		return k.remove(ctx)
	}
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	k.seen = stamp
	if err == nil && k.kept.Access == next.Access {
		k.kept.stored = true
	}
	return err
}

// remove removes the session from the keychain.
func (k *account) remove(ctx context.Context) error {
	_, err := k.a.changing(k.key.server, func() error { return k.a.o.Secrets.Delete(ctx, sessionKey(k.key)) })
	return err
}

// leave ends the sign-in under way and the session of k in this run, in one step,
// and returns the session. What is under way brings nothing any more. a.mu is held.
func (k *account) leave() session {
	left := k.kept
	if k.signIn != nil {
		k.signIn.end(Failed, refused("auth.signin.closed"))
	}
	k.lift()
	k.is(session{})
	return left
}

// changed tells of the account as it is. a.mu is held.
func (k *account) changed() {
	account := k.shown()
	k.a.tell.put(Event{ServerID: k.key.server, Account: &account})
}

// shown is whom the person is at k. a.mu is held.
func (k *account) shown() Account {
	account := k.kept.account()
	account.Entered = k.entered
	return account
}

// User implements wire.User.
func (z *authorizer) User() (name, host string) {
	z.a.mu.Lock()
	defer z.a.mu.Unlock()
	if !z.carried || z.kept.Access == "" || z.kept.Service {
		return "", ""
	}
	return z.kept.User, z.kept.Host
}

// Authorize implements wire.Authorizer. A server is asked without credentials
// where there are none, or the keychain does not give them: it then says whether
// it needs any, and Challenge says what is wrong.
func (z *authorizer) Authorize(ctx context.Context, call string) (value string, err error) {
	value, carried, err := z.authorize(ctx, call)
	z.a.mu.Lock()
	z.carried = carried
	z.a.mu.Unlock()
	return value, err
}

// authorize is Authorize; session tells that it is the token of the session.
func (z *authorizer) authorize(ctx context.Context, call string) (value string, session bool, err error) {
	token, err := z.a.entered(ctx, z.server)
	if err == nil {
		z.has(!token.IsEmpty())
	}
	if err == nil && !token.IsEmpty() {
		return "Bearer " + token.Reveal(), false, nil
	}
	if !z.sealed() {
		return "", false, nil
	}
	access, err := z.current(ctx, call)
	if err != nil || access == "" {
		return "", false, err
	}
	return "Bearer " + access, true, nil
}

// has tells whether there is a token that the person entered.
func (k *account) has(token bool) {
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	k.entered = token
}

// Challenge implements wire.Authorizer: it renews, or signs in, or says why not.
func (z *authorizer) Challenge(ctx context.Context, c wire.Challenge) error {
	token, err := z.a.entered(ctx, z.server)
	switch {
	case err != nil && !isAbsent(err) && !z.goesOn():
		return unread(c.Status, err)
	case !token.IsEmpty() && c.Status == http.StatusForbidden:
		return refused("auth.token.forbidden")
	case !token.IsEmpty():
		return refused("auth.token.refused")
	case !z.sealed():
		return z.unsealed()
	}
	if err := z.load(ctx); err != nil && !z.goesOn() {
		return unread(c.Status, err)
	}
	var instead Replaced
	for {
		setup := z.setUp()
		s, err := z.decide(ctx, c, instead)
		switch {
		case err != nil && ctx.Err() == nil && z.setUp() != setup:
			continue // what was found out is of no use
		case err == nil && s != nil:
			if err = s.await(ctx, c.Call); err == errAnew {
				instead = s.replaced
			}
		}
		if err != errAnew {
			return err
		}
	}
}

// setUp is the setup of k as it is now.
func (k *account) setUp() mcpclient.SignIn {
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	return k.setup
}

// errAnew says that the setup has changed since a sign-in was decided on.
var errAnew = errors.New("the setup has changed")

// sealed reports whether tokens may go to the server: nobody on the way can read
// them (RFC 6750 section 5.3), or the person made an exception for their own
// network. Where a name leads is judged when it is dialled, see Plain.
func (k *account) sealed() bool {
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	if k.at.origin.Encrypted || k.at.origin.Loopback {
		return true
	}
	addr, err := netip.ParseAddr(k.at.url.Hostname())
	return k.setup.Intranet && (err != nil || isNear(addr))
}

// isNear reports whether an address is of this computer or of a private network.
func isNear(addr netip.Addr) bool {
	zone := zoneOf(addr)
	return zone == consent.Loopback || zone == consent.Private
}

// Plain implements wire.PlainJudge: the person's exception is for their own network,
// and a name may lead out of it, as on a laptop that is taken elsewhere.
func (z *authorizer) Plain(addr netip.Addr) error {
	if isNear(addr) {
		return nil
	}
	return z.unsealed()
}

// unsealed says why no token goes to the server.
func (k *account) unsealed() error {
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	if k.setup.Intranet {
		return refused("auth.signin.public", "Host", show(hostOf(k.at.origin.Origin)))
	}
	return refused("auth.signin.plain")
}

// goesOn reports whether signing in goes on with a keychain that does not give
// what may be stored: somebody is signed in already, or wants to sign in anew.
func (k *account) goesOn() bool {
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	return k.anew || k.kept.Issuer != ""
}

// unread says what the server wants, and that the keychain did not give what may
// be stored for it.
func unread(status int, err error) error {
	id := "auth.token.unread"
	if status == http.StatusForbidden {
		id = "auth.token.unread.forbidden"
	}
	return refused(id, "Reason", keychain.Sentence(err)).because(err)
}

// decide finds out what becomes of a challenge: nil and nil for new credentials,
// a sign-in to wait for, or the reason why there is none.
func (z *authorizer) decide(ctx context.Context, c wire.Challenge, instead Replaced) (*signIn, error) {
	select {
	case z.turn <- struct{}{}:
		defer func() { <-z.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	said := readChallenge(c.Header)
	a := z.a
	a.mu.Lock()
	// The setup may have been changed since the connection was made.
	z = &authorizer{account: z.account, server: z.server, tries: z.tries, instead: instead}
	z.server.SignIn = z.setup
	kept := z.kept
	renewable := !z.anew && kept.renewable(c)
	s, settled, err := z.settled(c, said, renewable)
	a.mu.Unlock()
	if settled {
		return s, err
	}
	stepUp := c.Status == http.StatusForbidden && kept.Access != "" // else nobody has signed in yet
	at, err := z.guard().discover(ctx, z.at, said, cmp.Or(z.server.SignIn.Issuer, kept.Issuer))
	if err != nil {
		return nil, orCause(ctx, err)
	}
	if why := elsewhere(z.server.SignIn, at); why != nil {
		return nil, why
	}
	moved := kept.Issuer != "" && kept.Issuer != at.issuer
	if z.server.SignIn.Service {
		return nil, z.service(ctx, at, said)
	}
	if renewable && !moved {
		if renewed, err := z.renew(ctx, kept.Access, c.Call); err != nil || renewed {
			return nil, err
		}
	}
	if z.takesOver(ctx, kept, c.Sent) {
		return nil, nil
	}
	switch {
	case a.o.Unattended && stepUp:
		return nil, refused("auth.signin.unattended.more")
	case a.o.Unattended || z.tries:
		return nil, refused("auth.signin.unattended")
	}
	return z.ask(at, said, stepUp, moved, c.Call)
}

// settled is decide as far as no authority has to be asked; done tells that this was
// all. renewable tells that a new token may do. a.mu is held.
func (z *authorizer) settled(c wire.Challenge, said challenge, renewable bool) (s *signIn, done bool, err error) {
	kept, stepUp, denied := z.kept, c.Status == http.StatusForbidden, z.denied[""]
	over := z.over()
	switch {
	case over != nil:
		return nil, true, over
	case kept.newer(c.Sent, z.a.o.Now()): // somebody was faster
		return nil, true, nil
	case z.signIn.serves(renewable) && !z.tries:
		z.signIn.wants(c.Call)
		return z.signIn, true, nil
	}
	if !stepUp && z.signIn == nil && c.Attempt > 0 && kept.Access != "" && !kept.renewed && !kept.earlier {
		z.rejected = true // a person has just signed in for this very request
	}
	switch {
	case stepUp && kept.Access == "" && !said.bearer:
		return nil, true, refused("auth.signin.locked")
	case stepUp && kept.Access != "" && (kept.Service || said.code != "insufficient_scope"):
		return nil, true, refused("auth.signin.forbidden")
	case z.enough(c):
		return nil, true, refused("auth.signin.enough")
	case z.rejected && !stepUp:
		return nil, true, refused("auth.signin.rejected")
	case denied != nil:
		return nil, true, denied
	}
	return nil, false, nil
}

// renewable reports whether a new token may do for a request that was answered with c:
// there is a refresh token, and c is not about what the last renewal brought.
func (s session) renewable(c wire.Challenge) bool {
	return c.Status != http.StatusForbidden && s.Refresh != "" && !(s.renewed && c.Attempt > 0)
}

// newer reports whether there is another token than the one that was sent, and none
// that is over.
func (s session) newer(sent string, now time.Time) bool {
	return s.Access != "" && "Bearer "+s.Access != sent && !expired(s.Expiry, now)
}

// serves reports whether a request waits for s, nil for none. One for more, which the
// person may have put off, is none for a request that needs no more than a new token.
func (s *signIn) serves(renewable bool) bool {
	return s != nil && !(s.data.Why == StepUp && renewable)
}

// elsewhere says that the server names another authority than the person has entered;
// nil if not.
func elsewhere(setup mcpclient.SignIn, at authority) error {
	switch {
	case setup.Issuer == "" || sameIssuer(setup.Issuer, at.issuer):
		return nil
	case setup.ClientID != "":
		return movedTo(setup.Issuer, at.issuer)
	}
	old, now := apart(setup.Issuer, at.issuer)
	return refused("auth.signin.elsewhere", "Old", old, "New", now)
}

// over says why nobody can sign in at k any more, nil if they can. a.mu is held.
func (k *account) over() error {
	switch {
	case k.a.closed:
		return refused("auth.signin.closed")
	case k.gone:
		return refused("auth.signin.gone")
	}
	return nil
}

// ask opens a sign-in for a request of call, unless the person refused that one before or it was tried
// often enough.
func (z *authorizer) ask(at authority, said challenge, stepUp, moved bool, call string) (*signIn, error) {
	a := z.a
	a.mu.Lock()
	defer a.mu.Unlock()
	scopes, why := z.scopes(at, said, stepUp, moved), First
	switch {
	case a.closed || z.gone:
		return nil, z.over()
	case z.server.SignIn != z.setup:
		return nil, errAnew
	case z.signIn != nil: // one for more, which answers this too
		z.signIn.wants(call)
		return z.signIn, nil
	case at.authorize == "":
		return nil, refused("auth.signin.endpoints", "Host", show(hostOf(at.issuer)))
	case moved:
		why = Moved
	case stepUp:
		why, z.anew = StepUp, false // what they have is good for all else
		key := scopeKey(scopes)
		if no := z.denied[key]; no != nil {
			return nil, no
		}
		if !z.widen(key, scopeKey(z.kept.Asked)) {
			return nil, refused("auth.signin.enough")
		}
	case z.kept.Issuer != "":
		why = Expired
	}
	return a.begin(z, at, why, scopes, call), nil
}

// scopes are what to ask for ("Scope Selection Strategy"): what the challenge
// names, together with what was asked for before; and offline_access where the
// authority knows it ("Refresh Tokens"). What the resource supports is for those who
// sign in for the first time, and for a server that wants more and does not say
// what: nobody gets more scopes by signing in again. a.mu is held.
func (k *account) scopes(at authority, said challenge, stepUp, moved bool) []string {
	var before []string
	if !moved {
		before = k.kept.Asked
	}
	scopes := said.scopes
	if len(scopes) == 0 && (len(before) == 0 || stepUp) {
		scopes = at.scopes
	}
	scopes = unite(before, scopes)
	if at.offline && !slices.Contains(scopes, "offline_access") {
		scopes = append(slices.Clone(scopes), "offline_access")
	}
	return scopes
}

// guard is the way to what strangers name for the server.
func (k *account) guard() *guard {
	k.a.mu.Lock()
	intranet := k.setup.Intranet
	k.a.mu.Unlock()
	return newGuard(k.at.origin, intranet, k.a.o.Transport)
}

// orCause is the cause of ctx if that has ended, else err.
func orCause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Who tells who the person is at s, as far as this computer knows: nothing is
// asked of the server.
func (a *Accounts) Who(ctx context.Context, s mcpclient.Server) (Account, error) {
	if s.Kind == mcpclient.Stdio {
		return Account{}, nil
	}
	token, err := a.entered(ctx, s)
	switch {
	case err != nil && !isAbsent(err):
		return Account{}, &Refused{text: keychain.Sentence(err), cause: err}
	}
	k, err := a.account(s)
	if err != nil {
		return Account{}, err
	}
	k.has(!token.IsEmpty())
	if err := k.load(ctx); err != nil && token.IsEmpty() { // a token is there all the same
		return Account{}, &Refused{text: keychain.Sentence(err), cause: err}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return k.shown(), nil
}

// account is what may be shown of a session.
func (s session) account() Account {
	if s.Access == "" && s.Refresh == "" {
		return Account{}
	}
	return Account{
		Service: s.Service, Issuer: s.Issuer, Host: s.Host, User: s.User, Scopes: s.Scopes,
		Since: s.Since, Expires: s.Expiry, Renews: s.Refresh != "" || s.Service,
	}
}
