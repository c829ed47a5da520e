// Parley is a desktop app that connects a person to MCP servers, runs what they
// offer and answers what they ask. This file is wiring only: the command line
// is in mcpclient/cli, the window in ui.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"fyne.io/fyne/v2/app"
	"github.com/jeandeaual/go-locale"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/cli"
	"parley/mcpclient/config"
	"parley/mcpclient/keychain"
	"parley/mcpclient/stdio"
	"parley/ui"
)

// metadata names the app and its version, once for all.
//
//go:embed FyneApp.toml
var metadata string

var (
	id      = field("ID")
	version = field("Version")
)

func field(name string) string {
	return regexp.MustCompile(`(?m)^` + name + ` = "(.+)"$`).FindStringSubmatch(metadata)[1]
}

// languages are those the system wants, most wanted first. A system that does
// not say gets English.
func languages() []string {
	tags, err := locale.GetLocales()
	if err != nil {
		return []string{}
	}
	return tags
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	finish := func() {}
	code := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, cli.Options{
		Version:   version,
		Languages: languages(),
		Window:    window,
		Listed: func(store *config.Store, o mcpclient.Options) mcpclient.Options {
			s := open(store, auth.Options{Unattended: true})
			finish = s.Close // a token that is being renewed may be lost otherwise
			return s.credentials(o)
		},
		FormWindow: func(ctx context.Context, schema json.RawMessage) (mcpclient.Answer, error) {
			return ui.FormWindow(ctx, app.NewWithID(id), schema, ui.FormOptions{Languages: languages()})
		},
	})
	finish()
	os.Exit(code)
}

// secrets are whom the person is signed in as, and the keychain that lies in.
type secrets struct {
	*auth.Accounts
	keys *keychain.Keychain
}

// open finds the secrets that belong to the servers of store; o says how people
// sign in.
func open(store *config.Store, o auth.Options) secrets {
	keys := keychain.Open(keychain.Options{Space: store.Space(), Vault: vaultPath(store)})
	o.Secrets, o.Locks = keys, filepath.Join(store.Dir(), "locks")
	return secrets{auth.New(o), keys}
}

// vaultPath is the encrypted file that secrets may lie in.
func vaultPath(store *config.Store) string { return filepath.Join(store.Dir(), keychain.VaultName) }

// credentials are o with what servers get of the secrets.
func (s secrets) credentials(o mcpclient.Options) mcpclient.Options {
	o.Authorizer, o.Fill = s.Authorizer, config.NewValues(s.keys).Fill
	return o
}

// try connects to a server as it was entered, for ui.Options.Try. One that is new
// has nothing kept for it: it gets what was entered.
func (s secrets) try(ctx context.Context, v mcpclient.Server, typed config.Typed, token, file string) (mcpclient.Trial, error) {
	o := s.credentials(mcpclient.Options{Version: version})
	o.Fill = func(ctx context.Context, v mcpclient.Server) (mcpclient.Server, error) {
		return config.NewValues(s.keys).FillWith(ctx, v, typed)
	}
	o.Agree = func(v mcpclient.Server, found string) error { return stdio.CheckFile(v.Command, file, found) }
	o.Authorizer = s.Trial
	if v.ID == "" {
		o.Authorizer = auth.Entered(token)
	}
	return mcpclient.Try(ctx, o, v)
}

// Retry implements ui.Tokens.
func (s secrets) Retry(ctx context.Context) error { return s.keys.Retry(ctx) }

// window opens the app on its config folder and returns when it was closed.
func window(ctx context.Context, w cli.Window) error {
	store, err := config.Open(w.Dir)
	if err != nil {
		return err
	}
	var news ui.SignInNews
	keys := open(store, auth.Options{Changed: news.Tell, Localizer: news.Localizer})
	defer keys.Close()
	client, err := mcpclient.New(keys.credentials(mcpclient.Options{Version: version, Memory: store, Agree: store.Agree, Revive: true}))
	if err != nil {
		return err
	}
	values := config.NewValues(keys.keys)
	err = ui.Run(ctx, app.NewWithID(id), ui.Options{
		Client: client, Store: store, Tokens: keys, Accounts: keys, News: &news, Values: values, Try: keys.try, LookUp: values.LookUp,
		Secrets: keys.keys, VaultPath: vaultPath(store),
		Demo: cli.StartDemo(version), File: w.File, Version: version, Languages: languages(),
	})
	end, cancel := context.WithTimeout(context.Background(), 6*time.Second)
	defer cancel()
	client.Close(end)
	return err
}
