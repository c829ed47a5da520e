package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"parley/consent"
	"parley/forms/rawjson"
)

// urlJob is what one `parley url` is to do.
type urlJob struct {
	asker consent.Asker // for URLs that name none themselves
	json  bool          // the lines of standard input are objects
	stdin bool
	urls  []string
}

// url is `parley url`. It reads no config and touches no network.
func (c *command) url(ctx context.Context, args []string) int {
	const help = "parley url --help"
	job, err := readURL(args)
	switch {
	case errors.Is(err, errHelp):
		return c.help("cli.help_url")
	case err != nil:
		return c.misused(err, help)
	}
	for _, u := range job.urls {
		c.assess(u, job.asker)
	}
	if !job.stdin {
		return exitOK
	}
	in := bufio.NewReader(c.stdin)
	for n := 1; ctx.Err() == nil; n++ {
		line, readErr := in.ReadString('\n')
		if line == "" && readErr != nil {
			if readErr != io.EOF {
				return c.misused(misuse("cli.stdin_failed", "Reason", readErr.Error()), help)
			}
			return exitOK
		}
		u, asker := strings.TrimSuffix(line, "\n"), job.asker
		if job.json {
			if u, asker, err = readURLLine(u, n, asker); err != nil {
				return c.misused(err, help)
			}
		}
		c.assess(u, asker)
	}
	return exitInterrupted
}

// assess prints what there is to say about one URL.
func (c *command) assess(u string, asker consent.Asker) {
	c.line(consent.Assess(u, asker).Line(u, c.loc))
}

func readURL(args []string) (urlJob, error) {
	var server string
	var local bool
	var job urlJob
	ops, err := parseFlags(args, []flag{
		textFlag("server", &server),
		boolFlag("local", &local),
		boolFlag("json", &job.json),
	})
	if err == nil {
		err = ops.late()
	}
	switch {
	case err != nil:
		return job, err
	case server != "" && local:
		return job, misuse("cli.server_and_local")
	case len(ops.words) == 0:
		return job, misuse("cli.no_url")
	}
	if server != "" {
		if job.asker, err = consent.AskerFor(server); err != nil {
			return job, misuse("cli.server_not_address", "Value", server)
		}
	}
	if len(ops.words) == 1 && ops.words[0] == "-" {
		job.stdin = true
	} else {
		job.urls = ops.words
	}
	return job, nil
}

// readURLLine reads a line of --json: {"url":…, "server":…}, the server being
// optional. n is the number of the line.
func readURLLine(line string, n int, asker consent.Asker) (string, consent.Asker, error) {
	members, err := rawjson.Object(json.RawMessage(line))
	if err != nil {
		return "", asker, misuse("cli.line_not_object", "N", n)
	}
	u, ok := rawjson.String(rawjson.Get(members, "url"))
	if !ok {
		return "", asker, misuse("cli.line_no_url", "N", n)
	}
	raw := value(rawjson.Get(members, "server"))
	if raw == nil {
		return u, asker, nil
	}
	server, ok := rawjson.String(raw)
	if !ok {
		return "", asker, misuse("cli.line_server", "N", n)
	}
	if server == "" {
		return u, asker, nil
	}
	if asker, err = consent.AskerFor(server); err != nil {
		return "", asker, misuse("cli.line_server", "N", n)
	}
	return u, asker, nil
}
