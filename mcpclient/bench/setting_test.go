package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// setting is one way to reach the server.
type setting struct {
	transport string // stdio, json or sse: the latter two are HTTP
	era       string // modern or legacy
	pages     string // paged or whole: the list
}

// transports and eras are all there are.
var (
	transports = []string{"stdio", "json", "sse"}
	eras       = []string{"modern", "legacy"}
)

// path tells the server which setting it is.
func (s setting) path() string { return "/" + s.era + "/" + s.transport + "/" + s.pages }

func (s setting) protocol() string {
	if s.era == "modern" {
		return "2026-07-28"
	}
	return "2025-11-25"
}

// subject is a client under measurement, connected to the server. Each
// operation fails unless it came to what was expected.
type subject interface {
	call() error
	round() error
	list() error
	close() error
}

// place is where the server of a setting is: a command to start, or an address.
type place struct {
	command string
	env     string // "NAME=value"
	url     string
}

// openServer returns where the server of s is. One over HTTP is started, and
// ends with t.
func openServer(t testing.TB, s setting) place {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if s.transport == "stdio" {
		return place{command: binary, env: roleVariable + "=" + s.path()}
	}
	return place{url: startHTTP(t, binary) + s.path()}
}

// startHTTP starts the server over HTTP and returns its address.
func startHTTP(t testing.TB, binary string) string {
	t.Helper()
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), roleVariable+"="+roleHTTP)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server: %v: %s", err, complaints.Bytes())
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server named no address: %v: %s", err, complaints.Bytes())
	}
	return strings.TrimSpace(line)
}

// patience bounds what is not measured: connecting and closing.
const patience = 30 * time.Second

// open connects a client of the kind "parley" or "gosdk" to the server at p. It
// is closed with t.
func open(t testing.TB, kind string, s setting, p place) subject {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	connect := map[string]func(context.Context, setting, place) (subject, error){"parley": connectParley, "gosdk": connectSDK}[kind]
	c, err := connect(ctx, s, p)
	if err != nil {
		t.Fatalf("%s does not connect: %v", kind, err)
	}
	t.Cleanup(func() {
		if err := c.close(); err != nil {
			t.Errorf("closing %s: %v", kind, err)
		}
	})
	return c
}

// wantText compares what a tool said.
func wantText(got, want string) error {
	if got != want {
		return fmt.Errorf("the tool said %q, want %q", got, want)
	}
	return nil
}

// arguments go with every call.
var arguments = json.RawMessage(`{"city":"Delft","days":3,"units":"metric"}`)
