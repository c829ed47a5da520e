package ui

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/stdio"
	"parley/ui/kit"
)

// Options are what the window stands on.
type Options struct {
	// Client is required. Run does not close it.
	Client *mcpclient.Client
	// Store is the person's list of servers and their settings; required.
	Store *config.Store
	// Demo starts the built-in demo server, which speaks language and serves
	// until ctx ends, and returns its address; nil for none. It is called in
	// the background.
	Demo func(ctx context.Context, language string) (url string, err error)
	// Opener starts the browser; nil is the computer's own.
	Opener consent.Opener
	// Tokens keeps the access tokens of servers; nil: none can be entered.
	Tokens Tokens
	// Accounts signs the person in, and News tells of that; nil: nobody can sign
	// in.
	Accounts Accounts
	News     *SignInNews
	// Values keeps the secret values of environment variables and headers;
	// required.
	Values Values
	// Secrets is where all secrets are kept, and VaultPath the encrypted file
	// they may lie in, "" for none; nil: the window shows nothing of it.
	Secrets   Secrets
	VaultPath string
	// Try connects to a server as it was entered, asks what it offers and closes
	// the connection; required. A program whose name leads to another file than file
	// is not started. Its error is a *mcpclient.Failure. It is called in the
	// background.
	Try func(ctx context.Context, s mcpclient.Server, typed config.Typed, token, file string) (mcpclient.Trial, error)
	// LookUp finds the file that a program's name leads to, and starts nothing;
	// required. It may take seconds, and is called in the background.
	LookUp func(ctx context.Context, s mcpclient.Server, typed config.Typed) (stdio.File, error)
	// File is a file whose servers are offered to be added, "" for none.
	File string
	// Version is the app's.
	Version string
	// Languages are those the system wants, most wanted first;
	// English if none is known.
	Languages []string
}

// Tokens keeps the access tokens of servers at an address in the computer's
// keychain. Its methods may wait for a person who has to unlock that, and are
// called in the background. Their errors are those of auth and keychain; with a
// *keychain.Unavailable a token is kept for this run only.
type Tokens interface {
	// Keep stores the token of s.
	Keep(ctx context.Context, s mcpclient.Server, token string) error
	// Drop removes the access token of a server, and Forget all its secrets.
	Drop(ctx context.Context, s mcpclient.Server) error
	Forget(ctx context.Context, serverID string) error
	// Retry asks a keychain anew that could not be reached, and stores what was
	// kept for this run. Until then it is not asked again.
	Retry(ctx context.Context) error
}

// Values keeps the secret values of a server's environment variables and headers.
// Its errors are as those of Tokens.
type Values interface {
	// Keep stores what typed has for s and removes what only before needed, the
	// same server as it was; see config.Values.
	Keep(ctx context.Context, before, s mcpclient.Server, typed config.Typed) error
	// Move brings values of a server from the file to where secrets are kept; see
	// config.Values.
	Move(ctx context.Context, store *config.Store, of mcpclient.Server, names []string) (mcpclient.Server, error)
}

// firstSize is the size of a new window, in Fyne's units.
var firstSize = fyne.NewSize(1280, 800)

// Run opens the window and returns when it was closed or ctx has ended. It is
// called on the main goroutine and runs the app there. Its error says that an
// option is missing.
func Run(ctx context.Context, a fyne.App, o Options) error {
	if o.Client == nil || o.Store == nil || o.Values == nil || o.Try == nil || o.LookUp == nil {
		return fmt.Errorf("the window needs a client, a store, a place for values and a way to try a server")
	}
	if o.Opener == nil {
		o.Opener = consent.Browser()
	}
	l := newLoop()
	s := newShell(a, o, l, realClock{})
	s.begin()
	stop := context.AfterFunc(ctx, func() {
		l.end() // Fyne hears of the same signal, and may be faster to end its thread
		fyne.Do(s.win.Close)
	})
	defer stop()
	s.win.SetOnClosed(l.end)
	s.win.Show()
	a.Run()
	l.end()
	s.end()
	return nil
}

// localizer is the language of the settings, or the system's.
func localizer(setting string, system []string) *i18n.Localizer {
	if setting != "" {
		return i18n.New(setting)
	}
	return i18n.New(system...)
}

// The themes, made once: Fyne reads all fonts anew whenever a theme is set.
var (
	systemTheme = kit.NewTheme(kit.System, 1)
	lightTheme  = kit.NewTheme(kit.Light, 1)
	darkTheme   = kit.NewTheme(kit.Dark, 1)
)

// wear puts on the theme of the settings, or the desktop's, unless it is on.
func wear(a fyne.App, t config.Theme) {
	theme := systemTheme
	switch t {
	case config.ThemeLight:
		theme = lightTheme
	case config.ThemeDark:
		theme = darkTheme
	}
	if a.Settings().Theme() != theme {
		a.Settings().SetTheme(theme)
	}
}
