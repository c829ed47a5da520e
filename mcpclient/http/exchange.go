package http

import (
	"context"
	"io"
	nethttp "net/http"
	"time"

	"parley/mcpclient/wire"
)

// exchange is one message on its way, with the answer to it.
type exchange struct {
	id          wire.ID // of a request; zero for notifications and responses
	method      string  // of JSON-RPC; "" for a response
	body        []byte
	header      nethttp.Header
	call        string // the person's call that a request belongs to; "" for none
	modern      bool
	undelivered func(error)

	ctx    context.Context
	cancel context.CancelCauseFunc
	after  <-chan struct{} // goes out when this is closed; nil is at once
	opened func()          // closes the gate for what is sent later; nil if there is none
}

func (x *exchange) isRequest() bool { return !x.id.IsZero() }

// open lets what was sent later go out.
func (x *exchange) open() {
	if x.opened != nil {
		x.opened()
	}
}

// serve sends x and deals with the answer.
func (t *Transport) serve(x *exchange) {
	defer t.dismiss(x)
	if x.after != nil {
		select {
		case <-x.after:
		case <-x.ctx.Done():
		}
	}
	if x.opened != nil {
		timer := time.AfterFunc(gateLimit, x.opened)
		defer timer.Stop()
	}
	err := t.post(x)
	switch {
	case err == nil:
	case x.isRequest():
		if x.ctx.Err() == nil {
			t.handler.Failed(x.id, err)
		}
	case x.undelivered != nil:
		x.undelivered(err)
	}
}

// post sends x and reads the answer. A nil error means that a request was
// replied to, or that a notification or response was taken.
func (t *Transport) post(x *exchange) error {
	x.header["Content-Type"] = one(jsonType)
	x.header["Accept"] = one(acceptReply)
	session := ""
	if !x.modern && x.method != "initialize" {
		session = t.sessionHeader(x.header)
	}
	target, err := t.target(x.ctx)
	if err != nil {
		return err
	}
	c := call{method: nethttp.MethodPost, target: target, body: x.body, header: x.header, id: x.id, of: x.call}
	if !x.isRequest() { // the time of a request is the connection's business
		c.late = func() { x.cancel(&NetworkError{Kind: NetworkTimeout, Host: t.url.Host, Err: context.DeadlineExceeded}) }
	}
	resp, err := t.do(x.ctx, c)
	if err != nil {
		return err
	}
	defer func() { resp.Body.Close() }()
	x.open()
	if c.late != nil {
		timer := time.AfterFunc(noteLimit, c.late)
		defer timer.Stop()
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return t.refusal(resp, x.id, session)
	}
	if !x.isRequest() || t.sse != nil { // no reply, or not here
		t.linger(x, resp)
		return nil
	}
	if x.method == "initialize" && !x.modern {
		t.keepSession(resp.Header.Get(headerSession))
	}
	resp.Body = t.heard(resp.Body, x.id)
	if mediaType(resp) == acceptStream {
		return t.replyStream(x, resp)
	}
	return t.replyBody(x, resp)
}

// heard makes every byte of a reply a sign of the server's life.
func (t *Transport) heard(body io.ReadCloser, id wire.ID) io.ReadCloser {
	if p, ok := t.handler.(wire.Pulse); ok {
		return &heardBody{body, p, id}
	}
	return body
}

type heardBody struct {
	io.ReadCloser
	pulse wire.Pulse
	over  wire.ID
}

func (h *heardBody) Read(b []byte) (int, error) {
	n, err := h.ReadCloser.Read(b)
	if n > 0 {
		h.pulse.Alive(h.over)
	}
	return n, err
}

// keepSession notes the session id that a server gave.
func (t *Transport) keepSession(id string) {
	if !validSession(id) {
		return
	}
	t.mu.Lock()
	t.session = id
	t.remember(id)
	t.mu.Unlock()
}

// loseSession forgets the session id, ends the stream of the session and tells
// the handler, if that was not done before. It returns what to tell.
func (t *Transport) loseSession(id string) error {
	lost := &SessionLostError{}
	t.mu.Lock()
	current := t.session == id
	if current {
		t.session = ""
		if t.endStream != nil {
			t.endStream()
		}
	}
	t.mu.Unlock()
	if w, ok := t.handler.(wire.SessionWatcher); ok && current {
		w.SessionLost(lost)
	}
	return lost
}

// deliver hands on one message of the exchange that answers the request over
// (zero: of the GET stream), and reports whether it is the reply. An error that
// names no request answers the one that was posted. Errors and notifications are
// shown without our own secrets.
func (t *Transport) deliver(m wire.Message, over wire.ID) (isReply bool) {
	if m.Kind() == wire.Response && m.Error != nil {
		if m.ID.IsZero() {
			m.ID = over
		}
		t.maskError(m.Error)
	}
	if m.Kind() == wire.Notification {
		t.maskNotice(&m)
	}
	isReply = m.Kind() == wire.Response && !over.IsZero() && m.ID == over
	t.handler.Receive(m, over)
	return isReply
}
