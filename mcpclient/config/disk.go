package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// readFile reads path up to maxSize; a larger file is errTooLarge.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxSize {
		return nil, errTooLarge
	}
	return raw, nil
}

// replaceFile puts raw in the place of path in one step, so that a crash
// leaves either the old file or the new one. A link stays a link: the file it
// points at is replaced. The folder is made if needed, for its owner only.
func replaceFile(path string, raw []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(raw)
	if err == nil {
		err = tmp.Sync()
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	syncDir(dir)
	return nil
}

// syncDir makes the rename last through a power cut where the system can do
// that; where it cannot, the file is whole all the same.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// keepAside renames the broken file path to a name with the date that is free,
// and returns that name.
func keepAside(path string, now time.Time) (string, error) {
	base := path + ".broken-" + now.Format("20060102-150405")
	for i := 1; i <= 100; i++ {
		aside := base
		if i > 1 {
			aside = base + "-" + strconv.Itoa(i)
		}
		if _, err := os.Lstat(aside); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return aside, os.Rename(path, aside)
	}
	return "", fmt.Errorf("%s: every name is taken", base)
}
