// Package cli is Parley's command line: the subcommands call, url, form and
// demo, and the way from the arguments to the window.
//
// Programs rely on it to the letter, so these rules hold everywhere:
//
//   - Flags come before operands, "--" ends them. "--flag value" and
//     "--flag=value" are the same.
//   - Standard output carries JSON lines only, each written in one piece as
//     soon as it is known; "event" comes first where there is one. A key
//     without a value is left out and never null. What a server sent stands in
//     a line as it was, at most without the white space between its parts.
//     (--help and --version are no subcommands and print plain text.)
//   - Sentences for people go to standard error, in the language of the
//     locale, one a line and made safe to show, as those within the JSON are.
//     Every line that a server wrote is marked as the server's. No value of a
//     header and nothing of an answer ever stands in one.
//   - Exit codes: 2 for a usage error, before anything was started. Then, the
//     first that holds: 6 an answer was invalid; 5 not connected, the
//     connection lost, or timed out; 4 a JSON-RPC error or an invalid reply; 3
//     the tool reports failure; 0. Form answers: 0 accept, 10 decline, 11
//     cancel. 130 after an interrupt. 1 is left for standard output that
//     cannot be written and a demo server that cannot listen.
//
// The package knows no widget: the two commands that open a window do so
// through [Options].
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"

	"parley/assets/i18n"
	"parley/consent"
	"parley/mcpclient"
	"parley/mcpclient/config"
)

// The exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitToolError   = 3
	exitServerError = 4
	exitNotReached  = 5
	exitInvalid     = 6
	exitDecline     = 10
	exitCancel      = 11
	exitInterrupted = 130
)

// Options connect the command line with the rest of the app. The zero value
// works, without windows.
type Options struct {
	// Version is what --version prints and what servers are told.
	Version string
	// Languages are those the system wants (BCP 47), most wanted first. They
	// count where the environment names no locale.
	Languages []string
	// Window opens the app and returns when it was closed.
	Window func(ctx context.Context, w Window) error
	// FormWindow shows one form and returns its answer; a closed window is
	// mcpclient.Cancel.
	FormWindow func(ctx context.Context, schema json.RawMessage) (mcpclient.Answer, error)
	// Opener starts the browser; nil is consent.Browser().
	Opener consent.Opener
	// Getenv reads the environment; nil is os.Getenv.
	Getenv func(string) string
	// Client are the options of the client that `parley call` makes; its
	// Version is filled in.
	Client mcpclient.Options
	// Listed adds to Client what servers of the list need of the person's
	// keychain; nil adds nothing.
	Listed func(store *config.Store, client mcpclient.Options) mcpclient.Options
}

// Window is how the app is to be opened.
type Window struct {
	Dir  string // the config folder
	File string // a file with servers to choose from, "" for none; it could be read
}

// command is one run of the program.
type command struct {
	*printer
	stdin io.Reader
	opts  Options
	dir   string // --config; "" for the default
}

// Main runs the program with the arguments args (without its name) and returns
// its exit code. The end of ctx is an interrupt. The windows of o are opened
// on the calling goroutine.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, o Options) int {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Opener == nil {
		o.Opener = consent.Browser()
	}
	o.Client.Version = o.Version
	c := &command{printer: newPrinter(stdout, stderr, localizer(o.Getenv, o.Languages)), stdin: stdin, opts: o}
	code := c.root(ctx, args)
	if c.failed != nil {
		c.say(i18n.M("cli.stdout_failed", "Reason", c.failed.Error()))
		if code == exitOK {
			code = exitFailed
		}
	}
	return code
}

// subcommands are the words that are no FILE.
var subcommands = map[string]func(*command, context.Context, []string) int{
	"call": (*command).call,
	"url":  (*command).url,
	"form": (*command).form,
	"demo": (*command).demo,
}

// root reads what stands before the subcommand.
func (c *command) root(ctx context.Context, args []string) int {
	version := false
	ops, err := parseFlags(args, []flag{
		textFlag("config", &c.dir),
		boolFlag("version", &version),
	})
	switch {
	case errors.Is(err, errHelp):
		return c.help("cli.help")
	case err != nil:
		return c.misused(err, "parley --help")
	case version:
		c.text("parley " + c.opts.Version)
		return exitOK
	case len(ops.words) == 0:
		return c.window(ctx, "")
	}
	if sub, ok := subcommands[ops.words[0]]; ok && !ops.dashed {
		return sub(c, ctx, ops.words[1:])
	}
	if len(ops.words) > 1 {
		return c.misused(tooMany(ops.words[1]), "parley --help")
	}
	if ops.words[0] == "" {
		return c.misused(misuse("cli.operand_empty"), "parley --help")
	}
	return c.window(ctx, ops.words[0])
}

// window opens the app, which offers the servers of file. That is read here
// first, so that a mistake is a usage error and opens nothing.
func (c *command) window(ctx context.Context, file string) int {
	if file != "" {
		_, err := config.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			err = misuse("cli.neither_command_nor_file", "Word", file)
		}
		if err != nil {
			return c.misused(err, "parley --help")
		}
	}
	dir, err := c.configDir()
	if err != nil {
		return c.misused(err, "parley --help")
	}
	if c.opts.Window == nil || !displayReachable(c.opts.Getenv) {
		c.say(i18n.M("cli.no_display"))
		return exitNotReached
	}
	prepareDesktop()
	if err := c.opts.Window(ctx, Window{Dir: dir, File: file}); err != nil {
		c.say(i18n.M("cli.window_failed", "Reason", c.sentence(err)))
		return exitFailed
	}
	return exitOK
}

// help prints the help of a command: what was asked for, so not an error.
func (c *command) help(id string) int {
	c.text(c.loc.T(id))
	return exitOK
}

// misused says what is wrong with the arguments and where help is.
func (c *command) misused(err error, help string) int {
	c.say(i18n.M("cli.usage", "What", c.sentence(err), "Help", help))
	return exitUsage
}
