package auth

import (
	"context"
	"errors"
	"strings"

	"parley/mcpclient"
	"parley/mcpclient/http"
	"parley/mcpclient/keychain"
	"parley/mcpclient/wire"
)

// Check says whether token can be one; its error is a sentence. A person often
// copies it with the word "Bearer" or a line end: both are dropped by Keep.
func Check(token string) error {
	for _, r := range trim(token) {
		if r <= ' ' || r > '~' {
			return refused("auth.token.characters")
		}
	}
	return nil
}

// CheckFor is Check, and says whether a token may be sent to the address of s:
// without encryption everybody on the way could read and use it, so such an
// address gets none unless it is this computer (RFC 6750 section 5.3).
func CheckFor(s mcpclient.Server, token string) error {
	if err := Check(token); err != nil {
		return err
	}
	o, err := http.ParseOrigin(s.URL)
	if err == nil && !o.Encrypted && !o.Loopback {
		return refused("auth.token.plain")
	}
	return err
}

// trim takes off what is copied along with a token.
func trim(token string) string {
	token = strings.TrimSpace(token)
	if len(token) > len("bearer ") && strings.EqualFold(token[:len("bearer ")], "bearer ") {
		token = strings.TrimSpace(token[len("bearer "):])
	}
	return token
}

// Keep stores the token for the server s. The error is that of CheckFor, of an
// address that cannot be one, or of the keychain; with a
// *keychain.Unavailable the token is kept for this run only.
func (a *Accounts) Keep(ctx context.Context, s mcpclient.Server, token string) error {
	if err := CheckFor(s, token); err != nil {
		return err
	}
	k, err := enteredKey(s)
	if err != nil {
		return err
	}
	err = a.o.Secrets.Set(ctx, k, keychain.NewSecret(trim(token)))
	if _, forNow := errors.AsType[*keychain.Unavailable](err); err == nil || forNow {
		a.turnTo(ctx, s, true)
	}
	return err
}

// Drop removes the token of s, and no other secret of it.
func (a *Accounts) Drop(ctx context.Context, s mcpclient.Server) error {
	k, err := enteredKey(s)
	if err != nil {
		return err
	}
	err = a.o.Secrets.Delete(ctx, k)
	a.turnTo(ctx, s, false)
	return err
}

// turnTo tells that an entered token goes before what is kept for s from now on, or
// that what is behind it counts again.
func (a *Accounts) turnTo(ctx context.Context, s mcpclient.Server, token bool) {
	k, err := a.account(s)
	if err != nil {
		return
	}
	_ = k.load(ctx) // what cannot be read now is told when it can
	a.mu.Lock()
	defer a.mu.Unlock()
	k.entered = token
	k.changed()
}

// Entered gives a server a token that was entered and is kept nowhere, for one
// that is tried before it is added; "" is none. Nobody is asked to sign in.
func Entered(token string) func(mcpclient.Server) wire.Authorizer {
	token = trim(token)
	return func(s mcpclient.Server) wire.Authorizer {
		if s.Kind == mcpclient.Stdio || Check(token) != nil {
			return nil
		}
		return tried(token)
	}
}

// tried is a token, "" for none.
type tried string

// Authorize implements wire.Authorizer.
func (t tried) Authorize(context.Context, string) (string, error) {
	if t == "" {
		return "", nil
	}
	return "Bearer " + string(t), nil
}

// Challenge implements wire.Authorizer.
func (t tried) Challenge(context.Context, wire.Challenge) error {
	if t == "" {
		return refused("auth.token.needed")
	}
	return refused("auth.token.refused")
}

// enteredKey names the access token that the person entered for s, bound to the
// origin it was given for.
func enteredKey(s mcpclient.Server) (keychain.Key, error) {
	o, err := http.ParseOrigin(s.URL)
	if err != nil {
		return keychain.Key{}, err
	}
	return keychain.HeaderKey(s.ID, o.Origin, "Authorization"), nil
}

// entered is the access token that the person entered for s; empty if there is
// none. The error is the keychain's, or about the address.
func (a *Accounts) entered(ctx context.Context, s mcpclient.Server) (keychain.Secret, error) {
	k, err := enteredKey(s)
	if err != nil {
		return keychain.Secret{}, err
	}
	token, err := a.o.Secrets.Get(ctx, k)
	if errors.Is(err, keychain.ErrNotFound) {
		return keychain.Secret{}, nil
	}
	return token, err
}
