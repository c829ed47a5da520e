//go:build unix && !darwin

package consent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/assets/i18n"
)

// fakeOpen puts a shell script named xdg-open alone into PATH. It may use shell
// built-ins only. The file that it writes to is $RECORD.
func fakeOpen(t *testing.T, script string) (record string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	record = filepath.Join(t.TempDir(), "record")
	t.Setenv("PATH", dir)
	t.Setenv("RECORD", record)
	return record
}

// never is a time.After that waits for nothing but the program.
func never(time.Duration) <-chan time.Time { return nil }

const recordArgv = `printf '%s\0' "$@" > "$RECORD"` + "\n"

// wild holds every character that a canonical link may have and a shell would
// act on.
const wild = "https://example.com/~a/!$&'()*+,;=:@[x]?q=$(id)&r=%60&s='--'#;id"

func TestC21_TheBrowserGetsExactlyTheStringThatWasShown(t *testing.T) {
	for _, raw := range []string{"https://example.com/", wild, "HTTPS://MÜNCHEN.de:443/a", "https://example.com/日本?x=\\|"} {
		a := Assess(raw, Asker{})
		if a.Level == Block {
			t.Fatalf("%q is blocked: %v", raw, codes(a))
		}
		record := fakeOpen(t, recordArgv)
		b := &browser{command: systemOpener, after: never}
		if err := b.Open(t.Context(), a.Open); err != nil {
			t.Fatalf("Open(%q): %v", a.Open, err)
		}
		b.children.Wait()
		got, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		shown := ""
		for _, p := range a.Parts {
			shown += p.Text
		}
		if string(got) != shown+"\x00" {
			t.Errorf("argv is %q, shown was %q", got, shown)
		}
	}
}

func TestC20_NothingButAnAssessedLinkIsOpened(t *testing.T) {
	record := fakeOpen(t, recordArgv)
	b := &browser{command: systemOpener, after: never}
	for _, url := range []string{"", "-h", "file:///etc/passwd", "javascript:alert(1)", "example.com", "/etc/passwd",
		"https://user@example.com/", "https://example.com/a b", "https://münchen.de/", "HTTPS://example.com/",
		"https://example.com:443/", "http://169.254.169.254/", "https://example.com/\n--new-window"} {
		err := b.Open(t.Context(), url)
		var failure *OpenError
		if !errors.As(err, &failure) || failure.Reason != Refused {
			t.Errorf("Open(%q) = %v, want it refused", url, err)
		}
	}
	b.children.Wait()
	if _, err := os.Stat(record); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program was started: %v", err)
	}
}

func TestC20_ALinkWhoseConsentWasTakenBackIsNotOpened(t *testing.T) {
	record := fakeOpen(t, recordArgv)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := &browser{command: systemOpener, after: never}
	if err := b.Open(ctx, "https://example.com/"); !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v, want context.Canceled", err)
	}
	if _, err := os.Stat(record); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program was started: %v", err)
	}
}

// C13, C14: only a browser that started is "opened"; the person is told and stays
// in control.
func TestB36_C14_ABrowserThatDidNotStartIsSaid(t *testing.T) {
	english := i18n.New("en")
	tests := []struct {
		name, script string
		reason       OpenReason
		exit         int
		says         string
	}{
		{"missing program", "", Missing, 0, "The program that opens links (xdg-open) was not found. Copy the link and open it in your browser."},
		{"exit code without a word", "exit 3", Failed, 3, "The browser did not start (xdg-open ended with code 3). Copy the link and open it in your browser."},
		{"exit code with a reason", "echo first >&2; echo 'no method available' >&2; echo >&2; exit 4", Failed, 4,
			"The browser did not start (xdg-open ended with code 4: no method available). Copy the link and open it in your browser."},
		{"reason with the link in it", `echo "cannot open '$1'" >&2; exit 2`, Failed, 2,
			"The browser did not start (xdg-open ended with code 2: cannot open '…'). Copy the link and open it in your browser."},
		{"reason that plays with the terminal", `printf 'red \033[31m\n' >&2; exit 1`, Failed, 1,
			"The browser did not start (xdg-open ended with code 1: red ⟨U+001B⟩[31m). Copy the link and open it in your browser."},
		{"killed", "kill -9 $$", Failed, -1, "The browser did not start (xdg-open was ended from outside). Copy the link and open it in your browser."},
		{"not executable at all", "\x00", Failed, 0,
			"The browser did not start (xdg-open could not be run: exec format error). Copy the link and open it in your browser."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fakeOpen(t, test.script)
			switch test.name {
			case "missing program":
				t.Setenv("PATH", t.TempDir())
			case "not executable at all":
				dir := t.TempDir()
				if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("\x7fELFnot really"), 0o755); err != nil {
					t.Fatal(err)
				}
				t.Setenv("PATH", dir)
			}
			b := &browser{command: systemOpener, after: never}
			err := b.Open(t.Context(), "https://example.com/?state=canary")
			b.children.Wait()
			var failure *OpenError
			if !errors.As(err, &failure) {
				t.Fatalf("Open = %v, want an OpenError", err)
			}
			if failure.Reason != test.reason || failure.Exit != test.exit {
				t.Errorf("reason %d, exit %d; want %d, %d", failure.Reason, failure.Exit, test.reason, test.exit)
			}
			said := english.Text(failure.Message())
			if test.says != "" && said != test.says {
				t.Errorf("says %q, want %q", said, test.says)
			}
			if strings.Contains(said+failure.Error(), "canary") {
				t.Errorf("the link is in the error: %q, %q", said, failure)
			}
		})
	}
}

