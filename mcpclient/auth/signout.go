package auth

import (
	"context"
	"errors"
	"net/url"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/keychain"
)

// revokeLimit bounds telling an authority that tokens are not needed any more.
const revokeLimit = 10 * time.Second

// SignOut ends the account at s: its tokens are revoked where the authority
// offers that (RFC 7009), and always deleted here. One that the person entered stays,
// see [Accounts.Drop]. A sign-in under way ends. revoked is false if the tokens may
// still be valid there. The error is the keychain's, which may still have them.
func (a *Accounts) SignOut(ctx context.Context, s mcpclient.Server) (revoked bool, err error) {
	k, err := a.account(s)
	if err != nil {
		return false, err
	}
	loadErr := k.load(ctx)
	a.mu.Lock()
	aside := k.aside
	kept := k.leave()
	a.mu.Unlock()
	free, _ := k.alone(ctx, lockPatience) // or without: what a person wants counts
	defer free()
	revoked = loadErr == nil && k.revoke(ctx, kept)
	// What ends is the sign-in of the person, whichever of their programs made it.
	if theirs, err := k.stored(ctx); err == nil && theirs.Access != kept.Access {
		revoked = k.revoke(ctx, theirs) && revoked
	}
	revoked = k.revoke(ctx, aside) && revoked
	err = k.remove(ctx)
	if err != nil {
		return revoked, &Refused{text: keychain.Sentence(err), cause: err}
	}
	return revoked, nil
}

// replaceAside drops the session that was set aside, in whose place next comes to lie,
// and gives it back where next is one. What the same client got from the same authority
// is left to expire: giving it back may end next, too (section 2.1). a.mu is held.
func (k *account) replaceAside(next session) {
	old := k.aside
	k.aside = session{}
	if next.Access != "" && (old.Issuer != next.Issuer || old.Client.ID != next.Client.ID) {
		k.a.giveBack(k, old)
	}
}

// giveBack revokes s on a goroutine of its own, which Close waits for. a.mu is held.
func (a *Accounts) giveBack(k *account, s session) {
	if a.closed || s.Revoke == "" {
		return
	}
	a.work.Go(func() {
		ctx, cancel := a.lasting(revokeLimit)
		defer cancel()
		k.revoke(ctx, s)
	})
}

// revoke gives the tokens of s back: the refresh token, with which the access
// tokens end where the authority can do that, and then the access token, though the
// first may be of a kind that it does not revoke (section 2.2.1). It reports whether
// the authority took all there were.
func (k *account) revoke(ctx context.Context, s session) bool {
	if s.Access == "" && s.Refresh == "" {
		return true
	}
	if s.Revoke == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, revokeLimit)
	defer cancel()
	g, all := k.guard(), true
	for _, t := range []struct{ token, hint string }{{s.Refresh, "refresh_token"}, {s.Access, "access_token"}} {
		if t.token == "" {
			continue
		}
		form := url.Values{"token": {t.token}, "token_type_hint": {t.hint}}
		if _, err := g.post(ctx, s.Revoke, s.Client, form); err != nil {
			all = false
			if _, denied := errors.AsType[*denial](err); !denied {
				break // there is nobody to ask
			}
		}
	}
	return all
}
