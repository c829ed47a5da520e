//go:build linux

package windowtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Size of the virtual screen in pixels.
const (
	ScreenWidth  = 1280
	ScreenHeight = 800
)

// patience is how long a wait lasts before it fails its test. It is far more
// than any event takes on a loaded machine, and ends sooner where the test
// binary's own deadline is near.
const patience = 60 * time.Second

// Display is a virtual screen with all that a desktop app expects around it.
// Its methods fail the test they were made for; they are for one goroutine.
type Display struct {
	// Name is the X display, such as ":1".
	Name string
	// Browser records what programs on this display ask the desktop to open.
	Browser *Browser

	t     testing.TB
	dir   string // scratch files, removed with the test
	shots string
	taken int // pictures so far, for their names
	pace  time.Duration
	env   []string      // what every program on this display gets
	keys  map[rune]bool // characters beyond ASCII that have a key
	spare []string      // key codes that nothing is on; nil before the first look
}

// StartDisplay starts a virtual display for t and stops it when t ends.
func StartDisplay(t testing.TB) *Display {
	t.Helper()
	d := &Display{t: t, dir: t.TempDir(), shots: os.Getenv("PARLEY_SHOTS"), keys: map[rune]bool{}}
	if d.shots == "" {
		d.shots = filepath.Join(d.dir, "shots")
	}
	d.mkdir(d.shots)
	if p := os.Getenv("PARLEY_PACE"); p != "" {
		pace, err := time.ParseDuration(p)
		if err != nil {
			t.Fatalf("PARLEY_PACE: %v", err)
		}
		d.pace = pace
	}
	d.Browser = newBrowser(t, d.mkdir(filepath.Join(d.dir, "bin")), d.mkdir(filepath.Join(d.dir, "opened")))

	d.Name = d.startX()
	d.env = d.environment(d.startBus())
	d.startWindowManager()
	return d
}

// environment is what every program on this display gets: nothing of the
// machine's desktop, the display's own one, a real locale, and the recording
// browser before everything else on the path.
func (d *Display) environment(bus string) []string {
	drop := map[string]bool{
		"DISPLAY": true, "WAYLAND_DISPLAY": true, "XAUTHORITY": true, "DBUS_SESSION_BUS_ADDRESS": true,
		"LC_ALL": true, "LANGUAGE": true, "LANG": true, "PATH": true, "BROWSER": true,
		"PARLEY_BINARY": true, "PARLEY_SHOTS": true, "PARLEY_PACE": true,
	}
	var env []string
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		if !drop[name] && !strings.HasPrefix(name, "FYNE_") && !strings.HasPrefix(name, "XDG_") {
			env = append(env, e)
		}
	}
	return append(env,
		"DISPLAY="+d.Name,
		"DBUS_SESSION_BUS_ADDRESS="+bus,
		"LANG=en_US.UTF-8",
		"LIBGL_ALWAYS_SOFTWARE=1",
		"PATH="+d.Browser.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
	)
}

// startX starts the X server on a display number that it finds free itself.
func (d *Display) startX() string {
	d.t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		d.t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", ScreenWidth, ScreenHeight),
		"-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	d.start(cmd, "Xvfb")
	w.Close()
	number, err := d.firstLine(r)
	if err != nil {
		d.t.Fatalf("Xvfb gave no display: %v\n%s", err, d.log("Xvfb"))
	}
	return ":" + number
}

// startBus starts a session bus without any service to activate, so that a
// test neither starts nor reaches a keychain or a desktop of the machine.
func (d *Display) startBus() string {
	d.t.Helper()
	config := filepath.Join(d.dir, "bus.conf")
	d.write(config, `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`, 0o644)
	r, w, err := os.Pipe()
	if err != nil {
		d.t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("dbus-daemon", "--config-file="+config, "--nofork", "--nopidfile", "--print-address=3")
	cmd.ExtraFiles = []*os.File{w}
	d.start(cmd, "dbus-daemon")
	w.Close()
	address, err := d.firstLine(r)
	if err != nil {
		d.t.Fatalf("dbus-daemon gave no address: %v\n%s", err, d.log("dbus-daemon"))
	}
	return address
}

// startWindowManager starts openbox and waits until it manages the screen.
func (d *Display) startWindowManager() {
	d.t.Helper()
	cmd := exec.Command("openbox")
	cmd.Env = append(d.env, "HOME="+d.mkdir(filepath.Join(d.dir, "wm")))
	d.start(cmd, "openbox")
	d.waitFor("the window manager", func() bool {
		out, err := d.command("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").Output()
		return err == nil && strings.Contains(string(out), "window id #")
	})
}

// start starts cmd in a process group of its own, with its output in a file,
// and ends the group when the test ends.
func (d *Display) start(cmd *exec.Cmd, name string) *process {
	d.t.Helper()
	out, err := os.Create(d.logName(name))
	if err != nil {
		d.t.Fatal(err)
	}
	defer out.Close() // the child has its own
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		d.t.Fatalf("starting %s (\".ci/deps window\" installs what the window tests need): %v", name, err)
	}
	p := &process{cmd: cmd, ended: make(chan struct{})}
	go func() { // ends with the process, which the clean-up below ends
		p.err = cmd.Wait()
		close(p.ended)
	}()
	d.t.Cleanup(p.stop)
	return p
}

// process is a child with its process group.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{}
	err   error // what Wait said, once ended is closed
}

// stop ends the process group: politely at first, then for good.
func (p *process) stop() {
	group := -p.cmd.Process.Pid
	_ = syscall.Kill(group, syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(3 * time.Second):
	}
	_ = syscall.Kill(group, syscall.SIGKILL) // what it started may live on
	<-p.ended
}

// command is a short-lived helper program on this display.
func (d *Display) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = d.env
	return cmd
}

// firstLine reads what a program says on its own pipe once it is ready.
func (d *Display) firstLine(r *os.File) (string, error) {
	if err := r.SetReadDeadline(time.Now().Add(d.limit())); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(r).ReadString('\n')
	return strings.TrimSpace(line), err
}

// waitFor asks until done says yes, and fails the test with a picture of the
// screen when it never does. The pauses only spare the machine.
func (d *Display) waitFor(what string, done func() bool) {
	d.t.Helper()
	limit := d.limit()
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if done() {
			return
		}
	}
	if d.env != nil {
		if img, err := d.grab(); err == nil {
			d.t.Logf("the last picture: %s", d.keep("last", img))
		}
	}
	d.t.Fatalf("waited %v in vain for %s", limit.Round(time.Second), what)
}

// limit is how long a wait may last: less than the test binary has left, so
// that the clean-up still runs.
func (d *Display) limit() time.Duration {
	limit := patience
	if t, ok := d.t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, ok := t.Deadline(); ok {
			limit = min(limit, time.Until(end)-15*time.Second)
		}
	}
	return max(limit, 0)
}

// linger pauses for the person who watches a tour.
func (d *Display) linger() { time.Sleep(d.pace) }

func (d *Display) logName(name string) string { return filepath.Join(d.dir, name+".log") }

// log is what a program said so far.
func (d *Display) log(name string) string {
	raw, err := os.ReadFile(d.logName(name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(raw)
}

func (d *Display) mkdir(path string) string {
	if err := os.MkdirAll(path, 0o755); err != nil {
		d.t.Fatal(err)
	}
	return path
}

func (d *Display) write(path, text string, mode os.FileMode) {
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		d.t.Fatal(err)
	}
}
