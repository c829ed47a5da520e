package auth

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
)

// State is how far a sign-in has come.
type State string

// The states. The last three settle it.
const (
	NeedsConsent State = "consent"   // the person has to agree
	Preparing    State = "preparing" // a port is opened and the app registered
	InBrowser    State = "browser"   // the person is in the browser
	Exchanging   State = "exchanging"
	Done         State = "done"
	Declined     State = "refused" // by the person, here or in the browser
	Failed       State = "failed"
)

// Settled reports whether nothing comes after it.
func (s State) Settled() bool { return s == Done || s == Declined || s == Failed }

// Why is the reason for a sign-in.
type Why string

// The reasons.
const (
	First   Why = "first"   // there was none before
	Expired Why = "expired" // what there was does not do any more
	StepUp  Why = "step-up" // more scopes are needed than were granted
	Moved   Why = "moved"   // the server has another authorization server now
)

// Switch is what becomes of a person's wish to sign in as somebody else than before
// ([Accounts.Switch]).
type Switch string

// Its values; the zero Switch is that there is no such wish.
const (
	SwitchAsked  Switch = "asked"  // the authority is asked to let them choose
	SwitchUnsure Switch = "unsure" // it knows no way to be asked, and may take whom it remembers
)

// SignIn is one sign-in, as plain data. Scopes, Issuer, Endpoint and URL are
// words of strangers: they are shown as server text, and URL is opened only as
// consent.Assess lets it.
type SignIn struct {
	ID         string
	ServerID   string
	ServerName string // the person's own name for the server
	Origin     string // of the server that the tokens will be sent to
	Issuer     string // who will give them
	Endpoint   string // where the person signs in, before anything is added to it
	Host       string // of Endpoint, with its port if it has one
	// TokenHost is where what the person does at Host is handed to for the tokens,
	// and IssuerHost that of Issuer, where they are of another site than Host; ""
	// else. The person has to know them before they agree: whoever is named there
	// gets what was meant for Host.
	TokenHost, IssuerHost string
	// URL is the exact address to open; "" until Agree.
	URL string
	// Redirect is the address on this computer that the browser is sent back to;
	// "" until Agree.
	Redirect string
	Scopes   []string // that are asked for; none: the server decides
	Granted  []string // those of them that the person granted before
	// Calls are the requests that wait for it, oldest first: ids of the person's
	// calls, "" for one of no call, such as to connect.
	Calls []string
	Why   Why
	// Switch is set where the person wants to be somebody else there.
	Switch Switch
	// Replaced is set where it stands for another one that ended because the person
	// changed the settings.
	Replaced Replaced
	Began    time.Time
	State    State
	// Text says why it was refused or failed, or of one that is done, that it
	// could not be stored and holds for this run only, which is told in a second
	// event; zero else.
	Text i18n.Message
}

// Errors of methods that take the id of a sign-in.
var (
	ErrNoSignIn = errors.New("this sign-in is over")
	ErrAgreed   = errors.New("this sign-in has been agreed to")
)

// signIn is a SignIn under way. What is below data is under Accounts.mu.
type signIn struct {
	a       *Accounts
	account *account
	server  mcpclient.Server
	at      authority
	done    chan struct{} // closed when it is settled

	data   SignIn
	err    *Refused           // why it did not succeed, once it is settled
	ctx    context.Context    // of what runs for it; nil before Agree
	cancel context.CancelFunc // ends ctx
	door   *door              // that the browser comes back to; nil before it is open
	known  bool               // the client was registered for an earlier sign-in
	anew   bool               // it ended for what waits for it to find out anew
	// replaced is, where anew, what the sign-in that follows stands for.
	replaced Replaced
}

// SignIns returns the sign-ins that are not settled, oldest first.
func (a *Accounts) SignIns() []SignIn {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := make([]SignIn, 0, len(a.open))
	for _, s := range a.open {
		out = append(out, s.data)
	}
	slices.SortFunc(out, func(x, y SignIn) int {
		return cmp.Or(x.Began.Compare(y.Began), cmp.Compare(x.ID, y.ID))
	})
	return out
}

// Cancel is the person's no. The port is free when it returns, and what the
// browser or the authorization server may still bring is not kept. It is
// remembered: see Accounts.Again. The error is ErrNoSignIn for one that is over:
// whoever is signed in by then can sign out.
func (a *Accounts) Cancel(id string) error {
	a.mu.Lock()
	s := a.open[id]
	a.mu.Unlock()
	if s == nil || !s.settle(Declined, refused("auth.signin.cancelled", "Server", s.data.ServerName)) {
		return ErrNoSignIn
	}
	return nil
}

