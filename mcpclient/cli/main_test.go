package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"parley/mcpclient"
	"parley/mcpclient/auth"
	"parley/mcpclient/config"
	"parley/mcpclient/keychain"
)

// TestMain lets the scripts in testdata run the command line and the scripted
// server as programs.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"parley":   parleyMain,
		"scripted": scriptedMain,
	})
}

// parleyMain is the program without windows, its browser a file that records.
func parleyMain() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, Options{
		Version: "1.2.3",
		Opener:  recordingOpener{},
		Listed:  withSecret,
	}))
}

// withSecret gives every secret value of a listed server the value $SECRET, as if
// the keychain had it.
//
// A locked encrypted file in the config folder gives none, as it is with the app's
// own keychain.
func withSecret(store *config.Store, o mcpclient.Options) mcpclient.Options {
	file := filepath.Join(store.Dir(), keychain.VaultName)
	if _, err := os.Stat(file); err == nil {
		keys := keychain.Open(keychain.Options{Space: store.Space(), Vault: file})
		o.Authorizer, o.Fill = auth.New(auth.Options{Secrets: keys, Unattended: true}).Authorizer, config.NewValues(keys).Fill
		return o
	}
	o.Fill = func(_ context.Context, s mcpclient.Server) (mcpclient.Server, error) {
		secret := os.Getenv("SECRET")
		if secret == "" {
			return s, &config.MissingError{Names: append(s.SecretEnv, s.SecretHeaders...)}
		}
		s.Env, s.Headers = maps.Clone(s.Env), maps.Clone(s.Headers)
		for _, name := range s.SecretEnv {
			s.Env[name] = secret
		}
		for _, name := range s.SecretHeaders {
			s.Headers[name] = secret
		}
		return s, nil
	}
	return o
}

// recordingOpener appends what it opens to the file $BROWSER; without the
// variable no browser can be started.
type recordingOpener struct{}

func (recordingOpener) Open(_ context.Context, url string) error {
	path := os.Getenv("BROWSER")
	if path == "" {
		return errors.New("there is no browser here")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(url + "\n")
	return err
}

// TestScripts runs testdata/*.txtar: each says in its first line which rule of
// the command line it shows.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "DISPLAY", "WAYLAND_DISPLAY"} {
				env.Setenv(name, "")
			}
			env.Setenv("BROWSER", env.WorkDir+"/browser")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"forgetful": forgetful,
			"allow":     allow,
			"expand":    expand,
		},
	})
}

// exits runs a program and wants an exit code: exits CODE PROGRAM ARG…
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var exit interface{ ExitCode() int }
	switch {
	case errors.As(err, &exit):
		got = strconv.Itoa(exit.ExitCode())
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// allow keeps leave to start every program of the list in a folder as it stands:
// allow DIR.
func allow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: allow DIR")
	}
	store, err := config.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, v := range store.Servers() {
		ts.Check(store.Allow(v, ""))
	}
}

// expand copies a file into a new folder, with the variables of the environment
// put in: expand FROM TO.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: expand FROM TO")
	}
	to := ts.MkAbs(args[1])
	ts.Check(os.MkdirAll(filepath.Dir(to), 0o700))
	ts.Check(os.WriteFile(to, []byte(os.Expand(ts.ReadFile(args[0]), ts.Getenv)), 0o600))
}

// forgetful starts a server of 2025-11-25 at the address $URL that has forgotten
// its session when a tool is called for the first time: forgetful LOG. The log
// has a line for each method it got.
func forgetful(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: forgetful LOG")
	}
	log, err := os.OpenFile(ts.MkAbs(args[0]), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ts.Check(err)
	sessions := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(q.Body).Decode(&m)
		fmt.Fprintln(log, m.Method)
		w.Header().Set("Content-Type", "application/json")
		switch m.Method {
		case "server/discover":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`, m.ID)
		case "initialize":
			sessions++
			w.Header().Set("Mcp-Session-Id", fmt.Sprintf("s%d", sessions))
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"forgetful","version":"1"}}}`, m.ID)
		case "tools/call":
			w.WriteHeader(http.StatusNotFound)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	ts.Defer(func() {
		srv.Close()
		log.Close()
	})
	ts.Setenv("URL", srv.URL)
}
