//go:build linux

package windowtest

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
)

// Browser stands for the person's browser: an xdg-open of its own, first on
// the path, that opens nothing and keeps its arguments byte for byte.
type Browser struct {
	t      testing.TB
	bin    string // the folder that holds xdg-open
	opened string // a file for each call, named by its time; arguments end in NUL
}

// newBrowser writes the recording xdg-open into bin.
func newBrowser(t testing.TB, bin, opened string) *Browser {
	b := &Browser{t: t, bin: bin, opened: opened}
	script := `#!/bin/sh
# Keeps its arguments, each with a NUL behind it, and fails where it is told to.
folder=` + quote(opened) + `
draft=$(mktemp "$folder/.draft.XXXXXX") || exit 70
[ $# = 0 ] || printf '%s\0' "$@" >"$draft"
mv "$draft" "$folder/$(date +%s%N).argv"
exit "$(cat "$folder/.exit" 2>/dev/null || echo 0)"
`
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return b
}

// quote makes s one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// FailWith makes every later call end with the given exit code, as an xdg-open
// that finds no browser does (3); 0 makes it work again.
func (b *Browser) FailWith(code int) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.opened, ".exit"), fmt.Append(nil, code), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// Opened is the arguments of every call so far, the oldest first.
func (b *Browser) Opened() [][]string {
	b.t.Helper()
	names, err := filepath.Glob(filepath.Join(b.opened, "*.argv"))
	if err != nil {
		b.t.Fatal(err)
	}
	sort.Strings(names)
	var calls [][]string
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			b.t.Fatal(err)
		}
		args := strings.Split(string(raw), "\x00")
		calls = append(calls, args[:len(args)-1])
	}
	return calls
}

// Wait waits until there were n calls and returns them.
func (b *Browser) Wait(n int) [][]string {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if calls := b.Opened(); len(calls) >= n {
			return calls
		}
	}
	b.t.Fatalf("the browser was asked %d times to open something, not %d times", len(b.Opened()), n)
	return nil
}
