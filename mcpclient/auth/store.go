package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/keychain"
)

// session is what a sign-in brought. It is one value in the keychain, so that an
// old refresh token is never kept beside a new access token. The zero session:
// nobody is signed in.
type session struct {
	Issuer   string `json:"issuer"`
	Resource string `json:"resource"` // as the authority was asked
	Host     string `json:"host"`     // where the person signed in
	User     string `json:"user,omitempty"`

	Access  string    `json:"access,omitempty"`
	Refresh string    `json:"refresh,omitempty"`
	Got     time.Time `json:"got"`             // when Access came
	Expiry  time.Time `json:"expiry,omitzero"` // of Access; zero if nobody knows
	Since   time.Time `json:"since"`           // when the person signed in
	// Asked are the scopes that were asked for, Scopes those that were granted.
	Asked  []string `json:"asked,omitempty"`
	Scopes []string `json:"scopes,omitempty"`

	Token   string `json:"token"`            // endpoint
	Revoke  string `json:"revoke,omitempty"` // endpoint
	Client  client `json:"client"`
	Service bool   `json:"service,omitempty"` // the app is signed in as itself

	renewed bool // Access came by a renewal, and not from a person
	earlier bool // it was not signed in for by a person in this run
	stored  bool // it lies, or lay, in the keychain
}

// client is how an authority knows the app. It belongs to one issuer.
type client struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"`
	Method string `json:"method"` // how it proves who it is
	// Redirect is the one address that was registered; "" where any of this
	// computer's does.
	Redirect string    `json:"redirect,omitempty"`
	Expires  time.Time `json:"expires,omitzero"` // of Secret
	Given    bool      `json:"given,omitempty"`  // the person entered it
}

// fits reports whether the session is one that a sign-in by the setup brings. What
// the person has changed there since (the client id, the issuer, the app in its own
// name) holds at once: they are not signed in any more in the way they gave up.
func (s session) fits(setup mcpclient.SignIn) bool {
	switch {
	case s.Issuer == "":
		return true // nobody's
	case s.Service != setup.Service:
		return false
	case setup.Issuer != "" && !sameIssuer(setup.Issuer, s.Issuer):
		return false
	case s.Client.Given:
		return s.Client.ID == setup.ClientID
	}
	return setup.ClientID == ""
}

// Format keeps the tokens of a session out of whatever prints one.
func (session) Format(f fmt.State, _ rune) { io.WriteString(f, "[session]") }

// Format keeps the secret of a client out of whatever prints one.
func (client) Format(f fmt.State, _ rune) { io.WriteString(f, "[client]") }

// The keys of what lies in the keychain. A session is bound to the address it is
// for, a registration to its issuer; for a secret see clientsecret.go.
func sessionKey(k accountKey) keychain.Key {
	return keychain.Key{Server: k.server, Name: "oauth session " + k.resource}
}

func clientKey(serverID, issuer string) keychain.Key {
	return keychain.Key{Server: serverID, Name: "oauth client " + issuer}
}

// read reads a value of the keychain into v; found is false where there is none,
// or one that cannot be read any more.
func (a *Accounts) read(ctx context.Context, k keychain.Key, v any) (found bool, err error) {
	secret, err := a.o.Secrets.Get(ctx, k)
	switch {
	case errors.Is(err, keychain.ErrNotFound), errors.Is(err, keychain.ErrDamaged):
		return false, nil
	case err != nil:
		return false, err
	}
	return json.Unmarshal([]byte(secret.Reveal()), v) == nil, nil
}

// write puts v into the keychain. Where that is out of reach, the keychain keeps
// it for this run, which its own state tells.
func (a *Accounts) write(ctx context.Context, k keychain.Key, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	err = a.o.Secrets.Set(ctx, k, keychain.NewSecret(string(text)))
	if _, ok := errors.AsType[*keychain.Unavailable](err); ok {
		return nil
	}
	return err
}
