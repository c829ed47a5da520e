package stdio

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"parley/mcpclient/wire"
)

// process is a running program with the Parley ends of its pipes.
type process struct {
	cmd    *exec.Cmd
	group  *group
	stdin  *os.File
	stdout *os.File
	stderr *os.File
	exited chan struct{} // closed when the program has ended; cmd.ProcessState is set
}

// start runs c. ctx bounds the search for the program. The error is a
// *StartError or that of c.Agree.
func start(ctx context.Context, c Command) (*process, error) {
	found, err := lookUp(ctx, c)
	if err != nil {
		return nil, err
	}
	if c.Agree != nil && c.named() {
		if err := c.Agree(found.path); err != nil {
			if e, ok := errors.AsType[*StartError](err); ok { // that may be why
				e.Login, e.Shell = found.login.fault, found.login.shell
			}
			return nil, err
		}
	}
	p := &process{exited: make(chan struct{})}
	p.cmd = &exec.Cmd{
		Path:        found.path,
		Args:        append([]string{c.Path}, c.Args...),
		Env:         append(os.Environ(), c.Env...),
		Dir:         c.Dir,
		SysProcAttr: &syscall.SysProcAttr{},
	}
	if found.search != "" {
		p.cmd.Env = append(p.cmd.Env, "PATH="+found.search)
	}
	if err := prepare(p.cmd); err != nil {
		return nil, newStartError(c, err)
	}
	theirs, err := p.connect()
	if err == nil {
		err = p.launch()
	}
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		unprepare()
		p.close()
		return nil, newStartError(c, err)
	}
	return p, nil
}

// connect makes the three pipes and returns the program's ends.
func (p *process) connect() (theirs []*os.File, err error) {
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	in, stdin := pipe()
	stdout, out := pipe()
	stderr, errOut := pipe()
	p.stdin, p.stdout, p.stderr = stdin, stdout, stderr
	if err != nil {
		return []*os.File{in, out, errOut}, err
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in, out, errOut
	return []*os.File{in, out, errOut}, nil
}

// launch starts the program and a goroutine that waits for its end.
func (p *process) launch() error {
	started := make(chan error)
	go func() {
		// Linux ties the parent death signal to the thread that forked, not to
		// the process. The thread is therefore kept for as long as the program
		// lives; waiting for it would take one anyway.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := p.cmd.Start(); err != nil {
			started <- err
			return
		}
		p.group = newGroup(p.cmd.Process)
		started <- nil
		// The state is read from the command; an error other than that of an
		// exit code would mean that the program was waited for elsewhere.
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	return <-started
}

// close closes our ends of the pipes, which also ends reads and writes that
// block. Closing nil or twice is an error that matters to nobody.
func (p *process) close() {
	p.stdin.Close()
	p.stdout.Close()
	p.stderr.Close()
}

// run serves p from its start to its end. It owns all goroutines of t.
func (t *Transport) run(p *process) {
	defer close(t.done)
	stdoutEnd := inBackground(func() {
		newReader(p.stdout, t.options.MaxMessage, t.handler, t.notices, func(raw []byte) { t.options.Tap.Show(false, raw) }).run()
	})
	stderrEnd := inBackground(func() {
		eachLine(p.stderr, func(line string) {
			t.stderr.add(line)
			t.notices.Tell(wire.NoticeStderr, line)
		})
	})
	stdinEnd := inBackground(func() { t.write(p) })

	select {
	case <-p.exited:
	case <-stdoutEnd:
		// Nothing can be answered any more; mostly the exit follows at once.
	case <-t.closing:
	}
	asked := t.isClosing()
	byItself := t.stop(p)
	for _, end := range []chan struct{}{stdoutEnd, stderrEnd} {
		t.waitInPeace(end)
	}
	p.close()
	for _, end := range []chan struct{}{stdoutEnd, stderrEnd, stdinEnd} {
		<-end
	}
	t.notices.Stop()
	if asked {
		t.handler.Closed(nil)
		return
	}
	t.handler.Closed(t.exitError(p, byItself))
}

// inBackground runs do and returns a channel that is closed when it ends.
func inBackground(do func()) chan struct{} {
	end := make(chan struct{})
	go func() {
		defer close(end)
		do()
	}()
	return end
}

// write writes what Send queued until the queue ends, then ends the program's
// input.
func (t *Transport) write(p *process) {
	unwritten, err := t.queue.drain(p.stdin, t.options.Tap)
	p.stdin.Close()
	if err == nil {
		return
	}
	// Mostly the program has ended, and its exit says more than a broken pipe.
	exited := t.wait(p.exited)
	for _, i := range unwritten {
		switch {
		case !i.id.IsZero() && !exited:
			t.handler.Failed(i.id, err)
		case i.undelivered != nil:
			i.undelivered(err)
		}
	}
}

// stop ends the program and its group, step by step, and reports whether the
// program had ended by itself before it was made to.
func (t *Transport) stop(p *process) (byItself bool) {
	defer p.group.release()
	t.queue.finish(wire.ErrClosed)
	if t.waitGone(p) {
		return true
	}
	byItself = closed(p.exited)
	if p.group.terminate() && t.waitGone(p) {
		return byItself
	}
	p.group.kill()
	t.wait(p.exited)
	return byItself
}

// waitGone waits one grace for the program and all of its group to end, and
// reports whether they did.
func (t *Transport) waitGone(p *process) bool {
	limit := time.NewTimer(t.grace)
	defer limit.Stop()
	select {
	case <-p.exited:
	case <-limit.C:
		return false
	case <-t.hurry:
		return false
	}
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for p.group.alive() {
		select {
		case <-poll.C:
		case <-limit.C:
			return false
		case <-t.hurry:
			return false
		}
	}
	return true
}

// wait waits one grace for end and reports whether it came.
func (t *Transport) wait(end <-chan struct{}) bool {
	limit := time.NewTimer(t.grace)
	defer limit.Stop()
	select {
	case <-end:
		return true
	case <-limit.C:
		return false
	}
}

// waitInPeace is wait, but not any longer when a Close may not wait.
func (t *Transport) waitInPeace(end <-chan struct{}) {
	limit := time.NewTimer(t.grace)
	defer limit.Stop()
	select {
	case <-end:
	case <-limit.C:
	case <-t.hurry:
	}
}

// exitError describes the end of p that nobody asked for.
func (t *Transport) exitError(p *process, byItself bool) error {
	e := &ExitError{Program: t.command.Path, Script: script(t.command), Code: -1, OutputClosed: !byItself}
	if closed(p.exited) && byItself {
		e.Code = p.cmd.ProcessState.ExitCode()
		e.Signal = signalName(p.cmd.ProcessState)
	}
	e.Stderr = t.stderr.lines()
	if n := len(e.Stderr); n > maxExitLines {
		e.Stderr = e.Stderr[n-maxExitLines:]
	}
	return e
}

var errNoCommand = errors.New("no command")
