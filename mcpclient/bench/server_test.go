package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// roleVariable is the environment variable that makes a server of this binary.
// Its value is "http", or the path of a setting for one over stdio. A server
// over HTTP says its address in its first line of output; requests name the
// setting by their path.
const (
	roleVariable = "PARLEY_BENCH_SERVER"
	roleHTTP     = "http"
)

func serve(role string) error {
	if role == roleHTTP {
		return serveHTTP()
	}
	return serveStdio(scriptOf(role))
}

// message is what the server reads of a message: of a request, or of the answer
// to a question that it pushed.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name           string          `json:"name"`
		Cursor         string          `json:"cursor"`
		RequestState   string          `json:"requestState"`
		InputResponses json.RawMessage `json:"inputResponses"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
}

// pushed counts the questions that were pushed. Their ids are texts, which no
// client takes for one of its own.
var pushed atomic.Int64

// script is what the server does in one setting, without a transport.
type script struct{ modern, paged bool }

// scriptOf returns the script for the path of a setting.
func scriptOf(path string) script {
	return script{modern: strings.Contains(path, "modern"), paged: strings.Contains(path, "paged")}
}

// answer returns the result for m. For a call that has to ask first in the era
// of pushed questions, question is what to push: the id and the message.
func (s script) answer(m message) (result []byte, questionID string, question []byte) {
	switch m.Method {
	case "server/discover":
		return discovered, "", nil
	case "initialize":
		return initialized, "", nil
	case "tools/list":
		return s.list(m.Params.Cursor), "", nil
	case "tools/call":
	default:
		return []byte(`{}`), "", nil
	}
	switch {
	case m.Params.Name == toolPlain:
		return plainResult, "", nil
	case !s.modern:
		id := `"q-` + strconv.FormatInt(pushed.Add(1), 10) + `"`
		return nil, id, []byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"elicitation/create","params":` + questionParams + `}`)
	case m.Params.RequestState == "":
		return inputRequired, "", nil
	case m.Params.RequestState != requestState:
		return textResult("the state was lost"), "", nil
	}
	return booked(m.Params.InputResponses), "", nil
}

// list is the page of the list that begins at cursor.
func (s script) list(cursor string) []byte {
	if !s.paged {
		return whole()
	}
	n, err := strconv.Atoi(cursor)
	if cursor != "" && (err != nil || n < 0 || n >= len(pages())) {
		return textResult("no such page")
	}
	return pages()[n]
}

// booked is the end of a round: it says whether the answer was the right one.
func booked(answer []byte) []byte {
	for _, part := range []string{`"accept"`, `"Ada Lovelace"`, `"ada@example.com"`, `"vegetarian"`} {
		if !bytes.Contains(answer, []byte(part)) {
			return textResult("not booked, for there is no " + part)
		}
	}
	return bookedResult
}

// response appends the reply with result to the request with the id.
func response(b, id, result []byte) []byte {
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), id...)
	return append(append(append(b, `,"result":`...), result...), '}')
}

// serveStdio serves on the standard streams until the input ends.
func serveStdio(s script) error {
	asked := map[string][]byte{} // the call that waits, by the id of its question
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	var out []byte
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			return nil
		}
		var m message
		if err == nil {
			err = json.Unmarshal(line, &m)
		}
		if err != nil {
			return fmt.Errorf("reading a line: %w", err)
		}
		out = out[:0]
		switch {
		case m.ID == nil: // a notification
			continue
		case m.Method == "":
			call := asked[string(m.ID)]
			delete(asked, string(m.ID))
			out = response(out, call, booked(m.Result))
		default:
			result, questionID, question := s.answer(m)
			if question == nil {
				out = response(out, m.ID, result)
			} else {
				asked[questionID] = m.ID
				out = append(out, question...)
			}
		}
		if _, err := os.Stdout.Write(append(out, '\n')); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
	}
}

// serveHTTP serves on a port of the loopback interface until the input ends.
func serveHTTP() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	h := &httpServer{asked: map[string]chan []byte{}}
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go h.connection(c)
	}
}

// httpServer speaks HTTP/1.1 without net/http's server, which would take more
// time for a call than the clients that are compared.
type httpServer struct {
	mu    sync.Mutex
	asked map[string]chan []byte // who waits for the answer, by the id of a question
}

// connection serves the requests of one connection.
func (h *httpServer) connection(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	var body bytes.Buffer
	var out []byte
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return // the client has closed it
		}
		body.Reset()
		if _, err := body.ReadFrom(r.Body); err != nil {
			return
		}
		out = out[:0]
		switch r.Method {
		case http.MethodGet:
			// A stream that nothing ever comes on, until the client closes it.
			c.Write([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"))
			io.Copy(io.Discard, in)
			return
		case http.MethodDelete:
			out = append(out, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"...)
		default:
			var m message
			if json.Unmarshal(body.Bytes(), &m) != nil {
				return
			}
			out = h.post(c, out, r.URL.Path, m)
		}
		if _, err := c.Write(out); err != nil {
			return
		}
	}
}

// post appends the answer to a message that was posted to path. What has to go
// out before is written to c.
func (h *httpServer) post(c net.Conn, out []byte, path string, m message) []byte {
	if m.ID == nil || m.Method == "" {
		if m.ID != nil {
			h.mu.Lock()
			h.asked[string(m.ID)] <- m.Result
			h.mu.Unlock()
		}
		return append(out, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"...)
	}
	result, questionID, question := scriptOf(path).answer(m)
	session := ""
	if m.Method == "initialize" {
		session = "Mcp-Session-Id: bench\r\n"
	}
	if !strings.Contains(path, "sse") {
		length := len(response(nil, m.ID, nil)) + len(result)
		out = fmt.Appendf(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n", session, length)
		return response(out, m.ID, result)
	}
	out = fmt.Appendf(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n%sTransfer-Encoding: chunked\r\n\r\n", session)
	if question != nil {
		answer := make(chan []byte, 1)
		h.mu.Lock()
		h.asked[questionID] = answer
		h.mu.Unlock()
		c.Write(event(out, question))
		out = out[:0]
		result = booked(<-answer)
		h.mu.Lock()
		delete(h.asked, questionID)
		h.mu.Unlock()
	}
	return append(event(out, response(nil, m.ID, result)), "0\r\n\r\n"...)
}

// event appends data as one event in one chunk.
func event(b, data []byte) []byte {
	const before, after = "event: message\ndata: ", "\n\n"
	b = strconv.AppendInt(b, int64(len(before)+len(data)+len(after)), 16)
	b = append(append(b, "\r\n"...), before...)
	return append(append(append(b, data...), after...), "\r\n"...)
}
