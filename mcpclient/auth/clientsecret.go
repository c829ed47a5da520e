package auth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/mcpclient"
	"parley/mcpclient/keychain"
)

// The secret of a client id that the person entered is kept under the client id and
// the issuer that gave it out, and is found for that issuer alone: whoever edits the
// issuer, in the app or in the file, moves no secret with it, and finds it again by
// editing back (MCP authorization, "Client Registration Approaches": credentials are
// kept apart by issuer). Issuers are compared as [sameIssuer] does.
//
// One that comes without an issuer, as other apps keep it, belongs to nobody at
// first. It is sent to nobody whom only the server has named; the first issuer that
// the person enters, and that it is then used with, is the one it belongs to.

// ClientSecret names a secret that is stored, which it does not hold.
type ClientSecret struct {
	ClientID string `json:"client"`
	// Issuer is the authorization server whose it is; "" as long as it was used
	// with none.
	Issuer string `json:"issuer,omitempty"`
}

// ClientSecrets are those that are stored for a server.
type ClientSecrets []ClientSecret

// SecretFit is how what is stored goes with a client id and an issuer.
type SecretFit string

// Its values.
const (
	SecretNone      SecretFit = ""          // there is none of that client id
	SecretFits      SecretFit = "fits"      // there is one, and it would be sent
	SecretUnclaimed SecretFit = "unclaimed" // there is one, and it belongs to nobody yet
	SecretElsewhere SecretFit = "elsewhere" // there is one of another issuer only
)

// Fit tells how what is stored goes with what e enters, and of one that does not,
// whose it is.
func (l ClientSecrets) Fit(e Setup) (how SecretFit, issuer string) {
	return l.fit(strings.TrimSpace(e.ClientID), strings.TrimSpace(e.Issuer))
}

func (l ClientSecrets) fit(clientID, issuer string) (how SecretFit, whose string) {
	for _, s := range l {
		switch {
		case s.ClientID != clientID || how == SecretFits:
		case s.Issuer == "":
			how, whose = SecretUnclaimed, ""
		case issuer == "" || sameIssuer(s.Issuer, issuer):
			how, whose = SecretFits, ""
		case how == SecretNone:
			how, whose = SecretElsewhere, s.Issuer
		}
	}
	return how, whose
}

func (s ClientSecret) is(clientID, issuer string) bool {
	return s.ClientID == clientID && (s.Issuer == issuer || sameIssuer(s.Issuer, issuer))
}

// key names s in the keychain of a server.
func (s ClientSecret) key(serverID string) keychain.Key {
	return keychain.Key{Server: serverID, Name: fmt.Sprintf("oauth secret-of %q at %q", s.ClientID, strings.TrimSuffix(s.Issuer, "/"))}
}

// indexKey names the list of the secrets of a server, since a keychain has none. It
// only tells: what is sent is found by its own key.
func indexKey(serverID string) keychain.Key {
	return keychain.Key{Server: serverID, Name: "oauth secrets"}
}

// bareKey names a secret as it was kept before it had an issuer.
func bareKey(serverID, clientID string) keychain.Key {
	return keychain.Key{Server: serverID, Name: "oauth secret " + clientID}
}

// boundKey names the issuer that a client id was used with first. It is no
// secret, but belongs beside one.
func boundKey(serverID, clientID string) keychain.Key {
	return keychain.Key{Server: serverID, Name: "oauth issuer " + clientID}
}

// KeepClientSecret stores the secret of the client id in s.SignIn, which the owner
// of the authorization server there gave out, for that one alone. "" removes it (all
// of the client id where no issuer is entered), and whoever was signed in at the
// address of s by it, since that renews itself by it. A sign-in under way begins
// anew, see [Accounts.SetUp]. The error is the keychain's; with a
// *keychain.Unavailable it is kept for this run only.
func (a *Accounts) KeepClientSecret(ctx context.Context, s mcpclient.Server, secret string) error {
	err := a.keepClientSecret(ctx, s, secret)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reask(s.ID)
	return err
}

func (a *Accounts) keepClientSecret(ctx context.Context, s mcpclient.Server, secret string) error {
	// What this cannot read, it finds another time.
	settleErr := a.settleBare(ctx, s)
	mine := ClientSecret{s.SignIn.ClientID, s.SignIn.Issuer}
	if secret != "" {
		return a.putClientSecret(ctx, s.ID, mine, keychain.NewSecret(secret))
	}
	gone := ClientSecrets{mine, {ClientID: mine.ClientID}}
	var err error
	if mine.Issuer == "" {
		var stored ClientSecrets
		stored, err = a.index(ctx, s.ID)
		gone = append(gone, slices.DeleteFunc(stored, func(o ClientSecret) bool { return o.ClientID != mine.ClientID })...)
	}
	for _, one := range gone {
		err = cmp.Or(err, a.dropClientSecret(ctx, s.ID, one))
	}
	if settleErr != nil { // it may be there still as it was kept before
		err = cmp.Or(err, a.o.Secrets.Delete(ctx, bareKey(s.ID, mine.ClientID)))
	}
	if at, atErr := a.account(s); atErr == nil {
		err = cmp.Or(err, at.dropMadeWith(ctx, mine))
	}
	return err
}

