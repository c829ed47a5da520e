package http

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"parley/mcpclient/wire"
)

// readAll returns the events of stream as "name=data", and its end.
func readAll(in io.Reader, limit int64, c *cursor) (found []string, end error) {
	events := newEvents(in, limit, c)
	for {
		e, err := events.next()
		if _, ok := errors.AsType[*wire.TooLargeError](err); ok {
			found = append(found, "too large")
			continue
		}
		if err != nil {
			return found, err
		}
		found = append(found, e.name+"="+string(e.data))
	}
}

func TestEventStreamsAreReadAsTheStandardTells(t *testing.T) {
	tests := []struct {
		name, stream string
		want         []string
		lastID       string
	}{
		{"one event", "data: {}\n\n", []string{"={}"}, ""},
		{"no space", "data:{}\n\n", []string{"={}"}, ""},
		{"only one space goes", "data:  x\n\n", []string{"= x"}, ""},
		{"lines joined", "data: a\ndata: b\ndata:\n\n", []string{"=a\nb\n"}, ""},
		{"CRLF", "event: m\r\ndata: a\r\n\r\ndata: b\r\n\r\n", []string{"m=a", "=b"}, ""},
		{"CR", "data: a\r\rdata: b\r\r", []string{"=a", "=b"}, ""},
		{"all line ends mixed", "data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\r", []string{"=a\nb\nc", "=d"}, ""},
		{"comments and pings", ": ping\n\n:\n: x\ndata: a\n: y\ndata: b\n\n: ping\n\n", []string{"=a\nb"}, ""},
		{"event without data", "event: ping\n\nevent: ping\ndata:\n\ndata: a\n\n", []string{"=a"}, ""},
		{"an id alone", "id: 1\n\nid: 2\ndata: a\n\nid: 3\n\n", []string{"=a"}, "3"},
		{"an id counts when its event is complete", "id: 1\ndata: a\n\nid: 2\ndata: b", []string{"=a"}, "1"},
		{"an empty id clears", "id: 1\n\nid\n\ndata: a\n\n", []string{"=a"}, ""},
		{"an id with controls is none", "id: a\x00b\n\nid: \x01\n\n", nil, ""},
		{"an id without end is none", "id: " + strings.Repeat("x", maxEventID+1) + "\n\n", nil, ""},
		{"byte order mark", "\xEF\xBB\xBFdata: a\n\n", []string{"=a"}, ""},
		{"half a byte order mark", "\xEF\xBBdata: a\n\ndata: b\n\n", []string{"=b"}, ""},
		{"unknown fields", "foo: 1\ndatax: 2\ndata\ndata: a\n  data: b\n\n", []string{"=\na"}, ""},
		{"cut off after whole JSON", "data: {\"a\":1}\n", []string{`={"a":1}`}, ""},
		{"cut off in the line end", "id: 4\ndata: {\"a\":1}", []string{`={"a":1}`}, "4"},
		{"cut off in the data", "data: {\"a\":", nil, ""},
		{"nothing", "", nil, ""},
	}
	for _, test := range tests {
		for name, pieces := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader, "with the end": iotest.DataErrReader,
		} {
			t.Run(test.name+" "+name, func(t *testing.T) {
				c := &cursor{}
				got, end := readAll(pieces(strings.NewReader(test.stream)), 1<<20, c)
				if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", test.want) || end != io.EOF {
					t.Errorf("read %q and %v, want %q", got, end, test.want)
				}
				if c.lastID != test.lastID {
					t.Errorf("last id %q, want %q", c.lastID, test.lastID)
				}
			})
		}
	}
}

func TestRetryIsTakenInBounds(t *testing.T) {
	tests := []struct {
		stream string
		has    bool
		want   time.Duration
	}{
		{"retry: 500\n", true, 500 * time.Millisecond},
		{"retry: 0\n\n", true, 0},
		{"retry: 4000000000\n", true, maxRetry},
		{"retry: 99999999999999999999\n", false, 0},
		{"retry: -1\nretry: 1.5\nretry: x\nretry:\n", false, 0},
	}
	for _, test := range tests {
		c := &cursor{}
		readAll(strings.NewReader(test.stream), 100, c)
		if c.hasRetry != test.has || c.retry != test.want {
			t.Errorf("%q: %v %v, want %v %v", test.stream, c.hasRetry, c.retry, test.has, test.want)
		}
	}
}

