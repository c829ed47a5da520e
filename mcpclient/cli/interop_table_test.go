package cli_test

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// revisions are those that Parley speaks, newest first; the table has a column
// for each.
var revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}

// row is one row of testdata/interop/table.md: one way to reach one server.
type row struct {
	server string
	reach  string // as the table says it
	cells  []cell // by itself, then one for each revision
}

// way takes apart how a server is reached: the transport, the path over HTTP,
// and flags of the server.
func (r row) way() (transport, path string, args []string) {
	words := strings.Fields(r.reach)
	transport, args = words[0], words[1:]
	if transport != "stdio" {
		path, args = args[0], args[1:]
	}
	return transport, path, args
}

// cell is what is exercised over one way at one revision.
type cell struct {
	pin      string   // --protocol; "" where the two agree by themselves
	protocol string   // what they must agree on
	suites   []string // nil: the server does not speak the revision
}

// title names the cell as its column does.
func (c cell) title() string {
	if c.pin == "" {
		return "by itself"
	}
	return c.pin
}

func (c cell) era() string {
	if c.protocol < "2026-07-28" {
		return "legacy"
	}
	return "modern"
}

// cases are those of the cell's suites that can be run on the server.
func (c cell) cases(server string, all []interopCase) []interopCase {
	var found []interopCase
	for _, ic := range all {
		if slices.Contains(c.suites, ic.Suite) && slices.Contains(ic.On, server) && (ic.Era == "" || ic.Era == c.era()) {
			found = append(found, ic)
		}
	}
	return found
}

// readTable reads the table out of the lines of table.md.
func readTable(t *testing.T) []row {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(interopFolder, "table.md"))
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") {
			columns := strings.Split(strings.Trim(line, "|"), "|")
			for i := range columns {
				columns[i] = strings.TrimSpace(columns[i])
			}
			lines = append(lines, columns)
		}
	}
	if head := append([]string{"server", "reached by", "by itself"}, revisions...); len(lines) < 3 || !slices.Equal(lines[0], head) {
		t.Fatalf("table.md has not the columns %q", head)
	}
	var rows []row
	for _, columns := range lines[2:] {
		if len(columns) != 3+len(revisions) {
			t.Fatalf("table.md: %q has %d columns, want %d", columns, len(columns), 3+len(revisions))
		}
		rows = append(rows, readRow(columns))
	}
	return rows
}

func readRow(columns []string) row {
	r := row{server: columns[0], reach: columns[1], cells: []cell{{suites: strings.Fields(columns[2])}}}
	for i, revision := range revisions {
		c := cell{pin: revision, protocol: revision}
		if column := columns[3+i]; column != "–" {
			c.suites = strings.Fields(column)
			if r.cells[0].protocol == "" {
				r.cells[0].protocol = revision // the newest they share
			}
		}
		r.cells = append(r.cells, c)
	}
	return r
}

// TestInteropTable_LeavesNoCaseOut checks the table against the cases: each
// suite that a cell names has cases for the cell's server, each case is run
// somewhere on each server it is for, and no cell is empty.
func TestInteropTable_LeavesNoCaseOut(t *testing.T) {
	cases := readCases(t)
	ran := map[[3]string]bool{}
	reached := map[string]bool{}
	total := 0
	for _, r := range readTable(t) {
		if reached[r.server+" "+r.reach] {
			t.Errorf("%s has two rows for %s", r.server, r.reach)
		}
		reached[r.server+" "+r.reach] = true
		if r.cells[0].protocol == "" {
			t.Errorf("%s %s speaks nothing", r.server, r.reach)
		}
		for _, c := range r.cells {
			if len(c.suites) == 0 && c.suites != nil {
				t.Errorf("%s %s, %s is empty", r.server, r.reach, c.title())
			}
			found := c.cases(r.server, cases)
			total += max(len(found), 1)
			for _, suite := range c.suites {
				if !slices.ContainsFunc(found, func(ic interopCase) bool { return ic.Suite == suite }) {
					t.Errorf("%s %s, %s: no case of %q is for %s", r.server, r.reach, c.title(), suite, r.server)
				}
			}
			for _, ic := range found {
				ran[[3]string{ic.Suite, ic.Name, r.server}] = true
			}
		}
	}
	for _, ic := range cases {
		for _, server := range ic.On {
			if !ran[[3]string{ic.Suite, ic.Name, server}] {
				t.Errorf("%s/%s is never run on %s", ic.Suite, ic.Name, server)
			}
		}
	}
	t.Logf("the table has %d rows and %d calls", len(reached), total)
}

// TestInterop_LeavesNoAddressOut starts each server and wants every address it
// says it serves, and every transport that server-everything has, to be in the
// table.
func TestInterop_LeavesNoAddressOut(t *testing.T) {
	runs := readRunners(t)
	if len(runs) == 0 {
		t.Skip("neither PARLEY_NODE nor PARLEY_GO_SERVERS is set; \"make interop\" sets both and runs this")
	}
	inTable := map[string]bool{}
	for _, r := range readTable(t) {
		transport, path, _ := r.way()
		inTable[r.server+" "+path] = true
		if r.server == "everything" {
			inTable[filepath.Join(everything, "transports", map[string]string{"stdio": "stdio.js", "http": "streamableHttp.js", "sse": "sse.js"}[transport])] = true
		}
	}
	servers := newServers(t)
	for name, run := range runs {
		if !inTable[name+" "] {
			t.Errorf("%s has no row over stdio", name)
		}
		for transport := range run.http {
			for _, address := range servers.urls(t, run, transport) {
				if u, err := url.Parse(address); err != nil || !inTable[name+" "+u.Path] {
					t.Errorf("%s serves %s, which has no row", name, address)
				}
			}
		}
	}
	if _, ok := runs["everything"]; !ok {
		return
	}
	files, err := filepath.Glob(filepath.Join(everything, "transports", "*.js"))
	if err != nil || len(files) == 0 {
		t.Fatalf("server-everything has no transports: %v", err)
	}
	for _, file := range files {
		if !inTable[file] {
			t.Errorf("server-everything has the transport %s, which has no row", filepath.Base(file))
		}
	}
}
