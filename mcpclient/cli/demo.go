package cli

import (
	"context"
	"errors"

	"parley/assets/i18n"
	"parley/mcpclient/demo"
)

// demoAddr is a free port of the loopback interface.
const demoAddr = "127.0.0.1:0"

// demo is `parley demo`: it serves until an interrupt, which is its ordinary
// end.
func (c *command) demo(ctx context.Context, args []string) int {
	const help = "parley demo --help"
	o := demo.Options{Addr: demoAddr, Language: c.loc.Tag(), Version: c.opts.Version}
	ops, err := parseFlags(args, []flag{
		textFlag("http", &o.Addr),
		textFlag("public-url", &o.PublicURL),
		boolFlag("conformance", &o.Conformance),
	})
	switch {
	case errors.Is(err, errHelp):
		return c.help("cli.help_demo")
	case err != nil:
		return c.misused(err, help)
	case len(ops.words) > 0:
		return c.misused(tooMany(ops.words[0]), help)
	}
	if err := o.Check(); err != nil {
		return c.misused(misuse("cli.demo_failed", "Reason", err.Error()), help)
	}
	err = demo.Run(ctx, o, func(url string) { c.line(listeningLine{"listening", url}) })
	if err != nil && ctx.Err() == nil {
		c.say(i18n.M("cli.demo_failed", "Reason", c.sentence(err)))
		return exitFailed
	}
	return exitOK
}

// StartDemo returns a function that serves the demo server of this version in
// the given language (BCP 47) on a free port of the loopback interface until
// ctx ends. It returns the server's address once it takes connections; the
// error says why it cannot listen.
func StartDemo(version string) func(ctx context.Context, language string) (string, error) {
	return func(ctx context.Context, language string) (string, error) {
		ready, failed := make(chan string, 1), make(chan error, 1)
		o := demo.Options{Addr: demoAddr, Language: language, Version: version}
		go func() { failed <- demo.Run(ctx, o, func(url string) { ready <- url }) }()
		select {
		case url := <-ready:
			return url, nil
		case err := <-failed:
			if err == nil {
				err = context.Cause(ctx) // it ended before it could be reached
			}
			return "", err
		}
	}
}