func TestAnEventIsGivenOutBeforeTheNextByteComes(t *testing.T) {
	for _, end := range []string{"\n\n", "\r\r", "\r\n\r"} {
		r, w := io.Pipe()
		go w.Write([]byte("data: a" + end))
		events := newEvents(r, 100, &cursor{})
		if e, err := events.next(); err != nil || string(e.data) != "a" { // would hang
			t.Errorf("%q: %q, %v", end, e.data, err)
		}
		w.Close()
	}
}

func TestAnEventOverTheLimitIsSteppedOver(t *testing.T) {
	const limit = 1000
	big := strings.Repeat("x", limit+100)
	tests := []struct {
		name, stream string
		want         []string
	}{
		{"just within", "data: " + strings.Repeat("x", limit) + "\n\n", []string{"=" + strings.Repeat("x", limit)}},
		{"one line", "data: " + big + "\nid: 7\ndata: more\n\ndata: a\n\n", []string{"too large", "=a"}},
		{"many lines", strings.Repeat("data: 12345678\n", 200) + "\ndata: a\n\n", []string{"too large", "=a"}},
		{"many empty lines", strings.Repeat("data\n", 2*limit) + "\ndata: a\n\n", []string{"too large", "=a"}},
		{"many long lines", strings.Repeat("data: "+big+"\n", 3) + "\ndata: a\n\n", []string{"too large", "=a"}},
		{"a comment", ":" + big + "\n\ndata: a\n\n", []string{"too large", "=a"}},
		{"without end", "data: " + big, []string{"too large"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &cursor{}
			got, end := readAll(iotest.HalfReader(strings.NewReader(test.stream)), limit, c)
			if fmt.Sprintf("%.30q", got) != fmt.Sprintf("%.30q", test.want) || end != io.EOF {
				t.Errorf("read %.60q and %v, want %.60q", got, end, test.want)
			}
			if c.lastID != "" {
				t.Error("the id of the event that was stepped over counts")
			}
		})
	}
}

func TestAnEventWithoutEndEndsTheStream(t *testing.T) {
	const limit = 1000
	for name, stream := range map[string]string{
		"a line":        "data: " + strings.Repeat("x", 100*limit),
		"many lines":    strings.Repeat("data: x\n", 50*limit),
		"nothing in it": strings.Repeat("data\n", 50*limit),
	} {
		got, end := readAll(strings.NewReader(stream+"\n\ndata: a\n\n"), limit, &cursor{})
		if fmt.Sprint(got) != "[too large]" || end != errEndless {
			t.Errorf("%s: read %.60q and %v", name, got, end)
		}
	}
}

func FuzzSSE(f *testing.F) {
	for _, seed := range []string{
		"data: {}\n\n", "\xEF\xBB\xBFid: 1\r\nretry: 5\r\ndata: a\r\ndata: b\r\n\r\n: c\r\rdata", "event: x\ndata:\n\n",
		"data: " + strings.Repeat("y", 200) + "\n\ndata: {\"a\":1}",
	} {
		f.Add([]byte(seed), uint16(100))
	}
	f.Fuzz(func(t *testing.T, stream []byte, limit uint16) {
		c := &cursor{}
		whole, _ := readAll(strings.NewReader(string(stream)), int64(limit), c)
		for _, e := range whole {
			_, data, _ := strings.Cut(e, "=")
			if e != "too large" && len(data) > int(limit)+fieldSpace {
				t.Errorf("an event of %d bytes under a limit of %d", len(data), limit)
			}
		}
		// The pieces in which bytes arrive do not matter, but for when an
		// event is found to be too large.
		if int(limit) > len(stream) {
			d := &cursor{}
			pieces, _ := readAll(iotest.OneByteReader(strings.NewReader(string(stream))), int64(limit), d)
			if fmt.Sprintf("%q", whole) != fmt.Sprintf("%q", pieces) || *c != *d {
				t.Errorf("read %q whole and %q byte by byte", whole, pieces)
			}
		}
	})
}
