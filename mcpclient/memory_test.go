package mcpclient

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"parley/mcpclient/http"
	"parley/mcpclient/wire"
)

// hang ends the connection that stands and waits until it has.
func (b *bench) hang(t *testing.T) {
	t.Helper()
	if err := b.client.Disconnect(t.Context(), testServer.ID); err != nil {
		t.Fatal(err)
	}
	b.status(Closed)
}

// reconnect connects to s again.
func (b *bench) reconnect(t *testing.T, s Server) *Connection {
	t.Helper()
	k, err := b.client.Connect(t.Context(), s)
	if err != nil {
		t.Fatalf("connecting again: %v", err)
	}
	return k
}

func methodsSeen(b *bench) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, p := range b.peers {
		p.mu.Lock()
		for _, s := range p.seen {
			if s.Kind() == wire.Request {
				out = append(out, s.Method)
			}
		}
		p.mu.Unlock()
	}
	return out
}

func TestB56_TheEraOfAServerIsRemembered(t *testing.T) {
	b := connected(t, legacy(func(*peer, wire.Message) {}, nil))
	b.hang(t)
	k := b.reconnect(t, testServer)
	if k.Info().Era != Legacy {
		t.Errorf("era = %s", k.Info().Era)
	}
	if got := strings.Join(methodsSeen(b), " "); got != "server/discover initialize initialize" {
		t.Errorf("asked: %s; want no second discover", got)
	}
}

func TestWhatIsRememberedHoldsForTheSamePlaceOnly(t *testing.T) {
	b := connected(t, legacy(func(*peer, wire.Message) {}, nil))
	b.hang(t)
	other := testServer
	other.Args = []string{"--stdio", "--new"}
	b.reconnect(t, other)
	if got := strings.Join(methodsSeen(b), " "); got != "server/discover initialize server/discover initialize" {
		t.Errorf("asked: %s; want the changed command probed", got)
	}
}

func TestPlacesDifferInEverythingThatStartsOrReachesAServer(t *testing.T) {
	base := Server{Kind: Stdio, Command: "a", Args: []string{"b", "c"}, Env: map[string]string{"K": "v"}}
	places := map[string]string{}
	for name, change := range map[string]func(*Server){
		"as it is":     func(*Server) {},
		"kind":         func(s *Server) { s.Kind = HTTP },
		"command":      func(s *Server) { s.Command = "ab" },
		"argument":     func(s *Server) { s.Args = []string{"bc"} },
		"moved border": func(s *Server) { s.Command, s.Args = "ab", []string{"", "c"} },
		"folder":       func(s *Server) { s.Dir = "d" },
		"variable":     func(s *Server) { s.Env = map[string]string{"L": ""} },
		"value":        func(s *Server) { s.Env = map[string]string{"K": "other"} },
		"secret value": func(s *Server) { s.Env, s.SecretEnv = nil, []string{"K"} },
		"address":      func(s *Server) { s.URL = "https://x.example" },
	} {
		s := base
		change(&s)
		if twin, taken := places[s.Place()]; taken {
			t.Errorf("%q and %q have one place", name, twin)
		}
		places[s.Place()] = name
	}
	same := base
	same.Name, same.Silence = "other", 7
	if same.Place() != base.Place() {
		t.Error("a name or a bound changes the place")
	}
}

// TestAPlaceIsThatOfTheProgramThatWouldRun: what is relative to the home folder is
// another program in another one; what is not stays allowed there.
func TestAPlaceIsThatOfTheProgramThatWouldRun(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	for _, c := range []struct {
		line, dir string
		bound     bool
	}{
		{"./srv", "", true},
		{"bin/srv --stdio", "", true},
		{"../srv", "", true},
		{"srv", "sub", true},
		{"node server.js", "", true},
		{"python3 -m server", "", true},
		{"/usr/bin/python3 -m server", "", true},
		{"sh -c ./run", "", true},
		{"tool dist/index.mjs", "", true},
		{"tool --config=./x", "", true},
		{"uv run server", "", true},
		{"docker run -v ./x:/x image", "", true},
		{"node --import tsx /opt/srv/index.ts", "", true},
		{"python3", "", true},
		{"./srv", one, false},
		{"node /opt/srv/index.js --root /srv", "", false},
		{"uv --directory /opt/srv run server.py", "", true},
		{"uv --directory /opt/srv run server", "", false},
		{"node server.js", one, false},
		{"npx -y @scope/server-files /home/lin", "", false},
		{"npx -y bignumber.js@9", "", false},
		{"uvx mcp-server-git", "", false},
		{"docker run -i --rm ghcr.io/github/github-mcp-server", "", false},
		{"/opt/srv --stdio", "", false},
		{"srv", "", false},
	} {
		words := strings.Fields(c.line)
		s := Server{Kind: Stdio, Command: words[0], Args: words[1:], Dir: c.dir}
		if got := s.placeIn(one) != s.placeIn(two); got != c.bound {
			t.Errorf("%s in %q: it is another place in another folder: %v", c.line, c.dir, got)
		}
	}
	address := Server{Kind: HTTP, URL: "https://a.example/mcp"}
	if address.placeIn(one) != address.placeIn(two) {
		t.Error("an address is another place in another folder")
	}
}

