package auth

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"time"

	"parley/mcpclient/disk"
	"parley/mcpclient/keychain"
	"parley/mcpclient/wire"
)

// grace is how long a renewal may take when the app ends.
const grace = 5 * time.Second

// skew is how long before its end a token is renewed, at most: clocks differ, and
// a request takes its time.
const skew = 30 * time.Second

// due reports whether the access token is about to end. The last quarter of a
// short life is soon enough.
func (s session) due(now time.Time) bool {
	if s.Expiry.IsZero() {
		return false
	}
	return expired(s.Expiry.Add(-min(skew, s.Expiry.Sub(s.Got)/4)), now)
}

// patience is how long a renewal takes before it is told of: most are over in a
// moment, in which nobody could read what is told.
const patience = time.Second

// renewal is one renewal of a token, which every request that needs it waits
// for.
type renewal struct {
	done chan struct{} // closed when it is over
	err  error         // a *Refused, or nil

	// Both are under Accounts.mu.
	data Renewal
	told bool
}

// current is the access token to send with a request of call, renewed if it is
// about to end; "" if nobody is signed in, or not any more.
func (k *account) current(ctx context.Context, call string) (string, error) {
	if err := k.load(ctx); err != nil {
		return "", context.Cause(ctx) // Challenge says what is the matter
	}
	k.follow(ctx)
	k.a.mu.Lock()
	kept := k.kept
	k.a.mu.Unlock()
	now := k.a.o.Now()
	switch {
	case kept.Access == "" || !kept.due(now):
		return kept.Access, nil
	case kept.Refresh == "" && !kept.Service:
		if !expired(kept.Expiry, now) {
			return kept.Access, nil
		}
		return "", nil
	}
	renewed, err := k.renew(ctx, kept.Access, call)
	switch {
	case err != nil && !expired(kept.Expiry, k.a.o.Now()) && ctx.Err() == nil:
		return kept.Access, nil // it still does
	case isUnrenewed(err):
		// What becomes of it is found out by asking without: the server may have
		// another authority by now, or the person may sign in anew.
		return "", nil
	case err != nil || !renewed:
		return "", err
	}
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	return k.kept.Access, nil
}

// follow takes over what another program of the person's has made of a stored session
// since it was read: that it signed out, or in anew. Where no program was there, it
// costs a look at the stamp.
func (k *account) follow(ctx context.Context) {
	stamp := k.a.stamp(k.key.server)
	k.a.mu.Lock()
	kept := k.kept
	same := stamp == "" || stamp == k.seen || stamp == k.followed
	k.followed = stamp
	k.a.mu.Unlock()
	if !kept.stored || same {
		return
	}
	switch stored, err := k.stored(ctx); {
	case errors.Is(err, keychain.ErrNotFound):
		k.adopt(kept.Access, session{})
	case err == nil && stored.Access != kept.Access:
		k.adopt(kept.Access, stored)
	}
}

// isUnrenewed reports whether err is about an authority that could not be asked to
// renew.
func isUnrenewed(err error) bool {
	r, ok := errors.AsType[*Refused](err)
	return ok && r.text.ID == "auth.signin.renewal"
}

// renew replaces the access token old, unless somebody has, for a request of call.
// renewed is false if the authority does not renew it, and the person has to sign in
// again. The error is a *Refused about an authority that could not be asked, or the
// context's.
func (k *account) renew(ctx context.Context, old, call string) (renewed bool, err error) {
	k.a.mu.Lock()
	if k.kept.Access != old {
		renewed = k.kept.Access != ""
		k.a.mu.Unlock()
		return renewed, nil
	}
	r := k.renewal
	if r == nil {
		if k.a.closed {
			k.a.mu.Unlock()
			return false, refused("auth.signin.closed")
		}
		kept := k.kept
		r = &renewal{done: make(chan struct{}), data: Renewal{Host: hostOf(kept.Token)}}
		k.renewal = r
		// It goes on when the request that began it is given up: the refresh
		// token may be used up already.
		k.a.work.Go(func() { k.run(r, kept) })
	}
	k.waits(r, append(slices.Clip(r.data.Calls), call))
	k.a.mu.Unlock()
	select {
	case <-r.done:
	case <-ctx.Done():
		k.a.mu.Lock()
		defer k.a.mu.Unlock()
		i := slices.Index(r.data.Calls, call)
		k.waits(r, slices.Delete(slices.Clone(r.data.Calls), i, i+1))
		return false, context.Cause(ctx)
	}
	if r.err != nil {
		return false, r.err
	}
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	return k.kept.Access != "" && k.kept.Access != old, nil
}

// waits makes calls what waits for r. Those told of are left alone. a.mu is held.
func (k *account) waits(r *renewal, calls []string) {
	r.data.Calls = calls
	if r.told && k.renewal == r {
		k.tellRenewal(r.data)
	}
}

// tellRenewal tells of a renewal under way as it is. a.mu is held.
func (k *account) tellRenewal(r Renewal) {
	k.a.tell.put(Event{ServerID: k.key.server, Renewal: &r})
}

