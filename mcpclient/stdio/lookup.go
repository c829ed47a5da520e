package stdio

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// program is what lookUp found.
type program struct {
	path string // absolute
	// search is the PATH that the program gets, for what it starts in its turn;
	// "" is the one it would have anyway.
	search string
	// login is what was learnt of the login shell's PATH; the reason LoginOwn may be
	// that it makes no difference.
	login loginAnswer
}

// File is where the program of a Command lies.
type File struct {
	Path string // absolute; the file that is started
	// Target is where Path ends if it is a symbolic link, else "".
	Target string
	// Named tells that it was found in PATH by the program's name: another file is
	// found once PATH, or what lies in its folders, is another.
	Named bool
}

// LookUp finds the file that a Transport would start for c now, and starts nothing. It
// may ask the person's login shell for its PATH, for up to 4 s, where that decides
// which file it is. The error is a *StartError or the context's.
func LookUp(ctx context.Context, c Command) (File, error) {
	found, err := lookUp(ctx, c)
	if ctx.Err() != nil { // what the login shell would have said is not known
		return File{}, ctx.Err()
	}
	if err != nil {
		return File{}, err
	}
	f := File{Path: found.path, Named: c.named()}
	if target, err := filepath.EvalSymlinks(found.path); err == nil && target != found.path {
		f.Target = target
	}
	return f, nil
}

// IsPath reports whether a variable of the environment is the PATH that programs are
// looked up in.
func IsPath(name string) bool {
	return name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH")
}

// CheckFile returns nil if found is the file that was allowed for the program of that
// name, by this path or another one, else a *StartError. What the file holds is not
// looked at.
func CheckFile(program, allowed, found string) error {
	if found == allowed {
		return nil
	}
	was, err := os.Stat(allowed)
	if err == nil {
		if is, err := os.Stat(found); err == nil && os.SameFile(was, is) {
			return nil // /bin is /usr/bin on many systems
		}
	}
	return &StartError{Kind: OtherFile, Program: program, Allowed: allowed, Found: found}
}

// loginAnswer is what the login shell said of its PATH.
type loginAnswer struct {
	shell string     // its path; "" if it is not known or was not asked
	path  string     // "" if fault says why there is none
	fault LoginFault // "" if there is none
}

// lookUp finds the program of c. Unlike exec.LookPath it searches the PATH that
// c itself sets, if it does, and never a relative entry of it.
//
// Where c sets none, the PATH of the login shell counts too: before ours when
// Parley was started from a desktop, else only for a name that ours does not
// have. The program is given the PATH that was searched, for npx needs the node
// beside it. The error is a *StartError.
func lookUp(ctx context.Context, c Command) (program, error) {
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
			return program{}, &StartError{Kind: NoDirectory, Program: c.Path, Dir: c.Dir, Err: err}
		}
	}
	if c.Path == "" {
		return program{}, &StartError{Kind: NotFound, Err: errNoCommand}
	}
	search, own := searchPath(c.Env)
	given := ""
	answer := loginAnswer{fault: LoginOwn}
	if !own && fromDesktop(search) {
		answer = askLogin(ctx)
		given = join(answer.path, search)
		search = given
	}
	if !c.named() {
		path, err := lookUpPath(c)
		return program{path, given, answer}, err
	}
	path, err := lookIn(search, c.Path)
	if errors.Is(err, exec.ErrNotFound) && !own && given == "" {
		answer = askLogin(ctx)
		given = join(search, answer.path)
		search = given
		path, err = lookIn(search, c.Path)
	}
	if err != nil {
		e := missing(c, err)
		e.Path, e.Shell, e.Login = search, answer.shell, answer.fault
		return program{}, e
	}
	return program{path, given, answer}, nil
}

// named reports whether the program is looked up in PATH, and not named by a path.
func (c Command) named() bool {
	return !strings.ContainsRune(c.Path, filepath.Separator) && !strings.Contains(c.Path, "/")
}

// join puts the entries of two PATHs into one, each once.
func join(first, second string) string {
	var dirs []string
	for _, dir := range append(filepath.SplitList(first), filepath.SplitList(second)...) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// lookIn finds the program name in the folders of search.
func lookIn(search, name string) (string, error) {
	var found error = exec.ErrNotFound
	for _, dir := range filepath.SplitList(search) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path, err := exec.LookPath(filepath.Join(dir, name))
		if err == nil {
			return path, nil
		}
		if errors.Is(err, fs.ErrPermission) {
			found = err
		}
	}
	return "", found
}

// lookUpPath finds the program that c names by a path.
func lookUpPath(c Command) (string, error) {
	path := c.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = exec.LookPath(path)
	}
	if err != nil {
		return "", missing(c, err)
	}
	return path, nil
}

func missing(c Command, err error) *StartError {
	kind := NotFound
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EISDIR) {
		kind = NotExecutable
	}
	return &StartError{Kind: kind, Program: c.Path, Dir: c.Dir, Err: err}
}

// searchPath returns the PATH that a program started with env added to our
// environment has, and whether env sets it.
func searchPath(env []string) (search string, own bool) {
	search = os.Getenv("PATH")
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		if IsPath(name) {
			search, own = value, true
		}
	}
	return search, own
}
