package auth

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"parley/assets/i18n"
	"parley/mcpclient/keychain"
)

// Bounds of a sign-in.
const (
	prepareLimit = time.Minute      // opening the port and registering
	browserLimit = 30 * time.Minute // the person in the browser
	tokenLimit   = time.Minute      // the exchange
	dropLimit    = 5 * time.Second  // the keychain, when a registration is dropped
)

// newID is 128 bits that nobody can guess.
func newID() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Agree is the person's yes: the port is opened, the app registered if need be,
// and the returned SignIn has the URL, which the caller opens. From then on the
// sign-in waits for the browser; how it goes on is told. The error is a *Refused
// that ended the sign-in, ErrNoSignIn, ErrAgreed, or the context's, which ends
// only this wait.
func (a *Accounts) Agree(ctx context.Context, id string) (SignIn, error) {
	a.mu.Lock()
	s := a.open[id]
	switch {
	case s == nil || a.closed:
		a.mu.Unlock()
		return SignIn{}, ErrNoSignIn
	case s.data.State != NeedsConsent:
		data := s.data
		a.mu.Unlock()
		return data, ErrAgreed
	}
	s.ctx, s.cancel = context.WithCancel(a.life)
	s.data.State = Preparing
	s.told()
	ready := make(chan SignIn, 1)
	a.work.Go(func() { s.run(ready) })
	a.mu.Unlock()
	select {
	case data := <-ready:
		return data, nil
	case <-s.done:
		a.mu.Lock()
		defer a.mu.Unlock()
		if s.err != nil {
			return s.data, s.err
		}
		return s.data, ErrNoSignIn
	case <-ctx.Done():
		return SignIn{}, context.Cause(ctx)
	}
}

// run takes s from the person's yes to its end.
func (s *signIn) run(ready chan<- SignIn) {
	defer s.cancel()
	if s.overtaken() {
		s.settle(Done, nil)
		return
	}
	data, back, err := s.prepare()
	if err != nil {
		s.settle(Failed, err)
		return
	}
	ready <- data
	limit := time.NewTimer(browserLimit)
	defer limit.Stop()
	select {
	case r := <-back.door.came:
		s.finish(back, r)
	case <-limit.C:
		s.doubtClient()
		s.settle(Failed, refused("auth.signin.timeout", "Host", show(s.data.Host)))
	case <-s.ctx.Done(): // whoever ended it says why, or has
		s.doubtClient()
		s.settle(Failed, refused("auth.signin.closed"))
	}
}

// overtaken reports whether the person has signed in with another program while this
// one asked them to, and takes that over. More scopes, or another authority, are a
// matter of what this one asks for.
func (s *signIn) overtaken() bool {
	s.a.mu.Lock()
	kept, why := s.account.kept, s.data.Why
	s.a.mu.Unlock()
	return (why == First || why == Expired) && s.account.takesOver(s.ctx, kept, "")
}

// doubtClient drops an earlier registration with which the browser did not come
// back. The person may have thought better of it; but an authority that has
// forgotten the app says so on a page of its own and sends nobody back, and then
// no later sign-in would ever get through.
func (s *signIn) doubtClient() {
	if s.known {
		s.dropClient()
	}
}

// dropClient forgets the registration, so that the next sign-in registers anew.
func (s *signIn) dropClient() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), dropLimit)
	defer cancel()
	// One that cannot be deleted is found out again.
	_ = s.a.o.Secrets.Delete(ctx, clientKey(s.server.ID, s.at.issuer))
}

// way is how one sign-in went out, by which its answer is known.
type way struct {
	client   client
	door     *door
	verifier string
	state    string
}

// prepare opens the door, finds the client and makes the address to open.
func (s *signIn) prepare() (SignIn, way, *Refused) {
	ctx, cancel := context.WithTimeout(s.ctx, prepareLimit)
	defer cancel()
	c, d, err := s.introduce(ctx)
	if err != nil {
		return SignIn{}, way{}, asRefused(err)
	}
	back := way{client: c, door: d, verifier: oauth2.GenerateVerifier(), state: newID()}
	config := oauth2.Config{
		ClientID: c.ID, RedirectURL: d.redirect, Scopes: s.data.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: s.at.authorize},
	}
	options := []oauth2.AuthCodeOption{
		oauth2.S256ChallengeOption(back.verifier), oauth2.SetAuthURLParam("resource", s.at.resource),
	}
	var prompts []string
	if s.data.Switch == SwitchAsked {
		prompts = append(prompts, s.at.choice)
	}
	if slices.Contains(s.data.Scopes, "offline_access") { // OpenID Connect Core section 11
		prompts = append(prompts, "consent")
	}
	if len(prompts) > 0 {
		options = append(options, oauth2.SetAuthURLParam("prompt", strings.Join(prompts, " ")))
		config.Endpoint.AuthURL = without(config.Endpoint.AuthURL, func(name, _ string) bool { return name == "prompt" })
	}
	address := config.AuthCodeURL(back.state, options...)
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	if s.data.State.Settled() { // meanwhile, and the door is closed
		return SignIn{}, way{}, refused("auth.signin.closed")
	}
	// What the browser brings is judged here before a page is shown to it.
	d.serve(&s.a.work, back.state, s.judge, s.page)
	s.data.State, s.data.URL, s.data.Redirect = InBrowser, address, d.redirect
	s.told()
	return s.data, back, nil
}