// run is the renewal r of the session kept.
func (k *account) run(r *renewal, kept session) {
	late := time.AfterFunc(patience, func() {
		k.a.mu.Lock()
		defer k.a.mu.Unlock()
		r.told = true
		k.waits(r, r.data.Calls)
	})
	defer func() {
		late.Stop()
		k.a.mu.Lock()
		k.renewal = nil
		if r.told {
			k.tellRenewal(Renewal{})
		}
		k.a.mu.Unlock()
		close(r.done)
	}()
	free, err := k.alone(k.a.life, lockLimit)
	if err != nil {
		r.err = refused("auth.signin.busy", "Host", show(hostOf(kept.Token))).because(err)
		return
	}
	defer free()
	// A refresh token may be used up as soon as it is sent: what comes of it is
	// waited for, and stored, for a while even when the app ends.
	ctx, cancel := k.a.lasting(tokenLimit)
	defer cancel()
	now := k.a.o.Now()
	switch stored, err := k.stored(ctx); {
	case errors.Is(err, keychain.ErrNotFound) && kept.stored:
		k.adopt(kept.Access, session{}) // another program has signed out
		return
	case err == nil && kept.stored && stored.Access != kept.Access:
		k.adopt(kept.Access, stored)
		if kept = stored; !kept.due(now) {
			return
		}
	}
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {kept.Refresh}, "resource": {kept.Resource}}
	if kept.Service {
		form = serviceForm(kept.Resource, kept.Asked)
	}
	g, err := k.guard().request(ctx, kept.Token, kept.Client, form, now)
	d, denied := errors.AsType[*denial](err)
	next := kept
	switch {
	case err == nil:
		next.take(g, now)
		next.renewed = true
	case denied && d.final():
		if stored, err := k.stored(ctx); err == nil && kept.stored && stored.Access != kept.Access {
			k.adopt(kept.Access, stored) // another program was faster, by a moment
			return
		}
		// The authority's last word. What was asked for stays known, for the
		// sign-in that has to come.
		next.Access, next.Refresh, next.Expiry = "", "", time.Time{}
		if d.aboutClient() {
			_ = k.a.o.Secrets.Delete(ctx, clientKey(k.key.server, kept.Issuer)) // or it is found out again
		}
	default:
		r.err = refused("auth.signin.renewal", "Host", show(hostOf(kept.Token))).because(err)
		return
	}
	// A keychain that cannot keep it says so by its own state; this run has it.
	if now, _ := k.keep(ctx, kept.Access, next); !now {
		k.revoke(ctx, next) // signed out meanwhile
	}
}

// fresher is what Secrets have that remember what they read: past that, to what
// is stored now.
type fresher interface {
	Fresh(ctx context.Context, k keychain.Key) (keychain.Secret, error)
}

var _ fresher = (*keychain.Keychain)(nil)

// stored is the session as it lies in the keychain now. Another program of the
// person's, a window or a command line, may have renewed it: to send the refresh
// token that it replaced would look like theft, and cost both the sign-in (RFC
// 9700 section 4.14.2). The error is keychain.ErrNotFound if there is none any
// more, errNothing if there is none that does or no other program was there since
// this one was ([Accounts.changing]), or the keychain's.
func (k *account) stored(ctx context.Context) (s session, err error) {
	secrets, can := k.a.o.Secrets.(fresher)
	stamp := k.a.stamp(k.key.server)
	k.a.mu.Lock()
	known := stamp != "" && stamp == k.seen
	k.a.mu.Unlock()
	if !can || known {
		return s, errNothing
	}
	secret, err := secrets.Fresh(ctx, sessionKey(k.key))
	switch {
	case err != nil:
		return s, err
	case json.Unmarshal([]byte(secret.Reveal()), &s) != nil || s.Issuer == "" || s.Access == "":
		return session{}, errNothing
	}
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	if !s.fits(k.setup) { // the other program has another one
		return session{}, errNothing
	}
	s.stored, k.seen = true, stamp
	return s, nil
}

// takesOver reports whether the person has signed in with another program since kept
// was read, and takes that over. sent is what the server does not take.
func (k *account) takesOver(ctx context.Context, kept session, sent string) bool {
	free, _ := k.alone(ctx, lockPatience) // it may be about to store it
	defer free()
	if kept.Issuer != "" && !kept.stored {
		return false // what this run has is newer
	}
	stored, err := k.stored(ctx)
	if err != nil || stored.Access == kept.Access || "Bearer "+stored.Access == sent {
		return false
	}
	k.adopt(kept.Access, stored)
	return true
}

var errNothing = errors.New("no session is stored")

// lockLimit is how long a renewal waits for that of another program, which has
// tokenLimit for it. lockPatience is how long what does not depend on it does.
const (
	lockLimit    = tokenLimit + 15*time.Second
	lockPatience = 5 * time.Second
)

// alone waits until no other program has the session of k in hand, at most for
// limit, and until free none will. The error is about a program that has it for
// longer; free is there all the same. Where no lock can be made, all go on without: a
// renewal that is lost to another is then found out when it is refused.
func (k *account) alone(ctx context.Context, limit time.Duration) (free func(), err error) {
	if k.a.o.Locks == "" {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	nothing := func() {}
	free, err = disk.LockWithin(ctx, k.a.lockName(k.key.server+"\x00"+k.key.resource))
	switch {
	case err == nil:
		return free, nil
	case ctx.Err() != nil:
		return nothing, err
	}
	return nothing, nil
}

// adopt makes stored the session of k, if old is still its access token.
func (k *account) adopt(old string, stored session) {
	k.a.mu.Lock()
	defer k.a.mu.Unlock()
	if k.kept.Access == old {
		k.replaceAside(stored)
		stored.renewed = stored.Access != "" // by another, and not from the person here
		stored.earlier = stored.renewed
		k.anew = k.anew && stored.Access == ""
		k.kept = stored
		k.changed()
	}
}

var _ interface {
	wire.Authorizer
	wire.PlainJudge
	wire.User
} = (*authorizer)(nil)
