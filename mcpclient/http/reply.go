package http

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"html"
	"io"
	"mime"
	nethttp "net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"parley/mcpclient/wire"
)

// Bounds, in bytes, of the body of a refusal.
const (
	maxRefusal = 1 << 20
	maxText    = 1 << 10
)

// mediaType returns the content type of resp without parameters, in lower case.
func mediaType(resp *nethttp.Response) string {
	value := resp.Header.Get("Content-Type")
	if value == jsonType || value == acceptStream {
		return value
	}
	kind, _, err := mime.ParseMediaType(value)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return ""
	}
	return kind
}

// plainBody returns the body of resp freed of a gzip compression, which some
// gateways apply though nobody asked. The error is a *ReplyError.
func plainBody(resp *nethttp.Response) (io.Reader, error) {
	switch strings.ToLower(resp.Header.Get("Content-Encoding")) {
	case "", "identity":
		return resp.Body, nil
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(resp.Body)
		if err != nil {
			return nil, &ReplyError{Kind: ReplyCut, Err: err}
		}
		return r, nil
	default:
		return nil, &ReplyError{Kind: ReplyEncoding}
	}
}

// readBody reads the whole body of resp. The error is a *wire.TooLargeError, a
// *ReplyError, or the context's.
func readBody(ctx context.Context, resp *nethttp.Response, limit int64) ([]byte, error) {
	if resp.ContentLength > limit {
		return nil, &wire.TooLargeError{Limit: limit}
	}
	r, err := plainBody(resp)
	if err != nil {
		return nil, err
	}
	var raw wire.Pieces
	raw.Expect(resp.ContentLength)
	err = raw.Fill(r, limit)
	switch {
	case int64(raw.Len()) > limit:
		return nil, &wire.TooLargeError{Limit: limit}
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &ReplyError{Kind: ReplyCut, Err: err}
	}
	return raw.Take(), nil
}

// replyBody reads the answer to the request x from a body that is no stream.
func (t *Transport) replyBody(x *exchange, resp *nethttp.Response) error {
	raw, err := readBody(x.ctx, resp, t.options.MaxMessage)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return &ReplyError{Kind: ReplyMissing}
	}
	replied, fault := t.messages(raw, x.id)
	switch {
	case replied:
		return nil
	case fault == nil:
		return &ReplyError{Kind: ReplyMissing}
	case isJSON(mediaType(resp)):
		return &ReplyError{Kind: ReplyInvalid, Err: fault}
	default:
		return t.describe(resp, raw)
	}
}

// messages hands on the messages in raw, which belong to the request over, and
// reports whether the reply was among them. fault is the last thing found that
// is no message.
func (t *Transport) messages(raw []byte, over wire.ID) (replied bool, fault error) {
	tapped := false
	for m, err := range wire.DecodeAll(raw) {
		if err != nil {
			fault = err
			continue
		}
		if !tapped {
			t.options.Tap.Show(false, raw)
			tapped = true
		}
		if t.deliver(m, over) {
			replied = true
		}
	}
	return replied, fault
}

func isJSON(kind string) bool {
	return kind == "" || kind == "application/json" || kind == "text/json" ||
		kind == "application/json-rpc" || strings.HasSuffix(kind, "+json")
}

// refusal reads an answer whose status is not one of success, to what was
// posted: the request id, or another message if that is zero. session is the
// session id that was sent with it.
func (t *Transport) refusal(resp *nethttp.Response, id wire.ID, session string) error {
	raw := t.refusalBody(resp)
	e := t.describe(resp, raw)
	switch {
	case session == "":
		return e
	case e.Status == nethttp.StatusNotFound:
		// A lost session (MCP 2025-11-25, "Session Management"), unless the
		// server says that it knows this request but not its method.
		if e.RPC != nil && e.RPC.Code == wire.CodeMethodNotFound && !id.IsZero() && answers(raw, id) {
			return e
		}
	case e.Status == nethttp.StatusBadRequest && speaksOfSession(e):
	default:
		return e
	}
	return t.loseSession(session)
}

