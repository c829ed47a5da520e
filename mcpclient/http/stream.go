package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"sync"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
)

// Pauses before an event stream is opened again.
const (
	firstPause = time.Second
	maxPause   = time.Minute
	// minPause holds against a server that asks for no pause and closes again
	// and again.
	minPause = 250 * time.Millisecond
	// steadyStream is how long a stream must have lived for its end to be
	// ordinary (gateways cut streams every minute or so).
	steadyStream = 10 * time.Second
	// maxFruitless is how often in a row a reply stream is asked for again
	// without anything new coming, or one that stays open for steadyStream.
	maxFruitless = 8
	// maxQuick is from how many streams in a row that ended before steadyStream
	// the next one is asked for no sooner than after firstPause.
	maxQuick = 3
	// maxFailures is how often a GET stream that was never granted is asked for
	// while the server has errors.
	maxFailures = 5
	// streamLimit is how long what is sent after OpenStream waits for the
	// server to answer it.
	streamLimit = 2 * time.Second
	// refusalLimit is how long the body of an error answer may take to come on a
	// side stream, where no request's clock runs.
	refusalLimit = 5 * time.Second
	// lingering is how long an answer may take to end when nothing more of it
	// is wanted, so that the TCP connection can serve again.
	lingering = 200 * time.Millisecond
)

// pause returns how long to wait before the next try, when fruitless tries in
// a row brought nothing.
func pause(c *cursor, fruitless int) time.Duration {
	wait := firstPause
	if c.hasRetry {
		wait = max(c.retry, minPause)
	}
	if fruitless > 0 {
		wait = max(wait, min(firstPause<<min(fruitless-1, 10), maxPause))
	}
	return wait
}

// replyStream reads the answer to the request x from an event stream, and from
// its continuations if it breaks off.
func (t *Transport) replyStream(x *exchange, resp *nethttp.Response) error {
	c := &cursor{}
	fruitless := 0
	for {
		c.moved = false
		begun := time.Now()
		replied, err := t.readStream(x.ctx, resp, x.id, c)
		if replied {
			t.linger(x, resp)
			return nil
		}
		resp.Body.Close()
		_, tooLarge := errors.AsType[*wire.TooLargeError](err)
		_, invalid := errors.AsType[*ReplyError](err)
		switch {
		case x.ctx.Err() != nil:
			return x.ctx.Err()
		case tooLarge || invalid:
			return err
		case x.modern || c.lastID == "":
			return cut(err)
		}
		// A stream that lived on in silence was not in vain: it may be a person
		// that both ends wait for, and a gateway that cuts it every minute.
		if c.moved || time.Since(begun) >= steadyStream {
			fruitless = 0
		}
		if resp, fruitless, err = t.resume(x, c, fruitless); err != nil {
			return err
		}
	}
}

// cut says that a stream ended before the reply came; err is io.EOF when it
// ended in order.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return &ReplyError{Kind: ReplyMissing}
	}
	return &ReplyError{Kind: ReplyCut, Err: err}
}

// resume asks for the rest of the reply stream of x until it is granted.
func (t *Transport) resume(x *exchange, c *cursor, fruitless int) (*nethttp.Response, int, error) {
	for ; fruitless < maxFruitless; fruitless++ {
		if !sleep(x.ctx, pause(c, fruitless)) {
			return nil, 0, x.ctx.Err()
		}
		resp, session, err := t.get(x.ctx, c)
		if err != nil {
			if _, ok := errors.AsType[*NetworkError](err); !ok {
				return nil, 0, err
			}
			continue
		}
		if resp.StatusCode == nethttp.StatusOK && mediaType(resp) == acceptStream {
			resp.Body = t.heard(resp.Body, x.id)
			return resp, fruitless + 1, nil
		}
		refusal := t.getRefusal(resp, session, false)
		resp.Body.Close()
		if !worthAnotherTry(resp.StatusCode) {
			if _, lost := errors.AsType[*SessionLostError](refusal); lost {
				return nil, 0, refusal
			}
			return nil, 0, &ReplyError{Kind: ReplyCut, Err: refusal}
		}
	}
	return nil, 0, &ReplyError{Kind: ReplyCut}
}

