// Package disk changes files of the config folder so that nothing is lost: a
// file is replaced in one step, a broken one is moved aside and never
// overwritten, and two running programs change a file one after the other.
package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Replace puts raw in the place of path in one step, so that a crash leaves
// either the old file or the new one. A link stays a link: the file it points
// at is replaced. File and folder, which is made if needed, are for their owner
// only.
func Replace(path string, raw []byte) error {
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

// KeepAside renames the broken file path to a name with the date that is free,
// and returns that name.
func KeepAside(path string, now time.Time) (string, error) {
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

// Lock waits until no other program, and no other caller of this one, holds the
// lock of path, and takes it. It is an advisory lock on the file path+".lock",
// which stays: whoever removed it could take it from under another. The system
// frees the lock of a program that ended in whatever way.
func Lock(path string) (unlock func(), err error) {
	return locked(path, lock)
}

// lockPause is how long LockWithin waits between two tries.
const lockPause = 50 * time.Millisecond

// LockWithin is Lock until ctx ends, whose cause is the error then.
func LockWithin(ctx context.Context, path string) (unlock func(), err error) {
	return locked(path, func(f *os.File) error {
		for {
			if ok, err := tryLock(f); ok || err != nil {
				return err
			}
			select {
			case <-time.After(lockPause):
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	})
}

// locked opens the file of a lock and takes it by take.
func locked(path string, take func(*os.File) error) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := take(f); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", f.Name(), err), f.Close())
	}
	return func() { _ = f.Close() }, nil // which frees the lock
}
