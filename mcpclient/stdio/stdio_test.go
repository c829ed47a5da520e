//go:build unix

package stdio

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/assets/i18n"
	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

func TestMessagesGoThereAndBack(t *testing.T) {
	var mu sync.Mutex
	var seen []wire.Traffic
	tap := func(x wire.Traffic) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, x)
	}
	tr, r := run(t, "echo", Options{Tap: tap})
	request(t, tr, 1, "{\n\"z\": 9007199254740993,\n\"content\": \"secret\"}")
	got := r.Next(t)
	if got.Message.ID != wire.NumberID(1) || string(got.Message.Result) != `{"z":9007199254740993,"content":"secret"}` || !got.Over.IsZero() {
		t.Errorf("received %+v", got)
	}
	if err := tr.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := r.End(t); err != nil {
		t.Errorf("Closed told %v after Close", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(seen) != 2 || !seen[0].Outbound || seen[1].Outbound {
		t.Fatalf("the tap saw %+v", seen)
	}
	for _, x := range seen {
		if s := string(x.Message); strings.Contains(s, "secret") || !strings.Contains(s, "9007199254740993") || x.Size < 60 {
			t.Errorf("the tap saw %s of %d bytes", s, x.Size)
		}
	}
}

func TestTheProgramGetsArgumentsEnvironmentAndFolder(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	wiretest.NoLeaks(t, "parley/mcpclient")
	tr := New(Command{
		Path: os.Args[0],
		Args: []string{"a b", `"c"`, "$HOME", ""},
		Env:  []string{fakeVar + "=where", "GIVEN=x=y"},
		Dir:  dir,
	}, Options{})
	r := &wiretest.Recorder{}
	if err := tr.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	got := string(r.Next(t).Message.Params)
	want := fmt.Sprintf("[%q,%q,%q]", dir, "x=y", `a b|"c"|$HOME|`)
	if got != want {
		t.Errorf("the program saw %s, want %s", got, want)
	}
	r.End(t)
}

func TestB73_ANoisyServerIsStillServed(t *testing.T) {
	tr, r := run(t, "banner", Options{})
	request(t, tr, 1, `{}`)
	if got := r.Next(t); got.Message.ID != wire.NumberID(1) {
		t.Errorf("received %+v", got)
	}
	for _, want := range []string{"Server v1 started", "\x1b[32mready\x1b[0m", "npm warn deprecated x"} {
		if got := r.NextNotice(t, wire.NoticeStray).Text; got != want {
			t.Errorf("noticed %q, want %q", got, want)
		}
	}
}

// B75: what cannot be started says so at once, with a reason of its own.
func TestB75_WhatCannotBeStartedSaysWhy(t *testing.T) {
	t.Setenv("SHELL", "/no/such/shell") // the profile of whoever runs the test is not its business
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := write("plain", "#!/bin/sh\n", 0o644)
	orphan := write("orphan", "#!/no/such/interpreter\n", 0o755)
	garbage := write("garbage", "\x00\x01\x02\x03 no program", 0o755)
	text := write("text", "start the server\n", 0o755)
	tests := []struct {
		name string
		c    Command
		kind StartKind
		says string
	}{
		{"no command", Command{}, NotFound, ""},
		{"no such name", Command{Path: "no-such-program-zz"}, NotFound, "/usr/bin"},
		{"no such name in the PATH given", Command{Path: "sh", Env: []string{"PATH=" + dir}}, NotFound, dir},
		{"no such path", Command{Path: filepath.Join(dir, "absent")}, NotFound, "absent"},
		{"not executable", Command{Path: plain}, NotExecutable, plain},
		{"not executable, by name", Command{Path: "plain", Env: []string{"PATH=" + dir}}, NotExecutable, "plain"},
		{"a folder", Command{Path: dir}, NotExecutable, dir},
		{"no such folder to work in", Command{Path: "sh", Dir: filepath.Join(dir, "absent")}, NoDirectory, "absent"},
		{"a file to work in", Command{Path: "sh", Dir: plain}, NoDirectory, plain},
		{"a script without its interpreter", Command{Path: orphan}, NoInterpreter, orphan},
		{"no program of this system", Command{Path: garbage}, BadFormat, garbage},
		{"a text without a first line that names its interpreter", Command{Path: text}, BadFormat, text},
		{"an argument the system cannot pass", Command{Path: "sh", Args: []string{"a\x00b"}}, Refused, "sh"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wiretest.NoLeaks(t, "parley/mcpclient")
			tr := New(test.c, Options{})
			err := tr.Start(t.Context(), &wiretest.Recorder{})
			failure, ok := errors.AsType[*StartError](err)
			if !ok {
				t.Fatalf("Start: %v, want a StartError", err)
			}
			if failure.Kind != test.kind {
				t.Errorf("kind %s, want %s (%v)", failure.Kind, test.kind, err)
			}
			for _, tag := range i18n.Languages {
				s := i18n.New(tag).Text(failure.Sentence())
				if !strings.Contains(s, test.says) || s == "" || strings.Contains(s, "client.transport") {
					t.Errorf("%s: %q does not say %q", tag, s, test.says)
				}
			}
			if err := tr.Send(wire.Message{Method: "n"}, wire.SendOptions{}); !errors.Is(err, wire.ErrClosed) {
				t.Errorf("Send: %v", err)
			}
			if err := tr.Close(t.Context()); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}

func TestARelativePathIsRelativeToTheFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "server")); err != nil {
		t.Skip("no symbolic links here")
	}
	wiretest.NoLeaks(t, "parley/mcpclient")
	tr := New(Command{Path: "./server", Env: []string{fakeVar + "=where"}, Dir: dir}, Options{})
	r := &wiretest.Recorder{}
	if err := tr.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	r.End(t)
}

