package hostile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"

	"parley/mcpclient"
)

// The environment of a peer that is a process of its own: the name of the
// behaviour, the place, and whether it listens at an address.
const (
	peerVar   = "PARLEY_HOSTILE_PEER"
	placeVar  = "PARLEY_HOSTILE_PLACE"
	listenVar = "PARLEY_HOSTILE_LISTEN"
)

func TestMain(m *testing.M) {
	name := os.Getenv(peerVar)
	if name == "" {
		os.Exit(m.Run())
	}
	transport, era, _ := strings.Cut(os.Getenv(placeVar), " ")
	s := newServer(named(name), place{transport, mcpclient.Era(era)})
	if os.Getenv(listenVar) != "" {
		beAddress(s)
	}
	beProgram(s)
}

// beAddress is the process of a server that is reached at an address, which it
// prints. It ends with its standard input.
func beAddress(s *server) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr())
	a := listen(s, listener)
	io.Copy(io.Discard, os.Stdin)
	a.close()
	os.Exit(0)
}

// program is a server whose standard streams the client holds.
type program struct {
	*server
	in   *bufio.Reader
	lock sync.Mutex // of the output
}

// beProgram is the process of such a server. It ends with its standard input.
func beProgram(s *server) {
	p := &program{server: s, in: bufio.NewReaderSize(os.Stdin, 1<<16)}
	if s.run != nil {
		s.run(p)
		os.Exit(0)
	}
	for {
		m, err := p.next()
		if err != nil {
			os.Exit(0)
		}
		p.take(m)
	}
}

// next reads the next message of the client.
func (p *program) next() (message, error) {
	line, err := p.in.ReadBytes('\n')
	if err != nil {
		return message{}, err
	}
	var m message
	err = json.Unmarshal(line, &m)
	return m, err
}

// take serves m. A behaviour may wait for replies, so it is not waited for.
func (p *program) take(m message) {
	switch {
	case m.Method == "":
		p.heard(m)
	case p.attacked(m) || p.on == "listening" && m.Method == "notifications/initialized":
		go func() {
			if p.on == "listening" {
				m.Method = "listening"
			}
			p.serve(m, p.line)
		}()
	default:
		p.serve(m, p.line)
	}
}

// line writes a line. The client may be gone.
func (p *program) line(text string) { p.write(text + "\n") }

// write writes text as it is. Nobody to write to is the end.
func (p *program) write(text string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if _, err := os.Stdout.WriteString(text); err != nil {
		os.Exit(0)
	}
}

// until serves as a good server does until the client sends what the behaviour
// is for, which it returns.
func (p *program) until(method string) message {
	for {
		m, err := p.next()
		if err != nil {
			os.Exit(0)
		}
		if m.Method == method && (method != "tools/call" || m.tool() == attack) {
			return m
		}
		p.take(m)
	}
}

// goOn serves until the client ends it.
func (p *program) goOn() {
	for {
		m, err := p.next()
		if errors.Is(err, io.EOF) {
			return
		}
		p.take(m)
	}
}

// reply is the line that answers m well.
func reply(m message) string {
	return string(bytes.Join([][]byte{[]byte(`{"jsonrpc":"2.0","id":`), m.ID, []byte(`,"result":` + fineResult + `}`)}, nil))
}

// untilOrdinary serves until the ordinary call comes, which it returns.
func (p *program) untilOrdinary() message {
	for {
		m, err := p.next()
		if err != nil {
			os.Exit(0)
		}
		if m.Method == "tools/call" && m.tool() == ordinary {
			return m
		}
		p.take(m)
	}
}

// ignoreSignals makes the program deaf to the polite ones.
func ignoreSignals() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) }