func TestAnEraThatTurnsOutWrongIsLearntAnew(t *testing.T) {
	for name, answer := range map[string]func(*peer, wire.Message){
		"an unknown method":       func(p *peer, m wire.Message) { p.refuse(m, `{"code":-32601,"message":"no"}`) },
		"an unsupported revision": func(p *peer, m wire.Message) { p.refuse(m, `{"code":-32022,"message":"no"}`) },
		"an exit":                 func(p *peer, m wire.Message) { p.end(errBroken) },
		"nonsense":                func(p *peer, m wire.Message) { p.reply(m, `[]`) },
		"HTTP 400":                func(p *peer, m wire.Message) { p.fail(m, &http.StatusError{Status: 400}) },
		"a far revision":          func(p *peer, m wire.Message) { p.reply(m, `{"protocolVersion":"2031-01-01"}`) },
	} {
		var modernNow atomic.Bool
		b := connected(t, func(p *peer, m wire.Message) {
			switch {
			case !modernNow.Load():
				legacy(nil, nil)(p, m)
			case m.Method == "initialize":
				answer(p, m)
			case m.Method == "server/discover":
				p.reply(m, discovered)
			}
		})
		b.hang(t)
		modernNow.Store(true)
		if k := b.reconnect(t, testServer); k.Info().Era != Modern {
			t.Errorf("a server that was legacy and answers %s: still %s", name, k.Info().Era)
		}
	}
}

func TestAServerThatCannotBeReachedIsStillRemembered(t *testing.T) {
	var down atomic.Bool
	b := connected(t, func(p *peer, m wire.Message) {
		if down.Load() {
			p.fail(m, &http.NetworkError{Kind: http.NetworkBroken, Err: errors.New("refused")})
			return
		}
		legacy(nil, nil)(p, m)
	})
	b.hang(t)
	down.Store(true)
	if _, err := b.client.Connect(t.Context(), testServer); err == nil {
		t.Fatal("connected to a server that is down")
	}
	if got := strings.Join(methodsSeen(b), " "); got != "server/discover initialize initialize" {
		t.Errorf("asked: %s; want one attempt while it is down", got)
	}
	down.Store(false)
	b.reconnect(t, testServer)
	if got := strings.Join(methodsSeen(b), " "); got != "server/discover initialize initialize initialize" {
		t.Errorf("asked: %s; want it remembered afterwards", got)
	}
}

func TestALegacyServerOfANewVersionIsProbedTheNextTime(t *testing.T) {
	var version atomic.Int32
	b := connected(t, func(p *peer, m wire.Message) {
		if m.Method == "initialize" {
			p.reply(m, `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"`+strconv.Itoa(int(version.Load()))+`"}}`)
			return
		}
		legacy(nil, nil)(p, m)
	})
	b.hang(t)
	version.Store(2)
	b.reconnect(t, testServer)
	b.hang(t)
	b.reconnect(t, testServer)
	if got := strings.Join(methodsSeen(b), " "); got != "server/discover initialize initialize server/discover initialize" {
		t.Errorf("asked: %s", got)
	}
}

func TestARememberedOldTransportIsReachedAtOnce(t *testing.T) {
	s := Server{ID: testServer.ID, Name: "o", Kind: HTTP, URL: "http://127.0.0.1:1/mcp"}
	b := newBench(t, s, func(p *peer, m wire.Message) {
		switch {
		case p.kind == HTTP:
			p.fail(m, &http.StatusError{Status: 405})
		case m.Method == "initialize":
			p.reply(m, `{"protocolVersion":"2025-03-26","capabilities":{}}`)
		}
	})
	b.reconnect(t, s)
	b.hang(t)
	k := b.reconnect(t, s)
	if k.Info().Identity.Transport != SSE || b.dialled() != 4 {
		t.Errorf("transport %s after %d attempts, want sse after 3 and 1", k.Info().Identity.Transport, b.dialled())
	}
}