// judge reads what the browser came back with, the state aside, which was
// compared before. The issuer comes first (RFC 9207 section 2.4; MCP
// authorization, "Authorization Response Validation"): where it is not the one
// that was asked, nothing else of the answer is used or shown.
func (s *signIn) judge(q url.Values) returned {
	host := show(s.data.Host)
	for _, values := range q {
		if len(values) > 1 { // RFC 6749 section 3.1
			return returned{why: refused("auth.signin.answer", "Host", host)}
		}
	}
	issuer, named := q.Get("iss"), q.Has("iss")
	if named && issuer != s.at.issuer || !named && s.at.names {
		return returned{why: refused("auth.signin.mixup", "Host", host)}
	}
	code, text := q.Get("error"), q.Get("error_description")
	switch {
	case code == "access_denied":
		r := returned{declined: true, why: refused("auth.signin.refused", "Host", host)}
		if text != "" {
			r.why = refused("auth.signin.refused.reason", "Host", host, "Reason", show(text))
		}
		return r
	case q.Has("error"):
		return returned{why: deniedBy(host, &denial{code: code, text: text})}
	case q.Get("code") == "":
		return returned{why: refused("auth.signin.answer", "Host", host)}
	}
	return returned{code: q.Get("code")}
}

// finish ends s with what the browser brought.
func (s *signIn) finish(back way, r returned) {
	switch {
	case r.declined:
		s.settle(Declined, r.why)
		return
	case r.why != nil:
		s.forgetClient(r.why)
		s.settle(Failed, r.why)
		return
	case !s.move(Exchanging, nil):
		return
	}
	// The code may be used up as soon as it is sent: what comes of it is waited for
	// though the sign-in, or the app, ends, and is given back then.
	ctx, cancel := s.a.lasting(tokenLimit)
	defer cancel()
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {r.code}, "code_verifier": {back.verifier},
		"redirect_uri": {back.door.redirect}, "resource": {s.at.resource},
	}
	now := s.a.o.Now()
	g, err := s.account.guard().request(ctx, s.at.token, back.client, form, now)
	if err != nil {
		why := denied(hostOf(s.at.token), err)
		s.forgetClient(why)
		s.settle(Failed, why)
		return
	}
	kept := session{
		Issuer: s.at.issuer, Resource: s.at.resource, Host: s.data.Host, Since: now,
		Asked: s.data.Scopes, Token: s.at.token, Revoke: s.at.revoke, Client: back.client,
		User: userOf(g.id, s.at.issuer, back.client.ID),
	}
	kept.take(g, now)
	free, _ := s.account.alone(ctx, lockPatience) // or without: what a person has just done counts
	defer free()
	ctx, cancel = s.a.lasting(tokenLimit) // the exchange may have taken all of the first
	defer cancel()
	if !s.succeed(kept) { // it came too late
		s.account.revoke(ctx, kept)
		return
	}
	if err := s.account.store(ctx, kept); err != nil {
		s.remark(keychain.Sentence(err))
	}
}

// succeed makes what s brought the session, and s done, in one step: a person who
// says no does it before, and nothing is kept, or after, and is signed in. The
// keychain comes later, since it may ask the person for a password.
func (s *signIn) succeed(brought session) bool {
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	if s.data.State.Settled() {
		return false
	}
	s.account.is(brought)
	return s.end(Done, nil)
}

// remark adds to s, which is done, what has to be said about it.
func (s *signIn) remark(text i18n.Message) {
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	s.data.Text = text
	s.told()
}

// forgetClient drops a registration that the authority does not know any more.
func (s *signIn) forgetClient(why *Refused) {
	if d, ok := why.cause.(*denial); ok && d.aboutClient() {
		s.dropClient()
	}
}

// take replaces the tokens of k by what an authority granted. A refresh token
// stays unless there is a new one (RFC 6749 section 6).
func (k *session) take(g grant, now time.Time) {
	k.Access, k.Expiry, k.Got = g.access, g.expiry, now
	if g.refresh != "" {
		k.Refresh = g.refresh
	}
	switch {
	case g.scopes != nil:
		k.Scopes = g.scopes
	case k.Scopes == nil: // silence means all that was asked for (section 5.1)
		k.Scopes = k.Asked
	}
}

// asRefused is err as a sentence.
func asRefused(err error) *Refused {
	if r, ok := err.(*Refused); ok {
		return r
	}
	return refused("auth.signin.broken").because(err)
}
