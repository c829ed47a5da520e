package stdio

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// B84: a message of the size limit is read, one byte more is not, and neither
// takes more than three times the limit in memory, the log page included.
func TestB84_TheLimitIsExactAndSoIsTheMemory(t *testing.T) {
	const limit = 2 << 20
	const head, tail = `{"jsonrpc":"2.0","id":1,"result":{"text":"`, `"}}`
	const fill = limit - int64(len(head)+len(tail))
	const image = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"`
	tests := []struct {
		name, head string
		fill       int64
		tail       string
		received   bool
		failed     bool
	}{
		{"exactly the limit", head, fill, tail + "\n", true, false},
		{"exactly the limit, CRLF", head, fill, tail + "\r\n", true, false},
		{"exactly the limit, no line feed", head, fill, tail, true, false},
		{"a masked result", image, fill - 100, `"}]}}` + "\n", true, false},
		{"one byte over", head, fill + 1, tail + "\n", false, true},
		{"ten times the limit", head, 10 * limit, tail + "\n", false, true},
		{"a stray line of the limit", "", limit, "\n", false, false},
		{"a stray line of ten times the limit", "", 10 * limit, "\n", false, false},
		{"a reply of the limit that is cut off", head, fill, "", false, true},
		{"two messages on one line", head, fill / 2, tail + `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n", true, false},
	}
	for _, test := range tests {
		t.Run("B84 "+test.name, func(t *testing.T) {
			r := &wiretest.Recorder{}
			tap := wire.Tap(func(wire.Traffic) {})
			wiretest.Allocates(t, 3*limit, func() {
				in := wiretest.Filled(test.head, test.fill, test.tail)
				newReader(in, limit, r, wire.NewNotices(r), func(raw []byte) { tap.Show(false, raw) }).run()
			})
			received, failed, noticed, _ := r.Rest()
			if (len(received) > 0) != test.received || (len(failed) > 0) != test.failed {
				t.Errorf("received %d, failed %v", len(received), failed)
			}
			for _, n := range noticed {
				if len(n.Text) > maxNotice {
					t.Errorf("a notice of %d bytes", len(n.Text))
				}
			}
		})
	}
}

// Stray text between messages on one line is looked through, but not again and
// again from every place where a message might begin.
func TestALineOfMessagesThatAreNoneIsGivenUp(t *testing.T) {
	r := &wiretest.Recorder{}
	var in io.Reader = io.MultiReader(
		&repeated{text: `{"jsonrpc":[`, times: 1 << 17}, wiretest.Filled("\"\n", 0, note+"\n"))
	newReader(in, wire.DefaultMaxMessage, r, wire.NewNotices(r), func([]byte) {}).run()
	received, _, noticed, _ := r.Rest()
	if len(received) != 1 || len(noticed) > maxStrays+2 {
		t.Errorf("received %d messages and %d notices, want 1 and at most %d", len(received), len(noticed), maxStrays+2)
	}
}

// repeated is text again and again.
type repeated struct {
	text  string
	times int
	rest  string
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.rest == "" {
		if r.times == 0 {
			return 0, io.EOF
		}
		r.times--
		r.rest = r.text
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// B73: a flood of stray lines, or of standard error, is told in few notices
// that count every line; messages between them arrive.
func TestB73_AFloodIsCountedAndNotRepeated(t *testing.T) {
	const lines = 100_000
	r := &wiretest.Recorder{}
	notices := wire.NewNotices(r)
	in := io.MultiReader(&repeated{text: "npm warn deprecated\n", times: lines}, wiretest.Filled(note+"\n", 0, ""))
	newReader(in, wire.DefaultMaxMessage, r, notices, func([]byte) {}).run()
	var kept ring
	eachLine(&repeated{text: "still here\n", times: lines}, func(line string) {
		kept.add(line)
		notices.Tell(wire.NoticeStderr, line)
	})
	notices.Stop()
	received, _, noticed, _ := r.Rest()
	if len(received) != 1 {
		t.Errorf("received %d messages, want 1", len(received))
	}
	count := map[wire.NoticeKind]int{}
	for _, n := range noticed {
		count[n.Kind] += n.Count
	}
	if count[wire.NoticeStray] != lines || count[wire.NoticeStderr] != lines {
		t.Errorf("counted %v, want %d of each", count, lines)
	}
	if len(noticed) > lines/50 {
		t.Errorf("%d notices of %d lines", len(noticed), 2*lines)
	}
	if n := len(kept.lines()); n != maxLines {
		t.Errorf("%d lines of standard error are kept, want %d", n, maxLines)
	}
}

func TestAReplyThatIsTooLargeSaysTheLimit(t *testing.T) {
	r := &wiretest.Recorder{}
	in := wiretest.Filled(`{"id":5,"result":"`, 2<<20, "\"}\n")
	newReader(in, 1<<20, r, wire.NewNotices(r), func([]byte) {}).run()
	f := r.NextFailed(t)
	if e, ok := errors.AsType[*wire.TooLargeError](f.Err); !ok || fmt.Sprint(e.Sentence().Data["Limit"]) != "1" {
		t.Errorf("failed with %v", f.Err)
	}
	if _, _, noticed, _ := r.Rest(); len(noticed) > 0 {
		t.Errorf("it is told a second time: %q", noticed[0].Text)
	}
}

func TestALineThatIsTooLargeIsToldAsThat(t *testing.T) {
	r := &wiretest.Recorder{}
	newReader(wiretest.Filled("x", 2<<20, "\n"), 1<<20, r, wire.NewNotices(r), func([]byte) {}).run()
	if n := r.NextNotice(t, wire.NoticeStray); n.Text != "It was larger than 1 MiB, the size limit." {
		t.Errorf("told as %q", n.Text)
	}
}

// A reply nested deeper than is read fails its request with that as the reason,
// and is not told as a stray line beside that.
func TestAReplyNestedTooDeepSaysSo(t *testing.T) {
	const deep = 100_000
	for name, in := range map[string]string{
		"whole":   `{"jsonrpc":"2.0","id":5,"result":` + strings.Repeat(`[`, deep) + strings.Repeat(`]`, deep) + "}\n",
		"id last": `{"jsonrpc":"2.0","result":` + strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat(`}`, deep) + `,"id":5}` + "\n",
	} {
		r := &wiretest.Recorder{}
		newReader(strings.NewReader(in), 1<<30, r, wire.NewNotices(r), func([]byte) {}).run()
		f := r.NextFailed(t)
		if e, ok := errors.AsType[*wire.DecodeError](f.Err); !ok || e.Reason != wire.ReasonNested || f.ID != wire.NumberID(5) {
			t.Errorf("%s: request %v failed with %v", name, f.ID, f.Err)
		}
		if _, _, noticed, _ := r.Rest(); len(noticed) > 0 {
			t.Errorf("%s: it is told a second time", name)
		}
	}
}
