package mcpclient

import (
	"os"
	"path/filepath"
	"sync"
)

// Folder is where the program of s starts, and what a relative path in its command
// is relative to: Dir; where that is relative, within the person's home folder, and
// where it is empty the home folder itself. The folder that Parley was started in
// takes no part. A desktop starts an app wherever it likes, and what a person has
// allowed must be what runs, whoever starts it. It is "" for an address, and where
// the system tells of no folder at all.
func (s Server) Folder() string {
	if s.Kind != Stdio {
		return ""
	}
	return s.folderIn(homeFolder())
}

func (s Server) folderIn(home string) string {
	if s.Dir == "" || filepath.IsAbs(s.Dir) {
		return orElse(s.Dir, home)
	}
	return filepath.Join(home, s.Dir)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// homeFolder is the person's home folder, without the links that lead there and may
// lead elsewhere tomorrow. A user who has none that is there, as services may, gets
// the folder Parley runs in; "" is that the system does not tell of that either. It
// is found out once.
var homeFolder = sync.OnceValue(func() string {
	for _, find := range []func() (string, error){os.UserHomeDir, os.Getwd} {
		dir, err := find()
		if err == nil {
			dir, err = filepath.EvalSymlinks(dir)
		}
		if err == nil && filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
})