// getRefusal is refusal for a GET. Servers without such a stream may answer 404
// to every GET, as web frameworks do where no route is; so unless a stream was
// granted before, only one that speaks of the session tells of its loss.
func (t *Transport) getRefusal(resp *nethttp.Response, session string, granted bool) error {
	e := t.describe(resp, t.refusalBody(resp))
	absent := e.Status == nethttp.StatusNotFound
	if session != "" && (absent && granted || (absent || e.Status == nethttp.StatusBadRequest) && speaksOfSession(e)) {
		return t.loseSession(session)
	}
	return e
}

// speaksOfSession reports whether a server that was sent a session id says in
// its refusal that it does not know it. The specification asks for 404, but
// these come with 400 in the field:
//
//   - JSON-RPC -32000 "Bad Request: No valid session ID provided": the example
//     servers of the TypeScript SDK and all that were made after them,
//     server-everything too;
//   - JSON-RPC -32000 "Bad Request: Server not initialized": that SDK's
//     transport, when it was made anew;
//   - plain text "Bad Request: No valid session ID provided": the Python SDK
//     up to 2025; "Invalid or missing session ID": GET in those examples.
//
// A server that calls the header itself required or missing did not get it: a
// new session would be of no use.
func speaksOfSession(e *StatusError) bool {
	text := strings.ToLower(e.Text)
	switch {
	case e.HTML:
		return false
	case e.RPC != nil && e.Status == nethttp.StatusBadRequest && e.RPC.Code != codeServer && e.RPC.Code != codeSession:
		return false
	case e.RPC != nil:
		text = strings.ToLower(e.RPC.Message)
	case len(text) > maxSessionText:
		return false
	}
	return strings.Contains(text, "not initialized") ||
		strings.Contains(text, "session") && !strings.Contains(text, "required")
}

// Error codes that the SDKs use for transport errors, outside the specification.
const (
	codeServer  = -32000
	codeSession = -32001
)

// maxSessionText is how long, in bytes, a plain text may be that is taken to
// speak of a session. Longer ones, such as stack traces, speak of anything.
const maxSessionText = 100

// refusalBody reads the body of an error answer as far as it comes.
func (t *Transport) refusalBody(resp *nethttp.Response) []byte {
	r, err := plainBody(resp)
	if err != nil {
		return nil
	}
	if mediaType(resp) == acceptStream {
		events := newEvents(r, maxRefusal, &cursor{})
		e, err := events.next()
		if err != nil {
			return nil
		}
		return t.maskedBody(e.data)
	}
	raw, err := io.ReadAll(io.LimitReader(r, maxRefusal))
	if err != nil && len(raw) == 0 {
		return nil
	}
	return t.maskedBody(raw)
}

// describe makes a StatusError of an answer with the body raw.
func (t *Transport) describe(resp *nethttp.Response, raw []byte) *StatusError {
	e := &StatusError{
		Status:      resp.StatusCode,
		Host:        t.url.Host,
		ContentType: wire.Clip(t.masked(mediaType(resp)), 100),
		RetryAfter:  retryAfter(resp.Header.Get("Retry-After"), time.Now()),
	}
	e.HTML = isHTML(e.ContentType, raw)
	for m, err := range wire.DecodeAll(raw) {
		if err == nil && m.Error != nil {
			t.maskError(m.Error)
			e.RPC = m.Error
			return e
		}
	}
	if e.HTML {
		e.Text = t.title(raw)
	} else {
		e.Text = wire.Clip(t.masked(string(raw[:min(len(raw), 4*maxText)])), maxText)
	}
	return e
}

// titles finds the title of a web page.
var titles = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)

// title is the title of a web page, "" if its start has none.
func (t *Transport) title(raw []byte) string {
	found := titles.FindSubmatch(raw[:min(len(raw), 4*maxText)])
	if found == nil {
		return ""
	}
	words := strings.Join(strings.Fields(html.UnescapeString(string(found[1]))), " ")
	return wire.Clip(t.masked(words), maxText)
}

// answers reports whether raw holds a response to the request id.
func answers(raw []byte, id wire.ID) bool {
	for m, err := range wire.DecodeAll(raw) {
		if err == nil && m.Kind() == wire.Response && m.ID == id {
			return true
		}
	}
	return false
}

func isHTML(kind string, raw []byte) bool {
	if kind == "text/html" || kind == "application/xhtml+xml" {
		return true
	}
	head := bytes.ToLower(bytes.TrimSpace(raw[:min(len(raw), 256)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// retryAfter reads a Retry-After header, in seconds or as a date.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := nethttp.ParseTime(value); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}
