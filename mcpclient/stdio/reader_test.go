package stdio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

const (
	note  = `{"jsonrpc":"2.0","method":"n"}`
	reply = `{"jsonrpc":"2.0","id":1,"result":{"a":[1,"{"]}}`
)

// B73: text on standard output that is no message is stepped over and told.
func TestB73_WhatIsNoMessageIsSteppedOver(t *testing.T) {
	pretty := indent(reply)
	tests := []struct {
		name, output string
		want         string // kinds of the messages in their order
		strays       []string
		failed       string // ids of requests that failed
	}{
		{"nothing", "", "", nil, ""},
		{"a banner", "Server v1 started\n" + note + "\n", "n", []string{"Server v1 started"}, ""},
		{"colours", "\x1b[32mready\x1b[0m\n" + note + "\n", "n", []string{"\x1b[32mready\x1b[0m"}, ""},
		{"a byte order mark", "\xEF\xBB\xBF" + note + "\n", "n", nil, ""},
		{"a package manager", "npm warn deprecated x@1\n> start\n> node x\n\n" + note + "\n", "n",
			[]string{"npm warn deprecated x@1", "> start", "> node x"}, ""},
		{"blank lines and CRLF", "\r\n\n  \n" + note + "\r\n\t\n" + reply + "\r\n", "n r", nil, ""},
		{"no line feed at the end", note, "n", nil, ""},
		{"JSON that is no message", `{"level":"info","method":"GET"}` + "\n[1,2]\n42\n" + note + "\n", "n",
			[]string{`{"level":"info","method":"GET"}`, `[1,2]`, `42`}, ""},
		{"a banner on the same line", "ready> " + note + "\n", "n", []string{"ready>"}, ""},
		{"colours around a message", "\x1b[0m" + note + "\x1b[0m\n", "n", []string{"\x1b[0m", "\x1b[0m"}, ""},
		{"several messages on one line", note + reply + " " + note + "\n", "n r n", nil, ""},
		{"text behind a message", note + "trailing\n" + note + "\n", "n n", []string{"trailing"}, ""},
		{"a batch", "[" + note + "," + reply + "]\n", "n r", nil, ""},
		{"a batch with something else in it", "[" + note + ",7]\n", "n", []string{"[" + note + ",7]"}, ""},
		{"one message over many lines", pretty + "\n" + note + "\n", "r n", nil, ""},
		{"one message over many CRLF lines", strings.ReplaceAll(pretty, "\n", "\r\n") + "\r\n" + note + "\r\n", "r n", nil, ""},
		{"two messages over many lines", pretty + "\n" + pretty + "\n", "r r", nil, ""},
		{"a lone bracket", "{\n" + note + "\n", "n", []string{"{"}, ""},
		{"an object that becomes text", "{\nhello\n" + note + "\n", "n", []string{"{", "hello"}, ""},
		{"brackets of no object", "{\n]\n" + note + "\n", "n", []string{"{\n]"}, ""},
		{"text in brackets", "[INFO] up\n{starting}\n" + note + "\n", "n", []string{"[INFO] up", "{starting}"}, ""},
		{"a message over many lines that is cut off", strings.TrimSuffix(pretty, "}"), "", []string{strings.ReplaceAll(strings.TrimSuffix(pretty, "\n}"), "  ", "")}, "1"},
		{"a reply that is cut off", `{"jsonrpc":"2.0","id":7,"result":{"text":"abc` + "\n" + note + "\n", "n",
			[]string{`{"jsonrpc":"2.0","id":7,"result":{"text":"abc`}, "7"},
		{"a reply that is cut off by another", `{"jsonrpc":"2.0","id":7,"result":{"te` + note + "\n", "n",
			[]string{`{"jsonrpc":"2.0","id":7,"result":{"te`}, "7"},
		{"a reply with a faulty error", `{"jsonrpc":"2.0","id":7,"error":[]}` + "\n", "",
			[]string{`{"jsonrpc":"2.0","id":7,"error":[]}`}, "7"},
		{"NUL and other controls", "\x00\x01\x02\n" + note + "\n", "n", []string{"\x00\x01\x02"}, ""},
		{"bytes that are no UTF-8", "\xff\xfe\n" + note + "\n", "n", []string{"\uFFFD"}, ""},
		{"nesting without end", strings.Repeat("[", 100000) + "\n" + note + "\n", "n", []string{strings.Repeat("[", maxNotice-3) + "…"}, ""},
	}
	for _, test := range tests {
		for _, pieces := range []string{"whole", "byte by byte"} {
			t.Run(test.name+" "+pieces, func(t *testing.T) {
				var in io.Reader = strings.NewReader(test.output)
				if pieces != "whole" {
					in = iotest.OneByteReader(in)
				}
				r := &wiretest.Recorder{}
				newReader(in, wire.DefaultMaxMessage, r, wire.NewNotices(r), func([]byte) {}).run()
				got, strays, failed := summary(r)
				if got != test.want {
					t.Errorf("messages %q, want %q", got, test.want)
				}
				if fmt.Sprintf("%q", strays) != fmt.Sprintf("%q", test.strays) {
					t.Errorf("strays %.300q, want %.300q", strays, test.strays)
				}
				if failed != test.failed {
					t.Errorf("failed requests %q, want %q", failed, test.failed)
				}
			})
		}
	}
}

