//go:build linux

package windowtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// App is a program started on a [Display].
type App struct {
	// Home is the program's home folder, empty at the start but for the
	// toolkit's setting that animations are off, so that pictures stand still.
	Home string
	// Config is the folder its own files lie in.
	Config string

	d       *Display
	process *process
	name    string
}

// Options say how a program is started.
type Options struct {
	// Args are its arguments.
	Args []string
	// Env is added to its environment; LANG=zh_CN.UTF-8 and FYNE_THEME=dark
	// are the common ones.
	Env []string
	// Home is a home folder to start in, as an earlier App left it; "" is a new
	// and empty one.
	Home string
}

// StartParley starts the program that PARLEY_BINARY names.
func (d *Display) StartParley(o Options) *App {
	d.t.Helper()
	binary := os.Getenv("PARLEY_BINARY")
	if binary == "" {
		d.t.Fatal("PARLEY_BINARY names no program to test; \"make window\" sets it")
	}
	return d.Start(binary, o)
}

// Start starts a program on the display; it ends with the test.
func (d *Display) Start(program string, o Options) *App {
	d.t.Helper()
	a := &App{Home: o.Home, d: d, name: filepath.Base(program)}
	if a.Home == "" {
		home, err := os.MkdirTemp(d.dir, "home")
		if err != nil {
			d.t.Fatal(err)
		}
		a.Home = home
		d.write(filepath.Join(d.mkdir(filepath.Join(home, ".config", "fyne")), "settings.json"), `{"no_animations":true}`, 0o644)
	}
	a.Config = filepath.Join(a.Home, ".config", "parley")
	cmd := exec.Command(program, o.Args...)
	cmd.Env = append(append([]string{}, d.env...), "HOME="+a.Home)
	cmd.Env = append(cmd.Env, o.Env...)
	a.process = d.start(cmd, a.name)
	return a
}

// PID is the program's process id.
func (a *App) PID() int { return a.process.cmd.Process.Pid }

// Output is what the program said so far on both of its outputs.
func (a *App) Output() string { return a.d.log(a.name) }

// Running reports whether the program has not ended.
func (a *App) Running() bool {
	select {
	case <-a.process.ended:
		return false
	default:
		return true
	}
}

// Wait waits until the program has ended and returns its exit code.
func (a *App) Wait() int {
	a.d.t.Helper()
	a.d.waitFor("the end of "+a.name, func() bool { return !a.Running() })
	return a.process.cmd.ProcessState.ExitCode()
}

// Stop ends the program and waits for its end.
func (a *App) Stop() { a.process.stop() }

// WaitWindow waits for a visible window whose title contains the text, raises
// it and gives it the keyboard. It returns the window's X id.
func (d *Display) WaitWindow(title string) string {
	d.t.Helper()
	var id string
	d.waitFor("a window titled "+title, func() bool {
		out, err := d.command("xdotool", "search", "--onlyvisible", "--name", regexpQuote(title)).Output()
		id, _, _ = strings.Cut(string(out), "\n")
		return err == nil && id != ""
	})
	// Whoever works by keyboard has no pointer over what is to be seen.
	d.xdotool("mousemove", strconv.Itoa(ScreenWidth-1), strconv.Itoa(ScreenHeight-1))
	d.xdotool("windowactivate", "--sync", id)
	d.waitFor("the keyboard to be with "+title, func() bool {
		out, err := d.command("xdotool", "getwindowfocus").Output()
		return err == nil && strings.TrimSpace(string(out)) == id
	})
	return id
}

// Title is the title of a window.
func (d *Display) Title(id string) string {
	d.t.Helper()
	return strings.TrimSuffix(d.xdotool("getwindowname", id), "\n")
}

// Type types text as a person does, into whatever has the keyboard.
func (d *Display) Type(text string) {
	d.t.Helper()
	d.giveKeys(text)
	d.xdotool("type", "--clearmodifiers", "--delay", "150", "--", text)
	d.linger()
}

// Click clicks the left button at a place of the screen, in pixels, and takes
// the pointer away again.
func (d *Display) Click(x, y int) {
	d.t.Helper()
	d.xdotool("mousemove", "--sync", strconv.Itoa(x), strconv.Itoa(y))
	d.xdotool("click", "1")
	d.xdotool("mousemove", strconv.Itoa(ScreenWidth-1), strconv.Itoa(ScreenHeight-1))
	d.linger()
}

// Wheel turns the mouse wheel at a place of the screen, in pixels: so many turns
// down, or up if that is negative. The pointer is taken away again.
func (d *Display) Wheel(x, y, turns int) {
	d.t.Helper()
	button := "5"
	if turns < 0 {
		button, turns = "4", -turns
	}
	d.xdotool("mousemove", "--sync", strconv.Itoa(x), strconv.Itoa(y))
	d.xdotool("click", "--repeat", strconv.Itoa(turns), "--delay", "50", button)
	d.xdotool("mousemove", strconv.Itoa(ScreenWidth-1), strconv.Itoa(ScreenHeight-1))
	d.linger()
}

// giveKeys puts the characters that the keyboard has no key for on its spare
// keys. xdotool would do so itself, but presses each key at once, and a program
// on a loaded machine that has not read the new keyboard yet takes it for none.
func (d *Display) giveKeys(text string) {
	d.t.Helper()
	var changes []string
	for _, r := range text {
		if r < 0x80 || d.keys[r] {
			continue
		}
		if d.spare == nil {
			d.spare = d.spareKeys()
		}
		if len(d.spare) == 0 {
			d.t.Fatalf("the keyboard has no key left for %q", r)
		}
		changes = append(changes, fmt.Sprintf("keycode %s = U%04X", d.spare[0], r))
		d.spare = d.spare[1:]
		d.keys[r] = true
	}
	if len(changes) == 0 {
		return
	}
	cmd := d.command("xmodmap", "-")
	cmd.Stdin = strings.NewReader(strings.Join(changes, "\n") + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("xmodmap: %v\n%s", err, out)
	}
	d.Settle()
}

// spareKeys are the key codes that nothing is on.
func (d *Display) spareKeys() []string {
	d.t.Helper()
	out, err := d.command("xmodmap", "-pke").Output()
	if err != nil {
		d.t.Fatalf("xmodmap: %v", err)
	}
	var spare []string
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) == 3 && f[0] == "keycode" && f[2] == "=" {
			spare = append(spare, f[1])
		}
	}
	return spare
}

// Key presses keys one after the other, by their X names: "Tab", "Return",
// "ctrl+Return", "shift+Tab", "Down".
func (d *Display) Key(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.xdotool("key", "--clearmodifiers", "--", k)
		d.linger()
	}
}

// xdotool runs one command of it and returns what it says.
func (d *Display) xdotool(args ...string) string {
	d.t.Helper()
	cmd := d.command("xdotool", args...)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		d.t.Fatalf("xdotool %s: %v\n%s", args[0], err, errors.String())
	}
	return string(out)
}

// regexpQuote makes text a pattern that matches itself, for xdotool's search.
func regexpQuote(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