// dropMadeWith removes the session that holds a secret of the person's, if that is
// what is kept.
func (k *account) dropMadeWith(ctx context.Context, secret ClientSecret) error {
	if err := k.load(ctx); err != nil {
		return err
	}
	holds := func(s session) bool {
		return s.Client.Given && s.Client.ID == secret.ClientID && s.Client.Secret != "" &&
			(secret.Issuer == "" || sameIssuer(secret.Issuer, s.Issuer))
	}
	k.a.mu.Lock()
	drop := holds(k.kept) || holds(k.aside)
	if drop {
		k.is(session{})
	}
	k.a.mu.Unlock()
	if !drop {
		return nil
	}
	return k.remove(ctx)
}

// ClientSecrets names the client secrets that are stored for s, those of other
// issuers than the one it has now among them. The error is the keychain's: there is no
// telling.
func (a *Accounts) ClientSecrets(ctx context.Context, s mcpclient.Server) (ClientSecrets, error) {
	if err := a.settleBare(ctx, s); err != nil {
		return nil, err
	}
	stored, err := a.index(ctx, s.ID)
	if err != nil || s.SignIn.ClientID == "" {
		return stored, err
	}
	// The list is mended by what is found by its own key.
	for _, one := range []ClientSecret{{s.SignIn.ClientID, s.SignIn.Issuer}, {ClientID: s.SignIn.ClientID}} {
		_, err := a.o.Secrets.Get(ctx, one.key(s.ID))
		switch {
		case errors.Is(err, keychain.ErrNotFound):
		case err != nil && !errors.Is(err, keychain.ErrDamaged): // what there is of that can be removed
			return nil, err
		case !slices.ContainsFunc(stored, func(o ClientSecret) bool { return o.is(one.ClientID, one.Issuer) }):
			stored = append(stored, one)
			_ = a.write(ctx, indexKey(s.ID), stored)
		}
	}
	return stored, nil
}

// index is the list of the secrets of a server.
func (a *Accounts) index(ctx context.Context, serverID string) (l ClientSecrets, err error) {
	get := a.o.Secrets.Get
	if f, can := a.o.Secrets.(fresher); can { // another program may have added to it
		get = f.Fresh
	}
	secret, err := get(ctx, indexKey(serverID))
	switch {
	case errors.Is(err, keychain.ErrNotFound), errors.Is(err, keychain.ErrDamaged):
		return nil, nil
	case err != nil:
		return nil, err
	}
	_ = json.Unmarshal([]byte(secret.Reveal()), &l) // what cannot be read lists nothing
	return l, nil
}

// putClientSecret stores a secret and lists it.
func (a *Accounts) putClientSecret(ctx context.Context, serverID string, of ClientSecret, secret keychain.Secret) error {
	err := a.o.Secrets.Set(ctx, of.key(serverID), secret)
	if _, forNow := errors.AsType[*keychain.Unavailable](err); err != nil && !forNow {
		return err
	}
	// A list that cannot be read is not written over.
	if stored, listErr := a.index(ctx, serverID); listErr == nil || isAbsent(listErr) {
		stored = slices.DeleteFunc(stored, func(o ClientSecret) bool { return o.is(of.ClientID, of.Issuer) })
		_ = a.write(ctx, indexKey(serverID), append(stored, of))
	}
	return err
}

// dropClientSecret deletes a secret and takes it out of the list.
func (a *Accounts) dropClientSecret(ctx context.Context, serverID string, of ClientSecret) error {
	err := a.o.Secrets.Delete(ctx, of.key(serverID))
	stored, listErr := a.index(ctx, serverID)
	left := slices.DeleteFunc(slices.Clone(stored), func(o ClientSecret) bool { return o.is(of.ClientID, of.Issuer) })
	switch {
	case listErr != nil || len(left) == len(stored):
	case len(left) == 0:
		err = cmp.Or(err, a.o.Secrets.Delete(ctx, indexKey(serverID)))
	default:
		_ = a.write(ctx, indexKey(serverID), left)
	}
	return err
}

