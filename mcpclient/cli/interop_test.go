package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/mcpclient"
	"parley/mcpclient/cli"
)

// interopFolder holds the table, the cases and the servers.
const interopFolder = "../testdata/interop"

// discoverSilence is how long Parley waits for a program's answer to
// server/discover before it takes it for one of the older era.
const discoverSilence = 5 * time.Second

// interopCase is one line of cases.jsonl: one call, and what must come of it
// over every transport and in every revision in which its suite is run.
type interopCase struct {
	Suite string
	Name  string
	On    []string // the servers that offer what it calls
	Era   string   // "modern" or "legacy"; "" for both
	Call  []string // the flags of parley call
	// Questions are the modes of the questions asked, in order.
	Questions []string
	// Fields are the names of the first question's fields, in order; nil where
	// the case does not look at them.
	Fields []string
	// Invalid is the number of answers that were refused.
	Invalid int
	// Progress are the steps of progress that the server tells, as "1/3".
	Progress []string
	// Exit is the exit code.
	Exit int
	// Error is the code of the JSON-RPC error that ended the call, 0 for none.
	Error int
	// Text is the text of the result, or what it says of a list, to the letter;
	// Like is a regular expression for it where a part of it is never the same.
	Text, Like string
}

// TestInterop runs the whole table: each row with a server of its own, its
// revisions and their cases one after the other.
func TestInterop(t *testing.T) {
	runs := readRunners(t)
	if len(runs) == 0 {
		t.Skip("neither PARLEY_NODE nor PARLEY_GO_SERVERS is set; \"make interop\" sets both and runs this")
	}
	home := t.TempDir() // nothing of the person's own configuration is read
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("NODE_COMPILE_CACHE", filepath.Join(home, "node")) // the same programs start again and again
	cases := readCases(t)
	servers := newServers(t)
	for _, row := range readTable(t) {
		t.Run(plainName(row.server+" "+row.reach), func(t *testing.T) {
			t.Parallel()
			run, ok := runs[row.server]
			if !ok {
				t.Skipf("there is nothing to run %s with; \"make interop\" fetches and builds it", row.server)
			}
			target := servers.target(t, run, row)
			for _, cell := range row.cells {
				t.Run(plainName(cell.title()), func(t *testing.T) {
					if cell.suites == nil {
						checkRefusal(t, target, cell)
						return
					}
					// The first case finds out what the server is, the others
					// have learnt it, as the app has.
					learnt := &memory{}
					for _, c := range cell.cases(row.server, cases) {
						t.Run(plainName(c.Suite+" "+c.Name), func(t *testing.T) {
							checkCase(t, c, target, cell, learnt)
						})
					}
				})
			}
		})
	}
}

// plainName makes a test's name that needs no escapes on a command line.
func plainName(s string) string {
	return strings.NewReplacer(" ", "_", "/", "").Replace(s)
}

func readCases(t *testing.T) []interopCase {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(interopFolder, "cases.jsonl"))
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

// outcome is what a run of parley call left.
type outcome struct {
	args   []string
	exit   int
	stdout bytes.Buffer
	stderr bytes.Buffer
}

// memory is a mcpclient.Memory of one server.
type memory struct {
	mu     sync.Mutex
	learnt mcpclient.Learnt
}

func (m *memory) Recall(mcpclient.Server) mcpclient.Learnt {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.learnt
}

func (m *memory) Remember(_ mcpclient.Server, l mcpclient.Learnt) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.learnt = l
}

// parleyCall runs parley call with the flags on the target.
func parleyCall(t *testing.T, to target, pin string, memory *memory, flags ...string) *outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	o := &outcome{args: append([]string{"call"}, flags...)}
	if pin != "" {
		o.args = append(o.args, "--protocol", pin)
	}
	o.args = append(o.args, to.operands...)
	o.exit = cli.Main(ctx, o.args, strings.NewReader(""), &o.stdout, &o.stderr, cli.Options{
		Version: "0", Client: mcpclient.Options{Memory: memory},
	})
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("parley %q\n%s%s", o.args, o.stdout.String(), o.stderr.String())
		}
	})
	return o
}

// checkRefusal wants a server that does not speak the revision to be told from
// one that cannot be reached: the command ends in order, without a connection.
func checkRefusal(t *testing.T, to target, cell cell) {
	o := parleyCall(t, to, cell.pin, &memory{}, "--list", "--timeout", "5s") // some are silent for good
	if got := readLines(t, o.stdout.Bytes()); o.exit != 5 || got.protocol != "" || !got.failed {
		t.Errorf("exit code %d, connected with %q, want 5 and an error: the server does not speak %s", o.exit, got.protocol, cell.pin)
	}
}

