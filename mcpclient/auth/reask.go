package auth

import (
	"cmp"
	"context"

	"parley/mcpclient"
)

// What a person saves about signing in to a server holds at once. A sign-in that is
// under way went out with what they have given up: it ends, its port is free, and
// what waits for it finds out how to sign in anew, which may ask the person once more.
// One in the browser is no exception, since whoever goes to the settings from there
// does so because the page they got was of no use; what it still brings is not kept.

// Replaced tells how far the sign-in had come that another one stands for after the
// settings were changed.
type Replaced string

// Its values; the zero Replaced is that there was none.
const (
	ReplacedQuestion Replaced = "question" // the person had not agreed to it
	ReplacedBrowser  Replaced = "browser"  // a page of it may be open in the browser
)

// SetUp takes over what the person has stored about signing in to a server, which
// stood in the list as before and stands there as after now, with the client secret
// that they entered with it, "" for none. Sign-ins under way are asked for anew if
// that has changed anything. The error is that of [Accounts.KeepClientSecret].
func (a *Accounts) SetUp(ctx context.Context, before, after mcpclient.Server, secret string) error {
	// Of a keychain that cannot be read now it is found out another time.
	_ = a.settleBare(ctx, before)
	var err error
	if secret != "" {
		err = a.keepClientSecret(ctx, after, secret)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, k := range a.of(after.ID) {
		k.setup = after.SignIn
		k.refit()
	}
	if secret != "" || before.SignIn != after.SignIn {
		a.reask(after.ID)
	}
	return err
}

// reask ends the sign-ins under way at a server, so that what waits for them finds
// out anew how to sign in; what was refused or was in vain before counts no more. a.mu
// is held.
func (a *Accounts) reask(serverID string) {
	for _, k := range a.of(serverID) {
		k.lift()
		s := k.signIn
		if s == nil {
			continue
		}
		s.anew, s.replaced = true, ReplacedBrowser
		if s.data.State == NeedsConsent { // where the page of one before may still be open
			s.replaced = cmp.Or(s.data.Replaced, ReplacedQuestion)
		}
		s.end(Failed, refused("auth.signin.changed"))
	}
}
