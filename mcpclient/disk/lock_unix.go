//go:build !windows

package disk

import (
	"errors"
	"os"
	"syscall"
)

// lock waits for the lock of an open file. Two openings of one file exclude each
// other, even within a process (flock, as opposed to POSIX record locks).
func lock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// tryLock takes the lock of an open file if nobody has it.
func tryLock(f *os.File) (ok bool, err error) {
	err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
