package consent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"parley/assets/i18n"
	"parley/consent/safetext"
)

// Opener opens a link in a browser that neither app nor model can look into.
type Opener interface {
	// Open opens exactly url, which must be an [Assessment].Open. It returns nil
	// once the browser counts as started; whether the page loads, and what the
	// person does there, stays unknown. The error is an [*OpenError], or that of
	// ctx when ctx ends first: then the browser may have started or not.
	Open(ctx context.Context, url string) error
}

// OpenReason says why a link was not opened.
type OpenReason int

const (
	// Refused: the string is not one that Assess gives out.
	Refused OpenReason = iota
	// Missing: this computer has no program that opens links.
	Missing
	// Failed: the program could not be started, or said that it failed.
	Failed
)

// OpenError is why a link was not opened. It never holds the link.
type OpenError struct {
	Reason  OpenReason
	Program string        // what was started or looked for
	Exit    int           // exit code of a program that said it failed; -1 if it was killed
	Detail  safetext.Text // the last line it wrote to standard error, may be empty
	err     error
}

// Error says the reason for logs.
func (e *OpenError) Error() string {
	switch {
	case e.Reason == Refused:
		return "opening a link: not a link that was assessed"
	case e.Reason == Missing:
		return fmt.Sprintf("opening a link: %s not found", e.Program)
	case e.err != nil:
		return fmt.Sprintf("opening a link: starting %s: %v", e.Program, e.err)
	case e.Exit < 0:
		return fmt.Sprintf("opening a link: %s was killed", e.Program)
	case e.Detail.IsZero():
		return fmt.Sprintf("opening a link: %s: exit code %d", e.Program, e.Exit)
	}
	return fmt.Sprintf("opening a link: %s: exit code %d: %s", e.Program, e.Exit, e.Detail)
}

// Unwrap is the error of the operating system, if there is one.
func (e *OpenError) Unwrap() error { return e.err }

// Message says the reason to the person, and what to do now.
func (e *OpenError) Message() i18n.Message {
	switch {
	case e.Reason == Refused:
		return i18n.M("consent.open.refused")
	case e.Reason == Missing:
		return i18n.M("consent.open.missing", "Program", e.Program)
	case e.err != nil:
		return i18n.M("consent.open.failed-start", "Program", e.Program, "Detail", cause(e.err).String())
	case e.Exit < 0:
		return i18n.M("consent.open.killed", "Program", e.Program)
	case e.Detail.IsZero():
		return i18n.M("consent.open.failed-code", "Program", e.Program, "Code", e.Exit)
	}
	return i18n.M("consent.open.failed-because", "Program", e.Program, "Code", e.Exit, "Detail", e.Detail.String())
}

// cause is what the operating system says, without the file it says it of.
func cause(err error) safetext.Text {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return safetext.Line(err.Error(), maxDetail)
}

const (
	// startTime is how long a program may take to say that it failed. One that
	// still runs then is a browser, or is about to be one.
	startTime = 2 * time.Second
	// maxDetail bounds the line of standard error that is shown, in characters.
	maxDetail = 200
	// tailBytes is how much of the end of standard error is read for it.
	tailBytes = 4096
)

// Browser opens links in the default browser of the operating system: xdg-open,
// open, or the URL handler of Windows. The link is one argument, no shell is
// involved. The browser outlives the app.
//
// In a Flatpak or Snap sandbox xdg-open is the one of the sandbox, which asks
// the desktop portal; nothing else is needed there.
func Browser() Opener {
	return &browser{command: systemOpener, after: time.After}
}

// browser starts a program per link.
type browser struct {
	// command gives the program and its arguments for a link.
	command func(url string) []string
	// after is time.After.
	after func(time.Duration) <-chan time.Time
	// children are the goroutines that wait for started programs, one each; each
	// ends when its program does.
	children sync.WaitGroup
}

// Open implements [Opener].
func (b *browser) Open(ctx context.Context, url string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Whoever calls this has assessed the link; a string that Assess would not
	// print unchanged shows that something went wrong in between.
	if a := Assess(url, Asker{}); a.Level == Block || a.Open != url {
		return &OpenError{Reason: Refused}
	}
	argv := b.command(url)
	program := argv[0]
	path, err := exec.LookPath(program)
	if err != nil {
		return &OpenError{Reason: Missing, Program: program, err: err}
	}
	cmd := exec.Command(path, argv[1:]...)
	detach(cmd)
	errs := errorFile()
	if errs != nil {
		cmd.Stderr = errs
	}
	if err := cmd.Start(); err != nil {
		closeFile(errs)
		if errors.Is(err, os.ErrNotExist) {
			return &OpenError{Reason: Missing, Program: program, err: err}
		}
		return &OpenError{Reason: Failed, Program: program, err: err}
	}
	ended := make(chan error, 1)
	b.children.Go(func() {
		failed := cmd.Wait()
		if failed != nil {
			failed = &OpenError{Reason: Failed, Program: program, Exit: cmd.ProcessState.ExitCode(), Detail: lastLine(errs, url)}
		}
		closeFile(errs)
		ended <- failed
	})
	select {
	case err := <-ended:
		return err
	case <-b.after(startTime):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func closeFile(f *os.File) {
	if f != nil {
		f.Close()
	}
}

// lastLine is the last line in f that is not blank, made safe, without the link:
// what stands in it may be secret.
func lastLine(f *os.File, url string) safetext.Text {
	if f == nil {
		return safetext.Text{}
	}
	info, err := f.Stat()
	if err != nil {
		return safetext.Text{}
	}
	tail, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-tailBytes), tailBytes))
	if err != nil {
		return safetext.Text{}
	}
	lines := strings.Split(strings.ReplaceAll(string(tail), url, "…"), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if line := strings.TrimSpace(lines[i]); line != "" {
			return safetext.Line(line, maxDetail)
		}
	}
	return safetext.Text{}
}
