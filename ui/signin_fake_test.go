package ui

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"parley/mcpclient"
	"parley/mcpclient/auth"
)

// fakeAccounts are accounts that do as the test says.
type fakeAccounts struct {
	news *SignInNews
	// agree is what Agree returns; nil takes the sign-in as it is.
	agree func(auth.SignIn) (auth.SignIn, error)
	who   auth.Account

	mu       sync.Mutex
	now      auth.SignIn
	dropped  []string
	again    int
	switches int
	secret   string
	secretOf mcpclient.SignIn
	setUps   []mcpclient.SignIn
	forgot   []string
	refuse   error // of Forget
	stuck    error // of removing a client secret
	asked    int   // how often Who was
	unread   error // of Who
}

// tell tells of a sign-in as it is now.
func (f *fakeAccounts) tell(d auth.SignIn) {
	f.mu.Lock()
	f.now = d
	f.mu.Unlock()
	f.news.Tell(auth.Event{ServerID: d.ServerID, SignIn: &d})
}

func (f *fakeAccounts) Agree(context.Context, string) (auth.SignIn, error) {
	f.mu.Lock()
	d := f.now
	f.mu.Unlock()
	if f.agree == nil {
		return d, nil
	}
	d, err := f.agree(d)
	if err == nil {
		f.tell(d)
	}
	return d, err
}

func (f *fakeAccounts) Cancel(id string) error {
	f.mu.Lock()
	f.dropped = append(f.dropped, id)
	d := f.now
	f.mu.Unlock()
	d.State = auth.Declined
	f.tell(d)
	return nil
}

func (f *fakeAccounts) Again(string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.again++
}

func (f *fakeAccounts) Switch(string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.switches++
}

func (f *fakeAccounts) SignOut(context.Context, mcpclient.Server) (bool, error) { return true, nil }

func (f *fakeAccounts) Who(context.Context, mcpclient.Server) (auth.Account, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	return f.who, f.unread
}

func (f *fakeAccounts) KeepClientSecret(_ context.Context, s mcpclient.Server, secret string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if secret == "" && f.stuck != nil {
		return f.stuck
	}
	f.secret, f.secretOf = secret, s.SignIn
	return nil
}

func (f *fakeAccounts) SetUp(ctx context.Context, _, after mcpclient.Server, secret string) error {
	f.mu.Lock()
	f.setUps = append(f.setUps, after.SignIn)
	f.mu.Unlock()
	if secret == "" {
		return nil
	}
	return f.KeepClientSecret(ctx, after, secret)
}

func (f *fakeAccounts) ClientSecrets(_ context.Context, s mcpclient.Server) (auth.ClientSecrets, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.secret == "" {
		return nil, nil
	}
	of := cmp.Or(f.secretOf, s.SignIn)
	return auth.ClientSecrets{{ClientID: of.ClientID, Issuer: of.Issuer}}, nil
}

func (f *fakeAccounts) Forget(_ context.Context, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forgot = append(f.forgot, id)
	return f.refuse
}

// forgotten are the servers whose secrets were removed.
func (f *fakeAccounts) forgotten() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.forgot)
}

func (f *fakeAccounts) Keep(context.Context, mcpclient.Server, string) error { return nil }
func (f *fakeAccounts) Drop(context.Context, mcpclient.Server) error         { return nil }
func (f *fakeAccounts) Retry(context.Context) error                          { return nil }
