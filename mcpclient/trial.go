package mcpclient

import (
	"context"
	"errors"
	"time"
)

// Trial is what trying a server found.
type Trial struct {
	Info                                 Info
	Tools, Prompts, Resources, Templates int
	// Listing is why it was not found out what the server offers; nil if it was.
	Listing *Failure
}

// trialClose bounds the end of the connection after a trial.
const trialClose = 6 * time.Second

// Try connects to s with a Client of its own, asks what it offers and closes the
// connection: nothing of other connections is touched, and what the server asks
// meanwhile dies unanswered with the connection. The error is a *Failure.
func Try(ctx context.Context, o Options, s Server) (Trial, error) {
	c, err := New(o)
	if err != nil {
		return Trial{}, requestFailure(err)
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), trialClose)
		defer cancel()
		// Whatever its end is like, the trial is over.
		_ = c.Close(end)
	}()
	k, err := c.Connect(ctx, s)
	if err != nil {
		return Trial{}, err
	}
	t := Trial{Info: k.Info()}
	l, err := k.List(ctx)
	var f *Failure
	switch {
	case errors.As(err, &f):
		t.Listing = f
	case err != nil:
		t.Listing = requestFailure(err)
	}
	t.Tools, t.Prompts, t.Resources, t.Templates = len(l.Tools), len(l.Prompts), len(l.Resources), len(l.Templates)
	return t, nil
}
