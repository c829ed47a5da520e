//go:build unix

package stdio

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parley/mcpclient/wire"
	"parley/mcpclient/wire/wiretest"
)

// process returns the process id of the guard, 0 if it does not run.
func (g *guard) process() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.input == nil {
		return 0
	}
	return g.cmd.Process.Pid
}

// end returns a channel that is closed when the guard that runs now has ended.
func (g *guard) end() chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ended
}

func within(t *testing.T, end <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-end:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s still runs", what)
	}
}

// useGuard makes g the guard of the test.
func useGuard(t *testing.T, g *guard) {
	old := theGuard
	theGuard = g
	t.Cleanup(func() { theGuard = old })
}

// B71: nothing is left after a crash of Parley: not the programs it started,
// not what they started in their turn, not the guard.
func TestB71_NothingIsLeftWhenTheAppIsKilled(t *testing.T) {
	for name, test := range map[string]struct {
		servers []string
		runs    int // processes of the servers
		by      syscall.Signal
	}{
		"at once":                            {[]string{"stubborn", "wrapper", "wrapper that exits", "echo"}, 6, syscall.SIGKILL},
		"by the end of the person's session": {[]string{"stays"}, 1, syscall.SIGTERM},
	} {
		t.Run("B71 "+name, func(t *testing.T) {
			wiretest.NoLeaks(t, "parley/mcpclient")
			l := newLine(t)
			app := exec.Command(os.Args[0], test.servers...)
			app.Env = append(os.Environ(), fakeVar+"=app", l.env())
			out, err := app.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := app.Start(); err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			r := &wiretest.Recorder{}
			heard := inBackground(func() {
				newReader(out, wire.DefaultMaxMessage, r, wire.NewNotices(r), func([]byte) {}).run()
			})
			for range test.runs + 1 {
				c := l.next()
				defer gone(t, c, "a process")
			}
			guard := watch(t, string(r.Next(t).Message.Params))
			if err := app.Process.Signal(test.by); err != nil {
				t.Fatal(err)
			}
			within(t, guard, "the guard")
			within(t, heard, "something with the app's output")
			_ = app.Wait()
		})
	}
}

// B71: the guard ends with the last program, and a new one begins with the next.
func TestB71_TheGuardEndsWithTheLastProgram(t *testing.T) {
	wiretest.NoLeaks(t, "parley/mcpclient")
	useGuard(t, newGuard("/bin/sh"))
	for range 2 {
		first, _ := begin(t, "echo", Options{})
		guard, end := theGuard.process(), theGuard.end()
		if guard == 0 {
			t.Fatal("there is no guard")
		}
		if sid, err := unix.Getsid(guard); err != nil || sid != guard {
			t.Errorf("the guard is in the session %d (%v), want its own, %d", sid, err, guard)
		}
		second, _ := begin(t, "echo", Options{})
		if other := theGuard.process(); other != guard {
			t.Errorf("a second program has the guard %d beside %d", other, guard)
		}
		first.Close(t.Context())
		if closed(end) {
			t.Error("the guard ended before the last program")
		}
		second.Close(t.Context())
		within(t, end, "the guard")
		if len(theGuard.groups) != 0 || theGuard.users != 0 {
			t.Errorf("after the last program: %d groups, %d users", len(theGuard.groups), theGuard.users)
		}
	}
}

// B71: a program that cannot be started leaves no guard behind.
func TestB71_AFailedStartLeavesNoGuard(t *testing.T) {
	wiretest.NoLeaks(t, "parley/mcpclient")
	useGuard(t, newGuard("/bin/sh"))
	text := executable(t, t.TempDir()+"/text", "no program\n")
	if err := New(Command{Path: text}, Options{}).Start(t.Context(), &wiretest.Recorder{}); err == nil {
		t.Fatal("a text was started")
	}
	within(t, theGuard.end(), "the guard")
}