func summary(r *wiretest.Recorder) (messages string, strays []string, failed string) {
	received, failures, notices, _ := r.Rest()
	var kinds, ids []string
	for _, x := range received {
		if x.Message.Kind() == wire.Response {
			kinds = append(kinds, "r")
		} else {
			kinds = append(kinds, x.Message.Method)
		}
	}
	for _, n := range notices {
		strays = append(strays, n.Text)
	}
	for _, f := range failures {
		ids = append(ids, f.ID.String())
	}
	return strings.Join(kinds, " "), strays, strings.Join(ids, " ")
}

func indent(raw string) string {
	out, err := json.MarshalIndent(json.RawMessage(raw), "", "  ")
	if err != nil {
		panic(err)
	}
	return string(out)
}

// B84: over the size limit only that one request fails.
func TestB84_AMessageOverTheLimitFailsItsRequestAlone(t *testing.T) {
	const limit = 1000
	fill := strings.Repeat("x", limit)
	exact := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":"%s"}`, strings.Repeat("x", limit-36))
	tests := []struct {
		name, output string
		want, failed string
		strays       int
	}{
		{"just within", exact + "\n", "r", "", 0},
		{"just within, CRLF", exact + "\r\n", "r", "", 0},
		{"one byte over", strings.Replace(exact, "xx", "xxx", 1) + "\n" + note + "\n", "n", "1", 0},
		{"id last", `{"result":"` + fill + `","id":2}` + "\n" + note + "\n", "n", "2", 0},
		{"a request of the server", `{"jsonrpc":"2.0","id":1,"method":"m","params":"` + fill + `"}` + "\n" + note + "\n", "n", "", 1},
		{"no JSON", fill + fill + "\n" + note + "\n", "n", "", 1},
		{"over many lines", "{\n\"id\":3,\n\"result\":[\n" + strings.Repeat("1,\n", limit) + "1]}\n" + note + "\n", "n", "3", 1},
		{"until the end", `{"id":4,"result":"` + fill, "", "4", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if len(exact) != limit {
				t.Fatalf("the test's message has %d bytes", len(exact))
			}
			r := &wiretest.Recorder{}
			newReader(strings.NewReader(test.output), limit, r, wire.NewNotices(r), func([]byte) {}).run()
			_, failures, _, _ := r.Rest()
			got, strays, failed := summary(r)
			if got != test.want || failed != test.failed {
				t.Errorf("messages %q and failed requests %q, want %q and %q", got, failed, test.want, test.failed)
			}
			// What failed a request is not told a second time.
			if len(strays) < test.strays || test.strays == 0 && len(strays) > 0 {
				t.Errorf("%d strays, want at least %d, or none for 0", len(strays), test.strays)
			}
			for _, f := range failures {
				if tooLarge, ok := errors.AsType[*wire.TooLargeError](f.Err); !ok || tooLarge.Limit != limit {
					t.Errorf("request %v failed with %v, want a TooLargeError of %d", f.ID, f.Err, limit)
				}
			}
		})
	}
}

func TestLinesOfStandardErrorAreBounded(t *testing.T) {
	var lines []string
	in := "one\r\n\n" + strings.Repeat("é", 5000) + "\ntail"
	eachLine(iotest.HalfReader(strings.NewReader(in)), func(s string) { lines = append(lines, s) })
	if len(lines) != 3 || lines[0] != "one" || lines[2] != "tail" {
		t.Fatalf("%d lines: %.40q", len(lines), lines)
	}
	if len(lines[1]) > maxLine || !strings.HasSuffix(lines[1], "é…") {
		t.Errorf("the long line has %d bytes and ends in %q", len(lines[1]), lines[1][len(lines[1])-6:])
	}
	var r ring
	for i := range maxLines + 5 {
		r.add(fmt.Sprint(i))
	}
	if kept := r.lines(); len(kept) != maxLines || kept[0] != "5" || kept[maxLines-1] != fmt.Sprint(maxLines+4) {
		t.Errorf("kept %d lines from %s to %s", len(kept), kept[0], kept[len(kept)-1])
	}
}

func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		note + "\n" + reply, indent(reply), "{\n" + note, "x" + note + "y" + reply, "[\n" + note + "\n]",
		"\xEF\xBB\xBF{\r\n\"id\":1,\r\n\"result\":\"", `{"id":1,"result":"` + strings.Repeat("x", 300),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		for _, limit := range []int64{200, wire.DefaultMaxMessage} {
			r := &wiretest.Recorder{}
			newReader(strings.NewReader(string(output)), limit, r, wire.NewNotices(r), func(raw []byte) {
				if !json.Valid(raw) {
					t.Errorf("the tap was shown %q", raw)
				}
			}).run()
			received, _, notices, _ := r.Rest()
			for _, x := range received {
				if x.Message.Kind() == wire.None {
					t.Errorf("a message of no kind from %q", output)
				}
			}
			for _, n := range notices {
				if len(n.Text) > maxNotice {
					t.Errorf("a notice of %d bytes", len(n.Text))
				}
			}
		}
	})
}
