//go:build unix

package stdio

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// group is the process group of a program: itself and what it started.
type group struct{ id int }

// prepare makes the program the leader of a new process group, and sees to it
// that it ends with Parley. It is undone by unprepare if the program is not
// started.
func prepare(cmd *exec.Cmd) error {
	cmd.SysProcAttr.Setpgid = true
	// The guard gives the program time to end in order; without one the system
	// would give it none.
	last := syscall.SIGKILL
	if theGuard.enter() {
		last = syscall.SIGTERM
	}
	followParent(cmd.SysProcAttr, last)
	return nil
}

func unprepare() { theGuard.leave() }

func newGroup(p *os.Process) *group {
	theGuard.add(p.Pid)
	return &group{id: p.Pid}
}

// terminate asks every process of the group to end, and reports that such
// asking exists on this system.
func (g *group) terminate() bool {
	g.signal(unix.SIGTERM)
	return true
}

// kill ends every process of the group.
func (g *group) kill() { g.signal(unix.SIGKILL) }

// alive reports whether a process of the group is left that we may signal. As
// long as one is, the system gives the group's number to no other process.
func (g *group) alive() bool { return g.signal(0) == nil }

func (g *group) signal(s syscall.Signal) error { return unix.Kill(-g.id, s) }

// release gives the number of the group back: nothing is left of it, or
// nothing can be done.
func (g *group) release() {
	theGuard.drop(g.id)
	theGuard.leave()
}

// signalName names the signal that ended a program, "" if none did.
func signalName(s *os.ProcessState) string {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return unix.SignalName(status.Signal())
	}
	return ""
}

func isBadFormat(err error) bool { return errors.Is(err, unix.ENOEXEC) }