// B75: a program that ends at once says how, with its last words.
func TestB75_AnEarlyExitIsToldWithItsLastWords(t *testing.T) {
	tests := []struct {
		mode   string
		want   ExitError
		stderr []string
	}{
		{"words", ExitError{Code: 7}, []string{"first", "last words"}},
		{"not found", ExitError{Code: 127}, []string{"sh: nothing: not found"}},
		{"where", ExitError{Code: 0}, nil},
		{"killed", ExitError{Code: -1, Signal: "SIGKILL"}, nil},
		{"closes output", ExitError{Code: -1, OutputClosed: true}, nil},
	}
	for _, test := range tests {
		t.Run(test.mode, func(t *testing.T) {
			tr, r := run(t, test.mode, Options{})
			exit, ok := errors.AsType[*ExitError](r.End(t))
			if !ok {
				t.Fatalf("Closed told %v, want an ExitError", r.End(t))
			}
			if exit.Code != test.want.Code || exit.Signal != test.want.Signal || exit.OutputClosed != test.want.OutputClosed {
				t.Errorf("%+v, want %+v", exit, test.want)
			}
			if fmt.Sprint(exit.Stderr) != fmt.Sprint(test.stderr) || fmt.Sprint(tr.Stderr()) != fmt.Sprint(test.stderr) {
				t.Errorf("last words %q and %q, want %q", exit.Stderr, tr.Stderr(), test.stderr)
			}
			if m := exit.Sentence(); strings.Contains(i18n.New("en").Text(m), "client.transport") {
				t.Errorf("no sentence for %v", m)
			}
			if err := tr.Send(wire.Message{Method: "n"}, wire.SendOptions{}); err == nil {
				t.Error("Send works after the end")
			}
		})
	}
}