func TestEndlessErrorOutputIsBounded(t *testing.T) {
	fakeOpen(t, `i=0; while [ $i -lt 3000 ]; do printf 0123456789 >&2; i=$((i+1)); done; exit 1`)
	b := &browser{command: systemOpener, after: never}
	err := b.Open(t.Context(), "https://example.com/")
	b.children.Wait()
	var failure *OpenError
	if !errors.As(err, &failure) {
		t.Fatalf("Open = %v, want an OpenError", err)
	}
	if n := len(failure.Detail.String()); n < maxDetail || n > maxDetail+40 || !failure.Detail.Cut() {
		t.Errorf("detail has %d bytes, cut %v", n, failure.Detail.Cut())
	}
}

// The program hangs on a pipe that nobody writes to, the two seconds are a
// channel: no test waits for a clock.
func TestC14_ABrowserThatStillRunsAfterTwoSecondsIsOpened(t *testing.T) {
	record := fakeOpen(t, `read -r line < "$RECORD"`)
	if err := syscall.Mkfifo(record, 0o600); err != nil {
		t.Fatal(err)
	}
	over := make(chan time.Time, 1)
	over <- time.Time{}
	var asked time.Duration
	b := &browser{command: systemOpener, after: func(d time.Duration) <-chan time.Time { asked = d; return over }}
	if err := b.Open(t.Context(), "https://example.com/"); err != nil {
		t.Errorf("Open = %v, want nil", err)
	}
	if asked != 2*time.Second {
		t.Errorf("waits %v, want 2 s", asked)
	}
	release(t, record)
	b.children.Wait() // its goroutine ends with the program: no zombie
}

func TestAnEndedContextLeavesTheBrowserAlone(t *testing.T) {
	record := fakeOpen(t, `read -r line < "$RECORD"`)
	if err := syscall.Mkfifo(record, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	b := &browser{command: systemOpener, after: func(time.Duration) <-chan time.Time { cancel(); return nil }}
	if err := b.Open(ctx, "https://example.com/"); !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v, want context.Canceled", err)
	}
	release(t, record)
	b.children.Wait()
}

// release lets the fake program that reads from the pipe go on.
func release(t *testing.T, pipe string) {
	t.Helper()
	f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("go\n"); err != nil {
		t.Error(err)
	}
	f.Close()
}

// C22: the browser is a process of its own, in a session of its own, with
// nothing of the app's open.
func TestC22_TheBrowserIsOnItsOwn(t *testing.T) {
	record := fakeOpen(t, `read -r a b c d e f rest < /proc/self/stat; printf '%s %s %s' "$a" "$f" "$$" > "$RECORD"`)
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc here")
	}
	b := &browser{command: systemOpener, after: never}
	if err := b.Open(t.Context(), "https://example.com/"); err != nil {
		t.Fatal(err)
	}
	b.children.Wait()
	got, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(got))
	if len(f) != 3 || f[0] != f[1] || f[0] != f[2] {
		t.Errorf("pid, session, shell are %q: the program has no session of its own", got)
	}
}

func TestBrowserIsReadyToUse(t *testing.T) {
	record := fakeOpen(t, recordArgv)
	if err := Browser().Open(t.Context(), "https://example.com/"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(record); err != nil || string(got) != "https://example.com/\x00" {
		t.Errorf("argv %q, %v", got, err)
	}
}
