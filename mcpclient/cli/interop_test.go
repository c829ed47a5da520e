package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/mcpclient/cli"
)

// interopServers is the folder of the Node servers; "make interop" fetches what
// they import and names a Node in PARLEY_NODE.
const interopServers = "../testdata/interop"

// peer is one way to reach one of the Node servers.
type peer struct {
	file     string   // the server's program
	args     []string // its arguments
	http     bool     // over Streamable HTTP, else over stdio
	flags    []string // flags of parley call
	era      string   // what the two must agree on
	protocol string
}

var peers = map[string]peer{
	"v1 stdio":             {file: "v1-server.mjs", era: "legacy", protocol: "2025-11-25"},
	"v1 http":              {file: "v1-server.mjs", http: true, era: "legacy", protocol: "2025-11-25"},
	"v2 stdio":             {file: "v2-server.mjs", era: "modern", protocol: "2026-07-28"},
	"v2 http":              {file: "v2-server.mjs", http: true, era: "modern", protocol: "2026-07-28"},
	"v2 stdio modern-only": {file: "v2-server.mjs", args: []string{"--modern-only"}, era: "modern", protocol: "2026-07-28"},
	"v2 http modern-only":  {file: "v2-server.mjs", args: []string{"--modern-only"}, http: true, era: "modern", protocol: "2026-07-28"},
	"v2 stdio legacy":      {file: "v2-server.mjs", flags: []string{"--protocol", "2025-11-25"}, era: "legacy", protocol: "2025-11-25"},
	"raw stdio":            {file: "raw-server.mjs", era: "modern", protocol: "2026-07-28"},
	"raw http":             {file: "raw-server.mjs", http: true, era: "modern", protocol: "2026-07-28"},
}

// interopCase is one line of cases.jsonl: one call of one tool, and what must
// come of it whichever peer it goes to.
type interopCase struct {
	Name  string
	On    []string // peers
	Tool  string
	Flags []string // of parley call
	// Questions are the modes of the questions asked, in order.
	Questions []string
	// Fields are the names of the first question's fields, in order; nil where
	// the case does not look at them.
	Fields []string
	// Invalid is the number of answers that were refused.
	Invalid int
	// Exit is the exit code.
	Exit int
	// Text is the text the server made of the answers it got, to the letter.
	Text string
}

func TestInterop(t *testing.T) {
	node := os.Getenv("PARLEY_NODE")
	if node == "" {
		t.Skip("PARLEY_NODE names no Node.js; \"make interop\" fetches one and runs this")
	}
	home := t.TempDir() // nothing of the person's own configuration is read
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	warm(t, node)
	all := t                    // servers outlive the case that needs them first
	urls := map[string]string{} // of the servers started so far
	for _, c := range readCases(t) {
		for _, name := range c.On {
			t.Run(strings.ReplaceAll(c.Tool+"/"+c.Name+"/"+name, " ", "_"), func(t *testing.T) {
				p, ok := peers[name]
				if !ok {
					t.Fatalf("there is no peer %q", name)
				}
				args := slices.Concat([]string{"call", "--timeout", "20s", "--tool", c.Tool}, c.Flags, p.flags)
				if p.http {
					if urls[name] == "" {
						urls[name] = serve(all, node, p)
					}
					args = append(args, urls[name])
				} else {
					args = slices.Concat(args, []string{"--", node, filepath.Join(interopServers, p.file)}, p.args)
				}
				checkCase(t, c, p, args)
			})
		}
	}
}

// warm runs every server once, so that a first start from a cold disk does not
// take longer than a client waits for a modern server's first word.
func warm(t *testing.T, node string) {
	t.Helper()
	files := map[string]bool{}
	for _, p := range peers {
		files[p.file] = true
	}
	for file := range files {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		err := exec.CommandContext(ctx, node, filepath.Join(interopServers, file)).Run() // ends with its input
		cancel()
		if err != nil {
			t.Fatalf("%s does not run (\"make interop\" fetches what it needs): %v", file, err)
		}
	}
}

func readCases(t *testing.T) []interopCase {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(interopServers, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []interopCase
	for n, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		var c interopCase
		if err := d.Decode(&c); err != nil {
			t.Fatalf("cases.jsonl:%d: %v", n+1, err)
		}
		cases = append(cases, c)
	}
	return cases
}

// checkCase runs one call and compares its lines with what the case wants.
func checkCase(t *testing.T, c interopCase, p peer, args []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	exit := cli.Main(ctx, args, strings.NewReader(""), &stdout, &stderr, cli.Options{Version: "0"})
	if exit != c.Exit {
		t.Errorf("exit code %d, want %d", exit, c.Exit)
	}
	got := readLines(t, stdout.Bytes())
	if got.era != p.era || got.protocol != p.protocol {
		t.Errorf("the era is %s (%s), want %s (%s)", got.era, got.protocol, p.era, p.protocol)
	}
	if !slices.Equal(got.questions, c.Questions) {
		t.Errorf("asked %q, want %q", got.questions, c.Questions)
	}
	if c.Fields != nil && !slices.Equal(got.fields, c.Fields) {
		t.Errorf("the fields are %q, want %q", got.fields, c.Fields)
	}
	if got.invalid != c.Invalid {
		t.Errorf("%d answers were invalid, want %d", got.invalid, c.Invalid)
	}
	if got.text != c.Text {
		t.Errorf("the server says\n\t%s\nwant\n\t%s", got.text, c.Text)
	}
	if t.Failed() {
		t.Logf("parley %q\n%s%s", args, stdout.String(), stderr.String())
	}
}

// told is what the lines of a call tell.
type told struct {
	era, protocol string
	questions     []string
	fields        []string
	invalid       int
	text          string
}

func readLines(t *testing.T, out []byte) told {
	t.Helper()
	var got told
	for _, line := range bytes.Split(bytes.TrimSpace(out), []byte("\n")) {
		var e struct {
			Event, Era, Protocol, Mode string
			N                          int
			Fields                     []struct{ Name string }
			Result                     struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v in the line %s", err, line)
		}
		switch e.Event {
		case "connected":
			got.era, got.protocol = e.Era, e.Protocol
		case "elicitation":
			got.questions = append(got.questions, e.Mode)
			if e.N != len(got.questions) {
				t.Errorf("question %d has the number %d", len(got.questions), e.N)
			}
			for _, f := range e.Fields {
				if e.N == 1 {
					got.fields = append(got.fields, f.Name)
				}
			}
		case "invalid":
			got.invalid++
		case "result":
			if len(e.Result.Content) != 1 {
				t.Errorf("the result has %d pieces of content: %s", len(e.Result.Content), line)
				continue
			}
			got.text = e.Result.Content[0].Text
		}
	}
	return got
}

// serve starts a peer's server on a free port, waits until it says that it
// listens, and returns its address. The server ends with the whole test.
func serve(t *testing.T, node string, p peer) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close() // the server takes it over
	cmd := exec.Command(node, append([]string{filepath.Join(interopServers, p.file), "--http", strconv.Itoa(port)}, p.args...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(stderr)
	drained := make(chan struct{})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-drained
		_ = cmd.Wait()
	})
	defer func() {
		go func() { // ends with the server
			defer close(drained)
			_, _ = io.Copy(io.Discard, said)
		}()
	}()
	for line := ""; !strings.Contains(line, "on http"); {
		if line, err = said.ReadString('\n'); err != nil {
			t.Fatalf("%s ended before it listened: %s", p.file, line)
		}
	}
	return fmt.Sprintf("http://127.0.0.1:%d/mcp", port)
}