// worthAnotherTry reports whether a status tells of a passing trouble.
func worthAnotherTry(status int) bool {
	return status == nethttp.StatusRequestTimeout || status == nethttp.StatusTooEarly ||
		status == nethttp.StatusTooManyRequests || status >= 500 && status != nethttp.StatusNotImplemented
}

// get asks for an event stream from c on. session is the session id sent along.
func (t *Transport) get(ctx context.Context, c *cursor) (resp *nethttp.Response, session string, err error) {
	header := nethttp.Header{"Accept": {acceptStream}}
	if c.lastID != "" {
		header.Set(headerLastEventID, c.lastID)
	}
	session = t.sessionHeader(header)
	resp, err = t.do(ctx, call{method: nethttp.MethodGet, target: t.url, header: header})
	return resp, session, err
}

// readStream reads the events of resp until the reply to over has come
// (replied), or the stream ends. over is zero for the GET stream, where a
// message that is too large is stepped over.
func (t *Transport) readStream(ctx context.Context, resp *nethttp.Response, over wire.ID, c *cursor) (replied bool, err error) {
	body, err := plainBody(resp)
	if err != nil {
		return false, err
	}
	events := newEvents(body, t.options.MaxMessage, c)
	if over.IsZero() {
		events.skipped = t.tellTooLarge
	}
	for {
		e, err := events.next()
		_, tooLarge := errors.AsType[*wire.TooLargeError](err)
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case tooLarge && over.IsZero():
			continue // events.skipped tells when it has been read past
		case err != nil:
			return false, err
		case e.name != "" && e.name != "message":
			continue
		}
		if replied, err := t.eventMessages(e.data, over); replied || err != nil {
			return replied, err
		}
	}
}

// tellTooLarge tells once of an event that was too large, on a stream of no
// request: to the request id that it would have answered, else (zero) to whoever
// reads the notices.
func (t *Transport) tellTooLarge(id wire.ID) {
	large := &wire.TooLargeError{Limit: t.options.MaxMessage}
	if id.IsZero() {
		t.notice(wire.NoticeStray, large.Detail())
		return
	}
	t.handler.Failed(id, large)
}

// eventMessages hands on the messages in the data of an event on the stream
// that answers over, or on one of no request. Anything else in it is told, and
// is an error when it was to be the reply.
func (t *Transport) eventMessages(data []byte, over wire.ID) (replied bool, err error) {
	replied, fault := t.messages(data, over)
	if fault == nil || replied {
		return replied, nil
	}
	id := meantFor(data, fault)
	bad := &ReplyError{Kind: ReplyInvalid, Err: fault}
	switch {
	case id.IsZero():
	case id == over:
		return false, bad
	case over.IsZero():
		t.handler.Failed(id, bad)
	}
	t.notice(wire.NoticeStray, string(data[:min(len(data), maxNotice+1)]))
	return false, nil
}

// meantFor returns the request that data was to answer, which are no message
// because of fault; the zero ID if that cannot be seen.
func meantFor(data []byte, fault error) wire.ID {
	bad, ok := errors.AsType[*wire.DecodeError](fault)
	if !ok || !bad.Reason.Unread() {
		return idOf(bad)
	}
	var torso wire.Peek
	torso.Write(data)
	id, _ := torso.ReplyTo()
	return id
}

func idOf(e *wire.DecodeError) wire.ID {
	if e == nil {
		return wire.ID{}
	}
	return e.ID
}

// linger gives the server a moment to end what it sends when nothing more of
// it is wanted.
func (t *Transport) linger(x *exchange, resp *nethttp.Response) {
	defer resp.Body.Close()
	timer := time.AfterFunc(lingering, func() { x.cancel(nil) })
	defer timer.Stop()
	io.CopyN(io.Discard, resp.Body, 64<<10)
}

