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

	begun   bool        // the byte order mark has been looked for
	afterCR bool        // a LF that comes next belongs to the line before
	long    wire.Pieces // of the current line, if it is longer than the buffer of in
	past    *torso      // what is seen of an event that is being read past; nil if none is

	// skipped, if not nil, is told when an event has been read past or given up,
	// with the request it would have answered or the zero ID.
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
	if r.past != nil {
		if err := r.skip(); err != nil {
			return event{}, err
		}
	}
	for {
		limit := r.limit - int64(len(e.data)) + fieldSpace
		line, own, err := r.readLine(limit)
		switch {
		case errors.Is(err, errLong):
			return event{}, r.tooLarge(e.data, line, false)
		case err != nil:
			if hasData && json.Valid(e.data) {
				r.commit(id, hasID, true)
				return e, nil // the next call meets the end again
			}
			return event{}, err
		case int64(len(line)) > limit:
			return event{}, r.tooLarge(e.data, line, true)
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
			size := len(e.data) + len(value)
			if hasData {
				size++
			}
			switch {
			case int64(size) > r.limit:
				return event{}, r.tooLarge(e.data, line, true)
			case hasData:
				e.data = append(append(e.data, '\n'), value...)
			case own:
				e.data = value[:len(value):len(value)]
			default:
				e.data = bytes.Clone(value)
			}
			hasData = true
		case "event":
			if e.name = "message"; string(value) != e.name {
				e.name = string(value)
			}
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

// commit notes that an event is complete.
func (r *events) commit(id string, hasID, hasData bool) {
	if hasID {
		r.cursor.lastID = id
	}
	if hasID || hasData {
		r.cursor.moved = true
	}
}

// chunk returns what is there of the current line, and whether that is the end
// of it: CR, LF or both. It is valid until the next call.
func (r *events) chunk() (piece []byte, end bool, err error) {
	for {
		if _, err := r.in.Peek(1); err != nil {
			return nil, false, err
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
		// What Peek returned stays as it is until the next read.
		at := bytes.IndexAny(piece, "\r\n")
		if at < 0 {
			r.in.Discard(len(piece))
			return piece, false, nil
		}
		r.afterCR = piece[at] == '\r'
		r.in.Discard(at + 1)
		return piece[:at], true, nil
	}
}

// readLine returns the next line without its end, and whether it has memory of
// its own; else it is valid until the next call. When more than limit bytes
// came and no end, it returns those and errLong.
func (r *events) readLine(limit int64) (line []byte, own bool, err error) {
	for {
		piece, end, err := r.chunk()
		switch {
		case err != nil && r.long.Len() > 0:
			return r.long.Take(), true, nil // the next call meets the end again
		case err != nil:
			return nil, false, err
		case end && r.long.Len() == 0:
			return piece, false, nil
		}
		r.long.Add(piece)
		if end {
			return r.long.Take(), true, nil
		}
		if int64(r.long.Len()) > limit {
			return r.long.Take(), true, errLong
		}
	}
}

// fieldSpace is what a line may have beside its value, "data: ", and a little.
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

// torso is what is seen of an event that is too large and is being read past.
type torso struct {
	peek wire.Peek // into its data
	head []byte    // the first bytes of the current line, at most those of "data:"
	size int64     // bytes that were read past
}

// maxPast is how much of an event is read past, in size limits, before it
// counts as one without end.
const maxPast = 16

var errEndless = errors.New("an event without end")

// tooLarge begins to read past an event: data and then line have been read of
// it, and the end of line too if that is whole.
func (r *events) tooLarge(data, line []byte, whole bool) error {
	r.past = &torso{}
	r.past.peek.Write(data)
	r.past.see(line, whole)
	return &wire.TooLargeError{Limit: r.limit}
}

// see takes the next piece of a line, with its end or without.
func (o *torso) see(piece []byte, end bool) {
	if n := min(len(piece), len("data:")-len(o.head)); n > 0 {
		o.head = append(o.head, piece[:n]...)
		piece = piece[n:]
	}
	if string(o.head) == "data:" {
		o.peek.Write(piece)
	}
	if end {
		o.head = o.head[:0]
	}
}

// skip reads to the end of the event that is too large. The error is the
// reader's or errEndless.
func (r *events) skip() error {
	for {
		piece, end, err := r.chunk()
		if r.past.size += int64(len(piece)) + 1; r.past.size > maxPast*r.limit {
			err = errEndless
		}
		if err == nil && !(end && len(piece) == 0 && len(r.past.head) == 0) {
			r.past.see(piece, end)
			continue
		}
		id, _ := r.past.peek.ReplyTo()
		r.past = nil
		if r.skipped != nil {
			r.skipped(id)
		}
		return err
	}
}
