package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A scripted server plays one conversation. Its script is lines:
//
//	era modern|legacy      how it shakes hands (the handshake is not scripted)
//	era exits|silent       a legacy one that ends with code 1, or says nothing,
//	                       when it gets server/discover
//	info JSON              its serverInfo
//	offers JSON            its capabilities
//	modes refuse           it refuses a client that names the modes of elicitation
//	< METHOD               wait for this request or notification
//	< response             wait for the response to a request of the server
//	> JSON                 send a line; $ID is the id of the newest request,
//	                       $TOKEN its progress token
//	>> TEXT                send a line that need be no JSON
//	err TEXT               write a line to standard error
//	env NAME               write an environment variable there, backwards
//	after D                let time pass; only where a test holds the clock
//	exit N                 end at once
//	# …                    a remark
//
// Everything but the handshake is written to the log, a message a line, so
// that a test sees the bytes that came over the wire. After the script it
// waits for the end of its input.
type scripted struct {
	in      *bufio.Reader
	out     io.Writer
	err     io.Writer
	log     io.Writer
	era     string
	refuses bool // a client that names the modes of elicitation
	code    int  // its exit code
	info    string
	offers  string
	newest  message
	waiting []message // read, but not waited for yet
}

// message is as much of a message as the script needs.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Capabilities struct {
			Elicitation map[string]json.RawMessage `json:"elicitation"`
		} `json:"capabilities"`
		Meta struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

// scriptedMain is the scripted server as a program: SCRIPT [LOG].
func scriptedMain() {
	script, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	log := io.Discard
	if len(os.Args) > 2 {
		f, err := os.OpenFile(os.Args[2], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		log = f
	}
	os.Exit(play(string(script), os.Stdin, os.Stdout, os.Stderr, log))
}

// play plays a script and returns the exit code.
func play(script string, in io.Reader, out, errs, log io.Writer) int {
	s := &scripted{in: bufio.NewReader(in), out: out, err: errs, log: log,
		info: `{"name":"scripted","version":"1"}`, offers: `{"tools":{},"prompts":{},"resources":{}}`}
	for _, line := range strings.Split(script, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "", "#":
		case "era":
			s.era = rest
		case "info":
			s.info = rest
		case "offers":
			s.offers = rest
		case "modes":
			s.refuses = rest == "refuse"
		case "<":
			if !s.await(rest) {
				return s.code
			}
		case ">":
			s.send(s.fill(rest))
		case ">>":
			s.send(rest)
		case "err":
			fmt.Fprintln(s.err, rest)
		case "env":
			value := []byte(os.Getenv(rest))
			slices.Reverse(value)
			fmt.Fprintf(s.err, "%s backwards is %s\n", rest, value)
		case "after":
			d, _ := time.ParseDuration(rest)
			<-time.After(d)
		case "exit":
			code, _ := strconv.Atoi(rest)
			return code
		default:
			fmt.Fprintf(s.err, "scripted: what is %q?\n", line)
			return 9
		}
	}
	for s.await("") {
	}
	return s.code
}

func (s *scripted) send(line string) { fmt.Fprintln(s.out, line) }

// fill puts the newest request's id and progress token into a line.
func (s *scripted) fill(line string) string {
	line = strings.ReplaceAll(line, "$ID", string(s.newest.ID))
	return strings.ReplaceAll(line, "$TOKEN", string(s.newest.Params.Meta.Token))
}

// await waits for a message; false is the end of the input. What comes in
// between stays for a later wait. The wait for "" takes anything.
func (s *scripted) await(what string) bool {
	for i, m := range s.waiting {
		if m.is(what) {
			s.waiting = append(s.waiting[:i:i], s.waiting[i+1:]...)
			s.take(m)
			return true
		}
	}
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			return false
		}
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			fmt.Fprintf(s.err, "scripted: %v\n", err)
			return false
		}
		if s.era == "exits" && m.Method == "server/discover" {
			s.code = 1
			return false
		}
		if s.handshake(m) {
			continue
		}
		fmt.Fprint(s.log, line)
		if m.is(what) {
			s.take(m)
			return true
		}
		s.waiting = append(s.waiting, m)
	}
}

func (m message) is(what string) bool {
	return what == "" || m.Method == what || m.Method == "" && what == "response"
}

// take makes m the newest request, if it is one.
func (s *scripted) take(m message) {
	if m.Method != "" && m.ID != nil {
		s.newest = m
	}
}

// handshake answers what belongs to it.
func (s *scripted) handshake(m message) bool {
	reply := func(body string) { s.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,` + body + `}`) }
	capabilities := `"capabilities":` + s.offers
	switch m.Method {
	case "server/discover":
		switch s.era {
		case "silent":
		case "legacy":
			reply(`"error":{"code":-32601,"message":"Method not found"}`)
		default:
			reply(`"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],` + capabilities +
				`,"_meta":{"io.modelcontextprotocol/serverInfo":` + s.info + `}}`)
		}
	case "initialize":
		if s.refuses && len(m.Params.Capabilities.Elicitation) > 0 {
			reply(`"error":{"code":-32602,"message":"elicitation takes no members"}`)
			return true
		}
		reply(`"result":{"protocolVersion":"2025-11-25",` + capabilities + `,"serverInfo":` + s.info + `}`)
	default:
		return false
	}
	return true
}
