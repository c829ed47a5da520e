//go:build unix

package stdio

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// The test binary is its own fake server: started with this variable set, it
// behaves as the variable's value says.
const fakeVar = "PARLEY_TEST_FAKE"

// lineVar is the address that a fake calls at when it runs. The connection
// breaks when the fake has ended, however that came about.
const lineVar = "PARLEY_TEST_LINE"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeVar); mode != "" {
		fake(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fake plays the server that mode names.
func fake(mode string) {
	callLine()
	switch mode {
	case "echo": // answers each request with its own params, until the end of input
		echo(os.Stdout)
	case "banner":
		fmt.Print("Server v1 started\n\x1b[32mready\x1b[0m\nnpm warn deprecated x\n\n\xEF\xBB\xBF")
		echo(os.Stdout)
	case "words": // says something on its way out
		fmt.Fprint(os.Stderr, "first\nlast words")
		os.Exit(7)
	case "not found":
		fmt.Fprintln(os.Stderr, "sh: nothing: not found")
		os.Exit(127)
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "closes output":
		os.Stdout.Close()
		wait()
	case "closes input":
		os.Stdin.Close()
		fmt.Println(`{"jsonrpc":"2.0","method":"closed"}`)
		wait()
	case "deaf": // never reads
		fmt.Println(`{"jsonrpc":"2.0","method":"up"}`)
		wait()
	case "stays": // ends only when asked by a signal
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Println(`{"jsonrpc":"2.0","method":"up"}`)
		<-c
		fmt.Println(`{"jsonrpc":"2.0","method":"asked"}`)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println(`{"jsonrpc":"2.0","method":"up"}`)
		wait()
	case "wrapper", "wrapper that exits": // starts another program and leaves it behind
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), fakeVar+"=stubborn")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		if mode == "wrapper" {
			io.Copy(io.Discard, os.Stdin)
		}
	case "escapes": // leaves something behind in a session of its own, with its output
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), fakeVar+"=stubborn")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Printf(`{"jsonrpc":"2.0","method":"left","params":%d}`+"\n", child.Process.Pid)
		io.Copy(io.Discard, os.Stdin)
	case "image": // answers with a picture of the size asked for
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			m, _ := wire.Decode([]byte(in.Text()))
			size, _ := strconv.Atoi(string(m.Params))
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"image","mimeType":"image/png","data":"%s"}]}}`+"\n",
				m.ID, base64.StdEncoding.EncodeToString(make([]byte, size)))
		}
	case "app": // a Parley that runs the servers named and is then killed
		for _, server := range os.Args[1:] {
			t := New(Command{Path: os.Args[0], Env: []string{fakeVar + "=" + server}}, Options{})
			if err := t.Start(context.Background(), &wiretest.Recorder{}); err != nil {
				panic(err)
			}
		}
		fmt.Printf(`{"jsonrpc":"2.0","method":"guard","params":[%d]}`+"\n", theGuard.process())
		wait()
	case "files": // what a program has open
		fmt.Printf(`{"jsonrpc":"2.0","method":"files","params":[%q]}`+"\n", fmt.Sprint(openPipes(false)))
	case "where":
		dir, _ := os.Getwd()
		fmt.Printf(`{"jsonrpc":"2.0","method":"where","params":[%q,%q,%q]}`+"\n", dir, os.Getenv("GIVEN"), strings.Join(os.Args[1:], "|"))
	case "path":
		fmt.Printf(`{"jsonrpc":"2.0","method":"path","params":[%q]}`+"\n", os.Getenv("PATH"))
	case "large": // answers with text of the size asked for
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			m, _ := wire.Decode([]byte(in.Text()))
			size, _ := strconv.Atoi(string(m.Params))
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":"%s"}`+"\n", m.ID, strings.Repeat("x", size))
		}
	default:
		panic("no such fake: " + mode)
	}
}

func echo(out io.Writer) {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if m, bad := wire.Decode([]byte(line)); bad == nil && m.Kind() == wire.Request {
			reply, _ := wire.Encode(wire.Message{ID: m.ID, Result: m.Params})
			out.Write(append(reply, '\n'))
		}
		if err != nil {
			return
		}
	}
}

// wait ends only by a signal.
func wait() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	<-c
}

// openPipes lists the pipes that this process has open, or those of them that
// programs it starts have too.
func openPipes(inherited bool) []int {
	var open []int
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		target, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err != nil || !strings.HasPrefix(target, "pipe:") {
			continue
		}
		fd, _ := strconv.Atoi(e.Name())
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil && (!inherited || flags&unix.FD_CLOEXEC == 0) {
			open = append(open, fd)
		}
	}
	return open
}

func callLine() {
	if address := os.Getenv(lineVar); address != "" {
		c, err := net.Dial("tcp", address)
		if err != nil {
			panic(err)
		}
		go func() { // a test that failed leaves nothing behind either
			io.Copy(io.Discard, c)
			os.Exit(0)
		}()
	}
}

// line counts fakes by the connections they hold.
type line struct {
	net.Listener
	t *testing.T
}

func newLine(t *testing.T) *line {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &line{l, t}
}

func (l *line) env() string { return lineVar + "=" + l.Addr().String() }

// next waits for the next fake to call.
func (l *line) next() net.Conn {
	l.t.Helper()
	l.Listener.(*net.TCPListener).SetDeadline(time.Now().Add(20 * time.Second))
	c, err := l.Accept()
	if err != nil {
		l.t.Fatalf("no fake called: %v", err)
	}
	l.t.Cleanup(func() { c.Close() })
	return c
}

// gone waits until the fake behind c has ended.
func gone(t *testing.T, c net.Conn, what string) {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.Copy(io.Discard, c); err != nil {
		if e, ok := err.(net.Error); ok && e.Timeout() {
			t.Errorf("%s still runs", what)
		}
	}
}

// stubborn are the fakes that end only when made to; they are given little
// time, and all others plenty.
var stubborn = []string{"stays", "stubborn", "deaf", "closes output", "closes input", "wrapper", "wrapper that exits"}

// run is begin for a test's only fake.
func run(t *testing.T, mode string, o Options, env ...string) (*Transport, *wiretest.Recorder) {
	t.Helper()
	wiretest.NoLeaks(t, "parley/mcpclient")
	return begin(t, mode, o, env...)
}

// begin starts the fake mode and returns what it says. It is closed when the
// test ends.
func begin(t *testing.T, mode string, o Options, env ...string) (*Transport, *wiretest.Recorder) {
	t.Helper()
	tr := New(Command{Path: os.Args[0], Env: append(env, fakeVar+"="+mode)}, o)
	tr.grace = 20 * time.Second
	if slices.Contains(stubborn, mode) {
		tr.grace = 300 * time.Millisecond
	}
	r := &wiretest.Recorder{}
	if err := tr.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return tr, r
}

func request(t *testing.T, tr *Transport, id int64, params string) {
	t.Helper()
	m := wire.Message{ID: wire.NumberID(id), Method: "echo", Params: []byte(params)}
	if err := tr.Send(m, wire.SendOptions{}); err != nil {
		t.Fatal(err)
	}
}
