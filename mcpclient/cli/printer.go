package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"parley/assets/i18n"
	"parley/consent/safetext"
	"parley/forms/rawjson"
	"parley/mcpclient"
	"parley/mcpclient/wire"
)

// printer writes JSON lines to standard output and sentences to standard
// error.
type printer struct {
	out, err io.Writer
	loc      *i18n.Localizer
	failed   error // the first failure to write to out
}

func newPrinter(out, err io.Writer, loc *i18n.Localizer) *printer {
	return &printer{out: out, err: err, loc: loc}
}

// maxSentence bounds a sentence for people, in characters: server text may be
// part of it.
const maxSentence = 4096

// line writes v as one line of JSON, in one write. Raw JSON inside keeps the
// spelling of its numbers and strings; <, > and & stay as they are. Bytes of a
// server that are not UTF-8, which can only stand inside strings, become U+FFFD.
func (p *printer) line(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	if err == nil {
		_, err = p.out.Write(bytes.ToValidUTF8(b.Bytes(), []byte("\ufffd")))
	}
	if err != nil && p.failed == nil {
		p.failed = err
	}
}

// text writes plain text that was asked for to standard output.
func (p *printer) text(s string) {
	if _, err := io.WriteString(p.out, s+"\n"); err != nil && p.failed == nil {
		p.failed = err
	}
}

// say writes a sentence to standard error. Nothing can be done about a standard
// error that is closed.
func (p *printer) say(m i18n.Message) {
	_, _ = io.WriteString(p.err, words(p.loc, m)+"\n")
}

// quote writes what a server said to standard error, each of its lines marked as
// the server's: no line of a server's may look like one of Parley's.
func (p *printer) quote(text string) {
	text = safetext.Block(strings.TrimRight(text, "\r\n"), maxSentence).String()
	for line := range strings.SplitSeq(text, "\n") {
		_, _ = io.WriteString(p.err, p.loc.T("cli.server_line", "Text", line)+"\n")
	}
}

// words are a sentence for people, on standard error or in a line of JSON: the
// one place that makes it safe to show. No sentence of Parley's has a line end,
// so one in it came from a server and is made visible like everything else that
// would change what the eye sees.
func words(loc *i18n.Localizer, m i18n.Message) string { return safe(loc.Text(m)) }

// safe is words for a sentence that is in the person's language already.
func safe(sentence string) string { return safetext.Line(sentence, maxSentence).String() }

// sentence is an error as text for people: its own sentence where it has one.
func (p *printer) sentence(err error) string {
	var u *usageError
	var f *mcpclient.Failure
	switch {
	case errors.As(err, &u):
		return p.loc.Text(u.text)
	case errors.As(err, &f):
		return p.loc.Text(f.Text)
	}
	if m := wire.Sentence(err); !m.IsZero() {
		return p.loc.Text(m)
	}
	return err.Error()
}

// value is raw, nil if it says nothing: absent or null.
func value(raw json.RawMessage) json.RawMessage {
	if rawjson.Kind(raw) == 'n' {
		return nil
	}
	return raw
}

// localizer serves the language of the locale (POSIX: LC_ALL before
// LC_MESSAGES before LANG; GNU: LANGUAGE is a list that goes before them
// unless the locale is C). Without any of them it is the first of the system's
// languages that there is.
func localizer(getenv func(string) string, system []string) *i18n.Localizer {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale = getenv(name); locale != "" {
			break
		}
	}
	switch plain, _, _ := strings.Cut(locale, "."); plain {
	case "":
		return i18n.New(system...)
	case "C", "POSIX":
		return i18n.New()
	}
	return i18n.New(append(strings.Split(getenv("LANGUAGE"), ":"), locale)...)
}
