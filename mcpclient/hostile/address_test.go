package hostile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parley/mcpclient"
)

// address is a server that is reached over HTTP. It reads requests with
// net/http and writes every byte of its answers itself.
type address struct {
	*server
	listener net.Listener
	work     sync.WaitGroup

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]bool
	events *exchange // the stream of the old transport
	seen   []string  // method and JSON-RPC method of every request
}

func listen(s *server, l net.Listener) *address {
	a := &address{server: s, listener: l, conns: map[net.Conn]bool{}}
	a.work.Go(a.accept)
	return a
}

func (a *address) accept() {
	for {
		conn, err := a.listener.Accept()
		if err != nil {
			return
		}
		a.mu.Lock()
		if a.closed {
			a.mu.Unlock()
			conn.Close()
			return
		}
		a.conns[conn] = true
		a.work.Go(func() {
			a.talk(conn)
			a.mu.Lock()
			delete(a.conns, conn)
			a.mu.Unlock()
			conn.Close()
		})
		a.mu.Unlock()
	}
}

// close ends the server with all its connections.
func (a *address) close() {
	a.listener.Close()
	a.mu.Lock()
	a.closed = true
	for conn := range a.conns {
		conn.Close()
	}
	a.mu.Unlock()
	close(a.over)
	a.work.Wait()
}

// talk serves one TCP connection.
func (a *address) talk(conn net.Conn) {
	in := bufio.NewReader(conn)
	for {
		request, err := nethttp.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		x := &exchange{address: a, Conn: conn, in: in, request: request}
		json.Unmarshal(body, &x.message)
		a.mu.Lock()
		a.seen = append(a.seen, request.Method+" "+x.Method)
		a.mu.Unlock()
		if !x.serve() {
			return
		}
	}
}

// exchange is one HTTP request and the connection that it came on.
type exchange struct {
	*address
	net.Conn
	in      *bufio.Reader
	request *nethttp.Request
	message

	began bool // an answer was begun, as an event stream
}

// serve answers x and reports whether the connection can go on.
func (x *exchange) serve() bool {
	method := x.Method
	switch {
	case x.request.Method == "GET" && x.on == "listening":
		method = "listening"
	case x.request.Method != "POST":
		method = x.request.Method
	}
	m := x.message
	m.Method = method
	hit := x.attacked(m)
	switch {
	case hit && x.answer != nil:
		x.answer(x)
		return false
	case x.request.Method == "GET" && x.transport == overSSE:
		x.old()
		return false
	case method == "listening":
		x.begin()
		x.server.serve(m, x.event)
		x.untilGone()
		return false
	case x.request.Method == "GET":
		x.status(405, "", "")
	case x.request.Method == "DELETE":
		x.status(200, "", "")
	case x.Method == "":
		x.heard(x.message)
		x.status(202, "", "")
	case x.transport == overSSE:
		x.status(202, "", "")
		if x.Method == "notifications/initialized" && x.on == "listening" {
			x.Method = "listening"
		}
		x.work.Go(func() { x.server.serve(x.message, x.toEvents) })
	case x.ID == nil && !hit:
		x.status(202, "", "")
	case x.ID == nil:
		x.status(202, "", "")
		x.server.serve(x.message, func(string) {})
	default:
		x.reply()
	}
	return true
}

// session is the header that gives the client its session.
func (x *exchange) session() string {
	if x.Method == "initialize" && x.era == mcpclient.Legacy {
		return "Mcp-Session-Id: session-of-hostile\r\n"
	}
	return ""
}

// status answers with a status and a body.
func (x *exchange) status(status int, kind, body string) {
	if kind != "" {
		kind = "Content-Type: " + kind + "\r\n"
	}
	length := fmt.Sprintf("Content-Length: %d\r\n", len(body))
	if status == 204 {
		length = ""
	}
	fmt.Fprintf(x, "HTTP/1.1 %d X\r\n%s%s%s\r\n%s", status, x.session(), kind, length, body)
}

