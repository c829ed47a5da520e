package stdio

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"parley/assets/i18n"
)

// maxExitLines is how many of the last lines of standard error an ExitError has.
const maxExitLines = 20

// StartKind says why a program could not be started.
type StartKind string

// The kinds of StartError.
const (
	NotFound      StartKind = "not_found"      // no such program
	NotExecutable StartKind = "not_executable" // it is there, but may not be run
	NoDirectory   StartKind = "no_directory"   // the working directory is not there
	NoInterpreter StartKind = "no_interpreter" // it is a script, and what runs it is not there
	BadFormat     StartKind = "bad_format"     // it is no program for this computer
	BadArguments  StartKind = "bad_arguments"  // the system cannot pass these arguments on
	Refused       StartKind = "refused"        // the system refused for another reason
	OtherFile     StartKind = "other_file"     // its name leads to another file than the one that was allowed
)

// LoginFault says why the PATH of the person's login shell was not searched.
type LoginFault string

// The reasons of a LoginFault; "" is that it was searched.
const (
	LoginOwn     LoginFault = "own"     // the server's environment sets a PATH
	LoginNone    LoginFault = "none"    // this system knows no login shells
	LoginUnknown LoginFault = "unknown" // neither SHELL nor the system says which it is
	LoginFailed  LoginFault = "failed"  // it did not say its PATH
	LoginLate    LoginFault = "late"    // it took too long
)

// StartError says why a program could not be started.
type StartError struct {
	Kind    StartKind
	Program string     // as it was named
	Path    string     // the PATH that was searched; "" if the program was named by a path
	Login   LoginFault // why the login shell's PATH is no part of the search, "" if it is
	Shell   string     // the login shell that was asked; "" if none was
	Dir     string     // the working directory asked for
	Allowed string     // of OtherFile: the file that was allowed
	Found   string     // of OtherFile: the file that would have been started
	Err     error      // the system's words; may be nil
}

// newStartError sorts the error of starting a program that lookUp had found.
func newStartError(c Command, err error) error {
	kind := Refused
	switch {
	case errors.Is(err, errArguments):
		kind = BadArguments
	case errors.Is(err, fs.ErrPermission):
		kind = NotExecutable
	case errors.Is(err, fs.ErrNotExist):
		kind = NoInterpreter
	case isBadFormat(err):
		kind = BadFormat
	}
	return &StartError{Kind: kind, Program: c.Path, Dir: c.Dir, Err: err}
}

func (e *StartError) Error() string {
	if e.Kind == OtherFile {
		return fmt.Sprintf("starting %q: it is %q and not %q", e.Program, e.Found, e.Allowed)
	}
	return fmt.Sprintf("starting %q: %s: %v", e.Program, e.Kind, e.Err)
}

func (e *StartError) Unwrap() error { return e.Err }

// Sentence names the program, and the folder where that is the point; of a
// program that is in no folder of PATH, where to set that (B68).
func (e *StartError) Sentence() i18n.Message {
	id := "client.transport.start." + string(e.Kind)
	switch {
	case e.Kind == OtherFile && (e.Login == LoginFailed || e.Login == LoginLate):
		return i18n.M(otherFileLogin, "Program", e.Program, "Allowed", e.Allowed, "Found", e.Found, "Where", e.whereToSet())
	case e.Kind == OtherFile:
		return i18n.M(id, "Program", e.Program, "Allowed", e.Allowed, "Found", e.Found)
	case e.Kind == NotFound && e.Program == "":
		id = "client.transport.start.no_command"
	case e.Kind == NotFound && e.Path == "" && e.Login != LoginOwn:
		id = "client.transport.start.no_file"
	case e.Kind == NotFound:
		return i18n.M(id, "Program", e.Program, "Path", e.Path, "Where", e.whereToSet())
	}
	system := ""
	if e.Err != nil {
		system = rootText(e.Err)
	}
	return i18n.M(id, "Program", e.Program, "Path", e.Path, "Dir", e.Dir, "System", system)
}

// otherFileLogin is the sentence of an OtherFile that may be one for want of the login
// shell's PATH.
const otherFileLogin = "client.transport.start.other_file_login"

// IsOtherFile reports whether a sentence is that of a StartError of the kind OtherFile.
func IsOtherFile(m i18n.Message) bool {
	return m.ID == "client.transport.start."+string(OtherFile) || m.ID == otherFileLogin
}

// whereToSet says where the PATH that was searched can be set.
func (e *StartError) whereToSet() i18n.Message {
	id := "client.transport.path.set"
	if e.Login != "" {
		id = "client.transport.path." + string(e.Login)
	}
	return i18n.M(id, "Shell", e.Shell)
}

// rootText returns the words of the innermost error, which is the system's.
func rootText(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}

// ExitError says how a program ended that nobody had asked to end.
type ExitError struct {
	Program      string   // as it was named
	Script       string   // what it runs, of an interpreter as far as that can be told; else ""
	Code         int      // exit code; -1 if there is none
	Signal       string   // the signal that ended it, such as "SIGSEGV"; "" if none did
	OutputClosed bool     // it closed its output and was then ended by us
	Stderr       []string // its last lines of standard error, at most 20; text from a stranger
}

func (e *ExitError) Error() string {
	switch {
	case e.OutputClosed:
		return fmt.Sprintf("%q closed its output", e.Program)
	case e.Signal != "":
		return fmt.Sprintf("%q was ended by %s", e.Program, e.Signal)
	default:
		return fmt.Sprintf("%q ended with exit code %d", e.Program, e.Code)
	}
}

// crashes are the signals that a program's own faults bring about (signal(7));
// the others come from outside.
var crashes = []string{"SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS"}

// Sentence names the program, with the script of an interpreter, and how it
// ended. The lines of standard error are
// for the caller to show.
func (e *ExitError) Sentence() i18n.Message {
	id := "client.transport.exit.code"
	switch {
	case e.OutputClosed:
		id = "client.transport.exit.output_closed"
	case slices.Contains(crashes, e.Signal):
		id = "client.transport.exit.crash"
	case e.Signal != "":
		id = "client.transport.exit.signal"
	case e.Code == 0:
		id = "client.transport.exit.success"
	case e.Code == 127:
		id = "client.transport.exit.command_not_found"
	}
	program := e.Program
	if e.Script != "" {
		program += " " + e.Script
	}
	return i18n.M(id, "Program", program, "Code", e.Code, "Signal", e.Signal)
}

// InputError says that a program does not take its input any more although it
// runs on.
type InputError struct{ Err error }

func (e *InputError) Error() string { return fmt.Sprintf("writing to the program: %v", e.Err) }

func (e *InputError) Unwrap() error { return e.Err }

// Sentence says so to a person.
func (e *InputError) Sentence() i18n.Message { return i18n.M("client.transport.input_closed") }
