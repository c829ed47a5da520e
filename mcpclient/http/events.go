package http

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"

	"golang.org/x/net/http/httpguts"

	"parley/mcpclient/wire"
)

// event is one server-sent event with data.
type event struct {
	name string // "" is "message"
	data []byte
}

// cursor is how far an event stream was read, over all its connections.
type cursor struct {
	lastID string        // "" if the server gave none
	retry  time.Duration // the server's wish; see hasRetry
	// hasRetry says that the server named a pause; a pause of 0 counts.
	hasRetry bool
	moved    bool // an event with data or an id came since this was last cleared
}

// Bounds of what a server may ask for.
const (
	maxRetry   = 5 * time.Minute
	maxEventID = 4 << 10 // bytes
)

// events reads an event stream as the WHATWG standard tells ("Server-sent
// events", section 9.2.6), with two liberties: an event that is too large is an
// error and is read past, and an event that the end of the stream cut off still
// counts if its data is whole JSON.
type events struct {
	in     *bufio.Reader
	limit  int64
	cursor *cursor

	begun    bool // the byte order mark has been looked for
	afterCR  bool // a LF that comes next belongs to the line before
	midLine  bool // the rest of the current line is to be thrown away
	skipping bool // the rest of the current event is to be thrown away
	line     []byte

	// torso looks through an event that is thrown away, and isData says that
	// the line it is in is one of data. skipped, if not nil, is told at the end
	// of such an event which request it would have answered.
	torso   wire.Peek
	isData  bool
	skipped func(wire.ID)
}

func newEvents(in io.Reader, limit int64, c *cursor) *events {
	return &events{in: bufio.NewReaderSize(in, 16<<10), limit: limit, cursor: c}
}

var errLong = errors.New("line too long")

// next returns the next event with data. Ids and pauses go to the cursor. The
// error is a *wire.TooLargeError, after which the caller may go on, or the
// reader's, io.EOF at an orderly end.
func (r *events) next() (event, error) {
	var (
		e       event
		hasData bool
		id      string
		hasID   bool
	)
	for {
		line, err := r.readLine(r.limit - int64(len(e.data)))
		switch {
		case errors.Is(err, errLong):
			if r.skipping {
				r.see(line)
				continue
			}
			r.skipping = true
			r.torso = wire.Peek{}
			r.torso.Write(e.data)
			r.see(line)
			return event{}, &wire.TooLargeError{Limit: r.limit}
		case err != nil:
			if hasData && json.Valid(e.data) {
				r.commit(id, hasID, true)
				return e, nil // the next call meets the end again
			}
			return event{}, err
		case r.skipping:
			r.see(line)
			if len(line) == 0 {
				r.skipping = false
				r.tell()
			}
			continue
		case len(line) == 0:
			r.commit(id, hasID, len(e.data) > 0)
			if len(e.data) > 0 {
				return e, nil
			}
			e, hasData, id, hasID = event{}, false, "", false
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if hasData {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
			hasData = true
		case "event":
			e.name = string(value)
		case "id":
			if len(value) <= maxEventID && httpguts.ValidHeaderFieldValue(string(value)) {
				id, hasID = string(value), true
			}
		case "retry":
			if n, err := strconv.ParseUint(string(value), 10, 32); err == nil {
				r.cursor.retry = min(time.Duration(n)*time.Millisecond, maxRetry)
				r.cursor.hasRetry = true
			}
		}
	}
}

// see looks through a line, or the start of one, of an event that is thrown
// away.
func (r *events) see(line []byte) {
	field, value, _ := bytes.Cut(line, []byte(":"))
	if r.isData = string(field) == "data"; r.isData {
		r.torso.Write(value)
	}
}

// tell says which request the event would have answered that was thrown away.
func (r *events) tell() {
	if id, ok := r.torso.ReplyTo(); ok && r.skipped != nil {
		r.skipped(id)
	}
}

// commit notes that an event is complete.
func (r *events) commit(id string, hasID, hasData bool) {
	if hasID {
		r.cursor.lastID = id
	}
	if hasID || hasData {
		r.cursor.moved = true
	}
}

// readLine returns the next line without its end, which is CR, LF or both. It
// is valid until the next call. A line of more than limit bytes is errLong at
// once, with what was read of it, and its rest is thrown away by the next call.
func (r *events) readLine(limit int64) ([]byte, error) {
	r.line = r.line[:0]
	for {
		if _, err := r.in.Peek(1); err != nil {
			if len(r.line) > 0 {
				return r.line, nil // the next call meets the end again
			}
			return nil, err
		}
		r.skipMark()
		piece, _ := r.in.Peek(r.in.Buffered())
		if r.afterCR && len(piece) > 0 {
			r.afterCR = false
			if piece[0] == '\n' {
				r.in.Discard(1)
				continue
			}
		}
		end := bytes.IndexAny(piece, "\r\n")
		if end < 0 {
			if !r.midLine {
				r.line = append(r.line, piece...)
			} else if r.isData {
				r.torso.Write(piece)
			}
			r.in.Discard(len(piece))
			if int64(len(r.line)) > limit+fieldSpace {
				r.midLine = true
				return r.line, errLong
			}
			continue
		}
		r.afterCR = piece[end] == '\r'
		if r.midLine {
			r.midLine = false
			if r.isData {
				r.torso.Write(piece[:end])
			}
			r.in.Discard(end + 1)
			continue
		}
		line := piece[:end]
		if len(r.line) > 0 {
			r.line = append(r.line, line...)
			line = r.line
		}
		// What Peek returned stays as it is until the next read.
		r.in.Discard(end + 1)
		if int64(len(line)) > limit+fieldSpace {
			return line, errLong
		}
		return line, nil
	}
}

// fieldSpace is what a line may have beside its value: "data: ".
const fieldSpace = 16

// skipMark steps over a byte order mark at the start of the stream.
func (r *events) skipMark() {
	if r.begun {
		return
	}
	r.begun = true
	if first, _ := r.in.Peek(1); len(first) == 0 || first[0] != 0xEF {
		return
	}
	if mark, _ := r.in.Peek(3); bytes.Equal(mark, []byte("\xEF\xBB\xBF")) {
		r.in.Discard(3)
	}
}
