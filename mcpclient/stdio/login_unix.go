//go:build unix

package stdio

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// loginLimit is how long the login shell may take. Shells with many plug-ins
// need a second or two.
const loginLimit = 4 * time.Second

// login remembers the answer of the last shell that gave one: it does not
// change while Parley runs, and asking is slow.
var login struct {
	sync.Mutex
	shell, path string
}

// systemDirs are the folders of the PATH that desktops start apps with.
var systemDirs = []string{
	"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
	"/usr/local/games", "/usr/games", "/snap/bin",
}

// fromDesktop reports whether Parley, which has the PATH search, was started by
// a click: no shell has counted its level in SHLVL, as all usual ones do, and
// nobody has added anything to the PATH.
func fromDesktop(search string) bool {
	added := func(dir string) bool { return !slices.Contains(systemDirs, dir) }
	return os.Getenv("SHLVL") == "" && !slices.ContainsFunc(filepath.SplitList(search), added)
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
	if path != "" {
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
