//go:build unix

package stdio

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// loginLimit is how long the login shell may take; tests shorten it. Shells with
// many plug-ins need a second or two.
var loginLimit = 4 * time.Second

// accounts is where the system keeps people's login shells (passwd(5)).
var accounts = "/etc/passwd"

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

// askLogin asks the person's shell which PATH it has in a terminal. A desktop
// starts apps with a short PATH of its own, without what shell profiles add
// (version managers, Homebrew).
func askLogin(ctx context.Context) loginAnswer {
	shell := loginShell()
	if shell == "" {
		return loginAnswer{fault: LoginUnknown}
	}
	login.Lock()
	defer login.Unlock()
	if login.shell == shell {
		return loginAnswer{shell: shell, path: login.path}
	}
	path, fault := askShell(ctx, shell)
	if path != "" {
		login.shell, login.path = shell, path
	}
	return loginAnswer{shell, path, fault}
}

// loginShell returns the path of the person's shell, "" if it is not known:
// SHELL, which services and bare environments lack, else what the system has on
// record.
func loginShell() string {
	if shell := os.Getenv("SHELL"); filepath.IsAbs(shell) {
		return shell
	}
	f, err := os.Open(accounts)
	if err != nil {
		return ""
	}
	defer f.Close()
	me := strconv.Itoa(os.Getuid())
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// name:password:uid:gid:comment:home:shell
		fields := strings.Split(lines.Text(), ":")
		if len(fields) != 7 || fields[2] != me {
			continue
		}
		switch shell := fields[6]; {
		case shell == "":
			return "/bin/sh" // what login uses then
		case filepath.IsAbs(shell):
			return shell
		}
		return ""
	}
	return ""
}

// askShell starts shell as a terminal does and has it print its PATH. Profiles
// may print something too, so the PATH stands between marks.
func askShell(ctx context.Context, shell string) (path string, fault LoginFault) {
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
	switch {
	case found && path != "":
		return path, ""
	case ctx.Err() != nil:
		return "", LoginLate
	}
	return "", LoginFailed
}
