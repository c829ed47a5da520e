//go:build unix

package stdio

import (
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// guardScript is what the guard runs. It reads "+123" when the process group
// 123 has begun and "-123" when it is gone. When its input ends, Parley has
// ended, however that came about, and what is left of the groups is ended as
// Close would: terminate, 2 s, kill. Only numbers ever reach it.
const guardScript = `trap '' HUP INT QUIT TERM
groups=
while read -r line; do
	case $line in
	+*) groups="$groups ${line#+}" ;;
	-*)
		left=
		for g in $groups; do [ "$g" = "${line#-}" ] || left="$left $g"; done
		groups=$left
		;;
	esac
done
for g in $groups; do kill -TERM "-$g"; done
for pause in 1 1; do
	left=
	for g in $groups; do kill -0 "-$g" && left="$left $g"; done
	groups=$left
	[ -z "$groups" ] && exit
	sleep $pause
done
for g in $groups; do kill -KILL "-$g"; done
`

// patience is how long the guard may take to read a line of a few bytes, or to
// end.
const patience = time.Second

// guard is a shell that outlives a crash of Parley by a moment, to end the
// programs that Parley can no longer end: no system but Windows has a way of
// its own that reaches what a wrapper script has started. One guard does for
// all programs; it begins with the first and ends with the last of them.
//
// It is in a session of its own, so that neither Ctrl+C in a terminal nor the
// end of one reaches it, holds nothing of ours but the end of a pipe that it
// reads, and no folder. Programs never get the other end (it is closed when
// they are started). A number is taken back as soon as nothing is left of its
// group, before the system gives it to another.
//
// Where no shell can be started, programs run without a guard.
type guard struct {
	shell string

	mu     sync.Mutex
	users  int          // programs that run or are about to
	groups map[int]bool // what the guard knows or should know
	input  *os.File     // nil: it does not run
	cmd    *exec.Cmd
	ended  chan struct{} // closed when cmd has
}

// theGuard is that of this process.
var theGuard = newGuard("/bin/sh")

func newGuard(shell string) *guard { return &guard{shell: shell, groups: map[int]bool{}} }

// enter says that a program is about to start, and reports whether there is a
// guard for it.
func (g *guard) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.users++
	if g.input != nil && closed(g.ended) { // someone has killed it
		g.stop()
	}
	return g.input != nil || g.start()
}

// leave says that a program has ended or was not started after all. It waits a
// moment for the guard, if that was the last one: nothing is left after Close.
func (g *guard) leave() {
	ended := g.retire()
	if ended == nil {
		return
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-ended:
	case <-limit.C:
	}
}

// retire ends the guard, which knows no groups by then, after the last program.
// It returns what is closed when the guard has ended, nil if it stays.
func (g *guard) retire() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.users--; g.users > 0 || g.input == nil {
		return nil
	}
	g.input.Close()
	g.input = nil
	return g.ended
}

// add has the guard end the process group id when Parley is gone.
func (g *guard) add(id int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.groups[id] = true
	g.tell("+", id)
}

// drop takes the process group id back.
func (g *guard) drop(id int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.groups[id] {
		delete(g.groups, id)
		g.tell("-", id)
	}
}

// tell writes one line to the guard. One that does not read is replaced: with
// what it knows it would be a danger later on.
func (g *guard) tell(sign string, id int) {
	if g.input != nil && !g.write(sign, id) {
		g.stop()
		g.start()
	}
}

func (g *guard) write(sign string, id int) bool {
	g.input.SetWriteDeadline(time.Now().Add(patience))
	_, err := g.input.WriteString(sign + strconv.Itoa(id) + "\n")
	return err == nil
}

// start starts the guard, tells it all groups, and reports whether it runs.
func (g *guard) start() bool {
	output, input, err := os.Pipe()
	if err != nil {
		return false
	}
	defer output.Close()
	cmd := exec.Command(g.shell, "-c", guardScript, "parley-guard")
	cmd.Env = []string{"PATH=/usr/bin:/bin"} // for sleep; our environment may hold secrets
	cmd.Dir = "/"
	cmd.Stdin = output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		input.Close()
		return false
	}
	ended := make(chan struct{})
	go func() { // ends with the guard
		defer close(ended)
		_ = cmd.Wait() // how it ended matters to nobody
	}()
	g.input, g.cmd, g.ended = input, cmd, ended
	for id := range g.groups {
		if !g.write("+", id) {
			g.stop()
			return false
		}
	}
	return true
}

// stop ends the guard without letting it end anything.
func (g *guard) stop() {
	_ = g.cmd.Process.Kill() // it may be gone already
	g.input.Close()
	g.input = nil
}