// B71: the guard ends nothing but what was left: a group that was taken back
// lives on when the guard's input ends.
func TestB71_TheGuardEndsWhatItKnowsAndNothingElse(t *testing.T) {
	wiretest.NoLeaks(t, "parley/mcpclient")
	l := newLine(t)
	program := func() *process {
		p, err := start(t.Context(), Command{Path: os.Args[0], Env: []string{fakeVar + "=stubborn", l.env()}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	useGuard(t, newGuard("/bin/sh"))
	kept := program()
	c := l.next()
	left := program()
	d := l.next()
	theGuard.drop(kept.group.id)
	theGuard.input.Close() // as if Parley had ended
	within(t, theGuard.end(), "the guard")
	gone(t, d, "the program that was left")
	if !kept.group.alive() {
		t.Error("the guard ended a group that was taken back")
	}
	kept.group.kill()
	gone(t, c, "the other program")
	for _, p := range []*process{kept, left} {
		within(t, p.exited, "a program")
		p.group.release()
		p.close()
	}
}

// B71: a guard that was killed, or does not read, is replaced by one that knows
// all groups; programs go on.
func TestB71_ALostGuardIsReplaced(t *testing.T) {
	for name, seen := range map[string]bool{"seen at the next start": true, "seen at the next line": false} {
		t.Run("B71 "+name, func(t *testing.T) {
			wiretest.NoLeaks(t, "parley/mcpclient")
			g := newGuard("/bin/sh")
			useGuard(t, g)
			first, _ := begin(t, "stays", Options{})
			before, end := g.process(), g.end()
			syscall.Kill(before, syscall.SIGKILL)
			within(t, end, "the guard that was killed")
			if !seen {
				g.ended = make(chan struct{}) // the news has not come yet
			}
			second, r := begin(t, "echo", Options{})
			request(t, second, 1, `{}`)
			r.Next(t)
			if now := g.process(); now == 0 || now == before {
				t.Errorf("the guard is %d after %d was lost", now, before)
			}
			if len(g.groups) != 2 {
				t.Errorf("%d groups are known, want 2", len(g.groups))
			}
			end = g.end()
			first.Close(t.Context())
			second.Close(t.Context())
			within(t, end, "the new guard")
		})
	}
}

// B71: without a shell there is no guard, and programs run all the same.
func TestB71_WithoutAShellProgramsRunAllTheSame(t *testing.T) {
	useGuard(t, newGuard("/no/such/shell"))
	tr, r := run(t, "echo", Options{})
	request(t, tr, 1, `{}`)
	r.Next(t)
	if theGuard.process() != 0 {
		t.Error("there is a guard without a shell")
	}
}

// B71: a program gets the three pipes of its own streams and no other of ours,
// least of all the guard's.
func TestB71_AProgramGetsNoFileOfOurs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open files are listed in /proc")
	}
	wiretest.NoLeaks(t, "parley/mcpclient")
	// What whoever runs the test has left open for everyone is not ours.
	want := []int{0, 1, 2}
	for _, fd := range openPipes(true) {
		if fd > 2 {
			want = append(want, fd)
		}
	}
	begin(t, "deaf", Options{})
	_, r := begin(t, "files", Options{})
	if got := string(r.Next(t).Message.Params); got != fmt.Sprintf("[%q]", fmt.Sprint(want)) {
		t.Errorf("the program has the pipes %s, want %v", got, want)
	}
}

// The guard's script must mean the same to every shell that may be /bin/sh.
func TestTheGuardWorksInEveryShellThereIs(t *testing.T) {
	wiretest.NoLeaks(t, "parley/mcpclient")
	l := newLine(t)
	type trial struct {
		shell string
		guard *guard
		p     *process
		runs  [2]net.Conn
	}
	var trials []trial
	for _, name := range []string{"sh", "dash", "bash", "ksh", "mksh", "ash"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		p, err := start(t.Context(), Command{Path: os.Args[0], Env: []string{fakeVar + "=wrapper", l.env()}})
		if err != nil {
			t.Fatal(err)
		}
		theGuard.drop(p.group.id)
		g := newGuard(path)
		if !g.enter() {
			t.Fatalf("%s was not started", name)
		}
		g.add(p.group.id)
		g.add(1 << 30) // there is no such group
		g.add(1 << 29)
		g.drop(1 << 30)
		trials = append(trials, trial{name, g, p, [2]net.Conn{l.next(), l.next()}})
	}
	for _, x := range trials {
		x.guard.input.Close() // as if Parley had ended
	}
	for _, x := range trials {
		within(t, x.guard.end(), "the guard in "+x.shell)
		gone(t, x.runs[0], "the wrapper guarded by "+x.shell)
		gone(t, x.runs[1], "the server guarded by "+x.shell)
		within(t, x.p.exited, "the program guarded by "+x.shell)
		x.p.group.release()
		x.p.close()
	}
	if len(trials) == 0 {
		t.Skip("no shell here")
	}
}