// B55, B71: Close comes to an end, and nothing is left after it.
func TestB55_B71_NothingIsLeftAfterClose(t *testing.T) {
	for _, test := range []struct {
		mode string
		runs int // processes
	}{
		{"echo", 1}, {"stays", 1}, {"stubborn", 1}, {"deaf", 1}, {"closes input", 1}, {"wrapper", 2},
	} {
		t.Run(test.mode, func(t *testing.T) {
			l := newLine(t)
			tr, r := run(t, test.mode, Options{}, l.env())
			for range test.runs {
				c := l.next()
				defer gone(t, c, "a process of "+test.mode)
			}
			if test.mode != "echo" {
				r.Next(t) // it is up
			}
			if err := tr.Close(t.Context()); err != nil {
				t.Errorf("Close: %v", err)
			}
			if err := r.End(t); err != nil {
				t.Errorf("Closed told %v after Close", err)
			}
			if err := tr.Close(t.Context()); err != nil {
				t.Errorf("second Close: %v", err)
			}
		})
	}
}

// B71: what a wrapper started ends with the wrapper.
func TestB71_NothingIsLeftWhenTheWrapperEnds(t *testing.T) {
	l := newLine(t)
	_, r := run(t, "wrapper that exits", Options{}, l.env())
	wrapper, server := l.next(), l.next()
	if _, ok := errors.AsType[*ExitError](r.End(t)); !ok {
		t.Errorf("Closed told %v, want an ExitError", r.End(t))
	}
	gone(t, wrapper, "the wrapper")
	gone(t, server, "what it started")
}

