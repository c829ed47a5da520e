// Package auth gives HTTP servers a person's credentials (MCP authorization).
//
// Today that is an access token which the person got from the server's owner
// and entered when adding the server. It lies in the system's keychain and is
// sent as a bearer token (RFC 6750 section 2.1) to the origin it was given for
// and to no other.
package auth

import (
	"context"
	"errors"
	"strings"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/http"
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

// Tokens are the access tokens of all servers. Its methods may wait for the
// keychain, which may ask the person.
type Tokens struct{ secrets Secrets }

// NewTokens keeps tokens in s.
func NewTokens(s Secrets) Tokens { return Tokens{s} }

// Check says whether token can be one; its error is a sentence. A person often
// copies it with the word "Bearer" or a line end: both are dropped by Keep.
func Check(token string) error {
	for _, r := range trim(token) {
		if r <= ' ' || r > '~' {
			return &Refused{text: i18n.M("auth.token.characters")}
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
		return &Refused{text: i18n.M("auth.token.plain")}
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
func (t Tokens) Keep(ctx context.Context, s mcpclient.Server, token string) error {
	if err := CheckFor(s, token); err != nil {
		return err
	}
	k, err := key(s)
	if err != nil {
		return err
	}
	return t.secrets.Set(ctx, k, keychain.NewSecret(trim(token)))
}

// Drop removes the token of s, and no other secret of it.
func (t Tokens) Drop(ctx context.Context, s mcpclient.Server) error {
	k, err := key(s)
	if err != nil {
		return err
	}
	return t.secrets.Delete(ctx, k)
}

// Forget removes everything that is stored for a server: its token, and the
// values of its environment and headers.
func (t Tokens) Forget(ctx context.Context, serverID string) error {
	return t.secrets.DeleteAll(ctx, serverID)
}

// Authorizer gives the token of s to its transport; nil for a program.
func (t Tokens) Authorizer(s mcpclient.Server) wire.Authorizer {
	if s.Kind == mcpclient.Stdio {
		return nil
	}
	return &bearer{tokens: t, server: s}
}

// key names the token of s, bound to the origin it was given for.
func key(s mcpclient.Server) (keychain.Key, error) {
	o, err := http.ParseOrigin(s.URL)
	if err != nil {
		return keychain.Key{}, err
	}
	return keychain.HeaderKey(s.ID, o.Origin, "Authorization"), nil
}

// bearer authorizes the requests of one server's connection.
type bearer struct {
	tokens Tokens
	server mcpclient.Server
}

// Authorize implements wire.Authorizer. A server without a token is asked
// without one, and so is one whose token the keychain does not give: the server
// then says whether it needs it, and Challenge says what is wrong.
func (b *bearer) Authorize(ctx context.Context) (string, error) {
	token, err := b.token(ctx)
	if err != nil || token.IsEmpty() {
		return "", context.Cause(ctx)
	}
	return "Bearer " + token.Reveal(), nil
}

func (b *bearer) token(ctx context.Context) (keychain.Secret, error) {
	k, err := key(b.server)
	if err != nil {
		return keychain.Secret{}, err
	}
	token, err := b.tokens.secrets.Get(ctx, k)
	if errors.Is(err, keychain.ErrNotFound) {
		return keychain.Secret{}, nil
	}
	return token, err
}

// Challenge implements wire.Authorizer: it has no other token to offer, and
// says which of the ways there are to go on.
func (b *bearer) Challenge(ctx context.Context, status int, _ string) error {
	token, err := b.token(ctx)
	switch {
	case err != nil:
		return &Refused{text: keychain.Sentence(err), cause: err}
	case token.IsEmpty():
		return &Refused{text: i18n.M("auth.token.needed")}
	case status == 403:
		return &Refused{text: i18n.M("auth.token.forbidden")}
	}
	return &Refused{text: i18n.M("auth.token.refused")}
}

// Refused says why there are no credentials that the server takes.
type Refused struct {
	text  i18n.Message
	cause error
}

var english = i18n.New("en")

// Error gives the sentence in English.
func (r *Refused) Error() string { return english.Text(r.text) }

// Sentence implements wire.Explained.
func (r *Refused) Sentence() i18n.Message { return r.text }

// Unwrap returns the keychain's error, if that is the reason.
func (r *Refused) Unwrap() error { return r.cause }
