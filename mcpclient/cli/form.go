package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"parley/assets/i18n"
	"parley/forms"
	"parley/mcpclient"
)

// maxSchema bounds a schema, in bytes: that of a message of a server.
const maxSchema = 64 << 20

// formJob is what one `parley form` is to do.
type formJob struct {
	check  bool
	answer *spec // nil: ask in a window
	file   string
}

// sentLine is an answer to a form.
type sentLine struct {
	Action  mcpclient.Action `json:"action"`
	Content json.RawMessage  `json:"content,omitempty"`
}

// errorsLine says why an answer is invalid.
type errorsLine struct {
	Errors []fieldPart `json:"errors"`
}

// form is `parley form`.
func (c *command) form(ctx context.Context, args []string) int {
	const help = "parley form --help"
	job, err := readForm(args)
	switch {
	case errors.Is(err, errHelp):
		return c.help("cli.help_form")
	case err != nil:
		return c.misused(err, help)
	}
	schema, err := c.readSchema(job.file)
	if err != nil {
		return c.misused(err, help)
	}
	switch {
	case job.check:
		c.line(forms.Parse(schema, forms.Options{}).DescribeCheck(c.loc))
		return exitOK
	case job.answer != nil:
		answer, errs := answerForm(c.loc, forms.Parse(schema, forms.Options{}), *job.answer)
		if errs != nil {
			c.line(errorsLine{errs})
			return exitInvalid
		}
		return c.sent(answer)
	}
	return c.formWindow(ctx, schema)
}

// formWindow asks in a window.
func (c *command) formWindow(ctx context.Context, schema json.RawMessage) int {
	if c.opts.FormWindow == nil || !displayReachable(c.opts.Getenv) {
		c.say(i18n.M("cli.no_display_form"))
		return exitNotReached
	}
	prepareDesktop()
	answer, err := c.opts.FormWindow(ctx, schema)
	if err != nil {
		c.say(i18n.M("cli.window_failed", "Reason", c.sentence(err)))
		return exitNotReached
	}
	return c.sent(answer)
}

// sent prints an answer; its action is the exit code.
func (c *command) sent(a mcpclient.Answer) int {
	c.line(sentLine{a.Action, a.Content})
	switch a.Action {
	case mcpclient.Accept:
		return exitOK
	case mcpclient.Decline:
		return exitDecline
	}
	return exitCancel
}

func readForm(args []string) (formJob, error) {
	var job formJob
	ops, err := parseFlags(args, []flag{
		boolFlag("check", &job.check),
		once("answer", func(v string) error {
			s, err := parseSpec(v, 1)
			job.answer = &s
			return err
		}),
	})
	if err == nil {
		err = ops.late()
	}
	switch {
	case err != nil:
		return job, err
	case job.check && job.answer != nil:
		return job, misuse("cli.check_and_answer")
	case len(ops.words) == 0:
		return job, misuse("cli.no_file")
	case len(ops.words) > 1:
		return job, tooMany(ops.words[1])
	case ops.words[0] == "":
		return job, misuse("cli.operand_empty")
	}
	job.file = ops.words[0]
	return job, nil
}

// readSchema reads FILE, or standard input for "-". What it returns is JSON.
func (c *command) readSchema(file string) (json.RawMessage, error) {
	in := c.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, misuse("cli.file_unreadable", "File", file, "Reason", err.Error())
		}
		defer f.Close()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxSchema+1))
	if err != nil {
		return nil, misuse("cli.file_unreadable", "File", file, "Reason", err.Error())
	}
	if len(raw) > maxSchema {
		return nil, misuse("cli.file_too_large", "File", file)
	}
	// A byte order mark, as some editors write, may be ignored (RFC 8259 section
	// 8.1).
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	var syntax *json.SyntaxError
	err = json.Unmarshal(raw, new(json.RawMessage))
	switch {
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "max depth"):
		return nil, misuse("cli.file_too_deep", "File", file)
	case errors.As(err, &syntax):
		return nil, misuse("cli.file_not_json", "File", file, "Offset", syntax.Offset)
	case err != nil:
		return nil, misuse("cli.file_not_json", "File", file, "Offset", 0)
	}
	return raw, nil
}
