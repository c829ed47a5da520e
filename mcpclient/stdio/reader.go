package stdio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"parley/mcpclient/wire"
)

// Bounds of what is made of a line.
const (
	maxNotice = 4 << 10  // bytes that are kept of a stray line
	maxFirst  = 64 << 10 // bytes of the first line of a pretty-printed message
	maxStrays = 16       // stray texts within one line; what is behind them is one more
)

// reader turns standard output into messages. See the package comment for what
// it understands.
type reader struct {
	in      *bufio.Reader
	limit   int64
	handler wire.Handler
	notices *wire.Notices
	tap     func(message []byte)

	long wire.Pieces // of a line that is longer than the buffer of in

	// partial holds the lines of a pretty-printed message so far.
	partial []byte
	depth   int // of the brackets open in partial
}

func newReader(in io.Reader, limit int64, h wire.Handler, n *wire.Notices, tap func([]byte)) *reader {
	return &reader{
		in:    bufio.NewReaderSize(wire.Heard(in, h, wire.ID{}), 64<<10),
		limit: limit, handler: h, notices: n, tap: tap,
	}
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
	piece, err := r.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		if piece = bytes.TrimSpace(piece); int64(len(piece)) <= r.limit {
			return bytes.Clone(piece), err
		}
		return nil, r.skip(piece, err)
	}
	for {
		r.long.Add(piece)
		if int64(r.long.Len()) > r.limit+2 { // a CR and LF do not count
			return nil, r.skip(nil, err)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
		piece, err = r.in.ReadSlice('\n')
	}
	line := bytes.TrimSpace(r.long.Take())
	if int64(len(line)) > r.limit {
		return nil, r.skip(line, err)
	}
	return line, err
}

// skip reads past the rest of a line that is too long: what is in r.long and
// then piece have been read, and err came with them. The request that the line
// answers, if that can be seen, fails.
func (r *reader) skip(piece []byte, err error) error {
	r.giveUp()
	var peek wire.Peek
	see := func(b []byte) { peek.Write(b) }
	r.long.Each(see)
	r.long.Reset()
	see(piece)
	for errors.Is(err, bufio.ErrBufferFull) {
		piece, err = r.in.ReadSlice('\n')
		see(piece)
	}
	r.tooLarge(&peek)
	return err
}

// tooLarge tells once of what was too large: to the request it answers, else to
// whoever reads the notices.
func (r *reader) tooLarge(peek *wire.Peek) {
	large := &wire.TooLargeError{Limit: r.limit}
	if id, ok := peek.ReplyTo(); ok {
		r.handler.Failed(id, large)
		return
	}
	r.notices.Tell(wire.NoticeStray, large.Detail())
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
	for strays := 0; len(line) > 0; {
		rest, stray := r.first(line)
		if stray {
			if strays++; strays > maxStrays {
				r.stray(rest)
				return
			}
		}
		line = bytes.TrimSpace(rest)
	}
}

// first deals with what stands at the start of line and returns the rest, and
// whether it was stray text.
func (r *reader) first(line []byte) (rest []byte, stray bool) {
	if line[0] != '{' && line[0] != '[' {
		return r.strayUpTo(line, 0), true
	}
	if r.message(line) { // the usual case: one message, nothing else
		return nil, false
	}
	if end := valueEnd(line); end > 0 { // several values on one line
		if end < len(line) && r.message(line[:end:end]) {
			return line[end:], false
		}
	} else if begins(line) {
		r.partial = line
		r.depth = depth(line)
		return nil, false
	}
	return r.strayUpTo(line, 1), true
}

// begins reports whether line can be the first one of a pretty-printed message.
func begins(line []byte) bool {
	if line[0] != '{' || len(line) > maxFirst || insideString(line) {
		return false
	}
	var v json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(line)).Decode(&v), io.ErrUnexpectedEOF)
}

// strayUpTo takes line as stray text up to the next place after from where a
// message may begin, and returns what begins there.
func (r *reader) strayUpTo(line []byte, from int) []byte {
	if at := bytes.Index(line[from:], []byte(`{"jsonrpc"`)); at >= 0 {
		r.lost(line[:from+at])
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
		r.tooLarge(&peek)
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
			if bad.Reason.Unread() {
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

// lost tells of text that is no message. When it is the torso of a reply, or one
// nested too deep, the request it would have answered fails.
func (r *reader) lost(text []byte) {
	var peek wire.Peek
	peek.Write(text)
	if id, ok := peek.ReplyTo(); ok {
		bad := &wire.DecodeError{Reason: wire.ReasonNotJSON, ID: id}
		_, err := wire.Decode(text)
		if why, ok := errors.AsType[*wire.DecodeError](err); ok && why.Reason.Unread() {
			bad.Reason = why.Reason
		}
		r.handler.Failed(id, bad)
		if bad.Reason == wire.ReasonNested {
			return // the failure says it all
		}
	}
	r.stray(text)
}

func (r *reader) stray(text []byte) {
	text = text[:min(len(text), maxNotice+1)]
	if text = bytes.TrimSpace(text); len(text) > 0 {
		r.notices.Tell(wire.NoticeStray, string(text))
	}
}

// valueEnd returns where the brackets that open at the start of line are all
// closed again, 0 if they never are.
func valueEnd(line []byte) int {
	open, end := 0, 0
	walk(line, func(at int, c byte) bool {
		switch c {
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
		end = at + 1
		return open > 0
	})
	if open > 0 {
		return 0
	}
	return end
}

// depth returns how many brackets line opens beyond those it closes.
func depth(line []byte) int {
	n := 0
	walk(line, func(_ int, c byte) bool {
		switch c {
		case '{', '[':
			n++
		case '}', ']':
			n--
		}
		return true
	})
	return n
}

// insideString reports whether line ends within a JSON string, which no line
// of pretty-printed JSON does.
func insideString(line []byte) bool { return walk(line, func(int, byte) bool { return true }) }

// walk calls do for each byte of line outside strings until it returns false,
// and reports whether line ends inside a string.
func walk(line []byte, do func(at int, c byte) bool) bool {
	inString, escape := false, false
	for at, c := range line {
		switch {
		case escape:
			escape = false
		case inString && c == '\\':
			escape = true
		case c == '"':
			inString = !inString
		case !inString && !do(at, c):
			return false
		}
	}
	return inString
}
