package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/mcpclient"
)

// runMain runs the command line with o; its environment is empty unless o says
// otherwise.
func runMain(ctx context.Context, o Options, stdin string, args ...string) (code int, stdout, stderr string) {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	var out, errs bytes.Buffer
	code = Main(ctx, args, strings.NewReader(stdin), &out, &errs, o)
	return code, out.String(), errs.String()
}

func TestTheAppOpensOnItsConfigFolder(t *testing.T) {
	var got []string
	o := Options{Getenv: displayEnv(t), Window: func(_ context.Context, w Window) error {
		got = append(got, w.Dir)
		return nil
	}}
	if code, _, stderr := runMain(t.Context(), o, "", "--config", "folder"); code != 0 {
		t.Errorf("exit %d: %s", code, stderr)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	if code, _, stderr := runMain(t.Context(), o, ""); code != 0 {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if len(got) != 2 || got[0] != "folder" || filepath.Base(got[1]) != "parley" {
		t.Errorf("opened on %q, want the named folder, then the default one", got)
	}
	o.Window = func(context.Context, Window) error { return errors.New("it broke") }
	if code, stdout, stderr := runMain(t.Context(), o, "", "--config", "folder"); code != 1 || stdout != "" || !strings.Contains(stderr, "it broke") {
		t.Errorf("a window that fails: exit %d, %q, %q", code, stdout, stderr)
	}
}

// TestTheWindowGetsTheFile that is offered for import, also behind "--", where
// a word is no command.
func TestTheWindowGetsTheFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"mcp.json", "call"} {
		if err := os.WriteFile(name, []byte(`{"mcpServers": {}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"--config", "dir", "mcp.json"}, {"--config", "dir", "--", "call"}} {
		var got Window
		o := Options{Getenv: displayEnv(t), Window: func(_ context.Context, w Window) error {
			got = w
			return nil
		}}
		code, _, stderr := runMain(t.Context(), o, "", args...)
		if want := (Window{Dir: "dir", File: args[len(args)-1]}); code != 0 || got != want {
			t.Errorf("%q: exit %d, %+v, want %+v; %s", args, code, got, want, stderr)
		}
	}
}

func TestAFormInTheWindow(t *testing.T) {
	const schema = `{"type":"object","n":1.0}`
	for _, c := range []struct {
		answer mcpclient.Answer
		err    error
		code   int
		stdout string
	}{
		{mcpclient.Answer{Action: mcpclient.Accept, Content: json.RawMessage(`{"a":1.0}`)}, nil, 0, `{"action":"accept","content":{"a":1.0}}`},
		{mcpclient.Answer{Action: mcpclient.Decline}, nil, 10, `{"action":"decline"}`},
		{mcpclient.Answer{Action: mcpclient.Cancel}, nil, 11, `{"action":"cancel"}`},
		{mcpclient.Answer{}, errors.New("no window"), 5, ""},
	} {
		o := Options{Getenv: displayEnv(t), FormWindow: func(_ context.Context, got json.RawMessage) (mcpclient.Answer, error) {
			if string(got) != schema {
				t.Errorf("the window got %s, want the file's bytes", got)
			}
			return c.answer, c.err
		}}
		code, stdout, _ := runMain(t.Context(), o, schema, "form", "-")
		if code != c.code || strings.TrimSuffix(stdout, "\n") != c.stdout {
			t.Errorf("%v, %v: exit %d, %q, want exit %d, %q", c.answer, c.err, code, stdout, c.code, c.stdout)
		}
	}
}

// TestAFormThatIsNoJSON: a byte order mark is skipped (RFC 8259 section 8.1);
// what is no JSON, and what is nested too deeply, is said in the language of the
// person, without the words of a library.
func TestAFormThatIsNoJSON(t *testing.T) {
	for _, c := range []struct {
		lang, file string
		code       int
		stderr     string
	}{
		{"en", "\uFEFF" + `{"type":"object"}`, 0, ""},
		{"en_GB.UTF-8", `{"type":}`, exitUsage, "The file - is not JSON, from byte 9 on."},
		{"zh_CN.UTF-8", `{"type":}`, exitUsage, "文件 - 不是 JSON，从第 9 字节起无法读取。"},
		{"en", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), exitUsage, "The JSON in the file - is nested too deeply to be read."},
		{"zh_CN.UTF-8", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), exitUsage, "文件 - 中的 JSON 嵌套过深，无法读取。"},
	} {
		code, _, stderr := runMain(t.Context(), Options{Getenv: func(name string) string {
			if name == "LC_ALL" {
				return c.lang
			}
			return ""
		}}, c.file, "form", "--check", "-")
		if code != c.code || !strings.Contains(stderr, c.stderr) || strings.Contains(stderr, "invalid character") {
			t.Errorf("%s, %.20q: exit %d, %q, want exit %d, %q", c.lang, c.file, code, stderr, c.code, c.stderr)
		}
	}
}

// brokenPipe is an output that takes nothing.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAnOutputThatCannotBeWrittenIsSaid(t *testing.T) {
	for _, args := range [][]string{{"url", "https://example.com/"}, {"--version"}} {
		var stderr bytes.Buffer
		code := Main(t.Context(), args, strings.NewReader(""), brokenPipe{}, &stderr, Options{Getenv: func(string) string { return "" }})
		if code != exitFailed || !strings.Contains(stderr.String(), "could not be written") {
			t.Errorf("%v: exit %d, %q, want 1 and a sentence", args, code, stderr.String())
		}
	}
}

// countingWriter counts writes and lets a test see each.
type countingWriter struct {
	mu     sync.Mutex
	writes []string
	first  chan string // gets the first write
}

func (w *countingWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes = append(w.writes, string(p))
	if len(w.writes) == 1 && w.first != nil {
		w.first <- string(p)
	}
	return len(p), nil
}

func TestEachLineIsOneWrite(t *testing.T) {
	w := &countingWriter{}
	Main(t.Context(), []string{"url", "https://a.example/", "https://b.example/<&>"}, strings.NewReader(""), w, io.Discard,
		Options{Getenv: func(string) string { return "" }})
	if len(w.writes) != 2 {
		t.Fatalf("%d writes, want one for each of 2 URLs", len(w.writes))
	}
	for _, line := range w.writes {
		if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") || !json.Valid([]byte(line)) {
			t.Errorf("%q is not one line of JSON", line)
		}
	}
	if !strings.Contains(w.writes[1], `"url":"https://b.example/<&>"`) {
		t.Errorf("%q escapes what needs no escape", w.writes[1])
	}
}

func TestTheDemoListensUntilAnInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &countingWriter{first: make(chan string, 1)}
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, []string{"demo"}, strings.NewReader(""), out, io.Discard, Options{Version: "1", Getenv: func(string) string { return "" }})
	}()
	var line listeningLine
	select {
	case first := <-out.first:
		if err := json.Unmarshal([]byte(first), &line); err != nil {
			t.Fatal(err)
		}
		if want := `{"event":"listening","url":"` + line.URL + `"}` + "\n"; first != want {
			t.Errorf("it prints %q, want %q", first, want)
		}
	case c := <-code:
		t.Fatalf("it ended with exit %d before it listened", c)
	}
	if !strings.HasPrefix(line.URL, "http://127.0.0.1:") || !strings.HasSuffix(line.URL, "/mcp") {
		t.Errorf("it listens at %q, want a port of 127.0.0.1 and /mcp", line.URL)
	}
	got, stdout, stderr := runMain(t.Context(), Options{}, "", "call", "--list", line.URL)
	if got != 0 || !strings.Contains(stdout, `{"event":"list","tools":[{`) {
		t.Errorf("its list: exit %d\n%s%s", got, stdout, stderr)
	}
	cancel()
	if c := <-code; c != 0 {
		t.Errorf("after an interrupt it ends with exit %d, want 0", c)
	}
}

func TestADemoThatCannotListenSaysSo(t *testing.T) {
	code, stdout, stderr := runMain(t.Context(), Options{}, "", "demo", "--http", "192.0.2.1:80")
	if code != exitFailed || stdout != "" || stderr == "" {
		t.Errorf("exit %d, %q, %q, want 1 and a sentence", code, stdout, stderr)
	}
}

// modernServer answers as a 2026-07-28 server over HTTP would, and keeps the
// headers it got.
func modernServer(t *testing.T, headers chan<- http.Header) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		var m message
		if err != nil || json.Unmarshal(raw, &m) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		headers <- r.Header
		w.Header().Set("Content-Type", "application/json")
		body := `"error":{"code":-32601,"message":"no"}`
		switch m.Method {
		case "server/discover":
			body = `"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
		case "tools/call":
			body = "\n\"result\": {\n  \"resultType\": \"complete\",\n  \"content\": [],\n  \"n\": 1.50\n}"
		}
		io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,`+body+`}`)
	}))
	t.Cleanup(s.Close)
	return s
}

func TestHeadersReachTheServerAndNobodyElse(t *testing.T) {
	headers := make(chan http.Header, 3) // discover, the tools, the call
	s := modernServer(t, headers)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("canary-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := runMain(t.Context(), Options{}, "", "call", "--tool", "t",
		"--header", "X-Key: canary-1", "--header", "x-key: canary-2", "--header", "Authorization: @"+file, s.URL+"/mcp")
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	for range 3 {
		h := <-headers
		if got := h.Get("X-Key"); got != "canary-1, canary-2" {
			t.Errorf("X-Key is %q, want both values", got)
		}
		if got := h.Get("Authorization"); got != "canary-file" {
			t.Errorf("Authorization is %q, want what the file holds", got)
		}
	}
	if strings.Contains(stdout+stderr, "canary") {
		t.Errorf("a header's value is printed:\n%s%s", stdout, stderr)
	}
	want := `{"event":"connected","identity":{"name":"` + strings.TrimPrefix(s.URL, "http://") + `","transport":"http","origin":"` + s.URL + `","encrypted":false},"protocol":"2026-07-28","era":"modern"}` + "\n" +
		`{"event":"result","result":{"resultType":"complete","content":[],"n":1.50}}` + "\n"
	if stdout != want {
		t.Errorf("printed\n%s\nwant\n%s", stdout, want)
	}
}

func TestAnAddressNobodyAnswersIsExit5(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	code, stdout, stderr := runMain(t.Context(), Options{}, "", "call", "--list", s.URL)
	if code != 5 || !strings.HasPrefix(stdout, `{"event":"error","code":0,"message":"`) || strings.Count(stdout, "\n") != 1 || stderr == "" {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}
