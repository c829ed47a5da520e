package auth

import (
	"context"
	"net/url"
	"strings"
)

// serviceForm asks for a token in the app's own name (RFC 6749 section 4.4).
func serviceForm(resource string, scopes []string) url.Values {
	form := url.Values{"grant_type": {"client_credentials"}, "resource": {resource}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	return form
}

// service signs the app in as itself, with the client id and the secret that the
// person entered; nobody is asked. The error is a *Refused or the context's.
func (z *authorizer) service(ctx context.Context, at authority, said challenge) error {
	a := z.a
	if z.server.SignIn.ClientID == "" {
		return refused("auth.signin.noclient", "Host", show(hostOf(at.issuer)))
	}
	s := &signIn{a: a, account: z.account, server: z.server, at: at}
	c, err := s.given(ctx)
	if err != nil {
		return orCause(ctx, err)
	}
	if c.Secret == "" {
		return refused("auth.signin.nosecret", "Host", show(hostOf(at.issuer)))
	}
	a.mu.Lock()
	kept := z.kept
	a.mu.Unlock()
	var before []string
	if kept.Issuer == at.issuer {
		before = kept.Asked
	}
	scopes := said.scopes
	if len(scopes) == 0 && len(before) == 0 {
		scopes = at.scopes
	}
	scopes = unite(before, scopes)
	now := a.o.Now()
	g, err := z.guard().request(ctx, at.token, c, serviceForm(at.resource, scopes), now)
	if err != nil {
		return orCause(ctx, denied(hostOf(at.token), err))
	}
	next := session{
		Issuer: at.issuer, Resource: at.resource, Host: hostOf(at.token), Since: now,
		Asked: scopes, Token: at.token, Revoke: at.revoke, Client: c, Service: true,
	}
	next.take(g, now)
	_, _ = z.keep(ctx, kept.Access, next) // this run has it; the keychain says by itself what is wrong
	return nil
}
