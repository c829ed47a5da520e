package stdio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"parley/mcpclient/wire"
)

// maxNotice bounds, in bytes, what a notice repeats of a stray line.
const maxNotice = 4 << 10

// reader turns standard output into messages. See the package comment for what
// it understands.
type reader struct {
	in      *bufio.Reader
	limit   int64
	handler wire.Handler
	tap     func(message []byte)

	// partial holds the lines of a pretty-printed message so far.
	partial []byte
	depth   int // of the brackets open in partial
}

func newReader(in io.Reader, limit int64, h wire.Handler, tap func([]byte)) *reader {
	return &reader{in: bufio.NewReaderSize(wire.Heard(in, h, wire.ID{}), 64<<10), limit: limit, handler: h, tap: tap}
}

// run reads until the end.
func (r *reader) run() {
	for {
		line, err := r.line()
		if len(line) > 0 {
			r.take(line)
		}
		if err != nil {
			r.giveUp()
			return
		}
	}
}

// line returns the next line without white space around it. One over the limit
// is read past and dealt with, and the result is empty. Each line has memory
// of its own, for messages keep slices of it.
func (r *reader) line() ([]byte, error) {
	var line []byte
	for {
		piece, err := r.in.ReadSlice('\n')
		if int64(len(line)+len(piece)) > r.limit+2 { // a CR and LF do not count
			err = r.skip(line, piece, err)
			return nil, err
		}
		line = append(line, piece...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		line = bytes.TrimSpace(line)
		if int64(len(line)) > r.limit {
			err = r.skip(line, nil, err)
			return nil, err
		}
		return line, err
	}
}

// skip reads past the rest of a line that is too long: start and piece have
// been read, err came with piece. The request that the line answers, if that
// can be seen, fails.
func (r *reader) skip(start, piece []byte, err error) error {
	r.giveUp()
	var peek wire.Peek
	peek.Write(start)
	peek.Write(piece)
	head := append(bytes.Clone(start[:min(len(start), maxNotice)]), piece[:min(len(piece), maxNotice)]...)
	for errors.Is(err, bufio.ErrBufferFull) {
		piece, err = r.in.ReadSlice('\n')
		peek.Write(piece)
	}
	r.tooLarge(&peek, head)
	return err
}

func (r *reader) tooLarge(peek *wire.Peek, head []byte) {
	if id, ok := peek.ReplyTo(); ok {
		r.handler.Failed(id, &wire.TooLargeError{Limit: r.limit})
	}
	r.stray(head)
}

// take deals with one line that is not empty.
func (r *reader) take(line []byte) {
	if r.partial != nil {
		if r.goOn(line) {
			return
		}
		r.giveUp()
	}
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF")))
	for len(line) > 0 {
		line = bytes.TrimSpace(r.first(line))
	}
}

// first deals with what stands at the start of line and returns the rest.
func (r *reader) first(line []byte) []byte {
	if line[0] != '{' && line[0] != '[' {
		return r.strayUpTo(line, 0)
	}
	if r.message(line) { // the usual case: one message, nothing else
		return nil
	}
	var v json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(line))
	err := dec.Decode(&v)
	if err == nil { // several values on one line
		r.message(v)
		return line[dec.InputOffset():]
	}
	if errors.Is(err, io.ErrUnexpectedEOF) && line[0] == '{' && !insideString(line) {
		r.partial = line
		r.depth = depth(line)
		return nil
	}
	return r.strayUpTo(line, 1)
}

// strayUpTo takes line as stray text up to the next place after from where a
// message may begin, and returns what begins there.
func (r *reader) strayUpTo(line []byte, from int) []byte {
	if at := bytes.Index(line[from:], []byte(`{"jsonrpc"`)); at >= 0 {
		r.stray(line[:from+at])
		return line[from+at:]
	}
	r.lost(line)
	return nil
}

// goOn adds line to the pretty-printed message and reports whether it can
// belong to it. A whole message on a line of its own, or text that is no
// JSON, shows that what was kept never was the beginning of a message.
func (r *reader) goOn(line []byte) bool {
	if !bytes.ContainsRune([]byte(`"{}[],:-0123456789tfn`), rune(line[0])) || insideString(line) {
		return false
	}
	if bytes.HasPrefix(line, []byte(`{"jsonrpc"`)) && json.Valid(line) {
		return false
	}
	if int64(len(r.partial)+len(line)) > r.limit {
		var peek wire.Peek
		peek.Write(r.partial)
		r.tooLarge(&peek, r.partial)
		r.partial = nil
		return false
	}
	r.partial = append(append(r.partial, '\n'), line...)
	if r.depth += depth(line); r.depth > 0 {
		return true
	}
	whole := r.partial
	r.partial = nil
	if !r.message(whole) {
		r.lost(whole)
	}
	return true
}

// giveUp tells of the beginning of a message that never became one.
func (r *reader) giveUp() {
	if r.partial != nil {
		r.lost(r.partial)
		r.partial = nil
	}
}

// message hands on one JSON value that came. It reports false, and has done
// nothing, when raw is no JSON.
func (r *reader) message(raw []byte) bool {
	tapped, odd := false, false
	for m, err := range wire.DecodeAll(raw) {
		if err == nil {
			if !tapped {
				r.tap(raw)
				tapped = true
			}
			r.handler.Receive(m, wire.ID{})
			continue
		}
		var bad *wire.DecodeError
		if errors.As(err, &bad) {
			if bad.Reason == wire.ReasonNotJSON {
				return false
			}
			if !bad.ID.IsZero() {
				r.handler.Failed(bad.ID, err)
			}
		}
		odd = true
	}
	if odd {
		r.stray(raw)
	}
	return true
}

// lost tells of text that is no message. When it is the torso of a reply, the
// request it would have answered fails.
func (r *reader) lost(text []byte) {
	var peek wire.Peek
	peek.Write(text)
	if id, ok := peek.ReplyTo(); ok {
		r.handler.Failed(id, &wire.DecodeError{Reason: wire.ReasonNotJSON, ID: id})
	}
	r.stray(text)
}

func (r *reader) stray(text []byte) {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return
	}
	text = text[:min(len(text), maxNotice+1)]
	r.handler.Noticed(wire.Notice{Kind: wire.NoticeStray, Text: wire.Clip(string(text), maxNotice)})
}

// depth returns how many brackets line opens beyond those it closes.
func depth(line []byte) int {
	n := 0
	walk(line, func(c byte) {
		switch c {
		case '{', '[':
			n++
		case '}', ']':
			n--
		}
	})
	return n
}

// insideString reports whether line ends within a JSON string, which no line
// of pretty-printed JSON does.
func insideString(line []byte) bool { return walk(line, func(byte) {}) }

// walk calls do for each byte of line outside strings and reports whether line
// ends inside one.
func walk(line []byte, do func(byte)) bool {
	inString, escape := false, false
	for _, c := range line {
		switch {
		case escape:
			escape = false
		case inString && c == '\\':
			escape = true
		case c == '"':
			inString = !inString
		case !inString:
			do(c)
		}
	}
	return inString
}
