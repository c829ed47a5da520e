//go:build unix

package stdio

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// loginLimit is how long the login shell may take. Shells with many plug-ins
// need a second or two.
const loginLimit = 4 * time.Second

// login remembers the answer of the last shell asked: it does not change while
// Parley runs, and asking is slow.
var login struct {
	sync.Mutex
	shell, path string
}

// loginPath returns the PATH that the person's shell has in a terminal, "" if
// it cannot be told. A desktop starts apps with a short PATH of its own, without
// what shell profiles add (version managers, Homebrew).
func loginPath(ctx context.Context) string {
	shell := os.Getenv("SHELL")
	if !filepath.IsAbs(shell) {
		return ""
	}
	login.Lock()
	defer login.Unlock()
	if login.shell == shell {
		return login.path
	}
	path := askShell(ctx, shell)
	if ctx.Err() == nil {
		login.shell, login.path = shell, path
	}
	return path
}

// askShell starts shell as a terminal does and has it print its PATH. Profiles
// may print something too, so the PATH stands between marks.
func askShell(ctx context.Context, shell string) string {
	const mark = "__parley_path__"
	ctx, cancel := context.WithTimeout(ctx, loginLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, shell, "-i", "-l", "-c", `printf '`+mark+`%s`+mark+`' "$PATH"`)
	// A session of its own: an interactive shell would else take the terminal
	// that Parley may have been started from.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &out
	// The exit code is that of the last command of a profile as often as not.
	_ = cmd.Run()
	_, rest, _ := strings.Cut(out.String(), mark)
	path, _, found := strings.Cut(rest, mark)
	if !found {
		return ""
	}
	return path
}