func TestACloseThatMayNotWaitKillsAtOnce(t *testing.T) {
	l := newLine(t)
	tr, r := run(t, "stubborn", Options{}, l.env())
	c := l.next()
	r.Next(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tr.Close(ctx); err != nil {
		t.Errorf("Close: %v", err)
	}
	gone(t, c, "the program")
}

// B55: what has left the group of the program, and holds its output, holds up
// no Close: one that may wait waits a little for last words, another not at all.
func TestB55_WhatEscapesHoldsUpNoClose(t *testing.T) {
	for name, grace := range map[string]time.Duration{"that waits": 100 * time.Millisecond, "that may not wait": time.Hour} {
		t.Run("B55 a Close "+name, func(t *testing.T) {
			l := newLine(t)
			tr, r := run(t, "escapes", Options{}, l.env())
			program, escaped := l.next(), l.next()
			said := r.Next(t).Message
			if said.Method != "left" { // what escaped has its say on the same output
				said = r.Next(t).Message
			}
			left, err := strconv.Atoi(string(said.Params))
			if err != nil {
				t.Fatal(err)
			}
			defer gone(t, escaped, "what escaped")
			defer syscall.Kill(left, syscall.SIGKILL)
			tr.grace = grace
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if grace == time.Hour {
				cancel()
			}
			if err := tr.Close(ctx); err != nil {
				t.Errorf("Close: %v", err)
			}
			if err := r.End(t); err != nil {
				t.Errorf("Closed told %v", err)
			}
			gone(t, program, "the program")
		})
	}
}

func TestAServerThatDoesNotReadNeverBlocksSend(t *testing.T) {
	tr, r := run(t, "deaf", Options{})
	r.Next(t)
	tr.queue.limit = 1 << 20
	// More than a pipe holds, and more than the limit: taken, as nothing waits.
	first := wire.Message{ID: wire.NumberID(1), Method: "m", Params: []byte(`"` + strings.Repeat("x", 2<<20) + `"`)}
	if err := tr.Send(first, wire.SendOptions{}); err != nil {
		t.Fatal(err)
	}
	err := tr.Send(wire.Message{Method: "n"}, wire.SendOptions{})
	if e, ok := errors.AsType[*wire.BacklogError](err); !ok || wire.Sentence(e).IsZero() {
		t.Errorf("Send over the limit: %v, want a BacklogError", err)
	}
}

func TestWhatAServerNoLongerReadsHasFailed(t *testing.T) {
	tr, r := run(t, "closes input", Options{})
	r.Next(t)
	undelivered := make(chan error, 1)
	m := wire.Message{Method: "n"}
	if err := tr.Send(m, wire.SendOptions{Undelivered: func(err error) { undelivered <- err }}); err != nil {
		t.Fatal(err)
	}
	if _, ok := errors.AsType[*InputError](<-undelivered); !ok {
		t.Error("a notification that was not taken is no InputError")
	}
	err := tr.Send(wire.Message{ID: wire.NumberID(1), Method: "m"}, wire.SendOptions{})
	if failure, ok := errors.AsType[*InputError](err); !ok || wire.Sentence(failure).IsZero() {
		t.Errorf("Send: %v, want an InputError", err)
	}
}

func TestARequestThatIsNotReadFails(t *testing.T) {
	tr, r := run(t, "closes input", Options{})
	r.Next(t)
	request(t, tr, 5, `{}`)
	failure := r.NextFailed(t)
	if _, ok := errors.AsType[*InputError](failure.Err); !ok || failure.ID != wire.NumberID(5) {
		t.Errorf("failed: %+v", failure)
	}
}

// B84: large replies arrive, and those over the limit fail alone.
func TestB84_LargeReplies(t *testing.T) {
	t.Run("within the limit", func(t *testing.T) {
		tr, r := run(t, "large", Options{})
		r.Patience = 5 * time.Minute
		for _, size := range []int{70_000, 1 << 20, 17 << 20} {
			request(t, tr, 1, fmt.Sprint(size))
			if got := r.Next(t); len(got.Message.Result) != size+2 {
				t.Errorf("received %d bytes, want %d", len(got.Message.Result), size+2)
			}
		}
	})
	t.Run("a picture", func(t *testing.T) {
		tr, r := run(t, "image", Options{})
		r.Patience = 5 * time.Minute // a slow machine, and the race detector
		const size = 20_000_000
		request(t, tr, 1, fmt.Sprint(size))
		if got := r.Next(t); len(got.Message.Result) < size*4/3 {
			t.Errorf("received %d bytes", len(got.Message.Result))
		}
	})
	t.Run("over the limit", func(t *testing.T) {
		tr, r := run(t, "large", Options{MaxMessage: 100_000})
		for id := range int64(2) {
			request(t, tr, id, "200000")
			failure := r.NextFailed(t)
			if _, ok := errors.AsType[*wire.TooLargeError](failure.Err); !ok || failure.ID != wire.NumberID(id) {
				t.Errorf("failed: %+v", failure)
			}
		}
	})
}

func TestATransportIsUsedOnce(t *testing.T) {
	tr, r := run(t, "echo", Options{})
	if err := tr.Start(t.Context(), r); !errors.Is(err, wire.ErrClosed) {
		t.Errorf("second Start: %v", err)
	}
	tr.Forget(wire.NumberID(1))
	if err := tr.Send(wire.Message{}, wire.SendOptions{}); err == nil || errors.Is(err, wire.ErrClosed) {
		t.Errorf("a message of no kind: %v", err)
	}
	never := New(Command{Path: "sh"}, Options{})
	if err := never.Close(t.Context()); err != nil {
		t.Errorf("Close before Start: %v", err)
	}
	if err := never.Start(t.Context(), r); !errors.Is(err, wire.ErrClosed) {
		t.Errorf("Start after Close: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(Command{Path: "sh"}, Options{}).Start(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("Start with an ended context: %v", err)
	}
}

func TestSendAndCloseMayMeet(t *testing.T) {
	tr, r := run(t, "echo", Options{})
	var wg sync.WaitGroup
	for n := range int64(8) {
		wg.Go(func() {
			for i := range int64(100) {
				m := wire.Message{ID: wire.NumberID(n*100 + i), Method: "m", Params: []byte(`{}`)}
				if err := tr.Send(m, wire.SendOptions{}); err != nil && !errors.Is(err, wire.ErrClosed) {
					t.Errorf("Send: %v", err)
				}
			}
		})
	}
	r.Next(t)
	for range 2 {
		wg.Go(func() {
			if err := tr.Close(t.Context()); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
	wg.Wait()
	if _, _, _, closed := r.Rest(); closed != 1 {
		t.Errorf("Closed was called %d times", closed)
	}
}
