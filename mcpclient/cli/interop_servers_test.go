package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// runner knows how to start one of the servers.
type runner struct {
	// command serves stdio.
	command []string
	// http are the arguments that make it serve a transport over HTTP instead,
	// on a free port.
	http map[string][]string
	// paths are where it does, for a server that does not say so itself.
	paths map[string]string
	env   []string
	// reorders says that it repeats answers with their keys in another order.
	reorders bool
}

// everything is the folder of server-everything.
var everything = inFolder("node_modules", "@modelcontextprotocol", "server-everything", "dist")

func inFolder(path ...string) string {
	return filepath.Join(append([]string{interopFolder}, path...)...)
}

// readRunners finds out which servers can be run: those for Node.js with the
// Node of PARLEY_NODE, those made in Go from the folder PARLEY_GO_SERVERS.
func readRunners(t *testing.T) map[string]runner {
	t.Helper()
	runs := map[string]runner{}
	both := func(args ...string) map[string][]string { return map[string][]string{"http": args, "sse": args} }
	if node := os.Getenv("PARLEY_NODE"); node != "" {
		for _, name := range []string{"v1", "v2", "raw"} {
			runs[name] = runner{command: []string{node, inFolder(name + "-server.mjs")}, http: both("--http", "0")}
		}
		loopback, err := filepath.Abs(inFolder("loopback.mjs")) // Node takes a path without a dot for a package
		if err != nil {
			t.Fatal(err)
		}
		runs["everything"] = runner{
			command: []string{node, "--import", loopback, filepath.Join(everything, "index.js")},
			http:    map[string][]string{"http": {"streamableHttp"}, "sse": {"sse"}},
			paths:   map[string]string{"http": "/mcp", "sse": "/sse"},
			env:     []string{"PORT=0"},
		}
	}
	if folder := os.Getenv("PARLEY_GO_SERVERS"); folder != "" {
		for _, name := range []string{"gosdk", "mcpgo"} {
			runs[name] = runner{
				command:  []string{filepath.Join(folder, name), "-schemas", inFolder("schemas.json")},
				http:     both("-http"),
				reorders: true,
			}
		}
	}
	return runs
}

// target is a row's server as parley call reaches it.
type target struct {
	operands  []string // a URL, or "--" and a command
	transport string
	reorders  bool
}

// servers starts what rows need, each process once. HTTP servers end with the
// test it was made for.
type servers struct {
	t       *testing.T
	mu      sync.Mutex
	started map[string]func() ([]string, error)
}

func newServers(t *testing.T) *servers {
	return &servers{t: t, started: map[string]func() ([]string, error){}}
}

// target starts what the row needs.
func (s *servers) target(t *testing.T, run runner, r row) target {
	t.Helper()
	transport, path, args := r.way()
	to := target{transport: transport, reorders: run.reorders}
	if transport == "stdio" {
		if _, err := s.once(run.command, func() ([]string, error) { return nil, warm(run) }); err != nil {
			t.Fatal(err)
		}
		to.operands = slices.Concat([]string{"--"}, run.command, args)
		return to
	}
	urls := s.urls(t, run, transport, args...)
	i := slices.IndexFunc(urls, func(u string) bool { return strings.HasSuffix(u, path) })
	if i < 0 {
		t.Fatalf("%s serves %q, and not %s", r.server, urls, path)
	}
	to.operands = urls[i : i+1]
	return to
}

// urls are the addresses of a server over HTTP.
func (s *servers) urls(t *testing.T, run runner, transport string, args ...string) []string {
	t.Helper()
	command := slices.Concat(run.command, run.http[transport], args)
	said, err := s.once(command, func() ([]string, error) { return listen(s.t, command, run.env) })
	if err != nil {
		t.Fatal(err)
	}
	paths := said[1:]
	if len(paths) == 0 {
		paths = []string{run.paths[transport]}
	}
	var urls []string
	for _, path := range paths {
		urls = append(urls, said[0]+path)
	}
	return urls
}

// once runs start for the first who needs the command, and lets the others wait
// for what came of it.
func (s *servers) once(command []string, start func() ([]string, error)) ([]string, error) {
	key := strings.Join(command, "\n")
	s.mu.Lock()
	if s.started[key] == nil {
		s.started[key] = sync.OnceValues(start)
	}
	started := s.started[key]
	s.mu.Unlock()
	return started()
}

// warm runs a server once, so that a first start from a cold disk does not take
// longer than a client waits for a modern server's first word. A server ends
// with its input.
func warm(run runner) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, run.command[0], run.command[1:]...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%q does not run (\"make interop\" fetches and builds what it needs): %w\n%s", run.command, err, said)
	}
	return nil
}

// listen starts an HTTP server and waits until it says where it listens: on
// standard error, the address and, if it knows them, the paths. The server ends
// with t.
func listen(t *testing.T, command, env []string) ([]string, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	address := make(chan []string, 1)
	drained := make(chan struct{})
	go func() { // ends with the server
		defer close(drained)
		defer close(address)
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if _, said, ok := strings.Cut(lines.Text(), "listening on "); ok {
				address <- strings.Fields(said)
				break
			}
		}
		_, _ = io.Copy(io.Discard, stderr)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-drained
		_ = cmd.Wait()
	})
	said := <-address
	if len(said) == 0 {
		return nil, fmt.Errorf("%q ended before it listened", command)
	}
	return said, nil
}
