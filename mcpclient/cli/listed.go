package cli

import (
	"maps"
	"strings"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient"
	"parley/mcpclient/config"
	"parley/mcpclient/keychain"
	"parley/mcpclient/stdio"
)

// fromList finds the server that --server names in the list of the config
// folder. Its error is a usage error: nothing was started.
func (c *command) fromList(f *callFlags, ops operands, job *callJob) error {
	if ops.dashed || len(ops.words) > 0 {
		return misuse("cli.server_and_more")
	}
	dir, err := c.configDir()
	if err != nil {
		return err
	}
	if job.store, err = config.Open(dir); err != nil {
		return misuse("cli.list_unreadable", "Reason", err.Error())
	}
	for _, p := range job.store.Problems() {
		c.say(p)
	}
	for _, v := range job.store.Servers() {
		if v.Name == f.server {
			job.server, err = f.changed(v)
			job.request.Quiet = first(f.timeout, v.Silence, mcpclient.DefaultSilence)
			return err
		}
	}
	return misuse("cli.server_unknown", "Name", f.server, "File", job.store.Path())
}

// changed is a server of the list as the flags change it for this call.
func (f *callFlags) changed(v mcpclient.Server) (mcpclient.Server, error) {
	if f.protocol != "" {
		v.Protocol = f.protocol
	}
	if f.timeout > 0 {
		v.Silence = f.timeout
	}
	if len(f.headers) == 0 {
		return v, nil
	}
	if v.Kind == mcpclient.Stdio {
		return v, misuse("cli.header_for_command")
	}
	named := func(name string) bool {
		for given := range f.headers {
			if strings.EqualFold(given, name) {
				return true
			}
		}
		return false
	}
	headers := maps.Clone(f.headers)
	for name, value := range v.Headers {
		if !named(name) {
			headers[name] = value
		}
	}
	v.Headers = headers
	var secret []string
	for _, name := range v.SecretHeaders {
		if !named(name) {
			secret = append(secret, name)
		}
	}
	v.SecretHeaders = secret
	return v, nil
}

// clientFor are the options of the client that does the job.
func (c *command) clientFor(job callJob) mcpclient.Options {
	o := c.opts.Client
	if job.store == nil {
		return o
	}
	o.Memory, o.Agree = job.store, job.store.Agree
	if c.opts.Listed != nil {
		o = c.opts.Listed(job.store, o)
	}
	return o
}

// mayStart reports whether the job's server may be started, and prints the end
// if it may not: a command of the list is code, and only the app asks for leave
// to run it.
func (c *command) mayStart(job callJob) bool {
	if job.store == nil || job.store.Allowed(job.server) {
		return true
	}
	why := i18n.M("cli.server_not_allowed", "Name", job.server.Name)
	c.say(why)
	c.line(errorLine{Event: "error", Message: words(c.loc, why)})
	return false
}

// advised is f with advice that can be followed here: the encrypted file is
// unlocked in the app and for the app alone, so that its own sentence leads
// nowhere, and only the app asks whether another file may be started.
func (j callJob) advised(f *mcpclient.Failure) *mcpclient.Failure {
	if stdio.IsOtherFile(f.Text) {
		here := *f
		here.Text = i18n.M("cli.other_file", "Why", f.Text)
		return &here
	}
	if !keychain.IsLockedFile(f.Text) {
		return f
	}
	here := *f
	here.Text = i18n.M("cli.file_locked")
	if j.server.Kind == mcpclient.Stdio {
		here.Text = i18n.M("cli.file_locked_command")
	}
	return &here
}

// configDir is the folder that --config names, or the person's own.
func (c *command) configDir() (string, error) {
	if c.dir != "" {
		return c.dir, nil
	}
	dir, err := config.DefaultDir()
	if err != nil {
		return "", misuse("cli.no_config_folder", "Reason", err.Error())
	}
	return dir, nil
}

// first is the first of the times that is set.
func first(times ...time.Duration) time.Duration {
	for _, d := range times {
		if d > 0 {
			return d
		}
	}
	return 0
}
