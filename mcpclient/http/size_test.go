package http

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	nethttp "net/http"
	"testing"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// canned is a server without a network whose every answer has one content type
// and body.
type canned struct {
	kind, encoding string
	body           func() io.Reader
}

func (c canned) RoundTrip(r *nethttp.Request) (*nethttp.Response, error) {
	header := nethttp.Header{"Content-Type": {c.kind}}
	if c.encoding != "" {
		header.Set("Content-Encoding", c.encoding)
	}
	body := c.body()
	if r.Method == nethttp.MethodGet { // that stream stays open
		body = io.MultiReader(body, until{r.Context()})
	}
	return &nethttp.Response{StatusCode: 200, Header: header, ContentLength: -1, Body: io.NopCloser(body)}, nil
}

// B84: a message of the size limit is read, one byte more is not, and neither
// takes more than three times the limit in memory, the log page included.
func TestB84_TheLimitIsExactAndSoIsTheMemory(t *testing.T) {
	const limit = 2 << 20
	const head, tail = `{"jsonrpc":"2.0","id":1,"result":{"text":"`, `"}}`
	const fill = limit - int64(len(head)+len(tail))
	const ping = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
	event := func(fill int64) func() io.Reader {
		return func() io.Reader { return wiretest.Filled("data: "+head, fill, tail+"\n\n"+ping) }
	}
	zip := func(fill int64) func() io.Reader {
		var zipped bytes.Buffer
		z, _ := gzip.NewWriterLevel(&zipped, gzip.BestSpeed)
		if _, err := io.Copy(z, wiretest.Filled(head, fill, tail)); err != nil {
			t.Fatal(err)
		}
		z.Close()
		return func() io.Reader { return bytes.NewReader(zipped.Bytes()) }
	}
	bodyOf := func(fill int64) func() io.Reader {
		return func() io.Reader { return wiretest.Filled(head, fill, tail) }
	}
	const stream = acceptStream
	tests := []struct {
		name     string
		server   canned
		modern   bool
		get      bool // on the GET stream
		tooLarge bool
	}{
		{"a body", canned{"application/json", "", bodyOf(fill)}, true, false, false},
		{"a body one byte over", canned{"application/json", "", bodyOf(fill + 1)}, true, false, true},
		{"a body of ten times the limit", canned{"application/json", "", bodyOf(10 * limit)}, false, false, true},
		{"a gzip body", canned{"application/json", "gzip", zip(fill)}, true, false, false},
		{"a gzip body one byte over", canned{"application/json", "gzip", zip(fill + 1)}, false, false, true},
		{"a gzip bomb", canned{"application/json", "gzip", zip(50 * limit)}, true, false, true},
		{"an event", canned{stream, "", event(fill)}, true, false, false},
		{"an event, legacy", canned{stream, "", event(fill)}, false, false, false},
		{"an event one byte over", canned{stream, "", event(fill + 1)}, true, false, true},
		{"an event of ten times the limit", canned{stream, "", event(10 * limit)}, false, false, true},
		{"an event on the GET stream", canned{stream, "", event(fill)}, false, true, false},
		{"an event on the GET stream one byte over", canned{stream, "", event(fill + 1)}, false, true, true},
		{"an event on the GET stream of three times the limit", canned{stream, "", event(3 * limit)}, false, true, true},
	}
	for _, test := range tests {
		t.Run("B84 "+test.name, func(t *testing.T) {
			wiretest.NoLeaks(t, "parley/mcpclient")
			tr, err := New(Endpoint{URL: "http://server.example"}, Options{
				Client: test.server, MaxMessage: limit, Tap: func(wire.Traffic) {}})
			if err != nil {
				t.Fatal(err)
			}
			rec := &wiretest.Recorder{}
			if err := tr.Start(t.Context(), rec); err != nil {
				t.Fatal(err)
			}
			wiretest.Allocates(t, 3*limit, func() {
				if test.get {
					tr.OpenStream()
				} else {
					protocol := legacy
					if test.modern {
						protocol = modern
					}
					send(t, tr, 1, "tools/call", `{}`, protocol)
				}
				switch {
				case !test.tooLarge:
					if got := rec.Next(t).Message; int64(len(got.Result)) < fill {
						t.Errorf("received a result of %d bytes", len(got.Result))
					}
				default:
					f := rec.NextFailed(t)
					if _, ok := errors.AsType[*wire.TooLargeError](f.Err); !ok || f.ID != wire.NumberID(1) {
						t.Errorf("%v failed with %v", f.ID, f.Err)
					}
				}
				if test.get { // the stream lives on
					rec.Next(t)
				}
			})
			if err := tr.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}