// OpenStream asks the server for the stream of what it sends outside requests
// (legacy, "Listening for Messages from the Server") and keeps it open until
// Close, or until the server says that it offers none. It is called after
// notifications/initialized was sent, once for every session, and returns at
// once. What is sent later waits, for streamLimit at most, until the server has
// answered: some SDKs drop what a request makes them push while nobody listens
// yet. Losing the stream never ends anything else. It does nothing on a
// Transport of NewSSE, which lives on its stream.
func (t *Transport) OpenStream() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.started || t.closing || t.sse != nil {
		return
	}
	if t.endStream != nil {
		t.endStream()
	}
	ctx, cancel := context.WithCancel(t.requests)
	t.endStream = cancel
	after := t.gate
	gate := make(chan struct{})
	answered := sync.OnceFunc(func() { close(gate) })
	t.gate = gate
	t.work.Go(func() {
		defer cancel()
		defer answered()
		if after != nil {
			select {
			case <-after:
			case <-ctx.Done():
			}
		}
		defer time.AfterFunc(streamLimit, answered).Stop()
		t.listen(ctx, answered)
	})
}

// listening is where a GET stream stands over all its connections.
type listening struct {
	cursor    cursor
	granted   bool // the server has opened it at least once
	fruitless int  // tries in a row that brought nothing
	quick     int  // streams in a row that ended before steadyStream
	told      bool // that it was lost, and not yet that it is back
}

// listen keeps the GET stream open. It calls answered when the server has
// answered, whatever it said.
func (t *Transport) listen(ctx context.Context, answered func()) {
	l := &listening{}
	for {
		again, err := t.listenOnce(ctx, l, answered)
		switch {
		case ctx.Err() != nil:
			return
		case !again:
			if err != nil {
				t.notice(wire.NoticeStream, plainly(err))
			}
			return
		case l.fruitless == 1:
			l.told = true
			t.notice(wire.NoticeStream, "It is asked for again. "+plainly(err))
		}
		if !sleep(ctx, l.pause()) {
			return
		}
		l.fruitless++
	}
}

// listenOnce asks for the GET stream and reads it to its end. It reports
// whether it is worth asking again, and why not if that is worth a word.
func (t *Transport) listenOnce(ctx context.Context, l *listening, answered func()) (again bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, session, err := t.get(ctx, &l.cursor)
	answered()
	if err != nil {
		if _, ok := errors.AsType[*NetworkError](err); ok {
			return true, err
		}
		return false, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == nethttp.StatusOK && mediaType(resp) == acceptStream {
		return true, t.listenTo(ctx, l, resp)
	}
	if worthAnotherTry(resp.StatusCode) && (l.granted || l.fruitless < maxFailures) {
		return true, t.describe(resp, nil)
	}
	if !l.granted && !l.told { // never offered, which is ordinary
		return false, nil
	}
	defer time.AfterFunc(refusalLimit, cancel).Stop()
	err = t.getRefusal(resp, session, l.granted)
	if _, lost := errors.AsType[*SessionLostError](err); lost {
		return false, nil // the handler knows
	}
	return false, err
}

// listenTo reads a GET stream that was granted until it ends, and says why.
func (t *Transport) listenTo(ctx context.Context, l *listening, resp *nethttp.Response) error {
	l.granted = true
	l.cursor.moved = false
	begun := time.Now()
	if l.told {
		back := time.AfterFunc(steadyStream, func() { t.notice(wire.NoticeStream, "It is open again.") })
		defer func() { l.told = back.Stop() }()
	}
	_, err := t.readStream(ctx, resp, wire.ID{}, &l.cursor)
	steady := time.Since(begun) >= steadyStream
	if l.cursor.moved || steady {
		l.fruitless = 0
	}
	l.quick++
	if steady {
		l.quick = 0
	}
	return err
}

// pause returns how long to wait before the stream is asked for again. A server
// that gives something and closes at once, again and again, is not asked at the
// pace it wishes for ever.
func (l *listening) pause() time.Duration {
	wait := pause(&l.cursor, l.fruitless)
	if l.quick >= maxQuick {
		wait = max(wait, firstPause)
	}
	return wait
}

// plainly says what ended a side stream, in whole sentences.
func plainly(err error) string {
	status, isStatus := errors.AsType[*StatusError](err)
	switch say := wire.Sentence(err); {
	case isStatus: // what it means for requests is not true of a side stream
		return fmt.Sprintf("The server answered with HTTP status %d.", status.Status)
	case errors.Is(err, io.EOF):
		return "The server ended it."
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "It broke off."
	case !say.IsZero():
		return english.Text(say)
	}
	return "It broke off: " + err.Error() + "."
}

// english is the language of the details of notices, as of the logs they are for.
var english = i18n.New("en")

// sleep waits for d and reports false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