// checkCase runs one call and compares its lines with what the case wants.
func checkCase(t *testing.T, c interopCase, to target, cell cell, memory *memory) {
	began := time.Now()
	o := parleyCall(t, to, cell.pin, memory, c.Call...)
	got := readLines(t, o.stdout.Bytes())
	if got.era == "legacy" && cell.era() == "modern" && time.Since(began) > discoverSilence {
		// This machine is so busy that the program was silent for as long as one
		// that does not know the question: to take it for that was right. Of one
		// that is known Parley is more patient.
		t.Log("the program started too slowly to be asked what it is")
		memory.Remember(mcpclient.Server{}, mcpclient.Learnt{Protocol: cell.protocol})
		o = parleyCall(t, to, cell.pin, memory, c.Call...)
		got = readLines(t, o.stdout.Bytes())
	}
	if o.exit != c.Exit || got.code != c.Error {
		t.Errorf("exit code %d, error %d, want %d, %d", o.exit, got.code, c.Exit, c.Error)
	}
	if got.transport != to.transport || got.era != cell.era() || got.protocol != cell.protocol {
		t.Errorf("connected over %s, %s (%s), want %s, %s (%s)", got.transport, got.era, got.protocol, to.transport, cell.era(), cell.protocol)
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
	if !progressed(got.progress, c.Progress) {
		t.Errorf("progress %q, want %q, of which all but the last may be left out", got.progress, c.Progress)
	}
	switch {
	case c.Like != "":
		if !regexp.MustCompile(c.Like).MatchString(got.text) {
			t.Errorf("the server says\n\t%s\nwant one like\n\t%s", got.text, c.Like)
		}
	case got.text != c.Text && !(to.reorders && sameJSON(got.text, c.Text)):
		t.Errorf("the server says\n\t%s\nwant\n\t%s", got.text, c.Text)
	}
}

// progressed reports whether got is want, but for steps that gave way to newer
// ones while they waited to be told.
func progressed(got, want []string) bool {
	if len(got) == 0 || len(want) == 0 {
		return len(got) == len(want)
	}
	from := 0
	for _, step := range got {
		i := slices.Index(want[from:], step)
		if i < 0 {
			return false
		}
		from += i + 1
	}
	return from == len(want)
}

// sameJSON reports whether two texts are the same JSON but for the order of
// keys.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// told is what the lines of a call tell.
type told struct {
	transport, era, protocol string
	questions, fields        []string
	invalid                  int
	progress                 []string
	text                     string
	failed                   bool // the last line is an error
	code                     int  // its code
}

// line is one line of parley call, as far as it is looked at.
type line struct {
	Event, Era, Protocol, Mode string
	Identity                   struct{ Transport string }
	N, Code                    int
	Fields                     []named
	Progress, Total            json.Number
	Result                     struct {
		Content, Contents []content
		Messages          []struct{ Content content }
	}
	Tools, Prompts, Resources, Templates []named
}

type (
	named   struct{ Name string }
	content struct{ Text string }
)

func readLines(t *testing.T, out []byte) told {
	t.Helper()
	var got told
	for raw := range bytes.Lines(out) {
		var l line
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatalf("%v in the line %s", err, raw)
		}
		switch l.Event {
		case "connected":
			got.transport, got.era, got.protocol = l.Identity.Transport, l.Era, l.Protocol
		case "elicitation":
			got.questions = append(got.questions, l.Mode)
			if l.N != len(got.questions) {
				t.Errorf("question %d has the number %d", len(got.questions), l.N)
			}
			if l.N == 1 {
				got.fields = names(l.Fields)
			}
		case "invalid":
			got.invalid++
		case "progress":
			got.progress = append(got.progress, l.Progress.String()+"/"+l.Total.String())
		case "list":
			got.text = l.listed()
		case "result":
			got.text = l.said()
		case "error":
			got.failed, got.code = true, l.Code
		}
	}
	return got
}

// said joins the texts of a result.
func (l line) said() string {
	var texts []string
	for _, c := range slices.Concat(l.Result.Content, l.Result.Contents) {
		texts = append(texts, c.Text)
	}
	for _, m := range l.Result.Messages {
		texts = append(texts, m.Content.Text)
	}
	return strings.Join(texts, "\n")
}

// listed says all that a list names.
func (l line) listed() string {
	words := append([]string{"(tools)"}, names(l.Tools)...)
	words = append(append(words, "(prompts)"), names(l.Prompts)...)
	words = append(append(words, "(resources)"), names(l.Resources)...)
	words = append(append(words, "(templates)"), names(l.Templates)...)
	return strings.Join(words, " ")
}

func names(of []named) []string {
	var all []string
	for _, n := range of {
		all = append(all, n.Name)
	}
	return all
}
