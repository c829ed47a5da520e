package cli

import (
	"context"
	"errors"

	"parley/assets/i18n"
	"parley/mcpclient/demo"
)

// demo is `parley demo`: it serves until an interrupt, which is its ordinary
// end.
func (c *command) demo(ctx context.Context, args []string) int {
	const help = "parley demo --help"
	o := demo.Options{Addr: "127.0.0.1:0"}
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
	err = demo.Run(ctx, o, func(url string) { c.line(listeningLine{"listening", url}) })
	if err != nil && ctx.Err() == nil {
		c.say(i18n.M("cli.demo_failed", "Reason", c.sentence(err)))
		return exitFailed
	}
	return exitOK
}