// begin opens a sign-in for z, which a request of call waits for. a.mu is held.
func (a *Accounts) begin(z *authorizer, at authority, why Why, scopes []string, call string) *signIn {
	k, server := z.account, z.server
	s := &signIn{a: a, account: k, server: server, at: at, done: make(chan struct{})}
	s.data = SignIn{
		ID: newID(), ServerID: server.ID, ServerName: cmp.Or(server.Name, k.at.origin.Host), Origin: k.at.origin.Origin,
		Issuer: at.issuer, Endpoint: at.authorize, Host: hostOf(at.authorize),
		Scopes: scopes, Calls: []string{call}, Why: why, Replaced: z.instead, Began: a.o.Now(), State: NeedsConsent,
	}
	switch {
	case k.switching && at.choice != "":
		s.data.Switch = SwitchAsked
	case k.switching:
		s.data.Switch = SwitchUnsure
	}
	s.data.TokenHost, s.data.IssuerHost = at.elsewhere()
	for _, scope := range scopes {
		if slices.Contains(k.kept.Scopes, scope) {
			s.data.Granted = append(s.data.Granted, scope)
		}
	}
	k.signIn = s
	a.open[s.data.ID] = s
	s.told()
	if a.o.Drive != nil {
		a.work.Go(s.drive)
	}
	return s
}

// drive goes through s without a person.
func (s *signIn) drive() {
	data, err := s.a.Agree(s.a.life, s.data.ID)
	if err != nil {
		return // it is settled
	}
	if err := s.a.o.Drive(s.ctx, data); err != nil {
		s.settle(Failed, refused("auth.signin.browser").because(err))
	}
}

// told tells of the state as it is. a.mu is held.
func (s *signIn) told() {
	data := s.data
	s.a.tell.put(Event{ServerID: data.ServerID, SignIn: &data})
}

// move puts s into the next state, unless it is settled.
func (s *signIn) move(to State, change func(*SignIn)) bool {
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	if s.data.State.Settled() {
		return false
	}
	s.data.State = to
	if change != nil {
		change(&s.data)
	}
	s.told()
	return true
}

// settle ends s; only the first call does anything. why is nil for Done.
func (s *signIn) settle(as State, why *Refused) bool {
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	return s.end(as, why)
}

// end is settle where a.mu is held.
func (s *signIn) end(as State, why *Refused) bool {
	a := s.a
	if s.data.State.Settled() {
		return false
	}
	s.data.State, s.err = as, why
	if why != nil {
		s.data.Text = why.text
	}
	switch as {
	case Declined:
		s.account.denied[s.refusal()] = why
		s.account.switching = false
	case Done:
		clear(s.account.denied)
		s.account.switching = false
	}
	if s.account.signIn == s {
		s.account.signIn = nil
	}
	delete(a.open, s.data.ID)
	if s.cancel != nil {
		s.cancel()
	}
	if s.door != nil {
		s.door.close() // before anybody hears that it is over: the port is free by then
	}
	s.told()
	close(s.done)
	return true
}

// refusal is what a no to s is remembered under: a no to more scopes leaves
// what was granted.
func (s *signIn) refusal() string {
	if s.data.Why == StepUp {
		return scopeKey(s.data.Scopes)
	}
	return ""
}

// wants adds a request that waits for s; await follows. a.mu is held.
func (s *signIn) wants(call string) {
	s.data.Calls = append(slices.Clip(s.data.Calls), call) // those told of are left alone
	s.told()
}

// await waits until s is settled, for a request of call that wants it. The error is
// why it was in vain, errAnew if it has to be decided on anew, or the context's.
func (s *signIn) await(ctx context.Context, call string) error {
	select {
	case <-s.done:
	case <-ctx.Done():
		s.unwanted(call)
		return context.Cause(ctx)
	}
	switch {
	case s.anew:
		return errAnew
	case s.err != nil:
		return s.err
	}
	return nil
}

// unwanted is told of a request that waits no longer. What nobody has agreed to
// and nobody waits for is withdrawn; a person who is in the browser may finish.
func (s *signIn) unwanted(call string) {
	s.a.mu.Lock()
	if i := slices.Index(s.data.Calls, call); i >= 0 {
		s.data.Calls = slices.Delete(slices.Clone(s.data.Calls), i, i+1)
	}
	withdrawn := len(s.data.Calls) == 0 && s.data.State == NeedsConsent
	if !withdrawn && !s.data.State.Settled() {
		s.told()
	}
	s.a.mu.Unlock()
	if withdrawn {
		s.settle(Failed, refused("auth.signin.closed"))
	}
}
