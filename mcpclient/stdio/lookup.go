package stdio

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// lookUp returns the absolute path of the program of c. Unlike exec.LookPath it
// searches the PATH that c itself sets, if it does, and never a relative entry
// of it. The error is a *StartError.
func lookUp(c Command) (string, error) {
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
			return "", &StartError{Kind: NoDirectory, Program: c.Path, Dir: c.Dir, Err: err}
		}
	}
	if c.Path == "" {
		return "", &StartError{Kind: NotFound, Err: errNoCommand}
	}
	if strings.ContainsRune(c.Path, filepath.Separator) || strings.Contains(c.Path, "/") {
		return lookUpPath(c)
	}
	search := searchPath(c.Env)
	var found error = exec.ErrNotFound
	for _, dir := range filepath.SplitList(search) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path, err := exec.LookPath(filepath.Join(dir, c.Path))
		if err == nil {
			return path, nil
		}
		if errors.Is(err, fs.ErrPermission) {
			found = err
		}
	}
	return "", missing(c, search, found)
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
		return "", missing(c, "", err)
	}
	return path, nil
}

func missing(c Command, search string, err error) error {
	kind := NotFound
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EISDIR) {
		kind = NotExecutable
	}
	return &StartError{Kind: kind, Program: c.Path, Path: search, Dir: c.Dir, Err: err}
}

// searchPath returns the PATH that a program started with env added to our
// environment has.
func searchPath(env []string) string {
	search := os.Getenv("PATH")
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			search = value
		}
	}
	return search
}