// reply answers a request by what the server says to it: at the place body as
// the JSON body if that is one message, else as a stream of events.
func (x *exchange) reply() {
	if x.transport != overBody {
		x.server.serve(x.message, x.event)
		x.end()
		return
	}
	var all []string
	x.server.serve(x.message, func(raw string) { all = append(all, raw) })
	if len(all) == 1 {
		x.status(200, "application/json", all[0])
		return
	}
	for _, raw := range all {
		x.event(raw)
	}
	x.end()
}

// begin begins an answer that is a stream of events.
func (x *exchange) begin() {
	if !x.began {
		x.began = true
		fmt.Fprintf(x, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n%sTransfer-Encoding: chunked\r\n\r\n", x.session())
	}
}

// event sends one message as an event.
func (x *exchange) event(raw string) {
	x.begin()
	x.chunk(asEvent(raw))
}

// asEvent is raw as the data of an event, whatever lines it has.
func asEvent(raw string) string {
	raw = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(raw)
	return "data: " + strings.ReplaceAll(raw, "\n", "\ndata: ") + "\n\n"
}

// chunk writes text in the chunked coding and reports whether somebody is there
// to take it.
func (x *exchange) chunk(text string) bool {
	if text == "" {
		return true
	}
	_, err := fmt.Fprintf(x, "%x\r\n%s\r\n", len(text), text)
	return err == nil
}

// end ends an answer that is chunked; one that was never begun is empty.
func (x *exchange) end() {
	x.begin()
	io.WriteString(x, "0\r\n\r\n")
}

// untilGone waits until the client has closed the connection.
func (x *exchange) untilGone() { io.Copy(io.Discard, x.in) }

// old is the stream that a connection of the old transport lives on.
func (x *exchange) old() {
	x.began = true
	fmt.Fprint(x, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
	x.mu.Lock()
	x.events = x
	x.mu.Unlock()
	x.chunk("event: endpoint\ndata: /messages\n\n")
	x.untilGone()
}

// toEvents sends a message on the stream of the old transport.
func (x *exchange) toEvents(raw string) {
	x.address.mu.Lock()
	defer x.address.mu.Unlock()
	if x.events != nil {
		x.events.chunk(asEvent(raw))
	}
}

// raw writes text, in which $id stands for the id of the client's request, and
// reports whether somebody is there to take it.
func (x *exchange) raw(text string) bool {
	_, err := io.WriteString(x, strings.ReplaceAll(text, "$id", string(x.ID)))
	return err == nil
}

// answered is an answer of these bytes, after which the connection is closed.
func answered(text string) func(*exchange) {
	return func(x *exchange) { x.raw(text) }
}

// page is an answer with the status and the headers in head, and the body; the
// connection is closed after it.
func page(head, body string) func(*exchange) {
	return func(x *exchange) { x.page(head, body) }
}

func (x *exchange) page(head, body string) {
	body = strings.ReplaceAll(body, "$id", string(x.ID))
	fmt.Fprintf(x, "HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", head, len(body), body)
}

// stream is an answer that is an event stream of these bytes, which then ends.
func stream(text string) func(*exchange) {
	return func(x *exchange) { x.raw(streamHead + text) }
}

// streamHead begins an event stream that ends with the connection.
const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

// jsonHead begins a JSON body that ends with the connection.
const jsonHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"

// begun is an event that says that the server has begun.
const begun = `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"begun"}}` + "\n\n"

// reset breaks the connection off without an orderly end.
func (x *exchange) reset() { x.Conn.(*net.TCPConn).SetLinger(0) }

// trap is an address where nothing may arrive.
type trap struct {
	net.Listener
	arrived atomic.Int64
	done    chan struct{}
}

func setTrap(t *testing.T) *trap {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &trap{Listener: l, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			p.arrived.Add(1)
			conn.Close()
		}
	}()
	return p
}

// close ends the trap and says how many connections were made to it.
func (p *trap) close() int64 {
	p.Close()
	<-p.done
	return p.arrived.Load()
}