// settleBare gives a secret that was kept before it had an issuer the one that it was
// used with: that of the session it brought, else the one that was entered with it.
// It stays as it is until it lies in its new place. The error is the keychain's, about
// one that may be there.
func (a *Accounts) settleBare(ctx context.Context, s mcpclient.Server) error {
	if s.SignIn.ClientID == "" {
		return nil
	}
	bare := bareKey(s.ID, s.SignIn.ClientID)
	secret, err := a.o.Secrets.Get(ctx, bare)
	switch {
	case errors.Is(err, keychain.ErrNotFound), errors.Is(err, keychain.ErrDamaged), err != nil && isAbsent(err):
		return nil
	case err != nil:
		return err
	}
	of := ClientSecret{s.SignIn.ClientID, s.SignIn.Issuer}
	if at, err := targetOf(s); err == nil {
		var kept session
		found, err := a.read(ctx, sessionKey(accountKey{s.ID, at.resource}), &kept)
		switch {
		case err != nil:
			return err
		case found && kept.Client.Given && kept.Client.ID == of.ClientID && kept.Client.Secret == secret.Reveal():
			of.Issuer = kept.Issuer
		}
	}
	switch _, err := a.o.Secrets.Get(ctx, of.key(s.ID)); {
	case errors.Is(err, keychain.ErrNotFound):
		if a.putClientSecret(ctx, s.ID, of, secret) != nil {
			return nil // this run has it in both places
		}
	case err != nil:
		return err
	}
	_ = a.o.Secrets.Delete(ctx, bare) // or it is found out again
	return nil
}

// given is the client that the person entered, with the secret that the authority
// gave it, if there is one. Nobody else learns of either: not where the id was
// entered for another authority or used with another first, and no secret goes to
// one whom only the server has named. The error is a *Refused.
func (s *signIn) given(ctx context.Context) (c client, err error) {
	a, setup, at := s.a, s.server.SignIn, s.at
	c = client{ID: setup.ClientID, Given: true}
	if setup.Issuer != "" && !sameIssuer(setup.Issuer, at.issuer) {
		return c, movedTo(setup.Issuer, at.issuer)
	}
	defer func() {
		if err != nil {
			if _, ok := errors.AsType[*Refused](err); !ok {
				err = &Refused{text: keychain.Sentence(err), cause: err}
			}
		}
	}()
	if err := a.settleBare(ctx, s.server); err != nil {
		return c, err
	}
	secret, err := a.clientSecret(ctx, s.server.ID, ClientSecret{c.ID, at.issuer})
	if err != nil {
		return c, err
	}
	if secret.IsEmpty() {
		if secret, err = s.bindSecret(ctx); err != nil {
			return c, err
		}
	}
	if c.Secret = secret.Reveal(); c.Secret == "" {
		if err := s.strange(ctx); err != nil {
			return c, err
		}
	}
	c.Method = method(at, c.Secret)
	return c, nil
}

// clientSecret is a secret of the person's, empty if there is none.
func (a *Accounts) clientSecret(ctx context.Context, serverID string, of ClientSecret) (keychain.Secret, error) {
	secret, err := a.o.Secrets.Get(ctx, of.key(serverID))
	if errors.Is(err, keychain.ErrNotFound) || err != nil && isAbsent(err) {
		return keychain.Secret{}, nil
	}
	return secret, err
}

// bindSecret gives a secret that belongs to nobody yet to the authority, if the
// person has entered that; empty if there is none.
func (s *signIn) bindSecret(ctx context.Context) (keychain.Secret, error) {
	a, setup := s.a, s.server.SignIn
	nobodys, its := ClientSecret{ClientID: setup.ClientID}, ClientSecret{setup.ClientID, s.at.issuer}
	secret, err := a.clientSecret(ctx, s.server.ID, nobodys)
	switch {
	case err != nil || secret.IsEmpty():
		return secret, err
	case setup.Issuer == "":
		return keychain.Secret{}, refused("auth.signin.issuer.unknown", "Issuer", show(s.at.issuer))
	}
	if err := a.putClientSecret(ctx, s.server.ID, its, secret); err == nil {
		_ = a.dropClientSecret(ctx, s.server.ID, nobodys) // which is looked for after its own
	}
	if s.isGone() {
		ctx, cancel := a.lasting(dropLimit)
		defer cancel()
		_ = a.dropClientSecret(ctx, s.server.ID, its)
	}
	return secret, nil
}

// strange says why a client id without a secret must not go to the authority, and
// notes the first that it goes to where none was entered.
func (s *signIn) strange(ctx context.Context) error {
	a, setup, at := s.a, s.server.SignIn, s.at
	stored, err := a.index(ctx, s.server.ID)
	if err != nil && !isAbsent(err) {
		return err
	}
	how, elsewhere := stored.fit(setup.ClientID, at.issuer)
	if setup.Issuer != "" {
		if how == SecretElsewhere && (setup.Service || len(at.methods) == 0 || !slices.Contains(at.methods, byNone)) {
			old, now := apart(elsewhere, at.issuer)
			return refused("auth.signin.secret.elsewhere", "Old", old, "New", now)
		}
		return nil
	}
	// Where there is no keychain, what was noted in this run is all there is.
	issuer := elsewhere
	if issuer == "" {
		if _, err := a.read(ctx, boundKey(s.server.ID, setup.ClientID), &issuer); err != nil && !isAbsent(err) {
			return err
		}
	}
	switch {
	case issuer == "":
		return s.note(ctx, boundKey(s.server.ID, setup.ClientID), at.issuer)
	case !sameIssuer(issuer, at.issuer):
		return movedTo(issuer, at.issuer)
	}
	return nil
}
