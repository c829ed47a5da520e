package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/mcpclient/config"
)

// callJob is what one `parley call` is to do, read from its arguments.
type callJob struct {
	server  mcpclient.Server
	list    bool
	request mcpclient.CallRequest
	specs   []spec // at least one
	open    []site // --open
	noOpen  bool
	// store is the list that the server is of, nil for one that the command line
	// names itself.
	store *config.Store
}

// commandLineID is the ID of the server that a command line names.
const commandLineID = "command-line"

// call is `parley call`.
func (c *command) call(ctx context.Context, args []string) int {
	const help = "parley call --help"
	job, err := c.readCall(args)
	switch {
	case errors.Is(err, errHelp):
		return c.help("cli.help_call")
	case err != nil:
		return c.misused(err, help)
	}
	return c.runCall(ctx, job)
}

// callFlags are the flags of call as they were given.
type callFlags struct {
	tool, prompt, resource *string
	list, noOpen           bool
	args                   json.RawMessage
	protocol, server       string
	headers                map[string]string
	timeout                time.Duration // 0: not given
	specs                  []spec
	open                   []site
}

// readCall reads the arguments; its error is errHelp or a usage error.
func (c *command) readCall(args []string) (callJob, error) {
	var f callFlags
	ops, err := parseFlags(args, f.flags(&c.dir))
	if err == nil {
		err = ops.late()
	}
	if err != nil {
		return callJob{}, err
	}
	job := callJob{specs: f.specs, open: f.open, noOpen: f.noOpen}
	if len(job.specs) == 0 {
		job.specs = []spec{{action: mcpclient.Cancel}}
	}
	if f.noOpen && len(f.open) > 0 {
		return job, misuse("cli.open_and_no_open")
	}
	if err := f.target(&job); err != nil {
		return job, err
	}
	if f.server != "" {
		return job, c.fromList(&f, ops, &job)
	}
	job.server, err = f.reach(ops)
	job.request.Quiet = job.server.Silence
	return job, err
}

func (f *callFlags) flags(dir *string) []flag {
	name := func(flagName string, into **string) flag {
		return once(flagName, func(v string) error { *into = &v; return nil })
	}
	return []flag{
		textFlag("config", dir),
		name("tool", &f.tool),
		name("prompt", &f.prompt),
		name("resource", &f.resource),
		boolFlag("list", &f.list),
		boolFlag("no-open", &f.noOpen),
		textFlag("protocol", &f.protocol),
		textFlag("server", &f.server),
		once("args", func(v string) error {
			if _, err := rawjson.Object(json.RawMessage(v)); err != nil {
				return misuse("cli.args_not_object")
			}
			f.args = json.RawMessage(v)
			return nil
		}),
		once("timeout", func(v string) error {
			d, err := time.ParseDuration(v)
			if err != nil || d <= 0 {
				return misuse("cli.timeout", "Value", v)
			}
			f.timeout = d
			return nil
		}),
		{name: "header", set: f.addHeader},
		{name: "answer", set: func(v string) error {
			s, err := parseSpec(v, len(f.specs)+1)
			f.specs = append(f.specs, s)
			return err
		}},
		{name: "open", set: func(v string) error {
			s, err := parseSite(v)
			f.open = append(f.open, s)
			return err
		}},
	}
}

// addHeader keeps one --header. Values of one name are joined as RFC 9110
// section 5.3 allows.
func (f *callFlags) addHeader(v string) error {
	name, val, err := parseHeader(v)
	if err != nil {
		return err
	}
	if f.headers == nil {
		f.headers = map[string]string{}
	}
	for had, old := range f.headers {
		if strings.EqualFold(had, name) {
			f.headers[had] = old + ", " + val
			return nil
		}
	}
	f.headers[name] = val
	return nil
}

// target finds what is asked for: exactly one of the four.
func (f *callFlags) target(job *callJob) error {
	n := 0
	for _, t := range []struct {
		kind mcpclient.CallKind
		name *string
	}{{mcpclient.CallTool, f.tool}, {mcpclient.CallPrompt, f.prompt}, {mcpclient.CallResource, f.resource}} {
		if t.name != nil {
			n++
			job.request = mcpclient.CallRequest{Kind: t.kind, Name: *t.name}
		}
	}
	if f.list {
		n++
		job.list = true
	}
	if n != 1 {
		return misuse("cli.one_target")
	}
	if f.list || f.resource != nil {
		// Neither has arguments; those that say something would be lost.
		if members, _ := rawjson.Object(f.args); len(members) > 0 {
			return misuse("cli.args_unused")
		}
		f.args = nil
	} else if f.args == nil {
		f.args = json.RawMessage("{}")
	}
	job.request.Arguments = f.args
	job.request.By = mcpclient.ByCommandLine
	job.request.Polling = true
	return nil
}

// reach finds the server: a URL, or a command after "--".
func (f *callFlags) reach(ops operands) (mcpclient.Server, error) {
	s := mcpclient.Server{ID: commandLineID, Protocol: f.protocol, Silence: first(f.timeout, mcpclient.DefaultSilence)}
	switch {
	case len(ops.words) == 0:
		return s, misuse("cli.no_server")
	case ops.dashed:
		if ops.words[0] == "" {
			return s, misuse("cli.no_server")
		}
		if len(f.headers) > 0 {
			return s, misuse("cli.header_for_command")
		}
		s.Kind, s.Command, s.Args = mcpclient.Stdio, ops.words[0], ops.words[1:]
		// It runs where it was typed, as every command does. Where the system does
		// not tell of that folder, it is gone.
		s.Dir, _ = os.Getwd()
	case len(ops.words) > 1:
		return s, tooMany(ops.words[1])
	default:
		s.Kind, s.URL, s.Headers = mcpclient.HTTP, ops.words[0], f.headers
	}
	_, err := s.Identify()
	return s, err
}