// strict is a server that takes no client which names the modes of
// elicitation, in the era it is of.
func strict(era Era, then func(*peer, wire.Message)) func(*peer, wire.Message) {
	return func(p *peer, m wire.Message) {
		names := strings.Contains(string(m.Params), `"form"`)
		switch {
		case m.Method == "server/discover" && era == Modern && !names:
			p.reply(m, discovered)
		case m.Method == "initialize" && era == Legacy && !names:
			p.reply(m, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}`)
		case m.Method == "initialize" && era == Modern:
			p.refuse(m, `{"code":-32601,"message":"no"}`)
		case m.Method == "server/discover" || m.Method == "initialize":
			p.refuse(m, `{"code":-32602,"message":"unrecognized key"}`)
		case then != nil:
			then(p, m)
		}
	}
}

func TestC6_AServerThatRefusesTheModesIsToldOfNone(t *testing.T) {
	for _, pin := range []string{"", "pinned"} {
		for era, revision := range map[Era]string{Modern: "2026-07-28", Legacy: "2025-06-18"} {
			s := testServer
			if pin != "" {
				s.Protocol = revision
			}
			b := newBench(t, s, strict(era, nil))
			k := b.reconnect(t, s)
			if k.Info().Era != era || !k.Info().Plain {
				t.Errorf("%s %s: info = %+v", pin, era, k.Info())
			}
			b.notice("core.notice.plain")
			b.hang(t)
			before := b.dialled()
			b.reconnect(t, s)
			if got := b.dialled() - before; pin == "" && got != 1 {
				t.Errorf("%s: %d attempts the next time, want what was learnt to be used", era, got)
			}
		}
	}
}

func TestC6_AServerToldOfNoModesCannotAskToOpenAPage(t *testing.T) {
	page := `{"mode":"url","message":"m","url":"https://x.example/","elicitationId":"e"}`
	t.Run("pushed", func(t *testing.T) {
		b := newBench(t, testServer, strict(Legacy, nil))
		b.reconnect(t, testServer)
		p := b.peer()
		p.say(wire.ID{}, `{"jsonrpc":"2.0","id":"u","method":"elicitation/create","params":`+page+`}`)
		b.notice("core.notice.badpush")
		if r := p.responses()[`"u"`]; r.Error == nil || r.Error.Code != wire.CodeInvalidParams {
			t.Errorf("answered with %+v, want -32602", r.Error)
		}
		p.say(wire.ID{}, `{"jsonrpc":"2.0","id":"f","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`)
		if q := b.question(); q.Mode != ModeForm {
			t.Errorf("a form of the same server is %+v", q)
		}
	})
	t.Run("in a round", func(t *testing.T) {
		b := newBench(t, testServer, strict(Modern, func(p *peer, m wire.Message) {
			p.reply(m, needs(`{"a":{"method":"elicitation/create","params":`+page+`}}`, ""))
		}))
		b.conn = b.reconnect(t, testServer)
		if c := b.ended(b.call(CallRequest{})); c.State != CallFailed || c.Failure.Text.ID != "core.invalid.entry" {
			t.Errorf("the call is %s: %v", c.State, c.Failure)
		}
	})
	t.Run("by -32042", func(t *testing.T) {
		b := newBench(t, testServer, strict(Legacy, func(p *peer, m wire.Message) {
			if m.Method == "tools/call" {
				p.refuse(m, `{"code":-32042,"message":"m","data":{"elicitations":[`+page+`]}}`)
			}
		}))
		b.conn = b.reconnect(t, testServer)
		if c := b.ended(b.call(CallRequest{})); c.State != CallFailed || c.Failure.Text.ID != "core.invalid.entry" {
			t.Errorf("the call is %s: %v", c.State, c.Failure)
		}
	})
}

func TestASignInIsNeverTakenForAnEra(t *testing.T) {
	for _, status := range []int{401, 403} {
		b := newBench(t, testServer, func(p *peer, m wire.Message) {
			p.fail(m, &http.StatusError{Status: status, RPC: &wire.Error{Code: -32602, Message: "who are you?"}})
		})
		_, err := b.client.Connect(t.Context(), testServer)
		if err == nil || b.dialled() != 1 {
			t.Errorf("HTTP %d with a JSON-RPC error: %v after %d attempts, want a failure at once", status, err, b.dialled())
		}
	}
}

func TestAModernServerThatIsSlowToStartIsFoundInTheEnd(t *testing.T) {
	// The first process is silent on discover (it is being downloaded), the
	// next ones answer at once.
	synctest.Test(t, func(t *testing.T) {
		var started atomic.Int32
		b := newBench(t, testServer, func(p *peer, m wire.Message) {
			switch n := started.Add(1); {
			case n == 1:
			case m.Method == "initialize":
				p.refuse(m, `{"code":-32601,"message":"no"}`)
			default:
				modern(nil)(p, m)
			}
		})
		if k := b.reconnect(t, testServer); k.Info().Era != Modern {
			t.Errorf("era = %s", k.Info().Era)
		}
	})
}
