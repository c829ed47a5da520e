//go:build linux && window

package windowtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// roughDir names the folder in which the rough server tells what it does; the
// test binary is that server when it is set.
const roughDir = "PARLEY_TEST_ROUGH"

func TestMain(m *testing.M) {
	if dir := os.Getenv(roughDir); dir != "" {
		roughServer(dir)
		return
	}
	os.Exit(m.Run())
}

// roughServer is a 2025-11-25 program that does what servers should not: it
// prints banners, pushes a question without params, and then asks a form whose
// answer it never waits for.
func roughServer(dir string) {
	tell := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			panic(err)
		}
	}
	tell("started", strconv.Itoa(os.Getpid()))
	fmt.Println("Rough server v1 started")
	fmt.Println("\x1b[32mlistening\x1b[0m")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Result json.RawMessage
			Error  json.RawMessage
		}
		if json.Unmarshal(in.Bytes(), &m) != nil {
			continue
		}
		switch {
		case m.Method == "server/discover":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"what?"}}`+"\n", m.ID)
		case m.Method == "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"rough","version":"1"}}}`+"\n", m.ID)
		case m.Method == "tools/list":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"ask","title":"Ask me","inputSchema":{"type":"object"}}]}}`+"\n", m.ID)
		case m.Method == "tools/call":
			tell("called", strconv.Itoa(os.Getpid()))
			fmt.Println("npm warn this is not a message")
			fmt.Println(`{"jsonrpc":"2.0","id":"bad","method":"elicitation/create"}`)
		case string(m.ID) == `"bad"`:
			tell("refused", string(m.Error))
			fmt.Println(`{"jsonrpc":"2.0","id":"good","method":"elicitation/create","params":{"message":"What should we remember?","requestedSchema":{"type":"object","properties":{"note":{"type":"string","title":"Note"}},"required":["note"]}}}`)
		case string(m.ID) == `"good"`:
			tell("answered", string(m.Result))
		}
	}
}

// TestRoughServer is a program that misbehaves in every way at once: nothing of
// it starts before leave was given, and when it dies in the middle of a
// question the app lives, says so, and keeps what was typed.
func TestRoughServer(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	d := StartDisplay(t)
	home := homeWith(t, map[string]any{"Rough": map[string]any{
		"command": self, "args": []string{"--a b", "$HOME; rm -rf /"}, "env": map[string]string{roughDir: dir}}})
	app := d.StartParley(Options{Env: []string{"FYNE_THEME=light"}, Home: home})
	window := d.WaitWindow("Parley")
	told := func(name string) string {
		t.Helper()
		var text []byte
		d.waitFor("the server to write "+name, func() bool {
			text, err = os.ReadFile(filepath.Join(dir, name))
			return err == nil
		})
		return string(text)
	}
	title := func(want string) {
		t.Helper()
		d.waitFor("the title "+want, func() bool { return d.Title(window) == want })
	}

	d.Screenshot("rough-not-started")
	if _, err := os.Stat(filepath.Join(dir, "started")); err == nil {
		t.Fatal("a program was started without leave")
	}
	before := d.Settle()
	d.Key("ctrl+3", "Tab", "Tab", "Tab") // Edit, Remove server, Look at the command
	d.Key("Return")
	d.WaitChange(before)
	d.Screenshot("rough-leave")
	if _, err := os.Stat(filepath.Join(dir, "started")); err == nil {
		t.Fatal("looking at a command started it")
	}
	d.Key("Tab", "Tab", "Tab", "Tab", "space") // Copy, Edit, Not now, Start
	told("started")
	d.waitFor("its tool", func() bool {
		return strings.Contains(string(mustRead(t, filepath.Join(app.Config, "servers.json"))), `"parley"`)
	})
	d.Settle()
	d.Screenshot("rough-tools")
	d.Key("ctrl+3")
	d.Settle()
	d.Key("Return") // its only tool
	d.Settle()
	d.Key("ctrl+Return")
	if refusal := told("refused"); !strings.Contains(refusal, "-32602") {
		t.Errorf("a question without params was answered with %s", refusal)
	}
	title("(1) Parley")
	d.Settle()
	d.Key("Tab")
	d.Type("half a sentence")
	d.Screenshot("rough-question")

	pid, err := strconv.Atoi(told("called"))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	title("Parley")
	d.Settle()
	d.Screenshot("rough-dead")
	if !app.Running() {
		t.Fatalf("the app died with the server:\n%s", app.Output())
	}
	if _, err := os.Stat(filepath.Join(dir, "answered")); err == nil {
		t.Error("the question was answered for the person")
	}
	d.Key("alt+F4")
	if code := app.Wait(); code != 0 {
		t.Errorf("the app ended with code %d:\n%s", code, app.Output())
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
